"""Nasty little tables, and what to ask of them; the same seed draws the same case."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from redteam.case import Case, Column, Promise, Value
from redteam.populations import draw_population
from shoal import algorithms
from shoal.audit import ALL as ATTACKS

TEXTS: list[list[str]] = [
    ["a", "b", "c", "d"],
    ["a", "A", "a ", " a", "á", "a\u0301"],
    ["*", "a", "**", "b"],
    ["[1..3]", "{a, b}", "[a..b]", "1"],
    ["=1+1", "+x", "-y", "@z", "'=q", "\u2003=v"],
    ['q"q', "x,y", "x;y", "x\ty", "x|y", "x\\y"],
    ["x\ny", "x\r\ny", "x"],
    ["1", "01", "1.0", "1e0"],
    ["missing", "null", "NA", "nan", "None", "?"],
    ['"quoted"', '"', "''", "'a'"],
    ["{a", "a}", "[a", "a]", "a..b", ".."],
    ["\u202eabc", "\ufeffx", "x\u00a0", "\U0001f41f"],
    ["x", "y" * 300, "z"],
    ["true", "false", "TRUE"],
    ["2024-01-01", "2024-02-30", "2023-12-31"],
    ["a\x00b", "a", "b"],
]
"""Pools of texts that have gone wrong somewhere: separators, formulas, look-alikes of labels, unicode, NUL."""

NUMBERS: dict[str, list[list[Value]]] = {
    "int": [
        [1, 2, 3, 4, 5, 9],
        [-5, 0, 5, -1],
        [9007199254740992, 9007199254740993, 9999999999999999, 10000000000000000],
        [-(2**63), 2**63 - 1, 0],
        [7],
    ],
    "float": [[0.5, 1.5, 2.5, 1e3], [-0.0, 0.0, 1.0], [0.1, 0.30000000000000004, 0.3], [1e-300, 1e300, 1.0]],
    "date": [["2024-01-01", "2024-02-29", "1999-12-31", "1900-01-01"], ["0001-01-01", "9999-12-31", "2024-01-01"]],
    "datetime": [["2024-01-01T00:00:00", "2024-01-01T00:00:00.000001", "2024-01-01T12:30:00"]],
    "bool": [[True, False], [True]],
}
NAMES = [
    "q",
    "age",
    "zip code",
    "=q",
    "a,b",
    'a"b',
    "a=b",
    "code",
    "number of rows",
    "count",
    "ä",
    "*",
    "k",
    "Q",
    "x.y",
]
NAMES += [
    "class",
    "level_0",
    "row",
    "owner",
    "index",
    "__index_level_0__x",
    "a:b",
    "weight",
    "bucket",
    "0",
    "-q",
    "x\ty",
]

GROUPS = ["k", "l", "t", "alpha", "p", "beta", "delta"]
SIZES = [
    "largest-risk",
    "average-risk",
    "risk-share",
    "k-combinations",
    "sample-uniqueness",
    "population-uniqueness",
    "estimated-k-map",
    "individual-risk",
    "household-risk",
]
OF_ALGORITHM = {
    "nonhomogeneous": ["matching"],
    "freeform": ["matching"],
    "concealment": ["one-k", "k-one", "kk", "concealment", "linkage"],
    "anatomy": ["l"],
    "patterns-exact": ["k"],
    **{name: [*GROUPS, "k", *SIZES, "k-map", "presence"] for name in ("mondrian", "hilbert", "lattice", "samarati")},
}
SPELLED = {"clustering": "clustering:budget=0.05", "microaggregation": "microaggregation:budget=0.05"}


def draw(seed: int) -> Case:
    """The case of a seed."""
    dice = Random(seed)
    verb = dice.choices(["anonymize", "run", "verify", "audit", "apply"], [60, 15, 12, 8, 5])[0]
    source = dice.choice(["csv", "csv", "parquet"])
    n = dice.choices([1, 2, 3, 4, 6, 8, 12], [1, 2, 3, 5, 6, 6, 3])[0]
    algorithm = "lattice" if verb == "apply" else dice.choice([*algorithms.ALL, "auto"])
    columns = _columns(dice, n, source, is_plain=dice.random() < 0.5)
    if algorithm in ("lattice", "samarati", "incognito"):
        columns = [_with_tree(dice, column) for column in columns]
    promises = _promises(dice, algorithm, columns, n)
    if verb == "verify":
        promises = promises[:1]
    words: dict[str, object] = {"audit": dice.choice(["off", "off", "quick"]), "seed": dice.randrange(1000)}
    if dice.random() < 0.25 and not any(promise.flag in _MATCHED for promise in promises):
        words["suppression_limit"] = dice.choice([0.1, 0.29, 0.5, 1.0])
    if verb in ("anonymize", "run") and dice.random() < 0.25:
        words = {**{key: value for key, value in words.items() if key == "suppression_limit"}, "memory": "1GiB"}
    is_counted = any(promise.flag in ("k-map", "presence") for promise in promises)
    if is_counted and verb == "apply":
        verb = "anonymize"
    is_population_given = is_counted or (verb in ("verify", "audit") and dice.random() < 0.5)
    population = draw_population(dice, columns, source) if is_population_given else []
    if dice.random() < 0.5:
        columns = [_with_wider_tree(dice, column, population) for column in columns]
    targets = ["csv", "csv", "parquet", "tsv"] + ["xlsx", "arrow"] * ("memory" not in words)
    return Case(
        columns=columns,
        promises=promises,
        algorithm=SPELLED.get(algorithm, algorithm),
        words=words,
        verb=verb,
        source=source,
        target=dice.choice(targets),
        population=population,
        attack=dice.choice([*ATTACKS]) if verb == "audit" and dice.random() < 0.5 else "",
        seed=seed,
    )


def on_spark(case: Case) -> Case:
    """The same as a release on Spark, which reads and writes Parquet here and has no use for most words."""
    words = {**{key: value for key, value in case.words.items() if key == "suppression_limit"}, "backend": "spark"}
    verb = case.verb if case.verb == "run" else "anonymize"
    return replace(case, words=words, verb=verb, source="parquet", target="parquet", population=[])


_MATCHED = ("matching", "one-k", "k-one", "kk", "concealment", "linkage")


def _columns(dice: Random, n: int, source: str, *, is_plain: bool) -> list[Column]:
    roles = ["quasi"] * dice.choice([1, 1, 2, 2, 3]) + ["sensitive"] * dice.choice([0, 1, 1, 1, 1, 2])
    roles += ["identifier"] * dice.choice([0, 1]) + ["other"] * dice.choice([0, 0, 1])
    dice.shuffle(roles)
    names = [f"c{i}" for i in range(len(roles))] if is_plain else dice.sample(NAMES, len(roles))
    return [_column(dice, name, role, n, source, i) for i, (name, role) in enumerate(zip(names, roles, strict=True))]


def _column(dice: Random, name: str, role: str, n: int, source: str, number: int) -> Column:
    if role == "identifier":
        return Column(name, "text", role, [f"ID-{number}-{row}-Zaphod" for row in range(n)])
    kind = dice.choice(["text", "text", "text", "int", "float", "date"] + ["bool", "datetime"] * (source == "parquet"))
    pool: list[Value] = list(dice.choice(TEXTS if kind == "text" else NUMBERS[kind]))
    pool = pool[: dice.randint(1, len(pool))]
    if dice.random() < 0.25:
        pool.append(None)
    if source == "parquet" and kind == "text" and dice.random() < 0.1:
        pool.append("")
    values: list[Value] = [dice.choice(pool) for _ in range(n)]
    column = Column(name, kind, role, values)
    return _with_tree(dice, column) if role == "quasi" and dice.random() < 0.3 else column


def _with_tree(dice: Random, column: Column) -> Column:
    """With a hierarchy of two or three levels whose labels may be nasty, too."""
    if column.role != "quasi" or column.tree is not None or column.type not in ("text", "int"):
        return column
    leaves = sorted({str(value) for value in column.values if value not in (None, "")})
    labels = dice.choice([["low", "high"], ["[1..3]", "{a, b}"], ["x,y", "=1"]])
    if not leaves or set(labels) & set(leaves):
        return column
    middle = {leaf: dice.choice(labels) for leaf in leaves}
    return replace(column, tree=[[leaf, middle[leaf], "*"] for leaf in leaves])


def _with_wider_tree(dice: Random, column: Column, population: list[Column]) -> Column:
    """With a hierarchy that knows the values of the population, too."""
    theirs = next((other for other in population if other.name == column.name), None)
    if column.tree is None or theirs is None:
        return column
    leaves = {row[0] for row in column.tree}
    labels = sorted({row[1] for row in column.tree})
    more = sorted({str(value) for value in theirs.values if value not in (None, "")} - leaves - {*labels, "*"})
    return replace(column, tree=[*column.tree, *([leaf, dice.choice(labels), "*"] for leaf in more)])


def _promises(dice: Random, algorithm: str, columns: list[Column], n: int) -> list[Promise]:
    sensitive = [column for column in columns if column.role == "sensitive"]
    flags = [dice.choice(OF_ALGORITHM.get(algorithm, GROUPS))]
    if not sensitive and flags[0] in GROUPS and algorithm != "anatomy":
        flags = ["k"]
    if flags[0] in _MATCHED and sensitive and dice.random() < 0.3 and algorithm != "auto":
        flags.append("l")
    elif flags[0] != "k" and flags[0] in GROUPS and dice.random() < 0.5 and algorithm != "anatomy":
        flags.append("k")
    return [_promise(dice, flag, sensitive, n) for flag in flags]


def _promise(dice: Random, flag: str, sensitive: list[Column], n: int) -> Promise:
    k = dice.choices([1, 2, 3, n, n + 1], [1, 6, 3, 1, 0.5])[0]
    if flag == "l":
        kind = dice.choice(["", "", "entropy", "frequency", "recursive"])
        return Promise(flag, dice.choice([2, 2, 3, 1]), kind, c=dice.choice([0.5, 1, 3]) if kind == "recursive" else 0)
    if flag == "t":
        is_number = bool(sensitive) and all(column.type in ("int", "float") for column in sensitive)
        return Promise(flag, dice.choice([0.1, 0.25, 0.5, 1]), dice.choice(["", "ordered"]) if is_number else "")
    if flag == "alpha":
        return Promise(flag, dice.choice([0.34, 0.5, 0.75, 1]), k=k)
    if flag == "p":
        return Promise(flag, dice.choice([1, 2, 3]), k=k)
    if flag == "beta":
        return Promise(flag, dice.choice([0.5, 1, 2]), dice.choice(["", "enhanced"]))
    if flag == "delta":
        return Promise(flag, dice.choice([0.5, 1, 2]))
    if flag in ("largest-risk", "average-risk", "individual-risk", "household-risk"):
        return Promise(flag, dice.choice([0.34, 0.5, 0.75, 1]))
    if flag == "risk-share":
        return Promise(flag, dice.choice([0.34, 0.5]), c=dice.choice([0.1, 0.5]))
    if flag == "sample-uniqueness":
        return Promise(flag, dice.choice([0, 0.2, 0.5]))
    if flag == "population-uniqueness":
        return Promise(flag, dice.choice([0, 0.2, 0.5]), f"zayatz:population={n + 20}")
    if flag == "estimated-k-map":
        return Promise(flag, k, f"population={n * 1000}")
    if flag == "k-combinations":
        return Promise(flag, k, dice.choice(["1", "2", "3"]))
    if flag == "presence":
        return Promise(flag, dice.choice([0.34, 0.5, 1]))
    if flag == "linkage":
        return Promise(flag, dice.choice([0.34, 0.5, 0.75]))
    if flag == "concealment":
        return Promise(flag, k, dice.choice(["", "", "rows", "records"]))
    return Promise(flag, k)
