"""RP401 volatile-private."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Rule, Severity, Span
from regpress_lint.syntax import Call, Declare, Function, Loop, Name, Unary, Unknown, Variable
from regpress_lint.traversal import names_in, walk
from regpress_rules._memory import written
from regpress_rules._place import place, targets_of, vendor_of
from regpress_rules._words import count, listing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# nvcc folds a volatile float[12] that is used once at constant indices (efficacy.md 18), and keeps float[32] in memory.
_NVIDIA_FOLDED = 12


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
    | array of 32 floats, constant indices | 62 -> 72 VGPRs, 0 -> 144 B | 0 -> 144 B | 0 -> 128 B | 0 -> 128 B |
    | scalar that a loop carries | 8 -> 12 VGPRs, 0 -> 16 B | 0 -> 16 B | 0 -> 16 B | 0 -> 4 B |
    | `volatile float x = a[i];` read once | 0 -> 8 B | 0 -> 8 B | 0 | not measured |
    | volatile struct | 0 -> 16 B | 0 -> 16 B | 0 | not measured |
    | array of 12 floats, used once at constant indices | scratch | scratch | 0 (folded) | |

    It is a warning on AMD for every such variable, on NVIDIA for arrays and for scalars that a loop carries (the
    others are folded), on Intel for arrays and loop-carried scalars. Time was measured once: `volatile float s[8]`
    at constant indices on an H200 made no difference there, because nvcc had folded it.

    ## Measured
    Our own pairs in `testdata/evidence/RP401`, before -> after the repair; IGC 1.0.12504, clang 19.1.7, nvcc 13.0.88,
    `-O3`.

    | pair | target | registers | private bytes | spills | waves |
    | --- | --- | --- | --- | --- | --- |
    | carried | gfx1100 | 7 -> 5 | 8 -> 0 | 0 | 16 |
    | carried | gfx90a | 9 -> 8 | 8 -> 0 | 0 | 8 |
    | carried | sm_90 | 32 | 0 | 0 | 64 |
    | once | gfx1100 | 5 -> 4 | 8 -> 0 | 0 | 16 |
    | once | gfx90a | 5 -> 4 | 8 -> 0 | 0 | 8 |
    | once | sm_90 | 10 | 0 | 0 | 64 |
    | pointer | gfx1100 | 4 | 0 | 0 | 16 |
    | pointer | gfx90a | 4 | 0 | 0 | 8 |
    | pointer | sm_90 | 10 | 0 | 0 | 64 |
    | window | gfx1100 | 80 -> 59 | 144 -> 0 | 0 | 16 |
    | window | gfx90a | 69 -> 63 | 144 -> 0 | 0 | 7 -> 8 |
    | window | pvc | | 128 -> 0 | 0 | |
    | window | sm_90 | 40 | 0 | 0 | 48 |

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
    for target in facts.targets:
        found = [_severity(facts, target, variable, variable in carried) for variable in variables]
        worst = max((severity for severity in found if severity is not None), default=None)
        if worst is not None:
            severities[target] = worst
    if not severities:
        return None
    where = place(facts, span, function.path, "the volatile variable")
    fix = _fix(facts, function, span, variables) if where.here else None
    message = f"private {_described(facts, variables)} {'is' if len(variables) == 1 else 'are'} volatile"
    message += f": every access goes to {_memory(facts, tuple(severities))}"
    help_ = "drop `volatile`: no other thread can see the variable"
    return Finding(where.span, message, severities, help_, where.notes, fix, facts.kernel.name)


def _severity(facts: KernelFacts, target: str, variable: Variable, carried: bool) -> Severity | None:
    vendor = vendor_of(target)
    if vendor == "amd":
        return Severity.WARNING
    if not variable.is_array:
        return Severity.WARNING if carried else Severity.INFO if vendor == "intel" else None
    return Severity.HINT if vendor == "nvidia" and _folded(facts, variable) else Severity.WARNING


def _folded(facts: KernelFacts, variable: Variable) -> bool:
    """True for a small array whose indices are all constants outside of rolled loops."""
    array = next((array for array in facts.arrays if array.variable is variable), None)
    if array is None or array.elements is None or array.elements > _NVIDIA_FOLDED:
        return False
    rolled = any(not loop.unrolled for access in array.accesses for loop in access.loops)
    return not rolled and not any(access.dynamic for access in array.accesses)


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
            (other.type.reference or other.type.pointers) and other.init is not None and _names(other.init, variable)
            for other in node.variables
        ):
            return True
    arrays = (array for array in facts.arrays if array.variable is variable)
    return any(array.escapes or any(not access.indices for access in array.accesses) for array in arrays)


def _mentions(node: Unary, variable: Variable) -> bool:
    return any(name.variable is variable for name in names_in(node.operand))


def _names(init: object, variable: Variable) -> bool:
    return isinstance(init, Name) and init.variable is variable


def _by_reference(facts: KernelFacts, call: Call, variable: Variable) -> bool:
    positions = [index for index, argument in enumerate(call.args) if _names(argument, variable)]
    if not positions:
        return False
    target = facts.file.find_function(call.qualified, len(call.args))
    if target is None:
        return variable.is_array
    parameters = target.parameters
    return any(index < len(parameters) and parameters[index].type.reference for index in positions)
