"""Two tables of testdata/seeds/README.md: a command for each technique, and former mistakes.

    python -m tools.generators.seeds_lines ../shared/seeds  # the lattice kernel of document 000, by tool and compilers

testdata/seeds/commands.csv holds statements of the documents other than techniques, each with a command of the linter
and an excerpt of its output; `seeds_document.py` has the techniques. testdata/seeds/seen_wrong.csv names pairs with the
tool's answers at 6b53827. The lattice kernel is not in this repository: its versions are generated from the document's
text, and lattice.csv keeps the answers of tool and compilers about them.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.__main__ import main as linter
from regpress_lint.commands.kernels.rows import kernel_rows
from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse
from tools.measure import evidence, toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tools.generators.seeds_document import Compared

SEEDS = evidence.ROOT / "testdata" / "seeds"
COMMANDS, SEEN_WRONG, LATTICE = (SEEDS / name for name in ("commands.csv", "seen_wrong.csv", "lattice.csv"))
TARGETS = ("gfx90a", "sm_90")
# The edits of document 000, one on top of the other, and what the tool said of two of them at 6b53827.
# Each is a pattern of the document's text and what stands for it.
_EDITS: Mapping[str, tuple[str, str]] = {
    "as it stands": ("", ""),
    "`x * x` for `pow`": (r"pow\((\w+), *2\.0\)", r"\1 * \1"),
    "`f0[m]` made earlier": (r"(?s)( *fx = [^\n]*\n)(.*?)( *f0\[m\] = [^\n]*\n)", r"\3\1\2"),
    "`__restrict__` on `g14`": (r"\* *g14,", "*__restrict__ g14,"),
    "and on `g7`": (r"\* *g7,", "*__restrict__ g7,"),
}
_THEN = {
    ("as it stands", "gfx90a"): "138 registers, RP101 warning",
    ("`x * x` for `pow`", "gfx90a"): "110 registers",
    ("`x * x` for `pow`", "sm_90"): "83 registers",
    ("`f0[m]` made earlier", "sm_90"): "91 registers",
}


class Line(NamedTuple):
    """A statement of a document, the command that answers it, an excerpt of the output, a remark on the difference."""

    document: str
    says: str
    command: str
    shows: str
    remark: str


class Lattice(NamedTuple):
    """A version of the lattice kernel on a target: the estimate, its waves, and the compiler's registers."""

    version: str
    target: str
    registers: int
    low: int
    high: int
    compiler: str
    real: int
    scratch: int


def lines() -> list[Line]:
    """The commands of commands.csv."""
    with COMMANDS.open(newline="") as handle:
        return [Line(**row) for row in csv.DictReader(handle)]


def printed(command: str) -> str:
    """Output of a command, run in this process."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        linter(shlex.split(command))
    return out.getvalue()


def command_table(rows: Sequence[Compared]) -> Iterator[str]:
    """A line for everything that the documents say: first what is no pair of kernels, then the pairs."""
    yield "| document | what it says | command, after `regpress-lint` | answer |"
    yield "| --- | --- | --- | --- |"
    for line in lines():
        answer = f"`{' '.join(line.shows.split())}`" + (f"; {line.remark}" if line.remark else "")
        yield f"| {line.document} | {line.says} | `{line.command}` | {answer} |"
    for row in rows:
        rule, path = row.technique.rule, row.technique.source
        name = (path.with_suffix(".cpp") if path.suffix == ".cl" else path).relative_to(evidence.ROOT).as_posix()
        severity = row.smell.findings.get(rule)
        told = f"{rule} {severity.label}" if severity is not None else f"{row.smell.row.registers.estimate} registers"
        how = f"check --profile strict --select {rule}" if severity is not None else "kernels"
        document = path.stem.partition("_")[0]
        if document not in ("005", "006"):
            yield f"| {document} | {row.technique.title} | `{how} --arch {row.target} {name}` | {told} |"


def cases() -> list[dict[str, str]]:
    """The rows of seen_wrong.csv."""
    with SEEN_WRONG.open(newline="") as handle:
        return list(csv.DictReader(handle))


def wrong_table(rows: Sequence[Compared]) -> Iterator[str]:
    """The answers at 6b53827 and today, and the compilers' answers today."""
    found = {(row.technique.source.name, row.technique.name, row.target): row for row in rows}
    yield "| case | target | at 6b53827 | today | compilers today |"
    yield "| --- | --- | --- | --- | --- |"
    for lattice in stored():
        then = _THEN.get((lattice.version, lattice.target), "")
        now = f"{lattice.registers} registers ({lattice.low} to {lattice.high})"
        real = f"{lattice.real}" + (f", {lattice.scratch} B" if lattice.scratch else "")
        yield f"| lattice kernel of 000, {lattice.version} | {lattice.target} | {then} | {now} | {real} |"
    for case in cases():
        row = found[case["source"], case["pair"], case["target"]]
        told = row.smell.findings.get(row.technique.rule)
        now = f"{row.technique.rule} {told.label}, " if told is not None else ""
        now += _change(row.smell.row.registers.estimate, row.repaired.row.registers.estimate)
        now += _memory(row.smell.row.scratch_bytes, row.repaired.row.scratch_bytes)
        real = _change(row.effect.smell.registers, row.effect.repaired.registers)
        real += _memory(row.effect.smell.scratch_bytes, row.effect.repaired.scratch_bytes)
        yield f"| {case['case']} | {case['target']} | {case['then']} | {now} | {real} |"


