"""The values of an executed kernel: which are needed, in both halves, which differ between threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import Binary, Cast, Conditional, Constant, Index, Member, Name, SizeOf, Unary
from regpress_lint.cpp.traversal import children
from regpress_lint.model.graph.ops import (
    ADD,
    CONSTANT,
    CONVERT,
    DIVIDE,
    EFFECTS,
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
    WRITE_ELEMENT,
    Kind,
)
from regpress_lint.model.graph.ranges import largest
from regpress_lint.model.graph.values import FLOAT, SIGNED, UNSIGNED, made_form
from regpress_lint.model.passes.basic_blocks import BasicBlocks
from regpress_lint.model.passes.copied_again import COPIES, copied_again
from regpress_lint.model.passes.empty_halves import ROUNDS, WORD, empty_halves
from regpress_lint.model.passes.sinking import equal_reads, sunk
from regpress_lint.targets.builtins import COORDINATES, ONE_FOR_ALL, THREAD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence, Set

    from regpress_lint.cpp.syntax_tree import Expr, Stmt, Variable
    from regpress_lint.model.graph.ops import Op
    from regpress_lint.model.graph.values import Graph, Region
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.targets.compilers.traits import Compiler


_PAIR, _THREE = 2, 3
_SHORT = (1 << 24) - 1
_INLINE = (-16, 64)  # constants that are part of an AMD instruction
_WORDS = (made_form(1, SIGNED), made_form(1, UNSIGNED))


_EFFECTS = EFFECTS | {Kind.WRITE_ELEMENT}
# Their results differ between the threads of a wave, or are in vector registers although they do not.
_VECTOR = frozenset((Kind.ATOMIC, Kind.CONVERGENT, Kind.SELECT_ELEMENT, Kind.ELEMENT, Kind.UNKNOWN))
_CARRIES = frozenset((Kind.PHI, Kind.EXIT, Kind.SELECT, Kind.ELEMENT))
_PICKED = frozenset((Kind.SELECT_ELEMENT, Kind.ELEMENT, Kind.WRITE_ELEMENT))
_VECTOR_OPS = frozenset((LOAD_PRIVATE, LOAD_SHARED, LOAD_TEXTURE, UPPER_HALF))
_ROUTINES = frozenset((Kind.ROUTINE, Kind.BEGUN, Kind.ENDED, Kind.RESULT))
_FLOAT_OPS = frozenset((ADD, SUBTRACT, MULTIPLY, DIVIDE, SELECT, CONVERT, PHI, EXIT))  # gfx9: no scalar unit for it
_WAITING = frozenset((Kind.PHI, Kind.ADDRESS, Kind.ENDED))  # made where they are used
# What may differ although its operands do not, and what is nothing but its operands wherever it is kept.
_GIVEN = frozenset((Kind.ATOMIC, Kind.CONVERGENT, Kind.UNKNOWN, Kind.CALL, Kind.LOAD))
_MADE_OF = frozenset((LOAD_GLOBAL, UPPER_HALF))
_LOAD, _STORE = Kind.LOAD, Kind.STORE


class ValueFacts(NamedTuple):
    """Which values are needed, which differ between the threads of a wave, and the users of each.

    users: the values that each value is an operand of. operands: those of each value, each once. registers: vector
    registers of each value, 0 for one in scalar, uniform or predicate registers. free: 1 for an operation that may
    stand anywhere behind its operands. beside: reads that a compiler puts next to each other, by each of them.
    sunk: basic blocks to which a compiler moves values, or routines behind which it leaves them, as a complement.
    borders: routines that branch, by the loop they are in.
    """

    needed: bytearray
    divergent: list[bool]
    users: list[list[int]]
    operands: list[tuple[int, ...]]
    registers: list[int]
    free: bytearray
    beside: dict[int, list[int]]
    sunk: dict[int, int]
    borders: Mapping[Region | None, list[int]]


def analysed(machine: Machine, *, uniformity: bool = True, dead_code: bool = True) -> ValueFacts:
    """Values that an effect depends on, and divergence to a fixed point over the phis.

    Without `uniformity` every value differs between threads; without `dead_code` all values are needed.
    """
    graph = machine.graph
    needed = _needed(machine) if dead_code else bytearray(b"\1" * len(graph))
    divergent = _divergent(graph) if uniformity else [True] * len(graph)
    users: list[list[int]] = [[] for _ in range(len(graph))]
    operands = graph.args.copy()
    for number, args in enumerate(operands):
        if needed[number]:
            if len(args) > 1 and (len(args) > 2 or args[0] == args[1]):
                args = operands[number] = tuple(dict.fromkeys(args))
            for arg in args:
                users[arg].append(number)
    registers = [
        width if width and _in_vector(graph, number, divergent, machine.compiler) else 0
        for number, width in enumerate(graph.widths)
    ]
    compiler = machine.compiler
    for number in _held_by(graph, machine.arrays.uniform):
        registers[number] = 0  # a share of one that IGC rounds up for all of an array
    for number in empty_halves(graph, needed, pairs=compiler.scalar_registers, narrows=compiler.narrows_reads):
        registers[number] = min(registers[number], 1)
    if compiler.adds_in_pairs:
        for number in _sums_in_pairs(graph, divergent, users, scalars=1 if compiler.one_scalar_operand else 2):
            registers[number] = _PAIR
    for lanes in graph.vectors.values():
        used = [at for at, lane in enumerate(lanes) if needed[lane] and registers[lane]]
        if used and _is_read_whole(used, compiler):
            registers[lanes[used[-1]]] += len(lanes) - len(used)
    free = bytearray(op.kind not in _WAITING for op in graph.ops)
    for number in machine.block_of:
        free[number] = 0
    places: dict[int, int] = {}
    borders: dict[Region | None, list[int]] = {}
    if compiler.sinks:
        places = sunk(machine, needed, users)
        for number in equal_reads(machine, users, places):
            registers[number] = 0
    elif compiler.keeps_blocks:
        blocks = BasicBlocks(machine, needed, users)
        places, borders = blocks.waits(), blocks.borders
    return ValueFacts(needed, divergent, users, operands, registers, free, {}, places, borders)


def _is_read_whole(used: Sequence[int], compiler: Compiler) -> bool:
    """Whether unused words of a vector of four come along, and stay while the used ones, by their position, live."""
    if compiler.dead_lanes == "three":
        return len(used) == _THREE
    return compiler.dead_lanes == "before" and used[-1] >= len(used)


def _sums_in_pairs(
    graph: Graph, divergent: Sequence[bool], users: Sequence[Sequence[int]], *, scalars: int
) -> Iterator[int]:
    """Values that a loop carries and changes by `a * b + c` of 32-bit integers: `v_mad_u64_u32` writes 64 bits and the
    upper half is unused, and as the loop holds all others meanwhile, no other value gets it.

    Not where the product has other uses or is computed in front of the loop (a stride of the grid), both factors have
    24 bits (`v_mad_u32_u24`), or the instruction would read more scalar registers and literals than it can: `scalars`.
    """
    for phi, op in enumerate(graph.ops):
        if op is PHI and graph.forms[phi] in _WORDS and len(graph.args[phi]) > 1:
            number = graph.args[phi][1]
            if divergent[number] and _is_wide_sum(graph, number, divergent, users, scalars):
                yield phi
                yield number


def _is_wide_sum(
    graph: Graph, number: int, divergent: Sequence[bool], users: Sequence[Sequence[int]], scalars: int
) -> bool:
    if graph.ops[number] is not ADD:
        return False
    products = (arg for arg in graph.args[number] if graph.ops[arg] is MULTIPLY and len(users[arg]) == 1)
    product = next(products, None)
    if product is None or not divergent[product] or graph.homes[product] is not graph.homes[number]:
        return False
    factors = graph.args[product]
    operands = (*factors, *(arg for arg in graph.args[number] if arg != product))
    if sum(not divergent[arg] and not _is_inline(graph.constants[arg]) for arg in operands) > scalars:
        return False
    return any((largest(graph, factor) or WORD) > _SHORT for factor in factors)


def _is_inline(constant: object) -> bool:
    """Whether an instruction has a constant without a literal."""
    return isinstance(constant, int) and _INLINE[0] <= constant <= _INLINE[1]


def uniform_arrays(
    machine: Machine, arrays: frozenset[Variable], forwarded: frozenset[Variable]
) -> frozenset[Variable]:
    """Those of some private arrays to which all threads of a wave write the same, at the same index and together.

    What is read of an array in registers differs between threads if its index does, or an element. A write counts for
    some threads alone if a condition around it does, or one by which a loop around it is left, unless the array itself
    is declared behind that condition. forwarded: arrays that are read at constant indices alone: what is written at
    such a one goes from the write to the reads, and no write is left.
    """
    divergent = _divergent(machine.graph, elements=False)
    apart: dict[Region, bool] = {}
    for loop, under in machine.tally.exits:
        apart[loop] = apart.get(loop, False) or any(divergent[number] for number in under)
    uniform = set(arrays)
    for variable, values, inside, moving, _ in machine.tally.writes:
        if variable in uniform and (moving or variable not in forwarded):
            region: Region | None = inside
            alone = any(divergent[number] for number in values)
            while region is not None and not alone:
                alone, region = apart.get(region, False), region.parent
            if alone:
                uniform.discard(variable)
    return frozenset(uniform)


def _held_by(graph: Graph, arrays: frozenset[Variable]) -> set[int]:
    """The elements of arrays, also as loops carry them on and writes at run-time indices leave them."""
    held: set[int] = set()
    if arrays:
        holders = graph.holders
        for number, op in enumerate(graph.ops):
            holder = holders.get(number)
            if (holder is not None and holder.variable in arrays) or (
                op.kind in _CARRIES and any(arg in held for arg in graph.args[number])
            ):
                held.add(number)
    return held


class Totals(NamedTuple):
    """Sums over all values that are needed.

    reads: registers that the block with most reads fills from memory; flight: the same with the copies that ptxas makes
    and the registers of the addresses, for a compiler that writes at once also those of the block's writes. call:
    registers that the dearest library call or division takes by itself.
    refilled: the most that a block fills from private memory. again: registers of the reads, and of addresses if they
    are several, that ptxas adds to a loop with its own copies, if there is no write between them.
    """

    reads: int
    flight: int
    call: int
    refilled: int
    again: int = 0


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
    held = {block: sum(registers[address] for address in places) for block, places in addresses.items()}
    several = {block: size for block, size in held.items() if len(addresses[block]) > 1}
    again = copied_again(machine, reads, several)
    flight = (reads.get(block, 0) * (COPIES if block in again.blocks else 1) + size for block, size in held.items())
    widest, on_their_way = max(reads.values(), default=0), max(flight, default=0)
    return Totals(widest, on_their_way, call, max(refilled.values(), default=0), again.registers)


def _in_vector(graph: Graph, number: int, divergent: list[bool], compiler: Compiler) -> bool:
    op = graph.ops[number]
    if op is CONSTANT:
        return False
    if divergent[number] or _is_vector(op):
        return True
    if compiler.scalar_registers:
        return (graph.kinds[number] == FLOAT and op in _FLOAT_OPS) or op.kind in _ROUTINES
    return op is PHI or op.kind is _LOAD or (not compiler.shares_floats and graph.kinds[number] == FLOAT)


def _is_vector(op: Op) -> bool:
    return op.kind in _VECTOR or op in _VECTOR_OPS


def _needed(machine: Machine) -> bytearray:
    graph = machine.graph
    if not machine.tally.complete:  # the effects behind the point where it stopped are unknown
        return bytearray(b"\1" * len(graph))
    needed = bytearray(len(graph))
    read, writes = machine.known.elements.read | machine.arrays.handed_on, machine.known.elements.writes
    pending = [number for number, op in enumerate(graph.ops) if op.kind in _EFFECTS]
    if not read.issuperset(writes.values()):
        pending = [number for number in pending if graph.ops[number] is not WRITE_ELEMENT or writes.get(number) in read]
    if dead := _never_read(machine):
        pending = [number for number in pending if number not in dead]
    graph.mark(pending, needed)
    if graph.lefts:
        _leave_behind(graph, needed)
    return needed


def _never_read(machine: Machine) -> set[int]:
    """Writes to elements of private arrays in memory that the kernel never reads."""
    ops, handed_on = machine.graph.ops, machine.arrays.handed_on
    accesses = [(number, access.element) for number, access in machine.memory.accesses.items() if access.element]
    loaded = {element for number, element in accesses if ops[number] is LOAD_PRIVATE}
    moving = [element for element in loaded if element.indices is None]
    dead: set[int] = set()
    for number, element in accesses:
        if ops[number] is LOAD_PRIVATE or element.array in handed_on or element.array.volatile_span is not None:
            continue
        fixed = (read for read in loaded if read.array is element.array) if element.indices is None else (element,)
        if not any(read in loaded for read in fixed) and not any(read.meets(element) for read in moving):
            dead.add(number)
    return dead


def _leave_behind(graph: Graph, needed: bytearray) -> None:
    """Make what paths leave behind, as far as it is needed, operands of the places where they are left."""
    places: dict[int, dict[int, None]] = {}
    for number, value in graph.lefts.items():
        if needed[number]:
            place = graph.args[number][0]
            places.setdefault(place, {})[value] = None
            graph.args[number] = (place,)
    for place, values in places.items():
        graph.args[place] = tuple(values)


def _divergent(graph: Graph, *, elements: bool = True) -> list[bool]:
    """By value, whether it is in a vector register because it differs between the threads of a wave, or counts so.
    elements: those of arrays at run-time indices do, for their registers are the threads' own.
    """
    marked = zip(graph.divergent, graph.ops, strict=True)
    divergent = [differs and (op is SOURCE or op is LOAD_GLOBAL or _is_vector(op)) for differs, op in marked]
    if not elements:
        divergent = [differs and op.kind not in _PICKED for differs, op in zip(divergent, graph.ops, strict=True)]
    return _spread(graph, divergent)


def _differing(graph: Graph, held: Set[int]) -> list[bool]:
    """By value, whether it differs between the threads of a wave, wherever it is; those in `held` are taken not to."""
    marked = zip(graph.divergent, graph.ops, strict=True)
    differing = [differs and op not in _MADE_OF and (op is SOURCE or op.kind in _GIVEN) for differs, op in marked]
    alike = held | {number for number, op in enumerate(graph.ops) if op.about in ONE_FOR_ALL}
    for number in alike:
        differing[number] = False
    return _spread(graph, differing, alike)


def _spread(graph: Graph, divergent: list[bool], alike: Set[int] = frozenset()) -> list[bool]:
    """What is made of divergent values is divergent, except those in `alike`."""
    args = graph.args
    phis = [number for number, op in enumerate(graph.ops) if op is PHI]
    for _ in range(ROUNDS):
        for number, operands in enumerate(args):
            if not divergent[number]:
                for arg in operands:
                    if divergent[arg]:
                        divergent[number] = number not in alike
                        break
        # Only a phi has an operand that is made after it.
        if not any(not divergent[phi] and any(divergent[arg] for arg in args[phi]) for phi in phis):
            break
    return divergent


class Differing:
    """Which expressions of the source made values that differ between the threads of a wave. held: values that are
    taken not to.
    """

    def __init__(self, graph: Graph, held: Set[int] = frozenset()) -> None:
        self._graph = graph
        self._nodes: dict[int, bool] = {}  # by `id`; of a read, whether its address differs
        self._variables: dict[Variable, bool] = {}
        for number, differs in enumerate(_differing(graph, held)):
            node, holder = graph.nodes[number], graph.holder_of(number)
            if node is not None:
                self._nodes[id(node)] = differs or self._nodes.get(id(node), False)
            if holder is not None:
                self._variables[holder.variable] = differs or self._variables.get(holder.variable, False)

    def __call__(self, expr: Expr | Stmt) -> bool | None:
        """None if the execution made no value of it. An equal value was made by another expression before: then the
        operands decide.
        """
        if (answer := self._nodes.get(id(expr))) is not None:
            return answer
        if isinstance(expr, Name):
            variable = expr.variable
            return self._variables.get(variable) if variable is not None else _of_launch(expr.name)
        if isinstance(expr, (Constant, SizeOf)):
            return False
        if not isinstance(expr, (Binary, Cast, Conditional, Index, Member, Unary)):
            return None
        parts = [self(part) for part in children(expr)]
        return True if True in parts else None if None in parts else False

    def without(self, expr: Binary) -> Differing:
        """The same if the results of an operation did not differ."""
        graph, widths = self._graph, dict[int, int]()
        for number, node in enumerate(graph.nodes):
            if node is not None and graph.ops[number] == expr.op and node.span.contains(expr.span):
                widths[number] = node.span.end - node.span.start
        nearest = min(widths.values(), default=0)
        return Differing(graph, {number for number, width in widths.items() if width == nearest})


def _of_launch(name: str) -> bool | None:
    """Whether a coordinate differs between the threads of a wave; None for another name."""
    return None if name not in COORDINATES else name == THREAD
