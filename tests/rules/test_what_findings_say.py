"""Notes and advice below a finding's first line, which depend on place and target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_rules import rules

if TYPE_CHECKING:
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
        ("amrex::Real", "pow", "22 -> 10 registers"),
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
def test_a_column_is_advised_where_a_block_has_room_for_it(targets: tuple[str, ...], advice: str) -> None:
    """And nobody is told to write constants where the index comes from memory."""
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
