"""Variables at file level: `__constant__`, `__device__` and `__managed__` memory that a kernel names."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of
from frontend_helpers import build, kernel, nodes
from ssa_helpers import count, run

from regpress_lint.cpp.constants import evaluate, extents
from regpress_lint.cpp.syntax_tree import Function, Name, Variable

KERNEL = "__global__ void k(float *p, int n) { p[n] = c[n]; }"


def named(function: Function, name: str = "c") -> Variable | None:
    """Declaration that a name in a function refers to."""
    return next(found for found in nodes(function, Name) if found.name == name).variable


def sizes(text: str) -> tuple[int | None, ...]:
    """Extents of `c` as the kernel of a text sees them."""
    file = build(text)
    variable = named(file.kernels[0].function)
    assert variable is not None
    return extents(variable, facts_of(text).source.environment)


@pytest.mark.parametrize(
    ("declaration", "storage", "type_name", "dims"),
    [
        ("__constant__ float c[64];", "constant", "float", 1),
        ("__device__ __constant__ double c[8][2];", "constant", "double", 2),
        ("static __device__ int c[4];", "global", "int", 1),
        ("__managed__ int other, c[4];", "global", "int", 1),
        ("extern __constant__ float c[];", "constant", "float", 1),
        ("extern __constant__ double c[]; __constant__ double c[32];", "constant", "double", 1),
        ("namespace a { __device__ float *c; }", "global", "float", 0),
        ("__constant__ float c[] = {1, 2, 3};", "constant", "float", 1),
    ],
)
def test_device_memory_is_resolved(declaration: str, storage: str, type_name: str, dims: int) -> None:
    variable = named(kernel(f"{declaration}\n{KERNEL}").function)
    assert variable is not None
    assert (variable.storage, variable.type.name, len(variable.dims)) == (storage, type_name, dims)


def test_extents_of_a_table() -> None:
    assert sizes(f"#define N 4\n__constant__ float c[N][2 * N];\n{KERNEL}") == (4, 8)
    assert sizes(f"__constant__ float c[] = {{1, 2, 3}};\n{KERNEL}") == (3,)


@pytest.mark.parametrize(
    "declaration",
    [
        "__device__ float c(int);",
        "float c[64];",
        "#ifdef WIDE\n__constant__ double c[4];\n#else\n__constant__ float c[4];\n#endif",
        "template <int c>",
    ],
)
def test_ambiguous_or_invalid_type_stays_a_name(declaration: str) -> None:
    outer = "__constant__ float c[4];\n" if declaration.startswith("template") else ""
    assert named(kernel(f"{outer}{declaration}\n{KERNEL}").function) is None


def test_a_constant_with_a_value_is_still_a_number() -> None:
    file = build(f"__device__ const int c = 4;\n{KERNEL}")
    assert named(file.kernels[0].function) is None
    assert file.constant("c") == 4


@pytest.mark.parametrize(
    ("head", "storage"),
    [
        ("__global__ void k(float *p, int n, float *c) { p[n] = c[n]; }", "parameter"),
        ("__global__ void k(float *p, int n) { float c[4]; p[n] = c[n]; }", "local"),
    ],
)
def test_inner_declarations_hide_it(head: str, storage: str) -> None:
    variable = named(kernel(f"__constant__ float c[64];\n{head}").function)
    assert variable is not None
    assert variable.storage == storage


def test_a_member_hides_it() -> None:
    functor = "struct F { float c[4]; __device__ float get(int i) const { return c[i]; } };"
    function = build(f"__constant__ double c[64];\n{functor}\n{KERNEL}").find_function("get", 1)
    assert function is not None
    assert named(function) is None


def test_one_object_for_all_functions() -> None:
    file = build(f"__device__ float c[64];\n__device__ float get(int i) {{ return c[i]; }}\n{KERNEL}")
    function = file.find_function("get", 1)
    assert function is not None
    assert named(function) is named(file.kernels[0].function) is not None


def test_headers() -> None:
    headers = {"tables.h": "#pragma once\n__constant__ double c[64];\n", "none.h": "__device__ float f(int);\n"}
    variable = named(kernel(f'#include "tables.h"\n#include "none.h"\n{KERNEL}', headers=headers).function)
    assert variable is not None
    assert (variable.storage, variable.type.name) == ("constant", "double")


def test_a_function_of_a_header_names_the_object_that_the_kernel_names() -> None:
    headers = {"get.h": "extern __constant__ float c[];\n__device__ float get(int i) { return c[i]; }\n"}
    file = build(f'#include "get.h"\n__constant__ float c[64];\n{KERNEL}', headers=headers)
    function = file.find_function("get", 1)
    assert function is not None
    assert named(function) is named(file.kernels[0].function) is not None


def test_a_known_place_in_the_constant_bank_is_an_operand_on_nvidia() -> None:
    before = "__constant__ double c[32];"
    compared = "".join(f"if (d[0] < c[{index}]) out[{index}] = 1;" for index in range(8))
    machine = run(compared, "double *d, int *out", before, vendor="nvidia")
    reads = [number for number, op in enumerate(machine.graph.ops) if op == "load constant"]
    assert len(reads) == 8
    assert {machine.graph.widths[number] for number in reads} == {0}


@pytest.mark.parametrize("vendor", ["amd", "nvidia"])
def test_an_index_of_the_thread_is_read_into_registers(vendor: str) -> None:
    machine = run("a[tid] = c[tid] + c[tid];", before="__constant__ double c[64];", vendor=vendor)
    (read,) = (number for number, op in enumerate(machine.graph.ops) if op == "load constant")
    assert machine.graph.widths[read] == 2
    assert count(machine, "load") == 1


def test_a_default_argument_is_its_expression_and_no_constant() -> None:
    text = "__device__ float f(float x, int y = 4, const int z = 2 + 3) { return x * y + z; }\n"
    facts = facts_of(text + "__global__ void k(float *p) { p[0] = f(1, 2, 3); }")
    function = facts.file.find_function("f", 1)
    assert function is not None
    first, second, third = function.parameters
    assert first.init is None
    assert [evaluate(each.init, facts.source.environment) for each in (second, third)] == [4, 5]
    used = next(name for name in nodes(function.body, Name) if name.name == "z")
    assert evaluate(used, facts.source.environment) is None


def test_omitted_argument_gets_its_default() -> None:
    before = "__device__ int f(int x, int y = 4) { return x * y; }"
    machine = run("out[0] = f(3); out[1] = f(3, 2);", before=before)
    stores = [machine.graph.args[number][1] for number, op in enumerate(machine.graph.ops) if op.startswith("store")]
    assert [machine.graph.constants[value] for value in stores] == [12, 6]
