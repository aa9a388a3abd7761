"""Calls of math functions: cheap ones, expensive ones, those computed in 64 bits, and why."""

from __future__ import annotations

from regpress_lint.facts.math_functions import (
    COSTLY,
    Promotion,
    is_double,
    is_fp64_transcendental,
    is_plain_math,
    promotions,
    small_exponent,
)
from regpress_lint.facts.wide_arithmetic import WideArithmetic, wide_arithmetic
from regpress_lint.targets.costs import framed
from regpress_lint.targets.library import TRANSCENDENTAL

__all__ = [
    "COSTLY",
    "TRANSCENDENTAL",
    "Promotion",
    "WideArithmetic",
    "framed",
    "is_double",
    "is_fp64_transcendental",
    "is_plain_math",
    "promotions",
    "small_exponent",
    "wide_arithmetic",
]
