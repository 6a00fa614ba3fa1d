"""Concealment: rows hide among records, and records among rows, without looking alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import ClassVar

from shoal.algorithms.concealment.bicycles import concealed
from shoal.algorithms.concealment.component_merging import welded
from shoal.algorithms.concealment.concealed_blocks import BLOCK, in_blocks, shared_in_blocks
from shoal.algorithms.concealment.diversity import diversified, softened
from shoal.algorithms.concealment.draft_release import Draft
from shoal.algorithms.concealment.dropping import refuse_dropping, without_some
from shoal.algorithms.concealment.expansion import EXPANSIONS, Expansion, check_q, expanded, randomized, singles
from shoal.algorithms.concealment.match_repair import Order, repaired, visiting_order
from shoal.algorithms.concealment.optimal import can_be_optimal
from shoal.algorithms.concealment.requirements import (
    Needs,
    account_of,
    refuse_bound_in_blocks,
    refuse_chance_in_bound,
    refuse_classes,
)
from shoal.algorithms.concealment.row_tree import RowTree
from shoal.algorithms.concealment.shared_cells import shared
from shoal.algorithms.concealment.shrinking import joined, kept, settled, shrunk
from shoal.core.arrays import Whole
from shoal.core.claims import Promised
from shoal.core.contracts import Algorithm, Goal, inner_algorithm
from shoal.core.goal_feasibility import require_possible
from shoal.core.groups import Groups
from shoal.core.parameters import real_number, whole_number
from shoal.core.progress import Progress, Silent
from shoal.core.randomness import Randomness
from shoal.core.release import Claim, Release
from shoal.core.table import Table
from shoal.errors import BrokenPromise, InputError, did_you_mean
from shoal.kernels.compiled import working_time
from shoal.models.beta_likeness import BetaLikeness
from shoal.models.delta_disclosure import DeltaDisclosure
from shoal.models.k_anonymity import KAnonymity
from shoal.models.k_concealment import KConcealment
from shoal.models.k_one import KOne
from shoal.models.kk import KK
from shoal.models.l_diversity import LDiversity
from shoal.models.linkage_bound import LinkageBound
from shoal.models.one_k import OneK
from shoal.models.t_closeness import TCloseness

_FOR_GROUPS, _FOR_SETTLING = 0.6, 0.2
"""The shares of the budget for the initial groups, and at most for shrinking them."""

_WORK = 2_000_000
"""Work on one roll-up per second of the budget, so that all roll-ups take about a third of it."""

_PACE = 40_000
"""Cells per second of the steps without a bound, which cannot be interrupted."""


@dataclass(frozen=True)
class Concealment(Algorithm):
    """(1,k)-, (k,1)-, (k,k)-anonymity and k-concealment, with a bound on the chance of any link.

    *With the bound* (``linkage``; 0, the default, means 2 / k, or 2 / 3 if k = 2): the best groups of k equal
    records found in ``budget`` seconds, then a pass that narrows cells while rows and records keep their matches and no
    match becomes likelier than the bound. The result never loses more than the groups. A second method is tried, and
    used if it loses less. If every column is a hierarchy: cells that cover k rows but are shared by no more records
    than the bound requires. With promises about sensitive values: the pipeline of the paper, and more matches for
    people who can be linked with too high a chance. Only results that keep the bound are used.

    *Without* (``linkage=1``): the pipeline of the paper. Cells are expanded around each row until they cover k rows
    (``expansion``: the cheapest, by roll-up, or greedy), optionally randomized among the ``q`` nearest rows (0: 2(k −
    1)); rows that fit too few records are added to more, the most expensive first; rows with too few matches get more
    by cycles of two, the cheapest first; then cells are narrowed (``shrink``) and match sets made diverse.
    ``randomized`` also visits rows in random orders. It loses less, but some of its rows can be linked almost
    certainly: see the page on concealment before publishing such a release. Tables of more than ``block`` rows are
    processed in blocks of similar rows; with the bound, rows of groups share cells in blocks, if every column is a
    hierarchy and nothing is promised about sensitive values.

    ``drop`` leaves out that share of the rows, drawn at random, within the suppression limit: then nobody knows exactly
    who is in the release (section 5.1). Promises and bound hold even against an adversary who does.

    The budget covers everything except the final checks; whatever is unfinished by then is left as it was. ``steps``
    above 0 replaces the clock by a number of steps in the search for groups, so that a seed gives the same release on
    every machine. ``groups`` names the algorithm that makes the groups: any that takes a budget and steps.

    Differs from the paper: the exact expansion, the orders, the narrowing of cells, the bound, and k matches for
    records as well.

    Cost: with the bound, ``budget`` seconds and the final checks; without it, about n^1.6 time in practice.

    Reference: Tassa, Mazza and Gionis 2012, k-Concealment: An Alternative Model of k-Type Anonymity (Algorithms 2 to
    7).

    >>> import polars as pl
    >>> import shoal
    >>> table = pl.DataFrame({"zip": ["02139", "02138", "02142", "02141"], "age": [23, 25, 61, 67]})
    >>> words = {"quasi_identifiers": ["zip", "age"], "hierarchies": {"zip": "mask"}, "privacy": shoal.KConcealment(2)}
    >>> release = shoal.anonymize(table, algorithm=shoal.Concealment(), **words)
    >>> print(release.verdicts[0])
    2-concealment holds: achieved 2
    """

    linkage: float = 0.0
    expansion: Expansion = "auto"
    randomized: bool = False
    q: int = 0
    shrink: bool = True
    budget: float = 60.0
    steps: int = 0
    block: int = BLOCK
    groups: str = "clustering"
    drop: float = 0.0

    name: ClassVar[str] = "concealment"
    summary: ClassVar[str] = "rows hide among records that may look different, no link likelier than 2/k (see page)"
    serves = (OneK, KOne, KK, KConcealment, LinkageBound, LDiversity, TCloseness, BetaLikeness, DeltaDisclosure)

    matches_are_fits: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "linkage", real_number("linkage", self.linkage, least=0, most=1))
        object.__setattr__(self, "q", whole_number("q", self.q, least=0))
        object.__setattr__(self, "budget", real_number("budget", self.budget, least=0))
        object.__setattr__(self, "steps", whole_number("steps", self.steps, least=0))
        object.__setattr__(self, "block", whole_number("block", self.block, least=1))
        object.__setattr__(self, "drop", real_number("drop", self.drop, least=0, most=1))
        if self.expansion not in EXPANSIONS:
            raise InputError(f"There is no expansion {self.expansion!r}.{did_you_mean(self.expansion, EXPANSIONS)}")

    def refuse(self, table: Table, goal: Goal) -> None:
        """Refuse promises about identical records, randomization under a bound, and a q that leaves no choice."""
        refuse_classes(self.name, goal)
        super().refuse(table, goal)
        refuse_dropping(table, goal, self.drop)
        if self.randomized:
            needs = Needs.of(goal, self.linkage)
            refuse_chance_in_bound(self.name, needs.linkage)
            check_q(self.q, needs.k, table.n_rows)

    def refuse_blocks(self, goal: Goal) -> None:
        """Refuse the bound: a union of blocks does not keep it, and checking that takes as long as the whole run."""
        needs = Needs.of(goal, self.linkage)
        if needs.is_bounded:
            refuse_bound_in_blocks(self.name, needs.linkage)

    def claims(self, table: Table, goal: Goal) -> tuple[Claim, ...]:
        """The bound on chances, if it goes beyond the promises."""
        bound = LinkageBound(Needs.of(goal, self.linkage).linkage)
        own = (Promised(bound),) if bound.p < 1 and bound not in goal.promises else ()
        return (*super().claims(table, goal), *own)

    def run(self, table: Table, goal: Goal, randomness: Randomness, progress: Progress) -> Release:
        """Make the release from the first draft that keeps everything, including the bound."""
        self.refuse(table, goal)
        if self.drop:
            whole = replace(self, drop=0.0)
            make = partial(whole.run, goal=goal, randomness=randomness, progress=progress)
            return without_some(table, self.drop, randomness.child("drop"), make)
        for promise in goal.promises:
            promise.refuse(table)
        require_possible(table, goal)
        needs, field = Needs.of(goal, self.linkage), RowTree.of(table, goal.metric)
        drafts = self._bounded if needs.is_bounded else self._free
        for draft in drafts(field, goal, needs, randomness, progress):
            release = draft.release()
            if kept(release, goal, needs):
                return replace(release, account=account_of(release, needs.told_chance))
        raise BrokenPromise("Not even one class of all rows keeps what it should; this is a bug in shoal.")

    def _bounded(
        self, field: RowTree, goal: Goal, needs: Needs, randomness: Randomness, progress: Progress
    ) -> Iterator[Draft]:
        """Groups, narrowed; or cells shared by fewer records, or further matches: what loses least comes first.

        For tables that are too large for that, cells are shared in blocks. A union of blocks does not keep a bound in
        general, but it does if classes of equal records keep it: see ``shared_in_blocks``.
        """
        until = inf if self.steps else working_time() + self.budget
        start = self._grouped(field, goal, needs, randomness, progress)
        if self.shrink and field.n_rows <= self.block:
            reserved = (1 - _FOR_GROUPS - _FOR_SETTLING) * self.budget
            done = settled(start, needs, goal, progress, until - reserved)
            if goal.group_models:
                other = self._softened(field, goal, needs, done.loss, randomness.child("soften"), progress, until)
            else:
                other = self._shared(field, needs, progress, until)
            yield from sorted((d for d in (done, other) if d is not None), key=lambda draft: draft.loss)
        else:
            other = self._shared_in_blocks(start, goal, needs, progress, until)
            yield from [other] if other is not None and other.loss < start.loss else []
        yield start
        yield joined(start, goal)

    def _free(
        self, field: RowTree, goal: Goal, needs: Needs, randomness: Randomness, progress: Progress
    ) -> Iterator[Draft]:
        """The paper's steps; if these do not keep all promises together, groups."""
        yield self._unbounded(field, goal, needs, randomness, progress)
        groups = self._grouped(field, goal, needs, randomness, progress)
        yield groups
        yield joined(groups, goal)

    def _softened(
        self,
        field: RowTree,
        goal: Goal,
        needs: Needs,
        most: float,
        randomness: Randomness,
        progress: Progress,
        until: float,
    ) -> Draft | None:
        """The steps without a bound, then more matches for rows that can be linked too surely; None if time is up."""
        if working_time() + field.table.codes.size / _PACE > until:
            return None
        steps, free = replace(self, expansion="auto"), replace(needs, linkage=1.0)
        start = steps._unbounded(field, goal, free, randomness, progress, until)
        order = self._order(start, "costliest", randomness.child("order"))
        return softened(start, needs, goal, order, most, progress, until)

    def _shared(self, field: RowTree, needs: Needs, progress: Progress, until: float) -> Draft | None:
        """Cells shared by as many records as the bound requires, if fewer than k; None if impossible or out of time."""
        if needs.users >= needs.k or needs.k > field.n_rows:
            return None
        shares = shared(field, needs.box_size, needs.users, int(self.budget * _WORK), progress, until)
        return None if shares is None else welded(shares, needs, until)

    def _shared_in_blocks(
        self, start: Draft, goal: Goal, needs: Needs, progress: Progress, until: float
    ) -> Draft | None:
        """Groups whose rows take cells with fewer users, block by block; then matches for the whole table.

        None unless all columns are hierarchies, and no promise is about values.
        """
        if not self.shrink or goal.group_models or needs.users >= needs.k or not can_be_optimal(start.field):
            return None
        work, most = int(self.budget * _WORK), max(1, self.block // 4)
        shares = shared_in_blocks(start, needs.box_size, needs.users, work, most, progress, until)
        return welded(shares, needs, until)

    def _grouped(self, field: RowTree, goal: Goal, needs: Needs, randomness: Randomness, progress: Progress) -> Draft:
        """Groups of rows that keep all requirements as classes of equal records."""
        if needs.group_size >= field.n_rows:
            return Draft.of_groups(field, Groups.whole(field.n_rows))
        said = {"name": self.groups, "budget": self.budget * _FOR_GROUPS, "steps": self.steps}
        wanted = Goal((KAnonymity(needs.group_size), *goal.group_models), goal.metric)
        release = inner_algorithm(said).run(field.table, wanted, randomness.child("groups"), progress)
        return Draft.of_groups(field, release.classes)

    def _unbounded(
        self,
        field: RowTree,
        goal: Goal,
        needs: Needs,
        randomness: Randomness,
        progress: Progress,
        until: float = inf,
    ) -> Draft:
        """The paper's steps in each block, then diverse match sets for the whole table."""
        one = field.n_rows <= self.block

        def make(block: RowTree, number: int) -> Draft:
            chance = randomness if one else randomness.child(f"block {number}")
            return self._concealed(block, needs, chance, progress if one else Silent())

        draft = in_blocks(field, make, self.block, needs.k, progress)
        order = self._order(draft, "costliest", randomness.child("diversify"))
        return diversified(draft, goal, order, progress, until)

    def _concealed(self, field: RowTree, needs: Needs, randomness: Randomness, progress: Progress) -> Draft:
        """The paper's steps, each if a promise requires it, and the shrinking pass."""
        draft = self._expanded(field, needs, randomness, progress)
        k_rows = max(needs.row_fits, needs.row_matches)
        if k_rows > 1:
            draft = repaired(draft, k_rows, self._order(draft, "costliest", randomness.child("repair")))
        if needs.wants_matches:
            order = self._order(draft, "cheapest", randomness.child("conceal"))
            draft = concealed(draft, needs.row_matches, needs.record_matches, order, progress)
        return shrunk(draft, needs, progress) if self.shrink else draft

    def _expanded(self, field: RowTree, needs: Needs, randomness: Randomness, progress: Progress) -> Draft:
        """Records that hold enough rows."""
        k = needs.box_size
        if k == 1:
            return singles(field)
        draft = expanded(field, k, self.expansion, progress)
        return randomized(draft, k, self.q, randomness.child("expand"), progress) if self.randomized else draft

    def _order(self, draft: Draft, order: Order, randomness: Randomness) -> Whole:
        return visiting_order(draft, "random" if self.randomized else order, randomness)
