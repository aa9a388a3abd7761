"""Executing a device function or a lambda in place of its call."""

from __future__ import annotations

from functools import partial
from itertools import chain, compress, islice
from operator import is_not
from typing import TYPE_CHECKING

from regpress_lint.core.uncertainty import ANY_NUMBER
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.environment import with_values
from regpress_lint.cpp.names.definition_nodes import split_owner
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Conditional,
    Constant,
    Declare,
    Evaluate,
    Expr,
    If,
    Index,
    LambdaExpr,
    Member,
    Name,
    Return,
    Unary,
    Variable,
)
from regpress_lint.cpp.traversal import nodes_of, walk
from regpress_lint.model.graph.objects import Closure, Memory, Parts, Place, Value
from regpress_lint.model.graph.ops import CONSTANT, LEFT
from regpress_lint.model.graph.values import Form, Site
from regpress_lint.model.interpreter.branches import chosen
from regpress_lint.model.interpreter.kept_calls import as_received, stays
from regpress_lint.model.interpreter.member_lists import with_fields
from regpress_lint.model.interpreter.memory import read
from regpress_lint.model.interpreter.packs import (
    HANDED_ON,
    numbers_given,
    numbers_of,
    numbers_written,
    packs_of_class,
    sizes,
)
from regpress_lint.model.interpreter.places import place_of
from regpress_lint.model.interpreter.private_objects import coerced, part
from regpress_lint.model.interpreter.state import Frame
from regpress_lint.model.interpreter.template_arguments import argument_value, sizes_of, template_constants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Function, Stmt, Type
    from regpress_lint.model.interpreter.machine import Machine


_NO_LAMBDA = "a lambda that calls itself, or that stands deep in other functions, is not executed"
_UNPARSED = "a part of `{}` was not understood, and nothing of it is in the estimate"
_MOST_WITHIN = 2  # instantiations of a class template within each other, where nothing in view ends that


def run_body(machine: Machine, body: Block, result: Type | None, *, reference: bool = False) -> Value:
    """Execute a function's body; the value is what its `return`s give, as a `result`; of a reference where it lies."""
    reference = reference or (result is not None and result.reference)
    caller, guards, under = machine.frame, machine.guards, machine.under
    machine.frame = Frame(reference=reference, chooses=result is not None and _only_chooses(machine, body))
    before, count = machine.variables, len(machine.variables)
    machine.execute(body)
    returns, early = machine.frame.returns, machine.frame.left
    chooses = machine.frame.chooses
    if early:
        _meet(machine, early, list(islice(before, count)), chooses=chooses)
    machine.frame, machine.guards, machine.under = caller, guards, under
    value: Value | None = returns[-1][1] if returns else None
    for condition, earlier, state in reversed(returns[:-1]):
        if earlier is not None and value is not None:
            value = chosen(machine, condition, earlier, value, None if chooses else machine.gone(state, second=False))
    if value is None:
        return machine.undefined
    if isinstance(value, Memory) and not reference:
        value = read(machine, value)
    if isinstance(value, Place) and not (reference or (result is not None and result.pointers)):
        value = part(machine, value, result)
    return (
        coerced(machine, with_fields(machine, value, result), result)
        if not isinstance(value, (Place, Memory))
        else value
    )


def _meet(
    machine: Machine, early: list[tuple[int, dict[Variable, Value]]], before: list[Variable], *, chooses: bool
) -> None:
    """Behind a function: what its early `return`s left in variables from before it meets what its end did."""
    now = machine.variables
    for condition, state in reversed(early):
        # Few differ: they are found without a step of the interpreter for each of the others.
        gone = None if chooses else machine.gone(state, second=False)
        ones, others = _values_of(before, state), _values_of(before, now)
        for place in compress(range(len(before)), map(is_not, ones, others)):
            then, otherwise = ones[place], others[place]
            if then is not None and otherwise is not None:
                now[before[place]] = chosen(machine, condition, then, otherwise, gone)


def _values_of(names: list[Variable], state: dict[Variable, Value]) -> list[Value | None]:
    """The value of each; as a rule the state begins with these variables, in this order."""
    if [*islice(state, len(names))] == names:
        return [*islice(state.values(), len(names))]
    return [*map(state.get, names)]


_CHOOSES = (Block, If, Return, Declare, Evaluate, Assign, Name, Constant, Binary, Unary, Conditional, Cast)
_NO_WORK = frozenset((CONSTANT, LEFT))
_MOST_TO_CHOOSE = 40  # nodes of a function that is folded as a whole


