"""RP402 wide-private-array."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import Finding, KernelFacts, Rule, Severity
from regpress_lint.source_level.tiles import is_tile
from regpress_lint.targets.occupancy import occupancy
from regpress_rules._gates import unless_spare, with_spare
from regpress_rules._place import place
from regpress_rules._words import count, sub_group, waves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.facts.target import TargetFacts
    from regpress_lint.source_level.arrays import PrivateArray
    from regpress_lint.targets.occupancy import Occupancy, Vendor

_REGISTER = 4  # bytes
# An array below this share of the budget never tips a kernel by itself.
_CONSIDERABLE = 0.25
_LARGE = 0.5


class _Verdict(NamedTuple):
    severity: Severity
    reason: str
    advice: str


class WidePrivateArray(Rule):
    """A private array that takes a large part of a thread's registers.

    ## What it does
    Adds up what an automatic array takes of the registers that a thread may have (its budget: the cap under the
    launch bounds, or under their default; on Intel the share of the register file at the sub-group size, which the
    message names). An array that stays in registers is reported as information from half of the budget on, and as a
    warning when by the estimate the kernel would keep the budget, or a step of the occupancy, without the array and
    does not with it. It stays information on Intel, where no estimate was measured, and for elements of 8 or 16 bits,
    which are counted as if packed. A register tile (an array that loops accumulate into) crosses a step on purpose, so
    only the budget counts for it. Where LDS or the block size limits the waves and the estimate stays below the
    registers that are free then, it is a hint. An array of a device function is reported once for all kernels that
    call it.

    Arrays at run-time indices, which go to memory, are RP403's subject, and register tiles of two dimensions RP407's.

    ## Why it costs
    Registers are handed out for the whole life of a thread. An array of 64 doubles is 128 registers, whether it
    is used once or always; what does not fit is spilled, and what just fits leaves room for few waves.

    ## Targets
    | array | gfx90a (clang 19.1.7) | gfx1100 | sm_90 (nvcc 13.0.88) |
    |---|---|---|---|
    | 8 x 8 floats, unrolled tile | 98 VGPRs | 93 | 96 |
    | 8 x 8 doubles, unrolled tile, no launch bounds | 128 + 220 B scratch, 90 spills | 163 | 168 |
    | 16 x 16 floats, unrolled tile | 128 + 856 B, 533 spills | 192 + 756 B | 255 + 144 B |
    | 64 floats / shorts / chars at constant indices | 68 / 70 / 70 | | 80 / 72 / 72 |

    On AMD and NVIDIA an element of 8 or 16 bits may take a whole register, as in the last row, or a part of one: a real
    kernel with 64 `unsigned char` took 60 VGPRs in all.

    ## Measured
    Our own pairs in `testdata/evidence/RP402`, before -> after the repair; clang 19.1.7, nvcc 13.0.88, `-O3`; times on
    an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | history | gfx1100 | 104 -> 48 | 0 | 0 | 12 -> 16 | |
    | history | gfx90a | 108 -> 50 | 0 | 0 | 4 -> 8 | |
    | history | sm_90 | 128 -> 48 | 0 | 0 | 16 -> 40 | 0.066 -> 0.0284 (2.32 x) |
    | kept | gfx1100 | 88 -> 47 | 0 | 0 | 16 | |
    | kept | gfx90a | 124 -> 64 | 0 | 0 | 4 -> 8 | |
    | kept | sm_90 | 92 -> 50 | 0 | 0 | 16 -> 32 | 0.0249 -> 0.0131 (1.91 x) |
    | mirror | gfx1100 | 192 -> 78 | 0 | 0 | 8 -> 16 | |
    | mirror | gfx90a | 128 -> 92 | 668 -> 0 | 166 -> 0 | 4 -> 5 | |
    | mirror | sm_90 | 80 -> 40 | 0 | 0 | 24 -> 48 | 0.0772 -> 0.0723 (1.07 x) |
    | stream | gfx1100 | 43 | 0 | 0 | 16 | |
    | stream | gfx90a | 50 | 0 | 0 | 8 | |
    | stream | sm_90 | 32 | 0 | 0 | 64 | 0.0087 -> 0.0088 (0.99 x) |
    | tile | gfx1100 | 165 -> 83 | 0 | 0 | 8 -> 16 | |
    | tile | gfx90a | 128 -> 90 | 228 -> 0 | 78 -> 0 | 4 -> 5 | |
    | tile | sm_90 | 167 -> 90 | 0 | 0 | 8 -> 16 | 0.275 -> 0.158 (1.74 x) |

    `python benchmarks/measure_evidence.py RP402` makes this table.

    ## Example
    ```hip
    __global__ void reverse(const double* a, double* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s[64];
    #pragma unroll
      for (int k = 0; k < 64; ++k) s[k] = a[k * n + i];
    #pragma unroll
      for (int k = 0; k < 64; ++k) b[k * n + i] = s[k] * s[63 - k];
    }
    ```

    ## Use instead
    ```hip
    __global__ void reverse(const double* a, double* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      int part = blockIdx.y * 8;
      double s[8], t[8];
    #pragma unroll
      for (int k = 0; k < 8; ++k) s[k] = a[(part + k) * n + i];
    #pragma unroll
      for (int k = 0; k < 8; ++k) t[k] = a[(63 - part - k) * n + i];
    #pragma unroll
      for (int k = 0; k < 8; ++k) b[(part + k) * n + i] = s[k] * t[k];
    }
    ```

    ## When to ignore
    A register tile of a matrix product is meant to fill the registers: as long as nothing spills, a large tile with
    few waves is usually the fastest form.

    ## Fix safety
    There is no fix: a smaller tile, fewer bins or another owner of the data is a change of the algorithm.

    ## Sources
    evidence/efficacy.md sections 5, 12 and 18, evidence/frontend.md section 2; AMD lab notes "Register pressure in
    AMD CDNA2 GPUs"; Intel's registerization chapter of the oneAPI GPU Optimization Guide.
    """

    code = "RP402"
    name = "wide-private-array"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding an array, with the reason of the target where it is most severe."""
        for array in facts.arrays:
            if array.bytes is None or array.variable.volatile_span is not None or array.table or is_tile(array):
                continue
            verdicts = {target: verdict for target in facts.targets if (verdict := _verdict(facts, target, array))}
            if verdicts:
                yield _finding(facts, array, verdicts)


