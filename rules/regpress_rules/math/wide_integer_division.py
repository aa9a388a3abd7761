"""RP206 wide-integer-division."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, KernelFacts, NamedTuple, Rule, Severity, Trial
from regpress_lint.api.preprocessor import in_macro
from regpress_lint.api.report import place
from regpress_lint.api.syntax import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Constant,
    Expr,
    Loop,
    Name,
    Unary,
    evaluate,
    expression_type,
    nodes_of,
    types_within,
    walk,
)
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count, listing, one_line
from regpress_lint.api.worth import step_severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.api.syntax import Function, Type, TypeLookup, Variable

_OPERATORS = frozenset(("/", "%", "/=", "%="))
# One division of values that differ between threads, 64 against 32 bits (`ring` among the pairs).
_SAVED = {"amd": 8, "nvidia": 10}
_LONGEST_SHOWN = 48


class _Division(NamedTuple):
    """node: what divides, or the use of a macro that does."""

    node: Binary | Assign | Call
    dividend: Expr
    divisor: Expr
    type: Type
    in_loop: bool


class WideIntegerDivision(Rule):
    """A division or remainder of 64-bit integers by a value that is not a constant."""

    code = "RP206"
    name = "wide-integer-division"
    severity = Severity.INFO
    prices_fixes = True
    hint_without_gain = ("amd",)
    vendors = ("amd", "nvidia")

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding a division, in the kernel and in the device functions that it reaches."""
        targets = [target for target in facts.targets if not gpu(target).is_intel]
        if not facts.wants_hints and not any(gpu(target).is_amd for target in targets):
            return
        called = (facts.callee_of(site.call) for site in facts.calls)
        for function in dict.fromkeys((facts.kernel.function, *called)):
            if function is None:
                continue
            for division in _divisions(facts, function):
                severities = {target: _severity(facts, target, division) for target in targets}
                if facts.wants_hints or any(severity > Severity.HINT for severity in severities.values()):
                    yield _finding(facts, function, division, severities)


def _divisions(facts: KernelFacts, function: Function) -> Iterator[_Division]:
    rolled: list[Loop] | None = None
    lookup = types_within(function, facts.file.type_of)
    for node, dividend, divisor in _written(facts, function):
        types = [expression_type(operand, lookup) for operand in (dividend, divisor)]
        if any(type_ is None or not _is_integer(type_) for type_ in types):
            continue
        wide = next((type_ for type_ in types if type_ is not None and type_.size == 8), None)
        if wide is None or (_is_narrow(facts, lookup, dividend) and _is_narrow(facts, lookup, divisor)):
            continue
        if any(evaluate(operand, facts.source.environment) is not None for operand in (divisor, dividend)):
            continue
        if _is_instantiated(facts, function, divisor):
            continue
        if rolled is None:
            rolled = [loop.loop for loop in facts.loops_of(function) if not loop.unrolled]
        in_loop = any(loop.body.span.contains(node.span) for loop in rolled)
        yield _Division(node, dividend, divisor, wide, in_loop)


def _written(facts: KernelFacts, function: Function) -> Iterator[tuple[Binary | Assign | Call, Expr, Expr]]:
    """Divisions and their operands, with those in the expression of a macro."""
    for node in nodes_of(function):
        if isinstance(node, Call):
            yield from ((node, *operands) for operands in _by_macro(facts, node))
        elif isinstance(node, Binary) and node.op in _OPERATORS:
            yield node, node.left, node.right
        elif isinstance(node, Assign) and node.op in _OPERATORS:
            yield node, node.target, node.value


def _by_macro(facts: KernelFacts, call: Call) -> Iterator[tuple[Expr, Expr]]:
    if not isinstance(call.callee, Name) or call.callee.variable is not None or not facts.file.is_macro(call.name):
        return
    macro = facts.file.expansion(call.name, len(call.args), {}, (), call.span.start)
    if macro is None or isinstance(macro.body, Block):
        return
    arguments = dict(zip(macro.parameters, call.args, strict=False))
    for node in walk(macro.body):
        if isinstance(node, Binary) and node.op in _OPERATORS:
            left, right = (_given(operand, arguments) for operand in (node.left, node.right))
            yield left, right


