"""Arrays and objects whose size is not known, and loops whose number of turns only the compiler knows: what the ledger
says of them, and the name that it depends on.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import WORD
from regpress_lint.cpp.constants import evaluate_int
from regpress_lint.cpp.syntax_tree import Assign, Call, Index, InitList, Member, Name, Update, Variable
from regpress_lint.cpp.traversal import walk
from regpress_lint.model.interpreter.private_objects import in_registers
from regpress_lint.targets.builtins import COORDINATES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from regpress_lint.cpp.syntax_tree import Expr, Loop
    from regpress_lint.model.interpreter.machine import Machine

_BUILD = "`{0}` is not defined; `--define {0}=...` or a build folder (-p) would tell"
_MEMBER = "the value of `{0}` is not known; a build folder (-p) would tell"
_MAX_CONSTANTS = 8  # of which each is made of the next
_TEMPLATE = "no instantiation says what the template argument `{0}` is; a visible one would tell"


def note_size(machine: Machine, variable: Variable) -> None:
    """An entry for a declared array of unknown size: in memory it takes an unknown number of bytes, in registers any
    number of them.
    """
    array = machine.inputs.array_of(variable)
    if array is None and (variable.storage != "local" or isinstance(variable.init, InitList)):
        return
    if array is not None and (array.elements is not None or not array.described):
        return
    sizes = [machine.known_int(size) for size in variable.dims]
    settled = [size for size in sizes if size is not None and size >= 0]
    if len(settled) == len(sizes):  # by the call that is executed
        machine.tally.extents[variable.name, variable.span.start] = prod(settled)
        return
    missing = next((name for size in variable.dims for name in _open_names(machine, size)), None)
    text = f"the size of {_spelled(variable)} is not known"
    if missing is not None:
        reason = _TEMPLATE if missing in _parameters(machine) else _MEMBER if "::" in missing else _BUILD
        text += f": {reason.format(missing)}"
    most = None if in_registers(machine, variable) else 0
    machine.unknown("size", variable.name, variable.span, text, "up", most)


def note_open_size(machine: Machine, variable: Variable) -> None:
    """An entry for an object of unknown size that is indexed at run time, once."""
    if any(unknown.kind == "size" and unknown.name == variable.name for unknown in machine.tally.unknowns):
        return
    text = f"the size of {_spelled(variable)} is not known"
    missing = next((word for word in WORD.findall(variable.type.name) if word in _parameters(machine)), None)
    if missing is not None:
        text += f": {_TEMPLATE.format(missing)}"
    machine.unknown("size", variable.name, variable.span, text, "up", None if in_registers(machine, variable) else 0)


def note_turns(machine: Machine, loop: Loop) -> None:
    """An entry for a loop that ends at a number that compilers know and nothing here says: they may copy it."""
    steps = [node for node in walk(loop.step) if isinstance(node, (Assign, Update))] if loop.step is not None else []
    stepped = (step.target if isinstance(step, Assign) else step.operand for step in steps)
    counters = {target.variable for target in stepped if isinstance(target, Name)}
    if len(counters) != 1 or loop.test is None or not _begins_constant(machine, *counters):
        return
    deciding = (loop.test, *(step.value for step in steps if isinstance(step, Assign)))
    ends = [name for expr in deciding for name in _ends(machine, expr, counters)]
    missing = next((name for name in ends if name), None)
    if missing is None or "" in ends:
        return
    reason = _TEMPLATE if missing in _parameters(machine) else _MEMBER if "::" in missing else _BUILD
    text = f"how often a loop runs is not known: {reason.format(missing)}"
    machine.unknown("loop", missing, loop.test.span, text)


def _begins_constant(machine: Machine, counter: Variable | None) -> bool:
    start = machine.variables.get(counter) if counter is not None else None
    return isinstance(start, int) and machine.graph.constants[start] is not None


def _ends(machine: Machine, expr: Expr, counters: Collection[Variable | None], depth: int = 0) -> Iterator[str]:
    """The names without a value in an expression that compilers know, and `""` for what they do not know either."""
    for node in walk(expr):
        if isinstance(node, (Call, Member, Index)):
            yield ""
        if not isinstance(node, Name) or (node.variable in counters and node.variable is not None):
            continue
        if evaluate_int(node, machine.environment) is not None:
            continue
        init = node.variable.init if node.variable is not None else None
        of_object = machine.this is not None and node.name not in _parameters(machine)
        fixed = not of_object if node.variable is None else init is not None and node.variable.type.const
        if not fixed or depth >= _MAX_CONSTANTS or node.name in COORDINATES:
            yield ""
        elif init is not None:
            yield from _ends(machine, init, counters, depth + 1)
        else:
            yield node.name


def _spelled(variable: Variable) -> str:
    return f"`{variable.name}`" if variable.name else f"a `{variable.type.name}` without a name"


def _parameters(machine: Machine) -> frozenset[str]:
    """Parameters of the templates that are executed."""
    return frozenset(parameter.name for function in machine.active for parameter in getattr(function, "template", ()))


def _open_names(machine: Machine, expr: Expr | None, depth: int = 0) -> Iterator[str]:
    """Names without a value in an array's extent; of a constant that the function makes, those in its initialiser."""
    nodes = list(walk(expr)) if expr is not None and depth < _MAX_CONSTANTS else []
    called = {node.callee for node in nodes if isinstance(node, Call)}
    for node in nodes:
        if not isinstance(node, Name) or node in called or evaluate_int(node, machine.environment) is not None:
            continue
        init = node.variable.init if node.variable is not None else None
        yield from _open_names(machine, init, depth + 1) if init is not None else (node.name,)
