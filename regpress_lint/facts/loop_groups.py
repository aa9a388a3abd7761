"""Loops: counters that pick elements, variables only carried through, and groups of values that nothing connects."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import Jump, Return
from regpress_lint.cpp.traversal import depends_on, walk_outside_lambdas
from regpress_lint.targets.occupancy import architecture, headroom

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.model.passes.peak import Apart
    from regpress_lint.source.arrays import PrivateArray
    from regpress_lint.source.cfg import Flow, Op
    from regpress_lint.source.loop_facts import LoopFacts


# Loops whose counter picks an element of a private array: as loops they keep it out of registers.


def indexes_array(facts: KernelFacts, loop: LoopFacts) -> bool:
    """True if the loop must be unrolled, because its counter picks an element of a private array: the text says so."""
    for array in facts.source.arrays:
        for access in array.described:
            if not any(around.loop is loop.loop for around in access.loops):
                continue
            if loop.counter is None or any(depends_on(index, loop.counter) for index in access.indices):
                return True
    return False


# Variables that a loop only carries through, widest for their uses first: what LDS could hold while the loop runs.


_LEAST, _MOST_VALUES = 2, 16
_UNKNOWN = 8  # registers that a variable may have whose type is not visible


class CarriedVariable(NamedTuple):
    """A variable that a loop carries through: registers, where it is used behind the loop, the array if it is one."""

    variable: Variable
    registers: int
    uses: tuple[Span, ...]
    array: PrivateArray | None

    @property
    def bytes(self) -> int:
        """Bytes of memory per thread."""
        size = self.variable.type.size or 4
        return size * (self.array.elements or 1) if self.array is not None else size


def carried_through(facts: KernelFacts, loop: LoopFacts, targets: tuple[str, ...]) -> list[CarriedVariable]:
    """Plain local variables and arrays of one dimension that a loop holds and does not touch, and the code behind it
    uses by their names; those with most registers for each use first.
    """
    widths: dict[Variable, int] = {}
    for name in targets:
        for value in facts.peak(name).through(loop.loop):
            if value.variable is not None and architecture(name).has_register_steps:
                widths[value.variable] = max(value.registers, widths.get(value.variable, 0))
    carried = []
    for variable, registers in widths.items():
        uses = _uses_behind(facts, variable, loop) if _is_plain(facts, variable) else ()
        written = all(facts.file.source.text(span) == variable.name for span in uses)
        if registers >= _LEAST and uses and written:
            carried.append(CarriedVariable(variable, registers, uses, facts.array_of(variable)))
    return sorted(carried, key=lambda one: (-one.registers / len(one.uses), one.variable.span))[:_MOST_VALUES]


def may_be_carried(facts: KernelFacts, loop: LoopFacts) -> int:
    """Registers that variables may take of which `carried_through` can speak, as the source shows: it names them behind
    the loop and not in it. Nothing is executed for it.
    """
    return sum(_most_carried(facts, variable) for variable in passing_by(facts, loop) if _is_plain(facts, variable))


def passing_by(facts: KernelFacts, loop: LoopFacts) -> Iterator[Variable]:
    """Local variables of the body that are declared before a loop and named after it and not in it."""
    start, end = loop.loop.span.start, loop.loop.span.end
    for variable, places in facts.source.named_at.items():
        if variable.span.start < start and places[-1] >= end and bisect_left(places, start) == bisect_left(places, end):
            yield variable


def _most_carried(facts: KernelFacts, variable: Variable) -> int:
    array, width = facts.array_of(variable), variable.type.registers
    if array is not None:
        return (array.elements or 1) * (width or _LEAST)
    if width is None:
        return _UNKNOWN
    return width if width >= _LEAST else 0


def _is_plain(facts: KernelFacts, variable: Variable) -> bool:
    """True for a local number or an array of one dimension that nothing points to."""
    type_ = variable.type
    if variable.storage != "local" or type_.pointers or type_.reference or type_.struct or type_.lanes > 1:
        return False
    array = facts.array_of(variable)
    return array is None or (len(variable.dims) == 1 and not array.escapes and bool(array.elements))


def _uses_behind(facts: KernelFacts, variable: Variable, loop: LoopFacts) -> tuple[Span, ...]:
    names = facts.flow_of(facts.kernel.function).names
    return tuple(name.span for name in names if name.variable is variable and name.span.start >= loop.loop.span.end)


def free_lds(facts: KernelFacts, targets: tuple[str, ...]) -> int | None:
    """Bytes of LDS that a thread may take without a wave lost, on the target with the least; None for Intel alone."""
    block = max(facts.launch.block_size, 1)
    owns = [facts.target(name) for name in targets if architecture(name).has_register_steps]
    rooms = [headroom(target.architecture, target.use(target.registers.estimate), "lds_bytes") for target in owns]
    return min(rooms) // block if rooms else None


# Values that a loop carries from one iteration to the next, in groups that nothing in the loop connects.


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
    described = facts.source.loops[number]
    if described.has_break or described.loop.kind == "range":
        return False
    flow = facts.flow_of(facts.kernel.function)
    for call in (record.call for record in flow.calls if record.loop >= 0 and flow.inside(record.loop, number)):
        if call.name.startswith(_TOGETHER):
            return False
        target = facts.callee_of(call)
        if target is not None and any(
            parameter.type.pointers or parameter.type.reference for parameter in target.parameters
        ):
            return False
    if any(
        isinstance(node, Return) or (isinstance(node, Jump) and node.kind == "goto")
        for node in walk_outside_lambdas(described.loop.body)
    ):
        return False
    accesses = facts.memory_of(facts.kernel.function).accesses
    if any(access.kind != "read" and access.loop >= 0 and flow.inside(access.loop, number) for access in accesses):
        return False
    if _is_copied_in_each(facts, number):
        return False
    loop = facts.loops[number]  # last: whether it is unrolled takes an execution of the kernel
    if loop.unrolled:
        return False
    return not any(loop in inner.chain() and inner is not loop and not inner.unrolled for inner in facts.loops)


def _is_copied_in_each(facts: KernelFacts, number: int) -> bool:
    """True for a loop of a template that its pragma copies, if the text of each visible instantiation says how often
    it runs: without arguments nothing does, and the template would be executed with a loop that no program
    has.
    """
    loop = facts.source.loops[number].loop
    if loop.unroll is None or loop.unroll.factor is not None or "nounroll" in loop.unroll.text:
        return False
    trips = [
        [own.written_trips for own in part.source.loops if own.loop.span == loop.span]
        for part in facts.instances.values()
    ]
    return bool(trips) and all(counts and None not in counts for counts in trips)


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
    apart = facts.peak(target).apart(facts.loops[number].loop)
    beside = sum(part.registers for part in apart.values() if part.beside)
    wide = {
        array: part for array, part in apart.items() if (beside if part.beside else part.registers) >= _WORTH_HALVING
    }
    return {array: part for array, part in wide.items() if not _decides(flow, number, flow.bits.get(array, 0))}


def _groups(facts: KernelFacts, number: int, widths: Mapping[Variable, int]) -> list[LoopGroup]:
    """Groups of carried variables of at least 8 registers each, the widest first; none if something small is left.

    `widths` are the registers that the loop takes from one iteration to the next, by variable.
    """
    flow = facts.flow_of(facts.kernel.function)
    ops = ops_of(flow, number)
    carried = _carried(flow, ops, widths)
    if carried.bit_count() < 2 or _decides(flow, number, carried):
        return []
    groups: list[LoopGroup] = []
    small: list[LoopGroup] = []
    for bits in _connected(ops, carried):
        variables = tuple(variable for variable, bit in flow.bits.items() if bit & bits)
        group = LoopGroup(variables, bits, sum(widths.get(variable, 0) for variable in variables))
        (groups if group.registers >= _WORTH else small).append(group)
    if sum(group.registers for group in small) >= _WORTH_HALVING:
        groups += _halves(small)
    return sorted(groups, key=lambda group: (-group.registers, group.variables[0].span))


def _halves(groups: Sequence[LoopGroup]) -> tuple[LoopGroup, ...]:
    """Many small groups as two of about the same width: sums in variables of their own."""
    total = sum(group.registers for group in groups)
    parts: tuple[list[LoopGroup], list[LoopGroup]] = ([], [])
    taken = 0
    for group in sorted(groups, key=lambda group: group.variables[0].span):
        parts[int(2 * taken >= total)].append(group)
        taken += group.registers
    return tuple(
        LoopGroup(
            tuple(variable for group in part for variable in group.variables),
            sum(group.bits for group in part),
            sum(group.registers for group in part),
        )
        for part in parts
    )


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
            for bit, reached in reaching.items():
                if others & bit:
                    used |= reached
            if not used and not op.defs & carried:
                continue
            parts = _merged(parts, used | (op.defs & carried))
            for bit in bits_of(op.defs & ~carried) if used else ():
                if used & ~reaching.get(bit, 0):
                    reaching[bit] = reaching.get(bit, 0) | used
                    changed = True
    return parts


def _merged(parts: list[int], group: int) -> list[int]:
    apart = []
    for part in parts:
        if part & group:
            group |= part
        else:
            apart.append(part)
    return [*apart, group]


def bits_of(variables: int) -> Iterator[int]:
    while variables:
        bit = variables & -variables
        yield bit
        variables ^= bit
