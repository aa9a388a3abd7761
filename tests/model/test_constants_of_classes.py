"""Constants of functions and classes: as arguments of templates, and beside others of the same name."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

CLASSES = """
struct S { static constexpr int N = 4; enum { E = 8, K = 3 };
  template <int M> struct In { enum : int { V = M * 2 }; static constexpr int W = M; }; };
const int m = 3;
template <class T, int N> struct Vec {
  T data[N];
  static constexpr int LEN = N;
  static constexpr int K = N / 2;
  __device__ void load(const T* p) { for (int i = 0; i < N; i++) data[i] = p[i]; }
  __device__ T half(const T* p) {
    T t[K], s = 0;
    for (int i = 0; i < K; i++) t[i] = p[i * 33];
    __syncthreads();
    for (int i = 0; i < K; i++) s = s * t[i] + i;
    return s;
  }
};
template <class T, bool B, int N> struct Pick { T data[N]; __device__ void load(const T*) {} };
template <class T, int N> struct Pick<T, true, N> : Vec<T, N * 2> {};
struct P {
  int n, m;
  float* p;
  __device__ float sum(int k) const { float s = 0; for (int i = 0; i < m; i++) s += p[i * k + n]; return s; }
};
template <class T, int N> struct Own : Own<T, N> { T v; };
HEAD __global__ void k(const float* __restrict__ in, float* out, P p) { BODY }
void launch(float* a, float* b, P p) { kARGS<<<1, 256>>>(a, b, p); }
"""
MOVE = """v.load(in + threadIdx.x * 4);
__syncthreads();
for (int i = 0; i < COUNT; i++) out[threadIdx.x + i * 77] = v.data[i];"""


def held(body: str, head: str, arguments: str) -> int:
    text = CLASSES.replace("HEAD", head).replace("BODY", body).replace("kARGS", f"k{arguments}")
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",)))
    assert not facts.unknowns("sm_90")
    return facts.target("sm_90").registers.estimate


@pytest.mark.parametrize(
    ("declared", "count", "head", "arguments"),
    [
        ("constexpr int NE = 16; Vec<float, NE> v;", "NE", "", ""),
        ("enum { A, B = 12, C, NE = B + 3 }; Vec<float, NE + A + 1> v;", "NE + 1", "", ""),
        ("enum { A = 14, B, NE }; Vec<float, NE> v;", "NE", "", ""),
        ("constexpr int NE = M * 2; Vec<float, NE> v;", "NE", "template <int M>", "<8>"),
        ("const int NE = T::N, NF = NE * 4; Vec<float, NF> v;", "NF", "template <class T>", "<S>"),
        ("constexpr int NE = T::template In<8>::V; Vec<float, NE> v;", "NE", "template <class T>", "<S>"),
        ("using I = typename T::template In<16>; Vec<float, I::W> v;", "I::W", "template <class T>", "<S>"),
        ("enum { NE = T::E * 2 }; using V = Vec<float, NE>; V v;", "V::LEN", "template <class T>", "<S>"),
        ("constexpr bool BIG = M > 3; constexpr int NE{8}; Pick<float, BIG, NE> v;", "16", "template <int M>", "<5>"),
        ("static constexpr auto NE = 16; Vec<float, NE> v;", "NE", "", ""),
        ("constexpr int W = 4, NE = 64 / W; Vec<float, NE> v;", "NE", "", ""),
    ],
)
def test_an_argument_of_a_template_may_name_a_local_constant(
    declared: str, count: str, head: str, arguments: str
) -> None:
    plain = held(f"Vec<float, 16> v; {MOVE.replace('COUNT', '16')}", "", "")
    assert 18 <= plain <= 36  # nvcc 13.0.88: 32
    assert held(f"{declared} {MOVE.replace('COUNT', count)}", head, arguments) == plain


def test_a_constant_ends_with_its_block() -> None:
    first = f"{{ constexpr int NE = 16; Vec<float, NE> v; {MOVE.replace('COUNT', 'NE')} }}"
    wide = held(f"{first} {{ constexpr int NE = 4; Vec<float, NE> v; {MOVE.replace('COUNT', 'NE')} }}", "", "")
    small = held(f"constexpr int NE = 4; Vec<float, NE> v; {MOVE.replace('COUNT', 'NE')}", "", "")
    assert small + 6 < held(first, "", "") <= wide


def test_a_class_hides_constants_of_others_and_of_the_file() -> None:
    """nvcc 13.0.88: 22 with 16 elements, 32 with a run-time length; `S::K` and the file's `m` are 3."""
    assert 17 <= held("Vec<float, 32> v; out[threadIdx.x] = v.half(in + threadIdx.x);", "", "") <= 33
    assert 20 <= held("out[threadIdx.x] = p.sum(threadIdx.x);", "", "") <= 37


def test_a_class_that_is_its_own_base_has_no_size() -> None:
    file = testing.build(CLASSES.partition("HEAD")[0], "k.cu", "cuda")
    type_ = file.type_of("Own<float, 4>")
    assert type_ is not None
    assert type_.size is None


