"""A small table that a loop steps through needs no frame on NVIDIA, a larger one does (nvcc 13.0, sm_90)."""

from __future__ import annotations

import pytest
from ssa_helpers import run

_KERNEL = "const float w[{size}] = {{{values}}}; float s = 0; {loop} s += w[{index}] * a[i]; b[tid] = s;"
_UP = "for (int i = 0; i < n; i++)"


def _is_in_memory(size: int, loop: str = _UP, index: str = "i") -> bool:
    values = ", ".join(f"{k * 37 % 11 + 0.5}f" for k in range(size))
    text = _KERNEL.format(size=size, values=values, loop=loop, index=index)
    return bool(run(text, vendor="nvidia").in_memory)


@pytest.mark.parametrize(("size", "memory"), [(28, False), (32, False), (36, True), (40, True), (30, True)])
def test_how_large_it_may_be(size: int, memory: bool) -> None:
    assert _is_in_memory(size) == memory


@pytest.mark.parametrize(
    ("loop", "index", "memory"),
    [
        (_UP, "i + 1", True),  # the first four words lie across two places
        (_UP, "i + 4", False),
        ("for (int i = n; i >= 0; i--)", "i", True),
        ("for (int i = tid; i < n; i++)", "i", True),
    ],
)
def test_how_it_is_gone_through(loop: str, index: str, memory: bool) -> None:
    assert _is_in_memory(32, loop, index) == memory
