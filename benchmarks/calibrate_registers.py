"""Fit the register estimate to what real compilers allocated, and print the numbers for `analyses/fit.py`.

    python benchmarks/calibrate_registers.py SOURCES TRUTH.csv

TRUTH.csv has one row a kernel and target: target, bench, file (relative to SOURCES), kernel, line, demand. The fit is a
ridge regression of log(demand + 2) with weights that are not negative, so that a kernel that holds more is never
estimated lower; `registers.floor` then lifts the kernels that hold much, and the errors under other floors are printed
too. The band's ends are quantiles of the errors on benchmarks that a fit has not seen (ten folds, HIP and CUDA versions
of a benchmark in the same one), so that it holds about nine kernels out of ten. Kernels are read as
`regpress-lint kernels SOURCES` reads them.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from regpress_lint.analyses.fit import AROUND_MOST, AROUND_SHARE, LARGE, SMALL, Band, Fit
from regpress_lint.analyses.registers import features, floor, scratch_bytes
from regpress_lint.discovery import discover
from regpress_lint.facts import kernel_facts
from regpress_lint.frontend import build_file, detect_language
from regpress_lint.headers import Projects
from regpress_lint.occupancy import architecture
from regpress_lint.settings import Language, Settings
from regpress_lint.source import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDS = 10
RIDGE = 1.0
OFFSET = 2.0
COVERAGE = 0.90
LANGUAGES: dict[str, Language] = {"gfx90a": "hip", "sm_90": "cuda"}


class Sample(NamedTuple):
    """One kernel on one target."""

    bench: str
    features: tuple[float, ...]
    demand: float
    certain: bool
    floor: float
    pinned: int

    @property
    def truth(self) -> float:
        """The logarithm that the fit is of."""
        return math.log(max(self.demand, 1.0) + OFFSET)


class Line(NamedTuple):
    """A fitted line."""

    intercept: float
    weights: tuple[float, ...]

    def at(self, x: Sequence[float]) -> float:
        """Value for one sample."""
        return self.intercept + sum(a * b for a, b in zip(self.weights, x, strict=True))

    def lifted(self, sample: Sample) -> float:
        """Value for one sample, its floor at least: what `registers.estimate` takes."""
        return max(self.at(sample.features), math.log(sample.floor + OFFSET))


def samples(root: Path, truth: Path) -> dict[str, list[Sample]]:
    """Features of every kernel of the table that the front end finds, per target."""
    rows: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    with truth.open(newline="") as handle:
        for row in csv.DictReader(handle):
            rows[row["target"], row["file"]].append(row)
    projects = Projects([candidate.path for candidate in discover([str(root)]).files], [str(root)])
    result: dict[str, list[Sample]] = defaultdict(list)
    for (target, name), wanted in sorted(rows.items()):
        path = root / name
        data = path.read_bytes()
        language = detect_language(str(path), data) or LANGUAGES[target]
        file = build_file(Source(str(path), data), language, projects.of(str(path)))
        for row in wanted:
            found = [kernel for kernel in file.kernels if kernel.name.rpartition("::")[2] == row["kernel"]]
            if not found:
                continue
            kernel = min(found, key=lambda one: abs(one.line - int(row["line"] or 0)))
            facts = kernel_facts(file, kernel, Settings())
            peak = facts.peak(target)
            scratch = scratch_bytes(facts.arrays, peak, architecture(target).vendor)
            bench = row["bench"].rpartition("-")[0]
            certain = not facts.unknown_types
            known = Sample(bench, features(peak, scratch), float(row["demand"]), certain, floor(peak), peak.pinned)
            result[target].append(known)
    return result


def fit(data: Sequence[Sample]) -> Line:
    """Ridge regression by coordinate descent, weights held at zero or above."""
    count = len(data[0].features)
    ys = [sample.truth for sample in data]
    means = [fmean(sample.features[k] for sample in data) for k in range(count)]
    centre = fmean(ys)
    columns = [[sample.features[k] - means[k] for sample in data] for k in range(count)]
    squares = [sum(value * value for value in column) for column in columns]
    weights = [0.0] * count
    rest = [y - centre for y in ys]
    for _ in range(300):
        for k, column in enumerate(columns):
            gain = sum(value * left for value, left in zip(column, rest, strict=True)) + squares[k] * weights[k]
            new = max(0.0, gain / (squares[k] + RIDGE))
            if (change := new - weights[k]) != 0.0:
                rest = [left - change * value for left, value in zip(rest, column, strict=True)]
                weights[k] = new
    return Line(centre - sum(w * m for w, m in zip(weights, means, strict=True)), tuple(weights))


def folds(data: Sequence[Sample]) -> list[float]:
    """Value of each sample's line, the floor aside, under a fit that has not seen its benchmark."""
    order = {bench: number % FOLDS for number, bench in enumerate(sorted({sample.bench for sample in data}))}
    values = [0.0] * len(data)
    for fold in range(FOLDS):
        line = fit([sample for sample in data if order[sample.bench] != fold])
        for number, sample in enumerate(data):
            if order[sample.bench] == fold:
                values[number] = line.at(sample.features)
    return values


