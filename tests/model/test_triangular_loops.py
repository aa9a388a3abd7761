"""Loops whose counter bounds one inside: nvcc decides about the outer one before the inner one can be copied."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

ROWS = {
    "column": "for (int k = 0; k < N; ++k) for (int j = k; j < N; ++j) m[j] -= m[k] * a[j];",
    "three": (
        "for (int k = 0; k < N; ++k) for (int j = k; j < N; ++j) "
        "{ m[j] -= m[k] * a[j]; m[j] *= a[j + k]; m[j] += m[k]; }"
    ),
    "before": "for (int k = 0; k < N; ++k) for (int j = 0; j < k; ++j) m[k] -= m[j] * a[j];",
    "bubbles": (
        "for (int k = 0; k < N - 1; ++k) for (int j = 0; j < N - k - 1; ++j) "
        "{ float x = fminf(m[j], m[j + 1]), y = fmaxf(m[j], m[j + 1]); m[j] = x; m[j + 1] = y; }"
    ),
    "cubes": (
        "for (int k = 0; k < N; ++k) for (int i = k; i < N; ++i) for (int j = i; j < N; ++j) m[j] += m[i] * m[k];"
    ),
    "steps": (
        "for (int k = 0; k < N; ++k) for (int i = k + 1; i < N; ++i) for (int j = k; j < N; ++j) m[j] -= m[i] * m[k];"
    ),
    "long": (
        "for (int k = 0; k < N; ++k) for (int j = k + 1; j < N; ++j) { "
        + " ".join(f"m[j] = m[j] * a[{r}] + m[k];" for r in range(20))
        + " }"
    ),
}
ELIMINATION = (
    "for (int k = 0; k < N; ++k) for (int i = k + 1; i < N; ++i) "
    "{ float f = m[i][k] * m[k][k]; for (int j = k; j < N; ++j) m[i][j] -= f * m[k][j]; }"
)


@pytest.mark.parametrize(
    ("work", "size", "memory"),  # bytes of local memory by nvcc 13.0.88 for sm_90
    [
        *[("column", 16, 0), ("column", 20, 80), ("column", 28, 112)],
        *[("three", 12, 0), ("three", 16, 64)],
        *[("before", 20, 0), ("before", 26, 104)],
        *[("bubbles", 16, 0), ("bubbles", 24, 0), ("bubbles", 28, 0)],
        *[("cubes", 10, 0), ("cubes", 14, 56)],
        *[("steps", 8, 0), ("steps", 10, 40)],
        *[("long", 4, 0), ("long", 10, 0)],
    ],
)
def test_an_array_that_triangular_loops_index_is_where_nvcc_puts_it(work: str, size: int, memory: int) -> None:
    fill, store = (f"for (int i = 0; i < N; ++i) {text};" for text in ("m[i] = a[t + i * n]", "o[t + i * n] = m[i]"))
    body = f"const int N = {size}; int t = threadIdx.x; float m[N]; {fill} {ROWS[work]} {store}"
    facts = facts_of(f"__global__ void k(float* o, const float* a, int n) {{ {body} }}", "cuda")
    assert facts.target("sm_90").registers.scratch_bytes == memory


@pytest.mark.parametrize(("size", "memory"), [(5, 0), (6, 0), (7, 200), (9, 328), (12, 576)])
def test_an_elimination_without_pivots_stays_in_registers_up_to_six_rows(size: int, memory: int) -> None:
    """nvcc 13.0.88 rounds the frame up to eight bytes."""
    every = "for (int i = 0; i < N; ++i) for (int j = 0; j < N; ++j)"
    fill, store = f"{every} m[i][j] = a[t + (i * N + j) * n];", f"{every} o[t + (i * N + j) * n] = m[i][j];"
    body = f"const int N = {size}; int t = threadIdx.x; float m[N][N]; {fill} {ELIMINATION} {store}"
    facts = facts_of(f"__global__ void k(float* o, const float* a, int n) {{ {body} }}", "cuda")
    assert facts.target("sm_90").registers.scratch_bytes == pytest.approx(memory, abs=4)


# By nvcc 13.0.88: the most rows with which all is in registers, and the fewest with which it is not.
FACTORED = {
    "cholesky": (
        "for (int j = 0; j < N; j++) { float s = m[j][j]; for (int k = 0; k < j; k++) s -= m[j][k] * m[j][k];"
        " m[j][j] = s = rsqrtf(s); for (int i = j + 1; i < N; i++) { float v = m[i][j];"
        " for (int k = 0; k < j; k++) v -= m[i][k] * m[j][k]; m[i][j] = v * s; } }",
        (7, 8),
    ),
    "lu": (
        "for (int k = 0; k < N; ++k) { float r = 1.f / m[k][k]; for (int i = k + 1; i < N; ++i)"
        " { float f = m[i][k] * r; m[i][k] = f; for (int j = k + 1; j < N; ++j) m[i][j] -= f * m[k][j]; } }",
        (7, 8),
    ),
    "gram-schmidt": (
        "for (int j = 0; j < N; j++) { float s = 0; for (int i = 0; i < N; i++) s += m[i][j] * m[i][j]; s = rsqrtf(s);"
        " for (int i = 0; i < N; i++) m[i][j] *= s; for (int k = j + 1; k < N; k++) { float d = 0;"
        " for (int i = 0; i < N; i++) d += m[i][j] * m[i][k]; for (int i = 0; i < N; i++) m[i][k] -= d * m[i][j]; } }",
        (5, 7),
    ),
}


@pytest.mark.parametrize("work", FACTORED)
def test_a_factorisation_is_in_registers_up_to_as_many_rows_as_with_nvcc(work: str) -> None:
    every = "for (int i = 0; i < N; ++i) for (int j = 0; j < N; ++j)"
    fill, store = f"{every} m[i][j] = a[t + (i * N + j) * n];", f"{every} o[t + (i * N + j) * n] = m[i][j];"
    body, (fits, not_) = FACTORED[work]
    for size, memory in ((fits, False), (not_, True)):
        text = f"const int N = {size}; int t = threadIdx.x; float m[N][N]; {fill} {body} {store}"
        facts = facts_of(f"__global__ void k(float* o, const float* a, int n) {{ {text} }}", "cuda")
        assert (facts.target("sm_90").registers.scratch_bytes > 0) is memory


@pytest.mark.parametrize(("size", "close"), [(4, False), (7, True)])
def test_a_number_of_rows_about_the_limit_is_in_the_ledger(size: int, close: bool) -> None:
    every = "for (int i = 0; i < N; ++i) for (int j = 0; j < N; ++j)"
    fill, store = f"{every} m[i][j] = a[t + (i * N + j) * n];", f"{every} o[t + (i * N + j) * n] = m[i][j];"
    text = f"const int N = {size}; int t = threadIdx.x; float m[N][N]; {fill} {FACTORED['lu'][0]} {store}"
    facts = facts_of(f"__global__ void k(float* o, const float* a, int n) {{ {text} }}", "cuda")
    entries = [one for one in facts.unknowns("sm_90") if "close call" in one.text]
    assert bool(entries) is close
    assert all((one.kind, one.name, one.opens) == ("memory", "m", "both") for one in entries)
