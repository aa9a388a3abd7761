"""Structs and small arrays taken apart: `d.x` and `u[3]` are values of their own, live from their own write on.

Compilers do the same before anything else (SROA), so that a struct that is filled member by member is not held whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.source import Span
from regpress_lint.cpp.constants import evaluate_int
from regpress_lint.cpp.syntax import (
    Assign,
    Binary,
    Call,
    Conditional,
    Index,
    LambdaExpr,
    Member,
    Name,
    Unary,
    Update,
    Variable,
)
from regpress_lint.cpp.traversal import children
from regpress_lint.source_level.flow import Block, Flow, Op

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from regpress_lint.cpp.constants import Environment
    from regpress_lint.cpp.syntax import Expr, Function, Stmt
    from regpress_lint.cpp.types import TypeLookup
    from regpress_lint.views.pressure.hidden import Hidden

_MOST_PARTS = 64
_GUESS = 2  # registers at most of a member whose type is not in view


class Parts(NamedTuple):
    """A flow in which variables are replaced by their parts, and the registers of these."""

    flow: Flow
    widths: dict[Variable, int]


class _Access(NamedTuple):
    """One appearance of a variable: of one part, or of the whole (part None)."""

    name: Name
    part: str | None
    reads: bool
    writes: bool
    kills: bool


class Context(NamedTuple):
    """What taking apart asks of a kernel's facts; `hidden` are reads through macros, by the id of an op."""

    environment: Environment
    type_of: TypeLookup
    callee_of: Callable[[Call], Function | None]
    hidden: dict[int, Hidden]


class Loops(NamedTuple):
    """What is known of loops, by number: `fills` are arrays that one overwrites before it reads them, as bit masks;
    `once` are those that run a single time.
    """

    fills: dict[int, int]
    once: frozenset[int]


