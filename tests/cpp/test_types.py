"""Sizes of types by name and types of expressions."""

from __future__ import annotations

import pytest
from frontend_helpers import build, nodes

from regpress_lint.cpp.syntax_tree import Call, Type
from regpress_lint.cpp.types import builtin_type, dereference, pointer_to
from regpress_lint.cpp.typing_rules import expression_type

KERNEL = "\n__global__ void k(float *p) { }\n"


@pytest.mark.parametrize(
    ("name", "size", "lanes", "floating", "signed"),
    [
        ("char", 1, 1, False, True),
        ("unsigned char", 1, 1, False, False),
        ("signed char", 1, 1, False, True),
        ("short int", 2, 1, False, True),
        ("unsigned", 4, 1, False, False),
        ("long", 8, 1, False, True),
        ("unsigned long long int", 8, 1, False, False),
        ("long double", 8, 1, True, True),
        ("bool", 1, 1, False, False),
        ("float", 4, 1, True, True),
        ("std::uint64_t", 8, 1, False, False),
        ("size_t", 8, 1, False, False),
        ("__half", 2, 1, True, True),
        ("sycl::half", 2, 1, True, True),
        ("half2", 4, 2, True, True),
        ("__nv_bfloat162", 4, 2, True, True),
        ("float2", 8, 2, True, True),
        ("float3", 12, 3, True, True),
        ("float4", 16, 4, True, True),
        ("double3", 24, 3, True, True),
        ("double4", 32, 4, True, True),
        ("double4_16a", 32, 4, True, True),
        ("int3", 12, 3, False, True),
        ("uchar4", 4, 4, False, False),
        ("ulonglong2", 16, 2, False, False),
        ("sycl::float3", 16, 3, True, True),
        ("sycl::vec<float, 3>", 16, 3, True, True),
        ("sycl::vec<double, 8>", 64, 8, True, True),
        ("sycl::marray<float, 3>", 12, 3, True, True),
        ("sycl::int16", 64, 16, False, True),
        ("cuDoubleComplex", 16, 2, True, True),
        ("std::complex<float>", 8, 2, True, True),
        ("dim3", 12, 3, False, False),
        ("unsigned __int128", 16, 1, False, False),
        ("__int128", 16, 1, False, True),
        ("__uint128_t", 16, 1, False, False),
    ],
)
def test_built_in(name: str, size: int, lanes: int, floating: bool, signed: bool) -> None:
    found = builtin_type(name)
    assert found is not None
    assert (found.size, found.lanes, found.floating, found.signed) == (size, lanes, floating, signed)


@pytest.mark.parametrize("name", ["", "foo", "float5", "vec<T, 4>", "unsigned foo", "float *", "std::vector<int>"])
def test_not_built_in(name: str) -> None:
    assert builtin_type(name) is None


def test_three_lanes_follow_the_dialect() -> None:
    own = "#include <sycl/sycl.hpp>\nusing namespace sycl;\nvoid f(nd_item<1> i) { }\n"
    assert (build(own, "sycl").type_of("float3") or Type("")).size == 16
    assert (build("__global__ void k() { }\n").type_of("float3") or Type("")).size == 12
    mine = own + "struct float3 { float x, y, z; };\n"
    assert (build(mine, "sycl").type_of("float3") or Type("")).size == 12


