"""Options of a kernel, which the launch decides about: found, left out by `--without`, tried by `--advise`, named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from snippets import ROOT

from regpress_lint.__main__ import main
from regpress_lint.core.settings import Settings
from regpress_lint.facts.run_time_flags import options
from regpress_lint.lint.analysis import Analysis, analyse
from tools.measure import options_truth

if TYPE_CHECKING:
    from pathlib import Path

KERNELS = str(ROOT / "testdata" / "options" / "kernels.cu")
TWICE = """#include <cuda_runtime.h>
struct Flags { bool save; int mode; };
__global__ void run(double *out, const double *in, int n, int count, bool on, const float *bias, Flags f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (!on) return;
  double a = in[i];
  if (count > 0) a += count;
  if (f.save) { a = exp(a); }
  else { a = pow(a, 1.5); }
  if (bias) a += bias[i];
  switch (f.mode) {
    case 1: a = cos(a); break;
    default: a = a + 1;
  }
  out[i] = f.save ? a * a : a;
}
"""


def _analysis(text: str, path: str = "a.cu", arch: str = "sm_90") -> Analysis:
    found = analyse(text.encode(), path, Settings(architectures=(arch,)))
    assert isinstance(found, Analysis)
    return found


def _options(text: str, path: str = "a.cu") -> dict[tuple[str, ...], list[str]]:
    """The conditions of each option of the first kernel, with the text that goes."""
    analysis = _analysis(text, path)
    source = analysis.source
    return {
        tuple(side.words(source) for side in option.sides): [source.text(side.span) for side in option.sides]
        for option in options(analysis.facts(analysis.file.kernels[0]))
    }


def test_launch_argument_in_a_condition_is_an_option() -> None:
    found = _options(TWICE)
    # Bounds of the grid, a flag whose other value ends the kernel, and what is also computed with are none.
    assert found == {
        ("`if (f.save)`", "a side of `f.save ?`"): ["{ a = exp(a); }", "a * a"],
        ("the `else` of `if (f.save)`", "a side of `f.save ?`"): ["{ a = pow(a, 1.5); }", "a"],
        ("`if (bias)`",): ["a += bias[i];"],
    }


@pytest.mark.parametrize(
    ("path", "kernel"),
    [
        ("a.hip", "#include <hip/hip_runtime.h>\n__global__ void k(float *o, bool on) {{ {0} o[threadIdx.x] = 1; }}"),
        (
            "a.cpp",
            "#include <sycl/sycl.hpp>\nvoid run(sycl::queue &q, float *o, bool on) {{\n"
            "  q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) {{ {0} o[i] = 1; }});\n}}",
        ),
    ],
)
def test_options_of_every_language(path: str, kernel: str) -> None:
    body = "if (on) { float s = 0; for (int k = 0; k < 9; ++k) s += o[k]; o[0] = s; }"
    assert list(_options(kernel.format(body), path)) == [("`if (on)`",)]


def test_flag_passed_to_a_function_or_copied() -> None:
    text = """