def _finding(facts: KernelFacts, array: PrivateArray, verdicts: dict[str, _Verdict]) -> Finding:
    worst = max(verdicts.values(), key=lambda verdict: verdict.severity)
    variable = array.variable
    where = place(facts, variable.span, array.function.path, "the array")
    assert array.bytes is not None
    message = (
        f"private array `{variable.name}` of {array.elements} x {variable.type.name} "
        f"({count(array.bytes, 'byte')} per thread) {worst.reason}"
    )
    severities = {target: verdict.severity for target, verdict in verdicts.items()}
    return Finding(where.span, message, severities, worst.advice, where.notes, None, facts.kernel.name)


def _verdict(facts: KernelFacts, name: str, array: PrivateArray) -> _Verdict | None:
    target = facts.target(name)
    if array.dynamic or not array.stays_in_registers(target.architecture.vendor):
        return None  # memory: RP403's subject
    return _in_registers(target, array, facts)


# ----------------------------------------------------------------------------------------------- in registers


def _registers(array: PrivateArray, vendor: Vendor) -> int:
    """Registers of the array: an element takes at least one, unless the compiler can (Intel: does) share them out."""
    assert array.elements is not None
    if (vendor == "intel" or _narrow(array)) and array.bytes is not None:
        return -(-array.bytes // _REGISTER)
    return array.elements * (array.variable.type.registers or 1)


def _narrow(array: PrivateArray) -> bool:
    return array.variable.type.size in (1, 2)


def _in_registers(target: TargetFacts, array: PrivateArray, facts: KernelFacts) -> _Verdict | None:
    arch = target.architecture
    taken, budget = _registers(array, arch.vendor), target.budget
    if taken < _CONSIDERABLE * budget:
        return None
    estimate = target.registers.estimate
    if 2 * taken > estimate + target.registers.high:  # not by the band's very end alone
        return None  # folded away, or kept in scratch after all: the kernel as a whole wants less
    rest = max(1, estimate - taken)
    need = f"needs {count(taken, 'register')}" + (" if packed" if _narrow(array) and arch.vendor != "intel" else "")
    share = f"{need}, a thread has {budget} on {arch.name}{sub_group(facts, arch)}"
    advice = "split the work so that a thread keeps fewer elements, or keep a part of them in LDS"
    # What is said of an array in a device function must be the same from every kernel that calls it.
    shared = array.function is not facts.kernel.function
    if shared:
        share = f"{need} on {arch.name} in every kernel that calls `{array.function.name}`"
    measured = arch.vendor != "intel" and not _narrow(array)
    severity = Severity.WARNING if measured else Severity.INFO
    if estimate > budget and (taken >= budget or budget >= rest):  # the array alone is too much, or tips the scale
        excess = f"{share}; by the estimate the kernel takes {estimate} with it, and the excess may be spilled"
        return _Verdict(severity, share if shared else excess, _bounds_advice(facts, target) or advice)
    if not _tile(array):
        now, then = _at(target, estimate), _at(target, rest)
        if now.waves < min(then.waves, target.without_registers.waves):
            step = f"{share}; by the estimate {waves(now)} per SIMD fit with it and {waves(then)} without"
            return _Verdict(severity, share if shared else step, advice)
    if taken >= _LARGE * budget and not (_tile(array) and estimate <= budget):
        large = unless_spare(facts, arch.name, estimate, Severity.INFO)
        return _Verdict(large, share, advice if shared else with_spare(facts, (arch.name,), advice))
    return None


def _at(target: TargetFacts, registers: int) -> Occupancy:
    return occupancy(target.architecture, target.use(registers))


def _tile(array: PrivateArray) -> bool:
    """An array that a loop accumulates into at constant indices: a register tile, large on purpose."""
    rolled = (loop for access in array.accesses if access.kind == "update" for loop in access.loops)
    return any(not loop.unrolled for loop in rolled) and not any(access.dynamic for access in array.accesses)


def _bounds_advice(facts: KernelFacts, target: TargetFacts) -> str | None:
    if target.architecture.vendor != "amd" or facts.kernel.launch_bounds is not None or facts.kernel.language == "sycl":
        return None
    return "make the array smaller, or declare `__launch_bounds__`: without them a thread may have no more registers"
