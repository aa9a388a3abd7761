"""Instantiations of a kernel's template: every form that names one, through host templates and dispatch macros."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from frontend_helpers import build, kernel, variables

from regpress_lint.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = "template <typename T, int N = 4> __global__ void k(T *p) { T t = p[N]; p[0] = t; }\n"


def named(host: str, before: str = KERNEL, headers: dict[str, str] | None = None) -> list[str]:
    """Arguments of the instantiations of the only kernel of a text."""
    return [instance.arguments for instance in kernel(before + host, headers=headers).instances]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("void h(float *f, double *d) { k<float, 2><<<1, 64>>>(f); k<double, 8><<<1, 64>>>(d); }",
         ["float, 2", "double, 8"]),
        ("void h(float *f) { k<<<1, 64>>>(f); }", ["float, 4"]),
        ("void h(float *f) { k<float><<<1, 64>>>(f); k<float, 4><<<2, 64>>>(f); }", ["float, 4"]),
        ("template __global__ void k<double, 2>(double *);", ["double, 2"]),
        ("namespace s { template <class T> void h(T *p); }\n"
         "template <class T> void s::h(T *p) { k<T, 6><<<1, 64>>>(p); }\ntemplate void s::h<float>(float *p);",
         ["float, 6"]),
        ("void h() { auto f = &k<float, 8>; f<<<1, 64>>>(nullptr); }", ["float, 8"]),
        ("void h() { void (*f)(int *) = k<int, 3>; f<<<1, 64>>>(nullptr); }", ["int, 3"]),
        ("void h() { cudaFuncSetAttribute(k<short, 1>, attribute, 65536); }", ["short, 1"]),
        ("void h() { cudaFuncSetAttribute((const void *)k<short, 1>, attribute, 65536); }", ["short, 1"]),
        ("void h(float *f) { hipLaunchKernelGGL(HIP_KERNEL_NAME(k<float, 2>), 1, 64, 0, 0, f); }", ["float, 2"]),
        ("void h(int *i) { k<int><<<1, 64>>>(i); k<int32_t><<<1, 64>>>(i); }", ["int, 4"]),
        ("void h(float *f, int n) { switch (n) { case 1: k<float, 1><<<1, 64>>>(f); break;\n"
         "case 2: k<float, 2><<<1, 64>>>(f); } }", ["float, 1", "float, 2"]),
        ("void h(torch::Tensor& t) { k<<<1, 64>>>(t.data_ptr<double>()); }", ["double, 4"]),
        ("template <class S> void h(Image& i) { auto p = i.template ptr<S>(); k<<<1, 64>>>(p); }\n"
         "void g(Image& i) { h<short>(i); }", ["short, 4"]),
        ("int main() { }", []),
        ("constexpr int tile(int n) { return n > 4 ? 8 : 4; }\n"
         "template <int N> void h(float *p) { k<float, tile(N)><<<1, 64>>>(p); }\n"
         "void g(float *p) { h<8>(p); h<2>(p); }", ["float, 8", "float, 4"]),
        ("constexpr int up(int n) { int r = 1; while (r < n) r *= 2; return r; }\n"
         "constexpr int log2(int n) { return n < 2 ? 0 : 1 + log2(n / 2); }\n"
         "constexpr int odd(int n) { int s = 0; for (int i = 0; i < n; ++i) { if (i % 2 == 0) continue; s += i; }\n"
         "return s; }\n"
         "void h(float *p) { k<float, up(9)><<<1, 64>>>(p); k<float, log2(8)><<<1, 64>>>(p);\n"
         "k<float, odd(6)><<<1, 64>>>(p); }",
         ["float, 16", "float, 3", "float, 9"]),
        ("template <class S> constexpr int per() { if constexpr (sizeof(S) == 4) return 4; else return 2; }\n"
         "template <class S> void h(S *p) { k<S, per<S>()><<<1, 64>>>(p); }\n"
         "void g(float *p, double *q) { h(p); h(q); }", ["float, 4", "double, 2"]),
        ("template <class S> void h(S *p) { constexpr int n = std::is_same_v<S, float> ? 4 : 2;\n"
         "k<S, n><<<1, 64>>>(p); }\n"
         "void g(float *p, double *q) { h(p); h(q); }", ["float, 4", "double, 2"]),
        ("template <class S> struct At { S *d; template <int N> void go() { k<S, N><<<1, 64>>>(d); } };\n"
         "void h(At<float>& a) { a.go<8>(); a.template go<2>(); }", ["float, 8", "float, 2"]),
        ("template <class S> struct At { template <int N> void go(S *d, int n) { k<S, N><<<1, 64>>>(d); } };\n"
         "void h(At<float>& a, float *p) { a.go<8>(p, 1); At<float> *b = &a; b->go<2>(p, 1); }",
         ["float, 8", "float, 2"]),
        ("struct At { template <int N> void go(float *d); };\n"
         "template <int N> void At::go(float *d) { k<float, N><<<1, 64>>>(d); }\n"
         "void h(At& a, float *p) { a.go<8>(p); }", ["float, 8"]),
        ("template <class S> struct At { template <int N> void go(S *d, int n, int m) const; };\n"
         "template <class S> template <int N> void At<S>::go(S *d, int n, int m) const { k<S, N><<<1, 64>>>(d); }\n"
         "void h(float *p) { At<float> a; a.go<8>(p, 1, 2); }", ["float, 8"]),
        ("template <int N> void run(int n, float *p) { if (n == N) k<float, N><<<1, 64>>>(p);\n"
         "else if constexpr (N > 4) run<N / 2>(n, p); }\nvoid h(int n, float *p) { run<16>(n, p); }",
         ["float, 16", "float, 8", "float, 4"]),
        ("template <int N> struct Plan { static void run(int n, float *p) { if (n == N) k<float, N><<<1, 64>>>(p);\n"
         "else if constexpr (N == 2) return; else Plan<N - 2>::run(n, p); } };\n"
         "void h(int n, float *p) { Plan<6>::run(n, p); }",
         ["float, 6", "float, 4", "float, 2"]),
        ("void h(float *p) { k<std::remove_pointer_t<decltype(p)>, 2><<<1, 64>>>(p); }",
         ["std::remove_pointer_t<float *>, 2"]),
        ("template <class S> class Base { public: S *d; void step() { k<S, 1><<<1, 64>>>(d); } };\n"
         "template <class S> class App : public Base<S> { };\nint main() { App<float> a; a.step(); }", ["float, 1"]),
        ("template <class S> void run(S *p) { k<S, 2><<<1, 64>>>(p); }\n"
         "#define EACH(F) F(float) F(double)\n#define GO(S) template void run<S>(S *);\nEACH(GO)",
         ["float, 2", "double, 2"]),
    ],
)  # fmt: skip
def test_every_form_names_an_instantiation(host: str, expected: list[str]) -> None:
    assert named(host) == expected


DECLARING = """template <class T, class I> __global__ void k(const I *rows, T *p) { T t = p[rows[0]]; p[0] = t; }
template <class T, class I> void run(Stream s, const Csr<T, I>* matrix, T *result) {
  k<<<1, 64, 0, s>>>(matrix->rows(), as_device(matrix->values()));
}
#define DECLARE_RUN(_value, _index)                          \\
  void run(Stream stream, const Csr<_value, _index> *matrix, \\
           _value *result)
