"""The promises: one option for each privacy model there is, in the model's own words."""

from __future__ import annotations

from dataclasses import make_dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from shoal.core.contracts import PrivacyModel
from shoal.errors import InputError
from shoal.models import ALL


class _Promises:
    """The values of the options, one list of texts for each model."""

    def models(self) -> list[PrivacyModel]:
        """The promises asked for.

        Raises:
            InputError: a model does not understand what was said.
        """
        return [model.parse(text) for model in ALL.values() for text in getattr(self, _field(model)) or ()]

    def alternatives(self) -> list[list[PrivacyModel]]:
        """For each option the promises it may mean: one for each number where it names several, as in ``5,10``.

        Raises:
            InputError: a model does not understand what was said.
        """
        return [_each(model, text) for model in ALL.values() for text in getattr(self, _field(model)) or ()]


def _each(model: type[PrivacyModel], text: str) -> list[PrivacyModel]:
    """One for each part between commas where every part makes sense alone, else one for the whole."""
    try:
        return [model.parse(part.strip()) for part in text.split(",")]
    except InputError:
        return [model.parse(text)]


def _field(model: type[PrivacyModel]) -> str:
    return f"promise_{model.flag.replace('-', '_')}"


def _option(model: type[PrivacyModel]) -> Any:
    return typer.Option(
        f"--{model.flag}",
        metavar=model.flag.upper(),
        help=f"{model.name}: {escape(model.summary)}.",
        rich_help_panel="Promises",
    )


if TYPE_CHECKING:
    Promises = _Promises
else:
    Promises = make_dataclass(
        "Promises",
        [(_field(model), Annotated[list[str] | None, _option(model)], None) for model in ALL.values()],
        bases=(_Promises,),
        frozen=True,
    )
