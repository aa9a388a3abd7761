"""RP401 volatile-private."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Rule, Severity, Span
from regpress_lint.api.memory import own_root, places, written
from regpress_lint.api.report import place
from regpress_lint.api.syntax import (
    Assign,
    Binary,
    Call,
    Declare,
    Evaluate,
    Expr,
    Function,
    Index,
    Loop,
    Name,
    Stmt,
    Unary,
    Unknown,
    Update,
    Variable,
    children,
    declaration_of,
    evaluate,
    expression_type,
    is_name,
    names_in,
    nodes_of,
    walk,
)
from regpress_lint.api.targets import gpu, nvidia_targets
from regpress_lint.api.text import count, listing, spelled

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

# nvcc 13 leaves a local float in memory if a constant is stored to it; ptxas then mostly lifts up to three of them
# into registers, or all if no rolled loop uses them, and no double that such a loop uses (evidence/RP401).
_LIFTED = 3
_NVIDIA = "sm_90"
_MEASURES = frozenset(("clock", "clock64", "wall_clock64", "__clock64", "globaltimer", "__nanosleep", "printf"))


class VolatilePrivate(Rule):
    """`volatile` on a variable or array that belongs to one thread."""

    code = "RP401"
    name = "volatile-private"

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per `volatile` keyword, in the kernel and in the device functions inlined into it."""
        owners: dict[Span, tuple[Function, list[Variable]]] = {}
        kernel = facts.kernel.function
        declared = [(kernel, variable) for variable in facts.source.variables]
        declared += [(array.function, array.variable) for array in facts.source.arrays if array.function is not kernel]
        for function in facts.source.functions[1:]:
            declared += [(function, variable) for variable in facts.flow_of(function).bits if not variable.is_array]
        for function, variable in declared:
            if variable.volatile_span is None or variable.storage != "local" or variable.type.pointers:
                continue
            if variable.type.reference:  # what it refers to is volatile, and lies elsewhere
                continue
            owners.setdefault(variable.volatile_span, (function, []))[1].append(variable)
        for span, (function, variables) in owners.items():
            if (finding := _finding(facts, function, span, variables)) is not None:
                yield finding


def _finding(facts: KernelFacts, function: Function, span: Span, variables: Sequence[Variable]) -> Finding | None:
    severities: dict[str, Severity] = {}
    carried = _loop_carried(function)
    by_nvcc = nvidia_targets(facts) or facts.kernel.language == "cuda"
    left = _kept_by_nvcc(facts, function) if by_nvcc else frozenset[Variable]()
    deliberate = any(_is_deliberate(facts, function, variable) for variable in variables)
    for target in nvidia_targets(facts):
        words = (frame.variable for frame in facts.frames(target) if frame.kind == "volatile")
        left |= {variable for variable in words if variable is not None and not variable.is_array}
    for target in facts.targets:
        by_variable = [_severity(target, variable, variable in carried, variable in left) for variable in variables]
        if (worst := max((severity for severity in by_variable if severity is not None), default=None)) is not None:
            elsewhere = _is_elsewhere(facts, target) and left.isdisjoint(variables)
            severities[target] = min(worst, Severity.INFO) if deliberate or elsewhere else worst
    if not severities:
        return None
    where = place(facts, span, function.path, "the volatile variable")
    fix = _fix(facts, function, span, variables) if where.here and not deliberate else None
    message = f"private {_described(facts, variables)} {'is' if len(variables) == 1 else 'are'} volatile: "
    paying = tuple(target for target, severity in severities.items() if severity > Severity.HINT)
    frames = {target: gpu(target).private_memory for target in paying}
    message += f"every access goes to {places(frames)}" if paying else "nvcc drops the word by itself here"
    help_ = "drop `volatile`: no other thread can see the variable"
    if deliberate:
        help_ += "; it looks meant, to keep a wait, a measurement or a value for a debugger: then leave it"
    return Finding(where.span, message, severities, help_, where.notes, fix)


def _is_deliberate(facts: KernelFacts, function: Function, variable: Variable) -> bool:
    """True where the word is the point: a value that nothing reads, a loop that only counts or waits, a kernel that
    measures or prints.
    """
    if any(record.call.name in _MEASURES for record in facts.flow_of(function).calls):
        return True
    written_names = {id(name) for node in nodes_of(function) for name in _written_names(node)}
    if not any(name.variable is variable and id(name) not in written_names for name in names_in(function.body)):
        return True
    return any(isinstance(node, Loop) and _only_waits(node, variable) for node in nodes_of(function))


