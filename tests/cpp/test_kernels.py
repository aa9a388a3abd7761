"""Kernels of CUDA and HIP: every form of definition, what is no kernel, and the launch bounds in each place."""

from __future__ import annotations

import pytest
from frontend_helpers import build, kernel

from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

BODY = "{ p[0] = 1; }"


@pytest.mark.parametrize(
    "definition",
    [
        "__global__ void k(float *p) BODY",
        "void __global__ k(float *p) BODY",
        "static __global__ void k(float *p) BODY",
        "__global__ static void k(float *p) BODY",
        "inline __global__ void k(float *p) BODY",
        'extern "C" __global__ void k(float *p) BODY',
        'extern "C" {\n__global__ void k(float *p) BODY\n}',
        "namespace a { namespace b {\n__global__ void k(float *p) BODY\n} }",
        "namespace a::b {\n__global__ void k(float *p) BODY\n}",
        "namespace {\n__global__ void k(float *p) BODY\n}",
        "template <typename T, int N>\n__global__ void k(T *p) BODY",
        "template <typename T> static __global__ void k(T *p) BODY",
        "template <> __global__ void k<float>(float *p) BODY",
        "template <typename T, std::enable_if_t<(sizeof(T) > 4), int> = 0> __global__ void k(T *p) BODY",
        "struct S { static __global__ void k(float *p) BODY };",
        "template <class T> class S { public: static __global__ void k(T *p) BODY };",
        "__global__\nvoid\nk(float *p)\nBODY",
        "__global__ void /* why */ k(float *p) // what\nBODY",
        "#ifdef A\n__global__ void k(float *p) BODY\n#endif",
        '#define K extern "C" __global__ void\nK k(float *p) BODY',
        "#define KERNEL __global__\nKERNEL void k(float *p) BODY",
        "#define RAFT_KERNEL __global__ static void\nRAFT_KERNEL k(float *p) BODY",
        "#define KERNEL(name) __global__ void name\nKERNEL(k)(float *p) BODY",
        "#define BOUNDS(n) __launch_bounds__(n) __global__ void\nBOUNDS(64) k(float *p) BODY",
        "__global__ void __attribute__((amdgpu_flat_work_group_size(1, 64))) k(float *p) BODY",
        "[[maybe_unused]] __global__ void k(float *p) BODY",
        "__global__ __attribute__((used)) void k(float *p) BODY",
        "__attribute__((global)) void k(float *p) BODY",
        "void __attribute__((__global__)) k(float *p) BODY",
        "__attribute ((used, global)) void k(float *p) BODY",
        "__declspec(global) void k(float *p) BODY",
        "struct S { static __attribute__((global)) void k(float *p) BODY };",
        'extern "C" {\n__attribute__((amdgpu_flat_work_group_size(64, 64), global)) void k(float *p) BODY\n}',
        "#define KERNEL __attribute__((used)) __attribute__((global)) void\nKERNEL k(float *p) BODY",
        "__global__ auto k(float *p) -> void BODY",
        "__global__ void (k)(float *p) BODY",
        "__global__ void k(float *__restrict__ p, const __grid_constant__ P q) BODY",
    ],
)
def test_forms_of_definition(definition: str) -> None:
    text = definition.replace("BODY", BODY) + "\nvoid after() { }\n"
    found = kernel(text)
    assert found.name == "k"
    assert found.complete
    source = text.encode()
    assert source[found.name_span.start : found.name_span.end] == b"k"
    assert source[found.function.body.span.start : found.function.body.span.end].decode() == BODY
    assert found.line == source[: found.name_span.start].count(b"\n") + 1
    assert found.end_line == source[: source.index(b"p[0] = 1;")].count(b"\n") + 1


@pytest.mark.parametrize("other", ["cleanup(global)", 'annotate("global")', "used", "device"])
def test_attributes_that_make_no_kernel(other: str) -> None:
    assert not build(
        f"__attribute__(({other})) void k(float *p) {BODY}\n__global__ void only(float *p) {BODY}"
    ).kernels[1:]


