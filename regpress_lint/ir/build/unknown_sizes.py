"""Arrays with an unknown number of elements."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import evaluate_int
from regpress_lint.cpp.syntax_tree import Name
from regpress_lint.cpp.traversal import walk
from regpress_lint.ir.build.private_objects import in_registers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.ir.build.machine import Machine

_BUILD = "`{0}` is not defined; `--define {0}=...` or a build folder (-p) would tell"
_TEMPLATE = "no instantiation says what the template argument `{0}` is; one in view would tell"


def note_size(machine: Machine, variable: Variable) -> None:
    """An entry for a declared array of unknown size: in memory it takes an unknown number of bytes, in registers any
    number of them.
    """
    array = machine.inputs.array_of(variable)
    if array is None or array.elements is not None or not array.described:
        return
    sizes = [machine.known_int(size) for size in variable.dims]
    known = [size for size in sizes if size is not None]
    if len(known) == len(sizes):  # by the call that is executed
        machine.tally.extents[variable.name, variable.span.start] = prod(known)
        return
    missing = next(_open_names(machine, variable), None)
    text = f"the size of `{variable.name}` is not known"
    if missing is not None:
        parameters = {each.name for one in machine.active for each in getattr(one, "template", ())}
        text += f": {(_TEMPLATE if missing in parameters else _BUILD).format(missing)}"
    most = None if in_registers(machine, variable) else 0
    machine.unknown("size", variable.name, variable.span, text, "up", most)


def _open_names(machine: Machine, variable: Variable) -> Iterator[str]:
    """Names without a value in the extents of an array."""
    for size in variable.dims:
        for node in walk(size):
            if isinstance(node, Name) and evaluate_int(node, machine.inputs.environment) is None:
                yield node.name
