"""A value in words that help a reader: its name and type, where it is defined and last used, and by which operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import evaluate_int
from regpress_lint.ir.graph import FLOAT, POINTER, PREDICATE, UNSIGNED
from regpress_lint.ir.ops import PHI, SOURCE
from regpress_lint.ir.ops import Kind as OpKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.core.source import Source
    from regpress_lint.cpp.constants import Environment
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.passes.peak import Peak
    from regpress_lint.views.pressure.places import Places

Kind = Literal[
    "argument",
    "array",
    "loop counter",
    "loop-carried",
    "load",
    "call",
    "address",
    "thread index",
    "arithmetic",
]
_LONGEST = 40  # characters of an expression that stands for a value without a name
_CALLS = frozenset(
    (OpKind.CALL, OpKind.ROUTINE, OpKind.BEGUN, OpKind.ENDED, OpKind.RESULT, OpKind.ATOMIC, OpKind.CONVERGENT)
)


class Value(NamedTuple):
    """Values of one variable that one line makes, or of one expression that no variable holds (`named` is False).

    registers: 32-bit, of all `copies` together at the widest place; a thread's, or a wave's where `scalar`. `guessed`
    if the type's size is unknown. defined: line that makes the first. last_used: line of the last use in the order
    behind the estimate; what a loop carries is used again in each iteration. lines: every line that makes or uses it.
    function: the inlined function that it is in, empty for the kernel itself. through: first and last line of the
    longest loop that it stays live through untouched. waits: lines from a load to its first use.
    """

    name: str
    type: str
    registers: int
    scalar: bool
    guessed: bool
    defined: int
    first_used: int
    last_used: int
    lines: tuple[int, ...]
    kind: Kind
    named: bool = True
    copies: int = 1
    function: str = ""
    through: tuple[int, int] | None = None
    waits: int = 0


class Group(NamedTuple):
    """The key that groups values into one entry: their name and type, the line that defines them, the register file,
    their kind."""

    name: str
    type: str
    line: int
    scalar: bool
    kind: Kind
    named: bool
    guessed: bool
    function: str


class Describer:
    """Groups of a kernel's values with their descriptions; each value is processed once."""

    def __init__(self, peak: Peak, places: Places, source: Source, env: Environment) -> None:
        self._peak = peak
        self._places = places
        self._source = source
        self._env = env
        self._groups: dict[int, Group] = {}
        self.members: dict[Group, list[int]] = {}

    def group(self, number: int) -> Group:
        """The entry that a value belongs to."""
        found = self._groups.get(number)
        if found is None:
            found = self._groups[number] = self._group(number)
            self.members.setdefault(found, []).append(number)
        return found

    def _group(self, number: int) -> Group:
        peak, graph = self._peak, self._peak.graph
        line = self._places.line(number) or self._places.first
        site, kind = graph.sites[number], self._kind(number)
        function = site.name if site is not None else ""
        scalar = not peak.width(number)
        held = peak.name(number)
        if held is None:
            text = _short(self._places.text(number))
            # SYCL's `item.get_local_id(0)` says it in the words of the source.
            name = ("" if "get_" in text else _label(graph.sources.get(number))) or text or kind
            return Group(name, _form(peak, number), line, scalar, kind, False, False, function)
        variable, path, inlined = held
        type_ = variable.type
        parts = [key for key in path if isinstance(key, str)]
        name = ".".join((variable.name, *parts))
        text = _form(peak, number) if parts else type_text(variable, self._env)
        guessed = type_.size is None and not type_.pointers and not parts and kind != "argument"
        # "end of the range", which a portability layer holds, is no variable of the source.
        return Group(name, text, line, scalar, kind, " " not in variable.name, guessed, inlined)

    def _kind(self, number: int) -> Kind:
        graph, peak = self._peak.graph, self._peak
        op, held = graph.ops[number], peak.name(number)
        if op is SOURCE:
            key = graph.sources.get(number)
            return "argument" if isinstance(key, tuple) and key[0] == "argument" else "thread index"
        if op is PHI:
            if held is None:
                return "address"
            return "loop counter" if number in peak.found.machine.counters else "loop-carried"
        if held is not None and held.variable.dims:
            return "array"
        if op.kind is OpKind.LOAD:
            return "load"
        if op.kind in _CALLS:
            return "call"
        if held is not None and any(user in peak.found.machine.counters for user in peak.users(number)):
            return "loop counter"  # of the next iteration
        return "address" if op.kind is OpKind.ADDRESS or graph.kinds[number] == POINTER else "arithmetic"

    def describe(self, group: Group, most: tuple[int, int]) -> Value:
        """An entry in words; `most` are its registers and copies where they are most."""
        peak, lifetimes = self._peak, self._peak.lifetimes
        members = self.members[group]
        uses = sorted((lifetimes.places[user], user) for number in members for user in peak.users(number))
        lines = [line for _, user in uses if (line := self._places.line(user)) is not None]
        used = lines or [group.line]
        through = self._through(members)
        return Value(
            group.name,
            group.type,
            most[0],
            group.scalar,
            group.guessed,
            group.line,
            used[0],
            used[-1],
            tuple(sorted({group.line, *used})),
            group.kind,
            group.named,
            most[1],
            group.function,
            through,
            max(used[0] - group.line, 0) if group.kind == "load" else 0,
        )

    def _through(self, members: Sequence[int]) -> tuple[int, int] | None:
        """The longest loop that all these values outlive without being touched in it."""
        peak, places, ends = self._peak, self._peak.lifetimes.places, self._peak.lifetimes.ends
        best: tuple[int, int] | None = None
        for begin, end, region in peak.lifetimes.order.loops:
            node = region.node
            if node is None or not all(places[number] < begin and ends.get(number, -1) >= end for number in members):
                continue
            if any(begin <= places[user] < end for number in members for user in peak.users(number)):
                continue
            first, last = self._source.line_of(node.span.start), self._source.line_of(node.span.end - 1)
            inside = self._places.first <= first and last <= self._places.last
            if inside and (best is None or last - first > best[1] - best[0]):
                best = (first, last)
        return best


def _label(source: object) -> str:
    """The label of a value that exists from the start without being a variable: `threadIdx.x`."""
    named = isinstance(source, tuple) and len(source) == 2 and all(isinstance(part, str) for part in source)
    return ".".join(source) if isinstance(source, tuple) and named else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def _form(peak: Peak, number: int) -> str:
    """The type of a value that no declaration gives one."""
    width, kind = peak.graph.form(number)
    if kind in (POINTER, PREDICATE):
        return "address" if kind == POINTER else "bool"
    if kind == FLOAT:
        return "double" if width == 2 else "float"
    sign = "unsigned " if kind == UNSIGNED else ""
    return f"{sign}{'long' if width == 2 else 'int'}"


def type_text(variable: Variable, env: Environment) -> str:
    """A variable's type as one would say it: `const double *`, `float[3][3]`; an extent that is not settled is `?`."""
    type_ = variable.type
    stars = "*" * type_.pointers
    sizes = [evaluate_int(extent, env) if extent is not None else None for extent in variable.dims]
    extents = "".join(f"[{'?' if size is None else size}]" for size in sizes)
    return f"{type_.name}{' ' + stars if stars else ''}{' &' if type_.reference else ''}{extents}"
