"""Registers and scratch of library calls, divisions and run-time services (`tools/measure/library_costs.py`).

The cost of the routines of portability layers that run after the bodies of reductions and scans.

Registers in addition to each thread's value, chosen so that the smallest kernels of each kind have the number that
their compiler gives them: with Kokkos 4.6 and clang 19.1.7 on gfx90a sums of int, float and double take 12, 12 and 14
VGPRs, scans of int and double 63 and 64, sums of a team 18 to 20; with nvcc 13.0.88 on sm_90 sums of double take 24 to
29, a scan 48.

How many instructions a call of the math library is, as far as it decides whether a loop around it is copied.

Rough numbers: in single precision what clang 19 and nvcc 13.0 inline (nvcc 13.0 copies sixteen iterations with one
`expf` in each and not with two, `sinf` not even once); double precision is about twice as long.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Protocol

from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.library import FAMILIES, SIZES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


REDUCTION, SCAN = "reduction over the threads of a block", "scan over the threads of a block"
TEAM = "sum over the threads of a team"  # or over its vector lanes
LEAGUE = "team of a league"  # which one the block works on from now on
LAYER_COSTS = {
    "amd": {REDUCTION: 12, SCAN: 62, TEAM: 15},
    "nvidia": {REDUCTION: 17, SCAN: 48},
    "intel": {REDUCTION: 8, SCAN: 32},
}


_FAST = 8  # intrinsics of the hardware: __sinf
_PRINTF = 200


def call_size(name: str) -> int:
    """Rough instruction count of a library call, 0 for one that is none."""
    plain = name.lstrip("_")
    if plain.endswith("f") and plain not in ("printf", "erf"):
        plain = plain[:-1]
    size = _PRINTF if plain == "printf" else SIZES.get(plain, 0)
    return min(size, _FAST) if name.startswith("__") else size


# Of clang 19 for AMD, from the most iterations of which LLVM's unroller copies all, with an array in memory and without
# one (`test_loops_of_long_calls.py`). Shorter functions keep the rough numbers: more copies of them overlap here than
# in clang, which takes 11 VGPRs for 40 of `expf`.
_AMD_SIZES: Mapping[str, int] = {
    "erfc:f": 65,
    "log1p:f": 100,
    "sinh:f": 140,
    "sin:f": 220,
    "sincos:f": 240,
    "pow:f": 160,
    "tan:f": 240,
    "lgamma:f": 200,
    "tgamma:f": 200,
    "log:d": 100,
    "tanh:d": 150,
    "pow:d": 200,
}


_ROUTINE_SIZES = {"amd": _AMD_SIZES}


def routine_size(name: str, key: str | None, vendor: str) -> int:
    """The same of a routine with its key in `COSTS`, for a vendor's compiler."""
    return max(_ROUTINE_SIZES.get(vendor, {}).get(key or "", 0), call_size(name))


class ValueType(Protocol):
    """The type that selects the routine of a call: whether its argument is floating, and its bytes (None: unknown)."""

    @property
    def floating(self) -> bool:
        """True for float, double and their like."""

    @property
    def size(self) -> int | None:
        """Bytes."""


class Cost(NamedTuple):
    """32-bit registers that a call takes in addition to values live across it, and bytes of scratch.

    once: outside loops and in unrolled ones. hoisted: where its constants are hoisted out of a loop and held, None for
    the same: only clang for gfx9 does so, and not with divisions.
    slow_path: argument reductions of single-precision trigonometry; from two on they share a subroutine. several: as
    `once`, of each of several calls, None for the same. beside: what another one that is worked on at the same time
    adds. begun: what the branch of a routine leaves until the result is used: the rest of it is sunk to there.
    """

    once: int
    hoisted: int | None = None
    scratch: int = 0
    slow_path: int = 0
    several: int | None = None
    beside: int = 0
    begun: int = 0

    @property
    def in_loop(self) -> int:
        """Registers if the constants stay live through a loop."""
        return self.once if self.hoisted is None else self.hoisted


