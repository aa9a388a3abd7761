"""Whether a function that calls itself is a loop to the compiler, or a call of a function that is not inlined."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Binary, Block, Call, Conditional, Evaluate, Expr, Function, If, Return, Stmt
from regpress_lint.cpp.traversal import nodes_of, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from regpress_lint.cpp.syntax_tree import Type

_REASSOCIATED = frozenset(("+", "*", "&", "|", "^"))


def may_mean(call: Call, target: Function, type_of: Callable[[Expr], Type | None]) -> bool:
    """False where a call may mean another function of that name: an argument's type is not the parameter's."""
    for argument, parameter in zip(call.args, target.parameters, strict=False):
        type_, wanted = type_of(argument), parameter.type
        if type_ is None or (type_.pointers and wanted.pointers and type_.name != wanted.name):
            return False
        if (type_.size, type_.lanes, type_.floating, type_.struct) != (
            wanted.size if not wanted.reference else type_.size,
            wanted.lanes,
            wanted.floating,
            wanted.struct,
        ):
            return False
    return len(call.args) == len(target.parameters)


def becomes_a_loop(function: Function, calls: Sequence[Call]) -> bool:
    """True if all its calls of itself are the last thing that happens, or one is an operand of a sum or product of
    integers.
    """
    last = {id(call) for call in _last_calls(function.body)}
    left = [call for call in calls if id(call) not in last]
    if not left:
        return True
    integer = function.return_type is not None and not function.return_type.floating and not function.return_type.struct
    accumulated = {
        id(side)
        for node in nodes_of(function)
        if isinstance(node, Return) and node.value is not None
        for value in _in_value(node.value)
        if isinstance(value, Binary) and value.op in _REASSOCIATED
        for side in (value.left, value.right)
    }
    return integer and len(calls) == 1 and id(left[0]) in accumulated


def _last_calls(body: Stmt) -> Iterator[Expr]:
    for node in walk(body):
        if isinstance(node, Return) and node.value is not None:
            yield from _in_value(node.value)
        elif isinstance(node, Block):
            for one, after in pairwise(node.statements):
                if isinstance(after, Return) and after.value is None:
                    yield from _ending(one)
    yield from _ending(body)


def _ending(statement: Stmt) -> Iterator[Expr]:
    """The expressions that a statement evaluates last, if nothing follows it: of branches the last of each."""
    if isinstance(statement, Evaluate):
        yield statement.expression
    elif isinstance(statement, Block) and statement.statements:
        yield from _ending(statement.statements[-1])
    elif isinstance(statement, If):
        yield from _ending(statement.then)
        if statement.other is not None:
            yield from _ending(statement.other)


def _in_value(value: Expr) -> Iterator[Expr]:
    if isinstance(value, Conditional):
        yield from _in_value(value.then)
        yield from _in_value(value.other)
    else:
        yield value
