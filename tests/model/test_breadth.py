"""The order of a block by the longest chain that leads to each value, as clang for AMD works on it."""

from __future__ import annotations

import pytest

from regpress_lint.model.graph.ops import ADD
from regpress_lint.model.graph.values import Graph
from regpress_lint.model.passes.liveness import _levels


@pytest.mark.parametrize(("long", "expected"), [({}, [0, 1, 2, 3]), ({1: 8}, [0, 1, 9, 10]), ({0: 8}, [0, 8, 9, 10])])
def test_a_routine_is_a_chain_by_itself_and_all_else_is_one_step(long: dict[int, int], expected: list[int]) -> None:
    graph = Graph()
    last = graph.add(ADD)
    values = [last, *(last := graph.add(ADD, (last,)) for _ in range(3))]
    assert list(_levels(graph, values, {}, long).values()) == expected
