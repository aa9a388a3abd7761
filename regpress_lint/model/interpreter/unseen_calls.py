"""What is not in view: calls of functions without a body here (through pointers, of unknown libraries, with out
parameters), and objects of types that nothing declares.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.uncertainty import ANY_NUMBER
from regpress_lint.cpp.syntax_tree import Call, Expr, Index, Member, Name, Type, Unary
from regpress_lint.cpp.types import FUNCTION, builtin_type, dereference, is_undeclared
from regpress_lint.model.graph import ops
from regpress_lint.model.graph.objects import Closure, Memory, Parts
from regpress_lint.model.graph.ops import CALL
from regpress_lint.model.graph.values import FLOAT, INT, POINTER, UNSIGNED, made_form
from regpress_lint.model.interpreter import arithmetic
from regpress_lint.model.interpreter.member_calls import object_behind, own
from regpress_lint.model.interpreter.memory import element, pointed, store
from regpress_lint.model.interpreter.value_forms import form_of
from regpress_lint.source.indices import spelled
from regpress_lint.targets.costs import COSTS, INDIRECT, RECURSION

if TYPE_CHECKING:
    from collections.abc import Collection

    from regpress_lint.model.graph.values import Form
    from regpress_lint.model.interpreter.machine import Machine


# Calls whose callee is unknown until the program runs: virtual functions, tables of functions, pointers to them.


def is_through_pointer(machine: Machine, callee: Expr) -> bool:
    """True for a callee that is a pointer; lambdas, named functions, objects and macros were followed before.

    A pointer to data of known size is not a function: an unknown macro is called like an array.
    """
    if isinstance(callee, Name) and (callee.variable is None or callee.variable.type.name == "auto"):
        return False  # a parameter of a macro, for one
    if is_view(callee):
        return False
    if isinstance(callee, Member):
        type_ = machine.type_of(callee)
        return type_ is not None and type_.name == FUNCTION and type_.pointers > 0
    if isinstance(callee, (Name, Index, Unary)):
        type_ = machine.type_of(callee)
        return (
            type_ is None
            or (type_.size is None and not type_.struct)
            or (type_.pointers > 0 and not type_.pointee_size)
        )
    return False


def note_unseen_class(machine: Machine, callee: Expr) -> None:
    """Note a call of an object whose class nothing visible settles, and which is no pointer to a function."""
    type_ = machine.type_of(callee) if isinstance(callee, (Name, Unary)) else None
    if type_ is None or type_.name in (FUNCTION, "auto") or builtin_type(type_.name) is not None:
        return  # `float op(float)` is a pointer to a function as a parameter
    if not (class_ := machine.file.type_of(type_.name)) or class_.size is None:
        name = getattr(callee, "name", "") or type_.name
        machine.unknown("callee", name, callee.span, _UNSEEN_CLASS.format(name, type_.name), "both", ANY_NUMBER)


def is_view(callee: Expr) -> bool:
    """True for an object that is called, or for an element of one: `Array4<T> const& u`, `views[box]`."""
    base = callee.base if isinstance(callee, Index) else callee
    variable = base.variable if isinstance(base, Name) else None
    if variable is None or variable.type.pointers or variable.dims:
        return False
    return isinstance(callee, Index) or variable.type.reference or "<" in variable.type.name


def is_late(machine: Machine, callee: Expr) -> bool:
    """True for a virtual function of an object whose class is known only when the program runs, and for a variable that
    may hold one function or another.
    """
    if isinstance(callee, Name) and callee.variable is not None:
        held = machine.variables.get(callee.variable)
        return isinstance(held, Closure) and held.late
    if isinstance(callee, Name) and machine.this is not None:  # `area()` in another member of the class
        whole, name = machine.this, callee.name
    elif isinstance(callee, Member):
        whole, name = own(machine, callee.base), callee.field
    else:
        return False
    type_ = machine.type_of(whole)
    if type_ is None or not machine.file.is_virtual(type_.name, name):
        return False
    base = object_behind(machine, whole, name)
    if base is not whole and machine.loop_region() is not None:
        machine.unknown("callee", name, callee.span, _KEPT.format(name), "up")
        return True
    return not _is_known_object(machine, base, machine.type_of(base) or type_)


def _is_known_object(machine: Machine, base: Expr, type_: Type) -> bool:
    """True for an object of the kernel's own: its class is known, and so is what is called."""
    if isinstance(base, Name) and base.name == "this":
        return machine.this is not None
    if type_.pointers or type_.reference or not isinstance(base, Name) or base.variable is None:
        return False
    return isinstance(machine.variables.get(base.variable), Parts)


