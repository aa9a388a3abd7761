"""Functions that are copied into a kernel, call by call, as seen by the execution behind its estimate."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.ops import Kind

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr, Stmt
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.model.graph.values import Site

_LEAST = 4  # values: smaller bodies are operators and getters


class InlinedCall(NamedTuple):
    """A call in the kernel's own body: the functions that are copied there, with their callees and the copies from
    unrolling, and the values that these make. name: the function that makes most of them.
    """

    name: str
    node: Expr | Stmt
    copies: int
    values: int


class Begun(NamedTuple):
    """Calls of math routines that a compiler begins before it ends the first of them, at the kernel's widest place:
    the routine (`sin`), the calls, and the registers that wait for their ends.
    """

    name: str
    nodes: tuple[Expr | Stmt, ...]
    registers: int


class Inlined(NamedTuple):
    """All that is copied into a kernel, the calls with most values first; values: those of the whole kernel."""

    calls: tuple[InlinedCall, ...]
    values: int

    @property
    def copies(self) -> int:
        """Bodies of functions that the kernel contains."""
        return sum(call.copies for call in self.calls)

    @property
    def share(self) -> float:
        """How much of the kernel they are."""
        return sum(call.values for call in self.calls) / max(self.values, 1)


def inlined(facts: KernelFacts, target: str) -> Inlined:
    """Calls that are inlined on a target. A function marked as not inlined is left out, although the estimate executes
    it."""
    scheduled = facts.peak(target).found
    graph, needed = scheduled.machine.graph, scheduled.values.needed
    executed: Counter[int] = Counter()
    sites: dict[int, Site] = {}
    total = 0
    for number, site in enumerate(graph.sites):
        if not needed[number] or graph.constants[number] is not None:
            continue
        total += 1
        if site is not None:
            executed[id(site)] += 1
            sites[id(site)] = site
    copies: dict[Expr | Stmt, list[int]] = {}
    names: dict[Expr | Stmt, Counter[str]] = {}
    for key, values in executed.items():
        top = _outermost(sites[key])
        if values >= _LEAST and top.call is not None and not _stays_outside(facts, sites[key]):
            copies.setdefault(top.call, []).append(values)
            names.setdefault(top.call, Counter())[sites[key].name] += values
    calls = (
        InlinedCall(names[node].most_common(1)[0][0], node, len(counts), sum(counts)) for node, counts in copies.items()
    )
    return Inlined(tuple(sorted(calls, key=lambda call: (-call.values, call.node.span))), total)


def begun(facts: KernelFacts, target: str) -> Begun | None:
    """The routine of which most is begun at the widest place; None where none waits."""
    peak = facts.peak(target)
    machine, graph = peak.found.machine, peak.graph
    waiting: dict[str, list[int]] = {}
    for number in peak.numbers_at((peak.place,))[peak.place] if machine.begun and peak.place is not None else ():
        routine = machine.routines.get(number)
        first = routine is not None and graph.ops[number].kind is Kind.BEGUN
        if routine is not None and first and peak.width(number) and not _stays_outside(facts, graph.sites[number]):
            waiting.setdefault(routine[0].partition(":")[0], []).append(number)
    if not waiting:
        return None
    name, numbers = max(waiting.items(), key=lambda pair: len(pair[1]))
    nodes = []
    for number in numbers:
        node, site = graph.nodes[number], graph.sites[number]
        while site is not None:
            node, site = site.call, site.outer
        if node is not None:
            nodes.append(node)
    return Begun(name, tuple(nodes), sum(map(peak.width, numbers))) if nodes else None


def _outermost(site: Site) -> Site:
    while site.outer is not None:
        site = site.outer
    return site


def _stays_outside(facts: KernelFacts, site: Site | None) -> bool:
    from regpress_lint.cpp.syntax_tree import Call

    while site is not None:
        callee = facts.callee_of(site.call) if isinstance(site.call, Call) else None
        if callee is not None and "noinline" in callee.qualifiers:
            return True
        site = site.outer
    return False
