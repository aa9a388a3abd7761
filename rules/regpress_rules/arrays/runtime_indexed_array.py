"""RP403 runtime-indexed-array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Rule, Severity, Span
from regpress_lint.cpp.constants import evaluate
from regpress_lint.source_level.vectors import budget, is_vector
from regpress_lint.targets.occupancy import architecture, register_cap
from regpress_rules._memory import own_root
from regpress_rules._place import place, targets_of, vendor_of
from regpress_rules._words import count, listing
from regpress_rules.arrays._indexed_structs import in_shared, indexed_structs
from regpress_rules.arrays._private import (
    Case,
    calls_math,
    cases,
    described,
    fits,
    frame_of,
    is_cold,
    is_crowded_out,
    lds_price,
    lds_threads,
    loop_advice,
    notes_of,
    places,
    price,
    shown_access,
    why,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.source_level.arrays import PrivateArray

_SHARED_BYTES = 48 * 1024  # static shared memory of a block on NVIDIA, and less than an AMD work-group may have
_SHORT = 16  # elements of an array that clang keeps in registers whatever the index


class RuntimeIndexedArray(Rule):
    """A private array whose index is known only at run time: it lives in memory and not in registers.

    ## What it does
    Registers have no addresses: an array stays in them only if every index is a constant once the compiler has
    unrolled what it unrolls. The rule names the array, the index that is no constant, where it stands and why it is
    none: the loop is bounded by a value that is known at run time, a pragma keeps it rolled, its body is too long, or
    the index depends on the thread, on memory, an argument, a call, or on itself (a stack pointer). Arrays that the
    same loops keep in memory are one finding. Structs that are indexed at run time (a member array, a vector read
    through a pointer to its components) count too.

    It is information where the run-time index stands outside of the loops that use the array most: those go on in
    registers, and the array is copied to memory once; and where there is no other place for the array, because it is
    too large for registers and, with all threads of a block, for shared memory (on Intel a sub-group can share it).
    Small arrays that clang moves to LDS instead (up to 32 bytes a thread on gfx9, 64 on gfx11) are a warning if that
    LDS leaves fewer waves by the launches in view, information if no block size is in view, else a hint.

    Left to other rules: constant tables (RP404), `volatile` arrays (RP401, a hint here), arguments (RP601), copies of
    structs in memory (RP408), register tiles (RP407), arrays that stay in registers but are wide (RP402). Silent:
    indices that rest on a name that is not in view, such as a template parameter, because that is most likely a
    constant.

    ## Why it costs
    Every access becomes a load or a store of memory, which each thread has for itself: L1 and L2 are shared by
    thousands of them. On an H200 a histogram of 16 floats ran 3.3 times faster from shared memory, and a register tile
    25 times faster with constant bounds, although its occupancy fell from 64 warps to 16.

    ## Targets
    An array of N elements at an index that is no constant:

    | | gfx90a, gfx1100 (clang 19.1.7) | sm_90 (nvcc 13.0.88) | pvc (IGC 1.0.12504) |
    |---|---|---|---|
    | one dimension, scalars | registers up to 16 elements of any width, 17 are scratch | see below | 128 B, see below |
    | two dimensions, structs, vectors | LDS up to 32 B (gfx9) or 64 B (gfx11), else scratch | see below | as above |
    | several of these in a kernel | half of the registers at most | see below | as above |
    | 8-bit elements | as above | local memory | memory |
    | more than 1,023 bytes, whatever the index | scratch | local memory | memory |

    clang spends half of the registers that the launch bounds leave on such arrays: without bounds 256 bytes on gfx90a,
    384 on gfx1100, 128 on gfx906 and gfx908 (where `double[16]` alone is too much), four times that for blocks of 256.
    ptxas turns all such arrays of a kernel into registers together or none of them, with a select for each element at
    each access: it does for few 32-bit words (a read outside of loops: up to 64, an update in a loop: 4), never for
    others. IGC keeps up to 128 B in registers (64 B of 64-bit elements; 96 B at a required sub-group size of 16, 48 B
    at 32). clang unrolls longer loops than usual where they index a private array: about twice what nvcc does
    (11,500 against 5,300 of the estimate's units of size).
    `#pragma nounroll` means nothing to nvcc. Newer IGC sources allow 192 B at sub-group sizes 8 and 16 and 96 B at 32:
    what only the older one puts into memory is information. Newer versions of clang keep 32 dwords.

    ## Measured
    Our own pairs in `testdata/evidence/RP403`, before -> after the repair; clang 19.1.7, IGC 1.0.12504, nvcc 13.0.88,
    `-O3`; times on an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | bins | gfx1100 | 34 -> 10 | 144 -> 0 | 0 | 16 -> 8 | |
    | bins | gfx90a | 34 | 144 -> 0 | 0 | 8 -> 2 | |
    | bins | pvc | | 512 -> 0 | 12 -> 0 | |  |
    | bins | sm_90 | 30 -> 26 | 128 -> 0 | 0 | 64 -> 48 | 2.72 -> 0.0914 (29.80 x) |
    | bytes | pvc | | 32 -> 0 | 0 | |  |
    | calls | gfx1100 | 26 -> 27 | 112 -> 0 | 0 | 16 -> 10 | |
    | calls | gfx90a | 31 | 112 -> 0 | 0 | 8 -> 2 | |
    | calls | sm_90 | 32 -> 31 | 96 -> 0 | 0 | 64 | 0.33 -> 0.322 (1.02 x) |
    | cold | gfx1100 | 26 | 112 -> 0 | 0 | 16 | |
    | cold | gfx90a | 28 | 112 -> 0 | 0 | 8 | |
    | cold | sm_90 | 30 | 96 | 0 | 64 | 0.0605 -> 0.0617 (0.98 x) |
    | degree | gfx1100 | 8 -> 30 | 112 -> 0 | 0 | 16 | |
    | degree | gfx90a | 10 -> 30 | 112 -> 0 | 0 | 8 | |
    | degree | sm_90 | 31 -> 32 | 96 -> 0 | 0 | 64 | 0.223 -> 0.173 (1.29 x) |
    | fields | gfx1100 | 22 -> 14 | 0 | 0 | 4 -> 16 | |
    | fields | gfx90a | 11 -> 18 | 80 -> 0 | 0 | 8 -> 4 | |
    | fields | sm_90 | 24 | 64 -> 0 | 0 | 64 | 0.513 -> 0.0457 (11.23 x) |
    | heavy | gfx1100 | 42 -> 95 | 176 -> 0 | 0 | 16 | |
    | heavy | gfx90a | 58 -> 100 | 176 -> 0 | 0 | 8 -> 4 | |
    | heavy | sm_90 | 46 -> 56 | 160 -> 0 | 0 | 40 -> 32 | 0.742 -> 0.682 (1.09 x) |
    | histogram | gfx1100 | 22 -> 10 | 0 | 0 | 16 | |
    | histogram | gfx90a | 21 -> 18 | 0 | 0 | 8 -> 4 | |
    | histogram | sm_90 | 22 -> 26 | 64 -> 0 | 0 | 64 | 2.48 -> 0.0876 (28.35 x) |
    | medium | gfx1100 | 88 | 0 | 0 | 16 | |
    | medium | gfx90a | 72 | 0 | 0 | 7 | |
    | medium | sm_90 | 48 -> 56 | 160 -> 0 | 0 | 40 -> 32 | 0.349 -> 0.291 (1.20 x) |
    | member | gfx1100 | 26 -> 10 | 104 -> 0 | 0 | 16 -> 10 | |
    | member | gfx90a | 26 -> 28 | 104 -> 0 | 0 | 8 -> 2 | |
    | member | sm_90 | 30 -> 22 | 104 -> 0 | 0 | 64 | 0.807 -> 0.0475 (16.98 x) |
    | pairs | gfx1100 | 11 -> 15 | 0 | 0 | 2 -> 16 | |
    | pairs | gfx90a | 10 -> 14 | 0 | 0 | 0.5 -> 8 | |
    | rolled | gfx1100 | 22 | 96 -> 0 | 0 | 16 | |
    | rolled | gfx90a | 24 -> 26 | 96 -> 0 | 0 | 8 | |
    | rolled | sm_90 | 28 -> 30 | 80 -> 0 | 0 | 64 | 1.2 -> 0.0511 (23.52 x) |
    | select | gfx1100 | 11 -> 12 | 0 | 0 | 16 | |
    | select | gfx90a | 17 | 0 | 0 | 8 | |
    | select | sm_90 | 18 -> 20 | 0 | 0 | 64 | 0.00733 -> 0.0103 (0.71 x) |
    | several | gfx1100 | 103 -> 111 | 144 -> 0 | 0 | 12 | |
    | several | gfx90a | 96 -> 112 | 144 -> 0 | 0 | 5 -> 4 | |
    | sixteen | pvc | | 128 -> 0 | 0 | |  |

    `python benchmarks/measure_evidence.py RP403` makes this table.

    ## Example
    ```cuda
    __global__ void histogram(const int* a, float* b, int m) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float h[32] = {};
      for (int j = 0; j < m; ++j) h[a[j * 4096 + i] & 31] += 1.0f;
      for (int k = 0; k < 32; ++k) b[k * 4096 + i] = h[k];
    }
    ```

    ## Use instead
    ```cuda
    __global__ void histogram(const int* a, float* b, int m) {
      __shared__ float h[32][128];
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      for (int k = 0; k < 32; ++k) h[k][threadIdx.x] = 0.0f;
      for (int j = 0; j < m; ++j) h[a[j * 4096 + i] & 31][threadIdx.x] += 1.0f;
      for (int k = 0; k < 32; ++k) b[k * 4096 + i] = h[k][threadIdx.x];
    }
    ```

    ## When to ignore
    Keeping the array in registers or in shared memory has a price, which the help names: a kernel of mcpr lost 176
    bytes of scratch and went from 32 to 94 registers on sm_90, 64 to 16 warps; a column of shared memory for each
    thread leaves few waves where the array is large (`bins` below: 8 to 2 on gfx90a with blocks of 256). Where the
    array is used rarely, or its content fits the cache, leave it.

    ## Fix safety
    The fix writes `#pragma unroll` in front of counted loops with constant bounds that are not unrolled only because
    they are long, if the array then fits into the registers by the estimate and the body calls no mathematical
    functions: unrolling 30 calls of `powf` and `sinf` took gfx90a from 40 VGPRs and 128 bytes of scratch to 128 VGPRs,
    216 bytes and 69 spills. It is unsafe: code grows, registers may rise by a step, and a product and a sum of two
    iterations may be contracted into one operation, whose last bit differs.

    ## Sources
    evidence/efficacy.md sections 5a, 11, 12, 13 and 18 (own measurements), evidence/timing/README.md; AMD lab notes
    "Register pressure in AMD CDNA2 GPUs"; Intel's registerization chapter of the oneAPI GPU Optimization Guide; IGC,
    LowerGEPForPrivMem.cpp.
    """

    code = "RP403"
    name = "runtime-indexed-array"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding for arrays that the same loops keep in memory, one for any other array or struct."""
        for case in cases(facts):
            if not case.tile:
                yield _finding(facts, case)
        yield from indexed_structs(facts)


def _finding(facts: KernelFacts, case: Case) -> Finding:
    array = case.array
    shared = array.function is not facts.kernel.function
    where = place(facts, array.variable.span, array.function.path, "the array")
    frames = {target: frame.where for target, frame in case.frames.items()}
    verb = "is moved to" if set(frames.values()) == {"LDS"} else "goes to"
    message = f"private array {described(array)} {verb} {places(frames)}{_cause(facts, case)}"
    if "LDS" in frames.values():
        assert array.bytes is not None
        threads = lds_threads(facts)
        bound = "launch bound" if facts.kernel.launch_bounds is not None else "default bound"
        message += f"; clang takes {array.bytes} x {threads:,} bytes of LDS for the threads of the {bound}"
    message += _threshold(facts, case)
    message += _company(facts, case)
    severities = {target: frame.severity for target, frame in case.frames.items()}
    if not _curable(facts, case):
        severities = {name: _unless_intel(name, severity) for name, severity in severities.items()}
    fix = _fix(facts, case) if where.here else None
    help_ = _advice(facts, case, shared=shared)
    return Finding(where.span, message, severities, help_, where.notes + notes_of(case), fix, facts.kernel.name)


def _company(facts: KernelFacts, case: Case) -> str:
    """The other arrays of a case, and on which targets where that is not all of them."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for other in case.arrays[1:]:
        own = tuple(target for target in case.frames if frame_of(facts, target, other) is not None)
        groups.setdefault(own or tuple(case.frames), []).append(f"`{other.variable.name}`")
    text = ""
    for own, names in groups.items():
        text += f"; {listing(names)} {'goes' if len(names) == 1 else 'go'} with it"
        text += "" if own == tuple(case.frames) else f" on {listing(own)}"
    return text


def _curable(facts: KernelFacts, case: Case) -> bool:
    """True if there is another place for the array: registers, shared memory, or a constant table."""
    if any(frame.where == "LDS" for frame in case.frames.values()) or in_shared(facts, case.array.bytes):
        return True
    return fits(facts, case) if case.loops else _holds_constants(facts, case.array)


def _unless_intel(name: str, severity: Severity) -> Severity:
    """Information, but on Intel, where a sub-group can share an array that is too large for a work-item."""
    return severity if vendor_of(name) == "intel" else min(severity, Severity.INFO)


def _cause(facts: KernelFacts, case: Case) -> str:
    if case.worst is None:
        return ": it is larger than the 1,023 bytes that compilers make registers of"
    access, reasons = case.worst
    text = f" because the index of `{shown_access(facts, case.array, access)}` is no constant: {why(reasons[0])}"
    if len(reasons) > 1 and why(reasons[1]) != why(reasons[0]):
        text += f" and {why(reasons[1])}"
    if is_cold(case.array):
        text += "; it is copied there once, outside of the loops that use it most"
    return text


def _threshold(facts: KernelFacts, case: Case) -> str:
    array, vendors = case.array, dict.fromkeys(map(vendor_of, case.frames))
    if not case.reasons:
        return ""
    parts: list[str] = []
    if "amd" in vendors and "LDS" not in {frame.where for frame in case.frames.values()}:
        crowded = _crowded(facts, case)
        if crowded is not None:
            bytes_ = count(budget(facts.target(crowded).budget), "byte")
            parts.append(f"clang keeps {bytes_} of such arrays for blocks of up to {lds_threads(facts):,} threads")
        elif len(array.variable.dims) > 1:
            parts.append("clang keeps no array of two dimensions above 32 bytes")
        elif (array.elements or 0) > _SHORT:
            parts.append(f"clang keeps {_SHORT} elements at most")
        else:
            parts.append("clang keeps no array of structs above 32 bytes")
    if "nvidia" in vendors:
        parts.append("nvcc keeps one only if selecting among all elements is cheap")
    if "intel" in vendors:
        size = facts.kernel.sub_group_size
        lanes = f"at sub-group size {size}" if size is not None else "without a required sub-group size"
        parts.append(
            "IGC keeps none of 8-bit elements"
            if array.variable.type.size == 1
            else f"IGC 1.0.12504 keeps {_intel_limit(array, size)} bytes {lanes}, newer versions more"
        )
    return f" ({'; '.join(parts)})" if parts else ""


def _crowded(facts: KernelFacts, case: Case) -> str | None:
    """A target on which the array is in memory only because the kernel has so many of its kind."""
    own = (target for target in case.frames if vendor_of(target) == "amd")
    return next((target for target in own if is_crowded_out(facts, target, case.array)), None)


def _intel_limit(array: PrivateArray, size: int | None) -> int:
    if size is None:
        return 64 if array.variable.type.size == 8 else 128
    return {16: 96, 32: 48}.get(size, 128)


# --------------------------------------------------------------------------------------------------------- advice


def _advice(facts: KernelFacts, case: Case, *, shared: bool) -> str:
    array = case.array
    advice: list[str] = []
    loops = case.loops
    crowded = _crowded(facts, case)
    if crowded is not None and facts.kernel.launch_bounds is None:
        room = register_cap(architecture(crowded), max(facts.block_size, 1))
        advice.append(
            f"declare `__launch_bounds__({facts.block_size})`: clang then keeps {count(budget(room), 'byte')} of such "
            f"arrays on {crowded}"
        )
    if not case.reasons:
        advice.append("keep fewer elements in a thread, or the whole in shared memory or LDS")
    elif loops:
        told = "" if shared or any(map(calls_math, loops)) else price(facts, case)
        advice.append(loop_advice(case) + told)
    elif _holds_constants(facts, array):
        advice.append(
            "make it a `static const` table with an initialiser (or `__constant__`): it is the same for all threads"
        )
    else:
        advice.append(_column(facts, array, case.frames))
    elements = array.elements or 0
    if targets_of(facts, "amd") and not loops and case.reasons:
        if _SHORT < elements <= 2 * _SHORT and len(array.variable.dims) == 1:
            advice.append(f"on AMD an array of {_SHORT} elements stays in registers")
        elif elements <= _SHORT and not is_vector(array) and any(vendor_of(t) == "amd" for t in case.frames):
            advice.append("on AMD arrays of scalars, one for each field or row, stay in registers up to 16 elements")
    if array.variable.type.size == 1 and elements <= 16 and not loops:
        advice.append("or pack the elements into the bits of an integer")
    return "; ".join(advice)


def _holds_constants(facts: KernelFacts, array: PrivateArray) -> bool:
    """True if nothing but constants is ever written to the array."""
    if array.escapes or any(access.kind in ("update", "address") for access in array.accesses):
        return False
    flow = facts.flow_of(array.function)
    stored = [assign.value for assign in flow.assigns if own_root(assign.target) is array.variable]
    writes = sum(access.kind == "write" for access in array.accesses)
    return 0 < writes == len(stored) and all(evaluate(value, facts.environment) is not None for value in stored)


def _column(facts: KernelFacts, array: PrivateArray, names: Iterable[str]) -> str:
    assert array.bytes is not None
    threads = facts.block_size
    name = array.variable.name
    elements = array.elements
    if array.bytes * threads > _SHARED_BYTES:
        return f"a constant index, fewer elements, or memory that is made for it: all `{name}` of a block are " + count(
            array.bytes * threads, "byte"
        )
    if facts.kernel.language == "sycl":
        return f"keep it in local memory, a column for each work-item: `{name}[k * {threads} + lid]`"
    return (
        f"keep it in shared memory, a column for each thread: `{name}[{elements}][{threads}]`, indexed "
        f"`[k][threadIdx.x]` ({count(array.bytes * threads, 'byte')} a block{lds_price(facts, names, array.bytes)})"
    )


# ------------------------------------------------------------------------------------------------------------ fix


def _fix(facts: KernelFacts, case: Case) -> Fix | None:
    """`#pragma unroll` in front of counted loops that are all there is to make the indices dynamic."""
    reasons = [reason for each in case.reasons.values() for reason in each]
    if not reasons or any(reason.kind != "body" for reason in reasons) or any(map(calls_math, case.loops)):
        return None
    source = facts.file.source
    edits: list[Edit] = []
    for access in case.reasons:
        if access.function.path not in ("", facts.file.path):
            return None
    for loop in case.loops:
        if loop.loop.unroll is not None or loop.loop.kind != "for":
            return None
        start = loop.loop.span.start
        line = source.line_span(source.line_of(start))
        before = source.text(Span(line.start, start))
        if before.strip() or not source.text(loop.loop.span).startswith("for") or _continued(facts, line):
            return None
        newline = "\r\n" if source.text(Span(line.start, line.end + 2)).endswith("\r\n") else "\n"
        edits.append(Edit(Span(line.start, line.start), f"#pragma unroll{newline}"))
    title = "unroll the loop completely" if len(edits) == 1 else "unroll the loops completely"
    return Fix(title, "unsafe", tuple(edits)) if edits and fits(facts, case) else None


def _continued(facts: KernelFacts, line: Span) -> bool:
    """True inside a macro's body: the line, or the one before it, ends in a backslash."""
    source = facts.file.source
    before = source.line_span(source.line_of(max(line.start - 1, 0)))
    return any(source.text(each).rstrip().endswith("\\") for each in (line, before))


# -------------------------------------------------------------------------------------------------------- structs
