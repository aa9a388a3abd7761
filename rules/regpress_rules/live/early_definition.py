"""RP302 early-definition."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Note, Rule, Severity, Span
from regpress_lint.api.facts import Assignments, macro_words
from regpress_lint.api.math import is_plain_math
from regpress_lint.api.memory import base_variable, written
from regpress_lint.api.syntax import (
    Assign,
    Block,
    Call,
    Declare,
    Evaluate,
    If,
    Jump,
    Label,
    LambdaExpr,
    Loop,
    Name,
    Unary,
    Unknown,
    names_in,
    walk,
)
from regpress_lint.api.targets import gpu, habits
from regpress_lint.api.text import count, registers_of, waves
from regpress_lint.api.worth import AT_THE_PEAK, step_severity, waves_without, with_spare
from regpress_rules.live._arithmetic import Arithmetic, arithmetic

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.api.facts import Peak
    from regpress_lint.api.syntax import Expr, Stmt, Variable

_WORTH = 8  # registers, as in RP301
_MOST_NAMES = 3
_MOST_NOTES = 5
_EVERYTHING = 1 << 30  # registers
# Calls that clang 19 leaves before a loop on gfx9, because their parts are chosen by a branch.
_STAYING = frozenset(("tanhf", "erff", "lgammaf"))


class _Early(NamedTuple):
    """A variable that could be given its value later in the block.

    value, span: its initial value, and the place of its name. at, needed: positions of that in the block and of
    the statement that needs it first. held: not only what moves with it needs it.
    """

    variable: Variable
    value: Expr
    span: Span
    made: Arithmetic
    at: int
    needed: int
    held: bool

    @property
    def registers(self) -> int:
        return self.variable.type.registers or 1


class _Changes(NamedTuple):
    """Changes by the statements of a block, each as positions in it: variables, by assignments or as declarations, and
    memory. barred: its changes are unknown, or a jump leads there, which passes no declaration with a value.
    """

    assigned: dict[Variable, list[int]]
    declared: dict[Variable, list[int]]
    memory: list[int]
    barred: list[int]


class _Written(NamedTuple):
    """once: variables that one assignment gives their value. unseen: those that a pointer, a lambda and the like may
    change.
    """

    once: frozenset[Variable]
    unseen: frozenset[Variable]


class _Found(NamedTuple):
    """Values computed too early for one statement of a block, and the registers that moving them frees there.

    loop: that statement has a loop that stays one. branches: there is an `if` on the way. repeated: a loop that stays
    one is around the block.
    """

    early: tuple[_Early, ...]
    widest: Stmt
    registers: int
    loop: bool
    branches: bool
    repeated: bool


class EarlyDefinition(Rule):
    """Values that are worked out long before their first use, with the widest place of the kernel in between."""

    code = "RP302"
    name = "early-definition"
    severity = Severity.HINT
    needs = ("source.variables",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding per kernel: the block and the place where most is gained."""
        function = facts.kernel.function
        plain = [variable for variable in facts.source.variables if not variable.dims]
        if (
            function.path not in ("", facts.file.path)
            or sum(variable.type.registers or 0 for variable in plain) < _WORTH
        ):
            return
        if not facts.hints_count and not _may_inform(facts, function.body):
            return
        uses: dict[Variable, list[int]] = {}
        for name in facts.flow_of(function).names:
            if name.variable is not None:
                uses.setdefault(name.variable, []).append(name.span.start)
        best: dict[str, _Found] = {}
        ones = _written_once(function.body) if any(variable.init is None for variable in plain) else frozenset()
        writes = _Written(ones, frozenset(Assignments(facts, function).unseen))
        for block in _blocks(function.body):
            early = _early(facts, block, uses, writes)
            if sum(value.registers for value in early if value.held) < _WORTH:
                continue
            for target in facts.targets:
                widest = _widest(facts, target, block, early, uses, writes)
                if widest is not None and (target not in best or widest.registers > best[target].registers):
                    best[target] = widest
        if (finding := _finding(facts, best)) is not None:
            yield finding


