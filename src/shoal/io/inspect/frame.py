"""Inspect a table."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from shoal.errors import InputError
from shoal.io.inspect.combinations import n_combinations, worst_combinations
from shoal.io.inspect.findings import Finding, Inspection
from shoal.io.inspect.partition import uniqueness
from shoal.io.inspect.person_keys import keys_among
from shoal.io.inspect.profile import Profile, profile
from shoal.io.inspect.roles import Suggestion, suggest
from shoal.io.inspect.together import N_CANDIDATES, candidates, suggest_together

_LEFT = Suggestion("other", "does not single people out by itself")


def inspect_frame(frame: pl.DataFrame) -> Inspection:
    """Say what the columns are, which roles suit them, and how many rows they single out.

    Columns may be typed or texts as read from a file. The work is bounded whatever the number of columns; the notes
    say what was left out. O(rows · columns), and for company of columns a bounded number of passes over the rows.

    Raises:
        InputError: the table has no rows or no columns, or cells that are lists or records.
    """
    if frame.is_empty():
        raise InputError("The table has no rows; there is nothing to inspect.")
    profiles = [profile(values) for values in frame]
    suggestions, undecided = suggest_roles(frame, profiles)
    findings = tuple(_finding(column, suggestions.get(column.name, _LEFT)) for column in profiles)
    quasi = [c for c, found in zip(profiles, findings, strict=True) if found.role == "quasi-identifier"]
    others = [name for name in candidates(undecided) if name not in suggestions]
    return Inspection(
        n_rows=frame.height,
        columns=findings,
        n_unique=uniqueness(frame, [column.name for column in quasi]),
        n_unique_others=uniqueness(frame, others) if others else 0,
        combinations=worst_combinations(frame, quasi),
        notes=_notes(len(undecided), len(quasi), frame.height),
        keys=keys_among(frame, findings),
    )


def suggest_roles(
    frame: pl.DataFrame, columns: Sequence[Profile], known: Sequence[str] = ()
) -> tuple[dict[str, Suggestion], list[Profile]]:
    """The roles of these columns beside quasi-identifiers already known, and the columns that needed company for it.

    A column without a suggestion singles nobody out.
    """
    suggestions = {column.name: found for column in columns if (found := suggest(column))}
    undecided = [column for column in columns if column.name not in suggestions]
    quasi = [*known, *(name for name, found in suggestions.items() if found.role == "quasi-identifier")]
    return suggestions | suggest_together(frame, quasi, candidates(undecided)), undecided


def _finding(column: Profile, suggestion: Suggestion) -> Finding:
    return Finding(
        name=column.name,
        kind="free text" if suggestion.is_free_text else column.kind,
        n_distinct=column.n_distinct,
        n_missing=column.n_missing,
        n_unique=column.n_unique,
        separation=column.separation,
        role=suggestion.role,
        reason=suggestion.reason,
        examples=column.examples,
    )


def _notes(n_undecided: int, n_quasi: int, n_rows: int) -> tuple[str, ...]:
    """What was left out to bound the work."""
    notes = []
    if n_undecided > N_CANDIDATES:
        notes.append(
            f"Of {n_undecided:,} columns without a telling name, the {N_CANDIDATES} that tell most rows apart were "
            "tried together; look at the others yourself."
        )
    there_are, counted = n_combinations(n_quasi, n_rows)
    if counted < there_are:
        notes.append(f"Of {there_are:,} combinations of up to three quasi-identifiers, {counted:,} were counted.")
    return tuple(notes)
