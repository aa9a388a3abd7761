"""Inline assembly: its outputs are values of their own, computed from its inputs.

PTX is read instruction by instruction, because ptxas does so too: to it nothing of it is assembly, `volatile` or not.
Elsewhere, and where a text jumps, the first output depends on all inputs and the others come with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp import ptx
from regpress_lint.ir.build.accesses import store
from regpress_lint.ir.build.lvalues import number, place_of
from regpress_lint.ir.build.machine import SPACES, form_of
from regpress_lint.ir.build.private_objects import assign, coerced
from regpress_lint.ir.build.ptx_values import Registers, executed
from regpress_lint.ir.graph import BOOL, FLOAT, SIGNED, UNSIGNED, Form, made_form
from regpress_lint.ir.objects import Place
from regpress_lint.ir.ops import HIDDEN, UNKNOWN

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Assembly, AssemblyOperand
    from regpress_lint.ir.build.machine import Machine

_FORMS = {
    "h": made_form(1, UNSIGNED), "r": made_form(1, UNSIGNED), "l": made_form(2, UNSIGNED), "q": made_form(4, UNSIGNED),
    "f": made_form(1, FLOAT), "d": made_form(2, FLOAT),
}  # fmt: skip


def assembled(machine: Machine, expr: Assembly) -> None:
    """Execute `asm(...)`: its outputs get new values."""
    if expr.text is not None and not expr.text.strip():
        _hidden(machine, expr)
        return
    read = {name: number(machine, one.value) for name, one in _named(expr).items() if not _is_written_only(one)}
    text = ptx.read(expr.text) if machine.compiler.assembly == "ptx" and expr.text is not None else None
    size = machine.tally.size
    if text is None:
        made = _opaque(machine, expr, read)
    else:
        forms = {name: _form(machine, one) for name, one in _named(expr).items()}
        made = executed(machine, text, Registers(read, forms))
    machine.tally.size = size + 1
    if expr.clobbers_memory:
        machine.memory.fenced(*SPACES)
    names = _names(expr)
    for position, one in enumerate(expr.outputs):
        value = next((made[name] for name in names[position] if name in made), None)
        if value is not None:
            _write(machine, one, value)


def _hidden(machine: Machine, expr: Assembly) -> None:
    """`asm volatile("" : "+v"(x))`: no instruction, and a value that clang does not recognise. ptxas never sees it:
    it treats two equal values in the same way with it and without.
    """
    graph = machine.graph
    for one in expr.outputs if machine.compiler.empty_hides else ():
        old, where = machine.evaluate(one.value), place_of(machine, one.value)
        if isinstance(old, int) and isinstance(where, Place):
            new = machine.effect(HIDDEN, (old,), graph.forms[old], divergent=graph.divergent[old])
            assign(machine, where, new)


def _names(expr: Assembly) -> list[tuple[str, ...]]:
    """How the text may call each operand, outputs first: by its number and by the name that it is given."""
    named = (*expr.outputs, *expr.inputs)
    return [(f"%{at}", *((f"%{one.name}",) if one.name else ())) for at, one in enumerate(named)]


def _named(expr: Assembly) -> dict[str, AssemblyOperand]:
    operands = (*expr.outputs, *expr.inputs)
    return {name: one for names, one in zip(_names(expr), operands, strict=True) for name in names}


def _is_written_only(operand: AssemblyOperand) -> bool:
    return operand.constraint.startswith("=")


def _form(machine: Machine, operand: AssemblyOperand) -> Form:
    """The form that holds an operand: for an output that of the constraint, as the text sees it."""
    letter = operand.constraint.strip("=+&% ")[:1]
    return _FORMS.get(letter) or form_of(machine.type_of(operand.value))


def _opaque(machine: Machine, expr: Assembly, read: dict[str, int]) -> dict[str, int]:
    """Outputs of a text that is not read."""
    machine.tally.operations += 1
    operands = tuple(dict.fromkeys(read.values()))
    if not expr.outputs:
        machine.effect(UNKNOWN, operands, BOOL, divergent=True)
        return {}
    made: dict[str, int] = {}
    for position, one in enumerate(expr.outputs):
        form = form_of(machine.type_of(one.value))
        form = form if form.width else made_form(1, SIGNED)
        scalar = machine.compiler.scalar_registers and "s" in one.constraint
        made[f"%{position}"] = machine.effect(HIDDEN if scalar else UNKNOWN, operands, form, divergent=not scalar)
        old = (read[f"%{at}"] for at in range(position + 1, len(expr.outputs)) if f"%{at}" in read)
        operands = (made["%0"], *list(old)[:1])
    return made


def _write(machine: Machine, operand: AssemblyOperand, value: int) -> None:
    held = coerced(machine, value, machine.type_of(operand.value))
    where = place_of(machine, operand.value)
    if isinstance(where, Place):
        assign(machine, where, held)
    elif where is not None:
        store(machine, where, held)
