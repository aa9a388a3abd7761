"""Definitions that the build decides about, and names that a project gives another meaning than OpenCL does."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_rules import rules

RULES = {rule.code: rule for rule in rules()}
ON_NVIDIA = Settings(architectures=("sm_90",))
HEAD = "#include <cuda_runtime.h>\n#include <cmath>\n"
EITHER = """
#if defined(SINGLE)
typedef float real;
#elif defined(DOUBLE)
typedef double real;
#endif
"""


def found(code: str, text: str) -> list[str]:
    return [one.finding.message for one in testing.run([RULES[code]], HEAD + text, "a.cu", settings=ON_NVIDIA)]


@pytest.mark.parametrize(("given", "count"), [("", 0), ("#define SINGLE\n", 1), ("#define DOUBLE\n", 0)])
def test_type_whose_precision_is_set_by_the_build_is_not_assumed_float(given: str, count: int) -> None:
    kernel = "__global__ void k(real *x, int n) { for (int i = 0; i < n; ++i) x[i] = exp(1.0 * x[i]); }\n"
    assert len(found("RP202", given + EITHER + kernel)) == count


@pytest.mark.parametrize(
    ("declared", "name", "size"),
    [
        ("typedef unsigned char uint8;", "uint8", 1),
        ("", "uint8", 1),
        ("", "int16", 2),
        ("struct float8 { float a[3]; };", "float8", 12),
    ],
)
def test_opencl_vector_name_has_its_cuda_meaning_in_cuda(declared: str, name: str, size: int) -> None:
    facts = facts_of(
        f"{declared}\n__global__ void k(int *out) {{ __shared__ {name} all[64]; out[0] = (int)sizeof(all); }}", "cuda"
    )
    assert facts.launch.lds_at_least == 64 * size


def test_sycls_own_vectors_are_vectors() -> None:
    head = "#include <sycl/sycl.hpp>\nusing namespace sycl;\nvoid go(queue& q, float8* p) {\n"
    text = head + "  q.parallel_for(range<1>(64), [=](id<1> i) { float8 row[2]; p[i] = row[0]; });\n}\n"
    facts = facts_of(text, "sycl")
    named = facts.file.type_of("float8")
    assert named is not None
    assert named.size == 32


def test_a_power_of_a_constant_of_the_standard_library_is_a_constant() -> None:
    kernel = "__global__ void k(double *x, int n) {{ for (int i = 0; i < n; ++i) x[i] /= pow({}, 3); }}\n"
    assert found("RP201", kernel.format("2 * M_PI")) == []
    assert len(found("RP201", kernel.format("2 * x[i]"))) == 1


@pytest.mark.parametrize(("bounds", "budgets"), [("SIDE * SIDE, 2", {255}), ("1024, 2", {32}), ("64, 2", {255})])
def test_bounds_defined_by_the_build_leave_the_registers_open(bounds: str, budgets: set[int]) -> None:
    facts = facts_of(
        f"__global__ void __launch_bounds__({bounds}) k(float *x) {{ x[threadIdx.x] *= 2; }}", "cuda", ON_NVIDIA
    )
    assert {facts.target(name).budget for name in facts.targets} == budgets
