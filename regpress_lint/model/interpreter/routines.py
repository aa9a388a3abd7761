"""Calls that are not followed: library functions by their cost, vectors, atomics, textures, unknown functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.uncertainty import ANY_NUMBER
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.environment import with_values
from regpress_lint.cpp.syntax_tree import Assign, Call, Expr, Member, Name, Unary
from regpress_lint.cpp.types import builtin_type
from regpress_lint.model.graph import ops
from regpress_lint.model.graph.objects import Closure, Memory, Parts, Place, Value, flat, type_class
from regpress_lint.model.graph.values import BOOL, FLOAT, POINTER, SIGNED, UNSIGNED, Form, made_form
from regpress_lint.model.interpreter import arithmetic
from regpress_lint.model.interpreter.class_objects import aggregate, is_number, spelled
from regpress_lint.model.interpreter.implicit_calls import converted
from regpress_lint.model.interpreter.kept_calls import stays
from regpress_lint.model.interpreter.machine import MAX_INLINED, Machine
from regpress_lint.model.interpreter.member_calls import target_of
from regpress_lint.model.interpreter.memory import access_of, pointed, read
from regpress_lint.model.interpreter.object_writes import assign
from regpress_lint.model.interpreter.private_objects import coerced, scalar
from regpress_lint.model.interpreter.value_forms import form_of, lane_forms
from regpress_lint.targets.builtins import COOPERATIVE_GROUPS, MIXING, PREFIX, THREAD_CALLS
from regpress_lint.targets.costs import COSTS, LOCAL_ATOMIC, SERVICES, by_constant, folded, library_key, routine_size
from regpress_lint.targets.library import PLAIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.cpp.syntax_tree import Type


_CLOCKS = frozenset(("clock", "clock64"))
_TEXTURES = ("tex1D", "tex2D", "tex3D", "surf1D", "surf2D", "surf3D")
_CONVERGENT = tuple("__shfl __ballot __any __all __match __activemask __reduce shfl SHFL WARP_SHFL".split())
_VOTES = frozenset(("any", "all", "ballot", "match_any", "match_all"))  # members of a group of threads
_ATOMICS = ("atomic", "unsafeAtomic", "safeAtomic", "__hip_atomic_fetch", "__hip_atomic_exchange", "__atomic_fetch")
# Stores that say how long a cache is to hold them.
_STREAMED = frozenset(("__builtin_nontemporal_store", "__stwb", "__stcg", "__stcs", "__stwt"))
_CACHED_READS = ("__ldg", "__ldc", "__builtin_nontemporal_load")
_GROUP_QUERIES = frozenset(("size", "num_threads", "thread_rank", "meta_group_size", "meta_group_rank", "group_index"))
_WORD, _WIDE = 4, 8  # bytes of variadic arguments
_NOT_IN_VIEW = "{} is not visible and counts as a call; its header (-I) or a build folder (-p) would tell what it takes"
_NOTHING = frozenset(("ignore_unused",))  # AMReX' and Boost's word for a parameter that is not used
# Block reads and writes of a sub-group and the pointers that they take: instructions, not algorithms.
_SYCL_ACCESSES = frozenset(
    "load store multi_ptr global_ptr local_ptr get_multi_ptr address_space_cast get_pointer prefetch".split()
)
_ATOMIC_MEMBERS = ("fetch_", "exchange", "compare_exchange_")
# A toolkit's own functions are calls of a usual size. Those of random numbers are not: nvcc 13.0 with cuRAND 10.4 takes
# up to 21 registers more for `curand_init` and `curand_poisson` than the call alone, and 48 bytes for some states.
_OF_TOOLKITS = ("__",)
_OF_RANDOM, _RANDOM_REGISTERS = ("curand", "hiprand", "rocrand"), 24
_TOO_DEEP = f"{{}} stands inside of {MAX_INLINED} other functions, deeper than is followed, and counts as a call"
_ENDLESS = "{} calls itself, nothing visible says how often, and it counts as a call"
_LITERAL_MACROS = frozenset(("BIG_CONSTANT", *(f"{sign}INT{bits}_C" for sign in ("U", "") for bits in (8, 16, 32, 64))))
# Operations that a library's algorithm is handed, `cg::plus<int>()`, `cub::Max{}`; memory that waits for an object.
_EMPTY_OBJECTS = frozenset(
    (
        *("plus", "minus", "multiplies", "less", "greater", "equal_to", "minimum", "maximum", "identity"),
        *("bit_and", "bit_or", "bit_xor", "logical_and", "logical_or"),
        *("Sum", "Max", "Min", "Difference", "Equality", "ArgMin", "ArgMax", "Alias"),
    )
)


def routine(machine: Machine, expr: Call) -> Value:
    """A function without a known definition."""
    name, args, callee = expr.name, expr.args, expr.callee
    if name.startswith("make_"):
        return _vector(machine, expr)
    if name.startswith(_ATOMICS) or "Atomic::" in expr.qualified:
        return _atomic(machine, expr)
    if name in _STREAMED and len(args) == 2:
        value, pointer = args if name == "__builtin_nontemporal_store" else args[::-1]
        return machine.evaluate(Assign(expr.span, "=", Unary(pointer.span, "*", pointer), value))
    if name.startswith(_CACHED_READS) and args:
        return _cached_read(machine, expr)
    if name.startswith(_TEXTURES):
        return _texture(machine, expr)
    if name == "HIP_DYNAMIC_SHARED" or name in COOPERATIVE_GROUPS or name in _NOTHING:
        return machine.undefined
    if isinstance(callee, Member) and name in _GROUP_QUERIES and not args:
        return machine.graph.source(("group", name), made_form(1, UNSIGNED), divergent="rank" in name)
    if name in _EMPTY_OBJECTS and not args and machine.file.type_of(spelled(expr)) is None:
        return machine.undefined
    if name in _LITERAL_MACROS and args:
        return machine.evaluate(args[0])
    from regpress_lint.model.interpreter.byte_copies import copied

    moved = copied(machine, expr)
    if moved is None:
        from regpress_lint.model.interpreter.library_calls import matrix_call

        moved = matrix_call(machine, expr)
    if moved is None and callee.__class__ is Name:
        moved = _of_type(machine, expr)
    return moved if moved is not None else _opaque(machine, expr)


def _of_type(machine: Machine, expr: Call) -> Value | None:
    """`float(x)`, `int3(x, y, z)` and `Row{x, y}`: a value of the type that is called; None for a function."""
    args, type_ = expr.args, machine.file.type_of(expr.qualified) if len(expr.args) <= 1 else None
    if type_ is not None and type_.size is not None and not type_.struct and type_.lanes == 1:
        value = machine.evaluate(args[0]) if args else machine.graph.constant(0)
        return coerced(machine, value if isinstance(value, int) else scalar(machine, value), type_)
    type_ = machine.file.type_of(with_values(spelled(expr), machine.constants))
    if type_ is None:
        return None
    if type_.lanes > 1 and not type_.struct:
        return _vector(machine, expr) if args else (machine.graph.constant(0),) * type_.lanes
    return aggregate(machine, expr, type_) if type_.struct else None


def _vector(machine: Machine, expr: Call) -> Value:
    lanes: list[int] = []
    for arg in expr.args:
        value = machine.evaluate(arg)
        lanes += list(value) if isinstance(value, tuple) else [scalar(machine, value)]
    type_ = machine.type_of(expr)
    if type_ is None or type_.lanes == 1:
        return tuple(lanes) if len(lanes) > 1 else lanes[0] if lanes else machine.undefined
    if type_.name.endswith("dim3"):
        lanes += [machine.graph.constant(1)] * (type_.lanes - len(lanes))
    lanes = (lanes * type_.lanes if len(lanes) == 1 else lanes)[: type_.lanes]
    forms = zip(lanes, lane_forms(type_), strict=False)
    return tuple(arithmetic.convert(machine.graph, lane, form) for lane, form in forms)


def _atomic(machine: Machine, expr: Call) -> Value:
    operands = [machine.evaluate(arg) for arg in expr.args]
    address = scalar(machine, operands[0]) if operands else machine.undefined
    values = [scalar(machine, value) for value in operands[1:]]
    form = form_of(machine.type_of(expr))
    type_ = machine.type_of(expr)
    space = machine.memory.spaces.get(address, "global")
    access = access_of(machine, space, machine.memory.roots.get(address), type_)
    result = machine.effect(ops.atomic(access.space), (address, *values), form, divergent=True)
    machine.memory.accesses[result] = access
    machine.memory.written(access)
    if access.space == "shared" and type_class(type_) == "f8" and LOCAL_ATOMIC in COSTS[machine.vendor]:
        machine.tally.libraries.append(LOCAL_ATOMIC)
    return result


def _cached_read(machine: Machine, expr: Call) -> Value:
    pointer = machine.evaluate(expr.args[0])
    if isinstance(pointer, Place):
        return machine.undefined
    memory = pointed(machine, scalar(machine, pointer), machine.type_of(expr))
    return read(machine, Memory(memory.address, memory.offset, "constant", memory.type))


def _texture(machine: Machine, expr: Call) -> Value:
    """A read of a texture or a surface, also `surf2Dread(&v, surface, x, y)`, or a write of a surface."""
    if expr.name.startswith("surf") and expr.name.endswith("write"):
        machine.effect(ops.store("global"), _operands(machine, expr.args))
        return machine.undefined
    first = expr.args[0] if expr.args else None
    target = machine.evaluate(first) if isinstance(first, Unary) and first.op == "&" else None
    operands = _operands(machine, expr.args if target is None else expr.args[1:])
    type_ = machine.type_of(first.operand if target is not None and isinstance(first, Unary) else expr)
    type_ = type_ or _texel(machine, expr)
    lanes = type_.lanes if type_ is not None else 1
    form = made_form(max(form_of(type_).width, 1), FLOAT)
    values = tuple([machine.effect(ops.LOAD_TEXTURE, operands, form, divergent=True) for _ in range(lanes)])
    value: Value = values if lanes > 1 else values[0]
    if isinstance(target, Place):
        assign(machine, target, value)
    return value


_OF_TEXTURE = pattern(r"texture\s*<\s*([\w:]+)")


def _texel(machine: Machine, expr: Call) -> Type | None:
    """The type that `tex2D<float4>(t, x, y)` says, or `texture<float4, 2> t`."""
    type_ = machine.type_of(expr.args[0]) if expr.args else None
    match = _OF_TEXTURE.match(type_.name) if type_ is not None else None
    name = match[1] if match is not None else next(iter(expr.template_args), None)
    return machine.file.type_of(name) if name is not None else None


def _operands(machine: Machine, args: Sequence[Expr]) -> tuple[int, ...]:
    values = (machine.evaluate(arg) for arg in args)
    return tuple([number for value in values for number in (flat(value) or [scalar(machine, value)])])


def _lanewise(machine: Machine, expr: Call, type_: Type) -> Value | None:
    """A function of vectors that works on each lane by itself; None if it also receives a pointer."""
    name, graph = expr.name, machine.graph
    key = library_key(name, _widest(machine, expr))
    builtin = name.startswith(PREFIX) and name[len(PREFIX) :] not in MIXING
    if key in SERVICES or not (key is not None or builtin or name in PLAIN or expr.qualified.startswith("sycl::__")):
        return None
    if name.startswith(_CONVERGENT) or any(_points(machine, arg) for arg in expr.args):
        return None
    arguments = [machine.evaluate(arg) for arg in expr.args]
    form, lanes = form_of(type_), []
    for lane in range(type_.lanes):
        numbers = tuple(
            (value[min(lane, len(value) - 1)] if isinstance(value, tuple) and value else scalar(machine, value))
            for value in arguments
        )
        constants = [graph.constants[number] for number in numbers]
        own_key = by_constant(key, constants) if key is not None else None
        extra, ended, operands = 0, False, numbers
        if own_key is not None and any(constant is None for constant in constants):
            extra = _price(machine, own_key)
            operands, ended = _first_part(machine, name, own_key, numbers, form, extra)
        machine.tally.operations += 1
        machine.tally.size += routine_size(name, own_key, machine.vendor) or 1
        result = graph.pure(ops.ended(name) if ended else ops.routine(name), operands, form, extra)
        if own_key is not None:
            machine.note_routine(result, own_key, of_loop=ended)
        lanes.append(result)
    return tuple(lanes)


def _price(machine: Machine, key: str) -> int:
    """Registers of a routine."""
    cost = COSTS[machine.vendor][key]
    return cost.in_loop if machine.compiler.one_scalar_operand and machine.loop_region() is not None else cost.once


def _first_part(
    machine: Machine, name: str, key: str, operands: tuple[int, ...], form: Form, extra: int
) -> tuple[tuple[int, ...], bool]:
    """The operands of a routine's last part, and whether that is not all of it: what several calls begin alike is
    worked out once.
    """
    machine.tally.libraries.append(key)
    begun = COSTS[machine.vendor][key].begun
    if not begun or any(map(stays, machine.active)):  # what is called is done before the next call
        return operands, False
    first = _begun(machine, name, operands, made_form(begun, form.kind), extra)
    machine.note_routine(first, key, of_loop=True)
    return (first,), True


def _points(machine: Machine, arg: Expr) -> bool:
    if isinstance(arg, Unary) and arg.op == "&":
        return True
    type_ = machine.type_of(arg)
    return type_ is not None and (type_.pointers > 0 or type_.struct)


def _opaque(machine: Machine, expr: Call) -> Value:
    """A call of a function that is not inlined: its result, and the writes through its arguments."""
    from regpress_lint.model.interpreter.unseen_calls import further, results_of, written

    name, graph = expr.name, machine.graph
    if (lanes := _by_lanes(machine, expr)) is not None:
        return lanes
    operands, outputs, private = operands_of(machine, expr)
    operands, pointers = results_of(machine, name, operands, private)
    if (where := _place_of_thread(machine, name, operands)) is not None:
        return where
    known = [graph.constants[operand] for operand in operands]
    key = library_key(name, _widest(machine, expr))
    key = by_constant(key, known) if key is not None else None
    form = _result_form(machine, expr, operands, key)
    constant = bool(known) and None not in known
    number = evaluate(expr, machine.environment) if constant else None
    if constant and number is None:
        number = folded(name, known)
    if number is not None:
        return graph.constant(number, form)
    extra, ended = 0, False
    if key is not None and (key in SERVICES or not constant):  # a compiler works out the sine of a constant
        extra = _price(machine, key)
        if key in SERVICES:
            if key == "assert" and (machine.file.macro("NDEBUG") is not None or _holds(machine, operands)):
                return machine.undefined
            return service(machine, key, operands, _variadic_bytes(machine, expr.args[1:]), extra)
        operands, ended = _first_part(machine, name, key, operands, form, extra)
    elif name.startswith(_CONVERGENT) or (name in _VOTES and isinstance(expr.callee, Member)):
        shuffles = name.startswith("__shfl")
        extra = COSTS[machine.vendor]["shuffle"].once if shuffles else 0
        sent = operands[1:2] if name.endswith("_sync") else operands[:1]
        same = graph.constants[sent[0]] if shuffles and sent else None
        if same is not None:  # each lane has it
            return graph.constant(same, form)
        return machine.effect(ops.CONVERGENT, operands, form, divergent=True, extra=extra)
    type_ = machine.type_of(expr)
    result = _result(machine, expr, operands, form, type_, key, extra, ended=ended)
    for position, place in enumerate(outputs):
        out = made_form(2 if place.variable.type.size == 8 else 1, form.kind)
        assign(machine, place, further(machine, name, position, operands, out, extra, key if ended else None))
    for position, pointer in enumerate(pointers, len(outputs)):
        output = further(machine, name, position, operands, form, extra, key if ended else None)
        written(machine, pointer, output, _widest(machine, expr))
    if type_ is not None and type_.struct and not type_.pointers and isinstance(result, int):
        return Parts(None, {("",): result})
    return result


def _by_lanes(machine: Machine, expr: Call) -> Value | None:
    """A function of vectors, lane by lane; None for any other."""
    type_ = machine.type_of(expr) if expr.args else None
    if type_ is None or type_.lanes <= 1 or type_.pointers or type_.struct:
        return None
    return _lanewise(machine, expr, type_)


def _place_of_thread(machine: Machine, name: str, operands: tuple[int, ...]) -> int | None:
    """The value of a function that tells a thread where it is; None for any other."""
    graph = machine.graph
    key = (name, *(graph.constants[operand] for operand in operands))
    if (bits := THREAD_CALLS.get(name)) is not None:
        thread = graph.source(key, made_form(1, UNSIGNED), divergent=True)
        graph.limits[thread] = (1 << bits) - 1
        return thread
    if not name.startswith("get_") and name not in ("thread_rank", "thread_index"):
        return None
    uniform = "group" in name or "range" in name
    held = machine.compiler.scalar_registers or not uniform
    return graph.source((name, key[1:]), made_form(2, UNSIGNED), divergent=not uniform, held=held)


def _result(
    machine: Machine,
    expr: Call,
    operands: tuple[int, ...],
    form: Form,
    type_: Type | None,
    key: str | None,
    extra: int,
    *,
    ended: bool,
) -> Value:
    """The result of a call: of a known function a value of its operands, of any other whatever it read."""
    name = expr.name
    is_known = key is not None or name in PLAIN or name in _CLOCKS or name.startswith("__")
    if not is_known and is_number(type_):
        # A function with the name of one of OpenCL's that is handed a pointer is a program's own, `step(p, i)`.
        is_known = machine.file.language not in ("cuda", "hip") or not any(_points(machine, arg) for arg in expr.args)
    if not is_known:
        machine.tally.unresolved += 1
        _note_callee(machine, expr)
        return machine.effect(ops.CALL, operands, form, divergent=True)
    machine.tally.size += routine_size(name, key, machine.vendor) or 1
    result = _pure_call(machine, name, operands, form, type_, extra, ended)
    if key is not None:
        for number in (result,) if isinstance(result, int) else result if isinstance(result, tuple) else ():
            machine.note_routine(number, key, of_loop=ended)
    return result


def _note_callee(machine: Machine, expr: Call) -> None:
    """A call that stays one. A copy of a run-time number of bytes is one for compilers;
    members of atomic references are instructions.
    """
    from regpress_lint.model.interpreter.byte_copies import COPIES

    name = expr.name
    if name in COPIES or name.startswith(_ATOMIC_MEMBERS):
        return
    if name in _SYCL_ACCESSES and machine.file.language == "sycl":
        return
    text = _NOT_IN_VIEW
    if target_of(machine, expr)[0] is not None:
        text = _TOO_DEEP if machine.is_deep else _ENDLESS
    shown = text.format(f"`{name}`" if name else "what is called here")
    if text == _ENDLESS or name.startswith(_OF_TOOLKITS):
        machine.unknown("callee", name, expr.span, shown, "both")
    elif name.startswith(_OF_RANDOM):
        machine.unknown("callee", name, expr.span, shown, "up", _RANDOM_REGISTERS)
    else:
        machine.unknown("callee", name, expr.span, shown, "both", ANY_NUMBER)


def _begun(machine: Machine, name: str, operands: tuple[int, ...], form: Form, extra: int) -> int:
    """The first part of a routine that branches: it stays where the call is, and reads do not move across.

    clang for AMD sinks the second part, arithmetic alone, to where the result is used: behind all the others of a sum.
    """
    key = (name, operands, machine.region)
    if key not in machine.begun:
        machine.begun[key] = machine.effect(ops.begun(name), operands, form, extra=extra)
        machine.new_block()
    return machine.begun[key]


def _variadic_bytes(machine: Machine, args: Sequence[Expr]) -> int:
    """Bytes that the arguments of a `printf` take one after the other, as C passes them: small ones as words, a `float`
    as a `double`.
    """
    end = 0
    for arg in args:
        type_ = machine.type_of(arg)
        word = type_ is not None and not type_.pointers and not type_.floating and (type_.size or _WIDE) <= _WORD
        size = _WORD if word else _WIDE
        end = -(-end // size) * size + size
    return -(-end // _WIDE) * _WIDE


def service(machine: Machine, key: str, operands: tuple[int, ...], handed: int, extra: int) -> int:
    """A routine of the run-time system, with so many bytes of arguments behind the first; its value where it gives
    memory.
    """
    machine.tally.services.append((key, handed))
    gives = key == "malloc"
    result = machine.effect(
        ops.service(key), operands, made_form(2, POINTER) if gives else BOOL, divergent=gives, extra=extra
    )
    machine.memory.fenced("global")
    return result if gives else machine.undefined


def _holds(machine: Machine, operands: tuple[int, ...]) -> bool:
    """True for the condition of an assertion that is known to hold."""
    return bool(operands and machine.graph.constants[operands[0]])


def _pure_call(
    machine: Machine, name: str, operands: tuple[int, ...], form: Form, type_: Type | None, extra: int, ended: bool
) -> Value:
    graph = machine.graph
    machine.tally.operations += 1
    if type_ is not None and type_.lanes > 1 and not type_.pointers:
        return tuple(graph.pure(ops.lane_of(name, lane), operands, form, extra) for lane in range(type_.lanes))
    return graph.pure(ops.ended(name) if ended else ops.routine(name), operands, form, extra)


def _widest(machine: Machine, expr: Call) -> Type | None:
    """Type of the widest argument: it decides which version of a math function is meant."""
    types = [type_ for arg in expr.args if (type_ := machine.type_of(arg)) is not None]
    if expr.name == "pow" and machine.compiler.promotes_exponents and machine.file.language in ("cuda", "hip"):
        whole = [not (type_.floating or type_.pointers or type_.struct) for type_ in types]
        if whole == [False, True]:
            return builtin_type("double")
    return max((_of_lane(type_) for type_ in types), key=lambda type_: type_.size or 0, default=None)


def _of_lane(type_: Type) -> Type:
    """The type of a vector's lane; any other type itself."""
    if type_.lanes < 2 or type_.struct or type_.pointers or not type_.size:
        return type_
    stored = 4 if type_.lanes == 3 and type_.size % 3 else type_.lanes
    return type_._replace(size=type_.size // stored, lanes=1)


def _result_form(machine: Machine, expr: Call, operands: tuple[int, ...], key: str | None) -> Form:
    if (type_ := machine.type_of(expr)) is not None:
        form = form_of(type_)
        return form if form.width else made_form(1, UNSIGNED)
    graph = machine.graph
    if key is not None:
        return made_form(2 if key.endswith(":d") else 1, FLOAT)
    width = max((graph.forms[operand].width for operand in operands), default=1) or 1
    kind = graph.kinds[operands[0]] if operands else FLOAT
    return made_form(width, kind if kind in (FLOAT, SIGNED, UNSIGNED) else SIGNED)


def operands_of(machine: Machine, expr: Call) -> tuple[tuple[int, ...], list[Place], set[int]]:
    """Single values of all arguments, the private objects whose address the function is given, and the values that
    stand for such objects.
    """
    operands: list[int] = []
    private: set[int] = set()
    outputs: list[Place] = []
    for arg in expr.args:
        value = machine.evaluate(arg)
        if isinstance(value, Parts):
            value = converted(machine, arg, value, None)
        if isinstance(value, Place):
            machine.arrays.handed_on.add(value.variable)
            operands.append(scalar(machine, value))
            private.add(operands[-1])
            if isinstance(arg, Unary) and arg.op == "&" and not value.variable.dims:
                outputs.append(value)
        elif not isinstance(value, Closure):
            operands += flat(value) or [scalar(machine, value)]
    if isinstance(expr.callee, Member):
        base = machine.evaluate(expr.callee.base)
        operands += flat(base)
    return tuple(operands), outputs, private
