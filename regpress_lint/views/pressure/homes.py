"""Where a value lives on a target: registers of every thread, or something that a wave or a whole launch shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax import Cast, Constant, Index, Member, Name
from regpress_lint.estimate.registers import divergent_variables
from regpress_lint.source_level.live_variables import is_load
from regpress_lint.source_level.root_variables import is_private, root_variable
from regpress_lint.views.pressure.webs import writes_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax import Call, Expr, Function, Variable
    from regpress_lint.source_level.flow import Flow, Op

POINTER = 2
# SYCL's views of the launch: what they answer comes from registers that the hardware fills.
_HANDLES = frozenset(("nd_item", "item", "h_item", "id", "group", "sub_group"))
_READ_ON_DEMAND = 16  # registers; a wider argument is no value that is held, its members are read where they are used


def argument_width(variable: Variable) -> int:
    """32-bit words of an argument: scalar registers on AMD, words of the constant bank on NVIDIA."""
    type_ = variable.type
    if type_.pointers or variable.dims:
        return POINTER
    if type_.size is None and type_.name.partition("<")[0].rpartition("::")[2] in _HANDLES:
        return 0
    words = type_.registers or 1
    return words if words <= _READ_ON_DEMAND else 0


def used_by_pointer(flow: Flow) -> list[Variable]:
    """Local arrays whose address is kept (`p = a`, `s.data = a`): what is done with them through it is not seen.

    An argument of a call does not count: most calls are inlined.
    """
    arguments = {argument.span for record in flow.calls for argument in record.call.args}
    taken = (access.variable for access in flow.accesses if not access.indices and access.span not in arguments)
    return list(dict.fromkeys(v for v in taken if v.storage == "local" and v.dims))


def is_alias(variable: Variable) -> bool:
    """True for a reference to an object of the thread's own, which is a second name and no value."""
    root = root_variable(variable.init) if variable.type.reference and variable.init is not None else None
    return root is not None and is_private(root)


def shared_by_wave(flow: Flow, vendor: str, callee_of: Callable[[Call], Function | None], *, kernel: bool) -> int:
    """Variables that one scalar register of a wave holds (AMD) or one value of a sub-group (Intel), as a bit mask.

    On AMD floating-point arithmetic is done in vector registers even where all threads agree (up to gfx11, CDNA), and
    a load from a uniform address is a scalar one only if no earlier store may have changed what it reads (9b).
    NVIDIA's uniform registers are few and left to the compiler: nothing counts as shared there.
    """
    if vendor == "nvidia":
        return 0
    shared = 0
    for bit in flow.bits.values():
        shared |= bit
    shared &= ~divergent_variables(flow, kernel=kernel)
    writes = writes_of(flow, callee_of)
    for block in flow.blocks:
        for op in block.ops:
            shared &= ~(writes[id(op)] & ~op.defs)  # what a call writes through an argument may be anything
    if vendor != "amd":
        return shared
    floating = 0
    for variable, bit in flow.bits.items():
        if variable.type.floating and not variable.type.pointers and not variable.dims:
            floating |= bit
    assigned = {assign.span: assign.value for assign in flow.assigns if assign.op == "="}
    for block in flow.blocks:
        for op in block.ops:
            if op.defs & shared and _needs_vector(flow, op, block.loop, op.defs & shared & floating != 0, assigned):
                shared &= ~op.defs
    return shared


def _needs_vector(flow: Flow, op: Op, loop: int, floating: bool, assigned: dict[Span, Expr]) -> bool:
    value = op.value if op.value is not None else assigned.get(op.span)
    if op.loads and _may_be_stale(flow, op, loop, value):
        return True
    return floating and op.cost > 0 and not (value is not None and (is_load(value) or _is_plain(value)))


def _is_plain(value: Expr) -> bool:
    while isinstance(value, Cast):
        value = value.operand
    return isinstance(value, (Constant, Name))


def _may_be_stale(flow: Flow, op: Op, loop: int, value: Expr | None) -> bool:
    """True if a store through another pointer may come before the load, and no `__restrict__` rules it out."""
    pointer = _pointer(value)
    if pointer is not None and pointer.type.restrict:
        return False
    outermost = loop
    while outermost >= 0 and flow.loops[outermost].parent >= 0:
        outermost = flow.loops[outermost].parent
    end = flow.loops[outermost].loop.span.end if outermost >= 0 else op.span.start
    for store in flow.stores:
        target = _pointer(store)
        if target is not None and (target.type.restrict or target.storage == "shared"):
            continue
        if store.span.start < max(end, op.span.start):
            return True
    return False


def _pointer(expr: Expr | None) -> Variable | None:
    while isinstance(expr, Cast):
        expr = expr.operand
    while isinstance(expr, (Index, Member)):
        expr = expr.base
    return expr.variable if isinstance(expr, Name) else None
