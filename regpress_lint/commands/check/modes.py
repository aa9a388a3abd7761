"""Other ways to run `check`: `--show-files` and `--show-settings` (what would be checked, and who decided how),
`--confirmed` (only findings of which `verify` said that their fix pays), `--watch` (again whenever a file changes;
files are polled, which works on every system and disk), `--why FILE:LINE` (the checks at a line, and why it is
reported as it is or not at all).
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regpress_lint.cli.context import Context, complain, run_context
from regpress_lint.cli.inputs import find, paths_of, readable, scope
from regpress_lint.cli.measured import bytes_of
from regpress_lint.cli.parser import write_json
from regpress_lint.commands.kernels.advise import state_json
from regpress_lint.config.options import OPTIONS
from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.errors import UsageError, os_reason
from regpress_lint.core.named import by_name, replace
from regpress_lint.core.patterns import matches
from regpress_lint.lint import registry
from regpress_lint.lint.advice.reasons import reasons
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.lint.selection import OFF, rank, select
from regpress_lint.lint.work import read_file
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
    from types import FrameType

    from regpress_lint.cli.context import Resolved
    from regpress_lint.core.diagnostics import Report
    from regpress_lint.lint.advice.advice_data import State
    from regpress_lint.lint.advice.reasons import Reason, Tried
    from regpress_lint.lint.discovery import Candidate


_KEYS = {option.field or option.key: option.key for option in OPTIONS}


def show_files(files: Sequence[Candidate], problems: Sequence[str], context: Context) -> int:
    """Print the files that hold GPU code; the exit status."""
    from regpress_lint.program import detect_language

    unreadable = list(problems)
    for file in files:
        try:
            settings = context.of(file.path)
            data = read_file(file.path, settings.max_file_bytes)
        except OSError as error:
            unreadable.append(f'cannot read "{file.path}": {os_reason(error)}')
            continue
        if isinstance(data, bytes) and detect_language(file.path, data, settings.words.seen) is not None:
            print(file.path)
    complain(unreadable)
    return 2 if unreadable else 0


def show_settings(context: Context, paths: Iterable[str]) -> int:
    """Print the settings that hold for each of the paths, once for those that share them; the exit status."""
    shown: dict[str | None, tuple[Resolved, list[str]]] = {}
    for path in paths:
        resolved = context.files.of_all([path])
        shown.setdefault(resolved.configuration.path, (resolved, []))[1].append(path)
    sections = ("\n".join(_settings(*section)) for section in shown.values())
    print("\n\n".join(sections) if shown else "\n".join(_settings(context.whole, [])))
    return 0


def _settings(resolved: Resolved, paths: Sequence[str]) -> Iterator[str]:
    if paths:
        yield f"# for {' '.join(paths)}"
    yield f"# configuration file: {resolved.configuration.path or 'none'}"
    values: dict[str, Any] = {**by_name(resolved.settings), **resolved.run}
    for field, key in _KEYS.items():
        value = values.get(field)
        origin = resolved.origins.get(field)
        line = f"{key} = {_toml(value)}"
        yield f"{line}  # {_named(origin)}" if origin else line
    path = paths[0] if len(paths) == 1 and not os.path.isdir(paths[0]) else None
    on = {rule.code for rule in select(registry.load().rules, resolved.settings, path).rules}
    yield f"# rules: {' '.join(sorted(on))}"
    reasons: dict[str, list[str]] = {}
    for rule in registry.load().rules:
        if rule.code not in on:
            reasons.setdefault(_why_off(rule, resolved, path), []).append(rule.code)
    yield from (f"# off: {' '.join(codes)}  # {reason}" for reason, codes in reasons.items())


def _why_off(rule: registry.Entry, resolved: Resolved, path: str | None) -> str:
    """The key, its file and the selector by which a rule is off."""
    settings, origins = resolved.settings, resolved.origins
    for pattern, selectors in settings.per_file_ignores.items():
        if path is not None and matches(path, (pattern,)) and (by := _naming(rule, selectors)):
            return f"per-file-ignores {json.dumps(pattern)} = {json.dumps(by)}, {_named(origins['per_file_ignores'])}"
    if by := _naming(rule, settings.ignore):
        return f"ignore {json.dumps(by)}, {_named(origins['ignore'])}"
    return f"not in select, {_named(origins.get('select', ''))}"


def _naming(rule: registry.Entry, selectors: Sequence[str]) -> str:
    """The most exact of the selectors that mean a rule; nothing if none does."""
    best = max(selectors, key=lambda selector: rank(selector, rule.code, rule.name), default="")
    return best if best and rank(best, rule.code, rule.name) != OFF else ""


def _named(origin: str) -> str:
    """A file's path relative to the working folder if it is below it."""
    working = os.path.abspath(".") + os.sep
    return origin.replace(working, "")


