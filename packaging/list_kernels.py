"""List the kernels of default runs, with the types of their arguments, in ``src/shoal/kernels/signatures.py``.

``python packaging/list_kernels.py`` compiles everything that default runs need, each part in a process of its own and
from nothing, and writes down what was compiled and for how long: about a minute. With that list, kernels are compiled
side by side without running anything. Run it when the kernels of default runs or their arguments change; a test fails
if the list is not right.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

from numba import types
from numba.core import event

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src" / "shoal" / "kernels" / "signatures.py"
sys.path.insert(0, str(ROOT / "src"))

from shoal.engine.compile_part import compile_part  # noqa: E402 (from this checkout)
from shoal.engine.warming import Promises, Runs  # noqa: E402
from shoal.kernels.callee_code import without_code_of_callees  # noqa: E402

PARTS: Mapping[Runs, Sequence[str]] = {"default": ("search", "starts"), "further": ("further-starts",)}
"""What ``compile_part`` calls the parts of these runs."""

Used = tuple[str, str, str, float]
"""Module, name, types as code, and seconds of a kernel."""

PROMISES: Sequence[Promises] = ("sizes", "values")

HEAD = '''"""The kernels of default runs, the types of their arguments, and about how many seconds compiling takes.

Written by ``python packaging/list_kernels.py``, the longest first.
"""

from __future__ import annotations

'''


class _Seconds(event.Listener):  # type: ignore[misc]
    """How long each kernel took to compile, with what it calls."""

    def __init__(self) -> None:
        self.took: dict[tuple[Any, Any], float] = {}
        self._began: list[float] = []

    def on_start(self, told: event.Event) -> None:
        """Begin, perhaps inside of another."""
        self._began.append(process_time())

    def on_end(self, told: event.Event) -> None:
        """Note the time."""
        self.took[told.data["dispatcher"], told.data["args"]] = process_time() - self._began.pop()


def used(part: str, promises: Promises) -> list[Used]:
    """The kernels that a part calls in this process, and the seconds that those took which had to be compiled."""
    event.register("numba:compile", seconds := _Seconds())
    compile_part(part, promises)
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("shoal.kernels.")]
    kernels = {one for module in modules for one in vars(module).values() if hasattr(one, "overloads")}
    return [
        (
            one.__module__.split(".")[-1],
            one.__name__,
            _bracketed(map(as_code, types)),
            seconds.took.get((one, types), 0.0),
        )
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
    """What a part calls, and how long that takes to compile from nothing, each time in a process of its own.

    Twice: where kernels are compiled, those that they call are seen too; where they are loaded, only those that are
    called from Python.
    """
    with tempfile.TemporaryDirectory() as folder:
        command, environment = [sys.executable, __file__, part, promises], {**os.environ, "NUMBA_CACHE_DIR": folder}
        first, second = (
            subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout  # noqa: S603
            for _ in range(2)
        )
    took = {tuple(key): seconds for *key, seconds in json.loads(first)}
    return [(module, name, types, took[module, name, types]) for module, name, types, _ in json.loads(second)]


def written() -> str:
    """The list as a module."""
    runs, seconds = defaultdict[tuple[str, str, str], list[str]](list), dict[tuple[str, str, str], float]()
    for (kind, parts), promises in product(PARTS.items(), PROMISES):
        for part in parts:
            for module, name, arguments, took in listed(part, promises):
                key = (module, name, arguments)
                runs[key] += [f"{kind} {promises}"]
                seconds[key] = max(took, seconds.get(key, 0.0))
    modules = sorted({module for key in runs for module in (key[0], *re.findall(r"tuple_of\((\w+)\.", key[2]))})
    lines = [HEAD + "from numba import types as b\n\n"]
    lines += [f"from shoal.kernels import {', '.join(modules)}\n"]
    lines += ["from shoal.kernels.signature import Signature, tuple_of\n\nSIGNATURES = (\n"]
    for key in sorted(runs, key=lambda key: (-round(seconds[key], 1), key)):
        module, name, arguments = key
        lines += [
            f"    Signature({module}.{name}, {arguments}, {seconds[key]:.1f}, {tuple(sorted(set(runs[key])))}),\n"
        ]
    return "".join([*lines, ")\n"])


def formatted(text: str) -> str:
    """As ``ruff`` formats it."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TARGET), "-"]
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout  # noqa: S603


if __name__ == "__main__":
    if len(sys.argv) == 3:
        without_code_of_callees()
        sys.stdout.write(json.dumps(used(sys.argv[1], "values" if sys.argv[2] == "values" else "sizes")))
    else:
        TARGET.write_text(formatted(written()), "utf-8")
