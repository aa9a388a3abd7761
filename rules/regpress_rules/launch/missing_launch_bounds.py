"""RP101 missing-launch-bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Rule, Severity, Span
from regpress_lint.api.facts import bounds_declared
from regpress_lint.api.preprocessor import macro_made
from regpress_lint.api.report import place
from regpress_lint.api.targets import KernelUse, amd_targets, occupancy, register_cap
from regpress_lint.api.text import count, registers_of, waves
from regpress_lint.api.worth import SURELY, spare_registers
from regpress_rules.launch._bounds import SUGGESTED_BLOCK, attribute_binds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.api.facts import TargetFacts

# Shares of the cap, chosen on real kernels with known numbers: of those of HeCBench with an estimate beyond 1.1 times
# the cap (`SURELY`) all eleven spill. Just above the cap, at 129 to 135, two of NPB and one of LULESH fit.
# And its band's end: of the kernels of HeCBench that it leaves out, with ends at 1.1 to 1.23 times the cap, clang
# spills none; of the seven beyond it with known numbers it spills five.
_POSSIBLE, _REACHES = 0.7, 1.3
# A band whose ends are further apart says that nobody knows, unless the estimate is far beyond the cap: bitcracker's is
# 37 to 512 (101 in truth), a SHA-1's 10 to 311 (50). Of 18 warnings about kernels of HeCBench that clang compiled 15
# remain, all true; of the three that went one was false.
_GUESS, _FAR = 12, 1.5
_LARGEST_BLOCK = 1024


class MissingLaunchBounds(Rule):
    """A kernel that needs more registers than clang gives one without launch bounds."""

    code = "RP101"
    name = "missing-launch-bounds"
    vendors = ("amd",)
    many_blocks = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding, at the kernel's name."""
        kernel = facts.kernel
        limits = kernel.register_limits
        if (
            kernel.launch_bounds is not None
            or (limits is not None and limits.max_threads)
            or facts.launch.block_size == 1
        ):
            return
        if bounds_declared(kernel) is None:
            return
        block = facts.launch.block_size if facts.launch.block_size_from == "launch" else None
        severities: dict[str, Severity] = {}
        for target in amd_targets(facts):
            on_target = facts.target(target)
            if attribute_binds(facts, on_target, block or SUGGESTED_BLOCK):
                continue  # RP104 has what that costs
            if _gain(on_target, block) and (on_target.measured is not None or on_target.crowded or facts.wants_hints):
                severity = _severity(on_target)
                if severity is not Severity.HINT or (_reaches_cap(on_target) and not facts.is_open_upwards(target)):
                    severities[target] = severity
        if not severities:
            return
        worst = max(severities, key=lambda target: severities[target])
        where = place(facts, kernel.name_span, kernel.path, "the kernel")
        message = _message(facts, facts.target(worst), block)
        fix = _fix(facts) if where.here and not kernel.has_work_items and not kernel.layer else None
        help_ = _help(facts, facts.target(worst), block)
        yield Finding(where.span, message, severities, help_, where.notes, fix, kernel.name)


def _gain(target: TargetFacts, block: int | None) -> bool:
    """True if a bound of the launched size lets clang use more registers than no bound does."""
    if block is not None and block > _LARGEST_BLOCK:
        return False
    return register_cap(target.architecture, block or SUGGESTED_BLOCK) > target.budget


def _reaches_cap(target: TargetFacts) -> bool:
    """Whether the cap may matter: a small kernel is none the worse for it."""
    measured = target.measured
    return target.registers.high > target.budget and (measured is None or measured.spills is None)


def _severity(target: TargetFacts) -> Severity:
    cap, registers, measured = target.budget, target.registers, target.measured
    if measured is not None and measured.spills is not None:  # what does not spill has what it wants
        return Severity.WARNING if measured.spills else Severity.HINT
    guessed = registers.high > _GUESS * registers.low and registers.estimate < _FAR * cap
    surely = registers.estimate >= SURELY[target.architecture.vendor] * cap or registers.low > cap
    if surely and not guessed:
        return Severity.WARNING
    possible = registers.estimate >= _POSSIBLE * cap and registers.high >= _REACHES * cap
    return Severity.INFO if possible else Severity.HINT


def _message(facts: KernelFacts, target: TargetFacts, block: int | None) -> str:
    arch, assumed = target.architecture, facts.settings.registers.max_threads
    option = f" (`--gpu-max-threads-per-block={assumed}`)" if assumed else ""
    text = (
        f"`{facts.kernel.name}` has no {_what(facts)}: clang assumes {assumed or _LARGEST_BLOCK:,} "
        f"threads{option} and caps it at {target.budget} VGPRs on {arch.name}, "
        f"{registers_of(target)}"
    )
    if block is None:
        return text
    return f"{text}; launched with {count(block, 'thread')} it may have {register_cap(arch, block)}"


def _what(facts: KernelFacts) -> str:
    return "launch bounds" if facts.kernel.layer else f"{bounds_declared(facts.kernel)}"


def _help(facts: KernelFacts, target: TargetFacts, block: int | None) -> str:
    arch, lds = target.architecture, target.lds_at_least
    size = block or SUGGESTED_BLOCK
    cap, wider = target.budget, register_cap(arch, size)
    now = occupancy(arch, KernelUse(vgprs=cap, block_size=size, lds_bytes=lds))
    needed = min(max(target.registers.estimate, cap + 1), wider)
    then = occupancy(arch, KernelUse(vgprs=needed, block_size=size, lds_bytes=lds))
    declared = bounds_declared(facts.kernel, block)
    bound = declared if block is not None or facts.kernel.layer else f"{declared} with the block size"
    advice = f"declare {bound}: if the kernel spills, that ends or shrinks the spills"
    if now.waves == then.waves:
        spare = spare_registers(facts, arch.name)
        return f"{advice}, and costs no wave{f' ({spare.note(target, wider)})' if spare is not None else ''}"
    return f"{advice}; where it then takes more than {cap} VGPRs, {waves(now)} per SIMD become {waves(then)}"


def _fix(facts: KernelFacts) -> Fix | None:
    kernel = facts.kernel
    sizes: Mapping[int | None, None] = dict.fromkeys(launch.block_size for launch in kernel.launches)
    size = next(iter(sizes)) if len(sizes) == 1 else None
    if size is None or size > _LARGEST_BLOCK or macro_made(facts.file, kernel):
        return None
    at = kernel.name_span.start
    bound = f"__launch_bounds__({size})"
    return Fix(f"add {bound}, the size of every visible launch", "unsafe", (Edit(Span(at, at), f"{bound} "),))
