"""RP103 launch-bounds-wrong-unit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Rule, Severity, Span
from regpress_rules._place import place, targets_of
from regpress_rules._words import count
from regpress_rules.launch._bounds import Misread, argument_spans, misread, shown, threads_of_one_wave_each

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import LaunchBounds
    from regpress_lint.core.source import Source
    from regpress_lint.facts.target import TargetFacts

# What may stand in front of the bounds on the line where a declaration begins.
_HEAD = re.compile(r"\s*(?:(?:template\s*<[^<>]*>|__global__|static|inline|void|extern\s*\"C\"|extern)\s*)*$")
_ENDED = re.compile(r"[;{}]\s*$|^\s*(?://|#)|\*/\s*$|^\s*$")
_NEW_NAME = re.compile(r"[A-Za-z]\w*$")


class LaunchBoundsWrongUnit(Rule):
    """HIP reads the second argument of launch bounds as waves per SIMD, CUDA as blocks per multiprocessor.

    ## What it does
    Reports a second argument of `__launch_bounds__` that looks as if it had come from CUDA, in kernels that are
    compiled for AMD: one that is worked out from the block size (`2048 / ThreadsPerBlock`), or a number of 2 and more
    for blocks whose size makes a difference (any but 256 threads on gfx9, any but 128 with waves of 32).

    It is a warning when clang then gives the kernel fewer registers than the estimate says it wants, and CUDA's
    meaning would give it more. Where a template leaves the numbers open it is information at most. It is a hint where
    nothing is lost: the estimate stays below the cap; clang drops the request (more waves than a SIMD has); or blocks
    are so large that HIP's meaning asks for less than CUDA's.

    Names that count waves (`MIN_WARPS_PER_EU`) and bounds under an `#if` for AMD's or NVIDIA's compiler are taken as
    meant for HIP.

    ## Why it costs
    `(128, 8)` asks nvcc for 8 blocks of 128 threads on a multiprocessor: 1,024 threads, at most 64 registers each. It
    asks clang for 8 waves of 64 on each of the four SIMDs of a compute unit: 2,048 threads. A thread may then have 64
    VGPRs on gfx90a instead of 128, and what does not fit is spilled.

    A block of T threads puts T / 64 waves on a unit of four SIMDs. B blocks are B * T / 256 waves per SIMD on gfx9,
    and B * T / 128 with waves of 32 (gfx10 and later).

    ## Targets
    24 and 40 doubles live through a loop, clang 19.1.7 and nvcc 13.0.88:

    | bound | gfx90a: VGPRs, scratch | sm_90: registers |
    |---|---|---|
    | `(256)` | 124 / 194 | 64 / 104 |
    | `(64, 8)` | 64 + 188 B / 64 + 436 B | 96 / 128 |
    | `(128, 8)` | 64 + 188 B / 64 + 436 B | 64 / 64 + 768 B of spill stores |
    | `(256, 4)`, the same in both | 116 / 128 + 268 B | 64 / 64 + 768 B |
    | `(128, 16)`, dropped by clang | 124 / 194 | 32 + 800 B / 32 + 2,072 B |

    NVIDIA is not concerned: there the argument means what CUDA says.

    ## Measured
    Our own pairs in `testdata/evidence/RP103`, before -> after the repair; clang 19.1.7, `-O3`.

    | pair | target | registers | private bytes | spills | waves |
    | --- | --- | --- | --- | --- | --- |
    | divided | gfx1100 | 94 | 0 | 0 | 16 |
    | divided | gfx90a | 64 -> 92 | 212 -> 0 | 115 -> 0 | 8 -> 5 |
    | dropped | gfx90a | 104 | 0 | 0 | 4 |
    | few | gfx1100 | 36 | 0 | 0 | 16 |
    | few | gfx90a | 38 | 0 | 0 | 8 |
    | large | gfx1100 | 94 | 0 | 0 | 16 |
    | large | gfx90a | 92 | 0 | 0 | 5 |
    | many | gfx1100 | 117 | 0 | 0 | 12 |
    | many | gfx90a | 64 -> 124 | 364 -> 0 | 189 -> 0 | 8 -> 4 |
    | rdna | gfx1100 | 120 -> 166 | 252 -> 0 | 144 -> 0 | 12 -> 9 |
    | rdna_few | gfx1100 | 93 | 0 | 0 | 16 |

    `python benchmarks/measure_evidence.py RP103` makes this table.

    ## Example
    ```hip
    __global__ void __launch_bounds__(64, 8) reverse(const double* a, double* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s[28];
    #pragma unroll
      for (int k = 0; k < 28; ++k) s[k] = a[k * n + i];
    #pragma unroll
      for (int k = 0; k < 28; ++k) b[k * n + i] = s[k] * s[27 - k];
    }
    ```

    ## Use instead
    ```hip
    #ifdef __HIP_PLATFORM_AMD__
    #define REVERSE_MIN_BLOCKS 2  // waves per SIMD
    #else
    #define REVERSE_MIN_BLOCKS 8  // blocks per multiprocessor
    #endif
    __global__ void __launch_bounds__(64, REVERSE_MIN_BLOCKS) reverse(const double* a, double* b, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s[28];
    #pragma unroll
      for (int k = 0; k < 28; ++k) s[k] = a[k * n + i];
    #pragma unroll
      for (int k = 0; k < 28; ++k) b[k * n + i] = s[k] * s[27 - k];
    }
    ```

    ## When to ignore
    Where the number was chosen for HIP, as waves per SIMD; a name such as `MIN_WAVES_PER_EU` says so to readers and to
    this rule. The repair gives up waves for registers: that ends the spill, and was not timed on an AMD GPU.

    ## Fix safety
    Unsafe: the fix defines a macro above the kernel, with max(1, B * T / 256) for AMD (128 instead of 256 with waves
    of 32) and the old text otherwise, and names it in the bounds. The kernel is compiled with another register budget;
    its results are the same. There is no fix where a macro or a template parameter wrote the bounds.

    ## Sources
    evidence/efficacy.md sections 2b and 18 (own measurements); CUDA C++ Programming Guide, "Launch Bounds"; HIP
    documentation, `__launch_bounds__`.
    """

    code = "RP103"
    name = "launch-bounds-wrong-unit"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding, at the bounds."""
        kernel = facts.kernel
        bounds = kernel.launch_bounds
        if bounds is None or len(bounds.texts) != 2:
            return
        found: dict[str, Misread] = {}
        for target in targets_of(facts, "amd"):
            one = misread(facts, target)
            if one is not None and (one.severity > Severity.HINT or facts.wants_hints):
                found[target] = one
        if not found:
            return
        severities = {target: one.severity for target, one in found.items()}
        worst = max(severities, key=lambda target: severities[target])
        where = place(facts, bounds.span, kernel.path, "the launch bounds")
        message = _message(kernel.name, bounds, facts.target(worst), found[worst])
        fix = _fix(facts, bounds, found[worst]) if where.here and severities[worst] > Severity.HINT else None
        help_ = _help(bounds, facts.target(worst), found[worst])
        yield Finding(where.span, message, severities, help_, where.notes, fix, kernel.name)


