"""`regpress-lint ir`: a kernel's graph as text after one of its passes, for who works on the tool. A value has a line
of the source, through the inlined functions that it comes from.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, get_args

from regpress_lint.cli import options
from regpress_lint.cli.context import run_context
from regpress_lint.cli.inputs import no_gpu_code
from regpress_lint.core.errors import UsageError, os_reason, suggestion
from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import UNNAMED, Function
from regpress_lint.lint.analysis import Skipped, analyse, too_large
from regpress_lint.lint.work import Scope, read_file
from regpress_lint.model.graph.values import FLOAT, POINTER, PREDICATE, SIGNED, UNSIGNED
from regpress_lint.model.passes.orders import as_written

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from regpress_lint.core.settings import Settings
    from regpress_lint.core.source import Source
    from regpress_lint.cpp.syntax_tree import Expr, Stmt
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.model.graph.values import Graph, Site
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.orders import Order
    from regpress_lint.model.passes.peak import Peak


class Inlined(NamedTuple):
    """A place in a function that the kernel calls: its name, file and line (0 for an unknown file)."""

    name: str
    path: str
    line: int


class Places:
    """Lines of a kernel's function in its file; what a call brings in belongs to the line of the call."""

    name = ""  # of a function that is not the kernel itself

    def __init__(self, graph: Graph, source: Source, first: int, last: int) -> None:
        self._graph = graph
        self._source = source
        self.first = first
        self.last = last
        self._lines: dict[int, int] = {}

    def line(self, number: int) -> int | None:
        """Line of the kernel that a value comes from; None for what nothing wrote."""
        node, site = self._graph.nodes[number], self._graph.sites[number]
        while site is not None:
            node, site = site.call, site.outer
        if node is None:
            return None
        start = node.span.start
        line = self._lines.get(start)
        if line is None:
            line = self._lines[start] = min(max(self._source.line_of(start), self.first), self.last)
        return line

    def text(self, number: int) -> str:
        """The source text that computed a value; empty inside of functions that the kernel calls."""
        node = self._graph.nodes[number]
        return self._source.text(node.span) if node is not None and self._graph.sites[number] is None else ""

    def inlined(self, number: int, source_of: Callable[[str], Source | None]) -> tuple[Inlined, ...]:
        """The calls on the way to what made a value, the outermost first."""
        node, site = self._graph.nodes[number], self._graph.sites[number]
        calls: list[Inlined] = []
        while site is not None:
            calls.append(_inlined(site, node.span.start if node is not None else None, source_of))
            node, site = site.call, site.outer
        return tuple(reversed(calls))


class Within(Places):
    """Lines of a function that the kernel calls, in that one's file; what it calls itself belongs to the line of the
    call. Values from other functions have no line here.
    """

    def __init__(self, graph: Graph, source: Source, function: Function) -> None:
        span = function.span
        super().__init__(graph, source, source.line_of(span.start), source.line_of(max(span.end - 1, span.start)))
        self._function = function
        self.name = function.name

    def line(self, number: int) -> int | None:
        """See `Places`."""
        node, _ = self._here(number)
        return self._source.line_of(node.span.start) if node is not None else None

    def text(self, number: int) -> str:
        """See `Places`."""
        node, depth = self._here(number)
        return self._source.text(node.span) if node is not None and not depth else ""

    def inlined(self, number: int, source_of: Callable[[str], Source | None]) -> tuple[Inlined, ...]:
        """See `Places`."""
        _, depth = self._here(number)
        calls = super().inlined(number, source_of)
        return calls[len(calls) - depth :]

    def _here(self, number: int) -> tuple[Expr | Stmt | None, int]:
        """What of the function made a value, and how many calls further down that happened."""
        node, site, depth = self._graph.nodes[number], self._graph.sites[number], 0
        while site is not None:
            if node is not None and site.path == self._function.path and self._function.span.contains(node.span):
                return node, depth
            node, site, depth = site.call, site.outer, depth + 1
        return None, 0


def _inlined(site: Site, offset: int | None, source_of: Callable[[str], Source | None]) -> Inlined:
    source = source_of(site.path) if offset is not None else None
    return Inlined(site.name, site.path, source.line_of(offset) if source is not None and offset is not None else 0)