def call_indirect(machine: Machine, expr: Call, operands: tuple[int, ...]) -> int:
    """The call itself: the callee may use every register that is not kept across calls, and write anywhere."""
    cost, type_ = COSTS[machine.vendor][INDIRECT], machine.type_of(expr)
    form = form_of(type_)
    machine.tally.unresolved += 1
    result = machine.effect(
        CALL, operands, form if form.width else made_form(1, UNSIGNED), divergent=True, extra=cost.once
    )
    machine.memory.fenced("global")
    machine.new_block(straight=True)
    return result


def call_itself(machine: Machine, expr: Call, operands: tuple[int, ...]) -> int:
    """A call of the function that makes it: what it takes of registers is not known, and it has a frame."""
    machine.tally.libraries.append(RECURSION)
    return call_indirect(machine, expr, operands)


# Objects of unknown classes that are called with indices: `x(i, j)` counts as an element of a view.


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
_KEPT = (
    "`{}` is virtual and called through a base class in a loop: compilers keep the call, and the object in memory, "
    "which is not in the estimate"
)
_UNSEEN_CLASS = (
    "`{}` is called, and what class `{}` is stays open; it counts as a call. A visible instantiation, or its header "
    "(-I, or -p for a build folder), would tell"
)
_TEXT = (
    "`{}` is taken for a view of doubles with strides that are known at run time: its class is not visible; its header "
    "(-I) or a build folder (-p) would tell"
)


def unseen_element(machine: Machine, expr: Call, *, written: bool) -> Memory | None:
    """The element that such a call names; None for a call that may be one of a function. written: something is stored
    to it, which only what gives a reference allows.
    """
    callee = expr.callee
    if not isinstance(callee, Name) or expr.template_args or not 0 < len(expr.args) <= _MOST_INDICES:
        return None
    if not _is_unseen_object(machine, callee, written=written):
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
    if not any(unknown.text == text for unknown in machine.tally.unknowns):
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
    is_known = type_ is not None and (type_.size is not None or type_.pointers > 0)
    return None if is_known else arithmetic.convert(machine.graph, value, INT)


def _is_unseen_object(machine: Machine, callee: Name, *, written: bool) -> bool:
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
    return frozenset(match[1] for match in _DECLARED.finditer(data) if not data.endswith(_NO_TYPE, 0, match.start()))


# Routines of the math library that write a result through a pointer: `sincosf(x, &s[i], &c[i])`.
#
# A result whose pointer is the address of a private variable is assigned to it (`routines.py`); one for memory is
# stored.


_PLAIN = ("sincos", "sincospi", "modf", "frexp", "remquo")
_WRITE = frozenset((*_PLAIN, *(f"{name}f" for name in _PLAIN), "__sincosf"))


def results_of(
    machine: Machine, name: str, operands: tuple[int, ...], private: Collection[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The operands of a routine, and the pointers to memory that it writes through; other functions have none.

    private: operands that stand for private variables whose address is given.
    """
    if name not in _WRITE:
        return operands, ()
    kinds = machine.graph.kinds
    pointers = tuple(operand for operand in operands if kinds[operand] == POINTER and operand not in private)
    return tuple(operand for operand in operands if operand not in pointers), pointers


def written(machine: Machine, pointer: int, result: int, type_: Type | None) -> None:
    """Store a result of a routine; type_: of the argument, a pointer."""
    store(machine, pointed(machine, pointer, dereference(type_) if type_ is not None else None), result)


def further(
    machine: Machine, name: str, position: int, operands: tuple[int, ...], form: Form, extra: int, begun: str | None
) -> int:
    """A result of a routine other than its value; `begun` is the key of one that has been begun."""
    op = ops.result_of(name, position) if begun is None else ops.ended(name, position)
    output = machine.graph.pure(op, operands, form, extra)
    if begun is not None:
        machine.note_routine(output, begun, of_loop=True)
    return output


_TYPE_WORDS = 8  # registers of such an object, beside the one that it counts as: of a class with that many members
_TYPE_TEXT = "the type of `{0}` is not known: `{1}` is not visible, and it counts as a float; {2} would tell"
_HEADER, _INSTANTIATION = "its header (-I) or a build folder (-p)", "an instantiation"


def note_unseen(machine: Machine, expr: Expr, type_: Type | None) -> None:
    """Note an access to an object in memory of a type without a known size, once a type."""
    if type_ is None:  # a member: of what is of such a type itself, or of a class of which not all is visible
        type_ = machine.type_of(expr.base) if isinstance(expr, Member) else None
    if type_ is None or not is_undeclared(type_):
        return
    name = type_.name
    if any(unknown.kind == "type" and unknown.name == name for unknown in machine.tally.unknowns):
        return
    parameters = (parameter.name for function in machine.active for parameter in getattr(function, "template", ()))
    remedy = _INSTANTIATION if name in parameters else _HEADER
    machine.unknown("type", name, expr.span, _TYPE_TEXT.format(spelled(expr), name, remedy), "up", _TYPE_WORDS)
