"""Symbolic execution of structs, vectors, arrays, references, functions, templates and macros: what is left of them."""

from __future__ import annotations

import pytest
from ssa_helpers import addresses, constants, count, named, phis, run, stored

from regpress_lint.cpp.types import builtin_type
from regpress_lint.model.graph.objects import Parts, Place
from regpress_lint.model.graph.values import FLOAT
from regpress_lint.model.interpreter.private_objects import part

# ---------------------------------------------------------------------------------------- structs and vectors

STRUCT = "struct S { int p; float q; double w[2]; };\n"


def test_members_of_a_struct_are_values_of_their_own() -> None:
    machine = run("S s; s.p = 4; s.q = 2; S t = s; t.p++; out[0] = s.p * 10 + t.p; out[1] = t.q;", before=STRUCT)
    assert constants(machine) == [45, 2]


LOCAL = "struct L { int n; __device__ void add(int k) { n += k; } __device__ int twice() const { return 2 * n; } };"


def test_a_class_inside_of_a_function_has_its_members() -> None:
    machine = run(f"{LOCAL} L s{{4}}; s.add(3); out[0] = s.twice();", "int *out")
    assert constants(machine) == [14]
    assert not machine.tally.unknowns


def test_classes_of_one_name_inside_of_two_functions_are_not_taken_for_each_other() -> None:
    other = "__device__ int g() { struct L { int n; __device__ int twice() const { return n; } }; L s{1}; return s.n; }"
    machine = run(f"{LOCAL} L s{{4}}; out[0] = s.twice();", "int *out", other)
    assert "twice" in {unknown.name for unknown in machine.tally.unknowns}


def test_only_members_that_are_used_are_read() -> None:
    machine = run("S s = m[tid]; out[0] = s.p; out[1] = s.p + 1;", "S *m, int *out", STRUCT)
    assert count(machine, "load") == 1


def test_members_of_one_element_share_an_address() -> None:
    text = "b[tid] = m[tid].x + m[tid].y + m[tid].z;"
    machine = run(text, "T *m, float *b", "struct T { float x, y, z; };", vendor="nvidia")
    assert count(machine, "load") == 3
    assert len(addresses(machine, "load")) == 1


def test_a_struct_argument_is_read_member_by_member() -> None:
    machine = run("out[0] = s.p + s.p;", "S s, int *out", STRUCT)
    value = stored(machine)[0]
    assert machine.graph.ops[machine.graph.args[value][0]] == "source"


@pytest.mark.parametrize(
    ("statements", "value"),
    [
        ("float4 v = make_float4(1, 2, 3, 4); v.y *= 3; out[0] = v.x + v.y + v.w;", 11),
        ("float2 v; v.x = 3; v.y = 4; float2 w = v; w.x = 0; out[0] = v.x * v.y + w.x;", 12),
        ("int3 v = {1, 2, 3}; out[0] = v.x * 100 + v.y * 10 + v.z;", 123),
        ("double2 v = make_double2(1, 2), w = v; w.x += w.y; out[0] = w.x - v.x;", 2),
    ],
)
def test_components_of_vectors(statements: str, value: int) -> None:
    assert constants(run(statements)) == [value]


def test_a_vector_is_read_component_by_component_once() -> None:
    machine = run("float4 x = v[tid]; b[0] = x.x + x.w + v[tid].x;", "const float4 *v, double *b")
    reads = named(machine, "load")
    assert len({machine.graph.args[read] for read in reads}) == 1
    assert len(reads) == 4
    assert len(set(reads)) == 4


# -------------------------------------------------------------------------------------------- private arrays


