"""Calls that the source does not write: conversions between classes, and destructors where a scope ends."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.syntax_tree import Call, Constant, Index, Member, Name, Variable
from regpress_lint.cpp.typing_rules import fits
from regpress_lint.model.graph.objects import Either, Memory, Parts, Place, Value
from regpress_lint.model.interpreter.class_objects import under_a_name
from regpress_lint.model.interpreter.inlining import inline
from regpress_lint.model.interpreter.member_calls import constructor_for, own
from regpress_lint.model.interpreter.member_lists import fresh
from regpress_lint.model.interpreter.memory import read
from regpress_lint.model.interpreter.places import place_of
from regpress_lint.model.interpreter.private_objects import part
from regpress_lint.model.interpreter.reinterpret import alike, viewed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.names.records import Part
    from regpress_lint.cpp.syntax_tree import Cast, Expr, Function, InitList, Type
    from regpress_lint.model.interpreter.machine import Machine


_SCOPE = pattern(r"\s|\w+::")
_TYPED = (Name, Member, Index, Call)  # of which a type is known; that of `object * 2` is the number's
_MOST_ELEMENTS = 64  # of a member that is an array
_NOT_ALL = "`{0}` has more elements than are followed: what the destructors of `{1}` do is not in the estimate"


# Conversions: `float v = lazy;` with an `operator float() const` of the class, and `Optional r = value;` with a
# constructor of the other one.


def converted(machine: Machine, expr: Expr, value: Value, wanted: Type | None) -> Value:
    """The value as the type that is needed; the same one if no class converts it.

    wanted: None where any number will do, or a truth.
    """
    by_class = _by_its_class(machine, expr, value, wanted) if machine.converts else value
    if by_class is not value or wanted is None or not wanted.struct or wanted.pointers or wanted.lanes > 1:
        return by_class
    return _by_the_other_class(machine, expr, value, wanted)


def _by_the_other_class(machine: Machine, expr: Expr, value: Value, wanted: Type) -> Value:
    constructor, type_ = converting(machine, expr, wanted), machine.type_of(expr)
    if constructor is None or type_ is None:
        return value
    taken = constructor.parameters[0].type
    if not taken.struct or taken.pointers:
        return constructed_from(machine, constructor, expr, wanted, (_itself(machine, expr, value, type_),))
    # No class converts what a conversion takes: `View(View<remove_const_t<T>>)`.
    object_ = under_a_name(machine, expr, value, taken._replace(reference=False))
    return constructed_from(machine, constructor, expr, wanted, (object_,))


def converting(machine: Machine, expr: Expr, wanted: Type) -> Function | None:
    """The constructor that makes an object of a class out of one of another, or of a number."""
    type_ = machine.type_of(expr)
    if type_ is None or _is_alike(type_.name, wanted.name):
        return None
    function = constructor_for(machine, wanted, (expr,))
    if function is None or not fits(function, [type_]):
        return None
    copies = any(_is_alike(parameter.type.name, wanted.name) for parameter in function.parameters[:1])
    return None if copies else function


def _is_alike(first: str, second: str) -> bool:
    """Whether two names mean one class; the name of a template alone may mean any class of it."""
    (name, _, args), (other_name, _, others) = (_SCOPE.sub("", text).partition("<") for text in (first, second))
    return name == other_name and (args == others or not args or not others)


def listed(machine: Machine, expr: InitList, wanted: Type | None) -> Value | None:
    """The object that `{a, b}` makes where a class with such a constructor is needed; None where no constructor is."""
    constructor = constructor_for(machine, wanted, expr.items)
    if constructor is None or wanted is None:
        return None
    return constructed_from(machine, constructor, expr, wanted, expr.items)


def made_by_default(machine: Machine, variable: Variable) -> Parts:
    """The object of a declaration without an initialiser, after the constructor without arguments if there is one."""
    constructor = constructor_for(machine, variable.type, ())
    if constructor is not None and all(parameter.init is not None for parameter in constructor.parameters):
        object_ = constructed_from(machine, constructor, Name(variable.span, variable.name), variable.type, ())
        if isinstance(object_, Parts):
            return object_
    return fresh(machine, variable.type)


def constructed_from(machine: Machine, constructor: Function, expr: Expr, type_: Type, args: tuple[Expr, ...]) -> Value:
    """An object of a class after its constructor."""
    object_ = Variable("", type_, expr.span, expr.span)
    machine.variables[object_] = fresh(machine, type_)
    if constructor not in machine.active and not machine.is_deep:
        call = Call(expr.span, Name(expr.span, constructor.name), constructor.name, constructor.name, args)
        inline(machine, constructor, call, Name(expr.span, "", object_))
    return machine.variables.pop(object_)


def referred(machine: Machine, expr: Expr, value: Value, wanted: Type) -> Place | Memory | None:
    """The object that a reference is bound to by a conversion, `float& r = proxy` with an `operator float&()`."""
    object_ = _conversion_of(machine, expr, value, wanted) if machine.converts else None
    return object_ if isinstance(object_, (Place, Memory)) else None


def has_conversion(machine: Machine, expr: Expr, wanted: Type) -> bool:
    """Whether a class converts the object that an expression names to the wanted type."""
    type_ = machine.type_of(expr) if machine.converts else None
    if type_ is None or not type_.struct or type_.pointers or bare_name(type_) == bare_name(wanted):
        return False
    return _conversion(machine.file.conversions(type_.name), wanted) is not None


def place_of_cast(machine: Machine, expr: Cast) -> Place | Memory | None:
    """The place of `static_cast<T&>(x)`: that of `x`, its bytes as a `T`, or what its class's conversion refers to."""
    if expr.type.reference and has_conversion(machine, expr.operand, expr.type):
        return referred(machine, expr.operand, machine.evaluate(expr.operand), expr.type)
    where = place_of(machine, expr.operand)
    if where is None or isinstance(where, Either) or not is_recast(machine, expr):
        return where
    wanted = expr.type._replace(reference=False)
    if isinstance(where, Place):
        return viewed(machine, where, wanted)
    return Memory(where.address, where.offset, where.space, wanted, where.root, where.element)


