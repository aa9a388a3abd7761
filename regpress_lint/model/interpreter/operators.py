"""Operators, and names: the two halves of most expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import COMPARISONS
from regpress_lint.cpp.environment import with_values
from regpress_lint.cpp.syntax_tree import InitList, LambdaExpr, Name
from regpress_lint.model.graph.objects import Closure, Dynamic, Either, Memory, Parts, Place, Value, View, flat
from regpress_lint.model.graph.ops import MULTIPLY, SHIFT_LEFT, SHIFT_RIGHT
from regpress_lint.model.graph.values import BOOL, FLOAT, INT, POINTER, UNSIGNED, made_form
from regpress_lint.model.interpreter import arithmetic
from regpress_lint.model.interpreter.arithmetic import division_key
from regpress_lint.model.interpreter.calls import expanded
from regpress_lint.model.interpreter.member_calls import class_of_decltype, own_member
from regpress_lint.model.interpreter.member_lists import fresh, with_fields
from regpress_lint.model.interpreter.memory import address_of, read
from regpress_lint.model.interpreter.places import place_of
from regpress_lint.model.interpreter.pointer_steps import array_of, beside, moved, position_in, within
from regpress_lint.model.interpreter.private_objects import scalar, variable_value
from regpress_lint.model.interpreter.template_arguments import ANY_COUNT
from regpress_lint.model.interpreter.value_forms import form_of
from regpress_lint.targets.builtins import AXES, COORDINATES, THREAD
from regpress_lint.targets.costs import COSTS

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr, Function
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.machine import Machine


# Binary operations on values of any shape: numbers, vectors lane by lane, pointers into private arrays, classes.


def combined(machine: Machine, op: str, left: Value, right: Value) -> Value:
    """A binary operation on anything: numbers, vectors lane by lane, classes with an operator of their own."""
    if type(left) is int and type(right) is int:
        return binary(machine, op, left, right)
    if isinstance(left, Memory):
        left = read(machine, left)
    if isinstance(right, Memory):
        right = read(machine, right)
    if isinstance(left, int) and isinstance(right, int):
        return binary(machine, op, left, right)
    if isinstance(left, Place) and isinstance(right, Place) and (op == "-" or op in COMPARISONS):
        return _apart(machine, op, left, right)
    if isinstance(left, Place) and isinstance(right, int) and op in "+-":
        pointer = _moved_place(machine, op, left, right)
        if pointer is not None:
            return pointer
    if isinstance(left, tuple) or isinstance(right, tuple):
        lanes = len(left) if isinstance(left, tuple) else len(flat(right))
        pairs = zip(_lanes(machine, left, lanes), _lanes(machine, right, lanes), strict=False)
        return tuple(binary(machine, op, a, b) for a, b in pairs)
    if isinstance(left, Parts) or isinstance(right, Parts):
        return _class_operation(machine, op, left, right)
    return binary(machine, op, scalar(machine, left), scalar(machine, right))


def _moved_place(machine: Machine, op: str, left: Place, right: int) -> Value | None:
    """A pointer to a private object and a number; None if it is no pointer into an array, or into one of its rows."""
    constant = machine.graph.constants[right]
    if isinstance(left, View):
        if constant is not None:
            return left.moved(int(constant) if op == "+" else -int(constant))
        return left.inside(Dynamic(right))
    if isinstance(left, Either):
        then, otherwise = (_moved_place(machine, op, side, right) for side in (left.then, left.other))
        if not isinstance(then, Place) or not isinstance(otherwise, Place):
            return None
        return Either(left.condition, then, otherwise)
    first, sizes = array_of(machine, left)
    depth, dims = len(left.path) - first, len(sizes) if first else len(left.variable.dims)
    if dims and depth == dims:
        return moved(machine, left, op, right)
    if dims and (not depth or (depth < dims and op == "+")):
        return within(machine, left.inside(int(constant) if constant is not None else Dynamic(right)))
    return beside(machine, left, op, right) if left.path and isinstance(left.path[-1], str) else None


def _apart(machine: Machine, op: str, left: Place, right: Place) -> int:
    """A comparison or a difference of two pointers into private objects: of their indices, in the same array."""
    sides = [position_in(machine, place) for place in (left, right)] if _are_in_one(machine, left, right) else []
    if len(sides) == 2 and sides[0] is not None and sides[1] is not None:
        return binary(machine, op, sides[0], sides[1])
    if op in ("==", "!=") and left.variable is not right.variable:
        return machine.graph.constant(int(op == "!="), BOOL)
    return binary(machine, op, scalar(machine, left), scalar(machine, right))


def _are_in_one(machine: Machine, left: Place, right: Place) -> bool:
    """Whether two pointers lead into the same array."""
    (first, _), (second, _) = array_of(machine, left), array_of(machine, right)
    return left.variable is right.variable and left.path[:first] == right.path[:second]


def _lanes(machine: Machine, value: Value, lanes: int) -> tuple[int, ...]:
    return value if isinstance(value, tuple) else (scalar(machine, value),) * lanes


def _class_operation(machine: Machine, op: str, left: Value, right: Value) -> Value:
    """An operator of a class without a known definition: part by part."""
    a, b = flat(left) or [scalar(machine, left)], flat(right) or [scalar(machine, right)]
    simple = op if op in "+-*/" else "+"
    result = Parts()
    for position in range(max(len(a), len(b))):
        value = binary(machine, simple, a[position % len(a)], b[position % len(b)])
        result.parts[(position,)] = value
    return result


def binary(machine: Machine, op: str, a: int, b: int) -> int:
    """A binary operation on two numbers; what was combined before makes no value and counts no more."""
    graph = machine.graph
    result = graph.combined.get((op, a, b))
    return result[0] if result is not None and result[1] <= machine.tally.apart else _combine(machine, op, a, b)


def _combine(machine: Machine, op: str, a: int, b: int) -> int:
    graph = machine.graph
    if op in COMPARISONS:
        result = arithmetic.compare(graph, op, a, b)
        graph.combined[op, a, b] = (result, len(graph.ops))
        return result
    if op in ("&&", "||"):
        return arithmetic.logical(graph, op, arithmetic.convert(graph, a, BOOL), arithmetic.convert(graph, b, BOOL))
    extra, key = 0, None
    if op in "/%" and (key := division_key(machine, a, b)) is not None:
        extra = COSTS[machine.vendor][key].once * (2 if graph.forms[a].width > 2 else 1)
        machine.tally.libraries.append(key)
    elif op in _OF_HALVES and graph.forms[a].width > 2 and graph.constants[b] is None:
        extra = _HALF_OF_128
    before = len(graph.ops)
    if op in "/%" and isinstance(graph.constants[a], int) and isinstance(graph.constants[b], int):
        machine.tally.size += _size_of_division(machine, b)  # the loop's counter is known in a copy, and not before
    apart = None
    if op in ("*", "<<"):
        apart = arithmetic.product_apart(graph, op, a, b, always=machine.compiler.splits_products)
    if op in ("+", "-"):
        result = _sum(machine, op, a, b)
    else:
        result = apart if apart is not None else arithmetic.binary(graph, op, a, b, extra)
    if key is not None:
        machine.note_routine(result, key)
    if len(graph.ops) > before:
        machine.tally.operations += 1
        machine.tally.size += _size(machine, op, a, b, result)
    elif result >= machine.tally.apart:
        machine.tally.size += _size(machine, op, a, b, result)
    if graph.kinds[result] == POINTER:
        for side in (a, b):
            machine.memory.derived(side, result)
    elif op not in "/%":  # each division is one more call of its routine
        graph.combined[op, a, b] = (result, len(graph.ops))
    return result


def _sum(machine: Machine, op: str, a: int, b: int) -> int:
    """A sum or a difference. A product that another sum of the block has taken is computed once more, as a part of
    one instruction with this one: of `s += r[i] * r[j]` for 24 by 24 elements no register holds a product. Products
    that are moved in front of a loop are in another block, and stay.
    """
    graph = machine.graph
    region = machine.region if machine.region.parent is not None else None
    products = [
        side
        for side in (a, b)
        if graph.ops[side] is MULTIPLY and graph.homes[side] is region and _goes_into_sums(graph, side)
    ]
    if not products:
        return arithmetic.binary(graph, op, a, b)
    block, before = machine.block, len(graph.ops)
    a, b = (graph.again(side) if side in products and (side, block) in graph.summed else side for side in (a, b))
    result = arithmetic.binary(graph, op, a, b)
    if result >= before:
        graph.summed.update(((side, block), result) for side in products)
    return result


def _goes_into_sums(graph: Graph, product: int) -> bool:
    """True for products of floats, and of integers that are no part of an index: there a factor is a thread's own."""
    return graph.kinds[product] == FLOAT or all(graph.divergent[arg] for arg in graph.args[product])


