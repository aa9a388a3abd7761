"""The one pipeline: bytes of a file -> model -> rules -> suppressions and severity -> Report."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from regpress_lint.api.rule import DOCUMENTATION_URL
from regpress_lint.core.diagnostics import (
    EVERY_TARGET,
    Diagnostic,
    Finding,
    Location,
    Note,
    Related,
    Report,
    ResolvedEdit,
    ResolvedFix,
    Severity,
)
from regpress_lint.core.errors import one_line
from regpress_lint.core.source import Source, Span
from regpress_lint.lint import registry
from regpress_lint.lint.selection import INTERNAL_ERROR, Selection, select
from regpress_lint.lint.suppressions import Suppressions, parse
from regpress_lint.program import detect_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from regpress_lint.api.rule import Rule
    from regpress_lint.core.settings import Language, Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.model import File, Kernel

T = TypeVar("T")
INTERNAL_ERROR_NAME = "internal-error"
_START = Span(0, 0)


def lint_bytes(
    data: bytes,
    path: str,
    settings: Settings,
    *,
    project: Callable[[], Project] | None = None,
    rules: Sequence[type[Rule]] | None = None,
) -> Report:
    """Lint one file that is given as bytes; nothing is read from disk but headers.

    `project` gives the project that the file belongs to, through which headers are read; it is called only if the
    file holds GPU code, because making it imports the parser. Without it the file is taken by itself.

    A file without GPU code gives an empty report with `files` 0, one larger than `settings.max_file_bytes` a warning
    in `extra["warnings"]`. What libclang settled, or why it did not, is in `extra["settled"]` and `extra["notes"]`. A
    failure inside is an RP009 diagnostic with its traceback in `extra["tracebacks"]`, never an exception. Raises
    UsageError for a selector that means no rule.
    """
    known = registry.load().rules if rules is None else tuple(map(registry.entry, rules))
    selection = select(known, settings, path)
    if len(data) > settings.max_file_bytes:
        return Report(extra={"warnings": (too_large(path, len(data), settings),)})
    language = detect_language(path, data)
    if language is None:
        return Report()
    run = _Run(Source(path, data), language, settings, selection, known, project)
    return run.report()


def too_large(path: str, size: int, settings: Settings) -> str:
    """Why a file is left out for its size."""
    limit = settings.max_file_bytes
    return f"{path}: not linted, {size:,} bytes are more than the {limit:,} of max-file-bytes"


class _Run:
    """One file on its way through; lives for one call of `lint_bytes`."""

    def __init__(
        self,
        source: Source,
        language: Language,
        settings: Settings,
        selection: Selection,
        known: Sequence[registry.Entry],
        project: Callable[[], Project] | None,
    ) -> None:
        self.source, self.language, self.settings = source, language, settings
        self.selection, self.known, self.make_project = selection, known, project
        self.made: dict[str, Rule | None] = {}
        self.project: Project | None = None
        self.targets = settings.targets(language)
        self.diagnostics: dict[tuple[str, Span, str], Diagnostic] = {}
        self.tracebacks: list[str] = []
        self.suppressed = 0
        self.others: dict[str, Source | None] = {}
        self.certain = True

    def report(self) -> Report:
        suppressions = self._guard("reading its suppressions", lambda: parse(self.source, self.known)) or Suppressions()
        file = self._guard("parsing", self._build)
        kernels: tuple[Kernel, ...] = ()
        if file is not None:
            kernels = file.kernels
            self._check(file, suppressions)
        extra: dict[str, object] = {}
        if suppressions.warnings:
            extra["warnings"] = suppressions.warnings
        if self.tracebacks:
            extra["tracebacks"] = tuple(self.tracebacks)
        if self.project is not None and file is not None:
            extra |= _semantic(file, self.project)
        found = tuple(sorted(self.diagnostics.values(), key=lambda diagnostic: diagnostic.sort_key))
        return Report(found, 1, len(kernels), suppressed=self.suppressed, extra=extra)

    def _build(self) -> File:
        from regpress_lint.program import build_file

        if self.make_project is None:
            from regpress_lint.cpp.names.project import Project

            self.project = Project()
        else:
            self.project = self.make_project()
        file = build_file(self.source, self.language, self.project)
        self.settings = self.settings.compiled_for(self.project.command_of(self.source.path))
        self.targets = self.settings.targets(file.language)
        return file

    def _check(self, file: File, suppressions: Suppressions) -> None:
        from regpress_lint.facts.kernel import kernel_facts
        from regpress_lint.source_level.walk import forget_flows

        for kind in self.selection.rules:
            if "file" in kind.hooks and (rule := self._rule(kind)) is not None:
                self._collect(kind, partial(rule.check_file, file), suppressions)
        wanted = [kind for kind in self.selection.rules if "kernel" in kind.hooks]
        if not wanted:
            return
        for kernel in file.kernels:
            analyse = partial(kernel_facts, file, kernel, self.settings)
            facts = self._guard(f"analysing kernel `{kernel.name}`", analyse, kernel)
            if facts is None:
                continue
            for kind in wanted:
                if self._guard(_doing(kind), partial(kind.scope.covers, facts), kernel):
                    rule = self._rule(kind)
                    if rule is not None:
                        self._collect(kind, partial(self._checked, file, rule, facts), suppressions, kernel)
            facts.forget()
        forget_flows()

    def _rule(self, kind: registry.Entry) -> Rule | None:
        """The rule, loaded now if this is its first kernel; None if it cannot be made, which is said once."""
        if kind.code not in self.made:
            self.made[kind.code] = self._guard(_doing(kind), lambda: kind.load()())
        return self.made[kind.code]

    def _checked(self, file: File, rule: Rule, facts: KernelFacts) -> tuple[Finding, ...]:
        found = tuple(rule.check_kernel(facts))
        self.certain = file.certain  # rules ask, and by what they ask libclang is asked
        return found

    def _collect(
        self,
        kind: registry.Entry,
        findings: Callable[[], Iterable[Finding]],
        suppressions: Suppressions,
        kernel: Kernel | None = None,
    ) -> None:
        """Diagnostics of one rule's findings; all of them or, if it fails, none and an internal error."""
        found = self._guard(_doing(kind), lambda: tuple(self._diagnostics(kind, findings(), kernel)), kernel)
        for span, diagnostic in found or ():
            if suppressions.find(diagnostic.location.start.line, kind.code, kind.name):
                self.suppressed += 1
            else:
                key = (kind.code, span, diagnostic.message)
                known = self.diagnostics.get(key)
                # A device function is seen from each kernel that calls it: what it costs the worst of them counts.
                if known is None or diagnostic.severity > known.severity:
                    self.diagnostics[key] = diagnostic

    def _diagnostics(
        self, kind: registry.Entry, findings: Iterable[Finding], kernel: Kernel | None
    ) -> Iterator[tuple[Span, Diagnostic]]:
        explicit = kind.code in self.selection.explicit
        threshold = self.settings.threshold
        if explicit and self.settings.min_severity is None:
            threshold = Severity.HINT
        for finding in findings:
            said = finding.severities
            everywhere = dict.fromkeys(self.targets, said[EVERY_TARGET]) if EVERY_TARGET in said else {}
            severities = everywhere | {t: said[t] for t in self.targets if t in said}
            severity = max(severities.values(), default=None)
            if severity is None or severity < threshold:
                continue
            yield (
                finding.span,
                Diagnostic(
                    kind.code,
                    kind.name,
                    severity,
                    self._location(finding.span),
                    finding.message,
                    finding.kernel if finding.kernel is not None or kernel is None else kernel.name,
                    tuple(t for t, own in severities.items() if own >= threshold),
                    finding.help,
                    kind.info.url,
                    tuple(filter(None, map(self._related, finding.notes))),
                    self._fix(finding),
                ),
            )

    def _location(self, span: Span, source: Source | None = None) -> Location:
        source = source or self.source
        start = source.position(span.start)
        return Location(source.path, start, source.position(span.end), source.line_text(start.line))

    def _related(self, note: Note) -> Related | None:
        """A note's place; None if it lies in a header that cannot be read (any more)."""
        if note.path is None or note.path == self.source.path:
            return Related(self._location(note.span), note.message)
        if note.path not in self.others:
            data = self.project.read(note.path) if self.project is not None else None
            self.others[note.path] = None if data is None else Source(note.path, data)
        other = self.others[note.path]
        return None if other is None else Related(self._location(note.span, other), note.message)

    def _fix(self, finding: Finding) -> ResolvedFix | None:
        if finding.fix is None:
            return None
        edits = sorted(finding.fix.edits)
        for one, two in pairwise(edits):
            if two.span.start < one.span.end:
                raise ValueError(f"fix edits overlap at bytes {two.span.start} to {one.span.end}")
        place = self.source.position
        resolved = tuple(ResolvedEdit(place(edit.span.start), place(edit.span.end), edit.text) for edit in edits)
        # What libclang said without all headers may be wrong, and a safe fix keeps every result.
        applicability = finding.fix.applicability if self.certain else "unsafe"
        return ResolvedFix(finding.fix.title, applicability, resolved)

    def _guard(self, doing: str, action: Callable[[], T], kernel: Kernel | None = None) -> T | None:
        """Result of `action`; if it raises, an RP009 diagnostic and None. MemoryError and RecursionError count too."""
        try:
            return action()
        except Exception as error:
            import traceback

            self.tracebacks.append(f"{self.source.path}: {doing}\n{traceback.format_exc(limit=-30)}")
            in_file = kernel is not None and kernel.path == self.source.path
            span = kernel.name_span if kernel is not None and in_file else _START
            found = internal_error(
                self._location(span), f"{doing} failed: {one_line(error)}", kernel.name if kernel else None
            )
            self.diagnostics.setdefault((found.code, span, found.message), found._replace(targets=self.targets))
            return None


