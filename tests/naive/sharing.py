"""Who takes which box, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence

Boxes = Sequence[set[int]]
"""The rows inside each box."""


def move_in(boxes: Boxes, order: Sequence[int], users: int) -> dict[int, int]:
    """Box after box: where enough rows inside have none yet, all of them take it."""
    homes: dict[int, int] = {}
    for b in order:
        free = boxes[b] - set(homes)
        if len(free) >= users:
            homes |= dict.fromkeys(free, b)
    return homes


def pull(boxes: Boxes, costs: Sequence[int], order: Sequence[int], users: int, homes: Sequence[int]) -> list[int]:
    """Box after box: the rows that save most move, and others until there are enough; if that saves in all."""
    now = list(homes)
    for b in order:
        tried, moved = list(now), 0
        need = max(0, users - now.count(b))
        for row in sorted((row for row in boxes[b] if now[row] != b), key=lambda row: costs[b] - costs[now[row]]):
            if costs[b] >= costs[now[row]] and moved >= need:
                break
            if tried.count(now[row]) > users:
                tried[row], moved = b, moved + 1
        if moved >= need and sum(costs[home] for home in tried) < sum(costs[home] for home in now):
            now = tried
    return now
