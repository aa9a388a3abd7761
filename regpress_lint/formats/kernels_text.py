"""`kernels` as a table: a line a kernel and architecture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.formats.columns import table
from regpress_lint.formats.terminal import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.views.kernels import KernelRow, StepRow, TargetRow

_HEAD = (
    "kernel",
    "where",
    "target",
    "registers",
    "band",
    "scratch",
    "LDS",
    "block",
    "waves/SIMD",
    "limited by",
    "next step",
)
LIMITERS = {
    "waves": "wave slots",
    "registers": "registers",
    "sgprs": "SGPRs",
    "lds": "LDS",
    "groups": "block slots",
    "barriers": "barriers",
}


def limiters(names: Iterable[str], joint: str = " and ") -> str:
    """Limiters in words; ties are joined."""
    return joint.join(LIMITERS[name] for name in names)


def lines(rows: Sequence[KernelRow]) -> Iterator[str]:
    """The table, and below it what its marks mean."""
    cells: list[tuple[str, ...]] = [_HEAD]
    cells += [_cells(row, target) for row in rows for target in row.targets]
    yield from table(cells, frozenset({0, 1, 2, 9, 10}))
    if any(row.block_size_from == "assumed" for row in rows):
        yield "\n? the source does not say the block size; --block-size sets what is assumed"
    if any(len(target.instances) > 1 for row in rows for target in row.targets):
        yield (
            "\n(24..40) instantiations of a template take from 24 to 40, the number in front is their median; "
            "--output-format json lists them"
        )


def _cells(row: KernelRow, target: TargetRow) -> tuple[str, ...]:
    if target.unserved is not None:
        name, where = visible(row.name), visible(f"{row.path}:{row.line}")
        return (name, where, target.name, *("-",) * 6, "not for this GPU", visible(target.unserved.reason))
    registers, now = target.registers, target.occupancy
    estimates = [each.registers.estimate for each in target.instances if each.registers is not None]
    scratch = [each.scratch_bytes for each in target.instances if each.scratch_bytes is not None]
    return (
        visible(row.name) + ("" if row.complete else " (incomplete)"),
        visible(f"{row.path}:{row.line}"),
        target.name,
        f"{registers.estimate}{_range(estimates)}",
        f"{registers.low}-{registers.high}",
        f"{target.scratch_bytes}{_range(scratch)}",
        "?" if row.lds_bytes is None else str(row.lds_bytes),
        f"{row.block_size}{'?' if row.block_size_from == 'assumed' else ''}",
        f"{_short(now.waves_per_simd)} of {now.max_waves_per_simd}",
        limiters(now.limiters),
        "" if now.next is None else _step(now.next),
    )


def _range(numbers: list[int]) -> str:
    """` (24..40)` where the instantiations of a template do not agree."""
    return f" ({min(numbers)}..{max(numbers)})" if len(set(numbers)) > 1 else ""


def _step(step: StepRow) -> str:
    """`registers 96 -> 5 waves`: what a kernel may take, and what it then has a SIMD."""
    waves, value = step.waves_per_simd, step.value
    named = {"lds_bytes": f"LDS {value} bytes", "block_size": f"block {value}", "sgprs": f"SGPRs {value}"}
    shown = named.get(step.resource, f"{step.resource} {value}")
    return f"{shown} -> {_short(waves)} {'wave' if waves == 1 else 'waves'}"


def _short(number: float) -> str:
    """A number of waves with two digits behind the point where it is no whole one."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
