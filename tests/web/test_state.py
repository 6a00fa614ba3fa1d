"""State: a click counts though the page is drawn again, two tabs agree, a double click starts one run, undo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from support.tab import Tab

pytestmark = pytest.mark.slow


@pytest.fixture
def small(tmp_path: Path) -> Path:
    rows = "".join(f"{20 + i % 40},{'FM'[i % 2]},{['flu', 'cold', 'HIV'][i % 3]}\n" for i in range(120))
    (tmp_path / "small.csv").write_text(f"age,sex,disease\n{rows}")
    return tmp_path / "small.csv"


def test_tabs_agree_clicks_count_through_redraws_and_a_double_click_starts_one_run(tab: Tab, small: Path) -> None:
    page = tab.page
    tab.open_table(small)
    expect(page.get_by_text("are unique on")).to_be_visible()
    other = tab.context.new_page()
    other.set_default_timeout(60_000)
    other.goto(f"{tab.bench.base}/#protect")
    expect(other.get_by_label("Value of k", exact=True)).to_have_value("5")

    tab.go("Privacy models")
    tab.say("Value of k", "4")
    expect(other.get_by_label("Value of k", exact=True)).to_have_value("4")

    # pressed in one drawing of the page, let go in the next one, which the other tab made
    expect(other.locator("#verdict")).to_contain_text("4-anonymity")
    expect(other.locator("#remove-protection-0")).to_be_visible()
    button = other.locator("#remove-protection-0")
    button.scroll_into_view_if_needed()
    other.evaluate("window.before = document.querySelector('#remove-protection-0')")
    box = button.bounding_box()
    assert box is not None
    other.mouse.move(box["x"] + 5, box["y"] + 5)
    other.mouse.down()
    tab.say("Value of k", "3")
    other.wait_for_function("() => !window.before.isConnected && document.querySelector('#remove-protection-0')")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    other.mouse.move(box["x"] + 5, box["y"] + 5)
    other.mouse.up()
    expect(other.locator("#protections h3")).to_have_text(["frequency 2.2-diversity"])
    expect(page.locator("#protections h3")).to_have_text(["frequency 2.2-diversity"])
    tab.press("Undo")
    expect(other.get_by_label("Value of k", exact=True)).to_have_value("3")

    page.get_by_role("button", name="Anonymize", exact=True).dblclick()
    expect(tab.heading("Release")).to_be_visible()
    tab.go("Runs")
    expect(page.get_by_role("button", name="Show Run 1")).to_be_visible()
    expect(page.locator("#history tbody th")).to_have_count(1)
    expect(other.locator("#light")).not_to_contain_text("No release")
    tab.go("Privacy models")
    tab.say("Value of k", "6")
    expect(page.get_by_role("button", name="Anonymize", exact=True)).to_be_visible()
    tab.press("Undo")
    expect(page.get_by_role("button", name="Anonymize", exact=True)).to_have_count(0)


def test_replacing_a_table_asks_first_and_can_be_undone(tab: Tab, small: Path, tmp_path: Path) -> None:
    page = tab.page
    tab.open_table(small)
    expect(page.get_by_text("are unique on")).to_be_visible()
    tab.choose("Role of disease", "quasi-identifier")
    (tmp_path / "other.csv").write_text("town,sex\n" + "Ulm,F\nBonn,M\n" * 5)
    expect(page.get_by_text(re.compile("unique on .*disease"))).to_be_visible()
    tab.unfold("door")
    page.get_by_label("File").set_input_files(tmp_path / "other.csv")
    tab.press("Keep it")
    expect(page.locator("#table-name")).to_contain_text("small.csv")
    page.get_by_label("File").set_input_files(tmp_path / "other.csv")
    tab.press("Replace the table")
    expect(page.locator("#table-name")).to_contain_text("other.csv · 10 rows")
    tab.press("Undo")
    expect(page.locator("#table-name")).to_contain_text("small.csv · 120 rows")
    expect(page.get_by_label("Role of disease", exact=True)).to_have_value("quasi-identifier")
    tab.press("Redo")
    expect(page.locator("#table-name")).to_contain_text("other.csv · 10 rows")


_LATE = """
(text) => {
  const old = document.getElementById("file"), chosen = new DataTransfer();
  old.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  old.replaceWith(old.cloneNode());
  chosen.items.add(new File([text], "late.csv"));
  old.files = chosen.files;
  old.dispatchEvent(new Event("change", { bubbles: true }));
}
"""


def test_a_file_that_was_looked_for_while_the_page_was_drawn_again_is_taken(tab: Tab, small: Path) -> None:
    tab.page.evaluate(_LATE, small.read_text())
    expect(tab.page.locator("#table-name")).to_contain_text("late.csv")
