"""Walking our own tree: the direct children of a node, and everything below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import (
    Assembly,
    Assign,
    Binary,
    Block,
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

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Unroll


def children(node: Expr | Stmt) -> list[Expr | Stmt]:
    """Direct sub-expressions and sub-statements in source order; the initialisers of a declaration are its children.

    A `sizeof` has none: its operand is not evaluated.
    """
    return _CHILDREN[node.__class__](node)


def is_node(part: object) -> bool:
    """Whether a part of a node is an expression or a statement."""
    return part.__class__ in _CHILDREN


def walk(node: Expr | Stmt | None) -> Iterator[Expr | Stmt]:
    """A node and everything below it, in source order and without recursion."""
    stack: list[Expr | Stmt] = [node] if node is not None else []
    while stack:
        current = stack.pop()
        yield current
        below = _CHILDREN[current.__class__](current)
        below.reverse()
        stack += below


def walk_outside_lambdas(node: Expr | Stmt) -> Iterator[Expr | Stmt]:
    """`walk` without the bodies of lambdas: what returns there does not leave the code around it."""
    stack: list[Expr | Stmt] = [node]
    while stack:
        current = stack.pop()
        yield current
        if current.__class__ is not LambdaExpr:
            stack += reversed(_CHILDREN[current.__class__](current))


def chained(expr: Expr, op: str) -> Iterator[Expr]:
    """The operands of a chain of one binary operator, from left to right: of `a && b && c` all three."""
    if isinstance(expr, Binary) and expr.op == op:
        yield from chained(expr.left, op)
        yield from chained(expr.right, op)
    else:
        yield expr


def nodes_of(function: Function) -> tuple[Expr | Stmt, ...]:
    """Everything in a function's body as `walk` finds it: gone through once, however many ask."""
    exprs = function.walked
    if exprs is None:
        exprs = function.walked = tuple(walk(function.body))
    return exprs


def names_in(node: Expr | Stmt | None) -> Iterator[Name]:
    """The names that an expression or statement mentions, in source order."""
    return (expr for expr in walk(node) if isinstance(expr, Name))


def declaration_of(function: Function, variable: Variable) -> Declare | None:
    """The statement that declares a variable of a function, perhaps with others; None for a parameter."""
    declarations = (node for node in nodes_of(function) if isinstance(node, Declare) and variable in node.variables)
    return next(declarations, None)


def written(node: object) -> Expr | None:
    """The target of an assignment or an update, None for other nodes."""
    if isinstance(node, Assign):
        return node.target
    return node.operand if isinstance(node, Update) else None


def uncast(expr: Expr) -> Expr:
    """An expression without the casts around it."""
    while isinstance(expr, Cast):
        expr = expr.operand
    return expr


def is_name(expr: object, variable: Variable) -> bool:
    """True for the bare name of a variable."""
    return isinstance(expr, Name) and expr.variable is variable


def names_behind(expr: Expr, depth: int = 0) -> Iterator[Name]:
    """The names that an expression mentions, and those that the initialisers of their variables mention in turn."""
    for name in names_in(expr):
        yield name
        init = name.variable.init if name.variable is not None else None
        if init is not None and depth < _MOST_STEPS:
            yield from names_behind(init, depth + 1)


def depends_on(expr: Expr, variable: Variable) -> bool:
    """True if an expression mentions a variable, directly or through the initialisers of the names that it mentions."""
    return any(name.variable is variable for name in names_behind(expr))


def written_alike(expr: Expr) -> Hashable:
    """Equal for expressions that are written alike; what may differ from one time to the next equals itself only."""
    if isinstance(expr, Name):
        return expr.variable or expr.name
    if isinstance(expr, Constant):
        return expr.value
    if isinstance(expr, Member):
        return expr.field, expr.arrow, written_alike(expr.base)
    if isinstance(expr, Index):
        return written_alike(expr.base), written_alike(expr.index)
    if isinstance(expr, Binary):
        return expr.op, written_alike(expr.left), written_alike(expr.right)
    if isinstance(expr, (Unary, Cast)):
        return expr.__class__, written_alike(expr.operand)
    return expr


_MOST_STEPS = 6  # initialisers of initialisers


def _leaf(node: Name | Constant | SizeOf | Jump) -> list[Expr | Stmt]:
    return []


def _if(node: If) -> list[Expr | Stmt]:
    return [*node.init, node.test, node.then, *(() if node.other is None else (node.other,))]


def _loop(node: Loop) -> list[Expr | Stmt]:
    test, step = node.test, node.step
    return [*node.init, *(() if test is None else (test,)), *(() if step is None else (step,)), node.body]


# A table by class: a chain of isinstance was most of the time of a walk.
_CHILDREN: dict[type, Callable[..., list[Expr | Stmt]]] = {
    Binary: lambda node: [node.left, node.right],
    Unary: lambda node: [node.operand],
    Update: lambda node: [node.operand],
    Cast: lambda node: [node.operand],
    Assign: lambda node: [node.target, node.value],
    Call: lambda node: [node.callee, *node.args],
    Index: lambda node: [node.base, node.index],
    Member: lambda node: [node.base],
    Conditional: lambda node: [node.test, node.then, node.other],
    InitList: lambda node: list(node.items),
    LambdaExpr: lambda node: [node.body],
    Unknown: lambda node: list(node.children),
    Assembly: lambda node: list(node.children),
    Block: lambda node: list(node.statements),
    Case: lambda node: [*(part for part in (node.value, node.last) if part is not None), *node.statements],
    Declare: lambda node: [variable.init for variable in node.variables if variable.init is not None],
    Evaluate: lambda node: [node.expression],
    If: _if,
    Loop: _loop,
    Switch: lambda node: [node.subject, node.body],
    Return: lambda node: [] if node.value is None else [node.value],
    Label: lambda node: [] if node.statement is None else [node.statement],
}
_CHILDREN.update(dict.fromkeys((Name, Constant, SizeOf, Jump), _leaf))


# `for (float& x : v)` of an array as the loop over its elements that it stands for.


_INT = Type("int", 4)


def over_array(
    span: Span, declared: Declare, range_: Expr | None, array: Variable | None, body: Stmt, unroll: Unroll | None
) -> Loop | None:
    """The counted loop over an array or over its rows; None for another range. Its parts except the body are placed at
    the range.
    """
    if not isinstance(range_, Name) or array is None or not array.dims or array.dims[0] is None:
        return None
    if len(array.dims) > 1 and not (declared.variables and declared.variables[0].type.reference):
        return None
    if not declared.variables:
        return None
    at, variable = range_.span, declared.variables[0]
    counter = Variable("", _INT, at, at, "local", (), Constant(at, 0, "int"))
    name = Name(at, "", counter)
    variable.init = Index(at, Name(at, array.name, array), name)
    variable.dims = variable.dims or array.dims[1:]
    if variable.type.name == "auto":
        written = variable.type
        variable.type = array.type._replace(reference=written.reference, const=written.const or array.type.const)
    test, step = Binary(at, "<", name, array.dims[0]), Update(at, "++", name, prefix=True)
    return Loop(span, "for", (Declare(at, (counter,)),), test, step, Block(body.span, (declared, body)), unroll)
