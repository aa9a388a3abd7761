"""`--fix` and `--diff`: apply fixes until nothing changes, write only what is still what was read."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Report
from regpress_lint.core.errors import os_reason
from regpress_lint.core.named import NamedTuple
from regpress_lint.lint.analysis import not_understood
from regpress_lint.lint.pipeline import lint_bytes, merge

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project

    FileContext: TypeAlias = tuple[Settings, Callable[[], Project]]  # what a file is linted with
    ContextOf: TypeAlias = Callable[[str], FileContext]

MAX_ROUNDS = 10


class Fixed(NamedTuple):
    """A file after repair: its bytes, what remains to be said about it, how many fixes were applied."""

    data: bytes
    report: Report
    applied: int


class Outcome(NamedTuple):
    """A run's repairs: the report of what remains, counts, the difference (preview only), and what went wrong."""

    report: Report
    fixed: int = 0
    changed: int = 0
    diff: str = ""
    problems: tuple[str, ...] = ()


def until_stable(data: bytes, report: Report, unsafe: bool, context: FileContext) -> Fixed:
    """Apply the fixes of a file's report and lint again until no fix is left, at most MAX_ROUNDS times."""
    from regpress_lint.core import fixes

    applied = 0
    for _ in range(MAX_ROUNDS):
        wanted = [fix for found in fixes.collect(report.diagnostics, unsafe=unsafe).values() for fix in found]
        after, done = fixes.apply(data, wanted)
        if after == data:
            break
        path = report.diagnostics[0].location.path
        data, applied = after, applied + done
        report = lint_bytes(data, path, context[0], project=context[1])
    return Fixed(data, report, applied)


def preview(report: Report, unsafe: bool, context_of: ContextOf) -> Outcome:
    """What `repair` would change, as a unified diff; nothing is written."""
    from regpress_lint.core.fixes import unified_diff

    pieces: list[str] = []
    problems: list[str] = []
    fixed = 0
    for path in _fixable(report, unsafe):
        try:
            before = _read(path)
        except OSError as error:
            problems.append(f'cannot read "{path}": {os_reason(error)}')
            continue
        after = _repaired(before, path, unsafe, context_of(path))
        if after.data != before:
            pieces.append(unified_diff(path, before, after.data))
            fixed += after.applied
    return Outcome(report, fixed, len(pieces), "".join(pieces), tuple(problems))


def repair(report: Report, unsafe: bool, context_of: ContextOf) -> Outcome:
    """Repair files on disk. A file that changed since it was read, or cannot be written, is left as it is."""
    problems: list[str] = []
    rest: list[Report] = []
    written: set[str] = set()
    fixed = 0
    for path in _fixable(report, unsafe):
        try:
            before = _read(path)
            after = _repaired(before, path, unsafe, context_of(path))
            if after.data == before:
                continue
            if _read(path) != before:
                problems.append(f'"{path}" changed while it was linted, not fixed')
                continue
            replace_file(path, after.data)
        except OSError as error:
            problems.append(f'cannot write "{path}": {os_reason(error)}')
            continue
        written.add(path)
        rest.append(after.report)
        fixed += after.applied
    kept = tuple(diagnostic for diagnostic in report.diagnostics if diagnostic.location.path not in written)
    remaining = merge(
        (report._replace(diagnostics=kept), *(Report(part.diagnostics, extra=part.extra) for part in rest))
    )
    return Outcome(remaining._replace(rules=report.rules), fixed, len(written), problems=tuple(problems))


def ignore(report: Report, reason: str, context_of: ContextOf) -> Outcome:
    """Put comments into files on disk that silence the findings of a report; `fixed` counts those that are silent."""
    from regpress_lint.core.source import Source
    from regpress_lint.lint.ignoring import with_ignores

    found: dict[str, list[Diagnostic]] = {}
    for diagnostic in report.diagnostics:
        found.setdefault(diagnostic.location.path, []).append(diagnostic)
    rest: list[Report] = []
    problems: list[str] = []
    silenced = written = 0
    for path, diagnostics in found.items():
        try:
            before = _read(path)
            settings, project = context_of(path)
            if not_understood(path, before, settings) is not None:  # a comment would be one more thing to misread
                rest.append(Report(tuple(diagnostics)))
                continue
            after = with_ignores(Source(path, before), diagnostics, reason)
            left = lint_bytes(after, path, settings, project=project)
            if after == before or len(left.diagnostics) > len(lint_bytes(before, path, settings, project=project)[0]):
                rest.append(Report(tuple(diagnostics)))
                continue
            replace_file(path, after)
        except OSError as error:
            problems.append(f'cannot write "{path}": {os_reason(error)}')
            rest.append(Report(tuple(diagnostics)))
            continue
        written += 1
        silenced += max(len(diagnostics) - len(left.diagnostics), 0)
        rest.append(Report(left.diagnostics, extra=left.extra))
    remaining = merge((report._replace(diagnostics=()), *rest))
    return Outcome(remaining._replace(rules=report.rules), silenced, written, problems=tuple(problems))


def _fixable(report: Report, unsafe: bool) -> tuple[str, ...]:
    from regpress_lint.core.fixes import collect

    return tuple(collect(report.diagnostics, unsafe=unsafe))


def _repaired(data: bytes, path: str, unsafe: bool, context: FileContext) -> Fixed:
    settings, project = context
    return until_stable(data, lint_bytes(data, path, settings, project=project), unsafe, context)


def _read(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def replace_file(path: str, data: bytes) -> None:
    """Write a file whole or not at all; permissions stay, and a link keeps pointing at what was written.

    Raises OSError; the temporary file is removed then.
    """
    import tempfile

    target = os.path.realpath(path)
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise PermissionError(13, os.strerror(13), path)  # os.replace would get around a read-only file
    handle, temporary = tempfile.mkstemp(prefix=".regpress-", dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _mode(path: str) -> int:
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def write_text(text: str) -> None:
    """Text that may hold bytes of a file as surrogates, byte for byte to standard output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
