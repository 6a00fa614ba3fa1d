"""The pages in a real Chromium: the whole way, by mouse and by keyboard alone; errors, cancelling, two at once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from support.bench import Bench
from support.tab import Tab, check_downloads

pytestmark = pytest.mark.slow


def test_the_whole_way_on_the_example(tab: Tab, tmp_path: Path) -> None:
    page = tab.page
    tab.take_example()
    expect(page.get_by_text("19,988 of 20,000 rows")).to_be_visible()
    tab.choose("Role of stay_days", "quasi-identifier")
    expect(page.get_by_text(re.compile("unique on .*stay_days"))).to_be_visible()
    tab.choose("Role of stay_days", "other")
    expect(page.get_by_text(re.compile("unique on .*job\\."))).to_be_visible()
    tab.check("prepare")

    tab.go("Hierarchies")
    tab.choose("Column", "marital_status")
    expect(page.get_by_text("Every value has a place.")).to_be_visible()
    page.locator("[data-value='widowed']").drag_to(page.locator("[data-group]").first)
    first = str(page.locator("[data-group]").first.get_attribute("data-group"))
    expect(page.locator("li.group").first.locator("[data-value='widowed']")).to_be_visible()
    tab.choose("Group to rename", f"1 {first}")
    tab.say("New name", "renamed")
    tab.press("Rename")
    expect(page.locator("[data-group='renamed']")).to_be_visible()
    tab.press("Undo")
    expect(page.locator(f"[data-group='{first}']")).to_be_visible()
    tab.check("hierarchies")

    tab.go("Privacy models")
    tab.say("Value of k", "5")
    expect(page.locator("#live-hint")).to_contain_text("on all 20,000 rows")
    page.keyboard.press("Control+Home")
    tab.check("protect")
    tab.open_expert()
    tab.choose("Algorithm", "mondrian")
    expect(page.get_by_text("5-anonymity, 3-diversity by mondrian")).to_be_visible()
    tab.check("protect-expert")

    tab.run("first")
    tab.check("runs")
    tab.go("Lattice")
    expect(page.get_by_text("every privacy model within the suppression limit")).to_be_visible()
    expect(page.locator("#lattice[data-drawn]")).to_be_visible()
    expect(page.locator("#node-grid .ag-cell").first).to_be_visible()
    tab.check("lattice", whole=True)
    tab.press("Pin it")
    expect(page.get_by_role("heading", name="Pinned candidates")).to_be_visible()
    tab.press("Publish this node")
    expect(page.get_by_text("is running; the result will be shown here")).to_be_visible()
    tab.go("Runs")
    expect(page.get_by_role("button", name=re.compile("^Show Node"))).to_be_visible()
    tab.go("Utility")
    expect(page.get_by_role("heading", name="Every column before and after")).to_be_visible()
    expect(page.locator("#spread-0[data-drawn]")).to_be_visible()
    tab.check("utility")
    tab.go("Risk")
    expect(page.locator("#gauge-prosecutor[data-drawn]")).to_be_visible()
    tab.check("risk")
    tab.go("Records")
    expect(page.locator("#released .ag-cell").first).to_be_visible()
    tab.check("records")
    check_downloads(tab, tmp_path, ["birth_date", "postcode", "sex", "marital_status", "job"], 5)
    expect(page.locator("#light")).to_contain_text("Accepted risk")
    tab.check("release", whole=True)


def test_errors_are_sentences(tab: Tab, tmp_path: Path) -> None:
    page, alert = tab.page, tab.page.get_by_role("alert")
    (tmp_path / "broken.csv").write_text("a,b\n1,2\n1,2,3\n")
    tab.open_table(tmp_path / "broken.csv")
    expect(alert).to_contain_text("has 3 fields where the header has 2")
    (tmp_path / "small.csv").write_text("age,sex,disease\n" + "30,F,flu\n31,F,flu\n32,M,cold\n33,M,flu\n")
    tab.open_table(tmp_path / "small.csv")
    expect(page.get_by_text("small.csv: 4 rows, 3 columns")).to_be_visible()
    expect(page.get_by_label("Role of age", exact=True)).to_be_visible()
    tab.choose("Role of age", "quasi-identifier")
    tab.choose("Role of sex", "quasi-identifier")
    tab.choose("Role of disease", "sensitive")
    tab.go("Hierarchies")
    tab.choose("Column", "sex")
    expect(page.get_by_role("img", name="Rows by sex")).to_be_visible()
    (tmp_path / "wrong.csv").write_text("F;a;x\nM;a;y\n")
    page.locator("#import").set_input_files(tmp_path / "wrong.csv")
    expect(alert).to_contain_text("has two parents")
    (tmp_path / "lacking.csv").write_text("F;any;*\n")
    page.locator("#import").set_input_files(tmp_path / "lacking.csv")
    expect(page.get_by_text("lacks 1 value of the table: 'M' (2 rows); add it.")).to_be_visible()
    tab.press("Put them under the root")
    expect(page.get_by_text("Every value has a place.")).to_be_visible()
    tab.go("Privacy models")
    expect(page.locator("#verdict")).to_contain_text("k = 5 needs at least 5 rows, but the table has 4")
    tab.say("Value of k", "7")
    expect(alert).to_contain_text("k = 7 needs at least 7 rows, but the table has 4")
    expect(page.get_by_label("Value of k", exact=True)).to_have_value("5")
    tab.say("Value of k", "2")
    expect(page.get_by_text("2-anonymity, 0.2-closeness by")).to_be_visible()
    tab.add_protection("l", l="3")
    expect(alert).to_contain_text("ask for l of at most 2")
    expect(page.get_by_role("heading", name="3-diversity")).to_have_count(0)
    tab.press("Cancel")
    expect(page.locator("#add")).to_have_count(0)


def test_cancel_reload_and_two_sessions_at_once(tab: Tab, chromium: Browser, bench: Bench) -> None:
    page = tab.page
    tab.take_example()
    tab.go("Privacy models")
    tab.open_expert()
    tab.choose("Algorithm", "clustering")
    tab.say("Seconds to search", "600")
    expect(page.get_by_text("3-diversity by clustering")).to_be_visible()
    tab.go("Runs")
    tab.say("Name of the run", "patient")
    tab.press("Start the run")
    expect(page.get_by_role("progressbar", name="Progress of patient")).to_be_visible()
    other = Tab(chromium, bench)
    expect(other.page.get_by_text("Open a table about people")).to_be_visible()
    other.check("empty")
    page.reload()
    expect(tab.heading("Protect")).to_be_visible()
    tab.press("Cancel patient")
    expect(page.get_by_text("Cancelled; nothing was written.")).to_be_visible()
    other.go("Runs")
    expect(other.page.get_by_text("Open a table under Prepare first.")).to_be_visible()
    expect(other.page.get_by_text("patient", exact=True)).to_have_count(0)
    other.close()
    tab.go("Release")
    expect(page.get_by_text("There is no finished run yet")).to_be_visible()


def test_keyboard_alone(tab: Tab) -> None:
    """Tab, enter, space, arrows and letters lead from the example to the downloads."""
    page, keys = tab.page, tab.page.keyboard

    def reach(selector: str) -> None:
        wanted = page.locator(selector)
        expect(wanted).to_be_visible()
        for _ in range(200):
            if wanted.evaluate("element => element === document.activeElement"):
                return
            keys.press("Tab")
        raise AssertionError(f"{selector} cannot be reached")

    def follow(*links: str) -> None:
        for link in links:
            reach(f"#{link}")
            keys.press("Enter")

    reach("#example")
    keys.press("Enter")
    expect(page.get_by_text("are unique on")).to_be_visible()
    follow("part-hierarchies")
    reach("#column")
    keys.type("sex")
    reach("#begin")
    keys.press("Enter")
    reach("#tree input >> nth=0")
    keys.press("Space")
    reach("#move-group")
    keys.type("anybody")
    reach("#move")
    keys.press("Enter")
    expect(page.locator("[data-group='anybody']")).to_be_visible()
    follow("place-protect")
    reach("#k")
    keys.press("Control+A")
    keys.type("7")
    keys.press("Tab")
    expect(page.get_by_text("7-anonymity, 3-diversity by")).to_be_visible()
    reach("#expert > summary")
    keys.press("Enter")
    reach("#algorithm")
    keys.type("mondrian")
    expect(page.get_by_text("7-anonymity, 3-diversity by mondrian")).to_be_visible()
    follow("part-runs")
    reach("#start")
    keys.press("Enter")
    expect(page.get_by_role("button", name="Show Run 1")).to_be_visible()
    follow("place-release")
    while n_open := tab.n_open():
        reach(".finding.open [id^='reason-'] >> nth=0")
        keys.type("Known, and fine for this test.")
        reach(".finding.open [id^='accept-'] >> nth=0")
        keys.press("Enter")
        expect(page.locator(".finding.open")).to_have_count(n_open - 1)
    with page.expect_download():
        reach("[id='take-release.csv']")
        keys.press("Enter")
