"""Where names get their values from: the constants that a place sees."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Set as AbstractSet
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.syntax_tree import Call, Expr, Variable

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Function
    from regpress_lint.cpp.types import TypeLookup


Number = int | float
CallValue = Callable[[Call, tuple[Number, ...]], "Number | None"]
_WORD = pattern(r"(?<![\w.:])[^\W\d]\w*+(?!\s*::)")


def _nothing(_name: str) -> None:
    """For look-ups that know no name."""


def const_initialiser(variable: Variable) -> Expr | None:
    """Initialiser of a variable that cannot change: `const`, `constexpr`, `static const`; a default argument may."""
    fixed = (variable.type.const and variable.storage != "parameter") or variable.storage == "constexpr"
    return variable.init if fixed and not variable.dims and not variable.type.pointers else None


def local_initialiser(changed: AbstractSet[Variable], variable: Variable) -> Expr | None:
    """Initialiser of a variable that cannot change, or of a local one that never does: `changed` has those that do."""
    if variable.storage == "local" and not variable.dims and variable.init is not None:
        return None if variable.type.pointers or variable in changed else variable.init
    return const_initialiser(variable) if variable.storage != "parameter" else None


def with_values(name: str, values: Mapping[str, Number]) -> str:
    """A name with what its template arguments are here: `Traits<N>::width` as `Traits<8>::width`."""
    if not values or "<" not in name:
        return name
    return _WORD.sub(lambda word: str(int(value)) if (value := values.get(word[0])) is not None else word[0], name)


class Environment:
    """Where names get their values from.

    names: value of a macro, file-level constant, enumerator or template parameter. variable: initialiser of a local
    that is constant here. types: sizes for `sizeof`. loose: how much a macro's body lacks parentheses. alias: body of a
    macro that may stand for a function's name. called: value of a call of another function with these arguments; None
    if unknown.
    """

    __slots__ = ("alias", "called", "loose", "names", "types", "variable")

    def __init__(
        self,
        names: Callable[[str], Number | None] = _nothing,
        variable: Callable[[Variable], Expr | None] = const_initialiser,
        types: TypeLookup = _nothing,
        loose: Callable[[str], int] = lambda _name: 0,
        alias: Callable[[str], str | None] = _nothing,
        called: CallValue | None = None,
    ) -> None:
        self.names = names
        self.variable = variable
        self.types = types
        self.loose = loose
        self.alias = alias
        self.called = called


def constants_within(function: Function, env: Environment) -> Environment:
    """Constants as a member function sees them: its class hides what the file calls the same."""
    return within_class(function.owner, env) if function.owner else env


def within_class(owner: str, env: Environment, fields: Collection[str] = ()) -> Environment:
    """Constants as they are seen inside of a class: first its static members and the parameters of its template.

    fields: its data members, which hide what the file calls the same.
    """

    def names(name: str) -> Number | None:
        if name in fields:
            return None
        value = env.names(f"{owner}::{name}") if name.isidentifier() else None
        return env.names(name) if value is None else value

    return Environment(names, env.variable, env.types, env.loose, env.alias, env.called)
