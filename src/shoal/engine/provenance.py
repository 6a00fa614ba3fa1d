"""What a result may depend on: versions of packages, and the parameters of plug-ins."""

from __future__ import annotations

import dataclasses
import platform
from importlib.metadata import version
from typing import Any

from shoal.algorithms.best import Best
from shoal.algorithms.clustering import Refined


def versions() -> dict[str, str]:
    """The versions that a result may depend on."""
    packages = ("shoal", "numba", "numpy", "polars", "pyarrow")
    return {"python": platform.python_version(), **{package: version(package) for package in packages}}


def options_of(plug_in: object) -> dict[str, Any]:
    """The parameters of an algorithm or a model; for a refined one, those of its start and of its refinements."""
    if isinstance(plug_in, Best):
        return {"candidates": [{"name": one.name, **options_of(one)} for one in plug_in.candidates]}
    if isinstance(plug_in, Refined):
        followed = [{"name": refinement.name, **options_of(refinement)} for refinement in plug_in.refinements]
        return {**options_of(plug_in.start), "refine": followed, "refine_seconds": plug_in.seconds}
    if not dataclasses.is_dataclass(plug_in) or isinstance(plug_in, type):
        return {}
    said = [one.name for one in dataclasses.fields(plug_in) if one.init]
    return {name: value for name, value in dataclasses.asdict(plug_in).items() if name in said and not callable(value)}
