"""RP409 escaping-local."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Note, Rule, Severity, Span
from regpress_lint.api.facts import AMD_LDS_BYTES
from regpress_lint.api.report import place
from regpress_lint.api.syntax import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    Name,
    Unary,
    Update,
    evaluate,
    names_in,
    nodes_of,
    written_alike,
)
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count, spelled

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from regpress_lint.api.facts import PrivateArray
    from regpress_lint.api.syntax import Function, Stmt, Variable

_SMALLEST, _LARGEST = (
    16,
    256,
)  # bytes: smaller ones cost little, larger ones fill the registers when they are kept there
_SELECTED = 32  # bytes: among so many nvcc selects instead
_VENDORS = ("amd", "nvidia", "intel")
_BULK = frozenset(("memcpy", "memset", "memmove"))


class _Escape(NamedTuple):
    """Why an array needs an address. vendors: whose compilers keep it in memory for that."""

    span: Span
    reason: str
    note: str
    advice: str
    vendors: tuple[str, ...] = _VENDORS
    severity: Severity = Severity.WARNING
    swap: bool = False


class EscapingLocal(Rule):
    """An array of a thread that could live in registers, and whose address goes where the compiler cannot follow."""

    code = "RP409"
    name = "escaping-local"
    needs = ("arrays",)
    many_blocks = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding an array, and one for all arrays behind the same pointers."""
        swaps: dict[Function, dict[Variable, Assign]] = {}
        said: set[Span] = set()
        for array in facts.arrays:
            handed = array.escapes or any(access.kind == "address" for access in array.described)
            if not (handed or _is_walked(facts, array)) or array.variable.volatile_span is not None:
                continue
            if array.function not in swaps:
                swaps[array.function] = _swapped(facts, array.function)
            escape = _escape(facts, array, swaps[array.function])
            if escape is None or not _could_stay(array) or (escape.swap and escape.span in said):
                continue
            said.add(escape.span)
            if (finding := _finding(facts, array, escape)) is not None:
                yield finding


def _could_stay(array: PrivateArray) -> bool:
    """True if registers could hold the array, were it not for the address: an execution may have to say how large it
    is.
    """
    return _SMALLEST <= (array.bytes or 0) <= _LARGEST


def _escape(facts: KernelFacts, array: PrivateArray, swapped: dict[Variable, Assign]) -> _Escape | None:
    variable = array.variable
    if (swap := swapped.get(variable)) is not None:
        return _Escape(
            swap.span,
            "its address is in a pointer that a run-time loop swaps with another",
            "swapped here",
            "copy the elements, or unroll the loop twice by hand, so that no pointer changes",
            ("amd", "intel"),
            swap=True,
        )
    if (moved := _moved(facts, array.function, variable)) is not None:
        return _Escape(
            moved.span,
            "its address is in a pointer that a run-time loop moves on",
            "moved here",
            "index the array with a counter, in loops with constant bounds",
            _VENDORS if (array.bytes or 0) > _SELECTED else ("amd", "intel"),
            swap=True,
        )
    for record in facts.flow_of(array.function).calls:
        call = record.call
        if any(_is_address(argument, variable) for argument in call.args):
            escape = _by_call(facts, call) or _by_library(facts, array, call)
            if escape is not None:
                return escape
    return None


def _by_call(facts: KernelFacts, call: Call) -> _Escape | None:
    if call.name in _BULK and len(call.args) == 3:
        if not _known_at_run_time(facts, call.args[2]):
            return None
        return _Escape(
            call.span,
            f"`{call.name}` gets a size that is known only at run time",
            "size known only at run time",
            "write a loop over all elements with the size as a condition inside",
        )
    advice = "let the function be inlined, or pass the values and not their address"
    pointer = call.callee.variable if isinstance(call.callee, Name) else None
    if pointer is not None:
        if not isinstance(pointer.init, Conditional):
            return None
        reason = f"its address goes to the function that `{call.name}` points to"
        return _Escape(call.span, reason, "called through a pointer", "call the functions by name")
    target = facts.callee_of(call)
    if target is None:
        return _by_linked(facts, call)
    if "noinline" in target.qualifiers:
        reason = f"its address goes to `{call.qualified}`, which is not inlined"
        return _Escape(call.span, reason, "passed here", advice)
    if any(facts.callee_of(inner.call) is target for inner in facts.flow_of(target).calls):
        reason = f"its address goes to `{call.qualified}`, which calls itself"
        advice = "write the recursion as a loop"
        return _Escape(call.span, reason, "passed here", advice, severity=Severity.INFO)
    return None