def _may_inform(facts: KernelFacts, body: Block) -> bool:
    """Whether more than a hint is possible: False if few of the kernel's values are read from memory, or stay in place
    (`_severity`). It only looks at each value, without an execution.
    """
    targets = [gpu(name) for name in facts.targets]
    loads = 0 if any(not on.is_intel for on in targets) else -_EVERYTHING
    stays = 0 if any(on.is_gfx9 for on in targets) else -_EVERYTHING
    for block in _blocks(body):
        for variable, value in (pair for statement in block.statements for pair in _values(statement)):
            computed = arithmetic(value) if variable.storage == "local" and not variable.dims else None
            if computed is not None:
                registers = variable.type.registers or 1
                loads += registers if computed.loads else 0
                stays += registers if _STAYING.intersection(computed.functions) else 0
                if loads >= _WORTH or stays >= _WORTH:
                    return True
    return False


def _values(statement: Stmt) -> list[tuple[Variable, Expr]]:
    """Variables that a statement may give their value, and the value: no fewer than `_given` finds."""
    if isinstance(statement, Declare):
        return [(variable, variable.init) for variable in statement.variables if variable.init is not None]
    assign = statement.expression if isinstance(statement, Evaluate) else None
    if isinstance(assign, Assign) and isinstance(assign.target, Name) and assign.target.variable is not None:
        return [(assign.target.variable, assign.value)]
    return []


def _blocks(body: Block) -> Iterator[Block]:
    return (node for node in walk(body) if isinstance(node, Block) and len(node.statements) > 2)


# ----------------------------------------------------------------------------------------------------------- movable


def _written_once(body: Block) -> frozenset[Variable]:
    """Variables without a value of their own that one assignment gives them, and that nothing else may change."""
    counts: dict[Variable, int] = {}
    for node in walk(body):
        target = written(node)
        changed: list[tuple[Expr, int]] = [(target, 1 if isinstance(target, Name) else 2)] if target is not None else []
        if isinstance(node, Unary) and node.op == "&":
            changed.append((node.operand, 2))
        elif isinstance(node, Call) and not is_plain_math(node.name):
            changed += [(argument, 2) for argument in node.args if isinstance(argument, Name)]
        elif isinstance(node, Unknown | LambdaExpr):
            changed += [(name, 2) for name in names_in(node)]
        for expr, times in changed:
            variable = base_variable(expr)
            if variable is not None:
                counts[variable] = counts.get(variable, 0) + times
    return frozenset(variable for variable, times in counts.items() if times == 1 and variable.init is None)


def _given(statement: Stmt, writes: _Written) -> list[tuple[Variable, Expr, Span]]:
    """Variables that a statement gives their value, the value, and where the name stands."""
    if isinstance(statement, Declare):
        return [(each, each.init, each.span) for each in statement.variables if each.init is not None]
    if isinstance(statement, Evaluate) and isinstance(statement.expression, Assign):
        assign = statement.expression
        variable = assign.target.variable if isinstance(assign.target, Name) else None
        if variable is not None and assign.op == "=" and variable in writes.once:
            return [(variable, assign.value, assign.target.span)]
    return []


def _early(facts: KernelFacts, block: Block, uses: Mapping[Variable, Sequence[int]], writes: _Written) -> list[_Early]:
    """Values of a block that may be made later in it, from the last to the first."""
    statements = block.statements
    ends = [statement.span.end for statement in statements]
    by_variable: dict[Variable, _Early] = {}
    changes: _Changes | None = None
    moved: dict[Variable, list[tuple[int, int]]] = {}  # where a variable is named by what moves, and how far that goes
    for at in range(len(statements) - 2, -1, -1):
        for variable, value, span in reversed(_given(statements[at], writes)):
            places = [place for place in uses.get(variable, ()) if place != span.start]
            computed = _movable(facts, variable, value, writes) if places and max(places) < block.span.end else None
            if computed is None:
                continue
            later = dict(moved.get(variable, ()))
            needed = min(later.get(place, bisect_right(ends, place)) for place in places)
            changes = changes or _changes(facts, statements)
            if needed <= at + 1 or not _stays_the_same(changes, at + 1, needed, computed):
                continue
            held = any(place not in later for place in places)
            by_variable[variable] = _Early(variable, value, span, computed, at, needed, held)
            for name in names_in(value):
                if name.variable is not None:
                    moved.setdefault(name.variable, []).append((name.span.start, needed))
    return list(by_variable.values())


