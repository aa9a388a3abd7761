"""Values of calls that compilers make before the program runs: `constexpr int tile(int n) { return n > 4 ? 8 : 4; }`.

A function is executed with known arguments, statement by statement; what needs memory, or more than `_MOST` statements,
has no value. A macro's body, `((n + 31) / 32)`, is evaluated. Whether a function is `constexpr` is the compiler's
question: only one that is stands where a constant is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import convert, evaluate
from regpress_lint.cpp.environment import Environment, const_initialiser
from regpress_lint.cpp.names.definitions import looseness_of
from regpress_lint.cpp.names.functions import specialised
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Constant,
    Declare,
    Evaluate,
    If,
    Jump,
    Loop,
    Name,
    Return,
    Update,
)
from regpress_lint.cpp.traversal import walk_outside_lambdas

if TYPE_CHECKING:
    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.preprocess.macros import Macro
    from regpress_lint.cpp.syntax_tree import Call, Expr, Function, Stmt, Variable

_MOST = 512  # statements of one call and of those that it makes
_DEEP = 16  # calls within each other
_ENDED = "ended"  # of a run that has met a `return`


def value_of_call(scope: Scope, call: Call, values: tuple[Number, ...]) -> Number | None:
    """The value of a call of a visible function or macro with these arguments; None for one that has none here."""
    if not isinstance(call.callee, Name):
        return None
    key = ("value of call", call.callee.name, call.template_args, values, tuple(map(looseness_of, call.args)))
    return scope.remember(key, lambda: _Run(scope, _MOST, 0).call(call, values))


class _Run:
    """An execution of one call, and of those that it makes."""

    __slots__ = ("depth", "held", "left", "result", "scope")

    def __init__(self, scope: Scope, left: int, depth: int) -> None:
        self.scope, self.left, self.depth = scope, left, depth
        self.held: dict[Variable, Number] = {}
        self.result: Number | None = None

    def call(self, call: Call, values: tuple[Number, ...]) -> Number | None:
        assert isinstance(call.callee, Name)
        if self.depth > _DEEP:
            return None
        if (macro := self.scope.function_macro(call.callee.name)) is not None:
            return self._macro(macro, call, values)
        definition = self.scope.find_function(call.callee.name, len(values))
        if definition is None or len(definition.parameters) != len(values):
            return None
        function, numbers = self._instance(definition, call)
        for parameter, value in zip(function.parameters, values, strict=True):
            held = convert(parameter.type, value)
            if held is None:
                return None
            self.held[parameter] = held
        environment = self._environment(numbers)
        if self._run(function.body, environment) != _ENDED or self.result is None:
            return None
        type_ = function.return_type
        return self.result if type_ is None or type_.name == "auto" else convert(type_, self.result)

    def _macro(self, macro: Macro, call: Call, values: tuple[Number, ...]) -> Number | None:
        self.left -= 1
        parameters = macro.params or ()
        if len(parameters) != len(values) or self.left < 0:
            return None
        environment = self._environment(dict(zip(parameters, values, strict=True)))
        looseness, outer = dict(zip(parameters, map(looseness_of, call.args), strict=True)), environment.loose
        environment.loose = lambda name: looseness[name] if name in looseness else outer(name)
        return evaluate(self.scope.expression_of_text(macro.body), environment)

    def _instance(self, function: Function, call: Call) -> tuple[Function, dict[str, Number]]:
        """The function for its template arguments, and what the numbers among them are."""
        arguments = dict(zip((parameter.name for parameter in function.template), call.template_args, strict=False))
        types = {parameter.name for parameter in function.template if parameter.is_type}
        numbers = {name: self.scope.value_of_text(text) for name, text in arguments.items() if name not in types}
        bound = {name: text for name, text in arguments.items() if name in types}
        settled = {name: number for name, number in numbers.items() if number is not None}
        return specialised(self.scope, function, bound), settled

    def _environment(self, numbers: dict[str, Number]) -> Environment:
        outer = self.scope.environment

        def names(name: str) -> Number | None:
            return numbers[name] if name in numbers else outer.names(name)

        def variable(variable: Variable) -> Expr | None:
            if variable in self.held:
                value = self.held[variable]
                return Constant(variable.span, value, variable.type.name)
            return const_initialiser(variable)

        def called(call: Call, values: tuple[Number, ...]) -> Number | None:
            if not isinstance(call.callee, Name):
                return None
            inner = _Run(self.scope, self.left, self.depth + 1)
            value = inner.call(call, values)
            self.left = inner.left
            return value

        return Environment(names, variable, outer.types, outer.loose, outer.alias, called)

    def _run(self, statement: Stmt, environment: Environment) -> object:
        """`_ENDED` behind a `return`, True where it goes on, the kind of a jump, None where it is not known."""
        self.left -= 1
        if self.left < 0:
            return None
        if isinstance(statement, Block):
            for inner in statement.statements:
                if (state := self._run(inner, environment)) is not True:
                    return state
            return True
        if isinstance(statement, Return):
            self.result = self._value(statement.value, environment) if statement.value is not None else None
            return _ENDED
        if isinstance(statement, If):
            return self._if(statement, environment)
        if isinstance(statement, Declare):
            return (
                all(self._set(variable, evaluate(variable.init, environment)) for variable in statement.variables)
                or None
            )
        if isinstance(statement, Evaluate):
            return self._value(statement.expression, environment) is not None or None
        if isinstance(statement, Jump):
            return statement.kind
        return self._loop(statement, environment) if isinstance(statement, Loop) else None

    def _if(self, statement: If, environment: Environment) -> object:
        test = self._value(statement.test, environment) if not statement.init else None
        if test is None:
            return None
        taken = statement.then if test else statement.other
        return True if taken is None else self._run(taken, environment)

    def _loop(self, loop: Loop, environment: Environment) -> object:
        if (
            loop.kind == "range"
            or loop.test is None
            or not all(self._run(statement, environment) is True for statement in loop.init)
        ):
            return None
        first = loop.kind == "do"
        while self.left > 0:
            test = 1 if first else self._value(loop.test, environment)
            first = False
            if not test:
                return None if test is None else True
            state = self._run(loop.body, environment)
            if state == "break":
                return True
            if state is not True and state != "continue":
                return state
            if loop.step is not None and self._value(loop.step, environment) is None:
                return None
        return None

    def _value(self, expr: Expr, environment: Environment) -> Number | None:
        """The value of an expression that may change local variables: `while ((n >>= 1) != 0)`."""
        if isinstance(expr, Binary) and expr.op not in ("&&", "||") and any(map(_changes, (expr.left, expr.right))):
            left, right = self._value(expr.left, environment), self._value(expr.right, environment)
            if left is None or right is None or expr.op == ",":
                return right if left is not None else None
            sides = [Constant(expr.span, side, "int" if isinstance(side, int) else "double") for side in (left, right)]
            return evaluate(Binary(expr.span, expr.op, *sides), environment)
        target = expr.target if isinstance(expr, Assign) else expr.operand if isinstance(expr, Update) else None
        if target is None:
            return evaluate(expr, environment)
        variable = target.variable if isinstance(target, Name) else None
        if variable is None or variable not in self.held:
            return None
        before = self.held[variable]
        if isinstance(expr, Update):
            value = evaluate(Binary(expr.span, expr.op[0], target, Constant(expr.span, 1, "int")), environment)
        else:
            assert isinstance(expr, Assign)
            value = self._value(expr.value, environment)
            if expr.op != "=" and value is not None:
                value = evaluate(
                    Binary(expr.span, expr.op.removesuffix("="), target, Constant(expr.span, value, "int")), environment
                )
        if not self._set(variable, value):
            return None
        return before if isinstance(expr, Update) and not expr.prefix else self.held[variable]

    def _set(self, variable: Variable, value: Number | None) -> bool:
        held = convert(variable.type, value) if variable.type.name != "auto" else value
        if held is None or variable.dims:
            return False
        self.held[variable] = held
        return True


def _changes(expr: Expr) -> bool:
    """Whether a variable is assigned in an expression."""
    return any(isinstance(node, (Assign, Update)) for node in walk_outside_lambdas(expr))
