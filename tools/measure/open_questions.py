"""Questions of an analysis about types and constants, and reasons for missing answers.

A question is one place of a source: the size of a declared variable's type, the bytes of a private array or of a static
LDS array, the trip count of a loop, the block size of a launch. It is answered by the facts that the rules see, those
of the instantiations if several are visible. A place that several facts see is one question; it is open
if one of them has no answer.

Why a question is open is read off the names that decide it, as the syntax shows them:

run time    a parameter, a variable that changes, what is read from memory, a built-in such as `threadIdx`: no compiler
            knows it either. A loop without a counter and one that an outer loop's counter bounds are among these.
template    a template parameter, or something of one, that no visible instantiation settles
constant    all else: names, calls and types that a compiler which reads the headers knows
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from regpress_lint.core.reading import read_header
from regpress_lint.cpp.constants import array_elements, evaluate
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Call,
    Constant,
    Declare,
    Evaluate,
    Expr,
    Index,
    LambdaExpr,
    Member,
    Name,
    SizeOf,
    Unknown,
    Update,
    Variable,
)
from regpress_lint.cpp.traversal import children, names_in
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.source.loop_facts import bound_of, counter_of
from regpress_lint.source.walk import forget_flows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.environment import Environment
    from regpress_lint.cpp.syntax_tree import Function
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.file import File
    from regpress_lint.program.model import Launch
    from regpress_lint.source.loop_facts import LoopFacts

Kind = Literal["type", "auto", "array", "lds", "loop", "block", "accessors"]
Why = Literal["", "run time", "template", "constant"]
KINDS: tuple[Kind, ...] = ("array", "lds", "accessors", "loop", "type", "auto", "block")
REASONS: tuple[Why, ...] = ("run time", "template", "constant")

_WORD = re.compile(r"[A-Za-z_]\w*")
_AUTO = re.compile(rb"(?:\s|const\b|constexpr\b|static\b|volatile\b)*auto\b")
_CALL_OR_NAME = re.compile(r"([A-Za-z_]\w*)\s*(\(\)?)?")
_READS_INPUT = frozenset(("atoi", "atol", "stoi", "strtol", "getenv", "get_info"))
_BUILT_IN = re.compile(r"(?:hip)?(?:threadIdx|blockIdx|blockDim|gridDim)(?:_[xyz])?$")
_DEEPEST = 12
_CPP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "auto bool char class const constexpr double false float int long return short signed sizeof size_t static std "
        "sycl template this true typename uint32_t unsigned using void dim3 range nd_range id cl max min cast",
    )
)
# A variable of the host, or of the device, in front of its name: `int n =`, `size_t a, n;`, `const int n)`.
_VARIABLE = (
    rb"(?<![\w<])(?!return\b|using\b|define\b|typename\b|class\b|else\b)(?:[A-Za-z_][\w:]*(?:<[^;<>{}]*>)?)"
    rb"(?:\s+|\s*[&*]+\s*)(?:\w+(?:\s*=[^;,(){}]*)?\s*,\s*[&*]?\s*)*NAME\s*(?:[=;,)\[]|[({][^;]*;)"
)


class Question(NamedTuple):
    """One place with a question. `about` names the reason why it is open; `kernel` saw it first."""

    kind: Kind
    path: str
    start: int
    kernel: str
    why: Why = ""
    about: str = ""


Places = dict[tuple[Kind, str, int], Question]


def questions(file: File, settings: Settings) -> list[Question]:
    """All questions about the kernels and launches of a file, each place once."""
    places: Places = {}
    for launch in file.launches:
        _add(places, _block_question(file, launch))
    for kernel in file.kernels:
        facts = kernel_facts(file, kernel, settings)
        for seen in facts.instances.values() or (facts,):
            for question in _of_kernel(seen, bound=seen is not facts):
                _add(places, question)
        facts.forget()
    forget_flows()
    return list(places.values())


def _add(places: Places, question: Question) -> None:
    key = (question.kind, question.path, question.start)
    known = places.get(key)
    if known is None or REASONS_ORDER[question.why] > REASONS_ORDER[known.why]:
        places[key] = question


# Of several that see a place the one counts that a compiler could most likely answer.
REASONS_ORDER: dict[Why, int] = {"": 0, "run time": 1, "template": 2, "constant": 3}


def _of_kernel(facts: KernelFacts, *, bound: bool) -> Iterator[Question]:
    kernel = facts.kernel
    if kernel.local_accessors_bytes is None:
        yield Question("accessors", kernel.path, kernel.name_span.start, kernel.name, "run time", "local_accessor")
    elif kernel.local_accessors_bytes:
        yield Question("accessors", kernel.path, kernel.name_span.start, kernel.name)
    for function in facts.source.functions:
        reader = Reader(facts, function, bound=bound)
        for variable in facts.flow_of(function).declared:
            if variable.storage != "parameter" and not isinstance(variable.init, LambdaExpr):
                yield from reader.declared(variable)
        for loop in facts.loops_of(function):
            why, about = reader.loop(loop)
            yield Question("loop", function.path, loop.loop.span.start, kernel.name, why, about)


class Reader:
    """Reads in one function of a kernel's facts why something is not known. bound: they are an instantiation's."""

    def __init__(self, facts: KernelFacts, function: Function, *, bound: bool) -> None:
        self.facts, self.function = facts, function
        self.environment: Environment = facts.source.environment
        self.settled = bound or bool(facts.kernel.instances)
        self.parameters = {one.name for one in (*function.template, *facts.kernel.function.template) if one.name}

    def declared(self, variable: Variable) -> Iterator[Question]:
        """The questions about one declared variable."""
        path, kernel = self.function.path, self.facts.kernel.name
        if not variable.type.pointers:
            kind: Kind = "auto" if self._is_auto(variable) else "type"
            why, about = self.of_type(variable)
            yield Question(kind, path, variable.span.start, kernel, why, about)
        if variable.dims and not variable.unsized_shared and variable.storage in ("local", "shared"):
            kind = "lds" if variable.storage == "shared" else "array"
            yield Question(kind, path, variable.span.start, kernel, *self.array(variable))

    def _is_auto(self, variable: Variable) -> bool:
        source = self.facts.file.source
        data = source.data if self.function.path == source.path else text_of(self.function.path)
        return _AUTO.match(data, variable.declaration.start) is not None

    def of_type(self, variable: Variable) -> tuple[Why, str]:
        """Why a variable's width is not known."""
        type_ = variable.type
        if type_.size is not None:
            return "", ""
        dependent = self.parameters.intersection(_WORD.findall(type_.name))
        if type_.name == "auto" and self.function.template and not self.settled:
            return "template", "auto"
        return ("template" if dependent else "constant"), type_.name

    def array(self, variable: Variable) -> tuple[Why, str]:
        """Why the bytes of an array are not known."""
        if array_elements(variable, self.environment) is None:
            if None in variable.dims:
                return "constant", "[]"
            return self._worst(variable.dims)
        return self.of_type(variable) if not variable.type.pointers else ("", "")

    def loop(self, loop: LoopFacts) -> tuple[Why, str]:
        """Why a loop's trip count is not known."""
        if loop.trip_count is not None:
            return "", ""
        if loop.loop.kind == "range":
            return "constant", "range for"
        counter = counter_of(loop.loop)
        bound = bound_of(loop.loop.test, counter) if counter is not None else None
        if counter is None or bound is None:
            return "run time", "no counter"
        starts: list[Expr | None] = []
        for statement in loop.loop.init:
            if isinstance(statement, Declare):
                starts += [variable.init for variable in statement.variables if variable is counter]
            elif isinstance(statement, Evaluate):
                starts += _about(statement.expression, counter)
        steps = _about(loop.loop.step, counter) if loop.loop.step is not None else []
        why, about = self._worst((*starts, bound[1], *steps), frozenset((counter,)))
        return (why, about) if why else ("run time", "changed in the body")

    def _worst(self, expressions: Iterable[Expr | None], given: frozenset[Variable] = frozenset()) -> tuple[Why, str]:
        """What keeps several expressions open: one run-time value in any of them is enough to stay open."""
        found = [leaf for one in expressions if one is not None for leaf in self.leaves(one, given)]
        why: Why = min((leaf[0] for leaf in found), key=REASONS_ORDER.__getitem__, default="")
        return why, " ".join(sorted({about for each, about in found if each == why}))

    def leaves(self, expr: Expr, given: frozenset[Variable], depth: int = 0) -> Iterator[tuple[Why, str]]:
        """What in an expression has no value, and why; `given` are the variables that do not count."""
        if isinstance(expr, Constant) or (isinstance(expr, Name) and expr.variable in given):
            return
        if isinstance(expr, (Assign, Update)):
            for child in children(expr):
                if not isinstance(child, Name) or child.variable not in given:
                    yield from self.leaves(child, given, depth + 1)  # type: ignore[arg-type]
            return
        if evaluate(expr, self.environment) is not None or depth > _DEEPEST:
            return
        if isinstance(expr, Name):
            yield from self._of_name(expr, given, depth)
        elif isinstance(expr, SizeOf):
            operand = expr.operand
            name = expr.type.name if expr.type is not None else operand.name if isinstance(operand, Name) else "..."
            yield ("template" if self.parameters.intersection(_WORD.findall(name)) else "constant"), f"sizeof({name})"
        elif isinstance(expr, (Index, Member)):
            yield "run time", "memory"
        elif isinstance(expr, Call):
            yield from self._of_call(expr, given, depth)
        else:
            if isinstance(expr, (LambdaExpr, Unknown)):
                yield "constant", f"<{expr.__class__.__name__}>"
            for child in children(expr):
                yield from self.leaves(child, given, depth + 1)  # type: ignore[arg-type]

    def _of_name(self, expr: Name, given: frozenset[Variable], depth: int) -> Iterator[tuple[Why, str]]:
        if expr.variable is not None:
            init = self.environment.variable(expr.variable)
            if init is None:
                yield "run time", expr.name
            else:
                yield from self.leaves(init, given, depth + 1)
        elif _BUILT_IN.match(expr.name):
            yield "run time", expr.name
        elif self.parameters.intersection(_WORD.findall(expr.name)):
            yield "template", expr.name
        elif is_host_variable(self.facts.file.source.data, expr.name):
            yield "run time", expr.name
        else:
            yield "constant", expr.name

    def _of_call(self, expr: Call, given: frozenset[Variable], depth: int) -> Iterator[tuple[Why, str]]:
        below = [leaf for argument in expr.args for leaf in self.leaves(argument, given, depth + 1)]
        if isinstance(expr.callee, Member):
            below += self.leaves(expr.callee.base, given, depth + 1)
        elif expr.callee.__class__ is not Name:
            below.append(("constant", f"{expr.qualified}()"))
        yield from below
        if not below:
            texts = {word for text in expr.template_args for word in _WORD.findall(text)}
            yield ("template" if self.parameters & texts else "constant"), f"{expr.qualified}()"


