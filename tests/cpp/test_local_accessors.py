"""Local accessors of SYCL: a launch has those of its own command group, and no other's."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of
from frontend_helpers import build

GROUP = """  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> s(sycl::range<1>(%d), h);
    h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) { s[0] = x[0]; });
  });
"""
PLAIN = "  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) { x[0] = 1; });\n"


def lds(body: str, parameters: str = "sycl::queue &q, float *x, int n") -> list[int | None]:
    """Dynamic LDS in bytes of every launch of a function."""
    text = f"#include <sycl/sycl.hpp>\nvoid run({parameters}) {{\n{body}}}\n"
    return [launch.dynamic_lds_bytes for launch in build(text, "sycl").launches]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (GROUP % 16384 + GROUP % 64 + PLAIN, [65536, 256, 0]),
        (PLAIN + GROUP % 64 + PLAIN, [0, 256, 0]),
        (f"  for (int i = 0; i < 2; ++i) {{\n{GROUP % 32}{PLAIN}  }}\n", [128, 0]),
        (f"  if (n > 2) {{\n{GROUP % 32}  }} else {{\n{PLAIN}  }}\n", [128, 0]),
    ],
)
def test_a_launch_behind_command_groups_has_none_of_their_accessors(body: str, expected: list[int | None]) -> None:
    assert lds(body) == expected


def test_each_branch_of_a_command_group_has_its_own_accessor() -> None:
    call = "h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) { x[0] = 1; });"
    small, large = (f"{{ sycl::local_accessor<float, 1> s({size}, h); {call} }}" for size in (64, 128))
    both = f"sycl::local_accessor<int, 1> t(16, h); if (n > 2) {small} else {large}"
    assert lds(f"q.submit([&](sycl::handler &h) {{ {both} }});\n") == [64 + 256, 64 + 512]


def test_a_function_that_gets_the_handler_is_a_command_group() -> None:
    body = "  sycl::local_accessor<float, 1> s(64, h);\n" + PLAIN.replace("q.", "h.")
    assert lds(body, "sycl::handler &h, float *x, int n") == [256]


def test_accessors_of_a_helper_lambda_do_not_belong_to_the_outer_group() -> None:
    helper = "auto other = [&]() { sycl::local_accessor<float, 1> s(64, h); };"
    assert lds(f"q.submit([&](sycl::handler &h) {{ {helper}\n{PLAIN.replace('q.', 'h.')} }});\n") == [0]


SPELLED = """struct Cell {{ float a, b; int c; }};
constexpr int SIDE = 16;
using Floats = sycl::local_accessor<float, 1>;
template <typename T, int D> using Local = sycl::local_accessor<T, D>;
void run(sycl::queue &q, float *x, int n) {{
  q.submit([&](sycl::handler &h) {{
    const sycl::range<2> group{{8, 8}};
    {declaration}
    h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) {{ x[it.get_global_id(0)] = 1; }});
  }});
}}
"""


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("sycl::local_accessor<Cell, 1> t(sycl::range<1>(64), h);", 768),
        ("sycl::local_accessor<float, 2> t({SIDE, SIDE + 1}, h);", 1088),
        ("sycl::local_accessor<sycl::float4> t{sycl::range{SIDE * 4}, h};", 1024),
        ("sycl::accessor<float, 1, sycl::access::mode::read_write, sycl::access::target::local> t(100, h);", 400),
        ("Floats t(256, h);", 1024),
        ("Local<double, 1> t(256, h);", 2048),
        ("auto t = sycl::local_accessor<float, 1>(256, h);", 1024),
        ("sycl::local_accessor<float, 2> t(group, h);", 256),
        ("sycl::local_accessor<float, 1> t(group[0] * group[1], h);", 256),
        ("sycl::local_accessor<float, 1> t(group.size() * 2, h);", 512),
        ("sycl::local_accessor<int, 0> t(h);", 4),
        ("sycl::local_accessor<float[4], 1> t(64, h);", 1024),
        ("sycl::local_accessor<Cell, 1> t(sycl::range<1>(64) * 8, h);", 6144),
        ("sycl::local_accessor<float, 2> t(sycl::range(SIDE, 2) * sycl::range(1, 3), h);", 384),
        ("sycl::local_accessor<float, 2> t(group * n, h);", None),
        ("sycl::local_accessor<std::array<float, SIDE>, 1> t(64, h);", 4096),
        ("sycl::local_accessor<float, 1> t(n, h);", None),
    ],
)
def test_accessors_in_all_spellings_count(declaration: str, expected: int | None) -> None:
    text = f"#include <sycl/sycl.hpp>\n{SPELLED.format(declaration=declaration)}"
    assert [launch.dynamic_lds_bytes for launch in build(text, "sycl").launches] == [expected]


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("auto& t = *sycl::ext::oneapi::group_local_memory<float[64][128]>(it.get_group());", 32768),
        ("auto t = sycl::ext::oneapi::group_local_memory_for_overwrite<float[8192]>(it.get_group());", 32768),
        ("auto& t = *sycl::ext::oneapi::group_local_memory_for_overwrite<Cell[N * 2]>(it.get_group());", 768),
        ("sycl::ext::oneapi::experimental::work_group_static<float[8192]> t;", 32768),
        ("static sycl::ext::oneapi::experimental::work_group_static<Cell> t;", 12),
        ("auto t = sycl::ext::oneapi::group_local_memory<float[16]>(it.get_group()).get();", 64),
        ("int (*t)[8] = *sycl::ext::oneapi::group_local_memory<int[4][8]>(it.get_group());", 128),
        ("Cell (*t)[8] = *sycl::ext::oneapi::group_local_memory_for_overwrite<Cell[4][8]>(it.get_group());", 384),
        ("auto t = sycl::ext::oneapi::group_local_memory<std::array<float, N>>(it.get_group());", 128),
        ("auto p = sycl::ext::oneapi::group_local_memory<float[4][8]>(it.get_group()); float (&t)[4][8] = *p;", 128),
        ("constexpr int M = 4; auto& t = *sycl::ext::oneapi::group_local_memory<int[M][M]>(it.get_group());", 64),
    ],
)
def test_local_memory_that_a_kernel_declares_counts(declaration: str, expected: int) -> None:
    text = f"""#include <sycl/sycl.hpp>
