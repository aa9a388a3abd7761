"""Fit the register estimate to what real compilers allocated, and print the numbers for `model/estimate/fit.py`.

    python -m tools.measure.calibrate_registers SOURCES TRUTH.csv [--intel INTEL.csv]

TRUTH.csv has one row per kernel and target: target, bench, file (relative to SOURCES), kernel, line, demand. The fit is
a line through log(demand + 2) with the least absolute deviations and weights that are not negative, so that a kernel
that holds more is never estimated lower. The band's ends are quantiles of the errors on benchmarks that a fit has not
seen (ten folds, HIP and CUDA versions of a benchmark in the same one), so that it holds about nine kernels out of ten.
INTEL.csv says what IGC kept alive at its first try: target, bench, file, kernel, line, simd, first_live_grf (registers
of 64 bytes per hardware thread); its demand is in units of 32 bits a work-item, and the folders of HIP are read.
Printed beside them: rank correlation, median error and area under the curve for more than 64 registers, all for
benchmarks that the fit has not seen. Kernels are read as `regpress-lint kernels SOURCES` reads them.
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

from regpress_lint.core.settings import Language, Settings
from regpress_lint.core.source import Source
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.projects import Projects
from regpress_lint.model.estimate.fit import FITS, LARGE, SMALL, Band, Fit
from regpress_lint.model.estimate.registers import doubts, features, understood
from regpress_lint.program import build_file, detect_language
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDS = 10
RIDGE = 1.0
PRECISE = 1e-4
LEAST_ERROR = 0.05  # of a logarithm; what is smaller counts as so much where the width of a band is told
ROUNDS, CLOSE = 8, 0.1  # of the search for least absolute deviations; errors below count as this
OFFSET = 2.0
# A little more than the nine of ten that are meant: the ends are found on the same kernels, of Intel's on half as many,
# and programs of others are less like them than the benchmarks that a fold leaves out, most on NVIDIA.
COVERAGE = {"amd": 0.91, "nvidia": 0.92, "intel": 0.94}
# One error says little of how large errors are there: a line through many single ones is flatter than what it is of.
STEEPER = 1.2
LANGUAGES: dict[str, Language] = {"gfx90a": "hip", "sm_90": "cuda", "pvc": "hip"}
_WORDS = 16  # of 32 bits in a register of Intel's


class Sample(NamedTuple):
    """One kernel on one target."""

    bench: str
    features: tuple[float, ...]
    demand: float
    certain: bool
    held: int
    doubts: tuple[float, ...] = ()

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


def read(truth: Path) -> list[dict[str, str]]:
    """The rows of a table of kernels."""
    with truth.open(newline="") as handle:
        return list(csv.DictReader(handle))


def read_intel(truth: Path) -> list[dict[str, str]]:
    """The rows of a table of kernels that IGC compiled, with their demand."""
    rows = [row for row in read(truth) if "-hip/" in row["file"]]
    return [{**row, "demand": str(float(row["first_live_grf"]) * _WORDS / float(row["simd"]))} for row in rows]


def samples(
    root: Path, truth: Sequence[dict[str, str]], settings: Settings, folders: Sequence[str] = ()
) -> dict[str, list[Sample]]:
    """Features of every kernel of the table that the front end finds, per target. folders: all that is read, `root` if
    there are none.
    """
    rows: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for row in truth:
        rows[row["target"], row["file"]].append(row)
    folders = folders or [str(root)]
    found_files = [candidate.path for candidate in discover(folders).files]
    projects = Projects(found_files, folders, architectures=settings.architectures)
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
            facts = kernel_facts(file, kernel, settings).typical(target)
            trace, arch = facts.executions.trace(facts.compiler(target)), architecture(target)
            source = facts.written(target)
            found_features = features(trace, source, facts.compiled(target).scratch(facts.execution(target)), arch)
            certain = not facts.source.untyped and understood(trace)
            bench = row["bench"].rpartition("-")[0]
            doubtful = doubts(trace, source, arch)
            sample = Sample(bench, found_features, float(row["demand"]), certain, trace.held.vector, doubtful)
            result[target].append(sample)
    return result


def fit(data: Sequence[Sample]) -> Line:
    """Least absolute deviations with a ridge, weights held at zero or above.

    Found by least squares in which a sample counts the less the farther off it was the last time: half of the kernels
    are estimated too low and half too high, and few that are not understood do not pull at the others.
    """
    trust, line = [1.0] * len(data), Line(0.0, (0.0,) * len(data[0].features))
    rows, ys = [sample.features for sample in data], [sample.truth for sample in data]
    for _ in range(ROUNDS):
        line = _least_squares(rows, ys, trust, line.weights)
        trust = [1 / max(abs(sample.truth - line.at(sample.features)), CLOSE) for sample in data]
    return line


def _least_squares(
    rows: Sequence[Sequence[float]], ys: Sequence[float], trust: Sequence[float], start: Sequence[float]
) -> Line:
    """Weighted ridge regression by coordinate descent."""
    scale = len(trust) / sum(trust)
    shares = [scale * one for one in trust]
    count = len(rows[0])
    means = [_mean([row[k] for row in rows], shares) for k in range(count)]
    centre = _mean(ys, shares)
    columns = [[row[k] - means[k] for row in rows] for k in range(count)]
    squares = [sum(w * value * value for w, value in zip(shares, column, strict=True)) for column in columns]
    weights = list(start)
    rest = [
        y - centre - sum(w * column[n] for w, column in zip(weights, columns, strict=True)) for n, y in enumerate(ys)
    ]
    moved = 1.0
    while moved > PRECISE:
        moved = 0.0
        for k, column in enumerate(columns):
            gain = sum(w * value * left for w, value, left in zip(shares, column, rest, strict=True))
            new = max(0.0, (gain + squares[k] * weights[k]) / (squares[k] + RIDGE))
            if (change := new - weights[k]) != 0.0:
                rest = [left - change * value for left, value in zip(rest, column, strict=True)]
                weights[k] = new
                moved = max(moved, abs(change))
    return Line(centre - sum(w * m for w, m in zip(weights, means, strict=True)), tuple(weights))


def _mean(values: Sequence[float], shares: Sequence[float]) -> float:
    return sum(w * value for w, value in zip(shares, values, strict=True)) / len(values)


def folds(data: Sequence[Sample]) -> list[float]:
    """Value of each sample under a fit that has not seen its benchmark."""
    order, values = _fold_of(data), [0.0] * len(data)
    for fold in range(FOLDS):
        line = fit([sample for sample, own in zip(data, order, strict=True) if own != fold])
        for number, sample in enumerate(data):
            if order[number] == fold:
                values[number] = line.at(sample.features)
    return values


def _fold_of(data: Sequence[Sample]) -> list[int]:
    order = {bench: number % FOLDS for number, bench in enumerate(sorted({sample.bench for sample in data}))}
    return [order[sample.bench] for sample in data]


def spread(data: Sequence[Sample], errors: Sequence[float]) -> Line:
    """How the size of an error depends on what makes an estimate doubtful: a line through its logarithm. Its value at
    zero is moved, so that a band is as wide as the errors in the mean where the doubts are as large as in the mean.
    """
    if not data[0].doubts:
        return Line(0.0, ())
    sizes = [math.log(abs(error) + LEAST_ERROR) for error in errors]
    line = _least_squares([sample.doubts for sample in data], sizes, [1.0] * len(data), (0.0,) * len(data[0].doubts))
    weights = tuple(STEEPER * weight for weight in line.weights)
    return Line(-fmean(sum(a * b for a, b in zip(weights, s.doubts, strict=True)) for s in data), weights)


def _scales(data: Sequence[Sample], errors: Sequence[float]) -> list[float]:
    """Width of each sample's band beside the usual one, told by the errors of other benchmarks."""
    order, values = _fold_of(data), [1.0] * len(data)
    for fold in range(FOLDS):
        known = [number for number, own in enumerate(order) if own != fold]
        line = spread([data[number] for number in known], [errors[number] for number in known])
        for number, sample in enumerate(data):
            if order[number] == fold:
                values[number] = _widened(line).scale(sample.doubts)
    return values


