"""A tab of a real Chromium on the workbench."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import polars as pl
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from support.bench import HOSTILE, PATIENCE, Bench

SHOTS = os.environ.get("SHOAL_SCREENSHOTS")
"""A folder for pictures of every step, where they are wanted."""

PLACES = {
    "Table": "Prepare",
    "Hierarchies": "Prepare",
    "Projects": "Prepare",
    "Privacy models": "Protect",
    "Runs": "Protect",
    "Utility": "Compare",
    "Risk": "Compare",
    "Lattice": "Compare",
    "Records": "Compare",
    "Other runs": "Compare",
    "Algorithms": "Compare",
    "Preparation": "Prepare",
    "Export": "Release",
    "Check a file": "Release",
    "Later rows": "Release",
}
"""The parts of places, and the places they are parts of."""

_WATCH = """
window.lastRedrawn = 0;
new MutationObserver(() => { window.lastRedrawn = performance.now(); })
  .observe(document, {childList: true, subtree: true});
"""
_SLOW = 4
"""How many times slower a browser is where nothing comes when it is expected."""

_STILL_FOR = "performance.now() - window.lastRedrawn"
_CALM = 150.0
"""Milliseconds without a change after which a page counts as drawn."""

_N_OPEN = """
(before) => {
  const n = document.querySelectorAll(".finding.open").length;
  return document.querySelector("#checklist") && n !== before ? { n } : null;
}
"""
"""The open findings on a page that shows the checklist, where they are not as many as before."""

_SHOWS_ALL = """
() => scrollY === 0
  && [...document.querySelectorAll("data-grid, data-chart")].every((one) => "drawn" in one.dataset)
  && [...document.querySelectorAll("data-grid")].every((one) => [...one.querySelectorAll(".ag-cell")]
    .filter((cell) => cell.textContent.trim()).length > 5)
