"""Chooses the classes of a node to suppress so that privacy models about the whole release hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.core.arrays import Codes
from shoal.core.contracts import Goal, Metric, PriceMetric
from shoal.core.node import Node


def settled(node: Node, goal: Goal) -> Node:
    """The node after suppressing as few classes as the goal's models about the whole release require.

    Small classes are suppressed first; among equally small ones those whose suppression costs least, then those with
    the smallest values. O(classes · columns + classes log classes) for each round in which one model undoes what
    another achieved.
    """
    if not goal.release_models:
        return node
    order = _order(node, goal.metric)
    kept = node.kept
    while True:
        before = kept
        for model in goal.release_models:
            left = replace(node, kept=kept, n_suppressed=int(node.sizes[~kept].sum()))
            kept = kept & model.keep(left, order[kept[order]])
        if (kept == before).all():
            return replace(node, kept=kept, n_suppressed=int(node.sizes[~kept].sum()))


def _order(node: Node, metric: Metric) -> Codes:
    """All classes in the order of suppression; it does not depend on how the classes are numbered."""
    prices = metric.prices_on(node.table).extras(node) if isinstance(metric, PriceMetric) else np.zeros(node.sizes.size)
    cells = [node.bounds(column)[0] for column in reversed(range(node.table.n_quasi))]
    return np.lexsort(np.array([*cells, np.round(prices, 9), node.sizes])).astype(np.int32)
