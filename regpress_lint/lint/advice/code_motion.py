"""Changes of the order: values computed before a loop and used only after it, computed there.

A loop that carries several groups of values, written as one loop for each, with the group's results after it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import (
    Block,
    Call,
    Declare,
    Index,
    Jump,
    LambdaExpr,
    Loop,
    Member,
    Name,
    Return,
    Unary,
    Unknown,
)
from regpress_lint.cpp.traversal import nodes_of, walk, written
from regpress_lint.facts.loop_groups import loop_groups
from regpress_lint.facts.math_functions import is_plain_math
from regpress_lint.lint.advice.advice_data import Change
from regpress_lint.targets.compilers import habits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.source import Source
    from regpress_lint.cpp.syntax_tree import Expr, Function, Stmt, Variable
    from regpress_lint.facts.kernel import KernelFacts


_LOADS = frozenset(("__ldg", "__ldcg", "__ldcs", "__builtin_nontemporal_load"))
_MOST_NAMES = 3


class Around(NamedTuple):
    """The statements in front of a loop and behind it, in its own block, and the loop."""

    before: tuple[Stmt, ...]
    loop: Loop
    behind: tuple[Stmt, ...]


def later(facts: KernelFacts, function: Function) -> Iterator[Change]:
    """For each loop that stays one: computations before it for the code after it only, moved after it."""
    for loop in facts.loops_of(function):
        place = None if loop.unrolled else around(function, loop.loop)
        if place is None:
            continue
        moved = _only_behind(facts, place)
        if any(reads_memory(statement) for statement in moved) and all(_plain(facts, statement) for statement in moved):
            yield _moved(facts, place, moved)
        yield from _again(facts, function, place, moved)


def around(function: Function, loop: Loop) -> Around | None:
    """The statements around a loop; None for one that is the only statement of another."""
    for node in nodes_of(function):
        if isinstance(node, Block) and loop in node.statements:
            at = node.statements.index(loop)
            return Around(node.statements[:at], loop, node.statements[at + 1 :])
    return None


def _plain(facts: KernelFacts, statement: Stmt) -> bool:
    """True if a statement's text is all that it is: no directive in it, no macro around it."""
    text = facts.file.source.text(statement.span)
    return "#" not in text and "\\\n" not in text


# --------------------------------------------------------------------------------------------------------- moving


def _only_behind(facts: KernelFacts, place: Around) -> list[Stmt]:
    """Statements that could equally follow the loop, in their order: no remaining statement needs their results, and
    none changes their inputs.
    """
    touched, changed = named_in(place.loop), made_by(place.loop)
    statements: list[Stmt] = []
    for statement in reversed(place.before):
        assigned, named = made_by(statement), named_in(statement)
        if assigned and not assigned & touched and not named & changed and is_pure(facts, statement):
            statements.append(statement)
        else:
            touched |= named | assigned
            changed |= assigned
    return statements[::-1]


def named_in(statement: Stmt) -> set[Variable]:
    return {node.variable for node in walk(statement) if isinstance(node, Name) and node.variable is not None}


def made_by(statement: Stmt) -> set[Variable]:
    """Variables that a statement declares or changes."""
    variables: set[Variable] = set()
    for node in walk(statement):
        if isinstance(node, Declare):
            variables.update(node.variables)
        elif (target := written(node)) is not None and (root := _root(target)) is not None:
            variables.add(root)
    return variables


def _root(target: Expr) -> Variable | None:
    while isinstance(target, (Index, Member)):
        target = target.base
    return target.variable if isinstance(target, Name) else None


def is_pure(facts: KernelFacts, statement: Stmt) -> bool:
    """True if a statement changes nothing but variables of its own function, and always comes to its end."""
    for node in walk(statement):
        if isinstance(node, (Return, Jump, LambdaExpr, Unknown)):
            return False
        if isinstance(node, Declare) and any(variable.storage != "local" for variable in node.variables):
            return False
        if (target := written(node)) is not None:
            root = _root(target)
            if root is None or root.storage != "local" or root.type.pointers or root.type.reference:
                return False
        if isinstance(node, Call) and not _is_harmless(facts, node):
            return False
        if isinstance(node, Unary) and node.op == "&":
            return False
    return True


def _is_harmless(facts: KernelFacts, call: Call) -> bool:
    if is_plain_math(call.name) or call.name in _LOADS or call.name.startswith(("make_", "float", "double", "int")):
        return True
    target = facts.callee_of(call)
    return target is not None and not any(
        parameter.type.pointers or parameter.type.reference for parameter in target.parameters
    )


def reads_memory(statement: Stmt) -> bool:
    for node in walk(statement):
        if isinstance(node, Unary) and node.op == "*":
            return True
        if isinstance(node, Index):
            root = _root(node)
            if root is None or root.type.pointers or root.storage in ("global", "shared", "parameter", "capture"):
                return True
    return False


