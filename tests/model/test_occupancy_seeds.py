"""The seed documents' tables and worked examples: what is right in them, the right value where they are wrong."""

from __future__ import annotations

import pytest

from regpress_lint.targets.occupancy import (
    KernelUse,
    architecture,
    architectures,
    compiler_waves_per_simd,
    occupancy,
    runtime_blocks,
)
from regpress_lint.targets.occupancy.intel import grf_budget
from regpress_lint.targets.occupancy.steps import register_steps

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


@pytest.mark.parametrize("chip", ["gfx803", "gfx900", "gfx906"])
def test_gcn_vgpr_table_by_every_count(chip: str) -> None:
    """Not only the table's columns: each of the 256 counts has the waves of its column, printed and resident."""
    arch = architecture(chip)
    column = {count: waves for most, waves in reversed(GCN_VGPRS) for count in range(1, most + 1)}
    assert len(column) == 256
    for count, waves in column.items():
        use = KernelUse(vgprs=count, block_size=64)
        assert occupancy(arch, use).waves_per_simd == waves
        assert compiler_waves_per_simd(arch, use) == waves


@pytest.mark.parametrize(("sgprs", "waves"), [(32, 10), (48, 10), (64, 10), (80, 10), (96, 8)])
def test_gcn_sgpr_table(sgprs: int, waves: int) -> None:
    use = KernelUse(vgprs=8, sgprs=sgprs, block_size=64)
    assert occupancy(architecture("gfx906"), use).waves_per_simd == waves
    assert compiler_waves_per_simd(architecture("gfx906"), use) == waves


@pytest.mark.parametrize(("chip", "most"), [("gfx700", 104), ("gfx906", 108), ("gfx90a", 108), ("gfx1100", 108)])
def test_sgprs_as_reported_include_vcc_and_its_like(chip: str, most: int) -> None:
    """clang reports up to 102 addressable SGPRs and 6 for VCC, XNACK and FLAT_SCRATCH: such a kernel launches."""
    assert occupancy(architecture(chip), KernelUse(vgprs=8, sgprs=most, block_size=64)).groups > 0
    assert occupancy(architecture(chip), KernelUse(vgprs=8, sgprs=most + 1, block_size=64)).limiters == ("sgprs",)


def test_gcn_files() -> None:
    """64 KiB of VGPRs per SIMD, 12.5 KiB of SGPRs per CU."""
    arch = architecture("gfx906")
    assert arch.regs_per_simd[64] * 64 * 4 == 64 * 1024
    assert arch.sgprs_per_simd is not None
    assert arch.sgprs_per_simd * 4 * 4 == 12.5 * 1024


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