__device__ float limited(float a, bool limiter) { if (limiter) { a = exp(a); } return a; }
__global__ void k(float *o, const int *order, bool limiter) {
  const bool third = *order > 2;
  float a = limited(o[0], limiter) + limited(o[1], limiter);
  if (third && a > 0) { a = pow(a, 0.3f); }
  o[threadIdx.x] = a;
}
"""
    assert sorted(_options(text)) == [("`if (limiter)`",), ("`if (third && a > 0)`",)]
    two = text.replace("limited(o[1], limiter)", "limited(o[1], third)")
    assert sorted(_options(two)) == [("`if (third && a > 0)`",)]  # it has not one answer


# ------------------------------------------------------------------------------------------------------------ without


def _without(capsys: pytest.CaptureFixture[str], path: str, *arguments: str) -> dict[str, Any]:
    status = main(["pressure", "--isolated", "--arch", "gfx90a", "--output-format", "json", *arguments, path])
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    (kernel,) = json.loads(out)["kernels"]
    found: dict[str, Any] = kernel
    return found


@pytest.fixture
def twice(tmp_path: Path) -> str:
    path = tmp_path / "twice.cu"
    path.write_text(TWICE)
    return str(path)


def test_a_branch_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    found = _without(capsys, KERNELS, "--without", "23")
    assert (found["name"], found["without"]["what"]) == ("push", "`if (do_qed)`")
    assert found["without"]["lines"] == [{"first": 23, "last": 26}]
    assert found["registers"]["estimate"] < found["without"]["whole"]["registers"]["estimate"] - 20
    assert found["waves_per_simd"]["estimate"] > found["without"]["whole"]["waves_per_simd"]
    assert (found["without"]["tests"], found["without"]["off"]) == ([], None)


def test_a_flag_with_several_tests_has_a_second_number(capsys: pytest.CaptureFixture[str], twice: str) -> None:
    found = _without(capsys, twice, "--without", "9")
    assert found["without"]["tests"] == [9, 16]
    assert found["without"]["off"]["registers"]["estimate"] <= found["registers"]["estimate"]


@pytest.mark.parametrize(
    ("lines", "what", "places"),
    [
        ("10", "the `else` of `if (f.save)`", [(10, 10)]),
        ("13", "`case 1`", [(13, 13)]),
        ("14", "`default`", [(14, 14)]),
        ("8:11", "3 statements", [(8, 8), (9, 10), (11, 11)]),
        ("16", "the statement", [(16, 16)]),
    ],
)
def test_statements_that_can_be_left_out(
    capsys: pytest.CaptureFixture[str], twice: str, lines: str, what: str, places: list[tuple[int, int]]
) -> None:
    found = _without(capsys, twice, "--without", lines)
    assert found["without"]["what"] == what
    assert [(each["first"], each["last"]) for each in found["without"]["lines"]] == places
    assert len(found["lines"]) == TWICE.count("\n") - 2  # no line has moved


def test_text_names_the_removed_lines_and_the_gain(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["pressure", "--isolated", "--arch", "sm_90", "--without", "23", KERNELS]) == 0
    out = capsys.readouterr().out
    assert out.count("kernel ") == 1  # the only kernel of the file that has the line
    assert "without    `if (do_qed)` (lines 23 to 26): 32 instead of 48 registers, 16 instead of 10 warps" in out
    (row,) = (line for line in out.splitlines() if "if (do_qed) {" in line)
    assert row.endswith("left out")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("x", '--without: "x" is not LINE or LINE:LINE, as in 31 or 31:58'),
        ("9:3", '--without: "9:3" is not LINE or LINE:LINE'),
        ("2", "--without: no branch and no statement of a kernel begins at 2"),
    ],
)
def test_statements_that_cannot_be_left_out(
    capsys: pytest.CaptureFixture[str], twice: str, lines: str, message: str
) -> None:
    assert main(["pressure", "--isolated", "--without", lines, twice]) == 2
    assert message in capsys.readouterr().err


# ----------------------------------------------------------------------------------------------------- advice, finding


@pytest.mark.slow
def test_advice_makes_the_flag_a_template_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernels", "--isolated", "--no-cache", "--arch", "sm_90", "--advise", "push", KERNELS]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "line 23: a variant without `if (do_qed)` (lines 23 to 26): make the flag a template parameter" in out
    assert "48 -> 32 " in out


def _crowded(elements: int) -> str:
    names = "abcde"
    fill = "\n".join(f"      {name}[k] = x[(i + k) * n + {at}];" for at, name in enumerate(names))
    mix = "\n".join(
        f"        {name}[k] = {name}[k] * {names[(at + 1) % 5]}[{elements - 1} - k];" for at, name in enumerate(names)
    )
    arrays = "\n".join(f"    double {name}[{elements}];" for name in names)
    return f"""__global__ void push(const double *x, double *out, int n, bool do_qed) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = x[i];
  if (do_qed) {{
{arrays}
#pragma unroll
    for (int k = 0; k < {elements}; ++k) {{
{fill}
    }}
    for (int r = 0; r < n; ++r) {{
#pragma unroll
      for (int k = 0; k < {elements}; ++k) {{
{mix}
      }}
    }}
#pragma unroll
    for (int k = 0; k < {elements}; ++k) sum += a[k] + b[k] + c[k] + d[k] + e[k];
  }}
  out[i] = sum;
}}
"""


@pytest.mark.slow
def test_rp109_names_the_branch_of_the_peak_and_its_gain(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "crowded.cu"
    path.write_text(_crowded(34))
    words = ["check", "--isolated", "--no-cache", "--arch", "sm_90", "--select", "RP109", "--output-format", "json"]
    main([*words, str(path)])
    (found,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert "in `if (do_qed)` of line 4" in found["message"]
    assert "tried: a variant without `if (do_qed)` (lines 4 to 30)" in found["help"]


# ---------------------------------------------------------------------------------------------------------- compilers


@pytest.mark.slow
def test_estimates_and_compilers_agree_on_the_cost_of_options() -> None:
    found = list(options_truth.compared(options_truth.SOURCE, options_truth.stored()))
    for target, least in (("gfx90a", 0.65), ("sm_90", 0.9)):
        own = [one for one in found if one.measured.target == target]
        assert len(own) >= 13
        assert sum(one.agrees for one in own) / len(own) >= least, target


WORK = """if (on) {
    double a[24];
#pragma unroll
    for (int k = 0; k < 24; ++k) a[k] = y[i * 24 + k];
#pragma unroll
    for (int k = 0; k < 24; ++k) s += a[k] * a[(k * 7 + 3) % 24] * a[23 - k];
  }
"""
ELSEWHERE = {
    "kernel.cpp": """#include <sycl/sycl.hpp>
void run(sycl::queue &q, double *x, const double *y, int n, bool on) {
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) {
  const int i = it.get_global_id(0); double s = x[i];
  WORK  x[i] = s;
  });
}
""",
    "kernel.cuh": """#pragma once
template <bool V>
__global__ void k(double *x, const double *y, bool on) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x; double s = x[i];
  WORK  x[i] = s;
}
""",
}


@pytest.mark.parametrize("name", list(ELSEWHERE))
def test_an_option_is_left_out_in_sycl_and_in_headers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / name).write_text(ELSEWHERE[name].replace("WORK", WORK))
    estimates = []
    for option in ((), ("--without", "5"), ("--without", "5:11")):
        words = ("pressure", "--isolated", "--output-format", "json", *option, str(tmp_path / name))
        assert main(words) == 0
        (kernel,) = json.loads(capsys.readouterr().out)["kernels"]
        estimates.append(kernel["registers"]["estimate"])
    whole, *without = estimates
    assert whole > 40
    assert max(without) < 20


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ((8, 20, 30), "20 registers as before"),
        ((8, 12, 30), "12 instead of 20 registers"),
        ((8, 20, 24), "20 registers as before, with a band of 8 to 24 instead of 8 to 30"),
    ],
)
def test_left_out_branch_shows_changed_ends_of_the_band(now: tuple[int, int, int], words: str) -> None:
    from fractions import Fraction

    from regpress_lint.commands.pressure.data import Taken, _instead

    was = Taken((8, 20, 30), 0, Fraction(8))
    assert _instead(was._replace(registers=now), was) == words
