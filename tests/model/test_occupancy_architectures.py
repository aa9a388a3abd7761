"""The tables of architectures: every name and alias, every number with a source, only the vendor needed is read."""

from __future__ import annotations

import csv
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from regpress_lint.commands.targets import numbers
from regpress_lint.targets.occupancy import (
    Architecture,
    KernelUse,
    UnknownArchitectureError,
    Vendor,
    architecture,
    architectures,
    occupancy,
)
from regpress_lint.targets.occupancy.architectures import VENDORS, _table, built, raw_row

ROOT = Path(__file__).resolve().parents[2]

NAMES = {
    "amd": "gfx600 gfx700 gfx803 gfx900 gfx906 gfx908 gfx90a gfx940 gfx941 gfx942 gfx950 gfx1010 gfx1030 gfx1100 "
    "gfx1101 gfx1102 gfx1150 gfx1151 gfx1200 gfx1201",
    "nvidia": "sm_60 sm_61 sm_70 sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 sm_100 sm_103 sm_110 sm_120 sm_121",
    "intel": "gen9 gen11 gen12lp dg2 pvc xe2",
}
# Spellings apart by commas: products, code names, compilers' targets, what device queries print.
ALIASES = {
    "gfx906": "mi50, mi60, MI50, vega20, Radeon VII, gfx9-generic, gfx90c, AMD Radeon VII",
    "gfx908": "mi100, cdna1, MI-100, AMD Instinct MI100",
    "gfx90a": "mi210, mi250, mi250x, MI250X, gfx90a:xnack-, gfx90a:sramecc+:xnack-, GFX90A, cdna2, amd_gpu_gfx90a",
    "gfx942": "mi300a, mi300x, MI300X, MI325X, gfx942:sramecc+, AMD_MI300X, amd_gpu_gfx942, gfx9-4-generic",
    "gfx950": "MI355X, mi350x",
    "gfx1010": "rx5700xt, gfx1012, gfx10-1-generic",
    "gfx1030": "gfx1031, gfx1036, RX 6700 XT, AMD Radeon Pro W6800, gfx10-3-generic",
    "gfx1100": "rx7900xtx, rdna3, 7900 XTX, W7900, AMD Radeon RX 7900 XTX",
    "gfx1102": "gfx11-generic, RX 7600",
    "gfx1200": "gfx12-generic, rdna4",
    "sm_61": "GTX 1080, GeForce GTX 1080 Ti, p40",
    "sm_70": "v100, V100, 7.0, 70, cc70, compute_70, cc7.0, Tesla V100-SXM2-16GB, nvidia_gpu_sm_70",
    "sm_75": "t4, T4, Tesla T4, Quadro RTX 6000, NVIDIA GeForce RTX 2080 Ti",
    "sm_80": "a100, A100, sm80, A100-SXM4-80GB, NVIDIA A100-PCIE-40GB, A100 80GB PCIe",
    "sm_86": "rtx3090, RTX 3090, a40, A10, NVIDIA GeForce RTX 3080 Ti Laptop GPU, NVIDIA RTX A6000, 3090",
    "sm_87": "orin, Jetson Orin, Jetson AGX Orin",
    "sm_89": "rtx4090, RTX 4090, rtx_4090, l40s, L40S, L4, NVIDIA RTX 6000 Ada Generation, GeForce RTX 4070 Ti SUPER",
    "sm_90": "h100, h200, gh200, sm_90a, compute_90, 9.0, 90a, nvidia_gpu_sm_90, NVIDIA H100 80GB HBM3, H100 NVL",
    "sm_100": "b200, GB200, sm_100f, sm_100a, 10.0, compute_100a",
    "sm_103": "B300, gb300, 10.3",
    "sm_110": "Thor, Jetson Thor",
    "sm_120": "rtx5090, RTX PRO 6000, NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
    "sm_121": "DGX Spark, gb10",
    "gen9": "skl, intel_gpu_skl",
    "gen12lp": "dg1, tgl, gen12, intel_gpu_adl_n, Iris Xe, Intel(R) Iris(R) Xe Graphics",
    "dg2": "arc, mtl, xe_hpg, Flex 170, intel_gpu_dg2_g10, intel_gpu_acm_g11, Intel(R) Arc(TM) A770 Graphics",
    "pvc": "max1550, max1100, Max 1100, PVC, xe_hpc, ponte-vecchio, intel_gpu_pvc, Intel(R) Data Center GPU Max 1550",
    "xe2": "bmg, lnl, B580, intel_gpu_bmg_g21, intel_gpu_lnl_m",
}


