"""The one walk over a function's tree: builds the flow graph, collects loops, calls and array accesses on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import (
    Assembly,
    Assign,
    Binary,
    Call,
    Case,
    Cast,
    Conditional,
    Constant,
    Declare,
    Evaluate,
    Expr,
    Function,
    If,
    Index,
    InitList,
    Jump,
    Label,
    LambdaExpr,
    Loop,
    Member,
    Name,
    Return,
    SizeOf,
    Stmt,
    Switch,
    Type,
    Unary,
    Unknown,
    Update,
    Variable,
)
from regpress_lint.cpp.syntax_tree import Block as BlockStmt
from regpress_lint.source.cfg import (
    Block,
    CallRecord,
    Flow,
    LoopRecord,
    Op,
    Places,
    Value,
    pointee,
    points_elsewhere,
    root_variable,
)
from regpress_lint.targets.builtins import THREAD_NUMBERS
from regpress_lint.targets.costs import division_key, library_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.cpp.types import TypeLookup


# Expressions of the walk: variables read and written, loads, calls and array accesses.


_DIVERGENT_CALLS = THREAD_NUMBERS | frozenset(
    (
        *("thread_rank", "__lane_id", "lane_id", "__ballot", "__activemask", "clock", "clock64"),
        *("hiprand_uniform", "curand_uniform"),
    )
)
_WRITTEN = frozenset(("local", "parameter", "capture"))
_READS = frozenset(("__ldg", "__ldcg", "__ldca", "__ldcs", "tex1D", "tex2D", "tex3D", "tex1Dfetch", "tex2DLayered"))
_LOGICAL = frozenset(("&&", "||"))
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))
_DOUBLE_LITERAL: Value = (2, Type("double", 8, floating=True))
_INT_LITERAL: Value = (1, None)


class Visitor(Places):
    """Every kind of expression; the result of a visit is its `Value`."""

    def visit(self, expr: Expr) -> Value:
        return EXPRESSIONS[expr.__class__](self, expr)

    # ----------------------------------------------------------------------------------------------- leaves

    def literal(self, expr: Constant) -> Value:
        return _DOUBLE_LITERAL if expr.kind == "double" else _INT_LITERAL

    def size_of(self, _expr: SizeOf) -> Value:
        return _INT_LITERAL

    # ---------------------------------------------------------------------------------------------- operators

    def binary(self, expr: Binary) -> Value:
        # A chain of the same precedence leans to the left: unwound, so that a thousand terms are no deep recursion.
        chain: list[Binary] = [expr]
        node = expr.left
        while node.__class__ is Binary:
            chain.append(node)
            node = node.left
        width, type_ = EXPRESSIONS[node.__class__](self, node)
        self.cost += len(chain)
        for link in reversed(chain):
            op, right = link.op, link.right
            logical = op in _LOGICAL
            self.conditional += logical
            right_width, right_type = EXPRESSIONS[right.__class__](self, right)
            self.conditional -= logical
            if op in _COMPARISONS:
                width, type_ = 1, None
                continue
            if type_ is None or (right_type is not None and (right_width > width or right_type.pointers)):
                type_ = right_type if not (type_ is not None and type_.pointers) else type_
            if right_width > width:
                width = right_width
            if (op == "/" or op == "%") and right.__class__ is not Constant:
                self.library += (division_key(width, type_),)
        return width, type_

    def unary(self, expr: Unary) -> Value:
        op, operand = expr.op, expr.operand
        if op == "*":
            _, type_ = self.visit(operand)
            return self.load(pointee(type_) if type_ is not None else None)
        if op == "&":
            root = root_variable(operand)
            self.location(operand, "address")
            if root is not None and (operand.__class__ is Name or not points_elsewhere(root)):
                self.flow.modified.add(root)
                if root.storage == "local":
                    self.defs |= self.bit(root)
            return 2, None
        value = self.visit(operand)
        self.cost += 1
        return value

    def index(self, expr: Index) -> Value:
        return self.location(expr, "read")

    def member(self, expr: Member) -> Value:
        return self.location(expr, "read")

    def conditional_(self, expr: Conditional) -> Value:
        self.visit(expr.test)
        self.conditional += 1
        (width, type_), (other_width, other_type) = self.visit(expr.then), self.visit(expr.other)
        self.conditional -= 1
        self.cost += 1
        return max(width, other_width), type_ or other_type

    def cast(self, expr: Cast) -> Value:
        width, type_ = self.visit(expr.operand)
        target = expr.type
        if target.size is None:
            return width, type_
        registers = target.registers or 1
        if registers != width and not target.pointers:
            self.cost += 1
        return registers, target

    def init_list(self, expr: InitList) -> Value:
        width = sum(self.visit(item)[0] for item in expr.items)
        return max(width, 1), None

    def unknown(self, expr: Unknown) -> Value:
        for child in expr.children:
            self.visit(child)
        return 1, None

    def assembly(self, expr: Assembly) -> Value:
        for output in expr.outputs:
            self.refer(output.value)
        return self.unknown(expr)

    def lambda_(self, expr: LambdaExpr) -> Value:
        self.inline_lambda(expr)
        return _INT_LITERAL

    # ------------------------------------------------------------------------------------------------ writing

    def assign(self, expr: Assign) -> Value:
        value = expr.value
        width, type_ = EXPRESSIONS[value.__class__](self, value)
        update = expr.op != "="
        self.cost += update
        self.flow.assigns.append(expr)
        target = expr.target
        variable = target.variable if isinstance(target, Name) else None
        if variable is not None and variable.storage in _WRITTEN:
            self.write(variable, update=update)
            if update and isinstance(target, Name):
                self.names.append(target)
            return variable.type.registers or 1, variable.type
        place_width, place_type = self.location(target, "update" if update else "write")
        self.written(target)
        return max(width, place_width), place_type or type_

    def written(self, target: Expr) -> None:
        """A store through a subscript, member or pointer: part of a local object, or memory."""
        root = root_variable(target)
        if root is None or points_elsewhere(root) or root.storage not in ("local", "parameter"):
            if isinstance(target, Index):
                self.flow.stores.append(target)
            return
        self.flow.modified.add(root)
        self.defs |= self.bit(root)

    def update(self, expr: Update) -> Value:
        operand = expr.operand
        self.cost += 1
        if isinstance(operand, Name) and operand.variable is not None:
            value = self.name(operand)
            if operand.variable.storage in _WRITTEN:
                self.write(operand.variable, update=True)
                self.steps |= self.bit(operand.variable)
            return value
        value = self.location(operand, "update")
        self.written(operand)
        return value

    def refer(self, expr: Expr) -> None:
        """A reference is bound to `expr`: it may be changed from now on."""
        root = root_variable(expr)
        if root is not None and (expr.__class__ is Name or not points_elsewhere(root)):
            self.flow.modified.add(root)

    # -------------------------------------------------------------------------------------------------- calls

    def call(self, expr: Call) -> Value:
        name = expr.name
        callee = expr.callee
        width = 0
        sets: list[int] = []
        held = self.uses
        if isinstance(callee, Member):
            if isinstance(callee.base, Name):
                self.name(callee.base)
            else:
                self.location(callee.base, "read")
        elif isinstance(callee, Name) and callee.variable is not None:
            self.name(callee)
        elif not isinstance(callee, Name):
            self.visit(callee)
        held |= self.uses
        type_: Type | None = None
        for argument in expr.args:
            self.uses = 0
            own_width, own_type = EXPRESSIONS[argument.__class__](self, argument)
            sets.append(self.uses)
            held |= self.uses
            if own_width > width and not (own_type is not None and own_type.pointers):
                width, type_ = own_width, own_type
        self.uses = held
        self.cost += 4
        record = CallRecord(expr, self.loop, tuple(sets))
        self.calls += (record,)
        self.flow.calls.append(record)
        if (key := library_key(name, type_)) is not None:
            self.library += (key,)
        if name in _READS and expr.args:
            return self.load(type_ if type_ is not None and not type_.pointers else None)
        if name in _DIVERGENT_CALLS or name.startswith(("atomic", "__shfl", "shfl")):
            self.seed = True
        return min(max(width, 1), 4), type_


EXPRESSIONS: dict[type, Callable[..., Value]] = {
    Constant: Visitor.literal,
    Name: Visitor.name,
    Member: Visitor.member,
    Index: Visitor.index,
    Unary: Visitor.unary,
    Update: Visitor.update,
    Binary: Visitor.binary,
    Assign: Visitor.assign,
    Conditional: Visitor.conditional_,
    Call: Visitor.call,
    Cast: Visitor.cast,
    SizeOf: Visitor.size_of,
    InitList: Visitor.init_list,
    LambdaExpr: Visitor.lambda_,
    Unknown: Visitor.unknown,
    Assembly: Visitor.assembly,
}


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
