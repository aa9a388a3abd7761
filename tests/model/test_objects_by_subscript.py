"""Subscripts of objects are calls of `operator[]`, members that are functors are called, and Eigen's matrices."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from ssa_helpers import run_text

from regpress_lint.__main__ import main
from regpress_lint.model.graph.ops import Kind

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.model.interpreter.machine import Machine

SQUARE = "struct Square { __device__ double operator()(double x) const { return log(x) * x; } };\n"
ROWS = """struct Row { double *p; __device__ double &operator[](int j) const { return p[j]; } };
struct Rows { double *d; int s; __device__ Row operator[](int i) const { return Row{d + i * s}; } };
"""
PAIRS = """struct Both { double &x, &y; };
struct Pairs { double *a, *b; __device__ Both operator[](int i) const { return RESULT; } };
"""


def operations(machine: Machine) -> list[str]:
    """The operations that count: reads, stores and calls, in order."""
    return [str(op) for op in machine.graph.ops if op.kind in (Kind.LOAD, Kind.STORE, Kind.CALL)]


def kernel(head: str, parameters: str, body: str) -> Machine:
    return run_text(f"{head}__global__ void k({parameters}, int i, int j) {{ {body} }}\n")


@pytest.mark.parametrize("member", ["get(i)", "[i]"])
def test_a_member_that_is_a_functor_is_executed(member: str) -> None:
    head = SQUARE + (
        "template <class Op> struct Mapped { double *p; Op op;\n"
        "__device__ double get(int i) const { return op(p[i]); }\n"
        "__device__ double operator[](int i) const { return op(p[i]); } };\n"
    )
    called = f"t{member}" if member.startswith("[") else f"t.{member}"
    machine = kernel(head, "Mapped<Square> t, double *o", f"o[i] = {called};")
    plain = kernel("", "double *t, double *o", "o[i] = log(t[i]) * t[i];")

    assert machine.tally.libraries == plain.tally.libraries
    assert machine.tally.unknowns == []


@pytest.mark.parametrize("body", ["a[i][j] = log(a[j][i]);", "auto r = a[i]; r[j] = log(a[j][i]);"])
def test_rows_of_rows_are_places(body: str) -> None:
    machine = kernel(ROWS, "Rows a", body)
    plain = kernel("", "double *a, int s", "a[i * s + j] = log(a[j * s + i]);")
    assert operations(machine) == operations(plain)
    assert machine.tally.libraries == plain.tally.libraries
    assert machine.tally.unknowns == []


@pytest.mark.parametrize("result", ["Both{a[i], b[i]}", "{a[i], b[i]}"])
def test_references_in_an_object_that_a_subscript_gives_are_written_through(result: str) -> None:
    head = PAIRS.replace("RESULT", result)
    machine = kernel(head, "Pairs z", "auto r = z[i]; r.x = log(r.y) + r.x; z[i + 1].y = r.x * 3.0;")
    assert [each for each in operations(machine) if each.startswith("store")] == ["store global"] * 2
    assert machine.tally.libraries
    assert machine.tally.unknowns == []


@pytest.mark.parametrize("seen", [True, False])
def test_proxy_is_converted_by_its_class_where_that_is_in_view(seen: bool) -> None:
    body = " { return Point{x[i], y[i]}; }" if seen else ";"
    head = (
        "struct Point { double x, y; };\n"
        f"struct Proxy {{ double *x, *y; int i; __device__ operator Point() const{body} }};\n"
        "struct Points { double *x, *y; __device__ Proxy operator[](int i) const { return Proxy{x, y, i}; } };\n"
    )
    machine = kernel(head, "Points p, double *o", "Point a = p[i]; o[i] = a.x + a.y;")
    if seen:
        assert [each for each in operations(machine) if "global" in each] == ["load global"] * 2 + ["store global"]
        assert machine.tally.unknowns == []
        return
    assert [(one.kind, one.name, one.opens) for one in machine.tally.unknowns] == [("callee", "operator Point", "both")]


EIGEN = """#include <Eigen/Dense>
__global__ void product(const Eigen::Matrix3d *a, const Eigen::Matrix3d *b, Eigen::Matrix3d *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] * b[i];
}
__global__ void inverse(const Eigen::Matrix3d *a, Eigen::Matrix3d *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i].inverse();
}
__global__ void unit(const Eigen::Vector3f *a, const Eigen::Vector3f *b, Eigen::Vector3f *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Eigen::Vector3f n = a[i].cross(b[i]);
  c[i] = n / n.norm();
}
__global__ void larger(const Eigen::Matrix4d *a, Eigen::Matrix4d *c) { c[threadIdx.x] = a[threadIdx.x].inverse(); }
"""
NAMED_ALIKE = """#include <Eigen/Core>
namespace mine { typedef Eigen::Vector3f Vector3f; }
using namespace mine;
__global__ void scaled(Vector3f* o, const Vector3f* a, int n) {
  Vector3f r[6];
#pragma unroll
  for (int i = 0; i < 6; ++i) r[i] = a[threadIdx.x + i * 64];
  for (int q = 0; q < n; ++q)
#pragma unroll
    for (int i = 0; i < 6; ++i) r[i] = r[i] * r[(i + 1) % 6].x() + a[q];
#pragma unroll
  for (int i = 0; i < 6; ++i) o[threadIdx.x + i * 64] = r[i];
}
"""
PARTS = """#include <Eigen/Core>
using namespace Eigen;
__global__ void heads(Vector4f* o, const Vector4f* a, const Vector2f* b, int n) {
  Vector4f r[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) r[i] = a[threadIdx.x + i * 64];
  for (int q = 0; q < n; ++q)
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      r[i].head<2>() = b[q] * r[(i + 1) % 8].w();
      r[i].tail<2>() += b[q + 1];
    }
