"""Functions of SYCL that CUDA and HIP have under other names, as those: one spelling for all analyses.

Shuffles and votes of a sub-group, atomics, fast versions of math functions, components of vectors, pointers that
accessors and multi_ptr hand out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.syntax_tree import Assign, Block, Call, Cast, Evaluate, Expr, LambdaExpr, Member, Name, Unary
from regpress_lint.cpp.types import pointer_to
from regpress_lint.cpp.typing_rules import expression_type

if TYPE_CHECKING:
    from regpress_lint.core.source import Span
    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.syntax_tree import Type

# Of a group, which is the first argument.
_GROUP_FUNCTIONS = {
    "all_of_group": "__all",
    "any_of_group": "__any",
    "exclusive_scan_over_group": "__reduce_over_group",
    "group_broadcast": "__shfl",
    "inclusive_scan_over_group": "__reduce_over_group",
    "none_of_group": "__any",
    "permute_group_by_xor": "__shfl_xor",
    "reduce_over_group": "__reduce_over_group",
    "select_from_group": "__shfl",
    "shift_group_left": "__shfl_down",
    "shift_group_right": "__shfl_up",
}
_SUB_GROUP_MEMBERS = {
    "shuffle": "__shfl",
    "shuffle_down": "__shfl_down",
    "shuffle_up": "__shfl_up",
    "shuffle_xor": "__shfl_xor",
}
_ATOMICS = {
    "compare_exchange_strong": "atomicCAS",
    "compare_exchange_weak": "atomicCAS",
    "exchange": "atomicExch",
    "fetch_add": "atomicAdd",
    "fetch_and": "atomicAnd",
    "fetch_max": "atomicMax",
    "fetch_min": "atomicMin",
    "fetch_or": "atomicOr",
    "fetch_sub": "atomicSub",
    "fetch_xor": "atomicXor",
}
_PORTED_ATOMIC = pattern(r"(?:\w+::)*atomic_(fetch_\w+|exchange|compare_exchange_\w+)")
_ATOMIC = pattern(r"(?:\w+::)*atomic_?ref")
_FAST = {
    "cos": "__cosf",
    "divide": "__fdividef",
    "exp": "__expf",
    "exp10": "__exp10f",
    "exp2": "__exp2f",
    "log": "__logf",
    "log10": "__log10f",
    "log2": "__log2f",
    "powr": "__powf",
    "recip": "__frcp_rn",
    "rsqrt": "__frsqrt_rn",
    "sin": "__sinf",
    "sqrt": "__fsqrt_rn",
    "tan": "__tanf",
}
_BITS = {"clz": "__clz", "ctz": "__ffs", "popcount": "__popc"}
_FAST_NAMESPACES = ("native::", "half_precision::")
_BARRIER = "group_barrier"
_SAME_ADDRESS = frozenset(("address_space_cast", "static_address_cast", "dynamic_address_cast"))
_POINTERS = frozenset(("get", "get_decorated", "get_multi_ptr", "get_pointer", "get_raw"))
_COMPONENT = pattern(r"[xyzwrgba]|s[0-9a-fA-F]")
_POINTER_TYPE = pattern(
    r"(?:\w+::)*(?:(?:raw_|decorated_)?(?:global|local|private|constant|generic|device|host)_ptr|multi_ptr)"
    r"\s*+<([^,<>]++(?:<[^<>]*+>[^,<>]*+)?).*>",
    re.DOTALL,
)


def function(span: Span, callee: Name, args: tuple[Expr, ...]) -> Expr | None:
    """A call of a free function in CUDA's words; None for any other."""
    name = callee.last
    if name in _GROUP_FUNCTIONS and len(args) > 1:
        operands = args[1:2] if "over_group" in name else args[1:3]
        return _call(span, _GROUP_FUNCTIONS[name], operands)
    if name in _FAST and any(space in callee.name for space in _FAST_NAMESPACES):
        return _call(span, _FAST[name], args)
    if name in _BITS and "sycl::" in callee.name:
        return _call(span, _BITS[name], args)
    if name in _SAME_ADDRESS and len(args) == 1:
        return args[0]
    if len(args) == 1 and _ATOMIC.fullmatch(callee.name):
        return Unary(span, "&", args[0])
    if name.startswith("atomic_") and "::" in callee.name and (match := _PORTED_ATOMIC.fullmatch(callee.name)):
        known = _ATOMICS.get(match[1])
        return _call(span, known, args[:3]) if known is not None and args and "std::" not in callee.name else None
    return None


def member(ctx: Context, span: Span, callee: Member, args: tuple[Expr, ...]) -> Expr | None:
    """A call of a member function in CUDA's words; None for any other."""
    name, base = callee.field, callee.base
    if not args and _COMPONENT.fullmatch(name):
        type_ = expression_type(base, ctx.types)
        return Member(span, base, name, callee.arrow) if type_ is not None and type_.lanes > 1 else None
    if not args and name in _POINTERS:
        return base if _is_memory(base) else None
    if name == "convert" and not args:
        return _converted(ctx, span, callee)
    if name in _SUB_GROUP_MEMBERS and len(args) == 2:
        return _call(span, _SUB_GROUP_MEMBERS[name], args)
    known = _ATOMICS.get(name)
    if known is None and name not in ("load", "store"):
        return None
    target = _referred(base)
    if target is None:
        return None
    if known is not None:
        count = 2 if known == "atomicCAS" else 1
        return _call(span, known, (Unary(span, "&", target), *args[:count]))
    return target if name == "load" else Assign(span, "=", target, args[0]) if args else None


def for_work_items(expr: Expr) -> Block | None:
    """The code of `group.parallel_for_work_item([&](h_item<1> item) { ... })`: each work-item executes the statements,
    then all of the group wait for each other. None for anything else.
    """
    if not isinstance(expr, Call) or expr.name != "parallel_for_work_item" or not expr.args:
        return None
    each = expr.args[-1]
    if not isinstance(each, LambdaExpr):
        return None
    barrier = Call(expr.span, Name(expr.span, _BARRIER), _BARRIER, f"sycl::{_BARRIER}", ())
    return Block(expr.span, (each.body, Evaluate(expr.span, barrier)))


def pointer(ctx: Context, text: str) -> Type | None:
    """The pointer that `multi_ptr<float, ...>` and `local_ptr<float>` stand for."""
    match = _POINTER_TYPE.fullmatch(text.strip()) if "_ptr" in text else None
    if match is None:
        return None
    words = match[1].split()
    found = ctx.types(" ".join(word for word in words if word not in ("const", "volatile")))
    return pointer_to(found._replace(const="const" in words)) if found is not None else None


def _converted(ctx: Context, span: Span, callee: Member) -> Cast | None:
    """`v.convert<float>()` of a vector: each lane."""
    given = expression_type(callee.base, ctx.types)
    lane = ctx.types(callee.template_args[0]) if callee.template_args else None
    if given is None or lane is None or given.struct or given.pointers or lane.struct or lane.size is None:
        return None
    stored = 4 if given.lanes == 3 else given.lanes
    return Cast(span, lane._replace(size=lane.size * stored, lanes=given.lanes), callee.base)


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


def _call(span: Span, name: str, args: tuple[Expr, ...]) -> Call:
    # Its name is taken by no function of the program: many a ported program has an `atomicAdd` of its own, around this.
    return Call(span, Name(span, f"sycl::{name}"), name, f"sycl::{name}", args)