def _is_cheap(node: Expr | Stmt) -> bool:
    """True for what LLVM executes whether it is needed or not: neither an access to memory nor a division."""
    if isinstance(node, Unary):
        return node.op not in ("*", "&")
    return isinstance(node, _CHOOSES) and not (isinstance(node, Binary) and node.op in ("/", "%"))


def _only_chooses(machine: Machine, body: Block) -> bool:
    """True for a short function with branches that reads no memory and calls nothing, `if (x > high) return high;`: to
    LLVM it is the same as `?:`, and reads around its call can be made together.
    """
    answers = machine.known.answers
    answer = answers.get(key := ("chooses", body))
    if answer is None:
        nodes = list(islice(walk(body), _MOST_TO_CHOOSE + 1))
        answer = answers[key] = len(nodes) <= _MOST_TO_CHOOSE and all(map(_is_cheap, nodes))
    return answer


def inline(machine: Machine, function: Function, expr: Call, this: Expr | None) -> Value:
    """Value of a call of a known function; `this` is the object of a member function."""
    machine.enter()
    arguments = [_argument(machine, arg, parameter) for arg, parameter in _pairs(expr.args, function.parameters)]
    if stays(function):
        return _called(machine, function, expr, this, as_received(machine, function, expr, arguments))
    if this is None and not function.template and (numbers := _numbers_in(machine, arguments)):
        return _worked_out(machine, function, expr, arguments, numbers)
    return _executed(machine, function, expr, this, arguments)


def _called(machine: Machine, function: Function, expr: Call, this: Expr | None, arguments: list[Value]) -> Value:
    """Value of a call that stays one: nothing moves across, and a loop around it has the call alone."""
    tally = machine.tally
    size, loops_kept = tally.size, tally.loops_kept
    machine.new_block(straight=True)
    value = _executed(machine, function, expr, this, arguments)
    machine.new_block(straight=True)
    tally.size, tally.loops_kept = size + 1 + len(arguments), loops_kept
    return value


def _numbers_in(machine: Machine, arguments: list[Value]) -> tuple[tuple[int | float, Form], ...]:
    """The arguments of a call where all are constants; else none."""
    graph, numbers = machine.graph, list[tuple[int | float, Form]]()
    for value in arguments:
        number = graph.constants[value] if isinstance(value, int) else None
        if number is None or not isinstance(value, int):
            return ()
        numbers.append((number, graph.forms[value]))
    return tuple(numbers)


def _worked_out(
    machine: Machine,
    function: Function,
    expr: Call,
    arguments: list[Value],
    numbers: tuple[tuple[int | float, Form], ...],
) -> Value:
    """The value of a call with constants; where it is one as well, as of `constexpr int fib(int n)`, it is worked out
    once, which keeps a recursion with two calls from doubling on every level.
    """
    graph, worked_out = machine.graph, machine.known.worked_out
    answer = worked_out.get(key := (function, numbers))
    if answer is not None:
        return graph.constant(*answer)
    before = len(graph)
    value = _executed(machine, function, expr, None, arguments)
    number = graph.constants[value] if isinstance(value, int) else None
    if number is not None and isinstance(value, int) and all(op in _NO_WORK for op in graph.ops[before:]):
        worked_out[key] = (number, graph.forms[value])
    return value


def _executed(machine: Machine, function: Function, expr: Call, this: Expr | None, arguments: list[Value]) -> Value:
    elements = _pack_of(machine, function, expr.args, arguments)
    bindings = machine.bindings
    packs, numbers = bindings.packs, bindings.number_packs
    if elements:
        bindings.packs = {**packs, **elements}
    names, constants, object_ = machine.names, machine.constants, machine.this
    value_of = partial(argument_value, machine, expr=expr)
    packed = numbers_of(machine, of_class := packs_of_class(machine, function), value_of)
    packed |= numbers_given(function.parameters, expr.args, value_of)
    packed |= numbers_written(function.template, expr.template_args, value_of)
    machine.names, machine.constants = {}, template_constants(machine, function, expr)
    if function.template or of_class or packed:
        machine.constants = {**machine.constants, **sizes(function, expr, elements, {**of_class, **packed})}
    bindings.number_packs, machine.this = packed, this
    outer = _variables_of(machine, function) if function in machine.active else {}
    _bind(machine, function.parameters, arguments)
    machine.active.append(function)
    for span in function.unparsed:
        most = None if packed or elements else span.end - span.start  # in a pack it counts as often as the pack is long
        machine.unknown("limit", function.name, expr.span, _UNPARSED.format(function.name), "up", most)
    site = Site(function.name, function.path, machine.graph.at, machine.graph.site)
    value = _placed(machine, site, function.body, function.return_type)
    machine.active.pop()
    if outer:
        machine.variables.update(outer)
    else:
        _forget_pointers(machine, function)
    bindings.packs, bindings.number_packs = packs, numbers
    machine.names, machine.constants, machine.this = names, constants, object_
    return value


