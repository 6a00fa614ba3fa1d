"""A policy that a table cannot satisfy: why, and what it would cost in rows and information loss."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from shoal import policies
from shoal.core.contracts import GroupModel
from shoal.core.number_texts import plain
from shoal.engine.policy import Followed, list_policies
from shoal.engine.vocabulary import ByPolicy, promises_from
from shoal.errors import ImpossibleGoal, ShoalError
from shoal.policies import Policy

Asked = TypeVar("Asked", bound=ByPolicy)


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

    Args:
        followed: the policy and the settings of the run.
        problem: why there is no release.
        price: the cost of a quick release with other settings, if one can be made; raises if there is none.
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
