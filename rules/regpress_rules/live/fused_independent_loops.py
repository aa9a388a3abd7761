"""RP303 fused-independent-loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity
from regpress_lint.api.facts import bits_of, elements_apart, loop_groups, ops_of
from regpress_lint.api.targets import gpu, habits, is_gfx9
from regpress_lint.api.text import count, listing
from regpress_lint.api.worth import at_peak, step_severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.api.facts import Apart, LoopFacts, LoopGroup
    from regpress_lint.api.syntax import Variable

_MOST_NAMES = 3
_SURE = 64  # registers of elements whose halves gained waves for each compiler (the page's table)


class FusedIndependentLoops(Rule):
    """A loop that carries two or more groups of values which have nothing to do with each other."""

    code = "RP303"
    name = "fused-independent-loops"
    vendors = ("amd", "nvidia", "intel")
    needs = ("loops",)
    tries_changes = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a loop."""
        targets = facts.targets
        if not targets or not facts.source.loops:
            return
        function = facts.kernel.function
        if function.path not in ("", facts.file.path):
            return
        for number in range(len(facts.source.loops)):
            groups = loop_groups(facts, number, targets[0])
            fused = len(groups) > 1 and at_peak(facts, targets[0], facts.loops[number])
            shared = _read_by_several(facts, number, groups) if fused else []
            if fused and not shared:
                yield _finding(facts, targets, facts.loops[number], groups, shared)
            elif apart := _apart(facts, targets, number):  # halves load nothing twice
                yield _of_elements(facts, facts.loops[number], apart)
            elif fused:
                yield _finding(facts, targets, facts.loops[number], groups, shared)


def _apart(facts: KernelFacts, targets: Sequence[str], number: int) -> dict[str, dict[Variable, Apart]]:
    """By target, the arrays whose elements a loop at the peak adds up side by side."""
    apart = {target: elements_apart(facts, number, target) for target in targets}
    return {target: each for target, each in apart.items() if each and at_peak(facts, target, facts.loops[number])}


def _read_by_several(facts: KernelFacts, number: int, groups: Sequence[LoopGroup]) -> list[Variable]:
    """Variables that the loop loads and more than one group uses: each loop would load them again."""
    flow = facts.flow_of(facts.kernel.function)
    ops = ops_of(flow, number)
    loaded = 0
    for op in ops:
        loaded |= op.defs if op.loads else 0
    several = []
    for variable, bit in flow.bits.items():
        if bit & loaded and sum(any(op.uses & bit and op.defs & group.bits for op in ops) for group in groups) > 1:
            several.append(variable)
    return several


def _joined_later(facts: KernelFacts, loop: LoopFacts, groups: Sequence[LoopGroup]) -> bool:
    """Whether a computation from one group after the loop also uses another."""
    flow = facts.flow_of(facts.kernel.function)
    owners = {bit: 1 << number for number, group in enumerate(groups) for bit in bits_of(group.bits)}
    for block in flow.blocks[flow.loops[facts.loops.index(loop)].last :]:
        for op in block.ops:
            taken = 0
            for bit, variables in owners.items():
                if op.uses & bit:
                    taken |= variables
            if taken.bit_count() > 1:
                return True
            for bit in bits_of(op.defs) if taken else ():
                owners[bit] = owners.get(bit, 0) | taken
    return False


# -------------------------------------------------------------------------------------------------------- report


def _finding(
    facts: KernelFacts, targets: Sequence[str], loop: LoopFacts, groups: Sequence[LoopGroup], shared: Sequence[Variable]
) -> Finding:
    total = sum(group.registers for group in groups)
    saved = total - groups[0].registers
    joined = _joined_later(facts, loop, groups)
    severities = {target: _severity(facts, target, saved, bool(shared), joined) for target in targets}
    message = (
        f"the loop carries {len(groups)} groups of values that have only the counter in common: "
        f"{' / '.join(_named(group) for group in groups)}, {count(total, 'register')} at a time where "
        f"{groups[0].registers} would do"
    )
    help_ = "one loop for each group, each with its results written right after it"
    if shared:
        help_ += (
            f"; {listing(f'`{variable.name}`' for variable in shared[:_MOST_NAMES])} would be loaded in each of them"
        )
    head = loop.loop.span._replace(end=loop.loop.span.start + 3)
    notes = tuple(Note(group.variables[0].span, count(group.registers, "register")) for group in groups)
    gained = None if shared else dict.fromkeys(severities, Severity.WARNING)
    return Finding(head, message, severities, help_, notes, gained=gained)


def _of_elements(facts: KernelFacts, loop: LoopFacts, by_target: Mapping[str, Mapping[Variable, Apart]]) -> Finding:
    severities = {target: _of_half(facts, target, arrays) for target, arrays in by_target.items()}
    shown = max(severities, key=lambda target: severities[target])
    arrays = dict(sorted(by_target[shown].items(), key=lambda pair: pair[0].span))
    total = sum(array.registers for array in arrays.values())
    elements = sum(array.elements for array in arrays.values())
    message = (
        f"the loop carries {elements} elements of {listing(f'`{array.name}`' for array in arrays)} that have only the "
        f"counter in common: {count(total, 'register')} at a time on {shown} where {total // 2} would do"
    )
    help_ = "run the loop twice, over half of the elements each time, with the results written right after it"
    head = loop.loop.span._replace(end=loop.loop.span.start + 3)
    notes = tuple(Note(variable.span, f"{count(apart.registers, 'register')}") for variable, apart in arrays.items())
    return Finding(head, message, severities, help_, notes)


def _of_half(facts: KernelFacts, target: str, arrays: Mapping[Variable, Apart]) -> Severity:
    """The severity for half of the elements; a compiler that sinks arithmetic keeps values live that are joined after
    both loops."""
    if any(array.joined for array in arrays.values()) and habits(target).sinks:
        return Severity.HINT
    total = sum(array.registers for array in arrays.values())
    severity = step_severity(facts, target, total // 2)
    # On RDNA the halves of 32 doubles took more registers than all of them; on Intel nobody has measured any.
    measured = is_gfx9(target) or gpu(target).is_nvidia
    return severity if measured and total >= _SURE else min(severity, Severity.INFO)


def _severity(facts: KernelFacts, target: str, saved: int, shared: bool, joined: bool) -> Severity:
    """Loads that are done again may cost more time than the registers: then info at most. A compiler that sinks
    arithmetic moves computations from several groups after the last loop, where all are live again.
    """
    if joined and habits(target).sinks:
        return Severity.HINT
    severity = step_severity(facts, target, saved)
    return min(severity, Severity.INFO) if shared else severity


def _named(group: LoopGroup) -> str:
    names = [f"`{variable.name}`" for variable in group.variables[:_MOST_NAMES]]
    more = len(group.variables) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")