@pytest.mark.parametrize(("vendor", "name"), [(v, name) for v, names in NAMES.items() for name in names.split()])
def test_every_named_architecture_is_there(vendor: str, name: str) -> None:
    arch = architecture(name)
    assert (arch.name, arch.vendor) == (name, vendor)
    assert arch.title
    assert arch.verified is (name != "gfx950")


@pytest.mark.parametrize(
    "name", [name for name in NAMES["amd"].split() if name.startswith(("gfx10", "gfx11", "gfx12"))]
)
def test_rdna_has_both_wave_sizes_and_both_modes(name: str) -> None:
    arch = architecture(name)
    assert arch.wave_sizes == (32, 64)
    assert [(mode.name, mode.simds, mode.lds_bytes) for mode in arch.modes] == [("cu", 2, 65536), ("wgp", 4, 131072)]
    assert set(arch.regs_per_simd) == {32, 64}


@pytest.mark.parametrize(
    ("name", "modes"), [("dg2", (128, 256)), ("pvc", (128, 256)), ("xe2", (128, 256)), ("gen9", (128,))]
)
def test_intel_register_modes(name: str, modes: tuple[int, ...]) -> None:
    assert tuple(mode.registers for mode in architecture(name).grf_modes) == modes


@pytest.mark.parametrize(
    ("alias", "name"), [(alias, name) for name, row in ALIASES.items() for alias in row.split(", ")]
)
def test_aliases(alias: str, name: str) -> None:
    assert architecture(alias).name == name


def test_no_alias_means_two_architectures() -> None:
    spelled = [name.replace("_", "").replace("-", "") for a in architectures() for name in (a.name, *a.aliases)]
    assert len(spelled) == len(set(spelled))


def test_own_names_and_aliases_all_resolve() -> None:
    for arch in architectures():
        for name in (arch.name, *arch.aliases):
            assert architecture(name) is architecture(arch.name) or architecture(name) == arch


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        *(
            ("gfx90aa", "gfx90a"),
            ("gfx90b", "gfx90a"),
            ("gfx943", "gfx942"),
            ("gfx95", "gfx950"),
            ("gfx1104", "gfx1103"),
        ),
        *(("mi250xx", "mi250x"), ("mi25x", "mi250x"), ("mi300c", "mi300"), ("max155", "max1550"), ("pvcc", "pvc")),
        *(("h10", "h100"), ("h300", "h200"), ("sm_91", "sm_90"), ("sm_85", "sm_86"), ("rtx 4091", "rtx4090")),
    ],
)
def test_unknown_name_suggests_a_known_one(name: str, suggestion: str) -> None:
    with pytest.raises(UnknownArchitectureError, match="did you mean") as caught:
        architecture(name)
    assert caught.value.suggestion is not None
    assert architecture(caught.value.suggestion) == architecture(suggestion)


@pytest.mark.parametrize("name", ["gfx", "gpu", "ti", "nvidia", "1", "sm", "x" * 500])
def test_invalid_name_gets_no_suggestion(name: str) -> None:
    with pytest.raises(UnknownArchitectureError) as caught:
        architecture(name)
    assert caught.value.suggestion is None


@pytest.mark.parametrize("name", ["", "zzzzqqqq", ":", "🙂", "gfx", "sm_"])
def test_nonsense_is_one_clear_error(name: str) -> None:
    with pytest.raises(UnknownArchitectureError, match="unknown architecture"):
        architecture(name)


@pytest.mark.parametrize("vendor", VENDORS)
def test_every_number_has_a_source(vendor: Vendor) -> None:
    table = _table(vendor)
    words = {"modes", "family", "title", "name"}
    for row in (*table["arch"].values(), *table["family"].values()):
        keys = {key for part in (row, *row.get("modes", ())) for key in part} - words
        assert keys <= set(table["sources"])
    assert dict(architectures(vendor)[0].sources) == table["sources"]


