"""Where a report goes: standard output, files, annotations; messages on standard error; the exit status."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from regpress_lint.cli.context import Context, complain, tell_semantic
from regpress_lint.core.errors import UsageError, os_reason, suggestion
from regpress_lint.core.named import NamedTuple
from regpress_lint.formats import Options
from regpress_lint.lint.pipeline import seconds, texts
from regpress_lint.lint.selection import INTERNAL_ERROR

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping

    from regpress_lint.core.diagnostics import Report

_HUMAN = ("full", "summary", "concise")


class Outputs(NamedTuple):
    """The outputs of a run: the format of standard output, (format, file) pairs, and their shared options.

    chosen: whether the user chose that format; on a terminal more than a screen of findings is summed up otherwise.
    """

    main: str
    files: tuple[tuple[str, str], ...]
    options: Options
    statistics: bool
    annotations: bool
    chosen: bool = True


def outputs(arguments: argparse.Namespace, here: Context) -> Outputs:
    """The outputs that arguments and configuration name. Raises UsageError."""
    main = here.output_format or "full"
    if arguments.statistics and main not in (*_HUMAN, "json"):
        raise UsageError(f"--statistics has no {main} form; use full, concise or json")
    chosen = arguments.output_format or arguments.output or main != "full"
    folder = os.path.realpath(".").replace("\\", "/")
    options = Options(
        root=repository_root(os.environ, folder),
        folder=folder,
        prefix=arguments.path_prefix.replace("\\", "/"),
        unsafe=arguments.unsafe_fixes,
        quiet=arguments.quiet,
    )
    annotations = os.environ.get("GITHUB_ACTIONS") == "true" and not chosen
    return Outputs(
        main,
        tuple(_files(arguments.output)),
        options,
        arguments.statistics,
        annotations,
        here.output_format is not None,
    )


def repository_root(environ: Mapping[str, str], folder: str) -> str:
    """The folder that services show paths relative to: what CI says, else the work tree, else the folder itself."""
    from regpress_lint.lint.projects import is_inside

    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        root = os.path.realpath(environ[name]).replace("\\", "/") if environ.get(name) else ""
        if root and is_inside(root, folder):
            return root
    current = folder
    while not os.path.exists(os.path.join(current, ".git")):
        above = os.path.dirname(current)
        if above == current:
            return folder
        current = above
    return current


def _format(name: str) -> str:
    from regpress_lint.formats import NAMES

    if name not in NAMES:
        raise UsageError(f'unknown output format "{name}"{suggestion(name, NAMES)}; known are {", ".join(NAMES)}')
    return name


def _files(given: Iterable[str]) -> Iterable[tuple[str, str]]:
    for text in given:
        name, colon, file = text.partition(":")
        if not colon or not file:
            raise UsageError(f'--output needs NAME:FILE, got "{text}"')
        if not os.path.isdir(os.path.dirname(file) or "."):
            raise UsageError(f'--output: no folder for "{file}"')
        yield _format(name), file


def write(arguments: argparse.Namespace, here: Context, report: Report, to: Outputs, *, stderr: bool = False) -> int:
    """Write a report wherever it shall go; the exit status. stderr: in place of standard output."""
    from regpress_lint import formats
    from regpress_lint.formats import terminal

    out = sys.stderr if stderr else sys.stdout
    human = to.main in _HUMAN
    if to.statistics:
        _statistics(report, to.main == "json")
    elif report.files or not human or not report.problems:
        color, width = human and terminal.use_color(out, os.environ), terminal.line_width(out, os.environ)
        height = terminal.screen_height(out, os.environ)
        shown = to.options._replace(color=color, links=color and out.isatty(), width=width, height=height)
        pieces = formats.render(to.main, report, shown)
        out.writelines(_full(pieces, report, shown, to.chosen or not out.isatty()) if to.main == "full" else pieces)
        if to.annotations and not stderr:
            out.writelines(formats.render("github", report, to.options))
    for name, file in to.files:
        from regpress_lint.cli import repair

        text = "".join(formats.render(name, report, to.options))
        try:
            repair.replace_file(file, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise UsageError(f'cannot write "{file}": {os_reason(error)}') from None
    return finish(arguments, report, here)


def _full(pieces: Iterable[str], report: Report, options: Options, whole: bool) -> Iterable[str]:
    """The findings in full, and where more is said; what is more than a screen is summed up unless `whole`."""
    from regpress_lint import formats
    from regpress_lint.formats.full import explain_one

    if not whole:
        pieces = list(pieces)
        if sum(piece.count("\n") for piece in pieces) >= options.height:
            return formats.render("summary", report, options)
    more = "" if options.quiet else explain_one(report.diagnostics)
    return (*pieces, f"{more}\n") if more else pieces


def finish(arguments: argparse.Namespace, report: Report, here: Context | None = None) -> int:
    """Chatter on standard error and the exit status; without `here` findings do not count."""
    complain(texts(report, "warnings"), "warning")
    complain(report.problems)
    if not arguments.quiet:
        tell_semantic(texts(report, "notes"), texts(report, "settled"), verbose=arguments.verbose)
    if arguments.verbose:
        print("".join(texts(report, "tracebacks")), end="", file=sys.stderr)
    if report.problems or any(diagnostic.code == INTERNAL_ERROR for diagnostic in report.diagnostics):
        return 2
    if here is None or arguments.exit_zero:
        return 0
    return int(any(found.severity >= here.of(found.location.path).fail_on for found in report.diagnostics))


def _statistics(report: Report, as_json: bool) -> None:
    """Findings of each rule, most first; of a timed run every rule that ran, with its seconds."""
    spent = seconds(report)
    counts = {(rule.code, rule.name): 0 for rule in report.rules if rule.code in spent}
    for diagnostic in report.diagnostics:
        key = (diagnostic.code, diagnostic.name)
        counts[key] = counts.get(key, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], -spent.get(item[0][0], 0.0), item[0]))
    from regpress_lint.cli.parser import write_json
    from regpress_lint.formats.columns import table

    if as_json:
        write_json(
            [
                {"code": code, "name": name, "count": count}
                | ({"seconds": round(spent.get(code, 0.0), 4)} if spent else {})
                for (code, name), count in ordered
            ]
        )
        return
    rows = [
        (str(count), *((f"{spent.get(code, 0.0):.3f} s",) if spent else ()), code, name)
        for (code, name), count in ordered
    ]
    for line in table(rows, frozenset({2, 3} if spent else {1, 2})) if rows else ():
        print(line)
