"""`kernels` as a table (one line per kernel and architecture), as JSON (version 1, `schemas/kernels.v1.schema.json`),
and as CSV, where an unknown value is an empty cell.
"""

from __future__ import annotations

import csv
from functools import partial
from typing import TYPE_CHECKING, Any

from regpress_lint.core.patterns import pattern
from regpress_lint.render.columns import fitting, named, total
from regpress_lint.render.terminal import DEFAULT_WIDTH, count, visible, wrap
from regpress_lint.targets.occupancy import architecture
from regpress_lint.targets.vocabulary import explained, in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from fractions import Fraction
    from typing import TextIO

    from regpress_lint.commands.kernels.rows import (
        ClusterRow,
        FilesRow,
        InstanceRow,
        KernelRow,
        OccupancyRow,
        RoleRow,
        StepRow,
        TargetRow,
        UnknownRow,
    )


_HEAD = (
    "kernel",
    "where",
    "target",
    "registers",
    "band",
    "scratch",
    "LDS",
    "block",
    "waves/SIMD",
    "limited by",
    "next step",
)
_NAMES = _HEAD.index("target")  # name and place stand above their rows on a short line
MOST_UNKNOWN = 3  # sentences about what is not known of a kernel
_DEFINE = pattern(r"--define (\w+)")
_MOST_NAMED = 12  # macros
_TEXTS = frozenset({0, 1, 2, 9, 10})
LIMITERS = {
    "waves": "wave slots",
    "registers": "registers",
    "sgprs": "SGPRs",
    "lds": "LDS",
    "groups": "block slots",
    "barriers": "barriers",
}


def limiters(names: Iterable[str], joint: str = " and ") -> str:
    """Limiters in words; ties are joined, by commas except the last two."""
    *before, last = [LIMITERS[name] for name in names] or [""]
    return f"{', '.join(before)}{joint}{last}" if before else last


def lines(rows: Sequence[KernelRow], width: int | None = None) -> Iterator[str]:
    """The table, no wider than a line of `width` cells if that can be, and below it what its marks mean."""
    vendor = vendor_of(target.name for row in rows for target in row.targets)
    cells: list[tuple[str, ...]] = [tuple(in_words_of(vendor, cell) for cell in _HEAD)]
    cells += [_cells(row, target) for row in rows for target in row.targets]
    if width is not None and total(fitting(cells, _TEXTS, None)) > width:
        cells = list(map(_brief, cells))
    below = [
        [*role_lines(target.roles), *files_lines(target.files), *cluster_lines(target.cluster), *_unknown(row, target)]
        for row in rows
        for target in row.targets
    ]
    yield from named(cells, _NAMES, _TEXTS, width, below)
    over = list(_broken_budgets(rows))
    yield from ("", *over) if over else ()
    legend = marks(rows)
    if legend:
        yield ""
    for mark in legend:
        yield from wrap(mark, width or DEFAULT_WIDTH, indent="  ")


def role_lines(roles: Iterable[RoleRow]) -> list[str]:
    """A line a role of the kernel's warp groups."""
    return [
        f"{'some' if role.threads is None else f'{role.threads:,}'} threads with "
        f"{' or '.join(map(str, (*role.or_fewer, role.registers)))} registers (setmaxnreg, line {role.line})"
        for role in roles
    ]


def cluster_lines(cluster: ClusterRow | None) -> list[str]:
    """How many clusters of blocks are resident at once."""
    if cluster is None:
        return []
    blocks, portable, held, share = cluster
    asked = "" if portable else "need cudaFuncAttributeNonPortableClusterSizeAllowed; "
    return [
        f"clusters of {blocks} blocks: {asked}one H200 held {held} at once, {share:.0%} of the blocks that it holds "
        "without clusters"
    ]


