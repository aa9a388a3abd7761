"""Loops over LDS: clang copies their bodies."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import compilers
import pytest
from loop_sources import SUM, functions, kernels
from ssa_helpers import count, run

if TYPE_CHECKING:
    from pathlib import Path


LDS = "__shared__ float s[256]; int t = threadIdx.x; s[t] = a[t]; __syncthreads(); float r = 0;"


def steps(number: int) -> str:
    return "x = x * x - r; x = x * r - 1.5f; " * number


# Loops over LDS, copies that the model makes and reads that clang leaves, the remainder's one included.
LDS_LOOPS = {
    "one_read": ("for (int k = 0; k < n; k++) r += s[k];", 8, 9),
    "own_place": ("for (int k = 0; k < n; k++) r += s[(t + k) & 255];", 8, 9),
    "scaled_sum": ("for (int k = 0; k < n; k++) r += s[k] * 2.5f + 1.5f;", 8, 9),
    "two_reads": ("for (int k = 0; k < n; k++) r += s[k] * s[255 - k];", 16, 18),
    "unsigned_step": ("for (unsigned k = 0; k < u; k++) r += s[k];", 8, 9),
    "branch_inside": ("for (int k = 0; k < n; k++) { if (k != t) r += s[k]; }", 8, 9),
    "nested": ("for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) r += s[k];", 8, 9),
    "large_body": (f"for (int k = 0; k < n; k++) {{ float x = s[k]; {steps(40)} r += x; }}", 1, 1),
    "left_early": ("for (int k = 0; k < n; k++) { if (s[k] > 3) break; r += s[k]; }", 1, 1),
    "stride": ("for (unsigned k = t; k < 256; k += u) r += s[k];", 1, 1),
    "barrier_inside": ("for (int k = 0; k < n; k++) { r += s[k]; __syncthreads(); }", 1, 1),
}


@pytest.mark.parametrize(("loop", "reads", "clang"), LDS_LOOPS.values(), ids=list(LDS_LOOPS))
def test_llvm_copies_loops_over_lds_eight_times(loop: str, reads: int, clang: int) -> None:
    assert reads in (clang, clang * 8 // 9)
    assert count(run(f"{LDS} {loop} b[t] = r;", SUM), "load shared") == reads


@pytest.mark.parametrize(("operations", "copies"), [(10, 8), (20, 8), (32, 4), (48, 4), (72, 2), (100, 2)])
def test_copies_halve_at_three_hundred_instructions(operations: int, copies: int) -> None:
    body = "x = x * r; x = x + 1.5f; " * (operations // 2)
    text = f"{LDS} for (int k = 0; k < n; k++) {{ float x = s[k]; {body} r += x; }} b[t] = r;"
    assert count(run(text, SUM), "load shared") == copies


@pytest.mark.parametrize("number", [1, 3, 6, 12, 20])
def test_the_larger_the_body_the_fewer_the_copies(number: int) -> None:
    loop = "for (int k = 0; k < n; k++) {{ float x = s[k]; {} r += x; }}"
    smaller, larger = (
        count(run(f"{LDS} {loop.format(steps(each))} b[t] = r;", SUM), "load shared") for each in (number, 2 * number)
    )
    assert smaller in (1, 2, 4, 8)
    assert smaller >= larger


@pytest.mark.parametrize("text", ["r += a[k * n + t];", "r += a[k];", "b[k * n + t] = k;"])
def test_loops_over_global_memory_are_not_copied_on_amd(text: str) -> None:
    found = run(f"{LDS} for (int k = 0; k < n; k++) {text} b[t] = r + s[t];", SUM)
    assert count(found, "load global") + count(found, "store global") <= 3


@pytest.mark.parametrize(
    "text",
    [
        "r += s[k]; __syncthreads(); s[t] = r; __syncthreads();",
        "atomicAdd(&s[k & 255], 1.0f);",
        "r += __shfl_xor(s[k], 1);",
        "if (t < k) s[t] += s[t + k]; __syncthreads();",
    ],
)
def test_an_array_in_lds_stays_there_in_a_loop_that_writes_it(text: str) -> None:
    found = run(f"{LDS} for (int k = 0; k < n; k++) {{ {text} }} b[t] = r + s[t];", SUM)
    assert count(found, "load global") == 1  # of `a`
    assert count(found, "atomic global") == 0


@pytest.mark.compiler
def test_clang_copies_the_same_loops_over_lds(tmp_path: Path) -> None:
    compilers.need(".hip")
    clang = shutil.which("clang++-19")
    assert clang is not None
    source, module = tmp_path / "loops.hip", tmp_path / "loops.ll"
    loops = {name: loop for name, (loop, _, _) in LDS_LOOPS.items()}
    source.write_text(kernels(loops, LDS, "b[t] = r;", "#include <hip/hip_runtime.h>\n"))
    subprocess.run(
        [clang, "-x", "hip", "--offload-arch=gfx90a", "--cuda-device-only", "--rocm-path=/usr", "-O3", "-S",
         f"--rocm-device-lib-path={compilers.chain().device_libs}", "-emit-llvm", "-o", str(module), str(source)],
        check=True, timeout=300, capture_output=True,
    )  # fmt: skip
    found = functions(module.read_text(), r"^define .*? void @")
    reads = {name: found[name].count("load float, ptr addrspace(3)") for name in LDS_LOOPS}
    assert reads == {name: left for name, (_, _, left) in LDS_LOOPS.items()}