def _moved(facts: KernelFacts, place: Around, moved: Sequence[Stmt]) -> Change:
    """Each of them in front of the statement that needs it first."""
    source = facts.file.source
    loading = [statement for statement in moved if reads_memory(statement)]
    used = {variable for statement in place.behind for variable in named_in(statement)}
    variables = list(dict.fromkeys(variable for statement in loading for variable in _made_in_order(statement)))
    # What is only read for something else that is moved has no use of its own there.
    names = [variable.name for variable in variables if variable in used] or [variable.name for variable in variables]
    places = _places(place, moved)
    texts: dict[int, str] = {}
    for statement in moved:
        texts[places[statement]] = f"{texts.get(places[statement], '')}\n{source.text(statement.span)}"
    edits = [Edit(statement.span, "") for statement in moved]
    edits += [Edit(Span(place, place), f"{text}\n") for place, text in texts.items()]
    line = source.line_of(place.loop.span.start)
    return Change(
        "compute-later",
        f"load {listed(names)} behind the loop at line {line}, just before the use",
        source.line_of(loading[0].span.start),
        tuple(edits),
        "nothing, if nothing in between writes that memory; the loop no longer hides how long the loads take",
        "RP301",
    )


def _places(place: Around, moved: Sequence[Stmt]) -> dict[Stmt, int]:
    """For each statement the byte in front of which it is needed: at its first use, or at what is moved and uses it."""
    places: dict[Stmt, int] = {}
    for statement in reversed(moved):
        assigned = made_by(statement)
        users = [node.span.start for node in place.behind if assigned & named_in(node)]
        users += [place for later, place in places.items() if assigned & named_in(later)]
        places[statement] = min(users, default=place.loop.span.end)
    return places


def _made_in_order(statement: Stmt) -> list[Variable]:
    return sorted(made_by(statement), key=lambda variable: variable.span)


def listed(names: Sequence[str]) -> str:
    """Names as code, the first of them if they are many."""
    shown = [f"`{name}`" for name in names[:_MOST_NAMES]]
    if more := len(names) - len(shown):
        return f"{', '.join(shown)} and {more} more"
    return " and ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else shown[0]


# ----------------------------------------------------------------------------------------------------- recomputing


def _again(facts: KernelFacts, function: Function, place: Around, moved: Sequence[Stmt]) -> Iterator[Change]:
    """Values needed before and after a loop and not in it, computed a second time after it."""
    inside, changed = named_in(place.loop), made_by(place.loop)
    source, end = facts.file.source, place.loop.span.end
    declared: list[tuple[Variable, str]] = []
    copies: dict[str, str] = {}
    edits: list[Edit] = []
    for statement in place.before:
        if not isinstance(statement, Declare) or statement in moved or len(statement.variables) != 1:
            continue
        variable = statement.variables[0]
        operands = named_in(statement)
        if variable.init is None or variable.dims or variable in inside or variable in facts.source.modified:
            continue
        uses = [name.span for name in facts.flow_of(function).names if name.variable is variable]
        behind = [span for span in uses if span.start >= end and source.text(span) == variable.name]
        if not behind or operands & (changed | facts.source.modified) or not is_pure(facts, statement):
            continue
        if not _plain(facts, statement):
            continue
        again = f"{variable.name}_again"
        text = re.sub(rf"\b{variable.name}\b", again, source.text(statement.span), count=1)
        if (operand := _hidden(facts, operands - {variable for variable, _ in declared})) is not None:
            copies[operand.name] = (
                f'auto {operand.name}_again = {operand.name}; asm volatile("" : "+v"({operand.name}_again));'
            )
            text = re.sub(rf"\b{operand.name}\b", f"{operand.name}_again", text)
        declared.append((variable, text))
        edits += [Edit(span, again) for span in behind]
    if declared:
        line = source.line_of(place.loop.span.start)
        names = [variable.name for variable, _ in declared]
        texts = [*copies.values(), *(text for _, text in declared)]
        yield Change(
            "recompute",
            f"compute {listed(names)} again behind the loop at line {line}",
            source.line_of(declared[0][0].span.start),
            (Edit(Span(end, end), "".join(f"\n{text}" for text in texts)), *edits),
            "the same work twice" + (", behind a copy that clang cannot recognise" if copies else ""),
            "RP304",
        )


def _hidden(facts: KernelFacts, operands: set[Variable]) -> Variable | None:
    """The operand to hide from the compiler with an empty assembly text (RP304), or it merges both computations."""
    plain = (
        variable
        for variable in operands
        if variable.storage in ("local", "parameter") and not (variable.dims or variable.type.pointers)
    )
    hides = any(habits(name).empty_hides for name in facts.targets)
    return min(plain, key=lambda variable: variable.span, default=None) if hides else None


