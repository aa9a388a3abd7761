"""Text for people. `full`: findings with their code, a caret under it, related places, help and fix, then the counts.
`concise`: one line per finding, as GCC writes them. `summary`: the worst findings and counts by rule, at most a screen.
"""

from __future__ import annotations

from collections import Counter

from regpress_lint.core.diagnostics import PROMISES, Diagnostic, Location, Report, ResolvedFix, Severity, texts
from regpress_lint.core.named import NamedTuple, replace
from regpress_lint.render import SEVERITY_STYLES, Options
from regpress_lint.render.columns import table
from regpress_lint.render.terminal import MINIMUM_WIDTH, Cell, Palette, Style, cells, count, layout, visible, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


ELLIPSIS = "..."
# Characters kept on either side of a span before the exact clipping: bounds the work on a line of many megabytes.
_NEIGHBOURHOOD = 400
_CONTEXT_CELLS = 20
_UNKNOWN, _MOST_UNKNOWN = "RP001", 5
_MORE_UNKNOWN = "{} more of RP001, about kernels that are not known whole: --select RP001 shows all of them."
_LABEL_CELLS = 40  # that the text below an underline has at least, if the width allows it


def render_full(report: Report, options: Options) -> Iterator[str]:
    """All findings, a blank line after each, then one line of counts unless it shall be quiet."""
    width = max(options.width, MINIMUM_WIDTH)
    left_out = _left_out(report.diagnostics) if options.brief else frozenset()
    yield from (
        block(diagnostic, options) for number, diagnostic in enumerate(report.diagnostics) if number not in left_out
    )
    if left_out:
        yield "".join(f"{line}\n" for line in (*wrap(_MORE_UNKNOWN.format(len(left_out)), width), ""))
    if not options.quiet:
        yield "".join(f"{line}\n" for text in _closing(report, options) for line in wrap(text, width))


def _closing(report: Report, options: Options) -> Iterator[str]:
    """The counts and, of languages that are judged for different GPUs, which ones."""
    yield summary(report, options.unsafe)
    judged = texts(report, "judged")
    if len(judged) > 1:
        yield f"Without --arch each language has its own GPU: {', '.join(sorted(judged))}."


def _left_out(diagnostics: Sequence[Diagnostic]) -> frozenset[int]:
    """Findings that only count: without the headers of a project most of its kernels are not known whole, and the
    other findings would be lost among them. A header that several files miss is named once.
    """
    shown: set[str] = set()
    left_out = []
    for number, diagnostic in enumerate(diagnostics):
        if diagnostic.code == _UNKNOWN:
            if diagnostic.message in shown or len(shown) == _MOST_UNKNOWN:
                left_out.append(number)
            else:
                shown.add(diagnostic.message)
    return frozenset(left_out)


def block(diagnostic: Diagnostic, options: Options) -> str:
    """A finding with a blank line behind it."""
    palette, width = Palette(options.color, options.links), max(options.width, MINIMUM_WIDTH)
    return "".join(f"{line}\n" for line in (*_diagnostic(diagnostic, palette, width), ""))


def explain_one(diagnostics: Sequence[Diagnostic]) -> str:
    """Where more is said about the first of the worst findings; empty without any."""
    worst = max(diagnostics, key=lambda diagnostic: diagnostic.severity, default=None)
    return "" if worst is None else f"Explain one: `regpress-lint rule {visible(worst.code)}`"


def summary(report: Report, unsafe: bool = False) -> str:
    """Counts of a report as one line, as a person would say them; `unsafe` counts all fixes alike."""
    kernels, files = count(report.kernels, "kernel"), count(report.files, "file")
    suppressed = f" {report.suppressed} suppressed." if report.suppressed else ""
    suppressed += f" {report.baselined} in the baseline." if report.baselined else ""
    if not report.diagnostics:
        if not report.files:
            return "No findings: no file with GPU code was looked at."
        return f"No findings in {kernels} of {files}{_hidden(report)}.{suppressed}"
    plurals = {Severity.ERROR: "errors", Severity.WARNING: "warnings", Severity.INFO: "info", Severity.HINT: "hints"}
    counts = [(report.count(severity), severity) for severity in sorted(Severity, reverse=True)]
    counted = [f"{count} {severity.label if count == 1 else plurals[severity]}" for count, severity in counts if count]
    listed = counted[0] if len(counted) == 1 else f"{', '.join(counted[:-1])} and {counted[-1]}"
    return f"Found {listed} in {files} ({kernels}).{suppressed}{_fixable(report, unsafe)}"


