"""A work-item's place from SYCL's items and groups, as CUDA's coordinates: one spelling for all analyses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.syntax_tree import (
    Binary,
    Call,
    Cast,
    Constant,
    Declare,
    Expr,
    Member,
    Name,
    Type,
    Variable,
    coordinate,
)
from regpress_lint.targets.builtins import AXES, COORDINATES, THREAD

if TYPE_CHECKING:
    from regpress_lint.core.source import Span


LETTERS = "xyzw"  # of a vector's lanes
_OBJECT = pattern(r"(?:[\w:]+::)?(nd_item|h_item|item|id|group|sub_group)\s*(?:<\s*(\d*)\s*>)?")
_LANE, _WAVE = "__lane_id", "warpSize"
_GROUP, _IN_GROUP, _GROUPS = "blockIdx", "blockDim", "gridDim"
_GLOBAL, _ALL = "global", "all"  # made of two coordinates
# Per kind of object: what each member function gives, one dimension of it.
_OF_ITEM = {
    "get_global_id": _GLOBAL,
    "get_global_range": _ALL,
    "get_group_range": _GROUPS,
    "get_local_id": THREAD,
    "get_local_range": _IN_GROUP,
}
_ONE: dict[str, dict[str, str]] = {
    "nd_item": {**_OF_ITEM, "get_group": _GROUP},
    "h_item": _OF_ITEM,
    "item": {"get_id": _GLOBAL, "get_range": _ALL},
    "group": {
        "get_global_range": _ALL,
        "get_group_id": _GROUP,
        "get_group_range": _GROUPS,
        "get_id": _GROUP,
        "get_local_id": THREAD,
        "get_local_range": _IN_GROUP,
    },
}
# ... and the number along all dimensions.
_LINEAR = {
    "nd_item": {"get_global_linear_id": _GLOBAL, "get_group_linear_id": _GROUP, "get_local_linear_id": THREAD},
    "item": {"get_linear_id": _GLOBAL},
    "group": {
        "get_group_linear_id": _GROUP,
        "get_group_linear_range": _GROUPS,
        "get_linear_id": _GROUP,
        "get_local_linear_id": THREAD,
        "get_local_linear_range": _IN_GROUP,
    },
}
_EXTENTS = {THREAD: _IN_GROUP, _GROUP: _GROUPS, _GLOBAL: _ALL}
_SUBSCRIPT = {"item": _GLOBAL, "group": _GROUP}
_HANDLES = {"get_group": "group", "get_sub_group": "sub_group"}
_FREE = {
    "get_nd_item": "nd_item",
    "get_sub_group": "sub_group",
    "get_work_group": "group",
    "get_opportunistic_group": "sub_group",
    "this_group": "group",
    "this_item": "item",
    "this_nd_item": "nd_item",
    "this_sub_group": "sub_group",
}
_OF_SUB_GROUP = frozenset(
    (
        *("get_group_id", "get_group_linear_id", "get_group_range", "get_group_linear_range", "get_local_id", "leader"),
        *("get_local_linear_id", "get_local_range", "get_local_linear_range", "get_max_local_range"),
    )
)
_ELEMENT = "get"  # `id.get(0)`
_NAMES = (name for table in (_ONE, _LINEAR) for of in table.values() for name in of)
QUERIES = frozenset((*_OF_SUB_GROUP, _ELEMENT, *_NAMES))
_MOST_STEPS = 6  # from a variable to what it is initialised with


class _Object(NamedTuple):
    """An item, a group or a whole id. what: a kind of `_ONE`, "sub_group", or for an id the coordinate that it is."""

    what: str
    dims: int


def query(span: Span, callee: Member, args: tuple[Expr, ...]) -> Expr | None:
    """The value of a member function's call on an item, a group or an id; None if it is something else."""
    item, name = _object(callee.base), callee.field
    if name == _ELEMENT and len(args) == 1:
        return subscript(span, callee.base, args[0])
    if item is None:
        return None
    if item.what == "sub_group":
        return _of_sub_group(span, name) if name in _OF_SUB_GROUP else None
    if (linear := _LINEAR.get(item.what, {}).get(name)) is not None:
        return _linear(span, linear, item.dims)
    if name == "leader" and item.what == "group":
        return _is_first(span, _linear(span, THREAD, item.dims))
    word = _ONE.get(item.what, {}).get(name)
    if word is None:
        return None
    if len(args) == 1:
        return _along(span, word, item.dims, args[0])
    # An id of one dimension is a number.
    return _one(span, word, AXES[0]) if item.dims == 1 and name not in _HANDLES else None


def subscript(span: Span, base: Expr, index: Expr) -> Expr | None:
    """`item[0]`, `id[1]`: one dimension of it."""
    if (item := _object(base)) is not None:
        word = _SUBSCRIPT.get(item.what, item.what)
        return _along(span, word, item.dims, index) if word in _EXTENTS or word in COORDINATES or word == _ALL else None
    at = index.value if isinstance(index, Constant) else None
    if isinstance(at, int) and isinstance(base, Name) and 0 <= at < _lanes_of(base.variable):
        return Member(span, base, LETTERS[at] if at < len(LETTERS) else f"s{at:x}", arrow=False)
    return base if at == 0 and (is_place(base) or _is_one_lane(base)) else None


