"""`kernels --sweep`: the same kernel at several block sizes, template arguments, macros and constants."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from snippets import ROOT

from regpress_lint.__main__ import main
from regpress_lint.commands.kernels.sweep import Axis, axes_of, with_value
from regpress_lint.core.errors import UsageError
from tools.measure import sweep_truth

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

TILE = str(ROOT / "testdata" / "sweep" / "tile.cu")


def swept(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> list[dict[str, Any]]:
    words = ["kernels", "--isolated", "--no-cache", "--output-format", "json", *arguments]
    assert main(words) == status
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["sweeps"]
    return found


def registers(kernel: dict[str, Any], target: str) -> dict[tuple[str, ...], int]:
    return {
        tuple(point["values"].values()): point["targets"][target]["registers"]["estimate"] for point in kernel["points"]
    }


def test_template_parameters_are_swept_as_a_grid(capsys: pytest.CaptureFixture[str]) -> None:
    (kernel,) = swept(capsys, "--sweep", "N=4,16", "--sweep", "M=4,8", "--arch", "sm_90", TILE)
    assert (kernel["kernel"], kernel["axes"]) == ("product", ["N", "M"])
    found = registers(kernel, "sm_90")
    assert list(found) == [("4", "4"), ("4", "8"), ("16", "4"), ("16", "8")]
    assert found["4", "4"] < found["4", "8"] < found["16", "4"] < found["16", "8"]


@pytest.mark.parametrize("arch", ["sm_90", "gfx90a"])
def test_the_value_that_the_source_has_gives_the_row_of_kernels(capsys: pytest.CaptureFixture[str], arch: str) -> None:
    main(["kernels", "--isolated", "--no-cache", "--output-format", "json", "--arch", arch, TILE])
    plain = {each["name"]: each["targets"][arch] for each in json.loads(capsys.readouterr().out)["kernels"]}
    (product,) = swept(capsys, "--sweep", "N=2,8", "--arch", arch, TILE)
    (held,) = swept(capsys, "--sweep", "TILE=4,8", "--arch", arch, TILE)
    for kernel in (product, held):
        at = next(each for each in kernel["points"] if "8" in each["values"].values())["targets"][arch]
        assert at["registers"] == plain[kernel["kernel"]]["registers"]
        assert at["occupancy"] == plain[kernel["kernel"]]["occupancy"]


def test_block_sizes_of_a_template_keep_its_instantiations(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """As `kernels` does; the template by itself is open: 5 of 2 to 512 registers."""
    sums = "for (int i = 0; i < N; ++i) s[i] += a[j * N + i] * a[i];"
    (tmp_path / "t.cu").write_text(
        f"template <int N> __global__ void k(float* o, const float* a, int n) {{\n  float s[N] = {{}};\n"
        f"  for (int j = 0; j < n; ++j) {sums}\n  for (int i = 0; i < N; ++i) o[i] = s[i];\n}}\n"
        "void run(float* a) { k<8><<<1, 256>>>(a, a, 9); k<16><<<1, 256>>>(a, a, 9); }\n"
    )
    path = str(tmp_path / "t.cu")
    main(["kernels", "--isolated", "--no-cache", "--output-format", "json", "--arch", "gfx90a", path])
    (plain,) = json.loads(capsys.readouterr().out)["kernels"]
    (kernel,) = swept(capsys, "--sweep", "block=256,1024", "--arch", "gfx90a", "--kernel", "k", path)
    found = [point["targets"]["gfx90a"] for point in kernel["points"]]
    assert [each["registers"] for each in found] == [plain["targets"]["gfx90a"]["registers"]] * 2
    assert [len(each["instances"]) for each in found] == [2, 2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "bars"),
    [
        # Of all kernels, and of those that were written before the estimates had settled.
        ("gfx90a", {"all": (89, 0.92, 0.96), "older": (42, 0.85, 0.92)}),
        ("sm_90", {"all": (89, 0.79, 0.97), "older": (42, 0.73, 0.92)}),
    ],
)
def test_steps_and_bands_agree_with_compilers(target: str, bars: Mapping[str, tuple[int, float, float]]) -> None:
    older = ("stencil", "normalise", "forces", "product", "polynomial", "sorted")
    rows = [row for row in sweep_truth.stored() if (row.target, row.block) == (target, 256)]
    every = list(sweep_truth.compared(rows))
    for kernels, (count, steps, bands) in bars.items():
        points = [point for point in every if kernels == "all" or point.measured.kernel in older]
        assert len(points) == count
        assert sum(point.same_step for point in points) / len(points) >= steps
        assert sum(point.in_band for point in points) / len(points) >= bands
        assert sum(point.said for point in points) / len(points) >= 0.95


@pytest.mark.parametrize(
    ("kernels", "count"),
    [
        # All that clang keeps in scratch memory, and two kernels that neither compiler does.
        pytest.param(("horner", "normalise", "ode", "polynomial", "sorted", "sumsets"), 38, marks=pytest.mark.slow),
        pytest.param((), 89, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("target", ["gfx90a", "sm_90"])
def test_whether_a_block_size_spills_agrees_with_compilers(target: str, kernels: tuple[str, ...], count: int) -> None:
    rows = [row for row in sweep_truth.stored() if (row.target, row.block) == (target, 1024)]
    points = list(sweep_truth.compared([row for row in rows if not kernels or row.kernel in kernels]))
    assert len(points) == count
    assert sum(point.same_spill for point in points) / len(points) >= 0.95


def test_a_band_under_bounds_reaches_the_next_wave_step(capsys: pytest.CaptureFixture[str]) -> None:
    """nvcc 13.0 gives `product<8, 8>` of testdata/sweep/kernels.cu 94 registers without bounds, and 128 with blocks of
    256 or 512 threads, two or one of which fit with either number; with 1,024 the cap is 64.
    """
    (kernel,) = swept(
        capsys,
        *("--sweep", "block=256,512,1024", "--sweep", "N=8", "--sweep", "M=8", "--kernel", "product"),
        *("--arch", "sm_90,gfx90a", "testdata/sweep/kernels.cu"),
    )
    plain, *bounded = ([point["targets"][arch] for point in kernel["points"]] for arch in ("gfx90a", "sm_90"))
    assert [row["registers"]["high"] for row in bounded[0][:2]] == [128, 128]
    assert bounded[0][2]["registers"]["high"] < 128
    assert len({row["registers"]["high"] for row in plain}) == 1, "clang does not"


def test_open_waves_are_in_brackets(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["kernels", "--isolated", "--no-cache", "--sweep", "N=8", "--sweep", "M=8", "--kernel", "product"]
    assert main([*words, "--arch", "sm_90", TILE]) == 0
    assert "6 (4-8) of 16" in capsys.readouterr().out
    (kernel,) = swept(capsys, *words[3:], "--arch", "sm_90", TILE)
    assert kernel["points"][0]["open"] == {"sm_90": {"fewest": 4, "most": 8}}


def test_missing_kernels_name_their_header(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "kernels.h").write_text("__global__ void k(float* x) { x[threadIdx.x] *= 2; }\n")
    main_file = tmp_path / "main.cu"
    main_file.write_text('#include "kernels.h"\nvoid f(float* x) { k<<<1, 64>>>(x); }\n')
    assert main(["kernels", "--isolated", "--no-cache", "--sweep", "block=64,128", str(main_file)]) == 2
    assert "where the header is named: " + str(tmp_path / "kernels.h") in capsys.readouterr().err


def test_a_block_size_sets_bounds_and_launch(capsys: pytest.CaptureFixture[str]) -> None:
    found = swept(capsys, "--sweep", "block=64,1024", "--kernel", "product", "--arch", "sm_90,gfx90a", TILE)
    small, large = found[0]["points"]
    assert [point["targets"]["sm_90"]["budget"] for point in (small, large)] == [255, 64]
    assert [point["targets"]["gfx90a"]["budget"] for point in (small, large)] == [512, 128]


def test_the_best_has_least_scratch_and_then_most_waves(capsys: pytest.CaptureFixture[str]) -> None:
    (kernel,) = swept(capsys, "--sweep", "N=4,8,32", "--sweep", "M=8", "--arch", "sm_90", TILE)
    assert [point["best"] for point in kernel["points"]] == [["sm_90"], [], []]


def test_a_kernel_that_does_not_change_is_left_out_unless_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert [each["kernel"] for each in swept(capsys, "--sweep", "TILE=4,8", TILE)] == ["reversed"]
    assert [each["kernel"] for each in swept(capsys, "--sweep", "TILE=4,8", "--kernel", "pro*", TILE)] == ["product"]


def test_csv_has_a_line_per_point_and_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--output-format", "csv", "--sweep", "N=4,8", "--arch", "sm_90,gfx90a", TILE]
    assert main(["kernels", "--isolated", "--no-cache", *words]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["values"], row["target"]) for row in rows] == [
        *(("N=4", "sm_90"), ("N=4", "gfx90a"), ("N=8", "sm_90"), ("N=8", "gfx90a"))
    ]
    assert all(int(row["low"]) <= int(row["registers"]) <= int(row["high"]) for row in rows)


def test_text_marks_the_best_and_names_the_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernels", "--isolated", "--no-cache", "--sweep", "N=4,16", "--arch", "sm_90", TILE]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("product (")
    assert [line.split()[:2] for line in lines if "##" in line] == [["*", "4"], ["16", "87"]]


@pytest.mark.parametrize(("columns", "bar"), [(None, 16), ("120", 16), ("100", 11), ("80", 4)])
def test_bars_are_shorter_where_lines_are_too_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str | None, bar: int
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    assert main(["kernels", "--isolated", "--no-cache", "--sweep", "N=4,16", "--arch", "sm_90", TILE]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "16 of 16" in line or "of 16" in line]
    assert max(line.count("#") for line in lines) == bar
    assert columns is None or max(map(len, lines)) <= int(columns)


def test_marks_and_the_bounds_of_swept_blocks_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--sweep", "block=64,128,1024", "--kernel", "rev*", "--arch", "sm_90", TILE)
    assert main(["kernels", "--isolated", "--no-cache", *given]) == 0
    out = capsys.readouterr().out
    assert "block sets launch bounds (CUDA, HIP) as well" in out
    assert main(["kernels", "--isolated", "--no-cache", "--sweep", "N=4,16", "--arch", "sm_90", TILE]) == 0
    out = capsys.readouterr().out
    assert "* none of these is better: " in out
    assert "launch bounds" not in out


def test_sycl_work_groups_are_swept(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "sum.cpp"
    source.write_text(
        "#include <sycl/sycl.hpp>\n"
        "void f(sycl::queue q, float* x, int n) {\n"
        "  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {\n"
        "    x[item.get_global_id(0)] *= 2; });\n"
        "}\n"
    )
    (kernel,) = swept(capsys, "--sweep", "block=32,1024", "--kernel", "*", "--arch", "sm_90", str(source))
    assert [point["targets"]["sm_90"]["occupancy"]["waves_per_simd"] for point in kernel["points"]] == [8, 16]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("block", "is not NAME=VALUE"),
        ("block=", "is not NAME=VALUE"),
        ("1x=2", "is not NAME=VALUE"),
        ("N=$(rm)", "is not NAME=VALUE"),
        ("block=0", "whole numbers from 1 to 1024"),
        ("block=wide", "whole numbers from 1 to 1024"),
    ],
)
def test_a_wrong_axis_is_an_error_with_an_example(text: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        axes_of([text])


def test_too_many_points_and_a_name_twice_are_errors() -> None:
    many = ",".join(map(str, range(100)))
    with pytest.raises(UsageError, match="10000 combinations"):
        axes_of([f"A={many}", f"B={many}"])
    with pytest.raises(UsageError, match="named twice"):
        axes_of(["A=1", "A=2"])
    assert axes_of(["A=1,1, 2"]) == (Axis("A", ("1", "2")),)


def test_a_name_that_changes_nothing_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernels", "--isolated", "--no-cache", "--sweep", "NOTHING=1,2", TILE]) == 2
    assert "no kernel here changes with NOTHING" in capsys.readouterr().err
    assert main(["kernels", "--isolated", "--no-cache", "--sweep", "NOTHING=1,2", "--kernel", "nosuch", TILE]) == 2
    assert 'no kernel here is called "nosuch"' in capsys.readouterr().err


def test_known_name_without_effect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cu"
    path.write_text("#define T 8\n__global__ void k(float* p, int n) { p[threadIdx.x] = n; }\n")
    sweep = ("kernels", "--isolated", "--no-cache", "--arch", "sm_90", str(path), "--sweep")
    assert main([*sweep, "T=4,8"]) == 0
    told = capsys.readouterr()
    assert not told.out
    assert "no kernel here changes with T (--kernel NAME shows one anyway); tried: 1" in told.err
    assert main([*sweep, "T=4,8", "--output-format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["sweeps"] == []
    assert main([*sweep, "block=64"]) == 0  # one value is a question about it, not about a change
    assert "k (" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        (b"#define N 4 // tile\nint a[N];", b"#define N 8\nint a[N];"),
        (b"#define N(x) x\nconstexpr int N2 = 4;", b"#define N 8\n#define N(x) x\nconstexpr int N2 = 4;"),
        (b"constexpr int N = 4, M = 2;", b"constexpr int N = 8, M = 2;"),
        (b"static const int N{4};", b"static const int N= 8;"),
        (b"enum { M = 2, N = 4 };", b"enum { M = 2, N = 8};"),
        (b"int a[N];", b"#define N 8\nint a[N];"),
    ],
)
def test_a_value_replaces_the_definition(source: bytes, changed: bytes) -> None:
    assert with_value(source, "N", "8").replace(b" }", b"}") == changed.replace(b" }", b"}")