def _pack_of(
    machine: Machine, function: Function, args: tuple[Expr, ...], arguments: list[Value]
) -> dict[Variable, tuple[Variable, ...]]:
    """The elements of the last parameter, a pack, where a call gives more arguments than there are parameters, or none
    for it; or those that it has in a recursion that ends.
    """
    parameters = function.parameters
    if not parameters:
        return {}
    pack, extra = parameters[-1], args[len(parameters) :]
    none = len(args) < len(parameters) and pack.is_pack
    if not extra and not none and pack not in machine.bindings.packs:
        return {}
    values = [*arguments[len(parameters) - 1 :], *(_argument(machine, arg, pack) for arg in extra)]
    elements = tuple(Variable(pack.name, pack.type, pack.span, pack.declaration, pack.storage) for _ in values)
    names, machine.names = machine.names, {}
    _bind(machine, elements, values)
    machine.names = names
    return {pack: elements}


def _variables_of(machine: Machine, function: Function) -> dict[Variable, Value]:
    """The variables of a function that calls itself: afterwards those of the outer call apply again."""
    declared = (node.variables for node in nodes_of(function) if isinstance(node, Declare))
    variables = {*function.parameters, *chain.from_iterable(declared)}
    return {variable: machine.variables[variable] for variable in variables if variable in machine.variables}


def _forget_pointers(machine: Machine, function: Function | LambdaExpr) -> None:
    """The function's pointers end with it: where branches meet that each called it, none of them is one of two."""
    if function not in machine.known.pointers:
        nodes = tuple(walk(function.body)) if isinstance(function, LambdaExpr) else nodes_of(function)
        declared = chain.from_iterable(node.variables for node in nodes if isinstance(node, Declare))
        # A lambda that the function returns may know them later.
        captured = any(isinstance(node, LambdaExpr) for node in nodes)
        machine.known.pointers[function] = () if captured else tuple(filter(_leads, (*function.parameters, *declared)))
    _forget(machine, machine.known.pointers[function])


def forget_pointers_of(machine: Machine, block: Block) -> None:
    """So do those that a block declares."""
    if block not in machine.known.pointers:
        declared = chain.from_iterable(node.variables for node in block.statements if isinstance(node, Declare))
        machine.known.pointers[block] = tuple(filter(_leads, declared))
    _forget(machine, machine.known.pointers[block])


def _leads(variable: Variable) -> bool:
    type_ = variable.type
    return bool(type_.pointers or type_.reference or (variable.dims and variable.storage == "parameter"))


def _forget(machine: Machine, pointers: tuple[Variable, ...]) -> None:
    for variable in pointers:
        if isinstance(machine.variables.get(variable), (Place, Memory)):
            del machine.variables[variable]


def inline_lambda(machine: Machine, closure: LambdaExpr, args: tuple[Expr, ...]) -> Value:
    """Value of a call of a lambda; it sees the variables around it."""
    if closure in machine.active or machine.is_deep:
        machine.unknown("callee", "", closure.span, _NO_LAMBDA, "up", ANY_NUMBER)
        return machine.undefined
    arguments = [_argument(machine, arg, parameter) for arg, parameter in _pairs(args, closure.parameters)]
    _bind(machine, closure.parameters, arguments)
    machine.active.append(closure)
    numbers, types = machine.bindings.number_packs, machine.bindings.deduced
    machine.bindings.deduced = {**types, **dict(_types_given(machine, args, closure.parameters))}
    _bind_extents(machine, args, closure.parameters)
    value_of = partial(argument_value, machine, expr=Call(closure.span, closure, "", "", ()))
    machine.bindings.number_packs = {**numbers, **numbers_given(closure.parameters, args, value_of)}
    site = machine.site_of.get(closure, machine.graph.site)
    placed, reference = machine.placed or closure in machine.site_of, closure.returns_reference
    value = _placed(machine, site, closure.body, None, placed=placed, reference=reference)
    machine.active.pop()
    _forget_pointers(machine, closure)
    machine.bindings.number_packs, machine.bindings.deduced = numbers, types
    return value


