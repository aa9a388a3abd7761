"""`volatile` variables that nvcc 13.0.88 keeps in local memory, though it drops the word elsewhere."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

TEXT = """typedef unsigned long long u64; struct Pair { u64 lo, hi; }; struct Words { int x, y; };
__device__ __forceinline__ Pair pair(u64 a, u64 b) { Pair p; p.lo = a * b; p.hi = a; return p; }
__device__ __forceinline__ u64 sum(const Pair& a) { volatile Pair p = a; return p.lo + p.hi; }
__global__ void k(u64* o, const u64* x, int n) { int t = threadIdx.x; BODY }
"""


@pytest.mark.parametrize(
    ("body", "private"),
    [
        ("for (int i = t; i < n; i += 512) { volatile Pair p = pair(x[i], x[t]); o[i] = p.lo + p.hi; }", 16),
        ("for (int i = t; i < n; i += 512) o[i] = sum(pair(x[i], x[t]));", 16),
        ("for (int i = t; i < n; i += 512) { volatile Pair p; p.lo = x[i]; p.hi = x[t]; o[i] = p.lo + p.hi; }", 0),
        ("for (int i = t; i < n; i += 512) { Words w{1, i}; volatile Words p = w; o[i] = p.x + p.y; }", 0),
        ("for (int i = t; i < n; i += 512) { volatile u64 p = x[i]; o[i] = p * 3; }", 0),
        ("volatile Pair p = pair(x[n], x[t]); o[t] = p.lo + p.hi;", 0),
        ("if (t < n) { volatile u64 p = x[t]; o[t] = p * 3; }", 8),
        ("if (t >= n) return; volatile double p = x[t]; o[t] = p * 3;", 8),
        ("if (t < n) { volatile int p = x[t]; o[t] = p * 3; }", 0),
        ("volatile u64 p = x[t]; if (t < n) o[t] = p * 3;", 0),
        ("if (t < n) { volatile u64 p = x[t]; for (int i = 0; i < n; ++i) p += x[i]; o[t] = p; }", 0),
    ],
)
def test_in_memory(body: str, private: int) -> None:
    text = TEXT.replace("BODY", body)
    assert facts_of(text, "cuda").target("sm_90").registers.scratch_bytes == private