@pytest.mark.parametrize(
    ("statements", "value"),
    [
        ("int x[4] = {1, 2, 3}; x[1] += 5; out[0] = x[0] + x[1] * 10 + x[2] * 100 + x[3];", 371),
        ("int x[2][3] = {{1, 2, 3}, {4, 5, 6}}; out[0] = x[1][2] * 10 + x[0][1];", 62),
        ("int x[4]; for (int i = 0; i < 4; i++) x[i] = i * i; out[0] = x[3] + x[2];", 13),
        ("const int t[3] = {5, 6, 7}; int s = 0; for (int i = 0; i < 3; i++) s += t[i]; out[0] = s;", 18),
        ("float x[2] = {1, 2}; x[0] /= 4; out[0] = x[0] * 8;", 2),
        ("int x[3] = {1, 2, 3}; int *p = x; p[1] = 9; out[0] = x[1] + p[2];", 12),
        ("int x[3] = {1, 2, 3}; int *p = x + 1; *p = 9; out[0] = x[1] + p[1];", 12),
        ("unsigned char x[2] = {255, 1}; x[0] += 2; out[0] = x[0];", 1),
    ],
)
def test_array_elements_are_values_of_their_own(statements: str, value: int) -> None:
    assert constants(run(statements)) == [value]


def test_a_double_array_begins_as_doubles() -> None:
    machine = run(
        "double s[2] = {0, 0}; for (int i = 0; i < n; i++) s[0] += a[i]; q[0] = s[0];", "float *a, double *q, int n"
    )
    assert machine.graph.widths[stored(machine)[0]] == 2
    assert {machine.graph.form(phi).width for phi in phis(machine) if machine.graph.kinds[phi] == 1} == {2}


def test_a_dynamic_index_selects_among_registers_on_amd() -> None:
    text = "float x[4]; for (int i = 0; i < 4; i++) x[i] = a[i * n]; b[0] = x[n & 3];"
    machine = run(text)
    assert count(machine, "select element") == 1
    assert count(machine, "load private") == 0


def test_a_dynamic_index_puts_an_array_into_local_memory_on_nvidia() -> None:
    text = "float x[40]; for (int i = 0; i < 40; i++) x[i] = a[i * n]; "
    text += "for (int i = 0; i < n; i++) x[(tid + i) & 31] = 1; b[0] = x[n & 31];"
    machine = run(text, vendor="nvidia")
    assert count(machine, "load private") == 1
    assert count(machine, "store private") > 40


def test_large_array_is_in_scratch() -> None:
    machine = run("float x[400]; x[tid & 255] = 1; b[0] = x[n];")
    assert (count(machine, "store private"), count(machine, "load private")) == (1, 1)


# --------------------------------------------------------------------------------------- references, functions


@pytest.mark.parametrize(
    ("before", "statements", "value"),
    [
        ("", "int x = 3; int &r = x; r = 7; out[0] = x;", 7),
        ("", "int x = 3; int *p = &x; *p += 2; out[0] = x;", 5),
        ("", "int x[2] = {1, 2}; int &r = x[1]; r = 9; out[0] = x[1];", 9),
        ("__device__ void f(int &x, int *y) { x = 4; *y = x + 1; }", "int x, y; f(x, &y); out[0] = x * 10 + y;", 45),
        ("__device__ void f(int x) { x = 4; }", "int x = 1; f(x); out[0] = x;", 1),
        ("__device__ int f(int x) { if (x > 2) return 5; return 6; }", "out[0] = f(3) * 10 + f(1);", 56),
        ("__device__ int f(int x) { return x < 2 ? 1 : x * f(x - 1); }", "out[0] = f(1);", 1),
        ("__device__ void f(int *x) { x[1] = 8; }", "int x[2] = {1, 2}; f(x); out[0] = x[1];", 8),
        ("__device__ void f(int x[2][2]) { x[1][0] = 8; }", "int x[2][2] = {}; f(x); out[0] = x[1][0];", 8),
        ("__device__ int &f(int &x) { return x; }", "int x = 1; out[0] = f(x) + 1;", 2),
        ("struct S { int v; };\n__device__ S f(int x) { S s; s.v = x; return s; }", "out[0] = f(3).v;", 3),
        ("struct S { int v; };\n__device__ void f(S &s) { s.v *= 2; }", "S s; s.v = 4; f(s); out[0] = s.v;", 8),
        ("struct S { int v; };\n__device__ void f(S *s) { s->v *= 2; }", "S s; s.v = 4; f(&s); out[0] = s.v;", 8),
    ],
)
def test_functions_and_references_change_their_arguments(before: str, statements: str, value: int) -> None:
    machine = run(statements, before=before)
    assert constants(machine) == [value]
    assert machine.tally.unresolved == 0