def cluster_dict(cluster: ClusterRow | None) -> dict[str, Any] | None:
    """Clusters as `kernels` and `occupancy` write them."""
    if cluster is None:
        return None
    held = {"clusters": cluster.h200_clusters, "share": round(cluster.h200_share, 4)}
    return {"blocks": cluster.blocks, "portable": cluster.portable, "h200": held}


def files_lines(files: FilesRow | None) -> list[str]:
    """VGPRs and AGPRs, where a kernel has a use for the latter."""
    if files is None or not (files.agprs or files.accumulators):
        return []
    both = f"{count(files.vgprs, 'VGPR')} and {count(files.agprs, 'AGPR')}"
    if not files.accumulators:
        return [f"{both}: VGPRs have no room for more, and each use of an AGPR copies it"]
    if not files.agprs:
        return [
            f"{count(files.vgprs, 'VGPR')}, {files.accumulators} of them accumulators of MFMA: clang takes AGPRs where "
            "a thread may have more than 256 registers"
        ]
    return [f"{both}: the latter are accumulators of MFMA; about {count(files.moves or 0, 'copy')} between them"]


def _unknown(row: KernelRow, target: TargetRow) -> list[str]:
    """The unknowns, each under the first target of a kernel that has it; the most important first."""
    before = {unknown for earlier in row.targets[: row.targets.index(target)] for unknown in earlier.unknown}
    new = sorted((row for row in target.unknown if row not in before), key=lambda row: not row.matters)
    shown = [f"? {unknown.text} ({place_of(unknown, row.path)})" for unknown in new[:MOST_UNKNOWN]]
    if len(new) > MOST_UNKNOWN:
        shown.append(f"? {len(new) - MOST_UNKNOWN} more; --output-format json lists them")
    return list(map(visible, shown))


def place_of(unknown: UnknownRow, path: str) -> str:
    """The place of an unknown, for readers of a file."""
    return f"line {unknown.line}" if unknown.path == path else f"{unknown.path}:{unknown.line}"


def _broken_budgets(rows: Sequence[KernelRow]) -> Iterator[str]:
    """Budgets that are not kept, a line each."""
    for row in rows:
        for target in row.targets:
            for text, verdict in target.budgets:
                if verdict != "kept":
                    how = "exceeds" if verdict == "exceeded" else "may exceed"
                    yield visible(f"budget: {row.name} {how} {text} on {target.name} ({row.path}:{row.line})")


# What a thread has room for without a word of the source, by whether registers have steps, and what gives it more.
_ROOM = {
    True: "clang gives a kernel without launch bounds; launch bounds give it room (RP101)",
    False: "a work-item has; sub-groups of 16 or 256 registers per hardware thread give it room (RP904)",
}


def marks(rows: Sequence[KernelRow]) -> list[str]:
    """The legend of these rows' marks and words."""
    vendor = vendor_of(target.name for row in rows for target in row.targets)
    sentences = [in_words_of(vendor, mark) for mark in _marks(rows)]
    return [*sentences, *explained(vendor)]


def _marks(rows: Sequence[KernelRow]) -> Iterator[str]:
    assumed = next((row.block_size for row in rows if row.block_size_from == "assumed"), None)
    if assumed is not None:
        yield f"{assumed}? the source does not say the block size; --block-size sets what is assumed"
    beyond = [target for row in rows for target in row.targets if target.excess_bytes]
    for steps, room in _ROOM.items():
        first = next((target for target in beyond if architecture(target.name).has_register_steps is steps), None)
        if first is not None:
            yield f"{_excess(first)} more bytes are spilled if the estimate is right, beyond the registers that {room}"
    targets = (target for row in rows for target in row.targets if not target.excess_bytes)
    spilled = [target for target in targets if target.registers.estimate > target.budget]
    if spilled:
        most = max(spilled, key=lambda target: target.registers.estimate)
        yield (
            f"{most.registers.estimate} registers are what the values would take; a thread may have {most.budget}, and "
            "the rest is spilled"
        )
    if any(row.lds_bytes is None for row in rows):
        yield "? under LDS: the source does not say how much a launch takes; what is certain counts for the waves"
    if held := max((target.array_lds_bytes for row in rows for target in row.targets), default=0):
        yield (
            f"LDS: up to {held:,} bytes of it are for private arrays; clang sets them aside for as many threads as a "
            "block may have, not as a launch has"
        )
    if any(is_open(target) for row in rows for target in row.targets):
        yield "<= waves: fewer, if what is not known of the kernel takes registers"
    if missing := _not_defined(rows):
        shown = ", ".join(f"{name} ({count(number, 'kernel')})" for name, number in missing)
        yield f"not defined: {shown}; --define NAME=VALUE, defines in the configuration or a build folder would tell"
    if shown := next((text for row in rows for target in row.targets for text in spread(target) if text), ""):
        yield (
            f"{shown.strip()} are the least and the most of the instantiations of a template, the number in front "
            "is their median, of two the larger; --output-format json lists them"
        )