def _hidden(report: Report) -> str:
    """How many hints were found that the default profile does not show."""
    hints = report.extra.get("hidden", ())
    number = len(hints) if isinstance(hints, tuple) else 0
    return f" ({count(number, 'hint')} hidden: --profile strict)" if number else ""


def _fixable(report: Report, unsafe: bool) -> str:
    safe, fixable = report.fixable(), report.fixable(unsafe=True)
    if fixable and (unsafe or not safe):
        return f" {fixable} fixable with --fix --unsafe-fixes."
    more = f", {fixable - safe} more with --unsafe-fixes" if fixable > safe else ""
    return f" {safe} fixable with --fix{more}." if safe else ""


class _Mark(NamedTuple):
    """A place in a file, its message, and how it is underlined."""

    location: Location
    text: str
    caret: str
    style: Style


class _Frame(NamedTuple):
    """Shared state of all lines of one diagnostic: `margin` is the number of cells of its line numbers."""

    palette: Palette
    margin: int
    width: int

    def gutter(self, text: str = "", mark: str = "|") -> str:
        return self.palette.paint(f"{text:>{self.margin}} {mark}", "gutter")

    def annotation(self, label: str, text: str, style: Style) -> Iterator[str]:
        """`= label: text`, later lines indented below the text."""
        before = self.margin + len(" = ") + len(label) + len(": ")
        first, *rest = wrap(text, self.width, first=before, indent=" " * before)
        yield f"{self.gutter(mark='=')} {self.palette.paint(label, style)}: {first}"
        yield from rest


def _diagnostic(diagnostic: Diagnostic, palette: Palette, width: int) -> list[str]:
    numbers = [diagnostic.location.start.line, *(related.location.start.line for related in diagnostic.related)]
    frame = _Frame(palette, len(str(max(numbers))), width)
    lines = list(_block(diagnostic, frame))
    # Code ends in an empty gutter line, which separates it from what follows: from nothing, if nothing does.
    return lines[:-1] if lines[-1] == frame.gutter() else lines


def _block(diagnostic: Diagnostic, frame: _Frame) -> Iterator[str]:
    style = SEVERITY_STYLES[diagnostic.severity]
    yield from _header(diagnostic, style, frame)
    marks = [_Mark(diagnostic.location, "", "^", style)]
    marks += [_Mark(related.location, related.message, "-", "gutter") for related in diagnostic.related]
    for number, path in enumerate(dict.fromkeys(mark.location.path for mark in marks)):
        in_file = [mark for mark in marks if mark.location.path == path]
        yield from _code(in_file, ":::" if number else "-->", frame)
    where = [diagnostic.about] if diagnostic.kernel else []
    where += [f"targets: {', '.join(diagnostic.targets)}"] if diagnostic.targets else []
    if where:
        label, _, text = ", ".join(where).partition(": ")
        yield from frame.annotation(label, text, "bold")
    if diagnostic.help:
        yield from frame.annotation("help", diagnostic.help, "help")
    if diagnostic.fix is not None:
        yield from frame.annotation("fix", _describe(diagnostic.fix), "help")


def _describe(fix: ResolvedFix) -> str:
    flags = "--fix" if fix.applicability == "safe" else "--fix --unsafe-fixes"
    return f"{fix.title} ({PROMISES[fix.applicability]}: apply with {flags})"


def _header(diagnostic: Diagnostic, style: Style, frame: _Frame) -> Iterator[str]:
    palette = frame.palette
    label, rule = diagnostic.severity.label, visible(f"{diagnostic.code} {diagnostic.name}")
    used = len(f"{label}[{rule}]: ")
    first, *rest = wrap(diagnostic.message, frame.width, first=used, indent="  ")
    tag = palette.paint(f"{label}[", style) + palette.link(palette.paint(rule, style), diagnostic.url)
    yield f"{tag}{palette.paint(']', style)}: {palette.paint(first, 'bold')}".rstrip()
    yield from (f"  {palette.paint(line[2:], 'bold')}" for line in rest)


class _Row(NamedTuple):
    """Marks below a line of code that say the same: `spans` are cells before and under the carets."""

    line: int
    code: str
    mark: _Mark
    spans: tuple[tuple[int, int], ...]

    def joined(self, after: _Row) -> _Row | None:
        """Both as one row, if they are alike and do not overlap."""
        alike = (self.line, self.code, *self.mark[1:]) == (after.line, after.code, *after.mark[1:])
        offset, length = self.spans[-1]
        return self._replace(spans=self.spans + after.spans) if alike and after.spans[0][0] > offset + length else None


