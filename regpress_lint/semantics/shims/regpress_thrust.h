// thrust: vectors, pointers, iterators and functors; the algorithms take anything, and what they give fits anywhere.
#pragma once
#include <regpress_gpu.h>
#include <complex>
#include <functional>
#include <tuple>
#include <vector>
REGPRESS_BEGIN
#define THRUST_VERSION 200700
#define THRUST_MAJOR_VERSION 2
#define THRUST_HOST_DEVICE __attribute__((host)) __attribute__((device))
namespace cuda {
namespace std {
// The elements stand in their order.
template <size_t I, typename T>
struct regpress_leaf {
  T value;
};
template <typename, typename... T>
struct regpress_leaves;
template <size_t... I, typename... T>
struct regpress_leaves<::std::index_sequence<I...>, T...> : regpress_leaf<I, T>... {
  regpress_leaves() = default;
  template <typename... U>
  constexpr regpress_leaves(int, U &&...values) : regpress_leaf<I, T>{static_cast<T>(static_cast<U &&>(values))}... {}
};
template <typename... T>
class tuple : public regpress_leaves<::std::index_sequence_for<T...>, T...> {
 public:
  tuple() = default;
  template <typename... U, typename = ::std::enable_if_t<sizeof...(U) == sizeof...(T)>>
  constexpr tuple(U &&...values) : regpress_leaves<::std::index_sequence_for<T...>, T...>(0, static_cast<U &&>(values)...) {}
  template <typename... U>
  tuple(const tuple<U...> &);
  template <typename... U>
  tuple &operator=(const tuple<U...> &);
  template <typename A, typename B>
  tuple &operator=(const ::std::pair<A, B> &);
};
template <>
class tuple<> {};
template <size_t I, typename T>
constexpr T &regpress_at(regpress_leaf<I, T> &leaf) {
  return leaf.value;
}
template <size_t I, typename T>
constexpr const T &regpress_at(const regpress_leaf<I, T> &leaf) {
  return leaf.value;
}
template <size_t I, typename... T>
constexpr auto &get(tuple<T...> &value) {
  return regpress_at<I>(value);
}
template <size_t I, typename... T>
constexpr const auto &get(const tuple<T...> &value) {
  return regpress_at<I>(value);
}
template <size_t I, typename... T>
constexpr __type_pack_element<I, T...> get(tuple<T...> &&value) {
  return regpress_at<I>(value);
}
template <typename... T>
constexpr tuple<__decay(T)...> make_tuple(T &&...values) {
  return tuple<__decay(T)...>(static_cast<T &&>(values)...);
}
template <typename... T>
tuple<T &...> tie(T &...);
template <size_t, typename>
struct tuple_element;
template <size_t I, typename... T>
struct tuple_element<I, tuple<T...>> {
  typedef __type_pack_element<I, T...> type;
};
template <typename>
struct tuple_size;
template <typename... T>
struct tuple_size<tuple<T...>> : ::std::integral_constant<size_t, sizeof...(T)> {};
}  // namespace std
}  // namespace cuda

