"""Value of each mechanism of the register estimate: switch one off, fit again, score unseen benchmarks.

    python -m tools.measure.ablate_registers SOURCES TRUTH.csv [--target T] [--only NAME] [--worst N]

SOURCES and TRUTH.csv are those of `calibrate_registers.py`, whose folds, fit and floor are used. A mechanism is
switched off by leaving out a pass, or by replacing constants or functions of the package while a kernel is measured.
Every row is one mechanism off and all others on, so that rows do not add up: what one loses another may catch.
A row says how many kernels it touches (features differ), rank correlation of all kernels and of those with 32 and more
registers, median error, and root mean square error of log(registers + 2), with the loss against the whole in brackets.
A mechanism that touches no kernel is an error: the name that it replaces no longer does what it did.
`--worst N` lists the N kernels that the whole misses by most instead, on benchmarks that the fit has not seen.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Literal, NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.resolver import Resolver
from regpress_lint.cpp.syntax_tree import Member
from regpress_lint.facts.executions import Executions
from regpress_lint.facts.kernel import KernelFacts, kernel_facts
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.projects import Projects
from regpress_lint.model.estimate import registers
from regpress_lint.model.estimate.fit import FITS
from regpress_lint.model.graph.objects import Access
from regpress_lint.model.graph.ops import ADDRESS
from regpress_lint.model.graph.values import POINTER, Form, Graph
from regpress_lint.model.interpreter import (
    addresses,
    arithmetic,
    calls,
    carried_values,
    expressions,
    inlining,
    loop_writes,
    loops,
    memory,
    operators,
    places,
    routines,
    statements,
    unseen_calls,
)
from regpress_lint.model.interpreter.arithmetic import division_key
from regpress_lint.model.interpreter.state import MemoryState
from regpress_lint.model.passes import liveness as lifetimes, scalar_replacement, schedule, uniformity
from regpress_lint.model.passes.copied_again import Again as CopiedAgain
from regpress_lint.program import assemble as build, build_file, detect_language
from regpress_lint.source import kernel_source as facts_module
from regpress_lint.targets import costs as library, loop_plan
from regpress_lint.targets.occupancy import architecture
from tools.measure.calibrate_registers import LANGUAGES, OFFSET, Sample, folds, lifted, spearman

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from regpress_lint.cpp.syntax_tree import Call, Expr, Function
    from regpress_lint.model.estimate.written import Written
    from regpress_lint.model.graph.ops import Op
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.trace import Trace
    from regpress_lint.program.file import File
    from regpress_lint.program.model import Kernel
    from regpress_lint.targets.occupancy import Architecture

Again = Literal["facts", "file", "fit"]
Row = dict[str, str]
Changes = tuple[tuple[object, str, object], ...]
BOTH = ("amd", "nvidia")
_ABSENT = object()


class Mechanism(NamedTuple):
    """One thing that the estimate does; `changes` are (owner, name, replacement) that switch it off.

    again: what has to be worked out again: the facts of the kernel, the model of the file, or the floor alone.
    """

    name: str
    vendors: tuple[str, ...]
    again: Again
    changes: Changes

    def off(self) -> AbstractContextManager[None]:
        """A stretch of the run without the mechanism."""
        return swapped(self.changes)


@contextmanager
def swapped(changes: Changes) -> Iterator[None]:
    """Replace attributes, and put them back. Raises AttributeError for one that is not there."""
    before = [(owner, name, vars(owner).get(name, _ABSENT)) for owner, name, _ in changes]
    for owner, name, old in before:
        # `reads` is an attribute of the instances, which a property hides.
        if old is _ABSENT and (owner, name) != (MemoryState, "reads"):
            raise AttributeError(f"{owner} has no {name}: bring tools/measure/ablate_registers.py up to date")
    try:
        for owner, name, new in changes:
            setattr(owner, name, new)
        yield
    finally:
        for owner, name, old in before:
            if old is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, old)


# ------------------------------------------------------------------------------------------- what stands in instead


def _own_function(view: Resolver, name: str, arguments: int) -> Function | None:
    found = view.find_node(name, arguments)
    return view.lower(found[1], found[0]) if found is not None else None


_split, _pure, _nvidia, _division_key = memory._split, Graph.pure, registers._nvidia, division_key


def _no_method(machine: Machine, expr: Call) -> tuple[Function | None, Expr | None]:
    return (None, None) if isinstance(expr.callee, Member) else (machine.inputs.callee_of(expr), None)


def _new_value(graph: Graph, op: Op, args: tuple[int, ...], form: Form, extra: int = 0) -> int:
    graph._known.pop((op, args, form), None)
    return _pure(graph, op, args, form, extra)


def _whole_index(machine: Machine, index: int, *, wraps: bool) -> tuple[int | None, int]:
    variable, distance = _split(machine, index, wraps=wraps)
    return (variable, distance) if variable is None or not distance else (index, 0)


def _plain_address(machine: Machine, base: int, index: int, size: int) -> int:
    return machine.graph.pure(ADDRESS, (base, index, machine.graph.constant(size)), Form(2, POINTER))


def _word_or_long(machine: Machine, a: int, b: int) -> str | None:
    key = _division_key(machine, a, b)
    return None if key is None else f"/:{key[-1]}"


def _without_loops(
    found: Trace, source: Written, scratch: int, arch: Architecture, free: int | None
) -> tuple[float, ...]:
    return _nvidia(found._replace(execution=found.execution._replace(loops=0)), source, scratch, arch, free)


def _without(
    name: str, owner: object, attribute: str, new: object, again: Again = "facts", vendors: tuple[str, ...] = BOTH
) -> Mechanism:
    return Mechanism(name, vendors, again, ((owner, attribute, new),))


def _nothing(*_: object) -> None:
    return None


_FREE_CALLS = {
    vendor: {key: cost._replace(once=0, hoisted=0) for key, cost in costs.items()}
    for vendor, costs in library.COSTS.items()
}
_FORGETFUL = property(lambda _memory: [{}], lambda _memory, _value: None)
_TYPES: Changes = ((build, "_texts", lambda *_: {}), (calls, "specialised", lambda _machine, function, _call: function))
_VALUES: Changes = ((build, "_values", lambda *_: {}), (inlining, "template_constants", lambda *_: {}))
_SPACE_ONLY = ((Access, "meets", lambda one, other: one.space == other.space), (memory, "_read_only", lambda *_: False))
_MACROS = tuple((module, "expansion_of", _nothing) for module in (calls, places, loop_writes))
_COSTS = tuple((module, "COSTS", _FREE_CALLS) for module in (expressions, operators, routines, unseen_calls))
_PINNED = tuple((module, "stay_here", _nothing) for module in (statements, expressions))
_ALL_STAY = ((scalar_replacement, "_stays", lambda *_, **__: False),)
_NONE_STAYS = ((scalar_replacement, "_stays", lambda array, *_, **__: bool(array.dynamic)),)

MECHANISMS = (
    _without("device functions inlined", facts_module, "callee", _nothing, "facts"),
    _without("functions of including files", Resolver, "find_function", _own_function, "file"),
    Mechanism("methods inlined", BOTH, "facts", ((calls, "target_of", _no_method), (places, "target_of", _no_method))),
    Mechanism("macros expanded", BOTH, "facts", _MACROS),
    Mechanism("types of templates bound", BOTH, "file", _TYPES),
    Mechanism("values of templates bound", BOTH, "file", _VALUES),
    _without("equal reads made once", MemoryState, "reads", _FORGETFUL),
    _without("equal values and reads made once", Graph, "pure", _new_value),
    _without("arithmetic simplified", arithmetic, "_simpler", _nothing),
    _without("dead code removed", Executions, "without", frozenset(("dead-code",))),
    _without("loops unrolled completely", loops, "_unrolled", lambda *_: False),
    _without("loops unrolled in part", loop_plan, "_kept_copies", lambda *_: 1),
    Mechanism("accesses told apart", BOTH, "facts", _SPACE_ONLY),
    _without("reads moved up", schedule._Schedule, "_reads_behind", lambda *_: {}),
    _without("addresses as gfx9 makes them", addresses, "_scaled", _plain_address, vendors=("amd",)),
    _without("counters and pointers that move on", addresses, "_stepping", _nothing, vendors=("amd",)),
    _without("loops copied again by ptxas", uniformity, "copied_again", lambda *_: CopiedAgain(), vendors=("nvidia",)),
    _without("kinds of division", operators, "division_key", _word_or_long),
    _without("the order as it is written", lifetimes, "_EASY", 1 << 20),
    _without("freeing arithmetic early", schedule._Schedule, "_settle", _nothing),
    Mechanism("values pinned where branches meet", BOTH, "facts", _PINNED),
    _without("constant offsets in the access", memory, "_split", _whole_index),
    _without("loop-carried values", carried_values, "_single_phi", lambda _machine, _region, before: before),
    _without("uniform values in scalar registers", Executions, "without", frozenset(("uniformity",))),
    Mechanism("registers of library calls", BOTH, "facts", _COSTS),
    Mechanism("large arrays at a dynamic index in scratch", BOTH, "facts", _ALL_STAY),
    Mechanism("small arrays at a dynamic index in registers", BOTH, "facts", _NONE_STAYS),
    _without("reads of the widest block", registers, "_MOST_IN_FLIGHT", 0),
    _without("loops that stay loops", registers, "_nvidia", _without_loops, vendors=("nvidia",)),
    _without("number of operations", registers, "_MOST_OPERATIONS", 0, vendors=("nvidia",)),
    _without("steeper above 48", registers, "_STEEP", 1 << 20, vendors=("nvidia",)),
    Mechanism("floor of what is held", BOTH, "fit", ()),
)


# --------------------------------------------------------------------------------------------------------- measuring


class Measured(NamedTuple):
    """Samples by mechanism that was off, "" for none, in one order; the kernels' names in that order."""

    samples: dict[str, list[Sample]]
    kernels: list[str]


