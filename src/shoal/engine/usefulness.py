"""The usefulness of a release by every measure of ``shoal.utility``, for our own and any other release."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal import utility
from shoal.core.domain import Kind
from shoal.core.plugins import build
from shoal.core.randomness import Randomness
from shoal.core.release import Release, publish, published_order
from shoal.core.schema import Schema
from shoal.core.table import Table
from shoal.engine.audit_inputs import ReleaseRoles, code_people, read_published
from shoal.engine.form_analyses import analyses_of_publication, analyses_of_release
from shoal.engine.record_people import people_named
from shoal.engine.source import load
from shoal.engine.vocabulary import UsefulnessWords
from shoal.errors import InputError
from shoal.io.atomic import write_private
from shoal.io.formula import with_armed_names
from shoal.io.people import code_people as code_keys
from shoal.io.write import check_target
from shoal.report.usefulness_page import usefulness_fragment, usefulness_html
from shoal.utility import Utility
from shoal.utility.learning import learn
from shoal.utility.spread import Spread

Measures = Sequence[str | Utility]
"""Names of measures, with options as in ``"count-queries:dimensions=3"``, or measures."""

ENDINGS = (".html", ".json")
"""The file types of a report on usefulness."""


class Usefulness(dict[str, float | None]):
    """Errors by measure, and of forms as ``form: analysis``; 0 means that nothing was lost, None that it is unknown.

    A dictionary with views: tables in a notebook, a page with plots by ``report``.
    """

    def report(self, target: str | Path) -> None:
        """Write tables and plots as HTML, or the figures as JSON; readable by you alone."""
        path = Path(target)
        check_target(path, (), ENDINGS)
        text = usefulness_html(self) if path.suffix.lower() == ".html" else json.dumps(self, indent=2) + "\n"
        write_private(text, path)

    def _repr_html_(self) -> str:
        """For notebooks."""
        return usefulness_fragment(self)


def usefulness_of(
    release: Release,
    target: str | None = None,
    measures: Measures | None = None,
    forms: Sequence[str] = (),
    schema: Schema | None = None,
    shows_people: bool = False,
) -> Usefulness:
    """As ``Result.usefulness``; ``shows_people`` says that a pseudonym links the records of a person."""
    table, randomness = release.table, Randomness()
    people = None
    if shows_people and table.people is not None:
        people = table.people[release.owners[published_order(release, randomness.child("publish"))]]
    chosen = chosen_measures(measures, counts_people=table.counts_people)
    found = _measured(chosen, table, Spread(publish(release, randomness.child("publish")), people))
    said = schema or Schema(tuple(column.name for column in release.table.quasi))
    analysed = analyses_of_release(release, said, forms, target)
    return Usefulness({**found, **({} if target is None else {"learning": learn(release, target).lost}), **analysed})


def usefulness(
    original: str | Path | Any,
    release: str | Path | Any,
    *,
    quasi_identifiers: Sequence[str] = (),
    hierarchies: Mapping[str, Any] | None = None,
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    labels: Mapping[str, Mapping[str, str]] | None = None,
    person: str | None = None,
    measures: Measures | None = None,
    forms: Sequence[str] = (),
    target: str | None = None,
    test: str | Path | Any | None = None,
    folder: str | Path = ".",
    delimiter: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    sheet: str | int | None = None,
    missing_values: Sequence[str] = (),
    query: str | None = None,
    skip_rows: int = 0,
    header_rows: int = 1,
    missing_codes: Mapping[str, Sequence[str]] | None = None,
    dates: Mapping[str, str] | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    units: Mapping[str, str] | None = None,
    spellings: Mapping[str, Mapping[str, str]] | None = None,
    fold: Sequence[str] = (),
    **more: Any,
) -> Usefulness:
    """The errors of answers from a published table, whichever tool made it, by measure; 0 means no error.

    ``report`` of the result writes a page with tables and plots.

    Args:
        original: The table the release was made from: a path, or a pandas, polars or pyarrow table.
        release: What was published, likewise.
        quasi_identifiers: Columns that an adversary may know; they are generalized. Quote names with a comma:
            '"last, first",zip'.
        hierarchies: Per column a file, a builder or groups: zip=zip.csv, zip=mask, age=intervals:width=10.
        kinds: Per column its type, if the guess is wrong: numeric, ordinal, nominal or date.
        orders: Per ordinal column its values in order, as in size=S,M,L.
        labels: The meaning of a label that cannot be read otherwise, as in 'age:young=[..17]'; may be repeated.
        person: The column of the original that identifies the person of each row; numbers of people are then
            compared, too.
        measures: Only these measures of utility, with options as in count-queries:dimensions=3.
        forms: Forms of cells to analyse as well: counts, quantiles, correlations, a regression, boosting, a forest.
        target: A published column that a model is trained to predict.
        test: With target: original rows of people who are not in the release, to test models on.
        folder: Where relative paths of hierarchies start.
        delimiter: The field separator; detected if not given.
        encoding: The text encoding, such as utf-8 or cp1252; detected if not given.
        quote: The quote character, empty for none; detected if not given.
        sheet: The sheet of a workbook, by name or number.
        missing_values: Texts that mean a missing value, in addition to the empty field.
        query: For a database: a query instead of a table.
        skip_rows: Number of rows above the header to skip, such as a title.
        header_rows: Number of header rows; their names are joined.
        missing_codes: Per column the values that mean missing, as in age=-9,99.
        dates: Per column how its dates are written: %d.%m.%Y, %m/%d/%y, iso (with time zones), excel (day numbers).
        decimal: The decimal mark of numbers, if not a point.
        thousands: The thousands separator of numbers.
        units: Per column the unit written with its numbers, to be removed; several spellings as in age=years|yrs.
        spellings: Replace one spelling of a value by another, as in 'sex:MALE=male'; may be repeated.
        fold: Columns whose values are merged if they differ only in blanks or in the coding of accents.
        more: Any other keyword is refused; the error suggests the one that was meant.

    Raises:
        InputError: a column is not in both tables, a label cannot be understood, or there is no such measure.

    Example:
        >>> import shoal
        >>> from shoal.io.example import people
        >>> table = people(60).select("sex", "job", "diagnosis")
        >>> quasi, privacy = ["sex", "job"], shoal.KAnonymity(5)
        >>> release = shoal.anonymize(table, quasi_identifiers=quasi, sensitive=["diagnosis"], privacy=privacy)
        >>> found = shoal.usefulness(table, release.to_frame(), quasi_identifiers=quasi, measures=["marginals"])
        >>> 0 < found["marginals"] < 0.2
        True
    """
    words = UsefulnessWords.called_with(locals())
    chosen = chosen_measures(words.measures, counts_people=words.person is not None)
    roles, reading = ReleaseRoles.of(words, Path(folder)), words.reading_release
    before, after = load(original, **words.loading).frame, with_armed_names(load(release, **reading).frame, roles.quasi)
    roles.check_named()
    target_columns = [] if words.target is None else [words.target]
    for what, frame in (("original", before), ("release", after)):
        roles.check(what, frame, (*roles.quasi, *target_columns))
    table, known = code_people(roles, [before])
    if words.person is not None:
        table = table.with_people(code_keys(people_named(words.person, before)).codes)
    seen = read_published(after, known[0], roles, before).publication
    shared = [name for name in before.columns if name in after.columns and name not in (*roles.quasi, words.person)]
    numbers = [name for name in shared if before[name].dtype.is_numeric() and after[name].dtype.is_numeric()]
    people = code_keys(after[words.person]).codes if words.person in after.columns else None
    spread = Spread(replace(seen, passengers=after.select(numbers)), people)
    found = _measured(chosen, replace(table, passengers=before.select(numbers)), spread)
    test = None if words.test is None else load(words.test, **words.reading_others).frame
    seen = replace(seen, passengers=after.select(target_columns), order=(*roles.quasi, *target_columns), sensitive=())
    table = replace(table, passengers=before.select(target_columns))
    analysed = analyses_of_publication(seen, roles.schema(roles.quasi), words.forms, table, words.target, test)
    return Usefulness({**found, **analysed})


def chosen_measures(said: Measures | None, *, counts_people: bool) -> dict[str, Utility]:
    """The requested measures, each with its name in tables; by default all that are applicable.

    Raises:
        InputError: there is no such measure or option, or it counts people and no person column is named.
    """
    if said is None:
        return {n: measure() for n, measure in utility.ALL.items() if counts_people or not measure.needs_people}
    named = [(one, build("measure", one, utility.ALL)) if isinstance(one, str) else (repr(one), one) for one in said]
    for name, measure in named:
        if measure.needs_people and not counts_people:
            raise InputError(f"{name} counts people; name the column that identifies the person of each row (person).")
    return dict(named)


def _measured(measures: Mapping[str, Utility], table: Table, spread: Spread) -> dict[str, float | None]:
    return {name: measure.measure(table, spread) for name, measure in measures.items()}
