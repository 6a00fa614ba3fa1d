"""The picture that the README leads with: a few rows of the example before and after, as they are published.

``python benchmarks/picture.py`` writes docs/results/before-after.svg. The people do not exist.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

import shoal
from shoal.io.example import ROLES, hierarchies, people

TARGET = Path(__file__).parent.parent / "docs" / "results" / "before-after.svg"
SHOWN = ("birth_date", "postcode", "sex", "job", "diagnosis")
WIDTHS = (150, 96, 64, 190, 190)
ROW, TOP = 24, 34
N_ROWS = 6


def main() -> None:
    table = people(20_000)
    result = shoal.anonymize(
        table,
        **ROLES,
        hierarchies=hierarchies(),
        privacy=[shoal.KAnonymity(10), shoal.LDiversity(3)],
        algorithm="agglomerative",
        seed=1,
    )
    release = result.release
    rows = release.owners[:: release.n_records // N_ROWS][:N_ROWS]
    own = {int(owner): record for record, owner in enumerate(release.owners)}
    names = [column.name for column in release.table.quasi]
    before = [[str(table[name][int(row)] or "") for name in SHOWN] for row in rows]
    after = []
    for row in rows:
        shape = release.shapes[own[int(row)]]
        labels = {
            name: column.recoding.label(cells, int(cells.ids[shape]))
            for name, column, cells in zip(names, release.table.quasi, release.cells, strict=True)
        }
        after.append([str(labels.get(name, table[name][int(row)]) or "") for name in SHOWN])
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(drawn(before, after), encoding="utf-8")
    print(f"{TARGET.name}: LM {result.losses()['lm']:.4f}, 20,000 people, 10-anonymous and 3-diverse")


def drawn(before: list[list[str]], after: list[list[str]]) -> str:
    width, height = sum(WIDTHS) + 20, 2 * (TOP + ROW * (N_ROWS + 1)) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="13"><rect width="100%" height="100%" fill="white"/>'
    ]
    parts += grid("before: who is the only one born that day in that postcode?", before, 10, "#fdecea")
    parts += grid("after: every row shares its cells with at least nine others", after, height // 2 + 5, "#e8f4ea")
    return "\n".join([*parts, "</svg>", ""])


def grid(title: str, rows: list[list[str]], top: int, colour: str) -> list[str]:
    parts = [f'<text x="12" y="{top + 16}" font-weight="bold">{escape(title)}</text>']
    for i, row in enumerate([list(SHOWN), *rows]):
        x, y = 10, top + TOP + ROW * i
        for name, text, width in zip(SHOWN, row, WIDTHS, strict=True):
            fill = "#eeeeee" if i == 0 else "white" if name == "diagnosis" else colour
            shown = text if len(text) <= width // 7 else text[: width // 7 - 1] + "…"
            parts.append(f'<rect x="{x}" y="{y - 8}" width="{width}" height="{ROW}" fill="{fill}" stroke="#bbb"/>')
            parts.append(f'<text x="{x + 6}" y="{y + 8}">{escape(shown)}</text>')
            x += width
    return parts


if __name__ == "__main__":
    main()
