"""``shoal warm-up``: compile in advance so that later runs need not wait."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.options import bundled
from shoal.cli.output_mode import Shown, show_json
from shoal.cli.progress import reporting
from shoal.core.progress import Progress
from shoal.engine.warming import AT_FIRST, LATER, compile_algorithms, warm_up
from shoal.kernels.bundled_code import bundled_code
from shoal.kernels.machine_code import folder

All = Annotated[bool, typer.Option("--all", help="Compile for every algorithm, not only for a default run.")]

Spark = Annotated[bool, typer.Option("--spark", help="Also archive the Java classes of Spark: sessions start faster.")]


@bundled
def command(shown: Shown, everything: All = False, spark: Spark = False) -> None:
    """Compile for this machine now, so that later runs start faster: for images and continuous integration.

    The machine code is stored in the user's cache folder, or in NUMBA_CACHE_DIR. For an image, set that to a folder
    inside it, both here and when shoal runs. With --spark, the classes that Spark loads are archived there too (about
    200 MiB), which halves the time a session on this machine needs to start.
    """
    with reporting(shown.quiet) as progress:
        for promises in ("sizes", "values"):
            warm_up(promises, progress)
            warm_up(promises, progress, *AT_FIRST, *LATER)
        if everything:
            compile_algorithms(progress)
        archive = _archived(progress) if spark else None
    files = list(folder().glob("*.nb[ci]"))
    bundled = bundled_code()
    size = sum(file.stat().st_size for file in files) / 2**20
    n_kernels = sum(file.suffix == ".nbi" for file in files)
    if shown.json:
        told = {"folder": str(folder()), "n_kernels": n_kernels, "mebibytes": round(size, 1)}
        told["bundled"] = None if bundled is None else str(bundled)
        show_json({**told, "spark": None if archive is None else str(archive)})
    shown.notes(
        [
            f"{folder()} has the machine code of {n_kernels} kernels, {size:.1f} MiB.",
            *([] if bundled is None else ["The machine code of default runs came with the package."]),
            *([] if archive is None else [f"{archive} has the Java classes of Spark."]),
        ]
    )


def _archived(progress: Progress) -> Path:
    """Create the archive of Spark's classes, replacing an existing one.

    Raises:
        InputError: Spark cannot run here.
    """
    from shoal.engine.backends.spark.class_archive import make_archive
    from shoal.engine.backends.spark.session import require_java, require_pyspark

    require_pyspark()
    require_java()
    progress.stage("archiving the Java classes of Spark, once")
    return make_archive()
