"""Objects of classes: constructed, with operators of their own, and called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.environment import with_values
from regpress_lint.cpp.names.name_index import CONVERSIONS
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Call,
    Conditional,
    Constant,
    Expr,
    Index,
    InitList,
    LambdaExpr,
    Member,
    Name,
    Return,
    Unary,
    Update,
    Variable,
)
from regpress_lint.cpp.traversal import walk_outside_lambdas
from regpress_lint.cpp.types import view_shape
from regpress_lint.model.graph.objects import Closure, Memory, Parts, Place, Value
from regpress_lint.model.interpreter.constant_tables import held_function
from regpress_lint.model.interpreter.inlining import inline, inline_lambda, is_inlined
from regpress_lint.model.interpreter.macros import expansion_of
from regpress_lint.model.interpreter.member_calls import constructor_for, has_operator, own, subscript_of, target_of
from regpress_lint.model.interpreter.member_lists import begun_with_zero, bind_references, fresh, with_fields
from regpress_lint.model.interpreter.memory import read
from regpress_lint.model.interpreter.places import place_of
from regpress_lint.model.interpreter.private_objects import part
from regpress_lint.model.interpreter.template_arguments import specialised, template_constants
from regpress_lint.model.interpreter.unseen_calls import unseen_element

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.cpp.syntax_tree import Function, Type
    from regpress_lint.model.interpreter.machine import Machine

    Operation = Binary | Assign | Unary | Update


# Objects that an expression makes: by a constructor, from braces, or as the function object that is called at once.


def temporary(machine: Machine, callee: Call) -> Name | None:
    """The object that `Op()(a, b)` makes and calls, as a variable; None if the call makes none."""
    if not isinstance(callee.callee, Name):
        return None
    type_ = machine.file.type_of(with_values(spelled(callee), machine.constants))
    if type_ is None or not type_.struct:
        return None
    object_ = Variable("", type_, callee.span, callee.span)
    value = machine.evaluate(callee)
    machine.variables[object_] = value if isinstance(value, Parts) else Parts(owner=machine.owner)
    return Name(callee.span, "", object_)


def class_of(machine: Machine, expr: Call, target: Function) -> Type | None:
    """The class of which a call makes an object with one of its constructors."""
    if expr.callee.__class__ is not Name or target.name != expr.name or target.return_type is not None:
        return None
    type_ = machine.file.type_of(with_values(spelled(expr), machine.constants))
    return type_ if type_ is not None and type_.struct else None


def constructed(machine: Machine, expr: Call, type_: Type, constructor: Function) -> Value:
    """The object after its constructor."""
    object_ = Variable("", type_, expr.span, expr.span)
    machine.variables[object_] = fresh(machine, type_)
    if not machine.is_deep:
        inline(machine, constructor, expr, Name(expr.span, "", object_))
    return machine.variables.pop(object_)


def member_constructed(machine: Machine, target: Expr, type_: Type | None, init: InitList) -> bool:
    """Whether a constructor creates an object in its place: a member in the list of the outer object's one."""
    constructor = constructor_for(machine, type_, init.items)
    if constructor is None or constructor in machine.active or machine.is_deep:
        return False
    call = Call(init.span, Name(init.span, constructor.name), constructor.name, constructor.name, init.items)
    inline(machine, constructor, call, own(machine, target))
    return True


def spelled(expr: Call) -> str:
    """The name that is called, with its template arguments."""
    return f"{expr.qualified}<{', '.join(expr.template_args)}>" if expr.template_args else expr.qualified


