"""Run the linter over foreign code: the repositories of `world.toml` that are present.

    python -m tools.measure.world ROOT [--only NAME ...] [--seconds N] [--found] [--csv FILE]

ROOT holds a folder for each repository, by its name, with the sources of the commit that `world.toml` names; nothing is
fetched, and what is not there is left out. Printed for each: files, kernels, those that a plain scan of the text finds
(`kernel_scan.py`) and that were found, kernels read whole, crashes (RP009 and exceptions), files that took longer than
the deadline, seconds per MB, warnings per 100 kernels, and the five slowest files per byte. The bars are those of
`BARS`; a repository below one is marked, and the exit status is 1.

CPU seconds of one process. `--seconds` ends a repository early: then folders in an order by digest, so that what was
looked at is spread over all of it, and the first column says how many of how many files. A slow file is one that takes
more per byte than the median of those with kernels; what seems slow is looked at again, because the first file that
requests headers and includers pays for all others. Whether it is slow or has more to do is told by the second ratio:
seconds per value of the kernels' graphs, callees and copies of unrolled loops included, again by the median. `--found`
stops once the kernels of a file are known, without estimates and rules: a whole repository in the time of a part.
`--csv` puts a row for each repository into a table, in the place of the one that is there: world_results.csv is that of
the last time.
"""

from __future__ import annotations

import argparse
import csv
import gc
import hashlib
import statistics
import sys
import time
import tomllib
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from regpress_lint.core.diagnostics import Report, Severity
from regpress_lint.core.running import with_room
from regpress_lint.core.settings import Settings
from regpress_lint.cpp.names.project import Project
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.pipeline import judged
from regpress_lint.lint.projects import Projects
from regpress_lint.model.graph.values import Graph
from tools.measure.kernel_scan import scan, site_found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from regpress_lint.program.model import Kernel

LIST = Path(__file__).with_name("world.toml")
SETTINGS = Settings(architectures=("gfx90a", "sm_90"))
DEADLINE = 10.0  # CPU seconds of one file
SMALL = 20_000  # bytes below which a file counts as so long: what a file costs in any case is no growth
SLOWEST = 5
LITTLE = 1_000  # values below which a file counts as having so many, as with SMALL
WARM = b"__global__ void k(float *x) { for (int i = 0; i < 4; i++) x[i] = pow(x[i], 2.0f); }\n"


class Looked(NamedTuple):
    """One file: CPU seconds and bytes; kernels and those read whole, explicit SIMD, which is not estimated, included;
    sites that the scan sees and that were found; warnings; `launches` are those of its kernels and of what it launches
    in other files; `trouble` is what must not be: an exception, RP009, more than the deadline without a word about it.
    """

    path: str
    seconds: float
    size: int
    kernels: int = 0
    whole: int = 0
    sites: int = 0
    found: int = 0
    warnings: int = 0
    lost: tuple[str, ...] = ()
    launches: frozenset[str] = frozenset()
    broken: tuple[str, ...] = ()
    trouble: tuple[str, ...] = ()
    values: int = 0

    @property
    def per_value(self) -> float:
        """Seconds per value of the graphs that were made."""
        return self.seconds / max(self.values, LITTLE)

    @property
    def per_byte(self) -> float:
        """Seconds per byte; a small file counts as a larger one."""
        return self.seconds / max(self.size, SMALL)


@contextmanager
def _counting() -> Iterator[list[int]]:
    """How many values graphs are given in here, as the only element."""
    values, plain = [0], Graph.add

    def add(*given: Any, **named: Any) -> int:
        values[0] += 1
        return plain(*given, **named)

    try:
        Graph.add = add  # type: ignore[method-assign]
        yield values
    finally:
        Graph.add = plain  # type: ignore[method-assign]


def looked(path: str, data: bytes, project: Callable[[], Project], *, only_found: bool = False) -> Looked | None:
    """What becomes of a file; None for one without GPU code."""
    begin = time.process_time()
    try:
        with _counting() as values:
            analysis = with_room(analyse, data, path, SETTINGS, project)
            report = Report() if only_found else with_room(judged, analysis, path, SETTINGS)
        kernels = () if isinstance(analysis, Skipped) else analysis.file.kernels
    except Exception as error:  # what must not happen is what is counted here
        return Looked(path, time.process_time() - begin, len(data), trouble=(f"{type(error).__name__}: {error}"[:120],))
    seconds = time.process_time() - begin
    if isinstance(analysis, Skipped):
        return None
    return _counted(path, data, seconds, kernels, report)._replace(values=values[0])


