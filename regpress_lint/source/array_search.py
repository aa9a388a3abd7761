"""The automatic arrays of a kernel and of the functions inlined into it, and every access to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import array_elements, evaluate
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Cast,
    Constant,
    Evaluate,
    Expr,
    Function,
    Index,
    InitList,
    Member,
    Name,
    Stmt,
    Unary,
    Update,
    Variable,
)
from regpress_lint.cpp.traversal import is_name, nodes_of, written
from regpress_lint.cpp.types import dereference
from regpress_lint.source.arrays import Access, Kind, Lookups, PrivateArray, bytes_of_element

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.environment import Environment
    from regpress_lint.source.cfg import AccessRecord, CallRecord, Flow
    from regpress_lint.source.loop_facts import LoopFacts


_MAX_DEPTH = 6


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
    size = bytes_of_element(variable.type)
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
