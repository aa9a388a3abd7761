"""`kernels --measured` as a table: the band, the compiler's number, and its place in the band."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.formats.columns import named
from regpress_lint.formats.kernels_text import short
from regpress_lint.formats.terminal import visible
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.views.agreement import AgreementRow

_HEAD = (
    *("kernel", "where", "target", "estimate", "band", "measured", "spills", "scratch", "measured", "waves/SIMD"),
    *("measured", "the compiler"),
)
_TEXTS = frozenset({0, 1, 2, 11})
WORDS = {"inside": "inside the band", "above": "ABOVE the band", "below": "BELOW the band", "unmeasured": "-"}


def lines(rows: Sequence[AgreementRow], width: int | None = None) -> Iterator[str]:
    """The table, and how many kernels were measured."""
    vendor = vendor_of(row.target.name for row in rows)
    cells = [tuple(in_words_of(vendor, cell) for cell in _HEAD), *map(_cells, rows)]
    yield from named(cells, 2, _TEXTS, width)


def summary(rows: Sequence[AgreementRow]) -> str:
    """One line on all rows, shown or not."""
    measured = [row for row in rows if row.verdict != "unmeasured"]
    outside = sum(row.verdict != "inside" for row in measured)
    return f"measured: {len(measured)} of {len(rows)} rows, {outside} outside the band"


def _cells(row: AgreementRow) -> tuple[str, ...]:
    band = row.target.registers
    return (
        visible(row.kernel.name),
        visible(f"{row.kernel.path}:{row.kernel.line}"),
        row.target.name,
        str(band.estimate),
        f"{band.low}-{band.high}",
        _registers(row),
        _shown(row.spills),
        str(row.target.scratch_bytes),
        _shown(row.scratch_bytes),
        f"{short(row.target.occupancy.waves_per_simd)} of {row.target.occupancy.max_waves_per_simd}",
        "-" if row.occupancy is None else short(row.occupancy.waves_per_simd),
        WORDS[row.verdict],
    )


def _registers(row: AgreementRow) -> str:
    if row.registers is None:
        return "-"
    return f"{row.registers}{'' if row.least == row.most else f' ({row.least}..{row.most})'}"


def _shown(number: int | None) -> str:
    return "-" if number is None else str(number)