struct Cell {{ float a, b; int c; }};
template <int N> void run(sycl::queue &q, float *x, int n) {{
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) {{ {declaration} x[it.get_global_id(0)] = 1; }});
}}
void use(sycl::queue &q, float *x, int n) {{ run<32>(q, x, n); }}
"""
    assert facts_of(text, "sycl").launch.lds_bytes == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("oneapi::properties{oneapi::work_group_scratch_size(64 * sizeof(float))}", 256),
        ("oneapi::properties{oneapi::work_group_scratch_size(n)}", None),
        ("wanted", 1024),
    ],
)
def test_scratch_memory_requested_by_a_property_counts(given: str, expected: int | None) -> None:
    text = f"""#include <sycl/sycl.hpp>
namespace oneapi = sycl::ext::oneapi::experimental;
void run(sycl::queue &q, float *x, int n) {{
  oneapi::properties wanted{{oneapi::work_group_scratch_size(1024)}};
  q.parallel_for(sycl::nd_range<1>(n, 64), {given}, [=](sycl::nd_item<1> it) {{ x[it.get_global_id(0)] = 1; }});
}}
"""
    assert [launch.dynamic_lds_bytes for launch in build(text, "sycl").launches] == [expected]


@pytest.mark.parametrize("where", ["FILE", "HOST", "GROUP"])
def test_a_structure_is_known_wherever_it_is_declared(where: str) -> None:
    """At file level, in the function that submits the kernel, in the lambda of the command group."""
    text = """#include <sycl/sycl.hpp>
FILE void run(sycl::queue &q, float *x, int n) {
  HOST q.submit([&](sycl::handler &h) {
    GROUP sycl::local_accessor<Cell, 1> s(32, h);
    h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) { s[0].v[1] = x[0]; });
  });
}
"""
    for place in ("FILE", "HOST", "GROUP"):
        text = text.replace(place, "struct Cell { float v[12]; double w; };" if place == where else "")
    assert [launch.dynamic_lds_bytes for launch in build(text, "sycl").launches] == [32 * 56]


def test_ambiguous_structure_name_is_unknown() -> None:
    one, two = (f"void f{size}() {{ struct Cell {{ float v[{size}]; }}; }}\n" for size in (4, 8))
    text = f"{one}{two}__global__ void k(float *x) {{ __shared__ Cell s[2]; x[0] = s[0].v[0]; }}\n"
    assert facts_of(text).launch.lds_bytes is None
    assert facts_of(text.replace(two, "")).launch.lds_bytes == 32


def test_local_memory_at_file_level_counts_for_the_kernels_that_name_it() -> None:
    text = """#include <sycl/sycl.hpp>
sycl::ext::oneapi::experimental::work_group_static<float[256]> s;
void run(sycl::queue &q, float *x, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) { BODY });
}
"""
    assert facts_of(text.replace("BODY", "s[it.get_local_id(0)] = x[0];"), "sycl").launch.lds_bytes == 1024
    assert facts_of(text.replace("BODY", "x[0] = 1;"), "sycl").launch.lds_bytes == 0


def test_known_sizes_of_several_accessors_are_a_lower_bound() -> None:
    body = (
        "q.submit([&](sycl::handler &h) { sycl::local_accessor<float, 2> t(sycl::range<2>(16, 16), h);\n"
        "sycl::local_accessor<float, 1> of_n(n, h);\n"
        "h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) {\n"
        "int own = it.get_local_id(0); t[own / 16][own % 16] = x[own]; of_n[own] = 1;\n"
        "x[own] = t[own % 16][0] + of_n[0];\n"
        "}); });\n"
    )
    facts = facts_of(f"#include <sycl/sycl.hpp>\nvoid run(sycl::queue &q, float *x, int n) {{ {body} }}\n", "sycl")
    assert (facts.launch.lds_bytes, facts.launch.lds_at_least) == (None, 1024)
