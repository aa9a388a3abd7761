"""The seed documents' tables and worked examples: what is right in them, the right value where they are wrong."""

from __future__ import annotations

import pytest

from regpress_lint.occupancy import KernelUse, architecture, compiler_waves_per_simd, occupancy, runtime_blocks
from regpress_lint.occupancy.steps import register_steps

# Most registers for 10, 9, ... waves per SIMD.
GCN_VGPRS = ((24, 10), (28, 9), (32, 8), (36, 7), (40, 6), (48, 5), (64, 4), (84, 3), (128, 2), (256, 1))
CDNA2_VGPRS = ((64, 8), (72, 7), (80, 6), (96, 5), (128, 4), (168, 3), (256, 2), (512, 1))
RDNA2_VGPRS = ((64, 16), (80, 12), (96, 10), (112, 9), (128, 8), (144, 7), (160, 6), (192, 5), (256, 4))
RDNA3_VGPRS = ((96, 16), (120, 12), (144, 10), (168, 9), (192, 8), (216, 7), (240, 6), (256, 5))
H100_REGISTERS = ((32, 64), (40, 48), (48, 40), (64, 32), (80, 24), (128, 16), (255, 8))


@pytest.mark.parametrize(
    ("arch", "cliffs", "block"),
    [
        ("gfx906", GCN_VGPRS, 64),
        ("gfx908", GCN_VGPRS, 256),
        ("gfx90a", CDNA2_VGPRS, 256),
        ("gfx942", CDNA2_VGPRS, 64),
        ("gfx1030", RDNA2_VGPRS, 128),
        ("gfx1102", RDNA2_VGPRS, 128),
        ("gfx1100", RDNA3_VGPRS, 128),
        ("gfx1201", RDNA3_VGPRS, 128),
    ],
)
def test_amd_register_cliffs(arch: str, cliffs: tuple[tuple[int, int], ...], block: int) -> None:
    steps = register_steps(architecture(arch), block, mode="wgp")
    assert [(registers, float(waves)) for registers, waves in steps] == list(cliffs)


@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
def test_nvidia_register_cliffs(arch: str) -> None:
    steps = register_steps(architecture(arch), 256)
    assert [(registers, float(waves * 4)) for registers, waves in steps] == list(H100_REGISTERS)


@pytest.mark.parametrize(("sgprs", "waves"), [(32, 10), (64, 10), (80, 10), (96, 8)])
def test_gcn_sgpr_table(sgprs: int, waves: int) -> None:
    use = KernelUse(vgprs=8, sgprs=sgprs, block_size=64)
    assert occupancy(architecture("gfx906"), use).waves_per_simd == waves
    assert compiler_waves_per_simd(architecture("gfx906"), use) == waves


def test_sgpr_conventions_differ_where_llvm_is_finer() -> None:
    """81 to 88 SGPRs: nine waves by LLVM's table, eight by the granule of 16 that the hardware allocates."""
    use = KernelUse(vgprs=8, sgprs=84, block_size=64)
    gcn = architecture("gfx906")
    assert compiler_waves_per_simd(gcn, use) == 9
    assert occupancy(gcn, use).waves_per_simd == 8
    assert occupancy(gcn, use).limiters == ("sgprs",)


@pytest.mark.parametrize(
    ("block", "waves"), [(64, 40), (256, 40), (320, 40), (512, 40), (128, 32), (384, 36), (1024, 32)]
)
def test_gcn_block_sizes_that_fill_the_unit(block: int, waves: int) -> None:
    answer = occupancy(architecture("gfx906"), KernelUse(vgprs=8, block_size=block))
    assert (answer.waves, answer.max_waves) == (waves, 40)


def test_gcn_block_of_128_is_held_by_the_barriers() -> None:
    answer = occupancy(architecture("gfx906"), KernelUse(vgprs=8, block_size=128))
    assert answer.limiters == ("barriers",)
    assert answer.fraction == 0.8


@pytest.mark.parametrize(("block", "printed"), [(128, 8), (384, 9)])
def test_gcn_block_sizes_as_the_compiler_prints_them(block: int, printed: int) -> None:
    assert compiler_waves_per_simd(architecture("gfx906"), KernelUse(vgprs=8, block_size=block)) == printed


def test_gcn_lds_32_kib() -> None:
    use = KernelUse(vgprs=8, lds_bytes=32 * 1024, block_size=256)
    answer = occupancy(architecture("gfx906"), use)
    assert (answer.waves, answer.max_waves, answer.limiters) == (8, 40, ("lds",))
    assert compiler_waves_per_simd(architecture("gfx906"), use) == 2


@pytest.mark.parametrize(("vgprs", "waves"), [(102, 4), (97, 4), (96, 5), (64, 8), (128, 4), (256, 2)])
def test_cdna2_vgprs(vgprs: int, waves: int) -> None:
    use = KernelUse(vgprs=vgprs, block_size=256)
    assert compiler_waves_per_simd(architecture("mi250x"), use) == waves
    assert occupancy(architecture("mi250x"), use).waves_per_simd == waves


@pytest.mark.parametrize(("vgprs", "agprs", "waves"), [(64, 64, 4), (256, 256, 1), (65, 60, 4), (61, 0, 8), (61, 1, 7)])
def test_cdna2_accumulation_registers_share_the_file(vgprs: int, agprs: int, waves: int) -> None:
    use = KernelUse(vgprs=vgprs, agprs=agprs)
    assert occupancy(architecture("gfx90a"), use).waves_per_simd == waves


