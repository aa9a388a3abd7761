"""Random kernels judged by compilers: private memory and registers, estimated against allocated.

    python -m tools.measure.random_kernels score [--seeds 1-240] [--target T]...    precision, recall, share in the band
    python -m tools.measure.random_kernels list [--seeds 1-240] [--target T]...     each kernel about which we differ
    python -m tools.measure.random_kernels shrink [--seeds 1-240] [--target T]... [--kind memory] [--most 10]
    python -m tools.measure.random_kernels show SEED

A seed is one kernel: private arrays of one and two dimensions, structs, vectors, LDS, calls, pragmas, breaks and math,
with indices that are constants, counters, or known at run time. Fifty are compiled at a time: by nvcc for sm_90, and by
clang 19 for gfx90a with at most 256 threads per block. For pvc the same kernel is written as OpenCL C, and ocloc
compiles each by itself: what IGC gives a kernel depends on the others of its program (two of 25 had another size of
memory). It says no registers: memory alone is compared. `shrink` drops statements and halves sizes as long as we
differ in the same way, and prints the smallest form. The compilers' answers are kept in build/random_kernels.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.program import build_file
from tools.measure.golden_score import SPILL_SLACK
from tools.measure.kernel_generator import Block, Kernel, Node, kernel_of, lines
from tools.measure.toolchain import compile_for, find_toolchain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from regpress_lint.core.settings import Language

TARGETS = ("sm_90", "gfx90a", "pvc")
KEPT = Path(__file__).resolve().parents[2] / "build" / "random_kernels"
BATCH, ROUND = 50, 16  # kernels of a file, and when one is shrunk
_NOT_EMPTY = 12  # registers: of an empty kernel too much is said, and each that is too high would be shrunk to it
APART = frozenset(("pvc",))  # targets whose compiler gets one kernel at a time
ROOMY = "--gpu-max-threads-per-block=256"
SUFFIXES = {"sm_90": ".cu", "gfx90a": ".hip", "pvc": ".cl"}
LANGUAGES: Mapping[str, Language] = {"sm_90": "cuda", "gfx90a": "hip", "pvc": "opencl"}


# ------------------------------------------------------------------------------------------------- what is said of it


class Said(NamedTuple):
    """registers: vector registers per thread, AMD's AGPRs with them. memory: bytes of private memory; spills: in units
    of what the compiler counts. low, high: the band of an estimate; a compiler's number is its own band. open: the
    ledger says that the memory may be otherwise.
    """

    registers: int
    memory: int
    spills: int = 0
    low: int = 0
    high: int = 0
    open: bool = False


def compiled(kernels: Sequence[Kernel], target: str, kept: Path | None = KEPT) -> dict[str, Said]:
    """The target compiler's numbers by name of kernel, without kernels that it does not compile."""
    if kept is None:
        return _compiled(kernels, target)
    key = hashlib.sha256("".join(map(Kernel.text, kernels)).encode()).hexdigest()[:20]
    path = kept / f"{target}-{key}.json"
    if not path.is_file():
        kept.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(_compiled(kernels, target)))
    return {name: Said(*row) for name, row in json.loads(path.read_text()).items()}


def _compiled(kernels: Sequence[Kernel], target: str) -> dict[str, Said]:
    if target in APART and len(kernels) > 1:
        return {name: said for kernel in kernels for name, said in _compiled((kernel,), target).items()}
    written = Kernel.opencl if target == "pvc" else Kernel.text
    with tempfile.TemporaryDirectory(prefix="regpress-random-") as name:
        path = Path(name) / f"kernels{SUFFIXES[target]}"
        path.write_text("\n".join(map(written, kernels)))
        flags = (ROOMY,) if target == "gfx90a" else ()
        try:
            found = compile_for(find_toolchain(), path, target, Path(name), *flags) or []
        except RuntimeError:
            half = len(kernels) // 2
            if not half:
                return {}
            return {**_compiled(kernels[:half], target), **_compiled(kernels[half:], target)}
    return {one.kernel: Said(one.total, one.scratch_bytes, one.spills) for one in found}


def estimated(kernels: Sequence[Kernel], target: str) -> dict[str, Said]:
    """The linter's numbers for the same kernels."""
    name = f"kernels{SUFFIXES[target]}"
    written = Kernel.opencl if target == "pvc" else Kernel.text
    source = Source(name, "\n".join(map(written, kernels)).encode())
    file = build_file(source, LANGUAGES[target], Project())
    result: dict[str, Said] = {}
    for kernel in file.kernels:
        facts = kernel_facts(file, kernel, Settings(architectures=(target,)))
        band = facts.target(facts.targets[0]).registers
        result[kernel.name] = Said(
            band.estimate,
            min(band.scratch_bytes, facts.compiled(target).scratch(facts.settled(target))),
            0,
            band.low,
            band.high,
            any(unknown.kind == "memory" and unknown.matters for unknown in facts.unknowns(target)),
        )
        facts.forget()
    return result


