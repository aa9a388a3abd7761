"""Live registers line by line: values alive in the order behind the estimate, and the contents of the widest line.

A value has words that help a reader: its name and type, where it is defined and last used, and by which operation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.commands.ir import Inlined, Places, Within
from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import evaluate_int
from regpress_lint.cpp.syntax_tree import UNNAMED
from regpress_lint.model.graph.ops import CONVERGENT, DIVIDE, PHI, REMAINDER, SOURCE, Kind as OpKind
from regpress_lint.model.graph.values import FLOAT, POINTER, PREDICATE, UNSIGNED
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from regpress_lint.core.source import Source
    from regpress_lint.cpp.environment import Environment
    from regpress_lint.cpp.syntax_tree import Expr, Stmt, Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.model.graph.ops import Op
    from regpress_lint.model.passes.peak import Peak
    from regpress_lint.targets.occupancy import Architecture


Kind = Literal[
    "argument", "array", "loop counter", "loop-carried", "load", "call", "address", "thread index", "arithmetic"
]
PARTIAL = "partial"  # the type of what the first part of a library call leaves for its last
_LONGEST = 40  # characters of an expression that stands for a value without a name
_CALLS = frozenset(
    (OpKind.CALL, OpKind.ROUTINE, OpKind.BEGUN, OpKind.ENDED, OpKind.RESULT, OpKind.ATOMIC, OpKind.CONVERGENT)
)


class Value(NamedTuple):
    """Values of one variable that one line makes, or of one expression that no variable holds (`named` is False).

    registers: 32-bit, of all `copies` together at the widest place; a thread's, or a wave's where `scalar`. `guessed`
    if the type's size is unknown. defined: line that makes the first. last_used: line of the last use in the order
    behind the estimate; what a loop carries is used again in each iteration. lines: every line that makes or uses it.
    function: the inlined function that it is in, empty for the kernel itself. through: first and last line of the
    longest loop that it stays live through untouched. waits: lines from a load to its first use. defined_in, used_in:
    of a value from around the function that is shown, the functions that define it and use it last, whose lines these
    are.
    """

    name: str
    type: str
    registers: int
    scalar: bool
    guessed: bool
    defined: int
    first_used: int
    last_used: int
    lines: tuple[int, ...]
    kind: Kind
    named: bool = True
    copies: int = 1
    function: str = ""
    through: tuple[int, int] | None = None
    waits: int = 0
    defined_in: str = ""
    used_in: str = ""


class Group(NamedTuple):
    """The key that groups values into one entry: their name and type, the line that defines them, the register file,
    their kind."""

    name: str
    type: str
    line: int
    scalar: bool
    kind: Kind
    named: bool
    guessed: bool
    function: str
    around: str  # the function that it is from, of a value from around the one that is shown


class Describer:
    """Groups of a kernel's values with their descriptions; each value is processed once. kernel: its name and file."""

    def __init__(
        self,
        peak: Peak,
        places: Places,
        source: Source,
        env: Environment,
        kernel: tuple[str, str],
        source_of: Callable[[str], Source | None],
    ) -> None:
        self._peak = peak
        self._places = places
        self._source = source
        self._env = env
        self._kernel, self._source_of = kernel, source_of
        self._groups: dict[int, Group] = {}
        self.members: dict[Group, list[int]] = {}

    def group(self, number: int) -> Group:
        """The entry that a value belongs to."""
        group = self._groups.get(number)
        if group is None:
            group = self._groups[number] = self._group(number)
            self.members.setdefault(group, []).append(number)
        return group

    def _group(self, number: int) -> Group:
        peak, graph = self._peak, self._peak.graph
        around, line = self._place(number)
        site, kind = graph.sites[number], self._kind(number)
        function = site.name if site is not None and site.name != self._places.name else ""
        scalar = not peak.width(number)
        held = peak.name(number)
        if held is None:
            text = _short(self._places.text(number))
            # SYCL's `item.get_local_id(0)` says it in the words of the source.
            name = ("" if "get_" in text else _label(graph.sources.get(number))) or text or kind
            return Group(name, _form(peak, number), line, scalar, kind, False, False, function, around)
        variable, path, inlined = held
        type_ = variable.type
        parts = [key for key in path if isinstance(key, str) and not key.startswith(UNNAMED)]
        name = ".".join((variable.name, *parts))
        text = _form(peak, number) if parts else type_text(variable, self._env)
        guessed = type_.size is None and not type_.pointers and not parts and kind != "argument"
        # "end of the range", which a portability layer holds, is no variable of the source.
        function = inlined if inlined != self._places.name else ""
        return Group(name, text, line, scalar, kind, " " not in variable.name, guessed, function, around)

    def _place(self, number: int) -> tuple[str, int]:
        """The line of a value; of one from around the function that is shown, that function and the line there."""
        line = self._places.line(number)
        if line is not None or not self._places.name:
            return "", line or self._places.first
        node, site = self._peak.graph.nodes[number], self._peak.graph.sites[number]
        name, path = (site.name, site.path) if site is not None else self._kernel
        source = self._source_of(path) if node is not None else None
        if source is None or node is None:
            return "", self._places.first
        return name, source.line_of(node.span.start)

    def _kind(self, number: int) -> Kind:
        graph, peak = self._peak.graph, self._peak
        op, held = graph.ops[number], peak.name(number)
        if op is SOURCE:
            key = graph.sources.get(number)
            return "argument" if isinstance(key, tuple) and key[0] == "argument" else "thread index"
        if op is PHI:
            if held is None:
                return "address"
            return "loop counter" if number in peak.found.machine.loops.counters else "loop-carried"
        if held is not None and held.variable.dims:
            return "array"
        if op.kind is OpKind.LOAD:
            return "load"
        if op.kind in _CALLS:
            return "call"
        if held is not None and any(user in peak.found.machine.loops.counters for user in peak.users(number)):
            return "loop counter"  # of the next iteration
        return "address" if op.kind is OpKind.ADDRESS or graph.kinds[number] == POINTER else "arithmetic"

    def describe(self, group: Group, most: tuple[int, int]) -> Value:
        """An entry in words; `most` are its registers and copies where they are most."""
        peak, lifetimes = self._peak, self._peak.lifetimes
        members = self.members[group]
        uses = sorted((lifetimes.places[user], user) for number in members for user in peak.users(number))
        lines = [line for _, user in uses if (line := self._places.line(user)) is not None]
        used_in, last = self._place(uses[-1][1]) if uses else ("", group.line)
        first = group.line if not group.around else self._places.first
        used = lines or [first]
        through = self._through(members)
        return Value(
            group.name,
            group.type,
            most[0],
            group.scalar,
            group.guessed,
            group.line,
            used[0],
            last if used_in else used[-1],
            tuple(sorted({first, *used})),
            group.kind,
            group.named,
            most[1],
            group.function,
            through,
            max(used[0] - first, 0) if group.kind == "load" and not group.around else 0,
            group.around,
            used_in,
        )

    def _through(self, members: Sequence[int]) -> tuple[int, int] | None:
        """The longest loop that all these values outlive without being touched in it."""
        peak, places, ends = self._peak, self._peak.lifetimes.places, self._peak.lifetimes.ends
        best: tuple[int, int] | None = None
        for begin, end, region in peak.lifetimes.order.loops:
            node = region.node
            if node is None or not all(places[number] < begin and ends.get(number, -1) >= end for number in members):
                continue
            if any(begin <= places[user] < end for number in members for user in peak.users(number)):
                continue
            first, last = self._source.line_of(node.span.start), self._source.line_of(node.span.end - 1)
            inside = self._places.first <= first and last <= self._places.last
            if inside and (best is None or last - first > best[1] - best[0]):
                best = (first, last)
        return best


