"""RP604 unscalarized-uniform-load."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Note, Rule, Severity, Span
from regpress_rules._place import place, targets_of
from regpress_rules._rewrite import macro_made
from regpress_rules._scalar import WORD, Write, bytes_of, clobbers, saved_registers, scalar_severity, writes
from regpress_rules._words import count, listing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.cpp.syntax import Variable
    from regpress_lint.source_level.memory_accesses import MemoryAccess

_WORTH = 32  # bytes: efficacy.md 9b
_STAR = re.compile(r"\*\s*(?:const\s+)?$")
_NOT_PLAIN = re.compile(r"//|/\*|#|\\")


class UnscalarizedUniformLoad(Rule):
    """Loads that are the same for all threads, kept in vector registers because a store may change what they read.

    ## What it does
    Reports a pointer argument without `__restrict__` through which a kernel reads at least 32 bytes at addresses that
    are the same for all threads (they depend on arguments, constants, `blockIdx` and loop counters alone), where a
    store or an atomic through another pointer may come before the read, straight on or around a loop. One finding a
    pointer; the store is shown in a note.

    Only a write that the compiler must take for an alias counts. C++ lets a store of an `int` not change a `float`,
    so it does not; stores of characters, structs and vector types do, and atomics of any type. `const` alone rules
    nothing out. Stores to shared memory, barriers and fences are harmless, and so is `__restrict__` on all pointers
    that are written through. Elements of less than 32 bits are never loaded into scalar registers and stay silent.

    It is a warning where 0.4 registers for each 32 bits of these loads, added to the estimate, cost a step of the
    occupancy or a spill, information where 0.8 would or where the loads are less than a quarter of the estimate, else
    a hint.

    ## Why it costs
    AMD's hardware reads a value that is the same for all threads of a wave into a scalar register, one for 64
    threads. clang does so only if nothing in the kernel may have changed it before. Otherwise it is a vector load,
    whose result takes a register of every thread, and a loop must repeat it in each iteration. The scheduler brings
    such loads forward together, so that all of them are held at once.

    ## Targets
    AMD only, 8 waves are full on gfx90a, 16 on gfx1100 (clang 19.1.7); VGPRs without and with `__restrict__`:

    | kernel | gfx90a | gfx1100 |
    |---|---|---|
    | 32 weights behind a store | 62 -> 36 | 66 -> 34 |
    | recurrent cell, 60 weights | 73 -> 36 (6 -> 8 waves) | 65 -> 28 |
    | 96 weights | 104 -> 40 (4 -> 8 waves) | 97 -> 34 (12 -> 16 waves) |
    | 140 weights | 128 and 52 B of scratch -> 45 (4 -> 8 waves) | 135 -> 35 (10 -> 16 waves) |
    | 16 sums of doubles with a coefficient each | 62 -> 42 | 69 -> 39 |
    | 24 | 104 -> 58 (4 -> 8 waves) | 89 -> 55 |
    | 32 | 128 and 40 B of scratch -> 74 (4 -> 6 waves) | 89 -> 71 |
    | 32 weights behind an atomic | 38 -> 7 | 37 -> 7 |
    | struct of 24 floats behind a pointer, a loop that stores | 34 -> 8 | 29 -> 6 |
    | 48 weights, `tanhf` between the loads | 33 -> 28 | 27 -> 22 |
    | 18 words in a kernel of 128 VGPRs (HeCBench mcmd) | no change | 87 -> 82 |
    | behind stores to shared memory and a barrier | 6 -> 6 | 5 -> 5 |

    The word on all pointers is another matter: then clang also unrolls and hoists other loads. A lattice Boltzmann
    kernel went from 104 to 124 VGPRs that way, a filter with 48 double weights from 64 to 99 and from 8 waves to 4; of
    267 kernels without it, 4 took more and 1 took fewer. So the rule names one pointer.

    On sm_90 nothing is scalar that was not before, and ptxas uses the freedom to hold what it loads through the whole
    loop: 80 weights of a recurrent cell, 32 -> 115 registers.

    ## Measured
    Our own pairs in `testdata/evidence/RP604`, before -> after the repair; clang 19.1.7, nvcc 13.0.88, `-O3`; times on
    an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | counter | gfx1100 | 35 -> 5 | 0 | 0 | 16 | |
    | counter | gfx90a | 36 -> 5 | 0 | 0 | 8 | |
    | counter | sm_90 | 30 -> 32 | 0 | 0 | 64 | 0.0254 -> 0.0244 (1.04 x) |
    | curve | gfx1100 | 29 -> 6 | 0 | 0 | 16 | |
    | curve | gfx90a | 34 -> 8 | 0 | 0 | 8 | |
    | curve | sm_90 | 31 -> 40 | 0 | 0 | 64 -> 48 | 0.0213 -> 0.0143 (1.49 x) |
    | filter | gfx1100 | 66 -> 34 | 0 | 0 | 16 | |
    | filter | gfx90a | 62 -> 36 | 0 | 0 | 8 | |
    | filter | sm_90 | 32 | 0 | 0 | 64 | 0.0436 -> 0.0438 (1.00 x) |
    | lstm | gfx1100 | 97 -> 34 | 0 | 0 | 12 -> 16 | |
    | lstm | gfx90a | 104 -> 40 | 0 | 0 | 4 -> 8 | |
    | lstm | sm_90 | 40 | 64 | 0 | 48 | 0.108 -> 0.108 (1.00 x) |
    | moments | gfx1100 | 89 -> 55 | 0 | 0 | 16 | |
    | moments | gfx90a | 104 -> 58 | 0 | 0 | 4 -> 8 | |
    | moments | sm_90 | 72 -> 110 | 0 | 0 | 24 -> 16 | 0.0421 -> 0.0422 (1.00 x) |
    | small | gfx1100 | 36 | 0 | 0 | 16 | |
    | small | gfx90a | 58 | 0 | 0 | 8 | |
    | small | sm_90 | 32 | 0 | 0 | 64 | 0.0436 -> 0.0431 (1.01 x) |
    | staged | gfx1100 | 5 | 0 | 0 | 16 | |
    | staged | gfx90a | 6 | 0 | 0 | 8 | |
    | staged | sm_90 | 30 | 0 | 0 | 64 | 0.0274 -> 0.0265 (1.03 x) |
    | typed | gfx1100 | 35 | 0 | 0 | 16 | |
    | typed | gfx90a | 36 | 0 | 0 | 8 | |
    | typed | sm_90 | 31 | 0 | 0 | 64 | 0.0461 -> 0.0455 (1.01 x) |

    `python benchmarks/measure_evidence.py RP604` makes this table.

    ## Example
    ```hip
    __global__ void cell(const float* w, const float* a, float* b, int steps, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float h[3] = {0.0f, 0.0f, 0.0f}, c[3] = {0.0f, 0.0f, 0.0f};
      for (int t = 0; t < steps; ++t) {
        float x = a[t * n + i], g[4][3];
        for (int q = 0; q < 4; ++q) {
          for (int k = 0; k < 3; ++k) {
            float s = w[36 + q * 3 + k] * x + w[48 + q * 3 + k];
            for (int j = 0; j < 3; ++j) s += w[(q * 3 + k) * 3 + j] * h[j];
            g[q][k] = q == 3 ? tanhf(s) : 1.0f / (1.0f + expf(-s));
          }
        }
        for (int k = 0; k < 3; ++k) {
          c[k] = c[k] * g[1][k] + g[3][k] * g[0][k];
          h[k] = tanhf(c[k]) * g[2][k];
        }
        b[t * n + i] = h[0] + h[1] + h[2];
      }
    }
    ```

    ## Use instead
    ```hip
    __global__ void cell(const float* __restrict__ w, const float* a, float* b, int steps, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float h[3] = {0.0f, 0.0f, 0.0f}, c[3] = {0.0f, 0.0f, 0.0f};
      for (int t = 0; t < steps; ++t) {
        float x = a[t * n + i], g[4][3];
        for (int q = 0; q < 4; ++q) {
          for (int k = 0; k < 3; ++k) {
            float s = w[36 + q * 3 + k] * x + w[48 + q * 3 + k];
            for (int j = 0; j < 3; ++j) s += w[(q * 3 + k) * 3 + j] * h[j];
            g[q][k] = q == 3 ? tanhf(s) : 1.0f / (1.0f + expf(-s));
          }
        }
        for (int k = 0; k < 3; ++k) {
          c[k] = c[k] * g[1][k] + g[3][k] * g[0][k];
          h[k] = tanhf(c[k]) * g[2][k];
        }
        b[t * n + i] = h[0] + h[1] + h[2];
      }
    }
    ```

    A small struct that is only read is better passed by value: then it is constant by itself (34 -> 8 VGPRs).

    ## When to ignore
    Where the store does write what is read. Where more than about 100 words are read in a loop, scalar registers run
    out too: they are then spilled to lanes of vector registers, which costs instructions (64 of them for 96 weights),
    though far fewer registers.

    ## Fix safety
    Unsafe: that nothing else the kernel writes overlaps the memory is the author's knowledge, and if it is wrong
    the kernel computes something else. The fix writes the word in front of the argument's name, where the declaration
    is written out and not made by a macro. It compiles with hipcc and nvcc.

    ## Sources
    evidence/efficacy.md sections 9, 13 and 18 (own measurements); LLVM's AMDGPUAnnotateUniformValues, which marks the
    loads that nothing may have clobbered.
    """

    code = "RP604"
    name = "unscalarized-uniform-load"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a pointer."""
        targets = targets_of(facts, "amd")
        if not targets or facts.kernel.language == "sycl":
            return
        loads = _candidates(facts)
        if not loads:
            return
        stores = list(writes(facts))
        held: dict[Variable, list[MemoryAccess]] = {}
        for pointer, own in loads.items():
            if not any(store.origin is pointer for store in stores):  # else it is not for `__restrict__` to rule out
                held[pointer] = [load for load in own if any(clobbers(facts, store, load) for store in stores)]
        sizes = {pointer: bytes_of(facts, own) for pointer, own in held.items()}
        sizes = {pointer: size for pointer, size in sizes.items() if size >= _WORTH}
        if not sizes:
            return
        severities = {target: scalar_severity(facts, target, sum(sizes.values())) for target in targets}
        for pointer, size in sizes.items():
            yield _finding(facts, severities, pointer, held[pointer], size, stores)


