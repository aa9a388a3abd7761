"""RP401 volatile-private."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Rule, Severity, Span
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax import Assign, Call, Declare, Expr, Function, Index, Loop, Name, Unary, Unknown, Variable
from regpress_lint.cpp.traversal import is_name, names_in, walk
from regpress_rules._memory import written
from regpress_rules._place import place, targets_of, vendor_of
from regpress_rules._words import count, listing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# nvcc 13 leaves a local float in memory if a constant is stored to it; ptxas then mostly lifts up to three of them
# into registers, or all if no rolled loop uses them, and no double that such a loop uses (evidence/RP401).
_LIFTED = 3


class VolatilePrivate(Rule):
    """`volatile` on a variable or array that belongs to one thread.

    ## What it does
    Reports `volatile` on automatic variables and arrays of a kernel. Pointers to volatile memory and `volatile` on
    shared memory are something else and stay silent: there it is a (dated) way to talk to other threads.

    ## Why it costs
    No other thread can see an automatic variable, so there is nobody for whom its memory must be up to date. But the
    word makes every access a real memory access: the variable gets an address in private memory and cannot live in
    a register, nor can its array be split into registers.

    ## Targets
    Registers, and private memory in bytes per thread (scratch, stack frame, private base):

    | | gfx90a (clang 19.1.7) | gfx1100 | sm_90 (nvcc 13.0.88) | pvc (IGC 1.0.12504) |
    |---|---|---|---|---|
    | array of 32 floats, constant indices | 62 -> 72 VGPRs, 0 -> 144 B | 0 -> 144 B | 0 | 0 -> 128 B |
    | the same, zeroed before a loop that accumulates | | | 47 -> 31, 0 -> 128 B | |
    | float that a loop carries | 8 -> 12 VGPRs, 0 -> 16 B | 0 -> 16 B | 0; four of them 16 B | 0 -> 4 B |
    | `volatile float x = a[i];` read once | 0 -> 8 B | 0 -> 8 B | 0 | not measured |
    | volatile struct | 0 -> 16 B | 0 -> 16 B | 0, six floats 24 B | not measured |

    It is a warning on AMD for every such variable, and on Intel for arrays and loop-carried scalars.

    nvcc drops most of these words by itself. The variables that stayed in local memory (of about 100 that were tried)
    are floating-point, a constant is stored to them one by one (`float s = 0.0f;`, `h[j] = 0.0f;`, not `= {0.0f}`), and
    a loop that is not unrolled uses them. What begins with values from memory, and every integer, was folded: in nvcc's
    PTX the constant is stored as an integer and read as a float, and there its clean-up ends. If such variables of a
    kernel are no more than three floats together, ptxas mostly lifts them into registers, but not always: two sums and
    a third float that the loop stores and reads again stayed (16 B), three sums did not. From four on (five under
    `#pragma unroll 1`), and if a double is among them, they stay. Only these are a warning on NVIDIA, the others a
    hint. Structs of such members were kept as well (six floats: 24 B), but they are not followed and stay a hint, and
    so do those that only a branch keeps in memory.

    ## Measured
    Our own pairs in `testdata/evidence/RP401`, before -> after the repair; IGC 1.0.12504, clang 19.1.7, nvcc 13.0.88,
    `-O3`; times on an H200 (nvcc 13.0.88).

    | pair | target | registers | private bytes | spills | waves | time, ms |
    | --- | --- | --- | --- | --- | --- | --- |
    | carried | gfx1100 | 7 -> 5 | 8 -> 0 | 0 | 16 | |
    | carried | gfx90a | 9 -> 8 | 8 -> 0 | 0 | 8 | |
    | carried | sm_90 | 32 | 0 | 0 | 64 | 0.0212 -> 0.021 (1.01 x) |
    | counts | gfx1100 | 22 -> 27 | 48 -> 0 | 0 | 16 | |
    | counts | gfx90a | 23 -> 35 | 48 -> 0 | 0 | 8 | |
    | counts | sm_90 | 32 | 0 | 0 | 64 | 0.0382 -> 0.0379 (1.01 x) |
    | exact | gfx1100 | 9 -> 8 | 16 -> 0 | 0 | 16 | |
    | exact | gfx90a | 10 -> 8 | 16 -> 0 | 0 | 8 | |
    | exact | sm_90 | 32 | 8 -> 0 | 0 | 64 | 0.0723 -> 0.0677 (1.07 x) |
    | filled | gfx1100 | 23 -> 28 | 48 -> 0 | 0 | 16 | |
    | filled | gfx90a | 24 -> 38 | 48 -> 0 | 0 | 8 | |
    | filled | sm_90 | 32 | 0 | 0 | 64 | 0.044 -> 0.0432 (1.02 x) |
    | moments | gfx1100 | 13 -> 9 | 20 -> 0 | 0 | 16 | |
    | moments | gfx90a | 15 -> 12 | 20 -> 0 | 0 | 8 | |
    | moments | sm_90 | 23 -> 32 | 16 -> 0 | 0 | 64 | 0.156 -> 0.0374 (4.16 x) |
    | once | gfx1100 | 5 -> 4 | 8 -> 0 | 0 | 16 | |
    | once | gfx90a | 5 -> 4 | 8 -> 0 | 0 | 8 | |
    | once | sm_90 | 10 | 0 | 0 | 64 | 0.0142 -> 0.0146 (0.98 x) |
    | pointer | gfx1100 | 4 | 0 | 0 | 16 | |
    | pointer | gfx90a | 4 | 0 | 0 | 8 | |
    | pointer | sm_90 | 10 | 0 | 0 | 64 | 0.0143 -> 0.0141 (1.02 x) |
    | sums | gfx1100 | 22 -> 27 | 48 -> 0 | 0 | 16 | |
    | sums | gfx90a | 23 -> 36 | 48 -> 0 | 0 | 8 | |
    | sums | sm_90 | 32 -> 40 | 32 -> 0 | 0 | 64 -> 48 | 0.0696 -> 0.0387 (1.80 x) |
    | window | gfx1100 | 80 -> 59 | 144 -> 0 | 0 | 16 | |
    | window | gfx90a | 69 -> 63 | 144 -> 0 | 0 | 7 -> 8 | |
    | window | pvc | | 128 -> 0 | 0 | |  |
    | window | sm_90 | 40 | 0 | 0 | 48 | 0.0358 -> 0.0361 (0.99 x) |

    `python benchmarks/measure_evidence.py RP401` makes this table.

    ## Example
    ```hip
    __global__ void stack(const float* a, float* b, int m, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      volatile float s = 0.0f;
      for (int j = 0; j < m; ++j) s = s + a[j * n + i];
      b[i] = s;
    }
    ```

    ## Use instead
    ```hip
    __global__ void stack(const float* a, float* b, int m, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float s = 0.0f;
      for (int j = 0; j < m; ++j) s = s + a[j * n + i];
      b[i] = s;
    }
    ```

    ## When to ignore
    In a micro-benchmark that uses `volatile` to keep a computation alive, and in compensated arithmetic (Kahan sums)
    that uses it as a fence against reassociation under fast math. An `asm volatile("" : "+r"(x))` does the first
    without memory traffic, `__fadd_rn` and its like do the second.

    ## Fix safety
    The fix deletes the word. For integers it is safe: integer arithmetic has one result however it is scheduled, and
    the deletion cannot fail to compile as long as no pointer or reference to the variable is taken (then no fix is
    offered). For floating-point variables it is unsafe: a volatile store rounds its value and hides it from the next
    operation, so that without it the compiler may contract a product and a sum into one fused operation, whose last
    bit differs, and may reassociate under fast math.

    ## Sources
    evidence/efficacy.md sections 4 and 18 (own measurements), evidence/timing/README.md; Intel's registerization
    chapter of the oneAPI GPU Optimization Guide.
    """

    code = "RP401"
    name = "volatile-private"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per `volatile` keyword, in the kernel and in the device functions with arrays inlined into it."""
        owners: dict[Span, tuple[Function, list[Variable]]] = {}
        kernel = facts.kernel.function
        declared = [(kernel, variable) for variable in facts.variables]
        declared += [(array.function, array.variable) for array in facts.arrays if array.function is not kernel]
        for function, variable in declared:
            if variable.volatile_span is None or variable.storage != "local" or variable.type.pointers:
                continue
            owners.setdefault(variable.volatile_span, (function, []))[1].append(variable)
        for span, (function, variables) in owners.items():
            finding = _finding(facts, function, span, variables)
            if finding is not None:
                yield finding


