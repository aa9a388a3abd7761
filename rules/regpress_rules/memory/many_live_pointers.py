"""RP603 many-live-pointers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Rule, Severity, Span
from regpress_lint.api.memory import memory_root
from regpress_lint.api.syntax import Index, Member, Name, Unary, walk
from regpress_lint.api.targets import amd_targets, gpu
from regpress_lint.api.text import listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api.syntax import Expr, Loop, Stmt, Variable

# Pointers used in one loop from which clang 19 was measured to spill scalar registers (of which there are about 100).
_GFX9, _RDNA = 40, 48
_WIDE = 8  # bytes of an element
_ARGUMENTS = frozenset(("parameter", "capture"))


class _Pointer(NamedTuple):
    """An argument, or a member of one; whether it is known to point to 64-bit elements."""

    variable: Variable
    field: str
    wide: bool = False


class ManyLivePointers(Rule):
    """More pointers in one loop than there are scalar registers for their addresses."""

    code = "RP603"
    name = "many-live-pointers"
    vendors = ("amd",)
    needs = ("loops",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per outermost loop with that many pointers, at its beginning."""
        targets = amd_targets(facts)
        kernel = facts.kernel
        if not targets or kernel.function.path not in ("", facts.file.path) or not _may_have_many(facts):
            return
        covered: list[Span] = []
        for loop in facts.loops:
            if loop.unrolled or any(span.contains(loop.loop.span) for span in covered):
                continue
            used = len(_pointers(loop.loop))
            severities = {
                target: Severity.INFO for target in targets if used >= (_GFX9 if gpu(target).is_gfx9 else _RDNA)
            }
            if not severities:
                continue
            covered.append(loop.loop.span)
            message = f"{used} pointers are used in one loop: their addresses do not fit into the scalar registers of "
            message += f"{listing(severities)}, and those that are spilled take vector registers"
            advice = "split the loop into two with half of the arrays each, if they do not share what they read"
            span = Span(loop.loop.span.start, loop.loop.span.start + 3)
            yield Finding(span, message, severities, advice, (), None, kernel.name)


def _may_have_many(facts: KernelFacts) -> bool:
    """False for kernels whose arguments cannot hold that many pointers, which is nearly all of them."""
    function = facts.kernel.function
    arguments = (*function.parameters, *function.captures)
    pointers = sum(variable.type.pointers > 0 for variable in arguments)
    return pointers >= _GFX9 or any(variable.type.struct and not variable.type.pointers for variable in arguments)


def _pointers(loop: Loop) -> set[_Pointer]:
    """Pointer arguments, and pointer members of struct arguments, that the loop reads or writes through."""
    pointers: set[_Pointer] = set()
    for node in walk(loop):
        if (root := _root(node)) is not None:
            pointers.add(root)
    return pointers


def _root(node: Expr | Stmt) -> _Pointer | None:
    if not isinstance(node, Index) and not (isinstance(node, Unary) and node.op == "*"):
        return None
    base = node.base if isinstance(node, Index) else node.operand
    if isinstance(base, Member) and isinstance(base.base, Name) and not base.arrow:
        owner = base.base.variable
        return _Pointer(owner, base.field) if owner is not None and owner.storage in _ARGUMENTS else None
    variable = memory_root(base)
    if variable is None or variable.storage not in _ARGUMENTS:
        return None
    return _Pointer(variable, "", variable.type.pointee_size == _WIDE)
