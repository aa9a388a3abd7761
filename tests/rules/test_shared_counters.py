"""RP403 on Intel: the walk from private counters to smaller ones, with what each step leaves where."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_rules import rules

RULE = next(rule for rule in rules() if rule.code == "RP403")
TEXT = """#include <sycl/sycl.hpp>
void run(sycl::queue& q, const unsigned* in, unsigned long* out, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
    DECLARED;
    for (int k = 0; k < BINS; k++) bins[k] = 0;
    for (int k = 0; k < 256; k++) bins[in[it.get_global_id(0) + k * n] % BINS] += 1;
    for (int k = 0; k < BINS; k++) out[it.get_global_id(0) * BINS + k] = bins[k];
  });
}
"""


@pytest.mark.parametrize(
    ("declared", "bins", "steps"),
    [
        (
            "unsigned long bins[32]",
            32,
            "in this order: 1. `unsigned int` makes it 128 bytes, no bin exceeds 256: in memory on pvc and dg2; "
            "2. `unsigned short` makes it 64 bytes, no bin exceeds 256: in registers on pvc and dg2",
        ),
        (
            "volatile unsigned bins[20]",
            20,
            "drop `volatile` (80 bytes stay in memory with it): in registers on pvc and dg2",
        ),
        (
            "unsigned bins[256]",
            256,
            "share it in the sub-group: 16 bins for each of 16 work-items, 64 bytes, the input broadcast to all of "
            "them (`group_broadcast`): in registers on pvc and dg2",
        ),
        ("unsigned bins[2048]", 2048, "one in local memory for the work-group, 8,192 bytes, counted with atomics"),
    ],
)
def test_each_step_names_the_gpus_with_counters_in_registers(declared: str, bins: int, steps: str) -> None:
    text = TEXT.replace("DECLARED", declared).replace("BINS", str(bins))
    settings = Settings(architectures=("pvc", "dg2"))
    (only,) = testing.run([RULE], text, "histogram.cpp", "sycl", settings)
    assert only.finding.help == steps
    assert set(only.finding.severities) == {"pvc", "dg2"}
