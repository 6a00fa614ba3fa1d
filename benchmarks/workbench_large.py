"""How quickly the workbench answers: start, a million rows, clicks while a job runs, memory.

``python benchmarks/workbench_large.py [rows]`` drives ``shoal serve`` with Debian's Chromium and prints a table. Memory
is what the processes hold for good (RssAnon + RssShmem of /proc, so Linux only), beside the size of the table's file.

A click is timed in the page itself: from the click to the frame after that which was asked for is drawn (the rows, the
promises with what is possible, the tree, …), not only its heading. On a busy machine most of that is waiting, so what
the server used and how long it waited for a processor is told beside (schedstat of /proc).
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

from playwright.sync_api import Page, expect, sync_playwright

from shoal.io.example import people
from shoal.io.write import write_frame

ANSWERS = {
    "Prepare": "data-grid[data-drawn]",
    "Protect": "#live-loss",
    "Compare": "p",
    "Release": "p",
}
"""What is clicked, and what is there once it is answered."""

N_CLICKS = 28

SPY = """
const note = (what) => { if (window.clicked && !(what in window.clicked)) window.clicked[what] = performance.now(); };
const Line = window.WebSocket;
window.WebSocket = class extends Line {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", () => {
      if (window.clicked && !window.clicked.drawn) window.clicked.heard = performance.now();
    });
  }
  send(said) { note("told"); super.send(said); }
};
window.watch = (step, wanted) => { window.clicked = null; window.wanted = [step, wanted]; };
addEventListener("click", () => { window.clicked = { at: performance.now() }; }, true);
new MutationObserver(() => {
  const heading = document.querySelector("main h1");
  if (!window.clicked || !heading || heading.textContent !== window.wanted[0]) return;
  if (!document.querySelector("main").querySelector(window.wanted[1])) return;
  note("drawn");
  requestAnimationFrame(() => note("seen"));
}).observe(document, { childList: true, subtree: true });
"""
"""Notes when a click was made, told to the server, answered by it, and seen."""


def main(n_rows: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "people.csv"
        write_frame(people(n_rows), table)
        began = time.perf_counter()
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        server = subprocess.Popen(
            [sys.executable, "-m", "shoal", "serve", "--no-browser"], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            server.stdout.readline()
            _measure(server, server.stdout.readline().strip(), table, began)
        finally:
            server.terminate()
            server.wait()


def _measure(server: subprocess.Popen[str], link: str, table: Path, began: float) -> None:
    listening = time.perf_counter() - began
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        page = browser.new_page()
        page.add_init_script(SPY)
        page.set_default_timeout(300_000)
        expect.set_options(timeout=300_000)
        opened = time.perf_counter()
        page.goto(link)
        expect(page.get_by_role("button", name="Take the example")).to_be_visible()
        ready = time.perf_counter() - opened
        _tell("start to the link", listening, cpu=_cpu(server.pid))
        _tell("start to a usable page", listening + ready, 5)
        time.sleep(5)
        idle = _held(server.pid)
        _upload(page, table)
        time.sleep(5)
        held = _held(server.pid)
        size = table.stat().st_size / 1e6
        print(f"{'table as a file':40s} {size:8.0f} MB")
        print(f"{'table in memory, once read':40s} {_in_memory(table):8.0f} MB")
        more = held[0] - idle[0]
        print(f"{'server, beyond what it holds when idle':40s} {more:8.0f} MB {more / size:6.2f} x")
        more = held[1] - idle[1]
        print(f"{'its desk process, likewise':40s} {more:8.0f} MB {more / size:6.2f} x")
        _clicks(page, server.pid)
        browser.close()


def _upload(page: Page, table: Path) -> None:
    start = time.perf_counter()
    page.get_by_label("File").set_input_files(table)
    expect(page.locator("data-grid .ag-cell").first).to_be_visible()
    _tell("upload to preview", time.perf_counter() - start, 10)
    expect(page.get_by_text("are unique on")).to_be_visible()
    _tell("upload to roles and who stands alone", time.perf_counter() - start)


def _clicks(page: Page, server: int) -> None:
    page.get_by_role("link", name="Protect", exact=True).click()
    page.get_by_role("button", name="Anonymize", exact=True).click()
    expect(page.locator("#running")).to_be_visible()
    clicks = [_click(page, server, list(ANSWERS)[i % len(ANSWERS)]) for i in range(N_CLICKS)]
    is_running = page.locator("#running").is_visible()
    spent = sorted(click["all"] for click in clicks)
    _tell(f"a click while a job runs, median of {N_CLICKS}", spent[len(spent) // 2], 0.2)
    _tell("  the slowest of them", spent[-1], 0.2)
    for what in ("until the server was told", "until its answer came", "until it was seen"):
        _tell(f"    {what}, at most", max(click[what] for click in clicks))
    _tell("    the server's processor time, at most", max(click["cpu"] for click in clicks))
    _tell("    its wait for a processor, at most", max(click["waited"] for click in clicks))
    print("The job was still running." if is_running else "The job had ended before the last click.")


def _click(page: Page, server: int, what: str) -> dict[str, float]:
    """Click, and say where the time went."""
    cpu, waited = _scheduled(server)
    page.evaluate("said => watch(...said)", [what, ANSWERS[what]])
    page.get_by_role("link", name=what, exact=True).click()
    while not page.evaluate("window.clicked && window.clicked.seen"):
        time.sleep(0.02)
    at = page.evaluate("window.clicked")
    used = [after - before for before, after in zip((cpu, waited), _scheduled(server), strict=True)]
    told, heard = at.get("told", at["at"]), at.get("heard", at["drawn"])
    return {
        "all": (at["seen"] - at["at"]) / 1e3,
        "until the server was told": (told - at["at"]) / 1e3,
        "until its answer came": max(0.0, heard - told) / 1e3,
        "until it was seen": (at["seen"] - max(heard, told)) / 1e3,
        "cpu": used[0],
        "waited": used[1],
    }


def _scheduled(pid: int) -> tuple[float, float]:
    """Seconds that the threads of a process ran, and that they were ready to run and did not."""
    said = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/schedstat")]
    return sum(int(one[0]) for one in said) / 1e9, sum(int(one[1]) for one in said) / 1e9


def _held(pid: int) -> list[float]:
    """Megabytes of the server, and of its children together."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [_rss(pid), sum(_rss(int(child)) for child in children)]


