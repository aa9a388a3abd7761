"""The three questions, for any vendor: what is resident, what the compiler prints, what the run-time API answers."""

from __future__ import annotations

from functools import cache, lru_cache

from regpress_lint.core.named import Protocol

from .quantities import Architecture, KernelUse, Occupancy, waves_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .quantities import Vendor


class Arithmetic(Protocol):
    """The interface of each vendor's module."""

    def group_limits(self, arch: Architecture, use: KernelUse, /) -> dict[str, int | None]:
        """Work-groups that each limit admits on one unit, None for a limit that does not apply."""

    def runtime_groups(self, arch: Architecture, use: KernelUse, /) -> int:
        """Work-groups per unit by the vendor's run-time API."""

    def register_cap(
        self, arch: Architecture, max_threads: int | None, min_blocks_or_waves: int | None, wave_size: int, /
    ) -> int:
        """Registers per thread that the vendor's compiler allows under launch bounds."""


@cache
def arithmetic(vendor: Vendor) -> Arithmetic:
    """A vendor's arithmetic, loaded when it is first asked for: few runs are for GPUs of more than one."""
    if vendor == "amd":
        from . import amd

        return amd
    if vendor == "nvidia":
        from . import nvidia

        return nvidia
    from . import intel

    return intel


def occupancy(arch: Architecture, use: KernelUse) -> Occupancy:
    """Whole work-groups resident on one unit (CU or WGP, SM, Xe-core).

    A launch that cannot work gives ``groups == 0`` and says why in ``impossible``. Raises ValueError for numbers that
    no kernel can have (negative, block size 0) and for a wave size or mode that the architecture lacks.
    """
    return _occupancy(arch, use)


@lru_cache(maxsize=1 << 10)  # rules try the same block sizes and registers for one kernel after the other
def _occupancy(arch: Architecture, use: KernelUse) -> Occupancy:
    _check(use)
    limits = arithmetic(arch.vendor).group_limits(arch, use)
    groups = min(limit for limit in limits.values() if limit is not None)
    simds = arch.mode(use.mode).simds
    return Occupancy(
        groups=groups,
        waves=groups * waves_of(use.block_size, arch.wave_size(use.wave_size)),
        simds=simds,
        max_waves=arch.max_waves_per_simd * simds,
        limiters=tuple(name for name, limit in limits.items() if limit == groups),
        per_limiter=limits,
        impossible=None if groups else _reason(arch, use, limits),
    )


def compiler_waves_per_simd(arch: Architecture, use: KernelUse) -> int:
    """Waves per SIMD as clang's resource-usage remark prints them, for comparing with compiler output.

    ``use.block_size`` must be the compiler's assumption (the launch bound, else 1,024). Raises ValueError for NVIDIA
    and Intel, whose compilers print no occupancy.
    """
    _check(use)
    if not arch.prints_occupancy:
        raise ValueError(f"the compiler for {arch.name} prints no occupancy")
    from . import amd

    return amd.compiler_waves_per_simd(arch, use)


def runtime_blocks(arch: Architecture, use: KernelUse) -> int:
    """Work-groups per unit by the run-time API: HIP's and CUDA's ``OccupancyMaxActiveBlocksPerMultiprocessor``.

    Intel: the limit of a cooperative launch in compute-runtime, per Xe-core. Raises ValueError as ``occupancy`` does.
    """
    _check(use)
    return arithmetic(arch.vendor).runtime_groups(arch, use)


def _check(use: KernelUse) -> None:
    if use.block_size < 1:
        raise ValueError(f"block_size is {use.block_size}, must be at least 1")
    if min(use.vgprs, use.agprs, use.sgprs, use.lds_bytes, use.barriers) < 0:
        for name in ("vgprs", "agprs", "sgprs", "lds_bytes", "barriers"):
            if getattr(use, name) < 0:
                raise ValueError(f"{name} is {getattr(use, name)}, must not be negative")
    if not -1 <= use.carveout <= 100:
        raise ValueError(f"carveout is {use.carveout}, must be a percentage or -1")


def _reason(arch: Architecture, use: KernelUse, limits: dict[str, int | None]) -> str:
    """Why not one work-group fits: the first limit that admits none, in the order in which a launch is checked."""
    if use.block_size > arch.max_threads_per_group:
        return f"{use.block_size} threads in a block: {arch.name} takes at most {arch.max_threads_per_group}"
    if arch.grf_modes and all(mode.registers != use.grf for mode in arch.grf_modes):
        return f"{arch.name} has no {use.grf}-register mode"
    if limits["lds"] == 0:
        return f"{use.lds_bytes} bytes of LDS in a block: {arch.name} gives at most {arch.lds_max_per_group}"
    if limits.get("sgprs") == 0:
        return f"{use.sgprs} SGPRs in a wave: {arch.name} has at most {arch.max_sgprs}"
    total, most = _registers(arch, use)
    if total > most:
        return f"{total} registers in a thread: {arch.name} has at most {most}"
    group = f"a block of {waves_of(use.block_size, arch.wave_size(use.wave_size))} waves"
    if limits.get("registers") == 0:
        return f"{group} with {total} registers per thread does not fit on {arch.name}"
    return f"{group} does not fit on {arch.name}"


def _registers(arch: Architecture, use: KernelUse) -> tuple[int, int]:
    """Registers of a thread, AMD's accumulation registers included, and the most that a thread can have: where they are
    a mode, any number, as the rest is spilled.
    """
    from .amd import total_registers

    total = total_registers(arch, use)
    return total, arch.max_regs_per_thread if arch.has_register_steps else total
