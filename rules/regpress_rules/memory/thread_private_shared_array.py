"""RP801 thread-private-shared-array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Note, Rule, Severity
from regpress_lint.api.report import place
from regpress_lint.api.targets import occupancy
from regpress_lint.api.text import count, waves
from regpress_lint.api.worth import small_grid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api.facts import PerThreadSlots, TargetFacts
    from regpress_lint.api.targets import Occupancy

_MOST_ELEMENTS = 64  # per thread: measured up to 128 on gfx90a and sm_90; above, loops over them stay loops


class _Verdict(NamedTuple):
    severity: Severity
    text: str


class ThreadPrivateSharedArray(Rule):
    """A shared array in which every thread uses only its own slots: data that registers could hold."""

    code = "RP801"
    name = "thread-private-shared-array"
    needs = ("per_thread_slots",)
    many_blocks = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding an array, with the reason of the target where it is most severe."""
        for slots, targets in facts.per_thread_slots.items():
            if slots.elements > _MOST_ELEMENTS:
                continue
            verdicts = {name: verdict for name in targets if (verdict := _verdict(facts, name, slots)) is not None}
            if verdicts:
                yield _finding(facts, slots, verdicts)


def _finding(facts: KernelFacts, slots: PerThreadSlots, verdicts: dict[str, _Verdict]) -> Finding:
    worst = max(verdicts.values(), key=lambda verdict: verdict.severity)
    variable = slots.variable
    where = place(facts, variable.span, facts.kernel.function.path, "the shared array")
    extent = "" if slots.elements == 1 else f"[{slots.elements}]"
    message = (
        f"every thread uses only its own {count(slots.elements, 'element')} of `{variable.name}`, which takes "
        f"{count(slots.bytes, 'byte')} of LDS per block: {worst.text}"
    )
    help_ = f"make it private, `{variable.type.shown} {variable.name}{extent}`, without the thread's index"
    if slots.elements > 1:
        help_ += "; the loops over it must stay unrolled"
    notes = (Note(slots.accesses[0], "each thread's own slot, as in all accesses"),) if where.here else ()
    severities = {name: verdict.severity for name, verdict in verdicts.items()}
    return Finding(where.span, message, severities, help_, where.notes + notes)


def _verdict(facts: KernelFacts, name: str, slots: PerThreadSlots) -> _Verdict | None:
    target = facts.target(name)
    if not target.architecture.has_register_steps:
        return None
    more = slots.elements * (slots.variable.type.registers or 1)
    before, after = target.without_registers, _at(target, more, slots.bytes)
    if before.groups == 0 or after.waves <= before.waves:
        return _Verdict(Severity.HINT, f"LDS does not limit on {name}, registers would gain no wave")
    band = target.registers
    gains = [_gains(target, registers, more, slots.bytes) for registers in (band.estimate, band.low, band.high)]
    if not any(gains):
        return _Verdict(Severity.HINT, f"LDS limits on {name}, but by the estimate registers would gain no wave")
    settled = facts.launch.block_size_from != "assumed" and not facts.launch.launches_differ and facts.launch.lds_known
    severity = Severity.WARNING if settled and gains[0] and any(gains[1:]) else Severity.INFO
    if facts.kernel.launches and all(small_grid(launch) for launch in facts.kernel.launches):
        severity = Severity.HINT
    registers = band.estimate if gains[0] else band.low if gains[1] else band.high
    now, then = _at(target, registers, 0), _at(target, registers + more, slots.bytes)
    text = (
        f"in registers ({more} more a thread) it would let {waves(then)} per SIMD fit on {name} instead of "
        f"{now.waves / now.simds:g}, by the estimate and with {count(facts.launch.block_size, 'thread')} per block"
    )
    return _Verdict(severity, text)


def _gains(target: TargetFacts, registers: int, more: int, freed: int) -> bool:
    if registers + more > target.budget:
        return False
    return _at(target, registers + more, freed).waves > _at(target, registers, 0).waves


def _at(target: TargetFacts, registers: int, freed: int) -> Occupancy:
    """Occupancy with that many registers and so many bytes of LDS less."""
    use = target.use(registers)
    return occupancy(target.architecture, use._replace(lds_bytes=max(use.lds_bytes - freed, 0)))
