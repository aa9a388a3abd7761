"""How many instructions a call of the math library is, as far as it decides whether a loop around it is copied.

Rough numbers: in single precision what clang 19 and nvcc 13.0 inline (nvcc 13.0 copies sixteen iterations with one
`expf` in each and not with two, `sinf` not even once); double precision is about twice as long.
"""

from __future__ import annotations

_FP64 = 60  # exp and its like; pow and trigonometry are longer
_SIZES = {"pow": 150, "sin": 90, "cos": 90, "tan": 110, "sincos": 110, "exp": 30, "log": 30, "printf": 200}
_FAST = 8  # intrinsics of the hardware: __sinf
_TRANSCENDENTAL = frozenset(
    (
        *(
            "exp2",
            "exp10",
            "expm1",
            "log2",
            "log10",
            "log1p",
            "atan",
            "atan2",
            "asin",
            "acos",
            "sinh",
            "cosh",
            "tanh",
            "asinh",
            "acosh",
            "atanh",
            "erf",
            "erfc",
        ),
        *("cbrt", "tgamma", "lgamma", "j0", "j1", "y0", "y1", "jn", "yn", "fmod", "powr"),
    )
)


def call_size(name: str) -> int:
    """Rough instruction count of a library call, 0 for one that is none."""
    plain = name.lstrip("_")
    if plain.endswith("f") and plain not in ("printf", "erf"):
        plain = plain[:-1]
    size = _SIZES.get(plain)
    if size is None:
        size = _FP64 if plain in _TRANSCENDENTAL else 0
    return min(size, _FAST) if name.startswith("__") else size