def is_recast(machine: Machine, expr: Cast) -> bool:
    """True for `(float4&)row[j]`, an object's bytes as another type; not for a class as one that it derives from."""
    wanted, type_ = expr.type, machine.type_of(expr.operand)
    if not wanted.reference or not wanted.size or type_ is None or not type_.size or (wanted.struct and type_.struct):
        return False
    return not alike(type_, wanted)


def _by_its_class(machine: Machine, expr: Expr, value: Value, wanted: Type | None) -> Value:
    result = _conversion_of(machine, expr, value, wanted)
    if isinstance(result, Memory):
        return read(machine, result)
    return value if result is None else part(machine, result, wanted) if isinstance(result, Place) else result


def _conversion_of(machine: Machine, expr: Expr, value: Value, wanted: Type | None) -> Value | None:
    """The result of a conversion of an object's class; None without one for this."""
    if isinstance(value, int) and not isinstance(expr, _TYPED):
        return None
    type_ = machine.type_of(expr)
    if type_ is None or not type_.struct or type_.pointers or type_.lanes > 1:
        return None
    if wanted is not None and not wanted.pointers and bare_name(wanted) == bare_name(type_):
        return None
    function = _conversion(machine.file.conversions(type_.name), wanted)
    if function is None or function in machine.active or machine.is_deep:
        return None
    call = Call(expr.span, Name(expr.span, function.name), function.name, function.name, ())
    return inline(machine, function, call, _itself(machine, expr, value, type_))


def _itself(machine: Machine, expr: Expr, value: Value, type_: Type) -> Expr:
    """The object under a name: what an expression has made is not made again for each member."""
    return own(machine, expr) if isinstance(expr, (Name, Member, Index)) else under_a_name(machine, expr, value, type_)


def _conversion(functions: tuple[Function, ...], wanted: Type | None) -> Function | None:
    """The conversion that is meant: to the very type, else to a number where one is needed."""
    typed = [(function, function.return_type) for function in functions if function.return_type is not None]
    if wanted is not None and wanted.pointers:  # `T* s = SharedMemory<T>();`
        return next((function for function, type_ in typed if type_.pointers == wanted.pointers), None)
    if wanted is None:
        return next((function for function, type_ in typed if not type_.struct), None)
    exact = next((function for function, type_ in typed if bare_name(type_) == bare_name(wanted)), None)
    if exact is not None or wanted.struct:
        return exact
    numbers = (function for function, type_ in typed if not (type_.struct or type_.pointers or type_.name == "bool"))
    return next(numbers, None)


