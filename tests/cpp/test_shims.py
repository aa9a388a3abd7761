"""The shim headers: every type has its true size and alignment, every header parses alone, and so does a kernel that
uses the whole range. The sizes come from libclang itself, as the semantic tier asks it; the compilers and the vendors'
own headers confirm the same table."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import clang.cindex as cindex
import pytest
from compilers import chain, missing

from regpress_lint.cpp.types import builtin_type
from tools.measure import toolchain
from tools.measure.shim_coverage import SHIMS, language_flags, shim_flags

SAMPLES = Path(__file__).resolve().parents[2] / "testdata/shims"
KEEP_GOING = 0x200
FORWARD = re.compile(r"#pragma once\n#include <([^>]+)>\n")
ELEMENTS = {
    "char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8,
    "longlong": 8, "ulonglong": 8, "float": 4, "double": 8,
}  # fmt: skip


class Layout(NamedTuple):
    """A type as it is written, and the bytes of its size and alignment."""

    text: str
    size: int
    align: int


def vectors(most: int) -> list[Layout]:
    """CUDA's and HIP's vectors: two and four lanes are aligned to their size, in CUDA up to 16 bytes."""
    return [
        Layout(f"{name}{lanes}", size * lanes, min(size * lanes, most) if lanes in (2, 4) else size)
        for name, size in ELEMENTS.items()
        for lanes in (1, 2, 3, 4)
    ]


PLAIN = [
    Layout("std::array<float, 3>", 12, 4),
    Layout("std::array<double, 4>", 32, 8),
    Layout("std::complex<float>", 8, 4),
    Layout("std::complex<double>", 16, 8),
    Layout("std::pair<char, double>", 16, 8),
    Layout("std::tuple<char, int, char>", 12, 4),
    Layout("std::tuple<int, double, float>", 24, 8),
    Layout("std::bitset<65>", 16, 8),
    Layout("std::optional<int>", 8, 4),
    Layout("std::string", 32, 8),
    Layout("std::string_view", 16, 8),
    Layout("std::vector<char>", 24, 8),
    Layout("std::vector<bool>", 40, 8),
    Layout("std::deque<int>", 80, 8),
    Layout("std::list<int>", 24, 8),
    Layout("std::map<int, int>", 48, 8),
    Layout("std::set<int>", 48, 8),
    Layout("std::unordered_map<int, int>", 56, 8),
    Layout("std::unordered_set<int>", 56, 8),
    Layout("std::unique_ptr<int>", 8, 8),
    Layout("std::shared_ptr<int>", 16, 8),
    Layout("std::function<void(int)>", 32, 8),
    Layout("std::mutex", 40, 8),
    Layout("std::thread", 8, 8),
    Layout("std::atomic<int>", 4, 4),
    Layout("std::initializer_list<int>", 16, 8),
    Layout("std::mt19937", 5000, 8),
    Layout("std::mt19937_64", 2504, 8),
    Layout("std::default_random_engine", 8, 8),
    Layout("std::uniform_real_distribution<float>", 8, 4),
    Layout("std::uniform_int_distribution<int>", 8, 4),
    Layout("std::normal_distribution<float>", 16, 4),
    Layout("std::chrono::nanoseconds", 8, 8),
    Layout("std::chrono::duration<float>", 4, 4),
    Layout("std::int_fast16_t", 8, 8),
    Layout("timespec", 16, 8),
    Layout("tm", 56, 8),
    Layout("div_t", 8, 4),
    Layout("dirent", 280, 8),
    Layout("rusage", 144, 8),
    Layout("option", 32, 8),
    Layout("pthread_mutex_t", 40, 8),
    Layout("pthread_cond_t", 48, 8),
    Layout("pthread_attr_t", 56, 8),
]
PLAIN_INCLUDES = (
    "array", "atomic", "bitset", "chrono", "complex", "cstdint", "deque", "dirent.h", "functional", "getopt.h", "list",
    "map", "memory", "mutex", "optional", "pthread.h", "random", "set", "stdlib.h", "string", "string_view",
    "sys/resource.h", "thread", "time.h", "tuple", "unordered_map", "unordered_set", "utility", "vector",
)  # fmt: skip
# Matrix, shape, element and the bytes that a lane holds.
FRAGMENTS = [
    *((use, shape, "__half", 32) for use in "ab" for shape in ("16, 16, 16", "32, 8, 16", "8, 32, 16")),
    *((use, "16, 16, 16", "__nv_bfloat16", 16) for use in "ab"),
    *((use, "16, 16, 16", "signed char", 8) for use in "ab"),
    *((use, "16, 16, 8", "nvcuda::wmma::precision::tf32", 16) for use in "ab"),
    *((use, "8, 8, 4", "double", 8) for use in "ab"),
    ("a", "32, 8, 16", "__nv_bfloat16", 32),
    ("b", "32, 8, 16", "__nv_bfloat16", 8),
    ("a", "8, 32, 16", "unsigned char", 8),
    ("b", "8, 32, 16", "unsigned char", 16),
]
CUDA = [
    *vectors(16),
    *(
        Layout(f"{name}4_{align}a", 32, align)
        for name in ("long", "ulong", "longlong", "ulonglong", "double")
        for align in (16, 32)
    ),
    Layout("dim3", 12, 4),
    Layout("__half", 2, 2),
    Layout("__half2", 4, 4),
    Layout("__half_raw", 2, 2),
    Layout("__half2_raw", 4, 4),
    Layout("__nv_bfloat16", 2, 2),
    Layout("__nv_bfloat162", 4, 4),
    Layout("__nv_fp8_e4m3", 1, 1),
    Layout("__nv_fp8_e5m2", 1, 1),
    Layout("__nv_fp8x2_e4m3", 2, 2),
    Layout("__nv_fp8x4_e5m2", 4, 4),
    Layout("cuComplex", 8, 8),
    Layout("cuDoubleComplex", 16, 16),
    Layout("cudaExtent", 24, 8),
    Layout("cudaPos", 24, 8),
    Layout("cudaPitchedPtr", 32, 8),
    Layout("cudaChannelFormatDesc", 20, 4),
    Layout("cudaTextureObject_t", 8, 8),
    Layout("cudaStream_t", 8, 8),
    Layout("cudaError_t", 4, 4),
    *(
        Layout(
            f"nvcuda::wmma::fragment<nvcuda::wmma::matrix_{use}, {shape}, {element}, nvcuda::wmma::{order}>", size, 8
        )
        for use, shape, element, size in FRAGMENTS
        for order in ("row_major", "col_major")
    ),
    *(
        Layout(f"nvcuda::wmma::fragment<nvcuda::wmma::accumulator, {shape}, {element}>", 8 * size, 8)
        for shape in ("16, 16, 16", "32, 8, 16", "8, 32, 16")
        for element, size in (("float", 4), ("__half", 2), ("int", 4))
    ),
    Layout("nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 8, float>", 32, 8),
    Layout("nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 8, 8, 4, double>", 16, 8),
    Layout("thrust::complex<float>", 8, 8),
    Layout("thrust::complex<double>", 16, 16),
    Layout("thrust::device_ptr<float>", 8, 8),
    Layout("thrust::tuple<char, int, char>", 12, 4),
    Layout("thrust::tuple<int, double, float>", 24, 8),
    Layout("thrust::pair<char, int>", 8, 4),
    Layout("cub::KeyValuePair<int, double>", 16, 8),
]
CUDA_INCLUDES = (
    "cuComplex.h", "cub/cub.cuh", "cuda_bf16.h", "cuda_fp16.h", "cuda_fp8.h", "mma.h", "thrust/complex.h",
    "thrust/device_ptr.h", "thrust/pair.h", "thrust/tuple.h",
)  # fmt: skip
# No header of the random libraries lies on this machine: what cuRAND's and rocRAND's sources say.
CUDA_RANDOM = [Layout("curandState", 48, 8), Layout("curandStatePhilox4_32_10_t", 64, 16)]
HIP = [
    *vectors(64),
    Layout("dim3", 12, 4),
    Layout("__half", 2, 2),
    Layout("__half2", 4, 4),
    Layout("hip_bfloat16", 2, 2),
    Layout("hipComplex", 8, 8),
    Layout("hipDoubleComplex", 16, 16),
    Layout("hipExtent", 24, 8),
    Layout("hipPos", 24, 8),
    Layout("hipPitchedPtr", 32, 8),
    Layout("hipChannelFormatDesc", 20, 4),
    Layout("hipTextureObject_t", 8, 8),
    Layout("hipStream_t", 8, 8),
    Layout("hipError_t", 4, 4),
]
HIP_INCLUDES = ("hip/hip_bfloat16.h", "hip/hip_complex.h", "hip/hip_fp16.h")
HIP_OTHERS = [
    Layout("__hip_bfloat16", 2, 2),
    Layout("__hip_bfloat162", 4, 4),
    Layout("__hip_fp8_e4m3_fnuz", 1, 1),
    Layout("__hip_fp8x2_e5m2", 2, 2),
    Layout("__hip_fp8x4_e4m3", 4, 4),
    Layout("hiprandState", 48, 8),
    Layout("hiprandStatePhilox4_32_10_t", 64, 16),
]
SYCL = [
    *(
        Layout(f"sycl::{name}{lanes}", size * stored, min(size * stored, 64))
        for name, size in {**ELEMENTS, "half": 2}.items()
        for lanes in (2, 3, 4, 8, 16)
        if (stored := 4 if lanes == 3 else lanes)
    ),
    Layout("sycl::vec<float, 1>", 4, 4),
    Layout("sycl::marray<float, 3>", 12, 4),
    Layout("sycl::marray<double, 5>", 40, 8),
    Layout("sycl::half", 2, 2),
    Layout("sycl::ext::oneapi::bfloat16", 2, 2),
    *(Layout(f"sycl::{name}<{lanes}>", 8 * lanes, 8) for name in ("id", "range") for lanes in (1, 2, 3)),
    *(Layout(f"sycl::nd_range<{lanes}>", 24 * lanes, 8) for lanes in (1, 2, 3)),
]


def parsed(language: str, text: str, name: str = "probe.cpp") -> cindex.TranslationUnit:
    """A text parsed with the shims alone."""
    flags = [*language_flags(language), *shim_flags(language)]
    return cindex.Index.create().parse(name, args=flags, unsaved_files=[(name, text)], options=KEEP_GOING)


def errors(unit: cindex.TranslationUnit) -> list[str]:
    return [str(one) for one in unit.diagnostics if one.severity >= cindex.Diagnostic.Warning]


def sizes(language: str, includes: tuple[str, ...], layouts: list[Layout]) -> list[Layout]:
    """What libclang says of the types."""
    lines = [f"#include <{name}>" for name in includes]
    # A template is instantiated by the question for its size, not by its name.
    lines += [f"typedef {one.text} probe_{at}; static_assert(sizeof(probe_{at}));" for at, one in enumerate(layouts)]
    unit = parsed(language, "\n".join(lines))
    assert errors(unit) == []
    probes = [one for one in unit.cursor.get_children() if one.spelling.startswith("probe_")]
    assert len(probes) == len(layouts)
    types = [probe.underlying_typedef_type for probe in probes]
    return [Layout(layout.text, one.get_size(), one.get_align()) for layout, one in zip(layouts, types, strict=True)]


@pytest.mark.parametrize("language", ["cuda", "hip", "sycl"])
def test_the_standard_library_has_the_layout_of_libstdcxx(language: str) -> None:
    assert sizes(language, PLAIN_INCLUDES, PLAIN) == PLAIN


def test_cuda_types() -> None:
    layouts = CUDA + CUDA_RANDOM
    assert sizes("cuda", (*CUDA_INCLUDES, "curand_kernel.h"), layouts) == layouts


def test_hip_types() -> None:
    layouts = HIP + HIP_OTHERS
    includes = (*HIP_INCLUDES, "hip/hip_bf16.h", "hip/hip_fp8.h", "hiprand/hiprand_kernel.h")
    assert sizes("hip", includes, layouts) == layouts


def test_sycl_types() -> None:
    assert sizes("sycl", ("sycl/sycl.hpp",), SYCL) == SYCL


@pytest.mark.parametrize(
    ("layouts", "least"), [(CUDA + CUDA_RANDOM, 55), (HIP + HIP_OTHERS, 54), (SYCL, 65)], ids=["cuda", "hip", "sycl"]
)
def test_own_table_agrees(layouts: list[Layout], least: int) -> None:
    known = [(layout, found) for layout in layouts if (found := builtin_type(layout.text)) and found.size]
    # PTX names each register of a factor of halves twice, and the object is as large: a thread holds them once.
    halves = [one.text for one, _ in known if "matrix_" in one.text and "__half" in one.text]
    for one, found in known:
        if one.text in halves:
            assert (found.size or 0) < one.size or "16, 16, 16" not in one.text
        else:
            assert (one.text, found.size) == (one.text, one.size)
    assert len(known) >= least


# ---------------------------------------------------------------------------- nothing wrong is answered


@pytest.mark.parametrize(
    ("language", "include", "text"),
    [
        ("cuda", "cub/cub.cuh", "cub::BlockReduce<float, 256>::TempStorage"),
        ("cuda", "cub/cub.cuh", "cub::WarpScan<int>::TempStorage"),
        ("hip", "hipcub/hipcub.hpp", "hipcub::BlockLoad<float, 64, 4>::TempStorage"),
        ("cuda", "curand_kernel.h", "curandStateMRG32k3a_t"),
        ("cuda", "mma.h", "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 8, 8, 128, int>"),
    ],
)
def test_unknowable_size_has_no_answer(language: str, include: str, text: str) -> None:
    unit = parsed(language, f"#include <{include}>\ntypedef {text} probe;\nstatic_assert(sizeof(probe));")
    assert any("incomplete" in said or "undefined" in said for said in errors(unit))
    probe = next(one for one in unit.cursor.get_children() if one.spelling == "probe")
    assert probe.underlying_typedef_type.get_size() < 0


@pytest.mark.parametrize(
    ("language", "include", "text"),
    [
        ("sycl", "sycl/sycl.hpp", "sycl::queue"),
        ("sycl", "sycl/sycl.hpp", "sycl::local_accessor<float, 1>"),
        ("sycl", "iostream", "std::ostream"),
        ("cuda", "thrust/device_vector.h", "thrust::device_vector<int>"),
        ("cuda", "cuda_runtime.h", "cudaDeviceProp"),
    ],
)
def test_a_type_without_a_true_size_is_marked(language: str, include: str, text: str) -> None:
    unit = parsed(language, f"#include <{include}>\n{text} *probe;")
    probe = next(one for one in unit.cursor.get_children() if one.spelling == "probe")
    declared = probe.type.get_pointee().get_canonical().get_declaration()
    template = cindex.conf.lib.clang_getSpecializedCursorTemplate(declared) or declared
    marks = [one.spelling for one in template.get_children() if one.kind == cindex.CursorKind.ANNOTATE_ATTR]
    assert "regpress:unsized" in marks


@pytest.mark.parametrize("language", ["cuda", "hip"])
def test_values_that_sources_compute_with(language: str) -> None:
    half = "cuda_fp16.h" if language == "cuda" else "hip/hip_fp16.h"
    text = f"""
        #include <{half}>
        #include <algorithm>
        #include <limits>
        #include <bit>
        #include <numeric>
        constexpr __half one_and_a_half = 1.5f;
        static_assert(one_and_a_half.__x == 0x3e00 && float(one_and_a_half) == 1.5f);
        static_assert(std::max(3, 7) == 7 && std::min(3, 7) == 3 && max(3, 7u) == 7 && std::clamp(9, 1, 5) == 5);
        static_assert(std::numeric_limits<int>::max() == 2147483647 && std::numeric_limits<short>::min() == -32768);
        static_assert(std::numeric_limits<unsigned long>::max() == ~0ul && std::numeric_limits<bool>::digits == 1);
        static_assert(std::numeric_limits<float>::digits == 24 && std::numeric_limits<long>::digits10 == 18);
        static_assert(INT_MIN == -2147483647 - 1 && SIZE_MAX == ~0ul && FLT_MAX > 3e38f);
        static_assert(std::bit_ceil(33u) == 64 && std::gcd(12, 18) == 6 && std::lcm(4, 6) == 12);
        static_assert(sizeof(__ballot(1)) == {4 if language == "cuda" else 8});
    """
    assert errors(parsed(language, text)) == []


def test_the_value_of_a_bfloat_is_rounded_to_even() -> None:
    text = """
        #include <cuda_bf16.h>
        constexpr __nv_bfloat16 exact = 1.5f, up = 1.01171875f, even = 1.00390625f;
        static_assert(exact.__x == 0x3fc0 && up.__x == 0x3f82 && even.__x == 0x3f80);
    """
    assert errors(parsed("cuda", text)) == []


# ---------------------------------------------------------------------------- every header, and a kernel of each kind


@cache
def headers() -> tuple[str, ...]:
    return tuple(sorted(str(path.relative_to(SHIMS)) for path in SHIMS.rglob("*") if path.is_file()))


def meant_for(header: str, language: str) -> bool:
    """Whether a header is one for a language: a vendor's own are for its language, standard headers for all."""
    first = header.split("/")[0]
    if first in ("sycl", "CL") or first.startswith("regpress_sycl"):
        return language == "sycl"
    if first.startswith(("hip", "regpress_hip")):
        return language == "hip"
    if first.startswith(("cu", "cooperative_groups", "mma", "regpress_cuda")):
        return language == "cuda"
    # These are read through a vendor's header, which says how names begin.
    if first in ("regpress_runtime.h", "regpress_cub.h", "regpress_rand.h", "regpress_rand_host.h"):
        return False
    return language != "sycl" or not first.startswith(("thrust", "regpress_", "math_constants"))