def test_gcn_best_block_sizes_of_all() -> None:
    """The document has 64, 256, 320 and 512, the divisors 1, 4, 5 and 8 of 40 waves; it forgets 10, 640 threads."""
    arch = architecture("gfx906")
    full = [block for block in range(1, 1025) if occupancy(arch, KernelUse(block_size=block)).fraction == 1]
    assert [block for block in full if block % 64 == 0] == [64, 256, 320, 512, 640]
    assert {-(-block // 64) for block in full} == {1, 4, 5, 8, 10}
    assert compiler_waves_per_simd(arch, KernelUse(vgprs=8, block_size=640)) == 10


def test_gcn_groups_of_a_unit() -> None:
    """16, but 40 of a single wave each."""
    groups = [occupancy(architecture("gfx906"), KernelUse(vgprs=8, block_size=block)).groups for block in (64, 65, 128)]
    assert groups == [40, 16, 16]


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


@pytest.mark.parametrize(
    ("vgprs", "waves"), [(134, 3), (128, 4), (102, 4), (100, 4), (97, 4), (96, 5), (94, 5), (64, 8), (256, 2)]
)
def test_cdna2_vgprs(vgprs: int, waves: int) -> None:
    use = KernelUse(vgprs=vgprs, block_size=256)
    assert compiler_waves_per_simd(architecture("mi250x"), use) == waves
    assert occupancy(architecture("mi250x"), use).waves_per_simd == waves


@pytest.mark.parametrize(
    ("vgprs", "sgprs", "waves"), [(102, 98, 4), (100, 98, 4), (96, 94, 5), (94, 86, 5), (96, 78, 5)]
)
def test_cdna2_lab_notes_remarks(vgprs: int, sgprs: int, waves: int) -> None:
    """The remarks in the document, all of them without launch bounds."""
    use = KernelUse(vgprs=vgprs, sgprs=sgprs, block_size=1024)
    assert compiler_waves_per_simd(architecture("gfx90a"), use) == waves
    assert occupancy(architecture("gfx90a"), use).waves_per_simd == 4


def test_cdna2_fewest_waves() -> None:
    """Registers alone leave one wave a SIMD; one a CU takes LDS."""
    assert occupancy(architecture("gfx90a"), KernelUse(vgprs=256, agprs=256, block_size=64)).waves == 4
    assert occupancy(architecture("gfx90a"), KernelUse(lds_bytes=65536, block_size=64)).waves == 1


@pytest.mark.parametrize(("vgprs", "agprs", "waves"), [(64, 64, 4), (256, 256, 1), (65, 60, 4), (61, 0, 8), (61, 1, 7)])
def test_cdna2_accumulation_registers_share_the_file(vgprs: int, agprs: int, waves: int) -> None:
    use = KernelUse(vgprs=vgprs, agprs=agprs)
    assert occupancy(architecture("gfx90a"), use).waves_per_simd == waves


def test_mi100_accumulation_registers_are_separate() -> None:
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


def test_mi100_registers_that_fill_the_unit() -> None:
    """The document has 50 VGPRs, 128,000 / 2,560; 24 fill it. Its 80 SGPRs are right."""
    mi100 = architecture("mi100")
    full = [n for n in range(1, 257) if occupancy(mi100, KernelUse(vgprs=n, block_size=64)).fraction == 1]
    assert max(full) == 24
    assert occupancy(mi100, KernelUse(vgprs=50, block_size=64)).waves == 16
    sgprs = [n for n in range(1, 109) if occupancy(mi100, KernelUse(vgprs=8, sgprs=n, block_size=64)).fraction == 1]
    assert max(sgprs) == 80


@pytest.mark.parametrize(
    ("chip", "use", "waves", "limiters"),
    [
        ("mi250x", KernelUse(vgprs=44, sgprs=64, lds_bytes=24 * 1024), 8, ("lds",)),
        ("mi100", KernelUse(vgprs=44, sgprs=64, lds_bytes=24 * 1024), 8, ("lds",)),
        ("mi100", KernelUse(vgprs=64, sgprs=64), 16, ("registers",)),
        ("mi100", KernelUse(vgprs=60, sgprs=56), 16, ("registers",)),
        ("mi250x", KernelUse(vgprs=60, sgprs=56), 32, ("waves", "registers")),
        ("mi100", KernelUse(vgprs=64, lds_bytes=12 * 1024, block_size=512), 16, ("registers",)),
        ("mi250x", KernelUse(vgprs=64, lds_bytes=12 * 1024, block_size=512), 32, ("waves", "registers")),
    ],
)
def test_porting_report(chip: str, use: KernelUse, waves: int, limiters: tuple[str, ...]) -> None:
    answer = occupancy(architecture(chip), use)
    assert (answer.waves, answer.limiters) == (waves, limiters)


def test_units_of_mi100_and_mi250x() -> None:
    """4,800 waves on 120 CUs, 3,520 on 110, 3,328 measured on the MI250's 104."""
    most = [occupancy(architecture(chip), KernelUse()).max_waves for chip in ("mi100", "mi250x", "mi250")]
    assert [waves * units for waves, units in zip(most, (120, 110, 104), strict=True)] == [4800, 3520, 3328]


def test_v100_limits() -> None:
    v100, p100 = architecture("v100"), architecture("p100")
    answer = occupancy(v100, KernelUse(block_size=32))
    assert (answer.max_waves, answer.groups, v100.max_regs_per_thread) == (64, 32, 255)
    assert (v100.modes[0].lds_bytes, p100.modes[0].lds_bytes) == (96 * 1024, 64 * 1024)


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


def test_hip_runtime_limits_gcn_to_32_waves() -> None:
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


@pytest.mark.parametrize(
    ("name", "sub_group", "grf", "dwords"),
    [
        *(("dg2", 8, 128, 128), ("dg2", 16, 128, 64), ("dg2", 32, 128, 32), ("dg2", 16, 256, 128)),
        *(("pvc", 16, 128, 128), ("pvc", 32, 128, 64), ("pvc", 16, 256, 256), ("xe2", 32, 128, 64)),
        *(("gen9", 16, 128, 64), ("gen11", 16, 128, 64), ("gen12lp", 16, 128, 64)),
    ],
)
def test_intel_register_budgets(name: str, sub_group: int, grf: int, dwords: int) -> None:
    """128 registers of 32 bytes (64 on PVC and Xe2), shared by the lanes of a sub-group."""
    assert grf_budget(architecture(name), sub_group, grf) == dwords


def test_intel_histograms() -> None:
    """Sub-group 16: 32 bins of 8 bytes take the whole file, of 4 bytes half, 256 shared by the lanes a quarter."""
    budget = grf_budget(architecture("dg2"), 16)
    assert budget == 32 * 8 // 4
    assert budget == 2 * (32 * 4 // 4)
    assert budget == 4 * (256 // 16)


@pytest.mark.parametrize(("name", "registers"), [("dg2", 4), ("pvc", 2)])
def test_intel_addresses_of_sixteen_lanes(name: str, registers: int) -> None:
    """128 bytes of addresses: four registers of 32 bytes, two of 64."""
    assert 16 * 8 // architecture(name).grf_modes[0].bytes_per_register == registers


def test_intel_narrow_sub_groups_are_not_everywhere() -> None:
    """The advice to fall back to 8 lanes ends with Xe-LPG."""
    narrow = [arch.name for arch in architectures("intel") if 8 in arch.wave_sizes]
    assert narrow == ["gen9", "gen11", "gen12lp", "dg2"]
