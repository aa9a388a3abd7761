"""Whose slot of a shared array a subscript means."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

ONE = "k<<<n, 256>>>(a)"
PLANE = "k<<<n, dim3(16, 16)>>>(a)"
UNKNOWN = "k<<<n, threads>>>(a)"
LINEAR = "threadIdx.y * blockDim.x + threadIdx.x"


def slots(array: str, *accesses: str, launch: str = ONE, before: str = "") -> int | None:
    """Elements a thread has of `s`, None if they are not its own: a write through the first access, reads of all."""
    body = "".join(f"a[0] += s{access};" for access in accesses)
    text = (
        f"__global__ void k(float* a) {{ __shared__ float {array}; {before} for (int j = 0; j < 4; ++j) {{ "
        f"s{accesses[0]} = a[j]; {body} }} }}\nvoid run(float* a, int n, int threads) {{ {launch}; }}\n"
    )
    file = testing.build(text, "example.cu")
    found = kernel_facts(file, file.kernels[0], Settings()).per_thread_slots
    return next(iter(found)).elements if found else None


@pytest.mark.parametrize(
    ("array", "accesses", "launch", "elements"),
    [
        ("s[256]", ["[threadIdx.x]"], ONE, 1),
        ("s[4][256]", ["[j][threadIdx.x]", "[3 - j][threadIdx.x]", "[0][threadIdx.x]"], ONE, 4),
        ("s[256][4]", ["[threadIdx.x][j]"], ONE, 4),
        ("s[1024]", ["[j * 256 + threadIdx.x]", "[threadIdx.x + (j << 8)]", "[threadIdx.x + 512]"], ONE, 4),
        ("s[1024]", ["[j * blockDim.x + threadIdx.x]"], ONE, 4),
        ("s[1024]", ["[j * 256 + threadIdx.x]"], UNKNOWN, 4),
        ("s[1280]", ["[threadIdx.x * 5 + j]", "[5 * (int)threadIdx.x + 3 - j]"], ONE, 5),
        ("s[16][16]", ["[threadIdx.y][threadIdx.x]"], PLANE, 1),
        ("s[4][256]", [f"[j][{LINEAR}]"], PLANE, 4),
        ("s[1024]", [f"[j * 256 + {LINEAR}]"], PLANE, 4),
        ("s[257]", ["[threadIdx.x + 1]", "[1 + threadIdx.x]"], ONE, 1),
    ],
)
def test_slots_that_are_the_thread_s_own(array: str, accesses: list[str], launch: str, elements: int) -> None:
    assert slots(array, *accesses, launch=launch) == elements


@pytest.mark.parametrize(
    ("array", "accesses", "launch"),
    [
        ("s[256]", ["[threadIdx.x]", "[threadIdx.x + 1]"], ONE),
        ("s[256]", ["[threadIdx.x]", "[255 - threadIdx.x]"], ONE),
        ("s[256]", ["[threadIdx.x]", "[0]"], ONE),
        ("s[256]", ["[threadIdx.x ^ 1]"], ONE),
        ("s[256]", ["[threadIdx.x * 0]"], ONE),
        ("s[4][256]", ["[j][threadIdx.x]", "[threadIdx.x][j]"], ONE),
        ("s[1024]", ["[j * 128 + threadIdx.x]"], ONE),
        ("s[1024]", ["[j + threadIdx.x]"], UNKNOWN),
        ("s[1024]", ["[threadIdx.x * 3 + j]"], ONE),
        ("s[16]", ["[threadIdx.x]"], PLANE),
        ("s[4][256]", ["[j][threadIdx.y * 8 + threadIdx.x]"], PLANE),
        ("s[4][16][16]", ["[j][threadIdx.x][threadIdx.x]"], PLANE),
        ("s[4][256]", ["[(int)a[j]][threadIdx.x]"], ONE),
    ],
)
def test_slots_that_threads_share(array: str, accesses: list[str], launch: str) -> None:
    assert slots(array, *accesses, launch=launch) is None


def test_a_coordinate_may_have_a_name_that_never_changes() -> None:
    assert slots("s[4][256]", "[j][t]", before="const int t = threadIdx.x;") == 4
    assert slots("s[4][256]", "[j][t]", before="int t = threadIdx.x; t = t / 2;") is None


@pytest.mark.parametrize(
    "use",
    ["f(s);", "float* p = s;", "atomicAdd(&s[threadIdx.x], 1.0f);", "a[1] = *s;", "a[1] = sizeof(*s) + s[a[2] > 1];"],
)
def test_any_other_use_of_the_array_ends_the_suspicion(use: str) -> None:
    assert slots("s[256]", "[threadIdx.x]") == 1
    assert slots("s[256]", "[threadIdx.x]", before=use) is None


@pytest.mark.parametrize(
    ("declared", "own", "elements"),
    [
        ("__shared__ float s[1024];", "float* own = s + threadIdx.x * 4; own[j] = a[j]; a[0] += own[3 - j];", 4),
        ("__shared__ float s[1024];", "float* own = &s[4 * threadIdx.x]; own[j] = a[j]; a[0] += own[(j + 1) % 4];", 4),
        ("__shared__ float s[256][4];", "float* own = s[threadIdx.x]; own[j] = a[j]; a[0] += own[j];", 4),
        ("extern __shared__ float s[];", "s[threadIdx.x + j * blockDim.x] = a[j]; a[0] += s[threadIdx.x];", 4),
        ("extern __shared__ float s[];", "float* own = threadIdx.x * 4 + s; own[j] = a[j]; a[0] += own[j];", 4),
        ("__shared__ float s[1024];", "float* own = s + threadIdx.x * 4; own[j] = a[j]; a[0] += own[j + 1];", None),
        ("__shared__ float s[1024];", "float* own = s + threadIdx.x * 4; own[j] = a[j]; a[0] += s[j];", None),
        (
            "__shared__ float s[1024];",
            "float* own = s + threadIdx.x * 4; own += j; own[j] = a[j]; a[0] += own[j];",
            None,
        ),
        ("__shared__ float s[1024];", "float* own = s + threadIdx.x * 4; own[j] = a[j]; f(own); a[0] += own[j];", None),
        ("extern __shared__ float s[];", "float* own = s + threadIdx.x; own[j] = a[j]; a[0] += own[j];", None),
    ],
)
def test_slots_through_a_pointer_and_of_dynamic_memory(declared: str, own: str, elements: int | None) -> None:
    text = (
        "__device__ void f(float* p);\n"
        f"__global__ void k(float* a) {{ {declared} for (int j = 0; j < 4; ++j) {{ {own} }} }}\n"
        "void run(float* a, int n) { k<<<n, 256, 4096>>>(a); }\n"
    )
    file = testing.build(text, "example.cu")
    found = kernel_facts(file, file.kernels[0], Settings()).per_thread_slots
    assert (next(iter(found)).elements if found else None) == elements


def test_slots_a_block_apart_without_a_launch() -> None:
    accesses = ("[j * blockDim.x + threadIdx.x]", "[threadIdx.x + (j + 1) % 4 * blockDim.x]")
    assert slots("s[1024]", *accesses, launch=UNKNOWN) == 4
