"""The fix of RP204: one guard around each run of prints of a kernel, none within another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cli_helpers import run_json

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_rules.math.printf_or_assert_in_kernel import PrintfOrAssertInKernel

if TYPE_CHECKING:
    from pathlib import Path

GFX90A = Settings(architectures=("gfx90a",), select=("RP",))
HELPER = '__device__ void say(int i) {\n  printf("%d\\n", i);\n}\n'


def guards(text: str) -> list[int] | None:
    """Lines in front of which the guards of the only finding begin and end."""
    (found,) = testing.run([PrintfOrAssertInKernel], text, "k.hip", "hip", GFX90A)
    fix = found.finding.fix
    return None if fix is None else sorted(text.encode()[: edit.span.start].count(b"\n") + 1 for edit in fix.edits)


def kernel(body: str, before: str = "") -> str:
    return f"{before}__global__ void k(float* b, int n) {{\n  b[threadIdx.x] = 1;\n{body}}}\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (kernel('  printf("a");\n  printf("b");\n'), [3, 5]),
        (kernel('  if (n < 0) {\n    if (n < -1) {\n      printf("a");\n    }\n  }\n'), [3, 8]),
        (kernel('  if (n < 0) {\n    b[n] = 1;\n    printf("a");\n  }\n'), [5, 6]),
        (kernel('  say(n);\n  printf("a");\n', HELPER), [2, 3, 7, 8]),
        (kernel('  say(n);\n  n = printf("a");\n', HELPER), None),
    ],
    ids=["a run", "nested conditions", "beside a store", "two functions", "one that cannot be"],
)
def test_place_of_the_guards(text: str, lines: list[int] | None) -> None:
    assert guards(text) == lines


ASSERTED = """#include <cassert>
__global__ void k(const float* a, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r[16];
  for (int j = 0; j < 16; ++j) r[j] = a[i * 16 + j];
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < 16; ++j) r[j] = r[j] * r[(j + 1) & 15] + a[k];
    assert(r[0] < 1e30f);
  }
  for (int j = 0; j < 16; ++j) o[i * 16 + j] = r[j];
}
"""


@pytest.mark.parametrize(
    ("files", "severity"),
    [
        ({}, "info"),
        ({"Makefile": "main: k.cu\n\tnvcc -O3 k.cu\n"}, "warning"),
        ({"Makefile": "main: k.cu\n\tnvcc -O3 k.cu\n", "CMakeLists.txt": "project(k)\n"}, "info"),
        ({"Makefile": "include ../common.mk\nmain: k.cu\n\tnvcc -O3 k.cu\n"}, "info"),
        ({"Makefile": "main: k.cu\n\tnvcc -O3 $(if $(R),-DNDEBUG) k.cu\n"}, "info"),
    ],
)
def test_an_assertion_that_a_makefile_leaves_in_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str], severity: str
) -> None:
    """nvcc 13.0.88 takes 42 registers with it and 30 without, 10 and 16 warps; clang 19.1.7 68 and 20 VGPRs, 7 and 8
    waves, which is reported as info in any case.
    """
    for name, text in (*files.items(), ("k.cu", ASSERTED)):
        (tmp_path / name).write_text(text)
    (one,) = run_json(capsys, "--isolated", "--select", "RP204", tmp_path)["diagnostics"]
    assert one["severity"] == severity
    (one,) = run_json(capsys, "--isolated", "--select", "RP204", "--arch", "gfx90a", tmp_path)["diagnostics"]
    assert one["severity"] == "info"
