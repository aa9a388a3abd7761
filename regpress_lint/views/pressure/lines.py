"""Live registers line by line: values alive in the order behind the estimate, and the contents of the widest line.

A line's number is that of its widest place: of all values that come from the line, copies of unrolled loops and inlined
functions included, the one beside which most registers are alive. The widest line determines the estimate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.ir.ops import CONVERGENT, DIVIDE, REMAINDER
from regpress_lint.targets.occupancy import architecture
from regpress_lint.views.pressure.places import Inlined, Places
from regpress_lint.views.pressure.values import Describer, Group, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from regpress_lint.core.source import Source
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.ir.ops import Op
    from regpress_lint.passes.peak import Peak


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
    peak = facts.peak(arch.name)
    first, last = source.line_of(span.start), source.line_of(max(span.end - 1, span.start))
    places = Places(peak.graph, source, first, last)
    describer = Describer(peak, places, source, facts.environment)
    widest = _widest(peak, places)
    if peak.place is not None:  # a value that nothing wrote stands on the kernel's first line
        line = places.line(peak.sequence[peak.place]) or first
        widest[line] = peak.place
    numbers: dict[Group, int] = {}
    most: dict[Group, tuple[int, int]] = {}
    alive = peak.numbers_at(widest.values())
    covered = {}
    for line, place in sorted(widest.items()):
        found = _measured(line, place, alive[place], peak, describer, numbers, most)
        covered[line] = found._replace(inlined=places.inlined(peak.sequence[place], source_of))
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
    found: dict[int, int] = {}
    alive = peak.alive
    for place, number in enumerate(peak.sequence):
        line = places.line(number)
        if line is not None and (line not in found or alive[place] > alive[found[line]]):
            found[line] = place
    return found


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
        found = covered.get(line)
        if found is not None:
            past = found
            yield found
        else:
            yield _carried(line, past, behind[line], groups)


def _carried(line: int, past: LinePressure | None, ahead: LinePressure | None, groups: Sequence[Group]) -> LinePressure:
    there = {entry.value: entry for entry in ahead.values} if ahead is not None else {}
    held = past.values if past is not None else ()
    both = tuple(min(entry, there[entry.value]) for entry in held if entry.value in there)
    own = [entry for entry in both if not groups[entry.value].scalar]
    live = sum(entry.registers for entry in own)
    temporaries = sum(entry.registers for entry in own if not groups[entry.value].named)
    scalar = sum(entry.registers for entry in both) - live
    return LinePressure(line, live, scalar, temporaries, 0, None, both, code=False)
