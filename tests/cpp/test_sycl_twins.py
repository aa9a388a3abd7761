"""SYCL read as CUDA: a kernel and its twin give the same values, whatever the words."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import compilers
import pytest
from analysis_helpers import facts_of
from frontend_helpers import kernel

from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.preprocess.includes import IncludeResolver
from regpress_lint.model.passes.placement import executed
from regpress_lint.program import build_file
from regpress_lint.targets.compilers.amdgpu import GFX9

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.core.settings import Language
    from regpress_lint.program.file import File

PARAMETERS = "float *out, const float *in, int *count, const float4 *v, int n"
CUDA = f"""__global__ void k({PARAMETERS}) {{ BODY }}
void run({PARAMETERS}) {{ k<<<n, LAUNCH>>>(out, in, count, v, n); }}
"""
SYCL = f"""#include <sycl/sycl.hpp>
using float4 = sycl::float4;
void run(sycl::queue &q, {PARAMETERS}) {{ q.submit([&](sycl::handler &h) {{
  HOST
  h.parallel_for(LAUNCH, [=](ITEM it) {{ BODY }}); }}); }}
"""
ONE, TWO = "sycl::nd_range<1>(n, 256)", "sycl::nd_range<2>(sycl::range<2>(n, 64), sycl::range<2>(4, 64))"
ATOMIC = "sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>"
SHARED = "sycl::local_accessor<float, 1> s(sycl::range<1>(256), h);"


def values(text: str, language: Language) -> list[tuple[str, int, object, bool]]:
    """What an execution makes: operation, registers, what it is a source of."""
    facts = facts_of(text, language)
    graph = executed(facts.input_for(GFX9)).graph
    sources = [(key if isinstance(key, tuple) else "") for key in map(graph.sources.get, range(len(graph.ops)))]
    named = [tuple(part for part in key if isinstance(part, (str, int))) if key else "" for key in sources]
    return [
        (op, graph.widths[number], named[number], graph.divergent[number])
        for number, op in enumerate(graph.ops)
        if op != "source" or named[number] in COORDINATES
    ]


COORDINATES = {(name, axis) for name in ("threadIdx", "blockIdx", "blockDim", "gridDim") for axis in "xyz"}


def cuda(body: str, block: str = "256") -> str:
    return CUDA.replace("BODY", body).replace("LAUNCH", block)


def sycl(body: str, host: str = "", launch: str = ONE, item: str = "sycl::nd_item<1>") -> str:
    return SYCL.replace("BODY", body).replace("HOST", host).replace("LAUNCH", launch).replace("ITEM", item)


INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x; "
AT = "int i = it.get_global_id(0); "


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (INDEX + "out[i] = in[i];", AT + "out[i] = in[i];"),
        (INDEX + "out[i] = in[threadIdx.x];", AT + "out[i] = in[it.get_local_id(0)];"),
        (INDEX + "out[i] = in[threadIdx.x];", AT + "auto l = it.get_local_id(); out[i] = in[l[0]];"),
        (INDEX + "out[i] = in[blockIdx.x];", AT + "auto g = it.get_group(); out[i] = in[g.get_group_linear_id()];"),
        (INDEX + "out[i] = in[blockDim.x];", AT + "out[i] = in[it.get_local_range().get(0)];"),
        (INDEX + "out[i] = in[gridDim.x];", AT + "out[i] = in[it.get_group_range(0)];"),
        (INDEX + "out[i] = v[i].y;", AT + "out[i] = v[i].y();"),
        (INDEX + "out[i] = __expf(in[i]);", AT + "out[i] = sycl::native::exp(in[i]);"),
        (
            INDEX + "out[i] = __shfl_xor_sync(0xffffffff, in[i], 1);".replace("_sync(0xffffffff, ", "("),
            AT + "out[i] = sycl::permute_group_by_xor(it.get_sub_group(), in[i], 1);",
        ),
        (
            INDEX + "atomicAdd(&count[i], 1);",
            AT + f"{ATOMIC} c(count[i]); c.fetch_add(1);",
        ),
        (
            INDEX + "out[i] = atomicMax(&count[i], n);",
            AT + f"out[i] = {ATOMIC}(count[i]).fetch_max(n);",
        ),
        (
            INDEX + "out[i] = in[i]; __threadfence(); count[i] = 1;",
            AT + "out[i] = in[i]; it.mem_fence(); count[i] = 1;",
        ),
        (
            INDEX + "out[i] = (float)count[i];",
            AT + "out[i] = sycl::vec<int, 1>{count[i]}.convert<float, sycl::rounding_mode::automatic>()[0];",
        ),
        (INDEX + "out[i] = in[i % warpSize];", AT + "out[i] = in[i % it.get_sub_group().get_local_range()[0]];"),
    ],
)  # fmt: skip
def test_words_of_sycl_give_the_values_of_their_twins(one: str, other: str) -> None:
    assert values(cuda(one), "cuda") == values(sycl(other), "sycl")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (cuda(INDEX + "auto warp = cg::tiled_partition<32>(cg::this_thread_block()); out[i] = in[i];"), "cuda"),
        (cuda(INDEX + "cg::thread_block_tile<32> warp = tile(); out[i] = in[i];"), "hip"),
        (sycl(AT + "auto warp = it.get_sub_group(); out[i] = in[i];"), "sycl"),
        (sycl(AT + "sycl::sub_group warp = it.get_sub_group(); out[i] = in[i];"), "sycl"),
        (sycl(AT + "auto block = it.get_group(); out[i] = in[i];"), "sycl"),
    ],
)
def test_a_name_of_a_group_takes_no_register_and_leaves_nothing_open(text: str, language: Language) -> None:
    facts = facts_of(text, language)
    assert not facts.source.untyped
    assert facts_of(text.replace("out[i] = in[i]", "auto x = elsewhere(); out[i] = in[i]"), language).source.untyped


def test_the_last_dimension_of_an_item_is_the_first_of_cuda() -> None:
    one = "int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[threadIdx.y * blockDim.x + threadIdx.x];"
    other = "int i = it.get_global_id(1); out[i] = in[it.get_local_linear_id()];"
    expected = values(cuda(one, "dim3(64, 4)"), "cuda")
    assert expected == values(sycl(other, "", TWO, "sycl::nd_item<2>"), "sycl")
    assert expected == values(sycl(other, "", TWO, "auto"), "sycl")  # the launch says of how many dimensions


def test_an_id_is_a_number_and_an_element_of_itself() -> None:
    expected = values(cuda(INDEX + "out[i] = in[i];"), "cuda")
    for body, item in (("out[it] = in[it];", "sycl::id<1>"), ("out[it[0]] = in[it.get_id(0)];", "sycl::item<1>")):
        found = values(sycl(body, "", "sycl::range<1>(n)", item), "sycl")
        assert expected[-2:] == found[-2:]
        assert ("threadIdx", "x") in {source for _, _, source, _ in found}


@pytest.mark.parametrize(
    "body",
    [
        "s[it.get_local_id(0)] = in[i]; out[i] = s[0];",
        "float *p = s.get_multi_ptr<sycl::access::decorated::no>().get(); "
        "p[it.get_local_id(0)] = in[i]; out[i] = p[0];",
        "auto p = s.get_pointer(); p[it.get_local_id(0)] = in[i]; out[i] = p[0];",
    ],
)
def test_a_local_accessor_is_an_array_in_local_memory(body: str) -> None:
    one = INDEX + "__shared__ float s[256]; s[threadIdx.x] = in[i]; out[i] = s[0];"
    found, twin = facts_of(sycl(AT + body, SHARED), "sycl"), facts_of(cuda(one), "cuda")
    assert values(sycl(AT + body, SHARED), "sycl") == values(cuda(one), "cuda")
    assert found.launch.lds_bytes == twin.launch.lds_bytes == 1024


def test_local_accessor_passed_to_a_callee_is_local_memory() -> None:
    text = (
        "#include <sycl/sycl.hpp>\n"
        "void body(float *s, const float *in, float *out, sycl::nd_item<1> it) {\n"
        "  s[it.get_local_id(0)] = in[0]; out[0] = s[1]; }\n"
        "void run(sycl::queue &q, float *out, const float *in, int n) { q.submit([&](sycl::handler &h) {\n"
        "  sycl::local_accessor<float, 1> s(256, h);\n"
        "  h.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) { body(&s[0], in, out, it); }); }); }\n"
    )
    facts = facts_of(text, "sycl")
    assert {"load shared", "store shared"} <= {op for op, *_ in values(text, "sycl")}
    assert facts.launch.lds_bytes == 1024  # of the launch, once


@pytest.mark.parametrize(
    "host",
    [
        "sycl::accessor<float, 1, sycl::access::mode::read> a = b.get_access<sycl::access::mode::read>(h);",
        "auto a = b.get_access<sycl::access::mode::read>(h);",
        "sycl::accessor a(b, h, sycl::read_only);",
    ],
)
def test_an_accessor_of_one_dimension_is_a_pointer(host: str) -> None:
    text = sycl(AT + "out[i] = a[i];", host).replace("q.submit(", "sycl::buffer<float, 1> b(n); q.submit(")
    assert values(text, "sycl") == values(cuda(INDEX + "out[i] = in[i];"), "cuda")


MAIN = """#include <sycl/sycl.hpp>
#include "body.h"
void run(sycl::queue &q, float *x) {
  q.parallel_for(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> it) { body(x, it); });
}
"""
HEADER = """#include <sycl/sycl.hpp>
template <typename T> void body(T *x, sycl::nd_item<1> it) { T a[32]; x[it.get_global_id(0)] = a[0]; }
"""


def file_of(path: str, files: dict[str, str]) -> File:
    """The model of one file of a run over several."""
    data = {name: text.encode() for name, text in files.items()}
    resolver = IncludeResolver(
        ".", lambda path: data.get(path), (), lambda name: [path for path in data if path.endswith(name)]
    )
    return build_file(Source(path, data[path]), "sycl", Project(resolver, peers=lambda _path: sorted(data)))


def test_callee_of_a_thin_lambda_is_the_headers_kernel() -> None:
    files = {"body.h": HEADER, "main.cpp": MAIN}
    (own,) = file_of("body.h", files).kernels
    assert (own.path, own.name, own.entry) == ("body.h", "body", None)
    assert [(launch.path, launch.block_size) for launch in own.launches] == [("main.cpp", 256)]
    assert own.function.parameters[0].type.name == "float"  # deduced at the launch
    main = file_of("main.cpp", files)
    assert main.kernels == ()
    assert len(main.launches) == 1


def test_functor_has_the_arguments_of_its_class() -> None:
    text = (
        "#include <sycl/sycl.hpp>\n"
        "template <typename T, int N> struct Fill {\n"
        "  T *x; void operator()(sycl::nd_item<1> it) const { T a[N]; x[0] = a[0]; } };\n"
        "void run(sycl::queue &q, float *x, int n) { q.parallel_for(sycl::nd_range<1>(n, 64), Fill<float, 8>{x}); }\n"
    )
    found = kernel(text, "sycl")
    assert found.bindings == {"N": 8}
    (array,) = facts_of(text, "sycl").arrays
    assert array.bytes == 32


def test_callee_of_a_thin_lambda_has_the_launch_instantiations() -> None:
    text = (
        "#include <sycl/sycl.hpp>\n"
        "template <typename T, int N> void body(T *x, sycl::nd_item<1> it) { T a[N]; x[0] = a[0]; }\n"
        "template <int N> void run(sycl::queue &q, float *x, int n) {\n"
        "  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) { body<float, N>(x, it); }); }\n"
        "void all(sycl::queue &q, float *x, int n) { run<8>(q, x, n); run<24>(q, x, n); }\n"
    )
    found = kernel(text, "sycl")
    assert [(each.arguments, each.kernel.bindings["N"]) for each in found.instances] == [
        ("float, 8", 8),
        ("float, 24", 24),
    ]
    assert "N" not in found.bindings


@pytest.mark.parametrize("launched", ["make<32>(x)", "k"])
def test_a_lambda_that_a_factory_returns_by_name_is_followed(launched: str) -> None:
    text = (
        "#include <sycl/sycl.hpp>\n"
        "template <int N> auto make(float *x) {\n"
        "  auto body = [=](auto it) { float a[N]; x[it.get_global_id(0)] = a[0]; };\n"
        "  return body; }\n"
        "void run(sycl::queue &q, float *x, int n) { auto k = make<32>(x);\n"
        f"  q.parallel_for(sycl::nd_range<1>(n, 64), {launched}); }}\n"
    )
    found = kernel(text, "sycl")
    assert (found.name, found.launches[0].block_size, found.bindings) == ("make", 64, {"N": 32})


CLANG = """#define GLOBAL extern "C" __attribute__((global)) void
extern "C" __attribute__((device)) int __nvvm_read_ptx_sreg_tid_x();
struct Bins { float count[16]; };
static __attribute__((device)) void add(Bins bins, const int *key, float *out, int m) {
  for (int k = 0; k < m; ++k) bins.count[key[k] & 15] += 1.0f;
  out[0] = bins.count[0];
}
GLOBAL written(const Bins bins, const int *key, float *out, int m) { add(bins, key, out, m); }
GLOBAL read(const Bins bins, const int *key, float *out, int m) { out[0] = bins.count[key[m] & 15]; }
GLOBAL initialised(const int *key, float *out, int m) {
  const float t[8] = {1, 2, 3, 5, 8, 13, 21, 34};
  out[0] = t[key[m] & 7];
}
GLOBAL assigned(const int *key, float *out, int m) {
  float t[8];
  t[0] = 1; t[1] = 2; t[2] = 3; t[3] = 5; t[4] = 8; t[5] = 13; t[6] = 21; t[7] = 34;
  out[0] = t[key[m] & 7];
}
"""


@pytest.mark.compiler
def test_arrays_that_clang_keeps_in_local_memory_on_nvidia(tmp_path: Path) -> None:
    """clang compiles SYCL for NVIDIA: RP404 and RP601 differ from nvcc's there."""
    compilers.need(".cpp")
    source, ptx = tmp_path / "twins.cu", tmp_path / "twins.ptx"
    source.write_text(CLANG)
    flags = ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib", "-O3", "-S"]
    subprocess.run(["clang++-19", *flags, "-w", "-o", str(ptx), str(source)], check=True, capture_output=True)
    entries = re.findall(r"\.entry (\w+)\((.*?)^}", ptx.read_text(), re.DOTALL | re.MULTILINE)
    assert {name for name, body in entries if ".local" in body} == {"written", "assigned"}
