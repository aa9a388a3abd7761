"""Measurements of the kernels in testdata/kernels: measured.csv, and the tables of the README made from it."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

KERNELS = Path(__file__).resolve().parents[2] / "testdata" / "kernels"
CSV_PATH = KERNELS / "measured.csv"
README_PATH = KERNELS / "README.md"


class Measurement(NamedTuple):
    """One kernel, compiled once.

    ``registers`` are VGPRs (AMD) or registers (NVIDIA) per thread, ``scratch_bytes`` is private memory per thread
    (AMD scratch, NVIDIA stack frame), ``spills`` counts spilled VGPRs (AMD) or bytes of spill stores (NVIDIA).
    ``lds_bytes`` is per block and includes the dynamic part of the file's launch line. ``occupancy`` is in waves per
    SIMD (AMD, of 8 on gfx90a and 16 on gfx1100) or warps per SM (NVIDIA, of 64) at the launched block size.
    """

    file: str
    kernel: str
    target: str
    compiler: str
    registers: int
    agprs: int
    sgprs: int
    scratch_bytes: int
    spills: int
    lds_bytes: int
    occupancy: float


def read_csv(path: Path = CSV_PATH) -> list[Measurement]:
    """The stored measurements; empty when there is no file yet."""
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as stream:
        return [_from_record(record) for record in csv.DictReader(stream)]


def _from_record(record: Mapping[str, str]) -> Measurement:
    return Measurement(
        file=record["file"],
        kernel=record["kernel"],
        target=record["target"],
        compiler=record["compiler"],
        registers=int(record["registers"]),
        agprs=int(record["agprs"]),
        sgprs=int(record["sgprs"]),
        scratch_bytes=int(record["scratch_bytes"]),
        spills=int(record["spills"]),
        lds_bytes=int(record["lds_bytes"]),
        occupancy=float(record["occupancy"]),
    )


def write_csv(rows: Iterable[Measurement], path: Path = CSV_PATH) -> None:
    """Store measurements as CSV with one header line and ``\\n`` line ends."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(Measurement._fields)
        writer.writerows([*row[:-1], f"{row.occupancy:g}"] for row in rows)


def merge(old: Iterable[Measurement], new: Sequence[Measurement], root: Path = KERNELS) -> list[Measurement]:
    """``new``, and the old rows of targets that were not compiled this time, for files that still exist."""
    compiled = {row.target for row in new}
    kept = (row for row in old if row.target not in compiled and (root / row.file).is_file())
    return sorted([*kept, *new])


_TABLE_HEAD = (
    "| file | kernel | target | registers | scratch B | spills | LDS B | occupancy |",
    "|---|---|---|---|---|---|---|---|",
)


def table(rows: Iterable[Measurement], folder: str) -> str:
    """A Markdown table of the measurements of the files in one folder."""
    lines = [
        f"| {Path(row.file).name} | {row.kernel} | {row.target} | {_registers(row)} | {row.scratch_bytes} "
        f"| {row.spills} | {row.lds_bytes} | {row.occupancy:g} |"
        for row in rows
        if Path(row.file).parent.as_posix() == folder
    ]
    return "\n".join([*_TABLE_HEAD, *lines])


def _registers(row: Measurement) -> str:
    return f"{row.registers} + {row.agprs} AGPR" if row.agprs else str(row.registers)


def render_readme(text: str, rows: Sequence[Measurement]) -> str:
    """Replace what is between ``<!-- measured: FOLDER -->`` and ``<!-- end -->`` by the table of that folder."""

    def block(match: re.Match[str]) -> str:
        return f"<!-- measured: {match['folder']} -->\n{table(rows, match['folder'])}\n<!-- end -->"

    return re.sub(r"<!-- measured: (?P<folder>\S+) -->\n.*?<!-- end -->", block, text, flags=re.DOTALL)
