// std::string and std::string_view, with libstdc++'s sizes.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
REGPRESS_BEGIN
namespace std {
template <typename T>
class allocator {
 public:
  typedef T value_type;
  typedef T *pointer;
  typedef const T *const_pointer;
  typedef T &reference;
  typedef const T &const_reference;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;
  template <typename U>
  struct rebind {
    typedef allocator<U> other;
  };
  constexpr allocator() noexcept {}
  template <typename U>
  constexpr allocator(const allocator<U> &) noexcept {}
  T *allocate(size_t, const void * = nullptr);
  void deallocate(T *, size_t);
};
template <typename A>
struct allocator_traits {
  typedef A allocator_type;
  typedef typename A::value_type value_type;
  typedef value_type *pointer;
  typedef size_t size_type;
  template <typename U>
  using rebind_alloc = typename A::template rebind<U>::other;
  static pointer allocate(A &, size_t);
  static void deallocate(A &, pointer, size_t);
};
template <typename C>
struct char_traits {
  typedef C char_type;
  typedef int int_type;
  static size_t length(const C *);
  static int_type eof();
};
typedef long streamsize;
typedef long streamoff;

template <typename C, typename Traits = char_traits<C>>
class basic_string_view {
  size_t count;
  const C *place;

 public:
  typedef C value_type;
  typedef size_t size_type;
  typedef const C *iterator;
  typedef const C *const_iterator;
  static constexpr size_t npos = size_t(-1);
  constexpr basic_string_view() noexcept : count(0), place(nullptr) {}
  constexpr basic_string_view(const C *text) : count(__builtin_strlen(text)), place(text) {}
  constexpr basic_string_view(const C *text, size_t length) : count(length), place(text) {}
  constexpr size_t size() const noexcept { return count; }
  constexpr size_t length() const noexcept { return count; }
  constexpr bool empty() const noexcept { return count == 0; }
  constexpr const C *data() const noexcept { return place; }
  constexpr const C *begin() const noexcept { return place; }
  constexpr const C *end() const noexcept { return place + count; }
  constexpr const C &operator[](size_t at) const { return place[at]; }
  const C &front() const;
  const C &back() const;
  basic_string_view substr(size_t = 0, size_t = npos) const;
  template <typename T>
  size_t find(const T &, size_t = 0) const;
  template <typename T>
  size_t rfind(const T &, size_t = npos) const;
  void remove_prefix(size_t);
  void remove_suffix(size_t);
  int compare(basic_string_view) const;
};
typedef basic_string_view<char> string_view;
bool operator==(string_view, string_view);
bool operator!=(string_view, string_view);
bool operator<(string_view, string_view);

template <typename C, typename Traits = char_traits<C>, typename A = allocator<C>>
class basic_string {
  C *place;
  size_t count;
  union {
    char here[16];
    size_t space;
  };

