"""SYCL's functions, items and groups in the words of CUDA and HIP: one spelling for all analyses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lower.sycl_items import _object
from regpress_lint.cpp.lower.vector_memory import image_access, moved_lanes
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Block,
    Call,
    Cast,
    Evaluate,
    Expr,
    LambdaExpr,
    Member,
    Name,
    Type,
    Unary,
)
from regpress_lint.cpp.types import pointer_to
from regpress_lint.cpp.typing_rules import expression_type, swizzle
from regpress_lint.targets.builtins import FAST, KNOWN, PREFIX

if TYPE_CHECKING:
    from regpress_lint.core.source import Span
    from regpress_lint.cpp.lower.lowering_context import Context


# Functions of SYCL that CUDA and HIP have under other names, as those: one spelling for all analyses.
#
# Shuffles and votes of a sub-group, atomics, fast versions of math functions, components of vectors, pointers that
# accessors and multi_ptr hand out.


_BALLOT = "__ballot"
# Of a group, which is the first argument.
_GROUP_FUNCTIONS = {
    "all_of_group": "__all",
    "any_of_group": "__any",
    "exclusive_scan_over_group": "__reduce_over_group",
    "group_ballot": _BALLOT,
    "group_broadcast": "__shfl",
    "inclusive_scan_over_group": "__reduce_over_group",
    "none_of_group": "__any",
    "permute_group_by_xor": "__shfl_xor",
    "reduce_over_group": "__reduce_over_group",
    "select_from_group": "__shfl",
    "shift_group_left": "__shfl_down",
    "shift_group_right": "__shfl_up",
}
_SUB_GROUP_MEMBERS = {f"shuffle{way}": f"__shfl{way}" for way in ("", "_down", "_up", "_xor")}
_ATOMICS = {
    **dict.fromkeys(("compare_exchange_strong", "compare_exchange_weak"), "atomicCAS"),
    "exchange": "atomicExch",
    **{f"fetch_{way}": f"atomic{way.capitalize()}" for way in ("add", "and", "max", "min", "or", "sub", "xor")},
}
_PORTED_ATOMIC = pattern(r"(?:\w+::)*atomic_(fetch_\w+|exchange|compare_exchange_\w+)")
_ATOMIC = pattern(r"(?:\w+::)*atomic_?ref")
_BITS = {"clz": "__clz", "ctz": "__ffs", "popcount": "__popc"}
_OF_MASK = {"count": "__popc", "find_low": "__ffs", "find_high": "__clz"}  # of what `group_ballot` gives
# Of matrices, behind the group that is their first argument; the result of `mad` is the first of the others.
_OF_MATRICES = {
    "joint_matrix_fill": "fill_fragment",
    "joint_matrix_load": "load_matrix_sync",
    "joint_matrix_mad": "mma_sync",
    "joint_matrix_store": "store_matrix_sync",
}
_DOT = "dot_acc"  # of four bytes each, and a sum
# Functions that OpenCL C has, too, but for those of the device libraries and of CUDA's words.
_OF_LANGUAGE = KNOWN - frozenset(
    (
        *("clz", "cross", "ctz", "dot", "exp10", "ilogb", "isfinite", "isinf", "isnan", "length", "logb", "modf"),
        *("nan", "nextafter", "normalize", "popcount", "signbit"),
    )
)
_FAST_NAMESPACES = ("native::", "half_precision::")
_BARRIER = "group_barrier"
_SAME_ADDRESS = frozenset(("address_space_cast", "static_address_cast", "dynamic_address_cast"))
_POINTERS = frozenset(("get", "get_decorated", "get_multi_ptr", "get_pointer", "get_raw"))
_COMPONENT = pattern(r"[xyzwrgba]|s[0-9a-fA-F]")
_ADDRESS = r"(?:(?:raw_|decorated_)?(?:global|local|private|constant|generic|device|host)_ptr|multi_ptr)"
_POINTER_CLASS = pattern(_ADDRESS)
_POINTER_TYPE = pattern(
    rf"(?:\w+::)*{_ADDRESS}"
    r"\s*+<([^,<>]++(?:<[^<>]*+>[^,<>]*+)?).*>",
    re.DOTALL,
)


_PRIVATE_MEMORY = pattern(r"(?:const\s+)?(?:\w+::)*private_memory\s*<(.+?)(?:,\s*\d+\s*)?>\s*&?$")


def function(span: Span, callee: Name, args: tuple[Expr, ...]) -> Expr | None:
    """A call of a free function in CUDA's words; None for any other."""
    name = callee.last
    if name in _GROUP_FUNCTIONS and len(args) > 1:
        operands = args[1:2] if "over_group" in name else args[1:3]
        return device_call(span, _GROUP_FUNCTIONS[name], operands)
    if name in FAST and any(space in callee.name for space in _FAST_NAMESPACES):
        return device_call(span, FAST[name], args)
    if name in _BITS and "sycl::" in callee.name:
        return device_call(span, _BITS[name], args)
    if name in _OF_MATRICES and len(args) > 2:
        return _of_matrices(span, name, args[1:])
    if name == "joint_matrix_copy" and len(args) == 3:
        return Assign(span, "=", args[2], args[1])
    if name == _DOT and len(args) == 3 and "oneapi::" in callee.name:
        return device_call(span, "__dp4a", args)
    if name in _OF_LANGUAGE and args and "sycl::" in callee.name:
        return built_in(span, name, args)
    if len(args) == 1 and (name in _SAME_ADDRESS or _POINTER_CLASS.fullmatch(name)):
        return args[0]
    if len(args) == 1 and _ATOMIC.fullmatch(callee.name):
        return Unary(span, "&", args[0])
    if name.startswith("atomic_") and "::" in callee.name and (match := _PORTED_ATOMIC.fullmatch(callee.name)):
        cuda = _ATOMICS.get(match[1])
        return device_call(span, cuda, args[:3]) if cuda is not None and args and "std::" not in callee.name else None
    return None


