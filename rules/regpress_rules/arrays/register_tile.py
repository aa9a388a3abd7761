"""RP407 register-tile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Rule, Severity
from regpress_lint.source_level.tiles import is_tile
from regpress_rules._place import place, targets_of
from regpress_rules._words import listing
from regpress_rules.arrays._private import (
    Case,
    cases,
    described,
    is_cold,
    loop_advice,
    notes_of,
    places,
    price,
    registers,
    shown_access,
    why,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.constants import Environment
    from regpress_lint.source_level.arrays import PrivateArray

# What a kernel needs besides its tile and the tile's operands: addresses, counters, loads on their way.
_BESIDES = 10


class RegisterTile(Rule):
    """A register tile that is not in registers, or is larger than what a thread may have.

    ## What it does
    A register tile is a private array of two dimensions (or of one that two loops index) into which a kernel
    accumulates: the blocks of a matrix product, a convolution, a stencil. A tile with constant bounds whose loops are
    all unrolled is right, and the rule says nothing about it, with or without pragmas. Reported are

    - a tile whose loops are not unrolled: a bound that is known at run time, a pragma, a body that is too long.
      Operands that the same loops keep in memory are named in the same finding;
    - a tile with one index at run time elsewhere, as where it is written back: information, because the loops go on in
      registers and the tile is copied to memory once;
    - a tile that with a row and a column of operands needs more registers than a thread may have (its budget: the cap
      under the launch bounds, or under their default): a warning, or information if only the addresses and counters
      beside it are too much; and one of more than 1,023 bytes, which no compiler makes registers of.

    ## Why it costs
    The tile exists to be used many times for each load. In scratch or local memory each of its elements is itself a
    load and a store, for every product. On an H200 an 8 x 8 tile with constant bounds ran 25 times faster than with
    run-time bounds, although it left 16 warps and not 64: occupancy is a means and no end.

    ## Targets
    Registers / private bytes per thread of `acc[TM][TN]`:

    | variant | target | 4 x 4 float | 8 x 8 float | 8 x 8 double | 16 x 16 float |
    |---|---|---|---|---|---|
    | constant bounds | gfx90a (clang 19.1.7) | 38/0 | 98/0 | 128/220, 90 spills | 56/1040 |
    | | gfx1100 | 33/0 | 93/0 | 163/0 | 69/1040 |
    | | sm_90 (nvcc 13.0.88) | 40/0 | 96/0 | 168/0 | 255/144 |
    | `unroll 1` on its loops | gfx90a | 18/80 | 25/272 | 44/528 | 41/1040 |
    | | sm_90 | 16/96 | 16/320 | 18/640 | 16/1152 |
    | only the outer loop `unroll 1` | gfx90a | 20/80 | 36/272 | 54/528 | 54/1040 |
    | | sm_90 | 22/80 | 32/288 | | |
    | one run-time index in the epilogue | gfx90a | 38/80 | 98/272 | 128/688 | 56/1040 |
    | | sm_90 | 40/0 | 96/256, in other kernels 88/0 | 168/512 | |

    On gfx1100 a tile of up to 64 bytes goes to LDS. Bounds like `min(8, rest)` stay in registers on nvcc and cost 272
    bytes of scratch on gfx90a. On pvc the 8 x 8 floats with run-time bounds take 256 bytes of private memory.

    ## Measured
    Our own pairs in `testdata/evidence/RP407`, before -> after the repair; IGC 1.0.12504, clang 19.1.7, nvcc 13.0.88,
    `-O3`; times on an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | bounds | gfx1100 | 24 -> 86 | 272 -> 0 | 0 | 16 | |
    | bounds | gfx90a | 25 -> 86 | 272 -> 0 | 0 | 8 -> 5 | |
    | bounds | pvc | | 256 -> 64 | 0 -> 22 | |  |
    | bounds | sm_90 | 32 -> 90 | 320 -> 0 | 0 | 64 -> 16 | 2.69 -> 0.101 (26.55 x) |
    | epilogue | gfx1100 | 52 -> 23 | 160 -> 0 | 0 | 16 | |
    | epilogue | gfx90a | 58 -> 28 | 160 -> 0 | 0 | 8 | |
    | epilogue | sm_90 | 55 | 0 | 0 | 32 | 0.0448 -> 0.0461 (0.97 x) |
    | nested | gfx1100 | 93 | 0 | 0 | 16 | |
    | nested | gfx90a | 89 -> 128 | 0 -> 28 | 0 -> 6 | 5 -> 4 | |
    | nested | sm_90 | 40 -> 44 | 0 | 0 | 48 -> 40 | 0.0336 -> 0.0333 (1.01 x) |
    | outer | gfx1100 | 33 -> 43 | 144 -> 0 | 0 | 16 | |
    | outer | gfx90a | 33 -> 54 | 144 -> 0 | 0 | 8 | |
    | outer | sm_90 | 30 -> 53 | 128 -> 0 | 0 | 64 -> 32 | 0.515 -> 0.0502 (10.26 x) |
    | rolled | gfx1100 | 37 -> 53 | 160 -> 0 | 0 | 16 | |
    | rolled | gfx90a | 37 -> 60 | 160 -> 0 | 0 | 8 | |
    | rolled | sm_90 | 30 -> 55 | 192 -> 0 | 0 | 64 -> 32 | 0.892 -> 0.0481 (18.56 x) |
    | square | gfx1100 | 71 -> 87 | 1040 -> 0 | 0 | 16 | |
    | square | gfx90a | 59 -> 93 | 1040 -> 0 | 0 | 8 -> 5 | |
    | square | sm_90 | 255 -> 95 | 208 -> 0 | 372 -> 0 | 8 -> 16 | 0.769 -> 0.301 (2.56 x) |
    | wide | gfx1100 | 165 | 0 | 0 | 8 | |
    | wide | gfx90a | 128 -> 164 | 128 -> 0 | 43 -> 0 | 4 -> 3 | |
    | wide | sm_90 | 164 | 0 | 0 | 8 | 0.166 -> 0.166 (1.00 x) |

    `python benchmarks/measure_evidence.py RP407` makes this table.

    ## Example
    ```hip
    __global__ void product(const float* a, float* b, int m, int rows, int columns) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float acc[6][6] = {};
      for (int j = 0; j < m; ++j)
        for (int u = 0; u < rows; ++u)
          for (int v = 0; v < columns; ++v) acc[u][v] += a[i + u * 64 + j] * a[j * 64 + v];
      for (int u = 0; u < rows; ++u)
        for (int v = 0; v < columns; ++v) b[i + (u * 6 + v) * 64] = acc[u][v];
    }
    ```

    ## Use instead
    ```hip
    __global__ void product(const float* a, float* b, int m) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float acc[6][6] = {};
      for (int j = 0; j < m; ++j)
    #pragma unroll
        for (int u = 0; u < 6; ++u)
    #pragma unroll
          for (int v = 0; v < 6; ++v) acc[u][v] += a[i + u * 64 + j] * a[j * 64 + v];
    #pragma unroll
      for (int u = 0; u < 6; ++u)
    #pragma unroll
        for (int v = 0; v < 6; ++v) b[i + (u * 6 + v) * 64] = acc[u][v];
    }
    ```

    ## When to ignore
    In a path that runs rarely, such as the remainder at the edge of a matrix.

    ## Fix safety
    There is no fix: the constant that a bound should be is the author's to know, and the size of a tile is a design.

    ## Sources
    evidence/efficacy.md sections 12 and 18 (own measurements), evidence/timing/README.md; notes on register blocking
    and instruction-level parallelism of a matrix product in CUDA (seed document 002).
    """

    code = "RP407"
    name = "register-tile"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a tile, with the operands that the same loops keep in memory."""
        for case in cases(facts):
            if case.tile:
                yield _finding(facts, case)
        for array in facts.arrays:
            if is_tile(array) and not array.dynamic and array.variable.volatile_span is None:
                finding = _too_large(facts, array)
                if finding is not None:
                    yield finding


