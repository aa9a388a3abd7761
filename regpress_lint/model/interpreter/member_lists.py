"""Values by the members that braces, and the list of a constructor, give them to."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import bare_name
from regpress_lint.cpp.syntax_tree import DESIGNATED, Assign, Call, Constant, Member, Name, Variable
from regpress_lint.model.graph.objects import Memory, Parts, Path, Place, Value, flat, index_paths
from regpress_lint.model.graph.values import FLOAT
from regpress_lint.model.interpreter import private_objects
from regpress_lint.model.interpreter.member_calls import own
from regpress_lint.model.interpreter.memory import read
from regpress_lint.model.interpreter.places import place_of
from regpress_lint.model.interpreter.private_objects import MAX_FILLED
from regpress_lint.model.interpreter.reinterpret import MAX_LEAVES, leaves_of, parts_held
from regpress_lint.model.interpreter.value_forms import form_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.cpp.names.records import Part
    from regpress_lint.cpp.syntax_tree import Expr, Type
    from regpress_lint.model.interpreter.machine import Machine


NOTHING_LISTED = object()  # what owns the value of `{}`
_LIST = pattern(r"(?:std::)?initializer_list\s*<(.+)>")
_NOWHERE = Span(0, 0)


def _as_list(machine: Machine, value: Parts, element: str) -> Value:
    """`{a, b}` as a `std::initializer_list`: an array without a name, and how many elements it has."""
    type_ = machine.file.type_of(element.strip())
    if type_ is None:
        return value
    count = 1 + max(path[0] for path in value.parts if isinstance(path[0], int))
    array = Variable("", type_, _NOWHERE, _NOWHERE, "local", (Constant(_NOWHERE, count, "int"),))
    machine.variables[array] = elements_of(machine, value, type_, (count,))
    first = machine.evaluate(Name(_NOWHERE, "", array))
    return Parts(None, {("first",): first, ("count",): machine.graph.constant(count)}, machine.owner)


def with_fields(machine: Machine, value: Value, type_: Type | None) -> Value:
    """`{a, b}` for a struct: its elements by the names of the members; for a vector: its lanes."""
    if not isinstance(value, Parts) or type_ is None or type_.pointers or value.origin is not None:
        return value
    if type_.lanes > 1:
        return _lanes(machine, value, type_)
    if not type_.struct:
        return value
    if not value.parts and value.owner is NOTHING_LISTED:
        return begun_with_zero(machine, type_)
    if not value.parts or not all(map(_is_listed, value.parts)):
        return value
    if (match := _LIST.fullmatch(type_.name)) is not None:
        return _as_list(machine, value, match[1])
    members = machine.file.parts_of(type_.name)
    if members is None:
        return _named_members(machine, value, type_)
    value = _elided(_without_bases(machine, value, type_), machine, members)
    result: dict[Path, Value] = {}
    for position, part in enumerate(members):
        keys = position, DESIGNATED + part.name
        inner = {path[1:]: item for path, item in value.parts.items() if path and path[0] in keys}
        if not inner and position and not part.offset:  # of a union
            continue
        if not inner:
            result.update(_begun(machine, part))
            continue
        whole = inner.get(())
        item = whole if whole is not None else Parts(None, inner)
        if not part.dims:
            item = with_fields(machine, item, part.type)
        elif isinstance(item, Parts) and item.origin is None:
            item = elements_of(machine, item, part.type, part.dims)
            result.update(_zeros(machine, part.type, part.dims, (part.name,)))
        if isinstance(item, Parts):
            result.update(_expanded(machine, item, part))
        else:
            result[part.name,] = private_objects.coerced(machine, item, part.type)
    return Parts(None, result, machine.owner)


def _lanes(machine: Machine, value: Parts, type_: Type) -> Value:
    """`{a, b}` for a vector: the lanes that are not given are 0, but for those of `{a}`, which HIP and SYCL repeat."""
    lanes = flat(value)
    if not lanes and value.parts:
        return value
    form = form_of(type_)
    filling = lanes if len(lanes) == 1 else [machine.graph.constant(0.0 if form.kind == FLOAT else 0, form)]
    return private_objects.coerced(machine, tuple((lanes + filling * type_.lanes)[: type_.lanes]), type_)


def _without_bases(machine: Machine, value: Parts, type_: Type) -> Parts:
    """A list in which braces around a base class, or an object of it, are opened: `Derived{{p, n}, 3}`."""
    listed, result = value.parts, dict[Path, Value]()
    shift = 0
    for at, base in enumerate(machine.file.bases_of(type_.name)):
        names = [part.name for part in machine.file.parts_of(base) or ()]
        inner = {path[1:]: item for path, item in listed.items() if len(path) > 1 and path[0] == at}
        if not inner and names:
            return value  # without braces, or not given
        for (key, *inner_path), item in inner.items():
            place = names.index(key) if key in names else key
            if isinstance(place, int):
                result[shift + place, *inner_path] = item
        listed = {path: item for path, item in listed.items() if path[0] != at}
        shift += len(names) - 1
    if not result:
        return value
    moved = {(path[0] + shift, *path[1:]): item for path, item in listed.items() if isinstance(path[0], int)}
    return Parts(None, {**result, **moved})


def _elided(value: Parts, machine: Machine, members: Sequence[Part]) -> Parts:
    """A list with the braces that it leaves out around an inner object: `Outer{p, n}` is `Outer{{p, n}}`."""
    counts, at = list[int](), 0
    for part in members:
        inner = part.dims or (part.type.struct and not part.type.pointers and part.type.lanes == 1)
        bare = inner and isinstance(value.parts.get((at,)), int)
        counts.append(len(leaves_of(machine, part.type, part.dims)) if bare else 0)
        at += counts[-1] or 1
    if not any(count > 1 for count in counts):
        return value
    result, at = dict[Path, Value](), 0
    for position, count in enumerate(counts):
        for path, item in value.parts.items():
            if isinstance(path[0], int) and at <= path[0] < at + max(count, 1):
                result[(position, *((path[0] - at,) if count else ()), *path[1:])] = item
        at += count or 1
    return Parts(None, result)


def elements_of(machine: Machine, braces: Parts, type_: Type, dims: tuple[int, ...]) -> Parts:
    """The elements of an array as braces have them, one after the other or row by row; of objects their members."""
    if not all(path and isinstance(path[0], int) for path in braces.parts):
        return braces
    is_object = type_.struct and not type_.pointers
    words = max(len(leaves_of(machine, type_)), 1) if is_object else 1
    depth, listed = len(dims), braces.parts
    in_a_row = all(len(path) == 1 and isinstance(item, int) for path, item in listed.items())
    if in_a_row and (depth > 1 or words > 1):
        elements, inner = [*index_paths(dims)], {path[0]: one for path, one in listed.items()}
        first = {at: one for at, one in inner.items() if isinstance(at, int) and at < len(elements) * words}
        listed = {(*elements[at // words], *((at % words,) if words > 1 else ())): one for at, one in first.items()}
    if not is_object:
        return Parts(None, listed)
    result = {path: item for path, item in listed.items() if len(path) <= depth}
    for element in dict.fromkeys(path[:depth] for path in listed if len(path) > depth):
        inside = {path[depth:]: item for path, item in listed.items() if path[:depth] == element}
        object_ = with_fields(machine, Parts(None, inside), type_)
        result.update({(*element, *path): item for path, item in getattr(object_, "parts", {}).items()})
    return Parts(None, result)


def elements_of_member(machine: Machine, target: Expr, value: Value) -> Value:
    """What braces give to a member that is an array, `Sums() : values{} {}`: the elements that they leave out are 0."""
    if isinstance(target, Member) and target.arrow and machine.this is not None:
        target = own(machine, target)
    owner = machine.type_of(target.base) if isinstance(target, Member) else None
    parts = machine.file.parts_of(owner.name) if owner is not None and owner.struct else None
    member = next((part for part in parts or () if part.name == getattr(target, "field", "")), None)
    if member is None or not member.dims or not isinstance(value, (int, Parts)):
        return value
    braces = value if isinstance(value, Parts) else Parts(None, {(0,): value})
    given = elements_of(machine, braces, member.type, member.dims).parts
    return Parts(None, {**_zeros(machine, member.type, member.dims, ()), **given})


def _is_listed(path: Path) -> bool:
    """Whether a value stands where braces have it, by its position or behind `.name =`."""
    first = path[0] if path else 0
    return isinstance(first, int) or (isinstance(first, str) and first.startswith(DESIGNATED))


def fresh(machine: Machine, type_: Type | None) -> Parts:
    """A new object: members with initialisers of their own have values, and nothing else."""
    object_ = Parts(owner=machine.owner)
    for part in (machine.file.parts_of(type_.name) if type_ is not None and type_.struct else None) or ():
        object_.parts.update(_initial(machine, part))
    return object_


def begun_with_zero(machine: Machine, type_: Type) -> Parts:
    """The object of `T{}`: members without initialisers of their own are 0."""
    object_ = Parts(owner=machine.owner)
    for part in parts_held(machine, type_):
        object_.parts.update(_begun(machine, part))
    return object_


def _begun(machine: Machine, part: Part) -> dict[Path, Value]:
    """What a member that braces leave out begins with."""
    if part.default is not None:
        return _initial(machine, part)
    return _zeros(machine, part.type, part.dims, (part.name,))


def _zeros(machine: Machine, type_: Type, dims: tuple[int, ...], path: Path) -> dict[Path, Value]:
    """0 for each scalar of a member, and for each vector as a whole; an array of many begins with nothing."""
    elements = prod(dims) if dims else 1
    if elements > MAX_FILLED:
        return {}
    if type_.struct and not type_.pointers:
        inner = begun_with_zero(machine, type_).parts
        if elements * len(inner) > MAX_FILLED:
            return {}
    else:
        zero = machine.graph.constant(0, form_of(type_))
        inner = {(): private_objects.coerced(machine, zero, type_)}
    return {(*path, *at, *below): value for at in product(*map(range, dims)) for below, value in inner.items()}


def _initial(machine: Machine, part: Part) -> dict[Path, Value]:
    """The value by a member's own initialiser; nothing without one."""
    if part.default is None:
        if part.dims or part.type.pointers or part.type.reference or not part.type.struct:
            return {}
        return {(part.name, *path): value for path, value in fresh(machine, part.type).parts.items()}
    value = machine.evaluate(part.default)
    if isinstance(value, Memory):
        value = read(machine, value)
    if part.dims:
        return _initial_elements(machine, part, value)
    value = with_fields(machine, value, part.type)
    if isinstance(value, Parts) and not part.type.struct and part.type.lanes <= 1:
        value = value.parts.get((0,), machine.graph.constant(0, form_of(part.type)))  # `int n{3};`
    if isinstance(value, Parts):
        return dict(_expanded(machine, value, part))
    return {(part.name,): private_objects.coerced(machine, value, part.type)}


