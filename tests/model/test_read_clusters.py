"""Reads of one array side by side with their addresses, and addresses that fill the time of a read: clang 19.1.7 for
gfx90a with room for 256 threads per block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of, trace_of

from regpress_lint.core.settings import Settings

if TYPE_CHECKING:
    from regpress_lint.model.passes.read_clusters import Clusters

START = "int t = blockIdx.x * blockDim.x + threadIdx.x; "


def kernel(parameters: str, body: str) -> str:
    return f"__global__ void k({parameters}) {{ {START}{body} }}"


def rows(times: int) -> str:
    terms = " + ".join(f"p[t + {k} * n]" for k in range(times))
    return kernel("const float* __restrict__ p, float* __restrict__ r, int n", f"r[t] = {terms};")


def masks(times: int) -> str:
    terms = " + ".join(f"p[(x >> {k}) & 15]" for k in range(times))
    parameters = "const unsigned* __restrict__ d, const float* __restrict__ p, float* __restrict__ r"
    return kernel(parameters, f"unsigned x = d[threadIdx.x]; r[threadIdx.x] = {terms};")


def arrays(times: int) -> str:
    parameters = "".join(f"const float* __restrict__ p{k}, " for k in range(times))
    return kernel(f"{parameters}float* __restrict__ r", "r[t] = " + " + ".join(f"p{k}[t]" for k in range(times)) + ";")


def clusters(text: str, gpu: str = "gfx90a") -> Clusters | None:
    return trace_of(facts_of(text, "hip", Settings(architectures=(gpu,))), gpu).clusters


def registers(text: str) -> int:
    return facts_of(text, "hip").target("gfx90a").registers.estimate


@pytest.mark.parametrize(
    ("text", "compiled"),
    [
        (rows(2), 8),
        (rows(4), 14),
        (rows(6), 20),
        (rows(8), 26),
        (masks(2), 5),
        (masks(4), 9),
        (masks(6), 13),
        (masks(8), 17),
    ],
)
def test_results_share_no_register_with_addresses(text: str, compiled: int) -> None:
    found = clusters(text)
    assert found is not None
    assert found.held == compiled
    assert registers(text) == pytest.approx(compiled, rel=0.15)


@pytest.mark.parametrize(("text", "compiled"), [(rows(12), 29), (rows(16), 34), (masks(12), 20), (masks(16), 25)])
def test_clusters_have_at_most_eight_words(text: str, compiled: int) -> None:
    found = clusters(text)
    assert found is not None
    assert found.held <= compiled
    assert found.ahead == pytest.approx(compiled, rel=0.1)


def test_different_arrays_form_no_cluster() -> None:
    """11 VGPRs for eight arrays: each address is made behind the read before it."""
    found = clusters(arrays(8))
    assert found is not None
    assert found.held < 8


def test_dependent_reads_form_no_cluster() -> None:
    text = kernel("const int* __restrict__ p, int* __restrict__ r", "r[t] = p[p[p[p[t]]]];")
    found = clusters(text)
    assert found is not None
    assert found.held < 4


def test_gfx1100_has_no_clusters() -> None:
    assert clusters(rows(8), "gfx1100") is None


def written(times: int, value: str, *, source: str = "float s = in[t];") -> str:
    stores = " ".join(f"out[t + {k} * n] = {value.format(k + 2)};" for k in range(times))
    return kernel("float* out, const float* in, int n", f"{source} {stores}")


@pytest.mark.parametrize(
    ("times", "value", "compiled"),
    [(4, "s", 11), (8, "s", 19), (16, "s", 22), (24, "s", 23), (8, "s * {}", 28), (16, "s * {}", 29)],
)
def test_write_addresses_fill_read_latency(times: int, value: str, compiled: int) -> None:
    assert registers(written(times, value)) == pytest.approx(compiled, rel=0.25)


@pytest.mark.parametrize("times", [4, 8, 16, 24])
def test_writes_without_global_reads_hold_one_address(times: int) -> None:
    """Six VGPRs of LDS for any number of writes."""
    lds = "__shared__ float q[256]; q[threadIdx.x] = t; __syncthreads(); float s = q[(threadIdx.x + 9) & 255];"
    band = facts_of(written(times, "s", source=lds), "hip").target("gfx90a").registers
    assert band.low <= 6 <= band.high


def test_writes_behind_barrier_wait_for_read() -> None:
    """23 VGPRs of clang for twelve: the writes wait for the barrier, and that for the read in front of it."""
    lds = "__shared__ float q[256]; q[threadIdx.x] = in[t]; __syncthreads(); float s = q[(threadIdx.x + 9) & 255];"
    text = written(12, "0", source=lds).replace(" }", " out[t] = s * s; }")
    assert registers(text) == pytest.approx(23, rel=0.25)


def test_later_reads_shorten_the_wait() -> None:
    """26 VGPRs: eight reads with their addresses, and no address of a write beside them."""
    body = " ".join(f"out[t + {k} * n] = in[t + {k} * n];" for k in range(8))
    text = kernel("float* __restrict__ out, const float* __restrict__ in, int n", body)
    assert registers(text) == pytest.approx(26, rel=0.15)
