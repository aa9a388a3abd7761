"""`kernels`, `occupancy`, `rule` and `targets`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, SYCL, process, run

from regpress_lint.occupancy import architectures
from regpress_lint.registry import load

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


def test_kernels_as_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


def test_kernels_of_a_folder_are_the_same_for_any_number_of_jobs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for index in range(9):
        (tmp_path / f"{index}.hip").write_text(HIP)
    assert run(capsys, "kernels", "-j", "3", ".") == run(capsys, "kernels", "-j", "1", ".")


def test_the_occupancy_step_of_the_standard_example(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "occupancy", "--arch", "gfx90a", "--registers", "102").out
    assert "16 of 32 waves per CU (50.0%), 4 per SIMD" in out
    assert "limited by registers" in out
    assert "next step: registers 96 -> 5 waves per SIMD" in out
    (row,) = (line.split() for line in out.splitlines() if line.lstrip().startswith(">"))
    assert row == [">", "128", "4", "50.0%"]


def test_occupancy_where_compiler_and_run_time_disagree(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("occupancy", "--arch", "mi250", "--registers", "96", "--block", "1024")
    out = run(capsys, *arguments).out
    assert "16 of 32 waves" in out
    assert "clang's resource-usage remark says 5 waves per SIMD" in out
    found = json.loads(run(capsys, *arguments, "--output-format", "json").out)["targets"]["gfx90a"]
    assert found["compiler_waves_per_simd"] == 5
    assert found["occupancy"]["waves_per_simd"] == 4
    assert {"registers": 128, "waves_per_simd": 4} in found["register_steps"]


def test_occupancy_of_several_vendors(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "occupancy", "--arch", "gfx90a,sm_90", "--arch", "pvc", "--registers", "64", "--lds", "24K").out
    assert [line.split()[0] for line in out.splitlines() if line and line[0] != " "] == ["gfx90a", "sm_90", "pvc"]
    assert "24576 bytes of LDS" in out


def test_occupancy_of_a_launch_that_cannot_work(capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "occupancy", "--arch", "sm_80", "--registers", "200", "--block", "288")
    assert result.status == 0
    assert "the launch cannot work" in result.out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--arch", "gfx90a"), "--registers"),
        (("--registers", "1"), "--arch"),
        (("--arch", "gfx", "--registers", "1"), "unknown architecture"),
        (("--arch", "gfx90a", "--registers", "many"), "--registers: expected an integer"),
        (("--arch", "gfx90a", "--registers", "1", "--block", "0"), "--block: expected an integer from 1"),
        (("--arch", "gfx90a", "--registers", "1", "--wave-size", "32"), "no waves of 32"),
        (("--arch", "sm_90", "--registers", "1", "--agprs", "4"), "no accumulation registers"),
        (("--arch", ",", "--registers", "1"), "--arch"),
    ],
)
def test_occupancy_wrong_use(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected: str) -> None:
    result = run(capsys, "occupancy", *arguments)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert expected in result.err


def test_rule_pages_and_list(capsys: pytest.CaptureFixture[str]) -> None:
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
