"""RP408 local-struct-copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, NamedTuple, Note, Rule, Severity, Span
from regpress_lint.api.facts import stays_in_place
from regpress_lint.api.memory import base_variable, is_load, memory_of, memory_root, written
from regpress_lint.api.report import place
from regpress_lint.api.syntax import (
    Assign,
    Call,
    Index,
    Member,
    Name,
    Unary,
    declaration_of,
    evaluate,
    expression_type,
    is_name,
    names_in,
    nodes_of,
)
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.api.syntax import Expr, Function, Stmt, Variable

_LDS_BYTES = 32  # AMD: up to here clang keeps an object in LDS, for each of the 1,024 threads that it assumes
_SMALLEST = 12
# Bytes that are neither read nor changed: a run of 16 stays one copy, and the copy's memory stays with it.
_UNTOUCHED = 24
_PURE = frozenset(("min", "max", "abs", "sqrt", "sqrtf", "fabs", "fabsf", "exp", "expf", "fma", "fmaf", "printf"))


class _Copy(NamedTuple):
    """A local struct that is loaded from memory, and its uses.

    fields: members that are read or changed, by name and constant index. changed: something is assigned to it.
    back: where the whole is stored. whole: it is used as a whole in other ways.
    """

    function: Function
    variable: Variable
    source: Expr
    uses: tuple[Name, ...]
    fields: frozenset[tuple[str, int | None]]
    touched: int
    changed: bool
    back: tuple[Assign, ...]
    whole: bool


class LocalStructCopy(Rule):
    """A struct that is copied from memory as a whole although few of its members are needed."""

    code = "RP408"
    name = "local-struct-copy"
    many_blocks = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a copy."""
        for function, variable, source in _candidates(facts):
            copy = _copy(facts, function, variable, source)
            if copy.whole and not copy.back:
                continue
            if (finding := _finding(facts, copy)) is not None:
                yield finding


def _candidates(facts: KernelFacts) -> Iterator[tuple[Function, Variable, Expr]]:
    called = (facts.callee_of(site.call) for site in facts.calls)
    kernel = facts.kernel.function
    for function in dict.fromkeys((kernel, *(target for target in called if target is not None))):
        for variable in facts.flow_of(function).declared:
            type_ = variable.type
            if not type_.struct or type_.pointers or type_.reference or variable.dims or variable.init is None:
                continue
            if variable.storage != "local" or (type_.size or 0) <= _SMALLEST or not _is_object(variable.init):
                continue
            yield function, variable, variable.init


def _is_object(init: Expr) -> bool:
    """True for an object in memory: `a[i]`, `*p`, `p->cell`, `a[i].cell`."""
    if isinstance(init, Member):
        return memory_root(init) is not None
    return is_load(init)


def _copy(facts: KernelFacts, function: Function, variable: Variable, source: Expr) -> _Copy:
    uses = tuple(name for name in names_in(function.body) if name.variable is variable)
    fields: set[tuple[str, int | None]] = set()
    seen: set[int] = set()
    back: list[Assign] = []
    changed, touched = False, 0
    for node in nodes_of(function):
        if (target := written(node)) is not None and base_variable(target) is variable:
            changed = True
        if isinstance(node, Assign) and node.op == "=" and is_name(node.value, variable) and _is_object(node.target):
            back.append(node)
            seen.add(id(node.value))
        if isinstance(node, Index) and isinstance(node.base, Member) and is_name(node.base.base, variable):
            seen.add(id(node.base.base))
            index = evaluate(node.index, facts.source.environment)
            fields.add((node.base.field, int(index) if index is not None else None))
        elif isinstance(node, Member) and not node.arrow and is_name(node.base, variable) and id(node.base) not in seen:
            seen.add(id(node.base))
            fields.add((node.field, -1))
    for field, index in fields:
        type_ = expression_type(Member(source.span, source, field, arrow=False), facts.file.type_of)
        # An array's whole size is not visible: an index that moves is taken to touch all of it.
        touched += (type_.size if type_ is not None and type_.size is not None and not type_.decayed else 4) or 4
        touched += (variable.type.size or 0) if index is None else 0
    whole = any(id(name) not in seen for name in uses)
    return _Copy(function, variable, source, uses, frozenset(fields), touched, changed, tuple(back), whole)


# ---------------------------------------------------------------------------------------------------------- verdict


def _finding(facts: KernelFacts, copy: _Copy) -> Finding | None:
    elsewhere = _stored_elsewhere(facts, copy)
    moving = not copy.changed and not copy.back and any(index is None for _, index in copy.fields)
    if not elsewhere and not moving:
        return None
    severities = {
        target: severity for target in facts.targets if (severity := _severity(facts, target, copy, moving=moving))
    }
    if not severities:
        return None
    variable, type_ = copy.variable, copy.variable.type
    size = type_.size or 0
    where = place(facts, variable.span, copy.function.path, "the copy")
    message = f"`{variable.name}` ({type_.name}, {count(size, 'byte')}) is copied from memory as a whole, "
    notes = where.notes
    if moving:
        access = _moving_access(facts, copy)
        shown = ""
        if where.here and access is not None:
            shown = f" (`{' '.join(facts.file.source.text(access.span).split())}`)"
            notes += (Note(access.span, "indexed at run time here"),)
        message += (
            f"because a member array is read at a run-time index{shown}: the copy goes to {_memory(severities, size)}"
        )
        help_ = f"read it where it is: `const {type_.name}& {variable.name} = ...`"
    else:
        memory = memory_of(severities, size - copy.touched, nvidia="registers")
        message += f"and stored elsewhere with few members touched: the rest goes through {memory}"
        if where.here:
            notes += (Note(copy.back[0].span, "stored here"),)
        help_ = (
            "declare both pointers `__restrict__` if they never overlap, or copy from memory to memory and change the "
            "members there, and time it: on NVIDIA that was slower"
        )
    fix = _fix(facts, copy) if moving and where.here else None
    return Finding(where.span, message, severities, help_, notes, fix)


