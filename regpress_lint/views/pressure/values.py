"""What a value is, in words that help a reader: its type, where it is made and last read, and what made it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Literal, NamedTuple

from regpress_lint.cpp.constants import evaluate_int
from regpress_lint.cpp.syntax import Constant, Name
from regpress_lint.source_level.live_variables import is_load

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from regpress_lint.core.source import Source, Span
    from regpress_lint.cpp.constants import Environment
    from regpress_lint.cpp.syntax import Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.source_level.flow import Op
    from regpress_lint.views.pressure.views import View

Kind = Literal[
    "argument",
    "array",
    "loop counter",
    "loop-carried",
    "load",
    "call",
    "constant",
    "copy",
    "arithmetic",
    "cheap arithmetic",
]
# Below that a compiler may as well work a value out again where it is used, as `registers` has it.
_MIN_OPERATIONS = 2


class Value(NamedTuple):
    """A live range. registers: 32-bit, a thread's, or a wave's where `scalar`; `guessed` if its size is not in view.

    defined: line of the first definition. last_used: line of the last read in source order; what a loop carries is
    read again in each iteration. lines: every line that makes or reads it. kind: what made it; cheap arithmetic is what
    a compiler may do again instead of holding its result. through: first and last line of the longest loop that it is
    held through and that does not name it. waits: lines from a load to its first use.
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
    through: tuple[int, int] | None = None
    waits: int = 0


def describe(keys: Sequence[tuple[Variable, int]], view: View, source: Source, facts: KernelFacts) -> tuple[Value, ...]:
    """Values in the order of `keys`."""
    names: dict[Variable, list[int]] = {}
    for name in view.flow.names:
        if name.variable is not None:
            names.setdefault(name.variable, []).append(name.span.start)
    for offsets in names.values():
        offsets.sort()
    return tuple(_describe(key, view, names.get(key[0], []), source, facts) for key in keys)


def _describe(key: tuple[Variable, int], view: View, names: list[int], source: Source, facts: KernelFacts) -> Value:
    variable, definition = key
    made, read = view.webs.made_by.get(key, []), view.webs.read_by.get(key, [])
    if definition < 0:
        defined = source.line_of(variable.span.start)
        made_at: list[int] = []
    else:
        made_at = sorted(source.line_of(_written_at(op, view, names)) for op in made)
        defined = made_at[0]
    used = sorted({line for op in read for line in _uses(op, names, source)})
    kind = _kind(key, view, made)
    through = _untouched_loop(key, view)
    return Value(
        variable.name,
        type_text(variable, facts.environment),
        view.width(key),
        view.scalar(key),
        variable.type.size is None and not variable.type.pointers,
        defined,
        used[0] if used else defined,
        used[-1] if used else defined,
        tuple(sorted({defined, *made_at, *used})),
        kind,
        None if through is None else (source.line_of(through.start), source.line_of(through.end - 1)),
        _waits(key, view, source) if kind == "load" else 0,
    )


def _written_at(op: Op, view: View, names: list[int]) -> int:
    """Where an op writes a variable: at its declaration or assignment, else (a call, `x++`) where it names it."""
    if op.variable is not None:
        return op.variable.span.start
    first = bisect_left(names, op.span.start)
    named = first < len(names) and names[first] < op.span.end
    return names[first] if named and op.span not in view.assigned else op.span.start


def _uses(op: Op, names: list[int], source: Source) -> Iterable[int]:
    """Lines on which an op names a variable; its first line where the name is hidden (a lambda's body, a macro)."""
    first, last = bisect_left(names, op.span.start), bisect_right(names, op.span.end)
    return {source.line_of(offset) for offset in names[first:last]} or {source.line_of(op.span.start)}


def _kind(key: tuple[Variable, int], view: View, made: list[Op]) -> Kind:
    variable, definition = key
    if definition < 0:
        return "argument"
    if variable.dims:
        return "array"
    if key in view.webs.carried:
        return "loop counter" if any(loop.counter is variable for loop in view.loops) else "loop-carried"
    given = [op.value if op.value is not None else view.assigned.get(op.span) for op in made]
    if any(value is not None and is_load(value) for value in given):
        return "load"
    if any(not _asks_for_thread(op) for op in made if op.calls):
        return "call"
    if all(isinstance(value, Constant) for value in given):
        return "constant"
    if all(isinstance(value, Name) and value.variable is not None for value in given):
        return "copy"
    return "arithmetic" if any(op.loads or op.cost >= _MIN_OPERATIONS for op in made) else "cheap arithmetic"


def _asks_for_thread(op: Op) -> bool:
    """True if the calls of an op only ask which thread it is (SYCL's `get_global_id`)."""
    return all(record.call.name.startswith("get_") for record in op.calls)


def _waits(key: tuple[Variable, int], view: View, source: Source) -> int:
    loads = [op.span.start for op in view.webs.made_by.get(key, [])]
    uses = [op.span.start for op in view.webs.read_by.get(key, [])]
    return max(source.line_of(min(uses)) - source.line_of(max(loads)), 0) if uses and loads else 0


def _untouched_loop(key: tuple[Variable, int], view: View) -> Span | None:
    """The longest loop that a value outlives without being read or written in it."""
    starts = [op.span.start for op in (*view.webs.made_by.get(key, ()), *view.webs.read_by.get(key, ()))]
    if key[1] < 0 or not starts:
        return None
    best: Span | None = None
    for loop in view.loops:
        span = loop.loop.span
        if loop.unrolled or not min(starts) < span.start or not max(starts) >= span.end:
            continue
        if any(span.start <= start < span.end for start in starts):
            continue
        if best is None or span.end - span.start > best.end - best.start:
            best = span
    return best


def type_text(variable: Variable, env: Environment) -> str:
    """A variable's type as one would say it: `const double *`, `float[3][3]`; an extent that is not settled is `?`."""
    type_ = variable.type
    stars = "*" * type_.pointers
    sizes = [evaluate_int(extent, env) if extent is not None else None for extent in variable.dims]
    extents = "".join(f"[{'?' if size is None else size}]" for size in sizes)
    return f"{type_.name}{' ' + stars if stars else ''}{' &' if type_.reference else ''}{extents}"
