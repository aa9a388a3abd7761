"""RP905 per-lane-block-access."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Rule, Severity
from regpress_lint.api.memory import memory_root
from regpress_lint.api.report import place
from regpress_lint.api.syntax import (
    Assign,
    Binary,
    Cast,
    Index,
    Jump,
    Member,
    Name,
    Return,
    Update,
    evaluate,
    expression_type,
    walk,
)
from regpress_lint.api.targets import intel_targets
from regpress_lint.api.text import count, listing, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.api.facts import LoopFacts
    from regpress_lint.api.syntax import Expr, Variable


_LEAST, _MOST = 4, 64  # elements of a work-item: fewer are one vector, more is no block
_ADDRESS = 8  # bytes


class _Block(NamedTuple):
    """Consecutive elements that each work-item reads or writes, and the access that stands for them."""

    access: Index
    pointer: Variable
    elements: int
    written: bool


class PerLaneBlockAccess(Rule):
    """Consecutive elements of each work-item's own, which a sub-group does not load or store as blocks."""

    code = "RP905"
    name = "per-lane-block-access"
    severity = Severity.HINT
    languages = ("sycl", "opencl")
    vendors = ("intel",)
    needs = ("loops",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding per kernel, at the first access."""
        if not facts.wants_hints:
            return
        if not any(map(_counts_up, facts.source.loops)):
            return
        if blocks := [block for loop in facts.loops for block in _blocks(facts, loop)]:
            yield _finding(facts, blocks)


def _blocks(facts: KernelFacts, loop: LoopFacts) -> Iterator[_Block]:
    """Accesses in a loop over the elements of a block: as many as the work-items' blocks are apart."""
    trips, counter = loop.trip_count or 0, loop.counter
    if not _LEAST <= trips <= _MOST or counter is None or counter.init is None or not _counts_up(loop):
        return
    if evaluate(counter.init, facts.source.environment) != 0:
        return
    changed = {id(change.target if isinstance(change, Assign) else change.operand) for change in _changes(loop)}
    for node in walk(loop.loop.body):
        if not isinstance(node, Index) or isinstance(node.base, Index):
            continue
        pointer = memory_root(node)
        if pointer is None or pointer.storage == "shared":
            continue
        step = stride(facts, node.index, counter)
        if step is not None and step.counter == 1 and step.lane == trips:
            yield _Block(node, pointer, trips, id(node) in changed)


def _counts_up(loop: LoopFacts) -> bool:
    """True for a loop with a counter that nothing in its body leaves; how often it runs takes an execution."""
    return loop.counter is not None and not any(map(_leaves, walk(loop.loop.body)))


def _leaves(node: object) -> bool:
    """True for a way out of a loop: it may end before the block does, and the code after it belongs to others."""
    return isinstance(node, Return) or (isinstance(node, Jump) and node.kind != "continue")


def _changes(loop: LoopFacts) -> Iterator[Assign | Update]:
    return (node for node in walk(loop.loop.body) if isinstance(node, (Assign, Update)))


def _finding(facts: KernelFacts, blocks: Sequence[_Block]) -> Finding:
    kernel, first = facts.kernel, blocks[0]
    where = place(facts, first.access.span, kernel.path, "the access")
    written = one_line(facts.file.source, first.access.span) if where.here else first.pointer.name
    type_ = expression_type(first.access, facts.file.type_of)
    apart = count(first.elements * type_.size, "byte") if type_ is not None and type_.size else "as far"
    alike = [block for block in blocks if block.elements == first.elements]
    names = listing(dict.fromkeys(f"`{block.pointer.name}`" for block in alike))
    kinds = {block.written for block in alike}
    verb = "reads and writes" if len(kinds) > 1 else "writes" if True in kinds else "reads"
    message = (
        f"`{written}`: each work-item {verb} {first.elements} consecutive elements of {names}, {apart} away from "
        f"those of its neighbour: every lane needs an address of its own, {_ADDRESS} bytes a work-item"
    )
    lanes = f"{kernel.sub_group_size}th" if kernel.sub_group_size else "n-th"
    calls = "`sub_group::load`, `store`"
    if kernel.language == "opencl":
        calls = "`intel_sub_group_block_read`, `intel_sub_group_block_write`"
    help_ = (
        f"where it does not matter which work-item has which element, let each take every {lanes} one of its "
        f"sub-group's, and load and store blocks ({calls}): one address for all lanes"
    )
    severities = dict.fromkeys(intel_targets(facts), Severity.HINT)
    return Finding(where.span, message, severities, help_, where.notes, None, kernel.name)


# How an index goes with the work-item and with the counter of a loop: the factors of a sum.

_DEEPEST = 12


class Stride(NamedTuple):
    """An index as `lane` times the work-item's id, plus `counter` times a loop's counter, plus `offset`, plus what is
    the same for both; `rest` says whether there is something of that kind.
    """

    lane: int = 0
    counter: int = 0
    offset: int = 0
    rest: bool = False


def stride(facts: KernelFacts, expr: Expr, counter: Variable, depth: int = 0) -> Stride | None:
    """The factors of an index; None for one that is no such sum."""
    if depth > _DEEPEST:
        return None
    if isinstance(expr, Name) and expr.variable is counter:
        return Stride(counter=1)
    if isinstance(expr, Member) and isinstance(expr.base, Name) and expr.base.name == "threadIdx":
        return Stride(lane=1) if expr.field == "x" else Stride(rest=True)  # neighbours of a sub-group differ in x
    value = evaluate(expr, facts.source.environment)
    if isinstance(value, int):
        return Stride(offset=value)
    if isinstance(expr, Cast):
        return stride(facts, expr.operand, counter, depth + 1)
    if isinstance(expr, Binary) and expr.op in ("+", "-", "*"):
        return _combined(facts, expr, counter, depth)
    variable = expr.variable if isinstance(expr, Name) else None
    if variable is not None and variable.storage == "local" and variable.init is not None:
        return None if variable in facts.source.modified else stride(facts, variable.init, counter, depth + 1)
    alike = facts.differs(expr, intel_targets(facts)[0]) is False
    return Stride(rest=True) if alike else None


def _combined(facts: KernelFacts, expr: Binary, counter: Variable, depth: int) -> Stride | None:
    left, right = (stride(facts, node, counter, depth + 1) for node in (expr.left, expr.right))
    if left is None or right is None:
        return None
    if expr.op == "*":
        factor, scaled = (left, right) if _is_number(left) else (right, left)
        if _is_number(factor):
            by = factor.offset
            return Stride(scaled.lane * by, scaled.counter * by, scaled.offset * by, scaled.rest)
        same = not (left.lane or left.counter or right.lane or right.counter)
        return Stride(rest=True) if same else None
    sign = 1 if expr.op == "+" else -1
    return Stride(
        left.lane + sign * right.lane,
        left.counter + sign * right.counter,
        left.offset + sign * right.offset,
        left.rest or right.rest,
    )


def _is_number(found: Stride) -> bool:
    return not (found.lane or found.counter or found.rest)
