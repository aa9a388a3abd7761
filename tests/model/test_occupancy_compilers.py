"""Against the compilers themselves, where they are installed: random configurations, not one mismatch."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, NamedTuple

import compilers
import pytest

from regpress_lint.targets.occupancy import (
    Architecture,
    KernelUse,
    architecture,
    architectures,
    compiler_waves_per_simd,
    occupancy,
)
from regpress_lint.targets.occupancy.quantities import waves_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CLANG = shutil.which("clang++-19")
NVCC = shutil.which("nvcc")
KERNELS_A_TARGET = 80
LAUNCHES_A_TARGET = 500
EXCEPT = 'add `NAME = ["*"]` to `except` of the first [[check]] in targets/data/{}.toml'
REMARK = re.compile(
    r"remark: .*?(Function Name|(?:Total)?SGPRs|VGPRs|AGPRs|Occupancy \[waves/SIMD\]|LDS Size [^:]*): (\S+)"
)
BLOCKS = (1, 33, 64, 65, 96, 128, 192, 256, 320, 384, 500, 512, 640, 768, 896, 1023, 1024)
LDS = (0, 0, 0, 1, 16, 255, 256, 1000, 4096, 6554, 8192, 12288, 16384, 21846, 24576, 32768, 49152, 65535, 65536)
# Targets of LLVM 19 that are aliases here: their numbers must be those of the architecture that they stand for.
# fmt: off
ALIASED = (
    "gfx601", "gfx602", "gfx701", "gfx702", "gfx704", "gfx902", "gfx904", "gfx909", "gfx90c", "gfx1011", "gfx1012",
    "gfx1013", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036", "gfx9-generic", "gfx10-1-generic",
    "gfx10-3-generic", "gfx11-generic", "gfx12-generic",
)
# fmt: on


class Kernel(NamedTuple):
    """Registers requested for a kernel; the compiler may use more SGPRs (VCC and the like)."""

    vgprs: int
    agprs: int
    sgprs: int
    lds: int
    block: int


def _most_registers(arch: Architecture, block: int, wave_size: int, mode: str) -> int:
    """Registers that a wave may take if the group shall be resident; clang cannot honour a clobber above them."""
    per_simd = waves_of(waves_of(block, wave_size), arch.mode(mode).simds)
    granule = arch.reg_granule[wave_size]
    return min(arch.max_regs_per_thread, arch.regs_per_simd[wave_size] // per_simd // granule * granule)


def _random_kernel(arch: Architecture, wave_size: int, mode: str, rng: random.Random) -> Kernel:
    block = rng.choice(BLOCKS)
    most = _most_registers(arch, block, wave_size, mode)
    agprs = rng.choice((0, rng.randint(1, min(256, most // 2)))) if arch.acc_regs != "none" else 0
    left = most - agprs - 4 if arch.acc_regs == "unified" and agprs else most
    vgprs = rng.randint(1, min(256, left))
    lds = rng.choice((*LDS, rng.randint(1, arch.lds_max_per_group)))
    return Kernel(vgprs, agprs, rng.randint(1, 96), min(lds, arch.lds_max_per_group), block)


def _source(number: int, kernel: Kernel) -> str:
    clobbers = [f"v{kernel.vgprs - 1}", f"s{kernel.sgprs - 1}", *([f"a{kernel.agprs - 1}"] if kernel.agprs else [])]
    body = 'asm volatile("" ::: ' + ", ".join(f'"{name}"' for name in clobbers) + ");"
    if kernel.lds:
        # An address that the assembler takes: a store through a generic pointer is more than gfx6 can do.
        take = 'asm volatile("" :: "v"((__attribute__((address_space(3))) char *)tile));'
        body = f"static __attribute__((shared)) char tile[{kernel.lds}]; {take} {body}"
    size = f"__attribute__((amdgpu_flat_work_group_size({kernel.block},{kernel.block})))"
    return f'extern "C" __attribute__((global)) {size} void k{number}() {{ {body} }}'


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


def _compile(target: str, kernels: Sequence[Kernel], folder: Path, flags: Sequence[str] = ()) -> list[dict[str, int]]:
    """The remark of every kernel."""
    compilers.need(".cpp")
    source = folder / "kernels.hip"
    source.write_text("\n".join(_source(*each) for each in enumerate(kernels)), encoding="utf-8")
    command = [str(CLANG), "-x", "hip", f"--offload-arch={target}", "--cuda-device-only", "-nogpulib", "-nogpuinc"]
    command += ["-mcode-object-version=6"] if "generic" in target else []
    command += ["-O1", "-S", "-Rpass-analysis=kernel-resource-usage", *flags]
    command += ["-o", str(folder / "out.s"), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert "invalid target ID" not in done.stderr, f"clang does not know {target}: {EXCEPT.format('amd')}"
    assert done.returncode == 0, done.stderr[:2000]
    reported = _remarks(done.stderr)
    return [reported[f"k{number}"] for number in range(len(kernels))]


def _mismatches(target: str, kernels_each: int, folder: Path) -> list[object]:
    """Every wave size and mode of a target: what clang prints differently, or does not take as asked."""
    arch = architecture(target)
    rng = random.Random(target)
    found: list[object] = []
    for wave_size in arch.wave_sizes:
        for mode in arch.modes:
            flags = []
            if len(arch.modes) > 1:  # gfx10 and later: wave32 and WGP mode unless told otherwise
                flags = ["-mcumode" if mode.name == "cu" else "-mno-cumode"]
                flags += ["-mwavefrontsize64" if wave_size == 64 else "-mno-wavefrontsize64"]
            kernels = [_random_kernel(arch, wave_size, mode.name, rng) for _ in range(kernels_each)]
            for kernel, row in zip(kernels, _compile(target, kernels, folder, flags), strict=True):
                agprs = row.get("AGPRs", 0)
                use = KernelUse(row["VGPRs"], agprs, row["SGPRs"], row["LDS"], kernel.block, wave_size, mode=mode.name)
                taken = (row["VGPRs"], agprs, row["LDS"])
                ours = compiler_waves_per_simd(arch, use)
                if taken != (kernel.vgprs, kernel.agprs, kernel.lds) or ours != row["Occupancy"]:
                    found.append((kernel, use, ours, row["Occupancy"]))
    return found


@pytest.mark.compiler
@pytest.mark.parametrize("target", [arch.name for arch in architectures("amd") if arch.verified])
def test_remark_of_clang(target: str, tmp_path: Path) -> None:
    arch = architecture(target)
    found = _mismatches(target, KERNELS_A_TARGET // (len(arch.modes) * len(arch.wave_sizes)), tmp_path)
    assert not found, found[:5]


@pytest.mark.compiler
@pytest.mark.parametrize("target", ALIASED)
def test_remark_of_clang_for_targets_that_are_aliases(target: str, tmp_path: Path) -> None:
    assert target in architecture(target).aliases, f"{target} has a row of its own: it leaves ALIASED"
    found = _mismatches(target, 12, tmp_path)
    assert not found, found[:5]


# The documents' kernels (testdata/occupancy/claims.md) and what clang prints for them.
DOCUMENTS = {
    "gfx906": [
        *(
            (Kernel(most, 0, 1, 0, 64), waves)
            for waves, most in zip(range(10, 4, -1), (24, 28, 32, 36, 40, 48), strict=True)
        ),
        *(
            (Kernel(most, 0, 1, 0, 64), waves)
            for waves, most in ((4, 64), (3, 84), (2, 128), (1, 256), (9, 25), (1, 129))
        ),
        *((Kernel(8, 0, 1, 0, block), waves) for block, waves in ((64, 10), (128, 8), (384, 9), (640, 10), (256, 10))),
        (Kernel(8, 0, 1, 32 * 1024, 256), 2),
        # SGPRs in code: 4 more are reported, so these are 80, 81, 88, 89, 96 and 101.
        *(
            (Kernel(8, 0, count, 0, 64), waves)
            for count, waves in ((76, 10), (77, 9), (84, 9), (85, 8), (92, 8), (97, 7))
        ),
    ],
    "gfx908": [
        (Kernel(8, 0, 1, 24 * 1024, 256), 2),
        *((Kernel(count, 0, 58, 0, 256), waves) for count, waves in ((52, 4), (64, 4), (60, 4), (50, 4), (24, 10))),
        (Kernel(64, 0, 1, 12 * 1024, 512), 4),
    ],
    "gfx90a": [
        *((Kernel(count, 0, 88, 0, 256), waves) for count, waves in ((134, 3), (128, 4), (102, 4), (100, 4), (96, 5))),
        (Kernel(96, 0, 88, 0, 1024), 5),
        *((Kernel(8, 0, 1, 24 * 1024, block), waves) for block, waves in ((1024, 8), (256, 2))),
        *((Kernel(64, 0, 58, 0, 256), 8), (Kernel(64, 0, 1, 12 * 1024, 512), 8), (Kernel(256, 256, 1, 0, 64), 1)),
    ],
}


@pytest.mark.compiler
@pytest.mark.parametrize("target", DOCUMENTS)
def test_remark_of_clang_for_the_documents_kernels(target: str, tmp_path: Path) -> None:
    printed = _compile(target, [kernel for kernel, _ in DOCUMENTS[target]], tmp_path)
    for (kernel, waves), row in zip(DOCUMENTS[target], printed, strict=True):
        assert (row["VGPRs"], row["LDS"], row["Occupancy"]) == (kernel.vgprs, kernel.lds, waves), kernel


# Reads "major minor threads/SM smem/SM opt-in reserved registers smem block carveout barriers" a line; writes blocks,
# the limiting factors and the limits by registers, shared memory, warps, blocks and barriers.
CUDA_PROGRAM = r"""
#include <cstdio>
#include <cstddef>
#include <cuda_occupancy.h>
int main() {
    int major, minor, threads, regs, block, carveout, barriers;
    unsigned long sm, optin, reserved, smem;
    while (std::scanf("%d %d %d %lu %lu %lu %d %lu %d %d %d", &major, &minor, &threads, &sm, &optin, &reserved, &regs,
                      &smem, &block, &carveout, &barriers) == 11) {
        cudaOccDeviceProp device;
        device.computeMajor = major; device.computeMinor = minor;
        device.maxThreadsPerBlock = 1024; device.maxThreadsPerMultiprocessor = threads;
        device.regsPerBlock = 65536; device.regsPerMultiprocessor = 65536; device.warpSize = 32;
        device.sharedMemPerBlock = 49152; device.sharedMemPerMultiprocessor = sm; device.numSms = 1;
        device.sharedMemPerBlockOptin = optin; device.reservedSharedMemPerBlock = reserved;
        cudaOccFuncAttributes kernel;
        kernel.maxThreadsPerBlock = 1024; kernel.numRegs = regs; kernel.sharedSizeBytes = smem;
        kernel.partitionedGCConfig = PARTITIONED_GC_OFF; kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        kernel.maxDynamicSharedSizeBytes = 0; kernel.numBlockBarriers = barriers;
        cudaOccDeviceState state; cudaOccResult r;
        state.carveoutConfig = carveout;
        int error = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &kernel, &state, block, 0);
        std::printf("%d %u %d %d %d %d %d\n", error ? -error : r.activeBlocksPerMultiprocessor, r.limitingFactors,
                    r.blockLimitRegs, r.blockLimitSharedMem, r.blockLimitWarps, r.blockLimitBlocks,
                    r.blockLimitBarriers);
    }
}
"""
UNLIMITED = 2**31 - 1
FACTORS = {"waves": 1, "registers": 2, "lds": 4, "groups": 8, "barriers": 16}


def _random_launch(arch: Architecture, rng: random.Random) -> KernelUse:
    most = arch.lds_max_per_group
    near = rng.choice((1024, 8192, 16384, 32768, 48 * 1024, most // 2, most - 1024, most)) + rng.randint(-1, 1)
    lds = rng.choice((0, 0, rng.randrange(1, 4096), rng.randrange(1, 49152), rng.randrange(1, most + 2048), near))
    return KernelUse(
        vgprs=rng.choice((rng.randint(0, 256), rng.randint(1, 64), 32, 128, 255, 256, 257)),
        lds_bytes=lds,
        block_size=rng.choice((rng.randint(1, 1024), rng.randint(1, 1024), 32, 128, 256, 512, 1023, 1024, 1025, 2048)),
        carveout=rng.choice((-1, -1, rng.randint(0, 100), 0, 25, 50, 75, 100)),
        barriers=rng.choice((1, 1, 1, 0, 2, 3, 16)),
    )


def _ours(arch: Architecture, use: KernelUse) -> tuple[int, ...]:
    answer = occupancy(arch, use)
    names = ("registers", "lds", "waves", "groups", "barriers")
    limits = (answer.per_limiter[name] for name in names)
    factors = sum(FACTORS[name] for name in answer.limiters)
    return answer.groups, factors, *(UNLIMITED if limit is None else limit for limit in limits)


@pytest.fixture(scope="module")
def cuda_occupancy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that answers launches with the functions of cuda_occupancy.h."""
    compilers.need(".cu")
    source = tmp_path_factory.mktemp("cuda") / "ask.cpp"
    source.write_text(CUDA_PROGRAM, encoding="utf-8")
    program = source.with_suffix("")
    subprocess.run([str(NVCC), "-O0", "-o", str(program), str(source)], check=True, timeout=300, capture_output=True)
    return program