class _Costs(dict[str, Cost]):
    """Costs by routine; asking for one that nobody measured says what to do."""

    def __missing__(self, key: str) -> Cost:
        raise KeyError(f"no cost of {key} in targets/costs.py: measure it with python -m tools.measure.library_costs")


SLOW_PATH_BYTES = 32  # sm_90: two single-precision trigonometric calls share a reducer with a frame

# clang 19 for gfx90a, nvcc 13.0 for sm_90: `testdata/library_costs.csv`, the mean over the functions of a family.
# AMD: "free" and "loop"; NVIDIA the mean of "free" and "live", as alone a kernel has registers to spare; scratch is
# "bytes". `several`: what two calls take in one block beside one, less what is live. `beside`: what two and three take
# more than one in a loop, each with a sum of its own (`test_calls_side_by_side.py`).
_AMD = {
    "sqrt:f": Cost(6, 4, beside=7),
    "sqrt:d": Cost(8, 10, beside=10),
    "rsqrt:f": Cost(2, 3, beside=4),
    "rsqrt:d": Cost(5, 8, beside=6),
    "exp:f": Cost(3, beside=5),
    "exp:d": Cost(24, 28, several=11, beside=7),
    "expm1:f": Cost(9, 8),
    "expm1:d": Cost(26, 30, several=12),
    "log:f": Cost(2, 4, beside=6),
    "log:d": Cost(31, 34, several=25, beside=18),
    "log1p:f": Cost(18, 21),
    "log1p:d": Cost(38, 37, several=25),
    "sin:f": Cost(18, 22, begun=4),
    "sin:d": Cost(19, 44, several=20, begun=7),
    "sincos:f": Cost(18, 23, begun=4),
    "sincos:d": Cost(19, 44, several=22, begun=7),
    "tan:f": Cost(18, 21, begun=4),
    "tan:d": Cost(19, 52, several=20, begun=7),
    "sinpi:f": Cost(12, 10),
    "sinpi:d": Cost(30, 34, several=15),
    "pow:f": Cost(25, 23, beside=4),
    "pow:d": Cost(39, 60, beside=8),
    "constant/pow:f": Cost(11, 10),
    "constant/pow:d": Cost(31, 34),
    "tanh:f": Cost(5, 9, begun=2),
    "tanh:d": Cost(31, 42, several=23, beside=27),
    "sinh:f": Cost(15, 19),
    "sinh:d": Cost(32, 42, several=23),
    "asinh:f": Cost(17, 22),
    "asinh:d": Cost(37, 39),
    "atan:f": Cost(9, 8, beside=5),
    "atan:d": Cost(50, 52, several=14, beside=13),
    "atan2:f": Cost(16, 13),
    "atan2:d": Cost(55, 58, several=19),
    "asin:f": Cost(8, 9, beside=3),
    "asin:d": Cost(28, 43, begun=4),
    "erf:f": Cost(5, 11, begun=2),
    "erf:d": Cost(11, 56, begun=4),
    "erfc:f": Cost(21, 17),
    "erfc:d": Cost(57, 74, several=17, begun=2),
    "cbrt:f": Cost(4, 8, beside=6),
    "cbrt:d": Cost(12, 18, beside=13),
    "hypot:f": Cost(9, 6, beside=4),
    "hypot:d": Cost(11, 13, beside=5),
    "fmod:f": Cost(9, 7, begun=2),
    # A remainder has no constants to hold; the kernel with a loop pins both operands, which adds 4.
    "fmod:d": Cost(15, begun=4),
    "fmod/constant:f": Cost(6, 5, begun=2),
    "fmod/constant:d": Cost(11, begun=4),
    "round:f": Cost(2, 1),
    "round:d": Cost(5, 10),
    "j0:f": Cost(17, 34),
    "j0:d": Cost(37, 94),
    "cyl_bessel_i0:f": Cost(6, 20),
    "cyl_bessel_i0:d": Cost(11, 110),
    "cyl_bessel_i1:f": Cost(7, 20),
    "cyl_bessel_i1:d": Cost(13, 110),
    "normcdfinv:f": Cost(9, 53),
    "normcdfinv:d": Cost(22, 24),
    "tgamma:f": Cost(21, 34),
    "tgamma:d": Cost(56, 162, begun=2),
    "lgamma:f": Cost(9, 57, begun=2),
    "lgamma:d": Cost(22, 24),
    "shuffle": Cost(2),
    "/:d": Cost(9, beside=11),
    "/:f": Cost(6, beside=6),
    "/:l": Cost(11),
    "/:i": Cost(4),
    "/constant:l": Cost(9),
    "/constant:i": Cost(1),
    "/uniform:l": Cost(4),
    "/uniform:i": Cost(1),
    "printf": Cost(42, scratch=160),
    "assert": Cost(60, scratch=240),
    "malloc": Cost(160, scratch=176),
    "free": Cost(32, scratch=176),
    "indirect": Cost(38),
    "recursion": Cost(38, scratch=16),
    SCAN: Cost(LAYER_COSTS["amd"][SCAN], scratch=288),  # of Kokkos 4.6, of ints and of doubles
}
_NVIDIA = {
    "sqrt:f": Cost(4),
    "sqrt:d": Cost(10),
    "rsqrt:f": Cost(0),
    "rsqrt:d": Cost(7),
    "exp:f": Cost(2),
    "exp:d": Cost(7),
    "expm1:f": Cost(3),
    "expm1:d": Cost(4),
    "log:f": Cost(2),
    "log:d": Cost(11),
    "log1p:f": Cost(4),
    "log1p:d": Cost(14),
    "sin:f": Cost(10, slow_path=1),
    "sin:d": Cost(16, scratch=40),
    "sincos:f": Cost(10, slow_path=1),
    "sincos:d": Cost(16, scratch=40),
    "tan:f": Cost(10, slow_path=1),
    "tan:d": Cost(16, scratch=40),
    "sinpi:f": Cost(6),
    "sinpi:d": Cost(14),
    "pow:f": Cost(9),
    "pow:d": Cost(18),
    "constant/pow:f": Cost(6),
    "constant/pow:d": Cost(17),
    "tanh:f": Cost(4),
    "tanh:d": Cost(7),
    "sinh:f": Cost(4),
    "sinh:d": Cost(12),
    "asinh:f": Cost(4),
    "asinh:d": Cost(16),
    "atan:f": Cost(2),
    "atan:d": Cost(7),
    "atan2:f": Cost(10),
    "atan2:d": Cost(15),
    "asin:f": Cost(2),
    "asin:d": Cost(10),
    "erf:f": Cost(4),
    "erf:d": Cost(5),
    "erfc:f": Cost(6),
    "erfc:d": Cost(14),
    "cbrt:f": Cost(4),
    "cbrt:d": Cost(11),
    "hypot:f": Cost(6),
    "hypot:d": Cost(10),
    "fmod:f": Cost(8),
    "fmod:d": Cost(11),
    "fmod/constant:f": Cost(4),
    "fmod/constant:d": Cost(11),
    "round:f": Cost(0),
    "round:d": Cost(3),
    "j0:f": Cost(10, scratch=32),
    "j0:d": Cost(17, scratch=40),
    "cyl_bessel_i0:f": Cost(8),
    "cyl_bessel_i0:d": Cost(11),
    "cyl_bessel_i1:f": Cost(8),
    "cyl_bessel_i1:d": Cost(12),
    "normcdfinv:f": Cost(2),
    "normcdfinv:d": Cost(11),
    "tgamma:f": Cost(10),
    "tgamma:d": Cost(20),
    "lgamma:f": Cost(7),
    "lgamma:d": Cost(20),
    "shuffle": Cost(0),
    "/:d": Cost(14),
    "/:f": Cost(6),
    "/:l": Cost(12),
    "/:i": Cost(5),
    "/constant:l": Cost(7),
    "/constant:i": Cost(1),
    "/uniform:l": Cost(12),
    "/uniform:i": Cost(5),
    "printf": Cost(16),
    "assert": Cost(16),
    "malloc": Cost(20),
    "free": Cost(20),
    "indirect": Cost(18),
    "recursion": Cost(18),
}
LOCAL_ATOMIC = "local atomic:d"
# IGC 1.0.12504, "free" of pvc in the same table; what OpenCL C does not have (Bessel functions, services, shuffles) is
# NVIDIA's. No routine has a frame. An atomic operation with a double in SLM is a loop around a lock, whose flag lies in
# memory.
_INTEL = {key: cost._replace(scratch=0, slow_path=0) for key, cost in _NVIDIA.items()} | {
    "sqrt:f": Cost(0),
    "sqrt:d": Cost(12),
    "rsqrt:f": Cost(0),
    "rsqrt:d": Cost(14),
    "exp:f": Cost(2),
    "exp:d": Cost(9),
    "expm1:f": Cost(4),
    "expm1:d": Cost(16),
    "log:f": Cost(6),
    "log:d": Cost(14),
    "log1p:f": Cost(8),
    "log1p:d": Cost(11),
    "sin:f": Cost(12),
    "sin:d": Cost(26),
    "sincos:f": Cost(12),
    "sincos:d": Cost(28),
    "tan:f": Cost(18),
    "tan:d": Cost(22),
    "sinpi:f": Cost(2),
    "sinpi:d": Cost(11),
    "pow:f": Cost(21),
    "pow:d": Cost(31),
    "constant/pow:f": Cost(6),
    "constant/pow:d": Cost(10),
    "tanh:f": Cost(4),
    "tanh:d": Cost(26),
    "sinh:f": Cost(6),
    "sinh:d": Cost(31),
    "asinh:f": Cost(6),
    "asinh:d": Cost(15),
    "atan:f": Cost(4),
    "atan:d": Cost(18),
    "atan2:f": Cost(3),
    "atan2:d": Cost(36),
    "asin:f": Cost(4),
    "asin:d": Cost(11),
    "erf:f": Cost(8),
    "erf:d": Cost(18),
    "erfc:f": Cost(10),
    "erfc:d": Cost(16),
    "cbrt:f": Cost(10),
    "cbrt:d": Cost(32),
    "hypot:f": Cost(1),
    "hypot:d": Cost(16),
    "fmod:f": Cost(7),
    "fmod:d": Cost(12),
    "fmod/constant:f": Cost(6),
    "fmod/constant:d": Cost(8),
    "round:f": Cost(0),
    "round:d": Cost(4),
    "tgamma:f": Cost(22),
    "tgamma:d": Cost(28),
    "lgamma:f": Cost(25),
    "lgamma:d": Cost(26),
    "/:d": Cost(14),
    "/:f": Cost(0),
    "/:l": Cost(8),
    "/:i": Cost(6),
    "/constant:l": Cost(8),
    "/constant:i": Cost(0),
    "/uniform:l": Cost(5),
    "/uniform:i": Cost(0),
}
_INTEL[LOCAL_ATOMIC] = Cost(0, scratch=2)
_INTEL["indirect"] = _INTEL["recursion"] = Cost(0)  # it spills what is alive around such a call
COSTS = {"amd": _Costs(_AMD), "nvidia": _Costs(_NVIDIA), "intel": _Costs(_INTEL)}
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
    """Key into `COSTS` of a call whose widest argument has the given type, None for a call without a special cost."""
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


