"""Calls: a compiler inlines most functions, which are executed in place; macros are expanded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.uncertainty import ANY_NUMBER
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import (
    POINTED,
    Binary,
    Block,
    Call,
    Constant,
    Expr,
    Index,
    LambdaExpr,
    Loop,
    Member,
    Name,
    Return,
)
from regpress_lint.cpp.traversal import walk_outside_lambdas
from regpress_lint.model.graph import ops
from regpress_lint.model.graph.objects import Closure
from regpress_lint.model.interpreter.class_objects import (
    class_of,
    closure_of,
    constructed,
    contents,
    held,
    returns_reference,
    temporary,
)
from regpress_lint.model.interpreter.fences import meet
from regpress_lint.model.interpreter.inlining import inline, inline_lambda, is_inlined, is_real_recursion
from regpress_lint.model.interpreter.layer_calls import layer_call
from regpress_lint.model.interpreter.layer_elements import view_element
from regpress_lint.model.interpreter.library_calls import (
    applied_to_parts,
    block_primitive,
    is_of_matrix,
    matrix_call,
    named_part,
)
from regpress_lint.model.interpreter.loop_text import nodes
from regpress_lint.model.interpreter.macros import expansion_of
from regpress_lint.model.interpreter.member_calls import pointed_member, target_of
from regpress_lint.model.interpreter.member_lists import given_to_base
from regpress_lint.model.interpreter.memory import read
from regpress_lint.model.interpreter.packs import with_elements
from regpress_lint.model.interpreter.places import bind_macro
from regpress_lint.model.interpreter.routines import operands_of, routine
from regpress_lint.model.interpreter.template_arguments import argument_value, specialised
from regpress_lint.model.interpreter.unseen_calls import (
    call_indirect,
    call_itself,
    is_late,
    is_through_pointer,
    note_unseen_class,
    unseen_element,
)
from regpress_lint.model.interpreter.value_forms import form_of
from regpress_lint.targets.builtins import STANDARD

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Function
    from regpress_lint.model.graph.objects import Value
    from regpress_lint.model.interpreter.machine import Machine


_UNMET = "`{}` has no body that gives a result: the specialisation that is called is not known"
_UNDECIDED = "which of several `{}` is called is not known: a condition of the template is not; one of them is taken"
_OF_COMPLEX_NUMBERS = frozenset(("abs", "exp", "log", "sqrt", "pow", "sin", "cos", "sinh", "cosh"))
_BARRIERS = frozenset(
    (
        *("__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block", "__threadfence_system", "barrier"),
        *("group_barrier", "sync", "__builtin_amdgcn_s_barrier", "work_group_barrier", "sub_group_barrier"),
    )
)
_WITH_INTRINSICS = ("cuda", "hip")
_DIVISIONS = frozenset(("__fdiv_rn", "__ddiv_rn"))
_RECIPROCALS = {"__frcp_rn": "float", "__drcp_rn": "double"}
_ROOTS = {"__fsqrt_rn": "sqrtf", "__dsqrt_rn": "sqrt"}


def call(machine: Machine, expr: Call) -> Value:
    """Value of a call, its effects included."""
    args = with_elements(machine, expr.args)
    if args is not expr.args:
        expr = Call(expr.span, expr.callee, expr.name, expr.qualified, args, expr.template_args)
    name, callee = expr.name, expr.callee
    if name in _BARRIERS and (name.startswith("__") or target_of(machine, expr)[0] is None):
        meet(machine, expr)
        return machine.undefined
    if (answered := _of_library(machine, expr)) is not None:
        return answered
    if (element := view_element(machine, expr)) is not None:
        return machine.evaluate(element)
    if (named := named_part(machine, expr)) is not None:
        return machine.evaluate(named)
    if callee.__class__ is not Name or callee.variable is not None or machine.this is not None:
        held = _of_object(machine, expr, args)
        if held is not None:
            return held
    target, this = target_of(machine, expr)
    if target is None:
        value = _undefined(machine, expr)
    elif (type_ := class_of(machine, expr, target)) is not None:
        return constructed(machine, expr, type_, target)
    else:
        value = _defined(machine, expr, target, this)
    return value if value is not None else routine(machine, expr)


def _of_object(machine: Machine, expr: Call, args: tuple[Expr, ...]) -> Value | None:
    """Value of a call of what an object holds: a lambda, a function, a pointer to one; None for any other."""
    callee = expr.callee
    if callee.__class__ is Call and callee.name == POINTED:
        return _pointed(machine, expr, callee)
    closure = closure_of(machine, callee)
    if closure is None and callee.__class__ is Member and callee.field == "operator()":
        closure, args = _with_numbers(machine, expr, callee)
    if isinstance(closure, LambdaExpr):
        result = inline_lambda(machine, closure, args)
        return contents(machine, result, None) if closure.returns_reference else result
    if closure is not None:
        return machine.evaluate(Call(expr.span, closure, closure.last, closure.name, expr.args, closure.template_args))
    if isinstance(callee, Call) and (name := _made_name(machine, callee)) is not None:
        return machine.evaluate(Call(expr.span, Name(callee.span, name), name, name, expr.args))
    if isinstance(callee, Call) and _gives_lambda(machine, callee):
        made_here = machine.evaluate(callee)
        if isinstance(made_here, Closure) and isinstance(made_here.expression, LambdaExpr):
            return inline_lambda(machine, made_here.expression, args)
    if isinstance(callee, Call) and (functor := temporary(machine, callee)) is not None:
        return machine.evaluate(Call(expr.span, functor, "", "", expr.args))
    return call_indirect(machine, expr, operands_of(machine, expr)[0]) if is_late(machine, callee) else None


def _gives_lambda(machine: Machine, callee: Call) -> bool:
    """Whether a call returns a lambda, which is called at once: `loader(p)(i)`."""
    closure = closure_of(machine, callee.callee)
    body = closure.body if isinstance(closure, LambdaExpr) else None
    if body is None and closure is None and (target := target_of(machine, callee)[0]) is not None:
        body = target.body
    returned = (node.value for node in walk_outside_lambdas(body) if isinstance(node, Return)) if body else ()
    return any(isinstance(value, LambdaExpr) for value in returned)


def _pointed(machine: Machine, expr: Call, callee: Call) -> Value:
    """Value of `(a.*m)(x)`."""
    member = pointed_member(machine, callee)
    if member is None:
        return call_indirect(machine, expr, operands_of(machine, expr)[0])
    return call(machine, Call(expr.span, member, member.field, member.field, expr.args))


def _of_library(machine: Machine, expr: Call) -> Value | None:
    """Value of a call of a library that is known, whether or not its header is visible; None for any other."""
    answered = layer_call(machine, expr)
    if answered is None:
        answered = block_primitive(machine, expr)
    return matrix_call(machine, expr) if answered is None and is_of_matrix(expr.name) else answered


def _with_numbers(machine: Machine, expr: Call, callee: Member) -> tuple[LambdaExpr | None, tuple[Expr, ...]]:
    """The lambda that `f.template operator()<I>(x)` calls; values of its template are parameters behind the others."""
    closure = closure_of(machine, callee.base)
    if not isinstance(closure, LambdaExpr) or len(expr.args) + len(callee.template_args) != len(closure.parameters):
        return None, expr.args
    values = [argument_value(machine, text, expr) for text in callee.template_args]
    numbers = [Constant(expr.span, value, "int") for value in values if value is not None]
    return (closure if len(numbers) == len(values) else None), (*expr.args, *numbers)


def _undefined(machine: Machine, expr: Call) -> Value | None:
    """A call of a name without a definition: a macro, another name of a function, an element of a view, a pointer; None
    for others.
    """
    name, callee = expr.name, expr.callee
    if callee.__class__ is Name:
        if (macro := expanded(machine, name, expr.args)) is not None:
            return macro
        if (applied := applied_to_parts(machine, expr)) is not None:
            return applied
        if (quotient := _quotient(machine, expr)) is not None:
            return machine.evaluate(quotient)
        renamed = _of_complex_number(machine, expr) or _algorithm(machine, expr) or _alias(machine, name)
        renamed = renamed or _intrinsic(machine, name)
        if renamed is not None:
            return machine.evaluate(
                Call(
                    *(expr.span, Name(callee.span, renamed), renamed.rpartition("::")[2], renamed, expr.args),
                    expr.template_args,
                )
            )
    if callee.__class__ is Member and given_to_base(machine, expr, callee):
        return machine.undefined
    if (unseen := unseen_element(machine, expr, written=False)) is not None:
        return read(machine, unseen)
    if is_through_pointer(machine, callee) or _is_linked(machine, callee, name):
        if isinstance(callee, Index) and _is_private_table(machine, callee):
            machine.evaluate(callee)  # the pointer is used up before the callee's registers count
        note_unseen_class(machine, callee)
        return call_indirect(machine, expr, operands_of(machine, expr)[0])
    return None


def _quotient(machine: Machine, expr: Call) -> Expr | None:
    """The division that an intrinsic is: one that rounds to nearest, and for clang, whose header has no faster one,
    `__fdividef` (`test_rounded_intrinsics.py`). None for other calls.
    """
    if machine.file.language not in _WITH_INTRINSICS:
        return None
    if (kind := _RECIPROCALS.get(expr.name)) is not None and len(expr.args) == 1:
        return Binary(expr.span, "/", Constant(expr.span, 1.0, kind), expr.args[0])
    divides = expr.name in _DIVISIONS or (expr.name == "__fdividef" and not machine.compiler.fast_intrinsics)
    return Binary(expr.span, "/", *expr.args) if divides and len(expr.args) == 2 else None


def _intrinsic(machine: Machine, name: str) -> str | None:
    """The library's function that an intrinsic is; `__powf` is a fast one for nvcc alone."""
    if machine.file.language not in _WITH_INTRINSICS:
        return None
    return "powf" if name == "__powf" and not machine.compiler.fast_intrinsics else _ROOTS.get(name)


