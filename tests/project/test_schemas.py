"""The published schemas of machine output: valid themselves, and exactly what the commands write."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, ROOT, SYCL, run
from format_samples import validate

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("jsonschema")
TEMPLATE = """
template <typename T> __global__ void twice(T *x, int n) {
  __shared__ T tile[64];
  T own[4];
  for (int i = 0; i < n; ++i) own[i & 3] = x[i];
  tile[threadIdx.x] = own[n & 3];
  x[0] = tile[n] * 2;
}
void go(float *x, double *y, int n) { twice<<<n, 64>>>(x, n); twice<<<n, 64>>>(y, n); }
"""


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.hip").write_text(HIP + TEMPLATE)
    (tmp_path / "b.cpp").write_text(SYCL)
    (tmp_path / "c.cu").write_text("__global__ void open(float *x) { extern __shared__ float s[]; x[0] = s[0]; }\n")


def test_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(run(capsys, "kernels", "--output-format", "json", ".").out)
    validate("kernels", document)
    assert any(target["instances"] for each in document["kernels"] for target in each["targets"].values())
    assert [each["lds_bytes"] for each in document["kernels"] if each["name"] == "open"] == [None]


@pytest.mark.parametrize("name", ["a.hip", "b.cpp", "c.cu"])
def test_pressure(capsys: pytest.CaptureFixture[str], name: str) -> None:
    document = json.loads(run(capsys, "pressure", "--output-format", "json", name).out)
    validate("pressure", document)
    assert document["kernels"]


@pytest.mark.parametrize("extra", [[], ["--sweep", "lds"], ["--block", "2048"], ["--lds", "300000"]])
def test_occupancy(capsys: pytest.CaptureFixture[str], extra: list[str]) -> None:
    targets = "gfx90a,sm_90,pvc,gfx1100"
    out = run(capsys, "occupancy", "--arch", targets, "--registers", "100", "--output-format", "json", *extra).out
    validate("occupancy", json.loads(out))


def test_rules(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(run(capsys, "rule", "--output-format", "json").out)
    validate("rules", document)
    assert len(document["rules"]) > 30
    validate("rules", json.loads(run(capsys, "rule", "RP201", "--output-format", "json").out))


def test_targets(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(run(capsys, "targets", "--output-format", "json").out)
    validate("targets", document)
    assert {each["vendor"] for each in document["targets"]} == {"amd", "nvidia", "intel"}


def test_statistics(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(run(capsys, "check", "--statistics", "--output-format", "json", "a.hip").out)
    validate("statistics", document)
    assert ("RP201", 1) in {(each["code"], each["count"]) for each in document}


def test_every_schema_is_tested_and_named_where_formats_are_explained() -> None:
    page = (ROOT / "docs" / "formats.md").read_text() + (ROOT / "docs" / "configuration.md").read_text()
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    for path in (ROOT / "schemas").glob("*.schema.json"):
        assert f"({'../schemas/' + path.name})" in page
        assert f'validate("{path.name.partition(".")[0]}"' in tests or path.name in tests


def test_every_schema_has_its_address() -> None:
    for path in (ROOT / "schemas").glob("*.schema.json"):
        assert json.loads(path.read_text())["$id"].endswith(f"/schemas/{path.name}")
