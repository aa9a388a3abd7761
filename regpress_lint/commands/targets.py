"""`regpress-lint targets`: the GPUs that are known, with their limits, where the numbers are from and what checked
them. Each number as one reads it: what it is, its value, where it is from, what it was compared with.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from regpress_lint.cli import options
from regpress_lint.cli.parser import output_is_json, write_json
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.settings import DEFAULT_TARGETS
from regpress_lint.render.columns import named, table
from regpress_lint.render.terminal import line_width, wrap
from regpress_lint.targets.occupancy import UnknownArchitectureError, architecture, architectures
from regpress_lint.targets.occupancy.architectures import raw_row
from regpress_lint.targets.vocabulary import WORDS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from regpress_lint.targets.occupancy.quantities import Architecture


_HEAD = (
    "name",
    "GPU",
    "also",
    "wave",
    "SIMDs",
    "waves/SIMD",
    "registers/thread",
    "LDS KiB/unit",
    "LDS KiB/block",
    "threads/block",
)
_NAMES = _HEAD.index("wave")  # name, titles and aliases stand above the numbers on a short line


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="every number of these GPUs, with source and check")
    options.text_or_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `targets`. Raises UsageError for a name that is not known."""
    chosen = _chosen(arguments.names)
    if output_is_json(arguments):
        write_json({"version": 1, "targets": [_as_dict(arch) for arch in chosen or architectures()]})
        return 0
    width = line_width(sys.stdout, os.environ)
    if chosen:
        print("\n\n".join("\n".join(_details(arch, width)) for arch in chosen))
        return 0
    known = architectures()
    rows = [_HEAD, *map(_row, known)]
    print("\n".join(named(rows, _NAMES, frozenset(range(_NAMES)), width)))
    defaults = ", ".join(f"{language}: {' '.join(names)}" for language, names in DEFAULT_TARGETS.items())
    notes = [f"Default by language: {defaults}.", "A unit is a CU or WGP (AMD), an SM (NVIDIA), an Xe-core (Intel)."]
    if any(not arch.verified for arch in known):
        notes.append("* no vendor's tool was available to check these numbers")
    notes.append("`regpress-lint targets NAME` has every number of a GPU, its source and its comparisons.")
    print("", *(line for note in notes for line in wrap(note, width)), sep="\n")
    return 0


def _chosen(names: Sequence[str]) -> list[Architecture]:
    wanted = [word.strip() for name in names for word in name.split(",") if word.strip()]
    try:
        return list(dict.fromkeys(architecture(word) for word in wanted))
    except UnknownArchitectureError as error:
        raise UsageError(str(error)) from None


