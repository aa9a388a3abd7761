"""The outputs of a report of `check`, and what remains of it: baselines of a run, standard output, files, annotations,
messages on standard error, the exit status.
"""

from __future__ import annotations

import os
import sys
from os import path as os_path

from regpress_lint.cli.context import Context, complain, tell_semantic
from regpress_lint.core.diagnostics import seconds, texts
from regpress_lint.core.errors import UsageError, os_reason
from regpress_lint.core.named import NamedTuple, replace
from regpress_lint.core.reading import is_inside, named as named_file, relative
from regpress_lint.lint.selection import INTERNAL_ERROR
from regpress_lint.render import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from regpress_lint.core.diagnostics import Diagnostic, Report
    from regpress_lint.lint.baseline import Baseline, Entry, Key, Repaired


FILE_NAME = "regpress-baseline.toml"
_LARGEST = 16 << 20  # bytes: a hundred thousand findings


class Baselines:
    """Baselines by the paths that they apply to: the one that the configuration or a flag names, else the nearest.

    isolated: only those that are named. Raises UsageError for a named file that cannot be read, and for one that is
    wrong.
    """

    def __init__(self, context: Context, *, isolated: bool, writing: bool = False) -> None:
        self._context, self._isolated, self._writing = context, isolated, writing
        self._by_folder: dict[str, str | None] = {}
        self._of_folder: dict[str, str | None] = {}  # by the folder as it is given
        self._read: dict[str, Baseline] = {}

    def file_of(self, path: str) -> str | None:
        """The file that holds for a path; None for none."""
        folder = os_path.dirname(path)
        if folder not in self._of_folder:
            resolved = self._context.files.of(path)
            named = "baseline" in resolved.origins
            nearest = None if self._isolated else self._nearest(os_path.abspath(folder))
            self._of_folder[folder] = resolved.settings.baseline if named else nearest
        return self._of_folder[folder]

    def _nearest(self, folder: str) -> str | None:
        """The file in a folder or above it, up to the root of the work tree."""
        if folder not in self._by_folder:
            file, above = os_path.join(folder, FILE_NAME), os_path.dirname(folder)
            if os_path.isfile(file):
                nearest: str | None = file
            elif above == folder or os_path.exists(os_path.join(folder, ".git")):
                nearest = None
            else:
                nearest = self._nearest(above)
            self._by_folder[folder] = nearest
        return self._by_folder[folder]

    def read_named(self, paths: Iterable[str]) -> None:
        """Read the files that a flag or a configuration names, also for a run without findings."""
        resolved = map(self._context.files.of, paths)
        for file in dict.fromkeys(
            settings_of_files.settings.baseline
            for settings_of_files in resolved
            if "baseline" in settings_of_files.origins
        ):
            if file is not None:
                self.at(file)

    def at(self, file: str) -> Baseline:
        if file not in self._read:
            self._read[file] = _loaded(file, self._writing)
        return self._read[file]

    def without(self, report: Report) -> Report:
        """A report without what the baselines cover."""
        uncovered: list[Diagnostic] = []
        grouped = self.by_file(report.diagnostics)
        if set(grouped) <= {None}:
            return report
        for file, diagnostics in grouped.items():
            uncovered += diagnostics if file is None else self.at(file).new(diagnostics)
        covered = len(report.diagnostics) - len(uncovered)
        uncovered.sort(key=lambda diagnostic: diagnostic.sort_key)
        return replace(report, diagnostics=tuple(uncovered), baselined=covered) if covered else report

    def by_file(self, diagnostics: Iterable[Diagnostic]) -> dict[str | None, list[Diagnostic]]:
        """Findings by the file that holds for them."""
        by_path: dict[str | None, list[Diagnostic]] = {}
        for diagnostic in diagnostics:
            by_path.setdefault(self.file_of(diagnostic.location.path), []).append(diagnostic)
        return by_path

    def repaired(self, report: Report, paths: Sequence[str]) -> dict[str, list[Repaired]]:
        """Entries of the baselines whose findings are fixed, as far as a run over these paths can know, by file."""
        files = {file: None for file in map(self.file_of, paths) if file is not None}
        if not files:
            return {}
        by_file = self.by_file(report.diagnostics)
        by_path: dict[str, list[Repaired]] = {}
        for file in files:
            judged = self.judged(file, report, paths)
            if repaired := self.at(file).repaired(by_file.get(file, ()), judged):
                by_path[file] = repaired
        return by_path

    def judged(self, file: str, report: Report, paths: Sequence[str]) -> Callable[[Key], bool]:
        """Whether a run over these paths can say that the finding of an entry is fixed: it saw the file, or the file is
        gone, the rule was on, and findings of that severity are shown.
        """
        folder = os_path.dirname(os_path.abspath(file))
        codes = {rule.code for rule in report.rules}
        seen = set(map(os_path.abspath, paths))
        entries = self.at(file).entries

        def answer(key: Key) -> bool:
            path = os_path.normpath(os_path.join(folder, key.path))
            if not os_path.exists(path):
                return True
            return path in seen and key.rule in codes and entries[key].severity >= self._context.of(path).threshold

        return answer


def tell_of_repaired(repaired: Mapping[str, Sequence[Repaired]]) -> None:
    """Say on standard error that a baseline has entries of fixed findings."""
    from regpress_lint.cli.context import complain

    for file, gone in repaired.items():
        count = sum(repair.entry.number - repair.left for repair in gone)
        subject = "1 of its findings is" if count == 1 else f"{count} of its findings are"
        complain((f"{shown(file)}: {subject} fixed (`regpress-lint baseline prune` removes them)",), "note")


