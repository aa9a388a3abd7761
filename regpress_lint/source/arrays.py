"""Automatic arrays: their size, every access, and which are tables of constants or register tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import Environment, array_elements, evaluate
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Constant,
    Evaluate,
    Expr,
    Function,
    Index,
    InitList,
    Loop,
    Member,
    Name,
    Stmt,
    Type,
    Unary,
    Update,
    Variable,
)
from regpress_lint.cpp.traversal import is_name, nodes_of, written
from regpress_lint.cpp.types import dereference

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from regpress_lint.core.source import Span
    from regpress_lint.source.cfg import AccessRecord, CallRecord, Flow
    from regpress_lint.source.loop_facts import LoopFacts


Kind = Literal["read", "write", "update", "address"]
# How pointers reach an array (`interpreter/array_pointers.py`): one that a loop moves or exchanges; a library's loop,
# over a known number of bytes or not; one that may point into another array, and that is indexed at run time or not;
# one that may point elsewhere; one that is moved twice; an index that is one constant or another by the path taken;
# a read that another one meets, of something else, where two paths come together. And one in a function that is not
# inlined, and one of which all elements are written before any is picked.
Reach = Literal[
    "moving",
    "walked",
    "by bytes",
    "indexed either",
    "either",
    "elsewhere",
    "offset",
    "joined",
    "met",
    "called",
    "replaced",
]


class Lookups(NamedTuple):
    """Questions about a kernel's functions. loops_of: as the text shows them, or as an execution left them. is_linked:
    whether a name is that of a function of another program unit.
    """

    flow_of: Callable[[Function], Flow]
    loops_of: Callable[[Function], tuple[LoopFacts, ...]]
    callee_of: Callable[[Call], Function | None]
    environment: Environment
    is_linked: Callable[[str], bool]


class Access(NamedTuple):
    """One access. `dynamic`: some index is no constant after the unrolling that compilers do, as an execution saw it.

    The bare name of the array (passed on, assigned to a pointer) has no indices and kind "address". type: what is
    read or written, None if it is not known. function: where the access stands; calls: those that lead there from the
    kernel. pointer: it is made through a pointer to the array, not by its name. within: a loop that stays one around a
    call of the function, as an execution has seen it.
    """

    span: Span
    indices: tuple[Expr, ...]
    kind: Kind
    loops: tuple[LoopFacts, ...]
    dynamic: bool
    type: Type | None
    function: Function
    calls: tuple[CallRecord, ...] = ()
    pointer: bool = False
    within: Loop | None = None


class Fill(NamedTuple):
    """What an array's elements are set to at indices that are constants: writes of parts, and how many different values
    they write that are no constants.
    """

    writes: int
    values: int


# Elements of arrays by name and declaration, as an execution found them.
Extents: TypeAlias = "Callable[[], Mapping[tuple[str, int], int]]"


def nowhere(_vendor: str) -> Collection[Variable]:
    """No variable, whatever the vendor."""
    return ()


class PrivateArray:
    """An automatic array of a kernel or of a device function that is inlined into it.

    elements: over all dimensions; bytes: of the whole array; where the source does not settle them, an execution that
    begins on first use may, else None.
    escapes: a pointer to it goes where its accesses cannot be seen. handed: one is passed to a known function that is
    not inlined. table: initialised with constants, never written. reached: how pointers reach it, as an execution saw.
    memory: by vendor, the kernel's arrays that stay in memory (`passes.scalar_replacement`). described: its accesses as
    the syntax tree shows them. accesses: as an execution saw them, which begins on first use. fill: how its elements
    are set one by one, None where no execution counted that.
    """

    def __init__(
        self,
        variable: Variable,
        elements: int | None,
        bytes: int | None,
        accesses: tuple[Access, ...],
        function: Function,
        escapes: bool,
        table: bool = False,
        memory: Callable[[str], Collection[Variable]] = nowhere,
        seen: Callable[[], tuple[Access, ...]] | None = None,
        handed: bool = False,
        reached: frozenset[Reach] = frozenset(),
        fill: Fill | None = None,
    ) -> None:
        self.variable = variable
        self._elements = elements
        self._bytes = bytes
        self._extents: Extents | None = None
        self.described = accesses
        self._seen = seen
        self._accesses = accesses if seen is None else None
        self.function = function
        self.escapes = escapes
        self.table = table
        self.memory = memory
        self.handed = handed
        self.reached = reached
        self.fill = fill

    @property
    def elements(self) -> int | None:
        """See the class."""
        self._settle()
        return self._elements

    @property
    def bytes(self) -> int | None:
        """See the class."""
        self._settle()
        return self._bytes

    def _settle(self) -> None:
        if self._extents is None:
            return
        elements, self._extents = self._extents().get((self.variable.name, self.variable.span.start)), None
        if elements is not None:
            self._elements = elements
            self._bytes = None if self.element_bytes is None else elements * self.element_bytes

    @property
    def accesses(self) -> tuple[Access, ...]:
        """See the class."""
        if self._accesses is None:
            assert self._seen is not None
            self._accesses = self._seen()
        return self._accesses

    @property
    def dynamic(self) -> tuple[Access, ...]:
        """Accesses at an index that is known only at run time."""
        if self._seen is not None and all(map(_is_literal, self.described)):
            return ()
        accesses = (access for access in self.accesses if access.dynamic)
        # Where the element's type is not known, neither is what a pointer of another type reads of it.
        return tuple(access for access in accesses if not (self.presumed and access.pointer))

    @property
    def element_bytes(self) -> int | None:
        """Of an element; a type that no instantiation settles counts as a float, as its values do (`form_of`)."""
        return _element_bytes(self.variable.type)

    @property
    def presumed(self) -> bool:
        """Whether the bytes are those of a float because the element's type is not known."""
        return self.variable.type.size is None

    def stays_in_registers(self, vendor: str) -> bool:
        """True if that vendor's compiler keeps (or folds) the array in registers; unknown sizes count as kept, and of
        one element the index is known.
        """
        return (self.elements == 1 and not self.escapes) or self.variable not in self.memory(vendor)

    def with_accesses(
        self,
        accesses: tuple[Access, ...],
        *,
        handed: bool,
        reached: frozenset[Reach] = frozenset(),
        fill: Fill | None = None,
    ) -> PrivateArray:
        """The same array with accesses as an execution saw them."""
        args = (self.variable, self.elements, self.bytes, accesses, self.function, self.escapes, self.table)
        return PrivateArray(*args, self.memory, handed=handed, reached=reached, fill=fill)

    def sized(self, extents: Extents) -> PrivateArray:
        """The same array with as many elements as an execution found, where the source alone does not say it."""
        if self.elements is not None:
            return self
        args = (self.variable, None, None, self.described, self.function, self.escapes, self.table, self.memory)
        array = PrivateArray(*args, self._seen, self.handed)
        array._extents = extents
        return array

    def executed(
        self, seen: Callable[[], tuple[Access, ...]], memory: Callable[[str], Collection[Variable]]
    ) -> PrivateArray:
        """The same array with a callback that executes the kernel when its accesses, or those in memory, are needed."""
        args = (self.variable, self._elements, self._bytes, self.described, self.function, self.escapes, self.table)
        array = PrivateArray(*args, memory, seen, self.handed)
        array._extents = self._extents
        return array