def _finding(facts: KernelFacts, case: Case) -> Finding:
    array = case.array
    shared = array.function is not facts.kernel.function
    where = place(facts, array.variable.span, array.function.path, "the tile")
    frames = {target: frame.where for target, frame in case.frames.items()}
    message = f"register tile {described(array)} is not in registers but in {places(frames)}{_cause(facts, case)}"
    if len(case.arrays) > 1:
        others = [f"`{other.variable.name}`" for other in case.arrays[1:]]
        message += f"; {listing(others)} {'goes' if len(others) == 1 else 'go'} with it"
    severities = {target: frame.severity for target, frame in case.frames.items()}
    if not case.reasons:
        help_ = "make the tile smaller: a tile that stays in registers has at most 1,023 bytes"
    elif case.loops:
        help_ = loop_advice(case) + ("" if shared else price(facts, case))
    else:
        help_ = "use constant indices for the tile everywhere, also where it is written back: unrolled loops"
    return Finding(where.span, message, severities, help_, where.notes + notes_of(case), None, facts.kernel.name)


def _cause(facts: KernelFacts, case: Case) -> str:
    if case.worst is None:
        return ": it is larger than the 1,023 bytes that compilers make registers of"
    access, reasons = case.worst
    text = f" because of `{shown_access(facts, case.array, access)}`: " + " and ".join(
        dict.fromkeys(why(reason) for reason in reasons[:2])
    )
    if is_cold(case.array):
        text += "; the loops that use it most are not concerned, the tile is copied to memory once"
    return text


# ------------------------------------------------------------------------------------------------------ too large


def _too_large(facts: KernelFacts, array: PrivateArray) -> Finding | None:
    severities: dict[str, Severity] = {}
    budgets: list[str] = []
    taken = registers((array,))
    operands = _operands(array, facts.environment)
    for name in targets_of(facts, "amd", "nvidia"):
        own = facts.target(name)
        need = taken + operands + _BESIDES
        if need <= own.budget or not array.stays_in_registers(own.architecture.vendor):
            continue
        if 2 * taken > own.registers.estimate + own.registers.high:
            continue  # folded away: the kernel as a whole wants less
        certain = taken + operands > own.budget
        severities[name] = Severity.WARNING if certain else Severity.INFO
        budgets.append(f"{own.budget} on {name}")
    if not severities:
        return None
    where = place(facts, array.variable.span, array.function.path, "the tile")
    message = (
        f"register tile {described(array)} and its operands need about {taken + operands} registers, and a thread may "
        f"have {listing(budgets)}: what is too much is spilled"
    )
    unbounded = facts.kernel.launch_bounds is None and any(n in severities for n in targets_of(facts, "amd"))
    help_ = "make the tile smaller"
    if unbounded and facts.kernel.language != "sycl":
        help_ += ", or declare `__launch_bounds__`: without them clang plans for 1,024 threads a block"
    return Finding(where.span, message, severities, help_, where.notes, None, facts.kernel.name)


def _operands(array: PrivateArray, env: Environment) -> int:
    """Registers of a column and a row of operands."""
    from regpress_lint.cpp.constants import evaluate_int

    width = array.variable.type.registers or 1
    extents = [evaluate_int(extent, env) or 0 for extent in array.variable.dims]
    if len(extents) == 1:  # rows and columns in one extent: the least that its product can have
        extents = [2 * int(extents[0] ** 0.5)]
    return width * sum(extents[-2:])