def _of_matrices(span: Span, name: str, args: tuple[Expr, ...]) -> Expr | None:
    """`joint_matrix_load(group, m, p, stride)` and its like in the words of `nvcuda::wmma`; None for the form of `mad`
    that returns its result.
    """
    if name == "joint_matrix_mad" and len(args) != 4:
        return None
    args = (args[1], args[0], *args[2:]) if name == "joint_matrix_store" else args
    return device_call(span, _OF_MATRICES[name], args)


def member(ctx: Context, span: Span, callee: Member, args: tuple[Expr, ...]) -> Expr | None:
    """A call of a member function in CUDA's words; None for any other."""
    name, base = callee.field, callee.base
    if not args and _COMPONENT.fullmatch(name):
        type_ = expression_type(base, ctx.types)
        whole = type_ is not None and type_.lanes > 1 and not (isinstance(base, Member) and swizzle(base.field))
        return Member(span, base, name, callee.arrow) if whole else None
    if not args and name in _POINTERS:
        return base if _is_memory(base) else None
    if name == "convert" and not args:
        return _converted(ctx, span, callee)
    if name == "mem_fence" and (item := _object(base, 0)) is not None and item.what == "nd_item":
        return device_call(span, "__threadfence", ())
    if name in ("read", "write") and args and (access := image_access(span, callee, args)) is not None:
        return access
    if name == "as" and not args and callee.template_args:
        return _reread(ctx, span, callee)
    if (name in _OF_MASK or name == "extract_bits") and _is_ballot(base):
        if not args:
            return device_call(span, _OF_MASK[name], (base,)) if name in _OF_MASK else None
        return Assign(span, "=", args[0], base)
    if name in _SUB_GROUP_MEMBERS and len(args) == 2:
        return device_call(span, _SUB_GROUP_MEMBERS[name], args)
    if name == "combine" and len(args) == 1 and _is_reducer(base):
        return Assign(span, "+=", base, args[0])
    atomic = _ATOMICS.get(name)
    if atomic is None and name not in ("load", "store"):
        return None
    if atomic is None and len(args) == 2 and (moved := moved_lanes(ctx, span, callee, args)) is not None:
        return moved
    target = None if callee.arrow else _referred(base)  # `w->store(x)` is a function of what `w` points to
    if target is None:
        return None
    if atomic is not None:
        count = 2 if atomic == "atomicCAS" else 1
        return device_call(span, atomic, (Unary(span, "&", target), *args[:count]))
    return target if name == "load" else Assign(span, "=", target, args[0]) if args else None


_OPERATORS = {"+=": "atomicAdd", "-=": "atomicSub", "&=": "atomicAnd", "|=": "atomicOr", "^=": "atomicXor"}


def atomic_assignment(span: Span, left: Expr, op: str, value: Expr) -> Expr | None:
    """`r += x` of an atomic reference, also of one without a name, in CUDA's words; None for any other assignment."""
    if isinstance(left, Unary) and left.op == "&":  # what `function` makes of one
        target: Expr | None = left.operand
    elif not isinstance(left, Name) or left.variable is None or "atomic_ref<" not in left.variable.type.name:
        return None
    else:
        target = _referred(left)
    if target is None or (op != "=" and op not in _OPERATORS):
        return None
    if op == "=":
        return Assign(span, "=", target, value)
    return device_call(span, _OPERATORS[op], (Unary(span, "&", target), value))


def type_of_reference(ctx: Context, init: Expr | None) -> Type | None:
    """The type of `auto r = sycl::atomic_ref<...>(x)`, which is read as the address of `x`; None for `auto p = &x`."""
    if not isinstance(init, Unary) or init.op != "&" or ctx.data[init.span.start : init.span.start + 1] in b"&(":
        return None
    return Type("sycl::atomic_ref<>")


