"""Accessors to buffers that a SYCL kernel captures: found by their names, with their dimensions."""

from __future__ import annotations

import pytest

from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse

_KERNEL = """#include <sycl/sycl.hpp>
using namespace sycl;
void run(queue& q, buffer<float, 2>& given, std::vector<float>& host, float* p, range<3> shape, int m, int n) {
  %s
  q.submit([&](handler& h) {
    %s
    h.parallel_for(range<1>(64), [=](id<1> i) { p[i] = a[i]; });
  });
}
"""


def found(buffer: str, accessor: str) -> list[tuple[str, int | None]]:
    source = _KERNEL % (buffer, accessor)
    analysis = analyse(source.encode(), "a.cpp", Settings())
    assert isinstance(analysis, Analysis)
    (kernel,) = analysis.file.kernels
    for each in kernel.buffer_accessors:
        assert source[each.span.start : each.span.end] == accessor
    return [(each.name, each.dimensions) for each in kernel.buffer_accessors]


@pytest.mark.parametrize(
    ("buffer", "accessor", "dimensions"),
    [
        ("", "accessor a(given, h, read_only);", 2),
        ("", "sycl::accessor a{given, h};", 2),
        ("", "auto a = given.get_access<access::mode::read>(h);", 2),
        ("", "auto a = accessor(given, h);", 2),
        ("buffer<float> b(host);", "accessor a(b, h);", 1),
        ("buffer b(host);", "accessor a(b, h);", 1),
        ("buffer b(p, range(m, n));", "accessor a(b, h);", 2),
        ("buffer b{p, range<3>{m, n, (m + 1)}};", "accessor a(b, h);", 3),
        ("buffer b(p, shape);", "accessor a(b, h);", 3),
        ("buffer b(p, size());", "accessor a(b, h);", None),
        ("", "accessor<float, 3, access::mode::read, access::target::device> a(given, h);", 3),
    ],
)
def test_dimensions_are_those_of_the_type_or_of_the_range(buffer: str, accessor: str, dimensions: int | None) -> None:
    assert found(buffer, accessor) == [("a", dimensions)]


@pytest.mark.parametrize(
    "accessor",
    [
        "local_accessor<float, 2> a(range<2>(8, 8), h); buffer<float>* other;",
        "accessor<float, 1, access::mode::read_write, access::target::local> a(64, h);",
        "float* a = p; accessor b(given, h);",
    ],
)
def test_local_memory_pointers_and_what_the_kernel_does_not_name_are_none(accessor: str) -> None:
    assert found("", accessor) == []
