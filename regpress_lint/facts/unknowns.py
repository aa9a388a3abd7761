"""The ledger of a kernel's unknowns: code that no analysis sees, macros, recursion, what the model lacks."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import WORD, pattern
from regpress_lint.core.uncertainty import Unknown
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Call,
    Index,
    InitList,
    Jump,
    LambdaExpr,
    Member,
    Name,
    Unary,
    Unknown as NotUnderstood,
)
from regpress_lint.cpp.traversal import nodes_of, walk
from regpress_lint.cpp.types import is_undeclared
from regpress_lint.cpp.typing_rules import expression_type
from regpress_lint.targets.costs import library_key
from regpress_lint.targets.library import PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.source import Source, Span
    from regpress_lint.cpp.syntax_tree import Expr, Function, Stmt, Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.file import File


# Code that no analysis of the source sees.


def has_assembly(facts: KernelFacts) -> bool:
    """True if the kernel or a device function that it reaches holds `asm`: its values are not seen."""
    return any(
        isinstance(node, NotUnderstood) and node.kind == "gnu_asm_expression"
        for function in facts.source.functions
        for node in nodes_of(function)
    )


# Code that a file's macros may hide from the reader of a function: names in their bodies, and whole statements.


_MACRO = pattern(r"(?m)^[ \t]*#[ \t]*define[ \t]+\w+(?:\(([^)]*)\))?((?:[^\n]*\\\r?\n)*[^\n]*)")
# An assignment, a call, or a way out.
_EFFECT = pattern(r"[^=!<>]=[^=]|\+\+|--|\w\s*\(|;|\b(?:return|goto|break|continue|asm)\b")


def macro_words(source: Source) -> frozenset[str]:
    """Words in the macros that a file defines, their parameters aside: a variable of that name may be used by one."""
    return _words(source.data)


@lru_cache(maxsize=8)
def _words(data: bytes) -> frozenset[str]:
    words: set[str] = set()
    for macro in _MACRO.finditer(data.decode("utf-8", "replace")) if b"define" in data else ():
        words.update(set(WORD.findall(macro[2])) - set(WORD.findall(macro[1] or "")))
    return frozenset(words)


def has_effect(file: File, name: Name) -> bool:
    """True for a macro without parameters that does something, and does not only stand for a value."""
    body = file.macro(name.name) if name.variable is None else None
    return body is not None and _EFFECT.search(body) is not None


# Device functions that call themselves, in one step or in several, and are no loops to the compiler.


class Recursion(NamedTuple):
    """A function that comes back to itself: by which call first, by which others, and through which functions."""

    function: Function
    call: Call
    others: tuple[Call, ...]
    through: tuple[str, ...]


def recursive(facts: KernelFacts) -> Iterator[Recursion]:
    """Functions that come back to themselves by a call that is not in tail position."""
    from regpress_lint.source.reached_calls import becomes_a_loop, may_mean

    edges: dict[Function, list[tuple[Call, Function]]] = {}
    for site in facts.calls:
        target = facts.callee_of(site.call)
        # A qualified name may be a member of another instance of a class template.
        if target is not None and not target.template and site.call.qualified == site.call.name:
            edges.setdefault(site.function, []).append((site.call, target))
    type_of = partial(expression_type, types=facts.file.type_of)
    reported: set[Function] = set()
    for function, calls in edges.items():
        for call, target in calls:
            cycle = _way_back(edges, target, function)
            if cycle is None or reported & set(cycle) or not may_mean(call, target, type_of):
                continue
            back = [candidate for candidate, callee in calls if callee is target]
            if any(candidate.template_args for candidate in back) or becomes_a_loop(function, back):
                continue
            reported.update(cycle)
            through = tuple(step.name for step in cycle if step is not function)
            yield Recursion(function, call, tuple(candidate for candidate in back if candidate is not call), through)
            break


def _way_back(
    edges: dict[Function, list[tuple[Call, Function]]], start: Function, end: Function
) -> tuple[Function, ...] | None:
    """Functions from `start` to `end`, both included."""
    pending: list[tuple[Function, ...]] = [(start,)]
    seen = {start}
    while pending:
        way = pending.pop(0)
        if way[-1] is end:
            return way
        for _, target in edges.get(way[-1], ()):
            if target not in seen:
                seen.add(target)
                pending.append((*way, target))
    return None


# The ledger of one kernel on one target: what the source leaves open, and what its execution could not model.


_INVOKED = pattern(r"\b([A-Za-z_]\w*+)\s*+\(")
_INCLUDE = pattern(r"#\s*include\s*[<\"]([^>\"]+)")
_SHARED = "which class `{0}` is of is not known: several namespaces of the file have a `{1}`, and one of them is taken"
_MACROS_DEEP = 4  # macros in bodies of macros that are looked through
_PRICED = ("__", "atomic", "make_", "min", "max", "get_", "tex", "surf")


def of_source(facts: KernelFacts) -> Iterator[Unknown]:
    """Unknowns before any execution: messages of the front end, lines that do not parse as C++, types."""
    yield from facts.kernel.unknowns
    yield from facts.file.unknowns
    yield from _unparsed(facts)
    yield from _types(facts)


def settled_by_text(facts: KernelFacts) -> bool:
    """True for a kernel of which the source alone says that an execution would note nothing: all its callees are known
    or have a known price, and it only writes names, elements and members.
    """
    if (
        facts.kernel.unknowns
        or facts.file.unknowns
        or any(variable.type.name != "auto" for variable in facts.source.untyped)
    ):
        return False
    if any(array.elements is None for array in facts.source.arrays) or any(_of_shared_names(facts)):
        return False
    handed = facts.kernel.function.parameters if facts.file.language != "sycl" else ()  # items and handles
    if any(is_undeclared(parameter.type) for parameter in handed):
        return False
    return not any(
        _is_open(facts, function, node)
        for function in facts.source.functions
        for node in nodes_of(function)
        if isinstance(node, _MAY_BE_OPEN)
    )


_MAY_BE_OPEN = (Call, Assign, Jump, NotUnderstood)


def _is_open(facts: KernelFacts, function: Function, node: Expr | Stmt, depth: int = 0) -> bool:
    """Whether an execution could note something where it comes by a node of a function, or of a macro `depth` deep."""
    if isinstance(node, Call):
        if _is_priced(node) or _is_conversion(facts, node):
            return False
        if (callee := facts.callee_of(node)) is not None:
            return depth > 0 and callee not in facts.source.functions  # nobody has looked into it
        return not _is_settled_macro(facts, function, node, depth)
    if isinstance(node, Assign):
        target = node.target
        return not isinstance(target, (Name, Index, Member)) and not (isinstance(target, Unary) and target.op == "*")
    if isinstance(node, Jump):
        return node.kind == "goto"
    return isinstance(node, NotUnderstood)


def _is_conversion(facts: KernelFacts, call: Call) -> bool:
    """True for `T(x)` with a type that the kernel's template gets."""
    parameters = facts.kernel.function.template
    return (
        isinstance(call.callee, Name)
        and len(call.args) == 1
        and any(parameter.name == call.name for parameter in parameters)
    )


