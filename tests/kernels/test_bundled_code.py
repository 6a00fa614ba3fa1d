"""Machine code that came with the package is used where it fits, and nowhere else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from shoal.kernels import bundled_code, machine_code
from support.kernel_package import called, kernel_package

BASELINE = {"NUMBA_CPU_NAME": bundled_code.PROCESSOR, "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_INTEL_SVML": "1"}
needs_baseline = pytest.mark.skipif(not bundled_code.runs_baseline(), reason="this processor lacks the baseline")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with two kernels and their code for the baseline."""
    here = tmp_path_factory.mktemp("package")
    package, kept = kernel_package(here / "own", 1), here / "kept"
    assert called(package, kept, **BASELINE) == "2 compiled"
    stamp = "from shoal.kernels.bundled_code import stamp\nprint(stamp())\nraise SystemExit\n"
    code = next(kept.glob("shoal/kernels-*"))
    (code / "stamp").write_text(called(package, kept, stamp))
    shutil.copytree(code, package / "shoal" / "kernels" / "bundled")
    return package


@needs_baseline
def test_a_first_call_compiles_nothing_and_keeps_nothing(package: Path, tmp_path: Path) -> None:
    assert called(package, tmp_path) == "2"
    assert not list(tmp_path.rglob("*.nbc"))


@needs_baseline
def test_code_of_other_sources_is_not_used(package: Path, tmp_path: Path) -> None:
    changed = kernel_package(tmp_path / "changed", 7)
    shutil.copytree(package / "shoal/kernels/bundled", changed / "shoal/kernels/bundled")
    assert called(changed, tmp_path / "kept") == "8 compiled"


@needs_baseline
@pytest.mark.parametrize(
    "before",
    [
        "import llvmlite.binding as b\nhas = b.get_host_cpu_features()\nhas['avx2'] = False\n"
        "b.get_host_cpu_features = lambda: has\n",
        "import platform\nplatform.machine = lambda: 'aarch64'\n",
        "import llvmlite\nllvmlite.__version__ = '0.0'\n",
    ],
    ids=["a processor without AVX2", "another kind of processor", "another version of llvmlite"],
)
def test_code_for_something_else_is_not_used(package: Path, tmp_path: Path, before: str) -> None:
    assert called(package, tmp_path, before) == "2 compiled"


@needs_baseline
def test_a_processor_that_the_user_names_goes_first(package: Path, tmp_path: Path) -> None:
    assert called(package, tmp_path, NUMBA_CPU_NAME="x86-64-v2", NUMBA_CPU_FEATURES="") == "2 compiled"


@needs_baseline
def test_code_that_the_user_has_compiled_goes_first(package: Path, tmp_path: Path) -> None:
    own = kernel_package(tmp_path / "own", 1)
    assert called(own, tmp_path / "kept") == "2 compiled"
    broken = "from shoal.kernels import decorators\ndecorators.load = lambda *_: 1 / 0\n"
    assert called(package, tmp_path / "kept", broken) == "2"


def test_sources_come_without_code() -> None:
    assert not bundled_code.FOLDER.exists()


def test_the_stamp_is_that_of_a_process_that_compiles_for_the_baseline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code.config, "CPU_NAME", bundled_code.PROCESSOR)
    monkeypatch.setattr(machine_code.config, "CPU_FEATURES", "")
    machine_code.fingerprint.cache_clear()
    assert machine_code.fingerprint() == bundled_code.stamp()
    machine_code.fingerprint.cache_clear()