def _bind_extents(machine: Machine, args: tuple[Expr, ...], parameters: tuple[Variable, ...]) -> None:
    """`N` in a lambda `[]<int N>(float (&v)[N])`: the array that the reference is bound to has as many elements. The
    parameters of its template are the last ones of the lambda.
    """
    numbers = {parameter.name: parameter for parameter in parameters[len(args) :]}
    for arg, parameter in _pairs(args, parameters) if numbers else ():
        for bound, size in zip(parameter.bounds, sizes_of(machine, arg) if parameter.bounds else (), strict=False):
            if isinstance(bound, Name) and bound.name in numbers:
                machine.variables[numbers[bound.name]] = machine.graph.constant(size)


def _types_given(
    machine: Machine, args: tuple[Expr, ...], parameters: tuple[Variable, ...]
) -> Iterator[tuple[Variable, Type]]:
    """The classes that `auto` is of a lambda's parameters, with the values that their arguments have here."""
    for arg, parameter in _pairs(args, parameters):
        type_ = machine.type_of(arg) if parameter.type.name == "auto" and not parameter.type.pointers else None
        if type_ is not None and type_.struct and not type_.pointers:
            yield parameter, type_._replace(name=with_values(type_.name, machine.constants), const=False)


def _placed(
    machine: Machine,
    site: Site | None,
    body: Block,
    result: Type | None,
    *,
    placed: bool = True,
    reference: bool = False,
) -> Value:
    """Execute a body with its values at a site: a lambda's where the lambda is written."""
    graph, outside = machine.graph, machine.placed
    outer, graph.site, machine.placed = graph.site, site, placed
    value = run_body(machine, body, result, reference=reference)
    graph.site, machine.placed = outer, outside
    return value


def _pairs(args: tuple[Expr, ...], parameters: tuple[Variable, ...]) -> list[tuple[Expr, Variable]]:
    return list(zip(args, parameters, strict=False))


def _argument(machine: Machine, arg: Expr, parameter: Variable) -> Value:
    """The meaning of a parameter: the object itself where it is a reference that may be written, else a value."""
    type_ = parameter.type
    if isinstance(arg, Call) and arg.name in HANDED_ON and len(arg.args) == 1:  # `std::forward<F>(f)`
        arg = arg.args[0]
    if type_.reference and isinstance(arg, Name) and isinstance(held := _held(machine, arg), Closure):
        return held  # handed on: in a recursion the parameter would refer to itself
    if type_.reference and type_.const and type_.struct and not type_.pointers and type_.lanes == 1:
        from regpress_lint.model.interpreter.implicit_calls import converted, converting

        itself = type_._replace(reference=False)
        if converting(machine, arg, itself) is not None:
            return converted(machine, arg, machine.evaluate(arg), itself)
    if type_.reference and isinstance(arg, (Name, Index, Member, Unary, Call, Conditional)):
        where = place_of(machine, arg)
        if isinstance(where, Memory) and type_.const:
            return read(machine, where) if isinstance(arg, (Call, Conditional)) else machine.evaluate(arg)
        if where is not None:
            return where
    value = machine.evaluate(arg)
    if not type_.pointers and type_.name != "auto" and (type_.struct or not isinstance(value, int)):
        from regpress_lint.model.interpreter.implicit_calls import converted, referred

        bound = referred(machine, arg, value, type_) if type_.reference and isinstance(value, Parts) else None
        return bound if bound is not None else converted(machine, arg, value, type_)
    return value


def _held(machine: Machine, name: Name) -> Value | None:
    return machine.variables.get(name.variable) if name.variable is not None else None


def _bind(machine: Machine, parameters: tuple[Variable, ...], arguments: list[Value]) -> None:
    for position, parameter in enumerate(parameters):
        machine.names[parameter.name] = parameter
        if position >= len(arguments):
            init = parameter.init
            machine.variables[parameter] = machine.evaluate(init) if init is not None else machine.undefined
            continue
        value, type_ = arguments[position], parameter.type
        if isinstance(value, Memory) and not type_.reference:
            value = read(machine, value)
        if parameter.dims:  # a pointer to rows
            machine.variables[parameter] = value
            continue
        value = with_fields(machine, value, type_)
        if isinstance(value, Parts):
            value = value.copy(machine.owner)
        machine.variables[parameter] = value if type_.reference else coerced(machine, value, type_)


