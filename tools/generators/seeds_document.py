"""Writes testdata/seeds/README.md: techniques of the seed documents, by the tool and by compilers.

    python -m tools.generators.seeds_document             # from testdata/seeds and the stored measurements
    python -m tools.generators.seeds_document --measure   # compile the twins first, and store what the compilers say
    python -m tools.generators.seeds_document --check  # status 1 if testdata/seeds/README.md is not as the sources say

A source in testdata/seeds holds pairs like those of the evidence (`evidence.py`), `NAME_smell` and `NAME_repaired`,
each under three lines: `// technique: NAME | what the document advises`, `// rule: CODE` (empty where no rule is about
it) and `// why: what today's compilers do`. Where the tool expects a gain and compilers have none, or the other way
round, `// differs: NAME TARGET: reason` says why; a test requires that line. `// document:` names the document.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import textwrap
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.commands.kernels.rows import kernel_rows
from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.lint.pipeline import judged
from tools.generators import seeds_lines
from tools.measure import evidence, measure_evidence, toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.commands.kernels.rows import TargetRow
    from tools.measure.evidence import Effect, Measurement

SEEDS = evidence.ROOT / "testdata" / "seeds"
MEASURED = SEEDS / "measured.csv"
PAGE = SEEDS / "README.md"
_HEAD = """# The seed documents, technique by technique

<!-- Made by `python -m tools.generators.seeds_document`; the texts are in testdata/seeds. -->

