"""Undo and redo of settings, of other actions, and of opening another table."""

from __future__ import annotations

import copy

from shoal.web.column_words import STARTING
from shoal.web.history import Act, History
from shoal.web.open_table import OpenTable
from shoal.web.put_away_tables import Kept
from shoal.web.session import Session


def can_undo(session: Session) -> bool:
    """Whether there is a change to undo: a setting, another action, or a newly opened table."""
    history = session.table.history
    return session.deeds.can_undo(history) or history.can_undo or session.shelf.can_undo


def can_redo(session: Session) -> bool:
    """Whether there is a change to redo."""
    history = session.table.history
    return session.deeds.can_redo(history) or history.can_redo or session.shelf.can_redo


async def undo(session: Session) -> None:
    """Undo the last change."""
    history = session.table.history
    if session.deeds.can_undo(history):
        session.deeds.undo()
        session.redraw()
    elif history.can_undo:
        await _step(session, history.undo)
    elif session.shelf.can_undo:
        await _have(session, session.shelf.undo(_kept(session)))


async def redo(session: Session) -> None:
    """Redo the change that was undone last."""
    history = session.table.history
    if session.deeds.can_redo(history):
        session.deeds.redo()
        session.redraw()
    elif history.can_redo:
        await _step(session, history.redo)
    elif session.shelf.can_redo:
        await _have(session, session.shelf.redo(_kept(session)))


async def _step(session: Session, step: Act) -> None:
    table, before = session.table, session.table.reading
    step()
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
