"""The fix of RP204: one guard around each run of prints of a kernel, none within another."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_rules.math.printf_or_assert_in_kernel import PrintfOrAssertInKernel

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
