"""Whether an answer depends only on file, target and settings: the same questions, asked in other ways.

    python -m tools.robustness.one_answer SRC ... [--every N] [--ways order,arch,kernel,folder]    # each difference

Each kernel's answers, and what the rules find, are those of an analysis that asks them one by one in a fixed order.
They are compared with

order     the same questions in three other orders (a seed each)
arch      those of a run for one of the two architectures alone
kernel    those of an analysis that was never asked about another kernel of the file
folder    those of the file when all others of its folder have been asked before, in the same project
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.settings import Settings
from regpress_lint.lint import registry
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.projects import Projects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.facts.kernel import KernelFacts

ARCHS = ("gfx90a", "sm_90")
SEEDS = (1, 2, 3)
_SHOWN = 6  # differences of one file and way that are printed
Question = tuple[str, str]  # what is asked, and of which target: "" for the kernel as such


class Difference(NamedTuple):
    """An answer that differs if queried in another way."""

    way: str
    path: str
    kernel: str
    question: Question
    plain: str
    other: str


# ------------------------------------------------------------------------------------------------------- questions


def _names(variables: Iterable[Variable]) -> str:
    return str(sorted((variable.span.start, variable.name) for variable in variables))


def _arrays(facts: KernelFacts, name: str) -> str:
    vendor = facts.target(name).architecture.vendor
    kept = [array.variable for array in facts.arrays if array.stays_in_registers(vendor)]
    return f"{_names(array.variable for array in facts.arrays)} of them in registers {_names(kept)}"


def _loops(facts: KernelFacts) -> str:
    return str([(loop.loop.span.start, loop.trip_count, loop.depth) for loop in facts.source.loops])


def _execution(facts: KernelFacts, name: str) -> str:
    found = facts.execution(name)
    return f"{found.operations} {found.libraries} {found.loops} {found.unresolved} {_names(found.in_memory)}"


# Of the kernel on one target: nothing may hang on which other targets a run is for.
OF_TARGET: Mapping[str, Callable[[KernelFacts, str], object]] = {
    "budget": lambda facts, name: facts.target(name).budget,
    "crowded": lambda facts, name: facts.target(name).crowded,
    "registers": lambda facts, name: facts.target(name).registers,
    "occupancy": lambda facts, name: facts.target(name).occupancy,
    "peak": lambda facts, name: facts.peak(name).registers,
    "execution": _execution,
    "scratch_bytes": lambda facts, name: facts.compiled(name).scratch(facts.settled(name)),
    "tried_scratch_bytes": lambda facts, name: facts.compiled(name).scratch(facts.execution(name)),
    "excess_bytes": lambda facts, name: facts.excess_bytes(name),
    "source_registers": lambda facts, name: facts.source_registers(name),
    "source_bound": lambda facts, name: facts.source_bound(name),
    "written": lambda facts, name: facts.written(name),
    "is_tried_again": lambda facts, name: facts.is_tried_again(name),
    "crowded_out": lambda facts, name: _names(each.variable for each in facts.crowded_out(name)),
    "objects_in_memory": lambda facts, name: [each[0].variable.name for each in facts.objects_in_memory(name)],
    "lds_room": lambda facts, name: facts.launch.lds_room(facts.compiler(name)),
    "arrays": _arrays,
}
# Of the kernel as such: what a run is for may say which of them are asked, and where an index counts as constant.
OF_KERNEL: Mapping[str, Callable[[KernelFacts], object]] = {
    "functions": lambda facts: [each.span.start for each in facts.source.functions],
    "calls": lambda facts: [each.call.span.start for each in facts.calls],
    "modified": lambda facts: _names(facts.source.modified),
    "described_arrays": lambda facts: _names(each.variable for each in facts.source.arrays),
    "described_loops": _loops,
    "lds_bytes": lambda facts: facts.launch.lds_bytes,
    "per_thread_slots": lambda facts: len(facts.per_thread_slots),
    "targets": lambda facts: facts.targets,
}
RULES = "rule"  # what one finds; of several targets at once


def questions(targets: Sequence[str]) -> list[Question]:
    """All questions about a kernel."""
    of_targets = [(question, name) for name in targets for question in OF_TARGET]
    rules = [(entry.code, RULES) for entry in registry.load().rules if "kernel" in entry.hooks]
    return [*((question, "") for question in OF_KERNEL), *of_targets, *rules]


def answer(facts: KernelFacts, question: Question) -> str:
    """The answer to one question, in words."""
    what, of = question
    if of == RULES:
        return _found(facts, what)
    return str(OF_TARGET[what](facts, of) if of else OF_KERNEL[what](facts))


def _found(facts: KernelFacts, code: str) -> str:
    entry = next(rule for rule in registry.load().rules if rule.code == code)
    if not entry.scope.covers(facts):
        return "[]"
    found = entry.load()().check_kernel(facts)
    return str(sorted((each.span, str(sorted(each.severities.items())), each.message) for each in found))


# ------------------------------------------------------------------------------------------------------------ ways

Answers = dict[tuple[int, Question], str]


class Asked:
    """A file that can be queried repeatedly, each time as if for the first time."""

    def __init__(self, data: bytes, path: str, projects: Callable[[], Projects | None] = lambda: None) -> None:
        self.data = data
        self.path = path
        self._projects = projects

    def analysis(self, targets: Sequence[str], used: Projects | None = None) -> Analysis | None:
        """A new analysis, in a new project or in one that was used before; None for a file that is left out."""
        projects = used or self._projects()
        project = partial(projects.of, self.path) if projects is not None else None
        settings = Settings(architectures=tuple(targets), min_severity=Severity.HINT)
        found = analyse(self.data, self.path, settings, project)
        return found if isinstance(found, Analysis) else None

    def answers(
        self,
        wanted: Sequence[Question],
        targets: Sequence[str],
        kernel: int | None = None,
        used: Projects | None = None,
    ) -> Answers:
        """The answers about one kernel, or about all, to these questions in this order."""
        analysis = self.analysis(targets, used)
        found: Answers = {}
        for number, each in enumerate(analysis.file.kernels if analysis is not None else ()):
            if analysis is not None and kernel in (None, number):
                facts = analysis.facts(each)
                found |= {(number, question): answer(facts, question) for question in wanted}
                analysis.done_with(each)
        if analysis is not None:
            analysis.close()
        return found


def _orders(file: Asked, _kernels: int, targets: Sequence[str]) -> Iterator[Answers]:
    for seed in SEEDS:
        shuffled = questions(targets)
        random.Random(seed).shuffle(shuffled)
        yield file.answers(shuffled, targets)


def _by_target(file: Asked, _kernels: int, targets: Sequence[str]) -> Iterator[Answers]:
    for name in targets:
        yield file.answers([question for question in questions([name]) if question[1] == name], [name])
    yield file.answers([question for question in questions(targets) if question[1] in targets], targets[::-1])


def _by_kernel(file: Asked, kernels: int, targets: Sequence[str]) -> Iterator[Answers]:
    for number in range(kernels if kernels > 1 else 0):
        yield file.answers(questions(targets), targets, number)


WAYS: Mapping[str, Callable[[Asked, int, Sequence[str]], Iterator[Answers]]] = {
    "order": _orders,
    "arch": _by_target,
    "kernel": _by_kernel,
}


def compared(
    file: Asked, ways: Iterable[str] = tuple(WAYS), used: Projects | None = None, targets: Sequence[str] = ARCHS
) -> Iterator[Difference]:
    """All differences of one file; used: projects in which other files were analysed before, for `folder`."""
    first = file.analysis(targets)
    if first is None or not first.file.kernels:
        return
    names = [kernel.name for kernel in first.file.kernels]
    plain = file.answers(questions(targets), targets)
    for way in ways:
        others = [file.answers(questions(targets), targets, used=used)] if way == "folder" else None
        for other in others or WAYS[way](file, len(names), targets):
            for (number, question), said in other.items():
                if plain[number, question] != said:
                    yield Difference(way, file.path, names[number], question, plain[number, question], said)


def folder(path: str, ways: Sequence[str]) -> Iterator[Difference]:
    """All differences of the files of one folder, a project of its own."""
    paths = sorted(each.path for each in discover([path]).files)
    used = Projects(paths, (path,)) if "folder" in ways else None
    for each in paths:
        file = Asked(Path(each).read_bytes(), each, lambda: Projects(paths, (path,)))
        yield from compared(file, ways, used)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0 if nothing differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="SRC")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the first of them")
    parser.add_argument("--ways", default=",".join((*WAYS, "folder")))
    given = parser.parse_args(arguments)
    sys.setrecursionlimit(20_000)
    ways = given.ways.split(",")
    counts, kernels = Counter[str](), Counter[str]()
    for path in given.folders[given.start :: given.every]:
        found = list(folder(path, ways))
        counts["folders"] += 1
        kernels.update({difference.way: 0 for difference in found})
        for way in ways:
            own = [difference for difference in found if difference.way == way]
            kernels[way] += len({(difference.path, difference.kernel) for difference in own})
            for difference in own[:_SHOWN]:
                print(difference.way, difference.path, difference.kernel, *difference.question, sep="\t")
                print(f"    {difference.plain[:300]}\n    {difference.other[:300]}", flush=True)
    print(f"{counts['folders']} folders; kernels with another answer, by way: {dict(kernels)}")
    return int(kernels.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
