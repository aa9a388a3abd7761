"""The work of a portability layer around a kernel's body: indices from the thread's place, elements from memory.

`[=](int i, int j)` is called with indices that differ from thread to thread; as parameters they would be arguments of
the kernel, equal for all. The functor of `transform` is given an element of a range, and its result is stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Case,
    Declare,
    Evaluate,
    If,
    Index,
    Label,
    Loop,
    Member,
    Name,
    Return,
    Switch,
    Type,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Expr, Function, Stmt

    Around = Callable[[Sequence[Variable], Sequence[Variable], Block], Block | None]

_AXES = ("x", "y", "z")
_INT = Type("int", 4)
_INDEX_NAME = pattern(r"(?:\w*::)*(?:auto|\w*(?:[Ii]dx|[Ii]ndex|size|[Oo]rdinal|Long)(?:_?[Tt](?:ype)?)?)")
_RESULT = "result of the operation"


def threaded(function: Function, *, elements: bool, around: Around | None = None) -> Function:
    """A function that was lowered for this, as a kernel: numbers among its parameters become the place of its thread.

    elements: its other arguments, and its result, are one element of a range for each thread. around: the loops around
    the body, built from its indices.
    """
    made: list[Variable] = []
    kept: list[Variable] = []
    axes = 0
    for parameter in function.parameters:
        if _is_index(parameter.type):
            parameter.init = _thread(parameter.span, _AXES[min(axes, 2)])
            axes += 1
        elif elements and parameter.name and not parameter.type.pointers:
            kept.append(_range_of(parameter.type, f"{parameter.name} of all", parameter.span))
            parameter.init = _element(kept[-1], parameter.span)
        else:
            kept += [parameter] if parameter.name else []
            continue
        parameter.storage = "local"
        made.append(parameter)
    statements = function.body.statements
    if elements and _returns(statements):
        type_ = function.return_type if function.return_type is not None and function.return_type.size else _INT
        kept.append(_range_of(type_, _RESULT, function.name_span))
        statements = tuple(_stored(each, kept[-1]) for each in statements)
    declared = tuple(Declare(each.declaration, (each,)) for each in made)
    function.parameters = tuple(kept)
    if around is not None:
        function.around = around(made, kept, Block(function.body.span, statements))
    function.body = Block(function.body.span, (*declared, *statements))
    return function


def _is_index(found: Type) -> bool:
    if found.pointers or found.floating or found.struct or found.lanes > 1 or (found.reference and not found.const):
        return False
    return found.name != "bool" if found.size else _INDEX_NAME.fullmatch(found.name) is not None


def _range_of(element: Type, name: str, span: Span) -> Variable:
    pointer = element._replace(
        size=8, pointers=1, pointee_size=element.size, reference=False, const=False, pointee_const=element.const
    )
    return Variable(name, pointer, span, span, "parameter")


def _element(of: Variable, span: Span) -> Expr:
    return Index(span, Name(span, of.name, of), _thread(span, "x"))


def _thread(span: Span, axis: str) -> Expr:
    """`blockIdx.x * blockDim.x + threadIdx.x`."""
    block, size, thread = (
        Member(span, Name(span, name), axis, arrow=False) for name in ("blockIdx", "blockDim", "threadIdx")
    )
    return Binary(span, "+", Binary(span, "*", block, size), thread)


def _returns(statements: tuple[Stmt, ...]) -> bool:
    return any(isinstance(each, Return) and each.value is not None for each in _all(statements))


def _all(statements: tuple[Stmt, ...]) -> list[Stmt]:
    """Statements and those in them."""
    found = list(statements)
    for each in found:
        found += _inside(each)
    return found


def _inside(statement: Stmt) -> tuple[Stmt, ...]:
    match statement:
        case Block() | Case():
            return statement.statements
        case If():
            return (statement.then, *((statement.other,) if statement.other is not None else ()))
        case Loop() | Switch():
            return (statement.body,)
        case Label():
            return (statement.statement,) if statement.statement is not None else ()
    return ()


def _stored(statement: Stmt, result: Variable) -> Stmt:
    """The statement with each `return value` in it a write to the result's range."""
    match statement:
        case Return() if statement.value is not None:
            span = statement.span
            write = Evaluate(span, Assign(span, "=", _element(result, span), statement.value))
            return Block(span, (write, Return(span, None)))
        case Block() | Case():
            statement.statements = tuple(_stored(each, result) for each in statement.statements)
        case If():
            statement.then = _stored(statement.then, result)
            statement.other = _stored(statement.other, result) if statement.other is not None else None
        case Loop() | Switch():
            statement.body = _stored(statement.body, result)
        case Label() if statement.statement is not None:
            statement.statement = _stored(statement.statement, result)
    return statement
