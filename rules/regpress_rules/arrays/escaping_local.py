"""RP409 escaping-local."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity, Span
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax import Assign, Call, Cast, Conditional, Expr, Index, Name, Unary
from regpress_lint.cpp.traversal import names_in, walk
from regpress_lint.source_level.arrays import AMD_LDS_BYTES
from regpress_rules._place import place, vendor_of
from regpress_rules._words import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax import Function, Stmt, Variable
    from regpress_lint.source_level.arrays import PrivateArray

_SMALLEST, _LARGEST = (
    16,
    256,
)  # bytes: smaller ones cost little, larger ones fill the registers when they are kept there
_BULK = frozenset(("memcpy", "memset", "memmove"))


class _Escape(NamedTuple):
    """Why an array needs an address. vendors: whose compilers keep it in memory for that."""

    span: Span
    reason: str
    note: str
    advice: str
    vendors: tuple[str, ...]
    severity: Severity = Severity.WARNING
    swap: bool = False


class EscapingLocal(Rule):
    """An array of a thread that could live in registers, and whose address goes where the compiler cannot follow.

    ## What it does
    Reports automatic arrays of up to 256 bytes, all of whose indices are constants, whose address

    - is an argument of a device function that is not inlined (`noinline`, called through a pointer, recursive),
    - is in a pointer that a run-time loop swaps with another (`t = p; p = q; q = t;`),
    - goes to `memcpy` or `memset` with a size known only at run time.

    ## Why it costs
    Registers have no addresses. An array is split into registers when every access to it is seen with a constant
    index; one pointer that must be a real one keeps all of it in private memory. clang puts arrays of up to 32 bytes
    into LDS in place of scratch, for each of the threads of the largest block that it has to expect.

    ## Targets
    Private memory in bytes per thread, array of floats (LDS of a block where it says so):

    | | gfx90a (clang 19.1.7) | sm_90 (nvcc 13.0.88) |
    |---|---|---|
    | float[8] handed to a `noinline` function | 32 KB LDS | 32 |
    | ... to one of two functions through a pointer | 48, 45 VGPRs | 32 |
    | ... to a recursive function | 80, 45 VGPRs | 32 |
    | two float[4] behind swapped pointers, run-time loop | 48 | 0 |
    | two float[12] | 112 | 0 |
    | the same in a loop of three iterations | 0 | 0 |
    | one of two float[4] chosen by a condition | 0 | 0 |
    | float[12], `memcpy` or `memset` of run-time size | 64 | 48 |
    | the same with a constant size | 0 | 0 |

    A `memcpy` of constant size keeps nothing out of registers and is silent. nvcc makes loads of single bytes of it (48
    of them for float[12], 12 for a loop over the elements), and the loop was twice as fast: that costs loads, not
    registers.

    Swapped pointers are a warning on AMD only. A recursive function is information, because the array is not what it
    costs most. Arrays with a run-time index would stay in memory for that reason anyway and are not this rule's.

    ## Measured
    Our own pairs in `testdata/evidence/RP409`, before -> after the repair; clang 19.1.7, nvcc 13.0.88, `-O3`; times on
    an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | block | gfx1100 | 16 -> 15 | 0 | 0 | 16 | |
    | block | gfx90a | 17 -> 16 | 0 | 0 | 8 | |
    | block | sm_90 | 30 -> 24 | 0 | 0 | 64 | 0.035 -> 0.0171 (2.05 x) |
    | chosen | gfx1100 | 42 -> 15 | 64 -> 0 | 0 | 16 | |
    | chosen | gfx90a | 42 -> 20 | 64 -> 0 | 0 | 8 | |
    | chosen | sm_90 | 32 -> 18 | 48 -> 0 | 0 | 64 | 0.0281 -> 0.00858 (3.28 x) |
    | handed | gfx1100 | 32 -> 26 | 0 | 0 | 4 -> 16 | |
    | handed | gfx90a | 28 -> 38 | 64 -> 0 | 0 | 8 | |
    | handed | sm_90 | 32 -> 30 | 48 -> 0 | 0 | 64 | 0.0277 -> 0.0193 (1.43 x) |
    | swapped | gfx1100 | 28 -> 30 | 112 -> 0 | 0 | 16 | |
    | swapped | gfx90a | 28 | 112 -> 0 | 0 | 8 | |
    | swapped | sm_90 | 32 | 0 | 0 | 64 | 0.0222 -> 0.0226 (0.98 x) |
    | tail | gfx1100 | 16 | 64 -> 0 | 0 | 16 | |
    | tail | gfx90a | 14 -> 18 | 64 -> 0 | 0 | 8 | |
    | tail | sm_90 | 25 -> 24 | 48 -> 0 | 0 | 64 | 0.0462 -> 0.0197 (2.35 x) |
    | unrolled | gfx1100 | 25 | 0 | 0 | 16 | |
    | unrolled | gfx90a | 31 | 0 | 0 | 8 | |
    | unrolled | sm_90 | 32 | 0 | 0 | 64 | 0.0167 -> 0.0166 (1.01 x) |

    `python benchmarks/measure_evidence.py RP409` makes this table.

    ## Example
    ```hip
    __global__ void relax(const float* a, float* b, int m, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float x[4], y[4];
      for (int j = 0; j < 4; ++j) x[j] = a[j * n + i];
      float* from = x;
      float* to = y;
      for (int k = 0; k < m; ++k) {
        for (int j = 0; j < 4; ++j) to[j] = 0.5f * from[j] + from[(j + 1) & 3];
        float* t = from;
        from = to;
        to = t;
      }
      b[i] = from[0] + from[1] + from[2] + from[3];
    }
    ```

    ## Use instead
    ```hip
    __global__ void relax(const float* a, float* b, int m, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float x[4], y[4];
      for (int j = 0; j < 4; ++j) x[j] = a[j * n + i];
      for (int k = 0; k < m; ++k) {
        for (int j = 0; j < 4; ++j) y[j] = 0.5f * x[j] + x[(j + 1) & 3];
        for (int j = 0; j < 4; ++j) x[j] = y[j];
      }
      b[i] = x[0] + x[1] + x[2] + x[3];
    }
    ```

    ## When to ignore
    Where a function is `noinline` because it is called from many places and seldom executed: its array then costs
    memory only on the way there.

    ## Fix safety
    There is no fix. Copying elements in place of pointers costs moves, which compilers fold by unrolling the loop
    twice; letting a function be inlined costs code.

    ## Sources
    evidence/efficacy.md section 13 (own measurements).
    """

    code = "RP409"
    name = "escaping-local"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding an array, and one for all arrays behind the same pointers."""
        if all(vendor_of(target) == "intel" for target in facts.targets):
            return
        swaps: dict[Function, dict[Variable, Assign]] = {}
        said: set[Span] = set()
        for array in facts.arrays:
            handed = array.escapes or any(access.kind == "address" for access in array.accesses)
            if not handed or not _could_stay(array):
                continue
            if array.function not in swaps:
                swaps[array.function] = _swapped(facts, array.function)
            escape = _escape(facts, array, swaps[array.function])
            if escape is None or (escape.swap and escape.span in said):
                continue
            said.add(escape.span)
            finding = _finding(facts, array, escape)
            if finding is not None:
                yield finding


