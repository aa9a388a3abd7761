"""The evidence of the rules: pairs of kernels in testdata/evidence/CODE, and what compilers and a GPU made of them.

A source there holds kernels in twos, `NAME_smell` and `NAME_repaired`, that differ only in the code that the
rule reports. `.hip` is compiled for gfx90a and gfx1100, `.cu` for sm_90, `.cl` (OpenCL C) for pvc; a line
`// targets: gfx90a, sm_90` in a source says otherwise. A `.cpp` is SYCL, which nothing here compiles: it holds the
kernels of a `.cl` under the same names, for the linter. `// launch: block=128 dynamic_lds=1024` sets the block for the
occupancy (256 and 0 otherwise). A known miss is marked `// known miss: NAME TARGET: why`, and a
report that rests on times of another GPU `// timed elsewhere: NAME TARGET: why`.

`// time: NAME threads=4194304 size=8388608 m=64` lets the GPU time a pair: so many threads, arrays of so many elements
(as many as threads if it is left out), and the value of every scalar parameter by its name.

`measured.csv` beside the sources has what the compilers said (`measure_evidence.py`), `times.csv` the times of
NAME on a GPU (`time_evidence.py`). The section "Measured" of a rule's page is made from both.
"""

from __future__ import annotations

import csv
import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.measured.ratchet import NOTICEABLE as NOTICEABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]
EVIDENCE = ROOT / "testdata" / "evidence"
VERSIONS = ("smell", "repaired")
TARGETS = {".hip": ("gfx90a", "gfx1100"), ".cu": ("sm_90",), ".cl": ("pvc",)}
BLOCK = 256
_WIDTH = 116
# Two runs of 152 pairs on an H200 differed by 1.2 % (median) and 6.5 % at most.
FASTER = 1.07


class Measurement(NamedTuple):
    """One kernel, compiled once: registers per thread (VGPRs with AGPRs on AMD; 0 on Intel, where none are reported),
    bytes of private memory a thread, spills (VGPRs, on NVIDIA bytes of spill stores), LDS of a block, and waves per
    SIMD (AMD), warps per SM (NVIDIA) or 0 (Intel) at the source's block size.
    """

    file: str
    pair: str
    version: str
    target: str
    compiler: str
    registers: int
    sgprs: int
    scratch_bytes: int
    spills: int
    lds_bytes: int
    waves: float


class Timing(NamedTuple):
    """Best times of a pair on a GPU in milliseconds."""

    pair: str
    gpu: str
    compiler: str
    smell_ms: float
    repaired_ms: float

    @property
    def speed_up(self) -> float:
        """Speed-up of the fixed kernel."""
        return self.smell_ms / self.repaired_ms


class Effect(NamedTuple):
    """Effect of a pair's fix on a target; `time` only where it was taken."""

    smell: Measurement
    repaired: Measurement
    time: Timing | None = None

    @property
    def strong(self) -> bool:
        """Scratch or a spill is gone or less, more waves fit, or the kernel is faster on the GPU."""
        before, after = self.smell, self.repaired
        faster = self.time is not None and self.time.speed_up >= FASTER
        return (
            after.scratch_bytes < before.scratch_bytes
            or after.spills < before.spills
            or after.waves > before.waves
            or faster
        )

    @property
    def slower(self) -> bool:
        """The fixed kernel is noticeably slower on the GPU."""
        return self.time is not None and self.time.speed_up * FASTER < 1

    @property
    def any(self) -> bool:
        """`strong`, or a noticeable number of registers."""
        return self.strong or self.smell.registers - self.repaired.registers >= NOTICEABLE


def codes() -> list[str]:
    """Rules that have evidence."""
    return sorted(path.name for path in EVIDENCE.iterdir() if path.is_dir())


def sources(code: str) -> list[Path]:
    """Sources of a rule that a compiler takes."""
    return sorted(path for path in (EVIDENCE / code).iterdir() if path.suffix in TARGETS)


def targets_of(source: Path) -> tuple[str, ...]:
    """Targets that a source is compiled for."""
    match = re.search(r"^// targets:(.*)$", source.read_text(), re.MULTILINE)
    return tuple(match[1].replace(",", " ").split()) if match else TARGETS[source.suffix]


def launch_of(source: Path) -> tuple[int, int]:
    """Threads a block and bytes of dynamic LDS of a source's launch."""
    match = re.search(r"^// launch: block=(\d+)(?: dynamic_lds=(\d+))?$", source.read_text(), re.MULTILINE)
    return (int(match[1]), int(match[2] or 0)) if match else (BLOCK, 0)


def without_device_includes(text: str) -> str:
    """A source's text that may be in a namespace: what it includes is blanked, the harness has it already."""
    return re.sub(r"^[ \t]*#[ \t]*include\b.*$", "", text, flags=re.MULTILINE)


def known_misses(code: str) -> dict[tuple[str, str], str]:
    """Pairs and targets that the rule is known to miss, and why."""
    return _said(code, "known miss")


def timed_elsewhere(code: str) -> dict[tuple[str, str], str]:
    """Pairs and targets where the fix saves no registers, and pays by a time of another GPU; why it holds here."""
    return _said(code, "timed elsewhere")


def measurements(code: str) -> list[Measurement]:
    """The rows of a rule's measured.csv."""
    return read_measurements(EVIDENCE / code / "measured.csv")