def test_shared_memory_as_an_attribute() -> None:
    tile = "__attribute__((shared)) float tile[64]; tile[threadIdx.x] = p[0]; p[1] = tile[5];"
    file = build(f"__attribute__((global)) void k(float *p) {{ {tile} }}")
    assert kernel_facts(file, file.kernels[0], Settings()).launch.lds_bytes == 256


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void k(float *p);",
        "template <typename T> __global__ void k(T *p);",
        "template __global__ void k<float>(float *p);",
        "extern template __global__ void k<float>(float *p);",
        "__device__ void f(float *p) { }",
        "__host__ __device__ inline float f(float p) { return p; }",
        "void f(float *p) { k<<<1, 2>>>(p); }",
        "// __global__ void k(float *p) { }\n__device__ int x;",
        "#if 0\n__global__ void k(float *p);\n#endif",
    ],
)
def test_no_kernel(text: str) -> None:
    assert build(text + "\n").kernels == ()


def test_device_function_after_a_kernel_prototype_is_not_a_kernel() -> None:
    text = "__global__ void k(float *p);\n__device__ void f(float *p) { p[0] = 1; }\n"
    assert build(text).kernels == ()


def test_several_kernels_in_file_order() -> None:
    text = "".join(
        f"__global__ void k{i}(float *p) {{ p[{i}] = 1; }}\n__device__ void f{i}() {{ }}\n" for i in range(20)
    )
    assert [found.name for found in build(text).kernels] == [f"k{i}" for i in range(20)]


def test_overloads_are_two_kernels() -> None:
    text = "__global__ void k(float *p) { p[0] = 1; }\n__global__ void k(double *p) { p[0] = 2; }\n"
    assert [found.line for found in build(text).kernels] == [1, 2]


def test_specialisation_is_a_kernel_with_its_own_parameters() -> None:
    text = (
        "template <class T> __global__ void k(T *p) { p[0] = 1; }\n"
        "template <> __global__ void k<double>(double *p) { p[0] = 2; }\n"
    )
    general, special = build(text).kernels
    assert general.function.parameters[0].type.pointee_size is None
    assert special.function.parameters[0].type.pointee_size == 8


# ------------------------------------------------------------------------------------------------- launch bounds


@pytest.mark.parametrize(
    ("head", "texts", "threads", "blocks"),
    [
        ("__global__ void __launch_bounds__(256) k(float *p)", ("256",), 256, None),
        ("__global__ __launch_bounds__(256, 2) void k(float *p)", ("256", "2"), 256, 2),
        ("__launch_bounds__(256) __global__ void k(float *p)", ("256",), 256, None),
        ("__global__ void __launch_bounds__(128, 4, 2) k(float *p)", ("128", "4", "2"), 128, 4),
        ("__global__ void\n__launch_bounds__ (64 * 2)\nk(float *p)", ("64 * 2",), 128, None),
        ("__global__ void __launch_bounds__(MACRO) k(float *p)", ("MACRO",), 96, None),
        ("__global__ void __launch_bounds__(kThreads, kBlocks) k(float *p)", ("kThreads", "kBlocks"), 160, 3),
        ("__global__ void __launch_bounds__(S::N) k(float *p)", ("S::N",), 48, None),
        ("__global__ void __launch_bounds__(E) k(float *p)", ("E",), 32, None),
        ("__global__ void __launch_bounds__(max(64, 32)) k(float *p)", ("max(64, 32)",), 64, None),
        ("__global__ void __launch_bounds__(UNSEEN, 2) k(float *p)", ("UNSEEN", "2"), None, 2),
        ("__global__ void __launch_bounds__(square(8)) k(float *p)", ("square(8)",), 64, None),
        ("template <int B> __global__ void __launch_bounds__(B) k(float *p)", ("B",), None, None),
        ("template <int B = 64> __global__ void __launch_bounds__(B) k(float *p)", ("B",), 64, None),
        ("template <int B = 64> __global__ void __launch_bounds__(B * 2, 1) k(float *p)", ("B * 2", "1"), 128, 1),
        ("template <int kThreads> __global__ void __launch_bounds__(kThreads) k(float *p)", ("kThreads",), None, None),
        ("C10_LAUNCH_BOUNDS_1(128) __global__ void k(float *p)", ("128",), 128, None),
        ("BOUNDED __global__ void k(float *p)", ("192", "2"), 192, 2),
        ("__attribute__((launch_bounds(96, 2))) __attribute__((global)) void k(float *p)", ("96", "2"), 96, 2),
        ("__attribute__((global, launch_bounds(96))) void k(float *p)", ("96",), 96, None),
        ("#ifdef A\n__global__ void __launch_bounds__(32) k(float *p)\n#endif", ("32",), 32, None),
    ],
)
def test_launch_bounds(head: str, texts: tuple[str, ...], threads: int | None, blocks: int | None) -> None:
    before = (
        "#define MACRO 96\n#define C10_LAUNCH_BOUNDS_1(n) __launch_bounds__((n))\n"
        "#define BOUNDED __launch_bounds__(192, 2)\nconst int kThreads = 160;\nstatic constexpr int kBlocks = 3;\n"
        "struct S { static const int N = 48; };\nenum { D = 31, E };\n"
        "constexpr int square(int v) { return v * v; }\n"
    )
    opening, closing = (head.rsplit("\n", 1)[0], "\n#endif") if head.startswith("#ifdef") else (head, "")
    bounds = kernel(f"{before}{opening} {BODY}{closing}\n").launch_bounds
    assert bounds is not None
    assert (bounds.max_threads, bounds.min_blocks) == (threads, blocks)
    if "LAUNCH_BOUNDS_1" not in head:
        assert bounds.texts == texts
    assert not bounds.required