#define FOR_BOTH(_macro) template _macro(float, int); template _macro(double, long)
#define FOR_EACH(_macro) template _macro(short, int); FOR_BOTH(_macro)
"""


@pytest.mark.parametrize(
    ("uses", "expected"),
    [
        ("FOR_EACH(DECLARE_RUN);", ["short, int", "float, int", "double, long"]),
        ("template DECLARE_RUN(float, long);", ["float, long"]),
        ("", []),
    ],
)
def test_macros_that_declare_a_function_instantiate_it_by_its_parameters(uses: str, expected: list[str]) -> None:
    assert named(uses, DECLARING) == expected


@pytest.mark.parametrize(
    ("launch", "expected"),
    [
        # Neither the launch nor a caller says the types: another host template of the file does, by the same names.
        ("k<<<1, 64>>>(m->rows(), as_device(m->values()))", ["double, int"]),
        ("k<float><<<1, 64>>>(m->rows(), as_device(m->values()))", ["float, int"]),
    ],
)
def test_types_of_the_same_name_mean_the_same_in_a_file(launch: str, expected: list[str]) -> None:
    head = "template <class ValueType, class IndexType> "
    kernel_text = head + "__global__ void k(IndexType *r, ValueType *p) { p[0] = 1; }\n"
    host = (
        "template <class ValueType, class IndexType> void inner(Csr<ValueType, IndexType> *m) { LAUNCH; }\n"
        "GENERATE_CALLS(select_inner, inner);\n"
        "template <class ValueType, class IndexType> void outer(Csr<ValueType, IndexType> *m, ValueType *x) {\n"
        "  select_inner(all_sizes(), m); }\n"
        "int main() { outer<double, int>(m, x); }"
    )
    assert named(host.replace("LAUNCH", launch), kernel_text) == expected


def test_letters_say_nothing_about_another_template() -> None:
    head = "template <class T, class I> "
    text = head + "__global__ void k(I *r, T *p) { p[0] = 1; }\n"
    host = (
        f"{head}void inner(Csr<T, I> *m) {{ k<<<1, 64>>>(m->rows(), m->values()); }}\n"
        f"{head}void outer(T *x, I *i) {{ }}\nint main() {{ outer<double, int>(x, i); }}"
    )
    assert named(host, text) == []


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        # The class template around the launch, by an object of it and by its instantiation.
        ("template <class U> struct Go { U *p; void run() { k<<<1, 64>>>(p); } };\n"
         "void h(float *f, double *d) { Go<float>{f}.run(); Go<double> g{d}; }", ["float, 4", "double, 4"]),
        ("template <class U> struct Go { template <int M> void run(U *p) { k<U, M><<<1, 64>>>(p); }\n"
         "  void all(U *p) { run<7>(p); } };\ntemplate struct Go<char>;", ["char, 7"]),
        # An argument inside of another type.
        ("template <class U, int M> void run(Row<U, M> r) { k<U, M><<<1, 64>>>(r.p); }\n"
         "void h(Row<float, 9> r) { run(r); }", ["float, 9"]),
        ("template __global__ void k(float *);", ["float, 4"]),
    ],
)  # fmt: skip
def test_types_around_a_launch_give_its_arguments(host: str, expected: list[str]) -> None:
    assert named(host) == expected


RUN = "template <typename U, int M> void run(U *p) { k<U, 2 * M><<<1, 64>>>(p); }\n"


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("int main() { run<float, 1>(f); run<double, 4>(d); }", ["float, 2", "double, 8"]),
        ("template <int A> void outer() { run<float, A>(f); }\nint main() { outer<1>(); outer<3>(); }",
         ["float, 2", "float, 6"]),
        ("template void run<char, 2>(char *);", ["char, 4"]),
        ("template <int A> void outer(double *d) { using V = double; constexpr int B = A + 1; run<V, B>(d); }\n"
         "int main() { outer<1>(d); }", ["double, 4"]),
        ("void never_called() { }", []),
    ],
)  # fmt: skip
def test_the_calls_of_a_host_template_give_its_parameters(host: str, expected: list[str]) -> None:
    assert named(RUN + host) == expected


def test_arguments_are_deduced_through_host_templates() -> None:
    host = """
