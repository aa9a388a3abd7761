"""The data that all forms of `pressure` show: one kernel on one architecture, its sentences and its scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.commands.kernels.output import (
    MOST_UNKNOWN,
    cluster_lines,
    files_lines,
    limiters,
    place_of,
    role_lines,
)
from regpress_lint.commands.pressure.lines import PARTIAL
from regpress_lint.core.named import NamedTuple
from regpress_lint.render.terminal import count
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from regpress_lint.commands.kernels.rows import ClusterRow, FilesRow, RoleRow, UnknownRow, UnservedRow
    from regpress_lint.commands.pressure.lines import Entry, Inside, KernelPressure, LinePressure, Routine, Value
    from regpress_lint.model.estimate.registers import RegisterEstimate


# AMD keeps what all threads of a wave share in registers of its own: where, and what one of them is called.
SCALARS = ("SGPRs", "SGPR")
CAVEAT = (
    "A bar shows how many registers are live at the widest point of a line, in the instruction order that the estimate "
    "assumes. A compiler may choose another order; what it usually adds or saves is calibrated: see the estimate."
)
_UNNAMED = frozenset(("division", "shuffle", "address arithmetic"))  # routines that the source does not name
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


class Taken(NamedTuple):
    """A kernel's use and occupancy on an architecture: its band, private memory, and waves per SIMD at the estimate."""

    registers: tuple[int, int, int]
    scratch_bytes: int
    waves: Fraction

    @staticmethod
    def of(section: Section) -> Taken:
        estimate = section.registers
        return Taken((estimate.low, estimate.estimate, estimate.high), estimate.scratch_bytes, section.band.waves)


class Without(NamedTuple):
    """The parts left out of a kernel that is shown. words: their description; lines: first and last line.

    whole: the kernel with all of it. tests: the lines that test the same flag, whose branch is left out; off:
    the kernel where all of them have one answer. () and None where there is no other.
    """

    words: str
    lines: tuple[tuple[int, int], ...]
    whole: Taken
    tests: tuple[int, ...] = ()
    off: Taken | None = None

    def leaves_out(self, line: int) -> bool:
        return any(first <= line <= last for first, last in self.lines)


class Section(NamedTuple):
    """One kernel on one architecture. steps: (most registers, waves per SIMD), fewest registers first.

    text: the source lines that `pressure.lines` are about. block_size_assumed: the sources do not say it.
    """

    path: str
    name: str
    line: int
    end_line: int
    complete: bool
    target: str
    title: str
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
    unserved: UnservedRow | None = None  # why the source cannot be compiled for this architecture
    unknown: tuple[UnknownRow, ...] = ()
    without: Without | None = None
    files: FilesRow | None = None  # where there are VGPRs and AGPRs
    roles: tuple[RoleRow, ...] = ()  # of warp groups that hand registers to one another
    cluster: ClusterRow | None = None
    inside: tuple[Inside, ...] = ()  # the functions around the widest place, the outermost first
    function: str = ""  # whose lines these are, if not the kernel's own

    @property
    def heading(self) -> str:
        """The kernel's name with the arguments of the instantiation that is shown."""
        return f"{self.name}<{self.arguments}>" if self.arguments else self.name

    @property
    def peak(self) -> LinePressure | None:
        """The widest line."""
        return None if self.pressure.peak is None else self.pressure.lines[self.pressure.peak]

    @property
    def calibrated(self) -> int:
        """Registers between what is live at the peak and the estimate; negative where compilers take fewer."""
        return self.registers.estimate - self.pressure.alive

    def within(self) -> Iterator[Section]:
        """The same with the lines of each function around the widest place in place of the kernel's."""
        for function in self.inside:
            text = tuple(function.source.line_text(line.line) for line in function.pressure.lines)
            inner = self._replace(pressure=function.pressure, text=text, without=None, function=function.name)
            yield inner._replace(path=function.source.path, line=function.line)

    def values(self, line: LinePressure, *, scalar: bool) -> tuple[tuple[Value, Entry], ...]:
        """Values that are live on a line, widest first: a thread's own, or those that threads share."""
        values = ((self.pressure.values[entry.value], entry) for entry in line.values)
        return tuple((value, entry) for value, entry in values if value.scalar == scalar)


class Scale(NamedTuple):
    """Registers at the right end of a bar, and the steps on it."""

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


def extras(line: LinePressure) -> tuple[str, ...]:
    """Registers of a line that are not values, in words."""
    texts = []
    if line.routine is not None:
        texts.append(called(line.routine))
    if line.in_flight:
        texts.append(f"{line.in_flight} of reads that are started early")
    return tuple(texts)


def called(routine: Routine) -> str:
    """The routines that run on a line and their registers: "28 in `exp`"."""
    return f"{routine.registers} in {f'the {routine.name}' if routine.name in _UNNAMED else f'`{routine.name}`'}"


def insides(line: LinePressure) -> tuple[str, ...]:
    """The place where a line is widest if that is inside of a callee, the outermost function first."""
    return tuple(
        f"widest inside of `{inner.name}`" + (f", at {inner.path}:{inner.line}" if inner.line else "")
        for inner in line.inlined
    )


class Notes(NamedTuple):
    """Remarks about a value wherever it is live, and on some lines: (text, first line, last line)."""

    always: str
    on_lines: tuple[tuple[str, int, int], ...]


