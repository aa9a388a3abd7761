"""Types that templates make of types: aliases, specialisations for some of their arguments, traits of the library."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from frontend_helpers import build
from ssa_helpers import run_text

from regpress_lint.__main__ import main
from regpress_lint.cpp.lexical import pack_meanings, with_meanings
from regpress_lint.cpp.names.templates import substituted

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.model.interpreter.machine import Machine

TRAITS = """template <typename T> struct Sum { typedef T type; };
template <> struct Sum<float> { typedef double type; };
template <typename T> struct Sum<T*> { typedef T type; };
template <typename T, bool> using sum_of = typename Sum<T>::type;
template <typename T, int N> struct Rows { T v[N]; __device__ T first() const { return v[N - 1]; } };
template <typename T> struct Rows<T, 1> { double only; __device__ double first() const { return only; } };
template <typename T> struct Derived : Rows<T, 2> { static constexpr int two = 2; };
struct Twice : Derived<double> { __device__ double second() const { return v[two - 1]; } };
template <typename T> struct is_real : std::false_type {};
template <> struct is_real<double> : std::true_type {};
"""


def executed(declaration: str) -> Machine:
    return run_text(f"{TRAITS}__global__ void k(float *p, float *o, int n) {{ {declaration} o[n] = x; }}\n")


def operations(machine: Machine) -> list[str]:
    """The executed operations, without the constants that an index is worked out from, sorted."""
    return sorted(name for name in map(str, machine.graph.ops) if name != "constant")


@pytest.mark.parametrize(
    ("spelled", "plain"),
    [
        ("sum_of<float, true>", "double"),
        ("sum_of<int *, true>", "int"),
        ("typename Sum<unsigned>::type", "unsigned"),
        ("std::conditional_t<sizeof(double) == 8, float, double>", "float"),
        ("typename std::conditional<std::is_same<int, float>::value, float, double>::type", "double"),
        ("std::conditional_t<std::is_same_v<int, float>, float, double>", "double"),
        ("std::conditional_t<std::is_floating_point_v<float> && !std::is_pointer_v<float>, int, double>", "int"),
        ("std::conditional_t<is_real<double>::value && !is_real<int>::value, int, double>", "int"),
        ("std::conditional_t<Twice::two == 2, int, double>", "int"),
        ("typename std::conditional<!std::is_same<float, void>::value, float, double>::type", "float"),
        ("std::conditional_t<std::is_same<float, double>{}, float, double>", "double"),
        ("typename std::common_type<int, double>::type", "double"),
        ("std::remove_cv_t<std::remove_reference_t<const double &>>", "double"),
        ("std::make_unsigned_t<int>", "unsigned"),
    ],
)
def test_alias_template_resolves_to_its_type(spelled: str, plain: str) -> None:
    made, written = (executed(f"{type_} x = 0; for (int i = 0; i < n; ++i) x += p[i];") for type_ in (spelled, plain))

    assert operations(made) == operations(written)
    assert made.tally.unknowns == []


@pytest.mark.parametrize(
    ("spelled", "members", "first"),
    [
        ("Rows<float, 4>", "float v[4];", "v[3]"),
        ("Rows<float, 3 - 2>", "double only;", "only"),
        ("Derived<double>", "double v[2];", "v[1]"),
        ("Twice", "double v[2];", "v[1]"),
    ],
)
def test_members_come_from_the_matching_specialisation(spelled: str, members: str, first: str) -> None:
    plain = f"struct Plain {{ {members} __device__ double first() const {{ return {first}; }} }};\n"
    made, written = (
        run_text(f"{head}__global__ void k({type_} *p, double *o, int n) {{ o[n] = p[n].first(); }}\n")
        for head, type_ in ((TRAITS, spelled), (plain, "Plain"))
    )

    assert operations(made) == operations(written)
    assert made.tally.unknowns == []


def test_members_and_constants_of_bases_belong_to_the_class() -> None:
    own = "struct Own { double v[2]; __device__ double second() const { return v[1]; } };\n"
    made, written = (
        run_text(f"{head}__global__ void k({type_} p, double *o, int n) {{ o[n] = p.second(); }}\n")
        for head, type_ in ((TRAITS, "Twice"), (own, "Own"))
    )

    assert operations(made) == operations(written)


BASES = """template <typename T> struct Filled { T v[4];
__device__ Filled(const T *p, int n) : v{p[0], p[n], p[2 * n]} {} };
struct Scaled : Filled<double> { double by;
__device__ Scaled(const double *p, int n, double x) : Filled<double>(p, n), by(x * x) {}
__device__ Scaled(const double *p, double x) : Scaled(p, 1, x) {} };
"""
WHOLE = """struct Scaled { double v[4], by;
__device__ Scaled(const double *p, int n, double x) : v{p[0], p[n], p[2 * n]}, by(x * x) {}
__device__ Scaled(const double *p, double x) : v{p[0], p[1], p[2 * 1]}, by(x * x) {} };
"""


@pytest.mark.parametrize("arguments", ["p, n, o[1]", "p, o[1]"])
def test_constructors_of_bases_and_of_the_class_itself_are_executed(arguments: str) -> None:
    made, written = (
        run_text(
            f"{head}__global__ void k(double *p, double *o, int n) {{ Scaled s({arguments}); "
            "o[n] = s.v[0] + s.v[1] * s.v[2] + s.by; }\n"
        )
        for head in (BASES, WHOLE)
    )

    assert operations(made) == operations(written)
    assert made.tally.unknowns == []


@pytest.mark.parametrize("value", ["T(0)", "T{}", "T()"])
def test_unbound_template_parameter_is_not_a_call(
    value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.cu").write_text(
        f"template <typename T> __global__ void k(T *p, int n) {{ p[n] = n > 3 ? p[0] : {value}; }}\n"
    )
    main(["kernels", "--isolated", "--no-cache", "--arch", "sm_90", "--output-format", "json", str(tmp_path)])
    [kernel] = json.loads(capsys.readouterr().out)["kernels"]

    assert [entry for entry in kernel["targets"]["sm_90"]["unknown"] if entry["kind"] == "callee"] == []


TENSORS = """#include <torch/extension.h>
template <typename scalar_t>
__global__ void rows(at::PackedTensorAccessor64<scalar_t, 2, at::RestrictPtrTraits> a,
                     at::PackedTensorAccessor32<scalar_t, 1> b) {
  at::acc_type<scalar_t, true> sum = 0;
  CUDA_KERNEL_LOOP(i, a.size(0)) {
    for (int j = 0; j < a.size(1); ++j) sum += a[i][j] * b[j];
  }
  gpuAtomicAdd(b.data(), static_cast<scalar_t>(sum));
}
template __global__ void rows<float>(at::PackedTensorAccessor64<float, 2, at::RestrictPtrTraits>,
                                     at::PackedTensorAccessor32<float, 1>);
