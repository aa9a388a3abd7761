"""tools/measure/world_registers.py: its samples, the translation of CUDA's names to HIP's, and its cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.measure import world_registers
from tools.measure.world_registers import Told

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n"


def checkout(folder: Path) -> Path:
    root = folder / "project"
    (root / "src" / "gpu").mkdir(parents=True)
    (root / "include").mkdir()
    for number in range(5):
        (root / "src" / "gpu" / f"k{number}.cu").write_text(KERNEL)
    (root / "src" / "host.cpp").write_text("int main() {}\n")
    return root


def test_a_seed_draws_the_same_files_with_kernels_again(tmp_path: Path) -> None:
    root = checkout(tmp_path)
    first = world_registers.drawn(root, 3, 7)
    assert len(first) == 3
    assert first == world_registers.drawn(root, 3, 7)
    assert len(world_registers.drawn(root, 99, 7)) == 5


def test_includes_are_looked_for_above_a_file_and_in_include(tmp_path: Path) -> None:
    root = checkout(tmp_path)
    flags = world_registers.include_flags(root, root / "src" / "gpu" / "k0.cu")
    assert flags == [f"-I{root / 'src' / 'gpu'}", f"-I{root / 'src'}", f"-I{root}", f"-I{root / 'include'}"]


def test_names_of_cuda_become_those_that_hip_has(tmp_path: Path) -> None:
    hip = tmp_path / "include" / "hip"
    hip.mkdir(parents=True)
    (hip / "api.h").write_text("int hipMalloc(void**, int);")
    source = tmp_path / "a.cu"
    source.write_text("void f() { cudaMalloc(0, 1); cudaOfTheProject(); }")
    flags = world_registers.write_cuda_as_hip(tmp_path / "made", [source], tmp_path)
    text = (tmp_path / "made" / "as_hip.h").read_text()
    assert "#define cudaMalloc hipMalloc" in text
    assert "cudaOfTheProject" not in text
    assert flags[-1] == str(tmp_path / "made" / "as_hip.h")


def test_hip_is_cuda_for_nvcc(tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text("void f() { hipMalloc(0, 1); hipLaunchKernelGGL(k, 1, 2, 0, 0); int i = hipThreadIdx_x; }")
    (flag,) = world_registers.write_hip_as_cuda(tmp_path / "made", [source])
    text = (tmp_path / "made" / "hip" / "hip_runtime.h").read_text()
    assert flag == f"-I{tmp_path / 'made'}"
    assert "#define hipMalloc cudaMalloc\n" in text
    assert "#define hipThreadIdx_x threadIdx.x\n" in text
    assert "cudaLaunchKernelGGL" not in text


def test_failed_compilation_is_remembered_and_excluded(tmp_path: Path) -> None:
    root = checkout(tmp_path)
    rows = [Told("sm_90", "project/src/gpu/k0.cu", "k", 8.0, 0.0), Told("sm_90", "project/src/gpu/k1.cu", "", 0.0, 0.0)]
    world_registers._write(tmp_path / "truth.csv", rows)
    assert world_registers.read(tmp_path / "truth.csv") == rows
    found = world_registers.pairs(root, rows, "sm_90", 40, 1)
    assert [(pair.kernel, pair.registers) for pair in found] == [("project/src/gpu/k0.cu k", 8.0)]
    assert not world_registers.pairs(root, rows, "gfx90a", 40, 1)


def test_a_file_that_is_a_part_of_others_is_compiled_with_them(tmp_path: Path) -> None:
    root = checkout(tmp_path)
    (root / "src" / "main.cu").write_text('#include "gpu/k1.cu"\n')
    (root / "src" / "gpu" / "all.cu").write_text('#  include "k1.cu"\n')
    found = world_registers.includers(root, root / "src" / "gpu" / "k1.cu")
    assert [one.name for one in found] == ["all.cu", "main.cu"]
    assert world_registers.includers(root, root / "src" / "gpu" / "k2.cu") == []


def test_at_most_so_many_kernels_of_a_checkout_are_drawn_in_any_order_of_the_rows() -> None:
    rows = [Told("sm_90", "root/a.cu", f"k{number}", 32, 0) for number in range(9)]
    first = world_registers.few(rows, 4, 7)
    assert len(set(first)) == 4
    assert first == world_registers.few(rows[::-1], 4, 7)
    assert world_registers.few([*rows, Told("sm_90", "root/b.cu", "", 0, 0)], 99, 7) == rows
