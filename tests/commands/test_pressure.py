"""`regpress-lint pressure`: text and JSON, the choice of kernels, and messages for kernels that cannot be shown."""

from __future__ import annotations

import json
import re
import sys
from itertools import pairwise
from subprocess import run as run_process
from typing import TYPE_CHECKING, Any

import pytest
from cli_helpers import HIP, ROOT, SYCL, process, run
from corpus import is_quick, walked

from regpress_lint.commands.pressure.output import ASCII, BLOCKS, glyphs_for
from regpress_lint.render.terminal import cells

if TYPE_CHECKING:
    from pathlib import Path

MIX = """#include <hip/hip_runtime.h>
__device__ double blend(double a, double b) {
  double p = a * 2, q = b * 3;
  return p * q + a;
}
template <int N>
__global__ void __launch_bounds__(256) mix(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double late = in[i];
  double sum = 0;
  for (int j = 0; j < n; j++) {
    double x = in[i + j];
    double y = exp(x); // a math call
    sum += blend(x, y);
  }
  out[i] = sum * late;
}
__global__ void copy(const float *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x];
}
"""
ANSI = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mix.hip").write_text(MIX)


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    result = run(capsys, "pressure", "--output-format", "json", *arguments)
    assert (result.status, result.err) == (0, "")
    return json.loads(result.out)


def test_the_view_of_a_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "pressure", "mix.hip", "--kernel", "mix")
    assert (result.status, result.err) == (0, "")
    caveat, _, shown = result.out.partition("\n\n")
    assert caveat.splitlines()[-1].startswith("█ values  ░ what a library call takes")
    assert "in the instruction order that the estimate assumes" in " ".join(caveat.split())
    lines = shown.splitlines()
    assert lines[0] == "kernel mix  mix.hip:7  gfx90a (CDNA 2, MI210, MI250, MI250X)"
    header = " ".join(" ".join(lines[1:5]).split())
    estimate = re.match(
        r"estimate (\d+) registers per thread \((\d+) to (\d+)\) = (\d+) live at the peak ([+-]) (\d+) that compilers",
        header,
    )
    assert estimate is not None
    whole, low, high, alive, sign, rest = estimate.groups()
    assert int(low) <= int(whole) <= int(high)
    assert int(whole) == int(alive) + int(sign + rest)
    assert "waves per SIMD at the estimate" in header
    peak = next(line for line in lines if line.startswith("▶"))
    assert peak.split()[:3] == ["▶", "13", alive] == ["▶", "13", "40"]
    assert "double y = exp(x); // a math call   +28 in exp" in peak
    assert "in blend" in next(line for line in lines if "sum += blend" in line)
    assert (
        "40 at line 13: 8 registers of variables, 4 of temporaries and addresses, 28 in `exp`; 2 more in" in result.out
    )
    table = result.out[result.out.index("Live at line 13") :].splitlines()
    assert table[0] == "Live at line 13: 12 registers in 6 values"
    rows = [row.split() for row in table[2:8]]
    assert ["late", "double", "2", "9", "16", "load"] in [row[:6] for row in rows]
    assert "not used in the loop at line 11" in result.out
    assert ["sum", "double", "2", "11", "14", "loop-carried"] in rows
    assert "In SGPRs (2): n 1, j 1." in result.out


def test_all_or_named_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    def shown(*names: str) -> list[str]:
        given = [part for name in names for part in ("--kernel", name)]
        out = run(capsys, "pressure", "mix.hip", *given).out
        return [line.split()[1] for line in out.splitlines() if line.startswith("kernel ")]

    assert shown() == ["mix", "copy"]
    assert shown("copy") == ["copy"]
    assert shown("copy", "mix") == ["mix", "copy"]


