"""Indices and addresses that ptxas makes again of one another and holds in no register, where they are many."""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import ADD, ADDRESS, BARRIER, MULTIPLY, PHI, SHIFT_LEFT, Kind
from regpress_lint.model.graph.values import FLOAT, SIGNED, Region

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.uniformity import ValueFacts


_LOAD = Kind.LOAD
_LONG = 2  # registers of an integer or an address of 64 bits
_FEW_SUMS = 8  # of eight indices ptxas holds the sums, of sixteen none (`test_remade_sums.py`)
_LINEAR = (ADD, MULTIPLY, SHIFT_LEFT)
_MOST_ADDENDS = 4  # behind one another in an index
_MOST_USERS = 256  # of a sum, at each of these steps: a hostile kernel has thousands


def keep_for_writes(machine: Machine) -> None:
    """Of addresses that several writes share, `q[t + j * n]` and `q[t + j * n + 3]`, NVVM makes no chain: the sums that
    the reads in front of a loop were made of stay for them. 60 floats twice and 30 take 250 registers with such writes,
    168 without.
    """
    graph, offsets = machine.graph, machine.memory.offsets
    distances: dict[int, set[int]] = {}
    for number in machine.memory.accesses:
        if graph.ops[number].kind is Kind.STORE and number in offsets:
            distances.setdefault(graph.args[number][0], set()).add(offsets[number])
    shared = [address for address, some in distances.items() if len(some) > 1 and graph.ops[address] is ADDRESS]
    shared = [address for address in shared if graph.args[address][1] in graph.remade]
    if len(shared) > _FEW_SUMS:
        for address in shared:
            base, index, *rest = graph.args[address]
            graph.args[address] = (base, graph.remade[index], *rest)


def sink_sums(graph: Graph, facts: ValueFacts) -> None:
    """Sums of a thread's own number and one that all share, as `t + j * m` for each `j`, go into the loop that uses
    them where they are many: ptxas takes no register for what one addition makes again. So do other parts of indices,
    `(t + j) * m`, into an outer loop: across the inner one they would be held, and nvcc 13.0.88 makes them again (72
    registers for 48 sums of floats that are written so, 128 with all of them held).
    """
    by_loop: dict[Region, list[int]] = {}
    sunk: dict[int, Region] = {}
    for number in range(len(facts.users) - 1, -1, -1):
        users = facts.users[number]
        if not users or not facts.needed[number] or not (graph.is_sum(number) or _is_index(graph, number)):
            continue
        region = _common_loop(graph, number, users, sunk)
        if region is None or region is graph.homes[number]:
            continue
        if graph.is_sum(number) or _holds_loop(region):
            by_loop.setdefault(region, []).append(number)
            sunk[number] = region
    many = [number for sums in by_loop.values() if len(sums) > _FEW_SUMS for number in sums]
    for number in sorted(many, reverse=True):  # users first: where these are few they have stayed
        region = _common_loop(graph, number, facts.users[number], {})
        if region is not None:
            graph.homes[number] = region


def _is_index(graph: Graph, number: int) -> bool:
    """True for a part of an index that is different in each thread: a sum or product of integers."""
    return graph.ops[number] in _LINEAR and graph.kinds[number] != FLOAT and graph.divergent[number]


def _holds_loop(region: Region) -> bool:
    """True for a loop with another one inside, across which its values would be held."""
    return any(isinstance(item, Region) for item in region.items)


def remake_sums(machine: Machine, facts: ValueFacts) -> None:
    """Other sums have no register from one address of 64 bits to the next where they are many, nor have addresses.

    In a kernel without loops sixteen doubles that are read, changed and written with one stride take 48 registers,
    twelve 40. With a launch bound it holds them, up to the registers that this leaves, where the sums have 32 bits:
    twenty take 56 without one, and 64 with 256 threads.
    """
    graph = machine.graph
    sums = [number for number, users in enumerate(facts.users) if len(users) > 1 and facts.needed[number]]
    addresses = [number for number in sums if graph.ops[number] is ADDRESS and graph.widths[number] == _LONG]
    sums = [number for number in sums if graph.is_sum(number)]
    graph.chained.update(
        number for number, op in enumerate(graph.ops) if op is MULTIPLY and _is_factor(graph, facts, number)
    )
    _hold_none(graph, facts, [number for number in sums if _is_added_to(graph, facts, number)])
    if not machine.tally.loops_kept and BARRIER not in graph.ops:
        bounded = machine.inputs.bound_threads is not None
        wide = [number for number in sums if graph.widths[number] == _LONG or not bounded]
        _hold_none(graph, facts, [number for number in wide if _makes_addresses(graph, facts, number)])
    strided = [number for number in addresses if graph.is_sum(graph.args[number][1])]
    blocks = {number: {machine.block_of.get(user, -1) for user in facts.users[number]} for number in strided}
    _hold_none(
        graph, facts, [number for number in strided if len(blocks[number]) > 1 and _is_apart(machine, facts, number)]
    )
    writes = [number for number in machine.memory.accesses if graph.ops[number].kind is not _LOAD]
    beside = [number for number in strided if len(blocks[number]) == 1 and _are_beside(machine, facts, number, writes)]
    if len(beside) > _FEW_SUMS:
        facts.beside.update((user, facts.users[number]) for number in beside for user in facts.users[number])
        _chain_operands(graph, facts, beside)


