// Eigen's matrices of fixed size as what they compile to: arrays in columns, and parts of them (block, col, head) as
// pointers into them. Written for regpress-lint from Eigen's documentation.
#pragma once
#define EIGEN_DEVICE_FUNC __host__ __device__
#define EIGEN_STRONG_INLINE inline
#define EIGEN_ALWAYS_INLINE inline
#define EIGEN_MAKE_ALIGNED_OPERATOR_NEW
namespace Eigen {
typedef long Index;
template <typename T, int R, int C, int O = 0>
struct Matrix;
template <typename T, int R, int C, int S>
struct Part {  // of R rows and C columns, which are S elements apart
  T* m_part;
  __host__ __device__ Part(T* first) : m_part(first) {}
  __host__ __device__ T& operator()(int i, int j) { return m_part[i + S * j]; }
  __host__ __device__ T& operator()(int i) { return m_part[C == 1 ? i : S * i]; }
  __host__ __device__ T& operator[](int i) { return m_part[C == 1 ? i : S * i]; }
  __host__ __device__ T& x() { return m_part[0]; }
  __host__ __device__ T& y() { return m_part[C == 1 ? 1 : S]; }
  __host__ __device__ T& z() { return m_part[C == 1 ? 2 : S * 2]; }
  __host__ __device__ Matrix<T, R, C> eval() const {
    Matrix<T, R, C> r;
    for (int j = 0; j < C; ++j)
      for (int i = 0; i < R; ++i) r.m_data[i + R * j] = m_part[i + S * j];
    return r;
  }
  __host__ __device__ operator Matrix<T, R, C>() const { return eval(); }
  __host__ __device__ Part<T, R, C, S>& operator=(const Matrix<T, R, C>& o) {
    for (int j = 0; j < C; ++j)
      for (int i = 0; i < R; ++i) m_part[i + S * j] = o.m_data[i + R * j];
    return *this;
  }
  __host__ __device__ Part<T, R, C, S>& operator+=(const Matrix<T, R, C>& o) {
    for (int j = 0; j < C; ++j)
      for (int i = 0; i < R; ++i) m_part[i + S * j] += o.m_data[i + R * j];
    return *this;
  }
  __host__ __device__ Part<T, R, C, S>& operator-=(const Matrix<T, R, C>& o) {
    for (int j = 0; j < C; ++j)
      for (int i = 0; i < R; ++i) m_part[i + S * j] -= o.m_data[i + R * j];
    return *this;
  }
  template <int Z>
  __host__ __device__ Part<T, R, C, S>& operator=(const Part<T, R, C, Z>& o) {
    for (int j = 0; j < C; ++j)
      for (int i = 0; i < R; ++i) m_part[i + S * j] = o.m_part[i + Z * j];
    return *this;
  }
  template <int Z>
  __host__ __device__ Part<T, R, C, S>& operator+=(const Part<T, R, C, Z>& o) {
    for (int j = 0; j < C; ++j)
      for (int i = 0; i < R; ++i) m_part[i + S * j] += o.m_part[i + Z * j];
    return *this;
  }
  template <int Z>
  __host__ __device__ Part<T, R, C, S>& operator-=(const Part<T, R, C, Z>& o) {
    for (int j = 0; j < C; ++j)
      for (int i = 0; i < R; ++i) m_part[i + S * j] -= o.m_part[i + Z * j];
    return *this;
  }
  __host__ __device__ Part<T, R, C, S>& operator*=(T s) {
    for (int j = 0; j < C; ++j)
      for (int i = 0; i < R; ++i) m_part[i + S * j] *= s;
    return *this;
  }
  __host__ __device__ Part<T, R, C, S>& operator/=(T s) {
    for (int j = 0; j < C; ++j)
      for (int i = 0; i < R; ++i) m_part[i + S * j] /= s;
    return *this;
  }
  __host__ __device__ void setZero() {
    for (int j = 0; j < C; ++j)
      for (int i = 0; i < R; ++i) m_part[i + S * j] = 0;
  }
  __host__ __device__ Matrix<T, C, R> transpose() const { return eval().transpose(); }
  __host__ __device__ Matrix<T, R, C> normalized() const { return eval().normalized(); }
  __host__ __device__ Matrix<T, R, C> cross(const Matrix<T, R, C>& o) const { return eval().cross(o); }
  __host__ __device__ T dot(const Matrix<T, R, C>& o) const { return eval().dot(o); }
  __host__ __device__ T squaredNorm() const { return eval().squaredNorm(); }
  __host__ __device__ T norm() const { return eval().norm(); }
  __host__ __device__ T sum() const { return eval().sum(); }
  __host__ __device__ T maxCoeff() const { return eval().maxCoeff(); }
  __host__ __device__ T minCoeff() const { return eval().minCoeff(); }
};
template <typename T, int R, int C>
struct Filled {  // of `m << a, b, c;`: the elements go row by row
  T* m_data;
  int m_next;
  __host__ __device__ Filled(T* data, int next) : m_data(data), m_next(next) {}
  __host__ __device__ Filled<T, R, C> operator,(T s) {
    m_data[m_next / C + R * (m_next % C)] = s;
    return Filled<T, R, C>(m_data, m_next + 1);
  }
};
template <typename T, int R, int C, int O>
struct Matrix {
  T m_data[R * C];
  __host__ __device__ Filled<T, R, C> operator<<(T s) {
    m_data[0] = s;
    return Filled<T, R, C>(m_data, 1);
  }
  template <typename S>
  __host__ __device__ Matrix<S, R, C> cast() const {
    Matrix<S, R, C> r;
    for (int i = 0; i < R * C; ++i) r.m_data[i] = (S)m_data[i];
    return r;
  }
  __host__ __device__ Matrix() {}
  __host__ __device__ Matrix(T x, T y) { m_data[0] = x; m_data[1] = y; }
  __host__ __device__ Matrix(T x, T y, T z) { m_data[0] = x; m_data[1] = y; m_data[2] = z; }
  __host__ __device__ Matrix(T x, T y, T z, T w) { m_data[0] = x; m_data[1] = y; m_data[2] = z; m_data[3] = w; }
  __host__ __device__ T& operator()(int i, int j) { return m_data[i + R * j]; }
  __host__ __device__ const T& operator()(int i, int j) const { return m_data[i + R * j]; }
  __host__ __device__ T& operator()(int i) { return m_data[i]; }
  __host__ __device__ const T& operator()(int i) const { return m_data[i]; }
  __host__ __device__ T& operator[](int i) { return m_data[i]; }
  __host__ __device__ const T& operator[](int i) const { return m_data[i]; }
  __host__ __device__ T& coeffRef(int i, int j) { return m_data[i + R * j]; }
  __host__ __device__ T& coeffRef(int i) { return m_data[i]; }
  __host__ __device__ T coeff(int i, int j) const { return m_data[i + R * j]; }
  __host__ __device__ T coeff(int i) const { return m_data[i]; }
  __host__ __device__ T& x() { return m_data[0]; }
  __host__ __device__ T& y() { return m_data[1]; }
  __host__ __device__ T& z() { return m_data[2]; }
  __host__ __device__ T& w() { return m_data[3]; }
  __host__ __device__ T* data() { return m_data; }
  __host__ __device__ int rows() const { return R; }
  __host__ __device__ int cols() const { return C; }
  __host__ __device__ int size() const { return R * C; }
  __host__ __device__ Matrix<T, R, C>& noalias() { return *this; }
  __host__ __device__ Matrix<T, R, C> eval() const { return *this; }
  __host__ __device__ void setConstant(T s) { for (int i = 0; i < R * C; ++i) m_data[i] = s; }
  __host__ __device__ void setZero() { for (int i = 0; i < R * C; ++i) m_data[i] = 0; }
  __host__ __device__ void fill(T s) { for (int i = 0; i < R * C; ++i) m_data[i] = s; }
  __host__ __device__ T sum() const { T s = m_data[0]; for (int i = 1; i < R * C; ++i) s += m_data[i]; return s; }
  __host__ __device__ T prod() const { T s = m_data[0]; for (int i = 1; i < R * C; ++i) s *= m_data[i]; return s; }
  __host__ __device__ T mean() const { return sum() / (R * C); }
  __host__ __device__ T trace() const { T s = m_data[0]; for (int i = 1; i < R; ++i) s += m_data[i + R * i]; return s; }
  __host__ __device__ T maxCoeff() const {
    T s = m_data[0];
    for (int i = 1; i < R * C; ++i) s = m_data[i] > s ? m_data[i] : s;
    return s;
  }
  __host__ __device__ T minCoeff() const {
    T s = m_data[0];
    for (int i = 1; i < R * C; ++i) s = m_data[i] < s ? m_data[i] : s;
    return s;
  }
  __host__ __device__ T dot(const Matrix<T, R, C>& o) const {
    T s = m_data[0] * o.m_data[0];
    for (int i = 1; i < R * C; ++i) s += m_data[i] * o.m_data[i];
    return s;
  }
  __host__ __device__ T squaredNorm() const {
    T s = m_data[0] * m_data[0];
    for (int i = 1; i < R * C; ++i) s += m_data[i] * m_data[i];
    return s;
  }
  __host__ __device__ T norm() const { return sqrt(squaredNorm()); }
  __host__ __device__ Matrix<T, R, C> normalized() const {
    Matrix<T, R, C> r;
    T s = norm();
    for (int i = 0; i < R * C; ++i) r.m_data[i] = m_data[i] / s;
    return r;
  }
  __host__ __device__ void normalize() {
    T s = norm();
    for (int i = 0; i < R * C; ++i) m_data[i] = m_data[i] / s;
  }
  __host__ __device__ Matrix<T, R, C> cross(const Matrix<T, R, C>& o) const {
    Matrix<T, R, C> r;
    r.m_data[0] = m_data[1] * o.m_data[2] - m_data[2] * o.m_data[1];
    r.m_data[1] = m_data[2] * o.m_data[0] - m_data[0] * o.m_data[2];
    r.m_data[2] = m_data[0] * o.m_data[1] - m_data[1] * o.m_data[0];
    return r;
  }
  __host__ __device__ Matrix<T, C, R> transpose() const {
    Matrix<T, C, R> r;
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j) r.m_data[j + C * i] = m_data[i + R * j];
    return r;
  }
  __host__ __device__ Matrix<T, R, C> cwiseProduct(const Matrix<T, R, C>& o) const {
    Matrix<T, R, C> r;
    for (int i = 0; i < R * C; ++i) r.m_data[i] = m_data[i] * o.m_data[i];
    return r;
  }
  __host__ __device__ Matrix<T, R, C> cwiseQuotient(const Matrix<T, R, C>& o) const {
    Matrix<T, R, C> r;
    for (int i = 0; i < R * C; ++i) r.m_data[i] = m_data[i] / o.m_data[i];
    return r;
  }
  __host__ __device__ Matrix<T, R, C> cwiseAbs() const {
    Matrix<T, R, C> r;
    for (int i = 0; i < R * C; ++i) r.m_data[i] = fabs(m_data[i]);
    return r;
  }
  __host__ __device__ Part<T, R, 1, R> col(int j) { return Part<T, R, 1, R>(m_data + R * j); }
  __host__ __device__ Part<T, 1, C, R> row(int i) { return Part<T, 1, C, R>(m_data + i); }
  template <int N, int M>
  __host__ __device__ Part<T, N, M, R> block(int i, int j) { return Part<T, N, M, R>(m_data + i + R * j); }
  template <int N, int M>
  __host__ __device__ Part<T, N, M, R> topLeftCorner() { return Part<T, N, M, R>(m_data); }
  template <int N>
  __host__ __device__ Part<T, N, 1, R> head() { return Part<T, N, 1, R>(m_data); }
  template <int N>
  __host__ __device__ Part<T, N, 1, R> tail() { return Part<T, N, 1, R>(m_data + R * C - N); }
  template <int N>
  __host__ __device__ Part<T, N, 1, R> segment(int first) { return Part<T, N, 1, R>(m_data + first); }
  __host__ __device__ T determinant() const {
    if (R == 2) return m_data[0] * m_data[3] - m_data[2] * m_data[1];
    if (R > 3) return determinant_of(m_data);  // not written here: an entry of the ledger
    return m_data[0] * (m_data[4] * m_data[8] - m_data[7] * m_data[5]) -
           m_data[3] * (m_data[1] * m_data[8] - m_data[7] * m_data[2]) +
           m_data[6] * (m_data[1] * m_data[5] - m_data[4] * m_data[2]);
  }
  __host__ __device__ Matrix<T, R, C> inverse() const {
    if (R > 3) return inverse_of(m_data);
    Matrix<T, R, C> r;
    T s = 1 / determinant();
    if (R == 2) {
      r.m_data[0] = m_data[3] * s;
      r.m_data[1] = -m_data[1] * s;
      r.m_data[2] = -m_data[2] * s;
      r.m_data[3] = m_data[0] * s;
    } else {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          int p = (j + 1) % 3, q = (j + 2) % 3, u = (i + 1) % 3, v = (i + 2) % 3;
          r.m_data[i + 3 * j] = (m_data[p + 3 * u] * m_data[q + 3 * v] - m_data[q + 3 * u] * m_data[p + 3 * v]) * s;
        }
    }
    return r;
  }
  __host__ __device__ Matrix<T, R, C>& operator+=(const Matrix<T, R, C>& o) {
    for (int i = 0; i < R * C; ++i) m_data[i] += o.m_data[i];
    return *this;
  }
  __host__ __device__ Matrix<T, R, C>& operator-=(const Matrix<T, R, C>& o) {
    for (int i = 0; i < R * C; ++i) m_data[i] -= o.m_data[i];
    return *this;
  }
  __host__ __device__ Matrix<T, R, C>& operator*=(T s) {
    for (int i = 0; i < R * C; ++i) m_data[i] *= s;
    return *this;
  }
  __host__ __device__ Matrix<T, R, C>& operator/=(T s) {
    for (int i = 0; i < R * C; ++i) m_data[i] /= s;
    return *this;
  }
  __host__ __device__ static Matrix<T, R, C> Constant(T s) {
    Matrix<T, R, C> r;
    for (int i = 0; i < R * C; ++i) r.m_data[i] = s;
    return r;
  }
  __host__ __device__ static Matrix<T, R, C> Zero() {
    Matrix<T, R, C> r;
    for (int i = 0; i < R * C; ++i) r.m_data[i] = 0;
    return r;
  }
  __host__ __device__ static Matrix<T, R, C> Ones() {
    Matrix<T, R, C> r;
    for (int i = 0; i < R * C; ++i) r.m_data[i] = 1;
    return r;
  }
  __host__ __device__ static Matrix<T, R, C> Identity() {
    Matrix<T, R, C> r;
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j) r.m_data[i + R * j] = i == j ? 1 : 0;
    return r;
  }
};
template <typename T, int R, int K, int C>
__host__ __device__ Matrix<T, R, C> operator*(const Matrix<T, R, K>& a, const Matrix<T, K, C>& b) {
  Matrix<T, R, C> r;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) {
      T s = a.m_data[i] * b.m_data[K * j];
      for (int k = 1; k < K; ++k) s += a.m_data[i + R * k] * b.m_data[k + K * j];
      r.m_data[i + R * j] = s;
    }
  return r;
}
template <typename T, int R, int C>
__host__ __device__ Matrix<T, R, C> operator*(const Matrix<T, R, C>& a, T s) {
  Matrix<T, R, C> r;
  for (int i = 0; i < R * C; ++i) r.m_data[i] = a.m_data[i] * s;
  return r;
}
template <typename T, int R, int C>
__host__ __device__ Matrix<T, R, C> operator*(T s, const Matrix<T, R, C>& a) {
  Matrix<T, R, C> r;
  for (int i = 0; i < R * C; ++i) r.m_data[i] = s * a.m_data[i];
  return r;
}
template <typename T, int R, int C>
__host__ __device__ Matrix<T, R, C> operator/(const Matrix<T, R, C>& a, T s) {
  Matrix<T, R, C> r;
  for (int i = 0; i < R * C; ++i) r.m_data[i] = a.m_data[i] / s;
  return r;
}
template <typename T, int R, int C>
__host__ __device__ Matrix<T, R, C> operator+(const Matrix<T, R, C>& a, const Matrix<T, R, C>& b) {
  Matrix<T, R, C> r;
  for (int i = 0; i < R * C; ++i) r.m_data[i] = a.m_data[i] + b.m_data[i];
  return r;
}
template <typename T, int R, int C>
__host__ __device__ Matrix<T, R, C> operator-(const Matrix<T, R, C>& a, const Matrix<T, R, C>& b) {
  Matrix<T, R, C> r;
  for (int i = 0; i < R * C; ++i) r.m_data[i] = a.m_data[i] - b.m_data[i];
  return r;
}
template <typename T, int R, int C>
__host__ __device__ Matrix<T, R, C> operator-(const Matrix<T, R, C>& a) {
  Matrix<T, R, C> r;
  for (int i = 0; i < R * C; ++i) r.m_data[i] = -a.m_data[i];
  return r;
}
template <typename T, int R, int C, int S>
__host__ __device__ Matrix<T, R, C> operator+(const Part<T, R, C, S>& a, const Matrix<T, R, C>& b) { return a.eval() + b; }
template <typename T, int R, int C, int S>
__host__ __device__ Matrix<T, R, C> operator+(const Matrix<T, R, C>& a, const Part<T, R, C, S>& b) { return a + b.eval(); }
template <typename T, int R, int C, int S, int Z>
__host__ __device__ Matrix<T, R, C> operator+(const Part<T, R, C, S>& a, const Part<T, R, C, Z>& b) { return a.eval() + b.eval(); }
template <typename T, int R, int C, int S>
__host__ __device__ Matrix<T, R, C> operator-(const Part<T, R, C, S>& a, const Matrix<T, R, C>& b) { return a.eval() - b; }
template <typename T, int R, int C, int S>
__host__ __device__ Matrix<T, R, C> operator-(const Matrix<T, R, C>& a, const Part<T, R, C, S>& b) { return a - b.eval(); }
template <typename T, int R, int C, int S, int Z>
__host__ __device__ Matrix<T, R, C> operator-(const Part<T, R, C, S>& a, const Part<T, R, C, Z>& b) { return a.eval() - b.eval(); }
template <typename T, int R, int K, int C, int S>
__host__ __device__ Matrix<T, R, C> operator*(const Part<T, R, K, S>& a, const Matrix<T, K, C>& b) { return a.eval() * b; }
template <typename T, int R, int K, int C, int S>
__host__ __device__ Matrix<T, R, C> operator*(const Matrix<T, R, K>& a, const Part<T, K, C, S>& b) { return a * b.eval(); }
template <typename T, int R, int K, int C, int S, int Z>
__host__ __device__ Matrix<T, R, C> operator*(const Part<T, R, K, S>& a, const Part<T, K, C, Z>& b) { return a.eval() * b.eval(); }
template <typename T, int R, int C, int S>
__host__ __device__ Matrix<T, R, C> operator*(const Part<T, R, C, S>& a, T s) { return a.eval() * s; }
template <typename T, int R, int C, int S>
__host__ __device__ Matrix<T, R, C> operator*(T s, const Part<T, R, C, S>& a) { return a.eval() * s; }
template <typename T, int R, int C, int S>
__host__ __device__ Matrix<T, R, C> operator/(const Part<T, R, C, S>& a, T s) { return a.eval() / s; }
template <typename T, int R, int C, int S>
__host__ __device__ Matrix<T, R, C> operator-(const Part<T, R, C, S>& a) { return -a.eval(); }
typedef Matrix<float, 2, 1> Vector2f;
typedef Matrix<float, 1, 2> RowVector2f;
typedef Matrix<float, 2, 2> Matrix2f;
typedef Matrix<float, 3, 1> Vector3f;
typedef Matrix<float, 1, 3> RowVector3f;
typedef Matrix<float, 3, 3> Matrix3f;
typedef Matrix<float, 4, 1> Vector4f;
typedef Matrix<float, 1, 4> RowVector4f;
typedef Matrix<float, 4, 4> Matrix4f;
typedef Matrix<double, 2, 1> Vector2d;
typedef Matrix<double, 1, 2> RowVector2d;
typedef Matrix<double, 2, 2> Matrix2d;
typedef Matrix<double, 3, 1> Vector3d;
typedef Matrix<double, 1, 3> RowVector3d;
typedef Matrix<double, 3, 3> Matrix3d;
typedef Matrix<double, 4, 1> Vector4d;
typedef Matrix<double, 1, 4> RowVector4d;
typedef Matrix<double, 4, 4> Matrix4d;
typedef Matrix<int, 2, 1> Vector2i;
typedef Matrix<int, 1, 2> RowVector2i;
typedef Matrix<int, 2, 2> Matrix2i;
typedef Matrix<int, 3, 1> Vector3i;
typedef Matrix<int, 1, 3> RowVector3i;
typedef Matrix<int, 3, 3> Matrix3i;
typedef Matrix<int, 4, 1> Vector4i;
typedef Matrix<int, 1, 4> RowVector4i;
typedef Matrix<int, 4, 4> Matrix4i;
template <typename T, int R>
using Vector = Matrix<T, R, 1>;
}  // namespace Eigen
