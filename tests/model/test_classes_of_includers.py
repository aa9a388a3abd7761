"""A kernel of a header is what it would be in one file with the classes, types and macros of the including file."""

from __future__ import annotations

import pytest
from analysis_helpers import trace_of

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.preprocess.includes import IncludeResolver
from regpress_lint.facts.kernel import KernelFacts, kernel_facts
from regpress_lint.program import build_file

CLASS = """template <class T> class C {
 public:
  T x; T y;
  __device__ explicit C(const T& a, const T& b) { x = a; y = b; }
  __device__ friend inline C<T> operator*(const C<T>& a, const C<T>& b) {
    T p = a.x * b.x - a.y * b.y; T q = a.x * b.y + a.y * b.x; C<T> r(p, q); return r;
  }
  __device__ friend inline C<T> operator*(const C<T>& a, const T& b) { C<T> r(a.x * b, a.y * b); return r; }
  __device__ friend inline C<T> conj(const C<T>& a) { T p = a.x; T q = -1 * a.y; C<T> r(p, q); return r; }
  __device__ friend inline T real(const C<T>& a) { return a.x; }
};
"""
ROW = "#define row(i, j) row[i * n + j]\n"
KERNEL = """__global__ void k(number* o, const C<number>* __restrict__ row, int n) {
  number s = 0;
  for (int i = threadIdx.x; i < n; i += 256) {
    C<number> e = conj(row(3, i)) * row(5, i) * o[7] * (1 / real(row(0, i)));
    s += real(e) + real(conj(e));
  }
  o[threadIdx.x] = s;
}
"""


def of_header(number: str) -> KernelFacts:
    main = f'{number}\n#include "class.h"\n#include "row.h"\n#include "kern.cuh"\n'
    read = {name: text.encode() for name, text in {"class.h": CLASS, "row.h": ROW, "kern.cuh": KERNEL}.items()}
    read["main.cu"] = main.encode()
    project = Project(IncludeResolver(".", lambda path: read.get(path)), peers=lambda _path: sorted(read))
    file = build_file(Source("kern.cuh", read["kern.cuh"]), "cuda", project)
    return kernel_facts(file, file.kernels[0], Settings())


@pytest.mark.parametrize(
    "number", ["#define number double", "typedef double number;", "#ifndef number\n#define number double\n#endif"]
)
@pytest.mark.parametrize("arch", ["gfx90a", "sm_90", "pvc"])
def test_a_class_template_of_another_header(number: str, arch: str) -> None:
    """Without the class the sum was all that was left: 16 registers said, and nothing in the ledger."""
    file = testing.build(f"{number}\n{CLASS}{ROW}{KERNEL}", "k.cu", "cuda")
    whole = kernel_facts(file, file.kernels[0], Settings())
    assert trace_of(of_header(number), arch).held == trace_of(whole, arch).held
    assert not of_header(number).unknowns(arch)


def test_an_operator_that_is_not_in_view_is_in_the_ledger() -> None:
    text = "struct P { double x, y; };\n__global__ void k(P* p, int i) { P a = p[i], b = p[i + 1]; p[i] = a * b; }\n"
    file = testing.build(text, "k.cu", "cuda")
    (unknown,) = kernel_facts(file, file.kernels[0], Settings()).unknowns("sm_90")
    assert (unknown.kind, unknown.name) == ("callee", "operator*")
    assert unknown.text == "operator `*` of `P` is not visible and counts as one operation for each member"
