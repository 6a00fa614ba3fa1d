"""How a benchmark says what became of a published table: a line that ``reproduce.py`` collects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["reproduced", "better", "differs"]
MARK = "verdict |"


@dataclass(frozen=True)
class Verdict:
    """What became of one table or figure, and why."""

    table: str
    outcome: Outcome
    why: str

    def __str__(self) -> str:
        return f"{MARK} {self.table} | {self.outcome} | {self.why}"

    @classmethod
    def read(cls, line: str) -> Verdict | None:
        """The verdict in a line of output, if it is one."""
        if not line.startswith(MARK):
            return None
        table, outcome, why = (part.strip() for part in line.removeprefix(MARK).split("|", 2))
        return cls(table, outcome, why)  # type: ignore[arg-type]


def say(table: str, outcome: Outcome, why: str = "") -> None:
    """Print the verdict on a table or figure."""
    print(Verdict(table, outcome, why), flush=True)


def compare(table: str, ours: Sequence[float], theirs: Sequence[float], why: str = "", within: float = 0.05) -> None:
    """Print the verdict on figures where smaller is better: all within a share of the paper's, or better, or not."""
    ratios = [a / b for a, b in zip(ours, theirs, strict=True) if b]
    worst, best = max(ratios), min(ratios)
    said = f"{len(ratios)} figures, ours / theirs {best:.2f} to {worst:.2f}" + (f"; {why}" if why else "")
    if best >= 1 - within and worst <= 1 + within:
        say(table, "reproduced", said)
    else:
        say(table, "better" if worst <= 1 + within else "differs", said)