@pytest.mark.parametrize(
    ("declaration", "size"),
    [
        ("struct S { int a; double b; };", 16),
        ("struct S { int a; float3 b; };", 16),
        ("struct S { char a; float4 b; };", 32),
        ("struct S { int a:5; int b:5; unsigned c:22; };", 4),
        ("struct S { int a:20; int b:20; };", 8),
        ("struct S { char c; int a:3; };", 4),
        ("struct S { int a:3; int :0; int b:3; };", 8),
        ("struct S { int a; struct { int x, y; } v; };", 12),
        ("struct V { int a[4]; }; struct S { int x; V v; };", 20),
        ("struct S { double x; char c; };", 16),
        ("union S { int a; double b; char c[12]; };", 16),
        ("struct B { int a; }; struct S : B { int b; };", 8),
        ("struct B { }; struct S : public B { int b; };", 4),
        ("struct S { };", 1),
        ("struct alignas(16) S { float x, y, z; };", 16),
        ("struct __align__(16) S { float x, y, z; };", 16),
        ("struct __attribute__((packed)) S { char c; int i; };", 5),
        ("struct S { char c; int i; } __attribute__((packed));", 5),
        ("typedef struct { char c; double d; } __attribute__((__packed__)) S;", 9),
        ("struct S { char c; int i; } packed;", 8),
        ("struct __attribute__((packed, aligned(4))) S { char c; int i; };", 8),
        ("struct __attribute__((packed)) S { char c; int i : 3; };", None),
        ("struct __attribute__((packed)) P { char c; int i; }; struct S { P p; int k; };", 12),
        ("struct S { float *p; int n; };", 16),
        ("struct S { int a[2][3]; static int b; };", 24),
        ("struct S { void f() { } int x; int g(int) const; };", 4),
        ("typedef struct { float x, y; } S;", 8),
        ("typedef struct Tag { float x, y; } S;", 8),
        ("typedef double S;", 8),
        ("using S = unsigned char;", 1),
        ("typedef float real; typedef real R2; using S = R2;", 4),
        ("using S = T2; using T2 = S;", None),
        ("#define S double", 8),
        ("#define REAL float\ntypedef REAL S;", 4),
        ("enum S { A, B };", 4),
        ("enum class S : unsigned char { A };", 1),
        ("enum class S { A };", 4),
        ("#define N 4\nstruct S { float a[N + 1]; };", 20),
        ("const int N = 3; struct S { double a[N]; };", 24),
        ("struct S { unknown_t x; };", None),
        ("struct S { const int x = 3; int y{4}; };", 8),
        ("struct S { int x, *p, a[2]; };", 24),
        ("struct A; struct S { A *a; S *next; };", 16),
        ("namespace n { struct S { int a; }; }", 4),
        ("struct O { struct S { int a, b; }; S s; };", 8),
        ("struct S { union { int i; float f; }; int k; };", 8),
        ("struct S { std::complex<double> z; };", 16),
        ("struct S { half a; half2 b; };", 8),
        ("struct S { double3 a; };", 24),
        ("struct S { char x; double3 a; };", 32),
        ("struct S { virtual void f(); int x; };", 16),
        ("class S { public: int x; private: char y; };", 8),
        ("template <class T> struct S { T a; };", None),
        ("struct S { static const int N = 3; float a[N]; };", 12),
        ("struct S { static constexpr int N = 3; struct { float a[N]; char c; } v; };", 16),
        ("struct S { union { struct { float x, y, z; }; float4 v; }; };", 16),
        ("typedef float4 io; struct alignas(io) S { float x; };", 16),
        ("struct S { struct alignas(double2) { char c; } v; int k; };", 32),
    ],
)
def test_declared_size(declaration: str, size: int | None) -> None:
    found = build(declaration + KERNEL).type_of("S")
    assert (found.size if found is not None else None) == size


def test_template_record_with_arguments() -> None:
    file = build("template <class T, int N> struct S { T a[N]; int b; };" + KERNEL)
    assert [(file.type_of(name) or Type("")).size for name in ("S<double, 3>", "S<float, 2>", "S<char, 1>")] == [
        32,
        12,
        8,
    ]


@pytest.mark.parametrize(
    ("record", "name", "size"),
    [
        ("template <class T> struct S { struct I { T a, b; }; I i; };", "S<double>", 16),
        ("template <class T> struct S { struct I { T a, b; }; I i; };", "S<double>::I", 16),
        ("template <class T> struct S { struct I { T a; }; using J = I; typedef J K; };", "S<double>::K", 8),
        ("template <class T> struct S { typedef T value; value a[2]; };", "S<char>", 2),
        ("template <class T, int N> struct S { static const int M = N; T a[M]; };", "S<float, 3>", 12),
        ("template <class T> struct S { struct alignas(T) { char c; } v; };", "S<double>", 8),
        ("template <class... T> struct S { char a[sizeof...(T)]; };", "S<int, float, int>", 3),
        (
            "template <class... T> struct S; template <> struct S<> {}; "
            "template <class H, class... T> struct S<H, T...> { H head; S<T...> tail; };",
            "S<double, float>",
            16,
        ),
    ],
)
def test_size_within_a_template(record: str, name: str, size: int) -> None:
    found = build(record + KERNEL).type_of(name)
    assert found is not None
    assert found.size == size


def test_record_in_a_header() -> None:
    file = build('#include "s.h"\n' + KERNEL, headers={"s.h": "struct S { double a; float b; };\n"})
    found = file.type_of("S")
    assert found is not None
    assert (found.size, found.struct, found.registers) == (16, True, 4)


