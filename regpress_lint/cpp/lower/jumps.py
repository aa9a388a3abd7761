"""Loops that are written as a label and a `goto` back to it, and branches as one around what a `goto` skips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.source import Span
from regpress_lint.cpp.lower.loop_forms import normal
from regpress_lint.cpp.syntax_tree import Block, If, Jump, Label, Loop, Stmt, Unary
from regpress_lint.cpp.traversal import walk

if TYPE_CHECKING:
    from typing import Literal


def structured(statements: list[Stmt]) -> list[Stmt]:
    """Statements with branches and loops in place of labels and the `goto`s to them, where they are just that."""
    return looped(_branched(statements))


def _branched(statements: list[Stmt]) -> list[Stmt]:
    """`if (a) goto end; b(); end: c();` as `if (!a) b(); end: c();`."""
    for at, label in enumerate(statements):
        before = statements[:at]
        if isinstance(label, Label) and any(_jumps_to(label.name, each) for each in before):
            guarded = _guarded(label.name, before)
            if guarded is not None:
                return _branched([*guarded, label, *statements[at + 1 :]])
    return statements


def _guarded(label: str, statements: list[Stmt]) -> list[Stmt] | None:
    """The same without the jumps to a label behind them; None where one of them is not the end of a branch, or skips
    another label."""
    at = next((at for at, each in enumerate(statements) if _jumps_to(label, each)), None)
    if at is None:
        return statements
    first, rest = statements[at], _guarded(label, statements[at + 1 :])
    jumps = _jumps_to(label, first)
    if rest is None or any(isinstance(node, Label) for each in rest for node in walk(each)) or len(jumps) > 1:
        return None
    if first is jumps[0]:
        return statements[:at]
    inside = _before(first.then, jumps[0]) if isinstance(first, If) and first.other is None else None
    if inside is None or not isinstance(first, If):
        return None
    behind = Block(Span(first.span.end, rest[-1].span.end if rest else first.span.end), tuple(rest))
    if inside or first.init:
        made = If(first.span, first.test, Block(first.then.span, inside), behind, first.init, first.is_constexpr)
    else:
        made = If(first.span, Unary(first.test.span, "!", first.test), behind, None)
    return [*statements[:at], made]


def looped(statements: list[Stmt]) -> list[Stmt]:
    """Statements with a loop in place of a label and everything up to the last `goto` back to it."""
    for start, label in enumerate(statements):
        jumps = [_jumps_to(label.name, each) for each in statements[start:]] if isinstance(label, Label) else []
        while jumps and not jumps[-1]:
            jumps.pop()
        inside = statements[start : start + len(jumps)]
        if isinstance(label, Label) and inside and not any(map(_leaves_a_loop, inside)):
            own = [label.statement] if label.statement is not None else []
            made = _loop_back(label, [*own, *inside[1:]], [jump for found in jumps for jump in found])
            return [*statements[:start], made, *looped(statements[start + len(jumps) :])]
    return statements


def _jumps_to(label: str, statement: Stmt) -> list[Jump]:
    return [node for node in walk(statement) if isinstance(node, Jump) and node.label == label]


def _leaves_a_loop(statement: Stmt) -> bool:
    """Whether there is a `goto` in a loop, or a `break` or `continue` outside of one: they would mean another loop."""
    inner = [
        each for node in walk(statement) if isinstance(node, Loop) for each in walk(node) if isinstance(each, Jump)
    ]
    own = [node for node in walk(statement) if isinstance(node, Jump) and node not in inner]
    return any(jump.kind == "goto" for jump in inner) or any(jump.kind != "goto" for jump in own)


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
