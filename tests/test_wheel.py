"""Wheel and sdist: built, installed in an environment of their own, and run there. No network is needed."""

from __future__ import annotations

import shutil
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from support.clean_environment import install, run

ROOT = Path(__file__).parent.parent
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both, built by hatchling as it is installed here; the wheel from the sdist, as installers without one do."""
    pytest.importorskip("hatchling", reason="hatchling is not installed: pip install hatchling")
    folder = tmp_path_factory.mktemp("dist")
    _python(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder), cwd=ROOT)
    sdist = folder / f"shoal-{VERSION}.tar.gz"
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    _python(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=folder / sdist.name[:-7])
    return {"sdist": sdist, "wheel": folder / f"shoal-{VERSION}-py3-none-any.whl"}


@pytest.fixture(scope="module")
def clean(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel in it; what shoal depends on is taken from where the tests run."""
    return install(built["wheel"], tmp_path_factory.mktemp("clean") / "env")


def test_the_wheel_has_the_package_and_nothing_else(built: dict[str, Path]) -> None:
    with zipfile.ZipFile(built["wheel"]) as wheel:
        names = wheel.namelist()
    assert {name.split("/")[0] for name in names} == {"shoal", f"shoal-{VERSION}.dist-info"}
    packed = {name for name in names if name.startswith("shoal/")}
    there_are = {path for path in (ROOT / "src/shoal").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert packed == {str(path.relative_to(ROOT / "src")) for path in there_are if path.suffix not in (".nbi", ".nbc")}


def test_the_sdist_has_what_it_takes_to_test_it(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md", "tests/test_wheel.py"} <= names
    assert not [name for name in names if name.startswith((".git/", ".venv", "site/"))]


def test_it_runs_where_it_was_installed(clean: Path, tmp_path: Path) -> None:
    where = _python(str(clean), "-c", "import shoal; print(shoal.__file__, shoal.__version__)", cwd=tmp_path)
    assert Path(where.split()[0]).is_relative_to(clean.parents[1])
    assert where.split()[1] == VERSION
    rows = "\n".join(f"{20 + i % 4},{'mf'[i % 2]}" for i in range(16))
    (tmp_path / "people.csv").write_text(f"age,sex\n{rows}\n")
    program = shutil.which("shoal", path=str(clean.parent))
    assert program is not None
    said = ["anonymize", "people.csv", "--quasi", "age,sex", "--k", "4", "--quick", "-o", "release.csv", "-q"]
    _python(program, *said, cwd=tmp_path)
    assert len((tmp_path / "release.csv").read_text().splitlines()) == 17


def _python(*command: str, cwd: Path) -> str:
    """Kernels run as plain Python, since compiling them is not the point here."""
    return run(*command, cwd=cwd, NUMBA_DISABLE_JIT="1")
