"""The tables of an audit, independent of their format."""

from __future__ import annotations

from shoal.audit.contract import Outcome, Risk
from shoal.audit.figures import CUTS, RiskFigures, SampleRisk, Special
from shoal.audit.findings import Audit
from shoal.models.uniqueness import Uniqueness
from shoal.report.figures import figure, percent
from shoal.report.grids import Bad, Good, Grid

_WORDS = {"stopped": Good("stopped"), "weak": "weak", "falls": Bad("FALLS"), "not run": "not run"}


def figures_grids(found: Audit) -> list[Grid]:
    """The tables of the risk figures."""
    figures = found.figures
    return [
        opinion(found),
        exposures(figures),
        classes(figures),
        diversity(figures),
        *([] if figures.sample is None else [sample(figures.sample)]),
        *([] if figures.special is None else [special(figures.special)]),
    ]


def attacks(found: Audit) -> Grid:
    """Each attack that was run: its success, the baseline, and what was found."""
    heads = ["Attack", "About", "Outcome", "Success", "Baseline", "What was found"]
    rows = [
        [risk.attack, risk.about, _WORDS[risk.outcome], _success(risk), percent(risk.baseline), risk.says]
        for risk in found.risks
        if risk.outcome != "not run"
    ]
    return Grid("Attacks on the release", heads, rows, (3, 4))


def _success(risk: Risk) -> str:
    around = "" if risk.interval is None else f" ({percent(risk.interval[0])} to {percent(risk.interval[1])})"
    return percent(risk.rate) + around


def not_run(found: Audit) -> Grid:
    """The attacks that were not run, and why."""
    rows = [[risk.attack, risk.says] for risk in found.risks if risk.outcome == "not run"]
    return Grid("Not run", ["Attack", "Why"], rows)


_CAPTIONS: dict[Outcome, str] = {
    "falls": "Attacks that succeed",
    "weak": "Attacks that gain something but expose nobody",
    "stopped": "Attacks that are stopped",
}


def by_outcome(found: Audit) -> list[Grid]:
    """The attacks that were run, worst first: what the adversary does, what that achieves, and what would help."""
    return [_told(found, outcome, caption) for outcome, caption in _CAPTIONS.items()]


def _told(found: Audit, outcome: Outcome, caption: str) -> Grid:
    helps = ["Remedy"] if outcome != "stopped" else []
    heads, rows = ["Attack", "The adversary", "What was found", "Success", "Baseline", *helps], []
    for risk in (risk for risk in found.risks if risk.outcome == outcome):
        name = f"{risk.attack} ({risk.about})" if risk.about else risk.attack
        told = [found.stories[risk.attack], risk.says, _success(risk), percent(risk.baseline)]
        remedy = [found.remedies[risk.attack]] if helps else []
        rows.append([Bad(name) if outcome == "falls" else name, *told, *remedy])
    return Grid(caption, heads, rows, (3, 4))


def exposures(figures: RiskFigures) -> Grid:
    """Risk by scenario: prosecutor (one row, and all rows of a person), journalist, marketer, likeliest match."""
    known = (figures.prosecutor, figures.whole_history, figures.linkage, figures.journalist, figures.marketer)
    shown = [exposure for exposure in known if exposure is not None]
    levels = [f"Above 1/{round(1 / level)}" for level, _ in shown[0].above]
    rows = [
        [one.scenario, percent(one.highest), percent(one.average), *(percent(share) for _, share in one.above)]
        for one in shown
    ]
    rows[-1] = ["marketer", "–", percent(figures.marketer.average), *["–"] * len(levels)]
    return Grid("Risk of being found", ["Scenario", "Highest", "Average", *levels], rows, range(1, 3 + len(levels)))


def sample(found: SampleRisk) -> Grid:
    """The risk in a weighted sample."""
    shown = [one for one in (found.individual, found.adjusted, found.household) if one is not None]
    rows = [[one.scenario, percent(one.highest), percent(one.average)] for one in shown]
    rows.append(["expected re-identifications", "–", f"{found.expected:,.2f} of {found.population:,.0f} people"])
    if found.household is not None:
        rows.append(["expected re-identified households", "–", f"{found.expected_households:,.2f}"])
    for name, model in (("release", found.log_linear), ("original", found.log_linear_before)):
        if model is not None:
            told = f"{model.uniques:,.2f} of {model.sample_uniques:,} sample uniques"
            rows += [[f"population uniques of the {name} (log-linear)", "–", told]]
            rows += [[f"expected matches of them in the {name} (log-linear)", "–", f"{model.matches:,.2f}"]]
    return Grid("Risk in a sample (by sample weights)", ["Risk", "Highest", "Average or number"], rows, (1, 2))