def forwarded(header: str) -> str | None:
    """The header that is all another one holds."""
    match = FORWARD.fullmatch((SHIMS / header).read_text())
    return match[1] if match else None


def test_a_header_that_only_names_another_names_one_of_ours() -> None:
    forwards = {header: target for header in headers() if (target := forwarded(header))}
    assert {header: target for header, target in forwards.items() if target not in headers()} == {}
    # Nor does the other lead back.
    assert [header for header, target in forwards.items() if forwarded(target) == header] == []
    assert len(forwards) > 150


# libclang takes three times as long for a header with the names of CUDA or HIP: of those meant for both, CI asks about
# each in one, as a name that a header lacks is missing in either.
@pytest.mark.parametrize(
    ("language", "other", "part"),
    [
        pytest.param("cuda", "hip", 0, marks=pytest.mark.slow),
        pytest.param("hip", "cuda", 1, marks=pytest.mark.slow),
        pytest.param("sycl", "", 0, marks=pytest.mark.slow),
        pytest.param("cuda", "hip", 1, marks=pytest.mark.long),
        pytest.param("hip", "cuda", 0, marks=pytest.mark.long),
    ],
)
def test_each_header_parses_by_itself(language: str, other: str, part: int) -> None:
    every = [header for header in headers() if meant_for(header, language) and forwarded(header) is None]
    shared = [header for header in every if other and meant_for(header, other)]
    own = [header for header in every if header not in shared[1 - part :: 2]]
    found = {one: errors(parsed(language, f"#include <{one}>\n#include <{one}>\nint last;")) for one in own}
    assert {name: said for name, said in found.items() if said} == {}
    assert len(found) > 60


