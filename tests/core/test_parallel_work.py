"""Columns on several threads: the same results in the same order, and the first error by order."""

from __future__ import annotations

import os
import threading

import pytest

import shoal
from shoal.core import parallel_work as module
from shoal.core.parallel_work import meanwhile, side_by_side
from shoal.io.example import ROLES, people


def test_results_come_in_order_from_several_threads(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    together = threading.Barrier(4, timeout=30)

    def work(item: int) -> tuple[int, int]:
        together.wait()  # passes only if four run at once
        return item, threading.get_ident()

    found = side_by_side(work, range(4), 1_000_000)
    assert [item for item, _ in found] == [0, 1, 2, 3]
    assert len({thread for _, thread in found}) == 4


def test_few_rows_stay_on_one_thread():
    assert {*side_by_side(lambda _: threading.get_ident(), range(4), 10)} == {threading.get_ident()}


def test_the_first_error_by_order_is_raised(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 4)

    def work(item: int) -> int:
        if item % 2:
            raise ValueError(item)
        return item

    with pytest.raises(ValueError, match=r"^1$"):
        side_by_side(work, range(4), 1_000_000)


def test_a_release_is_the_same_on_one_thread_and_on_several(monkeypatch):
    def released() -> bytes:
        roles = {name: columns for name, columns in ROLES.items() if columns}
        result = shoal.anonymize(people(300), **roles, privacy=shoal.KAnonymity(5), quick=True, seed=1)
        return result.frame.write_csv().encode()

    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    alone = released()
    monkeypatch.setattr(module, "_WORTH_A_THREAD", 1)
    assert released() == alone


def test_work_beside_a_block_is_done_when_the_block_ends() -> None:
    is_in_block, threads = threading.Event(), list[bool]()
    with meanwhile(lambda: is_in_block.wait(10)) as work:
        threads.append(work.done())
        is_in_block.set()
    assert threads == [False]
    assert work.done()
    assert work.result() is True


def test_an_error_beside_a_block_comes_first() -> None:
    with pytest.raises(ZeroDivisionError), meanwhile(lambda: 1 // 0):
        raise ValueError("of the block")
    with pytest.raises(ValueError, match="of the block"), meanwhile(lambda: 1):
        raise ValueError("of the block")
