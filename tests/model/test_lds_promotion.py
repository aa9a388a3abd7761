"""How much LDS clang for AMD gives to private arrays; each row was compiled with clang 19."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of
from ssa_helpers import kernel_text

from regpress_lint.targets.compilers.amdgpu import GFX9_LOCAL, RDNA_LOCAL
from regpress_lint.targets.compilers.traits import promoted_bytes


@pytest.mark.parametrize(
    ("lds", "threads", "most"),
    [
        (0, 1024, 32),
        (512, 1024, 24),
        (6144, 1024, 24),
        (16384, 1024, 16),
        (40000, 1024, 24),
        (60000, 1024, 0),
        (0, 256, 32),
        (6144, 256, 8),
        (20000, 256, 0),
        (0, 64, 32),
        (0, 192, 32),
        (0, 768, 40),
        (6144, 768, 32),
        (20000, 768, 16),
    ],
)
def test_as_far_as_no_wave_is_lost(lds: int, threads: int, most: int) -> None:
    assert promoted_bytes(GFX9_LOCAL, lds, threads, dynamic=False) // 8 * 8 == most


@pytest.mark.parametrize(
    ("lds", "threads", "most"),
    [
        (0, 1024, 64),
        (512, 1024, 56),
        (16384, 1024, 48),
        (40000, 1024, 24),
        (6144, 768, 72),
        (6144, 256, 40),
        (6144, 192, 32),
        (20000, 256, 0),
        (20000, 64, 24),
        (0, 32, 64),
    ],
)
def test_two_cus_of_wave32_give_twice_as_much(lds: int, threads: int, most: int) -> None:
    """gfx1100; gfx1030 and gfx1201 give the same to blocks of any size."""
    assert promoted_bytes(RDNA_LOCAL, lds, threads, dynamic=False) // 8 * 8 == most


def test_lds_that_the_launch_sizes_leaves_nothing() -> None:
    assert promoted_bytes(GFX9_LOCAL, 0, 1024, dynamic=True) == 0


TILE = (
    "float t[2][4]; for (int i = 0; i < 8; i++) t[i / 4][i % 4] = a[i]; t[n & 1][n & 3] += 1; a[n] = t[n >> 4][n & 3];"
)


@pytest.mark.parametrize(
    ("before", "scratch"),
    [
        ("", 0),
        ("__shared__ float s[1536]; s[tid] = a[n]; __syncthreads(); a[0] = s[n];", 48),
        ("float u[2][4]; u[n & 1][n & 3] = 1; a[1] = u[n >> 5][n & 1];", 48),  # the first takes the room
    ],
)
def test_small_tile_beside_lds_of_the_kernel(before: str, scratch: int) -> None:
    facts = facts_of(kernel_text(before + TILE, "float *a, int n"))
    assert facts.target("gfx90a").registers.scratch_bytes == scratch


@pytest.mark.parametrize(("target", "scratch"), [("gfx90a", 56), ("gfx942", 56), ("gfx1100", 0), ("gfx1201", 0)])
def test_struct_of_doubles_at_a_run_time_index(target: str, scratch: int) -> None:
    before = "struct Big { double v[6]; };"
    body = "Big s; for (int i = 0; i < 6; i++) s.v[i] = a[i]; s.v[n] = 0; a[n] = s.v[1] + s.v[4];"
    text = before + kernel_text(body, "double *a, int n")
    assert facts_of(text).target(target).registers.scratch_bytes == scratch


VECTORS = "uchar4 c[4]; for (int i = 0; i < 4; i++) c[i] = make_uchar4(a[i], i, n, 1); a[n] = c[n & 3].x;"
PAIR = (
    "float u[2][4]; for (int i = 0; i < 8; i++) u[i / 4][i % 4] = a[i + 8];"
    "u[n & 1][n >> 7 & 3] *= 2; a[1] = u[n >> 5][n & 1];"
)
SHARED = "__shared__ float s[1000]; s[threadIdx.x] = a[n]; __syncthreads(); a[2] = s[n];"
BOUND = "__launch_bounds__(256)"


@pytest.mark.parametrize(
    ("body", "before", "taken"),
    [
        (VECTORS, "", 16384),
        (TILE, "", 32768),
        (TILE, BOUND, 8192),
        (PAIR + TILE, "", 32768),  # the second has no room
        (SHARED + VECTORS, "", 20384),
        ("float v[8]; for (int i = 0; i < 8; i++) v[i] = a[i]; a[n] = v[n & 7];", "", 0),  # a vector register
    ],
)
def test_lds_of_a_block_includes_its_private_arrays(body: str, before: str, taken: int) -> None:
    """Clang sets LDS aside for as many threads as a block may have: 1,024 without launch bounds, not the 256 here."""
    text = kernel_text(body, "float *a, int n").replace("void k", f"{before} void k")
    target = facts_of(text).target("gfx90a")
    assert target.lds_at_least == taken
    assert target.use(32).lds_bytes == taken
    assert target.launched(32, 64, 512).lds_bytes == 512 + target.arrays_in_lds
    assert facts_of(text).target("sm_90").arrays_in_lds == 0
