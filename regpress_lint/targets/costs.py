"""What library calls, divisions and run-time services cost in registers and scratch (`benchmarks/library_costs.py`)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.library import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Sequence


class ValueType(Protocol):
    """What decides which routine a call takes: whether its argument is floating, and its bytes (None: unknown)."""

    @property
    def floating(self) -> bool:
        """True for float, double and their like."""

    @property
    def size(self) -> int | None:
        """Bytes."""


class Cost(NamedTuple):
    """32-bit registers that a call takes besides what is live across it, and bytes of scratch.

    once: outside loops and in unrolled ones; in_loop: where its constants are hoisted out of a loop and held.
    slow_path: argument reductions of single-precision trigonometry; from two on they share a subroutine. several: as
    `once`, of each of several calls, None for the same. beside: what another one that is worked on at the same time
    adds. begun: what the branch of a routine leaves until the result is used: the rest of it is sunk to there.
    """

    once: int
    in_loop: int
    scratch: int = 0
    slow_path: int = 0
    several: int | None = None
    beside: int = 0
    begun: int = 0


SLOW_PATH_BYTES = 32  # sm_90: two single-precision trigonometric calls share a reducer with a frame
PRINTED_BYTES = 8  # sm_90: a print hands its arguments over in private memory, each in 8 bytes

# clang 19 for gfx90a and nvcc 13.0 for sm_90, `python benchmarks/library_costs.py`: "free" and "loop" for AMD; for
# NVIDIA the mean of "free" and "live", because alone a kernel has registers to spare. Scratch: the same kernels. AMD's
# `several` and `beside`: two and four calls with operands of their own in one block beside one, less what is live.
_AMD = {
    "sqrt:f": Cost(6, 6, beside=3),
    "sqrt:d": Cost(8, 10, beside=5),
    "rsqrt:f": Cost(2, 3),
    "rsqrt:d": Cost(5, 8),
    "exp:f": Cost(3, 3),
    "exp:d": Cost(24, 28, several=11),
    "expm1:f": Cost(9, 8),
    "expm1:d": Cost(26, 30, several=12),
    "log:f": Cost(3, 4),
    "log:d": Cost(31, 34, several=25),
    "log1p:f": Cost(17, 21),
    "log1p:d": Cost(37, 37, several=25),
    "sin:f": Cost(18, 22, begun=4),
    "sin:d": Cost(20, 44, several=20, begun=7),
    "sincos:f": Cost(18, 22, begun=4),
    "sincos:d": Cost(22, 46, several=22, begun=7),
    "tan:f": Cost(18, 21, begun=4),
    "tan:d": Cost(20, 52, several=20, begun=7),
    "sinpi:f": Cost(12, 12),
    "sinpi:d": Cost(30, 34, several=15),
    "pow:f": Cost(25, 25, beside=4),
    "pow:d": Cost(39, 60, beside=8),
    "constant/pow:f": Cost(11, 10),
    "constant/pow:d": Cost(31, 34),
    "tanh:f": Cost(6, 9, begun=2),
    "tanh:d": Cost(30, 42, several=23),
    "sinh:f": Cost(15, 19),
    "sinh:d": Cost(32, 42, several=23),
    "asinh:f": Cost(16, 22),
    "asinh:d": Cost(37, 40),
    "atan:f": Cost(9, 8),
    "atan:d": Cost(48, 52, several=14),
    "atan2:f": Cost(16, 14),
    "atan2:d": Cost(54, 58, several=19),
    "asin:f": Cost(9, 9, beside=3),
    "asin:d": Cost(28, 43, begun=4),
    "erf:f": Cost(6, 11, begun=2),
    "erf:d": Cost(12, 56, begun=4),
    "erfc:f": Cost(20, 18),
    "erfc:d": Cost(54, 74, several=17, begun=2),
    "cbrt:f": Cost(4, 8, beside=2),
    "cbrt:d": Cost(12, 18, beside=5),
    "hypot:f": Cost(9, 7, beside=4),
    "hypot:d": Cost(11, 13, beside=5),
    "fmod:f": Cost(9, 8, begun=2),
    "fmod:d": Cost(16, 16, begun=4),  # no constants to hold; the kernel with a loop pins both operands, which adds 4
    "fmod/constant:f": Cost(6, 5, begun=2),
    "fmod/constant:d": Cost(11, 11, begun=4),
    "round:f": Cost(2, 2),
    "round:d": Cost(5, 10),
    "j0:f": Cost(18, 34),
    "j0:d": Cost(38, 94),
    "tgamma:f": Cost(22, 34),
    "tgamma:d": Cost(56, 90, 260, begun=2),
    "lgamma:f": Cost(10, 57, begun=2),
    "lgamma:d": Cost(23, 24),
    "shuffle": Cost(2, 2),
    "/:d": Cost(9, 10, beside=8),
    "/:f": Cost(6, 6, beside=5),
    "/:l": Cost(11, 13),
    "/:i": Cost(4, 4),
    "/constant:l": Cost(9, 9),
    "/constant:i": Cost(1, 1),
    "/uniform:l": Cost(4, 7),
    "/uniform:i": Cost(1, 1),
    "printf": Cost(42, 42, 160),
    "assert": Cost(60, 60, 240),
    "malloc": Cost(160, 160, 176),
    "free": Cost(32, 32, 176),
    "indirect": Cost(38, 38),
    "recursion": Cost(38, 38, 16),
}
_NVIDIA = {
    "sqrt:f": Cost(4, 4),
    "sqrt:d": Cost(10, 10),
    "rsqrt:f": Cost(0, 1),
    "rsqrt:d": Cost(7, 8),
    "exp:f": Cost(2, 3),
    "exp:d": Cost(7, 9),
    "expm1:f": Cost(3, 4),
    "expm1:d": Cost(6, 8),
    "log:f": Cost(2, 3),
    "log:d": Cost(11, 14),
    "log1p:f": Cost(4, 5),
    "log1p:d": Cost(14, 18),
    "sin:f": Cost(10, 12, 0, 1),
    "sin:d": Cost(16, 20, 40),
    "sincos:f": Cost(11, 13, 0, 2),
    "sincos:d": Cost(17, 20, 40),
    "tan:f": Cost(10, 12, 0, 1),
    "tan:d": Cost(16, 20, 40),
    "sinpi:f": Cost(6, 8),
    "sinpi:d": Cost(14, 20),
    "pow:f": Cost(9, 10),
    "pow:d": Cost(18, 22),
    "constant/pow:f": Cost(6, 10),
    "constant/pow:d": Cost(17, 20),
    "tanh:f": Cost(4, 4),
    "tanh:d": Cost(7, 10),
    "sinh:f": Cost(4, 5),
    "sinh:d": Cost(14, 18),
    "asinh:f": Cost(4, 5),
    "asinh:d": Cost(16, 20),
    "atan:f": Cost(2, 3),
    "atan:d": Cost(7, 8),
    "atan2:f": Cost(10, 12),
    "atan2:d": Cost(15, 18),
    "asin:f": Cost(2, 3),
    "asin:d": Cost(10, 14),
    "erf:f": Cost(4, 5),
    "erf:d": Cost(6, 10),
    "erfc:f": Cost(6, 7),
    "erfc:d": Cost(14, 18),
    "cbrt:f": Cost(4, 5),
    "cbrt:d": Cost(11, 14),
    "hypot:f": Cost(6, 8),
    "hypot:d": Cost(10, 14),
    "fmod:f": Cost(7, 8),
    "fmod:d": Cost(11, 14),
    "fmod/constant:f": Cost(4, 5),
    "fmod/constant:d": Cost(11, 12),
    "round:f": Cost(0, 1),
    "round:d": Cost(3, 4),
    "j0:f": Cost(10, 12),
    "j0:d": Cost(17, 20),
    "tgamma:f": Cost(10, 12),
    "tgamma:d": Cost(20, 24),
    "lgamma:f": Cost(7, 8),
    "lgamma:d": Cost(20, 24),
    "shuffle": Cost(0, 0),
    "/:d": Cost(14, 16),
    "/:f": Cost(6, 8),
    "/:l": Cost(12, 14),
    "/:i": Cost(5, 6),
    "/constant:l": Cost(7, 8),
    "/constant:i": Cost(1, 2),
    "/uniform:l": Cost(12, 14),
    "/uniform:i": Cost(5, 6),
    "printf": Cost(16, 16),
    "assert": Cost(16, 16),
    "malloc": Cost(20, 20),
    "free": Cost(20, 20),
    "indirect": Cost(18, 18),
    "recursion": Cost(18, 18),
}
LOCAL_ATOMIC = "local atomic:d"
# IGC 1.0.12504: no routine has a frame; registers are NVIDIA's. An atomic operation with a double in SLM is a loop
# around a lock, whose flag lies in memory.
_INTEL = {key: cost._replace(scratch=0, slow_path=0) for key, cost in _NVIDIA.items()}
_INTEL[LOCAL_ATOMIC] = Cost(0, 0, 2)
_INTEL["indirect"] = _INTEL["recursion"] = Cost(0, 0)  # it spills what is alive around such a call
COSTS = {"amd": _AMD, "nvidia": _NVIDIA, "intel": _INTEL}
SERVICES = frozenset(("printf", "assert", "malloc", "free"))
INDIRECT = "indirect"  # a call whose callee is not known
RECURSION = "recursion"  # and the frame of a function that calls itself, at least

_SERVICE = {
    "printf": "printf",
    "assert": "assert",
    "__assert_fail": "assert",
    "malloc": "malloc",
    "free": "free",
    "abort": "assert",
}


def library_key(name: str, argument: ValueType | None) -> str | None:
    """Key into `COSTS` of a call whose widest argument has the given type, None for what costs nothing special."""
    family = FAMILIES.get(name)
    if family is not None:
        if argument is None or (argument.floating and (argument.size or 4) < 8):
            return f"{family}:f"
        return f"{family}:d"
    if name[-1:] == "f":
        if name == "printf":
            return "printf"
        family = FAMILIES.get(name[:-1])
        return f"{family}:f" if family is not None else None
    return _SERVICE.get(name)


def by_constant(key: str, operands: Sequence[int | float | None]) -> str:
    """The key of a routine of two operands one of which is known, where that spares work: the divisor's own part of a
    remainder, the logarithm of a power's base.
    """
    if len(operands) != 2:
        return key
    family, _, type_ = key.partition(":")
    first, second = operands
    found = f"constant/{key}" if first is not None else f"{family}/constant:{type_}" if second is not None else key
    return found if found in _AMD else key


def folded(name: str, arguments: Sequence[int | float | None]) -> float | None:
    """What a call of known numbers gives: compilers work it out. None for what is not known here."""
    function = getattr(math, name.removesuffix("f"), None) if FAMILIES.get(name.removesuffix("f")) else None
    if function is None:
        return None
    try:
        result = function(*(float(argument) for argument in arguments if argument is not None))
    except (ArithmeticError, TypeError, ValueError):
        return None
    return result if isinstance(result, float) else None


def division_key(width: int, result: ValueType | None) -> str:
    """Key into `COSTS` of a division whose result has `width` registers."""
    floating = result is not None and result.floating
    if width >= 2:
        return "/:d" if floating else "/:l"
    return "/:f" if floating else "/:i"
