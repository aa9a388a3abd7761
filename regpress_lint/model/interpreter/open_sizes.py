"""Arrays and objects whose size is not known: what the ledger says of them, and the name that the size depends on."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import WORD
from regpress_lint.cpp.constants import evaluate_int
from regpress_lint.cpp.syntax_tree import Call, InitList, Name, Variable
from regpress_lint.cpp.traversal import walk
from regpress_lint.model.interpreter.private_objects import in_registers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Expr
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
    known = [size for size in sizes if size is not None and size >= 0]
    if len(known) == len(sizes):  # by the call that is executed
        machine.tally.extents[variable.name, variable.span.start] = prod(known)
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
    if any(one.kind == "size" and one.name == variable.name for one in machine.tally.unknowns):
        return
    text = f"the size of {_spelled(variable)} is not known"
    missing = next((word for word in WORD.findall(variable.type.name) if word in _parameters(machine)), None)
    if missing is not None:
        text += f": {_TEMPLATE.format(missing)}"
    machine.unknown("size", variable.name, variable.span, text, "up", None if in_registers(machine, variable) else 0)


def _spelled(variable: Variable) -> str:
    return f"`{variable.name}`" if variable.name else f"a `{variable.type.name}` without a name"


def _parameters(machine: Machine) -> frozenset[str]:
    """Parameters of the templates that are executed."""
    return frozenset(each.name for one in machine.active for each in getattr(one, "template", ()))


def _open_names(machine: Machine, expr: Expr | None, depth: int = 0) -> Iterator[str]:
    """Names without a value in an array's extent; of a constant that the function makes, those in its initialiser."""
    nodes = list(walk(expr)) if expr is not None and depth < _MAX_CONSTANTS else []
    called = {node.callee for node in nodes if isinstance(node, Call)}
    for node in nodes:
        if not isinstance(node, Name) or node in called or evaluate_int(node, machine.environment) is not None:
            continue
        made = node.variable.init if node.variable is not None else None
        yield from _open_names(machine, made, depth + 1) if made is not None else (node.name,)
