"""Different spellings of one value: blanks, capitals, look-alike characters, yes and no in several languages."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence

from shoal.io.inspect.column_values import Advice, Sight
from shoal.io.lookalike_values import fold_text

_LOOKED_AT = 2_000
_DOUBTFUL = r"^ | $|  |[^ -~]"
"""Characters that folding might change; a text without them folds to itself."""

_LOOK_ALIKES = str.maketrans(
    "АВЕКМНОРСТУХІЅЈаеорсухіѕјΑΒΕΖΗΙΚΜΝΟΡΤΥΧο‐‑‒–—−’‘´`ʼ",
    "ABEKMHOPCTYXISJaeopcyxisjABEZHIKMNOPTYXo------'''''",
)  # fmt: skip
"""Cyrillic and Greek letters, dashes and apostrophes that look like Latin characters."""

_YES_WORDS = "yes|y|ja|j|oui|o|si|sí|sì|s|true|t|wahr|vrai|verdadero|vero|1|x"
_NO_WORDS = "no|n|nein|non|nee|false|f|falsch|faux|falso|0"
_YES, _NO = frozenset(_YES_WORDS.split("|")), frozenset(_NO_WORDS.split("|"))
_MOST_SHOWN = 3


def find_blanks(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find columns with values that have superfluous blanks, or accents that are encoded in another way."""
    for column in columns:
        if not column.is_text or not column.n_distinct:
            continue
        some = column.texts if column.is_list else column.texts.head(_LOOKED_AT)
        if any(text != fold_text(text) for text in some.filter(some.str.contains(_DOUBTFUL))):
            what = f"{column.name!r} has values with blanks around or inside them, or accents coded in two ways."
            yield Advice((column.name,), what, {"fold": [column.name]})


def find_variants(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find columns with values that differ only in spelling; the most frequent spelling is kept."""
    for column in columns:
        if not column.is_list or column.kind != "nominal":
            continue
        is_yes_no = _is_yes_no(column)
        same = _variants(column, _yes_or_no if is_yes_no else _skeleton)
        if same:
            pairs = [f"{variant!r} for {kept!r}" for variant, kept in same.items()]
            more = "; …" if len(pairs) > _MOST_SHOWN else ""
            what = "yes and no in several spellings" if is_yes_no else "values in several spellings"
            yield Advice(
                (column.name,),
                f"{column.name!r} has {what} ({'; '.join(pairs[:_MOST_SHOWN])}{more}).",
                {"spellings": {column.name: same}},
            )


def _variants(column: Sight, key: Callable[[str], str]) -> dict[str, str]:
    """Map each rarer spelling to the most frequent one with the same key, preferring one without look-alike letters."""
    kept: dict[str, str] = {}
    first = sorted(column.texts, key=lambda text: text.translate(_LOOK_ALIKES) != text)
    return {text: kept[key(text)] for text in first if kept.setdefault(key(text), text) != text}


def _skeleton(text: str) -> str:
    """What a text looks like, ignoring case; letters of other alphabets become the Latin letters they resemble."""
    plain = unicodedata.normalize("NFKC", text)
    latin = plain.translate(_LOOK_ALIKES)
    return (latin if latin.isascii() or not plain.isascii() else plain).casefold()


def _is_yes_no(column: Sight) -> bool:
    values = {text.casefold() for text in column.texts}
    has_both = values & _YES and values & _NO
    return bool(has_both and values <= _YES | _NO and any(text.isalpha() for text in values))


def _yes_or_no(text: str) -> str:
    return "yes" if text.casefold() in _YES else "no"
