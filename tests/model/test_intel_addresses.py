"""Addresses on Intel: messages to global memory have no offset, so each place that a loop reads again and again has an
address of its own, two registers of 32 bits a lane.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest
from analysis_helpers import trace_of

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import KernelFacts, kernel_facts
from regpress_lint.program import build_file
from tools.measure import golden_intel, toolchain

if TYPE_CHECKING:
    from pathlib import Path

OPENCL = """{0} __kernel void k(__global S* d, __global const S* s, uint m) {{
  uint t = get_global_id(0);
  {1}
}}"""
HIP = """{0} __global__ void k(S* d, const S* s, unsigned m) {{
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  {1}
}}"""
# Fields of a struct that a loop adds to, and registers of 64 bytes that IGC 1.0.12504 keeps alive in 32 lanes.
ALIVE = {4: 47, 8: 87, 12: 123, 16: 163}


def struct(fields: int) -> str:
    """A struct of 32-bit numbers."""
    return "typedef struct { unsigned " + ", ".join(f"f{n}" for n in range(fields)) + "; } S;"


def adding(fields: int, loop: str = "for (unsigned i = 0; i < m; i++)") -> str:
    """Adds to every field, again and again."""
    return f"{loop} {{ " + " ".join(f"d[t].f{n} += s[t].f{n};" for n in range(fields)) + " }"


def facts(text: str, target: str = "pvc") -> KernelFacts:
    """A kernel as the linter sees it."""
    file = build_file(Source("k.hip", text.encode()), "hip", Project())
    return kernel_facts(file, file.kernels[0], Settings(architectures=(target,)))


def held(fields: int, body: str, target: str = "pvc") -> int:
    """Vector registers alive at the widest point."""
    return trace_of(facts(HIP.format(struct(fields), body), target), target).held.vector


def test_each_field_that_a_loop_changes_has_two_addresses() -> None:
    # Of the first field the address is the element's, which all of them are made of.
    assert held(16, adding(16)) - held(4, adding(4)) == 12 * 4


def test_value_outside_loops_is_computed_at_its_use() -> None:
    assert held(16, adding(16, "")) == held(4, adding(4, ""))


def test_others_add_the_offset_in_the_access() -> None:
    for target in ("gfx90a", "sm_90"):
        assert held(16, adding(16), target) == held(4, adding(4), target)


def test_a_vector_is_read_by_one_message() -> None:
    text = """__global__ void k(const float4* p, float* q, unsigned m) {
      unsigned t = threadIdx.x;
      for (unsigned i = 0; i < m; i++) { float4 v = p[t]; q[i] = v.x + v.y + v.z + v.w; }
    }"""
    assert trace_of(facts(text), "pvc").held.vector == 2 + 3  # one address; four would take 8


@pytest.mark.parametrize("fields", ALIVE)
def test_band_contains_the_compilers_live_values(fields: int) -> None:
    found = facts(HIP.format(struct(fields), adding(fields))).target("pvc").registers
    assert found.low <= ALIVE[fields] / 2 <= found.high


@pytest.mark.compiler
def test_the_compiler_still_keeps_as_much_alive(tmp_path: Path) -> None:
    compilers.need(".cl")
    if toolchain.igc_version() != "IGC 1.0.12504":
        pytest.skip("another version of IGC")
    for fields, alive in ALIVE.items():
        source = tmp_path / f"{fields}.cl"
        source.write_text(OPENCL.format(struct(fields).replace("unsigned", "uint"), adding(fields)))
        folder = tmp_path / str(fields)
        folder.mkdir()
        found, _ = golden_intel.tries(("-file", str(source)), "pvc", folder)
        assert found[0].alive == alive