class Score(NamedTuple):
    """How good a fit is on benchmarks that it has not seen."""

    touched: int
    rank: float
    rank_large: float
    error: float
    spread: float


def _wanted(truth: Path, target: str) -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = defaultdict(list)
    with truth.open(newline="") as handle:
        for row in csv.DictReader(handle):
            if row["target"] == target:
                rows[row["file"]].append(row)
    return rows


def _kernel_of(file: File, row: Row) -> Kernel | None:
    found = [kernel for kernel in file.kernels if kernel.name.rpartition("::")[2] == row["kernel"]]
    return min(found, key=lambda one: abs(one.line - int(row["line"] or 0)), default=None)


def _sample(facts: KernelFacts, row: Row) -> Sample:
    target, arch = row["target"], architecture(row["target"])
    facts = facts.typical(target)
    found = facts.executions.trace(facts.compiler(target))
    scratch = facts.compiled(target).scratch(facts.execution(target))
    bench = row["bench"].rpartition("-")[0]
    held = found.held.vector
    return Sample(
        bench, registers.features(found, facts.written(target), scratch, arch), float(row["demand"]), True, held
    )


def _measured(
    path: Path, rows: Sequence[Row], target: str, projects: Projects, mechanisms: Sequence[Mechanism]
) -> Iterator[tuple[str, str, Sample]]:
    """Samples of one file's kernels, with the mechanism that was off and the kernel: first none (""), then each."""
    data = path.read_bytes()
    language = detect_language(str(path), data) or LANGUAGES[target]

    def file() -> File:
        return build_file(Source(str(path), data), language, projects.of(str(path)))

    def facts_in(model: File) -> list[tuple[Row, KernelFacts]]:
        found = ((row, _kernel_of(model, row)) for row in rows)
        return [(row, kernel_facts(model, kernel, Settings())) for row, kernel in found if kernel is not None]

    model = file()
    for row, facts in facts_in(model):
        yield "", _label(row), _sample(facts, row)
    for mechanism in mechanisms:
        if mechanism.again == "fit":
            continue
        with mechanism.off():
            for row, facts in facts_in(file() if mechanism.again == "file" else model):
                yield mechanism.name, _label(row), _sample(facts, row)