def _toml(value: object) -> str:
    """A value as a configuration file has it."""
    if isinstance(value, Severity):
        return json.dumps(value.label)
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    return json.dumps(list(value) if isinstance(value, tuple) else value if value is not None else "")


_Place = tuple[str, str, str, int]


def confirmed(report: Report, path: str) -> Report:
    """The report without other findings. Raises UsageError for a file that is not what `verify` writes."""
    proofs = _proofs(bytes_of(path), path)
    confirmed_fixes = {
        diagnostic.place: proofs[at]
        for diagnostic in report.diagnostics
        if (at := _anywhere(diagnostic.place)) in proofs
    }
    shown = tuple(diagnostic for diagnostic in report.diagnostics if diagnostic.place in confirmed_fixes)
    if lacking := len(proofs) - len({_anywhere(place) for place in confirmed_fixes}):
        why = "their files are not in it, or have changed since"
        complain((f"{path}: {lacking} of {len(proofs)} confirmed findings are not in this run: {why}",), "note")
    return replace(report, diagnostics=shown, extra={**report.extra, "proofs": confirmed_fixes})


def _anywhere(place: _Place) -> _Place:
    """A place whose file may be written in several ways."""
    return (place[0], os.path.abspath(place[1]), *place[2:])


def _proofs(data: bytes, path: str) -> dict[_Place, Any]:
    """Compilers' results for confirmed findings, by target."""
    import json

    try:
        content = json.loads(data)
        if content["version"] != 1:
            raise UsageError(f'"{path}" is of version {content["version"]!r}, this program reads version 1')
        return {
            _anywhere((row["code"], row["path"], row["kernel"], row["line"])): row["targets"]
            for row in content["findings"]
            if row["verdict"] == "confirmed"
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UsageError(f'"{path}" was not written by `regpress-lint verify --output-format json`') from None


POLL_SECONDS = 0.5
_CLEAR = "\x1b[2J\x1b[H"


def watch(arguments: argparse.Namespace, run: Callable[[argparse.Namespace], int]) -> int:
    """Run, and again after each change, until Ctrl-C; then the exit status of the last run.

    An error in the configuration is shown, and waited for, from the second run on. Raises UsageError for options that
    write files, and for errors in the first run.
    """
    if arguments.fix or arguments.add_ignore is not None or "-" in arguments.paths:
        raise UsageError("--watch cannot be combined with --fix, --add-ignore or -")
    seen = snapshot(arguments)
    status = run(arguments)
    with _interruptions() as pressed:
        try:
            while True:
                _tell(len(seen))
                seen = _changed(arguments, seen, pressed)
                if sys.stdout.isatty():
                    sys.stdout.write(_CLEAR)
                try:
                    status = run(arguments)
                except UsageError as error:
                    print(f"regpress-lint: error: {error}", file=sys.stderr)
                    status = 2
        except KeyboardInterrupt:
            return status


def snapshot(arguments: argparse.Namespace) -> Mapping[str, tuple[int, int]]:
    """Time of the last change in nanoseconds, and size, of every source and configuration file of a run."""
    context = run_context(arguments)
    paths = {file.path for file in find(arguments, context).files}
    paths |= {file for path in paths if (file := context.files.of(path).configuration.path) is not None}
    stamps = {}
    for path in paths:
        try:
            state = os.stat(path)
        except OSError:  # removed while we looked
            continue
        stamps[path] = (state.st_mtime_ns, state.st_size)
    return stamps


@contextlib.contextmanager
def _interruptions() -> Generator[list[int], None, None]:
    """The times that Ctrl-C was pressed. Python drops an exception that is raised in a finalizer: the list keeps it."""
    pressed: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        pressed.append(number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def _changed(
    arguments: argparse.Namespace, seen: Mapping[str, tuple[int, int]], pressed: list[int]
) -> Mapping[str, tuple[int, int]]:
    """The files once they differ from those seen; new and removed ones count. Raises KeyboardInterrupt."""
    while True:
        if pressed:
            raise KeyboardInterrupt
        time.sleep(POLL_SECONDS)
        try:
            now = snapshot(arguments)
        except UsageError:  # a configuration that is being edited; a run says what is wrong with it
            now = {}
        if now != seen:
            return now


def _tell(files: int) -> None:
    sys.stdout.flush()
    print(f"watching {files} file{'' if files == 1 else 's'}; Ctrl-C ends", file=sys.stderr, flush=True)


def reasons_json(path: str, line: int, explained: Sequence[Reason]) -> dict[str, Any]:
    """The document of `--output-format json`."""
    return {"version": 1, "path": path, "line": line, "reasons": list(map(_reason_json, explained))}


def _reason_json(reason: Reason) -> dict[str, Any]:
    return {
        "code": reason.code or None,
        "name": reason.name or None,
        "line": reason.line,
        "kernel": reason.kernel,
        "severity": reason.severity.label if reason.severity is not None else None,
        "message": reason.message,
        "why": reason.why,
        "tried": [
            {
                "title": tried.title,
                "targets": {
                    name: {"before": state_json(tried.before[name]), "after": state_json(after)}
                    for name, after in tried.after.items()
                },
            }
            for tried in reason.tried
        ],
    }


def reasons_text(path: str, line: int, explained: Sequence[Reason]) -> Iterator[str]:
    """Lines for a terminal."""
    if not explained:
        yield f"{path}:{line}: nothing here that any rule knows, and no change that could be tried"
    for reason in explained:
        where = f"{path}:{reason.line}: "
        if reason.code:
            kernel = f" in `{reason.kernel}`" if reason.kernel else ""
            yield f"{where}{reason.code} {reason.name}{kernel}: {reason.message}"
        else:
            yield f"{where}no finding in `{reason.kernel}`: {reason.message}"
        say = partial(in_words_of, vendor_of(name for change in reason.tried for name in change.after))
        for change in reason.tried:
            title = f"tried: {change.title}: " if reason.code else "tried: "
            yield "  " + say(title + "; ".join(f"{_moved(change, name)} on {name}" for name in change.after))
        yield f"  {say(reason.why)}"


def _moved(tried: Tried, name: str) -> str:
    """How a kernel's numbers move."""
    before, after = tried.before[name], tried.after[name]
    if not after.waves:
        return "it does not compile, or the launch cannot work,"
    parts = [_registers(before, after)]
    if (before.memory_bytes, before.excess) != (after.memory_bytes, after.excess):
        parts.append(f"{_memory(before)} -> {_memory(after)} bytes of private memory")
    if before.waves != after.waves:
        parts.append(f"{before.waves} -> {after.waves} waves per SIMD")
    return ", ".join(parts)


def _memory(state: State) -> str:
    return state.memory + (f"+{state.excess * 4}?" if state.excess else "")


def _registers(before: State, after: State) -> str:
    old, new = before.registers.estimate, after.registers.estimate
    return f"{old} registers either way" if old == new else f"{old} -> {new} registers"


def why(arguments: argparse.Namespace, context: Context) -> int:
    """Exit status: 0. Raises UsageError unless it is a line of a file with GPU code."""
    path, line = _place(arguments.why)
    settings = context.files.of(path).settings
    try:
        data = readable(Path(path).read_bytes(), path, settings)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    others = paths_of(find(arguments, context).files)
    projects = scope(arguments, settings, dict.fromkeys((path, *others))).projects()
    analysis = analyse(data, path, settings, partial(projects.of, path))
    if isinstance(analysis, Skipped):
        raise UsageError(analysis.warning or f"{path} has no GPU code")
    if line > analysis.source.line_of(len(data)):
        raise UsageError(f"{path} has no line {line}")
    answers = reasons(analysis, line)
    if arguments.output_format == "json":
        write_json(reasons_json(path, line, answers))
    else:
        sys.stdout.write("".join(f"{text}\n" for text in reasons_text(path, line, answers)))
    return 0


def _place(text: str) -> tuple[str, int]:
    path, _, line = text.rpartition(":")
    if not path or not line.isdigit() or not int(line):
        raise UsageError(f'--why {text}: expected FILE:LINE, "src/step.cu:42" for example')
    return path, int(line)
