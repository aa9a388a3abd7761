"""A loop that carries several groups of values, written as one loop for each, with the group's results after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import Block, Declare, Jump, Loop, Return
from regpress_lint.cpp.traversal import walk
from regpress_lint.facts.loop_groups import loop_groups
from regpress_lint.lint.advice.advice_data import Change
from regpress_lint.lint.advice.moving import around, is_pure, listed, made_by, named_in, reads_memory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.source import Source
    from regpress_lint.cpp.syntax_tree import Stmt, Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.advice.moving import Around

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
            change = _split(facts, here, here.loop.body.statements, groups)
            if change is not None:
                yield change


def _split(facts: KernelFacts, here: Around, body: Sequence[Stmt], groups: _Groups) -> Change | None:
    """None where a statement is about several groups, or depends on the preprocessor."""
    source = facts.file.source
    owners = [_owners(statement, groups) for statement in body]
    lines = source.text(here.loop.span).splitlines()
    if any(len(each) > 1 for each in owners) or any(_is_directive(line) for line in lines):
        return None
    results = list(_results(here.behind, groups))
    beginnings = list(_beginnings(facts, here, groups))
    head = source.text(Span(_whole(source, here.loop).start, here.loop.span.start))  # the loop's own pragma
    texts: list[str] = []
    for number in range(len(groups)):
        others = [each for each, owner in zip(body, owners, strict=True) if owner and number not in owner]
        own = _without(source, here.loop.span, [_whole(source, each) for each in others])
        texts += [source.text(_whole(source, each)) for each, owner in beginnings if owner == number]
        texts.append(f"{head}{own}" if number else own)
        texts += [source.text(_whole(source, each)) for each, owner in results if owner == number]
    edits = [Edit(here.loop.span, "\n".join((*texts, "")))]
    edits += [Edit(_whole(source, each), "") for each, _ in (*beginnings, *results)]
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
    named = named_in(statement) | (set(statement.variables) if isinstance(statement, Declare) else set())
    return {number for number, group in enumerate(groups) if named & group}


def _is_directive(line: str) -> bool:
    return line.lstrip().startswith("#") and not line.lstrip().startswith("#pragma")


def _results(behind: Sequence[Stmt], groups: _Groups) -> Iterator[tuple[Stmt, int]]:
    """The statements right after the loop that are about one group each, up to the first that is not."""
    known = _with_sums(behind, groups)
    for statement in behind:
        owners = _owners(statement, known)
        if len(owners) != 1 or any(isinstance(node, (Jump, Return)) for node in walk(statement)):
            return
        yield statement, min(owners)


def _with_sums(behind: Sequence[Stmt], groups: _Groups) -> _Groups:
    """The groups, each with the variables that are declared behind the loop for it alone."""
    known = groups
    for statement in behind:
        if isinstance(statement, Declare):
            own = frozenset(statement.variables)
            users = {number for each in behind if named_in(each) & own for number in _owners(each, known)}
            users |= _owners(statement, known)
            known = [each | own if users == {number} else each for number, each in enumerate(known)]
    return known


def _beginnings(facts: KernelFacts, here: Around, groups: _Groups) -> Iterator[tuple[Stmt, int]]:
    """The statements before the loop that only give a later group its first values, in their order: with them right
    before its own loop they are not held through the others. IGC holds even zeros.
    """
    touched: set[Variable] = set()
    changed = made_by(here.loop)
    found: list[tuple[Stmt, int]] = []
    for statement in reversed(here.before):
        made, named, owners = made_by(statement), named_in(statement), _makers(statement, groups)
        counters = {each for node in walk(statement) if isinstance(node, Loop) for each in _declared(node)}
        number = min(owners, default=0)
        own = groups[number] | counters
        alone = (
            bool(number) and len(owners) == 1 and made <= own and not (made & touched) and not (named - own) & changed
        )
        if alone and is_pure(facts, statement) and not reads_memory(statement) and _is_written(facts, statement):
            found.append((statement, number))
        else:
            touched |= named | made
            changed |= made
    yield from reversed(found)


def _makers(statement: Stmt, groups: _Groups) -> set[int]:
    """The groups of which a statement declares, changes or names something."""
    made = made_by(statement) | named_in(statement)
    return {number for number, group in enumerate(groups) if made & group}


def _declared(loop: Loop) -> Iterator[Variable]:
    return (each for one in loop.init for node in walk(one) if isinstance(node, Declare) for each in node.variables)


def _is_written(facts: KernelFacts, statement: Stmt) -> bool:
    """True if no macro and no directive but a pragma is in a statement's text."""
    lines = facts.file.source.text(statement.span).splitlines()
    return not any(_is_directive(line) or line.endswith("\\") for line in lines)


def _whole(source: Source, statement: Stmt) -> Span:
    """A statement with the pragma before it."""
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