def _in_memory(table: Path) -> float:
    """What a process holds more once it has read the table, by the library's own reader."""
    script = (
        "import os, sys; sys.path[:0] = sys.argv[2:]\n"
        "from benchmarks.workbench_large import _rss; from shoal.engine.source import load\n"
        "from shoal.web.processes import give_back_memory\n"
        "idle = _rss(os.getpid()); kept = load(sys.argv[1]); give_back_memory(); print(_rss(os.getpid()) - idle)"
    )
    root = str(Path(__file__).parent.parent)
    said = subprocess.run([sys.executable, "-c", script, table, root], capture_output=True, text=True, check=True)
    return float(said.stdout)


def _rss(pid: int) -> float:
    said = Path(f"/proc/{pid}/status").read_text()
    return sum(int(kb) for kb in re.findall(r"Rss(?:Anon|Shmem):\s+(\d+) kB", said)) / 1e3


def _cpu(pid: int) -> float:
    """Seconds of processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _tell(what: str, seconds: float, most: float | None = None, cpu: float | None = None) -> None:
    spent = "" if cpu is None else f" ({cpu:.3f} s of the server's processor time)"
    verdict = "" if most is None else f"  (at most {most:g} s: {'met' if seconds <= most else 'MISSED'})"
    print(f"{what:40s} {seconds:8.2f} s{spent}{verdict}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
