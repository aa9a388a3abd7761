"""Values that a loop carries from one iteration to the next, in groups that nothing in the loop connects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import Jump, Return
from regpress_lint.cpp.traversal import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.passes.peak import Apart
    from regpress_lint.source_level.flow import Flow, Op

_WORTH = 8  # registers of a group that splitting wins (RP303's page)
_WORTH_HALVING = 48  # registers of an array's elements; halves of 24 registers gained nothing (RP303's page)
_TOGETHER = ("__sync", "__shfl", "shfl", "atomic", "__ballot", "__any", "__all", "barrier", "group_barrier", "__reduce")


class LoopGroup(NamedTuple):
    """Variables that a loop carries and that nothing in it connects with the others. bits: their set."""

    variables: tuple[Variable, ...]
    bits: int
    registers: int


def _splits(facts: KernelFacts, number: int) -> bool:
    """True for a loop that can be run once for each group: it stays a loop, those in it do not, it is left at its end
    only, and it writes no memory and meets no other threads.
    """
    described = facts.described_loops[number]
    if described.has_break or described.loop.kind == "range":
        return False
    flow = facts.flow_of(facts.kernel.function)
    for call in (record.call for record in flow.calls if record.loop >= 0 and flow.inside(record.loop, number)):
        if call.name.startswith(_TOGETHER):
            return False
        target = facts.callee_of(call)
        if target is not None and any(each.type.pointers or each.type.reference for each in target.parameters):
            return False
    if any(
        isinstance(node, Return) or (isinstance(node, Jump) and node.kind == "goto")
        for node in walk(described.loop.body)
    ):
        return False
    accesses = facts.memory_of(facts.kernel.function).accesses
    if any(each.kind != "read" and each.loop >= 0 and flow.inside(each.loop, number) for each in accesses):
        return False
    loop = facts.loops[number]  # last: whether it is unrolled takes an execution of the kernel
    if loop.unrolled:
        return False
    return not any(loop in inner.chain() and inner is not loop and not inner.unrolled for inner in facts.loops)


def _may_carry_several(flow: Flow, number: int) -> bool:
    """False if the variables that are both read and written in a loop are too few, or too narrow, for two groups: then
    it need not be executed.
    """
    both = _changed_in(flow, number)
    return len(both) > 1 and sum(map(_most_registers, both)) >= 2 * _WORTH


def _changed_in(flow: Flow, number: int) -> list[Variable]:
    """Variables that a loop both reads and writes."""
    defined = used = 0
    for op in ops_of(flow, number):
        defined |= op.defs
        used |= op.uses
    return [variable for variable, bit in flow.bits.items() if bit & defined & used]


def _most_registers(variable: Variable) -> int:
    """Registers of a variable; of an array, or of unknown type, as many as two groups need."""
    registers = variable.type.registers
    return 2 * _WORTH if variable.dims or registers is None else registers


def loop_groups(facts: KernelFacts, number: int, target: str) -> list[LoopGroup]:
    """The groups of a kernel's loop that could be run once for each of them; none where it cannot."""
    if not _may_carry_several(facts.flow_of(facts.kernel.function), number) or not _splits(facts, number):
        return []
    return _groups(facts, number, facts.peak(target).carried(facts.loops[number].loop))


def elements_apart(facts: KernelFacts, number: int, target: str) -> dict[Variable, Apart]:
    """Arrays whose elements a kernel's loop carries side by side, where it could run over half of them at a time; none
    where it cannot.
    """
    flow = facts.flow_of(facts.kernel.function)
    if not any(variable.dims for variable in _changed_in(flow, number)) or not _splits(facts, number):
        return {}
    found = facts.peak(target).apart(facts.loops[number].loop)
    wide = {each: one for each, one in found.items() if one.registers >= _WORTH_HALVING}
    return {each: one for each, one in wide.items() if not _decides(flow, number, flow.bits.get(each, 0))}


def _groups(facts: KernelFacts, number: int, widths: Mapping[Variable, int]) -> list[LoopGroup]:
    """Groups of carried variables of at least 8 registers each, the widest first; none if something small is left.

    `widths` are the registers that the loop takes from one iteration to the next, by variable.
    """
    flow = facts.flow_of(facts.kernel.function)
    ops = ops_of(flow, number)
    carried = _carried(flow, ops, widths)
    if carried.bit_count() < 2 or _decides(flow, number, carried):
        return []
    found: list[LoopGroup] = []
    for bits in _connected(ops, carried):
        variables = tuple(variable for variable, bit in flow.bits.items() if bit & bits)
        registers = sum(widths.get(variable, 0) for variable in variables)
        if registers >= _WORTH:
            found.append(LoopGroup(variables, bits, registers))
    return sorted(found, key=lambda group: (-group.registers, group.variables[0].span))


def ops_of(flow: Flow, number: int) -> list[Op]:
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
    return test is not None and any(op.uses & carried for op in ops_of(flow, number) if op.span == test.span)


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
            for bit in bits_of(op.defs & ~carried) if used else ():
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


def bits_of(found: int) -> Iterator[int]:
    while found:
        bit = found & -found
        yield bit
        found ^= bit
