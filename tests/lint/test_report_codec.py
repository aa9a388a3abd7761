"""Reports and rows of kernels survive the round trip through JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP
from format_samples import sample

from regpress_lint.commands.kernels import command as kernels_command
from regpress_lint.commands.kernels.rows import kernel_rows, row_of
from regpress_lint.core.diagnostics import Report, decode, encode
from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse

if TYPE_CHECKING:
    from regpress_lint.commands.kernels.rows import KernelRow

TEMPLATE = """#include <cuda_runtime.h>
template <int N, typename T> __global__ void __launch_bounds__(256, 2) k(T *x) {
  __shared__ T tile[N];
  tile[threadIdx.x] = x[threadIdx.x];
  for (int i = 0; i < N; i++) x[i] += tile[i];
}
void run(float *x, double *y) { k<8, float><<<1, 64>>>(x); k<128, double><<<1, 256, 1024>>>(y); }
__global__ void plain(float *x, int n) { extern __shared__ float all[]; x[n] = all[n]; }
"""


def through_json(value: object) -> object:
    return json.loads(json.dumps(value))


def test_a_report_comes_back() -> None:
    report = replace(sample(), rules=(), problems=(), extra={"warnings": ("one", "two")})
    assert report.diagnostics
    assert decode(through_json(encode(report))) == report
    assert decode(through_json(encode(Report()))) == Report()
    warned = Report(extra={"warnings": ("too large",)})
    assert decode(through_json(encode(warned))) == warned


@pytest.mark.parametrize(
    "report",
    [Report(problems=("unreadable",)), Report(files=1, extra={"tracebacks": ("x",)}), Report(extra={"notes": ("x",)})],
)
def test_failures_are_not_kept(report: Report) -> None:
    assert encode(report) is None


def rows(text: str, path: str) -> list[KernelRow]:
    analysis = analyse(text.encode(), path, Settings(architectures=("gfx90a", "sm_90")))
    assert isinstance(analysis, Analysis)
    return list(kernel_rows(analysis))


@pytest.mark.parametrize(("text", "path"), [(HIP, "a.hip"), (TEMPLATE, "a.cu")])
def test_rows_of_kernels_come_back(text: str, path: str) -> None:
    found = rows(text, path)
    assert found
    assert [row_of(through_json(row)) for row in found] == found


def test_rows_of_a_file_that_something_went_wrong_with_are_not_kept() -> None:
    rows_of = kernels_command.Rows
    encoded, decoded = kernels_command._encoded, kernels_command._decoded
    for wrong in (rows_of(problems=("x",)), rows_of(traceback="x"), rows_of(notes=("x",))):
        assert encoded(wrong) is None
    for right in (rows_of(), rows_of(files=1), rows_of(warnings=("x",)), rows_of(tuple(rows(HIP, "a.hip")), files=1)):
        assert decoded(through_json(encoded(right))) == right
