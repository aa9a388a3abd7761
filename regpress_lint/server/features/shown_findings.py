"""Findings as the editor shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from regpress_lint.core.diagnostics import Severity
from regpress_lint.server.paths import uri_of
from regpress_lint.server.positions import to_client

if TYPE_CHECKING:
    from regpress_lint.core.diagnostics import Diagnostic, Location
    from regpress_lint.server.looks import Look
    from regpress_lint.server.positions import Encoding

SOURCE = "regpress-lint"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}


def diagnostics(look: Look, encoding: Encoding) -> list[types.Diagnostic]:
    """All findings of a text, in its order."""
    return [_shown(found, look, encoding) for found in look.diagnostics]


def _shown(found: Diagnostic, look: Look, encoding: Encoding) -> types.Diagnostic:
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(_uri(each.location, look), range_at(each.location, encoding)), each.message
        )
        for each in found.related
    ]
    return types.Diagnostic(
        range=range_at(found.location, encoding),
        message=message(found),
        severity=_SEVERITIES[found.severity],
        code=found.code,
        code_description=types.CodeDescription(found.url) if found.url else None,
        source=SOURCE,
        related_information=related or None,
    )


def message(found: Diagnostic) -> str:
    """The finding, for which GPUs it holds, and what to do."""
    targets = f" [{', '.join(found.targets)}]" if found.targets else ""
    return f"{found.message}{targets}" + (f"\nhelp: {found.help}" if found.help else "")


def range_at(location: Location, encoding: Encoding) -> types.Range:
    """The range of a location."""
    return types.Range(to_client(location.start, encoding), to_client(location.end, encoding))


def _uri(location: Location, look: Look) -> str:
    return look.text.uri if location.path == look.text.path else uri_of(location.path)
