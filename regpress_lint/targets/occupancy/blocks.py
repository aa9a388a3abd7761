"""The waste of a block size: lanes of the last wave, and wave slots that a neighbouring block size would fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

from .calculator import occupancy
from .quantities import Architecture, KernelUse, waves_of

if TYPE_CHECKING:
    from collections.abc import Iterator

# A neighbour is at most this many times larger or smaller: 1,024 to 256 is one edit, 1,024 to 64 is another kernel.
REACH = 4
_CLOSE = 2
_USUAL = 256


class IdleLanes(NamedTuple):
    """Lanes of a work-group's waves that have no thread: `idle` of the `lanes` of all its waves."""

    idle: int
    lanes: int
    wave_size: int

    @property
    def share(self) -> float:
        """Idle lanes over all lanes, 0 to 1 (exclusive)."""
        return self.idle / self.lanes

    @property
    def cost(self) -> float:
        """How much more work per wave full waves would do, as a fraction: 0.25 for 20 % of idle lanes."""
        return self.idle / (self.lanes - self.idle)


class BetterBlock(NamedTuple):
    """A block size with which more waves are resident. `gain` is the fraction that it adds to `waves_now`; `usual`
    says that it is a power of two.
    """

    block_size: int
    waves: int
    waves_now: int

    @property
    def gain(self) -> float:
        """Waves added over today's, as a fraction: 0.5 for 48 in place of 32."""
        return self.waves / self.waves_now - 1

    @property
    def usual(self) -> bool:
        """True for a power of two, as indices and grids are written for."""
        return self.block_size & (self.block_size - 1) == 0


def idle_lanes(block_size: int, wave_size: int) -> IdleLanes:
    """Lanes that `block_size` threads leave empty: a wave always has all its lanes.

    Raises ValueError for a size below 1.
    """
    if block_size < 1 or wave_size < 1:
        raise ValueError(f"block size {block_size} and wave size {wave_size} must be at least 1")
    lanes = waves_of(block_size, wave_size) * wave_size
    return IdleLanes(lanes - block_size, lanes, wave_size)


def with_block(use: KernelUse, block_size: int) -> KernelUse:
    """The same kernel in blocks of another size, with the larger of the two LDS sizes that it may then have.

    LDS per block either stays as it is (a table that all threads share) or grows and shrinks with the block (an
    element per thread). The source rarely tells, so the larger one counts: a gain holds in both cases.
    """
    grown = -(-use.lds_bytes * block_size // use.block_size)
    return use._replace(block_size=block_size, lds_bytes=max(use.lds_bytes, grown))


def better_block(arch: Architecture, use: KernelUse, gain: float) -> BetterBlock | None:
    """The neighbouring block size with the most resident waves, if it gains at least `gain` (0.25: a quarter) on
    today's; None if none does, or if the launch cannot work.

    Neighbours are the multiples of the wave from a quarter to four times the size, within the architecture's limit.
    Registers per thread stay as they are, LDS as in `with_block`. A power of two comes first, because indices and
    grids are written for one; of equals the one that changes least (by a factor of two at most, then by more), and
    of these the one nearest to 256, which was among the fastest sizes of every kernel that was timed.
    """
    return usual_block(arch, use, gain) or _best(arch, use, gain, powers=False)


def usual_block(arch: Architecture, use: KernelUse, gain: float) -> BetterBlock | None:
    """`better_block` among the powers of two alone: a sixth of the sizes."""
    return _best(arch, use, gain, powers=True)


def _best(arch: Architecture, use: KernelUse, gain: float, *, powers: bool) -> BetterBlock | None:
    current = occupancy(arch, use)
    now = current.waves
    least = max(now * (1 + gain), now + 1)
    if now == 0 or least > current.max_waves:
        return None
    best: BetterBlock | None = None
    for block in _neighbours(arch, use, powers):
        waves = occupancy(arch, with_block(use, block)).waves
        if waves >= least and (best is None or waves > best.waves):
            best = BetterBlock(block, waves, now)
    return best


def _neighbours(arch: Architecture, use: KernelUse, powers: bool) -> Iterator[int]:
    """Multiples of the wave within reach, best first; those that are powers of two, or the others."""
    wave, block = arch.wave_size(use.wave_size), use.block_size
    last = min(block * REACH, arch.max_threads_per_group)
    sizes = (
        size
        for size in range(wave, last + 1, wave)
        if size != block and size * REACH >= block and (size & (size - 1) == 0) is powers
    )
    return iter(sorted(sizes, key=lambda size: (_ratio(size, block) > _CLOSE, _ratio(size, _USUAL))))


def _ratio(size: int, other: int) -> float:
    return max(size / other, other / size)
