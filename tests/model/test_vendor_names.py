"""Behaviour of compilers and GPUs is described by traits: only a few listed places branch on a vendor's name."""

from __future__ import annotations

import re

import pytest
from cli_helpers import ROOT

from regpress_lint.targets.compilers import compiler_by_vendor, compiler_of
from regpress_lint.targets.compilers.amdgpu import CDNA2, GFX9, RDNA
from regpress_lint.targets.compilers.igc import IGC
from regpress_lint.targets.compilers.nvcc import NVCC
from regpress_lint.targets.occupancy import Architecture, architectures

# With how many lines, and why no trait would say it better.
NAMED = {
    "regpress_lint/model/estimate/registers.py": 2,  # a fit has a formula of its own
    "regpress_lint/facts/target.py": 1,  # explicit SIMD is written for one vendor's registers
    "regpress_lint/measured/intel.py": 1,  # a log that names GPUs of one vendor
    "regpress_lint/targets/compilers/__init__.py": 2,  # which compiler is imported
    "regpress_lint/targets/vocabulary.py": 3,  # is_amd and its like, for findings that one vendor was measured for
    "regpress_lint/targets/occupancy/quantities.py": 1,  # clusters of blocks are one vendor's
    "regpress_lint/targets/occupancy/calculator.py": 2,  # whose arithmetic it is
    "rules/regpress_rules/arrays/oversized_element_type.py": 1,  # another rule has it, which is for one vendor
    "rules/regpress_rules/arrays/wide_private_array.py": 1,  # where the rule was measured
}
_COMPARED = re.compile(r"""[=!]= *["'](?:amd|nvidia|intel)["']""")


def test_vendor_names_decide_only_in_listed_places() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): len(_COMPARED.findall(path.read_text()))
        for package in ("regpress_lint", "rules/regpress_rules")
        for path in sorted((ROOT / package).rglob("*.py"))
    }
    assert {path: count for path, count in found.items() if count} == NAMED


@pytest.mark.parametrize("arch", architectures(), ids=lambda arch: arch.name)
def test_traits_of_a_target_go_together(arch: Architecture) -> None:
    """Registers of a mode come with a compiler that tries again, scalar registers with one that uses them."""
    compiler = compiler_of(arch)
    assert compiler.vendor == arch.vendor
    assert compiler.tries_again == (not arch.has_register_steps) == (compiler.again is not None)
    assert compiler.scalar_registers == arch.has_scalar_registers
    assert compiler.assumes_full_blocks == arch.prints_occupancy == (compiler.local is not None)


def test_compilers_by_name() -> None:
    found = {arch.name: compiler_of(arch) for arch in architectures()}
    names = ("gfx90a", "gfx908", "gfx1100", "sm_90", "pvc")
    assert [found[name] for name in names] == [CDNA2, GFX9, RDNA, NVCC, IGC]
    assert [compiler_by_vendor(vendor) for vendor in ("amd", "nvidia", "intel")] == [CDNA2, NVCC, IGC]
