"""RP409 escaping-local."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Note, Rule, Severity, Span
from regpress_lint.api.facts import AMD_LDS_BYTES
from regpress_lint.api.report import place
from regpress_lint.api.syntax import Call, Conditional, Name, names_in
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count, spelled
from regpress_rules.arrays._bulk_copies import BULK, is_address, known_at_run_time
from regpress_rules.arrays._moving_pointers import has_moving_pointer, moved, swapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api.facts import Access, PrivateArray
    from regpress_lint.api.syntax import Assign, Function, Variable

_SMALLEST, _LARGEST = (
    16,
    256,
)  # bytes: smaller ones cost little, larger ones fill the registers when they are kept there
_SELECTED = 32  # bytes: among so many nvcc selects instead
_VENDORS = ("amd", "nvidia", "intel")


class _Escape(NamedTuple):
    """Why an array needs an address. vendors: whose compilers keep it in memory for that."""

    span: Span
    reason: str
    note: str
    advice: str
    vendors: tuple[str, ...] = _VENDORS
    severity: Severity = Severity.WARNING
    swap: bool = False
    bulk: bool = False  # it is in memory whatever its loops do, which need not be copied then


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
                swaps[array.function] = swapped(facts, array.function)
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


def _escape(facts: KernelFacts, array: PrivateArray, swaps: dict[Variable, Assign]) -> _Escape | None:
    variable = array.variable
    if (swap := swaps.get(variable)) is not None:
        return _Escape(
            swap.span,
            "its address is in a pointer that a run-time loop swaps with another",
            "swapped here",
            "copy the elements, or unroll the loop twice by hand, so that no pointer changes",
            ("amd", "intel"),
            swap=True,
        )
    if (step := moved(facts, array.function, variable)) is not None:
        return _Escape(
            step.span,
            "its address is in a pointer that a run-time loop moves on",
            "moved here",
            "index the array with a counter, in loops with constant bounds",
            _VENDORS if (array.bytes or 0) > _SELECTED else ("amd", "intel"),
            swap=True,
        )
    for record in facts.flow_of(array.function).calls:
        call = record.call
        if any(is_address(argument, variable) for argument in call.args):
            escape = _by_call(facts, call) or _by_library(facts, array, call)
            if escape is not None:
                return escape
    return None


def _by_call(facts: KernelFacts, call: Call) -> _Escape | None:
    if call.name in BULK and len(call.args) == 3:
        if not known_at_run_time(facts, call.args[2]):
            return None
        return _Escape(
            call.span,
            f"`{call.name}` gets a size that is known only at run time",
            "size known only at run time",
            "write a loop over all elements with the size as a condition inside",
            bulk=True,
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
    if call.name not in BULK or not _is_walked(facts, array):
        return None
    initialiser = " or a plain `= {}`" if call.name == "memset" else ""
    return _Escape(
        call.span,
        f"HIP's `{call.name}` is a loop over bytes, and clang does not unroll it for so many",
        "loop over bytes",
        f"use `__builtin_{call.name}`{initialiser}, which clang expands",
        ("amd",),
    )


# ----------------------------------------------------------------------------------------------------------- report


def _finding(facts: KernelFacts, array: PrivateArray, escape: _Escape) -> Finding | None:
    size = array.bytes or 0
    on = {target: facts.array_for(target, array) for target in facts.targets}
    moving = {target: _is_moving(facts, seen, escape) for target, seen in on.items()}
    severities = {
        target: min(escape.severity, Severity.INFO) if moving[target] else escape.severity
        for target in facts.targets
        if (array.handed or escape.bulk or not moving[target])  # else RP403 has the indices
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


def _is_moving(facts: KernelFacts, array: PrivateArray, escape: _Escape) -> bool:
    """True if its indices would keep the array in memory as well."""
    if escape.bulk:
        return any(_is_open(access) for access in array.dynamic)
    return bool(array.dynamic) and not has_moving_pointer(facts, array)


def _is_open(access: Access) -> bool:
    """False for an index by counters of loops alone whose iterations are known."""
    counters = {loop.counter for loop in access.loops if loop.trip_count is not None}
    return any(name.variable not in counters for index in access.indices for name in names_in(index))


def _little(facts: KernelFacts, size: int) -> bool:
    """True for what clang keeps in the LDS of a block that launch bounds make small."""
    return size <= AMD_LDS_BYTES and facts.kernel.launch_bounds is not None
