"""Elements of a portability layer's views as what they compile to: `x(i, j)` is `x.data[i + x.stride * j]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Binary, Call, Constant, Expr, Index, Member, Name, Type, Variable
from regpress_lint.cpp.traversal import chained
from regpress_lint.cpp.types import ASSUMED, FLAT, LEFT, OFFSET, RIGHT, Shape, view_shape
from regpress_lint.cpp.typing_rules import view_element_type
from regpress_lint.model.graph.objects import Parts
from regpress_lint.model.interpreter.member_calls import own
from regpress_lint.model.interpreter.private_objects import coerced

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.core.source import Span
    from regpress_lint.model.graph.objects import Path, Value
    from regpress_lint.model.interpreter.machine import Machine


_AXES = "xyz"
_STRIDES = ("", "jstride", "kstride", "nstride")
_TEXT = (
    "the class of `{}` is not known: it is taken for a view of doubles; a build folder (-p) or an instantiation "
    "in view would tell"
)
_ACCESS = frozenset(("access",))


def view_element(machine: Machine, expr: Call | Index) -> Index | None:
    """The subscript of a pointer that an access to an element of a view is; None for anything else.

    Each time the same node for the same access, so that its known properties (its type) stay known.
    """
    key = (expr, machine.this)
    try:
        return machine.known.view_elements[key]
    except KeyError:
        access = machine.known.view_elements[key] = _element(machine, expr)
        return access


def _element(machine: Machine, expr: Call | Index) -> Index | None:
    args: tuple[Expr, ...]
    if isinstance(expr, Index):
        base, args = own(machine, expr.base), (expr.index,)
        if isinstance(expr.index, Binary) and expr.index.op == ",":  # `m[i, j]` of C++23
            args = tuple(chained(expr.index, ","))
    else:
        callee = expr.callee
        if isinstance(callee, Member) and callee.field in _ACCESS:
            callee = callee.base
        if isinstance(callee, Name) and callee.variable is None and _is_nobody(machine, callee.name):
            return None
        base, args = own(machine, callee), expr.args
    if (whole := _part_of(base, args)) is not None:
        return view_element(machine, whole)
    type_ = machine.type_of(base)
    if type_ is None or not type_.struct or type_.pointers:
        return None
    if type_.name == ASSUMED:
        name = base.name if isinstance(base, Name) else base.field if isinstance(base, Member) else ""
        machine.unknown("type", name, expr.span, _TEXT.format(name), "both")
    shape = view_shape(type_.name)
    if shape is None:
        return None
    span = expr.span
    data: Expr = Member(span, base, "data", arrow=False)
    if shape.shared:
        home = _in_team(machine, base)
        data = Name(span, home.name, home)
    return Index(span, data, _place(span, base, shape, args))


def made_view(machine: Machine, expr: Call, shape: Shape) -> Parts | None:
    """A view that a kernel makes around a pointer, `mdspan<double, dextents<int, 2>> m(p, rows, columns)`; None for
    layouts whose strides an object says.
    """
    if shape.layout not in (LEFT, RIGHT, FLAT) or not expr.args:
        return None
    pointer = machine.type_of(expr.args[0])
    open_ = [axis for axis, extent in enumerate(shape.extents) if extent is None]
    axes = open_ if len(expr.args) - 1 == len(open_) else [*range(len(expr.args) - 1)]
    if pointer is None or not pointer.pointers or len(axes) != len(expr.args) - 1:
        return None
    parts: dict[Path, Value] = {("data",): machine.evaluate(expr.args[0])}
    for axis, arg in zip(axes, expr.args[1:], strict=True):
        type_ = Type(shape.counts, 4 if "int" in shape.counts else 8, signed=shape.counts == "int")
        parts[f"extent_{axis}",] = coerced(machine, machine.evaluate(arg), type_)
    stride = parts.get(("extent_1" if shape.layout == RIGHT else "extent_0",))
    if stride is not None:
        parts["stride_0",] = stride
    return Parts(None, parts, machine.owner)


def _part_of(base: Expr, args: tuple[Expr, ...]) -> Call | None:
    """The element of the whole view that one of `auto row = Kokkos::subview(x, i, Kokkos::ALL)` is."""
    view = base.variable.init if isinstance(base, Name) and base.variable is not None else None
    if not isinstance(view, Call) or view.name != "subview" or len(view.args) < 2:
        return None
    indices, whole_indices = list(args), list[Expr]()
    for arg in view.args[1:]:
        is_all = isinstance(arg, (Name, Call)) and arg.name.rpartition("::")[2] == "ALL"
        is_range = isinstance(arg, Call) and arg.name in ("make_pair", "pair") and bool(arg.args)
        if (is_all or is_range) and not indices:
            return None
        if is_all:
            whole_indices.append(indices.pop(0))
        elif is_range and isinstance(arg, Call):
            whole_indices.append(_plus(arg.span, arg.args[0], indices.pop(0)))
        else:
            whole_indices.append(arg)
    whole = view.args[0]
    name = whole.name if isinstance(whole, Name) else ""
    return Call(base.span, whole, name, name, tuple(whole_indices))


def _in_team(machine: Machine, base: Expr) -> Variable:
    """The memory of a team for scratch views: an array of unknown size in LDS for each view."""
    key = base.variable if isinstance(base, Name) and base.variable is not None else base
    variable = machine.known.scratch.get(key)
    if variable is None:
        type_ = view_element_type(machine.type_of(base), machine.file.type_of) or Type("double", 8, floating=True)
        variable = Variable("scratch", type_, base.span, base.span, "shared", (None,), unsized_shared=True)
        machine.known.scratch[key] = variable
    return variable


def _is_nobody(machine: Machine, name: str) -> bool:
    """True for a name that means no object: a function's."""
    return machine.this is None and name not in machine.names


