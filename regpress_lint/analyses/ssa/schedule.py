"""An order for the values of an executed kernel, and how many registers are alive in it at a time."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from regpress_lint.analyses.ssa.graph import FLOAT, Region

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.analyses.ssa.graph import Graph, Item
    from regpress_lint.analyses.ssa.machine import Machine
    from regpress_lint.analyses.ssa.objects import Access

Placed: TypeAlias = "list[int | tuple[Region, Placed]]"

_EFFECTS = ("store", "atomic", "barrier", "branch", "service", "unknown", "convergent", "write element")
_READS = ("load", "select element")
# Their results differ between the threads of a wave, or are in vector registers although they do not.
_VECTOR = (
    *(
        "load private",
        "load shared",
        "load texture",
        "atomic",
        "convergent",
        "select element",
        "element",
        "unknown",
        "upper half",
    ),
)
_FLOAT_OPS = frozenset(("+", "-", "*", "/", "select", "convert", "phi", "exit"))  # no scalar unit for floats on gfx9
_WAITING = ("phi", "address", "scaled", "upper half")  # made where they are used
_FREE = frozenset(("phi", "exit", "source", "constant", "element"))  # no instruction of their own
_CLUSTER = 6  # operations that are looked at together
_MOST_MOVED = 32  # registers of reads that a scheduler moves up together
_EASY = 24  # registers up to which no other order is looked for
_ROUNDS = 6


class Pressure(NamedTuple):
    """Registers alive at the widest point of a schedule.

    vector: AMD's vector registers, NVIDIA's registers that no uniform register can stand for. scalar: the others.
    together: both at the widest point of their sum. length: values in the schedule.
    """

    vector: int
    scalar: int
    together: int
    length: int


class ValueFacts(NamedTuple):
    """What is needed at all, what differs between the threads of a wave, and who uses what.

    users: the values that each value is an operand of. operands: those of each value, each once. registers: vector
    registers of each value, 0 for one in scalar, uniform or predicate registers. free: 1 for an operation that may
    stand anywhere behind its operands.
    """

    needed: bytearray
    divergent: list[bool]
    users: list[list[int]]
    operands: list[tuple[int, ...]]
    registers: list[int]
    free: bytearray


def analysed(machine: Machine) -> ValueFacts:
    """Values that an effect depends on, and divergence to a fixed point over the phis."""
    graph = machine.graph
    needed, divergent = _needed(machine), _divergent(graph)
    users: list[list[int]] = [[] for _ in range(len(graph))]
    operands = graph.args.copy()
    for number, own in enumerate(operands):
        if needed[number]:
            if len(own) > 1 and (len(own) > 2 or own[0] == own[1]):
                own = operands[number] = tuple(dict.fromkeys(own))
            for arg in own:
                users[arg].append(number)
    registers = [
        width if width and _in_vector(graph, number, divergent, scalar=machine.compiler.scalar_registers) else 0
        for number, width in enumerate(graph.widths)
    ]
    free = bytearray(op not in _WAITING for op in graph.ops)
    for number in machine.block_of:
        free[number] = 0
    return ValueFacts(needed, divergent, users, operands, registers, free)


class Totals(NamedTuple):
    """Sums over all values that are needed.

    operations: those in vector registers, reads aside. reads: registers that the block with most reads fills from
    memory; flight: the same with the copies that ptxas makes and the registers of the addresses. call: registers that
    the dearest library call or division takes by itself.
    """

    operations: int
    reads: int
    flight: int
    call: int


def totals(machine: Machine, facts: ValueFacts) -> Totals:
    """What does not hang on an order."""
    graph, registers = machine.graph, facts.registers
    operations = call = 0
    reads: dict[int, int] = {}
    addresses: dict[int, set[int]] = {}
    for number, op in enumerate(graph.ops):
        if not facts.needed[number]:
            continue
        call = max(call, graph.extra[number])
        if op.startswith("load"):
            block = machine.block_of[number]
            reads[block] = reads.get(block, 0) + registers[number]
            addresses.setdefault(block, set()).update(graph.args[number][:1])
        elif registers[number] and op not in _FREE:
            operations += 1
    flight = (
        filled * machine.again.get(block, 1) + sum(registers[address] for address in addresses[block])
        for block, filled in reads.items()
    )
    return Totals(operations, max(reads.values(), default=0), max(flight, default=0), call)


def _in_vector(graph: Graph, number: int, divergent: list[bool], *, scalar: bool) -> bool:
    op = graph.ops[number]
    if op == "constant":
        return False
    if divergent[number] or op.startswith(_VECTOR):
        return True
    if scalar:
        return (graph.kinds[number] == FLOAT and op in _FLOAT_OPS) or op.startswith("call ")
    return op == "phi" or op.startswith("load")


def _needed(machine: Machine) -> bytearray:
    graph = machine.graph
    if not machine.complete:  # the effects behind the point where it stopped are unknown
        return bytearray(b"\1" * len(graph))
    needed = bytearray(len(graph))
    pending = [number for number, op in enumerate(graph.ops) if op == "call" or op.startswith(_EFFECTS)]
    for number in pending:
        needed[number] = 1
    args = graph.args
    while pending:
        for arg in args[pending.pop()]:
            if not needed[arg]:
                needed[arg] = 1
                pending.append(arg)
    return needed


def _divergent(graph: Graph) -> list[bool]:
    own = (op == "source" or op.startswith(("load global", *_VECTOR)) for op in graph.ops)
    divergent = [known and mine for known, mine in zip(graph.divergent, own, strict=True)]
    args = graph.args
    phis = [number for number, op in enumerate(graph.ops) if op == "phi"]
    for _ in range(_ROUNDS):
        for number, operands in enumerate(args):
            if not divergent[number]:
                for arg in operands:
                    if divergent[arg]:
                        divergent[number] = True
                        break
        # Only a phi has an operand that is made after it.
        if not any(not divergent[phi] and any(divergent[arg] for arg in args[phi]) for phi in phis):
            break
    return divergent


def pressure(machine: Machine, facts: ValueFacts) -> Pressure:
    """Registers alive in an order as good as a scheduler finds one.

    Pure operations stand before their first use, and reads at the start of their block or behind the last write that
    may change what they give; or all stands as it was executed, where that takes less: no scheduler keeps an order that
    is worse than the one it was given.
    """
    schedule = _Schedule(machine, facts)
    schedule.place()
    found = schedule.sweep()
    if found.vector <= _EASY:
        return found
    plain = _Schedule(machine, facts)
    plain.keep()
    written = plain.sweep()
    if machine.compiler.moves_reads:
        moved = min(_MOST_MOVED, totals(machine, facts).reads)
        written = written._replace(vector=written.vector + moved, together=written.together + moved)
    return written if written.vector < found.vector else found


class _Schedule:
    """One order; `sequence` has a value's number where it is made, `loops` the bounds of kept loops in it."""

    def __init__(self, machine: Machine, facts: ValueFacts) -> None:
        graph = machine.graph
        self.machine = machine
        self.graph = graph
        self.facts = facts
        self.needed = facts.needed
        self.done = bytearray(len(graph)) + b"\1"  # the last stands for no value
        self.left = [len(users) for users in facts.users]
        # Of a value that cannot be moved here, what is not free and stands in its way; its place alone changes that.
        self.waits_for = [-1] * len(graph)
        self.phis: dict[Region, list[int]] = {}
        for number, op in enumerate(graph.ops):
            if op == "constant":
                self.done[number] = 1
            elif op == "phi":
                self.done[number] = 1
                home = graph.homes[number]
                if self.needed[number] and home is not None:
                    self.phis.setdefault(home, []).append(number)
        self.lists: dict[Region | None, Placed] = {}
        self.here: Region | None = None
        self.sequence: list[int] = []
        self.loops: list[tuple[int, int, Region]] = []

    # -------------------------------------------------------------------------------------------------- placement

    def place(self) -> None:
        """Put all values that are needed into the sequence."""
        self._flatten(self._region(self.machine.top))

    def keep(self) -> None:
        """Put all values that are needed into the sequence as they were executed."""
        graph = self.graph
        own: dict[Region | None, list[int]] = {}
        for number, op in enumerate(graph.ops):
            if self.needed[number] and op not in ("constant", "phi"):
                own.setdefault(graph.homes[number], []).append(number)
        self._flatten(self._kept(self.machine.top, own)[0])

    def _kept(self, region: Region, own: dict[Region | None, list[int]]) -> tuple[Placed, int]:
        key = region if region.parent is not None else None
        values: list[tuple[int, int | tuple[Region, Placed]]] = [(number, number) for number in own.get(key, ())]
        for item in region.items:
            if isinstance(item, Region):
                inner, last = self._kept(item, own)
                values.append((last, (item, inner)))
        values.sort(key=itemgetter(0))
        return [value for _, value in values], values[-1][0] if values else -1

    def _region(self, region: Region) -> Placed:
        placed: Placed = []
        outer, self.here = self.here, region if region.parent is not None else None
        key = self.here
        self.lists[key] = placed
        behind: dict[int, list[int]] = {}
        block = -1
        for position, item in enumerate(region.items):
            if isinstance(item, Region):
                for phi in self.phis.get(item, ()):
                    self._emit(self.graph.args[phi][0])
                placed.append((item, self._region(item)))
                block = -1
                continue
            if self.machine.block_of[item] != block:
                block = self.machine.block_of[item]
                behind = self._reads_behind(region.items, position, block)
                self._emit_all(behind.get(-1, ()))
            if self.needed[item]:
                self._emit(item)
            self._emit_all(behind.get(item, ()))
        for phi in self.phis.get(region, ()):
            if len(self.graph.args[phi]) > 1:
                self._emit(self.graph.args[phi][1])
        del self.lists[key]
        self.here = outer
        return placed

    def _reads_behind(self, items: list[Item], start: int, block: int) -> dict[int, list[int]]:
        """Reads of a block by the last write that they must not pass, -1 for those that may go to its start."""
        behind: dict[int, list[int]] = {}
        last: dict[Access, int] = {}
        order: dict[int, int] = {}
        moved: dict[int, int] = {}
        accesses = self.machine.accesses
        for position, item in enumerate(items[start:]):
            if isinstance(item, Region) or self.machine.block_of[item] != block:
                break
            access = accesses.get(item)
            if self.graph.ops[item].startswith("load"):
                if not self.needed[item]:
                    continue
                met = [write for other, write in last.items() if other.meets(access)] if access is not None else []
                write = max(met, key=order.__getitem__, default=-1)
                moved[write] = moved.get(write, 0) + self.graph.widths[item]
                if moved[write] <= _MOST_MOVED:
                    behind.setdefault(write, []).append(item)
            elif access is not None:
                last[access] = item
                order[item] = position
        return behind

    def _emit_all(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._emit(number)

    def _emit(self, number: int) -> None:
        """Place a value behind its operands, in the innermost loop that it changes in. Chains may be long."""
        done, args, widths = self.done, self.graph.args, self.graph.widths
        pending = [number]
        while pending:
            top = pending[-1]
            if done[top]:
                pending.pop()
                continue
            missing = [arg for arg in args[top] if not done[arg]]
            if missing:
                # The widest operand is worked out first, of equal ones the left: it stands last.
                missing.reverse()
                pending.extend(sorted(missing, key=widths.__getitem__) if len(missing) > 1 else missing)
                continue
            pending.pop()
            self._put(top)
            self._settle(top)

    def _put(self, number: int) -> None:
        home = self.graph.homes[number]
        while home is not None and home not in self.lists:
            home = home.parent if home.parent is not None and home.parent.parent is not None else None
        self.lists[home].append(number)
        self.done[number] = 1
        left = self.left
        for arg in self.facts.operands[number]:
            left[arg] -= 1

    def _settle(self, number: int) -> None:
        """Place the operations that only shorten live ranges now: they free as many registers as they take."""
        args, left, done, free = self.graph.args, self.left, self.done, self.facts.free
        pending = [number, *(arg for arg in args[number] if left[arg] == 1)]
        while pending:
            for user in self.facts.users[pending.pop()]:
                if done[user] or not free[user]:
                    continue
                for one in self._freeing(user):
                    self._put(one)
                    pending.append(one)
                    pending.extend(arg for arg in args[one] if left[arg] == 1)

    def _freeing(self, user: int) -> list[int]:
        """The operation, what it still waits for, and those that follow it alone (a product and the sum it goes into),
        if together they free as many registers as they take; else nothing.
        """
        cluster: list[int] = []
        users = self.facts.users
        while self.facts.free[user] and self.graph.homes[user] in self.lists and self._gather(user, cluster):
            if self._is_neutral(cluster):
                return cluster
            if len(users[user]) != 1 or self.done[users[user][0]]:
                break
            user = users[user][0]
        return []

    def _gather(self, number: int, cluster: list[int], depth: int = 0) -> bool:
        """Add an operation to a cluster, behind the operations it waits for; False if they are too many or one of them
        cannot stand here. depth: operations that wait for this one, and come into the cluster behind it.
        """
        done, free, waits_for = self.done, self.facts.free, self.waits_for
        if len(cluster) + depth >= _CLUSTER or not done[waits_for[number]]:
            return False
        for arg in self.facts.operands[number]:
            if done[arg] or arg in cluster:
                continue
            if not free[arg]:
                waits_for[number] = arg
                return False
            if self.graph.homes[arg] not in self.lists:
                return False
            if not self._gather(arg, cluster, depth + 1):
                waits_for[number] = waits_for[arg]
                return False
        if len(cluster) >= _CLUSTER:
            return False
        cluster.append(number)
        return True

    def _is_neutral(self, cluster: list[int]) -> bool:
        """True if the cluster's last uses free what it leaves alive."""
        graph, registers, left, here = self.graph, self.facts.registers, self.left, self.here
        operands = self.facts.operands
        if len(cluster) == 1:
            freed = 0
            for arg in operands[cluster[0]]:
                if left[arg] == 1 and graph.homes[arg] is here:
                    freed += registers[arg]
            return freed > 0 and (freed >= registers[cluster[0]] or not left[cluster[0]])
        uses: dict[int, int] = {}
        for number in cluster:
            for arg in operands[number]:
                uses[arg] = uses.get(arg, 0) + 1
        taken = freed = 0
        for number in cluster:
            if left[number] > uses.get(number, 0):
                taken += registers[number]
        done, homes = self.done, graph.homes
        for arg, count in uses.items():
            if left[arg] == count and done[arg] and homes[arg] is here:
                freed += registers[arg]
        return freed >= taken and freed > 0

    def _flatten(self, placed: Placed) -> None:
        for item in placed:
            if isinstance(item, tuple):
                region, inner = item
                start = len(self.sequence)
                self.sequence += self.phis.get(region, [])
                self._flatten(inner)
                self.loops.append((start, len(self.sequence), region))
            else:
                self.sequence.append(item)

    # ------------------------------------------------------------------------------------------------------ sweep

    def sweep(self) -> Pressure:
        """The most registers that are alive at a time, from the place of each value to its last use."""
        graph, sequence = self.graph, self.sequence
        place = {number: position for position, number in enumerate(sequence)}
        last = self._last_uses(place)
        length = len(sequence)
        vector, scalar = [0] * (length + 2), [0] * (length + 2)
        registers = self.facts.registers
        for number, end in last.items():
            start = place.get(number)
            if start is None:
                continue
            width = registers[number]
            counts = vector if width else scalar
            width = width or graph.widths[number]
            counts[start] += width
            counts[end] -= width
        most = most_scalar = most_together = held = held_scalar = 0
        for position, number in enumerate(sequence):
            held += vector[position]
            held_scalar += scalar[position]
            most = max(most, held + graph.extra[number])
            most_scalar = max(most_scalar, held_scalar)
            most_together = max(most_together, held + held_scalar + graph.extra[number])
        return Pressure(most, most_scalar, most_together, length)

    def _last_uses(self, place: dict[int, int]) -> dict[int, int]:
        args, ops = self.graph.args, self.graph.ops
        last: dict[int, int] = {}
        for position, number in enumerate(self.sequence):
            operands = args[number][:1] if ops[number] == "phi" else args[number]
            for arg in operands:
                last[arg] = position
        for _, end, region in self.loops:
            for phi in self.phis.get(region, ()):
                for arg in args[phi][1:]:
                    last[arg] = max(last.get(arg, end), end)
        if self.loops:
            self._extend(place, last)
        return last

    def _extend(self, place: dict[int, int], last: dict[int, int]) -> None:
        """What is made before a loop and used in it is alive in all of the loop."""
        loops = self.loops  # inner ones first
        around = [-1] * (len(self.sequence) + 1)
        outer = [-1] * len(loops)
        for number in range(len(loops) - 1, -1, -1):
            begin, end, region = loops[number]
            outer[number] = around[begin]
            # What a phi starts from is used in front of the loop.
            body = begin + len(self.phis.get(region, ()))
            around[body:end] = [number] * (end - body)
        for value, use in last.items():
            start = place.get(value)
            if start is None:
                continue
            loop = around[use]
            while loop >= 0 and start < loops[loop][0]:
                use = max(use, loops[loop][1])
                loop = outer[loop]
            last[value] = use
