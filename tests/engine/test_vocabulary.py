"""Every word is declared once, and every face has it."""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.cli import main
from shoal.engine import vocabulary
from shoal.engine.job import Job
from shoal.engine.vocabulary import (
    AnonymizeWords,
    ApplyWords,
    AuditWords,
    CommandWords,
    CompareWords,
    InspectWords,
    PatternWords,
    UsefulnessWords,
    VerifyWords,
)
from shoal.engine.words import Words
from shoal.web.job_words import ELSEWHERE, OWN
from shoal.web.word_forms import OWN_FORMS, other_words, reading_words, texts_of, value_of

VERBS: dict[Callable[..., Any], type[Words]] = {
    shoal.anonymize: AnonymizeWords,
    shoal.compare: CompareWords,
    shoal.verify: VerifyWords,
    shoal.audit_release: AuditWords,
    shoal.usefulness: UsefulnessWords,
    shoal.list_patterns: PatternWords,
    shoal.apply: ApplyWords,
    shoal.inspect: InspectWords,
}
NOT_WORDS = {"progress", "folder", "more"}
PEOPLE = pl.DataFrame({"name": list("abcdef"), "age": [1, 1, 1, 2, 2, 2], "ill": ["y", "n"] * 3})


def nothing(value: object) -> bool:
    """What stands for "not said": None in a signature is an empty mapping or list in the declaration."""
    return value is None or (isinstance(value, tuple | list | Mapping) and not value)


def same_type(given: object, declared: object) -> bool:
    """Signatures may allow None for a mapping, and call data Any."""
    said = {str(one) for one in (get_args(given) or (given,)) if one is not type(None)}
    wanted = {str(one) for one in (get_args(declared) or (declared,)) if one is not type(None)}
    return said == wanted or str(declared) in {"typing.Any"} or str(given).startswith(str(declared))


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__name__)
def test_the_signature_of_a_verb_is_the_declaration(verb: Callable[..., Any]) -> None:
    declared, signature = VERBS[verb].vocabulary(), inspect.signature(verb)
    hints = get_type_hints(verb, localns={"Result": object})
    keywords = {name for name, one in signature.parameters.items() if one.kind is not one.POSITIONAL_OR_KEYWORD}
    assert keywords - NOT_WORDS == set(declared)
    doc = " ".join((verb.__doc__ or "").split())
    for name, one in declared.items():
        default = signature.parameters[name].default
        assert default == one.default or (nothing(default) and nothing(one.default)), name
        assert same_type(hints[name], one.type), (name, hints[name], one.type)
        assert f"{name}: {' '.join(one.help.split())}" in doc, name


CALLS: dict[str, Callable[..., Any]] = {
    **{verb.__name__: verb for verb in VERBS if verb not in (shoal.apply, shoal.audit_release, shoal.usefulness)},
    "apply": lambda data, **words: shoal.apply(Path("recoding.json"), data, **words),
    "audit_release": lambda data, **words: shoal.audit_release(data, data, **words),
    "usefulness": lambda data, **words: shoal.usefulness(data, data, **words),
    "read_release": shoal.read_release,
    "anonymize_tables": lambda data, **words: shoal.anonymize_tables({"people": {"input": data, **words}}),
}
"""Every verb that takes a table and words, called with both."""


