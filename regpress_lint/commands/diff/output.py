"""What `diff` found: for a terminal (a kernel with its architectures and findings, then the counts), as Markdown for
a pull request (one table, then the findings; the mark in front finds an older comment), and as JSON, version 1
(`schemas/diff.v1.schema.json`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.commands.diff.changes import regraded
from regpress_lint.commands.kernels.output import cluster_dict, limiters, short
from regpress_lint.render.json import DEFAULT_CONFIDENCE, as_dict
from regpress_lint.render.markdown import code, plain, spoken
from regpress_lint.render.terminal import Palette, count, visible, well_formed, wrap
from regpress_lint.targets.vocabulary import WORDS, in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from regpress_lint.commands.diff.changes import Changes, KernelChange, TargetChange
    from regpress_lint.commands.kernels.rows import TargetRow
    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.render.terminal import Style


def headline(changes: Changes) -> str:
    """Counts as a person would say them: `2 of 412 kernels changed, 1 added, 2 are worse.`"""
    if not changes.total and not changes.kernels:
        return "No kernel found." if changes.unseen else "No kernel differs."
    changed, worse = changes.count("changed"), changes.worse
    text = f"{changed or 'none'} of {count(changes.total, 'kernel')} changed"
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
    if not change.comparable:
        low, high = before.registers.low, before.registers.high
        yield f"{low}..{high} {arrow} {after.registers.low}..{after.registers.high} {registers}"
        yield f"other instantiations were tried: {_tried(before)} {arrow} {_tried(after)}"
    elif before.registers != after.registers:
        yield f"{_band(before)} {arrow} {_band(after)} {registers}"
    if before.budget != after.budget:
        yield _budgets(before, after)
    if not change.comparable:
        return
    if before.scratch_bytes != after.scratch_bytes:
        yield f"{before.scratch_bytes} {arrow} {after.scratch_bytes} bytes of scratch"
    if _waves(before) != _waves(after):
        yield in_words_of(vendor, f"{_waves(before)} {arrow} {_waves(after)} waves per SIMD")
    if _roles(before) != _roles(after):
        yield f"warp groups have {_roles(before)} {arrow} {_roles(after)} registers"
        if (was := _together(before)) is not None and (now := _together(after)) is not None:
            yield f"together {was} {arrow} {now} of a block" if was != now else f"together {now} of a block, as before"
    if _cluster(before) != _cluster(after):
        yield f"clusters of {_cluster(before)} {arrow} {_cluster(after)} blocks"
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


def finding(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.severity.label}[{diagnostic.code} {diagnostic.name}]: {diagnostic.message}"


def _band(row: TargetRow) -> str:
    band = row.registers
    return str(band.estimate) if band.low == band.high else f"{band.estimate} ({band.low}..{band.high})"


def _tried(row: TargetRow) -> str:
    return f"{sum(instance.registers is not None for instance in row.instances)} of {len(row.instances)}"


def _roles(row: TargetRow) -> str:
    """`40/232`: registers of the warp groups, in the order of the source."""
    return "/".join(" or ".join(map(str, (*role.or_fewer, role.registers))) for role in row.roles) or "equal"


def _cluster(row: TargetRow) -> int:
    return 1 if row.cluster is None else row.cluster.blocks


def _together(row: TargetRow) -> int | None:
    """Registers that a block's warp groups have together, None where the source does not settle that."""
    if not row.roles or any(role.threads is None or role.or_fewer for role in row.roles):
        return None
    return sum(role.registers * (role.threads or 0) for role in row.roles)


def _waves(row: TargetRow) -> str:
    return short(row.occupancy.waves_per_simd)


def document(changes: Changes, base: str, head: str) -> dict[str, Any]:
    counts = {status: changes.count(status) for status in ("changed", "added", "removed")}
    return {
        "version": 1,
        "base": well_formed(base),
        "head": well_formed(head),
        "summary": {"kernels": changes.total, **counts, "worse": changes.worse},
        "kernels": [_kernel_json(change) for change in changes.kernels],
        "elsewhere": {"new": _findings_json(changes.new), "gone": _findings_json(changes.gone)},
    }


def _kernel_json(change: KernelChange) -> dict[str, Any]:
    return {
        "name": well_formed(change.name),
        "path": well_formed(change.path),
        "line": change.line,
        "status": change.status,
        "was": well_formed(change.was) or None,
        "was_name": well_formed(change.was_name) or None,
        "worse": change.worse,
        "setup": [well_formed(change) for change in change.setup],
        "targets": {target.name: _target(target) for target in change.targets},
        "findings": {"new": _findings_json(change.new), "gone": _findings_json(change.gone)},
    }


def _target(change: TargetChange) -> dict[str, Any]:
    return {
        "before": _row(change.before),
        "after": _row(change.after),
        "comparable": change.comparable,
        "moved": change.moved,
        "worse": change.worse,
        "why": well_formed(change.why) or None,
    }