@pytest.mark.parametrize(
    ("statements", "value"),
    [
        ("auto f = [](int v) { return v * 2; }; out[0] = f(3) + f(4);", 14),
        ("int x = 1; auto f = [&](int v) { x += v; }; f(3); f(4); out[0] = x;", 8),
        ("int x = 5; auto f = [=]() { return x; }; out[0] = f();", 5),
        ("auto f = [](int v) { if (v > 2) return 1; return 0; }; out[0] = f(3) * 10 + f(2);", 10),
    ],
)
def test_lambdas(statements: str, value: int) -> None:
    assert constants(run(statements)) == [value]


def test_a_method_changes_its_object() -> None:
    before = (
        "struct A { int v; __device__ void add(int x) { v += x; } __device__ int twice() const { return 2 * v; } };"
    )
    assert constants(run("A s; s.v = 1; s.add(4); out[0] = s.v * 100 + s.twice();", before=before)) == [510]


def test_a_function_without_definition_is_counted() -> None:
    machine = run("b[0] = mystery<S>::of(a, n); b[1] = plain(n);", before="__device__ Thing plain(int);")
    assert machine.tally.unresolved >= 1


# -------------------------------------------------------------------------------------------------- templates


@pytest.mark.parametrize(
    ("before", "statements", "value"),
    [
        ("template <int N> __device__ int f(int x) { return x * N; }", "out[0] = f<3>(2) + f<5>(2);", 16),
        ("template <class T> __device__ T f(T x) { return x / 2; }", "out[0] = f(5) * 10 + f(5.0f) * 2;", 25),
        ("template <class T> __device__ T f(float x) { return x; }", "out[0] = f<int>(2.5f) * 2;", 4),
        ("template <class T, int N> __device__ T f(T x) { return x * N; }", "out[0] = f<int, 4>(2);", 8),
        ("template <bool B> __device__ int f() { return B ? 1 : 2; }", "out[0] = f<true>() * 10 + f<false>();", 12),
        (
            "template <int N> __device__ int f() { int s = 0; for (int i = 0; i < N; i++) s += i; return s; }",
            "out[0] = f<5>();",
            10,
        ),
    ],
)
def test_template_arguments_reach_the_body(before: str, statements: str, value: int) -> None:
    machine = run(statements, before=before)
    assert constants(machine) == [value]
    assert machine.tally.loops_kept == 0


# ----------------------------------------------------------------------------------------------------- macros


TIMES = "#define TIMES(k, n, S) for (int k = 0; k < n; ++k) { S; }\n"


@pytest.mark.parametrize(
    ("before", "statements", "value"),
    [
        ("#define SQ(x) ((x) * (x))", "out[0] = SQ(n - n + 3);", 9),
        ("#define N 4\n#define M (N * 2)", "out[0] = M + N;", 12),
        ("#define SWAP(x, y) { int t = x; x = y; y = t; }", "int p = 1, q = 2; SWAP(p, q); out[0] = p * 10 + q;", 21),
        ("#define SET(x) do { x = 5; } while (0)", "int p = 1; SET(p); out[0] = p;", 5),
        ("#define INC x += 2", "int x = 1; INC; out[0] = x;", 3),
        ("#define ADD(v) x += v", "int x = 1; ADD(4); ADD(x); out[0] = x;", 10),
        ("#define first s[0]", "int s[2] = {3, 4}; first = 8; out[0] = first + s[1];", 12),
        ("#define at(i, j) s[(i) * 2 + (j)]", "int s[4]; at(1, 0) = 7; at(1, 0) += 1; out[0] = s[2] + at(1, 0);", 16),
        ("#define A(x) B(x) + 1\n#define B(x) (x) * 2", "out[0] = A(4);", 9),
        (TIMES, "int x = 1; TIMES(k, 4, x += k) out[0] = x;", 7),
        (TIMES, "int x = 1, k = 9; TIMES(k, 4, x += k); out[0] = x + k;", 16),
        (f"{TIMES}#define FOUR(S) TIMES(k, 4, S)", "int x = 1; FOUR(x += k); out[0] = x;", 7),
        ("#define ALL(S) { int k = 2; int t = k + 1; S; }", "int x = 1; ALL(x += k * t); out[0] = x;", 7),
        (
            "#define R(x) ((x) + 1);\n#define S(a, b) do { a += R(b) b = a; } while (0)",
            "int x = 1, y = 2; S(x, y); out[0] = x + y;",
            8,
        ),
        ("#define EACH(S) { auto f = [&](int k) { S; }; f(1); f(2); }", "int x = 1; EACH(x += k); out[0] = x;", 4),
    ],
)
def test_macros_are_replaced_by_their_text(before: str, statements: str, value: int) -> None:
    machine = run(statements, before=before)
    assert constants(machine) == [value]
    assert machine.tally.unresolved == 0


