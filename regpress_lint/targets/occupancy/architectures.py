"""The architectures by name: ``targets/data/<vendor>.toml``, on first use, one vendor at a time."""

from __future__ import annotations

import functools

from .quantities import Architecture, GrfMode, Mode, UnknownArchitectureError, Vendor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

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
_ALIKE = 0.7  # below this a suggestion is a guess
_SYCL_PREFIXES = ("amdgpu", "nvidiagpu", "intelgpu")  # -fsycl-targets=intel_gpu_pvc
# fmt: off
_NOISE = frozenset((
    "agx", "amd", "center", "data", "edition", "generation", "gpu", "graphics", "hbm2", "hbm2e", "hbm3", "hbm3e",
    "intel", "jetson", "laptop", "max-q", "mobile", "module", "nano", "nvidia", "nvl", "nx", "oam", "pcie", "quadro",
    "rx", "series", "server", "super", "sxm", "sxm2", "sxm3", "sxm4", "sxm5", "ti", "workstation",
))
# fmt: on


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
    return tuple(_architecture(name) for maker in wanted for name in _table(maker)["arch"])


def is_known(name: str) -> bool:
    """Whether ``architecture`` knows the name. Quick for one that it does not know: nothing like it is looked for."""
    return _found(name) is not None


def answered_as(name: str) -> str | None:
    """The architecture that stands for a compiler's name of another one (`sm_101a`, `gfx703`): it has the same limits.
    None for its own name, with features or not, and for a product's.
    """
    spelled = _normal(name)
    entry = _found(name) if spelled.startswith(("sm", "gfx")) else None
    return entry[1] if entry is not None and _normal(entry[1]) != spelled else None


@functools.cache
def _architecture(name: str) -> Architecture:
    entry = _found(name)
    if entry is None:
        raise UnknownArchitectureError(name, _closest(name))
    return built(_table(entry[0]), *entry)


def _found(name: str) -> tuple[Vendor, str] | None:
    vendor = next(_search_order(name))
    if name in _table(vendor)["arch"]:  # as most are: no other spelling is looked at
        return vendor, name
    for key in dict.fromkeys((_normal(name), _normal(_without_noise(name)))):
        for vendor in _search_order(key):
            if (canonical := _names(vendor).get(key)) is not None:
                return vendor, canonical
    return None


def _normal(name: str) -> str:
    """The key that a spelling is looked up by: lower case, without features, vendor words, blanks, hyphens and
    underscores.
    """
    key = name.strip().lower().partition(":")[0]
    for mark in (" ", "-", "_", "(r)", "(tm)"):
        key = key.replace(mark, "")
    for prefix in _SYCL_PREFIXES:
        key = key.removeprefix(prefix)
    for brand in ("amd", "nvidia", "intel", "radeonpro", "radeon", "instinct", "geforce", "tesla"):
        # "radeonvii" is a product of its own, so a brand alone is only dropped before a model name with a digit.
        model = key.removeprefix(brand)
        if any(char.isdigit() for char in model):
            key = model
    return _normal_cuda(key)


def _without_noise(name: str) -> str:
    """A product's name without form factor, memory size and market words: "Tesla V100-SXM2-16GB" -> "Tesla V100"."""
    words = name.lower().replace("-", " ").replace("_", " ").replace("(r)", "").replace("(tm)", "").split()
    return " ".join(word for word in words if word not in _NOISE and not (word[:1].isdigit() and word.endswith("gb")))


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


def _closest(name: str) -> str | None:
    """The known name that ``name`` begins, else the one most like it; of equally similar ones an architecture's own and
    the next in the alphabet.
    """
    import difflib

    key = _normal(name)
    key = f"sm{key}" if key.isdigit() and not name.isdigit() else key  # of `sm_9`
    canonical = {_normal(name): name for vendor in VENDORS for name in _table(vendor)["arch"]}
    spelled = {name: name for vendor in VENDORS for name in _names(vendor)} | canonical
    similar = difflib.SequenceMatcher(b=key, autojunk=False)

    def rank(candidate: str) -> tuple[float, int, bool, int]:
        similar.set_seq1(candidate)
        same = _common_prefix(key, candidate)
        pair = (key[same : same + 1], candidate[same : same + 1])
        apart = abs(ord(pair[0]) - ord(pair[1])) if all(pair) else 0
        return round(similar.ratio(), 6), same, candidate in canonical, -apart

    best = max([name for name in spelled if name.startswith(key)] or spelled, key=rank, default="")
    return spelled[best] if best and rank(best)[0] >= _ALIKE else None