def _element_bytes(type_: Type) -> int | None:
    if type_.size is None and not (type_.struct or type_.pointers or type_.reference):
        return _FLOAT_BYTES
    return type_.size


def _is_literal(access: Access) -> bool:
    return all(isinstance(index, Constant) for index in access.indices)


# Find the automatic arrays of a kernel and of the functions inlined into it, and every access to them.


_MAX_DEPTH = 6
_FLOAT_BYTES = 4


def private_arrays(function: Function, lookups: Lookups) -> tuple[PrivateArray, ...]:
    """Arrays of a kernel's body and of the functions inlined into it, in that order."""
    holders = _array_holders(function, lookups)
    if not holders:
        return ()
    result: list[PrivateArray] = []
    entered: set[Function] = set()
    # Depth first by hand: a nested function that calls itself would keep the file's trees alive in a circle.
    waiting: list[tuple[Function, tuple[CallRecord, ...]]] = [(function, ())]
    while waiting:
        entry, calls = waiting.pop()
        if entry in entered or len(calls) > _MAX_DEPTH:
            continue
        entered.add(entry)
        flow = lookups.flow_of(entry)
        arrays = [v for v in flow.declared if _is_private(v)]
        called = [(record, lookups.callee_of(record.call)) for record in flow.calls]
        inner = [(record, target) for record, target in called if target in holders and target not in entered]
        if not arrays and not inner:
            continue
        described = (_array(variable, flow, calls, lookups) for variable in arrays)
        result.extend(array for array in described if not _is_passed_on(array))
        waiting += ((target, (*calls, record)) for record, target in reversed(inner) if target is not None)
    return tuple(result)


