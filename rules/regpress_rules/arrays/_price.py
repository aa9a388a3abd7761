"""The cost on each target of keeping private arrays in registers, or in a column of shared memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.syntax import evaluate_int
from regpress_lint.api.targets import occupancy
from regpress_lint.api.text import count
from regpress_lint.api.worth import waves_with_lds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from regpress_lint.api import KernelFacts
    from regpress_lint.api.facts import PrivateArray
    from regpress_rules.arrays._private import Case


def registers(arrays: Sequence[PrivateArray]) -> int:
    """Registers that arrays take once they are in registers; an element takes at least one."""
    return sum((array.elements or 0) * (array.variable.type.registers or 1) for array in arrays)


def fits(facts: KernelFacts, case: Case) -> bool:
    """True if by the estimate the arrays fit into a thread's registers on all targets."""
    taken = registers(case.arrays)
    return all(facts.target(name).registers.estimate + taken <= facts.target(name).budget for name in case.frames)


_MOST_ROWS = 16


def row_picked(facts: KernelFacts, case: Case) -> str:
    """The variable by which a condition picks a row of a small matrix, as the pivot of an elimination, if nothing else
    is indexed at run time; else "". Four such matrices of 4 x 5 doubles and one of 4 x 8 lost all their memory on
    gfx90a and sm_90 and took two registers more at most.
    """
    reasons_of_all = [reason for reasons in case.reasons.values() for reason in reasons]
    dims = case.array.variable.dims
    if len(dims) < 2 or case.array.bytes is None or {reason.kind for reason in reasons_of_all} != {"condition"}:
        return ""
    few = 0 < (evaluate_int(dims[0], facts.source.environment) or 0) <= _MOST_ROWS
    return reasons_of_all[0].name if few and reasons_of_all[0].name and fits(facts, case) else ""


def compared_rows(row: str) -> str:
    """The advice for a matrix of which a condition picks a row."""
    return (
        f"compare each row with `{row}` in an unrolled loop, `if (r == {row})`, and use `r` in place of it: all "
        "indices are constants then"
    )


def waves_with_column(facts: KernelFacts, name: str, bytes_: int) -> tuple[float, float]:
    """Waves per SIMD on a target, and with so many bytes of LDS more for each thread of a block; only LDS is considered
    if registers have no steps.
    """
    target = facts.target(name)
    if not target.architecture.has_register_steps:
        return 1.0, 1.0
    return waves_with_lds(target, target.registers.estimate, bytes_ * facts.launch.block_size)


def lds_price(facts: KernelFacts, names: Iterable[str], bytes_: int) -> str:
    """The targets that lose waves by so many bytes of LDS for each thread of a block."""
    lost: list[str] = []
    for name in names:
        target = facts.target(name)
        if not target.architecture.has_register_steps:
            continue
        before, after = waves_with_column(facts, name, bytes_)
        if after < before:
            lost.append(f"{before:g} -> {after:g} waves per SIMD on {name}")
    return "".join(f"; {clause}" for clause in lost)


def too_many(facts: KernelFacts, case: Case) -> str:
    """Why a case's arrays are not to be had in registers: more than a thread may have, by target."""
    taken = registers(case.arrays)
    over = "; ".join(filter(None, (_over(facts, name, taken) for name in case.frames)))
    return f"; it is too large for registers ({over})" if over else ""


def _over(facts: KernelFacts, name: str, taken: int) -> str:
    """That so many registers more are more than a thread may have on a target; nothing if they are not."""
    target = facts.target(name)
    then = target.registers.estimate + taken
    return f"about {then} in all, and a thread may have {target.budget} on {name}" if then > target.budget else ""


def price(facts: KernelFacts, case: Case) -> str:
    """The registers needed for a case's arrays, and the targets that lose waves by it."""
    taken = registers(case.arrays)
    lost: list[str] = []
    for name in case.frames:
        target = facts.target(name)
        if not target.architecture.has_register_steps:
            continue
        if over := _over(facts, name, taken):
            lost.append(over)
            continue
        now = target.registers.estimate
        before, after = (occupancy(target.architecture, target.use(value)) for value in (now, now + taken))
        if after.waves < before.waves:
            lost.append(f"{before.waves / before.simds:g} -> {after.waves / after.simds:g} waves per SIMD on {name}")
    return f"; the price is about {count(taken, 'register')} per thread" + (f" ({'; '.join(lost)})" if lost else "")
