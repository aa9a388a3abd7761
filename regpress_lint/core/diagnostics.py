"""The results of a run: findings as rules yield them, diagnostics as formats print them.

Reports as JSON and back, for the cache: lists in the order of the fields.
"""

from __future__ import annotations

import enum

from regpress_lint.core.named import Literal, NamedTuple, dataclass, replace, values
from regpress_lint.core.source import Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from regpress_lint.core.source import Span


class Severity(enum.IntEnum):
    """How sure and how costly; ordered, so that "at least warning" is a comparison."""

    HINT = 0
    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """Lower-case word used on the command line and in every format."""
        return self.name.lower()


EVERY_TARGET = "*"  # key of `Finding.severities` for what holds whatever the GPU is
# What a fix promises, and the one place that says so. Results are those of the compilers' defaults, which make one
# operation of a product and a sum where they may (nvcc's `-fmad=true`, clang's `-ffp-contract=fast`): a fix that lets
# them, where they could not before, or that keeps them from it, changes results.
#   safe: every result is the same bit for bit, for every input; the kernel is no slower and takes no more registers.
#   costly: every result is the same bit for bit, but registers or time may go either way.
#   unsafe: a result may be another one (a more exact one, too), or something that the source does not show must hold.
Applicability = Literal["safe", "costly", "unsafe"]
PROMISES: Mapping[Applicability, str] = {
    "safe": "safe",
    "costly": "same results, may cost registers or time",
    "unsafe": "unsafe, may change results or rely on what is not in view",
}
Precision = Literal["very-high", "high", "medium", "low"]


class Edit(NamedTuple):
    """Replace the bytes of `span` by `text` (UTF-8)."""

    span: Span
    text: str


class Fix(NamedTuple):
    """A fix with its promise (`Applicability`). The result compiles, whatever the promise."""

    title: str
    applicability: Applicability
    edits: tuple[Edit, ...]


class Note(NamedTuple):
    """A related place; `path` is None for the finding's own file."""

    span: Span
    message: str
    path: str | None = None


class Trial(NamedTuple):
    """A change that a finding advises and nobody may make for the author, so that it is tried and not offered.

    how: the words for it, as in "`with expf` the estimate is ...". cold: the private memory that it ends is touched
    only where the call runs, so that it counts for nothing.
    """

    how: str
    edits: tuple[Edit, ...]
    cold: bool = False


class Finding(NamedTuple):
    """A rule's statement about one place, before the configuration decides whether to report it.

    `severities` maps each target (architecture name, or EVERY_TARGET) for which the finding holds to its severity
    there. `kernel` is that of `check_kernel` where a rule does not say another.
    `message` states the fact with its numbers, `help` says what to write instead. `cost`, of rules that set
    `prices_fixes`: a table's figure with its conditions, which ends the message where no change can be tried. `timed`:
    what a GPU was measured to gain, which ends `help` where the change is tried and gains nothing by the estimate.
    `trial`: the change to try where that is not the fix. gained: its severity on targets where the tried change ends a
    spill or brings a wave; where it may, at some point of the band, it is reported as info.
    """

    span: Span
    message: str
    severities: Mapping[str, Severity]
    help: str = ""
    notes: tuple[Note, ...] = ()
    fix: Fix | None = None
    kernel: str | None = None
    cost: str = ""
    timed: str = ""
    trial: Trial | None = None
    gained: Mapping[str, Severity] | None = None


class Location(NamedTuple):
    """A span turned into positions once, with the text of its first line for formats that show code."""

    path: str
    start: Position
    end: Position
    line_text: str


class Related(NamedTuple):
    """A related place of a diagnostic."""

    location: Location
    message: str


class ResolvedEdit(NamedTuple):
    """An edit with positions."""

    start: Position
    end: Position
    text: str


class ResolvedFix(NamedTuple):
    """A fix with positions; edits are sorted and do not overlap."""

    title: str
    applicability: Applicability
    edits: tuple[ResolvedEdit, ...]


