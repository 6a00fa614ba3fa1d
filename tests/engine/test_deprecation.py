"""Old names of words: they work on every face with a warning that names the version they go away in, and then not."""

from __future__ import annotations

import sys
import tomllib
import warnings
from typing import Any

import pytest

import shoal
from shoal.cli import entry
from shoal.cli.options import bundled, options_of
from shoal.engine import deprecation, vocabulary
from shoal.engine.deprecation import has_come, renamed
from shoal.engine.vocabulary import AnonymizeWords
from shoal.engine.words import Words, told_what_was_said, word
from shoal.errors import Deprecated, InputError

SENTENCE = "is now called {}; the old name will be removed in shoal 99.0."


class Renamed(Words):
    """A verb whose word ``columns`` was called ``fields`` and whose ``limit`` was called ``most``."""

    columns: tuple[str, ...] = word("Columns.", vocabulary.PANELS[0], (), formerly={"fields": "99.0"})
    limit: int = word("A limit.", vocabulary.PANELS[0], 1, form="number", formerly={"most": "0.1"})


@told_what_was_said
def verb(*, columns: tuple[str, ...] = (), limit: int = 1, **more: Any) -> Renamed:
    return Renamed.called_with(locals())


def test_a_keyword_works_under_its_old_name_and_warns_at_the_line_that_called() -> None:
    with pytest.warns(Deprecated, match=SENTENCE.format("'columns'")) as told:
        said = verb(fields=("a", "b"))
    assert said.columns == ("a", "b")
    assert said.model_fields_set == {"columns"}
    assert [one.filename for one in told] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert verb(columns=("a",)).columns == ("a",)


def test_a_key_of_a_job_file_works_under_its_old_name() -> None:
    with pytest.warns(Deprecated, match=SENTENCE.format("'columns'")):
        said = Renamed.said(tomllib.loads('fields = ["a"]'), where="The job file 'a.toml'")
    assert said.columns == ("a",)


def test_an_option_works_under_its_old_name_and_is_not_in_the_help(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    @bundled
    def command(options: options_of(Renamed)) -> None:  # type: ignore[valid-type]
        sys.stdout.write(repr(options.words()))

    monkeypatch.setattr(entry, "_load", lambda name: command)
    assert entry.main(["inspect", "--fields", "a,b"]) == 0
    out, err = capsys.readouterr()
    assert out == "{'columns': ('a', 'b')}"
    assert err == f"Warning: --fields {SENTENCE.format('--columns')}\n"
    assert entry.main(["inspect", "--columns", "a"]) == 0
    assert capsys.readouterr() == ("{'columns': ('a',)}", "")
    assert entry.main(["inspect", "--help"]) == 0
    assert "--fields" not in capsys.readouterr().out


def test_from_its_version_on_an_old_name_is_refused_with_the_new_one() -> None:
    with pytest.raises(InputError, match=r"'most' was renamed 'limit' in shoal 0\.1\."):
        verb(most=3)


def test_both_names_at_once_are_refused() -> None:
    with pytest.raises(InputError, match="'fields' is the old name of 'columns'; use only one of them"):
        verb(fields=("a",), columns=("b",))


def test_a_word_that_never_existed_is_refused_as_before() -> None:
    with pytest.raises(InputError, match="Did you mean 'columns'"):
        verb(colums=("a",))


@pytest.mark.parametrize(("until", "here"), [("0.3", False), ("0.10", False), ("0.2", True), ("0.2.1", False)])
def test_versions_are_compared_by_number(until: str, here: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deprecation, "version", lambda name: "0.2.0")
    assert has_come(until) is here


def test_other_warnings_are_told_as_python_tells_them(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def command() -> None:
        warnings.warn("of somebody else", UserWarning, stacklevel=1)

    monkeypatch.setattr(entry, "_load", lambda name: command)
    with pytest.warns(UserWarning, match="of somebody else"):
        assert entry.main(["inspect"]) == 0
    assert "Warning: of somebody else" not in capsys.readouterr().err


def test_no_old_name_outlives_its_version_or_hides_a_word() -> None:
    """Once the version has come, take the old name out of the declaration."""
    for words in vars(vocabulary).values():
        if isinstance(words, type) and issubclass(words, Words):
            old = words.old_names()
            assert not [name for name, (_, until) in old.items() if has_come(until)], words
            assert not old.keys() & words.model_fields.keys()


def test_a_public_name_works_under_its_old_one_and_warns_at_every_line_that_uses_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shoal, "_FORMERLY", {"protect": ("anonymize", "99.0"), "KAnon": ("KAnonymity", "99.0")})
    for _ in range(2):
        with pytest.warns(Deprecated, match=r"shoal\.protect " + SENTENCE.format(r"shoal\.anonymize")) as told:
            assert shoal.protect is shoal.anonymize
        assert [one.filename for one in told] == [__file__]
    with pytest.warns(Deprecated, match=r"shoal\.KAnon is now called shoal\.KAnonymity") as told:
        from shoal import KAnon
    assert KAnon is shoal.KAnonymity
    assert {one.filename for one in told} == {__file__}
    assert "protect" not in dir(shoal)


def test_from_its_version_on_an_old_public_name_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shoal, "_FORMERLY", {"protect": ("anonymize", "0.1")})
    with pytest.raises(AttributeError, match=r"shoal\.protect was renamed shoal\.anonymize in shoal 0\.1\."):
        _ = shoal.protect
    assert not hasattr(shoal, "protect")


def test_no_old_public_name_outlives_its_version_or_hides_a_name() -> None:
    for old, (new, until) in shoal._FORMERLY.items():
        assert not has_come(until), old
        assert old not in shoal.__all__
        assert new in shoal.__all__


def test_nothing_is_looked_up_where_every_name_is_a_present_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AnonymizeWords, "old_names", lambda: pytest.fail("not needed"))
    assert AnonymizeWords.said({"quasi_identifiers": ["a"]}).quasi_identifiers == ("a",)
    assert renamed({"a": 1}, {}) == {"a": 1}
    assert issubclass(Deprecated, DeprecationWarning)
    assert not issubclass(Deprecated, shoal.ShoalError)
