"""Distances to the next step, headroom, tables of steps, caps under launch bounds."""

from __future__ import annotations

from fractions import Fraction

import pytest

from regpress_lint.targets.occupancy import (
    KernelUse,
    Step,
    architecture,
    compiler_waves_per_simd,
    grf_budget,
    headroom,
    next_step,
    occupancy,
    register_cap,
    register_steps,
    runtime_blocks,
)
from regpress_lint.targets.occupancy.advice import next_steps


def test_next_step_of_the_lab_notes_kernel() -> None:
    use = KernelUse(vgprs=102, block_size=256)
    assert next_step(architecture("gfx90a"), use, "registers") == Step("registers", 96, Fraction(5))
    assert next_step(architecture("gfx90a"), KernelUse(vgprs=64), "registers") is None


def test_registers_are_free_where_lds_limits() -> None:
    """Two groups of four waves by LDS: 256 registers cost nothing, and fewer gain nothing."""
    use = KernelUse(vgprs=40, lds_bytes=24 * 1024, block_size=256)
    mi250 = architecture("mi250x")
    assert headroom(mi250, use, "registers") == 256 - 40
    assert next_step(mi250, use, "registers") is None
    assert next_step(mi250, use, "lds_bytes") == Step("lds_bytes", 21504, Fraction(3))
    assert headroom(mi250, use, "lds_bytes") == 8 * 1024


def test_next_step_in_block_size() -> None:
    """384 threads hold 36 of 40 waves on GCN; 320 is the nearest smaller size that fills them."""
    step = next_step(architecture("gfx906"), KernelUse(vgprs=8, block_size=384), "block_size")
    assert step == Step("block_size", 320, Fraction(10))
    assert headroom(architecture("gfx906"), KernelUse(vgprs=8, block_size=300), "block_size") == 20
    assert next_step(architecture("gfx906"), KernelUse(vgprs=8, block_size=320), "block_size") is None


def test_next_step_in_sgprs() -> None:
    use = KernelUse(vgprs=8, sgprs=96, block_size=64)
    assert next_step(architecture("gfx906"), use, "sgprs") == Step("sgprs", 80, Fraction(10))
    assert headroom(architecture("gfx906"), KernelUse(vgprs=8, sgprs=60, block_size=64), "sgprs") == 20


def test_an_impossible_launch_steps_to_the_first_that_works() -> None:
    at_once = KernelUse(vgprs=200, block_size=288)
    assert next_step(architecture("a100"), at_once, "registers") == Step("registers", 168, Fraction(9, 4))
    too_many = KernelUse(block_size=2000)
    assert next_step(architecture("gfx90a"), too_many, "block_size") == Step("block_size", 1024, Fraction(8))
    assert headroom(architecture("a100"), KernelUse(vgprs=200, block_size=288), "registers") == 0


def test_intel_registers_have_a_budget_and_no_steps() -> None:
    pvc = architecture("pvc")
    use = KernelUse(vgprs=100, block_size=256, wave_size=16)
    assert next_step(pvc, use, "registers") is None
    assert headroom(pvc, use, "registers") == 28
    assert headroom(pvc, KernelUse(vgprs=200, block_size=256, wave_size=16), "registers") == 0
    assert occupancy(pvc, KernelUse(vgprs=200, block_size=256, wave_size=16)).fraction == 1.0
    assert register_steps(pvc, 256, wave_size=16) == ((128, Fraction(8)),)


@pytest.mark.parametrize(
    ("name", "sub_group", "grf", "dwords"),
    [
        ("gen12lp", 8, 128, 128),
        ("dg2", 16, 128, 64),
        ("dg2", 32, 128, 32),
        ("dg2", 16, 256, 128),
        ("pvc", 16, 128, 128),
        ("pvc", 32, 128, 64),
        ("pvc", 16, 256, 256),
        ("xe2", 32, 256, 128),
    ],
)
def test_grf_budget(name: str, sub_group: int, grf: int, dwords: int) -> None:
    assert grf_budget(architecture(name), sub_group, grf) == dwords


def test_grf_budget_refuses_unknown_modes() -> None:
    with pytest.raises(ValueError, match="gfx90a has no GRF modes"):
        grf_budget(architecture("gfx90a"), 64)
    with pytest.raises(ValueError, match="gen9 has no 256-register mode"):
        grf_budget(architecture("gen9"), 16, 256)
    with pytest.raises(ValueError, match="pvc has no waves of 8"):
        grf_budget(architecture("pvc"), 8)