Each technique of the documents that this tool began with, as a pair of kernels of our own: as the document warns of it,
and as it advises. Beside what the tool says (registers by its estimate, bytes of private memory, waves per SIMD at the
kernel's own block size, and the finding at the first kernel with its severity) stands what compilers made of the same
pair: {compilers}. `hint` is shown with `--profile strict`. Intel's compiler names no registers, so that private memory
and spills decide there. "Agree" means that the tool and the compiler both see a gain (less private memory, or three
registers or more), or both none.
"""
_WRONG = (
    "Cases in which the tool was wrong at 6b53827, with what was said and, where it was noted, what compilers made of "
    "it then; `a -> b` is the pair's first and second kernel. The lattice kernel is the document's own, with the "
    "document's edits one on top of the other: `python -m tools.generators.seeds_lines ../shared/seeds` makes its "
    "rows. Its `pow` is 14 registers by the estimate and none by clang, which holds as many for the loads: where bands "
    "overlap as these do, the difference of two estimates is no promise. `kernels --advise` asks for a wave at the "
    "estimate and at an end of the band, and names no change for this kernel on gfx90a."
)
_COMMANDS = (
    "Each command is to be run at the root of the repository; its output holds what stands in the last column. Lines "
    "without a rule are answered by `kernels`, `occupancy` or `measure`. What the documents say about time, caches, "
    "non-temporal stores and memory layout costs or saves no register, and no line is about it."
)
_LINE = re.compile(r"^// technique: (\w+) \| (.+)\n// rule: ?(\w*)\n// why: (.+)$", re.MULTILINE)
_DIFFERS = re.compile(r"^// differs: (\w+) (\w+): (.+)$", re.MULTILINE)
_WIDTH = 120


class Technique(NamedTuple):
    """One pair of a source: a document's advice, the rule about it ("" for none), and its state today."""

    source: Path
    name: str
    title: str
    rule: str
    why: str


class Said(NamedTuple):
    """The tool's answer about one kernel on one target: its row, and the highest severity of its findings by code."""

    row: TargetRow
    findings: Mapping[str, Severity]


class Compared(NamedTuple):
    """A pair on a target: the tool's two answers and the compiler's."""

    technique: Technique
    target: str
    smell: Said
    repaired: Said
    effect: Effect

    @property
    def tool_gains(self) -> bool:
        """True if the tool expects something of the fix."""
        before, after = self.smell.row, self.repaired.row
        registers = 0 if self.target == "pvc" else before.registers.estimate - after.registers.estimate
        return _gains(before.scratch_bytes, after.scratch_bytes, registers)

    @property
    def compiler_gains(self) -> bool:
        """True if a compiler was seen to gain by it."""
        before, after = self.effect.smell, self.effect.repaired
        first, second = (row.scratch_bytes + (row.spills if row.target == "pvc" else 0) for row in (before, after))
        return _gains(first, second, before.registers - after.registers)


def _gains(memory: int, memory_after: int, registers: int) -> bool:
    return memory_after < memory if memory != memory_after else registers >= evidence.NOTICEABLE


def sources() -> list[Path]:
    """Twins that a compiler takes."""
    return sorted(path for path in SEEDS.iterdir() if path.suffix in evidence.TARGETS)


def techniques(source: Path) -> list[Technique]:
    """Pairs of a source, in its order."""
    return [Technique(source, *found) for found in _LINE.findall(source.read_text())]


def differences() -> dict[tuple[str, str, str], str]:
    """Why tool and compiler do not agree, by source, pair and target."""
    found = ((source.name, *match) for source in sources() for match in _DIFFERS.findall(source.read_text()))
    return {(source, pair, target): reason for source, pair, target, reason in found}


def said(source: Path, target: str) -> dict[str, Said]:
    """The tool's answers about the kernels of a source; OpenCL C is read as its SYCL twin."""
    path = source.with_suffix(".cpp") if source.suffix == ".cl" else source
    settings = Settings(architectures=(target,), min_severity=Severity.HINT)
    data, name = path.read_bytes(), path.relative_to(evidence.ROOT).as_posix()
    analysis = analyse(data, name, settings)
    again = analyse(data, name, settings)
    if not isinstance(analysis, Analysis) or not isinstance(again, Analysis):
        raise TypeError(f"{name} holds no GPU code")
    findings: dict[str, dict[str, Severity]] = {}
    for diagnostic in judged(again, name, settings).diagnostics:
        own = findings.setdefault(diagnostic.kernel or "", {})
        own[diagnostic.code] = max(diagnostic.severity, own.get(diagnostic.code, Severity.HINT))
    return {row.name: Said(row.targets[0], findings.get(row.name, {})) for row in kernel_rows(analysis)}


@cache
def compared() -> tuple[Compared, ...]:
    """All pairs on all their targets, in the order of the sources."""
    return tuple(row for source in sources() for row in compared_in(source))


def compared_in(source: Path) -> Iterator[Compared]:
    """The pairs of one source on all its targets."""
    effects = evidence.paired(row for row in stored_rows() if row.file == source.name)
    for target in evidence.targets_of(source):
        answers = said(source, target)
        for technique in techniques(source):
            pair = technique.name
            smell, repaired = (answers[f"{pair}_{version}"] for version in evidence.VERSIONS)
            yield Compared(technique, target, smell, repaired, effects[pair, target])


def stored_rows() -> list[Measurement]:
    """The stored measurements of compilers."""
    return evidence.read_measurements(MEASURED)


def page() -> str:
    """testdata/seeds/README.md."""
    rows = compared()
    compilers = ", ".join(dict.fromkeys(row.effect.smell.compiler for row in rows))
    reasons = differences()
    head = _HEAD.format(compilers=compilers).split("\n\n")
    parts = [*head[:2], "\n".join(textwrap.wrap(head[2], _WIDTH))]
    document = ""
    for technique in dict.fromkeys(row.technique for row in rows):
        own = [row for row in rows if row.technique == technique]
        here = _document(technique.source)
        if here != document:
            parts.append(f"## {here}")
            document = here
        parts.append(f"### {technique.title}")
        pair = f"`{technique.name}` in `testdata/seeds/{technique.source.name}`: {technique.why}"
        parts.append("\n".join(textwrap.wrap(pair, _WIDTH)))
        parts.append("\n".join(table(own)))
        for row in own:
            reason = reasons.get((technique.source.name, technique.name, row.target))
            if reason is not None and row.tool_gains != row.compiler_gains:
                parts.append("\n".join(textwrap.wrap(f"{row.target}: {reason}", _WIDTH)))
    parts.append("## What was seen wrong, and what is said today")
    parts.append("\n".join(textwrap.wrap(_WRONG, _WIDTH)))
    parts.append("\n".join(seeds_lines.wrong_table(rows)))
    parts.append("## A command for everything that the documents say")
    parts.append("\n".join(textwrap.wrap(_COMMANDS, _WIDTH)))
    parts.append("\n".join(seeds_lines.command_table(rows)))
    agree = sum(row.tool_gains == row.compiler_gains for row in rows)
    parts.append(f"## In all\n\nTool and compilers agree on {agree} of {len(rows)} pairs and targets.")
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _document(source: Path) -> str:
    match = re.search(r"^// document: (.+)$", source.read_text(), re.MULTILINE)
    return match[1] if match else source.stem


def table(rows: Sequence[Compared]) -> Iterator[str]:
    """The table of a technique, a line per target."""
    yield "| target | registers | private bytes | waves | finding | compiler: registers | private bytes | agree |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        before, after, effect = row.smell.row, row.repaired.row, row.effect
        shown = [
            row.target,
            _change(before.registers.estimate, after.registers.estimate),
            _change(before.scratch_bytes, after.scratch_bytes),
            _change(before.occupancy.waves_per_simd, after.occupancy.waves_per_simd),
            _finding(row),
            "" if row.target == "pvc" else _change(effect.smell.registers, effect.repaired.registers),
            _change(effect.smell.scratch_bytes, effect.repaired.scratch_bytes),
            "yes" if row.tool_gains == row.compiler_gains else "no",
        ]
        yield "".join(f"| {cell} " if cell else "| " for cell in shown) + "|"


def _finding(row: Compared) -> str:
    severity = row.smell.findings.get(row.technique.rule)
    return "" if severity is None else f"{row.technique.rule} {severity.label}"


def _change(before: float, after: float) -> str:
    return f"{before:g}" if before == after else f"{before:g} -> {after:g}"


def measure() -> None:
    """Compile all twins and store the result; targets without a compiler keep their rows."""
    chain, rows = toolchain.find_toolchain(), []
    with tempfile.TemporaryDirectory(prefix="regpress-seeds-") as folder:
        for source in sources():
            for target in evidence.targets_of(source):
                rows += measure_evidence.measured_source(source, target, chain, Path(folder))
    new = {(row.file, row.target) for row in rows}
    kept = [row for row in stored_rows() if (row.file, row.target) not in new]
    evidence.save_measurements(MEASURED, sorted([*kept, *rows]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--measure", action="store_true", help="compile the twins and store what the compilers say")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args(arguments)
    if options.measure:
        measure()
    if options.check:
        return int(PAGE.read_text() != page())
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
