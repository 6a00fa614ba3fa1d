from __future__ import annotations

import pytest

from report.made_by_hand import Made, make
from shoal.report.summary import Summary


@pytest.fixture(scope="session")
def made() -> Made:
    return make()


@pytest.fixture(scope="session")
def summary(made: Made) -> Summary:
    return made.summary()