def _by_linked(facts: KernelFacts, call: Call) -> _Escape | None:
    """hipcc links device code as a whole and inlines then; nvcc does that only with `-dlto`."""
    if not isinstance(call.callee, Name) or not facts.file.is_linked(call.name):
        return None
    return _Escape(
        call.span,
        f"its address goes to `{call.qualified}`, which another file defines and nvcc cannot inline here",
        "passed here",
        "define the function in a header, pass the values and not their address, or link with `-dlto`",
        ("nvidia",),
    )


def _is_walked(facts: KernelFacts, array: PrivateArray) -> bool:
    """True for an array in memory whose indices are constants, and which HIP's functions go through by bytes."""
    return any(
        (array.bytes or 0) > facts.compiler(target).copies_by_loop
        and not array.stays_in_registers(gpu(target).vendor)
        and not facts.array_for(target, array).dynamic
        for target in facts.targets
    )


def _by_library(facts: KernelFacts, array: PrivateArray, call: Call) -> _Escape | None:
    if call.name not in _BULK or not _is_walked(facts, array):
        return None
    other = " or a plain `= {}`" if call.name == "memset" else ""
    return _Escape(
        call.span,
        f"HIP's `{call.name}` is a loop over bytes, and clang does not unroll it for so many",
        "loop over bytes",
        f"use `__builtin_{call.name}`{other}, which clang expands",
        ("amd",),
    )


def _is_address(argument: Expr, variable: Variable) -> bool:
    """True for the array's bare name and for the address of an element."""
    if isinstance(argument, Cast):
        argument = argument.operand
    if isinstance(argument, Unary) and argument.op == "&":
        argument = argument.operand
        while isinstance(argument, Index):
            argument = argument.base
    return isinstance(argument, Name) and argument.variable is variable


def _known_at_run_time(facts: KernelFacts, size: Expr) -> bool:
    """True if a size surely is no constant: it depends on an argument or on a variable that is none."""
    if evaluate(size, facts.source.environment) is not None:
        return False
    variables = [name.variable for name in names_in(size) if name.variable is not None]
    return any(variable.storage in ("local", "parameter") and not variable.type.const for variable in variables)


# ------------------------------------------------------------------------------------------------- swapped pointers


def _swapped(facts: KernelFacts, function: Function) -> dict[Variable, Assign]:
    """Arrays that pointers stand for which a loop that stays one assigns to each other, with one such assignment.

    Pointers that each iteration sets again are not loop-carried: clang resolves them.
    """
    flow = facts.flow_of(function)
    pointers = {v for v in flow.declared if v.type.pointers == 1 and not v.dims and v.storage == "local"}
    if len(pointers) < 2:
        return {}
    assigns = [node for node in nodes_of(function) if isinstance(node, Assign) and _named(node.target) in pointers]
    rolled = [loop.loop.span for loop in facts.loops_of(function) if not loop.unrolled]
    moves = [
        node
        for node in assigns
        if (target := _named(node.target)) is not None
        and _named(node.value) in pointers
        and any(span.contains(node.span) and not span.contains(target.span) for span in rolled)
    ]
    if len(moves) < 2:
        return {}
    reached = _reached(pointers, assigns)
    swaps: dict[Variable, Assign] = {}
    for node in moves:
        target = _named(node.target)
        behind = reached.get(target, set()) if target is not None else set()
        if len(behind) > 1:
            for start in behind:
                swaps.setdefault(start.array, node)
    return swaps


