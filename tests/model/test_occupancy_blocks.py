"""Waste of a block size: the seed documents' sizes, and invariants for every size on every architecture."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from regpress_lint.targets.occupancy import Architecture, KernelUse, architecture, architectures, occupancy
from regpress_lint.targets.occupancy.advice import larger_block
from regpress_lint.targets.occupancy.blocks import REACH, BetterBlock, better_block, idle_lanes, usual_block, with_block

ARCHITECTURES = architectures()


@pytest.mark.parametrize(
    ("block", "wave", "idle", "lanes"),
    [
        (100, 32, 28, 128),
        (100, 64, 28, 128),
        (32, 64, 32, 64),
        (256, 64, 0, 256),
        (1, 32, 31, 32),
        (33, 16, 15, 48),
        (5, 1, 0, 5),
    ],
)
def test_idle_lanes(block: int, wave: int, idle: int, lanes: int) -> None:
    found = idle_lanes(block, wave)
    assert (found.idle, found.lanes, found.wave_size) == (idle, lanes, wave)


def test_a_fifth_of_idle_lanes_is_a_quarter_of_the_work() -> None:
    found = idle_lanes(80 * 4, 400)
    assert (found.share, found.cost) == (0.2, 0.25)


@pytest.mark.parametrize(("block", "wave"), [(0, 32), (-64, 64), (64, 0)])
def test_sizes_below_one_are_refused(block: int, wave: int) -> None:
    with pytest.raises(ValueError, match="must be at least 1"):
        idle_lanes(block, wave)


@pytest.mark.parametrize(
    ("arch", "use", "block", "waves", "now"),
    [
        # GCN (seed 001): 128 fills 32 of 40, and 64, 256, 320 and 512 are the sizes that fill a CU.
        ("gfx906", KernelUse(vgprs=8, block_size=128), 256, 40, 32),
        # 20 wave slots by registers hold one group of 16 waves.
        ("gfx90a", KernelUse(vgprs=96, block_size=1024), 256, 20, 16),
        ("gfx90a", KernelUse(vgprs=8, block_size=768), 512, 32, 24),
        # 32 blocks are all that an SM holds; 2 x 24 warps of 64; one block of 32 warps beside 40 registers.
        ("sm_90", KernelUse(vgprs=8, block_size=32), 64, 64, 32),
        ("sm_90", KernelUse(vgprs=8, block_size=768), 512, 64, 48),
        ("sm_90", KernelUse(vgprs=40, block_size=1024), 512, 48, 32),
        # 48 warps on an SM of sm_86: 1,024 threads leave a third empty.
        ("sm_86", KernelUse(vgprs=8, block_size=1024), 512, 48, 32),
        ("sm_86", KernelUse(vgprs=8, block_size=32), 128, 48, 16),
        # A multiple that is no power of two, where no power of two gains: 24 KiB fit twice on a CU.
        ("gfx90a", KernelUse(vgprs=8, block_size=256, lds_bytes=24 * 1024), 320, 10, 8),
    ],
)
def test_the_better_block(arch: str, use: KernelUse, block: int, waves: int, now: int) -> None:
    assert better_block(architecture(arch), use, 0.25) == BetterBlock(block, waves, now)


@pytest.mark.parametrize(
    ("arch", "block", "vgprs", "lds"),
    [
        *(("gfx906", block, 8, 0) for block in (64, 256, 320, 384, 512)),  # 384: 36 of 40, a gain of a ninth
        *(("gfx90a", block, 8, 0) for block in (64, 128, 192, 256, 512, 1024)),
        *(("sm_90", block, 8, 0) for block in (64, 128, 256, 512, 1024)),
        ("sm_90", 256, 128, 0),
        ("gfx90a", 256, 8, 64 * 1024),  # all LDS in one block: more threads need more of it, or say so in the source
        ("sm_90", 2048, 8, 0),  # cannot be launched
    ],
)
def test_no_better_block(arch: str, block: int, vgprs: int, lds: int) -> None:
    use = KernelUse(vgprs=vgprs, block_size=block, lds_bytes=lds)
    assert better_block(architecture(arch), use, 0.25) is None


def test_the_threshold_decides() -> None:
    use = KernelUse(vgprs=8, block_size=384)
    assert better_block(architecture("gfx906"), use, 0.1) == BetterBlock(256, 40, 36)
    assert better_block(architecture("gfx906"), use, 0.12) is None


def test_zero_gain_is_not_reported() -> None:
    assert better_block(architecture("sm_90"), KernelUse(vgprs=8, block_size=256), 0.0) is None


def test_lds_counts_as_it_is_or_in_proportion_whichever_is_larger() -> None:
    use = KernelUse(block_size=256, lds_bytes=1001)
    assert [with_block(use, block).lds_bytes for block in (128, 256, 512, 257)] == [1001, 1001, 2002, 1005]
    assert with_block(use._replace(lds_bytes=0), 1024) == KernelUse(block_size=1024)


@st.composite
def launches(draw: st.DrawFn) -> tuple[Architecture, KernelUse]:
    arch = draw(st.sampled_from(ARCHITECTURES))
    use = KernelUse(
        vgprs=draw(st.integers(0, 260)),
        lds_bytes=draw(st.one_of(st.just(0), st.integers(0, 160 * 1024))),
        block_size=draw(st.one_of(st.sampled_from((32, 64, 96, 128, 384, 768, 1024)), st.integers(1, 1100))),
        wave_size=draw(st.sampled_from(arch.wave_sizes)),
        barriers=draw(st.integers(0, 1)),
        mode=draw(st.sampled_from(arch.modes)).name,
    )
    return arch, use


@given(launches(), st.floats(0, 1))
def test_the_gain_that_is_named_is_reached(launch: tuple[Architecture, KernelUse], gain: float) -> None:
    arch, use = launch
    better = better_block(arch, use, gain)
    if better is None:
        return
    assert better.block_size % arch.wave_size(use.wave_size) == 0
    assert better.block_size != use.block_size
    assert 0 < better.block_size <= arch.max_threads_per_group
    assert use.block_size <= better.block_size * REACH
    assert better.block_size <= use.block_size * REACH
    assert better.waves_now == occupancy(arch, use).waves > 0
    assert better.waves >= better.waves_now * (1 + gain)
    # With the LDS of today and with LDS in proportion: the same gain or more.
    grown = -(-use.lds_bytes * better.block_size // use.block_size)
    for lds in (use.lds_bytes, grown):
        there = occupancy(arch, use._replace(block_size=better.block_size, lds_bytes=lds))
        assert there.waves >= better.waves


@given(launches(), st.floats(0, 1))
def test_no_power_of_two_within_reach_does_better(launch: tuple[Architecture, KernelUse], gain: float) -> None:
    arch, use = launch
    better, wave = better_block(arch, use, gain), arch.wave_size(use.wave_size)
    now = occupancy(arch, use).waves
    powers = (1 << n for n in range(11) if (1 << n) % wave == 0 and (1 << n) <= arch.max_threads_per_group)
    reachable = [
        b for b in powers if b != use.block_size and use.block_size <= b * REACH and b <= use.block_size * REACH
    ]
    best = max((occupancy(arch, with_block(use, block)).waves for block in reachable), default=0)
    if now and best > now and best >= now * (1 + gain):
        assert better is not None
        assert (better.usual, better.waves) == (True, best)
    else:
        assert better is None or not better.usual


@given(st.integers(1, 2048), st.sampled_from((8, 16, 32, 64)))
def test_lanes_are_whole_waves(block: int, wave: int) -> None:
    found = idle_lanes(block, wave)
    assert found.lanes % wave == 0
    assert found.lanes - found.idle == block
    assert 0 <= found.idle < wave
    assert 0 <= found.share < 1


@pytest.mark.parametrize("arch", architectures(), ids=lambda arch: arch.name)
@pytest.mark.parametrize("use", [KernelUse(vgprs=24), KernelUse(vgprs=100, lds_bytes=3000)])
def test_a_larger_block_gains_a_quarter_and_only_where_the_block_limits(arch: Architecture, use: KernelUse) -> None:
    for block in range(8, arch.max_threads_per_group + 1, 8):
        here = use._replace(block_size=block)
        now, step = occupancy(arch, here), larger_block(arch, here)
        if step is None:
            continue
        assert set(now.limiters) & {"waves", "groups", "barriers"}
        assert step.value > block
        there = occupancy(arch, with_block(here, step.value))
        assert there.waves_per_simd == step.waves_per_simd >= now.waves_per_simd * Fraction(5, 4)


def test_no_larger_block_where_registers_limit_or_nothing_fits() -> None:
    assert larger_block(architecture("sm_90"), KernelUse(vgprs=100, block_size=128)) is None
    assert larger_block(architecture("sm_90"), KernelUse(vgprs=100, block_size=2048)) is None


@given(st.sampled_from(ARCHITECTURES), st.integers(1, 1024), st.integers(1, 128), st.integers(0, 1 << 14))
def test_suggested_block_is_a_power_of_two_where_possible(arch: Architecture, block: int, vgprs: int, lds: int) -> None:
    use = KernelUse(vgprs=vgprs, block_size=block, lds_bytes=lds)
    better = better_block(arch, use, 0.25)
    assert usual_block(arch, use, 0.25) == (better if better is not None and better.usual else None)
