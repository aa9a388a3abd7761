"""Automatic arrays: their size, every access, and which indices are no compile-time constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import Environment, array_elements, evaluate
from regpress_lint.cpp.syntax import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Conditional,
    Constant,
    Evaluate,
    Expr,
    Function,
    Index,
    InitList,
    Member,
    Name,
    SizeOf,
    Stmt,
    Type,
    Unary,
    Update,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from regpress_lint.core.source import Span
    from regpress_lint.source_level.flow import AccessRecord, CallRecord, Flow, Op
    from regpress_lint.source_level.live_variables import Liveness
    from regpress_lint.source_level.loop_facts import LoopFacts

Kind = Literal["read", "write", "update", "address"]
Vendor = Literal["amd", "nvidia", "intel"]

_MAX_DEPTH = 6
_FOLDED_CALLS = frozenset(("min", "max", "abs", "make_int2"))
AMD_VECTOR_ELEMENTS = 16  # clang 19 turns arrays up to here into vector registers
AMD_LDS_BYTES = 32  # other arrays up to here are moved to LDS on gfx9
LARGEST = 1023  # bytes: IGC gives up a 16 x 16 tile of floats; clang and nvcc spill what they have no room for


class Access(NamedTuple):
    """One access. `dynamic`: some index is no constant after the unrolling that compilers do.

    The bare name of the array (passed on, assigned to a pointer) has no indices and kind "address". type: what is
    read or written, None if it is not known. function: where the access stands; static: the variables that are
    constants there, as a set of its flow's.
    """

    span: Span
    indices: tuple[Expr, ...]
    kind: Kind
    loops: tuple[LoopFacts, ...]
    dynamic: bool
    type: Type | None
    function: Function
    static: int


def _nowhere(_vendor: str) -> Collection[Variable]:
    return ()


class PrivateArray:
    """An automatic array of a kernel or of a device function that is inlined into it.

    elements: over all dimensions; bytes: of the whole array; None where the source does not settle them.
    escapes: a pointer to it goes where its accesses cannot be seen. handed: one goes to a function in view that is not
    inlined. table: initialised with constants, never written.
    memory: by vendor, the kernel's arrays that stay in memory (`passes.scalar_replacement`). described: its accesses as
    the syntax tree shows them. accesses: as an execution saw them, which begins when they are asked for.
    """

    __slots__ = (
        "_seen",
        "bytes",
        "described",
        "elements",
        "escapes",
        "function",
        "handed",
        "memory",
        "table",
        "variable",
    )

    def __init__(
        self,
        variable: Variable,
        elements: int | None,
        bytes: int | None,
        accesses: tuple[Access, ...],
        function: Function,
        escapes: bool,
        table: bool = False,
        memory: Callable[[str], Collection[Variable]] = _nowhere,
        seen: Callable[[], tuple[Access, ...]] | None = None,
        handed: bool = False,
    ) -> None:
        self.variable = variable
        self.elements = elements
        self.bytes = bytes
        self.described = accesses
        self._seen = seen
        self.function = function
        self.escapes = escapes
        self.table = table
        self.memory = memory
        self.handed = handed

    @property
    def accesses(self) -> tuple[Access, ...]:
        """See the class."""
        return self.described if self._seen is None else self._seen()

    @property
    def dynamic(self) -> tuple[Access, ...]:
        """Accesses at an index that is known only at run time."""
        if self._seen is not None and all(map(_is_literal, self.described)):
            return ()
        return tuple(access for access in self.accesses if access.dynamic)

    @property
    def element_bytes(self) -> int | None:
        """Bytes of one element."""
        return self.variable.type.size

    def stays_in_registers(self, vendor: str) -> bool:
        """True if that vendor's compiler keeps (or folds) the array in registers; unknown sizes count as kept."""
        return self.variable not in self.memory(vendor)

    def with_accesses(self, accesses: tuple[Access, ...]) -> PrivateArray:
        """The same array with accesses as an execution saw them."""
        args = (self.variable, self.elements, self.bytes, accesses, self.function, self.escapes, self.table)
        return PrivateArray(*args, self.memory, handed=self.handed)

    def executed(
        self, seen: Callable[[], tuple[Access, ...]], memory: Callable[[str], Collection[Variable]]
    ) -> PrivateArray:
        """The same array with who executes the kernel when that is asked about: its accesses, what stays in memory."""
        args = (self.variable, self.elements, self.bytes, self.described, self.function, self.escapes, self.table)
        return PrivateArray(*args, memory, seen, self.handed)


