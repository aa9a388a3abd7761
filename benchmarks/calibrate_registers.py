"""Fit the register estimate to what real compilers allocated, and print the numbers for `analyses/fit.py`.

    python benchmarks/calibrate_registers.py SOURCES TRUTH.csv

TRUTH.csv has one row a kernel and target: target, bench, file (relative to SOURCES), kernel, line, demand. The fit is a
ridge regression of log(demand + 2) with weights that are not negative, so that a kernel that holds more is never
estimated lower. The band's ends are quantiles of the errors on benchmarks that a fit has not seen (ten folds, HIP and
CUDA versions of a benchmark in the same one), so that it holds about nine kernels out of ten.
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

from regpress_lint.analyses.fit import LARGE, SMALL, Band, Fit
from regpress_lint.analyses.registers import features, scratch_bytes
from regpress_lint.facts import kernel_facts
from regpress_lint.frontend import build_file
from regpress_lint.frontend.includes import IncludeResolver
from regpress_lint.frontend.project import Project
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


class Line(NamedTuple):
    """A fitted line."""

    intercept: float
    weights: tuple[float, ...]

    def at(self, x: Sequence[float]) -> float:
        """Value for one sample."""
        return self.intercept + sum(a * b for a, b in zip(self.weights, x, strict=True))


def load(path: str) -> bytes | None:
    """Bytes of a header, None if there is none."""
    try:
        return Path(path).read_bytes()
    except OSError:
        return None


def samples(root: Path, truth: Path) -> dict[str, list[Sample]]:
    """Features of every kernel of the table that the front end finds, per target."""
    rows: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    with truth.open(newline="") as handle:
        for row in csv.DictReader(handle):
            rows[row["target"], row["file"]].append(row)
    project = Project(IncludeResolver(str(root), load))
    result: dict[str, list[Sample]] = defaultdict(list)
    for (target, name), wanted in sorted(rows.items()):
        path = root / name
        file = build_file(Source(str(path), path.read_bytes()), LANGUAGES[target], project)
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
            result[target].append(Sample(bench, features(peak, scratch), float(row["demand"]), certain))
    return result


def fit(data: Sequence[Sample]) -> Line:
    """Ridge regression by coordinate descent, weights held at zero or above."""
    count = len(data[0].features)
    ys = [math.log(max(sample.demand, 1.0) + OFFSET) for sample in data]
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
    """Error of each sample (log(demand + 2) minus the fit) under a fit that has not seen its benchmark."""
    order = {bench: number % FOLDS for number, bench in enumerate(sorted({sample.bench for sample in data}))}
    errors = [0.0] * len(data)
    for fold in range(FOLDS):
        line = fit([sample for sample in data if order[sample.bench] != fold])
        for number, sample in enumerate(data):
            if order[sample.bench] == fold:
                errors[number] = math.log(max(sample.demand, 1.0) + OFFSET) - line.at(sample.features)
    return errors


def band(errors: Sequence[float]) -> tuple[float, float]:
    """The narrowest interval that holds `COVERAGE` of the errors."""
    ordered = sorted(errors)
    inside = min(len(ordered), math.ceil(COVERAGE * len(ordered)))
    start = min(range(len(ordered) - inside + 1), key=lambda k: ordered[k + inside - 1] - ordered[k])
    return ordered[start], ordered[start + inside - 1]


def report(target: str, data: Sequence[Sample]) -> None:
    """Print one target's fit, its bands, and how many unseen kernels they hold."""
    line, errors = fit(data), folds(data)
    certain = [number for number, sample in enumerate(data) if sample.certain]
    loose = [number for number, sample in enumerate(data) if not sample.certain]
    middle = (math.log(SMALL + 2) + math.log(LARGE + 2)) / 2
    small = band([errors[k] for k in certain if line.at(data[k].features) < middle])
    large = band([errors[k] for k in certain if line.at(data[k].features) >= middle])
    fitted = Fit(*line, Band(*small), Band(*large), Band(*band([errors[k] for k in loose])))
    held = 0
    for error, sample in zip(errors, data, strict=True):
        low, high = fitted.band(line.at(sample.features), certain=sample.certain)
        held += low <= error <= high
    print(f"{target}: {len(data)} kernels, {len(loose)} with unknown types")
    print(f"  intercept {line.intercept:.3f}  weights ({', '.join(f'{w:.3f}' for w in line.weights)})")
    for name, ends in (("small", fitted.small), ("large", fitted.large), ("loose", fitted.loose)):
        print(f"  {name} Band({ends.low:.3f}, {ends.high:.3f})")
    print(f"  unseen kernels: {held / len(data):.3f} in the band, median |error| {median(map(abs, errors)):.3f} (log)")


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
