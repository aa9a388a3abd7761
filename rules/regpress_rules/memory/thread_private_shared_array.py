"""RP801 thread-private-shared-array."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity
from regpress_lint.targets.occupancy import occupancy
from regpress_rules._gates import small_grid
from regpress_rules._place import place
from regpress_rules._words import count, waves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.facts.target import TargetFacts
    from regpress_lint.source_level.own_slots import OwnSlots
    from regpress_lint.targets.occupancy import Occupancy

_MOST_ELEMENTS = 32  # per thread: larger ones were not measured (efficacy.md 11)


class _Verdict(NamedTuple):
    severity: Severity
    text: str


class ThreadPrivateSharedArray(Rule):
    """A shared array in which every thread uses only its own slots: data that registers could hold.

    ## What it does
    Reports a `__shared__` array of a kernel all of whose accesses go to slots of the accessing thread: one dimension
    (or the fast or slow part of a flat index) is the thread's own index, the rest are constants once the loops are
    unrolled, as in `s[k][threadIdx.x]`, `s[k * 256 + threadIdx.x]` or `s[threadIdx.x * 13 + k]`. A thread has at most
    32 elements of it. One access to another thread's slot, a cooperative loop that fills the array, an index known only
    at run time, or the array's name in a call ends the suspicion. Arrays of device functions and dynamic shared memory
    are not looked at, nor are SYCL's local accessors.

    It is a warning where LDS limits the occupancy of a known block size and where, by the estimate with the array's
    elements in registers, more waves fit without it; information where a part of the register estimate's band, an
    unknown block size or LDS that is not in view leaves it open; else a hint.

    ## Why it costs
    LDS is small: on gfx90a a compute unit has 64 KB of it and 512 KB of vector registers, on gfx1100 128 KB and 768 KB.
    Data that only its own thread reads gets nothing from being there, needs no barrier, and takes room that decides
    how many blocks are resident. On NVIDIA the two are about as large (227 KB and 256 KB), so that registers gain
    nothing there unless something else uses them.

    ## Targets
    | 12 floats of each of 256 threads | gfx90a (clang 19.1.7) | gfx1100 | sm_90 (nvcc 13.0.88) |
    |---|---|---|---|
    | LDS, 12 KB a block | 48 VGPRs, 5 waves | 130, 10 | 40 warps |
    | registers | 38 VGPRs, 8 waves | 119, 12 | 48 warps |

    The authors of EmPRiSM report a speed-up of 1.8 on an MI250X and of 1.6 on an MI100 by this change. Where LDS does
    not limit it is no gain: 24 floats of a thread moved from shared memory to registers took 0.295 ms before and
    0.310 ms after on an H200, with 48 warps both times. In a real kernel, the tree summation of a Barnes-Hut code with
    two arrays of 8 elements a thread, 16 KB of LDS went and the 42 VGPRs stayed: 4 -> 8 waves on gfx90a.

    ## Measured
    Our own pairs in `testdata/evidence/RP801`, before -> after the repair; clang 19.1.7, nvcc 13.0.88, `-O3`; times on
    an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | channels | gfx1100 | 40 -> 39 | 0 | 0 | 16 | |
    | channels | gfx90a | 54 -> 52 | 0 | 0 | 5 -> 8 | |
    | channels | sm_90 | 34 -> 32 | 0 | 0 | 48 -> 64 | 0.0659 -> 0.0634 (1.04 x) |
    | crowded | gfx1100 | 97 | 0 | 0 | 10 -> 12 | |
    | crowded | gfx90a | 98 | 0 | 0 | 2 -> 4 | |
    | crowded | sm_90 | 64 -> 80 | 0 | 0 | 32 -> 24 | 0.0563 -> 0.0553 (1.02 x) |
    | few | gfx1100 | 15 | 0 | 0 | 16 | |
    | few | gfx90a | 20 -> 18 | 0 | 0 | 8 | |
    | few | sm_90 | 32 | 0 | 0 | 64 | 0.0224 -> 0.0224 (1.00 x) |
    | rows | gfx1100 | 51 -> 50 | 0 | 0 | 16 | |
    | rows | gfx90a | 51 -> 50 | 0 | 0 | 4 -> 8 | |
    | rows | sm_90 | 32 -> 40 | 0 | 0 | 64 -> 48 | 0.0316 -> 0.0313 (1.01 x) |
    | states | gfx1100 | 73 -> 68 | 0 | 0 | 8 -> 16 | |
    | states | gfx90a | 68 -> 82 | 0 | 0 | 2 -> 5 | |
    | states | sm_90 | 48 -> 64 | 0 | 0 | 40 -> 32 | 0.0698 -> 0.0685 (1.02 x) |

    `python benchmarks/measure_evidence.py RP801` makes this table.

    ## Example
    ```hip
    __global__ void __launch_bounds__(256) fit(const float* a, float* b, int m, int n) {
      __shared__ float s[12][256];
      const int t = threadIdx.x, i = blockIdx.x * 256 + t;
      for (int k = 0; k < 12; ++k) s[k][t] = 0.0f;
      for (int j = 0; j < m; ++j) {
        for (int k = 0; k < 12; ++k) s[k][t] += a[(j * 12 + k) * n + i];
      }
      for (int k = 0; k < 12; ++k) b[k * n + i] = s[k][t] * s[11 - k][t];
    }
    ```

    ## Use instead
    ```hip
    __global__ void __launch_bounds__(256) fit(const float* a, float* b, int m, int n) {
      float s[12];
      const int t = threadIdx.x, i = blockIdx.x * 256 + t;
      for (int k = 0; k < 12; ++k) s[k] = 0.0f;
      for (int j = 0; j < m; ++j) {
        for (int k = 0; k < 12; ++k) s[k] += a[(j * 12 + k) * n + i];
      }
      for (int k = 0; k < 12; ++k) b[k * n + i] = s[k] * s[11 - k];
    }
    ```

    ## When to ignore
    Where the array was put there on purpose, to take pressure off the registers: then the registers limit and this
    is a hint. Where code that is not in view reads the slots.

    ## Fix safety
    There is no fix: a barrier may have to go with the array, and every index of it changes.

    ## Sources
    evidence/efficacy.md section 11 and evidence/timing/README.md (own measurements); the EmPRiSM sprint report of
    the Pawsey Supercomputing Research Centre.
    """

    code = "RP801"
    name = "thread-private-shared-array"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding an array, with the reason of the target where it is most severe."""
        if facts.kernel.language == "sycl":
            return
        for slots in facts.own_slots:
            if slots.elements > _MOST_ELEMENTS:
                continue
            verdicts = {
                name: verdict for name in facts.targets if (verdict := _verdict(facts, name, slots)) is not None
            }
            if verdicts:
                yield _finding(facts, slots, verdicts)