def _movable(facts: KernelFacts, variable: Variable, value: Expr, writes: _Written) -> Arithmetic | None:
    """A plain number or vector, and a pure value that it keeps: one that may differ between threads."""
    type_ = variable.type
    if (
        variable.storage != "local"
        or variable.dims
        or (variable in facts.source.modified and variable not in writes.once)
    ):
        return None
    if variable.name in macro_words(facts.file.source):
        return None
    if type_.registers is None or type_.reference or type_.pointers or type_.volatile:
        return None
    computed = arithmetic(value)
    if computed is None or computed.reads & writes.unseen or not (computed.reads or computed.thread):
        return None
    return computed


def _changes(facts: KernelFacts, statements: Sequence[Stmt]) -> _Changes:
    from regpress_lint.api.effects import writes_of

    changes = _Changes({}, {}, [], [])
    for position, statement in enumerate(statements):
        changed = writes_of(facts, statement)
        declares = isinstance(statement, Declare)
        positions = changes.declared if declares else changes.assigned
        for variable in changed.variables:
            positions.setdefault(variable, []).append(position)
        if changed.memory or changed.hidden:
            changes.memory.append(position)
        if not declares and (changed.hidden or _jumps(statement)):
            changes.barred.append(position)
    return changes


def _jumps(statement: Stmt) -> bool:
    return any(isinstance(node, Label) or (isinstance(node, Jump) and node.label) for node in walk(statement))


def _stays_the_same(changes: _Changes, first: int, end: int, computed: Arithmetic) -> bool:
    """True if none of the statements of a block from the first on and up to an end changes a value's operands.

    Without a load a declaration only makes names of its own.
    """
    if _between(changes.barred, first, end) or (computed.loads and _between(changes.memory, first, end)):
        return False
    tables = (changes.assigned, changes.declared) if computed.loads else (changes.assigned,)
    return not any(_between(table.get(variable, ()), first, end) for table in tables for variable in computed.reads)


def _between(positions: Sequence[int], first: int, end: int) -> bool:
    return bisect_left(positions, first) < bisect_left(positions, end)


# ------------------------------------------------------------------------------------------------------------ the peak


def _widest(
    facts: KernelFacts,
    target: str,
    block: Block,
    early: Sequence[_Early],
    uses: Mapping[Variable, Sequence[int]],
    writes: _Written,
) -> _Found | None:
    """The widest statement that something is made too early for, if it is the kernel's widest place."""
    peak = facts.peak(target)
    early = [value for value in early if peak.differs(value.value) is not False]
    alive = peak.widest_in([statement.span for statement in block.statements])
    between = {place for value in early if value.held for place in range(value.at + 1, value.needed)}
    work = [place for place in between if not _only_gives(facts, peak, block.statements[place], writes)]
    place = max(work, key=alive.__getitem__, default=None)
    if place is None:
        return None
    statement = block.statements[place]
    rolled = {loop.loop for loop in facts.loops if not loop.unrolled}
    loop = any(node in rolled for node in walk(statement) if isinstance(node, Loop))
    # What is loaded before a loop is RP301's.
    crossing = [value for value in early if value.at < place < value.needed and not (loop and value.made.loads)]
    registers = _gained(crossing, statement, uses)
    if registers < _WORTH or alive[place] + registers < AT_THE_PEAK * max(peak.alive, default=0):
        return None
    passed = block.statements[min(value.at for value in crossing) : max(value.needed for value in crossing)]
    branches = any(isinstance(node, If) for statement in passed for node in walk(statement))
    repeated = any(loop.span.contains(block.span) for loop in rolled)
    declared = tuple(sorted(crossing, key=lambda value: value.span))
    return _Found(declared, statement, registers, loop, branches, repeated)


