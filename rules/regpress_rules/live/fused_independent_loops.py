"""RP303 fused-independent-loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity
from regpress_lint.api.syntax import Jump, Return, walk
from regpress_lint.api.targets import targets_of, vendor_of
from regpress_lint.api.text import count, listing
from regpress_lint.api.worth import step_severity
from regpress_rules.live._peak import at_peak

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.api.facts import Flow, LoopFacts, Op
    from regpress_lint.api.syntax import Variable

_WORTH = 8  # registers of a group that splitting wins (RP303's page)
_TOGETHER = ("__sync", "__shfl", "shfl", "atomic", "__ballot", "__any", "__all", "barrier", "group_barrier", "__reduce")
_MOST_NAMES = 3


class FusedIndependentLoops(Rule):
    """A loop that carries two or more groups of values which have nothing to do with each other."""

    code = "RP303"
    name = "fused-independent-loops"
    vendors = ("amd", "nvidia", "intel")
    needs = ("loops",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a loop."""
        targets = targets_of(facts, "amd", "nvidia", "intel")
        if not targets or not facts.loops:
            return
        function = facts.kernel.function
        if function.path not in ("", facts.file.path):
            return
        for number, loop in enumerate(facts.loops):
            if not _splits(facts, number):
                continue
            if not _may_carry_several(facts.flow_of(function), number):
                continue
            groups = _groups(facts, number, facts.peak(targets[0]).carried(loop.loop))
            if len(groups) > 1 and at_peak(facts, targets[0], loop):
                yield _finding(facts, targets, loop, groups, _read_by_several(facts, number, groups))


class _Group(NamedTuple):
    """Variables that a loop carries and that nothing in it connects with the others. bits: their set."""

    variables: tuple[Variable, ...]
    bits: int
    registers: int


# ------------------------------------------------------------------------------------------------------- detection


def _splits(facts: KernelFacts, number: int) -> bool:
    """True for a loop that can be run once for each group: it stays a loop, those in it do not, it is left at its end
    only, and it writes no memory and meets no other threads.
    """
    loop = facts.loops[number]
    if loop.unrolled or loop.has_break or loop.loop.kind == "range":
        return False
    if any(loop in inner.chain() and inner is not loop and not inner.unrolled for inner in facts.loops):
        return False
    flow = facts.flow_of(facts.kernel.function)
    for call in (record.call for record in flow.calls if record.loop >= 0 and flow.inside(record.loop, number)):
        if call.name.startswith(_TOGETHER):
            return False
        target = facts.callee_of(call)
        if target is not None and any(each.type.pointers or each.type.reference for each in target.parameters):
            return False
    if any(
        isinstance(node, Return) or (isinstance(node, Jump) and node.kind == "goto") for node in walk(loop.loop.body)
    ):
        return False
    accesses = facts.memory_of(facts.kernel.function).accesses
    return not any(each.kind != "read" and each.loop >= 0 and flow.inside(each.loop, number) for each in accesses)


def _may_carry_several(flow: Flow, number: int) -> bool:
    """False if the variables that are both read and written in a loop are too few, or too narrow, for two groups: then
    it need not be executed.
    """
    defined = used = 0
    for op in _ops(flow, number):
        defined |= op.defs
        used |= op.uses
    both = [variable for variable, bit in flow.bits.items() if bit & defined & used]
    return len(both) > 1 and sum(map(_most_registers, both)) >= 2 * _WORTH


def _most_registers(variable: Variable) -> int:
    """Registers of a variable; of an array, or of a type that is not in view, as many as two groups need."""
    registers = variable.type.registers
    return 2 * _WORTH if variable.dims or registers is None else registers


def _groups(facts: KernelFacts, number: int, widths: Mapping[Variable, int]) -> list[_Group]:
    """Groups of carried variables of at least 8 registers each, the widest first; none if something small is left.

    `widths` are the registers that the loop takes from one iteration to the next, by variable.
    """
    flow = facts.flow_of(facts.kernel.function)
    ops = _ops(flow, number)
    carried = _carried(flow, ops, widths)
    if carried.bit_count() < 2 or _decides(flow, number, carried):
        return []
    found: list[_Group] = []
    for bits in _connected(ops, carried):
        variables = tuple(variable for variable, bit in flow.bits.items() if bit & bits)
        registers = sum(widths.get(variable, 0) for variable in variables)
        if registers >= _WORTH:
            found.append(_Group(variables, bits, registers))
    return sorted(found, key=lambda group: (-group.registers, group.variables[0].span))


