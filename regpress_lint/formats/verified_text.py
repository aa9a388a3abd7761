"""`verify` as a table: a line a finding and target, before and after."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from regpress_lint.formats.columns import named
from regpress_lint.formats.kernels_text import short
from regpress_lint.formats.terminal import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.measured.proof import Numbers
    from regpress_lint.measured.trial import Change
    from regpress_lint.views.verified import VerifiedRow

_HEAD = (
    *("finding", "where", "kernel", "target", "registers", "spills", "scratch", "LDS", "code", "waves/SIMD"),
    *("the kernel", "the fix"),
)
_TEXTS = frozenset({0, 1, 2, 3, 10, 11})
_FIELDS = ("registers", "spills", "scratch_bytes", "lds_bytes", "code_bytes", "waves")
_ORDER = ("confirmed", "refuted", "broken", "no change", "unverified")


def lines(rows: Sequence[VerifiedRow], compiled: int, recalled: int, width: int | None = None) -> Iterator[str]:
    """The table, what could not be compiled, and the sum."""
    cells = [_cells(row, target, change) for row in rows for target, change in row.changes]
    if cells:
        yield from named([_HEAD, *cells], 3, _TEXTS, width)
        yield ""
    for error in dict.fromkeys(change.error for row in rows for _, change in row.changes if change.error):
        yield f"  {visible(error)}"
    counts = Counter(row.verdict for row in rows)
    parts = ", ".join(f"{counts[name]} {name}" for name in _ORDER if counts[name])
    kept = f" ({recalled} {'result was' if recalled == 1 else 'results were'} known)" if recalled else ""
    what = "1 fix" if len(rows) == 1 else f"{len(rows)} fixes"
    yield f"{what}: {parts or 'none to verify'}; compiled {compiled} times{kept}"


def _cells(row: VerifiedRow, target: str, change: Change) -> tuple[str, ...]:
    where = visible(f"{row.path}:{row.line}")
    verdict = row.verdict if row.how == "alone" else f"{row.verdict} {row.how}"
    numbers = (_moved(change.before, change.after, field) for field in _FIELDS)
    return (row.code, where, visible(row.kernel), target, *numbers, change.verdict, verdict)


def _moved(before: Numbers | None, after: Numbers | None, field: str) -> str:
    if before is None or after is None:
        return "-"
    one, other = (short(float(getattr(numbers, field))) for numbers in (before, after))
    return one if one == other else f"{one} -> {other}"
