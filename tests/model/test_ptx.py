"""Inline assembly: PTX is read instruction by instruction, and its results are values."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from regpress_lint.model.interpreter import inline_assembly as ptx

if TYPE_CHECKING:
    from pathlib import Path


def test_text_is_parsed_to_instructions_with_operands() -> None:
    text = ptx.read("{ .reg .u64 t; mul.wide.u32 t, %[x], 7; @p mov.b64 {%0, %1}, t; }\n\tst.global.u32 [%2+16], %0;")
    assert text is not None
    assert text.declared == {"t": "u64"}
    wide, apart, write = text.instructions
    assert (wide.opcode, wide.parts, wide.results, wide.operands) == ("mul", ("wide", "u32"), ("t",), ("%x", "7"))
    assert (apart.results, apart.operands, apart.guard) == (("%0", "%1"), ("t",), "p")
    assert (write.results, write.operands) == ((), ("[%2+16]", "%0"))


@pytest.mark.parametrize(("guard", "new_first"), [("@p", True), ("@!p", False)])
def test_a_guard_that_is_negated_chooses_the_other_arm(guard: str, new_first: bool, tmp_path: Path) -> None:
    source = f"""
__global__ void k(int* out, int old) {{
  asm("{{ .reg .pred p; setp.eq.u32 p, %1, 5; {guard} mov.u32 %0, -7; }}" : "+r"(old) : "r"(threadIdx.x));
  out[threadIdx.x] = old;
}}
"""
    select = next(line for line in _graph(tmp_path, source, "sm_90").splitlines() if "= select(" in line)
    arms = select.partition(")")[0].split(", ")[1:]
    assert "-7" in arms, "a number keeps its sign"
    assert (arms[0] == "-7") is new_first


@pytest.mark.parametrize("text", ["bra.uni L;", "L: add.u32 %0, %0, 1;", "exit;"])
def test_jumps_and_labels_are_not_read(text: str) -> None:
    assert ptx.read(text) is None


_SUM = """
#define FIRST(r, a, b) asm volatile("add.cc.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b) : "memory");
#define NEXT(r, a, b) asm volatile("addc.cc.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b) : "memory");
__global__ void sum(unsigned long long* out, const unsigned long long* in, int n) {
  unsigned long long a[2], b[2];
  for (int i = 0; i < 2; ++i) { a[i] = in[i * 64 + threadIdx.x]; b[i] = in[i * 64 + 128 + threadIdx.x]; }
  for (int k = 0; k < n; ++k) { FIRST(a[0], a[0], b[0]) NEXT(a[1], a[1], b[1]) }
  out[threadIdx.x] = a[0] ^ a[1];
}
"""


def _graph(folder: Path, source: str, target: str) -> str:
    path = folder / "k.cu"
    path.write_text(source)
    command = [sys.executable, "-m", "regpress_lint", "ir", str(path), "--arch", target]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_a_macro_that_is_assembly_adds_with_its_carry_in_a_loop(tmp_path: Path) -> None:
    graph = _graph(tmp_path, _SUM, "sm_90")
    assert "carry(" in graph
    assert "addc.cc.u64(" in graph
    around = [line.split()[-1] for line in graph.splitlines() if "= phi(" in line]
    assert {"a.0", "a.1"} <= set(around), "both words go around"


@pytest.mark.parametrize("call", ["LOW(r[0], in[0], in[1])", "ANY(mul, r[0], in[0], in[1])"])
def test_the_text_of_an_instruction_in_a_macro_names_no_parameter(call: str, tmp_path: Path) -> None:
    source = f"""
#define LOW(lo, a, b) asm volatile("mul.lo.u32 %0, %1, %2;" : "=r"(lo) : "r"(a), "r"(b))
#define ANY(op, lo, a, b) asm volatile(#op ".lo.u32 %0, %1, %2;" : "=r"(lo) : "r"(a), "r"(b))
__global__ void k(unsigned* out, const unsigned* in) {{ unsigned r[2] = {{}}; {call}; out[0] = r[0]; out[1] = r[1]; }}
"""
    graph = _graph(tmp_path, source, "sm_90")
    product = next(line.split()[0] for line in graph.splitlines() if "= *(" in line)
    assert any("store global" in line and f"{product})" in line for line in graph.splitlines()), graph


def test_elsewhere_an_output_is_a_value_of_its_own(tmp_path: Path) -> None:
    source = """#include <hip/hip_runtime.h>
__global__ void product(float* out, const float* in) {
  float made;
  asm volatile("v_mul_f32 %0, %1, %2" : "=v"(made) : "v"(in[threadIdx.x]), "v"(in[threadIdx.x + 64]));
  out[threadIdx.x] = made;
}
"""
    graph = _graph(tmp_path, source, "gfx90a")
    assert "made" in graph.split("unknown(", 1)[1].splitlines()[0]


def test_extents_that_a_template_call_settles_fill_an_array(tmp_path: Path) -> None:
    source = """
template <int R, int C> __device__ void tiles(float* out, const float* in, int n) {
  float d[R][C] = {};
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j) d[i][j] += in[k * 7 + i * C + j];
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) out[i * C + j] = d[i][j];
}
__global__ void k(float* out, const float* in, int n) { tiles<2, 3>(out, in, n); }
"""
    assert _graph(tmp_path, source, "sm_90").count("= phi(0.0") == 6