Stage = Literal["build", "uniformity", "schedule", "liveness"]
STAGES: tuple[Stage, ...] = ("build", "uniformity", "schedule", "liveness")
_WIDEST = 60  # columns of what makes a value
_KINDS = {SIGNED: "i", FLOAT: "f", UNSIGNED: "u", PREDICATE: "p", POINTER: "a"}


def text(peak: Peak, stage: Stage, line_of: Callable[[int], int | None]) -> Iterator[str]:
    """Lines without their ends; the same kernel gives the same text."""
    graph, machine = peak.graph, peak.found.machine
    whole = "" if machine.tally.complete else ", cut off: it is too large"
    yield f"after {stage}: {len(graph)} values, {machine.tally.loops_kept} loops{whole}"
    order, alive = _order(peak, stage)
    opened, closed = _brackets(order)
    depths: list[int] = []
    for place in range(len(order.sequence)):
        depths.append((depths[-1] if depths else 0) + opened.get(place, 0) - closed.get(place, 0))
    texts = [f"{'  ' * depth}{_made(graph, number)}" for depth, number in zip(depths, order.sequence, strict=True)]
    width = min(max(map(len, texts), default=0), _WIDEST)
    depth = 0
    for place, number in enumerate(order.sequence):
        yield from ("  " * (depth - step - 1) + "}" for step in range(closed.get(place, 0)))
        depth -= closed.get(place, 0)
        yield from ("  " * (depth + step) + "loop {" for step in range(opened.get(place, 0)))
        depth = depths[place]
        line = line_of(number)
        where = f"line {line}" if line is not None else ""
        registers = alive[place] if alive else ""
        row = f"{texts[place]:<{width}}  {_facts(peak, number, stage):<8}{registers!s:>5}  {where:<10}"
        yield f"{row}{_name(peak, number)}".rstrip()
    yield from ("  " * (depth - step - 1) + "}" for step in range(depth))
    if stage == "liveness":
        held = peak.found.live.held
        moved = f", {peak.moved} of them reads that are started early" if peak.moved else ""
        yield f"vector {held.vector}, scalar {held.scalar}, together {held.together}{moved}"


def decisions(machine: Machine, line_of: Callable[[int], int]) -> Iterator[str]:
    """Decisions during a kernel's execution: copies of its loops and why, arrays that have no registers.

    line_of: the line of a byte of the kernel's file.
    """
    shown: set[str] = set()
    for loop, inside, _, plan, _ in machine.tally.plans:
        path = next((within.path for within in reversed(inside) if isinstance(within, Function)), "")
        place = f"line {line_of(loop.span.start)}" if path in ("", machine.file.path) else path
        if plan.whole:
            decision = f"loop, {place}: replaced, {plan.reason}"
        else:
            decision = f"loop, {place}: stays, {plan.copies} {'body' if plan.copies == 1 else 'bodies'}, {plan.reason}"
        if decision not in shown:
            shown.add(decision)
            yield decision
    yield from (f"in memory: {name}" for name in sorted(variable.name for variable in machine.arrays.in_memory))


def _order(peak: Peak, stage: Stage) -> tuple[Order, list[int]]:
    """The order that is shown, and the registers alive in it."""
    if stage in ("build", "uniformity"):
        return as_written(peak.found.machine, bytearray(b"\1" * len(peak.graph))), []
    return peak.lifetimes.order, peak.alive if stage == "liveness" else []


def _brackets(order: Order) -> tuple[dict[int, int], dict[int, int]]:
    """How many loops begin and end in front of each place."""
    opened: dict[int, int] = {}
    closed: dict[int, int] = {}
    for begin, end, _ in order.loops:
        if begin < end:
            opened[begin] = opened.get(begin, 0) + 1
            closed[end] = closed.get(end, 0) + 1
    return opened, closed


def _made(graph: Graph, number: int) -> str:
    constants = graph.constants
    args = ", ".join(f"%{arg}" if constants[arg] is None else str(constants[arg]) for arg in graph.args[number])
    source = graph.sources.get(number)
    named = isinstance(source, tuple) and all(isinstance(part, str) for part in source)
    label = f" {'.'.join(source)}" if isinstance(source, tuple) and named else ""
    return f"%{number} = {graph.ops[number]}{label}" + (f"({args})" if args else "")


