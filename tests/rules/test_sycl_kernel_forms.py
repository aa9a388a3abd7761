"""A kernel of SYCL has the findings of its twin in HIP, in whatever form it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of
from corpus import drawn
from frontend_helpers import build

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.cpp.syntax_tree import Block, Call, Evaluate
from regpress_rules import rules

if TYPE_CHECKING:
    from regpress_lint.api import Severity

BOTH = Settings(architectures=("gfx90a", "sm_90"), profile="strict")
CODES = ("RP204", "RP205", "RP404", "RP604", "RP701")
RULES = [rule for rule in rules() if rule.code in CODES]
TABLE = " ".join(f"w[{k}] = 0.{k + 1}f;" for k in range(9))
STATEMENTS = f"""
  float w[24]; {TABLE} {TABLE.replace("[", "[9 + ")} {TABLE.replace("[", "[15 + ")}
  float (*filter)(float) = m == 1 ? smooth : sharp;
  b[i] = filter(w[k[i]]);
  float s = 0.0f;
  for (int j = 0; j < 32; ++j) s += f[j] * a[i + j];
  for (int j = 0; j < m; ++j) {{ float x = a[i + j]; s += SIN(x) * COS(x); }}
  assert(s > 0.0f);
  b[i] = s;
"""
PARAMETERS = "const int* k, const float* f, const float* a, float* b, int m"
NAMES = "k, f, a, b, m"
ND = "sycl::nd_range<1>(n, 256)"
ITEM = "[=](sycl::nd_item<1> it) { int i = it.get_global_id(0); BODY }"
MEMBERS = PARAMETERS.replace(",", ";") + ";"
HEAD = "float smooth(float x) { return x * x; }\nfloat sharp(float x) { return 3.0f * x; }\n"
FORMS = {
    "nd_item": f"RUN q.parallel_for({ND}, {ITEM}); }}",
    "id": "RUN q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { BODY }); }",
    "auto": "RUN q.parallel_for(n, [=](auto i) { BODY }); }",
    "command group": f"class K; RUN q.submit([&](sycl::handler& h) {{ h.parallel_for<K>({ND}, {ITEM}); }}); }}",
    "functor": f"struct F {{ {MEMBERS} void operator()(sycl::nd_item<1> it) const {{ int i = it.get_global_id(0); BODY "
    f"}} }}; RUN q.parallel_for({ND}, F{{{NAMES}}}); }}",
    "thin": f"void body({PARAMETERS}, sycl::nd_item<1> it) {{ int i = it.get_global_id(0); BODY }}"
    f" RUN q.parallel_for({ND}, [=](sycl::nd_item<1> it) {{ body({NAMES}, it); }}); }}",
    "group": "RUN q.submit([&](sycl::handler& h) { h.parallel_for_work_group(sycl::range<1>(n), sycl::range<1>(256), "
    "[=](sycl::group<1> g) { g.parallel_for_work_item([&](sycl::h_item<1> it) { int i = it.get_global_id(0); BODY }); "
    "}); }); }",
    "nd_launch": f"RUN sycl::ext::oneapi::experimental::nd_launch(q, {ND}, {ITEM}); }}",
    "free": "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))\n"
    f"void body({PARAMETERS}) {{ int i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0); BODY }}",
}


HIP = f"""#include <hip/hip_runtime.h>
#include <cassert>
{HEAD.replace("float s", "__device__ float s")}
__global__ void body({PARAMETERS}) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; BODY }}
void run({PARAMETERS}, int n) {{ body<<<n / 256, 256>>>({NAMES}); }}
"""


def said(text: str, path: str, sine: str) -> set[tuple[str, str, Severity]]:
    """Code, target and severity of each finding."""
    body = STATEMENTS.replace("SIN", sine).replace("COS", sine.replace("sin", "cos"))
    found = testing.run(RULES, text.replace("BODY", body), path, None, BOTH)
    return {(each.code, target, severity) for each in found for target, severity in each.finding.severities.items()}


@pytest.mark.parametrize("form", drawn(FORMS, 3))
def test_every_form_has_the_findings_of_hip(form: str) -> None:
    text = FORMS[form].replace("RUN", f"void run(sycl::queue& q, {PARAMETERS}, int n) {{")
    found = said(f"#include <cassert>\n#include <sycl/sycl.hpp>\n{HEAD}{text}\n", "k.cpp", "sycl::sin")
    assert found == said(HIP, "k.hip", "sinf")
    assert {code for code, _, _ in found} == set(CODES)


ACCESSORS = (
    "RUN q.submit([&](sycl::handler& h) { sycl::local_accessor<float, 1> loc(sycl::range<1>(64), h); "
    "h.parallel_for(sycl::nd_range<1>(n, 64), F<T>{in.get_access<sycl::access::mode::read>(h), loc}); }); }"
)


def test_the_members_of_a_functor_are_what_a_lambda_captures() -> None:
    """Accessors are pointers and arrays in local memory; what its class template's arguments settle is settled."""
    functor = (
        "template <typename T> struct F { sycl::accessor<T, 1, sycl::access::mode::read> in; "
        "sycl::local_accessor<T, 1> s; T scale[3]; "
        "void operator()(sycl::nd_item<1> it) const { s[it.get_local_id(0)] = in[0] * scale[1]; } };\n"
    )
    text = functor + ACCESSORS.replace("RUN", "void run(sycl::queue& q, sycl::buffer<float> in, int n) {")
    kernel = build(f"#include <sycl/sycl.hpp>\n{text.replace('F<T>', 'F<float>')}\n", "sycl").kernels[0]
    one, other = kernel.function.captures
    assert (one.name, one.type.name, one.type.pointers, one.type.pointee_const) == ("in", "float", 1, True)
    assert (other.name, other.storage) == ("s", "shared")
    assert [getattr(extent, "value", None) for extent in other.dims] == [64]


