"""RP105 low-occupancy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import Finding, KernelFacts, Launch, Rule, Severity
from regpress_rules._common import count, listing, place, sub_group, unit_name, waves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.facts import TargetFacts

_HELPER_BLOCK = 32  # blocks up to this size belong to set-up and reduction kernels that are not worth a warning
_ONE_BLOCK = re.compile(r"<<\s*<\s*(?:dim3\s*\(\s*)?1\s*(?:,\s*1\s*){0,2}\)?\s*,")
_ONE_BLOCK_CALL = re.compile(r"hipLaunchKernelGGL\s*\(.*?,\s*(?:dim3\s*\(\s*)?1\s*(?:,\s*1\s*){0,2}\)?\s*,", re.DOTALL)
_NAMES = {"waves": "the block size", "registers": "registers", "lds": "LDS", "groups": "block slots", "sgprs": "SGPRs"}


class _Verdict(NamedTuple):
    severity: Severity
    cause: str  # "launch": LDS or block size alone; "registers": the whole band; "band": a part of it


class LowOccupancy(Rule):
    """A launch that leaves most of the GPU's wave slots empty.

    ## What it does
    Computes from the launch configuration (block size, static and dynamic LDS) and the register estimate how many
    waves are resident on a compute unit, and reports a kernel that stays below a quarter of the maximum
    (`low-occupancy` in the configuration). The message names what limits it and the next step of that resource.

    It is a warning when LDS or the block size alone cause it, or when registers do at every point of the estimate's
    band, and information when only a part of the band says so, when the block size is not in view and had to be
    assumed (the message then begins with it), or when blocks have at most 32 threads. On Intel the message says when
    the sub-group size is assumed. Launches of one block are left out: they cannot fill a unit.

    ## Why it costs
    A wave that waits for memory is covered by the other waves of its SIMD. With one or two of them there is nothing
    to run in the meantime, unless the code itself has many independent instructions in flight.

    ## Targets
    The limits of all targets are exact: zero mismatches against LLVM's remark, the HIP run time, `cuda_occupancy.h`
    and Intel's calculator. Waves per SIMD of a small kernel on gfx90a (clang 19.1.7), by LDS per block:

    | LDS | block 64 | block 256 | block 1024 | as clang prints it without launch bounds |
    |---|---|---|---|---|
    | 8 KB | 2 | 8 | 8 | 8 |
    | 16 KB | 1 | 4 | 8 | 8 |
    | 32 KB | 1 | 2 | 8 | 8 |
    | 64 KB | 1 | 1 | 4 | 4 |

    ## Example
    ```hip
    __global__ void __launch_bounds__(64) stage(const float* a, float* b) {
      __shared__ float s[12288];
      for (int k = threadIdx.x; k < 12288; k += 64) s[k] = a[blockIdx.x * 12288 + k];
      __syncthreads();
      b[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x * 192];
    }
    void run(const float* a, float* b, int n) { stage<<<n, 64>>>(a, b); }
    ```

    ## Use instead
    ```hip
    __global__ void __launch_bounds__(256) stage(const float* a, float* b) {
      __shared__ float s[2048];
      for (int k = threadIdx.x; k < 2048; k += 256) s[k] = a[blockIdx.x * 2048 + k];
      __syncthreads();
      b[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x * 8];
    }
    void run(const float* a, float* b, int n) { stage<<<n, 256>>>(a, b); }
    ```

    ## When to ignore
    Occupancy is a means and not the verdict. On an H200 two repairs that made a kernel 25 and 65 times faster
    lowered it from 64 to 16 warps, because they removed spills and scratch. A register tile that keeps its arithmetic
    units busy with independent work needs few waves. Measure before you give up registers or LDS for waves.

    ## Fix safety
    There is no fix: what to give up is the author's choice.

    ## Sources
    occupancy/README.md (formulas and oracles), evidence/efficacy.md sections 11 and 14, evidence/timing/README.md;
    AMD's GCN occupancy article; the EmPRiSM sprint report.
    """

    code = "RP105"
    name = "low-occupancy"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding, at the kernel's name, for the worst target; the others are in its severities."""
        if _small_work(facts):
            return
        verdicts = {target: verdict for target in facts.targets if (verdict := _verdict(facts, target)) is not None}
        if not verdicts:
            return
        worst = max(verdicts, key=lambda target: verdicts[target].severity)
        where = place(facts, facts.kernel.name_span, facts.kernel.path, "the kernel")
        severities = {target: verdict.severity for target, verdict in verdicts.items()}
        target = facts.target(worst)
        message = _message(facts, target, verdicts[worst])
        yield Finding(
            where.span, message, severities, _help(facts, target, verdicts[worst]), where.notes, None, facts.kernel.name
        )


