"""`regpress-lint baseline`: adopt the linter in a repository that has findings, and pay them off.

`baseline ... --measured` is a two-way ratchet on what compilers allocate, a kernel and target each. It knows a kernel
by its text too.

The recorded use of kernels: TOML with one instance and target per line, in a fixed order.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from os import path as os_path
from typing import TYPE_CHECKING, Any

from regpress_lint.cli import options
from regpress_lint.cli.context import answers, check_rules, complain, context, find
from regpress_lint.cli.measured import bytes_of, measured
from regpress_lint.commands.check.command import lint
from regpress_lint.commands.check.output import FILE_NAME, Baselines, save, save_text, shown
from regpress_lint.commands.diff.identity import Body, bodies
from regpress_lint.core.errors import UsageError, suggestion
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.reading import relative, toml_of
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.lint.baseline import toml_string
from regpress_lint.lint.work import Work
from regpress_lint.measured.matching import Measurements, Place
from regpress_lint.measured.ratchet import Taken, compared, taken

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from regpress_lint.cli.context import Context
    from regpress_lint.core.diagnostics import Report
    from regpress_lint.core.measured import Row
    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.lint.baseline import Repaired
    from regpress_lint.measured.ratchet import Move, Verdict


VERSION = 1
_HEAD = (
    "# What compilers allocated when this file was written: `regpress-lint baseline check --measured FILE` compares.",
    "# What takes less goes in with `regpress-lint baseline prune`. A reason may be added to each entry.",
    f"version = {VERSION}",
    "kernels = [",
)
_TEXTS = {"kernel": "name", "target": "target", "path": "path", "body": "body"}
_NUMBERS = {"registers": "registers", "spills": "spills", "scratch": "scratch_bytes", "waves": "waves"}


class Held(NamedTuple):
    """An entry, and why it may be as it is."""

    taken: Taken
    reason: str = ""


def render(entries: Iterable[Held]) -> str:
    """The text of a file."""
    ordered = sorted(entries, key=lambda each: (each.taken.path, each.taken.name, each.taken.target))
    return "\n".join((*_HEAD, *map(_line, ordered), "]", ""))


def _line(entry: Held) -> str:
    values = entry.taken._asdict()
    shown = [f"{key} = {toml_string(values[name])}" for key, name in _TEXTS.items() if values[name]]
    shown += [f"{key} = {_number(values[name])}" for key, name in _NUMBERS.items() if values[name] is not None]
    shown += [f"reason = {toml_string(entry.reason)}"] if entry.reason else []
    return f"  {{ {', '.join(shown)} }},"


def _number(value: float) -> str:
    return str(int(value) if value == int(value) else value)


def parse(text: str, file: str) -> list[Held]:
    """Entries of a file. Raises UsageError naming it, and the entry that is wrong."""
    content = toml_of(text, file)
    rows = content.get("kernels")
    if content.get("version") != VERSION or not isinstance(rows, list):
        what = f"{file}: no baseline of measured numbers of version {VERSION}"
        raise UsageError(f"{what} (`regpress-lint baseline write --measured FILE` makes one)")
    return [_entry(row, f"{file}: kernel {number}") for number, row in enumerate(rows, 1)]


def _entry(row: Any, where: str) -> Held:
    if not isinstance(row, dict):
        raise UsageError(f"{where}: expected a table")
    unknown = set(row) - {*_TEXTS, *_NUMBERS, "reason"}
    if unknown:
        raise UsageError(f'{where}: unknown key "{min(unknown)}"')
    texts = {key: row.get(key, "") for key in (*_TEXTS, "reason")}
    wrong = next((key for key, value in texts.items() if not isinstance(value, str)), None)
    if wrong is not None or not texts["kernel"] or not texts["target"]:
        raise UsageError(f"{where}: {wrong or 'kernel and target'} must be a string")
    numbers = {key: row.get(key) for key in _NUMBERS}
    for key, value in numbers.items():
        whole = isinstance(value, int) or (key == "waves" and isinstance(value, float))
        if value is not None and (isinstance(value, bool) or not whole or not 0 <= value < 1 << 40):
            raise UsageError(f"{where}: {key} must be a number, 0 or more")
    fields: dict[str, Any] = {name: texts[key] for key, name in _TEXTS.items()}
    fields |= {name: numbers[key] for key, name in _NUMBERS.items()}
    return Held(Taken(**fields), texts["reason"])


class FileKernels(NamedTuple):
    """Kernels of a file, and what went wrong with it."""

    bodies: tuple[Body, ...] = ()
    problems: tuple[str, ...] = ()


class Sources(NamedTuple):
    """File and body by measured row, and what went wrong."""

    of: dict[Row, tuple[str, str]]
    problems: tuple[str, ...]


def sources(arguments: argparse.Namespace, here: Context, rows: Sequence[Row], folder: str) -> Sources:
    """Rows whose kernel is in the files of a run; paths are relative to the folder."""
    found = find(arguments, here)
    held = answers(arguments, here, found, _WORK)
    problems = (*found.problems, *(line for kernels in held for line in kernels.problems))
    return Sources(_matched((body for kernels in held for body in kernels.bodies), rows, folder), problems)


def _matched(kernels: Iterable[Body], rows: Sequence[Row], folder: str) -> dict[Row, tuple[str, str]]:
    measurements, targets = Measurements(rows), dict.fromkeys(row.target for row in rows if row.target is not None)
    lines: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    every = list(kernels)
    for body in every:
        lines[body.path, body.name].append((body.line, body.end_line))
    matched: dict[Row, set[tuple[str, str]]] = defaultdict(set)
    for body in every:
        place = Place(body.name, body.path, body.line, body.end_line, tuple(lines[body.path, body.name]))
        for target in targets:
            for row in measurements.of(place, target):
                matched[row].add((relative(body.path, folder), body.digest))
    return {row: _only(places) for row, places in matched.items()}


def _only(places: set[tuple[str, str]]) -> tuple[str, str]:
    """The file and body that all agree on; "" if ambiguous, as for a kernel that two files have."""
    paths, digests = ({place[index] for place in places} for index in (0, 1))
    return paths.pop() if len(paths) == 1 else "", digests.pop() if len(digests) == 1 else ""


def _look(data: bytes, path: str, settings: Settings, project: Callable[[], Project]) -> FileKernels:
    analysis = analyse(data, path, settings, project)
    if isinstance(analysis, Skipped):
        return FileKernels()
    kernels = analysis.attempt("reading its kernels", lambda: tuple(bodies(analysis)))
    return FileKernels(
        kernels or (), tuple(f"{path}: internal error: {failure.reason}" for failure in analysis.failures)
    )


def _failed(_path: str, reason: str) -> FileKernels:
    return FileKernels(problems=(reason,))


def _too_large(_path: str, _size: int, _settings: Settings) -> FileKernels:
    return FileKernels()


_WORK = Work("bodies", _look, _failed, _too_large)


MEASURED_FILE_NAME = "regpress-measured.toml"
_SAID: dict[Verdict, str] = {
    "worse": "worse than it says",
    "better": "better than it says (`regpress-lint baseline prune` writes that down)",
    "new": "not in it (`regpress-lint baseline write` adds it)",
    "gone": "in it and no longer measured (`regpress-lint baseline prune` takes such out)",
}


def run_measured(arguments: argparse.Namespace, here: Context, folder: str) -> int:
    """Exit status: 1 if `check` finds that the file differs from the measurement. folder: where the file is usually.

    Raises UsageError.
    """
    file = os.path.abspath(arguments.baseline or os.path.join(folder, MEASURED_FILE_NAME))
    reading = measured(arguments.measured, here.settings.architectures)
    found = sources(arguments, here, reading.rows, os.path.dirname(file))
    complain(reading.problems, "warning")
    complain(found.problems)
    now = taken(reading.rows, here.settings.assumed_block_size, lambda row: found.of.get(row, ("", "")))
    if arguments.action == "write":
        status = _write_measured(file, now, arguments.reason or "")
    else:
        entries = _entries(file)
        if entries is None:
            name = shown(file)
            raise UsageError(f'no baseline "{name}" (`regpress-lint baseline write --measured FILE` makes it)')
        moves = compared([entry.taken for entry in entries if _is_judged(entry, now, arguments, file)], now)
        status = (_prune_measured if arguments.action == "prune" else _check_measured)(file, entries, moves)
    return 2 if found.problems else status


def _entries(file: str) -> list[Held] | None:
    if not os.path.exists(file):
        return None
    try:
        text = bytes_of(file).decode()
    except UnicodeDecodeError:
        raise UsageError(f'cannot read the baseline "{shown(file)}": it is not UTF-8 text') from None
    return parse(text, shown(file))


def _is_judged(entry: Held, now: Sequence[Taken], arguments: argparse.Namespace, file: str) -> bool:
    """Whether a run can say that an entry is gone: its GPU was measured, and its file is among the paths, if there are
    any.
    """
    if entry.taken.target not in {each.target for each in now}:
        return False
    if not arguments.paths:
        return True
    places = [relative(path, os.path.dirname(file)) for path in arguments.paths]
    return any(place == "." or f"{entry.taken.path}/".startswith(f"{place}/") for place in places)


def _write_measured(file: str, now: Sequence[Taken], reason: str) -> int:
    """Write the measured rows with their known reasons, and keep entries of other GPUs."""
    entries = _entries(file) or []
    pairs = {move.now: move.before for move in compared([entry.taken for entry in entries], now)}
    reasons = {entry.taken: entry.reason for entry in entries}
    targets = {each.target for each in now}
    kept = [entry for entry in entries if entry.taken.target not in targets]

    def why(each: Taken) -> str:
        before = pairs[each]
        return reason if before is None else reasons[before] or reason

    save_text(file, render((*kept, *(Held(each, why(each)) for each in now))))
    print(f"wrote {_instances(len(now))} to {shown(file)}")
    return 0


def _check_measured(file: str, _entries: Sequence[Held], moves: Sequence[Move]) -> int:
    told = [_tell(file, moves, verdict) for verdict in _SAID]
    if not any(told):
        print("the baseline is what was measured")
    return int(any(told))


def _prune_measured(file: str, entries: Sequence[Held], moves: Sequence[Move]) -> int:
    """Entries as they are now where that is less, without those that are gone; what takes more stays as it was."""
    better = {move.before: move.after for move in moves if move.verdict == "better"}
    gone = {move.before for move in moves if move.verdict == "gone"}
    if not better and not gone:
        print("nothing to prune")
        return 0
    kept = (
        entry._replace(taken=better.get(entry.taken) or entry.taken) for entry in entries if entry.taken not in gone
    )
    save_text(file, render(kept))
    print(f"{shown(file)}: {_instances(len(better))} lowered, {len(gone)} removed")
    return 0


def _tell(file: str, moves: Sequence[Move], verdict: Verdict) -> bool:
    from regpress_lint.commands.measure.ratchet import named_lines
    from regpress_lint.render.terminal import Palette, line_width, use_color

    those = [move for move in moves if move.verdict == verdict]
    if those:
        print(f"{shown(file)}: {_instances(len(those))} {_SAID[verdict]}")
        palette = Palette(use_color(sys.stdout, os.environ))
        for move in those:
            print("\n".join(named_lines(move, palette, line_width(sys.stdout, os.environ))))
    return bool(those)


def _instances(number: int) -> str:
    return "1 kernel" if number == 1 else f"{number} kernels"


_ACTIONS = ("write", "check", "prune")


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `baseline`."""
    parser.description = (
        f"{parser.description}. `write` makes the file, `check` lists fixed and new findings, "
        "`prune` removes fixed ones."
    )
    parser.epilog = "Exit status: 0, 1 if `check` finds a difference, 2 wrong use or internal error."
    parser.add_argument("action", metavar="write|check|prune")
    options.paths(parser, 'files and folders, default "."')
    parser.add_argument("--reason", metavar="TEXT", help="why the findings stay, for each that has no reason yet")
    parser.add_argument(
        "--measured",
        metavar="FILE",
        action="append",
        help="not findings, but registers, spills, scratch and waves of each kernel, in regpress-measured.toml: "
        "JSON of `measure`, a log or an object",
    )
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
    here = context(arguments)
    check_rules([here.whole])
    if arguments.measured:
        return run_measured(arguments, here, _usual_folder(arguments, here))
    found = find(arguments, here)
    report = lint(arguments, here, found)
    complain(report.problems)
    if report.problems and not report.files:
        return 2
    baselines = Baselines(here, isolated=arguments.isolated, writing=action == "write")
    paths = [file.path for file in found.files]
    if action == "write":
        status = _write(arguments, here, baselines, report, paths)
    else:
        repaired = baselines.repaired(report, paths)
        if not repaired and not any(map(baselines.file_of, paths)):
            raise UsageError("no baseline here (`regpress-lint baseline write` makes one)")
        status = _prune(baselines, repaired) if action == "prune" else _check(baselines, report, repaired)
    return 2 if report.problems else status