#pragma unroll
  for (int i = 0; i < 8; ++i) o[threadIdx.x + i * 64] = r[i];
}
__global__ void columns(Matrix3f* o, const Vector3f* a, int n) {
  Matrix3f m;
  m.col(0) = a[threadIdx.x]; m.col(1) = a[threadIdx.x + 64]; m.col(2) = m.col(0) + 2.f * m.col(1);
  Matrix3f s = m;
  for (int q = 0; q < n; ++q) { s = s * m; s.row(1) *= 2.f; s.block<2, 2>(0, 0) += m.block<2, 2>(1, 1); }
  o[threadIdx.x] = s;
}
__global__ void multiplied(Vector3f* o, const Matrix3f* a) {
  Matrix3f m = a[threadIdx.x];
  o[threadIdx.x] = m * m.col(1);
}
__global__ void listed(Matrix3f* o, const float* a, int n) {
  Matrix3f m, s = Matrix3f::Identity();
  const float* p = a + threadIdx.x;
  m << p[0], p[32], p[64], p[96], p[128], p[160], p[192], p[224], p[256];
  for (int q = 0; q < n; ++q) s = s * m + m;
  o[threadIdx.x] = s;
}
__global__ void wider(Vector3d* o, const Vector3f* a, int n) {
  Vector3d r[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) r[i] = a[threadIdx.x + i * 64].cast<double>();
  for (int q = 0; q < n; ++q)
#pragma unroll
    for (int i = 0; i < 4; ++i) r[i] = r[i] * r[(i + 1) % 4].x() + a[q].cast<double>();
#pragma unroll
  for (int i = 0; i < 4; ++i) o[threadIdx.x + i * 64] = r[i];
}
"""
GLM = """#include <glm/glm.hpp>
__global__ void turned(glm::mat3* o, const glm::mat3* a) {
  int i = threadIdx.x;
  glm::mat3 m = a[i];
  o[i] = glm::transpose(m) * a[i + 1] * m;
}
__global__ void moved(glm::vec4* o, const glm::mat4* a, const glm::vec4* v) {
  int i = threadIdx.x;
  o[i] = a[i] * v[i];
}
__global__ void weighted(const float* w, const glm::mat4* m, const glm::vec4* p, glm::vec4* o) {
  int i = threadIdx.x;
  o[i] = w[i] * (m[i] * p[i]);
}
__global__ void shaded(glm::vec3* o, const glm::vec3* c, const glm::vec3* p) {
  int i = threadIdx.x;
  glm::vec3 d = p[i] / glm::length(p[i]);
  glm::vec3 r = 0.28f * c[i];
  r = r - 0.48f * d.y * c[i + 1] + 0.48f * d.z * c[i + 2] - 0.48f * d.x * c[i + 3];
  r += 0.5f;
  o[i] = glm::max(r, 0.0f);
}
"""
TURNS = """#include <glm/gtc/quaternion.hpp>
#include <glm/gtc/type_ptr.hpp>
#define AT int t = blockIdx.x * blockDim.x + threadIdx.x; if (t >= n) return;
__global__ void crossed(float* o, const float* p, int n) {
  AT glm::fvec3 a = glm::make_vec3(p + t * 3), b = glm::make_vec3(p + n + t * 3);
  glm::vec<3, float> c = glm::cross(a, b) * glm::dot(a, b); o[t] = c.x + c.y * c.z; }
