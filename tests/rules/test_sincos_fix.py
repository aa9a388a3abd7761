"""RP205 offers as safe, and urges, only what was measured to save something: single precision, and RDNA."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from cli_helpers import run

from regpress_lint import testing
from regpress_lint.api import Severity
from regpress_lint.core.settings import Settings
from regpress_lint.targets.occupancy import architecture
from regpress_rules.math.separate_sin_cos import SeparateSinCos

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.core.settings import Language

LOOP = """
__global__ void fourier(const TYPE* a, TYPE* b, TYPE w, int m) {
  TYPE re = 0, im = 0;
  for (int j = 0; j < m; ++j) {
    TYPE p = w * j * threadIdx.x;
    re += a[j] * cos(p);
    im += a[j] * sin(p);
  }
  b[threadIdx.x] = re * im;
}
"""


@pytest.mark.parametrize(
    ("type_", "targets", "safe", "severity"),
    [
        ("float", ("sm_90",), True, Severity.WARNING),
        ("float", ("gfx90a",), True, Severity.INFO),
        ("double", ("gfx1100",), True, Severity.INFO),
        ("double", ("gfx90a",), False, Severity.HINT),
        ("double", ("sm_80",), False, Severity.WARNING),
        ("double", ("gfx1100", "gfx90a"), False, Severity.INFO),
    ],
)
def test_a_fix_is_safe_where_it_was_measured_to_lose_nothing(
    type_: str, targets: tuple[str, ...], safe: bool, severity: Severity
) -> None:
    vendor = architecture(targets[0]).vendor
    language: Language = "cuda" if vendor == "nvidia" else "hip"
    settings = Settings(architectures=targets, min_severity=Severity.HINT)
    found = testing.run([SeparateSinCos], LOOP.replace("TYPE", type_), "a.cu", language, settings)
    assert [each.severity for each in found] == [severity]
    fix = found[0].finding.fix
    assert fix is not None
    assert fix.applicability == ("safe" if safe else "costly")


def test_fast_mathematics_of_a_makefile_beside_leaves_nothing_to_gain_in_single_precision(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for type_ in ("float", "double"):
        (tmp_path / f"{type_}.cu").write_text(LOOP.replace("TYPE", type_))

    def severities() -> list[str]:
        result = run(capsys, "check", "--exit-zero", "--select", "RP205", "--output-format", "json", tmp_path)
        return [each["severity"] for each in json.loads(result.out)["diagnostics"]]

    assert severities() == ["warning", "warning"]
    (tmp_path / "Makefile").write_text("CFLAGS = -O3 -use_fast_math\n")
    assert severities() == ["warning", "info"]


def test_names_the_angle_of_calls_in_a_header(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    half = "__device__ inline float turn(float theta) { return sinf(theta) * 2.0f + cosf(theta); }\n"
    (tmp_path / "turn.cuh").write_text(half)
    (tmp_path / "k.cu").write_text(
        '#include "turn.cuh"\n__global__ void k(float* a, int n) { for (int i = 0; i < n; ++i) a[i] = turn(a[i]); }\n'
    )
    result = run(capsys, "check", "--exit-zero", "--select", "RP205", "--output-format", "json", tmp_path)
    (found,) = json.loads(result.out)["diagnostics"]
    assert found["message"].startswith("`sinf(theta)` and `cosf(theta)` each reduce the same angle")


def test_a_slow_path_that_may_keep_its_bytes_is_not_a_gain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whether nvcc has the slow path of one `sincosf` in registers or in 32 bytes is not known."""
    (tmp_path / "k.cu").write_text(LOOP.replace("TYPE", "float"))
    given = ("--exit-zero", "--select", "RP205", "--arch", "sm_90", "--output-format", "json")
    (found,) = json.loads(run(capsys, "check", *given, tmp_path).out)["diagnostics"]
    assert "32 -> 0 or 32 bytes of private memory on sm_90" in found["message"]


@pytest.mark.parametrize(("word", "safe"), [("__device__", True), ("KOKKOS_LAMBDA", False)])
def test_a_body_that_a_layer_builds_for_the_host_as_well_gets_no_safe_fix(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str, safe: bool
) -> None:
    body = "{ for (int k = 0; k < n; ++k) { float x = a[k]; a[k] = sinf(x) + cosf(x); } }"
    kernel = f"__global__ void k(float* a, int n) {body}\n"
    if not safe:
        kernel = f"void f(float* a, int n) {{ Kokkos::parallel_for(n, {word}(int i) {body}); }}\n"
    (tmp_path / "k.cu").write_text(kernel)
    result = run(capsys, "check", "--exit-zero", "--select", "RP205", "--output-format", "json", tmp_path)
    (found,) = json.loads(result.out)["diagnostics"]
    assert (found["fix"]["applicability"] == "safe") is safe
