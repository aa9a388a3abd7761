"""SYCL's local memory that a kernel declares itself: `group_local_memory<T>(group)` and `work_group_static<T>`.

Their variables are what `__shared__` ones are elsewhere. Accessors belong to the launch (`program/local_memory.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lower.spelled_types import lower_type_text
from regpress_lint.cpp.syntax_tree import Call, Constant, Member, Unary

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.syntax_tree import Expr, Variable

_FUNCTIONS = ("group_local_memory", "group_local_memory_for_overwrite")
_STATIC = pattern(r"(?:.*::)?work_group_static\s*<(.+)>", re.DOTALL)
_ACCESSOR = pattern(r"(?:.*::)?local_accessor\s*+<\s*+(.+?)(?<!\s)\s*+(?:,\s*+(\d)\s*+)?>", re.DOTALL)
_ARRAY = pattern(r"(?:std|sycl)::m?array\s*+<\s*+([^<>]+(?:<[^<>]*+>)?)(?<!\s)\s*+,\s*+([^,<>]++)>")
_HANDED_OUT = frozenset(("get", "get_decorated", "get_raw"))
_EXTENT = pattern(r"\[([^\[\]]*)\]")


def to_work_group(ctx: Context, variable: Variable, extent: Callable[[str, Span], Expr | None]) -> None:
    """Make a variable that stands for local memory one of its element type, extents and storage.

    extent: an extent's text as an expression, in the declaration with that span.
    """
    init, pointer = variable.init, True
    while isinstance(init, Call) and isinstance(init.callee, Member) and init.name in _HANDED_OUT and not init.args:
        init = init.callee.base
    if isinstance(init, Unary) and init.op == "*":
        init, pointer = init.operand, False
    match = _STATIC.fullmatch(variable.type.name)
    if match is not None:
        text, pointer = match[1], False
    elif isinstance(init, Call) and init.name in _FUNCTIONS and init.template_args:
        text = init.template_args[0]
    else:
        return
    if (array := _ARRAY.fullmatch(text.strip())) is not None:
        text = f"{array[1]}[{array[2]}]"
    base, bracket, extents = text.partition("[")
    dims = tuple(extent(found, variable.declaration) for found in _EXTENT.findall(bracket + extents))
    # A pointer to an array of them is one more extent: `(*p)[3]` and `p[0][3]` are the same element.
    variable.dims = (Constant(variable.span, 1, "int"), *dims) if pointer and dims else dims
    variable.type = lower_type_text(ctx, base.strip())
    variable.storage, variable.init = "shared", None


def accessor_parameter(ctx: Context, variable: Variable) -> None:
    """Make a parameter that is a local accessor an array in local memory; how long it is the launch says."""
    match = _ACCESSOR.fullmatch(variable.type.name) if variable.storage == "parameter" else None
    if match is None:
        return
    variable.type = lower_type_text(ctx, match[1])
    variable.storage, variable.dims = "shared", (None,) * int(match[2] or 1)