__global__ void as_matrix(glm::mat3* o, const glm::fquat* p, int n) {
  AT o[t] = glm::mat3_cast(glm::normalize(p[t])) * glm::mat3_cast(p[t + n]); }
__global__ void turned(glm::vec3* o, const glm::quat* q, const glm::vec3* p, int n) {
  AT glm::vec3 v = p[t]; for (int i = 0; i < 8; ++i) v = q[t + i * n] * v; o[t] = v; }
__global__ void as_turn(glm::quat* o, const glm::mat<3, 3, float>* p, int n) { AT o[t] = glm::quat_cast(p[t]); }
__global__ void between(glm::quat* o, const glm::quat* p, float s, int n) { AT o[t] = glm::slerp(p[t], p[t + n], s); }
__global__ void back(glm::quat* o, const glm::quat* p, int n) {
  AT glm::quat a = p[t]; for (int i = 1; i < 4; ++i) a = a * p[t + i * n]; o[t] = glm::inverse(a); }
"""


def estimates_of(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    file = folder / "a.cu"
    file.write_text(text)
    assert main(["kernels", "--isolated", "--no-cache", "--arch", "sm_90", "--output-format", "json", str(file)]) == 0
    return {each["name"]: each["targets"]["sm_90"] for each in json.loads(capsys.readouterr().out)["kernels"]}


@pytest.mark.parametrize(
    ("text", "compiled"),
    [
        (EIGEN, {"product": 48, "inverse": 40, "unit": 19}),  # nvcc 13.0.88, Eigen 3.4
        (NAMED_ALIKE, {"scaled": 38}),
        (PARTS, {"heads": 40, "columns": 30, "multiplied": 20, "listed": 31, "wider": 48}),
        (GLM, {"turned": 32, "moved": 32, "weighted": 32, "shaded": 23}),  # nvcc 13.0.88, GLM 0.9.9
        (TURNS, {"crossed": 32, "as_matrix": 31, "turned": 32, "as_turn": 18, "between": 28, "back": 30}),
    ],
)
def test_small_matrices_of_a_library_match_their_compilation(
    text: str, compiled: dict[str, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = estimates_of(text, tmp_path, capsys)
    for name, registers in compiled.items():
        band = said[name]["registers"]
        assert band["low"] <= registers <= band["high"]
        assert not said[name].get("unknown")


def test_an_inverse_of_more_rows_is_in_the_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [each["kind"] for each in estimates_of(EIGEN, tmp_path, capsys)["larger"]["unknown"]] == ["callee"]


def test_braces_make_an_index_of_its_class() -> None:
    head = (
        "struct At { int i, j; };\nstruct Field { double* p; int s;\n"
        "__device__ double& operator[](At k) const { return p[k.j * s + k.i]; } };\n"
    )
    listed, named = (
        operations(kernel(head, "Field f", body))
        for body in ("f[{i, j}] = f[{i + 1, j}] + f[{i, j + 1}];", "f[At{i, j}] = f[At{i + 1, j}] + f[At{i, j + 1}];")
    )
    assert listed == named
    assert len(listed) == 3
