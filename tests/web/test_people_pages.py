"""What is wrong with a column of people is said on the page where privacy models are chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.tab import Tab

pytestmark = pytest.mark.slow


def _visits(path: Path, key: str, keys: list[str]) -> Path:
    rows = "".join(f"{who},{30 + row % 7},{'FM'[row % 2]}\n" for row, who in enumerate(keys))
    path.write_text(f"{key},age,sex\n{rows}")
    return path


def _count_people(tab: Tab, table: Path, key: str) -> None:
    tab.open_table(table)
    expect(tab.page.locator("#table-name")).to_contain_text(table.name)
    expect(tab.page.get_by_label(f"Role of {key}", exact=True)).to_be_visible()
    tab.choose("Role of age", "quasi-identifier")
    tab.choose(f"Role of {key}", "person")
    expect(tab.page.get_by_label(f"Role of {key}", exact=True)).to_have_value("person")
    tab.go("Privacy models")


def test_what_is_wrong_with_people_is_a_sentence_on_the_page(tab: Tab, tmp_path: Path) -> None:
    page, verdict, alert = tab.page, tab.page.locator("#verdict"), tab.page.get_by_role("alert")
    _count_people(tab, _visits(tmp_path / "unnamed.csv", "who", [*"abcdefgh", "", ""] * 2), "who")
    expect(verdict).to_contain_text("5-anonymity (people counted)")
    expect(verdict).to_contain_text("4 of 20 rows have no value in 'who'; each counts as a person of its own.")
    tab.say("Value of k", "13")
    expect(alert).to_contain_text("k = 13 needs at least 13 people, but the table has 12; ask for k of at most 12.")
    expect(page.get_by_label("Value of k", exact=True)).to_have_value("5")
    tab.go("Prepare")
    _count_people(tab, _visits(tmp_path / "one.csv", "patient", ["a"] * 20), "patient")
    expect(verdict).to_contain_text("k = 5 needs at least 5 people, but the table has 1; ask for k of at most 1.")
    tab.go("Table")
    tab.choose("Role of patient", "quasi-identifier")  # one role or the other: a column cannot have both here
    tab.go("Privacy models")
    expect(verdict).to_contain_text("5-anonymity by")
