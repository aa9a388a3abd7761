"""Writes docs/occupancy.md and testdata/occupancy/claims.md: prose beside this file, with every number computed.

    python -m tools.generators.occupancy_document [--check]

An expression in double braces stands for its value; the names it may use are the functions of this module that
``NAMES`` lists. ``--check`` writes nothing and exits with 1 if a page is stale.
"""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regpress_lint.commands.targets import numbers
from regpress_lint.targets.occupancy import (
    Architecture,
    KernelUse,
    Vendor,
    architecture,
    architectures,
    compiler_waves_per_simd,
    occupancy,
    register_steps,
    runtime_blocks,
)
from regpress_lint.targets.occupancy.intel import grf_budget
from regpress_lint.targets.occupancy.nvidia import H200, TERMS, active_clusters, share_of_sms
from tools.generators import checks_only

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = Path(__file__).with_suffix(".md")
DOCUMENT = ROOT / "docs" / "occupancy.md"
CLAIMS_TEMPLATE = Path(__file__).with_name("occupancy_claims.md")
CLAIMS = ROOT / "testdata" / "occupancy" / "claims.md"
_EXPRESSION = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)
_KIB = 1024

# The template's short names for the fields of KernelUse.
_FIELDS = {"block": "block_size", "lds": "lds_bytes", "wave": "wave_size"}


def _use(fields: dict[str, Any]) -> KernelUse:
    return KernelUse(**{_FIELDS.get(name, name): value for name, value in fields.items()})


def resident(name: str, **fields: Any) -> str:
    """Resident waves of a unit and the most it holds: "8 of 40"."""
    answer = occupancy(architecture(name), _use(fields))
    return f"{answer.waves} of {answer.max_waves}"


def groups(name: str, **fields: Any) -> int:
    """Whole work-groups resident on a unit."""
    return occupancy(architecture(name), _use(fields)).groups


def waves(name: str, **fields: Any) -> str:
    """Resident waves per SIMD, a fraction where the groups do not spread evenly."""
    return f"{float(occupancy(architecture(name), _use(fields)).waves_per_simd):g}"


def percent(name: str, **fields: Any) -> str:
    return f"{occupancy(architecture(name), _use(fields)).fraction * 100:g} %"


def limiter(name: str, **fields: Any) -> str:
    """The limiters of the occupancy in the vendor's words, ties joined by "and"."""
    arch = architecture(name)
    words = {**TERMS, "lds": "shared memory"} if arch.vendor == "nvidia" else {"waves": "wave slots", "lds": "LDS"}
    return " and ".join(words.get(each, each) for each in occupancy(arch, _use(fields)).limiters)


def remark(name: str, **fields: Any) -> int:
    """Waves per SIMD as clang's remark prints them."""
    return compiler_waves_per_simd(architecture(name), _use(fields))


def api(name: str, **fields: Any) -> int:
    """Work-groups per unit as the run-time API answers."""
    return runtime_blocks(architecture(name), _use(fields))


def comma(value: int) -> str:
    return f"{value:,}"


def max_threads(name: str) -> int:
    """Threads that a work-group may have."""
    return architecture(name).max_threads_per_group


def number(name: str, key: str) -> str:
    """One number of an architecture's table."""
    return next(each.value for each in numbers(architecture(name)) if each.key == key)


def budget(name: str, sub_group: int, grf: int = 128) -> int:
    """Intel: dwords of registers that a work-item has."""
    return grf_budget(architecture(name), sub_group, grf)


def best_blocks(name: str, most_idle: int = 0) -> str:
    """Block sizes that fill every wave slot, with at most so many idle lanes in the last wave."""
    arch = architecture(name)
    size = arch.default_wave_size
    full = [
        block
        for block in range(1, arch.max_threads_per_group + 1)
        if -block % size <= most_idle and occupancy(arch, KernelUse(block_size=block)).fraction == 1
    ]
    return ", ".join(map(str, full))


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)])


def limits(vendor: Vendor) -> str:
    """The vendor's architectures as rows, a number that no tool checked with a question mark."""
    keys = _COLUMNS[vendor]
    alike = _alike(architectures(vendor), lambda arch: tuple(_cells(arch, keys)))
    rows = [[", ".join(arch.name for arch in members), *_cells(members[0], keys)] for members in alike]
    return table(["", *keys.values()], rows)


_BY_MODE = re.compile(r" \((?:wave32|wave64|CU|WGP)\)")  # in this order, which the text below the table gives


def _cells(arch: Architecture, keys: dict[str, str]) -> list[str]:
    known = {each.key: each for each in numbers(arch)}
    cells = []
    for key in keys:
        each = known.get(key)
        cells.append("-" if each is None else _BY_MODE.sub("", each.value) + ("" if each.check else " ?"))
    return cells


