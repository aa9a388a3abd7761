"""`check --confirmed`: only findings of which `verify` said that their fix pays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cli.measured import bytes_of
from regpress_lint.core.errors import UsageError

if TYPE_CHECKING:
    from regpress_lint.core.diagnostics import Diagnostic, Report

_Key = tuple[str, str, str, int]


def confirmed(report: Report, path: str) -> Report:
    """The report without other findings. Raises UsageError for a file that is not what `verify` writes."""
    known = _confirmed(bytes_of(path), path)
    return report._replace(diagnostics=tuple(each for each in report.diagnostics if _key(each) in known))


def _key(finding: Diagnostic) -> _Key:
    return finding.code, finding.location.path, finding.kernel or "", finding.location.start.line


def _confirmed(data: bytes, path: str) -> frozenset[_Key]:
    import json

    try:
        content = json.loads(data)
        if content["version"] != 1:
            raise UsageError(f'"{path}" is of version {content["version"]!r}, this program reads version 1')
        good = (each for each in content["findings"] if each["verdict"] == "confirmed")
        return frozenset((each["code"], each["path"], each["kernel"], each["line"]) for each in good)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UsageError(f'"{path}" is not what `regpress-lint verify --output-format json` writes') from None