@pytest.mark.parametrize("vendor", VENDORS)
def test_checks_name_numbers_and_architectures_that_exist(vendor: Vendor) -> None:
    table = _table(vendor)
    for check in table["check"]:
        left_out = check.get("except", {})
        assert set(check["fields"]) <= set(table["sources"])
        assert {*check.get("only", ()), *left_out} <= set(table["arch"])
        assert {field for fields in left_out.values() for field in fields} <= {"*", *check["fields"]}
    assert set(table["aliases"]) <= set(table["arch"])


def test_unchecked_number_is_marked() -> None:
    """By architecture and by number: all of gfx950, Mesa's LDS steps, the HIP run time where it was not asked."""
    unverified = {arch.name: set(arch.unverified) for arch in architectures()}
    assert all("lds_granule" in unverified[arch.name] for arch in architectures("amd"))
    assert "lds_bytes" in unverified["gfx600"]
    assert "lds_bytes" not in unverified["gfx700"]
    assert unverified["gfx950"] == set(dict(architecture("gfx950").sources))
    assert "runtime_max_waves_per_simd" in unverified["gfx1201"]
    assert "runtime_max_waves_per_simd" not in unverified["gfx1100"]
    assert all("runtime_barrier_slots" in unverified[arch.name] for arch in architectures("intel"))
    assert "grf" in unverified["xe2"]
    assert "grf" not in unverified["pvc"]


def test_copied_nvidia_gpu_is_unchecked() -> None:
    """A copied row passes the tests of the header, which is given its device properties."""
    table = _table("nvidia")
    copied = built({**table, "arch": {**table["arch"], "sm_999": table["arch"]["sm_90"]}}, "nvidia", "sm_999")
    assert {"max_waves_per_sm", "smem_kib_per_sm"} <= set(copied.unverified)
    assert "lds_granule" not in copied.unverified


def test_checked_by_a_table_means_in_the_table() -> None:
    """What claims to be compared with the HIP run time's arithmetic is in its oracle table."""
    with (ROOT / "testdata" / "occupancy" / "amd_hip_runtime.csv").open(newline="", encoding="utf-8") as lines:
        asked = {row["arch"] for row in csv.DictReader(lines)}
    assert asked == {a.name for a in architectures("amd") if "runtime_max_waves_per_simd" not in a.unverified}


@pytest.mark.parametrize("arch", architectures(), ids=lambda arch: arch.name)
def test_numbers_in_words_are_complete(arch: Architecture) -> None:
    shown = numbers(arch)
    row = raw_row(arch)
    keys = {key for part in (row, *row.get("modes", ())) for key in part}
    assert {each.key for each in shown} == keys - {"modes", "family", "title", "name"}
    assert len({each.words for each in shown}) == len(shown)
    for each in shown:
        assert each.value
        assert each.source == dict(arch.sources)[each.key]
        assert (each.check is None) == (each.key in arch.unverified)
        assert "{" not in each.words


def test_numbers_are_plausible() -> None:
    for arch in architectures():
        for mode in arch.modes:
            assert arch.lds_max_per_group <= mode.lds_bytes
            assert occupancy(arch, KernelUse(block_size=arch.wave_sizes[-1])).groups >= 1
        assert set(arch.regs_per_simd) == set(arch.reg_granule)
        assert arch.default_wave_size in arch.wave_sizes


def test_frozen_hashable_and_picklable() -> None:
    arch = architecture("gfx90a")
    assert pickle.loads(pickle.dumps(arch)) == arch
    assert hash(pickle.loads(pickle.dumps(arch))) == hash(arch)
    with pytest.raises(AttributeError):
        arch.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize(("name", "vendor"), [("gfx90a", "amd"), ("sm_90", "nvidia"), ("pvc", "intel")])
