"""Context of a SYCL kernel: constants, captures, included bodies, properties of its launch."""

from __future__ import annotations

import pytest
from frontend_helpers import build, kernel

HEAD = """#include <sycl/sycl.hpp>
namespace oneapi = sycl::ext::oneapi::experimental;
namespace intel_gpu = sycl::ext::intel::experimental;
"""
ITEM = "[=](sycl::nd_item<1> it)"


def run(before: str, body: str, template: str = "") -> str:
    call = f"q.parallel_for(sycl::nd_range<1>(n, 64), {ITEM} {{ {body} }});"
    return f"{HEAD}{template}void run(sycl::queue &q, float *out, const double *in, int n) {{ {before} {call} }}\n"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("constexpr int N = 32;", 32),
        ("const int N = 4 * 8;", 32),
        ("static constexpr unsigned N = 1 << 5;", 32),
        ("constexpr int M = 16; const auto N = 2 * M;", 32),
        ("int N = 32;", None),  # captured: a value at run time
        ("const int N = n / 2;", None),
        ("constexpr int M = 4;", 40),  # that of the file
    ],
)
def test_constants_of_the_function_around_a_kernel_are_constants_in_it(before: str, expected: int | None) -> None:
    found = kernel("constexpr int N = 40;\n" + run(before, "float a[N]; out[0] = a[N - 1];"), "sycl")
    value = found.bindings.get("N")
    captured = {variable.name for variable in found.function.captures}
    assert value == (expected if expected != 40 else None)
    assert ("N" in captured) is (expected is None)


def test_a_local_of_the_kernel_hides_the_constant_around_it() -> None:
    found = kernel(run("constexpr int N = 512;", "constexpr int N = 8; float a[N]; out[0] = a[0];"), "sycl")
    (block, *_) = [statement for statement in found.function.body.statements if hasattr(statement, "variables")]
    assert block.variables[0].name == "N"


def test_capture_has_the_type_of_its_declaration() -> None:
    found = kernel(run("float scale = 2.0f; auto p = out;", "out[it.get_global_id(0)] = scale * p[0] * in[n];"), "sycl")
    types = {variable.name: (variable.type.name, variable.type.pointers) for variable in found.function.captures}
    assert types == {
        "out": ("float", 1),
        "in": ("double", 1),
        "n": ("int", 0),
        "scale": ("float", 0),
        "p": ("float", 1),
    }


BODY = "int i = it.get_global_id(0);\nfloat a[N];\nfor (int k = 0; k < N; ++k) a[k] = in[k];\nout[i] = a[i];\n"


def test_a_body_that_is_an_include_is_read_from_that_file() -> None:
    text = run("constexpr int N = 24;", '\n#include "body.sycl"\n')
    found = kernel(text, "sycl", {"body.sycl": BODY})
    assert found.complete
    assert found.function.path == "body.sycl"
    assert (found.path, found.line, found.end_line) == ("main.cpp", 4, 6)
    assert found.bindings["N"] == 24
    assert {variable.name for variable in found.function.captures} >= {"in", "out"}


def test_two_kernels_that_include_the_same_body_are_two() -> None:
    text = run("constexpr int N = 24;", '\n#include "body.sycl"\n').replace("void run", "void first") + run(
        "constexpr int N = 48;", '\n#include "body.sycl"\n'
    ).removeprefix(HEAD)
    found = build(text, "sycl", {"body.sycl": BODY}).kernels
    assert [one.bindings["N"] for one in found] == [24, 48]


def test_include_among_statements_is_expanded_in_place() -> None:
    found = kernel(run("", 'int x = 0;\n#include "body.sycl"\n'), "sycl", {"body.sycl": BODY})
    assert found.complete
    assert found.function.path == "main.cpp"
    assert {variable.name for variable in found.function.captures} >= {"in", "out"}
    assert not kernel(run("", 'int x = 0;\n#include "body.sycl"\n'), "sycl").complete


@pytest.mark.parametrize(
    ("launch", "sub_group", "grf"),
    [
        (f"q.parallel_for(R, oneapi::properties{{intel_gpu::grf_size<256>}}, {ITEM} {{ X }});", None, 256),
        (f"oneapi::properties p{{oneapi::sub_group_size<16>}}; q.parallel_for(R, p, {ITEM} {{ X }});", 16, None),
        (
            f"auto p = oneapi::properties{{intel_gpu::grf_size_automatic}}; q.parallel_for(R, p, {ITEM} {{ X }});",
            None,
            0,
        ),
        (f"q.parallel_for(R, {ITEM} [[sycl::reqd_sub_group_size(32)]] {{ X }});", 32, None),
        ("q.parallel_for(R, F{out});", 16, 256),
    ],
)
def test_properties_count_wherever_they_are_written(launch: str, sub_group: int | None, grf: int | None) -> None:
    functor = """struct F { float *out;
  auto get(oneapi::properties_tag) const {
    return oneapi::properties{intel_gpu::grf_size<256>, oneapi::sub_group_size<16>};
  }
  void operator()(sycl::nd_item<1> it) const { out[it.get_global_id(0)] = 1; }
};
"""
    text = f"{HEAD}{functor if 'F{' in launch else ''}void run(sycl::queue &q, float *out, int n) {{ {launch} }}\n"
    text = text.replace("R,", "sycl::nd_range<1>(n, 64),").replace("X", "out[it.get_global_id(0)] = 1;")
    found = kernel(text, "sycl")
    assert (found.sub_group_size, found.grf_mode) == (sub_group, grf)


@pytest.mark.parametrize("prefix", ["", "SYCL_EXTERNAL ", 'extern "C" SYCL_EXTERNAL ', "template <typename T> "])
def test_free_functions_are_kernels_in_all_spellings(prefix: str) -> None:
    attribute = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((oneapi::nd_range_kernel<1>))"
    found = kernel(f"{HEAD}{prefix}{attribute}\nvoid scale(float *x) {{ x[0] = 1; }}\n", "sycl")
    assert (found.name, found.form) == ("scale", "free-function")


def test_arrays_of_work_group_scope_are_local_memory() -> None:
    inner = "g.parallel_for_work_item([&](sycl::h_item<1> it) { float own[4]; x[0] = tile[0] + own[1]; });"
    text = f"""{HEAD}void run(sycl::handler &h, float *x, int n) {{
  h.parallel_for_work_group(sycl::range<1>(n), sycl::range<1>(64),
                            [=](sycl::group<1> g) {{ float tile[256]; {inner} }});
}}
"""
    (declared, *_) = kernel(text, "sycl").function.body.statements
    assert [variable.storage for variable in declared.variables] == ["shared"]  # type: ignore[union-attr]


@pytest.mark.parametrize("mark", ["SYCL_ESIMD_KERNEL", "[[intel::sycl_explicit_simd]]"])
def test_explicit_simd_is_recognised(mark: str) -> None:
    launch = f"q.parallel_for(n, [=](sycl::id<1> i) {mark} {{ x[i] = 1; }});"
    text = f"{HEAD}void run(sycl::queue &q, float *x, int n) {{ {launch} }}\n"
    found = kernel(text, "sycl")
    assert found.explicit_simd
    assert not found.complete
