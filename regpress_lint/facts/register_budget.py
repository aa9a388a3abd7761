"""Registers that a thread may have: launch bounds, attributes and the options of the compile command together.

As clang 19.1.7 and nvcc 13.0.88 were seen to decide (`tests/test_register_budget.py` asks them again).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.targets.builtins import AMD_DEFAULT_THREADS
from regpress_lint.targets.codegen import ESTIMATED_BLOCK
from regpress_lint.targets.gpu import gpu
from regpress_lint.targets.occupancy import grf_budget, register_cap

if TYPE_CHECKING:
    from regpress_lint.core.settings import RegisterOptions
    from regpress_lint.program.model import Kernel
    from regpress_lint.targets.occupancy import Architecture

_LEAST = {"sm_90": 24}  # ptxas: "adjusting per thread register count to lower bound"
_LEAST_ELSEWHERE = 16
_GRF = 128


def register_budget(arch: Architecture, kernel: Kernel, options: RegisterOptions, wave: int | None, grf: int) -> int:
    """Registers a thread of the kernel may have on an architecture, in waves of that size (None: its usual one).

    grf: those of a hardware thread of an Intel GPU.
    """
    bounds, limits = kernel.launch_bounds, kernel.register_limits
    threads = _positive(bounds.max_threads) if bounds is not None else None
    blocks = _positive(bounds.min_blocks) if bounds is not None else None
    if arch.grf_modes:
        return grf_budget(arch, wave, grf)
    unread = bounds is not None and threads is None and bool(bounds.texts)
    if gpu(arch.name).is_nvidia:
        # Of `(INX * INX, 2)` with an INX that only the build knows nobody can say what it leaves.
        cap = register_cap(arch, threads, None if unread else blocks, wave)
        if limits is not None and limits.max_registers:
            asked: int | None = limits.max_registers
        else:  # the option is for kernels without bounds of their own
            asked = options.max_registers if bounds is None else None
        return cap if asked is None else min(cap, max(asked, _LEAST.get(arch.name, _LEAST_ELSEWHERE)))
    waves = blocks
    if limits is not None:
        waves = waves or limits.waves
        threads = threads or limits.max_threads
    if unread:
        threads = threads or ESTIMATED_BLOCK
    if kernel.language == "opencl":
        threads = threads or AMD_DEFAULT_THREADS
    cap = register_cap(arch, threads or options.max_threads, waves, wave)
    if limits is None or not limits.vgprs:
        return cap
    # Where AGPRs are in the same file, as many of them come with the VGPRs that are asked for.
    return min(cap, limits.vgprs * (2 if arch.acc_regs == "unified" else 1))


def grf_modes(arch: Architecture, kernel: Kernel, options: RegisterOptions) -> tuple[int, ...]:
    """GRF registers of a hardware thread: the kernel's setting, else the command's, else 128. Where either leaves it
    to IGC there are several: it takes the first with which nothing is spilled.
    """
    wanted = kernel.grf_mode if kernel.grf_mode is not None else options.grf
    modes = sorted(mode.registers for mode in arch.grf_modes)
    if wanted == 0 and modes:
        return tuple(modes)
    return (wanted if wanted in modes else _GRF,)


def _positive(value: int | None) -> int | None:
    return value if value and value > 0 else None
