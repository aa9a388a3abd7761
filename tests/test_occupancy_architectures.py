"""The tables of architectures: every name and alias, every number with a source, only the vendor needed is read."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from regpress_lint.occupancy import (
    KernelUse,
    UnknownArchitectureError,
    Vendor,
    architecture,
    architectures,
    occupancy,
)
from regpress_lint.occupancy.architectures import VENDORS, _table

ROOT = Path(__file__).resolve().parents[1]

NAMES = {
    "amd": "gfx600 gfx700 gfx803 gfx900 gfx906 gfx908 gfx90a gfx940 gfx941 gfx942 gfx950 gfx1010 gfx1030 gfx1100 "
    "gfx1101 gfx1102 gfx1150 gfx1151 gfx1200 gfx1201",
    "nvidia": "sm_60 sm_61 sm_70 sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 sm_100 sm_103 sm_110 sm_120 sm_121",
    "intel": "gen9 gen11 gen12lp dg2 pvc xe2",
}
ALIASES = {
    "gfx906": "mi50 mi60 MI50 vega20",
    "gfx908": "mi100 cdna1 MI-100",
    "gfx90a": "mi210 mi250 mi250x MI250X gfx90a:xnack- gfx90a:sramecc+:xnack- GFX90A cdna2",
    "gfx942": "mi300a mi300x gfx942:sramecc+ AMD_MI300X",
    "gfx1100": "rx7900xtx rdna3",
    "sm_70": "v100 V100 7.0 70 cc70 compute_70 cc7.0",
    "sm_75": "t4",
    "sm_80": "a100 A100 sm80",
    "sm_86": "rtx3090 a40",
    "sm_89": "rtx4090 l40s",
    "sm_90": "h100 h200 sm_90a compute_90 9.0 90a",
    "sm_100": "b200 sm_100f 10.0",
    "sm_120": "rtx5090",
    "dg2": "arc mtl xe_hpg",
    "pvc": "max1550 max1100 xe_hpc ponte-vecchio",
    "xe2": "bmg lnl",
    "gen12lp": "dg1 tgl gen12",
}


@pytest.mark.parametrize(("vendor", "name"), [(v, name) for v, names in NAMES.items() for name in names.split()])
def test_every_named_architecture_is_there(vendor: str, name: str) -> None:
    arch = architecture(name)
    assert (arch.name, arch.vendor) == (name, vendor)
    assert arch.title
    assert arch.verified is (name != "gfx950")


@pytest.mark.parametrize(("alias", "name"), [(alias, name) for name, row in ALIASES.items() for alias in row.split()])
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
    [("gfx90aa", "gfx90a"), ("mi250xx", "mi250x"), ("h10", "h100"), ("sm_91", "sm_90"), ("max155", "max1550")],
)
def test_unknown_name_suggests_a_known_one(name: str, suggestion: str) -> None:
    with pytest.raises(UnknownArchitectureError, match="did you mean") as caught:
        architecture(name)
    assert caught.value.suggestion is not None
    assert architecture(caught.value.suggestion) == architecture(suggestion)


@pytest.mark.parametrize("name", ["", "zzzzqqqq", ":", "🙂", "gfx", "sm_"])
def test_nonsense_is_one_clear_error(name: str) -> None:
    with pytest.raises(UnknownArchitectureError, match="unknown architecture"):
        architecture(name)


@pytest.mark.parametrize("vendor", VENDORS)
def test_every_number_has_a_source(vendor: Vendor) -> None:
    table = _table(vendor)
    same = {"modes": "simds", "family": "", "title": "", "aliases": "", "verified": ""}
    same |= {"lds_max_per_group": "lds_bytes", "regs_per_group": "regs_per_simd"}
    for row in (*table["arch"].values(), *table.get("family", {}).values()):
        missing = {same.get(key, key) for key in row} - set(table["sources"]) - {""}
        assert not missing
    assert dict(architectures(vendor)[0].sources) == table["sources"]


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
        "from regpress_lint.occupancy.architectures import _table; "
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
        ("gfx906", KernelUse(sgprs=103), "103 SGPRs .* at most 102"),
        ("sm_90", KernelUse(block_size=2048), "2048 threads"),
        ("sm_90", KernelUse(lds_bytes=228 * 1024), "bytes of LDS"),
        ("sm_80", KernelUse(vgprs=200, block_size=288), "200 registers"),
        ("gen9", KernelUse(block_size=512), "512 threads .* at most 256"),
        ("gen9", KernelUse(grf=256), "no 256-register mode"),
        ("dg2", KernelUse(lds_bytes=65537), "bytes of LDS"),
        ("pvc", KernelUse(block_size=1024, wave_size=16, grf=256), "does not fit"),
    ],
)
def test_impossible_launches_say_why(name: str, use: KernelUse, why: str) -> None:
    answer = occupancy(architecture(name), use)
    assert (answer.groups, answer.waves, answer.fraction) == (0, 0, 0.0)
    assert answer.limiters
    with pytest.raises(RuntimeError, match=why):
        raise RuntimeError(answer.impossible)
