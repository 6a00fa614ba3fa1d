"""``shoal policy``: list the policies, or print the job file of one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.options import bundled
from shoal.cli.output_mode import Shown, show, show_data, show_json
from shoal.engine.policy import list_policies
from shoal.engine.policy_job import policy_job
from shoal.policies import Policy
from shoal.report.grids import Grid
from shoal.report.text_edition import rich_table

Name = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="A policy, with options as in hipaa-safe-harbor:zip_population=zip3.csv."),
]
Table = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", help="A table: the job then has the roles and hierarchies of its columns."),
]


@bundled
def command(shown: Shown, name: Name = None, file: Table = None) -> None:
    """List the policies, or print the job file of one.

    A policy is a named set of options of anonymize, with its source. You can edit the job file and run it. Or use
    anonymize --policy NAME; other options override the policy.

    shoal policy hipaa-safe-harbor people.csv > job.toml
    """
    if name is not None:
        job = policy_job(name, file)
        if shown.json:
            show_json({"job": tomllib.loads(job)})
        else:
            show_data(job)
    elif shown.json:
        show_json([_facts(policy) for policy in list_policies().values()])
    elif shown.for_people:
        rows = [[one.name, one.summary, one.dated, one.source] for one in list_policies().values()]
        show(rich_table(Grid("Policies", ["Name", "What it asks for", "Dated", "Source"], rows)))


def _facts(policy: Policy) -> dict[str, object]:
    told = {fact: getattr(policy, fact) for fact in ("name", "summary", "dated", "source", "rationale")}
    return {**told, "words": policy.words()}
