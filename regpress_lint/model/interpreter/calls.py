"""Calls: a compiler inlines most functions, which are executed in place; macros are expanded. Parameter packs,
`f(t...)` and `(t + ...)`, stand for as many arguments as the executed call gives; what is not followed, a pack of
constants or of braces for an array, is in the ledger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Binary, Block, Call, Expr, Index, LambdaExpr, Name, Unknown, Variable
from regpress_lint.cpp.traversal import walk
from regpress_lint.model.graph import ops
from regpress_lint.model.graph.objects import Memory, Place
from regpress_lint.model.interpreter.class_objects import (
    MAX_INLINED,
    class_of,
    closure_of,
    constructed,
    contents,
    held,
    returns_reference,
    temporary,
)
from regpress_lint.model.interpreter.inlining import inline, inline_lambda, is_inlined, is_real_recursion, specialised
from regpress_lint.model.interpreter.layer_calls import layer_call
from regpress_lint.model.interpreter.layer_elements import view_element
from regpress_lint.model.interpreter.library_calls import block_primitive, named_part
from regpress_lint.model.interpreter.machine import form_of
from regpress_lint.model.interpreter.member_calls import PACK, target_of
from regpress_lint.model.interpreter.memory import barrier, read
from regpress_lint.model.interpreter.places import bind_macro, expansion_of
from regpress_lint.model.interpreter.routines import operands_of, routine
from regpress_lint.model.interpreter.unseen_calls import (
    call_indirect,
    call_itself,
    is_late,
    is_through_pointer,
    note_unseen_class,
    unseen_element,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.cpp.syntax_tree import Expr, Function
    from regpress_lint.model.graph.objects import Value
    from regpress_lint.model.interpreter.machine import Machine


_UNMET = "`{}` has no body that gives a result: the specialisation that is called is not known"
_BARRIERS = frozenset(
    (
        *("__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block", "__threadfence_system", "barrier"),
        *("group_barrier", "sync", "__builtin_amdgcn_s_barrier", "work_group_barrier", "sub_group_barrier"),
    )
)


def call(machine: Machine, expr: Call) -> Value:
    """Value of a call, its effects included."""
    args = with_elements(machine, expr.args)
    if args is not expr.args:
        expr = Call(expr.span, expr.callee, expr.name, expr.qualified, args, expr.template_args)
    name, callee = expr.name, expr.callee
    if name in _BARRIERS:
        barrier(machine)
        return machine.undefined
    answered = layer_call(machine, expr)
    if answered is None:
        answered = block_primitive(machine, expr)
    if answered is not None:
        return answered
    element = view_element(machine, expr)
    if element is not None:
        return machine.evaluate(element)
    named = named_part(machine, expr)
    if named is not None:
        return machine.evaluate(named)
    closure = closure_of(machine, callee)
    if isinstance(closure, LambdaExpr):
        given = inline_lambda(machine, closure, expr.args)
        return contents(machine, given, None) if closure.returns_reference else given
    if closure is not None:
        return machine.evaluate(Call(expr.span, closure, closure.last, closure.name, expr.args, closure.template_args))
    if isinstance(callee, Call) and (functor := temporary(machine, callee)) is not None:
        return machine.evaluate(Call(expr.span, functor, "", "", expr.args))
    if is_late(machine, callee):
        return call_indirect(machine, expr, operands_of(machine, expr)[0])
    target, this = target_of(machine, expr)
    if target is None:
        value = _undefined(machine, expr)
    elif (type_ := class_of(machine, expr, target)) is not None:
        return constructed(machine, expr, type_, target)
    else:
        value = _defined(machine, expr, target, this)
    return value if value is not None else routine(machine, expr)


def _undefined(machine: Machine, expr: Call) -> Value | None:
    """A call of a name without a definition: a macro, another name of a function, an element of a view, a pointer; None
    for others.
    """
    name, callee = expr.name, expr.callee
    if callee.__class__ is Name:
        macro = expanded(machine, name, expr.args)
        if macro is not None:
            return macro
        renamed = _alias(machine, name)
        if renamed is not None:
            return machine.evaluate(
                Call(expr.span, Name(callee.span, renamed), renamed.rpartition("::")[2], renamed, expr.args)
            )
    unseen = unseen_element(machine, expr, written=False)
    if unseen is not None:
        return read(machine, unseen)
    if is_through_pointer(machine, callee) or _is_linked(machine, callee, name):
        if isinstance(callee, Index) and _is_private_table(machine, callee):
            machine.evaluate(callee)  # the pointer is used up before the callee's registers count
        note_unseen_class(machine, callee)
        return call_indirect(machine, expr, operands_of(machine, expr)[0])
    return None


def _defined(machine: Machine, expr: Call, target: Function, this: Expr | None) -> Value | None:
    """A call of a known function, in place; None where compilers call it, or where too many are open."""
    if len(machine.active) >= MAX_INLINED:
        return None
    instance = specialised(machine, target, expr)
    if _is_placeholder(instance):
        machine.unknown("callee", expr.name, expr.span, _UNMET.format(expr.name), "both")
        form = form_of(instance.return_type)
        return machine.effect(ops.CALL, operands_of(machine, expr)[0], form, divergent=True)
    if is_inlined(machine, instance, expr):
        value = inline(machine, instance, expr, held(machine, this))
        return contents(machine, value, instance.return_type) if returns_reference(instance) else value
    if is_real_recursion(machine, instance, expr):
        return call_itself(machine, expr, operands_of(machine, expr)[0])
    return None


def _is_placeholder(function: Function) -> bool:
    """True for a member of a primary template that only says that it must not be used: a result, and nothing that gives
    one. A specialisation that is not found is what is called.
    """
    type_ = function.return_type
    return not function.body.statements and type_ is not None and (type_.name != "void" or type_.pointers > 0)


def _is_private_table(machine: Machine, callee: Index) -> bool:
    """True for an element of a private array of pointers to functions."""
    base = callee.base
    return isinstance(base, Name) and base.variable is not None and machine.inputs.array_of(base.variable) is not None


def _is_linked(machine: Machine, callee: Expr, name: str) -> bool:
    """True for a function of another program unit. It is called as one behind a pointer is: clang 19.1.7 on gfx90a and
    nvcc 13.0.88 give both the same registers (44 and 24 with a value alive around the call, 138 and 104 with 48).
    """
    return callee.__class__ is Name and machine.file.is_linked(name)


# ---------------------------------------------------------------------------------------------------------- macros


def expanded(machine: Machine, name: str, args: tuple[Expr, ...] | None) -> Value | None:
    """Value of a macro, None if it is not a known macro; a macro of statements is executed."""
    expansion = expansion_of(machine, name, args)
    if expansion is None:
        return None
    machine.step()
    machine.expanding += 1
    placed, machine.placed = machine.placed, False
    bind_macro(machine, expansion, args or ())
    if isinstance(expansion.body, Block):
        machine.execute(expansion.body)
        value: Value = machine.undefined
    else:
        value = machine.evaluate(expansion.body)
    machine.expanding -= 1
    machine.placed = placed
    return value


def _alias(machine: Machine, name: str) -> str | None:
    """The function that an object-like macro stands for: `#define SHFL __shfl_xor_sync`."""
    if name not in machine.known.aliases:
        machine.known.aliases[name] = None
        expansion = expansion_of(machine, name, None)
        body = expansion.body if expansion is not None else None
        machine.known.aliases[name] = body.name if isinstance(body, Name) and body.variable is None else None
    found_alias = machine.known.aliases[name]
    return found_alias if found_alias != name else None


FOLD = "fold_expression"
_HANDED_ON = frozenset(("forward", "move"))
_NOT_FOLLOWED = "what `{}...` of a template stands for is not followed: it is executed once, however many there are"


def with_elements(machine: Machine, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The arguments of a call, each `pattern...` as one for each element of its packs."""
    if not any(arg.__class__ is Unknown and arg.kind == PACK for arg in args):
        return args
    found: list[Expr] = []
    for arg in args:
        pattern = arg.children[0] if isinstance(arg, Unknown) and arg.kind == PACK and arg.children else None
        packs = _packs_in(machine, pattern)
        if pattern is None or not packs:
            found.append(pattern if pattern is not None and _is_one(machine, pattern) else arg)
        else:
            found += _elements(machine, pattern, packs)
    return tuple(found)


