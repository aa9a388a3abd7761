"""Types as they are spelled: `const float *`, `unsigned int`, `T &`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lower import sycl_calls
from regpress_lint.cpp.syntax_tree import Type
from regpress_lint.cpp.types import pointer_to

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.cpp.lower.lowering_context import Context

_QUALIFIERS = pattern(r"\b(?:const|volatile|typename|struct|class|union|enum|constexpr|static|inline)\b")


def lower_type_node(ctx: Context, node: Node) -> Type:
    """`lower_type_text` of a node's text."""
    return lower_type_text(ctx, ctx.text(node), node.start_byte)


def lower_type_text(ctx: Context, text: str, offset: int | None = None) -> Type:
    """Type from its spelling (`const float *`, `unsigned int`, `T &`); unknown names keep size None.

    offset: where it is spelled, if the file contains it verbatim.
    """
    found = ctx.spelled.get(text)
    if found is None:
        found = ctx.spelled[text] = _type_of_text(ctx, text, offset)
    return found


def _type_of_text(ctx: Context, text: str, offset: int | None) -> Type:
    bare = text.strip()
    if (given := sycl_calls.pointer(ctx, bare)) is not None:
        return given
    outside = _outside(bare)
    pointers = outside.count("*")
    reference = "&" in outside
    if outside == bare:
        core = bare.replace("*", " ").replace("&", " ")
    else:  # what stands within the brackets of `View<double**>` belongs to an argument
        end = bare.rfind(">") + 1
        core = bare[:end] + bare[end:].replace("*", " ").replace("&", " ")
    core = _QUALIFIERS.sub(" ", core)
    core = " ".join(core.split())
    if ctx.asked is not None and offset is not None and core:
        ctx.asked.spell(core, offset + len(text[: text.find(core.split(None, 1)[0])].encode()))
    base = ctx.types(core) or Type(core)
    if "const" in bare or "volatile" in bare:
        base = base._replace(const="const" in bare, volatile="volatile" in bare)
    if pointers:
        return pointer_to(base if not base.extents else Type(core), pointers)
    return base._replace(reference=True) if reference else base


def _outside(text: str) -> str:
    """A type's spelling without its template arguments."""
    first, last = text.find("<"), text.rfind(">")
    return text[:first] + text[last + 1 :] if 0 <= first < last else text
