"""Machine code is found again wherever the package lies, never after a change, and never where others could write."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, time

import pytest
from numba import config

from shoal.kernels import machine_code
from support.kernel_package import called, kernel_package

KERNELS = Path(machine_code.__file__).parent
posix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and modes are POSIX")


def test_code_is_found_again_from_another_folder_and_never_after_a_change_in_another_file(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    assert called(kernel_package(tmp_path / "one", 1), kept) == "2 compiled"
    assert called(kernel_package(tmp_path / "two", 1), kept) == "2"
    changed = kernel_package(tmp_path / "three", 7)
    for file in (changed / "shoal" / "kernels").iterdir():
        os.utime(file, (1, 1))
    assert called(changed, kept) == "8 compiled"
    assert called(tmp_path / "one", kept) == "2"


def test_a_changed_renamed_or_added_source_and_another_processor_have_another_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(name: str, **files: str) -> str:
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / f"{file}.py").write_text(text)
        return machine_code.fingerprint(tmp_path / name)

    first = made("first", a="x", b="y")
    assert made("same", a="x", b="y") == first
    others = [made("changed", a="x", b="z"), made("renamed", a="x", c="y"), made("more", a="x", b="y", c="")]
    monkeypatch.setattr(config, "CPU_NAME", "some-processor")
    others.append(made("elsewhere", a="x", b="y"))
    assert len({first, *others}) == 5


def test_every_kernel_is_made_by_our_own_decorators() -> None:
    assert [file.name for file in KERNELS.glob("*.py") if "njit" in file.read_text("utf-8")] == ["decorators.py"]


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home and a temporary folder of their own, and no folder chosen yet."""
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(Path, "home", classmethod(lambda cls: tmp_path / "home"))
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(machine_code.tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.setattr(config, "CACHE_DIR", "")
    machine_code.folder.cache_clear()
    yield tmp_path
    machine_code.folder.cache_clear()


def test_code_is_kept_in_the_home_or_where_numba_is_told_to(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine_code.folder().is_relative_to(fresh / "home")
    machine_code.folder.cache_clear()
    monkeypatch.setattr(config, "CACHE_DIR", str(fresh / "told"))
    assert machine_code.folder().is_relative_to(fresh / "told")


def test_the_first_and_only_time_is_said_once(fresh: Path) -> None:
    assert "for the first and only time" in machine_code.note()
    (machine_code.folder() / "kernel.nbi").touch()
    assert "first" not in machine_code.note()


@posix
@pytest.mark.parametrize("mode", [0o777, 0o775])
def test_a_folder_that_others_may_write_to_is_not_used(fresh: Path, mode: int) -> None:
    machine_code.folder().chmod(mode)
    machine_code.folder.cache_clear()
    assert machine_code.folder().is_relative_to(fresh / "tmp")


@posix
def test_a_folder_of_somebody_else_is_not_used(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine_code.folder()
    machine_code.folder.cache_clear()
    real = Path.stat

    def owned(path: Path, **said: bool) -> os.stat_result:
        found = real(path, **said)
        return os.stat_result((*found[:4], 12345, *found[5:10])) if path.is_relative_to(fresh / "home") else found

    monkeypatch.setattr(Path, "stat", owned)
    assert machine_code.folder().is_relative_to(fresh / "tmp")


@posix
def test_a_folder_inside_one_of_somebody_else_is_not_used(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    above = machine_code.folder().parent
    above.chmod(0o1777)
    machine_code.folder.cache_clear()
    real = Path.stat

    def owned(path: Path, **said: bool) -> os.stat_result:
        found = real(path, **said)
        return os.stat_result((*found[:4], 12345, *found[5:10])) if path == above else found

    monkeypatch.setattr(Path, "stat", owned)
    assert machine_code.folder().is_relative_to(fresh / "tmp")


@posix
def test_a_folder_that_others_could_replace_is_not_used(fresh: Path) -> None:
    machine_code.folder().parent.chmod(0o777)
    machine_code.folder.cache_clear()
    assert machine_code.folder().is_relative_to(fresh / "tmp")


def test_without_a_home_and_a_shared_folder_code_is_kept_for_the_process_alone(
    fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_code, "_is_writable", lambda here: False)
    assert machine_code.folder().parent == fresh / "tmp"


def test_code_that_may_only_be_read_is_copied(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(fresh / "image"))
    image = machine_code.folder()
    (image / "a.nbi").write_bytes(b"index")
    (image / "a.1.nbc").write_bytes(b"code")
    machine_code.folder.cache_clear()
    writable = machine_code._is_writable
    monkeypatch.setattr(machine_code, "_is_writable", lambda here: here != image and writable(here))
    own = machine_code.folder()
    assert own.is_relative_to(fresh / "home")
    assert {file.name: file.read_bytes() for file in own.iterdir()} == {"a.nbi": b"index", "a.1.nbc": b"code"}


def test_folders_of_other_sources_go_when_they_are_old_or_too_many(fresh: Path) -> None:
    here = machine_code.folder()
    shutil.rmtree(here)
    for days in range(80):
        other = here.parent / f"kernels-{days}"
        other.mkdir()
        os.utime(other, (time() - days * 24 * 60 * 60 - 60,) * 2)
    machine_code.folder.cache_clear()
    assert machine_code.folder() == here
    left = {file.name for file in here.parent.iterdir()}
    assert left == {here.name} | {f"kernels-{days}" for days in range(machine_code._MOST - 1)}


def test_processes_save_one_after_the_other_and_do_not_wait_for_one_that_died(
    fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_code, "_LONGEST", 0.05)
    lock = machine_code.folder() / "saving"
    with machine_code.saving():
        assert lock.exists()
        began = monotonic()
        with machine_code.saving():
            assert monotonic() - began >= 0.05
    assert not lock.exists()


def test_both_of_two_processes_that_compile_a_kernel_for_other_types_keep_their_code(tmp_path: Path) -> None:
    package = kernel_package(tmp_path / "package", 1)
    slowly = (
        "from numba.core.caching import IndexDataCacheFile as File\nfrom time import sleep\nread = File._load_index\n"
    )
    slowly += "def late(self):\n    found = read(self)\n    sleep(0.5)\n    return found\nFile._load_index = late\n"
    other = slowly + "from shoal.kernels.b import outside\noutside(1.5)\n"
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda before: called(package, tmp_path / "kept", before), (slowly, other)))
    assert called(package, tmp_path / "kept") == "2"
    assert called(package, tmp_path / "kept", "from shoal.kernels.b import outside\noutside(1.5)\n") == "2"


def test_code_on_disk_is_run_without_importing_what_compiling_needs() -> None:
    code = (
        "import sys; import numpy as np; from shoal.core.groups import Groups\n"
        "print(Groups.from_ids(np.array([1, 0, 1], np.int32), 2).sizes.tolist())\n"
        "print('numba.np.linalg' in sys.modules)"
    )
    _, second = (subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in "12")
    assert second.stdout.splitlines() == ["[1, 2]", "False"]