def _label(row: Row) -> str:
    return f"{row['file']} {row['kernel']}"


def measured(root: Path, truth: Path, target: str, mechanisms: Sequence[Mechanism]) -> Measured:
    """All kernels of the table for one target; every file is read once."""
    projects = Projects([candidate.path for candidate in discover([str(root)]).files], [str(root)])
    result = Measured({name: [] for name in ("", *(mechanism.name for mechanism in mechanisms))}, [])
    for name, rows in sorted(_wanted(truth, target).items()):
        for off, label, sample in _measured(root / name, rows, target, projects, mechanisms):
            result.samples[off].append(sample)
            if not off:
                result.kernels.append(label)
    return result


def score(data: Sequence[Sample], whole: Sequence[Sample], share: float) -> Score:
    """Fit on the folds and compare; the samples of both lists are the same kernels in the same order."""
    values = lifted(data, folds(data), share)
    demand = [sample.demand for sample in data]
    large = [number for number, registers_ in enumerate(demand) if registers_ >= 32]
    off = [abs(round(math.exp(v) - OFFSET) - d) / max(d, 1) for v, d in zip(values, demand, strict=True)]
    return Score(
        sum((a.features, a.held) != (b.features, b.held) for a, b in zip(data, whole, strict=True)),
        spearman(demand, values),
        spearman([demand[k] for k in large], [values[k] for k in large]),
        median(off),
        math.sqrt(fmean((sample.truth - value) ** 2 for sample, value in zip(data, values, strict=True))),
    )


