"""``shoal warm-up``: compile now what later runs would have to wait for."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.cli.bundles import bundled
from shoal.cli.progress import reporting
from shoal.cli.shown import Shown, show_json
from shoal.engine.warming import compile_everything, warm_up
from shoal.kernels.machine_code import folder

All = Annotated[bool, typer.Option("--all", help="Every algorithm, not only what a run without options needs.")]


@bundled
def command(shown: Shown, everything: All = False) -> None:
    """Compile for this machine now, so that later runs start faster: for images and continuous integration.

    The machine code is stored in the user's cache folder, or in NUMBA_CACHE_DIR. For an image, set that to a folder
    inside it, both here and when shoal runs.
    """
    with reporting(shown.quiet) as progress:
        for promises in ("sizes", "values"):
            warm_up(promises, progress)
        if everything:
            compile_everything(progress)
    files = list(folder().glob("*.nb[ci]"))
    size = sum(file.stat().st_size for file in files) / 2**20
    n_kernels = sum(file.suffix == ".nbi" for file in files)
    if shown.json:
        show_json({"folder": str(folder()), "n_kernels": n_kernels, "mebibytes": round(size, 1)})
    shown.notes([f"{folder()} has the machine code of {n_kernels} kernels, {size:.1f} MiB."])