def _facts(peak: Peak, number: int, stage: Stage) -> str:
    graph, values = peak.graph, peak.found.values
    text = f"{graph.widths[number]}{_KINDS[graph.kinds[number]]}"
    if graph.extra[number]:
        text += f"+{graph.extra[number]}"
    if stage == "build":
        return text
    where = ("V" if values.registers[number] else "S") if graph.widths[number] else ""
    return f"{text} {where}{'D' if values.divergent[number] else ''}{'' if values.needed[number] else '-'}"


def _name(peak: Peak, number: int) -> str:
    held = peak.name(number)
    path = () if held is None else (key for key in map(str, held.path) if not key.startswith(UNNAMED))
    return "" if held is None else ".".join((held.variable.name, *path))


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs=1, metavar="FILE", help="one source file")
    options.value(parser, "--kernel", "NAME", "only this kernel")
    options.value(parser, "--after", "PASS", "build, uniformity, schedule or liveness (default)", default="liveness")
    options.repeated(
        parser,
        "--without",
        "PASSES",
        "leave out unrolling (no loop is copied), scalar-replacement (arrays are in memory), dead-code (all are "
        "needed), uniformity (all are vectors), schedule (written order)",
    )
    options.repeated(parser, "--arch", "NAMES", "GPUs (default: by language)")
    options.one_file(parser)


def run(arguments: argparse.Namespace) -> int:
    """Exit status 0. Raises UsageError for a file, kernel or pass that is not there."""
    from regpress_lint.model.passes.trace import PASSES

    stage: Stage = next((argument for argument in get_args(Stage) if argument == arguments.after), "liveness")
    if arguments.after not in STAGES:
        raise UsageError(_unknown("--after: no pass", arguments.after, STAGES))
    without = frozenset(name for names in arguments.without or () for name in names.split(",") if name)
    for name in sorted(without):
        if name not in PASSES:
            raise UsageError(_unknown("--without: no pass", name, PASSES))
    settings = run_context(arguments).settings
    analysis = _analysis(arguments.paths[0], settings)
    for line in _shown(analysis, arguments.kernel, stage, without):
        print(line)
    return 0


def _unknown(what: str, name: str, known: tuple[str, ...]) -> str:
    return f'{what} "{name}"{suggestion(name, known)}; there are: {", ".join(known)}'


def _analysis(path: str, settings: Settings) -> Analysis:
    try:
        data = read_file(path, settings.max_file_bytes)
    except OSError as error:
        raise UsageError(f'cannot read "{path}": {os_reason(error)}') from None
    if not isinstance(data, bytes):
        raise UsageError(too_large(path, data, settings))
    around = Scope(settings, (path,)).projects()
    analysis = analyse(data, path, settings, partial(around.of, path))
    if isinstance(analysis, Skipped):
        raise UsageError(no_gpu_code(path))
    return analysis


def _shown(analysis: Analysis, wanted: str | None, stage: str, without: frozenset[str]) -> Iterator[str]:
    from regpress_lint.model.passes.peak import Peak
    from regpress_lint.model.passes.trace import scheduled_kernel

    file = analysis.file
    names = [kernel.name for kernel in file.kernels]
    if wanted is not None and wanted not in names:
        raise UsageError(_unknown("--kernel: no kernel", wanted, tuple(names)))
    for kernel in file.kernels:
        if wanted not in (None, kernel.name):
            continue
        for target in analysis.targets:
            facts = analysis.facts(kernel)
            compiler = facts.compiler(target)
            peak = Peak(scheduled_kernel(facts.input_for(compiler), without))
            span, source = kernel.function.span, file.source
            places = Places(peak.graph, source, source.line_of(span.start), source.line_of(max(span.end - 1, 0)))
            yield f"kernel {kernel.name}, {target}"
            if stage == "build":
                yield from decisions(peak.found.machine, source.line_of)
            yield from text(peak, next(known for known in STAGES if known == stage), places.line)
            yield ""
