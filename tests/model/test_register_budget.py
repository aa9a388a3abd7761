"""Registers available to a thread under launch bounds, attributes and options together, as compilers decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest
from analysis_helpers import facts_of
from corpus import TESTDATA

from regpress_lint import lint_bytes
from regpress_lint.core.settings import RegisterOptions, Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.model.estimate.registers import within
from regpress_lint.program import build_file
from regpress_lint.targets.occupancy import architecture
from tools.measure import toolchain

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.core.settings import Language

# More values than any cap, so that what the compiler takes is what it may.
KERNEL = """__global__ void HEAD wide(float* p, int n) {
  float a[SIZE];
#pragma unroll
  for (int k = 0; k < SIZE; ++k) a[k] = p[k * n + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < SIZE; ++k) p[k * n + threadIdx.x] = a[SIZE - 1 - k] * a[k];
}
"""
NONE = RegisterOptions()
AMD = [
    ("", NONE, 128),
    ("", RegisterOptions(max_threads=256), 512),
    ("__launch_bounds__(256)", RegisterOptions(max_threads=1024), 512),
    ("__attribute__((amdgpu_waves_per_eu(4)))", RegisterOptions(max_threads=256), 128),
    ("__attribute__((amdgpu_waves_per_eu(2, 2)))", NONE, 128),
    ("__attribute__((amdgpu_waves_per_eu(8)))", NONE, 64),
    ("__attribute__((amdgpu_num_vgpr(32)))", NONE, 64),
    ("__attribute__((amdgpu_num_vgpr(200)))", NONE, 128),
    ("__attribute__((amdgpu_flat_work_group_size(1, 256)))", NONE, 512),
    ("__attribute__((amdgpu_flat_work_group_size(1, 256), amdgpu_waves_per_eu(4)))", NONE, 128),
    ("__launch_bounds__(256) __attribute__((amdgpu_waves_per_eu(4)))", NONE, 128),
    ("__launch_bounds__(256, 1) __attribute__((amdgpu_waves_per_eu(4)))", NONE, 512),
]
NVIDIA = [
    ("", NONE, 255),
    ("", RegisterOptions(max_registers=64), 64),
    ("", RegisterOptions(max_registers=61), 61),
    ("", RegisterOptions(max_registers=20), 24),
    ("__launch_bounds__(256)", RegisterOptions(max_registers=64), 255),
    ("__maxnreg__(80)", NONE, 80),
    ("__maxnreg__(80)", RegisterOptions(max_registers=64), 80),
]


def text_of(head: str, size: int) -> str:
    return KERNEL.replace("HEAD", head).replace("SIZE", str(size))


def budget(head: str, options: RegisterOptions, language: Language, target: str) -> int:
    settings = Settings(architectures=(target,), registers=options)
    return facts_of(text_of(head, 96), language, settings).target(target).budget


@pytest.mark.parametrize(("head", "options", "expected"), AMD)
def test_registers_that_clang_allows_a_thread(head: str, options: RegisterOptions, expected: int) -> None:
    assert budget(head, options, "hip", "gfx90a") == expected


@pytest.mark.parametrize(("head", "options", "expected"), NVIDIA)
def test_registers_that_nvcc_allows_a_thread(head: str, options: RegisterOptions, expected: int) -> None:
    assert budget(head, options, "cuda", "sm_90") == expected


@pytest.mark.parametrize(
    ("head", "options", "target", "code"),
    [
        ("", NONE, "gfx90a", "RP101"),  # what clang assumes
        ("", RegisterOptions(max_threads=256), "gfx90a", None),
        ("", RegisterOptions(max_threads=512), "gfx90a", "RP101"),
        ("__launch_bounds__(256)", RegisterOptions(max_threads=1024), "gfx90a", None),
        ("__attribute__((amdgpu_waves_per_eu(8)))", NONE, "gfx90a", "RP104"),
        ("__attribute__((amdgpu_waves_per_eu(4)))", RegisterOptions(max_threads=256), "gfx90a", "RP104"),
        ("__attribute__((amdgpu_num_vgpr(32)))", NONE, "gfx90a", "RP104"),
        ("__attribute__((amdgpu_flat_work_group_size(1, 256)))", NONE, "gfx90a", None),
        ("", NONE, "sm_90", None),
        ("", RegisterOptions(max_registers=64), "sm_90", "RP104"),
        ("__maxnreg__(80)", NONE, "sm_90", "RP104"),
        ("__launch_bounds__(256)", RegisterOptions(max_registers=64), "sm_90", None),  # bounds win
    ],
)
def test_rules_name_the_limit_of_a_kernel(head: str, options: RegisterOptions, target: str, code: str | None) -> None:
    text = text_of(head, 220) + "void run(float* p, int n) { wide<<<n, 256>>>(p, n); }\n"
    settings = Settings(architectures=(target,), registers=options, select=("RP101", "RP104"))
    path, include = ("a.hip", "#include <hip/hip_runtime.h>\n") if target == "gfx90a" else ("a.cu", "")
    found = lint_bytes(f"{include}{text}".encode(), path, settings).diagnostics
    assert [each.code for each in found] == ([code] if code is not None else [])


@pytest.mark.parametrize(("most", "expected"), [(64, ["RP104"]), (200, [])])
def test_a_cap_of_the_command_holds_for_sycl_on_nvidia(most: int, expected: list[str]) -> None:
    """`-Xcuda-ptxas --maxrregcount=64`: ptxas also compiles these kernels."""
    body = KERNEL.partition("{")[2].replace("SIZE", "96").replace("threadIdx.x", "it.get_local_id(0)")
    body = body.replace("__syncthreads()", "sycl::group_barrier(it.get_group())").rstrip()
    launch = f"q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) {{{body});"
    text = f"#include <sycl/sycl.hpp>\nvoid run(sycl::queue& q, float* p, int n) {{ {launch} }}\n"
    settings = Settings(architectures=("sm_90",), registers=RegisterOptions(max_registers=most), select=("RP104",))
    assert [each.code for each in lint_bytes(text.encode(), "a.cpp", settings).diagnostics] == expected


def test_a_macro_and_a_template_parameter_give_the_numbers_of_attributes() -> None:
    text = "#define CAP(n) __maxnreg__(n)\n" + text_of("CAP(2 * 20)", 96)
    assert facts_of(text, "cuda").target("sm_90").budget == 40
    text = "template <int N> " + text_of("__maxnreg__(N)", 96) + "template __global__ void wide<48>(float*, int);\n"
    assert facts_of(text, "cuda").target("sm_90").budget == 48


@pytest.mark.long
@pytest.mark.compiler
@pytest.mark.parametrize(("head", "options", "expected"), AMD)
def test_clang_itself(head: str, options: RegisterOptions, expected: int, tmp_path: Path) -> None:
    compilers.need(".hip")
    flags = [f"--gpu-max-threads-per-block={options.max_threads}"] if options.max_threads else []
    source = tmp_path / "a.hip"
    source.write_text(text_of(head, 300))
    libs = toolchain.device_libs_for(compilers.chain(), "gfx90a", tmp_path / "libs")
    (found,) = toolchain.compile_hip(compilers.chain(), source, "gfx90a", libs, *flags)
    assert found.total == expected


@pytest.mark.compiler
@pytest.mark.parametrize(("head", "options", "expected"), NVIDIA)
def test_nvcc_itself(head: str, options: RegisterOptions, expected: int, tmp_path: Path) -> None:
    compilers.need(".cu")
    flags = [f"-maxrregcount={options.max_registers}"] if options.max_registers else []
    source = tmp_path / "a.cu"
    source.write_text(text_of(head, 96))  # 254 registers; ptxas gives bounds with more than 255 values 32
    (found,) = toolchain.compile_cuda(compilers.chain(), source, "sm_90", tmp_path, *flags)
    assert abs(found.registers - expected) <= 1


CHAIN = """__global__ void HEAD chain(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[60];
#pragma unroll
  for (int k = 0; k < 60; ++k) s[k] = a[k * n + i];
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int k = 0; k < 60; ++k) s[k] = s[k] * s[(k + 1) % 60] + s[(k + 7) % 60];
  }