def aggregate(machine: Machine, expr: Call, type_: Type) -> Value | None:
    """`Point{a, b}`: an object without a known constructor, its members in order; None for a call of a function that
    only has the name of a class, `device::count(x)` in the `operator()` of a functor `count`.
    """
    members = machine.file.parts_of(type_.name)
    if members is None:
        from regpress_lint.model.interpreter.layer_elements import made_view

        shape = view_shape(type_.name)
        if shape is None and not expr.args and type_.size:  # with bit-fields, which are no parts
            return fresh(machine, type_)
        if any(isinstance(closure_of(machine, arg), LambdaExpr) for arg in expr.args):
            return with_fields(machine, machine.evaluate(InitList(expr.span, expr.args)), type_)
        return made_view(machine, expr, shape) if shape is not None else None
    if len(expr.args) == 1 and not isinstance(expr.args[0], InitList):
        value = machine.evaluate(expr.args[0])
        if isinstance(value, Parts):  # a copy
            return value
    if expr.args and not members:
        return None
    if not expr.args:
        return begun_with_zero(machine, type_)
    listed = machine.evaluate(InitList(expr.span, expr.args))
    object_ = with_fields(machine, listed, type_)
    bind_references(machine, object_, type_, expr.args)
    return object_


_OF_ANY_CLASS = frozenset(("=", "&", ","))
_PART_BY_PART = "operator `{}` of `{}` is not visible and counts as one operation for each member"


# Operators that a class defines: `a * b` of two complex numbers is a call of `operator*`.


def class_operation(machine: Machine, expr: Operation) -> Value | None:
    """The result of a known operator; None if the operation is not one of a class, or its operator is unknown."""
    plain = machine.read_once.plain
    if expr in plain:
        return None
    operator = operator_of(machine, expr)
    if operator is None:
        types = [*map(machine.read_once.types.get, _operands(expr))]
        if (all(map(is_number, types)) and not any(map(_is_vector, types))) or (
            not _note_operator(machine, expr) and _are_settled(machine, expr)
        ):
            plain.add(expr)
        return None
    if machine.is_deep:
        return None
    function, call, object_ = operator
    instance = specialised(machine, function, call)
    if instance in machine.active:
        return None
    written = isinstance(expr, (Assign, Update))
    return inline(machine, instance, call, _object(machine, object_, written=written) if object_ is not None else None)


def _note_operator(machine: Machine, expr: Operation) -> bool:
    """An invisible operator of a visible class: it is taken to work part by part. True if there is such a class."""
    if expr.op in _OF_ANY_CLASS:
        return False
    for operand in _operands(expr):
        type_ = machine.type_of(operand)
        if type_ is not None and _is_class(type_) and machine.file.parts_of(type_.name):
            if not machine.file.methods(type_.name, CONVERSIONS, 0):
                machine.unknown(
                    "callee", f"operator{expr.op}", expr.span, _PART_BY_PART.format(expr.op, type_.name), "both"
                )
            return True
    return False


def _object(machine: Machine, operand: Expr, *, written: bool) -> Expr:
    """The object of a member; what an operation gives is made once, and not for every part that is named. written: it
    is the object itself that changes, as in `view(i) = x`, and no copy of it.
    """
    if not isinstance(operand, (Binary, Unary, Call)):
        return own(machine, operand)
    type_ = machine.type_of(operand)
    where = place_of(machine, operand) if written and type_ is not None else None
    value: Value = where if where is not None else machine.evaluate(operand)
    if type_ is None or not isinstance(value, (Parts, Place, Memory)):
        return own(machine, operand)
    return under_a_name(machine, operand, value, type_)


def operator_of(machine: Machine, expr: Operation) -> tuple[Function, Call, Expr | None] | None:
    """The operator that an operation calls, the call as if it were written out, and the object of a member."""
    if not has_operator(machine, f"operator{expr.op}"):
        return None
    operators = machine.known.operators
    if expr not in operators:
        operators[expr] = _found(machine, f"operator{expr.op}", expr)
    return operators[expr]


