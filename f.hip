#include <hip/hip_runtime.h>
#include <tuple>
#include <utility>
struct C { float re, im; __device__ void set(float a) { re = a; im = a; } __device__ float& x() { return re; } };
struct V { C* p; __device__ C& operator()(int i) const { return p[i]; } __device__ C* begin() const { return p; } __device__ C* end() const { return p + 4; } };
struct F { float* p; __device__ float& operator()(int i) const { return p[i]; } __device__ void w(int i, float v) { (*this)(i) = v; } __device__ operator float&() const { return *p; } };
struct B { float* p; __device__ void put(int i, float v) { p[i] = v; } };
struct D : B { __device__ void go(int i, float v) { put(i, v); } };
template <class T> struct CR { __device__ void store(int i, float v) { static_cast<T*>(this)->at(i) = v; } };
struct CD : CR<CD> { float* p; __device__ float& at(int i) { return p[i]; } };
struct RA { float* p; float v; __device__ RA(float* q, float x) : p(q), v(x) {} __device__ ~RA() { *p = v; } };
struct Ref { float* p; __device__ Ref& operator=(float v) { *p = v; return *this; } __device__ Ref& operator+=(float v) { *p += v; return *this; } };
struct It { float* p; __device__ Ref operator*() const { return Ref{p}; } __device__ It& operator++() { ++p; return *this; } __device__ bool operator!=(const It& o) const { return p != o.p; } __device__ Ref operator[](int i) const { return Ref{p + i}; } };
struct Rng { float* p; int n; __device__ It begin() const { return It{p}; } __device__ It end() const { return It{p + n}; } };
template <int N> struct St { __device__ static void go(float* p, float v) { p[N] = v; St<N - 1>::go(p, v); } };
template <> struct St<0> { __device__ static void go(float* p, float v) { p[0] = v; } };
template <int N> __device__ void rec(float* p, float v) { if constexpr (N > 0) { p[N] = v; rec<N - 1>(p, v); } }
template <class... A> __device__ void all(float* p, A... a) { int k = 0; ((p[k++] = a), ...); }
template <class Fn> __device__ void each(int n, Fn f) { for (int k = 0; k < n; ++k) f(k); }
typedef void (*Op)(float*, float); __device__ void op1(float* p, float v) { *p = v; }
union U { float f[4]; float4 v; };
struct Node { float* q; Node* next; };
struct M2 { float m[2][2]; __device__ float* operator[](int i) { return m[i]; } __device__ M2& operator*=(float s) { m[0][0]*=s; m[0][1]*=s; m[1][0]*=s; m[1][1]*=s; return *this; } };
__global__ void k0(V d, float x) { int i = threadIdx.x; d(i).re = x; }
__global__ void k1(V d, float x) { int i = threadIdx.x; d(i).set(x); }
__global__ void k2(V d, float x) { int i = threadIdx.x; d(i).x() = x; }
__global__ void k3(float* a, float* b) { int i = threadIdx.x; std::swap(a[i], b[i]); }
__global__ void k4(float* a, float x) { int i = threadIdx.x; float* it = a + i; *it++ = x; *it++ = x; }
__global__ void k5(V d, float x) { int i = threadIdx.x; for (auto& e : d) e.re = x; }
__global__ void k6(Rng d, float x) { int i = threadIdx.x; for (auto e : d) e = x; }
__global__ void k7(It d, float x) { int i = threadIdx.x; d[i] += x; }
__global__ void k8(F d, float x) { int i = threadIdx.x; d.w(i, x); }
__global__ void k9(F d, float x) { int i = threadIdx.x; float& r = d; r = x; }
__global__ void k10(D d, float x) { int i = threadIdx.x; d.go(i, x); }
__global__ void k11(CD d, float x) { int i = threadIdx.x; d.store(i, x); }
__global__ void k12(float* a, float x) { int i = threadIdx.x; RA r(a + i, x); }
__global__ void k13(float* a, float x) { int i = threadIdx.x; std::tie(a[i], a[i+1]) = std::make_tuple(x, x); }
__global__ void k14(float2* a, float x) { int i = threadIdx.x; auto& [u, v] = a[i]; u = x; v = x; }
__global__ void k15(float* a, float x) { int i = threadIdx.x; St<3>::go(a + i, x); }
__global__ void k16(float* a, float x) { int i = threadIdx.x; rec<3>(a + i, x); }
__global__ void k17(float* a, float x) { int i = threadIdx.x; all(a + i, x, x + 1, x + 2); }
__global__ void k18(float* a, float x) { int i = threadIdx.x; each(3, [=](int k) { a[i + k] = x; }); }
__global__ void k19(float* a, float x) { int i = threadIdx.x; Op f = op1; f(a + i, x); }
__global__ void k20(float4* a, float x) { int i = threadIdx.x; U u; for (int k = 0; k < 4; ++k) u.f[k] = x; a[i] = u.v; }
__global__ void k21(Node* a, float x) { int i = threadIdx.x; for (Node* n = a; n; n = n->next) n->q[i] = x; }
__global__ void k22(float* a, float x) { int i = threadIdx.x; a[i] = x, a[i+1] = x; }
__global__ void k23(float* a, float x) { int i = threadIdx.x; x > 0 ? (void)(a[i] = x) : (void)(a[i+1] = x); }
__global__ void k24(float* a, float x) { int i = threadIdx.x; x > 0 && (a[i] = x); }
__global__ void k25(float* a, float x) { int i = threadIdx.x; int k = 0; again: a[i + k] = x; if (++k < 4) goto again; }
__global__ void k26(float* a, float x, int m) { int i = threadIdx.x; switch (m) { case 0: a[i] = x; case 1: a[i+1] = x; break; default: a[i+2] = x; } }
__global__ void k27(float* a, float x) { int i = threadIdx.x; float v[4] = {x, x, x, x}; memcpy(a + i, v, 16); }
__global__ void k28(C* a, float x) { int i = threadIdx.x; new (a + i) C{x, x}; }
__global__ void k29(int* a) { int i = threadIdx.x; __hip_atomic_fetch_add(a + i, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }
__global__ void k30(int* a) { int i = threadIdx.x; __atomic_fetch_add(a + i, 1, __ATOMIC_RELAXED); }
__global__ void k31(float* a, float x) { int i = threadIdx.x; __builtin_nontemporal_store(x, a + i); }
__global__ void k32(M2* a, float x) { int i = threadIdx.x; a[i][0][1] = x; }
__global__ void k33(M2* a, float x) { int i = threadIdx.x; a[i] *= x; }
__global__ void k34(M2* a, float x) { int i = threadIdx.x; M2 m = a[i]; m *= x; a[i] = m; }
__global__ void k35(float (*a)[4], float x) { int i = threadIdx.x; a[i][2] = x; }
__global__ void k36(float** a, float x) { int i = threadIdx.x; for (int k = 0; k < 4; ++k) a[k][i] = x; }
__global__ void k37(C* a, float x) { int i = threadIdx.x; float C::* m = &C::re; a[i].*m = x; }
__global__ void k38(volatile float* a, float x) { int i = threadIdx.x; a[i] = x; }
__global__ void k39(float* a, float x) { int i = threadIdx.x; *reinterpret_cast<float4*>(a + i) = make_float4(x, x, x, x); }
__global__ void k40(F d, float x) { int i = threadIdx.x; (float&)d(i) = x; }
__global__ void k41(C* a, float x) { int i = threadIdx.x; C c; c.set(x); *(a + i) = c; }
__global__ void k42(float* a, float* b, float x) { int i = threadIdx.x; a[i] = b[i] = x; }
__global__ void k43(float* a, float x) { int i = threadIdx.x; auto f = [&](float& r) { r = x; }; f(a[i]); }
__global__ void k44(float* a, float* e, float x) { int i = threadIdx.x; for (; a < e; a += 64) *a = x; }
__global__ void k45(float* a, float* b) { int i = threadIdx.x; float t = a[i]; a[i] = b[i]; b[i] = t; }
__global__ void k46(V* d, float x) { int i = threadIdx.x; (*d)(i).im = x; }
__global__ void k47(V* d, float x) { int i = threadIdx.x; d[i](i).im = x; }
__global__ void k48(float* a, float x) { int i = threadIdx.x; if (auto p = a + i; x > 0) *p = x; }
__global__ void k49(C* a, float x) { int i = threadIdx.x; struct { C* q; } s{a}; s.q[i].re = x; }
