"""Registers and kind of the values of a type."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from regpress_lint.model.graph.values import BOOL, FLOAT, POINTER, SIGNED, UNSIGNED, Form, made_form

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Type


_HALF_BYTES = 2


@lru_cache(maxsize=1024)  # a run has few types, and asks for each assignment
def form_of(type_: Type | None) -> Form:
    """Registers and kind of a value of a type; of one component of a vector. An unknown type counts as a float."""
    if type_ is None:
        return made_form(1, FLOAT)
    if type_.pointers or (type_.reference and not type_.size):
        return made_form(2, POINTER)
    if type_.name == "bool":
        return BOOL
    size = type_.size
    if size is None:
        return made_form(2 if type_.struct else 1, FLOAT)
    if type_.lanes > 1:
        size //= type_.lanes
    # Small integers become `int` wherever something is done with them.
    kind = FLOAT if type_.floating else SIGNED if type_.signed or size < 4 else UNSIGNED
    return made_form((size + 3) // 4 or 1, kind)


def lane_forms(type_: Type) -> tuple[Form, ...]:
    """Registers and kind of each component of a vector. Of 16-bit floats two share a register: `half2` is one value to
    every instruction that works on it (`test_packed_halves.py`).
    """
    form, lanes = form_of(type_), type_.lanes
    if not type_.floating or type_.size != _HALF_BYTES * lanes:
        return (form,) * lanes
    return tuple(form if lane % 2 == 0 else made_form(0, FLOAT) for lane in range(lanes))


def is_object(type_: Type) -> bool:
    """Whether it has parts: structs and vectors, no pointers to them."""
    return (type_.struct or type_.lanes > 1) and not type_.pointers