def _code(marks: Sequence[_Mark], arrow: str, frame: _Frame) -> Iterator[str]:
    """Marked places of one file in the order of their lines, each with its text; the first is the one that is named."""
    palette, start = frame.palette, marks[0].location.start
    place = f"{visible(marks[0].location.path)}:{start.line}:{start.column}"
    yield f"{' ' * (frame.margin - 1)} {palette.paint(arrow, 'gutter')} {place}"
    yield frame.gutter()
    if not any(mark.location.line_text or mark.text for mark in marks):
        return  # of a file that nobody could read there is nothing to show
    before: _Row | None = None
    for row in _rows(marks, frame.width - frame.margin - len(" | ")):
        if before is not None and row.line > before.line + 1:
            yield palette.paint(ELLIPSIS, "gutter")
        if before is None or (row.line, row.code) != (before.line, before.code):
            yield f"{frame.gutter(str(row.line))} {row.code}".rstrip()
        yield from _underline(row, frame)
        before = row
    yield frame.gutter()


def _rows(marks: Sequence[_Mark], width: int) -> list[_Row]:
    rows: list[_Row] = []
    for mark in sorted(marks, key=lambda mark: (mark.location.start.line, mark.location.start.codepoint)):
        code, offset, length = excerpt(mark.location, width)
        row = _Row(mark.location.start.line, code, mark, ((offset, length),))
        both = rows[-1].joined(row) if rows else None
        rows[-1:] = [both] if both is not None else [*rows[-1:], row]
    return rows


def _underline(row: _Row, frame: _Frame) -> Iterator[str]:
    """Carets with the text beside them, or below where there is no room."""
    mark, room = row.mark, frame.width - frame.margin - len(" | ")
    carets, used = "", 0
    for offset, length in row.spans:
        carets += " " * (offset - used) + frame.palette.paint(mark.caret * length, mark.style)
        used = offset + length
    text = visible(mark.text)
    beside = bool(text) and used + 1 + cells(text) <= room
    yield f"{frame.gutter()} {carets}{f' {text}' if beside else ''}"
    if text and not beside:
        indent = " " * max(0, min(row.spans[0][0], room - _LABEL_CELLS))
        first, *rest = wrap(mark.text, room, first=len(indent), indent=indent)
        yield from (f"{frame.gutter()} {line}" for line in (indent + first, *rest))


def excerpt(location: Location, width: int) -> tuple[str, int, int]:
    """The first line of a span, clipped to `width` cells around it: text, then cells before and under the caret.

    A span of several lines is underlined to the end of its first; an empty one gets one caret.
    """
    line = location.line_text.rstrip()
    first = min(location.start.codepoint - 1, len(line))
    last = len(line) if location.end.line > location.start.line else min(location.end.codepoint - 1, len(line))
    last = max(last, first)
    left, right = max(first - _NEIGHBOURHOOD, 0), min(last, first + _NEIGHBOURHOOD) + _NEIGHBOURHOOD
    shown = layout(line[left:right])
    return _clip(shown, first - left, last - left, width, (left > 0, right < len(line)))


def _clip(shown: list[Cell], first: int, last: int, width: int, cut: tuple[bool, bool]) -> tuple[str, int, int]:
    """Clip cells to `width`; `cut` says whether text was left out already on the left and on the right."""
    before, total = sum(cell.width for cell in shown[:first]), sum(cell.width for cell in shown)
    low, prefix = 0, ""
    if cut[0] or (total > width and before + sum(cell.width for cell in shown[first:last]) > width - len(ELLIPSIS)):
        prefix, low, before_it = ELLIPSIS, first, 0
        while low > 0 and before_it + shown[low - 1].width <= _CONTEXT_CELLS:
            low -= 1
            before_it += shown[low].width
        if low == 0 and not cut[0]:
            prefix = ""
    high, used = low, len(prefix)
    while high < len(shown) and used + shown[high].width <= width:
        used += shown[high].width
        high += 1
    suffix = ""
    if high < len(shown) or cut[1]:
        suffix = ELLIPSIS
        while high > first and used + len(ELLIPSIS) > width:
            high -= 1
            used -= shown[high].width
    offset = len(prefix) + sum(cell.width for cell in shown[low:first])
    length = sum(cell.width for cell in shown[first : min(last, high)])
    return f"{prefix}{''.join(cell.text for cell in shown[low:high])}{suffix}", offset, max(length, 1)


