"""Which of several arrays with run-time indices clang has room for in registers."""

from __future__ import annotations

import pytest
from analysis_helpers import scratch_of

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import KernelFacts, kernel_facts
from regpress_lint.model.passes.amd_arrays import budget


def kernel(arrays: int, elements: int, type_: str = "float", bounds: str = "") -> KernelFacts:
    names = range(arrays)
    text = "\n".join(
        (
            "#include <hip/hip_runtime.h>",
            f"__global__ void {bounds} k(const {type_}* a, {type_}* b, const int* key, int n) {{",
            *(f"  {type_} v{x}[{elements}];" for x in names),
            *(f"  for (int j = 0; j < {elements}; ++j) v{x}[j] = a[j + {x}];" for x in names),
            "  for (int k = 0; k < n; ++k) {",
            "    int at = key[k];",
            *(f"    v{x}[at & {elements - 1}] += a[k];" for x in names),
            "  }",
            *(f"  for (int j = 0; j < {elements}; ++j) b[j] += v{x}[j];" for x in names),
            "}",
        )
    )
    file = testing.build(text, "k.hip", "hip")
    return kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a", "gfx1100", "gfx906")))


@pytest.mark.parametrize(
    ("facts", "target", "out"),  # what clang 19.1.7 left in scratch (and LDS)
    [
        (kernel(4, 16), "gfx90a", 0),
        (kernel(6, 16), "gfx90a", 2),
        (kernel(8, 8, "double"), "gfx90a", 4),
        (kernel(3, 16, "double"), "gfx90a", 1),
        (kernel(8, 16, "double", "__launch_bounds__(256)"), "gfx90a", 0),
        (kernel(6, 16), "gfx1100", 0),
        (kernel(8, 16), "gfx1100", 2),
        (kernel(3, 16, "double"), "gfx1100", 1),
        (kernel(6, 16, "double", "__launch_bounds__(256)"), "gfx1100", 2),
        (kernel(1, 16, "double"), "gfx906", 1),
        (kernel(3, 8, "double"), "gfx906", 1),
    ],
)
def test_two_runs_spend_a_quarter_of_the_registers_each(facts: KernelFacts, target: str, out: int) -> None:
    assert len(facts.crowded_out(target)) == out


def test_arrays_that_are_used_most_come_first_and_the_rest_is_private_memory() -> None:
    facts = kernel(6, 16)
    assert scratch_of(facts, "gfx90a") == 144  # two arrays and a word, in units of 16
    assert scratch_of(facts, "gfx1100") == 0
    assert facts.crowded_out("sm_90") == ()
    assert budget(128) == 256


LOOPED, NESTED = "for (int k = 0; k < n; ++k) {}", "for (int i = 0; i < n; ++i) for (int k = 0; k < i; ++k) {}"
COPIED = "for (int k = 0; k < {}; ++k) {{}}"


@pytest.mark.parametrize(
    ("often", "seldom"),
    [
        ("v[n & 15] = 3; r += v[m & 15];", "v[n & 15] = 3;"),
        (LOOPED.format("v[k & 15] = 3;"), "v[n & 15] = 3; v[m & 15] = 5; v[m + 7 & 15] = 4; r += v[n & 15];"),
        ("v[n & 15] = 3;" * 6, LOOPED.format("v[k & 15] = 3;")),
        (
            NESTED.format("v[k & 15] = 3;"),
            LOOPED.format("v[k & 15] = 3;") + "v[n & 15] = 1; v[m & 15] = 2; r += v[m & 15];",
        ),
        (COPIED.format(8).format("v[n + k & 15] = 3;"), "v[n & 15] = 3;" * 7),
        ("v[n & 15] = 3;" * 9, COPIED.format(8).format("v[n + k & 15] = 3;")),
        ("v[n & 15] = 3;" * 17, COPIED.format(24).format("v[n + k & 15] = 3;")),
    ],
)
@pytest.mark.parametrize("place", range(3))
def test_least_used_of_three_arrays_goes_to_memory(often: str, seldom: str, place: int) -> None:
    """As LLVM weighs uses: four more for each loop around them that stays one, and copies up to sixteen."""
    uses = [(seldom if number == place else often).replace("v[", f"v{number}[") for number in range(3)]
    text = "double r = 0; " + "".join(f"double v{number}[16]; " for number in range(3)) + " ".join(uses)
    file = testing.build(
        f"__global__ void k(double* b, int n, int m) {{ {text} b[n] = r + v0[n] + v1[n] + v2[n]; }}", "k.hip", "hip"
    )
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a",)))
    assert [array.variable.name for array in facts.crowded_out("gfx90a")] == [f"v{place}"]
