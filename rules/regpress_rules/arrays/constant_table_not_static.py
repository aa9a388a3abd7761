"""RP404 constant-table-not-static."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Note, Rule, Severity, Span
from regpress_lint.api.facts import constant_table
from regpress_lint.api.memory import first_dynamic, places
from regpress_lint.api.report import place
from regpress_lint.api.syntax import Constant, InitList, LambdaExpr, Name, declaration_of, nodes_of, walk
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count, moving_index, spelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import Applicability
    from regpress_lint.api.facts import PrivateArray
    from regpress_lint.api.syntax import Expr

_LONGEST_SHOWN = 40
_CONSTEXPR = re.compile(r"\b(?:constexpr|consteval)\b")
_PLAIN_HEAD = re.compile(r"[A-Za-z_]\w*\b(?!\s*\()")


class ConstantTableNotStatic(Rule):
    """A table of constants that every thread copies into its own memory."""

    code = "RP404"
    name = "constant-table-not-static"
    vendors = ("amd", "nvidia")
    needs = ("arrays",)
    many_blocks = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a table."""
        for array in facts.arrays:
            if array.variable.storage not in ("local", "constexpr") or array.escapes:
                continue
            if (
                array.variable.volatile_span is not None
                or (fill := constant_table(array, facts.source.environment)) is None
            ):
                continue
            if (finding := _finding(facts, array, assigned=fill == "assignments")) is not None:
                yield finding


def _finding(facts: KernelFacts, array: PrivateArray, *, assigned: bool) -> Finding | None:
    # As each target's compiler sees it: one that knows all indices has no table in memory.
    on = {name: seen for name in facts.targets if (seen := facts.array_for(name, array)).dynamic}
    # An index of names that nothing settles, as a template's arguments, is a constant most likely.
    paying = [
        target
        for target, seen in on.items()
        if _pays(facts, target, seen, assigned=assigned) and not facts.is_guessed(array, target)
    ]
    severities = dict.fromkeys(paying, Severity.WARNING)
    if not severities:
        return None
    variable, function = array.variable, array.function
    where = place(facts, variable.span, function.path, "the table")
    type_, size = spelled(variable.type), f", {count(array.bytes, 'byte')}" if array.bytes is not None else ""
    memory = places({target: gpu(target).private_memory for target in severities})
    how = "fills a copy of its own" if assigned else "copies it"
    message = f"constant table `{variable.name}` ({array.elements} x {type_}{size}): every thread {how} in {memory}"
    access = first_dynamic(array)
    notes = where.notes
    if where.here and access is not None:
        index = moving_index(facts, access)
        if 0 < len(index) <= _LONGEST_SHOWN:
            message += f", because index `{index}` is known only at run time"
        notes += (Note(access.span, "read at run time here"),)
    if assigned:
        help_ = f"write it as `static const {type_} {variable.name}[...] = {{...}}`: one table for all threads"
    else:
        help_ = "declare it `static`: one table in constant memory for all threads"
    fix = _fix(facts, array) if where.here and not assigned else None
    return Finding(where.span, message, severities, help_, notes, fix)


def _pays(facts: KernelFacts, target: str, array: PrivateArray, *, assigned: bool) -> bool:
    """True if the target's compiler keeps a table for every thread; clang, which compiles SYCL for NVIDIA too, folds
    one that is initialised.
    """
    on = gpu(target)
    if on.is_nvidia:
        if array.stays_in_registers(on.vendor):
            return False
        if facts.kernel.language == "sycl":
            return assigned
        return True
    return on.is_amd and assigned and not array.stays_in_registers(on.vendor)


# ------------------------------------------------------------------------------------------------------------ fix


def _fix(facts: KernelFacts, array: PrivateArray) -> Fix | None:
    variable, function, source = array.variable, array.function, facts.file.source
    declared, text = variable.declaration, source.text(variable.declaration)
    if source.text(variable.span) != variable.name or not declared.contains(variable.span):
        return None
    if not _PLAIN_HEAD.match(text) or text.startswith(("static", "extern", "alignas", "else", "register")):
        return None
    if _CONSTEXPR.search(source.text(Span(function.span.start, function.name_span.start))):
        return None
    if not _alone(array) or any(access.kind == "address" for access in array.accesses):
        return None
    constant = variable.type.const or variable.storage == "constexpr"
    literal = variable.init is not None and _is_constant_expression(facts, variable.init)
    plain = not variable.type.struct and variable.type.lanes == 1
    word = "static " if constant else "static const "
    edit = Edit(Span(declared.start, declared.start), word)
    promise: Applicability = "safe" if literal and plain else "unsafe"
    return Fix(f"add `{word.strip()}`", promise, (edit,))


def _alone(array: PrivateArray) -> bool:
    """Whether the declaration has no other variable and is outside of lambdas."""
    lambdas = (node for node in nodes_of(array.function) if isinstance(node, LambdaExpr))
    declare = declaration_of(array.function, array.variable)
    single = declare is not None and len(declare.variables) == 1
    return single and not any(node.span.contains(array.variable.span) for node in lambdas)


def _is_constant_expression(facts: KernelFacts, init: Expr) -> bool:
    """Whether the initialiser is valid for `static` in device code, where nothing is initialised at run time."""
    for node in walk(init):
        if isinstance(node, (Constant, InitList)):
            continue
        if isinstance(node, Name):
            variable = node.variable
            if variable is not None and variable.storage != "constexpr":
                return False
            if variable is None and facts.file.macro(node.name) is None:
                return False
            continue
        if type(node).__name__ not in ("Unary", "Binary", "Cast"):
            return False
    return True
