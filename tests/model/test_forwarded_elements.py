"""Elements of a private array in memory that nvcc holds in registers as well, and arrays of which that leaves none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import compilers
import pytest
from analysis_helpers import body, scratch_of, trace_of

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.model.interpreter import kept_loops, loops

if TYPE_CHECKING:
    from pathlib import Path

ELEMENTS = 64
SUMS = "for (int i = 0; i < n; ++i) { for (int j = 0; j < 64; ++j) s += a[j] * s2; s2 = in[i]; } "
PICKS = "for (int i = 0; i < n; ++i) s += a[ix[i] & 63]; "
CHANGES = "for (int i = 0; i < n; ++i) a[ix[i] & 63] += s2; "


def held(code: str, target: str = "sm_90") -> tuple[int, int]:
    """Vector registers alive in a kernel that fills an array and goes on with a body, and its private memory."""
    text = f"""#include <cuda_runtime.h>
__global__ void k(float* out, const float* in, const int* ix, int n, int m) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0, s2 = in[t], a[{ELEMENTS}];
  for (int j = 0; j < {ELEMENTS}; ++j) a[j] = in[t + j * m];
  {code}
  out[t] = s + s2;
}}
"""
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=(target,)))
    return trace_of(facts, target).held.vector, facts.target(target).registers.scratch_bytes


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(SUMS + PICKS, id="read by a loop that writes no element"),  # nvcc 13.0.88: 72 registers
        pytest.param(PICKS + "for (int j = 0; j < 64; ++j) out[t + j * m] = a[j];", id="stored behind such a loop"),
        pytest.param(CHANGES + SUMS, id="read in front of a loop"),  # nvcc 13.0.88: 80 and 72
    ],
)
def test_a_loop_holds_the_elements_that_it_does_not_write(body: str) -> None:
    elements, bytes_ = held(body)
    assert elements == pytest.approx(ELEMENTS, abs=12)
    assert bytes_ == 4 * ELEMENTS


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(CHANGES + "for (int j = 0; j < 64; ++j) s += a[j];", id="written at run-time indices between"),
        pytest.param(
            "for (int i = 0; i < n; ++i) { a[ix[i] & 63] += s; for (int j = 0; j < 64; ++j) s += a[j] * s2; }",
            id="written in the same loop",
        ),
        pytest.param(
            "for (int i = 0; i < n; ++i) { for (int j = 0; j < 64; ++j) s += a[j]; if (s > 1) a[ix[i] & 63] *= s; }",
            id="written under a condition in the same loop",
        ),
    ],
)
def test_what_is_written_at_a_run_time_index_is_read_again(body: str) -> None:
    vector, scratch = held(body)
    assert vector < ELEMENTS // 2
    assert scratch == 4 * ELEMENTS


@pytest.mark.parametrize(
    ("index", "reached"),
    [  # elements that nvcc 13.0.88 reads again
        ("n", 64),
        ("n & 15", 16),
        ("(n & 7) + 8", 8),
        ("(n & 15) + 24", 40),
        ("4 * (n & 7) + 1", 8),
        ("(unsigned)n % 10u", 16),
        ("n % 10", 64),
        ("n > 3 ? n & 7 : 2", 8),
    ],
)
def test_a_write_within_bounds_leaves_other_elements_in_registers(index: str, reached: int) -> None:
    found, bytes_ = held(f"a[{index}] += 1; for (int j = 0; j < 64; ++j) s += a[j] * j; " + PICKS)
    assert bytes_ == 4 * ELEMENTS
    assert found == pytest.approx(ELEMENTS - reached, abs=10)


@pytest.mark.parametrize(
    ("place", "kept"),
    [
        ("b[n & 3][5]", True),
        ("b[n & 3][m & 3]", False),
        ("b[2][n & 3]", False),
    ],  # nvcc 13.0.88: 72, 40 and 40 registers
)
def test_in_two_dimensions_only_an_index_of_rows_has_bounds(place: str, *, kept: bool) -> None:
    fill = "float b[8][8]; for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) b[i][j] = in[t + (i * 8 + j) * m]; "
    sums = "for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) s += b[i][j] * j; "
    loop = "for (int i = 0; i < n; ++i) s += b[ix[i] & 7][ix[t] & 7]; "
    found, _ = held(f"{fill} {place} += 1; {sums} {loop}")
    assert (found > ELEMENTS * 3 // 4) == kept


def test_a_write_to_another_array_changes_nothing() -> None:
    """nvcc 13.0.88 takes 167 registers, with the reads of the other array on their way."""
    other = f"float b[{ELEMENTS}] = {{}}; for (int i = 0; i < n; ++i) {{ b[ix[i] & 63] += s2; "
    vector, _ = held(other + "for (int j = 0; j < 64; ++j) s += a[j] * b[ix[j] & 63]; }" + PICKS)
    assert vector >= ELEMENTS


def test_an_execution_with_registers_shows_which_arrays_a_loop_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one, with the array in memory, knows them as it enters each loop, and executes none of them twice."""
    entered: list[int] = []
    kept = kept_loops.keep

    def noted(machine: Any, loop: Any, shape: Any) -> None:
        entered.append(len(machine.arrays.in_memory))
        kept(machine, loop, shape)

    for module in (loops, kept_loops):
        monkeypatch.setattr(module, "keep", noted)
    inner = "for (int k = 0; k < n; k++) { v[(k * 7 + j) % 40] = a[k]; v[3] += v[(k + j) % 40]; }"
    filled = "float v[40]; for (int i = 0; i < 40; i++) v[i] = a[i];"
    facts = body(f"{filled} for (int j = 0; j < n; j++) {{ {inner} }} b[0] = v[n];")
    assert [variable.name for variable in facts.execution("sm_90").in_memory] == ["v"]
    assert entered.count(1) == entered.count(0)