template <class U> void inner(const U *p) { k<<<1, 64>>>(p); }
template <class U> void outer(U *p, int n) { inner(p + n); }
int main() { using real = double; real *d; int *i; outer(d, 3); outer(i, 3); }
"""
    assert named(host) == ["double, 4", "int, 4"]


def test_overload_with_other_parameters_is_not_called() -> None:
    host = """
template <class U> void go(U *p, int n) { k<<<1, 64>>>(p); }
template <class U, class V> void go(U *p, V *q, int n) { }
int main() { float *f; double *d; go(f, 3); go(d, f, 3); }
"""
    assert named(host) == ["float, 4"]


@pytest.mark.parametrize(
    "instantiated",
    [
        "template <class U> Loss<U>* make(int kind) { return new Scaled<U>; }\ntemplate Loss<double>* make(int kind);",
        "template <class U> void make(const U* p, int n) { new Scaled<U>; }\ntemplate void make(const double*, int n);",
        "template <class U> Loss<U>* make() { return new Scaled<U>; }\ntemplate Loss<double>* make<double>();",
    ],
)
def test_types_of_an_explicit_instantiation_give_its_arguments(instantiated: str) -> None:
    """As in a factory of classes: the method launches the kernel, and the instantiation writes no arguments."""
    classes = """
