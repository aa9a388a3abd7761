"""The page of `report`: its numbers are those of `kernels`, `pressure` and `check`, whatever the sources hold."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from cli_helpers import CLEAN, CUDA, SYCL, run, run_json
from page_helpers import HOSTILE, TWO, block, detail, findings, index, live, value

from regpress_lint.commands.pressure.page.data import NAMES, tones
from regpress_lint.targets.occupancy import architectures, register_cap, register_steps

if TYPE_CHECKING:
    from pathlib import Path

TARGETS = ("--arch", "gfx90a,sm_90,pvc")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / HOSTILE).write_text(TWO)
    (tmp_path / "src" / "a.cu").write_text(CUDA)
    (tmp_path / "src" / "b.cpp").write_text(SYCL)
    return tmp_path


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    result = run(capsys, "report", "-o", "page.html", "src", *arguments)
    assert (result.status, result.out) == (0, "")
    assert re.fullmatch(r"page\.html: \d+ KB, 4 kernels\n", result.err)
    with open("page.html", encoding="utf-8") as stream:
        return stream.read()


@pytest.mark.usefixtures("folder")
def test_a_dash_is_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    page = report(capsys)
    os.remove("page.html")
    result = run(capsys, "report", "-o", "-", "src")
    assert (result.status, result.out, result.err) == (0, page, "")
    assert os.listdir(".") == ["src"]


def sentence(section: Any, label: str) -> str:
    return str(dict(section["facts"])[label])


def test_table_matches_kernels(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = index(report(capsys, *TARGETS))["kernels"]
    found = json.loads(run(capsys, "kernels", "src", *TARGETS, "--output-format", "json").out)["kernels"]
    assert [(each["name"], each["path"], each["line"]) for each in shown] == [
        (each["name"], each["path"], each["line"]) for each in found
    ]
    for one, two in zip(shown, found, strict=True):
        assert (one["block"], one["block_from"]) == (two["block_size"], two["block_size_from"])
        assert [target["name"] for target in one["targets"]] == list(two["targets"])
        for target in one["targets"]:
            other = two["targets"][target["name"]]
            assert target["registers"] == list(other["registers"].values())
            estimates = {each["registers"]["estimate"] for each in other["instances"]}
            assert target["spread"][0] == (f" ({min(estimates)}..{max(estimates)})" if len(estimates) > 1 else "")
            assert (target["budget"], target["scratch"]) == (other["budget"], other["scratch_bytes"])
            own = two["lds_bytes"]
            assert target["lds"] == (None if own is None else own + other["array_lds_bytes"])
            now = other["occupancy"]
            assert (target["waves"], target["most"]) == (now["waves_per_simd"], now["max_waves_per_simd"])


@pytest.mark.slow
def test_lines_match_pressure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = report(capsys, *TARGETS)
    path = f"src/{HOSTILE}"
    found = json.loads(run(capsys, "pressure", path, *TARGETS, "--output-format", "json").out)["kernels"]
    page = detail(text, 0)
    sections = [(section, kernel["values"]) for kernel in page["kernels"] for section in kernel["sections"]]
    assert len(sections) == len(found) == 6
    for (section, columns), other in zip(sections, found, strict=True):
        assert section["target"] == other["target"]
        assert section["first"] == other["lines"][0]["line"]
        assert section["peak"] == other["peak"]["line"]
        lines = other["lines"]
        assert section["live"] == [line["live"] for line in lines]
        total = [live + extra for live, extra in zip(section["live"], section["extra"], strict=True)]
        assert total == [line["registers"] for line in lines]
        assert section["still"] == [at for at, line in enumerate(lines) if not line["code"]]
        names = ("name", "type", "kind", "defined", "last_used", "lines")
        values = [tuple(each[name] for name in names) for each in other["values"]]
        for held, line in zip(live(section), lines, strict=True):
            shown = sorted((*value(columns, number), *held[number]) for number in held)
            numbers = zip(line["values"], line["value_registers"], line["value_copies"], strict=True)
            assert shown == sorted((*values[each], registers, copies) for each, registers, copies in numbers)
    (first, lines), *_ = page["sources"][path]
    assert (first, lines[0]) == (2, TWO.split("\n")[1])


def test_sentences_agree_with_the_table_for_templates(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = report(capsys, *TARGETS)
    for at, kernel in enumerate(index(text)["kernels"][:2]):
        for target, section in zip(kernel["targets"], detail(text, 0)["kernels"][at]["sections"], strict=True):
            low, estimate, high = target["registers"]
            assert f"{estimate} registers per thread ({low} to {high}) = " in sentence(section, "estimate")
            assert f"budget {target['budget']}" in sentence(section, "estimate")
            waves, most = f"{target['waves']:.2f}".rstrip("0").rstrip("."), target["most"]
            assert sentence(section, "occupancy").startswith(f"{waves} of {most} ")
            at_peak = section["peak"] - section["first"]
            peak = section["live"][at_peak] + section["extra"][at_peak]
            assert sentence(section, "peak").startswith(f"{peak} at line {section['peak']}: ")


def test_findings_and_fixes_match_check(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = report(capsys)
    shown, kernels = findings(text), index(text)["kernels"]
    found = run_json(capsys, "src")["diagnostics"]
    keys = ("code", "severity", "path", "message")
    assert sorted([each[key] for key in keys] for each in shown) == sorted(
        [each[key] for key in keys] for each in found
    )
    assert [each["severity"] for each in shown] == sorted((each["severity"] for each in shown), reverse=True)
    square = next(each for each in shown if each["path"] == "src/a.cu")
    assert kernels[square["kernel"]]["name"] == "square"
    assert kernels[square["kernel"]]["codes"] == ["RP201 pow-small-exponent"]
    diff = run(capsys, "check", "src/a.cu", "--diff", "--unsafe-fixes").out.split("\n")[2:]
    assert square["diff"] == [line for line in diff if line]
    assert "+  x[i] = x[i] * x[i];" in square["diff"]


def test_a_baseline_and_a_selection_count(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "baseline", "write", "src")
    assert findings(report(capsys)) == []
    assert {each["code"] for each in findings(report(capsys, "--no-baseline", "--select", "RP201"))} == {"RP201"}


LATE = """__global__ void heavy(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own[40], s = 0;
#pragma unroll
  for (int k = 0; k < 40; ++k) own[k] = in[i + k * n];
  for (int j = 0; j < n; ++j) s += in[j];
#pragma unroll
  for (int k = 0; k < 40; ++k) s += own[k] * s;
  out[i] = s;
}
__global__ void light(float *out) { out[threadIdx.x] = 1; }
void go(float *a, float *b) { heavy<<<8, 256>>>(a, b, 9); light<<<8, 256>>>(a); }
"""


@pytest.mark.slow
def test_advice_matches_kernels_advise(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "late.cu").write_text(LATE)
    assert run(capsys, "report", "-o", "page.html", "late.cu", "--advise").status == 0
    heavy, light = (kernel["advice"] for kernel in detail((folder / "page.html").read_text(), 0)["kernels"])
    asked = ("kernels", "--advise", "heavy", "late.cu", "--output-format", "json")
    (target,) = json.loads(run(capsys, *asked).out)["kernels"][0]["targets"].values()
    titles = [f"line {step['line']}: {step['title']}" for each in target["advice"] for step in each["steps"][:1]]
    assert titles
    assert [(name, text[: len(title)]) for (name, text), title in zip(heavy, titles, strict=True)] == [
        ("sm_90", title) for title in titles
    ]
    assert light == [["sm_90", "Nothing: no more warps fit."]]
    assert run(capsys, "report", "-o", "page.html", "late.cu").status == 0
    assert detail((folder / "page.html").read_text(), 0)["kernels"][0]["advice"] == []


def test_nothing_of_the_sources_becomes_markup(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = report(capsys)
    assert text.count("<script") == text.count("</script>") == 4
    for unwanted in ("<img", "<!--", "<b>bold", "\u202e", "\u2028"):
        assert unwanted not in text
    assert index(text)["kernels"][0]["path"] == f"src/{HOSTILE}"
    lines = detail(text, 0)["sources"][f"src/{HOSTILE}"][0][1]
    assert lines[2].startswith("  float a = in[i]; // </script><img src=x onerror=")
    assert "\\u202e reversed" in lines[4]


def test_only_the_page_s_own_script_and_style_may_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = report(capsys)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    (script,) = re.findall(r"<script>(.*?)</script>", text, flags=re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", text, flags=re.DOTALL)

    def hashed(part: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}'"

    assert policy == (
        f"default-src 'none'; script-src {hashed(script)}; style-src {hashed(style)}; base-uri 'none'; "
        "form-action 'none'"
    )
    assert not re.search(r"\bsrc=|@import|url\(|<link|\bfetch\(|XMLHttp", script + style)


@pytest.mark.slow
def test_the_same_page_from_any_number_of_processes_and_from_the_cache(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = report(capsys)
    assert report(capsys, "-j", "2") == page
    monkeypatch.delenv("REGPRESS_LINT_NO_CACHE", raising=False)
    cached = ("--cache-dir", "cache")
    assert report(capsys, *cached) == page
    monkeypatch.setattr("regpress_lint.commands.report.analyse", lambda *_: pytest.fail("worked out again"))
    assert report(capsys, *cached) == page


def test_wrong_use_and_unreadable_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "required: -o" in run(capsys, "report", "src").err
    assert "standard input" in run(capsys, "report", "-o", "x.html", "-").err
    assert 'no folder for "no/x.html"' in run(capsys, "report", "-o", "no/x.html", "src").err
    (folder / "empty").mkdir()
    assert "no C++ or GPU source" in run(capsys, "report", "-o", "x.html", "empty").err
    assert not (folder / "x.html").exists()
    result = run(capsys, "report", "-o", "x.html", "src/a.cu", "src/gone.cu")
    assert (result.status, "gone.cu" in result.err) == (2, True)
    assert (folder / "x.html").exists(), "what could be read is shown"


def test_a_file_without_findings_or_kernels(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "clean.hip").write_text(CLEAN)
    (folder / "host.hip").write_text("#include <hip/hip_runtime.h>\nint main() { hipDeviceSynchronize(); }\n")
    assert run(capsys, "report", "-o", "x.html", "clean.hip", "host.hip").status == 0
    text = (folder / "x.html").read_text()
    assert (findings(text), len(index(text)["kernels"])) == ([], 1)


def test_a_kernel_costs_few_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = "".join(f"  float v{k} = in[i + {k} * n] * {k}.5f;\n" for k in range(20))
    body += "  out[i] = " + " + ".join(f"v{k}" for k in range(20)) + ";\n"
    head = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    kernels = "".join(
        f"__global__ void step{k}(float *out, const float *in, int n) {{\n{head}{body}}}\n" for k in range(4)
    )
    source, page = tmp_path / "k.cu", tmp_path / "k.html"
    source.write_text(kernels)
    assert run(capsys, "report", "-o", str(page), str(source), "--arch", "sm_90,gfx90a").status == 0
    shown = detail(page.read_text(), 0)
    assert [len(lines) for _, lines in shown["sources"][str(source)]] == [4 * 24]
    own = len(block(page.read_text(), "index")) + len(block(page.read_text(), "pack-0"))
    assert own / 4 < 3000  # 1,500 kernels stay below 5 MB


# ------------------------------------------------------------------------------------------------------------- tones


@pytest.mark.parametrize("name", ["gfx90a", "gfx1100", "sm_70", "sm_90", "pvc"])
@pytest.mark.parametrize(("block_size", "lds"), [(64, 0), (256, 0), (1024, 0), (256, 40000)])
def test_few_registers_are_never_bad(name: str, block_size: int, lds: int) -> None:
    arch = next(each for each in architectures() if each.name == name)
    budget = register_cap(arch)
    limits = tones(register_steps(arch, block_size, lds), budget)
    assert list(limits) == sorted(limits)
    assert limits[0] >= 16
    assert limits[-1] <= budget
    assert len(NAMES) == 4


def test_colour_shows_the_cost_of_registers_and_not_of_the_block() -> None:
    arch = next(each for each in architectures() if each.name == "gfx90a")
    free, half, quarter = tones(register_steps(arch, 256), 512)
    assert (free, half, quarter) == (64, 96, 168)  # 8, 5 and 3 of 8 waves
    crowded = tones(register_steps(arch, 256, 40000), 512)  # LDS leaves one block
    assert crowded[0] > free
    assert tones((), 100) == (75, 90, 100)  # a launch that cannot work: the budget alone


def test_sweep_matches_kernels(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = report(capsys, "--sweep", "N=4,16", "--sweep", "block=64,512", "--arch", "gfx90a")
    at = next(place for place, kernel in enumerate(index(page)["kernels"]) if kernel["name"] == "tile")
    file = index(page)["kernels"][at]["file"]
    (drawn,) = (kernel["sweep"] for kernel in detail(page, file)["kernels"] if kernel["sections"][0]["arguments"])
    (found,) = json.loads(
        run(
            capsys,
            *("kernels", f"src/{HOSTILE}", "--sweep", "N=4,16", "--sweep", "block=64,512"),
            *("--kernel", "tile", "--arch", "gfx90a", "--output-format", "json"),
        ).out
    )["sweeps"]
    assert drawn["axes"] == found["axes"] == ["N", "block"]
    for one, two in zip(drawn["points"], found["points"], strict=True):
        assert one["values"] == list(two["values"].values())
        row, other = one["targets"]["gfx90a"], two["targets"]["gfx90a"]
        assert row["registers"] == list(other["registers"].values())
        assert (row["waves"], row["best"]) == (other["occupancy"]["waves_per_simd"], two["best"] == ["gfx90a"])
    plain = report(capsys, "--arch", "gfx90a")
    assert [kernel["sweep"] for kernel in detail(plain, file)["kernels"]] == [None, None]
