"""Indices of SYCL by their short names."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import KernelFacts, kernel_facts

CODE = """#include <sycl/sycl.hpp>
using namespace NAMED;
void f(queue& q, buffer<float, 2>& b, size_t m) {
  q.submit([&](handler& h) {
    auto d = b.get_access<access::mode::read_write>(h);
    h.parallel_for(range<2>(m, m), [=](item<2> it) { ID<2> off(1, 1); auto a = it.get_id() + off; d[a] = d[it] * 2; });
  });
}"""


def facts_of(named: str, spelled: str) -> KernelFacts:
    file = testing.build(CODE.replace("NAMED", named).replace("ID", spelled), "k.cpp", "sycl")
    return kernel_facts(file, file.kernels[0], Settings(architectures=("pvc",)))


@pytest.mark.parametrize(("named", "full"), [("sycl", "sycl::id"), ("cl::sycl", "cl::sycl::id")])
def test_an_id_by_its_short_name_is_that_of_the_namespace(named: str, full: str) -> None:
    ours, plain = facts_of(named, "id"), facts_of(named, full)
    assert not ours.unknowns("pvc")
    assert ours.target("pvc").registers == plain.target("pvc").registers