def _small_work(facts: KernelFacts) -> bool:
    """Launches of one thread or one block: nothing there depends on how many waves would fit."""
    launches = facts.kernel.launches
    if facts.block_size == 1 or facts.kernel.form == "single_task":
        return True
    return bool(launches) and all(_one_block(facts, launch) for launch in launches)


def _one_block(facts: KernelFacts, launch: Launch) -> bool:
    if launch.path != facts.file.path:
        return False
    text = facts.file.source.text(launch.span)
    return _ONE_BLOCK.search(text) is not None or _ONE_BLOCK_CALL.match(text) is not None


def _verdict(facts: KernelFacts, name: str) -> _Verdict | None:
    target, low = facts.target(name), facts.settings.low_occupancy
    if target.without_registers.groups == 0 or target.worst.fraction >= low:
        return None
    if target.without_registers.fraction < low:
        severity, cause = Severity.WARNING, "launch"
    elif target.best.fraction < low:
        severity, cause = Severity.WARNING, "registers"
    else:
        # Only the high end says so: the estimate's own word is worth more than its margin.
        severity = Severity.INFO if target.occupancy.fraction < low else Severity.HINT
        cause = "band"
    if facts.block_size_from == "assumed" or facts.block_size <= _HELPER_BLOCK:
        severity = min(severity, Severity.INFO)
    if facts.launches_differ:
        severity = min(severity, Severity.INFO)  # another launch may fill the unit
    return _Verdict(severity, cause)


def _message(facts: KernelFacts, target: TargetFacts, verdict: _Verdict) -> str:
    arch = target.architecture
    shown = {"launch": target.without_registers, "registers": target.best, "band": target.worst}[verdict.cause]
    may = {"launch": "fills at most", "registers": "fills at most", "band": "may fill only"}[verdict.cause]
    fills = (
        f"`{facts.kernel.name}` {may} {shown.waves} of {shown.max_waves} wave slots of {unit_name(arch.vendor)} on "
        f"{arch.name} ({shown.fraction:.0%})"
    )
    lanes = sub_group(facts, target.architecture)
    if facts.block_size_from == "assumed":
        text = f"assuming {count(facts.block_size, 'thread')} a block (no launch in view), {fills}{lanes}"
    else:
        text = f"{fills} with {count(facts.block_size, 'thread')} a block{lanes}"
        if facts.launch is not None and facts.launches_differ:
            text += f", as launched at line {facts.launch.line} (other launches differ)"
    text += f": {_limit(facts, target, verdict)}"
    step = target.next
    if step is None or verdict.cause == "band":
        return text
    unit = {"lds_bytes": "bytes of LDS", "block_size": "threads a block"}.get(step.resource, step.resource)
    fit = count(float(step.waves_per_simd), "wave")
    return f"{text}; {step.value:,} {unit} let {fit} per SIMD fit"


def _limit(facts: KernelFacts, target: TargetFacts, verdict: _Verdict) -> str:
    registers = target.registers
    if verdict.cause == "launch":
        names = [_NAMES.get(name, name) for name in target.without_registers.limiters if name != "registers"]
        lds = f" ({facts.lds_bytes:,} bytes a block)" if facts.lds_bytes and "LDS" in names else ""
        return f"limited by {listing(names or ['the block size'])}{lds}"
    reach = f"{registers.low} to {registers.high}" if verdict.cause == "registers" else f"up to {registers.high}"
    return f"limited by an estimated {reach} registers a thread"


def _help(facts: KernelFacts, target: TargetFacts, verdict: _Verdict) -> str:
    if facts.block_size <= _HELPER_BLOCK:
        return "larger blocks would share a unit's slots better, if there is work for more threads"
    if verdict.cause == "launch":
        if facts.lds_bytes and "lds" in target.without_registers.limiters:
            free = waves(target.without_registers)
            return f"use less LDS per block, or share it in larger blocks; registers are free up to {free} per SIMD"
        return "choose a block size that divides the wave slots better"
    return "fewer live values would admit more waves; measure first, fewer waves without spills often win"
