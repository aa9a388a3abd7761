"""Types of expressions, as far as known declarations and C++'s conversion rules give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import bare_name, split_template_arguments
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Constant,
    Expr,
    Index,
    Member,
    Name,
    SizeOf,
    Type,
    Unary,
    Update,
)
from regpress_lint.cpp.types import TypeLookup, builtin_type, dereference, pointer_to
from regpress_lint.targets.builtins import ACROSS, COORDINATES, MIXING, OF_FIRST, PREFIX, WHOLE
from regpress_lint.targets.library import TYPED, named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from regpress_lint.cpp.syntax_tree import Function


_INT = Type("int", 4)
_BOOL = Type("bool", 1, signed=False)
_FLOAT = Type("float", 4, floating=True)
_DOUBLE = Type("double", 8, floating=True)
_LONG = Type("long", 8)
_SIZE = Type("size_t", 8, signed=False)
_UNSIGNED = Type("unsigned int", 4, signed=False)
_LITERALS = {
    "int": _INT,
    "long": _LONG,
    "unsigned int": _UNSIGNED,
    "unsigned long": _SIZE,
    "float": _FLOAT,
    "double": _DOUBLE,
    "bool": _BOOL,
    "char": Type("char", 1),
    "half": Type("half", 2, floating=True),
    "pointer": Type("void", 8, pointers=1),
}
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">=", "&&", "||"))
_SWIZZLE = pattern(r"s[0-9a-f]{2,16}")
_COMPONENT_LANES = {"x": 1, "y": 1, "z": 1, "w": 1, "s": 1}
_INDEX_CALLS = {
    "get_global_id": _SIZE,
    "get_local_id": _SIZE,
    "get_group": _SIZE,
    "get_global_linear_id": _SIZE,
    "get_local_linear_id": _SIZE,
    "get_group_linear_id": _SIZE,
    "get_local_range": _SIZE,
    "get_global_range": _SIZE,
}
# Of integers these are made in double.
_INTEGER_ARGUMENT_TO_DOUBLE = TYPED - named("integral")


# Conversions (`__float2int_rn`), reinterpretations (`__int_as_float`), rounded arithmetic (`__dmul_rn`, `__fsqrt_rz`).
_INTRINSIC = pattern(
    r"__(?:\w+?2(u?int|u?ll|float|double|half)(2(?=_|$))?|\w+_as_(u?int|longlong|float|double)|([df])[a-z]+_r[nzud]$)"
)
_INTRINSIC_RESULTS = {
    "int": _INT,
    "uint": _UNSIGNED,
    "ll": Type("long long", 8),
    "longlong": Type("long long", 8),
    "ull": Type("unsigned long long", 8, signed=False),
    "float": _FLOAT,
    "double": _DOUBLE,
    "half": Type("half", 2, floating=True),
}
_INT_CALLS = ("__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "__syncthreads_count", "__syncthreads_or")


def expression_type(expr: Expr, types: TypeLookup, depth: int = 0) -> Type | None:
    """Type of an expression, or None if the known source does not say."""
    if depth > 60:
        return None
    rule = _RULES.get(expr.__class__)
    return rule(expr, types, depth) if rule is not None else None


def common_type(left: Type | None, right: Type | None) -> Type | None:
    """C++'s usual arithmetic conversions; a vector or pointer operand wins."""
    if left is None or right is None:
        return left if right is None else right
    for side in (left, right):
        if side.pointers or side.lanes > 1 or side.struct:
            return side
    if left.floating or right.floating:
        floats = [side for side in (left, right) if side.floating]
        return max(floats, key=lambda side: side.size or 0)
    left_bytes, right_bytes = left.size or 4, right.size or 4
    if left_bytes < 4 and right_bytes < 4:
        return _INT
    if min(left_bytes, right_bytes) < 4:  # promoted to int, the smaller one decides nothing
        return left if right_bytes < 4 else right
    if left_bytes != right_bytes:
        return left if left_bytes > right_bytes else right
    return left if not left.signed else right


