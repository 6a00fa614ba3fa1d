"""Everything but Spark is imported and runs where the modules that only POSIX systems have are missing.

The library, the commands, and the workbench.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

MISSING = ("resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "syslog", "readline")

LINES = """
import sys
from pathlib import Path
for name in {missing!r}:
    sys.modules[name] = None  # type: ignore[assignment]
from shoal import *
import importlib, pkgutil, shoal, shoal.cli
for module in pkgutil.walk_packages(shoal.__path__, "shoal."):
    if not module.name.endswith("__main__") and ".spark" not in module.name:
        importlib.import_module(module.name)
folder = Path(sys.argv[1])
(folder / "people.csv").write_text("age,ill\\n" + "".join(f"{{30 + n % 3}},{{'ab'[n % 2]}}\\n" for n in range(12)))
said = ["anonymize", str(folder / "people.csv"), "--quasi", "age", "--sensitive", "ill", "--k", "2", "-q"]
assert shoal.cli.main([*said, "-o", str(folder / "release.csv")]) == 0
assert shoal.cli.main([*said, "-o", str(folder / "pieces.csv"), "--memory", "8GiB"]) == 0
both = [str(folder / "people.csv"), str(folder / "release.csv"), "--quasi", "age", "--sensitive", "ill"]
assert shoal.cli.main(["verify", both[1], "--quasi", "age", "--k", "2", "-q"]) == 0
assert shoal.cli.main(["inspect", both[0], "-q"]) == 0
assert shoal.cli.main(["audit", *both, "-q"]) in (0, 1)
assert shoal.cli.main(["usefulness", *both[:4], "-q"]) == 0

from shoal.web.app import create_app
from shoal.web.desk_process import Answers
from shoal.web.folders import PrivateFolder
from shoal.web.settings import Settings
private = PrivateFolder(folder)
assert create_app(Settings(), private) is not None
private.wipe()
desk = Answers(folder)
assert desk.open("people.csv", {{}})["n_rows"] == 12
"""


def test_without_the_modules_of_posix(tmp_path: Path) -> None:
    lines = LINES.format(missing=MISSING)
    done = subprocess.run(
        [sys.executable, "-c", lines, str(tmp_path)], check=False, env=os.environ, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "release.csv").read_text().splitlines()) == 13
    assert len((tmp_path / "pieces.csv").read_text().splitlines()) == 13
