"""How good the linter's estimates for testdata/golden are, and whether they move with a size as the compilers do."""

from __future__ import annotations

import re
from collections import defaultdict
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

from tools.measure.golden_rows import AMD, TARGETS, Estimated, Key, Measured

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LARGE = 32
WORST = 15
# A step of a series: the estimate may fall by this share and these registers, and move by this factor otherwise than
# the compiler does.
SLACK, SLACK_REGISTERS, CLIFF = 0.1, 3, 2.0
SERIES_FILES = "series_"
SPILL_SLACK = 16  # bytes of a frame beside the spilled registers


class Pair(NamedTuple):
    """A kernel on a target: the compiler's numbers and ours."""

    truth: Measured
    said: Estimated

    @property
    def demand(self) -> int:
        """Registers that the compiler would like to have."""
        return self.truth.demand

    @property
    def estimate(self) -> int:
        """Registers that we say."""
        return self.said.within_cap(self.said.estimate)

    @property
    def inside(self) -> bool:
        """The compiler's number is in our band."""
        return self.said.within_cap(self.said.low) <= self.demand <= self.said.within_cap(self.said.high)

    @property
    def width(self) -> float:
        """As a share of the demand."""
        return (self.said.within_cap(self.said.high) - self.said.within_cap(self.said.low)) / max(self.demand, 1)

    @property
    def error(self) -> float:
        """As a share of the demand."""
        return abs(self.estimate - self.demand) / max(self.demand, 1)

    @property
    def in_memory(self) -> bool:
        """Private memory is there, with room to breathe, that is more than spilled registers."""
        return self.truth.demand_scratch_bytes > 0 and not self.only_spills

    @property
    def only_spills(self) -> bool:
        """All private memory is spilled registers: no prediction about memory is right or wrong then."""
        unit = 4 if self.truth.target in AMD else 1
        return 0 < self.truth.demand_scratch_bytes <= unit * self.truth.demand_spills + SPILL_SLACK

    @property
    def said_in_memory(self) -> bool:
        """We say so."""
        return self.said.scratch_bytes > 0


class Score(NamedTuple):
    """Of one target; `memory_right` and `memory_found` are precision and recall of private memory."""

    kernels: int
    spearman: float
    large: int
    spearman_large: float
    median_error: float
    inside: float
    median_width: float
    memory_right: float
    memory_found: float


def matched(truth: Iterable[Measured], said: Iterable[Estimated]) -> list[Pair]:
    """Rows of both tables that belong together; an instantiation that we do not tell apart has its template's row."""
    by_key = {row.key: row for row in said}
    pairs: list[Pair] = []
    for row in truth:
        plain = Key(row.file, row.kernel.partition("<")[0], row.target)
        found = by_key.get(row.key) or by_key.get(plain)
        if found is not None:
            pairs.append(Pair(row, found))
    return pairs


def score(pairs: Sequence[Pair]) -> Score:
    """Of pairs of one target."""
    large = [pair for pair in pairs if pair.demand >= LARGE]
    judged = [pair for pair in pairs if not pair.only_spills]
    hits = sum(pair.in_memory and pair.said_in_memory for pair in judged)
    return Score(
        kernels=len(pairs),
        spearman=spearman([(pair.demand, pair.estimate) for pair in pairs]),
        large=len(large),
        spearman_large=spearman([(pair.demand, pair.estimate) for pair in large]),
        median_error=median(pair.error for pair in pairs),
        inside=fmean(pair.inside for pair in pairs),
        median_width=median(pair.width for pair in pairs),
        memory_right=hits / max(sum(pair.said_in_memory for pair in judged), 1),
        memory_found=hits / max(sum(pair.in_memory for pair in judged), 1),
    )


def spearman(points: Sequence[tuple[float, float]]) -> float:
    """Rank correlation."""
    first, second = (_ranks([point[axis] for point in points]) for axis in (0, 1))
    one, two = fmean(first), fmean(second)
    spread = sum((a - one) ** 2 for a in first) * sum((b - two) ** 2 for b in second)
    return sum((a - one) * (b - two) for a, b in zip(first, second, strict=True)) / spread**0.5 if spread else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    """Rank of each value, the mean of theirs for equal ones."""
    places: dict[float, list[int]] = defaultdict(list)
    for place, value in enumerate(sorted(values)):
        places[value].append(place)
    return [fmean(places[value]) for value in values]


