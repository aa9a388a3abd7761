"""Clusters of blocks, NVIDIA from compute capability 9.0 on: how many of them a GPU holds at once.

The blocks of a cluster run together inside one GPC, so SMs that are left over there stay empty. Which SMs of a GPC work
differs from chip to chip, and `cudaOccupancyMaxActiveClusters` knows the chip at hand. The numbers here are one H200's:
its answers for 195 combinations of block size, shared memory and cluster size are these without exception (CUDA 13.0,
`testdata/occupancy/clusters.csv`).
"""

from __future__ import annotations

# SMs that share a GPC, on that chip: 132 in all. The last four hold a cluster of two at most.
H200 = (18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2)
MOST_BLOCKS_PER_SM = 8  # of kernels that are launched in clusters
PORTABLE = 8  # blocks; more only with cudaFuncAttributeNonPortableClusterSizeAllowed
MOST = 16


def active_clusters(parts: tuple[int, ...], blocks_per_sm: int, size: int) -> int:
    """Clusters of `size` blocks that are resident at once on SMs in these parts."""
    each = min(blocks_per_sm, MOST_BLOCKS_PER_SM)
    return sum(sms * each // size for sms in parts if sms >= size)


def share_of_sms(parts: tuple[int, ...], blocks_per_sm: int, size: int) -> float:
    """Block slots that clusters fill, as a share of those that blocks without clusters fill."""
    return active_clusters(parts, blocks_per_sm, size) * size / (sum(parts) * blocks_per_sm)
