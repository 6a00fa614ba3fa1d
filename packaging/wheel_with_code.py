"""Build a wheel that has the machine code of a default run in it, for one platform and one version of Python.

``python packaging/wheel_with_code.py FOLDER`` compiles the kernels for the baseline in a process of its own and puts
the code beside the sources in the wheel. Where sources, numba, llvmlite, Python or the processor are not those it was
compiled for, the installed package compiles as if it had none. The plain wheel and the sdist have no code.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))

from shoal.kernels.bundled_code import FOLDER, PROCESSOR, stamp  # noqa: E402 (from this checkout)
from shoal.kernels.signatures import SIGNATURES  # noqa: E402

SETTINGS = {"NUMBA_CPU_NAME": PROCESSOR, "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_INTEL_SVML": "1"}
"""For the baseline alone, whatever this machine has."""


class _WithCode(WheelBuilder):
    """Hatchling's builder, with more files and another tag."""

    code: Path

    def get_default_build_data(self) -> dict[str, Any]:
        """The code of each kernel, in the folder that the package looks into."""
        inside = FOLDER.relative_to(ROOT / "src")
        files = {str(file): str(inside / file.name) for file in self.code.iterdir()}
        own = {"pure_python": False, "tag": tag(), "force_include": files}
        return {**super().get_default_build_data(), **own}


def tag() -> str:
    """Python and the platform. Nothing in the wheel is linked: numba loads the code, so that any C library will do."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    linux = f"manylinux_2_17_{platform.machine()}"
    own = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{linux if sys.platform == 'linux' else own}"


def compile_to(folder: Path) -> Path:
    """Compile what default runs need, in a process of its own, and return where the code is."""
    source, said = str(ROOT / "src"), os.environ.get("PYTHONPATH")
    path = f"{source}{os.pathsep}{said}" if said else source
    environment = {**os.environ, **SETTINGS, "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": path}
    command = [sys.executable, "-m", "shoal.kernels.compile_signatures", *map(str, range(len(SIGNATURES)))]
    subprocess.run(command, env=environment, check=True)  # noqa: S603 (our own interpreter and our own words)
    return next(folder.glob("shoal/kernels-*"))


def build(to: Path) -> Path:
    """The wheel."""
    with tempfile.TemporaryDirectory() as folder:
        code = compile_to(Path(folder))
        (code / "stamp").write_text(stamp() + "\n", "ascii")
        builder = _WithCode(str(ROOT))
        builder.code = code
        return Path(next(iter(builder.build(directory=str(to)))))


if __name__ == "__main__":
    sys.stdout.write(f"{build(Path(sys.argv[1]))}\n")
