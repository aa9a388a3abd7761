"""A function as a control-flow graph of small integer sets, and the variables behind an expression."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from regpress_lint.cpp.syntax_tree import Binary, Cast, Expr, Index, LambdaExpr, Member, Name, Type, Unary, Variable
from regpress_lint.cpp.types import TypeLookup, dereference, pointer_to
from regpress_lint.targets.builtins import THREAD

if TYPE_CHECKING:
    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Assign, Call, Function, Loop


# The result of one walk over a function: a control-flow graph of small integer sets, and lists in source order.
#
# Everything here depends on the function's tree alone, so that one walk serves all targets and, for a device function,
# all kernels of the file that call it. Sets of variables are Python integers, one bit a variable.


class Op:
    """One full expression: the variables that it reads and overwrites.

    uses, defs: variable sets; `steps` are the defs made by `++` and `--`, which depend on nothing else in the
    expression. control: variables that decide whether it runs.
    loads: registers filled from memory; apart: of these behind a condition within the expression. seed: the value
    differs between the threads of a wave by itself; guarded: a condition around it does. cost: operations, a rough
    count of instructions. free: names that are no variable of the function (macros, constants, template parameters).
    library: keys of `costs.COSTS`, what its math calls and divisions cost.
    """

    __slots__ = (
        "apart",
        "calls",
        "control",
        "cost",
        "defs",
        "free",
        "guarded",
        "library",
        "loads",
        "seed",
        "span",
        "steps",
        "uses",
        "value",
        "variable",
    )

    def __init__(
        self,
        span: Span,
        uses: int = 0,
        defs: int = 0,
        steps: int = 0,
        control: int = 0,
        loads: int = 0,
        apart: int = 0,
        cost: int = 0,
        seed: bool = False,
        guarded: bool = False,
        free: tuple[str, ...] = (),
        calls: tuple[CallRecord, ...] = (),
        library: tuple[str, ...] = (),
        variable: Variable | None = None,
        value: Expr | None = None,
    ) -> None:
        self.span = span
        self.uses = uses
        self.defs = defs
        self.steps = steps
        self.control = control
        self.loads = loads
        self.apart = apart
        self.cost = cost
        self.seed = seed
        self.guarded = guarded
        self.free = free
        self.calls = calls
        self.library = library
        self.variable = variable
        self.value = value


class Block:
    """Straight-line ops and the blocks that may follow; `loop` indexes `Flow.loops` (-1: none)."""

    __slots__ = ("following", "index", "loop", "ops")

    def __init__(self, loop: int, index: int = -1) -> None:
        self.loop = loop
        self.ops: list[Op] = []
        self.following: list[Block] = []
        self.index = index


class LoopRecord:
    """A loop and the half-open range of blocks that it covers, its header first."""

    __slots__ = ("depth", "first", "has_break", "last", "loop", "parent")

    def __init__(self, loop: Loop, parent: int, depth: int, first: int, last: int = 0, has_break: bool = False) -> None:
        self.loop = loop
        self.parent = parent
        self.depth = depth
        self.first = first
        self.last = last
        self.has_break = has_break


class CallRecord:
    """A call, and the loop around it (-1: none)."""

    __slots__ = ("call", "loop")

    def __init__(self, call: Call, loop: int) -> None:
        self.call = call
        self.loop = loop


class AccessRecord:
    """A subscript chain on an automatic array (or on a pointer parameter), or the array's bare name (no indices).

    type: what the chain names, as far as it is known.
    """

    __slots__ = ("indices", "kind", "loop", "span", "type", "variable")

    def __init__(
        self, variable: Variable, span: Span, indices: tuple[Expr, ...], kind: str, loop: int, type: Type | None = None
    ) -> None:
        self.type = type
        self.variable = variable
        self.span = span
        self.indices = indices
        self.kind = kind
        self.loop = loop


class Flow:
    """Result of the walk; `bits` gives each variable's bit as a set of one, in order of first sight."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.bits: dict[Variable, int] = {}
        self.declared: list[Variable] = []
        self.blocks: list[Block] = []
        self.loops: list[LoopRecord] = []
        self.calls: list[CallRecord] = []
        self.accesses: list[AccessRecord] = []
        self.assigns: list[Assign] = []
        self.names: list[Name] = []
        self.modified: set[Variable] = set()
        self.stores: list[Index] = []
        self.scopes: dict[int, tuple[int, bool]] = {}  # (control, guarded) where a variable begins

    def inside(self, loop: int, outer: int) -> bool:
        """True if `loop` is `outer` or nested in it."""
        while loop >= 0:
            if loop == outer:
                return True
            loop = self.loops[loop].parent
        return False


