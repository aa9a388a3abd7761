"""Loops that end at the size of an object: compilers count them, so the object stays in registers."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

HEAD = """
template <class T, int N> struct Row {
  T d[N]; T e[2][N];
  __device__ T& operator[](int i) { return d[i]; }
  __device__ const T& operator[](int i) const { return d[i]; }
  static constexpr int size() { return N; }
  __device__ int length() { return N; }
};
template <class T> __device__ double total(const T& x) {
  double s = 0; for (int i = 0; i < x.size(); ++i) s += x[i]; return s; }
"""
KERNEL = """__global__ void k(double* o, const double* p, int n) {
  int t = threadIdx.x; OBJECT; for (int i = 0; i < END; ++i) ELEMENT = p[t + i * n];
  double s = 0; for (int i = 0; i < END; ++i) s += ELEMENT;
  for (int i = 0; i < 12; ++i) o[t + i * n] = ELEMENT * s;
}
"""
ROW, STD = "Row<double, 12> x", "std::array<double, 12> x"


def answer(object_: str, end: str, element: str, target: str) -> tuple[int, int]:
    text = HEAD + KERNEL.replace("OBJECT", object_).replace("END", end).replace("ELEMENT", element)
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=(target,)))
    assert not facts.unknowns(target)
    found = facts.target(target).registers
    return found.scratch_bytes, found.estimate


# nvcc 13.0.88 makes 40 registers of each, and no stack.
@pytest.mark.parametrize("target", ["sm_90", "gfx90a"])
@pytest.mark.parametrize(
    ("object_", "end", "element"),
    [
        (ROW, "x.size()", "x[i]"),
        (ROW, "x.length()", "x.d[i]"),
        (ROW, "decltype(x)::size()", "x[i]"),
        (ROW, "sizeof(x.d) / sizeof(x.d[0])", "x.d[i]"),
        (ROW, "sizeof(x.e[1]) / sizeof(double)", "x.e[1][i]"),
        (ROW, "sizeof(Row<double, 12>) / 3 / sizeof(double)", "x[i]"),
        (STD, "x.size()", "x[i]"),
        ("double x[12]", "std::size(x)", "x[i]"),
    ],
)
def test_the_loops_are_as_with_a_number(object_: str, end: str, element: str, target: str) -> None:
    scratch, said = answer(object_, end, element, target)
    wanted, plain = answer(object_, "12", element, target)
    assert (scratch, wanted) == (0, 0)
    assert abs(said - plain) <= 2


def test_an_object_by_reference_counts_its_reader() -> None:
    text = KERNEL.replace("OBJECT", ROW).replace("END", "12").replace("ELEMENT", "x[i]")
    text = HEAD + text.replace("double s = 0; for (int i = 0; i < 12; ++i) s += x[i];", "double s = total(x);")
    file = testing.build(text, "k.cu", "cuda")
    assert kernel_facts(file, file.kernels[0], Settings()).target("sm_90").registers.scratch_bytes == 0


def test_a_stack_that_grows_has_no_size() -> None:
    text = """struct Stack { int d[24]; int top; __device__ int size() const { return top; }
      __device__ void push(int x) { d[top++] = x; } };
    __global__ void k(int* o, const int* p) { Stack s; s.top = 0; s.push(p[0]);
      for (int i = 0; i < s.size(); ++i) if (p[i + s.d[i]] > 0) s.push(p[i]);
      o[threadIdx.x] = s.size(); }"""
    file = testing.build(text, "k.cu", "cuda")
    assert kernel_facts(file, file.kernels[0], Settings()).target("sm_90").registers.scratch_bytes >= 96


def test_an_unknown_size_is_in_the_ledger() -> None:
    text = "__global__ void k(float* o, Unseen<3> u) { for (int i = 0; i < sizeof(u) / 4; ++i) o[i] = i; }"
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",)))
    assert "size" in {one.kind for one in facts.unknowns("sm_90")}


@pytest.mark.parametrize("target", ["sm_90", "gfx90a"])
def test_lists_as_vectors_keep_their_lanes(target: str) -> None:
    """`h[i] = {x, y};` was lost: 32 registers were said where nvcc makes 80."""
    head = "__global__ void k(double2* o, const double2* p, int n) { int t = threadIdx.x; double2 h[16]; double s = 0;"
    tail = "for (int i = 0; i < 16; ++i) o[t + i * n] = make_double2(h[i].x * s, h[i].y * s); }"
    fills = (
        "for (int i = 0; i < 16; ++i) { double2 v = p[t + i * n]; h[i] = LIST; s += h[i].x * h[i].y; }".replace(
            "LIST", made
        )
        for made in ("{v.x, v.y}", "make_double2(v.x, v.y)")
    )
    files = [testing.build(head + fill + tail, "k.cu", "cuda") for fill in fills]
    one, other = (kernel_facts(file, file.kernels[0], Settings()).target(target).registers.estimate for file in files)
    assert one == other


@pytest.mark.parametrize(
    ("size", "bytes_"),
    [
        ("(sizeof(KEY) - 1)", 352),
        ("(((int)sizeof(KEY) - 1) / 2)", 160),
        ("sizeof KEY", 384),
        ('sizeof("abc" "de")', 192),
        (r'sizeof("a\n\x41\060")', 160),
    ],
)
def test_a_string_has_a_byte_for_each_character_and_one_for_its_end(size: str, bytes_: int) -> None:
    text = f"""#define KEY "tteohtedani"
__global__ void k(int* o, const int* p) {{
  int a[{size} * 8]; for (int i = 0; i < {size} * 8; ++i) a[p[i]] = i; o[0] = a[p[9]]; }}
"""
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings())
    assert facts.target("sm_90").registers.scratch_bytes == bytes_
    assert not facts.unknowns("sm_90")


def test_an_alias_of_an_argument_has_the_size_of_its_type() -> None:
    """nvcc 13.0.88: 128 bytes."""
    text = """template <int N> struct Bytes {}; template <> struct Bytes<16> { using Type = uint4; };
template <int B> struct Traits { using vec = typename Bytes<B>::Type; };
template <class K> __global__ void k(int* o, const int* p) { using vec = typename K::vec;
  constexpr int N = sizeof(vec) * 2; int a[N]; for (int i = 0; i < N; ++i) a[p[i] & 31] = i; o[0] = a[p[9]]; }
void run(int* o, int* p) { k<Traits<16>><<<1, 64>>>(o, p); }
"""
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings())
    assert facts.target("sm_90").registers.scratch_bytes == 128
    assert not facts.unknowns("sm_90")