def _row(arch: Architecture) -> tuple[str, ...]:
    return (
        arch.name + ("" if arch.verified else "*"),
        arch.title,
        " ".join(arch.aliases[:3]),
        "/".join(map(str, arch.wave_sizes)),
        "/".join(str(mode.simds) for mode in arch.modes),
        str(arch.max_waves_per_simd),
        str(arch.max_regs_per_thread),
        "/".join(str(mode.lds_bytes // 1024) for mode in arch.modes),
        str(arch.lds_max_per_group // 1024),
        str(arch.max_threads_per_group),
    )


def _details(arch: Architecture, width: int) -> list[str]:
    from regpress_lint.commands.targets import numbers

    rows = numbers(arch)
    checks = list(dict.fromkeys(number.check for number in rows if number.check is not None))
    marks = {check: str(index) for index, check in enumerate(checks, 1)}
    body = [(n.words, n.value, marks[n.check] if n.check else "-", n.source) for n in rows]
    lines = [f"{arch.name}: {arch.title}"]
    if arch.aliases:
        lines.append(f"also {', '.join(arch.aliases)}")
    lines += ["", *table([("number", "value", "checked", "source"), *body], frozenset({0, 1, 2, 3}), width), ""]
    notes = [f"{mark}: compared with {check}" for check, mark in marks.items()]
    lines += [line for note in notes for line in wrap(note, width, indent="   ")]
    if arch.unverified:
        lines.append("-: not compared with a vendor's tool, only the source vouches for it")
    return lines


def _as_dict(arch: Architecture) -> dict[str, object]:
    from regpress_lint.commands.targets import numbers

    return {
        "name": arch.name,
        "vendor": arch.vendor,
        "title": arch.title,
        "aliases": list(arch.aliases),
        "verified": arch.verified,
        "wave_sizes": list(arch.wave_sizes),
        "default_wave_size": arch.default_wave_size,
        "modes": [{"name": mode.name, "simds": mode.simds, "lds_bytes": mode.lds_bytes} for mode in arch.modes],
        "max_waves_per_simd": arch.max_waves_per_simd,
        "max_registers_per_thread": arch.max_regs_per_thread,
        "max_lds_bytes_per_block": arch.lds_max_per_group,
        "max_threads_per_block": arch.max_threads_per_group,
        "max_blocks_per_unit": arch.max_groups_per_unit,
        "unverified": list(arch.unverified),
        "numbers": [number._asdict() for number in numbers(arch)],
        "sources": dict(arch.sources),
    }


# The numbers of the tables in words, in the order in which they are shown. {unit}, {simd}, {wave} and {lds} are the
# vendor's own words.
_WORDS = {
    "wave_sizes": "lanes of a {wave}",
    "default_wave_size": "lanes of a {wave} where nothing says otherwise",
    "simds": "{simd}s that share a work-group",
    "max_waves_per_simd": "{wave}s per {simd}",
    "max_waves_per_sm": "warps per SM",
    "max_groups_per_unit": "work-groups per {unit}",
    "max_threads_per_group": "threads of a work-group",
    "barrier_slots": "work-groups that use barriers, per {unit}",
    "counts_barriers": "barriers limit the work-groups",
    "regs_per_simd": "registers per {simd}",
    "reg_granule": "registers are handed out in",
    "regs_per_group": "registers of a work-group",
    "max_regs_per_thread": "registers of a thread",
    "launch_max_regs": "registers of a thread that the launch check takes",
    "launch_check_simds": "the launch check rounds warps up to",
    "acc_regs": "accumulation registers",
    "grf": "register modes",
    "sgprs_per_simd": "SGPRs per {simd}",
    "sgpr_granule": "SGPRs are handed out in",
    "max_sgprs": "SGPRs of a {wave}, VCC and its like included",
    "sgpr_table": "most SGPRs for waves per SIMD, as clang counts",
    "lds_bytes": "{lds} per {unit}, bytes",
    "compiler_lds_bytes": "{lds} per {unit} as clang assumes, bytes",
    "lds_max_per_group": "{lds} of a work-group, bytes",
    "lds_granule": "{lds} is handed out in, bytes",
    "smem_kib_per_sm": "shared memory per SM, KiB",
    "smem_kib_opt_in": "shared memory of a block, KiB",
    "smem_kib_static": "of it without opting in, KiB",
    "smem_kib_reserved": "reserved of each block, KiB",
    "carveouts_kib": "shared-memory splits of the L1, KiB",
    "slm_kib_per_core": "SLM per Xe-core, KiB",
    "slm_kib_per_group": "SLM of a work-group, KiB",
    "slm_sizes_kib": "SLM is handed out in, KiB",
    "fast_fp64": "double precision at half of float's rate or more",
    "runtime_max_waves_per_simd": "waves per SIMD as the HIP run time counts",
    "runtime_sgpr_granule": "SGPRs are handed out in, as the HIP run time counts",
    "runtime_barrier_slots": "barriers per Xe-core as compute-runtime counts",
}


class Number(NamedTuple):
    """One number: its key in the data file, in words, its value as text, its source, and what its effect was compared
    with (None: nothing, the source alone vouches for it).
    """

    key: str
    words: str
    value: str
    source: str
    check: str | None


def numbers(arch: Architecture) -> tuple[Number, ...]:
    """All numbers of the vendor's table for ``arch``, those of the hardware first and the run time's last."""
    sources, checks, values = dict(arch.sources), dict(arch.checks), dict(_values(raw_row(arch)))
    words = WORDS[arch.vendor]._asdict()
    return tuple(
        Number(key, text.format(**words), values[key], sources[key], checks.get(key))
        for key, text in _WORDS.items()
        if key in values
    )


def _values(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    modes: list[dict[str, Any]] = row.get("modes", [])
    for key in _WORDS:
        if key in row:
            yield key, _text(row[key])
        elif any(key in mode for mode in modes):
            having = [mode for mode in modes if key in mode]
            single = len(modes) == 1
            yield key, ", ".join(_text(mode[key]) + ("" if single else f" ({mode['name'].upper()})") for mode in having)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        pairs = {int(size): number for size, number in value.items()}
        return ", ".join(f"{n} (wave{size})" if len(pairs) > 1 else str(n) for size, n in pairs.items())
    if not isinstance(value, list):
        return str(value)
    if value and isinstance(value[0], dict):
        return ", ".join(f"{m['registers']} of {m['bytes']} bytes: {m['waves_per_simd']} threads" for m in value)
    if value and isinstance(value[0], list):
        return ", ".join(f"{most}: {waves}" for most, waves in value)
    return " ".join(map(str, value))
