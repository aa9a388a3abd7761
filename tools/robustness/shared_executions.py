"""How many executions of a kernel could serve two compilers, and what would have to be decided after the execution.

    python -m tools.robustness.shared_executions FOLDER...

Every kernel that clang for AMD (gfx90a) and nvcc (sm_90) can both compile is executed for both. The executions could
be one where the graphs have the same values, operands and order; registers of values may differ, as passes can decide
them. Then clang's is made again with some of nvcc's answers, which is what remains if the execution no longer requests
these. `costs` has what a routine takes by itself besides, which is in the graph. `seconds` are those of nvcc's
executions that would not be made, of all that both took.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.lint.discovery import discover
from regpress_lint.model.passes.trace import executed
from regpress_lint.targets.compilers.amdgpu import GFX9
from regpress_lint.targets.compilers.nvcc import NVCC

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.model.graph.values import Region
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.targets.compilers.traits import Compiler

TARGETS = ("gfx90a", "sm_90")
_ARGUMENTS = ("scalar_registers",)
_ADDRESSES = (*_ARGUMENTS, "one_scalar_operand", "steps_addresses", "splits_products", "far", "far_shared")
_LOOPS = (*_ARGUMENTS, "unrolling", "copies_barriers", "copies_again")
# Of nvcc's answers: those that the first execution is given.
MOVED = {
    "as they are": (),
    "registers of arguments": _ARGUMENTS,
    "and copies of loops": _LOOPS,
    "and addresses": _ADDRESSES,
    "and addresses, costs": (*_ADDRESSES, "vendor", "short_divisions", "wave"),
}


def shape(machine: Machine, *, costs: bool) -> tuple[object, ...]:
    """What two executions that could be one have in common."""
    graph = machine.graph
    numbers: dict[Region | None, int] = {}
    order = list(_order(machine.top, numbers))
    homes = [numbers.get(home) for home in graph.homes]
    kinds = [kind for _, kind in graph.forms]
    plain = (graph.ops, graph.args, kinds, graph.constants, homes, graph.divergent, order)
    return (*plain, graph.extra) if costs else plain


def _order(region: Region, numbers: dict[Region | None, int]) -> Iterator[object]:
    numbers[region] = len(numbers)
    yield "begin"
    for item in region.items:
        if isinstance(item, int):
            yield item
        else:
            yield from _order(item, numbers)
    yield "end"


def with_answers(names: Sequence[str]) -> Compiler:
    """Clang for gfx90a with some of nvcc's answers."""
    return GFX9._replace(**{name: getattr(NVCC, name) for name in names})


def compare(facts: KernelFacts, equal: Counter[str], seconds: dict[str, float]) -> None:
    """Execute one kernel for both compilers and with each set of answers."""
    start = process_time()
    executed(facts.input_for(GFX9))  # the first pays for what both read of the source
    middle = process_time()
    second = executed(facts.input_for(NVCC))
    took = process_time() - middle
    equal["kernels"] += 1
    seconds["kernels"] += took + middle - start
    for name, answers in MOVED.items():
        costs = "vendor" in answers
        if shape(executed(facts.input_for(with_answers(answers))), costs=costs) == shape(second, costs=costs):
            equal[name] += 1
            seconds[name] += took


def main() -> int:
    """Print how many executions could be one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    sys.setrecursionlimit(20_000)
    equal: Counter[str] = Counter()
    seconds: dict[str, float] = defaultdict(float)
    settings = Settings(architectures=TARGETS)
    for candidate in discover(options.folders).files:
        analysis = analyse(Path(candidate.path).read_bytes(), candidate.path, settings)
        if not isinstance(analysis, Analysis):
            continue
        for kernel in analysis.file.kernels:
            facts = analysis.facts(kernel).typical(TARGETS[0])
            if set(facts.targets) == set(TARGETS):
                compare(facts, equal, seconds)
            analysis.done_with(kernel)
        analysis.close()
    print(f"{equal['kernels']} kernels, {seconds['kernels']:.1f} s in both executions")
    for name in MOVED:
        print(f"{name:24} {equal[name]:5} equal, {seconds[name]:.1f} s saved")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
