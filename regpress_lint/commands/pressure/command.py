"""`regpress-lint pressure`: the source with the live registers beside every line, and the live values at the peak.

`--without LINE[:LINE]` shows what kernels take without a branch or statements, tried on a copy in memory.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from os import path as os_path
from typing import TYPE_CHECKING

from regpress_lint.cli import options
from regpress_lint.cli.context import complain, run_context, settled_lines, tell_semantic
from regpress_lint.cli.inputs import no_gpu_code, read_stdin, readable, reads_stdin, stdin_path
from regpress_lint.cli.parser import output_is_json, write_json
from regpress_lint.core.errors import UsageError, os_reason, suggestion
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.lint.advice.branch_removal import LeftOut, at_lines, fixed, lines_of
from regpress_lint.lint.advice.trials import edited
from regpress_lint.lint.analysis import Skipped, analyse, too_large
from regpress_lint.lint.discovery import discover, is_source
from regpress_lint.lint.work import Scope, read_file

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from regpress_lint.commands.pressure.data import Band, Section
    from regpress_lint.commands.pressure.page.data import Shown
    from regpress_lint.core.diagnostics import Edit, Report
    from regpress_lint.core.settings import Settings
    from regpress_lint.core.source import Source, Span
    from regpress_lint.cpp.syntax_tree import Function
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.facts.run_time_flags import Option
    from regpress_lint.facts.target import TargetFacts
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.program.model import Instance, Kernel

    SourceOf: TypeAlias = Callable[[str], Source | None]


_MOST_NAMED = 8  # instantiations that an error message lists


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs=1, metavar="FILE", help="one source file; - reads standard input")
    options.value(parser, "--stdin-filename", "PATH", "name that standard input is treated as")
    options.repeated(
        parser, "--kernel", "NAME", "only this kernel, or one instantiation of it: 'k<float, 4>' (repeatable)"
    )
    options.repeated(
        parser,
        "--without",
        "LINE[:LINE]",
        "without the branch that begins at this line, or the statements of these, tried in memory (repeatable)",
    )
    options.switch(parser, "--fold", "leave out what is far from the three widest places")
    options.value(parser, "--html", "FILE", "write one self-contained page instead of text")
    options.text_or_json(parser)
    options.repeated(parser, "--arch", "NAMES", "GPUs; bars show the first")
    options.value(parser, "--block-size", "N", "threads per block if the source does not say (default: 256)")
    options.one_file(parser)
    options.verbose(parser)


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `pressure`: 0, or 2 if the file could not be read or analysed. Raises UsageError."""
    as_json = output_is_json(arguments)
    context = run_context(arguments)
    settings = context.settings
    if arguments.html is not None and not os_path.isdir(os_path.dirname(arguments.html) or "."):
        raise UsageError(f'--html: no folder for "{arguments.html}"')
    path, data = _input(arguments, settings)
    around = Scope(settings, (path,)).projects()
    analysis = analyse(readable(data, path, settings), path, settings, partial(around.of, path))
    if isinstance(analysis, Skipped):
        return _no_kernels(arguments, path, analysis, as_json)
    file = analysis.attempt("parsing", lambda: analysis.file)
    if file is not None and not file.kernels:
        return _no_kernels(arguments, path, analysis, as_json)
    choices = _choose(file.kernels, arguments.kernel) if file is not None else ()
    measure: Callable[[], Iterator[Shown]] = partial(map, partial(shown_kernel, analysis), choices)
    if arguments.without:
        out = removed(analysis, (choice.kernel for choice in choices), ranges(arguments.without))
        measure = partial(_shown_without, analysis, choices, out)
    shown = analysis.attempt("measuring its pressure", lambda: tuple(measure()))
    if shown is None or analysis.failures:
        if arguments.verbose:
            print("".join(failure.traceback for failure in analysis.failures), end="", file=sys.stderr)
        complain(f"{path}: internal error: {failure.reason}" for failure in analysis.failures[:1])
        return 2
    tell_semantic(analysis.notes(), settled_lines(analysis.settled()), verbose=arguments.verbose)
    sections = tuple(section for kernel_shown in shown for section in kernel_shown.sections)
    if arguments.html is not None:
        from regpress_lint.commands.check.output import Baselines
        from regpress_lint.lint.pipeline import judged

        report = Baselines(context, isolated=arguments.isolated).without(judged(analysis, path, settings))
        _write_html(arguments.html, analysis.source, shown, report)
    if as_json:
        from regpress_lint.commands.pressure.output import document

        write_json(document(sections))
    elif arguments.html is None:
        _print(sections, analysis.targets, fold=arguments.fold)
    return 0


