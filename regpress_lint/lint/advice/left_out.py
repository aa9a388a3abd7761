"""A kernel without a branch that the launch decides about: one instantiation of a template has it, another does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.text import listing
from regpress_lint.core.diagnostics import Edit
from regpress_lint.facts.run_time_flags import options
from regpress_lint.lint.advice.advice_data import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.source import Source, Span
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.facts.run_time_flags import Option, Side

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
