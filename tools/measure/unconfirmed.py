"""Warnings that no compiler confirms: the share of real kernels that carry one, and which ones.

    python -m tools.measure.unconfirmed SRC TRUTH.csv [--gain GAIN.csv] [--targets gfx90a,sm_90] [--select RP403]

SRC is HeCBench's `src`, TRUTH.csv what compilers gave its kernels (target, file, kernel, line, demand, scratch_bytes,
spills ...), GAIN.csv what `rule_gain.py --csv` wrote. Only warnings and errors of the default profile count, and only
on kernels of the table. What decides:

- A fix that was compiled (GAIN.csv): confirmed if it improved, for rules whose claim is time also if it left less
  code; refuted if not.
- Rules that predict scratch or spills: confirmed if the table has some for the kernel, else refuted.
- RP101: confirmed if the demand is above 128 registers, the cap of 1,024 threads, or the table has spills.
- All others are asked again with the compiler's registers in place of the estimate, and refuted if silent then.
  If not, RP102, RP105, RP106 and RP108 are confirmed: from there on they are arithmetic. Others are open: what they
  say was measured on pairs of kernels, not on this one.

Printed by rule and target: warnings, confirmed, refuted, open; then the share of the table's kernels with a warning
that is refuted, and with one that is refuted or open.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.registry import load
from regpress_lint.model.estimate.registers import RegisterEstimate
from regpress_lint.program import build_file
from tools.measure.programs import Programs, language_of
from tools.measure.rule_gain import lint

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from regpress_lint.api import KernelFacts, Rule
    from regpress_lint.core.diagnostics import Diagnostic

# What these say is true of a kernel with private memory or spills, and of no other.
PRIVATE_MEMORY = frozenset(
    ("RP104", "RP204", "RP401", "RP403", "RP404", "RP407", "RP408", "RP409", "RP601", "RP701")
)  # fmt: skip
# These claim time whatever the registers do.
TIME = frozenset(("RP201", "RP202", "RP203", "RP205", "RP206"))
# Occupancy is arithmetic, once the registers are known, and so are launches that cannot work.
ARITHMETIC = frozenset(("RP102", "RP105", "RP106", "RP108"))
# VGPRs of a thread where 1,024 of them make a block (gfx90a).
CAP = 128
VERDICTS = ("confirmed", "refuted", "open")


class Truth(NamedTuple):
    """A compiler's numbers for a kernel."""

    line: int
    end_line: int
    demand: int
    spills: int
    scratch_bytes: int
    demand_spills: int

    @property
    def private(self) -> bool:
        """True if some of it lives in private memory."""
        return self.scratch_bytes > 0 or self.spills > 0


class Judged(NamedTuple):
    """A warning and what became of it."""

    finding: Diagnostic
    file: str
    verdict: str
    reason: str


class Table:
    """The rows of one target by file and kernel."""

    def __init__(self, rows: Iterable[dict[str, str]], target: str) -> None:
        self.rows: dict[tuple[str, str], list[Truth]] = defaultdict(list)
        for row in rows:
            if row["target"] == target:
                self.rows[row["file"], row["kernel"]].append(
                    Truth(*(int(float(row[name] or 0)) for name in Truth._fields))
                )

    def __len__(self) -> int:
        return sum(map(len, self.rows.values()))

    def of(self, file: str, kernel: str | None, line: int) -> Truth | None:
        """The kernel's row; of several with its name the one around the line, else the one that takes most."""
        rows = self.rows.get((file, (kernel or "").rpartition("::")[2]), ())
        around = [row for row in rows if row.line <= line <= row.end_line]
        return max(around or rows, key=lambda row: (row.private, row.demand), default=None)


def judged(finding: Diagnostic, truth: Truth, target: str, gain: str | None, repeated: bool) -> tuple[str, str]:
    """Verdict and reason. gain: of rule_gain, if there is one; repeated: also said with the compiler's registers."""
    code = finding.code
    if gain is not None:
        good = gain == "improved" or (code in TIME and gain == "less code")
        return ("confirmed" if good else "refuted"), f"repaired and compiled: {gain}"
    numbers = f"demand {truth.demand}, {truth.scratch_bytes} B private, {truth.spills} spills"
    if code in PRIVATE_MEMORY:
        return ("confirmed" if truth.private else "refuted"), numbers
    if code == "RP101":
        return ("confirmed" if truth.demand > CAP or truth.demand_spills or truth.spills else "refuted"), numbers
    if not repeated:
        return "refuted", f"silent when it knows the registers: {numbers}"
    return ("confirmed" if code in ARITHMETIC else "open"), f"said with the compiler's registers, too: {numbers}"