def render_concise(report: Report, options: Options) -> Iterator[str]:
    """`path:line:col: severity: message [CODE name]`, columns in UTF-8 bytes, then a `note` line per related place."""
    palette = Palette(options.color)
    for diagnostic in report.diagnostics:
        yield "".join(f"{line}\n" for line in _lines(diagnostic, palette))


def _lines(diagnostic: Diagnostic, palette: Palette) -> Iterator[str]:
    severity = palette.paint(f"{diagnostic.severity.label}:", SEVERITY_STYLES[diagnostic.severity])
    rule = visible(f"[{diagnostic.code} {diagnostic.name}]")
    yield f"{_place(diagnostic.location, palette)} {severity} {visible(diagnostic.message)} {rule}"
    for related in diagnostic.related:
        yield f"{_place(related.location, palette)} {palette.paint('note:', 'bold')} {visible(related.message)}"


def _place(location: Location, palette: Palette) -> str:
    return palette.paint(f"{visible(location.path)}:{location.start.line}:{location.start.column}:", "bold")


_MORE = "All of them: --output-format full, or concise for a line each."


def render_summary(report: Report, options: Options) -> Iterator[str]:
    """The worst findings without their notes, one of each rule first, as many as fit; each rule's counts; the sum."""
    width = max(options.width, MINIMUM_WIDTH)
    ordered = worst_first(report.diagnostics)
    below = [line for text in _below(report, options) for line in wrap(text, width)]
    first = block(replace(ordered[0], related=()), options).count("\n") if ordered else 0
    most = min(options.height // 2 - len(below), options.height - len(below) - first - 3)  # "and 3 more rules"
    rules = list(_rules(report, options, width, max(most, 3)))
    room = options.height - len(below) - len(rules) - 2  # a blank line behind the rules, the reader's prompt
    shown = 0
    for diagnostic in ordered:
        text = block(replace(diagnostic, related=()), options)
        room -= text.count("\n")
        if room < 0 and shown:
            break
        shown += 1
        yield text
    if shown < len(ordered):
        yield "".join(f"{line}\n" for line in (*rules, ""))
    else:
        below = [line for line in below if line != _MORE]
    yield "".join(f"{line}\n" for line in below)


def worst_first(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """By severity; of one severity a finding of each rule before a second one of any, frequent rules first."""
    counted = Counter((diagnostic.severity, diagnostic.code) for diagnostic in diagnostics)
    seen: Counter[tuple[Severity, str]] = Counter()
    keys = []
    for index, diagnostic in enumerate(diagnostics):
        rule = diagnostic.severity, diagnostic.code
        seen[rule] += 1
        keys.append((-diagnostic.severity, seen[rule], -counted[rule], index))
    return [diagnostics[key[-1]] for key in sorted(keys)]


def _below(report: Report, options: Options) -> Iterator[str]:
    if options.quiet:
        return
    yield from _closing(report, options)
    if report.diagnostics:
        yield _MORE
        yield explain_one(worst_first(report.diagnostics))


def _rules(report: Report, options: Options, width: int, most: int) -> Iterator[str]:
    """One line per rule: how many findings of which severity, and the rule's subject."""
    counts: dict[tuple[str, str], list[int]] = {}
    for diagnostic in report.diagnostics:
        numbers = counts.setdefault((diagnostic.code, diagnostic.name), [0] * len(Severity))
        numbers[Severity.ERROR - diagnostic.severity] += 1
    ordered = sorted(counts.items(), key=lambda item: [-count for count in item[1]])
    about = {rule.code: rule.summary for rule in report.rules}
    rows = [
        (_counted(number), visible(f"{code} {name}"), visible(about.get(code, ""))) for (code, name), number in ordered
    ]
    palette = Palette(options.color)
    for line, (_, numbers) in zip(table(rows[:most], frozenset({0, 1, 2})), ordered, strict=False):
        worst = Severity(Severity.ERROR - next(i for i, count in enumerate(numbers) if count))
        cut = line if cells(line) <= width else f"{line[: width - 3].rpartition(' ')[0]}..."
        yield palette.paint(cut, SEVERITY_STYLES[worst])
    if len(rows) > most:
        yield f"and {len(rows) - most} more {'rule' if len(rows) - most == 1 else 'rules'}"


def _counted(numbers: Sequence[int]) -> str:
    """`2 error, 1 info`."""
    words = (severity.label for severity in sorted(Severity, reverse=True))
    return ", ".join(f"{count} {word}" for count, word in zip(numbers, words, strict=True) if count)
