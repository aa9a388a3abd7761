"""RP802 in SYCL for GPUs other than Intel's, and cases that it does not report."""

from __future__ import annotations

import pytest

from regpress_lint import lint_bytes
from regpress_lint.core.settings import Settings

TEXT = """#include <sycl/sycl.hpp>
void step(sycl::queue& q, const double* w, const double* a, double* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 1024), [=](sycl::nd_item<1> it) [[sycl::reqd_work_group_size(1024)]] {
    int i = it.get_global_id(0);
    double e[8];
    for (int k = 0; k < 8; ++k) e[k] = w[k * n + i] * k;
    double s[16];
    for (int k = 0; k < 16; ++k) s[k] = 0.0;
    for (int j = 0; j < m; ++j) {
      double x = a[j * n + i];
      for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16];
    }
    for (int k = 0; k < 8; ++k) b[k * n + i] = s[k] - e[k] - s[k + 8];
  });
}
"""


@pytest.mark.parametrize(("target", "found"), [("sm_90", True), ("pvc", False)])
def test_array_that_a_loop_carries_through(target: str, found: bool) -> None:
    report = lint_bytes(TEXT.encode(), "step.cpp", Settings(architectures=(target,), select=("RP802",)))
    assert [each.message.partition(":")[0] for each in report.diagnostics] == ["`e`"] * found
