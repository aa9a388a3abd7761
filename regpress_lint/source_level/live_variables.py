"""Backward liveness over a flow graph, on integers as sets, and the values that a loop merely carries through."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.cpp.syntax import Call, Cast, Expr, Index, Member, Name, Unary, Variable
from regpress_lint.source_level.root_variables import is_private, root_variable

if TYPE_CHECKING:
    from regpress_lint.core.source import Span
    from regpress_lint.source_level.flow import Flow, Op

_READS = frozenset(("__ldg", "__ldcg", "__ldca", "__ldcs", "__builtin_nontemporal_load"))


class Point(NamedTuple):
    """A place in the program: `live` is what an op needs at the same time, its operands and what is needed later."""

    live: int
    op: Op
    block: int


class Liveness(NamedTuple):
    """`live_in[b]` and `live_out[b]` per block; `points` has one entry an op, in source order within a block."""

    live_in: list[int]
    live_out: list[int]
    points: list[Point]


class LiveValue(NamedTuple):
    """A value that is live into and out of a loop but not touched in it.

    registers: 32-bit registers a thread. definition: expression of the definition that reaches the loop, None for a
    parameter. from_load: that expression is a read of non-private memory, conversions aside.
    """

    variable: Variable
    registers: int
    definition: Expr | None
    from_load: bool
    definition_span: Span
    first_use: Span | None


@lru_cache(maxsize=32)
def liveness(flow: Flow) -> Liveness:
    """Fixed point over the blocks; two or three passes for structured code. Kept for as many flows as `walk` keeps."""
    count = len(flow.blocks)
    used, killed = [0] * count, [0] * count
    following: list[tuple[int, ...]] = []
    for number, block in enumerate(flow.blocks):
        use = kill = 0
        for op in block.ops:
            use |= op.uses & ~kill
            kill |= op.kills
        used[number], killed[number] = use, kill
        following.append(tuple(target.index for target in block.following if target.index >= 0))
    live_in, live_out = [0] * count, [0] * count
    backward = range(count - 1, -1, -1)
    changed = True
    while changed:
        changed = False
        for number in backward:
            out = 0
            for target in following[number]:
                out |= live_in[target]
            live_out[number] = out
            into = used[number] | (out & ~killed[number])
            if into != live_in[number]:
                live_in[number] = into
                changed = True
    return Liveness(live_in, live_out, _points(flow, live_out))


def _points(flow: Flow, live_out: list[int]) -> list[Point]:
    points: list[Point] = []
    for number, block in enumerate(flow.blocks):
        live = live_out[number]
        here: list[Point] = []
        for op in reversed(block.ops):
            before = (live & ~op.kills) | op.uses
            here.append(Point(before | (live & op.defs), op, number))
            live = before
        here.reverse()
        points += here
    return points


def live_through(flow: Flow, live: Liveness, number: int, widths: dict[Variable, int]) -> tuple[LiveValue, ...]:
    """Values that loop `number` of a function carries through, widest first; `widths` are registers per variable."""
    record = flow.loops[number]
    if record.end.index < 0:
        return ()
    carried = live.live_in[record.first] & live.live_in[record.end.index]
    for block in flow.blocks[record.first : record.last]:
        for op in block.ops:
            carried &= ~(op.uses | op.defs)
    result = [
        _value(flow, variable, bit, number, widths.get(variable, 1))
        for variable, bit in flow.bits.items()
        if carried & bit and widths.get(variable, 1) > 0
    ]
    return tuple(sorted(result, key=lambda value: (-value.registers, value.definition_span)))


def _value(flow: Flow, variable: Variable, bit: int, number: int, registers: int) -> LiveValue:
    reaching = _reaching(flow, bit, number)
    definition: Expr | None = None
    span = variable.span
    if reaching is not None:
        definition, span = _defining(flow, reaching), reaching.span
    end = flow.loops[number].loop.span.end
    uses = [name.span for name in flow.names if name.variable is variable and name.span.start >= end]
    return LiveValue(
        variable,
        registers,
        definition,
        definition is not None and is_load(definition),
        span,
        min(uses, default=None),
    )


def _reaching(flow: Flow, bit: int, number: int) -> Op | None:
    """The op whose value of a variable surely reaches a loop: the last one, unconditional and in no earlier loop."""
    record = flow.loops[number]
    control, guarded = flow.scopes.get(bit, (0, False))
    found: Op | None = None
    for block in flow.blocks[: record.first]:
        certain = block.loop < 0 or flow.inside(record.parent, block.loop)
        for op in block.ops:
            if op.defs & bit:
                whole = op.kills & bit and not op.uses & bit
                conditional = op.control & ~control or (op.guarded and not guarded)
                found = op if whole and certain and not conditional else None
    return found


def _defining(flow: Flow, op: Op) -> Expr | None:
    """The expression that an op gives a variable: its initialiser or the right-hand side of an assignment."""
    if op.value is not None:
        return op.value
    return next((assign.value for assign in flow.assigns if assign.span == op.span and assign.op == "="), None)


def is_load(expr: Expr) -> bool:
    """True if an expression is a read of memory that other threads may see, conversions aside."""
    while isinstance(expr, Cast) or (isinstance(expr, Unary) and expr.op in "+-"):
        expr = expr.operand
    if isinstance(expr, Call):
        if expr.name in _READS or expr.name.startswith(("tex1D", "tex2D", "tex3D")):
            return True
        return len(expr.args) == 1 and expr.name.startswith("__") and "2" in expr.name and is_load(expr.args[0])
    if isinstance(expr, Unary):
        return expr.op == "*"
    if not isinstance(expr, (Index, Member)):
        return False
    node: Expr = expr
    indexed = False
    while isinstance(node, (Index, Member)):
        indexed = indexed or isinstance(node, Index) or node.arrow
        node = node.base
    if not indexed:
        return False
    root = root_variable(node) if isinstance(node, Name) else None
    return root is None or not is_private(root)
