"""Rows of measured kernels: the result of reading an input, and merged rows of several inputs.

Versions of compilers, as recorded in their output.

The waves that measured kernels leave on a compute unit, by the exact model.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.measured import NUMBERS, Row
from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.occupancy import KernelUse, architecture, is_known, occupancy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.targets.occupancy import Occupancy


COLOR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")  # what a compiler writes for a terminal
_CLANG = re.compile(r"\bclang version (\d{1,9}(?:\.\d{1,9}){0,3})")
_CUDA = re.compile(r"\bV(\d{1,9}(?:\.\d{1,9}){1,3})\b")


def clang_version(text: str) -> str | None:
    """The newest that is named: device libraries bear that of the clang that made them."""
    versions = _CLANG.findall(text)
    return max(versions, key=_parts) if versions else None


def cuda_version(text: str) -> str | None:
    """The only one of CUDA's tools."""
    versions = set(_CUDA.findall(text))
    return versions.pop() if len(versions) == 1 else None


def _parts(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def block_of(row: Row, assumed: int) -> int:
    """Threads a block: what is assumed, unless the kernel was compiled for fewer."""
    return min(assumed, row.max_threads) if row.max_threads else assumed


def resident(row: Row, block: int) -> Occupancy | None:
    """None if the GPU or the number of registers is unknown."""
    if row.target is None or not is_known(row.target):
        return None
    arch = architecture(row.target)
    if row.registers is None and arch.has_register_steps:
        return None
    wave = row.wave_size if row.wave_size in arch.wave_sizes else None
    grf = row.grf if any(mode.registers == row.grf for mode in arch.grf_modes) else None
    if grf is None and not arch.has_register_steps:
        return None
    use = KernelUse(
        vgprs=row.registers or 0,
        sgprs=row.sgprs or 0,
        lds_bytes=row.lds_bytes or 0,
        block_size=max(block, 1),
        wave_size=wave,
        grf=grf or 128,
        # RDNA is compiled for its last mode, WGP, unless -mcumode says otherwise.
        mode=arch.modes[-1].name,
    )
    return occupancy(arch, use)


class Reading(NamedTuple):
    """The rows of one input, and a line for the user for each part that could not be read."""

    rows: tuple[Row, ...] = ()
    problems: tuple[str, ...] = ()


_MOST_PROBLEMS = 20


def without_spills(scratch: int | None, spills: int | None) -> int | None:
    """Scratch apart from spills where it is known without their slots: where nothing is spilled."""
    return scratch if spills == 0 else None


def reading(rows: Iterable[Row], problems: Iterable[str]) -> Reading:
    """A reading; a hostile input must not flood the terminal with problems."""
    lines = list(dict.fromkeys(problems))
    more = len(lines) - _MOST_PROBLEMS
    if more > 0:
        lines[_MOST_PROBLEMS:] = [f"{more} more problems"]
    return Reading(tuple(rows), tuple(lines))


def merged(rows: Iterable[Row]) -> list[Row]:
    """Rows of the same symbol and target made one where no number contradicts; what one lacks the other gives.

    A row without a target belongs to the only target that the other inputs name for its symbol.
    """
    groups: dict[tuple[str, str | None], list[Row]] = {}
    late = []
    targets: dict[str, set[str]] = {}
    for row in rows:
        if row.target is None:
            late.append(row)
            continue
        targets.setdefault(row.symbol, set()).add(row.target)
        _add(groups.setdefault((row.symbol, row.target), []), row)
    for row in late:
        named = targets.get(row.symbol, set())
        target = next(iter(named)) if len(named) == 1 else None
        _add(groups.setdefault((row.symbol, target), []), row._replace(target=target))
    return [row for group in groups.values() for row in group]


def _add(group: list[Row], row: Row) -> None:
    for index, other in enumerate(group):
        if _agree(other, row):
            group[index] = _both(other, row)
            return
    group.append(row)


def _agree(row: Row, other: Row) -> bool:
    """Whether two rows may be of the same compilation: no number differs. Places may (a header by two paths)."""
    return all(a is None or b is None or a == b for a, b in zip(_numbers(row), _numbers(other), strict=True))


def _numbers(row: Row) -> Iterator[int | None]:
    return (getattr(row, name) for name in NUMBERS)


def _both(row: Row, other: Row) -> Row:
    values = (b if a is None else a for a, b in zip(row, other, strict=True))
    origins = dict.fromkeys((*row.origin.split("+"), *other.origin.split("+")))
    inputs = tuple(dict.fromkeys((*row.inputs, *other.inputs)))
    return Row._make(values)._replace(origin="+".join(origins), inputs=inputs)
