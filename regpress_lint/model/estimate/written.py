"""A kernel's registers from its source without an execution: how much it reads at a time, declares and receives.

Where a compiler makes more copies of a loop than the execution does, or a value's way is lost on a cast that is not
followed, the graph has fewer reads than the kernel: a fit that knows both is nearer to what compilers take.
"""

from __future__ import annotations

from collections import Counter
from itertools import takewhile
from math import prod
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.passes.intel_arrays import is_changed
from regpress_lint.targets.costs import COSTS, SERVICES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from regpress_lint.cpp.syntax_tree import Function, Variable
    from regpress_lint.source.arrays import PrivateArray
    from regpress_lint.source.cfg import Block, Flow
    from regpress_lint.source.loop_facts import LoopFacts
    from regpress_lint.targets.compilers.traits import Compiler
    from regpress_lint.targets.occupancy import KernelUse

    Functions = Iterable[tuple[Flow, Sequence[LoopFacts]]]  # the kernel's and those that it calls


_UNKNOWN = 2  # registers of a value whose type is not visible
_POINTER = 2
_WORD = 4
_LARGEST_ARGUMENT = 4
_MOST_COPIES = 16
_MOST_READS = 64
_MOST_TRIPS, _MODERATE = 128, 4000  # iterations, instructions of all of them


class Written(NamedTuple):
    """Registers, without any liveness.

    reads: of the block that reads most from memory, copies of unrolled loops counted. arguments: of the kernel's
    parameters, four of a large one. arrays: of the private arrays that stay in registers. declared: of all variables of
    the kernel and its callees, these arrays included. routine: of the most expensive library call or division. For a
    compiler that packs arrays, packed: what elements of less than 32 bits save where several share a register;
    changed: of the arrays in registers that are written at run-time indices. group: a work-group's LDS and its most
    threads, as the compiler knows them.
    """

    reads: int
    arguments: int
    arrays: int
    declared: int
    routine: int
    packed: int
    changed: int
    group: KernelUse

    @property
    def most(self) -> int:
        """More registers than the values can take that the source names."""
        return self.declared + self.routine + min(self.reads, _MOST_READS)


def at_most(functions: Functions, arrays: Mapping[Variable, PrivateArray], compiler: Compiler) -> int:
    """No less than `Written.most`, whatever an execution says of loops and arrays: all arrays and loops as the source
    describes them, and as many copies of every loop as its trip count allows.
    """
    declared, reads, routine = _sizes(functions, _kept(arrays, compiler), compiler, at_most=True)
    return declared + routine + min(reads, _MOST_READS)


def written(
    kernel: Function,
    functions: Functions,
    arrays: Mapping[Variable, PrivateArray],
    compiler: Compiler,
    group: KernelUse,
) -> Written:
    """The registers in the source of a kernel and the functions that it calls, as a compiler reads them."""
    registers = _kept(arrays, compiler)
    declared, reads, routine = _sizes(functions, registers, compiler, at_most=False)
    # What a lambda captures, or a functor has as members, are the arguments of the kernel that is made of it.
    parameters = (*kernel.parameters, *(capture for capture in kernel.captures if capture.storage != "shared"))
    arguments = sum(map(_argument, parameters))
    packed = changed = 0
    if compiler.packs_arrays:
        packed = sum(max(0, registers[variable] - _words(array)) for variable, array in arrays.items())
        changed = sum(_words(array) for variable, array in arrays.items() if registers[variable] and is_changed(array))
    return Written(reads, arguments, sum(registers.values()), declared, routine, packed, changed, group)


def _kept(arrays: Mapping[Variable, PrivateArray], compiler: Compiler) -> dict[Variable, int]:
    return {variable: _elements(array, compiler) for variable, array in arrays.items()}


def _sizes(
    functions: Functions, registers: Mapping[Variable, int], compiler: Compiler, *, at_most: bool
) -> tuple[int, int, int]:
    """Registers of all declared variables, of the block that reads most, and of the most expensive routine. at_most: no
    fewer than that, whichever loops an execution replaces by copies.
    """
    declared = reads = routine = 0
    for flow, loops in functions:
        declared += _declared(flow, registers)
        copies = _copies(flow, loops, compiler, at_most=at_most)
        for block in flow.blocks:
            reads = max(reads, _reads(block, copies[block.loop]))
        routine = max(routine, _dearest(flow, compiler))
    return declared, reads, routine


def _reads(block: Block, copies: int) -> int:
    """Registers that a block may fill together: what a condition within an expression guards is read by itself, and no
    copy of a loop with such a condition reads together with the next.
    """
    if not any(op.apart for op in block.ops):
        return copies * sum(op.loads for op in block.ops)
    most = run = 0
    for op in block.ops:
        run += op.loads - op.apart
        most = max(most, run, op.apart)
        run = 0 if op.apart else run
    return most


def _declared(flow: Flow, registers: Mapping[Variable, int]) -> int:
    return sum(registers.get(variable, 0) if variable.dims else _width(variable) for variable in flow.declared)


def _dearest(flow: Flow, compiler: Compiler) -> int:
    keys = (key for block in flow.blocks for op in block.ops for key in op.library)
    return max((_routine(key, compiler) for key in keys), default=0)


def _routine(key: str, compiler: Compiler) -> int:
    cost = COSTS[compiler.vendor][key]
    return 0 if key in SERVICES else max(cost.in_loop, cost.once)


def _argument(parameter: Variable) -> int:
    type_ = parameter.type
    return _POINTER if type_.pointers or type_.reference else min(type_.registers or 1, _LARGEST_ARGUMENT)


def _elements(array: PrivateArray, compiler: Compiler) -> int:
    if array.elements is None or array.table or not array.stays_in_registers(compiler.vendor):
        return 0
    return array.elements * (array.variable.type.registers or 1)


def _words(array: PrivateArray) -> int:
    return -(-(array.bytes or 0) // _WORD)


def _width(variable: Variable) -> int:
    type_ = variable.type
    if variable.storage not in ("local", "constexpr"):
        return 0
    return _POINTER if type_.pointers or type_.reference else type_.registers or _UNKNOWN


def _copies(flow: Flow, loops: Sequence[LoopFacts], compiler: Compiler, *, at_most: bool) -> list[int]:
    """How many iterations a loop's reads may be ahead; the last entry is for code in no loop."""
    parents = {record.parent for record in flow.loops}
    blocks = Counter(block.loop for block in flow.blocks if block.ops)
    ahead = []
    for number, loop in enumerate(loops):
        copied = loop.chain() if at_most else takewhile(_is_counted, reversed(loop.chain()))
        copies = prod(around.written_trips or 1 for around in copied)
        if number not in parents and (at_most or not _is_counted(loop)):
            copies = max(copies, compiler.unrolling.runtime_copies)
        ahead.append(min(copies, _MOST_COPIES) if blocks[number] <= compiler.batch_blocks else 1)
    return [*ahead, 1]


def _is_counted(loop: LoopFacts) -> bool:
    """True for a counted loop of moderate size: copied as a whole or in part, its reads of several iterations are on
    their way together.
    """
    trips = loop.written_trips
    if trips is None:
        return loop.unrolled
    return loop.unrolled or (trips <= _MOST_TRIPS and trips * loop.cost <= _MODERATE and loop.loop.unroll is None)
