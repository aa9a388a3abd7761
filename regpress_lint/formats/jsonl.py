"""JSON lines: a diagnostic a line, as `json` has it; `schemas/diagnostics.v1.schema.json` describes one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from regpress_lint.formats.json import as_dict, confidences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.diagnostics import Report
    from regpress_lint.formats import Options


def render(report: Report, options: Options) -> Iterator[str]:
    """One object a line, pure ASCII; nothing for a report without findings."""
    confidence = confidences(report)
    for diagnostic in report.diagnostics:
        yield f"{json.dumps(as_dict(diagnostic, confidence(diagnostic.code)))}\n"
