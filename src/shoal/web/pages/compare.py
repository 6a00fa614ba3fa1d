"""Compare: the release beside the original, its risk and its usefulness, and other releases beside it."""

from __future__ import annotations

from shoal.web.pages import explore, risk, utility
from shoal.web.pages.parts import parts
from shoal.web.pages.view import View


async def build(view: View) -> None:
    """Usefulness, risk, and the lattice."""
    await parts(
        view,
        {
            "utility": ("Utility", utility.build),
            "risk": ("Risk", risk.build),
            "lattice": ("Lattice", explore.build),
        },
    )
