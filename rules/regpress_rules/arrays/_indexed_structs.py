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
    from collections.abc import Collection, Iterator

    from regpress_lint.api.syntax import Function, Variable

_FEW_BYTES = 32
_SHARED_BYTES = 48 * 1024  # static shared memory of a block on NVIDIA, and less than an AMD work-group may have


def in_shared(facts: KernelFacts, bytes_: int | None) -> bool:
    """True if shared memory has room for so many bytes of every thread of a block."""
    return (bytes_ or 0) * facts.launch.block_size <= _SHARED_BYTES


def indexed_structs(facts: KernelFacts) -> Iterator[Finding]:
    """Structs (and vectors read through a pointer of another type) of which a part is picked at run time."""
    candidates = {
        variable: (function, index)
        for function in facts.source.functions
        for variable, index in _picked(facts, function)
    }
    if not candidates:
        return
    by_variable: dict[Variable, dict[str, Severity]] = {}
    sizes: dict[Variable, int] = {}
    for target in facts.targets:
        for accesses in facts.objects_in_memory(target):
            variable = accesses[0].variable
            if variable in candidates and accesses[0].bytes:
                curable = in_shared(facts, accesses[0].bytes)
                if gpu(target).is_intel:  # where the part that is indexed may have room as an array of its own
                    curable = curable and accesses[0].bytes > _FEW_BYTES
                by_variable.setdefault(variable, {})[target] = Severity.WARNING if curable else Severity.INFO
                sizes[variable] = accesses[0].bytes
    for variable, severities in by_variable.items():
        function, index = candidates[variable]
        where = place(facts, variable.span, function.path, "the variable")
        frames = {target: gpu(target).private_memory for target in severities}
        message = (
            f"private `{variable.name}` ({variable.type.shown}, {count(sizes[variable], 'byte')} per thread) goes to "
            f"{places(frames)} as a whole, because {_part(facts, index, in_file=where.here)} is indexed at run time"
        )
        notes = where.notes
        how = "handed on" if isinstance(index, Call) else "indexed at run time"
        notes += (Note(index.span, f"{how} here", function.path or None),)
        words = sizes[variable] // 4
        help_ = (
            "index it with constants (unrolled loops with constant bounds), or keep the part that is indexed in an "
            "array of its own"
            if any(words <= facts.target(target).budget for target in severities)
            else "keep fewer or smaller elements in a thread: no thread has so many registers"
        )
        yield Finding(where.span, message, severities, help_, notes)


def _part(facts: KernelFacts, index: Index | Call, *, in_file: bool) -> str:
    if isinstance(index, Call):
        return f"a part of it, in `{index.name}` or a function that this calls," if index.name else "a part of it"
    text = one_line(facts.file.source, index.span) if in_file else ""
    return f"`{text}`" if text and len(text) <= 40 else "a part of it"


def _picked(facts: KernelFacts, function: Function) -> Iterator[tuple[Variable, Index | Call]]:
    """Local structs and vectors that may be indexed at run time, with the subscript if it is in this function, and the
    call if it is in another.

    A candidate is one with a subscript that is no literal somewhere below it, and one that is passed to a function, as
    an argument or as the object of a member function.
    """
    declared = facts.flow_of(function).declared
    wanted = {v for v in declared if v.storage == "local" and (v.type.struct or v.type.lanes > 1) and _own(v)}
    if not wanted:
        return
    copied = {loop.counter for loop in facts.loops_of(function) if loop.unrolled}
    chosen: dict[Variable, Index | Call] = {}
    for node in nodes_of(function):
        if isinstance(node, Call):
            target = facts.callee_of(node)
            pairs = zip(node.args, target.parameters, strict=False) if target is not None else ()
            handed = [argument for argument, parameter in pairs if target is not None and _may_pick(target, parameter)]
            if isinstance(node.callee, Member):
                handed.append(node.callee.base)
            elif isinstance(node.callee, Name) and node.callee.variable in wanted:  # its `operator()`
                handed.append(node.callee)
            roots = [root for root in map(own_root, handed) if root in wanted]
        elif isinstance(node, Index) and not isinstance(node.index, Constant):
            roots = [root] if (root := own_root(node.base)) in wanted else []
        else:
            continue
        for root in roots:
            if root is not None and (root not in chosen or _says_more(node, chosen[root], copied)):
                chosen[root] = node
    for variable, index in chosen.items():
        if facts.array_of(variable) is None:
            yield variable, index


def _says_more(place: Index | Call, earlier: Index | Call, copied: Collection[Variable | None]) -> bool:
    """True if a place says more than a known one: a subscript more than a call, and one of the counters of loops that
    are copied, which is a constant in each copy, less than both.
    """

    def is_constant(index: Index | Call) -> bool:
        return isinstance(index, Index) and all(name.variable in copied for name in names_in(index.index))

    return is_constant(earlier) or (isinstance(earlier, Call) and isinstance(place, Index) and not is_constant(place))


def _may_pick(function: Function, parameter: Variable) -> bool:
    """True if a function indexes what it is handed, or hands it on. A look at its text; an execution costs far more."""
    for node in nodes_of(function):
        if isinstance(node, Index) and not isinstance(node.index, Constant) and _mentions(node.base, parameter):
            return True
        if isinstance(node, Call):
            handed = (*node.args, *((node.callee.base,) if isinstance(node.callee, Member) else ()))
            if any(_mentions(argument, parameter) for argument in handed):
                return True
        stored = node.value if isinstance(node, Assign) else None
        if stored is not None and isinstance(stored, (Name, Unary)) and _mentions(stored, parameter):
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
