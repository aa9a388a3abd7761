"""The code on some lines of a kernel, left out of a copy of the file: `pressure --without LINE[:LINE]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import Block, Case, Declare, Evaluate, If, Jump, Loop, Return, Switch
from regpress_lint.cpp.traversal import nodes_of
from regpress_lint.facts.run_time_flags import Side, clipped
from regpress_lint.lint.advice.left_out import constant, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.source import Source
    from regpress_lint.cpp.syntax_tree import Function, Stmt

# What can go; declarations stay, because others need them: what nobody uses any more takes nothing.
_STATEMENTS = (Evaluate, If, Jump, Loop, Switch)


class LeftOut(NamedTuple):
    """Edits that leave something out without moving a line. spans: what goes; words: what that is. test: the condition
    of the `if` of which a side goes, None for anything else.
    """

    edits: tuple[Edit, ...]
    spans: tuple[Span, ...]
    words: str
    test: Span | None = None


def at_lines(source: Source, functions: Sequence[Function], first: int, last: int) -> LeftOut | None:
    """The branch that begins on a line (`if`, `else`, a label of a `switch`), else the statements that do; of several
    lines all statements within them. None where there is nothing of that kind.
    """
    if first == last:
        for function in functions:
            found = next(_branches(source, function, first), None)
            if found is not None:
                return found
    statements = [each for function in functions for each in _within(source, function, first, last)]
    if not statements:
        return None
    spans = tuple(_outermost([each.span for each in statements]))
    noun = "the statement" if len(spans) == 1 else f"{len(spans)} statements"
    return LeftOut(tuple(_emptied(source, span) for span in spans), spans, noun)


def _branches(source: Source, function: Function, line: int) -> Iterator[LeftOut]:
    for node in nodes_of(function):
        if isinstance(node, If) and _is_written(source, node):
            if source.line_of(node.span.start) == line:
                side = Side(node.test.span, node.then.span, is_other=False, is_if=True)
                yield _side(source, side, holds=False)
            elif node.other is not None and _line_of_else(source, node, node.other) == line:
                side = Side(node.test.span, node.other.span, is_other=True, is_if=True)
                yield _side(source, side, holds=True)
        elif isinstance(node, Case) and source.line_of(node.span.start) == line:
            found = _case(source, node)
            if found is not None:
                yield found


def _side(source: Source, side: Side, *, holds: bool) -> LeftOut:
    return LeftOut((constant(source, side.test, holds=holds),), (side.span,), side.words(source), side.test)


def _is_written(source: Source, node: If) -> bool:
    """False for an `if` that a macro writes."""
    return source.text(node.span).startswith("if")


def _line_of_else(source: Source, node: If, other: Stmt) -> int | None:
    between = source.text(Span(node.then.span.end, other.span.start))
    at = between.rfind("else")
    return source.line_of(node.then.span.end + at) if at >= 0 and not isinstance(other, If) else None


def _case(source: Source, node: Case) -> LeftOut | None:
    """A label's statements, without the jump that ends them."""
    inner: list[Stmt] = [*node.statements]
    if len(inner) == 1 and isinstance(inner[0], Block):
        inner = [*inner[0].statements]
    spans = [each.span for each in inner if not isinstance(each, (Jump, Declare, Return))]
    if not spans:
        return None
    label = "default" if node.value is None else f"case {clipped(source, node.value.span)}"
    return LeftOut(tuple(_emptied(source, span) for span in spans), tuple(spans), f"`{label}`")


def _within(source: Source, function: Function, first: int, last: int) -> Iterator[Stmt]:
    """Statements within the lines; of a single line those that begin on it."""
    for node in nodes_of(function):
        if not isinstance(node, _STATEMENTS):
            continue
        begin, end = lines_of(source, node.span)
        if first <= begin and (end <= last if first < last else begin <= last):
            yield node


def _outermost(spans: Sequence[Span]) -> Iterator[Span]:
    end = -1
    for span in sorted(dict.fromkeys(spans), key=lambda each: (each.start, -each.end)):
        if span.start >= end:
            end = span.end
            yield span


def _emptied(source: Source, span: Span) -> Edit:
    """An empty statement, as many lines long."""
    text = source.text(span)
    return Edit(span, (";" if text.endswith((";", "}")) else "") + "\n" * text.count("\n"))