# Where an expression reads and writes: variables, parts of private objects, memory. Holds the op in the making.


Value: TypeAlias = tuple[int, Type | None]
"""Registers of a value, and its type if it is known."""

_THREAD_NAMES = frozenset((THREAD, "laneid", "laneId"))
# The same few types come up all the time, and a dataclass is slow to copy.
pointee = lru_cache(maxsize=1024)(dereference)
_decayed = lru_cache(maxsize=1024)(pointer_to)
_MEMBER_DEPTH = 24
_OWN = frozenset(("local", "parameter", "capture", "constexpr"))


_OP_STATE = ("uses", "defs", "steps", "loads", "apart", "cost", "seed", "free", "calls", "library")


class Places(ABC):
    """Visits one expression at a time; the walker opens (`begin`) and closes (`finish`) the op it adds up to."""

    def __init__(self, flow: Flow, types: TypeLookup) -> None:
        self.flow = flow
        self.bits = flow.bits
        self.names = flow.names
        self.types = types
        self.loop = -1
        self.control = 0
        self.seeded = False
        self.lambdas: dict[Variable, int] = {}
        self.conditional = 0
        self.begin()

    def begin(self) -> None:
        """Start an op."""
        self.uses = self.defs = self.steps = self.loads = self.apart = self.cost = 0
        self.seed = False
        self.free: tuple[str, ...] = ()
        self.calls: tuple[CallRecord, ...] = ()
        self.library: tuple[str, ...] = ()

    def finish(self, span: Span) -> Op:
        """The op since `begin`."""
        return Op(
            span,
            self.uses,
            self.defs,
            self.steps,
            self.control,
            self.loads,
            self.apart,
            self.cost,
            self.seed,
            self.seeded,
            self.free,
            self.calls,
            self.library,
        )

    def suspend(self) -> tuple[Any, ...]:
        """State of a half-visited op, while statements inside it (a lambda's) are walked."""
        return tuple(getattr(self, name) for name in _OP_STATE)

    def resume(self, held: tuple[Any, ...]) -> None:
        """Back to a suspended op."""
        for name, value in zip(_OP_STATE, held, strict=True):
            setattr(self, name, value)

    def bit(self, variable: Variable) -> int:
        """A variable's bit, given at first sight."""
        bits = self.bits
        bit = bits.get(variable)
        if bit is None:
            bit = bits[variable] = 1 << len(bits)
        return bit

    @abstractmethod
    def visit(self, expr: Expr) -> Value:
        """Visit an expression for its value; `visitor.Visitor` does it."""

    @abstractmethod
    def inline_lambda(self, expr: LambdaExpr) -> None:
        """The walker's: statements of a lambda inside an expression."""

    def name(self, expr: Name) -> Value:
        variable = expr.variable
        if variable is None:
            if expr.name in _THREAD_NAMES:
                self.seed = True
            self.free += (expr.name,)
            return 1, None
        if variable.storage in _OWN:
            self.uses |= self.bit(variable)
            self.names.append(expr)
            if self.lambdas and variable in self.lambdas:
                self.uses |= self.lambdas[variable]
            if variable.dims:
                self.flow.accesses.append(AccessRecord(variable, expr.span, (), "address", self.loop))
        elif variable.storage == "shared":
            self.names.append(expr)
        type_ = variable.type
        size = type_.size
        return 1 if size is None or size <= 4 else (size + 3) // 4, type_

    def load(self, target: Type | None) -> Value:
        width = (target.registers if target is not None else None) or 1
        self.loads += width
        if self.conditional:
            self.apart += width
        self.cost += 2
        return width, target

    def write(self, variable: Variable, *, update: bool) -> None:
        bit = self.bit(variable)
        self.flow.modified.add(variable)
        self.defs |= bit
        if update:
            self.uses |= bit

    # ------------------------------------------------------------------------------------------------- places

    def location(self, expr: Expr, kind: str) -> Value:
        """A subscript / member chain: private (in registers, unless indexed at run time) or memory."""
        if expr.__class__ is Name:
            value = self.name(expr)
            if kind != "address" and self.flow.accesses and self.flow.accesses[-1].span is expr.span:
                self.flow.accesses.pop()
            return value
        if not isinstance(expr, (Index, Member)):
            return self.visit(expr)
        chain = _chain(expr)
        return self.rooted(expr, chain, chain[-1].base if chain else expr, kind)

    def rooted(self, expr: Index | Member, chain: list[Index | Member], root: Expr, kind: str) -> Value:
        """A chain of links from the outside in, and its starting point."""
        variable = root.variable if isinstance(root, Name) else None
        indexed = False
        type_: Type | None
        if variable is None or not isinstance(root, Name):
            _, type_ = self.visit(root.base if isinstance(root, Member) else root)
            if isinstance(root, Member):
                type_ = self.field(type_, root.field)
        else:
            type_ = self.root_type(variable, root)
        private = variable is not None and is_private(variable)
        indices: list[Expr] = []
        for link in reversed(chain):
            if isinstance(link, Index):
                self.visit(link.index)
                indexed = True
                indices.append(link.index)
                type_ = pointee(type_) if type_ is not None and type_.pointers else self.lane(type_)
            else:
                type_ = self.field(type_, link.field)
        named = variable if variable is not None else _cast_array(root)
        if named is not None and indices and (named.dims or named.type.pointers):
            self.flow.accesses.append(AccessRecord(named, expr.span, tuple(indices), kind, self.loop, type_))
        private = private or (variable is not None and leads_to_own(variable))
        if private or (variable is not None and not indexed and variable.storage != "shared"):
            width = (type_.registers if type_ is not None else None) or 1
            return width, type_
        if variable is None and not indexed and not (isinstance(root, Member) and root.arrow):
            return 1, type_  # `threadIdx.x`, `item.size`
        if variable is not None and variable.storage == "shared":
            self.seed = True
        if kind in ("write", "address"):
            return 1, type_
        return self.load(type_)

    def root_type(self, variable: Variable, name: Name) -> Type | None:
        if variable.storage in _OWN:
            self.uses |= self.bit(variable)
            self.names.append(name)
        return _decayed(variable.type, len(variable.dims)) if variable.dims else variable.type

    def lane(self, type_: Type | None) -> Type | None:
        if type_ is None or type_.lanes <= 1 or type_.size is None:
            return None
        return Type("lane", max(1, type_.size // type_.lanes), floating=type_.floating)

    def field(self, type_: Type | None, name: str) -> Type | None:
        if type_ is None:
            return None
        if type_.pointers:
            type_ = pointee(type_) or type_
        if type_.lanes > 1:
            return self.lane(type_)
        return self.types(f"{type_.name}::{name}") if type_.struct or type_.size is None else None


def _cast_array(root: Expr) -> Variable | None:
    """The array of `((unsigned char*)words)[i]`."""
    inner = root
    while isinstance(inner, Cast):
        inner = inner.operand
    variable = inner.variable if isinstance(inner, Name) and inner is not root else None
    return variable if variable is not None and variable.dims else None


def points_elsewhere(variable: Variable) -> bool:
    return variable.type.pointers > 0 and not variable.dims


def is_private(variable: Variable) -> bool:
    """True for an object that every thread has for itself and that is no pointer to elsewhere."""
    if variable.storage not in _OWN:
        return False
    if variable.dims:
        return True
    type_ = variable.type
    # An accessor or span is declared like a struct of unknown size: its subscript is memory, a member of it is not.
    return not type_.pointers and (type_.size is not None or type_.struct)


def leads_to_own(variable: Variable, depth: int = _MEMBER_DEPTH) -> bool:
    """True for a local pointer or reference that begins in a private array or object: `float *row = &tile[4 * i];`."""
    expr, type_ = variable.init, variable.type
    if not depth or variable.storage != "local" or variable.dims or not (type_.pointers == 1 or type_.reference):
        return False
    named = type_.reference
    if isinstance(expr, Unary) and expr.op == "&":
        expr, named = expr.operand, True
    while isinstance(expr, Binary) and expr.op in "+-":
        expr = expr.left
    root = root_variable(expr) if expr is not None else None
    if root is None:
        return False
    return leads_to_own(root, depth - 1) or (is_private(root) and not root.type.pointers and (named or bool(root.dims)))


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