TRAITS = """
template <int B> struct BytesToType {};
template <> struct BytesToType<16> { using Type = uint4; };
template <typename Elt, int N> struct Vec {
  enum { BYTES = N * sizeof(Elt) };
  using Vec_type = typename BytesToType<BYTES>::Type;
  using Data = union { Vec_type vec; Elt elt[N]; };
  Data data;
  __device__ void load(const void* p, size_t i) { this->data.vec = static_cast<const Vec_type*>(p)[i]; }
};
template <int H, typename T, int THREADS> struct Base_traits {
  using real = T;
  enum { WIDTH = H };
};
template <typename T, int H, int WARPS, int BYTES_ = 16, typename Base = Base_traits<H, T, WARPS * 32>>
struct Traits : public Base {
  using real = typename Base::real;
  enum { COUNT = BYTES_ / sizeof(real) };
  enum { LOADS = H / COUNT / (WARPS * 32) };
  using Row = Vec<real, COUNT>;
};
typedef float fp32;
template <typename K> __global__ void k(const void* p, float* o) {
  enum { LOADS = K::LOADS };
  using Row = typename K::Row;
  Row x[LOADS];
#pragma unroll
  for (int i = 0; i < LOADS; i++) x[i].load(p, threadIdx.x + i * 128);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < LOADS; i++)
#pragma unroll
    for (int j = 0; j < K::COUNT; j++) o[threadIdx.x + (i * K::COUNT + j) * 77] = x[i].data.elt[j];
}
template <typename T, int H, int WARPS> void launch(const void* p, float* o) {
  using Traits = Traits<T, H, WARPS>;
  auto kernel = &k<Traits>;
  kernel<<<1, 128>>>(p, o);
}
void go(const void* p, float* o) { launch<fp32, 2048, 4>(p, o); }
"""
ARRAY = """__global__ void k(const float4* p, float* o) {
  float4 x[4];
#pragma unroll
  for (int i = 0; i < 4; i++) x[i] = p[threadIdx.x + i * 128];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 4; i++) {
    o[threadIdx.x + i * 308] = x[i].x; o[threadIdx.x + i * 308 + 77] = x[i].y;
    o[threadIdx.x + i * 308 + 154] = x[i].z; o[threadIdx.x + i * 308 + 231] = x[i].w;
  }
}
"""


def test_classes_of_traits_are_followed_through_their_aliases() -> None:
    """Constants and types of a class in terms of its base, in the arguments of its aliases; a union that an alias
    names; an alias that is called like the template that it means.
    """

    def registers(text: str) -> int:
        file = testing.build(text, "k.cu", "cuda")
        facts = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",)))
        assert not facts.unknowns("sm_90")
        return facts.target("sm_90").registers.estimate

    assert abs(registers(TRAITS) - registers(ARRAY)) <= 2


@pytest.mark.parametrize(
    ("name", "size"),
    [("Part<float, 1, 2>", 8), ("Whole<float, 1, 2>", 8), ("Whole<float, 4, 2>", 12), ("Whole<real, 1, 2>::type", 4)],
)
def test_a_specialisation_has_its_own_members(name: str, size: int) -> None:
    text = """
typedef float real;
template <class T, int A, int M> struct Part { T v; };
template <class T, int M> struct Part<T, 1, M> { int w, l; };
template <class T, int A, int M> struct Whole { using Inner = Whole<T, 1, M>; Inner i; int q; };
template <class T, int M> struct Whole<T, 1, M> { using type = int; using Part = Part<T, 1, M>; Part part; };
"""
    type_ = testing.build(text, "k.cu", "cuda").type_of(name)
    assert type_ is not None
    assert type_.size == size


def test_constants_that_double_sixty_times_end() -> None:
    """Written out, the last of them would be 2 to the 60th words long."""
    doubled = "constexpr int n0 = 1; " + "".join(f"constexpr int n{i} = n{i - 1} + n{i - 1}; " for i in range(1, 60))
    assert held(f"{doubled} Vec<float, n4> v; {MOVE.replace('COUNT', 'n4')}", "", "") == held(
        f"Vec<float, 16> v; {MOVE.replace('COUNT', '16')}", "", ""
    )


@pytest.mark.parametrize(("launch", "missing"), [("k<65536><<<1, 256>>>(a, b);", []), ("", ["h"])])
def test_a_constant_that_is_made_of_itself_ends_with_its_arguments(launch: str, missing: list[str]) -> None:
    text = f"""
    template <int N, int V = N, int C = 0> struct Log2 {{ enum {{ VALUE = Log2<N, (V >> 1), C + 1>::VALUE }}; }};
    template <int N, int C> struct Log2<N, 0, C> {{ enum {{ VALUE = (1 << (C - 1) < N) ? C : C - 1 }}; }};
    template <int N> __global__ void k(const float* in, float* out) {{
      float h[Log2<N>::VALUE];
      for (int i = 0; i < Log2<N>::VALUE; i++) h[i] = in[i * 33 + threadIdx.x];
      __syncthreads();
      for (int i = 0; i < Log2<N>::VALUE; i++) out[i * 77 + threadIdx.x] = h[i];
    }}
    void f(float* a, float* b) {{ {launch} }}"""
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",)))
    assert sorted({one.name for one in facts.unknowns("sm_90") if one.kind == "size"}) == missing
    assert facts.target("sm_90").registers.estimate > (16 if launch else 0)