def _counted(path: str, data: bytes, seconds: float, kernels: Sequence[Kernel], report: Report) -> Looked:
    sites = scan(data)
    own = [kernel for kernel in kernels if kernel.path == path]
    missing = [site for site in sites if not site_found(site, own)]
    trouble = [f"RP009 {one.message}"[:120] for one in report.diagnostics if one.code == "RP009"]
    if seconds > DEADLINE and not report.extra.get("warnings"):
        trouble.append(f"{seconds:.1f} s")
    return Looked(
        path,
        seconds,
        len(data),
        len(own),
        sum(not kernel.function.unparsed for kernel in own),
        len(sites),
        len(sites) - len(missing),
        sum(one.severity >= Severity.WARNING for one in report.diagnostics),
        tuple(f"{path}:{site.line} {site.form}" for site in missing),
        frozenset(f"{launch.path}:{launch.line} {launch.form}" for one in kernels for launch in one.launches),
        tuple(f"{path}:{kernel.line} {kernel.name}" for kernel in own if kernel.function.unparsed),
        tuple(trouble),
    )


class Result(NamedTuple):
    """A repository, as far as it was looked at; `of` are all its files."""

    name: str
    kind: str
    files: tuple[Looked, ...]
    seen: int
    of: int

    def total(self, field: str) -> float:
        """Sum over the files."""
        return float(sum(getattr(file, field) for file in self.files))

    @property
    def typical(self) -> float:
        """Seconds per byte of a file with kernels."""
        return statistics.median([file.per_byte for file in self.files if file.kernels] or [0.0])

    @property
    def numbers(self) -> dict[str, float]:
        """Shares and rates that have a target."""
        kernels, size, typical = self.total("kernels"), self.total("size"), self.typical
        slowest = max((file.per_byte for file in self.files), default=0.0)
        return {
            "found": self.total("found") / self.total("sites") if self.total("sites") else 1.0,
            "whole": self.total("whole") / kernels if kernels else 1.0,
            "trouble": float(sum(len(file.trouble) for file in self.files)),
            "seconds per MB": self.total("seconds") / size * 1e6 if size else 0.0,
            "warnings per 100": 100 * self.total("warnings") / kernels if kernels else 0.0,
            "slowest": slowest / typical if typical else 0.0,
            "per value": self._per_value,
        }

    @property
    def _typical_work(self) -> float:
        """Seconds per value of a file with kernels."""
        return statistics.median([file.per_value for file in self.files if file.kernels] or [0.0])

    @property
    def _per_value(self) -> float:
        most = max((file.per_value for file in self.files if file.kernels), default=0.0)
        return most / self._typical_work if most else 0.0

    def seems_slow(self, file: Looked) -> bool:
        """Whether a file is above a bar, which may be because it was the first to request a header."""
        by_size, by_work = AT_MOST["slowest"] * self.typical, AT_MOST["per value"] * self._typical_work
        return file.per_byte > by_size > 0 or (file.kernels > 0 and file.per_value > by_work > 0)

    @property
    def slow(self) -> list[Looked]:
        """The files that take longest for their size, slowest first."""
        return sorted(self.files, key=lambda file: file.per_byte, reverse=True)[:SLOWEST]


# What must hold of a repository: at least this share, at most this number.
AT_LEAST = {"found": 0.995, "whole": 0.995}
AT_MOST = {"trouble": 0.0, "slowest": 20.0, "per value": 20.0}


def misses(result: Result) -> list[str]:
    """The bars that a repository is below; one kernel that is not found or not whole is none."""
    numbers = result.numbers
    sums = {
        "found": result.total("sites") - result.total("found"),
        "whole": result.total("kernels") - result.total("whole"),
    }
    low = [name for name, bar in AT_LEAST.items() if numbers[name] < bar and sums[name] > 1]
    return low + [name for name, bar in AT_MOST.items() if numbers[name] > bar]


def _spread(folder: str) -> bytes:
    """An order in which what comes first is from all over a repository."""
    return hashlib.blake2b(folder.encode()).digest()


def run(root: Path, name: str, kind: str, seconds: float, *, only_found: bool = False) -> Result:
    """Look at a repository, for so many CPU seconds."""
    folder = root / name
    paths = [candidate.path for candidate in discover([str(folder)]).files]
    projects = Projects(paths, (str(folder),))
    order = sorted(paths, key=lambda path: (_spread(str(Path(path).parent.relative_to(root))), path))
    files: list[Looked] = []
    begin, seen = time.process_time(), 0
    for path in order:
        if time.process_time() - begin > seconds:
            break
        seen += 1
        found = looked(path, Path(path).read_bytes(), partial(projects.of, path), only_found=only_found)
        if found is not None:
            files.append(found)
    launched = frozenset[str]().union(*(file.launches for file in files))
    result = Result(name, kind, tuple(_found_by(file, launched) for file in files), seen, len(paths))
    slow = {file.path for file in result.files if result.seems_slow(file)}
    again = (looked(path, Path(path).read_bytes(), partial(projects.of, path), only_found=only_found) for path in slow)
    seconds_of = {file.path: file.seconds for file in again if file is not None}
    return result._replace(files=tuple(_at_best(file, seconds_of) for file in result.files))


