"""A recoding that is learned once and applied to new rows later: how it is saved and read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from shoal import models
from shoal.core.contracts import PrivacyModel
from shoal.core.domain import Domain
from shoal.core.hierarchy import Hierarchy
from shoal.core.node import chosen_levels
from shoal.engine.file_formats import RECODING
from shoal.engine.provenance import options_of
from shoal.engine.unseen_values import builder_data
from shoal.engine.verified_release import VerifiedRelease
from shoal.errors import InputError
from shoal.io.location import check_regular


def recoding_text(result: VerifiedRelease) -> str:
    """The recoding of a full-domain release as JSON: roles, levels, hierarchies, models. For internal use only.

    Raises:
        InputError: the release does not have one level per column, so its recoding does not fit other rows.
    """
    levels = chosen_levels(result.release)
    if levels is None:
        raise InputError(
            "Only a full-domain release has a recoding that fits other rows; "
            "publish with the algorithm 'lattice', 'samarati' or 'incognito'."
        )
    if result.preparation.says_something:
        raise InputError(
            "A saved recoding is applied to rows as they are, and this run prepares them first (top, rounding, …); "
            "save the prepared table as a file and anonymize that, or leave out save_recoding."
        )
    table, schema = result.release.table, result.schema
    nested = {column.name: (column.domain, getattr(column.recoding, "hierarchy", None)) for column in table.quasi}
    nested |= {column.name: (column.domain, column.hierarchy) for column in table.sensitive}
    said = {
        "format": RECODING.mark,
        **{role: list(getattr(schema, role)) for role in ("identifiers", "quasi_identifiers", "sensitive")},
        "others": [n for n in table.passengers.columns if n not in (*schema.sensitive, *schema.masked)],
        "masked": list(schema.masked),
        "levels": list(levels),
        "hierarchies": {
            name: _rows(domain, tree) for name, (domain, tree) in nested.items() if name in schema.hierarchies and tree
        },
        "builders": {
            name: data for name, made in schema.hierarchies.items() if (data := builder_data(made)) is not None
        },
        "kinds": dict(schema.kinds),
        "orders": {name: list(order) for name, order in schema.orders.items()},
        "recodings": dict(schema.recodings),
        "missing": schema.missing,
        "person": schema.person,
        "sample_weight": schema.sample_weight,
        "adjust_weights": schema.adjust_weights,
        "privacy": [_promise_data(promise.as_said) for promise in result.goal.promises],
        "suppression_limit": result.goal.suppression_limit,
        "metric": result.goal.metric.name,
    }
    return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


def read_recoding(path: Path) -> dict[str, Any]:
    """Read a file written by ``recoding_text``.

    Raises:
        InputError: it is missing, cannot be read, or is not a recoding.
    """
    check_regular(path)
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"There is no recoding {str(path)!r}.") from None
    except IsADirectoryError:
        raise InputError(f"{str(path)!r} is a folder; give the file that --save-recoding wrote.") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as problem:
        raise InputError(f"The recoding {str(path)!r} cannot be read: {problem}.") from None
    if not isinstance(said, dict):
        raise InputError(f"{str(path)!r} is not a recoding; make one with --save-recoding.")
    return RECODING.read(said, repr(str(path)))


def promise_of(entry: dict[str, Any]) -> PrivacyModel:
    """The saved privacy model."""
    values = dict(entry)
    made: PrivacyModel = models.ALL[values.pop("promise")](**values)
    return made


def _rows(domain: Domain, tree: Hierarchy) -> list[list[str]]:
    """The hierarchy without the missing value, which is added automatically."""
    return [row for leaf, row in enumerate(tree.to_rows()) if leaf != domain.missing]


def _promise_data(promise: PrivacyModel) -> dict[str, Any]:
    return {"promise": promise.name, **options_of(promise)}