def _written_names(node: object) -> Iterator[Name]:
    """Names that an assignment writes and does not read: `v = x`, and `v += x` or `++v` as a statement."""
    expression = node.expression if isinstance(node, Evaluate) else node
    if isinstance(expression, Assign) and (expression.op == "=" or isinstance(node, Evaluate)):
        target: Expr = expression.target
    elif isinstance(node, Evaluate) and isinstance(expression, Update):
        target = expression.operand
    else:
        return
    while isinstance(target, Index):
        target = target.base
    if isinstance(target, Name):
        yield target


def _only_waits(loop: Loop, variable: Variable) -> bool:
    """True for a loop about a variable that reads and writes nothing else: `while (v < n) ++v;`."""
    names = [name for part in (loop.test, loop.step, loop.body) if part is not None for name in names_in(part)]
    if not any(name.variable is variable for name in names):
        return False
    acts = [node for part in (loop.step, loop.body) if part is not None for node in walk(part)]
    targets = [written(node) for node in acts]
    others = [target for target in targets if target is not None and not is_name(target, variable)]
    return not others and not any(isinstance(node, (Call, Declare)) for node in acts)


def _is_elsewhere(facts: KernelFacts, target: str) -> bool:
    """True for AMD where the source is CUDA: arrays that nvcc removes cost nothing until the code is ported."""
    return facts.kernel.language == "cuda" and gpu(target).is_amd


def _severity(target: str, variable: Variable, carried: bool, kept_by_nvcc: bool) -> Severity | None:
    on = gpu(target)
    if on.is_amd or (on.is_nvidia and kept_by_nvcc):
        return Severity.WARNING
    if on.is_nvidia:
        return Severity.HINT if variable.is_array or carried else None
    return Severity.WARNING if variable.is_array or carried else Severity.INFO


def _kept_by_nvcc(facts: KernelFacts, function: Function) -> frozenset[Variable]:
    """Variables that nvcc leaves in local memory, all or none of the candidates; see the page."""
    stored = _constant_stores(facts, function)
    candidates = {
        v: n for v, n in stored.items() if v.volatile_span is not None and v.type.floating and v.type.size in (4, 8)
    }
    if sum(candidates.values()) <= _LIFTED and not any(variable.type.double for variable in candidates):
        return frozenset()
    name = next(iter(nvidia_targets(facts)), _NVIDIA)  # the answer is one of nvcc's, whatever other GPUs are asked for
    rolled = (loop.loop for loop in facts.loops_for(function, name) if not loop.unrolled)
    used = any(name.variable in candidates for loop in rolled for name in names_in(loop))
    return frozenset(candidates if used else ())


def _constant_stores(facts: KernelFacts, function: Function) -> dict[Variable, int]:
    """Elements of each local variable to which a statement of its own stores a constant."""
    constant_stores: dict[Variable, int] = {}
    for node in nodes_of(function):
        if isinstance(node, Declare):
            scalars = (v for v in node.variables if v.init is not None and not v.is_array)
            constant_stores.update((v, 1) for v in scalars if v.init is not None and _is_constant(facts, v.init))
        elif isinstance(node, Assign) and node.op == "=" and _is_constant(facts, node.value):
            variable, every = _stored_to(facts, node.target)
            if variable is not None and variable.storage == "local":
                array = facts.array_of(variable)
                size = array.elements or 1 if array is not None else 1
                constant_stores[variable] = size if every else min(size, constant_stores.get(variable, 0) + 1)
    return constant_stores


def _stored_to(facts: KernelFacts, target: Expr) -> tuple[Variable | None, bool]:
    """The variable that is, or an element of which is stored to, and whether the index is no constant."""
    every = False
    while isinstance(target, Index):
        every = every or not _is_constant(facts, target.index)
        target = target.base
    return target.variable if isinstance(target, Name) else None, every


def _is_constant(facts: KernelFacts, value: Expr) -> bool:
    return evaluate(value, facts.source.environment) is not None


def _loop_carried(function: Function) -> frozenset[Variable]:
    """Variables that are assigned in a loop outside of which they were declared."""
    variables: set[Variable] = set()
    for loop in nodes_of(function):
        if not isinstance(loop, Loop):
            continue
        for node in walk(loop):
            target = written(node)
            variable = target.variable if isinstance(target, Name) else None
            if variable is not None and not loop.span.contains(variable.span):
                variables.add(variable)
    return frozenset(variables)