def test_bounds_span_covers_the_source_text() -> None:
    text = f"__global__ void __launch_bounds__(256, 2) k(float *p) {BODY}\n"
    bounds = kernel(text).launch_bounds
    assert bounds is not None
    assert text[bounds.span.start : bounds.span.end] == "__launch_bounds__(256, 2)"


def test_bounds_belong_to_their_own_kernel() -> None:
    text = f"__global__ void __launch_bounds__(64) a(float *p) {BODY}\n__global__ void b(float *p) {BODY}\n"
    first, second = build(text).kernels
    assert first.launch_bounds is not None
    assert second.launch_bounds is None


def test_bounds_on_the_prototype_do_not_reach_another_kernel() -> None:
    text = f"__global__ void __launch_bounds__(64) a(float *p);\n__global__ void b(float *p) {BODY}\n"
    assert kernel(text).launch_bounds is None


TEMPLATE = "template <typename T, int B = 128, int U = 2>\n__global__ void __launch_bounds__(B) k(T *p) { p[0] = U; }\n"


@pytest.mark.parametrize(
    ("launches", "bindings", "threads"),
    [
        ("", {"B": 128, "U": 2}, 128),
        ("k<float, 64><<<1, 64>>>(x);", {"B": 64, "U": 2}, 64),
        ("k<float, 64><<<1, 64>>>(x); k<double, 64, 4><<<1, 64>>>(x);", {"B": 64}, 64),
        ("k<float, 64><<<1, 64>>>(x); k<float, 32><<<1, 32>>>(x);", {"U": 2}, None),
        ("k<float, N><<<1, N>>>(x);", {"B": 256, "U": 2}, 256),
        ("k<float, n><<<1, n>>>(x);", {"U": 2}, None),
        ("k<float><<<1, 128>>>(x);", {"B": 128, "U": 2}, 128),
    ],
)
def test_template_parameters_bound_by_launches(launches: str, bindings: dict[str, int], threads: int | None) -> None:
    found = kernel(f"#define N 256\n{TEMPLATE}void run(float *x) {{ {launches} }}\n")
    assert dict(found.bindings) == bindings
    assert found.launch_bounds is not None
    assert found.launch_bounds.max_threads == threads
    assert len(found.launches) == launches.count("<<<")


def test_host_template_parameter_binds_nothing() -> None:
    text = "const int M = 32;\n" + TEMPLATE + "template <int M> void run(float *x) { k<float, M><<<1, M>>>(x); }\n"
    assert "B" not in kernel(text).bindings


def test_specialisation_takes_only_its_own_launches() -> None:
    text = (
        "template <class T> __global__ void k(T *p) { p[0] = 1; }\n"
        "template <> __global__ void k<double>(double *p) { p[0] = 2; }\n"
        "void run(float *x, double *y) { k<float><<<1, 64>>>(x); k<double><<<1, 32>>>(y); }\n"
    )
    general, special = build(text).kernels
    assert [found.block_size for found in special.launches] == [32]
    assert [found.block_size for found in general.launches] == [64]


