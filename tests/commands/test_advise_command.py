"""`kernels --advise` on the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from advice_sources import BINS, SMALL
from cli_helpers import ROOT, run

from regpress_lint.commands.kernels.advise import _measured
from regpress_lint.lint.advice.advice_data import Measured
from tools.generators import advice_evidence

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.cu").write_text(SMALL + BINS)


def test_command_accepts_a_kernel_or_only_paths(capsys: pytest.CaptureFixture[str]) -> None:
    one = run(capsys, "kernels", "--advise", "bins", "a.cu")
    assert one.status == 0
    assert "twice" not in one.out
    said = " ".join(one.out.split())
    for part in ("in shared memory", "12288 bytes per block", "measured: RP403"):
        assert part in said
    whole = run(capsys, "kernels", "--advise", "a.cu").out
    assert "no more warps fit" not in whole
    assert whole.endswith("\nNothing to advise for twice: `--advise KERNEL` says why.\n")
    assert "no more warps fit" in run(capsys, "kernels", "--advise", "twice", "a.cu").out


def test_waves_of_an_open_band_are_at_most_so_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "b.cu").write_text("__global__ void k(float* x) { x[0] = seen_nowhere(x[1]); }\n")
    table = run(capsys, "kernels", "b.cu").out
    assert "<= 16 of 16" in table
    assert "<= warps: fewer, if what is not known of the kernel takes registers" in table
    assert "<=" not in run(capsys, "kernels", "a.cu").out
    said = run(capsys, "kernels", "--advise", "k", "b.cu").out
    assert "16 (2-16) of 16 warps/SMSP" in said
    assert "no more warps fit, if what is not known of the kernel takes no registers" in said


def test_json_matches_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    from format_samples import strict

    schema: Any = json.loads((ROOT / "schemas" / "advice.v1.schema.json").read_text())
    document = json.loads(run(capsys, "kernels", "--advise", "--output-format", "json", "a.cu").out)
    jsonschema.Draft202012Validator(strict(schema)).validate(document)
    assert [each["targets"]["sm_90"]["advice"] != [] for each in document["kernels"]] == [False, True]


def test_a_kernel_that_is_not_there_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    found = run(capsys, "kernels", "--advise", "bin", "a.cu")
    assert found.status == 2
    assert 'did you mean "bins"' in found.err
    assert run(capsys, "kernels", "--advise", "bins").status == 2
    assert run(capsys, "kernels", "--advise", "bins", "a.cu", "--top", "3").status == 2


@pytest.mark.parametrize(
    ("speed_up", "said"), [(1.77, "their median 1.77 x as fast"), (0.51, "but their median was slower, 0.51 x as fast")]
)
def test_advice_that_measured_slower_says_so(speed_up: float, said: str) -> None:
    text = _measured(Measured("RP501", "sm_90", 13, 5, speed_up, "H200"))
    assert text == f"RP501, 5 of 13 pairs gained on sm_90, {said} (H200)"


def test_named_evidence_matches_the_pairs() -> None:
    assert advice_evidence.WRITTEN.read_text() == advice_evidence.text()


def test_bytes_beyond_the_registers_are_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    doubles = "".join(f"  double v{k} = a[{k} * n + i];\n" for k in range(80))
    used = "".join(f"    v{k} = v{k} * v{(k + 1) % 80} + v{(k + 7) % 80};\n" for k in range(80))
    (tmp_path / "many.hip").write_text(
        "__global__ void many(double* a, int m, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"{doubles}  for (int j = 0; j < m; ++j) {{\n{used}  }}\n"
        f"  a[i] = {' + '.join(f'v{k}' for k in range(80))};\n}}\n"
    )
    out = run(capsys, "kernels", "--isolated", "--no-cache", "--arch", "gfx90a", str(tmp_path / "many.hip")).out
    assert "? more bytes are spilled if the estimate is right, beyond the registers that clang gives" in out
