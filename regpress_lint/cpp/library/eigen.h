// Eigen's matrices of fixed size as what they compile to: arrays in columns. Written for regpress-lint from Eigen's
// documentation; parts of matrices that can be written to (block, col, head) are left out: calls that are not known.
#pragma once
#define EIGEN_DEVICE_FUNC __host__ __device__
#define EIGEN_STRONG_INLINE inline
#define EIGEN_ALWAYS_INLINE inline
#define EIGEN_MAKE_ALIGNED_OPERATOR_NEW
namespace Eigen {
typedef long Index;
template <typename T, int R, int C, int O = 0>
struct Matrix {
  T m_data[R * C];
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
  template <int N>
  __host__ __device__ Matrix<T, N, 1> head() const {
    Matrix<T, N, 1> r;
    for (int i = 0; i < N; ++i) r.m_data[i] = m_data[i];
    return r;
  }
  template <int N>
  __host__ __device__ Matrix<T, N, 1> tail() const {
    Matrix<T, N, 1> r;
    for (int i = 0; i < N; ++i) r.m_data[i] = m_data[R * C - N + i];
    return r;
  }
  template <int N>
  __host__ __device__ Matrix<T, N, 1> segment(int first) const {
    Matrix<T, N, 1> r;
    for (int i = 0; i < N; ++i) r.m_data[i] = m_data[first + i];
    return r;
  }
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
