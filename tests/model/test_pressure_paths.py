"""Random programs: their graphs, orders and lifetimes are sound, and the view's peak is that of the estimate."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest
from analysis_helpers import facts_of

from regpress_lint.commands.pressure.lines import kernel_pressure
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.model.passes.liveness import lifetimes_in
from regpress_lint.model.passes.orders import as_written
from regpress_lint.model.passes.peak import Peak
from regpress_lint.model.passes.schedule import scheduled
from regpress_lint.model.passes.trace import scheduled_kernel
from regpress_lint.targets.compilers.nvcc import NVCC
from tools.robustness.graph_invariants import lifetime_problems, order_problems, problems

NAMES = ("v0", "v1", "v2", "v3")


class Node(NamedTuple):
    """A statement of a random program: `set`, `if`, `loop`, `leave` (break) or `stop` (return), and its line."""

    kind: str
    line: int
    writes: str = ""
    reads: tuple[str, ...] = ()
    body: tuple[Node, ...] = ()
    other: tuple[Node, ...] = ()


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


LEFT_EARLY = (220, 237)  # a `break` takes values out of a loop that are made there again for a loop behind it
CARRIED = (141, 188, 233, 287)  # loops side by side, and loops that carry what nothing of them goes into


@pytest.mark.parametrize("target", ["gfx90a", "sm_90"])
@pytest.mark.parametrize("seed", [*range(60), *LEFT_EARLY, *CARRIED])
def test_random_programs_are_sound_and_explained(seed: int, target: str) -> None:
    text = "\n".join(Writer(seed).lines)
    facts = facts_of(text, "cuda", Settings(architectures=(target,)))
    peak = facts.peak(target)
    machine, values = peak.found.machine, peak.found.values
    assert list(problems(peak.graph, machine.top)) == []
    for order in (scheduled(machine, values), as_written(machine, values.needed)):
        assert list(order_problems(peak.graph, values.needed, order)) == []
        assert list(lifetime_problems(machine, lifetimes_in(machine, order))) == []
    source = Source("kernel.hip", text.encode())
    pressure = kernel_pressure(facts, target, source, lambda _path: source)
    assert pressure.peak is not None
    assert pressure.lines[pressure.peak].total == pressure.alive == peak.registers


@pytest.mark.long
@pytest.mark.parametrize("start", range(60, 1_500, 240))
def test_many_random_programs(start: int) -> None:
    for seed in range(start, start + 240):
        for target in ("gfx90a", "sm_90"):
            test_random_programs_are_sound_and_explained(seed, target)


def test_nothing_is_alive_in_a_kernel_that_does_nothing() -> None:
    facts = facts_of("__global__ void k() {}\n")
    peak = Peak(scheduled_kernel(facts.input_for(NVCC)))
    assert (peak.place, peak.registers, peak.values) == (None, 0, ())


def test_passed_struct_is_live_member_by_member() -> None:
    text = "for (int i = 0; i < p.n; i++) t = t * p.x + p.y;"
    facts = facts_of(
        "struct P { float x, y; int n; };\n"
        f"__global__ void k(P p, float *b) {{ float t = b[threadIdx.x]; {text} b[threadIdx.x] = t; }}\n"
    )
    peak = Peak(scheduled_kernel(facts.input_for(NVCC)))
    names = (peak.name(number) for number in range(len(peak.graph)))
    members = {held.path for held in names if held is not None and held.variable.name == "p"}
    assert members == {("x",), ("y",), ("n",)}
