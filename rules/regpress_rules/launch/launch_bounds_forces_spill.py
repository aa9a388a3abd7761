"""RP104 launch-bounds-forces-spill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, NamedTuple, Rule, Severity, Span
from regpress_lint.api.facts import oversized_bounds, settled_bounds
from regpress_lint.api.report import place
from regpress_lint.api.rewrite import argument_spans
from regpress_lint.api.targets import amd_and_nvidia_targets, gpu, occupancy, register_cap
from regpress_lint.api.text import instance_name, registers_of, waves
from regpress_rules.launch._bounds import deliberate, misread, other_cap, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import LaunchBounds
    from regpress_lint.api.facts import TargetFacts

# Of 165 kernels of HeCBench with 32 to 64 registers under `(256)`, nvcc gave 103 so many more under `(256, 1)` that
# warps were lost: of the 41 that these numbers and a factor of 1.4 named, 30. The estimate knows the factor now.
_LEAST, _MOST = 30, 64
_FEW = 0.5  # more waves than that hide most latencies
_THREADS_OF_A_FULL_SM = 1024  # what ptxas aims at, or more, when it may choose


class _Effect(NamedTuple):
    """The effect of bounds on a kernel on one target: its registers are capped, or (`looser`) let go."""

    severity: Severity
    facts: KernelFacts
    arguments: str
    looser: bool = False


class LaunchBoundsForcesSpill(Rule):
    """Launch bounds that leave a thread fewer registers than the kernel needs, or let nvcc take more than it would."""

    code = "RP104"
    name = "launch-bounds-forces-spill"
    vendors = ("amd", "nvidia")
    needs = ("kernel.launch_bounds", "kernel.register_limits", "settings.registers.max_registers")
    many_blocks = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding, at the bounds or at whatever else caps the registers."""
        bounds = facts.kernel.launch_bounds
        if (capped := other_cap(facts)) is not None:
            yield capped
            return
        if bounds is None or bounds.dims or bounds.required:
            return
        by_target: dict[str, _Effect] = {}
        order = {instance: -number for number, instance in enumerate(facts.instances.values())}
        for name in amd_and_nvidia_targets(facts):
            effects = [_effect(part, name, part.arguments or "") for part in settled_bounds(facts, name)]
            known = (effect for effect in effects if effect is not None)
            worst = max(known, key=lambda effect: (effect.severity, order.get(effect.facts, 0)), default=None)
            if worst is not None:
                by_target[name] = worst
        if not by_target:
            return
        severities = {name: effect.severity for name, effect in by_target.items()}
        first = max(severities, key=lambda name: severities[name])
        effect = by_target[first]
        where = place(facts, bounds.span, facts.kernel.path, "the launch bounds")
        target = effect.facts.target(first)
        message, help_ = (_looser_words if effect.looser else _spill_words)(effect, target)
        fix = _fix(facts) if where.here and _second_binds(effect, target) else None
        yield Finding(where.span, message, severities, help_, where.notes, fix)


def _effect(facts: KernelFacts, name: str, arguments: str) -> _Effect | None:
    """The effect of these facts' bounds on a target, unless another rule says it."""
    target, bounds = facts.target(name), facts.kernel.launch_bounds
    assert bounds is not None
    arch, cap = target.architecture, target.budget
    if bounds.max_threads is None or bounds.max_threads > arch.max_threads_per_group:
        return None
    if target.begins is not None:
        return None  # warp groups hand registers to one another (`setmaxnreg`): there is no one cap
    severity = deliberate(facts, target) if cap < register_cap(arch, 1) else Severity.HINT
    if severity == Severity.HINT:
        if target.measured is not None:
            return None  # the compiler has spoken: nothing spills
        return _Effect(Severity.INFO, facts, arguments, looser=True) if _is_looser(facts, target, bounds) else None
    if _said_elsewhere(facts, name):
        return None
    if register_cap(arch, bounds.max_threads) == cap and target.registers.low <= cap:
        severity = Severity.INFO  # smaller blocks are another program: only for a spill that the whole band says
    return _Effect(severity, facts, arguments)


def _said_elsewhere(facts: KernelFacts, name: str) -> bool:
    if (misreading := misread(facts, name)) is not None and misreading.severity > Severity.HINT:
        return True
    target, bounds, block = facts.target(name), facts.kernel.launch_bounds, oversized_bounds(facts)
    return block is not None and bounds is not None and (
        register_cap(target.architecture, block, bounds.min_blocks) > target.budget
    )  # fmt: skip


