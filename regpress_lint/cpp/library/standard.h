// What device code uses of <array>, <span>, <bit>, <type_traits>, <utility>, <tuple>, <limits>,
// <optional>, <complex> and <functional>, of thrust, libcu++ and CUB. It has their meaning and no library's text. Complex numbers are vectors of two. `std::get` and
// `std::tie` are the interpreter's, which takes the members in their order.
namespace std {

template <class T, size_t N> struct array {
  T elements[N];
  T& operator[](size_t i) { return elements[i]; }
  T& at(size_t i) { return elements[i]; }
  T& front() { return elements[0]; }
  T& back() { return elements[N - 1]; }
  T* data() { return elements; }
  T* begin() { return elements; }
  T* end() { return elements + N; }
  const T* cbegin() const { return elements; }
  const T* cend() const { return elements + N; }
  static constexpr size_t size() { return N; }
  static constexpr size_t max_size() { return N; }
  static constexpr bool empty() { return N == 0; }
  void fill(const T& x) { for (size_t i = 0; i < N; ++i) elements[i] = x; }
};
template <class T, class... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;

// `{a, b}` as an argument: the interpreter keeps the elements and says where they are.
template <class T> struct initializer_list {
  const T* first;
  size_t count;
  const T* begin() const { return first; }
  const T* end() const { return first + count; }
  size_t size() const { return count; }
};

constexpr size_t dynamic_extent = 18446744073709551615ull;
template <class T, size_t N = dynamic_extent> struct span {
  T* p;
  span(T* first) : p(first) {}
  span(T* first, size_t n) : p(first) {}
  T& operator[](size_t i) const { return p[i]; }
  T& operator()(size_t i) const { return p[i]; }
  T& front() const { return p[0]; }
  T& back() const { return p[N - 1]; }
  T* data() const { return p; }
  T* begin() const { return p; }
  T* end() const { return p + N; }
  static constexpr size_t size() { return N; }
  span<T> first(size_t n) const { return span<T>(p, n); }
  span<T> subspan(size_t from) const { return span<T>(p + from, N - from); }
  span<T> subspan(size_t from, size_t n) const { return span<T>(p + from, n); }
};
template <class T> struct span<T, 18446744073709551615ull> {
  T* p;
  size_t n;
  span(T* first, size_t count) : p(first), n(count) {}
  T& operator[](size_t i) const { return p[i]; }
  T& operator()(size_t i) const { return p[i]; }
  T& front() const { return p[0]; }
  T& back() const { return p[n - 1]; }
  T* data() const { return p; }
  T* begin() const { return p; }
  T* end() const { return p + n; }
  size_t size() const { return n; }
  size_t size_bytes() const { return n * sizeof(T); }
  bool empty() const { return n == 0; }
  span<T> first(size_t count) const { return span<T>(p, count); }
  span<T> last(size_t count) const { return span<T>(p + (n - count), count); }
  span<T> subspan(size_t from) const { return span<T>(p + from, n - from); }
  span<T> subspan(size_t from, size_t count) const { return span<T>(p + from, count); }
};

template <class I> int popcount(I x) { return sizeof(I) > 4 ? __popcll(x) : __popc(x); }
template <class I> int countl_zero(I x) { return sizeof(I) > 4 ? __clzll(x) : __clz(x); }
template <class I> int countr_zero(I x) { return sizeof(I) > 4 ? __ffsll(x) - 1 : __ffs(x) - 1; }
template <class I> int bit_width(I x) { return 8 * sizeof(I) - countl_zero(x); }
template <class I> I rotl(I x, int n) { return (x << n) | (x >> (8 * sizeof(I) - n)); }
template <class I> I rotr(I x, int n) { return (x >> n) | (x << (8 * sizeof(I) - n)); }
template <class I> bool has_single_bit(I x) { return x != 0 && (x & (x - 1)) == 0; }

template <class A, class B> struct pair { A first; B second; };
template <class A, class B> pair<A, B> make_pair(A a, B b) { return {a, b}; }

template <class... T> struct tuple {};
template <class... T> tuple(T...) -> tuple<T...>;
template <class A> struct tuple<A> { A m0; };
template <class A, class B> struct tuple<A, B> { A m0; B m1; };
template <class A, class B, class C> struct tuple<A, B, C> { A m0; B m1; C m2; };
template <class A, class B, class C, class D> struct tuple<A, B, C, D> { A m0; B m1; C m2; D m3; };
template <class A, class B, class C, class D, class E> struct tuple<A, B, C, D, E> { A m0; B m1; C m2; D m3; E m4; };
template <class A, class B, class C, class D, class E, class F> struct tuple<A, B, C, D, E, F> {
  A m0; B m1; C m2; D m3; E m4; F m5;
};
template <class A> tuple<A> make_tuple(A a) { return {a}; }
template <class A, class B> tuple<A, B> make_tuple(A a, B b) { return {a, b}; }
template <class A, class B, class C> tuple<A, B, C> make_tuple(A a, B b, C c) { return {a, b, c}; }
template <class A, class B, class C, class D> tuple<A, B, C, D> make_tuple(A a, B b, C c, D d) { return {a, b, c, d}; }
template <class A, class B, class C, class D, class E> tuple<A, B, C, D, E> make_tuple(A a, B b, C c, D d, E e) {
  return {a, b, c, d, e};
}

template <class A, class B> tuple<A, B> tuple_cat(const tuple<A>& a, const tuple<B>& b) { return {a.m0, b.m0}; }
template <class A, class B, class C> tuple<A, B, C> tuple_cat(const tuple<A, B>& a, const tuple<C>& b) {
  return {a.m0, a.m1, b.m0};
}
template <class A, class B, class C> tuple<A, B, C> tuple_cat(const tuple<A>& a, const tuple<B, C>& b) {
  return {a.m0, b.m0, b.m1};
}
template <class A, class B, class C, class D> tuple<A, B, C, D> tuple_cat(const tuple<A, B>& a, const tuple<C, D>& b) {
  return {a.m0, a.m1, b.m0, b.m1};
}

template <class... T> struct variant {};
template <class A, class B> struct variant<A, B> {
  A m0; B m1; int which;
  variant() : which(0) {}
  variant(const A& x) : m0(x), which(0) {}
  variant(const B& x) : m1(x), which(1) {}
  variant<A, B>& operator=(const A& x) { m0 = x; which = 0; return *this; }
  variant<A, B>& operator=(const B& x) { m1 = x; which = 1; return *this; }
  int index() const { return which; }
};
template <class A, class B, class C> struct variant<A, B, C> {
  A m0; B m1; C m2; int which;
  variant() : which(0) {}
  variant(const A& x) : m0(x), which(0) {}
  variant(const B& x) : m1(x), which(1) {}
  variant(const C& x) : m2(x), which(2) {}
  variant<A, B, C>& operator=(const A& x) { m0 = x; which = 0; return *this; }
  variant<A, B, C>& operator=(const B& x) { m1 = x; which = 1; return *this; }
  variant<A, B, C>& operator=(const C& x) { m2 = x; which = 2; return *this; }
  int index() const { return which; }
};
template <class F, class A, class B> auto algorithm_visit(F f, const variant<A, B>& v) {
  return v.which == 0 ? f(v.m0) : f(v.m1);
}
template <class F, class A, class B, class C> auto algorithm_visit(F f, const variant<A, B, C>& v) {
  return v.which == 0 ? f(v.m0) : v.which == 1 ? f(v.m1) : f(v.m2);
}
template <class T, class A, class B> bool algorithm_holds_alternative(const variant<A, B>& v) {
  return std::is_same_v<T, A> ? v.which == 0 : v.which == 1;
}
template <class T, class A, class B, class C> bool algorithm_holds_alternative(const variant<A, B, C>& v) {
  return std::is_same_v<T, A> ? v.which == 0 : std::is_same_v<T, B> ? v.which == 1 : v.which == 2;
}

template <class T, T V> struct integral_constant {
  static constexpr T value = V;
  constexpr operator T() const { return V; }
  constexpr T operator()() const { return V; }
};
template <bool V> using bool_constant = integral_constant<bool, V>;

template <class T> void swap(T& a, T& b) { T c = a; a = b; b = c; }
template <class T> T exchange(T& a, T b) { T c = a; a = b; return c; }

template <class T> struct numeric_limits {};
template <> struct numeric_limits<float> {
  static constexpr int digits = 24;
  static constexpr float infinity() { return 1e39f; }
  static constexpr float quiet_NaN() { return 1e39f; }
  static constexpr float max() { return 3.40282347e+38f; }
  static constexpr float lowest() { return -3.40282347e+38f; }
  static constexpr float min() { return 1.17549435e-38f; }
  static constexpr float epsilon() { return 1.19209290e-07f; }
  static constexpr float denorm_min() { return 1.40129846e-45f; }
};
template <> struct numeric_limits<double> {
  static constexpr int digits = 53;
  static constexpr double infinity() { return 1e309; }
  static constexpr double quiet_NaN() { return 1e309; }
  static constexpr double max() { return 1.7976931348623157e+308; }
  static constexpr double lowest() { return -1.7976931348623157e+308; }
  static constexpr double min() { return 2.2250738585072014e-308; }
  static constexpr double epsilon() { return 2.2204460492503131e-16; }
  static constexpr double denorm_min() { return 4.9406564584124654e-324; }
};
template <> struct numeric_limits<int> {
  static constexpr int digits = 31;
  static constexpr int max() { return 2147483647; }
  static constexpr int min() { return -2147483648; }
  static constexpr int lowest() { return -2147483648; }
};
template <> struct numeric_limits<unsigned int> {
  static constexpr int digits = 32;
  static constexpr unsigned int max() { return 4294967295u; }
  static constexpr unsigned int min() { return 0u; }
  static constexpr unsigned int lowest() { return 0u; }
};
template <> struct numeric_limits<long long> {
  static constexpr int digits = 63;
  static constexpr long long max() { return 9223372036854775807ll; }
  static constexpr long long min() { return -9223372036854775807ll - 1; }
  static constexpr long long lowest() { return -9223372036854775807ll - 1; }
};
template <> struct numeric_limits<unsigned long long> {
  static constexpr int digits = 64;
  static constexpr unsigned long long max() { return 18446744073709551615ull; }
  static constexpr unsigned long long min() { return 0ull; }
  static constexpr unsigned long long lowest() { return 0ull; }
};

template <class T> complex<T> conj(const complex<T>& a) { return complex<T>(a.re, -a.im); }
template <class T> T real(const complex<T>& a) { return a.re; }
template <class T> T imag(const complex<T>& a) { return a.im; }
template <class T> T norm(const complex<T>& a) { return a.re * a.re + a.im * a.im; }

template <class T> complex<T> operator*(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
template <class T> complex<T>& operator*=(complex<T>& a, const complex<T>& b) { a = a * b; return a; }
template <class T> complex<T> operator/(const complex<T>& a, const complex<T>& b) {
  T scale = 1 / (fabs(b.re) + fabs(b.im)), p = a.re * scale, q = a.im * scale, r = b.re * scale, s = b.im * scale;
  T size = 1 / (r * r + s * s);
  return complex<T>((p * r + q * s) * size, (q * r - p * s) * size);
}
template <class T> complex<T>& operator/=(complex<T>& a, const complex<T>& b) { a = a / b; return a; }
template <class T> complex<T> polar(T r, T angle) { return complex<T>(r * cos(angle), r * sin(angle)); }
template <class T> T arg(const complex<T>& a) { return atan2(a.im, a.re); }
template <class T> T complex_abs(const complex<T>& a) { return hypot(a.re, a.im); }
template <class T> complex<T> complex_exp(const complex<T>& a) {
  T r = exp(a.re);
  return complex<T>(r * cos(a.im), r * sin(a.im));
}
template <class T> complex<T> complex_log(const complex<T>& a) {
  return complex<T>(log(hypot(a.re, a.im)), atan2(a.im, a.re));
}
template <class T> complex<T> complex_sqrt(const complex<T>& a) {
  T u = sqrt((hypot(a.re, a.im) + fabs(a.re)) / 2), v = fabs(a.im) / (2 * u);
  return a.re < 0 ? complex<T>(v, copysign(u, a.im)) : complex<T>(u, copysign(v, a.im));
}
template <class T, class P> complex<T> complex_pow(const complex<T>& a, const P& p) {
  complex<T> product = complex<T>(log(hypot(a.re, a.im)), atan2(a.im, a.re)) * p;
  T r = exp(product.re);
  return complex<T>(r * cos(product.im), r * sin(product.im));
}
template <class T> complex<T> complex_sin(const complex<T>& a) {
  return complex<T>(sin(a.re) * cosh(a.im), cos(a.re) * sinh(a.im));
}
template <class T> complex<T> complex_cos(const complex<T>& a) {
  return complex<T>(cos(a.re) * cosh(a.im), -sin(a.re) * sinh(a.im));
}
template <class T> complex<T> complex_sinh(const complex<T>& a) {
  return complex<T>(sinh(a.re) * cos(a.im), cosh(a.re) * sin(a.im));
}
template <class T> complex<T> complex_cosh(const complex<T>& a) {
  return complex<T>(cosh(a.re) * cos(a.im), sinh(a.re) * sin(a.im));
}

struct nullopt_t {};
constexpr nullopt_t nullopt{};
template <class T> struct optional {
  T held;
  bool has;
  optional() : has(false) {}
  optional(nullopt_t) : has(false) {}
  optional(const T& x) : held(x), has(true) {}
  optional<T>& operator=(nullopt_t) { has = false; return *this; }
  optional<T>& operator=(const T& x) { held = x; has = true; return *this; }
  T& emplace(const T& x) { held = x; has = true; return held; }
  void reset() { has = false; }
  T* operator->() { return &held; }
  bool has_value() const { return has; }
  T& value() { return held; }
  T value_or(T other) const { return has ? held : other; }
  T& operator*() { return held; }
  explicit operator bool() const { return has; }
};

template <class T> optional<T> make_optional(T x) { return optional<T>(x); }

template <size_t N> struct bitset {
  unsigned long long words[(N + 63) / 64];
  bitset() { for (size_t i = 0; i < (N + 63) / 64; ++i) words[i] = 0; }
  bitset(unsigned long long x) { for (size_t i = 1; i < (N + 63) / 64; ++i) words[i] = 0; words[0] = x; }
  bool test(size_t i) const { return words[i / 64] >> (i % 64) & 1; }
  bool operator[](size_t i) const { return words[i / 64] >> (i % 64) & 1; }
  bitset<N>& set(size_t i) { words[i / 64] |= 1ull << (i % 64); return *this; }
  bitset<N>& reset(size_t i) { words[i / 64] &= ~(1ull << (i % 64)); return *this; }
  bitset<N>& flip(size_t i) { words[i / 64] ^= 1ull << (i % 64); return *this; }
  bitset<N>& reset() { for (size_t i = 0; i < (N + 63) / 64; ++i) words[i] = 0; return *this; }
  size_t count() const { size_t n = 0; for (size_t i = 0; i < (N + 63) / 64; ++i) n += __popcll(words[i]); return n; }
  bool any() const { unsigned long long x = 0; for (size_t i = 0; i < (N + 63) / 64; ++i) x |= words[i]; return x != 0; }
  bool none() const { return !any(); }
  unsigned long long to_ullong() const { return words[0]; }
  static constexpr size_t size() { return N; }
  bitset<N>& operator&=(const bitset<N>& b) { for (size_t i = 0; i < (N + 63) / 64; ++i) words[i] &= b.words[i]; return *this; }
  bitset<N>& operator|=(const bitset<N>& b) { for (size_t i = 0; i < (N + 63) / 64; ++i) words[i] |= b.words[i]; return *this; }
  bitset<N>& operator^=(const bitset<N>& b) { for (size_t i = 0; i < (N + 63) / 64; ++i) words[i] ^= b.words[i]; return *this; }
};

// Algorithms: the interpreter calls `std::fill` by the name `algorithm_fill`, no function of another library.
template <class T, int N> constexpr size_t algorithm_size(T (&a)[N]) { return N; }
template <class C> size_t algorithm_size(const C& a) { return a.size(); }
template <class T, int N> constexpr int algorithm_ssize(T (&a)[N]) { return N; }
template <class C> int algorithm_ssize(const C& a) { return a.size(); }
template <class T, int N> T* algorithm_begin(T (&a)[N]) { return a; }
template <class C> auto algorithm_begin(C& a) { return a.begin(); }
template <class T, int N> T* algorithm_end(T (&a)[N]) { return a + N; }
template <class C> auto algorithm_end(C& a) { return a.end(); }
template <class I, class T> T algorithm_accumulate(I a, I e, T s) { for (; a != e; ++a) s = s + *a; return s; }
template <class I, class T, class F> T algorithm_accumulate(I a, I e, T s, F f) {
  for (; a != e; ++a) s = f(s, *a);
  return s;
}
template <class I, class J, class T> T algorithm_inner_product(I a, I e, J b, T s) {
  for (; a != e; ++a, ++b) s = s + *a * *b;
  return s;
}
template <class I, class O> O algorithm_copy(I a, I e, O to) { for (; a != e; ++a, ++to) *to = *a; return to; }
template <class I, class N, class O> O algorithm_copy_n(I a, N n, O to) {
  for (N i = 0; i < n; ++i) to[i] = a[i];
  return to + n;
}
template <class I, class T> void algorithm_fill(I a, I e, const T& x) { for (; a != e; ++a) *a = x; }
template <class I, class N, class T> void algorithm_fill_n(I a, N n, const T& x) { for (N i = 0; i < n; ++i) a[i] = x; }
template <class I, class T> void algorithm_iota(I a, I e, T x) { for (; a != e; ++a, ++x) *a = x; }
template <class I, class F> void algorithm_for_each(I a, I e, F f) { for (; a != e; ++a) f(*a); }
template <class I, class O, class F> O algorithm_transform(I a, I e, O to, F f) {
  for (; a != e; ++a, ++to) *to = f(*a);
  return to;
}
template <class I, class J, class O, class F> O algorithm_transform(I a, I e, J b, O to, F f) {
  for (; a != e; ++a, ++b, ++to) *to = f(*a, *b);
  return to;
}
template <class I> I algorithm_max_element(I a, I e) { I best = a; for (; a != e; ++a) if (*best < *a) best = a; return best; }
template <class I> I algorithm_min_element(I a, I e) { I best = a; for (; a != e; ++a) if (*a < *best) best = a; return best; }
template <class I, class T> int algorithm_count(I a, I e, const T& x) { int n = 0; for (; a != e; ++a) n += *a == x; return n; }
template <class I, class F> int algorithm_count_if(I a, I e, F f) { int n = 0; for (; a != e; ++a) n += f(*a); return n; }
template <class I, class F> bool algorithm_all_of(I a, I e, F f) { bool all = true; for (; a != e; ++a) all = all && f(*a); return all; }
template <class I, class F> bool algorithm_any_of(I a, I e, F f) { bool any = false; for (; a != e; ++a) any = any || f(*a); return any; }

template <class T> struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T> struct minus { T operator()(T a, T b) const { return a - b; } };
template <class T> struct multiplies { T operator()(T a, T b) const { return a * b; } };
template <class T> struct divides { T operator()(T a, T b) const { return a / b; } };
template <class T> struct maximum { T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct minimum { T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct less { bool operator()(T a, T b) const { return a < b; } };
template <class T> struct greater { bool operator()(T a, T b) const { return a > b; } };
template <class T> struct equal_to { bool operator()(T a, T b) const { return a == b; } };

// Moves between a thread's items and memory, of CUB.
template <class I, class T, int N> void LoadDirectBlocked(int thread, I from, T (&items)[N]) {
  for (int k = 0; k < N; ++k) items[k] = from[thread * N + k];
}
template <class I, class T, int N> void StoreDirectBlocked(int thread, I to, T (&items)[N]) {
  for (int k = 0; k < N; ++k) to[thread * N + k] = items[k];
}
template <int THREADS, class I, class T, int N> void LoadDirectStriped(int thread, I from, T (&items)[N]) {
  for (int k = 0; k < N; ++k) items[k] = from[thread + k * THREADS];
}
template <class I, class T, int N> void LoadDirectBlocked(int thread, I from, T (&items)[N], int n) {
  for (int k = 0; k < N; ++k) if (thread * N + k < n) items[k] = from[thread * N + k];
}
template <class I, class T, int N, class D> void LoadDirectBlocked(int thread, I from, T (&items)[N], int n, D other) {
  for (int k = 0; k < N; ++k) items[k] = other;
  for (int k = 0; k < N; ++k) if (thread * N + k < n) items[k] = from[thread * N + k];
}
template <class I, class T, int N> void StoreDirectBlocked(int thread, I to, T (&items)[N], int n) {
  for (int k = 0; k < N; ++k) if (thread * N + k < n) to[thread * N + k] = items[k];
}
template <int THREADS, class I, class T, int N> void StoreDirectStriped(int thread, I to, T (&items)[N]) {
  for (int k = 0; k < N; ++k) to[thread + k * THREADS] = items[k];
}
template <int THREADS, class I, class T, int N> void LoadDirectStriped(int thread, I from, T (&items)[N], int n) {
  for (int k = 0; k < N; ++k) if (thread + k * THREADS < n) items[k] = from[thread + k * THREADS];
}
template <int THREADS, class I, class T, int N, class D>
void LoadDirectStriped(int thread, I from, T (&items)[N], int n, D other) {
  for (int k = 0; k < N; ++k) items[k] = other;
  for (int k = 0; k < N; ++k) if (thread + k * THREADS < n) items[k] = from[thread + k * THREADS];
}
template <int THREADS, class I, class T, int N> void StoreDirectStriped(int thread, I to, T (&items)[N], int n) {
  for (int k = 0; k < N; ++k) if (thread + k * THREADS < n) to[thread + k * THREADS] = items[k];
}
template <class T, int N, class F> T ThreadReduce(T (&items)[N], F f) {
  T sum = items[0];
  for (int k = 1; k < N; ++k) sum = f(sum, items[k]);
  return sum;
}
template <int CACHE, class T> T ThreadLoad(T* p) { return *p; }
template <int CACHE, class T> void ThreadStore(T* p, T x) { *p = x; }

}  // namespace std
