"""Against the compilers themselves, where they are installed: random configurations, not one mismatch."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from regpress_lint.occupancy import KernelUse, architecture, architectures, compiler_waves_per_simd, occupancy

if TYPE_CHECKING:
    from pathlib import Path

CLANG = shutil.which("clang++-19")
NVCC = shutil.which("nvcc")
KERNELS_A_TARGET = 40
REMARK = re.compile(
    r"remark: .*?(Function Name|(?:Total)?SGPRs|VGPRs|AGPRs|Occupancy \[waves/SIMD\]|LDS Size [^:]*): (\S+)"
)
BLOCKS = (1, 33, 64, 65, 96, 128, 192, 256, 320, 384, 500, 512, 640, 768, 896, 1024)


def _random_kernel(number: int, rng: random.Random, most_lds: int) -> tuple[str, int]:
    """Source of a kernel with a chosen number of registers, LDS and work-group size, and that size."""
    block = rng.choice(BLOCKS)
    # At most what 1,024 threads leave on the smallest target, or clang could not honour the clobber.
    registers = rng.randint(1, 64)
    lds = min(rng.choice((0, 0, 16, 1000, 4096, 8192, 12288, 16384, 24576, 32768, 49152, 65536)), most_lds)
    scalars = rng.randint(1, 95)
    body = [f'asm volatile("" ::: "v{registers - 1}", "s{scalars - 1}");']
    if lds:
        body.insert(0, f"static __attribute__((shared)) char tile[{lds}]; tile[out[1]] = 1; out[0] = tile[out[2]];")
    attributes = f"__attribute__((global)) __attribute__((amdgpu_flat_work_group_size({block},{block})))"
    return f'extern "C" {attributes} void k{number}(int *out) {{ {" ".join(body)} }}', block


def _remarks(output: str) -> dict[str, dict[str, int]]:
    """Kernel name -> what its remark reports."""
    found: dict[str, dict[str, int]] = {}
    name = ""
    for key, value in REMARK.findall(output):
        if key == "Function Name":
            name = value
            found[name] = {}
        elif name:
            # LLVM 20 says TotalSGPRs where LLVM 19 says SGPRs.
            found[name][key.removeprefix("Total").partition(" ")[0]] = int(value)
    return found


@pytest.mark.compiler
@pytest.mark.skipif(CLANG is None, reason="clang++-19 is not installed")
@pytest.mark.parametrize("target", [arch.name for arch in architectures("amd") if arch.verified])
def test_remark_of_clang(target: str, tmp_path: Path) -> None:
    rng = random.Random(target)
    arch = architecture(target)
    kernels = [_random_kernel(number, rng, arch.lds_max_per_group) for number in range(KERNELS_A_TARGET)]
    source = tmp_path / "kernels.hip"
    source.write_text("\n".join(text for text, _ in kernels), encoding="utf-8")
    flags = ["-x", "hip", f"--offload-arch={target}", "--cuda-device-only", "-nogpulib", "-nogpuinc", "-O1", "-S"]
    remark = "-Rpass-analysis=kernel-resource-usage"
    command = [str(CLANG), *flags, remark, "-o", str(tmp_path / "out.s"), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    reported = _remarks(done.stderr)
    assert len(reported) == KERNELS_A_TARGET
    mismatches = []
    for number, (_, block) in enumerate(kernels):
        row = reported[f"k{number}"]
        # clang compiles gfx10 and later for WGP mode unless told otherwise.
        use = KernelUse(row["VGPRs"], row.get("AGPRs", 0), row["SGPRs"], row["LDS"], block, mode="wgp")
        ours = compiler_waves_per_simd(arch, use)
        if ours != row["Occupancy"]:
            mismatches.append((use, ours, row["Occupancy"]))
    assert not mismatches, mismatches[:5]


# Reads "major minor threads/SM smem/SM opt-in reserved registers smem block" a line, writes blocks and the limits.
CUDA_PROGRAM = r"""
#include <cstdio>
#include <cstddef>
#include <cuda_occupancy.h>
int main() {
    int major, minor, threads, regs, block;
    unsigned long sm, optin, reserved, smem;
    while (std::scanf("%d %d %d %lu %lu %lu %d %lu %d", &major, &minor, &threads, &sm, &optin, &reserved, &regs, &smem,
                      &block) == 9) {
        cudaOccDeviceProp device;
        device.computeMajor = major; device.computeMinor = minor;
        device.maxThreadsPerBlock = 1024; device.maxThreadsPerMultiprocessor = threads;
        device.regsPerBlock = 65536; device.regsPerMultiprocessor = 65536; device.warpSize = 32;
        device.sharedMemPerBlock = 49152; device.sharedMemPerMultiprocessor = sm; device.numSms = 1;
        device.sharedMemPerBlockOptin = optin; device.reservedSharedMemPerBlock = reserved;
        cudaOccFuncAttributes kernel;
        kernel.maxThreadsPerBlock = 1024; kernel.numRegs = regs; kernel.sharedSizeBytes = smem;
        kernel.partitionedGCConfig = PARTITIONED_GC_OFF; kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        kernel.maxDynamicSharedSizeBytes = 0; kernel.numBlockBarriers = 1;
        cudaOccDeviceState state; cudaOccResult result;
        int error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, block, 0);
        std::printf("%d\n", error ? -error : result.activeBlocksPerMultiprocessor);
    }
}
"""


def _random_launch(rng: random.Random) -> KernelUse:
    lds = rng.choice((0, rng.randrange(1, 4096), rng.randrange(1, 49152), rng.randrange(1, 228 * 1024)))
    return KernelUse(vgprs=rng.randint(1, 256), lds_bytes=lds, block_size=rng.choice((rng.randint(1, 1024), 256, 1024)))


@pytest.mark.compiler
@pytest.mark.skipif(NVCC is None, reason="nvcc is not installed")
def test_cuda_occupancy_header(tmp_path: Path) -> None:
    source = tmp_path / "ask.cpp"
    source.write_text(CUDA_PROGRAM, encoding="utf-8")
    program = tmp_path / "ask"
    subprocess.run([str(NVCC), "-O0", "-o", str(program), str(source)], check=True, timeout=300, capture_output=True)
    rng = random.Random(20261121)
    asked = [(arch, _random_launch(rng)) for arch in architectures("nvidia") for _ in range(100)]
    lines = []
    for arch, use in asked:
        major, minor = arch.name.removeprefix("sm_")[:-1], arch.name[-1]
        unit = arch.modes[0]
        threads = arch.max_waves_per_simd * unit.simds * 32
        device = (threads, unit.lds_bytes, arch.lds_max_per_group, arch.lds_reserved_per_group)
        lines.append(" ".join(map(str, (major, minor, *device, use.vgprs, use.lds_bytes, use.block_size))))
    done = subprocess.run(
        [str(program)], input="\n".join(lines), capture_output=True, text=True, check=True, timeout=60
    )
    theirs = [int(line) for line in done.stdout.split()]
    assert len(theirs) == len(asked)
    pairs = zip(asked, theirs, strict=True)
    mismatches = [(arch.name, use, answer) for (arch, use), answer in pairs if occupancy(arch, use).groups != answer]
    assert not mismatches, mismatches[:5]
    assert len(set(theirs)) > 8
