"""The words of a job that are about columns: which there are, and the same words with one of them changed.

Every function takes words and gives new ones; none changes what it was given.
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
"""Roles, and what job files call the columns that have them."""

SINGLE_ROLES = {"person": "person", "sample weight": "sample_weight"}
"""Roles that only one column has."""

ROLES = {role: role for role in get_args(Role)} | {"masked": "free text, masked"}
"""Every role that a column can be given, and what lists call it."""

Found = Sequence[Mapping[str, Any]]
"""What inspection tells of each column."""

STARTING: JobWords = {"privacy": {"k": 5}}
"""What is said of a table before anybody has looked at it."""

MOST_LIVE = 10_000
"""Rows up to which t-closeness can be previewed while the slider moves: a third of a second or less."""

BY_FREQUENCY: JobWords = {"l": {"l": 2.2, "kind": "frequency"}}
"""No value for more than 45% of the records that may be a person's, so that none is likely (50%)."""

BY_ORDER: JobWords = {"t": {"t": 0.15, "distance": "ordered"}}
"""Numbers of a class spread nearly as those of the table, so that nobody's is known closely."""

BY_CLOSENESS: dict[bool, JobWords] = {False: {"t": 0.3}, True: {"t": 0.2}}
"""What is left where one value has most of the rows: distances, smaller where there are but two values."""

MOST_COMMON = 0.4
"""The share of the commonest value up to which by frequency costs little; above 45% no release could keep it."""


def has_roles(words: JobWords) -> bool:
    """Whether any column was given a role."""
    return any(words.get(word) for word in ROLE_WORDS.values())


def role(words: JobWords, column: str) -> str:
    """The role of a column; "other" where it was given none."""
    single = next((role for role, word in SINGLE_ROLES.items() if words.get(word) == column), None)
    return single or next((role for role, word in ROLE_WORDS.items() if column in words.get(word, [])), "other")


def with_role(
    words: JobWords, column: str, role: str, order: Sequence[str], found: Found = (), n_rows: int = 0
) -> JobWords:
    """Another role for a column; columns of a role stand in ``order``. ``found`` is what inspection tells of each."""
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
    """The roles that an inspection suggests; a person's key is dropped until somebody says whose rows they are."""
    words = copy.deepcopy(words)
    for column in columns:
        if column["role"] != "other":
            words.setdefault(ROLE_WORDS.get(column["role"], "identifiers"), []).append(column["name"])
    return with_suggested_privacy(words, columns, n_rows)


def with_suggested_privacy(words: JobWords, found: Found, n_rows: int) -> JobWords:
    """Beside k what stops the values of a sensitive column from giving people away, unless a model was chosen.

    k-anonymity says nothing about them, so that a release by k alone would fail its audit. With several sensitive
    columns each is known to the attacker of the others, which costs so much that a person has to decide; without any
    there is nothing to protect.
    """
    begun = [{**STARTING["privacy"], **more} for more in ({}, BY_FREQUENCY, BY_ORDER, *BY_CLOSENESS.values())]
    sensitive = [column for column in found if column["name"] in words.get("sensitive", [])]
    if words.get("privacy") not in begun:
        return words
    more = _suggested(sensitive[0], n_rows) if len(words.get("sensitive", [])) == 1 and sensitive else {}
    return {**words, "privacy": copy.deepcopy({**STARTING["privacy"], **more})}


def _suggested(column: Mapping[str, Any], n_rows: int) -> JobWords:
    """What stops the values of one sensitive column from giving people away, at the least loss.

    t-closeness would make the slider wait on a larger table: there the audit says what is needed.
    """
    is_measured = column["kind"] in ("numeric", "date")
    if not is_measured and column["largest_share"] <= MOST_COMMON:
        return BY_FREQUENCY
    if n_rows > MOST_LIVE:
        return {}
    return BY_ORDER if is_measured else BY_CLOSENESS[column["n_distinct"] <= 2]


def fitting_hierarchies(words: JobWords, found: Mapping[str, Any]) -> dict[str, Any]:
    """Hierarchies that an inspection offers to quasi-identifiers without one.

    A column that is to be read otherwise first, such as dates that are texts yet, has to wait until it is; one that is
    put into bands has other values than those that were looked at.
    """
    unread = {name for one in found["advice"] if {*one["words"]} & {*Reading.model_fields} for name in one["columns"]}
    settled = {*words.get("hierarchies", {}), *words.get("bands", {})}
    wanted = {*words.get("quasi_identifiers", [])} - settled - unread
    return {name: fit["spec"] for name, fit in found["hierarchies"].items() if name in wanted}


def with_hierarchies(words: JobWords, specs: Mapping[str, object]) -> JobWords:
    """Hierarchies for some columns; None takes a column's away."""
    trees = {**words.get("hierarchies", {}), **specs}
    return {**words, "hierarchies": {name: one for name, one in trees.items() if one is not None}}


def with_kind(words: JobWords, column: str, kind: str | None) -> JobWords:
    """What the values of a column are; None leaves it to what was found."""
    kinds = {name: one for name, one in words.get("kinds", {}).items() if name != column}
    return {**words, "kinds": kinds | ({column: kind} if kind else {})}


def with_policy(words: JobWords, policy: str, wanted: Mapping[str, Any]) -> JobWords:
    """What a policy asks for, in place of what was said of the same; roles of columns it does not name stay."""
    new = {key: list(value) if isinstance(value, tuple) else value for key, value in wanted.items()}
    roles = [word for word in ROLE_WORDS.values() if word in new]
    named = {name for word in roles for name in new[word]}
    kept = {word: [name for name in words.get(word, []) if name not in named] for word in ROLE_WORDS.values()}
    merged = {word: [*kept[word], *new.get(word, [])] for word in kept} if roles else {}
    return {**words, **new, **merged, "policy": policy}