@pytest.mark.parametrize("first", ["hip", "cuda"])
def test_a_source_of_one_vendor_may_name_a_header_of_the_other(first: str) -> None:
    other = "cuda_runtime.h" if first == "hip" else "hip/hip_runtime.h"
    assert errors(parsed(first, f"#include <{other}>\n__global__ void kernel(float4 *p) {{ p->x = 1; }}")) == []


@pytest.mark.parametrize(
    ("language", "name"), [("cuda", "kernel.cu"), ("hip", "kernel.hip"), ("sycl", "kernel.sycl.cpp")]
)
def test_a_kernel_that_uses_the_range_parses_without_an_error(language: str, name: str) -> None:
    text = (SAMPLES / name).read_text()
    # TempStorage aside, nothing in the samples is unknown on purpose.
    assert errors(parsed(language, text)) == []


# ---------------------------------------------------------------------------- the compilers say the same


def asserts(includes: tuple[str, ...], layouts: list[Layout]) -> str:
    return "\n".join(
        [
            *(f"#include <{name}>" for name in includes),
            *(f"typedef {one.text} type_{at};" for at, one in enumerate(layouts)),
            *(
                f'static_assert(sizeof(type_{at}) == {one.size} && alignof(type_{at}) == {one.align}, "{one.text}");'
                for at, one in enumerate(layouts)
            ),
        ]
    )


