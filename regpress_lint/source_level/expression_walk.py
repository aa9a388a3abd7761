"""Expressions of the walk: variables read and written, temporaries (Sethi-Ullman), loads, calls and array accesses."""

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
from regpress_lint.source_level.flow import CallRecord
from regpress_lint.source_level.root_variables import Places, Value, pointee, points_elsewhere, root_variable
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
_DOUBLE_LITERAL: Value = (0, 0, 2, Type("double", 8, floating=True))
_INT_LITERAL: Value = (0, 0, 1, None)


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
        need, hold, width, type_ = EXPRESSIONS[node.__class__](self, node)
        self.cost += len(chain)
        for link in reversed(chain):
            op, right = link.op, link.right
            logical = op in _LOGICAL
            self.conditional += logical
            right_need, right_hold, right_width, right_type = EXPRESSIONS[right.__class__](self, right)
            self.conditional -= logical
            if need or right_need or hold:  # the side that is evaluated first is held while the other is
                left_first, right_first = hold + right_need, right_hold + need
                left_first = need if need > left_first else left_first
                right_first = right_need if right_need > right_first else right_first
                need = left_first if left_first < right_first else right_first
            if op in _COMPARISONS:
                width, type_, hold = 1, None, 0 if logical else 1
                need = need or hold
                continue
            if type_ is None or (right_type is not None and (right_width > width or right_type.pointers)):
                type_ = right_type if not (type_ is not None and type_.pointers) else type_
            if right_width > width:
                width = right_width
            hold = width
            if need < hold:
                need = hold
            if (op == "/" or op == "%") and right.__class__ is not Constant:
                self.library += (division_key(width, type_),)
        return need, hold, width, type_

    def unary(self, expr: Unary) -> Value:
        op, operand = expr.op, expr.operand
        if op == "*":
            need, _hold, _width, type_ = self.visit(operand)
            target = pointee(type_) if type_ is not None else None
            return self.load(need, target)
        if op == "&":
            root = root_variable(operand)
            value = self.location(operand, "address")
            if root is not None and (operand.__class__ is Name or not points_elsewhere(root)):
                self.flow.modified.add(root)
                self.flow.partial |= self.flow.bits.get(root, 0)
                if root.storage == "local":
                    self.defs |= self.bit(root)
            return value[0], value[1], 2, None
        value = self.visit(operand)
        self.cost += 1
        return value[0], max(value[1], 1) if op == "-" and value[1] else value[1], value[2], value[3]

    def index(self, expr: Index) -> Value:
        return self.location(expr, "read")

    def member(self, expr: Member) -> Value:
        return self.location(expr, "read")

    def conditional_(self, expr: Conditional) -> Value:
        test = self.visit(expr.test)
        self.conditional += 1
        then, other = self.visit(expr.then), self.visit(expr.other)
        self.conditional -= 1
        self.cost += 1
        width = max(then[2], other[2])
        need = max(test[0], then[0] + other[1], other[0] + then[1], width)
        return need, width, width, then[3] or other[3]

    def cast(self, expr: Cast) -> Value:
        need, hold, width, type_ = self.visit(expr.operand)
        target = expr.type
        if target.size is None:
            return need, hold, width, type_
        registers = target.registers or 1
        if registers == width or target.pointers:
            return need, hold, registers, target
        self.cost += 1
        return max(need, registers), registers, registers, target

    def init_list(self, expr: InitList) -> Value:
        need = hold = width = 0
        for item in expr.items:
            value = self.visit(item)
            need = max(need, hold + value[0])
            hold += value[1]
            width += value[2]
        return need, hold, max(width, 1), None

    def unknown(self, expr: Unknown) -> Value:
        need = 0
        for child in expr.children:
            need = max(need, self.visit(child)[0])
        return need, 1, 1, None

    def lambda_(self, expr: LambdaExpr) -> Value:
        self.inline_lambda(expr)
        return _INT_LITERAL

    # ------------------------------------------------------------------------------------------------ writing

    def assign(self, expr: Assign) -> Value:
        value = expr.value
        need, hold, width, type_ = EXPRESSIONS[value.__class__](self, value)
        update = expr.op != "="
        self.cost += update
        self.flow.assigns.append(expr)
        target = expr.target
        variable = target.variable if isinstance(target, Name) else None
        if variable is not None and variable.storage in _WRITTEN:
            self.write(variable, update=update)
            if update and isinstance(target, Name):
                self.names.append(target)
            return max(need, hold), 0, variable.type.registers or 1, variable.type
        place = self.location(target, "update" if update else "write")
        need = max(need, hold + place[0])
        self.written(target)
        return need, hold, max(width, place[2]), place[3] or type_

    def written(self, target: Expr) -> None:
        """A store through a subscript, member or pointer: part of a local object, or memory."""
        root = root_variable(target)
        if root is None or points_elsewhere(root) or root.storage not in ("local", "parameter"):
            if isinstance(target, Index):
                self.flow.stores.append(target)
            return
        self.flow.modified.add(root)
        bit = self.bit(root)
        self.flow.partial |= bit
        self.defs |= bit

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
        need = hold = width = 0
        sets: list[int] = []
        held = self.uses
        if isinstance(callee, Member):
            value = self.location(callee.base, "read") if not isinstance(callee.base, Name) else self.name(callee.base)
            need, hold = value[0], value[1]
        elif isinstance(callee, Name) and callee.variable is not None:
            self.name(callee)
        elif not isinstance(callee, Name):
            self.visit(callee)
        held |= self.uses
        type_: Type | None = None
        for argument in expr.args:
            self.uses = 0
            own_need, own_hold, own_width, own_type = EXPRESSIONS[argument.__class__](self, argument)
            sets.append(self.uses)
            held |= self.uses
            if hold + own_need > need:
                need = hold + own_need
            hold += own_hold
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
            return self.load(need, type_ if type_ is not None and not type_.pointers else None)
        if name in _DIVERGENT_CALLS or name.startswith(("atomic", "__shfl", "shfl")):
            self.seed = True
        width = min(max(width, 1), 4)
        return max(need, width), width, width, type_


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
    Assembly: Visitor.unknown,
}
