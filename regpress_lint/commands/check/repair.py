"""`--fix` and `--diff`: apply the fixes of printed findings, and no others; write a file only if it is unchanged since
it was read.

Comments that silence findings, put into a file: `check --add-ignore`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cli.files import read, replace_own
from regpress_lint.core.diagnostics import Report, ResolvedEdit, ResolvedFix, merge
from regpress_lint.core.errors import os_reason
from regpress_lint.core.fixes import apply, wanted
from regpress_lint.core.named import NamedTuple, replace
from regpress_lint.lint.analysis import not_understood
from regpress_lint.lint.pipeline import lint_bytes
from regpress_lint.lint.selection import INTERNAL_ERROR
from regpress_lint.lint.suppressions import CODE as UNUSED, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import TypeAlias

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.core.settings import Settings
    from regpress_lint.core.source import Source
    from regpress_lint.cpp.names.project import Project

    FileContext: TypeAlias = tuple[Settings, Callable[[], Project]]  # what a file is linted with
    ContextOf: TypeAlias = Callable[[str], FileContext]


_WIDEST = 120  # cells of a line that a comment may be put behind


def with_ignores(source: Source, diagnostics: Iterable[Diagnostic], reason: str) -> bytes:
    """The file with a comment for each line that has findings; lines inside of macros cannot have one and stay.

    If a comment on the line already names rules, these are added to it. Internal errors and suppressions
    that silence nothing are not silenced.
    """
    by_line: dict[int, set[str]] = {}
    for diagnostic in diagnostics:
        if diagnostic.code not in (INTERNAL_ERROR, UNUSED):
            by_line.setdefault(diagnostic.location.start.line, set()).add(diagnostic.code)
    reason_text = " ".join(reason.split()).rstrip("\\")
    named = {source.line_of(entry.order.start): entry for entry in parse(source).entries if entry.ours}
    fixes = []
    for line, codes in sorted(by_line.items()):
        suppression = named.get(line)
        text = source.text(suppression.order) if suppression is not None else ""
        if suppression is not None and suppression.selectors and text.startswith("regpress: ignore["):
            at, written = suppression.order.end - 1, f", {', '.join(sorted(codes - set(suppression.selectors)))}"
        else:
            place = _place(source, line, f"// regpress: ignore[{', '.join(sorted(codes))}] {reason_text}".rstrip())
            if place is None:
                continue
            at, written = place
        position = source.position(at)
        fixes.append(ResolvedFix("", "safe", (ResolvedEdit(position, position, written),)))
    return apply(source.data, fixes)[0]


def _place(source: Source, line: int, comment: str) -> tuple[int, str] | None:
    """Where a comment for a line goes, and its text: behind the line if there is room, else above it."""
    span = source.line_span(line)
    text = source.data[span.start : span.end]
    above = source.line_span(line - 1) if line > 1 else None
    if above is not None and source.data[above.start : above.end].rstrip().endswith(b"\\"):
        return None
    bare = text.rstrip()
    continued = bare.endswith((b"\\", b"*/")) or b"//" in bare or b"/*" in bare
    if not continued and len(source.line_text(line).rstrip()) + len(comment) + 2 <= _WIDEST:
        return span.start + len(bare), f"  {comment}"
    indent = text[: len(text) - len(text.lstrip())].decode("utf-8", "replace")
    return span.start, f"{indent}{comment}\n"


MAX_ROUNDS = 10


class Done(NamedTuple):
    """A fix that was made, by the finding that was printed: its place before anything was changed."""

    finding: Diagnostic
    title: str


class Fixed(NamedTuple):
    """A file after its fixes: its bytes, the remaining findings, and the applied fixes."""

    data: bytes
    report: Report
    done: tuple[Done, ...] = ()


class Outcome(NamedTuple):
    """A run's fixes: the report of remaining findings, counts, the difference (preview only), and errors."""

    report: Report
    fixed: int = 0
    changed: int = 0
    diff: str = ""
    problems: tuple[str, ...] = ()
    done: tuple[Done, ...] = ()


class _Place(NamedTuple):
    """Where a finding of the text as it was lies now; `known` is None for one that was not printed."""

    code: str
    span: tuple[int, int]
    known: Diagnostic | None

    def holds(self, diagnostic: Diagnostic) -> bool:
        start, end = _span(diagnostic)
        return self.code == diagnostic.code and self.span[0] <= start and end <= self.span[1]


