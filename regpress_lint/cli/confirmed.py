"""`check --confirmed`: only findings of which `verify` said that their fix pays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from regpress_lint.cli.context import complain
from regpress_lint.cli.measured_option import bytes_of
from regpress_lint.core.errors import UsageError

if TYPE_CHECKING:
    from regpress_lint.core.diagnostics import Report

_Place = tuple[str, str, str, int]


def confirmed(report: Report, path: str) -> Report:
    """The report without other findings. Raises UsageError for a file that is not what `verify` writes."""
    proofs = _proofs(bytes_of(path), path)
    found = {each.place: proofs[at] for each in report.diagnostics if (at := _anywhere(each.place)) in proofs}
    kept = tuple(each for each in report.diagnostics if each.place in found)
    lacking = len(proofs) - len({_anywhere(place) for place in found})
    if lacking:
        why = "their files are not in it, or have changed since"
        complain((f"{path}: {lacking} of {len(proofs)} confirmed findings are not in this run: {why}",), "note")
    return report._replace(diagnostics=kept, extra={**report.extra, "proofs": found})


def _anywhere(place: _Place) -> _Place:
    """A place whose file may be written in several ways."""
    return (place[0], os.path.abspath(place[1]), *place[2:])


def _proofs(data: bytes, path: str) -> dict[_Place, Any]:
    """Compilers' results for confirmed findings, by target."""
    import json

    try:
        content = json.loads(data)
        if content["version"] != 1:
            raise UsageError(f'"{path}" is of version {content["version"]!r}, this program reads version 1')
        good = [each for each in content["findings"] if each["verdict"] == "confirmed"]
        places = [(_anywhere((each["code"], each["path"], each["kernel"], each["line"])), each) for each in good]
        return {place: each["targets"] for place, each in places}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UsageError(f'"{path}" is not what `regpress-lint verify --output-format json` writes') from None
