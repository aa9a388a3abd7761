"""Find effects of kernels that are neither in the graph nor in the ledger of unknowns.

    python -m tools.robustness.conservation SRC ... --arch gfx90a,sm_90  # a line per loss, and the share of kernels
    python -m tools.robustness.conservation SRC --sample 500 --seed 3       # of so many files
    python -m tools.robustness.conservation SRC --causes 30                 # the causes of most unknowns

For every kernel and architecture: each statement that the execution reached and that writes through an argument, into
LDS or a global, or to what a call gives, and each atomic and barrier, has left an effect in the graph or an entry in
the ledger (`graph_invariants.py`), and no store goes to an address that has no value. The target is no kernel with a
loss.
The kinds of the ledger are counted beside. A file is seen with the headers and includers of its folder, as a run over
the folder sees it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.projects import Projects
from regpress_lint.model.passes.placement import executed
from tools.robustness.graph_invariants import vanished

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from regpress_lint.cpp.names.project import Project


class Seen(NamedTuple):
    """One kernel, or one of its instantiations, on an architecture. unknown: kinds and names of its unknowns;
    losses: lines and names of what vanished.
    """

    path: str
    kernel: str
    line: int
    target: str
    unknown: tuple[tuple[str, str], ...]
    losses: tuple[str, ...]


def seen(data: bytes, path: str, targets: tuple[str, ...], project: Callable[[], Project]) -> Iterator[Seen]:
    """All kernels of a file that an architecture can run."""
    analysis = analyse(data, path, Settings(architectures=targets), project)
    if not isinstance(analysis, Analysis):
        return
    for kernel in analysis.file.kernels:
        facts = analysis.facts(kernel)
        for target in facts.targets:
            for own in (*facts.instances.values(),) or (facts,):
                machine = executed(own.input_for(own.compiler(target)))
                gone = tuple(
                    f"{one.path}:{analysis.line_of(one.path, one.span.start)} {one.name}" for one in vanished(machine)
                )
                unknown = {(one.kind, one.name): None for one in own.unknowns(target) if one.matters}
                yield Seen(path, kernel.name, kernel.line, target, (*unknown,), gone)
        analysis.done_with(kernel)
    analysis.close()


def main() -> int:
    """Exit status 1 where something vanished."""
    parser = argparse.ArgumentParser(description="effects that neither the graph nor the ledger has")
    parser.add_argument("roots", nargs="+")
    parser.add_argument("--arch", default="gfx90a,sm_90")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--causes", type=int, default=0, help="what most kernels hang on, so many of them")
    args = parser.parse_args()
    paths = [candidate.path for candidate in discover(args.roots).files]
    projects = Projects(paths, args.roots)
    if args.sample and args.sample < len(paths):
        paths = sorted(random.Random(args.seed).sample(paths, args.sample))
    kernels = losing = open_ = 0
    causes: Counter[tuple[str, str]] = Counter()
    for path in paths:
        for one in seen(Path(path).read_bytes(), path, tuple(args.arch.split(",")), partial(projects.of, path)):
            kernels += 1
            causes.update(one.unknown)
            open_ += bool(one.unknown)
            losing += bool(one.losses)
            for loss in one.losses:
                print(f"{one.path}:{one.line} {one.kernel} {one.target}: {loss}", flush=True)
    for (kind, name), count in causes.most_common(args.causes):
        print(f"{count:6} {kind} {name}")
    share = losing / kernels if kernels else 0.0
    kinds = Counter[str]()
    for (kind, _), count in causes.items():
        kinds[kind] += count
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    lost = f"{losing} of {kernels} kernels and GPUs lose something ({share:.2%})"
    print(f"{lost}; {open_} hang on what is not known: {told}")
    return 1 if losing else 0


if __name__ == "__main__":
    sys.exit(main())
