"""Private memory other than arrays: that of library calls, prints and `volatile` variables, and spills."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.uncertainty import Unknown
from regpress_lint.cpp.syntax_tree import Call, Index, Member, Name, Unary
from regpress_lint.model.passes.indexed_objects import stays_in_place
from regpress_lint.model.passes.nvidia_arrays import crowding
from regpress_lint.targets.costs import COSTS, SLOW_PATH_BYTES, framed, reductions
from regpress_lint.targets.occupancy.quantities import align_up

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from regpress_lint.cpp.syntax_tree import Expr, Function, Variable
    from regpress_lint.model.graph.objects import Indexed
    from regpress_lint.model.passes.trace import Execution
    from regpress_lint.source.arrays import PrivateArray
    from regpress_lint.source.cfg import Flow
    from regpress_lint.targets.compilers.traits import Compiler


FrameKind = Literal[
    "array", "crowded", "object", "elsewhere", "handed", "volatile", "stack", "slow-path", "service", "library"
]
_WORD, _ALIGNED = 4, 8
_LARGE_ARRAY = 16  # bytes, from which clang aligns an array to as many (`TargetInfo::getLargeArrayAlign` of x86-64)
_STACK = 16  # to which a frame is aligned that a call begins behind
_BY_VALUE = 64  # bytes of a struct that goes to a function of another program unit without a place
_HANDED = 8  # bytes that lie beside one on the stack
_PRESSED = range(6, 20)
MOST_BESIDE_SLOW_PATH = 24  # registers alive in a kernel with one slow path alone that may have a frame for it


class Frame(NamedTuple):
    """Something that a thread has in private memory. bytes: before the frame is rounded up. variable: what it is, None
    for library calls and structs on their way; keys: the calls that share it, of `costs.COSTS`. align: where in a frame
    it may begin. called: the functions that are not inlined and whose frame it is in, the outermost first.

    kind: "array", indexed at run time or with its address taken; "crowded", for which there is no room beside others;
    "object", a struct of which a part is picked at run time; "elsewhere", what a pointer leads to that may also lead
    out of the thread's own objects; "handed", by address to a function that is not inlined;
    "volatile"; "stack", structs passed on the stack; "slow-path", of single-precision sines; "service", prints and
    allocations; "library".
    """

    kind: FrameKind
    bytes: int
    variable: Variable | None = None
    keys: tuple[str, ...] = ()
    align: int = _WORD
    called: tuple[str, ...] = ()


def frames(
    arrays: Iterable[PrivateArray],
    flows: Iterable[Flow],
    execution: Execution,
    compiler: Compiler,
    crowded: Iterable[PrivateArray],
    is_linked: Callable[[str], bool],
) -> tuple[Frame, ...]:
    """The private memory of a thread: arrays that do not stay in registers, those for which there is no room in them,
    and everything else with a frame.
    """
    flows, most = tuple(flows), compiler.promoted_bytes()
    parts = [
        Frame(_kind(array, execution), array.bytes or 0, array.variable, align=_array_alignment(array))
        for array in arrays
        if not array.stays_in_registers(compiler.vendor)
    ]
    parts += [
        Frame("crowded", array.bytes or 0, array.variable, align=_array_alignment(array))
        for array in crowded
        if (array.bytes or 0) > most
    ]
    objects = {accesses[0].variable: accesses for accesses in objects_in_memory(execution, compiler, copies(flows))}
    passed = handed(flows, is_linked)
    for variable, (first, *more) in objects.items():
        align = _STACK if variable in passed else _WORD if first.words else _alignment(first.bytes or 0)
        kind: FrameKind = "elsewhere" if any(access.elsewhere for access in (first, *more)) else "object"
        parts.append(Frame(kind, first.bytes or 0, variable, align=align))
    parts += _handed_frames({one: linked for one, linked in passed.items() if one not in objects}, compiler)
    parts += kept_volatile(flows, execution, compiler)
    around = execution.notes.called
    parts = [
        part._replace(called=around.get((part.variable.name, part.variable.span.start), ())) if part.variable else part
        for part in parts
    ]
    parts.append(Frame("stack", stack_bytes(flows, compiler), align=_STACK))
    return tuple(frame for frame in (*parts, *library_frames(execution, compiler)) if frame.bytes)


def _kind(array: PrivateArray, execution: Execution) -> FrameKind:
    """What keeps an array in memory: a pointer that may lead elsewhere; else its indices, where it has any that are no
    constants; else `volatile`.
    """
    if "elsewhere" in execution.notes.reached.get(array.variable, ()):
        return "elsewhere"
    return "volatile" if array.variable.volatile_span is not None and not array.dynamic else "array"


def scratch_bytes(owned: Iterable[Frame], compiler: Compiler) -> int:
    """Bytes of private memory per thread: the kernel's frame, and behind it that of the functions it calls which takes
    most; with those of library calls.
    """
    owned = tuple(owned)
    by_call: dict[tuple[str, ...], list[Frame]] = {(): []}
    for frame in owned:
        if not frame.keys:
            for depth in range(len(frame.called)):
                by_call.setdefault(frame.called[: depth + 1], [])
            by_call.setdefault(frame.called, []).append(frame)
    deepest = dict.fromkeys(by_call, 0)
    for called in sorted(by_call, key=len, reverse=True):
        deepest[called] += _frame_bytes(by_call[called], compiler)
        if called:
            deepest[called[:-1]] = max(deepest[called[:-1]], deepest[called])
    return deepest[()] + sum(frame.bytes for frame in owned if frame.keys)


def _frame_bytes(frames_of: Sequence[Frame], compiler: Compiler) -> int:
    """Bytes of one function's frame: its objects as they are declared, each where its alignment lets it begin."""
    end, largest = 0, compiler.frame_unit
    for frame in sorted(frames_of, key=lambda frame: frame.variable.span.start if frame.variable else 0):
        end = align_up(end, min(frame.align, compiler.most_aligned)) + frame.bytes
        largest = max(largest, min(frame.align, compiler.most_aligned))
    if frames_of:
        end = align_up(end + compiler.frame_slot, largest)
    return end


