"""Pointers that walk through a private array: which loops over them a compiler counts."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, scratch_of


def frame(loop: str, target: str) -> int:
    """Bytes of private memory where a loop fills 32 elements."""
    text = f"float h[32]; int i = 0; {loop} *p = a[i++ * n]; float s = 0; for (float x : h) s = s * x + 1; *o = s;"
    return scratch_of(facts_of(f"__global__ void k(const float *a, float *o, int n) {{ {text} }}\n"), target)


@pytest.mark.parametrize(
    ("loop", "bytes_"),
    [
        ("for (float *p = h; p != h + 32; ++p)", 0),
        ("for (float *p = h; p < h + 32; ++p)", 128),
        ("float *end = h + 32; for (float *p = h; p < end; ++p)", 128),
        ("for (float *p = h + 31; p >= h; --p)", 128),
    ],
)
def test_nvcc_counts_no_order_of_pointers(loop: str, bytes_: int) -> None:
    """Bytes of nvcc 13.0.88; clang 19 makes copies of the second and third."""
    assert frame(loop, "sm_90") == bytes_


def test_clang_counts_them() -> None:
    """0 B of clang 19.1.7."""
    assert not frame("for (float *p = h; p < h + 32; ++p)", "gfx90a")


@pytest.mark.parametrize(
    ("loop", "bytes_"),
    [
        ("for (int i = 0, j = 15; i < j; ++i, --j) h[i] *= h[j];", 128),
        ("int i = 0, j = 15; while (j >= i) { h[i++] += h[j]; j -= 1; }", 128),
        ("for (int i = 0, j = 0; i < j + 8; i += 2, ++j) h[i] *= 2;", 128),
        ("for (int i = 0, j = 16; i != j; ++i, --j) h[i] *= h[j - 1];", 0),
        ("for (int i = 0, j = 15; i < j; ++i) h[i] *= h[j];", 0),
        ("for (int i = 0, j = 15; i < 8 && j > 2; ++i, --j) h[i] *= h[j];", 0),
    ],
)
def test_nvcc_counts_no_order_of_two_counters(loop: str, bytes_: int) -> None:
    """Bytes of nvcc 13.0.88, with a pragma as well; IGC keeps the first, and clang 19.1.7 copies all of them."""
    ends = "for (int i = 0; i < 16; ++i)"
    text = f"double h[16]; {ends} h[i] = a[i * n]; {loop} {ends} o[i * n] = h[i];"
    facts = facts_of(f"__global__ void k(const double *a, double *o, int n) {{ {text} }}\n")
    assert scratch_of(facts, "sm_90") == bytes_
    assert not scratch_of(facts, "gfx90a")


def test_backward_goto_is_reported() -> None:
    text = "float s = 0; int i = 0; for (;;) { again: s += a[i]; if (s > 9) break; if (++i < n) goto again; } *o = s;"
    facts = facts_of(f"__global__ void k(const float *a, float *o, int n) {{ {text} }}\n")
    assert [(one.kind, one.name) for one in facts.unknowns("sm_90")] == [("loop", "again")]
    text = "float s = 0; if (!n) goto done; s = a[n]; done: *o = s;"
    assert not facts_of(f"__global__ void k(const float *a, float *o, int n) {{ {text} }}\n").unknowns("sm_90")


def test_a_pointer_of_a_loop_that_only_the_graphs_size_keeps_stays_in_registers() -> None:
    """0 B of nvcc 13.0.88, which copies the loop of `turn` in all 96 calls; the execution copies it in the first."""
    whole = '_Pragma("unroll") for'
    turn = "__device__ void turn(unsigned *x) { for (int y = 0; y < 4; y++, ++x) *x = (*x << 4) ^ (*x * 5 + y); }\n"
    inner = f"{whole} (int j = 0; j < 8; ++j) turn(x[j]); {whole} (int j = 0; j < 4; ++j) x[0][j] += x[1][j] * x[5][j];"
    rounds = f"for (int r = 0; r < n; ++r) {{ {whole} (int k = 0; k < 12; ++k) {{ {inner} }} }}"
    ends = "for (int i = 0; i < 32; ++i)"
    body = f"unsigned x[8][4]; {ends} x[i / 4][i & 3] = a[i * n]; {rounds} {ends} o[i * n] = x[i / 4][i & 3];"
    facts = facts_of(f"{turn}__global__ void k(const unsigned *a, unsigned *o, int n) {{ {body} }}\n")
    assert scratch_of(facts, "sm_90") == 0
