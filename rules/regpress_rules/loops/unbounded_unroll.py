"""RP501 unbounded-unroll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Rule
from regpress_rules.loops._unroll import findings

if TYPE_CHECKING:
    from collections.abc import Iterator


class UnboundedUnroll(Rule):
    """`#pragma unroll` without a bound, or with a factor that makes more copies than registers can feed."""

    code = "RP501"
    name = "unbounded-unroll"
    vendors = ("amd", "nvidia")
    needs = ("loops",)
    many_blocks = True
    prices_fixes = True
    hint_without_step = ("amd", "nvidia")

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per outermost pragma, at its `#`."""
        yield from findings(facts)
