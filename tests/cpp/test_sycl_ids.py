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


LINE = """#include <sycl/sycl.hpp>
void f(sycl::queue& q, sycl::buffer<float, 1>& b, sycl::buffer<float, 2>& c, size_t m) {
  q.submit([&](sycl::handler& h) {
    auto d = b.get_access<sycl::access::mode::read_write>(h);
    auto e = c.get_access<sycl::access::mode::read>(h);
    h.parallel_for(sycl::range<1>(m), [=](sycl::id<1> gid) { BODY });
  });
}"""


@pytest.mark.parametrize(
    ("spelled", "plain"),
    [
        (
            "const sycl::id<1> o(2); d[gid[0] + o[0]] = d[gid[0]] * o[0];",
            "const size_t o = 2; d[gid[0] + o] = d[gid[0]] * o;",
        ),
        ("sycl::id<1> k{gid[0] + 1}; d[gid] = e[{k, gid[0]}];", "size_t k = gid[0] + 1; d[gid] = e[{k, gid[0]}];"),
        ("sycl::id<1> k = gid; d[k.get(0) + 3] = 1;", "d[gid[0] + 3] = 1;"),
    ],
)
def test_id_of_one_dimension_is_a_number(spelled: str, plain: str) -> None:
    ours, written = (in_line(text) for text in (spelled, plain))
    assert not ours.unknowns("pvc")
    assert ours.target("pvc").registers.estimate == written.target("pvc").registers.estimate


def in_line(body: str) -> KernelFacts:
    file = testing.build(LINE.replace("BODY", body), "k.cpp", "sycl")
    return kernel_facts(file, file.kernels[0], Settings(architectures=("pvc",)))


CLASS = """#include <sycl/sycl.hpp>
template <class T> struct Bodies {
  using V4 = sycl::vec<T, 4>;
  void move(sycl::queue& q, sycl::buffer<V4>& p) {
    q.submit([&](sycl::handler& h) {
      auto a = p.template get_access<sycl::access::mode::read_write>(h);
      h.parallel_for(sycl::nd_range<1>(1024, 64), [=](sycl::nd_item<1> it) {
        V4 x = a[it.get_global_id(0)]; a[it.get_global_id(0)] = x * x.w();
      });
    });
  }
};
template struct Bodies<ELEMENT>;
"""


@pytest.mark.parametrize(("element", "bits"), [("float", 128), ("double", 256)])
def test_aliases_of_the_class_around_a_kernel(element: str, bits: int) -> None:
    file = testing.build(CLASS.replace("ELEMENT", element), "k.cpp", "sycl")
    (instance,) = file.kernels[0].instances
    facts = kernel_facts(file, instance.kernel, Settings(architectures=("pvc",)))
    assert not facts.unknowns("pvc")
    assert facts.target("pvc").registers.high >= bits // 32


GROUPS = """#include <sycl/sycl.hpp>
void f(sycl::queue& q, sycl::float4* p, sycl::float4* o) {
  q.submit([&](sycl::handler& h) {
    h.parallel_for_work_group(sycl::range<1>(16), sycl::range<1>(64), [=](sycl::group<1> g) {
      DECLARED
      g.parallel_for_work_item([&](sycl::h_item<1> it) { OWN = p[it.get_global_id(0)]; });
      g.parallel_for_work_item([&](sycl::h_item<1> it) { o[it.get_global_id(0)] = OWN * OWN; });
    });
  });
}"""


@pytest.mark.parametrize(
    "declared", ["sycl::private_memory<sycl::float4> own(g);", "private_memory<sycl::float4, 1> own{g};"]
)
def test_private_memory_is_a_variable_of_the_work_item(declared: str) -> None:
    file = testing.build(GROUPS.replace("DECLARED", declared).replace("OWN", "own(it)"), "k.cpp", "sycl")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("pvc",)))
    assert not facts.unknowns("pvc")
    assert facts.target("pvc").registers.high >= 4