def _row(row: TargetRow | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {
        "registers": row.registers._asdict(),
        "budget": row.budget,
        "scratch_bytes": row.scratch_bytes,
        "waves_per_simd": row.occupancy.waves_per_simd,
        "max_waves_per_simd": row.occupancy.max_waves_per_simd,
        "limiters": list(row.occupancy.limiters),
        "roles": [role._asdict() for role in row.roles],
        "cluster": cluster_dict(row.cluster),
    }


def _findings_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, object]]:
    return [as_dict(diagnostic, DEFAULT_CONFIDENCE) for diagnostic in diagnostics]


def text(changes: Changes, palette: Palette, width: int) -> Iterator[str]:
    """Lines with their ends."""
    for change in changes.kernels:
        yield from (f"{line}\n" for line in (*_kernel(change, palette, width), ""))
    if outside := list(_findings(changes.new, changes.gone, palette, width)):
        yield from (f"{line}\n" for line in ("outside of kernels that changed", *outside, ""))
    yield f"{headline(changes)}\n"


def _kernel(change: KernelChange, palette: Palette, width: int) -> Iterator[str]:
    status = "" if change.status == "changed" else f" {change.status}"
    name = palette.paint(visible(change.name), "error" if change.worse else "bold")
    yield f"{name}  {visible(place(change))}{status}"
    if change.setup:
        yield from wrap(visible(f"  {setup(change, '->')}"), width, indent="    ")
    if change.status != "removed":
        for target in change.targets:
            if target.moved:
                yield from wrap(f"  {target.name}: {', '.join(moves(target, '->'))}", width, indent="    ")
                if target.why:
                    yield from wrap(visible(f"    because {target.why}"), width, indent="      ")
    yield from _findings(change.new, change.gone, palette, width)


_SIGNS: Mapping[str, Style] = {"+": "warning", "~": "info", "-": "help"}


def _findings(new: Sequence[Diagnostic], gone: Sequence[Diagnostic], palette: Palette, width: int) -> Iterator[str]:
    """A line for each: `+` for a new one, `~` for one of another severity, `-` for one that is gone."""
    pairs, new, gone = regraded(new, gone)
    lines = [
        *(("+", finding(diagnostic), diagnostic) for diagnostic in new),
        *(("~", f"{was.severity.label} -> {finding(now)}", now) for was, now in pairs),
        *(("-", finding(diagnostic), diagnostic) for diagnostic in gone),
    ]
    for sign, word, diagnostic in lines:
        first, *rest = wrap(f"{word} (line {diagnostic.location.start.line})", width, first=4, indent="      ")
        yield f"  {palette.paint(sign, _SIGNS[sign])} {first}"
        yield from rest


MARK = "<!-- regpress-lint diff -->"
MOST_ROWS = 50  # GitHub takes 65,536 characters of a comment


def markdown(changes: Changes) -> Iterator[str]:
    """Pieces of whole lines."""
    yield f"{MARK}\n**Register pressure:** {headline(changes)}\n"
    if rows := [row for change in changes.kernels for row in _rows(change)]:
        yield "\n| | kernel | GPU | what moved |\n|---|---|---|---|\n"
        yield from rows[:MOST_ROWS]
        if len(rows) > MOST_ROWS:
            yield f"\n{len(rows) - MOST_ROWS} more rows are left out.\n"
    new = [diagnostic for change in changes.kernels for diagnostic in change.new] + list(changes.new)
    gone = [diagnostic for change in changes.kernels for diagnostic in change.gone] + list(changes.gone)
    pairs, new, gone = regraded(new, gone)
    before = {id(now): was for was, now in pairs}
    for title, diagnostics in (
        ("New findings", new),
        ("Of another severity", [now for _, now in pairs]),
        ("Gone", gone),
    ):
        if diagnostics:
            yield f"\n**{title}**\n\n"
            yield from (_finding(diagnostic, before.get(id(diagnostic))) for diagnostic in diagnostics[:MOST_ROWS])
            if len(diagnostics) > MOST_ROWS:
                yield f"- {len(diagnostics) - MOST_ROWS} more\n"


def _rows(change: KernelChange) -> Iterator[str]:
    sign = "worse" if change.worse else change.status if change.status != "changed" else ""
    kernel = f"{code(change.name)} {plain(place(change))}"
    shown = [target for target in change.targets if target.moved]
    for target in shown if change.status != "removed" else ():
        moved = ", ".join(moves(target, "→")) + (f", because {target.why}" if target.why else "")
        yield f"| {sign} | {kernel} | {plain(target.name)} | {plain(moved)} |\n"
    if change.setup:
        yield f"| {sign} | {kernel} | | {plain(setup(change, '→'))} |\n"
    if change.status == "removed":
        yield f"| {sign} | {kernel} | | |\n"


def _finding(diagnostic: Diagnostic, was: Diagnostic | None) -> str:
    text = spoken(finding(diagnostic) if was is None else f"{was.severity.label} → {finding(diagnostic)}")
    return f"- {plain(diagnostic.location.path)}:{diagnostic.location.start.line}: {text}\n"