def _could_stay(array: PrivateArray) -> bool:
    """True if registers could hold the array, were it not for the address."""
    size = array.bytes or 0
    return _SMALLEST <= size <= _LARGEST and not array.dynamic and array.variable.volatile_span is None


def _escape(facts: KernelFacts, array: PrivateArray, swapped: dict[Variable, Assign]) -> _Escape | None:
    variable = array.variable
    swap = swapped.get(variable)
    if swap is not None:
        return _Escape(
            swap.span,
            "its address is in a pointer that a run-time loop swaps with another",
            "swapped here",
            "copy the elements, or unroll the loop twice by hand, so that no pointer changes",
            ("amd",),
            swap=True,
        )
    for record in facts.flow_of(array.function).calls:
        call = record.call
        if any(_is_address(argument, variable) for argument in call.args):
            found = _by_call(facts, call)
            if found is not None:
                return found
    return None


def _by_call(facts: KernelFacts, call: Call) -> _Escape | None:
    if call.name in _BULK and len(call.args) == 3:
        if not _known_at_run_time(facts, call.args[2]):
            return None
        return _Escape(
            call.span,
            f"`{call.name}` gets a size that is known only at run time",
            "size known only at run time",
            "write a loop over all elements with the size as a condition inside",
            ("amd", "nvidia"),
        )
    advice = "let the function be inlined, or hand over the values and not their address"
    pointer = call.callee.variable if isinstance(call.callee, Name) else None
    if pointer is not None:
        if not isinstance(pointer.init, Conditional):
            return None
        reason = f"its address goes to the function that `{call.name}` points to"
        return _Escape(call.span, reason, "called through a pointer", "call the functions by name", ("amd", "nvidia"))
    target = facts.callee_of(call)
    if target is None:
        return None
    if "noinline" in target.qualifiers:
        reason = f"its address goes to `{call.qualified}`, which is not inlined"
        return _Escape(call.span, reason, "handed over here", advice, ("amd", "nvidia"))
    if any(facts.callee_of(inner.call) is target for inner in facts.flow_of(target).calls):
        reason = f"its address goes to `{call.qualified}`, which calls itself"
        advice = "write the recursion as a loop"
        return _Escape(call.span, reason, "handed over here", advice, ("amd", "nvidia"), Severity.INFO)
    return None