@pytest.mark.compiler
def test_libstdcxx_agrees(tmp_path: Path) -> None:
    if reason := missing(".cpp"):
        pytest.skip(reason)
    source = tmp_path / "probe.cpp"
    source.write_text(asserts(PLAIN_INCLUDES, PLAIN))
    toolchain.run([str(chain().clang), "-std=gnu++17", "-fsyntax-only", str(source)])


@pytest.mark.compiler
def test_hip_headers_agree(tmp_path: Path) -> None:
    if reason := missing(".hip"):
        pytest.skip(reason)
    source = tmp_path / "probe.hip"
    source.write_text(asserts(("hip/hip_runtime.h", *HIP_INCLUDES), HIP))
    flags = ("-x", "hip", "--cuda-device-only", "--offload-arch=gfx90a", "-nogpulib", "-std=gnu++17", "-w")
    toolchain.run([str(chain().clang), *flags, "-D__HIP_PLATFORM_AMD__", "-fsyntax-only", str(source)])


@pytest.mark.compiler
def test_cuda_headers_agree(tmp_path: Path) -> None:
    if reason := missing(".cu"):
        pytest.skip(reason)
    source = tmp_path / "probe.cu"
    source.write_text(asserts(CUDA_INCLUDES, CUDA))
    command = [str(chain().nvcc), "-std=c++17", "-arch=sm_90", "-w", "-cubin", "-o", str(tmp_path / "out"), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