 public:
  typedef C value_type;
  typedef Traits traits_type;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;
  typedef C &reference;
  typedef const C &const_reference;
  typedef regpress_iterator<C> iterator;
  typedef regpress_iterator<const C> const_iterator;
  typedef reverse_iterator<iterator> reverse_iterator;
  static constexpr size_t npos = size_t(-1);
  basic_string();
  basic_string(const C *);
  basic_string(const C *, size_t);
  basic_string(size_t, C);
  basic_string(const basic_string &);
  basic_string(basic_string &&) noexcept;
  basic_string(const basic_string &, size_t, size_t = npos);
  basic_string(initializer_list<C>);
  explicit basic_string(basic_string_view<C, Traits>);
  template <typename I, typename = decltype(*declval<I>())>
  basic_string(I, I);
  ~basic_string();
  operator basic_string_view<C, Traits>() const noexcept;
  basic_string &operator=(const basic_string &);
  basic_string &operator=(basic_string &&) noexcept;
  basic_string &operator=(const C *);
  basic_string &operator=(C);
  basic_string &operator+=(const basic_string &);
  basic_string &operator+=(const C *);
  basic_string &operator+=(C);
  C &operator[](size_t);
  const C &operator[](size_t) const;
  C &at(size_t);
  const C &at(size_t) const;
  C &front();
  C &back();
  const C &front() const;
  const C &back() const;
  const C *c_str() const noexcept;
  const C *data() const noexcept;
  C *data() noexcept;
  size_t size() const noexcept;
  size_t length() const noexcept;
  size_t capacity() const noexcept;
  bool empty() const noexcept;
  void clear() noexcept;
  void resize(size_t, C = C());
  void reserve(size_t = 0);
  void push_back(C);
  void pop_back();
  iterator begin() noexcept;
  iterator end() noexcept;
  const_iterator begin() const noexcept;
  const_iterator end() const noexcept;
  const_iterator cbegin() const noexcept;
  const_iterator cend() const noexcept;
  reverse_iterator rbegin() noexcept;
  reverse_iterator rend() noexcept;
  template <typename... T>
  basic_string &append(const T &...);
  template <typename... T>
  basic_string &assign(const T &...);
  template <typename... T>
  basic_string &insert(size_t, const T &...);
  template <typename... T>
  basic_string &replace(const T &...);
  basic_string &erase(size_t = 0, size_t = npos);
  iterator erase(iterator);
  iterator erase(iterator, iterator);
  basic_string substr(size_t = 0, size_t = npos) const;
  template <typename... T>
  int compare(const T &...) const;
  template <typename... T>
  size_t copy(C *, const T &...) const;
  size_t find(const basic_string &, size_t = 0) const noexcept;
  size_t find(const C *, size_t = 0) const;
  size_t find(C, size_t = 0) const noexcept;
  size_t rfind(const basic_string &, size_t = npos) const noexcept;
  size_t rfind(const C *, size_t = npos) const;
  size_t rfind(C, size_t = npos) const noexcept;
  template <typename T>
  size_t find_first_of(const T &, size_t = 0) const;
  template <typename T>
  size_t find_last_of(const T &, size_t = npos) const;
  template <typename T>
  size_t find_first_not_of(const T &, size_t = 0) const;
  template <typename T>
  size_t find_last_not_of(const T &, size_t = npos) const;
  void swap(basic_string &) noexcept;
};
typedef basic_string<char> string;
typedef basic_string<wchar_t> wstring;
#define REGPRESS_STRING_COMPARE(sign)            \
  bool operator sign(const string &, const string &); \
  bool operator sign(const string &, const char *);   \
  bool operator sign(const char *, const string &);
REGPRESS_STRING_COMPARE(==)
REGPRESS_STRING_COMPARE(!=)
REGPRESS_STRING_COMPARE(<)
REGPRESS_STRING_COMPARE(>)
REGPRESS_STRING_COMPARE(<=)
REGPRESS_STRING_COMPARE(>=)
string operator+(const string &, const string &);
string operator+(const string &, const char *);
string operator+(const char *, const string &);
string operator+(const string &, char);
string operator+(char, const string &);
string to_string(int);
string to_string(unsigned);
string to_string(long);
string to_string(unsigned long);
string to_string(long long);
string to_string(unsigned long long);
string to_string(float);
string to_string(double);
string to_string(long double);
int stoi(const string &, size_t * = nullptr, int = 10);
long stol(const string &, size_t * = nullptr, int = 10);
long long stoll(const string &, size_t * = nullptr, int = 10);
unsigned long stoul(const string &, size_t * = nullptr, int = 10);
unsigned long long stoull(const string &, size_t * = nullptr, int = 10);
float stof(const string &, size_t * = nullptr);
double stod(const string &, size_t * = nullptr);
long double stold(const string &, size_t * = nullptr);
template <typename T>
struct hash {
  size_t operator()(const T &) const noexcept;
};
inline namespace literals {
inline namespace string_literals {
string operator""s(const char *, size_t);
}
inline namespace string_view_literals {
string_view operator""sv(const char *, size_t);
}
}  // namespace literals
}  // namespace std
REGPRESS_END
