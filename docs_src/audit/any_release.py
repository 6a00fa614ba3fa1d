import polars as pl

import shoal

original = pl.DataFrame(
    {
        "age": [21, 24, 29, 33, 38, 39],
        "zip": ["02138", "02139", "02138", "02144", "02145", "02144"],
        "ill": ["flu", "flu", "flu", "HIV", "gout", "cold"],
    }
)
release = pl.DataFrame(
    {
        "age": ["20-29", "20-29", "20-29", "thirties", "thirties", "thirties"],
        "zip": ["0213*", "0213*", "0213*", "0214*", "0214*", "0214*"],
        "ill": ["flu", "flu", "flu", "gout", "HIV", "cold"],
    }
)
found = shoal.audit_release(
    original,
    release,
    quasi_identifiers=["age", "zip"],
    sensitive=["ill"],
    labels={"age": {"thirties": "[30..39]"}},
    k=3,
)
print(found.withstands)
for risk in found.falling:
    print(risk.attack, risk.says)

assert not found.withstands
assert {risk.attack for risk in found.falling} >= {"homogeneity"}