@pytest.mark.compiler
@pytest.mark.parametrize("target", [arch.name for arch in architectures("nvidia") if arch.verified])
def test_cuda_occupancy_header(target: str, cuda_occupancy: Path) -> None:
    """Blocks, every limit and what limits."""
    rng = random.Random(target)
    arch = architecture(target)
    uses = [_random_launch(arch, rng) for _ in range(LAUNCHES_A_TARGET)]
    lines = []
    for use in uses:
        major, minor = arch.name.removeprefix("sm_")[:-1], arch.name[-1]
        unit = arch.modes[0]
        threads = arch.max_waves_per_simd * unit.simds * 32
        device = (threads, unit.lds_bytes, arch.lds_max_per_group, arch.lds_reserved_per_group)
        kernel = (use.vgprs, use.lds_bytes, use.block_size, use.carveout, use.barriers)
        lines.append(" ".join(map(str, (major, minor, *device, *kernel))))
    done = subprocess.run(
        [str(cuda_occupancy)], input="\n".join(lines), capture_output=True, text=True, check=True, timeout=60
    )
    theirs = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    mismatches = []
    for use, answer in zip(uses, theirs, strict=True):
        ours = _ours(arch, use)
        if use.barriers > 1:
            # The header adds barriers to the factors that it had found, also where those no longer limit.
            ours, answer = (ours[0], *ours[2:]), (answer[0], *answer[2:])
        if ours != answer:
            mismatches.append((use, ours, answer))
    known = not any(answer[0] < 0 for _, _, answer in mismatches)
    assert known, f"the header does not know {target}: {EXCEPT.format('nvidia')}"
    assert not mismatches, (len(mismatches), mismatches[:5])
    assert len({answer[0] for answer in theirs}) > 8


