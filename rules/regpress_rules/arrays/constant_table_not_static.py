"""RP404 constant-table-not-static."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Note, Rule, Severity, Span
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax import Binary, Constant, Declare, InitList, LambdaExpr, Name, Update
from regpress_lint.cpp.traversal import walk
from regpress_lint.source_level.tables import constant_table
from regpress_rules._place import place, vendor_of
from regpress_rules._words import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax import Expr
    from regpress_lint.source_level.arrays import Access, PrivateArray

_LONGEST_SHOWN = 40
_WORD, _AT_ONCE, _MOST_IN_FOURS = 4, 4, 32
_CONSTEXPR = re.compile(r"\b(?:constexpr|consteval)\b")
_PLAIN_HEAD = re.compile(r"[A-Za-z_]\w*\b(?!\s*\()")


class ConstantTableNotStatic(Rule):
    """A table of constants that every thread copies into its own memory."""

    code = "RP404"
    name = "constant-table-not-static"
    vendors = ("amd", "nvidia")
    needs = ("arrays",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a table."""
        if all(vendor_of(target) == "intel" for target in facts.targets):
            return
        for array in facts.arrays:
            if array.variable.storage not in ("local", "constexpr") or not array.dynamic or array.escapes:
                continue
            if array.variable.volatile_span is not None or (fill := constant_table(array, facts.environment)) is None:
                continue
            finding = _finding(facts, array, assigned=fill == "assignments")
            if finding is not None:
                yield finding


def _finding(facts: KernelFacts, array: PrivateArray, *, assigned: bool) -> Finding | None:
    slow = _slower_when_static(facts, array)
    severities = {
        target: Severity.INFO if slow and vendor_of(target) == "nvidia" else Severity.WARNING
        for target in facts.targets
        if _pays(facts, target, array, assigned=assigned)
    }
    if not severities:
        return None
    variable, function = array.variable, array.function
    where = place(facts, variable.span, function.path, "the table")
    type_, size = variable.type.name, f", {count(array.bytes, 'byte')}" if array.bytes is not None else ""
    memory = "local memory" if all(vendor_of(target) == "nvidia" for target in severities) else "scratch"
    how = "fills a table of its own by assignments" if assigned else "copies it"
    message = f"constant table `{variable.name}` ({array.elements} x {type_}{size}): every thread {how} in {memory}"
    access = _first(array)
    notes = where.notes
    if where.here and access is not None:
        index = _shown_index(facts, access)
        if 0 < len(index) <= _LONGEST_SHOWN:
            message += f", because index `{index}` is known only at run time"
        notes += (Note(access.span, "read at run time here"),)
    if assigned:
        help_ = f"write it as `static const {type_} {variable.name}[...] = {{...}}`: one table for all threads"
    else:
        help_ = "declare it `static`: one table in constant memory for all threads"
    if slow:
        help_ += (
            "; the index differs between threads, for which such a table took 1.07 x the time in a loop on an H200: "
            "measure it, or put the table into shared memory"
        )
    fix = _fix(facts, array, safe=not slow) if where.here and not assigned else None
    return Finding(where.span, message, severities, help_, notes, fix, facts.kernel.name)


def _pays(facts: KernelFacts, target: str, array: PrivateArray, *, assigned: bool) -> bool:
    """True if the target's compiler keeps a table for every thread; clang folds one (and compiles SYCL)."""
    vendor = vendor_of(target)
    if vendor == "nvidia":
        if facts.kernel.language == "sycl" or array.stays_in_registers("nvidia"):
            return False
        return not _in_fours(facts, array)
    return vendor == "amd" and assigned and not array.stays_in_registers("amd")


def _in_fours(facts: KernelFacts, array: PrivateArray) -> bool:
    """True for a small table that loops only step through from a constant on: nvcc unrolls them four times, reads four
    words at once, and ptxas then has so few places to select from that it needs no frame.
    """
    elements = array.elements
    if elements is None or elements % _AT_ONCE or elements > _MOST_IN_FOURS or array.element_bytes != _WORD:
        return False
    return all(len(access.indices) == 1 and _steps_through(facts, access) for access in array.dynamic)


def _steps_through(facts: KernelFacts, access: Access) -> bool:
    index, loop = access.indices[0], access.loops[-1] if access.loops else None
    if loop is None or loop.unrolled or not isinstance(loop.loop.step, Update):
        return False
    if isinstance(index, Binary) and index.op in ("+", "-") and evaluate(index.right, facts.environment) is not None:
        index = index.left
    if not isinstance(index, Name) or index.variable is not loop.counter or loop.counter is None:
        return False
    return evaluate(loop.counter.init, facts.environment) is not None


def _slower_when_static(facts: KernelFacts, array: PrivateArray) -> bool:
    """True if a loop reads the table at an index that may differ between threads: constant memory takes turns then."""
    function = array.function
    for access in array.dynamic:
        if all(loop.unrolled or loop.loop.span.contains(array.variable.span) for loop in access.loops):
            continue
        own = function.span.contains(access.span)  # else in a function that it is handed to
        if not own or not all(map(facts.uniform(function=function), access.indices)):
            return True
    return False


def _first(array: PrivateArray) -> Access | None:
    """The first run-time index in the function that owns the table."""
    body = array.function.span
    return next((access for access in array.dynamic if access.indices and body.contains(access.span)), None)


def _shown_index(facts: KernelFacts, access: Access) -> str:
    """The index that is no constant, as it is written."""
    moving = (index for index in access.indices if evaluate(index, facts.environment) is None)
    index = next(moving, None)
    return "" if index is None else " ".join(facts.file.source.text(index.span).split())


# ------------------------------------------------------------------------------------------------------------ fix


def _fix(facts: KernelFacts, array: PrivateArray, *, safe: bool) -> Fix | None:
    variable, function, source = array.variable, array.function, facts.file.source
    declared, text = variable.declaration, source.text(variable.declaration)
    if source.text(variable.span) != variable.name or not declared.contains(variable.span):
        return None
    if not _PLAIN_HEAD.match(text) or text.startswith(("static", "extern", "alignas", "else", "register")):
        return None
    if _CONSTEXPR.search(source.text(Span(function.span.start, function.name_span.start))):
        return None
    if _alone(array) is False or any(access.kind == "address" for access in array.accesses):
        return None
    constant = variable.type.const or variable.storage == "constexpr"
    literal = variable.init is not None and _is_constant_expression(facts, variable.init)
    plain = not variable.type.struct and variable.type.lanes == 1
    word = "static " if constant else "static const "
    edit = Edit(Span(declared.start, declared.start), word)
    return Fix(f"add `{word.strip()}`", "safe" if safe and literal and plain else "unsafe", (edit,))


def _alone(array: PrivateArray) -> bool:
    """True if the declaration has no other variable and stands in no lambda."""
    own = False
    for node in walk(array.function.body):
        if isinstance(node, LambdaExpr) and node.span.contains(array.variable.span):
            return False
        if isinstance(node, Declare) and array.variable in node.variables:
            own = len(node.variables) == 1
    return own


def _is_constant_expression(facts: KernelFacts, init: Expr) -> bool:
    """True if the initialiser may stand behind `static` in device code, where nothing is initialised at run time."""
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