def by_target(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    """Pairs of each target, in the order of the targets."""
    found: dict[str, list[Pair]] = {target: [] for target in TARGETS}
    for pair in pairs:
        found[pair.truth.target].append(pair)
    return {target: some for target, some in found.items() if some}


def report(pairs: Iterable[Pair], targets: Sequence[str]) -> Iterator[str]:
    """The scores as a table, then the worst kernels of each target."""
    groups = {target: some for target, some in by_target(pairs).items() if target in targets}
    scores = {target: score(some) for target, some in groups.items()}
    yield " " * 16 + "".join(f"{target:>9}" for target in scores)
    for number, field in enumerate(Score._fields):
        cells = (one[number] for one in scores.values())
        yield f"{field:16}" + "".join(f"{cell:9}" if isinstance(cell, int) else f"{cell:9.3f}" for cell in cells)
    for target, some in groups.items():
        yield f"\n{target}: compiler + scratch, estimate (band) + scratch"
        for pair in sorted(some, key=_badness, reverse=True)[:WORST]:
            truth, said = pair
            yield (
                f"  {truth.demand:4} + {truth.demand_scratch_bytes:<5} {pair.estimate:4} ({said.low}-{said.high}) "
                f"+ {said.scratch_bytes:<5} {truth.file} {truth.kernel}"
            )


def _badness(pair: Pair) -> float:
    one, two = pair.demand + 8, pair.estimate + 8
    return max(one / two, two / one)


# -------------------------------------------------------------------------------------------------------- series


class Violation(NamedTuple):
    """A size of a series at which we do not move as the compiler does.

    kind: `falls` (the estimate falls from the size before, the compiler's number does not), `cliff` (it moves by more
    than a factor of two otherwise), `scratch` (private memory is said and not there, or there and not said).
    """

    series: str
    target: str
    size: int
    kind: str

    def __str__(self) -> str:
        return f"{self.series},{self.target},{self.size},{self.kind}"


def series(pairs: Iterable[Pair]) -> dict[tuple[str, str], list[tuple[int, Pair]]]:
    """By name and target, in order of size: kernels of the series' files, whose names end in a size."""
    found: dict[tuple[str, str], list[tuple[int, Pair]]] = defaultdict(list)
    for pair in pairs:
        name = re.fullmatch(r"(\w+)_(\d+)", pair.truth.kernel)
        if name is not None and pair.truth.file.startswith(SERIES_FILES):
            found[name[1], pair.truth.target].append((int(name[2]), pair))
    order = sorted(found, key=lambda key: (key[0], TARGETS.index(key[1])))
    return {key: sorted(found[key], key=lambda one: one[0]) for key in order}


def violations(pairs: Iterable[Pair]) -> list[Violation]:
    """Of all series."""
    result: list[Violation] = []
    for (name, target), members in series(pairs).items():
        before: Pair | None = None
        for size, pair in members:
            result += (Violation(name, target, size, kind) for kind in _kinds(before, pair))
            before = pair
    return result


def _kinds(before: Pair | None, now: Pair) -> Iterator[str]:
    if now.in_memory != now.said_in_memory and not now.only_spills:
        yield "scratch"
    if before is None:
        return
    if _falls(before.estimate, now.estimate) and not _falls(before.demand, now.demand):
        yield "falls"
    ours, theirs = (now.estimate + 1) / (before.estimate + 1), (now.demand + 1) / (before.demand + 1)
    if max(ours / theirs, theirs / ours) >= CLIFF:
        yield "cliff"


def _falls(before: int, now: int) -> bool:
    return now < before * (1 - SLACK) - SLACK_REGISTERS


def series_table(pairs: Iterable[Pair], targets: Sequence[str]) -> Iterator[str]:
    """For each series and target one line per size: registers and scratch, the compiler's and ours, and violations."""
    known = list(pairs)
    wrong: dict[tuple[str, str, int], list[str]] = defaultdict(list)
    for one in violations(known):
        wrong[one.series, one.target, one.size].append(one.kind)
    for (name, target), members in series(known).items():
        if target not in targets:
            continue
        yield f"{name} {target}\n     N   as built: regs scratch spills   demand: regs scratch   linter: regs scratch"
        for size, (truth, said) in members:
            own = "" if truth.registers is None else str(truth.registers + (truth.agprs or 0))
            kinds = " ".join(wrong[name, target, size])
            yield (
                f"  {size:4} {own:>16} {truth.scratch_bytes:7} {truth.spills:6} {truth.demand:14} "
                f"{truth.demand_scratch_bytes:7} {said.estimate:14} {said.scratch_bytes:7}  {kinds}"
            ).rstrip()
