"""Live values in the order behind the estimate: at the peak, in loops, and through them."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.ops import LOAD_CONSTANT, LOAD_GLOBAL, LOAD_TEXTURE, Kind
from regpress_lint.model.graph.values import SIGNED, UNSIGNED, Holder, made_form
from regpress_lint.model.passes.liveness import counts
from regpress_lint.model.passes.uniformity import Differing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Binary, Expr, Variable
    from regpress_lint.model.graph.objects import Path
    from regpress_lint.model.graph.values import Graph, Region
    from regpress_lint.model.passes.trace import Scheduled


_PASSED_ON = frozenset((Kind.PHI, Kind.EXIT, Kind.SELECT, Kind.SELECT_ELEMENT, Kind.ELEMENT, Kind.CONVERSION))
_LOADS = frozenset((LOAD_GLOBAL, LOAD_TEXTURE, LOAD_CONSTANT))  # LDS is near
_MOST_BEHIND = 32  # values that a held one is computed of
_COMPUTED = frozenset((Kind.ARITHMETIC, Kind.CONVERSION, Kind.BITS, Kind.ROUTINE))
_CHEAP = 16  # registers that an operator needs for itself, at most: a root in double precision has 12
_CALLED = frozenset((Kind.ROUTINE, Kind.BEGUN))
_MOST_LOADS = 4  # loads that a value is computed of, to be made behind a loop in its place
_WIDE = (made_form(2, SIGNED), made_form(2, UNSIGNED))
_STEPS = 8  # values looked through for the variable that a value belongs to


class HeldValue(NamedTuple):
    """Values of one variable, or of one expression that no variable holds, at one place or through one loop.

    registers: 32-bit, of all of them together; copies: how many they are. loaded: all are reads of memory that other
    threads may see. made: where the first was made, in the file of its function. wide: all are 64-bit integers.
    """

    variable: Variable | None
    registers: int
    copies: int
    loaded: bool
    made: Span | None
    numbers: tuple[int, ...]
    wide: bool = False


class Apart(NamedTuple):
    """Elements of an array that a loop carries and that have nothing to do with each other: how many, the registers of
    all of them, and whether code behind the loop brings them together. beside: elements of several arrays have nothing
    to do with each other but where their index is the same.
    """

    elements: int
    registers: int
    joined: bool
    beside: bool = False


class Peak:
    """A scheduled kernel, for queries of live values. Registers are those of a thread: on AMD its vector registers,
    elsewhere all, as the estimate has them.
    """

    def __init__(self, scheduled: Scheduled) -> None:
        self.found = scheduled
        self.graph: Graph = scheduled.machine.graph
        self.lifetimes = scheduled.live.lifetimes
        self.sequence = self.lifetimes.order.sequence
        self.moved = scheduled.live.moved
        self._separate = scheduled.machine.compiler.scalar_registers
        self._names: dict[int, Holder | None] = {}

    @cached_property
    def _differing(self) -> Differing:
        return Differing(self.graph)

    def differs(self, expr: Expr, held: Binary | None = None) -> bool | None:
        """Whether the values of an expression differ between the threads of a wave, `held` taken to be the same for
        all of it; None if the execution made none, and so does not know.
        """
        return (self._differing if held is None else self._differing.without(held))(expr)

    @property
    def registers(self) -> int:
        """Most registers alive at a time, reads that are started early included: the basis of the estimate."""
        held = self.found.live.held
        return held.vector if self._separate else held.together

    def width(self, number: int) -> int:
        """Registers of a thread that a value takes, 0 for one in a scalar register."""
        registers = self.found.values.registers[number]
        return registers if registers or self._separate else self.graph.widths[number]

    @cached_property
    def _counts(self) -> tuple[list[int], list[int]]:
        return counts(self.graph, self.lifetimes, self.found.values.registers)

    @cached_property
    def alive(self) -> list[int]:
        """Registers at each place of the order, those of the operation that runs there included."""
        vector, scalar = self._counts
        extra = self.graph.extra
        if self._separate:
            return [vector[place] + extra[number] for place, number in enumerate(self.sequence)]
        return [vector[place] + scalar[place] + extra[number] for place, number in enumerate(self.sequence)]

    @cached_property
    def place(self) -> int | None:
        """The widest place, the first of them; None if nothing is alive anywhere."""
        most = max(self.alive, default=0)
        return self.alive.index(most) if most else None

    def scalars(self, place: int) -> int:
        """Registers of a wave that are alive at a place; 0 where the estimate counts them with the others."""
        return self._counts[1][place] if self._separate else 0

    def numbers_at(self, places: Iterable[int]) -> dict[int, list[int]]:
        """Values alive at places, in the order in which they are made."""
        wanted, ends = frozenset(places), self.lifetimes.ends
        without = self.graph.chained | self.lifetimes.fused
        dying: dict[int, list[int]] = {}
        alive: dict[int, None] = {}
        numbers: dict[int, list[int]] = {}
        for place, number in enumerate(self.sequence):
            for dead in dying.pop(place, ()):
                alive.pop(dead, None)
            end = ends.get(number, -1)
            if end > place and number not in without:
                alive[number] = None
                dying.setdefault(end, []).append(number)
            if place in wanted:
                numbers[place] = [value for value in alive if not self.lifetimes.is_away(value, place)]
        return numbers

    @cached_property
    def values(self) -> tuple[HeldValue, ...]:
        """Values that a thread holds at the widest place, widest first."""
        return self.held(self.numbers_at((self.place,))[self.place]) if self.place is not None else ()

    def held(self, numbers: list[int]) -> tuple[HeldValue, ...]:
        """Values by the variable or expression that they belong to, widest first; those of a wave are left out."""
        groups: dict[object, list[int]] = {}
        for number in numbers:
            if self.width(number):
                name = self.name(number)
                groups.setdefault(name.variable if name is not None else self.graph.nodes[number], []).append(number)
        values = [self._value(members) for members in groups.values()]
        return tuple(sorted(values, key=lambda value: -value.registers))

    def _value(self, numbers: list[int]) -> HeldValue:
        graph, name = self.graph, self.name(numbers[0])
        loads = [graph.ops[number] in _LOADS for number in numbers]
        return HeldValue(
            name.variable if name is not None else None,
            sum(map(self.width, numbers)),
            len(numbers),
            all(loads),
            graph.span(numbers[0]),
            tuple(numbers),
            all(graph.forms[number] in _WIDE for number in numbers),
        )

    def users(self, number: int) -> list[int]:
        """Values that a value is an operand of and that have a place."""
        return [user for user in self.found.values.users[number] if user in self.lifetimes.places]

    # --------------------------------------------------------------------------------------------------- names

    def name(self, number: int) -> Holder | None:
        """The variable that a value belongs to, and the part of it; what is passed on keeps its name."""
        if number not in self._names:
            self._names[number] = self._name(number)
        return self._names[number]

    def _name(self, number: int) -> Holder | None:
        graph = self.graph
        for _ in range(_STEPS):
            if (held := graph.holder_of(number)) is not None:
                return held
            if graph.ops[number].kind not in _PASSED_ON:
                return self._converted(number)
            args = [arg for arg in reversed(graph.args[number]) if graph.constants[arg] is None and arg != number]
            if not args:
                return None
            number = args[0]
        return None

    def _converted(self, number: int) -> Holder | None:
        """The variable that a value goes into by a conversion alone: `double d = p[i]` of a `float *`."""
        users = self.found.values.users[number]
        if len(users) == 1 and self.graph.ops[users[0]].kind is Kind.CONVERSION:
            return self.graph.holders.get(users[0])
        return None

    def _computed_into(self, number: int) -> Holder | None:
        """The variable that a value goes into by operators on it alone: `double d = p[i] * 3.0`, worked out late."""
        for _ in range(_STEPS):
            users = self.found.values.users[number]
            if len(users) != 1 or self.graph.ops[users[0]].kind not in _COMPUTED:
                return None
            number = users[0]
            if number in self.graph.holders:
                return self.graph.holders[number]
        return None

    # --------------------------------------------------------------------------------------------------- loops

    def _ranges(self, loop: object) -> Iterator[tuple[int, int, Region]]:
        for begin, end, region in self.lifetimes.order.loops:
            if region.node is loop:
                yield begin, end, region

    def in_loop(self, loop: object) -> int | None:
        """Most registers alive at a time in a loop that stays one; None for a loop that is gone."""
        widths = [max(self.alive[begin:end], default=0) for begin, end, _ in self._ranges(loop)]
        return max(widths, default=None)

    def widest_in(self, spans: Sequence[Span]) -> list[int]:
        """Most registers alive while the code of each of some spans of the kernel's own body runs, with the functions
        inlined there; 0 for one that leaves no effect, no read and no loop. spans: in order, one behind the other.

        Arithmetic outside of loops is placed where it is used, so that the span around it is meaningless.
        """
        graph, free, widest = self.graph, self.found.values.free, [0] * len(spans)
        starts = [span.start for span in spans]
        for place, number in enumerate(self.sequence):
            if free[number] and graph.homes[number] is None:
                continue
            span = self.in_body(number)
            at = bisect_right(starts, span.start) - 1 if span is not None else -1
            if span is not None and at >= 0 and span.end <= spans[at].end:
                widest[at] = max(widest[at], *self.alive[max(place - 1, 0) : place + 1])  # what it reads ends at it
        return widest

    def in_body(self, number: int) -> Span | None:
        """Where the kernel's own body makes a value: of an inlined one the outermost call."""
        node, site = self.graph.nodes[number], self.graph.sites[number]
        while site is not None:
            node, site = site.call, site.outer
        return node.span if node is not None else None

    def made_at(self, number: int) -> Iterator[tuple[Span, str]]:
        """Where a value is made and the file of that, then the calls of the inlined functions around it, "" for the
        kernel's own body.
        """
        node, site = self.graph.nodes[number], self.graph.sites[number]
        while site is not None:
            if node is not None:
                yield node.span, site.path
            node, site = site.call, site.outer
        if node is not None:
            yield node.span, ""

    def through(self, loop: object) -> tuple[HeldValue, ...]:
        """Values that a loop holds from its begin to its end and does not touch, widest first."""
        places, ends = self.lifetimes.places, self.lifetimes.ends
        for begin, end, _ in self._ranges(loop):
            numbers = [
                number
                for number in self.sequence[:begin]
                if ends.get(number, -1) >= end and not any(begin <= places[user] < end for user in self.users(number))
            ]
            return self.held(numbers)
        return ()

    def needed_before(self, value: HeldValue, loop: object) -> bool:
        """Whether code before a loop uses the values that it carries through, or the loads that they are computed of,
        for anything else.
        """
        loads = self._loads_behind(value)
        own = {*value.numbers} if loads is None else loads[1]
        for begin, _, _ in self._ranges(loop):
            places = self.lifetimes.places
            return any(places[user] < begin and user not in own for number in own for user in self.users(number))
        return False

    def loaded_behind(self, value: HeldValue) -> tuple[Variable, ...]:
        """The variables whose loads a held value is computed of, in order; () if it has any other operand."""
        loads = self._loads_behind(value)
        names = [self.name(number) or self._computed_into(number) for number in (loads[0] if loads is not None else ())]
        variables = {name.variable for name in names if name is not None}
        return tuple(sorted(variables, key=lambda variable: variable.span)) if None not in names else ()

    def _loads_behind(self, value: HeldValue) -> tuple[list[int], set[int]] | None:
        """Loads that a held value is computed of, and all that is computed of them for it; None if there is any other
        operand.
        """
        loads: list[int] = []
        waiting, seen = list(value.numbers), set(value.numbers)
        computed = set(value.numbers)
        while waiting:
            number = waiting.pop()
            if self.graph.constants[number] is not None:
                continue
            computed.add(number)
            if self.graph.ops[number] in _LOADS:
                loads.append(number)
                continue
            args = self.graph.args[number]
            if not args or len(seen) > _MOST_BEHIND:
                return None
            waiting += [arg for arg in args if arg not in seen]
            seen.update(args)
        return loads, computed

    def made_late(self, loop: object) -> tuple[tuple[HeldValue, ...], int]:
        """Values that a loop carries through and that could equally be loaded and computed after it, by variables; and
        how many registers of operands the loop would have to hold in its place.

        Cheap operators on loads that nothing else needs. Their other operands are constants, a wave's, the kernel's
        arguments, alive behind the loop anyway, or narrower than their result.
        """
        for _, end, _ in self._ranges(loop):
            through = self.through(loop)
            values = [v for v in through if not (v.loaded if v.variable is not None else self.loaded_behind(v))]
            operands = {number: self._operands_behind(number, end) for value in values for number in value.numbers}
            sharers = Counter(operand for args in operands.values() for operand in args or ())
            late = {
                number for number, args in operands.items() if args is not None and self._pays(number, args, sharers)
            }
            operands_kept = {operand for number in late for operand in operands[number] or ()}
            parts = [[number for number in value.numbers if number in late] for value in values]
            return tuple(self._value(part) for part in parts if part), sum(map(self.width, operands_kept))
        return (), 0

    def _pays(self, number: int, operands: Iterable[int], sharers: Mapping[int, int]) -> bool:
        """True if a value is wider than its share of the operands that stay live in its place."""
        return self.width(number) > sum(self.width(operand) / sharers[operand] for operand in operands)

    def _operands_behind(self, number: int, end: int) -> set[int] | None:
        """The operands that must stay live up to a place to compute a value there that is only used after it, from
        loads that nothing else uses; None if it cannot be computed there.
        """
        graph, places, ends = self.graph, self.lifetimes.places, self.lifetimes.ends
        if any(places[user] < end for user in self.users(number)):
            return None
        operands: set[int] = set()
        loads, waiting, seen = 0, [number], {number}
        while waiting:
            one = waiting.pop()
            if graph.ops[one].kind is Kind.SOURCE:
                continue
            if not seen.issuperset(self.users(one)) and one != number:
                if ends.get(one, -1) < end:
                    operands.add(one)
                continue
            if graph.ops[one] in _LOADS:
                loads += 1
                continue
            if graph.ops[one].kind not in _COMPUTED or graph.extra[one] > _CHEAP or len(seen) > _MOST_BEHIND:
                return None
            args = [
                arg for arg in graph.args[one] if arg not in seen and graph.constants[arg] is None and self.width(arg)
            ]
            waiting += args
            seen.update(args)
        return operands if 0 < loads <= _MOST_LOADS else None

    def carried(self, loop: object) -> dict[Variable, int]:
        """Variables of which a loop takes a value from one iteration to the next, with their registers."""
        registers: dict[Variable, int] = {}
        for _, _, region in self._ranges(loop):
            for phi in self.lifetimes.order.phis.get(region, ()):
                if (name := self.name(phi)) is not None:
                    registers[name.variable] = registers.get(name.variable, 0) + self.width(phi)
        return registers

    def copied(self, span: Span) -> tuple[int, int]:
        """How often the library function that is called most in a span was copied, and the registers that its code
        holds at the widest place, with those that the functions need for themselves.
        """
        if self.place is None:
            return 0, 0
        graph = self.graph
        within = [number for number in self.sequence if (at := self.in_body(number)) is not None and span.contains(at)]
        calls = Counter(id(graph.nodes[number]) for number in within if graph.ops[number].kind in _CALLED)
        inside = set(within)
        held = sum(self.width(number) for number in self.numbers_at((self.place,))[self.place] if number in inside)
        extra = graph.extra[self.sequence[self.place]] if self.sequence[self.place] in inside else 0
        return max(calls.values(), default=0), held + extra + self.found.live.beside

    def apart(self, loop: object) -> dict[Variable, Apart]:
        """Arrays of which a loop carries several elements that have nothing to do with each other: no value in the loop
        depends on two of them, and no read serves two.
        """
        for begin, end, region in self._ranges(loop):
            elements: dict[Variable, dict[int, Path]] = {}
            for phi in self.lifetimes.order.phis.get(region, ()):
                if (name := self.name(phi)) is not None and name.variable.dims and self.width(phi):
                    elements.setdefault(name.variable, {})[phi] = name.path
            several = {variable: phis for variable, phis in elements.items() if len(phis) > 1}
            rows = {
                part: 1 << at for at, part in enumerate(dict.fromkeys(p for e in several.values() for p in e.values()))
            }
            if len(several) > 1 and all(len(phis) == len(rows) for phis in several.values()):
                rows_of = {phi: rows[part] for phis in several.values() for phi, part in phis.items()}
                if (whole := self._elements_apart(rows_of, begin, end)) is not None:
                    return {
                        variable: Apart(len(phis), sum(map(self.width, phis)), whole.joined, beside=True)
                        for variable, phis in several.items()
                    }
            elements_apart = {
                variable: self._elements_apart({phi: 1 << at for at, phi in enumerate(phis)}, begin, end)
                for variable, phis in several.items()
            }
            return {variable: element for variable, element in elements_apart.items() if element is not None}
        return {}

    def _elements_apart(self, rows_of: Mapping[int, int], begin: int, end: int) -> Apart | None:
        inside = self.sequence[begin:end]
        if any(_more_than_one(mask) for mask in self._reached(rows_of, inside).values()):
            return None
        behind = self._reached(rows_of, self.sequence[begin:])
        joined = any(_more_than_one(mask) for mask in behind.values())
        graph, needed = self.graph, dict(rows_of)
        for phi, mask in rows_of.items():
            for arg in graph.args[phi][1:]:
                needed[arg] = needed.get(arg, 0) | mask
        for number in reversed(inside):
            mask = needed.get(number, 0)
            if graph.ops[number].kind is Kind.LOAD and _more_than_one(mask):
                return None
            if number not in rows_of:
                for arg in graph.args[number]:
                    needed[arg] = needed.get(arg, 0) | mask
        return Apart(len(rows_of), sum(map(self.width, rows_of)), joined)

    def _reached(self, rows_of: Mapping[int, int], numbers: Iterable[int]) -> dict[int, int]:
        """For values in an order, the phis among some that they depend on: a set of bits."""
        reached = dict(rows_of)
        for number in numbers:
            if number not in rows_of:
                mask = 0
                for arg in self.graph.args[number]:
                    mask |= reached.get(arg, 0)
                if mask:
                    reached[number] = mask
        for phi in rows_of:
            for arg in self.graph.args[phi][1:]:
                reached[phi] |= reached.get(arg, 0)
        return reached


def _more_than_one(mask: int) -> bool:
    return mask & (mask - 1) != 0
