"""A workbench in another process, as users have it, and clients that knock at it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

PATIENCE = float(os.environ.get("SHOAL_PATIENCE", "180"))
"""Seconds that a busy machine may take for anything."""

HOSTILE = os.environ.get("SHOAL_HOSTILE")
"""A seed: then everything in the workbench comes late at random (``hostile_serve.py``), and browsers are slow."""

_SERVE = ["-m", "shoal"] if HOSTILE is None else [str(Path(__file__).with_name("hostile_serve.py"))]


@dataclass
class Bench:
    """A running workbench."""

    process: subprocess.Popen[str]
    link: str
    temporary: Path
    reader: Thread
    errors: list[str]

    @property
    def token(self) -> str:
        return parse_qs(urlsplit(self.link).query)["token"][0]

    @property
    def base(self) -> str:
        parts = urlsplit(self.link)
        return f"{parts.scheme}://{parts.netloc}"

    def client(self, **headers: str) -> httpx.Client:
        """A program that shows the token."""
        shown = {"authorization": f"Bearer {self.token}", **headers}
        return httpx.Client(base_url=self.base, headers=shown, timeout=PATIENCE)

    def stranger(self, **headers: str) -> httpx.Client:
        """Somebody who does not."""
        return httpx.Client(base_url=self.base, headers=headers, timeout=PATIENCE)

    @contextmanager
    def browser(self) -> Iterator[httpx.Client]:
        """Somebody who has come in by the link, with the cookie."""
        with httpx.Client(base_url=self.base, timeout=PATIENCE, headers={"origin": self.base}) as client:
            client.get(self.link).raise_for_status()
            yield client

    def folders(self) -> list[Path]:
        return [*self.temporary.glob("shoal-workbench-*")]

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.reader.join(30)


def start_bench(temporary: Path, *options: str, **environment: str) -> Bench:
    """Start ``shoal serve`` and wait for its link."""
    process = subprocess.Popen(
        [sys.executable, *_SERVE, "serve", "--no-browser", "--projects", str(temporary / "projects"), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary), **environment},
    )
    assert process.stdout is not None
    lines = [process.stdout.readline(), process.stdout.readline()]
    errors: list[str] = []
    reader = Thread(target=_drain, args=(process, errors), daemon=True)
    reader.start()
    bench = Bench(process, lines[1].strip(), temporary, reader, errors)
    if not bench.link.startswith("http"):
        bench.stop()
        raise AssertionError(f"it did not start: {lines} {bench.errors}")
    return bench


def _drain(process: subprocess.Popen[str], errors: list[str]) -> None:
    assert process.stderr is not None
    with process.stderr as lines:
        errors.extend(lines)


def finish(client: httpx.Client, path: str, run: str, *pieces: str) -> dict[str, Any]:
    """Poll until a run has ended, and these pieces of it are there."""
    end = time.monotonic() + PATIENCE
    while True:
        found: dict[str, Any] = client.get(f"{path}/runs/{run}").json()
        if found["state"] not in ("running", "done") or (found["state"] == "done" and {*pieces} <= {*found["pieces"]}):
            return found
        assert time.monotonic() < end, found
        time.sleep(0.1)


def accept_all(client: httpx.Client, path: str, run: str) -> list[str]:
    """Accept every finding about a run with a reason, once every attack was tried; their keys."""
    found = finish(client, path, run, "audit")["figures"]["findings"]
    for finding in found:
        said = {"key": finding["key"], "reason": "Known, and fine for this test."}
        client.put(f"{path}/runs/{run}/findings", json=said).raise_for_status()
    return [finding["key"] for finding in found]
