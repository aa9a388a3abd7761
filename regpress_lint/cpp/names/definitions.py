"""Which of several definitions of one name counts: those in `#if` branches that are not compiled do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.conditions import arm_taken
from regpress_lint.cpp.constants import convert, evaluate
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.names.evaluation import PREFIX
from regpress_lint.cpp.names.scoped_constants import scoped_names
from regpress_lint.cpp.syntax_tree import Binary, Conditional
from regpress_lint.cpp.types import builtin_type

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.names.parsed_file import Unit
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.preprocess.macros import Macro


def macro_constant(scope: Scope, name: str) -> Number | None:
    """Value of an object-like macro; None if it is not a number or if definitions that may count disagree."""
    values: list[tuple[Macro, Number]] = []
    others: list[Macro] = []
    for macro in scope.unit.macros.all(name):
        value = scope.value_of_text(macro.body) if macro.params is None and macro.body else None
        if value is not None:
            values.append((macro, value))
        elif macro.body:
            others.append(macro)
    if values and others and _stands_for_another(scope, values, others):
        return None
    distinct = {value for _, value in values}
    if len(distinct) > 1:  # what the source defines under no condition takes the place of what the build gives
        distinct = {value for macro, value in values if macro.arm is None and _is_in_source(scope, macro)} or distinct
    if len(distinct) > 1:
        distinct = {value for macro, value in values if _macro_taken(scope, macro, known=True) is not False}
    if not distinct:  # `#ifndef NAME` around every one of them
        distinct = {value for macro, value in values if _macro_taken(scope, macro, known=False) is not False}
    return next(iter(distinct)) if len(distinct) == 1 else None


def _is_in_source(scope: Scope, macro: Macro) -> bool:
    return macro.path == scope.unit.source.path or macro.path in scope.project.closure(scope.unit)


def _stands_for_another(scope: Scope, values: list[tuple[Macro, Number]], others: list[Macro]) -> bool:
    """True if a definition that is no number is compiled for certain, and none of the numbers is:
    `#define TID (blockDim.x * blockIdx.x + threadIdx.x)` beside the `#define TID 0` for an editor's parser.
    """
    if any(_macro_taken(scope, macro, known=True) for macro, _ in values):
        return False
    return any(_macro_taken(scope, macro, known=True) for macro in others)


def _macro_taken(scope: Scope, macro: Macro, *, known: bool) -> bool | None:
    """Is the branch of a `#define` compiled, with the macro itself already defined (`known`) or not?"""
    unit: Unit | None = scope.unit
    if macro.path != scope.unit.source.path:
        unit = scope.project.unit(macro.path) if macro.path in scope.project.closure(scope.unit) else None
    if unit is None:
        return True  # given by a build file
    node = unit.parses[0].tree.root_node.descendant_for_byte_range(macro.offset, macro.offset)
    if node is None:
        return None

    def defined(name: str, position: int) -> str | None:
        if name != macro.name or known:
            return scope.defined_before(name, position, macro.path)
        earlier = (other for other in scope.unit.macros.all(name) if other.path == macro.path)
        return next((other.body for other in earlier if other.offset < position), None)

    return arm_taken(node, -1, unit.text, defined)


def looseness(scope: Scope, name: str) -> int:
    """0: the macro's body is one unit; 1: a product; 2: a quotient or remainder; 3: a sum or weaker (`16 + 2`).

    Of `N * 2` with `#define N 16 + 2` the compiler multiplies only the last part.
    """
    body = scope.macro(name)
    expr = scope.expression_of_text(body) if body is not None else None
    if body is None or not isinstance(expr, (Binary, Conditional)):
        return 0
    written = len(body.encode("utf-8", "replace").strip())
    first = len(PREFIX) + len(body) - len(body.lstrip())
    if expr.span.start > first or expr.span.end - expr.span.start < written:
        return 0  # in parentheses
    if isinstance(expr, Conditional) or expr.op not in ("*", "/", "%"):
        return 3
    return 1 if expr.op == "*" and "/" not in body and "%" not in body else 2


def compiled_alias(scope: Scope, unit: Unit, name: str) -> Node | None:
    """The type that a `typedef` or `using` of a file names: the first of several whose `#if` is not known to be
    skipped.

    Where the build alone says whether it is float or double, it counts as double: who takes it for the narrower one
    speaks of conversions that are not there.
    """
    found = _possible(scope, unit, unit.all_aliases.get(name, []))
    return next((node for node in found if len(found) > 1 and unit.text(node) == "double"), found[0] if found else None)


def shaped_alias(scope: Scope, unit: Unit, name: str) -> Node | None:
    """The declarator of a `typedef` that names an array or a pointer, as `compiled_alias`."""
    found = _possible(scope, unit, unit.shaped_aliases.get(name, []))
    return found[0] if found else None


def _possible(scope: Scope, unit: Unit, nodes: list[Node]) -> list[Node]:
    """Definitions whose `#if` is not known to be skipped; all of them where the build has to say which."""
    if len(nodes) < 2:
        return nodes

    def defined(macro: str, position: int) -> str | None:
        return scope.defined_before(macro, position, unit.source.path)

    return [node for node in nodes if arm_taken(node, -1, unit.text, defined) is not False] or nodes


def declared_constant(scope: Scope, unit: Unit, entries: list[Node | int]) -> Number | None:
    """Value of a constant with one or more definitions in `unit`."""
    values = {_entry_value(scope, unit, entry) for entry in entries}

    def defined(name: str, position: int) -> str | None:
        return scope.defined_before(name, position, unit.source.path)

    if len(values) > 1:
        taken = [
            entry
            for entry in entries
            if isinstance(entry, int) or arm_taken(entry, -1, unit.text, defined) is not False
        ]
        values = {_entry_value(scope, unit, entry) for entry in taken}
    return next(iter(values)) if len(values) == 1 else None


def _entry_value(scope: Scope, unit: Unit, entry: Node | int) -> Number | None:
    if isinstance(entry, int):
        return entry
    bound = scoped_names(unit, entry)
    value = evaluate(lower_expression(scope.context_for_text(unit, 0, bound), entry), scope.environment)
    owner = entry.parent
    if owner is not None and owner.type == "init_declarator":
        owner = owner.parent
    type_node = owner.child_by_field_name("type") if owner is not None else None
    scalar = builtin_type(unit.text(type_node)) if type_node is not None else None
    return convert(scalar, value) if scalar is not None and not scalar.struct and scalar.lanes == 1 else value
