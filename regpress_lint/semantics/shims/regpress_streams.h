// The streams. Nobody keeps one in device memory, so their sizes are left open.
#pragma once
#include <exception>
#include <regpress_string.h>
REGPRESS_BEGIN
namespace std {
template <typename C, typename Traits = char_traits<C>>
class REGPRESS_UNSIZED basic_ostream;
template <typename C, typename Traits = char_traits<C>>
class REGPRESS_UNSIZED basic_istream;
template <typename C, typename Traits = char_traits<C>>
class REGPRESS_UNSIZED basic_streambuf;
class locale;
class REGPRESS_UNSIZED ios_base {
 public:
  typedef int fmtflags;
  typedef int openmode;
  typedef int iostate;
  typedef int seekdir;
  static const openmode in, out, app, ate, binary, trunc;
  static const iostate goodbit, badbit, failbit, eofbit;
  static const seekdir beg, cur, end;
  static const fmtflags dec, hex, oct, fixed, scientific, left, right, internal, boolalpha, showpoint, showpos, showbase,
      uppercase, skipws, basefield, adjustfield, floatfield;
  class failure;
  struct Init {};
  fmtflags flags() const;
  fmtflags flags(fmtflags);
  fmtflags setf(fmtflags);
  fmtflags setf(fmtflags, fmtflags);
  void unsetf(fmtflags);
  streamsize precision() const;
  streamsize precision(streamsize);
  streamsize width() const;
  streamsize width(streamsize);
  locale imbue(const locale &);
  static bool sync_with_stdio(bool = true);
  virtual ~ios_base();
};
class ios_base::failure : public exception {};
template <typename C, typename Traits = char_traits<C>>
class REGPRESS_UNSIZED basic_ios : public ios_base {
 public:
  typedef C char_type;
  explicit operator bool() const;
  bool operator!() const;
  bool good() const;
  bool bad() const;
  bool fail() const;
  bool eof() const;
  void clear(iostate = 0);
  void setstate(iostate);
  iostate rdstate() const;
  iostate exceptions() const;
  void exceptions(iostate);
  C fill() const;
  C fill(C);
  basic_streambuf<C> *rdbuf() const;
  basic_streambuf<C> *rdbuf(basic_streambuf<C> *);
  basic_ios &copyfmt(const basic_ios &);
  basic_ostream<C> *tie(basic_ostream<C> *);
};
typedef basic_ios<char> ios;
template <typename S>
struct fpos {
  streamoff place;
  fpos(streamoff = 0);
  operator streamoff() const;
};
typedef fpos<int> streampos;
template <typename C, typename Traits>
class REGPRESS_UNSIZED basic_streambuf {
 public:
  virtual ~basic_streambuf();
  int sputc(C);
  int sgetc();
  streamsize sputn(const C *, streamsize);
  streamsize in_avail();
};
typedef basic_streambuf<char> streambuf;

template <typename C, typename Traits>
class REGPRESS_UNSIZED basic_ostream : virtual public basic_ios<C, Traits> {
 public:
  basic_ostream();
  explicit basic_ostream(basic_streambuf<C> *);
  class sentry;
  basic_ostream &operator<<(bool);
  basic_ostream &operator<<(short);
  basic_ostream &operator<<(unsigned short);
  basic_ostream &operator<<(int);
  basic_ostream &operator<<(unsigned);
  basic_ostream &operator<<(long);
  basic_ostream &operator<<(unsigned long);
  basic_ostream &operator<<(long long);
  basic_ostream &operator<<(unsigned long long);
  basic_ostream &operator<<(float);
  basic_ostream &operator<<(double);
  basic_ostream &operator<<(long double);
  basic_ostream &operator<<(const void *);
  basic_ostream &operator<<(basic_streambuf<C> *);
  basic_ostream &operator<<(basic_ostream &(*)(basic_ostream &));
  basic_ostream &operator<<(ios_base &(*)(ios_base &));
  basic_ostream &put(C);
  basic_ostream &write(const C *, streamsize);
  basic_ostream &flush();
  streampos tellp();
  basic_ostream &seekp(streampos);
  basic_ostream &seekp(streamoff, ios_base::seekdir);
};
typedef basic_ostream<char> ostream;
template <typename T>
ostream &operator<<(basic_ostream<char, T> &, char);
template <typename T>
ostream &operator<<(basic_ostream<char, T> &, signed char);
template <typename T>
ostream &operator<<(basic_ostream<char, T> &, unsigned char);
template <typename T>
ostream &operator<<(basic_ostream<char, T> &, const char *);
template <typename T>
ostream &operator<<(basic_ostream<char, T> &, const unsigned char *);
template <typename C, typename T, typename A>
basic_ostream<C, T> &operator<<(basic_ostream<C, T> &, const basic_string<C, T, A> &);
template <typename C, typename T>
basic_ostream<C, T> &operator<<(basic_ostream<C, T> &, basic_string_view<C, T>);
template <typename C, typename T>
basic_ostream<C, T> &endl(basic_ostream<C, T> &);
template <typename C, typename T>
basic_ostream<C, T> &ends(basic_ostream<C, T> &);
template <typename C, typename T>
basic_ostream<C, T> &flush(basic_ostream<C, T> &);
#define REGPRESS_MANIPULATOR(name) ios_base &name(ios_base &);
REGPRESS_MANIPULATOR(dec)
REGPRESS_MANIPULATOR(hex)
REGPRESS_MANIPULATOR(oct)
REGPRESS_MANIPULATOR(fixed)
REGPRESS_MANIPULATOR(scientific)
REGPRESS_MANIPULATOR(hexfloat)
REGPRESS_MANIPULATOR(defaultfloat)
REGPRESS_MANIPULATOR(left)
REGPRESS_MANIPULATOR(right)
REGPRESS_MANIPULATOR(internal)
REGPRESS_MANIPULATOR(boolalpha)
REGPRESS_MANIPULATOR(noboolalpha)
REGPRESS_MANIPULATOR(showpoint)
REGPRESS_MANIPULATOR(noshowpoint)
REGPRESS_MANIPULATOR(showpos)
REGPRESS_MANIPULATOR(noshowpos)
REGPRESS_MANIPULATOR(showbase)
REGPRESS_MANIPULATOR(noshowbase)
REGPRESS_MANIPULATOR(uppercase)
REGPRESS_MANIPULATOR(nouppercase)
REGPRESS_MANIPULATOR(skipws)
REGPRESS_MANIPULATOR(noskipws)

template <typename C, typename Traits>
class REGPRESS_UNSIZED basic_istream : virtual public basic_ios<C, Traits> {
 public:
  basic_istream();
  explicit basic_istream(basic_streambuf<C> *);
  basic_istream &operator>>(bool &);
  basic_istream &operator>>(short &);
  basic_istream &operator>>(unsigned short &);
  basic_istream &operator>>(int &);
  basic_istream &operator>>(unsigned &);
  basic_istream &operator>>(long &);
  basic_istream &operator>>(unsigned long &);
  basic_istream &operator>>(long long &);
  basic_istream &operator>>(unsigned long long &);
  basic_istream &operator>>(float &);
  basic_istream &operator>>(double &);
  basic_istream &operator>>(long double &);
  basic_istream &operator>>(ios_base &(*)(ios_base &));
  basic_istream &operator>>(basic_istream &(*)(basic_istream &));
  int get();
  basic_istream &get(C &);
  basic_istream &get(C *, streamsize);
  basic_istream &getline(C *, streamsize, C = C('\n'));
  basic_istream &ignore(streamsize = 1, int = -1);
  basic_istream &read(C *, streamsize);
  basic_istream &unget();
  basic_istream &putback(C);
  int peek();
  streamsize gcount() const;
  streampos tellg();
  basic_istream &seekg(streampos);
  basic_istream &seekg(streamoff, ios_base::seekdir);
};
typedef basic_istream<char> istream;
template <typename T>
istream &operator>>(basic_istream<char, T> &, char &);
template <typename T>
istream &operator>>(basic_istream<char, T> &, unsigned char &);
template <typename T>
istream &operator>>(basic_istream<char, T> &, char *);
template <typename C, typename T, typename A>
basic_istream<C, T> &operator>>(basic_istream<C, T> &, basic_string<C, T, A> &);
template <typename C, typename T, typename A>
basic_istream<C, T> &getline(basic_istream<C, T> &, basic_string<C, T, A> &, C = C('\n'));
template <typename C, typename T, typename A>
basic_istream<C, T> &getline(basic_istream<C, T> &&, basic_string<C, T, A> &, C = C('\n'));
template <typename C, typename T>
basic_istream<C, T> &ws(basic_istream<C, T> &);
template <typename C, typename Traits = char_traits<C>>
class REGPRESS_UNSIZED basic_iostream : public basic_istream<C, Traits>, public basic_ostream<C, Traits> {};
typedef basic_iostream<char> iostream;
typedef basic_ostream<wchar_t> wostream;
extern ostream cout, cerr, clog;
extern istream cin;

#define REGPRESS_FILE_STREAM(name, base)                             \
  template <typename C, typename Traits = char_traits<C>>            \
  class REGPRESS_UNSIZED name : public base<C, Traits> {             \
   public:                                                           \
    name();                                                          \
    explicit name(const char *, ios_base::openmode = 0);             \
    explicit name(const string &, ios_base::openmode = 0);           \
    name(name &&);                                                   \
    bool is_open() const;                                            \
    void open(const char *, ios_base::openmode = 0);                 \
    void open(const string &, ios_base::openmode = 0);               \
    void close();                                                    \
  };
REGPRESS_FILE_STREAM(basic_ifstream, basic_istream)
REGPRESS_FILE_STREAM(basic_ofstream, basic_ostream)
REGPRESS_FILE_STREAM(basic_fstream, basic_iostream)
typedef basic_ifstream<char> ifstream;
typedef basic_ofstream<char> ofstream;
typedef basic_fstream<char> fstream;
#define REGPRESS_STRING_STREAM(name, base)                           \
  template <typename C, typename Traits = char_traits<C>>            \
  class REGPRESS_UNSIZED name : public base<C, Traits> {             \
   public:                                                           \
    name();                                                          \
    explicit name(ios_base::openmode);                               \
    explicit name(const basic_string<C> &, ios_base::openmode = 0);  \
    basic_string<C> str() const;                                     \
    void str(const basic_string<C> &);                               \
  };
REGPRESS_STRING_STREAM(basic_istringstream, basic_istream)
REGPRESS_STRING_STREAM(basic_ostringstream, basic_ostream)
REGPRESS_STRING_STREAM(basic_stringstream, basic_iostream)
typedef basic_istringstream<char> istringstream;
typedef basic_ostringstream<char> ostringstream;
typedef basic_stringstream<char> stringstream;
class REGPRESS_UNSIZED locale {
 public:
  locale();
  explicit locale(const char *);
  explicit locale(const string &);
  static const locale &classic();
  static locale global(const locale &);
};
struct regpress_manipulator {};
regpress_manipulator setw(int);
regpress_manipulator setprecision(int);
regpress_manipulator setbase(int);
regpress_manipulator setiosflags(ios_base::fmtflags);
regpress_manipulator resetiosflags(ios_base::fmtflags);
template <typename C>
regpress_manipulator setfill(C);
template <typename T>
regpress_manipulator put_time(const T *, const char *);
template <typename T>
regpress_manipulator get_time(T *, const char *);
template <typename T>
regpress_manipulator quoted(const T &);
template <typename C, typename T>
basic_ostream<C, T> &operator<<(basic_ostream<C, T> &, const regpress_manipulator &);
template <typename C, typename T>
basic_istream<C, T> &operator>>(basic_istream<C, T> &, const regpress_manipulator &);
// Into a temporary stream.
template <typename S, typename T, typename = enable_if_t<!is_lvalue_reference_v<S> && __is_base_of(ios_base, S)>>
S &&operator<<(S &&, const T &);
template <typename T>
class complex;
template <typename T>
ostream &operator<<(ostream &, const complex<T> &);
}  // namespace std
REGPRESS_END
