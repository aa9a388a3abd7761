"""RP601 written-by-value-argument."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, NamedTuple, Note, Rule, Severity, Span
from regpress_lint.api.facts import root_variable, stays_in_place
from regpress_lint.api.memory import is_handed, memory_of, written
from regpress_lint.api.report import place
from regpress_lint.api.syntax import Call, Cast, Index, Member, evaluate, expression_type, names_in, nodes_of
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.api.syntax import Expr, Variable

_SMALLEST = 32  # bytes; what is not larger was seen in registers or LDS
_LONGEST_SHOWN = 40
_CONSTANT = "const __grid_constant__"
_VOLTA = 70  # the first that has it


class _Uses(NamedTuple):
    """Uses of a by-value argument in a kernel's body.

    moving: subscripts that are no constants as written. writes: whatever is assigned to. calls: calls of functions that
    are not inlined and get the address or a copy. handed: it goes to some other call.
    """

    moving: tuple[Index, ...]
    writes: tuple[Expr, ...]
    calls: tuple[Call, ...]
    handed: bool


class WrittenByValueArgument(Rule):
    """A by-value argument that every thread has to copy into its own memory."""

    code = "RP601"
    name = "written-by-value-argument"
    needs = ("kernel.function.parameters",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding an argument."""
        function = facts.kernel.function
        for variable in function.parameters:
            type_ = variable.type
            if not type_.struct or type_.pointers or type_.reference or (type_.size or 0) <= _SMALLEST:
                continue
            uses = _uses(facts, variable)
            if not uses.calls and not uses.handed and not uses.moving:
                continue
            if (finding := _finding(facts, variable, uses)) is not None:
                yield finding


def _uses(facts: KernelFacts, variable: Variable) -> _Uses:
    moving: list[Index] = []
    writes: list[Expr] = []
    calls: list[Call] = []
    handed = False
    counters = {
        loop.counter for loop in facts.source.loops if loop.loop.unroll is not None and loop.loop.unroll.factor is None
    }
    for node in nodes_of(facts.kernel.function):
        if (target := written(node)) is not None and _is_part(facts, target, variable):
            writes.append(target)
        if isinstance(node, Index) and _is_part(facts, node, variable):
            if evaluate(node.index, facts.source.environment) is None and not _asked_to_unroll(node.index, counters):
                moving.append(node)
        elif isinstance(node, Call):
            whole = any(is_handed(argument, variable) for argument in node.args)
            of_member = isinstance(node.callee, Member) and root_variable(node.callee.base) is variable
            handed = handed or whole or of_member
            callee = facts.callee_of(node) if whole else None
            if callee is not None and "noinline" in callee.qualifiers:
                calls.append(node)
    return _Uses(tuple(moving), tuple(writes), tuple(calls), handed)


def _asked_to_unroll(index: Expr, counters: set[Variable | None]) -> bool:
    """True for an index that is a constant once the loops with `#pragma unroll` are unrolled, whatever their bounds:
    often a constant of an unknown header.
    """
    return all(name.variable in counters for name in names_in(index))


def _is_part(facts: KernelFacts, node: Expr, variable: Variable) -> bool:
    """True for a part of the argument itself: behind one of its pointers is memory, which anyone may write."""
    if root_variable(node) is not variable:
        return False
    while isinstance(node, (Index, Member, Cast)):
        if isinstance(node, Index):
            base = expression_type(node.base, facts.file.type_of)
            # The type does not tell an array of pointers from an array of arrays: an index of an index is no part.
            if base is None or not base.decayed or isinstance(node.base, Index):
                return False
        node = node.operand if isinstance(node, Cast) else node.base
    return True


# ---------------------------------------------------------------------------------------------------------- verdict


def _finding(facts: KernelFacts, variable: Variable, uses: _Uses) -> Finding | None:
    severities = {
        target: severity for target in facts.targets if (severity := _severity(facts, target, variable, uses))
    }
    if not severities:
        return None
    function = facts.kernel.function
    at = uses.calls[0] if uses.calls else _telling(uses)
    where = place(facts, variable.span, function.path, "the argument")
    type_, size = variable.type, variable.type.size or 0
    message = f"by-value argument `{variable.name}` ({type_.name}, {count(size, 'byte')}) "
    if uses.calls:
        message += f"is passed to `{uses.calls[0].qualified}`, which is not inlined"
    elif uses.writes:
        message += "is written and indexed at run time"
    else:
        message += (
            "is indexed at run time" if max(severities.values()) < Severity.WARNING else "is read at a run-time index"
        )
    notes = where.notes
    if where.here and at is not None:
        shown = one_line(facts.file.source, at.span)
        if not uses.calls and len(shown) <= _LONGEST_SHOWN:
            message += f" (`{shown}`)"
        notes += (Note(at.span, "passed on here" if uses.calls else "indexed at run time here"),)
    message += f": every thread copies it to {memory_of(severities, size)}"
    fix = _fix(facts, variable, uses, severities) if where.here else None
    return Finding(where.span, message, severities, _help(facts, variable, uses), notes, fix)


