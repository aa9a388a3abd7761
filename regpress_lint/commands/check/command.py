"""`regpress-lint check`: find smells, report them, fix them."""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from functools import partial

from regpress_lint.cli import options
from regpress_lint.cli.context import Context, cache_of, check_rules, complain, run_context, tell_of_no_rule
from regpress_lint.cli.inputs import (
    find,
    leaves_out_stdin,
    nothing_here,
    paths_of,
    read_stdin,
    readable,
    reads_stdin,
    scope,
    stdin_path,
)
from regpress_lint.cli.parser import EPILOG
from regpress_lint.cli.progress import Progress
from regpress_lint.commands.check import output
from regpress_lint.commands.check.output import Baselines, tell_of_repaired
from regpress_lint.core.diagnostics import Report, decode, encode, merge, texts
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import replace
from regpress_lint.lint import registry
from regpress_lint.lint.runner import unheard
from regpress_lint.lint.selection import INTERNAL_ERROR, select
from regpress_lint.lint.work import Scope, Work, results

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Sequence

    from regpress_lint.commands.check import repair
    from regpress_lint.commands.check.repair import Outcome
    from regpress_lint.commands.diff.revisions import Since
    from regpress_lint.core.diagnostics import RuleInfo
    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.lint.discovery import Candidate, Found
    from regpress_lint.lint.runner import Crash


_MOST_NAMED = 5

_GITHUB = (
    "With GITHUB_ACTIONS=true and no format chosen (--output-format, --output or configuration), annotations in the "
    "github format follow the normal text."
)


def declare(parser: argparse.ArgumentParser) -> None:
    parser.description = f"{parser.description}. {_GITHUB}"
    parser.epilog = EPILOG
    options.paths(parser, 'files and folders, default "."; - reads standard input')
    options.configuration(parser)
    _declare_choice(options.rules(parser))
    _declare_repair(parser.add_argument_group("fixes"))
    _declare_output(parser.add_argument_group("output"))


def _declare_choice(group: argparse._ArgumentGroup) -> None:
    """Options that choose the reported findings and kernels."""
    options.value(group, "--fail-on", "LEVEL", "lowest severity that makes the exit status 1 (default: warning)")
    options.value(
        group, "--since", "REF", "only kernels that changed since this branch left REF (body, callees, launch)"
    )
    options.repeated(
        group,
        "--measured",
        "FILE",
        "use compilers' numbers instead of estimates: JSON of `measure`, a log or an object",
    )
    options.repeated(group, "--kernel", "GLOB", "only findings of these kernels (repeatable)")
    options.switch(group, "--ignore-suppressions", "also report findings that comments silence, for an audit")
    options.value(group, "--confirmed", "FILE", "only findings whose fix a compiler confirmed: JSON of `verify`")
    options.value(
        group,
        "--why",
        "FILE:LINE",
        "what was tried at this line and why it is reported or not; text or --output-format json",
    )


def _declare_repair(group: argparse._ArgumentGroup) -> None:
    """Options that write into the checked files."""
    options.switch(group, "--fix", "apply the fixes that keep every result bit for bit")
    options.switch(group, "--unsafe-fixes", "with --fix and --diff, include unsafe fixes")
    options.value(group, "--add-ignore", "REASON", "silence what is found by comments in the files, with this reason")
    options.switch(group, "--show-fixes", "name each fix that --fix makes, or --diff shows")
    options.switch(group, "--diff", "print what --fix would change and write nothing")


