"""Calls of libraries that are known: matrix fragments, primitives of a block, reductions;
and those that only name parts of objects: `std::get<1>(t)`, `z.real()`, `std::tie(a, b)`.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.names.definition_nodes import class_name
from regpress_lint.cpp.syntax_tree import BOUND, POINTED, Call, Constant, Expr, Index, Member, Name, Variable
from regpress_lint.cpp.types import is_fragment, sharing
from regpress_lint.cpp.typing_rules import is_same
from regpress_lint.model.graph import ops
from regpress_lint.model.graph.objects import Memory, Parts, Place, Value, flat
from regpress_lint.model.graph.values import INT, SIGNED, made_form
from regpress_lint.model.interpreter.member_calls import pointed_member, target_of
from regpress_lint.model.interpreter.member_lists import with_fields
from regpress_lint.model.interpreter.memory import element, load, store
from regpress_lint.model.interpreter.object_writes import assign
from regpress_lint.model.interpreter.places import place_of
from regpress_lint.model.interpreter.private_objects import member, part, scalar
from regpress_lint.model.interpreter.template_arguments import argument_value
from regpress_lint.model.interpreter.value_forms import form_of
from regpress_lint.targets.builtins import GROUP_TYPE, MATRIX_BUILTIN, MATRIX_WRITERS, STANDARD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Assign, Function, Type
    from regpress_lint.model.interpreter.machine import Machine


# Tensor cores through `nvcuda::wmma`: a fragment is a vector of the registers that a thread holds of a matrix.


_FILL, _LOAD, _STORE = "fill_fragment", "load_matrix_sync", "store_matrix_sync"
_APPLY = "joint_matrix_apply"
_BUILTIN = "__builtin_amdgcn_"
_SIGNS = "_iu"  # of RDNA: integers, each factor with an argument in front that says whether it has a sign
_LANE = 32  # bytes between the registers of one thread, about: all within the reach of one address


def is_of_matrix(name: str) -> bool:
    """Whether a function of this name of a library moves matrices, whether or not its header is visible."""
    return name == _STORE or name in MATRIX_WRITERS


def matrix_call(machine: Machine, expr: Call) -> Value | None:
    """Value of a call of `wmma` or of AMD's instructions for matrices; None for any other."""
    name, args = expr.name, expr.args
    if name.startswith(_BUILTIN) and MATRIX_BUILTIN.match(name):
        return _builtin(machine, args, 4 if _SIGNS in name else 2)
    if name == _APPLY:
        return _applied(machine, expr)
    if not is_of_matrix(name):
        return None
    fragment = _fragment(machine, args[1 if name == _STORE else 0]) if len(args) > 1 else None
    if fragment is None:
        return None
    _check_sharing(machine, expr, fragment)
    lanes = range(fragment.lanes)
    if name == _STORE:
        values = _registers(machine, args[1])
        rows = _rows(machine, args[0], args[2] if len(args) > 2 else None)
        for lane, value in zip(lanes, values, strict=False):
            store(machine, _place_in_memory(machine, rows, fragment, lane), value)
        return machine.undefined
    if name == _FILL:
        elements = tuple([scalar(machine, machine.evaluate(args[1]))] * fragment.lanes)
    elif name == _LOAD:
        elements = _loaded(machine, args, fragment)
    else:
        elements = _products(machine, args, fragment)
    target = place_of(machine, args[0])
    if isinstance(target, Place):
        assign(machine, target, elements)
    return machine.undefined


def _applied(machine: Machine, expr: Call) -> Value | None:
    """`joint_matrix_apply(group, a, b, [=](float& x, float& y) { x *= y; })`: the call for each element of a thread."""
    if len(expr.args) < 3:
        return None
    _, *matrices, function = expr.args
    fragments = [fragment for arg in matrices if (fragment := _fragment(machine, arg)) is not None]
    if len(fragments) != len(matrices):
        return None
    members = [Member(expr.span, arg, "x", arrow=False) for arg in matrices]
    for lane in range(min(fragment.lanes for fragment in fragments)):
        elements = [Index(expr.span, matrix, Constant(expr.span, lane, "int")) for matrix in members]
        machine.evaluate(Call(expr.span, function, "", "", tuple(elements)))
    return machine.undefined