def _constant_type(expr: Constant, _types: TypeLookup, _depth: int) -> Type | None:
    return _LITERALS.get(expr.kind)


class MemberTypes:
    """Types as a member function of the class `owner` sees them: also of its data members by their bare names."""

    __slots__ = ("_owner", "_types")

    def __init__(self, types: TypeLookup, owner: str) -> None:
        self._types = types
        self._owner = owner

    def __call__(self, name: str) -> Type | None:
        """As outside the class."""
        return self._types(name)

    def of_member(self, name: str) -> Type | None:
        """The type of a data member, of `this`; None for another name."""
        if name == "this":
            return Type(self._owner, 8, pointers=1, struct=True)
        return self._types(f"{self._owner}::{name}")


def types_within(function: Function, types: TypeLookup) -> TypeLookup:
    """What names mean in a function's body, for `expression_type`."""
    return MemberTypes(types, function.owner) if function.owner else types


def _name_type(expr: Name, types: TypeLookup, _depth: int) -> Type | None:
    variable = expr.variable
    if variable is None:
        if expr.name == "warpSize":
            return _INT
        return types.of_member(expr.name) if isinstance(types, MemberTypes) else None
    if variable.type.name == "auto" and variable.type.size is None:
        return None
    return pointer_to(variable.type, len(variable.dims)) if variable.dims else variable.type


def _binary_type(expr: Binary, types: TypeLookup, depth: int) -> Type | None:
    if expr.op in _COMPARISONS:
        return _BOOL
    # Left-deep chains are unwound: a sum of a thousand terms is no recursion of a thousand.
    chain: list[Binary] = []
    node: Expr = expr
    while isinstance(node, Binary) and node.op not in _COMPARISONS:
        chain.append(node)
        node = node.left
    result = expression_type(node, types, depth + 1)
    for outer in reversed(chain):
        if outer.op == ",":
            result = expression_type(outer.right, types, depth + 1)
            continue
        if outer.op in ("<<", ">>"):
            result = _promoted(result)  # the type of the left operand alone
            continue
        right = expression_type(outer.right, types, depth + 1)
        if outer.op == "-" and result is not None and right is not None and result.pointers and right.pointers:
            result = _LONG
        else:
            result = _promoted(common_type(result, right))
    return result


def _promoted(type_: Type | None) -> Type | None:
    """Integers below int become int."""
    small = type_ is not None and not (type_.floating or type_.pointers or type_.struct or type_.lanes > 1)
    return _INT if type_ is not None and small and (type_.size or 4) < 4 else type_


def _member_type(expr: Member, types: TypeLookup, depth: int) -> Type | None:
    if isinstance(expr.base, Name) and expr.base.name in COORDINATES:
        return _UNSIGNED
    base = expression_type(expr.base, types, depth + 1)
    if base is None:
        return None
    if base.pointers:
        base = dereference(base) or base
    if base.lanes > 1 and (lanes := swizzle(expr.field)):
        return _lanes_type(base, len(lanes))
    if base.lanes > 1 and base.size is not None and (expr.field in _COMPONENT_LANES or expr.field[:1] == "s"):
        element = base.size // (4 if base.lanes == 3 and base.size % 3 else base.lanes)
        return builtin_type(
            {(True, 8): "double", (True, 4): "float", (True, 2): "half"}.get((base.floating, element), "")
        ) or (Type("int", element, signed=base.signed))
    return types(f"{base.name}::{expr.field}") if base.struct or base.size is None else None


def swizzle(field: str) -> tuple[int, ...]:
    """Lanes of a member that is several of a vector's, as OpenCL C is lowered: `s013`; empty for any other."""
    if field[:1] != "s":
        return ()
    return tuple(int(digit, 16) for digit in field[1:]) if _SWIZZLE.fullmatch(field) is not None else ()


