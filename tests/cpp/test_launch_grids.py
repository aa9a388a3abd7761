"""Blocks of a launch's grid, where the source settles them, and the LDS that a launch takes in any case."""

from __future__ import annotations

import pytest
from frontend_helpers import build, host, launch

from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts


@pytest.mark.parametrize(
    ("body", "before", "blocks"),
    [
        ("k<<<1, 128>>>(x);", "", 1),
        ("k<<<dim3(1, 1), 128>>>(x);", "", 1),
        ("dim3 g(8, 4, 2); k<<<g, 64, 0, 0>>>(x);", "", 64),
        ("dim3 g(8, 4, 2); k<<<g, 100>>>(x);", "", 64),
        ("dim3 g(8, 4, 2); k<<<g, 768>>>(x);", "", 64),
        ("dim3 g(8, 4, 2); k<<<g, 256>>>(x);", "", None),  # a usual block size: the grid is not looked at
        ("k<<<dim3{8, 4}, 256>>>(x);", "", 32),
        ("const int g = 1024; k<<<g, 16>>>(x);", "", 1024),
        ("k<<<G * 2, 16>>>(x);", "#define G 50", 100),
        ("cudaLaunchKernel(k, dim3(30), dim3(64), args, 0, 0);", "", 30),
        ("k<<<n, 128>>>(x);", "", None),
        ("k<<<(n + 127) / 128, 128>>>(x);", "", None),
        ("int g = 1; if (n > 64) g = n / 64; k<<<g, 64>>>(x);", "", None),
        ("int g = 1; g = 4; k<<<g, 64>>>(x); g = 9;", "", None),  # another call may see another value
        ("for (int g = 1; g < n; ++g) k<<<g, 64>>>(x);", "", None),
    ],
)
def test_blocks_of_a_grid(body: str, before: str, blocks: int | None) -> None:
    assert launch(host(body, before)).blocks == blocks


def test_blocks_of_a_hip_launch() -> None:
    text = host("hipLaunchKernelGGL(k, dim3(2, 3), dim3(64), 0, 0, x);")
    assert launch(text, "hip").blocks == 6


@pytest.mark.parametrize(
    ("ranges", "block", "blocks"),
    [
        ("nd_range<1>(range<1>(4096), range<1>(64))", 64, 64),
        ("nd_range<2>({64, 64}, {8, 8})", 64, 64),
        ("nd_range<1>(range<1>(n), range<1>(64))", 64, None),
        ("nd_range<1>(range<1>(4096), range<1>(n))", None, None),
        ("nd_range(range(4096), range(32))", 32, 128),
    ],
)
def test_work_groups_of_a_sycl_range(ranges: str, block: int | None, blocks: int | None) -> None:
    text = (
        "#include <sycl/sycl.hpp>\nusing namespace sycl;\nvoid run(queue& q, float* x, int n) {\n"
        f"  q.parallel_for({ranges}, [=](auto item) {{ x[item.get_global_linear_id()] = 1; }});\n}}\n"
    )
    found = launch(text, "sycl")
    assert (found.block_size, found.blocks) == (block, blocks)


KERNEL = """__global__ void k(float *p, int m) {
  __shared__ float s[256];
  %s
  s[threadIdx.x] = p[threadIdx.x];
}
void run(float *p, int n) { %s }
"""


@pytest.mark.parametrize(
    ("more", "launches", "least", "known"),
    [
        ("", "k<<<n, 64>>>(p, n);", 1024, True),
        ("", "k<<<n, 64, 512>>>(p, n);", 1536, True),
        ("", "k<<<n, 64, n>>>(p, n);", 1024, False),
        ("extern __shared__ float e[];", "k<<<n, 64, n * sizeof(float)>>>(p, n);", 1024, False),
        ("extern __shared__ float e[];", "k<<<n, 64, 4096>>>(p, n);", 5120, True),
        ("extern __shared__ float e[];", "", 1024, False),  # nobody says how long it is
        ("__shared__ Unseen u;", "k<<<n, 64>>>(p, n);", 1024, False),
        ("", "", 1024, True),
    ],
)
def test_certain_lds_counts_beside_unknown_lds(more: str, launches: str, least: int, known: bool) -> None:
    file = build(KERNEL % (more, launches))
    facts = kernel_facts(file, file.kernels[0], Settings())
    assert facts.launch.lds_of(facts.launch.chosen) == (least, known)
    assert facts.launch.lds_at_least == least
    assert facts.launch.lds_bytes == (least if known else None)
    assert facts.target("sm_90").use(1).lds_bytes == least


def test_every_launch_has_its_own_lds() -> None:
    file = build(KERNEL % ("", "k<<<n, 64>>>(p, n); k<<<n, 64, 512>>>(p, n); k<<<n, 64, n>>>(p, n);"))
    facts = kernel_facts(file, file.kernels[0], Settings())
    assert [facts.launch.lds_of(each) for each in facts.kernel.launches] == [(1024, True), (1536, True), (1024, False)]
