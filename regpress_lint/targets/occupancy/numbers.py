"""Every number of an architecture as one reads it: what it is, its value, where it is from, what it was compared
with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.vocabulary import WORDS

from .architectures import raw_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .quantities import Architecture

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
    own = WORDS[arch.vendor]._asdict()
    return tuple(
        Number(key, text.format(**own), values[key], sources[key], checks.get(key))
        for key, text in _WORDS.items()
        if key in values
    )


def _values(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    modes: list[dict[str, Any]] = row.get("modes", [])
    for key in _WORDS:
        if key in row:
            yield key, _text(row[key])
        elif any(key in mode for mode in modes):
            here = [mode for mode in modes if key in mode]
            one = len(modes) == 1
            yield key, ", ".join(_text(mode[key]) + ("" if one else f" ({mode['name'].upper()})") for mode in here)


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
