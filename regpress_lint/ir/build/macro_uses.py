"""Macros: what a name stands for at this point of the execution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Constant, Name

if TYPE_CHECKING:
    from regpress_lint.cpp.names.expansions import Expansion
    from regpress_lint.cpp.syntax_tree import Expr
    from regpress_lint.ir.build.machine import Machine

_MAX_EXPANSIONS = 12


def expansion_of(machine: Machine, name: str, args: tuple[Expr, ...] | None) -> Expansion | None:
    """The expansion of a macro, None if it is unknown."""
    if not machine.file.is_macro(name) or machine.expanding >= _MAX_EXPANSIONS:
        return None
    ask, names, before = machine.file.expansion, machine.names, _here(machine)
    if args is None:
        return ask(name, None, names, (), before)
    types = tuple([machine.type_of(arg) for arg in args])
    # A type and a macro that is called in the body are put in as they are written, any other word where the body can be
    # read in no other way.
    spelled: tuple[str | None, ...] = ()
    if any(arg.__class__ is Name and arg.variable is None for arg in args):
        spelled = tuple([_own_word(machine, arg) for arg in args])
    found = ask(name, len(args), names, types, before, spelled if any(spelled) else ())
    if found is None and any(words := tuple([_word(machine, arg) for arg in args])):
        found = ask(name, len(args), names, types, before, words)
    return found


def _here(machine: Machine) -> int | None:
    """Where the function that is executed has come to, in bytes of the file; None in another file. A hash redefines its
    round for every twenty of its steps.
    """
    node, site = machine.graph.at, machine.graph.site
    if site is not None and site.path not in ("", machine.file.path):
        return None
    if node is None or (site is None and machine.end is None):
        return machine.end
    return node.span.start


def _own_word(machine: Machine, arg: Expr) -> str | None:
    """The spelling of an argument that is a type, or a macro with parameters: `ROUND(a, b, 7, F)` calls `F` inside."""
    if not isinstance(arg, Name) or arg.variable is not None:
        return None
    word = _with_arguments(arg)
    file = machine.file
    if not word.isidentifier() or file.type_of(word) is not None:
        return word
    return word if file.is_macro(word) and file.macro(word) is None else None


def _with_arguments(name: Name) -> str:
    """A name as it is written: `using A = Row<float, 8>` in the function stands for that."""
    return f"{name.name}<{', '.join(name.template_args)}>" if name.template_args else name.name


def _word(machine: Machine, arg: Expr) -> str | None:
    """The meaning of an argument of one word: a number, a type, a function, a member, or a visible variable."""
    if isinstance(arg, Constant):
        return str(arg.value) if arg.kind == "int" else None
    if not isinstance(arg, Name) or (arg.variable is not None and machine.names.get(arg.name) is not arg.variable):
        return None
    return _with_arguments(arg)
