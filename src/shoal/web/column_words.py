"""The settings of a job that concern columns: reading them, and changing one of them.

Every function returns new settings; none changes its arguments.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from shoal.core.schema import Role
from shoal.engine.vocabulary import Reading
from shoal.web.history import JobWords

ROLE_WORDS = {
    "identifier": "identifiers",
    "quasi-identifier": "quasi_identifiers",
    "sensitive": "sensitive",
    "other": "others",
    "masked": "masked",
}
"""Roles, and the settings that list the columns with each."""

SINGLE_ROLES = {"person": "person", "sample weight": "sample_weight"}
"""Roles that only one column can have."""

ROLES = {role: role for role in get_args(Role)} | {"masked": "free text, masked"}
"""Every role that a column can have, and its label."""

Found = Sequence[Mapping[str, Any]]
"""The results of the inspection for each column."""

STARTING: JobWords = {"privacy": {"k": 5}}
"""The settings of a new table before its inspection."""

MOST_LIVE = 10_000
"""Number of rows up to which t-closeness can be previewed while the slider moves: a third of a second or less."""

BY_FREQUENCY: JobWords = {"l": {"l": 2.2, "kind": "frequency"}}
"""No value occurs in more than 45% of the records that may be a person's, so that none is likely (50%)."""

BY_ORDER: JobWords = {"t": {"t": 0.15, "distance": "ordered"}}
"""The numbers of a class are distributed nearly as in the table, so that nobody's is known closely."""

BY_CLOSENESS: dict[bool, JobWords] = {False: {"t": 0.3}, True: {"t": 0.2}}
"""The choice if one value has most of the rows: distances, smaller if there are only two values."""

MOST_COMMON = 0.4
"""Largest share of the commonest value at which the frequency model costs little; above 45% no release satisfies it."""


def has_roles(words: JobWords) -> bool:
    """Whether any column has a role."""
    return any(words.get(word) for word in ROLE_WORDS.values())


def role(words: JobWords, column: str) -> str:
    """The role of a column; "other" if none is set."""
    single = next((role for role, word in SINGLE_ROLES.items() if words.get(word) == column), None)
    return single or next((role for role, word in ROLE_WORDS.items() if column in words.get(word, [])), "other")


def with_role(
    words: JobWords, column: str, role: str, order: Sequence[str], found: Found = (), n_rows: int = 0
) -> JobWords:
    """Change the role of a column; columns of a role are kept in ``order``. ``found`` is the inspection of each."""
    words, n_sensitive = copy.deepcopy(words), len(words.get("sensitive", []))
    for word in ROLE_WORDS.values():
        words[word] = [name for name in words.get(word, []) if name != column]
    words = {word: said for word, said in words.items() if word not in SINGLE_ROLES.values() or said != column}
    if role in SINGLE_ROLES:
        words[SINGLE_ROLES[role]] = column
    else:
        chosen = {*words[ROLE_WORDS[role]], column}
        words[ROLE_WORDS[role]] = [name for name in order if name in chosen]
    has_changed = len(words["sensitive"]) != n_sensitive
    return with_suggested_privacy(words, found, n_rows) if has_changed else words


def with_suggested_roles(words: JobWords, columns: Found, n_rows: int = 0) -> JobWords:
    """Set the roles that an inspection suggests; a person key is dropped until the user declares it as such."""
    words = copy.deepcopy(words)
    for column in columns:
        if column["role"] != "other":
            words.setdefault(ROLE_WORDS.get(column["role"], "identifiers"), []).append(column["name"])
    return with_suggested_privacy(words, columns, n_rows)


def with_suggested_privacy(words: JobWords, found: Found, n_rows: int) -> JobWords:
    """Add to k a model that protects the values of a sensitive column, unless the user chose one.

    k-anonymity does not protect them, so a release with k alone would fail its audit. With several sensitive columns,
    an attacker on one knows the others; protection then costs so much that the user must decide. Without any, there is
    nothing to protect.
    """
    begun = [{**STARTING["privacy"], **more} for more in ({}, BY_FREQUENCY, BY_ORDER, *BY_CLOSENESS.values())]
    sensitive = [column for column in found if column["name"] in words.get("sensitive", [])]
    if words.get("privacy") not in begun:
        return words
    more = _suggested(sensitive[0], n_rows) if len(words.get("sensitive", [])) == 1 and sensitive else {}
    return {**words, "privacy": copy.deepcopy({**STARTING["privacy"], **more})}


def _suggested(column: Mapping[str, Any], n_rows: int) -> JobWords:
    """The model that protects the values of one sensitive column at the least information loss.

    On a larger table t-closeness would slow down the slider: there the audit says what is needed.
    """
    is_measured = column["kind"] in ("numeric", "date")
    if not is_measured and column["largest_share"] <= MOST_COMMON:
        return BY_FREQUENCY
    if n_rows > MOST_LIVE:
        return {}
    return BY_ORDER if is_measured else BY_CLOSENESS[column["n_distinct"] <= 2]


def fitting_hierarchies(words: JobWords, found: Mapping[str, Any]) -> dict[str, Any]:
    """Hierarchies that an inspection suggests for quasi-identifiers without one.

    A column that must first be read differently, such as dates that are still texts, has to wait until it is; a column
    in bands has other values than those inspected.
    """
    unread = {name for one in found["advice"] if {*one["words"]} & {*Reading.model_fields} for name in one["columns"]}
    settled = {*words.get("hierarchies", {}), *words.get("bands", {})}
    wanted = {*words.get("quasi_identifiers", [])} - settled - unread
    return {name: fit["spec"] for name, fit in found["hierarchies"].items() if name in wanted}


def with_hierarchies(words: JobWords, specs: Mapping[str, object]) -> JobWords:
    """Set the hierarchies of some columns; None removes one."""
    trees = {**words.get("hierarchies", {}), **specs}
    return {**words, "hierarchies": {name: one for name, one in trees.items() if one is not None}}


def with_kind(words: JobWords, column: str, kind: str | None) -> JobWords:
    """Set the kind of a column's values; None leaves it to detection."""
    kinds = {name: one for name, one in words.get("kinds", {}).items() if name != column}
    return {**words, "kinds": kinds | ({column: kind} if kind else {})}


def with_policy(words: JobWords, policy: str, wanted: Mapping[str, Any]) -> JobWords:
    """Apply a policy, which replaces settings of the same name; roles of columns that it does not name stay."""
    new = {key: list(value) if isinstance(value, tuple) else value for key, value in wanted.items()}
    roles = [word for word in ROLE_WORDS.values() if word in new]
    named = {name for word in roles for name in new[word]}
    kept = {word: [name for name in words.get(word, []) if name not in named] for word in ROLE_WORDS.values()}
    merged = {word: [*kept[word], *new.get(word, [])] for word in kept} if roles else {}
    return {**words, **new, **merged, "policy": policy}
