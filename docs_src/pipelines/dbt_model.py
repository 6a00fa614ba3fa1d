"""dbt: a Python model on DuckDB; rows come and go as Arrow buffers. In a project this file is models/release.py."""

from typing import Any

import shoal


def model(dbt: Any, session: Any) -> Any:
    dbt.config(materialized="table")
    return shoal.anonymize(
        dbt.ref("people"),  # a relation of DuckDB
        identifiers=["name"],
        quasi_identifiers=["age", "sex"],
        sensitive=["disease"],
        privacy=[shoal.KAnonymity(5), shoal.LDiversity(2)],
    ).to_frame()
