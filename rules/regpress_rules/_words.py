"""How findings write numbers and name things."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.api import KernelFacts
    from regpress_lint.targets.occupancy import Architecture, Occupancy, Vendor

_LIMITERS = {
    "waves": "the block size",
    "registers": "registers",
    "sgprs": "SGPRs",
    "lds": "LDS",
    "groups": "block slots",
    "barriers": "barriers",
}


def count(number: float, noun: str) -> str:
    """`1 byte`, `2 bytes`, `1,024 bytes`, `1.25 waves`."""
    shown = f"{int(number):,}" if number == int(number) else f"{number:g}"
    return f"{shown} {noun}" + ("" if number == 1 else "s")


def listing(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    items = list(words)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def waves(occupancy: Occupancy) -> str:
    """Waves per SIMD as people write them: `1 wave`, `2.5 waves`."""
    return count(occupancy.waves / occupancy.simds, "wave")  # not `waves_per_simd`: fractions take 2 ms to import


def sub_group(facts: KernelFacts, arch: Architecture) -> str:
    """The sub-group size that decides on Intel, and whether the kernel asks for it; nothing for the other vendors."""
    if arch.vendor != "intel":
        return ""
    wanted = facts.kernel.sub_group_size
    if wanted in arch.wave_sizes:
        return f" at sub-group size {wanted}"
    return f" at sub-group size {arch.default_wave_size} (assumed)"


def unit_name(vendor: Vendor) -> str:
    """What a work-group stays on, with its article."""
    return {"amd": "a CU", "nvidia": "an SM", "intel": "an Xe-core"}[vendor]


def limiter_names(occupancy: Occupancy, *, without: str = "") -> list[str]:
    """What holds the waves down, in words, `without` one limiter."""
    return [_LIMITERS[name] for name in occupancy.limiters if name != without]