def _of_complex_number(machine: Machine, expr: Call) -> str | None:
    """The function of our own standard library that `exp` of a complex number is, which no instruction works out for
    each part by itself.
    """
    type_ = machine.type_of(expr.args[0]) if expr.args and expr.name in _OF_COMPLEX_NUMBERS else None
    is_complex = type_ is not None and type_.lanes > 1 and not type_.pointers and "complex<" in type_.name
    return f"std::complex_{expr.name}" if is_complex else None


def _algorithm(machine: Machine, expr: Call) -> str | None:
    """The function of our own standard library that `std::fill` and its like are, by a name that no other library's
    function has.
    """
    renamed = f"algorithm_{expr.name}" if expr.qualified.rpartition("::")[0] in STANDARD else ""
    return renamed if renamed and machine.file.find_function(renamed, len(expr.args)) is not None else None


def _defined(machine: Machine, expr: Call, target: Function, this: Expr | None) -> Value | None:
    """A call of a known function, in place; None where compilers call it, or where too many are open."""
    if machine.is_deep:
        return None
    instance = specialised(machine, target, expr)
    if _is_placeholder(machine, instance):
        machine.unknown("callee", expr.name, expr.span, _UNMET.format(expr.name), "both", ANY_NUMBER)
        form = form_of(instance.return_type)
        return machine.effect(ops.CALL, operands_of(machine, expr)[0], form, divergent=True)
    if expr.callee.__class__ is Name:
        _note_choice(machine, expr, target)
    if this is None and (constant := _compiled(machine, expr, instance)) is not None:
        return constant
    if is_inlined(machine, instance, expr):
        value = inline(machine, instance, expr, held(machine, this))
        return contents(machine, value, instance.return_type) if returns_reference(instance) else value
    if is_real_recursion(machine, instance, expr):
        return call_itself(machine, expr, operands_of(machine, expr)[0])
    return None


