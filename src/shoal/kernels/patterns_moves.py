"""Move rows between instances of patterns: open one, close one, and see to the rows that are left behind.

Rows of one kind may be in the same instances and lie side by side. An instance is used while it has rows, and then it
has at least ``floor``. The last one, ``outside``, takes any number of any rows. Every move is written down and can be
taken back.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from shoal.kernels.arrays import Array
from shoal.kernels.small import sort_part


class Board(NamedTuple):
    """Where every row is.

    Instance ``p`` costs a row ``costs[p]`` (``ranks[p]`` counts costs downwards) and may hold the kinds
    ``kinds[offsets[p]:offsets[p + 1]]``; kind ``i`` has the rows ``firsts[i]`` to ``firsts[i + 1]`` and may be in
    ``places[starts[i]:starts[i + 1]]``, cheapest first. The rows of an instance are a list: ``heads``, ``nexts``,
    ``priors``. ``moved`` and ``origins`` are the moves of this step, ``n_moves[0]`` of them; ``is_broken`` marks
    instances that are being cleared; ``keys`` is room to sort.
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
    is_broken: Array
    keys: Array


@njit(cache=True, nogil=True)
def settle_in(board: Board) -> None:
    """Work out sizes and lists from ``homes``. O(rows)."""
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def move(board: Board, row: int, place: int) -> float:
    """Move a row and write it down; returns what it adds to the cost."""
    origin, n = board.homes[row], board.n_moves[0]
    board.moved[n] = row
    board.origins[n] = origin
    board.n_moves[0] = n + 1
    relink(board, row, place)
    return float(board.costs[place] - board.costs[origin])


@njit(cache=True, nogil=True)
def take_back(board: Board, until: int) -> None:
    """Undo all moves but the first ``until``."""
    for n in range(board.n_moves[0] - 1, until - 1, -1):
        relink(board, board.moved[n], board.origins[n])
    board.n_moves[0] = until


@njit(cache=True, nogil=True)
def best_used(board: Board, row: int) -> int:
    """The cheapest used instance that may hold a row, ``outside`` if there is none."""
    kind = board.kind_of[row]
    for e in range(board.starts[kind], board.starts[kind + 1]):
        place = board.places[e]
        if board.sizes[place] > 0 and not board.is_broken[place]:
            return int(place)
    return board.costs.size - 1


@njit(cache=True, nogil=True)
def can_leave(board: Board, origin: int, floor: int) -> bool:
    """Whether an instance can do without one of its rows."""
    return origin == board.costs.size - 1 or board.is_broken[origin] or board.sizes[origin] > floor


@njit(cache=True, nogil=True)
def attract(board: Board, place: int, floor: int, may_break: bool) -> float:
    """Move all rows to an instance that pay more where they are (and can be done without, unless it may break)."""
    added = 0.0
    for e in range(board.offsets[place], board.offsets[place + 1]):
        for row in range(board.firsts[board.kinds[e]], board.firsts[board.kinds[e] + 1]):
            origin = board.homes[row]
            if board.costs[origin] > board.costs[place] and (may_break or can_leave(board, origin, floor)):
                added += move(board, row, place)
    return added


@njit(cache=True, nogil=True)
def fill(board: Board, place: int, floor: int, may_break: bool) -> float:
    """Move further rows to an instance until it has ``floor``, those that lose least first; as ``attract``."""
    n, span = 0, np.int64(board.homes.size)
    for e in range(board.offsets[place], board.offsets[place + 1]):
        for row in range(board.firsts[board.kinds[e]], board.firsts[board.kinds[e] + 1]):
            origin = board.homes[row]
            if origin != place and (may_break or can_leave(board, origin, floor)):
                board.keys[n] = board.ranks[origin] * span + row
                n += 1
    if board.sizes[place] + n < floor:
        return 0.0
    sort_part(board.keys, 0, n)
    added = 0.0
    for i in range(n):
        if board.sizes[place] >= floor:
            break
        row = board.keys[i] % span
        if may_break or can_leave(board, board.homes[row], floor):
            added += move(board, row, place)
    return added


@njit(cache=True, nogil=True)
def rehouse(board: Board, row: int, floor: int, tries: int) -> float:
    """Find a row of a broken instance another one: an unused one if that is cheaper, else the cheapest used."""
    origin, kind, tried = board.homes[row], board.kind_of[row], 0
    refuge = best_used(board, row)
    extra = board.costs[refuge] - board.costs[origin]
    for e in range(board.starts[kind], board.starts[kind + 1]):
        place = board.places[e]
        if tried == tries or board.costs[place] >= board.costs[refuge]:
            break
        room = board.moved.size - board.n_moves[0] - board.homes.size
        if board.sizes[place] == 0 and not board.is_broken[place] and room > 0:
            tried += 1
            until = board.n_moves[0]
            added: float = attract(board, place, floor, False)
            if board.sizes[place] < floor:
                added += fill(board, place, floor, False)
            if board.sizes[place] >= floor and board.homes[row] == place and added < extra:
                return added
            take_back(board, until)
    return float(move(board, row, refuge))


@njit(cache=True, nogil=True)
def clear(board: Board, place: int, floor: int, tries: int) -> float:
    """Rehouse all rows of an instance."""
    added = 0.0
    board.is_broken[place] = True
    while board.heads[place] >= 0:
        added += rehouse(board, board.heads[place], floor, tries)
    return added


@njit(cache=True, nogil=True)
def open_up(board: Board, place: int, floor: int, tries: int) -> float:
    """Use an instance: attract and fill, whatever breaks, then clear what broke; infinite where rows are too few."""
    added: float = attract(board, place, floor, True)
    for may_break in (False, True):
        if board.sizes[place] < floor:
            added += fill(board, place, floor, may_break)
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


@njit(cache=True, nogil=True)
def drift(board: Board, floor: int) -> float:
    """Move every row that can be done without to the cheapest used instance. O(pairs)."""
    added = 0.0
    for row in range(board.homes.size):
        board.n_moves[0] = 0
        origin = board.homes[row]
        if can_leave(board, origin, floor):
            place = best_used(board, row)
            if board.costs[place] < board.costs[origin]:
                added += move(board, row, place)
    return added


@njit(cache=True, nogil=True)
def anneal(board: Board, floor: int, draws: Array, luck: Array, hot: float, cold: float, tries: int) -> Array:
    """Open or close the drawn instances, one a step, also where it costs if ``luck`` allows; returns the best homes.

    A step that adds c is kept with probability exp(−c / heat), the heat falling from ``hot`` to ``cold``.
    """
    settle_in(board)
    now = drift(board, floor)
    best, homes, round_ = now, board.homes.copy(), max(1, board.costs.size - 1)
    for step in range(draws.size):
        place = draws[step]
        board.n_moves[0] = 0
        if board.sizes[place] > 0:
            added = clear(board, place, floor, tries)
            board.is_broken[place] = False
        else:
            added = open_up(board, place, floor, tries)
        heat = hot * (cold / hot) ** (step / draws.size)
        if added <= 0.0 or luck[step] < np.exp(-added / heat):
            now += added
        else:
            take_back(board, 0)
        if (step + 1) % round_ == 0 or step + 1 == draws.size:
            now += drift(board, floor)
            if now < best - 1e-9:
                best = now
                homes[:] = board.homes
    return homes