def _size(machine: Machine, op: str, a: int, b: int, result: int) -> int:
    """Instructions of an operation as the compiler counts them in a loop."""
    graph, table = machine.graph, machine.compiler.unrolling
    if graph.kinds[result] == FLOAT:
        return 0 if table.fused and op in "+-" and MULTIPLY in (graph.ops[a], graph.ops[b]) else 1
    if op == "|" and {graph.ops[a], graph.ops[b]} == {SHIFT_LEFT, SHIFT_RIGHT} and graph.args[a][0] == graph.args[b][0]:
        return table.rotation - 2  # besides the shifts
    if op in "/%":
        return 1 + _size_of_division(machine, b)
    if op != "*":
        return 1
    factor = graph.constants[b] if graph.constants[a] is None else graph.constants[a]
    return 1 if isinstance(factor, int) and not factor & (factor - 1) else table.product  # a shift


def _size_of_division(machine: Machine, divisor: int) -> int:
    """The instructions that a division of integers counts, less one."""
    number = machine.graph.constants[divisor]
    if isinstance(number, float) or (number is not None and not number & (number - 1)):
        return 0
    return machine.compiler.unrolling.division - 1


# The meaning of a name: a variable, a known constant, where a thread is, a macro, a field, a function.


_OF_HALVES = ("<<", ">>")  # shifts of `__int128` take registers for parts of the result
_HALF_OF_128 = 4
_NO_VALUE = "`{}` is a type, and the expression around it was not understood; nothing of it is in the estimate"
_LOST = "what `{}` of `{}` is stays open: no argument of the call says it"
_NOT_COUNTED = "`{}` stays open: how many arguments the template has is not known"
_LARGEST_BLOCK = 1024  # threads in a block along each axis: the range that a compiler gives a thread's id
_LARGEST_DIM = 0xFFFF  # a block's size is read as 16 bits