def _common_prefix(name: str, other: str) -> int:
    pairs = zip(name, other, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(name), len(other)))


@functools.cache
def _table(vendor: Vendor) -> dict[str, Any]:
    from importlib import import_module

    # The table as Python, which is there at once: reading the TOML is a fifth of a run over one file.
    table: dict[str, Any] = import_module(f"regpress_lint.targets.{vendor}_table").TABLE
    return table


@functools.cache
def _names(vendor: Vendor) -> dict[str, str]:
    """Normalised name or alias -> architecture."""
    return dict(spellings(_table(vendor)))


def spellings(table: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(normalised name or alias, architecture) for every spelling of a vendor's table."""
    for name in table["arch"]:
        yield from ((_normal(spelling), name) for spelling in (name, *table["aliases"].get(name, ())))


def raw_row(arch: Architecture) -> dict[str, Any]:
    """The numbers of ``arch`` as in the vendor's table, those of its family included."""
    return _row(_table(arch.vendor), arch.name)


def _row(table: dict[str, Any], name: str) -> dict[str, Any]:
    row: dict[str, Any] = table["arch"][name]
    family: dict[str, Any] = table["family"][row.get("family", "all")]
    return family | row


def built(table: dict[str, Any], vendor: Vendor, name: str) -> Architecture:
    """An architecture of a vendor's table. Raises KeyError with the name of a number that is missing."""
    row = _row(table, name)
    compared = table["check"][0]  # with what knows all of the vendor's GPUs but a few
    common: dict[str, Any] = {
        "name": name,
        "vendor": vendor,
        "title": row["title"],
        "aliases": tuple(table["aliases"].get(name, ())),
        "verified": "*" not in compared.get("except", {}).get(name, ()),
        "fast_fp64": row.get("fast_fp64", False),
        "wave_sizes": tuple(row["wave_sizes"]),
        "default_wave_size": row.get("default_wave_size", row["wave_sizes"][0]),
        "max_threads_per_group": row.get("max_threads_per_group", 1024),
        "sources": tuple(table["sources"].items()),
        "checks": tuple(_checks(table["check"], name)),
    }
    return Architecture(**common, **_SPECIFIC[vendor](row))


def _checks(checks: list[dict[str, Any]], name: str) -> Iterator[tuple[str, str]]:
    """(number, what it was compared with) for the numbers of one architecture that were compared."""
    for check in checks:
        if name not in check.get("only", (name,)):
            continue
        left_out = check.get("except", {}).get(name, ())
        yield from ((field, check["by"]) for field in check["fields"] if field not in left_out and "*" not in left_out)


def _amd(row: dict[str, Any]) -> dict[str, Any]:
    same = ("acc_regs", "sgprs_per_simd", "sgpr_granule", "runtime_sgpr_granule")
    return {
        **{key: row[key] for key in same if key in row},
        "modes": tuple(_amd_mode(mode) for mode in row["modes"]),
        "counts_barriers": False,  # a block has one
        "prints_occupancy": True,
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
        "chooses_wave": True,
        "runtime_barrier_slots": row["runtime_barrier_slots"],
        "max_regs_per_thread": max(m.registers * m.bytes_per_register for m in modes) // 4 // min(row["wave_sizes"]),
        "grf_modes": modes,
        "lds_max_per_group": row["slm_kib_per_group"] * _KIB,
        "lds_sizes": tuple(size * _KIB for size in row["slm_sizes_kib"]),
    }


def _by_wave(row: dict[str, int]) -> dict[int, int]:
    return {int(size): value for size, value in row.items()}


_SPECIFIC = {"amd": _amd, "nvidia": _nvidia, "intel": _intel}
