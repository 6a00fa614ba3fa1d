"""Ordered categories: scales, and ranges of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shoal.io.inspect.column_values import Advice, Sight

SCALES = (
    "very low|low|lower|medium low|mid|middle|medium|moderate|average|medium high|high|higher|very high",
    "sehr niedrig|niedrig|gering|mittel|hoch|sehr hoch",
    "très faible|tres faible|faible|moyen|moyenne|élevé|élevée|eleve|haut|fort|très élevé",
    "muy bajo|bajo|baja|medio|media|alto|alta|muy alto",
    "molto basso|basso|bassa|medio|media|alto|alta|molto alto",
    "laag|midden|gemiddeld|hoog",
    "none|mild|slight|moderate|severe|very severe|critical",
    "keine|leicht|mittel|mäßig|schwer|sehr schwer",
    "strongly disagree|disagree|somewhat disagree|neither agree nor disagree|neutral|undecided|somewhat agree|agree|"
    "strongly agree",
    "stimme gar nicht zu|stimme nicht zu|stimme eher nicht zu|teils teils|teils/teils|neutral|stimme eher zu|stimme zu|"
    "stimme voll zu|stimme völlig zu",
    "pas du tout d'accord|pas d'accord|plutôt pas d'accord|neutre|ni d'accord ni pas d'accord|plutôt d'accord|"
    "d'accord|tout à fait d'accord",
    "muy en desacuerdo|en desacuerdo|neutral|ni de acuerdo ni en desacuerdo|de acuerdo|muy de acuerdo",
    "never|almost never|rarely|seldom|sometimes|occasionally|often|usually|very often|almost always|always",
    "nie|selten|manchmal|gelegentlich|oft|häufig|sehr oft|immer",
    "jamais|rarement|parfois|souvent|toujours",
    "nunca|raramente|rara vez|a veces|a menudo|frecuentemente|siempre",
    "mai|raramente|a volte|spesso|sempre",
    "very poor|very bad|poor|bad|fair|average|good|very good|excellent",
    "ungenügend|mangelhaft|ausreichend|befriedigend|gut|sehr gut",
    "very dissatisfied|dissatisfied|neutral|satisfied|very satisfied",
    "sehr unzufrieden|unzufrieden|neutral|zufrieden|sehr zufrieden",
    "extra small|xxs|xs|small|s|m|medium|l|large|xl|extra large|xxl|xxxl",
    "daily|weekly|monthly|quarterly|yearly",
    "first|second|third|fourth|fifth",
    "i|ii|iii|iv|v|vi",
)
"""Scales from low to high, in lower case; a column may lack some steps."""

_RANKS = [{step: rank for rank, step in enumerate(scale.split("|"))} for scale in SCALES]
_NUMBER = r"(\d+(?:[.,]\d+)?)"
_BELOW = r"(<|>|≤|≥|unter |über |under |over )?"
_RANGE = re.compile(rf"\D{{0,12}}?{_BELOW}\s*{_NUMBER}\s*(?:(?:-|–|bis|to|à|a)\s*{_NUMBER}|(\+)|\D{{0,12}})?\D{{0,12}}")
_FEWEST, _MOST = 3, 40


def find(columns: Sequence[Sight]) -> Iterator[Advice]:
    """Find columns whose values all belong to one known scale, or are all ranges of numbers such as 18-25 and 65+."""
    for column in columns:
        if not column.is_list or column.kind != "nominal" or not _FEWEST <= column.n_distinct <= _MOST:
            continue
        order = _of_scale(column.texts.to_list()) or _of_ranges(column.texts.to_list())
        if order:
            what = f"{column.name!r} has an order: {', '.join(order[:6])}{', …' if len(order) > 6 else ''}."
            yield Advice((column.name,), what, {"orders": {column.name: order}})


def _of_scale(texts: Sequence[str]) -> list[str]:
    """The values in the order of the first scale that contains all of them; empty if none does."""
    plain = {text: text.casefold().strip() for text in texts}
    for ranks in _RANKS:
        if all(word in ranks for word in plain.values()):
            return sorted(texts, key=lambda text: ranks[plain[text]])
    return []


def _of_ranges(texts: Sequence[str]) -> list[str]:
    """Ranges sorted by their lower ends; at least half must be true ranges, and all must begin differently."""
    found = {text: _RANGE.fullmatch(text.strip()) for text in texts}
    if not all(found.values()) or sum(bool(part and part[3]) for part in found.values()) < len(texts) / 2:
        return []
    starts = {text: _start(part) for text, part in found.items() if part}
    return sorted(texts, key=starts.__getitem__) if len(set(starts.values())) == len(texts) else []


def _start(part: re.Match[str]) -> float:
    start = float(part[2].replace(",", "."))
    return start - 0.5 if (part[1] or "").strip() in ("<", "≤", "unter", "under") else start
