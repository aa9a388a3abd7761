"""Results of a kernel in its reference parameters: reducers of SYCL, results of `parallel_reduce`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Name
from regpress_lint.ir import ops
from regpress_lint.ir.graph import made_form
from regpress_lint.ir.objects import Memory, Place, flat

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Function
    from regpress_lint.ir.build.machine import Machine


def combine_results(machine: Machine, function: Function) -> None:
    """Hand what the parameters that are references hold at the end on to the other threads: the layer that launches the
    kernel combines it across lanes, so that it is no dead value.
    """
    for parameter in function.parameters:
        written = parameter.type.reference and not parameter.type.const
        value = machine.variables.get(parameter) if written else None
        if value is None or isinstance(value, (Memory, Place)):
            continue
        machine.graph.at = Name(parameter.span, parameter.name, parameter)
        for one in flat(value):
            if machine.graph.constants[one] is None:
                form = machine.graph.forms[one]
                machine.effect(ops.CONVERGENT, (one,), made_form(max(form.width, 1), form.kind), divergent=True)
