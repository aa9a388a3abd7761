"""RP603 many-live-pointers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import Finding, KernelFacts, Rule, Severity, Span
from regpress_lint.cpp.syntax import Index, Member, Name, Unary
from regpress_lint.cpp.traversal import walk
from regpress_rules._memory import memory_root
from regpress_rules._place import is_gfx9, targets_of
from regpress_rules._words import listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax import Expr, Loop, Stmt, Variable

# Pointers used in one loop from which clang 19 was measured to spill scalar registers (of which there are about 100).
_GFX9, _RDNA = 40, 48
_WIDE = 8  # bytes of an element
_ARGUMENTS = frozenset(("parameter", "capture"))


class _Pointer(NamedTuple):
    """An argument, or a member of one; whether it is known to point to 64-bit elements."""

    variable: Variable
    field: str
    wide: bool = False


class ManyLivePointers(Rule):
    """More pointers in one loop than there are scalar registers for their addresses.

    ## What it does
    Counts the pointer arguments of a kernel (members of struct arguments too) through which a loop that stays a loop
    reads or writes, and reports the loop from 40 of them on for gfx9, and for RDNA from 48 on if half of them or more
    point to 64-bit elements.

    ## Why it costs
    On AMD the base of every pointer is the same for all threads and lives in two of about 100 scalar registers. A loop
    that uses all of them cannot load one anew in each iteration for free: what does not fit is spilled into lanes of
    vector registers, and the compiler goes over to 64-bit addresses in vector registers, two a pointer. Outside of
    loops a base is read when it is used. NVIDIA takes bases from a constant bank.

    ## Targets
    VGPRs (waves) and spilled scalar registers of a loop that adds up one element of each array:

    | pointers | gfx90a, floats | gfx90a, doubles | gfx1100, doubles | sm_90, doubles |
    |---|---|---|---|---|
    | 24 | 53 | 66 (7) | 28 | 32 |
    | 32 | 40 | 66 (7) | 28 | 32 |
    | 40 | 48 | 70 (7) | 28 | 32 |
    | 44 | 52 | 128 (4) | 28 | 32 |
    | 48 | 58, 24 spilled | 112 (4), 16 spilled | 104 (12), 16 spilled | 32 |
    | 56 | 66 (7), 40 spilled | 120 (4), 32 spilled | 120 (12), 32 spilled | 32 |
    | 64 | 70 (7), 56 spilled | 124 (4), 64 spilled | 136 (10), 48 spilled | 32 |

    With stores that may alias the loads scalar registers are spilled from 40 pointers on (gfx90a). One base pointer
    with strides for the others takes the same (58 VGPRs at 48). It is information on AMD: whether a step is lost
    depends on the widths and on what else is alive. On gfx1100 48 and more pointers to floats take 9 VGPRs, and two
    loops 61: there the finding would do harm. The rule is silent on NVIDIA, where the number of pointers does not tell
    (floats: 48 pointers 32 registers, 56 71, 64 32); Intel was not measured.

    ## Measured
    Our own pairs in `testdata/evidence/RP603`, before -> after the repair; clang 19.1.7, nvcc 13.0.88, `-O3`; times on
    an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | doubles | gfx1100 | 104 -> 28 | 0 | 0 | 12 -> 16 | |
    | doubles | gfx90a | 112 -> 70 | 0 | 0 | 4 -> 7 | |
    | doubles | sm_90 | 32 | 0 | 0 | 64 | 0.359 -> 0.359 (1.00 x) |
    | few | gfx1100 | 30 -> 18 | 0 | 0 | 16 | |
    | few | gfx90a | 53 -> 29 | 0 | 0 | 8 | |
    | few | sm_90 | 32 -> 40 | 0 | 0 | 64 -> 48 | 0.0949 -> 0.0983 (0.97 x) |
    | floats | gfx1100 | 9 -> 61 | 0 | 0 | 16 | |
    | floats | gfx90a | 66 -> 62 | 0 | 0 | 7 -> 8 | |
    | floats | sm_90 | 71 -> 40 | 0 | 0 | 24 -> 48 | 0.218 -> 0.218 (1.00 x) |
    | once | gfx1100 | 52 -> 53 | 0 | 0 | 16 | |
    | once | gfx90a | 51 -> 52 | 0 | 0 | 8 | |
    | once | sm_90 | 40 | 0 | 0 | 48 | 0.0515 -> 0.0514 (1.00 x) |

    `python benchmarks/measure_evidence.py RP603` makes this table.

    ## Example
    ```hip
    __global__ void __launch_bounds__(256) mixture(
        const double* __restrict__ p0, const double* __restrict__ p1, const double* __restrict__ p2,
        const double* __restrict__ p3, const double* __restrict__ p4, const double* __restrict__ p5,
        const double* __restrict__ p6, const double* __restrict__ p7, const double* __restrict__ p8,
        const double* __restrict__ p9, const double* __restrict__ p10, const double* __restrict__ p11,
        const double* __restrict__ p12, const double* __restrict__ p13, const double* __restrict__ p14,
        const double* __restrict__ p15, const double* __restrict__ p16, const double* __restrict__ p17,
        const double* __restrict__ p18, const double* __restrict__ p19, const double* __restrict__ p20,
        const double* __restrict__ p21, const double* __restrict__ p22, const double* __restrict__ p23,
        const double* __restrict__ p24, const double* __restrict__ p25, const double* __restrict__ p26,
        const double* __restrict__ p27, const double* __restrict__ p28, const double* __restrict__ p29,
        const double* __restrict__ p30, const double* __restrict__ p31, const double* __restrict__ p32,
        const double* __restrict__ p33, const double* __restrict__ p34, const double* __restrict__ p35,
        const double* __restrict__ p36, const double* __restrict__ p37, const double* __restrict__ p38,
        const double* __restrict__ p39, const double* __restrict__ p40, const double* __restrict__ p41,
        const double* __restrict__ p42, const double* __restrict__ p43, const double* __restrict__ p44,
        const double* __restrict__ p45, const double* __restrict__ p46, const double* __restrict__ p47,
        double* __restrict__ out, int n, int m) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s = 0.0;
      for (int j = 0; j < m; ++j) {
        s += p0[i + j * n] + p1[i + j * n] + p2[i + j * n] + p3[i + j * n] + p4[i + j * n] + p5[i + j * n] +
             p6[i + j * n] + p7[i + j * n] + p8[i + j * n] + p9[i + j * n] + p10[i + j * n] + p11[i + j * n] +
             p12[i + j * n] + p13[i + j * n] + p14[i + j * n] + p15[i + j * n] + p16[i + j * n] + p17[i + j * n] +
             p18[i + j * n] + p19[i + j * n] + p20[i + j * n] + p21[i + j * n] + p22[i + j * n] + p23[i + j * n] +
             p24[i + j * n] + p25[i + j * n] + p26[i + j * n] + p27[i + j * n] + p28[i + j * n] + p29[i + j * n] +
             p30[i + j * n] + p31[i + j * n] + p32[i + j * n] + p33[i + j * n] + p34[i + j * n] + p35[i + j * n] +
             p36[i + j * n] + p37[i + j * n] + p38[i + j * n] + p39[i + j * n] + p40[i + j * n] + p41[i + j * n] +
             p42[i + j * n] + p43[i + j * n] + p44[i + j * n] + p45[i + j * n] + p46[i + j * n] + p47[i + j * n];
      }
      out[i] = s;
    }
    ```

    ## Use instead
    ```hip
    __global__ void __launch_bounds__(256) mixture(
        const double* __restrict__ p0, const double* __restrict__ p1, const double* __restrict__ p2,
        const double* __restrict__ p3, const double* __restrict__ p4, const double* __restrict__ p5,
        const double* __restrict__ p6, const double* __restrict__ p7, const double* __restrict__ p8,
        const double* __restrict__ p9, const double* __restrict__ p10, const double* __restrict__ p11,
        const double* __restrict__ p12, const double* __restrict__ p13, const double* __restrict__ p14,
        const double* __restrict__ p15, const double* __restrict__ p16, const double* __restrict__ p17,
        const double* __restrict__ p18, const double* __restrict__ p19, const double* __restrict__ p20,
        const double* __restrict__ p21, const double* __restrict__ p22, const double* __restrict__ p23,
        const double* __restrict__ p24, const double* __restrict__ p25, const double* __restrict__ p26,
        const double* __restrict__ p27, const double* __restrict__ p28, const double* __restrict__ p29,
        const double* __restrict__ p30, const double* __restrict__ p31, const double* __restrict__ p32,
        const double* __restrict__ p33, const double* __restrict__ p34, const double* __restrict__ p35,
        const double* __restrict__ p36, const double* __restrict__ p37, const double* __restrict__ p38,
        const double* __restrict__ p39, const double* __restrict__ p40, const double* __restrict__ p41,
        const double* __restrict__ p42, const double* __restrict__ p43, const double* __restrict__ p44,
        const double* __restrict__ p45, const double* __restrict__ p46, const double* __restrict__ p47,
        double* __restrict__ out, int n, int m) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      double s = 0.0;
      for (int j = 0; j < m; ++j) {
        s += p0[i + j * n] + p1[i + j * n] + p2[i + j * n] + p3[i + j * n] + p4[i + j * n] + p5[i + j * n] +
             p6[i + j * n] + p7[i + j * n] + p8[i + j * n] + p9[i + j * n] + p10[i + j * n] + p11[i + j * n] +
             p12[i + j * n] + p13[i + j * n] + p14[i + j * n] + p15[i + j * n] + p16[i + j * n] + p17[i + j * n] +
             p18[i + j * n] + p19[i + j * n] + p20[i + j * n] + p21[i + j * n] + p22[i + j * n] + p23[i + j * n];
      }
      for (int j = 0; j < m; ++j) {
        s += p24[i + j * n] + p25[i + j * n] + p26[i + j * n] + p27[i + j * n] + p28[i + j * n] + p29[i + j * n] +
             p30[i + j * n] + p31[i + j * n] + p32[i + j * n] + p33[i + j * n] + p34[i + j * n] + p35[i + j * n] +
             p36[i + j * n] + p37[i + j * n] + p38[i + j * n] + p39[i + j * n] + p40[i + j * n] + p41[i + j * n] +
             p42[i + j * n] + p43[i + j * n] + p44[i + j * n] + p45[i + j * n] + p46[i + j * n] + p47[i + j * n];
      }
      out[i] = s;
    }
    ```

    ## When to ignore
    Where the loop is short against the rest, and where splitting it would read the same data twice: two loops over the
    same arrays cost memory traffic that registers do not make up for.

    ## Fix safety
    There is no fix: splitting a loop changes the order of its reads and writes.

    ## Sources
    evidence/efficacy.md section 7c (own measurements).
    """

    code = "RP603"
    name = "many-live-pointers"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per outermost loop with that many pointers, at its beginning."""
        targets = targets_of(facts, "amd")
        kernel = facts.kernel
        if not targets or kernel.path != facts.file.path or not _may_have_many(facts):
            return
        covered: list[Span] = []
        for loop in facts.loops:
            if loop.unrolled or any(span.contains(loop.loop.span) for span in covered):
                continue
            found = len(_pointers(loop.loop))
            severities = {target: Severity.INFO for target in targets if found >= (_GFX9 if is_gfx9(target) else _RDNA)}
            if not severities:
                continue
            covered.append(loop.loop.span)
            message = f"{found} pointers are used in one loop: their addresses do not fit into the scalar registers of "
            message += f"{listing(severities)}, and those that are spilled take vector registers"
            advice = "split the loop into two with half of the arrays each, if they do not share what they read"
            span = Span(loop.loop.span.start, loop.loop.span.start + 3)
            yield Finding(span, message, severities, advice, (), None, kernel.name)


