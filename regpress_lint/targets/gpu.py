"""A target as findings see it: its vendor, and the vendor's terms."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.occupancy import architecture
from regpress_lint.targets.vocabulary import WORDS

if TYPE_CHECKING:
    from regpress_lint.targets.occupancy import Vendor


class Gpu(NamedTuple):
    """An architecture as rules see it; `gpu(name)` makes one."""

    name: str
    vendor: Vendor

    @property
    def is_amd(self) -> bool:
        """True for AMD: clang compiles for it, and its registers are VGPRs and SGPRs."""
        return self.vendor == "amd"

    @property
    def is_nvidia(self) -> bool:
        """True for NVIDIA: nvcc compiles for it."""
        return self.vendor == "nvidia"

    @property
    def is_intel(self) -> bool:
        """True for Intel, whose threads have a fixed number of registers: there are no steps of occupancy."""
        return self.vendor == "intel"

    @property
    def is_gfx9(self) -> bool:
        """GCN and CDNA: 64-bit constants need VGPRs there, and gfx90a's numbers are the nearest that were measured."""
        return self.name.startswith("gfx9")

    @property
    def private_memory(self) -> str:
        """The vendor's term for the memory of private arrays."""
        return WORDS[self.vendor].memory

    @property
    def unit(self) -> str:
        """The vendor's term for the unit that runs a work-group, with its article."""
        return WORDS[self.vendor].a_unit

    @property
    def compiler(self) -> str:
        """The compiler that the vendor ships."""
        return WORDS[self.vendor].compiler

    @property
    def has_fast_fp64(self) -> bool:
        """Whether FP64 has half of the rate of FP32 or more, as on data-centre GPUs; others have 1/16 to 1/64 of it,
        or emulate it (arithmetic throughput in the vendors' programming guides and ISA documents).
        """
        return architecture(self.name).fast_fp64


@cache
def gpu(name: str) -> Gpu:
    """The target of that name. Raises UnknownArchitectureError for a name that is none."""
    return Gpu(name, architecture(name).vendor)
