"""The command line: one file per command, imported only when that command is called.

Read in this order: ``entry`` (which command), ``options`` (tables, and options from the vocabulary),
``promises``, ``spelling`` (text to settings and back),
``output_mode`` and ``release_text`` (output), ``progress``, ``faults`` (error messages and exit statuses),
``preloading`` (shared libraries). The commands: ``demo``, ``inspect``, ``hierarchy``, ``policy``, ``patterns``,
``anonymize``, ``apply``, ``compare``, ``run``, ``verify``, ``audit``, ``usefulness``, ``read``, ``serve``, ``warm_up``.
"""

from shoal.cli.entry import main, run_and_exit

__all__ = ["main", "run_and_exit"]
