"""Kernels of testdata/golden in other words that change nothing: where compilers say the same, so must the linter.

    python -m tools.measure.rewrites measure [FILE.cu]...  compile the rewritten; write testdata/rewrites/measured.csv
    python -m tools.measure.rewrites score [FILE.cu]...     ask the linter, print what differs, and shares by rewrite
    python -m tools.measure.rewrites show FILE.cu KERNEL REWRITE

Every kernel that is no template gets `EACH` of the rewrites below that change something in it, others from kernel to
kernel. A row of measured.csv is a kernel, a rewrite and a target: registers (`demand` of testdata/golden) and bytes of
private memory of the kernel as it was and as it is. Rewrites that do not compile are left out.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.program import build_file
from tools.measure.golden import ROOMY
from tools.measure.golden_rows import AMD, GOLDEN, Key, read_estimates, read_measured, sources
from tools.measure.kernel_rewrites import EACH, chosen, definitions, rewritten, text_with
from tools.measure.toolchain import compile_for, find_toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


TARGETS = ("sm_90", "gfx90a")
MEASURED = Path(__file__).resolve().parents[2] / "testdata" / "rewrites" / "measured.csv"
TRIES = 6  # compilations of a file, each without the rewrites that the one before did not like
SAME, SAME_REGISTERS = 0.1, 3  # what counts as the same number
_FLAGS = ("--extended-lambda", "-diag-suppress=177")


class Row(NamedTuple):
    """A compiler's numbers for a kernel before and after."""

    file: str
    kernel: str
    rewrite: str
    target: str
    before: int
    memory_before: int
    after: int
    memory_after: int


def same(one: int, two: int) -> bool:
    """Two numbers of registers are the same."""
    return abs(one - two) <= max(SAME_REGISTERS, SAME * max(one, two))


def measured(path: Path, target: str) -> Iterator[Row]:
    """Rows of a file's kernels for a target."""
    data = path.read_bytes()
    known = {row.kernel: row for row in read_measured() if (row.file, row.target) == (path.name, target)}
    every = chosen(data)
    for turn in range(EACH):
        choice = {name: some[turn] for name, some in every.items() if len(some) > turn and name in known}
        for kernel, (registers, memory) in _compiled(data, choice, target).items():
            if kernel in choice:
                row = known[kernel]
                yield Row(
                    path.name, kernel, choice[kernel], target, row.demand, row.demand_scratch_bytes, registers, memory
                )


def _compiled(data: bytes, choice: dict[str, str], target: str) -> dict[str, tuple[int, int]]:
    """Registers and memory of each kernel; rewrites that do not compile are dropped from the choice."""
    flags = (ROOMY, f"-I{GOLDEN}") if target in AMD else (*_FLAGS, f"-I{GOLDEN}")
    for _ in range(TRIES):
        with tempfile.TemporaryDirectory(prefix="regpress-rewrites-") as folder:
            path = Path(folder) / "rewritten.cu"
            path.write_text(text_with(data, choice), encoding="utf-8")
            try:
                found = compile_for(find_toolchain(), path, target, Path(folder), *flags) or []
            except RuntimeError as error:
                lines = {int(line) for line in re.findall(r"rewritten\.cu[(:](\d+)[):].*?error", str(error))}
                wrong = _kernels_at(path.read_text(encoding="utf-8"), lines, choice)
                print(f"{target}: dropped {[(name, choice[name]) for name in wrong]}", file=sys.stderr)
                if not wrong:
                    print(str(error)[-800:], file=sys.stderr)
                    return {}
                for name in wrong:
                    del choice[name]
                continue
            return {one.kernel: (one.total, one.scratch_bytes) for one in found}
    return {}


def _kernels_at(text: str, lines: set[int], choice: dict[str, str]) -> list[str]:
    """Which rewritten kernels stand at lines: the next one that is named from there on, or the one before."""
    rows, found = text.splitlines(), set()
    for line in lines:
        near = [row for row in rows[:line][::-1] if re.search(r"__global__|_work \{|_body\(", row)][:1]
        words = set(re.findall(r"\w+", " ".join(near)))
        found |= {name for name in choice if name in words or {f"{name}_work", f"{name}_body"} & words}
    return sorted(found)


class Said(NamedTuple):
    """The linter's estimate, its band, and bytes of private memory."""

    low: int
    estimate: int
    high: int
    memory: int


