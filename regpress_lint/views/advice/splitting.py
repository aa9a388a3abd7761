"""A loop that carries several groups of values, written as one loop for each, with the group's results after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax import Block, Declare, Jump, Loop, Return
from regpress_lint.cpp.traversal import walk
from regpress_lint.facts.loop_groups import loop_groups
from regpress_lint.views.advice.model import Change
from regpress_lint.views.advice.moving import around, listed, named_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.source import Source
    from regpress_lint.cpp.syntax import Stmt, Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.views.advice.moving import Around

_Groups = list[frozenset["Variable"]]


def apart(facts: KernelFacts) -> Iterator[Change]:
    """For each loop of the kernel's own text with groups that have only the counter in common: the loops apart."""
    function = facts.kernel.function
    if function.path not in ("", facts.file.path):
        return
    for number, loop in enumerate(facts.loops):
        groups = [frozenset(group.variables) for group in loop_groups(facts, number, facts.targets[0])]
        here = around(function, loop.loop) if len(groups) > 1 else None
        if here is not None and isinstance(here.loop.body, Block) and here.loop.kind == "for":
            change = _split(facts.file.source, here, here.loop.body.statements, groups)
            if change is not None:
                yield change


def _split(source: Source, here: Around, body: Sequence[Stmt], groups: _Groups) -> Change | None:
    """None where a statement is about several groups, or hangs on the preprocessor."""
    owners = [_owners(statement, groups) for statement in body]
    lines = source.text(here.loop.span).splitlines()
    if any(len(each) > 1 for each in owners) or any(_is_directive(line) for line in lines):
        return None
    results = list(_results(here.behind, groups))
    head = source.text(Span(_whole(source, here.loop).start, here.loop.span.start))  # the loop's own pragma
    texts: list[str] = []
    for number in range(len(groups)):
        others = [each for each, owner in zip(body, owners, strict=True) if owner and number not in owner]
        own = _without(source, here.loop.span, [_whole(source, each) for each in others])
        texts.append(f"{head}{own}" if number else own)
        texts += [source.text(_whole(source, each)) for each, owner in results if owner == number]
    edits = [Edit(here.loop.span, "\n".join((*texts, ""))), *(Edit(_whole(source, each), "") for each, _ in results)]
    names = [listed(sorted({variable.name for variable in group})) for group in groups]
    line = source.line_of(here.loop.span.start)
    return Change(
        "split-loop",
        f"a loop for each of {' / '.join(names)} in place of the one at line {line}, its results right after it",
        line,
        tuple(edits),
        "the loop's steps, and what several of its groups read, once for each group",
        "RP303",
    )


def _owners(statement: Stmt, groups: _Groups) -> set[int]:
    named = named_in(statement)
    return {number for number, group in enumerate(groups) if named & group}


def _is_directive(line: str) -> bool:
    return line.lstrip().startswith("#") and not line.lstrip().startswith("#pragma")


def _results(behind: Sequence[Stmt], groups: _Groups) -> Iterator[tuple[Stmt, int]]:
    """The statements right after the loop that are about one group each, up to the first that is not."""
    for statement in behind:
        owners = _owners(statement, groups)
        if len(owners) != 1 or any(isinstance(node, (Declare, Jump, Return)) for node in _outside_loops(statement)):
            return
        yield statement, min(owners)


def _outside_loops(statement: Stmt) -> Iterator[object]:
    """A statement's parts, but the counters of its loops, which end with them."""
    inside = {id(one) for node in walk(statement) if isinstance(node, Loop) for one in node.init}
    return (node for node in walk(statement) if id(node) not in inside)


def _whole(source: Source, statement: Stmt) -> Span:
    """A statement with the pragma that stands in front of it."""
    unroll = statement.unroll if isinstance(statement, Loop) else None
    start = statement.span.start
    if unroll is not None and unroll.span.start < start:
        start = source.line_span(source.line_of(unroll.span.start)).start
    return Span(start, statement.span.end)


def _without(source: Source, whole: Span, parts: Sequence[Span]) -> str:
    text, at = "", whole.start
    for part in sorted(parts):
        text += source.text(Span(at, part.start))
        at = part.end
    return text + source.text(Span(at, whole.end))
