"""Code that no analysis of the source sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Unknown
from regpress_lint.cpp.traversal import nodes_of

if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts


def has_assembly(facts: KernelFacts) -> bool:
    """True if the kernel or a device function that it reaches holds `asm`: its values are not seen."""
    return any(
        isinstance(node, Unknown) and node.kind == "gnu_asm_expression"
        for function in facts.functions
        for node in nodes_of(function)
    )
