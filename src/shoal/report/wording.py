"""The sentences of the report. They depend on figures, not on the names of models."""

from __future__ import annotations

from shoal.report.figures import counted, figure, limit_text, listed, percent
from shoal.report.published import PublicSummary
from shoal.report.risk import RecordRisk
from shoal.report.summary import Summary

INTERNAL = (
    "Internal edition. It contains facts about the original data, and original values next to published ones. "
    "Do not pass it on with the release."
)
PUBLIC = (
    "Public edition. It contains only what follows from the published table, and settings chosen before the data was "
    "seen."
)
LIMITS = (
    "These promises are about the columns named as quasi-identifiers. An adversary who knows more about a person, "
    "such as a sensitive value, can learn more."
)

BY_MATCHES = (
    "In this release, records need not share their cells: each fits several people. The promises above, not the "
    "number of equal records, limit the chance of linking a record to a person."
)

BUCKETS = (
    "The sensitive values are in a separate table, which is joined to the records only by buckets. Everybody can see "
    "who is in the table, but not which value of a bucket belongs to whom. This is diversity, not k-anonymity."
)


def headline(seen: PublicSummary) -> str:
    """One line: the number of records, and the privacy models."""
    kept = listed([p.name for p in seen.asked.promises if p.holds])
    broken = listed([p.name for p in seen.asked.promises if not p.holds])
    with_ = f" with {kept}" if kept else ""
    without = f"{', but' if kept else ''} without {broken}" if broken else ""
    return counted(seen.n_records, "record") + with_ + without


def loss_headline(summary: Summary) -> str:
    """The metric that was minimized, to append to the headline."""
    wanted = summary.published.asked.metric
    return "".join(f", {loss.name.upper()} {figure(loss.score)}" for loss in summary.losses if loss.name == wanted)


def what_promises_mean(seen: PublicSummary) -> list[str]:
    """What the release means for the people responsible for it."""
    buckets, as_it_is = [BUCKETS] if seen.in_buckets else [], [str(seen.as_it_is)] if seen.as_it_is else []
    return [_what_an_adversary_finds(seen), *_what_classes_share(seen), *buckets, *as_it_is, LIMITS]


def _what_an_adversary_finds(seen: PublicSummary) -> str:
    risk, names = seen.risk, [*seen.columns.quasi]
    if not risk.n_classes:
        return "No record is published."
    if not risk.is_by_class:
        return BY_MATCHES if risk.highest > 1 else f"{BY_MATCHES} No chance is above {percent(risk.highest)}."
    knows = listed(names if len(names) <= 8 else [*names[:7], f"{len(names) - 7:,} more columns"])
    if risk.smallest == 1:
        alone = f"{counted(risk.n_unique, 'record')} ({percent(risk.n_unique / risk.n_rows)})"
        return (
            f"{alone} can be singled out by an adversary who knows a person's {knows}: no other record looks the same."
        )
    return (
        f"An adversary who knows a person's {knows} finds at least {risk.smallest:,} records that may be "
        f"theirs. A guess is right with a probability of at most {percent(risk.highest)}, "
        f"and of {percent(risk.average)} on average."
    )


def _what_classes_share(seen: PublicSummary) -> list[str]:
    """The least diverse classes for each sensitive column; the five least diverse columns if there are more."""
    poorest = sorted(seen.diversity, key=lambda poor: poor.fewest)[:5] if seen.risk.n_classes else []
    return [f"Each class has at least {counted(poor.fewest, 'different value')} of {poor.column}." for poor in poorest]


def what_it_was_before(before: RecordRisk, after: RecordRisk) -> str:
    """The share of unique rows, before and after."""
    was = f"{before.n_unique:,} of {counted(before.n_rows, 'row')} ({percent(before.n_unique / max(1, before.n_rows))})"
    if not after.is_by_class:
        return f"In the original, {was} are unique in their quasi-identifiers."
    now = (
        "no record is"
        if not after.n_unique
        else f"{counted(after.n_unique, 'record')} still {'is' if after.n_unique == 1 else 'are'}"
    )
    return f"In the original, {was} are unique in their quasi-identifiers; in the release, {now}."


def how_classes_spread(risk: RecordRisk) -> str:
    """The number and sizes of the classes."""
    if not risk.n_classes:
        return "There are no classes."
    return (
        f"{counted(risk.n_classes, 'class', 'classes')} of {risk.smallest:,} to {counted(risk.largest, 'record')}, "
        f"{figure(risk.mean_size)} on average. A class is a set of records with the same published quasi-identifiers."
    )


def how_near_the_best(summary: Summary) -> list[str]:
    """The largest possible distance of the release from the optimum, if it was computed."""
    return [] if summary.floor is None else [str(summary.floor)]


def what_was_suppressed(n_suppressed: int, n_rows: int, limit: float | str | None) -> str:
    """How many rows are not published."""
    allowed = "" if limit is None else f"; the suppression limit is {limit_text(limit)}"
    if not n_suppressed:
        return f"No row of {n_rows:,} is suppressed{allowed}."
    share = percent(n_suppressed / max(1, n_rows))
    verb = "is" if n_suppressed == 1 else "are"
    return f"{n_suppressed:,} of {counted(n_rows, 'row')} ({share}) {verb} suppressed{allowed}."
