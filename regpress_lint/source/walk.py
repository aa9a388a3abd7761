"""The one walk over a function's tree: builds the flow graph, collects loops, calls and array accesses on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import (
    Block as BlockStmt,
    Case,
    Declare,
    Evaluate,
    Expr,
    Function,
    If,
    Jump,
    Label,
    LambdaExpr,
    Loop,
    Return,
    Stmt,
    Switch,
    Variable,
)
from regpress_lint.source.cfg import Block, Flow, LoopRecord, Op
from regpress_lint.source.visitor import EXPRESSIONS, Visitor

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.cpp.types import TypeLookup


_FLOWS: dict[Function, Flow] = {}
_MOST_FLOWS = 512


def walk(function: Function, types: TypeLookup) -> Flow:
    """Flow of a function. Kept until `forget_flows`: a device function is walked once for all kernels that call it."""
    flow = _FLOWS.get(function)
    if flow is None:
        if len(_FLOWS) >= _MOST_FLOWS:
            _FLOWS.clear()
        flow = _FLOWS[function] = _Walker(function, types).run()
    return flow


def forget_flows() -> None:
    """Let the flows of a file go, with its trees: loops make circles of blocks, which are cut here.

    No flow that was handed out before may be used any more.
    """
    for flow in _FLOWS.values():
        for block in flow.blocks:
            block.following = []
    _FLOWS.clear()


class _Walker(Visitor):
    """Statements; expressions are `Visitor`'s. Short-lived: one function each."""

    def __init__(self, function: Function, types: TypeLookup) -> None:
        super().__init__(Flow(function), types)
        self.current = Block(-1)
        self.breaks: list[tuple[Block, bool]] = []
        self.continues: list[Block] = []
        self.labels: dict[str, Block] = {}
        self.switches: list[list[Block]] = []

    def run(self) -> Flow:
        flow = self.flow
        for parameter in (*flow.function.parameters, *flow.function.captures):
            self.bit(parameter)
        self.place(Block(-1))
        self.statement(flow.function.body)
        return flow

    # ------------------------------------------------------------------------------------------------- the graph

    def place(self, block: Block) -> Block:
        """Make a block the current one; blocks are numbered in this order, so that a loop is a range of them."""
        block.index = len(self.flow.blocks)
        self.flow.blocks.append(block)
        self.current = block
        return block

    def follow(self, block: Block) -> Block:
        self.current.following.append(block)
        return self.place(block)

    def evaluate(self, expr: Expr, variable: Variable | None = None, defs: int = 0) -> Op:
        """One op for a full expression, appended to the current block."""
        self.begin()
        EXPRESSIONS[expr.__class__](self, expr)
        op = self.finish(expr.span)
        if variable is not None:
            op.variable, op.value = variable, expr
        op.defs |= defs
        self.current.ops.append(op)
        return op

    # ------------------------------------------------------------------------------------------------ statements

    def statement(self, stmt: Stmt) -> None:
        _STATEMENTS[stmt.__class__](self, stmt)

    def declare(self, stmt: Declare) -> None:
        for variable in stmt.variables:
            self.flow.declared.append(variable)
            if variable.storage not in ("local", "constexpr"):
                continue
            bit = self.bit(variable)
            self.flow.scopes[bit] = (self.control, self.seeded)
            if variable.init is None:
                self.current.ops.append(Op(variable.span, 0, bit))
            elif isinstance(variable.init, LambdaExpr):
                self.lambda_body(variable, variable.init)
            else:
                self.evaluate(variable.init, variable, bit)
                if variable.type.reference:
                    self.refer(variable.init)

    def lambda_body(self, variable: Variable, expr: LambdaExpr) -> None:
        """A named lambda: its body stands where it is defined; each call of it reads what the body names."""
        for parameter in expr.parameters:
            self.flow.declared.append(parameter)
        seen = len(self.flow.names)
        self.within(expr.body)
        named = 0
        for name in self.flow.names[seen:]:
            assert name.variable is not None
            named |= self.flow.bits.get(name.variable, 0)
        self.lambdas[variable] = named

    def block(self, stmt: BlockStmt) -> None:
        for inner in stmt.statements:
            _STATEMENTS[inner.__class__](self, inner)

    def expression(self, stmt: Evaluate) -> None:
        self.evaluate(stmt.expression)

    def branch(self, stmt: If) -> None:
        for inner in stmt.init:
            self.statement(inner)
        test = self.evaluate(stmt.test)
        head, after = self.current, Block(self.loop)
        control, self.control = self.control, self.control | test.uses
        seeded, self.seeded = self.seeded, self.seeded or test.seed
        self.follow(Block(self.loop))
        self.statement(stmt.then)
        self.current.following.append(after)
        if stmt.other is not None:
            self.current = head
            self.follow(Block(self.loop))
            self.statement(stmt.other)
            self.current.following.append(after)
        else:
            head.following.append(after)
        self.control, self.seeded = control, seeded
        self.place(after)

    def loop_statement(self, stmt: Loop) -> None:
        flow = self.flow
        for inner in stmt.init if stmt.kind == "for" else ():
            self.statement(inner)
        end, outer = Block(self.loop), self.loop
        record = LoopRecord(stmt, outer, flow.loops[outer].depth + 1 if outer >= 0 else 1, len(flow.blocks))
        flow.loops.append(record)
        self.loop = len(flow.loops) - 1
        header, latch = self.follow(Block(self.loop)), Block(self.loop)
        breaks = len(self.breaks)
        self.breaks.append((end, False))
        self.continues.append(latch)
        if stmt.kind == "range":
            for inner in stmt.init:
                self.statement(inner)
        if stmt.kind != "do" and stmt.test is not None:
            self.evaluate(stmt.test)
            self.current.following.append(end)
            self.follow(Block(self.loop))
        self.statement(stmt.body)
        self.follow(latch)
        if stmt.step is not None:
            self.evaluate(stmt.step)
        if stmt.kind == "do" and stmt.test is not None:
            self.evaluate(stmt.test)
            self.current.following.append(end)
        self.current.following.append(header)
        record.has_break = self.breaks[breaks][1]
        del self.breaks[breaks:], self.continues[-1:]
        record.last = len(flow.blocks)
        self.loop = outer
        self.place(end)

    def switch(self, stmt: Switch) -> None:
        test = self.evaluate(stmt.subject)
        head, end = self.current, Block(self.loop)
        control, self.control = self.control, self.control | test.uses
        seeded, self.seeded = self.seeded, self.seeded or test.seed
        self.breaks.append((end, False))
        self.switches.append([head])
        self.place(Block(self.loop))  # statements in front of the first label are never reached
        self.statement(stmt.body)
        self.current.following.append(end)
        if self.switches.pop():
            head.following.append(end)
        self.breaks.pop()
        self.control, self.seeded = control, seeded
        self.place(end)

    def case(self, stmt: Case) -> None:
        if not self.switches:
            self.block(BlockStmt(stmt.span, stmt.statements))
            return
        heads = self.switches[-1]
        target = Block(self.loop)
        for head in heads:
            head.following.append(target)
        self.follow(target)
        for inner in stmt.statements:
            self.statement(inner)

    def returning(self, stmt: Return) -> None:
        if stmt.value is not None:
            self.evaluate(stmt.value)
        self.place(Block(self.loop))

    def jump(self, stmt: Jump) -> None:
        if stmt.kind == "break" and self.breaks:
            self.current.following.append(self.breaks[-1][0])
            self.breaks[-1] = (self.breaks[-1][0], True)
        elif stmt.kind == "continue" and self.continues:
            self.current.following.append(self.continues[-1])
        elif stmt.kind == "goto" and stmt.label is not None:
            self.current.following.append(self.labels.setdefault(stmt.label, Block(self.loop)))
        self.place(Block(self.loop))

    def label(self, stmt: Label) -> None:
        self.follow(self.labels.setdefault(stmt.name, Block(self.loop)))
        if stmt.statement is not None:
            self.statement(stmt.statement)

    # ------------------------------------------------------------------------------------------- nested lambdas

    def inline_lambda(self, expr: LambdaExpr) -> None:
        """A lambda handed straight to a call: its body may run there, between the ops of the current statement."""
        held = self.suspend()
        self.flow.declared.extend(expr.parameters)
        self.within(expr.body)
        self.resume(held)

    def within(self, body: Stmt) -> None:
        """A body that may run here or not, out of which no `break` leads."""
        before, after = self.current, Block(self.loop)
        before.following.append(after)
        self.follow(Block(self.loop))
        jumps, self.breaks, self.continues = (self.breaks, self.continues), [], []
        self.statement(body)
        self.breaks, self.continues = jumps
        self.follow(after)


_STATEMENTS: dict[type, Callable[..., None]] = {
    Declare: _Walker.declare,
    Evaluate: _Walker.expression,
    BlockStmt: _Walker.block,
    If: _Walker.branch,
    Loop: _Walker.loop_statement,
    Switch: _Walker.switch,
    Case: _Walker.case,
    Return: _Walker.returning,
    Jump: _Walker.jump,
    Label: _Walker.label,
}
