"""A PostgreSQL server of our own, on loopback and in a temporary folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PASSWORD = "s3cret-of-the-owner"


def programs() -> Path | None:
    """The folder of ``initdb`` and ``postgres``, None where PostgreSQL is not installed."""
    on_path = shutil.which("initdb")
    found = [Path(on_path).parent] if on_path else []
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in found if (folder / "postgres").exists() and (folder / "initdb").exists()), None)


@contextmanager
def server() -> Iterator[str]:
    """Start a server with the user ``owner``, who needs a password; yields ``host:port``."""
    folder = programs()
    assert folder is not None
    home = Path(tempfile.mkdtemp(prefix="shoal-postgres-"))
    try:
        (home / "password").write_text(PASSWORD)
        if os.geteuid() == 0:
            for path in (home, home / "password"):
                shutil.chown(path, "nobody")
        data, port = home / "data", _free_port()
        create = [
            "-D",
            str(data),
            "-U",
            "owner",
            "-A",
            "scram-sha-256",
            "--pwfile",
            str(home / "password"),
            "--no-sync",
        ]
        subprocess.run([*_as_nobody(), str(folder / "initdb"), *create, "-E", "UTF8", "--no-locale"], check=True,
                       cwd="/", capture_output=True)  # fmt: skip
        options = ["-h", "127.0.0.1", "-p", str(port), "-k", str(home), "-F", "-c", "max_wal_size=4GB"]
        process = subprocess.Popen([*_as_nobody(), str(folder / "postgres"), "-D", str(data), *options], cwd="/",
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        try:
            _wait_for(port)
            yield f"127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _as_nobody() -> list[str]:
    """PostgreSQL refuses to run as root."""
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    """The port is open some time before anybody is let in."""
    from adbc_driver_postgresql import dbapi

    for _ in range(300):
        try:
            dbapi.connect(f"postgresql://owner:{PASSWORD}@127.0.0.1:{port}/postgres").close()
        except dbapi.Error:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("PostgreSQL did not start within 30 seconds")
