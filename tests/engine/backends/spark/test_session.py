"""What is said where there is no Spark to be had; needs none."""

from __future__ import annotations

import socket
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from shoal.cli import main
from shoal.engine.backends.spark import session
from shoal.errors import InputError


def test_no_java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(InputError, match="openjdk-17-jre-headless"):
        session.require_java()


def test_no_pyspark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(InputError, match=r"pip install 'shoal\[spark\]'"):
        session.session("local[1]")


def test_the_module_without_pyspark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    monkeypatch.delitem(sys.modules, "shoal.spark", raising=False)
    with pytest.raises(InputError, match=r"pip install 'shoal\[spark\]'"):
        import_module("shoal.spark")


def test_a_run_without_pyspark(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    target = str(tmp_path / "release.parquet")
    assert main(["anonymize", "people.csv", "--quasi", "age", "--k", "2", "--backend", "spark", "-o", target]) == 2
    assert "pip install 'shoal[spark]'" in capsys.readouterr().err


@pytest.mark.parametrize(("master", "is_here"), [("local[2]", True), ("yarn", False)])
def test_a_session_on_this_machine_starts_no_web_page(
    master: str, is_here: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: dict[str, Any] = {}
    made = SimpleNamespace(getOrCreate=lambda: said)
    builder = SimpleNamespace(config=lambda **given: said.update(given["map"]) or made)
    named = SimpleNamespace(master=lambda master: builder)
    fake = SimpleNamespace(builder=SimpleNamespace(appName=lambda name: named), getActiveSession=lambda: None)
    monkeypatch.setitem(sys.modules, "pyspark.sql", SimpleNamespace(SparkSession=fake))
    monkeypatch.setattr(session, "require_java", lambda: None)
    assert session.session(master) is said
    assert ("spark.ui.enabled" in said) == is_here


def test_an_unreachable_master() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(InputError, match="cannot be reached"):
        session._require_master(f"spark://127.0.0.1:{port}")
    with pytest.raises(InputError, match="is not a Spark master"):
        session._require_master("http://127.0.0.1")
    session._require_master("local[2]")


@pytest.mark.parametrize(
    ("master", "chosen", "expected"),
    [
        ("local[2]", None, sys.executable),
        ("local-cluster[2,1,1024]", None, sys.executable),
        ("local[2]", "python3.12", "python3"),
        ("spark://master:7077", None, "python3"),
    ],
)
def test_workers_on_this_machine_run_the_python_that_asks(
    master: str, chosen: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyspark", reason="the spark extra is not installed")
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    if chosen is not None:
        monkeypatch.setenv("PYSPARK_PYTHON", chosen)
    context = SimpleNamespace(master=master, pythonExec="python3")
    session.same_python(SimpleNamespace(sparkContext=context))
    assert context.pythonExec == expected
