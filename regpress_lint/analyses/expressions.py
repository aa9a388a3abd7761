"""Expressions of the walk: variables read and written, temporaries (Sethi-Ullman), loads, calls and array accesses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from regpress_lint.analyses.flow import AccessRecord, CallRecord, Flow, Op
from regpress_lint.analyses.library import division_key, library_key
from regpress_lint.source import Span
from regpress_lint.syntax import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    InitList,
    LambdaExpr,
    Literal_,
    Member,
    Name,
    SizeOf,
    Type,
    Unary,
    Unknown,
    Update,
    Variable,
)
from regpress_lint.types import TypeLookup, dereference

# (registers at the widest point, registers the result holds beyond variables, registers of a value of its type, type)
Value: TypeAlias = tuple[int, int, int, Type | None]

_ADDRESS = 2  # a 64-bit address per divergent load
_THREAD_NAMES = frozenset(("threadIdx", "hipThreadIdx_x", "hipThreadIdx_y", "hipThreadIdx_z", "laneid", "laneId"))
_THREAD_CALLS = (
    "get_global_id get_local_id get_global_linear_id get_local_linear_id get_local_id_x thread_rank get_id "
    "__lane_id lane_id __ballot __activemask clock clock64 hiprand_uniform curand_uniform thread_index"
).split()
_DIVERGENT_CALLS = frozenset(_THREAD_CALLS)
_READS = frozenset(("__ldg", "__ldcg", "__ldca", "__ldcs", "tex1D", "tex2D", "tex3D", "tex1Dfetch", "tex2DLayered"))
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))
_DOUBLE_LITERAL: Value = (0, 0, 2, Type("double", 8, floating=True))
_INT_LITERAL: Value = (0, 0, 1, None)
_MEMBER_DEPTH = 24


class Visitor:
    """Visits one expression at a time; the walker opens (`begin`) and closes (`finish`) the op it adds up to."""

    def __init__(self, flow: Flow, types: TypeLookup) -> None:
        self.flow = flow
        self.types = types
        self.loop = -1
        self.control = 0
        self.seeded = False
        self.lambdas: dict[Variable, int] = {}
        self.conditional = 0
        self.begin()

    def begin(self) -> None:
        """Start an op."""
        self.uses = self.defs = self.kills = self.loads = self.cost = 0
        self.seed = False
        self.free: list[str] = []
        self.calls: list[CallRecord] = []
        self.library: list[str] = []

    def finish(self, span: Span, need: int) -> Op:
        """The op since `begin`."""
        return Op(
            span,
            self.uses,
            self.defs,
            self.kills,
            self.control,
            need,
            self.loads,
            self.cost,
            self.seed or self.seeded,
            tuple(self.free),
            tuple(self.calls),
            tuple(self.library),
        )

    def suspend(self) -> tuple[Any, ...]:
        """State of a half-visited op, while statements inside it (a lambda's) are walked."""
        return self.uses, self.defs, self.kills, self.loads, self.cost, self.seed, self.free, self.calls, self.library

    def resume(self, held: tuple[Any, ...]) -> None:
        """Back to a suspended op."""
        self.uses, self.defs, self.kills, self.loads, self.cost, self.seed, self.free, self.calls, self.library = held

    def bit(self, variable: Variable) -> int:
        """A variable's bit, given at first sight."""
        bits = self.flow.bits
        found = bits.get(variable)
        if found is None:
            found = bits[variable] = 1 << len(bits)
        return found

    def visit(self, expr: Expr) -> Value:
        """Visit an expression for its value."""
        return _EXPRESSIONS[expr.__class__](self, expr)

    def inline_lambda(self, expr: LambdaExpr) -> None:
        """The walker's: statements of a lambda inside an expression."""
        raise NotImplementedError

    # ----------------------------------------------------------------------------------------------- leaves

    def literal(self, expr: Literal_) -> Value:
        return _DOUBLE_LITERAL if expr.kind == "double" else _INT_LITERAL

    def name(self, expr: Name) -> Value:
        variable = expr.variable
        if variable is None:
            if expr.name in _THREAD_NAMES:
                self.seed = True
            self.free.append(expr.name)
            return 0, 0, 1, None
        storage = variable.storage
        if storage in ("local", "parameter", "capture", "constexpr"):
            self.uses |= self.bit(variable)
            self.flow.names.append(expr)
            if variable in self.lambdas:
                self.uses |= self.lambdas[variable]
            if variable.dims:
                self.flow.accesses.append(AccessRecord(variable, expr.span, (), "address", self.loop))
        elif storage == "shared":
            self.flow.names.append(expr)
        type_ = variable.type
        return 0, 0, type_.registers or 1, type_

    def nothing(self, _expr: Expr) -> Value:
        return _INT_LITERAL

    def size_of(self, _expr: SizeOf) -> Value:
        return _INT_LITERAL

    # ---------------------------------------------------------------------------------------------- operators

    def binary(self, expr: Binary) -> Value:
        # A chain of the same precedence leans to the left: unwound, so that a thousand terms are no deep recursion.
        chain: list[Binary] = [expr]
        node = expr.left
        while node.__class__ is Binary:
            chain.append(node)  # type: ignore[arg-type]
            node = node.left  # type: ignore[union-attr]
        need, hold, width, type_ = self.visit(node)
        for link in reversed(chain):
            op = link.op
            logical = op in ("&&", "||")
            self.conditional += logical
            right_need, right_hold, right_width, right_type = self.visit(link.right)
            self.conditional -= logical
            self.cost += 1
            need = min(max(need, hold + right_need), max(right_need, right_hold + need))
            if op in _COMPARISONS:
                width, type_, hold = 1, None, 0 if logical else 1
                need = max(need, hold)
                continue
            if type_ is None or (right_type is not None and (right_width > width or right_type.pointers)):
                type_ = right_type if not (type_ is not None and type_.pointers) else type_
            width = max(width, right_width)
            hold = width
            need = max(need, hold)
            if op in ("/", "%") and link.right.__class__ is not Literal_:
                self.library.append(division_key(width, type_))
        return need, hold, width, type_

    def unary(self, expr: Unary) -> Value:
        op, operand = expr.op, expr.operand
        if op == "*":
            need, _hold, _width, type_ = self.visit(operand)
            target = dereference(type_) if type_ is not None else None
            return self.load(need, target)
        if op == "&":
            root = root_variable(operand)
            value = self.location(operand, "address")
            if root is not None and (operand.__class__ is Name or not _points_elsewhere(root)):
                self.flow.modified.add(root)
                self.flow.partial |= self.flow.bits.get(root, 0)
                if root.storage == "local":
                    self.defs |= self.bit(root)
            return value[0], value[1], 2, None
        value = self.visit(operand)
        self.cost += 1
        return value[0], max(value[1], 1) if op == "-" and value[1] else value[1], value[2], value[3]

    def load(self, need: int, target: Type | None) -> Value:
        width = (target.registers if target is not None else None) or 1
        self.loads += width
        self.cost += 2
        return max(need, _ADDRESS, width), width, width, target

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
        need, hold, width, type_ = self.visit(expr.value)
        update = expr.op != "="
        self.cost += update
        self.flow.assigns.append(expr)
        target = expr.target
        variable = target.variable if isinstance(target, Name) else None
        if variable is not None and variable.storage in ("local", "parameter", "capture"):
            self.write(variable, target.span, update)
            if update:
                self.flow.names.append(target)  # type: ignore[arg-type]
            return max(need, hold), 0, variable.type.registers or 1, variable.type
        place = self.location(target, "update" if update else "write")
        need = max(need, hold + place[0])
        self.written(target)
        return need, hold, max(width, place[2]), place[3] or type_

    def write(self, variable: Variable, _span: Span, update: bool) -> None:
        bit = self.bit(variable)
        self.flow.modified.add(variable)
        self.defs |= bit
        if update:
            self.uses |= bit
        if not self.conditional:
            self.kills |= bit

    def written(self, target: Expr) -> None:
        """A store through a subscript, member or pointer: part of a local object, or memory."""
        root = root_variable(target)
        if root is None or _points_elsewhere(root) or root.storage not in ("local", "parameter"):
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
            if operand.variable.storage in ("local", "parameter", "capture"):
                self.write(operand.variable, operand.span, True)
            return value
        value = self.location(operand, "update")
        self.written(operand)
        return value

    def refer(self, expr: Expr) -> None:
        """A reference is bound to `expr`: it may be changed from now on."""
        root = root_variable(expr)
        if root is not None and (expr.__class__ is Name or not _points_elsewhere(root)):
            self.flow.modified.add(root)

    # ------------------------------------------------------------------------------------------------- places

    def location(self, expr: Expr, kind: str) -> Value:
        """A subscript / member chain: private (in registers, unless indexed at run time) or memory."""
        if expr.__class__ is Name:
            value = self.name(expr)  # type: ignore[arg-type]
            if kind != "address" and self.flow.accesses and self.flow.accesses[-1].span is expr.span:
                self.flow.accesses.pop()
            return value
        if not isinstance(expr, (Index, Member)):
            return self.visit(expr)
        indices: list[Expr] = []
        node: Expr = expr
        members = 0
        while True:
            if isinstance(node, Index):
                if not members:
                    indices.append(node.index)
                node = node.base
            elif isinstance(node, Member) and not node.arrow:
                members += 1
                indices.clear()
                node = node.base
            else:
                break
        return self.rooted(expr, node, kind)

    def rooted(self, expr: Index | Member, root: Expr, kind: str) -> Value:
        variable = root.variable if isinstance(root, Name) else None
        need, type_, chain = 0, None, _chain(expr)
        indexed = False
        if variable is None:
            need, _hold, _width, type_ = self.visit(root.base if isinstance(root, Member) else root)
            if isinstance(root, Member):
                type_ = None
        else:
            type_ = self.root_type(variable, root)  # type: ignore[arg-type]
        private = variable is not None and is_private(variable)
        indices: list[Expr] = []
        for link in reversed(chain):
            if isinstance(link, Index):
                value = self.visit(link.index)
                need = max(need, value[0] + (_ADDRESS if need else 0), value[1])
                indexed = True
                indices.append(link.index)
                type_ = dereference(type_) if type_ is not None and type_.pointers else self.lane(type_)
            else:
                type_ = self.field(type_, link.field)
        if variable is not None and indices and (variable.dims or variable.type.pointers):
            self.flow.accesses.append(AccessRecord(variable, expr.span, tuple(indices), kind, self.loop))
        if private or (variable is not None and not indexed and variable.storage != "shared"):
            width = (type_.registers if type_ is not None else None) or 1
            return max(need, 0), 0, width, type_
        if variable is None and not indexed and not (isinstance(root, Member) and root.arrow):
            return max(need, 1), 1, 1, type_  # `threadIdx.x`, `item.size`
        if variable is not None and variable.storage == "shared":
            self.seed = True
        if kind in ("write", "address"):
            return max(need, _ADDRESS), _ADDRESS if kind == "address" else 0, 1, type_
        return self.load(need, type_)

    def root_type(self, variable: Variable, name: Name) -> Type | None:
        if variable.storage in ("local", "parameter", "capture", "constexpr"):
            self.uses |= self.bit(variable)
            self.flow.names.append(name)
        if not variable.dims:
            return variable.type
        from regpress_lint.types import pointer_to

        return pointer_to(variable.type, len(variable.dims))

    def lane(self, type_: Type | None) -> Type | None:
        if type_ is None or type_.lanes <= 1 or type_.size is None:
            return None
        return Type("lane", max(1, type_.size // type_.lanes), floating=type_.floating)

    def field(self, type_: Type | None, name: str) -> Type | None:
        if type_ is None:
            return None
        if type_.pointers:
            type_ = dereference(type_) or type_
        if type_.lanes > 1:
            return self.lane(type_)
        return self.types(f"{type_.name}::{name}") if type_.struct or type_.size is None else None

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
            value = self.visit(argument)
            sets.append(self.uses)
            held |= self.uses
            need = max(need, hold + value[0])
            hold += value[1]
            if value[2] > width and not (value[3] is not None and value[3].pointers):
                width, type_ = value[2], value[3]
        self.uses = held
        self.cost += 4
        record = CallRecord(expr, self.loop, tuple(sets))
        self.calls.append(record)
        self.flow.calls.append(record)
        if (key := library_key(name, type_)) is not None:
            self.library.append(key)
        if name in _READS and expr.args:
            return self.load(need, type_ if type_ is not None and not type_.pointers else None)
        if name in _DIVERGENT_CALLS or name.startswith(("atomic", "__shfl", "shfl")):
            self.seed = True
        width = min(max(width, 1), 4)
        return max(need, width), width, width, type_


def _points_elsewhere(variable: Variable) -> bool:
    return variable.type.pointers > 0 and not variable.dims


def is_private(variable: Variable) -> bool:
    """True for an object that every thread has for itself and that is no pointer to elsewhere."""
    if variable.storage not in ("local", "constexpr", "capture", "parameter"):
        return False
    if variable.dims:
        return True
    type_ = variable.type
    # An accessor or span is declared like a struct of unknown size: its subscript is memory, a member of it is not.
    return not type_.pointers and (type_.size is not None or type_.struct)


def root_variable(expr: Expr) -> Variable | None:
    """Variable whose object `a`, `a[i]`, `a.f[i]` is part of; None beyond a pointer."""
    for _ in range(_MEMBER_DEPTH):
        if isinstance(expr, Name):
            return expr.variable
        if isinstance(expr, Index) or (isinstance(expr, Member) and not expr.arrow):
            expr = expr.base
        elif isinstance(expr, Cast):
            expr = expr.operand
        else:
            return None
    return None


def _chain(expr: Expr) -> list[Index | Member]:
    """Links of a subscript / member chain from the outside in, `->` included as the last."""
    result: list[Index | Member] = []
    while isinstance(expr, (Index, Member)):
        if isinstance(expr, Member) and expr.arrow:
            break
        result.append(expr)
        expr = expr.base
    return result


_EXPRESSIONS: dict[type, Callable[..., Value]] = {
    Literal_: Visitor.literal,
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
}
