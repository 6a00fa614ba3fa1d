"""The meaning of a published label: which values of the column it covers, whichever program printed it."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import cast

import numpy as np
import polars as pl

from shoal.core.arrays import Codes
from shoal.core.domain import Domain
from shoal.core.hierarchy import MISSING, STAR, Hierarchy
from shoal.core.number_texts import Exact, exact
from shoal.io.kinds import microseconds
from shoal.io.label_grammar import parse_label

_NUMBER = r"[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_ENDLESS = r"[-+−]?(?:inf|∞)"
_RANGE = re.compile(
    rf"^(?P<open>[\[(\]]?)\s*(?P<low>{_NUMBER}|{_ENDLESS})?\s*(?P<sign>\.\.\.?|…|,|;|:|–|—|-|~|\bto\b)\s*"
    rf"(?P<high>{_NUMBER}|{_ENDLESS})?\s*(?P<close>[\])\[]?)$"
)
_BOUND = re.compile(rf"^(?P<sign><=|≤|<|>=|≥|>)\s*(?P<number>{_NUMBER})$|^(?P<least>{_NUMBER})\s*\+$")
_BETWEEN = re.compile(r"\s*(?:\.\.\.?|…|–|—|~|\s-\s|\sto\s|,|;|/)\s*")
_STARS = frozenset("*∗＊•")
_SUPPRESSED = frozenset({"any", "(any)", "all", "(all)", "(suppressed)", "suppressed", "-*-"})
_MEMBER = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[^,;|]*)\s*(?:[,;|]|$)')

Bound = Exact | float
"""The position of a value on the line."""


class LabelReader:
    """Reads the labels of one column: values, hierarchy labels, ranges, sets, masks, stars.

    ``read`` returns the codes of the values that a label covers, ascending: an empty list if it is understood but no
    row has such a value, None if it is not understood. The hierarchy takes precedence over what a label looks like, and
    ``declared`` labels, each with the label to read instead, take precedence over everything.
    """

    def __init__(self, domain: Domain, hierarchy: Hierarchy | None, declared: Mapping[str, str] | None = None) -> None:
        self._domain = domain
        self._hierarchy = hierarchy
        self._declared = dict(declared or {})
        self._leaves = {text: code for code, text in reversed([*enumerate(domain.texts)]) if code != domain.missing}

    def read(self, label: str | None) -> Codes | None:
        """Return the codes of the values that a label covers."""
        if label is None:
            return self._missing()
        declared = self._declared
        meaning = declared.get(label, declared.get(label.strip(), label)) if declared else label
        ours = self._ours(meaning)
        return self._plain(meaning) if ours is None else ours

    def _ours(self, label: str) -> Codes | None:
        """Read a label in shoal's own format, with every value exactly as in the column; None if it is not one."""
        if label in self._nodes:
            return self._named(label)
        parsed = parse_label(label)
        if parsed.what == "any":
            return self._everything
        codes = [*map(self._leaves_and_missing.get, parsed.texts)]
        if None in codes:
            return None
        known = cast("list[int]", codes)
        if parsed.what == "range":
            is_range = self._domain.is_ordered and self._hierarchy is None and known[0] <= known[1]
            return np.arange(known[0], known[1] + 1, dtype=np.int32) if is_range else None
        return np.array(sorted(set(known)), np.int32)

    def _plain(self, label: str) -> Codes | None:
        """Read a label of any program, ignoring blanks around it."""
        label = label.strip()
        for meaning in (self._named, self._suppressed, self._set, self._range, self._number, self._mask, self._list):
            found = meaning(label)
            if found is not None:
                return found
        return None

    def _missing(self) -> Codes:
        """The missing value; everything if the original has none, for then it can only be a suppressed cell."""
        if self._domain.missing is None:
            return self._everything
        return np.array([self._domain.missing], np.int32)

    @cached_property
    def _leaves_and_missing(self) -> dict[str | None, int | None]:
        """The code of each text, and of the missing value in a set; None if the column has no missing value."""
        found: dict[str | None, int | None] = dict(self._leaves.items())
        return found | {None: self._domain.missing}

    @cached_property
    def _everything(self) -> Codes:
        return np.arange(self._domain.n_leaves, dtype=np.int32)

    @cached_property
    def _nodes(self) -> dict[str, tuple[int, int]]:
        """The widest node with each label of the hierarchy."""
        nodes: dict[str, tuple[int, int]] = {}
        for level in range(self._hierarchy.n_levels if self._hierarchy else 0):
            assert self._hierarchy is not None
            low, high = self._hierarchy.low[level].tolist(), self._hierarchy.high[level].tolist()
            nodes |= dict(zip(self._hierarchy.labels[level], zip(low, high, strict=True), strict=True))
        return nodes

    def _named(self, label: str) -> Codes | None:
        """A value or a label of the hierarchy; a value that is itself a star is written in quotes."""
        if label in self._leaves and label != STAR:
            return np.array([self._leaves[label]], np.int32)
        if label in self._nodes:
            low, high = self._nodes[label]
            return np.arange(low, high + 1, dtype=np.int32)
        if len(label) > 1 and label[0] == label[-1] == '"':
            return self._value(label)
        return self._missing() if label == MISSING else None

    def _suppressed(self, label: str) -> Codes | None:
        is_star = bool(label) and set(label) <= _STARS
        return self._everything if is_star or label.lower() in _SUPPRESSED else None

    def _set(self, label: str) -> Codes | None:
        """``{a, "b, c"}``, ``[a, b]`` or ``['a', 'b']``: values, or any other labels, in braces or brackets."""
        if len(label) < 2 or label[0] + label[-1] not in ("{}", "[]"):
            return None
        if label[0] == "[" and self._range(label) is not None:
            return None
        return self._union(_members(label[1:-1]))

    def _union(self, members: Iterable[str]) -> Codes | None:
        found = [self._value(member) if member[:1] in "\"'" and member else self._plain(member) for member in members]
        known = [codes for codes in found if codes is not None]
        return np.unique(np.concatenate(known)) if known and len(known) == len(found) else None

    def _value(self, quoted: str) -> Codes | None:
        text = re.sub(r"\\(.)", r"\1", quoted[1:-1])
        return np.array([self._leaves[text]], np.int32) if text in self._leaves else None

    @cached_property
    def _places(self) -> dict[int, Bound]:
        """The position of each value that has one: numbers and date-times exactly, others by their rank."""
        domain = self._domain
        places: list[Bound | None] = list(range(domain.n_leaves))
        if domain.kind == "numeric":
            places = [self._as_number(text) for text in domain.texts]
        elif domain.kind == "date":
            places = microseconds(domain.values).cast(pl.Int64).to_list()
        return {code: at for code, at in enumerate(places) if at is not None and code != domain.missing}

    @cached_property
    def _line(self) -> tuple[list[Bound], Codes]:
        """The sorted positions, and the codes at them."""
        codes = sorted(self._places, key=self._places.__getitem__)
        return [self._places[code] for code in codes], np.array(codes, np.int32)

    def _as_number(self, text: str) -> Bound | None:
        """The number in a text: exact, except in a column of floats, which are only close to their texts."""
        plain = text.replace("−", "-").replace("∞", "inf")
        try:
            number = float(plain)
            is_rounded = self._domain.values.dtype.is_float() or math.isinf(number)
            return number if is_rounded else exact(plain)
        except ValueError:
            return None

    def _within(self, low: Bound, high: Bound, *, with_low: bool = True, with_high: bool = True) -> Codes:
        places, codes = self._line
        first = (bisect_left if with_low else bisect_right)(places, low)
        last = (bisect_right if with_high else bisect_left)(places, high)
        return np.sort(codes[first:last])

    def _range(self, label: str) -> Codes | None:
        """``[17..30]``, ``17-30``, ``[1.5, 2.5)``, ``[..17]``, ``>= 65``, ``65+``; also of dates and ordinal values."""
        if self._domain.kind == "numeric":
            return self._numeric_range(label)
        return self._other_range(label) if self._domain.is_ordered else None

    def _numeric_range(self, label: str) -> Codes | None:
        if bound := _BOUND.match(label):
            sign, number = bound["sign"] or ">=", self._as_number(bound["number"] or bound["least"])
            if number is None:
                return None
            if "<" in sign or sign == "≤":
                return self._within(-math.inf, number, with_high=sign != "<")
            return self._within(number, math.inf, with_low=sign != ">")
        found = _RANGE.match(label)
        if not found or bool(found["open"]) != bool(found["close"]) or not _has_ends(found):
            return None
        low = self._as_number(found["low"]) if found["low"] else -math.inf
        high = self._as_number(found["high"]) if found["high"] else math.inf
        if low is None or high is None:
            return None
        return self._within(low, high, with_low=found["open"] in ("", "["), with_high=found["close"] in ("", "]"))

    def _other_range(self, label: str) -> Codes | None:
        inner = label[1:-1] if label[:1] in "[(" and label[-1:] in "])" and len(label) > 2 else label
        for sign in (r"\s*\.\.\.?\s*", _BETWEEN):
            ends = re.split(sign, inner)
            if len(ends) == 2 and any(ends):
                low, high = self._end(ends[0], -math.inf), self._end(ends[1], math.inf)
                if low is not None and high is not None:
                    return self._within(low, high, with_low=label[:1] != "(", with_high=label[-1:] != ")")
        return self._date_prefix(label)

    def _end(self, text: str, endless: float) -> Bound | None:
        """The position of one end of a range of dates or ordinal values."""
        if not text:
            return endless
        if (code := self._leaves.get(text)) in self._places or self._domain.kind != "date":
            return None if code is None else self._places.get(code)
        at: int | None = microseconds(pl.Series([text], dtype=pl.String)).cast(pl.Int64)[0]
        return at

    def _date_prefix(self, label: str) -> Codes | None:
        """``2024`` or ``2024-02``: all days in it."""
        if self._domain.kind != "date" or not re.fullmatch(r"\d{4}(-\d{2})?", label):
            return None
        inside = [code for text, code in self._leaves.items() if text.startswith(label + "-")]
        return np.array(sorted(inside), np.int32)

    def _number(self, label: str) -> Codes | None:
        """A number in any notation; empty if no value is equal."""
        if self._domain.kind != "numeric" or not re.fullmatch(_NUMBER, label):
            return None
        number = self._as_number(label)
        return None if number is None else self._within(number, number)

    def _mask(self, label: str) -> Codes | None:
        """``021**``: values of the same length with the same other characters; if none, values with this prefix."""
        if not set(label) & _STARS:
            return None
        plain = "".join("*" if character in _STARS else character for character in label)
        pattern = re.compile("".join("." if character == "*" else re.escape(character) for character in plain))
        found = [code for text, code in self._leaves.items() if pattern.fullmatch(text)]
        if not found and plain.rstrip("*") and "*" not in plain.rstrip("*"):
            found = [code for text, code in self._leaves.items() if text.startswith(plain.rstrip("*"))]
        return np.array(sorted(found), np.int32) if found else None

    def _list(self, label: str) -> Codes | None:
        """``a,b`` or ``a~b`` without braces, if every member is a value or a label of the hierarchy."""
        for sign in ",~;|":
            if sign in label:
                named = [self._named(member.strip()) for member in label.split(sign)]
                if all(codes is not None for codes in named):
                    return np.unique(np.concatenate([codes for codes in named if codes is not None]))
        return None


def _has_ends(found: re.Match[str]) -> bool:
    """Whether a range has both ends, or one end and a separator that cannot be a minus sign."""
    if found["low"] and found["high"]:
        return True
    return bool(found["low"] or found["high"]) and found["sign"] in ("..", "...", "…", ",", ";")


def _members(inner: str) -> list[str]:
    """The members of a set, quoted ones with their quotes."""
    members = [found[1].strip() for found in _MEMBER.finditer(inner)]
    return members[:-1] if members and not members[-1] else members
