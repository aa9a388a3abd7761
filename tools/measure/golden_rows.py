"""Rows of testdata/golden: compilers' numbers, the linter's, and how the two are matched."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.measure.toolchain import run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GOLDEN = Path(__file__).resolve().parents[2] / "testdata" / "golden"
MEASURED, ESTIMATES, KNOWN = (GOLDEN / f"{name}.csv" for name in ("measured", "estimates", "known_violations"))
AMD, NVIDIA, INTEL = ("gfx90a", "gfx942", "gfx1100"), ("sm_80", "sm_90", "sm_120"), ("pvc",)
TARGETS = (*AMD, *NVIDIA, *INTEL)


class Key(NamedTuple):
    """A kernel or one of its instantiations, `name<arguments>`, on a target."""

    file: str
    kernel: str
    target: str


class Measured(NamedTuple):
    """A compiler's numbers for a kernel; None where it reports none.

    registers: vector registers per thread (VGPRs, registers; of Intel nothing). agprs, sgprs: of AMD. scratch_bytes:
    private memory a thread, spills with it on AMD. spills: registers (AMD), bytes per thread (NVIDIA) or bytes per
    hardware thread (Intel) of spill stores. bounds: the kernel's own launch bound. The demand is what it takes with
    room to breathe: on AMD with at most 256 threads per block, VGPRs and AGPRs added up; on Intel the most that is
    alive when IGC first tries, in units of four bytes a work-item.
    """

    file: str
    kernel: str
    target: str
    compiler: str
    registers: int | None
    agprs: int | None
    sgprs: int | None
    scratch_bytes: int
    spills: int
    lds_bytes: int | None
    bounds: int | None
    demand: int
    demand_scratch_bytes: int
    demand_spills: int

    @property
    def key(self) -> Key:
        """Where it belongs."""
        return Key(self.file, self.kernel, self.target)


class Estimated(NamedTuple):
    """The linter's answer. `cap`: registers that the kernel's own launch bounds leave it, None without any."""

    file: str
    kernel: str
    target: str
    low: int
    estimate: int
    high: int
    scratch_bytes: int
    cap: int | None

    @property
    def key(self) -> Key:
        """Where it belongs."""
        return Key(self.file, self.kernel, self.target)

    def within_cap(self, end: int) -> int:
        """An end of the band, or the middle, as far as the launch bounds let it."""
        return end if self.cap is None else min(end, self.cap)


def sources() -> list[Path]:
    """Files with kernels, in order."""
    return sorted(GOLDEN.glob("*.cu"))


def to_text(rows: Iterable[Measured | Estimated], fields: tuple[str, ...]) -> str:
    """A table as a sorted CSV; what is not known is empty."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(fields)
    ordered: list[Measured | Estimated] = sorted(rows, key=_order)
    writer.writerows(ordered)
    return lines.getvalue()


def _order(row: Measured | Estimated) -> tuple[str, list[tuple[int, str]], int]:
    """By file, then kernel (numbers in a name count as such), then target."""
    parts = [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", row.kernel)]
    return row.file, parts, TARGETS.index(row.target)


def read_measured() -> list[Measured]:
    """The compilers' table."""
    return [
        Measured(row["file"], row["kernel"], row["target"], row["compiler"], _number(row["registers"]),
                 _number(row["agprs"]), _number(row["sgprs"]), int(row["scratch_bytes"]), int(row["spills"]),
                 _number(row["lds_bytes"]), _number(row["bounds"]), int(row["demand"]),
                 int(row["demand_scratch_bytes"]), int(row["demand_spills"]))
        for row in _read(MEASURED)
    ]  # fmt: skip


def read_estimates() -> list[Estimated]:
    """The linter's table."""
    return [
        Estimated(row["file"], row["kernel"], row["target"], int(row["low"]), int(row["estimate"]), int(row["high"]),
                  int(row["scratch_bytes"]), _number(row["cap"]))
        for row in _read(ESTIMATES)
    ]  # fmt: skip


def _read(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def _number(text: str) -> int | None:
    return int(text) if text else None


def instance_name(name: str, arguments: str | None) -> str:
    """`name<arguments>` in one spelling for what compilers and the linter call an instantiation.

    Namespaces go, and so do suffixes and casts of numbers; of a lambda only that it is one stays.
    """
    if not arguments:
        return name
    text = re.sub(r"\(lambda at [^)]*\)|[\w:]*(?:\([^()]*\))?::\{lambda\([^()]*\)#\d+\}", "lambda", arguments)
    text = re.sub(r"\((?:\w+::)*[\w ]+\)(?=-?\d)", "", text)
    text = re.sub(r"\b(\d+)[uUlL]+\b", r"\1", text)
    text = re.sub(r"\b(?:\w+::)+", "", text)
    text = re.sub(r"&?\((\w+)(?:<[^<>]*>)?\([^()]*\)\)", r"\1", text)  # a function
    text = re.sub(r"\s*([<>,*&])\s*", r"\1", text).strip()
    return f"{name}<{text}>"


def demangled_name(text: str) -> str:
    """A demangled function, `void ns::k<float, 8u>(float*)`, as `instance_name` has it: `k<float,8>`."""
    text = text.removeprefix("void ")
    head = re.match(r"(?:\w+::)*(\w+)", text)
    if head is None:
        return text
    if not text[head.end() :].startswith("<"):
        return head[1]
    depth = 0
    for position, char in enumerate(text[head.end() :]):
        depth += (char == "<") - (char == ">")
        if depth == 0:
            return instance_name(head[1], text[head.end() + 1 : head.end() + position])
    return head[1]


def names_of(symbols: Sequence[str]) -> dict[str, str]:
    """Names of kernels, as `instance_name` has them, by the symbols of a binary."""
    lines = run(["c++filt", *symbols]).splitlines() if symbols else []
    return {symbol: demangled_name(line) for symbol, line in zip(symbols, lines, strict=True)}
