"""`pressure --without LINE[:LINE]`: what kernels take without a branch or statements, tried on a copy in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.lint.advice.at_lines import LeftOut, at_lines
from regpress_lint.lint.advice.left_out import fixed, lines_of
from regpress_lint.lint.advice.trying import edited
from regpress_lint.lint.analysis import Skipped, analyse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from regpress_lint.cli.pressure_command import Choice
    from regpress_lint.core.diagnostics import Edit
    from regpress_lint.core.source import Source, Span
    from regpress_lint.cpp.syntax_tree import Function
    from regpress_lint.facts.run_time_flags import Option
    from regpress_lint.formats.pressure_data import Section
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.program.model import Kernel

_LINES = pattern(r"(\d{1,7})(?::(\d{1,7}))?\Z")


class Removed(NamedTuple):
    """The parts to leave out of some kernels of a file, and the file without them. option: the flag of which it is one
    branch of several; off: the file with one answer to all its tests.
    """

    parts: tuple[LeftOut, ...]
    copy: Analysis
    option: Option | None
    off: Analysis | None

    @property
    def spans(self) -> Iterator[Span]:
        """Where it stands."""
        return (span for part in self.parts for span in part.spans)


def ranges(texts: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Lines from `LINE` or `LINE:LINE` each. Raises UsageError."""
    found = []
    for text in texts:
        match = _LINES.match(text)
        first, last = (int(match[1]), int(match[2] or match[1])) if match is not None else (0, 0)
        if not 0 < first <= last:
            raise UsageError(f'--without: "{text}" is not LINE or LINE:LINE, as in 31 or 31:58')
        found.append((first, last))
    return tuple(found)


def removed(analysis: Analysis, kernels: Iterable[Kernel], wanted: Sequence[tuple[int, int]]) -> Removed:
    """The code on the lines in these kernels and their callees. Raises UsageError where nothing does, and where
    nothing understandable is left.
    """
    reached: dict[Function, Kernel] = {}
    for kernel in kernels:
        for function in analysis.facts(kernel).functions:
            if function.path in ("", analysis.source.path):
                reached.setdefault(function, kernel)
    parts = []
    for first, last in wanted:
        found = at_lines(analysis.source, tuple(reached), first, last)
        if found is None:
            text = str(first) if first == last else f"{first}:{last}"
            raise UsageError(f"--without: no branch and no statement of a kernel begins at {text}")
        parts.append(found)
    copy = _without(analysis, [edit for part in parts for edit in part.edits])
    option = _option(analysis, reached.values(), parts[0]) if len(parts) == 1 else None
    off = _without(analysis, fixed(analysis.source, option)) if option is not None else None
    return Removed(tuple(parts), copy, option, off)


def _option(analysis: Analysis, kernels: Iterable[Kernel], part: LeftOut) -> Option | None:
    """The flag that decides about a branch, if it also decides about others."""
    from regpress_lint.facts.run_time_flags import options

    for kernel in dict.fromkeys(kernels) if part.test is not None else ():
        for option in options(analysis.facts(kernel)):
            if any((side.test, side.span) == (part.test, part.spans[0]) for side in option.sides):
                return option if len(option.uses) > 1 else None
    return None


def sections_without(
    analysis: Analysis,
    choices: Sequence[Choice],
    out: Removed,
    sections_of: Callable[[Analysis, Sequence[Choice]], Iterable[Section]],
) -> Iterator[tuple[Choice, tuple[Section, ...]]]:
    """Each of the kernels that have something of it with its sections, one per target. Lines are those of the file as
    it is.
    """
    for choice in choices:
        if _has(analysis, choice.kernel, out):
            before = sections_of(analysis, (choice,))
            after = sections_of(out.copy, (_counterpart(analysis, choice, out.copy),))
            off = sections_of(out.off, (_counterpart(analysis, choice, out.off),)) if out.off is not None else ()
            yield choice, tuple(_joined(analysis.source, out, before, after, tuple(off)))


def _has(analysis: Analysis, kernel: Kernel, out: Removed) -> bool:
    functions = (each for each in analysis.facts(kernel).functions if each.path in ("", analysis.source.path))
    bodies = [function.span for function in functions]
    return any(body.contains(span) for body in bodies for span in out.spans)


def _without(analysis: Analysis, edits: Sequence[Edit]) -> Analysis:
    data = edited(analysis.source.data, edits)
    found = analyse(data, analysis.source.path, analysis.given, lambda: analysis.project) if data else None
    if found is None or isinstance(found, Skipped) or len(found.file.kernels) != len(analysis.file.kernels):
        raise UsageError("--without: what is left is not understood; name whole statements, or a branch by its line")
    return found


def _counterpart(analysis: Analysis, choice: Choice, copy: Analysis) -> Choice:
    """The same kernel, or instantiation, of a copy of the file."""
    kernel = copy.file.kernels[analysis.file.kernels.index(choice.kernel)]
    arguments = choice.instance.arguments if choice.instance is not None else None
    return choice._replace(
        kernel=kernel, instance=next((each for each in kernel.instances if each.arguments == arguments), None)
    )


def _joined(
    source: Source, out: Removed, before: Iterable[Section], after: Iterable[Section], off: Sequence[Section]
) -> Iterator[Section]:
    from regpress_lint.formats.pressure_data import Taken, Without

    words = " and ".join(part.words for part in out.parts)
    lines = tuple(lines_of(source, span) for span in out.spans)
    tests = tuple(dict.fromkeys(source.line_of(use.span.start) for use in out.option.uses)) if out.option else ()
    for number, (was, now) in enumerate(zip(before, after, strict=True)):
        without = Without(words, lines, Taken.of(was), tests, Taken.of(off[number]) if off else None)
        yield now._replace(text=was.text, without=without)