template <class U> struct Loss { virtual void run(U* p) = 0; };
template <class U> struct Scaled : Loss<U> { void run(U* p) override { k<U><<<1, 64>>>(p); } };
"""
    assert named(classes + instantiated) == ["double, 4"]


def test_a_launch_with_a_number_skips_the_overload_for_a_class() -> None:
    """It was an instantiation that is not followed, which opened the band."""
    file = build("""
template <class T> struct Pair { T x, y; };
template <class T> __global__ void k(T *p, T by) { *p += by; }
template <class T> __global__ void k(Pair<T> *p, Pair<T> by) { p->x += by.x; }
void h(float *f, Pair<double> *d) { k<<<1, 64>>>(f, 2.0f); k<<<1, 64>>>(d, *d); }
""")
    assert [instance.arguments for instance in file.kernels[1].instances] == ["double"]
    assert not file.kernels[1].unknowns


def test_a_header_is_instantiated_by_the_file_that_includes_it() -> None:
    main = '#include "k.cuh"\nusing real = double;\nint main() { real *d; launch(d); k<float, 7><<<1, 64>>>(0); }\n'
    header = KERNEL + "template <class U> void launch(U *p) { k<U, 3><<<1, 64>>>(p); }\n"
    file = build(header, headers={"main.cu": main}, path="k.cuh")
    assert [instance.arguments for instance in file.kernels[0].instances] == ["double, 3", "float, 7"]
    assert [instance.path for instance in file.kernels[0].instances] == ["k.cuh", "main.cu"]


WITH = (
    "template <class F> void with(int n, F f) { if (n == 4) f(std::integral_constant<int, 4>{}); "
    "else f(std::integral_constant<int, 8>{}); }\nvoid h(float *p, int n) { with(n, [&](auto c) { BODY }); }"
)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("#define GO(N) k<float, N><<<1, 64>>>(p)\nvoid h(float *p, int n) { if (n) GO(2); else GO(4); }",
         ["float, 2", "float, 4"]),
        ("template <class F> void each(int n, F &&f) {\n"
         "if (n) f.template operator()<1>(); else f.template operator()<2>(); }\n"
         "void h(float *p, int n) { each(n, [&]<int N>() { k<float, N><<<1, 64>>>(p); }); }", ["float, 1", "float, 2"]),
        (WITH.replace("BODY", "k<float, c()><<<1, 64>>>(p);"),
         ["float, 4", "float, 8"]),
        (WITH.replace("BODY", "k<float, 2 * decltype(c)::value><<<1, 64>>>(p);"),
         ["float, 8", "float, 16"]),
        (WITH.replace("BODY", "constexpr int N = c + 1; k<float, N><<<1, 64>>>(p);"),
         ["float, 5", "float, 9"]),
        ("#define ONE(N, S) for (int i = 0; i < n; ++i) k<T, N><<<1, 64, S>>>(p); sync()\n"
         "#define BOTH(m) switch (m) { case 1: { ONE(8, bytes); break; } default: { ONE(16, 0); } }\n"
         "template <class T> void run(T *p, int n, int m) { int bytes = 64; BOTH(m) m = 1; BOTH(m) }\n"
         "void h(float *p) { run<float>(p, 3, 0); }", ["float, 8", "float, 16"]),
        ("#define SWITCH(type, f, ...) if (type) f<float, 1><<<1, 64>>>(__VA_ARGS__); \\\n"
         "  else f<double, 2><<<1, 64>>>(__VA_ARGS__)\n"
         "void h(int type, void *p) { SWITCH(type, k, p); }", ["float, 1", "double, 2"]),
        ("#define BOOL_SWITCH(c, NAME, ...) [&] { \\\n"
         "  if (c) { constexpr static bool NAME = true; return __VA_ARGS__(); } \\\n"
         "  else { constexpr static bool NAME = false; return __VA_ARGS__(); } }()\n"
         "void h(bool c, float *p) { BOOL_SWITCH(c, kC, [&] { k<float, kC><<<1, 64>>>(p); }); }",
         ["float, true", "float, false"]),
        ("#define CASE(e, T, NAME, VAL, ...) case e: { using NAME = T; const int SIZE = VAL; return __VA_ARGS__(); }\n"
         "#define TYPES(t, NAME, ...) [&] { switch (t) { CASE(FLOAT, float, NAME, 8, __VA_ARGS__) \\\n"
         "  CASE(DOUBLE, double, NAME, 4, __VA_ARGS__) } }()\n"
         "template <class T> struct Wide { using type = T; };\n"
         "void h(int t) { TYPES(t, S, [&] { using W = Wide<S>::type; k<S, SIZE><<<1, 64>>>(0); }); }",
         ["float, 8", "double, 4"]),
        ("void h(Tensor t) { AT_DISPATCH_FLOATING_TYPES(t.type(), \"h\", ([&] { k<scalar_t><<<1, 64>>>(0); })); }",
         ["double, 4", "float, 4"]),
        ("void h(float *p) { auto go = [&]<int A, bool B>() { k<float, A><<<1, 64>>>(p); };\n"
         "  go.operator()<1, true>(); go.operator()<8, false>(); }", ["float, 1", "float, 8"]),
    ],
)  # fmt: skip
def test_macros_and_templated_lambdas_dispatch(host: str, expected: list[str]) -> None:
    assert named(host) == expected


def test_unsettled_argument_is_a_question_mark_and_long_lists_are_cut() -> None:
    assert named("void h(float *p, int n) { k<float, n><<<1, 64>>>(p); }") == ["float, ?"]
    calls = "".join(f"k<float, {n}><<<1, 64>>>(p);" for n in range(200))
    assert len(named(f"void h(float *p) {{ {calls} }}")) == 64


def test_common_arguments_are_bound_and_others_are_per_instance() -> None:
    host = "void h(float *f, double *d) { k<float, 8><<<1, 64>>>(f); k<double, 8><<<1, 64>>>(d); }"
    found = kernel(KERNEL + host)
    assert found.bindings == {"N": 8}
    assert variables(found.function)["t"].type.size is None
    sizes = [variables(instance.kernel.function)["t"].type.size for instance in found.instances]
    assert sizes == [4, 8]
    assert [instance.line for instance in found.instances] == [2, 2]
    assert found.instances[0].weight < found.instances[1].weight


def test_launch_bounds_of_an_instantiation() -> None:
    text = "template <int B> __global__ void __launch_bounds__(B) k(float *p) { p[0] = B; }\n"
    found = kernel(text + "void h(float *f) { k<64><<<1, 64>>>(f); k<256><<<1, 256>>>(f); }")
    assert found.launch_bounds is not None
    assert found.launch_bounds.max_threads is None
    bounds = [instance.kernel.launch_bounds for instance in found.instances]
    assert [bound and bound.max_threads for bound in bounds] == [64, 256]


def test_a_lambda_is_named_by_its_line() -> None:
    text = """template <class F> __global__ void k(F f) { f(threadIdx.x); }
