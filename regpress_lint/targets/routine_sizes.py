"""How many instructions a call of the math library is, as far as it decides whether a loop around it is copied.

Rough numbers: in single precision what clang 19 and nvcc 13.0 inline (nvcc 13.0 copies sixteen iterations with one
`expf` in each and not with two, `sinf` not even once); double precision is about twice as long.
"""

from __future__ import annotations

from regpress_lint.targets.library import SIZES

_FAST = 8  # intrinsics of the hardware: __sinf
_PRINTF = 200


def call_size(name: str) -> int:
    """Rough instruction count of a library call, 0 for one that is none."""
    plain = name.lstrip("_")
    if plain.endswith("f") and plain not in ("printf", "erf"):
        plain = plain[:-1]
    size = _PRINTF if plain == "printf" else SIZES.get(plain, 0)
    return min(size, _FAST) if name.startswith("__") else size