def _label(source: object) -> str:
    """The label of a value that exists from the start without being a variable: `threadIdx.x`."""
    named = isinstance(source, tuple) and len(source) == 2 and all(isinstance(part, str) for part in source)
    return ".".join(source) if isinstance(source, tuple) and named else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def _form(peak: Peak, number: int) -> str:
    """The type of a value that no declaration gives one."""
    if peak.graph.ops[number].kind is OpKind.BEGUN:
        return PARTIAL
    width, kind = peak.graph.form(number)
    if kind in (POINTER, PREDICATE):
        return "address" if kind == POINTER else "bool"
    if kind == FLOAT:
        return "double" if width == 2 else "float"
    sign = "unsigned " if kind == UNSIGNED else ""
    return f"{sign}{'long' if width == 2 else 'int'}"


def type_text(variable: Variable, env: Environment) -> str:
    """A variable's type as one would say it: `const double *`, `float[3][3]`; an extent that is not settled is `?`."""
    type_ = variable.type
    stars = "*" * type_.pointers
    sizes = [evaluate_int(extent, env) if extent is not None else None for extent in variable.dims]
    extents = "".join(f"[{'?' if size is None else size}]" for size in sizes)
    return f"{type_.name}{' ' + stars if stars else ''}{' &' if type_.reference else ''}{extents}"