def test_kernels_of_one_name_take_the_launches_that_fit_them() -> None:
    text = (
        "template <int N> __global__ void k(float *p) { p[0] = N; }\n"
        "template <int N, int M, bool B> __global__ void k(float *p) { p[0] = N + M; }\n"
        "template <class T> __global__ void k(T *p, int n) { p[0] = n; }\n"
        "__global__ void k(float *p, int n, int m) { p[0] = n * m; }\n"
        "void run(float *x) { k<4><<<1, 32>>>(x); k<4, 8, true><<<1, 64>>>(x); k<float><<<1, 96>>>(x, 1);\n"
        "  k<<<1, 128>>>(x, 1, 2); }\n"
    )
    found = build(text).kernels
    assert [[launch.block_size for launch in each.launches] for each in found] == [[32], [64], [96], [128]]
    assert [[one.arguments for one in each.instances] for each in found] == [["4"], ["4, 8, true"], ["float"], []]


# --------------------------------------------------------------------------------------------------- broken code


def test_error_in_one_kernel_does_not_disturb_the_others() -> None:
    text = (
        "__global__ void a(float *p) { p[0] = 1; }\n"
        "__global__ void b(float *p) { p[0] = @ $$ 3 +; int 4x = ]; }\n"
        "__global__ void c(float *p) { p[0] = 3; }\n"
    )
    found = {each.name: each for each in build(text).kernels}
    assert set(found) >= {"a", "b", "c"}
    assert found["a"].complete
    assert found["c"].complete
    assert not found["b"].complete
    for span in found["b"].function.unparsed:
        assert found["b"].function.body.span.contains(span)


def test_unclosed_body_at_the_end_of_the_file() -> None:
    found = build("__global__ void a(float *p) { p[0] = 1; }\n__global__ void b(float *p) { p[0] = 1;\n").kernels
    assert found[0].name == "a"
    assert found[0].complete
    assert all(not each.complete for each in found[1:])


@pytest.mark.parametrize(
    "text", ["__global__", "__global__ void", "__global__ void k(", "<<<", "k<<<1, 2", "\x00__global__"]
)
def test_fragments_do_not_fail(text: str) -> None:
    assert build(text).kernels == ()


def test_attributes_under_a_condition_do_not_cut_a_kernel_off_its_word() -> None:
    source = (
        "#define STEPS 3\n\n__global__ void\n#if (__CUDA_ARCH__ == 750)\n__launch_bounds__(64, 8)\n#else\n"
        "__launch_bounds__(64, 16)\n#endif\nstep(float* a)\n{ a[0] = 1; }\n\n__device__ float f() { return 1; }\n"
    )
    found = kernel(source)
    assert (found.name, found.complete, found.launch_bounds is not None) == ("step", True, True)


def test_a_kernel_that_is_a_host_function_without_the_compiler_keeps_its_name() -> None:
    source = "#ifdef __CUDACC__\n__global__ void step_kernel\n#else\nvoid step\n#endif\n(float* a)\n{ a[0] = 1; }\n"
    assert (kernel(source).name, kernel(source).complete) == ("step_kernel", True)


def test_a_header_that_leaves_its_macros_to_its_includer_is_read_whole() -> None:
    header = (
        "inline_on_device int place()\n{\n return threadIdx.x;\n}\n"
        "__global__ void k(float* a)\n{\n held float* const b = a;\n each_of (i, 4) { b[i] = 1; }\n"
        " if (place()) { b[0] = 2; }\n}\n"
    )
    includer = (
        "#define inline_on_device static __device__ inline\n#define held\n"
        '#define each_of(i, n) for (int i = 0; i < n; i++)\n#include "k.h"\n'
    )
    (found,) = build(header, "cuda", {"main.cu": includer}, "k.h").kernels
    assert found.complete
    (alone,) = build(header, "cuda", {}, "k.h").kernels
    assert not alone.complete


def test_a_head_that_is_written_in_both_branches_of_an_if_is_one_kernel_and_none_is_lost() -> None:
    macros = "".join(f"#define S{k} (s[{k}])\n" for k in range(40))
    head = "#if SHARED\n__global__ void __launch_bounds__(256)\n#else\n__global__ void\n#endif\n"
    file = build(f"{macros}{head}k(int n, float *o)\n{{\n  o[n] = 1;\n}}\n")
    assert ([kernel.name for kernel in file.kernels], file.lost) == (["k"], ())


