"""Notes and advice below a finding's first line, which depend on place and target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cli_helpers import run_json

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_rules import rules

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.api import Rule

RULES: dict[str, type[Rule]] = {rule.code: rule for rule in rules()}


def _found(code: str, text: str, path: str = "k.cu") -> list[testing.Found]:
    return list(testing.run([RULES[code]], text, path))


def test_a_kernel_that_cannot_be_launched_is_shown_beside_its_launch() -> None:
    text = "__global__ void k(float* a) { a[threadIdx.x] = 0; }\nvoid run(float* a) { k<<<1, 2048>>>(a); }\n"
    (finding,) = _found("RP108", text)
    assert finding.line == 2
    (note,) = finding.finding.notes
    assert text[: note.span.start].count("\n") == 0
    assert (text[note.span.start : note.span.end], note.message) == ("k", "the kernel")


@pytest.mark.parametrize(("targets", "constant"), [("sm_90", True), ("pvc", False)])
def test_constant_memory_is_advised_where_there_is_some(targets: str, constant: bool) -> None:
    text = f"""// targets: {targets}
struct Table {{ float v[1200]; }};
__global__ void k(Table table, float* out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table.v[(i * n) % 1100];
}}
"""
    (finding,) = _found("RP108", text, "k.cu")
    assert ("__constant__" in finding.finding.help) is constant


@pytest.mark.parametrize(
    ("number", "call", "said"),
    [
        ("real_t", "pow", "the call alone costs at least about 5 registers"),
        ("amrex::Real", "pow", "23 -> 10 registers"),
        ("float", "powf", "16 -> 8 registers"),
    ],
)
def test_invisible_type_has_no_time(number: str, call: str, said: str) -> None:
    """A layer's number has its own type, whatever headers there are, and is not taken for a `float`."""
    (finding,) = _found("RP201", f"__global__ void k({number} *x) {{ x[0] = {call}(x[2], 2); }}\n")
    assert said in finding.message


@pytest.mark.parametrize(
    ("targets", "advice"),
    [
        (("gfx90a", "sm_90"), "on sm_90 keep it in dynamic shared memory"),
        (("gfx90a",), "keep fewer or smaller elements in a thread: `y` takes 100,352 bytes per block"),
    ],
)
def test_advises_a_column_that_fits_in_a_block(targets: tuple[str, ...], advice: str) -> None:
    """And no advice says to write constants where the index comes from memory."""
    text = """__global__ void k(const int* w, const double* c, double* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double y[49];
  for (int k = 0; k < 49; ++k) y[k] = c[k] * i;
  double s = 0;
  for (int k = 0; k < n; ++k) s += y[w[k]] * c[k];
  o[i] = s;
}
"""
    (one,) = testing.run([RULES["RP403"]], text, "k.cu", settings=Settings(architectures=targets))
    assert one.finding.help is not None
    assert one.finding.help.startswith(advice)


@pytest.mark.parametrize(
    ("step", "severity"), [("x * a + y", "warning"), ("x / a + y / x + a / y + (x - y) / (x + y)", "hint")]
)
def test_one_comparison_in_double_is_not_felt_beside_divisions(step: str, severity: str) -> None:
    """A division is ten instructions and more: the comparison is a small part of such a loop."""
    body = f"x = {step}; " * 4
    text = f"""__global__ void k(float* o, float a, float y, int n) {{
  float x = o[threadIdx.x];
  for (int i = 0; i < n && x > 1e-6; ++i) {{ {body} }}
  o[threadIdx.x] = x;
}}
"""
    settings = Settings(architectures=("sm_90",), profile="strict")
    (one,) = testing.run([RULES["RP202"]], text, "k.cu", settings=settings)
    assert one.severity.name.lower() == severity


def test_names_an_expression_of_a_header(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "step.cuh").write_text(
        "__device__ inline float step(float x) { for (int i = 0; i < 9; ++i) x += 0.3 * x * x; return x; }\n"
    )
    (tmp_path / "k.cu").write_text(
        '#include "step.cuh"\n__global__ void k(float* a) { a[threadIdx.x] = step(a[0]); }\n'
    )
    (found,) = run_json(capsys, "--no-cache", "--select", "RP202", "--arch", "sm_90", tmp_path)["diagnostics"]
    assert found["message"].startswith("`0.3 * x * x` in `step` is computed in double in a loop because of `0.3`: ")


def test_a_loop_of_unknown_length_needs_a_pragma_beside_a_constant_bound() -> None:
    """A constant bound alone left a long body in its loop: 2,176 bytes on sm_90 as before, 2,048 with the pragma."""
    text = """// targets: gfx90a
__global__ void k(const float* w, float* out, int n, int m) {
  float v[20];
  for (int j = 0; j < n; ++j) {
    float s = 0.0f;
    for (int i = 0; i < m; ++i) s += w[i * n + j];
    v[j] = s;
  }
  for (int j = 0; j < n; ++j) out[j] = v[j] * v[0];
}
"""
    help_ = next(each.finding.help for each in _found("RP403", text))
    assert "a constant bound, test against `n` inside and write `#pragma unroll` in front" in help_


def test_many_copies_of_mathematical_functions_are_not_advised() -> None:
    """50 copies of two `powf` took 22 times the code on sm_90 and left the array in scratch on gfx90a."""
    text = """// targets: gfx90a
__global__ void k(const float* w, float* out, int n, float a) {
  float v[SIZE], s = 0.0f;
  for (int j = 0; j < n; ++j) s += v[j] = powf(w[j + threadIdx.x], a) * powf(w[j + n], a);
  for (int j = 0; j < n; ++j) out[j * n + threadIdx.x] = v[j] / s;
}
"""
    (few,) = _found("RP403", text.replace("SIZE", "20"))
    (many,) = _found("RP403", text.replace("SIZE", "50"))
    assert "`#pragma unroll`" in few.finding.help
    assert "a column for each thread" in many.finding.help