def for_work_items(expr: Expr) -> Block | None:
    """The code of `group.parallel_for_work_item([&](h_item<1> item) { ... })`: each work-item executes the statements,
    then all of the group wait for each other. None for anything else.
    """
    if not isinstance(expr, Call) or expr.name != "parallel_for_work_item" or not expr.args:
        return None
    argument = expr.args[-1]
    if not isinstance(argument, LambdaExpr):
        return None
    barrier = Call(expr.span, Name(expr.span, _BARRIER), _BARRIER, f"sycl::{_BARRIER}", ())
    return Block(expr.span, (argument.body, Evaluate(expr.span, barrier)))


def pointer(ctx: Context, text: str) -> Type | None:
    """The pointer that `multi_ptr<float, ...>` and `local_ptr<float>` stand for."""
    match = _POINTER_TYPE.fullmatch(text.strip()) if "_ptr" in text else None
    if match is None:
        return None
    words = match[1].split()
    type_ = ctx.types(" ".join(word for word in words if word not in ("const", "volatile")))
    return pointer_to(type_._replace(const="const" in words)) if type_ is not None else None


def of_work_item(ctx: Context, text: str) -> Type | None:
    """What `private_memory<float>` of a kernel by groups has for each work-item: a variable of its own."""
    match = _PRIVATE_MEMORY.match(text) if "private_memory" in text else None
    return ctx.types(match[1].strip()) if match is not None else None


def is_of_work_item(callee: Name, args: tuple[Expr, ...]) -> bool:
    """Whether `x(item)` is the variable that such an object has for this work-item."""
    if callee.variable is None or callee.variable.init is not None or len(args) != 1:
        return False
    item = _object(args[0], 0)
    return item is not None and item.what == "h_item"


def _converted(ctx: Context, span: Span, callee: Member) -> Cast | None:
    """`v.convert<float>()` of a vector: each lane."""
    type_ = expression_type(callee.base, ctx.types)
    lane = ctx.types(callee.template_args[0]) if callee.template_args else None
    if type_ is None or lane is None or type_.struct or type_.pointers or lane.struct or lane.size is None:
        return None
    stored = 4 if type_.lanes == 3 else type_.lanes
    return Cast(span, lane._replace(size=lane.size * stored, lanes=type_.lanes), callee.base)


def _reread(ctx: Context, span: Span, callee: Member) -> Cast | None:
    """`v.as<sycl::int4>()` of a vector: its bytes as those of another one."""
    type_, wanted = expression_type(callee.base, ctx.types), ctx.types(callee.template_args[0])
    if type_ is None or wanted is None or type_.struct or type_.pointers or wanted.struct or type_.size != wanted.size:
        return None
    return Cast(span, wanted, callee.base, reinterpret=True)


def _is_reducer(expr: Expr) -> bool:
    """True for the `auto& sum` that a kernel with a reduction is handed."""
    if not isinstance(expr, Name) or expr.variable is None or expr.variable.storage != "parameter":
        return False
    type_ = expr.variable.type
    return type_.reference and (type_.name == "auto" or "reducer" in type_.name)


def _is_ballot(expr: Expr) -> bool:
    value = expr.variable.init if isinstance(expr, Name) and expr.variable is not None else expr
    return isinstance(value, Call) and value.name == _BALLOT


def _referred(expr: Expr) -> Expr | None:
    """The object of an `atomic_ref`: it is read as the address of that."""
    if isinstance(expr, Name) and expr.variable is not None and expr.variable.init is not None:
        expr = expr.variable.init
    return expr.operand if isinstance(expr, Unary) and expr.op == "&" else None


def _is_memory(expr: Expr) -> bool:
    """True for an accessor that is read as an array or a pointer."""
    if isinstance(expr, Name) and expr.variable is not None:
        return expr.variable.storage == "shared" or expr.variable.type.pointers > 0
    return False


def device_call(span: Span, name: str, args: tuple[Expr, ...]) -> Call:
    # Its name is taken by no function of the program: many a ported program has an `atomicAdd` of its own, around this.
    return Call(span, Name(span, f"sycl::{name}"), name, f"sycl::{name}", args)


def built_in(span: Span, name: str, args: tuple[Expr, ...]) -> Call:
    """A call of a function of OpenCL C and SYCL that CUDA has no word for."""
    word = f"{PREFIX}{name}"
    return Call(span, Name(span, word), word, word, args)


# A work-item's place from SYCL's items and groups, as CUDA's coordinates: one spelling for all analyses.
#
# `item.get_local_id(1)` of an `nd_item<2>` is `threadIdx.x`: SYCL's last dimension is the one whose neighbours run
# together. An unsettled query (an `auto` item of unknown dimensions, a dimension that is not a literal) stays a call.


# --------------------------------------------------------------------------------------------------------- objects


# ---------------------------------------------------------------------------------------------------------- values
