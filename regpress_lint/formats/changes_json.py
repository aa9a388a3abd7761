"""`diff --output-format json`, version 1: `schemas/diff.v1.schema.json` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.formats.json import DEFAULT_CONFIDENCE, as_dict
from regpress_lint.formats.terminal import well_formed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.views.changes import Changes, KernelChange, TargetChange
    from regpress_lint.views.kernels import TargetRow


def document(changes: Changes, base: str, head: str) -> dict[str, Any]:
    """The whole document."""
    counts = {status: changes.count(status) for status in ("changed", "added", "removed")}
    return {
        "version": 1,
        "base": well_formed(base),
        "head": well_formed(head),
        "summary": {"kernels": changes.total, **counts, "worse": changes.worse},
        "kernels": [_kernel(change) for change in changes.kernels],
        "elsewhere": {"new": _findings(changes.new), "gone": _findings(changes.gone)},
    }


def _kernel(change: KernelChange) -> dict[str, Any]:
    return {
        "name": well_formed(change.name),
        "path": well_formed(change.path),
        "line": change.line,
        "status": change.status,
        "was": well_formed(change.was) or None,
        "was_name": well_formed(change.was_name) or None,
        "worse": change.worse,
        "setup": [well_formed(each) for each in change.setup],
        "targets": {target.name: _target(target) for target in change.targets},
        "findings": {"new": _findings(change.new), "gone": _findings(change.gone)},
    }


def _target(change: TargetChange) -> dict[str, Any]:
    return {
        "before": _row(change.before),
        "after": _row(change.after),
        "moved": change.moved,
        "worse": change.worse,
        "why": well_formed(change.why) or None,
    }


def _row(row: TargetRow | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {
        "registers": row.registers._asdict(),
        "budget": row.budget,
        "scratch_bytes": row.scratch_bytes,
        "waves_per_simd": row.occupancy.waves_per_simd,
        "max_waves_per_simd": row.occupancy.max_waves_per_simd,
        "limiters": list(row.occupancy.limiters),
        "roles": [each._asdict() for each in row.roles],
    }


def _findings(found: Iterable[Diagnostic]) -> list[dict[str, object]]:
    return [as_dict(each, DEFAULT_CONFIDENCE) for each in found]
