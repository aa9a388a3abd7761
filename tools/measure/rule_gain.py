"""Effect of rules' fixes on real programs: apply, compile, compare.

    python -m tools.measure.rule_gain SRC [--select RP201,RP404] [--fixes safe|unsafe] [--limit 20] [--seed 1]
                                       [--targets gfx90a,sm_90] [--cache FOLDER] [--csv FILE]

SRC (HeCBench's `src`) is linted for each target, in the language that its compiler takes (HIP for AMD, else CUDA).
Of the findings that carry a fix, `--limit` of every rule, severity and target are drawn at random; a finding whose file
does not compile as it is gives its place to the next. Fixed are all findings of the rule in the file, as `--select CODE
--fix` does: kernels are allocated one by one, so that a kernel's numbers show what the fixes in it did, and half of
the fixes of a loop would show nothing (page of RP201). Only where the result does not compile the fixes are tried one
by one, to name the faulty one. A finding counts as its kernel does; of a template all instances are compared.

What became of a kernel (`lost`, `improved`, ...) is decided in regpress_lint/measured/ratchet.py, for `verify` too.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.cli.context import context
from regpress_lint.cli.parser import parse
from regpress_lint.commands.check.command import lint_group
from regpress_lint.commands.check.repair import until_stable
from regpress_lint.core import fixes
from regpress_lint.core.diagnostics import Diagnostic, Report, Severity
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.discovery import Candidate
from regpress_lint.lint.pipeline import lint_bytes
from regpress_lint.measured.ratchet import VERDICTS, Numbers, together, verdict
from regpress_lint.program import build_file
from tools.measure.measure_evidence import resident_waves
from tools.measure.programs import Programs, language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.program.model import File
    from tools.measure.programs import Build
    from tools.measure.toolchain import Allocation


class Gain(NamedTuple):
    """What became of a finding. `before` and `after` are those of the instance that changed most."""

    code: str
    severity: str
    target: str
    path: str
    line: int
    kernel: str
    applicability: str
    verdict: str
    before: str
    after: str


class Case(NamedTuple):
    """The findings of one rule that carry a fix in one file, and the file with these fixed.

    launches: threads per block and bytes of dynamic LDS of the file's kernels, as the linter sees them.
    """

    path: Path
    target: str
    before: bytes
    after: bytes
    findings: tuple[Diagnostic, ...]
    launches: dict[str, tuple[int, int]]


def instances(
    before: Sequence[Allocation], after: Sequence[Allocation], kernel: str
) -> Iterator[tuple[Allocation, Allocation]]:
    """The instances of a kernel in two builds, by symbol; nvcc renames symbols that are local to a changed file."""
    name = kernel.rpartition("::")[2]
    old, new = ([one for one in build if one.kernel == name] for build in (before, after))
    symbols = {one.symbol: one for one in new}
    if all(one.symbol in symbols for one in old):
        yield from ((one, symbols[one.symbol]) for one in old)
    elif len(old) == len(new):
        yield from zip(old, new, strict=True)


class Gains:
    """The findings of a suite, and what their fixes do."""

    def __init__(self, programs: Programs, select: Sequence[str], *, unsafe: bool, least: Severity, jobs: int) -> None:
        self.programs, self.select, self.unsafe, self.least, self.jobs = programs, tuple(select), unsafe, least, jobs

    def findings(self, target: str) -> list[Diagnostic]:
        """Findings that carry a fix, for one target, in order of file and position."""
        settings = self._settings(target, self.select)
        return [one for one in lint(self.programs, target, settings, self.jobs) if self._fixable(one)]

    def _fixable(self, finding: Diagnostic) -> bool:
        fix = finding.fix
        return fix is not None and (self.unsafe or fix.applicability == "safe")

    def _settings(self, target: str, select: tuple[str, ...]) -> Settings:
        return Settings(architectures=(target,), select=select, min_severity=self.least)

    def sampled(self, target: str, findings: Sequence[Diagnostic], limit: int, seed: int) -> Iterator[Gain]:
        """Gains of as many findings of one rule and severity as are wanted, as far as their files compile."""
        left = random.Random(seed).sample(findings, len(findings))
        with ThreadPoolExecutor(self.jobs) as pool:
            while left and limit > 0:
                drawn, left = left[:limit], left[limit:]
                cases = [self.case(target, Path(path), group) for path, group in by_file(drawn)]
                for found in pool.map(self.gains, cases):
                    limit -= len(found)
                    yield from found

    def case(self, target: str, path: Path, findings: Sequence[Diagnostic]) -> Case:
        """A file with every fix of the findings' rule applied, until no more are found."""
        data, settings = path.read_bytes(), self._settings(target, (findings[0].code,))
        project = partial(self.programs.projects.of, str(path))
        report = lint_bytes(data, str(path), settings, project=project)
        mine = Report(diagnostics=tuple(one for one in report.diagnostics if one.code == findings[0].code))
        after = until_stable(data, mine, self.unsafe, (settings, project)).data
        file = build_file(Source(str(path), data), language_of(target), project())
        self.programs.unit_of(path)  # here, because projects are not made for several threads
        return Case(path, target, data, after, tuple(findings), launches(file, settings))

    def gains(self, case: Case) -> list[Gain]:
        """One for each finding; none if the file does not compile as it is."""
        before = self.programs.compiled(case.path, case.target)
        if before.error:
            return []
        after = self.programs.compiled(case.path, case.target, case.after)
        if not after.error:
            return [found for one in case.findings if (found := self._gain(case, one, before, after)) is not None]
        return [found for one in case.findings if (found := self._alone(case, one, before)) is not None]

    def _alone(self, case: Case, finding: Diagnostic, before: Build) -> Gain | None:
        assert finding.fix is not None
        data, _ = fixes.apply(case.before, [finding.fix])
        after = self.programs.compiled(case.path, case.target, data)
        return self._gain(case, finding, before, after)

    def _gain(self, case: Case, finding: Diagnostic, before: Build, after: Build) -> Gain | None:
        assert finding.fix is not None
        pairs = list(instances(before.allocations, after.allocations, finding.kernel or ""))
        if not after.error and not pairs:
            return None  # a kernel that is never instantiated, or one that a macro names
        numbers = [(self._numbers(case, finding, old), self._numbers(case, finding, new)) for old, new in pairs]
        found = "broken" if after.error else together(verdict(*both) for both in numbers)
        shown = max(numbers, key=partial(_telling, found), default=None)
        return Gain(
            finding.code,
            finding.severity.label,
            case.target,
            str(case.path.relative_to(self.programs.root)),
            finding.location.start.line,
            finding.kernel or "",
            finding.fix.applicability,
            found,
            str(shown[0]) if shown else "",
            after.error or (str(shown[1]) if shown else ""),
        )

    def _numbers(self, case: Case, finding: Diagnostic, found: Allocation) -> Numbers:
        block, dynamic = case.launches.get(finding.kernel or "", (Settings().assumed_block_size, 0))
        waves = resident_waves(case.target, found, block, found.lds_bytes + dynamic)
        return Numbers(found.total, found.scratch_bytes, found.spills, waves, found.code_bytes)


