"""`regpress-lint check`: find smells, report them, repair them."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.cli import repair
from regpress_lint.cli.context import (
    Context,
    cache_of,
    complain,
    context,
    find,
    paths_of,
    read_stdin,
    reads_stdin,
    scope,
    stdin_path,
    tell_semantic,
)
from regpress_lint.core.diagnostics import Report
from regpress_lint.core.errors import UsageError, os_reason, suggestion
from regpress_lint.lint import registry
from regpress_lint.lint.analysis import too_large
from regpress_lint.lint.pipeline import internal_error, lint_bytes, merge, texts
from regpress_lint.lint.report_codec import decode, encode
from regpress_lint.lint.selection import INTERNAL_ERROR, check_selectors, select
from regpress_lint.lint.work import Scope, Work, read_file, results

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Sequence

    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.lint.discovery import Candidate
    from regpress_lint.lint.projects import Projects
    from regpress_lint.lint.runner import Crash

_HUMAN = ("full", "concise")


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `check`. Raises UsageError before anything is linted if arguments or configuration are wrong."""
    here = context(arguments)
    rules = registry.load()
    check_selectors(rules.rules, here.settings)
    outputs = _outputs(arguments.output)
    output_format = _main_format(arguments, here)
    if arguments.show_settings:
        return _show_settings(here)
    if reads_stdin(arguments):
        return _check_stdin(arguments, here, outputs, output_format)
    found = find(arguments, here.settings)
    if arguments.show_files:
        return _show_files(found.files, found.problems, here.settings)
    report = lint_files(arguments, here, found.files)
    problems = [*rules.problems, *found.problems, *report.problems]
    if not report.files and not found.named and not problems:
        problems.append(f"no HIP, CUDA or SYCL code in {len(found.files)} files, nothing to check")
    report = _with_rules(report._replace(problems=tuple(problems)), here.settings)
    if arguments.diff:
        outcome = repair.preview(report, here.settings, arguments.unsafe_fixes, _projects(arguments, here, found.files))
        repair.write_text(outcome.diff)
        complain(outcome.problems)
        return max(_finish(arguments, report), 2 if outcome.problems else 1 if outcome.changed else 0)
    if arguments.fix or arguments.unsafe_fixes:
        outcome = repair.repair(report, here.settings, arguments.unsafe_fixes, _projects(arguments, here, found.files))
        report = outcome.report._replace(problems=(*report.problems, *outcome.problems))
        _tell_fixed(outcome)
    return _write(arguments, here.settings, report, outputs, output_format)


def lint_files(arguments: argparse.Namespace, here: Context, files: Sequence[Candidate]) -> Report:
    """One report of all files."""
    over = scope(arguments, here.settings, paths_of(files))
    outcomes = results(_WORK, over, files, here.jobs, cache_of(here, plugins=True))
    return merge(map(_result, outcomes))


def _lint(data: bytes, path: str, settings: Settings, project: Callable[[], Project]) -> Report:
    return lint_bytes(data, path, settings, project=project)


def _failed(_path: str, reason: str) -> Report:
    return Report(problems=(reason,))


def _too_large(path: str, size: int, settings: Settings) -> Report:
    return Report(extra={"warnings": (too_large(path, size, settings),)})


_WORK = Work("check", _lint, _failed, _too_large, encode, decode)


def _result(outcome: Report | Crash) -> Report:
    if isinstance(outcome, Report):
        return outcome
    from regpress_lint.core.diagnostics import Location
    from regpress_lint.core.source import Position

    start = Position(1, 1, 1, 1, 0)
    message = f"the worker process died while it linted this file ({outcome.reason})"
    return Report((internal_error(Location(outcome.path, start, start, ""), message),), files=1)


def _projects(arguments: argparse.Namespace, here: Context, files: Sequence[Candidate]) -> Projects:
    return scope(arguments, here.settings, paths_of(files)).projects()


def _with_rules(report: Report, settings: Settings) -> Report:
    selection = select(registry.load().rules, settings)
    return report._replace(rules=tuple(rule.info for rule in selection.rules))


def _check_stdin(
    arguments: argparse.Namespace, here: Context, outputs: Sequence[tuple[str, str]], output_format: str
) -> int:
    path, data = stdin_path(arguments), read_stdin(here.settings)
    project = partial(Scope(here.settings, (path,)).projects().of, path)
    report = lint_bytes(data, path, here.settings, project=project)
    report = _with_rules(report._replace(problems=(*registry.load().problems, *report.problems)), here.settings)
    if not (arguments.fix or arguments.unsafe_fixes or arguments.diff):
        return _write(arguments, here.settings, report, outputs, output_format)
    fixed = repair.until_stable(data, report, here.settings, arguments.unsafe_fixes, project)
    if arguments.diff:
        from regpress_lint.core.fixes import unified_diff

        repair.write_text(unified_diff(path, data, fixed.data))
        return max(_finish(arguments, report), int(fixed.data != data))
    sys.stdout.buffer.write(fixed.data)
    sys.stdout.buffer.flush()
    rest = fixed.report._replace(rules=report.rules, problems=report.problems)
    return _write(arguments, here.settings, rest, outputs, output_format, sys.stderr)


# ------------------------------------------------------------------------------------------------------- output