def _packs_in(machine: Machine, pattern: Expr | None) -> tuple[Variable, ...]:
    names = [node.variable for node in walk(pattern) if isinstance(node, Name) and node.variable is not None]
    return tuple(dict.fromkeys(variable for variable in names if variable in machine.packs))


def _is_one(machine: Machine, pattern: Expr) -> bool:
    """Whether a pattern has a parameter that was given one argument."""
    names = (node.variable for node in walk(pattern) if isinstance(node, Name))
    return any(one is not None and one.storage == "parameter" and one in machine.variables for one in names)


def _elements(machine: Machine, pattern: Expr, packs: tuple[Variable, ...]) -> Iterator[Expr]:
    named = pattern
    if isinstance(pattern, Call) and pattern.name in _HANDED_ON and len(pattern.args) == 1:  # `std::forward<T>(t)...`
        named = pattern.args[0]
    if isinstance(named, Name):
        yield from (Name(named.span, one.name, one) for one in machine.packs[packs[0]])
        return
    for _ in _each(machine, packs):
        type_ = machine.type_of(pattern) or packs[0].type
        value = machine.evaluate(pattern)
        held = Variable("", type_._replace(reference=False), pattern.span, pattern.span)
        if isinstance(value, (Place, Memory)) and not type_.pointers:
            machine.references.add(held)
        machine.variables[held] = value
        yield Name(pattern.span, "", held)


