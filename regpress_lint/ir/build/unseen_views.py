"""Objects of unknown classes that are called with indices: `x(i, j)` counts as an element of a view."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.syntax_tree import Call, Name, Type
from regpress_lint.ir.build import arithmetic
from regpress_lint.ir.build.accesses import element
from regpress_lint.ir.build.indirect_calls import is_view
from regpress_lint.ir.graph import FLOAT, INT, POINTER, made_form
from regpress_lint.ir.objects import Closure, Memory

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr
    from regpress_lint.ir.build.machine import Machine

_ELEMENT = Type("double", 8, floating=True)  # the larger one of what such views have
_MOST_INDICES = 8
# Words in front of a name that declare something else than a member: `struct Pair {`, `: public Base {`, `return x;`.
_NO_TYPE = (
    b"return",
    b"struct",
    b"class",
    b"union",
    b"enum",
    b"namespace",
    b"typename",
    b"public",
    b"private",
    b"protected",
)
_DECLARED = pattern(rb"(?<=[\w>&])\s++(\w++)\s*+[;{]")
_OFF = 4  # registers: of an element of another size, and of strides that the type settles
_TEXT = (
    "`{}` is taken for a view of doubles with strides that are known at run time: its class is not in view; its header "
    "(-I) or a build folder (-p) would tell"
)


def unseen_element(machine: Machine, expr: Call, *, written: bool) -> Memory | None:
    """The element that such a call names; None for a call that may be one of a function. written: something is stored
    to it, which only what gives a reference allows.
    """
    callee = expr.callee
    if not isinstance(callee, Name) or expr.template_args or not 0 < len(expr.args) <= _MOST_INDICES:
        return None
    if not _is_object(machine, callee, written=written):
        return None
    indices = [_index(machine, arg) for arg in expr.args]
    if None in indices:
        return None
    graph, key = machine.graph, callee.variable or callee.name
    held = machine.compiler.scalar_registers
    base = graph.source(("argument", key, ("data",)), made_form(machine.compiler.pointer_registers, POINTER))
    place, *others = [index for index in indices if index is not None]
    for axis, index in enumerate(others, 1):
        stride = graph.source(("argument", key, ("stride", axis)), INT, held=held)
        place = arithmetic.binary(graph, "+", place, arithmetic.binary(graph, "*", index, stride))
    text = _TEXT.format(callee.name)
    if not any(one.text == text for one in machine.tally.unknowns):
        machine.unknown("type", callee.name, callee.span, text, "both", _OFF)
    type_ = machine.type_of(expr)
    return element(machine, base, place, type_ if type_ is not None and type_.size else _ELEMENT, "global")


def _index(machine: Machine, arg: Expr) -> int | None:
    """An argument as an index; None if it is not one. An argument of unknown type counts as an integer."""
    value, type_ = machine.evaluate(arg), machine.type_of(arg)
    if not isinstance(value, int):
        return None
    if machine.graph.kinds[value] not in (FLOAT, POINTER):
        return value
    known = type_ is not None and (type_.size is not None or type_.pointers > 0)
    return None if known else arithmetic.convert(machine.graph, value, INT)


def _is_object(machine: Machine, callee: Name, *, written: bool) -> bool:
    variable = callee.variable or machine.names.get(callee.name)
    if variable is None:
        return _is_member(machine, callee.name) and machine.file.find_function(callee.name, -1) is None
    type_ = variable.type
    if type_.pointers or type_.size is not None or isinstance(machine.variables.get(variable), Closure):
        return False
    if variable.storage == "local" and variable.init is None:  # an object of its own, as Eigen's vectors are
        return False
    return written or is_view(callee)


def _is_member(machine: Machine, name: str) -> bool:
    """True for a name that the file of the kernel declares as `Type name;`: a member of the function object."""
    return name.encode() in _members(machine.file.source.data)


@lru_cache(maxsize=4)
def _members(data: bytes) -> frozenset[bytes]:
    """All such names of a file: each of its kernels needs some."""
    return frozenset(one[1] for one in _DECLARED.finditer(data) if not data.endswith(_NO_TYPE, 0, one.start()))