def _lanes_type(vector: Type, lanes: int) -> Type | None:
    """A vector, or a number for one lane, of the elements of another vector."""
    if vector.size is None:
        return None
    element = vector.size // (4 if vector.lanes == 3 and vector.size % 3 else vector.lanes)
    kind = {(True, 8): "double", (True, 4): "float", (True, 2): "half"}.get((vector.floating, element))
    name = kind or ("" if vector.signed else "u") + {1: "char", 2: "short", 4: "int", 8: "long"}.get(element, "int")
    return builtin_type(name if lanes == 1 else f"sycl::{name}{lanes}")


def _opencl_type(expr: Call, types: TypeLookup, depth: int) -> Type | None:
    """Type of a built-in function of OpenCL C."""
    name = expr.qualified[len(PREFIX) :]
    first = expression_type(expr.args[0], types, depth + 1) if expr.args else None
    if name in OF_FIRST or name in MIXING:
        return first
    if name in WHOLE:
        if first is None or first.lanes == 1:
            return _INT
        return first._replace(name=f"int{first.lanes}", floating=False, signed=True)
    if name in ACROSS:
        return _INT if name in ("all", "any") else _lanes_type(first, 1) if first is not None else None
    return builtin_type(name)


def view_element_type(base: Type | None, types: TypeLookup) -> Type | None:
    """Type of an element of a portability layer's view; None for any other object."""
    from regpress_lint.cpp.types import view_shape

    shape = view_shape(base.name) if base is not None and base.struct and not base.pointers else None
    if shape is None:
        return None
    element = " ".join(word for word in shape.element.split() if word != "const")
    return types(element) or Type(element)


def _call_type(expr: Call, types: TypeLookup, depth: int) -> Type | None:
    name, callee = expr.name, expr.callee
    if callee.__class__ is not Name or callee.variable is not None:
        type_ = view_element_type(expression_type(callee, types, depth + 1), types)
        if type_ is not None:
            return type_
    if expr.qualified.startswith(PREFIX):
        return _opencl_type(expr, types, depth)
    if expr.qualified.startswith("sycl::__") and expr.args:
        operand = expression_type(expr.args[0], types, depth + 1)
        if operand is not None and operand.lanes > 1 and not operand.pointers:
            return operand
    if name in _INDEX_CALLS:
        return _INDEX_CALLS[name]
    if name in TYPED:
        return _of_arguments(expr, types, depth)
    if (name.endswith("f") and name[:-1] in TYPED) or (
        name.startswith("__") and name.endswith("f") and "2" not in name
    ):
        return _FLOAT
    if name in _INT_CALLS:
        return _INT
    if name.startswith("make_"):
        return builtin_type(name[5:])
    if callee.__class__ is Name and callee.template_args and (named := types(callee.written)) is not None:
        return named
    return _intrinsic_type(expr, types, depth)


def _of_arguments(expr: Call, types: TypeLookup, depth: int) -> Type | None:
    """The type of a math function that is defined for several: the common one of its arguments. The class of an
    object has a function of that name, whose result may be anything.
    """
    result: Type | None = None
    for argument in expr.args[: 1 if expr.name in ("ldexp", "pown", "rootn") else 3]:
        result = common_type(result, expression_type(argument, types, depth + 1))
    if result is not None and result.struct and result.lanes == 1 and not result.pointers:
        return None
    if result is not None and not result.floating and expr.name in _INTEGER_ARGUMENT_TO_DOUBLE:
        return _DOUBLE
    return result


def _intrinsic_type(expr: Call, types: TypeLookup, depth: int) -> Type | None:
    """Shuffles, atomics, reads through a cache and conversions by their names, and what a file says of others."""
    name = expr.name
    if name in ("__shfl_sync", "__shfl_down_sync", "__shfl_up_sync", "__shfl_xor_sync") and len(expr.args) > 1:
        return expression_type(expr.args[1], types, depth + 1)
    if name.startswith(("atomic", "__shfl", "__ldg", "__ldcg", "__ldcs")) and expr.args:
        first = expression_type(expr.args[0], types, depth + 1)
        return (dereference(first) or first) if first is not None else None
    if name.startswith("__") and (match := _INTRINSIC.match(name)) is not None:
        word = match[1] or match[3] or ("double" if match[4] == "d" else "float")
        return builtin_type(word + "2") if match[2] else _INTRINSIC_RESULTS.get(word)  # `__half22float2`
    named = types(expr.qualified) if not isinstance(expr.callee, Member) else None
    if named is not None and named.struct and expr.template_args:  # `Row<8>{}`
        return types(f"{expr.qualified}<{', '.join(expr.template_args)}>") or named
    return named


