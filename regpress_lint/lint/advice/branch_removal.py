"""A kernel without a branch that the launch decides about: one instantiation of a template has it, another does not.

The code on some lines of a kernel, left out of a copy of the file: `pressure --without LINE[:LINE]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.text import listing
from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import Block, Case, Declare, Evaluate, If, Jump, Loop, Return, Switch
from regpress_lint.cpp.traversal import nodes_of
from regpress_lint.facts.run_time_flags import Side, clipped, options
from regpress_lint.lint.advice.advice_data import Change

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.source import Source
    from regpress_lint.cpp.syntax_tree import Function, Stmt
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.facts.run_time_flags import Option


_MOST = 3  # options that are tried: each is an execution
_MOST_NAMED = 4  # branches that are named
_COST = "a second instantiation, and a branch at the launch; where the option is on, nothing changes"


def without_options(facts: KernelFacts) -> Iterator[Change]:
    """The kernel with each of its options fixed at the value that leaves something out."""
    source = facts.file.source
    for option in options(facts)[:_MOST]:
        first = option.sides[0]
        title = f"a variant without {sides_in_words(source, option.sides)}: make the flag a template parameter"
        yield Change("split-option", title, source.line_of(first.test.start), fixed(source, option), _COST)


def fixed(source: Source, option: Option) -> tuple[Edit, ...]:
    """Every test of a flag as a constant; lines stay where they are."""
    return tuple(constant(source, use.span, holds=option.answer is use.is_yes) for use in option.uses)


def constant(source: Source, test: Span, *, holds: bool) -> Edit:
    """A condition as a constant, as many lines long as it is."""
    return Edit(test, ("true" if holds else "false") + "\n" * source.text(test).count("\n"))


def sides_in_words(source: Source, sides: tuple[Side, ...]) -> str:
    """`if (do_qed)` (lines 31 to 58 and 77)."""
    texts = dict.fromkeys(side.words(source) for side in sides)
    places = list(dict.fromkeys(lines_in_words(source, side.span) for side in sides))
    more = [f"{len(places) - _MOST_NAMED} more"] if len(places) > _MOST_NAMED else []
    noun = "line" if len(places) == 1 and " to " not in places[0] else "lines"
    return f"{listing(list(texts)[:2])} ({noun} {listing([*places[:_MOST_NAMED], *more])})"


def lines_in_words(source: Source, span: Span) -> str:
    """`31 to 58`, or `77` for one line."""
    first, last = lines_of(source, span)
    return str(first) if first == last else f"{first} to {last}"


def lines_of(source: Source, span: Span) -> tuple[int, int]:
    """The first and the last line of a span."""
    return source.line_of(span.start), source.line_of(max(span.end - 1, span.start))


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
            if (branch := next(_branches(source, function, first), None)) is not None:
                return branch
    statements = [statement for function in functions for statement in _within(source, function, first, last)]
    if not statements:
        return None
    spans = tuple(_outermost([statement.span for statement in statements]))
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
            case = _case(source, node)
            if case is not None:
                yield case


def _side(source: Source, side: Side, *, holds: bool) -> LeftOut:
    return LeftOut((constant(source, side.test, holds=holds),), (side.span,), side.words(source), side.test)


def _is_written(source: Source, node: If) -> bool:
    """False for an `if` that a macro writes."""
    return source.text(node.span).startswith("if")


def _line_of_else(source: Source, node: If, otherwise: Stmt) -> int | None:
    between = source.text(Span(node.then.span.end, otherwise.span.start))
    at = between.rfind("else")
    return source.line_of(node.then.span.end + at) if at >= 0 and not isinstance(otherwise, If) else None


def _case(source: Source, node: Case) -> LeftOut | None:
    """A label's statements, without the jump that ends them."""
    inner: list[Stmt] = [*node.statements]
    if len(inner) == 1 and isinstance(inner[0], Block):
        inner = [*inner[0].statements]
    spans = [statement.span for statement in inner if not isinstance(statement, (Jump, Declare, Return))]
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
    for span in sorted(dict.fromkeys(spans), key=lambda span: (span.start, -span.end)):
        if span.start >= end:
            end = span.end
            yield span


def _emptied(source: Source, span: Span) -> Edit:
    """An empty statement, as many lines long."""
    text = source.text(span)
    return Edit(span, (";" if text.endswith((";", "}")) else "") + "\n" * text.count("\n"))
