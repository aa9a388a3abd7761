"""`regpress-lint targets`: the GPUs that are known, with their limits and where the numbers are from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cli.parser import output_is_json, table, write_json
from regpress_lint.occupancy import architectures
from regpress_lint.settings import DEFAULT_TARGETS

if TYPE_CHECKING:
    import argparse

    from regpress_lint.occupancy.types import Architecture

_HEAD = (
    "name",
    "GPU",
    "also",
    "wave",
    "SIMDs",
    "waves/SIMD",
    "registers/thread",
    "LDS/unit",
    "LDS/block",
    "threads/block",
)


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `targets`."""
    known = architectures()
    if output_is_json(arguments):
        write_json({"version": 1, "targets": [_as_dict(arch) for arch in known]})
        return 0
    print("\n".join(table([_HEAD, *map(_row, known)], frozenset({0, 1, 2}))))
    defaults = ", ".join(f"{language}: {' '.join(names)}" for language, names in DEFAULT_TARGETS.items())
    print(f"\nDefault by language: {defaults}.")
    print("LDS in bytes; a unit is a CU or WGP (AMD), an SM (NVIDIA), an Xe-core (Intel).")
    if any(not arch.verified for arch in known):
        print("* no vendor's tool was at hand to check these numbers")
    return 0


def _row(arch: Architecture) -> tuple[str, ...]:
    return (
        arch.name + ("" if arch.verified else "*"),
        arch.title,
        " ".join(arch.aliases[:3]),
        "/".join(map(str, arch.wave_sizes)),
        "/".join(str(mode.simds) for mode in arch.modes),
        str(arch.max_waves_per_simd),
        str(arch.max_regs_per_thread),
        "/".join(str(mode.lds_bytes) for mode in arch.modes),
        str(arch.lds_max_per_group),
        str(arch.max_threads_per_group),
    )


def _as_dict(arch: Architecture) -> dict[str, object]:
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
        "sources": dict(arch.sources),
    }
