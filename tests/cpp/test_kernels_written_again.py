"""Kernels in an included part of a file, and those whose names and types are macros redefined for each."""

from __future__ import annotations

import pytest
from analysis_helpers import BOTH, scratch_of
from frontend_helpers import build

from regpress_lint.cpp.language import detect_language, included_parts
from regpress_lint.facts.kernel import kernel_facts

BODY = "(const REAL *a, REAL *o, int n) { REAL v[LEN]; for (int k = 0; k < LEN; ++k) v[k] = a[k * n]; o[n] = v[n]; }\n"
PART = f"__global__ void NAME{BODY}"
FIRST, SECOND = (
    "#define NAME kb\n#define REAL float\n#define LEN 32\n",
    "#define NAME kc\n#define REAL double\n#define LEN 24\n",
)
END = "#undef NAME\n#undef REAL\n#undef LEN\n"
LAUNCHES = "void run(float *a, double *b) { kb<<<1, 64>>>(a, a, 3); kc<<<1, 128>>>(b, b, 3); }\n"


def kernels(text: str, headers: dict[str, str] | None = None) -> list[tuple[str, int, int | None]]:
    """Name, scratch on gfx90a (as of clang 19.1.7) and block of each kernel."""
    file = build(text, headers=headers)
    sizes = [scratch_of(kernel_facts(file, kernel, BOTH), "gfx90a") for kernel in file.kernels]
    blocks = [kernel.launches[0].block_size for kernel in file.kernels]
    return list(zip((kernel.name for kernel in file.kernels), sizes, blocks, strict=True))


@pytest.mark.parametrize("name", ["", "part.cuh", "part.h", "part.inc"])
def test_macros_redefined_for_each_kernel(name: str) -> None:
    text = f'#include "{name}"\n' if name else PART
    files = {name: PART} if name else None
    assert kernels(f"{FIRST}{text}{END}{SECOND}{text}{LAUNCHES}", files) == [("kb", 144, 64), ("kc", 208, 128)]


def test_kernel_of_a_part_is_at_its_include() -> None:
    file = build(f'{FIRST}#include "part.inc"\n', headers={"part.inc": PART})
    (kernel,) = file.kernels
    assert file.source.line_of(kernel.name_span.start) == 4
    assert kernel.name == "kb"


def test_guarded_header_has_its_own_kernels() -> None:
    include = '#include "part.cuh"\n'
    files = {"part.cuh": f"#pragma once\n{PART}"}
    assert not build(f"{FIRST}{include}{END}{SECOND}{include}{LAUNCHES}", headers=files).kernels


def test_part_names_the_file_that_has_its_kernels() -> None:
    include = '#include "part.cuh"\n'
    files = {"a.cu": f"{FIRST}{include}{END}{SECOND}{include}{LAUNCHES}"}
    (kernel,) = build(PART, headers=files, path="part.cuh").kernels
    assert [(each.kind, each.opens) for each in kernel.unknowns] == [("macro", "both")]
    assert "a.cu" in kernel.unknowns[0].text


def test_parts_of_opencl() -> None:
    part = (
        PART.replace("__global__", "__kernel")
        .replace("REAL *", "__global REAL *")
        .replace("__global__global", "__global")
    )
    include = '#include "part.cl"\n'
    file = build(f"{FIRST}{include}{END}{SECOND}{include}", "opencl", {"part.cl": part}, "main.cl")
    assert [kernel.name for kernel in file.kernels] == ["kb", "kc"]


def test_list_of_instantiations_in_another_file() -> None:
    template = "template <class T, int N> __global__ void k(T *a) { T v[N]; v[a == nullptr] = 1; a[0] = v[1]; }\n"
    uses = '#define X(T, N) template __global__ void k<T, N>(T *);\n#include "list.def"\n#undef X\n'
    (kernel,) = build(template + uses, headers={"list.def": "X(float, 8)\nX(double, 24)\n"}).kernels
    assert [instance.arguments for instance in kernel.instances] == ["float, 8", "double, 24"]


@pytest.mark.parametrize(
    ("macros", "spelled"),
    [
        ("#define FN(x) x##_f32\n", "FN(axpy)"),
        ("#define CAT(a, b) a##_##b\n#define FN(x) CAT(x, f32)\n", "FN(axpy)"),
        ("#define AXPY axpy_f32\n", "AXPY"),
    ],
)
@pytest.mark.parametrize("launched", ["axpy_f32", "{}"])
def test_kernel_name_of_a_macro(macros: str, spelled: str, launched: str) -> None:
    launch = f"void run(float *a) {{ {launched.format(spelled)}<<<1, 96>>>(a); }}\n"
    (kernel,) = build(f"{macros}__global__ void {spelled}(float *a) {{ a[0] = 1; }}\n{launch}").kernels
    assert (kernel.name, [one.block_size for one in kernel.launches]) == ("axpy_f32", [96])


def test_parts_among_includes() -> None:
    assert included_parts(b'#include "a.h"\n#include "list.def"\n#include "b.cuh"\n') == {b'"list.def"'}
    assert included_parts(b'#include "a.h"\n#undef N\n#include "a.h"\n') == {b'"a.h"'}
    assert not included_parts(b'#include "a.h"\n#include "a.h"\n#include <list>\n#include <list>\n')
    assert detect_language("main.cu", b'#define N 3\n#include "part.inc"\n') == "cuda"
    assert detect_language("main.cpp", b'#define N 3\n#include "part.inc"\n') is None
