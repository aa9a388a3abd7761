"""Naming a value in front of the statement that uses it, where nothing can tell the difference."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.api.rewrite import plain_call, writable
from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Conditional,
    Declare,
    Evaluate,
    Jump,
    LambdaExpr,
    Member,
    Unary,
    Unknown,
    Update,
)
from regpress_lint.cpp.traversal import nodes_of, walk
from regpress_lint.facts.math_functions import is_plain_math

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr, Function, Stmt
    from regpress_lint.program.model import File

_BLANK = pattern(rb"[ \t]*")
_DEEPEST = 12
_ARITHMETIC = ("+", "-", "*", "/")


class Temporary(NamedTuple):
    """A variable's name, and the edit that declares it."""

    name: str
    edit: Edit


def temporary(file: File, function: Function, expr: Expr, type_name: str) -> Temporary | None:
    """A constant of that type with the value of an expression, declared in front of the statement around it.

    None unless the expression is arithmetic and math functions over plain names, its statement is in a block, is
    evaluated as a whole, and changes nothing before the expression is reached: only its own target, at the end.
    """
    if not _is_movable(file, expr, 0):
        return None
    statement = _statement(function, expr)
    if statement is None or not _is_simple(file, statement):
        return None
    if any(isinstance(node, Jump) and node.kind == "goto" for node in nodes_of(function)):
        return None  # it must not jump over an initialisation
    data, start = file.source.data, statement.span.start
    line = data.rfind(b"\n", 0, start) + 1
    indent = data[line:start]
    if _BLANK.fullmatch(indent) is None:
        return None  # something else stands on the line in front of it
    if data[max(line - 3, 0) : line].rstrip(b"\r\n").endswith(b"\\"):
        return None  # the body of a macro
    name = _free_name(data, start)
    end = "\r\n" if data[data.find(b"\n", start) - 1 : data.find(b"\n", start)] == b"\r" else "\n"
    declared = f"const {type_name} {name} = {file.source.text(expr.span)};{end}{indent.decode()}"
    return Temporary(name, Edit(Span(start, start), declared))


def _is_movable(file: File, expr: Expr, depth: int) -> bool:
    if depth > _DEEPEST:
        return False
    if writable(file, expr) is not None:
        return True
    if isinstance(expr, Binary):
        both = _is_movable(file, expr.left, depth + 1) and _is_movable(file, expr.right, depth + 1)
        return expr.op in _ARITHMETIC and both
    if isinstance(expr, Unary):
        return expr.op == "-" and _is_movable(file, expr.operand, depth + 1)
    if isinstance(expr, Cast):
        return not expr.reinterpret and _is_movable(file, expr.operand, depth + 1)
    return (
        isinstance(expr, Call)
        and _is_math(file, expr)
        and plain_call(file, expr)
        and all(_is_movable(file, argument, depth + 1) for argument in expr.args)
    )


def _is_math(file: File, call: Call) -> bool:
    known = is_plain_math(call.name) and not isinstance(call.callee, Member)
    return known and file.find_function(call.qualified, len(call.args)) is None and file.macro(call.name) is None


def _statement(function: Function, expr: Expr) -> Declare | Evaluate | None:
    """The statement of a block that an expression is a part of."""
    for node in nodes_of(function):
        if isinstance(node, Block):
            for statement in node.statements:
                if isinstance(statement, (Declare, Evaluate)) and any(each is expr for each in walk(statement)):
                    return statement
    return None


def _is_simple(file: File, statement: Stmt) -> bool:
    """True if all of a statement is evaluated, and nothing but an assignment at its top changes anything."""
    if isinstance(statement, Declare):
        if len(statement.variables) != 1 or statement.variables[0].storage != "local":
            return False
        top: object = None
    else:
        top = statement.expression if isinstance(statement, Evaluate) else None
    for node in walk(statement):
        if isinstance(node, (Conditional, LambdaExpr, Update, Unknown)) or (
            isinstance(node, Assign) and node is not top
        ):
            return False
        if isinstance(node, Binary) and node.op in ("&&", "||", ","):
            return False
        if isinstance(node, Call) and not _is_math(file, node):
            return False
    return True


def _free_name(data: bytes, start: int) -> str:
    """A name that the file does not have, with the call's number among the powers of the file: several of them are
    declared at a time.
    """
    number = data.count(b"pow", 0, start) + 1
    name = f"base{number}"
    while re.search(rb"\b" + name.encode() + rb"\b", data) is not None:
        name += "_"
    return name