def _finding(facts: KernelFacts, function: Function, span: Span, variables: Sequence[Variable]) -> Finding | None:
    severities: dict[str, Severity] = {}
    carried = _loop_carried(function)
    kept = _kept_by_nvcc(facts, function) if targets_of(facts, "nvidia") else frozenset[Variable]()
    for target in facts.targets:
        found = [_severity(target, variable, variable in carried, variable in kept) for variable in variables]
        worst = max((severity for severity in found if severity is not None), default=None)
        if worst is not None:
            severities[target] = worst
    if not severities:
        return None
    where = place(facts, span, function.path, "the volatile variable")
    fix = _fix(facts, function, span, variables) if where.here else None
    message = f"private {_described(facts, variables)} {'is' if len(variables) == 1 else 'are'} volatile: "
    paying = tuple(target for target, severity in severities.items() if severity > Severity.HINT)
    message += f"every access goes to {_memory(facts, paying)}" if paying else "nvcc drops the word by itself here"
    help_ = "drop `volatile`: no other thread can see the variable"
    return Finding(where.span, message, severities, help_, where.notes, fix, facts.kernel.name)


def _severity(target: str, variable: Variable, carried: bool, kept_by_nvcc: bool) -> Severity | None:
    vendor = vendor_of(target)
    if vendor == "amd" or (vendor == "nvidia" and kept_by_nvcc):
        return Severity.WARNING
    if vendor == "nvidia":
        return Severity.HINT if variable.is_array or carried else None
    return Severity.WARNING if variable.is_array or carried else Severity.INFO