def _widened(line: Line) -> Fit:
    none = Band(0.0, 0.0)
    return Fit(0.0, (), none, none, none, 0.0, tuple(round(one, 3) for one in line.weights), -line.intercept)


def band(errors: Sequence[float], coverage: float) -> tuple[float, float]:
    """The interval that holds such a share of the errors, as many of the others below it as above."""
    ordered = sorted(errors)
    inside = min(len(ordered), math.ceil(coverage * len(ordered)))
    start = (len(ordered) - inside) // 2
    return ordered[start], ordered[start + inside - 1]


def narrowest(errors: Sequence[float], coverage: float) -> tuple[float, float]:
    """Of the intervals that hold such a share of the errors the one with the fewest registers."""
    ordered = sorted(errors)
    inside = min(len(ordered), math.ceil(coverage * len(ordered)))
    ends = zip(ordered, ordered[inside - 1 :], strict=False)
    return min(ends, key=lambda pair: math.exp(pair[1]) - math.exp(pair[0]))


def ranks(values: Sequence[float]) -> list[float]:
    """Rank of each value, the mean of theirs for equal ones."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for position in range(start, end + 1):
            result[order[position]] = (start + end) / 2
        start = end + 1
    return result


def spearman(a: Sequence[float], b: Sequence[float]) -> float:
    """Rank correlation."""
    x, y = ranks(a), ranks(b)
    mean_x, mean_y = fmean(x), fmean(y)
    both = sum((p - mean_x) * (q - mean_y) for p, q in zip(x, y, strict=True))
    return both / math.sqrt(sum((p - mean_x) ** 2 for p in x) * sum((q - mean_y) ** 2 for q in y))


def scores(data: Sequence[Sample], unseen: Sequence[float]) -> None:
    """Print how good the line is on benchmarks that it was not fitted to."""
    demand = [sample.demand for sample in data]
    large = [number for number, value in enumerate(demand) if value >= 32]
    off = [abs(round(math.exp(u) - OFFSET) - d) / max(d, 1) for u, d in zip(unseen, demand, strict=True)]
    above = sum(value > 64 for value in demand)
    rank = sum(r for r, d in zip(ranks(unseen), demand, strict=True) if d > 64)
    area = (rank - above * (above - 1) / 2) / (above * (len(demand) - above))
    few = spearman([demand[k] for k in large], [unseen[k] for k in large])
    print(
        f"  unseen: Spearman {spearman(demand, unseen):.4f}, of {len(large)} with 32 or more {few:.4f}, "
        f"median error {median(off):.3f}, area for > 64 {area:.4f}"
    )


def lifted(data: Sequence[Sample], values: Sequence[float], share: float) -> list[float]:
    """The values, each at least what the floor of its sample gives."""
    return [max(v, math.log(share * s.held + OFFSET)) for s, v in zip(data, values, strict=True)]


def floors(data: Sequence[Sample], line: Sequence[float]) -> None:
    """Print the errors of unseen kernels under other floors: of all, and the median of those with 64 or more."""
    for share in (0.0, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2):
        errors = [abs(s.truth - value) for s, value in zip(data, lifted(data, line, share), strict=True)]
        large = [error for error, sample in zip(errors, data, strict=True) if sample.demand >= 64]
        print(f"  floor {share:.1f}: mean |error| {fmean(errors):.4f}, median from 64 on {median(large):.3f}")


def report(target: str, data: Sequence[Sample]) -> None:
    """Print one target's fit, its bands, and how many unseen kernels they hold."""
    line, bare = fit(data), folds(data)
    vendor = architecture(target).vendor
    share, coverage = FITS[vendor].floor, COVERAGE[vendor]
    unseen = lifted(data, bare, share)
    errors = [sample.truth - value for sample, value in zip(data, unseen, strict=True)]
    scales = _scales(data, errors)
    relative = [error / scale for error, scale in zip(errors, scales, strict=True)]
    certain = [number for number, sample in enumerate(data) if sample.certain]
    loose = [number for number, sample in enumerate(data) if not sample.certain]
    middle = (math.log(SMALL + 2) + math.log(LARGE + 2)) / 2
    at = lifted(data, [line.at(sample.features) for sample in data], share)
    chosen = narrowest if data[0].doubts else band
    if data[0].doubts:  # they tell small kernels from large ones, too
        small = large = narrowest(relative, coverage)
    else:
        small = band([relative[k] for k in certain if at[k] < middle], coverage)
        large = band([relative[k] for k in certain if at[k] >= middle], coverage)
    fitted = Fit(*line, Band(*small), Band(*large), Band(*chosen([relative[k] for k in loose], coverage)), share)
    held, widths = 0, []
    for value, error, sample, scale in zip(at, errors, data, scales, strict=True):
        low, high = (scale * end for end in fitted.band(value, certain=sample.certain))
        held += low <= error <= high
        widths.append((math.exp(value + high) - math.exp(value + low)) / max(sample.demand, 1))
    print(f"{target}: {len(data)} kernels, {len(loose)} of which something is not in view")
    print(f"  intercept {line.intercept:.3f}  weights ({', '.join(f'{w:.3f}' for w in line.weights)})")
    for name, own in (("small", fitted.small), ("large", fitted.large), ("loose", fitted.loose)):
        print(f"  {name} Band({own.low:.3f}, {own.high:.3f})")
    doubtful = spread(data, errors)
    if doubtful.weights:
        weights = ", ".join(f"{weight:.3f}" for weight in doubtful.weights)
        print(f"  spread ({weights})  usual {-doubtful.intercept:.3f}")
    print(f"  unseen: {held / len(data):.3f} in the band, its median width {median(widths):.2f} of the truth")
    scores(data, unseen)
    floors(data, bare)


def main() -> int:
    """Print the fits and how good they are on benchmarks that were left out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--intel", type=Path, metavar="INTEL.csv")
    args = parser.parse_args()
    sys.setrecursionlimit(20_000)
    found = samples(args.sources, read(args.truth), Settings())
    if args.intel is not None:
        rows = read_intel(args.intel)
        folders = sorted({str(args.sources / Path(row["file"]).parts[0]) for row in rows})
        found |= samples(args.sources, rows, Settings(architectures=("pvc",)), folders)
    for target, data in found.items():
        report(target, data)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
