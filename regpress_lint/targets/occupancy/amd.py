"""AMD: whole work-groups on a CU or WGP, the compiler's remark, the HIP run time's answer, and the compiler's
register cap.

Formulas: LLVM ``AMDGPUBaseInfo.cpp`` (IsaInfo), ``GCNSubtarget::computeOccupancy``; ROCm clr
``hipOccupancyMaxActiveBlocksPerMultiprocessor``; residency as in Mesa ACO ``max_suitable_waves``.
"""

from __future__ import annotations

from .quantities import Architecture, KernelUse, align_up, waves_of

# Without launch bounds clang assumes the largest work-group (attribute amdgpu-flat-work-group-size "1,1024").
DEFAULT_MAX_THREADS = 1024


def total_registers(arch: Architecture, use: KernelUse) -> int:
    """Vector registers per lane that a wave takes from the file, accumulation registers included."""
    if arch.acc_regs == "none" or use.agprs == 0:
        return use.vgprs
    if arch.acc_regs == "separate":
        return max(use.vgprs, use.agprs)
    return align_up(use.vgprs, 4) + use.agprs


def group_limits(arch: Architecture, use: KernelUse) -> dict[str, int | None]:
    """Work-groups that each limit admits on one unit, None for a limit that does not apply."""
    size = arch.wave_size(use.wave_size)
    mode = arch.mode(use.mode)
    waves = waves_of(use.block_size, size)
    total = total_registers(arch, use)
    registers = sgprs = lds = None
    slots = 0 if use.block_size > arch.max_threads_per_group else arch.max_waves_per_simd * mode.simds // waves
    if total > arch.max_regs_per_thread:
        registers = 0
    elif total:
        # Every SIMD holds whole waves, so the floor comes before the SIMDs are added up.
        registers = arch.regs_per_simd[size] // align_up(total, arch.reg_granule[size]) * mode.simds // waves
    if use.sgprs > arch.max_sgprs:
        sgprs = 0
    elif use.sgprs and arch.sgprs_per_simd:
        sgprs = arch.sgprs_per_simd // align_up(use.sgprs, arch.sgpr_granule) * mode.simds // waves
    if use.lds_bytes > arch.lds_max_per_group:
        lds = 0
    elif use.lds_bytes:
        lds = mode.lds_bytes // align_up(use.lds_bytes, arch.lds_granule)
    # A group of one wave needs no barrier.
    barriers = mode.barrier_slots if waves > 1 else None
    return {"waves": slots, "registers": registers, "sgprs": sgprs, "lds": lds, "barriers": barriers}


def compiler_waves_per_simd(arch: Architecture, use: KernelUse) -> int:
    """``Occupancy [waves/SIMD]`` of clang's kernel-resource-usage remark (LLVM 16 to 19), bit for bit.

    ``use.block_size`` is the largest work-group that the compiler assumes (1,024 without launch bounds), not the
    launch's.
    """
    size = arch.wave_size(use.wave_size)
    mode = arch.mode(use.mode)
    most = arch.max_waves_per_simd
    return min(
        most,
        _compiler_register_waves(arch, total_registers(arch, use), size),
        _compiler_sgpr_waves(arch, use.sgprs),
        _compiler_lds_waves(use, most, mode.simds, mode.compiler_lds_bytes, mode.barrier_slots, size),
    )


def _compiler_register_waves(arch: Architecture, total: int, wave_size: int) -> int:
    granule = arch.reg_granule[wave_size]
    if total < granule:
        return arch.max_waves_per_simd
    return max(1, arch.regs_per_simd[wave_size] // align_up(total, granule))


def _compiler_sgpr_waves(arch: Architecture, sgprs: int) -> int:
    if not arch.sgpr_table:
        return arch.max_waves_per_simd
    # LLVM's table is finer than the allocation granule; its last row holds for anything larger.
    return next((waves for most, waves in arch.sgpr_table if sgprs <= most), arch.sgpr_table[-1][1])


def _compiler_lds_waves(use: KernelUse, most: int, simds: int, lds: int, barriers: int | None, wave_size: int) -> int:
    if use.lds_bytes > lds:
        return 1
    waves = waves_of(use.block_size, wave_size)
    groups = most * simds // waves
    if waves > 1 and barriers is not None:
        groups = min(groups, barriers)
    # No rounding to the LDS granule: LLVM has none (a FIXME in its source).
    groups = min(groups, lds // max(use.lds_bytes, 1))
    return max(1, -(-groups * waves // simds))  # a block too large to be resident prints 1, as LDS too large does


def runtime_groups(arch: Architecture, use: KernelUse) -> int:
    """The result of ``hipOccupancyMaxActiveBlocksPerMultiprocessor``.

    It differs from residency: 32 waves per CU up to gfx9 and 16 per SIMD on RDNA, no LDS granule, 64 KiB of LDS even
    in WGP mode, no barrier limit.
    """
    if use.block_size > arch.max_threads_per_group:
        return 0
    size = arch.wave_size(use.wave_size)
    per_simd = arch.runtime_max_waves_per_simd or arch.max_waves_per_simd
    if total := total_registers(arch, use):
        per_simd = min(per_simd, arch.regs_per_simd[size] // align_up(total, arch.reg_granule[size]))
    if use.sgprs and arch.sgprs_per_simd:
        per_simd = min(per_simd, arch.sgprs_per_simd // align_up(use.sgprs, arch.runtime_sgpr_granule))
    groups = per_simd * arch.mode(use.mode).simds // waves_of(use.block_size, size)
    return min(groups, arch.lds_max_per_group // use.lds_bytes) if use.lds_bytes else groups


def register_cap(arch: Architecture, max_threads: int | None, min_waves: int | None, wave_size: int) -> int:
    """Vector registers per thread that clang lets a kernel have under ``__launch_bounds__(max_threads, min_waves)``.

    The second argument is waves per SIMD; above the maximum clang drops the request. Below what the work-group needs
    to be resident at all it changes nothing. gfx10 and later are compiled for WGP mode unless ``-mcumode`` says
    otherwise.
    """
    simds = arch.modes[-1].simds
    threads = min(max_threads or DEFAULT_MAX_THREADS, arch.max_threads_per_group)
    waves = waves_of(waves_of(threads, wave_size), simds)
    if min_waves is not None and min_waves <= arch.max_waves_per_simd:
        waves = max(waves, min_waves)
    granule = arch.reg_granule[wave_size]
    return min(arch.max_regs_per_thread, arch.regs_per_simd[wave_size] // waves // granule * granule)