class Pair(NamedTuple):
    """A kernel, what its compiler made of it and what we say."""

    kernel: Kernel
    truth: Said
    said: Said
    target: str

    @property
    def only_spills(self) -> bool:
        """All private memory is spilled registers, so an estimate of arrays is neither right nor wrong."""
        unit = 1 if self.target == "sm_90" else 4  # IGC: of 64 bytes for 32 lanes, rounded up to a power of two
        return 0 < self.truth.memory <= unit * self.truth.spills + SPILL_SLACK and self.truth.spills > 0

    @property
    def kinds(self) -> list[str]:
        """How the two differ: `memory` (there, and not said), `registers` (said, and not there), `low`, `high`."""
        found = []
        if not self.only_spills and (self.truth.memory > 0) != (self.said.memory > 0):
            found.append("memory" if self.truth.memory else "registers")
        if self.target != "pvc" and not self.said.low <= self.truth.registers <= self.said.high:
            found.append("low" if self.said.high < self.truth.registers else "high")
        return found

    def __str__(self) -> str:
        (real, memory, spills, *_), said = self.truth, self.said
        return (
            f"{self.kernel.name} {self.target}: {real} + {memory} B ({spills} spilled), "
            f"said {said.registers} ({said.low}-{said.high}) + {said.memory} B: {' '.join(self.kinds) or 'right'}"
        )


def pairs_of(kernels: Sequence[Kernel], target: str, kept: Path | None = KEPT) -> list[Pair]:
    """Kernels beside what is said of them."""
    result: list[Pair] = []
    for start in range(0, len(kernels), BATCH):
        some = kernels[start : start + BATCH]
        truth, said = compiled(some, target, kept), estimated(some, target)
        result += [Pair(one, truth[one.name], said[one.name], target) for one in some if one.name in truth]
    return result


class Score(NamedTuple):
    """precision, recall: of private memory being there. inside: share of registers that are in the band. admitted:
    kernels with an entry in the ledger about their memory, and those of them that are said wrong; the precision and
    recall of the others are `settled`.
    """

    kernels: int
    in_memory: int
    precision: float
    recall: float
    inside: float
    median_width: float
    admitted: tuple[int, int]
    settled: tuple[float, float]