def test_mi100_accumulation_registers_are_apart() -> None:
    assert occupancy(architecture("mi100"), KernelUse(vgprs=64, agprs=64)).waves_per_simd == 4


def test_mi100_lds_never_holds_a_part_of_a_group() -> None:
    """The document has 10 of 40, from 64/24 = 2.67 groups; two whole groups are 8."""
    use = KernelUse(vgprs=8, lds_bytes=24 * 1024, block_size=256)
    answer = occupancy(architecture("mi100"), use)
    assert (answer.groups, answer.waves, answer.max_waves) == (2, 8, 40)
    assert compiler_waves_per_simd(architecture("mi100"), use) == 2
    assert runtime_blocks(architecture("mi100"), use) == 2


@pytest.mark.parametrize("block", [64, 256])
def test_mi100_52_registers(block: int) -> None:
    """The document has 38 of 40: it rounds the file up to 2,000 registers and counts the accumulation registers in."""
    answer = occupancy(architecture("mi100"), KernelUse(vgprs=52, sgprs=64, block_size=block))
    assert (answer.waves, answer.max_waves) == (16, 40)
    assert answer.limiters == ("registers",)


def test_mi250x_64_registers_fill_the_unit() -> None:
    """The document has 78 %, of GCN's 40 waves; CDNA 2 holds 32."""
    answer = occupancy(architecture("mi250x"), KernelUse(vgprs=64, block_size=256))
    assert (answer.waves, answer.max_waves, answer.fraction) == (32, 32, 1.0)


@pytest.mark.parametrize(
    ("lds", "groups", "limiters"),
    [
        (24 * 1024, 3, ("registers",)),
        (24 * 1024 + 1, 3, ("registers", "lds")),
        (32 * 1024, 3, ("registers", "lds")),
        (32 * 1024 + 1, 2, ("lds",)),
    ],
)
def test_v100_76_registers(lds: int, groups: int, limiters: tuple[str, ...]) -> None:
    """37.5 % as in the document; registers hold it, shared memory ties only above 24 KiB."""
    answer = occupancy(architecture("v100"), KernelUse(vgprs=76, lds_bytes=lds, block_size=256))
    assert (answer.groups, answer.limiters) == (groups, limiters)
    assert answer.fraction == groups * 8 / 64


@pytest.mark.parametrize(("carveout", "fraction"), [(100, 0.375), (66, 0.25), (33, 0.125)])
def test_v100_carveout(carveout: int, fraction: float) -> None:
    use = KernelUse(vgprs=76, lds_bytes=24 * 1024, block_size=256, carveout=carveout)
    assert occupancy(architecture("v100"), use).fraction == fraction


def test_nvidia_launch_check_rounds_warps_to_the_partitions() -> None:
    """288 threads x 200 registers are 57,600, but nine warps are checked as twelve."""
    a100 = architecture("a100")
    assert occupancy(a100, KernelUse(vgprs=200, block_size=288)).groups == 0
    assert occupancy(a100, KernelUse(vgprs=200, block_size=256)).groups == 1


def test_h100_reserves_one_kib_of_each_block() -> None:
    assert occupancy(architecture("h100"), KernelUse(vgprs=16, lds_bytes=12288, block_size=32)).groups == 17


def test_mi250_measured_limiters() -> None:
    """rocprofiler-compute's measured examples: 49.92 %, 12.49 %, 98.9 % of 32 waves a CU."""
    mi250 = architecture("mi250")
    assert occupancy(mi250, KernelUse(vgprs=122)).fraction == 0.5
    assert occupancy(mi250, KernelUse(vgprs=8, lds_bytes=65536, block_size=256)).fraction == 0.125
    assert occupancy(mi250, KernelUse(vgprs=64, sgprs=80)).fraction == 1.0


def test_the_remark_is_not_residency() -> None:
    """96 registers and 1,024 threads: clang prints 5, but 20 wave slots hold one group of 16 waves."""
    use = KernelUse(vgprs=96, block_size=1024)
    assert compiler_waves_per_simd(architecture("gfx90a"), use) == 5
    assert occupancy(architecture("gfx90a"), use).waves_per_simd == 4


@pytest.mark.parametrize(("block", "printed"), [(256, 2), (1024, 8)])
def test_the_remark_assumes_1024_threads(block: int, printed: int) -> None:
    use = KernelUse(vgprs=8, lds_bytes=24 * 1024, block_size=block)
    assert compiler_waves_per_simd(architecture("gfx90a"), use) == printed


def test_hip_runtime_holds_gcn_at_32_waves() -> None:
    use = KernelUse(vgprs=8, block_size=64)
    assert runtime_blocks(architecture("gfx906"), use) == 32
    assert runtime_blocks(architecture("gfx906"), KernelUse(vgprs=8, block_size=1025)) == 0
    assert occupancy(architecture("gfx906"), use).groups == 40


def test_intel_large_grf_halves_the_threads() -> None:
    """Intel's training table says 896 work-items give 89.5 %; two groups of 28 threads on 64 are 87.5 %."""
    pvc = architecture("pvc")
    use = KernelUse(block_size=448, wave_size=16)
    assert occupancy(pvc, use).fraction == 0.875
    assert occupancy(pvc, KernelUse(block_size=256, wave_size=32, grf=256)).fraction == 0.5
    assert occupancy(pvc, KernelUse(block_size=1024, wave_size=16, grf=256)).groups == 0