def _not_defined(rows: Sequence[KernelRow]) -> list[tuple[str, int]]:
    """Macros that only the build defines, by how many kernels depend on each, where several kernels depend on one."""
    counts: dict[str, int] = {}
    for row in rows:
        texts = (unknown.text for target in row.targets for unknown in target.unknown)
        for name in dict.fromkeys(name for text in texts for name in _DEFINE.findall(text)):
            counts[name] = counts.get(name, 0) + 1
    several = max(counts.values(), default=0) > 1
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_NAMED] if several else []


def _cells(row: KernelRow, target: TargetRow) -> tuple[str, ...]:
    if target.unserved is not None:
        name, where = visible(row.name), visible(f"{row.path}:{row.line}")
        return (name, where, target.name, *("-",) * 6, target.unserved.verdict, visible(target.unserved.reason))
    registers, now = target.registers, target.occupancy
    say = partial(in_words_of, vendor_of((target.name,)))
    estimates, scratch = spread(target)
    return (
        visible(row.name) + ("" if row.complete else " (incomplete)"),
        visible(f"{row.path}:{row.line}"),
        target.name,
        f"{registers.estimate}{estimates}",
        f"{registers.low}-{registers.high}",
        f"{target.scratch_bytes}{_excess(target)}{scratch}",
        "?" if (lds := lds_of(row, target)) is None else str(lds),
        f"{row.block_size}{'?' if row.block_size_from == 'assumed' else ''}",
        f"{'<= ' if is_open(target) else ''}{short(now.waves_per_simd)} of {now.max_waves_per_simd}",
        say(limiters(now.limiters)),
        "" if now.next is None else say(step_words(now.next)),
    )


def is_open(target: TargetRow) -> bool:
    """Whether what is not known of a kernel may take all registers that a thread can have."""
    most = architecture(target.name).max_regs_per_thread
    return target.unserved is None and target.registers.high >= most and any(row.matters for row in target.unknown)


def _excess(target: TargetRow) -> str:
    """`+148?` for registers that are spilled under an assumption of the compiler."""
    return f"+{target.excess_bytes}?" if target.excess_bytes else ""


def _brief(row: tuple[str, ...]) -> tuple[str, ...]:
    """For a short line: `128 -> 4 waves`, where the column before it says of what."""
    return (*row[:-1], row[-1].removeprefix(f"{row[-2]} "))


def lds_of(row: KernelRow, target: TargetRow) -> int | None:
    """Bytes of LDS of a block: what the source declares and what private arrays take; None if not known."""
    return None if row.lds_bytes is None else row.lds_bytes + target.array_lds_bytes


def spread(target: TargetRow) -> tuple[str, str]:
    """` (24..40)` for registers and for scratch, where the instantiations of a template do not agree."""
    estimates = [instance.registers.estimate for instance in target.instances if instance.registers is not None]
    return _range(estimates), _range(
        [instance.scratch_bytes for instance in target.instances if instance.scratch_bytes is not None]
    )


