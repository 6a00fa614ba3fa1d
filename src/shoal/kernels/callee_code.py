"""Compile kernels without emitting machine code for functions that only kernels call.

Numba emits machine code for every function it compiles, even for those that are linked into the kernels that call them
and that Python never calls. Here those functions are still optimized, so kernels come out the same, but only kernels
get machine code. This saves a tenth of the compile time.

This replaces two methods of numba for a whole process, so only processes that do nothing but compile use it. Review it
with every upgrade of numba.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen

_COMPILED, _CALLED_BY_PYTHON = "_ZN", "_ZN7cpython"
"""Name prefixes of compiled functions and of their wrappers for Python."""


def without_code_of_callees() -> None:
    """From now on, emit machine code only for functions that Python can call."""
    emit, set_environment = JITCodeLibrary._finalize_final_module, JITCPUCodegen.set_env
    waiting: dict[str, Any] = {}

    def finalize(library: Any) -> None:
        names = [one.name for one in library._final_module.functions if not one.is_declaration]
        is_callee = any(name.startswith(_COMPILED) for name in names)
        if not is_callee or any(name.startswith(_CALLED_BY_PYTHON) for name in names):
            emit(library)
            return
        library._finalize_dynamic_globals()
        library._verify_declare_only_symbols()
        library._finalized = True

    def set_all(codegen: Any, name: str, environment: Any) -> None:
        """Set the environment that a callee's errors need as soon as a kernel contains the callee's code."""
        waiting[name] = environment
        there = [one for one in waiting if codegen._engine.get_global_value_address(one)]
        for one in there:
            set_environment(codegen, one, waiting.pop(one))

    JITCodeLibrary._finalize_final_module = finalize
    JITCPUCodegen.set_env = set_all
