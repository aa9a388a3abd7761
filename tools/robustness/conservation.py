"""Find effects of kernels that are neither in the graph nor in the ledger of unknowns.

    python -m tools.robustness.conservation SRC ... --arch gfx90a,sm_90  # a line per loss, and the share of kernels
    python -m tools.robustness.conservation SRC --sample 500 --seed 3       # of so many files

For every kernel and architecture: each statement that the execution reached and that writes through an argument, into
LDS or a global, or to what a call gives, and each atomic and barrier, has left an effect in the graph or an entry in
the ledger (`regpress_lint/model/interpreter/verify.py`). The target is no kernel with a loss.
The kinds of the ledger are counted beside.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.model.interpreter.verify import vanished
from regpress_lint.model.passes.trace import executed

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIXES = (".hip", ".cu", ".cpp", ".cuh", ".hpp", ".h", ".H", ".cc", ".cxx", ".sycl")


class Seen(NamedTuple):
    """One kernel, or one of its instantiations, on an architecture. losses: lines and names of what vanished."""

    path: str
    kernel: str
    line: int
    target: str
    kinds: tuple[str, ...]
    losses: tuple[str, ...]


def seen(data: bytes, path: str, targets: tuple[str, ...]) -> Iterator[Seen]:
    """All kernels of a file that an architecture can run."""
    analysis = analyse(data, path, Settings(architectures=targets))
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
                kinds = tuple(dict.fromkeys(one.kind for one in own.unknowns(target) if one.matters))
                yield Seen(path, kernel.name, kernel.line, target, kinds, gone)
        analysis.done_with(kernel)
    analysis.close()


def files(roots: list[Path]) -> list[Path]:
    """Files that may have kernels, in order."""
    found = (path for root in roots for path in ([root] if root.is_file() else sorted(root.rglob("*"))))
    return [path for path in found if path.suffix in SUFFIXES and path.is_file()]


def main() -> int:
    """Exit status 1 where something vanished."""
    parser = argparse.ArgumentParser(description="effects that neither the graph nor the ledger has")
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--arch", default="gfx90a,sm_90")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    paths = files(args.roots)
    if args.sample and args.sample < len(paths):
        paths = sorted(random.Random(args.seed).sample(paths, args.sample))
    kernels = losing = open_ = 0
    kinds: Counter[str] = Counter()
    for path in paths:
        for one in seen(path.read_bytes(), path.as_posix(), tuple(args.arch.split(","))):
            kernels += 1
            kinds.update(one.kinds)
            open_ += bool(one.kinds)
            losing += bool(one.losses)
            for loss in one.losses:
                print(f"{one.path}:{one.line} {one.kernel} {one.target}: {loss}")
    share = losing / kernels if kernels else 0.0
    lost = f"{losing} of {kernels} kernels and GPUs lose something ({share:.2%})"
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    print(f"{lost}; {open_} hang on what is not known: {told}")
    return 1 if losing else 0


if __name__ == "__main__":
    sys.exit(main())
