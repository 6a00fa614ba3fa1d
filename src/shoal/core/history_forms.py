"""Suppresses rows so that each form of a history, such as its number of rows, is shared by enough people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.core.arrays import Codes, Flags, Offsets
from shoal.core.histories import HistoryForms

Accepts = Callable[[Codes, Codes], bool]
"""Whether these people could be one group at the places of a form."""

_MOST_PARTNERS = 4_000
"""A form is compared with this many others before it joins one: those of the most people."""


@dataclass(frozen=True, eq=False)
class FormFit:
    """The forms that will be published, and the form of each person; −1 for people who are suppressed."""

    places: tuple[Codes, ...]
    of_person: Codes
    n_lost: int

    def people(self, form: int) -> Codes:
        """The people with a form."""
        return np.flatnonzero(self.of_person == form).astype(np.int32)


def fit_forms(forms: HistoryForms, floor: int, accepts: Accepts | None = None) -> FormFit:
    """Merge forms until at least ``floor`` people have each, by a greedy search for the fewest suppressed rows.

    If ``accepts`` is given, the people of a form must also be acceptable as one group. Two forms are merged into the
    places that both have, and rows at other places are suppressed; where it costs fewer rows, all people of a form are
    suppressed. Places that fewer than ``floor`` people have go first. Then, repeatedly, the form with the most places
    among those with too few people joins its cheapest partner. O(forms² · places).
    """
    has = _places_held(forms, floor)
    merging = _Merging(has, forms.counts)
    merging.run(floor)
    if accepts is not None:
        _join_unacceptable(merging, forms, floor, accepts)
    ends = merging.ends()
    published = [merging.has[end] for end in np.unique(ends[ends >= 0])]
    numbers = np.full(len(forms.places) + 1, -1, np.int32)
    numbers[np.unique(ends[ends >= 0])] = np.arange(len(published))
    places = tuple(np.flatnonzero(each).astype(np.int32) for each in published)
    return _counted(forms, places, numbers[ends])


def _join_unacceptable(merging: _Merging, forms: HistoryForms, floor: int, accepts: Accepts) -> None:
    """Merge or suppress forms whose people are not acceptable as one group."""
    known: set[tuple[int, int]] = set()
    while True:
        ends = merging.ends()[forms.of_person]
        new = [form for form in merging.alive() if (int(form), int(merging.counts[form])) not in known]
        if not new:
            return
        form = int(max(new, key=lambda each: merging.sizes[each]))
        people = np.flatnonzero(ends == form).astype(np.int32)
        if accepts(people, np.flatnonzero(merging.has[form]).astype(np.int32)):
            known.add((form, int(merging.counts[form])))
            continue
        merging.settle(form)
        merging.run(floor)


def _counted(forms: HistoryForms, places: Sequence[Codes], of_form: Codes) -> FormFit:
    before = np.array([each.size for each in forms.places], np.int64)
    after = np.array([*(each.size for each in places), 0], np.int64)[of_form]
    lost = int(((before - after) * forms.counts).sum())
    return FormFit(tuple(places), of_form[forms.of_person], lost)


def _places_held(forms: HistoryForms, floor: int) -> Flags:
    """``has[form, place]``, without places that too few people have."""
    n_places = 1 + max((int(each[-1]) for each in forms.places if each.size), default=0)
    people = np.zeros(n_places, np.int64)
    for each, count in zip(forms.places, forms.counts, strict=True):
        people[each] += count
    usual = people >= floor
    has = np.zeros((len(forms.places), int(np.flatnonzero(usual)[-1]) + 1 if usual.any() else 1), bool)
    for form, each in enumerate(forms.places):
        has[form, each[usual[each]]] = True
    return has


@dataclass(eq=False)
class _Merging:
    """The state of the merge: ``into[f]`` is the form that ``f`` joined, ``f`` itself if none, −1 if suppressed."""

    has: Flags
    counts: Offsets

    def __post_init__(self) -> None:
        self.into = np.arange(self.counts.size, dtype=np.int32)
        self.sizes = self.has.sum(axis=1).astype(np.int64)
        self._unite_equal()

    def alive(self) -> Codes:
        """The forms that have neither joined another nor been suppressed."""
        return np.flatnonzero(self.into == np.arange(self.into.size)).astype(np.int32)

    def run(self, floor: int) -> None:
        """Merge and suppress until no form has too few people."""
        while (small := self._small(floor)).size:
            self.settle(int(small[np.argmax(self.sizes[small])]))
        self._unite_equal()

    def _small(self, floor: int) -> Codes:
        alive = self.alive()
        return alive[self.counts[alive] < floor]

    def ends(self) -> Codes:
        """The form that each form ended up in; −1 if suppressed."""
        ends = np.append(self.into, -1).astype(np.int32)
        while (further := ends[ends]).tolist() != ends.tolist():
            ends = further
        return ends[:-1]

    def settle(self, form: int) -> None:
        """Join the partner that loses the fewest rows, or suppress the people if that loses no more."""
        alive = self.alive()
        partners = alive[np.argsort(-self.counts[alive], kind="stable")[:_MOST_PARTNERS]]
        partners = partners[partners != form]
        shared = (self.has[partners] & self.has[form]).sum(axis=1)
        lost = self.counts[form] * (self.sizes[form] - shared)
        lost += self.counts[partners] * (self.sizes[partners] - shared)
        best = int(np.argmin(lost)) if partners.size else -1
        if best < 0 or lost[best] >= self.counts[form] * self.sizes[form]:
            self.into[form] = -1
            return
        partner = partners[best]
        self.into[form] = partner
        self.has[partner] &= self.has[form]
        self.sizes[partner] = shared[best]
        self.counts[partner] += self.counts[form]

    def _unite_equal(self) -> None:
        """Merge forms that now have the same places; suppress those without any."""
        alive = self.alive()
        self.into[alive[self.sizes[alive] == 0]] = -1
        alive = alive[self.sizes[alive] > 0]
        if not alive.size:
            return
        _, firsts, numbers = np.unique(self.has[alive], axis=0, return_index=True, return_inverse=True)
        same = alive[firsts][numbers.ravel()]
        self.into[alive] = same
        self.counts = np.bincount(same, self.counts[alive], self.counts.size).astype(np.int64)
