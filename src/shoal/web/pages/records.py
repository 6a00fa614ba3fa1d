"""Records: the original and the release side by side, row by row."""

from __future__ import annotations

from shoal.engine.outcome_view import IN_PIECES
from shoal.report.figures import counted, cut, listed
from shoal.web.pages.grid import GridColumn, grid
from shoal.web.pages.shown_run import keep_up
from shoal.web.pages.tags import hint, redrawn, tag
from shoal.web.pages.view import View
from shoal.web.run import Run


def build(view: View, run: Run) -> None:
    """Two grids that scroll, sort and filter together; changed cells are marked, equivalence classes are colored."""
    box = tag("div", id="records")

    def draw() -> None:
        if "rows" in run.pieces:
            _grids(view, run)
        elif run.is_in_pieces:
            tag("p", IN_PIECES, class_="note")
        else:
            hint("Matching rows with their records …")

    keep_up(view, run, redrawn(box, lambda: "rows" in run.pieces, draw))


def _grids(view: View, run: Run) -> None:
    kept = [str(name) for name in run.figures["compared"]]
    removed = run.words.get("identifiers", [])
    told = f" Removed: {listed([cut(name, 40) for name in removed])}." if removed else ""
    hint(
        f"Row by row, the smallest equivalence classes first. Cells that were changed are shaded; "
        f"{counted(run.figures['n_suppressed'], 'row')} suppressed. The bar at the left has one color for each class."
        f"{told} Only you can see the original."
    )
    source = f"/api/sessions/{view.session.id}/runs/{run.id}/rows?side="
    with tag("div", class_="side-by-side"):
        with tag("section", aria_label="Original"):
            tag("h2", "Original (for you alone)")
            columns = [GridColumn("row", "Row", "number", width=90), *_columns("before:", kept)]
            grid(columns, source + "before", name="original", label="Original", size="tall", link="compared")
        with tag("section", aria_label="Release"):
            tag("h2", "Release")
            own = [GridColumn("class", "Class", "number", width=90), GridColumn("size", "Size", "number", width=90)]
            label = "Release, each record beside its row"
            grid(
                [*own, *_columns("after:", kept)],
                source + "after",
                name="released",
                label=label,
                size="tall",
                link="compared",
            )


def _columns(side: str, names: list[str]) -> list[GridColumn]:
    return [GridColumn(f"{side}{name}", cut(name, 40)) for name in names]
