"""The values of an executed kernel: which are needed, which differ between threads, which have vector registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.ir.graph import FLOAT
from regpress_lint.ir.ops import (
    ADD,
    CONSTANT,
    CONVERT,
    DIVIDE,
    EXIT,
    LOAD_GLOBAL,
    LOAD_PRIVATE,
    LOAD_SHARED,
    LOAD_TEXTURE,
    MULTIPLY,
    PHI,
    SELECT,
    SOURCE,
    SUBTRACT,
    UPPER_HALF,
    Kind,
)
from regpress_lint.passes.halves import empty_halves

if TYPE_CHECKING:
    from regpress_lint.ir.build.machine import Machine
    from regpress_lint.ir.graph import Graph
    from regpress_lint.ir.ops import Op

_EFFECTS = frozenset(
    (
        Kind.STORE,
        Kind.ATOMIC,
        Kind.BARRIER,
        Kind.BRANCH,
        Kind.CALL,
        Kind.SERVICE,
        Kind.UNKNOWN,
        Kind.CONVERGENT,
        Kind.WRITE_ELEMENT,
    )
)
# Their results differ between the threads of a wave, or are in vector registers although they do not.
_VECTOR = frozenset((Kind.ATOMIC, Kind.CONVERGENT, Kind.SELECT_ELEMENT, Kind.ELEMENT, Kind.UNKNOWN))
_VECTOR_OPS = frozenset((LOAD_PRIVATE, LOAD_SHARED, LOAD_TEXTURE, UPPER_HALF))
_ROUTINES = frozenset((Kind.ROUTINE, Kind.BEGUN, Kind.ENDED, Kind.RESULT))
_FLOAT_OPS = frozenset((ADD, SUBTRACT, MULTIPLY, DIVIDE, SELECT, CONVERT, PHI, EXIT))  # gfx9: no scalar unit for it
_WAITING = frozenset((Kind.PHI, Kind.ADDRESS, Kind.ENDED))  # made where they are used
_LOAD, _STORE = Kind.LOAD, Kind.STORE


class ValueFacts(NamedTuple):
    """Which values are needed, which differ between the threads of a wave, and the users of each.

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


def analysed(machine: Machine, *, uniformity: bool = True, dead_code: bool = True) -> ValueFacts:
    """Values that an effect depends on, and divergence to a fixed point over the phis.

    Without `uniformity` every value differs between threads; without `dead_code` all values are needed.
    """
    graph = machine.graph
    needed = _needed(machine) if dead_code else bytearray(b"\1" * len(graph))
    divergent = _divergent(graph) if uniformity else [True] * len(graph)
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
    compiler = machine.compiler
    for number in empty_halves(graph, needed, pairs=compiler.scalar_registers, narrows=compiler.narrows_reads):
        registers[number] = min(registers[number], 1)
    free = bytearray(op.kind not in _WAITING for op in graph.ops)
    for number in machine.block_of:
        free[number] = 0
    return ValueFacts(needed, divergent, users, operands, registers, free)


class Totals(NamedTuple):
    """Sums over all values that are needed.

    reads: registers that the block with most reads fills from memory; flight: the same with the copies that ptxas makes
    and the registers of the addresses, for a compiler that writes at once also those of the block's writes. call:
    registers that the dearest library call or division takes by itself.
    refilled: the most that a block fills from private memory.
    """

    reads: int
    flight: int
    call: int
    refilled: int


def totals(machine: Machine, facts: ValueFacts) -> Totals:
    """Totals that do not depend on an order."""
    graph, registers, needed, extra = machine.graph, facts.registers, facts.needed, machine.graph.extra
    writes = machine.compiler.writes_at_once
    call = 0
    reads: dict[int, int] = {}
    refilled: dict[int, int] = {}
    addresses: dict[int, set[int]] = {}
    for number, op in enumerate(graph.ops):
        if not needed[number]:
            continue
        if extra[number] > call:
            call = extra[number]
        kind = op.kind
        if kind is _LOAD:
            block = machine.block_of[number]
            reads[block] = reads.get(block, 0) + registers[number]
            if op is LOAD_PRIVATE:
                refilled[block] = refilled.get(block, 0) + registers[number]
            addresses.setdefault(block, set()).update(graph.args[number][:1])
        elif writes and kind is _STORE:
            addresses.setdefault(machine.block_of[number], set()).update(graph.args[number][:1])
    flight = (
        reads.get(block, 0) * machine.again.get(block, 1) + sum(registers[address] for address in places)
        for block, places in addresses.items()
    )
    widest, on_their_way = max(reads.values(), default=0), max(flight, default=0)
    return Totals(widest, on_their_way, call, max(refilled.values(), default=0))


def _in_vector(graph: Graph, number: int, divergent: list[bool], *, scalar: bool) -> bool:
    op = graph.ops[number]
    if op is CONSTANT:
        return False
    if divergent[number] or _is_vector(op):
        return True
    if scalar:
        return (graph.kinds[number] == FLOAT and op in _FLOAT_OPS) or op.kind in _ROUTINES
    return op is PHI or op.kind is _LOAD


def _is_vector(op: Op) -> bool:
    return op.kind in _VECTOR or op in _VECTOR_OPS


_ROUNDS = 6  # of the fixed point; values of loops in loops in loops


def _needed(machine: Machine) -> bytearray:
    graph = machine.graph
    if not machine.tally.complete:  # the effects behind the point where it stopped are unknown
        return bytearray(b"\1" * len(graph))
    needed = bytearray(len(graph))
    pending = [number for number, op in enumerate(graph.ops) if op.kind in _EFFECTS]
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
    made = zip(graph.divergent, graph.ops, strict=True)
    divergent = [known and (op is SOURCE or op is LOAD_GLOBAL or _is_vector(op)) for known, op in made]
    args = graph.args
    phis = [number for number, op in enumerate(graph.ops) if op is PHI]
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
