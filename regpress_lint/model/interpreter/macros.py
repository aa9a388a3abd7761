"""Macros: what a name stands for at this point of the execution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Binary, Cast, Conditional, Constant, Expr, Name, SizeOf, Unary
from regpress_lint.cpp.traversal import names_in, walk
from regpress_lint.model.interpreter.member_calls import bare

if TYPE_CHECKING:
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.program.expansions import Expansion

_MAX_EXPANSIONS = 12


def expansion_of(machine: Machine, name: str, args: tuple[Expr, ...] | None) -> Expansion | None:
    """The expansion of a macro, None if it is unknown."""
    if not machine.file.is_macro(name) or machine.expanding >= _MAX_EXPANSIONS:
        return None
    names, before, around, ask = machine.names, _here(machine), machine.function, machine.file.expansion
    meanings = around.meanings if around is not None else None
    if args is None:
        return ask(name, None, names, (), before, (), meanings)
    types = tuple([machine.type_of(arg) for arg in args])
    # A type, a macro and a function that the body calls are put in as they are written, any other word where the body
    # can be read in no other way.
    spelled: tuple[str | None, ...] = ()
    if any(arg.__class__ is Name and arg.variable is None for arg in args):
        spelled = tuple([_own_word(machine, arg) for arg in args])
    expansion = ask(name, len(args), names, types, before, spelled if any(spelled) else (), meanings)
    if (expansion is None or _declares_argument(expansion)) and any(
        words := tuple(_word(machine, arg) for arg in args)
    ):
        expansion = ask(name, len(args), names, types, before, words, meanings) or expansion
    if expansion is not None and (expansion.declares or expansion.hands_on):
        meant, key = machine.known.meant, (expansion.body, args)
        if key not in meant:
            meant[key] = _mean_the_body(expansion, args)
        if meant[key]:
            return machine.file.put_in(expansion, args)
    return expansion


def _declares_argument(expansion: Expansion) -> bool:
    """Whether a macro declares what its argument names, `for (int i = 0; ...` with `i` for one: another variable of
    that name, which the execution met before, is not meant.
    """
    return any(parameter.name in expansion.declares for parameter in expansion.parameters if parameter.name)


def _mean_the_body(expansion: Expansion, args: tuple[Expr, ...]) -> bool:
    """Whether an argument has names that the macro's body declares, or that another macro in it may:
    `LOOP(k, 8, a[k] = 0)`.
    """
    for parameter, arg in zip(expansion.parameters, args, strict=False):
        if not parameter.name or arg.__class__ is Constant:
            continue
        for name in names_in(arg):
            if name.name in expansion.declares or (expansion.hands_on and name.variable is None and name is not arg):
                return True
    return False


def _here(machine: Machine) -> int | None:
    """Where the function that is executed has come to, in bytes of the file; None in another file. A hash redefines its
    round for every twenty of its steps.
    """
    node, site = machine.graph.at, machine.graph.site
    if site is not None and site.path not in ("", machine.file.path):
        return None
    if node is None or (site is None and machine.home.end is None):
        return machine.home.end
    return node.span.start


def _own_word(machine: Machine, arg: Expr) -> str | None:
    """The spelling of an argument that is a type, or what the body calls: `ROUND(a, b, 7, F)` with a macro `F` that has
    parameters, `REDUCE(a, fmax)` with a function.
    """
    if not isinstance(arg, Name) or arg.variable is not None:
        return None
    word = arg.written  # `using A = Row<float, 8>` in the function stands for that
    file = machine.file
    if not word.isidentifier() or file.type_of(word) is not None:
        return word
    if file.is_macro(word):
        return word if file.macro(word) is None else None
    return word if bare(machine, arg) else None


def _word(machine: Machine, arg: Expr) -> str | None:
    """The meaning of an argument in one word: a number, a type, a function, a member, or a visible variable. Of
    fractions it is the one that a suffix is pasted to, `#define REAL(x) x##f`.
    """
    if isinstance(arg, Constant):
        return str(arg.value) if arg.kind in ("int", "double") and arg.value is not None else None
    if (not isinstance(arg, Name) or arg.variable is not None) and _is_pure(arg):
        number = machine.known_int(arg)
        if number is not None:
            return str(number)
    if not isinstance(arg, Name) or (arg.variable is not None and machine.names.get(arg.name) is not arg.variable):
        return None
    return arg.written


def _is_pure(arg: Expr) -> bool:
    """Whether an argument is arithmetic on names and numbers, which can be evaluated once more."""
    return all(isinstance(node, (Binary, Cast, Conditional, Constant, Name, SizeOf, Unary)) for node in walk(arg))
