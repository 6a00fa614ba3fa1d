"""``shoal serve`` on a machine where nothing comes when it is expected: a program for tests of the workbench.

Every question to the desk, every drawing and everything that is clicked or typed waits a while that is drawn at random,
from ``SHOAL_HOSTILE``. Events still come in the order in which the browser sent them, as they always do.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from shoal.cli import main
from shoal.web.desk import DeskLine
from shoal.web.pages.view import View

LONGEST = 1.5
"""Seconds that something waits at most; one time in three it does not wait at all."""


def late(act: Callable[..., Awaitable[Any]], rng: Random) -> Callable[..., Awaitable[Any]]:
    """The same, some time later."""

    async def act_late(*arguments: Any, **named: Any) -> Any:
        await asyncio.sleep(max(0.0, rng.uniform(-LONGEST / 2, LONGEST)))
        return await act(*arguments, **named)

    return act_late


if __name__ == "__main__":
    rng = Random(os.environ["SHOAL_HOSTILE"])
    for where, name in ((View, "draw"), (View, "_do"), (DeskLine, "ask")):
        setattr(where, name, late(getattr(where, name), rng))
    sys.exit(main())
