"""The tree of a kernel's code: its nodes, walking over them, types and constant values of expressions."""

from __future__ import annotations

from regpress_lint.cpp.constants import evaluate as evaluate, evaluate_int as evaluate_int
from regpress_lint.cpp.environment import (
    Environment as Environment,
    Number as Number,
    constants_within as constants_within,
)
from regpress_lint.cpp.syntax_tree import (
    Assign as Assign,
    Binary as Binary,
    Block as Block,
    Call as Call,
    Case as Case,
    Cast as Cast,
    Conditional as Conditional,
    Constant as Constant,
    Declare as Declare,
    Evaluate as Evaluate,
    Expr as Expr,
    Function as Function,
    If as If,
    Index as Index,
    InitList as InitList,
    Jump as Jump,
    Label as Label,
    LambdaExpr as LambdaExpr,
    Loop as Loop,
    Member as Member,
    Name as Name,
    Return as Return,
    SizeOf as SizeOf,
    Stmt as Stmt,
    Type as Type,
    Unary as Unary,
    Unknown as Unknown,
    Update as Update,
    Variable as Variable,
)
from regpress_lint.cpp.traversal import (
    children as children,
    declaration_of as declaration_of,
    depends_on as depends_on,
    is_name as is_name,
    names_behind as names_behind,
    names_in as names_in,
    nodes_of as nodes_of,
    walk as walk,
    written_alike as written_alike,
)
from regpress_lint.cpp.types import (
    FUNCTION as FUNCTION,
    TypeLookup as TypeLookup,
    builtin_type as builtin_type,
    is_fragment as is_fragment,
)
from regpress_lint.cpp.typing_rules import expression_type as expression_type, types_within as types_within
from regpress_lint.targets.builtins import COORDINATES as COORDINATES, ITEM_TYPE as ITEM_TYPE
