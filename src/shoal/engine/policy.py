"""Policies by name: the settings of a run that names one, and how they are reported."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from shoal import policies
from shoal.core.plugins import build
from shoal.engine.automatic_words import with_suggestions
from shoal.engine.inspecting import Examined
from shoal.engine.vocabulary import AnonymizeWords, ByPolicy, Reading, promises_from
from shoal.engine.words import Where
from shoal.errors import InputError
from shoal.policies import Policy
from shoal.report.published import PolicyFollowed

Asked = TypeVar("Asked", bound=ByPolicy)


@dataclass(frozen=True)
class Followed(Generic[Asked]):
    """The settings of a run including its policy, the policy if one was named, and notes."""

    words: Asked
    policy: PolicyFollowed | None = None
    notes: tuple[str, ...] = ()


def list_policies() -> dict[str, Policy]:
    """Every policy by name: its ``summary``, its date, its source, and its settings (``words()``).

    Example:
        >>> import shoal
        >>> shoal.list_policies()["public-release"].words()
        {'privacy': {'k': 12}}
    """
    return {name: policy() for name, policy in policies.ALL.items()}


def follow(words: AnonymizeWords, folder: Path, where: Where, data: Any = None) -> Followed[AnonymizeWords]:
    """Add the settings of the named policy that were not given explicitly.

    Args:
        words: the settings given.
        folder: where relative paths in the policy's options start.
        where: the backend; settings that are not available there are left out and noted.
        data: the table, for policies whose settings depend on its columns.

    Raises:
        InputError: there is no such policy, or the table rules it out.
    """
    if words.policy is None:
        return Followed(words)
    policy = build("policy", words.policy, policies.ALL).in_folder(folder)
    if policy.needs_table:
        return _by_columns(policy, words, data, where)
    return _by_words(policy, words, where)


def follow_for_tables(words: Asked, folder: Path) -> Followed[Asked]:
    """Like ``follow``, for several tables that belong together.

    Raises:
        InputError: there is no such policy, or it depends on the columns of one table.
    """
    if words.policy is None:
        return Followed(words)
    policy = build("policy", words.policy, policies.ALL).in_folder(folder)
    if policy.needs_table:
        raise InputError(
            f"The policy {policy.name!r} depends on the columns of a table; give each table the roles, hierarchies "
            f"and levels that shoal policy {policy.name} FILE prints."
        )
    return _by_words(policy, words, "memory")


def _by_words(policy: Policy, words: Asked, where: Where) -> Followed[Asked]:
    """Add the settings of the policy that are available here."""
    wanted, known = policy.words(), words.vocabulary()
    left_out = [name for name in wanted if name not in known or where not in known[name].where]
    asked = _said(words, {name: value for name, value in wanted.items() if name not in left_out})
    notes = [f"{policy.name} also says {name} = {wanted[name]!r}, which is not available here." for name in left_out]
    return _followed(policy, asked, _changes(policy, asked, left_out), notes)


def _said(words: Asked, wanted: Mapping[str, Any]) -> Asked:
    """The settings, completed by those of the policy; a privacy model counts as given if its flag is."""
    said = words.aloud(type(words))
    flags = {type(promise).flag for promise in words.promises}
    more = promises_from({flag: value for flag, value in wanted.get("privacy", {}).items() if flag not in flags})
    return words.said({**wanted, **said, "privacy": (*words.promises, *more)})


def _changes(policy: Policy, asked: ByPolicy, left_out: Collection[str] = ()) -> list[str]:
    """The settings that deviate from the policy, one clause each."""
    told = []
    for flag, value in policy.words().get("privacy", {}).items():
        (wanted,) = promises_from({flag: value})
        said = [promise for promise in asked.promises if type(promise) is type(wanted)]
        if wanted not in said:
            told.append(f"{' and '.join(map(str, said))} in place of {wanted}")
    for name, value in policy.words().items():
        if name != "privacy" and name not in left_out and getattr(asked, name) != value:
            told.append(f"{name} = {getattr(asked, name)!r} in place of {value!r}")
    return told


def _by_columns(policy: Policy, words: AnonymizeWords, data: Any, where: Where) -> Followed[AnonymizeWords]:
    """Follow a policy that depends on the columns, and so on all rows."""
    if where != "memory":
        raise InputError(
            f"The policy {policy.name!r} depends on all columns and needs them in memory; write a job file with "
            f"shoal policy {policy.name} on a sample of the rows, and run that."
        )
    found: list[str] = []
    meant: dict[str, Any] = {}

    def suggest(seen: Examined) -> dict[str, Any]:
        meant.update(policy.words_for(seen.found, seen.frame))
        found.extend(policy.notes_for(seen.found, seen.frame))
        reading = {name: value for name, value in seen.words.items() if name in Reading.model_fields}
        return {**reading, **meant}

    asked, advice = with_suggestions(words, data, suggest)
    recoded = {*asked.quasi_identifiers, *asked.sensitive}
    levels = asked.levels if not isinstance(asked.levels, Mapping) else {
        name: level for name, level in asked.levels.items() if name in asked.quasi_identifiers
    }  # fmt: skip
    trees = {name: tree for name, tree in asked.hierarchies.items() if name in recoded}
    asked = AnonymizeWords.said({**asked.of(AnonymizeWords), "levels": levels, "hierarchies": trees})
    kept = [f"{name} not dropped, as you set it" for name in meant["identifiers"] if name not in asked.identifiers]
    return _followed(policy, asked, [*_changes(policy, asked), *kept], [*found, *advice])


def _followed(policy: Policy, asked: Asked, changed: list[str], notes: list[str]) -> Followed[Asked]:
    followed = PolicyFollowed(
        policy.name, policy.summary, policy.dated, policy.source, policy.rationale, tuple(changed)
    )
    told = [f"Deviations from the policy {policy.name}: {'; '.join(changed)}."] if changed else []
    return Followed(asked, followed, (*told, *notes))