def _write(
    arguments: argparse.Namespace, here: Context, baselines: Baselines, report: Report, paths: Sequence[str]
) -> int:
    usual = _usual_file(arguments, here)
    by_file = baselines.by_file(report.diagnostics)
    by_file.setdefault(usual, []).extend(by_file.pop(None, []))
    for file, diagnostics in by_file.items():
        assert file is not None
        judged = baselines.judged(file, report, paths)
        entries = baselines.at(file).written(diagnostics, judged, arguments.reason or "")
        save(file, entries)
        print(f"wrote {_findings(sum(entry.number for entry in entries))} to {shown(file)}")
    return 0


def _usual_file(arguments: argparse.Namespace, here: Context) -> str:
    """The place of a new baseline: beside the configuration, else at the root of the work tree."""
    if here.settings.baseline is not None:
        return here.settings.baseline
    return os_path.join(_usual_folder(arguments, here), FILE_NAME)


def _usual_folder(arguments: argparse.Namespace, here: Context) -> str:
    if here.whole.configuration.path is not None:
        return os_path.dirname(os_path.abspath(here.whole.configuration.path))
    from regpress_lint.commands.check.output import repository_root
    from regpress_lint.lint.projects import is_inside

    own, looked_at = os_path.realpath("."), os_path.realpath((arguments.paths or ["."])[0])
    folder = own if is_inside(own, looked_at) else os_path.dirname(looked_at)
    return repository_root({}, folder)


