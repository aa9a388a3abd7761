"""Registers that cost nothing because LDS or the block size limits the waves: severities and help texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from regpress_lint import testing
from regpress_lint.api import Rule, Severity
from regpress_lint.api.worth import Spare, spare_registers, unless_spare
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import KernelFacts, kernel_facts
from regpress_rules import rules

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
RULES: dict[str, type[Rule]] = {rule.code: rule for rule in rules()}

KERNEL = """#include <hip/hip_runtime.h>
__global__ void %s k(const float* a, float* b) {
  __shared__ float s[%d];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  b[threadIdx.x] = s[threadIdx.x + 1];
}
"""


def facts(launches: str, elements: int = 1024, bounds: str = "", targets: str = "gfx90a, sm_90, pvc") -> KernelFacts:
    text = KERNEL % (bounds, elements) + f"void run(const float* a, float* b, int n) {{ {launches} }}\n"
    file = testing.build(text)
    return kernel_facts(file, file.kernels[0], testing.settings_of(f"// targets: {targets}"))


@pytest.mark.parametrize(
    ("launches", "elements", "bounds", "target", "expected"),
    [
        # 40 KB: one block of 4 waves on a CU, 5 blocks of 8 warps on an SM.
        ("k<<<n, 256>>>(a, b);", 10240, "", "gfx90a", Spare(512, "LDS")),
        ("k<<<n, 256>>>(a, b);", 10240, "", "sm_90", Spare(48, "LDS")),
        ("k<<<n, 256>>>(a, b);", 10240, "", "pvc", None),  # registers are a mode there
        ("k<<<n, 256>>>(a, b);", 1024, "", "gfx90a", None),  # full
        ("k<<<n, 768>>>(a, b);", 1024, "", "sm_90", Spare(40, "the block size")),
        ("k<<<n, 32>>>(a, b);", 32, "", "sm_90", Spare(64, "the block size")),
        ("", 10240, "", "gfx90a", None),  # the block size is not visible
        ("", 10240, "__launch_bounds__(256)", "gfx90a", Spare(512, "LDS")),
        ("", 1024, "__launch_bounds__(768)", "sm_90", None),  # a launch may have fewer threads
        ("k<<<n, 256>>>(a, b); k<<<n, 1024>>>(a, b);", 10240, "", "gfx90a", None),  # the other launch has more waves
        ("k<<<n, 256, n>>>(a, b);", 10240, "", "gfx90a", Spare(512, "LDS")),  # more LDS leaves no more waves
    ],
)
def test_free_registers(launches: str, elements: int, bounds: str, target: str, expected: Spare | None) -> None:
    assert spare_registers(facts(launches, elements, bounds), target) == expected


def test_the_step_that_would_bind_is_the_border() -> None:
    own = facts("k<<<n, 256>>>(a, b);", 10240)
    assert unless_spare(own, "sm_90", 48, Severity.WARNING) is Severity.HINT
    assert unless_spare(own, "sm_90", 49, Severity.WARNING) is Severity.WARNING
    assert unless_spare(own, "pvc", 1, Severity.INFO) is Severity.INFO


def test_excess_over_the_budget_spills() -> None:
    """Without launch bounds clang gives 128 registers, though 512 would cost no wave."""
    own = facts("k<<<n, 256>>>(a, b);", 10240)
    assert own.target("gfx90a").budget == 128
    assert unless_spare(own, "gfx90a", 128, Severity.WARNING) is Severity.HINT
    assert unless_spare(own, "gfx90a", 129, Severity.WARNING) is Severity.WARNING


@pytest.mark.parametrize(
    ("fixture", "note"),
    [
        ("rules/RP101/lds_limits.hip", "costs no wave (registers up to 512 are free on gfx90a: LDS limits)"),
        ("rules/RP301/lds_limits.hip", "registers up to 512 are free on gfx90a: LDS limits"),
        ("rules/RP402/lds_limits.cu", "registers up to 255 are free on sm_90: LDS limits"),
        ("rules/RP501/lds_limits.hip", "registers up to 512 are free on gfx90a: LDS limits"),
        ("rules/RP105/positive.hip", "registers up to 512 are free on gfx90a: LDS limits"),
    ],
)
def test_help_names_the_free_registers(fixture: str, note: str) -> None:
    path = TESTDATA / fixture
    found = testing.run([RULES[path.parent.name]], path.read_text(), path.as_posix())
    assert note in found[0].finding.help


def test_bound_without_cost_is_named_where_launches_differ() -> None:
    path = TESTDATA / "rules/RP101/lds_limits.hip"
    more = "void more(const double* a, double* b, int n) { moments<<<n, 256, 1024>>>(a, b, n, n); }\n"
    found = testing.run([RULES["RP101"]], path.read_text() + more, path.as_posix())
    assert found[0].finding.help is not None
    assert found[0].finding.help.endswith("that ends or shrinks the spills, and costs no wave")


@pytest.mark.parametrize(("sums", "spilled"), [(120, False), (124, True), (128, True)])
def test_what_no_thread_can_address_is_spilled_on_nvidia(sums: int, spilled: bool) -> None:
    """nvcc 13.0.88: 249 registers, 8 bytes and 64 bytes beside 255."""
    text = f"""__global__ void __launch_bounds__(128, 1) k(const double* x, double* y, int n) {{
  int t = blockIdx.x * 128 + threadIdx.x;
  double b[{sums}];
  for (int i = 0; i < {sums}; ++i) b[i] = 0;
  for (int k = 0; k < n; ++k) {{
    double m = x[k * 128 + t];
#pragma unroll
    for (int i = 0; i < {sums}; ++i) b[i] += b[(i + 3) % {sums}] * m;
  }}
#pragma unroll
  for (int i = 0; i < {sums}; ++i) y[t + i * 128] = b[i];
}}
"""
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",)))
    assert (facts.target("sm_90").registers.scratch_bytes > 0) is spilled