def _kept_by_nvcc(facts: KernelFacts, function: Function) -> frozenset[Variable]:
    """Variables that nvcc leaves in local memory, all or none of the candidates; see the page."""
    stored = _constant_stores(facts, function)
    found = {
        v: n for v, n in stored.items() if v.volatile_span is not None and v.type.floating and v.type.size in (4, 8)
    }
    if sum(found.values()) <= _LIFTED and not any(variable.type.double for variable in found):
        return frozenset()
    rolled = (loop.loop for loop in facts.loops_of(function) if not loop.unrolled)
    used = any(name.variable in found for loop in rolled for name in names_in(loop))
    return frozenset(found if used else ())


def _constant_stores(facts: KernelFacts, function: Function) -> dict[Variable, int]:
    """Elements of each local variable to which a statement of its own stores a constant."""
    found: dict[Variable, int] = {}
    for node in walk(function.body):
        if isinstance(node, Declare):
            scalars = (v for v in node.variables if v.init is not None and not v.is_array)
            found.update((v, 1) for v in scalars if v.init is not None and _is_constant(facts, v.init))
        elif isinstance(node, Assign) and node.op == "=" and _is_constant(facts, node.value):
            variable, every = _stored_to(facts, node.target)
            if variable is not None and variable.storage == "local":
                array = facts.array_of(variable)
                size = array.elements or 1 if array is not None else 1
                found[variable] = size if every else min(size, found.get(variable, 0) + 1)
    return found


def _stored_to(facts: KernelFacts, target: Expr) -> tuple[Variable | None, bool]:
    """The variable that is, or an element of which is stored to, and whether the index is no constant."""
    every = False
    while isinstance(target, Index):
        every = every or not _is_constant(facts, target.index)
        target = target.base
    return target.variable if isinstance(target, Name) else None, every