def _array_alignment(array: PrivateArray) -> int:
    return _LARGE_ARRAY if (array.bytes or 0) >= _LARGE_ARRAY else _alignment(array.element_bytes or 0)


def _alignment(size: int) -> int:
    """Alignment in bytes of a variable of this size, which may be a `double` or a vector."""
    return next((unit for unit in (_ALIGNED, _WORD, 2) if size and size % unit == 0), 1)


def spilled_bytes(registers: int, budget: int) -> int:
    """Bytes of the registers that a thread needs beyond those that it may have."""
    words = max(0, registers - budget)
    return -(-words * _WORD // _ALIGNED) * _ALIGNED


def library_frames(execution: Execution, compiler: Compiler) -> Iterator[Frame]:
    """Frames of library calls and prints: one per kind, which all calls of the kind share.

    It counts executed calls: copies of unrolled loops, macros and member functions, and no call of a constant; of a
    kernel that is too large, what was executed until then.
    """
    costs = COSTS[compiler.vendor]
    libraries = tuple(dict.fromkeys(execution.libraries))
    services = tuple(dict.fromkeys(key for key, _ in execution.services))
    most = max((costs[key].scratch for key in (*libraries, *services)), default=0)
    if deepest := tuple(key for key in (*services, *libraries) if costs[key].scratch == most and most):
        yield Frame("service" if deepest[0] in services else "library", most, None, deepest)
    # One slow path alone is unrolled into registers; beside another frame or an array, or from two on, it has its own.
    # So it has where nvcc counts on too few registers for what is done with both results of one `sincosf`: of 110
    # kernels with one and no loop, 29 of 43 with that many instructions of floats have the frame, and 15 of the rest.
    slow = reductions(compiler.vendor, execution.libraries)
    if slow > 1 or (slow and (most or execution.in_memory)) or (slow and _is_rolled_up(execution)):
        yield Frame("slow-path", SLOW_PATH_BYTES, None, tuple(key for key in libraries if costs[key].slow_path))
    printed = max((handed for key, handed in execution.services if key == "printf"), default=0)
    if compiler.prints_from_memory and printed:
        yield Frame("service", printed, None, ("printf",))


def _is_rolled_up(execution: Execution) -> bool:
    return "sincos:f" in execution.libraries and not execution.loops and execution.sums in _PRESSED


def open_slow_path(kernel: Function, calls: Iterable[str], execution: Execution, compiler: Compiler) -> Unknown | None:
    """An entry for one slow path alone, which has a frame or none for one register more or less: of sums of three and
    four products with a sine it has one, with two and with six it has none (nvcc 13.0.88). None where it is settled.

    calls: names of functions that the kernel calls.
    """
    frames = tuple(library_frames(execution, compiler))
    if reductions(compiler.vendor, execution.libraries) != 1 or execution.in_memory:
        return None
    if any(frame.kind != "slow-path" for frame in frames):
        return None
    family = next(key for key in execution.libraries if COSTS[compiler.vendor][key].slow_path).partition(":")[0]
    name = next((called for called in calls if framed(called) == family), f"{family}f")
    text = (
        f"whether nvcc has the slow path of `{name}` in registers or in {SLOW_PATH_BYTES} bytes of local memory "
        "depends on a register more or less; `regpress-lint measure` would tell"
    )
    return Unknown("memory", name, kernel.path, kernel.name_span, text, "down" if frames else "up", 0)


def open_crowding(path: str, arrays: Sequence[PrivateArray], execution: Execution, held: int) -> Iterator[Unknown]:
    """Entries for arrays that ptxas may leave in memory for the waves that they cost, see `crowding`. arrays: those
    that have registers, so many that the kernel holds `held`.
    """
    named = {unknown.name for unknown in execution.unknowns if unknown.kind == "memory"}
    for array in crowding(arrays, held):
        variable = array.variable
        if variable.name not in named:
            text = (
                f"whether ptxas keeps `{variable.name}` in registers depends on the waves that it costs, because the "
                "kernel holds much besides; `regpress-lint measure` would tell"
            )
            yield Unknown("memory", variable.name, array.function.path or path, variable.span, text, "up", 0)


def kept_volatile(flows: Iterable[Flow], execution: Execution, compiler: Compiler) -> Iterator[Frame]:
    """`volatile` variables that are no arrays: clang 19 and IGC keep each in memory, an argument as well."""
    for variable in (variable for flow in flows for variable in flow.bits):
        if variable in execution.kept_volatile or (_is_kept(variable) and not compiler.drops_volatile):
            yield Frame("volatile", _bytes(variable), variable, align=_alignment(_bytes(variable)))


def _is_kept(variable: Variable) -> bool:
    own = variable.storage in ("local", "parameter")
    return own and variable.volatile_span is not None and not variable.dims and not variable.type.reference


def _bytes(variable: Variable) -> int:
    size = variable.type.size or _WORD
    return -(-size // _WORD) * _WORD


# ------------------------------------------------------------------------------------------------------- objects


def copies(flows: Iterable[Flow]) -> frozenset[Variable]:
    """Arguments of functions that are not inlined: an argument by value is a separate copy."""
    functions = (flow.function for flow in flows if "noinline" in flow.function.qualifiers)
    return frozenset(parameter for function in functions for parameter in function.parameters)


def stack_bytes(flows: Iterable[Flow], compiler: Compiler) -> int:
    """Bytes of structs that are passed on the stack, to a function that is not inlined or from it."""
    flows = tuple(flows)
    types = [variable.type for variable in copies(flows)]
    types += [flow.function.return_type for flow in _standing(flows) if flow.function.return_type is not None]
    sizes = ((type_.size or 0) for type_ in types if type_.struct and not (type_.pointers or type_.reference))
    return sum(size + _HANDED for size in sizes if size > compiler.handed_in_registers)


def _standing(flows: Iterable[Flow]) -> Iterator[Flow]:
    """Functions that are not inlined."""
    return (flow for flow in flows if "noinline" in flow.function.qualifiers)


def handed(flows: Iterable[Flow], is_linked: Callable[[str], bool]) -> dict[Variable, bool]:
    """Variables and structs of the kernel's own whose address a function gets that is not inlined, and whether one of
    another program unit does. Arrays are `PrivateArray.handed`. is_linked: whether a name is that of such a function.
    """
    flows = tuple(flows)
    standing = {flow.function.name: flow.function for flow in _standing(flows)}
    variables: dict[Variable, bool] = {}
    for call in (record.call for flow in flows for record in flow.calls):
        if call.name in standing:
            parameters = standing[call.name].parameters
            references = [parameter.type.reference for parameter in parameters]
        elif is_linked(call.name):
            references = [False] * len(call.args)
        else:
            continue
        linked = call.name not in standing
        for argument, is_reference in zip(call.args, references, strict=False):
            variable = _named(argument, linked=linked, is_reference=is_reference)
            if variable is not None and variable.storage == "local":
                variables[variable] = linked or variables.get(variable, False)
    for variable in (variable for flow in flows for variable in flow.declared):
        value = variable.init
        if isinstance(value, Call) and is_linked(value.name) and (variable.type.size or 0) > _BY_VALUE:
            variables[variable] = True
    return variables


def _named(argument: Expr, *, linked: bool, is_reference: bool) -> Variable | None:
    """The variable whose address an argument is. linked: of a function of which only the name is known: a struct that
    is larger than `_BY_VALUE` is in memory by value and by reference.
    """
    if isinstance(argument, Unary) and argument.op == "&":
        argument, is_reference = argument.operand, True
    while linked and isinstance(argument, Index | Member) and is_reference:
        if isinstance(argument, Member) and argument.arrow:
            return None
        argument = argument.base
    variable = argument.variable if isinstance(argument, Name) else None
    if variable is None or is_reference:
        return variable
    large = linked and variable.type.struct and (variable.type.size or 0) > _BY_VALUE and not variable.type.pointers
    return variable if large else None


def _handed_frames(variables: Mapping[Variable, bool], compiler: Compiler) -> Iterator[Frame]:
    """Places of variables whose address a call takes: every compiler gives them one, clang small ones in LDS, unless a
    function of another program unit may use that.
    """
    for variable, linked in variables.items():
        plain = not variable.dims and not variable.type.reference
        if plain and (linked or _bytes(variable) > compiler.promoted_bytes()):
            yield Frame("handed", _bytes(variable), variable, align=_STACK)


def objects_in_memory(execution: Execution, compiler: Compiler, own: Collection[Variable] = ()) -> list[list[Indexed]]:
    """By object, the run-time indices into structs, and into arrays in member functions, that stay whole in memory.

    A kernel's argument is read from where the launch put it; only a written object is a copy, and one in `own`. nvcc
    copies one of up to 128 bytes before it is indexed, if it is no `__grid_constant__`.
    """
    objects: dict[Variable, list[Indexed]] = {}
    for access in execution.indexed:
        objects.setdefault(access.variable, []).append(access)
    work, called = execution.beside.work, execution.notes.called
    return [
        accesses
        for variable, accesses in objects.items()
        if variable in own
        or (variable.name, variable.span.start) in called
        or not stays_in_place(accesses, compiler, work)
    ]


def copied_words(execution: Execution, compiler: Compiler) -> int:
    """Words of the arguments that are copied to private memory before they are indexed: at the start of the kernel all
    of them are on their way. nvcc 13.0.88 takes 20 registers for two reads of a struct of 40 bytes, 25 for one of 72.
    """
    first = (accesses[0] for accesses in objects_in_memory(execution, compiler))
    return sum((access.bytes or 0) // _WORD for access in first if access.variable.storage == "parameter")
