"""Advice as plain data: a change, its price, the estimate after it, and measurements of such changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.core.diagnostics import Edit
    from regpress_lint.core.uncertainty import Band

Kind = Literal[
    "fix",
    "launch-bounds",
    "restrict",
    "roll-loop",
    "unroll-loop",
    "split-loop",
    "split-option",
    "compute-later",
    "recompute",
    "array-to-lds",
    "block-histogram",
    "value-to-lds",
    "narrow-type",
    "register-mode",
    "sub-group",
]


class Change(NamedTuple):
    """A change of the source, or of the compiler's options, that can be tried.

    cost: its other costs than registers, in words. code: the rule whose evidence is about changes of this kind, empty
    where none is. grf: Intel's register mode for compiling the file, None for the current one. whole: the edits of the
    change that this is a part of, which is tried first.
    """

    kind: Kind
    title: str
    line: int
    edits: tuple[Edit, ...]
    cost: str
    code: str = ""
    grf: int | None = None
    whole: tuple[Edit, ...] = ()


class State(NamedTuple):
    """A kernel on an architecture, before or after a change. waves: per SIMD at the estimate; waves_low and waves_high
    at the ends of the band. memory_bytes: private memory of a thread, including bytes that are surely spilled beyond
    the budget.
    excess: registers of the estimate beyond the budget, spilled if the estimate is right.
    operations: those that are left of the kernel when loops are copied and constants folded, a measure of its code.
    arrays_in_memory: private arrays that have no registers. slow_paths: of library calls and divisions in
    loops, across which reads do not move. spread: registers between which a change leaves a kernel that may then read
    ahead. open_bytes: private memory that it may have beyond memory_bytes, for all that is known.
    """

    registers: Band
    budget: int
    memory_bytes: int
    waves: int | float
    waves_low: int | float
    waves_high: int | float
    lds_bytes: int
    operations: int
    excess: int = 0
    arrays_in_memory: int = 0
    slow_paths: int = 0
    spread: tuple[int, int] | None = None
    open_bytes: int = 0

    @property
    def memory(self) -> str:
        """Its private memory in bytes, in words: `0 or 32`."""
        return f"{self.memory_bytes}{f' or {self.memory_bytes + self.open_bytes}' if self.open_bytes else ''}"


# Of the budget: what the estimate has to be beyond it to give waves for that. LULESH's calcKinematicsForElems, 135 of
# 128, spills nothing and loses a wave of four with launch bounds. Of 32 kernels of testdata/golden that are beyond the
# 64 registers of pvc and have no array in memory, IGC spills one of five up to 70 and 24 of 27 above.
CLEARLY = 0.1
_FRAME = 8  # bytes: private memory comes in such units


def gains(before: State, after: State) -> bool:
    """True for a change that takes something out of memory, or all that the estimate has beyond the budget, or gives
    one more wave at the estimate and at an end of the band, and that brings nothing into memory.
    """
    if after.memory_bytes > before.memory_bytes or not after.waves:
        return False
    if memory_after(before, after) <= before.memory_bytes - _FRAME:
        return True
    if before.excess and not after.excess:
        if after.waves >= before.waves:
            return True
        return after.budget > before.budget and before.excess > before.budget * CLEARLY
    ends = after.waves_low > before.waves_low or after.waves_high > before.waves_high
    return after.waves > before.waves and ends


def memory_after(before: State, after: State) -> int:
    """Private memory after a change, with all that it may have then and did not before."""
    return after.memory_bytes + max(0, after.open_bytes - before.open_bytes)


def may_gain(before: State, after: State) -> bool:
    """Whether some point of the band gets a wave more, with no more private memory."""
    pairs = ((before.waves, after.waves), (before.waves_low, after.waves_low), (before.waves_high, after.waves_high))
    return after.memory_bytes <= before.memory_bytes and after.waves > 0 and any(new > old for old, new in pairs)


class Measured(NamedTuple):
    """Compilers' results for a rule's pairs on an architecture: how many there are and how many gained registers,
    memory or waves from the fix; and how many times as fast the fixed versions were, on which GPU.

    speed_up: the middle of those pairs that were timed and that gained something; None where none was timed.
    """

    code: str
    target: str
    pairs: int
    gained: int
    speed_up: float | None = None
    gpu: str = ""


class Step(NamedTuple):
    """One change of an advice, with its line, its price in words and measurements of such changes."""

    kind: Kind
    title: str
    line: int
    cost: str
    code: str
    evidence: Measured | None


class Advice(NamedTuple):
    """Changes that gain something when they are made together (most often one), the kernel before and after, and what
    was written for that.
    """

    steps: tuple[Step, ...]
    before: State
    after: State
    edits: tuple[Edit, ...] = ()

    @property
    def gained(self) -> tuple[int, int, int]:
        """Registers that become free, at the low end of the band, at the estimate and at the high end; the smallest
        first.
        """
        pairs = zip(self.before.registers, self.after.registers, strict=True)
        low, middle, high = (before - after for before, after in pairs)
        return min(low, middle, high), middle, max(low, middle, high)


class TargetAdvice(NamedTuple):
    """All advice for a kernel on an architecture. reason: why there is none, or none is needed; tried: how many
    changes were tried.
    """

    target: str
    now: State
    max_waves: int
    limiters: tuple[str, ...]
    next_registers: int | None
    advice: tuple[Advice, ...]
    reason: str = ""
    tried: int = 0


class KernelAdvice(NamedTuple):
    path: str
    line: int
    name: str
    targets: tuple[TargetAdvice, ...]
