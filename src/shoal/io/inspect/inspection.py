"""Inspect a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from shoal.core.schema import Role
from shoal.errors import InputError
from shoal.io.inspect.checks import examine, written_values
from shoal.io.inspect.column_values import Advice, Sight, merged
from shoal.io.inspect.combinations import N_CANDIDATES, candidates, n_combinations, suggest_together, worst_combinations
from shoal.io.inspect.findings import Finding, Inspection
from shoal.io.inspect.hierarchies import Fit, best_fit
from shoal.io.inspect.partition import NumberedColumn, as_frame, uniqueness
from shoal.io.inspect.person_keys import keys_among, repeated_key
from shoal.io.inspect.profile import Profile, profile_of
from shoal.io.inspect.roles import RoleSuggestion, alike, suggest

_LEFT = RoleSuggestion("other", "does not single people out by itself")


def inspect_frame(
    frame: pl.DataFrame, orders: Mapping[str, Sequence[str]] | None = None, before: Sequence[Advice] = ()
) -> Inspection:
    """Describe the columns, suggest roles, and count how many rows they single out.

    Columns may be typed or texts as read from a file. The work is bounded for any number of columns; the notes say what
    was skipped. ``orders`` of categories are those that the table declares, ``before`` are problems found before it was
    read. O(rows · columns), plus a bounded number of passes over the rows for combinations of columns.

    Raises:
        InputError: the table has no rows or no columns, or cells that are lists or records.
    """
    if frame.is_empty():
        raise InputError("The table has no rows; there is nothing to inspect.")
    columns = [NumberedColumn.of(values) for values in frame.iter_columns()]
    advice = (*before, *examine(frame, orders, columns))
    written, words = written_values(advice), merged(one.words for one in advice)
    by_name = {column.name: column.read(written) for column in columns}
    frame = as_frame([*by_name.values()])
    profiles = [profile_of(column) for column in by_name.values()]
    known = {name: said for one in advice for name, said in _roles(one)}
    suggestions, undecided = suggest_roles(frame, [column for column in profiles if column.name not in known])
    suggestions |= alike(undecided, suggestions) | known
    findings = tuple(
        _finding(column, suggestions.get(column.name, _LEFT), column.name in words.get("orders", {}))
        for column in profiles
    )
    quasi = [c for c, found in zip(profiles, findings, strict=True) if found.role == "quasi-identifier"]
    others = [name for name in candidates(undecided) if name not in suggestions]
    keys = keys_among(
        frame, [found for found in findings if found.name not in known and not by_name[found.name].dtype.is_float()]
    )
    if person := words.get("person"):
        keys = (repeated_key(frame[person]), *(key for key in keys if key.name != person))
    elif keys:
        advice = (*advice, Advice((keys[0].name,), f"{keys[0]}.", {"person": keys[0].name}))
    return Inspection(
        n_rows=frame.height,
        columns=findings,
        n_unique=uniqueness(frame, [column.name for column in quasi]),
        n_unique_others=uniqueness(frame, others) if others else 0,
        combinations=worst_combinations(frame, quasi),
        notes=_notes(len(undecided), len(quasi), frame.height),
        keys=keys,
        advice=advice,
        hierarchies=_fits(by_name, findings, words.get("hierarchies", {})),
    )


def suggest_roles(
    frame: pl.DataFrame, columns: Sequence[Profile], known: Sequence[str] = ()
) -> tuple[dict[str, RoleSuggestion], list[Profile]]:
    """Suggest roles for these columns, given known quasi-identifiers; also return those that needed a joint check.

    A column without a suggestion singles nobody out.
    """
    suggestions = {column.name: found for column in columns if (found := suggest(column))}
    undecided = [column for column in columns if column.name not in suggestions]
    quasi = [*known, *(name for name, found in suggestions.items() if found.role == "quasi-identifier")]
    return suggestions | suggest_together(frame, quasi, candidates(undecided)), undecided


def _roles(advice: Advice) -> Iterator[tuple[str, RoleSuggestion]]:
    """The roles that a piece of advice suggests."""
    for word, role in _ROLES.items():
        said = advice.words.get(word, ())
        for name in [said] if isinstance(said, str) else said:
            yield name, RoleSuggestion(role, advice.what.removesuffix("."))


_ROLES: Mapping[str, Role] = {"identifiers": "identifier", "person": "person", "others": "other"}


def _fits(
    columns: Mapping[str, NumberedColumn], findings: Sequence[Finding], said: Mapping[str, str]
) -> dict[str, Fit]:
    """Suggest hierarchies for quasi-identifiers and sensitive columns."""
    found = {}
    for column in findings:
        if column.role in ("quasi-identifier", "sensitive") and column.name not in said:
            fit = best_fit(Sight.of_numbers(columns[column.name]))
            if fit is not None and (column.role == "quasi-identifier" or fit.is_code):
                found[column.name] = fit
    return found


def _finding(column: Profile, suggestion: RoleSuggestion, is_ordered: bool) -> Finding:
    kind, is_dropped = "ordinal" if is_ordered else column.kind, suggestion.role == "identifier"
    return Finding(
        name=column.name,
        kind="free text" if suggestion.is_free_text or (is_dropped and column.is_free_text) else kind,
        n_distinct=column.n_distinct,
        n_missing=column.n_missing,
        n_unique=column.n_unique,
        separation=column.separation,
        largest_share=column.largest_share,
        role=suggestion.role,
        reason=suggestion.reason,
        examples=column.examples,
    )


def _notes(n_undecided: int, n_quasi: int, n_rows: int) -> tuple[str, ...]:
    """Notes on what was skipped to bound the work."""
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
