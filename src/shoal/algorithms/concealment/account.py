"""What a release of this family has to say beside its loss: how likely the likeliest link is."""

from __future__ import annotations

from shoal.core.linkage import ROUNDS, WORK, glimpsed
from shoal.core.release import Release


def account_of(release: Release, most: float) -> tuple[str, ...]:
    """The largest chance of a link, the rows above ``most``, and how sure that is."""
    found = glimpsed(release, WORK)
    above = found.rows_above(most)
    told = f"the likeliest link of a row and a record has a chance of {found.largest:.3g}; "
    told += f"{above:,} of {release.n_records:,} rows can be linked with more than {most:.3g}"
    n_estimated = found.rows_by_method.get("estimated", 0)
    if not n_estimated:
        return (told,)
    early = f" in {found.rounds} rounds instead of {ROUNDS:,}" if found.rounds < ROUNDS else ""
    return (f"{told} (estimated{early}, with a margin, for {n_estimated:,} rows; counted for all others)",)
