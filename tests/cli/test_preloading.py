"""Shared libraries are linked beside the import of modules; without them, everything works as before."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.cli import preloading
from shoal.cli.preloading import LIBRARIES, libraries

MAPPED = """
import sys, threading
from shoal.cli.preloading import libraries, preload
preload()
for thread in threading.enumerate():
    if thread.name == "preloading":
        thread.join()
mapped = open("/proc/self/maps").read()
missing = [str(path) for path in libraries() if str(path.resolve()) not in mapped]
imported = [name for name in ("numpy", "polars", "pyarrow", "llvmlite") if name in sys.modules]
sys.exit(f"{missing} {imported}" if missing or imported else 0)
"""


@pytest.mark.skipif(os.name != "posix", reason="libraries are linked ahead on POSIX systems only")
def test_every_library_is_there() -> None:
    """A package that moves its library would silently no longer be linked ahead."""
    assert len(list(libraries())) == len(LIBRARIES)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs /proc to see what is mapped")
def test_libraries_are_linked_and_nothing_is_imported() -> None:
    done = subprocess.run([sys.executable, "-c", MAPPED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_is_not_installed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preloading, "LIBRARIES", (("no_such_package", "lib.*.so"), ("numpy", "no_such_file*.so")))
    assert list(libraries()) == []
    preloading._link()


THREADS = """
import os, sys, threading
from shoal.cli import main
main(sys.argv[1:])
waits = os.environ["OPENBLAS_THREAD_TIMEOUT"]
from shoal.engine.warming import begin_loading_kernels
sys.exit(f"{waits} {begin_loading_kernels.cache_info().currsize}")
"""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["anonymize", "--help"], "4 0"),
        (["policy", "--list"], "4 0"),
        (["anonymize", "people.csv"], "4 1"),
    ],
)
def test_kernels_are_loaded_ahead_where_rows_are_published(words: list[str], told: str, tmp_path: Path) -> None:
    start = [sys.executable, "-c", THREADS, *words]
    done = subprocess.run(start, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stderr.splitlines()[-1] == told


def test_whoever_said_how_long_threads_wait_is_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_THREAD_TIMEOUT", "26")
    preloading.preload()
    assert os.environ["OPENBLAS_THREAD_TIMEOUT"] == "26"


HEAPS = """
import ctypes, os, sys, tempfile, threading
from shoal.cli.preloading import preload
c = ctypes.CDLL(None)
if len(sys.argv) > 1:
    preload()
c.malloc.restype, c.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
c.fdopen.restype, c.fdopen.argtypes = ctypes.c_void_p, [ctypes.c_int, ctypes.c_char_p]
c.fclose.argtypes, c.malloc_info.argtypes = [ctypes.c_void_p], [ctypes.c_int, ctypes.c_void_p]
ready, done = threading.Barrier(13), threading.Event()
def hold():
    c.malloc(100_000)
    ready.wait()
    done.wait()
threads = [threading.Thread(target=hold) for _ in range(12)]
for thread in threads:
    thread.start()
ready.wait()
name = tempfile.mkstemp()[1]
file = c.fdopen(os.open(name, os.O_WRONLY), b"w")
c.malloc_info(0, file)
c.fclose(file)
done.set()
print(open(name).read().count("<heap nr"))
os.remove(name)
"""


def _heaps(*said: str, **environment: str) -> int:
    env = {name: value for name, value in os.environ.items() if name != "MALLOC_ARENA_MAX"} | environment
    done = subprocess.run([sys.executable, "-c", HEAPS, *said], env=env, capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has several heaps")
def test_threads_share_two_heaps_unless_the_user_says_otherwise() -> None:
    assert _heaps() > 2
    assert _heaps("preload") == 2
    assert _heaps("preload", MALLOC_ARENA_MAX="4") == 4


def test_heaps_are_left_alone_where_the_library_has_no_such_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preloading.ctypes, "CDLL", lambda name: object())
    preloading._share_heaps()
