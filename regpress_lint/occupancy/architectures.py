"""The architectures by name: reads ``data/<vendor>.toml`` on first use, one vendor at a time."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from .types import Architecture, GrfMode, Mode, UnknownArchitectureError, Vendor

if TYPE_CHECKING:
    from collections.abc import Iterator

VENDORS: tuple[Vendor, ...] = ("amd", "nvidia", "intel")

# Which table to open first. Only a guess that saves reading the others: a wrong one costs a millisecond, never an
# answer.
_PREFIXES: tuple[tuple[Vendor, tuple[str, ...]], ...] = (
    (
        "nvidia",
        ("sm", "compute", "cc", "rtx", "gtx", "gb", "gh", "v1", "t4", "a1", "h1", "h2", "b1", "b2", *"0123456789"),
    ),
    ("intel", ("gen", "xe", "dg", "pvc", "arc", "max", "flex", "bmg", "lnl", "mtl", "intel")),
)
_KIB = 1024


def architecture(name: str) -> Architecture:
    """The architecture called ``name``: its own name, a product (``mi250x``, ``h100``, ``max1550``), or a spelling
    compilers use.

    Case, blanks and hyphens do not matter; AMD feature suffixes (``gfx942:sramecc+:xnack-``), NVIDIA's ``sm_90a``,
    ``compute_90`` and ``9.0`` are understood. Raises UnknownArchitectureError with the closest known name.
    """
    return _architecture(name)


def architectures(vendor: Vendor | None = None) -> tuple[Architecture, ...]:
    """All architectures, or one vendor's, in the order of the tables."""
    wanted = VENDORS if vendor is None else (vendor,)
    return tuple(_architecture(name) for each in wanted for name in _table(each)["arch"])


@functools.cache
def _architecture(name: str) -> Architecture:
    key = _normal(name)
    for vendor in _search_order(key):
        found = _names(vendor).get(key)
        if found is not None:
            return _build(vendor, found)
    raise UnknownArchitectureError(name, _closest(key))


def _normal(name: str) -> str:
    """The key that a spelling is looked up by: lower case, without features, vendor words, blanks, hyphens and
    underscores.
    """
    key = name.strip().lower().partition(":")[0]
    for char in " -_":
        key = key.replace(char, "")
    for brand in ("amd", "nvidia", "intel", "radeon", "instinct", "geforce", "tesla"):
        # "radeonvii" is a product of its own, so a brand alone is only dropped before a model name with a digit.
        rest = key.removeprefix(brand)
        if any(char.isdigit() for char in rest):
            key = rest
    return _normal_cuda(key)


def _normal_cuda(key: str) -> str:
    for prefix in ("compute", "sm", "cc"):
        digits = key.removeprefix(prefix)
        if digits != key:
            key = digits
            break
    bare = key[:-1] if key[-1:] in ("a", "f") else key  # sm_90a, sm_100f: the same limits
    number = bare.replace(".", "", 1)
    return f"sm{number}" if number.isdigit() and len(number) in (2, 3) else key


def _search_order(key: str) -> Iterator[Vendor]:
    first: Vendor = next((vendor for vendor, prefixes in _PREFIXES if key.startswith(prefixes)), "amd")
    yield first
    yield from (vendor for vendor in VENDORS if vendor != first)


def _closest(key: str) -> str | None:
    import difflib

    spelled = {key: key for vendor in VENDORS for key in _names(vendor)}
    spelled |= {_normal(name): name for vendor in VENDORS for name in _table(vendor)["arch"]}
    close = difflib.get_close_matches(key, list(spelled), n=1, cutoff=0.6)
    return spelled[close[0]] if close else None


@functools.cache
def _table(vendor: Vendor) -> dict[str, Any]:
    import tomllib
    from os import path

    with open(path.join(path.dirname(__file__), "data", f"{vendor}.toml"), "rb") as stream:
        return tomllib.load(stream)


@functools.cache
def _names(vendor: Vendor) -> dict[str, str]:
    """Normalised name or alias -> architecture."""
    names = {}
    for name, row in _table(vendor)["arch"].items():
        for spelling in (name, *row.get("aliases", ())):
            names[_normal(spelling)] = name
    return names


