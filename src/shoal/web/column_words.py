"""The words of a job that are about columns: which there are, and the same words with one of them changed.

Every function takes words and gives new ones; none changes what it was given.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from shoal.audit import ALL as ATTACKS
from shoal.core.schema import Role
from shoal.engine.vocabulary import Reading

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

Words = dict[str, Any]

STARTING: Words = {"privacy": {"k": 5}}
"""What is said of a table before anybody has looked at it."""

MOST_LIVE = 10_000
"""Rows up to which a model about values can be previewed while the slider moves: a third of a second or less."""


def has_roles(words: Words) -> bool:
    """Whether any column was given a role."""
    return any(words.get(word) for word in ROLE_WORDS.values())


def role(words: Words, column: str) -> str:
    """The role of a column; "other" where it was given none."""
    single = next((role for role, word in SINGLE_ROLES.items() if words.get(word) == column), None)
    return single or next((role for role, word in ROLE_WORDS.items() if column in words.get(word, [])), "other")


def with_role(words: Words, column: str, role: str, order: Sequence[str], n_rows: int = 0) -> Words:
    """Another role for a column; columns of a role stand in ``order``."""
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
    return with_suggested_privacy(words, n_rows) if has_changed else words


def with_suggested_roles(words: Words, columns: Sequence[Mapping[str, Any]], n_rows: int = 0) -> Words:
    """The roles that an inspection suggests; a person's key is dropped until somebody says whose rows they are."""
    words = copy.deepcopy(words)
    for column in columns:
        if column["role"] != "other":
            words.setdefault(ROLE_WORDS.get(column["role"], "identifiers"), []).append(column["name"])
    return with_suggested_privacy(words, n_rows)


def with_suggested_privacy(words: Words, n_rows: int) -> Words:
    """Beside k what stops the values of a sensitive column from giving people away, unless a model was chosen.

    k-anonymity says nothing about them, so that a release by k alone would fail its audit. With several sensitive
    columns each is known to the attacker of the others, which costs so much that a person has to decide; without any
    there is nothing to protect. On a larger table it would make the slider wait: there the audit says what is needed.
    """
    (flag, value), *_ = ATTACKS["skewness"].stopped_by
    alone, both = STARTING["privacy"], {**STARTING["privacy"], flag: float(value)}
    if words.get("privacy") not in (alone, both):
        return words
    is_single = len(words.get("sensitive", [])) == 1
    return {**words, "privacy": dict(both if is_single and n_rows <= MOST_LIVE else alone)}


def fitting_hierarchies(words: Words, found: Mapping[str, Any]) -> dict[str, Any]:
    """Hierarchies that an inspection offers to quasi-identifiers without one.

    A column that is to be read otherwise first, such as dates that are texts yet, has to wait until it is; one that is
    put into bands has other values than those that were looked at.
    """
    unread = {name for one in found["advice"] if {*one["words"]} & {*Reading.model_fields} for name in one["columns"]}
    settled = {*words.get("hierarchies", {}), *words.get("bands", {})}
    wanted = {*words.get("quasi_identifiers", [])} - settled - unread
    return {name: fit["spec"] for name, fit in found["hierarchies"].items() if name in wanted}


def with_hierarchies(words: Words, specs: Mapping[str, object]) -> Words:
    """Hierarchies for some columns; None takes a column's away."""
    trees = {**words.get("hierarchies", {}), **specs}
    return {**words, "hierarchies": {name: one for name, one in trees.items() if one is not None}}


def with_kind(words: Words, column: str, kind: str | None) -> Words:
    """What the values of a column are; None leaves it to what was found."""
    kinds = {name: one for name, one in words.get("kinds", {}).items() if name != column}
    return {**words, "kinds": kinds | ({column: kind} if kind else {})}


def with_policy(words: Words, policy: str, wanted: Mapping[str, Any]) -> Words:
    """What a policy asks for, in place of what was said of the same; roles of columns it does not name stay."""
    new = {key: list(value) if isinstance(value, tuple) else value for key, value in wanted.items()}
    roles = [word for word in ROLE_WORDS.values() if word in new]
    named = {name for word in roles for name in new[word]}
    kept = {word: [name for name in words.get(word, []) if name not in named] for word in ROLE_WORDS.values()}
    merged = {word: [*kept[word], *new.get(word, [])] for word in kept} if roles else {}
    return {**words, **new, **merged, "policy": policy}
