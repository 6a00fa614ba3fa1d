"""Every page in every state: axe finds nothing, nothing overflows and targets are large, from a phone to a desk."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import expect

from support.accessible import faults_of
from support.bench import finish
from support.discharges import discharges
from support.tab import Tab

pytestmark = pytest.mark.slow

WORDS = {
    "identifiers": ["MRN", "Patient Name"],
    "quasi_identifiers": ["ZIP", "Sex", "DOB"],
    "sensitive": ["Diagnosis"],
    "others": ["Admitted", "Notes"],
    "reading": {"dates": {"DOB": "%m/%d/%Y"}},
    "hierarchies": {"DOB": "dates", "ZIP": "mask"},
    "privacy": {"k": 4, "l": 2},
    "algorithm": "lattice",
    "suppression_limit": 0.05,
}
READY = {
    "prepare/table": "#rows .ag-cell >> nth=0",
    "prepare/hierarchies": "#histogram[data-drawn]",
    "prepare/preparation": "#prepared-column",
    "prepare/projects": "#project-save",
    "protect/models": "#protections h3 >> nth=0",
    "protect/runs": "#history table",
    "compare/records": "#released .ag-cell >> nth=0",
    "compare/risk": "#gauge-prosecutor[data-drawn]",
    "compare/utility": "#spread-0[data-drawn]",
    "compare/lattice": "#lattice[data-drawn]",
    "compare/runs": "#shown-run",
    "compare/algorithms": "#ask-compare",
    "release/export": "#locked",
    "release/check": "#release-file",
    "release/later": "#later-file",
}
"""Every page, and what is there once it is drawn."""


Faults = dict[str, object]
"""What was found, by address."""


def look(tab: Tab, address: str, ready: str, faults: Faults, *, is_thorough: bool) -> None:
    """Go to a page, open everything that is folded, and look at it at every width."""
    tab.page.evaluate(f"location.hash = '{address}'")
    expect(tab.page.locator(ready)).to_be_visible()
    tab.settle()
    tab.page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
    tab.settle()
    if found := faults_of(tab.page, is_thorough=is_thorough):
        faults[address] = found


def start(tab: Tab, folder: Path) -> None:
    """A table, and a release of it about which something is open; by the API, as that is not what is looked at."""
    table = folder / "discharges.csv"
    table.write_text(discharges(300), "utf-8")
    tab.go("Prepare")
    tab.open_table(table)
    expect(tab.page.get_by_label("Role of Notes", exact=True)).to_be_visible()
    path = str(tab.page.locator("#upload").get_attribute("data-upload")).removesuffix("/table")
    with tab.bench.client() as client:
        client.put(f"{path}/job", json=WORDS).raise_for_status()
        run = client.post(f"{path}/runs").raise_for_status().json()["id"]
        assert finish(client, path, run, "nodes")["state"] == "done"


@pytest.mark.parametrize("is_thorough", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_every_page_in_every_state_from_a_phone_to_a_desk(tab: Tab, tmp_path: Path, *, is_thorough: bool) -> None:
    faults: Faults = {}
    seen = partial(look, tab, faults=faults, is_thorough=is_thorough)
    for place in ("prepare", "protect", "compare", "release"):
        seen(place, "main h1")
    start(tab, tmp_path)
    for address, ready in READY.items():
        seen(address, ready)
    asked_and_answered(tab, tmp_path, seen)
    assert not faults, faults


def asked_and_answered(tab: Tab, folder: Path, seen: Callable[[str, str], None]) -> None:
    """A form that is filled in, a question before something is removed, a finding that was accepted, an answer."""
    page = tab.page
    tab.go("Privacy models")
    tab.choose("Add a protection", "l")
    seen("protect/models", "#add")
    tab.go("Runs")
    page.get_by_role("button", name="Remove Run 1").click()
    seen("protect/runs", "[role=alertdialog]")
    tab.press("Keep it")
    tab.accept_findings()
    seen("release/export", ".finding.accepted >> nth=0")
    tab.go("Check a file")
    rows = pl.read_csv(folder / "discharges.csv", infer_schema=False)
    rows.select("Sex", "ZIP", "Diagnosis").write_csv(folder / "any.csv")
    page.locator("#release-file").set_input_files(folder / "any.csv")
    tab.press("Check it")
    expect(page.locator("#headline-verify")).to_contain_text("300 records, without 4-anonymity")
    seen("release/check", "#headline-verify")
