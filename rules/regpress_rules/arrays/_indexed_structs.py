"""Structs, and vectors read through a pointer of another type, with a part that is picked at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Note, Severity
from regpress_lint.api.memory import is_load, own_root, places
from regpress_lint.api.report import place
from regpress_lint.api.syntax import Assign, Call, Constant, Expr, Index, Member, Name, Unary, names_in, nodes_of
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api.syntax import Function, Variable

_FEW_BYTES = 32
_SHARED_BYTES = 48 * 1024  # static shared memory of a block on NVIDIA, and less than an AMD work-group may have


def in_shared(facts: KernelFacts, bytes_: int | None) -> bool:
    """True if shared memory has room for so many bytes of every thread of a block."""
    return (bytes_ or 0) * facts.block_size <= _SHARED_BYTES


def indexed_structs(facts: KernelFacts) -> Iterator[Finding]:
    """Structs (and vectors read through a pointer of another type) of which a part is picked at run time."""
    candidates = {
        variable: (function, index) for function in facts.functions for variable, index in _picked(facts, function)
    }
    if not candidates:
        return
    found: dict[Variable, dict[str, Severity]] = {}
    sizes: dict[Variable, int] = {}
    for target in facts.targets:
        for accesses in facts.objects_in_memory(target):
            variable = accesses[0].variable
            if variable in candidates and accesses[0].bytes:
                curable = in_shared(facts, accesses[0].bytes)
                if gpu(target).is_intel:  # where the part that is indexed may have room as an array of its own
                    curable = curable and accesses[0].bytes > _FEW_BYTES
                found.setdefault(variable, {})[target] = Severity.WARNING if curable else Severity.INFO
                sizes[variable] = accesses[0].bytes
    for variable, severities in found.items():
        function, index = candidates[variable]
        where = place(facts, variable.span, function.path, "the variable")
        frames = {target: gpu(target).private_memory for target in severities}
        message = (
            f"private `{variable.name}` ({variable.type.shown}, {count(sizes[variable], 'byte')} per thread) goes to "
            f"{places(frames)} as a whole, because {_part(facts, index, here=where.here)} is indexed at run time"
        )
        notes = where.notes
        if index is not None:
            notes += (Note(index.span, "indexed at run time here", function.path or None),)
        help_ = (
            "index it with constants (unrolled loops with constant bounds), or keep the part that is indexed in an "
            "array of its own"
        )
        yield Finding(where.span, message, severities, help_, notes, None, facts.kernel.name)


def _part(facts: KernelFacts, index: Index | None, *, here: bool) -> str:
    if index is None:
        return "a part of it, in a function that it is passed to,"
    text = one_line(facts.file.source, index.span) if here else ""
    return f"`{text}`" if text and len(text) <= 40 else "a part of it"


def _picked(facts: KernelFacts, function: Function) -> Iterator[tuple[Variable, Index | None]]:
    """Local structs and vectors that may be indexed at run time, and the subscript if it is in this function.

    A candidate is one with a subscript that is no literal somewhere below it, and one that is passed to a function, as
    an argument or as the object of a member function.
    """
    declared = facts.flow_of(function).declared
    wanted = {v for v in declared if v.storage == "local" and (v.type.struct or v.type.lanes > 1) and _own(v)}
    if not wanted:
        return
    copied = {loop.counter for loop in facts.loops_of(function) if loop.unrolled}
    found: dict[Variable, Index | None] = {}
    for node in nodes_of(function):
        if isinstance(node, Call):
            target = facts.callee_of(node)
            pairs = zip(node.args, target.parameters, strict=False) if target is not None else ()
            handed = [argument for argument, parameter in pairs if target is not None and _may_pick(target, parameter)]
            if isinstance(node.callee, Member):
                handed.append(node.callee.base)
            elif isinstance(node.callee, Name) and node.callee.variable in wanted:  # its `operator()`
                handed.append(node.callee)
            for root in map(own_root, handed):
                if root in wanted:
                    found.setdefault(root, None)
        elif isinstance(node, Index) and not isinstance(node.index, Constant):
            root = own_root(node.base)
            known = found.get(root) if root is not None else None
            if root in wanted and (known is None or all(name.variable in copied for name in names_in(known.index))):
                found[root] = node
    for variable, index in found.items():
        if facts.array_of(variable) is None:
            yield variable, index


def _may_pick(function: Function, parameter: Variable) -> bool:
    """True if a function indexes what it is handed, or hands it on. A look at its text; an execution costs far more."""
    for node in nodes_of(function):
        if isinstance(node, Index) and not isinstance(node.index, Constant) and _mentions(node.base, parameter):
            return True
        if isinstance(node, Call):
            handed = (*node.args, *((node.callee.base,) if isinstance(node.callee, Member) else ()))
            if any(_mentions(argument, parameter) for argument in handed):
                return True
        kept = node.value if isinstance(node, Assign) else None
        if kept is not None and isinstance(kept, (Name, Unary)) and _mentions(kept, parameter):
            return True  # a pointer to it, perhaps
    return False


def _mentions(expr: Expr, variable: Variable) -> bool:
    return any(name.variable is variable for name in names_in(expr))


def _own(variable: Variable) -> bool:
    """True for an object that is no copy of one in memory (the copy is what another rule is about)."""
    type_ = variable.type
    if type_.pointers or type_.reference or variable.volatile_span is not None:
        return False
    return variable.init is None or not is_load(variable.init)