def special(found: Special) -> Grid:
    """Special uniques: minimal sample uniques of the original, and the columns they consist of."""
    rows = [
        ["Original rows with a minimal sample unique", f"{found.n_records:,}"],
        ["Highest SUDA score", f"{found.highest:,.0f}"],
        ["Highest DIS-SUDA score", percent(found.dis_highest)],
        *([f"Share of the scores with {name}", percent(share)] for name, share in found.columns),
    ]
    return Grid("Special records (SUDA2)", ["Figure", "Value"], rows, (1,))


def classes(figures: RiskFigures) -> Grid:
    """Class sizes and uniqueness."""
    rows = [
        ["Records", f"{figures.n_records:,}"],
        ["Classes of records with equal cells", f"{figures.n_classes:,}"],
        ["Smallest class (achieved k)", f"{figures.achieved_k:,}"],
        *([f"Records in classes smaller than {cut}", f"{n:,}"] for cut, n in zip(CUTS, figures.below, strict=True)),
        ["Records in a class of their own (sample uniques)", f"{figures.sample_uniques:,}"],
    ]
    for name, estimate in (("release", figures.uniqueness), ("original", figures.uniqueness_before)):
        rows += _uniqueness(name, estimate)
    return Grid("Classes", ["Figure", "Value"], rows, (1,))


def _uniqueness(name: str, estimate: Uniqueness | None) -> list[list[str]]:
    if estimate is None:
        return []
    models = (
        ("Zayatz", estimate.zayatz),
        ("SNB", estimate.snb),
        ("Pitman, exact", estimate.pitman),
        ("Pitman, asymptotic", estimate.pitman_asymptotic),
    )
    said = ", ".join(f"{model} {percent(share)}" for model, share in models if share is not None)
    row = f"Unique in a population of {estimate.population:,}, {name} ({estimate.model} by Dankar's rule)"
    return [[row, percent(estimate.share)], [f"… by model, {name}", said]]


def diversity(figures: RiskFigures) -> Grid:
    """The diversity of each sensitive column in the worst class."""
    heads = ["Sensitive column", "l (distinct)", "l (entropy)", "t", "δ", "β", "α"]
    rows = [
        [d.column, *map(figure, (d.distinct_l, d.entropy_l, d.t, d.delta, d.beta, d.alpha))] for d in figures.diversity
    ]
    return Grid("Achieved in the worst class", heads, rows, range(1, 7))


def opinion(found: Audit) -> Grid:
    """The three questions of the Article 29 Working Party, Opinion 05/2014 (WP216)."""
    none = "The attack 'inference' was not run." if found.sensitive else "No sensitive column was named."
    rows = [
        ["Singling out", " ".join(filter(None, (_said(found, "linking"), _said(found, "as-is"))))],
        ["Linkability", _said(found, "posterior") or _said(found, "matching")],
        ["Inference", " ".join(risk.says for risk in found.of("inference")) or none],
    ]
    return Grid("The three questions of WP216", ["Question", "Answer"], [row for row in rows if row[1]])


def _said(found: Audit, attack: str) -> str:
    return " ".join(risk.says for risk in found.of(attack) if risk.outcome != "not run")


def asked_for(found: Audit) -> Grid:
    """Which regulation or guidance refers to which figure, with its value here; counsel decides on compliance."""
    figures = found.figures
    risks = f"highest {percent(figures.prosecutor.highest)}, average {percent(figures.prosecutor.average)}"
    below = dict(zip(CUTS, figures.below, strict=True))
    rows = [
        [
            "Article 29 Working Party, Opinion 05/2014 (WP216), on anonymization techniques",
            "whether people can be singled out, records linked, values inferred",
            "the three answers above",
        ],
        [
            "EMA, Policy 0070, and Health Canada, public release of clinical information",
            "highest risk of a record, at most 0.09",
            f"{figures.prosecutor.highest:.3f}",
        ],
        [
            "HIPAA, expert determination, 45 CFR 164.514(b)(1)",
            "a very small risk, usually the highest and the average risk of a record",
            risks,
        ],
        [
            "CMS, cell size suppression policy",
            "no cell below 11",
            f"smallest class {figures.achieved_k:,}; {below[11]:,} records in classes below 11",
        ],
        [
            "Statistical offices and data use agreements, often",
            "smallest class of at least 3, 5 or 10",
            f"smallest class {figures.achieved_k:,}; {below[5]:,} records in classes below 5",
        ],
    ]
    return Grid("Which text requires which figure", ["Who", "Which figure", "This release"], rows)