# --------------------------------------------------------------------------------------------------------- reporting


def line(name: str, own: Score, whole: Score) -> str:
    """One row of a Markdown table; losses are positive where the whole is better."""
    cells = [
        f"{own.rank:.3f} ({whole.rank - own.rank:+.3f})",
        f"{own.rank_large:.3f} ({whole.rank_large - own.rank_large:+.3f})",
        f"{own.error:.3f} ({own.error - whole.error:+.3f})",
        f"{own.spread:.3f} ({own.spread - whole.spread:+.3f})",
    ]
    return f"| {name} | {own.touched} | " + " | ".join(cells) + " |"


def report(root: Path, truth: Path, target: str, mechanisms: Sequence[Mechanism]) -> list[str]:
    """Print one target's table; the names of mechanisms that touch no kernel."""
    vendor = architecture(target).vendor
    chosen = [mechanism for mechanism in mechanisms if vendor in mechanism.vendors]
    found = measured(root, truth, target, chosen).samples
    base, share = found[""], FITS[vendor].floor
    whole = score(base, base, share)
    rows: list[tuple[float, str]] = []
    idle: list[str] = []
    for mechanism in chosen:
        if mechanism.again == "fit":
            own = score(base, base, 0.0)._replace(touched=_lifted_kernels(base, share))
        else:
            own = score(found[mechanism.name], base, share)
        if not own.touched:
            idle.append(mechanism.name)
        rows.append((whole.spread - own.spread, line(mechanism.name, own, whole)))
    print(f"\n{target}, {len(base)} kernels\n")
    print("| off | kernels touched | Spearman (lost) | >= 32 (lost) | median error (more) | rmse of log (more) |")
    print("|---|---|---|---|---|---|")
    print(f"| nothing | | {whole.rank:.3f} | {whole.rank_large:.3f} | {whole.error:.3f} | {whole.spread:.3f} |")
    for _, text in sorted(rows):
        print(text, flush=True)
    return idle


def _lifted_kernels(data: Sequence[Sample], share: float) -> int:
    bare = folds(data)
    return sum(a != b for a, b in zip(bare, lifted(data, bare, share), strict=True))


def worst(root: Path, truth: Path, target: str, count: int) -> None:
    """Print the kernels with the largest errors of log(registers + 2), and how many sit on one count."""
    found = measured(root, truth, target, ())
    data = found.samples[""]
    values = lifted(data, folds(data), FITS[architecture(target).vendor].floor)
    errors = [
        (abs(s.truth - v), s.demand, math.exp(v) - OFFSET, k)
        for s, v, k in zip(data, values, found.kernels, strict=True)
    ]
    large = [sample.demand for sample in data if sample.demand >= 32]
    print(f"\n{target}: {large.count(32)} of the {len(large)} kernels with 32 and more registers have exactly 32\n")
    print("| real | estimate | kernel |\n|---|---|---|")
    for _, demand, estimate, kernel in sorted(errors, reverse=True)[:count]:
        print(f"| {demand:.0f} | {estimate:.0f} | {kernel} |")


def main() -> int:
    """Print a table a target."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--target", choices=sorted(LANGUAGES), help="one target instead of all")
    parser.add_argument("--only", metavar="NAME", help="mechanisms whose names hold this text")
    parser.add_argument("--worst", metavar="N", type=int, help="list the N worst kernels instead")
    args = parser.parse_args()
    sys.setrecursionlimit(20_000)
    mechanisms = [one for one in MECHANISMS if args.only is None or args.only in one.name]
    if not mechanisms:
        parser.error(f"no mechanism has '{args.only}' in its name; there are: {', '.join(m.name for m in MECHANISMS)}")
    targets = (args.target,) if args.target else sorted(LANGUAGES)
    if args.worst is not None:
        for target in targets:
            worst(args.sources, args.truth, target, args.worst)
        return 0
    idle: list[str] = []
    for target in targets:
        idle += [f"{name} on {target}" for name in report(args.sources, args.truth, target, mechanisms)]
    if idle:
        print(f"no kernel was touched: {'; '.join(idle)}: replace what does it now in MECHANISMS", file=sys.stderr)
    return 1 if idle else 0


if __name__ == "__main__":
    raise SystemExit(main())