def _described(facts: KernelFacts, variables: Sequence[Variable]) -> str:
    words: list[str] = []
    for variable in variables:
        size = _bytes(facts, variable)
        kind = "array " if variable.is_array else ""
        type_ = spelled(variable.type)
        words.append(f"{kind}`{variable.name}` ({type_}" + (f", {count(size, 'byte')})" if size is not None else ")"))
    return listing(words)


def _bytes(facts: KernelFacts, variable: Variable) -> int | None:
    if not variable.is_array:
        return variable.type.size
    return next((array.bytes for array in facts.arrays if array.variable is variable), None)


def _fix(facts: KernelFacts, function: Function, span: Span, variables: Sequence[Variable]) -> Fix | None:
    source = facts.file.source
    if source.text(span) != "volatile" or any(_escapes(facts, function, variable) for variable in variables):
        return None
    if any(_pointee_too(function, variable) for variable in variables):
        return None
    end = span.end + (source.data[span.end : span.end + 1] == b" ")
    exact = all(map(_integer, variables)) and not _computes_floats(facts, function, variables)
    return Fix("delete `volatile`", "safe" if exact else "unsafe", (Edit(Span(span.start, end), ""),))


def _integer(variable: Variable) -> bool:
    type_ = variable.type
    return type_.size is not None and not type_.floating and not type_.struct and type_.lanes == 1


def _computes_floats(facts: KernelFacts, function: Function, variables: Sequence[Variable]) -> bool:
    """Whether floating-point arithmetic uses the variables' values, or runs as often as they say.

    Without the word a compiler may know the value: it folds `n * 0.1f`, which is one operation with a sum otherwise, or
    unrolls the loop, and makes one operation of a product and the sum of the next round.
    """
    nodes = tuple(nodes_of(function))
    held, before = set(variables), 0
    while len(held) > before:
        before = len(held)
        for node in nodes:
            if isinstance(node, Declare):
                held.update(
                    variable for variable in node.variables if variable.init is not None and _shows(variable.init, held)
                )
            target = written(node)
            root = None if target is None else own_root(target)
            if root is not None and isinstance(node, Assign) and _shows(node.value, held):
                held.add(root)
    for node in nodes:
        if isinstance(node, Loop):
            if _shows(node.test, held) and any(_is_floating(facts, expr) for expr in walk(node.body)):
                return True
        elif isinstance(node, (Assign, Binary, Call, Update)) and _is_floating(facts, node) and _shows(node, held):
            return True
    return False


def _is_floating(facts: KernelFacts, node: Expr | Stmt) -> bool:
    """True for arithmetic whose result is, or may be, a floating-point number."""
    if isinstance(node, Call):
        return True
    if isinstance(node, Assign):
        return node.op != "=" and _maybe_floating(facts, node.target)
    return isinstance(node, Binary) and node.op in ("+", "-", "*", "/") and _maybe_floating(facts, node)


def _maybe_floating(facts: KernelFacts, expr: Expr) -> bool:
    type_ = expression_type(expr, facts.file.type_of)
    return type_ is None or (not type_.pointers and (type_.floating or type_.struct or type_.lanes > 1))


def _shows(expr: Expr | Stmt | None, held: Collection[Variable]) -> bool:
    """True if the value of one of the variables is a part of an expression; a subscript only says where it is read."""
    stack = [] if expr is None else [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, Name) and node.variable in held:
            return True
        stack += [node.base] if isinstance(node, Index) and own_root(node) not in held else children(node)
    return False


def _pointee_too(function: Function, variable: Variable) -> bool:
    """Whether the same keyword also applies to the pointee of a pointer in the declaration."""
    declare = declaration_of(function, variable)
    return declare is not None and any(name.type.pointers for name in declare.variables)


def _escapes(facts: KernelFacts, function: Function, variable: Variable) -> bool:
    """True if a pointer or reference to the variable is taken, or its name is in something that was not understood."""
    for node in nodes_of(function):
        if isinstance(node, Unary) and node.op == "&" and _mentions(node, variable):
            return True
        if isinstance(node, Unknown) and any(name.variable is variable for name in names_in(node)):
            return True
        if isinstance(node, Call) and _by_reference(facts, node, variable):
            return True
        if isinstance(node, Declare) and any(
            (each.type.reference or each.type.pointers) and each.init is not None and is_name(each.init, variable)
            for each in node.variables
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
