"""RP605 wide-index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity
from regpress_lint.api.report import place
from regpress_lint.api.syntax import (
    Assign,
    Binary,
    Call,
    Cast,
    Declare,
    Index,
    Member,
    Name,
    children,
    evaluate_int,
    nodes_of,
    walk,
)
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count, listing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.api.facts import HeldValue
    from regpress_lint.api.syntax import Expr, Function, Stmt, Type, Variable

_LEAST = 6  # registers: fewer are within what ptxas adds and saves by itself (`gather`, `element` among the pairs)
_MOST_NAMED, _MOST_STEPS = 4, 8
_WIDE = 8  # bytes
_COMBINED = frozenset(("^=", "|="))


class WideIndex(Rule):
    """64-bit integers that serve as indices and are alive where most registers are."""

    code = "RP605"
    name = "wide-index"
    severity = Severity.INFO
    vendors = ("nvidia", "intel")
    many_blocks = True
    tries_changes = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding for a kernel; what is tried afterwards decides what it is worth."""
        indices = dict(_indices(facts))
        views = _views(facts)
        if not views and sum(indices.values()) < _LEAST:  # as many registers, one of the two that each has
            return
        held: dict[str, tuple[HeldValue, ...]] = {}
        for name in facts.targets:
            if gpu(name).is_amd:
                continue
            typical, keeps_sums = facts.typical(name), gpu(name).is_intel
            values = tuple(
                value
                for value in typical.peak(name).values
                if value.variable in indices or (value.variable is None and value.wide and (views or keeps_sums))
            )
            saved = sum(value.registers for value in values) // 2
            if saved >= _LEAST:
                held[name] = values
        if held:
            shown = min(held, key=lambda name: (gpu(name).is_intel, name))  # whatever the order of the targets
            yield _finding(facts, held[shown], views, shown, dict.fromkeys(held, Severity.INFO))


def _indices(facts: KernelFacts) -> Iterator[tuple[Variable, int]]:
    """64-bit integers of the kernel and its callees that form an index, with how many elements each has."""
    data = _bits(facts)
    for variable in _behind_indices(facts):
        if _is_wide(variable) and variable.storage == "local" and variable not in data:
            elements = 1
            for extent in variable.dims:
                elements *= (evaluate_int(extent, facts.source.environment) or 1) if extent is not None else 1
            yield variable, elements


def _bits(facts: KernelFacts) -> set[Variable]:
    """Variables whose bits are combined, as a hash's or a checksum's: data, from which an index may come."""
    combined: set[Variable] = set()
    for function in facts.source.functions:
        for node in nodes_of(function):
            if isinstance(node, Assign) and node.op in _COMBINED:
                sides: tuple[Expr, ...] = (node.target, node.value)
            elif isinstance(node, Binary) and f"{node.op}=" in _COMBINED:
                sides = (node.left, node.right)
            else:
                continue
            whole = (side for side in map(_whole, sides) if side is not None)
            combined.update(side.variable for side in whole if side.variable is not None)
    return combined


def _whole(expr: Expr) -> Name | None:
    """The name of a variable, or of the array that an element is of."""
    while isinstance(expr, Index):
        expr = expr.base
    return expr if isinstance(expr, Name) else None


def _is_wide(variable: Variable) -> bool:
    type_ = variable.type
    plain = not type_.pointers and not type_.floating and not type_.struct and type_.lanes == 1
    return plain and type_.size == _WIDE


def _behind_indices(facts: KernelFacts) -> dict[Variable, None]:
    """The variables that the indices of a kernel and its callees name: directly, through the initialisers of others, or
    as arguments of a function that makes an index of its parameter.
    """
    behind_indices: dict[Variable, None] = {}
    for function in facts.source.functions:
        for node in nodes_of(function):
            if isinstance(node, Index):
                behind_indices.update(dict.fromkeys(_behind(node.index)))
    for function in reversed(facts.source.functions):
        for node in nodes_of(function):
            target = facts.callee_of(node) if isinstance(node, Call) else None
            if target is None or not isinstance(node, Call):
                continue
            for argument, parameter in zip(node.args, target.parameters, strict=False):
                if parameter in behind_indices:
                    behind_indices.update(dict.fromkeys(_behind(argument)))
    return behind_indices


