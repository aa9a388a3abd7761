"""`verify --output-format json`, version 1; `check --confirmed FILE` reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.formats.terminal import well_formed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.measured.proof import Numbers
    from regpress_lint.measured.trial import Change
    from regpress_lint.views.timed import Timed
    from regpress_lint.views.verified import UntriedRow, VerifiedRow


def document(
    rows: Sequence[VerifiedRow],
    untried: Sequence[UntriedRow],
    timing: Timed | None,
    compiled: int,
    recalled: int,
    left_out: Sequence[str],
) -> dict[str, Any]:
    """The whole document."""
    return {
        "version": 1,
        "compiled": compiled,
        "recalled": recalled,
        "findings": list(map(_finding, rows)),
        "not_tried": [each._asdict() for each in untried],
        "time": None if timing is None else _timing(timing),
        "left_out": list(left_out),
    }


def _timing(timing: Timed) -> dict[str, Any]:
    seconds = {"before": list(timing.before), "after": list(timing.after)}
    return {"command": well_formed(timing.command), **seconds, "verdict": timing.verdict}


def _finding(row: VerifiedRow) -> dict[str, Any]:
    values = row._asdict()
    del values["changes"]
    return {**values, "targets": {target: _change(change) for target, change in row.changes}}


def _change(change: Change) -> dict[str, Any]:
    return {
        "verdict": change.verdict,
        "before": _numbers(change.before),
        "after": _numbers(change.after),
        "error": change.error or None,
    }


def _numbers(numbers: Numbers | None) -> dict[str, Any] | None:
    return None if numbers is None else numbers._asdict()