USED = "used here"  # a note about one of several uses of what a finding is about
_MOST_ABOUT = 4  # kernels that `Diagnostic.about` names


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnostic:
    """A finding that passed selection, suppression and the severity filter.

    also: other kernels of which the same is said at the same place, as of a device function that they call.
    """

    code: str
    name: str
    severity: Severity
    location: Location
    message: str
    kernel: str | None = None
    targets: tuple[str, ...] = ()
    help: str = ""
    url: str = ""
    related: tuple[Related, ...] = ()
    fix: ResolvedFix | None = None
    also: tuple[str, ...] = ()

    @property
    def kernels(self) -> tuple[str, ...]:
        """All kernels that it is about."""
        return (() if self.kernel is None else (self.kernel,)) + self.also

    @property
    def about(self) -> str:
        """Its kernels in words, the first few by name: `kernels: a, b and 2 more`."""
        names, more = self.kernels[:_MOST_ABOUT], len(self.kernels) - _MOST_ABOUT
        listed = ", ".join(names) + (f" and {more} more" if more > 0 else "")
        return f"kernel{'s' if self.also else ''}: {listed}" if names else ""

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Stable order of findings whatever the number of jobs."""
        return (self.location.path, self.location.start.byte, self.location.end.byte, self.code, self.message)

    @property
    def place(self) -> tuple[str, str, str, int]:
        """Its name in another run of the same source: rule, file, kernel, line."""
        return (self.code, self.location.path, self.kernel or "", self.location.start.line)


class RuleInfo(NamedTuple):
    """The properties of a rule that formats can use.

    `severity` is what the rule usually reports and `precision` how seldom it is wrong, both in SARIF's terms;
    a finding's own severity may differ. `read` gives the rule's page; None if the summary is all that there is.
    """

    code: str
    name: str
    summary: str
    url: str = ""
    severity: Severity = Severity.WARNING
    precision: Precision = "high"
    read: Callable[[], str] | None = None

    @property
    def documentation(self) -> str:
        """Markdown: the summary, then the fixed headings. Read now, because most runs show no page."""
        return self.summary if self.read is None else self.read()


_NO_EXTRA: Mapping[str, object] = {}  # never written to; a mappingproxy cannot travel between processes


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """Result of a run: diagnostics in `sort_key` order, counts, and all rules that were enabled.

    suppressed: findings that a comment silences. baselined: those that the baseline holds.
    extra: what only some runs have, by name; `proofs` is what compilers said of findings, by their `place`.
    `problems` are lines for stderr about the run itself (unreadable file, plugin that failed); any of them,
    and any RP009, makes the exit status 2.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    files: int = 0
    kernels: int = 0
    rules: tuple[RuleInfo, ...] = ()
    problems: tuple[str, ...] = ()
    suppressed: int = 0
    baselined: int = 0
    extra: Mapping[str, object] = _NO_EXTRA

    def count(self, severity: Severity) -> int:
        """Number of diagnostics of exactly this severity."""
        return sum(diagnostic.severity is severity for diagnostic in self.diagnostics)

    def fixable(self, unsafe: bool = False) -> int:
        """Number of diagnostics with a safe fix, with `unsafe` of those with any fix."""
        return sum(d.fix is not None and (unsafe or d.fix.applicability == "safe") for d in self.diagnostics)


_MOST_KERNELS = 16  # that a message names