def _is_factor(graph: Graph, facts: ValueFacts, number: int) -> bool:
    """True for the same `j * n` for all threads in `t + j * n` of a loop: ptxas multiplies and adds at once there. In a
    loop over a grid twenty doubles with one stride take 56 registers, as without it.
    """
    if facts.registers[number] or graph.widths[number] != 1 or graph.kinds[number] == FLOAT:
        return False
    if all(graph.constants[arg] is None for arg in graph.args[number]):  # the stride of a grid is held
        return False
    home, users = graph.homes[number], facts.users[number]
    return bool(users) and all(graph.ops[user] is ADD and graph.homes[user] is not home for user in users)


def _hold_none(graph: Graph, facts: ValueFacts, many: list[int]) -> None:
    """Where they are many: of such values, and what goes into those of 64 bits alone, none has a register."""
    if len(many) <= _FEW_SUMS:
        return
    for number in many:
        facts.registers[number] = 0
    wide = [number for number in many if graph.widths[number] == _LONG]
    graph.chained.update(wide)
    _chain_operands(graph, facts, wide)


def _chain_operands(graph: Graph, facts: ValueFacts, numbers: list[int]) -> None:
    """Operands of sums and products of 64 bits that nothing else uses: each is made of the one before."""
    pending, seen = numbers.copy(), set(numbers)
    while pending:
        for arg in graph.args[pending.pop()]:
            if arg in seen or (graph.divergent[arg] and not graph.is_sum(arg)):
                continue
            once = _is_made_once(graph, facts, arg)
            if once or all(user in graph.chained or _is_made_once(graph, facts, user) for user in facts.users[arg]):
                seen.add(arg)
                pending.append(arg)
                if not once:
                    graph.chained.add(arg)


def _is_made_once(graph: Graph, facts: ValueFacts, number: int) -> bool:
    return graph.widths[number] == _LONG and graph.is_sum(number) and _makes_addresses(graph, facts, number)


def _makes_addresses(graph: Graph, facts: ValueFacts, number: int) -> bool:
    return all(graph.ops[user] is ADDRESS and graph.widths[user] == _LONG for user in facts.users[number])


def _is_added_to(graph: Graph, facts: ValueFacts, number: int) -> bool:
    """True for `t + j * n` in `t + j * n + k`, whether or not something is read there: NVVM adds `t + k` first. Sums
    that may wrap around stay as they are.
    """
    if graph.widths[number] != _LONG and graph.kinds[number] != SIGNED:
        return False
    more = any(graph.ops[user] is not ADDRESS for user in facts.users[number])
    return more and _goes_into_addresses(graph, facts, number)


def _goes_into_addresses(graph: Graph, facts: ValueFacts, number: int) -> bool:
    """True for what is read or written at, and sums and products that lead there, as far as they are looked at."""
    level = {number}
    for _ in range(_MOST_ADDENDS + 1):
        users = {user for value in level for user in facts.users[value]}
        level = {user for user in users if graph.ops[user] is not ADDRESS}
        if any(graph.widths[user] != _LONG for user in users - level) or len(level) > _MOST_USERS:
            return False
        if any(graph.ops[user] not in _LINEAR or graph.kinds[user] == FLOAT for user in level):
            return False
    return not level


def _is_apart(machine: Machine, facts: ValueFacts, address: int) -> bool:
    """True if the accesses at an address are some bytes apart, `p[t + j * n]` and `p[t + j * n + 7]`, each in its own
    block, where NVVM makes chains of signed indices of 32 bits.
    """
    graph, offsets, users = machine.graph, machine.memory.offsets, facts.users[address]
    distances = {offsets.get(user) for user in users if graph.args[user][0] == address}
    return graph.widths[graph.args[address][1]] == 1 and len(distances - {None}) == len(users)


def _are_beside(machine: Machine, facts: ValueFacts, address: int, writes: list[int]) -> bool:
    """True for an address of reads that take no more registers together than one of them and the address, so that
    ptxas puts them side by side, and that no write between them may change.
    """
    graph, accesses, users = machine.graph, machine.memory.accesses, facts.users[address]
    if any(graph.ops[user].kind is not _LOAD for user in users):
        return False
    if sum(facts.registers[user] for user in users) - facts.registers[users[0]] > _LONG:
        return False
    between = writes[bisect(writes, min(users)) : bisect(writes, max(users))]
    reads = [accesses[user] for user in users if user in accesses]
    return not any(accesses[write].meets(read) for write in between for read in reads)


def _common_loop(graph: Graph, number: int, users: Iterable[int], sunk: Mapping[int, Region]) -> Region | None:
    """The innermost loop with all uses of a value. sunk: where uses are that have been moved."""
    region: Region | None = None
    for user in users:
        home = sunk.get(user) or graph.homes[user]
        if home is None or (graph.ops[user] is PHI and graph.args[user][0] == number):
            return None
        if region is None:
            region = home
        elif region is not home:
            region = _around(region, home)
            if region is None:
                return None
    return region


def _around(first: Region, second: Region) -> Region | None:
    """The innermost loop around two."""
    a: Region | None = first
    b: Region | None = second
    while a is not b:
        if a is None or b is None:
            return None
        if a.depth >= b.depth:
            a = a.parent
        else:
            b = b.parent
    return a if a is not None and a.parent is not None else None
