"""What `verify` found: a finding with a fix, and a compiler's results for the fix on each target. As a table, one
line per finding and target, and as JSON, version 1, which `check --confirmed FILE` reads.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from regpress_lint.commands.kernels.output import short
from regpress_lint.core.named import NamedTuple
from regpress_lint.render.columns import named
from regpress_lint.render.terminal import count, visible
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.commands.verify.trying import Change, Result
    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.lint.advice.reasons import Answers
    from regpress_lint.measured.ratchet import Numbers


class VerifiedRow(NamedTuple):
    """verdict: confirmed, refuted, no change, broken or unverified. kept: whether `--fix` applies it.

    how: `alone` or `together`, where only other fixes of the kernel make it good; `advice` for a change that the rule
    has no fix for. changes: by target.
    """

    code: str
    name: str
    severity: str
    path: str
    line: int
    kernel: str
    title: str
    applicability: str
    verdict: str
    kept: bool
    how: str
    changes: tuple[tuple[str, Change], ...]


def row_of(finding: Diagnostic, result: Result) -> VerifiedRow:
    """The row of one finding, whose fix is one of the result's group; of advice the group's only one."""
    fix = finding.fix if result.how != "advice" else result.group.fixes[0]
    assert fix is not None
    kept = fix in result.kept
    refuted = result.verdict == "confirmed" and not kept and result.how != "advice"
    return VerifiedRow(
        finding.code,
        finding.name,
        finding.severity.label,
        finding.location.path,
        finding.location.start.line,
        finding.kernel or "",
        fix.title,
        fix.applicability,
        "refuted" if refuted else result.verdict,
        kept,
        result.how,
        tuple(result.changes.items()),
    )


class UntriedRow(NamedTuple):
    """A finding whose advice was not compiled, and why."""

    code: str
    path: str
    line: int
    kernel: str
    reason: str


def untried(answers: Iterable[Answers]) -> list[UntriedRow]:
    """Findings for which nothing could be tried."""
    return [
        UntriedRow(
            diagnostic.code, diagnostic.location.path, diagnostic.location.start.line, diagnostic.kernel or "", reason
        )
        for diagnostic, fixes, reason in answers
        if not fixes
    ]


def document(
    rows: Sequence[VerifiedRow], untried: Sequence[UntriedRow], compiled: int, recalled: int, left_out: Sequence[str]
) -> dict[str, Any]:
    return {
        "version": 1,
        "compiled": compiled,
        "recalled": recalled,
        "findings": list(map(_finding, rows)),
        "not_tried": [row._asdict() for row in untried],
        "left_out": list(left_out),
    }


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


_HEAD = (
    *("finding", "where", "kernel", "target", "registers", "spills", "scratch", "LDS", "code", "waves/SIMD"),
    *("the kernel", "the fix"),
)
_TEXTS = frozenset({0, 1, 2, 3, 10, 11})
_FIELDS = ("registers", "spills", "scratch_bytes", "lds_bytes", "code_bytes", "waves")
_NAMES = dict(zip(_HEAD[4:10], _FIELDS, strict=True))
_MOST_PLACES = 4
# What a file alone lacks most often.
_WANTING = "what the build gives: -p BUILD_DIR takes it from compile commands, -I DIR and -D NAME=VALUE say it here"
_ORDER = ("confirmed", "refuted", "broken", "no change", "unverified")


def lines(
    rows: Sequence[VerifiedRow],
    untried: Sequence[UntriedRow],
    compiled: int,
    recalled: int,
    width: int | None = None,
    *,
    unsafe: int = 0,
) -> Iterator[str]:
    """The table, what could not be compiled, what of the advice was tried and what not, and the sums.

    unsafe: fixes that are left out because they are not safe.
    """
    wanting = False
    advice = [row for row in rows if row.how == "advice"]
    rows = [row for row in rows if row.how != "advice"]
    if cells := [_cells(row, target, change) for row in rows for target, change in row.changes]:
        vendor = vendor_of(target for row in rows for target, _ in row.changes)
        yield from named([tuple(in_words_of(vendor, cell) for cell in _HEAD), *cells], 3, _TEXTS, width)
        yield ""
    for error in dict.fromkeys(change.error for row in (*rows, *advice) for _, change in row.changes if change.error):
        yield f"  {visible(error)}"
        wanting = wanting or "does not compile" in error
    if wanting:
        yield f"  {_WANTING}"
    yield from _advice(advice)
    yield from _untried(untried)
    if advice:
        yield f"{count(len(advice), 'change')} that advice suggests: {_verdicts(advice)}"
    parts = _verdicts(rows)
    reused = f" ({recalled} {'result was' if recalled == 1 else 'results were'} known)" if recalled else ""
    more = f" ({unsafe} more with --unsafe-fixes)" if unsafe else ""
    yield f"{count(len(rows), 'fix')}: {parts or 'none to verify'}{more}; compiled {count(compiled, 'time')}{reused}"


def _verdicts(rows: Sequence[VerifiedRow]) -> str:
    counts = Counter(row.verdict for row in rows)
    return ", ".join(f"{counts[name]} {name}" for name in _ORDER if counts[name])


def _advice(rows: Sequence[VerifiedRow]) -> Iterator[str]:
    """A finding, then each change with its effect on a target."""
    last = None
    for row in rows:
        place = row.code, row.path, row.line, row.kernel
        if place != last:
            yield visible(f"{row.code} {row.path}:{row.line} {row.kernel}: its advice")
        last = place
        for target, change in row.changes:
            pairs = [(name, _moved(change.before, change.after, field)) for name, field in _NAMES.items()]
            words = vendor_of((target,))
            changed = ", ".join(f"{in_words_of(words, name)} {numbers}" for name, numbers in pairs if "->" in numbers)
            yield visible(
                f"  {row.verdict}: {row.title}; {target} {change.verdict}{f' ({changed})' if changed else ''}"
            )
    if rows:
        yield ""


def _untried(rows: Sequence[UntriedRow]) -> Iterator[str]:
    """Rule by rule and reason by reason."""
    places: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        places.setdefault((row.code, row.reason), []).append(f"{row.path}:{row.line}")
    for (code, reason), those in sorted(places.items()):
        more = f" and {len(those) - _MOST_PLACES} more" if len(those) > _MOST_PLACES else ""
        yield visible(f"{code} not tried: {reason} ({', '.join(those[:_MOST_PLACES])}{more})")
    if rows:
        yield ""


def _cells(row: VerifiedRow, target: str, change: Change) -> tuple[str, ...]:
    where = visible(f"{row.path}:{row.line}")
    verdict = row.verdict if row.how == "alone" else f"{row.verdict} {row.how}"
    numbers = (_moved(change.before, change.after, field) for field in _FIELDS)
    return (row.code, where, visible(row.kernel), target, *numbers, change.verdict, verdict)


def _moved(before: Numbers | None, after: Numbers | None, field: str) -> str:
    if before is None or after is None:
        return "-"
    old, new = (short(float(getattr(numbers, field))) for numbers in (before, after))
    return old if old == new else f"{old} -> {new}"
