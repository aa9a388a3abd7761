"""Small kernels of testdata/small: registers that the execution keeps live, beside those that clang 19 allocates.

The numbers follow each kernel in the file; the last test checks them with clang.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import compilers
import pytest
from analysis_helpers import facts_of, trace_of

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.program import build_file

FILE = Path(__file__).resolve().parents[2] / "testdata/small/gfx90a.hip"
_ROW = re.compile(r"^__global__ void (\w+)\(.*  // (\d+)(?:, held (\d+))?(?:: .+)?$", re.MULTILINE)
STRAIGHT, LOOPS, WIDER = "straight-line", "loops", "more in flight"


class Row(NamedTuple):
    """A kernel, its VGPRs, and the number of live registers where it differs."""

    kernel: str
    registers: int
    held: int | None


def rows(part: str) -> list[Row]:
    """Kernels of a part of the file."""
    text = FILE.read_text().partition(f"// ---- {part}")[2].partition("// ----")[0]
    return [Row(name, int(count), int(other) if other else None) for name, count, other in _ROW.findall(text)]


@pytest.fixture(scope="module")
def held() -> dict[str, int]:
    """Vector registers at the widest point of each kernel."""
    file = build_file(Source(str(FILE), FILE.read_bytes()), "hip", Project())
    return {
        kernel.name: trace_of(kernel_facts(file, kernel, Settings()), "gfx90a").held.vector for kernel in file.kernels
    }


def test_every_kernel_has_its_number(held: dict[str, int]) -> None:
    found = [row for part in (STRAIGHT, LOOPS, WIDER) for row in rows(part)]
    assert [row.kernel for row in found] == list(held)
    assert len(rows(STRAIGHT)) >= 30
    assert len(rows(LOOPS)) >= 10
    assert all(row.registers != row.held for row in found)


@pytest.mark.parametrize("row", rows(STRAIGHT), ids=lambda row: row.kernel)
def test_straight_line_code_is_exact_or_one_off(row: Row, held: dict[str, int]) -> None:
    if row.held is None:
        assert held[row.kernel] == row.registers
    assert abs(held[row.kernel] - row.registers) <= 1


def test_most_straight_line_code_is_exact(held: dict[str, int]) -> None:
    found = rows(STRAIGHT)
    assert sum(held[row.kernel] == row.registers for row in found) >= 0.75 * len(found)


@pytest.mark.parametrize("row", rows(LOOPS), ids=lambda row: row.kernel)
def test_loops_are_at_most_one_off(row: Row, held: dict[str, int]) -> None:
    if row.held is None:
        assert held[row.kernel] == row.registers
    assert abs(held[row.kernel] - row.registers) <= 1


@pytest.mark.parametrize("row", rows(WIDER), ids=lambda row: row.kernel)
def test_reads_in_flight_in_clang_are_not_live(row: Row, held: dict[str, int]) -> None:
    """Known gaps, which the fit closes by the number of reads: never more live registers than clang has."""
    assert row.held is not None
    assert row.held <= held[row.kernel] <= row.registers


@pytest.mark.compiler
def test_numbers_match_clang(tmp_path: Path) -> None:
    compilers.need(".hip")
    text = FILE.read_text().replace("__global__", 'extern "C" __global__')
    found = {kernel: one.registers for kernel, one in compilers.allocations(text, ".hip", tmp_path).items()}
    assert found == {row.kernel: row.registers for part in (STRAIGHT, LOOPS, WIDER) for row in rows(part)}


@pytest.mark.parametrize(
    ("parameters", "statement", "registers"),
    [
        ("__nv_fp8_e4m3* o, const float* a", "o[i] = __nv_fp8_e4m3(a[i] / a[i % 7]);", 17),
        ("float* o, const __nv_fp8_e4m3* a", "o[i] = (float)a[i] * 3.0f;", 10),
        ("__nv_fp8x4_e4m3* o, const float4* a", "o[i] = __nv_fp8x4_e4m3(a[i]);", 14),
        ("float4* o, const __nv_fp8x4_e5m2* a", "o[i] = float4(a[i]);", 14),
    ],
)
def test_numbers_of_eight_bits_are_known(parameters: str, statement: str, registers: int) -> None:
    """Registers of nvcc 13.0.88; the types of `cuda_fp8.h` and `hip_fp8.h` were unknown."""
    text = f"__global__ void k({parameters}) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; {statement} }}"
    facts = facts_of(text, "cuda")
    assert not facts.unknowns("sm_90")
    assert facts.target("sm_90").registers.low <= registers <= facts.target("sm_90").registers.high
