"""Live registers line by line: what a kernel's source keeps alive where, and what the widest line holds.

A value counts from the line that makes it to the last line that reads it, on every path between them. This is the
source's view: a compiler moves code, works cheap values out again and adds what surrounds the values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.targets.codegen import compiler_of
from regpress_lint.targets.occupancy import architecture
from regpress_lint.views.pressure.homes import used_by_pointer
from regpress_lint.views.pressure.values import Value, describe
from regpress_lint.views.pressure.views import Around, Inner, Measure, View

if TYPE_CHECKING:
    from regpress_lint.core.source import Source
    from regpress_lint.cpp.syntax import Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.views.pressure.webs import Moment


class LinePressure(NamedTuple):
    """One source line at its widest point; registers are 32-bit and per thread, `scalar` per wave.

    live: of values. temporaries: of the expression's own at its widest point, addresses included. in_flight: of loads
    that the copies of an unrolled loop start together. callee: the widest inlined function, math call or division.
    values: indices into `KernelPressure.values`, widest first, then those that a wave shares. code: False for a line
    without an operation, which holds what the code around it carries past.
    """

    line: int
    live: int
    scalar: int
    temporaries: int
    in_flight: int
    callee: Inner | None
    values: tuple[int, ...]
    code: bool

    @property
    def extra(self) -> int:
        """Registers beyond the values: an expression's temporaries are gone when its call is under way."""
        return max(self.temporaries + self.in_flight, self.callee.registers if self.callee is not None else 0)

    @property
    def total(self) -> int:
        """Registers of the line in all."""
        return self.live + self.extra


class KernelPressure(NamedTuple):
    """A kernel's lines, first to last. peak: index of the widest line, the first of them; None if nothing is live.

    scratch: arrays of the kernel and its callees that do not stay in registers, with their bytes a thread. pointed:
    arrays of the kernel that are used through a pointer, which is not followed; neither counts in any line.
    """

    lines: tuple[LinePressure, ...]
    values: tuple[Value, ...]
    peak: int | None
    scratch: tuple[tuple[str, int | None], ...]
    pointed: tuple[str, ...]


def kernel_pressure(facts: KernelFacts, target: str, source: Source, around: Around) -> KernelPressure:
    """Pressure of a kernel on an architecture; `source` is the file that its function stands in.

    Raises UnknownArchitectureError for a target that is none.
    """
    arch = architecture(target)
    measure = Measure(facts, arch.name, compiler_of(arch), around)
    view = measure.view(facts.kernel.function, kernel=True)
    lines, keys = _lines(view, measure, source)
    values = describe(keys, view, source, facts)
    lines = tuple(
        line._replace(values=tuple(sorted(line.values, key=lambda i: (values[i].scalar, -values[i].registers, i))))
        for line in lines
    )
    peak = max(range(len(lines)), key=lambda i: (lines[i].total, -i), default=None)
    if peak is not None and not lines[peak].total:
        peak = None
    private = (array for array in facts.arrays if not array.stays_in_registers(arch.vendor))
    scratch = tuple(dict.fromkeys((array.variable.name, array.bytes) for array in private))
    named = {name for name, _ in scratch}
    pointed = (variable.name for variable in used_by_pointer(facts.flow_of(facts.kernel.function)))
    return KernelPressure(lines, values, peak, scratch, tuple(name for name in pointed if name not in named))


# ---------------------------------------------------------------------------------------------------------- lines


def _lines(
    view: View, measure: Measure, source: Source
) -> tuple[tuple[LinePressure, ...], tuple[tuple[Variable, int], ...]]:
    """Lines of a function and the values that they refer to, in order of first sight."""
    span = view.flow.function.span
    first, last = source.line_of(span.start), source.line_of(max(span.end - 1, span.start))
    numbers: dict[tuple[Variable, int], int] = {}
    moments = sorted(view.webs.moments, key=lambda moment: (moment.op.span.start, moment.op.span.end))
    covered: dict[int, LinePressure] = {}
    for moment in moments:
        found = _measured(view, measure, moment, numbers)
        for line in _covers(moment, moments, source):
            known = covered.get(line)
            if known is None or found.total > known.total:
                covered[line] = found._replace(line=line)
    result = []
    past: frozenset[tuple[Variable, int]] = frozenset()
    position, closed = 0, False
    for line in range(first, last + 1):
        while position < len(moments) and source.line_of(moments[position].op.span.start) <= line:
            past, closed = moments[position].after, False
            position += 1
        if line in covered:
            result.append(covered[line])
            continue
        ahead = moments[position].before if position < len(moments) else frozenset()
        closes = source.line_text(line).lstrip().startswith("}")
        # A brace ends what is in front of it; behind it only what comes next counts.
        held = ahead if closed else past if closes and position < len(moments) else past & ahead
        closed = closed or closes
        result.append(_summed(view, held, numbers, line))
    return tuple(result), tuple(numbers)


def _covers(moment: Moment, moments: list[Moment], source: Source) -> range:
    """Lines of an op, from the name that it initialises on; of one that has others inside (the body of a lambda that
    is an argument) only the first.
    """
    span = moment.op.span
    begin = min(span.start, moment.op.variable.span.start) if moment.op.variable is not None else span.start
    first, last = source.line_of(begin), source.line_of(max(span.end - 1, span.start))
    if last > first and any(span.contains(other.op.span) and other.op is not moment.op for other in moments):
        return range(first, first + 1)
    return range(first, last + 1)


def _measured(view: View, measure: Measure, moment: Moment, numbers: dict[tuple[Variable, int], int]) -> LinePressure:
    op = moment.op
    loop = view.flow.blocks[moment.block].loop
    line = _summed(view, moment.before | moment.made, numbers, 0)
    inner = measure.inner(op, view.loops[loop] if loop >= 0 else None)
    return line._replace(temporaries=measure.temporaries(op), in_flight=view.in_flight[loop], callee=inner, code=True)


def _summed(
    view: View, held: frozenset[tuple[Variable, int]], numbers: dict[tuple[Variable, int], int], line: int
) -> LinePressure:
    live = scalar = 0
    indices = []
    for value in held:
        width = view.width(value)
        if not width:
            continue
        if view.scalar(value):
            scalar += width
        else:
            live += width
        indices.append(value)
    indices.sort(key=lambda value: (value[0].span, value[1]))
    listed = tuple(numbers.setdefault(value, len(numbers)) for value in indices)
    return LinePressure(line, live, scalar, 0, 0, None, listed, code=False)
