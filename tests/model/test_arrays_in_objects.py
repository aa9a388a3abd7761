"""A loop over an array that is a member of an object is copied as one over an array by its own name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from analysis_helpers import trace_of

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.model.passes import placement

if TYPE_CHECKING:
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.placement import KernelInput
    from regpress_lint.targets.compilers.traits import Compiler

STEP = "for (int i = 0; i < 48; ++i) {m}[i] = {m}[i] * p[i] + {m}[(i + 1) % 48];"
TEXT = """struct Flat {{ float m[48]; int used; }};
struct Row {{ float m[48]; __device__ void step(const float* p) {{ {of_this} }} }};
struct Outer {{ Row row; float x; }};
__device__ void step(Flat& s, const float* p) {{ {by_reference} }}
__device__ void step_at(Flat* s, const float* p) {{ {by_pointer} }}
__global__ void k(const float* p, float* o, int n) {{
  {object};
  for (int i = 0; i < 48; ++i) {m}[i] = p[i * 32 + threadIdx.x];
  for (int j = 0; j < n; ++j) {{ {again} }}
  for (int i = 0; i < 48; ++i) o[i * 32 + threadIdx.x] = {m}[i];
}}
"""


@pytest.mark.parametrize(
    ("object_", "m", "again"),
    [
        ("float m[48]", "m", STEP.format(m="m")),
        ("Flat a", "a.m", STEP.format(m="a.m")),
        ("Row a", "a.m", "a.step(p + j);"),
        ("Outer a", "a.row.m", "a.row.step(p + j);"),
        ("Flat a", "a.m", "step(a, p + j);"),
        ("Flat a", "a.m", "step_at(&a, p + j);"),
    ],
)
def test_it_leaves_no_array_in_memory(object_: str, m: str, again: str) -> None:
    """clang 19.1.7 takes 62 registers for gfx90a and no scratch in any of these words; it copies 2,694 instructions of
    a loop that indexes an array of the thread, and 294 of others.
    """
    parts = {"of_this": "m", "by_reference": "s.m", "by_pointer": "s->m"}
    bodies = {key: STEP.format(m=value) for key, value in parts.items()}
    text = TEXT.format(object=object_, m=m, again=again, **bodies)
    file = testing.build(text, "k.cu", "cuda")
    found = kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a",))).target("gfx90a").registers
    assert found.scratch_bytes == 0
    assert 48 <= found.estimate <= 75


def test_pointer_member_is_not_a_private_array() -> None:
    """clang 19.1.7 keeps the loop: what it indexes is global memory."""
    text = """struct View { float* data; float scale; };
__global__ void k(View v, float* o) {
  View w = v;
  for (int i = 0; i < 120; ++i) w.data[i * 64 + threadIdx.x] *= w.scale;
}
"""
    file = testing.build(text, "k.cu", "cuda")
    trace = trace_of(
        kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a",))).typical("gfx90a"), "gfx90a"
    )
    assert trace.execution.loops == 1


INDEXED = """struct Table { const int* at; float v[32]; int used;
  __device__ Table(const int* p, float w) : at(p), used(0) { for (int i = 0; i < 32; ++i) v[i] = i * w; }
  __device__ float next() { return v[at[used++] & 31]; }
};
__global__ void k(const int* p, float* o, int n) {
  Table t(p, o[0]); float s = 0;
  for (int i = 0; i < n; ++i) s += t.next();
  o[threadIdx.x] = s;
}
"""


def test_an_object_indexed_at_run_time_has_no_registers() -> None:
    """26 registers of nvcc 13.0.88, and 144 bytes: all members are in memory with the array."""
    file = testing.build(INDEXED, "k.cu", "cuda")
    found = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",))).target("sm_90").registers
    assert found.scratch_bytes == 144
    assert found.estimate <= 36


def test_the_second_compiler_begins_with_the_objects_that_the_first_has_in_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first is executed twice, for it shows that there is one; the second once."""
    executed: list[str] = []
    execute = placement._executed

    def noted(kernel: KernelInput, compiler: Compiler, *others: Any) -> Machine:
        executed.append(compiler.vendor)
        return execute(kernel, compiler, *others)

    monkeypatch.setattr(placement, "_executed", noted)
    file = testing.build(INDEXED, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a", "sm_90")))
    assert all(facts.target(name).registers.scratch_bytes for name in ("gfx90a", "sm_90"))
    assert executed == ["amd", "amd", "nvidia"]
