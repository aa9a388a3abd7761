"""The ledger of one kernel on one target: what the source leaves open, and what its execution could not model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.uncertainty import Unknown
from regpress_lint.cpp.syntax_tree import Assign, Call, Index, Jump, Member, Name, Unary
from regpress_lint.cpp.syntax_tree import Unknown as NotUnderstood
from regpress_lint.cpp.traversal import nodes_of, walk
from regpress_lint.targets.costs import library_key
from regpress_lint.targets.library import PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Expr, Function, Stmt
    from regpress_lint.facts.kernel import KernelFacts

_INCLUDE = pattern(r"#\s*include\s*[<\"]([^>\"]+)")
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
    if facts.kernel.unknowns or facts.file.unknowns or any(each.type.name != "auto" for each in facts.untyped):
        return False
    if any(array.elements is None for array in facts.described_arrays):
        return False
    return not any(_is_open(facts, function, node) for function in facts.functions for node in nodes_of(function))


def _is_open(facts: KernelFacts, function: Function, node: Expr | Stmt, depth: int = 0) -> bool:
    """Whether an execution could note something where it comes by a node of a function, or of a macro `depth` deep."""
    if isinstance(node, Call):
        if _is_priced(node) or _is_conversion(facts, node):
            return False
        callee = facts.callee_of(node)
        if callee is not None:
            return depth > 0 and callee not in facts.functions  # nobody has looked into it
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
    return isinstance(call.callee, Name) and len(call.args) == 1 and any(each.name == call.name for each in parameters)


def _is_settled_macro(facts: KernelFacts, function: Function, call: Call, depth: int) -> bool:
    """Whether a macro is known and its body has no unknowns, however often it is used."""
    if depth == _MACROS_DEEP or not isinstance(call.callee, Name) or not facts.file.is_macro(call.name):
        return False
    before = call.span.start if depth == 0 and function.path in ("", facts.file.path) else None
    found = facts.file.expansion(call.name, len(call.args), {}, (), before)
    return found is not None and not any(_is_open(facts, function, node, depth + 1) for node in walk(found.body))


def _is_priced(call: Call) -> bool:
    name = call.name
    return name.startswith(_PRICED) or name in PLAIN or library_key(name, None) is not None


def _unparsed(facts: KernelFacts) -> Iterator[Unknown]:
    """A word or an operator is a value of two registers at most: as many as it has bytes, with the blank behind it."""
    function = facts.kernel.function
    path = function.path or facts.file.path
    for span in function.unparsed:
        text = "this was not understood, and nothing of it is in the estimate"
        own = facts.file.source.text(span) if path == facts.file.path else ""
        if (included := _INCLUDE.match(own)) is not None:
            what = f"`{included[1]}` was not found, and nothing of it is in the estimate"
            text = f"{what}; -I or a build folder (-p) would tell"
            yield Unknown("macro", included[1], path, span, text, "up")
            continue
        yield Unknown("limit", function.name, path, span, text, "up", span.end - span.start)


def _types(facts: KernelFacts) -> Iterator[Unknown]:
    path = facts.kernel.function.path or facts.file.path
    for variable in facts.untyped:
        named = variable.type.name
        if named == "auto":  # it has the form of its value; what gives that and is not in view has an entry of its own
            continue
        why, told = f"`{named}` is not in view", "its header (-I) or a build folder (-p) would tell"
        if any(each.name == named for each in facts.kernel.function.template):
            why, told = f"no instantiation says what `{named}` is", "one in view would tell"
        text = f"the type of `{variable.name}` is not known: {why}; {told}"
        yield Unknown("type", variable.name, path, variable.span, text, "both")
