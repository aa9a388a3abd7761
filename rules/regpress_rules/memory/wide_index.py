"""RP605 wide-index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity
from regpress_lint.api.report import place
from regpress_lint.api.syntax import Declare, Index, evaluate_int, names_behind, nodes_of
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count, listing
from regpress_lint.api.worth import step_severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.api.facts import HeldValue
    from regpress_lint.api.syntax import Function, Variable

_LEAST = 6  # registers: fewer are within what ptxas adds and saves by itself (`gather`, `element` among the pairs)
_MOST_NAMED = 4


class WideIndex(Rule):
    """64-bit integers that serve as indices and are alive where most registers are."""

    code = "RP605"
    name = "wide-index"
    severity = Severity.INFO
    vendors = ("nvidia",)
    many_blocks = True
    tries_changes = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding for a kernel; what is tried afterwards decides what it is worth."""
        indices = dict(_indices(facts))
        if sum(indices.values()) < _LEAST:  # as many registers, one of the two that each has
            return
        severities: dict[str, Severity] = {}
        held: tuple[HeldValue, ...] = ()
        target = ""
        for name in facts.targets:
            if not gpu(name).is_nvidia:
                continue
            own = facts.typical(name)
            found = tuple(each for each in own.peak(name).values if each.variable in indices)
            saved = sum(each.registers for each in found) // 2
            if saved >= _LEAST:
                severities[name] = min(step_severity(own, name, saved), Severity.INFO)
                held, target = (held, target) if held else (found, name)
        if severities and (facts.wants_hints or max(severities.values()) > Severity.HINT):
            yield _finding(facts, held, target, severities)


def _indices(facts: KernelFacts) -> Iterator[tuple[Variable, int]]:
    """64-bit integers of the kernel and its callees that form an index, with how many elements each has."""
    for function in facts.functions:
        behind = _behind_indices(function)
        for variable in behind:
            type_ = variable.type
            plain = not type_.pointers and not type_.floating and not type_.struct and type_.lanes == 1
            if plain and type_.size == 8 and variable.storage == "local":
                elements = 1
                for extent in variable.dims:
                    elements *= (evaluate_int(extent, facts.environment) or 1) if extent is not None else 1
                yield variable, elements


def _behind_indices(function: Function) -> dict[Variable, None]:
    """The variables that the indices of a function name, directly or through what others are initialised with."""
    declared = {each for node in nodes_of(function) if isinstance(node, Declare) for each in node.variables}
    found: dict[Variable, None] = {}
    for node in nodes_of(function):
        if isinstance(node, Index):
            for name in names_behind(node.index):
                if name.variable is not None and name.variable in declared:
                    found[name.variable] = None
    return found


def _finding(
    facts: KernelFacts, held: tuple[HeldValue, ...], target: str, severities: Mapping[str, Severity]
) -> Finding:
    variables = [each.variable for each in held if each.variable is not None]
    home = next(function for function in facts.functions if _declares(function, variables[0]))
    where = place(facts, variables[0].span, home.path, "the index")
    names = [f"`{each.name}`" for each in variables[:_MOST_NAMED]]
    more = len(variables) - _MOST_NAMED
    if more > 0:
        names.append(f"{more} more")
    copies, registers = sum(each.copies for each in held), sum(each.registers for each in held)
    message = (
        f"{count(copies, '64-bit index').removesuffix('s') if copies == 1 else f'{copies} 64-bit indices'} in "
        f"{listing(names)} hold {count(registers, 'register')} where most are alive on {target}: 32 bits take half"
    )
    help_ = "use `int` or `unsigned` where the values fit, for what they are compared with and made of as well"
    notes: tuple[Note, ...] = where.notes
    return Finding(where.span, message, dict(severities), help_, notes, None, facts.kernel.name)


def _declares(function: Function, variable: Variable) -> bool:
    return any(isinstance(node, Declare) and variable in node.variables for node in nodes_of(function))