def _message(name: str, bounds: LaunchBounds, target: TargetFacts, found: Misread) -> str:
    arch = target.architecture
    head = f"`{name}` has {shown(bounds)}: HIP reads "
    if found.waves is None:
        return f"{head}`{bounds.texts[1]}` as waves per SIMD, and it looks like CUDA's blocks per multiprocessor"
    assert found.meant is not None
    blocks = f"{count(found.waves, 'block')} of {count(bounds.max_threads or 0, 'thread')}"
    meaning = f"{blocks}, CUDA's meaning, would be {found.meant}"
    if found.dropped:
        most = arch.max_waves_per_simd
        return f"{head}{found.waves} as waves per SIMD, drops that ({arch.name} has {most}); {meaning}"
    text = f"{head}{found.waves} as waves per SIMD, a cap of {found.cap} VGPRs on {arch.name}"
    if found.severity == Severity.HINT:
        return f"{text}; {meaning}"
    registers = target.registers
    return (
        f"{text}, the estimate is {registers.estimate} ({registers.low} to {registers.high}), and the rest spills; "
        f"{meaning}, a cap of {found.meant_cap}"
    )


def _help(bounds: LaunchBounds, target: TargetFacts, found: Misread) -> str:
    unit = threads_of_one_wave_each(target.architecture)
    if found.meant is None:
        return f"write max(1, blocks * threads / {unit}) for AMD, under `#ifdef __HIP_PLATFORM_AMD__`"
    return (
        f"write {found.meant} (max(1, {found.waves} * {bounds.max_threads} / {unit})) for AMD, "
        "under `#ifdef __HIP_PLATFORM_AMD__`"
    )


# -------------------------------------------------------------------------------------------------------------- fix


def _fix(facts: KernelFacts, bounds: LaunchBounds, found: Misread) -> Fix | None:
    spans, source, name = argument_spans(facts), facts.file.source, f"{facts.kernel.name.upper()}_MIN_BLOCKS"
    if spans is None or found.meant is None or not _NEW_NAME.match(name) or name.encode() in source.data:
        return None
    parameters = {parameter.name for parameter in facts.kernel.function.template}
    if parameters & set(re.findall(r"\w+", " ".join(bounds.texts))):
        return None
    line = _declaration_line(source, bounds.span.start)
    if line is None:
        return None
    at = source.line_span(line).start
    end = "\r\n" if source.data[source.line_span(line).end :].startswith(b"\r") else "\n"
    lines = (
        "#ifdef __HIP_PLATFORM_AMD__",
        f"#define {name} {found.meant}  // waves per SIMD",
        "#else",
        f"#define {name} {bounds.texts[1]}  // blocks per multiprocessor",
        "#endif",
    )
    block = "".join(f"{text}{end}" for text in lines)
    edits = (Edit(Span(at, at), block), Edit(spans[1], name))
    return Fix(f"ask AMD for {count(found.meant, 'wave')} per SIMD", "unsafe", edits)


def _declaration_line(source: Source, offset: int) -> int | None:
    """Line on which the declaration around `offset` begins; None where the text does not make that plain."""
    line = source.line_of(offset)
    start = source.line_span(line).start
    if not _HEAD.match(source.data[start:offset].decode("utf-8", "replace")):
        return None
    while line > 1:
        above = source.line_text(line - 1)
        if _ENDED.search(above):
            # A line that ends in a backslash goes on: this one is inside a macro's body.
            return None if above.rstrip().endswith("\\") else line
        if not _HEAD.match(above):
            return None
        line -= 1
    return line
