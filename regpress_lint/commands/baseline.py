"""`regpress-lint baseline`: adopt the linter in a repository that has findings, and pay them off."""

from __future__ import annotations

from os import path as os_path
from typing import TYPE_CHECKING

from regpress_lint.cli import options
from regpress_lint.cli.context import check_rules, complain, run_context
from regpress_lint.cli.inputs import find
from regpress_lint.commands.check.command import lint
from regpress_lint.commands.check.output import FILE_NAME, Baselines, save, shown
from regpress_lint.core.errors import UsageError, suggestion
from regpress_lint.render.terminal import count, visible

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.cli.context import Context
    from regpress_lint.core.diagnostics import Report
    from regpress_lint.lint.baseline import Repaired


_ACTIONS = ("write", "check", "prune")


def declare(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        f"{parser.description}. `write` makes the file, `check` lists fixed and new findings, "
        "`prune` removes fixed ones."
    )
    parser.epilog = "Exit status: 0, 1 if `check` finds a difference, 2 wrong use or internal error."
    parser.add_argument("action", metavar="write|check|prune")
    options.paths(parser, 'files and folders, default "."')
    options.value(parser, "--reason", "TEXT", "why the findings stay, for each that has no reason yet")
    options.configuration(parser)
    options.baseline_file(parser)


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `baseline`: 1 if `check` finds that the file is out of date. Raises UsageError."""
    action = arguments.action
    if action not in _ACTIONS:
        near = suggestion(action, _ACTIONS)
        raise UsageError(f'baseline does not know "{action}"{near}; it knows write, check and prune')
    if arguments.reason and action != "write":
        raise UsageError("--reason is for `baseline write`")
    context = run_context(arguments)
    check_rules([context.whole])
    discovered = find(arguments, context)
    report = lint(arguments, context, discovered)
    complain(report.problems)
    if report.problems and not report.files:
        return 2
    baselines = Baselines(context, isolated=arguments.isolated, writing=action == "write")
    paths = [file.path for file in discovered.files]
    if action == "write":
        status = _write(arguments, context, baselines, report, paths)
    else:
        repaired = baselines.repaired(report, paths)
        if not repaired and not any(map(baselines.file_of, paths)):
            raise UsageError("no baseline here (`regpress-lint baseline write` makes one)")
        status = _prune(baselines, repaired) if action == "prune" else _check(baselines, report, repaired)
    return 2 if report.problems else status


def _write(
    arguments: argparse.Namespace, context: Context, baselines: Baselines, report: Report, paths: Sequence[str]
) -> int:
    usual = _usual_file(arguments, context)
    by_file = baselines.by_file(report.diagnostics)
    by_file.setdefault(usual, []).extend(by_file.pop(None, []))
    for file, diagnostics in by_file.items():
        assert file is not None
        judged = baselines.judged(file, report, paths)
        entries = baselines.at(file).written(diagnostics, judged, arguments.reason or "")
        save(file, entries)
        print(f"wrote {count(sum(entry.number for entry in entries), 'finding')} to {shown(file)}")
    return 0


def _usual_file(arguments: argparse.Namespace, context: Context) -> str:
    """The place of a new baseline: beside the configuration, else at the root of the work tree."""
    if context.settings.baseline is not None:
        return context.settings.baseline
    return os_path.join(_usual_folder(arguments, context), FILE_NAME)


def _usual_folder(arguments: argparse.Namespace, context: Context) -> str:
    if context.whole.configuration.path is not None:
        return os_path.dirname(os_path.abspath(context.whole.configuration.path))
    from regpress_lint.commands.check.output import repository_root
    from regpress_lint.core.reading import is_inside

    working, looked_at = os_path.realpath("."), os_path.realpath((arguments.paths or ["."])[0])
    folder = working if is_inside(working, looked_at) else os_path.dirname(looked_at)
    return repository_root({}, folder)


def _check(baselines: Baselines, report: Report, repaired: dict[str, list[Repaired]]) -> int:
    new = baselines.without(report).diagnostics
    for file, gone in repaired.items():
        print(f"{shown(file)}: {count(sum(repair.entry.number - repair.left for repair in gone), 'finding')} fixed")
        print("\n".join(_lines(gone)))
    if new:
        print(f"{count(len(new), 'finding')} not in the baseline (`regpress-lint check` shows them)")
    if not new and not repaired:
        print("the baseline is what is there")
    return int(bool(new or repaired))


def _prune(baselines: Baselines, repaired: dict[str, list[Repaired]]) -> int:
    for file, gone in repaired.items():
        save(file, baselines.at(file).pruned(gone))
        print(f"{shown(file)}: {count(sum(repair.entry.number - repair.left for repair in gone), 'finding')} pruned")
        print("\n".join(_lines(gone)))
    if not repaired:
        print("nothing to prune")
    return 0


def _lines(repaired: Iterable[Repaired]) -> Iterator[str]:
    for entry, remaining in repaired:
        numbers = f" ({entry.number} -> {remaining})" if entry.number > 1 else ""
        kernel = f" in `{entry.key.kernel}`" if entry.key.kernel else ""
        yield visible(f"  {entry.key.path}: {entry.key.rule}{kernel}: {entry.key.subject}{numbers}")
