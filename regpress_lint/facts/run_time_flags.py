"""Branches that a value of the launch decides: an option of a kernel, which costs registers also where it is off.

A flag is an argument, a member of one, a captured variable or one of the file, which the kernel tests and does not
change: `do_qed`, `params.mode == 2`, `bias != nullptr`. A compiler keeps both sides of such a branch, and the registers
of the wider one. A value that a kernel also computes with (`if (n > 0)`) is not an option, except booleans and
pointers.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal, TypeAlias

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import (
    Binary,
    Block,
    Call,
    Cast,
    Conditional,
    Declare,
    If,
    Jump,
    Member,
    Name,
    Return,
    Unary,
)
from regpress_lint.cpp.traversal import nodes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.source import Source, Span
    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.syntax_tree import Expr, Function, Stmt, Variable
    from regpress_lint.facts.kernel import KernelFacts

_GIVEN = frozenset(("parameter", "capture", "member", "global", "constant"))
_EQUAL = frozenset(("==", "!="))
_COMPARED = _EQUAL | {"<", ">", "<=", ">="}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_NULL = frozenset(("nullptr", "NULL"))
_NEARLY = 0.6  # of the kernel's text: a guard against threads without work is no branch to speak of
_CLIPPED = 40  # letters of a condition
_DEEPEST = 8  # members, aliases and arguments of arguments that are looked through
_HOW: TypeAlias = Literal["", "==", "<", ">", "<=", ">="]

# A value of the launch: the variable that holds it, or its name where that is not visible, and the members on the way.
Root: TypeAlias = "tuple[Variable | str, tuple[str, ...]]"


class Question(NamedTuple):
    """A test of a flag: whether it holds (how ""), or how it compares with a constant."""

    root: Root
    how: _HOW
    value: Number | None = None


class Use(NamedTuple):
    """An expression that asks a question, and whether it is true where the answer is yes."""

    span: Span
    is_yes: bool


class Side(NamedTuple):
    """One side of a branch that goes with a flag. test: the whole condition; span: what goes. is_other: it is an
    `else`; is_if: the branch is an `if`, and no `?:`.
    """

    test: Span
    span: Span
    is_other: bool
    is_if: bool

    def words(self, source: Source) -> str:
        """`if (do_qed)`, the `else` of one, or a side of `?:`, as the file has it."""
        text = clipped(source, self.test)
        if not self.is_if:
            return f"a side of `{text} ?`"
        return f"the `else` of `if ({text})`" if self.is_other else f"`if ({text})`"


class Option(NamedTuple):
    """A flag at the value that leaves something out. uses: its tests in the file itself, each once; sides: the code
    that is then never executed, in the order of the source.
    """

    question: Question
    answer: bool
    uses: tuple[Use, ...]
    sides: tuple[Side, ...]


def options(facts: KernelFacts) -> tuple[Option, ...]:
    """Options of a kernel with branches in its own file, those that leave out most text first."""
    return _Flags(facts).options()


class _Flags:
    """The tests of a kernel and of the functions that it reaches, by their question."""

    def __init__(self, facts: KernelFacts) -> None:
        self._facts = facts
        functions = (function for function in facts.source.functions if function.path in ("", facts.file.path))
        self._functions = tuple(functions)
        self._arguments = self._all_arguments()
        self._branches = [(function, node) for function in self._functions for node in _branches(function)]
        self._tested = Counter(
            question.root for function, node in self._branches for _, question in self._uses(function, node.test)
        )

    def options(self) -> tuple[Option, ...]:
        questions: dict[Question, dict[Span, Use]] = {}
        for function, node in self._branches:
            for use, question in self._uses(function, node.test):
                questions.setdefault(question, {})[use.span] = use
        options = [
            Option(question, answer, tuple(uses.values()), tuple(sides))
            for question, uses in questions.items()
            for answer in ((False, True) if self._is_flag(question) else ())
            if (sides := self._left_out(question, answer))
        ]
        return tuple(sorted(options, key=lambda option: -sum(side.span.end - side.span.start for side in option.sides)))

    # -------------------------------------------------------------------------------------------------- questions

    def _uses(self, function: Function, test: Expr) -> Iterator[tuple[Use, Question]]:
        """Tests of launch values in a condition, through `!`, `&&` and `||`."""
        if isinstance(test, Unary) and test.op == "!":
            for use, question in self._uses(function, test.operand):
                yield use, question
        elif isinstance(test, Binary) and test.op in ("&&", "||"):
            yield from self._uses(function, test.left)
            yield from self._uses(function, test.right)
        elif (asked := self._question(function, test)) is not None:
            question, is_yes = asked
            yield Use(test.span, is_yes), question

    def _question(self, function: Function, test: Expr, depth: int = 0) -> tuple[Question, bool] | None:
        """The question of one condition, and whether it holds if the answer is yes."""
        if (made := self._made_by(function, test)) is not None:
            return self._question(function, made, depth + 1) if depth < _DEEPEST else None
        if isinstance(test, Binary) and test.op in _COMPARED:
            left, right, op = test.left, test.right, test.op
            value = self._constant(right)
            if value is None:
                left, right, op = right, left, _MIRRORED.get(op, op)
                value = self._constant(right)
            root = self._root(function, left) if value is not None else None
            if root is None:
                return None
            if op in _EQUAL and not value:
                return Question(root, ""), op == "!="
            if op in _EQUAL:
                return Question(root, "==", value), op == "=="
            for how in ("<", ">", "<=", ">="):
                if op == how:
                    return Question(root, how, value), True
        root = self._root(function, test)
        return (Question(root, ""), True) if root is not None else None

    def _made_by(self, function: Function, test: Expr) -> Expr | None:
        """The expression behind a variable of the kernel that is set once: `const bool third = order > 2;`."""
        variable = test.variable if isinstance(test, Name) else None
        if variable is None or variable.storage != "local" or variable.dims or variable.type.pointers:
            return None
        return variable.init if variable not in self._facts.flow_of(function).modified else None

    def _constant(self, expr: Expr) -> Number | None:
        if isinstance(expr, Name) and expr.name in _NULL:
            return 0
        return evaluate(expr, self._facts.source.environment)

    def _is_flag(self, question: Question) -> bool:
        """Whether a value is there to be tested: a boolean, a pointer, one of several modes, or tested and no more."""
        variable, members = question.root
        if question.how == "==":
            return True
        if question.how == "" and not isinstance(variable, str):
            type_ = variable.type if not members else None
            if type_ is not None and (type_.pointers or type_.name.split()[-1:] == ["bool"]):
                return True
        return self._tested[question.root] >= self._named(question.root)

    def _named(self, root: Root) -> int:
        """How often a value is named in the functions, without the calls that forward it."""
        return sum(
            self._root(function, node) == root
            for function in self._functions
            for node in nodes_of(function)
            if isinstance(node, (Name, Member)) and node not in self._passed_on
        )

    # ------------------------------------------------------------------------------------------------------ roots

    def _root(self, function: Function, expr: Expr, depth: int = 0) -> Root | None:
        """The value of the launch that an expression is, None for anything else."""
        if depth > _DEEPEST:
            return None
        if isinstance(expr, Cast):
            return self._root(function, expr.operand, depth + 1)
        if isinstance(expr, Unary) and expr.op == "*":
            return _within(self._root(function, expr.operand, depth + 1), "*")
        if isinstance(expr, Member):
            return _within(self._root(function, expr.base, depth + 1), expr.field)
        if isinstance(expr, Binary) and expr.op == "&" and (mask := self._constant(expr.right)) is not None:
            return _within(self._root(function, expr.left, depth + 1), f"&{mask}")
        if not isinstance(expr, Name) or self._constant(expr) is not None:
            return None
        return self._root_of_name(function, expr, depth)

    def _root_of_name(self, function: Function, expr: Name, depth: int) -> Root | None:
        variable = expr.variable
        if variable is None or variable.dims or variable in self._facts.flow_of(function).modified:
            return None
        if variable.storage == "local" and variable.init is not None and not variable.type.pointers:
            return self._root(function, variable.init, depth + 1)
        if variable.storage == "parameter" and function is not self._facts.kernel.function:
            arguments = self._arguments.get(variable, [])
            roots = {self._root(caller, argument, depth + 1) for caller, argument in arguments}
            return roots.pop() if len(roots) == 1 else None
        return (variable, ()) if variable.storage in _GIVEN else None

    def _all_arguments(self) -> dict[Variable, list[tuple[Function, Expr]]]:
        """The arguments of known calls for each parameter of a device function."""
        arguments: dict[Variable, list[tuple[Function, Expr]]] = {}
        self._passed_on: set[object] = set()
        for function in self._functions:
            for node in nodes_of(function):
                if isinstance(node, Declare):
                    self._passed_on.update(variable.init for variable in node.variables if variable.init is not None)
                target = self._facts.callee_of(node) if isinstance(node, Call) else None
                if not isinstance(node, Call) or target is None:
                    continue
                for parameter, argument in zip(target.parameters, node.args, strict=False):
                    arguments.setdefault(parameter, []).append((function, argument))
                    self._passed_on.add(argument)
        return arguments

    # -------------------------------------------------------------------------------------------------- left out

    def _left_out(self, question: Question, answer: bool) -> list[Side]:
        """The sides of branches that are never executed at an answer; none where the kernel would end there."""
        sides = []
        for function, node in self._branches:
            holds = self._settled(function, node.test, question, answer)
            if holds is None:
                continue
            taken, gone = (node.then, node.other) if holds else (node.other, node.then)
            if isinstance(node, If) and taken is not None and _leaves(taken):
                return []
            if gone is not None and not _leaves(gone):
                sides.append(Side(node.test.span, gone.span, gone is node.other, isinstance(node, If)))
        return sides

    def _settled(self, function: Function, test: Expr, question: Question, answer: bool) -> bool | None:
        """Whether a condition holds at an answer, None where that does not decide it."""
        if isinstance(test, Unary) and test.op == "!":
            inner = self._settled(function, test.operand, question, answer)
            return None if inner is None else not inner
        if isinstance(test, Binary) and test.op in ("&&", "||"):
            sides = [self._settled(function, side, question, answer) for side in (test.left, test.right)]
            decisive = test.op == "||"
            if decisive in sides:
                return decisive
            return None if None in sides else not decisive
        asked = self._question(function, test)
        return answer is asked[1] if asked is not None and asked[0] == question else None


def branch_around(facts: KernelFacts, span: Span) -> Side | None:
    """The branch in the kernel's own body around a place: the widest one that is an option, else the narrowest; None
    for a place in none, or in one that is nearly all of the kernel.
    """
    body = facts.kernel.function.body.span
    sides = [side for option in options(facts) for side in option.sides if side.span.contains(span)]
    sides = [side for side in sides if body.contains(side.span)]
    if sides:
        return max(sides, key=lambda side: side.span.end - side.span.start)
    for node in _branches(facts.kernel.function):
        for side in (node.then, node.other):
            if side is not None and side.span.contains(span):
                sides.append(Side(node.test.span, side.span, side is node.other, isinstance(node, If)))
    most = _NEARLY * (body.end - body.start)
    narrow = (side for side in sides if side.span.end - side.span.start <= most)
    return min(narrow, key=lambda side: side.span.end - side.span.start, default=None)


def clipped(source: Source, span: Span) -> str:
    """An expression on one line."""
    text = " ".join(source.text(span).split())
    return text if len(text) <= _CLIPPED else f"{text[: _CLIPPED - 3]}..."


def _branches(function: Function) -> Iterator[If | Conditional]:
    for node in nodes_of(function):
        if isinstance(node, Conditional) or (isinstance(node, If) and not node.is_constexpr):
            yield node


def _within(root: Root | None, member: str) -> Root | None:
    return None if root is None else (root[0], (*root[1], member))


def _leaves(node: Stmt | Expr) -> bool:
    """True for a side that does nothing but leave the function or a loop."""
    if isinstance(node, Block):
        return len(node.statements) == 1 and _leaves(node.statements[0])
    return isinstance(node, (Jump, Return))