def joined(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What people read: diagnostics that say the same of several kernels, for the same places, are one. A sine in a
    device function has its slow path in each kernel that calls it.
    """
    groups: dict[object, list[Diagnostic]] = {}
    for number, diagnostic in enumerate(diagnostics):
        groups.setdefault(number if _cause(diagnostic) is None else _cause(diagnostic), []).append(diagnostic)
    return tuple(_together(*group) for group in groups.values())


def _cause(diagnostic: Diagnostic) -> object:
    """The same for diagnostics that differ in their kernel alone; None for one that is about a place of its own."""
    kernel = diagnostic.kernel
    if not kernel or diagnostic.fix is not None or not diagnostic.related:
        return None
    text = diagnostic.message.replace(f"`{kernel}`", "``")
    return diagnostic.code, diagnostic.severity, diagnostic.targets, text, _advice(diagnostic.help), diagnostic.related


def _advice(text: str) -> str:
    """The advice of a help without its gain in one kernel: `keep it in LDS (4 -> 3 waves)`."""
    ends = (end for mark in (" (", "; ") if (end := text.find(mark)) > 0)
    return text[: min(ends, default=len(text))]


def _together(first: Diagnostic, *others: Diagnostic) -> Diagnostic:
    kernels = dict.fromkeys(name for diagnostic in others for name in diagnostic.kernels)
    names = [f"`{name}`" for name in kernels if name not in first.kernels]
    if not names:
        return first
    more = len(names) - _MOST_KERNELS
    names[_MOST_KERNELS:] = [f"{more} more"] if more > 0 else []
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    alike = all(diagnostic.help == first.help for diagnostic in others)
    text = first.help if alike else _advice(first.help)
    return replace(first, message=f"{first.message}; the same holds for {listed}", help=text)


_SEVERITIES = tuple(Severity)
_UNFIT = ("tracebacks", "notes")  # what went wrong may go well the next time


def encode(report: Report) -> Any:
    """A report of one file; None for one that is not to be kept."""
    if report.problems or report.rules or any(key in report.extra for key in _UNFIT):
        return None
    extra = {key: lines for key, lines in report.extra.items() if lines}
    if not report.files and not extra:
        return []
    return [[*map(values, report.diagnostics)], report.files, report.kernels, report.suppressed, extra]


def decode(fields: Any) -> Report:
    """The report again. Raises one of many for what `encode` has not made."""
    if not fields:
        return Report()
    diagnostics, files, kernels, suppressed, extra = fields
    lines: dict[str, object] = {key: tuple(value) for key, value in extra.items()}
    return Report(
        diagnostics=tuple(map(_diagnostic, diagnostics)),
        files=int(files),
        kernels=int(kernels),
        suppressed=int(suppressed),
        extra=lines,
    )


def _diagnostic(row: list[Any]) -> Diagnostic:
    code, name, severity, location, message, kernel, targets, help_, url, related, fix, also = row
    return Diagnostic(
        code=code,
        name=name,
        severity=_SEVERITIES[severity],
        location=_location(location),
        message=message,
        kernel=kernel,
        targets=tuple(targets),
        help=help_,
        url=url,
        related=tuple(Related(_location(place), text) for place, text in related),
        fix=None if fix is None else _fix(*fix),
        also=tuple(also),
    )


def _location(row: list[Any]) -> Location:
    path, start, end, line_text = row
    return Location(path, Position(*start), Position(*end), line_text)


def _fix(title: str, applicability: Any, edits: list[Any]) -> ResolvedFix:
    resolved = (ResolvedEdit(Position(*start), Position(*end), text) for start, end, text in edits)
    return ResolvedFix(title, applicability, tuple(resolved))


def merge(reports: Iterable[Report]) -> Report:
    """One report of many, in stable order; warnings and tracebacks are joined."""
    parts = tuple(reports)
    diagnostics = sorted((d for part in parts for d in part.diagnostics), key=lambda diagnostic: diagnostic.sort_key)
    with_extra = [part for part in parts if part.extra]
    extra: dict[str, object] = {}
    for key in ("warnings", "tracebacks", "notes", "settled", "hidden", "judged"):
        lines = [line for part in with_extra for line in texts(part, key)]
        if lines:  # each hint counts; of other lines, those that are alike are one
            extra[key] = tuple(lines if key == "hidden" else dict.fromkeys(lines))
    if timed := [part for part in with_extra if "seconds" in part.extra]:
        extra["seconds"] = seconds(*timed)
    return Report(
        diagnostics=tuple(diagnostics),
        files=sum(part.files for part in parts),
        kernels=sum(part.kernels for part in parts),
        problems=tuple(problem for part in parts for problem in part.problems),
        suppressed=sum(part.suppressed for part in parts),
        baselined=sum(part.baselined for part in parts),
        extra=extra,
    )


def seconds(*reports: Report) -> dict[str, float]:
    """Seconds of each rule by its code, of a run whose settings are `timed`. Work that several rules need counts for
    the first that uses it.
    """
    total: dict[str, float] = {}
    for report in reports:
        extra = report.extra.get("seconds")
        for code, value in extra.items() if isinstance(extra, dict) else ():
            total[code] = total.get(code, 0.0) + value
    return total


def texts(report: Report, key: str) -> tuple[str, ...]:
    """Lines kept under a key of `extra` ("warnings", "tracebacks", "notes", "settled"; "hidden": codes of hints;
    "judged": the GPUs of a language, where nobody names any).
    """
    extra = report.extra.get(key, ())
    return tuple(map(str, extra)) if isinstance(extra, tuple) else ()
