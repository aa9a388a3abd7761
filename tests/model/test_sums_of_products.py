"""`x = a * x + b * y` in a loop: clang for AMD keeps old and new values side by side, where one product would not."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

from regpress_lint.model.graph.ops import ADD, MULTIPLY
from regpress_lint.model.passes.liveness import lifetimes_in
from regpress_lint.model.passes.orders import as_written
from regpress_lint.model.passes.placement import executed
from regpress_lint.targets.compilers import habits

KERNEL = """__global__ void __launch_bounds__(256) k(double* o, const double* s, const double* c, int n, long d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v[32];
  for (int k = 0; k < 32; ++k) v[k] = s[i + k * d];
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < 32; ++k) v[k] = STEP;
  for (int k = 0; k < 32; ++k) o[i + k * d] = v[k];
}
"""
TURNED = "v[k] * c[r] - v[(k + 1) % 32] * c[r + 1]"


@pytest.mark.parametrize(
    ("step", "compiled"), [(TURNED, 128), ("v[k] * c[r] + v[31 - k] * c[r + 1]", 128), ("v[k] * c[r] + c[r + 1]", 98)]
)
def test_the_estimate_is_near_what_clang_allocates(step: str, compiled: int) -> None:
    """clang 19.1.7 for gfx90a; 32 doubles are 64 registers."""
    found = facts_of(KERNEL.replace("STEP", step), "hip").target("gfx90a").registers
    assert found.estimate == pytest.approx(compiled, rel=0.3)
    assert found.low <= compiled <= found.high


INTEGERS = """__global__ void __launch_bounds__(256) k(const unsigned long long* p, int* o, int n) {
  unsigned long long v[24];
  for (int j = 0; j < 24; ++j) v[j] = p[j * 64 + threadIdx.x];
  for (int r = 0; r < n; ++r) for (int j = 0; j < 24; ++j) v[j] = STEP;
  unsigned long long s = 0;
  for (int j = 0; j < 24; ++j) s = s * 3 + v[23 - j];
  o[threadIdx.x] = (int)s;
  o[threadIdx.x + 64] = (int)(s >> 32);
}
"""


@pytest.mark.parametrize(("step", "compiled"), [("v[j] * 3 + p[r]", 98), ("v[j] * p[r] + 1", 98), ("v[j] + p[r]", 52)])
def test_a_product_of_long_integers_takes_no_register_of_a_factor(step: str, compiled: int) -> None:
    """clang 19.1.7 for gfx90a; 24 integers of 64 bits are 48 registers."""
    found = facts_of(INTEGERS.replace("STEP", step), "hip").target("gfx90a").registers
    assert found.estimate == pytest.approx(compiled, rel=0.35)
    assert found.low <= compiled <= found.high


def test_amd_keeps_both_halves_of_a_carried_pair() -> None:
    """Only the lower half is stored: clang 19.1.7 gives the kernel 98 VGPRs all the same."""
    text = INTEGERS.replace("STEP", "v[j] * 3 + p[r]").replace("  o[threadIdx.x + 64] = (int)(s >> 32);\n", "")
    assert facts_of(text, "hip").target("gfx90a").registers.estimate == pytest.approx(98, rel=0.2)


def test_ptxas_adds_in_place() -> None:
    turned, plain = (facts_of(KERNEL.replace("STEP", step), "cuda") for step in (TURNED, "v[k] * c[r] + c[r + 1]"))
    most = plain.target("sm_90").registers.estimate * 1.2
    assert turned.target("sm_90").registers.estimate <= most


def test_product_that_nothing_uses_is_fused_with_nothing() -> None:
    code = "__global__ void k(const float* a, float* b) { float p = a[0] * a[1]; b[1] = a[2] + a[3]; b[0] = p; }"
    machine = executed(facts_of(code, "hip").input_for(habits("gfx90a")))
    order = as_written(machine, bytearray(b"\x01" * len(machine.graph)))
    product, sum_ = (machine.graph.ops.index(op) for op in (MULTIPLY, ADD))
    others = [number for number in order.sequence if machine.graph.ops[number].kind.name in ("SOURCE", "LOAD")]
    lifetimes = lifetimes_in(machine, order._replace(sequence=[*others, product, sum_]))
    assert product not in lifetimes.ends
    assert not lifetimes.fused
