"""A wheel with machine code: built, installed in an environment of its own, and run there without compiling."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from shoal.io.example import ROLES, people
from shoal.kernels.bundled_code import runs_baseline
from support.clean_environment import install, run

ROOT = Path(__file__).parent.parent

BASELINE = pytest.mark.skipif(not runs_baseline(), reason="this processor does not run code for the baseline")

pytestmark = [pytest.mark.xdist_group("wheel"), pytest.mark.slow, BASELINE]

COUNTED = (
    "import sys\nfrom shoal.kernels.compiled import when_compiling\nfrom shoal.cli import main\n"
    "sys.argv[0] = 'shoal'\n"
    "with when_compiling(lambda: print('compiled')):\n    main()\n"
)


OPTIONS = ("identifiers", "quasi", "sensitive")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="hatchling is not installed: pip install hatchling")
    to = tmp_path_factory.mktemp("dist")
    run(sys.executable, str(ROOT / "packaging/wheel_with_code.py"), str(to), cwd=to, NUMBA_DISABLE_JIT="0")
    return next(to.glob("*.whl"))


@pytest.fixture(scope="module")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(wheel, tmp_path_factory.mktemp("clean") / "env")


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    people(2_000).write_csv(tmp_path / "people.csv")
    return tmp_path


def _said(python: Path, rows: Path, *promises: str, **settings: str) -> str:
    """What a default run prints with an empty folder for machine code; its words go to the error stream."""
    roles = [f"--{name}={','.join(ROLES[word])}" for name, word in zip(OPTIONS, ROLES, strict=True)]
    command = ["anonymize", "people.csv", *roles, *promises, "-o", "release.csv", "--quiet"]
    return run(
        str(python), "-c", COUNTED, *command, cwd=rows, NUMBA_CACHE_DIR=str(rows / "kept"), NUMBA_DISABLE_JIT="0",
        **settings,
    )  # fmt: skip


def test_the_wheel_says_for_which_python_and_platform_it_is(wheel: Path) -> None:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{python}-{python}-" in wheel.name
    assert not wheel.name.endswith("-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        code = [name for name in archive.namelist() if name.startswith("shoal/kernels/bundled/")]
        told = archive.read(next(name for name in archive.namelist() if name.endswith("/WHEEL"))).decode()
        size = sum(archive.getinfo(name).file_size for name in code)
    assert "Root-Is-Purelib: false" in told
    assert any("clustering_search.search" in name for name in code)
    assert size < 4 * 2**20


@pytest.mark.parametrize("promises", [("--k", "5"), ("--k", "5", "--l", "2")])
def test_a_first_default_run_compiles_nothing(clean: Path, rows: Path, promises: tuple[str, ...]) -> None:
    assert _said(clean, rows, *promises) == ""
    assert len((rows / "release.csv").read_text().splitlines()) == 2_001
    assert not list((rows / "kept").rglob("*.nbc"))


def test_where_another_processor_is_named_it_compiles_for_that(clean: Path, rows: Path) -> None:
    assert _said(clean, rows, "--k", "5", "--quick", NUMBA_CPU_NAME="x86-64-v2", NUMBA_CPU_FEATURES="") == "compiled\n"