namespace thrust {
using cuda::std::get;
using cuda::std::make_tuple;
using cuda::std::tie;
using cuda::std::tuple;
using cuda::std::tuple_element;
using cuda::std::tuple_size;
using std::make_pair;
using std::pair;
struct null_type;

struct regpress_any;
template <typename T, typename = typename regpress::only_if<__is_arithmetic(T)>::type>
T &operator+=(T &, const regpress_any &);
struct REGPRESS_UNSIZED regpress_any {
  template <typename T>
  operator T() const;
  regpress_any operator[](long) const;
  regpress_any operator*() const;
  template <typename T>
  regpress_any operator+(T) const;
  template <typename T>
  regpress_any operator-(T) const;
  template <typename T>
  regpress_any &operator=(const T &);
  regpress_any &operator++();
  regpress_any get() const;
  regpress_any base() const;
};
template <typename T>
struct device_reference {
  T *place;
  operator T() const;
  T *operator&() const;
  device_reference &operator=(const T &);
  device_reference &operator=(const device_reference &);
  device_reference &operator+=(const T &);
  device_reference &operator-=(const T &);
  device_reference &operator++();
};
template <typename T>
struct device_ptr {
  T *place;
  typedef T value_type;
  typedef T element_type;
  typedef ptrdiff_t difference_type;
  typedef T *pointer;
  typedef device_reference<T> reference;
  typedef std::random_access_iterator_tag iterator_category;
  device_ptr() = default;
  explicit device_ptr(T *);
  template <typename U>
  device_ptr(const device_ptr<U> &);
  T *get() const;
  device_reference<T> operator*() const;
  device_reference<T> operator[](ptrdiff_t) const;
  device_ptr operator+(ptrdiff_t) const;
  device_ptr operator-(ptrdiff_t) const;
  ptrdiff_t operator-(const device_ptr &) const;
  device_ptr &operator++();
  device_ptr operator++(int);
  device_ptr &operator+=(ptrdiff_t);
  bool operator==(const device_ptr &) const;
  bool operator!=(const device_ptr &) const;
};
template <typename T>
device_ptr<T> device_pointer_cast(T *);
template <typename T>
T *raw_pointer_cast(T *);
template <typename T>
T *raw_pointer_cast(const device_ptr<T> &);
template <typename T>
T &raw_reference_cast(const device_reference<T> &);
template <typename T>
device_ptr<T> device_malloc(size_t);
template <typename P>
void device_free(P);
template <typename T>
struct REGPRESS_UNSIZED device_vector {
  typedef T value_type;
  typedef device_ptr<T> pointer;
  typedef device_ptr<T> iterator;
  typedef device_ptr<const T> const_iterator;
  typedef device_reference<T> reference;
  typedef size_t size_type;
  device_vector();
  explicit device_vector(size_t);
  device_vector(size_t, const T &);
  template <typename C, typename = decltype(std::declval<const C &>().size())>
  device_vector(const C &);
  template <typename I, typename J>
  device_vector(I, J);
  template <typename C>
  device_vector &operator=(const C &);
  size_t size() const;
  size_t capacity() const;
  bool empty() const;
  void resize(size_t);
  void resize(size_t, const T &);
  void reserve(size_t);
  void clear();
  void shrink_to_fit();
  void push_back(const T &);
  void pop_back();
  template <typename... A>
  void assign(A &&...);
  template <typename... A>
  iterator insert(A &&...);
  template <typename... A>
  iterator erase(A &&...);
  void swap(device_vector &);
  iterator begin();
  iterator end();
  const_iterator begin() const;
  const_iterator end() const;
  const_iterator cbegin() const;
  const_iterator cend() const;
  device_reference<T> operator[](size_t);
  T operator[](size_t) const;
  device_reference<T> front();
  device_reference<T> back();
  pointer data();
  device_ptr<const T> data() const;
};
template <typename T>
struct REGPRESS_UNSIZED host_vector : std::vector<T> {
  using std::vector<T>::vector;
  template <typename C, typename = decltype(std::declval<const C &>().size())>
  host_vector(const C &);
  template <typename C>
  host_vector &operator=(const C &);
};
template <typename T>
struct __attribute__((aligned(2 * sizeof(T)))) complex : std::complex<T> {
  using std::complex<T>::complex;
  complex() = default;
  complex(const std::complex<T> &);
  template <typename U>
  complex(const complex<U> &);
};
template <typename T>
T abs(const complex<T> &);
template <typename T>
T arg(const complex<T> &);
template <typename T>
T norm(const complex<T> &);
template <typename T>
complex<T> conj(const complex<T> &);
template <typename T>
complex<T> polar(T, T = T());
template <typename T>
complex<T> exp(const complex<T> &);
template <typename T>
complex<T> sqrt(const complex<T> &);
#define REGPRESS_COMPLEX_FREE(sign)                                  \
  template <typename T>                                              \
  complex<T> operator sign(const complex<T> &, const complex<T> &);  \
  template <typename T>                                              \
  complex<T> operator sign(const complex<T> &, const T &);           \
  template <typename T>                                              \
  complex<T> operator sign(const T &, const complex<T> &);
REGPRESS_COMPLEX_FREE(+)
REGPRESS_COMPLEX_FREE(-)
REGPRESS_COMPLEX_FREE(*)
REGPRESS_COMPLEX_FREE(/)

struct regpress_policy {
  template <typename S>
  regpress_policy on(S) const;
  template <typename A>
  regpress_policy operator()(A &&) const;
};
inline constexpr regpress_policy host{}, device{}, seq{};
namespace cuda {
inline constexpr regpress_policy par{}, par_nosync{};
template <typename T>
using pointer = device_ptr<T>;
}  // namespace cuda
namespace hip {
inline constexpr regpress_policy par{}, par_nosync{};
}
template <typename T>
struct REGPRESS_UNSIZED regpress_thrust_iterator : std::regpress_iterator<T> {
  template <typename... A>
  explicit regpress_thrust_iterator(A...);
  regpress_thrust_iterator operator+(ptrdiff_t) const;
  T operator[](ptrdiff_t) const;
  T operator*() const;
};
template <typename T, typename... R>
struct REGPRESS_UNSIZED counting_iterator : regpress_thrust_iterator<T> {
  counting_iterator(T = T());
  counting_iterator operator+(ptrdiff_t) const;
};
template <typename T, typename... R>
struct REGPRESS_UNSIZED constant_iterator : regpress_thrust_iterator<T> {
  constant_iterator(T);
};
template <typename... A>
struct REGPRESS_UNSIZED transform_iterator : regpress_any {
  template <typename... B>
  transform_iterator(B...);
};
template <typename... A>
struct REGPRESS_UNSIZED permutation_iterator : regpress_any {
  template <typename... B>
  permutation_iterator(B...);
};
template <typename... A>
struct REGPRESS_UNSIZED zip_iterator : regpress_any {
  template <typename... B>
  zip_iterator(B...);
};
template <typename... A>
struct REGPRESS_UNSIZED discard_iterator : regpress_any {};
template <typename... A>
struct REGPRESS_UNSIZED reverse_iterator : regpress_any {};
template <typename T>
counting_iterator<T> make_counting_iterator(T);
template <typename T>
constant_iterator<T> make_constant_iterator(T);
template <typename I>
struct iterator_difference {
  typedef ptrdiff_t type;
};
template <typename I>
struct iterator_value {
  typedef typename std::iterator_traits<I>::value_type type;
};
template <typename I>
using iterator_traits = std::iterator_traits<I>;
using std::binary_function;
using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::plus;
using std::unary_function;
template <typename T = void>
struct maximum {
  constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <typename T = void>
struct minimum {
  constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <typename T = void>
struct identity {
  constexpr const T &operator()(const T &a) const { return a; }
};
template <typename T = void>
struct square {
  constexpr T operator()(const T &a) const { return a * a; }
};
namespace placeholders {
extern const regpress_any _1, _2;
}
template <typename T>
void swap(T &, T &);
template <typename T>
constexpr T min(const T &a, const T &b) {
  return b < a ? b : a;
}
template <typename T>
constexpr T max(const T &a, const T &b) {
  return a < b ? b : a;
}
// The engines' sizes are the vendor's business.
struct REGPRESS_UNSIZED default_random_engine {
  typedef unsigned result_type;
  default_random_engine(unsigned = 1);
  unsigned operator()();
  void discard(unsigned long long);
};
typedef default_random_engine minstd_rand;
typedef default_random_engine minstd_rand0;
template <typename T>
struct REGPRESS_UNSIZED uniform_real_distribution {
  uniform_real_distribution(T = 0, T = 1);
  template <typename G>
  T operator()(G &);
};
template <typename T>
struct REGPRESS_UNSIZED uniform_int_distribution {
  uniform_int_distribution(T = 0, T = 1);
  template <typename G>
  T operator()(G &);
};
template <typename T>
struct REGPRESS_UNSIZED normal_distribution {
  normal_distribution(T = 0, T = 1);
  template <typename G>
  T operator()(G &);
};
namespace random {
using thrust::default_random_engine;
using thrust::normal_distribution;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
}  // namespace random
}  // namespace thrust
REGPRESS_END
#include <regpress_thrust_algorithms.h>
