"""Whether `pressure` explains the numbers of `kernels`: its peak against the estimate, over the kernels of folders.

    python -m tools.measure.peak_agreement [PATHS...] [--arch gfx90a,gfx1100,sm_90,pvc]

For every kernel and GPU: is the widest line the number behind the estimate, is it plus the calibrated rest the
estimate, and is the peak itself in the band? Without paths the kernels of testdata/ are used. Exit 1 if a peak
does not add up to its estimate.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from regpress_lint.commands.pressure.lines import kernel_pressure
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.facts.kernel import KernelFacts, kernel_facts
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.projects import Projects
from regpress_lint.program import build_file, detect_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]


def kernels(paths: Sequence[str], targets: Sequence[str]) -> Iterator[tuple[KernelFacts, Projects]]:
    """Facts of every kernel below the paths."""
    files = [candidate.path for candidate in discover(list(paths)).files]
    projects = Projects(files, list(paths))
    for path in files:
        data = Path(path).read_bytes()
        language = detect_language(path, data)
        if language is not None:
            file = build_file(Source(path, data), language, projects.of(path))
            for kernel in file.kernels:
                yield kernel_facts(file, kernel, Settings(architectures=tuple(targets))), projects


def main() -> int:
    """Print how many peaks are the number behind the estimate, and how many are in its band."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", default=[str(ROOT / "testdata")])
    parser.add_argument("--arch", default="gfx90a,gfx1100,sm_90,pvc")
    arguments = parser.parse_args()
    sys.setrecursionlimit(20_000)
    pairs = apart = inside = 0
    rests: list[int] = []
    for facts, projects in kernels(arguments.paths, arguments.arch.split(",")):
        for target in facts.targets:
            own = facts.typical(target)
            path = own.kernel.function.path
            data = facts.file.source.data if path in ("", facts.file.path) else projects.of(facts.file.path).read(path)
            shown = kernel_pressure(own, target, Source(path, data or b""), lambda _path: None)
            widest = shown.lines[shown.peak].total if shown.peak is not None else 0
            found = facts.target(target).registers
            pairs += 1
            rests.append(found.estimate - shown.alive)
            inside += found.low <= shown.alive <= found.high
            if widest != own.peak(target).registers or widest != shown.alive:
                apart += 1
                print(f"{facts.file.path}: {facts.kernel.name} on {target}: {widest} and {shown.alive}")
        facts.forget()
    print(f"{pairs} pairs of a kernel and a GPU: {apart} peaks are not what the estimate is made of")
    print(f"peak in the band: {inside / pairs:.3f}; estimate minus peak: median {median(rests):.0f} registers")
    return 1 if apart else 0


if __name__ == "__main__":
    raise SystemExit(main())
