"""Undo and redo of settings, of other actions, and of opening another table."""

from __future__ import annotations

import copy

from shoal.web.column_words import STARTING
from shoal.web.history import History, Way
from shoal.web.session import Session
from shoal.web.tables import Kept, OpenTable


def can(session: Session, way: Way) -> bool:
    """Whether there is a change to undo, or to redo: a setting, another action, or a newly opened table."""
    history = session.table.history
    return session.deeds.can(way, history) or history.can(way) or session.shelf.can(way)


async def step(session: Session, way: Way) -> None:
    """Undo the last change, or redo the one that was undone last."""
    history = session.table.history
    if session.deeds.can(way, history):
        session.deeds.step(way)
        session.redraw()
    elif history.can(way):
        await _change(session, way)
    elif session.shelf.can(way):
        await _have(session, session.shelf.step(way, _kept(session)))


async def _change(session: Session, way: Way) -> None:
    table, before = session.table, session.table.reading
    table.history.step(way)
    if before != table.reading and table.name is not None:
        table.inspection, table.size = None, await session.read(table.name, table.reading)
        session.reading = dict(table.reading)
    session.changed()


async def _have(session: Session, kept: Kept) -> None:
    """Open a table from the shelf in place of the current one."""
    version = session.table.history.version
    session.table, session.reading = kept.table, kept.reading
    session.table.history.version = version + 1
    if kept.has_runs:
        session.runs = kept.runs
    session.table.size = await session.desk.ask("open", name=session.table.name, reading=session.table.reading)
    session.changed()


def shelve(session: Session, *, with_runs: bool = False) -> None:
    """Put the open table on the shelf before another replaces it; its runs stay in the list or go with it."""
    history = session.table.history
    if session.table.name is not None:
        session.shelf.put(_kept(session, has_runs=with_runs))
        version, history = history.version, History({})
        history.version = version + 1
    for old in session.inputs.iterdir():
        old.unlink()
    history.forget(copy.deepcopy(STARTING))
    session.table = OpenTable(history)
    if with_runs:
        session.runs.cancel()
        session.runs = session.no_runs()


def _kept(session: Session, *, has_runs: bool = False) -> Kept:
    return Kept(session.table, dict(session.reading), session.runs, has_runs)
