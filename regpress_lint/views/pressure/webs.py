"""Live ranges: which definitions of a variable reach which of its uses. One variable may hold several values in turn.

`liveness` asks what is read later, this module what was written before: a variable that is declared at the top of a
kernel and first written at its end holds nothing in between, whatever reads it later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.cpp.syntax import Name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from regpress_lint.cpp.syntax import Call, Function, Variable
    from regpress_lint.source_level.flow import Flow, Op
    from regpress_lint.source_level.live_variables import Liveness


class Moment(NamedTuple):
    """One op and the values around it, as (variable, definition) pairs; definition -1: the value that an argument has.

    before: values that the op or something later reads. made: values that it makes and that are read later.
    after: values that are read later. Definitions of one live range carry the same number (`Webs.of`).
    """

    op: Op
    block: int
    before: frozenset[tuple[Variable, int]]
    made: frozenset[tuple[Variable, int]]
    after: frozenset[tuple[Variable, int]]


class Webs(NamedTuple):
    """Moments in the order of the blocks, and the ops that define (`made_by`) and read (`read_by`) each live range.

    carried: live ranges that reach their own loop's header again, from an iteration to the next.
    """

    moments: tuple[Moment, ...]
    made_by: dict[tuple[Variable, int], list[Op]]
    read_by: dict[tuple[Variable, int], list[Op]]
    carried: frozenset[tuple[Variable, int]]


class _Definition(NamedTuple):
    variable: Variable
    op: Op | None  # None: an argument's value on entry


class _Reaching:
    """Definitions numbered, as sets of bits, and what reaches the start of every block."""

    def __init__(self, flow: Flow, writes: dict[int, int]) -> None:
        self.variables = list(flow.bits)
        self.definitions: list[_Definition] = []
        self.of_variable = dict.fromkeys(self.variables, 0)
        self.made: dict[int, list[tuple[Variable, int]]] = {}  # id of an op -> its definitions
        self.entry = 0
        declared = set(flow.declared)
        for variable in self.variables:
            if variable not in declared:  # an argument; for a lambda whatever of the function around it is named
                self.entry |= 1 << self._add(variable, None)
        self.arguments = self.entry
        for block in flow.blocks:
            for op in block.ops:
                self.made[id(op)] = [(v, self._add(v, op)) for v in self.members(writes[id(op)])]
        self.writes = writes
        self.into = self._fixed_point(flow)

    def _add(self, variable: Variable, op: Op | None) -> int:
        self.definitions.append(_Definition(variable, op))
        number = len(self.definitions) - 1
        self.of_variable[variable] |= 1 << number
        return number

    def members(self, found: int) -> Iterator[Variable]:
        """Variables of a set."""
        variables = self.variables
        while found:
            low = found & -found
            yield variables[low.bit_length() - 1]
            found ^= low

    def step(self, reach: int, op: Op) -> int:
        """What reaches the point behind an op."""
        for variable in self.members(op.kills):
            reach &= ~self.of_variable[variable]
        for _, number in self.made[id(op)]:
            reach |= 1 << number
        return reach

    def _fixed_point(self, flow: Flow) -> list[int]:
        into = [0] * len(flow.blocks)
        into[0] = self.entry
        pending = list(range(len(flow.blocks) - 1, -1, -1))
        while pending:
            number = pending.pop()
            reach = into[number]
            for op in flow.blocks[number].ops:
                reach = self.step(reach, op)
            for following in flow.blocks[number].following:
                if following.index >= 0 and reach & ~into[following.index]:
                    into[following.index] |= reach
                    pending.append(following.index)
        return into


def webs(flow: Flow, live: Liveness, callee_of: Callable[[Call], Function | None]) -> Webs:
    """Live ranges of all variables of a function; an update (`x += y`) continues the range that it reads."""
    reaching = _Reaching(flow, writes_of(flow, callee_of))
    parents = list(range(len(reaching.definitions)))
    for block in flow.blocks:
        reach = reaching.into[block.index]
        for op in block.ops:
            made = dict(reaching.made[id(op)])
            for variable in reaching.members(op.uses):
                numbers = _numbers(reach & reaching.of_variable[variable])
                _join(parents, [*numbers, made[variable]] if variable in made else numbers)
            reach = reaching.step(reach, op)
    return _collect(flow, live, reaching, parents)


def _collect(flow: Flow, live: Liveness, reaching: _Reaching, parents: list[int]) -> Webs:
    moments: list[Moment] = []
    made_by: dict[tuple[Variable, int], list[Op]] = {}
    read_by: dict[tuple[Variable, int], list[Op]] = {}

    def held(live_here: int, reach: int) -> frozenset[tuple[Variable, int]]:
        found = []
        for variable in reaching.members(live_here):
            numbers = reach & reaching.of_variable[variable]
            if real := numbers & ~reaching.arguments:
                found.append((variable, _root(parents, (real & -real).bit_length() - 1)))
            elif numbers:
                found.append((variable, -1))
        return frozenset(found)

    for block in flow.blocks:
        reach = reaching.into[block.index]
        behind = _live_behind(block.ops, live.live_out[block.index])
        for op, after in zip(block.ops, behind, strict=True):
            before = held((after & ~op.kills) | op.uses, reach)
            for value in held(op.uses, reach):
                read_by.setdefault(value, []).append(op)
            reach = reaching.step(reach, op)
            made = held(after & reaching.writes[id(op)], reach)
            for variable, number in reaching.made[id(op)]:
                made_by.setdefault((variable, _root(parents, number)), []).append(op)
            moments.append(Moment(op, block.index, before, made, held(after, reach)))
    return Webs(tuple(moments), made_by, read_by, frozenset(_carried(flow, live, reaching, parents)))


def _carried(flow: Flow, live: Liveness, reaching: _Reaching, parents: list[int]) -> Iterator[tuple[Variable, int]]:
    for record in flow.loops:
        inside = {id(op) for block in flow.blocks[record.first : record.last] for op in block.ops}
        into = reaching.into[record.first]
        for variable in reaching.members(live.live_in[record.first]):
            for number in _numbers(into & reaching.of_variable[variable]):
                if id(reaching.definitions[number].op) in inside:
                    yield variable, _root(parents, number)


def _live_behind(ops: list[Op], live: int) -> list[int]:
    result = []
    for op in reversed(ops):
        result.append(live)
        live = (live & ~op.kills) | op.uses
    return result[::-1]


def writes_of(flow: Flow, callee_of: Callable[[Call], Function | None]) -> dict[int, int]:
    """Variables that each op (by its id) gives a value. A declaration without one (`double x;`) gives none, unless
    nothing else does: then it is a constructor's.
    """
    ranged = {v for record in flow.loops if record.loop.kind == "range" for s in record.loop.init for v in _declared(s)}
    blank = {variable.span for variable in flow.declared if variable.init is None and variable not in ranged}
    found: dict[int, int] = {}
    declarations: list[Op] = []
    written = 0
    for block in flow.blocks:
        for op in block.ops:
            if op.value is None and op.span in blank:
                declarations.append(op)
            else:
                found[id(op)] = op.defs | _written_by_calls(flow, op, callee_of)
                written |= found[id(op)]
    return found | {id(op): op.defs & ~written for op in declarations}


def _declared(statement: object) -> tuple[Variable, ...]:
    found: tuple[Variable, ...] = getattr(statement, "variables", ())
    return found


def _written_by_calls(flow: Flow, op: Op, callee_of: Callable[[Call], Function | None]) -> int:
    """Variables that a call of the op may write: arrays, and names that go to a reference or to code not in view."""
    found = 0
    for record in op.calls:
        target = callee_of(record.call)
        parameters = target.parameters if target is not None else ()
        for position, argument in enumerate(record.call.args):
            variable = argument.variable if isinstance(argument, Name) else None
            if variable is None or variable.storage != "local" or variable not in flow.bits:
                continue
            if position < len(parameters) and not variable.dims:
                type_ = parameters[position].type
                written = type_.reference and not type_.const
            else:
                written = variable.init is None
            found |= flow.bits[variable] if written else 0
    return found


def _numbers(found: int) -> list[int]:
    result = []
    while found:
        low = found & -found
        result.append(low.bit_length() - 1)
        found ^= low
    return result


def _root(parents: list[int], number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]
        number = parents[number]
    return number


def _join(parents: list[int], numbers: list[int]) -> None:
    if numbers:
        first = _root(parents, numbers[0])
        for number in numbers[1:]:
            parents[_root(parents, number)] = first
