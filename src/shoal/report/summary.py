"""All numbers of a report, collected once. Secret, except what ``public`` returns (see ``published``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from shoal.core.arrays import Floats
from shoal.core.contracts import Goal, Verdict
from shoal.core.release import ClaimVerdict, Release
from shoal.core.suppression_limit import Limit
from shoal.metrics import ALL as METRICS
from shoal.metrics.aecs import AECS
from shoal.report.as_it_is import AsItIs
from shoal.report.before_after import NamedGroup, Pair, pairs_of, worst_groups
from shoal.report.figures import cut
from shoal.report.published import Asked, PolicyFollowed, Promise, PublicSummary, describe, meaning
from shoal.report.risk import RecordRisk

if TYPE_CHECKING:
    from shoal.algorithms.relaxation import Floor
    from shoal.audit.findings import Audit
    from shoal.report.solutions import Solutions


@dataclass(frozen=True)
class RunFacts:
    """How the release was made, as reported by the engine. Deliberately has no field for a seed."""

    algorithm: str = ""
    reason: str = ""
    parameters: Mapping[str, object] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    identifiers: tuple[str, ...] = ()
    policy: PolicyFollowed | None = None

    def __post_init__(self) -> None:
        if "seed" in self.parameters:
            raise ValueError("A seed undoes the shuffle; it belongs in the private run record, not into a report.")


class Prepared(Protocol):
    """The preparation of a table, described without revealing the original."""

    @property
    def told(self) -> Mapping[str, tuple[str, ...]]:
        """What was done to each column."""

    @property
    def sampling(self) -> str:
        """How rows were sampled; empty if they were not."""

    @property
    def caveats(self) -> tuple[str, ...]:
        """The limits of the preparation."""


@dataclass(frozen=True)
class Checked:
    """A verdict with its worst groups by name."""

    promise: Promise
    wanted: float
    achieved: float
    n_groups: int
    n_failing: int
    reads: str
    worst: tuple[NamedGroup, ...]


@dataclass(frozen=True)
class Loss:
    """The value of one information-loss metric."""

    name: str
    score: float
    says: str


@dataclass(frozen=True)
class ColumnLoss:
    """The loss of one column: distinct values before, cells after, and its share of each cell metric."""

    column: str
    kind: str
    recoding: str
    n_values: int
    n_cells: int
    losses: dict[str, float]


@dataclass(frozen=True)
class Summary:
    """The content of the internal edition. Only ``published`` may be disclosed."""

    published: PublicSummary
    checked: tuple[Checked, ...]
    n_rows: int
    n_suppressed: int
    suppression_limit: Limit | None
    before: RecordRisk | None
    losses: tuple[Loss, ...]
    columns: tuple[ColumnLoss, ...]
    pairs: tuple[Pair, ...]
    run: RunFacts
    solutions: Solutions | None = None
    audit: Audit | None = None
    not_audited: str = ""
    floor: Floor | None = None
    claims: tuple[ClaimVerdict, ...] = ()

    def public(self) -> PublicSummary:
        """What may be disclosed: it was built from the published table and refers to nothing else."""
        return self.published

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, tuples, numbers and texts."""
        return asdict(self)


