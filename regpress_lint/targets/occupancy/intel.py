"""Intel: work-groups on an Xe-core as the Intel GPU Occupancy Calculator counts them, and the register budget of a
work-item.

Registers are a mode, not a count: a kernel that needs more than its budget spills, it does not lose waves.
"""

from __future__ import annotations

from .quantities import Architecture, GrfMode, KernelUse, waves_of

_DWORD = 4


def grf_mode(arch: Architecture, registers: int) -> GrfMode | None:
    """The mode of so many GRF registers a hardware thread, None where the architecture lacks it."""
    return next((mode for mode in arch.grf_modes if mode.registers == registers), None)


def grf_budget(arch: Architecture, sub_group_size: int | None = None, grf: int = 128) -> int:
    """Registers of a work-item in dwords (GRF bytes / 4): what the sub-group's lanes share of a hardware thread's GRF.

    Raises ValueError for an architecture of another vendor, a sub-group size or a GRF mode that it does not have.
    """
    if not arch.grf_modes:
        raise ValueError(f"{arch.name} has no GRF modes")
    mode = grf_mode(arch, grf)
    if mode is None:
        raise ValueError(f"{arch.name} has no {grf}-register mode")
    return mode.registers * mode.bytes_per_register // _DWORD // arch.wave_size(sub_group_size)


def register_cap(arch: Architecture, _max_threads: int | None, _min_groups: int | None, wave_size: int) -> int:
    """The budget of a work-item in the small GRF mode: no bounds of a launch change it."""
    return grf_budget(arch, wave_size)


def group_limits(arch: Architecture, use: KernelUse) -> dict[str, int | None]:
    """Work-groups that each limit admits on one Xe-core, None for a limit that does not apply.

    A work-group that uses barriers is limited by their registers, any other by the work-group slots.
    """
    return {
        "waves": _thread_groups(arch, use),
        "lds": _slm_groups(arch, use.lds_bytes),
        "groups": None if use.barriers else arch.max_groups_per_unit,
        "barriers": arch.modes[0].barrier_slots if use.barriers else None,
    }


def runtime_groups(arch: Architecture, use: KernelUse) -> int:
    """Work-groups per Xe-core that compute-runtime lets a cooperative launch have: it counts 32 barriers a core.

    No oracle table: from ``KernelHelper::getMaxWorkGroupCount``.
    """
    limits = [_thread_groups(arch, use), _slm_groups(arch, use.lds_bytes)]
    if use.barriers and arch.runtime_barrier_slots is not None:
        limits.append(arch.runtime_barrier_slots // use.barriers)
    return min(limit for limit in limits if limit is not None)


def _thread_groups(arch: Architecture, use: KernelUse) -> int:
    threads = waves_of(use.block_size, arch.wave_size(use.wave_size))
    mode = grf_mode(arch, use.grf)
    if mode is None or use.block_size > arch.max_threads_per_group:
        return 0
    return mode.waves_per_simd * arch.modes[0].simds // threads


def _slm_groups(arch: Architecture, size: int) -> int | None:
    if size == 0:
        return None
    allocated = next((step for step in arch.lds_sizes if step >= size), None)
    return arch.modes[0].lds_bytes // allocated if allocated is not None and size <= arch.lds_max_per_group else 0
