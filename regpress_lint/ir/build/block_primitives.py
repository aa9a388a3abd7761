"""Collective operations of CUB, hipCUB and cooperative groups: what a thread brings along is alive in them, with what
the algorithm needs.

`BlockRadixSort<unsigned, 128, 16>(storage).Sort(keys)`: the algorithm is thousands of lines in the library, which are
not executed here. Its own registers are those that nvcc 13.0.88 gave small kernels on sm_90, in addition to the
kernel's without it: sums 3 to 6, scans 15 to 18, sorts 24 and another four for each item, moves through shared memory 4
to 12 and one for each item, differences and flags between neighbours at most 2. Sums of values of up to eight bytes are
that wherever they stand (of 26 kernels of HeCBench on sm_90 and gfx90a, 24 in the narrow band). The others have several
algorithms, and an entry in the ledger says so, which widens the band. `cg::reduce(warp, x, op)` is its shuffles: what a
thread holds around it is all it takes (nvcc 13.0.88: 12 and 14 registers where the kernel without has 12, 40 for twelve
sums of doubles).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.syntax_tree import Call, Index, Member, Name
from regpress_lint.ir import ops
from regpress_lint.ir.build.machine import Machine, form_of
from regpress_lint.ir.build.private_objects import assign, part, scalar
from regpress_lint.ir.build.this_object import target_of
from regpress_lint.ir.objects import Memory, Place, flat
from regpress_lint.targets.builtins import GROUP_TYPE

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr
    from regpress_lint.ir.objects import Value

_SUM, _SCAN, _SORT, _MOVE, _NEXT = "reduction", "scan", "sort", "move", "comparison of neighbours"
_OPERATIONS = {
    **dict.fromkeys(
        ("Sum", "Reduce", "Max", "Min", "HeadSegmentedSum", "TailSegmentedSum", "HeadSegmentedReduce"), _SUM
    ),
    **dict.fromkeys(("ExclusiveSum", "InclusiveSum", "ExclusiveScan", "InclusiveScan", "Scan", "Broadcast"), _SCAN),
    **dict.fromkeys(
        ("Sort", "SortDescending", "SortBlockedToStriped", "SortDescendingBlockedToStriped", "StableSort"), _SORT
    ),
    **dict.fromkeys(("RankKeys", "Histogram", "Composite"), _SORT),
    **dict.fromkeys(
        ("Load", "Store", "BlockedToStriped", "StripedToBlocked", "ScatterToStriped", "ScatterToBlocked"), _MOVE
    ),
    **dict.fromkeys(("SubtractLeft", "SubtractRight", "FlagHeads", "FlagTails", "Up", "Down", "Offset"), _NEXT),
}
_OWN = {_SUM: 4, _SCAN: 16, _SORT: 24, _MOVE: 8, _NEXT: 1}
_AN_ITEM = {_SUM: 0, _SCAN: 0, _SORT: 4, _MOVE: 1, _NEXT: 0}
_LIBRARY = pattern(r"(?:^|/)(?:hip)?cub/|(?:^|/)rocprim/")
_MOST_ITEMS = 64
_MOST_BYTES = 8  # of a value that is as those measured
_OF_GROUPS = frozenset(("reduce", "inclusive_scan", "exclusive_scan"))
_GROUPS = frozenset(("cg", "cooperative_groups"))


def block_primitive(machine: Machine, expr: Call) -> Value | None:
    """Value of an operation that the threads of a block or a warp do together; None for any other call."""
    kind = _OPERATIONS.get(expr.name)
    callee = expr.callee
    if expr.name in _OF_GROUPS and _is_of_group(machine, expr):
        return _of_group(machine, expr.args[1])
    if kind is None or not isinstance(callee, Member) or not expr.args or not _is_collective(machine, callee.base):
        return None
    target, _ = target_of(machine, expr)
    if target is not None and not _LIBRARY.search(target.path):
        return None
    items, given = _given(machine, expr.args)
    most = max((len(one) for one in items), default=1)
    extra = _OWN[kind] + _AN_ITEM[kind] * most
    operands = tuple(dict.fromkeys(given)) or (machine.undefined,)
    form = machine.graph.form(given[0]) if given else form_of(None)
    type_ = machine.type_of(expr.args[0])
    size = 4 * form.width if type_ is None or type_.size is None else type_.size
    if kind != _SUM or not given or size > _MOST_BYTES:
        machine.tally.unresolved += 1
        machine.unknown("callee", expr.name, expr.span, _TEXT.format(expr.name, kind), "both")
    machine.memory.fenced("shared")
    result = machine.effect(ops.CONVERGENT, operands, form, divergent=True, extra=extra)
    machine.new_block()
    outputs = items if kind != _SUM else []
    for places in outputs:
        for place in places:
            assign(machine, place, machine.effect(ops.CONVERGENT, (result,), form, divergent=True))
    return result


_TEXT = (
    "`{}` is a {} of the library, whose algorithm is not executed: its registers are those of a usual one, other "
    "types and algorithms differ"
)


def _is_of_group(machine: Machine, expr: Call) -> bool:
    """True for `cg::reduce(warp, x, op)`, by the namespace or the type of the group."""
    if len(expr.args) < 2 or not isinstance(expr.callee, Name):
        return False
    if expr.qualified.rpartition("::")[0] in _GROUPS:
        return True
    type_ = machine.type_of(expr.args[0])
    return type_ is not None and GROUP_TYPE.fullmatch(type_.name) is not None


def _of_group(machine: Machine, given: Expr) -> Value:
    value = machine.evaluate(given)
    operands = tuple(flat(value)) or (scalar(machine, value),)
    return machine.effect(ops.CONVERGENT, operands, machine.graph.form(operands[0]), divergent=True)


def _is_collective(machine: Machine, base: Expr) -> bool:
    """True for `BlockScan(storage)`, an object by that name, and `cub::WarpReduce<T>(storage)`."""
    if isinstance(base, Call):
        return len(base.args) <= 2 and (not base.args or isinstance(base.args[0], (Name, Member, Index)))
    type_ = machine.type_of(base) if isinstance(base, Name) and base.variable is not None else None
    return type_ is not None and ("cub" in type_.name or "rocprim" in type_.name)


def _given(machine: Machine, args: tuple[Expr, ...]) -> tuple[list[list[Place]], list[int]]:
    """Places that the operation may write to, one list an argument, and the values that it is given."""
    places: list[list[Place]] = []
    values: list[int] = []
    for arg in args:
        value = machine.evaluate(arg)
        if isinstance(value, Memory):
            value = scalar(machine, value)
        if isinstance(value, Place) and value.variable.dims and not value.path:
            count = (machine.known_int(value.variable.dims[0]) if len(value.variable.dims) == 1 else None) or 1
            one = [Place(value.variable, (at,)) for at in range(min(count, _MOST_ITEMS))]
            if len(value.variable.dims) == 1:
                places.append(one)
                values += [scalar(machine, part(machine, each, value.variable.type)) for each in one]
                continue
        if (
            isinstance(arg, Name)
            and arg.variable is not None
            and arg.variable.storage == "local"
            and not arg.variable.dims
        ):
            places.append([Place(arg.variable)])
        values += flat(value) or [scalar(machine, value)]
    return places, [value for value in values if value != machine.undefined]