def _is_looser(facts: KernelFacts, target: TargetFacts, bounds: LaunchBounds) -> bool:
    """True if a second argument lets nvcc take so many more registers that waves are lost."""
    threads, blocks = bounds.max_threads or 0, bounds.min_blocks
    if not gpu(target.architecture.name).is_nvidia or not blocks:
        return False
    if threads * blocks >= _THREADS_OF_A_FULL_SM:
        return False
    aimed = facts.aimed_at(target.architecture.name).estimate
    if not _LEAST <= aimed < _MOST:
        return False
    now, then = target.occupancy, occupancy(target.architecture, target.use(aimed))
    return now.waves < then.waves and now.waves <= _FEW * now.max_waves


# ------------------------------------------------------------------------------------------------------------- words


def _spill_words(effect: _Effect, target: TargetFacts) -> tuple[str, str]:
    arch, registers, bounds = target.architecture, target.registers, effect.facts.kernel.launch_bounds
    assert bounds is not None
    message = f"{_subject(effect)} caps it at {target.budget} registers on {arch.name}, {registers_of(target)}"
    if target.measured is None:
        message += f": {'the rest spills' if effect.severity == Severity.WARNING else 'it may spill'}"
    if not _second_binds(effect, target):
        smaller = register_cap(arch, max((bounds.max_threads or 2) // 2, 1), bounds.min_blocks)
        return message, f"launch smaller blocks: with half as many threads the cap is {smaller}"
    free = register_cap(arch, bounds.max_threads)
    now = target.occupancy
    wanted = target.use(1)._replace(vgprs=min(registers.estimate, free))
    then = occupancy(arch, wanted)
    help_ = f"drop the second argument: the cap becomes {free}"
    if (fitting := _fitting(target, bounds)) is not None:
        help_ += f", or request {fitting}: {register_cap(arch, bounds.max_threads, fitting)}"
    return message, f"{help_}; {waves(now)} per SIMD become {waves(then)} at the estimate"


def _subject(effect: _Effect) -> str:
    kernel = effect.facts.kernel
    bounds = kernel.launch_bounds
    assert bounds is not None
    values = (bounds.max_threads, *(() if bounds.min_blocks is None else (bounds.min_blocks,)))
    plain = all(text.isdigit() for text in bounds.texts)
    numbers = "" if plain else f" ({', '.join(map(str, values))})"
    return f"{shown(bounds)}{numbers} of `{instance_name(kernel.name, effect.arguments)}`"


def _second_binds(effect: _Effect, target: TargetFacts) -> bool:
    bounds = effect.facts.kernel.launch_bounds
    if bounds is None or bounds.min_blocks is None:
        return False
    return effect.looser or register_cap(target.architecture, bounds.max_threads) > target.budget


def _fitting(target: TargetFacts, bounds: LaunchBounds) -> int | None:
    """The largest second argument whose cap is not below the estimate, if that is 2 or more."""
    wanted = range((bounds.min_blocks or 2) - 1, 1, -1)
    caps = ((b, register_cap(target.architecture, bounds.max_threads, b)) for b in wanted)
    return next((b for b, cap in caps if cap >= target.registers.estimate), None)


def _looser_words(effect: _Effect, target: TargetFacts) -> tuple[str, str]:
    arch, registers, bounds = target.architecture, target.registers, effect.facts.kernel.launch_bounds
    assert bounds is not None
    aimed = effect.facts.aimed_at(arch.name)
    message = (
        f"{_subject(effect)} lets nvcc take up to {target.budget} registers on {arch.name}, the estimate is "
        f"{registers.estimate} ({registers.low} to {registers.high}), where it may stay near {aimed.estimate} for "
        "the sake of occupancy"
    )
    then = occupancy(arch, target.use(aimed.estimate))
    return message, (
        f"drop the second argument and compare registers (of 15 compiled kernels 4 had fewer) and times: "
        f"{waves(target.occupancy)} per scheduler at the estimate with it, up to {waves(then)} without"
    )


def _fix(facts: KernelFacts) -> Fix | None:
    spans = argument_spans(facts)
    if spans is None or len(spans) != 2:
        return None
    return Fix("drop the second argument", "costly", (Edit(Span(spans[0].end, spans[1].end), ""),))
