"""``shoal serve``: the workbench in the browser."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.output_mode import JsonOption, show_json
from shoal.errors import InputError

Host = Annotated[str, typer.Option(help="The address to listen on; by default only this machine can reach it.")]
Port = Annotated[int, typer.Option(help="The port; 0 takes a free one.")]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")]
Remote = Annotated[
    bool, typer.Option("--allow-remote", help="Let other machines in; needs --host and a password in SHOAL_PASSWORD.")
]
Name = Annotated[
    list[str] | None, typer.Option("--name", help="A host name under which it is reached; may be repeated.")
]
Limit = Annotated[int, typer.Option(metavar="MIB", help="The largest upload, in MiB.")]
Keep = Annotated[float, typer.Option(metavar="HOURS", help="Delete sessions that have been idle for this many hours.")]
Certificate = Annotated[Path | None, typer.Option(help="The certificate for HTTPS.")]
Key = Annotated[Path | None, typer.Option(help="The key of the certificate.")]
ProjectsFolder = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Where encrypted projects are kept; your data folder if not given."),
]


def command(
    host: Host = "127.0.0.1",
    port: Port = 0,
    browser: Browser = True,
    allow_remote: Remote = False,
    name: Name = None,
    upload_limit: Limit = 1024,
    keep: Keep = 8.0,
    certificate: Certificate = None,
    key: Key = None,
    projects: ProjectsFolder = None,
    json: JsonOption = False,
) -> None:
    """Open the workbench in the browser, from the table to the release.

    It listens on this machine only, and every request needs the token in the printed link. Files are kept in a private
    folder that is deleted at the end (Ctrl-C); saved projects are encrypted and kept.
    """
    gc.disable()  # as for other commands: imports leave no garbage, and searching for it takes time
    try:
        from shoal.web.serving import serve
        from shoal.web.settings import MEBI, Settings
    except ModuleNotFoundError as problem:
        if (problem.name or "").startswith("shoal"):
            raise
        raise InputError("The workbench needs more packages; install them with: pip install 'shoal[web]'") from None
    finally:
        gc.freeze()
        gc.enable()
    for given in (certificate, key):
        if given is not None and not given.is_file():
            raise InputError(f"There is no file {str(given)!r}.")
    settings = Settings(
        host=host,
        port=port,
        allow_remote=allow_remote,
        password=os.environ.get("SHOAL_PASSWORD") if allow_remote else None,
        names=tuple(one.lower() for one in name or ()),
        upload_limit=upload_limit * MEBI,
        keep_seconds=keep * 3600,
        certificate=str(certificate) if certificate else None,
        key=str(key) if key else None,
        projects=projects,
    )

    def tell(link: str) -> None:
        if json:
            show_json({"link": link})
        else:
            typer.echo(f"The workbench is open; Ctrl-C stops it and deletes its files.\n{link}")

    serve(settings, tell, open_browser=browser)
