"""Whether a kernel runs as one block: then a GPU has nothing to fill, and what waves cost each other counts little."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Call, Name, Unknown
from regpress_lint.cpp.traversal import nodes_of
from regpress_lint.targets.costs import call_size

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Function
    from regpress_lint.facts.kernel import KernelFacts

_ACROSS = ("block", "grid", "global", "group", "rank", "smid", "atomic")  # in names of what differs between blocks
_PLAIN = frozenset(
    ("min", "max", "fmin", "fmax", "fminf", "fmaxf", "abs", "fabs", "fabsf", "sqrt", "sqrtf", "floor", "floorf", "ceil")
)
_PLAIN_BEGINNINGS = ("__shfl", "__sync", "make_")


def runs_as_one_block(facts: KernelFacts) -> bool:
    """True for a kernel of one block: as it is launched, or because its threads read nothing that differs between
    blocks, so that more blocks would repeat the same work. An unknown call or macro may read it.
    """
    kernel, launches = facts.kernel, facts.kernel.launches
    if launches and all(launch.blocks == 1 for launch in launches):
        return True
    if kernel.has_work_items or kernel.layer or any((launch.blocks or 1) > 1 for launch in launches):
        return False
    names = (node.name for node in nodes_of(kernel.function) if isinstance(node, Name))
    return any(name == "threadIdx" for name in names) and all(_same_in_all(facts, each) for each in facts.functions)


def _same_in_all(facts: KernelFacts, function: Function) -> bool:
    return not any(_may_differ(facts, node) for node in nodes_of(function))


def _may_differ(facts: KernelFacts, node: object) -> bool:
    if isinstance(node, Name):
        if node.variable is not None or node.name in ("threadIdx", "blockDim"):
            return False
        return _tells_apart(node.name) or (node.name.isupper() and facts.environment.names(node.name) is None)
    if isinstance(node, Call):
        if _tells_apart(node.name):
            return True
        plain = node.name in _PLAIN or node.name.startswith(_PLAIN_BEGINNINGS) or call_size(node.name)
        return not plain and facts.callee_of(node) is None
    return isinstance(node, Unknown)


def _tells_apart(name: str) -> bool:
    return any(part in name.lower() for part in _ACROSS)
