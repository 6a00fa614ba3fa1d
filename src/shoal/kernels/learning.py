"""Learn across groups which values go with which codes, when only the values in each group are known."""

from __future__ import annotations

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


@kernel
def expect(
    members_at: Array,
    members: Array,
    people: Array,
    codes: Array,
    code_at: Array,
    logs: Array,
    offsets: Array,
    values: Array,
    shares: Array,
    rounds: int,
    sums: Array,
    best: Array,
    sure: Array,
) -> None:
    """Run one round: estimate each value's probability for each member of each group, then learn from the estimates.

    Group ``g`` has the types ``members[members_at[g]] …`` and the values ``values[offsets[g]] …`` in the given shares,
    which stay fixed. ``logs[code_at[j] + code, value]`` is the log likelihood of a code; ``sums``, of the same shape,
    collects the new counts; ``best`` and ``sure`` get the likeliest value of each type and its probability.
    O(members · values · (columns + rounds)).
    """  # fmt: skip
    n_columns = codes.shape[0]
    for g in range(offsets.size - 1):
        first, last = members_at[g], members_at[g + 1]
        a, b = offsets[g], offsets[g + 1]
        if first == last or a == b:
            continue
        chances = np.empty((last - first, b - a))
        total = 0.0
        for i in range(last - first):
            r = members[first + i]
            total += people[r]
            top = -np.inf
            for v in range(b - a):
                chances[i, v] = np.log(shares[a + v])
                for j in range(n_columns):
                    chances[i, v] += logs[code_at[j] + codes[j, r], values[a + v]]
                top = max(top, chances[i, v])
            for v in range(b - a):
                chances[i, v] = np.exp(max(chances[i, v] - top, -60.0))
        for turn in range(rounds if last - first > 1 else 1):
            for i in range(last - first):
                found = 0.0
                for v in range(b - a):
                    found += chances[i, v]
                for v in range(b - a):
                    chances[i, v] /= found
            if turn + 1 < rounds and last - first > 1:
                for v in range(b - a):
                    found = 0.0
                    for i in range(last - first):
                        found += people[members[first + i]] * chances[i, v]
                    for i in range(last - first):
                        chances[i, v] *= shares[a + v] * total / found
        for i in range(last - first):
            r = members[first + i]
            sure[r] = 0.0
            for v in range(b - a):
                if chances[i, v] > sure[r]:
                    sure[r], best[r] = chances[i, v], values[a + v]
                for j in range(n_columns):
                    sums[code_at[j] + codes[j, r], values[a + v]] += people[r] * chances[i, v]
