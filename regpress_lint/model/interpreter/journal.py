"""How the state of a machine that a trial changes is taken back: the one place that says it, for each field.

A loop is executed to see whether copies of its body may replace it, and then in another way. Each field of the state
is named here once, by how it goes back; a test compares with the classes, so that a new one cannot be forgotten.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.values import forget

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.model.graph.objects import Value
    from regpress_lint.model.interpreter.machine import Machine


class Fields(NamedTuple):
    """Fields of one part of the state, by how they go back.

    restored: to the object that they held. copied: tables, to their former content. cut: lists, to the length that they
    had. popped: tables that only grow, likewise. keyed: tables by numbers of values; those made since are dropped.
    newest: tables that hold numbers of values, newest last. holding: others that hold such. scopes: lists of such, cut
    as well. among: sets of numbers of values. counted: tables that hold how many values there were, newest last.
    kept: fields that do not go back, because they do not depend on the execution, or must outlast a trial.
    """

    restored: tuple[str, ...] = ()
    copied: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    popped: tuple[str, ...] = ()
    keyed: tuple[str, ...] = ()
    newest: tuple[str, ...] = ()
    holding: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    among: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


MACHINE = Fields(
    restored=(
        # Where the execution is.
        *("region", "frame", "names", "constants", "this", "expanding", "in_lanes", "guards", "under", "placed"),
        *("block", "last_condition", "carry"),
    ),
    cut=("active", "forks"),
    popped=("left_at",),
    keyed=("block_of", "joins", "routines", "sides"),
    holding=("begun",),
    kept=(
        *("graph", "memory", "tally", "loops", "bindings"),  # parts of their own
        "arrays",  # a trial may say too much: more accesses than there are, never fewer
        *("variables", "owner", "filled"),  # see `rewind`
        *"""
            inputs file read_once converts compiler vendor home undefined top
        """.split(),
        # Answers about the source, whoever asks.
        *("known", "site_of", "references", "league", "_environments"),
        # New numbers, and bounds on what is executed at all.
        *("_blocks", "_steps", "_most_steps", "_most_work", "evaluated", "spent"),
        *("above", "first", "loop_starts", "straight"),  # of blocks, whose numbers are new
    ),
)
LOOPS = Fields(
    cut=("again", "copying", "jumps"),
    popped=("hoisted", "strides"),
    holding=("inductions",),
    among=("counters", "copied"),
    kept=("around_gone",),
)
BINDINGS = Fields(restored=("packs", "number_packs", "deduced"))
GRAPH = Fields(
    restored=("at", "site"),
    cut=(*("ops", "args", "forms", "widths", "kinds", "constants", "homes", "extra", "divergent", "nodes", "sites"),),
    keyed=("holders", "lefts", "limits", "sources", "vectors"),
    newest=("_known", "_constants", "twins", "_remade", "summed"),
    among=("_old_sums", "parts"),
    counted=("combined",),
    kept=("chained", "remade"),  # found when the execution has ended
)
TALLY = Fields(
    restored=("operations", "size", "touched", "unresolved", "loops_kept", "widest_product", "apart"),
    cut=(
        *("plans", "elements", "libraries", "services", "indexed", "picks", "unknowns", "handed_over"),
        *("writes", "exits"),
    ),
    popped=("reached", "private_writes"),
    kept=("limit", "complete", "extents"),
)
MEMORY = Fields(
    copied=("writes", "fences", "elements", "moving", "arrays"),
    keyed=("accesses", "loads", "offsets", "sizes", "spaces", "roots", "twins"),
    holding=("forgotten", "stored"),
    scopes=("reads",),
    among=("read_only",),
    kept=("epoch",),
)
FRAME = Fields(restored=("dead",), cut=("returns", "left", "conditions", "owned"), kept=("reference", "chooses"))
REGION = Fields(
    cut=("items",),
    newest=("ahead",),
    kept=(
        *("begun", "checked", "copies", "depth", "epoch", "guards", "latch", "node", "parent", "scope"),
        *("skipped", "trials"),
    ),
)


# The parts of the state from a machine on, the one that names others first. A run makes many marks, so that the fields
# of all parts are read and written at once.
_PARTS = {
    "": MACHINE,
    "graph.": GRAPH,
    "tally.": TALLY,
    "memory.": MEMORY,
    "frame.": FRAME,
    "region.": REGION,
    "loops.": LOOPS,
    "bindings.": BINDINGS,
}
_PARTS_OF = attrgetter(*(prefix.rstrip(".") for prefix in _PARTS if prefix))


class _Named:
    """Fields of one sort in all parts: the part of each, by its place in `_PARTS`, and its name; what they hold now."""

    __slots__ = ("each", "held")

    def __init__(self, *sorts: str) -> None:
        rows = [
            (number, prefix, name)
            for sort in sorts
            for number, (prefix, fields) in enumerate(_PARTS.items())
            for name in getattr(fields, sort)
        ]
        self.each = tuple((number, name) for number, _, name in rows)
        held = attrgetter(*(f"{prefix}{name}" for _, prefix, name in rows))
        self.held: Callable[[Machine], tuple[Any, ...]] = held if len(rows) > 1 else lambda machine: (held(machine),)


_RESTORED, _COPIED, _CUT, _POPPED = _Named("restored"), _Named("copied"), _Named("cut", "scopes"), _Named("popped")
_KEYED, _NEWEST, _COUNTED, _AMONG = _Named("keyed"), _Named("newest"), _Named("counted"), _Named("among")
_HOLDING, _SCOPES = _Named("holding"), _Named("scopes")


class Mark(NamedTuple):
    """State to return to. values: how many there were. filled: entries of `Machine.filled`. parts: of the state.
    restored, copied: what they held; cut, popped: lengths of what only grows.
    """

    values: int
    variables: dict[Variable, Value]
    filled: int
    parts: tuple[Any, ...]
    restored: tuple[Any, ...]
    copied: tuple[dict[Any, Any], ...]
    cut: tuple[int, ...]
    popped: tuple[int, ...]


def mark(machine: Machine) -> Mark:
    """The state now, for `rewind`."""
    parts = (machine, *_PARTS_OF(machine))
    copied = tuple(map(dict, _COPIED.held(machine)))
    cut, popped = tuple(map(len, _CUT.held(machine))), tuple(map(len, _POPPED.held(machine)))
    variables = machine.fork()
    return Mark(
        len(machine.graph.ops), variables, len(machine.filled), parts, _RESTORED.held(machine), copied, cut, popped
    )


def rewind(machine: Machine, to: Mark) -> None:
    """As if nothing had been executed since the mark."""
    end, parts = len(machine.graph.ops), to.parts
    for named, held in ((_RESTORED, to.restored), (_COPIED, to.copied)):
        for (number, name), value in zip(named.each, held, strict=True):
            setattr(parts[number], name, value)
    for grown, length in zip(_CUT.held(machine), to.cut, strict=True):
        if len(grown) > length:
            del grown[length:]
    for table, length in zip(_POPPED.held(machine), to.popped, strict=True):
        while len(table) > length:
            table.popitem()
    if end > to.values:
        _forget_values(machine, parts, to.values, end)
    while len(machine.filled) > to.filled:
        written, path = machine.filled.pop()
        written.pop(path, None)
    machine.variables = to.variables
    machine.own()
    _drop_hoisted(machine, to.values)


def _drop_hoisted(machine: Machine, values: int) -> None:
    """Take out what was executed in front of the loops around, see `memory.load`."""
    region = machine.region.parent
    while region is not None:
        while region.items and isinstance(region.items[-1], int) and region.items[-1] >= values:
            region.items.pop()
        _drop_newest(region.ahead, values)
        region = region.parent


def _forget_values(machine: Machine, parts: tuple[Any, ...], values: int, end: int) -> None:
    for table in filter(None, _KEYED.held(machine)):
        forget(table, values, end)
    for table in _NEWEST.held(machine):
        _drop_newest(table, values)
    for table in _COUNTED.held(machine):
        while table and next(reversed(table.values()))[1] > values:
            table.popitem()
    for (number, name), table in zip(_HOLDING.each, _HOLDING.held(machine), strict=True):
        if table:
            setattr(parts[number], name, _older(table, values))
    for (number, name), tables in zip(_SCOPES.each, _SCOPES.held(machine), strict=True):
        setattr(parts[number], name, [_older(table, values) for table in tables])
    for numbers in filter(None, _AMONG.held(machine)):
        numbers.difference_update(range(values, end))


def _drop_newest(table: dict[Any, int], values: int) -> None:
    while table and next(reversed(table.values())) >= values:
        table.popitem()


def _older(table: dict[Any, int], values: int) -> dict[Any, int]:
    if max(table.values(), default=-1) < values:  # as a rule, for most trials only look
        return table
    return {key: value for key, value in table.items() if value < values}
