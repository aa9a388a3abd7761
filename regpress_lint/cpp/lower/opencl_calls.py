"""OpenCL C's built-in functions and vector syntax in the words that all analyses know: CUDA's coordinates, shuffles and
atomics, casts for `convert_` and `as_`, reads and writes through pointers for `vload` and `vstore`.

A function without a counterpart keeps its name after `PREFIX`, so that its type and its cost are known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lower.sycl_calls import built_in, device_call
from regpress_lint.cpp.lower.vector_memory import lanes_at
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Constant,
    Expr,
    Index,
    Member,
    Name,
    Unary,
    Unknown,
    coordinate,
)
from regpress_lint.cpp.types import builtin_type, dereference
from regpress_lint.cpp.typing_rules import expression_type, swizzle
from regpress_lint.targets.builtins import AXES, FAST, KNOWN, PREFIX, THREAD

if TYPE_CHECKING:
    from regpress_lint.core.source import Span
    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.syntax_tree import Type

_GROUP, _IN_GROUP, _GROUPS, _LANE, _WAVE = "blockIdx", "blockDim", "gridDim", "__lane_id", "warpSize"
_COORDINATES = {
    "get_local_id": THREAD,
    "get_group_id": _GROUP,
    "get_local_size": _IN_GROUP,
    "get_enqueued_local_size": _IN_GROUP,
    "get_num_groups": _GROUPS,
}
_BEYOND = {"get_group_id": 0, "get_local_id": 0, "get_global_id": 0, "get_global_offset": 0}  # else 1
_VECTOR = r"(u?char|u?short|u?int|u?long|float|double|half)(2|3|4|8|16)?"
_CONVERT = pattern(rf"convert_{_VECTOR}(?:_sat)?(?:_rt[ezpn])?")
_AS = pattern(rf"as_{_VECTOR}")
_VLOAD = pattern(r"vload(2|3|4|8|16)")
_VSTORE = pattern(r"vstore(2|3|4|8|16)")
_HALVES = pattern(r"v(load|store)a?_half(2|3|4|8|16)?(?:_rt[ezpn])?")
_ATOMIC = pattern(r"atom(?:ic)?_(add|sub|inc|dec|xchg|cmpxchg|min|max|and|or|xor)")
_FETCH = pattern(r"atomic_fetch_(add|sub|min|max|and|or|xor)(?:_explicit)?")
_ATOMICS = {
    "add": "atomicAdd",
    "and": "atomicAnd",
    "cmpxchg": "atomicCAS",
    "dec": "atomicDec",
    "inc": "atomicInc",
    "max": "atomicMax",
    "min": "atomicMin",
    "or": "atomicOr",
    "sub": "atomicSub",
    "xchg": "atomicExch",
    "xor": "atomicXor",
}
_SHUFFLES = {
    "intel_sub_group_shuffle": "__shfl",
    "intel_sub_group_shuffle_xor": "__shfl_xor",
    "sub_group_broadcast": "__shfl",
    "sub_group_non_uniform_broadcast": "__shfl",
    "sub_group_shuffle": "__shfl",
    "sub_group_shuffle_down": "__shfl_down",
    "sub_group_shuffle_up": "__shfl_up",
    "sub_group_shuffle_xor": "__shfl_xor",
    "work_group_broadcast": "__shfl",
}
_OVER_GROUP = pattern(r"(?:sub|work)_group_(?:reduce|scan_exclusive|scan_inclusive)_(?:add|min|max|mul|and|or|xor)")
_VOTES = {"sub_group_all": "__all", "sub_group_any": "__any", "work_group_all": "__all", "work_group_any": "__any"}
_BLOCKS = pattern(r"intel_sub_group_block_(read|write)(?:_u[sicl]|_u[sicl])?(2|4|8|16)?")
_FENCES = frozenset(
    (
        *("mem_fence", "read_mem_fence", "write_mem_fence", "atomic_work_item_fence", "wait_group_events"),
        *("sub_group_barrier", "work_group_commit_read_pipe"),
    )
)
_READS = pattern(r"read_image(f|i|ui|h)")
_READ_TYPES = {"f": "float4", "i": "int4", "ui": "uint4", "h": "half4"}
_UNIFORM = pattern(r"get_(?:image_\w+|work_dim|global_offset)")
_COMPONENTS = pattern(r"[xyzw]{2,16}|[rgba]{2,4}|[sS][0-9a-fA-F]{1,16}|hi|lo|even|odd")
_DIGITS = "0123456789abcdef"
_LETTERS = {**{letter: at for at, letter in enumerate("xyzw")}, **{letter: at for at, letter in enumerate("rgba")}}


def function(ctx: Context, span: Span, callee: Name, args: tuple[Expr, ...]) -> Expr | None:
    """A call of a built-in function in the words that all analyses know; None for any other call."""
    name = callee.name
    if ctx.defined(name) is not None:
        return None
    return (
        _place(span, name, args)
        or _of_sub_group(span, name, args)
        or _converted(ctx, span, name, args)
        or _memory(ctx, span, name, args)
        or _atomic(span, name, args)
        or _group(ctx, span, name, args)
        or _other(span, name, args)
    )


def choice(ctx: Context, span: Span, test: Expr, then: Expr, other: Expr) -> Call | None:
    """`c ? a : b` whose condition is a vector: a choice lane by lane; None for any other."""
    sides = (test.left, test.right) if isinstance(test, Binary) else (test,)
    types = [expression_type(side, ctx.types) for side in sides]
    vector = any(type_ is not None and type_.lanes > 1 and not type_.pointers for type_ in types)
    return built_in(span, "select", (other, then, test)) if vector else None


def literal(span: Span, target: Type, value: Expr) -> Expr | None:
    """`(float4)(a, b, c, d)`: a vector made of its lanes, which the grammar takes for a cast of a comma expression."""
    if target.lanes < 2 or target.pointers or target.struct:
        return None
    parts = tuple(_terms(value))
    if len(parts) < 2:
        return None
    return Call(span, Name(span, target.name), target.name, target.name, parts)


def component(ctx: Context, span: Span, base: Expr, field: str, *, arrow: bool) -> Member | None:
    """`v.hi`, `v.s0`, `v.xyz`: one or several lanes as `s` and their numbers; None for any other member."""
    of_part = isinstance(base, Member) and bool(swizzle(base.field))  # `v.lo.y`
    if _COMPONENTS.fullmatch(field) is None and not (of_part and field in _LETTERS):
        return None
    type_ = expression_type(base, ctx.types)
    if type_ is not None and arrow:
        type_ = dereference(type_)
    if type_ is None or type_.lanes < 2 or type_.pointers:
        return None
    lanes = _lanes(field, type_.lanes)
    if isinstance(base, Member) and (inner := swizzle(base.field)):
        if max(lanes) >= len(inner):  # `v.lo.z`, which is no C
            return None
        lanes, arrow, base = [inner[lane] for lane in lanes], base.arrow, base.base
    return Member(span, base, "s" + "".join(_DIGITS[lane] for lane in lanes), arrow)


def _lanes(field: str, count: int) -> list[int]:
    whole = count + (count == 3)
    if field == "lo":
        return list(range(whole // 2))
    if field == "hi":
        return list(range(whole // 2, count))
    if field in ("even", "odd"):
        return list(range(field == "odd", count, 2))
    if field[0] in "sS":
        return [int(digit, 16) for digit in field[1:]]
    return [_LETTERS[letter] for letter in field]


def _terms(value: Expr) -> list[Expr]:
    """The parts of a comma expression, in order."""
    if isinstance(value, Unknown) and value.kind == "comma_expression":
        return [term for child in value.children for term in _terms(child)]
    parts: list[Expr] = []
    while isinstance(value, Binary) and value.op == ",":
        if isinstance(value.left, Binary) and value.left.op == ",":
            return [*_terms(value.left), *_terms(value.right)]
        parts.append(value.left)
        value = value.right
    return [*parts, value]


# -------------------------------------------------------------------------------------------- places of a work-item


def _place(span: Span, name: str, args: tuple[Expr, ...]) -> Expr | None:
    if name in ("get_global_linear_id", "get_local_linear_id"):
        return _global(span, "x") if "global" in name else coordinate(span, THREAD, "x")
    if name not in _COORDINATES and name not in ("get_global_id", "get_global_size", "get_global_offset"):
        return None
    at = args[0].value if len(args) == 1 and isinstance(args[0], Constant) else None
    if not isinstance(at, int) or at < 0:
        return None
    if at >= len(AXES):
        return Constant(span, _BEYOND.get(name, 1), "int")
    axis = AXES[at]
    if name == "get_global_id":
        return _global(span, axis)
    if name == "get_global_size":
        return Binary(span, "*", coordinate(span, _GROUPS, axis), coordinate(span, _IN_GROUP, axis))
    if name == "get_global_offset":
        return Constant(span, 0, "int")
    return coordinate(span, _COORDINATES[name], axis)


def _global(span: Span, axis: str) -> Expr:
    start = Binary(span, "*", coordinate(span, _GROUP, axis), coordinate(span, _IN_GROUP, axis))
    return Binary(span, "+", start, coordinate(span, THREAD, axis))


def _of_sub_group(span: Span, name: str, args: tuple[Expr, ...]) -> Expr | None:
    if args:
        return None
    if name == "get_sub_group_local_id":
        return Call(span, Name(span, _LANE), _LANE, _LANE, ())
    if name in ("get_sub_group_size", "get_max_sub_group_size"):
        return Name(span, _WAVE)
    if name in ("get_sub_group_id", "get_num_sub_groups", "get_enqueued_num_sub_groups"):
        word = THREAD if name == "get_sub_group_id" else _IN_GROUP
        return Binary(span, "/", coordinate(span, word, AXES[0]), Name(span, _WAVE))
    return None


# ----------------------------------------------------------------------------------------------- values and memory


def _vector(element: str, lanes: str | None) -> Type | None:
    name = f"{element}{lanes or ''}"
    return builtin_type(f"sycl::{name}" if lanes == "3" else name)


def _converted(ctx: Context, span: Span, name: str, args: tuple[Expr, ...]) -> Expr | None:
    if len(args) != 1 or not name.startswith(("convert_", "as_")):
        return None
    match = _CONVERT.fullmatch(name) or _AS.fullmatch(name)
    if match is None:
        return None
    target = _vector(match[1], match[2])
    if target is None:
        return None
    if not name.startswith("as_"):
        return Cast(span, target, args[0])
    type_ = expression_type(args[0], ctx.types)
    same = type_ is not None and type_.lanes == target.lanes
    return Cast(span, target, args[0], reinterpret=True) if same else Cast(span, target, built_in(span, "as", args))


def _memory(ctx: Context, span: Span, name: str, args: tuple[Expr, ...]) -> Expr | None:
    if not name.startswith("v"):
        return None
    if (match := _VLOAD.fullmatch(name)) and len(args) == 2:
        return lanes_at(ctx, span, args[1], args[0], int(match[1]))
    if (match := _VSTORE.fullmatch(name)) and len(args) == 3:
        place = lanes_at(ctx, span, args[2], args[1], int(match[1]))
        return Assign(span, "=", place, args[0]) if place is not None else None
    if (match := _HALVES.fullmatch(name)) is None or len(args) != (2 if match[1] == "load" else 3):
        return None
    pointer, offset = args[-1], args[-2]
    lanes = int(match[2] or 1)
    place = Index(span, pointer, offset) if lanes == 1 else lanes_at(ctx, span, pointer, offset, lanes)
    wide = _vector("float", match[2])
    if place is None or wide is None:
        return None
    return Cast(span, wide, place) if match[1] == "load" else Assign(span, "=", place, args[0])


def _atomic(span: Span, name: str, args: tuple[Expr, ...]) -> Expr | None:
    if not name.startswith("atom") or not args:
        return None
    if (match := _ATOMIC.fullmatch(name)) or (match := _FETCH.fullmatch(name)):
        atomic = _ATOMICS[match[1]]
        wanted = 1 if match[1] in ("inc", "dec") else 3 if match[1] == "cmpxchg" else 2
        return device_call(span, atomic, args[:wanted])
    plain = name.removesuffix("_explicit")
    if plain == "atomic_load":
        return Unary(span, "*", args[0])
    if plain in ("atomic_store", "atomic_init") and len(args) > 1:
        return Assign(span, "=", Unary(span, "*", args[0]), args[1])
    if plain == "atomic_exchange":
        return device_call(span, "atomicExch", args[:2])
    if plain.startswith("atomic_compare_exchange_") and len(args) > 2:
        return device_call(span, "atomicCAS", (args[0], Unary(span, "*", args[1]), args[2]))
    return device_call(span, "atomicExch", args[:1]) if plain.startswith("atomic_flag_") else None


# --------------------------------------------------------------------------------------------- groups and the rest


def _group(ctx: Context, span: Span, name: str, args: tuple[Expr, ...]) -> Expr | None:
    if name in _FENCES:
        word = "barrier" if name in ("wait_group_events", "sub_group_barrier") else "__threadfence"
        return Call(span, Name(span, word), word, word, ())
    if name in _SHUFFLES and len(args) > 1:
        return device_call(span, _SHUFFLES[name], args[:2])
    if name in ("intel_sub_group_shuffle_down", "intel_sub_group_shuffle_up") and len(args) == 3:
        return device_call(span, "__shfl_down" if name.endswith("down") else "__shfl_up", (args[0], args[2]))
    if name in _VOTES and len(args) == 1:
        return device_call(span, _VOTES[name], args)
    if len(args) == 1 and _OVER_GROUP.fullmatch(name):
        return device_call(span, "__reduce_over_group", args)
    if name in ("async_work_group_copy", "async_work_group_strided_copy") and len(args) > 2:
        thread = coordinate(span, THREAD, "x")
        return Assign(span, "=", Index(span, args[0], thread), Index(span, args[1], thread))
    if (match := _BLOCKS.fullmatch(name)) is not None and args:
        place = _block(ctx, span, args[0], int(match[2] or 1))
        if place is not None and match[1] == "read" and len(args) == 1:
            return place
        return Assign(span, "=", place, args[1]) if place is not None and len(args) == 2 else None
    return None


def _block(ctx: Context, span: Span, pointer: Expr, lanes: int) -> Expr | None:
    """The elements of a sub-group's block read: each work-item's element, and those that many sub-groups further."""
    lane = Call(span, Name(span, _LANE), _LANE, _LANE, ())
    if lanes == 1:
        return Index(span, pointer, lane)
    return lanes_at(ctx, span, Binary(span, "+", pointer, lane), Constant(span, 0, "int"), lanes)


def _other(span: Span, name: str, args: tuple[Expr, ...]) -> Expr | None:
    if name == "prefetch":
        return Constant(span, 0, "int")
    fast = FAST.get(name.removeprefix("native_").removeprefix("half_")) if name[:5] in ("nativ", "half_") else None
    if fast is not None:
        return device_call(span, fast, args)
    if (match := _READS.fullmatch(name)) is not None and len(args) > 1:
        type_ = _READ_TYPES[match[1]]
        return Call(span, Name(span, f"tex2D<{type_}>", None, (type_,)), "tex2D", f"{PREFIX}{type_}", args[1:])
    if name.startswith("write_image") and len(args) > 2:
        return Call(span, Name(span, "surf2Dwrite"), "surf2Dwrite", f"{PREFIX}float", args[1:])
    if _UNIFORM.fullmatch(name) is not None:
        word = f"{PREFIX}get_group_{name}"
        return Call(span, Name(span, word), f"get_group_{name}", word, args[1:])
    if name == "isnan" and len(args) == 1:
        return Binary(span, "!=", args[0], args[0])
    return built_in(span, name, args) if name in KNOWN and args else None
