"""Elements of private arrays that are read at the index at which they were written last: no array is left of them.

Compiled with nvcc 13.0.88 and clang 19.1.7: bytes of scratch.
"""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

BEFORE = """
struct Pair { float x[8]; };
__device__ void filled(Pair* g, const float* p) { for (int k = 0; k < 8; ++k) g->x[k] = p[k] * 2.f; }
__device__ void added(Pair* s, const Pair* g) { for (int k = 0; k < 8; ++k) s->x[k] = s->x[k] * g->x[k] + g->x[7 - k]; }
"""
READ_BACK = {
    "rows": "float g[64][2];"
    " for (int i = 0; i < n; ++i) { g[i][0] = p[i]; g[i][1] = p[i + 9]; s += g[i][0] * g[i][1]; }",
    "members": "Pair g[64];"
    " for (int i = 0; i < n; ++i) { g[i].x[0] = p[i]; g[i].x[1] = 2; s += g[i].x[0] * g[i].x[1]; }",
    "through pointers": "Pair g[64], t; filled(&t, p);"
    " for (int i = 1; i < n; ++i) { filled(&g[i], p + i); added(&t, &g[i]); } s = t.x[1];",
}
LEFT = {
    "another member": "float g[64][2];"
    " for (int i = 0; i < n; ++i) { g[i][0] = p[i]; s += g[i][0] + g[i][1]; g[i][1] = s; }",
    "on one side of a branch": "float g[64][2];"
    " for (int i = 0; i < n; ++i) { g[i][0] = p[i]; if (p[i] > 2) g[i][1] = 2; s += g[i][0] * g[i][1]; }",
    "behind the loop": "float g[64][2]; for (int i = 0; i < n; ++i) { g[i][0] = p[i]; g[i][1] = 2; }"
    " for (int i = 0; i < n; ++i) s += g[i][0] * g[i][1];",
}


def _scratch(body: str, target: str) -> int:
    text = f"{BEFORE}__global__ void k(const float* p, float* o, int n) {{ float s = 0; {body} o[threadIdx.x] = s; }}"
    return facts_of(text, "cuda" if target == "sm_90" else "hip").target(target).registers.scratch_bytes


@pytest.mark.parametrize("form", READ_BACK)
@pytest.mark.parametrize("target", ["sm_90", "gfx90a"])
def test_an_element_that_is_read_where_it_was_written_needs_no_array(form: str, target: str) -> None:
    assert _scratch(READ_BACK[form], target) == 0


@pytest.mark.parametrize("form", LEFT)
@pytest.mark.parametrize("target", ["sm_90", "gfx90a"])
def test_one_that_may_be_older_stays_in_memory(form: str, target: str) -> None:
    assert _scratch(LEFT[form], target) >= 512
