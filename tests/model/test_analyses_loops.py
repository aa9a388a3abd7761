"""Trip counts, counters and complete unrolling."""

from __future__ import annotations

from typing import Any

import pytest
from analysis_helpers import body, facts_of
from hypothesis import given, strategies as st

from regpress_lint.model.interpreter import loops

COUNTED = [
    ("for (int i = 0; i < 8; i++) b[i] = 0;", 8),
    ("for (int i = 0; i <= 8; ++i) b[i] = 0;", 9),
    ("for (int i = 0; 8 > i; i += 3) b[i] = 0;", 3),
    ("for (int i = 7; i >= 0; i--) b[i] = 0;", 8),
    ("for (int i = 7; i > 0; i -= 2) b[i] = 0;", 4),
    ("for (int i = 0; i != 12; i += 4) b[i] = 0;", 3),
    ("for (int i = 1; i < 32; i *= 2) b[i] = 0;", 5),
    ("for (int i = 1; i < 32; i <<= 1) b[i] = 0;", 5),
    ("for (int s = 64; s > 0; s >>= 1) b[s] = 0;", 7),
    ("for (int s = 64; s > 1; s = s / 2) b[s] = 0;", 6),
    ("for (unsigned i = 0; i < 4u; i = i + 1) b[i] = 0;", 4),
    ("int i; for (i = 2; i < 6; i++) b[i] = 0;", 4),
    ("const int m = 5; for (int i = 0; i < 2 * m; i++) b[i] = 0;", 10),
    ("int m = 5; for (int i = 0; i < m; i++) b[i] = 0;", 5),
    ("for (int i = 9; i < 3; i++) b[i] = 0;", 0),
    ("int i = 0; while (i < 8) { b[i] = 0; i++; }", 8),
    ("int i = 9; do { b[i] = 0; i++; } while (i < 3);", 1),
    ("for (int i = 0; i < 8; i++) { if (a[i] > 0) break; b[i] = 0; }", 8),
    ("for (int m = 4; m; m >>= 1) b[m] = 0;", 3),
    ("for (int i = -1; i <= 1; i++) { if (a[i + 1] > 0) continue; b[i + 1] = 0; }", 3),
    ("int i = -1; do { i++; if (a[i] > 0) continue; b[i] = 0; } while (i < 3);", 4),
    ("int i, k; for (i = 1, k = 0; k < 32; i += 2, ++k) b[k] = i;", 32),
    ("int i = 0; do { b[i] = 0; ++i; } while (i < 40);", 40),
    ("int i = 0; do { b[i] = 0; } while (++i < 40);", 40),
    ("int i = 0; while (i < 8) b[i++] = 0;", 8),
    ("int i = 8; while (i--) b[i] = 0;", 8),
    ("for (unsigned i = 8; i-- > 0;) b[i] = 0;", 8),
    ("for (int i = 0; i < 8;) { b[i] = 0; ++i; }", 8),
    ("for (int i = 0;; ++i) { if (i >= 8) break; b[i] = 0; }", 8),
    ("int i = 0; while (true) { b[i] = 0; if (++i == 8) break; }", 8),
    ("const int by = 2; for (int i = 0; i < 16; i += by) b[i] = 0;", 8),
    ("for (int m = 1; m <= 9; m = m * 2 + 1) b[m] = 0;", 3),
    ("float h[8]; for (float* p = h; p != h + 8; ++p) { *p = a[tid]; } b[tid] = h[tid];", 8),
    ("float h[8]; float* p = h + 8; while (p-- > h) { *p = a[tid]; } b[tid] = h[tid];", 8),
    ("float h[8]; for (float& x : h) { x = a[tid]; } b[tid] = h[tid];", 8),
]
UNCOUNTED = [
    "for (int i = 0; i < n; i++) b[i] = 0;",
    "for (int i = tid; i < 8; i++) b[i] = 0;",
    "for (int i = 0; i < 8; i += n) b[i] = 0;",
    "for (int i = 0; i != 7; i += 2) b[i] = 0;",
    "for (int i = 0; i < 8; i--) b[i] = 0;",
    "for (int i = 0; i < 8; i++) { b[i] = 0; if (a[i] > 0) i += 2; }",
    "int m = 5; if (tid) m = 6; for (int i = 0; i < m; i++) b[i] = 0;",
    "for (;;) { b[tid] = 0; break; }",
    "while (a[tid] > 0) { b[tid] = 0; }",
    "for (int i = 1; i < 32; i *= 1) b[i] = 0;",
    "int i = 0; do { b[i] = 0; if (a[i] > 0) ++i; } while (i < 8);",
    "int i = 0; while (i < 8) { if (a[i] > 0) continue; b[i] = 0; ++i; }",
    "for (int i = 0; i < 8; i++) { b[i] = 0; if (tid) i = 0; }",
]


@pytest.mark.parametrize(("code", "trips"), COUNTED)
def test_counted_loops_have_a_trip_count(code: str, trips: int) -> None:
    (loop,) = body(code).loops
    assert loop.trip_count == trips


@pytest.mark.parametrize("code", UNCOUNTED)
def test_other_loops_have_none(code: str) -> None:
    (loop,) = body(code).loops
    assert loop.trip_count is None
    assert not loop.unrolled