# What a line runs that has no name in the source, besides library calls.
DIVISION, SHUFFLE, ADDRESS = "division", "shuffle", "address arithmetic"


class Routine(NamedTuple):
    """A library call, a division or a service that runs on a line, and the registers that it takes for itself."""

    name: str
    registers: int


class Entry(NamedTuple):
    """A value that is live on a line: its index in `KernelPressure.values`, its registers and copies there."""

    value: int
    registers: int
    copies: int


class LinePressure(NamedTuple):
    """One source line at its widest place; registers are 32-bit and per thread, `scalar` per wave.

    live: of values; temporaries: the part of them that no variable holds. in_flight: of reads that the scheduler starts
    early, on top of the order. routine: what runs there. values: widest first, then those that a wave shares.
    inlined: where the widest place is, if that is in a function that the line calls. code: False for a line that makes
    no value, which shows what the code around it carries past.
    """

    line: int
    live: int
    scalar: int
    temporaries: int
    in_flight: int
    routine: Routine | None
    values: tuple[Entry, ...]
    code: bool
    inlined: tuple[Inlined, ...] = ()

    @property
    def extra(self) -> int:
        """Registers beyond the values."""
        return self.in_flight + (self.routine.registers if self.routine is not None else 0)

    @property
    def total(self) -> int:
        """Registers of the line in all."""
        return self.live + self.extra


class KernelPressure(NamedTuple):
    """A kernel's lines, first to last. peak: index of the widest line, the first of them; None if nothing is live.

    alive: registers at the peak, from which the estimate is computed. scratch: arrays of the kernel and its callees
    that do not stay in registers, with their bytes per thread; they count in no line. complete: False for a kernel that
    is too large to be executed whole; what was executed until then is shown.
    """

    lines: tuple[LinePressure, ...]
    values: tuple[Value, ...]
    peak: int | None
    alive: int
    scratch: tuple[tuple[str, int | None], ...]
    complete: bool = True


def kernel_pressure(
    facts: KernelFacts, target: str, source: Source, source_of: Callable[[str], Source | None]
) -> KernelPressure:
    """Pressure of a kernel on an architecture; `source` is the file of its function.

    Raises UnknownArchitectureError for an unknown target.
    """
    arch, span = architecture(target), facts.kernel.function.span
    first, last = source.line_of(span.start), source.line_of(max(span.end - 1, span.start))
    places = Places(facts.peak(arch.name).graph, source, first, last)
    return _pressure(facts, arch, source, places, source_of)


class Inside(NamedTuple):
    """A function that the kernel calls, with its lines; `source` is its file. line: where it begins."""

    name: str
    line: int
    source: Source
    pressure: KernelPressure


def widest_inside(facts: KernelFacts, target: str, source_of: Callable[[str], Source | None]) -> Iterator[Inside]:
    """The functions around the kernel's widest place, the outermost first, as far as their files can be read.

    Raises UnknownArchitectureError for an unknown target.
    """
    arch = architecture(target)
    peak = facts.peak(arch.name)
    number = peak.sequence[peak.place] if peak.place is not None else None
    chain: list[tuple[str, Expr | Stmt | None]] = []
    node, site = (peak.graph.nodes[number], peak.graph.sites[number]) if number is not None else (None, None)
    while site is not None:
        chain.append((site.path, node))
        node, site = site.call, site.outer
    shown = {facts.kernel.function}  # one that calls itself is shown once
    for path, node in reversed(chain):
        source = source_of(path)
        in_file = (function for function in facts.source.reached if function.path == path)
        function = next((reached for reached in in_file if node is not None and reached.span.contains(node.span)), None)
        if source is not None and function is not None and function not in shown:
            shown.add(function)
            places = Within(peak.graph, source, function)
            yield Inside(function.name, places.first, source, _pressure(facts, arch, source, places, source_of))


