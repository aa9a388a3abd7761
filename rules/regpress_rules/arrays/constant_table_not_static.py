"""RP404 constant-table-not-static."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Note, Rule, Severity, Span
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax import Binary, Constant, Declare, InitList, LambdaExpr, Name, Update
from regpress_lint.cpp.traversal import walk
from regpress_lint.source_level.tables import constant_table
from regpress_rules._place import place, vendor_of
from regpress_rules._words import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax import Expr
    from regpress_lint.source_level.arrays import Access, PrivateArray

_LONGEST_SHOWN = 40
_WORD, _AT_ONCE, _MOST_IN_FOURS = 4, 4, 32
_CONSTEXPR = re.compile(r"\b(?:constexpr|consteval)\b")
_PLAIN_HEAD = re.compile(r"[A-Za-z_]\w*\b(?!\s*\()")


class ConstantTableNotStatic(Rule):
    """A table of constants that every thread copies into its own memory.

    ## What it does
    Reports automatic arrays of a kernel, and of device functions inlined into it, whose initialiser holds constants
    only, that are never written, and that are read at an index known only at run time. Also those that are filled by
    assignments of constants.

    ## Why it costs
    nvcc takes an automatic array by its word: each thread has one of its own. It is copied to the stack frame in
    local memory when the kernel begins, word by word, and then read back from there. `static` makes it one table for
    all threads, in constant memory. clang (HIP, SYCL) reads an initialised table from constant memory without being
    told, but not one that is filled by assignments.

    ## Targets
    Stack frame (sm_90) or scratch (gfx90a) in bytes per thread, table of floats read in a loop:

    | elements | 4 | 9 | 16 | 32 | 64 |
    |---|---|---|---|---|---|
    | initialised, sm_90 (nvcc 13.0.88) | 0 | 40 | 64 | 128 | 256 |
    | the same of doubles | 32 | 72 | 128 | 256 | 512 |
    | initialised, gfx90a (clang 19.1.7) | 0 | 0 | 0 | 0 | 0 |
    | filled by assignments, gfx90a | 0 | 0 | 0 | 144 | 272 |
    | `static const`, all targets | 0 | 0 | 0 | 0 | 0 |

    Small tables that nvcc does without a frame for are silent: few words that are read outside of loops, and tables of
    up to 32 words, a multiple of four, that a loop steps through from a constant on (four of them are read at once).

    What time it costs depends on the index. Constant memory gives one word to all threads of a warp at once: a
    uniform index is as fast as a register. Threads that read different words wait for each other. On an H200 a table
    of 16 floats, read in a loop at an index that differs between the threads, took 0.300 ms from local memory and
    0.321 ms from constant memory: the repaired kernel was slower (0.93). So it is a warning where the index is the
    same for a warp, and where the table is not read in a loop (then the copy costs more than the reads), and
    information where a loop reads it at an index that differs.

    ## Measured
    Our own pairs in `testdata/evidence/RP404`, before -> after the repair; IGC 1.0.12504, clang 19.1.7, nvcc 13.0.88,
    `-O3`; times on an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | assigned | gfx1100 | 36 -> 4 | 144 -> 0 | 0 | 16 | |
    | assigned | gfx90a | 36 -> 6 | 144 -> 0 | 0 | 8 | |
    | assigned | sm_90 | 26 -> 12 | 128 -> 0 | 0 | 64 | 0.126 -> 0.0189 (6.67 x) |
    | codebook | gfx1100 | 4 | 0 | 0 | 16 | |
    | codebook | gfx90a | 6 | 0 | 0 | 8 | |
    | codebook | sm_90 | 24 -> 12 | 64 -> 0 | 0 | 64 | 0.128 -> 0.0309 (4.15 x) |
    | few | gfx1100 | 4 | 0 | 0 | 16 | |
    | few | gfx90a | 4 | 0 | 0 | 8 | |
    | few | sm_90 | 10 -> 14 | 0 | 0 | 64 | 0.0144 -> 0.0155 (0.93 x) |
    | folded | gfx1100 | 28 | 0 | 0 | 16 | |
    | folded | gfx90a | 34 | 0 | 0 | 8 | |
    | folded | sm_90 | 32 | 0 | 0 | 64 | 0.0208 -> 0.0211 (0.98 x) |
    | fours | gfx1100 | 5 | 0 | 0 | 16 | |
    | fours | gfx90a | 8 | 0 | 0 | 8 | |
    | fours | sm_90 | 32 | 0 | 0 | 64 | 0.0227 -> 0.0229 (0.99 x) |
    | gather | gfx1100 | 5 | 0 | 0 | 16 | |
    | gather | gfx90a | 8 | 0 | 0 | 8 | |
    | gather | sm_90 | 32 | 64 -> 0 | 0 | 64 | 0.0504 -> 0.0404 (1.25 x) |
    | lookup | pvc | | 0 | 0 | |  |
    | nodes | gfx1100 | 8 | 0 | 0 | 16 | |
    | nodes | gfx90a | 8 | 0 | 0 | 8 | |
    | nodes | sm_90 | 32 | 32 -> 0 | 0 | 64 | 0.0212 -> 0.0141 (1.50 x) |
    | weights | gfx1100 | 5 | 0 | 0 | 16 | |
    | weights | gfx90a | 8 | 0 | 0 | 8 | |
    | weights | sm_90 | 25 -> 28 | 64 -> 0 | 0 | 64 | 0.0935 -> 0.0693 (1.35 x) |

    `python benchmarks/measure_evidence.py RP404` makes this table.

    ## Example
    ```cuda
    __global__ void smooth(const float* a, float* b, int n, int m) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      const float w[9] = {.05f, .09f, .12f, .15f, .18f, .15f, .12f, .09f, .05f};
      float s = 0.0f;
      for (int k = 0; k < m; ++k) s += w[k] * a[k * n + i];
      b[i] = s;
    }
    ```

    ## Use instead
    ```cuda
    __global__ void smooth(const float* a, float* b, int n, int m) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      static const float w[9] = {.05f, .09f, .12f, .15f, .18f, .15f, .12f, .09f, .05f};
      float s = 0.0f;
      for (int k = 0; k < m; ++k) s += w[k] * a[k * n + i];
      b[i] = s;
    }
    ```

    ## When to ignore
    Where neighbouring threads read different entries and the loop does little else: then a table in shared memory is
    the fastest form, the thread's own copy the next, and `static` alone the last.

    ## Fix safety
    The fix puts `static` in front of the declaration (`static const` if it was not constant): the same values, read
    from another place. It is safe for tables of numbers whose initialisers are literals and constant expressions. It
    is unsafe where the repaired kernel may be slower (an index that differs between threads, read in a loop), and for
    structs. None is offered in a `constexpr` function, which may have no static variable before C++23, in a
    lambda, in a declaration of several variables, and for a table that is filled by assignments.

    ## Sources
    evidence/efficacy.md section 5b, evidence/timing/README.md (own measurements).
    """

    code = "RP404"
    name = "constant-table-not-static"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a table."""
        if all(vendor_of(target) == "intel" for target in facts.targets):
            return
        for array in facts.arrays:
            if array.variable.storage not in ("local", "constexpr") or not array.dynamic or array.escapes:
                continue
            if array.variable.volatile_span is not None or (fill := constant_table(array, facts.environment)) is None:
                continue
            finding = _finding(facts, array, assigned=fill == "assignments")
            if finding is not None:
                yield finding


