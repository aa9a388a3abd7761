"""Precision and recall of the rules about private memory, against compilers.

    python -m tools.measure.rule_precision truth SOURCES TRUTH.csv [--list] [--rules RP403,RP407]
    python -m tools.measure.rule_precision micro FOLDER [--list] [--rules RP403,RP407]

`truth` reads HeCBench (SOURCES is its `src`) and a table of what compilers gave its kernels; `micro` a folder of small
kernels with its `results.csv`. A kernel counts as said on a target if one of the rules has a warning or an information
about it there that names private memory or spills (what is moved to LDS, and what only costs registers, is no part of
this); it is true if the compiler gave it private memory. Kernels whose names macros paste together are looked for in
the preprocessed file (`clang++ -E`). Only rules that exist are asked.

Counted apart, neither right nor wrong, and listed as such:

- `library`: a kernel without a finding whose private memory is the frame of a library call or of printf (NVIDIA's slow
  path of the trigonometric functions, 32 to 40 bytes; printf's arguments), by what the estimate knows of those;
- `cap`: a kernel that spills under clang's default cap of 1,024 threads and has no private memory with room for 256:
  that is about launch bounds (RP101), not about what these rules look at.

`--list` names every false positive (with the rule) and every miss.
"""

from __future__ import annotations

import argparse
import csv
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import Severity
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.facts.kernel import KernelFacts, kernel_facts
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.projects import Projects
from regpress_lint.lint.registry import load
from regpress_lint.model.estimate.scratch import library_frames
from regpress_lint.program import build_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.api import File, Kernel, Rule
    from regpress_lint.core.settings import Language

CODES = ("RP104", "RP204", "RP401", "RP402", "RP403", "RP404", "RP405", "RP407", "RP408", "RP409", "RP601", "RP701")
_PRIVATE = re.compile(r"scratch|spill|(private|local) memory|stack frame|a stack of")
_PREPROCESSORS = ("clang++-19", "clang++", "g++")


class Case(NamedTuple):
    """One kernel on one target: what the compiler gave it, and the rules that spoke.

    private: bytes of private memory; cap: it is there only under the default cap. library: bytes of frames of library
    calls and prints by the estimate; asked only of a kernel with private memory and without a finding.
    """

    name: str
    target: str
    private: int
    cap: bool
    codes: tuple[str, ...]
    library: int = 0

    @property
    def verdict(self) -> str:
        """TP, FP, FN, TN, or what it is counted apart as."""
        if self.codes:
            return "TP" if self.private else "FP"
        if not self.private:
            return "TN"
        if self.cap:
            return "cap"
        return "library" if 0 < self.private <= self.library else "FN"


class Row(NamedTuple):
    """A compiler's allocation for a kernel of a file."""

    file: str
    kernel: str
    line: int
    target: str
    private: int
    cap: bool


class Score(NamedTuple):
    """Numbers of one target."""

    hits: int
    wrong: int
    missed: int
    library: int
    cap: int

    @property
    def precision(self) -> float:
        """Precision: share of reported cases that are true."""
        return self.hits / max(self.hits + self.wrong, 1)

    @property
    def recall(self) -> float:
        """Recall: share of true cases that are reported."""
        return self.hits / max(self.hits + self.missed, 1)


def score(cases: Iterable[Case]) -> Score:
    """Count verdicts."""
    found: dict[str, int] = defaultdict(int)
    for case in cases:
        found[case.verdict] += 1
    return Score(found["TP"], found["FP"], found["FN"], found["library"], found["cap"])


def truth_rows(records: Iterable[dict[str, str]]) -> Iterator[Row]:
    """Rows of the table of truth."""
    for record in records:
        private = int(record["scratch_bytes"] or 0)
        cap = private > 0 and not int(record["demand_scratch_bytes"] or 0)
        line = int(record["line"] or 0)
        yield Row(record["file"], record["kernel"], line, record["target"], private, cap)


def micro_rows(records: Iterable[dict[str, str]]) -> Iterator[Row]:
    """Rows of the small kernels; those compiled with fast math and OpenCL C are left out."""
    for record in records:
        if "@" in record["variant"] or not record["file"].endswith(".cu") or not record["scratch"]:
            continue
        if record["target"] in ("gfx90a", "gfx1100", "sm_90"):
            private, spills = int(record["scratch"]), int(record["vspill"] or 0)
            yield Row(record["file"], record["variant"], 0, record["target"], private, private > 0 and spills > 0)


