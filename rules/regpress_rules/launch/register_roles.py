"""RP110 register-roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Rule, Severity, Span
from regpress_lint.api.report import place
from regpress_lint.api.rewrite import argument_spans
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import listing
from regpress_rules.launch._bounds import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api.facts import TargetFacts

_GROUP = 128  # threads of a warp group
_UNIT = 8  # `setmaxnreg` takes multiples of it


class RegisterRoles(Rule):
    """Warp groups whose registers are together more than the block has, or whose `setmaxnreg` nvcc ignores."""

    code = "RP110"
    name = "register-roles"
    languages = ("cuda",)
    vendors = ("nvidia",)
    needs = ("exchanges_registers",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding, at the `setmaxnreg` that waits for ever, or at the first one that is ignored."""
        names = [name for name in facts.targets if gpu(name).is_nvidia]
        pairs = facts.instances.items()
        with_roles = [each for each in (facts, *facts.instances.values()) if each.warp_roles is not None]
        if not names or not with_roles:
            return
        ignored = next((role for role in with_roles if role.warp_roles is not None and role.warp_roles.ignored), None)
        if ignored is not None:
            yield _ignored(ignored, names)
            return
        for part, arguments in ((each, instance.arguments) for instance, each in pairs) if pairs else ((facts, ""),):
            beyond = [name for name in names if _pool(part.target(name), part) < _wanted(part.target(name), part)]
            if beyond:
                yield _hangs(part, arguments, beyond)
                return


def _pool(target: TargetFacts, facts: KernelFacts) -> int:
    """Registers that a launch gives to a block."""
    roles = facts.warp_roles
    return (target.begins or 0) * (roles.block or 0) if roles is not None else 0


def _wanted(target: TargetFacts, facts: KernelFacts) -> int:
    roles = facts.warp_roles
    return (roles.wanted(target.begins) or 0) if roles is not None and target.begins is not None else 0


def _hangs(facts: KernelFacts, arguments: str, names: list[str]) -> Finding:
    target, kernel, roles = facts.target(names[0]), facts.kernel, facts.warp_roles
    assert roles is not None
    largest = max(roles.roles, key=lambda role: role.registers)
    parts = [f"{(role.groups or 0) * _GROUP:,} threads x {role.registers}" for role in roles.roles if role.groups]
    name = f"{kernel.name}<{arguments}>" if arguments else kernel.name
    pool, wanted = _pool(target, facts), _wanted(target, facts)
    message = (
        f"`{name}` hangs: its warp groups want {wanted:,} registers of a block ({listing(parts)}), and the launch "
        f"gives it {pool:,} ({roles.block:,} threads x {target.begins}) on {names[0]}: this `setmaxnreg` waits for ever"
    )
    threads = (largest.groups or 1) * _GROUP
    fitting = (pool - wanted + threads * largest.registers) // threads // _UNIT * _UNIT
    where = place(facts, largest.span, kernel.function.path, "the `setmaxnreg`")
    help_ = f"{fitting} registers fit here, or let the other warp groups keep fewer"
    return Finding(where.span, message, dict.fromkeys(names, Severity.ERROR), help_, where.notes, None, kernel.name)


def _ignored(facts: KernelFacts, names: list[str]) -> Finding:
    kernel, roles, bounds = facts.kernel, facts.warp_roles, facts.kernel.launch_bounds
    assert roles is not None
    where = place(facts, roles.roles[0].span, kernel.function.path, "the `setmaxnreg`")
    fix = None
    if bounds is None:
        why = "it has neither launch bounds nor `__maxnreg__`"
        help_ = f"declare `__launch_bounds__({roles.block or 'threads'}, 1)`"
    else:
        why = f"{shown(bounds)} does not say how many blocks there are on an SM"
        help_ = f"declare `__launch_bounds__({bounds.texts[0]}, 1)`"
        spans = argument_spans(facts)
        begin = facts.target(names[0]).budget
        if spans is not None and len(spans) == 1 and (roles.wanted(begin) or 1 << 30) <= begin * (roles.block or 0):
            end = spans[0].end
            fix = Fix("say that one block is enough", "costly", (Edit(Span(end, end), ", 1"),))
    message = (
        f"nvcc ignores the {len(roles.roles)} `setmaxnreg` of `{kernel.name}`: {why}, so that it does not know what a "
        f"thread begins with; every thread has up to {facts.target(names[0]).budget} registers instead of "
        f"{' or '.join(map(str, sorted({role.registers for role in roles.roles})))}"
    )
    return Finding(where.span, message, dict.fromkeys(names, Severity.WARNING), help_, where.notes, fix, kernel.name)
