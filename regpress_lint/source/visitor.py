"""Expressions of the walk over a function: variables read and written, loads, calls and array accesses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import (
    Assembly,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Constant,
    Expr,
    Index,
    InitList,
    LambdaExpr,
    Member,
    Name,
    SizeOf,
    Type,
    Unary,
    Unknown,
    Update,
)
from regpress_lint.source.cfg import CallRecord, Places, Value, leads_to_own, pointee, points_elsewhere, root_variable
from regpress_lint.targets.builtins import THREAD_NUMBERS
from regpress_lint.targets.costs import division_key, library_key

if TYPE_CHECKING:
    from collections.abc import Callable


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
            target = pointee(type_) if type_ is not None else None
            root = operand.variable if isinstance(operand, Name) else None
            if root is not None and leads_to_own(root):
                return (target.registers if target is not None else None) or 1, target
            return self.load(target)
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
        """The type of an unknown function's result is that of its widest argument that is no pointer."""
        name = expr.name
        callee = expr.callee
        width = 0
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
            held |= self.uses
            if own_width > width and not (own_type is not None and own_type.pointers):
                width, type_ = own_width, own_type
        self.uses = held
        self.cost += 4
        record = CallRecord(expr, self.loop)
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
