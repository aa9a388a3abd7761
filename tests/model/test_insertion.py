"""Loops that look for the place of a new element: nvcc copies none whose end is the place of a write behind it."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, scratch_of

HEAD = "float b[8]; for (int i = 0; i < 8; i++) b[i] = 1e30f; "
TAIL = " for (int i = 0; i < 8; i++) o[i] = b[i];"


def frame(insert: str, target: str) -> int:
    """Bytes of private memory where a loop puts one element after the other into eight sorted ones."""
    text = f"{HEAD} for (int r = 0; r < n; r++) {{ float x = d[r * n + threadIdx.x]; {insert} }} {TAIL}"
    put = (
        "__device__ void put(float* b, float x) {"
        " for (int j = 7; j > 0; --j) { if (b[j - 1] <= x) { b[j] = x; return; } b[j] = b[j - 1]; } b[0] = x; }\n"
    )
    return scratch_of(facts_of(f"{put}__global__ void k(const float *d, float *o, int n) {{ {text} }}\n"), target)


@pytest.mark.parametrize(
    "insert",
    [
        "int j = 7; while (j > 0 && b[j - 1] > x) { b[j] = b[j - 1]; --j; } b[j] = x;",
        "int j; for (j = 7; j > 0; --j) { if (b[j - 1] <= x) break; b[j] = b[j - 1]; } b[j] = x;",
        "for (int j = 7; j > 0; --j) { if (b[j - 1] <= x) { b[j] = x; break; } b[j] = b[j - 1]; }",
        "for (int j = 1; j < 8; ++j) { if (b[j] > x) { b[j - 1] = x; break; } b[j - 1] = b[j]; }",
        "for (int j = 0; j < 8; ++j) if (x < b[j]) { for (int m = 7; m > j; --m) b[m] = b[m - 1]; b[j] = x; break; }",
        "for (int j = 0; j < 8; ++j) if (b[j] > x) { b[j] = x; break; }",
        "put(b, x);",
    ],
)
def test_elements_that_make_room_are_in_memory(insert: str) -> None:
    """32 B of nvcc 13.0.88 in all wordings."""
    assert frame(insert, "sm_90") == 32


@pytest.mark.parametrize(
    "insert",
    [
        "for (int j = 0; j < 8; ++j) if (d[j] > x) { b[j] = x; break; }",  # the loop itself asks no element
        "for (int j = 0; j < 8; ++j) if (b[j] > x) { o[r] = b[j]; break; }",
    ],
)
def test_an_element_that_is_only_put_or_only_read_where_a_loop_ends_is_in_a_register(insert: str) -> None:
    """0 B of nvcc 13.0.88."""
    assert not frame(insert, "sm_90")


def test_neighbours_that_change_places_are_in_registers() -> None:
    """0 B of nvcc 13.0.88."""
    swaps = "if (b[k] >= b[k - 1]) break; float y = b[k]; b[k] = b[k - 1]; b[k - 1] = y;"
    assert not frame(f"if (x < b[7]) {{ b[7] = x; for (int k = 7; k > 0; --k) {{ {swaps} }} }}", "sm_90")
