"""Vectors that are read and written through pointers to their elements, `vload4` of OpenCL C, `v.load` of SYCL, and
through accessors of SYCL's images.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.syntax_tree import Assign, Binary, Call, Cast, Constant, Name, Unary
from regpress_lint.cpp.types import dereference, pointer_to
from regpress_lint.cpp.typing_rules import expression_type

if TYPE_CHECKING:
    from regpress_lint.core.source import Span
    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.syntax_tree import Expr, Member


def lanes_at(ctx: Context, span: Span, pointer: Expr, offset: Expr, lanes: int) -> Expr | None:
    """`*(float4*)(p + 4 * i)`: what `vload4(i, p)` reads, and `v.load(i, p)` of a vector of four."""
    type_ = expression_type(pointer, ctx.types)
    element = dereference(type_) if type_ is not None else None
    if type_ is None or element is None or element.size is None or element.lanes > 1:
        return None
    vector = element._replace(name=f"{element.name}{lanes}", size=element.size * lanes, lanes=lanes)
    at_start = isinstance(offset, Constant) and offset.value == 0
    at = pointer if at_start else Binary(span, "+", pointer, Binary(span, "*", offset, Constant(span, lanes, "int")))
    target = pointer_to(vector)._replace(
        pointee_const=type_.pointee_const, pointee_volatile=type_.pointee_volatile, restrict=type_.restrict
    )
    return Unary(span, "*", Cast(span, target, at))


def moved_lanes(ctx: Context, span: Span, callee: Member, args: tuple[Expr, ...]) -> Assign | None:
    """`v.load(i, p)` and `v.store(i, p)` of a vector: its lanes, so many elements on for each one of `i`."""
    type_ = expression_type(callee.base, ctx.types)
    if type_ is None or type_.lanes <= 1 or type_.struct or type_.pointers:
        return None
    memory = lanes_at(ctx, span, args[1], args[0], type_.lanes)
    if memory is None:
        return None
    return Assign(span, "=", *((callee.base, memory) if callee.field == "load" else (memory, callee.base)))


IMAGE_ACCESSOR = pattern(
    r"(?:[\w:]*::)?(?:accessor\s*+<\s*+(?:[\w:]*::)?(\w+)\s*+,[^;]*?\bimage(?:_array)?\b[^;>]*>|"
    r"(?:un)?sampled_image_accessor\s*+<\s*+(?:[\w:]*::)?(\w+)\s*+[,>][^;>]*>?)"
)
"""The type of an accessor of an image, and its pixels' type."""


def image_access(span: Span, callee: Member, args: tuple[Expr, ...]) -> Expr | None:
    """A read of an accessor's image in the words of textures, a write in those of surfaces."""
    variable = callee.base.variable if isinstance(callee.base, Name) else None
    match = IMAGE_ACCESSOR.match(variable.type.name) if variable is not None else None
    if match is None:
        return None
    if callee.field == "write":
        return Call(span, Name(span, "surf2Dwrite"), "surf2Dwrite", "surf2Dwrite", args)
    type_ = match[1] or match[2]
    return Call(span, Name(span, f"tex2D<{type_}>", None, (type_,)), "tex2D", type_, args)