def notes(value: Value) -> Notes:
    """Remarks about a value: where it is, why it is kept; on a line the first applies."""
    texts = []
    if value.through is not None:
        texts.append((f"not used in the loop at line {value.through[0]}", *value.through))
    if value.waits >= _FAR:
        texts.append((f"first used {value.waits} lines later", value.defined, value.first_used))
    if value.type == PARTIAL:
        texts.append(("of a call that is begun early", 1, value.defined - 1))
    return Notes(f"in `{value.function}`" if value.function else "", tuple(texts))


def remark(value: Value, entry: Entry, line: int) -> str:
    always, on_lines = notes(value)
    several = f"{entry.copies} values" if entry.copies > 1 else ""
    on_line = next((text for text, first, last in on_lines if first <= line <= last), "")
    return ", ".join(filter(None, (several, always, on_line)))


def facts_of(section: Section) -> tuple[tuple[str, str], ...]:
    """The header as (label, sentence)."""
    pairs = [("estimate", _estimate(section)), ("occupancy", _occupancy(section)), ("peak", _peak(section))]
    pairs += [("files", line) for line in files_lines(section.files)]
    pairs += [("roles", line) for line in role_lines(section.roles)]
    pairs += [("clusters", line.removeprefix("clusters ")) for line in cluster_lines(section.cluster)]
    if section.without is not None:
        pairs.insert(0, ("without", in_words_of(vendor_of((section.target,)), _without(section, section.without))))
    if section.pressure.scratch:
        arrays = (
            f"`{name}` ({size} bytes)" if size is not None else f"`{name}` (size not visible)"
            for name, size in section.pressure.scratch
        )
        pairs.append(("scratch", f"{', '.join(arrays)}: not in registers, not in the bars"))
    if not section.pressure.complete:
        pairs.append(("too large", "only the beginning of the kernel was analysed; more may be live after it"))
    pairs += [("not known", f"{row.text} ({place_of(row, section.path)})") for row in section.unknown[:MOST_UNKNOWN]]
    if (more := len(section.unknown) - MOST_UNKNOWN) > 0:
        pairs.append(("not known", f"{more} more; --output-format json lists them"))
    if section.instances > 1:
        hint = f"--kernel '{section.name}<...>' shows another one"
        pairs.insert(0, ("template", f"one of {section.instances} visible instantiations; {hint}"))
    return tuple(pairs)


def _without(section: Section, without: Without) -> str:
    """The parts left out, and the gain."""
    places = ", ".join(str(first) if first == last else f"{first} to {last}" for first, last in without.lines)
    now, was = Taken.of(section), without.whole
    text = f"{without.words} (line{'' if places.isdigit() else 's'} {places}): {_instead(now, was)}"
    if without.off is not None:
        more = ", ".join(map(str, without.tests))
        text += f"; with one answer at all lines that test it ({more}): {_instead(without.off, was)}"
    return text


def _instead(now: Taken, was: Taken) -> str:
    """`41 instead of 65 registers, ...`: what does not change is left out."""
    low, estimate, high = now.registers
    parts = [f"{estimate} instead of {was.registers[1]} registers"]
    if now.registers == was.registers:
        parts = [f"{estimate} registers as before"]
    elif estimate == was.registers[1]:
        parts = [f"{estimate} registers as before, with a band of {low} to {high} instead of {was.registers[0]} to "
                 f"{was.registers[2]}"]  # fmt: skip
    if now.scratch_bytes != was.scratch_bytes:
        parts.append(f"{now.scratch_bytes} instead of {was.scratch_bytes} bytes of scratch")
    if now.waves != was.waves:
        parts.append(f"{number(now.waves)} instead of {number(was.waves)} waves per SIMD")
    return ", ".join(parts)


def _estimate(section: Section) -> str:
    estimate, added = section.registers, section.calibrated
    text = f"{estimate.estimate} registers per thread ({estimate.low} to {estimate.high})"
    if added >= 0:
        text += f" = {section.pressure.alive} live at the peak + {added} that compilers add (reads in flight, addresses"
    else:
        text += f" = {section.pressure.alive} live at the peak - {-added} that compilers save (values computed again"
    text += f"; calibrated); budget {section.budget} {'under its' if section.bounded else 'without'} launch bounds"
    return text + (f", {estimate.scratch_bytes} bytes of scratch" if estimate.scratch_bytes else "")


def _occupancy(section: Section) -> str:
    """Waves and what holds them, in the words of the target's vendor."""
    return in_words_of(vendor_of((section.target,)), _waves(section))


def _waves(section: Section) -> str:
    band = section.band
    if band.impossible:
        return f"the launch cannot work: {band.impossible}"
    text = f"{number(band.waves)} of {band.possible} waves per SIMD at the estimate"
    if band.fewest != band.most:
        text += f" ({number(band.fewest)} to {number(band.most)} over its band)"
    text += f", limited by {limiters(band.limiters)}, blocks of {section.block_size}"
    text += " (assumed)" if section.block_size_assumed else ""
    if band.next is not None:
        resource, value, waves = band.next
        text += f"; {number(waves)} waves at {value} {'bytes of LDS' if resource == 'lds_bytes' else resource}"
    return text


def _peak(section: Section) -> str:
    line = section.peak
    if line is None:
        return "nothing is live in registers"
    named = line.live - line.temporaries
    held = [f"{count(named, 'register')} of variables"] if named else []
    held += [f"{line.temporaries} of temporaries and addresses"] if line.temporaries else []
    text = f"{line.total} at line {line.line}: {', '.join((*held, *extras(line)))}"
    return text + (f"; {line.scalar} more in {SCALARS[0]}" if line.scalar else "")