def read_measurements(path: Path) -> list[Measurement]:
    """Rows of a measured.csv; none if it is missing."""
    return [_measurement(record) for record in _read(path)]


def _measurement(record: dict[str, str]) -> Measurement:
    return Measurement(
        file=record["file"],
        pair=record["pair"],
        version=record["version"],
        target=record["target"],
        compiler=record["compiler"],
        registers=int(record["registers"]),
        sgprs=int(record["sgprs"]),
        scratch_bytes=int(record["scratch_bytes"]),
        spills=int(record["spills"]),
        lds_bytes=int(record["lds_bytes"]),
        waves=float(record["waves"]),
    )


def timings(code: str) -> list[Timing]:
    """Rows of a rule's times.csv."""
    return [
        Timing(row["pair"], row["gpu"], row["compiler"], float(row["smell_ms"]), float(row["repaired_ms"]))
        for row in _read(EVIDENCE / code / "times.csv")
    ]


def _said(code: str, what: str) -> dict[tuple[str, str], str]:
    text = "\n".join(path.read_text() for path in sources(code))
    found = re.findall(rf"^// {what}: (\w+) (\w+): (.+)$", text, re.MULTILINE)
    return {(pair, target): reason for pair, target, reason in found}


def _read(path: Path) -> Iterator[dict[str, str]]:
    if path.is_file():
        with path.open(newline="", encoding="utf-8") as stream:
            yield from csv.DictReader(stream)


def write_measurements(code: str, rows: Iterable[Measurement]) -> None:
    """Store a rule's measurements."""
    save_measurements(EVIDENCE / code / "measured.csv", rows)


def save_measurements(path: Path, rows: Iterable[Measurement]) -> None:
    """Store measurements."""
    _write(path, Measurement._fields, [[*row[:-1], f"{row.waves:g}"] for row in rows])


def write_timings(code: str, rows: Iterable[Timing]) -> None:
    """Store a rule's times."""
    shown = [[*row[:-2], f"{row.smell_ms:.4g}", f"{row.repaired_ms:.4g}"] for row in rows]
    _write(EVIDENCE / code / "times.csv", Timing._fields, shown)


def _write(path: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


def effects(code: str) -> dict[tuple[str, str], Effect]:
    """By pair and target, as stored. Raises ValueError for a kernel without its other half."""
    return paired(measurements(code), timings(code))


def paired(measured: Iterable[Measurement], timed: Iterable[Timing] = ()) -> dict[tuple[str, str], Effect]:
    """Measurements by pair and target. Raises ValueError for a kernel without its other half."""
    rows = {(row.pair, row.target, row.version): row for row in measured}
    times = {row.pair: row for row in timed}
    found: dict[tuple[str, str], Effect] = {}
    for pair, target in dict.fromkeys(key[:2] for key in rows):
        halves = [rows.get((pair, target, version)) for version in VERSIONS]
        if halves[0] is None or halves[1] is None:
            raise ValueError(f"{pair} on {target} is not a pair")
        # The GPU that the times are from is an sm_90.
        found[pair, target] = Effect(halves[0], halves[1], times.get(pair) if target == "sm_90" else None)
    return found


# ------------------------------------------------------------------------------------------------------ the page


def section(code: str) -> str:
    """The section "Measured" of a rule's page, without its heading."""
    found = effects(code)
    compilers = dict.fromkeys(effect.smell.compiler for effect in found.values())
    gpus = dict.fromkeys(f"{row.gpu} ({row.compiler})" for row in timings(code))
    lines = [
        *textwrap.wrap(
            f"Our own pairs in `testdata/evidence/{code}`, before -> after the fix; {', '.join(compilers)}, `-O3`"
            + (f"; times on an {', '.join(gpus)}." if gpus else "."),
            _WIDTH,
        ),
        "",
    ]
    head = ["pair", "target", "registers", "private bytes", "spills", "waves"]
    rows = [[pair, target, *_cells(effect)] for (pair, target), effect in sorted(found.items())]
    if gpus:
        head.append("time, ms")
        for row, (_, effect) in zip(rows, sorted(found.items()), strict=True):
            time = effect.time
            row.append(f"{time.smell_ms:.3g} -> {time.repaired_ms:.3g} ({time.speed_up:.2f} x)" if time else "")
    lines += ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]
    lines += ["", f"`python -m tools.measure.measure_evidence {code}` makes this table."]
    return "\n".join(line.replace("|  |", "| |") for line in lines)


def _cells(effect: Effect) -> Iterator[str]:
    before, after = effect.smell, effect.repaired
    intel = before.target == "pvc"  # reports neither
    yield "" if intel else _change(before.registers, after.registers)
    yield _change(before.scratch_bytes, after.scratch_bytes)
    yield _change(before.spills, after.spills)
    yield "" if intel else _change(before.waves, after.waves)


def _change(before: float, after: float) -> str:
    return f"{before:g}" if before == after else f"{before:g} -> {after:g}"


def with_section(page_source: str, text: str) -> str:
    """A rule's page with its section "Measured" replaced. Raises ValueError where there is none."""
    match = re.search(r"^## Measured\n(?:(?!## ).*\n)*", page_source, re.MULTILINE)
    if match is None:
        raise ValueError("the page has no heading `## Measured`")
    body = "".join(line.rstrip() + "\n" for line in text.splitlines())
    return f"{page_source[: match.start()]}## Measured\n{body}\n{page_source[match.end() :]}"