def _given(operand: Expr, arguments: Mapping[Variable, Expr]) -> Expr:
    """The argument that a macro's parameter stands for; another operand as it is."""
    return arguments.get(operand.variable, operand) if isinstance(operand, Name) and operand.variable else operand


def _is_instantiated(facts: KernelFacts, function: Function, divisor: Expr) -> bool:
    """Whether only template parameters decide a divisor, which each instantiation makes a constant."""
    named = [node for node in walk(divisor) if isinstance(node, Name)]
    parameters = {parameter.name for parameter in (*facts.kernel.function.template, *function.template)}
    plain = all(isinstance(node, (Name, Binary, Constant, Unary, Cast)) for node in walk(divisor))
    return bool(named) and plain and all(name.variable is None and name.name in parameters for name in named)


def _is_integer(type_: Type) -> bool:
    plain = not type_.floating and not type_.pointers and not type_.struct and type_.lanes == 1
    return plain and type_.size is not None


def _is_narrow(facts: KernelFacts, lookup: TypeLookup, expr: Expr, depth: int = 0) -> bool:
    """True for a value that was widened from 32 bits at most: compilers see it, and divide in 32 bits."""
    type_ = expression_type(expr, lookup)
    if type_ is not None and _is_integer(type_) and (type_.size or 8) <= 4:
        return True
    if depth < 4 and isinstance(expr, Cast) and not expr.reinterpret:
        return _is_narrow(facts, lookup, expr.operand, depth + 1)
    if (value := evaluate(expr, facts.source.environment)) is not None:
        return abs(value) < 1 << 31
    variable = expr.variable if isinstance(expr, Name) else None
    if depth < 4 and variable is not None and variable.init is not None and variable.storage == "local":
        return variable not in facts.source.modified and _is_narrow(facts, lookup, variable.init, depth + 1)
    return False


def _severity(facts: KernelFacts, target: str, division: _Division) -> Severity:
    on = gpu(target)
    if not on.is_amd or not division.in_loop:
        return Severity.HINT
    return min(step_severity(facts, target, _SAVED[on.vendor]), Severity.INFO)


def _finding(
    facts: KernelFacts, function: Function, division: _Division, severities: Mapping[str, Severity]
) -> Finding:
    node = division.node
    where = place(facts, node.span, function.path, "the division in 64 bits")
    operator = f"{node.name}()" if isinstance(node, Call) else node.op
    text = f"{operator} in `{function.name}`"
    if where.here:
        written = one_line(facts.file.source, node.span)
        text = f"`{written}`" if len(written) <= _LONGEST_SHOWN else f"`{operator}`"
    costs = listing(f"{_cost(target)} on {target}" for target in severities)
    loop = " in a loop" if division.in_loop else ""
    divides = f"divides 64-bit integers (`{division.type.name}`) by a variable"
    message, cost = f"{text}{loop} {divides}", f"up to {costs} more than in 32 bits"
    help_ = "divide in 32 bits where the values fit: `unsigned` indices, or casts of both operands"
    if function is not facts.kernel.function:  # the message is the same in all kernels that reach the division
        return Finding(where.span, f"{message}: {cost}", severities, help_, where.notes)
    trial = _trial(facts, division)
    return Finding(where.span, message, severities, help_, where.notes, cost=cost, trial=trial)


def _trial(facts: KernelFacts, division: _Division) -> Trial | None:
    """Both operands cast to 32 bits."""
    if not isinstance(division.node, Binary) or facts.kernel.function.path not in ("", facts.file.path):
        return None
    edits: list[Edit] = []
    for operand in (division.dividend, division.divisor):
        if in_macro(facts.file, operand.span):
            return None
        edits.append(Edit(operand.span, f"((unsigned)({facts.file.source.text(operand.span)}))"))
    return Trial("in 32 bits", tuple(edits))


def _cost(target: str) -> str:
    on = gpu(target)
    return count(_SAVED[on.vendor], "VGPR" if on.is_amd else "register")