def test_an_accessor_macro_reads_and_writes_memory() -> None:
    before = "#define at(i, j) data[(i) * n + (j)]\n"
    text = "at(tid, 1) = at(tid, 0) + at(tid, 2); data[tid * n + 5] = at(tid, 0);"
    machine = run(text, "float *__restrict__ data, int n", before)
    assert (count(machine, "load"), count(machine, "store")) == (3, 2)
    assert len(addresses(machine, "load") + addresses(machine, "store")) >= 1
    assert len({*addresses(machine, "load"), *addresses(machine, "store")}) == 1


def test_a_macro_named_like_a_variable_of_another_function_does_no_harm() -> None:
    machine = run(
        "int x = 3; out[0] = x + y(2);", before="#define y(x) ((x) + 1)\n__device__ int g(int y) { return y; }"
    )
    assert constants(machine) == [6]


def test_a_macro_may_rename_a_function() -> None:
    before = "#define twice doubled\n__device__ int doubled(int x) { return 2 * x; }"
    assert constants(run("out[0] = twice(4);", before=before)) == [8]


def test_a_macro_that_refers_to_itself_ends() -> None:
    machine = run("out[0] = f(n); out[1] = g(2);", before="#define f(x) f(x + 1)\n#define g(x) h(x)\n#define h(x) g(x)")
    assert machine.tally.complete


def test_a_trial_that_is_taken_back_leaves_nothing_in_an_argument() -> None:
    struct = "struct P { float r, q; };"
    machine = run("b[tid] = p.r;", "float *b, const P p", struct)
    (argument,) = (variable for variable in machine.variables if variable.name == "p")
    mark = machine.mark()
    tried = part(machine, Place(argument, ("q",)), builtin_type("float"))
    machine.rewind(mark)
    whole = machine.variables[argument]
    assert isinstance(whole, Parts)
    assert isinstance(tried, int)
    assert tried >= len(machine.graph)
    assert ("q",) not in whole.parts


def test_a_function_that_calls_itself_with_constants_keeps_its_own_arguments() -> None:
    count = "constexpr int total(int n) { return n > 0 ? total(n - 1) + n : 0; }"
    machine = run("out[tid] = total(4);", before=count)
    assert constants(machine) == [10]
    assert machine.tally.unresolved == 0


@pytest.mark.parametrize(
    "pointer",
    ["float (*t)[64] = s;", "float (*t)[64]; t = s;", "auto t = s;", "float (*t)[64] = (float (*)[64])&s[0][0];"],
)
def test_pointer_to_tile_rows_is_not_an_array_of_pointers(pointer: str) -> None:
    found = run(f"__shared__ float s[4][64]; {pointer} out[0] = t[n][tid];", "float *out, int n")
    assert [found.graph.ops[item] for item in named(found, "load")] == ["load shared"]


@pytest.mark.parametrize("parameter", ["float t[][64]", "float (*t)[64]", "float t[4][64]"])
def test_tile_passed_to_a_function(parameter: str) -> None:
    before = f"__device__ float at({parameter}, int i, int j) {{ return t[i][j]; }}"
    found = run("__shared__ float s[4][64]; out[0] = at(s, n, tid);", "float *out, int n", before)
    assert [found.graph.ops[item] for item in named(found, "load")] == ["load shared"]


NESTED = """
struct Inner {
  float v[4];
  __device__ Inner(const float *p, int m) { for (int i = 0; i < 4; i++) v[i] = p[i * m + threadIdx.x]; }
};
struct Outer { Inner in; int pos; __device__ Outer(const float *p, int m) : in(p, m), pos(3) {} };
"""