def _change(before: int, after: int) -> str:
    return f"{before} -> {after}" if before != after else f"{before}"


def _memory(before: int, after: int) -> str:
    return f", {_change(before, after)} B" if before or after else ""


# ------------------------------------------------------------------------------------------------- the lattice kernel


def versions(document: str) -> dict[str, str]:
    """The kernel of document 000 as it stands and after each of the document's edits."""
    found = next(re.finditer(r"```c\+\+\n(__global__.*?\n})\n```", document, re.DOTALL))[1]
    made = {}
    for name, (old, new) in _EDITS.items():
        found, count = re.subn(old, new, found, count=1) if old else (found, 1)
        if not count:
            raise ValueError(f"{name}: the document's kernel has no {old!r}")
        made[name] = found + "\n"
    return made


def estimates(code: str) -> dict[str, tuple[int, int, int]]:
    """The band of the kernel on each target."""
    analysis = analyse(code.encode(), "lattice.cu", Settings(architectures=TARGETS))
    if not isinstance(analysis, Analysis):
        raise TypeError("the document's kernel was not understood")
    (row,) = kernel_rows(analysis)
    return {
        target.name: (target.registers.estimate, target.registers.low, target.registers.high) for target in row.targets
    }


def stored() -> list[Lattice]:
    """Stored rows of the lattice kernel."""
    with LATTICE.open(newline="") as handle:
        return [
            Lattice(
                row["version"],
                row["target"],
                int(row["registers"]),
                int(row["low"]),
                int(row["high"]),
                row["compiler"],
                int(row["real"]),
                int(row["scratch"]),
            )
            for row in csv.DictReader(handle)
        ]


def measured(document: str) -> Iterator[Lattice]:
    """The versions of the kernel by the tool and by the compilers of this machine."""
    chain = toolchain.find_toolchain()
    with tempfile.TemporaryDirectory(prefix="regpress-lattice-") as folder:
        for name, code in versions(document).items():
            bands = estimates(code)
            source = Path(folder) / "lattice.cu"
            source.write_text(code)
            for target in TARGETS:
                (real,) = toolchain.compile_for(chain, source, target, Path(folder)) or (None,)
                if real is None:
                    raise ValueError(f"there is no compiler for {target}")
                compiler = toolchain.version_for(chain, target) or ""
                yield Lattice(name, target, *bands[target], compiler, real.registers, real.scratch_bytes)


def main(arguments: Sequence[str]) -> int:
    """Measure the lattice kernel and store the result."""
    if len(arguments) != 1:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    document = next(Path(arguments[0]).glob("000_*.txt")).read_text()
    rows = list(measured(document))
    with LATTICE.open("w", newline="") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(Lattice._fields)
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