def _is_settled_macro(facts: KernelFacts, function: Function, call: Call, depth: int) -> bool:
    """Whether a macro is known and its body has no unknowns, however often it is used."""
    if depth == _MACROS_DEEP or not isinstance(call.callee, Name) or not facts.file.is_macro(call.name):
        return False
    before = call.span.start if depth == 0 and function.path in ("", facts.file.path) else None
    expansion = facts.file.expansion(call.name, len(call.args), {}, (), before)
    return expansion is not None and not any(
        _is_open(facts, function, node, depth + 1) for node in walk(expansion.body) if isinstance(node, _MAY_BE_OPEN)
    )


def _is_priced(call: Call) -> bool:
    name = call.name
    return name.startswith(_PRICED) or name in PLAIN or library_key(name, None) is not None


def _unparsed(facts: KernelFacts) -> Iterator[Unknown]:
    """A word or an operator is a value of two registers at most: as many as it has bytes, with the blank behind it. Of
    a line, the whole counts: what is not understood in a declaration leaves what it declares unknown.
    """
    function = facts.kernel.function
    path = function.path or facts.file.path
    for span in function.unparsed:
        text = "this was not understood, and nothing of it is in the estimate"
        unread = facts.file.source.text(span) if path == facts.file.path else ""
        if (included := _INCLUDE.match(unread)) is not None:
            sentence = f"`{included[1]}` was not found, and nothing of it is in the estimate"
            text = f"{sentence}; -I or a build folder (-p) would tell"
            yield Unknown("macro", included[1], path, span, text, "up")
            continue
        most: int | None = span.end - span.start
        if path == facts.file.path:
            source = facts.file.source
            line = source.line_text(source.line_of(span.start)).strip()
            most = None if _has_macro(facts.file, span) else max(span.end - span.start, len(line))
        yield Unknown("limit", function.name, path, span, text, "up", most)