#pragma unroll
  for (int k = 0; k < 60; ++k) b[k * n + i] = s[k];
}
"""


@pytest.mark.parametrize(
    ("head", "language", "target"),
    [
        ("__launch_bounds__(1024)", "hip", "gfx90a"),
        ("__attribute__((amdgpu_waves_per_eu(4)))", "hip", "gfx90a"),
        ("__launch_bounds__(1024)", "hip", "gfx908"),
        ("__launch_bounds__(1024)", "cuda", "sm_90"),
        ("__maxnreg__(64)", "cuda", "sm_90"),
    ],
)
def test_estimate_above_a_set_budget_is_spilled(head: str, language: Language, target: str) -> None:
    facts = facts_of(CHAIN.replace("HEAD", head), language, Settings(architectures=(target,)))
    own, room = facts.target(target), facts.compiled(target).room
    assert own.registers.estimate > room
    assert own.registers.scratch_bytes >= 4 * (own.registers.estimate - room)
    assert own.use(own.registers.estimate).vgprs == own.budget  # the waves are those of the budget
    assert facts.excess_bytes(target) == 0


def test_estimate_above_an_assumed_budget_is_reported_separately() -> None:
    """clang 19 spills 276 bytes of it with the 1,024 threads that it assumes, and none with room for 256."""
    facts = facts_of(CHAIN.replace("HEAD", ""), "hip", Settings(architectures=("gfx90a",)))
    own = facts.target("gfx90a").registers
    assert own.estimate > 128
    assert own.scratch_bytes == 0
    assert facts.excess_bytes("gfx90a") >= 4 * (own.estimate - 128)
    far = facts_of(CHAIN.replace("HEAD", "").replace("60", "110"), "hip", Settings(architectures=("gfx90a",)))
    assert far.target("gfx90a").registers.scratch_bytes > 0
    assert far.excess_bytes("gfx90a") == 0


def test_estimate_above_the_registers_of_a_work_item_is_reported_separately() -> None:
    """IGC, which has no array to put into memory there, spills 92 bytes of the tile of testdata/advice at 32 lanes."""
    text = (TESTDATA / "advice" / "intel.cpp").read_text()
    file = build_file(Source("intel.cpp", text.encode()), "sycl", Project())
    facts = {each.name: kernel_facts(file, each, Settings(architectures=("pvc",))) for each in file.kernels}
    tile, held = facts["tile"], facts["histogram"]
    own = tile.target("pvc").registers
    assert own.scratch_bytes == 0
    assert tile.excess_bytes("pvc") == 4 * (own.estimate - 64) > 0
    assert held.target("pvc").registers.scratch_bytes == 256
    assert held.excess_bytes("pvc") == 0  # what IGC put into memory leaves room


def test_estimate_of_kernels_that_ptxas_fits_into_32_registers_fits_a_cap_of_32() -> None:
    arch = architecture("sm_90")
    assert [within(each, 32, arch) for each in (30, 33, 37, 38)] == [30, 32, 32, 38]
    assert within(34, 24, arch) == 34
    assert within(34, 32, architecture("gfx90a")) == 34
