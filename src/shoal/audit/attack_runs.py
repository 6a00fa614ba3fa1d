"""Running attacks one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import get_args

from shoal.audit import ALL
from shoal.audit.adversary_view import Pace, Scene
from shoal.audit.contract import Attack, Risk, not_run
from shoal.audit.figures import SampleRisk, Special, figures_of
from shoal.audit.findings import Audit
from shoal.audit.knowledge import Knowledge
from shoal.audit.links import AttackTooLarge
from shoal.audit.number_wording import in_rows
from shoal.audit.scorer import Referee
from shoal.core.plugins import build
from shoal.core.progress import Progress, Silent

_PACES: tuple[Pace, ...] = get_args(Pace)

_ASK = {
    "usual": "It is not part of the quick audit; audit the release to run it.",
    "thorough": "It takes long; ask for a thorough audit to run it.",
}


def run_attacks(
    scene: Scene,
    referee: Referee,
    *,
    attacks: Sequence[Attack] | None = None,
    population: Knowledge | int | None = None,
    notes: Sequence[str] = (),
    progress: Progress | None = None,
    sample: SampleRisk | None = None,
    special: Special | None = None,
) -> Audit:
    """Run the given attacks, or all that are quick enough, and collect the figures."""
    progress = progress or Silent()
    chosen = [attack() for attack in ALL.values()] if attacks is None else list(attacks)
    seconds: dict[str, float] = {}
    risks: list[Risk] = []
    for attack in chosen:
        progress.stage(f"attacking: {attack.name}")
        start = perf_counter()
        risks += _attempt(attack, scene, referee, is_asked=attacks is not None)
        seconds[attack.name] = perf_counter() - start
    start = perf_counter()
    figures = replace(figures_of(scene, population, referee.whose), sample=sample, special=special)
    seconds["figures"] = perf_counter() - start
    return Audit(
        n_people=scene.known.n_different,
        n_records=scene.seen.n_records,
        quasi_identifiers=tuple(scene.names),
        sensitive=tuple(column.name for column in scene.sensitive),
        k=scene.k,
        pace=scene.pace,
        risks=tuple(risks),
        figures=figures,
        stories={attack.name: attack.story for attack in chosen},
        remedies={attack.name: attack.remedy for attack in chosen},
        notes=tuple(notes),
        seconds=seconds,
    )


def chosen_attacks(names: Sequence[str]) -> list[Attack]:
    """Return the attacks with these names, with options as in ``corruption:corrupted=3``.

    Raises:
        InputError: there is no attack with that name, or it has no such option.
    """
    return [build("attack", name, ALL) for name in names]


def _attempt(attack: Attack, scene: Scene, referee: Referee, *, is_asked: bool) -> list[Risk]:
    if not is_asked and _PACES.index(attack.pace) > _PACES.index(scene.pace):
        return [not_run(attack.name, _ASK[attack.pace])]
    try:
        why_not = attack.lacks(scene)
        risks = [not_run(attack.name, why_not)] if why_not else attack.run(scene, referee)
        return [_in_rows(risk) for risk in risks] if referee.untraced and attack.counts_owners else risks
    except AttackTooLarge as problem:
        return [not_run(attack.name, str(problem))]


def _in_rows(risk: Risk) -> Risk:
    """Reword the risk in terms of rows, if it is unknown whose records these are."""
    figures = {in_rows(name): figure for name, figure in risk.figures.items()}
    return replace(risk, says=in_rows(risk.says), figures=figures)
