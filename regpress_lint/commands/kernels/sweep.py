"""`kernels --sweep NAME=V1,V2`: a kernel at several values of its block size, template parameters, macros and
constants.
"""

from __future__ import annotations

import re
from copy import copy
from fnmatch import fnmatchcase
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from regpress_lint.commands.kernels.rows import TargetRow, target_row
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.uncertainty import plain
from regpress_lint.cpp.lexical import split_list
from regpress_lint.lint.analysis import Analysis, Skipped, analyse
from regpress_lint.program.model import Instance, LaunchBounds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.model import Kernel


BLOCK = "block"
MOST_POINTS = 256  # of one kernel: each is an execution for every GPU
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_VALUE = re.compile(r"[\w.:<>+*/ -]+\Z")


class Axis(NamedTuple):
    """The swept parameter, and its values as written in source."""

    name: str
    values: tuple[str, ...]


class Point(NamedTuple):
    """A kernel at one value per axis. reason: why there is no answer, empty where there are rows.

    best: names of the architectures on which no other point has less scratch, or as little and more waves. open:
    waves per SIMD at both ends of the band, the fewest first, by architecture, where they are not the same.
    """

    values: tuple[str, ...]
    targets: tuple[TargetRow, ...] = ()
    reason: str = ""
    best: tuple[str, ...] = ()
    open: tuple[tuple[str, tuple[int | float, int | float]], ...] = ()


class Swept(NamedTuple):
    """All points of one kernel, in the order of the axes' values."""

    path: str
    line: int
    name: str
    axes: tuple[str, ...]
    points: tuple[Point, ...]

    @property
    def changes(self) -> bool:
        """Whether two points differ in more than their values."""
        return len({point._replace(values=()) for point in self.points}) > 1


def axes_of(texts: Sequence[str]) -> tuple[Axis, ...]:
    """Axes from `NAME=V1,V2` each. Raises UsageError for anything else, and for more than `MOST_POINTS` points."""
    axes: dict[str, Axis] = {}
    points = 1
    for text in texts:
        name, _, listed = text.partition("=")
        values = tuple(dict.fromkeys(value.strip() for value in listed.split(",") if value.strip()))
        if not _NAME.match(name) or not values or not all(map(_VALUE.match, values)):
            raise UsageError(f'--sweep: "{text}" is not NAME=VALUE,VALUE, as in block=64,128,256 or T=2,4,8')
        if name == BLOCK and not all(
            value.isascii() and value.isdigit() and 0 < int(value) <= 1024 for value in values
        ):
            raise UsageError(f'--sweep: "{text}": block sizes are whole numbers from 1 to 1024')
        if name in axes:
            raise UsageError(f'--sweep: "{name}" is named twice')
        axes[name] = Axis(name, values)
        points *= len(values)
    if points > MOST_POINTS:
        raise UsageError(f"--sweep: {points} combinations are more than {MOST_POINTS}; name fewer values")
    return tuple(axes.values())


def file_sweep(
    data: bytes,
    path: str,
    settings: Settings,
    project: Callable[[], Project] | None,
    axes: tuple[Axis, ...],
    patterns: Sequence[str] = (),
) -> Iterator[Swept]:
    """The kernels of a file that an axis may concern, only those named by `patterns` (globs) where there are any."""
    analysis = analyse(data, path, settings, project)
    if isinstance(analysis, Skipped):
        return
    for kernel in analysis.file.kernels:
        if patterns and not any(fnmatchcase(kernel.name, pattern) for pattern in patterns):
            continue
        if changes_with(axes, kernel, data):
            yield kernel_sweep(analysis, kernel, axes)
            analysis.done_with(kernel)
    analysis.close()


def changes_with(axes: Iterable[Axis], kernel: Kernel, data: bytes) -> bool:
    """Whether an axis may concern a kernel of a file with these bytes."""
    return any(_concerns(axis, kernel, data) for axis in axes)