def _found(machine: Machine, name: str, expr: Operation) -> tuple[Function, Call, Expr | None] | None:
    operands = _operands(expr)
    types = [machine.type_of(operand) for operand in operands]
    if not any(_is_class(type_) or _is_vector(type_) for type_ in types):
        return None
    from regpress_lint.cpp.typing_rules import fits, steps

    free = [
        overload
        for overload in machine.file.overloads(name, len(types))
        if fits(overload, types) and (_names_a_class(overload) or _is_of_their_library(machine, overload, types))
    ]
    type_ = types[0]
    own_class = machine.file.methods(type_.name, name, len(types) - 1) if type_ is not None and _is_class(type_) else ()
    members = [member for member in own_class if fits(member, types[1:])]
    choices = [(steps(member, types[1:]), 0, member) for member in members] + [
        (steps(function, types), 1, function) for function in free
    ]
    if not choices:
        choices = [(0, 0, member) for member in own_class if _is_made(machine, member, operands[1:])]
    if not choices and any(map(is_number, types)):
        overloads = (overload for overload in machine.file.overloads(name, len(types)) if not overload.template)
        choices = [(0, 1, overload) for overload in overloads if _is_made(machine, overload, operands)]
    if not choices:
        return None
    _, is_free, function = min(choices, key=lambda choice: choice[:2])
    args = operands if is_free else operands[1:]
    return function, Call(expr.span, Name(expr.span, name), name, name, args), None if is_free else operands[0]


def _is_made(machine: Machine, function: Function, args: Sequence[Expr]) -> bool:
    """Whether constructors make the numbers among the arguments what an operator takes: `z - 4`, of `Z(int)`."""
    from regpress_lint.cpp.typing_rules import fits

    types: list[Type | None] = []
    for parameter, arg in zip(function.parameters, args, strict=False):
        type_, wanted = machine.type_of(arg), parameter.type._replace(reference=False, const=False)
        if is_number(type_) and _is_class(wanted) and constructor_for(machine, wanted, (arg,)) is not None:
            type_ = wanted
        types.append(type_)
    return any(map(_is_class, types)) and fits(function, types)


def _operands(expr: Operation) -> tuple[Expr, ...]:
    if isinstance(expr, Update):
        return (expr.operand,) if expr.prefix else (expr.operand, Constant(expr.span, 0, "int"))
    if isinstance(expr, Unary):
        return (expr.operand,)
    return (expr.left, expr.right) if isinstance(expr, Binary) else (expr.target, expr.value)


def _is_class(type_: Type | None) -> bool:
    """True for what may define operators of its own."""
    return type_ is not None and type_.struct and not type_.pointers and type_.lanes == 1


def _is_vector(type_: Type | None) -> bool:
    """True for a vector of the language. What no function says of it, `float2 operator*(float2, float2)` of complex
    numbers, is done lane by lane.
    """
    return type_ is not None and type_.lanes > 1 and not type_.pointers


def is_number(type_: Type | None) -> bool:
    """True for a type that is known and that no class has anything to do with."""
    return type_ is not None and not type_.struct


def _are_settled(machine: Machine, expr: Operation) -> bool:
    return machine.this is None and not machine.expanding and all(_is_settled(machine, arg) for arg in _operands(expr))


def _is_settled(machine: Machine, expr: Expr) -> bool:
    """True for an operand of which no execution says more: `WIDTH`, a macro's or a template's name, has no type."""
    type_ = machine.read_once.types.get(expr)
    if type_ is not None or expr.__class__ is Constant:
        return type_ is None or not type_.struct
    if expr.__class__ is Binary:
        return _is_settled(machine, expr.left) and _is_settled(machine, expr.right)
    return expr.__class__ is Name and expr.variable is None


def _names_a_class(function: Function) -> bool:
    """False for templates that take anything: they are meant for the types of their own library."""
    parameters = {parameter.name for parameter in function.template}
    return any(parameter.type.name not in parameters for parameter in function.parameters)


def _is_of_their_library(machine: Machine, function: Function, types: Sequence[Type | None]) -> bool:
    """Whether a template that takes anything is in the namespace of an operand's class, as expression templates are,
    and its arguments agree: of `f(T, T)` both have one type.
    """
    taken: dict[str, str] = {}
    for parameter, type_ in zip(function.parameters, types, strict=False):
        if type_ is None or taken.setdefault(parameter.type.name, type_.name) != type_.name:
            return False
    return any(
        function in machine.file.overloads_beside(type_.name, function.name, len(types))
        for type_ in types
        if type_ is not None and _is_class(type_)
    )