def _finding(facts: KernelFacts, array: PrivateArray, *, assigned: bool) -> Finding | None:
    slow = _slower_when_static(facts, array)
    severities = {
        target: Severity.INFO if slow and vendor_of(target) == "nvidia" else Severity.WARNING
        for target in facts.targets
        if _pays(facts, target, array, assigned=assigned)
    }
    if not severities:
        return None
    variable, function = array.variable, array.function
    where = place(facts, variable.span, function.path, "the table")
    type_, size = variable.type.name, f", {count(array.bytes, 'byte')}" if array.bytes is not None else ""
    memory = "local memory" if all(vendor_of(target) == "nvidia" for target in severities) else "scratch"
    how = "fills a table of its own by assignments" if assigned else "copies it"
    message = f"constant table `{variable.name}` ({array.elements} x {type_}{size}): every thread {how} in {memory}"
    access = _first(array)
    notes = where.notes
    if where.here and access is not None:
        index = _shown_index(facts, access)
        if 0 < len(index) <= _LONGEST_SHOWN:
            message += f", because index `{index}` is known only at run time"
        notes += (Note(access.span, "read at run time here"),)
    if assigned:
        help_ = f"write it as `static const {type_} {variable.name}[...] = {{...}}`: one table for all threads"
    else:
        help_ = "declare it `static`: one table in constant memory for all threads"
    if slow:
        help_ += (
            "; the index differs between threads, for which such a table took 1.07 x the time in a loop on an H200: "
            "measure it, or put the table into shared memory"
        )
    fix = _fix(facts, array, safe=not slow) if where.here and not assigned else None
    return Finding(where.span, message, severities, help_, notes, fix, facts.kernel.name)


