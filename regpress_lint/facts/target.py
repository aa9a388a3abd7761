"""A kernel's use and occupancy on one architecture, and the GPUs that its source can be compiled for."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.occupancy import KernelUse, Occupancy, Resource, Step, architecture, next_step, occupancy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from regpress_lint.facts.register_budget import Measured
    from regpress_lint.model.estimate.registers import RegisterEstimate
    from regpress_lint.program.gpu_words import Word
    from regpress_lint.program.model import Kernel
    from regpress_lint.targets.instructions import Need
    from regpress_lint.targets.occupancy import Architecture


# Which GPUs the source of a kernel can be compiled for, as far as it says so itself.


class Unserved(NamedTuple):
    """Why a kernel is not for a GPU: what its source requires, where, and which GPUs have that.

    since: the first architecture that meets all requirements; None if every one of the vendor has it.
    compiled: True where the GPU runs the kernel, and its registers are the author's own affair.
    """

    word: str
    path: str
    offset: int
    who: str
    since: str | None
    compiled: bool = False


def explicit_simd(kernel: Kernel, target: str) -> Unserved:
    """A kernel in ESIMD, whose vectors its author lays out in Intel's registers."""
    ours = architecture(target).vendor == "intel"
    who = "explicit SIMD: its registers are laid out by hand" if ours else "explicit SIMD for Intel's GPUs"
    return Unserved("ESIMD", kernel.path, kernel.name_span.start, who, None, compiled=ours)


def unserved(words: Iterable[Word], target: str) -> Unserved | None:
    """The rarest of a kernel's `words` that an architecture lacks; None if it has all."""
    binding = _binding(tuple(words))
    lacking = [word for word in binding if not word.asked.need.met_by(target)]
    if not lacking:
        return None
    worst = max(lacking, key=lambda word: (_rarity(word.asked.need), -word.offset))
    since = max((word.asked.need for word in binding), key=_rarity).first
    return Unserved(worst.asked.word, worst.path, worst.offset, worst.asked.need.words, since)


def _binding(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words that apply: a source that requires two vendors chooses in a way that is not seen here."""
    needs = [word.asked.need for word in words]
    if len({need.vendor for need in needs}) > 1:
        return ()
    if len({need.only for need in needs if need.only}) > 1:
        return tuple(word for word in words if not word.asked.need.only)
    return words


def _rarity(need: Need) -> tuple[bool, int]:
    return bool(need.only), need.since or 0


# A kernel's use and occupancy on one architecture.


class TargetFacts:
    """A kernel's use and occupancy on one architecture. Raises nothing: a launch that cannot work has 0 groups.

    budget: the most registers per thread under the launch bounds or their default. crowded: False for a kernel of which
    the source keeps so little alive that its estimate stays below 90 registers. occupancy: at the estimate, `best` at
    the band's low and `worst` at its high end, each within the budget; `without_registers` at one register. begins:
    what each thread is launched with where warp groups hand registers to one another; the budget is then that of the
    role that gets most.
    """

    def __init__(
        self,
        arch: Architecture,
        estimated: Callable[[], RegisterEstimate],
        crowded: Callable[[], bool],
        budget: int,
        block_size: int,
        lds: int,
        wave: int | None,
        grf: int = 128,
        measured: Callable[[], Measured | None] = lambda: None,
        begins: int | None = None,
        accumulators: Callable[[], int] | None = None,
        arrays_in_lds: Callable[[], int] | None = None,
    ) -> None:
        self.architecture = arch
        self._crowded = crowded
        self._estimated = estimated
        self._measured = measured
        self.budget = budget
        self.begins = begins
        self._accumulators = accumulators
        self._arrays_in_lds = arrays_in_lds
        # RDNA is compiled for its last mode, WGP, unless -mcumode says otherwise (the register budget counts so, too).
        self._use = KernelUse(lds_bytes=lds, block_size=block_size, wave_size=wave, grf=grf, mode=arch.modes[-1].name)

    @cached_property
    def crowded(self) -> bool:
        """See the class."""
        return self._crowded()

    @cached_property
    def arrays_in_lds(self) -> int:
        """Bytes of LDS that clang for AMD sets aside in a block for private arrays, whatever the size of a launch."""
        return self._arrays_in_lds() if self._arrays_in_lds is not None else 0

    @property
    def lds_at_least(self) -> int:
        """Bytes of LDS that a block certainly takes: the source's, and those for private arrays."""
        return self._use.lds_bytes + self.arrays_in_lds

    @cached_property
    def measured(self) -> Measured | None:
        """A compiler's allocation, if it was measured."""
        return self._measured()

    @cached_property
    def registers(self) -> RegisterEstimate:
        """The estimate, of a template the one of all its instantiations; it takes by far the most time of all facts.

        Where a compiler's numbers are at hand, these, as a band without width.
        """
        if self.measured is None:
            return self._estimated()
        needed = self.measured.spills or self.measured.scratch_bytes is None
        return self.measured.as_estimate(self._estimated() if needed else None, self.budget)

    def use(self, registers: int) -> KernelUse:
        """The kernel's use of the architecture with that many registers, the budget at most. The registers at launch
        decide if they differ from a thread's later ones.
        """
        if self.begins is not None and registers > 1:
            registers = self.begins
        if self._accumulators is not None and registers > 1 and (held := self._accumulators()):
            from regpress_lint.facts.register_budget import beside

            registers = beside(registers, held)  # the wave takes the larger of two files
        return self._use._replace(vgprs=max(1, min(registers, self.budget)), lds_bytes=self.lds_at_least)

    def launched(self, registers: int, block_size: int, lds: int) -> KernelUse:
        """`use` in a launch of blocks of another size with that LDS beside what private arrays take."""
        return self.use(registers)._replace(block_size=block_size, lds_bytes=lds + self.arrays_in_lds)

    @cached_property
    def occupancy(self) -> Occupancy:
        """Occupancy at the estimate."""
        return occupancy(self.architecture, self.use(self.registers.estimate))

    @cached_property
    def best(self) -> Occupancy:
        """Occupancy at the low end of the band."""
        return occupancy(self.architecture, self.use(self.registers.low))

    @cached_property
    def worst(self) -> Occupancy:
        """Occupancy at the high end of the band."""
        return occupancy(self.architecture, self.use(self.registers.high))

    @cached_property
    def without_registers(self) -> Occupancy:
        """Occupancy that LDS, block size and wave slots alone allow."""
        return occupancy(self.architecture, self.use(1))

    @cached_property
    def next(self) -> Step | None:
        """The next step on the resource that limits now; None at full occupancy or where no smaller use helps."""
        resources: dict[str, Resource] = {"registers": "registers", "lds": "lds_bytes"}
        limiters = self.occupancy.limiters
        wanted: Resource | None = next((resources[name] for name in limiters if name in resources), None)
        if len(limiters) != 1 or wanted is None or (wanted == "registers" and self.begins is not None):
            return None
        return _next_step(self.architecture.name, self.use(self.registers.estimate), wanted)


@lru_cache(maxsize=4096)
def _next_step(name: str, use: KernelUse, resource: Resource) -> Step | None:
    return next_step(architecture(name), use, resource)