def _format(name: str) -> str:
    from regpress_lint.formats import NAMES

    if name not in NAMES:
        raise UsageError(f'unknown output format "{name}"{suggestion(name, NAMES)}; known are {", ".join(NAMES)}')
    return name


def _outputs(given: Iterable[str]) -> list[tuple[str, str]]:
    outputs = []
    for text in given:
        name, colon, file = text.partition(":")
        if not colon or not file:
            raise UsageError(f'--output needs NAME:FILE, got "{text}"')
        if not os.path.isdir(os.path.dirname(file) or "."):
            raise UsageError(f'--output: no folder for "{file}"')
        outputs.append((_format(name), file))
    return outputs


def _main_format(arguments: argparse.Namespace, here: Context) -> str:
    name = here.output_format or "full"
    if arguments.statistics and name not in (*_HUMAN, "json"):
        raise UsageError(f"--statistics has no {name} form; use full, concise or json")
    return name


def _write(
    arguments: argparse.Namespace,
    settings: Settings,
    report: Report,
    outputs: Sequence[tuple[str, str]],
    output_format: str,
    stream: object = None,
) -> int:
    from regpress_lint import formats
    from regpress_lint.formats import terminal

    out = sys.stdout if stream is None else sys.stderr
    human = output_format in _HUMAN
    root = os.path.abspath(".").replace("\\", "/")
    if arguments.statistics:
        _statistics(report, output_format == "json", out)
    elif report.files or not human or not report.problems:
        color, width = human and terminal.use_color(out, os.environ), terminal.line_width(out, os.environ)
        out.writelines(
            formats.render(output_format, report, color=color, links=color and out.isatty(), width=width, root=root)
        )
        if _wants_annotations(arguments, settings, output_format) and stream is None:
            out.writelines(formats.render("github", report, root=os.environ.get("GITHUB_WORKSPACE", root)))
    for name, file in outputs:
        text = "".join(formats.render(name, report, root=root))
        try:
            repair.replace_file(file, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise UsageError(f'cannot write "{file}": {os_reason(error)}') from None
    return _finish(arguments, report, settings)


def _wants_annotations(arguments: argparse.Namespace, settings: Settings, output_format: str) -> bool:
    chosen = arguments.output_format or arguments.output or output_format != "full"
    return os.environ.get("GITHUB_ACTIONS") == "true" and not chosen


def _finish(arguments: argparse.Namespace, report: Report, settings: Settings | None = None) -> int:
    """Chatter on standard error and the exit status; without `settings` findings do not count."""
    complain(texts(report, "warnings"), "warning")
    complain(report.problems)
    tell_semantic(texts(report, "notes"), texts(report, "settled"), verbose=arguments.verbose)
    if arguments.verbose:
        print("".join(texts(report, "tracebacks")), end="", file=sys.stderr)
    if report.problems or any(diagnostic.code == INTERNAL_ERROR for diagnostic in report.diagnostics):
        return 2
    if settings is None or arguments.exit_zero:
        return 0
    return int(any(diagnostic.severity >= settings.fail_on for diagnostic in report.diagnostics))


def _tell_fixed(outcome: repair.Outcome) -> None:
    if outcome.fixed:
        findings = "finding" if outcome.fixed == 1 else "findings"
        files = "file" if outcome.changed == 1 else "files"
        print(f"fixed {outcome.fixed} {findings} in {outcome.changed} {files}", file=sys.stderr)


def _statistics(report: Report, as_json: bool, out: object) -> None:
    counts: dict[tuple[str, str], int] = {}
    for diagnostic in report.diagnostics:
        key = (diagnostic.code, diagnostic.name)
        counts[key] = counts.get(key, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    from regpress_lint.cli.parser import write_json
    from regpress_lint.formats.columns import table

    if as_json:
        write_json([{"code": code, "name": name, "count": count} for (code, name), count in ordered])
        return
    rows = [(str(count), code, name) for (code, name), count in ordered]
    for line in table(rows, frozenset({1, 2})) if rows else ():
        print(line)


def _show_files(files: Sequence[Candidate], problems: Sequence[str], settings: Settings) -> int:
    from regpress_lint.program import detect_language

    unreadable = list(problems)
    for file in files:
        try:
            data = read_file(file.path, settings.max_file_bytes)
        except OSError as error:
            unreadable.append(f'cannot read "{file.path}": {os_reason(error)}')
            continue
        if isinstance(data, bytes) and detect_language(file.path, data) is not None:
            print(file.path)
    complain(unreadable)
    return 2 if unreadable else 0


def _show_settings(here: Context) -> int:
    from regpress_lint.config.options import OPTIONS
    from regpress_lint.core.diagnostics import Severity

    print(f"# configuration file: {here.configuration.path or 'none'}")
    by_field = {option.field: option.key for option in OPTIONS if option.field}
    for field, value in here.settings._asdict().items():
        if field not in by_field:  # nothing that somebody sets
            continue
        shown = value.label if isinstance(value, Severity) else value
        print(f"{by_field[field]} = {_toml(shown)}")
    print(f"# rules: {' '.join(rule.code for rule in select(registry.load().rules, here.settings).rules)}")
    return 0


def _toml(value: object) -> str:
    import json

    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    return json.dumps(list(value) if isinstance(value, tuple) else value if value is not None else "")
