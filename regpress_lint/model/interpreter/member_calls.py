"""Member functions: which one a call means, and the object that it is called for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import WORD, pattern
from regpress_lint.core.uncertainty import ANY_NUMBER
from regpress_lint.cpp.environment import with_values
from regpress_lint.cpp.lexical import bare_name
from regpress_lint.cpp.syntax_tree import (
    POINTED,
    UNNAMED,
    Call,
    Cast,
    Conditional,
    Expr,
    Function,
    Index,
    Member,
    Name,
    Unary,
    Unknown,
)
from regpress_lint.cpp.traversal import walk
from regpress_lint.model.graph.objects import Closure, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.cpp.syntax_tree import Type, Variable
    from regpress_lint.model.interpreter.machine import Machine


_OF_DECLTYPE = pattern(r"decltype\((?P<name>\w+)\)::\w+")
PACK = "parameter_pack_expansion"
_MOST_CLASSES = 16  # of an object: its own and those above it
_ANY_MEMBER = "which member this pointer to a member means is not known: nothing of it is in the estimate"


def target_of(machine: Machine, expr: Call) -> tuple[Function | None, Expr | None]:
    """The callee of a call, and the object if that is a member function.

    A bare name in a member function means one of the same class before any other function.
    """
    callee = expr.callee
    if isinstance(callee, Name):
        if callee.variable is not None:
            operator = _operator(machine, callee, expr)
            if operator is not None or _is_functor(machine, callee):
                return operator, callee
        if machine.this is None or callee.name.startswith("decltype"):
            return _sibling(machine, callee, expr) or machine.inputs.callee_of(expr), None
    elif isinstance(callee, Member):
        base = object_behind(machine, own(machine, callee.base), callee.field)
        if callee.arrow and (pointer := called_operator(machine, base, "operator->")) is not None:
            base = pointer
        if "::" in callee.field and (inherited := _of_base(machine, base, callee.field, expr)) is not None:
            return inherited, base  # `this->Base::set(x)`
        function = _method(machine, machine.type_of(base), expr)
        if function is None and (operator := _operator(machine, callee, expr)) is not None:
            return operator, own(machine, callee)
        return function, base
    if isinstance(callee, (Call, Index, Unary, Conditional)):  # `rows(i)(k)`, `views[b](i)`
        return _operator(machine, callee, expr), own(machine, callee)
    if machine.this is not None and isinstance(callee, Name) and callee.variable is None:
        if (inherited := _of_base(machine, machine.this, callee.name, expr)) is not None:
            return inherited, machine.this
        this = object_behind(machine, machine.this, callee.name)
        function = _method(machine, machine.type_of(this), expr)
        if function is not None:
            return function, this
        member = own(machine, callee)  # `op(x)` with an `Op op` of the class
        if isinstance(member, Member) and (operator := _operator(machine, member, expr)) is not None:
            functor = machine.type_of(member)
            named = bare_name(functor.name) if functor is not None else ""
            if named != callee.last:  # `Op(x)` with a class `Op` makes one
                return operator, member
    return machine.inputs.callee_of(expr), None


def class_of_decltype(machine: Machine, name: Name) -> Type | None:
    """The class that `decltype(x)::size` names."""
    match = _OF_DECLTYPE.fullmatch(name.name) if name.name.startswith("decltype") else None
    variable = machine.names.get(match["name"]) if match is not None else None
    return machine.type_of(Name(name.span, variable.name, variable)) if variable is not None else None


def _sibling(machine: Machine, callee: Name, expr: Call) -> Function | None:
    """The static member function that a bare name means in another one of its class, or `decltype(x)::f`."""
    if "::" in callee.name:
        return _method(machine, class_of_decltype(machine, callee), expr)
    around = machine.function
    if around is None or not around.owner:
        return None
    return _method(machine, machine.file.type_of(around.owner), expr)


def _of_base(machine: Machine, object_: Expr, name: str, expr: Call) -> Function | None:
    """The member function of a base class that `Base::set(x)` means in one of the same name."""
    owner, _, last = name.rpartition("::")
    type_ = machine.type_of(object_) if owner else None
    bases = machine.file.bases_of(type_.name) if type_ is not None else ()
    base = next((base for base in bases if bare_name(base) == bare_name(owner)), None)
    return _fitting(machine, base, last, len(expr.args), expr.args) if base is not None else None


def object_behind(machine: Machine, base: Expr, method: str) -> Expr:
    """The private object that a reference or a pointer stands for whose virtual function is called: its own class says
    which one that is.
    """
    if not isinstance(base, Name) or base.variable is None:
        return base
    held = machine.variables.get(base.variable)
    if not isinstance(held, Place) or held.path or held.variable is base.variable or held.variable.dims:
        return base
    type_ = machine.type_of(base)
    if type_ is None or not held.variable.type.struct or not machine.file.is_virtual(type_.name, method):
        return base
    return machine.known.objects.setdefault(held.variable, Name(base.span, held.variable.name, held.variable))


def subscript_of(machine: Machine, expr: Index) -> Call | Index | None:
    """The call of `operator[]` that a subscript of an object is, or the element of the pointer that its class converts
    it to, each time the same node; None for one of an array, of a pointer or of a vector of the language.
    """
    key = (expr, machine.this)
    if key not in machine.known.subscripts:
        machine.known.subscripts[key] = _subscript(machine, own(machine, expr.base), expr)
    return machine.known.subscripts[key]


def _subscript(machine: Machine, base: Expr, expr: Index) -> Call | Index | None:
    type_ = machine.type_of(base)
    if type_ is None or not type_.struct or type_.pointers or type_.decayed or type_.lanes > 1:
        return None
    if isinstance(base, Name) and base.variable is not None and base.variable.dims:
        return None
    if _fitting(machine, type_.name, "operator[]", 1, (expr.index,)) is None:
        pointer = _converted_pointer(machine, type_)
        return None if pointer is None else Index(expr.span, Cast(expr.span, pointer, base), expr.index)
    callee = Member(expr.span, base, "operator[]", arrow=False)
    return Call(expr.span, callee, "operator[]", "operator[]", (expr.index,))


def _converted_pointer(machine: Machine, type_: Type) -> Type | None:
    """The type of the pointer that a class converts its objects to, one to values that can change if it has both."""
    if not machine.converts:
        return None
    types = [each.return_type for each in machine.file.conversions(type_.name) if each.return_type is not None]
    return next(iter(sorted((each for each in types if each.pointers), key=lambda each: each.const)), None)


def called_operator(machine: Machine, object_: Expr, name: str) -> Call | None:
    """The call of an operator without arguments that `*it` and `it->x` are, each time the same node; None where the
    object is a pointer, or no such operator of its class is visible.
    """
    if not has_operator(machine, name):
        return None
    type_ = machine.type_of(object_)
    if type_ is None or not type_.struct or type_.pointers or type_.decayed or type_.lanes > 1:
        return None
    key = (object_, machine.this, name)
    if key not in machine.known.applied:
        base, function = own(machine, object_), machine.file.method(type_.name, name, 0)
        callee = Member(object_.span, base, name, arrow=False)
        machine.known.applied[key] = None if function is None else Call(object_.span, callee, name, name, ())
    return machine.known.applied[key]


def has_operator(machine: Machine, name: str) -> bool:
    """Whether any visible class defines an operator."""
    defined = machine.read_once.operators
    if name not in defined:
        defined[name] = machine.file.has_operator(name)
    return defined[name]


def _operator(machine: Machine, callee: Expr, expr: Call) -> Function | None:
    """The `operator()` of a function object that is called."""
    functor = machine.type_of(callee) if _is_functor(machine, callee) else None
    packed = any(isinstance(arg, Unknown) and arg.kind == PACK for arg in expr.args)
    count = -1 if packed else len(expr.args)
    return _fitting(machine, functor.name, "operator()", count, expr.args) if functor is not None else None


def _is_functor(machine: Machine, callee: Expr) -> bool:
    """True for an object by its name, or as a member: a call of it is one of its `operator()`."""
    type_ = machine.type_of(callee)
    return type_ is not None and type_.struct and not type_.pointers and type_.lanes == 1


def constructor_of(machine: Machine, variable: Variable, init: Expr) -> Function | None:
    """The constructor that a declaration with arguments calls."""
    type_ = variable.type
    if not isinstance(init, Call) or not type_.struct or type_.pointers or type_.reference:
        return None
    return constructor_for(machine, type_, init.args) if init.name == bare_name(type_.name) else None


def constructor_for(machine: Machine, type_: Type | None, args: Sequence[Expr]) -> Function | None:
    """The constructor of a class that arguments mean: `inner(a, b)` in the list of an outer one."""
    if type_ is None or not type_.struct or type_.pointers or type_.reference or type_.lanes > 1:
        return None
    own_constructor = _fitting(machine, type_.name, bare_name(type_.name), len(args), args)
    return own_constructor or _inherited(machine, type_, args)


def _inherited(machine: Machine, type_: Type, args: Sequence[Expr]) -> Function | None:
    """The constructor of a base class that `using Base::Base` makes one of a class without any of its own."""
    bases = machine.file.bases_of(type_.name) if args else ()
    if not bases or machine.file.method(type_.name, bare_name(type_.name), -1) is not None:
        return None
    from regpress_lint.cpp.typing_rules import fits

    types = [machine.type_of(arg) for arg in args]
    candidates = (_fitting(machine, base, bare_name(base), len(args), args) for base in bases)
    return next((function for function in candidates if function is not None and fits(function, types)), None)


def _method(machine: Machine, type_: Type | None, expr: Call) -> Function | None:
    if type_ is None or type_.lanes > 1 or not type_.struct:
        return None
    if expr.template_args:
        written_out = tuple([with_values(text, machine.constants) for text in expr.template_args])
        if (special := machine.file.specialised_method(type_.name, expr.name, written_out)) is not None:
            return special
    return _fitting(machine, type_.name, expr.name, len(expr.args), expr.args, templates=bool(expr.template_args))


def _fitting(
    machine: Machine, class_name: str, name: str, count: int, args: Sequence[Expr], *, templates: bool = False
) -> Function | None:
    """The member function with that name and count that the arguments choose. templates: of those alone, as where the
    call writes their arguments out: `T at(int i) { return at<T>(i); }` does not call itself.
    """
    if machine.constants and "<" in class_name:
        class_name = WORD.sub(lambda word: _settled(machine, word[0]), class_name)
    function = machine.file.method(class_name, name, count)
    if function is None or count <= 0 or len(methods := machine.file.methods(class_name, name, count)) < 2:
        return function
    from regpress_lint.cpp.typing_rules import closest

    types = [machine.type_of(arg) for arg in args]
    if templates and (generic := tuple(one for one in methods if one.template)):
        function, methods = generic[0] if function not in generic else function, generic
    return (
        _writable(closest(machine.file.allowed(methods, types, ()), types), methods)
        if function in methods
        else function
    )


def _writable(function: Function | None, every: Sequence[Function]) -> Function | None:
    """The overload that gives a reference beside one for constant objects that gives the value, `T at(int) const`."""
    if function is None or function.return_type is None or function.return_type.reference or not function.owner:
        return function
    takes = [parameter.type for parameter in function.parameters]
    twins = (one for one in every if one.owner == function.owner and one.return_type is not None)
    equal = (one for one in twins if [parameter.type for parameter in one.parameters] == takes and not one.template)
    return next((one for one in equal if one.return_type is not None and one.return_type.reference), function)


def _settled(machine: Machine, word: str) -> str:
    """`N` in `Transform<N>` as the call of the function that is executed gives it: which specialisation is meant hangs
    on it.
    """
    value = machine.constants.get(word)
    return str(int(value)) if isinstance(value, int) else word


def in_unnamed(machine: Machine, expr: Member) -> Member:
    """`u.x` of a class in which a class without a name has the member `x`: as that one's member, each time the same
    node; another member as it is.
    """
    key, parts = (expr, machine.this, UNNAMED), machine.known.named_parts
    if key not in parts:
        type_ = machine.type_of(expr.base)
        whole = type_.name if type_ is not None and type_.struct and (type_.pointers == expr.arrow) else ""
        outer = _unnamed_with(machine, whole, expr.field) if whole else None
        base = Member(expr.span, expr.base, outer, expr.arrow) if outer is not None else None
        parts[key] = in_unnamed(machine, Member(expr.span, base, expr.field, arrow=False)) if base is not None else expr
    member = parts[key]
    assert isinstance(member, Member)
    return member


def _unnamed_with(machine: Machine, class_name: str, field: str) -> str | None:
    """The part of a class that stands for a class without a name that has a member, itself or in another one."""
    parts = machine.file.parts_of(class_name) or ()
    if any(part.name == field for part in parts):
        return None
    within = (part for part in parts if part.name.startswith(UNNAMED))
    return next((part.name for part in within if _has_member(machine, part.type.name, field)), None)


def _has_member(machine: Machine, class_name: str, field: str) -> bool:
    parts = machine.file.parts_of(class_name) or ()
    return any(part.name == field for part in parts) or _unnamed_with(machine, class_name, field) is not None


def member_named(machine: Machine, expr: Expr) -> Name | None:
    """`P::x` of `&P::x`, a member of a class that no object is named for; None for another expression."""
    if not isinstance(expr, Name) or expr.variable is not None or "::" not in expr.name:
        return None
    owner, _, last = expr.name.rpartition("::")
    type_ = machine.file.type_of(owner)
    if type_ is None or not type_.struct:
        return None
    members = {part.name for part in machine.file.parts_of(owner) or ()}
    return expr if last in members or machine.file.methods(owner, last, -1) else None


def pointed_member(machine: Machine, expr: Call) -> Member | None:
    """The member that `a.*m` names, each time the same node; None, with an entry in the ledger, if `m` is not known."""
    object_, pointer = expr.args
    meant: Expr | None = member_named(machine, pointer)
    if meant is None and isinstance(value := machine.evaluate(pointer), Closure) and not value.late:
        meant = value.expression
    if not isinstance(meant, Name):
        machine.unknown("callee", POINTED, expr.span, _ANY_MEMBER, "both", ANY_NUMBER)
        return None
    key, nodes = (expr, machine.this, meant.last), machine.known.named_parts
    if key not in nodes:
        type_ = machine.type_of(object_)
        arrow = type_ is not None and type_.pointers > 0
        nodes[key] = Member(expr.span, own(machine, object_), meant.last, arrow)
    part = nodes[key]
    assert isinstance(part, Member)
    return part


def static_member(machine: Machine, expr: Member) -> int | None:
    """Value of `params.width`, a static constant of the class template that is the type of `params`."""
    type_ = machine.type_of(expr.base) if expr.base.__class__ is Name and not expr.arrow else None
    if type_ is None or not type_.name.endswith(">") or type_.pointers or not type_.struct:
        return None
    value = machine.file.constant(f"{type_.name}::{expr.field}")
    return value if isinstance(value, int) else None


def is_of_class(machine: Machine, expr: Call) -> bool:
    """Whether what a member function returns is the same for all objects of the class: `int size() { return N; }`."""
    function, object_ = target_of(machine, expr)
    type_ = machine.type_of(object_) if object_ is not None else None
    if function is None or type_ is None or function.parameters:
        return False
    names = (node for node in walk(function.body) if isinstance(node, Name))
    return "static" in function.qualifiers or all(
        name.variable is None and machine.file.constant(f"{type_.name}::{name.name}") is not None for name in names
    )


def own(machine: Machine, expr: Expr) -> Expr:
    """The expression with `this->` written out, so that it means the same in another member function."""
    this = machine.this
    if this is None:
        return expr
    key = (expr, this)
    part = machine.known.own_parts.get(key)
    if part is None:
        part = machine.known.own_parts[key] = _written_out(machine, expr, this)
    return part


def bare(machine: Machine, name: Name) -> bool:
    """Whether a name is a word alone, without a visible value or type: that of a function."""
    word = name.name
    if word in machine.constants or word in machine.names or machine.type_of(name) is not None:
        return False
    return machine.type_of(own(machine, name)) is None and machine.environment.names(word) is None


def own_member(machine: Machine, expr: Name | Member, this: Expr) -> Member:
    """A member of an object by its bare name, or by `this->`: each time the same node, so that its known properties
    (its type) stay known.
    """
    member = machine.known.own_members.get((expr, this))
    if member is None:
        field = _field_of(machine, expr, this)
        member = machine.known.own_members[expr, this] = Member(expr.span, this, field, arrow=False)
    return member


def _field_of(machine: Machine, expr: Name | Member, this: Expr) -> str:
    """The data member that a member function means: `x` by `Base::x` where one class alone of the object's has it."""
    name = expr.name if isinstance(expr, Name) else expr.field
    if "::" not in name or (isinstance(expr, Name) and not _is_of_class(machine, name, this)):
        return name
    type_, last = machine.type_of(this), name.rpartition("::")[2]
    parts = machine.file.parts_of(type_.name) or () if type_ is not None and type_.struct else ()
    return last if sum(part.name == last for part in parts) == 1 else name


