"""Who changes the integers of a function, and how often: assignments, counters of loops, and what may change unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import (
    Assign,
    Call,
    Cast,
    Declare,
    Index,
    InitList,
    Jump,
    LambdaExpr,
    Loop,
    Member,
    Name,
    Unary,
    Unknown,
    Update,
)
from regpress_lint.cpp.traversal import children, is_name, walk
from regpress_lint.facts.math_functions import is_plain_math
from regpress_lint.facts.unknowns import macro_words
from regpress_lint.source.cfg import root_variable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Expr, Function, Stmt, Variable
    from regpress_lint.facts.kernel import KernelFacts

_HARMLESS = frozenset(("min", "max", "abs", "printf"))


class Assignments:
    """Changes to variables in a function's own text. changes: assignments and updates. unseen: variables that
    something else may change, or whose changes may be repeated by more than loops: by a pointer or a reference, a call,
    a lambda, a macro, assembly, a `goto`. counters: loops by the variable that their step changes.
    """

    def __init__(self, facts: KernelFacts, function: Function) -> None:
        self._facts = facts
        self.changes: dict[Variable, list[Assign | Update]] = {}
        self.counters: dict[Variable, Loop] = {}
        self.unseen: set[Variable] = set()
        self._loops: dict[Assign | Update, tuple[Loop, ...]] = {}
        self._declared: dict[Variable, tuple[Loop, ...]] = {}
        self._hidden = False
        self._collect(function.body)
        if self._hidden:
            self.unseen.update(self.changes)
        hidden = macro_words(facts.file.source)
        self.unseen.update(each for each in self._declared if each.name in hidden)

    def around(self, change: Assign | Update) -> tuple[Loop, ...]:
        """Loops that a change is repeated by, from the outside in, without those where its variable is initialised
        again, and without those that change another element in each iteration.
        """
        target = change.target if isinstance(change, Assign) else change.operand
        variable = root_variable(target)
        anew = self._declared.get(variable, ()) if variable is not None else ()
        return tuple(loop for loop in self._loops[change] if loop not in anew and not self._is_indexed(target, loop))

    def counter_of(self, loop: Loop) -> Variable | None:
        """The variable that a loop counts with."""
        return next((each for each, own in self.counters.items() if own is loop), None)

    def _is_indexed(self, target: Expr, loop: Loop) -> bool:
        counter = self.counter_of(loop)
        while isinstance(target, Index) and counter is not None:
            if is_name(target.index, counter):
                return True
            target = target.base
        return False

    # ------------------------------------------------------------------------------------------------- what is found

    def _collect(self, body: Stmt) -> None:
        stack: list[tuple[Stmt | Expr, tuple[Loop, ...]]] = [(body, ())]
        while stack:
            node, loops = stack.pop()
            if isinstance(node, Loop):
                loops = (*loops, node)
                self._add_counter(node)
            elif isinstance(node, (Assign, Update)):
                self._add_change(node, loops)
            elif isinstance(node, Declare):
                self._declared.update((variable, loops) for variable in node.variables)
                for variable in node.variables:
                    self._add_bound(variable)
            elif isinstance(node, Call):
                self.unseen.update(self._given(node))
            elif isinstance(node, (Unknown, LambdaExpr)) or (isinstance(node, Unary) and node.op == "&"):
                self._add_named(node)
            elif isinstance(node, Jump):
                self._hidden |= node.kind == "goto"
            elif isinstance(node, Name) and node.variable is not None and node.variable.is_array:
                self.unseen.add(node.variable)  # its address: an element's name is skipped below
            stack += [(child, loops) for child in _below(node)]

    def _add_counter(self, loop: Loop) -> None:
        step = loop.step
        target = step.operand if isinstance(step, Update) else step.target if isinstance(step, Assign) else None
        if loop.kind == "for" and isinstance(target, Name) and target.variable is not None:
            self.counters[target.variable] = loop

    def _add_change(self, change: Assign | Update, loops: tuple[Loop, ...]) -> None:
        target = change.target if isinstance(change, Assign) else change.operand
        variable = root_variable(target)
        if variable is None:
            return
        self.changes.setdefault(variable, []).append(change)
        self._loops[change] = loops
        if any(isinstance(each, Cast) for each in walk(target)):  # a part of it, or its bits
            self.unseen.add(variable)

    def _add_bound(self, variable: Variable) -> None:
        """Note that the operands of a reference, a pointer or an object can be changed through it."""
        type_, init = variable.type, variable.init
        if init is None or (type_.size is not None and not (type_.reference or type_.pointers or type_.struct)):
            return
        if type_.size is None or type_.struct or isinstance(init, (Call, InitList)):
            self._add_named(init)
        elif (root := root_variable(init)) is not None:
            self.unseen.add(root)

    def _add_named(self, node: Expr | Stmt) -> None:
        self.unseen.update(name.variable for name in walk(node) if isinstance(name, Name) and name.variable)

    def _given(self, call: Call) -> Iterator[Variable]:
        """Variables that a call may change: by reference, or as an array."""
        target = self._facts.callee_of(call)
        free = target is None and not isinstance(call.callee, Member)
        if free and (is_plain_math(call.name) or call.name in _HARMLESS):
            return
        for position, argument in enumerate(call.args):
            parameter = target.parameters[position : position + 1] if target is not None else []
            type_ = parameter[0].type if parameter else None
            changed = type_ is None or (type_.reference and not type_.const) or "..." in type_.name
            if changed and (variable := root_variable(argument)) is not None:
                yield variable


def _below(node: Stmt | Expr) -> list[Expr | Stmt]:
    """The nodes below a node; for an element of an array only its indices."""
    if not isinstance(node, Index):
        return children(node)
    indices: list[Expr | Stmt] = []
    base: Expr = node
    while isinstance(base, Index):
        indices.append(base.index)
        base = base.base
    whole = isinstance(base, Name) and base.variable is not None and len(indices) >= len(base.variable.dims)
    return indices if whole else [*indices, base]