def _initial_elements(machine: Machine, part: Part, value: Value) -> dict[Path, Value]:
    listed = value.parts if isinstance(value, Parts) and value.origin is None else {}
    elements: dict[Path, Value] = {
        (part.name, *path): private_objects.coerced(machine, value, part.type if part.type.lanes <= 1 else None)
        for path, value in listed.items()
    }
    if part.type.struct or prod(part.dims) > MAX_LEAVES:
        return elements
    zero = machine.graph.constant(0, form_of(part.type))
    return {**{(part.name, *at): zero for at in product(*map(range, part.dims))}, **elements}


def _named_members(machine: Machine, value: Parts, type_: Type) -> Value:
    """The same for a class of unknown size, which has a lambda for one."""
    names = machine.file.members_of(type_.name)
    if any(isinstance(path[0], int) and path[0] >= len(names) for path in value.parts if path):
        return value
    named = {(names[path[0]], *path[1:]): one for path, one in value.parts.items() if path and path[0].__class__ is int}
    return Parts(None, named, machine.owner)


def _expanded(machine: Machine, value: Parts, part: Part) -> dict[Path, Value]:
    """The scalars of a member; of one that is still in memory, or an argument, by reading them."""
    if part.type.lanes > 1 and not part.type.struct and not part.dims and value.origin is None:
        return {(part.name,): tuple(flat(value))}
    if value.origin is None:
        return {(part.name, *path): value for path, value in value.parts.items()}
    leaves = leaves_of(machine, part.type, part.dims)
    return {(part.name, *leaf.path): private_objects.member(machine, value, leaf.path, leaf.type) for leaf in leaves}