def test_a_member_is_made_by_its_own_constructor() -> None:
    """clang takes 11 registers with a barrier behind it, for `Inner` alone as well."""
    machine = run("Outer x(a, n); b[tid] = x.in.v[0] * x.in.v[3] + x.pos;", before=NESTED)
    assert count(machine, "load global") == 4
    assert not machine.tally.unresolved


COMPLEX = "struct C { double re, im; };\n"


@pytest.mark.parametrize("vendor", ["amd", "nvidia"])
def test_whole_elements_of_an_array_of_structs_are_their_members(vendor: str) -> None:
    """Filled, changed and stored by whole elements: as many reads as member by member, and nothing is lost."""
    whole = "C m[4]; for (int k = 0; k < 4; ++k) m[k] = c[k]; for (int k = 0; k < 4; ++k) d[k] = m[3 - k];"
    members = (
        "C m[4]; for (int k = 0; k < 4; ++k) { m[k].re = c[k].re; m[k].im = c[k].im; } "
        "for (int k = 0; k < 4; ++k) { d[k].re = m[3 - k].re; d[k].im = m[3 - k].im; }"
    )
    reads = [
        count(run(text, "const C* __restrict__ c, C* __restrict__ d", COMPLEX, vendor), "load")
        for text in (whole, members)
    ]
    assert reads == [8, 8]


@pytest.mark.parametrize("bound", ["C& e = m[k];", "auto& e = m[k];", "C* const p = &m[k]; C& e = *p;"])
def test_value_written_through_a_reference_is_live_in_the_loop(bound: str) -> None:
    loop = f"for (int r = 0; r < n; ++r) for (int k = 0; k < 4; ++k) {{ {bound} e.re += a[r]; e.im *= e.re; }}"
    text = f"C m[4]; for (int k = 0; k < 4; ++k) m[k] = c[k]; {loop} for (int k = 0; k < 4; ++k) d[k] = m[k];"
    machine = run(text, "const C* c, C* d, const double* a, int n", COMPLEX)
    assert len(phis(machine)) >= 8


VECTORS = {
    "typedef": "typedef float f4 __attribute__((ext_vector_type(4)));",
    "using": "using f4 = float __attribute__((ext_vector_type(4)));",
    "in_front": "typedef __attribute__((__ext_vector_type__(4))) float f4;",
    "bytes": "typedef float f4 __attribute__((vector_size(16)));",
    "bytes_by_sizeof": "using f4 = __attribute__((__vector_size__(4 * sizeof(float)))) float;",
    "template": "template <typename T, int N> using V = T __attribute__((ext_vector_type(N))); using f4 = V<float, 4>;",
    "constant": "constexpr int kLanes = 4; typedef float f4 __attribute__((ext_vector_type(kLanes)));",
    "hip": "using f4 = HIP_vector_type<float, 4>;",
    "cuda": "using f4 = float4;",
}


@pytest.mark.parametrize("declared", VECTORS.values(), ids=list(VECTORS))
def test_a_vector_type_has_its_lanes_however_it_is_spelled(declared: str) -> None:
    body = "f4 s = 0.0f; for (int k = 0; k < n; ++k) s += c[k] * c[k + 1].x; d[tid] = s;"
    machine = run(body, "const f4* c, f4* d, int n, int tid", declared + "\n")
    floats = [number for number in phis(machine) if machine.graph.kinds[number] == FLOAT]
    assert len(floats) == 4


@pytest.mark.parametrize("spelling", ["typedef", "using", "in_front", "bytes", "bytes_by_sizeof"])
def test_a_vector_type_of_a_function_has_its_lanes(spelling: str) -> None:
    text = (
        f"{VECTORS[spelling]} f4 s = {{}}; for (int k = 0; k < n; ++k) s = s * s + c[k]; d[tid] = s[0] + s[3] * s[1];"
    )
    machine = run(text, "const float* c, float* d, int n, int tid")
    floats = [number for number in phis(machine) if machine.graph.kinds[number] == FLOAT]
    assert len(floats) >= 3