def _moved(facts: KernelFacts, function: Function, array: Variable) -> Assign | Update | None:
    """Where a loop that stays one moves a pointer into an array: which element it means is then known at run time.

    A loop that the pointer itself ends is left out: clang copies one with constant ends.
    """
    flow = facts.flow_of(function)
    pointers = {v for v in flow.declared if v.type.pointers == 1 and not v.dims and v.storage == "local"}
    if not pointers:
        return None
    rolled = [loop.loop for loop in facts.loops_of(function) if not loop.unrolled]
    steps = [
        (target, node)
        for node in nodes_of(function)
        if (isinstance(node, Update) or (isinstance(node, Assign) and node.op in ("+=", "-=")))
        and (target := _named(node.operand if isinstance(node, Update) else node.target)) in pointers
    ]
    carried = [
        (target, node)
        for target, node in steps
        if target is not None
        and any(
            loop.span.contains(node.span)
            and not loop.span.contains(target.span)
            and not any(name.variable is target for name in names_in(loop.test))
            for loop in rolled
        )
    ]
    if not carried:
        return None
    assigns = [node for node in nodes_of(function) if isinstance(node, Assign) and _named(node.target) in pointers]
    reached = _reached(pointers, assigns)
    return next((node for target, node in carried if any(s.array is array for s in reached[target])), None)


class _Start(NamedTuple):
    """Where in an automatic array a pointer may begin; `offset` is what is written beside the array's name."""

    array: Variable
    offset: Hashable = None


def _reached(pointers: set[Variable], assigns: list[Assign]) -> dict[Variable, set[_Start]]:
    """Places in automatic arrays that each pointer may stand for."""
    edges = [(pointer, _start(pointer.init)) for pointer in pointers]
    edges += [(target, _start(node.value)) for node in assigns if (target := _named(node.target)) is not None]
    reached: dict[Variable, set[_Start]] = {pointer: set() for pointer in pointers}
    changed = True
    while changed:
        changed = False
        for target, source in edges:
            if source is None or target not in reached:
                continue
            new = reached.get(source.array, {source} if source.array.dims else set())
            if not new <= reached[target]:
                reached[target] |= new
                changed = True
    return reached


def _named(expr: Expr | Stmt | None) -> Variable | None:
    return expr.variable if isinstance(expr, Name) else None


def _start(expr: Expr | None) -> _Start | None:
    """The array or pointer that an expression is an address in."""
    if isinstance(expr, Unary) and expr.op == "&":
        expr = expr.operand
    offset: Hashable = None
    while isinstance(expr, Index) or (isinstance(expr, Binary) and expr.op in "+-"):
        offset = (offset, written_alike(expr.index if isinstance(expr, Index) else expr.right))
        expr = expr.base if isinstance(expr, Index) else expr.left
    variable = _named(expr)
    return _Start(variable, offset) if variable is not None and variable.storage == "local" else None


# ----------------------------------------------------------------------------------------------------------- report


def _finding(facts: KernelFacts, array: PrivateArray, escape: _Escape) -> Finding | None:
    size = array.bytes or 0
    moving = {target: bool(facts.array_for(target, array).dynamic) for target in facts.targets}
    severities = {
        target: min(escape.severity, Severity.INFO) if moving[target] else escape.severity
        for target in facts.targets
        if (array.handed or not moving[target])  # else RP403 has the indices
        and gpu(target).vendor in escape.vendors
        and not (gpu(target).is_amd and not escape.swap and _little(facts, size))
    }
    if not severities:
        return None
    variable = array.variable
    where = place(facts, variable.span, array.function.path, "the array")
    notes = (*where.notes, Note(escape.span, escape.note)) if where.here else where.notes
    message = (
        f"array `{variable.name}` ({array.elements} x {spelled(variable.type)}, {count(size, 'byte')}) cannot live in "
        f"registers: {escape.reason}, so it goes to private memory"
    )
    advice = escape.advice
    if any(map(moving.get, severities)):  # one of the two alone brings nothing
        message += ", and it is also indexed at run time"
        advice += "; and index it with constants"
    return Finding(where.span, message, severities, advice, notes)


def _little(facts: KernelFacts, size: int) -> bool:
    """True for what clang keeps in the LDS of a block that launch bounds make small."""
    return size <= AMD_LDS_BYTES and facts.kernel.launch_bounds is not None
