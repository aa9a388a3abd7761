"""Draw a stratified random sample of findings and print each with the source around it, for reading by eye.

    regpress-lint check src --output-format json > findings.json
    python -m tools.measure.sample_findings findings.json --root . --seed 20261121 --size 50 > sample.txt
    python -m tools.measure.sample_findings findings.json --rule RP404 --size 10

A stratum is a rule at a severity. Every stratum gets `--least` findings (or all that it has), the rest of the sample
is shared out in proportion to the rest of each stratum. The same file, seed and sizes give the same sample: findings
are sorted before they are drawn, so their order in the file does not matter.

Beside the finding stand `--context` lines of source around it, what its fix alone would change, as a difference, and
the lines that launch the kernel, because block size and dynamic LDS come from there. Only files of the same directory
are searched for launches, by the kernel's name: enough to judge by, not a proof.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from regpress_lint.core import fixes
from regpress_lint.core.diagnostics import ResolvedEdit, ResolvedFix
from regpress_lint.core.source import Source

_SOURCES = frozenset((".cu", ".cuh", ".hip", ".cpp", ".cc", ".c", ".h", ".hpp"))
_LAUNCH = re.compile(r"<<<|hipLaunchKernel|cudaLaunchKernel|parallel_for|single_task|nd_range")
_MOST_LAUNCHES = 6

Diagnostic = dict[str, Any]


class Stratum(NamedTuple):
    """A rule at a severity: what the sample is balanced over."""

    code: str
    severity: str


def strata(diagnostics: list[Diagnostic]) -> dict[Stratum, list[Diagnostic]]:
    """Findings by stratum, each in order of file and position."""
    found: dict[Stratum, list[Diagnostic]] = defaultdict(list)
    for diagnostic in sorted(diagnostics, key=lambda one: (one["path"], one["start"]["byte"], one["code"])):
        found[Stratum(diagnostic["code"], diagnostic["severity"])].append(diagnostic)
    return dict(sorted(found.items()))


def shares(sizes: dict[Stratum, int], least: int, total: int) -> dict[Stratum, int]:
    """Sample size of every stratum: `least` (or all), then in proportion to the rest, up to `total`.

    Remainders go to the largest fractions, so that the shares add up to `total` where there are that many findings.
    """
    chosen = {stratum: min(least, size) for stratum, size in sizes.items()}
    spare = max(0, total - sum(chosen.values()))
    left = {stratum: size - chosen[stratum] for stratum, size in sizes.items()}
    everything = sum(left.values())
    if not spare or not everything:
        return chosen
    spare = min(spare, everything)
    exact = {stratum: spare * count / everything for stratum, count in left.items()}
    for stratum, part in exact.items():
        chosen[stratum] += int(part)
    rest = spare - sum(int(part) for part in exact.values())
    for stratum in sorted(exact, key=lambda one: (int(exact[one]) - exact[one], one))[:rest]:
        chosen[stratum] += 1
    return chosen


def sample(diagnostics: list[Diagnostic], seed: int, least: int, total: int) -> list[Diagnostic]:
    """The sample, by stratum and then in order of file and position."""
    groups = strata(diagnostics)
    wanted = shares({stratum: len(group) for stratum, group in groups.items()}, least, total)
    generator = random.Random(seed)
    drawn: list[Diagnostic] = []
    for stratum, group in groups.items():
        positions = sorted(generator.sample(range(len(group)), wanted[stratum]))
        drawn += [group[position] for position in positions]
    return drawn


def excerpt(path: Path, line: int, context: int) -> list[str]:
    """`context` lines around a line, numbered, the line itself marked with `>`."""
    text = path.read_text(encoding="utf-8", errors="replace").splitlines()
    first = max(1, line - context // 2)
    last = min(len(text), first + context)
    return [f"{'>' if number == line else ' '}{number:6} {text[number - 1]}" for number in range(first, last + 1)]


def launches(path: Path, kernel: str) -> list[str]:
    """Lines of the file's directory that seem to launch a kernel: its name, and a launch word close by."""
    found: list[str] = []
    name = re.compile(rf"\b{re.escape(kernel.rsplit('::', 1)[-1])}\b")
    for source in sorted(one for one in path.parent.iterdir() if one.suffix in _SOURCES):
        text = source.read_text(encoding="utf-8", errors="replace").splitlines()
        for number, line in enumerate(text, start=1):
            near = " ".join(text[number - 1 : number + 3])
            if name.search(line) and _LAUNCH.search(near):
                found.append(f"   {source.name}:{number}: {line.strip()}")
    return found[:_MOST_LAUNCHES]


def difference(path: Path, fix: dict[str, Any]) -> list[str]:
    """The diff that a fix in the machine output gives for a file, without its header."""
    data = path.read_bytes()
    place = Source(path.as_posix(), data).position
    edits = [
        ResolvedEdit(place(edit["start"]["byte"]), place(edit["end"]["byte"]), edit["text"]) for edit in fix["edits"]
    ]
    after, _ = fixes.apply(data, [ResolvedFix(fix["title"], fix["applicability"], tuple(edits))])
    text = fixes.unified_diff(path.name, data, after).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return [f"   {line}".rstrip() for line in text.split("\n")[2:] if line]


def report(number: int, finding: Diagnostic, root: Path, context: int) -> str:
    """One finding as text: what is said, the source, the launches."""
    path = root / finding["path"]
    start = finding["start"]
    lines = [
        f"=== {number} {finding['code']} {finding['severity']} {finding['path']}:{start['line']}:{start['column']}",
        f"kernel {finding['kernel']}, targets {', '.join(finding['targets'])}",
        finding["message"],
    ]
    lines += [f"note {one['path']}:{one['start']['line']}: {one['message']}" for one in finding["related"]]
    if finding["fix"]:
        lines.append(f"fix ({finding['fix']['applicability']}): {finding['fix']['title']}")
        lines += difference(path, finding["fix"])
    lines += excerpt(path, start["line"], context)
    lines += launches(path, finding["kernel"] or "")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("findings", type=Path, help="what `regpress-lint check --output-format json` printed")
    parser.add_argument("--root", type=Path, default=Path(), help="directory that the paths in it are relative to")
    parser.add_argument("--rule", default="", help="only findings of the rule with this code")
    parser.add_argument("--severity", default="", help="only findings of this severity")
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--size", type=int, default=50, help="findings in all")
    parser.add_argument("--least", type=int, default=5, help="findings of every rule and severity that has them")
    parser.add_argument("--context", type=int, default=12, help="lines of source around a finding")
    options = parser.parse_args(arguments)
    diagnostics = [
        finding
        for finding in json.loads(options.findings.read_text(encoding="utf-8"))["diagnostics"]
        if options.rule in ("", finding["code"]) and options.severity in ("", finding["severity"])
    ]
    least = min(options.least, options.size)
    for number, finding in enumerate(sample(diagnostics, options.seed, least, options.size), start=1):
        sys.stdout.write(report(number, finding, options.root, options.context) + "\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
