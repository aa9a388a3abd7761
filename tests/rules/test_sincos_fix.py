"""RP205 offers as safe, and urges, only what was measured to save something: single precision, and RDNA."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint import testing
from regpress_lint.api import Severity
from regpress_lint.core.settings import Settings
from regpress_lint.targets.occupancy import architecture
from regpress_rules.math.separate_sin_cos import SeparateSinCos

if TYPE_CHECKING:
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
        ("float", ("sm_90",), True, Severity.INFO),
        ("float", ("gfx90a",), True, Severity.INFO),
        ("double", ("gfx1100",), True, Severity.INFO),
        ("double", ("gfx90a",), False, Severity.HINT),
        ("double", ("sm_80",), False, Severity.INFO),
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