def _build(vendor: Vendor, name: str) -> Architecture:
    table = _table(vendor)
    row: dict[str, Any] = table["arch"][name]
    row = table["family"][row.get("family", "all")] | row
    common: dict[str, Any] = {
        "name": name,
        "vendor": vendor,
        "title": row["title"],
        "aliases": tuple(row.get("aliases", ())),
        "verified": row.get("verified", True),
        "wave_sizes": tuple(row["wave_sizes"]),
        "default_wave_size": row.get("default_wave_size", row["wave_sizes"][0]),
        "max_threads_per_group": row.get("max_threads_per_group", 1024),
        "sources": tuple(table["sources"].items()),
    }
    return Architecture(**common, **_SPECIFIC[vendor](row))


def _amd(row: dict[str, Any]) -> dict[str, Any]:
    same = ("acc_regs", "sgprs_per_simd", "sgpr_granule", "runtime_sgpr_granule")
    return {
        **{key: row[key] for key in same if key in row},
        "modes": tuple(_amd_mode(mode) for mode in row["modes"]),
        "max_waves_per_simd": row["max_waves_per_simd"],
        "runtime_max_waves_per_simd": row["runtime_max_waves_per_simd"],
        "regs_per_simd": _by_wave(row["regs_per_simd"]),
        "reg_granule": _by_wave(row["reg_granule"]),
        "max_regs_per_thread": row["max_regs_per_thread"],
        "max_sgprs": row["max_sgprs"],
        "sgpr_table": tuple((most, waves) for most, waves in row.get("sgpr_table", ())),
        "lds_max_per_group": row["lds_max_per_group"],
        "lds_granule": row["lds_granule"],
    }


def _amd_mode(mode: dict[str, Any]) -> Mode:
    lds = mode["lds_bytes"]
    return Mode(mode["name"], mode["simds"], lds, mode["barrier_slots"], mode.get("compiler_lds_bytes", lds))


def _nvidia(row: dict[str, Any]) -> dict[str, Any]:
    lds = row["smem_kib_per_sm"] * _KIB
    return {
        "modes": (Mode("sm", row["simds"], lds, row.get("barrier_slots"), lds),),
        "max_waves_per_simd": row["max_waves_per_sm"] // row["simds"],
        "max_groups_per_unit": row["max_groups_per_unit"],
        "counts_barriers": row.get("counts_barriers", False),
        "regs_per_simd": _by_wave(row["regs_per_simd"]),
        "reg_granule": _by_wave(row["reg_granule"]),
        "regs_per_group": row["regs_per_group"],
        "max_regs_per_thread": row["max_regs_per_thread"],
        "launch_max_regs": row["launch_max_regs"],
        "launch_check_simds": row["launch_check_simds"],
        "lds_max_per_group": row["smem_kib_opt_in"] * _KIB,
        "lds_static_max": row["smem_kib_static"] * _KIB,
        "lds_reserved_per_group": row["smem_kib_reserved"] * _KIB,
        "lds_granule": row["lds_granule"],
        "lds_carveouts": tuple(size * _KIB for size in row.get("carveouts_kib", ())),
    }


def _intel(row: dict[str, Any]) -> dict[str, Any]:
    lds = row["slm_kib_per_core"] * _KIB
    modes = tuple(GrfMode(mode["registers"], mode["bytes"], mode["waves_per_simd"]) for mode in row["grf"])
    return {
        "modes": (Mode("core", row["simds"], lds, row["barrier_slots"], lds),),
        "max_waves_per_simd": row["max_waves_per_simd"],
        "max_groups_per_unit": row["max_groups_per_unit"],
        "runtime_barrier_slots": row["runtime_barrier_slots"],
        "max_regs_per_thread": max(m.registers * m.bytes_per_register for m in modes) // 4 // min(row["wave_sizes"]),
        "grf_modes": modes,
        "lds_max_per_group": row["slm_kib_per_group"] * _KIB,
        "lds_sizes": tuple(size * _KIB for size in row["slm_sizes_kib"]),
    }


def _by_wave(row: dict[str, int]) -> dict[int, int]:
    return {int(size): value for size, value in row.items()}


_SPECIFIC = {"amd": _amd, "nvidia": _nvidia, "intel": _intel}
