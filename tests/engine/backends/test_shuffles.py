"""How many partitions Spark shuffles into; a session that only knows its settings is enough for that."""

from __future__ import annotations

from contextlib import suppress
from types import SimpleNamespace

import pytest

pytest.importorskip("pyspark", reason="the spark extra is not installed")

from shoal.engine.backends.spark.session import fit_shuffles, shuffles_as_before

NAME = "spark.sql.shuffle.partitions"
SMALLEST = "spark.sql.files.openCostInBytes"


class Session:
    """As many cores as it is said, and settings."""

    def __init__(self, n_cores: int, partitions: str = "200", smallest: str = "4194304b") -> None:
        self.said = {NAME: partitions, SMALLEST: smallest}
        self.conf = SimpleNamespace(get=self.said.__getitem__, set=self.said.__setitem__)
        self.sparkContext = SimpleNamespace(defaultParallelism=n_cores)


@pytest.mark.parametrize(
    ("n_cores", "n_rows", "wanted"), [(2, 1_000, "2"), (2, 1_000_000, "10"), (64, 1_000_000, "64"), (8, 10**8, "1000")]
)
def test_partitions_follow_rows_and_cores(n_cores, n_rows, wanted):
    spark = Session(n_cores)
    fit_shuffles(spark, n_rows, 200_000)
    assert spark.said[NAME] == wanted


def test_what_somebody_set_is_left_alone():
    spark = Session(2, "7")
    fit_shuffles(spark, 10**9, 200_000)
    assert spark.said[NAME] == "7"


@pytest.mark.parametrize(("smallest", "then"), [("4194304b", "64KB"), ("4MB", "64KB"), ("9MB", "9MB")])
def test_a_file_of_a_few_megabytes_is_cut_for_every_core(smallest, then):
    spark = Session(2, smallest=smallest)
    with shuffles_as_before(spark):
        fit_shuffles(spark, 1_000_000, 200_000)
        assert spark.said[SMALLEST] == then
    assert spark.said[SMALLEST] == smallest


def test_the_setting_is_put_back_even_after_an_error():
    spark = Session(2)
    with suppress(ZeroDivisionError), shuffles_as_before(spark):
        fit_shuffles(spark, 1_000_000, 200_000)
        assert spark.said[NAME] == "10"
        _ = 1 / 0
    assert spark.said[NAME] == "200"
