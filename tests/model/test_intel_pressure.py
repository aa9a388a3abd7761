"""Arrays that IGC leaves in memory on pvc: beside too much that is alive, and read by a pointer to one of two elements.

ocloc, IGC 1.0.12504: what is in memory after its first try (`IGC_ShaderDumpEnable`, AfterLowerGEP), or in the result.
"""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

HEAD = "kernel void k(global {0}* out, global const {0}* in, global const int* ix, int n, int m) {{"
THREAD = "int t = get_global_id(0);"


def in_memory(body: str, kind: str = "int") -> set[str]:
    """Names of the arrays that the first try leaves in memory."""
    file = testing.build(f"{HEAD.format(kind)} {THREAD} {body} }}\n", "k.cl", "opencl")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("pvc",)))
    return {variable.name for variable in facts.execution("pvc").in_memory}


def beside(elements: int, values: int) -> str:
    """An array that is changed at a run-time index while so many values wait."""
    read = " ".join(f"float p{i} = in[t * 7 + {i}];" for i in range(values))
    written = " ".join(f"out[t + {i + 1} * m] = p{i};" for i in range(values))
    each = f"for (int j = 0; j < {elements}; ++j)"
    return (
        f"{read} float a[{elements}]; {each} a[j] = in[t + j * n]; a[ix[t] % {elements}] += in[t + 1]; "
        f"float s = 0; {each} s += a[j] * a[j]; out[t] = s; {written}"
    )


@pytest.mark.parametrize(("elements", "values"), [(8, 73), (16, 65), (32, 49), (48, 33)])
def test_an_array_has_room_for_the_values_beside_it(elements: int, values: int) -> None:
    assert not in_memory(beside(elements, values), "float")
    assert in_memory(beside(elements, values + 1), "float") == {"a"}


def test_an_array_has_room_for_those_before_it() -> None:
    """Of two arrays of 16 floats beside 24 values the second has no room, if the first is still used."""
    each = "for (int j = 0; j < 16; ++j)"
    fill = f"float {{0}}[16]; {each} {{0}}[j] = in[t + {{1}} + j * n]; ".format
    change = "{0}[ix[t + {1}] & 15] += in[t + 1]; ".format
    used = f"{each} s += {{0}}[j] * {{0}}[j]; ".format
    read = " ".join(f"float p{i} = in[t * 7 + {i}];" for i in range(24)) + " float s = 0; "
    written = "out[t] = s; " + " ".join(f"out[t + {i + 1} * m] = p{i};" for i in range(24))
    filled = fill("a", 0) + fill("b", 7)
    together = f"{filled} {change('a', 0)} {change('b', 1)} {used('b')} {used('a')}"
    apart = f"{fill('a', 0)} {change('a', 0)} {used('a')} {fill('b', 7)} {change('b', 1)} {used('b')}"
    assert in_memory(f"{read} {together} {written}", "float") == {"b"}
    assert not in_memory(f"{read} {apart} {written}", "float")


SQUARE = (
    "int {0}[4][4]; for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) {0}[i][j] = in[t + {1} + (i * 4 + j) * n];"
)
ROW = "int {0}[16]; for (int i = 0; i < 16; ++i) {0}[i] = in[t + {1} + i * n];"
PLACES = "int x = ix[t] & 3, y = ix[t + 1] & 3;"


@pytest.mark.parametrize(
    ("use", "stays"),
    [
        ("out[t] = in[t + n] > 3 ? a[x][y] : a[y][x];", True),
        ("out[t] = in[t + n] > 3 ? a[0][1] : a[y][x];", True),
        ("out[t] = in[t + n] > 3 ? a[x][1] : a[y][1];", False),
        ("out[t] = in[t + n] > 3 ? a[1][x] : a[1][y];", False),
        ("out[t] = in[t + n] > 3 ? a[x][y] + 1 : a[y][x] + 2;", False),
        ("out[t] = in[t + n] > 3 ? a[x][y] : 7;", False),
        ("out[t] = a[x][y] > a[y][x] ? a[x][y] : a[y][x];", False),
        ("int q; if (in[t + n] > 3) q = a[x][y]; else q = a[y][x]; out[t] = q;", True),
        ("int p = a[x][y], q = a[y][x]; out[t] = (in[t + n] > 3 ? p : q) + p * q;", False),
    ],
)
def test_one_of_two_elements_is_read_by_a_pointer(use: str, stays: bool) -> None:
    assert (in_memory(f"{SQUARE.format('a', 0)} {PLACES} {use}") == {"a"}) == stays


@pytest.mark.parametrize(
    ("use", "stays"),
    [
        ("out[t] = in[t + n] > 3 ? a[x] : b[y];", True),
        ("out[t] = in[t + n] > 3 ? a[x] : b[x];", True),
        ("out[t] = in[t + m] * (n > 3 ? a[x] : b[y]);", True),
        ("out[t] = in[t + n] > 3 ? a[x] : b[3]; out[t + m] = b[y];", False),
        ("int q = in[t + m]; if (in[t + n] > 3) q += a[x]; else q += b[y]; out[t] = q;", True),
        ("out[t] = a[x] > b[y] ? a[x] : b[y];", False),
    ],
)
def test_an_element_of_one_of_two_arrays_is_read_by_a_pointer(use: str, stays: bool) -> None:
    body = f"{ROW.format('a', 0)} {ROW.format('b', 9)} {PLACES} {use}"
    assert (in_memory(body) == {"a", "b"}) == stays
