"""Sweeps over one resource, the curves of every limit, and the advice that rests on them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from regpress_lint.targets.occupancy import (
    KernelUse,
    Step,
    architecture,
    architectures,
    next_step,
    occupancy,
    register_steps,
)
from regpress_lint.targets.occupancy.advice import Free, Remedy, free, next_steps, remedies, together
from regpress_lint.targets.occupancy.steps import merged, resources, run_at, steps, sweep, value_of, with_value

if TYPE_CHECKING:
    from regpress_lint.targets.occupancy.quantities import Architecture, Resource

KIB = 1024


@st.composite
def uses(draw: st.DrawFn) -> tuple[Architecture, KernelUse]:
    arch = draw(st.sampled_from(architectures()))
    size = draw(st.sampled_from(arch.wave_sizes))
    return arch, KernelUse(
        vgprs=draw(st.integers(0, 300)),
        agprs=draw(st.integers(0, 200)) if arch.acc_regs != "none" else 0,
        sgprs=draw(st.integers(0, 102)) if arch.vendor == "amd" else 0,
        lds_bytes=draw(st.sampled_from((0, 1, 4096, 24 * KIB, 48 * KIB, 70_000))),
        block_size=draw(st.integers(1, 1100)),
        wave_size=size,
        barriers=draw(st.integers(0, 3)),
        mode=draw(st.sampled_from([mode.name for mode in arch.modes])),
    )


@given(uses(), st.data())
def test_sweep_agrees_with_occupancy_at_every_value(case: tuple[Architecture, KernelUse], data: st.DataObject) -> None:
    arch, use = case
    resource = data.draw(st.sampled_from(resources(arch)))
    runs = sweep(arch, use, resource)
    assert all(a.last + 1 == b.first for a, b in pairwise(runs))
    run = data.draw(st.sampled_from(runs))
    value = data.draw(st.integers(max(run.first, min(run.last, 1)), run.last))  # 0 only where a run is no more
    at = with_value(merged(arch, use), resource, value)
    answer = occupancy(arch, at if run.grf is None else at._replace(grf=run.grf))
    assert (answer.waves, answer.limiters) == (run.occupancy.waves, run.occupancy.limiters)


def test_one_accumulation_register_is_one_of_all() -> None:
    """AGPRs follow the VGPRs, aligned to four; MI100 has equal numbers of both."""
    assert merged(architecture("gfx90a"), KernelUse(vgprs=21, agprs=1)) == KernelUse(vgprs=25)
    assert merged(architecture("gfx908"), KernelUse(vgprs=21, agprs=1)) == KernelUse(vgprs=21)
    assert merged(architecture("gfx908"), KernelUse(vgprs=21, agprs=30)) == KernelUse(vgprs=30)


@given(uses())
def test_every_step_gains_and_names_a_resource_that_limits(case: tuple[Architecture, KernelUse]) -> None:
    arch, use = case
    now = occupancy(arch, use)
    total = merged(arch, use)
    for step in next_steps(arch, use):
        assert now.groups
        assert step == next_step(arch, total, step.resource)
        assert occupancy(arch, with_value(total, step.resource, step.value)).waves > now.waves
    joint = together(arch, use)
    if joint is None:
        return
    assert not any(step.resource != "block_size" for step in next_steps(arch, use))
    for step in joint.steps:
        assert step.value < value_of(arch, use, step.resource)
        total = with_value(total, step.resource, step.value)
    assert occupancy(arch, total).waves_per_simd == joint.steps[0].waves_per_simd > now.waves_per_simd


@given(uses(), st.data())
def test_the_remedies_of_an_impossible_launch_make_it_work(
    case: tuple[Architecture, KernelUse], data: st.DataObject
) -> None:
    arch, use = case
    use = merged(arch, use)
    needed = remedies(arch, use)
    assert bool(needed) == (occupancy(arch, use).groups == 0)
    for ways in needed:
        way = data.draw(st.sampled_from(ways))
        use = use._replace(grf=way.value) if way.resource == "grf" else _at_most(use, way)
    assert occupancy(arch, use).groups


def _at_most(use: KernelUse, way: Remedy) -> KernelUse:
    resource: Resource = way.resource  # type: ignore[assignment]
    return with_value(use, resource, way.value)


@given(uses())
def test_step_table_matches_register_steps(case: tuple[Architecture, KernelUse]) -> None:
    arch, use = case
    if arch.grf_modes or (arch.vendor == "nvidia" and use.barriers != 1):
        return
    plain = use._replace(sgprs=0, agprs=0)
    expected = register_steps(arch, use.block_size, use.lds_bytes, use.wave_size, use.mode)
    assert tuple((run.last, run.occupancy.waves_per_simd) for run in steps(arch, plain)) == expected


def test_the_staircase_of_the_lab_notes() -> None:
    runs = steps(architecture("mi250x"), KernelUse(vgprs=102))
    expected = [(64, 8), (72, 7), (80, 6), (96, 5), (128, 4), (168, 3), (256, 2), (512, 1)]
    assert [(run.last, int(run.occupancy.waves_per_simd)) for run in runs] == expected
    present = run_at(runs, 102)
    assert present is not None
    assert (present.first, present.last) == (97, 128)
    assert run_at(runs, 513) is None


def test_accumulation_registers_count_as_the_file_sees_them() -> None:
    use = KernelUse(vgprs=70, agprs=64)
    assert value_of(architecture("gfx90a"), use, "registers") == 72 + 64  # one file, VGPRs aligned to four
    assert value_of(architecture("gfx908"), use, "registers") == 70  # a file of their own: the larger counts
    assert next_steps(architecture("gfx90a"), use) == (Step("registers", 128, Fraction(4)),)
    only_agprs = KernelUse(vgprs=8, agprs=128)
    assert next_steps(architecture("gfx908"), only_agprs) == (Step("registers", 84, Fraction(3)),)


def test_intel_registers_move_on_to_the_large_mode() -> None:
    runs = sweep(architecture("pvc"), KernelUse(vgprs=76), "registers")
    assert [(run.first, run.last, run.occupancy.waves, run.grf) for run in runs] == [
        (1, 64, 64, 128),
        (65, 128, 32, 256),
    ]
    assert [run.last for run in sweep(architecture("gen9"), KernelUse(), "registers")] == [32]


def test_sgprs_are_swept_only_where_waves_share_a_file_of_them() -> None:
    assert "sgprs" in resources(architecture("gfx906"))
    assert "sgprs" not in resources(architecture("gfx1100"))
    with pytest.raises(ValueError, match="sm_90 has no limit on sgprs"):
        sweep(architecture("sm_90"), KernelUse(), "sgprs")


def test_block_sizes_go_by_waves_and_only_equal_neighbours_are_joined() -> None:
    runs = sweep(architecture("gfx906"), KernelUse(vgprs=8), "block_size")
    assert (runs[0].first, runs[0].last) == (1, 64)
    assert runs[-1].last == 1024
    found = run_at(runs, 384)
    assert found is not None
    assert found.occupancy.waves == 36


def test_limiters_that_tie_have_to_shrink_together() -> None:
    use = KernelUse(vgprs=102, lds_bytes=16 * KIB)
    mi250 = architecture("mi250x")
    assert next_steps(mi250, use) == ()
    joint = together(mi250, use)
    assert joint is not None
    assert joint.steps == (Step("registers", 96, Fraction(5)), Step("lds_bytes", 12800, Fraction(5)))
    assert together(mi250, KernelUse(vgprs=64)) is None  # registers and wave slots: nothing left to gain


def test_only_limiters_have_a_next_step() -> None:
    lds_limits = KernelUse(vgprs=40, lds_bytes=24 * KIB)
    assert [step.resource for step in next_steps(architecture("mi250x"), lds_limits)] == ["lds_bytes"]
    # 1,024 threads hold 4 waves per SIMD where registers admit 5: here it is the block that costs a quarter.
    rounding = next_steps(architecture("mi250x"), KernelUse(vgprs=96, block_size=1024))
    assert [(step.resource, step.value) for step in rounding] == [("registers", 64), ("block_size", 640)]
    # 76 registers on an A100: 224 threads would gain, but less than a quarter.
    assert [step.resource for step in next_steps(architecture("a100"), KernelUse(vgprs=76))] == ["registers"]


def test_the_next_step_is_never_more_than_a_compiler_gives() -> None:
    step = next_step(architecture("sm_90"), KernelUse(vgprs=300), "registers")
    assert step is not None
    assert step.value == 255
    assert next_step(architecture("gen9"), KernelUse(vgprs=10, grf=256), "registers") is None


def test_free_registers_and_bytes() -> None:
    found = free(architecture("mi250x"), KernelUse(vgprs=40, lds_bytes=24 * KIB))
    assert Free("registers", 216, 256, limits=False) in found
    assert Free("lds_bytes", 8 * KIB, 32 * KIB, limits=True) in found


@pytest.mark.parametrize(
    ("name", "use", "expected"),
    [
        ("sm_80", KernelUse(vgprs=200, block_size=288), [[("registers", 168), ("block_size", 256)]]),
        ("pvc", KernelUse(block_size=1024, wave_size=16, grf=256), [[("block_size", 512), ("grf", 128)]]),
        ("gen9", KernelUse(grf=256), [[("grf", 128)]]),
        (
            "gfx90a",
            KernelUse(vgprs=700, block_size=2000, lds_bytes=99_999),
            [[("block_size", 1024)], [("lds_bytes", 65536)], [("registers", 128)]],
        ),
        ("gfx906", KernelUse(sgprs=120), [[("sgprs", architecture("gfx906").max_sgprs)]]),
        ("gfx90a", KernelUse(), []),
    ],
)
def test_remedies(name: str, use: KernelUse, expected: list[list[tuple[str, int]]]) -> None:
    assert [[tuple(way) for way in ways] for ways in remedies(architecture(name), use)] == expected


def test_registers_beyond_the_file_are_named_as_such() -> None:
    assert occupancy(architecture("gfx908"), KernelUse(vgprs=20, agprs=300)).impossible == (
        "300 registers in a thread: gfx908 has at most 256"
    )
