"""Which module has the arithmetic for an architecture: the one place where occupancy asks whose GPU it is."""

from __future__ import annotations

from functools import cache

from regpress_lint.core.named import Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .quantities import Architecture, KernelUse, Vendor


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