def value_of_name(machine: Machine, expr: Name) -> Value:
    """Value of a name, where the execution is now."""
    if expr.variable is not None:
        return variable_value(machine, expr.variable)
    name = expr.name
    if (bound := machine.constants.get(name)) is not None:
        return machine.graph.constant(bound)
    if (variable := machine.names.get(name)) is not None:
        return variable_value(machine, variable)
    if name in COORDINATES:  # all of it: `const dim3 t = threadIdx`
        return tuple(coordinate(machine, name, axis) for axis in AXES)
    number = machine.environment.names(_spelled(machine, expr))
    if number is not None:
        return machine.graph.constant(number, made_form(2, FLOAT) if isinstance(number, float) else INT)
    if name == "warpSize":
        return machine.graph.constant(machine.compiler.wave)
    if (body := expanded(machine, name, None)) is not None:
        return body
    if name == "this" and machine.this is not None:
        return _address_of_this(machine, machine.this)
    if machine.this is not None:
        return machine.evaluate(own_member(machine, expr, machine.this))
    if (object_ := machine.file.constant_object(name)) is not None:
        type_ = machine.file.type_of(object_.type_name)
        if not object_.items:
            return fresh(machine, type_)
        return with_fields(machine, machine.evaluate(InitList(expr.span, object_.items)), type_)
    if machine.file.find_function(name, ANY_COUNT) is not None:
        return Closure(expr)
    return _free(machine, expr)


def _free(machine: Machine, expr: Name) -> Value:
    """The value of a name that nothing says more about."""
    name = expr.name
    if (type_ := machine.file.type_of(name)) is not None and type_.struct:  # `tmp::select > (x)` of a list of types
        machine.unknown("limit", name, expr.span, _NO_VALUE.format(name))
    elif "..." in name:
        machine.unknown("loop", name, expr.span, _NOT_COUNTED.format(name), "both")
    elif (template := _template_of(machine, name)) is not None:
        machine.unknown("argument", name, expr.span, _LOST.format(name, template.name), "both")
    form = form_of(machine.type_of(expr))
    return machine.graph.source(("free", name), form, held=machine.compiler.scalar_registers)


def _template_of(machine: Machine, name: str) -> Function | None:
    """The called template one of whose numbers has a name; None in a kernel that is a template, whose own are open."""
    first, last = machine.active[0], machine.active[-1]
    if isinstance(first, LambdaExpr) or isinstance(last, LambdaExpr) or first.template or first is last:
        return None
    return last if any(parameter.name == name and not parameter.is_type for parameter in last.template) else None


def _spelled(machine: Machine, expr: Name) -> str:
    """A name with what its template arguments are here; of `decltype(i)::value` the class of `i`."""
    if (type_ := class_of_decltype(machine, expr)) is not None:
        return f"{with_values(type_.name, machine.constants)}::{expr.last}"
    return with_values(expr.written, machine.constants)


def _address_of_this(machine: Machine, this: Expr) -> Value:
    """The pointer that `this` is; of an object that is one already, as in `p->run()`, that one."""
    type_ = machine.type_of(this)
    where = place_of(machine, this) if type_ is None or not type_.pointers else None
    if isinstance(where, Memory):
        return address_of(machine, where)
    return where if where is not None else machine.evaluate(this)


def coordinate(machine: Machine, name: str, axis: str) -> int:
    """`threadIdx.x` and its like: where the thread is, and how many there are."""
    graph = machine.graph
    if name == THREAD:
        if axis == "x" and machine.inputs.thread is not None:
            return graph.constant(machine.inputs.thread, made_form(1, UNSIGNED))
        thread = graph.source((name, axis), made_form(1, UNSIGNED), divergent=True)
        graph.limits[thread] = min(machine.inputs.bound_threads or _LARGEST_BLOCK, _LARGEST_BLOCK) - 1
        return thread
    held = machine.compiler.scalar_registers or name == "blockIdx"
    uniform = graph.source((name, axis), made_form(1, UNSIGNED), held=held)
    if name == "blockDim":
        graph.limits[uniform] = _LARGEST_DIM
    return uniform
