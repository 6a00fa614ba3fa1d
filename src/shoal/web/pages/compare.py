"""Compare: the release next to the original, its risk and utility, other candidates, and runs next to each other."""

from __future__ import annotations

from shoal.web.pages import algorithms, lattice, records, risk, run_comparison, utility
from shoal.web.pages.parts import parts
from shoal.web.pages.view import View


async def build(view: View) -> None:
    """Records, risk, utility, the lattice, runs, algorithms."""
    await parts(
        view,
        {
            "records": ("Records", records.build),
            "risk": ("Risk", risk.build),
            "utility": ("Utility", utility.build),
            "lattice": ("Lattice", lattice.build),
            "runs": ("Other runs", run_comparison.build),
            "algorithms": ("Algorithms", algorithms.build),
        },
    )