def is_inlined(machine: Machine, function: Function, expr: Call) -> bool:
    """False for a recursion without a known end."""
    if function in machine.active:
        ends = any(differs(machine, function, expr) for differs in (_is_other, _is_shorter, _calls_another))
        return ends or _is_folded(machine, expr)
    return not _is_endless(machine, function, expr)


def is_real_recursion(machine: Machine, function: Function, expr: Call) -> bool:
    """True for a call of a function that is executed already, if the compiler makes no loop of it: then the function is
    not inlined. A qualified name may be a member of another instance of a class template.
    """
    if function not in machine.active or function.template or expr.qualified != expr.name:
        return False
    from regpress_lint.source.reached_calls import becomes_a_loop, may_mean

    if not may_mean(expr, function, machine.type_of):
        return False
    calls = [node for node in nodes_of(function) if isinstance(node, Call) and node.name == expr.name]
    recursive = [node for node in calls if machine.inputs.callee_of(node) is function]
    return not recursive or not becomes_a_loop(function, recursive)


def _calls_another(machine: Machine, function: Function, expr: Call) -> bool:
    """True for a call with a lambda that the function was not handed yet, `each(4, [&](int j) { ... })` in what
    `each(4, ...)` calls: each lambda has a type of its own, and makes a function of its own of the template.
    """
    if not function.template and not any(parameter.type.name == "auto" for parameter in function.parameters):
        return False
    for arg, parameter in _pairs(expr.args, function.parameters):
        closure = arg if isinstance(arg, LambdaExpr) else None
        if isinstance(arg, Name) and isinstance(held := _held(machine, arg), Closure):
            closure = held.expression if isinstance(held.expression, LambdaExpr) else None
        now = machine.variables.get(parameter)
        if closure is not None and closure not in machine.active:
            return not (isinstance(now, Closure) and now.expression is closure)
    return False


def _is_folded(machine: Machine, expr: Call) -> bool:
    """True for a recursive call that a front end works out: every argument is a constant.

    An argument that calls a known function counts as none: to look would execute it a second time, which doubles the
    work on every level of functions that call each other.
    """
    calls = (node for arg in expr.args for node in walk(arg) if isinstance(node, Call))
    if any(machine.inputs.callee_of(node) is not None for node in calls):
        return False
    values = [machine.evaluate(arg) for arg in expr.args]
    are_constant = [isinstance(value, int) and machine.graph.constants[value] is not None for value in values]
    return bool(are_constant) and all(are_constant)


def _is_other(machine: Machine, function: Function, expr: Call) -> bool:
    """True for a call of a function that is executed already with other template constants: `f<N - 1>()` in `f<N>`."""
    if not expr.template_args or all(parameter.is_type for parameter in function.template):
        return False
    values = template_constants(machine, function, expr)
    numbers = [(values.get(parameter.name), machine.constants.get(parameter.name)) for parameter in function.template]
    return any(new is not None and new != old for new, old in numbers)


def _is_shorter(machine: Machine, function: Function, expr: Call) -> bool:
    """True for a recursion over a parameter pack: `largest(rest...)` in `largest(first, rest...)`."""
    params = function.parameters
    return bool(params) and len(expr.args) - len(params) + 1 < len(machine.bindings.packs.get(params[-1], ()))


def _is_endless(machine: Machine, function: Function, expr: Call) -> bool:
    """True for a member of a class template that is executed already for other arguments, where one of the new ones
    has no value that is known: `Merge<N / 2>` in `Merge<N>`. No explicit specialisation is met then that ends it, and
    each level may double the work.
    """
    owner = split_owner(expr.qualified)[0] if "<" in expr.qualified else ""
    if "<" not in owner:
        return False
    body, path = function.body_span, function.path
    inside = sum(_body_of(function_around) == (path, body) for function_around in machine.active)
    from regpress_lint.cpp.names.definition_nodes import arguments_in

    return inside >= _MOST_WITHIN and not all(_is_known(machine, text) for text in arguments_in(owner))


def _body_of(active: Function | LambdaExpr) -> tuple[str, Span] | None:
    return None if isinstance(active, LambdaExpr) else (active.path, active.body_span)


def _is_known(machine: Machine, text: str) -> bool:
    """True for a template argument that is a name, a type or a number, also one that has to be worked out."""
    expr = machine.file.expression(text)
    if expr is None or isinstance(expr, (Name, Constant)) or machine.file.type_of(text) is not None:
        return True
    return evaluate(expr, machine.environment) is not None
