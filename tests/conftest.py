"""Settings for all tests: how hard hypothesis tries, and where the data sets are."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

# Several workers share the cores; models that wait for each other's threads on them would take minutes instead of one.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Deadlines are off because the first call of a kernel compiles it. "quick" draws the same few examples every time, so
# a failure is never a matter of luck; "thorough" looks for new ones, SHOAL_EXAMPLES of them for each test, as
# `make nightly` does: SHOAL_HYPOTHESIS=thorough SHOAL_EXAMPLES=100 pytest. Tests that need more or fewer than others
# say how many times as many (support/effort.py).
settings.register_profile(
    "quick",
    max_examples=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)
settings.register_profile(
    "thorough",
    max_examples=int(os.environ.get("SHOAL_EXAMPLES", "1000")),
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("SHOAL_HYPOTHESIS", "quick"))


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with ``datasets/`` and ``reference/``; tests that ask for it are skipped where there is none."""
    folder = os.environ.get("SHOAL_DATA")
    if not folder or not Path(folder, "datasets").is_dir():
        pytest.skip("set SHOAL_DATA to the folder that holds datasets/ and reference/ to run this test")
    return Path(folder)


@pytest.fixture
def trials_here() -> Iterator[None]:
    """Comparisons start no processes; ``tests/engine/test_comparing.py`` sees to it that they do otherwise."""
    from support.trials import trials_in_this_process

    with trials_in_this_process():
        yield


SERVERS = {"bench", "_server"}
"""Fixtures that start one: the workbench, PostgreSQL."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs a server is with the slow tests; what needs a browser is tried once more before it counts as failed.

    A browser, a server and the processes behind it keep no common time, so a test can come too early on a busy machine.
    The summary names every test that passed only at the second try: each is looked into.
    """
    for item in items:
        needs = {*getattr(item, "fixturenames", ())}
        if SERVERS & needs:
            item.add_marker(pytest.mark.slow)
        if "chromium" in needs and "SHOAL_HOSTILE" not in os.environ:
            item.add_marker(pytest.mark.flaky(reruns=1))


LAST = 2000
"""Characters that are shown of what went wrong where a second try went well."""

LEFT_OUT = {
    "slow": "make test-slow runs what takes longer: Spark, PostgreSQL, the workbench, whole data sets.",
    "nightly": "make nightly runs thousands of cases more.",
}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was not run, and how to run it."""
    for name, how in LEFT_OUT.items():
        if f"not {name}" in config.option.markexpr:
            terminalreporter.write_line(how)
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.write_line(f"Failed at the first try: {report.nodeid}")
        terminalreporter.write_line(str(report.longrepr)[-LAST:])
    if terminalreporter.stats.get("skipped"):
        terminalreporter.write_line("Skipped tests say above what they need; .ci/packages installs what Debian has.")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """One worker has the Spark cluster."""
    from support.grouping import scheduler

    return scheduler(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """With the kernels as plain Python, hashes that wrap around on purpose would warn."""
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered:RuntimeWarning")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Stop a test after SHOAL_CPU_SECONDS of processor time, so that measuring plain Python comes to an end."""
    limit = float(os.environ.get("SHOAL_CPU_SECONDS", "0"))
    if not limit:
        return (yield)

    def stop(number: int, frame: object) -> None:
        pytest.skip(f"stopped after {limit:g} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