def test_an_unknown_kernel_names_the_nearest_or_all(capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "pressure", "mix.hip", "--kernel", "mxi")
    assert (result.status, result.out) == (2, "")
    assert 'no kernel "mxi", did you mean "mix"?' in result.err
    assert 'no kernel "qqqqq"; the file has: mix, copy' in run(capsys, "pressure", "mix.hip", "--kernel", "qqqqq").err


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_no_row_of_source_is_wider_than_the_terminal(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for arch in ("gfx90a", "sm_90", "pvc"):
        lines = run(capsys, "pressure", "mix.hip", "--arch", arch).out.splitlines()
        sources = [line for line in lines if "│" in line]
        assert len(sources) == 14
        for line in sources if width < 70 else lines:
            assert cells(line) <= width, line
        assert len({line.index("│") for line in sources}) == 1


def test_bars_grow_with_the_registers_and_steps_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    kernel = document(capsys, "mix.hip", "--kernel", "mix", "--arch", "sm_90")["kernels"][0]
    counts = {line["line"]: line["registers"] for line in kernel["lines"]}
    out = run(capsys, "pressure", "mix.hip", "--kernel", "mix", "--arch", "sm_90").out
    lengths: dict[int, int] = {}
    for line in out.splitlines():
        if (match := re.match(r"[▶ ] +(\d+) [ \d]{4} ([█▏▎▍▌▋▊▉░]*)", line)) and "│" in line:
            lengths[int(match[1])] = len(match[2])
    assert set(lengths) == set(counts)
    ordered = sorted(counts, key=lambda number: counts[number])
    assert all(lengths[a] <= lengths[b] + 1 for a, b in pairwise(ordered))
    assert out.count("┊") > 10
    ruler = next(line for line in out.splitlines() if line.startswith("line live"))
    assert set(map(int, re.findall(r"\d+", ruler))) <= {0, *(step["registers"] for step in kernel["steps"])}


def test_colour_only_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    plain = run(capsys, "pressure", "mix.hip").out
    assert "\x1b" not in plain
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    colored = run(capsys, "pressure", "mix.hip").out
    assert "\x1b[" in colored
    assert ANSI.sub("", colored) == plain


def test_an_encoding_without_block_elements_gets_ascii(tmp_path: Path) -> None:
    assert glyphs_for("utf-8") is BLOCKS
    assert glyphs_for("ascii") is glyphs_for(None) is glyphs_for("no-such-encoding") is ASCII
    done = process("pressure", "mix.hip", cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    text = done.stdout.decode("ascii")
    assert "\\u" not in text
    assert re.search(r"^> 13   40 +2 #+\++ ", text, re.MULTILINE)


def test_hidden_characters_of_the_source_are_written_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.hip").write_text(HIP.replace("  int i", "  /* \u202e \x1b[31m */ int i"))
    out = run(capsys, "pressure", "a.hip").out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "\\u202e" in out


def test_long_kernels_can_be_folded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quiet = "\n".join(f"  out[i + {n}] = 0;" for n in range(60))
    text = MIX.replace("  out[i] = sum * late;", f"{quiet}\n  out[i] = sum * late;\n{quiet}")
    (tmp_path / "long.hip").write_text(text)
    whole = run(capsys, "pressure", "long.hip", "--kernel", "mix").out
    folded = run(capsys, "pressure", "long.hip", "--kernel", "mix", "--fold").out
    assert "folded" not in whole
    sizes = [int(size) for size in re.findall(r"(\d+) lines folded, at most \d+ live", folded)]
    assert sizes
    kept = sum("│" in line for line in folded.splitlines())
    assert kept + sum(sizes) == sum("│" in line for line in whole.splitlines())
    assert "▶" in folded


def test_the_first_of_several_targets_is_drawn_and_the_others_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "pressure", "mix.hip", "--kernel", "mix", "--arch", "sm_90,gfx90a").out
    assert "\nkernel mix  mix.hip:7  sm_90" in out
    assert re.search(r"also +gfx90a \d+-\d+-\d+ \(the bars are for sm_90", out)
    targets = [k["target"] for k in document(capsys, "mix.hip", "--kernel", "mix", "--arch", "sm_90,gfx90a")["kernels"]]
    assert targets == ["sm_90", "gfx90a"]


def agrees(kernel: Any, line: Any) -> None:
    """A line's sums are those of its values."""
    held = list(zip(line["values"], line["value_registers"], line["value_copies"], strict=True))
    own = [(kernel["values"][index], registers) for index, registers, _ in held]
    assert line["live"] == sum(registers for value, registers in own if not value["scalar"])
    assert line["scalar"] == sum(registers for value, registers in own if value["scalar"])
    unnamed = sum(registers for value, registers in own if not value["scalar"] and not value["named"])
    assert line["temporaries"] == unnamed
    assert all(0 < copies <= registers for _, registers, copies in held)
    assert all(registers <= value["registers"] for value, registers in own)
    beyond = line["routine"]["registers"] if line["routine"] else 0
    assert line["registers"] == line["live"] + line["loads_in_flight"] + beyond


def test_json_is_whole_and_agrees_with_itself(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "mix.hip")
    assert found["version"] == 1
    assert [kernel["name"] for kernel in found["kernels"]] == ["mix", "copy"]
    for kernel in found["kernels"]:
        assert (kernel["path"], kernel["target"], kernel["complete"]) == ("mix.hip", "gfx90a", True)
        assert 0 < kernel["registers"]["low"] <= kernel["registers"]["estimate"] <= kernel["registers"]["high"]
        assert kernel["steps"] == sorted(kernel["steps"], key=lambda step: step["registers"])
        numbers = [line["line"] for line in kernel["lines"]]
        assert numbers == list(range(numbers[0], kernel["end_line"] + 1))
        for line in kernel["lines"]:
            agrees(kernel, line)
        peak = kernel["peak"]
        assert peak["registers"] == max(line["registers"] for line in kernel["lines"] if line["code"])
        assert peak["registers"] == kernel["alive"] == kernel["registers"]["estimate"] - kernel["calibrated"]
        assert peak["values"] == kernel["lines"][peak["line"] - numbers[0]]["values"]
        for value in kernel["values"]:
            assert {"name", "type", "registers", "defined", "last_used", "kind"} < set(value)
            assert value["defined"] in value["lines"]
            assert value["last_used"] in value["lines"]


def test_the_estimate_is_the_one_of_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(run(capsys, "kernels", "--output-format", "json", "mix.hip").out)["kernels"]
    for row, kernel in zip(rows, document(capsys, "mix.hip")["kernels"], strict=True):
        assert kernel["registers"] == row["targets"]["gfx90a"]["registers"]
        assert kernel["budget"] == row["targets"]["gfx90a"]["budget"]
        assert kernel["waves_per_simd"]["estimate"] == row["targets"]["gfx90a"]["occupancy"]["waves_per_simd"]


def test_standard_input(tmp_path: Path) -> None:
    done = process("pressure", "-", "--stdin-filename", "a/b.hip", cwd=tmp_path, stdin=MIX.encode())
    assert done.returncode == 0
    assert "a/b.hip:7" in done.stdout.decode()


def test_kernel_in_a_header_with_types_in_a_neighbouring_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "types.h").write_text("struct Pair { double x, y; };\n")
    (folder / "kernel.h").write_text(
        '#include "types.h"\n__global__ void k(const Pair *in, double *out) {\n  Pair p = in[threadIdx.x];\n'
        "  out[threadIdx.x] = p.x + p.y;\n}\n"
    )
    (folder / "main.hip").write_text(
        '#include <hip/hip_runtime.h>\n#include "kernel.h"\nint main() { k<<<1, 64>>>(nullptr, nullptr); }\n'
    )
    (kernel,) = document(capsys, "project/kernel.h")["kernels"]
    assert kernel["target"] == "gfx90a"
    named = {value["name"]: value["registers"] for value in kernel["values"] if not value["scalar"] and value["named"]}
    assert named == {"p.x": 2, "p.y": 2}