def until_stable(
    data: bytes, report: Report, unsafe: bool, context: FileContext, withheld: Iterable[Diagnostic] = ()
) -> Fixed:
    """Make the fixes of a file's findings, and lint again until none of them is left, at most MAX_ROUNDS times.

    report: the findings that were printed, and no other is fixed: what a later round finds has to lie where one of them
    lay. withheld: findings of the file that were not printed (a baseline, `--since` or `--confirmed` leaves them out).
    """
    from regpress_lint.core import fixes

    done: list[Done] = []
    pairs: list[tuple[Diagnostic, Diagnostic]] = [(diagnostic, diagnostic) for diagnostic in report.diagnostics]
    places = [_Place(diagnostic.code, _span(diagnostic), diagnostic) for diagnostic in report.diagnostics]
    places += [_Place(diagnostic.code, _span(diagnostic), None) for diagnostic in withheld]
    for _ in range(MAX_ROUNDS):
        path_of = {id(current.fix): (current, printed) for current, printed in pairs}
        offered = fixes.collect((now for now, _ in pairs), unsafe=unsafe)
        chosen = fixes.chosen(data, [fix for offer in offered.values() for fix in offer])
        after, _ = fixes.apply(data, chosen)
        if after == data:
            break
        done += [Done(path_of[id(fix)][1], fix.title) for fix in chosen]
        moves = fixes.Moves(data, (edit for fix in chosen for edit in fix.edits))
        wide = [fix for fix in chosen if len(fix.edits) > 1]
        places = [place._replace(span=moves.span(*_moved_by(wide, place.span))) for place in places]
        exact = {(place.code, place.span): place.known for place in places}
        path, data = pairs[0][0].location.path, after
        report = lint_bytes(data, path, context[0], project=context[1])
        reports = (
            (
                diagnostic,
                exact[key] if (key := (diagnostic.code, _span(diagnostic))) in exact else _printed(diagnostic, places),
            )
            for diagnostic in report.diagnostics
            if diagnostic.fix is not None
        )
        pairs = [(diagnostic, printed) for diagnostic, printed in reports if printed is not None]
    return Fixed(data, report, tuple(done))


def _moved_by(fixes: Iterable[ResolvedFix], span: tuple[int, int]) -> tuple[int, int]:
    """All that a fix edits, for a place in a text that it replaces: it may have put the text somewhere else."""
    for fix in fixes:
        if any(edit.start.byte <= span[0] and span[1] <= edit.end.byte for edit in fix.edits):
            return fix.edits[0].start.byte, fix.edits[-1].end.byte
    return span


def _span(diagnostic: Diagnostic) -> tuple[int, int]:
    return diagnostic.location.start.byte, diagnostic.location.end.byte


def _printed(diagnostic: Diagnostic, places: Iterable[_Place]) -> Diagnostic | None:
    """The finding that was printed where this one lies; None if the closest one there was not printed."""
    at = [place for place in places if place.holds(diagnostic)]
    closest = min(at, key=lambda place: (place.span[1] - place.span[0], place.known is not None), default=None)
    return None if closest is None else closest.known


class _Again(NamedTuple):
    """A file that was read once more: its bytes, and those of its findings that were printed, and that were not."""

    data: bytes
    printed: Report
    withheld: tuple[Diagnostic, ...]


def _again(path: str, printed: Sequence[Diagnostic], unsafe: bool, context: FileContext) -> _Again | None:
    """A file as it is now; None if it no longer has every fix that was printed. Raises OSError."""
    data = read(path)
    settings, project = context
    report = lint_bytes(data, path, settings, project=project)
    keys = {_key(diagnostic) for diagnostic in printed}
    current = tuple(diagnostic for diagnostic in report.diagnostics if _key(diagnostic) in keys)
    remaining = {_key(diagnostic) for diagnostic in current}
    if any(_key(diagnostic) not in remaining for diagnostic in printed if wanted(diagnostic, unsafe)):
        return None
    others = tuple(diagnostic for diagnostic in report.diagnostics if _key(diagnostic) not in keys)
    return _Again(data, replace(report, diagnostics=current), others)


def _key(diagnostic: Diagnostic) -> tuple[str, int, int, ResolvedFix | None]:
    return diagnostic.code, *_span(diagnostic), diagnostic.fix


