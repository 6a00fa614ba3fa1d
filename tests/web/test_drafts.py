"""Drafts: what was typed stays though the page is drawn again, and a click takes what the fields show."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from support.tab import Tab

pytestmark = pytest.mark.slow


@pytest.fixture
def opened(tab: Tab, tmp_path: Path) -> Tab:
    """A tab with a table, two of whose columns are quasi-identifiers."""
    rows = "".join(f"{i % 110},{'FM'[i % 2]},{['flu', 'cold', 'HIV'][i % 3]}\n" for i in range(120))
    (tmp_path / "small.csv").write_text(f"age,sex,disease\n{rows}")
    tab.open_table(tmp_path / "small.csv")
    expect(tab.page.get_by_text("are unique on")).to_be_visible()
    return tab


def _put(field: Locator, value: str) -> None:
    """Type into a field, choose, or tick; and leave it."""
    kind = field.evaluate("field => field.type")
    if kind == "checkbox":
        field.check()
    elif kind.startswith("select"):
        field.select_option(value)
    else:
        field.fill(value)
    field.blur()


def _shows(field: Locator, value: str) -> None:
    if field.evaluate("field => field.type") == "checkbox":
        expect(field).to_be_checked()
    else:
        expect(field).to_have_value(value)


def test_what_is_being_typed_stays_with_its_cursor_and_a_click_takes_it(opened: Tab) -> None:
    page, keyboard = opened.page, opened.page.keyboard
    opened.go("Runs")
    name = page.locator("#run-name")
    name.click()
    keyboard.type("cetain")
    for _ in range(4):
        keyboard.press("ArrowLeft")
    opened.change_elsewhere(seed=1)
    expect(name).to_be_focused()
    expect(name).to_have_value("cetain")
    keyboard.type("r")
    expect(name).to_have_value("certain")
    opened.change_elsewhere(seed=2)
    expect(name).to_have_value("certain")
    opened.press("Start the run")
    expect(page.get_by_label("Name of certain")).to_have_value("certain")
    expect(name).to_have_value("")
    name.fill("second")
    name.blur()
    opened.change_elsewhere(seed=3)
    expect(name).to_have_value("second")
    opened.press("Start the run")
    expect(page.get_by_label("Name of second")).to_be_visible()


def test_numbers_can_be_typed_on_and_are_said_when_the_field_is_left(opened: Tab) -> None:
    page, keyboard = opened.page, opened.page.keyboard
    opened.go("Privacy models")
    opened.open_expert()
    limit = page.get_by_label("Suppression limit (% of rows)", exact=True)
    limit.fill("")
    keyboard.type("1")
    opened.change_elsewhere(seed=1)
    expect(limit).to_be_focused()
    keyboard.type("2")
    expect(limit).to_have_value("12")
    opened.change_elsewhere(seed=2)
    limit.blur()
    opened.go("Runs")
    opened.go("Privacy models")
    expect(limit).to_have_value("12")
    with opened.bench.client() as client:
        assert client.get(opened.session).json()["job"]["suppression_limit"] == 0.12


def test_a_click_counts_after_what_was_typed_before_it(opened: Tab) -> None:
    """The field is still focused, and what it says is not yet taken, when the button is pressed."""
    opened.go("Privacy models")
    k = opened.page.get_by_label("Value of k", exact=True)
    k.fill("7")
    opened.press("Anonymize")
    expect(opened.heading("Release")).to_be_visible()
    expect(opened.page.locator("#checklist")).to_contain_text("7-anonymity")
    opened.go("Privacy models")
    expect(k).to_have_value("7")


_FORMS = {
    "Table": {
        "#database-address": "sqlite:///a.db?table=t",
        "#database-query": "select 1",
        "#reading-encoding": "cp1252",
    },
    "Projects": {"#project-name": "mine", "#project-passphrase": "correct horse battery"},
    "Privacy models": {"#add-protection": "k-map", "#new-k": "9"},
    "Algorithms": {"#compared-limit": "3", "#compared-algorithms-clustering": "on"},
}
"""Fields of forms that say nothing about the job yet, and what is typed into them."""


def test_forms_keep_what_was_typed_into_them(opened: Tab) -> None:
    page = opened.page
    for n, (part, fields) in enumerate(_FORMS.items()):
        opened.go(part)
        if part == "Table":
            opened.unfold("database")
            opened.unfold("import-options")
        for name, value in fields.items():
            _put(page.locator(name), value)
        opened.change_elsewhere(seed=n)
        for name, value in fields.items():
            _shows(page.locator(name), value)
    opened.go("Runs")
    opened.go("Projects")
    expect(page.locator("#project-name")).to_have_value("mine")


_REDRAWN = """() => {
  const part = document.getElementById("import-options"), before = part.cloneNode(true);
  part.querySelector("summary").click();
  part.replaceWith(before);
}"""
"""Somebody opens a part while the page is on its way that was drawn before."""


def test_what_was_unfolded_stays_so_in_a_page_that_was_drawn_before(opened: Tab) -> None:
    opened.go("Table")
    part = opened.page.locator("#import-options")
    expect(part).not_to_have_attribute("open", "")
    opened.page.evaluate(_REDRAWN)
    expect(part).to_have_attribute("open", "")
    part.locator("summary").first.click()
    expect(part).not_to_have_attribute("open", "")


def test_forms_of_hierarchies_keep_what_was_typed_until_the_tree_is_another(opened: Tab) -> None:
    page = opened.page
    opened.go("Hierarchies")
    opened.choose("Column", "disease")
    opened.press("Start with all values under the root")
    opened.press("Add a level")
    said = {"#move-group": "viral", "#tick-flu": "on", "#tick-cold": "on", "#rename-new": "all of them"}
    expect(page.locator("#move-group")).to_be_visible()
    for name, value in said.items():
        _put(page.locator(name), value)
    opened.change_elsewhere(seed=1)
    for name, value in said.items():
        _shows(page.locator(name), value)
    opened.press("Move the ticked values")
    expect(page.locator("[data-group=viral]")).to_contain_text("80 rows")
    expect(page.locator("#move-group")).to_have_value("")
    opened.choose("Column", "age")
    opened.press("No hierarchy")
    expect(page.locator("#none")).to_have_count(0)
    opened.choose("Rule", "fanout")
    page.locator("#rule-fanout").fill("4")
    opened.change_elsewhere(seed=2)
    expect(page.get_by_label("Rule", exact=True)).to_have_value("fanout")
    expect(page.locator("#rule-fanout")).to_have_value("4")
    opened.press("Build")
    expect(page.locator("#coverage")).to_contain_text("of 110, 28, 7, 2, 1 nodes")


def test_a_question_waits_for_its_answer_and_reasons_stay(opened: Tab) -> None:
    page = opened.page
    opened.change_elsewhere(privacy={"k": 1})  # which protects nobody, so that there is something to be found
    opened.run("first")
    page.get_by_role("button", name="Remove first").click()
    opened.change_elsewhere(seed=1)
    opened.press("Keep it")
    expect(page.get_by_role("button", name="Keep it")).to_have_count(0)
    opened.go("Release")
    expect(page.get_by_text("All attacks of the audit have run.")).to_be_visible()
    page.locator("#to-database > summary").click()
    said = {"#target-address": "sqlite:///b.db?table=t", "#target-replace": "on"}
    for name, value in said.items():
        _put(page.locator(name), value)
    reason = page.locator("[id^='reason-']").first
    reason.fill("It is agr")
    opened.change_elsewhere(seed=2)
    expect(reason).to_be_focused()
    page.keyboard.type("eed.")
    for name, value in said.items():
        _shows(page.locator(name), value)
    page.locator("[id^='accept-']").first.click()
    expect(page.get_by_text("Accepted because: It is agreed.")).to_be_visible()
