"""RP405 array-of-structs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity
from regpress_lint.cpp.constants import evaluate
from regpress_lint.source_level.arrays import AMD_VECTOR_ELEMENTS
from regpress_rules._place import place, targets_of
from regpress_rules._words import count, listing
from regpress_rules.arrays._private import lds_bytes, places
from regpress_rules.arrays._vectors import splittable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.source_level.arrays import PrivateArray

_WORD = 4
_LONGEST_SHOWN = 40


class ArrayOfStructs(Rule):
    """An array of vectors or structs that would live in registers on AMD if it were one array a member.

    ## What it does
    Reports automatic arrays of up to 16 vectors (`float4 v[8]`) or structs of numbers with an index that is known
    only at run time, for AMD targets.

    ## Why it costs
    clang turns an array of up to 16 numbers into one wide vector register, of which any element can be picked at run
    time. It does so for numbers only: an array of `float4` goes to scratch as a whole, or, up to 32 bytes (64 on
    gfx11), to LDS for each thread of the largest block that clang has to expect. The same data as four arrays of
    `float` stays in registers.

    ## Targets
    gfx90a (clang 19.1.7), a loop that reads an element at a loaded index, VGPRs and scratch bytes per thread:

    | | array of structs | one array a member |
    |---|---|---|
    | `float4[2]` | 14, 32 KB of LDS | 18, 0 |
    | `float4[4]` | 18, 80 B | 30, 0 |
    | `float4[8]` | 34, 144 B | 48, 0 |
    | `float4[16]` | 58, 272 B | 88, 0 |
    | `uchar4[4]`, in HeCBench's AES | 34, 16 KB of LDS | 15, 0 (as `uchar[4]`) |
    | struct of 3 floats `[8]` | 33, 112 B | 43, 0 |
    | struct of 2 doubles `[8]` | 34, 144 B | 44, 0 |
    | `float2[20]` | 48, 176 B | 46, 176 B: more than 16 elements |

    The array costs its size in registers when it is split. It is information, not a warning, where the estimate says
    that there is no room for them.

    **Not for NVIDIA**: nvcc selects whole `float4`s and keeps up to about eight of them in registers. The same four
    `float[4]` take 64 bytes of local memory there. On an H200 eight of them took 1.7 times the time when they were
    split, two of them 0.9 times. Keep the vectors in code that is compiled for both, or choose by
    `__HIP_PLATFORM_AMD__`. IGC keeps `float4[8]` in registers.

    ## Measured
    Our own pairs in `testdata/evidence/RP405`, before -> after the repair; IGC 1.0.12504, clang 19.1.7, nvcc 13.0.88,
    `-O3`; times on an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | constant | gfx1100 | 34 | 0 | 0 | 16 | |
    | constant | gfx90a | 36 | 0 | 0 | 8 | |
    | constant | sm_90 | 32 | 0 | 0 | 64 | 0.0125 -> 0.0126 (0.99 x) |
    | structs | gfx1100 | 23 -> 19 | 0 | 0 | 4 -> 16 | |
    | structs | gfx90a | 20 -> 24 | 64 -> 0 | 0 | 8 | |
    | structs | sm_90 | 28 | 48 | 0 | 64 | 0.247 -> 0.248 (0.99 x) |
    | two | gfx1100 | 14 -> 16 | 0 | 0 | 8 -> 16 | |
    | two | gfx90a | 14 -> 18 | 0 | 0 | 2 -> 8 | |
    | two | sm_90 | 32 | 0 -> 32 | 0 | 64 | 0.0345 -> 0.0306 (1.13 x) |
    | vectors | gfx1100 | 37 -> 41 | 144 -> 0 | 0 | 16 | |
    | vectors | gfx90a | 36 -> 48 | 144 -> 0 | 0 | 8 | |
    | vectors | pvc | | 0 | 0 | |  |
    | vectors | sm_90 | 56 -> 30 | 0 -> 128 | 0 | 32 -> 64 | 0.0431 -> 0.0742 (0.58 x) |

    `python benchmarks/measure_evidence.py RP405` makes this table.

    ## Example
    ```hip
    __global__ void gather(const float4* a, const int* key, float* b, int m, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float4 v[8];
      for (int j = 0; j < 8; ++j) v[j] = a[j * n + i];
      float s = 0.0f;
      for (int k = 0; k < m; ++k) {
        int j = key[k * n + i];
        s += v[j].x * v[j].y + v[j].z * v[j].w;
      }
      b[i] = s;
    }
    ```

    ## Use instead
    ```hip
    __global__ void gather(const float4* a, const int* key, float* b, int m, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float x[8], y[8], z[8], w[8];
      for (int j = 0; j < 8; ++j) {
        float4 e = a[j * n + i];
        x[j] = e.x;
        y[j] = e.y;
        z[j] = e.z;
        w[j] = e.w;
      }
      float s = 0.0f;
      for (int k = 0; k < m; ++k) {
        int j = key[k * n + i];
        s += x[j] * y[j] + z[j] * w[j];
      }
      b[i] = s;
    }
    ```

    ## When to ignore
    Where the same code is compiled for NVIDIA without a branch of its own, and where the index is needed once in a
    branch that is seldom taken.

    ## Fix safety
    There is no fix: the declaration and every access change together.

    ## Sources
    evidence/efficacy.md sections 5a and 5c (own measurements); Intel's registerization chapter of the oneAPI GPU
    Optimization Guide, whose advice this is: on today's Intel compiler it is not needed.
    """

    code = "RP405"
    name = "array-of-structs"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding an array."""
        targets = targets_of(facts, "amd")
        if not targets:
            return
        for array, fields in splittable(facts):
            yield _finding(facts, array, fields, targets)


def _finding(facts: KernelFacts, array: PrivateArray, fields: set[str], targets: tuple[str, ...]) -> Finding:
    variable, size = array.variable, array.bytes or 0
    words = -(-size // _WORD)
    severities: dict[str, Severity] = {}
    for target in targets:
        own = facts.target(target)
        room = own.registers.estimate + words <= own.budget
        severities[target] = Severity.WARNING if room else Severity.INFO
    where = place(facts, variable.span, array.function.path, "the array")
    notes = where.notes
    message = f"array `{variable.name}` ({array.elements} x {variable.type.name}, {count(size, 'byte')}) "
    access = next((access for access in array.dynamic if array.function.span.contains(access.span)), None)
    if where.here and access is not None:
        notes += (Note(access.span, "indexed at run time here"),)
        moving = (index for index in access.indices if evaluate(index, facts.environment) is None)
        index = next(moving, None)
        shown = "" if index is None else " ".join(facts.file.source.text(index.span).split())
        message += (
            f"is indexed at run time (`{shown}`)" if 0 < len(shown) <= _LONGEST_SHOWN else "is indexed at run time"
        )
    else:
        message += "is indexed at run time"
    in_lds = f"LDS ({size} KB of it for each block)"
    frames = {target: in_lds if size <= lds_bytes(target) else "scratch" for target in severities}
    memory = frames[targets[0]] if len(set(frames.values())) == 1 else places(frames)
    message += (
        f": clang keeps arrays of structs in {memory}, arrays of up to {AMD_VECTOR_ELEMENTS} numbers in registers"
    )
    names = listing(f"`{variable.name}_{field}`" for field in sorted(fields))
    first = frames[targets[0]].split()[0]
    help_ = (
        f"make it one array a member ({names}): about {count(words, 'register')} and no {first}; "
        "nvcc is better served by the vectors"
    )
    return Finding(where.span, message, severities, help_, notes, None, facts.kernel.name)