@cache
def text_of(path: str) -> bytes:
    """Content of a header; nothing of one that is gone."""
    return read_header(path) or b""


def _about(expr: Expr, counter: Variable) -> list[Expr]:
    """The parts of `i = 0, n = 4` that set the counter."""
    if isinstance(expr, Binary) and expr.op == ",":
        return [*_about(expr.left, counter), *_about(expr.right, counter)]
    return [expr] if any(name.variable is counter for name in names_in(expr)) else []


def is_host_variable(data: bytes, name: str) -> bool:
    """True for a name that the file declares as a variable which may change: a SYCL lambda captures such, and a device
    global is one.
    """
    if not _WORD.fullmatch(name):
        return False
    match = re.search(_VARIABLE.replace(b"NAME", name.encode()), data)
    if match is None:
        return False
    line = data[data.rfind(b"\n", 0, match.start()) + 1 : match.end()]
    return not re.search(rb"\b(?:constexpr|#\s*define|enum)\b|\bstatic const\b", line)


# ---------------------------------------------------------------------------------------------------- block sizes


def _block_question(file: File, launch: Launch) -> Question:
    why: Why = ""
    about = ""
    if launch.block_size is None:
        why, about = block_reason(file.source.data, launch)
    return Question("block", launch.path, launch.span.start, launch.kernel_name, why, about)