# Members that are references: the object that one stands for is part of the object that has it.


def bound_member(machine: Machine, expr: Assign) -> bool:
    """Whether this is what a constructor's list gives to a reference, `Row(double& x) : first(x)`, and not a write."""
    target = expr.target
    if not isinstance(target, Member) or not isinstance(target.base, Name) or target.base.name != "this":
        return False
    member = place_of(machine, target)
    whole = machine.variables.get(member.variable) if isinstance(member, Place) else None
    if not isinstance(member, Place) or not isinstance(whole, Parts) or whole.origin is not None:
        return False
    if member.path in whole.parts or (where := place_of(machine, expr.value)) is None:
        return False
    if whole.owner is not machine.owner:
        whole = machine.variables[member.variable] = whole.copy(machine.owner)
    whole.parts[member.path] = where
    return True


def bind_references(machine: Machine, whole: object, type_: Type | None, items: Sequence[Expr]) -> None:
    """The objects of the reference members of `Row{a[0], 3}`, which was initialised with them."""
    if not isinstance(whole, Parts) or type_ is None or not type_.struct or whole.origin is not None:
        return
    for member, item in zip(machine.file.parts_of(type_.name) or (), items, strict=False):
        where = place_of(machine, item) if member.type.reference else None
        if isinstance(where, (Place, Memory)):
            whole.parts[member.name,] = where


def given_to_base(machine: Machine, expr: Call, callee: Member) -> bool:
    """Whether a call is `Base{p, n}` in a constructor's list, of a base without one: its members get the values."""
    type_ = machine.type_of(machine.this) if callee.arrow and machine.this is not None else None
    bases = machine.file.bases_of(type_.name) if type_ is not None and type_.struct else ()
    base = next((base for base in bases if bare_name(base) == expr.name), None)
    parts = machine.file.parts_of(base) if base is not None else None
    if not parts:
        return False
    args = expr.args
    copied = machine.type_of(args[0]) if len(args) == 1 else None
    if copied is not None and copied.struct and bare_name(copied.name) == expr.name:
        args = tuple([Member(expr.span, args[0], part.name, arrow=False) for part in parts])
    for part, arg in zip(parts, args, strict=False):
        machine.evaluate(Assign(expr.span, "=", Member(expr.span, callee.base, part.name, arrow=True), arg))
    return True