def _telling(uses: _Uses) -> Index | None:
    """A written subscript if there is one, else the first."""
    stored = {id(target) for target in uses.writes}
    return next((index for index in uses.moving if id(index) in stored), uses.moving[0] if uses.moving else None)


def _severity(facts: KernelFacts, target: str, variable: Variable, uses: _Uses) -> Severity | None:
    if uses.calls:
        return None if gpu(target).is_intel else Severity.WARNING
    on = gpu(target)
    clang = on.is_amd or facts.kernel.has_work_items  # it reads arguments where they are
    if on.is_intel or (clang and not uses.writes):
        return None
    accesses = [access for access in facts.execution(target).indexed if access.variable is variable]
    if not accesses:
        return None
    stored = bool(uses.writes)
    if on.is_amd:
        return Severity.WARNING
    if not stored:  # what the execution takes for a store goes through a pointer of the argument
        accesses = [access._replace(write=False) for access in accesses]
    if stays_in_place(accesses, facts.compiler(target)):
        return None
    return Severity.WARNING if stored or _all_uniform(facts, uses) else Severity.INFO


def _all_uniform(facts: KernelFacts, uses: _Uses) -> bool:
    """True if the threads of a warp read the same element everywhere, as the execution for the first target shows."""
    differs = (facts.differs(node.index, facts.targets[0]) for node in uses.moving)
    return bool(uses.moving) and all(differing is False for differing in differs)


def _help(facts: KernelFacts, variable: Variable, uses: _Uses) -> str:
    if uses.calls:
        return "let the function be inlined, or hand it the values that it needs"
    if uses.writes:
        return (
            f"make `{variable.name}` `const`: keep what changes in an array of the thread with constant indices, or in "
            "shared memory"
        )
    if facts.kernel.language != "cuda":
        return f"put `{variable.name}` into `__constant__` memory, or read it through a pointer"
    word = f"declare it `{_CONSTANT}`: nvcc then reads it where the launch put it"
    if _all_uniform(facts, uses):
        return word
    if uses.moving:
        return (
            f"copy `{variable.name}` to shared memory, or read it through a pointer; `__grid_constant__` also ends the "
            "copy, but is slower where the threads of a warp read different elements"
        )
    return f"if the threads of a warp read the same element, {word}; otherwise copy it to shared memory"


def _fix(facts: KernelFacts, variable: Variable, uses: _Uses, severities: Mapping[str, Severity]) -> Fix | None:
    """`const __grid_constant__` for an argument that is only read, at indices that are the same for a warp. A
    declaration elsewhere, or an instantiation, would have to say the same.
    """
    if uses.calls or uses.writes or uses.handed or not _all_uniform(facts, uses):
        return None
    if facts.kernel.language != "cuda" or not all(map(_has_grid_constants, facts.targets)) or not severities:
        return None
    source, declared = facts.file.source, variable.declaration
    text = source.text(declared)
    if not text.endswith(variable.name) or len(text.split()) == 1:
        return None
    word = "__grid_constant__ " if variable.type.const else f"{_CONSTANT} "
    name = facts.kernel.name.partition("<")[0].rpartition("::")[2].encode()
    once = source.data.count(b"__global__") == 1 or len(_declared(source.data, name)) == 1
    alone = once and not facts.kernel.function.template and source.path.endswith(".cu")
    edit = Edit(Span(declared.start, declared.start), word)
    return Fix(f"add `{word.strip()}`", "safe" if alone else "unsafe", (edit,))


def _declared(data: bytes, name: bytes) -> list[bytes]:
    """Where a name is declared or defined as a kernel."""
    return re.findall(
        rb"__global__[^;{}()]*(?:__launch_bounds__\s*\([^()]*\)[^;{}()]*)?\b" + re.escape(name) + rb"\s*\(", data
    )


def _has_grid_constants(target: str) -> bool:
    return gpu(target).is_nvidia and int("".join(filter(str.isdigit, target)) or 0) >= _VOLTA
