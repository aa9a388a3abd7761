"""Loops in the form that compilers bring them to before they count them: with their test at one end of the body, and
the counter's step outside of it. nvcc copies `while (true) { ...; if (++i >= n) break; }` as `for (; i < n; ++i)`.

Loops that are written as a label and a `goto` back to it, and branches as one around what a `goto` skips.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import (
    Binary,
    Block,
    Constant,
    Evaluate,
    If,
    Jump,
    Label,
    Loop,
    Name,
    Stmt,
    Unary,
    Update,
)
from regpress_lint.cpp.traversal import walk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

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


def structured(statements: list[Stmt]) -> list[Stmt]:
    """Statements with branches and loops in place of labels and the `goto`s to them, where they are just that."""
    return looped(_branched(statements))


def _branched(statements: list[Stmt]) -> list[Stmt]:
    """`if (a) goto end; b(); end: c();` as `if (!a) b(); end: c();`."""
    for at, label in enumerate(statements):
        before = statements[:at]
        if isinstance(label, Label) and any(_jumps_to(label.name, statement) for statement in before):
            guarded = _guarded(label.name, before)
            if guarded is not None:
                return _branched([*guarded, label, *statements[at + 1 :]])
    return statements


def _guarded(label: str, statements: list[Stmt]) -> list[Stmt] | None:
    """The same without the jumps to a label behind them; None where one of them is not the end of a branch, or skips
    another label."""
    at = next((at for at, statement in enumerate(statements) if _jumps_to(label, statement)), None)
    if at is None:
        return statements
    first, later = statements[at], _guarded(label, statements[at + 1 :])
    jumps = _jumps_to(label, first)
    if later is None or any(isinstance(node, Label) for stmt in later for node in walk(stmt)) or len(jumps) > 1:
        return None
    if first is jumps[0]:
        return statements[:at]
    inside = _before(first.then, jumps[0]) if isinstance(first, If) and first.other is None else None
    if inside is None or not isinstance(first, If):
        return None
    behind = Block(Span(first.span.end, later[-1].span.end if later else first.span.end), tuple(later))
    if inside or first.init:
        branch = If(first.span, first.test, Block(first.then.span, inside), behind, first.init, first.is_constexpr)
    else:
        branch = If(first.span, Unary(first.test.span, "!", first.test), behind, None)
    return [*statements[:at], branch]


def looped(statements: list[Stmt]) -> list[Stmt]:
    """Statements with a loop in place of a label and everything up to the last `goto` back to it."""
    for start, label in enumerate(statements):
        jumps = [_jumps_to(label.name, stmt) for stmt in statements[start:]] if isinstance(label, Label) else []
        while jumps and not jumps[-1]:
            jumps.pop()
        inside = statements[start : start + len(jumps)]
        if isinstance(label, Label) and inside and not any(map(_leaves_a_loop, inside)):
            labelled = [label.statement] if label.statement is not None else []
            loop = _loop_back(label, [*labelled, *inside[1:]], [jump for jumps_of in jumps for jump in jumps_of])
            return [*statements[:start], loop, *looped(statements[start + len(jumps) :])]
    return statements


def _jumps_to(label: str, statement: Stmt) -> list[Jump]:
    return [node for node in walk(statement) if isinstance(node, Jump) and node.label == label]


def _leaves_a_loop(statement: Stmt) -> bool:
    """Whether there is a `goto` in a loop, or a `break` or `continue` outside of one: they would mean another loop."""
    inner = [
        jump for node in walk(statement) if isinstance(node, Loop) for jump in walk(node) if isinstance(jump, Jump)
    ]
    outside = [node for node in walk(statement) if isinstance(node, Jump) and node not in inner]
    return any(jump.kind == "goto" for jump in inner) or any(jump.kind != "goto" for jump in outside)


def _loop_back(label: Label, body: list[Stmt], jumps: list[Jump]) -> Label:
    """`again: ...; if (test) goto again;` as the `do` that it is; else `for (;;)` that ends behind it."""
    last = body.pop()
    span, test = Span(label.span.start, last.span.end), None
    behind = _before(last.then, jumps[-1]) if isinstance(last, If) and last.other is None and not last.init else None
    if behind is None or not isinstance(last, If):
        body += [last, Jump(last.span, "break")] if last is not jumps[-1] else []
    elif behind or len(jumps) > 1:
        body += [If(last.span, Unary(last.test.span, "!", last.test), Jump(last.span, "break"), None), *behind]
    else:
        test = last.test
    for jump in jumps:
        jump.kind, jump.label = "continue", None
    kind: Literal["do", "for"] = "for" if test is None else "do"
    loop = normal(Loop(span, kind, (), test, None, Block(span, tuple(looped(body)))))
    return Label(label.span, label.name, loop)


def _before(statement: Stmt, jump: Jump) -> tuple[Stmt, ...] | None:
    """The statements in front of a jump at the end of a block; None where it is not there."""
    inside = statement.statements if isinstance(statement, Block) else (statement,)
    return inside[:-1] if inside and inside[-1] is jump else None
