"""No module imports itself through others: imports inside functions, by name and for types alone are counted."""

from __future__ import annotations

import ast
import re
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
        plain |= {text for node in nodes for text in _named_imports(node)}
        chosen = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
        below = {f"{node.module}.{alias.name}" for node in chosen for alias in node.names}
        inside = {
            str(node.module) for node in chosen if not all(f"{node.module}.{a.name}" in files for a in node.names)
        }
        found[name] = (plain | below | inside) & set(files)
    return found


def _named_imports(node: ast.AST) -> list[str]:
    """The modules that are imported by name: by ``import_module``, or as ``module:object`` once that is used."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "import_module":
        return [str(one.value) for one in node.args if isinstance(one, ast.Constant)]
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    found = re.fullmatch(r"(\w+(?:\.\w+)+):\w+", str(node.value)) if is_text else None  # type: ignore[attr-defined]
    return [found[1]] if found else []


def _name(path: Path, source: Path) -> str:
    return ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")


def test_no_module_imports_itself_through_others() -> None:
    TopologicalSorter(imports(SOURCE)).prepare()


@pytest.mark.parametrize(
    "line",
    [
        "from house.key import turn",
        "import house.key",
        "import_module('house.key')",
        "return 'house.key:turn'",
        "if TYPE_CHECKING:\n        from house import key",
    ],
)
def test_a_cycle_would_be_found(line: str, tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "__init__.py").write_text("")
    (tmp_path / "house" / "door.py").write_text(f"def open():\n    {line}\n")
    (tmp_path / "house" / "key.py").write_text("import house.door\n")
    with pytest.raises(CycleError):
        TopologicalSorter(imports(tmp_path)).prepare()


PACKAGES = [path.parent for path in sorted(SOURCE.glob("shoal/*/**/__init__.py"))]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_every_package_says_what_is_in_it(package: Path) -> None:
    """Each of its files and folders is named in its first lines, or is one of the plug-ins that it lists.

    ``name_`` in the guide stands for all files that begin so.
    """
    text = (package / "__init__.py").read_text(encoding="utf-8")
    guide = ast.get_docstring(ast.parse(text), clean=False) or ""
    inside = {path.stem for path in package.glob("*.py")} | {path.parent.name for path in package.glob("*/__init__.py")}
    listed = {*re.findall(r"\w+", text.replace(guide, ""))}
    begins = tuple(re.findall(r"``(\w+_)``", guide)) or ("/",)
    unnamed = {name for name in inside - {"__init__"} - listed if f"``{name}``" not in guide}
    assert {name for name in unnamed if not name.startswith(begins)} == set()
    for order in re.findall(r"Read in this order.*?(?:\n\n|\Z)", guide, re.DOTALL):
        assert {*re.findall(r"``([a-z_0-9]+)``", order)} <= inside, "the guide names what is not there"


FAMILIES = [path for path in PACKAGES if len([*path.glob("*.py")]) > 3]


@pytest.mark.parametrize("package", FAMILIES, ids=lambda path: path.name)
def test_every_family_says_in_which_order_to_read_it(package: Path) -> None:
    guide = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert "Read in this order" in guide or re.search(r"one (\w+ )?(a|per)\s+file", guide, re.IGNORECASE)


def test_the_page_on_architecture_names_every_package() -> None:
    page = (SOURCE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    names = {path.relative_to(SOURCE / "shoal").as_posix() for path in PACKAGES}
    assert {name for name in names if f"`{name.removeprefix('algorithms/')}/`" not in page} == set()
    modules = {path.name for path in (SOURCE / "shoal").glob("*.py") if not path.name.startswith("__")}
    assert {name for name in modules - {"errors.py"} if f"`{name}`" not in page} == set()


SHARED_NAMES = {"Usefulness": "a metric, and what usefulness came to", "Ladder": "the levels of a column, of two kinds"}
"""Names of several classes, and why."""


def test_a_class_name_has_one_meaning() -> None:
    """Outside kernels, whose tuples may be called like what they are made from."""
    homes: dict[str, list[str]] = {}
    for path in (SOURCE / "shoal").rglob("*.py"):
        if path.parent.name != "kernels":
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes.setdefault(node.name, []).append(path.relative_to(SOURCE).as_posix())
    assert {name: paths for name, paths in homes.items() if len(paths) > 1 and name not in SHARED_NAMES} == {}