def _is_private(variable: Variable) -> bool:
    """True for an automatic array; `T (*p)[N] = ...` and `T (&r)[N] = ...` are known by their initialisers."""
    if not variable.dims or variable.storage not in ("local", "constexpr"):
        return False
    init = variable.init
    return not isinstance(init, (Unary, Cast, Index, Member)) and not (isinstance(init, Name) and init.variable)


def _array_holders(function: Function, lookups: Lookups) -> set[Function]:
    """Functions that declare automatic arrays or from which such a function is reached: few, and all that matter."""
    callers: dict[Function, list[Function]] = {function: []}
    pending = [(function, 0)]
    functions: list[Function] = []
    for holder, depth in pending:
        flow = lookups.flow_of(holder)
        if any(map(_is_private, flow.declared)):
            functions.append(holder)
        for record in flow.calls:
            target = lookups.callee_of(record.call)
            if target is None:
                continue
            if target not in callers:
                if depth >= _MAX_DEPTH:
                    continue
                callers[target] = []
                pending.append((target, depth + 1))
            callers[target].append(holder)
    holders: set[Function] = set()
    while functions:
        holder = functions.pop()
        if holder not in holders:
            holders.add(holder)
            functions += callers[holder]
    return holders


def _array(variable: Variable, flow: Flow, calls: tuple[CallRecord, ...], lookups: Lookups) -> PrivateArray:
    elements = array_elements(variable, lookups.environment)
    size = _element_bytes(variable.type)
    accesses = tuple(_accesses(variable, flow, calls, lookups, 0))
    constant = variable.init is not None and _constants(variable.init, lookups.environment)
    return PrivateArray(
        variable,
        elements,
        elements * size if elements is not None and size is not None else None,
        accesses,
        flow.function,
        _escapes(variable, flow, lookups),
        constant
        and all(access.kind == "read" for access in accesses)
        and not _is_written_below(variable, flow, lookups, 0),
        handed=_is_handed(variable, flow, lookups, 0),
    )


def _is_passed_on(array: PrivateArray) -> bool:
    """True if each element is read only behind its write in the same iteration: compilers hand the value on, and no
    array is left.
    """
    if array.escapes or array.variable.init is not None or len(array.accesses) < 2:
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
    """The statement of a loop's body itself that assigns to the expression at `span`: no condition is around it."""
    statements = body.statements if isinstance(body, Block) else (body,)
    for statement in statements:
        if (
            isinstance(statement, Evaluate)
            and isinstance(statement.expression, Assign)
            and statement.expression.target.span == span
        ):
            return statement.expression.span
    return None


def _constants(init: Expr, env: Environment) -> bool:
    if isinstance(init, InitList):
        return bool(init.items) and all(_constants(item, env) for item in init.items)
    if isinstance(init, Constant) and init.kind == "string":
        return True
    return evaluate(init, env) is not None


def _accesses(
    variable: Variable, flow: Flow, calls: tuple[CallRecord, ...], lookups: Lookups, depth: int
) -> Iterator[Access]:
    loops = lookups.loops_of(flow.function)
    for record in flow.accesses:
        if record.variable is not variable:
            continue
        around = loops[record.loop].chain() if record.loop >= 0 else ()
        passed = _passed(record, flow) if not record.indices else None
        if passed is not None and (target := lookups.callee_of(passed[0].call)) is not None and depth < _MAX_DEPTH:
            call, position = passed
            if position < len(target.parameters):
                inner, inside = lookups.flow_of(target), (*calls, call)
                yield from _accesses(target.parameters[position], inner, inside, lookups, depth + 1)
                continue
        # Behind an element that is a pointer other memory is indexed.
        indices = record.indices[: len(variable.dims)] if variable.type.pointers and variable.dims else record.indices
        beyond = len(indices) < len(record.indices)
        kind: Kind = "read" if beyond else record.kind  # type: ignore[assignment]
        points = bool(variable.type.pointers) and not (variable.dims or variable.type.reference)
        type_ = None if beyond else record.type
        yield Access(record.span, indices, kind, around, False, type_, flow.function, calls, points)
    yield from _through_stars(variable, flow, calls, loops)
    if depth < _MAX_DEPTH:
        for pointer in _pointers_to(variable, flow):
            yield from _accesses(pointer, flow, calls, lookups, depth + 1)