def _behind(expr: Expr | Stmt, depth: int = 0) -> Iterator[Variable]:
    """The variables that an expression names, and those that their initialisers name; not behind what has 32 bits by a
    cast or by its variable, as an index from a hash.
    """
    if isinstance(expr, Cast) and _is_narrow(expr.type):
        return
    if not isinstance(expr, Name):
        for child in children(expr):
            yield from _behind(child, depth)
        return
    variable = expr.variable
    if variable is None:
        return
    yield variable
    if variable.init is not None and depth < _MOST_STEPS and not _is_narrow(variable.type):
        yield from _behind(variable.init, depth + 1)


def _is_narrow(type_: Type) -> bool:
    return not type_.pointers and not type_.floating and type_.size is not None and type_.size < _WIDE


def _views(facts: KernelFacts) -> tuple[Variable, ...]:
    """Parameters of the kernel that are objects, if an index multiplies by a member: `data[i * ld + j]` in a function
    of the class, `v.data[i * v.ld]` elsewhere. Whether the member has 64 bits, the change that is tried shows.
    """
    if not any(_multiplies_member(facts, node) for function in facts.source.functions for node in nodes_of(function)):
        return ()
    return tuple(
        parameter
        for parameter in facts.kernel.function.parameters
        if parameter.type.struct and not parameter.type.pointers
    )


def _multiplies_member(facts: KernelFacts, node: object) -> bool:
    if not isinstance(node, Index):
        return False
    sides = (
        side
        for expr in walk(node.index)
        if isinstance(expr, Binary) and expr.op == "*"
        for side in (expr.left, expr.right)
    )
    return any(_is_member(facts, side) for side in sides)


def _is_member(facts: KernelFacts, expr: object) -> bool:
    """A member that some object gives a value: a name that is neither a variable nor a constant is one of the class."""
    if isinstance(expr, Name):
        return expr.variable is None and facts.source.environment.names(expr.name) is None
    return isinstance(expr, Member)


def _finding(
    facts: KernelFacts,
    held: tuple[HeldValue, ...],
    views: tuple[Variable, ...],
    target: str,
    severities: Mapping[str, Severity],
) -> Finding:
    named = [value.variable for value in held if value.variable is not None]
    first = (named or [*views, *(variable for variable, _ in _indices(facts))])[0]
    home = next((function for function in facts.source.functions if _declares(function, first)), facts.kernel.function)
    where = place(facts, first.span, home.path, "the index")
    names = [f"`{variable.name}`" for variable in named[:_MOST_NAMED]]
    if len(named) > _MOST_NAMED:
        names.append(f"{len(named) - _MOST_NAMED} more")
    copies, registers = sum(value.copies for value in held), sum(value.registers for value in held)
    if any(value.variable is None for value in held):
        of = [f"`{view.name}`" for view in views[:_MOST_NAMED]]
        names.append(f"products with strides of {listing(of)}" if of else "their sums and products")
    message = (
        f"{count(copies, '64-bit index').removesuffix('s') if copies == 1 else f'{copies} 64-bit indices'} in "
        f"{listing(names)} hold {count(registers, 'register')} where most are alive on {target}: 32 bits take half"
    )
    help_ = "use `int` or `unsigned` where the values fit, also for those that they are compared with or computed from"
    if views:
        help_ += ", and for the strides of the class"
    notes: tuple[Note, ...] = where.notes
    return Finding(where.span, message, dict(severities), help_, notes)


def _declares(function: Function, variable: Variable) -> bool:
    return any(isinstance(node, Declare) and variable in node.variables for node in nodes_of(function))