def _only_gives(facts: KernelFacts, peak: Peak, statement: Stmt, writes: _Written) -> bool:
    """True for declarations that make nothing and for values that could be made elsewhere themselves: they are no place
    between others.
    """
    assigned = _given(statement, writes)
    return (isinstance(statement, Declare) or bool(assigned)) and all(
        _movable(facts, variable, value, writes) is not None and peak.differs(value) is not False
        for variable, value, _ in assigned
    )


def _gained(crossing: Sequence[_Early], widest: Stmt, uses: Mapping[Variable, Sequence[int]]) -> int:
    """Registers of what no longer crosses the widest statement, less those of its operands that end before."""
    total = sum(value.registers for value in crossing if value.held)
    moving = {value.variable for value in crossing}
    inside = [value.value.span for value in crossing]
    for variable in {read for value in crossing for read in value.made.reads} - moving:
        if variable.storage != "local":
            continue
        later = (place for place in uses.get(variable, ()) if place >= widest.span.start)
        if not any(all(not span.start <= place < span.end for span in inside) for place in later):
            total -= variable.type.registers or 1
    return total


# -------------------------------------------------------------------------------------------------------------- report


def _severity(facts: KernelFacts, target: str, widest: _Found) -> Severity | None:
    """None where no part of the band gains; information where compilers were measured to keep the order."""
    if step_severity(facts, target, widest.registers) == Severity.HINT:
        return None
    on = gpu(target)
    loads = sum(value.registers for value in widest.early if value.held and value.made.loads)
    if on.is_intel:  # measured to spill more when loads come late
        return Severity.HINT if loads < _WORTH else None
    if loads >= _WORTH and (widest.branches or not (habits(target).moves_reads or widest.repeated)):
        return Severity.INFO
    staying = [value for value in widest.early if value.held and _STAYING.intersection(value.made.functions)]
    stays = widest.loop and sum(value.registers for value in staying) >= _WORTH
    return Severity.INFO if stays and on.is_gfx9 else Severity.HINT


def _finding(facts: KernelFacts, best: Mapping[str, _Found]) -> Finding | None:
    said = {target: _severity(facts, target, widest) for target, widest in best.items()}
    severities = {target: severity for target, severity in said.items() if severity is not None}
    if not severities:
        return None
    target = max(severities, key=lambda name: (severities[name], best[name].registers))
    widest, own, source = best[target], facts.target(target), facts.file.source
    held = [value for value in widest.early if value.held]
    names = [f"`{value.variable.name}`" for value in held[:_MOST_NAMES]]
    more = f" and {len(held) - _MOST_NAMES} more" if len(held) > _MOST_NAMES else ""
    line = source.line_of(widest.widest.span.start)
    then = waves_without(own, widest.registers)
    gain = f"({registers_of(own)}, {waves(own.occupancy)} per SIMD"
    gain += f"; without them {count(then, 'wave')})" if then != own.occupancy.waves / own.occupancy.simds else ")"
    are = "is" if len(held) == 1 else "are"
    message = (
        f"{', '.join(names)}{more} {are} computed here and needed only after line {line}, where the "
        f"kernel is widest on {target}: {count(widest.registers, 'register')} {gain}"
    )
    advice = "compute them where they are needed"
    if severities[target] == Severity.HINT:
        advice += "; compilers were measured to do so by themselves with arithmetic, clang also inside of a block"
    notes = [
        Note(widest.widest.span._replace(end=widest.widest.span.start + 1), "the widest place between"),
        *(
            Note(value.span, f"`{value.variable.name}`: {count(value.registers, 'register')}")
            for value in held[1 : _MOST_NOTES + 1]
        ),
    ]
    help_ = with_spare(facts, severities, advice)
    return Finding(held[0].span, message, severities, help_, tuple(notes))
