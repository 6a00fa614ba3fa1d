"""Tests that share something costly, such as a Spark cluster, are run one after another by one worker.

``xdist_group`` says which they are, but pytest-xdist 3.8 hands groups on in a field of test items that pytest 9.2 does
not have, so each worker would start a cluster of its own. Here the group is found from where a test lies.
"""

from __future__ import annotations

from typing import Any

from xdist.scheduler import LoadScopeScheduling

GROUPS = {
    "backends/spark/": "spark",
    "guide_succeeds[spark]": "spark",
    "command_with_spark_succeeds": "spark",
    "spark_frame.py]": "spark",
    "test_wheel_with_code": "wheel",
    "databases/test_postgres": "postgres",
    "test_in_postgresql": "postgres",
}
"""What names of tests hold, and the group that these belong to."""


class GroupScheduling(LoadScopeScheduling):
    """Deals tests out one by one, and groups as a whole."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)


def group(nodeid: str) -> str:
    """The group of a test; one without is a group of its own."""
    return next((name for part, name in GROUPS.items() if part in nodeid), nodeid)


def scheduler(config: Any, log: Any) -> GroupScheduling | None:
    """How tests are dealt out with ``--dist loadgroup``."""
    return GroupScheduling(config, log) if config.option.dist == "loadgroup" else None
