"""Functions as `pressure` sees them: live ranges with their registers, and what a call holds inside."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax import Constant, Name
from regpress_lint.source_level.live_variables import liveness
from regpress_lint.targets.costs import COSTS, SERVICES, library_key
from regpress_lint.views.pressure.fills import fills
from regpress_lint.views.pressure.hidden import Lookups, MacroWords, hidden_reads
from regpress_lint.views.pressure.homes import argument_width, is_alias, shared_by_wave, used_by_pointer
from regpress_lint.views.pressure.members import Context, Loops, split
from regpress_lint.views.pressure.webs import Moment, Webs, webs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from regpress_lint.core.source import Source, Span
    from regpress_lint.cpp.constants import Environment
    from regpress_lint.cpp.syntax import Expr, Function, Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.source_level.flow import CallRecord, Flow, Op
    from regpress_lint.source_level.loop_facts import LoopFacts
    from regpress_lint.targets.codegen import Compiler

_MAX_DEPTH = 6
# As in `registers`: loads that a scheduler keeps in flight over the copies of an unrolled body (efficacy 15).
_MAX_BATCH = 16
_MAX_COPIES = 16
_DIVISIONS = {"/:d": "double division", "/:f": "float division", "/:l": "64-bit division", "/:i": "integer division"}


class Inner(NamedTuple):
    """What a call or division holds inside, beyond the values of the line: its name and 32-bit registers a thread.

    For a function in view also its widest line: path, line, the registers of its own values there and these by name,
    widest first, and the widest call on that line. `line` is 0 for what is not in view.
    """

    name: str
    registers: int
    path: str = ""
    line: int = 0
    live: int = 0
    values: tuple[tuple[str, int], ...] = ()
    callee: Inner | None = None


class Around(NamedTuple):
    """What stands around a kernel: files of the project by their path, and the names that hide in macros."""

    source_of: Callable[[str], Source | None]
    macro_words: MacroWords = lambda _name, _path, _offset: frozenset()


class View(NamedTuple):
    """A function with the registers of its variables; `shared` are those that a wave has in common (a bit mask)."""

    flow: Flow
    loops: tuple[LoopFacts, ...]
    webs: Webs
    widths: dict[Variable, int]
    shared: int
    in_flight: tuple[int, ...]
    assigned: dict[Span, Expr]
    folded: frozenset[tuple[Variable, int]]

    def width(self, value: tuple[Variable, int]) -> int:
        """Registers of a value; an argument that was never changed is where the launch put it, a constant nowhere."""
        variable, definition = value
        if value in self.folded:
            return 0
        return self.widths[variable] if definition >= 0 else argument_width(variable)

    def scalar(self, value: tuple[Variable, int]) -> bool:
        """True if no thread's vector registers hold the value."""
        variable, definition = value
        return definition < 0 or bool(self.flow.bits[variable] & self.shared)