def said_of(path: Path, choice: dict[str, str], targets: Sequence[str] = TARGETS) -> dict[tuple[str, str], Said]:
    """The linter's numbers for a file with some kernels rewritten, by kernel and target."""
    text = text_with(path.read_bytes(), choice)
    file = build_file(Source(str(path), text.encode()), "cuda", Project())
    found: dict[tuple[str, str], Said] = {}
    for kernel in file.kernels:
        name = kernel.name.rpartition("::")[2]
        if name not in choice:
            continue
        facts = kernel_facts(file, kernel, Settings(architectures=tuple(targets)))
        for target in facts.targets:
            band = facts.target(target).registers
            memory = min(band.scratch_bytes, facts.compiled(target).scratch(facts.settled(target)))
            found[name, target] = Said(band.low, band.estimate, band.high, memory)
        facts.forget()
    return found


def read_rows() -> list[Row]:
    """The stored rows."""
    with MEASURED.open(newline="", encoding="utf-8") as lines:
        rows = [list(row.values()) for row in csv.DictReader(lines)]
    return [Row(row[0], row[1], row[2], row[3], *map(int, row[4:])) for row in rows]


class Verdict(NamedTuple):
    """A row, what the linter says of the kernel before and after, and whether that is right: where the compiler's
    numbers are the same ours are as well, and where they differ ours follow, or the band holds the compiler's.
    """

    row: Row
    before: Said
    after: Said

    @property
    def is_right(self) -> bool:
        """See the class."""
        row, before, after = self
        if (row.memory_before > 0) == (row.memory_after > 0) and (before.memory > 0) != (after.memory > 0):
            return False
        if same(row.before, row.after):
            return same(before.estimate, after.estimate)
        return after.low <= row.after <= after.high or (row.after > row.before) == (after.estimate > before.estimate)

    def __str__(self) -> str:
        (file, kernel, rewrite, target, before, memory, after, later), one, two = self
        return (
            f"{file} {kernel} {rewrite} {target}: {before} + {memory} B -> {after} + {later} B, "
            f"said {one.estimate} + {one.memory} B -> {two.estimate} + {two.memory} B"
        )


def verdicts(rows: Sequence[Row]) -> Iterator[Verdict]:
    """Each row beside the linter's answers; a file is read once for each turn of its rewrites."""
    known = read_estimates()
    before = {one.key: Said(one.low, one.estimate, one.high, one.scratch_bytes) for one in known}
    by_file: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_file[row.file].append(row)
    for file, some in by_file.items():
        turns: list[dict[str, str]] = []
        for row in some:
            fitting = next((turn for turn in turns if turn.get(row.kernel, row.rewrite) == row.rewrite), None)
            if fitting is None:
                turns.append(fitting := {})
            fitting[row.kernel] = row.rewrite
        targets = sorted({row.target for row in some})
        for turn in turns:
            after = said_of(GOLDEN / file, turn, targets)
            for row in some:
                key = Key(row.file, row.kernel, row.target)
                if turn.get(row.kernel) == row.rewrite and key in before:
                    yield Verdict(row, before[key], after.get((row.kernel, row.target), Said(0, 0, 0, 0)))


def _measure(paths: Sequence[Path]) -> int:
    kept = [row for row in read_rows() if row.file not in {path.name for path in paths}] if MEASURED.is_file() else []
    for path in paths:
        kept += (row for target in TARGETS for row in measured(path, target))
        MEASURED.parent.mkdir(parents=True, exist_ok=True)
        with MEASURED.open("w", newline="", encoding="utf-8") as lines:
            writer = csv.writer(lines, lineterminator="\n")
            writer.writerow(Row._fields)
            writer.writerows(sorted(kept))
        print(path.name, len(kept), file=sys.stderr, flush=True)
    return 0


def _score(paths: Sequence[Path]) -> int:
    names = {path.name for path in paths}
    counts: dict[str, list[bool]] = defaultdict(list)
    for one in verdicts([row for row in read_rows() if row.file in names]):
        counts[one.row.rewrite].append(one.is_right)
        if not one.is_right:
            print(one, flush=True)
    for rewrite, right in sorted(counts.items()):
        print(f"{rewrite:14} {sum(right):4} of {len(right)}")
    every = [right for some in counts.values() for right in some]
    print(f"{'together':14} {sum(every):4} of {len(every)}, {sum(every) / max(len(every), 1):.3f}")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring. Returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("command", choices=("measure", "score", "show"))
    parser.add_argument("words", nargs="*", help="files; for `show` a file, a kernel and a rewrite")
    options = parser.parse_args(arguments)
    if options.command == "show":
        file, kernel, rewrite = options.words
        one = next(one for one in definitions((GOLDEN / file).read_bytes()) if one.name == kernel)
        print(rewritten(one, rewrite))
        return 0
    paths = [GOLDEN / name for name in options.words] or sources()
    return _measure(paths) if options.command == "measure" else _score(paths)


if __name__ == "__main__":
    sys.exit(main())
