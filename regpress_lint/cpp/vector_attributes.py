"""Vector types by an attribute, as clang and GCC have them: `typedef float f4 __attribute__((ext_vector_type(4)));`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.syntax_tree import Type

MARK = "vector_"  # a text without it has no such attribute
_ATTRIBUTE = pattern(
    r"\b(?:clang\s*+::\s*+|gnu\s*+::\s*+)?_*(ext_vector_type|vector_size)_*\s*+\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)"
)
_SIZEOF = pattern(r"\s*+sizeof\s*+\(([^()]*)\)\s*+$")
_MOST = 64  # lanes: the accumulators of a 32 x 32 tile are 16 or 32 floats a lane


def vector_type(element: Type, text: str, value: Callable[[str], Number | None]) -> Type | None:
    """The vector type that an attribute in a text derives from an element type; None without one, and where its size is
    not known.

    `ext_vector_type` counts elements, `vector_size` bytes.
    """
    found = _ATTRIBUTE.search(text) if "vector_" in text else None
    if found is None or element.size is None or element.pointers or element.struct or element.lanes > 1:
        return None
    written = found[2].strip()
    count = value(written)
    if not isinstance(count, int):
        return None
    lanes = count if found[1] == "ext_vector_type" else count // element.size
    if not 2 <= lanes <= _MOST:
        return element if lanes == 1 else None
    stored = 1 << (lanes - 1).bit_length()  # three take the room of four
    return element._replace(name=f"{element.name} x{lanes}", size=element.size * stored, lanes=lanes)


def product(text: str, types: Callable[[str], Type | None]) -> int | None:
    """Value of `16` and of `4 * sizeof(float)`; None for anything else."""
    result = 1
    for factor in text.split("*"):
        found = _SIZEOF.match(factor)
        type_ = types(found[1].strip()) if found is not None else None
        known = int(factor) if factor.strip().isdigit() else type_.size if type_ is not None else None
        if known is None:
            return None
        result *= known
    return result
