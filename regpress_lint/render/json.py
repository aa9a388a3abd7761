"""Machine output, version 1 (`schemas/diagnostics.v1.schema.json` describes it): `json`, and `jsonl` with a
diagnostic a line.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from regpress_lint import __version__
from regpress_lint.core.diagnostics import Diagnostic, Precision, Report, ResolvedFix, Severity
from regpress_lint.render.terminal import well_formed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from regpress_lint.core.source import Position
    from regpress_lint.render import Options


VERSION = 1
DEFAULT_CONFIDENCE: Precision = "high"


def render_json(report: Report, options: Options) -> Iterator[str]:
    """One JSON object, pure ASCII, one diagnostic a line (quick to write, to grep and to compare)."""
    head = {
        "version": VERSION,
        "tool": {"name": "regpress-lint", "version": __version__},
        "summary": summary(report, options.unsafe),
    }
    confidence = confidences(report)
    yield f'{json.dumps(head)[:-1]}, "diagnostics": ['
    separator = "\n"
    for diagnostic in report.diagnostics:
        yield separator + json.dumps(as_dict(diagnostic, confidence(diagnostic.code)))
        separator = ",\n"
    yield "\n]}\n" if report.diagnostics else "]}\n"


def confidences(report: Report) -> Callable[[str], Precision]:
    """How seldom a rule of a report is wrong, by its code."""
    precisions = {rule.code: rule.precision for rule in report.rules}
    return lambda code: precisions.get(code, DEFAULT_CONFIDENCE)


def summary(report: Report, unsafe: bool = False) -> dict[str, int]:
    """Counts of a report; `fixable` counts the fixes that are not safe with `unsafe` only, `fixable_unsafe` always."""
    counts = {severity.label: report.count(severity) for severity in sorted(Severity, reverse=True)}
    fixable = {"fixable": report.fixable(unsafe), "fixable_unsafe": report.fixable(unsafe=True)}
    return {"files": report.files, "kernels": report.kernels, **counts, **fixable}


def as_dict(diagnostic: Diagnostic, confidence: Precision) -> dict[str, object]:
    """A diagnostic as version 1 writes it; `confidence` is how seldom its rule is wrong."""
    location = diagnostic.location
    return {
        "code": well_formed(diagnostic.code),
        "name": well_formed(diagnostic.name),
        "severity": diagnostic.severity.label,
        "path": well_formed(location.path),
        "start": _position(location.start),
        "end": _position(location.end),
        "kernel": None if diagnostic.kernel is None else well_formed(diagnostic.kernel),
        "kernels": [*map(well_formed, diagnostic.kernels)],
        "targets": [well_formed(target) for target in diagnostic.targets],
        "message": well_formed(diagnostic.message),
        "help": well_formed(diagnostic.help),
        "confidence": confidence,
        "url": well_formed(diagnostic.url),
        "related": [
            {
                "path": well_formed(related.location.path),
                "start": _position(related.location.start),
                "end": _position(related.location.end),
                "message": well_formed(related.message),
            }
            for related in diagnostic.related
        ],
        "fix": None if diagnostic.fix is None else _fix(diagnostic.fix),
    }


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column, "byte": position.byte}


def _fix(fix: ResolvedFix) -> dict[str, object]:
    return {
        "title": well_formed(fix.title),
        "applicability": fix.applicability,
        "edits": [
            {"start": _position(edit.start), "end": _position(edit.end), "text": well_formed(edit.text)}
            for edit in fix.edits
        ],
    }


def render_jsonl(report: Report, options: Options) -> Iterator[str]:
    """One object a line, pure ASCII; nothing for a report without findings."""
    confidence = confidences(report)
    for diagnostic in report.diagnostics:
        yield f"{json.dumps(as_dict(diagnostic, confidence(diagnostic.code)))}\n"
