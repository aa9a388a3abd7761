"""tools/measure/rule_gain.py and unconfirmed.py: what counts as a gain, and a changed file compiled in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest

from regpress_lint.core.diagnostics import Diagnostic, Location, Severity
from regpress_lint.core.source import Position
from regpress_lint.measured import ratchet
from regpress_lint.measured.ratchet import Numbers
from tools.measure import rule_gain, unconfirmed
from tools.measure.programs import Programs, include_flags, mirrored
from tools.measure.rule_gain import Gains
from tools.measure.toolchain import Allocation, assembly_sizes, plain_name

if TYPE_CHECKING:
    from pathlib import Path

BEFORE = Numbers(registers=64, scratch_bytes=16, spills=0, waves=6.0, code_bytes=1000)
MAIN = """#include "../shared/base.cuh"
#include "square.cuh"
"""
KERNEL = """#pragma once
#include <more.cuh>
__global__ void {name}(double* x) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = pow(x[i], 2.0) * SCALE;
}}
"""
INCLUDES = {".hip": "#include <hip/hip_runtime.h>\n", ".cu": "#include <cuda_runtime.h>\n"}


def allocation(symbol: str, registers: int = 8) -> Allocation:
    return Allocation(symbol, plain_name(symbol), registers, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, "no change"),
        ({"registers": 62}, "no change"),
        ({"registers": 61}, "improved"),
        ({"registers": 67}, "worse"),
        ({"registers": 67, "waves": 5.0}, "lost"),
        ({"registers": 128, "waves": 4.0, "scratch_bytes": 0}, "improved"),  # registers are what it takes
        ({"registers": 50, "waves": 7.0, "spills": 1}, "lost"),
        ({"waves": 7.0}, "improved"),
        ({"code_bytes": 950}, "no change"),
        ({"code_bytes": 949}, "less code"),
    ],
)
def test_counted_kernels(change: dict[str, float], verdict: str) -> None:
    assert ratchet.verdict(BEFORE, BEFORE._replace(**change)) == verdict  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("verdicts", "whole"),
    [
        ([], "no change"),
        (["no change", "improved"], "improved"),
        (["improved", "improved", "lost"], "lost"),
        (["improved", "worse"], "worse"),
        (["improved", "improved", "worse"], "improved"),
        (["less code", "no change"], "less code"),
    ],
)
def test_instances_count_as_one_kernel(verdicts: list[str], whole: str) -> None:
    assert ratchet.together(verdicts) == whole


def test_instances_are_paired_by_symbol_or_by_order() -> None:
    float_, double, other = allocation("_Z1kIfEvPT_"), allocation("_Z1kIdEvPT_"), allocation("_Z5otherv")
    pairs = list(rule_gain.instances([float_, double, other], [double, other, float_], "n::k"))
    assert pairs == [(float_, float_), (double, double)]
    old, new = allocation("_ZN12_GLOBAL__N_11kEv"), allocation("_ZN12_GLOBAL__N_21kEv")
    assert list(rule_gain.instances([old], [new], "k")) == [(old, new)]
    assert list(rule_gain.instances([old], [new, new], "k")) == []


@pytest.mark.parametrize(
    "symbol", ["_Z4stepPd", "_ZN3lbm4stepEPd", "_ZL4stepv", "_ZN12_GLOBAL__N_14stepEv", "_Z4step3Box", "step"]
)
def test_plain_names(symbol: str) -> None:
    assert plain_name(symbol) == "step"


def test_sizes_in_an_assembly() -> None:
    text = "\t.size\t_Z1kv, .Lfunc_end0-_Z1kv\n; Kernel info:\n; codeLenInByte = 12\n\t.size\tx, 4\n"
    assert assembly_sizes(text + text.replace("_Z1kv", "_Z1mv").replace("12", "8")) == {"_Z1kv": 12, "_Z1mv": 8}


def suite(root: Path, suffix: str) -> Path:
    """Two programs with common files; the header of one has the finding."""
    for name in ("one", "two"):
        (root / name).mkdir(parents=True)
        (root / name / f"main{suffix}").write_text(MAIN)
        (root / name / "Makefile").write_text("CFLAGS = -I../more -DSCALE=2 -DNAME=$(WHO)\n")
        (root / name / "square.cuh").write_text(INCLUDES[suffix] + KERNEL.format(name=name))
    for name, text in (("shared/base.cuh", "#pragma once\n"), ("more/more.cuh", "#pragma once\n")):
        (root / name).parent.mkdir()
        (root / name).write_text(text)
    return root


def test_flags_come_from_the_makefile(tmp_path: Path) -> None:
    root = suite(tmp_path, ".hip")
    flags = include_flags(root / "one" / "main.hip")
    assert f"-I{root}/more" in flags
    assert [flag for flag in flags if flag.startswith("-D")] == ["-DSCALE=2"]


def test_changed_file_is_in_a_copy_and_the_suite_is_untouched(tmp_path: Path) -> None:
    root = suite(tmp_path / "suite", ".hip")
    header = root / "one" / "square.cuh"
    before = header.read_bytes()
    changed = mirrored(root, header, b"// new\n", tmp_path / "copy")
    assert changed.read_bytes() == b"// new\n"
    assert header.read_bytes() == before
    assert (tmp_path / "copy/one/main.hip").read_text() == MAIN
    assert (tmp_path / "copy/shared/base.cuh").is_file()
    assert not (tmp_path / "copy/two").exists()


@pytest.mark.compiler
@pytest.mark.parametrize(("suffix", "target"), [(".hip", "gfx90a"), (".cu", "sm_90")])
def test_a_fix_in_a_header_is_compiled_with_the_source_that_includes_it(
    suffix: str, target: str, tmp_path: Path
) -> None:
    compilers.need(suffix)
    root = suite(tmp_path / "suite", suffix)
    programs = Programs(root, tmp_path / "cache")
    runs = Gains(programs, ["RP201"], unsafe=True, least=Severity.INFO, jobs=1)
    findings = runs.findings(target)
    assert {finding.kernel for finding in findings} == {"one", "two"}
    found = list(runs.sampled(target, findings, 1, 1))
    assert [gain.verdict for gain in found] == ["improved"]
    assert len(list((tmp_path / "cache").iterdir())) == 2
    assert list(Gains(programs, [], unsafe=True, least=Severity.INFO, jobs=1).sampled(target, findings, 1, 1)) == found


def finding(code: str) -> Diagnostic:
    place = Position(1, 1, 1, 1, 0)
    return Diagnostic(
        code=code, name="n", severity=Severity.WARNING, location=Location("k.hip", place, place, ""), message="m"
    )


@pytest.mark.parametrize(
    ("code", "demand", "scratch", "gain", "repeated", "verdict"),
    [
        ("RP403", 64, 32, None, True, "confirmed"),
        ("RP403", 64, 0, None, True, "refuted"),
        ("RP403", 64, 0, "improved", True, "confirmed"),
        ("RP101", 129, 0, None, True, "confirmed"),
        ("RP101", 128, 0, None, True, "refuted"),
        ("RP106", 64, 0, None, True, "confirmed"),
        ("RP106", 64, 0, None, False, "refuted"),
        ("RP201", 64, 0, None, True, "open"),
        ("RP201", 64, 0, "less code", True, "confirmed"),
        ("RP402", 64, 0, "less code", True, "refuted"),
        ("RP402", 64, 0, None, True, "open"),
    ],
)
def test_confirmation_of_a_warning(
    code: str, demand: int, scratch: int, gain: str | None, repeated: bool, verdict: str
) -> None:
    truth = unconfirmed.Truth(1, 9, demand, 0, scratch, 0)
    assert unconfirmed.judged(finding(code), truth, "gfx90a", gain, repeated)[0] == verdict


def test_of_kernels_of_one_name_the_one_around_the_line_is_meant() -> None:
    row = {
        "target": "gfx90a",
        "file": "a.cu",
        "kernel": "k",
        "line": "1",
        "end_line": "9",
        "demand": "10",
        "spills": "0",
    }
    row |= {"scratch_bytes": "0", "demand_spills": ""}
    table = unconfirmed.Table([row, row | {"line": "20", "end_line": "29", "demand": "99"}], "gfx90a")
    found = [table.of("a.cu", "n::k", line) for line in (5, 25, 50)]
    assert [each.demand for each in found if each is not None] == [10, 99, 99]
    assert table.of("a.cu", "other", 5) is None