def _is_constant(facts: KernelFacts, value: Expr) -> bool:
    return evaluate(value, facts.environment) is not None


def _loop_carried(function: Function) -> frozenset[Variable]:
    """Variables that are assigned in a loop outside of which they were declared."""
    found: set[Variable] = set()
    for loop in walk(function.body):
        if not isinstance(loop, Loop):
            continue
        for node in walk(loop):
            target = written(node)
            variable = target.variable if isinstance(target, Name) else None
            if variable is not None and not loop.span.contains(variable.span):
                found.add(variable)
    return frozenset(found)


def _described(facts: KernelFacts, variables: Sequence[Variable]) -> str:
    words: list[str] = []
    for variable in variables:
        size = _bytes(facts, variable)
        kind = "array " if variable.is_array else ""
        type_ = variable.type.name
        words.append(f"{kind}`{variable.name}` ({type_}" + (f", {count(size, 'byte')})" if size is not None else ")"))
    return listing(words)


def _bytes(facts: KernelFacts, variable: Variable) -> int | None:
    if not variable.is_array:
        return variable.type.size
    return next((array.bytes for array in facts.arrays if array.variable is variable), None)


_MEMORY = {"amd": "scratch memory", "nvidia": "local memory", "intel": "private memory"}


def _memory(facts: KernelFacts, targets: Sequence[str]) -> str:
    parts: list[str] = []
    for vendor, words in _MEMORY.items():
        own = [target for target in targets_of(facts, vendor) if target in targets]  # type: ignore[arg-type]
        if own:
            parts.append(f"{words} on {listing(own)}")
    return listing(parts)


def _fix(facts: KernelFacts, function: Function, span: Span, variables: Sequence[Variable]) -> Fix | None:
    source = facts.file.source
    if source.text(span) != "volatile" or any(_escapes(facts, function, variable) for variable in variables):
        return None
    if any(_pointee_too(function, variable) for variable in variables):
        return None
    end = span.end + (source.data[span.end : span.end + 1] == b" ")
    exact = all(_integer(variable) for variable in variables)
    return Fix("delete `volatile`", "safe" if exact else "unsafe", (Edit(Span(span.start, end), ""),))


def _integer(variable: Variable) -> bool:
    type_ = variable.type
    return type_.size is not None and not type_.floating and not type_.struct and type_.lanes == 1


def _pointee_too(function: Function, variable: Variable) -> bool:
    """True if the same keyword also stands for what a pointer of the declaration points to."""
    for node in walk(function.body):
        if isinstance(node, Declare) and variable in node.variables:
            return any(other.type.pointers for other in node.variables)
    return False


def _escapes(facts: KernelFacts, function: Function, variable: Variable) -> bool:
    """True if a pointer or reference to the variable is taken, or its name is in something that was not understood."""
    for node in walk(function.body):
        if isinstance(node, Unary) and node.op == "&" and _mentions(node, variable):
            return True
        if isinstance(node, Unknown) and any(name.variable is variable for name in names_in(node)):
            return True
        if isinstance(node, Call) and _by_reference(facts, node, variable):
            return True
        if isinstance(node, Declare) and any(
            (other.type.reference or other.type.pointers) and other.init is not None and is_name(other.init, variable)
            for other in node.variables
        ):
            return True
    arrays = (array for array in facts.arrays if array.variable is variable)
    return any(array.escapes or any(not access.indices for access in array.accesses) for array in arrays)


def _mentions(node: Unary, variable: Variable) -> bool:
    return any(name.variable is variable for name in names_in(node.operand))


def _by_reference(facts: KernelFacts, call: Call, variable: Variable) -> bool:
    positions = [index for index, argument in enumerate(call.args) if is_name(argument, variable)]
    if not positions:
        return False
    target = facts.file.find_function(call.qualified, len(call.args))
    if target is None:
        return variable.is_array
    parameters = target.parameters
    return any(index < len(parameters) and parameters[index].type.reference for index in positions)
