"""Put the site that was built beside those of other versions: ``python packaging/site_versions.py SITE FOLDER``.

FOLDER has one folder per minor version, ``versions.json``, from which every page makes its switcher, and an
``index.html`` that leads to the newest one. The same version again replaces its folder; other versions are not touched.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
_LEADS = (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={0}/"><a href="{0}/">{0}</a>\n'
)


def minor_version() -> str:
    """The version of this project without its last number: repairs replace the pages of what they repair."""
    version: str = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]
    return ".".join(version.split(".")[:2])


def publish(site: Path, folder: Path, version: str) -> list[str]:
    """Copy a built site, and list all versions that are there, the newest first."""
    if not (site / "index.html").is_file():
        raise SystemExit(f"There is no site in {str(site)!r}; make site builds it.")
    shutil.rmtree(folder / version, ignore_errors=True)
    shutil.copytree(site, folder / version)
    there = [path.parent.name for path in folder.glob("*/index.html") if re.fullmatch(r"\d+\.\d+", path.parent.name)]
    found = sorted(there, key=lambda one: [int(part) for part in one.split(".")], reverse=True)
    listed = [{"version": one, "title": one, "aliases": ["latest"] if one == found[0] else []} for one in found]
    (folder / "versions.json").write_text(json.dumps(listed, indent=2) + "\n", encoding="utf-8")
    (folder / "index.html").write_text(_LEADS.format(found[0]), encoding="utf-8")
    return found


if __name__ == "__main__":
    sys.stdout.write("\n".join([*publish(Path(sys.argv[1]), Path(sys.argv[2]), minor_version()), ""]))
