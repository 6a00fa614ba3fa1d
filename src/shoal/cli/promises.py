"""The options for privacy models: one per model, described by the model itself."""

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
        """The requested privacy models.

        Raises:
            InputError: a model cannot parse its text.
        """
        return [model.parse(text) for model in ALL.values() for text in getattr(self, _field(model)) or ()]

    def alternatives(self) -> list[list[PrivacyModel]]:
        """For each option the models to try: one for each number if it lists several, as in ``5,10``.

        Raises:
            InputError: a model cannot parse its text.
        """
        return [_each(model, text) for model in ALL.values() for text in getattr(self, _field(model)) or ()]


def _each(model: type[PrivacyModel], text: str) -> list[PrivacyModel]:
    """One model per part between commas if every part can be parsed alone, else one for the whole text."""
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
