"""The result of ``anonymize``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.audit.findings import Audit
from shoal.engine.auditing_result import audit_result
from shoal.engine.datapackage import datapackage
from shoal.engine.held_rows import write_held
from shoal.engine.targets import Targets
from shoal.engine.verified_release import VerifiedRelease
from shoal.engine.vocabulary import OFF
from shoal.engine.writing import write_all
from shoal.errors import InputError
from shoal.io.atomic import write_private, write_text
from shoal.io.databases import Address
from shoal.io.location import location_of
from shoal.io.text_layout import TextLayout
from shoal.report.dossier.statement import Statement
from shoal.utility import Utility

if TYPE_CHECKING:
    from shoal.engine.usefulness import Usefulness


@dataclass(frozen=True, eq=False)
class Result(VerifiedRelease):
    """A verified release: the table to publish, the promises it keeps, its information loss, and its exports.

    >>> import shoal
    >>> from shoal.io.example import people
    >>> table = people(60).select("sex", "job", "diagnosis")
    >>> words = {"quasi_identifiers": ["sex", "job"], "sensitive": ["diagnosis"]}
    >>> release = shoal.anonymize(table, privacy=shoal.KAnonymity(5), quick=True, **words)
    >>> print(release.verdicts[0])
    5-anonymity holds: achieved 5
    >>> release.write("release.csv")
    >>> sorted(release.metrics())[:3]
    ['aecs', 'ambiguity', 'classification']
    """

    def usefulness(
        self, target: str | None = None, measures: Sequence[str | Utility] | None = None, forms: Sequence[str] = ()
    ) -> Usefulness:
        """The errors of answers from the release: queries, marginals, pairs, correlations; 0 is best.

        With a ``target``, a column that is published unchanged, also how much worse a model predicts it (needs
        scikit-learn). ``measures`` selects the measures, as in ``["count-queries:dimensions=3"]``; all by default. With
        ``forms``, as in ``["center", "sampled"]``, also the errors of analyses on the release in these forms: counts,
        quantiles, correlations, a regression, boosting and a forest. None if a measure has no column to use. ``report``
        of the result writes a page with plots.
        """
        from shoal.engine.usefulness import usefulness_of  # few runs need it

        return usefulness_of(self.release, target, measures, forms, self.schema, self.shows_people)

    def explore(self, target: str | Path) -> None:
        """Write every node of the lattice with its loss and risk, one per row; readable by you alone."""
        write_all(Targets(explore=Path(target)), self)

    def audit(
        self, *, attacks: Sequence[str] | None = None, thorough: bool = False, population: int | None = None
    ) -> Audit:
        """Attack the release by its printed labels alone, and report what an adversary learns.

        Args:
            attacks: the names of attacks to run, with options as in "corruption:corrupted=3"; by default all but the
                slow ones.
            thorough: run every attack, including those that take minutes.
            population: the number of people the rows were sampled from, for estimates of how many of them are unique.
        """
        return audit_result(self, attacks=attacks, pace="thorough" if thorough else "usual", population=population)

    def report(self, target: str | Path, *, public: bool = False, explore: bool = False) -> None:
        """Write the report as HTML, JSON or text, by the ending of ``target``.

        The public edition says nothing about the original and may be published; the internal one must not be, and only
        you can read it. With ``explore`` it also shows the lattice that a full-domain release is chosen from.
        """
        path = Path(target)
        Targets(report=path).check(self.inputs)
        write = write_text if public else write_private
        write(self.rendered(path, public=public, explore=explore), path)

    def write(
        self,
        target: str | Path | Address,
        *,
        replace: bool = False,
        folder: str | Path = ".",
        hold: str | Path | None = None,
        delimiter: str | None = None,
        decimal: str | None = None,
        encoding: str | None = None,
        datapackage: str | Path | None = None,
    ) -> None:
        """Write the release, and the private run record beside it (``name.run.json``, readable by you alone).

        A file also gets ``name.datapackage.json``, which describes it for programs and may be published with it. The
        second table of a release in two tables is written beside the first, as ``name.sensitive.csv``.

        Args:
            target: a file, or a table of a database as in ``postgresql://host/database#table``.
            replace: whether an existing database table may be overwritten; files always are.
            folder: where the run record of a database table goes.
            hold: where the rows that ``shoal.apply`` held back go; written together with the release or not at all.
            delimiter: the field separator of a text file; by its ending if not given.
            decimal: the decimal mark of numbers in a text file: a point or a comma.
            encoding: the encoding of a text file; UTF-8 if not given.
            datapackage: where the data package goes; beside the file if not given, and ``"off"`` for none.
        """
        where = Targets(
            output=location_of(target),
            replace=replace,
            folder=Path(folder),
            layout=TextLayout(delimiter, decimal, encoding),
            datapackage=None if datapackage in (None, OFF) else Path(datapackage),
            is_described=datapackage != OFF,
        )
        write_all(where, self, None if hold is None else Path(hold))

    def dossier(self, folder: str | Path, **release: str) -> None:
        """Write the dossier that a board or regulator signs: HTML, PDF and DOCX, internal and public edition.

        PDF needs typst and DOCX python-docx (``pip install 'shoal[dossier]'``); without them HTML alone is written.

        Args:
            folder: where the files go; created if missing.
            release: facts about the release: title, purpose, recipient, controls, contact, review_date, …

        Raises:
            InputError: a fact is unknown to the dossier, or the folder cannot be written.
        """
        write_all(Targets(dossier=Path(folder), statement=Statement.said(release)), self)

    def save_recoding(self, target: str | Path) -> None:
        """Write the recoding of a full-domain release, for ``shoal.apply`` on later rows; readable by you alone.

        Raises:
            InputError: the release does not have one level per column.
        """
        write_all(Targets(save_recoding=Path(target)), self)

    def save_datapackage(self, target: str | Path, output: str | Path | None = None) -> None:
        """Write a machine-readable description of the release (Frictionless), which may be published with it.

        It has the types of the columns, the treatment of each and the promises, and nothing of the original. ``output``
        is the path of the release itself. ``write`` also writes it, beside a file.
        """
        tables = {name: frame.lazy() for name, frame in self.tables.items()}
        write_text(datapackage(self, tables, None if output is None else Path(output), Path(target)), Path(target))

    def save_held(self, target: str | Path) -> None:
        """Write the rows that ``shoal.apply`` held back, unchanged; readable by you alone."""
        if self.waiting is None:
            raise InputError("No rows were held back; only shoal.apply with hold= does that.")
        write_held(self.waiting, Path(target))