def split(flow: Flow, widths: dict[Variable, int], loops: Loops, context: Context) -> Parts:
    """The flow with the parts of local structs, and of arrays whose indices are all constants, as variables.

    A struct of which a member is indexed stays whole, and so does what takes no registers (`widths`) anyway.
    What a loop overwrites ends in front of it, and a loop that runs once carries nothing around.
    """
    accesses: dict[Variable, list[_Access]] = {}
    unsplit: set[Variable] = set()
    for access in _accesses(flow.function.body, context, unsplit):
        if access.name.variable is not None:
            accesses.setdefault(access.name.variable, []).append(access)
    parts: dict[Variable, dict[str, Variable]] = {}
    sizes: dict[Variable, int] = {}
    for variable, found in accesses.items():
        names = dict.fromkeys(access.part for access in found if access.part is not None)
        if not names or len(names) > _MOST_PARTS or variable in unsplit or not _can_split(variable, found, widths):
            continue
        share = min(max(widths[variable] // len(names), 1), _GUESS)
        made = {name: _part(variable, name, share, context.type_of) for name in names}
        own = {part: part.type.registers or 1 for part in made.values()}
        rest = widths[variable] - sum(own.values())
        if any(access.part is None for access in found) and rest > 0 and variable.type.size is not None:
            made[""] = _part(variable, "", 1, context.type_of)
            own[made[""]] = rest
        parts[variable], sizes = made, sizes | own
    if not parts and not loops.fills and not loops.once and not context.hidden:
        return Parts(flow, widths)
    copy = _Splitter(flow, parts, accesses, context.hidden).run()
    for number, overwritten in loops.fills.items():
        _end(copy, number, overwritten)
    for number in loops.once:
        _straighten(copy, number)
    return Parts(copy, widths | sizes)


def _can_split(variable: Variable, found: list[_Access], widths: dict[Variable, int]) -> bool:
    if variable.storage != "local" or not widths.get(variable) or variable.type.pointers or variable.type.reference:
        return False
    if variable.dims:
        return len(variable.dims) == 1 and all(access.part is not None for access in found)
    return True


def _part(variable: Variable, name: str, share: int, type_of: TypeLookup) -> Variable:
    """One part; `share` is the registers of a member whose type is not in view although the struct's size is."""
    type_ = variable.type
    if variable.dims:
        found, shown = type_, f"{variable.name}{name}"
    elif not name:
        found, shown = type_, f"{variable.name} (rest)"
    else:
        shown = f"{variable.name}.{name}"
        lane = type_._replace(size=type_.size // type_.lanes, lanes=1) if type_.lanes > 1 and type_.size else None
        field = lane or type_of(f"{type_.name}::{name}")
        size = 4 * share if type_.size is not None else None
        found = field if field is not None else type_._replace(name="", size=size, struct=False, lanes=1)
    return Variable(shown, found, variable.span, variable.declaration)


# ------------------------------------------------------------------------------------------------------- accesses


def _accesses(root: Stmt, context: Context, unsplit: set[Variable]) -> Iterator[_Access]:
    """Every appearance of a variable by name; `unsplit` collects those that cannot be taken apart."""
    stack: list[tuple[Expr | Stmt, str, bool]] = [(root, "read", False)]
    while stack:
        node, mode, maybe = stack.pop()
        found = _place(node, context.environment, unsplit)
        if found is not None:
            name, part, kind = found
            partly = kind == "within"
            yield _Access(name, part, mode != "write", mode != "read", mode == "write" and not maybe and not partly)
            if isinstance(node, Index):
                stack.append((node.index, "read", maybe))
            continue
        stack.extend(_below(node, maybe, context))


def _place(node: Expr | Stmt, env: Environment, unsplit: set[Variable]) -> tuple[Name, str | None, str] | None:
    """Variable and part that an expression names: (name, part, "whole" or "within" if only a piece of the part)."""
    if isinstance(node, Name):
        return (node, None, "whole") if node.variable is not None else None
    if isinstance(node, Member) and not node.arrow:
        if isinstance(node.base, Name) and node.base.variable is not None:
            return node.base, node.field, "whole"
        inner = _place(node.base, env, unsplit) if isinstance(node.base, Member) else None
        return (inner[0], inner[1], "within") if inner is not None and inner[1] is not None else None
    if isinstance(node, Index):
        base = node.base
        if isinstance(base, Name) and base.variable is not None and base.variable.dims:
            index = evaluate_int(node.index, env)
            if index is None or len(base.variable.dims) != 1:
                unsplit.add(base.variable)
            return base, f"[{index}]", "whole"
        root = base
        while isinstance(root, (Index, Member)):
            root = root.base
        if isinstance(root, Name) and root.variable is not None and not root.variable.type.pointers:
            unsplit.add(root.variable)
    return None


def _below(node: Expr | Stmt, maybe: bool, context: Context) -> list[tuple[Expr | Stmt, str, bool]]:
    """Children with what is done to them and whether they may be left out, the last one first."""
    if isinstance(node, Assign):
        return [(node.target, "write" if node.op == "=" else "update", maybe), (node.value, "read", maybe)]
    if isinstance(node, Update):
        return [(node.operand, "update", maybe)]
    if isinstance(node, Unary) and node.op == "&":
        return [(node.operand, "update", maybe)]
    if isinstance(node, Binary):
        return [(node.right, "read", maybe or node.op in ("&&", "||")), (node.left, "read", maybe)]
    if isinstance(node, Conditional):
        return [(node.other, "read", True), (node.then, "read", True), (node.test, "read", maybe)]
    if isinstance(node, Call):
        callee, target = node.callee, context.callee_of(node)
        found: list[tuple[Expr | Stmt, str, bool]] = [
            (argument, "update" if isinstance(argument, (Name, Member)) and _may_write(target, i) else "read", maybe)
            for i, argument in reversed(list(enumerate(node.args)))
        ]
        if isinstance(callee, Member):
            found.append((callee.base, "update", maybe))  # a method may change its object
        elif not isinstance(callee, Name):
            found.append((callee, "read", maybe))
        return found
    return [(child, "read", maybe) for child in reversed(children(node))]


def _may_write(target: Function | None, position: int) -> bool:
    """Whether a call may write an argument that it is given by name; a function that is not in view may."""
    if target is None or position >= len(target.parameters):
        return True
    type_ = target.parameters[position].type
    return type_.reference and not type_.const


# -------------------------------------------------------------------------------------------------------- the copy


class _Splitter:
    """Copies a flow, op by op."""

    def __init__(
        self,
        flow: Flow,
        parts: dict[Variable, dict[str, Variable]],
        accesses: dict[Variable, list[_Access]],
        hidden: dict[int, Hidden],
    ) -> None:
        self.old = flow
        self.hidden = hidden
        self.parts = parts
        self.accesses = {v: sorted(accesses[v], key=lambda access: access.name.span) for v in parts}
        self.new = Flow(flow.function, flow.partial)
        self.new.bits = dict(flow.bits)
        self.whole = 0
        for variable, made in parts.items():
            self.whole |= flow.bits.get(variable, 0)
            for part in made.values():
                self.new.bits[part] = 1 << len(self.new.bits)
        self.new.declared = [*flow.declared, *(part for made in parts.values() for part in made.values())]

    def run(self) -> Flow:
        old, new = self.old, self.new
        for slot in ("loops", "calls", "accesses", "assigns", "modified", "scopes", "stores"):
            setattr(new, slot, getattr(old, slot))
        new.names = [*old.names, *self._names()]
        lambdas = _lambda_spans(old)
        new.blocks = [Block(block.loop, block.index) for block in old.blocks]
        for block, copy in zip(old.blocks, new.blocks, strict=True):
            copy.ops = [self._op(op, any(op.span.contains(span) for span in lambdas)) for op in block.ops]
            copy.following = [new.blocks[target.index] for target in block.following if target.index >= 0]
        return new

    def _names(self) -> Iterator[Name]:
        for variable, made in self.parts.items():
            for access in self.accesses[variable]:
                for part in made.values() if access.part is None else (made[access.part],):
                    yield Name(access.name.span, part.name, part)

    def _op(self, op: Op, has_body: bool) -> Op:
        hidden = self.hidden.get(id(op))
        if hidden is None:
            return self._parted(op, has_body)
        copy = _copy(op, op.uses, op.defs, op.kills, op.control)
        copy.seed = op.seed or hidden.seed
        copy = self._parted(copy, has_body)
        wanted = hidden.uses & ~self.whole
        for variable, made in self.parts.items():
            wanted |= self._mask(made.values()) if hidden.uses & self.old.bits.get(variable, 0) else 0
        return _copy(copy, copy.uses | wanted, copy.defs, copy.kills, copy.control)

    def _parted(self, op: Op, has_body: bool) -> Op:
        """An op with the parts of what it names in place of the whole."""
        if not (op.uses | op.defs | op.control) & self.whole:
            return op
        uses, defs, kills = op.uses & ~self.whole, op.defs & ~self.whole, op.kills & ~self.whole
        control = op.control & ~self.whole
        for variable, made in self.parts.items():
            old = self.old.bits.get(variable, 0)
            everything = self._mask(made.values())
            if op.control & old:
                control |= everything
            if not (op.uses | op.defs) & old:
                continue
            found = [access for access in self.accesses[variable] if op.span.contains(access.name.span)]
            if op.span == variable.span or op.variable is variable:
                defs, kills = defs | everything, kills | everything
            if has_body or not (found or op.defs & old):
                uses |= everything if op.uses & old else 0
                defs |= everything if op.defs & old and not op.kills & old else 0
                continue
            for access in found:
                bits = everything if access.part is None else self.new.bits[made[access.part]]
                uses |= bits if access.reads else 0
                defs |= bits if access.writes else 0
                kills |= bits if access.kills else 0
        # What an op both reads and writes stays live in front of it: `uses` wins over `kills` in liveness.
        return _copy(op, uses, defs, kills, control)

    def _mask(self, parts: Iterable[Variable]) -> int:
        found = 0
        for part in parts:
            found |= self.new.bits[part]
        return found


def _straighten(flow: Flow, number: int) -> None:
    """Lead the way back to a loop's header to what follows the loop."""
    record = flow.loops[number]
    header, end = flow.blocks[record.first], flow.blocks[record.end.index] if record.end.index >= 0 else None
    for block in flow.blocks[record.first : record.last]:
        if header in block.following:
            block.following = [target for target in block.following if target is not header and target is not end]
            block.following += [end] if end is not None else []


def _end(flow: Flow, number: int, overwritten: int) -> None:
    """An op in front of a loop that does nothing but end live ranges."""
    record = flow.loops[number]
    header, start = flow.blocks[record.first], record.loop.span.start
    for block in flow.blocks[: record.first]:
        if header in block.following:
            block.ops.append(Op(Span(start, start), kills=overwritten))


def _copy(op: Op, uses: int, defs: int, kills: int, control: int) -> Op:
    copy = Op(op.span)
    for slot in Op.__slots__:
        setattr(copy, slot, getattr(op, slot))
    copy.uses, copy.defs, copy.kills, copy.control = uses, defs, kills, control
    return copy


def _lambda_spans(flow: Flow) -> list[Span]:
    """Bodies that stand inside an expression: their accesses belong to ops of their own."""
    spans: list[Span] = []
    stack: list[Expr | Stmt] = [flow.function.body]
    while stack:
        node = stack.pop()
        if isinstance(node, LambdaExpr):
            spans.append(node.body.span)
        stack.extend(children(node))
    return spans
