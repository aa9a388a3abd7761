"""Copies of a loop that indexes a private array, with branches that its counter decides: nvcc counts both sides."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, scratch_of

ONE = "s = (s ^ u) * v + (s >> 3) - (u << 2) + (u & v); s = (s & u) + v * (s >> 7) - (u << 5) + (u ^ v); "
OTHER = "s = (s | u) * v - (s >> 5) + (u << 3) + (u | v); s = s - (u ^ v) * (s >> 9) - (u << 7) - (u * v); "


def frame(iterations: int, branch: str, target: str = "sm_90") -> int:
    """Bytes of private memory of a kernel with such a loop."""
    fill = f"int w[{iterations}]; for (int i = 0; i < {iterations}; ++i) w[i] = in[i * n];"
    loop = f"for (int i = 0; i < {iterations}; ++i) {{ {branch} s += w[i]; int x = s; s = u; u = v; v = x; }}"
    text = f"int s = in[0], u = n, v = 3; {fill} {loop} *out = s + u * v;"
    return scratch_of(facts_of(f"__global__ void k(const int* in, int* out, int n) {{ {text} }}\n"), target)


@pytest.mark.parametrize(
    ("branch", "whole", "kept"),
    [
        (f"if (i < 20) {{ {ONE * 2} }} else {{ {OTHER * 2} }}", 26, 48),
        (
            f"if (i < 9) {{ {ONE} }} else if (i < 19) {{ {OTHER} }} else if (i < 29) {{ {OTHER} }} else {{ {ONE} }}",
            26,
            48,
        ),
        (f"switch (i / 16) {{ case 0: {ONE} break; case 1: {OTHER} break; default: {ONE} {OTHER} }}", 26, 48),
    ],
)
def test_both_sides_of_a_branch_count(branch: str, whole: int, kept: int) -> None:
    """nvcc 13.0.88 has no frame for the first number of iterations, and one for the second."""
    assert not frame(whole, branch)
    assert frame(kept, branch)


def test_masked_counter_settles_branches_in_copies() -> None:
    assert not frame(60, f"if (i & 1) {{ {ONE * 2} }} else {{ {OTHER * 2} }}")
