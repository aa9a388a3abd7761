"""Our own syntax tree of device code: what analyses and rules see instead of tree-sitter's nodes.

Lowering (`cpp/lower`, `cpp/names/function_trees.py`) makes the nodes. Who asked for a kernel's function may finish it
before anyone else sees it (`program/kernel_bodies.py`, `program/layer_loops.py`); from then on no node changes, except
that a function's body is created on first use.

They are plain classes and not frozen dataclasses for two measured reasons: a dataclass costs 0.4 ms of every start (it
compiles its methods when it is imported), and a frozen one takes four times as long to create, and a run creates
millions. They compare and hash by identity, so that a node can be a dictionary key. Every span is a byte range of the
file.
"""

from __future__ import annotations

from .expression_nodes import (
    BOUND as BOUND,
    DESIGNATED as DESIGNATED,
    POINTED as POINTED,
    UNNAMED as UNNAMED,
    Assembly as Assembly,
    AssemblyOperand as AssemblyOperand,
    Assign as Assign,
    Binary as Binary,
    Call as Call,
    Cast as Cast,
    Conditional as Conditional,
    Constant as Constant,
    Expr as Expr,
    Index as Index,
    InitList as InitList,
    LambdaExpr as LambdaExpr,
    Member as Member,
    Name as Name,
    SizeOf as SizeOf,
    Storage as Storage,
    Type as Type,
    Unary as Unary,
    Unknown as Unknown,
    Update as Update,
    Variable as Variable,
    coordinate as coordinate,
    unnamed as unnamed,
)
from .statement_nodes import (
    Block as Block,
    Case as Case,
    Declare as Declare,
    Evaluate as Evaluate,
    Function as Function,
    If as If,
    Jump as Jump,
    Label as Label,
    Loop as Loop,
    Return as Return,
    Stmt as Stmt,
    Switch as Switch,
    TemplateParameter as TemplateParameter,
    Unread as Unread,
    Unroll as Unroll,
)
