"""Whether a goal can be met at all: no release protects a person better than one class of all rows."""

from __future__ import annotations

from shoal.core.contracts import Goal, GroupModel
from shoal.core.groups import Groups
from shoal.core.table import Table
from shoal.errors import GoalNotMet


def require_possible(table: Table, goal: Goal) -> None:
    """Raise GoalNotMet if not even one class of all rows satisfies the models, and say what that class would reach."""
    everybody = Groups.whole(table.n_rows)
    if goal.accepts(table, everybody).all():
        return
    for model in goal.group_models:
        if not (model.judges_cells or model.accepts(table, everybody).all()):
            reached = float(model.shown(model.measure(table, everybody))[0])
            raise GoalNotMet(
                f"{model} is more than this table can give: all rows in one class reach {reached:.4g}; ask for nothing "
                f"stricter than that.{_easier(model, len(table.sensitive))}"
            )
    raise impossible(goal, len(table.sensitive))


def impossible(goal: Goal, n_sensitive: int) -> GoalNotMet:
    """The error that all rows in one class violate some model, for when it is not known which."""
    promises = ", ".join(map(str, goal.promises))
    easier = dict.fromkeys(_easier(model, n_sensitive) for model in goal.group_models)
    return GoalNotMet(f"Not even all rows in one class keep these promises: {promises}; ask for less.{''.join(easier)}")


def _easier(model: GroupModel, n_sensitive: int) -> str:
    how = model.easier(n_sensitive)
    return how and f" {how}"