# What clang 19.1.7 allocated for 160 live doubles under each bound (VGPRs, AGPRs added where the file is unified), and
# ptxas 13.0 for 96 live doubles, which take 204 registers without bounds.
COMPILED = {
    "gfx90a": (
        "1024:128 512:256 256:512 128:512 256,2:256 256,3:168 256,4:128 256,5:96 256,6:80 256,7:72 "
        "256,8:64 256,9:512 256,16:512 1024,8:64 640:168 768:168 320:256"
    ),
    "gfx906": (
        "1024:64 512:128 256:256 128:256 256,2:128 256,3:84 256,4:64 256,5:48 256,6:40 256,7:36 256,8:32 "
        "256,9:28 256,10:24 256,12:256 1024,8:32 640:84 320:128"
    ),
    "gfx908": ("1024:64 512:128 256,3:84 256,4:64 256,9:28 256,10:24 640:84 320:128"),
    "gfx1100": (
        "1024:192 512:256 256:256 256,5:256 256,6:240 256,7:216 256,8:192 256,9:168 256,10:144 256,12:120 "
        "256,16:96 640:256 768:240"
    ),
    "gfx1030": (
        "1024:128 512:256 256,5:192 256,6:160 256,7:144 256,8:128 256,9:112 256,10:96 256,12:80 256,16:64 640:192"
    ),
    "gfx1010": ("1024:128 512:256 256,5:200 256,6:168 256,7:144 256,9:112 256,12:80 256,16:64 640:200 768:168"),
    "sm_90": (
        "257:168 288:168 640:96 736:80 1024:64 512:128 1024,2:32 512,4:32 256,4:64 100,8:64 96,7:80 "
        "320,2:96 33,20:48 33,32:32 64,32:32 128,8:64 64,8:128"
    ),
}


@pytest.mark.parametrize(
    ("name", "bounds", "cap"), [(name, *entry.split(":")) for name, row in COMPILED.items() for entry in row.split()]
)
def test_register_cap_is_the_compilers(name: str, bounds: str, cap: str) -> None:
    threads, _, second = bounds.partition(",")
    assert register_cap(architecture(name), int(threads), int(second) if second else None) == int(cap)


@pytest.mark.parametrize(
    ("name", "cap"), [("gfx90a", 128), ("gfx1100", 192), ("gfx906", 64), ("sm_90", 255), ("sm_70", 255), ("pvc", 64)]
)
def test_register_cap_without_bounds(name: str, cap: int) -> None:
    assert register_cap(architecture(name), None, None) == cap


@pytest.mark.parametrize("bounds", [(256, 16), (128, 20), (128, 33), (256, 9), (32, 40)])
def test_nvidia_bounds_out_of_range_are_dropped(bounds: tuple[int, int]) -> None:
    """ptxas warns and ignores the second argument; 204 live registers were all given."""
    assert register_cap(architecture("sm_90"), *bounds) == 255


def test_register_cap_refuses_bounds_below_one() -> None:
    with pytest.raises(ValueError, match="launch bound 0"):
        register_cap(architecture("gfx90a"), 0, None)


def test_register_cap_by_wave_size_and_for_intel() -> None:
    assert register_cap(architecture("gfx1100"), 1024, None, wave_size=64) == 192
    assert register_cap(architecture("pvc"), 1024, None, wave_size=16) == 128


def test_unknown_resource_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown resource 'lds'"):
        next_step(architecture("gfx90a"), KernelUse(), "lds")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["sm_90", "pvc"])
def test_only_clang_prints_an_occupancy(name: str) -> None:
    with pytest.raises(ValueError, match="prints no occupancy"):
        compiler_waves_per_simd(architecture(name), KernelUse())


def test_intel_cooperative_launch_counts_32_barriers() -> None:
    use = KernelUse(block_size=16, wave_size=16)
    assert occupancy(architecture("pvc"), use).groups == 64
    assert runtime_blocks(architecture("pvc"), use) == 32
    assert runtime_blocks(architecture("pvc"), KernelUse(block_size=16, wave_size=16, barriers=0)) == 64


def test_a_smaller_block_counts_as_a_step_only_where_it_gains_a_quarter() -> None:
    """160 threads are five warps, and registers allow nine such blocks: 128 threads would gain a fifteenth."""
    use, hopper = KernelUse(vgprs=40, block_size=160), architecture("sm_90")
    step = next_step(hopper, use, "block_size")
    assert step is not None
    assert occupancy(hopper, use).waves_per_simd < step.waves_per_simd
    assert [each.resource for each in next_steps(hopper, use)] == ["registers"]


def test_last_row_of_the_sgpr_table_holds_for_larger_counts() -> None:
    assert compiler_waves_per_simd(architecture("gfx803"), KernelUse(vgprs=1, sgprs=120)) == 7


def test_a_split_of_shared_memory_that_fits_exactly_is_taken() -> None:
    """7 KiB and the 1 KiB that the system takes are the smallest split, which holds one block."""
    use = KernelUse(vgprs=32, block_size=64, lds_bytes=7 * 1024, carveout=0)
    assert occupancy(architecture("sm_90"), use).groups == 1
