"""What all forms of `pressure` show: one kernel on one architecture, its sentences and its scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction

    from regpress_lint.estimate.registers import RegisterEstimate
    from regpress_lint.views.pressure.lines import KernelPressure, LinePressure
    from regpress_lint.views.pressure.values import Value
    from regpress_lint.views.pressure.views import Inner

# Where what is not in a thread's vector registers lives, and what one unit of it is called.
HOMES = {"amd": ("SGPRs", "SGPR"), "nvidia": ("the constant bank", "words"), "intel": ("uniform registers", "unif")}
CAVEAT = (
    "The bars are the values that the source keeps alive, not the registers that a compiler allocates: it moves code "
    "and works cheap values out again, and the estimate includes what surrounds the values."
)
_MOST_NAMES = 8  # of what a call holds
_FAR = 20  # lines between a load and its first use that are worth a word
_USUAL = 64  # registers that a scale may always reach up to
_REACH = 1.6  # the scale ends at a step that is at most so far beyond what is shown


class Band(NamedTuple):
    """Waves per SIMD at the estimate, at the high and at the low end of its band, and how many there can be."""

    waves: Fraction
    fewest: Fraction
    most: Fraction
    possible: int
    limiters: tuple[str, ...]
    impossible: str | None
    next: tuple[str, int, Fraction] | None


class Section(NamedTuple):
    """One kernel on one architecture. steps: (most registers, waves per SIMD), fewest registers first.

    text: the source lines that `pressure.lines` are about. block_size_assumed: nothing in view says it.
    """

    path: str
    name: str
    language: str
    line: int
    end_line: int
    complete: bool
    target: str
    title: str
    vendor: str
    registers: RegisterEstimate
    budget: int
    bounded: bool
    block_size: int
    block_size_assumed: bool
    band: Band
    steps: tuple[tuple[int, Fraction], ...]
    pressure: KernelPressure
    text: tuple[str, ...]
    arguments: str = ""  # of the template's instantiation that is shown
    instances: int = 0  # that the sources in view name

    @property
    def heading(self) -> str:
        """The kernel's name with the arguments of the instantiation that is shown."""
        return f"{self.name}<{self.arguments}>" if self.arguments else self.name

    @property
    def peak(self) -> LinePressure | None:
        """The widest line."""
        return None if self.pressure.peak is None else self.pressure.lines[self.pressure.peak]

    def values(self, line: LinePressure, *, scalar: bool) -> tuple[Value, ...]:
        """Values that are live on a line, widest first: a thread's own, or those that threads share."""
        found = (self.pressure.values[index] for index in line.values)
        return tuple(value for value in found if value.scalar == scalar)


class Scale(NamedTuple):
    """Registers at the right end of a bar, and the steps that lie on it."""

    top: int
    steps: tuple[tuple[int, Fraction], ...]


def scale(section: Section) -> Scale:
    """A scale that holds the peak and the estimate, and the next step if that is not far."""
    peak = section.peak
    most = max(peak.total if peak is not None else 0, section.registers.estimate, 8)
    beyond = next((registers for registers, _ in section.steps if registers >= most), most)
    top = beyond if beyond <= max(most * _REACH, _USUAL) else most
    return Scale(top, tuple(step for step in section.steps if step[0] <= top))


