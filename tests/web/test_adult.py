"""The whole way on Adult: roles, an edited hierarchy, k = 5, a node chosen in the picture, everything taken away."""

from __future__ import annotations

import re
import runpy
import zipfile
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import expect

from shoal.engine.job import run_job
from support.tab import Tab, check_downloads

pytestmark = [pytest.mark.nightly, pytest.mark.data]

QUASI = ["sex", "age", "race", "marital-status"]
NODE = "0,3,1,1"
"""Sex as it is, ages in the third level, races suppressed, marital status in the groups as they were edited."""


def test_the_whole_way_on_adult(tab: Tab, data_folder: Path, tmp_path: Path) -> None:
    place = data_folder / "datasets" / "adult-arx"
    original = pl.read_csv(place / "adult.csv", separator=";", infer_schema=False)
    _say_roles(tab, place / "adult.csv", original.columns)
    _import_and_edit(tab, place / "hierarchies")
    _promise(tab)
    tab.run("best")
    _publish_node(tab)
    released = check_downloads(tab, tmp_path, QUASI, 5)
    _is_the_node_with_the_edit(released, original)
    _the_same_again(tmp_path, place / "adult.csv")


def _say_roles(tab: Tab, table: Path, columns: list[str]) -> None:
    tab.open_table(table)
    expect(tab.page.get_by_text("are unique on")).to_be_visible()
    for column in columns:
        tab.choose(f"Role of {column}", "quasi-identifier" if column in QUASI else "other")
    expect(tab.page.get_by_text("unique on sex, age, race and marital-status.")).to_be_visible()


def _import_and_edit(tab: Tab, trees: Path) -> None:
    """ARX's hierarchies; widows are dragged to those with a spouse, a group is renamed and has its name back."""
    page = tab.page
    tab.go("Hierarchies")
    for column in QUASI:
        if column != QUASI[0]:  # which is shown already; to draw it again would take the field for the file away
            tab.choose("Column", column)
        expect(page.get_by_role("img", name=f"Rows by {column}")).to_be_visible()
        page.locator("#import").set_input_files(trees / f"adult_hierarchy_{column}.csv")
        expect(page.get_by_text("Every value has a place.")).to_be_visible()
    target = page.locator("[data-group='spouse present']")
    expect(page.locator("li.group", has=target).locator("[data-value='Widowed']")).to_have_count(0)
    page.locator("[data-value='Widowed']").drag_to(target)
    expect(page.locator("li.group", has=target).locator("[data-value='Widowed']")).to_be_visible()
    tab.choose("Group to rename", "1 spouse not present")
    tab.say("New name", "alone")
    tab.press("Rename")
    expect(page.locator("[data-group='alone']")).to_be_visible()
    tab.press("Undo")
    expect(page.locator("[data-group='spouse not present']")).to_be_visible()
    expect(page.locator("li.group", has=target).locator("[data-value='Widowed']")).to_be_visible()


def _promise(tab: Tab) -> None:
    tab.go("Privacy models")
    tab.say("Value of k", "5")
    tab.open_expert()
    tab.say("Seed (only to repeat a run)", "7")
    tab.choose("Algorithm", "lattice")
    expect(tab.page.get_by_text("5-anonymity by lattice")).to_be_visible()


def _publish_node(tab: Tab) -> None:
    """Choose the levels of a node, and find it in the picture's own table."""
    page = tab.page
    tab.go("Lattice")
    expect(page.locator("#lattice[data-drawn]")).to_be_visible()
    page.get_by_text("Choose levels").click()
    for column, level in zip(QUASI, NODE.split(","), strict=True):
        page.locator(f"[id='level-{column}']").select_option(level)
    tab.press("Look at this node")
    expect(page.get_by_role("heading", name=f"Node {NODE}")).to_be_visible()
    page.get_by_role("button", name=re.compile("^As a table: .* by loss and highest risk")).click()
    expect(page.locator("#lattice td", has_text=re.compile(f"^{NODE}$"))).to_be_visible()
    expect(page.get_by_text("Levels: sex 0, age 3, race 1, marital-status 1.")).to_be_visible()
    expect(page.locator("#node-figures")).to_have_text(
        re.compile(r"It keeps every privacy model: loss .*, 0 rows suppressed")
    )
    expect(page.locator("#node-rows")).to_contain_text("spouse")
    tab.press("Publish this node")
    tab.go("Runs")
    expect(page.get_by_role("button", name=f"Show Node {NODE}")).to_be_visible()


def _is_the_node_with_the_edit(released: pl.DataFrame, original: pl.DataFrame) -> None:
    with_spouse = ["Married-civ-spouse", "Married-AF-spouse", "Widowed"]
    expected = original["marital-status"].is_in(with_spouse).sum()
    assert released.height == original.height
    assert (released["marital-status"] == "spouse present").sum() == expected
    assert set(released["race"]) == {"*"}
    assert set(released["sex"]) == {"Male", "Female"}


def _the_same_again(folder: Path, table: Path) -> None:
    """The job file and the script, each beside the table, give the bytes that were downloaded."""
    for name in ("job.toml", "job.py"):
        place = folder / f"by {name}"
        zipfile.ZipFile(folder / "again.zip").extractall(place)
        (place / table.name).write_bytes(table.read_bytes())
        run_job(place / name) if name == "job.toml" else runpy.run_path(str(place / name))
        for made in ("release.csv", "public.html"):
            assert (place / made).read_bytes() == (folder / made).read_bytes(), (name, made)
