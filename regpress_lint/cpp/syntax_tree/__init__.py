"""Our own syntax tree of device code: what analyses and rules see instead of tree-sitter's nodes.

Lowering (`cpp/lower`, `cpp/names/lowering.py`) makes the nodes. Who asked for a kernel's function may finish it before
anyone else sees it (`program/kernel_bodies.py`, `program/layer_loops.py`); from then on no node changes, except that
a function's body is created on first use.

They are plain classes and not frozen dataclasses for two measured reasons: a dataclass costs 0.4 ms of every start (it
compiles its methods when it is imported), and a frozen one takes four times as long to create, and a run creates
millions. They compare and hash by identity, so that a node can be a dictionary key. Every span is a byte range of the
file.
"""

from __future__ import annotations

from .expression_nodes import (
    BOUND,
    Assembly,
    AssemblyOperand,
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
    Storage,
    Type,
    Unary,
    Unknown,
    Update,
    Variable,
)
from .statement_nodes import (
    Block,
    Case,
    Declare,
    Evaluate,
    Function,
    If,
    Jump,
    Label,
    Loop,
    Return,
    Stmt,
    Switch,
    TemplateParameter,
    Unread,
    Unroll,
)

__all__ = [
    "BOUND",
    "Assembly",
    "AssemblyOperand",
    "Assign",
    "Binary",
    "Block",
    "Call",
    "Case",
    "Cast",
    "Conditional",
    "Constant",
    "Declare",
    "Evaluate",
    "Expr",
    "Function",
    "If",
    "Index",
    "InitList",
    "Jump",
    "Label",
    "LambdaExpr",
    "Loop",
    "Member",
    "Name",
    "Return",
    "SizeOf",
    "Stmt",
    "Storage",
    "Switch",
    "TemplateParameter",
    "Type",
    "Unary",
    "Unknown",
    "Unread",
    "Unroll",
    "Update",
    "Variable",
]