def _has_macro(file: File, span: Span) -> bool:
    """Whether a macro with arguments is used on the line of what was not understood: it may stand for any code."""
    line = file.source.line_text(file.source.line_of(span.start))
    return any(file.is_macro(match[1]) for match in _INVOKED.finditer(line))


def _types(facts: KernelFacts) -> Iterator[Unknown]:
    path = facts.kernel.function.path or facts.file.path
    for variable in facts.source.untyped:
        named = variable.type.shown
        if named == "auto":  # it has the form of its value; what gives that and is not visible has an entry of its own
            continue
        if _is_of_lambdas(facts.file, variable):
            continue
        why, remedy = f"`{named}` is not visible", "its header (-I) or a build folder (-p) would tell"
        if (member := _hidden_member(facts.file, variable.type.name)) is not None:
            why = f"the type of `{member}` in `{named}` is not visible"
        parameters = {parameter.name for parameter in facts.kernel.function.template}
        if (missing := next((word for word in WORD.findall(named) if word in parameters), None)) is not None:
            why, remedy = f"no instantiation says what `{missing}` is", "a visible one would tell"
        text = f"the type of `{variable.name}` is not known: {why}; {remedy}"
        yield Unknown("type", variable.name, path, variable.span, text, "both")
    for variable in _of_shared_names(facts):
        text = _SHARED.format(variable.name, variable.type.name)
        yield Unknown("limit", variable.name, path, variable.span, text, "both")


def _hidden_member(file: File, name: str) -> str | None:
    """The first data member of a visible class whose type is not visible."""
    for member in file.members_of(name):
        type_ = file.type_of(f"{name}::{member}")
        if type_ is None or type_.size is None:
            return member
    return None


def _is_of_lambdas(file: File, variable: Variable) -> bool:
    """Whether an object without a known type holds lambdas: `Guard guard([&] { ... });`."""
    init = variable.init
    args = init.args if isinstance(init, Call) else init.items if isinstance(init, InitList) else ()
    origins = (arg.variable.init if isinstance(arg, Name) and arg.variable is not None else arg for arg in args)
    lambdas = sum(isinstance(origin, LambdaExpr) for origin in origins)
    name = variable.type.name
    types = [file.type_of(f"{name}::{member}") for member in file.members_of(name)] if lambdas else []
    return bool(types) and sum(type_ is None or type_.size is None for type_ in types) <= lambdas


def _of_shared_names(facts: KernelFacts) -> Iterator[Variable]:
    """Variables of the kernel of a class whose name several namespaces have."""
    for variable in facts.source.variables:
        if variable.type.struct and not variable.type.pointers and facts.file.is_shared(variable.type.name):
            yield variable
