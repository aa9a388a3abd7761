"""Objects of class templates whose arguments are left to the compiler: `Pair{x, 3}`, `Pair p(x, 3);`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.lower.declared_types import lower_type_text
from regpress_lint.cpp.syntax_tree import Call, InitList, Name
from regpress_lint.cpp.typing_rules import expression_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.syntax_tree import Expr, Type


def deduced(ctx: Context, name: str, args: Sequence[Expr]) -> tuple[str, ...]:
    """The template arguments that initialisers give a class; nothing where one's type is not known."""
    if ctx.deduce is None or not args or not ctx.is_template(name):
        return ()
    types = [expression_type(arg, ctx.types) for arg in args]
    texts = [f"{type_.name}{'*' * type_.pointers}" for type_ in types if type_ is not None and type_.size]
    return ctx.deduce(name, texts) if len(texts) == len(types) else ()


def deduced_class(ctx: Context, type_: Type, init: Expr) -> tuple[Type, Expr]:
    """The class of a variable that is declared by a template's name alone, and its initialiser with that name; as they
    are where they are no such, and where an argument is not known.
    """
    name = type_.name
    if not (type_.struct or type_.size is None) or not ctx.is_template(name):
        return type_, init
    args: tuple[str, ...] = ()
    if isinstance(init, InitList):
        args = deduced(ctx, name, init.items)
    elif isinstance(init, Call) and init.qualified == name:
        args = init.template_args or deduced(ctx, name, init.args)
        init = Call(init.span, Name(init.callee.span, name, None, args), init.name, name, init.args, args)
    type_of_init = expression_type(init, ctx.types) if not args else None
    text = f"{name}<{', '.join(args)}>" if args else type_of_init.name if type_of_init is not None else ""
    class_ = lower_type_text(ctx, text) if text.startswith(f"{name}<") else type_
    return class_._replace(const=type_.const, reference=type_.reference), init