def _alike(archs: Sequence[Architecture], key: Callable[[Architecture], object]) -> list[list[Architecture]]:
    found: dict[object, list[Architecture]] = {}
    for arch in archs:
        found.setdefault(key(arch), []).append(arch)
    return list(found.values())


_COLUMNS: dict[Vendor, dict[str, str]] = {
    "amd": {
        "max_waves_per_simd": "waves / SIMD",
        "simds": "SIMDs",
        "regs_per_simd": "VGPRs / SIMD, per lane",
        "reg_granule": "in steps of",
        "acc_regs": "AGPRs",
        "sgprs_per_simd": "SGPRs / SIMD",
        "sgpr_granule": "in steps of",
        "max_sgprs": "SGPRs / wave",
        "lds_bytes": "LDS of the unit",
        "lds_max_per_group": "LDS / group",
        "lds_granule": "in steps of",
        "barrier_slots": "groups with barriers",
        "runtime_max_waves_per_simd": "HIP API: waves / SIMD",
    },
    "nvidia": {
        "max_waves_per_sm": "warps / SM",
        "max_groups_per_unit": "blocks / SM",
        "simds": "sub-partitions",
        "regs_per_simd": "registers / sub-partition",
        "smem_kib_per_sm": "smem / SM, KiB",
        "smem_kib_opt_in": "smem / block, KiB",
        "smem_kib_reserved": "reserved / block, KiB",
        "lds_granule": "smem in steps of, bytes",
        "carveouts_kib": "splits, KiB",
        "barrier_slots": "barriers / SM",
        "counts_barriers": "counted",
    },
    "intel": {
        "simds": "XVEs",
        "max_waves_per_simd": "threads / XVE",
        "wave_sizes": "sub-groups",
        "grf": "register modes",
        "max_threads_per_group": "work-group",
        "slm_kib_per_core": "SLM / core, KiB",
        "slm_kib_per_group": "SLM / group, KiB",
        "slm_sizes_kib": "SLM in sizes of, KiB",
        "max_groups_per_unit": "groups / core",
        "barrier_slots": "with barriers",
        "runtime_barrier_slots": "with barriers, driver",
    },
}


def amd_steps(wave_size: int) -> str:
    """Most VGPRs for every number of waves per SIMD, registers alone (groups of one wave)."""
    archs = [arch for arch in architectures("amd") if wave_size in arch.wave_sizes]
    return _steps(archs, lambda arch: register_steps(arch, wave_size, wave_size=wave_size))


def nvidia_steps() -> str:
    """Most registers for every number of warps per SM (blocks of one warp a sub-partition)."""
    return _steps(
        architectures("nvidia"),
        lambda arch: tuple(
            (registers, per_simd * arch.modes[0].simds) for registers, per_simd in register_steps(arch, 128)
        ),
    )


def _steps(archs: Sequence[Architecture], steps: Callable[[Architecture], Sequence[tuple[int, Any]]]) -> str:
    lines = []
    for members in _alike(archs, lambda arch: tuple(steps(arch))):
        stairs = ", ".join(f"{registers}: **{n}**" for registers, n in steps(members[0]))
        lines.append(f"- {', '.join(arch.name for arch in members)}: {stairs}")
    return "\n".join(lines)


def intel_budgets() -> str:
    """A line for all GPUs alike: for every register mode its threads, and dwords of a work-item by sub-group size."""

    def modes(arch: Architecture) -> str:
        return ", ".join(
            f"{mode.registers} ({mode.waves_per_simd}): **{dwords(arch, mode.registers)}**" for mode in arch.grf_modes
        )

    def dwords(arch: Architecture, registers: int) -> str:
        return "/".join(str(budget(arch.name, size, registers)) for size in arch.wave_sizes)

    lines = []
    for members in _alike(architectures("intel"), modes):
        sizes = "/".join(map(str, members[0].wave_sizes))
        lines.append(f"- {', '.join(arch.name for arch in members)}, sub-groups of {sizes}: {modes(members[0])}")
    return "\n".join(lines)


def unverified() -> str:
    """For every set of unchecked numbers the architectures that have it."""
    lines = []
    for arch_list in (architectures("amd"), architectures("nvidia"), architectures("intel")):
        for members in _alike(arch_list, lambda arch: tuple(n.key for n in numbers(arch) if n.check is None)):
            words = [n.words for n in numbers(members[0]) if n.check is None]
            names = ", ".join(arch.name for arch in members)
            lines.append(f"- {names}: {'; '.join(words) if words else 'nothing'}")
    return "\n".join(lines)


