"""Objects that braces create, views of private arrays and lambdas that are handed arrays: as spelled out."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

TARGETS = ("sm_90", "gfx90a")
CLASSES = """
struct E { float a, b; };
struct S { float v[12]; E e[4]; float4 f; int n = 3; };
struct L { E e; S s; };
struct C { float v[12]; __device__ C() : v{} {} };
struct D { float v[12]; __device__ D() : v() {} };
struct F { float v[12]; __device__ F() : v{2.f} {} };
template <class T> class View { T* p; int m; public: __device__ View(T* p, int m) : p(p), m(m) {}
  __device__ T& operator[](int i) const { return p[i]; } __device__ int size() const { return m; }
  __device__ View part(int o, int m) const { return View(p + o, m); } };
"""
HEAD = "__global__ void k(const float* p, float* o, int n) { int t = threadIdx.x; "
ADDED = "for (int i = 0; i < n; i++) for (int j = 0; j < 12; j++) {0}[j] = {0}[j] * p[i] + p[i + j * n];"
ADDED += "for (int j = 0; j < 12; j++) o[t + j * n] = {0}[j];"
ELEMENTS = (
    "for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) {{ {0}[j].a += p[i + j]; {0}[j].b *= {0}[j].a + p[t]; }}"
)
ELEMENTS += "for (int j = 0; j < 4; j++) o[t + j * n] = {0}[j].a * {0}[j].b;"
ZERO = "for (int j = 0; j < 12; j++) {0}[j] = 0;"
ZEROS = "for (int j = 0; j < 4; j++) {{ {0}[j].a = 0; {0}[j].b = 0; }}"
READ = "float v[12]; for (int j = 0; j < 12; j++) v[j] = p[t + j * n];"


def held(text: str, target: str) -> tuple[int, int | None]:
    if "__global__" not in text:
        text = f"{CLASSES}{HEAD}{text} }}\n"
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=(target,)))
    assert not facts.unknowns(target)
    registers = facts.target(target).registers
    return registers.estimate, registers.scratch_bytes


def assert_alike(spelled: str, plain: str, target: str) -> None:
    """Both keep as many values in registers: the sizes of loops, and so the copies of them, may differ a little."""
    (registers, scratch), (expected, frame) = held(spelled, target), held(plain, target)
    assert scratch == frame
    assert abs(registers - expected) <= max(2, expected // 3)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("spelled", "plain"),
    [
        *(
            (begun + ADDED.format("s.v"), "S s;" + ZERO.format("s.v") + ADDED.format("s.v"))
            for begun in (
                "S s = {};", "S s{};", "S s = S{};", "S s = S();", "S s; s = {};", "S s = {0.f};", "S s = {{}};",
                "S s = {{0.f}};", "auto s = S{};",
            )
        ),
        ("S s = {};" + ELEMENTS.format("s.e"), "S s;" + ZEROS.format("s.e") + ELEMENTS.format("s.e")),
        ("L l = {}; " + ADDED.format("l.s.v"), "L l;" + ZERO.format("l.s.v") + ADDED.format("l.s.v")),
        ("L l = {{p[t]}};" + ADDED.format("l.s.v"), "L l;" + ZERO.format("l.s.v") + ADDED.format("l.s.v")),
        ("S s = {}; o[t] = s.n * p[t];", "o[t] = 3 * p[t];"),
        *((f"{name} c;" + ADDED.format("c.v"), "S s;" + ZERO.format("s.v") + ADDED.format("s.v")) for name in "CD"),
        ("F c;" + ADDED.format("c.v"), "S s = {{2.f}};" + ADDED.format("s.v")),
    ],
)  # fmt: skip
def test_members_left_out_of_braces_are_zero(spelled: str, plain: str, target: str) -> None:
    assert held(spelled, target) == held(plain, target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "view",
    [
        "View<float> w(v, 12); for (int j = 0; j < w.size(); j++) w[j] = p[t + j * n];",
        "View<float> w(v, 12); auto x = w.part(0, 12); for (int j = 0; j < x.size(); j++) x[j] = p[t + j * n];",
        "struct { float* q; int m; } w = {v, 12}; for (int j = 0; j < w.m; j++) w.q[j] = p[t + j * n];",
    ],
)
def test_a_write_through_a_view_keeps_its_size(view: str, target: str) -> None:
    assert_alike("float v[12];" + view + ADDED.format("v"), READ + ADDED.format("v"), target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("element", ["*(*(m + j / 4) + j % 4)", "(*(m + j / 4))[j % 4]", "(*(q + j / 4))[j % 4]"])
def test_a_pointer_to_a_row_leads_to_the_row(element: str, target: str) -> None:
    text = "float m[3][4]; float (*q)[4] = m; for (int j = 0; j < 12; j++) m[j / 4][j % 4] = p[t + j * n];"
    text += "for (int i = 0; i < n; i++) for (int j = 0; j < 12; j++) m[j / 4][j % 4] *= p[i];"
    text += "for (int j = 0; j < 12; j++) o[t + j * n] = {0};"
    assert_alike(text.replace("{0}", element), text.replace("{0}", "m[j / 4][j % 4]"), target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "lambda_",
    [
        "[&](auto& a) { int j = 0; for (auto& x : a) x = p[t + j++ * n]; }",
        "[&]<int N>(float (&a)[N]) { for (int j = 0; j < N; j++) a[j] = p[t + j * n]; }",
    ],
)
def test_a_lambda_that_is_handed_an_array_knows_its_size(lambda_: str, target: str) -> None:
    text = f"auto read = {lambda_}; float v[12], w[4]; read(v); read(w);" + ADDED.format("v")
    plain = READ + "float w[4]; for (int j = 0; j < 4; j++) w[j] = p[t + j * n];" + ADDED.format("v")
    assert_alike(text + "o[n] = w[3];", plain + "o[n] = w[3];", target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("begun", ["struct { T v[N]; } s;", "union { T v[N]; T w; } s;", "struct X { T v[N]; } s;"])
def test_a_class_in_a_template_has_its_parameters(begun: str, target: str) -> None:
    kernel = "template <class T, int N> __global__ void k(const T* p, T* o, int n) {{ int t = threadIdx.x; {0} }}\n"
    launch = "void launch(float* a) { k<float, 12><<<1, 64>>>(a, a, 3); }\n"
    whole = kernel.format(begun + READ.replace("float v[12];", "").replace("v[", "s.v[") + ADDED.format("s.v"))
    plain = kernel.format(READ.replace("float v", "T v") + ADDED.format("v"))
    assert_alike(whole + launch, plain + launch, target)


STEP = "v[j] = v[j] * p[i] + v[(j + 1) % 12]"
STEPS = f"for (int i = 0; i < n; ++i) for (int j = 0; j < 12; ++j) {STEP};"
WRITE = "for (int j = 0; j < 12; j++) o[t + j * n] = v[j];"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "repeated",
    [
        f"REPEAT(i, n, REPEAT(j, 12, {STEP}))",
        f"REPEAT(i, n, for (int j = 0; j < 12; ++j) {{ {STEP}; }})",
        f"REPEAT(i, n, for (int j = 0; j < 12; ++j) {STEP});",
        f"REPEAT(i, n, if (p[i] > 0) for (int j = 0; j < 12; ++j) {STEP});",
    ],
)
def test_code_as_an_argument_is_the_body_of_the_macro(repeated: str, target: str) -> None:
    """The counter that the macro declares has a name that was one before: that one was taken, and all writes but the
    last were lost; a `for` in the brackets hid all kernels behind it.
    """
    macro = "#define REPEAT(i, m, code) for (int i = 0; i < m; ++i) { code; }\n" + HEAD
    plain = STEPS.replace("for (int j", "if (p[i] > 0) for (int j") if "if" in repeated else STEPS
    text = f"{macro}{READ}{repeated} REPEAT(j, 12, o[t + j * n] = v[j]) }}\n{HEAD.replace('k(', 'behind(')}}}\n"
    assert [kernel.name for kernel in testing.build(text, "k.cu", "cuda").kernels] == ["k", "behind"]
    assert_alike(text, f"{READ}{plain}{WRITE}", target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("call", ["Steps<12>::run", "Steps<12>::run<float>", "Steps<6 * 2>::run"])
def test_a_template_in_a_class_template_keeps_both_arguments(call: str, target: str) -> None:
    steps = "template <int N> struct Steps { template <class T> __device__ static void run(T (&v)[N], T x)"
    steps += " { for (int j = 0; j < N; ++j) v[j] = v[j] * x + v[(j + 1) % N]; } };\n" + HEAD
    assert_alike(
        f"{steps}{READ}for (int i = 0; i < n; ++i) {call}(v, p[i]); {WRITE} }}\n", f"{READ}{STEPS}{WRITE}", target
    )
