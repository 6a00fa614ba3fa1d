"""No module imports itself through others, imports inside functions and those for types alone counted."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src"


def imports(source: Path) -> dict[str, set[str]]:
    """Which modules each module imports, wherever in the file it does so."""
    files = {_name(path, source): path for path in source.rglob("*.py")}
    found: dict[str, set[str]] = {}
    for name, path in files.items():
        nodes = [
            node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if not isinstance(node, ast.Name)
        ]
        plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        chosen = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
        below = {f"{node.module}.{alias.name}" for node in chosen for alias in node.names}
        inside = {
            str(node.module) for node in chosen if not all(f"{node.module}.{a.name}" in files for a in node.names)
        }
        found[name] = ((plain | below | inside) & set(files)) - {name}
    return found


def _name(path: Path, source: Path) -> str:
    return ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")


def test_no_module_imports_itself_through_others() -> None:
    TopologicalSorter(imports(SOURCE)).prepare()


def test_a_cycle_would_be_found(tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "__init__.py").write_text("")
    (tmp_path / "house" / "door.py").write_text("def open():\n    from house.key import turn\n    turn()\n")
    (tmp_path / "house" / "key.py").write_text("import house.door\n")
    with pytest.raises(CycleError):
        TopologicalSorter(imports(tmp_path)).prepare()