def _compiled(machine: Machine, expr: Call, function: Function) -> Value | None:
    """The value of a loop over constants, `log2(4096)`, however often it runs: compilers execute it."""
    type_ = function.return_type
    if not expr.args or type_ is None or type_.struct or type_.pointers or type_.lanes > 1:
        return None
    if not any(isinstance(node, Loop) for node in nodes(function.body)):
        return None
    value = evaluate(expr, machine.environment)
    return machine.graph.constant(value, form_of(type_)) if value is not None else None


def _note_choice(machine: Machine, expr: Call, target: Function) -> None:
    """Note a call that may mean another overload: a condition in a template's head is not known."""
    others = machine.file.overloads(expr.qualified, len(expr.args))
    if len(others) < 2 or target not in others:
        return
    if machine.file.is_open(target, others, lambda: [machine.type_of(arg) for arg in expr.args], expr.template_args):
        machine.unknown("callee", expr.name, expr.span, _UNDECIDED.format(expr.name), "both", ANY_NUMBER)


def _is_placeholder(machine: Machine, function: Function) -> bool:
    """True for a primary template, or a member of one, that only says that it must not be used: a result, and nothing
    that gives one, or nothing beside specialisations that do something. One that is not found is what is called.
    """
    type_ = function.return_type
    if function.body.statements or type_ is None:
        return False
    return type_.name != "void" or type_.pointers > 0 or machine.file.is_specialised(function)


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
        alias = _made_name(machine, body) if isinstance(body, Call) else None
        machine.known.aliases[name] = body.name if isinstance(body, Name) and body.variable is None else alias
    found_alias = machine.known.aliases[name]
    return found_alias if found_alias != name else None


def _made_name(machine: Machine, expr: Call) -> str | None:
    """The function that a macro with parameters stands for: `#define FN(name) name##f`, called as `FN(exp)(x)`."""
    expansion = expansion_of(machine, expr.name, expr.args) if expr.callee.__class__ is Name and expr.args else None
    body = expansion.body if expansion is not None else None
    return body.name if isinstance(body, Name) and body.variable is None else None
