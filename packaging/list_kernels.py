"""List the kernels of default runs, with the types of their arguments, in ``src/shoal/kernels/signatures.py``.

``python packaging/list_kernels.py`` runs what default runs are made of, each part in a process of its own, writes down
which kernels were called, and compiles each from nothing to see how long that takes: three minutes. With that list,
kernels are compiled side by side without running anything. Run it when the kernels of default runs or their arguments
change; a test fails if the list is not right.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from numba import types

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src" / "shoal" / "kernels" / "signatures.py"
sys.path.insert(0, str(ROOT / "src"))

from shoal.engine.compile_part import compile_part  # noqa: E402 (from this checkout)
from shoal.engine.warming import AT_FIRST, LATER, SEARCH, Promises  # noqa: E402
from shoal.kernels.callee_code import without_code_of_callees  # noqa: E402

PARTS = (SEARCH, *AT_FIRST, *LATER)
"""What ``compile_part`` calls the parts of default runs."""

Used = tuple[str, str, str]
"""Module and name of a kernel, and its types as code."""

PROMISES: Sequence[Promises] = ("sizes", "values")

_LEAST = 0.1
"""The seconds of the quickest kernel: all else that its process takes is for starting."""

HEAD = '''"""The kernels of default runs, the types of their arguments, and about how many seconds compiling takes.

Written by ``python packaging/list_kernels.py``, the longest first.
"""

from __future__ import annotations

'''


def used(part: str, promises: Promises) -> list[Used]:
    """The kernels that a part calls in this process, if they were compiled before."""
    compile_part(part, promises)
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("shoal.kernels.")]
    kernels = {one for module in modules for one in vars(module).values() if hasattr(one, "overloads")}
    return [
        (one.__module__.split(".")[-1], one.__name__, _bracketed(map(as_code, types)))
        for one in kernels
        if one._cache.__class__.__name__ != "NullCache"
        for types in one.overloads
    ]


def _bracketed(words: Iterable[str]) -> str:
    """A tuple as code."""
    listed = list(words)
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"


def as_code(one: Any) -> str:
    """An expression for a type, where ``b`` is ``numba.types`` and modules of kernels have their own names."""
    if isinstance(one, types.Array):
        if one.layout != "C" or not one.aligned or not one.mutable:
            return f'b.Array({as_code(one.dtype)}, {one.ndim}, "{one.layout}", readonly={not one.mutable})'
        return f"{as_code(one.dtype)}[{', '.join([':'] * (one.ndim - 1) + ['::1'])}]"
    if isinstance(one, types.BaseNamedTuple):
        made = one.instance_class
        return f"tuple_of({made.__module__.split('.')[-1]}.{made.__name__}, {', '.join(map(as_code, one.types))})"
    if isinstance(one, types.BaseTuple):
        return f"tuple_of(None, {', '.join(map(as_code, one.types))})"
    if isinstance(one, types.Omitted):
        return f"b.Omitted({one.value!r})"
    return f"b.{one}"


def listed(part: str, promises: Promises) -> list[Used]:
    """What a part calls from Python.

    It runs twice: where kernels are compiled, those that they call are seen too; where they are loaded, they are not.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, part, promises]
        _, second = (_run(command, NUMBA_CACHE_DIR=folder) for _ in range(2))
    return [(module, name, arguments) for module, name, arguments in json.loads(second)]


def seconds_of(*numbers: int) -> float:
    """The processor seconds that a process takes to compile these signatures of the list, from nothing."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.times()
        _run([sys.executable, "-m", "shoal.kernels.compile_signatures", *map(str, numbers)], NUMBA_CACHE_DIR=folder)
        after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def _run(command: Sequence[str], **environment: str) -> str:
    path = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(  # noqa: S603 (our own interpreter and our own words)
        command, env={**os.environ, "PYTHONPATH": path, **environment}, check=True, capture_output=True, text=True
    )
    return done.stdout


def parts() -> dict[Used, list[str]]:
    """The parts that need each kernel; what a search needs is not named again for the others."""
    found = defaultdict[Used, list[str]](list)
    for part, promises in product(PARTS, PROMISES):
        for key in listed(part, promises):
            if f"{SEARCH} {promises}" not in found[key]:
                found[key] += [f"{part} {promises}"]
    return found


def written(found: Sequence[tuple[Used, Sequence[str], float]]) -> str:
    """The list as a module."""
    modules = sorted({module for key, _, _ in found for module in (key[0], *re.findall(r"tuple_of\((\w+)\.", key[2]))})
    lines = [HEAD + "from numba import types as b\n\n", f"from shoal.kernels import {', '.join(modules)}\n"]
    lines += ["from shoal.kernels.signature import Signature, tuple_of\n\nSIGNATURES = (\n"]
    for (module, name, arguments), needed_by, seconds in found:
        lines += [f"    Signature({module}.{name}, {arguments}, {seconds:.1f}, {tuple(needed_by)}),\n"]
    return "".join([*lines, ")\n"])


def write() -> None:
    """Write the list, and once more with the seconds that each kernel takes, the longest first."""
    found = sorted(parts().items())
    TARGET.write_text(formatted(written([(key, needed_by, 0.0) for key, needed_by in found])), "utf-8")
    seconds = [seconds_of(number) for number in range(len(found))]
    start = min(seconds) - _LEAST
    taken = [(key, needed_by, each - start) for (key, needed_by), each in zip(found, seconds, strict=True)]
    TARGET.write_text(formatted(written(sorted(taken, key=lambda each: (-round(each[2], 1), each[0])))), "utf-8")


def formatted(text: str) -> str:
    """As ``ruff`` formats it."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TARGET), "-"]
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout  # noqa: S603


if __name__ == "__main__":
    if len(sys.argv) == 3:
        without_code_of_callees()
        sys.stdout.write(json.dumps(used(sys.argv[1], "values" if sys.argv[2] == "values" else "sizes")))
    else:
        write()
