"""RP407 register-tile."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Rule, Severity
from regpress_lint.api.facts import bounds_declared, is_tile
from regpress_lint.api.memory import places
from regpress_lint.api.report import place
from regpress_lint.api.targets import habits
from regpress_lint.api.text import listing
from regpress_rules.arrays._private import (
    Case,
    by_story,
    cases,
    causes,
    company,
    described,
    is_cold,
    loop_advice,
    notes_of,
    shown_access,
    widest,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api.facts import PrivateArray
    from regpress_lint.api.syntax import Environment

# What a kernel needs besides its tile and the tile's operands: addresses, counters, loads on their way.
_BESIDES = 10


class RegisterTile(Rule):
    """A register tile that is not in registers, or is larger than a thread's register budget."""

    code = "RP407"
    name = "register-tile"
    many_blocks = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a tile, with the operands that the same loops keep in memory."""
        for case in cases(facts):
            if case.tile:
                yield _finding(facts, case)
        for part, array in widest(facts):
            if is_tile(array) and array.variable.volatile_span is None:
                finding = _too_large(part, array)
                if finding is not None:
                    yield finding


def _finding(facts: KernelFacts, case: Case) -> Finding:
    array = case.array
    shared = array.function is not facts.kernel.function
    where = place(facts, array.variable.span, array.function.path, "the tile")
    frames = {target: frame.where for target, frame in case.frames.items()}
    message = f"register tile {described(array)} is not in registers but in {places(frames)}"
    message += by_story(case, partial(_cause, facts)) + company(case)
    severities = {
        target: min(frame.severity, Severity.INFO) if _never_fits(facts, target, array) else frame.severity
        for target, frame in case.frames.items()
    }
    help_ = by_story(case, partial(_advice, facts, shared=shared), "; on {}: {}").removeprefix("; ")
    help_ += _with_bounds(facts, case)
    return Finding(where.span, message, severities, help_, where.notes + notes_of(case))


def _with_bounds(facts: KernelFacts, case: Case) -> str:
    """That the tile fits only under launch bounds, on targets where the compiler plans for full blocks without them:
    of two such tiles unrolled alone one went to spills, 896 -> 788 bytes and 494 spills, and 0 bytes with bounds.
    """
    from regpress_rules.arrays._price import registers

    taken = registers(case.arrays) + _BESIDES
    declared = bounds_declared(facts.kernel) if not facts.kernel.has_work_items else None
    if facts.kernel.launch_bounds is not None or declared is None:
        return ""
    crowded = [
        f"{facts.target(name).budget} registers on {name}"
        for name in case.frames
        if habits(name).assumes_full_blocks
        and taken > facts.target(name).budget
        and not _never_fits(facts, name, case.array)
    ]
    return f"; declare {declared} as well: without them a thread has {listing(crowded)}" if crowded else ""


def _never_fits(facts: KernelFacts, target: str, array: PrivateArray) -> bool:
    """True for a tile with more registers than a thread may have under any launch bounds: constant indices spill it."""
    from regpress_rules.arrays._price import registers

    return registers((array,)) + _BESIDES > facts.target(target).architecture.max_regs_per_thread


def _advice(facts: KernelFacts, case: Case, *, shared: bool) -> str:
    from regpress_rules.arrays._price import compared_rows, fits, price, row_picked, too_many

    if all(_never_fits(facts, target, case.array) for target in case.frames):
        return (
            "it has more registers than a thread may have: make it smaller, or let the threads of a block work on one "
            "in shared memory"
        )
    if case.loops and not shared and not fits(facts, case):
        return f"make the tile smaller and {loop_advice(case)}{too_many(facts, case)}"
    if case.loops:
        return loop_advice(case) + ("" if shared else price(facts, case))
    if row := row_picked(facts, case):
        return compared_rows(row)
    return "use constant indices for the tile everywhere, also where it is written back: unrolled loops"


def _cause(facts: KernelFacts, case: Case) -> str:
    if case.worst is None:
        return ""
    access, reasons = case.worst
    shown = shown_access(facts, case.array, access)
    text = f" because of `{shown}`: {causes(reasons, facts.kernel.language)}"
    if is_cold(case.array):
        text += "; the loops that use it most are not concerned, the tile is copied to memory once"
    return text


# ------------------------------------------------------------------------------------------------------ too large


def _too_large(facts: KernelFacts, array: PrivateArray) -> Finding | None:
    from regpress_rules.arrays._price import registers

    severities: dict[str, Severity] = {}
    budgets: list[str] = []
    taken = registers((array,))
    operands = _operands(array, facts.source.environment)
    for name in facts.targets:
        target = facts.target(name)
        need = taken + operands + _BESIDES
        seen = facts.array_for(name, array)
        in_registers = seen.stays_in_registers(target.architecture.vendor) or facts.is_tried_again(name)
        if need <= facts.compiled(name).room or not in_registers:
            continue
        if seen.dynamic:
            continue
        most = target.architecture.max_regs_per_thread
        if target.registers.high < most and 2 * taken > target.registers.estimate + target.registers.high:
            continue  # folded away: the kernel as a whole wants less
        certain = not array.presumed and taken + operands > facts.compiled(name).room
        severities[name] = Severity.WARNING if certain else Severity.INFO
        budgets.append(f"{target.budget} on {name}")
    if not severities:
        return None
    where = place(facts, array.variable.span, array.function.path, "the tile")
    # IGC compiles once more: a tile whose loops have no pragma is in memory then, of another the excess is spilled.
    whole = facts.is_tried_again(next(iter(severities)))
    message = (
        f"register tile {described(array)} and its operands need about {taken + operands} registers, and a thread may "
        f"have {listing(budgets)}: {'it goes to private memory, or ' if whole else ''}the rest is spilled"
    )
    unbounded = facts.kernel.launch_bounds is None and any(habits(name).assumes_full_blocks for name in severities)
    help_ = "make the tile smaller"
    declared = bounds_declared(facts.kernel) if not facts.kernel.has_work_items else None
    if unbounded and declared is not None:
        help_ += f", or declare {declared}: without them clang plans for 1,024 threads per block"
    return Finding(where.span, message, severities, help_, where.notes)


def _operands(array: PrivateArray, env: Environment) -> int:
    """Registers of a column and a row of operands."""
    from regpress_lint.api.syntax import evaluate_int

    width = array.variable.type.registers or 1
    extents = [evaluate_int(extent, env) or 0 for extent in array.variable.dims]
    if len(extents) == 1:  # rows and columns in one extent: the least that its product can have
        extents = [2 * int(extents[0] ** 0.5)]
    return width * sum(extents[-2:])
