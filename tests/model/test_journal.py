"""Undo in an execution: every field of the state goes back to a mark, or says why it does not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from ssa_helpers import run

from regpress_lint.model.graph.objects import Access
from regpress_lint.model.graph.ops import ADD, BARRIER
from regpress_lint.model.graph.values import INT, Graph, Region
from regpress_lint.model.interpreter import journal
from regpress_lint.model.interpreter.state import Bindings, Frame, LoopState, MemoryState, Tally

if TYPE_CHECKING:
    from regpress_lint.model.interpreter.machine import Machine


def _names(part: object) -> set[str]:
    slots = getattr(type(part), "__slots__", None)
    return set(vars(part)) if slots is None else set(slots)


@pytest.mark.parametrize(
    ("part", "fields"),
    [
        (run("out[0] = n;"), journal.MACHINE),
        (LoopState(), journal.LOOPS),
        (Bindings(), journal.BINDINGS),
        (Graph(), journal.GRAPH),
        (Tally(), journal.TALLY),
        (MemoryState(), journal.MEMORY),
        (Frame(), journal.FRAME),
        (Region(), journal.REGION),
    ],
    ids=["machine", "loops", "bindings", "graph", "tally", "memory", "frame", "region"],
)
def test_every_field_of_the_state_is_named_once(part: object, fields: journal.Fields) -> None:
    named = Counter(name for names in fields for name in names)
    assert [name for name, times in named.items() if times > 1] == []
    assert set(named) == _names(part)


def _state(machine: Machine) -> dict[str, Any]:
    """What goes back, in words that do not change with it."""
    parts = {"machine": (machine, journal.MACHINE), "graph": (machine.graph, journal.GRAPH)}
    parts |= {"tally": (machine.tally, journal.TALLY), "memory": (machine.memory, journal.MEMORY)}
    parts |= {"loops": (machine.loops, journal.LOOPS), "bindings": (machine.bindings, journal.BINDINGS)}
    parts |= {"frame": (machine.frame, journal.FRAME), "region": (machine.region, journal.REGION)}
    return {
        f"{part}.{name}": repr(getattr(owner, name))
        for part, (owner, fields) in parts.items()
        for name in _names(owner) - set(fields.kept)
    } | {"variables": repr(machine.variables)}


def test_undo_restores_the_state_of_the_mark() -> None:
    machine = run("float v[4]; for (int i = 0; i < n; i++) { v[i & 3] += a[i]; b[i] = v[0]; } out[0] = v[1];")
    before, to = _state(machine), machine.mark()
    graph, memory = machine.graph, machine.memory
    pointer, one = graph.source("somewhere", INT), graph.constant(41)
    made = graph.pure(ADD, (pointer, one), INT)
    graph.combined["+", pointer, one] = (made, len(graph))
    graph.limits[made] = 7
    machine.effect(BARRIER)
    machine.new_block()
    machine.loops.counters.add(made)
    machine.loops.inductions[machine.top, (made,)] = made
    machine.routines[made] = ("sinf", 0)
    machine.carry = made
    machine.guards += 1
    machine.frame.conditions.append(made)
    machine.frame.dead = True
    machine.tally.libraries.append("sinf")
    machine.tally.size += 3
    memory.written(Access("global", None, "f4"))
    memory.reads.append({(0, "place", "f4", 1, 0): made})
    memory.stored["place"] = made
    memory.spaces[made] = "global"
    assert _state(machine) != before
    machine.rewind(to)
    assert _state(machine) == before