def test_a_sycl_lambda_and_one_that_calls_a_function(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.cpp").write_text(SYCL)
    (kernel,) = document(capsys, "a.cpp")["kernels"]
    assert kernel["target"] == "pvc"
    names = {value["name"] for value in kernel["values"]}
    assert "x[i]" in names
    assert not any("Idx" in name for name in names)  # CUDA's words
    (tmp_path / "body.h").write_text(
        "inline void body(sycl::nd_item<1> item, float *x) {\n  int i = item.get_global_id(0);\n  x[i] = x[i] * 2;\n}\n"
    )
    (tmp_path / "b.cpp").write_text(
        '#include <sycl/sycl.hpp>\n#include "body.h"\nvoid run(sycl::queue &q, float *x) {\n'
        "  q.parallel_for(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> item) { body(item, x); });\n}\n"
    )
    (kernel,) = document(capsys, "body.h")["kernels"]
    assert kernel["path"] == "body.h"
    assert [line["line"] for line in kernel["lines"]] == [1, 2, 3, 4]
    assert "x[i] = x[i] * 2" in run(capsys, "pressure", "body.h").out
    assert "one in a header is shown for the header" in run(capsys, "pressure", "b.cpp").err  # as one of CUDA is


def test_kernel_value_live_in_a_function_names_its_function(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kept.hip").write_text(
        "#include <hip/hip_runtime.h>\n"
        "__device__ float weighed(const float* w, int n, const float* in) {\n"
        "  float s = 0.0f;\n"
        "  for (int i = 0; i < n; ++i) s += w[i] * in[i];\n"
        "  return s;\n"
        "}\n"
        "__device__ float of_many(const float* w, float x) {\n"
        "  float row[20];\n"
        "  for (int i = 0; i < 20; ++i) row[i] = x * i;\n"
        "  return weighed(w, 20, row);\n"
        "}\n"
        "__global__ void k(const float* w, float* out) {\n"
        "  out[threadIdx.x] = of_many(w, out[threadIdx.x]);\n"
        "}\n"
    )
    (kernel,) = document(capsys, "kept.hip")["kernels"]
    functions = {value["name"]: value["function"] for value in kernel["values"] if value["named"]}
    assert functions == {"row": "of_many", "s": "weighed"}


def test_a_file_without_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plain.cpp").write_text("int main() {}\n")
    (tmp_path / "host.hip").write_text("#include <hip/hip_runtime.h>\nint main() { hipDeviceSynchronize(); }\n")
    for name in ("plain.cpp", "host.hip"):
        result = run(capsys, "pressure", name)
        assert (result.status, result.out) == (0, "")
        assert f"warning: {name}: no HIP, CUDA, SYCL or OpenCL" in result.err
        assert json.loads(run(capsys, "pressure", name, "--output-format", "json").out)["kernels"] == []
        assert run(capsys, "pressure", name, "--kernel", "k").status == 2


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), "required: FILE"),
        (("absent.hip",), "no such file or folder"),
        (("mix.hp",), 'did you mean "mix.hip"'),
        (("folder",), "is a folder; pressure shows one file"),
        (("mix.hip", "--arch", "gfx90b"), "did you mean 'gfx90a'"),
        (("mix.hip", "--output-format", "html"), "known are text and json"),
        (("mix.hip", "--html", "no/such/folder/x.html"), "--html: no folder"),
        (("mix.hip", "--stdin-filename", "x.hip"), '--stdin-filename needs the path "-"'),
        (("mix.hip", "--kernels", "mix"), 'did you mean "--kernel"'),
    ],
)
def test_wrong_use(
    arguments: tuple[str, ...], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    result = run(capsys, "pressure", *arguments)
    assert (result.status, result.out) == (2, "")
    assert expected in result.err
    assert len(result.err.splitlines()) == 1


@pytest.mark.parametrize("command", ["pressure", "check", "kernels", "ir"])
def test_named_file_above_the_limit_fails(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, command, "mix.hip", "--max-file-bytes", "64")
    assert (result.status, result.out) == (2, "")
    assert "bytes are more than the 64 of max-file-bytes" in result.err


def test_a_failure_inside_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr("regpress_lint.commands.pressure.lines.kernel_pressure", fail)
    result = run(capsys, "pressure", "mix.hip")
    assert (result.status, result.out) == (2, "")
    assert result.err == "regpress-lint: error: mix.hip: internal error: ValueError: broken\n"
    assert "Traceback" in run(capsys, "pressure", "mix.hip", "--verbose").err


def test_other_commands_do_not_load_it(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom regpress_lint.__main__ import main\nmain(['check', 'mix.hip'])\n"
        "print([m for m in sys.modules if 'pressure' in m])\n"
    )
    done = run_process(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'rules'}", "PATH": ""},
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.decode().splitlines()[-1] == "[]"


SAMPLES = sorted(
    path
    for path in (ROOT / "testdata").rglob("*")
    # The series of testdata/golden are the same few kernels in many sizes.
    if path.suffix in (".hip", ".cu", ".cpp", ".h", ".cuh", ".hpp") and not path.name.startswith("series_")
)


@pytest.mark.parametrize("path", walked(SAMPLES, every=80))
def test_statements_about_every_test_kernel_hold(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "pressure", "--isolated", "--output-format", "json", path)
    assert result.status == 0, result.err
    text = path.read_text(errors="replace").splitlines()
    macros = any(line.lstrip().startswith("#define") for line in text)
    rows = json.loads(run(capsys, "kernels", "--isolated", "--output-format", "json", path).out)["kernels"]
    estimates = {
        (row["name"], row["line"], target): found["registers"]
        for row in rows
        for target, found in row["targets"].items()
    }
    for kernel in json.loads(result.out)["kernels"]:
        if kernel["path"] != str(path):
            continue
        for value in kernel["values"]:
            if value["named"] and value["function"] is None:
                base = re.split(r"[.\[ ]", value["name"])[0]
                assert any(base in text[line - 1] for line in range(kernel["line"], kernel["end_line"] + 1)) or macros
            assert {value["defined"], value["first_used"], value["last_used"]} <= set(value["lines"])
        for line in kernel["lines"]:
            agrees(kernel, line)
        widest = max((line["registers"] for line in kernel["lines"] if line["code"]), default=0)
        assert kernel["alive"] == widest == (kernel["peak"] or {"registers": 0})["registers"]
        assert kernel["alive"] + kernel["calibrated"] == kernel["registers"]["estimate"]
        seen = (kernel["name"], kernel["line"], kernel["target"])  # beside other files it may be of another language
        assert kernel["registers"] == estimates.get(seen, kernel["registers"])
    if is_quick(path):
        assert run(capsys, "pressure", "--isolated", path).status == 0


def test_values_of_a_caller_have_their_own_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.cu").write_text(
        "__device__ float sum(const float* in, int n, float s) {\n  float t[16];\n"
        "  for (int i = 0; i < 16; ++i) t[i] = in[i * n];\n"
        "  for (int i = 0; i < 16; ++i) s = s * t[i] + t[15 - i];\n  return s;\n}\n"
        "__global__ void k(float* out, const float* in, int n) {\n  float y = in[threadIdx.x];\n"
        "  float z = sum(in + threadIdx.x, n, 3);\n  out[threadIdx.x] = z * y;\n}\n"
    )
    asked = ("pressure", "--isolated", "--arch", "gfx90a", str(tmp_path / "a.cu"))
    (kernel,) = json.loads(run(capsys, *asked, "--output-format", "json").out)["kernels"]
    (inner,) = kernel["inside"]
    values = {value["name"]: value for value in inner["values"]}
    assert (values["y"]["defined_in"], values["y"]["defined"]) == ("k", 8)
    assert (values["y"]["used_in"], values["y"]["last_used"]) == ("k", 10)
    assert (values["t"]["defined_in"], values["t"]["defined"]) == (None, 3)
    assert " k:8  " in run(capsys, *asked).out
