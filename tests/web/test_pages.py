"""The pages in a real Chromium: the whole way, by mouse and by keyboard alone; errors, cancelling, two at once."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect, sync_playwright

import shoal
from support.bench import PATIENCE, Bench

STEPS = ("Data", "Hierarchies", "Promises", "Run", "Explore", "Utility", "Risk", "Take away")
SHOTS = os.environ.get("SHOAL_SCREENSHOTS")
"""A folder for pictures of every step, where they are wanted."""

pytestmark = pytest.mark.slow

expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("there is no Chromium here; install Debian's package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


class Tab:
    """A browser with cookies of its own, which aborts and counts every request to another host."""

    def __init__(self, browser: Browser, bench: Bench) -> None:
        self.bench = bench
        self.outside: list[str] = []
        self.faults: list[str] = []
        self.context: BrowserContext = browser.new_context(viewport={"width": 1280, "height": 900})
        self.context.route(re.compile(".*"), self._let_through)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda said: self.faults.append(said.text) if "Content Security" in said.text else None)
        self.page.goto(bench.link)
        expect(self.heading("Data")).to_be_visible()

    def _let_through(self, route: Route) -> None:
        if route.request.url.startswith((self.bench.base, "data:", "blob:")):
            route.continue_()
        else:
            self.outside.append(route.request.url)
            route.abort()

    def heading(self, name: str) -> Locator:
        return self.page.get_by_role("heading", name=name, level=1, exact=True)

    def go(self, step: str) -> None:
        self.page.get_by_role("link", name=step, exact=True).click()
        expect(self.heading(step)).to_be_visible()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def say(self, label: str, value: str) -> None:
        """Type into a field and leave it."""
        box = self.page.get_by_label(label, exact=True)
        box.fill(value)
        box.blur()

    def choose(self, label: str, value: str) -> None:
        self.page.get_by_label(label, exact=True).select_option(value)

    def take_example(self) -> None:
        self.press("Take the example")
        expect(self.page.get_by_text("are unique on")).to_be_visible()

    def run(self, name: str) -> None:
        self.go("Run")
        self.say("Name of the run", name)
        self.press("Start the run")
        expect(self.page.get_by_role("button", name=f"Show {name}")).to_be_visible()

    def check(self, name: str, *, whole: bool = False) -> None:
        """Axe finds nothing against the step, light or dark, and it fits its window from 1024 pixels up."""
        if SHOTS:
            self.page.screenshot(path=f"{SHOTS}/{name}.png", full_page=whole)
        for scheme, width in (("dark", 1024), ("light", 1280)):
            self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            self.page.set_viewport_size({"width": width, "height": 900})
            found = Axe().run(self.page)
            assert found.violations_count == 0, found.generate_report()
            assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            if SHOTS and scheme == "dark":
                self.page.screenshot(path=f"{SHOTS}/{name}-dark.png")

    def download(self, name: str, folder: Path) -> Path:
        with self.page.expect_download() as coming:
            self.page.locator(f"[id='take-{name}']").click()
        coming.value.save_as(folder / name)
        return folder / name

    def close(self) -> None:
        self.context.close()
        assert self.outside == []
        assert self.faults == []


@pytest.fixture
def tab(chromium: Browser, bench: Bench) -> Iterator[Tab]:
    opened = Tab(chromium, bench)
    yield opened
    opened.close()


def check_downloads(tab: Tab, folder: Path, quasi: list[str], k: int) -> None:
    """Everything that can be taken away is there, and is what it should be."""
    tab.go("Take away")
    released = pl.read_csv(tab.download("release.csv", folder), infer_schema=False)
    assert shoal.verify(folder / "release.csv", quasi_identifiers=quasi, privacy=[shoal.KAnonymity(k)]).holds
    assert pl.read_parquet(tab.download("release.parquet", folder)).height == released.height
    assert pl.read_excel(tab.download("release.xlsx", folder)).height == released.height
    assert "Public edition" in tab.download("public.html", folder).read_text("utf-8")
    assert "Internal edition" in tab.download("report.html", folder).read_text("utf-8")
    assert "[privacy]" in tab.download("job.toml", folder).read_text("utf-8")
    compile(tab.download("job.py", folder).read_text("utf-8"), "job.py", "exec")
    assert tab.download("again.zip", folder).stat().st_size > 0


def test_the_whole_way_on_the_example(tab: Tab, tmp_path: Path) -> None:
    page = tab.page
    tab.take_example()
    expect(page.get_by_text("19,988 of 20,000 rows")).to_be_visible()
    tab.choose("Role of stay_days", "quasi-identifier")
    expect(page.get_by_text(re.compile("unique on .*stay_days"))).to_be_visible()
    tab.choose("Role of stay_days", "other")
    expect(page.get_by_text(re.compile("unique on .*job\\."))).to_be_visible()
    tab.check("data")

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

    tab.go("Promises")
    tab.say("Value of k-anonymity", "5")
    tab.choose("Algorithm", "mondrian")
    expect(page.get_by_text("5-anonymity, 3-diversity by mondrian")).to_be_visible()
    tab.check("promises")

    tab.run("first")
    tab.check("run")
    tab.go("Explore")
    expect(page.get_by_text("keep every promise within the suppression limit")).to_be_visible()
    page.locator("#pictures .dot.chosen").first.click()
    expect(page.locator("#node-rows table")).to_be_visible()
    tab.check("explore", whole=True)
    tab.press("Publish this node")
    expect(page.get_by_text("is under way; see the page Run.")).to_be_visible()
    tab.go("Run")
    expect(page.get_by_role("button", name=re.compile("^Show Node"))).to_be_visible()
    tab.go("Utility")
    expect(page.get_by_role("heading", name="Column by column")).to_be_visible()
    tab.check("utility")
    tab.go("Risk")
    expect(page.get_by_role("heading", name="What an adversary gets")).to_be_visible()
    tab.check("risk")
    check_downloads(tab, tmp_path, ["birth_date", "postcode", "sex", "marital_status", "job"], 5)
    tab.check("take-away")


@pytest.mark.data
def test_the_whole_way_on_adult(tab: Tab, data_folder: Path, tmp_path: Path) -> None:
    page, place = tab.page, data_folder / "datasets" / "adult-arx"
    quasi = ["age", "race", "sex"]
    page.get_by_label("File").set_input_files(place / "adult.csv")
    expect(page.get_by_text("are unique on")).to_be_visible()
    for column in pl.scan_csv(place / "adult.csv", separator=";").collect_schema().names():
        wanted = "quasi-identifier" if column in quasi else "other"
        tab.choose(f"Role of {column}", wanted)
    expect(page.get_by_text("unique on sex, age and race.")).to_be_visible()
    tab.go("Hierarchies")
    for column in quasi:
        tab.choose("Column", column)
        expect(page.get_by_role("img", name=f"Rows by {column}")).to_be_visible()
        page.get_by_label("Import").set_input_files(place / "hierarchies" / f"adult_hierarchy_{column}.csv")
        expect(page.get_by_text("Every value has a place.")).to_be_visible()
    tab.go("Promises")
    tab.say("Value of k-anonymity", "5")
    tab.choose("Algorithm", "lattice")
    expect(page.get_by_text("5-anonymity by lattice")).to_be_visible()
    tab.run("adult")
    tab.go("Explore")
    tab.press("Look at this node")
    expect(page.get_by_text("It keeps every promise")).to_be_visible()
    check_downloads(tab, tmp_path, quasi, 5)


def test_errors_are_sentences(tab: Tab, tmp_path: Path) -> None:
    page, alert = tab.page, tab.page.get_by_role("alert")
    (tmp_path / "broken.csv").write_text("a,b\n1,2\n1,2,3\n")
    page.get_by_label("File").set_input_files(tmp_path / "broken.csv")
    expect(alert).to_contain_text("has 3 fields where the header has 2")
    (tmp_path / "small.csv").write_text("age,sex,disease\n" + "30,F,flu\n31,F,flu\n32,M,cold\n33,M,flu\n")
    page.get_by_label("File").set_input_files(tmp_path / "small.csv")
    expect(page.get_by_text("small.csv: 4 rows, 3 columns")).to_be_visible()
    expect(page.get_by_label("Role of age")).to_be_visible()
    tab.choose("Role of age", "quasi-identifier")
    tab.choose("Role of sex", "quasi-identifier")
    tab.choose("Role of disease", "sensitive")
    tab.go("Hierarchies")
    tab.choose("Column", "sex")
    expect(page.get_by_role("img", name="Rows by sex")).to_be_visible()
    (tmp_path / "wrong.csv").write_text("F;a;x\nM;a;y\n")
    page.get_by_label("Import").set_input_files(tmp_path / "wrong.csv")
    expect(alert).to_contain_text("has two parents")
    (tmp_path / "lacking.csv").write_text("F;any;*\n")
    page.get_by_label("Import").set_input_files(tmp_path / "lacking.csv")
    expect(page.get_by_text("lacks 1 value that rows have: 'M' (2 rows); add it.")).to_be_visible()
    tab.press("Put them under the root")
    expect(page.get_by_text("Every value has a place.")).to_be_visible()
    tab.go("Promises")
    expect(page.get_by_text("k = 5 needs at least 5 rows, but the table has 4")).to_be_visible()
    tab.say("Value of k-anonymity", "7")
    expect(alert).to_contain_text("k = 7 needs at least 7 rows, but the table has 4")
    expect(page.get_by_label("Value of k-anonymity")).to_have_value("5")
    tab.say("Value of k-anonymity", "2")
    expect(page.get_by_text("2-anonymity by")).to_be_visible()
    tab.say("Value of l-diversity", "3")
    expect(alert).to_contain_text("ask for l of at most 2")
    expect(page.get_by_label("Value of l-diversity")).to_have_value("")


def test_cancel_reload_and_two_sessions_at_once(tab: Tab, chromium: Browser, bench: Bench) -> None:
    page = tab.page
    tab.take_example()
    tab.go("Promises")
    tab.choose("Algorithm", "clustering")
    tab.say("Its options", "budget=600")
    expect(page.get_by_text("3-diversity by clustering")).to_be_visible()
    tab.go("Run")
    tab.say("Name of the run", "patient")
    tab.press("Start the run")
    expect(page.get_by_role("progressbar", name="Progress of patient")).to_be_visible()
    other = Tab(chromium, bench)
    expect(other.page.get_by_text("Open a table of people")).to_be_visible()
    other.check("empty")
    page.reload()
    expect(tab.heading("Run")).to_be_visible()
    tab.press("Cancel patient")
    expect(page.get_by_text("Cancelled; nothing was written.")).to_be_visible()
    other.go("Run")
    expect(other.page.get_by_text("Open a table on the page Data first.")).to_be_visible()
    expect(other.page.get_by_text("patient", exact=True)).to_have_count(0)
    other.close()
    tab.go("Take away")
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

    def follow(step: str) -> None:
        reach(f"#step-{step}")
        keys.press("Enter")

    reach("#example")
    keys.press("Enter")
    expect(page.get_by_text("are unique on")).to_be_visible()
    follow("hierarchies")
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
    follow("promises")
    reach("#promise-k")
    keys.press("Control+A")
    keys.type("7")
    keys.press("Tab")
    reach("#algorithm")
    keys.type("mondrian")
    expect(page.get_by_text("7-anonymity, 3-diversity by mondrian")).to_be_visible()
    follow("run")
    reach("#start")
    keys.press("Enter")
    expect(page.get_by_role("button", name="Show Run 1")).to_be_visible()
    follow("take-away")
    with page.expect_download():
        reach("[id='take-release.csv']")
        keys.press("Enter")