def bare_name(type_: Type) -> str:
    """A type's name without scopes and blanks."""
    return type_.name.replace(" ", "").rpartition("::")[2]


# Destructors: of the objects that a scope has made, in reverse, wherever control leaves it.


def owned(machine: Machine, variable: Variable) -> None:
    """Note an object whose end does something."""
    type_ = _own_type(machine, variable)
    if type_ is None or not type_.struct or type_.pointers or variable.storage == "parameter":
        return
    object_ = machine.variables.get(variable)
    made_here = isinstance(variable.init, Call) and isinstance(object_, Parts) and object_.origin is None
    if (made_here or not variable.type.reference) and _ends(machine, type_):
        machine.frame.owned.append(variable)


def _own_type(machine: Machine, variable: Variable) -> Type | None:
    """The class of an object; of `auto guard = lock(p)` the one that the call returns."""
    if variable.type.name != "auto" or variable.type.pointers:
        return variable.type
    object_ = machine.variables.get(variable)
    return machine.type_of(variable.init) if isinstance(object_, Parts) and variable.init is not None else None


def ended(machine: Machine, since: int, returned: Expr | None = None) -> None:
    """Run the destructors of what was made since there were so many objects; what is returned by its name goes on."""
    kept_variable = returned.variable if isinstance(returned, Name) else None
    for variable in reversed(machine.frame.owned[since:]):
        if variable is not kept_variable:
            sizes, type_ = [machine.known_int(size) for size in variable.dims], _own_type(machine, variable)
            _end_all(machine, Name(variable.span, variable.name, variable), type_ or variable.type, sizes)


def temporary_ended(machine: Machine, expr: Expr, value: Value) -> None:
    """The end of an object that a statement only makes: `Barrier(flag);`."""
    type_ = machine.type_of(expr) if isinstance(value, Parts) else None
    if type_ is None or not type_.struct or type_.pointers or type_.reference or not _ends(machine, type_):
        return
    object_ = Variable("", type_, expr.span, expr.span)
    machine.variables[object_] = value
    _end(machine, Name(expr.span, "", object_), type_)


def _ends(machine: Machine, type_: Type) -> bool:
    """Whether an object's end runs a function: a destructor of its class, of a base or of a member."""
    ends, name = machine.read_once.ends, type_.name
    if name not in ends:
        ends[name] = False  # of a class that holds itself
        ends[name] = bool(machine.file.destructors(name)) or any(_parts_that_end(machine, type_))
    return ends[name]


def _parts_that_end(machine: Machine, type_: Type) -> Iterator[Part]:
    for member in reversed(machine.file.parts_of(type_.name) or ()):
        inner = member.type
        if inner.struct and not inner.pointers and not inner.reference and _ends(machine, inner):
            yield member


def _end(machine: Machine, object_: Expr, type_: Type) -> None:
    for function in machine.file.destructors(type_.name):
        if function not in machine.active and not machine.is_deep:
            call = Call(object_.span, Name(object_.span, function.name), function.name, function.name, ())
            inline(machine, function, call, object_)
    for member in _parts_that_end(machine, type_):
        _end_all(machine, Member(object_.span, object_, member.name, arrow=False), member.type, list(member.dims))


def _end_all(machine: Machine, object_: Expr, type_: Type, sizes: list[int | None]) -> None:
    """The same for each element of an array."""
    extents = [size for size in sizes if size]
    count = 1
    for size in extents:
        count *= size
    if len(extents) < len(sizes) or count > _MOST_ELEMENTS:
        machine.unknown("callee", f"~{type_.name}", None, _NOT_ALL.format(_named(object_), type_.name))
        return
    for indices in product(*(range(size) for size in reversed(extents))):
        element = object_
        for index in reversed(indices):
            element = Index(object_.span, element, Constant(object_.span, index, "int"))
        _end(machine, element, type_)


def _named(object_: Expr) -> str:
    return object_.field if isinstance(object_, Member) else object_.name if isinstance(object_, Name) else ""