def _each(machine: Machine, packs: Sequence[Variable]) -> Iterator[int]:
    """Let the packs stand for one of their elements after the other."""
    variables = machine.variables
    for position in range(min(len(machine.packs[pack]) for pack in packs)):
        ones = [machine.packs[pack][position] for pack in packs]
        for pack, one in zip(packs, ones, strict=True):
            variables[pack] = variables[one]
        yield position
        for pack, one in zip(packs, ones, strict=True):
            variables[one] = variables[pack]


def folded(machine: Machine, expr: Unknown) -> Value | None:
    """The value of a fold over a pack; None, with an entry in the ledger, where it is not known what it stands for."""
    from regpress_lint.model.interpreter.operators import combined

    operation = expr.children[0] if expr.children else None
    if not isinstance(operation, Binary):
        return None
    sides = [side for side in (operation.left, operation.right) if not _is_dots(side)]
    pattern = next((side for side in sides if _packs_in(machine, side)), None)
    if pattern is None:
        return machine.evaluate(sides[0]) if len(sides) == 1 and _is_one(machine, sides[0]) else None
    first = [machine.evaluate(side) for side in sides if side is not pattern]
    values = [*first, *(machine.evaluate(pattern) for _ in _each(machine, _packs_in(machine, pattern)))]
    if not values:
        return machine.undefined
    result = values[0]
    for value in values[1:]:
        result = value if operation.op == "," else combined(machine, operation.op, result, value)
    return result


def _is_dots(side: Expr) -> bool:
    return isinstance(side, Unknown) and side.kind == "..."


def not_followed(machine: Machine, expr: Unknown) -> None:
    """Note a pack of which only one element is executed."""
    from regpress_lint.source.indices import spelled

    inner = expr.children[0] if expr.kind == PACK and expr.children else None
    name = spelled(inner) if inner is not None else ""
    machine.unknown("loop", name, expr.span, _NOT_FOLLOWED.format(name), "up")