def _check_sharing(machine: Machine, expr: Call, fragment: Type) -> None:
    """Note a matrix whose share of a thread is known for other waves than those of this compiler."""
    if machine.compiler.matrix_wave != sharing(fragment):
        machine.unknown("type", expr.name, expr.span, _SHARE.format(expr.name, sharing(fragment)), "both")


_SHARE = "what `{}` gives a thread of a matrix is known for {} threads that share it"


def _builtin(machine: Machine, args: tuple[Expr, ...], at: int) -> Value | None:
    """`d = mfma(a, b, c, ...)`: as many registers as the argument has that is added to, each of all of the factors."""
    if len(args) <= at:
        return None
    values = [flat(machine.evaluate(arg)) for arg in args[: at + 1]]
    *factors, sums = values
    if len(sums) < 2:
        return None
    graph = machine.graph
    used = tuple(number for factor in factors for number in factor)
    machine.tally.operations += 1
    machine.tally.size += len(sums)
    return tuple(
        graph.pure(ops.lane_of(ops.ACCUMULATED, lane), (value, *used), graph.forms[value])
        for lane, value in enumerate(sums)
    )


def _loaded(machine: Machine, args: tuple[Expr, ...], fragment: Type) -> tuple[int, ...]:
    """One read a register."""
    rows = _rows(machine, args[1], args[2] if len(args) > 2 else None)
    places = (_place_in_memory(machine, rows, fragment, lane) for lane in range(fragment.lanes))
    return tuple(load(machine, place, form_of(fragment)) for place in places)


def _products(machine: Machine, args: tuple[Expr, ...], fragment: Type) -> tuple[int, ...]:
    """The addend, and all of both factors: every register of the result depends on them."""
    graph = machine.graph
    factors = tuple(number for arg in args[1:3] for number in _registers(machine, arg))
    sums = _registers(machine, args[3]) if len(args) > 3 else []
    machine.tally.operations += 1
    machine.tally.size += fragment.lanes
    sums_in = ops.ACCUMULATED if sharing(fragment) == 64 else "mma"  # CDNA adds up in registers of their own
    return tuple(
        graph.pure(ops.lane_of(sums_in, lane), (*sums[lane : lane + 1], *factors), form_of(fragment))
        for lane in range(fragment.lanes)
    )


def _registers(machine: Machine, arg: Expr) -> list[int]:
    return flat(machine.evaluate(arg))


def _fragment(machine: Machine, arg: Expr) -> Type | None:
    type_ = machine.type_of(arg)
    return type_ if type_ is not None and not type_.pointers and is_fragment(type_) else None


def _rows(machine: Machine, pointer: Expr, pitch: Expr | None) -> tuple[int, int]:
    """Where a matrix begins, and how far a thread's row is from there: the pitch, for each row."""
    graph = machine.graph
    base = scalar(machine, machine.evaluate(pointer))
    row = graph.source(("lane of", "wmma"), INT, divergent=True)
    step = scalar(machine, machine.evaluate(pitch)) if pitch is not None else graph.constant(1)
    return base, graph.pure(ops.MULTIPLY, (row, step), made_form(1, SIGNED))


def _place_in_memory(machine: Machine, rows: tuple[int, int], type_: Type, lane: int) -> Memory:
    """Where one of a thread's registers of a matrix lies: all of them near one another."""
    base, index = rows
    space = machine.memory.spaces.get(base, "global")
    word = type_._replace(lanes=1, size=form_of(type_).width * 4)
    return element(machine, base, index, word, space, offset=lane * _LANE)