def _memory(severities: Mapping[str, Severity], size: int) -> str:
    if all(gpu(target).is_nvidia for target in severities) and max(severities.values()) < Severity.WARNING:
        return "registers as a whole, and selects pick one element"
    return memory_of(severities, size)


def _stored_elsewhere(facts: KernelFacts, copy: _Copy) -> bool:
    """True if most of the copy is stored to a place that may overlap with where it is from, and is not the same."""
    size = copy.variable.type.size or 0
    if not copy.back or not copy.changed or copy.whole or size - copy.touched < _UNTOUCHED:
        return False
    text = facts.file.source.text
    in_file = copy.function.path in ("", facts.file.path)
    source = memory_root(copy.source)
    for store in copy.back:
        target = memory_root(store.target)
        if in_file and text(store.target.span) == text(copy.source.span):
            return False
        if source is not None and target is not None and source.type.restrict and target.type.restrict:
            return False
        if (source is not None and source.storage == "shared") != (target is not None and target.storage == "shared"):
            return False
    return True


def _severity(facts: KernelFacts, target: str, copy: _Copy, *, moving: bool) -> Severity | None:
    on, size = gpu(target), copy.variable.type.size or 0
    if on.is_intel:
        return None
    if not moving:
        # nvcc's copy is in registers, and the repair was measured to take 3.3 x the time.
        return Severity.INFO if on.is_amd else None
    if size <= _LDS_BYTES and (on.is_nvidia or facts.kernel.launch_bounds is not None):
        return None  # LDS for the threads of a bounded block is little
    accesses = [access for access in facts.execution(target).indexed if access.variable is copy.variable]
    if not accesses:
        return None
    if on.is_nvidia and stays_in_place(accesses, facts.compiler(target)):
        return Severity.INFO  # all of it is loaded, and a select a word picks the element: 1.13 x the time
    return Severity.WARNING


def _moving_access(facts: KernelFacts, copy: _Copy) -> Index | None:
    subscripts = (node for node in nodes_of(copy.function) if isinstance(node, Index))
    of_members = (
        node for node in subscripts if isinstance(node.base, Member) and base_variable(node.base) is copy.variable
    )
    return next((node for node in of_members if evaluate(node.index, facts.source.environment) is None), None)


# -------------------------------------------------------------------------------------------------------------- fix


def _fix(facts: KernelFacts, copy: _Copy) -> Fix | None:
    """`const T& t = a[i];` for `T t = a[i];`, where the declaration is written like this."""
    variable, source = copy.variable, facts.file.source
    declare = declaration_of(copy.function, variable)
    type_ = expression_type(copy.source, facts.file.type_of)
    if (
        declare is None
        or len(declare.variables) != 1
        or type_ is None
        or type_.volatile
        or type_.name != variable.type.name
    ):
        return None
    head = source.text(Span(variable.declaration.start, variable.span.start))
    middle = source.text(Span(variable.span.end, copy.source.span.start))
    if source.text(variable.span) != variable.name or middle.strip() != "=":
        return None
    words = head.split()
    if words not in ([variable.type.name], ["const", variable.type.name], ["struct", variable.type.name]):
        return None
    end = variable.declaration.start + len(head.encode().rstrip())
    start = variable.declaration.start
    edits = [Edit(Span(end, end), "&")]
    if words[0] != "const":
        edits.insert(0, Edit(Span(start, start), "const "))
    stable = _is_stable(facts, copy)
    return Fix("read through a reference", "safe" if stable else "unsafe", tuple(edits))


def _is_stable(facts: KernelFacts, copy: _Copy) -> bool:
    """True if nothing can change the object between the declaration and the last use of the copy."""
    root = memory_root(copy.source)
    if root is not None and root.type.restrict and root.type.pointee_const:
        return True
    begin, last = copy.variable.declaration.end, max(name.span.start for name in copy.uses)
    loops = facts.loops_of(copy.function)
    around = [loop.loop.span for loop in loops if not loop.loop.span.contains(copy.variable.span)]
    # A loop that uses the copy runs again: what stands behind the last use in it counts as well.
    end = max((span.end for span in around if span.start < last < span.end), default=last)
    return not any(_may_change(node, begin, end, last) for node in nodes_of(copy.function))


def _may_change(node: Expr | Stmt, begin: int, end: int, last: int) -> bool:
    if node.span.end <= begin or node.span.start >= end:
        return False
    if isinstance(node, Call):
        return node.name not in _PURE
    target = written(node)
    if target is None or not _is_memory(target):
        return False
    # The store of the last use's own statement is made when everything has been read, unless a loop repeats it.
    return not (end == last and node.span.contains(Span(last, last + 1)))


def _is_memory(target: Expr) -> bool:
    """True for what may be anywhere: a subscript of a pointer, `*p`, a member through a pointer."""
    if isinstance(target, Unary):
        return target.op == "*"
    if isinstance(target, Member) and target.arrow:
        return True
    if isinstance(target, (Index, Member)):
        root = base_variable(target)
        return root is None or not root.dims or root.storage == "shared" or _is_memory(target.base)
    return False