# Calls that name an object: functions, members and lambdas that return a reference, and the object of a member
# call.


def returns_reference(function: Function) -> bool:
    """True for a function whose call names an object."""
    return function.return_type is not None and function.return_type.reference


def called_type(machine: Machine, expr: Call | Binary) -> Type | None:
    """The result type of a call of a known function or operator, of a template with the types of this call, or of a
    macro; None for others.
    """
    if isinstance(expr, Binary):
        operator = operator_of(machine, expr)
        return _of_member(machine, *operator) if operator is not None else None
    from regpress_lint.model.interpreter.library_calls import named_part

    if (named := named_part(machine, expr)) is not None:
        return machine.type_of(named)
    closure = closure_of(machine, expr.callee)
    if isinstance(closure, LambdaExpr):
        return _type_returned(machine, closure.body)
    target, this = target_of(machine, expr)
    if target is None:
        return _type_of_macro(machine, expr)
    return _of_member(machine, target, expr, this)


def _of_member(machine: Machine, target: Function, expr: Call, this: Expr | None) -> Type | None:
    """The result type of a function; `Ptr` within `Ptr<T>` is the class with its arguments."""
    type_, owner = _result_type(machine, target, expr), machine.type_of(this) if this is not None else None
    if type_ is None or owner is None or "<" in type_.name or not owner.name.startswith(f"{type_.name}<"):
        return type_
    return type_._replace(name=owner.name, size=type_.size if type_.pointers else owner.size)


def _result_type(machine: Machine, target: Function, expr: Call) -> Type | None:
    """The result type of a known function for the types of a call."""
    if target.return_type is None:
        return None
    instance = specialised(machine, target, expr)
    type_ = instance.return_type
    if type_ is not None and type_.name == "auto" and not type_.pointers:
        type_ = _type_returned(machine, instance.body)
    if type_ is None or (type_.size is None and not type_.struct):  # an object that has a lambda has no known size
        return None
    if "<" in type_.name and target.template:  # `Part<N>` of `first<8>(x)` is a `Part<8>`
        name = with_values(type_.name, template_constants(machine, target, expr))
        type_ = (machine.file.type_of(name) or type_)._replace(name=name) if name != type_.name else type_
    return type_._replace(reference=False, const=False) if type_.reference else type_


def _type_returned(machine: Machine, body: Block) -> Type | None:
    """The class of the object that the first `return` of a lambda, or of a function without a type, gives."""
    for node in walk_outside_lambdas(body):
        if isinstance(node, Return) and node.value is not None:
            type_ = machine.type_of(node.value)
            is_object_type = type_ is not None and (_is_class(type_) or type_.lanes > 1)
            return type_._replace(reference=False, const=False) if type_ is not None and is_object_type else None
    return None


def _type_of_macro(machine: Machine, expr: Call) -> Type | None:
    expansion = expansion_of(machine, expr.name, expr.args) if expr.callee.__class__ is Name else None
    if expansion is None or isinstance(expansion.body, Block):
        return None
    machine.expanding += 1
    type_ = machine.type_of(expansion.body)
    machine.expanding -= 1
    return type_


def place_of_call(machine: Machine, expr: Call) -> Place | Memory | None:
    """The place of the object that a call returns a reference to; None for a call that returns a value, which is not
    executed."""
    from regpress_lint.model.interpreter.library_calls import named_part

    if (named := named_part(machine, expr)) is not None:
        return place_of(machine, named)
    closure = closure_of(machine, expr.callee)
    if isinstance(closure, LambdaExpr):
        value = inline_lambda(machine, closure, expr.args) if closure.returns_reference else None
        return _somewhere(machine, expr, value, None)
    if closure is not None:
        call = Call(expr.span, closure, closure.last, closure.name, expr.args, closure.template_args)
        return place_of(machine, call)
    target, this = target_of(machine, expr)
    if target is None and expr.name and not machine.file.is_macro(expr.name):
        return unseen_element(machine, expr, written=True)
    if target is None or not returns_reference(target) or machine.is_deep:
        return None
    if class_of(machine, expr, target) is not None:
        return None
    instance = specialised(machine, target, expr)
    if not is_inlined(machine, instance, expr):
        return None
    value = inline(machine, instance, expr, held(machine, this))
    return _somewhere(machine, expr, value, instance.return_type)