def launches(file: File, settings: Settings) -> dict[str, tuple[int, int]]:
    """Threads a block and bytes of dynamic LDS of the kernels of a file."""
    found: dict[str, tuple[int, int]] = {}
    for kernel in file.kernels:
        dynamic = max((launch.dynamic_lds_bytes or 0 for launch in kernel.launches), default=0)
        found[kernel.name] = kernel_facts(file, kernel, settings).block_size, dynamic
    return found


def _telling(found: str, both: tuple[Numbers, Numbers]) -> tuple[bool, int]:
    return verdict(*both) == found, abs(both[0].registers - both[1].registers)


def lint(programs: Programs, target: str, settings: Settings, jobs: int) -> Sequence[Diagnostic]:
    """What `check` says about the files of a suite that are compiled for a target."""
    files = [Candidate(str(path), path.stat().st_size) for path in programs.files_for(target)]
    arguments = parse(["check", str(programs.root), "--isolated", "-j", str(jobs)])
    report = lint_group(arguments, context(arguments), settings, files, files)
    return report.diagnostics


def by_file(findings: Iterable[Diagnostic]) -> list[tuple[str, list[Diagnostic]]]:
    """Findings by path, in the order of the paths."""
    found: dict[str, list[Diagnostic]] = defaultdict(list)
    for finding in findings:
        found[finding.location.path].append(finding)
    return sorted(found.items())


def strata(findings: Iterable[Diagnostic]) -> list[tuple[str, list[Diagnostic]]]:
    """Findings by rule and severity."""
    found: dict[tuple[str, int], list[Diagnostic]] = defaultdict(list)
    for finding in findings:
        found[finding.code, -finding.severity].append(finding)
    return [(f"{code} {Severity(-severity).label}", group) for (code, severity), group in sorted(found.items())]


def line(name: str, found: Sequence[Gain], total: int) -> str:
    """A row of the table."""
    counts = Counter(gain.verdict for gain in found)
    kernels = len({(gain.path, gain.kernel) for gain in found})
    share = f"{counts['improved'] / len(found):.0%}" if found else "-"
    cells = " ".join(f"{counts[each]:9d}" for each in reversed(VERDICTS))
    return f"{name:24s} {total:5d} {len(found):8d} {kernels:7d} {cells} {share:>8s}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--select", default="", help="rules, else all")
    parser.add_argument("--fixes", choices=("safe", "unsafe"), default="safe")
    parser.add_argument("--min-severity", choices=("hint", "info", "warning"), default="info")
    parser.add_argument("--limit", type=int, default=20, help="findings a rule, severity and target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--targets", default="gfx90a,sm_90")
    parser.add_argument("--cache", type=Path, help="folder that remembers what was compiled")
    parser.add_argument("--csv", type=Path, help="file for one row a finding")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    sys.setrecursionlimit(20_000)
    runs = Gains(
        Programs(options.source, options.cache),
        [word for word in options.select.split(",") if word],
        unsafe=options.fixes == "unsafe",
        least=Severity[options.min_severity.upper()],
        jobs=options.jobs,
    )
    found: list[Gain] = []
    heads = " ".join(f"{each:>9s}" for each in reversed(VERDICTS))
    print(f"{'rule, severity, target':24s} {'fixes':>5s} {'compiled':>8s} {'kernels':>7s} {heads} improved", flush=True)
    for target in options.targets.split(","):
        for name, group in strata(runs.findings(target)):
            gains = list(runs.sampled(target, group, options.limit, options.seed))
            print(line(f"{name} {target}", gains, len(group)), flush=True)
            found += gains
    for gain in found:
        if gain.verdict in ("broken", "lost"):
            where = f"{gain.code} {gain.severity} {gain.target} {gain.path}:{gain.line} {gain.kernel}"
            print(f"\n{gain.verdict}: {where} ({gain.applicability})\n    {gain.before}\n    {gain.after}")
    if options.csv:
        with options.csv.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(Gain._fields)
            writer.writerows(found)
    return int(any(gain.verdict == "broken" for gain in found))


if __name__ == "__main__":
    raise SystemExit(main())
