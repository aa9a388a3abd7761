"""RP902 accessor-instead-of-usm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Rule, Severity
from regpress_lint.api.report import place
from regpress_lint.api.text import count, listing
from regpress_rules.intel._accessors import used_accessors

if TYPE_CHECKING:
    from collections.abc import Iterator

# A pointer, and an offset, the range of the access and the range of the memory along its dimension, 8 bytes each.
_ACCESSOR, _POINTER = 32, 8


class AccessorInsteadOfUsm(Rule):
    """Buffer accessors, which are four arguments of a kernel each where a USM pointer is one."""

    code = "RP902"
    name = "accessor-instead-of-usm"
    severity = Severity.HINT
    languages = ("sycl",)
    needs = ("kernel.buffer_accessors",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding a kernel, at the declaration of its first accessor of one dimension."""
        used = [each for each in used_accessors(facts) if each.dimensions == 1] if facts.wants_hints else []
        if not used:
            return
        where = place(facts, used[0].declared, facts.kernel.path, "the accessor")
        one = len(used) == 1
        message = (
            f"{listing(f'`{each.name}`' for each in used)} {'is an accessor' if one else 'are accessors'}: "
            f"{_ACCESSOR * len(used)} bytes of arguments of `{facts.kernel.name}`, for which "
            f"{'a USM pointer takes' if one else 'USM pointers take'} {count(_POINTER * len(used), 'byte')}"
        )
        help_ = "where the program may choose, allocate with `sycl::malloc_device` and capture the pointer"
        severities = dict.fromkeys(facts.targets, Severity.HINT)
        yield Finding(where.span, message, severities, help_, where.notes, None, facts.kernel.name)
