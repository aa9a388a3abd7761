"""How much of a body of real code the front end finds and understands.

    python -m tools.measure.frontend_coverage SRC [--sites kernel_sites.csv] [--worst 20]

SRC is a folder with HIP, CUDA and SYCL sources (HeCBench's `src`, or any checkout). Printed per language: kernels,
kernels without an error node inside, launches and how many have a block size, and seconds. With `--sites` (columns
file,kernel,line,body_line,end_line,form; made by a token scan that knows nothing of this parser) also how many of the
listed kernels were found, closed at the right brace; with `--scan` the list is made on the spot by `kernel_scan.py`,
for code that nothing here was tuned on. Single process, so that the times mean something.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.preprocess.includes import IncludeResolver
from regpress_lint.program import build_file, detect_language
from regpress_lint.program.assemble import launches_in
from tools.measure.kernel_scan import scan

if TYPE_CHECKING:
    from regpress_lint.program.file import File
    from regpress_lint.program.model import Launch

EXTENSIONS = frozenset(["cu", "cuh", "hip", "cpp", "cc", "cxx", "c", "h", "hh", "hpp", "hxx", "inl", "ipp", "tpp"])
MAX_BYTES = 4 * 1024 * 1024


def language_of(path: str, found: str) -> str:
    """HeCBench keeps one language a folder; elsewhere the detected language counts."""
    folder = path.split("/", 1)[0].rpartition("-")[2]
    return folder if folder in ("cuda", "hip", "sycl") else found


def load(path: str) -> bytes | None:
    """Header loader: a plain bounded read."""
    file = Path(path)
    try:
        return file.read_bytes() if file.is_file() and file.stat().st_size <= MAX_BYTES else None
    except OSError:
        return None


def read_sites(path: Path) -> dict[str, list[dict[str, str]]]:
    """Kernel sites by file."""
    sites: dict[str, list[dict[str, str]]] = defaultdict(list)
    with path.open(newline="") as stream:
        for row in csv.DictReader(stream):
            sites[row["file"]].append(row)
    return sites


def scanned_sites(relative: str, data: bytes) -> list[dict[str, str]]:
    """Sites in the form of the list, from the token scan."""
    return [
        {
            "file": relative,
            "kernel": site.form,
            "line": str(site.line),
            "end_line": str(site.end_line),
            "form": site.form,
        }
        for site in scan(data)
    ]


def launched_in(file: File) -> dict[tuple[str, int], bool]:
    """Where the kernels of a file are launched, and whether they are clean."""
    return {(launch.path, launch.line): kernel.complete for kernel in file.kernels for launch in kernel.launches}


def site_found(site: dict[str, str], path: str, file: File, launched: dict[tuple[str, int], bool]) -> tuple[bool, bool]:
    """(found, clean and closed at the right brace) for one listed kernel. launched: of all files, because the kernel of
    a lambda that only calls a function is that function, in whichever file it stands.
    """
    line, end = int(site["line"]), int(site["end_line"])
    if site["form"] != "__global__":
        clean = launched.get((path, line))
        return clean is not None, bool(clean)
    for kernel in file.kernels:
        # The scan sometimes takes an empty macro in front of the name for the name: the brace is what counts.
        if kernel.end_line == end and abs(kernel.line - line) <= 12:
            return True, kernel.complete
    return False, False


def main() -> int:
    """Run over a folder and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("src", type=Path)
    parser.add_argument("--sites", type=Path)
    parser.add_argument("--scan", action="store_true", help="make the list of sites with kernel_scan.py")
    parser.add_argument("--worst", type=int, default=20, help="how many misses to print")
    parser.add_argument("--only", default="", help="only folders whose name ends so, e.g. -sycl")
    args = parser.parse_args()
    sys.setrecursionlimit(20_000)
    sites = read_sites(args.sites) if args.sites else {}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    misses: list[str] = []
    paths = sorted(p for p in args.src.rglob("*") if p.suffix[1:].lower() in EXTENSIONS and p.is_file())
    by_folder: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        by_folder[str(path.parent)].append(str(path))
    by_name: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        by_name[path.name].append(str(path))
    resolver = IncludeResolver(str(args.src), load, (), lambda name: by_name.get(name, ()))
    project = Project(resolver, lambda path: by_folder.get(path.rpartition("/")[0], ()))
    launched: dict[tuple[str, int], bool] = {}
    read: list[tuple[str, File, Counter[str]]] = []
    for path in paths:
        relative = path.relative_to(args.src).as_posix()
        if args.only and not relative.split("/", 1)[0].endswith(args.only):
            continue
        data = path.read_bytes()
        if args.scan:
            sites[relative] = scanned_sites(relative, data)
        language = detect_language(str(path), data)
        if language is None or len(data) > MAX_BYTES:
            if sites.get(relative):
                misses.append(f"{relative}: not detected as a GPU file")
            continue
        start = time.perf_counter()
        file = build_file(Source(str(path), data), language, project)
        count = counts[language_of(relative, language)]
        count["seconds*1000"] += round((time.perf_counter() - start) * 1000)
        launches = file.launches if language == "sycl" else launches_in(project, str(path), language)
        tally(file, launches, count)
        launched.update(launched_in(file))
        if sites.get(relative):
            read.append((relative, file, count))
    for relative, file, count in read:
        for site in sites[relative]:
            found, clean = site_found(site, file.source.path, file, launched)
            count["sites"] += 1
            count["sites found"] += found
            count["sites clean"] += clean
            if not (found and clean):
                misses.append(f"{relative}:{site['line']} {site['kernel']} {'not clean' if found else 'not found'}")
    report(counts, misses[: args.worst], len(misses))
    return 0


def tally(file: File, launches: tuple[Launch, ...], count: Counter[str]) -> None:
    """Add one file's numbers."""
    count["files"] += 1
    count["bytes"] += len(file.source.data)
    count["kernels"] += len(file.kernels)
    count["kernels clean"] += sum(kernel.complete for kernel in file.kernels)
    for launch in launches:
        configured = launch.form in ("<<<>>>",) or launch.block_text != ""
        count["launches"] += 1
        count["launches tied to a name"] += bool(launch.kernel_name)
        count["block size known"] += launch.block_size is not None
        count["with a configuration"] += configured


def report(counts: dict[str, Counter[str]], misses: list[str], total: int) -> None:
    """Print the table."""
    names = sorted(counts)
    print(f"{'':26s}" + "".join(f"{name:>10s}" for name in names))
    keys = list(dict.fromkeys(key for name in names for key in counts[name]))
    for key in keys:
        print(f"{key:26s}" + "".join(f"{counts[name][key]:>10d}" for name in names))
    for part, whole in (
        ("kernels clean", "kernels"),
        ("sites found", "sites"),
        ("sites clean", "sites"),
        ("block size known", "launches"),
    ):
        ratio = (counts[name][part] / max(counts[name][whole], 1) for name in names)
        print(f"{part + ' %':26s}" + "".join(f"{100 * value:>10.2f}" for value in ratio))
    for miss in misses:
        print("  ", miss)
    if total > len(misses):
        print(f"   ... {total - len(misses)} more")


if __name__ == "__main__":
    raise SystemExit(main())
