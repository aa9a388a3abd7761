"""Arrays that begin with constants, on AMD: clang copies them from the program, or sets them and stores the rest."""

from __future__ import annotations

import pytest
from analysis_helpers import scratch_of

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

CHANGED = "a[1] = in[t];"


def scratch(kind: str, elements: int, init: str, change: str = "") -> int:
    text = f"""__global__ void k({kind}* o, const {kind}* in, const int* ix, int n) {{
  int t = threadIdx.x;
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
    """clang 19.1.7, as all answers here: 32 bytes are read and written, and six stores are stores."""
    assert bool(scratch(kind, elements, counted(elements), CHANGED)) == in_memory


@pytest.mark.parametrize("init", ["{0}", "{}", "{1, 2, 3}", "{in[0], 1, 2, 3, 4, 5, 6, 7}"])
def test_zeros_and_a_few_stores_stay_stores(init: str) -> None:
    assert scratch("float", 16, init, CHANGED) == 0


def test_a_copy_that_is_written_over_is_none() -> None:
    assert scratch("float", 16, counted(16), "for (int j = 0; j < 16; ++j) a[j] = in[t + j * n];") == 0


@pytest.mark.parametrize(
    ("elements", "init", "in_memory"),
    [
        *((64, counted(64), False), (64, counted(7), False), (16, "{0}", False)),
        *((32, "{0}", True), (64, "{0}", True), (64, counted(6), True)),
    ],
)
def test_stored_values_stay_out_of_program_tables(elements: int, init: str, in_memory: bool) -> None:
    assert bool(scratch("float", elements, init)) == in_memory
