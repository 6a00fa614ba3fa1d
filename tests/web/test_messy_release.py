"""A messy discharge file in a real Chromium: no exact date, no phone number leaves without an acceptance."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.discharges import EXACT_DATE, PHONE, discharges
from support.tab import Tab

pytestmark = pytest.mark.slow


def start(tab: Tab, folder: Path) -> None:
    table = folder / "discharges.csv"
    table.write_text(discharges(400), "utf-8")
    tab.open_table(table)
    expect(tab.page.get_by_label("Role of Notes", exact=True)).to_be_visible()
    tab.choose("Role of Notes", "sensitive")
    tab.choose("Role of DOB", "quasi-identifier")
    tab.choose("Role of Admitted", "other")
    tab.run("messy")
    tab.go("Release")
    expect(tab.page.get_by_text("All attacks of the audit have run.")).to_be_visible()


def test_nothing_that_tells_too_much_leaves_unseen(tab: Tab, tmp_path: Path) -> None:
    page = tab.page
    start(tab, tmp_path)
    for key in ("dates-DOB", "dates-Admitted", "as-is-"):
        expect(page.locator(f"#finding-{key}.open")).to_be_visible()
    expect(page.locator("#finding-as-is-")).to_contain_text("'Notes' holds phone numbers in 400 records")
    expect(page.locator("#locked")).to_be_visible()
    expect(page.locator("[id='take-release.csv']")).to_have_count(0)
    expect(page.locator("#light")).to_contain_text("open finding")
    assert "Passed" not in page.content()
    tab.check("release-locked")

    page.locator("#fix-all").click()
    expect(page.locator("#cost-all")).to_contain_text("By the quick algorithm")
    page.locator("#apply-all").click()
    expect(page.locator("#shown-run option")).to_have_count(2)
    tab.accept_findings()
    released = tab.download("release.csv", tmp_path).read_text("utf-8")
    assert not PHONE.search(released)
    assert not EXACT_DATE.search(released)


def test_an_acceptance_needs_a_reason_and_is_recorded(tab: Tab, tmp_path: Path) -> None:
    page = tab.page
    start(tab, tmp_path)
    n_open = tab.n_open()
    page.locator("#accept-dates-DOB").click()
    expect(page.get_by_role("alert").first).to_contain_text("Give a reason")
    expect(page.locator(".finding.open")).to_have_count(n_open)
    tab.accept_findings()
    expect(page.locator("#light")).to_contain_text("Accepted risk")
    assert EXACT_DATE.search(tab.download("release.csv", tmp_path).read_text("utf-8"))
    record = tab.download("release.run.json", tmp_path).read_text("utf-8")
    assert "dates:DOB" in record
    assert "Known, and fine for this test." in record
