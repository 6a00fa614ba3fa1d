"""Policies by name: what a run that names one says, and how it is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal import policies
from shoal.core.contracts import GroupModel
from shoal.core.plugins import build
from shoal.engine.automatic_words import with_suggestions
from shoal.engine.inspecting import Examined
from shoal.engine.vocabulary import AnonymizeWords, Reading, promises_from
from shoal.engine.words import Where
from shoal.errors import InputError, ShoalError
from shoal.policies import Policy
from shoal.report.published import PolicyFollowed

_ROLES = ("identifiers", "quasi_identifiers", "sensitive", "others")


@dataclass(frozen=True)
class Followed:
    """What a run says once its policy is counted in, the policy where one was named, and what it found."""

    words: AnonymizeWords
    policy: PolicyFollowed | None = None
    notes: tuple[str, ...] = ()


def list_policies() -> dict[str, Policy]:
    """Every policy by name: what it asks for (``summary``), its date, its source, and its words (``words()``)."""
    return {name: policy() for name, policy in policies.ALL.items()}


def follow(words: AnonymizeWords, folder: Path, where: Where, data: Any = None) -> Followed:
    """Say what the named policy says and nobody said otherwise.

    Args:
        words: what was said.
        folder: where relative paths in the policy's options start.
        where: on which backend; words that mean nothing there are left out, and that is noted.
        data: the table, for policies whose words depend on its columns.

    Raises:
        InputError: there is no such policy, or something in the table stands against it.
    """
    if words.policy is None:
        return Followed(words)
    policy = build("policy", words.policy, policies.ALL).in_folder(folder)
    if policy.needs_table:
        return _by_columns(policy, words, data, where)
    wanted, known = policy.words(), AnonymizeWords.vocabulary()
    left_out = [name for name in wanted if where not in known[name].where]
    asked = _said(words, {name: value for name, value in wanted.items() if name not in left_out})
    notes = [f"{policy.name} also says {name} = {wanted[name]!r}, which cannot be had here." for name in left_out]
    return _followed(policy, asked, _changes(policy, asked), notes)


def _said(words: AnonymizeWords, wanted: Mapping[str, Any]) -> AnonymizeWords:
    """The words, with those of the policy where nothing else was said; a privacy model is said by its flag."""
    said = {name: getattr(words, name) for name in AnonymizeWords.model_fields}
    fields = AnonymizeWords.model_fields
    added = {name: value for name, value in wanted.items() if said[name] == fields[name].default}
    flags = {type(promise).flag for promise in words.promises}
    more = promises_from({flag: value for flag, value in wanted.get("privacy", {}).items() if flag not in flags})
    return AnonymizeWords.said({**said, **added, "privacy": (*words.promises, *more)})


def _changes(policy: Policy, asked: AnonymizeWords) -> list[str]:
    """What was said otherwise than the policy does, in a clause each."""
    told = []
    for flag, value in policy.words().get("privacy", {}).items():
        (wanted,) = promises_from({flag: value})
        said = [promise for promise in asked.promises if type(promise) is type(wanted)]
        if wanted not in said:
            told.append(f"{' and '.join(map(str, said))} in place of {wanted}")
    for name, value in policy.words().items():
        if name != "privacy" and getattr(asked, name) != value:
            told.append(f"{name} = {getattr(asked, name)!r} in place of {value!r}")
    return told


def _by_columns(policy: Policy, words: AnonymizeWords, data: Any, where: Where) -> Followed:
    """The same for a policy that looks at the columns, and so at all rows."""
    if where != "memory":
        raise InputError(
            f"The policy {policy.name!r} looks at every column; write its job with shoal policy {policy.name} on a "
            "sample of the rows, and run that."
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
    kept = [f"{name} published as was said" for name in meant["identifiers"] if name not in asked.identifiers]
    return _followed(policy, asked, [*_changes(policy, asked), *kept], [*found, *advice])


def _followed(policy: Policy, asked: AnonymizeWords, changed: list[str], notes: list[str]) -> Followed:
    followed = PolicyFollowed(
        policy.name, policy.summary, policy.dated, policy.source, policy.rationale, tuple(changed)
    )
    told = [f"Not as the policy {policy.name} has it: {'; '.join(changed)}."] if changed else []
    return Followed(asked, followed, (*told, *notes))


def cannot_be_met(policy: PolicyFollowed, problem: ShoalError) -> str:
    """What stands against a policy, what it would cost, and which ones ask for less."""
    asked = _least(policies.ALL[policy.name]())
    weaker = [f"{name} (k = {k})" for name, one in list_policies().items() if 1 < (k := _least(one)) < asked]
    less = f" Policies that ask for less: {', '.join(weaker)}." if weaker else ""
    return f"The policy {policy.name} ({policy.summary}) cannot be met: {problem}{less}"


def _least(policy: Policy) -> int:
    """The class size that its privacy models ask for."""
    asked = promises_from(policy.words()["privacy"])
    return max((model.floor for model in asked if isinstance(model, GroupModel)), default=1)
