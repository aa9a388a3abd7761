"""A file's report: rules -> findings -> suppressions -> severity -> diagnostics with lines and columns."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING

from regpress_lint.api.rule import DOCUMENTATION_URL
from regpress_lint.core.diagnostics import (
    EVERY_TARGET,
    USED,
    Diagnostic,
    Location,
    Note,
    Related,
    Report,
    ResolvedEdit,
    ResolvedFix,
    Severity,
)
from regpress_lint.core.named import replace
from regpress_lint.core.running import with_room
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import INCLUDED, Position, Span
from regpress_lint.lint import registry
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.lint.checks import Check, checks, more_severe
from regpress_lint.lint.selection import INTERNAL_ERROR, Selection, select, severity_of
from regpress_lint.lint.suppressions import CODE as UNUSED, NAME, Suppressions, Uses, parse, sees_all
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from regpress_lint.api.rule import Rule
    from regpress_lint.core.diagnostics import Finding
    from regpress_lint.core.source import Source
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.lint.analysis import Analysis, Failure

INTERNAL_ERROR_NAME = "internal-error"
UNREAD = "RP001"
UNUSED_NAMES = {UNUSED, NAME}
_START = Span(0, 0)
_MOST_PLACES = 8


def lint_bytes(
    data: bytes,
    path: str,
    settings: Settings | None = None,
    *,
    project: Callable[[], Project] | None = None,
    rules: Sequence[type[Rule]] | None = None,
) -> Report:
    """Lint one file that is given as bytes; only headers are read from disk. Without settings the defaults apply.

    `project` gives the project that the file belongs to, through which headers are read; it is called only if the
    file holds GPU code, because making it imports the parser. Without it the file is taken by itself.

    A file without GPU code gives an empty report with `files` 0, one larger than `settings.max_file_bytes` a warning
    in `extra["warnings"]`. Answers of libclang, or why there are none, are in `extra["settled"]` and `extra["notes"]`.
    A failure inside is an RP009 diagnostic with its traceback in `extra["tracebacks"]`, never an exception. Raises
    UsageError for a selector that means no rule.
    """
    return with_room(_linted, data, path, Settings() if settings is None else settings, project, rules)


def _linted(
    data: bytes,
    path: str,
    settings: Settings,
    project: Callable[[], Project] | None,
    rules: Sequence[type[Rule]] | None,
) -> Report:
    return judged(analyse(data, path, settings, project), path, settings, rules)


def judged(
    analysis: Analysis | Skipped, path: str, settings: Settings, rules: Sequence[type[Rule]] | None = None
) -> Report:
    """The report of a file whose analysis the caller has begun, and may use further; see `lint_bytes`."""
    entries = registry.load().rules if rules is None else tuple(map(registry.entry, rules))
    selection = select(entries, settings, path)
    if isinstance(analysis, Skipped):
        return _left_out(analysis, path, settings, selection)
    read = None
    if not settings.ignore_suppressions:
        read = analysis.attempt("reading its suppressions", lambda: parse(analysis.source, entries))
    return _Judge(analysis, selection, read or Suppressions(), entries).report()


def _left_out(skipped: Skipped, path: str, settings: Settings, selection: Selection) -> Report:
    """The report of a file that is not analysed: an unreadable file is a finding, if its rule is on."""
    rule = next((rule for rule in selection.rules if rule.code == UNREAD), None)
    if skipped.not_understood is None or rule is None:
        return Report(extra={"warnings": (skipped.warning,)} if skipped.warning else {})
    forced = severity_of(rule, settings.severities)
    severity = rule.info.severity if forced is None else forced
    if severity < settings.threshold:
        return Report(files=1)
    start = Position(1, 1, 1, 1, 0)
    message, help_ = f"the file was not linted: {skipped.not_understood}", "nothing is said about its kernels"
    place = Location(path, start, start, "")
    return Report(
        diagnostics=(
            Diagnostic(
                code=rule.code,
                name=rule.name,
                severity=severity,
                location=place,
                message=message,
                help=help_,
                url=rule.info.url,
            ),
        ),
        files=1,
    )


class _Judge:
    """Turns what rules find in one file into diagnostics; lives for one call of `lint_bytes`."""

    def __init__(
        self, analysis: Analysis, selection: Selection, suppressions: Suppressions, known: Sequence[registry.Entry]
    ) -> None:
        self.analysis, self.selection, self.suppressions, self.known = analysis, selection, suppressions, known
        self.targets: tuple[str, ...] = ()
        self.uses = Uses(suppressions)
        self.diagnostics: dict[tuple[str, Span, str], Diagnostic] = {}
        self.suppressed = 0
        self.others: dict[str, Source | None] = {}
        self.certain = True
        self.hidden: dict[tuple[str, Span, str], None] = {}
        self.seconds: dict[str, float] = {}

    def report(self) -> Report:
        analysis = self.analysis
        for part in analysis.attempt("parsing", lambda: analysis.parts) or ():
            self.analysis, self.targets = part, analysis.targets
            for check in checks(part, self.selection.rules):
                self._collect(check)
        self.analysis = analysis
        self._collect_unused()
        for failure in analysis.failures:
            internal = self._internal_error(failure)
            span = Span(internal.location.start.byte, internal.location.end.byte)
            self.diagnostics.setdefault((internal.code, span, internal.message), internal)
        extra: dict[str, object] = {}
        if warnings := (*self.suppressions.warnings, *analysis.remarks()):
            extra["warnings"] = warnings
        if self.hidden:
            extra["hidden"] = tuple(code for code, _, _ in self.hidden)
        if not analysis.given.architectures and analysis.parsed and analysis.file.kernels:
            extra["judged"] = (f"{analysis.file.language.upper()} for {', '.join(analysis.targets)}",)
        if analysis.failures:
            extra["tracebacks"] = tuple(failure.traceback for failure in analysis.failures)
        if notes := analysis.notes():
            extra["notes"] = notes
        if settled := analysis.settled():
            from regpress_lint.semantics.settled import settled_line

            extra["settled"] = tuple(map(settled_line, settled))
        if self.seconds:
            extra["seconds"] = self.seconds
        found_all = tuple(sorted(self.diagnostics.values(), key=lambda diagnostic: diagnostic.sort_key))
        kernels = len(analysis.file.kernels) if analysis.parsed else 0
        return Report(diagnostics=found_all, files=1, kernels=kernels, suppressed=self.suppressed, extra=extra)

    def _collect(self, check: Check) -> None:
        """Diagnostics of one rule's findings; all of them or, if it fails, none and an internal error."""
        began = perf_counter() if self.analysis.settings.timed else 0.0
        judged = self.analysis.attempt(check.doing, lambda: tuple(self._judged(check)), check.kernel)
        if began:
            code = check.rule.code
            self.seconds[code] = self.seconds.get(code, 0.0) + perf_counter() - began
        for span, diagnostic in judged or ():
            if self.uses.silence(diagnostic.location.start.line, diagnostic.code, diagnostic.name):
                self.suppressed += 1
            else:
                key = (diagnostic.code, span, diagnostic.message)
                earlier = self.diagnostics.get(key)
                merged = more_severe(earlier, diagnostic)
                for finding in (earlier, diagnostic) if earlier is not None else ():
                    merged = _and_there(merged, finding)
                if earlier is not None:  # another kernel may show it on other GPUs
                    both = {*earlier.targets, *diagnostic.targets}
                    targets = tuple(target for target in self.targets if target in both)
                    names = dict.fromkeys((*earlier.kernels, *diagnostic.kernels))
                    also = tuple(name for name in names if name != merged.kernel)
                    merged = replace(merged, targets=targets, also=also)
                self.diagnostics[key] = merged

    def _collect_unused(self) -> None:
        """Suppressions that silence nothing, where all is known that they may be for."""
        kind = next((rule for rule in self.selection.rules if rule.code == UNUSED), None)
        analysis = self.analysis
        if kind is None or analysis.failures or not analysis.parsed or not analysis.file.kernels:
            return
        if not analysis.asked_all:
            return
        certain = sees_all(analysis.file)
        if certain is None:
            return
        language = analysis.file.language
        unused = self.uses.unused(self.known, self.selection.rules, analysis.targets, language, certain)
        findings = tuple(entry.finding(analysis.source, analysis.targets, certain) for entry in unused)
        for span, diagnostic in self._judged(Check(kind, None, lambda: findings)):
            line = diagnostic.location.start.line
            # Only by its own name: a bare `ignore` covers its own line.
            if any(
                entry.reaches(line, UNUSED) and UNUSED_NAMES & {*entry.selectors} for entry in self.suppressions.entries
            ):
                self.suppressed += 1
            else:
                self.diagnostics[diagnostic.code, span, diagnostic.message] = diagnostic

    def _judged(self, check: Check) -> Iterator[tuple[Span, Diagnostic]]:
        kind, kernel, findings = check.rule, check.kernel, tuple(check.ask())
        if kernel is not None:
            self.certain = self.analysis.file.certain  # rules ask, and by what they ask libclang is asked
        threshold = self._threshold(kind)
        targets, read = self.analysis.targets, self.analysis.file.source
        forced = severity_of(kind, self.analysis.settings.severities)
        for finding in findings:
            by_target = finding.severities
            everywhere = dict.fromkeys(targets, by_target[EVERY_TARGET]) if EVERY_TARGET in by_target else {}
            severities = everywhere | {t: by_target[t] for t in targets if t in by_target}
            if forced is not None:
                severities = dict.fromkeys(severities, forced)
            severity = max(severities.values(), default=None)
            if severity is None:
                continue
            if severity < threshold:
                silenced = self.uses.silence(read.line_of(finding.span.start), kind.code, kind.name)
                if severity is Severity.HINT and self.analysis.settings.min_severity is None and not silenced:
                    self.hidden[kind.code, finding.span, finding.message] = None
                continue
            shown = tuple(t for t, level in severities.items() if level >= threshold)
            say = partial(in_words_of, vendor_of(shown))
            yield (
                finding.span,
                Diagnostic(
                    code=kind.code,
                    name=kind.name,
                    severity=severity,
                    location=_location(self.analysis.source, read.shown(finding.span)),
                    message=say(finding.message),
                    kernel=finding.kernel,
                    targets=shown,
                    help=say(finding.help),
                    url=kind.info.url,
                    related=tuple(filter(None, (self._related(note, say) for note in self._notes(finding)))),
                    fix=self._fix(finding),
                ),
            )

    def _threshold(self, kind: registry.Entry) -> Severity:
        """Lowest severity that is shown: everything for a rule that is selected by its own code or name."""
        settings = self.analysis.settings
        if kind.code in self.selection.explicit and settings.min_severity is None:
            return Severity.HINT
        return settings.threshold

    def _notes(self, finding: Finding) -> tuple[Note, ...]:
        """A finding's notes; where its text comes from by an `#include` or a macro, that first. Those of an included
        text are at their places there.
        """
        read = self.analysis.file.source
        origin = read.origin(finding.span)
        notes = [note if note.path not in (None, "", read.path) else self._in_its_file(note) for note in finding.notes]
        if origin is None:
            return tuple(notes)
        place = read.shown(finding.span)  # where all notes of that text would be
        others = (note for note in notes if note.path or note.span.start != place.start)
        return (Note(origin.span, origin.words, origin.path), *others)

    def _in_its_file(self, note: Note) -> Note:
        read = self.analysis.file.source
        origin = read.origin(note.span)
        if origin is None or origin.words != INCLUDED:
            return note._replace(span=read.shown(note.span))
        return Note(origin.span, note.message, origin.path)

    def _related(self, note: Note, say: Callable[[str], str]) -> Related | None:
        """A note's place; None if it is in a header that cannot be read (any more)."""
        path = note.path or ""
        if path not in self.others:
            self.others[path] = self.analysis.source_of(path)
        source = self.others[path]
        return None if source is None else Related(_location(source, note.span), say(note.message))

    def _fix(self, finding: Finding) -> ResolvedFix | None:
        if finding.fix is None:
            return None
        edits = sorted(finding.fix.edits)
        for first, second in pairwise(edits):
            if second.span.start < first.span.end:
                raise ValueError(f"fix edits overlap at bytes {second.span.start} to {first.span.end}")
        if not all(self._is_read_as_it_is(edit.span, edit.text) for edit in edits):
            return None
        place, shown = self.analysis.source.position, self.analysis.file.source.shown
        spans = [shown(edit.span) for edit in edits]
        resolved = tuple(
            ResolvedEdit(place(span.start), place(span.end), edit.text) for span, edit in zip(spans, edits, strict=True)
        )
        # What libclang said without all headers may be wrong, and a safe fix keeps every result.
        applicability = finding.fix.applicability if self.certain else "unsafe"
        return ResolvedFix(finding.fix.title, applicability, resolved)

    def _is_read_as_it_is(self, span: Span, new: str) -> bool:
        """Whether the text that a fix replaces is the file's own, and none that is included or spelled otherwise; what
        comes into a string literal has nothing that would have to be escaped there.
        """
        read, written = self.analysis.file.source, self.analysis.source
        if read.data is written.data:
            return True
        if read.origin(span) is not None:
            return False
        real = read.shown(span)
        before = min(1, span.start, real.start)
        was = written.data[real.start - before : real.end]
        special = '"\\\n{}%$' if written.path.endswith(".py") else '"\\\n'  # a template doubles its marks
        if span.start >= written.size and any(char in new for char in special):
            return False
        return bool(real.end - real.start == span.end - span.start) and read.data[span.start - before : span.end] == was

    def _internal_error(self, failure: Failure) -> Diagnostic:
        source, kernel = self.analysis.source, failure.kernel
        span = kernel.name_span if kernel is not None and kernel.path == source.path else _START
        message = f"{failure.doing} failed: {failure.reason}"
        diagnostic = internal_error(_location(source, span), message, kernel.name if kernel else None)
        return replace(diagnostic, targets=self.analysis.targets)


def _location(source: Source, span: Span) -> Location:
    start = source.position(span.start)
    return Location(source.path, start, source.position(span.end), source.line_text(start.line))


def internal_error(location: Location, message: str, kernel: str | None = None) -> Diagnostic:
    """The diagnostic of a failure inside this program or a plugin."""
    url = f"{DOCUMENTATION_URL}{INTERNAL_ERROR_NAME}"
    help_ = "this is a defect of the linter or of a plugin, not of the code; --verbose shows where it happened"
    return Diagnostic(
        code=INTERNAL_ERROR,
        name=INTERNAL_ERROR_NAME,
        severity=Severity.ERROR,
        location=location,
        message=message,
        kernel=kernel,
        help=help_,
        url=url,
    )


def _and_there(diagnostic: Diagnostic, same: Diagnostic) -> Diagnostic:
    """A finding that says the same of several places is one, with all of the places: those in other files, and where
    kernels use the macro that it is about.
    """
    places = [related for related in same.related if related.message == same.related[0].message]
    new = [place for place in places if place not in diagnostic.related]
    if not new or (new[0].location.path == diagnostic.location.path and new[0].message != USED):
        return diagnostic
    return replace(diagnostic, related=(*diagnostic.related, *new)[:_MOST_PLACES])
