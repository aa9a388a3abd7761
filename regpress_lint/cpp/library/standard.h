// What device code uses of <array>, <type_traits>, <utility>, <tuple>, <limits>, <optional> and <functional>, of thrust
// and of libcu++. It has their meaning and no library's text. Complex numbers are vectors of two. `std::get` and
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
  static constexpr size_t size() { return N; }
  void fill(const T& x) { for (size_t i = 0; i < N; ++i) elements[i] = x; }
};

template <class A, class B> struct pair { A first; B second; };
template <class A, class B> pair<A, B> make_pair(A a, B b) { return {a, b}; }

template <class... T> struct tuple {};
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

template <class T> struct optional {
  T held;
  bool has;
  bool has_value() const { return has; }
  T& value() { return held; }
  T value_or(T other) const { return has ? held : other; }
  T& operator*() { return held; }
  explicit operator bool() const { return has; }
};

template <class T> struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T> struct minus { T operator()(T a, T b) const { return a - b; } };
template <class T> struct multiplies { T operator()(T a, T b) const { return a * b; } };
template <class T> struct divides { T operator()(T a, T b) const { return a / b; } };
template <class T> struct maximum { T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct minimum { T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct less { bool operator()(T a, T b) const { return a < b; } };
template <class T> struct greater { bool operator()(T a, T b) const { return a > b; } };
template <class T> struct equal_to { bool operator()(T a, T b) const { return a == b; } };

}  // namespace std