template <class F> void run(F f) { k<F><<<1, 64>>>(f); }
void host(float *p) {
  run([=] __device__ (int i) { p[i] = 1; });
}
"""
    assert [instance.arguments for instance in kernel(text).instances] == ["(lambda at main.cu:4)"]


def test_a_traits_class_gives_types_and_constants() -> None:
    text = """
template <int N_, class T_> struct Traits {
  using T = T_;
  static constexpr int N = N_;
  static constexpr int kBytes = N * sizeof(T);
};
template <class X> __global__ void k(float *p) { using U = typename X::T; U u; float a[X::kBytes]; p[0] = a[0] + u; }
template <class T> void run(float *p) { using X = Traits<4, T>; k<X><<<1, 64>>>(p); }
int main() { run<double>(0); run<float>(0); }
"""
    file = build(text)
    double, single = file.kernels[0].instances
    assert (double.arguments, single.arguments) == ("Traits<4, double>", "Traits<4, float>")
    assert [variables(one.kernel.function)["u"].type.size for one in (double, single)] == [8, 4]
    assert (file.constant("Traits<4, double>::kBytes"), file.constant("Traits<4, float>::kBytes")) == (32, 16)
    assert file.constant("Traits<4, float>::missing") is None


def test_a_sycl_lambda_in_a_host_template() -> None:
    text = """
