"""`kernels`, `rule` and `targets`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, SYCL, process, run

from regpress_lint.lint.registry import load
from regpress_lint.targets.occupancy import architectures

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)


def test_kernels_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.hip").write_text(HIP + "int main() { square<<<4, 128>>>(nullptr); }\n")
    result = run(capsys, "kernels", "--output-format", "json", "--arch", "gfx90a,sm_90", "a.hip")
    assert (result.status, result.err) == (0, "")
    document = json.loads(result.out)
    assert document["version"] == 1
    (kernel,) = document["kernels"]
    assert {key: kernel[key] for key in ("path", "line", "end_line", "name", "language", "complete")} == {
        "path": "a.hip",
        "line": 2,
        "end_line": 5,
        "name": "square",
        "language": "hip",
        "complete": True,
    }
    assert kernel["launch_bounds"] == {"max_threads": 256, "min_blocks": None}
    assert kernel["launches"] == [{"path": "a.hip", "line": 6, "block_size": 128, "dynamic_lds_bytes": 0}]
    assert list(kernel["targets"]) == ["gfx90a", "sm_90"]
    for target in kernel["targets"].values():
        registers, now = target["registers"], target["occupancy"]
        assert 0 < registers["low"] <= registers["estimate"] <= registers["high"]
        assert now["fraction"] == pytest.approx(now["waves"] / now["max_waves"])
        assert {"waves_per_simd", "max_waves_per_simd", "limiters", "next"} < set(now)
        assert target["budget"] > 0
        assert target["scratch_bytes"] == 0


def test_kernels_as_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    (tmp_path / "a.cpp").write_text(SYCL)
    (tmp_path / "b.hip").write_text(HIP)
    lines = run(capsys, "kernels", ".").out.splitlines()
    assert lines[0].split()[:3] == ["kernel", "where", "target"]
    assert any("a.cpp:3" in line and " pvc " in line for line in lines)
    assert any("b.hip:2" in line and " gfx90a " in line for line in lines)


def test_kernels_from_standard_input_and_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    piped = process(
        "kernels", "-", "--stdin-filename", "x.hip", "--output-format", "json", cwd=tmp_path, stdin=HIP.encode()
    )
    assert json.loads(piped.stdout)["kernels"][0]["path"] == "x.hip"
    assert run(capsys, "kernels").status == 2
    assert run(capsys, "kernels", "absent.hip").status == 2
    assert 'did you mean "json"' in run(capsys, "kernels", "--output-format", "jsn", "x").err


@pytest.mark.slow
def test_kernels_of_a_folder_are_the_same_for_any_number_of_jobs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for index in range(9):
        (tmp_path / f"{index}.hip").write_text(HIP)
    assert run(capsys, "kernels", "-j", "3", ".") == run(capsys, "kernels", "-j", "1", ".")


def test_rule_pages_and_list(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    by_code = run(capsys, "rule", "RP201")
    assert by_code.status == 0
    assert by_code.out.startswith("RP201 pow-small-exponent\n")
    assert "```" not in by_code.out
    assert by_code == run(capsys, "rule", "pow-small-exponent") == run(capsys, "rule", "rp201")
    listed = run(capsys, "rule").out.splitlines()
    assert [line.split()[:2] for line in listed] == [[rule.code, rule.name] for rule in load().rules]


def test_every_rule_has_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(run(capsys, "rule", "--output-format", "json").out)
    assert len(document["rules"]) == len(load().rules)
    for rule in document["rules"]:
        assert rule["summary"], rule["code"]
        page = run(capsys, "rule", rule["code"]).out
        assert page.rstrip().endswith(rule["url"])
        assert json.loads(run(capsys, "rule", rule["code"], "--output-format", "json").out)["name"] == rule["name"]


def test_unknown_rule(capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "rule", "pow-small-exponents")
    assert result.status == 2
    assert 'did you mean "pow-small-exponent"' in result.err


def test_targets(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "targets").out
    document = json.loads(run(capsys, "targets", "--output-format", "json").out)
    assert [target["name"] for target in document["targets"]] == [arch.name for arch in architectures()]
    for target in document["targets"]:
        assert f"{target['name']}" in out
        assert target["max_waves_per_simd"] > 0
        assert target["sources"]


def test_a_page_is_text_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = run(capsys, "rule", "RP106").out.splitlines()
    assert not [line for line in lines if "**" in line]
    assert "b. divides the wave slots badly: a neighbouring size has at" in lines
    assert "   least a quarter more waves resident, with the kernel's" in lines