def _is_of_class(machine: Machine, name: str, this: Expr) -> bool:
    """Whether `Base::x` names the class of an object or one above it."""
    type_, owner = machine.type_of(this), bare_name(name.rpartition("::")[0])
    classes = [type_.name] if type_ is not None and type_.struct else []
    for class_name in classes:  # it grows
        classes += machine.file.bases_of(class_name) if len(classes) < _MOST_CLASSES else ()
    return any(bare_name(class_name) == owner for class_name in classes)


def _written_out(machine: Machine, expr: Expr, this: Expr) -> Expr:
    if isinstance(expr, Name):
        if expr.name == "this":
            return this
        is_local = expr.variable is not None or expr.name in machine.names or expr.name in machine.constants
        return expr if is_local else Member(expr.span, this, _field_of(machine, expr, this), arrow=False)
    if isinstance(expr, Member):
        base = own(machine, expr.base)
        arrow = expr.arrow and base is not this
        field = _field_of(machine, expr, this) if base is this else expr.field
        return expr if base is expr.base else Member(expr.span, base, field, arrow, expr.template_args)
    if isinstance(expr, Index):
        base = own(machine, expr.base)
        return expr if base is expr.base else Index(expr.span, base, expr.index)
    if isinstance(expr, Call) and isinstance(expr.callee, (Name, Member, Index)):
        base = own(machine, expr.callee)
        whole = Call(expr.span, base, expr.name, expr.qualified, expr.args, expr.template_args)
        return expr if base is expr.callee else whole
    if isinstance(expr, Cast):  # `static_cast<const Derived*>(this)`
        base = own(machine, expr.operand)
        return expr if base is expr.operand else Cast(expr.span, expr.type, base, expr.reinterpret)
    if isinstance(expr, Unary):
        if expr.op == "*" and isinstance(expr.operand, Name) and expr.operand.name == "this":
            type_ = machine.type_of(this)
            return this if type_ is None or not type_.pointers else Unary(expr.span, "*", this)
        base = own(machine, expr.operand)
        return expr if base is expr.operand else Unary(expr.span, expr.op, base)
    return expr