def _pressure(
    facts: KernelFacts, arch: Architecture, source: Source, places: Places, source_of: Callable[[str], Source | None]
) -> KernelPressure:
    peak, first, last = facts.peak(arch.name), places.first, places.last
    kernel = facts.kernel.name, facts.kernel.function.path or facts.kernel.path
    describer = Describer(peak, places, source, facts.source.environment, kernel, source_of)
    widest = _widest(peak, places)
    if peak.place is not None:  # a value that nothing wrote stands on the kernel's first line
        line = places.line(peak.sequence[peak.place]) or first
        widest[line] = peak.place
    numbers: dict[Group, int] = {}
    most: dict[Group, tuple[int, int]] = {}
    alive = peak.numbers_at(widest.values())
    covered = {}
    for line, place in sorted(widest.items()):
        pressure = _measured(line, place, alive[place], peak, describer, numbers, most)
        covered[line] = pressure._replace(inlined=places.inlined(peak.sequence[place], source_of))
    lines = tuple(_filled(covered, first, last, list(numbers)))
    values = tuple(describer.describe(group, most[group]) for group in numbers)
    index = max(range(len(lines)), key=lambda i: (lines[i].total if lines[i].code else -1, -i), default=None)
    if index is not None and not lines[index].total:
        index = None
    private = (array for array in facts.arrays_for(arch.name) if not array.stays_in_registers(arch.vendor))
    scratch = tuple(dict.fromkeys((array.variable.name, array.bytes) for array in private))
    return KernelPressure(lines, values, index, peak.registers, scratch, peak.found.machine.tally.complete)


def _widest(peak: Peak, places: Places) -> dict[int, int]:
    """The widest place of each line, the first of them."""
    widest: dict[int, int] = {}
    alive = peak.alive
    for place, number in enumerate(peak.sequence):
        line = places.line(number)
        if line is not None and (line not in widest or alive[place] > alive[widest[line]]):
            widest[line] = place
    return widest


def _measured(
    line: int,
    place: int,
    alive: Sequence[int],
    peak: Peak,
    describer: Describer,
    numbers: dict[Group, int],
    most: dict[Group, tuple[int, int]],
) -> LinePressure:
    graph = peak.graph
    groups: dict[Group, tuple[int, int]] = {}
    live = temporaries = 0
    for number in alive:
        width = peak.width(number) or graph.widths[number]
        if not width:
            continue
        group = describer.group(number)
        registers, copies = groups.get(group, (0, 0))
        groups[group] = (registers + width, copies + 1)
        if not group.scalar:
            live += width
            temporaries += 0 if group.named else width
    for group, held in groups.items():
        numbers.setdefault(group, len(numbers))
        most[group] = max(held, most.get(group, (0, 0)))
    entries = (Entry(numbers[group], *held) for group, held in groups.items())
    scalar = {numbers[group] for group in groups if group.scalar}
    ordered = tuple(sorted(entries, key=lambda entry: (entry.value in scalar, -entry.registers, entry.value)))
    in_flight = peak.moved if peak.alive[place] else 0
    number = peak.sequence[place]
    routine = Routine(_routine(graph.ops[number]), graph.extra[number]) if graph.extra[number] else None
    return LinePressure(line, live, peak.scalars(place), temporaries, in_flight, routine, ordered, code=True)


def _routine(op: Op) -> str:
    """The name of what runs there."""
    if op in (DIVIDE, REMAINDER):
        return DIVISION
    return SHUFFLE if op is CONVERGENT else op.about or ADDRESS


def _filled(covered: dict[int, LinePressure], first: int, last: int, groups: Sequence[Group]) -> Iterable[LinePressure]:
    """All lines; one that makes no value shows what both the line before and the line behind it hold."""
    ahead: LinePressure | None = None
    behind: dict[int, LinePressure | None] = {}
    for line in range(last, first - 1, -1):
        ahead = covered.get(line, ahead)
        behind[line] = ahead
    past: LinePressure | None = None
    for line in range(first, last + 1):
        if (pressure := covered.get(line)) is not None:
            past = pressure
            yield pressure
        else:
            yield _carried(line, past, behind[line], groups)


def _carried(line: int, past: LinePressure | None, ahead: LinePressure | None, groups: Sequence[Group]) -> LinePressure:
    following = {entry.value: entry for entry in ahead.values} if ahead is not None else {}
    held = past.values if past is not None else ()
    both = tuple(min(entry, following[entry.value]) for entry in held if entry.value in following)
    vector = [entry for entry in both if not groups[entry.value].scalar]
    live = sum(entry.registers for entry in vector)
    temporaries = sum(entry.registers for entry in vector if not groups[entry.value].named)
    scalar = sum(entry.registers for entry in both) - live
    return LinePressure(line, live, scalar, temporaries, 0, None, both, code=False)