def _is_address(argument: Expr, variable: Variable) -> bool:
    """True for the array's bare name and for the address of an element."""
    if isinstance(argument, Cast):
        argument = argument.operand
    if isinstance(argument, Unary) and argument.op == "&":
        argument = argument.operand
        while isinstance(argument, Index):
            argument = argument.base
    return isinstance(argument, Name) and argument.variable is variable


def _known_at_run_time(facts: KernelFacts, size: Expr) -> bool:
    """True if a size surely is no constant: it depends on an argument or on a variable that is none."""
    if evaluate(size, facts.environment) is not None:
        return False
    variables = [name.variable for name in names_in(size) if name.variable is not None]
    return any(variable.storage in ("local", "parameter") and not variable.type.const for variable in variables)


# ------------------------------------------------------------------------------------------------- swapped pointers


def _swapped(facts: KernelFacts, function: Function) -> dict[Variable, Assign]:
    """Arrays that pointers stand for which a loop that stays one assigns to each other, with one such assignment."""
    flow = facts.flow_of(function)
    pointers = {v for v in flow.declared if v.type.pointers == 1 and not v.dims and v.storage == "local"}
    if len(pointers) < 2:
        return {}
    assigns = [node for node in walk(function.body) if isinstance(node, Assign) and _named(node.target) in pointers]
    rolled = [loop.loop.span for loop in facts.loops_of(function) if not loop.unrolled]
    moves = [
        node for node in assigns if _named(node.value) in pointers and any(span.contains(node.span) for span in rolled)
    ]
    if len(moves) < 2:
        return {}
    reached = _reached(pointers, assigns)
    found: dict[Variable, Assign] = {}
    for node in moves:
        target = _named(node.target)
        behind = reached.get(target, set()) if target is not None else set()
        if len(behind) > 1:
            for array in behind:
                found.setdefault(array, node)
    return found


def _reached(pointers: set[Variable], assigns: list[Assign]) -> dict[Variable, set[Variable]]:
    """Automatic arrays that each pointer may stand for."""
    edges = [(pointer, _array(pointer.init)) for pointer in pointers]
    edges += [(target, _array(node.value)) for node in assigns if (target := _named(node.target)) is not None]
    reached: dict[Variable, set[Variable]] = {pointer: set() for pointer in pointers}
    changed = True
    while changed:
        changed = False
        for target, source in edges:
            if source is None or target not in reached:
                continue
            new = reached.get(source, {source} if source.dims else set())
            if not new <= reached[target]:
                reached[target] |= new
                changed = True
    return reached


def _named(expr: Expr | Stmt | None) -> Variable | None:
    return expr.variable if isinstance(expr, Name) else None


def _array(expr: Expr | None) -> Variable | None:
    """The array or pointer that an expression is the address of."""
    if isinstance(expr, Unary) and expr.op == "&":
        expr = expr.operand
        while isinstance(expr, Index):
            expr = expr.base
    variable = _named(expr)
    return variable if variable is not None and variable.storage == "local" else None


# ----------------------------------------------------------------------------------------------------------- report


def _finding(facts: KernelFacts, array: PrivateArray, escape: _Escape) -> Finding | None:
    size = array.bytes or 0
    severities = {
        target: escape.severity
        for target in facts.targets
        if vendor_of(target) in escape.vendors
        and not (vendor_of(target) == "amd" and not escape.swap and _little(facts, size))
    }
    if not severities:
        return None
    variable = array.variable
    where = place(facts, variable.span, array.function.path, "the array")
    notes = (*where.notes, Note(escape.span, escape.note)) if where.here else where.notes
    message = (
        f"array `{variable.name}` ({array.elements} x {variable.type.name}, {count(size, 'byte')}) cannot live in "
        f"registers: {escape.reason}, so it goes to private memory"
    )
    return Finding(where.span, message, severities, escape.advice, notes, None, facts.kernel.name)


def _little(facts: KernelFacts, size: int) -> bool:
    """True for what clang keeps in the LDS of a block that launch bounds make small."""
    return size <= AMD_LDS_BYTES and facts.kernel.launch_bounds is not None