def _ops(flow: Flow, number: int) -> list[Op]:
    record = flow.loops[number]
    return [op for block in flow.blocks[record.first : record.last] for op in block.ops]


def _carried(flow: Flow, ops: Sequence[Op], widths: Mapping[Variable, int]) -> int:
    """Variables that bring a value from one iteration to the next, counters of any kind aside."""
    carried = 0
    for variable in widths:
        carried |= flow.bits.get(variable, 0)
    for variable, bit in flow.bits.items():
        if bit & carried and not variable.type.floating and not variable.dims:
            makers = [op for op in ops if op.defs & bit]
            if all(not op.loads and not op.uses & carried & ~bit for op in makers):
                carried &= ~bit
    return carried


def _decides(flow: Flow, number: int, carried: int) -> bool:
    """True if a carried variable decides when the loop ends."""
    test = flow.loops[number].loop.test
    return test is not None and any(op.uses & carried for op in _ops(flow, number) if op.span == test.span)


def _connected(ops: Sequence[Op], carried: int) -> list[int]:
    """Sets of carried variables that an op, or a value on its way through other variables, brings together."""
    parts: list[int] = []
    reaching: dict[int, int] = {}  # by the bit of another variable: the carried ones that flow into it
    changed = True
    while changed:
        changed = False
        for op in ops:
            used = (op.uses | op.control) & carried
            others = (op.uses | op.control) & ~carried
            for bit, found in reaching.items():
                if others & bit:
                    used |= found
            if not used and not op.defs & carried:
                continue
            parts = _merged(parts, used | (op.defs & carried))
            for bit in _bits(op.defs & ~carried) if used else ():
                if used & ~reaching.get(bit, 0):
                    reaching[bit] = reaching.get(bit, 0) | used
                    changed = True
    return parts


def _merged(parts: list[int], found: int) -> list[int]:
    apart = []
    for part in parts:
        if part & found:
            found |= part
        else:
            apart.append(part)
    return [*apart, found]


def _bits(found: int) -> Iterator[int]:
    while found:
        bit = found & -found
        yield bit
        found ^= bit


def _read_by_several(facts: KernelFacts, number: int, groups: Sequence[_Group]) -> list[Variable]:
    """Variables that the loop loads and more than one group uses: each loop would load them again."""
    flow = facts.flow_of(facts.kernel.function)
    ops = _ops(flow, number)
    loaded = 0
    for op in ops:
        loaded |= op.defs if op.loads else 0
    found = []
    for variable, bit in flow.bits.items():
        if bit & loaded and sum(any(op.uses & bit and op.defs & group.bits for op in ops) for group in groups) > 1:
            found.append(variable)
    return found


def _joined_later(facts: KernelFacts, loop: LoopFacts, groups: Sequence[_Group]) -> bool:
    """True if what is made of one group after the loop also takes something from another."""
    flow = facts.flow_of(facts.kernel.function)
    made = {bit: 1 << number for number, group in enumerate(groups) for bit in _bits(group.bits)}
    for block in flow.blocks[flow.loops[facts.loops.index(loop)].last :]:
        for op in block.ops:
            taken = 0
            for bit, found in made.items():
                if op.uses & bit:
                    taken |= found
            if taken.bit_count() > 1:
                return True
            for bit in _bits(op.defs) if taken else ():
                made[bit] = made.get(bit, 0) | taken
    return False


# -------------------------------------------------------------------------------------------------------- report


def _finding(
    facts: KernelFacts, targets: Sequence[str], loop: LoopFacts, groups: Sequence[_Group], shared: Sequence[Variable]
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
    return Finding(head, message, severities, help_, notes, None, facts.kernel.name)


def _severity(facts: KernelFacts, target: str, saved: int, shared: bool, joined: bool) -> Severity:
    """Loads that are done again may cost more time than the registers: no more than information then. clang moves
    what is made of several groups behind the last loop, so that all of them are held again.
    """
    if joined and vendor_of(target) == "amd":
        return Severity.HINT
    severity = step_severity(facts, target, saved)
    return min(severity, Severity.INFO) if shared else severity


def _named(group: _Group) -> str:
    names = [f"`{variable.name}`" for variable in group.variables[:_MOST_NAMES]]
    more = len(group.variables) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")
