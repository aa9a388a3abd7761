"""What must hold for every kernel on every architecture."""

from __future__ import annotations

import itertools

from hypothesis import given, strategies as st

from regpress_lint.targets.occupancy import (
    Architecture,
    KernelUse,
    Resource,
    architectures,
    compiler_waves_per_simd,
    headroom,
    next_step,
    occupancy,
    register_cap,
    register_steps,
)

ARCHITECTURES = architectures()
MONOTONE: tuple[Resource, ...] = ("registers", "sgprs", "lds_bytes")
FIELDS: dict[Resource, str] = {
    "registers": "vgprs",
    "sgprs": "sgprs",
    "lds_bytes": "lds_bytes",
    "block_size": "block_size",
}


@st.composite
def launches(draw: st.DrawFn) -> tuple[Architecture, KernelUse]:
    arch = draw(st.sampled_from(ARCHITECTURES))
    use = KernelUse(
        vgprs=draw(st.integers(0, 300)),
        agprs=draw(st.integers(0, 256)) if arch.acc_regs != "none" else 0,
        sgprs=draw(st.integers(0, arch.max_sgprs)),
        lds_bytes=draw(st.one_of(st.just(0), st.integers(0, 256 * 1024))),
        block_size=draw(st.one_of(st.sampled_from((32, 64, 128, 256, 512, 1024)), st.integers(1, 1100))),
        wave_size=draw(st.sampled_from(arch.wave_sizes)),
        barriers=draw(st.integers(0, 3)),
        carveout=draw(st.integers(-1, 100)),
        grf=draw(st.sampled_from((128, 256))),
        mode=draw(st.sampled_from(arch.modes)).name,
    )
    return arch, use


def _waves(arch: Architecture, use: KernelUse, resource: Resource, value: int) -> int:
    changed = {
        "registers": use._replace(vgprs=value),
        "sgprs": use._replace(sgprs=value),
        "lds_bytes": use._replace(lds_bytes=value),
        "block_size": use._replace(block_size=value),
    }
    return occupancy(arch, changed[resource]).waves


@given(launches())
def test_an_answer_is_consistent(launch: tuple[Architecture, KernelUse]) -> None:
    arch, use = launch
    answer = occupancy(arch, use)
    applying = {name: limit for name, limit in answer.per_limiter.items() if limit is not None}
    assert answer.groups == min(applying.values())
    assert set(answer.limiters) == {name for name, limit in applying.items() if limit == answer.groups}
    assert 0 <= answer.waves <= answer.max_waves
    assert answer.fraction == answer.waves / answer.max_waves
    assert answer.waves_per_simd * answer.simds == answer.waves
    assert answer.waves_per_simd <= answer.max_waves_per_simd == arch.max_waves_per_simd
    assert (answer.impossible is None) == (answer.groups > 0)


@given(launches(), st.sampled_from(MONOTONE), st.integers(1, 40_000))
def test_more_of_anything_never_gains_waves(
    launch: tuple[Architecture, KernelUse], resource: Resource, more: int
) -> None:
    arch, use = launch
    value = getattr(use, FIELDS[resource])
    assert _waves(arch, use, resource, value + more) <= occupancy(arch, use).waves


@given(launches(), st.sampled_from(tuple(FIELDS)))
def test_next_step_keeps_its_promise_and_is_the_nearest(
    launch: tuple[Architecture, KernelUse], resource: Resource
) -> None:
    arch, use = launch
    now = occupancy(arch, use)
    value = getattr(use, FIELDS[resource])
    step = next_step(arch, use, resource)
    if step is None:
        # Nothing smaller gains a wave: the smallest use of a monotone resource, every size of a block.
        smaller = range(1, value) if resource == "block_size" else range(min(value, 1))
        assert all(_waves(arch, use, resource, each) <= now.waves for each in smaller)
        return
    assert step.value < value
    assert _waves(arch, use, resource, step.value) == step.waves_per_simd * now.simds > now.waves
    assert step.value <= _ceiling(arch, resource)
    beyond = min(step.value + 1, _ceiling(arch, resource)) + 1  # the launch check lets 256 registers pass, no compiler
    between = range(step.value + 1, value if resource == "block_size" else beyond)
    assert all(_waves(arch, use, resource, each) <= now.waves for each in between)


@given(launches(), st.sampled_from(tuple(FIELDS)))
def test_headroom_is_free_and_no_more(launch: tuple[Architecture, KernelUse], resource: Resource) -> None:
    arch, use = launch
    now = occupancy(arch, use)
    free = headroom(arch, use, resource)
    assert free >= 0
    if now.groups == 0:
        assert free == 0
        return
    last = getattr(use, FIELDS[resource]) + free
    if free:
        assert _waves(arch, use, resource, last) >= now.waves
    bounded_by_budget = resource == "registers" and arch.vendor == "intel"
    bounded_by_nothing = resource == "sgprs" and arch.sgprs_per_simd is None
    if not bounded_by_budget and not bounded_by_nothing and last < _ceiling(arch, resource):
        assert _waves(arch, use, resource, last + 1) < now.waves


def _ceiling(arch: Architecture, resource: Resource) -> int:
    most = {
        "registers": arch.max_regs_per_thread,
        "sgprs": arch.max_sgprs,
        "lds_bytes": arch.lds_max_per_group,
        "block_size": arch.max_threads_per_group,
    }
    return most[resource]


@given(launches())
def test_register_steps_are_the_whole_staircase(launch: tuple[Architecture, KernelUse]) -> None:
    arch, use = launch
    steps = register_steps(arch, use.block_size, use.lds_bytes, use.wave_size, use.mode)
    assert list(steps) == sorted(steps)
    assert all(earlier[1] > later[1] for earlier, later in itertools.pairwise(steps))
    plain = KernelUse(block_size=use.block_size, lds_bytes=use.lds_bytes, wave_size=use.wave_size, mode=use.mode)
    reached = {occupancy(arch, plain._replace(vgprs=n)).waves_per_simd for n in range(1, arch.max_regs_per_thread + 1)}
    assert {waves for _, waves in steps} == reached - {0}
    for registers, waves in steps:
        assert occupancy(arch, plain._replace(vgprs=registers)).waves_per_simd == waves


@given(st.sampled_from(ARCHITECTURES), st.integers(1, 1024), st.integers(1, 8))
def test_a_cap_lets_the_bound_be_launched(arch: Architecture, threads: int, second: int) -> None:
    cap = register_cap(arch, threads, second)
    assert 1 <= cap <= arch.max_regs_per_thread
    use = KernelUse(vgprs=cap, block_size=min(threads, arch.max_threads_per_group), mode=arch.modes[-1].name)
    assert occupancy(arch, use).groups >= 1
    assert register_cap(arch, threads, None) >= cap


@given(launches())
def test_the_remark_stays_within_the_architecture(launch: tuple[Architecture, KernelUse]) -> None:
    arch, use = launch
    if arch.vendor != "amd":
        return
    printed = compiler_waves_per_simd(arch, use)
    assert 1 <= printed <= arch.max_waves_per_simd