_Groups = list[frozenset["Variable"]]


def apart(facts: KernelFacts) -> Iterator[Change]:
    """For each loop of the kernel's own text with groups that have only the counter in common: the loops apart."""
    function = facts.kernel.function
    if function.path not in ("", facts.file.path):
        return
    for number, loop in enumerate(facts.loops):
        groups = [frozenset(group.variables) for group in loop_groups(facts, number, facts.targets[0])]
        place = around(function, loop.loop) if len(groups) > 1 else None
        if place is not None and isinstance(place.loop.body, Block) and place.loop.kind == "for":
            change = _split(facts, place, place.loop.body.statements, groups)
            if change is not None:
                yield change


def _split(facts: KernelFacts, place: Around, body: Sequence[Stmt], groups: _Groups) -> Change | None:
    """None where a statement is about several groups, or depends on the preprocessor."""
    source = facts.file.source
    owners = [_owners(statement, groups) for statement in body]
    lines = source.text(place.loop.span).splitlines()
    if any(len(owner) > 1 for owner in owners) or any(_is_directive(line) for line in lines):
        return None
    results = list(_results(place.behind, groups))
    beginnings = list(_beginnings(facts, place, groups))
    head = source.text(Span(whole(source, place.loop).start, place.loop.span.start))  # the loop's own pragma
    texts: list[str] = []
    for number in range(len(groups)):
        others = [statement for statement, owner in zip(body, owners, strict=True) if owner and number not in owner]
        loop_text = _without(source, place.loop.span, [whole(source, statement) for statement in others])
        texts += [source.text(whole(source, statement)) for statement, owner in beginnings if owner == number]
        texts.append(f"{head}{loop_text}" if number else loop_text)
        texts += [source.text(whole(source, statement)) for statement, owner in results if owner == number]
    edits = [Edit(place.loop.span, "\n".join((*texts, "")))]
    edits += [Edit(whole(source, statement), "") for statement, _ in (*beginnings, *results)]
    names = [listed(sorted({variable.name for variable in group})) for group in groups]
    line = source.line_of(place.loop.span.start)
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
    extended = _with_sums(behind, groups)
    for statement in behind:
        owners = _owners(statement, extended)
        if len(owners) != 1 or any(isinstance(node, (Jump, Return)) for node in walk(statement)):
            return
        yield statement, min(owners)


def _with_sums(behind: Sequence[Stmt], groups: _Groups) -> _Groups:
    """The groups, each with the variables that are declared behind the loop for it alone."""
    for statement in behind:
        if isinstance(statement, Declare):
            declared = frozenset(statement.variables)
            users = {number for node in behind if named_in(node) & declared for number in _owners(node, groups)}
            users |= _owners(statement, groups)
            groups = [group | declared if users == {number} else group for number, group in enumerate(groups)]
    return groups


def _beginnings(facts: KernelFacts, place: Around, groups: _Groups) -> Iterator[tuple[Stmt, int]]:
    """The statements before the loop that only give a later group its first values, in their order: with them right
    before its own loop they are not held through the others. IGC holds even zeros.
    """
    touched: set[Variable] = set()
    changed = made_by(place.loop)
    outwards: list[tuple[Stmt, int]] = []
    for statement in reversed(place.before):
        made, named, owners = made_by(statement), named_in(statement), _makers(statement, groups)
        counters = {variable for node in walk(statement) if isinstance(node, Loop) for variable in _declared(node)}
        number = min(owners, default=0)
        own = groups[number] | counters
        alone = (
            bool(number) and len(owners) == 1 and made <= own and not (made & touched) and not (named - own) & changed
        )
        if alone and is_pure(facts, statement) and not reads_memory(statement) and _is_written(facts, statement):
            outwards.append((statement, number))
        else:
            touched |= named | made
            changed |= made
    yield from reversed(outwards)


def _makers(statement: Stmt, groups: _Groups) -> set[int]:
    """The groups of which a statement declares, changes or names something."""
    concerned = made_by(statement) | named_in(statement)
    return {number for number, group in enumerate(groups) if concerned & group}


def _declared(loop: Loop) -> Iterator[Variable]:
    return (
        variable
        for statement in loop.init
        for node in walk(statement)
        if isinstance(node, Declare)
        for variable in node.variables
    )


def _is_written(facts: KernelFacts, statement: Stmt) -> bool:
    """True if no macro and no directive but a pragma is in a statement's text."""
    lines = facts.file.source.text(statement.span).splitlines()
    return not any(_is_directive(line) or line.endswith("\\") for line in lines)


def whole(source: Source, statement: Stmt) -> Span:
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
