"""OpenCL C: which files it is, and how its kernels, address spaces, vectors and built-in functions are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.language import detect_language
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.syntax_tree import Loop
from regpress_lint.facts.kernel import KernelFacts, kernel_facts
from regpress_lint.program import build_file

if TYPE_CHECKING:
    from regpress_lint.program.file import File
    from regpress_lint.program.model import Kernel

SUM = """
kernel void total(global const float* a, local float* part, global float* out) {
  int lane = get_local_id(0);
  part[lane] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_ = get_local_size(0) / 2; half_ > 0; half_ /= 2) {
    if (lane < half_) part[lane] += part[lane + half_];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) out[get_group_id(0)] = part[0];
}
"""


def read(text: str) -> File:
    return build_file(Source("a.cl", text.encode()), "opencl", Project())


def only(text: str) -> tuple[File, Kernel]:
    file = read(text)
    (kernel,) = file.kernels
    return file, kernel


def facts_of(text: str, *targets: str) -> KernelFacts:
    file, kernel = only(text)
    return kernel_facts(file, kernel, Settings(architectures=targets or ("gfx90a", "pvc")))


def body(statements: str, parameters: str = "__global float4* a, __global float* b, int n") -> str:
    return f"__kernel void k({parameters}) {{\n  int i = get_global_id(0);\n  {statements}\n}}\n"


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        ("a.cl", SUM, "opencl"),
        ("a.cl", "float4 twice(float4 v) { return v + v; }", "opencl"),
        ("a.cl", "(defun square (x) (* x x))", None),
        ("a.opencl", 'R"(\n__kernel void k(__global float* p) { p[0] = 1; }\n)"', "opencl"),
        ("a.clh", "inline float f(__global const float* p) { return *p; }", "opencl"),
        ("a.h", "__kernel void k(__global float* a) { a[0] = 1; }", "opencl"),
        ("a.cpp", 'const char* text = "__kernel void k(__global float* a) {}";', "opencl"),
        ("a.cpp", 'const char* text = "__kernel void k(__global float* a);";', None),
        ("a.h", "#define __kernel __global__\n__kernel void k(float* a) {}", "cuda"),
    ],
)
def test_language_by_name_and_words(path: str, text: str, language: str | None) -> None:
    assert detect_language(path, text.encode()) == language


def test_words_without_underscores_are_the_languages_own() -> None:
    file, kernel = only(SUM)
    assert (kernel.name, kernel.language, kernel.form) == ("total", "opencl", "__kernel")
    assert not file.lost
    assert kernel.complete


def test_local_argument_is_local_memory_whose_size_the_host_decides() -> None:
    facts = facts_of(SUM)
    part = facts.kernel.function.parameters[1]
    assert (part.name, part.storage) == ("part", "shared")
    assert facts.launch.lds_bytes is None
    assert not facts.unknowns("gfx90a")


def test_local_array_counts_and_pointer_into_it_does_not() -> None:
    facts = facts_of(
        body("__local float s[256]; __local float* p = s + i; p[0] = b[i]; barrier(1); b[i] = s[255 - i];")
    )
    assert facts.launch.lds_bytes == 1024


@pytest.mark.parametrize(
    ("attribute", "size", "from_"),
    [
        ("__attribute__((reqd_work_group_size(16, 8, 1)))", 128, "launch_bounds"),
        ("__attribute__((reqd_work_group_size((SIZE), 2 * 2, 1)))", 256, "launch_bounds"),
        ("__attribute__((work_group_size_hint(64, 1, 1)))", 64, "launch"),
        ("", 256, "assumed"),
    ],
)
def test_work_group_size_is_read_from_attributes(attribute: str, size: int, from_: str) -> None:
    facts = facts_of(f"#define SIZE 64\n{attribute} " + body("b[i] = 1.0f;"))
    assert (facts.launch.block_size, facts.launch.block_size_from) == (size, from_)


def test_required_sub_group_size_doubles_registers_on_intel() -> None:
    sixteen = facts_of("__attribute__((intel_reqd_sub_group_size(16))) " + body("b[i] = 1.0f;"))
    assert sixteen.kernel.sub_group_size == 16
    assert sixteen.target("pvc").budget == 2 * facts_of(body("b[i] = 1.0f;")).target("pvc").budget


def test_amd_compiler_assumes_256_work_items_by_default() -> None:
    assert facts_of(body("b[i] = 1.0f;")).target("gfx90a").budget == 512
    required = "__attribute__((reqd_work_group_size(1024, 1, 1))) "
    assert facts_of(required + body("b[i] = 1.0f;")).target("gfx90a").budget == 128


@pytest.mark.parametrize(
    "statements",
    [
        "a[i] = (float4)(b[i], 0.5f, b[n], 1.0f);",
        "float4 v = a[i]; v.xy = v.zw; v.s3 *= v.lo.y; v.hi += v.even; a[i] = v.wzyx;",
        "float4 v = vload4(i, b); vstore4(v * 2.0f, i, b);",
        "float3 v = vload3(i, b); b[i] = dot(v, cross(v, normalize(v))) + length(v);",
        "a[i] = mad(a[i], (float4)(2.0f), clamp(a[n], 0.0f, 1.0f)) + native_sin(a[i]) * half_exp(a[n]);",
        "int4 k = convert_int4_sat_rte(a[i]); a[i] = as_float4(k << 2) + convert_float4(k);",
        "a[i] = select(a[i], a[n], a[i] < a[n]) + (isless(a[i], a[n]) ? a[n] : a[i]);",
        "atomic_add((volatile __global int*)b, n); atom_inc((__global int*)b); b[i] = rsqrt(b[i]) + fract(b[n], b);",
        "b[i] = sub_group_reduce_add(b[i]) + work_group_broadcast(b[n], 0) + intel_sub_group_shuffle(b[i], n);",
        "size_t all = get_global_size(0) + get_work_dim() + get_global_offset(1); b[all] = get_num_groups(3);",
        "double8 d = convert_double8(vload8(i, b)); b[i] = convert_float(d.s0 + d.s7 + d.odd.hi.x);",
    ],
)
def test_vectors_and_built_in_functions_leave_nothing_unknown(statements: str) -> None:
    facts = facts_of(body(statements))
    assert facts.kernel.complete
    for target in ("gfx90a", "pvc"):
        assert not facts.unknowns(target)


def test_images_are_descriptors_that_take_no_vector_register() -> None:
    parameters = "__read_only image2d_t in, sampler_t s, __write_only image2d_t out, __global float* b, int n"
    text = body("float4 v = read_imagef(in, s, (int2)(i, n)); write_imagef(out, (int2)(n, i), v * 2.0f);", parameters)
    facts = facts_of(text)
    assert not facts.unknowns("gfx90a")
    assert facts.target("gfx90a").registers.high <= 24


def test_a_vector_of_eight_takes_eight_registers_for_each_array_element() -> None:
    statements = "float8 v[4]; for (int k = 0; k < 4; ++k) v[k] = vload8(k, b);\n"
    statements += "float8 s = 0; for (int j = 0; j < n; ++j) { for (int k = 0; k < 4; ++k) s += v[k] * b[j]; }\n"
    registers = facts_of(body(statements + "vstore8(s, i, b);")).target("gfx90a").registers
    assert registers.estimate >= 40


def test_function_of_a_vector_is_paid_for_in_every_lane() -> None:
    one = facts_of(body("b[i] = pow(b[i], b[n]);"))
    four = facts_of(body("a[i] = pow(a[i], a[n]);"))
    assert four.target("gfx90a").registers.estimate > one.target("gfx90a").registers.estimate


def test_kernel_whose_macro_only_the_build_defines_is_a_kernel() -> None:
    head = "KERNEL_FQ KERNEL_FA void first (GLOBAL_AS float* p, ARGUMENTS ())\n{ p[get_global_id (0)] = 1; }\n"
    other = "FAST_KERNEL void second(__global float* p) { p[get_global_id(0)] = 2; }\n"
    helper = "DECLSPEC void helper(__global float* p) { KERNEL_CHECK(p); p[get_local_id(0)] = 2; }\n"
    file = read(head + helper + other)
    assert [each.name for each in file.kernels] == ["first", "second"]


def test_uint8_and_uint3_are_vectors_of_opencl() -> None:
    file, _ = only(body("b[i] = n;"))
    types = [file.type_of(name) for name in ("uint8", "uint3", "long16", "atomic_uint", "image3d_t")]
    assert [type_.size if type_ is not None else None for type_ in types] == [32, 16, 128, 4, 8]
    assert [type_.lanes if type_ is not None else None for type_ in types] == [8, 3, 16, 1, 1]


@pytest.mark.parametrize(
    ("hint", "copies"),
    [
        ("__attribute__((opencl_unroll_hint))", "unroll"),
        ("__attribute__((opencl_unroll_hint(4)))", "unroll 4"),
        ("TIMES(2)", "unroll 2"),
        ("ALL", "unroll"),
        ("#pragma unroll 8\n", "unroll 8"),
        ("", ""),
    ],
)
def test_unroll_hints_are_requests_of_the_loop_behind_them(hint: str, copies: str) -> None:
    macros = (
        "#define TIMES(n) __attribute__((opencl_unroll_hint(n)))\n#define ALL __attribute__((opencl_unroll_hint))\n"
    )
    text = f"float s = 0;\n{hint}\nfor (int k = 0; k < 64; ++k) s += b[k * n];\nb[i] = s;"
    _, kernel = only(macros + body(text))
    (loop,) = (each for each in kernel.function.body.statements if isinstance(each, Loop))
    assert (loop.unroll.text if loop.unroll is not None else "") == copies


def test_local_array_without_underscores() -> None:
    assert facts_of(body("local float s[64]; s[i] = b[i]; barrier(1); b[i] = s[63 - i];")).launch.lds_bytes == 256