def _check(baselines: Baselines, report: Report, repaired: dict[str, list[Repaired]]) -> int:
    new = baselines.without(report).diagnostics
    for file, gone in repaired.items():
        print(f"{shown(file)}: {_findings(sum(repair.entry.number - repair.left for repair in gone))} fixed")
        print("\n".join(_lines(gone)))
    if new:
        print(f"{_findings(len(new))} not in the baseline (`regpress-lint check` shows them)")
    if not new and not repaired:
        print("the baseline is what is there")
    return int(bool(new or repaired))


def _prune(baselines: Baselines, repaired: dict[str, list[Repaired]]) -> int:
    for file, gone in repaired.items():
        save(file, baselines.at(file).pruned(gone))
        print(f"{shown(file)}: {_findings(sum(repair.entry.number - repair.left for repair in gone))} pruned")
        print("\n".join(_lines(gone)))
    if not repaired:
        print("nothing to prune")
    return 0


def _lines(repaired: Iterable[Repaired]) -> Iterator[str]:
    from regpress_lint.render.terminal import visible

    for entry, left in repaired:
        count = f" ({entry.number} -> {left})" if entry.number > 1 else ""
        kernel = f" in `{entry.key.kernel}`" if entry.key.kernel else ""
        yield visible(f"  {entry.key.path}: {entry.key.rule}{kernel}: {entry.key.subject}{count}")


def _findings(number: int) -> str:
    return "1 finding" if number == 1 else f"{number} findings"
