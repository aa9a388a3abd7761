"""`volatile` in CUDA, linted for AMD: nvcc drops it, so it is no warning until the code is ported."""

from __future__ import annotations

import pytest

from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.settings import Settings
from regpress_lint.lint.pipeline import lint_bytes

SUM = "__global__ void k(float* a, int n) {{ volatile {0} v = 0; for (int i = 0; i < n; ++i) v += a[i]; a[0] = v; }}"


@pytest.mark.parametrize(
    ("name", "type_", "severity"),
    [
        ("a.cu", "float", Severity.INFO),
        ("a.hip", "float", Severity.WARNING),
        ("a.cu", "double", Severity.WARNING),  # nvcc keeps it in local memory, too
    ],
)
@pytest.mark.parametrize("targets", [("gfx90a",), ("gfx90a", "sm_90")])
def test_porting_makes_volatile_expensive(name: str, type_: str, severity: Severity, targets: tuple[str, ...]) -> None:
    header = "#include <hip/hip_runtime.h>\n" if name == "a.hip" else "#include <cuda_runtime.h>\n"
    text = f"{header}{SUM.format(type_)}\nvoid run(float* a, int n) {{ k<<<n, 64>>>(a, n); }}\n"
    report = lint_bytes(text.encode(), name, Settings(architectures=targets))
    assert [each.severity for each in report.diagnostics if each.code == "RP401"] == [severity]
