"""`occupancy` as text: one architecture, several side by side, impossible launches, flags of one vendor, sweeps."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from cli_helpers import process, run

from regpress_lint.commands.occupancy.text import bar
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from pathlib import Path

    from cli_helpers import Result


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)


def occupancy(capsys: pytest.CaptureFixture[str], arguments: str) -> Result:
    return run(capsys, "occupancy", *arguments.split())


def text(capsys: pytest.CaptureFixture[str], arguments: str) -> str:
    result = occupancy(capsys, arguments)
    assert (result.status, result.err) == (0, "")
    return result.out


def test_a_block_too_large_is_called_a_block(capsys: pytest.CaptureFixture[str]) -> None:
    result = occupancy(capsys, "--arch h100 --registers 1 --block 1025")
    assert "1025 threads in a block: sm_90 takes at most 1024" in result.out


def test_the_standard_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        text(capsys, "--arch mi250x --registers 102 --block 256 --lds 0")
        == """\
gfx90a (CDNA 2, MI210, MI250, MI250X)
102 registers, no LDS, blocks of 256 (4 waves of 64)

  4 of 8 waves per SIMD (50.0%), limited by registers
  4 blocks, 16 of 32 waves per CU
  blocks per CU by limit: registers 4, wave slots 8, barriers 16

  next step: 96 registers (6 fewer) -> 5 waves per SIMD
  registers up to 128 are free here: the step ends there
  LDS up to 16384 bytes is free here: registers limit

     registers  waves/SIMD  of the maximum
          1-64           8          100.0%
         65-72           7           87.5%
         73-80           6           75.0%
         81-96           5           62.5%
  >     97-128           4           50.0%
       129-168           3           37.5%
       169-256           2           25.0%
       257-512           1           12.5%
