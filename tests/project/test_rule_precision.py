"""The pure parts of tools/measure/rule_precision.py: what counts as right, wrong and missed."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts
from regpress_rules.arrays.runtime_indexed_array import RuntimeIndexedArray
from tools.measure import rule_precision
from tools.measure.rule_precision import Case, Row, Score

SOURCE = """\
#include <cuda_runtime.h>
__global__ void bins(const int* a, float* b, int m) {
  float h[32] = {};
  for (int j = 0; j < m; ++j) h[a[j] & 31] += 1.0f;
  for (int k = 0; k < 32; ++k) b[k] = h[k];
}
__global__ void sum(const int* a, float* b) { b[0] = a[0] + a[1]; }
"""


def case(private: int, *codes: str, cap: bool = False, library: int = 0) -> Case:
    return Case("a.cu k", "sm_90", private, cap, codes, library)


@pytest.mark.parametrize(
    ("one", "verdict"),
    [
        (case(128, "RP403"), "TP"),
        (case(0, "RP403"), "FP"),
        (case(0), "TN"),
        (case(128), "FN"),
        (case(32, library=40), "library"),
        (case(64, library=40), "FN"),
        (case(64, cap=True), "cap"),
        (case(64, "RP403", cap=True), "TP"),
    ],
)
def test_kernel_is_right_wrong_missed_or_excluded(one: Case, verdict: str) -> None:
    assert one.verdict == verdict


def test_precision_and_recall_ignore_excluded_kernels() -> None:
    cases = [case(8, "RP403")] * 9 + [case(0, "RP403"), case(8), case(32, library=32), case(8, cap=True), case(0)]
    total = rule_precision.score(cases)
    assert total == Score(9, 1, 1, 1, 1)
    assert (total.precision, total.recall) == (0.9, 0.9)
    assert rule_precision.score([]).precision == 0.0


def test_truth_rows_tell_spills_caused_by_the_default_cap() -> None:
    record = {"file": "x/k.cu", "kernel": "k", "line": "7", "target": "gfx90a", "scratch_bytes": "60"}
    spilled, array = ({**record, "demand_scratch_bytes": demand} for demand in ("0", "144"))
    assert [row.cap for row in rule_precision.truth_rows([spilled, array])] == [True, False]


def test_rows_of_small_kernels_leave_out_fast_math_and_opencl() -> None:
    record = {"file": "a.cu", "variant": "k", "target": "sm_90", "scratch": "64", "vspill": "0"}
    others = [{**record, "variant": "k@fast"}, {**record, "file": "a.cl"}, {**record, "target": "gfx942"}]
    assert list(rule_precision.micro_rows([record, *others])) == [Row("a.cu", "k", 0, "sm_90", 64, False)]


def test_kernel_is_found_by_name_and_target() -> None:
    file = testing.build(SOURCE, "k.cu", "cuda")
    kernels = {
        name: rule_precision.nearest(file.kernels, file, Row("k.cu", name, 1, "sm_90", 0, False))
        for name in ("bins", "sum", "none")
    }
    assert kernels["none"] is None
    for name, codes in (("bins", ("RP403",)), ("sum", ())):
        kernel = kernels[name]
        assert kernel is not None
        facts = kernel_facts(file, kernel, Settings(architectures=("sm_90",)))
        assert rule_precision.said([RuntimeIndexedArray()], facts, "sm_90") == codes
