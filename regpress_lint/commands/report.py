"""`regpress-lint report`: all kernels and findings of a repository as one page for a browser."""

from __future__ import annotations

import sys
from functools import partial
from os import path as os_path
from typing import TYPE_CHECKING, Any

from regpress_lint.cli import options
from regpress_lint.cli.context import (
    STDIN,
    cache_of,
    check_rules,
    complain,
    run_context,
    tell_of_no_rule,
    tell_semantic,
)
from regpress_lint.cli.inputs import find, nothing_here, paths_of, scope
from regpress_lint.cli.progress import Progress
from regpress_lint.commands.check.output import Baselines
from regpress_lint.commands.kernels.rows import row_of
from regpress_lint.commands.kernels.sweep import axes_of, changes_with, kernel_sweep
from regpress_lint.commands.pressure.command import Choice, shown_kernel
from regpress_lint.commands.pressure.page import page
from regpress_lint.commands.pressure.page.data import Entry, PageFile, PageFinding, page_file, page_findings
from regpress_lint.core.diagnostics import Report, decode, encode, merge, texts
from regpress_lint.core.errors import UsageError, os_reason
from regpress_lint.core.named import NamedTuple, replace
from regpress_lint.lint import registry
from regpress_lint.lint.analysis import Analysis, Skipped, analyse
from regpress_lint.lint.pipeline import judged
from regpress_lint.lint.selection import INTERNAL_ERROR
from regpress_lint.lint.work import Work, results
from regpress_lint.render.text import summary

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from regpress_lint.commands.kernels.sweep import Axis
    from regpress_lint.commands.pressure.page.data import Shown
    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.program.model import Kernel


_MOST_NAMED = 3  # paths in the title


class Examined(NamedTuple):
    """The content of a file: its findings, the changes of their fixes in the same order, and its part of the page."""

    report: Report
    diffs: tuple[str, ...] = ()
    file: PageFile | None = None


def declare(parser: argparse.ArgumentParser) -> None:
    parser.description = f"{parser.description}. One file that needs no network; docs/report.md shows around."
    parser.epilog = "Exit status: 0, or 2 for wrong use and for files that could not be read or analysed."
    parser.add_argument("paths", nargs="*", metavar="PATH", help='files and folders, default "."')
    parser.add_argument("-o", "--output-file", metavar="FILE", required=True, help="the page to write, or - for stdout")
    options.switch(parser, "--advise", "try changes that would help each kernel; takes long")
    parser.add_argument(
        "--sweep",
        metavar="NAME=VALUES",
        action="append",
        default=[],
        help="draw each kernel at several values, as in kernels --sweep",
    )
    options.configuration(parser)
    options.rules(parser)
    options.verbose(parser)


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `report`: 0, or 2 if something could not be read or analysed. Raises UsageError."""
    if STDIN in arguments.paths:
        raise UsageError("report is for files and folders, not for standard input")
    if not os_path.isdir(os_path.dirname(arguments.output_file) or "."):
        raise UsageError(f'-o: no folder for "{arguments.output_file}"')
    axes = axes_of(arguments.sweep)
    context = run_context(arguments)
    check_rules([context.whole])
    discovered = find(arguments, context)
    groups = context.files.groups(discovered.files)
    used = [resolved for resolved, _ in groups]
    check_rules(used)
    tell_of_no_rule(used)
    examined: list[Examined] = []
    work = _work(arguments.advise, axes)
    with Progress(sys.stderr, len(discovered.files)) as tell:
        for resolved, group in groups:
            over = scope(arguments, resolved.settings, paths_of(discovered.files))
            examined += results(work, over, group, context.jobs, cache_of(context, plugins=True), tell)
    report = merge(file.report for file in examined)
    problems = [*registry.load().problems, *discovered.problems, *report.problems]
    if not report.files:
        complain(texts(report, "warnings"), "warning")
        complain(problems or (nothing_here(discovered, texts(report, "warnings")),))
        return 2
    report = Baselines(context, isolated=arguments.isolated).without(report)
    _write(arguments, report, examined)
    complain(texts(report, "warnings"), "warning")
    complain(problems)
    tell_semantic(texts(report, "notes"), texts(report, "settled"), verbose=arguments.verbose)
    if arguments.verbose:
        print("".join(texts(report, "tracebacks")), end="", file=sys.stderr)
    return 2 if problems or any(diagnostic.code == INTERNAL_ERROR for diagnostic in report.diagnostics) else 0


def _write(arguments: argparse.Namespace, report: Report, examined: list[Examined]) -> None:
    from regpress_lint.cli.files import replace_file

    diffs = {
        diagnostic.sort_key: diff
        for file in examined
        for diagnostic, diff in zip(file.report.diagnostics, file.diffs, strict=True)
        if diff
    }
    findings = [PageFinding(diagnostic, diffs.get(diagnostic.sort_key, "")) for diagnostic in report.diagnostics]
    files = sorted((file.file for file in examined if file.file is not None), key=lambda file: file.path)
    named = arguments.paths or ["."]
    more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    title = f"{', '.join(named[:_MOST_NAMED])}{more}: register pressure"
    data = page(title, files, findings, summary(report)).encode("utf-8", "backslashreplace")
    if arguments.output_file == STDIN:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)  # the page names its encoding
        return
    try:
        replace_file(arguments.output_file, data)
    except OSError as error:
        raise UsageError(f'cannot write "{arguments.output_file}": {os_reason(error)}') from None
    size = f"{len(data) / 1e6:.1f} MB" if len(data) >= 1e5 else f"{len(data) / 1e3:.0f} KB"
    number = sum(len(file.kernels) for file in files)
    print(f"{arguments.output_file}: {size}, {number} kernel{'s' * (number != 1)}", file=sys.stderr)


class _Measured(Analysis):
    """An analysis that looks at each kernel before it is forgotten: rules and page ask the same facts."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.shown: dict[Kernel, Shown | None] = {}

    def done_with(self, kernel: Kernel) -> None:
        """See `Analysis`."""
        self.show(kernel)
        super().done_with(kernel)

    def show(self, kernel: Kernel) -> None:
        """Look at a kernel, once."""
        if kernel not in self.shown:
            self.shown[kernel] = self.attempt(
                "measuring its pressure", lambda: shown_kernel(self, Choice(kernel)), kernel
            )


