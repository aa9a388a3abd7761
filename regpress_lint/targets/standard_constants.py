"""Macros of <cmath> and <climits>: the toolchain's headers are not read, and no project defines these for itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

STANDARD_CONSTANTS: Mapping[str, int | float] = {
    "M_E": math.e,
    "M_LOG2E": 1 / math.log(2),
    "M_LOG10E": 1 / math.log(10),
    "M_LN2": math.log(2),
    "M_LN10": math.log(10),
    "M_PI": math.pi,
    "M_PI_2": math.pi / 2,
    "M_PI_4": math.pi / 4,
    "M_1_PI": 1 / math.pi,
    "M_2_PI": 2 / math.pi,
    "M_2_SQRTPI": 2 / math.sqrt(math.pi),
    "M_SQRT2": math.sqrt(2),
    "M_SQRT1_2": math.sqrt(0.5),
    "CHAR_BIT": 8,
    "SHRT_MAX": (1 << 15) - 1,
    "INT_MAX": (1 << 31) - 1,
    "INT_MIN": -(1 << 31),
}