def _range(numbers: list[int]) -> str:
    return f" ({min(numbers)}..{max(numbers)})" if len(set(numbers)) > 1 else ""


def step_words(step: StepRow) -> str:
    """`registers 96 -> 5 waves`: the most registers of a kernel, and its waves per SIMD with them."""
    waves, value = step.waves_per_simd, step.value
    named = {"lds_bytes": f"LDS {value} bytes", "block_size": f"block {value}", "sgprs": f"SGPRs {value}"}
    shown = named.get(step.resource, f"{step.resource} {value}")
    return f"{shown} -> {short(waves)} {'wave' if waves == 1 else 'waves'}"


def short(number: float | Fraction) -> str:
    """A number of waves with two digits behind the point where it is no whole one."""
    return f"{float(number):.2f}".rstrip("0").rstrip(".")


def document(rows: Iterable[KernelRow], settled: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """The whole document; `settled` is what libclang answered."""
    data: dict[str, Any] = {"version": 1, "kernels": list(map(_kernel, rows))}
    return {**data, "settled": list(settled)} if settled else data


def _kernel(row: KernelRow) -> dict[str, Any]:
    return {
        **row._asdict(),
        "launch_bounds": row.launch_bounds and row.launch_bounds._asdict(),
        "launches": [launch._asdict() for launch in row.launches],
        "targets": {target.name: target_dict(target) for target in row.targets},
    }


def target_dict(target: TargetRow) -> dict[str, Any]:
    """A kernel on one GPU, as `kernels` writes it."""
    return {
        "registers": target.registers._asdict(),
        "budget": target.budget,
        "scratch_bytes": target.scratch_bytes,
        "excess_bytes": target.excess_bytes,
        "array_lds_bytes": target.array_lds_bytes,
        "occupancy": occupancy_dict(target.occupancy),
        "unserved": target.unserved and target.unserved._asdict(),
        "instances": [{**instance._asdict(), "registers": _registers(instance)} for instance in target.instances],
        "budgets": [budget._asdict() for budget in target.budgets],
        "unknown": list(map(unknown_dict, target.unknown)),
        "roles": [role._asdict() for role in target.roles],
        "files": target.files and target.files._asdict(),
        "cluster": cluster_dict(target.cluster),
    }


def unknown_dict(unknown: UnknownRow) -> dict[str, Any]:
    """An unknown of the ledger, as `kernels` and `pressure` write it."""
    return {name: value for name, value in unknown._asdict().items() if name != "matters"}


def _registers(instance: InstanceRow) -> dict[str, int] | None:
    return None if instance.registers is None else instance.registers._asdict()


def occupancy_dict(now: OccupancyRow) -> dict[str, Any]:
    """Occupancy as `kernels` and `occupancy` write it."""
    step = now.next
    return {**now._asdict(), "limiters": list(now.limiters), "next": None if step is None else step._asdict()}


HEAD = (
    *("kernel", "path", "line", "target", "registers", "low", "high", "scratch_bytes", "lds_bytes"),
    *("block_size", "block_size_from", "waves_per_simd", "max_waves_per_simd", "limiters", "complete", "unserved"),
)


def write(rows: Iterable[KernelRow], stream: TextIO) -> None:
    """The table with its head, lines ended by a newline alone."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEAD)
    for row in rows:
        for target in row.targets:
            band, now = target.registers, target.occupancy
            served = target.unserved is None
            numbers = (band.estimate, band.low, band.high, target.scratch_bytes) if served else ("",) * 4
            waves = (now.waves_per_simd, now.max_waves_per_simd, " ".join(now.limiters)) if served else ("",) * 3
            taken = lds_of(row, target)
            lds = "" if taken is None else taken
            cells = (row.name, row.path, row.line, target.name, *numbers, lds, row.block_size, row.block_size_from)
            unserved = "" if target.unserved is None else target.unserved.verdict
            writer.writerow((*cells, *waves, str(row.complete).lower(), unserved))
