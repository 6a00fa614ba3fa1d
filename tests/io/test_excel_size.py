"""Workbooks that would fill the memory."""

from __future__ import annotations

import io
import zipfile

import pytest

from shoal.errors import InputError
from shoal.io import excel_read as excel_size
from shoal.io.excel_read import check_unpacked


def packed(*sizes: int) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as book:
        for i, size in enumerate(sizes):
            book.writestr(f"part{i}", b"\0" * size)
    return data.getvalue()


def test_small_workbooks_are_fine_however_well_they_pack() -> None:
    check_unpacked(packed(10_000_000, 10), "x.xlsx")


def test_what_packs_too_well_is_refused() -> None:
    with pytest.raises(InputError, match="would unpack to far more"):
        check_unpacked(packed(40_000_000), "x.xlsx")


def test_what_is_too_large_in_all_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel_size, "MOST_UNPACKED", 15_000_000)
    with pytest.raises(InputError, match="unpack"):
        check_unpacked(packed(10_000_000, 10_000_000), "x.xlsx")


def test_sizes_that_lie_are_not_believed() -> None:
    data = packed(40_000_000)
    with pytest.raises(InputError, match="unpack"):
        check_unpacked(data.replace((40_000_000).to_bytes(4, "little"), (1_000).to_bytes(4, "little")), "x.xlsx")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no workbook at all", packed(40_000_000)[:2_000]])
def test_what_is_no_workbook_is_left_to_the_reader(data: bytes) -> None:
    check_unpacked(data, "x.xlsx")