def advised(analysis: Analysis, kernels: Sequence[Shown]) -> list[Shown]:
    """Kernels of a file with what would help them."""
    from regpress_lint.commands.kernels.advise import sentences
    from regpress_lint.lint.advice.ranking import file_advice

    advice = {
        (kernel.name, kernel.line): tuple(
            (target.target, text) for target in kernel.targets for text in sentences(target)
        )
        for kernel in file_advice(analysis)
    }
    return [shown._replace(advice=advice.get((shown.row.name, shown.row.line), ())) for shown in kernels]


def drawn(analysis: Analysis, shown_kernels: Sequence[Shown], axes: tuple[Axis, ...]) -> list[Shown]:
    """Kernels of a file with their sweeps, where an axis concerns them."""
    kernels = {(kernel.name, kernel.line): kernel for kernel in analysis.file.kernels}
    swept = []
    for shown in shown_kernels:
        kernel = kernels.get((shown.row.name, shown.row.line))
        concerned = kernel is not None and changes_with(axes, kernel, analysis.source.data)
        swept.append(shown._replace(swept=kernel_sweep(analysis, kernel, axes)) if kernel and concerned else shown)
    return swept


def _examine(
    advise: bool, axes: tuple[Axis, ...], data: bytes, path: str, settings: Settings, project: Callable[[], Project]
) -> Examined:
    analysis = analyse(data, path, settings, project, _Measured)
    report = judged(analysis, path, settings)
    if isinstance(analysis, Skipped) or not analysis.parsed or not analysis.file.kernels:
        return Examined(report, ("",) * len(report.diagnostics))
    assert isinstance(analysis, _Measured)
    problems = []
    for kernel in analysis.file.kernels:  # those that no rule asked about
        before = len(analysis.failures)
        analysis.done_with(kernel)
        problems += [f"{path}: internal error: {failure.reason}" for failure in analysis.failures[before:]]
    kernels = [shown for kernel in analysis.file.kernels if (shown := analysis.shown[kernel]) is not None]
    for wanted, doing, more in (
        (advise, "trying changes", advised),
        (axes, "trying other values", partial(drawn, axes=axes)),
    ):
        before = len(analysis.failures)
        if wanted:
            kernels = analysis.attempt(doing, partial(more, analysis, kernels)) or kernels
        problems += [f"{path}: internal error: {failure.reason}" for failure in analysis.failures[before:]]
    report = replace(report, problems=(*report.problems, *problems))
    diffs = tuple(finding.diff for finding in page_findings(data, report.diagnostics))
    return Examined(report, diffs, page_file(path, kernels))


def _unread(problems: tuple[str, ...] = (), warnings: tuple[str, ...] = ()) -> Examined:
    return Examined(Report(problems=problems, extra={"warnings": warnings} if warnings else {}))


def _encoded(examined: Examined) -> Any:
    report = encode(examined.report)
    return None if report is None else [report, examined.diffs, examined.file]


def _decoded(fields: Any) -> Examined:
    report, diffs, file = fields
    return Examined(decode(report), tuple(diffs), None if file is None else _file(*file))


def _file(path: str, kernels: Any, packed: str) -> PageFile:
    entries = (
        Entry(heading, row_of(row), {name: (*limits,) for name, limits in tones.items()})
        for heading, row, tones in kernels
    )
    return PageFile(path, tuple(entries), packed)


def _work(advise: bool, axes: tuple[Axis, ...]) -> Work[Examined]:
    """name: what the answers are kept under: it tells apart what they hold."""
    swept = "".join(f", {axis.name}={','.join(axis.values)}" for axis in axes)
    name = ("report with advice" if advise else "report") + swept
    return Work(name, partial(_examine, advise, axes), _unread, _encoded, _decoded)
