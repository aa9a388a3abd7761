"""RP102 launch-bounds-mismatch."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Launch, NamedTuple, Note, Rule, Severity
from regpress_lint.api.facts import oversized_bounds
from regpress_lint.api.preprocessor import defined_twice
from regpress_lint.api.report import place
from regpress_lint.api.rewrite import argument_spans
from regpress_lint.api.targets import amd_and_nvidia_targets, register_cap
from regpress_lint.api.text import count
from regpress_rules.launch._bounds import shown, spill_severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import LaunchBounds


class _Clash(NamedTuple):
    """A launch that its kernel's bounds forbid, and those bounds."""

    launch: Launch
    bounds: LaunchBounds


class LaunchBoundsMismatch(Rule):
    """Launch bounds that the known launches contradict."""

    code = "RP102"
    name = "launch-bounds-mismatch"
    needs = ("kernel.launch_bounds",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding, at the bounds."""
        kernel = facts.kernel
        if kernel.launch_bounds is None or not kernel.launches:
            return
        if any(namesake.name == kernel.name and namesake is not kernel for namesake in facts.file.kernels):
            return  # of overloads and branches of an `#if` a launch does not say which one it means
        clashes = list(_clashes(facts))
        finding = _clash(facts, clashes) if clashes else _waste(facts)
        if finding is not None:
            yield finding


# -------------------------------------------------------------------------------------------- launches that must fail


def _clashes(facts: KernelFacts) -> Iterator[_Clash]:
    declared = facts.kernel.launch_bounds
    assert declared is not None
    for launch in facts.kernel.launches:
        bounds = declared if declared.max_threads is not None else _bounds_of_instance(facts, launch)
        if bounds is None or launch.block_size is None or not bounds.max_threads:
            continue
        clashes = _ranges_clash(bounds, launch) if bounds.dims else launch.block_size > bounds.max_threads
        if clashes and not any(defined_twice(facts.file.source, text) for text in (*bounds.texts, launch.block_text)):
            yield _Clash(launch, bounds)


def _bounds_of_instance(facts: KernelFacts, launch: Launch) -> LaunchBounds | None:
    """The bounds of the instantiation that a launch names, if it is plain which one that is."""
    named = [
        instance for instance in facts.kernel.instances if (instance.path, instance.line) == (launch.path, launch.line)
    ]
    return named[0].kernel.launch_bounds if len(named) == 1 and _alone(facts, launch) else None


def _alone(facts: KernelFacts, launch: Launch) -> bool:
    return sum((other.path, other.line) == (launch.path, launch.line) for other in facts.kernel.launches) == 1


def _ranges_clash(bounds: LaunchBounds, launch: Launch) -> bool:
    """SYCL compares the dimensions one by one."""
    if launch.block_dims is None:
        return False
    pairs = list(zip_longest(bounds.dims, launch.block_dims, fillvalue=1))
    return any(size != wanted for wanted, size in pairs) if bounds.required else any(s > most for most, s in pairs)


def _clash(facts: KernelFacts, clashes: list[_Clash]) -> Finding:
    kernel = facts.kernel
    certain = [clash for clash in clashes if clash.launch.certainty != "last-assignment"]
    worst = max(certain or clashes, key=lambda clash: clash.launch.block_size or 0)
    severity = Severity.ERROR if certain else Severity.INFO
    where = place(facts, worst.bounds.span, kernel.path, "the bounds")
    launches = tuple(
        Note(clash.launch.span, f"launched with {_size(clash)}", _elsewhere(facts, clash.launch)) for clash in clashes
    )
    verb = "fails" if certain else "fails, if the size is the one assigned last"
    message = f"`{kernel.name}` {_demand(worst.bounds)}, but is launched with {_size(worst)}: the launch {verb}"
    help_ = "make the bounds and the block size agree"
    fix = _fix(facts, worst.launch.block_size) if where.here and certain else None
    severities = dict.fromkeys(facts.targets, severity)
    return Finding(where.span, message, severities, help_, (*where.notes, *launches), fix, kernel.name)


def _demand(bounds: LaunchBounds) -> str:
    if not bounds.dims:
        value = "" if ", ".join(bounds.texts).isdigit() else f" ({bounds.max_threads})"
        return f"has {shown(bounds)}{value}"
    name = "reqd_work_group_size" if bounds.required else "max_work_group_size"
    return f"has `{name}({', '.join(bounds.texts)})`"


def _size(clash: _Clash) -> str:
    launch = clash.launch
    if not clash.bounds.dims or launch.block_dims is None:
        return count(launch.block_size or 0, "thread")
    return f"a work-group of {' x '.join(map(str, reversed(launch.block_dims)))}"


def _elsewhere(facts: KernelFacts, launch: Launch) -> str | None:
    return None if launch.path == facts.file.path else launch.path


# ------------------------------------------------------------------------------------------------ bounds far too large


def _waste(facts: KernelFacts) -> Finding | None:
    kernel = facts.kernel
    bounds, block = kernel.launch_bounds, oversized_bounds(facts)
    if bounds is None or block is None or not bounds.max_threads:
        return None
    severities: dict[str, Severity] = {}
    for name in amd_and_nvidia_targets(facts):
        on_target = facts.target(name)
        wider = register_cap(on_target.architecture, block, bounds.min_blocks)
        severity = spill_severity(facts, on_target, on_target.budget) if wider > on_target.budget else Severity.HINT
        if severity > Severity.HINT or facts.wants_hints:
            severities[name] = severity
    if not severities:
        return None
    worst = max(severities, key=lambda name: severities[name])
    target = facts.target(worst)
    where = place(facts, bounds.span, kernel.path, "the bounds")
    registers, arch = target.registers, target.architecture
    wider = register_cap(arch, block, bounds.min_blocks)
    message = (
        f"`{kernel.name}` {_demand(bounds)}, and no visible launch has more than {count(block, 'thread')}: the bound "
        f"caps it at {target.budget} registers on {arch.name}, "
    )
    if severities[worst] > Severity.HINT or registers.high > target.budget:
        message += f"the estimate is {registers.estimate} ({registers.low} to {registers.high})"
        message += ", and the rest spills" if severities[worst] > Severity.INFO else ": it may spill"
    else:
        message += "which costs nothing here"
    help_ = f"declare `__launch_bounds__({block})`: the cap becomes {wider}"
    notes = tuple(
        Note(launch.span, f"launched with {count(launch.block_size or 0, 'thread')}", _elsewhere(facts, launch))
        for launch in kernel.launches
    )
    fix = _fix(facts, block) if where.here and severities[worst] > Severity.HINT else None
    return Finding(where.span, message, severities, help_, (*where.notes, *notes), fix, kernel.name)


def _fix(facts: KernelFacts, size: int | None) -> Fix | None:
    """Write the size of all launches for a first argument that is a number."""
    spans = argument_spans(facts)
    bounds = facts.kernel.launch_bounds
    sizes = {launch.block_size for launch in facts.kernel.launches}
    if spans is None or bounds is None or size is None or sizes != {size} or not bounds.texts[0].isdigit():
        return None
    return Fix(f"bound the block to {size} threads, the size of every visible launch", "unsafe",
               (Edit(spans[0], str(size)),))  # fmt: skip