def _by_path(report: Report, unsafe: bool) -> dict[str, list[Diagnostic]]:
    """Printed findings of each file with a fix to be made."""
    fixed = {diagnostic.location.path for diagnostic in report.diagnostics if wanted(diagnostic, unsafe)}
    by_path: dict[str, list[Diagnostic]] = {}
    for diagnostic in report.diagnostics:
        if diagnostic.location.path in fixed:
            by_path.setdefault(diagnostic.location.path, []).append(diagnostic)
    return by_path


def preview(report: Report, unsafe: bool, context_of: ContextOf) -> Outcome:
    """The changes of the fixes, as a unified diff; nothing is written. report: the printed findings."""
    from regpress_lint.core.fixes import unified_diff

    pieces: list[str] = []
    problems: list[str] = []
    done: list[Done] = []
    for path, printed in _by_path(report, unsafe).items():
        try:
            now = _again(path, printed, unsafe, context_of(path))
        except OSError as error:
            problems.append(f'cannot read "{path}": {os_reason(error)}')
            continue
        if now is None:
            problems.append(f'"{path}" changed while it was linted, not fixed')
            continue
        after = until_stable(now.data, now.printed, unsafe, context_of(path), now.withheld)
        if after.data != now.data:
            pieces.append(unified_diff(path, now.data, after.data))
            done += after.done
    return Outcome(report, len(done), len(pieces), "".join(pieces), tuple(problems), tuple(done))


def repair(report: Report, every: Report, unsafe: bool, context_of: ContextOf) -> Outcome:
    """Repair files on disk. A file that changed since it was read, or cannot be written, is left as it is.

    report: what is printed; the fixes of these findings are made and no others. every: the run's findings, also those
    that are not printed, as in the outcome.
    """
    problems: list[str] = []
    reports: list[Report] = []
    written: set[str] = set()
    done: list[Done] = []
    for path, printed in _by_path(report, unsafe).items():
        try:
            now = _again(path, printed, unsafe, context_of(path))
            after = None if now is None else until_stable(now.data, now.printed, unsafe, context_of(path), now.withheld)
            if now is None or after is None or read(path) != now.data:
                problems.append(f'"{path}" changed while it was linted, not fixed')
                continue
            if after.data == now.data:
                continue
            replace_own(path, after.data)
        except OSError as error:
            problems.append(f'cannot write "{path}": {os_reason(error)}')
            continue
        written.add(path)
        reports.append(after.report)
        done += after.done
    remaining = _remaining(every, written, reports)
    return Outcome(remaining, len(done), len(written), problems=tuple(problems), done=tuple(done))


def _remaining(every: Report, written: Collection[str], reports: Iterable[Report]) -> Report:
    """A run's report after it wrote files, with their findings since then."""
    untouched = tuple(diagnostic for diagnostic in every.diagnostics if diagnostic.location.path not in written)
    again = (Report(diagnostics=part.diagnostics, extra=part.extra) for part in reports)
    return replace(merge((replace(every, diagnostics=untouched), *again)), rules=every.rules)


def ignore(report: Report, every: Report, reason: str, context_of: ContextOf) -> Outcome:
    """Put comments into files on disk that silence the findings of a report; `fixed` counts those that are silent.

    every: see above.
    """
    from regpress_lint.core.source import Source

    by_path: dict[str, list[Diagnostic]] = {}
    for diagnostic in report.diagnostics:
        by_path.setdefault(diagnostic.location.path, []).append(diagnostic)
    reports: list[Report] = []
    problems: list[str] = []
    written: set[str] = set()
    silenced = 0
    for path, diagnostics in by_path.items():
        try:
            before = read(path)
            settings, project = context_of(path)
            if not_understood(path, before, settings) is not None:  # a comment would be one more thing to misread
                continue
            after = with_ignores(Source(path, before), diagnostics, reason)
            relinted = lint_bytes(after, path, settings, project=project)
            if after == before or len(relinted.diagnostics) > len(
                lint_bytes(before, path, settings, project=project).diagnostics
            ):
                continue
            replace_own(path, after)
        except OSError as error:
            problems.append(f'cannot write "{path}": {os_reason(error)}')
            continue
        written.add(path)
        silenced += max(len(diagnostics) - len(relinted.diagnostics), 0)
        reports.append(relinted)
    return Outcome(_remaining(every, written, reports), silenced, len(written), problems=tuple(problems))
