"""Small arrays that pointers and indices reach in ways by which no compiler picks a register: they stay in memory.

The last tests run clang for gfx90a; `MOVING` and `EITHER` are IGC's results for the same forms (IGC 1.0.12504).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest
from analysis_helpers import facts_of, scratch_of

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = """
__global__ void k(const float* a, const int* ix, float* o, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w[12], v[12];
  for (int k = 0; k < 12; ++k) { w[k] = a[i + k * n]; v[k] = a[i + k]; }
  %s
  for (int k = 0; k < 12; ++k) o[i + k * n] = w[k];
}
"""
MOVING = {
    "written": "float* p = w; for (int j = 0; j < m; ++j) *p++ = ix[j];",
    "read": "float* p = w; float s = 0; for (int j = 0; j < m; ++j) { s += *p; ++p; } w[0] = s;",
    "backwards": "float* p = w + 11; while (*p > ix[0] && p > w) { p[1] = p[0]; --p; }",
    "exchanged": "float *p = w, *q = v; for (int r = 0; r < m; ++r) {"
    " for (int k = 0; k < 12; ++k) q[k] = p[k] * 0.5f; float* s = p; p = q; q = s; }",
}
EITHER = {"chosen": "float* p = m > 3 ? w : v; w[0] += p[ix[i]];"}
TWO_STEPS = {
    "constant_and_index": "float* p = w + 1; p[ix[i]] = 1;",
    "index_and_constant": "float* p = w + ix[i]; p[1] = 2;",
    "two_indices": "float* p = w + ix[i]; p[ix[m]] += 1;",
}
WHOLE = {
    "counter": "float* p = w; for (int j = 0; j < m; ++j) p[j + 1] = p[j] + 1;",
    "wraps": "float* p = w; unsigned q = ix[i]; p[q + 1] = 3;",
    "neighbours": "float* p = w; int q = ix[i]; p[q] = 1; p[q + 1] = 2;",
    "restarted": "float* p; for (int j = 0; j < m; ++j) { p = w; p[0] += ix[j]; p[1] += ix[j]; }",
    "one_index": "float* p = &w[ix[i] + 1]; *p += 1;",
    "chosen_constant": "float* p = m > 3 ? w : v; p[1] = 3; w[0] += v[1];",
    "walks_copies": "float* p = w; for (int j = 0; j < 12; ++j) *p++ = ix[j];",
}
AMD = {name: (KERNEL % text, name not in WHOLE) for name, text in (MOVING | EITHER | TWO_STEPS | WHOLE).items()}

FIND = "int k = 0; for (; k < %d; ++k) if (w[k] > a[m]) break; if (k < %d) w[k] = a[m + 1];"
PUSH = "int c = 0; for (int k = 0; k < %d; ++k) if (a[k + m] > 0) w[c++] = a[k];"
BEST = "int b = 0; for (int k = 1; k < %d; ++k) if (w[k] > w[b]) b = k; w[b] = a[%d];"
FUNCTION = """
%s void body(const float* a, float* o, int n, int m, int i) {
  float w[%d];
  for (int k = 0; k < %d; ++k) w[k] = a[i + k * n];
  %s
  for (int k = 0; k < %d; ++k) o[i + k * n] = w[k];
}
__global__ void k(const float* a, float* o, int n, int m) { body(a, o, n, m, blockIdx.x * blockDim.x + threadIdx.x); }
"""


def _function(words: str, text: str, size: int) -> str:
    return FUNCTION % (words, size, size, text % (size, size)[: text.count("%d")], size)


# An array of a function that is inlined, of more than 32 bytes, written where one path or another leads.
SPLIT = {
    "found": (_function("__device__", FIND, 9), True),
    "pushed": (_function("__device__", PUSH, 9), True),
    "few_bytes": (_function("__device__", FIND, 8), False),
    "selected": (_function("__device__", BEST, 9), False),
    "inlined_first": (_function("__device__ __forceinline__", FIND, 9), False),
    "kernel": (KERNEL % (FIND % (12, 12)), False),
}
PROGRAMS = AMD | SPLIT


@pytest.mark.parametrize(("text", "memory"), PROGRAMS.values(), ids=list(PROGRAMS))
def test_clang_picks_no_register_by_two_addresses_or_by_paths(text: str, memory: bool) -> None:
    assert (scratch_of(facts_of(text), "gfx90a") > 0) is memory


@pytest.mark.parametrize("name", [*MOVING, *EITHER, *TWO_STEPS, *WHOLE])
def test_igc_keeps_arrays_behind_moved_or_chosen_pointers_in_memory(name: str) -> None:
    expected = name in MOVING or name in EITHER or name == "chosen_constant"
    assert (scratch_of(facts_of(AMD[name][0]), "pvc") > 0) is expected


@pytest.mark.compiler
def test_clang_agrees(tmp_path: Path) -> None:
    memory = compilers.keeps_in_memory(PROGRAMS, ".hip", tmp_path)
    assert memory == {name: expected for name, (_, expected) in PROGRAMS.items()}


ELSEWHERE = """struct S { float a, b, c; };
struct P { int n; S first[16]; const S* more; };
__device__ const S& at(const P& p, int i) { if (i < 16) return p.first[i]; return p.more[i]; }
__device__ float copied(const P p, int i) { const S& s = at(p, i); return s.a * s.b; }
__device__ float shared(const P& p, int i) { const S& s = i < 16 ? p.first[i] : p.more[i]; return s.a * s.b; }
"""


@pytest.mark.parametrize(
    ("body", "frame"),
    [
        ("float a[8]; for (int i = 0; i < 8; ++i) a[i] = in[i]; const float* q = n > 3 ? a : in; o[0] = q[7];", 32),
        ("S s{o[1], o[2], o[3]}; const S* q = w; if (n > 3) q = &s; o[0] = q->a + q->b;", 16),
        ("S s{o[1], o[2], o[3]}; const S& q = n > 3 ? s : w[4]; o[0] = q.a + q.b;", 16),
        ("S s{o[1], o[2], o[3]}; float q = n > 3 ? s.a : w[4].a; o[0] = q;", 0),
        ("S s{o[1], o[2], o[3]}; S *q = &s; if (n > 3) q->b = in[n]; o[0] = s.a + s.b;", 0),
        ("o[0] = copied(p, n);", 208),
        ("o[0] = shared(p, n);", 0),
    ],
)
def test_nvcc_keeps_what_a_pointer_to_elsewhere_may_mean_in_memory(body: str, frame: int) -> None:
    """Compiled with nvcc 13.0.88; clang reads both sides and chooses between the values."""
    parameters = "float* o, const float* in, const S* w, const P p, int n"
    facts = facts_of(f"{ELSEWHERE}__global__ void k({parameters}) {{ {body} }}\n")
    assert frame - 4 <= scratch_of(facts, "sm_90") <= frame
    assert not facts.unknowns("sm_90")


CALLED = """__device__ unsigned sum(const unsigned* p) {
  const unsigned* q = p + 2; unsigned s = 0; for (int i = 0; i < 4; ++i) s += q[i] * p[i]; return s; }
