"""Protect: the privacy models that must hold, what they may cost, and the runs that look for a release."""

from __future__ import annotations

from shoal.web.pages import promises, runs
from shoal.web.pages.parts import parts
from shoal.web.pages.view import View


async def build(view: View) -> None:
    """Privacy models and settings; runs."""
    await parts(view, {"models": ("Privacy models", promises.build), "runs": ("Runs", runs.build)})