def _is_literal(access: Access) -> bool:
    return all(isinstance(index, Constant) for index in access.indices)


class Lookups(NamedTuple):
    """What the analysis asks of the kernel's facts."""

    flow_of: Callable[[Function], Flow]
    live_of: Callable[[Function], Liveness]
    loops_of: Callable[[Function], tuple[LoopFacts, ...]]
    callee_of: Callable[[Call], Function | None]
    environment: Environment


def private_arrays(function: Function, lookups: Lookups) -> tuple[PrivateArray, ...]:
    """Arrays of a kernel's body and of the functions inlined into it, in that order."""
    holders = _array_holders(function, lookups)
    if not holders:
        return ()
    result: list[PrivateArray] = []
    entered: set[Function] = set()
    # Depth first by hand: a nested function that calls itself would keep the file's trees alive in a circle.
    waiting = [(function, 0, 0)]
    while waiting:
        here, static_parameters, depth = waiting.pop()
        if here in entered or depth > _MAX_DEPTH:
            continue
        entered.add(here)
        flow = lookups.flow_of(here)
        arrays = [v for v in flow.declared if _is_private(v)]
        called = [(record, lookups.callee_of(record.call)) for record in flow.calls]
        inner = [(record, target) for record, target in called if target in holders and target not in entered]
        if not arrays and not inner:
            continue
        static = static_variables(flow, lookups, static_parameters)
        made = (_array(variable, flow, static, lookups) for variable in arrays)
        result.extend(array for array in made if not _is_passed_on(array))
        for record, target in reversed(inner):
            if target is not None:
                waiting.append((target, _static_arguments(record, flow, static, lookups, target), depth + 1))
    return tuple(result)


def _is_private(variable: Variable) -> bool:
    """True for an automatic array; `T (*p)[N] = ...` and `T (&r)[N] = ...` are known by what they begin with."""
    if not variable.dims or variable.storage not in ("local", "constexpr"):
        return False
    init = variable.init
    return not isinstance(init, (Unary, Cast, Index, Member)) and not (isinstance(init, Name) and init.variable)


def _array_holders(function: Function, lookups: Lookups) -> set[Function]:
    """Functions that declare automatic arrays or from which such a function is reached: few, and all that matter."""
    callers: dict[Function, list[Function]] = {function: []}
    pending = [(function, 0)]
    found: list[Function] = []
    for here, depth in pending:
        flow = lookups.flow_of(here)
        if any(map(_is_private, flow.declared)):
            found.append(here)
        for record in flow.calls:
            target = lookups.callee_of(record.call)
            if target is None:
                continue
            if target not in callers:
                if depth >= _MAX_DEPTH:
                    continue
                callers[target] = []
                pending.append((target, depth + 1))
            callers[target].append(here)
    holders: set[Function] = set()
    while found:
        here = found.pop()
        if here not in holders:
            holders.add(here)
            found += callers[here]
    return holders


def static_variables(flow: Flow, lookups: Lookups, parameters: int = 0) -> int:
    """Variables that are constants once the compiler has unrolled what it unrolls: an optimistic fixed point.

    A definition is static if all it reads is and no condition that is decided at run time guards it; what a rolled
    loop carries around is not. `parameters` are those that the caller gives constants.
    """
    loops, env = lookups.loops_of(flow.function), lookups.environment
    static = (1 << len(flow.bits)) - 1
    for variable in (*flow.function.parameters, *flow.function.captures):
        static &= ~(flow.bits[variable] & ~parameters)
    static &= ~_carried(flow, loops, lookups.live_of(flow.function))
    pending: list[tuple[int, int]] = []
    for block in flow.blocks:
        for op in block.ops:
            if not op.defs:
                continue
            # A condition around the variable's whole life decides nothing about its value.
            control, guarded = flow.scopes.get(op.defs, (0, False))
            stepped = not op.defs & ~op.steps
            if (op.guarded and not guarded) or (not stepped and _decided_late(op, env)):
                static &= ~op.defs
            else:
                pending.append((op.defs, (op.control & ~control) | (0 if stepped else op.uses)))
    changed = True
    while changed:
        changed = False
        for defined, needed in pending:
            if defined & static and needed & ~static:
                static &= ~defined
                changed = True
    return static