def _no_kernels(arguments: argparse.Namespace, path: str, analysis: Analysis | Skipped, as_json: bool) -> int:
    if isinstance(analysis, Skipped) and not reads_stdin(arguments) and not is_source(path):
        raise UsageError(no_gpu_code(path))
    _choose((), arguments.kernel)
    missing = "code" if isinstance(analysis, Skipped) else "kernel"
    complain(
        (f"{path}: no HIP, CUDA, SYCL or OpenCL {missing} in it (one in a header is shown for the header)",), "warning"
    )
    return _nothing(as_json)


def _nothing(as_json: bool) -> int:
    if as_json:
        write_json({"version": 1, "kernels": []})
    return 0


# ---------------------------------------------------------------------------------------------------------- input


def _input(arguments: argparse.Namespace, settings: Settings) -> tuple[str, bytes]:
    """Path and bytes of the one file that is shown, or why it is left out. Raises UsageError."""
    if reads_stdin(arguments):
        return stdin_path(arguments), read_stdin(settings)
    (argument,) = arguments.paths
    if os_path.isdir(argument):
        raise UsageError(
            f'"{argument}" is a folder; pressure shows one file (`regpress-lint kernels {argument}` lists kernels)'
        )
    discovered = discover([argument])
    if discovered.problems or not discovered.files:
        raise UsageError(discovered.problems[0] if discovered.problems else f'no such file: "{argument}"')
    path = discovered.files[0].path
    try:
        data = read_file(path, settings.max_file_bytes)
    except OSError as error:
        raise UsageError(f'cannot read "{path}": {os_reason(error)}') from None
    if not isinstance(data, bytes):
        raise UsageError(too_large(path, data, settings))
    return path, data


class Choice(NamedTuple):
    """A kernel to show, and the instantiation of its template; None for the one in the middle."""

    kernel: Kernel
    instance: Instance | None = None


def _choose(kernels: Sequence[Kernel], wanted: Sequence[str] | None) -> tuple[Choice, ...]:
    """Kernels of these names, in the order of the file; all without names. Raises UsageError for an unknown one."""
    if not wanted:
        return tuple(map(Choice, kernels))
    names = list(dict.fromkeys(name for kernel in kernels for name in (kernel.name, kernel.name.rsplit("::", 1)[-1])))
    choices: list[Choice] = []
    for text in dict.fromkeys(wanted):
        name, bracket, arguments = (text, "", "") if text in names else text.partition("<")
        if name not in names:
            listed = ", ".join(dict.fromkeys(kernel.name for kernel in kernels)) or "none"
            meant = suggestion(name, names) or f"; the file has: {listed}"
            raise UsageError(f'--kernel: no kernel "{name}"{meant}')
        named = [kernel for kernel in kernels if name in (kernel.name, kernel.name.rsplit("::", 1)[-1])]
        choices += _instances(named, arguments.removesuffix(">"), text) if bracket else map(Choice, named)
    return tuple(sorted(dict.fromkeys(choices), key=lambda choice: kernels.index(choice.kernel)))


def _instances(kernels: Sequence[Kernel], arguments: str, text: str) -> list[Choice]:
    """The instantiation with these arguments, or those that begin with them. Raises UsageError if there is none."""
    wanted = "".join(arguments.split())
    instances = [Choice(kernel, instance) for kernel in kernels for instance in kernel.instances]
    spelled = ["".join(choice.instance.arguments.split()) for choice in instances if choice.instance is not None]
    exact = [choice for choice, text in zip(instances, spelled, strict=True) if text == wanted]
    choices = exact or [
        choice for choice, text in zip(instances, spelled, strict=True) if text.startswith(f"{wanted},")
    ]
    if not choices:
        names = [
            f"{choice.kernel.name}<{choice.instance.arguments}>" for choice in instances if choice.instance is not None
        ]
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        named = f"; the sources name: {', '.join(names[:_MOST_NAMED])}{more}" if names else "; the sources name none"
        raise UsageError(f'--kernel: no instantiation "{text}"{named}')
    return choices