def _unary_type(expr: Unary, types: TypeLookup, depth: int) -> Type | None:
    inner = expression_type(expr.operand, types, depth + 1)
    if inner is None or expr.op == "!":
        return _BOOL if expr.op == "!" else None
    if expr.op == "*":
        return dereference(inner)
    if expr.op == "&":
        return pointer_to(inner)
    return _promoted(inner)


def _index_type(expr: Index, types: TypeLookup, depth: int) -> Type | None:
    base = expression_type(expr.base, types, depth + 1)
    if base is None:
        return None
    return view_element_type(base, types) if base.struct and not base.pointers else dereference(base)


def _cast_type(expr: Cast, types: TypeLookup, depth: int) -> Type | None:
    return expr.type if expr.type.name != "auto" else expression_type(expr.operand, types, depth + 1)


def _update_type(expr: Update, types: TypeLookup, depth: int) -> Type | None:
    return expression_type(expr.operand, types, depth + 1)


def _assign_type(expr: Assign, types: TypeLookup, depth: int) -> Type | None:
    return expression_type(expr.target, types, depth + 1)


def _conditional_type(expr: Conditional, types: TypeLookup, depth: int) -> Type | None:
    return common_type(expression_type(expr.then, types, depth + 1), expression_type(expr.other, types, depth + 1))


def _size_type(_expr: SizeOf, _types: TypeLookup, _depth: int) -> Type | None:
    return _SIZE


_RULES: dict[type, Callable[..., Type | None]] = {
    Constant: _constant_type,
    Name: _name_type,
    Binary: _binary_type,
    Index: _index_type,
    Member: _member_type,
    Call: _call_type,
    Cast: _cast_type,
    Unary: _unary_type,
    Update: _update_type,
    Assign: _assign_type,
    Conditional: _conditional_type,
    SizeOf: _size_type,
}


# Which of several functions of one name a call means, by the types of its arguments.
#
# C++ chooses the function whose every argument converts at least as well as for the others. Here the steps of all
# arguments are added up, and an argument of unknown type decides nothing. Unlike in a compiler, an ambiguous call also
# has an answer.


# Steps from an argument to a parameter.
_SAME, _QUALIFIED, _TEMPLATE, _PROMOTION, _CONVERSION = 0, 1, 1, 2, 3
_ERASED = 4  # a pointer becomes `void *`
_RELATED = 5  # classes of two names: one may be a base, or another name, of the other
_BY_CLASS = 8  # only what a class defines makes it possible, a constructor or an operator
_NOT = 100


def closest(functions: Sequence[Function], types: Sequence[Type | None], arguments: int = 0) -> Function:
    """The function that a call means among those that take as many arguments; the first of equals, templates last.

    types: of the call's arguments, None where they are unknown; arguments: its template arguments.
    """
    return min(functions, key=lambda one: (steps(one, types, arguments), bool(one.template), -_specialised(one)))


def _specialised(function: Function) -> int:
    """How much a template says of its arguments: `T*` is chosen before `T`, and `const T*` before `T*`."""
    names = frozenset(parameter.name for parameter in function.template)
    types = [parameter.type for parameter in function.parameters if parameter.type.name in names]
    return sum(2 * type_.pointers + type_.pointee_const for type_ in types)


def fits(function: Function, types: Sequence[Type | None]) -> bool:
    """False where an argument becomes a parameter by a constructor or not at all."""
    return steps(function, types) < _BY_CLASS