"""
"""Whether every chart is drawn and every grid has rows, not only its header."""

expect.set_options(timeout=1000 * PATIENCE)


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
        self.page.add_init_script(_WATCH)
        if HOSTILE is not None:
            slow = {"rate": _SLOW}
            self.context.new_cdp_session(self.page).send("Emulation.setCPUThrottlingRate", slow)
        self.page.goto(bench.link)
        expect(self.heading("Prepare")).to_be_visible()
        self.session = str(self.page.locator("#upload").get_attribute("data-upload")).removesuffix("/table")
        """The path of its session in the API."""

    def _let_through(self, route: Route) -> None:
        if route.request.url.startswith((self.bench.base, "data:", "blob:")):
            route.continue_()
        else:
            self.outside.append(route.request.url)
            route.abort()

    def heading(self, name: str) -> Locator:
        return self.page.get_by_role("heading", name=name, level=1, exact=True)

    def go(self, part: str) -> None:
        """To a place, or to a part of one."""
        place = PLACES.get(part, part)
        if not self.heading(place).is_visible():
            self.page.get_by_role("link", name=place, exact=True).click()
            expect(self.heading(place)).to_be_visible()
        if part != place:
            link = self.page.get_by_role("link", name=part, exact=True)
            link.click()
            expect(link).to_have_attribute("aria-current", "page")

    def settle(self) -> None:
        """Wait until the page has not been redrawn for a moment, as a person does before typing on."""
        deadline = time.monotonic() + PATIENCE
        while (left := self.page.evaluate(_STILL_FOR)) < _CALM and time.monotonic() < deadline:
            self.page.wait_for_timeout(_CALM - left)

    def change_elsewhere(self, **words: object) -> None:
        """Have somebody else say something about the job, and wait until the page was drawn again because of it."""
        self.page.evaluate("window.drawn = document.querySelector('main > div')")
        with self.bench.client() as client:
            job = client.get(self.session).json()["job"]
            client.put(f"{self.session}/job", json={**job, **words}).raise_for_status()
        self.page.wait_for_function("() => !window.drawn.isConnected && document.querySelector('main > div')")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def unfold(self, name: str) -> None:
        """Open a folded part of the page; one that is open stays so."""
        self.settle()
        if self.page.locator(f"#{name}").get_attribute("open") is None:
            self.page.locator(f"#{name} > summary").click()

    def say(self, label: str, value: str) -> None:
        """Type into a field and leave it; a field that was redrawn under the hand is filled again."""
        self.settle()
        box = self.page.get_by_label(label, exact=True)
        box.fill(value)
        while box.input_value() != value:
            self.settle()
            box.fill(value)
        box.blur()

    def choose(self, label: str, value: str) -> None:
        self.settle()
        self.page.get_by_label(label, exact=True).select_option(value)

    def open_expert(self) -> None:
        """The drawer with the settings for experts."""
        self.unfold("expert")

    def add_protection(self, flag: str, **values: str) -> None:
        """Add a privacy model by its form."""
        self.choose("Add a protection", flag)
        for name, value in values.items():
            box = self.page.locator(f"#new-{name}")
            box.fill(value)
            box.blur()
        self.page.locator("#add").click()

    def open_table(self, path: Path) -> None:
        """Upload a table, in place of the one that is there."""
        self.settle()
        had_one = self.page.locator("#upload").evaluate("zone => zone.closest('#door') !== null")
        if had_one:
            self.unfold("door")
        self.page.get_by_label("File").set_input_files(path)
        if had_one:
            self.press("Replace the table")

    def take_example(self) -> None:
        self.press("Take the example")
        expect(self.page.get_by_text("are unique on")).to_be_visible()

    def run(self, name: str) -> None:
        self.go("Runs")
        self.say("Name of the run", name)
        self.press("Start the run")
        expect(self.page.get_by_role("button", name=f"Show {name}")).to_be_visible()

    def accept_findings(self, because: str = "Known, and fine for this test.") -> None:
        """Accept everything that was found about the release that is shown, each with a reason."""
        self.go("Release")
        unanswered = self.page.locator(".finding.open")
        while n_open := self.n_open():
            reason = unanswered.first.locator("[id^='reason-']")
            reason.fill(because)
            reason.blur()
            unanswered.first.locator("[id^='accept-']").click()
            self.page.wait_for_function(_N_OPEN, arg=n_open)
        expect(self.page.locator("#locked")).to_have_count(0)

    def n_open(self) -> int:
        """How many findings are open, once every attack was tried and the page shows them."""
        expect(self.page.get_by_text("All attacks of the audit have run.")).to_be_visible()
        return int(self.page.wait_for_function(_N_OPEN).json_value()["n"])

    def check(self, name: str, *, whole: bool = False) -> None:
        """Axe finds nothing against the step in the dark, and it fits its window from 1024 pixels up.

        Every page in the light is looked at by ``test_accessibility``.
        """
        self.settle()
        if SHOTS:
            self._picture(f"{name}.png", whole=whole)
        for scheme, width in (("dark", 1024), ("light", 1280)):
            self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth", timeout=20_000)
            if scheme == "dark":
                found = Axe().run(self.page)
                assert found.violations_count == 0, found.generate_report()
                if SHOTS:
                    self._picture(f"{name}-dark.png", whole=whole)

    def _picture(self, name: str, *, whole: bool) -> None:
        """A picture from the top of the page, once every chart is drawn and every grid has its rows."""
        self.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        self.page.wait_for_function(_SHOWS_ALL)
        self.settle()
        self.page.wait_for_timeout(500)  # bars and gauges grow that long
        self.page.screenshot(path=f"{SHOTS}/{name}", full_page=whole)

    def download(self, name: str, folder: Path) -> Path:
        with self.page.expect_download() as coming:
            self.page.locator(f"[id='take-{name}']").click()
        coming.value.save_as(folder / name)
        return folder / name

    def close(self) -> None:
        self.context.close()
        assert self.outside == []
        assert self.faults == []


def check_downloads(tab: Tab, folder: Path, quasi: list[str], k: int) -> pl.DataFrame:
    """Everything that can be taken away is there and says the same; the release is k-anonymous by a plain count."""
    tab.accept_findings("Agreed with the data protection officer; the partner may not link it.")
    released = pl.read_csv(tab.download("release.csv", folder), infer_schema=False)
    assert min(released.group_by(quasi).len()["len"].to_list()) >= k
    rows = _texts(released)
    assert _texts(pl.read_parquet(tab.download("release.parquet", folder))) == rows
    assert _texts(pl.read_excel(tab.download("release.xlsx", folder), infer_schema_length=0)) == rows
    public = tab.download("public.html", folder).read_text("utf-8")
    internal = tab.download("report.html", folder).read_text("utf-8")
    assert "Public edition" in public
    assert "Internal edition" not in public
    assert "Internal edition" in internal
    assert "[privacy]" in tab.download("job.toml", folder).read_text("utf-8")
    compile(tab.download("job.py", folder).read_text("utf-8"), "job.py", "exec")
    assert tab.download("again.zip", folder).stat().st_size > 0
    return released


def _texts(frame: pl.DataFrame) -> list[tuple[str, ...]]:
    """The rows as texts, in the order of the file."""
    return frame.cast(pl.String).fill_null("").rows()
