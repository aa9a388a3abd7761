"""Live values against every short path through random programs: nothing missed, nothing claimed that no path reads."""

from __future__ import annotations

import random
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import pytest
from analysis_helpers import facts_of

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.views.pressure.lines import kernel_pressure
from regpress_lint.views.pressure.views import Around

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ("v0", "v1", "v2", "v3")
MOST_PATHS = 4000
MOST_ROUNDS = 3  # what one iteration writes may be wanted first in the one after the next


class Node(NamedTuple):
    """A statement of a random program: `set`, `if`, `loop`, `leave` (break) or `stop` (return), and its line."""

    kind: str
    line: int
    writes: str = ""
    reads: tuple[str, ...] = ()
    body: tuple[Node, ...] = ()
    other: tuple[Node, ...] = ()


class Step(NamedTuple):
    """One executed line."""

    line: int
    writes: str
    reads: tuple[str, ...]


class Writer:
    """Makes a program and its text together."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = ["__global__ void k(const float *a, float *b, int n) {", "int t = threadIdx.x;"]
        self.lines.append(f"float {', '.join(NAMES)};")
        self.program = self.block(0, in_loop=False)
        self.program += (self.line("set", "b[t] = {};", writes=False),)
        self.lines.append("}")

    def line(self, kind: str, text: str, *, writes: bool, body: bool = False) -> Node:
        reads = tuple(self.random.sample(NAMES, self.random.randint(0 if writes else 1, 2)))
        target = self.random.choice(NAMES) if writes else ""
        operands = " + ".join(("a[t]", *reads))
        self.lines.append(text.format(f"{target} = {operands}" if writes else operands))
        return Node(kind, len(self.lines), target, reads)

    def block(self, depth: int, *, in_loop: bool) -> tuple[Node, ...]:
        return tuple(self.statement(depth, in_loop=in_loop) for _ in range(self.random.randint(1, 3)))

    def statement(self, depth: int, *, in_loop: bool) -> Node:
        kind = self.random.choices(("set", "if", "loop", "leave", "stop"), (6, 2, 2, 1, 1))[0]
        if kind == "set" or depth > 2 or (kind == "leave" and not in_loop):
            return self.line("set", "{};", writes=True)
        if kind in ("leave", "stop"):
            return self.line(kind, f"if ({{}} > 0) {'break' if kind == 'leave' else 'return'};", writes=False)
        head = self.line(kind, f"{'if' if kind == 'if' else 'while'} ({{}} > 0) {{{{", writes=False)
        body = self.block(depth + 1, in_loop=in_loop or kind == "loop")
        other: tuple[Node, ...] = ()
        if kind == "if" and self.random.random() < 0.5:
            self.lines.append("} else {")
            other = self.block(depth + 1, in_loop=in_loop)
        self.lines.append("}")
        return head._replace(body=body, other=other)


def paths(program: tuple[Node, ...]) -> Iterator[tuple[tuple[Step, ...], str]]:
    """Ways through a block, each with how it ends: "" falls out of it, "leave" or "stop" jump. Loops are bounded."""
    if not program:
        yield (), ""
        return
    for first, end in ways(program[0]):
        if end:
            yield first, end
        else:
            yield from ((first + rest, after) for rest, after in paths(program[1:]))


def ways(node: Node) -> Iterator[tuple[tuple[Step, ...], str]]:
    step = (Step(node.line, node.writes, node.reads),)
    if node.kind == "set":
        yield step, ""
    elif node.kind in ("leave", "stop"):
        yield from ((step, ""), (step, node.kind))
    elif node.kind == "if":
        yield from ((step + rest, end) for block in (node.body, node.other) for rest, end in paths(block))
    else:
        yield from rounds(node, step, MOST_ROUNDS)


def rounds(node: Node, step: tuple[Step, ...], left: int) -> Iterator[tuple[tuple[Step, ...], str]]:
    yield step, ""
    for body, end in paths(node.body) if left else ():
        if end:
            yield step + body, "" if end == "leave" else end
        else:
            yield from ((step + body + rest, after) for rest, after in rounds(node, step, left - 1))


def live_on(path: tuple[Step, ...], constructed: set[str], found: dict[int, set[str]]) -> None:
    """Add what is live on each line of one path: written before or here, and read here or later.

    `constructed` is what the program never writes: its declaration must have given it a value.
    """
    wanted: list[frozenset[str]] = []
    later: frozenset[str] = frozenset()
    for step in reversed(path):
        wanted.append(later)
        later = (later - {step.writes}) | set(step.reads)
    written = set(constructed)
    for step, after in zip(path, reversed(wanted), strict=True):
        here = (((after - {step.writes}) | set(step.reads)) & written) | (after & {step.writes})
        found.setdefault(step.line, set()).update(here)
        written.add(step.writes)


@pytest.mark.parametrize("seed", range(120))
def test_live_values_are_those_of_all_paths(seed: int) -> None:
    made = Writer(seed)
    text = "\n".join(made.lines) + "\n"
    every = list(islice(paths(made.program), MOST_PATHS + 1))
    expected: dict[int, set[str]] = {}
    constructed = {name for name in NAMES if f"\n{name} = " not in text}
    for path, _ in every:
        live_on(path, constructed, expected)
    facts = facts_of(text, "cuda", Settings(architectures=("sm_90",)))
    source = Source("kernel.hip", text.encode())
    pressure = kernel_pressure(facts, "sm_90", source, Around(lambda _path: source))
    for line in pressure.lines:
        if line.line not in expected:
            continue
        claimed = {pressure.values[index].name for index in line.values} & set(NAMES)
        assert expected[line.line] <= claimed, text
        if len(every) <= MOST_PATHS:
            assert claimed == expected[line.line], f"line {line.line}\n{text}"