def test_code_of_work_items_in_a_group_is_part_of_the_kernel() -> None:
    (statement,) = kernel_body(
        "h.parallel_for_work_group(sycl::range<1>(n), sycl::range<1>(64), [=](sycl::group<1> g) {"
        " g.parallel_for_work_item([&](sycl::h_item<1> it) { x[it.get_global_id(0)] = 1.0f; }); });"
    )
    assert isinstance(statement, Block)
    (inner, barrier) = statement.statements
    assert isinstance(inner, Block)
    assert isinstance(inner.statements[0], Evaluate)
    assert isinstance(barrier, Evaluate)
    assert isinstance(barrier.expression, Call)
    assert barrier.expression.name == "group_barrier"


def kernel_body(launch: str) -> tuple[object, ...]:
    """Statements of the kernel that a handler launches."""
    text = f"#include <sycl/sycl.hpp>\nvoid run(sycl::handler& h, float* x, int n) {{ {launch} }}\n"
    return build(text, "sycl").kernels[0].function.body.statements


@pytest.mark.parametrize("attribute", ["", "[[intel::kernel_args_restrict]]"])
def test_captured_pointers_are_what_the_host_declares_and_the_kernel_promises(attribute: str) -> None:
    launch = f"q.parallel_for({ND}, [=](sycl::nd_item<1> it) {attribute} {{ b[it.get_global_id(0)] = a[0]; }});"
    text = f"#include <sycl/sycl.hpp>\nvoid run(sycl::queue& q, const float* a, float* b, int n) {{ {launch} }}\n"
    types = {each.name: each.type for each in build(text, "sycl").kernels[0].function.captures}
    assert (types["a"].pointee_const, types["b"].pointee_const) == (True, False)
    assert [types[name].restrict for name in "ab"] == [bool(attribute)] * 2


@pytest.mark.parametrize("statement", ["sum += v;", "sum.combine(v);", "sum = sycl::max(sum, v);"])
def test_operand_of_a_reduction_is_not_dead(statement: str) -> None:
    """A reducer is a parameter that the kernel only writes."""
    text = (
        "#include <sycl/sycl.hpp>\nvoid run(sycl::queue &q, const float *x, float *r, int n) {\n"
        "  q.parallel_for(sycl::range<1>(n), sycl::reduction(r, sycl::plus<>()), [=](sycl::id<1> i, auto &sum) {\n"
        f"    float v = sycl::pow(x[i], 2.5f) / x[i + 4]; {statement}\n  }});\n}}\n"
    )
    assert facts_of(text, "sycl").target("gfx90a").registers.estimate > 20
