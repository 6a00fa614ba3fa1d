"""The workbench against a clock: a messy file to a guarded download, k on the slider, a click on the run button.

``python benchmarks/workbench.py`` drives ``shoal serve`` with Debian's Chromium. The first path takes 5,000 messy
discharges (US dates, identifiers, notes with phone numbers) to a download that no open finding stands against: whatever
was found is fixed by a button, and what no fix stops is accepted with a reason, each counted as a click. The second
moves k on 30,000 rows of the example and waits for new figures. The third clicks on the run button and waits until the
page says that it runs. ``workbench_large.py`` does the same for a million rows and memory.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from playwright.sync_api import Page, expect, sync_playwright

from shoal.io.example import people
from shoal.io.write import write_frame

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.discharges import EXACT_DATE, PHONE, discharges

N_MESSY, N_SLID = 5_000, 30_000
MOVES = 40
PATIENCE = 300_000

WATCH = """
([box, slider, value]) => new Promise((done) => {
  const shown = document.querySelector(box), field = document.querySelector(slider), began = performance.now();
  new MutationObserver((_, watch) => {
    if (shown.dataset.k !== value) return;
    watch.disconnect();
    requestAnimationFrame(() => done(performance.now() - began));
  }).observe(shown, { attributeFilter: ["data-k"] });
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
})
"""
"""Moves the slider in the page, and counts the milliseconds until the figures for it are drawn."""


def main() -> None:
    """Print every figure beside what is wanted."""
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    command = [sys.executable, "-m", "shoal", "serve", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        server.stdout.readline()
        link = server.stdout.readline().strip()
        with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-dev-shm-usage"]
            )
            expect.set_options(timeout=PATIENCE)
            for measure in (_warm_up, _messy, _slide, _feedback):
                page = browser.new_context().new_page()
                page.set_default_timeout(PATIENCE)
                page.goto(link)
                expect(page.locator("#file")).to_be_visible()
                measure(page, Path(folder))
                page.context.close()
            browser.close()
    finally:
        server.terminate()
        server.wait()


def _warm_up(page: Page, folder: Path) -> None:
    """Have machine code compiled and caches filled, as for anybody's second run."""
    _to_release(page, folder, N_MESSY // 10)


def _messy(page: Page, folder: Path) -> None:
    began, used = time.perf_counter(), _processor_seconds()
    clicks = _to_release(page, folder, N_MESSY)
    if page.locator("#fix-all, [id^='fix-']").count():
        clicks += _fix(page)
    clicks += _accept(page)
    with page.expect_download() as coming:
        page.locator("[id='take-release.csv']").click()
    spent, used = time.perf_counter() - began, _processor_seconds() - used
    released = Path(str(coming.value.path())).read_text("utf-8")
    _tell("upload to a guarded download, seconds", spent, 15)
    _tell("  … of which the workbench used processors", used)
    _tell("  clicks after the file was dropped", clicks + 1, 4)
    _tell("  exact dates that left", len(EXACT_DATE.findall(released)), 0)
    _tell("  phone numbers that left", len(PHONE.findall(released)), 0)


def _open(page: Page, folder: Path, n: int) -> None:
    table = folder / "discharges.csv"
    table.write_text(discharges(n), "utf-8")
    page.locator("#file").set_input_files(table)
    expect(page.locator("#table-name")).to_contain_text(f"{n:,} rows")


def _to_release(page: Page, folder: Path, n: int) -> int:
    """Press the button that says what is next until there is a release, attacked in full; how many clicks that took."""
    _open(page, folder, n)
    for step in (re.compile("^Fix .* and go on$"), "Anonymize"):
        page.get_by_role("button", name=step, exact=True).click()
    _whole(page)
    return 2


def _whole(page: Page) -> None:
    expect(page.get_by_text("All attacks of the audit have run.")).to_be_visible()


def _fix(page: Page) -> int:
    runs = page.locator("#shown-run option").count()
    page.locator("#fix-all, [id^='fix-']").first.click()
    page.locator("[id^='apply-']").click()
    expect(page.locator("#shown-run option")).to_have_count(runs + 1)
    _whole(page)
    return 2


def _accept(page: Page) -> int:
    unanswered, clicks = page.locator(".finding.open"), 0
    while n_open := unanswered.count():
        unanswered.first.locator("[id^='reason-']").fill("Accepted for the benchmark.")
        unanswered.first.locator("[id^='reason-']").blur()
        unanswered.first.locator("[id^='accept-']").click()
        expect(unanswered).to_have_count(n_open - 1)
        clicks += 2
    return clicks


def _processor_seconds() -> float:
    """What the server and the processes it started have used of processors so far, those that ended left out."""
    mine = psutil.Process()
    times = [one.cpu_times() for one in mine.children(recursive=True) if "python" in one.name()]
    return sum(one.user + one.system for one in times)


def _slide(page: Page, folder: Path) -> None:
    table = folder / "people.csv"
    write_frame(people(N_SLID), table)
    page.locator("#file").set_input_files(table)
    expect(page.locator("#table-name")).to_contain_text(f"{N_SLID:,} rows")
    page.get_by_role("button", name=re.compile("go on|Go on")).click()
    expect(page.locator("#live-loss")).not_to_have_text("…")
    spent, used = [], _processor_seconds()
    for move in range(MOVES):
        value = str(3 + move * 7 % 60)
        spent.append(page.evaluate(WATCH, [".live", "#k-slider", value]) / 1000)
        time.sleep(0.1)
    _tell("slider to new figures, median", sorted(spent)[len(spent) // 2])
    _tell("  … of which the workbench used processors, mean", (_processor_seconds() - used) / MOVES)
    _tell("slider to new figures, p95", sorted(spent)[int(0.95 * len(spent))], 0.3)


def _feedback(page: Page, folder: Path) -> None:
    _open(page, folder, N_MESSY)
    page.get_by_role("button", name=re.compile("^Fix .* and go on$")).click()
    expect(page.locator("#live-loss")).not_to_have_text("…")
    began = time.perf_counter()
    page.get_by_role("button", name="Anonymize", exact=True).click()
    expect(page.locator("#running")).to_be_visible()
    _tell("click on run to what the page says", time.perf_counter() - began, 0.3)


def _tell(what: str, value: float, most: float | None = None) -> None:
    verdict = "" if most is None else f"  (at most {most:g}: {'met' if value <= most else 'MISSED'})"
    print(f"{what:44s} {value:8.2f}{verdict}", flush=True)


if __name__ == "__main__":
    main()