@pytest.mark.parametrize("is_path", [False, True], ids=["frame", "path"])
@pytest.mark.parametrize("call", CALLS)
def test_an_unknown_keyword_is_refused_with_the_nearest_word(call: str, is_path: bool, tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    with pytest.raises(shoal.InputError, match=r"'delimeter' is unknown\. Did you mean 'delimiter'"):
        CALLS[call](tmp_path / "people.csv" if is_path else PEOPLE, delimeter=";")


def test_an_unknown_keyword_is_refused_where_memory_is_limited_and_nothing_is_written(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    with pytest.raises(shoal.InputError, match=r"'delimeter' is unknown\. Did you mean 'delimiter'"):
        shoal.anonymize_file(tmp_path / "people.csv", tmp_path / "out.csv", memory="8GiB", delimeter=";")
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("frame", [PEOPLE, PEOPLE.to_arrow(), pd.DataFrame(PEOPLE.to_dict(as_series=False))])
def test_a_misspelt_keyword_publishes_nothing(frame: Any) -> None:
    with pytest.raises(shoal.InputError, match=r"'identifier' is unknown\. Did you mean 'identifiers'\?"):
        shoal.anonymize(
            frame, quasi_identifiers=["age"], privacy=shoal.KAnonymity(2), identifier=["name"], supression_limit=0.1
        )


def test_every_long_name_is_an_option_and_short_ones_are_aliases() -> None:
    for one in CommandWords.vocabulary().values():
        assert one.options[0] == f"--{one.name.replace('_', '-')}"
    assert CommandWords.vocabulary()["quasi_identifiers"].options == ("--quasi-identifiers", "--quasi")


@pytest.mark.parametrize("spelled", ["--quasi", "--quasi-identifiers"])
def test_both_spellings_do_the_same(spelled: str, tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    where = tmp_path / "release.csv"
    said = ["anonymize", str(tmp_path / "people.csv"), spelled, "age", "--identifiers", "name", "--k", "3"]
    assert main([*said, "--sensitive", "ill", "-o", str(where), "-q"]) == 0
    assert pl.read_csv(where).height == 6


NEW_WORD = """
import json, sys
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path

class Added(SourceFileLoader):
    def get_data(self, path):
        text = super().get_data(path).decode()
        before = "    quick: bool = word("
        assert text.count(before) == 1 or not path.endswith(".py")
        line = '    bells: str = word("How loud the bells are.", SEARCH, "softly", label="Loudness of the bells")\\n'
        return text.replace(before, line + before).encode()

    def get_code(self, name):
        return compile(self.get_data(self.path), self.path, "exec")

class Finder(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "shoal.engine.vocabulary":
            found = PathFinder.find_spec(name, path)
            found.loader = Added(name, found.origin)
            return found

sys.meta_path.insert(0, Finder())
import polars as pl
import shoal
from shoal.cli import main
from shoal.engine.job import read_job
from shoal.web.job_words import words_schema
from shoal.web.word_forms import other_words

said = {"quasi_identifiers": ["age"], "privacy": {"k": 3}, "identifiers": ["name"], "sensitive": ["ill"]}
people = pl.read_csv("people.csv")
try:
    shoal.anonymize(people, **said, bels="loud")
except shoal.InputError as problem:
    refused = str(problem)
main(["run", "job.toml", "-q"])
told = {
    "schema": words_schema()["properties"]["bells"]["description"],
    "form": [one.label for one in other_words()],
    "job": read_job(Path("job.toml")).bells,
    "run": Path("release.csv").exists(),
    "library": shoal.anonymize(people, **said, bells="loud").frame.height,
    "refused": refused,
}
print(json.dumps(told))
main(["anonymize", "--help"])
"""
"""Runs with one line more in the vocabulary, and no other file changed."""


def test_a_word_is_added_in_one_file_and_known_to_every_face(tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    (tmp_path / "job.toml").write_text(
        """input = "people.csv"\noutput = "release.csv"\nbells = "loud"\nquasi_identifiers = ["age"]
identifiers = ["name"]\nsensitive = ["ill"]\n[privacy]\nk = 3\n"""
    )
    done = subprocess.run(
        [sys.executable, "-c", NEW_WORD], cwd=tmp_path, check=True, capture_output=True, text=True,
        env=os.environ | {"COLUMNS": "200"},
    )  # fmt: skip
    told, _, shown = done.stdout.partition("\n")
    faces = json.loads(told)
    assert faces.pop("refused") == "The setting 'bels' is unknown. Did you mean 'bells'?"
    assert "Loudness of the bells" in faces.pop("form")
    assert faces == {"schema": "How loud the bells are.", "job": "loud", "run": True, "library": 6}
    assert re.search(r"--bells .* How loud the bells are\.", shown)


def test_every_word_of_a_job_has_a_form_in_the_workbench() -> None:
    made = [name for names in OWN_FORMS.values() for name in names]
    plain = [one.name for one in (*reading_words(), *other_words())]
    drawn_elsewhere = {*OWN, *ELSEWHERE}
    assert sorted([*made, *plain]) == sorted({*Job.model_fields} - drawn_elsewhere)
    pages = Path(vocabulary.__file__).parent.parent / "web" / "pages"
    assert {name for name in OWN_FORMS if not (pages / f"{name}.py").exists()} == set()


def test_what_is_typed_into_a_plain_field_is_what_a_job_file_says() -> None:
    known = Job.vocabulary()
    assert value_of(known["quick"], typed=True) is True
    assert value_of(known["quick"], typed=False) is None
    assert (value_of(known["sheet"], "2"), value_of(known["sheet"], "All of them")) == (2, "All of them")
    assert value_of(known["missing_values"], ["NA", "?"]) == ["NA", "?"]
    assert value_of(known["linked"], "histories") == "histories"
    said = value_of(known["release"], ["title=Wards", "purpose = a = b"])
    assert said == {"title": "Wards", "purpose": "a = b"}
    assert value_of(known["release"], texts_of(said)) == said
    with pytest.raises(shoal.InputError, match="write each as FIELD=TEXT, got 'Wards'"):
        value_of(known["release"], ["Wards"])


def test_only_verbs_list_the_words_about_columns() -> None:
    listed = set()
    for path in Path(vocabulary.__file__).parent.parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and {"recodings", "weights"} <= {a.arg for a in node.args.kwonlyargs}:
                listed.add(node.name)
    assert listed == {"anonymize", "compare", "list_patterns"}


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"privacy": 5}, "privacy takes privacy models such as shoal.KAnonymity"),
        ({"privacy": shoal.KAnonymity}, "privacy takes privacy models such as shoal.KAnonymity"),
        ({"weights": [1]}, "'weights' must say something per column"),
        ({"weights": {"age": "much"}}, "'weights' must be a number, got 'much' for 'age'"),
        ({"quasi_identifiers": "age"}, r"quasi_identifiers takes a list, got the text 'age'; write \['age'\]"),
        ({"quasi_identifiers": []}, "No quasi-identifier was named; .*--quasi.*inspect"),
        ({"privacy": []}, "No privacy model was asked for; .*--k 5"),
        ({"seed": "x"}, "'seed' must be a whole number, got 'x'"),
    ],
)
def test_what_cannot_be_said_is_one_sentence(said: dict[str, Any], says: str) -> None:
    words = {"quasi_identifiers": ["age"], "privacy": shoal.KAnonymity(2), "identifiers": ["name"], **said}
    with pytest.raises(shoal.InputError, match=says) as caught:
        shoal.anonymize(PEOPLE, **words)
    assert "\n" not in str(caught.value)


def test_settings_of_a_part_are_the_same_without_being_validated_again() -> None:
    said = {
        "quasi_identifiers": ["age", "zip"],
        "privacy": [shoal.KAnonymity(3)],
        "seed": 4,
        "delimiter": ";",
        "output": "a.csv",
    }
    words = CommandWords.said(said)
    narrow = words.narrowed(AnonymizeWords)
    del said["output"]
    assert type(narrow) is AnonymizeWords
    assert narrow == AnonymizeWords.said(said)
    assert narrow.model_fields_set == said.keys()
    assert narrow.aloud(AnonymizeWords) == words.aloud(AnonymizeWords)
