"""Math functions that write through pointers: it reaches memory. Registers are those of clang 19, nvcc 13 and IGC."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, scratch_of
from ssa_helpers import count, kernel_text, run

TO_MEMORY = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) sincosf(a[i], &b[i], &c[i]);"


@pytest.mark.parametrize(("target", "registers"), [("gfx90a", 20), ("sm_90", 22), ("pvc", 18)])
def test_sine_and_cosine_that_go_to_memory(target: str, registers: int) -> None:
    band = facts_of(kernel_text(TO_MEMORY, "const float *a, float *b, float *c, int n")).target(target).registers
    assert band.low <= registers <= band.high


def test_results_in_private_variables_are_not_stored() -> None:
    body = "float s, c; sincosf(a[tid], &s, &c); b[tid] = s * 3 + c;"
    assert count(run(body, "const float *a, float *b, int n"), "store global") == 1


@pytest.mark.parametrize(
    ("calls", "bytes_"),
    [
        ("sincosf(a[tid], &s, &c);", 0),
        ("sincosf(a[tid], &s, &c); s *= c; float t; sincosf(a[tid + 9], &t, &c);", 32),
        ("for (int i = 0; i < n; i++) { float x, y; sincosf(a[i], &x, &y); s = s * x + y; }", 0),
    ],
)
def test_sine_and_cosine_of_one_angle_reduce_it_once(calls: str, bytes_: int) -> None:
    """Bytes of nvcc 13.0.88: from two reductions on they share a subroutine with a frame."""
    body = f"float s = 0, c = 0; {calls} b[tid] = s * 3 + c;"
    assert scratch_of(facts_of(kernel_text(body, "const float *a, float *b, int n")), "sm_90") == bytes_


@pytest.mark.parametrize(
    ("about", "bytes_"),
    [
        ("b[tid] = s * a[tid + 1] + (1 - c) * a[tid + 2] + c;", 0),
        (
            "float p = a[tid + 1], q = a[tid + 2], d = 1 - c; b[tid] = p * (c + x * x * d) + q * (x * s + x * y * d);"
            "b[tid + n] = p * (x * y * d - c) + q * (x * s + y * y * d);"
            "b[tid + 2 * n] = p * (x * y * s - c) + q * (x * s + y * y * c);",
            32,
        ),
        ("\n#pragma unroll 1\nfor (int i = 0; i < n; i++) b[tid + i] = a[tid + i] * s + c;", 0),
    ],
)
def test_shared_argument_reduction_has_a_frame(about: str, bytes_: int) -> None:
    """Bytes of nvcc 13.0.88."""
    body = f"float s, c; sincosf(a[tid], &s, &c); {about}"
    text = kernel_text(body, "const float *a, float *b, int n, float x, float y")
    assert scratch_of(facts_of(text), "sm_90") == bytes_
