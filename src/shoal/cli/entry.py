"""The command ``shoal``: finds the subcommand, runs it, and returns an exit status."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer

import shoal
from shoal.cli.faults import one_line, report
from shoal.cli.preloading import preload, preload_kernels
from shoal.errors import Deprecated, InputError, did_you_mean

COMMANDS = {
    "demo": "Try it: invent a table of people, and publish it.",
    "inspect": "Describe the columns of a table, suggest a role for each, and count unique rows.",
    "patterns": "List and count the patterns that a set of rules allows, before you run it.",
    "anonymize": "Publish a table so that every promise holds.",
    "policy": "List the policies, or print the job file of one.",
    "verify": "Check which promises a table keeps, whichever tool made it.",
    "audit": "Attack a release, whichever tool made it, and report what an adversary learns.",
    "usefulness": "Measure the errors of a release, whichever tool made it: queries, distributions, correlations.",
    "read": "Convert a release to cells you can compute with: bounds, codes, centers or drawn values.",
    "compare": "Run several algorithms on one table, and compare loss, risk and time.",
    "apply": "Publish new rows with the recoding of an earlier release.",
    "hierarchy": "Build the hierarchy of a column, or check one against the values of a table.",
    "run": "Run a job file.",
    "warm-up": "Compile for this machine now, so that later runs start faster: for images and continuous integration.",
    "serve": "Open the workbench in the browser: everything from upload to export.",
}
"""Every command and its one line of help; each is the function ``command`` in the module of its name."""

ALIASES = {"audit-release": "audit", "list-patterns": "patterns", "audit_release": "audit", "list_patterns": "patterns"}
"""Other names of commands: those of the library functions."""

_PUBLISH = ("anonymize", "demo", "run")
"""Commands that are certain to need kernels."""

SETTINGS = {"help_option_names": ["--help", "-h"]}

EPILOG = (
    "Exit status: 0 every promise holds; 1 the goal cannot be met, or a checked table breaks a "
    "promise; 2 bad input or usage; 3 our own check failed, which is a bug; 70 an unexpected error; 130 "
    "interrupted. A release is written only if the status is 0."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status; errors are one sentence on stderr."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", Deprecated)
            warnings.showwarning = partial(_warn, warnings.showwarning)
            status = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except BaseException as problem:
        return report(problem)
    return status


def run_and_exit() -> NoReturn:
    """Run the command line and end the process.

    What was loaded is not searched for garbage once more at the end, which takes 30 ms.
    """
    status = main()
    gc.freeze()
    sys.exit(status)


def _warn(others: Callable[..., None], message: Any, category: type[Warning], *where: Any) -> None:
    """Print deprecation warnings as one line on stderr; pass all other warnings on to Python."""
    if issubclass(category, Deprecated):
        sys.stderr.write(f"{one_line(f'Warning: {message}')}\n")
    else:
        others(message, category, *where)


def _run(said: list[str]) -> int:
    name = ALIASES.get(said[0], said[0]) if said else "--help"
    if name in COMMANDS:
        preload()
        command = _load(name)
        if name in _PUBLISH and not {"--help", "-h"} & set(said):
            preload_kernels()
        return _call(_alone(command), f"shoal {name}", said[1:])
    if not name.startswith("-"):
        raise InputError(f"There is no command {name!r}.{did_you_mean(name, COMMANDS)}")
    return _call(_overview(), "shoal", said or ["--help"])


def _load(name: str) -> Callable[..., None]:
    """The function of a command, imported without the garbage collector, which would find nothing and costs 0.2 s."""
    gc.disable()
    try:
        command: Callable[..., None] = import_module(f"shoal.cli.{name.replace('-', '_')}").command
        gc.freeze()
    finally:
        gc.enable()
    return command


def _call(app: typer.Typer, name: str, said: list[str]) -> int:
    """Run a command without typer's own error output."""
    command = typer.main.get_command(app)
    for option in command.params:
        if not option.required and option.callback is None:
            option.process_value = partial(_processed, option.process_value)  # type: ignore[method-assign]
    try:
        with command.make_context(name, said) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0


def _processed(process: Callable[[Any, Any], Any], context: Any, value: Any) -> Any:
    """The value of an option, None if not given; typer would build a validator for it, 0.1 s for a hundred options."""
    return None if value is None else process(context, value)


def _alone(function: Callable[..., None]) -> typer.Typer:
    """An app with a single command."""
    app = typer.Typer(add_completion=False, context_settings=SETTINGS)
    paragraphs = (function.__doc__ or "").split("\n\n")
    app.command(help="\n\n".join(_plain(paragraph) for paragraph in paragraphs))(function)
    return app


def _plain(paragraph: str) -> str:
    """A paragraph as one line for the terminal, where backticks mean nothing and a bracket would start a style."""
    return " ".join(paragraph.split()).replace("``", "").replace("[", "\\[")


def _overview() -> typer.Typer:
    """The app behind ``shoal --help``: all commands with one line each, without importing them.

    In plain text, because importing the library that draws frames takes longer than everything else.
    """
    app = typer.Typer(add_completion=False, context_settings=SETTINGS, epilog=EPILOG, rich_markup_mode=None)
    app.callback(invoke_without_command=True)(_shoal)
    for name, summary in COMMANDS.items():
        app.command(name, short_help=summary)(lambda: None)
    return app


def _shoal(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Publish tables about people so that every record hides among at least k others."""
    if version:
        typer.echo(f"shoal {shoal.__version__}")