_HEAD = "__global__ void k(const float* in, float* out, const int* ix, int n) {"
_BEGIN = "float buf[128]; int t = threadIdx.x; int x = ix[t] & 63, y = ix[t + n] & 63;"
# Kernels that read what they wrote last, and whether nvcc 13.0.88 and clang 19.1.7 keep the array (512 bytes).
MEASURED = [
    ("if (in[t] > 0) buf[x] = in[t + n]; else buf[x] = in[t + 2 * n]; out[t] = buf[x];", False),
    ("switch (n) { case 1: buf[x] = in[t]; break; default: buf[x] = in[t + 2]; } out[t] = buf[x];", False),
    ("buf[x] = in[t]; if (n > 3) buf[x] += in[t + 1]; out[t] = buf[x];", False),
    ("if (in[t] > 0) buf[x] = in[t + 1]; out[t] = buf[x];", False),
    ("for (int i = 0; i < n; ++i) { buf[x] = in[i]; out[i] = buf[x]; buf[y] = 0; }", False),
    ("buf[x] = in[t]; buf[y] = in[t + 1]; out[t] = in[t];", False),
    ("buf[x] = in[t]; buf[y] = in[t + 1]; out[t] = buf[x];", True),
    ("if (in[t] > 0) buf[x] = in[t + 1]; else buf[y] = in[t + 2]; out[t] = buf[x];", True),
    ("buf[x] = in[t]; for (int i = 0; i < n; ++i) { out[i] = buf[x]; buf[ix[i] & 63] = in[i]; }", True),
    ("buf[0] = 1.0f; if (in[t] > 0) buf[x] = in[t + 1]; out[t] = buf[x];", True),
    ("buf[x] = in[t]; for (int i = 0; i < 128; ++i) buf[i] = 0; out[t] = buf[x];", True),
    ("buf[x] = in[t]; x++; out[t] = buf[x & 63];", True),
    ("buf[x] = in[t]; float* p = buf + y; *p = in[t + 1]; out[t] = buf[x];", True),
    ("buf[x] = in[t]; out[t] = buf[x]; out[t + 1] = buf[y];", True),
    ("volatile float v[4]; v[x & 3] = in[t]; out[t] = in[t + 1];", True),
]  # fmt: skip


@pytest.mark.parametrize(("body", "kept"), MEASURED)
def test_an_array_is_kept_where_a_read_may_find_another_write(body: str, kept: bool) -> None:
    file = testing.build(f"{_HEAD} {_BEGIN} {body} }}", "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90", "gfx90a", "pvc")))
    assert {bool(scratch_of(facts, name)) for name in facts.targets} == {kept}


@pytest.mark.compiler
@pytest.mark.parametrize("suffix", [".cu", ".hip"])
def test_compilers_keep_the_same(suffix: str, tmp_path: Path) -> None:
    compilers.need(suffix)
    head = _HEAD.replace("__global__", 'extern "C" __global__')
    texts = (
        f"{head.replace('void k', f'void k{place}')} {_BEGIN} {text} }}" for place, (text, _) in enumerate(MEASURED)
    )
    found = compilers.allocations("\n".join(texts), suffix, tmp_path)
    kept = [found[f"k{place}"].scratch_bytes > 0 for place in range(len(MEASURED))]
    assert kept == [expected for _, expected in MEASURED]


FRAMED = "double a[24]; for (int j = 0; j < 24; ++j) a[j] = {0}; "


@pytest.mark.parametrize(
    ("fill", "code", "most"),
    [
        # The zeros are known behind a read at a run-time index, and no address waits: 13 of clang 19.1.7
        ("0", "double s = a[n % 24u]; for (int j = 0; j < 24; ++j) o[t + (j + 100) * n] = a[j]; o[t] = s;", 22),
        # 22 elements are read nowhere: 9
        ("in[t + j * n]", "a[n % 24u] = 3; o[t] = a[3] + a[4];", 22),
    ],
)
def test_clang_follows_elements_in_memory(fill: str, code: str, most: int) -> None:
    text = f"""#include <hip/hip_runtime.h>
__global__ void k(double* o, const double* in, int n) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  {FRAMED.format(fill)} {code}
}}
"""
    file = testing.build(text, "k.hip", "hip")
    found = kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a",))).target("gfx90a").registers
    assert found.estimate <= most
    assert found.scratch_bytes == 208
