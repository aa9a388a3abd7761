"""Loops in the form that compilers bring them to before they count them: with their test at one end of the body, and
the counter's step outside of it. nvcc copies `while (true) { ...; if (++i >= n) break; }` as `for (; i < n; ++i)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Binary, Block, Constant, Evaluate, If, Jump, Loop, Name, Stmt, Unary, Update

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Expr

_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


def normal(loop: Loop) -> Stmt:
    """The loop in that form, with what follows it; the same node where it has it, or where it is left elsewhere."""
    loop = _tested_last(_tested_first(loop))
    stepped = _stepped(loop.test)
    if stepped is None or loop.step is not None:
        return loop
    update, test = stepped
    step = Evaluate(update.span, update)
    if loop.kind == "do":
        if not update.prefix or any(_continues(loop.body)):
            return loop
        body = Block(loop.body.span, (*_statements(loop.body), step))
        return Loop(loop.span, "do", loop.init, test, None, body, loop.unroll)
    if update.prefix:  # `while (--n)`
        return Loop(loop.span, "for", (*loop.init, step), test, update, loop.body, loop.unroll)
    body = Block(loop.body.span, (step, *_statements(loop.body)))  # `while (n--)`
    return Block(loop.span, (Loop(loop.span, "for", loop.init, test, None, body, loop.unroll), step))


def _is_endless(loop: Loop) -> bool:
    return loop.kind != "do" and (loop.test is None or (isinstance(loop.test, Constant) and bool(loop.test.value)))


def _tested_first(loop: Loop) -> Loop:
    """`for (;;) { if (a) break; ... }` with its test in the head."""
    inside = _statements(loop.body)
    test = _leaves(inside[0]) if inside and _is_endless(loop) else None
    if test is None:
        return loop
    return Loop(loop.span, loop.kind, loop.init, test, loop.step, Block(loop.body.span, inside[1:]), loop.unroll)


def _tested_last(loop: Loop) -> Loop:
    """`while (true) { ...; if (a) break; }` as a `do`."""
    inside = _statements(loop.body)
    test = _leaves(inside[-1]) if len(inside) > 1 and _is_endless(loop) and loop.step is None else None
    if test is None or any(_continues(loop.body)):
        return loop
    return Loop(loop.span, "do", loop.init, test, None, Block(loop.body.span, inside[:-1]), loop.unroll)


def _leaves(statement: Stmt) -> Expr | None:
    """The condition under which `if (a) break;` stays in the loop; None for another statement."""
    if not isinstance(statement, If) or statement.other is not None or statement.init or statement.is_constexpr:
        return None
    then = _statements(statement.then)
    if len(then) != 1 or not isinstance(then[0], Jump) or then[0].kind != "break":
        return None
    test = statement.test
    if isinstance(test, Binary) and test.op in _OPPOSITE:
        return Binary(test.span, _OPPOSITE[test.op], test.left, test.right)
    return test.operand if isinstance(test, Unary) and test.op == "!" else Unary(test.span, "!", test)


def _stepped(test: Expr | None) -> tuple[Update, Expr] | None:
    """The step of a counter in a test, and the test without it: `n--`, `++i < n`."""
    if isinstance(test, Update) and isinstance(test.operand, Name):
        return test, Binary(test.span, "!=", test.operand, Constant(test.span, 0, "int"))
    if isinstance(test, Binary) and test.op in _OPPOSITE and isinstance(test.left, Update):
        update = test.left
        counts = isinstance(update.operand, Name)
        return (update, Binary(test.span, test.op, update.operand, test.right)) if counts else None
    return None


def _statements(body: Stmt) -> tuple[Stmt, ...]:
    return body.statements if isinstance(body, Block) else (body,)


def _continues(statement: Stmt | None) -> Iterator[Jump]:
    """The `continue`s of a loop's body that mean this loop."""
    if isinstance(statement, Jump) and statement.kind == "continue":
        yield statement
    elif statement is not None and not isinstance(statement, Loop):
        for name in ("statements", "then", "other", "body", "statement"):
            part = getattr(statement, name, None)
            for inner in part if isinstance(part, tuple) else (part,) if part is not None else ():
                yield from _continues(inner)
