"""The check that stands between a release and the world."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.core.contracts import GroupModel, PrivacyModel, Verdict
from shoal.core.recoding import Suppress
from shoal.core.release import Publication, Release
from shoal.core.table import QuasiColumn, SensitiveColumn, Table
from shoal.errors import BrokenPromise
from shoal.io.domains import encode_column


def check_release(release: Release, promises: Sequence[PrivacyModel]) -> list[Verdict]:
    """Judge a release by its cells and owners.

    Raises:
        BrokenPromise: a promise does not hold, or a record's cells do not hold its owner's values.
    """
    lying = int((~release.truthful()).sum())
    if lying:
        raise BrokenPromise(_ours(f"{lying:,} records have cells that do not hold their own values"))
    if np.bincount(release.owners).max(initial=0) > 1:
        raise BrokenPromise(_ours("a row owns two records"))
    verdicts = [promise.check(release) for promise in promises]
    _raise_if_broken(verdicts)
    return verdicts


def check_publication(publication: Publication, frame: pl.DataFrame, promises: Sequence[PrivacyModel]) -> None:
    """Judge what will be written, from its printed labels alone, as an outsider would.

    Covers the promises about groups that an outsider can see; those that compare with the original table, or speak of
    matches or buckets, were judged by ``check_release``.

    Raises:
        BrokenPromise: a promise does not hold.
    """
    if tuple(frame.columns) != publication.order:
        raise BrokenPromise(_ours("the published columns are not those that were to be published"))
    visible = [promise for promise in promises if isinstance(promise, GroupModel) and not promise.needs_original]
    if not publication.pools_are_classes:
        visible = [promise for promise in visible if promise.reads == "classes"]
    quasi = [column.name for column in publication.quasi]
    as_printed = Release.identity(as_it_stands(frame, quasi, publication.sensitive))
    _raise_if_broken([promise.check(as_printed) for promise in visible])


def as_it_stands(frame: pl.DataFrame, quasi: Sequence[str], sensitive: Sequence[str]) -> Table:
    """A table whose every label is a value of its own: no hierarchy, no order, missing a value like any other."""
    columns = [encode_column(frame[name], "nominal") for name in quasi]
    return Table(
        quasi=tuple(QuasiColumn(column.domain, Suppress(column.domain)) for column in columns),
        codes=np.array([column.codes for column in columns], np.int32),
        sensitive=tuple(
            SensitiveColumn(column.domain, column.codes)
            for column in (encode_column(frame[name], "nominal") for name in sensitive)
        ),
    )


def _raise_if_broken(verdicts: Sequence[Verdict]) -> None:
    for verdict in verdicts:
        if not verdict.holds:
            raise BrokenPromise(_ours(str(verdict)))


def _ours(what: str) -> str:
    return f"The release failed its own check ({what}); this is a bug in shoal, please report it. Nothing was written."