# ------------------------------------------------------------------------------------------------------- analysis


def shown_kernel(analysis: Analysis, choice: Choice) -> Shown:
    """A kernel or one of its instantiations as the page has it."""
    from regpress_lint.commands.kernels.rows import kernel_row
    from regpress_lint.commands.pressure.page.data import Shown

    facts = analysis.facts(choice.kernel if choice.instance is None else choice.instance.kernel)
    row = kernel_row(facts, analysis.targets, analysis.line_of)
    sections = tuple(sections_of(analysis, (choice,)))
    return Shown(row.name if choice.instance is None else sections[0].heading, row, sections)


def _shown_without(analysis: Analysis, choices: Sequence[Choice], out: Removed) -> Iterator[Shown]:
    """The kernels that have something that is left out, without it."""
    from regpress_lint.commands.kernels.rows import kernel_row
    from regpress_lint.commands.pressure.page.data import Shown

    for choice, sections in sections_without(analysis, choices, out, sections_of):
        row = kernel_row(analysis.facts(choice.kernel), analysis.targets, analysis.line_of)
        yield Shown(row.name if choice.instance is None else sections[0].heading, row, sections)


def sections_of(analysis: Analysis, choices: Sequence[Choice]) -> Iterator[Section]:
    """Kernels on each of their targets, the targets of a kernel one after the other."""
    from regpress_lint.commands.kernels.rows import clusters_of, files_row, role_rows, unknown_rows, unserved_row

    for kernel, instance in choices:
        facts = analysis.facts(kernel)
        for target in analysis.targets:
            typical = facts.typical(target) if instance is None else analysis.facts(instance.kernel)
            shown = instance or next((key for key, value in facts.instances.items() if value is typical), None)
            # A template's estimate and occupancy are those of all its instantiations.
            section = _section(typical, typical if instance is not None else facts, target, analysis.source_of)
            arguments = shown.arguments if shown is not None else ""
            reason = unserved_row(facts, target, analysis.line_of)
            unknown = unknown_rows(typical if instance is not None else facts, target, analysis.line_of)
            section = section._replace(complete=section.complete and not any(row.matters for row in unknown))
            yield section._replace(
                arguments=arguments,
                instances=len(kernel.instances),
                unserved=reason,
                unknown=unknown,
                files=files_row(typical if instance is not None else facts, target),
                roles=role_rows(typical, target, analysis.line_of),
                cluster=clusters_of(facts, target),
            )


def _section(shown: KernelFacts, facts: KernelFacts, target: str, source_of: SourceOf) -> Section:
    """A kernel's numbers by `facts`, beside the lines of the kernel or instantiation that is `shown`."""
    from regpress_lint.commands.pressure.data import Section
    from regpress_lint.commands.pressure.lines import kernel_pressure, widest_inside
    from regpress_lint.targets.occupancy import register_steps

    estimate, kernel = facts.target(target), shown.kernel
    arch = estimate.architecture
    use = estimate.use(1)
    source = source_of(kernel.function.path) or shown.file.source
    pressure = kernel_pressure(shown, target, source, source_of)
    return Section(
        source.path,
        kernel.name,
        kernel.line,
        kernel.end_line,
        kernel.complete,
        arch.name,
        arch.title,
        estimate.registers,
        estimate.budget,
        kernel.launch_bounds is not None,
        use.block_size,
        facts.launch.block_size_from == "assumed",
        _band(estimate),
        register_steps(arch, use.block_size, use.lds_bytes, use.wave_size),
        pressure,
        tuple(source.line_text(line.line) for line in pressure.lines),
        inside=tuple(widest_inside(shown, target, source_of)),
    )


def _band(target: TargetFacts) -> Band:
    from regpress_lint.commands.pressure.data import Band

    now, step = target.occupancy, target.next
    return Band(
        now.waves_per_simd,
        target.worst.waves_per_simd,
        target.best.waves_per_simd,
        now.max_waves_per_simd,
        now.limiters,
        now.impossible,
        None if step is None else (step.resource, step.value, step.waves_per_simd),
    )


# --------------------------------------------------------------------------------------------------------- output


