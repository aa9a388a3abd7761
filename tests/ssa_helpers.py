"""Execute a test's kernel symbolically, and query the resulting state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis_helpers import facts_of

from regpress_lint.model.graph.values import Region
from regpress_lint.model.passes.liveness import live
from regpress_lint.model.passes.placement import executed
from regpress_lint.model.passes.trace import Trace, traced
from regpress_lint.model.passes.uniformity import analysed, totals
from regpress_lint.targets.compilers.amdgpu import GFX9, RDNA
from regpress_lint.targets.compilers.igc import IGC
from regpress_lint.targets.compilers.nvcc import NVCC

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.environment import Number
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.targets.compilers.traits import Compiler

MOST_VALUES = 20_000  # the longest execution there is
POINTERS = "float *a, float *b, int *out, int n"


def kernel_text(statements: str, parameters: str = POINTERS, before: str = "") -> str:
    """A kernel in which `tid` is the thread's index and `u` a value that only the launch knows."""
    index = "  int tid = blockIdx.x * blockDim.x + threadIdx.x;"
    return f"{before}\n__global__ void k({parameters}) {{\n{index}\n{statements}\n}}\n"


def _compiler(vendor: str, *, gfx9: bool) -> Compiler:
    return {"amd": GFX9 if gfx9 else RDNA, "nvidia": NVCC, "intel": IGC}[vendor]


def run_text(text: str, vendor: str = "amd", *, gfx9: bool = True) -> Machine:
    """The machine after the first kernel of a text, on AMD for gfx908; without `gfx9` for RDNA."""
    facts = facts_of(text)
    return executed(facts.input_for(_compiler(vendor, gfx9=gfx9)))


def run(
    statements: str, parameters: str = POINTERS, before: str = "", vendor: str = "amd", *, gfx9: bool = True
) -> Machine:
    """The machine after a kernel with these statements."""
    return run_text(kernel_text(statements, parameters, before), vendor, gfx9=gfx9)


def trace(
    statements: str, parameters: str = POINTERS, before: str = "", vendor: str = "amd", *, gfx9: bool = True
) -> Trace:
    """The trace of a kernel with these statements."""
    facts = facts_of(kernel_text(statements, parameters, before))
    return traced(facts.input_for(_compiler(vendor, gfx9=gfx9)))


def items(region: Region) -> Iterator[int]:
    """Effects and reads of a region and the loops in it, in order."""
    for item in region.items:
        if isinstance(item, Region):
            yield from items(item)
        else:
            yield item


def named(machine: Machine, op: str) -> list[int]:
    """Effects and reads of a kind, in order."""
    return [item for item in items(machine.top) if machine.graph.ops[item].startswith(op)]


def count(machine: Machine, op: str) -> int:
    """How many effects and reads of a kind there are."""
    return len(named(machine, op))


def stored(machine: Machine) -> list[int]:
    """Values that are stored to global memory or LDS, in order."""
    return [value for store in named(machine, "store") for value in machine.graph.args[store][1:]]


def constants(machine: Machine) -> list[Number | None]:
    """Stored constants, None for any other value."""
    return [machine.graph.constants[value] for value in stored(machine)]


def addresses(machine: Machine, op: str) -> list[int]:
    """Different addresses of reads or stores."""
    return list(dict.fromkeys(machine.graph.args[item][0] for item in named(machine, op)))


def phis(machine: Machine) -> list[int]:
    """Values that differ from one iteration of a loop to the next."""
    return [number for number, op in enumerate(machine.graph.ops) if op == "phi"]


def consistent(machine: Machine) -> None:
    """The schedule's assumptions about an execution."""
    graph = machine.graph
    assert len(graph) <= MOST_VALUES
    placed = list(items(machine.top))
    assert len(placed) == len(set(placed))
    if machine.tally.complete:
        assert machine.region is machine.top
        assert set(machine.block_of) <= set(placed)
        assert set(machine.memory.accesses) <= set(placed)
        assert len(machine.memory.reads) == 1
        assert not machine.loops.jumps
        assert not machine.frame.conditions
        assert machine.expanding == 0
    for number, args in enumerate(graph.args):
        assert all(arg < len(graph) for arg in args)
        assert graph.ops[number] == "phi" or all(arg < number for arg in args)
    facts = analysed(machine)
    found = live(machine, facts, totals(machine, facts)).held
    assert found.together >= max(found.vector, found.scalar) >= 0