def _pays(facts: KernelFacts, target: str, array: PrivateArray, *, assigned: bool) -> bool:
    """True if the target's compiler keeps a table for every thread; clang folds one (and compiles SYCL)."""
    vendor = vendor_of(target)
    if vendor == "nvidia":
        if facts.kernel.language == "sycl" or array.stays_in_registers("nvidia"):
            return False
        return not _in_fours(facts, array)
    return vendor == "amd" and assigned and not array.stays_in_registers("amd")


def _in_fours(facts: KernelFacts, array: PrivateArray) -> bool:
    """True for a small table that loops only step through from a constant on: nvcc unrolls them four times, reads four
    words at once, and ptxas then has so few places to select from that it needs no frame.
    """
    elements = array.elements
    if elements is None or elements % _AT_ONCE or elements > _MOST_IN_FOURS or array.element_bytes != _WORD:
        return False
    return all(len(access.indices) == 1 and _steps_through(facts, access) for access in array.dynamic)


def _steps_through(facts: KernelFacts, access: Access) -> bool:
    index, loop = access.indices[0], access.loops[-1] if access.loops else None
    if loop is None or loop.unrolled or not isinstance(loop.loop.step, Update):
        return False
    if isinstance(index, Binary) and index.op in ("+", "-") and evaluate(index.right, facts.environment) is not None:
        index = index.left
    if not isinstance(index, Name) or index.variable is not loop.counter or loop.counter is None:
        return False
    return evaluate(loop.counter.init, facts.environment) is not None


def _slower_when_static(facts: KernelFacts, array: PrivateArray) -> bool:
    """True if a loop reads the table at an index that may differ between threads: constant memory takes turns then."""
    function = array.function
    for access in array.dynamic:
        if all(loop.unrolled or loop.loop.span.contains(array.variable.span) for loop in access.loops):
            continue
        own = function.span.contains(access.span)  # else in a function that it is handed to
        if not own or not all(map(facts.uniform(function=function), access.indices)):
            return True
    return False


def _first(array: PrivateArray) -> Access | None:
    """The first run-time index in the function that owns the table."""
    body = array.function.span
    return next((access for access in array.dynamic if access.indices and body.contains(access.span)), None)


def _shown_index(facts: KernelFacts, access: Access) -> str:
    """The index that is no constant, as it is written."""
    moving = (index for index in access.indices if evaluate(index, facts.environment) is None)
    index = next(moving, None)
    return "" if index is None else " ".join(facts.file.source.text(index.span).split())


# ------------------------------------------------------------------------------------------------------------ fix


def _fix(facts: KernelFacts, array: PrivateArray, *, safe: bool) -> Fix | None:
    variable, function, source = array.variable, array.function, facts.file.source
    declared, text = variable.declaration, source.text(variable.declaration)
    if source.text(variable.span) != variable.name or not declared.contains(variable.span):
        return None
    if not _PLAIN_HEAD.match(text) or text.startswith(("static", "extern", "alignas", "else", "register")):
        return None
    if _CONSTEXPR.search(source.text(Span(function.span.start, function.name_span.start))):
        return None
    if _alone(array) is False or any(access.kind == "address" for access in array.accesses):
        return None
    constant = variable.type.const or variable.storage == "constexpr"
    literal = variable.init is not None and _is_constant_expression(facts, variable.init)
    plain = not variable.type.struct and variable.type.lanes == 1
    word = "static " if constant else "static const "
    edit = Edit(Span(declared.start, declared.start), word)
    return Fix(f"add `{word.strip()}`", "safe" if safe and literal and plain else "unsafe", (edit,))


def _alone(array: PrivateArray) -> bool:
    """True if the declaration has no other variable and stands in no lambda."""
    own = False
    for node in walk(array.function.body):
        if isinstance(node, LambdaExpr) and node.span.contains(array.variable.span):
            return False
        if isinstance(node, Declare) and array.variable in node.variables:
            own = len(node.variables) == 1
    return own


def _is_constant_expression(facts: KernelFacts, init: Expr) -> bool:
    """True if the initialiser may stand behind `static` in device code, where nothing is initialised at run time."""
    for node in walk(init):
        if isinstance(node, (Constant, InitList)):
            continue
        if isinstance(node, Name):
            variable = node.variable
            if variable is not None and variable.storage != "constexpr":
                return False
            if variable is None and facts.file.macro(node.name) is None:
                return False
            continue
        if type(node).__name__ not in ("Unary", "Binary", "Cast"):
            return False
    return True
