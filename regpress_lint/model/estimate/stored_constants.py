"""Constants with which an array in local memory begins: ptxas has them in registers, four for each store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import InitList
from regpress_lint.source.array_kinds import literals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.cpp.syntax_tree import Variable

_BYTES, _WORDS = 16, 4  # of a store
# Registers beside the constants, and with them: tables of 10, 16 and 20 floats take 20, 26 and 30, all larger ones 26
# to 30 (`test_constants_in_frames.py`).
_BESIDE, _MOST = 10, 28


def with_constants(in_memory: Iterable[Variable], words: int) -> int:
    """The least registers of a kernel that fills arrays in local memory with constants or copies; 0 if one store does.
    words: those that it writes there behind the arrays' declarations.
    """
    stored = words + sum(map(_stored, in_memory))
    return min(stored + _BESIDE, _MOST) if stored > _WORDS else 0


def _stored(variable: Variable) -> int:
    """Registers of the constants of an initialiser; stores of equal ones share theirs."""
    size = variable.type.size
    if not isinstance(variable.init, InitList) or variable.type.struct or not size or size > _BYTES:
        return 0
    values, at_once = tuple(literals(variable.init)), _BYTES // size
    if None in values:
        return 0
    return _WORDS * len({values[begin : begin + at_once] for begin in range(0, len(values), at_once)})