def _somewhere(machine: Machine, expr: Call, value: Value | None, type_: Type | None) -> Place | Memory | None:
    """The object that was returned; if it is unknown which, one that holds the values read from it."""
    if value is None or isinstance(value, (Place, Memory)):
        return value
    class_ = type_ if type_ is not None else machine.type_of(expr)
    return _kept(machine, expr, value, class_) if class_ is not None else None


def contents(machine: Machine, value: Value, type_: Type | None) -> Value:
    """The content of the object that a call returns a reference to."""
    if isinstance(value, Memory):
        return read(machine, value)
    if isinstance(value, Place):
        return part(machine, value, type_._replace(reference=False) if type_ is not None else None)
    return value


def held(machine: Machine, this: Expr | None) -> Expr | None:
    """The object of a member function that is called on what another call gives, `rows(i).at(k)`, under a name: it is
    made once, and not for every member that is named in the function.
    """
    if isinstance(this, Index) and (called := subscript_of(machine, this)) is not None:  # `rows[i][j]`
        this = called
    if not isinstance(this, (Call, Conditional, Assign, Update, Binary)):
        return this
    object_ = temporary(machine, this) if isinstance(this, Call) else None
    if object_ is not None:
        return object_
    type_ = machine.type_of(this)
    if type_ is None or not type_.struct:
        return this
    where = place_of(machine, this)
    value: Value = where if where is not None else machine.evaluate(this)
    if isinstance(value, int) and not type_.pointers:
        return this
    return under_a_name(machine, this, value, type_)


def under_a_name(machine: Machine, expr: Expr, value: Value, type_: Type) -> Name:
    """What an expression has made, as a variable."""
    object_ = Variable("", type_, expr.span, expr.span)
    if isinstance(value, (Place, Memory)):
        machine.references.add(object_)
    machine.variables[object_] = value
    return Name(expr.span, "", object_)


def _kept(machine: Machine, expr: Expr, value: Value, type_: Type) -> Place:
    object_ = Variable("", type_._replace(reference=False), expr.span, expr.span, "local")
    machine.variables[object_] = value
    return Place(object_)


def closure_of(machine: Machine, callee: Expr) -> LambdaExpr | Name | None:
    """The lambda or function that is called through a variable, a member of an object or a pointer."""
    if isinstance(callee, LambdaExpr):
        return callee
    if isinstance(callee, Unary) and callee.op == "*":
        return closure_of(machine, callee.operand)
    if isinstance(callee, Name) and callee.variable is not None:
        value = machine.variables.get(callee.variable)
        if isinstance(value, Closure):
            return None if value.late else value.expression
        if value is None and isinstance(callee.variable.init, LambdaExpr):
            return callee.variable.init
    elif isinstance(callee, Index):
        return held_function(machine, callee)
    elif isinstance(callee, Member) or (machine.this is not None and isinstance(callee, Name)):
        return _held_closure(machine, callee)
    return None


def _held_closure(machine: Machine, callee: Expr) -> LambdaExpr | Name | None:
    """The lambda that a member of a private object holds: `pipeline.load(i)`."""
    member = own(machine, callee)
    where = place_of(machine, member) if isinstance(member, Member) and _is_private(machine, member.base) else None
    whole = machine.variables.get(where.variable) if isinstance(where, Place) else None
    value = whole.parts.get(where.path) if isinstance(whole, Parts) and isinstance(where, Place) else None
    return value.expression if isinstance(value, Closure) else None


def _is_private(machine: Machine, expr: Expr) -> bool:
    """True for a variable with parts, or a member of one: its place can be looked up without an effect."""
    while isinstance(expr, Member):
        expr = expr.base
    value = machine.variables.get(expr.variable) if isinstance(expr, Name) and expr.variable is not None else None
    return isinstance(value, (Parts, Place))