def _concerns(axis: Axis, kernel: Kernel, data: bytes) -> bool:
    """Whether the name is the block size, a template parameter of the kernel, or occurs in the file."""
    if axis.name == BLOCK or any(parameter.name == axis.name for parameter in kernel.function.template):
        return True
    return re.search(rb"\b" + axis.name.encode() + rb"\b", data) is not None


def kernel_sweep(analysis: Analysis, kernel: Kernel, axes: tuple[Axis, ...]) -> Swept:
    """A kernel of an analysed file at all points of a grid."""
    variants = _Variants(analysis, kernel)
    names = tuple(axis.name for axis in axes)
    points = [
        variants.point(dict(zip(names, values, strict=True)), analysis.targets)
        for values in product(*(axis.values for axis in axes))
    ]
    return Swept(kernel.path, kernel.line, kernel.name, names, tuple(_marked(points)))


def _marked(points: Sequence[Point]) -> Iterator[Point]:
    """The points, each with the architectures on which it is the best."""
    marks: dict[str, tuple[int, float]] = {}
    for point in points:
        for row in point.targets:
            if row.unserved is None:
                marks[row.name] = min(marks.get(row.name, _worth(row)), _worth(row))
    differ = {row.name for point in points for row in point.targets if _worth(row) != marks.get(row.name)}
    for point in points:
        best = (row.name for row in point.targets if row.name in differ and _worth(row) == marks[row.name])
        yield point._replace(best=tuple(best))


def _worth(row: TargetRow) -> tuple[int, float]:
    """Less is better: private memory first, then the waves that are missing."""
    return row.scratch_bytes + row.excess_bytes, -row.occupancy.fraction


class _Variants:
    """Copies of a file in which names have other values; each copy is analysed once."""

    def __init__(self, original: Analysis, kernel: Kernel) -> None:
        self._data, self._path = original.source.data, original.source.path
        self._kernel, self._original = kernel, original
        same = [candidate for candidate in original.file.kernels if candidate.name == kernel.name]
        self._position = same.index(kernel)
        self._template = {parameter.name for parameter in kernel.function.template}
        self._copies: dict[tuple[tuple[str, str], ...], Analysis | str] = {}

    def point(self, values: dict[str, str], targets: tuple[str, ...]) -> Point:
        """The kernel at these values."""
        written = tuple(values.values())
        arguments = {name: value for name, value in values.items() if name in self._template}
        edited = tuple((name, value) for name, value in values.items() if name != BLOCK and name not in arguments)
        copy = self._copy(edited, arguments)
        if isinstance(copy, str):
            return Point(written, reason=copy)
        analysis, kernel = copy
        if BLOCK in values:
            kernel = with_block(kernel, int(values[BLOCK]))
        from regpress_lint.facts.kernel import kernel_facts

        facts: KernelFacts = kernel_facts(analysis.file, kernel, analysis.settings)
        rows = tuple(target_row(facts, analysis.line_of, name) for name in targets)
        ends = {name: (facts.target(name).worst, facts.target(name).best) for name in targets}
        facts.forget()
        open_ = {name: (plain(few.waves_per_simd), plain(most.waves_per_simd)) for name, (few, most) in ends.items()}
        return Point(written, rows, open=tuple((name, span) for name, span in open_.items() if span[0] != span[1]))

    def _copy(self, edited: tuple[tuple[str, str], ...], arguments: dict[str, str]) -> tuple[Analysis, Kernel] | str:
        key = (*edited, *((f"<{name}>", value) for name, value in arguments.items()))
        analysis = self._copies.get(key)
        if analysis is None:
            analysis = self._copies[key] = self._analysed(edited, arguments)
        if isinstance(analysis, str):
            return analysis
        same = [candidate for candidate in analysis.file.kernels if candidate.name == self._kernel.name]
        if len(same) <= self._position:
            return "there is no such kernel at these values"
        kernel = same[self._position]
        if not arguments:
            return analysis, kernel
        wanted = self._arguments(arguments)
        if isinstance(wanted, str):
            return wanted
        if not kernel.instances:  # all places in view agree: the arguments are bound in the kernel itself
            return analysis, kernel
        spelled = _bare(", ".join(wanted))
        chosen = next((instance.kernel for instance in kernel.instances if _bare(instance.arguments) == spelled), None)
        return (analysis, chosen) if chosen is not None else f"`{kernel.name}<{', '.join(wanted)}>` was not understood"

    def _analysed(self, edited: tuple[tuple[str, str], ...], arguments: dict[str, str]) -> Analysis | str:
        data = self._data
        for name, value in edited:
            data = with_value(data, name, value)
        if arguments:
            wanted = self._arguments(arguments)
            if isinstance(wanted, str):
                return wanted
            named = f"{self._kernel.name}<{', '.join(wanted)}>"
            data += f"\nstatic const void* regpress_sweep = (const void*)&{named};\n".encode()
        if data == self._data:
            return self._original
        analysed = analyse(data, self._path, self._original.given, lambda: self._original.project)
        return "nothing of the file is left at these values" if isinstance(analysed, Skipped) else analysed

    def _arguments(self, swept: dict[str, str]) -> tuple[str, ...] | str:
        """All template arguments: the swept ones, and the others as in the first known instantiation."""
        bound_to = next((split_list(instance.arguments) for instance in self._kernel.instances), [])
        result: list[str] = []
        for index, parameter in enumerate(self._kernel.function.template):
            spelled = bound_to[index] if index < len(bound_to) and bound_to[index] != "?" else parameter.default
            bound = self._kernel.bindings.get(parameter.name)
            value = swept.get(parameter.name) or (str(bound) if bound is not None and spelled is None else spelled)
            if value is None:
                return f"`{parameter.name}` has no visible value: sweep it as well ({parameter.name}=...)"
            result.append(value)
        return tuple(result)


