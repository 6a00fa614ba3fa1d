"""``shoal serve`` before it serves: what cannot be served is said in a sentence."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from shoal.cli import main


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--host", "0.0.0.0"], "add --allow-remote if you want that"),
        (["--host", "0.0.0.0", "--allow-remote"], "needs a password of at least 12 characters"),
        (["--port", "70000"], "The port must be between 0 and 65535"),
        (["--upload-limit", "0"], "must be above 0"),
        (["--certificate", "none.pem"], "There is no file 'none.pem'"),
        (["--host", "203.0.113.7", "--allow-remote"], "needs a password"),
    ],
)
def test_what_cannot_be_served(options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("nicegui")
    assert main(["serve", "--no-browser", *options]) == 2
    assert sentence in capsys.readouterr().err


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("nicegui")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["serve", "--no-browser", "--port", str(taken.getsockname()[1])]) == 2
    assert "give another with --host or --port" in capsys.readouterr().err


def test_a_certificate_needs_its_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("nicegui")
    (tmp_path / "c.pem").write_text("x")
    assert main(["serve", "--no-browser", "--certificate", str(tmp_path / "c.pem")]) == 2
    assert "HTTPS needs both a certificate and its key" in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "shoal.web.serving", raising=False)
    assert main(["serve", "--no-browser"]) == 2
    assert "pip install 'shoal[web]'" in capsys.readouterr().err
