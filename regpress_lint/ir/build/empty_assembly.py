"""Assembly without a text, `asm volatile("" : "+v"(x))`: no instruction, and a value that clang does not recognise.

ptxas never sees it: what NVIDIA's compiler makes of two equal values is the same with it and without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax import Constant, Name, Unknown
from regpress_lint.ir.build.lvalues import place_of
from regpress_lint.ir.build.private_objects import assign
from regpress_lint.ir.objects import Place
from regpress_lint.ir.ops import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.ir.build.machine import Machine

_ASSEMBLY, _OUTPUTS = "gnu_asm_expression", "gnu_asm_output_operand_list"


def hide(machine: Machine, expr: Unknown) -> bool:
    """Give the variables that empty assembly names new values, on AMD; False for any other assembly."""
    if machine.vendor != "amd" or expr.kind != _ASSEMBLY:
        return False
    names = [*_outputs(expr)]
    if not names or not any(_is_empty(machine, child) for child in expr.children):
        return False
    for name in names:
        old, where = machine.evaluate(name), place_of(machine, name)
        if isinstance(old, int) and isinstance(where, Place):
            graph = machine.graph
            new = machine.effect(HIDDEN, (old,), graph.forms[old], divergent=graph.divergent[old])
            assign(machine, where, new)
    return True


def _is_empty(machine: Machine, child: object) -> bool:
    return isinstance(child, Constant) and child.kind == "string" and machine.file.source.text(child.span) == '""'


def _outputs(expr: Unknown) -> Iterator[Name]:
    for outputs in expr.children:
        for operand in outputs.children if isinstance(outputs, Unknown) and outputs.kind == _OUTPUTS else ():
            yield from (each for each in getattr(operand, "children", ()) if isinstance(each, Name))