# Collective operations of CUB, hipCUB and cooperative groups: what a thread brings along is alive in them, with what
# the algorithm needs.
#
# `BlockRadixSort<unsigned, 128, 16>(storage).Sort(keys)`: the algorithm is thousands of lines in the library, which
# are not executed here. Its own registers are those that nvcc 13.0.88 gave small kernels on sm_90, in addition to the
# kernel's without it: sums 3 to 6, scans 15 to 18, sorts 24 and another four for each item, moves through shared
# memory 4 to 12 and one for each item, differences and flags between neighbours at most 2. Sums of values of up to
# eight bytes are that wherever they stand (of 26 kernels of HeCBench on sm_90 and gfx90a, 24 in the narrow band). The
# others have several algorithms, and an entry in the ledger says so, which widens the band. `cg::reduce(warp, x, op)`
# is its shuffles: what a thread holds around it is all it takes (nvcc 13.0.88: 12 and 14 registers where the kernel
# without has 12, 40 for twelve sums of doubles).


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
# Its instructions in PTX, about, which count where a loop around is unrolled or not: nvcc 13.0.88 makes two copies of a
# scan of one word or two and of a sort, not four; of a sum, whose 40 are left out, it makes eight.
_SIZE = {_SCAN: 66, _SORT: 120}
_SIZE_OF_AN_ITEM = {_SCAN: 2, _SORT: 27}
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
    items, arguments = _given(machine, expr.args)
    most = max((len(places_of) for places_of in items), default=1)
    extra = _OWN[kind] + _AN_ITEM[kind] * most
    operands = tuple(dict.fromkeys(arguments)) or (machine.undefined,)
    form = machine.graph.form(arguments[0]) if arguments else form_of(None)
    type_ = machine.type_of(expr.args[0])
    size = 4 * form.width if type_ is None or type_.size is None else type_.size
    if kind != _SUM or not arguments or size > _MOST_BYTES:
        machine.tally.unresolved += 1
        machine.unknown("callee", expr.name, expr.span, _TEXT.format(expr.name, kind), "both")
    machine.memory.fenced("shared")
    machine.tally.size += (_SIZE.get(kind, 0) + _SIZE_OF_AN_ITEM.get(kind, 0) * most) * max(size // 4, 1)
    result = machine.effect(ops.CONVERGENT, operands, form, divergent=True, extra=extra)
    machine.new_block(straight=True)
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


def _of_group(machine: Machine, expr: Expr) -> Value:
    value = machine.evaluate(expr)
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
            elements = [Place(value.variable, (at,)) for at in range(min(count, _MOST_ITEMS))]
            if len(value.variable.dims) == 1:
                places.append(elements)
                values += [scalar(machine, part(machine, place, value.variable.type)) for place in elements]
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


# Results of a kernel in its reference parameters: reducers of SYCL, results of `parallel_reduce`.


def combine_results(machine: Machine, function: Function) -> None:
    """Hand what the parameters that are references hold at the end on to the other threads: the layer that launches the
    kernel combines it across lanes, so that it is no dead value.
    """
    for parameter in function.parameters:
        written = parameter.type.reference and not parameter.type.const
        value = machine.variables.get(parameter) if written else None
        if value is None or isinstance(value, (Memory, Place)):
            continue
        machine.graph.at = Name(parameter.span, parameter.name, parameter)
        for number in flat(value):
            if machine.graph.constants[number] is None:
                form = machine.graph.forms[number]
                machine.effect(ops.CONVERGENT, (number,), made_form(max(form.width, 1), form.kind), divergent=True)


def applied_to_parts(machine: Machine, expr: Call) -> Value | None:
    """`std::apply(f, tuple)`: the call with the members of the tuple; None for any other."""
    if expr.name != "apply" or len(expr.args) != 2 or expr.qualified.rpartition("::")[0] not in STANDARD:
        return None
    function, whole = expr.args
    type_ = machine.type_of(whole)
    parts = machine.file.parts_of(type_.name) if type_ is not None and type_.struct and not type_.pointers else None
    if type_ is None or not parts:
        return None
    if not isinstance(whole, Name):
        object_ = Variable("", type_, expr.span, expr.span)
        machine.variables[object_] = with_fields(machine, machine.evaluate(whole), type_)
        whole = Name(expr.span, "", object_)
    arguments: list[Expr] = []
    for part_ in parts:
        member_ = Member(expr.span, whole, part_.name, arrow=False)
        elements = range(prod(part_.dims) if part_.dims else 0)
        arguments += [Index(expr.span, member_, Constant(expr.span, at, "int")) for at in elements] or [member_]
    return machine.evaluate(Call(expr.span, function, "", "", tuple(arguments)))


_GOT = frozenset(("array", "pair", "tuple", "variant"))  # classes of which `get` names a member
_LANES = "xyzw"
_COMPLEX = {"real": "x", "imag": "y"}
_WHICH = "which"  # member of a variant
_ELEMENTS = "elements"  # of the stand-in's `array`


def named_part(machine: Machine, expr: Call) -> Expr | None:
    """The member or lane that a call names, each time the same node; None for any other call."""
    callee, nodes = expr.callee, machine.known.named_parts
    if expr.name == POINTED:
        return pointed_member(machine, expr)
    if expr.name in ("get", BOUND) and len(expr.args) == len(expr.template_args) == 1:
        at = argument_value(machine, expr.template_args[0], expr)
        if at is None:
            at = _position_of_type(machine, expr)
        if not isinstance(at, int):
            return None
        if (expr, machine.this, at) not in nodes:
            nodes[expr, machine.this, at] = _got(machine, expr, at)
        return nodes[expr, machine.this, at]
    if expr.name not in _COMPLEX or expr.args or not isinstance(callee, Member):
        return None
    key = (expr, machine.this, None)
    if key not in nodes:
        type_ = machine.type_of(callee.base)
        is_vector = type_ is not None and type_.lanes == 2 and not type_.struct
        nodes[key] = Member(expr.span, callee.base, _COMPLEX[expr.name], callee.arrow) if is_vector else None
    return nodes[key]


def _position_of_type(machine: Machine, expr: Call) -> int | None:
    """The member that `std::get<float>(t)` means: the only one of that type."""
    wanted, type_ = machine.file.type_of(expr.template_args[0]), machine.type_of(expr.args[0])
    if wanted is None or type_ is None or not type_.struct or class_name(type_.name) not in _GOT:
        return None
    parts = machine.file.parts_of(type_.name) or ()
    positions = [at for at, part_ in enumerate(parts) if part_.name != _WHICH and is_same(part_.type, wanted)]
    return positions[0] if len(positions) == 1 else None


def _got(machine: Machine, expr: Call, at: int) -> Expr | None:
    (whole,) = expr.args
    type_ = machine.type_of(whole)
    if expr.name == BOUND and type_ is not None and 1 < type_.lanes <= len(_LANES) and not type_.pointers:
        return Member(expr.span, whole, _LANES[at], arrow=False) if 0 <= at < type_.lanes else None
    if expr.name == BOUND and _is_row(whole, type_):
        return Index(expr.span, whole, Constant(expr.span, at, "int"))
    if type_ is None or not type_.struct or type_.pointers:
        return None
    kind = class_name(type_.name)
    if expr.name != BOUND and kind not in _GOT:
        return None
    if kind == "array":
        return Index(expr.span, Member(expr.span, whole, _ELEMENTS, arrow=False), Constant(expr.span, at, "int"))
    parts = machine.file.parts_of(type_.name) or ()
    return Member(expr.span, whole, parts[at].name, arrow=False) if 0 <= at < len(parts) else None


def _is_row(whole: Expr, type_: Type | None) -> bool:
    """True for an array, which may be behind a reference, and for a vector of the language."""
    if isinstance(whole, Name) and whole.variable is not None and whole.variable.type.reference:
        init = whole.variable.init
        if isinstance(init, Name) and init.variable is not None and init.variable.dims:
            return True
    return type_ is not None and (type_.decayed or type_.pointers > 0 or type_.lanes > 1)


def tied(machine: Machine, expr: Assign, value: Value) -> Iterator[tuple[Expr, Value, Type]]:
    """The objects that `std::tie(a, b) = value` writes, each with its new value and its type; none for another target.

    The ignored ones are left out.
    """
    target = expr.target
    if not isinstance(target, Call) or target.name != "tie" or not isinstance(value, Parts):
        return
    type_ = machine.type_of(expr.value)
    parts = machine.file.parts_of(type_.name) if type_ is not None and type_.struct else None
    if parts is None or len(parts) != len(target.args):
        return
    for arg, part_ in zip(target.args, parts, strict=True):
        if getattr(arg, "name", "").rpartition("::")[2] != "ignore":
            yield arg, member(machine, value, (part_.name,), part_.type), part_.type