def test_only_the_vendor_needed_is_read(name: str, vendor: str) -> None:
    """Start-up time: one table is opened for one architecture, and nothing heavy is imported by the package."""
    program = (
        "import sys; import regpress_lint.occupancy as o; "
        "heavy = {'tomllib', 'fractions', 'difflib', 'json', 'importlib.metadata', 'subprocess'}; "
        "assert not heavy & (set(sys.modules) - before), 'heavy import'; "
        "from regpress_lint.targets.occupancy.architectures import _table; "
        f"o.architecture({name!r}); assert _table.cache_info().currsize == 1, 'more than one table'; "
        f"assert o.architecture({name!r}).vendor == {vendor!r}"
    )
    code = f"import sys; before = set(sys.modules); {program}"
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "use",
    [
        KernelUse(block_size=0),
        KernelUse(vgprs=-1),
        KernelUse(lds_bytes=-1),
        KernelUse(wave_size=16),
        KernelUse(carveout=101),
        KernelUse(barriers=-1),
    ],
)
def test_numbers_no_kernel_has_are_refused(use: KernelUse) -> None:
    with pytest.raises(ValueError, match=r"must|has no"):
        occupancy(architecture("gfx90a"), use)


@pytest.mark.parametrize("name", ["vgprs", "agprs", "sgprs", "lds_bytes", "barriers"])
def test_the_number_that_is_negative_is_named(name: str) -> None:
    nothing = KernelUse(vgprs=0, sgprs=0)  # which is none
    assert occupancy(architecture("gfx90a"), nothing).groups > 0
    with pytest.raises(ValueError, match=f"^{name} is -1, must not be negative"):
        occupancy(architecture("gfx90a"), nothing._replace(**{name: -1}))  # type: ignore[arg-type]


def test_unknown_mode_is_refused_where_modes_differ() -> None:
    with pytest.raises(ValueError, match="gfx1100 has no mode 'sm'"):
        occupancy(architecture("gfx1100"), KernelUse(mode="sm"))


@pytest.mark.parametrize(
    ("name", "use", "why"),
    [
        ("gfx90a", KernelUse(block_size=1025), "1025 threads .* at most 1024"),
        ("gfx90a", KernelUse(lds_bytes=65537), "65537 bytes of LDS .* at most 65536"),
        ("gfx600", KernelUse(lds_bytes=32769), "at most 32768"),
        ("gfx90a", KernelUse(vgprs=513), "513 registers"),
        ("gfx906", KernelUse(vgprs=256, block_size=1024), "does not fit"),
        ("gfx906", KernelUse(sgprs=109), "109 SGPRs .* at most 108"),
        ("gfx700", KernelUse(sgprs=105), "105 SGPRs .* at most 104"),
        ("sm_90", KernelUse(block_size=2048), "2048 threads"),
        ("sm_90", KernelUse(lds_bytes=228 * 1024), "bytes of LDS"),
        ("sm_80", KernelUse(vgprs=200, block_size=288), "200 registers"),
        ("gen9", KernelUse(block_size=512), "512 threads .* at most 256"),
        ("gen9", KernelUse(grf=256), "no 256-register mode"),
        ("dg2", KernelUse(lds_bytes=65537), "bytes of LDS"),
        ("pvc", KernelUse(block_size=1024, wave_size=16, grf=256), "does not fit"),
    ],
)
def test_impossible_launches_name_the_reason(name: str, use: KernelUse, why: str) -> None:
    answer = occupancy(architecture(name), use)
    assert (answer.groups, answer.waves, answer.fraction) == (0, 0, 0.0)
    assert answer.limiters
    with pytest.raises(RuntimeError, match=why):
        raise RuntimeError(answer.impossible)


@pytest.mark.parametrize(
    ("name", "known", "verified"),
    [
        ("sm_88", "sm_88", True),
        ("sm_101a", "sm_110", True),
        ("gfx1153", "gfx1153", False),
        ("mi455x", "gfx1250", False),
        ("ptl", "xe3", False),
        ("Panther Lake", "xe3", False),
    ],
)
def test_newer_gpus_are_known_and_marked_if_unchecked(name: str, known: str, verified: bool) -> None:
    found = architecture(name)
    assert (found.name, found.verified) == (known, verified)
    assert verified or not found.checks


def test_a_kernel_of_fewer_registers_leaves_room_for_more_threads_on_xe3() -> None:
    threads = {mode.registers: mode.waves_per_simd for mode in architecture("ptl").grf_modes}
    assert threads == {96: 10, 128: 8, 160: 6, 192: 5, 256: 4}