def _finding(facts: KernelFacts, slots: OwnSlots, verdicts: dict[str, _Verdict]) -> Finding:
    worst = max(verdicts.values(), key=lambda verdict: verdict.severity)
    variable = slots.variable
    where = place(facts, variable.span, facts.kernel.function.path, "the shared array")
    extent = "" if slots.elements == 1 else f"[{slots.elements}]"
    message = (
        f"every thread uses only its own {count(slots.elements, 'element')} of `{variable.name}`, which takes "
        f"{count(slots.bytes, 'byte')} of LDS a block: {worst.text}"
    )
    help_ = f"make it private, `{variable.type.name} {variable.name}{extent}`, without the thread's index"
    if slots.elements > 1:
        help_ += "; the loops over it must stay unrolled"
    notes = (Note(slots.accesses[0], "each thread's own slot, as in all accesses"),) if where.here else ()
    severities = {name: verdict.severity for name, verdict in verdicts.items()}
    return Finding(where.span, message, severities, help_, where.notes + notes, None, facts.kernel.name)


def _verdict(facts: KernelFacts, name: str, slots: OwnSlots) -> _Verdict | None:
    target = facts.target(name)
    if target.architecture.vendor == "intel":
        return None
    more = slots.elements * (slots.variable.type.registers or 1)
    before, after = target.without_registers, _at(target, more, slots.bytes)
    if before.groups == 0 or after.waves <= before.waves:
        return _Verdict(Severity.HINT, f"LDS does not limit on {name}, registers would gain no wave")
    own = target.registers
    gains = [_gains(target, registers, more, slots.bytes) for registers in (own.estimate, own.low, own.high)]
    if not any(gains):
        return _Verdict(Severity.HINT, f"LDS limits on {name}, but by the estimate registers would gain no wave")
    settled = facts.block_size_from != "assumed" and not facts.launches_differ and facts.lds_known
    severity = Severity.WARNING if settled and gains[0] and any(gains[1:]) else Severity.INFO
    if facts.kernel.launches and all(small_grid(launch) for launch in facts.kernel.launches):
        severity = Severity.HINT
    registers = own.estimate if gains[0] else own.low if gains[1] else own.high
    now, then = _at(target, registers, 0), _at(target, registers + more, slots.bytes)
    text = (
        f"in registers ({more} more a thread) it would let {waves(then)} per SIMD fit on {name} instead of "
        f"{now.waves / now.simds:g}, by the estimate and with {count(facts.block_size, 'thread')} a block"
    )
    return _Verdict(severity, text)


def _gains(target: TargetFacts, registers: int, more: int, freed: int) -> bool:
    if registers + more > target.budget:
        return False
    return _at(target, registers + more, freed).waves > _at(target, registers, 0).waves


def _at(target: TargetFacts, registers: int, freed: int) -> Occupancy:
    """Occupancy with that many registers and so many bytes of LDS less."""
    use = target.use(registers)
    return occupancy(target.architecture, use._replace(lds_bytes=max(use.lds_bytes - freed, 0)))
