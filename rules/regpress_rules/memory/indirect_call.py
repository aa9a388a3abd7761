"""RP701 indirect-call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity, Span
from regpress_rules._gates import small_grid
from regpress_rules._place import place, targets_of, vendor_of
from regpress_rules._words import count, listing
from regpress_rules.memory._late_calls import Late, through_pointers
from regpress_rules.memory._recursion import recursive

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_MOST_NOTES = 5


class IndirectCall(Rule):
    """A call whose target the compiler does not know: virtual, through a pointer, or recursive.

    ## What it does
    Reports what cannot be inlined in a kernel and the device functions that it reaches:

    - a virtual function called through a pointer or reference to an object of which the source does not settle the
      class;
    - a call through a function pointer that may hold one of several functions, that comes from a table at a run-time
      index, or from outside of the kernel;
    - a function that calls itself, also through others.

    Compilers see through the rest, and the rule is silent there: a virtual function of a local object, also through a
    pointer or reference to it (but not in a loop behind the declaration); `final` classes and functions; a pointer
    that is only ever one function; function objects, lambdas and template arguments; recursion in tail position, or of
    an integer `n * f(n - 1)`, which become loops. Kernels that are launched with few blocks are a hint.
    What stands in headers is one finding a kernel.

    ## Why it costs
    An inlined call costs nothing. A real one on a GPU costs its callee's registers by the calling convention: on AMD
    the compiler assumes the most that any function in view takes, and 58 VGPRs at least, 32 of them to save what is
    alive across the call. It cannot know how deep the stack becomes: the frame is dynamic, and every thread gets
    scratch for it whether it is used or not. Objects whose address goes to the callee lie in scratch as well.

    On NVIDIA it is time and not registers: nothing can be computed ahead of a call or across it, its arguments and
    results are moved into place, and what is alive around it is saved. A loop that calls one of two functions through
    a pointer took 5.8 times as long on an H200 as the same loop with an `if`, a table of functions 7.2, virtual
    functions 5.7 and 9.6, a sum by recursive halves 51 times as long as its loop.

    ## Targets
    Registers and private bytes of a kernel with one such call, and with a `switch` or `if` in its place:

    | | gfx90a (clang 19.1.7) | gfx1100 | sm_90 (nvcc 13.0.88) |
    |---|---|---|---|
    | virtual function through a pointer from memory | 58, dynamic stack / 5 | 58, dynamic / 5 | 24 / 14 |
    | ... of one of two local objects | 58, dynamic, 48 B | 58, dynamic, 48 B | 24, 32 B |
    | ... of a local object, also by pointer or reference | 5 | 4 | 12 |
    | ... of a local object by pointer or reference in a loop | 45, dynamic, 32 B / 7 | 46, dynamic, 32 B | 30, 16 B |
    | `f = c ? f1 : f2`, also if `c` is the same for all threads | 58, dynamic | 58, dynamic | 24 |
    | table of functions at a run-time index | 58, dynamic | 58, dynamic | 24, local table 24 B |
    | `f = f1`; `f1` as an argument or template argument | 4 | 4 | 10 |
    | recursion (a tree, quicksort, Fibonacci) | 44 to 58, dynamic, 16 to 48 B | the same | 30 |
    | tail recursion, factorial | 5 to 8 | 5 to 8 | 10 to 12 |

    AMD: a warning. NVIDIA: a warning, for the time: the pairs below have their calls in loops. Intel: SYCL has neither
    virtual calls nor function pointers nor recursion in kernels, so that there is nothing to report.

    ## Measured
    Our own pairs in `testdata/evidence/RP701`, before -> after the repair; clang 19.1.7, nvcc 13.0.88, `-O3`; times on
    an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | chosen | gfx1100 | 45 -> 7 | 0 | 0 | 16 | |
    | chosen | gfx90a | 46 -> 10 | 0 | 0 | 8 | |
    | chosen | sm_90 | 30 -> 32 | 0 | 0 | 64 | 0.173 -> 0.0301 (5.75 x) |
    | halving | gfx1100 | 45 -> 5 | 32 -> 0 | 0 | 16 | |
    | halving | gfx90a | 45 -> 8 | 32 -> 0 | 0 | 8 | |
    | halving | sm_90 | 24 -> 31 | 0 | 0 | 64 | 0.852 -> 0.0169 (50.55 x) |
    | held | gfx1100 | 5 | 0 | 0 | 16 | |
    | held | gfx90a | 8 | 0 | 0 | 8 | |
    | held | sm_90 | 28 | 0 | 0 | 64 | 0.0347 -> 0.0349 (1.00 x) |
    | local | gfx1100 | 46 -> 8 | 32 -> 0 | 0 | 16 | |
    | local | gfx90a | 46 -> 8 | 32 -> 0 | 0 | 8 | |
    | local | sm_90 | 30 | 16 -> 0 | 0 | 64 | 0.184 -> 0.0323 (5.68 x) |
    | once | gfx1100 | 45 -> 5 | 0 | 0 | 16 | |
    | once | gfx90a | 45 -> 6 | 0 | 0 | 8 | |
    | once | sm_90 | 24 -> 14 | 0 | 0 | 64 | 0.0163 -> 0.0149 (1.09 x) |
    | shapes | gfx1100 | 48 -> 8 | 48 -> 0 | 0 | 16 | |
    | shapes | gfx90a | 48 -> 8 | 48 -> 0 | 0 | 8 | |
    | shapes | sm_90 | 32 -> 30 | 32 -> 0 | 0 | 64 | 0.4 -> 0.0417 (9.58 x) |
    | straight | gfx1100 | 5 | 0 | 0 | 16 | |
    | straight | gfx90a | 9 | 0 | 0 | 8 | |
    | straight | sm_90 | 14 | 0 | 0 | 64 | 0.0147 -> 0.0145 (1.02 x) |
    | table | gfx1100 | 48 -> 8 | 0 | 0 | 16 | |
    | table | gfx90a | 57 -> 10 | 0 | 0 | 8 | |
    | table | sm_90 | 32 -> 16 | 0 | 0 | 64 | 0.531 -> 0.0732 (7.25 x) |
    | tail | gfx1100 | 8 | 0 | 0 | 16 | |
    | tail | gfx90a | 8 | 0 | 0 | 8 | |
    | tail | sm_90 | 12 | 0 | 0 | 64 | 0.0428 -> 0.0427 (1.00 x) |

    `python benchmarks/measure_evidence.py RP701` makes this table.

    ## Example
    ```hip
    __device__ float smooth(float x) { return x * x; }
    __device__ float sharp(float x) { return 3.0f * x; }

    __global__ void __launch_bounds__(256) shade(const float* a, float* b, int mode) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float (*filter)(float) = mode == 1 ? smooth : sharp;
      b[i] = filter(a[i]);
    }
    ```

    ## Use instead
    ```hip
    __device__ float smooth(float x) { return x * x; }
    __device__ float sharp(float x) { return 3.0f * x; }

    __global__ void __launch_bounds__(256) shade(const float* a, float* b, int mode) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      b[i] = mode == 1 ? smooth(a[i]) : sharp(a[i]);
    }
    ```

    ## When to ignore
    Where the functions are so many or so large that a `switch` over all of them would not fit the instruction cache,
    or come from a plug-in. A callee that is called seldom and takes many registers can be better off outside: then
    the cost is wanted.

    ## Fix safety
    There is no fix: which functions a pointer may hold is a matter of the whole program.

    ## Sources
    evidence/efficacy.md section 13 (own measurements).
    """

    code = "RP701"
    name = "indirect-call"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per call site and recursive function; those that stand in headers are one, at the kernel."""
        targets = targets_of(facts, "amd", "nvidia")
        if facts.kernel.language == "sycl" or not targets:
            return
        found = [*through_pointers(facts), *recursive(facts)]
        if not found:
            return
        launches = facts.kernel.launches
        small = bool(launches) and all(small_grid(launch) for launch in launches)
        severities = dict.fromkeys(targets, Severity.HINT if small else Severity.WARNING)
        groups: dict[Span, list[tuple[Late, tuple[Note, ...]]]] = {}
        for late in found:
            where = place(facts, late.span, late.function.path, "the call")
            notes = (*where.notes, *(late.notes if where.here else ()))
            groups.setdefault(where.span, []).append((late, notes))
        for span, group in groups.items():
            (late, _), *others = group
            more = f" (and {count(len(others), 'more such call')} in headers)" if others else ""
            message = f"{late.what}{more}: it is not inlined and costs {_costs(late, targets)}"
            notes = tuple(note for _, each in group for note in each)[:_MOST_NOTES]
            yield Finding(span, message, severities, late.instead, notes, None, facts.kernel.name)


def _costs(late: Late, targets: Sequence[str]) -> str:
    words: list[str] = []
    amd = [target for target in targets if vendor_of(target) == "amd"]
    nvidia = [target for target in targets if vendor_of(target) == "nvidia"]
    if amd:
        words.append(f"at least 44 to 58 VGPRs and a stack of unknown depth in scratch on {listing(amd)}")
    if nvidia:
        words.append(f"time on {listing(nvidia)} ({late.time} on an H200)")
    return ", ".join(words)