def _lanes_of(variable: Variable | None) -> int:
    """Lanes of a vector that is a variable; 0 for anything else."""
    if variable is None or variable.dims or variable.type.pointers or variable.type.lanes == 1:
        return 0
    return variable.type.lanes


def _is_one_lane(expr: Expr) -> bool:
    """True for a vector of one lane, as `sycl::vec<half, 1>{x}.convert<float>()`, which is read as that lane."""
    if not isinstance(expr, Cast) or expr.type.lanes != 1 or expr.type.size is None:
        return False
    return not (expr.type.pointers or expr.type.struct or expr.type.reference)


def is_place(expr: Expr) -> bool:
    """True for what an id of one dimension was read as, and for a variable of it."""
    if isinstance(expr, Name):
        value = expr.variable.init if expr.variable is not None else None
        return is_place(value) if value is not None else expr.variable is None and expr.name == _WAVE
    if isinstance(expr, Call):
        return expr.name == _LANE
    if isinstance(expr, Binary):
        return is_place(expr.left) and is_place(expr.right)
    return isinstance(expr, Member) and isinstance(expr.base, Name) and expr.base.name in COORDINATES


def as_number(parameters: tuple[Variable, ...]) -> Declare | None:
    """An item or id of one dimension, which converts to a number, as a variable of that value; None if there is none.

    It hides the parameter, whose name and type it has.
    """
    for parameter in parameters:
        item = _object_of(parameter, 0)
        if item is not None and item.dims == 1 and item.what in ("item", _GLOBAL) and parameter.name:
            value = _one(parameter.span, _GLOBAL, AXES[0])
            type_ = Type(parameter.type.name, 4, signed=False)
            number = Variable(parameter.name, type_, parameter.span, parameter.declaration, "local", (), value)
            return Declare(parameter.declaration, (number,))
    return None


def _object(expr: Expr, depth: int = 0) -> _Object | None:
    if isinstance(expr, Name) and expr.variable is not None:
        return _object_of(expr.variable, depth)
    if not isinstance(expr, Call):
        return None
    if isinstance(expr.callee, Name):
        kind, dims = _FREE.get(expr.name), expr.template_args[0] if expr.template_args else "1"
        return _Object(kind, int(dims)) if kind is not None and dims.isdigit() else None
    item = _object(expr.callee.base, depth + 1) if isinstance(expr.callee, Member) and not expr.args else None
    if item is None:
        return None
    if (handle := _HANDLES.get(expr.name)) is not None:
        return _Object(handle, item.dims) if item.what in ("nd_item", "group") else None
    word = _ONE.get(item.what, {}).get(expr.name)
    return _Object(word, item.dims) if word is not None else None


def _object_of(variable: Variable, depth: int) -> _Object | None:
    if depth > _MOST_STEPS or variable.type.pointers or variable.dims:
        return None
    match = _OBJECT.fullmatch(variable.type.name)
    if match is None or match[1] == "id":
        object_ = _object(variable.init, depth + 1) if variable.init is not None else None
        if object_ is not None or match is None:
            return object_
        is_parameter = variable.storage == "parameter"
        return _Object(_GLOBAL, int(match[2] or 1)) if is_parameter else None
    return _Object(match[1], int(match[2] or 1))


def _along(span: Span, word: str, dims: int, index: Expr) -> Expr | None:
    """One dimension; the last one of SYCL is `x`."""
    at = index.value if isinstance(index, Constant) else None
    return _one(span, word, AXES[dims - 1 - at]) if isinstance(at, int) and 0 <= at < dims <= len(AXES) else None


def _one(span: Span, word: str, axis: str) -> Expr:
    if word == _GLOBAL:
        start = Binary(span, "*", coordinate(span, _GROUP, axis), coordinate(span, _IN_GROUP, axis))
        return Binary(span, "+", start, coordinate(span, THREAD, axis))
    if word == _ALL:
        return Binary(span, "*", coordinate(span, _GROUPS, axis), coordinate(span, _IN_GROUP, axis))
    return coordinate(span, word, axis)


def _linear(span: Span, word: str, dims: int) -> Expr:
    """`(z * height + y) * width + x`; of a range the product."""
    first, *rest = reversed(AXES[:dims])
    total, extent = _one(span, word, first), _EXTENTS.get(word)
    for axis in rest:
        index = _one(span, word, axis)
        if extent is None:
            total = Binary(span, "*", total, index)
        else:
            total = Binary(span, "+", Binary(span, "*", total, _one(span, extent, axis)), index)
    return total


def _of_sub_group(span: Span, name: str) -> Expr:
    wave = Name(span, _WAVE)
    if "local_range" in name or "local_linear_range" in name:
        return wave
    if "local" in name or name == "leader":
        lane = Call(span, Name(span, _LANE), _LANE, _LANE, ())
        return _is_first(span, lane) if name == "leader" else lane
    word = _IN_GROUP if "range" in name else THREAD
    return Binary(span, "/", coordinate(span, word, AXES[0]), wave)


def _is_first(span: Span, place: Expr) -> Expr:
    return Binary(span, "==", place, Constant(span, 0, "int"))