def _through_stars(
    variable: Variable, flow: Flow, calls: tuple[CallRecord, ...], loops: tuple[LoopFacts, ...]
) -> Iterator[Access]:
    """Accesses without a subscript: `*p`, `*p++`, `*(h + i)`. The expression behind the star counts as the index."""
    if len(variable.dims) > 1:
        return  # a row
    nodes = nodes_of(flow.function)
    type_ = variable.type if variable.dims else dereference(variable.type)
    for star in nodes:
        if not (isinstance(star, Unary) and star.op == "*" and _begins_at(star.operand, variable)):
            continue
        kind: Kind = "read"
        for node in nodes:
            if written(node) is star:
                kind = "write" if isinstance(node, Assign) and node.op == "=" else "update"
        inside = [loop for loop in loops if loop.loop.span.contains(star.span)]
        around = inside[-1].chain() if inside else ()
        yield Access(star.span, (star.operand,), kind, around, False, type_, flow.function, calls, not variable.dims)


def _pointers_to(variable: Variable, flow: Flow) -> Iterator[Variable]:
    """Pointers into an array, or behind another pointer, that are given nothing else:
    `unsigned* words = (unsigned*)bytes`.
    """
    for pointer in flow.declared:
        if pointer.type.pointers != 1 or pointer.dims or pointer is variable:
            continue
        values = [pointer.init] if pointer.init is not None else []
        values += (assign.value for assign in flow.assigns if assign.op == "=" and is_name(assign.target, pointer))
        begun = [_begins_at(value, variable) for value in values]
        if any(begun) and all(known or _begins_at(value, pointer) for known, value in zip(begun, values, strict=True)):
            yield pointer


def _begins_at(expr: Expr, variable: Variable) -> bool:
    while isinstance(expr, (Cast, Update)) or (isinstance(expr, Binary) and expr.op in "+-"):
        expr = expr.left if isinstance(expr, Binary) else expr.operand
    return is_name(expr, variable)


def _passed(record: AccessRecord, flow: Flow) -> tuple[CallRecord, int] | None:
    """Call and position at which the bare name of an array is an argument."""
    for call in flow.calls:
        if call.call.span.contains(record.span):
            for position, argument in enumerate(call.call.args):
                if argument.span == record.span:
                    return call, position
    return None


_HARMLESS = frozenset(("memset", "memcpy", "printf", "assert", "sizeof", "sincos", "sincosf", "swap"))


def _is_handed(variable: Variable, flow: Flow, lookups: Lookups, depth: int) -> bool:
    """True if the array's address goes to a function that is not inlined, as one of another program unit, also by way
    of one that is.
    """
    for record in flow.calls:
        positions = [number for number, expr in enumerate(record.call.args) if is_name(expr, variable)]
        target = lookups.callee_of(record.call) if positions else None
        if positions and target is None and lookups.is_linked(record.call.name):
            return True
        if target is None or positions[0] >= len(target.parameters):
            continue
        if "noinline" in target.qualifiers:
            return True
        inner = target.parameters[positions[0]]
        if depth < _MAX_DEPTH and _is_handed(inner, lookups.flow_of(target), lookups, depth + 1):
            return True
    return False


def _is_written_below(variable: Variable, flow: Flow, lookups: Lookups, depth: int) -> bool:
    """True if a function that gets the array hands it on, as a pointer to what may be written, and that writes it."""
    for record in flow.calls:
        target = lookups.callee_of(record.call)
        for number, arg in enumerate(record.call.args):
            if not is_name(arg, variable):
                continue
            if target is None or number >= len(target.parameters):
                return depth > 0  # what the kernel itself gives away, `escapes` says
            inner, below = target.parameters[number], lookups.flow_of(target)
            if inner.type.pointee_const:
                continue
            if depth and any(access.variable is inner and access.kind != "read" for access in below.accesses):
                return True
            if depth >= _MAX_DEPTH or _is_written_below(inner, below, lookups, depth + 1):
                return True
    return False


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