def _decided_late(op: Op, env: Environment) -> bool:
    """True if an op reads what no compiler knows: memory, the thread's id, a call's result, a name not in view."""
    return bool(op.loads) or op.seed or _calls_out(op.calls) or _unknown(op.free, env)


def _carried(flow: Flow, loops: tuple[LoopFacts, ...], live: Liveness) -> int:
    """Variables that loops which stay rolled change from one iteration to the next."""
    carried = 0
    for record, loop in zip(flow.loops, loops, strict=True):
        if loop.unrolled:
            continue
        changed = 0
        for block in flow.blocks[record.first : record.last]:
            for op in block.ops:
                changed |= op.defs
        carried |= changed & live.live_in[record.first]
    return carried


def _calls_out(calls: tuple[CallRecord, ...]) -> bool:
    return any(record.call.name not in _FOLDED_CALLS for record in calls)


def _unknown(names: tuple[str, ...], env: Environment) -> bool:
    return any(name not in _FOLDED_CALLS and env.names(name) is None for name in names)


def is_static(expr: Expr, flow: Flow, static: int, env: Environment) -> bool:
    """True if an index is a compile-time constant in every copy of the unrolled code."""
    if isinstance(expr, Constant):
        return True
    if isinstance(expr, Name):
        if expr.variable is None:
            return env.names(expr.name) is not None
        bit = flow.bits.get(expr.variable, 0)
        return bool(bit & static) or evaluate(expr, env) is not None
    if isinstance(expr, Binary):
        return is_static(expr.left, flow, static, env) and is_static(expr.right, flow, static, env)
    if isinstance(expr, (Unary, Cast, Update)):
        if isinstance(expr, Unary) and expr.op == "*":
            return False
        return is_static(expr.operand, flow, static, env)
    if isinstance(expr, Conditional):
        parts = (expr.test, expr.then, expr.other)
        return all(is_static(part, flow, static, env) for part in parts)
    if isinstance(expr, Call) and expr.name in _FOLDED_CALLS:
        return all(is_static(argument, flow, static, env) for argument in expr.args)
    return isinstance(expr, SizeOf) or evaluate(expr, env) is not None


def _array(variable: Variable, flow: Flow, static: int, lookups: Lookups) -> PrivateArray:
    elements = array_elements(variable, lookups.environment)
    size = variable.type.size
    accesses = tuple(_accesses(variable, flow, static, lookups, 0))
    constant = variable.init is not None and _constants(variable.init, lookups.environment)
    return PrivateArray(
        variable,
        elements,
        elements * size if elements is not None and size is not None else None,
        accesses,
        flow.function,
        _escapes(variable, flow, lookups),
        constant and all(access.kind == "read" for access in accesses),
        handed=_is_handed(variable, flow, lookups, 0),
    )


def _is_passed_on(array: PrivateArray) -> bool:
    """True if each element is read only behind its write in the same iteration: compilers hand the value on, and no
    array is left.
    """
    if not array.dynamic or array.escapes or array.variable.init is not None or len(array.accesses) < 2:
        return False
    first, *others = sorted(array.accesses, key=lambda access: access.span)
    loop = first.loops[-1] if first.loops else None
    if loop is None or loop.counter is None or first.kind != "write" or len(first.indices) != 1:
        return False
    written = _direct_assignment(loop.loop.body, first.span) if first.function is array.function else None
    if written is None or any(access.span.start < written.end for access in others):
        return False  # what an assignment reads, it reads before it writes
    return all(
        access.kind == "read"
        and access.loops == first.loops
        and len(access.indices) == 1
        and isinstance(access.indices[0], Name)
        and access.indices[0].variable is loop.counter
        for access in (first._replace(kind="read"), *others)
    )