class Judge:
    """Asks rules again with the registers that a compiler gave."""

    def __init__(self, programs: Programs, target: str, settings: Settings) -> None:
        self.programs, self.target, self.settings = programs, target, settings
        self.rules: dict[str, type[Rule]] = {rule.code: rule.load() for rule in load().rules}
        self._facts: dict[str, dict[str, KernelFacts]] = {}

    def repeated(self, finding: Diagnostic, truth: Truth) -> bool:
        """True if the rule still warns about the kernel when the estimate is what the compiler gave."""
        facts = self._facts_of(finding.location.path).get(finding.kernel or "")
        if facts is None:
            return True
        for each in (facts, *facts.instances.values()):
            each.target(self.target).registers = RegisterEstimate(*(truth.demand,) * 3, truth.scratch_bytes)
        found = self.rules[finding.code]().check_kernel(facts)
        return any(each.severities.get(self.target, Severity.HINT) >= Severity.WARNING for each in found)

    def _facts_of(self, path: str) -> dict[str, KernelFacts]:
        if path not in self._facts:
            source = Source(path, Path(path).read_bytes())
            file = build_file(source, language_of(self.target), self.programs.projects.of(path))
            facts = {kernel.name: kernel_facts(file, kernel, self.settings) for kernel in file.kernels}
            self._facts = {path: facts}
        return self._facts[path]


def gains(path: Path | None) -> dict[tuple[str, str, str, int], str]:
    """Outcome of findings' fixes, by rule, target, file and line."""
    if path is None:
        return {}
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    return {(row["code"], row["target"], row["path"], int(row["line"])): row["verdict"] for row in rows}


def judge(
    programs: Programs,
    target: str,
    table: Table,
    gained: dict[tuple[str, str, str, int], str],
    findings: Sequence[Diagnostic],
) -> list[Judged]:
    """All warnings about kernels of the table."""
    asked = Judge(programs, target, Settings(architectures=(target,)))
    result = []
    for finding in sorted(findings, key=lambda each: each.location.path):
        file, line = str(Path(finding.location.path).relative_to(programs.root)), finding.location.start.line
        truth = table.of(file, finding.kernel, line)
        if truth is None:
            continue
        gain = gained.get((finding.code, target, file, line))
        again = gain is not None or asked.repeated(finding, truth)
        result.append(Judged(finding, file, *judged(finding, truth, target, gain, again)))
    return result


def report(target: str, kernels: int, found: Sequence[Judged], names: bool) -> None:
    """Print the table of a target."""
    print(f"\n{target}: {kernels} kernels with a truth")
    print(f"{'rule':8s} {'warnings':>8s} " + " ".join(f"{verdict:>9s}" for verdict in VERDICTS))
    for code in sorted({each.finding.code for each in found}):
        counts = Counter(each.verdict for each in found if each.finding.code == code)
        print(f"{code:8s} {counts.total():8d} " + " ".join(f"{counts[verdict]:9d}" for verdict in VERDICTS))
    for words, verdicts in (("refuted", {"refuted"}), ("refuted or open", {"refuted", "open"})):
        bad = {(each.file, each.finding.kernel) for each in found if each.verdict in verdicts}
        print(f"kernels with a warning that is {words}: {len(bad)}, {len(bad) / kernels:.1%}")
    for each in found if names else ():
        if each.verdict != "confirmed":
            place = f"{each.file}:{each.finding.location.start.line} {each.finding.kernel}"
            print(f"  {each.verdict} {each.finding.code} {place}: {each.reason}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--gain", type=Path, help="what rule_gain.py --csv wrote")
    parser.add_argument("--targets", default="gfx90a,sm_90")
    parser.add_argument("--select", default="", help="rules, else all of the default profile")
    parser.add_argument("--names", action="store_true", help="list the warnings that are not confirmed")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    sys.setrecursionlimit(20_000)
    programs, gained = Programs(options.source), gains(options.gain)
    with options.truth.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for target in options.targets.split(","):
        table = Table(rows, target)
        select = tuple(word for word in options.select.split(",") if word)
        settings = Settings(architectures=(target,), select=select, min_severity=Severity.WARNING)
        findings = lint(programs, target, settings, options.jobs)
        report(target, len(table), judge(programs, target, table, gained, findings), options.names)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
