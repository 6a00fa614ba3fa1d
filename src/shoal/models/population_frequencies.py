"""Keys of a weighted sample: their estimated population frequencies and the risk of their records."""

from __future__ import annotations

import numpy as np

from shoal.core.arrays import Codes, Floats, Offsets
from shoal.core.groups import Groups
from shoal.core.release import Release
from shoal.core.table import Table

_CLOSED = 2
"""Up to this many records per key the risk has a closed form."""

_FEW, _TERMS = 20, 60
"""From ``_FEW`` records on, ``_TERMS`` terms give full precision."""


def individual_risk(records: Offsets | Floats, people: Floats, *, is_exact: bool = True) -> Floats:
    """The risk of a record whose key has ``records`` in the sample and an estimated ``people`` in the population.

    According to Benedetti and Franconi, the population frequency of a key, given its sample frequency f, is negative
    binomial with p = f / F, and the risk is the mean of its reciprocal: p^f / f · ₂F₁(f, f; f + 1; 1 − p), computed as
    p / f · ₂F₁(1, 1; f + 1; 1 − p), which is equal and does not overflow. If F is at most f, the sample is the
    population and the risk is 1 / f. O(1) per key. If not ``is_exact``, keys of more than two records get the
    approximation p / (f − (1 − p)), which is never smaller.

    Reference: Benedetti and Franconi 1998, Statistical and Technological Solutions for Controlled Data Dissemination;
    Polettini 2003, Some Remarks on the Individual Risk Methodology (the closed forms for f = 1 and 2).
    """
    f = np.asarray(records, np.float64)
    p = np.minimum(1.0, f / people)
    odds = p / np.where(p < 1, 1 - p, 1.0)
    logs = -np.log(p)
    risks = np.where(f == 1, odds * logs, odds - odds**2 * logs)
    near = (f > _CLOSED) | (p > 0.99)  # the closed forms lose precision if p is near 1
    if not is_exact:
        risks[f > _CLOSED] = (p / (f - (1 - p)))[f > _CLOSED]
        near &= f <= _CLOSED
    risks[near] = p[near] / f[near] * _hypergeometric(f[near], 1 - p[near])
    return np.where(p < 1, risks, 1 / f)


def _hypergeometric(f: Floats, q: Floats) -> Floats:
    """₂F₁(1, 1; f + 1; q) = Σ n! / ((f + 1) … (f + n)) · qⁿ; for large f scipy's is infinite, and few terms suffice."""
    from scipy.special import hyp2f1  # type: ignore[import-untyped]

    is_small = f < _FEW
    found: Floats = np.ones(f.size)
    found[is_small] = hyp2f1(1.0, 1.0, f[is_small] + 1, q[is_small])
    large, rest = f[~is_small], q[~is_small]
    terms, sums = np.ones(large.size), np.ones(large.size)
    for n in range(_TERMS):
        terms *= (n + 1) / (large + 1 + n) * rest
        sums += terms
    found[~is_small] = sums
    return found


def weights_of(table: Table) -> Floats:
    """How many people of the population each row represents; 1 without sample weights."""
    return np.ones(table.n_rows) if table.sample_weights is None else table.sample_weights


def weights_published(release: Release) -> Floats:
    """The weights by which a release is judged, for each row of the table: scaled up if requested. O(rows).

    With ``Table.adjusts_weights``, those of the published rows sum to the total of all rows.
    """
    weights = weights_of(release.table)
    if not release.table.adjusts_weights or not release.n_records:
        return weights
    return np.asarray(weights * (weights.sum() / weights[release.owners].sum()))


def people_estimated(weights: Floats, groups: Groups) -> Floats:
    """The sum of the weights of each group's rows. O(members)."""
    ids = np.repeat(np.arange(len(groups)), groups.sizes)
    return np.bincount(ids, weights[groups.members], len(groups)).astype(np.float64)


def household_risk(risks: Floats, households: Codes) -> Floats:
    """For each record, the probability that a member of its household is found: 1 − the product of 1 − risk."""
    safe = np.log1p(-np.minimum(risks, 1 - 1e-16))
    sums = np.bincount(households, safe, int(households.max(initial=-1)) + 1)
    return -np.expm1(sums)[households]