@pytest.mark.parametrize("before", ["", "__launch_bounds__(256)", "__attribute__((noinline))", "__cluster_dims__(2)"])
@pytest.mark.parametrize("name", ["__proto__", "__k__"])
def test_a_kernel_may_be_called_like_an_attribute(before: str, name: str) -> None:
    """Behind an attribute's parentheses its name and parameters look like an attribute of a lambda."""
    assert kernel(f"__global__ void {before} {name}(double *x) {{ x[0] = 1; }}\n").name == name


@pytest.mark.parametrize(
    "attributes", ["__inlined__", "__inlined__(1)", "__cold__ __inlined__(1)", "__cold__(1) __inlined__(2)"]
)
def test_a_lambda_may_have_attributes(attributes: str) -> None:
    text = f"__global__ void k(double *x) {{ auto f = [=](int i) {attributes} {{ x[i] = 1; }}; f(0); }}\n"
    assert kernel(text).function.unparsed == ()


def test_names_of_a_file_without_kernels() -> None:
    file = build("constexpr int LANES = 4;\nstruct Pair { int first; double second; };\n")
    assert not file.kernels
    parts = file.parts_of("Pair")
    assert parts is not None
    assert [(part.name, part.offset) for part in parts] == [("first", 0), ("second", 8)]
    assert file.constant("LANES") == 4


_WRITERS = """#define SCALE(T, name, op) \\
  extern "C" __global__ void name(T* p, int n) { /* once */ \\
    for (int i = 0; i < n; ++i) p[i] op T(2); }
#define KINDS(F) F(float, one, +=) F(double, two, -=)
"""


def test_macros_write_whole_kernels() -> None:
    file = build(f"{_WRITERS}SCALE(float, up, *=)\nSCALE(half, down, /=);\nKINDS(SCALE)\n")
    assert [(one.name, one.complete, file.source.line_of(one.name_span.start)) for one in file.kernels] == [
        ("up", True, 5),
        ("down", True, 6),
        ("one", True, 7),
        ("two", True, 7),
    ]
    assert file.lost == ()
    assert [one.function.parameters[0].type.pointee_size for one in file.kernels] == [4, 2, 4, 8]


def test_macros_write_device_functions() -> None:
    text = (
        "#define MAKE(name, e) __device__ inline float name(float a) { return e; }\n"
        "#define OP(name, e) template <class T> struct name { __device__ T operator()(T a) const { return e; } };\n"
        "namespace ops {\nMAKE(half_of, a * 0.5f)\nMAKE(squared, a * a);\nOP(Less, a - 1)\n}\n"
        "__global__ void k(float* p) { p[0] = ops::squared(ops::half_of(p[1])); p[2] = ops::Less<float>()(p[3]); }\n"
        "struct Inner { MAKE(member, a) };\n"
    )
    file = build(text)
    assert all(file.find_function(name, 1) is not None for name in ("half_of", "squared"))
    assert file.method("ops::Less<float>", "operator()", 1) is not None
    assert file.find_function("member", 1) is None  # at no level of a namespace


def test_a_header_may_write_its_functions_by_macros() -> None:
    header = "#define UN(T, name, e) __device__ inline T name(T a) { return e; }\nUN(double, square_of, a * a)\n"
    kernel = '#include "ops.cuh"\n__global__ void k(double* p) { p[0] = square_of(p[1]); }\n'
    assert build(kernel, headers={"ops.cuh": header}).find_function("square_of", 1) is not None


def test_a_header_may_have_the_macro_that_writes_a_kernel() -> None:
    (found,) = build('#include "w.h"\nSCALE(float, up, *=)\n', "cuda", {"w.h": _WRITERS}).kernels
    assert (found.name, found.complete) == ("up", True)


def test_a_macro_that_writes_too_much_is_named() -> None:
    long_ = " ".join("p[0] += 1;" for _ in range(1000))
    file = build(f"#define MAKE(name) __global__ void name(int* p) {{ {long_} }}\nMAKE(k)\n")
    assert file.kernels == ()
    assert [file.source.text(span) for span in file.lost] == ["MAKE"]
