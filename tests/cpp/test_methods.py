"""Member functions of classes whose definition is visible."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from frontend_helpers import build, nodes

from regpress_lint.cpp.syntax_tree import Function, Member, Name, Return

if TYPE_CHECKING:
    from regpress_lint.program.file import File

CLASSES = """
namespace n {
template <class T> struct Vec {
  T x, y;
  __device__ Vec(T a) : x(a), y(a) { }
  __device__ T dot(const Vec &o) const { return x * o.x + this->y * o.y; }
  __device__ T at(int i, int j = 0) const { return i ? y : x; }
  __device__ T operator[](int i) const { return i ? y : x; }
  __device__ T operator()(int i) { return at(i); }
  __device__ void scale(T s);
  struct Inner { __device__ int at(int i) { return i; } };
};
template <class T> __device__ void Vec<T>::scale(T s) { x *= s; y *= s; }
}
struct Derived : public n::Vec<float> { __device__ int own() { return 1; } };
using Alias = Derived;
__device__ float dot(float a) { return a; }
__global__ void k(float *p) { p[0] = 1; }
"""


@pytest.fixture(scope="module")
def file() -> File:
    return build(CLASSES)


def method(file: File, type_name: str, name: str, arity: int) -> Function:
    found = file.method(type_name, name, arity)
    assert found is not None
    return found


@pytest.mark.parametrize("type_name", ["Vec", "Vec<float>", "n::Vec<T>", "const Vec<float> &", "Vec<n::Vec<int>> *"])
def test_members_by_base_name(file: File, type_name: str) -> None:
    found = method(file, type_name, "dot", 1)
    assert [parameter.name for parameter in found.parameters] == ["o"]
    data = {name.name: name.variable for name in nodes(found, Name)}
    assert data["x"] is None
    assert data["o"] is found.parameters[0]
    assert any(isinstance(member.base, Name) and member.base.name == "this" for member in nodes(found, Member))


def test_definition_outside_of_the_class(file: File) -> None:
    assert method(file, "Vec<float>", "scale", 1).name == "scale"
    assert [parameter.name for parameter in method(file, "Vec<float>", "scale", 1).parameters] == ["s"]


@pytest.mark.parametrize(("name", "arity"), [("at", 1), ("at", 2), ("operator[]", 1), ("operator []", 1)])
def test_default_arguments_and_operators(file: File, name: str, arity: int) -> None:
    assert nodes(method(file, "Vec", name, arity), Return)


def test_call_operator(file: File) -> None:
    assert method(file, "Vec", "operator()", 1).name == "operator()"


@pytest.mark.parametrize(
    ("type_name", "name", "arity"),
    [
        ("Vec", "at", 3),
        ("Vec", "own", 0),
        ("Derived", "missing", 0),
        ("Nothing", "dot", 1),
        ("", "dot", 1),
        ("k", "k", 1),
    ],
)
def test_no_such_member(file: File, type_name: str, name: str, arity: int) -> None:
    assert file.method(type_name, name, arity) is None


def test_class_decides_rather_than_the_name(file: File) -> None:
    inner, outer = method(file, "Vec::Inner", "at", 1), method(file, "Vec", "at", 1)
    assert inner is not outer
    assert len(nodes(outer, Name)) > len(nodes(inner, Name))


def test_bases_and_aliases(file: File) -> None:
    dot = method(file, "n::Vec<float>", "dot", 1)
    assert method(file, "Derived", "dot", 1) is dot
    assert method(file, "Alias", "dot", 1) is dot
    assert method(file, "Alias", "own", 0).name == "own"


def test_a_class_that_inherits_from_itself_ends() -> None:
    text = "struct A : B { };\nstruct B : A { };\n__global__ void k(int *p) { p[0] = 1; }\n"
    assert build(text).method("A", "f", 0) is None


def test_class_in_a_header_and_equal_questions() -> None:
    header = "struct Rng { unsigned s; __device__ unsigned next() { s = s * 3u; return s; } };\n"
    file = build('#include "rng.h"\n__global__ void k(int *p) { p[0] = 1; }\n', headers={"rng.h": header})
    found = method(file, "Rng", "next", 0)
    assert found.path == "rng.h"
    assert file.method("Rng", "next", 0) is found