def _direct_assignment(body: Stmt, span: Span) -> Span | None:
    """The statement of a loop's body itself that assigns to what stands at `span`: no condition is around it."""
    statements = body.statements if isinstance(body, Block) else (body,)
    for each in statements:
        if isinstance(each, Evaluate) and isinstance(each.expression, Assign) and each.expression.target.span == span:
            return each.expression.span
    return None


def _constants(init: Expr, env: Environment) -> bool:
    if isinstance(init, InitList):
        return bool(init.items) and all(_constants(item, env) for item in init.items)
    if isinstance(init, Constant) and init.kind == "string":
        return True
    return evaluate(init, env) is not None


def _accesses(variable: Variable, flow: Flow, static: int, lookups: Lookups, depth: int) -> Iterator[Access]:
    loops, env = lookups.loops_of(flow.function), lookups.environment
    for record in flow.accesses:
        if record.variable is not variable:
            continue
        around = loops[record.loop].chain() if record.loop >= 0 else ()
        passed = _passed(record, flow) if not record.indices else None
        if passed is not None and (target := lookups.callee_of(passed[0].call)) is not None and depth < _MAX_DEPTH:
            call, position = passed
            if position < len(target.parameters):
                inner = lookups.flow_of(target)
                inner_static = static_variables(inner, lookups, _static_arguments(call, flow, static, lookups, target))
                yield from _accesses(target.parameters[position], inner, inner_static, lookups, depth + 1)
                continue
        # The counter may be changed elsewhere, as when one `int i` serves several loops: in here it is what counts.
        counters = (loop.counter for loop in around if loop.unrolled and loop.counter is not None)
        here = static
        for counter in counters:
            here |= flow.bits.get(counter, 0)
        # Behind an element that is a pointer other memory is indexed.
        indices = record.indices[: len(variable.dims)] if variable.type.pointers and variable.dims else record.indices
        beyond = len(indices) < len(record.indices)
        dynamic = not all(is_static(index, flow, here, env) for index in indices)
        kind: Kind = "read" if beyond else record.kind  # type: ignore[assignment]
        yield Access(record.span, indices, kind, around, dynamic, None if beyond else record.type, flow.function, here)


def _passed(record: AccessRecord, flow: Flow) -> tuple[CallRecord, int] | None:
    """Call and position at which the bare name of an array is an argument."""
    for call in flow.calls:
        if call.call.span.contains(record.span):
            for position, argument in enumerate(call.call.args):
                if argument.span == record.span:
                    return call, position
    return None


def _static_arguments(record: CallRecord, flow: Flow, static: int, lookups: Lookups, target: Function) -> int:
    inner = lookups.flow_of(target)
    result = 0
    for parameter in target.parameters[len(record.call.args) :]:
        if parameter.init is not None and evaluate(parameter.init, lookups.environment) is not None:
            result |= inner.bits.get(parameter, 0)
    for argument, parameter in zip(record.call.args, target.parameters, strict=False):
        if is_static(argument, flow, static, lookups.environment):
            result |= inner.bits.get(parameter, 0)
    return result


_HARMLESS = frozenset(("memset", "memcpy", "printf", "assert", "sizeof", "sincos", "sincosf", "swap"))


def _is_handed(variable: Variable, flow: Flow, lookups: Lookups, depth: int) -> bool:
    """True if the array's address goes to a function that is not inlined, also by way of one that is."""
    for record in flow.calls:
        positions = [number for number, each in enumerate(record.call.args) if _is_name_of(each, variable)]
        target = lookups.callee_of(record.call) if positions else None
        if target is None or positions[0] >= len(target.parameters):
            continue
        if "noinline" in target.qualifiers:
            return True
        inner = target.parameters[positions[0]]
        if depth < _MAX_DEPTH and _is_handed(inner, lookups.flow_of(target), lookups, depth + 1):
            return True
    return False


def _is_name_of(expr: Expr, variable: Variable) -> bool:
    return isinstance(expr, Name) and expr.variable is variable


def _escapes(variable: Variable, flow: Flow, lookups: Lookups) -> bool:
    for record in flow.accesses:
        if record.variable is not variable or record.indices:
            continue
        passed = _passed(record, flow)
        if passed is None:
            return True
        target = lookups.callee_of(passed[0].call)
        if (target is None and passed[0].call.name not in _HARMLESS) or (target and "noinline" in target.qualifiers):
            return True
    return False