@cache
def _framed_families() -> frozenset[str]:
    return frozenset(
        key.partition(":")[0]
        for table in COSTS.values()
        for key, cost in table.items()
        if cost.scratch or cost.slow_path
    )


def framed(name: str) -> str:
    """The family of a called function for which some compiler sets private memory aside; empty for others."""
    family = (library_key(name, None) or "").partition(":")[0]
    return family if family in _framed_families() else ""


def by_constant(key: str, operands: Sequence[int | float | None]) -> str:
    """The key of a routine of two operands one of which is known, where that spares work: the divisor's own part of a
    remainder, the logarithm of a power's base.
    """
    if len(operands) != 2:
        return key
    family, _, type_ = key.partition(":")
    first, second = operands
    family_key = f"constant/{key}" if first is not None else f"{family}/constant:{type_}" if second is not None else key
    return family_key if family_key in _AMD else key


def _leading_zeros(value: int, bits: int) -> int:
    return bits - (value & (1 << bits) - 1).bit_length()


def _reversed(value: int, bits: int) -> int:
    return int(f"{value & (1 << bits) - 1:0{bits}b}"[::-1], 2)


def _ones(value: int, bits: int) -> int:
    return (value & (1 << bits) - 1).bit_count()


def _first_one(value: int, _bits: int) -> int:
    return (value & -value).bit_length()


