"""The job file of a policy, to be read, changed and run."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal import policies
from shoal.core.contracts import GroupModel
from shoal.core.plugins import build
from shoal.engine.file_formats import JOB
from shoal.engine.inspecting import with_suggestions
from shoal.engine.policy import follow
from shoal.engine.source import load
from shoal.engine.vocabulary import AnonymizeWords
from shoal.errors import InputError
from shoal.io.place import place_at
from shoal.io.toml import to_toml
from shoal.policies import Policy


def policy_job(policy: str | Mapping[str, Any], data: str | Path | None = None) -> str:
    """The job file of a policy.

    Args:
        policy: its name, with options as in ``hipaa-safe-harbor:zip_population=zip3.csv``.
        data: a table; the job then has the roles and hierarchies of its columns, and runs as it is.

    Raises:
        InputError: there is no such policy, or the table rules it out.

    Example:
        >>> import shoal
        >>> shoal.policy_job("public-release").splitlines()[-1]
        'k = 12'
    """
    chosen = build("policy", policy, policies.ALL)
    if data is None:
        said = {"format": JOB.mark, "input": "table.csv", "output": "release.csv", "policy": policy, **chosen.words()}
        more = ["Its other settings depend on the columns; name a table to see them."] if chosen.needs_table else []
        return _commented(chosen, *more) + to_toml(said)
    place = place_at(data)
    if place.path is None:
        raise InputError("A policy's job is written for a file; give the path of a table.")
    asked = follow(AnonymizeWords.said({"policy": policy, "auto": True}), Path(), "memory", data).words
    if asked.auto:
        asked, _ = with_suggestions(asked, data)
    files = {"input": str(data), "output": f"{place.path.stem}_release.csv"}
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in asked.plain().items()}
    plain.pop("privacy", None)
    said = {"format": JOB.mark, **files, **plain, **chosen.words()}
    return _commented(chosen, _as_it_stands(asked, data)) + to_toml(said)


def _as_it_stands(asked: AnonymizeWords, data: str | Path) -> str:
    """How far the table is from the required class size: how many rows have to be generalized or suppressed."""
    sizes = [model.floor for model in asked.promises if isinstance(model, GroupModel) and model.reads == "classes"]
    least = max(sizes, default=1)
    frame = load(data, **asked.loading).frame
    counts = frame.group_by(asked.quasi_identifiers).len()["len"]
    few = int(counts.filter(counts < max(least, 2)).sum())
    alike = f"share their quasi-identifiers with fewer than {least - 1:,} others" if least > 2 else "stand alone"
    return f"As the table is, {few:,} of {frame.height:,} rows {alike}."


def _commented(policy: Policy, *more: str) -> str:
    told = [f"{policy.name}: {policy.summary}.", f"Source: {policy.source}.", policy.rationale]
    lines = [line for text in (*told, *more) for line in textwrap.wrap(text, 98)]
    return "".join(f"# {line}\n" for line in lines) + "\n"
