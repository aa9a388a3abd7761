"""Calls of math functions: cheap ones, expensive ones, those computed in 64 bits, and why."""

from __future__ import annotations

from regpress_lint.facts.math_functions import (
    is_double as is_double,
    is_fp64_transcendental as is_fp64_transcendental,
    is_plain_math as is_plain_math,
    small_exponent as small_exponent,
)
from regpress_lint.targets.costs import SLOW_PATH_BYTES as SLOW_PATH_BYTES, framed as framed
from regpress_lint.targets.library import TRANSCENDENTAL as TRANSCENDENTAL, named as named