def _declare_output(group: argparse._ArgumentGroup) -> None:
    """Options for the output and the exit status."""
    options.value(
        group,
        "--output-format",
        "NAME",
        "full (default; on a terminal summary, if that is more than a screen), concise, summary, json, jsonl, "
        "github, gitlab, sarif, rdjson, rdjsonl, checkstyle, junit or markdown",
    )
    group.add_argument(
        "--output", metavar="NAME:FILE", action="append", default=[], help="write this format to a file too"
    )
    options.value(
        group,
        "--path-prefix",
        "PREFIX",
        "put this before paths in formats that name files of a repository (all but full, concise and json)",
        default="",
    )
    group.add_argument("-q", "--quiet", action="store_true", help="print only findings, warnings and errors")
    options.switch(group, "--statistics", "findings of each rule instead; with --verbose their time")
    options.switch(group, "--exit-zero", "exit 0 despite findings")
    options.switch(group, "--watch", "check again whenever a file changes, until Ctrl-C")
    options.switch(group, "--show-files", "print the files that would be checked")
    options.switch(group, "--show-settings", "print the settings that hold for PATH, and which file or flag decided")
    options.verbose(group)


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `check`. Raises UsageError before anything is linted if arguments or configuration are wrong."""
    if arguments.ignore_suppressions and (arguments.fix or arguments.add_ignore is not None):
        raise UsageError("--ignore-suppressions cannot be combined with --fix or --add-ignore")
    if arguments.watch:
        from regpress_lint.commands.check.modes import watch

        return watch(arguments, _run)
    return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.measured:
        _take_measured(arguments)
    context = run_context(arguments)
    check_rules([context.whole])
    to = output.outputs(arguments, context)
    if getattr(arguments, "why", None) or arguments.show_settings:
        return _explain(arguments, context)
    _refuse_together(arguments)
    if reads_stdin(arguments):
        return _check_stdin(arguments, context, to)
    chosen = find(arguments, context)
    if arguments.show_files:
        from regpress_lint.commands.check.modes import show_files

        return show_files(chosen.files, chosen.problems, context)
    baselines = Baselines(context, isolated=arguments.isolated)
    baselines.read_named(paths_of(chosen.files))
    branch = _branch(arguments, chosen)
    report = lint(arguments, context, chosen, branch)
    if arguments.confirmed is not None:
        from regpress_lint.commands.check.modes import confirmed

        report = confirmed(report, arguments.confirmed)
    all_findings = report

    def printed(*, said: bool = False) -> Report:
        new = baselines.without(all_findings)
        new = new if branch is None else branch.narrowed(new, context)
        return _of_kernels(new, arguments.kernel, said=said)

    def done(outcome: Outcome) -> Report:
        nonlocal all_findings
        _tell_done("fixed" if arguments.fix else "silenced", outcome, arguments)
        all_findings = replace(outcome.report, problems=(*report.problems, *outcome.problems))
        return printed(said=True)

    report = printed()
    if arguments.add_ignore is not None or arguments.fix:
        from regpress_lint.commands.check import repair
    if arguments.add_ignore is not None:
        report = done(
            repair.ignore(report, all_findings, arguments.add_ignore, context_of(arguments, context, chosen.files))
        )
    if arguments.diff:
        return _show_diff(report, arguments, context, chosen.files)
    if arguments.fix:
        contexts = context_of(arguments, context, chosen.files)
        report = done(repair.repair(report, all_findings, arguments.unsafe_fixes, contexts))
    if branch is None and not chosen.named and not arguments.quiet:  # of single files not all launches may be in view
        tell_of_repaired(baselines.repaired(all_findings, paths_of(chosen.files)))
    return output.write(arguments, context, report, to)


def _explain(arguments: argparse.Namespace, context: Context) -> int:
    from regpress_lint.commands.check.modes import show_settings, why

    return why(arguments, context) if getattr(arguments, "why", None) else show_settings(context, arguments.paths)


def _show_diff(report: Report, arguments: argparse.Namespace, context: Context, files: Sequence[Candidate]) -> int:
    """What `--fix` would do, as a difference."""
    from regpress_lint.cli.files import write_text
    from regpress_lint.commands.check import repair

    outcome = repair.preview(report, arguments.unsafe_fixes, context_of(arguments, context, files))
    write_text(outcome.diff)
    _tell_done("would fix", outcome, arguments)
    _tell_withheld(report, arguments)
    complain(outcome.problems)
    return max(output.finish(arguments, report), 2 if outcome.problems else 1 if outcome.changed else 0)


def _refuse_together(arguments: argparse.Namespace) -> None:
    """Raise UsageError for options of which one leaves the other nothing to do."""
    if arguments.confirmed is not None and (arguments.fix or arguments.add_ignore is not None):
        raise UsageError("--confirmed only shows findings; `regpress-lint verify --fix` applies confirmed fixes")
    if arguments.add_ignore is not None and (arguments.fix or arguments.diff):
        raise UsageError("--add-ignore cannot be combined with --fix or --diff: fix first, then silence the rest")
    for flag in ("since", "add_ignore", "confirmed"):
        if getattr(arguments, flag) is not None and reads_stdin(arguments):
            raise UsageError(f"--{flag.replace('_', '-')} is for files, not for standard input")


def _of_kernels(report: Report, patterns: Sequence[str] | None, *, said: bool = False) -> Report:
    """Only findings of kernels whose name, or its last part behind `::`, matches one of some globs. Failures of the
    tool itself stay. said: that none matches was already said, or is due to fixes.
    """
    if not patterns:
        return report

    def kept(kernel: str) -> bool:
        names = (kernel, kernel.rpartition("::")[2])
        return any(fnmatchcase(name, pattern) for name in names for pattern in patterns)

    matching = tuple(
        diagnostic
        for diagnostic in report.diagnostics
        if diagnostic.code == INTERNAL_ERROR or any(map(kept, diagnostic.kernels))
    )
    others = sorted({name for diagnostic in report.diagnostics for name in diagnostic.kernels})
    if others and not matching and not said:
        shown = f"{', '.join(others[:_MOST_NAMED])}{', ...' if len(others) > _MOST_NAMED else ''}"
        complain((f"no kernel with findings matches --kernel {', '.join(patterns)}; there are {shown}",), "warning")
    extra = {key: value for key, value in report.extra.items() if key != "hidden"}  # of which kernels is not known
    return replace(report, diagnostics=matching, extra=extra)


def _take_measured(arguments: argparse.Namespace) -> None:
    """Read what compilers measured; the settings of every file have it."""
    from regpress_lint.cli.measured import measured, usual_targets

    targets = usual_targets(arguments.arch, arguments.paths, arguments.config, arguments.isolated)
    reading = measured(arguments.measured, targets)
    complain(reading.problems, "warning")
    arguments.rows = reading.rows


def _branch(arguments: argparse.Namespace, discovered: Found) -> Since | None:
    """The branch that --since compares with."""
    if arguments.since is None:
        return None
    from regpress_lint.commands.diff.revisions import since

    return since(arguments.since, discovered.files)


def lint(arguments: argparse.Namespace, context: Context, discovered: Found, branch: Since | None = None) -> Report:
    """The report of a run with all its rules and problems. Raises UsageError for wrong configuration files.

    branch: only files that it may have changed the answers of.
    """
    used = [resolved for resolved, _ in context.files.groups(discovered.files)]
    check_rules(used)
    tell_of_no_rule(used)
    report = lint_files(arguments, context, discovered.files, discovered.files if branch is None else branch.reached)
    problems = [*registry.load().problems, *discovered.problems, *report.problems]
    if not report.files and not discovered.named and branch is None and not problems:
        problems.append(nothing_here(discovered, texts(report, "warnings")))
    rules = _rules_of(resolved.settings for resolved in used)
    return replace(report, problems=tuple(problems), rules=rules)


def lint_files(
    arguments: argparse.Namespace, context: Context, files: Sequence[Candidate], wanted: Sequence[Candidate]
) -> Report:
    """One report of the wanted ones among all files of a run, each linted with its own settings."""
    groups = context.files.groups(wanted)
    watched = not getattr(arguments, "quiet", False)  # other commands lint, too
    with Progress(sys.stderr, len(wanted), wanted=watched) as tell:
        return merge(
            [lint_group(arguments, context, resolved.settings, files, group, tell) for resolved, group in groups]
        )


def lint_group(
    arguments: argparse.Namespace,
    context: Context,
    settings: Settings,
    files: Sequence[Candidate],
    group: Sequence[Candidate],
    tell: Callable[[int], None] = unheard,
) -> Report:
    """One report of those among the files of a run that share their settings."""
    over = scope(arguments, settings, paths_of(files))
    return merge(results(_WORK, over, group, context.jobs, cache_of(context, plugins=True), tell))


def _lint(data: bytes, path: str, settings: Settings, project: Callable[[], Project]) -> Report:
    from regpress_lint.lint.pipeline import lint_bytes

    return lint_bytes(data, path, settings, project=project)


def _unread(problems: tuple[str, ...] = (), warnings: tuple[str, ...] = ()) -> Report:
    return Report(problems=problems, extra={"warnings": warnings} if warnings else {})


def _died(crash: Crash) -> Report:
    from regpress_lint.core.diagnostics import Location
    from regpress_lint.core.source import Position
    from regpress_lint.lint.pipeline import internal_error

    start = Position(1, 1, 1, 1, 0)
    message = f"the worker process died while it linted this file ({crash.reason})"
    return Report(diagnostics=(internal_error(Location(crash.path, start, start, ""), message),), files=1)


_WORK = Work("check", _lint, _unread, encode, decode, _died)


def context_of(arguments: argparse.Namespace, context: Context, files: Sequence[Candidate]) -> repair.ContextOf:
    """The context for linting a file again: its settings and the function that gives its project."""
    paths = paths_of(files)
    scopes = {
        resolved.configuration.path: scope(arguments, resolved.settings, paths).projects()
        for resolved, _ in context.files.groups(files)
    }

    def of(path: str) -> tuple[Settings, Callable[[], Project]]:
        resolved = context.files.of(path)
        return resolved.settings, partial(scopes[resolved.configuration.path].of, path)

    return of


def _rules_of(settings: Iterable[Settings]) -> tuple[RuleInfo, ...]:
    chosen = {rule.code: rule.info for resolved in settings for rule in select(registry.load().rules, resolved).rules}
    return tuple(chosen[code] for code in sorted(chosen))


def _check_stdin(arguments: argparse.Namespace, context: Context, to: output.Outputs) -> int:
    tell_of_no_rule([context.whole])
    from regpress_lint.lint.pipeline import lint_bytes

    settings = context.settings
    path, data = stdin_path(arguments), read_stdin(settings)
    project = partial(Scope(settings, (path,)).projects().of, path)
    baselines = Baselines(context, isolated=arguments.isolated)
    baselines.read_named((path,))
    report = Report()
    if not leaves_out_stdin(arguments, settings):
        report = lint_bytes(readable(data, path, settings), path, settings, project=project)
    all_findings, report = report, _of_kernels(baselines.without(report), arguments.kernel)
    rules = _rules_of((settings,))
    report = replace(report, rules=rules, problems=(*registry.load().problems, *report.problems))
    if not (arguments.fix or arguments.diff):
        return output.write(arguments, context, report, to)
    printed = set(map(id, report.diagnostics))
    withheld = tuple(diagnostic for diagnostic in all_findings.diagnostics if id(diagnostic) not in printed)
    from regpress_lint.commands.check import repair

    fixed = repair.until_stable(data, report, arguments.unsafe_fixes, (settings, project), withheld)
    if arguments.diff:
        from regpress_lint.cli.files import write_text
        from regpress_lint.core.fixes import unified_diff

        write_text(unified_diff(path, data, fixed.data))
        _show_fixes(fixed.done, arguments)
        _tell_withheld(report, arguments)
        return max(output.finish(arguments, report), int(fixed.data != data))
    sys.stdout.buffer.write(fixed.data)
    sys.stdout.buffer.flush()
    _show_fixes(fixed.done, arguments)
    remaining = replace(
        _of_kernels(baselines.without(fixed.report), arguments.kernel, said=True),
        rules=report.rules,
        problems=report.problems,
    )
    return output.write(arguments, context, remaining, to, stderr=True)


def _tell_done(what: str, outcome: repair.Outcome, arguments: argparse.Namespace) -> None:
    if outcome.fixed and not arguments.quiet:
        findings = "finding" if outcome.fixed == 1 else "findings"
        files = "file" if outcome.changed == 1 else "files"
        print(f"{what} {outcome.fixed} {findings} in {outcome.changed} {files}", file=sys.stderr)
    _show_fixes(outcome.done, arguments)


def _tell_withheld(report: Report, arguments: argparse.Namespace) -> None:
    """How many fixes a diff leaves out because they are not safe."""
    withheld = 0 if arguments.unsafe_fixes else report.fixable(unsafe=True) - report.fixable()
    if withheld and not arguments.quiet:
        fixes, included = ("fix is", "it") if withheld == 1 else ("fixes are", "them")
        print(f"{withheld} {fixes} not safe: --unsafe-fixes includes {included}", file=sys.stderr)


def _show_fixes(done: Sequence[repair.Done], arguments: argparse.Namespace) -> None:
    """Each fix that was made, or would be, on a line of its own on standard error."""
    if arguments.show_fixes:
        from regpress_lint.render.terminal import visible

        for finding, title in done:
            place = finding.location
            at = f"{place.path}:{place.start.line}:{place.start.codepoint}"
            print(visible(f"  {at}: {finding.code} {finding.name}: {title}"), file=sys.stderr)