"""
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        # LDS limits: registers have no next step, and are free.
        (
            "--arch mi250x --registers 40 --lds 24K",
            [
                "limited by LDS",
                "next step: 21504 bytes of LDS (3072 fewer) -> 3",
                "registers up to 256 are free here: LDS limits",
            ],
        ),
        # A tie: both limiters, and only both together gain.
        (
            "--arch mi250x --registers 102 --lds 16K",
            [
                "limited by registers and LDS",
                "next step: 96 registers (6 fewer) and 12800 bytes of LDS (3584 fewer), together -> 5 waves per SIMD",
            ],
        ),
        (
            "--arch v100 --registers 76 --lds 24577",
            ["6 of 16 warps per sub-partition (37.5%), limited by registers and shared memory"],
        ),
        # Rounding to whole blocks.
        (
            "--arch mi250x --registers 96 --block 1024",
            ["next step: blocks of 640 (384 fewer) -> 5", "clang's remark says 5 waves per SIMD: it does not round"],
        ),
        # The compiler assumes 1,024 threads, HIP clamps GCN to 32 waves a CU.
        (
            "--arch gfx906 --registers 20 --block 64",
            [
                "clang's remark says 8 waves per SIMD without launch bounds (it assumes blocks of 1024), "
                "10 with __launch_bounds__(64)",
                "hipOccupancyMaxActiveBlocksPerMultiprocessor says 32 blocks, 8 waves per SIMD",
                "limited by nothing but the wave slots",
            ],
        ),
        (
            "--arch gfx90a --registers 70 --agprs 64",
            ["136 registers (together 70 VGPRs and 64 AGPRs)", "next step: 128 registers (8 fewer)", ">    129-168"],
        ),
        (
            "--arch gfx908 --registers 20 --agprs 64",
            ["64 registers (the larger of 20 VGPRs and 64 AGPRs)", ">      49-64"],
        ),
        ("--arch gfx906 --registers 8 --sgprs 96 --block 64", ["96 SGPRs", "next step: 80 SGPRs (16 fewer) -> 10"]),
        ("--arch sm_90 --registers 40 --lds 100K", ["more than 49152 bytes of shared memory: dynamic shared memory"]),
        ("--arch sm_90 --registers 256", ["ptxas gives a thread at most 255 registers"]),
        ("--arch gfx90a --registers 64 --block 200", ["blocks of up to 256 take no more waves"]),
        (
            "--arch sm_90 --registers 100 --lds 200K",
            ["registers up to 255, all a thread can have, are free here: shared memory limits"],
        ),
    ],
)
def test_limiter_usage_and_free_amounts(
    capsys: pytest.CaptureFixture[str], arguments: str, expected: list[str]
) -> None:
    out = text(capsys, arguments)
    for line in expected:
        assert line in out


def test_only_limiters_have_a_next_step(capsys: pytest.CaptureFixture[str]) -> None:
    assert text(capsys, "--arch sm_90 --registers 76 --lds 24K").count("next step") == 1
    assert "next step" not in text(capsys, "--arch mi250x --registers 64")


def test_rdna_defaults_to_wgp_mode(capsys: pytest.CaptureFixture[str]) -> None:
    out = text(capsys, "--arch gfx1100 --registers 102 --lds 40K")
    assert "WGP mode" in out
    assert "24 of 64 waves per WGP" in out
    out = text(capsys, "--arch gfx1100 --registers 102 --lds 40K --mode cu --wave-size 64")
    assert "(4 waves of 64), CU mode" in out
    assert "4 of 32 waves per CU" in out


def test_intel_register_modes(capsys: pytest.CaptureFixture[str]) -> None:
    small = text(capsys, "--arch pvc --registers 76")
    assert "spills: the 128 GRF mode leaves a work-item 64 registers, 12 too few; --grf 256 leaves 128" in small
    assert "limited by hardware thread slots" in small
    assert "64 of 64 hardware threads per Xe-core" in small
    large = text(capsys, "--arch pvc --registers 76 --grf 256")
    assert "4 of 8 hardware threads per EU (50.0%)" in large
    assert "spills" not in large
    assert text(capsys, "--arch pvc --registers 76 --grf auto") == large
    assert text(capsys, "--arch pvc --registers 76 --sub-group 16 --grf auto").count("128 GRF mode") == 1


@pytest.mark.parametrize(
    ("arguments", "row"),
    [
        (
            "--arch dg2 --registers 40",
            ["1-32", "8"],
        ),  # spills: the mode decides, not what the kernel would like to have
        ("--arch pvc --registers 50 --grf 256", ["65-128", "4"]),
        ("--arch pvc --registers 150 --grf 256", ["65-128", "4"]),
        ("--arch gen9 --registers 50", ["1-32", "7"]),
    ],
)
def test_the_marked_row_is_the_register_mode_of_the_headline(
    capsys: pytest.CaptureFixture[str], arguments: str, row: list[str]
) -> None:
    out = text(capsys, arguments)
    (marked,) = (line.split()[1:3] for line in out.splitlines() if line.startswith("  >"))
    assert marked == row
    assert f"  {row[1]} of " in out
    (swept,) = (line for line in text(capsys, f"{arguments} --sweep registers").splitlines() if line.startswith("  >"))
    assert swept.split()[1] == row[0]


def test_a_register_mode_that_is_larger_than_needed(capsys: pytest.CaptureFixture[str]) -> None:
    large = text(capsys, "--arch pvc --registers 50 --grf 256")
    assert "limited by hardware thread slots of the 256 GRF mode" in large
    assert "--grf 128 is enough for 50 registers: 8 hardware threads per EU" in large
    assert "is enough" not in text(capsys, "--arch pvc --registers 65 --grf 256")
    # LDS limits in either mode.
    assert "is enough" not in text(capsys, "--arch pvc --registers 50 --grf 256 --lds 128K")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("--arch h100 --registers 32 --block 32", "next step: blocks of 64 (32 more) -> 16 warps per sub-partition"),
        ("--arch gfx906 --registers 24 --block 128", "next step: blocks of 256 (128 more) -> 10 waves per SIMD"),
        (
            "--arch h100 --registers 32 --block 32 --lds 1K",
            "next step: blocks of 64 (32 more, shared memory in proportion) -> 16 warps per sub-partition",
        ),
    ],
)
def test_a_larger_block_where_short_ones_run_out_of_slots(
    capsys: pytest.CaptureFixture[str], arguments: str, expected: str
) -> None:
    assert expected in text(capsys, arguments)


def test_a_larger_block_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    out = text(capsys, "--arch h100,mi250x --registers 32 --block 32")
    assert re.search(r"^larger block +64 -> 16 +-$", out, flags=re.MULTILINE)
    assert "larger block" not in text(capsys, "--arch h100,mi250x --registers 102")


def test_carveout_and_barriers(capsys: pytest.CaptureFixture[str]) -> None:
    assert "shared memory 2" in text(capsys, "--arch v100 --registers 32 --lds 24K --carveout 60")
    assert "shared memory 4" in text(capsys, "--arch v100 --registers 32 --lds 24K")
    assert "barriers 4" in text(capsys, "--arch sm_90 --registers 32 --barriers 16")
    # Without barriers an Intel work-group is held by the slots for work-groups.
    assert "block slots" in text(capsys, "--arch gen9 --registers 8 --block 8 --barriers 0")


@pytest.mark.parametrize(
    ("arguments", "reason", "remedy"),
    [
        ("--arch sm_80 --registers 200 --block 288", "200 registers", "at most 168 registers or blocks of at most 256"),
        ("--arch gfx90a --registers 8 --block 2000", "2000 threads", "blocks of at most 1024"),
        ("--arch gfx90a --registers 8 --lds 65K", "66560 bytes of LDS", "at most 65536 bytes of LDS"),
        ("--arch gfx90a --registers 600", "600 registers in a thread", "at most 512 registers"),
        ("--arch gen9 --registers 8 --grf 256", "no 256-register mode", "the 128 GRF mode (--grf 128)"),
        (
            "--arch gfx90a --registers 700 --block 2000 --lds 99999",
            "2000 threads",
            "blocks of at most 1024, at most 65536 bytes of LDS and at most 128 registers",
        ),
    ],
)
def test_a_launch_that_cannot_work(
    capsys: pytest.CaptureFixture[str], arguments: str, reason: str, remedy: str
) -> None:
    result = occupancy(capsys, arguments)
    assert result.status == 2
    assert result.err == ""  # it is said once
    assert result.out.count("the launch cannot work: ") == 1
    assert reason in result.out
    assert f"it works with {remedy}" in result.out
    assert len(result.out.splitlines()) == 5
    assert "next step" not in result.out


def test_one_impossible_launch_among_several(capsys: pytest.CaptureFixture[str]) -> None:
    result = occupancy(capsys, "--arch gfx90a,sm_90 --registers 300")
    assert result.status == 2
    assert "1 of 8" in result.out
    assert "cannot work" in result.out
    assert "sm_90: the launch cannot work: 300 registers" in result.out
    assert result.err == ""


def test_several_architectures_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    out = text(capsys, "--arch gfx90a,sm_90 --arch pvc --registers 64 --lds 24K")
    assert "64 registers, 24576 bytes of LDS, blocks of 256" in out
    lines = [re.split(r"  +", line) for line in out.splitlines() if "  " in line]
    rows = {line[0] or line[1]: line[1:] for line in lines}
    assert rows["gfx90a"] == ["gfx90a", "sm_90", "pvc"]
    assert rows["unit"] == ["CU", "SM", "Xe-core"]
    assert rows["waves per SIMD"] == ["2 of 8", "8 of 16", "5 of 8"]
    assert rows["limited by"] == ["LDS", "registers", "LDS"]
    assert rows["next step, registers"] == ["-", "48 -> 10", "-"]
    assert rows["clang's remark"][1:] == ["-", "-"]
    assert "next step, SGPRs" not in rows


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_the_answer_keeps_to_the_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = text(capsys, "--arch gfx1100 --registers 102 --sgprs 40 --lds 20K")
    assert max(map(len, out.splitlines())) <= columns
    assert "\n\n\n" not in out


def test_a_word_wider_than_the_line_leaves_no_empty_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    out = text(capsys, "--arch gfx1100 --registers 102 --lds 20K")
    assert "\n\n  hipOccupancyMaxActiveBlocksPerMultiprocessor\n      says 3 blocks" in out


@pytest.mark.parametrize("spelling", ["65536", "64k", "64K", "64KiB", "64kb", "64 KB"])
def test_spellings_of_lds(capsys: pytest.CaptureFixture[str], spelling: str) -> None:
    result = run(capsys, "occupancy", "--arch", "h100", "--registers", "40", "--lds", spelling)
    assert result.status == 0
    assert "65536 bytes of shared memory" in result.out


@pytest.mark.parametrize(
    "number", ["", "K", "-1", "-1K", "0x100", "1.5K", "1M", "٣", "²", "9" * 5000, "9" * 5000 + "K", "16385K"]
)
def test_wrong_sizes_of_lds(capsys: pytest.CaptureFixture[str], number: str) -> None:
    result = run(capsys, "occupancy", "--arch", "h100", "--registers", "40", f"--lds={number}")
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert "--lds: expected a number of bytes from 0 to 16777216, or KiB as in 24K, got" in result.err
    assert len(result.err) < 160


def test_words_in_any_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert text(capsys, "--arch gfx1100 --registers 40 --mode CU") == text(
        capsys, "--arch gfx1100 --registers 40 --mode cu"
    )


@pytest.mark.parametrize("columns", [80, 100, 120])
def test_the_comparison_keeps_to_the_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    names = "gfx90a,gfx906,gfx1100,gfx1030,sm_70,sm_80,sm_90,pvc,dg2"
    out = text(capsys, f"--arch {names} --registers 60 --lds 20K")
    assert max(map(len, out.splitlines())) <= columns
    heads = [line.split() for line in out.splitlines() if line.startswith("   ")]
    assert [name for head in heads for name in head] == names.split(",")
    assert len(heads) > 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("--arch gfx90a", "--registers"),
        ("--registers 1", "--arch"),
        ("--arch gfx --registers 1", "unknown architecture"),
        ("--arch , --registers 1", "--arch"),
        ("--arch gfx90a --registers many", '--registers: expected an integer from 0 to 4096, got "many"'),
        ("--arch gfx90a --registers -3", '--registers: expected an integer from 0 to 4096, got "-3"'),
        ("--arch gfx90a --registers 1 --block 0", "--block: expected an integer from 1"),
        ("--arch gfx90a --registers 1 --wave-size 32", "--wave-size: gfx90a has no waves of 32 (it has 64)"),
        ("--arch pvc --registers 1 --wave-size 32", "--wave-size: pvc has no fixed wave size, use --sub-group"),
        ("--arch sm_90 --registers 1 --sub-group 16", "--sub-group: sm_90 has no sub-group size, use --wave-size"),
        ("--arch sm_90 --registers 1 --agprs 4", "--agprs: sm_90 has no accumulation registers"),
        ("--arch sm_90,pvc --registers 1 --sgprs 4", "--sgprs: sm_90 and pvc have no scalar registers"),
        ("--arch gfx90a --registers 1 --mode cu", "--mode: gfx90a has no CU and WGP modes"),
        ("--arch gfx1100 --registers 1 --mode both", '--mode: expected one of cu, wgp, got "both"'),
        ("--arch gfx90a,sm_80 --registers 1 --grf 256", "--grf: gfx90a and sm_80 have no GRF modes"),
        ("--arch sm_80 --registers 1 --barriers 2", "--barriers: sm_80 has no limit on how many barriers"),
        ("--arch pvc --registers 1 --carveout 50", "--carveout: pvc has no shared-memory carve-out"),
        ("--arch sm_80 --registers 1 --cluster 2", "--cluster: sm_80 has no clusters of blocks"),
        ("--arch sm_90 --registers 1 --cluster 17", "--cluster: expected an integer from 1 to 16"),
        ("--arch sm_90 --registers 1 --carveout 101", "--carveout: expected an integer from 0 to 100"),
        ("--arch sm_90 --registers 1 --sweep smem", "--sweep: expected one of registers, lds, block, sgprs"),
        ("--arch gfx1100 --registers 1 --sweep sgprs", "--sweep: gfx1100 has no limit on sgprs"),
    ],
)
def test_wrong_use(capsys: pytest.CaptureFixture[str], arguments: str, expected: str) -> None:
    result = occupancy(capsys, arguments)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert expected in result.err


def test_flag_applies_to_the_targets_that_know_it(capsys: pytest.CaptureFixture[str]) -> None:
    out = text(capsys, "--arch gfx90a,gfx1100,sm_90 --registers 64 --wave-size 64 --agprs 0 --mode cu --sgprs 40")
    rows = {line[:15].strip(): line.split()[-3:] for line in out.splitlines()}
    assert rows["wave"] == ["64", "64", "32"]
    assert rows["unit"] == ["CU", "CU", "SM"]


def test_a_sweep_as_bars(capsys: pytest.CaptureFixture[str]) -> None:
    out = text(capsys, "--arch sm_90 --registers 76 --lds 24K --sweep registers")
    rows = [line.split() for line in out.splitlines() if "%  " in line]
    assert rows[0] == ["1-24", "█" * 40, "16", "100.0%", "warp", "slots"]
    assert [">", "65-80", "█" * 15, "6", "37.5%", "registers"] in rows
    assert rows[-1][0] == "129-255"
    assert "of the maximum" not in out


@pytest.mark.parametrize(
    ("what", "marked", "last"),
    [("lds", "0-12800", 65536), ("block", "193-256", 1024), ("sgprs", "1-", architecture("gfx90a").max_sgprs)],
)
def test_sweeps_of_other_resources(capsys: pytest.CaptureFixture[str], what: str, marked: str, last: int) -> None:
    out = text(capsys, f"--arch gfx90a --registers 102 --sgprs 30 --sweep {what}")
    rows = [line.replace(">", " ").split() for line in out.splitlines() if "%  " in line]
    (row,) = (line.split()[1] for line in out.splitlines() if line.startswith("  >"))
    assert row.startswith(marked)
    assert rows[-1][0].rpartition("-")[2] == str(last)


def test_a_sweep_shows_misfits_and_the_register_mode(capsys: pytest.CaptureFixture[str]) -> None:
    assert re.search(
        r"129-512 +0 +0\.0%  does not fit: registers",
        text(capsys, "--arch mi250x --registers 96 --block 1024 --sweep registers"),
    )
    out = text(capsys, "--arch pvc --registers 60 --sweep registers")
    assert re.search(r"> +1-64 .*thread slots, 128 GRF", out)
    assert re.search(r" 65-128 .*thread slots, 256 GRF", out)


def test_sweeps_of_several_architectures_name_them(capsys: pytest.CaptureFixture[str]) -> None:
    out = text(capsys, "--arch gfx906,gfx1100 --registers 50 --sgprs 60 --sweep sgprs")
    assert "\ngfx906: 50 registers" in out
    assert "\ngfx1100: " not in out  # its waves share no file of SGPRs


@pytest.mark.parametrize(
    ("fraction", "expected"), [(1.0, "████"), (0.5, "██"), (0.53125, "██▏"), (0.6, "██▍"), (0.01, "▏"), (0.0, "")]
)
def test_bars_go_by_eighths(fraction: float, expected: str) -> None:
    assert bar(fraction, 4, "▏▎▍▌▋▊▉█") == expected


def test_bars_of_a_stream_without_block_characters(tmp_path: Path) -> None:
    arguments = ("occupancy", "--arch", "sm_90", "--registers", "76", "--sweep", "registers")
    out = process(*arguments, cwd=tmp_path, PYTHONIOENCODING="ascii").stdout.decode("ascii")
    assert "#" * 40 in out
    assert "\\u" not in out
    assert (bar(0.01, 4, ""), bar(0.5, 4, "")) == ("#", "##")


def test_row_of_the_kernel_is_coloured(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    painted = [line for line in text(capsys, "--arch gfx90a --registers 102").splitlines() if "\x1b" in line]
    assert [line.split()[0] for line in painted] == ["\x1b[1mgfx90a", "\x1b[1m"]


def test_clusters_match_measured_residency(capsys: pytest.CaptureFixture[str]) -> None:
    said = " ".join(text(capsys, "--arch h200 --registers 32 --block 1024 --cluster 16").split())
    assert "one H200 held 14 at once, 85% of the blocks" in said
    assert "NonPortableClusterSizeAllowed" in said
    assert "clusters of" not in text(capsys, "--arch h200 --registers 32 --block 1024")


CLUSTERS = """#include <cuda_runtime.h>
__global__ void __cluster_dims__(2) __launch_bounds__(1024) own(float* o) { o[threadIdx.x] *= 2; }
__global__ void given(float* o) { o[threadIdx.x] *= 2; }
__global__ void alone(float* o) { o[threadIdx.x] *= 2; }
void run(float* o) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 64;
  config.blockDim = 1024;
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 16;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, given, o);
  own<<<64, 1024>>>(o);
  alone<<<64, 1024>>>(o);
}
"""


def test_kernels_and_calculator_agree_on_clusters(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(CLUSTERS)
    arguments = ("kernels", "--isolated", "--no-cache", "--arch", "sm_80,sm_90", "--output-format", "json", "a.cu")
    own, given, alone = (each["targets"] for each in json.loads(run(capsys, *arguments).out)["kernels"])
    for found, size in ((own, 2), (given, 16)):
        words = f"--arch h200 --registers 32 --block 1024 --cluster {size} --output-format json"
        asked = json.loads(text(capsys, words))["targets"]["sm_90"]["cluster"]
        assert found["sm_90"]["cluster"] == asked
        assert found["sm_80"]["cluster"] is None
    assert alone["sm_90"]["cluster"] is None
    shown = " ".join(run(capsys, "kernels", "--isolated", "--no-cache", "--arch", "sm_90", "a.cu").out.split())
    assert "clusters of 2 blocks: one H200 held 132 at once" in shown
    assert "clusters of 16 blocks: need cudaFuncAttributeNonPortableClusterSizeAllowed" in shown
