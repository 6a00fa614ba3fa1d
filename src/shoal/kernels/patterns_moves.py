"""Move rows between instances of patterns: open an instance, close one, and find places for displaced rows.

Rows of one kind may be in the same instances and are stored side by side. An instance is used while it has rows, and
then it has at least ``floor``. The last one, ``outside``, takes any number of any rows. Every move is logged and can be
undone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.kernels.arrays import Array
from shoal.kernels.decorators import kernel


class Board(NamedTuple):
    """The instance of every row.

    Instance ``p`` costs a row ``costs[p]`` (``ranks[p]`` ranks costs downwards) and may hold the kinds
    ``kinds[offsets[p]:offsets[p + 1]]``; kind ``i`` has the rows ``firsts[i]`` to ``firsts[i + 1]`` and may be in
    ``places[starts[i]:starts[i + 1]]``, cheapest first. The rows of an instance are a linked list: ``heads``,
    ``nexts``, ``priors``. ``moved`` and ``origins`` log the ``n_moves[0]`` moves of this step, and ``n_looks[0]``
    counts how often a row was examined; ``is_broken`` marks instances that are being cleared.
    """

    costs: Array
    ranks: Array
    offsets: Array
    kinds: Array
    starts: Array
    places: Array
    firsts: Array
    kind_of: Array
    homes: Array
    sizes: Array
    heads: Array
    nexts: Array
    priors: Array
    moved: Array
    origins: Array
    n_moves: Array
    n_looks: Array
    is_broken: Array


@kernel
def settle_in(board: Board) -> None:
    """Compute sizes and lists from ``homes``. O(rows)."""
    board.sizes[:] = 0
    board.heads[:] = -1
    board.priors[:] = -1
    for row in range(board.homes.size):
        place = board.homes[row]
        head = board.heads[place]
        board.nexts[row] = head
        if head >= 0:
            board.priors[head] = row
        board.heads[place] = row
        board.sizes[place] += 1


@kernel
def relink(board: Board, row: int, place: int) -> None:
    """Put a row into another instance."""
    origin, prior, after = board.homes[row], board.priors[row], board.nexts[row]
    if prior >= 0:
        board.nexts[prior] = after
    else:
        board.heads[origin] = after
    if after >= 0:
        board.priors[after] = prior
    head = board.heads[place]
    board.nexts[row] = head
    board.priors[row] = -1
    if head >= 0:
        board.priors[head] = row
    board.heads[place] = row
    board.homes[row] = place
    board.sizes[origin] -= 1
    board.sizes[place] += 1


@kernel
def move(board: Board, row: int, place: int) -> float:
    """Move a row and log it; return what it adds to the cost."""
    origin, n = board.homes[row], board.n_moves[0]
    board.moved[n] = row
    board.origins[n] = origin
    board.n_moves[0] = n + 1
    relink(board, row, place)
    return float(board.costs[place] - board.costs[origin])


@kernel
def take_back(board: Board, until: int) -> None:
    """Undo all moves but the first ``until``."""
    for n in range(board.n_moves[0] - 1, until - 1, -1):
        relink(board, board.moved[n], board.origins[n])
    board.n_moves[0] = until


@kernel
def best_used(board: Board, row: int) -> int:
    """The cheapest used instance that may hold a row; ``outside`` if there is none."""
    kind = board.kind_of[row]
    for e in range(board.starts[kind], board.starts[kind + 1]):
        place = np.int64(board.places[e])
        board.n_looks[0] += 1
        if board.sizes[place] > 0 and not board.is_broken[place]:
            return int(place)
    return board.costs.size - 1


@kernel
def can_leave(board: Board, origin: int, least: int) -> bool:
    """Whether an instance can spare a row: it has more than ``least``, or is being cleared anyway."""
    return origin == board.costs.size - 1 or board.is_broken[origin] or board.sizes[origin] > least


@kernel
def attract(board: Board, place: int, least: int) -> float:
    """Move to an instance all rows that pay more where they are and can leave."""
    added = 0.0
    for e in range(board.offsets[place], board.offsets[place + 1]):
        kind = np.int64(board.kinds[e])
        board.n_looks[0] += board.firsts[kind + 1] - board.firsts[kind]
        for row in range(board.firsts[kind], board.firsts[kind + 1]):
            origin = board.homes[row]
            if board.costs[origin] > board.costs[place] and can_leave(board, origin, least):
                added += move(board, row, place)
    return added


@kernel
def fill(board: Board, place: int, floor: int, least: int) -> float:
    """Move further rows that can leave to an instance until it has ``floor`` rows, those that lose least first.

    One pass over its rows for each cost that they currently pay, highest first.
    """
    added, rank, none = 0.0, np.int64(-1), np.int64(board.costs.size)
    while board.sizes[place] < floor:
        following = none
        for e in range(board.offsets[place], board.offsets[place + 1]):
            kind = np.int64(board.kinds[e])
            board.n_looks[0] += board.firsts[kind + 1] - board.firsts[kind]
            for row in range(board.firsts[kind], board.firsts[kind + 1]):
                origin = board.homes[row]
                if origin == place or not can_leave(board, origin, least):
                    continue
                if board.ranks[origin] == rank and board.sizes[place] < floor:
                    added += move(board, row, place)
                elif board.ranks[origin] > rank:
                    following = min(following, board.ranks[origin])
        if following == none:
            break
        rank = following
    return added


@kernel
def rehouse(board: Board, row: int, floor: int, tries: int) -> float:
    """Move a row of a broken instance to an unused instance if that is cheaper, else to the cheapest used one."""
    origin, kind, tried = board.homes[row], board.kind_of[row], 0
    refuge = best_used(board, row)
    extra = board.costs[refuge] - board.costs[origin]
    for e in range(board.starts[kind], board.starts[kind + 1]):
        place = np.int64(board.places[e])
        if tried == tries or board.costs[place] >= board.costs[refuge]:
            break
        room = board.moved.size - board.n_moves[0] - board.homes.size
        if board.sizes[place] == 0 and not board.is_broken[place] and room > 0:
            tried += 1
            until = board.n_moves[0]
            added: float = attract(board, place, floor)
            if board.sizes[place] < floor:
                added += fill(board, place, floor, floor)
            if board.sizes[place] >= floor and board.homes[row] == place and added < extra:
                return added
            take_back(board, until)
    return float(move(board, row, refuge))


@kernel
def clear(board: Board, place: int, floor: int, tries: int) -> float:
    """Rehouse all rows of an instance."""
    added = 0.0
    board.is_broken[place] = True
    while board.heads[place] >= 0:
        added += rehouse(board, board.heads[place], floor, tries)
    return added


@kernel
def open_up(board: Board, place: int, floor: int, tries: int) -> float:
    """Open an instance: attract and fill it, then clear the instances that broke; infinite if rows are too few."""
    anything = np.int64(0)
    added: float = attract(board, place, anything)
    if added == 0.0 and board.offsets[place + 1] - board.offsets[place] > 4 * floor:
        return np.inf
    for least in (floor, anything):
        if board.sizes[place] < floor:
            added += fill(board, place, floor, least)
    if board.sizes[place] < floor:
        return np.inf
    outside, n = board.costs.size - 1, board.n_moves[0]
    for i in range(n):
        origin = board.origins[i]
        if origin != outside and 0 < board.sizes[origin] < floor:
            board.is_broken[origin] = True
    for i in range(n):
        if board.is_broken[board.origins[i]]:
            added += clear(board, board.origins[i], floor, tries)
    for i in range(n):
        board.is_broken[board.origins[i]] = False
    return added


@kernel
def drift(board: Board, floor: int) -> float:
    """Move every row that its instance can spare to the cheapest used one. O(pairs)."""
    added = 0.0
    for row in range(board.homes.size):
        board.n_moves[0] = 0
        origin = board.homes[row]
        if can_leave(board, origin, floor):
            place = best_used(board, row)
            if board.costs[place] < board.costs[origin]:
                added += move(board, row, place)
    return added


@kernel
def anneal(
    board: Board, floor: int, draws: Array, luck: Array, hot: float, cold: float, tries: int, looks: int
) -> Array:
    """Open or close the drawn instances, one a step, accepting increases if ``luck`` allows; return the best homes.

    A step that adds c is kept with probability exp(−c / heat), with the heat falling from ``hot`` to ``cold``. Ends
    after all draws, or once rows have been examined ``looks`` times.
    """
    settle_in(board)
    now = drift(board, floor)
    best, homes, n_steps, last = now, board.homes.copy(), draws.size, 0
    for step in range(n_steps):
        done = max(step / n_steps, board.n_looks[0] / looks)
        if done >= 1.0:
            break
        place = draws[step]
        board.n_moves[0] = 0
        if board.sizes[place] > 0:
            added = clear(board, place, floor, tries)
            board.is_broken[place] = False
        else:
            added = open_up(board, place, floor, tries)
        if added <= 0.0 or luck[step] < np.exp(-added / (hot * (cold / hot) ** done)):
            now += added
        else:
            take_back(board, np.int64(0))
        if board.n_looks[0] > last + 4 * board.kinds.size:
            last = board.n_looks[0]
            now += drift(board, floor)
            if now < best - 1e-9:
                best = now
                homes[:] = board.homes
    now += drift(board, floor)
    return board.homes if now < best else homes