def test_class_with_a_conditional_in_its_head_is_read() -> None:
    head = 'struct\n#ifndef __HIPCC__\n    __attribute__((visibility("default")))\n#endif\n    Box\n'
    text = head + "    {\n    double x, y;\n    __device__ double get() const { return x * y; }\n    };\n"
    file = build('#include "box.h"\n' + KERNEL, headers={"box.h": text})
    type_ = file.type_of("Box")
    assert type_ is not None
    assert type_.size == 16
    assert file.method("Box", "get", 0) is not None


@pytest.mark.parametrize(("macros", "size"), [("", 20), ("#define WIDE\n", 72), ("#define WIDE\n#define SHORT\n", 36)])
def test_members_in_a_conditional(macros: str, size: int) -> None:
    members = """#ifdef WIDE
#if defined(SHORT)
      typedef int each;
#else
      typedef double each;
#endif
      each a[8];
#else
      unsigned char a[16];
#endif
      unsigned n;"""
    file = build(f"{macros}struct S {{\n{members}\n}};" + KERNEL)
    type_ = file.type_of("S")
    assert type_ is not None
    assert type_.size == size


def test_name_of_a_namespace_comes_before_that_of_a_class() -> None:
    headers = {
        "list.h": "template <class E> struct List { using size_type = Unseen<E>; E *data; };\n",
        "types.h": "namespace n { using size_type = unsigned int; }\n",
        "id.h": "template <class T, class S = n::size_type> struct Id { using size_type = S; size_type value; };\n",
    }
    file = build("".join(f'#include "{name}"\n' for name in headers) + KERNEL, headers=headers)
    for name in ("size_type", "n::size_type", "Id<float>"):
        type_ = file.type_of(name)
        assert type_ is not None
        assert type_.size == 4, name


def test_pointers() -> None:
    base = Type("float", 4, const=True, volatile=True, floating=True)
    pointer = pointer_to(base)
    assert (pointer.size, pointer.pointee_size, pointer.pointers) == (8, 4, 1)
    assert (pointer.pointee_const, pointer.pointee_volatile, pointer.const, pointer.volatile) == (
        True,
        True,
        False,
        False,
    )
    back = dereference(pointer)
    assert back is not None
    assert (back.size, back.pointers, back.const) == (4, 0, True)
    twice = dereference(pointer_to(base, 2))
    assert twice is not None
    assert (twice.size, twice.pointers, twice.pointee_size) == (8, 1, 4)
    assert dereference(base) is None


DECLARATIONS = """
  float f; double d; int i; unsigned u; long l; short s; unsigned char c; half h; float4 v; double2 w;
  float *p; double *q; float a[4]; float m[2][3]; P st; P *ps; int2 i2; bool b; unsigned long long ull;
  dim3 g; uint3 u3; float3 f3; char4 c4; size_t z; const float *const *pp; P sa[3];
"""
RECORD = "struct P { double x; int n; float4 v; float arr[4]; };\n"


