"""Values that a fence hides: LLVM for AMD takes it for a write to every object that is in memory still, also to those
of a thread. A counter beside the array that it indexes, as a stack in a struct has it, is no constant behind one, and
the struct stays in memory (`test_counters_behind_barriers.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Assign, Block, Call, Evaluate, Index, Loop, Member, Name, Update
from regpress_lint.model.graph.objects import Parts
from regpress_lint.model.graph.values import FLOAT
from regpress_lint.model.interpreter import loop_text
from regpress_lint.model.interpreter.memory import barrier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Expr, Stmt, Variable
    from regpress_lint.model.graph.objects import Path
    from regpress_lint.model.interpreter.machine import Machine


_NEAR = 2  # statements around a fence


def meet(machine: Machine, call: Call | None = None) -> None:
    """A barrier or a fence. call: how the source writes it."""
    barrier(machine)
    if not machine.compiler.fences_private:
        return
    beside = _beside(machine, call) if call is not None else ()
    for variable, whole in tuple(machine.variables.items()):
        if isinstance(whole, Parts) and whole.origin is None and _has_array(machine, variable):
            hidden = tuple(path for path in _counters(machine, variable, whole) if not _is_near(path, beside))
            if hidden:
                _hide(machine, variable, whole, hidden)


def _has_array(machine: Machine, variable: Variable) -> bool:
    type_ = variable.type
    if variable.dims or variable.storage != "local" or not type_.struct or type_.pointers:
        return False
    return any(bool(part.dims) for part in machine.file.parts_of(type_.name) or ())


def _counters(machine: Machine, variable: Variable, whole: Parts) -> Iterator[Path]:
    """Members with a number that is known, by which an array is indexed or a loop is bounded that indexes one."""
    graph = machine.graph
    for path, value in whole.parts.items():
        last = path[-1]
        if not isinstance(last, str) or not isinstance(value, int) or graph.kinds[value] == FLOAT:
            continue
        if graph.constants[value] is not None and last in _indexing(machine, variable.type.name):
            yield path


def _indexing(machine: Machine, class_name: str) -> frozenset[str]:
    """The names of members in indices and tests of loops, in the kernel and the member functions of a class."""
    names = machine.known.indexing.get(class_name)
    if names is None:
        nodes = [*loop_text.nodes(machine.active[0].body, machine)]
        called = {node.name for node in nodes if isinstance(node, Call) and isinstance(node.callee, Member)}
        for function in (method for name in sorted(called) for method in machine.file.methods(class_name, name, -1)):
            nodes += loop_text.nodes(function.body, machine)
        asked: list[Expr | Stmt] = [node.index for node in nodes if isinstance(node, Index)]
        asked += [node.test for node in nodes if isinstance(node, Loop) and node.test is not None]
        names = machine.known.indexing[class_name] = frozenset(name for expr in asked for name in _members(expr))
    return names


def _members(expr: Expr | Stmt) -> Iterator[str]:
    for node in loop_text.nodes(expr):
        if isinstance(node, Member):
            yield node.field
        elif isinstance(node, Name) and (node.variable is None or node.variable.storage == "member"):
            yield node.name


def _beside(machine: Machine, call: Call) -> tuple[Stmt, ...]:
    """The two statements in front of a call that is one by itself, and the one behind it."""
    for node in loop_text.nodes(machine.active[-1].body):
        if not isinstance(node, Block):
            continue
        for at, statement in enumerate(node.statements):
            if isinstance(statement, Evaluate) and statement.expression.span == call.span:
                return node.statements[max(at - 2, 0) : at] + node.statements[at + 1 : at + 2]
    return ()


def _is_near(path: Path, beside: tuple[Stmt, ...]) -> bool:
    """True for a counter that is written right in front of a fence and read right behind it: LLVM looks back at six
    instructions (`DefMaxInstsToScan`), about two statements of one write each.
    """
    if len(beside) < _NEAR:
        return False
    *before, behind = beside
    near = before if all(isinstance(statement, Evaluate) for statement in before) else before[-1:]
    near = near if isinstance(before[-1], Evaluate) else []
    written = (node for statement in near for node in loop_text.nodes(statement) if isinstance(node, (Assign, Update)))
    targets = (node.operand if isinstance(node, Update) else node.target for node in written)
    reads = any(isinstance(node, Member) and node.field == path[-1] for node in loop_text.nodes(behind))
    return reads and any(isinstance(target, Member) and target.field == path[-1] for target in targets)


def _hide(machine: Machine, variable: Variable, whole: Parts, hidden: tuple[Path, ...]) -> None:
    fenced = whole.copy(machine.owner)
    for path in hidden:
        value = whole.parts[path]
        if isinstance(value, int):
            key = ("fenced", variable, path, machine.memory.epoch)
            fenced.parts[path] = machine.graph.source(key, machine.graph.form(value), divergent=True)
    machine.variables[variable] = fenced
