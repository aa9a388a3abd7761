"""IGC compiles a kernel that calls a function in 16 lanes: a work-item has twice the registers."""

from __future__ import annotations

import pytest
from analysis_helpers import scratch_of

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import KernelFacts, kernel_facts
from regpress_lint.program import build_file

KERNEL = """{inlined}float f(float x, float y) {{ return x * y + x; }}
kernel void k(global float* out, global const float* in, global const int* ix, int n, int m) {{
  int t = get_global_id(0);
  {read}
  float a[16];
  for (int j = 0; j < 16; ++j) a[j] = in[t + j * m];
  a[ix[t] & 15] += in[t + 1];
  for (int j = 0; j < 16; ++j) out[t + j * m] = a[j];
  out[t] = f(in[t], in[t + n]);
  {written}
}}
"""
HELD = range(30)
READ = "\n  ".join(f"float p{i} = in[t * 7 + {i}];" for i in HELD)
WRITTEN = "\n  ".join(f"out[t + {i + 1} * m] = p{i} * p{(i * 7 + 3) % len(HELD)};" for i in HELD)


def facts_of(inlined: str) -> KernelFacts:
    """Facts of a kernel that holds 46 values and many addresses, beside a call of `f`."""
    source = Source("k.cl", KERNEL.format(inlined=inlined, read=READ, written=WRITTEN).encode())
    file = build_file(source, "opencl", Project())
    return kernel_facts(file, file.kernels[0], Settings(architectures=("pvc",)))


@pytest.mark.parametrize(
    ("inlined", "lanes", "budget", "scratch"),
    [("", None, 64, 64), ("__attribute__((noinline)) ", 16, 128, 0)],
    ids=["inlined", "called"],
)
def test_kernel_that_calls_a_function_has_twice_the_registers(
    inlined: str, lanes: int | None, budget: int, scratch: int
) -> None:
    facts = facts_of(inlined)
    compiled = facts.compiled("pvc")
    assert (compiled.mode.wave, compiled.budget.registers) == (lanes, budget)
    assert scratch_of(facts, "pvc") == scratch
