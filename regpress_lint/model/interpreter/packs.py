"""Parameter packs: `f(t...)` and `(t + ...)` for as many arguments as the executed call gives; what is not followed, a
pack of constants or of braces for an array, is in the ledger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Binary, Call, Name, Unknown, Variable
from regpress_lint.cpp.traversal import walk
from regpress_lint.model.graph.objects import Memory, Place
from regpress_lint.model.interpreter.member_calls import PACK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.cpp.syntax_tree import Expr
    from regpress_lint.model.graph.objects import Value
    from regpress_lint.model.interpreter.machine import Machine

FOLD = "fold_expression"
_HANDED_ON = frozenset(("forward", "move"))
_NOT_FOLLOWED = "what `{}...` of a template stands for is not followed: it is executed once, however many there are"


def with_elements(machine: Machine, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The arguments of a call, each `pattern...` as one for each element of its packs."""
    if not any(arg.__class__ is Unknown and arg.kind == PACK for arg in args):
        return args
    found: list[Expr] = []
    for arg in args:
        pattern = arg.children[0] if isinstance(arg, Unknown) and arg.kind == PACK and arg.children else None
        packs = _packs_in(machine, pattern)
        if pattern is None or not packs:
            found.append(pattern if pattern is not None and _is_one(machine, pattern) else arg)
        else:
            found += _elements(machine, pattern, packs)
    return tuple(found)


def _packs_in(machine: Machine, pattern: Expr | None) -> tuple[Variable, ...]:
    names = [node.variable for node in walk(pattern) if isinstance(node, Name) and node.variable is not None]
    return tuple(dict.fromkeys(variable for variable in names if variable in machine.packs))


def _is_one(machine: Machine, pattern: Expr) -> bool:
    """Whether a pattern has a parameter that was given one argument."""
    names = (node.variable for node in walk(pattern) if isinstance(node, Name))
    return any(one is not None and one.storage == "parameter" and one in machine.variables for one in names)


def _elements(machine: Machine, pattern: Expr, packs: tuple[Variable, ...]) -> Iterator[Expr]:
    named = pattern
    if isinstance(pattern, Call) and pattern.name in _HANDED_ON and len(pattern.args) == 1:  # `std::forward<T>(t)...`
        named = pattern.args[0]
    if isinstance(named, Name):
        yield from (Name(named.span, one.name, one) for one in machine.packs[packs[0]])
        return
    for _ in _each(machine, packs):
        type_ = machine.type_of(pattern) or packs[0].type
        value = machine.evaluate(pattern)
        held = Variable("", type_._replace(reference=False), pattern.span, pattern.span)
        if isinstance(value, (Place, Memory)) and not type_.pointers:
            machine.references.add(held)
        machine.variables[held] = value
        yield Name(pattern.span, "", held)


def _each(machine: Machine, packs: Sequence[Variable]) -> Iterator[int]:
    """Let the packs stand for one of their elements after the other."""
    variables = machine.variables
    for position in range(min(len(machine.packs[pack]) for pack in packs)):
        ones = [machine.packs[pack][position] for pack in packs]
        for pack, one in zip(packs, ones, strict=True):
            variables[pack] = variables[one]
        yield position
        for pack, one in zip(packs, ones, strict=True):
            variables[one] = variables[pack]


def folded(machine: Machine, expr: Unknown) -> Value | None:
    """The value of a fold over a pack; None, with an entry in the ledger, where it is not known what it stands for."""
    from regpress_lint.model.interpreter.operators import combined

    operation = expr.children[0] if expr.children else None
    if not isinstance(operation, Binary):
        return None
    sides = [side for side in (operation.left, operation.right) if not _is_dots(side)]
    pattern = next((side for side in sides if _packs_in(machine, side)), None)
    if pattern is None:
        return machine.evaluate(sides[0]) if len(sides) == 1 and _is_one(machine, sides[0]) else None
    first = [machine.evaluate(side) for side in sides if side is not pattern]
    values = [*first, *(machine.evaluate(pattern) for _ in _each(machine, _packs_in(machine, pattern)))]
    if not values:
        return machine.undefined
    result = values[0]
    for value in values[1:]:
        result = value if operation.op == "," else combined(machine, operation.op, result, value)
    return result


def _is_dots(side: Expr) -> bool:
    return isinstance(side, Unknown) and side.kind == "..."


def not_followed(machine: Machine, expr: Unknown) -> None:
    """Note a pack of which only one element is executed."""
    from regpress_lint.source.indices import spelled

    inner = expr.children[0] if expr.kind == PACK and expr.children else None
    name = spelled(inner) if inner is not None else ""
    machine.unknown("loop", name, expr.span, _NOT_FOLLOWED.format(name), "up")
