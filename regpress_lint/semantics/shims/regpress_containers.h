// The containers, with libstdc++'s sizes: they hold pointers, whatever their elements are.
#pragma once
#include <iterator>
#include <limits>
#include <regpress_string.h>
#include <stdexcept>
#include <tuple>
REGPRESS_BEGIN
namespace std {
template <typename T = void>
struct less {
  constexpr bool operator()(const T &a, const T &b) const { return a < b; }
};
template <>
struct less<void> {
  template <typename A, typename B>
  constexpr auto operator()(const A &a, const B &b) const -> decltype(a < b) {
    return a < b;
  }
};
template <typename T = void>
struct equal_to {
  constexpr bool operator()(const T &a, const T &b) const { return a == b; }
};
template <>
struct equal_to<void> {
  template <typename A, typename B>
  constexpr auto operator()(const A &a, const B &b) const -> decltype(a == b) {
    return a == b;
  }
};

// What all of them have; `Words` pointers are its storage.
template <typename T, int Words>
class regpress_container {
  void *words[Words];

 public:
  typedef T value_type;
  typedef T *pointer;
  typedef const T *const_pointer;
  typedef T &reference;
  typedef const T &const_reference;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;
  typedef regpress_iterator<T> iterator;
  typedef regpress_iterator<const T> const_iterator;
  typedef std::reverse_iterator<iterator> reverse_iterator;
  typedef std::reverse_iterator<const_iterator> const_reverse_iterator;
  regpress_container();
  regpress_container(const regpress_container &);
  ~regpress_container();
  regpress_container &operator=(const regpress_container &);
  size_t size() const noexcept;
  size_t max_size() const noexcept;
  bool empty() const noexcept;
  void clear() noexcept;
  iterator begin() noexcept;
  iterator end() noexcept;
  const_iterator begin() const noexcept;
  const_iterator end() const noexcept;
  const_iterator cbegin() const noexcept;
  const_iterator cend() const noexcept;
  reverse_iterator rbegin() noexcept;
  reverse_iterator rend() noexcept;
  const_reverse_iterator rbegin() const noexcept;
  const_reverse_iterator rend() const noexcept;
  const_reverse_iterator crbegin() const noexcept;
  const_reverse_iterator crend() const noexcept;
  iterator erase(const_iterator);
  iterator erase(const_iterator, const_iterator);
  template <typename... A>
  iterator emplace(const_iterator, A &&...);
  bool operator==(const regpress_container &) const;
  bool operator!=(const regpress_container &) const;
  bool operator<(const regpress_container &) const;
};
// A sequence; a queue of libstdc++ is a deque and takes its words.
template <typename T, int Words>
class regpress_sequence : public regpress_container<T, Words> {
 public:
  using typename regpress_container<T, Words>::iterator;
  using typename regpress_container<T, Words>::const_iterator;
  regpress_sequence();
  explicit regpress_sequence(size_t);
  regpress_sequence(size_t, const T &);
  regpress_sequence(initializer_list<T>);
  template <typename I, typename = decltype(*declval<I>())>
  regpress_sequence(I, I);
  T &operator[](size_t);
  const T &operator[](size_t) const;
  T &at(size_t);
  const T &at(size_t) const;
  T &front();
  T &back();
  const T &front() const;
  const T &back() const;
  T *data() noexcept;
  const T *data() const noexcept;
  size_t capacity() const noexcept;
  void reserve(size_t);
  void resize(size_t);
  void resize(size_t, const T &);
  void shrink_to_fit();
  void push_back(const T &);
  void push_back(T &&);
  void push_front(const T &);
  template <typename... A>
  T &emplace_back(A &&...);
  template <typename... A>
  T &emplace_front(A &&...);
  void pop_back();
  void pop_front();
  void assign(size_t, const T &);
  void assign(initializer_list<T>);
  template <typename I, typename = decltype(*declval<I>())>
  void assign(I, I);
  iterator insert(const_iterator, const T &);
  iterator insert(const_iterator, T &&);
  iterator insert(const_iterator, size_t, const T &);
  iterator insert(const_iterator, initializer_list<T>);
  template <typename I, typename = decltype(*declval<I>())>
  iterator insert(const_iterator, I, I);
  template <typename... A>
  void sort(A...);
  void unique();
  void reverse();
  void remove(const T &);
  template <typename... A>
  void splice(A &&...);
};
// Maps and sets.
template <typename K, typename T, int Words>
class regpress_keyed : public regpress_container<T, Words> {
 public:
  using typename regpress_container<T, Words>::iterator;
  using typename regpress_container<T, Words>::const_iterator;
  typedef K key_type;
  regpress_keyed();
  regpress_keyed(initializer_list<T>);
  template <typename I, typename = decltype(*declval<I>())>
  regpress_keyed(I, I);
  iterator find(const K &);
  const_iterator find(const K &) const;
  size_t count(const K &) const;
  bool contains(const K &) const;
  iterator lower_bound(const K &);
  iterator upper_bound(const K &);
  const_iterator lower_bound(const K &) const;
  const_iterator upper_bound(const K &) const;
  pair<iterator, iterator> equal_range(const K &);
  pair<iterator, bool> insert(const T &);
  pair<iterator, bool> insert(T &&);
  iterator insert(const_iterator, const T &);
  void insert(initializer_list<T>);
  template <typename I, typename = decltype(*declval<I>())>
  void insert(I, I);
  template <typename... A>
  pair<iterator, bool> emplace(A &&...);
  using regpress_container<T, Words>::erase;
  size_t erase(const K &);
  void reserve(size_t);
};
template <typename K, typename V, int Words>
class regpress_map : public regpress_keyed<K, pair<const K, V>, Words> {
 public:
  typedef V mapped_type;
  using regpress_keyed<K, pair<const K, V>, Words>::regpress_keyed;
  V &operator[](const K &);
  V &at(const K &);
  const V &at(const K &) const;
  template <typename... A>
  auto try_emplace(const K &, A &&...);
};
}  // namespace std
REGPRESS_END