def _bare(text: str) -> str:
    return "".join(text.split())


def with_value(data: bytes, name: str, value: str) -> bytes:
    """A source in which a macro or a constant of that name has another value; a macro in front where it has neither.

    The number of lines before a definition does not change. A definition that is given in front may stand for one of
    the build; a header's is replaced only if it asks `#ifndef`.
    """
    word, text = re.escape(name.encode()), value.encode()
    macro = re.compile(rb"^([ \t]*#[ \t]*define[ \t]+" + word + rb")(?![\w(])[^\n]*", re.MULTILINE)
    constant = re.compile(
        rb"(\b(?:(?:constexpr|const)\b[^;{}()]*?|enum\b[^;{}()]*\{[^;{}()]*?)[\s*&{,]" + word + rb"\s*)"
        rb"(?:=\s*[^;,{}]+|\{[^{};]*\})",
        re.DOTALL,
    )
    changed, count = macro.subn(lambda match: match[1] + b" " + text, data)
    if not count:
        changed, count = constant.subn(lambda match: match[1] + b"= " + text, data)
    return changed if count else b"#define " + name.encode() + b" " + text + b"\n" + data


def with_block(kernel: Kernel, threads: int) -> Kernel:
    """The kernel with launch bounds and launches of that many threads; of SYCL, which has no bounds, its launches."""
    changed = copy(kernel)
    changed.launches = tuple(
        launch._replace(block_size=threads, block_dims=(threads, 1, 1), certainty="constant")
        for launch in kernel.launches
    )
    bounds = kernel.launch_bounds
    if kernel.language != "sycl" or bounds is not None:
        least = bounds.min_blocks if bounds is not None else None
        span = bounds.span if bounds is not None else kernel.name_span
        changed.launch_bounds = LaunchBounds(span, (str(threads),), threads, least)
    if not changed.launches and changed.launch_bounds is None:
        changed.launch_bounds = LaunchBounds(kernel.name_span, (str(threads),), threads, None)
    changed.instances = tuple(
        Instance(
            instance.arguments,
            instance.path,
            instance.line,
            instance.weight,
            partial(_instance_with_block, instance, threads),
        )
        for instance in kernel.instances
    )
    return changed


def _instance_with_block(instance: Instance, threads: int) -> Kernel:
    return with_block(instance.kernel, threads)