class Measure:
    """Views of functions and peaks of device functions; worked out once each."""

    def __init__(
        self,
        facts: KernelFacts,
        target: str,
        compiler: Compiler,
        around: Around,
    ) -> None:
        self._facts = facts
        self._target = target
        self._vendor = compiler.vendor
        self._copied_constants = compiler.one_scalar_operand
        self._around = around
        self._varying: dict[Function, bool] = {}
        self._peaks: dict[tuple[Function, int], Inner] = {}
        self._views: dict[Function, View] = {}

    def view(self, function: Function, *, kernel: bool = False) -> View:
        known = self._views.get(function)
        if known is None:
            facts = self._facts
            whole, loops = facts.flow_of(function), facts.loops_of(function)
            context = Context(
                facts.environment,
                facts.file.type_of,
                facts.callee_of,
                hidden_reads(whole, Lookups(self._around.macro_words, facts.callee_of, facts.flow_of, self._varying)),
            )
            once = frozenset(number for number, loop in enumerate(loops) if loop.trip_count == 1)
            known_of_loops = Loops(fills(whole, loops, facts.environment), once)
            flow, widths = split(whole, self._widths(function, whole, loops), known_of_loops, context)
            found = webs(flow, liveness(flow), facts.callee_of)
            assigned = {assign.span: assign.value for assign in flow.assigns if assign.op == "="}
            folded = frozenset(_constants(found, assigned, facts.environment))
            shared = shared_by_wave(flow, self._vendor, facts.callee_of, kernel=kernel)
            known = View(flow, loops, found, widths, shared, _in_flight(flow, loops), assigned, folded)
            self._views[function] = known
        return known

    def _widths(self, function: Function, flow: Flow, loops: tuple[LoopFacts, ...]) -> dict[Variable, int]:
        widths = dict(self._facts.widths(self._target, function))
        for variable in (*function.parameters, *function.captures):
            widths[variable] = argument_width(variable)  # of a copy that the function changes
        for variable in flow.bits:
            if is_alias(variable):
                widths[variable] = 0
        widths |= dict.fromkeys(used_by_pointer(flow), 0)
        kept = {loop.counter for loop in loops if not loop.unrolled}
        for loop in loops:
            if loop.counter is not None and loop.counter not in kept:
                widths[loop.counter] = 0  # a constant in each copy of the body
        return widths

    def inner(self, op: Op, loop: LoopFacts | None, depth: int = 0) -> Inner | None:
        """The widest function, math call or division that an op runs."""
        if self.is_constant(op):
            return None
        found: list[Inner] = []
        in_loop = self._copied_constants and loop is not None and not loop.unrolled
        for key in op.library:
            cost = COSTS[self._vendor][key]
            found.append(Inner(_library_name(key, op), cost.in_loop if in_loop and key not in SERVICES else cost.once))
        for record in op.calls if depth < _MAX_DEPTH else ():
            target = self._facts.callee_of(record.call)
            if target is not None:
                found.append(self._inside(target, _passed(record, target), depth + 1))
        most = max(found, key=lambda inner: inner.registers, default=None)
        return most if most is not None and most.registers else None

    def is_constant(self, op: Op) -> bool:
        """True for a declaration whose value the compiler works out: it runs nothing."""
        return op.value is not None and evaluate(op.value, self._facts.environment) is not None

    def temporaries(self, op: Op) -> int:
        """Registers of an op's expression at its widest point."""
        return 0 if self.is_constant(op) else op.temps

    def _inside(self, function: Function, passed: int, depth: int) -> Inner:
        """An inlined function at its widest point; `passed` as `_passed` gives it."""
        key = (function, passed)
        known = self._peaks.get(key)
        if known is not None:
            return known
        best = self._peaks[key] = Inner(function.name, 0)  # recursion ends here
        widest: Moment | None = None
        view = self.view(function)
        new = {p for i, p in enumerate(function.parameters) if passed >> i & 1 and not p.type.reference}
        for moment in view.webs.moments:
            held = [value for value in moment.before | moment.made if _is_own(view, value, new)]
            live = sum(view.width(value) for value in held)
            loop = view.flow.blocks[moment.block].loop
            inner = self.inner(moment.op, view.loops[loop] if loop >= 0 else None, depth)
            beyond = self.temporaries(moment.op) + view.in_flight[loop]
            callee = inner if inner is not None and inner.registers > beyond else None
            total = live + (callee.registers if callee is not None else beyond)
            if total > best.registers:
                named = sorted(((v[0].name, view.width(v)) for v in held if view.width(v)), key=lambda n: (-n[1], n[0]))
                best, widest = Inner(function.name, total, function.path, 0, live, tuple(named), callee), moment
        source = self._around.source_of(function.path) if widest is not None else None
        if source is not None and widest is not None:
            best = best._replace(line=source.line_of(widest.op.span.start))
        self._peaks[key] = best
        return best


def _is_own(view: View, value: tuple[Variable, int], new: set[Variable]) -> bool:
    """True for what an inlined function adds: its own values, and arguments that are worked out for the call."""
    return value[0] in new if value[1] < 0 else not view.scalar(value)


def _passed(record: CallRecord, target: Function) -> int:
    """Positions of arguments that are worked out for the call: no name, which is the caller's value, and no literal."""
    found = 0
    for position, argument in enumerate(record.call.args[: len(target.parameters)]):
        if not isinstance(argument, (Name, Constant)):
            found |= 1 << position
    return found


def _library_name(key: str, op: Op) -> str:
    family = key.partition(":")[0]
    if family == "/":
        return _DIVISIONS.get(key, "division")
    for record in op.calls:
        known = library_key(record.call.name, None)
        if known is not None and known.partition(":")[0] == family:
            return record.call.name
    return family


def _constants(found: Webs, assigned: dict[Span, Expr], env: Environment) -> Iterator[tuple[Variable, int]]:
    """Live ranges that one constant defines: compilers write the number where it is used."""
    for value, made in found.made_by.items():
        if len(made) == 1 and not value[0].dims:
            given = made[0].value if made[0].value is not None else assigned.get(made[0].span)
            if given is not None and evaluate(given, env) is not None:
                yield value


def _in_flight(flow: Flow, loops: tuple[LoopFacts, ...]) -> tuple[int, ...]:
    """Registers of loads in flight per loop; the last entry is for code in no loop (index -1)."""
    loads = [0] * (len(loops) + 1)
    for block in flow.blocks:
        for op in block.ops:
            loads[block.loop] += op.loads
    batches = (
        min((min(loop.trip_count or 1, _MAX_COPIES) - 1) * loads[number], _MAX_BATCH) if loop.unrolled else 0
        for number, loop in enumerate(loops)
    )
    return (*batches, 0)
