"""The rows of grids go to their own session only; what pages load is known by its hash."""

from __future__ import annotations

import hashlib
import json

import httpx
import pytest

from shoal.web.asset_files import address, asset
from support.bench import Bench

TABLE = b"age,town\n31,Bonn\n9,Aachen\n100,bonn\n"


def test_rows_are_sorted_and_filtered_for_a_grid(session: tuple[httpx.Client, str]) -> None:
    client, path = session
    client.put(f"{path}/table", params={"name": "t.csv"}, content=TABLE).raise_for_status()
    found = client.get(f"{path}/rows", params={"sort": "age", "descending": True, "n": 2}).json()
    assert found == {"rows": [["100", "bonn"], ["31", "Bonn"]], "n": 3}
    narrowed = client.get(f"{path}/rows", params={"filters": json.dumps({"town": "bonn"})}).json()
    assert narrowed == {"rows": [["31", "Bonn"], ["100", "bonn"]], "n": 2}
    assert client.get(f"{path}/rows", params={"sort": "nobody"}).status_code == 422
    assert client.get(f"{path}/rows", params={"filters": "[1]"}).status_code == 400
    assert client.get(f"{path}/rows", params={"n": 100_000}).status_code == 422


def test_no_other_session_gets_the_rows(bench: Bench, session: tuple[httpx.Client, str]) -> None:
    client, path = session
    client.put(f"{path}/table", params={"name": "t.csv"}, content=TABLE).raise_for_status()
    with bench.browser() as other, bench.stranger() as stranger:
        assert other.get(f"{path}/rows").status_code == 404
        assert stranger.get(f"{path}/rows").status_code == 401


@pytest.mark.parametrize("name", ["grid.js", "chart.js", "ag-grid.js", "echarts.js", "workbench.css", "page.css"])
def test_what_a_page_loads_is_known_by_its_hash_and_kept(bench: Bench, name: str) -> None:
    place, said = address(name).split("?v=")
    content = asset(name) or b""
    assert hashlib.sha256(content).hexdigest().startswith(said)
    with bench.browser() as client:
        answer = client.get(address(name))
        assert answer.content == content
        assert "immutable" in answer.headers["cache-control"]
        assert "immutable" not in client.get(place).headers.get("cache-control", "")


@pytest.mark.parametrize("name", ["../app.py", "app.py", "__init__.py", "index.html", "..%2Fapp.py"])
def test_nothing_else_is_served_as_a_file(bench: Bench, name: str) -> None:
    assert asset(name) is None
    with bench.browser() as client:
        assert client.get(f"/assets/{name}").status_code == 404