def shown(file: str) -> str:
    """A file's path relative to the working folder if it is below it."""
    return file.removeprefix(os_path.abspath(".") + os.sep)


def save(file: str, entries: Sequence[Entry]) -> None:
    """Write a baseline. Raises UsageError."""
    from regpress_lint.lint.baseline import render

    save_text(file, render(entries))


def save_text(file: str, text: str) -> None:
    """Write the text of a baseline. Raises UsageError."""
    from regpress_lint.cli.files import replace_own

    try:
        replace_own(file, text.encode())
    except OSError as error:
        raise UsageError(f'cannot write "{file}": {os_reason(error)}') from None


def _loaded(file: str, writing: bool) -> Baseline:
    from regpress_lint.lint.baseline import Baseline, parse

    folder = os_path.dirname(os_path.abspath(file))

    def named(path: str) -> str:
        return relative(os_path.abspath(path), folder)

    try:
        text = named_file(file, _LARGEST, "the baseline").decode()
    except FileNotFoundError:
        if writing:
            return Baseline((), named)
        raise UsageError(f'no baseline "{file}" (`regpress-lint baseline write` makes it)') from None
    except UnicodeDecodeError:
        raise UsageError(f'cannot read the baseline "{file}": it is not UTF-8 text') from None
    entries = parse(text, shown(file))
    baseline = Baseline(entries, named)
    gone = {entry.key.path for entry in entries if not os_path.exists(os_path.join(folder, entry.key.path))}
    return baseline.moved(_renames(file, folder, gone)) if gone else baseline


def _renames(file: str, folder: str, gone: Iterable[str]) -> Mapping[str, str]:
    """New names of files that are gone, as far as git has seen them move since the baseline was changed."""
    from regpress_lint.lint import git

    top, since = git.top(folder), git.last_change(folder, os_path.abspath(file))
    if top is None or since is None:
        return {}
    moved = git.renames(folder, since)
    inside = os_path.relpath(os_path.realpath(folder), os_path.realpath(top)).replace("\\", "/")
    prefix = "" if inside == "." else f"{inside}/"
    inner = {old.removeprefix(prefix): new for old, new in moved.items() if old.startswith(prefix)}
    return {old: os_path.relpath(inner[old], inside).replace("\\", "/") for old in gone if old in inner}


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


def outputs(arguments: argparse.Namespace, context: Context) -> Outputs:
    """The outputs that arguments and configuration name. Raises UsageError."""
    main = context.output_format or "full"
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
        brief=context.output_format is None and "RP001" not in ",".join(arguments.select or ()),
    )
    annotations = os.environ.get("GITHUB_ACTIONS") == "true" and not chosen
    return Outputs(
        main,
        tuple(_files(arguments.output)),
        options,
        arguments.statistics,
        annotations,
        context.output_format is not None,
    )


def repository_root(environ: Mapping[str, str], folder: str) -> str:
    """The folder that services show paths relative to: what CI says, else the work tree, else the folder itself."""
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


def _files(named: Iterable[str]) -> Iterable[tuple[str, str]]:
    from regpress_lint.cli.parser import format_of
    from regpress_lint.render import NAMES

    for text in named:
        name, colon, file = text.partition(":")
        if not colon or not file:
            raise UsageError(f'--output needs NAME:FILE, got "{text}"')
        if not os.path.isdir(os.path.dirname(file) or "."):
            raise UsageError(f'--output: no folder for "{file}"')
        yield format_of(name, NAMES), file


def write(arguments: argparse.Namespace, context: Context, report: Report, to: Outputs, *, stderr: bool = False) -> int:
    """Write a report wherever it shall go; the exit status. stderr: in place of standard output."""
    from regpress_lint.render import render, terminal

    out = sys.stderr if stderr else sys.stdout
    human = to.main in _HUMAN
    if to.statistics:
        _statistics(report, to.main == "json")
    elif report.files or not human or not report.problems:
        color, width = human and terminal.use_color(out, os.environ), terminal.line_width(out, os.environ)
        height = terminal.screen_height(out, os.environ)
        shown = to.options._replace(color=color, links=color and out.isatty(), width=width, height=height)
        pieces = render(to.main, report, shown)
        out.writelines(_full(pieces, report, shown, to.chosen or not out.isatty()) if to.main == "full" else pieces)
        if to.annotations and not stderr:
            out.writelines(render("github", report, to.options))
    for name, file in to.files:
        from regpress_lint.cli.files import replace_file

        text = "".join(render(name, report, to.options))
        try:
            replace_file(file, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise UsageError(f'cannot write "{file}": {os_reason(error)}') from None
    return finish(arguments, report, context)


def _full(pieces: Iterable[str], report: Report, options: Options, whole: bool) -> Iterable[str]:
    """The findings in full, and where more is said; what is more than a screen is summed up unless `whole`."""
    from regpress_lint.render import render
    from regpress_lint.render.text import explain_one

    if not whole:
        pieces = list(pieces)
        if sum(piece.count("\n") for piece in pieces) >= options.height:
            return render("summary", report, options)
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
    return int(
        any(diagnostic.severity >= here.of(diagnostic.location.path).fail_on for diagnostic in report.diagnostics)
    )


def _statistics(report: Report, as_json: bool) -> None:
    """Findings of each rule, most first; of a timed run every rule that ran, with its seconds."""
    spent = seconds(report)
    counts = {(rule.code, rule.name): 0 for rule in report.rules if rule.code in spent}
    for diagnostic in report.diagnostics:
        key = (diagnostic.code, diagnostic.name)
        counts[key] = counts.get(key, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], -spent.get(item[0][0], 0.0), item[0]))
    from regpress_lint.cli.parser import write_json
    from regpress_lint.render.columns import table

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