def _may_have_many(facts: KernelFacts) -> bool:
    """False for kernels whose arguments cannot hold that many pointers, which is nearly all of them."""
    function = facts.kernel.function
    arguments = (*function.parameters, *function.captures)
    pointers = sum(variable.type.pointers > 0 for variable in arguments)
    return pointers >= _GFX9 or any(variable.type.struct and not variable.type.pointers for variable in arguments)


def _pointers(loop: Loop) -> set[_Pointer]:
    """Pointer arguments, and pointer members of struct arguments, that the loop reads or writes through."""
    found: set[_Pointer] = set()
    for node in walk(loop):
        root = _root(node)
        if root is not None:
            found.add(root)
    return found


def _root(node: Expr | Stmt) -> _Pointer | None:
    if not isinstance(node, Index) and not (isinstance(node, Unary) and node.op == "*"):
        return None
    base = node.base if isinstance(node, Index) else node.operand
    if isinstance(base, Member) and isinstance(base.base, Name) and not base.arrow:
        owner = base.base.variable
        return _Pointer(owner, base.field) if owner is not None and owner.storage in _ARGUMENTS else None
    variable = memory_root(base)
    if variable is None or variable.storage not in _ARGUMENTS:
        return None
    return _Pointer(variable, "", variable.type.pointee_size == _WIDE)
