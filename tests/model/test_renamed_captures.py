"""Variables that a kernel's lambda captures under another name."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import KernelFacts, kernel_facts

CODE = """#include <sycl/sycl.hpp>
void f(sycl::queue& q, float* a, size_t size) {
  const double scale = a[0];
  q.parallel_for(sycl::range<1>(size), CAPTURES(sycl::item<1> it) {
    float s = 0;
    for (size_t k = 0; k < SIZE; k++) s += a[k * 7 + it[0]] * SCALE;
    a[it[0]] = s;
  });
}"""


def facts_of(captures: str, size: str, scale: str) -> KernelFacts:
    text = CODE.replace("CAPTURES", captures).replace("SIZE", size).replace("SCALE", scale)
    file = testing.build(text, "k.cpp", "sycl")
    return kernel_facts(file, file.kernels[0], Settings(architectures=("pvc", "gfx90a")))


@pytest.mark.parametrize(
    ("captures", "size", "scale"),
    [("[=, n = size]", "n", "scale"), ("[a, n = size, x = scale]", "n", "x"), ("[=, size = size]", "size", "scale")],
)
def test_a_capture_under_another_name_is_the_variable(captures: str, size: str, scale: str) -> None:
    ours, plain = facts_of(captures, size, scale), facts_of("[=]", "size", "scale")
    for target in ("pvc", "gfx90a"):
        assert not ours.unknowns(target)
        assert ours.target(target).registers == plain.target(target).registers