def internal_error(location: Location, message: str, kernel: str | None = None) -> Diagnostic:
    """The diagnostic of a failure inside this program or a plugin."""
    url = f"{DOCUMENTATION_URL}{INTERNAL_ERROR_NAME}"
    help_ = "this is a defect of the linter or of a plugin, not of the code; --verbose shows where it happened"
    return Diagnostic(
        INTERNAL_ERROR, INTERNAL_ERROR_NAME, Severity.ERROR, location, message, kernel, help=help_, url=url
    )


def _semantic(file: File, project: Project) -> dict[str, object]:
    """What libclang was asked in vain ("notes") and what it settled ("settled"), as lines."""
    notes, settled = project.taken_notes(), file.settled()
    extra: dict[str, object] = {"notes": notes} if notes else {}
    if settled:
        from regpress_lint.semantics.settled import settled_lines

        extra["settled"] = settled_lines(settled, project.line_of)
    return extra


def _doing(rule: registry.Entry) -> str:
    return f"rule {rule.code} ({rule.name})"


def merge(reports: Iterable[Report]) -> Report:
    """One report of many, in stable order; warnings and tracebacks are joined."""
    parts = tuple(reports)
    diagnostics = sorted((d for part in parts for d in part.diagnostics), key=lambda diagnostic: diagnostic.sort_key)
    extra: dict[str, object] = {}
    for key in ("warnings", "tracebacks", "notes", "settled"):
        joined = tuple(line for part in parts for line in texts(part, key))
        if joined:
            extra[key] = joined
    return Report(
        tuple(diagnostics),
        sum(part.files for part in parts),
        sum(part.kernels for part in parts),
        problems=tuple(problem for part in parts for problem in part.problems),
        suppressed=sum(part.suppressed for part in parts),
        extra=extra,
    )


def texts(report: Report, key: str) -> tuple[str, ...]:
    """Lines kept under a key of `extra` ("warnings", "tracebacks", "notes", "settled")."""
    found = report.extra.get(key, ())
    return tuple(map(str, found)) if isinstance(found, tuple) else ()
