"""`regpress-lint verify`: every fix compiled before and after, and only those applied that a compiler confirms."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.cli import options
from regpress_lint.cli.context import cache_of, check_rules, complain, run_context
from regpress_lint.cli.files import replace_own
from regpress_lint.cli.inputs import find
from regpress_lint.cli.parser import output_is_json, write_json
from regpress_lint.commands.check.command import context_of, lint
from regpress_lint.commands.check.output import Baselines
from regpress_lint.commands.measure.compilers import chosen, in_parallel, number
from regpress_lint.commands.verify.trying import Bench, Proved, Work, launches, results_of
from regpress_lint.core import fixes
from regpress_lint.core.errors import os_reason
from regpress_lint.core.settings import CompileCommand, IncludeDir
from regpress_lint.cpp.language import detect_language
from regpress_lint.measured import toolchains
from regpress_lint.measured.compile import Kept
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from regpress_lint.cli.context import Context
    from regpress_lint.commands.check.repair import ContextOf
    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.core.settings import Language, Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.lint.advice.reasons import Answers


def applied(proved: Sequence[Proved]) -> list[str]:
    """Write what was confirmed; a line for each file that could not be."""
    written, problems = 0, []
    for file in proved:
        path, before = file.work.path, file.work.data
        after, count = fixes.apply(before, file.kept)
        if after == before:
            continue
        try:
            if _replaced(path, before, after):
                written += count
            else:
                problems.append(f'"{path}" changed while it was verified, not fixed')
        except OSError as error:
            problems.append(f'cannot write "{path}": {os_reason(error)}')
    print(f"applied {written} {'fix' if written == 1 else 'fixes'}", file=sys.stderr)
    return problems


def _replaced(path: str, old: bytes, new: bytes) -> bool:
    with open(path, "rb") as stream:
        if stream.read() != old:
            return False
    replace_own(path, new)
    return True


_UNITS = (".cu", ".hip", ".cpp", ".cc", ".cxx", ".c++")
_MOST_SOURCES = 2000  # that are asked whether they include a header


def declare(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        f"{parser.description}. Files stay as they are without --fix; what is compiled is a copy in a private folder."
    )
    parser.epilog = (
        "Exit status: 0, 1 if a compiler refutes a fix, 2 wrong use, no fix could be compiled, or something could not "
        "be read."
    )
    options.paths(parser, 'files and folders, default "."')
    options.configuration(parser)
    group = parser.add_argument_group("what is verified")
    options.repeated(group, "--select", "RULES", "fixes of these rules only")
    options.repeated(group, "--ignore", "RULES", "not of these")
    options.value(group, "--min-severity", "LEVEL", "lowest severity: error, warning, info or hint")
    options.value(group, "--profile", "default|strict", "strict takes hints too")
    options.switch(group, "--unsafe-fixes", "the unsafe fixes too")
    options.switch(group, "--advise", "for findings without a fix try what `kernels --advise` would change")
    options.switch(group, "--fix", "apply what improves a target and hurts none")
    group = parser.add_argument_group("compiling")
    options.limits(group)
    options.value(group, "--budget", "SECONDS", "stop compiling after SECONDS")
    options.text_or_json(parser)
    options.verbose(parser)


def run(arguments: argparse.Namespace) -> int:
    """Exit status: 0, 1 if a compiler refutes a fix, 2 if something could not be read or written. Raises UsageError."""
    as_json = output_is_json(arguments)
    context = run_context(arguments)
    check_rules([context.whole])
    seconds = number(arguments.seconds, "--seconds", 86_400)
    budget = None if arguments.budget is None else number(arguments.budget, "--budget", 864_000)
    discovered = find(arguments, context)
    report = lint(arguments, context, discovered)
    if report.problems and not report.files:
        complain(report.problems)
        return 2
    if arguments.fix:  # what a baseline holds is to stay as it is
        report = Baselines(context, isolated=arguments.isolated).without(report)
    findings = [diagnostic for diagnostic in report.diagnostics if fixes.wanted(diagnostic, arguments.unsafe_fixes)]
    unsafe = sum(fixes.wanted(diagnostic, True) is not None for diagnostic in report.diagnostics) - len(findings)
    advised = [diagnostic for diagnostic in report.diagnostics if diagnostic.fix is None] if arguments.advise else []
    works, left_out = _works(
        findings,
        advised,
        context_of(arguments, context, discovered.files),
        [file.path for file in discovered.files if _is_unit(file.path)],
    )
    trees = {os.path.dirname(os.path.realpath(work.path)) for work in works} | _builds(works, context)
    bench = Bench(
        toolchains.find(trees, chosen(arguments, context.whole.configuration)),
        seconds,
        budget,
        Kept(cache_of(context, plugins=False)),
    )
    proved = list(in_parallel([partial(bench.prove, work) for work in works], context.jobs or 2))
    problems = [*report.problems, *(applied(proved) if arguments.fix else ())]
    _print(proved, bench, left_out, unsafe, as_json=as_json)
    complain(left_out, "note")
    complain(problems)
    verdicts = {result.verdict for proof in proved for result in proof.results}
    if problems or verdicts == {"unverified"}:
        return 2
    return int(not verdicts.isdisjoint(("refuted", "broken")))


def _answers(
    data: bytes, path: str, settings: Settings, project: Callable[[], Project], findings: Sequence[Diagnostic]
) -> tuple[Answers, ...]:
    """Changes to try for findings without a fix."""
    if not findings:
        return ()
    from regpress_lint.lint.advice.reasons import answers
    from regpress_lint.lint.analysis import Skipped, analyse

    analysis = analyse(data, path, settings, project)
    return () if isinstance(analysis, Skipped) else tuple(answers(analysis, findings))


def _builds(works: Sequence[Work], context: Context) -> set[str]:
    """Build folders of the files: their programs are never run."""
    places = {context.of(work.path).build_dir for work in works} - {None}
    return {place if os.path.isdir(place) else os.path.dirname(place) for place in places if place is not None}


def _works(
    findings: Sequence[Diagnostic], advised: Sequence[Diagnostic], context_of_path: ContextOf, sources: Sequence[str]
) -> tuple[list[Work], list[str]]:
    """Files that are compiled, and why the others are not. advised: findings without a fix whose advice is tried."""
    by_path: dict[str, list[Diagnostic]] = {}
    for finding in (*findings, *advised):
        by_path.setdefault(finding.location.path, []).append(finding)
    works, left_out = [], []
    for path, files_fixes in sorted(by_path.items()):
        try:
            with open(path, "rb") as stream:
                data = stream.read()
        except OSError as error:
            left_out.append(f'cannot read "{path}": {os_reason(error)}')
            continue
        settings, project = context_of_path(path)
        alone = _is_unit(path)
        unit = path if alone and _is_built(path, settings) else _includer(path, sources, project)
        unit = path if unit is None and alone else unit
        if unit is None:
            left_out.append(f"{path}: not verified, a header that no source of this run includes")
            continue
        command = _command(unit, context_of_path(unit)[0])
        language = command.language or detect_language(path, data)
        targets = tuple(_targets(settings.compiled_for(command), language))
        if not targets:
            left_out.append(f"{path}: not verified, only HIP for AMD and CUDA for NVIDIA are compiled")
            continue
        about = [
            diagnostic for diagnostic in files_fixes if not diagnostic.targets or set(diagnostic.targets) & set(targets)
        ]
        if len(about) < len(files_fixes):
            others = ", ".join(
                sorted({name for diagnostic in files_fixes for name in diagnostic.targets} - set(targets))
            )
            left_out.append(f"{path}: {len(files_fixes) - len(about)} not verified, for {others} it is not compiled")
        if about:
            blocks = launches(data, path, settings, project)
            advice = _answers(
                data, path, settings, project, [diagnostic for diagnostic in about if diagnostic.fix is None]
            )
            fixed = tuple(diagnostic for diagnostic in about if diagnostic.fix is not None)
            works.append(Work(path, data, fixed, command, targets, blocks, advice))
    return works, left_out


def _is_unit(path: str) -> bool:
    return os.path.splitext(path)[1].lower() in _UNITS


def _is_built(path: str, settings: Settings) -> bool:
    """False for a source that the build does not compile: another one may include it (`#include "kernels.cu"`)."""
    if settings.build_dir is None:
        return True
    from regpress_lint.compilation.commands import load

    return load(settings.build_dir).of(path) is not None


def _includer(path: str, sources: Sequence[str], project: Callable[[], Project]) -> str | None:
    """The first source that leads to a header; those of its own folder come first."""
    includes = project().includes
    if includes is None:
        return None
    folder = os.path.dirname(path)
    for source in sorted(sources, key=lambda name: (os.path.dirname(name) != folder, name))[:_MOST_SOURCES]:
        if source == path:
            continue
        try:
            with open(source, "rb") as stream:
                data = stream.read()
        except OSError:
            continue
        if path in includes.closure(source, data):
            return source
    return None


def _command(path: str, settings: Settings) -> CompileCommand:
    """How a file is compiled: its entry, else include folders alone; with the configuration's macros."""
    command = None
    if settings.build_dir is not None:
        from regpress_lint.compilation.commands import load

        command = load(settings.build_dir).of(path)
    if command is None:
        folders = tuple(IncludeDir(os.path.abspath(folder), "normal") for folder in settings.include_dirs)
        command = CompileCommand(os.path.abspath(path), os.path.abspath("."), include_dirs=folders)
    return command.with_macros(settings.defines.items())


def _targets(settings: Settings, language: Language | None) -> Iterator[str]:
    for target in settings.targets(language) if language is not None else ():
        if architecture(target).vendor in toolchains.VENDORS.get(language or "", ()):
            yield target


def _print(proved: Sequence[Proved], bench: Bench, left_out: Sequence[str], unsafe: int, *, as_json: bool) -> None:
    from regpress_lint.commands.verify.output import row_of, untried

    rows = [row_of(finding, result) for proof in proved for finding, result in results_of(proof)]
    open_ = untried(answer for proof in proved for answer in proof.work.advice)
    if as_json:
        from regpress_lint.commands.verify.output import document

        write_json(document(rows, open_, bench.compiled, bench.recalled, left_out))
        return
    from regpress_lint.commands.verify.output import lines
    from regpress_lint.render.terminal import line_width

    width = line_width(sys.stdout, os.environ)
    print("\n".join(lines(rows, open_, bench.compiled, bench.recalled, width, unsafe=unsafe)))
