"""What library calls, divisions and run-time services cost in registers and scratch, per vendor (efficacy 1a to 1d)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from regpress_lint.syntax import Type


class Cost(NamedTuple):
    """32-bit registers that a call takes besides what is live across it, and bytes of scratch.

    once: outside loops and in unrolled ones; in_loop: where its constants are hoisted out of a loop and held.
    slow_path: argument reductions of single-precision trigonometry; from two on they share a subroutine.
    """

    once: int
    in_loop: int
    scratch: int = 0
    slow_path: int = 0


SLOW_PATH_BYTES = 32  # sm_90: two single-precision trigonometric calls share a reducer with a frame (efficacy 1c)
PRINTED_BYTES = 8  # sm_90: a print hands its arguments over in private memory, each in 8 bytes

# gfx90a: differences to the same kernel without the call, efficacy 1a (a call alone) and 1b (8 live doubles).
_AMD = {
    "exp:d": Cost(22, 24),
    "log:d": Cost(28, 34),
    "sin:d": Cost(28, 34),
    "sincos:d": Cost(28, 36),
    "tan:d": Cost(30, 36),
    "sinpi:d": Cost(34, 40),
    "sinpi:f": Cost(8, 10),
    "pow:d": Cost(36, 56),
    "tanh:d": Cost(28, 37),
    "erf:d": Cost(24, 48),
    "atan:d": Cost(26, 48),
    "j0:d": Cost(36, 86),
    "tgamma:d": Cost(56, 90, 260),
    "exp:f": Cost(3, 4),
    "log:f": Cost(3, 4),
    "sin:f": Cost(12, 17),
    "sincos:f": Cost(14, 18),
    "tan:f": Cost(14, 18),
    "pow:f": Cost(20, 22),
    "tanh:f": Cost(6, 8),
    "erf:f": Cost(6, 8),
    "atan:f": Cost(6, 8),
    "j0:f": Cost(16, 24),
    "tgamma:f": Cost(16, 24),
    "/:d": Cost(10, 10),
    "/:f": Cost(4, 4),
    "/:l": Cost(12, 12),
    "/:i": Cost(4, 4),
    "printf": Cost(42, 42, 160),
    "assert": Cost(60, 60, 240),
    "malloc": Cost(60, 60, 272),
}
# sm_90: same kernels.
_NVIDIA = {
    "exp:d": Cost(10, 10),
    "log:d": Cost(12, 14),
    "sin:d": Cost(16, 18, 40),
    "sincos:d": Cost(16, 20, 40),
    "tan:d": Cost(16, 20, 40),
    "sinpi:d": Cost(12, 14),
    "sinpi:f": Cost(4, 4),
    "pow:d": Cost(20, 22),
    "tanh:d": Cost(12, 12),
    "erf:d": Cost(12, 16),
    "atan:d": Cost(14, 18),
    "j0:d": Cost(18, 20),
    "tgamma:d": Cost(18, 20),
    "exp:f": Cost(2, 2),
    "log:f": Cost(3, 3),
    "sin:f": Cost(6, 6, 0, 1),
    "sincos:f": Cost(8, 8, 0, 2),
    "tan:f": Cost(8, 8, 0, 1),
    "pow:f": Cost(6, 6),
    "tanh:f": Cost(4, 4),
    "erf:f": Cost(4, 4),
    "atan:f": Cost(4, 4),
    "j0:f": Cost(10, 10),
    "tgamma:f": Cost(10, 10),
    "/:d": Cost(12, 12),
    "/:f": Cost(4, 4),
    "/:l": Cost(12, 12),
    "/:i": Cost(4, 4),
    "printf": Cost(16, 16),
    "assert": Cost(16, 16),
    "malloc": Cost(20, 20),
}
COSTS = {"amd": _AMD, "nvidia": _NVIDIA, "intel": _NVIDIA}
SERVICES = frozenset(("printf", "assert", "malloc"))

_SAME = {
    "exp": "exp exp2 exp10 expm1",
    "log": "log log2 log10 log1p",
    "sin": "sin cos",
    "sincos": "sincos",
    "tan": "tan",
    "sinpi": "sinpi cospi sincospi tanpi",
    "pow": "pow powi pown powr",
    "tanh": "tanh sinh cosh atanh asinh acosh",
    "erf": "erf erfc cbrt normcdf erfinv erfcinv",
    "atan": "atan atan2 asin acos hypot",
    "j0": "j0 j1 y0 y1 jn yn",
    "tgamma": "tgamma lgamma",
}
_FAMILY = {name: family for family, names in _SAME.items() for name in names.split()}
_SERVICE = {
    "printf": "printf",
    "assert": "assert",
    "__assert_fail": "assert",
    "malloc": "malloc",
    "free": "malloc",
    "abort": "assert",
}


def library_key(name: str, argument: Type | None) -> str | None:
    """Key into `COSTS` of a call whose widest argument has the given type, None for what costs nothing special."""
    family = _FAMILY.get(name)
    if family is not None:
        if argument is None or (argument.floating and (argument.size or 4) < 8):
            return f"{family}:f"
        return f"{family}:d"
    if name[-1:] == "f":
        if name == "printf":
            return "printf"
        family = _FAMILY.get(name[:-1])
        return f"{family}:f" if family is not None else None
    return _SERVICE.get(name)


def division_key(width: int, result: Type | None) -> str:
    """Key into `COSTS` of a division whose result has `width` registers."""
    floating = result is not None and result.floating
    if width >= 2:
        return "/:d" if floating else "/:l"
    return "/:f" if floating else "/:i"