__device__ void copy(const unsigned* from, unsigned* to) { for (int i = 0; i < 8; ++i) to[i] = from[i]; }
"""


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; ++i) { unsigned b[4][8];\n#pragma unroll\nfor (int r = 0; r < 4; ++r) {"
        " if (r >= in[1]) continue; unsigned* q = b[r]; for (int k = 0; k < 8; ++k) q[k] = in[i + k * r]; }\n"
        "#pragma unroll\nfor (int r = 0; r < 4; ++r) { if (r >= in[1]) continue; s += b[r][0] * b[r][7]; } }",
        "for (int i = 0; i < n; ++i) { if (in[i] > 4) s += sum(x); else s += sum(in + i); }",
        "unsigned y[8]; if (n > 3) copy(in + 16, y); else copy(x, y); s = y[0] * y[7];",
        "auto f = [&](const unsigned* p) { return p[0] + p[1] * p[2]; };"
        " for (int i = 0; i < n; ++i) { if (in[i] > 4) s += f(x); else s += f(in + i); }",
    ],
)
def test_pointers_end_with_their_function_or_block(body: str) -> None:
    """Two calls in two branches give no pointer that may lead to either: no frame for sm_90 (nvcc 13.0.88)."""
    start = "unsigned x[8]; copy(in, x); unsigned s = 0;"
    facts = facts_of(
        f"{CALLED}__global__ void k(unsigned* o, const unsigned* in, int n) {{ {start} {body} o[0] = s; }}\n"
    )
    assert scratch_of(facts, "sm_90") == 0
