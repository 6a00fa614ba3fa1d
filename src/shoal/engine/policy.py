"""Policies by name: the settings of a run that names one, how they are reported, and what an unmet one would cost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from shoal import policies
from shoal.core.contracts import GroupModel
from shoal.core.number_texts import plain
from shoal.core.plugins import build
from shoal.engine.inspecting import completed, decided
from shoal.engine.vocabulary import AnonymizeWords, ByPolicy, Reading, promises_from
from shoal.engine.words import Where
from shoal.errors import ImpossibleGoal, InputError, ShoalError
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

    Settings that are not available on the backend (``where``) are left out and noted. Some policies depend on the
    columns of the table (``data``). Relative paths in a policy's options start at ``folder``.

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
    """Like ``follow``, for several tables that belong together; refuses a policy that depends on the columns of one."""
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
    here = {name: value for name, value in wanted.items() if name not in left_out}
    flags = {type(promise).flag for promise in words.promises}  # a model counts as given if its flag is
    more = promises_from({flag: value for flag, value in here.get("privacy", {}).items() if flag not in flags})
    asked = words.said({**here, **words.aloud(type(words)), "privacy": (*words.promises, *more)})
    notes = [f"{policy.name} also says {name} = {wanted[name]!r}, which is not available here." for name in left_out]
    return _followed(policy, asked, _changes(policy, asked, left_out), notes)


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
    seen = decided(data, words)
    meant, found = policy.words_for(seen.found, seen.frame), policy.notes_for(seen.found, seen.frame)
    reading = {name: value for name, value in seen.words.items() if name in Reading.model_fields}
    asked = completed(words, {**reading, **meant})
    recoded = {*asked.quasi_identifiers, *asked.sensitive}
    levels = asked.levels if not isinstance(asked.levels, Mapping) else {
        name: level for name, level in asked.levels.items() if name in asked.quasi_identifiers
    }  # fmt: skip
    trees = {name: tree for name, tree in asked.hierarchies.items() if name in recoded}
    asked = AnonymizeWords.said({**asked.of(AnonymizeWords), "levels": levels, "hierarchies": trees})
    kept = [f"{name} not dropped, as you set it" for name in meant["identifiers"] if name not in asked.identifiers]
    return _followed(policy, asked, [*_changes(policy, asked), *kept], [*found, *seen.told])


def _followed(policy: Policy, asked: Asked, changed: list[str], notes: list[str]) -> Followed[Asked]:
    followed = PolicyFollowed(
        policy.name, policy.summary, policy.dated, policy.source, policy.rationale, tuple(changed)
    )
    told = [f"Deviations from the policy {policy.name}: {'; '.join(changed)}."] if changed else []
    return Followed(asked, followed, (*told, *notes))


@dataclass(frozen=True)
class Cost:
    """The cost of satisfying some models: suppressed rows, and the loss of each table by the goal's metric."""

    n_suppressed: int
    n_rows: int
    metric: str
    losses: Mapping[str, float]

    @property
    def loss(self) -> str:
        """The loss, or that of each table if there are several."""
        if len(self.losses) == 1:
            return f"a loss of {plain(next(iter(self.losses.values())))} ({self.metric})"
        each = ", ".join(f"{plain(loss)} of {name}" for name, loss in self.losses.items())
        return f"losses of {each} ({self.metric})"


def cannot_be_met(followed: Followed[Asked], problem: ShoalError, price: Callable[[Asked], Cost] | None = None) -> str:
    """Why the policy cannot be met, what it would cost, and which policies require less, with the loss of each.

    ``price`` gives the cost of a quick release with other settings, if one can be made; it raises if there is none.
    """
    assert followed.policy is not None
    name, words = followed.policy.name, followed.words
    cost, less = _cost(words, problem, price), _less(policies.ALL[name](), words, price)
    told = f"The policy {name} ({followed.policy.summary}) cannot be met: {problem}"
    return " ".join(text for text in (told, cost, less) if text)


def _cost(words: Asked, problem: ShoalError, price: Callable[[Asked], Cost] | None) -> str:
    """The cost of meeting the policy by another algorithm, or by suppressing as many rows as necessary."""
    if isinstance(problem, ImpossibleGoal):
        return "No release of this table can meet it."
    if cost := _tried(words, price):
        return f"The default algorithm (auto) meets it, for {cost.loss}."
    cost = _tried(words.model_copy(update={"suppression_limit": 1.0}), price)
    if cost is None or cost.loss in str(problem):
        return ""
    return f"It can be met by leaving out {cost.n_suppressed:,} of {cost.n_rows:,} rows, for {cost.loss}."


def _less(policy: Policy, words: Asked, price: Callable[[Asked], Cost] | None) -> str:
    """The policies that require less, the strictest first; with costs, only those that can be met."""
    sizes = {name: _least(one) for name, one in list_policies().items()}
    weaker = sorted((name for name, k in sizes.items() if 1 < k < _least(policy)), key=sizes.__getitem__, reverse=True)
    if not weaker:
        return ""
    if price is None:
        return f"Policies that require less: {', '.join(f'{name} (k = {sizes[name]})' for name in weaker)}."
    costs = {name: _tried(_in_place_of(policy, policies.ALL[name](), words), price) for name in weaker}
    kept = [f"{name} (k = {sizes[name]}) for {cost.loss}" for name, cost in costs.items() if cost]
    if not kept:
        return "None of the policies that require less can be met either, with the other settings as they are."
    return f"Policies that require less and can be met: {', '.join(kept)}."


def _tried(words: Asked, price: Callable[[Asked], Cost] | None) -> Cost | None:
    try:
        return price(words) if price else None
    except ShoalError:
        return None


def _in_place_of(policy: Policy, other: Policy, words: Asked) -> Asked:
    """The settings with the models of another policy instead of this one's; additional models stay."""
    told = {type(promise) for promise in promises_from(policy.words()["privacy"])}
    besides = [promise for promise in words.promises if type(promise) not in told]
    return words.model_copy(update={"privacy": (*promises_from(other.words()["privacy"]), *besides)})


def _least(policy: Policy) -> int:
    """The class size that its privacy models require."""
    asked = promises_from(policy.words()["privacy"])
    return max((model.floor for model in asked if isinstance(model, GroupModel)), default=1)
