"""NVIDIA: blocks on an SM as ``cuda_occupancy.h`` (CUDA 13.0) counts them, and ptxas' register cap."""

from __future__ import annotations

from .quantities import Architecture, KernelUse, align_up, waves_of

WAVE = 32
_REGISTER_UNIT = 8  # registers of a thread: 256 of a warp

# NVIDIA's words for the limits, in the order in which ties are listed.
TERMS = {"waves": "warps", "registers": "registers", "lds": "shared_memory", "groups": "blocks", "barriers": "barriers"}


def group_limits(arch: Architecture, use: KernelUse) -> dict[str, int | None]:
    """Blocks that each limit admits on one SM, None for a limit that does not apply."""
    unit = arch.modes[0]
    warps = waves_of(use.block_size, arch.wave_size(use.wave_size))
    fits = use.block_size <= arch.max_threads_per_group
    barriers = None
    if arch.counts_barriers and unit.barrier_slots is not None and use.barriers:
        barriers = unit.barrier_slots // use.barriers
    return {
        "waves": arch.max_waves_per_simd * unit.simds // warps if fits else 0,
        "registers": _register_blocks(arch, use.vgprs, warps),
        "lds": _shared_memory_blocks(arch, use),
        "groups": arch.max_groups_per_unit,
        "barriers": barriers,
    }


def _register_blocks(arch: Architecture, registers: int, warps: int) -> int | None:
    if registers == 0:
        return None
    if registers > arch.launch_max_regs:
        return 0
    per_warp = align_up(registers * WAVE, arch.reg_granule[WAVE])
    # The launch check assumes that all partitions are used alike: nine warps are checked as twelve.
    if arch.regs_per_group is not None and per_warp * align_up(warps, arch.launch_check_simds) > arch.regs_per_group:
        return 0
    return arch.regs_per_simd[WAVE] // per_warp * arch.modes[0].simds // warps


def _shared_memory_blocks(arch: Architecture, use: KernelUse) -> int | None:
    wanted = use.lds_bytes + arch.lds_reserved_per_group
    allocated = align_up(wanted, arch.lds_granule)
    static = arch.lds_static_max or arch.lds_max_per_group
    limit = (arch.lds_max_per_group if wanted > static else static) + arch.lds_reserved_per_group
    if allocated > limit:
        return 0
    if allocated == 0:
        return None
    return max(_preferred(arch, use.carveout), _carveout(arch, allocated)) // allocated


def _preferred(arch: Architecture, percent: int) -> int:
    """Shared memory of the SM under the preferred carve-out; the driver's default is all of it."""
    total = arch.modes[0].lds_bytes
    return total if percent < 0 else _carveout(arch, total * percent // 100)


def _carveout(arch: Architecture, size: int) -> int:
    """The smallest split that holds ``size``; all of it where the split is fixed (before Volta)."""
    return next((split for split in arch.lds_carveouts if split >= size), arch.modes[0].lds_bytes)


def runtime_groups(arch: Architecture, use: KernelUse) -> int:
    """The result of ``cudaOccupancyMaxActiveBlocksPerMultiprocessor``: it is the same arithmetic."""
    return min(limit for limit in group_limits(arch, use).values() if limit is not None)


def register_cap(arch: Architecture, max_threads: int | None, min_blocks: int | None, wave_size: int) -> int:
    """Registers per thread that ptxas allows under ``__launch_bounds__(max_threads, min_blocks)``.

    255 without bounds, else what is left when the warps of all blocks, rounded up to the four partitions, share the
    SM's registers (measured with ptxas 13.0, sm_90: 257 threads give 168). A second argument that requires more threads
    or blocks than the SM holds is ignored, with ptxas' warning.
    """
    if max_threads is None and min_blocks is None:
        return arch.max_regs_per_thread
    unit = arch.modes[0]
    warps = waves_of(min(max_threads or arch.max_threads_per_group, arch.max_threads_per_group), wave_size)
    blocks = min_blocks or 1
    in_range = warps * blocks <= arch.max_waves_per_simd * unit.simds and blocks <= (arch.max_groups_per_unit or blocks)
    wanted = align_up(warps * (blocks if in_range else 1), arch.launch_check_simds)
    registers = arch.regs_per_simd[WAVE] * unit.simds // (wanted * WAVE)
    return min(arch.max_regs_per_thread, registers // _REGISTER_UNIT * _REGISTER_UNIT)


# Clusters of blocks, from compute capability 9.0 on: how many of them a GPU holds at once.
#
# The blocks of a cluster run together inside one GPC, so SMs that are left over there stay empty. Which SMs of a GPC
# work differs from chip to chip, and `cudaOccupancyMaxActiveClusters` knows the chip at hand. The numbers here are one
# H200's: its answers for 195 combinations of block size, shared memory and cluster size are these without exception
# (CUDA 13.0, `testdata/occupancy/clusters.csv`).


# SMs that share a GPC, on that chip: 132 in all. The last four hold a cluster of two at most.
H200 = (18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2)
MOST_BLOCKS_PER_SM = 8  # of kernels that are launched in clusters
PORTABLE_CLUSTER = 8  # blocks; more only with cudaFuncAttributeNonPortableClusterSizeAllowed
MOST_IN_CLUSTER = 16


def active_clusters(parts: tuple[int, ...], blocks_per_sm: int, size: int) -> int:
    """Clusters of `size` blocks that are resident at once on SMs in these parts."""
    blocks = min(blocks_per_sm, MOST_BLOCKS_PER_SM)
    return sum(sms * blocks // size for sms in parts if sms >= size)


def share_of_sms(parts: tuple[int, ...], blocks_per_sm: int, size: int) -> float:
    """Block slots that clusters fill, as a share of those that blocks without clusters fill."""
    return active_clusters(parts, blocks_per_sm, size) * size / (sum(parts) * blocks_per_sm)