@pytest.mark.parametrize("code", [*(code for code, _ in COUNTED), *UNCOUNTED])
@pytest.mark.parametrize("target", ["gfx90a", "sm_90", "pvc"])
def test_text_and_execution_give_the_same_number(code: str, target: str) -> None:
    """Where nothing is executed the text speaks: it may know less of a loop, and never something else."""
    facts = body(code)
    function, compiler = facts.kernel.function, facts.compiler(target)
    (said,) = facts.source.loops
    (found,) = facts.executions.loops(function, compiler)
    assert said.trip_count in (None, found.trip_count)
    assert not said.unrolled  # what becomes of a loop only the execution knows


@given(start=st.integers(-20, 20), limit=st.integers(-20, 20), step=st.integers(1, 7), up=st.booleans())
def test_trip_counts_match_a_run_of_the_loop(start: int, limit: int, step: int, up: bool) -> None:
    head = f"int i = {start}; i {'<' if up else '>'} {limit}; i {'+' if up else '-'}= {step}"
    (loop,) = body(f"for ({head}) b[tid] += i;").loops
    assert loop.trip_count == len(range(start, limit, step if up else -step))


def test_macros_and_template_arguments_count() -> None:
    code = (
        "#define STEPS 6\ntemplate <int N> __global__ void k(float *b) {\n"
        "  for (int i = 0; i < STEPS; i++) b[i] = 0;\n  for (int i = 0; i < N; i++) b[i] = 1;\n}\n"
        "void go(float *b) { k<4><<<1, 64>>>(b); }\n"
    )
    assert [loop.trip_count for loop in facts_of(code).loops] == [6, 4]


def test_nesting_is_kept() -> None:
    outer, inner, after = body(
        "for (int i = 0; i < n; i++) { for (int j = 0; j < 4; j++) b[j] += a[i]; }for (int i = 0; i < 2; i++) b[i] = 0;"
    ).loops
    assert (outer.depth, inner.depth, after.depth) == (1, 2, 1)
    assert inner.parent is outer
    assert inner.chain() == (outer, inner)
    assert outer.counter is not None
    assert outer.counter.name == "i"


def test_breaks_belong_to_the_innermost_loop() -> None:
    outer, inner = body("for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) { if (a[j] > 0) break; } }").loops
    assert inner.has_break
    assert not outer.has_break
    (loop,) = body("for (int i = 0; i < n; i++) { switch (i) { case 0: break; default: b[i] = 0; } }").loops
    assert not loop.has_break


@pytest.mark.parametrize(
    ("code", "unrolled"),
    [
        ("for (int i = 0; i < 8; i++) b[i] = a[i];", True),
        ("for (int i = 0; i < 32; i++) b[i] = a[i];", True),
        ("for (int i = 0; i < 128; i++) b[i] = a[i];", False),  # clang 19: 16 copies
        ("for (int i = 0; i < 4096; i++) b[i] = a[i];", False),
        ("#pragma unroll\nfor (int i = 0; i < 200; i++) b[i] = a[i];", True),
        ("#pragma unroll 1\nfor (int i = 0; i < 8; i++) b[i] = a[i];", False),
        ("#pragma nounroll\nfor (int i = 0; i < 8; i++) b[i] = a[i];", False),
        ("#pragma unroll 4\nfor (int i = 0; i < 8; i++) b[i] = a[i];", False),
        ("#pragma unroll 8\nfor (int i = 0; i < 8; i++) b[i] = a[i];", True),
        ("for (int i = 0; i < 30; i++) b[i] = powf(a[i], 2.5f) * sinf(a[i]);", False),
    ],
)
def test_which_loops_compilers_unroll_completely(code: str, unrolled: bool) -> None:
    (loop,) = body(code).loops
    assert loop.unrolled is unrolled


def test_a_triangular_loop_is_unrolled_with_the_one_around_it() -> None:
    _, inner = body("for (int i = 0; i < 4; i++) for (int j = i; j < 4; j++) b[j] += a[i];").loops
    assert inner.trip_count is None
    assert inner.unrolled


def test_copies_that_were_too_large_once_are_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """nvcc keeps the two outer loops of the function in each of its three calls; one trial of each shows it, which ends
    in the one of the loop inside. With a trial in every call there would be three times as many.
    """
    tried: list[bool] = []
    copies = loops._copies

    def noted(*given: Any) -> Any:
        made = None
        try:
            made = copies(*given)
        finally:
            tried.append(made is not None)
        return made

    monkeypatch.setattr(loops, "_copies", noted)
    function = """__device__ void product(const float* a, const float* b, float* c) {
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      float s = 0;
      for (int k = 0; k < 8; ++k) s += a[i * 8 + k] * b[k * 16 + j];
      c[i * 16 + j] = s;
    }
}
"""
    calls = "product(a, a + 999, a + 2999); product(a + 2999, a, a + 999); product(a + 999, a + 2999, a);"
    facts = facts_of(f"{function}__global__ void k(float* a) {{ {calls} }}")
    assert facts.execution("sm_90").loops >= 3
    assert tried.count(False) == 4
