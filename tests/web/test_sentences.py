"""What pages say is said in the words of pages: options of the command line are left out."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.core.schema import Schema
from shoal.errors import InputError
from shoal.io.inspect.columns_without_role import refuse_unspoken
from shoal.models import ALL
from shoal.web.pages.view import without_options


def test_a_column_without_a_role_is_refused_without_a_word_about_options() -> None:
    frame = pl.DataFrame({"age": [30, 40], "email": ["ann@example.org", "bob@example.org"]})
    with pytest.raises(InputError) as refused:
        refuse_unspoken(frame, Schema(("age",)))
    assert "(others, --others)" in str(refused.value)
    assert without_options(str(refused.value)).endswith(
        ". Give it a role; 'other' publishes it unchanged. Or accept the suggested roles."
    )


@pytest.mark.parametrize("name", ALL)
def test_a_promise_is_explained_without_options(name: str) -> None:
    assert "--" not in without_options(ALL[name].summary.partition(";")[0])


def test_other_brackets_stay() -> None:
    said = "'notes', which looks like an identifier (free text), has 3 values (1%)."
    assert without_options(said) == said