def block_reason(data: bytes, launch: Launch) -> tuple[Why, str]:
    """Why a block size is not known, by the names of its text and of what these were last set to in front of it."""
    text = launch.block_text
    if not text:
        return "run time", "no text"
    inner = re.search(r"nd_range\s*(?:<\d>)?\s*[({](.*)", text)
    if inner is not None:  # the global range comes first and is never a constant
        text = inner[1].rpartition(",")[2] if "range" not in inner[1] else inner[1].partition("range")[2]
    leaves = list(_text_leaves(data[: launch.span.start], text, 0, set()))
    why: Why = min((leaf[0] for leaf in leaves), key=REASONS_ORDER.__getitem__, default="constant")
    return why, " ".join(sorted({about for each, about in leaves if each == why})) or text.strip(" )}")


def _text_leaves(before: bytes, text: str, depth: int, seen: set[str]) -> Iterator[tuple[Why, str]]:
    for match in _CALL_OR_NAME.finditer(text):
        name = match[1]
        if name in seen or name in _CPP_WORDS:
            continue
        seen.add(name)
        if match[2]:  # of a call the arguments decide, and they are names of the same text
            if match[2] == "()" or name in _READS_INPUT:
                yield ("run time" if name in _READS_INPUT else "constant"), f"{name}()"
            continue
        whole, axes = _last_values(before, name)
        if len(whole) > 1 or depth > 4:
            yield "run time", name
        elif whole or axes:
            for value in (*whole, *axes):
                yield from _text_leaves(before, value, depth + 1, seen)
        elif re.search(rb"template\s*<[^;{}()]*\b" + name.encode() + rb"\b", before[-4000:]):
            yield "template", name
        elif is_host_variable(before, name):
            yield "run time", name
        else:
            yield "constant", name


def _last_values(before: bytes, name: str) -> tuple[list[str], list[str]]:
    """Texts that a name and its components were set to since the last function began (a `}` at the start of a line).

    A constant of the file counts where the function has nothing of that name.
    """
    scope = before[before.rfind(b"\n}") + 1 :]
    word = rb"\b" + name.encode()
    whole = _texts(word + rb"\s*(?:=(?!=)\s*([^;]*);|[({]([^;]*)[)}]\s*[;,])", scope)
    axes = _texts(word + rb"\s*(?:\[\d\]|\.[xyz])\s*=(?!=)\s*([^;]*)(;)", scope)
    if not whole and not axes:
        whole = _texts(rb"(?:const|constexpr)\b[^;(){}]*" + word + rb"\s*=\s*([^;]*)(;)", before)[-1:]
    return whole, axes


def _texts(pattern: bytes, text: bytes) -> list[str]:
    return [(match[1] or match[2]).decode("utf-8", "replace") for match in re.finditer(pattern, text)]