template <typename T, int N> void run(sycl::queue &q, T *p) {
  q.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> item) {
    T t[N];
    p[item.get_global_id(0)] = t[0];
  });
}
int main() { run<float, 4>(q, f); run<double, 4>(q, d); }
"""
    found = kernel(text, "sycl")
    assert [instance.arguments for instance in found.instances] == ["float, 4", "double, 4"]
    assert found.bindings == {"N": 4}
    assert [variables(one.kernel.function)["t"].type.size for one in found.instances] == [4, 8]
    assert [one.kernel.instances for one in found.instances] == [(), ()]


STATEMENTS = """#define DISPATCH(TYPE, LEVEL, NAME, ...) \\
  switch (TYPE) { \\
    case 1: { using scalar_##LEVEL = float; __VA_ARGS__; break; } \\
    default: { using scalar_##LEVEL = double; __VA_ARGS__; } }
template <typename T> struct Sum { typedef T type; };
template <> struct Sum<float> { typedef double type; };
template <typename T, bool> using sum_of = typename Sum<T>::type;
template <typename T, typename S> __global__ void k(T *p) { S s = 0; p[0] = s; }
void host(int type) {
  DISPATCH(type, 0, "k",
      using sum_t = sum_of<scalar_0, true>;
      k<scalar_0, sum_t><<<1, 64>>>(nullptr);
  );
}
"""


def test_statements_among_a_macros_arguments_see_the_types_that_it_defines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.cu").write_text(STATEMENTS)
    main(["kernels", "--isolated", "--no-cache", "--arch", "sm_90", "--output-format", "json", str(tmp_path)])
    [kernel] = json.loads(capsys.readouterr().out)["kernels"]

    assert kernel["targets"]["sm_90"]["unknown"] == []
    assert {instance["arguments"] for instance in kernel["targets"]["sm_90"]["instances"]} == {
        "float, sum_of<float, true>",
        "double, sum_of<double, true>",
    }


ONE = "template <int N> __global__ void k(float *p) { p[0] = N; }\n"
LAUNCHED = ONE + "template <int N> void launch(float *x) { k<N><<<1, 32>>>(x); }\n"
EACH = "template <int... Ns> void run(float *x) { (launch<Ns>(x), ...); }\n"
MEMBER = """template <int N> struct B { void go(float *x) { k<N><<<1, 32>>>(x); } };
#define LIST 1, 2, 64, 8
#define ALL LIST
template <int... Ns> void run(float *x) { (B<Ns>().go(x), ...); }
void m(float *x) { run<ALL>(x); }"""
FIRST = """template <int F, int... R> void run(float *x) {
  k<F><<<1, 32>>>(x);
  if constexpr (sizeof...(R) > 0) run<R...>(x);
}
void m(float *x) { run<1, 2, 64>(x); }"""
OVERLOADED = """template <int F> void run(float *x) { k<F><<<1, 32>>>(x); }
template <int F, int S, int... R> void run(float *x) { k<F><<<1, 32>>>(x); run<S, R...>(x); }
void m(float *x) { run<1, 2, 64>(x); }"""
SEQUENCE = """template <size_t... Ns> void run(float *x, std::index_sequence<Ns...>) { (launch<Ns + 1>(x), ...); }
void m(float *x) { run(x, std::SEQUENCE{}); }"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LAUNCHED + EACH + "void m(float *x) { run<1, 2, 64, 8>(x); }", ["1", "2", "64", "8"]),
        (ONE + MEMBER, ["1", "2", "64", "8"]),
        (ONE + FIRST, ["1", "2", "64"]),
        (ONE + OVERLOADED, ["64", "1", "2"]),
        (LAUNCHED + SEQUENCE.replace("SEQUENCE", "index_sequence<1, 2, 4>"), ["2", "3", "5"]),
        (LAUNCHED + SEQUENCE.replace("SEQUENCE", "make_index_sequence<3>"), ["1", "2", "3"]),
        (LAUNCHED + SEQUENCE.replace("SEQUENCE", "make_integer_sequence<size_t, 2>").replace("index_", "integer_", 1)
         .replace("<Ns...>", "<size_t, Ns...>"), ["1", "2"]),
        (ONE + "template <int... Ns> struct C { void go(float *x) { (k<Ns><<<1, 32>>>(x), ...); } };\n"
         "void m(float *x) { C<1, 2, 4>().go(x); }", ["1", "2", "4"]),
        (LAUNCHED + EACH + "template <int... Ms> void outer(float *x) { run<Ms...>(x); }\n"
         "void m(float *x) { outer<1, 3>(x); }", ["1", "3"]),
        (LAUNCHED + "template <class... A> void m(float *x, A... a) { launch<7>(x); }", ["7"]),
    ],
)  # fmt: skip
def test_each_element_of_a_pack_is_an_instantiation(text: str, expected: list[str]) -> None:
    found = kernel(text)
    assert [instance.arguments for instance in found.instances] == expected
    assert not found.unknowns


@pytest.mark.parametrize(
    "host",
    [
        EACH + "template <class P> void m(float *x) { P::run(x); launch<7>(x); }",
        SEQUENCE.replace("std::SEQUENCE{}", "all()") + "\nvoid n(float *x) { launch<7>(x); }",
        "void m(float *x) {\n"
        "  [&]<size_t... Ns>(std::index_sequence<Ns...>) { (launch<Ns>(x), ...); }(std::make_index_sequence<3>{});\n"
        "  launch<7>(x); }",
    ],
)
def test_a_pack_that_is_not_followed_opens_the_band_of_the_others(host: str) -> None:
    found = kernel(LAUNCHED + host)
    assert [instance.arguments for instance in found.instances] == ["7"]
    assert [(unknown.kind, unknown.opens) for unknown in found.unknowns] == [("instances", "both")]


@pytest.mark.parametrize("is_header", [False, True])
def test_members_behind_their_class_launch_each_instantiation(is_header: bool) -> None:
    owner = "template <typename V, int M = 2> struct Solver { void run(V *p); template <int L> void at(V *p); };\n"
    members = (
        "template <typename Real, int M> void Solver<Real, M>::run(Real *p) { k<Real, M><<<1, 64>>>(p); }\n"
        "template struct Solver<double>;\ntemplate struct Solver<float, 8>;\n"
    )
    if is_header:
        found = named('#include "solver.h"\n' + members, headers={"solver.h": owner})
    else:
        found = named(owner + members)
    assert found == ["double, 2", "float, 8"]


def test_a_class_is_instantiated_behind_a_header_of_the_header() -> None:
    """Its members launch a kernel; a template that only takes the class names no instantiation."""
    table = """template <class K> __global__ void k(K *p) { K t = p[1]; p[0] = t; }
template <class K> struct Table { void insert(K *p); K *keys; };
template <class K> void Table<K>::insert(K *p) { k<K><<<1, 64>>>(p); }
template <class K> __device__ K first(Table<K>* table) { return table->keys[0]; }
"""
    main = '#include "table.cuh"\nvoid h(double *p) { Table<double> t; t.insert(p); }\n'
    file = build(table, headers={"table.cuh": '#include "table.h"\n', "main.cu": main}, path="table.h")
    assert [instance.arguments for instance in file.kernels[0].instances] == ["double"]


@pytest.mark.parametrize(
    "spelled",
    [
        "typename V::value_type",
        "std::remove_pointer_t<float*>",
        "std::tuple_element_t<1, std::tuple<int, float>>",
        "typename std::unique_ptr<float>::element_type",
    ],
)
def test_library_types_name_their_elements(spelled: str) -> None:
    text = f"""template <class V> __global__ void k(V*, double* p) {{ {spelled} x = p[1]; p[0] = x; }}
template __global__ void k<std::vector<float>>(std::vector<float>*, double*);
"""
    (instance,) = kernel(text).instances
    assert variables(instance.kernel.function)["x"].type.name == "float"
