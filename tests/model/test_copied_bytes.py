"""`memset` and `memcpy`. Each kernel was compiled (clang 19.1.7, nvcc 13.0.88)."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, scratch_of

ADDED = """
  for (int k = 0; k < n; ++k) {{
#pragma unroll
    for (int i = 0; i < {count}; ++i) d[i] += a[k * {count} + i];
  }}
#pragma unroll
  for (int i = 0; i < {count}; ++i) o[i * blockDim.x + threadIdx.x] = d[i];
"""


def in_memory(moved: str, count: int) -> tuple[bool, bool]:
    """Whether the array is in memory on gfx90a and on sm_90."""
    body = f"float d[{count}]; {moved} {ADDED.format(count=count)}"
    facts = facts_of(f"__global__ void k(float* o, const float* a, int n) {{ {body} }}\n")
    assert not facts.unknowns("gfx90a")
    return scratch_of(facts, "gfx90a") > 0, scratch_of(facts, "sm_90") > 0


FILL, COPY = "memset(d, 0, sizeof(d));", "memcpy(d, a + threadIdx.x * n, sizeof(d));"


@pytest.mark.parametrize(
    ("moved", "count", "amd"),
    [
        (FILL, 40, False),
        (FILL, 44, True),
        ("__builtin_memset(d, 0, sizeof(d));", 96, False),
        (COPY, 32, False),
        (COPY, 33, True),
        ("__builtin_memcpy(d, a + threadIdx.x * n, sizeof(d));", 96, False),
        (FILL, 96, True),
        (COPY, 96, True),
    ],
)
def test_hip_goes_through_more_bytes_in_a_loop_and_cuda_moves_them_at_once(moved: str, count: int, amd: bool) -> None:
    assert in_memory(moved, count) == (amd, False)


def test_a_struct_that_hip_copies_in_a_loop_is_in_memory() -> None:
    struct = "struct Row { float x[40]; };"
    body = "Row p; memcpy(&p, a + threadIdx.x, sizeof p); p.x[1] += n; memcpy(o + threadIdx.x, &p, sizeof p);"
    facts = facts_of(f"{struct}\n__global__ void k(Row* o, const Row* a, int n) {{ {body} }}\n")
    assert (scratch_of(facts, "gfx90a"), scratch_of(facts, "sm_90")) == (164, 0)


def test_a_copy_from_memory_to_memory_takes_few_registers_however_long_it_is() -> None:
    facts = facts_of("__global__ void k(float* o, const float* a) { memcpy(o, a, 4096); }")
    assert facts.target("sm_90").registers.high < 32


@pytest.mark.parametrize(
    ("body", "frame"),
    [
        ("int b[32]; FILL(b) memset(b, 0, n); SUM(b)", 128),
        ("int b[32]; FILL(b) memcpy(b, in, n); SUM(b)", 128),
        ("int b[32]; FILL(b) memcpy(o, b, n);", 128),
        ("char b[64]; for (int i = 0; i < 64; ++i) b[i] = in[i]; memcpy(o, b + n, 16);", 64),
        ("char b[64]; memcpy(b, in, 64); memcpy(b + n, in + 16, 8); for (int i = 0; i < 64; ++i) o[i] = b[i];", 64),
        ("S s = w[n]; memset(s.b + s.n, 0, 128 - s.n); o[0] = ((int*)s.b)[3];", 132),
        ("memcpy(o, in, n); memset(o + n, 0, n);", 0),
    ],
)
def test_run_time_size_or_place_keeps_object_in_memory(body: str, frame: int) -> None:
    """nvcc and clang keep the object in memory in all of them, and call nothing."""
    fill = "#define FILL(b) for (int i = 0; i < 32; ++i) b[i] = in[i];"
    total = "#define SUM(b) int t = 0; for (int i = 0; i < 32; ++i) t += b[i] * in[i]; o[0] = t;"
    head = f"{fill}\n{total}\nstruct S {{ unsigned n; char b[128]; }};\n"
    facts = facts_of(f"{head}__global__ void k(int* o, const int* in, const S* w, int n) {{ {body} }}\n")
    for name in ("sm_90", "gfx90a"):
        assert not facts.unknowns(name)
        assert frame <= scratch_of(facts, name) <= frame + 16


# Registers by nvcc 13.0.88, with `memcpy` and with loops over the elements.
@pytest.mark.parametrize(
    ("count", "body", "bytes_", "words"),
    [
        (4, "READ float s = 0; for (int i = 0; i < N; ++i) s += d[i] * d[N - 1 - i]; o[t] = s;", 24, 14),
        (8, "READ float s = 0; for (int i = 0; i < N; ++i) s += d[i] * d[N - 1 - i]; o[t] = s;", 30, 18),
        (4, "for (int i = 0; i < N; ++i) d[i] = a[t + i * n] * 2; WRITE", 28, 22),
    ],
)
def test_cuda_copies_behind_pointers_byte_by_byte(count: int, body: str, bytes_: int, words: int) -> None:
    head = "__global__ void k(float* o, const float* a, int n) {"
    head += " int t = blockIdx.x * blockDim.x + threadIdx.x; if (t >= n) return;"
    whole = "memcpy(d, a + t * N, sizeof(d));", "memcpy(o + t * N, d, sizeof(d));"
    loops = "for (int i = 0; i < N; ++i) d[i] = a[t * N + i];", "for (int i = 0; i < N; ++i) o[t * N + i] = d[i];"
    for moves, real in ((whole, bytes_), (loops, words)):
        text = body
        for word, move in zip(("READ", "WRITE"), moves, strict=True):
            text = text.replace(word, move)
        facts = facts_of(f"{head} const int N = {count}; float d[N]; {text} }}", "cuda")
        found = facts.target("sm_90").registers
        assert found.low <= real <= found.high
