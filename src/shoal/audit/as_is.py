"""Published unchanged: columns without a recoding, names in texts, dates in cells, and what they reveal."""

from __future__ import annotations

from typing import ClassVar

from shoal.audit.adversary_view import Scene
from shoal.audit.contract import Attack, Outcome, Risk
from shoal.audit.knowledge import Others
from shoal.audit.number_wording import counted, have, listed
from shoal.audit.scorer import Referee

_MOST = 5


class AsIs(Attack):
    """Find the people whom the columns without a recoding single out, alone or with the quasi-identifiers, or name.

    It counts records that no other record equals on the printed quasi-identifiers and all such columns together, except
    those already unique by their quasi-identifiers (linking covers these), unless the columns alone single them out
    too. Sensitive columns are excluded: the other attacks assume that nobody knows them. In addition, the texts of
    every column are searched for anything that names a person (see ``shoal.io.published_as_is``). The rate is the share
    of records singled out, or named by the most frequent finding; the baseline is that of the quasi-identifiers alone,
    or the rate if that is lower. Quasi-identifiers whose cells print exact dates expose nobody by themselves, but an
    adversary who knows a date finds the few cells that have it.

    Stopped by: making these columns quasi-identifiers, or dropping them.

    Cost: O(records · columns).

    Reference: our own; Article 29 Working Party 2014, Opinion 05/2014 on Anonymisation Techniques, calls it singling
    out.
    """

    name: ClassVar[str] = "as-is"
    story: ClassVar[str] = (
        "An adversary also knows a person's value in a column that is published unchanged, or reads in a text whom it "
        "is about."
    )
    remedy: ClassVar[str] = (
        "Make these columns quasi-identifiers, or drop them as identifiers; drop free text; publish only the years of "
        "dates."
    )

    def lacks(self, scene: Scene) -> str:
        """Requires columns besides the quasi-identifiers."""
        return "" if scene.others is not None else "It needs columns that are published unchanged."

    def run(self, scene: Scene, referee: Referee) -> list[Risk]:
        """Count the people singled out by these columns, and report what was found in them."""
        others = scene.others
        assert others is not None
        n = max(1, others.n_records)
        figures: dict[str, float] = {
            "records singled out": others.n_exposed,
            "records that quasi-identifiers single out": others.n_alone,
            "fewest records alike": others.fewest_alike,
            "columns that name people": len({found.column for found in others.named}),
        }
        rate = max([others.n_exposed, *(found.n_records for found in others.named)]) / n
        outcome, says = _outcome(others, scene.k), _says(others, scene)
        baseline = min(rate, others.n_alone / n)
        return [Risk(self.name, outcome, says, rate, baseline, figures=figures, columns=_telling(others))]


def _telling(others: Others) -> tuple[str, ...]:
    """The columns that name or single out somebody; in the worst case only all of them together do."""
    alone = [name for name, n in others.by_column.items() if n] or ([*others.columns] if others.n_exposed else [])
    return tuple(dict.fromkeys([*alone, *(found.column for found in others.named)]))


def _outcome(others: Others, k: int | None) -> Outcome:
    if others.n_exposed or others.named:
        return "falls"
    is_split = bool(others.columns) and others.fewest_alike < min(k or 1, others.fewest_before)
    return "weak" if others.exact_dates or is_split else "stopped"


def _says(others: Others, scene: Scene) -> str:
    said = [f"{one.column!r} holds {one.what} in {counted(one.n_records, 'record')}." for one in others.named[:_MOST]]
    said += [f"And {len(others.named) - _MOST:,} more such findings."] if len(others.named) > _MOST else []
    said += [
        f"{share:.0%} of the cells of {name!r} print exact dates, which an adversary can look up."
        for name, share in others.exact_dates.items()
    ]
    if not others.columns:
        said.append("No column except the quasi-identifiers and the sensitive ones is published unchanged.")
        return " ".join(said)
    adversary = f"An adversary who knows {listed([*others.columns])} as well as {listed(scene.names)}"
    if others.n_exposed:
        alone = f" ({_worst(others)})" if any(others.by_column.values()) else ""
        said.append(f"{adversary} singles out {others.n_exposed:,} of {counted(others.n_records, 'record')}{alone}.")
    else:
        alike = counted(others.fewest_alike, "record")
        said.append(f"{adversary} singles out nobody else: at least {alike} stay alike.")
    return " ".join(said)


def _worst(others: Others) -> str:
    """The column that singles out the most records by itself."""
    name = max(others.by_column, key=lambda column: others.by_column[column])
    n = others.by_column[name]
    return f"{n:,} of them {have(n)} a {name} that no other record has"
