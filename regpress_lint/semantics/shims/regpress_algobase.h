// What libstdc++'s <cmath>, <string> and <vector> bring along of <algorithm>.
#pragma once
#include <utility>
REGPRESS_BEGIN
namespace std {
template <typename T>
constexpr const T &min(const T &a, const T &b) {
  return b < a ? b : a;
}
template <typename T>
constexpr const T &max(const T &a, const T &b) {
  return a < b ? b : a;
}
template <typename T, typename C>
constexpr const T &min(const T &a, const T &b, C less) {
  return less(b, a) ? b : a;
}
template <typename T, typename C>
constexpr const T &max(const T &a, const T &b, C less) {
  return less(a, b) ? b : a;
}

#define REGPRESS_ALGORITHM(result, name) \
  template <typename I, typename... A>   \
  constexpr result name(I, I, A...);
REGPRESS_ALGORITHM(void, fill)
REGPRESS_ALGORITHM(I, lower_bound)
REGPRESS_ALGORITHM(bool, equal)
REGPRESS_ALGORITHM(bool, lexicographical_compare)
template <typename I, typename N, typename T>
constexpr I fill_n(I, N, const T &);
template <typename I, typename O>
constexpr O copy(I, I, O);
template <typename I, typename O>
constexpr O copy_backward(I, I, O);
template <typename I, typename O>
constexpr O move(I, I, O);
template <typename I, typename J>
void iter_swap(I, J);
template <typename I, typename J>
J swap_ranges(I, I, J);
}  // namespace std
REGPRESS_END