# Functions of the bits of a whole number, as `__brev`, and with `ll` behind it of 64 bits.
_OF_BITS = {"__clz": _leading_zeros, "__brev": _reversed, "__popc": _ones, "__ffs": _first_one}


def folded(name: str, arguments: Sequence[int | float | None]) -> int | float | None:
    """The result of a call with known numbers, which compilers fold; None if it is not supported here."""
    if (of_bits := _OF_BITS.get(name.removesuffix("ll"))) is not None:
        bits = 64 if name.endswith("ll") else 32
        return of_bits(arguments[0], bits) if len(arguments) == 1 and isinstance(arguments[0], int) else None
    function = getattr(math, name.removesuffix("f"), None) if FAMILIES.get(name.removesuffix("f")) else None
    if function is None:
        return None
    try:
        result = function(*(float(argument) for argument in arguments if argument is not None))
    except (ArithmeticError, TypeError, ValueError):
        return None
    return result if isinstance(result, float) else None


def reductions(vendor: str, keys: Iterable[str]) -> int:
    """How many of these calls reduce the argument of a sine in single precision on a slow path."""
    costs = COSTS[vendor]
    return sum(costs[key].slow_path for key in keys)


# nvcc 13.0.88: of 48 floats or 32 doubles that are read in front of one and summed up behind it all are alive there (56
# to 94 registers; 32 where a call is arithmetic alone), and no later iteration of a loop over `f(a[j])` begins early.
_BRANCHING = {
    "nvidia": frozenset(
        """
        /:f /:d /:l sqrt:f sqrt:d rsqrt:d pow:f pow:d constant/pow:f constant/pow:d fmod:f fmod:d hypot:f sin:f tan:f
        sincos:f sin:d tan:d sincos:d exp:d expm1:d log:d log1p:f log1p:d atan2:f atan2:d asin:d sinh:d tanh:d erfc:d
        lgamma:f lgamma:d tgamma:f tgamma:d
        """.split()
    )
}


def branches(vendor: str, key: str) -> bool:
    """Whether a call or a division branches to a slow path, which ends a basic block for ptxas."""
    return key in _BRANCHING.get(vendor, frozenset())


def slow_paths(vendor: str, keys: Iterable[str]) -> int:
    """How many of these calls branch to a slow path, which ptxas moves no read across."""
    return sum(branches(vendor, key) for key in keys)


def division_key(width: int, result: ValueType | None) -> str:
    """Key into `COSTS` of a division whose result has `width` registers."""
    floating = result is not None and result.floating
    if width >= 2:
        return "/:d" if floating else "/:l"
    return "/:f" if floating else "/:i"