def _place(span: Span, base: Expr, shape: Shape, args: tuple[Expr, ...]) -> Expr:
    """The index of an element in the memory behind the view's pointer."""

    def number(name: str) -> Expr:
        return Member(span, base, name, arrow=False)

    def extent(axis: int) -> Expr:
        size = shape.extents[axis] if axis < len(shape.extents) else None
        return Constant(span, size, "int") if size is not None else number(f"extent_{axis}")

    if not args:
        return Constant(span, 0, "int")
    if shape.layout == FLAT or (len(args) == 1 and shape.layout in (LEFT, RIGHT)):
        return args[0]
    if shape.layout == OFFSET:
        apart = [_less(span, arg, number(f"begin_{_AXES[axis]}")) for axis, arg in enumerate(args[:3])]
        result = apart[0]
        for axis, arg in enumerate((*apart[1:], *args[3:4]), 1):
            result = _plus(span, result, _times(span, arg, number(_STRIDES[axis])))
        return result
    if shape.layout == LEFT:
        result = args[-1]
        for axis in range(len(args) - 2, 0, -1):
            result = _plus(span, args[axis], _times(span, extent(axis), result))
        return _plus(span, args[0], _times(span, _stride(number, shape, 0), result))
    if shape.layout == RIGHT:
        result = args[0]
        for axis in range(1, len(args)):
            first = axis == 1 and len(args) == 2
            step = _stride(number, shape, 1) if first else extent(axis)
            result = _plus(span, _times(span, result, step), args[axis])
        return result
    result = _times(span, args[0], number("stride_0"))
    for axis, arg in enumerate(args[1:], 1):
        result = _plus(span, result, _times(span, arg, number(f"stride_{axis}")))
    return result


def _stride(number: Callable[[str], Expr], shape: Shape, axis: int) -> Expr:
    """The distance between columns: an extent that the type settles is one."""
    size = shape.extents[axis] if axis < len(shape.extents) else None
    expr = number("stride_0")
    return Constant(expr.span, size, "int") if size is not None else expr


def _plus(span: Span, left: Expr, right: Expr) -> Expr:
    return Binary(span, "+", left, right)


def _times(span: Span, left: Expr, right: Expr) -> Expr:
    return Binary(span, "*", left, right)


def _less(span: Span, left: Expr, right: Expr) -> Expr:
    return Binary(span, "-", left, right)
