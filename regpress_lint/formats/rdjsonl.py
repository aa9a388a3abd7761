"""Reviewdog's diagnostic format, a diagnostic a line, each with its source."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from regpress_lint.formats.rdjson import SOURCE, as_dict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.diagnostics import Report
    from regpress_lint.formats import Options


def render(report: Report, options: Options) -> Iterator[str]:
    """One object a line, pure ASCII."""
    for item in report.diagnostics:
        yield f"{json.dumps({**as_dict(item, options), 'source': SOURCE})}\n"