def steps(function: Function, types: Sequence[Type | None], arguments: int = 0) -> int:
    """How far the arguments of a call are from a function's parameters; 0 if their types are the same."""
    names = frozenset(parameter.name for parameter in function.template)
    pairs = zip(types, function.parameters, strict=False)
    distances = [_distance(type_, parameter.type, names, len(parameter.dims)) for type_, parameter in pairs]
    return sum(distances) + _NOT * (len(names) < arguments)


def _distance(type_: Type | None, wanted: Type, names: frozenset[str], rows: int) -> int:
    """How far the type of an argument is from that of a parameter; rows: extents that the parameter is written with."""
    if type_ is None or (type_.size is None and not type_.struct and not type_.pointers):
        return _SAME
    pointers = wanted.pointers + rows
    if wanted.name in names:
        return _NOT if pointers > type_.pointers else _TEMPLATE
    if bool(type_.pointers) != bool(pointers):
        return _BY_CLASS if wanted.struct else _NOT if type_.struct or type_.floating or type_.pointers else _BY_CLASS
    if type_.pointers:
        return _between_pointers(type_, wanted, pointers)
    if type_.struct and wanted.struct and _has_other_arguments(type_.name, wanted.name):
        return _NOT
    if is_same(type_, wanted):
        return _SAME
    if wanted.reference and not wanted.const:
        return _RELATED if type_.struct and wanted.struct else _NOT
    if type_.struct or wanted.struct or type_.lanes != wanted.lanes or type_.lanes > 1:
        return _RELATED if type_.struct and wanted.struct else _BY_CLASS
    return _PROMOTION if _is_promotion(type_, wanted) else _CONVERSION


def _has_other_arguments(type_name: str, wanted: str) -> bool:
    """True for one class template with different numbers of arguments: `tuple<A, B>` where `tuple<A>` is needed."""
    name, _, own = wanted.partition("<")
    other_name, _, others = type_name.partition("<")
    if not own or not others or "..." in own or bare_name(name) != bare_name(other_name):
        return False
    mine, theirs = split_template_arguments(own.rpartition(">")[0]), split_template_arguments(others.rpartition(">")[0])
    return len(mine) != len(theirs) or any(map(_are_unlike, mine, theirs))


def _are_unlike(first: str, second: str) -> bool:
    """True for two numbers or two types of the language that are not the same: `0` and `1`, `float` and `double`."""
    first, second = first.strip(), second.strip()
    if first.isdigit() and second.isdigit():
        return int(first) != int(second)
    type_, wanted = builtin_type(first), builtin_type(second)
    return type_ is not None and wanted is not None and not is_same(type_, wanted)


def _between_pointers(type_: Type, wanted: Type, pointers: int) -> int:
    if type_.pointers != pointers:
        return _NOT
    if bare_name(type_.name) == bare_name(wanted.name) or (
        not type_.struct
        and not wanted.struct
        and type_.pointee_size is not None
        and (type_.pointee_size, type_.floating, type_.signed, type_.lanes)
        == (wanted.pointee_size, wanted.floating, wanted.signed, wanted.lanes)
    ):
        return _QUALIFIED if type_.pointee_const != wanted.pointee_const else _SAME
    if wanted.name == "void":
        return _ERASED
    return _RELATED if type_.struct and wanted.struct else _NOT


def is_same(type_: Type, other: Type) -> bool:
    """True if two types without pointers are one, as far as their parts tell: `unsigned` and `unsigned int` are."""
    if type_.struct or other.struct or None in (type_.size, other.size):
        return bare_name(type_.name) == bare_name(other.name)
    if type_.floating and type_.size == 2 and ("bf" in type_.name) != ("bf" in other.name):
        return False
    return (type_.size, type_.lanes, type_.floating) == (other.size, other.lanes, other.floating) and (
        type_.floating or type_.signed == other.signed
    )


def _is_promotion(type_: Type, wanted: Type) -> bool:
    if type_.floating or wanted.floating:
        return type_.floating and wanted.double and type_.size == 4
    return (type_.size or 4) < 4 and wanted.size == 4 and wanted.signed
