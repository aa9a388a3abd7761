"""A plan in which no loop is copied: what stands in for `loop_plan` where that is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.ir.loop_shape import Plan

if TYPE_CHECKING:
    from regpress_lint.ir.loop_shape import Shape
    from regpress_lint.targets.codegen import Unrolling

_STAYS = Plan(1, False, "copies are left out")


def settled(shape: Shape, _table: Unrolling) -> Shape:
    """The shape as it is."""
    return shape


def most(_shape: Shape, _table: Unrolling) -> int:
    """No copies replace a loop."""
    return 0


def plan(_shape: Shape, _table: Unrolling) -> Plan:
    """The loop stays."""
    return _STAYS


def stays(_shape: Shape, _table: Unrolling) -> Plan:
    """With one body."""
    return _STAYS


def is_full(_values: int) -> bool:
    """No graph has room for copies."""
    return True