def nearest(kernels: Iterable[Kernel], file: File, row: Row) -> Kernel | None:
    """The kernel of a row: by name, and of several by line."""
    named = [kernel for kernel in kernels if kernel.name.rpartition("::")[2] == row.kernel]
    return min(named, key=lambda one: abs(file.source.line_of(one.name_span.start) - row.line), default=None)


def said(rules: Iterable[Rule], facts: KernelFacts, target: str) -> tuple[str, ...]:
    """Codes of the rules with a warning or an information about a kernel on a target."""
    return tuple(
        rule.code
        for rule in rules
        if rule.scope().covers(facts)
        and any(
            one.severities.get(target, Severity.HINT) >= Severity.INFO and _PRIVATE.search(one.message)
            for one in rule.check_kernel(facts)
        )
    )


def preprocessed(path: Path) -> bytes:
    """A file with its macros expanded, or nothing where there is no preprocessor."""
    tool = next(filter(None, map(shutil.which, _PREPROCESSORS)), None)
    if tool is None:
        return b""
    return subprocess.run([tool, "-E", "-P", "-x", "c++", str(path)], check=False, capture_output=True).stdout


def judged(root: Path, rows: Iterable[Row], codes: Iterable[str], errors: list[str]) -> Iterator[Case]:
    """All rows whose kernel is found."""
    rules = [rule.load()() for rule in load().rules if rule.code in set(codes)]
    projects = Projects([candidate.path for candidate in discover([str(root)]).files], [str(root)])
    by_file: dict[tuple[str, Language], list[Row]] = defaultdict(list)
    for row in rows:
        by_file[row.file, "cuda" if row.target.startswith("sm") else "hip"].append(row)
    for (name, language), inside in sorted(by_file.items()):
        path = root / name
        project = projects.of(str(path))
        file = build_file(Source(str(path), path.read_bytes()), language, project)
        pasted: File | None = None
        for target in dict.fromkeys(row.target for row in inside):
            settings = Settings(architectures=(target,))
            for row in inside:
                if row.target != target:
                    continue
                home, kernel = file, nearest(file.kernels, file, row)
                if kernel is None:
                    home = pasted = pasted or build_file(Source(str(path), preprocessed(path)), language, project)
                    kernel = nearest(home.kernels, home, row)
                if kernel is None:
                    errors.append(f"{row.file} {row.kernel}")
                    continue
                facts = kernel_facts(home, kernel, settings)
                yield _case(row, rules, facts)
                facts.forget()


def _case(row: Row, rules: list[Rule], facts: KernelFacts) -> Case:
    codes = said(rules, facts, row.target)
    library = 0
    if row.private and not codes:
        frames = library_frames(facts.execution(row.target), facts.compiler(row.target))
        library = sum(frame.bytes for frame in frames)
    return Case(f"{row.file} {row.kernel}", row.target, row.private, row.cap, codes, library)


def report(cases: list[Case], *, listed: bool) -> None:
    """Print one line per target, then one per rule, then the wrong answers."""
    for target in dict.fromkeys(case.target for case in cases):
        own = [case for case in cases if case.target == target]
        total = score(own)
        print(
            f"{target}: {len(own)} kernels, TP {total.hits} FP {total.wrong} FN {total.missed} (apart: library "
            f"{total.library}, cap {total.cap}); precision {total.precision:.3f}, recall {total.recall:.3f}"
        )
        for code in sorted({code for case in own for code in case.codes}):
            right = [bool(case.private) for case in own if code in case.codes]
            print(f"  {code}: {sum(right)} of {len(right)} right")
        if listed:
            for case in own:
                if case.verdict in ("FP", "FN", "library", "cap"):
                    print(f"  {case.verdict} {case.private} bytes {','.join(case.codes)}: {case.name}")


def main() -> int:
    """Read the table, ask the rules and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("truth", "micro"))
    parser.add_argument("sources", type=Path)
    parser.add_argument("table", type=Path, nargs="?")
    parser.add_argument("--rules", default=",".join(CODES))
    parser.add_argument("--list", action="store_true", dest="listed")
    args = parser.parse_args()
    sys.setrecursionlimit(20_000)
    table = args.table or args.sources / "results.csv"
    with table.open(newline="", encoding="utf-8") as stream:
        records = list(csv.DictReader(stream))
    rows = list(truth_rows(records) if args.kind == "truth" else micro_rows(records))
    errors: list[str] = []
    report(list(judged(args.sources, rows, args.rules.split(","), errors)), listed=args.listed)
    print(f"{len(errors)} of {len(rows)} kernels were not found")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
