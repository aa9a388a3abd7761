"""Arrays that begin with constants, on AMD: clang copies them from the program, or sets them and stores the rest."""

from __future__ import annotations

import pytest
from analysis_helpers import scratch_of

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

CHANGED = "a[1] = in[t];"


def scratch(kind: str, elements: int, init: str, change: str = "", begin: str = "") -> int:
    text = f"""__global__ void k({kind}* o, const {kind}* in, const int* ix, int n) {{
  int t = threadIdx.x;
  {begin}
  {kind} a[{elements}] = {init};
  {change}
  o[t] = a[(unsigned)ix[t] % {elements}u];
}}
"""
    file = testing.build(text, "k.hip", "hip")
    return scratch_of(kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a",))), "gfx90a")


def counted(elements: int) -> str:
    return "{" + ", ".join(str(number + 1) for number in range(elements)) + "}"


@pytest.mark.parametrize(
    ("kind", "elements", "in_memory"),
    [
        *(("float", 6, False), ("float", 8, False), ("float", 12, True), ("float", 16, True), ("int", 12, True)),
        *(("double", 4, False), ("double", 6, False), ("double", 8, True), ("short", 16, False)),
    ],
)
def test_a_copy_of_constants_keeps_a_changed_array_in_memory(kind: str, elements: int, in_memory: bool) -> None:
    """clang 19.1.7, as all answers here: LDS takes 32 bytes, and six stores are stores."""
    assert bool(scratch(kind, elements, counted(elements), CHANGED)) == in_memory


@pytest.mark.parametrize(("kind", "elements", "in_memory"), [("float", 7, 0), ("float", 8, 1), ("char", 8, 0)])
def test_static_lds_leaves_less_room(kind: str, elements: int, in_memory: bool) -> None:
    """Beside 1 KiB of 256 threads it takes 28 bytes; a copy of 8 bytes is one read and one write."""
    tile = f"__shared__ {kind} tile[256]; tile[t] = in[t]; __syncthreads(); o[t + n] = tile[(t + 5) & 255];"
    assert bool(scratch(kind, elements, counted(elements), CHANGED, tile)) == in_memory


@pytest.mark.parametrize("init", ["{0}", "{}", "{1, 2, 3}", "{in[0], 1, 2, 3, 4, 5, 6, 7}"])
def test_zeros_and_a_few_stores_stay_stores(init: str) -> None:
    assert scratch("float", 16, init, CHANGED) == 0


def test_a_copy_that_is_written_over_is_none() -> None:
    assert scratch("float", 16, counted(16), "for (int j = 0; j < 16; ++j) a[j] = in[t + j * n];") == 0
    moved = "for (int j = 0; j < 15; ++j) a[j] = a[j + 1]; a[15] = in[t];"
    assert scratch("float", 16, counted(16), moved) == 0


def test_partly_overwritten_copy_keeps_memory() -> None:
    in_part = "for (int i = 0; i < 16; ++i) for (int j = 0; j < 8; ++j) a[j] = a[j + 1] + in[i];"
    assert scratch("float", 16, counted(16), in_part) > 0


@pytest.mark.parametrize(
    ("elements", "init", "in_memory"),
    [
        *((64, counted(64), False), (64, counted(7), False), (16, "{0}", False)),
        *((32, "{0}", True), (64, "{0}", True), (64, counted(6), True)),
    ],
)
def test_stored_values_stay_out_of_program_tables(elements: int, init: str, in_memory: bool) -> None:
    assert bool(scratch("float", elements, init)) == in_memory
