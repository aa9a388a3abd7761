"""Loops that look for the place of a new element: nvcc copies none whose end is the place of a write behind it."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

HEAD = "float b[8]; for (int i = 0; i < 8; i++) b[i] = 1e30f; "
TAIL = " for (int i = 0; i < 8; i++) o[i] = b[i];"


def frame(insert: str, target: str) -> int:
    """Bytes of private memory where a loop puts one element after the other into eight sorted ones."""
    text = f"{HEAD} for (int r = 0; r < n; r++) {{ float x = d[r * n + threadIdx.x]; {insert} }} {TAIL}"
    return facts_of(f"__global__ void k(const float *d, float *o, int n) {{ {text} }}\n").scratch_bytes(target)


@pytest.mark.parametrize(
    "insert",
    [
        "int j = 7; while (j > 0 && b[j - 1] > x) { b[j] = b[j - 1]; --j; } b[j] = x;",
        "int j; for (j = 7; j > 0; --j) { if (b[j - 1] <= x) break; b[j] = b[j - 1]; } b[j] = x;",
    ],
)
def test_elements_that_make_room_are_in_memory(insert: str) -> None:
    """32 B of nvcc 13.0.88 in both wordings."""
    assert frame(insert, "sm_90") == 32


def test_neighbours_that_change_places_are_in_registers() -> None:
    """0 B of nvcc 13.0.88."""
    swaps = "if (b[k] >= b[k - 1]) break; float y = b[k]; b[k] = b[k - 1]; b[k - 1] = y;"
    assert not frame(f"if (x < b[7]) {{ b[7] = x; for (int k = 7; k > 0; --k) {{ {swaps} }} }}", "sm_90")