"""


def test_accessors_of_pytorch_are_known_without_its_headers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.cu").write_text(TENSORS)
    main(["kernels", "--isolated", "--no-cache", "--arch", "sm_90", "--output-format", "json", str(tmp_path)])
    [kernel] = json.loads(capsys.readouterr().out)["kernels"]
    target = kernel["targets"]["sm_90"]

    assert target["unknown"] == []
    low, high = target["registers"]["low"], target["registers"]["high"]
    assert low <= 32 <= high  # nvcc 13.0.88, with accessors of the same members


def test_aliases_of_aliases_do_not_double_without_end() -> None:
    """A layout of CUTLASS names itself in terms of others 20 deep: its text had millions of characters."""
    text = "float"
    for _ in range(20):
        text = substituted("Pair<T, T>", {"T": text})
    assert len(text) <= 4000


@pytest.mark.parametrize("other", ["struct Rows { float3 data[3]; };", "namespace z { typedef float4 Rows; }"])
def test_alias_of_a_class_hides_types_of_its_name(other: str) -> None:
    file = build(
        f"""{other}
struct Solver {{
  template <int N> struct Fixed {{ double d[N]; __device__ double& operator[](int i) {{ return d[i]; }} }};
  using Rows = Fixed<5>;
  Rows own;
  __device__ void fill(Rows& rows, double a) {{ rows[0] = a; }}
}};
__global__ void k(double* o) {{ Solver s; Solver::Rows rows; s.fill(rows, o[1]); o[0] = rows[0]; }}
"""
    )
    method, type_, member = file.method("Solver", "fill", 2), file.type_of("Solver"), file.type_of("Solver::own")
    assert method is not None
    assert type_ is not None
    assert member is not None
    assert method.parameters[0].type.name == "Fixed<5>"
    assert (type_.size, member.size) == (40, 40)


def test_pack_that_stands_for_itself_stays_as_it_is() -> None:
    meanings = pack_meanings("Ts", ("Ts...",))
    assert with_meanings("zip<Ts...>::type, f<Ts>", meanings) == "zip<Ts...>::type, f<Ts>"
