"""Dagster: a release as an asset, and a check that whoever gets it could repeat."""

import polars as pl
from dagster import AssetCheckResult, MaterializeResult, asset, asset_check, materialize

import shoal

QUASI = ["age", "sex"]
PROMISES = [shoal.KAnonymity(5), shoal.LDiversity(2)]


@asset
def people() -> None:
    rows = [(f"person {i}", 20 + i % 50, "fm"[i % 2], ["flu", "gout", "cold"][i % 3]) for i in range(300)]
    pl.DataFrame(rows, ["name", "age", "sex", "disease"], orient="row").write_parquet("people.parquet")


@asset(deps=[people])
def release() -> MaterializeResult:
    made = shoal.anonymize(
        "people.parquet", identifiers=["name"], quasi_identifiers=QUASI, sensitive=["disease"], privacy=PROMISES
    )
    made.write("release.parquet")  # nothing is written unless every promise holds: the asset fails instead
    return MaterializeResult(metadata={"records": made.frame.height, **made.losses()})


@asset_check(asset=release)
def keeps_its_promises() -> AssetCheckResult:
    found = shoal.verify("release.parquet", quasi_identifiers=QUASI, sensitive=["disease"], privacy=PROMISES)
    return AssetCheckResult(
        passed=found.holds, metadata={verdict.promise: verdict.achieved for verdict in found.verdicts}
    )


if __name__ == "__main__":
    done = materialize([people, release, keeps_its_promises])
    assert done.success
    assert all(check.passed for check in done.get_asset_check_evaluations())
