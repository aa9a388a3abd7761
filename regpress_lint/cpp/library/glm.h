// GLM's vectors and matrices as what they compile to: members, and matrices by columns. Written for regpress-lint from
// GLM's documentation; swizzles and what belongs to the host are left out.
#pragma once
#define GLM_FUNC_QUALIFIER __host__ __device__
namespace glm {
template <typename T>
struct tvec2 {
  T x, y;
  tvec2() {}
  tvec2(T s) : x(s), y(s) {}
  tvec2(T a, T b) : x(a), y(b) {}
  tvec2(const tvec3<T>& v) : x(v.x), y(v.y) {}
  T& operator[](int i) { return i == 0 ? x : y; }
  const T& operator[](int i) const { return i == 0 ? x : y; }
  static constexpr int length() { return 2; }
  tvec2<T>& operator+=(const tvec2<T>& v) { x += v.x; y += v.y; return *this; }
  tvec2<T>& operator+=(T s) { x += s; y += s; return *this; }
  tvec2<T>& operator-=(const tvec2<T>& v) { x -= v.x; y -= v.y; return *this; }
  tvec2<T>& operator-=(T s) { x -= s; y -= s; return *this; }
  tvec2<T>& operator*=(const tvec2<T>& v) { x *= v.x; y *= v.y; return *this; }
  tvec2<T>& operator*=(T s) { x *= s; y *= s; return *this; }
  tvec2<T>& operator/=(const tvec2<T>& v) { x /= v.x; y /= v.y; return *this; }
  tvec2<T>& operator/=(T s) { x /= s; y /= s; return *this; }
};
template <typename T> tvec2<T> operator+(const tvec2<T>& a, const tvec2<T>& b) {
  return tvec2<T>(a.x + b.x, a.y + b.y);
}
template <typename T> tvec2<T> operator+(const tvec2<T>& a, T s) { return tvec2<T>(a.x + s, a.y + s); }
template <typename T> tvec2<T> operator+(T s, const tvec2<T>& a) { return tvec2<T>(s + a.x, s + a.y); }
template <typename T> tvec2<T> operator-(const tvec2<T>& a, const tvec2<T>& b) {
  return tvec2<T>(a.x - b.x, a.y - b.y);
}
template <typename T> tvec2<T> operator-(const tvec2<T>& a, T s) { return tvec2<T>(a.x - s, a.y - s); }
template <typename T> tvec2<T> operator-(T s, const tvec2<T>& a) { return tvec2<T>(s - a.x, s - a.y); }
template <typename T> tvec2<T> operator*(const tvec2<T>& a, const tvec2<T>& b) {
  return tvec2<T>(a.x * b.x, a.y * b.y);
}
template <typename T> tvec2<T> operator*(const tvec2<T>& a, T s) { return tvec2<T>(a.x * s, a.y * s); }
template <typename T> tvec2<T> operator*(T s, const tvec2<T>& a) { return tvec2<T>(s * a.x, s * a.y); }
template <typename T> tvec2<T> operator/(const tvec2<T>& a, const tvec2<T>& b) {
  return tvec2<T>(a.x / b.x, a.y / b.y);
}
template <typename T> tvec2<T> operator/(const tvec2<T>& a, T s) { return tvec2<T>(a.x / s, a.y / s); }
template <typename T> tvec2<T> operator/(T s, const tvec2<T>& a) { return tvec2<T>(s / a.x, s / a.y); }
template <typename T> tvec2<T> operator-(const tvec2<T>& a) { return tvec2<T>(-a.x, -a.y); }
template <typename T> T dot(const tvec2<T>& a, const tvec2<T>& b) { return a.x * b.x + a.y * b.y; }
template <typename T> T length(const tvec2<T>& a) { return sqrt(dot(a, a)); }
template <typename T> T distance(const tvec2<T>& a, const tvec2<T>& b) { return length(b - a); }
template <typename T> tvec2<T> normalize(const tvec2<T>& a) { return a * (1 / sqrt(dot(a, a))); }
template <typename T> tvec2<T> mix(const tvec2<T>& a, const tvec2<T>& b, T s) { return a * (1 - s) + b * s; }
template <typename T> tvec2<T> abs(const tvec2<T>& a) { return tvec2<T>(abs(a.x), abs(a.y)); }
template <typename T> tvec2<T> sqrt(const tvec2<T>& a) { return tvec2<T>(sqrt(a.x), sqrt(a.y)); }
template <typename T> tvec2<T> exp(const tvec2<T>& a) { return tvec2<T>(exp(a.x), exp(a.y)); }
template <typename T> tvec2<T> floor(const tvec2<T>& a) { return tvec2<T>(floor(a.x), floor(a.y)); }
template <typename T> tvec2<T> min(const tvec2<T>& a, const tvec2<T>& b) {
  return tvec2<T>(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y);
}
template <typename T> tvec2<T> min(const tvec2<T>& a, T b) { return tvec2<T>(b < a.x ? b : a.x, b < a.y ? b : a.y); }
template <typename T> tvec2<T> max(const tvec2<T>& a, const tvec2<T>& b) {
  return tvec2<T>(a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y);
}
template <typename T> tvec2<T> max(const tvec2<T>& a, T b) { return tvec2<T>(a.x < b ? b : a.x, a.y < b ? b : a.y); }
template <typename T> tvec2<T> clamp(const tvec2<T>& a, T low, T high) { return min(max(a, low), high); }
template <typename T>
struct tvec3 {
  T x, y, z;
  tvec3() {}
  tvec3(T s) : x(s), y(s), z(s) {}
  tvec3(T a, T b, T c) : x(a), y(b), z(c) {}
  tvec3(const tvec2<T>& v, T c) : x(v.x), y(v.y), z(c) {}
  tvec3(const tvec4<T>& v) : x(v.x), y(v.y), z(v.z) {}
  T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  static constexpr int length() { return 3; }
  tvec3<T>& operator+=(const tvec3<T>& v) { x += v.x; y += v.y; z += v.z; return *this; }
  tvec3<T>& operator+=(T s) { x += s; y += s; z += s; return *this; }
  tvec3<T>& operator-=(const tvec3<T>& v) { x -= v.x; y -= v.y; z -= v.z; return *this; }
  tvec3<T>& operator-=(T s) { x -= s; y -= s; z -= s; return *this; }
  tvec3<T>& operator*=(const tvec3<T>& v) { x *= v.x; y *= v.y; z *= v.z; return *this; }
  tvec3<T>& operator*=(T s) { x *= s; y *= s; z *= s; return *this; }
  tvec3<T>& operator/=(const tvec3<T>& v) { x /= v.x; y /= v.y; z /= v.z; return *this; }
  tvec3<T>& operator/=(T s) { x /= s; y /= s; z /= s; return *this; }
};
template <typename T> tvec3<T> operator+(const tvec3<T>& a, const tvec3<T>& b) {
  return tvec3<T>(a.x + b.x, a.y + b.y, a.z + b.z);
}
template <typename T> tvec3<T> operator+(const tvec3<T>& a, T s) { return tvec3<T>(a.x + s, a.y + s, a.z + s); }
template <typename T> tvec3<T> operator+(T s, const tvec3<T>& a) { return tvec3<T>(s + a.x, s + a.y, s + a.z); }
template <typename T> tvec3<T> operator-(const tvec3<T>& a, const tvec3<T>& b) {
  return tvec3<T>(a.x - b.x, a.y - b.y, a.z - b.z);
}
template <typename T> tvec3<T> operator-(const tvec3<T>& a, T s) { return tvec3<T>(a.x - s, a.y - s, a.z - s); }
template <typename T> tvec3<T> operator-(T s, const tvec3<T>& a) { return tvec3<T>(s - a.x, s - a.y, s - a.z); }
template <typename T> tvec3<T> operator*(const tvec3<T>& a, const tvec3<T>& b) {
  return tvec3<T>(a.x * b.x, a.y * b.y, a.z * b.z);
}
template <typename T> tvec3<T> operator*(const tvec3<T>& a, T s) { return tvec3<T>(a.x * s, a.y * s, a.z * s); }
template <typename T> tvec3<T> operator*(T s, const tvec3<T>& a) { return tvec3<T>(s * a.x, s * a.y, s * a.z); }
template <typename T> tvec3<T> operator/(const tvec3<T>& a, const tvec3<T>& b) {
  return tvec3<T>(a.x / b.x, a.y / b.y, a.z / b.z);
}
template <typename T> tvec3<T> operator/(const tvec3<T>& a, T s) { return tvec3<T>(a.x / s, a.y / s, a.z / s); }
template <typename T> tvec3<T> operator/(T s, const tvec3<T>& a) { return tvec3<T>(s / a.x, s / a.y, s / a.z); }
template <typename T> tvec3<T> operator-(const tvec3<T>& a) { return tvec3<T>(-a.x, -a.y, -a.z); }
template <typename T> T dot(const tvec3<T>& a, const tvec3<T>& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <typename T> T length(const tvec3<T>& a) { return sqrt(dot(a, a)); }
template <typename T> T distance(const tvec3<T>& a, const tvec3<T>& b) { return length(b - a); }
template <typename T> tvec3<T> normalize(const tvec3<T>& a) { return a * (1 / sqrt(dot(a, a))); }
template <typename T> tvec3<T> mix(const tvec3<T>& a, const tvec3<T>& b, T s) { return a * (1 - s) + b * s; }
template <typename T> tvec3<T> abs(const tvec3<T>& a) { return tvec3<T>(abs(a.x), abs(a.y), abs(a.z)); }
template <typename T> tvec3<T> sqrt(const tvec3<T>& a) { return tvec3<T>(sqrt(a.x), sqrt(a.y), sqrt(a.z)); }
template <typename T> tvec3<T> exp(const tvec3<T>& a) { return tvec3<T>(exp(a.x), exp(a.y), exp(a.z)); }
template <typename T> tvec3<T> floor(const tvec3<T>& a) { return tvec3<T>(floor(a.x), floor(a.y), floor(a.z)); }
template <typename T> tvec3<T> min(const tvec3<T>& a, const tvec3<T>& b) {
  return tvec3<T>(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z);
}
template <typename T> tvec3<T> min(const tvec3<T>& a, T b) {
  return tvec3<T>(b < a.x ? b : a.x, b < a.y ? b : a.y, b < a.z ? b : a.z);
}
template <typename T> tvec3<T> max(const tvec3<T>& a, const tvec3<T>& b) {
  return tvec3<T>(a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z);
}
template <typename T> tvec3<T> max(const tvec3<T>& a, T b) {
  return tvec3<T>(a.x < b ? b : a.x, a.y < b ? b : a.y, a.z < b ? b : a.z);
}
template <typename T> tvec3<T> clamp(const tvec3<T>& a, T low, T high) { return min(max(a, low), high); }
template <typename T>
struct tvec4 {
  T x, y, z, w;
  tvec4() {}
  tvec4(T s) : x(s), y(s), z(s), w(s) {}
  tvec4(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
  tvec4(const tvec3<T>& v, T d) : x(v.x), y(v.y), z(v.z), w(d) {}
  tvec4(T a, const tvec3<T>& v) : x(a), y(v.x), z(v.y), w(v.z) {}
  T& operator[](int i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
  const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
  static constexpr int length() { return 4; }
  tvec4<T>& operator+=(const tvec4<T>& v) { x += v.x; y += v.y; z += v.z; w += v.w; return *this; }
  tvec4<T>& operator+=(T s) { x += s; y += s; z += s; w += s; return *this; }
  tvec4<T>& operator-=(const tvec4<T>& v) { x -= v.x; y -= v.y; z -= v.z; w -= v.w; return *this; }
  tvec4<T>& operator-=(T s) { x -= s; y -= s; z -= s; w -= s; return *this; }
  tvec4<T>& operator*=(const tvec4<T>& v) { x *= v.x; y *= v.y; z *= v.z; w *= v.w; return *this; }
  tvec4<T>& operator*=(T s) { x *= s; y *= s; z *= s; w *= s; return *this; }
  tvec4<T>& operator/=(const tvec4<T>& v) { x /= v.x; y /= v.y; z /= v.z; w /= v.w; return *this; }
  tvec4<T>& operator/=(T s) { x /= s; y /= s; z /= s; w /= s; return *this; }
};
template <typename T> tvec4<T> operator+(const tvec4<T>& a, const tvec4<T>& b) {
  return tvec4<T>(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
template <typename T> tvec4<T> operator+(const tvec4<T>& a, T s) {
  return tvec4<T>(a.x + s, a.y + s, a.z + s, a.w + s);
}
template <typename T> tvec4<T> operator+(T s, const tvec4<T>& a) {
  return tvec4<T>(s + a.x, s + a.y, s + a.z, s + a.w);
}
template <typename T> tvec4<T> operator-(const tvec4<T>& a, const tvec4<T>& b) {
  return tvec4<T>(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}
template <typename T> tvec4<T> operator-(const tvec4<T>& a, T s) {
  return tvec4<T>(a.x - s, a.y - s, a.z - s, a.w - s);
}
template <typename T> tvec4<T> operator-(T s, const tvec4<T>& a) {
  return tvec4<T>(s - a.x, s - a.y, s - a.z, s - a.w);
}
template <typename T> tvec4<T> operator*(const tvec4<T>& a, const tvec4<T>& b) {
  return tvec4<T>(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}
template <typename T> tvec4<T> operator*(const tvec4<T>& a, T s) {
  return tvec4<T>(a.x * s, a.y * s, a.z * s, a.w * s);
}
template <typename T> tvec4<T> operator*(T s, const tvec4<T>& a) {
  return tvec4<T>(s * a.x, s * a.y, s * a.z, s * a.w);
}
template <typename T> tvec4<T> operator/(const tvec4<T>& a, const tvec4<T>& b) {
  return tvec4<T>(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w);
}
template <typename T> tvec4<T> operator/(const tvec4<T>& a, T s) {
  return tvec4<T>(a.x / s, a.y / s, a.z / s, a.w / s);
}
template <typename T> tvec4<T> operator/(T s, const tvec4<T>& a) {
  return tvec4<T>(s / a.x, s / a.y, s / a.z, s / a.w);
}
template <typename T> tvec4<T> operator-(const tvec4<T>& a) { return tvec4<T>(-a.x, -a.y, -a.z, -a.w); }
template <typename T> T dot(const tvec4<T>& a, const tvec4<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
template <typename T> T length(const tvec4<T>& a) { return sqrt(dot(a, a)); }
template <typename T> T distance(const tvec4<T>& a, const tvec4<T>& b) { return length(b - a); }
template <typename T> tvec4<T> normalize(const tvec4<T>& a) { return a * (1 / sqrt(dot(a, a))); }
template <typename T> tvec4<T> mix(const tvec4<T>& a, const tvec4<T>& b, T s) { return a * (1 - s) + b * s; }
template <typename T> tvec4<T> abs(const tvec4<T>& a) { return tvec4<T>(abs(a.x), abs(a.y), abs(a.z), abs(a.w)); }
template <typename T> tvec4<T> sqrt(const tvec4<T>& a) { return tvec4<T>(sqrt(a.x), sqrt(a.y), sqrt(a.z), sqrt(a.w)); }
template <typename T> tvec4<T> exp(const tvec4<T>& a) { return tvec4<T>(exp(a.x), exp(a.y), exp(a.z), exp(a.w)); }
template <typename T> tvec4<T> floor(const tvec4<T>& a) {
  return tvec4<T>(floor(a.x), floor(a.y), floor(a.z), floor(a.w));
}
template <typename T> tvec4<T> min(const tvec4<T>& a, const tvec4<T>& b) {
  return tvec4<T>(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z, b.w < a.w ? b.w : a.w);
}
template <typename T> tvec4<T> min(const tvec4<T>& a, T b) {
  return tvec4<T>(b < a.x ? b : a.x, b < a.y ? b : a.y, b < a.z ? b : a.z, b < a.w ? b : a.w);
}
template <typename T> tvec4<T> max(const tvec4<T>& a, const tvec4<T>& b) {
  return tvec4<T>(a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z, a.w < b.w ? b.w : a.w);
}
template <typename T> tvec4<T> max(const tvec4<T>& a, T b) {
  return tvec4<T>(a.x < b ? b : a.x, a.y < b ? b : a.y, a.z < b ? b : a.z, a.w < b ? b : a.w);
}
template <typename T> tvec4<T> clamp(const tvec4<T>& a, T low, T high) { return min(max(a, low), high); }
template <typename T> tvec3<T> cross(const tvec3<T>& a, const tvec3<T>& b) {
  return tvec3<T>(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y);
}
template <typename T>
struct tmat2 {
  tvec2<T> value[2];
  tmat2() {}
  tmat2(T s) {
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 2; ++k) value[i][k] = i == k ? s : 0;
  }
  tmat2(const tvec2<T>& a, const tvec2<T>& b) { value[0] = a; value[1] = b; }
  tmat2(T a0, T b0, T a1, T b1) {
    value[0] = tvec2<T>(a0, b0);
    value[1] = tvec2<T>(a1, b1);
  }
  tvec2<T>& operator[](int i) { return value[i]; }
  const tvec2<T>& operator[](int i) const { return value[i]; }
  tmat2<T>& operator+=(const tmat2<T>& m) {
    for (int i = 0; i < 2; ++i) value[i] += m.value[i];
    return *this;
  }
  tmat2<T>& operator-=(const tmat2<T>& m) {
    for (int i = 0; i < 2; ++i) value[i] -= m.value[i];
    return *this;
  }
  tmat2<T>& operator*=(T s) {
    for (int i = 0; i < 2; ++i) value[i] *= s;
    return *this;
  }
};
template <typename T> tvec2<T> operator*(const tmat2<T>& a, const tvec2<T>& v) {
  return tvec2<T>(a.value[0].x * v.x + a.value[1].x * v.y, a.value[0].y * v.x + a.value[1].y * v.y);
}
template <typename T> tvec2<T> operator*(const tvec2<T>& v, const tmat2<T>& a) {
  return tvec2<T>(dot(v, a.value[0]), dot(v, a.value[1]));
}
template <typename T> tmat2<T> operator*(const tmat2<T>& a, const tmat2<T>& b) {
  tmat2<T> r;
  for (int i = 0; i < 2; ++i) r.value[i] = a * b.value[i];
  return r;
}
template <typename T> tmat2<T> operator+(const tmat2<T>& a, const tmat2<T>& b) {
  tmat2<T> r;
  for (int i = 0; i < 2; ++i) r.value[i] = a.value[i] + b.value[i];
  return r;
}
template <typename T> tmat2<T> operator-(const tmat2<T>& a, const tmat2<T>& b) {
  tmat2<T> r;
  for (int i = 0; i < 2; ++i) r.value[i] = a.value[i] - b.value[i];
  return r;
}
template <typename T> tmat2<T> operator*(const tmat2<T>& a, T s) {
  tmat2<T> r;
  for (int i = 0; i < 2; ++i) r.value[i] = a.value[i] * s;
  return r;
}
template <typename T> tmat2<T> operator*(T s, const tmat2<T>& a) {
  tmat2<T> r;
  for (int i = 0; i < 2; ++i) r.value[i] = a.value[i] * s;
  return r;
}
template <typename T> tmat2<T> transpose(const tmat2<T>& a) {
  tmat2<T> r;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k) r.value[i][k] = a.value[k][i];
  return r;
}
template <typename T> tmat2<T> outerProduct(const tvec2<T>& a, const tvec2<T>& b) {
  tmat2<T> r;
  for (int i = 0; i < 2; ++i) r.value[i] = a * b[i];
  return r;
}
template <typename T> T determinant(const tmat2<T>& a) {
  return a.value[0].x * a.value[1].y - a.value[1].x * a.value[0].y;
}
template <typename T> tmat2<T> inverse(const tmat2<T>& a) {
  T s = 1 / determinant(a);
  return tmat2<T>(a.value[1].y * s, -a.value[0].y * s, -a.value[1].x * s, a.value[0].x * s);
}
template <typename T>
struct tmat3 {
  tvec3<T> value[3];
  tmat3() {}
  tmat3(T s) {
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) value[i][k] = i == k ? s : 0;
  }
  tmat3(const tvec3<T>& a, const tvec3<T>& b, const tvec3<T>& c) { value[0] = a; value[1] = b; value[2] = c; }
  tmat3(T a0, T b0, T c0, T a1, T b1, T c1, T a2, T b2, T c2) {
    value[0] = tvec3<T>(a0, b0, c0);
    value[1] = tvec3<T>(a1, b1, c1);
    value[2] = tvec3<T>(a2, b2, c2);
  }
  tmat3(const tmat4<T>& m) { for (int i = 0; i < 3; ++i) value[i] = tvec3<T>(m.value[i]); }
  tvec3<T>& operator[](int i) { return value[i]; }
  const tvec3<T>& operator[](int i) const { return value[i]; }
  tmat3<T>& operator+=(const tmat3<T>& m) {
    for (int i = 0; i < 3; ++i) value[i] += m.value[i];
    return *this;
  }
  tmat3<T>& operator-=(const tmat3<T>& m) {
    for (int i = 0; i < 3; ++i) value[i] -= m.value[i];
    return *this;
  }
  tmat3<T>& operator*=(T s) {
    for (int i = 0; i < 3; ++i) value[i] *= s;
    return *this;
  }
};
template <typename T> tvec3<T> operator*(const tmat3<T>& a, const tvec3<T>& v) {
  return tvec3<T>(a.value[0].x * v.x + a.value[1].x * v.y + a.value[2].x * v.z, a.value[0].y * v.x + a.value[1].y
      * v.y + a.value[2].y * v.z, a.value[0].z * v.x + a.value[1].z * v.y + a.value[2].z * v.z);
}
template <typename T> tvec3<T> operator*(const tvec3<T>& v, const tmat3<T>& a) {
  return tvec3<T>(dot(v, a.value[0]), dot(v, a.value[1]), dot(v, a.value[2]));
}
template <typename T> tmat3<T> operator*(const tmat3<T>& a, const tmat3<T>& b) {
  tmat3<T> r;
  for (int i = 0; i < 3; ++i) r.value[i] = a * b.value[i];
  return r;
}
template <typename T> tmat3<T> operator+(const tmat3<T>& a, const tmat3<T>& b) {
  tmat3<T> r;
  for (int i = 0; i < 3; ++i) r.value[i] = a.value[i] + b.value[i];
  return r;
}
template <typename T> tmat3<T> operator-(const tmat3<T>& a, const tmat3<T>& b) {
  tmat3<T> r;
  for (int i = 0; i < 3; ++i) r.value[i] = a.value[i] - b.value[i];
  return r;
}
template <typename T> tmat3<T> operator*(const tmat3<T>& a, T s) {
  tmat3<T> r;
  for (int i = 0; i < 3; ++i) r.value[i] = a.value[i] * s;
  return r;
}
template <typename T> tmat3<T> operator*(T s, const tmat3<T>& a) {
  tmat3<T> r;
  for (int i = 0; i < 3; ++i) r.value[i] = a.value[i] * s;
  return r;
}
template <typename T> tmat3<T> transpose(const tmat3<T>& a) {
  tmat3<T> r;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) r.value[i][k] = a.value[k][i];
  return r;
}
template <typename T> tmat3<T> outerProduct(const tvec3<T>& a, const tvec3<T>& b) {
  tmat3<T> r;
  for (int i = 0; i < 3; ++i) r.value[i] = a * b[i];
  return r;
}
template <typename T> T determinant(const tmat3<T>& a) { return dot(a.value[0], cross(a.value[1], a.value[2])); }
template <typename T> tmat3<T> inverse(const tmat3<T>& a) {
  tvec3<T> p = cross(a.value[1], a.value[2]), q = cross(a.value[2], a.value[0]), r = cross(a.value[0], a.value[1]);
  T s = 1 / dot(a.value[0], p);
  return transpose(tmat3<T>(p * s, q * s, r * s));
}
template <typename T>
struct tmat4 {
  tvec4<T> value[4];
  tmat4() {}
  tmat4(T s) {
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 4; ++k) value[i][k] = i == k ? s : 0;
  }
  tmat4(const tvec4<T>& a, const tvec4<T>& b, const tvec4<T>& c, const tvec4<T>& d) {
    value[0] = a; value[1] = b; value[2] = c; value[3] = d;
  }
  tmat4(T a0, T b0, T c0, T d0, T a1, T b1, T c1, T d1, T a2, T b2, T c2, T d2, T a3, T b3, T c3, T d3) {
    value[0] = tvec4<T>(a0, b0, c0, d0);
    value[1] = tvec4<T>(a1, b1, c1, d1);
    value[2] = tvec4<T>(a2, b2, c2, d2);
    value[3] = tvec4<T>(a3, b3, c3, d3);
  }
  tmat4(const tmat3<T>& m) {
    for (int i = 0; i < 3; ++i) value[i] = tvec4<T>(m.value[i], 0);
    value[3] = tvec4<T>(0, 0, 0, 1);
  }
  tvec4<T>& operator[](int i) { return value[i]; }
  const tvec4<T>& operator[](int i) const { return value[i]; }
  tmat4<T>& operator+=(const tmat4<T>& m) {
    for (int i = 0; i < 4; ++i) value[i] += m.value[i];
    return *this;
  }
  tmat4<T>& operator-=(const tmat4<T>& m) {
    for (int i = 0; i < 4; ++i) value[i] -= m.value[i];
    return *this;
  }
  tmat4<T>& operator*=(T s) {
    for (int i = 0; i < 4; ++i) value[i] *= s;
    return *this;
  }
};
template <typename T> tvec4<T> operator*(const tmat4<T>& a, const tvec4<T>& v) {
  return tvec4<T>(a.value[0].x * v.x + a.value[1].x * v.y + a.value[2].x * v.z + a.value[3].x * v.w, a.value[0].y
      * v.x + a.value[1].y * v.y + a.value[2].y * v.z + a.value[3].y * v.w, a.value[0].z * v.x + a.value[1].z * v.y +
      a.value[2].z * v.z + a.value[3].z * v.w, a.value[0].w * v.x + a.value[1].w * v.y + a.value[2].w * v.z +
      a.value[3].w * v.w);
}
template <typename T> tvec4<T> operator*(const tvec4<T>& v, const tmat4<T>& a) {
  return tvec4<T>(dot(v, a.value[0]), dot(v, a.value[1]), dot(v, a.value[2]), dot(v, a.value[3]));
}
template <typename T> tmat4<T> operator*(const tmat4<T>& a, const tmat4<T>& b) {
  tmat4<T> r;
  for (int i = 0; i < 4; ++i) r.value[i] = a * b.value[i];
  return r;
}
template <typename T> tmat4<T> operator+(const tmat4<T>& a, const tmat4<T>& b) {
  tmat4<T> r;
  for (int i = 0; i < 4; ++i) r.value[i] = a.value[i] + b.value[i];
  return r;
}
template <typename T> tmat4<T> operator-(const tmat4<T>& a, const tmat4<T>& b) {
  tmat4<T> r;
  for (int i = 0; i < 4; ++i) r.value[i] = a.value[i] - b.value[i];
  return r;
}
template <typename T> tmat4<T> operator*(const tmat4<T>& a, T s) {
  tmat4<T> r;
  for (int i = 0; i < 4; ++i) r.value[i] = a.value[i] * s;
  return r;
}
template <typename T> tmat4<T> operator*(T s, const tmat4<T>& a) {
  tmat4<T> r;
  for (int i = 0; i < 4; ++i) r.value[i] = a.value[i] * s;
  return r;
}
template <typename T> tmat4<T> transpose(const tmat4<T>& a) {
  tmat4<T> r;
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 4; ++k) r.value[i][k] = a.value[k][i];
  return r;
}
template <int N, typename T> struct of_vec {};
template <typename T> struct of_vec<2, T> { typedef tvec2<T> type; };
template <typename T> struct of_vec<3, T> { typedef tvec3<T> type; };
template <typename T> struct of_vec<4, T> { typedef tvec4<T> type; };
template <int N, typename T> using vec = typename of_vec<N, T>::type;
template <int C, int R, typename T> struct of_mat {};
template <typename T> struct of_mat<2, 2, T> { typedef tmat2<T> type; };
template <typename T> struct of_mat<3, 3, T> { typedef tmat3<T> type; };
template <typename T> struct of_mat<4, 4, T> { typedef tmat4<T> type; };
template <int C, int R, typename T> using mat = typename of_mat<C, R, T>::type;

template <typename T> T length2(const tvec2<T>& a) { return dot(a, a); }
template <typename T> T length2(const tvec3<T>& a) { return dot(a, a); }
template <typename T> T length2(const tvec4<T>& a) { return dot(a, a); }
template <typename T> T distance2(const tvec3<T>& a, const tvec3<T>& b) { return length2(b - a); }
template <typename T> tvec3<T> reflect(const tvec3<T>& a, const tvec3<T>& n) { return a - n * dot(n, a) * T(2); }
// Copies of bytes, as GLM makes them.
template <typename T> tvec2<T> make_vec2(const T* p) { tvec2<T> r; memcpy(&r, p, sizeof(r)); return r; }
template <typename T> tvec3<T> make_vec3(const T* p) { tvec3<T> r; memcpy(&r, p, sizeof(r)); return r; }
template <typename T> tvec4<T> make_vec4(const T* p) { tvec4<T> r; memcpy(&r, p, sizeof(r)); return r; }
template <typename T> tmat2<T> make_mat2(const T* p) { tmat2<T> r; memcpy(&r, p, sizeof(r)); return r; }
template <typename T> tmat3<T> make_mat3(const T* p) { tmat3<T> r; memcpy(&r, p, sizeof(r)); return r; }
template <typename T> tmat4<T> make_mat4(const T* p) { tmat4<T> r; memcpy(&r, p, sizeof(r)); return r; }
template <typename T> const T* value_ptr(const tvec3<T>& a) { return &a.x; }

// Quaternions: the real part is `w`, and comes first where one is made of four numbers.
template <typename T>
struct tquat {
  T x, y, z, w;
  tquat() {}
  tquat(T s, T a, T b, T c) : x(a), y(b), z(c), w(s) {}
  tquat(T s, const tvec3<T>& v) : x(v.x), y(v.y), z(v.z), w(s) {}
  T& operator[](int i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
  const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
};
template <typename T> tquat<T> operator+(const tquat<T>& a, const tquat<T>& b) {
  return tquat<T>(a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z);
}
template <typename T> tquat<T> operator-(const tquat<T>& a) { return tquat<T>(-a.w, -a.x, -a.y, -a.z); }
template <typename T> tquat<T> operator*(const tquat<T>& a, T s) { return tquat<T>(a.w * s, a.x * s, a.y * s, a.z * s); }
template <typename T> tquat<T> operator*(T s, const tquat<T>& a) { return tquat<T>(a.w * s, a.x * s, a.y * s, a.z * s); }
template <typename T> tquat<T> operator/(const tquat<T>& a, T s) { return tquat<T>(a.w / s, a.x / s, a.y / s, a.z / s); }
template <typename T> tquat<T> operator*(const tquat<T>& a, const tquat<T>& b) {
  return tquat<T>(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z, a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x);
}
template <typename T> tvec3<T> operator*(const tquat<T>& a, const tvec3<T>& v) {
  tvec3<T> u(a.x, a.y, a.z), once = cross(u, v), twice = cross(u, once);
  return v + (once * a.w + twice) * T(2);
}
template <typename T> tvec3<T> rotate(const tquat<T>& a, const tvec3<T>& v) { return a * v; }
template <typename T> T dot(const tquat<T>& a, const tquat<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
template <typename T> T length(const tquat<T>& a) { return sqrt(dot(a, a)); }
template <typename T> tquat<T> normalize(const tquat<T>& a) {
  T l = length(a);
  return l <= 0 ? tquat<T>(1, 0, 0, 0) : a * (1 / l);
}
template <typename T> tquat<T> conjugate(const tquat<T>& a) { return tquat<T>(a.w, -a.x, -a.y, -a.z); }
template <typename T> tquat<T> inverse(const tquat<T>& a) { return conjugate(a) / dot(a, a); }
template <typename T> tquat<T> lerp(const tquat<T>& a, const tquat<T>& b, T s) { return a * (1 - s) + b * s; }
template <typename T> tquat<T> slerp(const tquat<T>& a, const tquat<T>& b, T s) {
  T c = dot(a, b);
  tquat<T> to = c < 0 ? -b : b;
  c = c < 0 ? -c : c;
  if (c > T(0.9999999)) return a * (1 - s) + to * s;
  T angle = acos(c);
  return (a * sin((1 - s) * angle) + to * sin(s * angle)) / sin(angle);
}
template <typename T> tmat3<T> mat3_cast(const tquat<T>& a) {
  return tmat3<T>(1 - 2 * (a.y * a.y + a.z * a.z), 2 * (a.x * a.y + a.w * a.z), 2 * (a.x * a.z - a.w * a.y),
                  2 * (a.x * a.y - a.w * a.z), 1 - 2 * (a.x * a.x + a.z * a.z), 2 * (a.y * a.z + a.w * a.x),
                  2 * (a.x * a.z + a.w * a.y), 2 * (a.y * a.z - a.w * a.x), 1 - 2 * (a.x * a.x + a.y * a.y));
}
template <typename T> tmat4<T> mat4_cast(const tquat<T>& a) { return tmat4<T>(mat3_cast(a)); }
template <typename T> tquat<T> quat_cast(const tmat3<T>& m) {
  T x = m[0].x - m[1].y - m[2].z, y = m[1].y - m[0].x - m[2].z, z = m[2].z - m[0].x - m[1].y, w = m[0].x + m[1].y + m[2].z;
  int most = 0;
  T best = w;
  if (x > best) { best = x; most = 1; }
  if (y > best) { best = y; most = 2; }
  if (z > best) { best = z; most = 3; }
  T v = sqrt(best + 1) * T(0.5), s = T(0.25) / v;
  T yz = (m[1].z - m[2].y) * s, zx = (m[2].x - m[0].z) * s, xy = (m[0].y - m[1].x) * s;
  T sum_xy = (m[0].y + m[1].x) * s, sum_zx = (m[2].x + m[0].z) * s, sum_yz = (m[1].z + m[2].y) * s;
  switch (most) {
    case 0: return tquat<T>(v, yz, zx, xy);
    case 1: return tquat<T>(yz, v, sum_xy, sum_zx);
    case 2: return tquat<T>(zx, sum_xy, v, sum_yz);
    default: return tquat<T>(xy, sum_zx, sum_yz, v);
  }
}
typedef tvec2<float> vec2;
typedef tvec3<float> vec3;
typedef tvec4<float> vec4;
typedef tvec2<double> dvec2;
typedef tvec3<double> dvec3;
typedef tvec4<double> dvec4;
typedef tvec2<int> ivec2;
typedef tvec3<int> ivec3;
typedef tvec4<int> ivec4;
typedef tvec2<unsigned int> uvec2;
typedef tvec3<unsigned int> uvec3;
typedef tvec4<unsigned int> uvec4;
typedef tmat2<float> mat2;
typedef tmat2<float> mat2x2;
typedef tmat3<float> mat3;
typedef tmat3<float> mat3x3;
typedef tmat4<float> mat4;
typedef tmat4<float> mat4x4;
typedef tmat2<double> dmat2;
typedef tmat2<double> dmat2x2;
typedef tmat3<double> dmat3;
typedef tmat3<double> dmat3x3;
typedef tmat4<double> dmat4;
typedef tmat4<double> dmat4x4;
typedef tvec2<float> fvec2;
typedef tvec3<float> fvec3;
typedef tvec4<float> fvec4;
typedef tmat2<float> fmat2;
typedef tmat3<float> fmat3;
typedef tmat4<float> fmat4;
typedef tquat<float> quat;
typedef tquat<float> fquat;
typedef tquat<double> dquat;
typedef tvec2<bool> bvec2;
typedef tvec3<bool> bvec3;
}  // namespace glm
