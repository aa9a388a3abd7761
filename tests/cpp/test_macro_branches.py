"""Which of several definitions of a macro counts: the one in the branch that the device compiler takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from frontend_helpers import build

from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.syntax_tree import Constant
from regpress_lint.program import build_file

if TYPE_CHECKING:
    from regpress_lint.program.file import File

KERNEL = "\n__global__ void k(T *u) { u[0] = 1; }\n"
VECTOR = "#if VEC == 2\n#define T float2\n#elif VEC == 4\n#define T float4\n#else\n#define T float\n#endif\n"


def pointee(file: File) -> int | None:
    return file.kernels[0].function.parameters[0].type.pointee_size


@pytest.mark.parametrize(
    ("before", "name", "size"),
    [
        ("#define VEC 2\n", "float2", 8),
        ("#define VEC 4\n", "float4", 16),
        ("#define VEC 1\n", "float", 4),
        ("#define WIDTH 8\n#define VEC (WIDTH / 2)\n", "float4", 16),
        ("#define VEC TWO\n#define TWO 2\n", "float2", 8),
        ("", "float", 4),
    ],
)
def test_arithmetic_conditions(before: str, name: str, size: int) -> None:
    file = build(before + VECTOR + KERNEL)
    assert file.macro("T") == name
    assert pointee(file) == size


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("#ifdef X\n#define T double\n#else\n#define T float\n#endif\n", "float"),
        ("#define X\n#ifdef X\n#define T double\n#else\n#define T float\n#endif\n", "double"),
        ("#ifndef X\n#define T double\n#else\n#define T float\n#endif\n", "double"),
        ("#ifdef X\n#define T double\n#endif\n#ifndef T\n#define T float\n#endif\n", "double"),
        ("#if 0\n#define T double\n#endif\n#ifndef T\n#define T float\n#endif\n", "float"),
        ("#if 1\n#define T double\n#endif\n#ifndef T\n#define T float\n#endif\n", "double"),
        ("#if UNKNOWN(2)\n#define T double\n#else\n#define T float\n#endif\n", "double"),
        ("#if !defined(X) || 0\n#define T half\n#else\n#define T float\n#endif\n", "half"),
        ("#define A (-7)\n#if A / 2 == -3 && A % 2 == -1\n#define T half\n#else\n#define T float\n#endif\n", "half"),
        ("#define A 6\n#if (A >> 1) == 3 && (A ^ 2) == 4\n#define T half\n#else\n#define T float\n#endif\n", "half"),
        (
            "#define M\n#if 0\n#define T double\n#if 1\n#define T half\n#endif\n#else\n#define T float\n#endif\n",
            "float",
        ),
        ("#ifdef __HIPCC__\n#define T double\n#elif defined(__CUDACC__)\n#define T float\n#endif\n", "float"),
        ("#if defined(_MSC_VER)\n#define T double\n#endif\n#if !defined(_MSC_VER)\n#define T float\n#endif\n", "float"),
        ("#ifdef X // why\n#define T double\n#else /* or */\n#define T float\n#endif\n", "float"),
        ("#if 0 && \\\n  1\n#define T double\n#else\n#define T float\n#endif\n", "float"),
        ("#define T double\n#define T float\n", "double"),
    ],
)
def test_the_branch_that_is_taken(text: str, body: str) -> None:
    assert build(text + KERNEL).macro("T") == body


def test_single_definition_counts_in_any_file() -> None:
    assert build("#ifdef X\n#define T double\n#endif\n" + KERNEL).macro("T") == "double"


def test_each_language_has_its_own_predefined_macros() -> None:
    text = (
        "#ifdef __HIPCC__\n#define WAVE 64\n#else\n#define WAVE 32\n#endif\n__global__ void k(int *u) { u[0] = 1; }\n"
    )
    assert [build(text, language).macro("WAVE") for language in ("cuda", "hip")] == ["32", "64"]


def test_header_guards_hide_nothing() -> None:
    header = "#ifndef {0}\n#define {0}\n#ifdef DOUBLE\n#define T double\n#else\n#define T float\n#endif\n#endif\n"
    text = '#define DOUBLE\n#include "h.h"\n#include "g.h"\n' + KERNEL
    headers = {"h.h": header.format("H_H"), "g.h": "#ifndef H_H\n#define H_H\n#define T half\n#endif\n"}
    file = build(text, headers=headers)
    assert file.macro("T") == "double"
    assert pointee(file) == 8


def test_a_default_gives_way_to_the_build_file_and_the_including_file() -> None:
    default = "#ifndef B\n#define B 256\n#endif\n"
    kernel = "__global__ void k(int *u) { u[0] = B; }\n"
    assert build(default + kernel).macro("B") == "256"
    assert build(default + kernel, headers={"Makefile": "CFLAGS += -DB=64\n"}).macro("B") == "64"
    own = build('#define B 32\n#include "h.h"\n' + kernel, headers={"h.h": default})
    assert (own.macro("B"), own.constant("B")) == ("32", 32)


def test_a_header_sees_defines_of_its_including_file() -> None:
    file = build(VECTOR + KERNEL, headers={"main.cu": '#define VEC 2\n#include "k.cuh"\n'}, path="k.cuh")
    assert file.macro("T") == "float2"


def test_macros_that_decide_over_each_other_end() -> None:
    text = "#if B\n#define A 1\n#else\n#define A 0\n#endif\n#if A\n#define B 1\n#else\n#define B 0\n#endif\n"
    assert build(text + "__global__ void k(int *u) { u[0] = A; }\n").macro("A") in ("0", "1")
    chain = "".join(f"#if A{i + 1}\n#define A{i} 1\n#else\n#define A{i} 2\n#endif\n" for i in range(400))
    assert build(chain + "__global__ void k(int *u) { u[0] = 1; }\n").macro("A0") in ("1", "2")


def test_unbalanced_directives_do_no_harm() -> None:
    text = "#endif\n#else\n#elif X\n#define T half\n#if\n#define T double\n#else\n#define T float\n"
    assert build(text + KERNEL).macro("T") == "half"


def test_an_expansion_comes_from_the_branch_that_is_taken() -> None:
    text = "#define FAST 1\n#if FAST\n#define F(x) 1\n#else\n#define F(x) 2\n#endif\n"
    for condition, expected in (("#if FAST\n", 1), ("#if !FAST\n", 2)):
        file = build(text.replace("#if FAST\n", condition) + KERNEL)
        found = file.expansion("F", 1, {}, (), None)
        assert found is not None
        assert isinstance(found.body, Constant)
        assert found.body.value == expected


def test_cuda_linted_only_for_amd_is_read_like_hipcc() -> None:
    text = (
        "#if __CUDA_ARCH__ >= 700\n#define PATH 1\n"
        "#elif defined(__HIP__) && defined(__CUDACC__)\n#define PATH 2\n#endif\n"
        "__global__ void k(int *u) { u[0] = PATH; }\n"
    )

    def path(*architectures: str) -> str | None:
        project = Project(architectures=architectures)
        return build_file(Source("k.cu", text.encode()), "cuda", project).macro("PATH")

    assert [path("gfx90a"), path("gfx90a", "gfx1100"), path("sm_90"), path()] == ["2", "2", "1", "1"]
    assert path("gfx90a", "sm_90") == "1"  # one reading a file: nvcc's, if its GPUs are asked for, too


OTHER_PARSER = "#ifdef {0}\n#define TID 0\n#endif\n"
REAL = "#define TID (blockDim.x * blockIdx.x + threadIdx.x)\n"


@pytest.mark.parametrize(
    ("before", "value"),
    [
        (REAL + OTHER_PARSER.format("__CDT_PARSER__"), None),
        (OTHER_PARSER.format("__CDT_PARSER__") + REAL, None),
        (REAL + OTHER_PARSER.format("IN_AN_EDITOR"), None),
        ("#define TID 0\n#ifdef IN_AN_EDITOR\n#define TID f(x)\n#endif\n", 0),
        (OTHER_PARSER.format("__CDT_PARSER__"), 0),
    ],
)
def test_number_for_another_parser_is_not_the_macro_value(before: str, value: int | None) -> None:
    assert build(before + "__global__ void k(float *f) { f[TID] = 1; }").constant("TID") == value
