"""Kernels that a portability layer launches: Kokkos, AMReX, RAJA, alpaka, hemi, Thrust, CUB, and those of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from frontend_helpers import build, kernel, nodes

from regpress_lint.core.settings import DeviceWords, Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.language import detect_language
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.syntax_tree import Declare, Return
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.pipeline import lint_bytes
from regpress_lint.program import build_file

if TYPE_CHECKING:
    from regpress_lint.core.settings import Language

BODY = "{ x[i] = 1; }"
ALPAKA = (
    "struct Set {{ template <typename TAcc>\n"
    "ALPAKA_FN_ACC {} operator()(TAcc const &acc, float *x) const {}{{ x[0] = 1; }} }};"
)
POLICY = "Kokkos::RangePolicy"
FUNCTOR = "struct Set { float *x; MARK void operator()(int i) const { x[i] = 1; } };\n"


@pytest.mark.parametrize(
    ("code", "name", "form", "bounds", "block"),
    [
        (
            f'RUN Kokkos::parallel_for("set", n, KOKKOS_LAMBDA(const int i) {BODY}); }}',
            "run",
            "Kokkos::parallel_for",
            None,
            None,
        ),
        (f"RUN par_for(mesh, n, KOKKOS_LAMBDA(const int i) {BODY}); }}", "run", "Kokkos::par_for", None, None),
        (
            f"RUN Kokkos::parallel_for({POLICY}<Kokkos::LaunchBounds<128, 2>>(0, n), KOKKOS_LAMBDA(int i) {BODY}); }}",
            "run",
            "Kokkos::parallel_for",
            (128, 2),
            128,
        ),
        (
            f"using P = {POLICY}<Kokkos::LaunchBounds<64>>;\n"
            f"RUN Kokkos::parallel_for(P(0, n), KOKKOS_CLASS_LAMBDA(int i) {BODY}); }}",
            "run",
            "Kokkos::parallel_for",
            (64, None),
            64,
        ),
        (
            "using Least = Kokkos::MinLoc<double, int, Kokkos::HostSpace>; RUN Least::value_type least;\n"
            f"Kokkos::parallel_reduce(n, KOKKOS_LAMBDA(int i, Least::value_type &m) {BODY}, Least(least)); }}",
            "run",
            "Kokkos::parallel_reduce",
            None,
            None,
        ),
        (FUNCTOR.replace("MARK", "KOKKOS_INLINE_FUNCTION"), "Set", "Kokkos::functor", None, None),
        (
            FUNCTOR.replace("MARK", "KOKKOS_FUNCTION") + "RUN Kokkos::parallel_for(n, Set{x}); }",
            "Set",
            "Kokkos::parallel_for",
            None,
            None,
        ),
        (
            f"RUN amrex::ParallelFor(box, [=] AMREX_GPU_DEVICE (int i, int j, int k) noexcept {BODY}); }}",
            "run",
            "AMReX::ParallelFor",
            (256, None),
            256,
        ),
        (
            f"RUN ParallelFor<128>(n, [=] AMREX_GPU_HOST_DEVICE (int i) {BODY}); }}",
            "run",
            "AMReX::ParallelFor",
            (128, None),
            128,
        ),
        (f"RUN my_own(n, [=] AMREX_GPU_DEVICE (int i) {BODY}); }}", "run", "AMReX::my_own", (256, None), 256),
        (f"RUN AMREX_FOR_1D(n, i, {BODY}); }}", "run", "AMReX::AMREX_FOR_1D", (256, None), 256),
        (
            f"RUN AMREX_PARALLEL_FOR_3D ( box, i, j, k,\n{BODY});\n go(); }}",
            "run",
            "AMReX::AMREX_PARALLEL_FOR_3D",
            (256, None),
            256,
        ),
        (
            f"RUN AMREX_HOST_DEVICE_FOR_4D_FLAG(Gpu(1), box, n, i, j, k, c,\n {BODY})\n go(); }}",
            "run",
            "AMReX::AMREX_HOST_DEVICE_FOR_4D_FLAG",
            (256, None),
            256,
        ),
        (
            f"RUN AMREX_LAUNCH_DEVICE_LAMBDA(box, part, {{ for (int i = 0; i < 2; i++) {BODY} }}); }}",
            "run",
            "AMReX::AMREX_LAUNCH_DEVICE_LAMBDA",
            (256, None),
            256,
        ),
        (
            "struct KernelSum { template <class W> DINLINE void operator()(W const &w, float *x) const { *x = 1; } };",
            "KernelSum",
            "PMacc::functor",
            None,
            None,
        ),
        (
            "struct Sum { template <class W> HDINLINE void operator()(W const &w, float *x) const { x[0] = 1; } };\n"
            "RUN PMACC_LOCKSTEP_KERNEL(Sum{}).config<256>(n)(x); }",
            "Sum",
            "PMacc::PMACC_LOCKSTEP_KERNEL",
            None,
            None,
        ),
        (
            f"constexpr int BLOCK = 512;\nusing EXEC = RAJA::cuda_exec<BLOCK>;\n"
            f"RUN RAJA::forall<EXEC>(r, [=] RAJA_DEVICE (int i) {BODY}); }}",
            "run",
            "RAJA::forall",
            (512, None),
            512,
        ),
        (
            f"RUN RAJA::forall<RAJA::hip_exec<64, true>>(r, [=](RAJA::Index_type i) {BODY}); }}",
            "run",
            "RAJA::forall",
            (64, None),
            64,
        ),
        (f"RUN RAJA::kernel<POLICY>(r, [=] RAJA_HOST_DEVICE (int i) {BODY}); }}", "run", "RAJA::kernel", None, None),
        (ALPAKA.format("void", ""), "Set", "alpaka::functor", None, None),
        (ALPAKA.format("auto", "-> void "), "Set", "alpaka::functor", None, None),
        (f"RUN hemi::parallel_for(0, n, [=] HEMI_LAMBDA (int i) {BODY}); }}", "run", "hemi::parallel_for", None, None),
        (
            f"RUN thrust::for_each(x, x + n, [=] __device__ (int i) {BODY}); }}",
            "run",
            "thrust::for_each",
            (256, None),
            256,
        ),
        (
            FUNCTOR.replace("MARK", "__host__ __device__") + "RUN Set set{x}; thrust::for_each_n(d.begin(), n, set); }",
            "Set",
            "thrust::for_each_n",
            (256, None),
            256,
        ),
        (f"RUN cub::DeviceFor::Bulk(n, [=] __device__ (int i) {BODY}); }}", "run", "CUB::Bulk", (256, None), 256),
    ],
)
@pytest.mark.parametrize("language", ["cuda", "hip", "sycl"])
def test_kernels_of_layers(
    code: str, name: str, form: str, bounds: tuple[int, int | None] | None, block: int | None, language: Language
) -> None:
    found = kernel(code.replace("RUN", "void run(int n, float *x) {") + "\n", language)
    assert (found.name, found.form, found.language) == (name, form, language)
    assert found.complete
    stated = found.launch_bounds
    assert (None if stated is None else (stated.max_threads, stated.min_blocks)) == bounds
    assert [launch.block_size for launch in found.launches] in ([], [block])
    assert bool(found.launches) == (not form.endswith("functor"))


@pytest.mark.parametrize(
    "code",
    [
        f"RUN Kokkos::parallel_for({POLICY}<Kokkos::Serial>(0, n), KOKKOS_LAMBDA(int i) {BODY}); }}",
        f"using Host = {POLICY}<Kokkos::HostSpace::execution_space>;\n"
        f"RUN Kokkos::parallel_for(Host(0, n), KOKKOS_LAMBDA(int i) {BODY}); }}",
        f"using Host = {POLICY}<Kokkos::OpenMP>;\n"
        f"RUN Kokkos::parallel_for(Host(0, n), KOKKOS_LAMBDA(int i) {BODY}); }}",
        f"RUN RAJA::forall<RAJA::seq_exec>(r, [=] RAJA_DEVICE (int i) {BODY}); }}",
        f"RUN RAJA::forall<RAJA::omp_parallel_for_exec>(r, [=](int i) {BODY}); }}",
        f"RUN RAJA::forall<POLICY>(r, [=](int i) {BODY}); }}",
        f"RUN thrust::for_each(thrust::host, x, x + n, [=] __host__ __device__ (int i) {BODY}); }}",
        f"__device__ void run(int n, float *x) {{ thrust::for_each(x, x + n, [=] __device__ (int i) {BODY}); }}",
        f"RUN std::for_each(x, x + n, [=] __host__ __device__ (int i) {BODY}); }}",
        f"RUN auto f = KOKKOS_LAMBDA(int i) {BODY}; }}",
        f"KOKKOS_FUNCTION void run(int n, float *x) {{ visit(KOKKOS_LAMBDA(int i) {BODY}); }}",
        "struct Sum { template <class W> DINLINE void operator()(W const &w, float *x) const { x[0] = 1; } };",
        "RUN AMREX_GPU_DEVICE_ONLY(n, i, { x[i] = 1; }); }",
        "struct Less { KOKKOS_INLINE_FUNCTION bool operator()(int a, int b) const { return a < b; } };",
        "struct Add { __host__ __device__ int operator()(int a, int b) const { return a + b; } };\n"
        "RUN thrust::reduce(x, x + n, 0, Add()); }",
    ],
)
def test_no_kernel_of_a_layer(code: str) -> None:
    assert build(code.replace("RUN", "void run(int n, float *x) {") + "\n").kernels == ()


def test_threads_of_a_team_belong_to_its_kernel() -> None:
    found = kernel(
        "void run(int n, double *x) { Kokkos::parallel_for(Kokkos::TeamPolicy<>(n, Kokkos::AUTO),\n"
        "  KOKKOS_LAMBDA(const Kokkos::TeamPolicy<>::member_type &team) {\n"
        "    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), KOKKOS_LAMBDA(int i) { x[i] = 1; }); }); }\n"
    )
    (launch,) = found.launches
    assert (found.line, launch.dynamic_lds_bytes) == (2, None)


def test_the_nearest_alias_of_a_policy_counts() -> None:
    found = build(
        "void run(int n, float *x) {\n"
        "  { using P = RAJA::seq_exec; RAJA::forall<P>(r, [=] RAJA_DEVICE (int i) { x[i] = 1; }); }\n"
        "  { using P = RAJA::cuda_exec<64>; RAJA::forall<P>(r, [=] RAJA_DEVICE (int i) { x[i] = 1; }); }\n}\n"
    )
    assert [each.line for each in found.kernels] == [3]


RANGE = "Kokkos::RangePolicy<Kokkos::LaunchBounds<{}>>"
RUNS = "Kokkos::parallel_for({}, KOKKOS_LAMBDA(const int i) { x[i] = 1; });"


@pytest.mark.parametrize(
    ("code", "bounds"),
    [
        (f"RUN {RANGE.format('64, 8')} policy(0, n); {RUNS.replace('{}', 'policy')} }}", (64, 8)),
        (f"RUN const auto p = {RANGE.format(160)}(0, n); {RUNS.replace('{}', 'p')} }}", (160, None)),
        (
            f"using First = {RANGE.format('32 * 4')}; using Second = First;\nRUN Second p{{0, n}}; "
            f"{RUNS.replace('{}', 'p')} }}",
            (128, None),
        ),
        (
            f"template <int B> using Pol = {RANGE.format('B, 2')};\nRUN {RUNS.replace('{}', 'Pol<224>(0, n)')} }}",
            (224, 2),
        ),
        (
            f"template <int B> RUN {RUNS.replace('{}', RANGE.format('B') + '(0, n)')} }}\n"
            "template void run<192>(int, float *);",
            (192, None),
        ),
        (
            "template <class P> RUN RAJA::forall<P>(range, [=] RAJA_DEVICE(int i) { x[i] = 1; }); }\n"
            "template void run<RAJA::cuda_exec<320>>(int, float *);",
            (320, None),
        ),
        (
            "RUN RAJA::forall<RAJA::cuda_exec_explicit<256, 4>>(range, [=] RAJA_DEVICE(int i) { x[i] = 1; }); }",
            (256, 4),
        ),
        (
            "constexpr int Threads = 48;\ntemplate <int T = Threads> RUN "
            "amrex::ParallelFor<T>(n, [=] AMREX_GPU_DEVICE(int i) { x[i] = 1; }); }",
            (48, None),
        ),
        (
            FUNCTOR.replace("MARK", "KOKKOS_FUNCTION") + "template <class F> void each(int n, F f) {\n"
            f"Kokkos::parallel_for({RANGE.format('96, 4')}(0, n), f); }}\nRUN each(n, Set{{x}}); }}",
            (96, 4),
        ),
    ],
)
def test_bounds_through_names_and_templates(code: str, bounds: tuple[int, int | None]) -> None:
    found = kernel(code.replace("RUN", "void run(int n, float *x) {") + "\n").launch_bounds
    assert found is not None
    assert (found.max_threads, found.min_blocks) == bounds


def test_each_lambda_of_a_call_is_a_kernel() -> None:
    found = build(
        "void run(int n, float *x, float *y) {\n"
        "  amrex::ParallelFor(n, [=] AMREX_GPU_DEVICE (int i) { x[i] = 1; },\n"
        "                     n, [=] AMREX_GPU_DEVICE (int i) { y[i] = 1; }); }\n"
    )
    assert [(each.name, each.line) for each in found.kernels] == [("run", 2), ("run", 3)]


def test_the_parameters_of_a_block_have_the_types_that_the_macro_gives_them() -> None:
    call = "AMREX_HOST_DEVICE_PARALLEL_FOR_4D(box, n, i, j, k, m, { x[m] = f; });"
    text = f"void run(int n, double f, double *x) {{ {call} }}\n"
    function = kernel(text).function
    declared = [each for node in nodes(function, Declare) for each in node.variables]
    assert [(each.name, each.type.name) for each in declared] == [(name, "int") for name in "ijkm"]
    assert text[slice(*declared[3].span)] == "m"
    assert {each.name for each in function.captures} == {"f", "x"}


def test_a_macro_of_the_project_may_make_the_lambda() -> None:
    header = "#define EACH(n, i, ...) mesh(n, [=] __device__ (int i) __VA_ARGS__)\n"
    code = "void run(int n, float *x) { EACH(n, i, { x[i] = 1; }); EACH(8, j, { x[j] = 2; }); }\n"
    words = DeviceWords({}, {"EACH": 64})
    found = build_file(Source("a.cpp", (header + code).encode()), "cuda", Project(words=words)).kernels
    assert [each.launch_bounds and each.launch_bounds.max_threads for each in found] == [64, 64]
    assert [each.variables[0].type.name for each in nodes(found[0].function, Declare)] == ["int"]
    own = DeviceWords({"EACH(n, i, body)": "mesh(n, [=] __device__ (int i) body)"}, {"EACH": 64})
    assert len(build_file(Source("a.cpp", code.encode()), "cuda", Project(words=own)).kernels) == 2


def test_indices_are_the_thread_s_and_captures_are_not() -> None:
    function = kernel(
        "void run(int n, float *x) { Kokkos::parallel_for(n, KOKKOS_LAMBDA(const int i, float &sum) { x[i] = n; }); }\n"
    ).function
    assert [each.name for each in function.parameters] == ["sum"]
    declared = [each.name for node in nodes(function.body, Declare) for each in node.variables]
    assert declared == ["i"]
    assert {each.name for each in function.captures} == {"x", "n"}


def test_return_value_of_a_functor_is_stored() -> None:
    function = kernel(
        "struct Half { __device__ float operator()(float v) const { if (v > 1) return 1; return v / 2; } };\n"
        "void run(thrust::device_vector<float> &v) { thrust::transform(v.begin(), v.end(), v.begin(), Half()); }\n"
    ).function
    assert [each.value for each in nodes(function, Return)] == [None, None]
    assert [each.type.pointers for each in function.parameters] == [1, 1]


def test_a_functor_that_a_kernel_calls_keeps_its_parameters() -> None:
    found = build(
        "struct Half { __host__ __device__ float operator()(float v) const { return v / 2; } };\n"
        "__global__ void k(float *x) { Half half; x[threadIdx.x] = half(x[threadIdx.x]); }\n"
        "void run(thrust::device_vector<float> &v) { thrust::transform(v.begin(), v.end(), v.begin(), Half()); }\n"
    )
    assert [each.name for each in found.kernels] == ["Half", "k"]
    (layered, _) = found.kernels
    own = found.method("Half", "operator()", 1)
    assert layered.function.parameters != ()
    assert own is not None
    assert [each.storage for each in own.parameters] == ["parameter"]


OWN = DeviceWords(
    {"MY_LAMBDA": "[=] __device__", "MY_KERNEL(name)": "__global__ void name"}, {"mesh::cells": 128, "anywhere": 0}
)


@pytest.mark.parametrize(
    ("code", "name", "threads"),
    [
        ("void run(float *x) { mesh::cells(8, MY_LAMBDA(int i) { x[i] = 1; }); }", "run", 128),
        ("void run(float *x) { anywhere(8, [=] __device__ (int i) { x[i] = 1; }); }", "run", None),
        ("MY_KERNEL(set)(float *x) { x[threadIdx.x] = 1; }", "set", None),
    ],
)
def test_words_of_the_configuration(code: str, name: str, threads: int | None) -> None:
    data = f"{code}\n".encode()
    assert detect_language("a.cpp", data, OWN.seen) == "cuda"
    (found,) = build_file(Source("a.cpp", data), "cuda", Project(words=OWN)).kernels
    assert (found.name, found.launch_bounds and found.launch_bounds.max_threads) == (name, threads)
    assert build_file(Source("a.cpp", data), "cuda", Project()).kernels == ()


def test_settings_carry_the_words_to_a_file() -> None:
    data = b"void run(float *x) { cells(8, MY_LAMBDA(int i) { x[i] = pow(x[i], 2.0); }); }\n"
    settings = Settings(kernel_macros={"MY_LAMBDA": "[=] __device__"}, launch_functions={"cells": 0})
    assert lint_bytes(data, "a.cpp", settings).kernels == 1
    assert lint_bytes(data, "a.cpp", Settings()).kernels == 0


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (f"void run(float *x) {{ go(KOKKOS_LAMBDA(int i) {BODY}); }}", "cuda"),
        (f"hipError_t e; void run(float *x) {{ go(KOKKOS_LAMBDA(int i) {BODY}); }}", "hip"),
        (f"sycl::queue q; void run(float *x) {{ go(KOKKOS_LAMBDA(int i) {BODY}); }}", "sycl"),
        ("int run() { return 0; }", None),
    ],
)
def test_language_of_a_file_with_a_layer(text: str, language: Language | None) -> None:
    assert detect_language("a.cpp", text.encode()) == language


@pytest.mark.parametrize(
    "body",
    [
        "AMREX_D_TERM(p[1] = i;, p[2] = i;, p[3] = i;);",
        "AMREX_D_TERM(float a = x[i];, float b = x[i + 1];, float c = x[i + 2]); p[i] = a;",
        "f(x,\n#if (DIM == 2)\n  y,\n#endif\n  z);",
        "\n#if (DIM == 2)\n int k(0);\n#else\n for (int k = 0; k < 2; k++) {\n#endif\n for (int j = 0; j < 2; j++) {\n"
        " x[j] = k; AMREX_D_TERM(},},)\n x[i] = 1;",
        "if (i) { x[i] = 1;\n#ifdef A\n } else if (n == 2) { x[i] = 2;\n#endif\n } else { x[i] = 3; }",
        "if (i) x[i] = 1;\n#if (DIM > 1)\n else\n#if (DIM > 2)\n if (i == 1)\n#endif\n { x[i] = 2; }\n#endif\n",
    ],
)
def test_lambdas_are_read_whole(body: str) -> None:
    text = (
        "#ifdef AMREX_USE_GPU\nvoid run(int n, float *x, float *p) {\n"
        f"amrex::ParallelFor(n, [=] AMREX_GPU_DEVICE (int i) noexcept {{ {body} }});\n}}\n#endif\n"
    )
    assert kernel(text).complete


@pytest.mark.parametrize(
    "body",
    ["u(i, j, k) = 2 * u(i, j, k);", "all[i](i, j, k) = 1;", "Array4<double> const& v = all[i]; v(i, j, k) = 1;"],
)
def test_called_object_is_not_a_function_pointer(body: str) -> None:
    text = (
        "void run(Box const& bx, Array4<double> const& u, MultiArray4<double> const& all) {\n"
        f"  amrex::ParallelFor(bx, [=] AMREX_GPU_DEVICE (int i, int j, int k) {{ {body} }}); }}\n"
    )
    report = lint_bytes(text.encode(), "a.cpp", Settings(architectures=("gfx90a", "sm_90"), profile="strict"))
    assert [each.code for each in report.diagnostics if each.code == "RP701"] == []
    file = build(text, "hip")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a",)))
    assert facts.target("gfx90a").registers.estimate < 30  # a call through a pointer alone takes 44


def test_a_kernel_in_another_branch_than_the_first_is_read_whole() -> None:
    text = (
        "void run(int n, float *x) {\n#ifdef A\n go();\n#else\n"
        "Kokkos::parallel_for(n, KOKKOS_LAMBDA(int i) { if (i) { x[i] = 1;\n"
        "#ifdef B\n } else if (n == 2) { x[i] = 2;\n#endif\n } else { x[i] = 3; } });\n#endif\n}\n"
    )
    assert kernel(text).complete