def number(value: Fraction) -> str:
    """Waves as short text: 5, 2.67."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.2f}"


def count(amount: int, noun: str) -> str:
    """`1 register`, `2 registers`."""
    return f"{amount} {noun}{'' if amount == 1 else 's'}"


def extras(line: LinePressure) -> tuple[str, ...]:
    """What a line holds beyond its values, in words: the wider of its own temporaries and of what it calls."""
    if line.callee is not None and calls_widest(line):
        return (_called(line.callee),)
    found = []
    if line.temporaries:
        found.append(f"{line.temporaries} of temporaries and addresses")
    if line.in_flight:
        found.append(f"{line.in_flight} of loads in flight (unrolled loop)")
    return tuple(found)


def insides(line: LinePressure) -> tuple[str, ...]:
    """Where the call of a line is widest and what it holds there, then the same of the call that it makes there."""
    found = []
    inner = line.callee if calls_widest(line) else None
    while inner is not None and inner.line:
        names = [f"{name} {registers}" for name, registers in inner.values[:_MOST_NAMES]]
        more = len(inner.values) - len(names)
        held = ", ".join((*names, f"{more} more")) if more > 0 else ", ".join(names)
        text = f"`{inner.name}` is widest at {inner.path}:{inner.line}"
        text += f" with {count(inner.live, 'register')} of its own ({held})" if inner.values else ""
        if inner.callee is not None:
            text += f" and {_called(inner.callee)}"
        found.append(text)
        inner = inner.callee
    return tuple(found)


def _called(inner: Inner) -> str:
    return f"{inner.registers} in {f'`{inner.name}`' if inner.name.isidentifier() else f'the {inner.name}'}"


def calls_widest(line: LinePressure) -> bool:
    """True if a call or division holds more than the temporaries of the line's own expression."""
    return line.callee is not None and line.callee.registers > line.temporaries + line.in_flight


def remark(value: Value, line: int) -> str:
    """What is worth a word about a value on a line: why it is held there."""
    if value.through is not None and value.through[0] <= line <= value.through[1]:
        return f"not used in the loop at line {value.through[0]}"
    if value.waits >= _FAR and value.defined <= line <= value.first_used:
        return f"first used {value.waits} lines later"
    return "counted whole" if value.kind == "array" else ""


def facts_of(section: Section) -> tuple[tuple[str, str], ...]:
    """The header as (label, sentence)."""
    found = [("estimate", _estimate(section)), ("occupancy", _occupancy(section)), ("peak", _peak(section))]
    if section.pressure.scratch:
        arrays = (
            f"`{name}` ({size} bytes)" if size is not None else f"`{name}` (size not in view)"
            for name, size in section.pressure.scratch
        )
        found.append(("scratch", f"{', '.join(arrays)}: not in registers, not in the bars"))
    if section.pressure.pointed:
        names = ", ".join(f"`{name}`" for name in section.pressure.pointed)
        found.append(("pointers", f"{names}: used through a pointer, not in the bars"))
    if section.instances > 1:
        other = f"--kernel '{section.name}<...>' shows another one"
        found.insert(0, ("template", f"one of {section.instances} instantiations in view; {other}"))
    return tuple(found)


def _estimate(section: Section) -> str:
    found = section.registers
    text = f"{found.low}-{found.estimate}-{found.high} registers a thread (low-estimate-high)"
    text += f", budget {section.budget} {'under its' if section.bounded else 'without'} launch bounds"
    return text + (f", {found.scratch_bytes} bytes of scratch" if found.scratch_bytes else "")


def _occupancy(section: Section) -> str:
    band = section.band
    if band.impossible:
        return f"the launch cannot work: {band.impossible}"
    text = f"{number(band.waves)} of {band.possible} waves per SIMD at the estimate"
    if band.fewest != band.most:
        text += f" ({number(band.fewest)} to {number(band.most)} over its band)"
    text += f", limited by {', '.join(band.limiters)}, blocks of {section.block_size}"
    text += " (assumed)" if section.block_size_assumed else ""
    if band.next is not None:
        resource, value, waves = band.next
        text += f"; {number(waves)} waves at {value} {'bytes of LDS' if resource == 'lds_bytes' else resource}"
    return text


def _peak(section: Section) -> str:
    line = section.peak
    if line is None:
        return "nothing is live in registers"
    shared, _ = HOMES[section.vendor]
    held = [f"{count(line.live, 'register')} of values"] if line.live else []
    text = f"{line.total} at line {line.line}: {', '.join((*held, *extras(line)))}"
    return text + (f"; {line.scalar} more in {shared}" if line.scalar else "")