def summarize(
    release: Release,
    published: pl.DataFrame,
    verdicts: Sequence[Verdict],
    *,
    goal: Goal | None = None,
    run: RunFacts | None = None,
    scores: Mapping[str, float] | None = None,
    column_losses: Mapping[str, Sequence[float] | Floats] | None = None,
    compare: bool = True,
    solutions: Solutions | None = None,
    floor: Floor | None = None,
    claims: Sequence[ClaimVerdict] = (),
    audit: Audit | None = None,
    not_audited: str = "",
    prepared: Prepared | None = None,
    as_it_is: AsItIs | None = None,
) -> Summary:
    """Collect the numbers. O(rows · quasi-identifiers).

    Args:
        release: the release, with its table; ``Release.identity`` for a table that was only checked.
        published: the published table.
        verdicts: the verdicts of the privacy models.
        goal: the goal of the run, if known.
        run: how the release was made, if known.
        scores: each metric's name and score.
        column_losses: each cell metric's name and its ``by_column``.
        compare: False for a table that was only checked: there is no original to compare with.
        audit: the results of the attacks, if they were run.
        not_audited: why they were not run, otherwise.
        claims: verdicts on the algorithm's own guarantees.
        floor: a lower bound on the loss of any release, if it was computed.
        prepared: the preparation of the table.
        as_it_is: the columns without a recoding and the records they make unique, if counted before.
        solutions: the lattice that a full-domain release was chosen from, if it was explored.
    """
    run = run or RunFacts()
    table = release.table
    promises = _promises(verdicts, goal)
    seen = describe(
        published,
        [column.name for column in table.quasi],
        [column.name for column in table.sensitive],
        _asked(promises, goal, run, prepared),
        by_class=release.buckets is None,
        as_it_is=as_it_is,
    )
    if table.people is not None and release.buckets is None:
        seen = replace(seen, risk=RecordRisk.of_groups(table, release.classes))
    asked = () if goal is None or release.buckets is not None or seen.asked.class_size is not None else goal.promises
    if any("original" in promise.judged_by for promise in asked):  # it is about matches: records may look different
        chances = [promise.link_chance for promise in asked if promise.link_chance is not None]
        seen = replace(seen, risk=seen.risk.by_matches(chances))
    return Summary(
        published=seen,
        checked=tuple(_checked(release, v, p) for v, p in zip(verdicts, promises, strict=True)),
        n_rows=table.n_rows,
        n_suppressed=release.n_suppressed,
        suppression_limit=None if goal is None else goal.suppression_limit,
        before=RecordRisk.of_groups(table, table.distinct.groups) if compare else None,
        losses=_losses(scores or {}, seen.asked.class_size),
        columns=_columns(release, column_losses or {}),
        pairs=pairs_of(release) if compare else (),
        run=run,
        solutions=solutions,
        floor=floor,
        claims=tuple(claims),
        audit=audit,
        not_audited=not_audited,
    )


def _promises(verdicts: Sequence[Verdict], goal: Goal | None) -> tuple[Promise, ...]:
    meanings = {str(model): meaning(model) for model in goal.promises} if goal else {}
    return tuple(Promise(cut(v.title, 120), meanings.get(v.promise, ""), v.holds) for v in verdicts)


def _asked(promises: tuple[Promise, ...], goal: Goal | None, run: RunFacts, prepared: Prepared | None) -> Asked:
    sizes = [model.floor for model in goal.group_models if model.reads == "classes"] if goal else []
    return Asked(
        promises=promises,
        class_size=max(sizes, default=None),
        algorithm=run.algorithm,
        metric=goal.metric.name if goal else "",
        version=run.versions.get("shoal", ""),
        policy=run.policy.told if run.policy else "",
        prepared=() if prepared is None else _prepared(prepared),
        caveats=() if prepared is None else prepared.caveats,
    )


def _prepared(prepared: Prepared) -> tuple[tuple[str, str], ...]:
    rows = [(cut(name), " ".join(said)) for name, said in prepared.told.items()]
    return (*([("all rows", prepared.sampling)] if prepared.sampling else []), *rows)


def _checked(release: Release, verdict: Verdict, promise: Promise) -> Checked:
    return Checked(
        promise=promise,
        wanted=float(verdict.wanted),
        achieved=float(verdict.achieved),
        n_groups=verdict.n_groups,
        n_failing=verdict.n_failing,
        reads=verdict.reads,
        worst=worst_groups(release, verdict),
    )


def _losses(scores: Mapping[str, float], class_size: int | None) -> tuple[Loss, ...]:
    losses = [
        Loss(name, float(score), METRICS[name].summary if name in METRICS else "") for name, score in scores.items()
    ]
    if class_size and AECS.name in scores:
        losses.append(Loss("c_avg", scores[AECS.name] / class_size, f"average size of a class over {class_size:,}"))
    return tuple(losses)


def _columns(release: Release, losses: Mapping[str, Sequence[float] | Floats]) -> tuple[ColumnLoss, ...]:
    return tuple(
        ColumnLoss(
            column=cut(column.name),
            kind=column.domain.kind,
            recoding=column.recoding.name,
            n_values=int(column.domain.occurs.sum()),
            n_cells=cells.compact().n_distinct,
            losses={name: float(values[i]) for name, values in losses.items()},
        )
        for i, (column, cells) in enumerate(zip(release.table.quasi, release.cells, strict=True))
    )
