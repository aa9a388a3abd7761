"""For people who look for the first time, or at much: the worst findings and counts by rule, at most a screen."""

from __future__ import annotations

from collections import Counter

from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.record import replace
from regpress_lint.render import SEVERITY_STYLES, Options
from regpress_lint.render.columns import table
from regpress_lint.render.full import block, explain_one, summary
from regpress_lint.render.terminal import MINIMUM_WIDTH, Palette, cells, visible, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.diagnostics import Diagnostic, Report


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
    every = Counter((diagnostic.severity, diagnostic.code) for diagnostic in diagnostics)
    seen: Counter[tuple[Severity, str]] = Counter()
    keys = []
    for index, diagnostic in enumerate(diagnostics):
        rule = diagnostic.severity, diagnostic.code
        seen[rule] += 1
        keys.append((-diagnostic.severity, seen[rule], -every[rule], index))
    return [diagnostics[key[-1]] for key in sorted(keys)]


def _below(report: Report, options: Options) -> Iterator[str]:
    if options.quiet:
        return
    yield summary(report, options.unsafe)
    if report.diagnostics:
        yield _MORE
        yield explain_one(worst_first(report.diagnostics))


def _rules(report: Report, options: Options, width: int, most: int) -> Iterator[str]:
    """One line per rule: how many findings of which severity, and the rule's subject."""
    counts: dict[tuple[str, str], list[int]] = {}
    for diagnostic in report.diagnostics:
        own = counts.setdefault((diagnostic.code, diagnostic.name), [0] * len(Severity))
        own[Severity.ERROR - diagnostic.severity] += 1
    ordered = sorted(counts.items(), key=lambda item: [-count for count in item[1]])
    about = {rule.code: rule.summary for rule in report.rules}
    rows = [(_counted(own), visible(f"{code} {name}"), visible(about.get(code, ""))) for (code, name), own in ordered]
    palette = Palette(options.color)
    for line, (_, own) in zip(table(rows[:most], frozenset({0, 1, 2})), ordered, strict=False):
        worst = Severity(Severity.ERROR - next(i for i, count in enumerate(own) if count))
        cut = line if cells(line) <= width else f"{line[: width - 3].rpartition(' ')[0]}..."
        yield palette.paint(cut, SEVERITY_STYLES[worst])
    if len(rows) > most:
        yield f"and {len(rows) - most} more {'rule' if len(rows) - most == 1 else 'rules'}"


def _counted(own: Sequence[int]) -> str:
    """`2 error, 1 info`."""
    words = (severity.label for severity in sorted(Severity, reverse=True))
    return ", ".join(f"{count} {word}" for count, word in zip(own, words, strict=True) if count)