def _print(sections: Sequence[Section], targets: Sequence[str], *, fold: bool) -> None:
    from regpress_lint.commands.pressure.output import glyphs_for, legend, render
    from regpress_lint.render import terminal

    palette = terminal.Palette(terminal.use_color(sys.stdout, os.environ))
    glyphs = glyphs_for(getattr(sys.stdout, "encoding", None))
    width = terminal.line_width(sys.stdout, os.environ)
    print("\n".join(legend(glyphs, width)))
    for first in range(0, len(sections), len(targets)):
        shown, *others = sections[first : first + len(targets)]
        note = "; ".join(f"{o.target} {o.registers.low}-{o.registers.estimate}-{o.registers.high}" for o in others)
        note = f"{note} (the bars are for {shown.target}, the first of --arch)" if note else ""
        refused = [
            f"{section.target}, {section.unserved.verdict}: {section.unserved.reason}"
            for section in (shown, *others)
            if section.unserved
        ]
        note = "; ".join((*refused, note) if note else refused)
        sys.stdout.writelines(render(shown, width=width, palette=palette, glyphs=glyphs, fold=fold, note=note))


def _write_html(path: str, source: Source, shown: Sequence[Shown], report: Report) -> None:
    from regpress_lint.cli.files import replace_file
    from regpress_lint.commands.pressure.page import page_of_file

    try:
        text = page_of_file(source, shown, report.diagnostics)
        replace_file(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f'cannot write "{path}": {os_reason(error)}') from None


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
    lines = []
    for text in texts:
        match = _LINES.match(text)
        first, last = (int(match[1]), int(match[2] or match[1])) if match is not None else (0, 0)
        if not 0 < first <= last:
            raise UsageError(f'--without: "{text}" is not LINE or LINE:LINE, as in 31 or 31:58')
        lines.append((first, last))
    return tuple(lines)


def removed(analysis: Analysis, kernels: Iterable[Kernel], wanted: Sequence[tuple[int, int]]) -> Removed:
    """The code on the lines in these kernels and their callees. Raises UsageError where nothing does, and where
    nothing understandable is left.
    """
    reached: dict[Function, Kernel] = {}
    for kernel in kernels:
        for function in analysis.facts(kernel).source.functions:
            if function.path in ("", analysis.source.path):
                reached.setdefault(function, kernel)
    parts = []
    for first, last in wanted:
        removal = at_lines(analysis.source, tuple(reached), first, last)
        if removal is None:
            text = str(first) if first == last else f"{first}:{last}"
            raise UsageError(f"--without: no branch and no statement of a kernel begins at {text}")
        parts.append(removal)
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
    functions = (
        function for function in analysis.facts(kernel).source.functions if function.path in ("", analysis.source.path)
    )
    bodies = [function.span for function in functions]
    return any(body.contains(span) for body in bodies for span in out.spans)


def _without(analysis: Analysis, edits: Sequence[Edit]) -> Analysis:
    data = edited(analysis.source.data, edits)
    after = analyse(data, analysis.source.path, analysis.given, lambda: analysis.project) if data else None
    if after is None or isinstance(after, Skipped) or len(after.file.kernels) != len(analysis.file.kernels):
        raise UsageError("--without: the rest cannot be parsed; name whole statements, or a branch by its line")
    return after


def _counterpart(analysis: Analysis, choice: Choice, copy: Analysis) -> Choice:
    """The same kernel, or instantiation, of a copy of the file."""
    kernel = copy.file.kernels[analysis.file.kernels.index(choice.kernel)]
    arguments = choice.instance.arguments if choice.instance is not None else None
    return choice._replace(
        kernel=kernel,
        instance=next((instance for instance in kernel.instances if instance.arguments == arguments), None),
    )


def _joined(
    source: Source, out: Removed, before: Iterable[Section], after: Iterable[Section], off: Sequence[Section]
) -> Iterator[Section]:
    from regpress_lint.commands.pressure.data import Taken, Without

    words = " and ".join(part.words for part in out.parts)
    lines = tuple(lines_of(source, span) for span in out.spans)
    tests = tuple(dict.fromkeys(source.line_of(use.span.start) for use in out.option.uses)) if out.option else ()
    for number, (was, now) in enumerate(zip(before, after, strict=True)):
        without = Without(words, lines, Taken.of(was), tests, Taken.of(off[number]) if off else None)
        yield now._replace(text=was.text, without=without)