# What they list that is no GPU of the tables: families, GPUs before Pascal, Gen8, and Volcanic Islands' first, of which
# each wave has 96 SGPRs.
_NO_GPU = re.compile(r"generic|sm_[2-5]\d|sm_72|bdw|gen8|gfx80[25]|tonga|iceland")
_FAMILIES = re.compile(r"(?:gen\d+|xe)[\w-]*")


@pytest.mark.parametrize(
    ("command", "names"),
    [
        (("clang++-19", "--print-supported-cpus", "--target=amdgcn"), r"(?m)^\s+(\w+)$"),
        (("nvcc", "--list-gpu-code"), r"\b(sm_\w+)"),
        (("ocloc", "compile", "--help"), r"([a-z][\w-]*)(?=,)"),
    ],
)
def test_every_gpu_that_a_compiler_lists_is_known(command: tuple[str, ...], names: str) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    text = result.stdout + result.stderr
    if command[0] == "ocloc":
        text = re.search(r"can be: (bdw.*?), version", text)[0]  # type: ignore[index]
    listed = [name for name in re.findall(names, text) if not _NO_GPU.search(name)]
    assert len(listed) > 10
    assert [name for name in listed if not (_FAMILIES.fullmatch(name) or _is_known(name))] == []


def _is_known(name: str) -> bool:
    try:
        architecture(name)
    except ValueError:
        return False
    return True
