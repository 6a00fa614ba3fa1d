"""Learn a recoding once, apply it to new rows later."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal import models
from shoal.core.contracts import PrivacyModel
from shoal.core.domain import Domain
from shoal.core.hierarchy import Hierarchy
from shoal.core.progress import Progress
from shoal.engine.anonymizing import anonymize
from shoal.engine.levels import chosen_levels
from shoal.engine.record import options_of
from shoal.engine.self_audit import Auditing
from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.engine.result import Result

FORMAT = "shoal recoding 1"


def recoding_text(result: Result) -> str:
    """The recoding of a full-domain release as JSON: roles, levels, hierarchies, promises. For the house alone.

    Raises:
        InputError: the release has not one level per column, so its recoding does not fit other rows.
    """
    levels = chosen_levels(result.release)
    if levels is None:
        raise InputError(
            "Only a full-domain release has a recoding that fits other rows; "
            "publish with the algorithm 'lattice', 'samarati' or 'incognito'."
        )
    table, schema = result.release.table, result.schema
    nested = {column.name: (column.domain, getattr(column.recoding, "hierarchy", None)) for column in table.quasi}
    nested |= {column.name: (column.domain, column.hierarchy) for column in table.sensitive}
    said = {
        "format": FORMAT,
        **{role: list(getattr(schema, role)) for role in ("identifiers", "quasi_identifiers", "sensitive", "others")},
        "levels": list(levels),
        "hierarchies": {
            name: _rows(domain, tree) for name, (domain, tree) in nested.items() if name in schema.hierarchies and tree
        },
        "kinds": dict(schema.kinds),
        "orders": {name: list(order) for name, order in schema.orders.items()},
        "recodings": dict(schema.recodings),
        "missing": schema.missing,
        "privacy": [_promise_data(promise) for promise in result.goal.promises],
        "suppression_limit": result.goal.suppression_limit,
        "metric": result.goal.metric.name,
    }
    return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def apply(
    recoding: str | Path,
    data: str | Path | Any,
    *,
    progress: Progress | None = None,
    audit: Auditing = "quick",
    seed: int | None = None,
    **reading: Any,
) -> Result:
    """Publish new rows with the recoding of an earlier release, every promise checked on them again.

    Args:
        recoding: the file that ``Result.save_recoding`` wrote.
        data: the new rows, a path or a frame.
        progress: told what is going on.
        audit: as in ``anonymize``.
        seed: as in ``anonymize``.
        reading: how to read a file, as in ``anonymize``.

    Raises:
        InputError: the file is no recoding, or the new rows hold a value that its hierarchies do not know.
        GoalNotMet: too many of the new rows would have to be suppressed.
    """
    said = _read(Path(recoding))
    words = {key: said[key] for key in said.keys() - {"format", "hierarchies", "privacy"}}
    hierarchies = {name: Hierarchy.from_rows(rows, name) for name, rows in said["hierarchies"].items()}
    privacy = [_promise(entry) for entry in said["privacy"]]
    words |= {"privacy": privacy, "hierarchies": hierarchies, "audit": audit, "seed": seed}
    return anonymize(data, progress=progress, **words, **reading)


def _rows(domain: Domain, tree: Hierarchy) -> list[list[str]]:
    """The hierarchy without the missing value, which finds its place by itself."""
    return [row for leaf, row in enumerate(tree.to_rows()) if leaf != domain.missing]


def _promise_data(promise: PrivacyModel) -> dict[str, Any]:
    return {"promise": promise.name, **options_of(promise)}


def _promise(entry: dict[str, Any]) -> PrivacyModel:
    values = dict(entry)
    made: PrivacyModel = models.ALL[values.pop("promise")](**values)
    return made


def _read(path: Path) -> dict[str, Any]:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"There is no recoding {str(path)!r}.") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as problem:
        raise InputError(f"The recoding {str(path)!r} cannot be read: {problem}.") from None
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise InputError(f"{str(path)!r} is not a recoding; make one with --save-recoding.")
    return said