@pytest.mark.parametrize(
    ("expression", "name", "size"),
    [
        ("f * d", "floating", 8),
        ("i / i", "signed", 4),
        ("pow(f, 2.0f)", "floating", 4),
        ("powf(f, 2)", "floating", 4),
        ("sqrt(i)", "floating", 8),
        ("sqrt(f)", "floating", 4),
        ("f + h", "floating", 4),
        ("p + i", "pointer", 8),
        ("p - q", "signed", 8),
        ("p - p", "signed", 8),
        ("v.x", "floating", 4),
        ("w.y", "floating", 8),
        ("st.x", "floating", 8),
        ("ps->n", "signed", 4),
        ("st.v.z", "floating", 4),
        ("st.arr[1]", "floating", 4),
        ("atomicAdd(p, f)", "floating", 4),
        ("atomicAdd(&q[0], 1.0)", "floating", 8),
        ("__shfl_down_sync(~0u, d, 1)", "floating", 8),
        ("__shfl_down(d, 1)", "floating", 8),
        ("__shfl_xor_sync(~0u, f, 1)", "floating", 4),
        ("__ldg(&p[i])", "floating", 4),
        ("a[1]", "floating", 4),
        ("m[1][2]", "floating", 4),
        ("m[1]", "pointer", 8),
        ("*p", "floating", 4),
        ("&f", "pointer", 8),
        ("c + c", "signed", 4),
        ("s << l", "signed", 4),
        ("l << i", "signed", 8),
        ("u + i", "unsigned", 4),
        ("l + u", "signed", 8),
        ("ull + l", "unsigned", 8),
        ("b ? f : d", "floating", 8),
        ("f < d", "unsigned", 1),
        ("!f", "unsigned", 1),
        ("-c", "signed", 4),
        ("~c", "signed", 4),
        ("-f", "floating", 4),
        ("(float)d", "floating", 4),
        ("float(d)", "floating", 4),
        ("static_cast<double>(f)", "floating", 8),
        ("f += d", "floating", 4),
        ("i++", "signed", 4),
        ("2.0 * f", "floating", 8),
        ("2.0f * f", "floating", 4),
        ("2 * f", "floating", 4),
        ("1.0L", "floating", 8),
        ("1u", "unsigned", 4),
        ("1ull", "unsigned", 8),
        ("0xFFFFFFFF", "unsigned", 4),
        ("2147483648", "signed", 8),
        ("'a'", "signed", 1),
        ("true", "unsigned", 1),
        ("sizeof(f)", "unsigned", 8),
        ("threadIdx.x", "unsigned", 4),
        ("blockDim.x * blockIdx.x", "unsigned", 4),
        ("g.x", "unsigned", 4),
        ("u3.y", "unsigned", 4),
        ("i2.x", "signed", 4),
        ("f3.z", "floating", 4),
        ("c4.x", "signed", 1),
        ("make_float4(f,f,f,f)", "floating", 16),
        ("v * f", "floating", 16),
        ("fma(f, f, d)", "floating", 8),
        ("fmaxf(d, d)", "floating", 4),
        ("__fsqrt_rn(d)", "floating", 4),
        ("__expf(d)", "floating", 4),
        ("__dmul_rn(d,d)", "floating", 8),
        ("max(i, l)", "signed", 8),
        ("abs(i)", "signed", 4),
        ("abs(f)", "floating", 4),
        ("min(u, 3)", "unsigned", 4),
        ("i % u", "unsigned", 4),
        ("(i, d)", "floating", 8),
        ("f == 1 && d", "unsigned", 1),
        ("__float2int_rn(f)", "signed", 4),
        ("__popc(u)", "signed", 4),
        ("warpSize", "signed", 4),
        ("__double2float_rn(d)", "floating", 4),
        ("__syncthreads_count(i)", "signed", 4),
        ("sin(i)", "floating", 8),
        ("floor(f)", "floating", 4),
        ("atan2(f,d)", "floating", 8),
        ("ldexp(f, i)", "floating", 4),
        ("__longlong_as_double(l)", "floating", 8),
        ("__int_as_float(i)", "floating", 4),
        ("std::max(f, f)", "floating", 4),
        ("z - 1", "unsigned", 8),
        ("h * h", "floating", 2),
        ("**pp", "floating", 4),
        ("pp[0]", "pointer", 8),
        ("sa[1].arr[2]", "floating", 4),
        ("(sa + 1)->x", "floating", 8),
        ("*p++", "floating", 4),
        ("p[i] * q[i]", "floating", 8),
        ("make_int2(1, 2)", "signed", 8),
    ],
)
def test_expression_type(expression: str, name: str, size: int) -> None:
    file = build(f"{RECORD}__global__ void k(int n) {{ {DECLARATIONS} sink({expression}, 0); }}\n")
    call = next(each for each in nodes(file.kernels[0].function, Call) if each.name == "sink")
    argument = call.args[0]
    found = expression_type(argument, file.type_of)
    assert found is not None
    kind = "pointer" if found.pointers else "floating" if found.floating else "signed" if found.signed else "unsigned"
    assert (kind, found.size) == (name, size)


@pytest.mark.parametrize(
    "expression", ["unseen(f)", "unseen", "x.unseen", "p[0].unseen", '"text"', "T(f)", "new float"]
)
def test_unknown_expression_type(expression: str) -> None:
    file = build(f"__global__ void k(float f, float *p) {{ sink({expression}, 0); }}\n")
    call = next(each for each in nodes(file.kernels[0].function, Call) if each.name == "sink")
    assert expression_type(call.args[0], file.type_of) is None


def test_type_of_a_long_sum_does_not_recurse() -> None:
    file = build("__global__ void k(float f) { sink(" + " + ".join(["f"] * 3000) + ", 0); }\n")
    call = next(each for each in nodes(file.kernels[0].function, Call) if each.name == "sink")
    found = expression_type(call.args[0], file.type_of)
    assert found is not None
    assert found.size == 4