def band(errors: Sequence[float]) -> tuple[float, float]:
    """The interval that holds `COVERAGE` of the errors, as many of the others below it as above."""
    ordered = sorted(errors)
    inside = min(len(ordered), math.ceil(COVERAGE * len(ordered)))
    start = (len(ordered) - inside) // 2
    return ordered[start], ordered[start + inside - 1]


def shares(data: Sequence[Sample], unseen: Sequence[float]) -> None:
    """Print the errors of unseen kernels under other floors, of all kernels and of those that this one lifts."""
    lifted = [s.pinned > 0 and math.log(s.floor + OFFSET) > value for s, value in zip(data, unseen, strict=True)]
    for most in (0, 10, 20, AROUND_MOST, 40):
        for share in (0.0, 1.0, 1.25, AROUND_SHARE, 1.75, 2.0):
            off = [
                abs(s.truth - max(value, math.log(min(share * s.pinned, s.pinned + most) + OFFSET)))
                for s, value in zip(data, unseen, strict=True)
            ]
            some = [error for error, up in zip(off, lifted, strict=True) if up]
            lift = f"{fmean(some):.3f} of the {len(some)} that are lifted now"
            print(f"  share {share:.2f} most {most:2d}: mean |error| {fmean(off):.4f}, {lift}")


def report(target: str, data: Sequence[Sample]) -> None:
    """Print one target's fit, its bands, and how many unseen kernels they hold."""
    line, unseen = fit(data), folds(data)
    errors = [s.truth - max(value, math.log(s.floor + OFFSET)) for s, value in zip(data, unseen, strict=True)]
    certain = [number for number, sample in enumerate(data) if sample.certain]
    loose = [number for number, sample in enumerate(data) if not sample.certain]
    middle = (math.log(SMALL + 2) + math.log(LARGE + 2)) / 2
    small = band([errors[k] for k in certain if line.lifted(data[k]) < middle])
    large = band([errors[k] for k in certain if line.lifted(data[k]) >= middle])
    fitted = Fit(*line, Band(*small), Band(*large), Band(*band([errors[k] for k in loose])))
    held = 0
    for error, sample in zip(errors, data, strict=True):
        low, high = fitted.band(line.lifted(sample), certain=sample.certain)
        held += low <= error <= high
    print(f"{target}: {len(data)} kernels, {len(loose)} with unknown types")
    print(f"  intercept {line.intercept:.3f}  weights ({', '.join(f'{w:.3f}' for w in line.weights)})")
    for name, ends in (("small", fitted.small), ("large", fitted.large), ("loose", fitted.loose)):
        print(f"  {name} Band({ends.low:.3f}, {ends.high:.3f})")
    print(f"  unseen kernels: {held / len(data):.3f} in the band, median |error| {median(map(abs, errors)):.3f} (log)")
    shares(data, unseen)


def main() -> int:
    """Print the fits and how good they are on benchmarks that were left out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("truth", type=Path)
    args = parser.parse_args()
    sys.setrecursionlimit(20_000)
    for target, data in samples(args.sources, args.truth).items():
        report(target, data)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