def score(pairs: Sequence[Pair]) -> Score:
    """Of the pairs of one target."""
    judged = [pair for pair in pairs if not pair.only_spills]
    widths = sorted((p.said.high - p.said.low) / max(p.truth.registers, 1) for p in pairs)
    inside = sum(not {"low", "high"} & set(pair.kinds) for pair in pairs) / len(pairs)
    admitted = [pair for pair in judged if pair.said.open]
    wrong = sum(bool({"memory", "registers"} & set(pair.kinds)) for pair in admitted)
    there = sum(pair.truth.memory > 0 for pair in judged)
    settled = _agreement([pair for pair in judged if not pair.said.open])
    median = widths[len(widths) // 2]
    return Score(len(pairs), there, *_agreement(judged), inside, median, (len(admitted), wrong), settled)


def _agreement(pairs: Sequence[Pair]) -> tuple[float, float]:
    """Precision and recall of private memory."""
    there, said = sum(pair.truth.memory > 0 for pair in pairs), sum(pair.said.memory > 0 for pair in pairs)
    hits = sum(pair.truth.memory > 0 and pair.said.memory > 0 for pair in pairs)
    return hits / max(said, 1), hits / max(there, 1)


# -------------------------------------------------------------------------------------------------------- shrinking


def smaller(kernel: Kernel) -> Iterator[Kernel]:
    """Kernels with a statement less, a block in place of its statements, or half a number, the greatest steps first."""
    seen: set[str] = set()
    for body in sorted(_smaller(kernel.body), key=lambda one: len("".join(lines(one)))):
        one = tidy(kernel._replace(body=body))
        if one.text() not in seen and one != kernel:
            seen.add(one.text())
            yield one


def _smaller(body: tuple[Node, ...]) -> Iterator[tuple[Node, ...]]:
    for at, node in enumerate(body):
        before, after = body[:at], body[at + 1 :]
        yield before + after
        if isinstance(node, Block):
            if not re.search(r"for \(|else", node.head):
                yield (*before, *node.body, *after)
            if node.head.startswith("#"):
                yield (*before, node._replace(head=node.head.partition("\n")[2]), *after)
            for inner in _smaller(node.body):
                yield (*before, node._replace(body=inner), *after)
        else:
            for text in _simpler(node):
                yield (*before, text, *after)


def _simpler(text: str) -> Iterator[str]:
    """A statement with a part of its expression less."""
    for match in re.finditer(r"\(([^()]+|[^()]*\([^()]*\)[^()]*) [-+*] ([^()]+|[^()]*\([^()]*\)[^()]*)\)", text):
        for part in (match[1], match[2]):
            yield text[: match.start()] + part + text[match.end() :]
    for match in re.finditer(r" [-+*] [\w.]+(\[[^\[\]]*\])*(?=;)", text):
        yield text[: match.start()] + text[match.end() :]


def tidy(kernel: Kernel) -> Kernel:
    """The kernel without statements that use removed declarations, and without functions that are never called."""
    while True:
        text = "\n".join(lines(kernel.body))
        declared = set(re.findall(r"\b(?:float4?|double|int4?|char|short|struct \w+)\*? ([a-z]+\d+)\b(?! *\()", text))
        used = set(re.findall(r"(?<![\w.])([asvxpij]\d+|tile\d+)\b", text))
        body = _without(kernel.body, used - declared)
        outside = tuple(one for one in kernel.outside if _name_of(one) in text)
        if body == kernel.body and outside == kernel.outside:
            return kernel
        kernel = kernel._replace(body=body, outside=outside)


def _name_of(declaration: str) -> str:
    match = re.search(r"k\d+_[rf]\d+", declaration)
    return match[0] if match else declaration


def _without(body: tuple[Node, ...], gone: set[str]) -> tuple[Node, ...]:
    found: list[Node] = []
    for node in body:
        text = node if isinstance(node, str) else node.head
        if gone & set(re.findall(r"\w+", text)):
            continue
        if isinstance(node, Block):
            node = node._replace(body=_without(node.body, gone))
            if not node.body:
                continue
            if node.head.startswith("else") and not (
                found and isinstance(found[-1], Block) and found[-1].head.startswith("if")
            ):
                continue
        found.append(node)
    return tuple(found)


def shrunk(pair: Pair, kind: str) -> Pair:
    """The smallest kernel found that differs in the same way; a round of candidates is compiled at once."""
    best = pair
    for _ in range(40):
        found: Pair | None = None
        candidates = [one._replace(name=f"k{number}") for number, one in enumerate(smaller(best.kernel))]
        for start in range(0, len(candidates), ROUND):
            some = [_renamed(one) for one in candidates[start : start + ROUND]]
            truths, saids = compiled(some, pair.target, None), estimated(some, pair.target)
            for one in some:
                if one.name in truths and one.name in saids:
                    now = Pair(one, truths[one.name], saids[one.name], pair.target)
                    if kind in now.kinds and (kind != "high" or now.truth.registers >= _NOT_EMPTY):
                        found = now
                        break
            if found is not None:
                break
        if found is None:
            return best
        best = found
    return best


def _renamed(kernel: Kernel) -> Kernel:
    """With its functions and structs under its own name, so that fifty forms of one kernel fit into a file."""

    def change(line: str) -> str:
        return re.sub(r"\bk\d+(?=_[rf]\d)", kernel.name, line)

    return kernel._replace(outside=tuple(map(change, kernel.outside)), body=_mapped(kernel.body, change))


def _mapped(body: tuple[Node, ...], change: Callable[[str], str]) -> tuple[Node, ...]:
    return tuple(
        change(node) if isinstance(node, str) else Block(change(node.head), _mapped(node.body, change), node.tail)
        for node in body
    )


# ----------------------------------------------------------------------------------------------------- command line


def _report(target: str, pairs: Sequence[Pair]) -> str:
    one = score(pairs)
    counts = Counter(kind for pair in pairs for kind in pair.kinds)
    return (
        f"{target}: {one.kernels} kernels, {one.in_memory} in memory: precision {one.precision:.3f}, recall "
        f"{one.recall:.3f}, in the band {one.inside:.3f}, width {one.median_width:.2f}; {dict(counts)}; of memory "
        f"{one.admitted[0]} admitted, {one.admitted[1]} of them wrong, the others {one.settled[0]:.3f}, "
        f"{one.settled[1]:.3f}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring. Returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("command", choices=("score", "list", "shrink", "show"))
    parser.add_argument("seed", nargs="*", type=int, help="kernels to show")
    parser.add_argument("--seeds", default="1-240", help="first and last seed")
    parser.add_argument("--target", action="append", choices=TARGETS)
    parser.add_argument("--kind", action="append", choices=("memory", "registers", "low", "high"))
    parser.add_argument("--most", type=int, default=10, help="kernels to shrink, for each target and kind")
    options = parser.parse_intermixed_args(arguments)
    first, last = map(int, options.seeds.split("-"))
    seeds = options.seed or range(first, last + 1)
    kernels = [kernel_of(seed) for seed in seeds]
    if options.command == "show":
        print("\n".join(map(Kernel.text, kernels)))
        return 0
    for target in options.target or TARGETS[:2]:
        pairs = pairs_of(kernels, target)
        print(_report(target, pairs), flush=True)
        if options.command == "list":
            print(*(pair for pair in pairs if pair.kinds), sep="\n")
        if options.command == "shrink":
            for kind in options.kind or ("memory", "registers"):
                for pair in [pair for pair in pairs if kind in pair.kinds][: options.most]:
                    print(f"\n// {kind}: {pair}\n// {(small := shrunk(pair, kind))}\n{small.kernel.text()}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