def _found_by(file: Looked, launched: frozenset[str]) -> Looked:
    """A file without the sites of thin lambdas whose kernel is what they call in another file."""
    lost = tuple(site for site in file.lost if site not in launched)
    return file._replace(lost=lost, found=file.sites - len(lost))


def _at_best(file: Looked, again: Mapping[str, float]) -> Looked:
    return file._replace(seconds=min(file.seconds, again.get(file.path, file.seconds)))


HEAD = (
    f"{'repository':<28}{'kind':<12}{'files':>13}{'kernels':>9}{'found %':>9}{'whole %':>9}{'trouble':>9}{'s/MB':>7}"
    f"{'W/100':>7}{'slowest':>9}{'by work':>9}"
)


def row(result: Result) -> str:
    """One line of the table."""
    n = result.numbers
    below = misses(result)
    return (
        f"{result.name:<28}{result.kind:<12}{f'{result.seen} of {result.of}':>13}{result.total('kernels'):>9.0f}"
        f"{100 * n['found']:>9.2f}{100 * n['whole']:>9.2f}{n['trouble']:>9.0f}{n['seconds per MB']:>7.1f}"
        f"{n['warnings per 100']:>7.1f}{n['slowest']:>8.1f}x{n['per value']:>8.1f}x"
        + (f"  below: {', '.join(below)}" if below else "")
    )


def details(result: Result, most: int) -> list[str]:
    """Details of a line: trouble, kernels that were lost or not read whole, the slowest files."""
    lines = [f"    {file.path}: {text}" for file in result.files for text in file.trouble]
    lines += [f"    not found: {text}" for text in [one for file in result.files for one in file.lost][:most]]
    lines += [f"    not whole: {text}" for text in [one for file in result.files for one in file.broken][:most]]
    return [*lines, *(f"    {file.seconds:6.2f} s {file.size / 1e3:8.1f} KB  {file.path}" for file in result.slow)]


def record(result: Result, root: Path, commit: str) -> dict[str, str]:
    """The row of a table: the output of `row` with its details, times in CPU seconds."""
    numbers = result.numbers
    counted = ("kernels", "sites", "found", "whole", "warnings")
    return {
        "repository": result.name,
        "kind": result.kind,
        "commit": commit[:10],
        "files": str(result.seen),
        "of": str(result.of),
        **{name: f"{result.total(name):.0f}" for name in counted},
        "trouble": f"{numbers['trouble']:.0f}",
        "past_deadline": str(sum(file.seconds > DEADLINE for file in result.files)),
        "seconds_per_mb": f"{numbers['seconds per MB']:.1f}",
        "warnings_per_100_kernels": f"{numbers['warnings per 100']:.1f}",
        "slowest_by_median": f"{numbers['slowest']:.1f}",
        "by_work": f"{numbers['per value']:.1f}",
        "below": " ".join(misses(result)),
        "slowest_files": " ".join(
            f"{Path(file.path).relative_to(root / result.name).as_posix()}:{file.seconds:.2f}" for file in result.slow
        ),
    }


def keep(table: Path, row: Mapping[str, str]) -> None:
    """Put a row into a table, in the place of the one of the same repository."""
    old = list(csv.DictReader(table.read_text().splitlines())) if table.exists() else []
    rows = {each["repository"]: each for each in (*old, row)}
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(row), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[name] for name in sorted(rows, key=str.lower))


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--only", action="append", help="this repository")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="CPU seconds of one repository")
    parser.add_argument("--found", action="store_true", help="look for kernels only, judge none")
    parser.add_argument("--most", type=int, default=8, help="lost kernels that are listed")
    parser.add_argument("--csv", type=Path, help="the table that rows are kept in")
    given = parser.parse_args(arguments)
    gc.set_threshold(50_000, 10, 20)  # as a run has it
    sys.setrecursionlimit(20_000)
    listed = tomllib.loads(LIST.read_text())["repository"]
    chosen = [one for one in listed if not given.only or one["name"] in given.only]
    results: list[Result] = []
    looked("warm.hip", WARM, Project)  # what is imported and compiled with the first file
    print(HEAD)
    for one in chosen:
        if (given.root / one["name"]).is_dir():
            results.append(run(given.root, one["name"], one["kind"], given.seconds, only_found=given.found))
            print("\n".join((row(results[-1]), *details(results[-1], given.most))), flush=True)
            if given.csv:
                keep(given.csv, record(results[-1], given.root, one["commit"]))
    if absent := [one["name"] for one in chosen if not (given.root / one["name"]).is_dir()]:
        print(f"not there: {', '.join(absent)}")
    return 1 if any(map(misses, results)) else 0


if __name__ == "__main__":
    sys.exit(main())