def _candidates(facts: KernelFacts) -> dict[Variable, list[MemoryAccess]]:
    """Loads at uniform addresses by the argument that they go through; arguments without `__restrict__` only."""
    function = facts.kernel.function
    if not any(_nameable(parameter) for parameter in function.parameters):
        return {}
    found: dict[Variable, list[MemoryAccess]] = {}
    for access in facts.memory_of(function).accesses:
        origin = access.origin
        if access.kind == "read" and origin in function.parameters and origin is not None and _nameable(origin):
            type_ = access.type
            if type_ is not None and (type_.size or 0) >= WORD and facts.uniform()(access.expr):
                found.setdefault(origin, []).append(access)
    return {pointer: own for pointer, own in found.items() if bytes_of(facts, own) >= _WORTH}


def _nameable(parameter: Variable) -> bool:
    type_ = parameter.type
    return type_.pointers == 1 and not type_.restrict and not type_.pointee_volatile and not parameter.dims


# -------------------------------------------------------------------------------------------------------- report


def _finding(
    facts: KernelFacts,
    severities: Mapping[str, Severity],
    pointer: Variable,
    loads: Sequence[MemoryAccess],
    size: int,
    stores: Sequence[Write],
) -> Finding:
    first = loads[0]
    guilty = next(store for store in stores if clobbers(facts, store, first))
    where = place(facts, first.expr.span, facts.kernel.function.path, f"the loads through `{pointer.name}`")
    source = facts.file.source
    text = " ".join(source.text(first.expr.span).split()) if where.here else f"{pointer.name}[...]"
    what = "an atomic" if guilty.atomic else "a store"
    at = f" at line {source.line_of(guilty.span.start)}" if where.here else ""
    message = (
        f"`{text}` is the same for all threads, but {what}{at} may change it: {count(size, 'byte')} through "
        f"`{pointer.name}` go to VGPRs and not to SGPRs, about {round(saved_registers(size))} VGPRs on "
        f"{listing(severities)}"
    )
    notes = list(where.notes)
    if where.here:
        notes.append(Note(guilty.span, f"{what} that may overlap what `{pointer.name}` points to"))
    help_ = (
        f"if nothing that the kernel writes overlaps it, add `__restrict__` to `{pointer.name}`, and to this pointer "
        "only: on all of them it lets the compiler unroll and hoist more, which can cost registers"
    )
    if targets_of(facts, "nvidia") and any(load.loop >= 0 for load in loads):
        help_ += "; nvcc may then hold what it loads through a whole loop in registers"
    fix = _fix(facts, pointer) if where.here else None
    return Finding(where.span, message, severities, help_, tuple(notes), fix, facts.kernel.name)


def _fix(facts: KernelFacts, pointer: Variable) -> Fix | None:
    """`__restrict__` behind the star of the argument's declaration, if that is written out."""
    source = facts.file.source
    if source.text(pointer.span) != pointer.name or macro_made(facts.file, facts.kernel):
        return None
    head = source.text(Span(pointer.declaration.start, pointer.span.start))
    if not _STAR.search(head) or _NOT_PLAIN.search(head):
        return None
    start = pointer.span.start
    edit = Edit(Span(start, start), "__restrict__ ")
    return Fix(f"add `__restrict__` to `{pointer.name}`", "unsafe", (edit,))