def conventions() -> str:
    """Launches for which the three answers differ, in waves per SIMD."""
    rows = []
    for name, fields in _CONVENTIONS:
        use = _use(fields)
        arch = architecture(name)
        per_group = -(-use.block_size // arch.wave_size(use.wave_size))
        from_api = runtime_blocks(arch, use) * per_group / arch.mode(use.mode).simds
        what = ", ".join(f"{value:,} {_PLAIN[key]}" for key, value in fields.items() if key in _PLAIN)
        mode = f" ({use.mode.upper()} mode)" if len(arch.modes) > 1 else ""
        rows.append((name + mode, what, waves(name, **fields), remark(name, **fields), f"{from_api:g}"))
    return table(("", "kernel", "resident", "remark", "run-time API"), rows)


_PLAIN = {"vgprs": "VGPRs", "sgprs": "SGPRs", "lds": "bytes of LDS", "block": "threads"}
_CONVENTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("gfx90a", {"vgprs": 96, "block": 1024}),
    ("gfx90a", {"vgprs": 32, "lds": 24 * _KIB, "block": 192}),
    ("gfx906", {"vgprs": 24, "block": 64}),
    ("gfx906", {"vgprs": 24, "sgprs": 84, "block": 64}),
    ("gfx1010", {"vgprs": 48, "block": 32}),
    ("gfx1100", {"vgprs": 64, "lds": 5000, "block": 64}),
    ("gfx1100", {"vgprs": 64, "lds": 48 * _KIB, "block": 256, "mode": "wgp"}),
)


def checks() -> str:
    """Comparisons of each vendor's numbers."""
    found = dict.fromkeys((arch.vendor, by) for arch in architectures() for _, by in arch.checks)
    return "\n".join(f"- {_VENDOR_NAMES[vendor]}: {by}" for vendor, by in found)


def device_rows() -> str:
    """How the answers of a real GPU compare with ours."""
    h200 = architecture("h200")
    with (ROOT / "testdata" / "occupancy" / "h200.csv").open(newline="", encoding="utf-8") as lines:
        rows = [{name: int(value) for name, value in row.items()} for row in csv.DictReader(lines)]
    ours = [
        runtime_blocks(
            h200, KernelUse(row["registers"], 0, 0, row["lds_bytes"], row["block_size"], carveout=row["carveout"])
        )
        for row in rows
    ]
    pairs = list(zip(ours, rows, strict=True))
    wrong = sum(answer != row["api_blocks"] for answer, row in pairs)
    launched = [(answer, row["measured_blocks"]) for answer, row in pairs if row["measured_blocks"] >= 0]
    same, more = sum(a == m for a, m in launched), sum(m > a for a, m in launched)
    return (
        f"of {len(rows)} answers of the API {wrong} differ from ours; of {len(launched)} launches {same} held as many "
        f"blocks, {more} more, {len(launched) - same - more} one or two fewer"
    )


def clusters() -> str:
    """For sizes of clusters and blocks per SM, the clusters that one H200 held and the share of its places."""
    lines = ["| blocks per SM | " + " | ".join(f"clusters of {size}" for size in _CLUSTERS) + " |"]
    lines.append("|---" * (1 + len(_CLUSTERS)) + "|")
    for each in (1, 2, 4, 8):
        cells = (f"{active_clusters(H200, each, size)}, {share_of_sms(H200, each, size):.0%}" for size in _CLUSTERS)
        lines.append(f"| {each} | {' | '.join(cells)} |")
    return "\n".join(lines)


_CLUSTERS = (2, 3, 4, 6, 8, 16)
_VENDOR_NAMES: dict[Vendor, str] = {"amd": "AMD", "nvidia": "NVIDIA", "intel": "Intel"}
NAMES: dict[str, Any] = {
    function.__name__: function
    for function in (
        *(resident, groups, waves, percent, limiter, remark, api, number, comma, max_threads, budget, best_blocks),
        *(limits, amd_steps, nvidia_steps, intel_budgets, unverified, conventions, checks, device_rows, clusters),
    )
} | {"KiB": _KIB}


def pages() -> dict[Path, str]:
    """The text of each page."""
    return {DOCUMENT: document(TEMPLATE), CLAIMS: document(CLAIMS_TEMPLATE)}


def document(template: Path) -> str:
    """A template with its numbers."""
    # A template is a file of this repository, so evaluating its expressions runs nothing foreign.
    return _EXPRESSION.sub(lambda found: str(eval(found[1].strip(), NAMES)), template.read_text(encoding="utf-8"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 1 if `--check` finds a difference."""
    if checks_only(__doc__, arguments):
        same = all(page.is_file() and page.read_text(encoding="utf-8") == text for page, text in pages().items())
        print("up to date" if same else f"run {Path(__file__).relative_to(ROOT)}")
        return 0 if same else 1
    for page, text in pages().items():
        page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
