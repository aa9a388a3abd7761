"""Wording that the text forms of `diff` share: counts, and how one number became another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.formats.kernels_text import limiters
from regpress_lint.targets.vocabulary import WORDS, in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.views.changes import Changes, KernelChange, TargetChange
    from regpress_lint.views.kernels import TargetRow


def headline(changes: Changes) -> str:
    """Counts as a person would say them: `2 of 412 kernels changed, 1 added, 2 are worse.`"""
    if not changes.total and not changes.kernels:
        return "No kernel found." if changes.unseen else "No kernel differs."
    changed, worse = changes.count("changed"), changes.worse
    kernels = "kernel" if changes.total == 1 else "kernels"
    text = f"{changed or 'none'} of {changes.total} {kernels} changed"
    parts = [f"{changes.count(status)} {status}" for status in ("added", "removed") if changes.count(status)]
    parts += [f"{worse} {'is' if worse == 1 else 'are'} worse"] if worse else []
    text = ", ".join((text, *parts))
    return f"{text[0].upper()}{text[1:]}."


def moves(change: TargetChange, arrow: str) -> Iterator[str]:
    """The changes on an architecture, a clause each; for a kernel on only one side its numbers there."""
    vendor = vendor_of((change.name,))
    assert vendor is not None
    registers = WORDS[vendor].registers
    before, after = change.before, change.after
    if before is None or after is None:
        row = after or before
        assert row is not None
        yield f"{_band(row)} {registers}"
        if row.scratch_bytes:
            yield f"{row.scratch_bytes} bytes of scratch"
        yield in_words_of(vendor, f"{_waves(row)} of {row.occupancy.max_waves_per_simd} waves per SIMD")
        return
    if before.registers != after.registers:
        yield f"{_band(before)} {arrow} {_band(after)} {registers}"
    if before.budget != after.budget:
        yield _budgets(before, after)
    if before.scratch_bytes != after.scratch_bytes:
        yield f"{before.scratch_bytes} {arrow} {after.scratch_bytes} bytes of scratch"
    if _waves(before) != _waves(after):
        yield in_words_of(vendor, f"{_waves(before)} {arrow} {_waves(after)} waves per SIMD")
    if _roles(before) != _roles(after):
        yield f"warp groups have {_roles(before)} {arrow} {_roles(after)} registers"
        if (was := _together(before)) is not None and (now := _together(after)) is not None:
            yield f"together {was} {arrow} {now} of a block" if was != now else f"together {now} of a block, as before"
    if before.occupancy.limiters != after.occupancy.limiters:
        held = limiters(after.occupancy.limiters)
        yield in_words_of(vendor, f"limited by {held}")


def setup(change: KernelChange, arrow: str) -> str:
    """Changed settings, and whether they change any number."""
    text = "; ".join(change.setup).replace("->", arrow)
    moved = any(target.moved for target in change.targets) or change.new or change.gone
    return text if moved else f"{text} (registers and waves stay)"


def _budgets(before: TargetRow, after: TargetRow) -> str:
    """The compiler's register budgets, and their effect on the kernel's needs."""
    demand = (
        after.registers.estimate + (after.scratch_bytes + 3) // 4 if after.scratch_bytes else after.registers.estimate
    )
    text = f"the compiler can use {after.budget} instead of {before.budget}"
    if after.budget > before.budget and before.registers.estimate >= before.budget:
        return f"{text}; the kernel needs about {demand}"
    return text


def place(change: KernelChange) -> str:
    """A kernel's place, and its earlier place and name."""
    was = " ".join(part for part in (change.was_name, f"in {change.was}" if change.was else "") if part)
    return f"{change.path}:{change.line}" + (f" (was {was})" if was else "")


def finding(found: Diagnostic) -> str:
    """A finding in one line."""
    return f"{found.severity.label}[{found.code} {found.name}]: {found.message}"


def _band(row: TargetRow) -> str:
    found = row.registers
    return str(found.estimate) if found.low == found.high else f"{found.estimate} ({found.low}..{found.high})"


def _roles(row: TargetRow) -> str:
    """`40/232`: registers of the warp groups, in the order of the source."""
    return "/".join(str(role.registers) for role in row.roles) or "equal"


def _together(row: TargetRow) -> int | None:
    """Registers that a block's warp groups have together, None where the source does not settle that."""
    if not row.roles or any(role.threads is None for role in row.roles):
        return None
    return sum(role.registers * (role.threads or 0) for role in row.roles)


def _waves(row: TargetRow) -> str:
    return f"{row.occupancy.waves_per_simd:.2f}".rstrip("0").rstrip(".")
