"""Constants and variables at file level: which of several definitions counts for a function, and its value."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from zlib import crc32

from regpress_lint.core.patterns import WORD, WORD_BYTES, pattern
from regpress_lint.cpp.conditions import arm_taken
from regpress_lint.cpp.constants import convert, evaluate
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.lower.file_variables import lower_file_variable
from regpress_lint.cpp.lower.lowering_context import NO_ANCHORS, Context, span_of
from regpress_lint.cpp.lower.statements import lower_block
from regpress_lint.cpp.names.definition_nodes import class_name, is_in_class, scopes_around, walk_kind
from regpress_lint.cpp.names.name_index import VALUE
from regpress_lint.cpp.names.templates import base_names, template_parameters
from regpress_lint.cpp.parse import ancestors, parse_plain
from regpress_lint.cpp.syntax_tree import Binary, Conditional
from regpress_lint.cpp.types import builtin_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.environment import Environment, Number
    from regpress_lint.cpp.names.definition_nodes import FunctionNode, Scopes
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.preprocess.macros import Macro
    from regpress_lint.cpp.syntax_tree import Expr, TemplateParameter, Variable


# Values of expressions that are known as texts: template arguments, macros' bodies.


_LONGEST = 400  # characters of an expression
PREFIX = b"auto x = ("  # what an expression's spans count from


def parsed_expression(scope: Scope, text: str) -> Expr | None:
    """Expression given as text, without position; None if it is not one."""
    if not text.strip() or len(text) > _LONGEST or text.count("(") != text.count(")"):
        return None
    data = PREFIX + text.encode("utf-8", "replace") + b");"
    tree = parse_plain(data)
    if tree.root_node.has_error or tree.root_node.child_count != 1:
        return None
    ctx = Context(data, scope.type_of, NO_ANCHORS, {}, scope.defined)
    ctx.lower_block = lower_block
    for node in tree.root_node.children[0].children_by_field_name("declarator"):
        value = node.child_by_field_name("value")
        return lower_expression(ctx, value) if value is not None else None
    return None


def bound_environment(scope: Scope, bound: Mapping[str, str]) -> Environment:
    """Evaluation with template parameters bound to argument texts."""

    def names(name: str) -> Number | None:
        return scope.value_of_text(bound[name]) if name in bound else scope.constant(name)

    return scope.environment_of(names)


def value_with(
    scope: Scope, text: str, bindings: Mapping[str, Number], hidden: frozenset[str] = frozenset()
) -> Number | None:
    """Value of a text with some names bound (parameters of one instantiation), others `hidden`: unknown."""

    def names(name: str) -> Number | None:
        return bindings[name] if name in bindings else None if name in hidden else scope.constant(name)

    return evaluate(scope.expression_of_text(text), scope.environment_of(names))


# Constants of one name in several scopes: which of them a function means, by the function's place.
#
# A name that several scopes of a file define (two namespaces, a class and the file, macros that are defined again) has
# a name of its own here for each scope. Lowered code uses that name, and every look-up by name finds one definition.


SCOPED_PREFIX = "__at_"  # of the owner that such a name has: no program may define it
_MOST_BASES = 8
# A word behind another one, or behind `*` and `&` in a list: it may be declared there.
_DECLARED = pattern(rb"(?:(?!return\b)\b[A-Za-z_]\w*+[\s*&>]++|>\s*+)([A-Za-z_]\w*+)(?=\s*+[=;,)\[({:])")
_USING = pattern(rb"\busing\s++((?:\w++\s*+::\s*+)++)(\w++)\s*+;")


def scoped_names(parsed: ParsedFile, node: Node, owner: str = "", names: Iterable[str] | None = None) -> dict[str, str]:
    """Meanings at a node of names that several scopes of a file define: the name of a single definition.

    owner: the class of a member that is defined outside of it. names: the requested names, all words of the node if
    None.
    """
    placed, redefined = parsed.placed_constants, parsed.redefined_macros
    if not placed and not redefined:
        return {}
    named: dict[str, Scopes] = {}
    if names is None:
        text = parsed.source.data[node.start_byte : node.end_byte]
        named = {name: scopes for _, name, scopes in _using(text)}
        names = dict.fromkeys(word.decode(errors="replace") for word in WORD_BYTES.findall(text))
    result: dict[str, str] = {}
    around: Scopes | None = None
    place = parsed.source.shown(span_of(node)).start
    for name in names:
        if name in placed:
            if around is None:
                around = scopes_around(node, parsed.text)
                around = (*around, owner) if owner and owner not in around else around
            scopes = _named(placed[name], named.get(name)) or _innermost(parsed, name, around)
            # What a class template defines depends on its arguments: the class that is executed says which.
            of_template = scopes and (record := parsed.records.get(scopes[-1])) and record.template is not None
            if scopes is not None and not of_template:
                result[name] = f"{_owner(parsed, scopes)}::{name}"
        elif name in redefined and (before := [at for at, _ in redefined[name] if at < place]):
            result[name] = f"{_owner(parsed, (str(before[-1]),))}::{name}"
    return result


def names_of_headers(scope: Scope, parsed: ParsedFile, node: Node, owner: str = "") -> dict[str, str]:
    """Meanings at a node of names that several files of a view define as constants of different scopes: the qualified
    name of the one that is meant.
    """
    if not (twice := scope.headers.valued_twice()):
        return {}
    text = parsed.source.data[node.start_byte : node.end_byte]
    words = twice & {word.decode(errors="replace") for word in WORD_BYTES.findall(text)}
    if words:
        words -= {word.decode(errors="replace") for word in _DECLARED.findall(text)} | parsed.placed_constants.keys()
    result: dict[str, str] = {}
    for word in words:
        owners: list[str] = []
        for file in scope.headers.saying(word, VALUE):
            qualified = [key.rpartition("::")[0] for key in file.constants if key.endswith(f"::{word}")]
            owners += [*qualified, *([""] if unowned(file, word) else [])]
        if len(set(owners)) > 1:
            around = scopes_around(node, parsed.text)
            inside = ("", *(used for scopes in parsed.used_namespaces for used in scopes[-1:]), *around, owner)
            meant = next((owner_name for owner_name in reversed(inside[1:]) if owner_name and owner_name in owners), "")
            if meant or "" in owners:
                result[word] = f"{meant}::{word}"
    return result


def unowned(parsed: ParsedFile, name: str) -> list[Node | int]:
    """Definitions of a constant outside of namespaces and classes."""
    if name in parsed.placed_constants:
        return parsed.placed_constants[name].get((), [])
    return [] if parsed.has_owner(name) else parsed.constants.get(name, [])


def redefined_names(parsed: ParsedFile, node: Node) -> dict[str, str]:
    """Meanings at a node of macros that a file defines several times as names: the last definition in front of it."""
    place = parsed.source.shown(span_of(node)).start
    meanings = {}
    for name, bodies in parsed.redefined_names.items():
        before = [body for at, body in bodies if at < place]
        if before:
            meanings[name] = before[-1]
    return meanings


def own_classes(parsed: ParsedFile, template: Node | None) -> dict[str, str]:
    """Classes that a function template defines for itself in terms of its parameters: `Tile` is `Tile<T, N>` there."""
    if template is None:
        return {}
    arguments = ", ".join(
        f"{parameter.name}..." if parameter.is_pack else parameter.name
        for parameter in template_parameters(parsed, template, 0)
    )
    return {
        name: f"{name}<{arguments}>"
        for name, record in parsed.local_records.items()
        if record.template is not None and span_of(record.template) == span_of(template)
    }


def entries_of(parsed: ParsedFile, name: str) -> list[Node | int] | None:
    """The definition that such a name stands for; None for any other name, and for one of another file."""
    owner, _, last = name.rpartition("::")
    for scopes, entries in parsed.placed_constants.get(last, {}).items():
        if _owner(parsed, scopes) == owner:
            return entries
    redefined = next(
        (value for at, value in parsed.redefined_macros.get(last, ()) if _owner(parsed, (str(at),)) == owner), None
    )
    return None if redefined is None else [redefined]


def _owner(parsed: ParsedFile, scopes: Scopes) -> str:
    return f"{SCOPED_PREFIX}{crc32(repr((parsed.source.path, scopes)).encode()):x}"


def _named(placed: dict[Scopes, list[Node | int]], using: Scopes | None) -> Scopes | None:
    """The scope that `using a::b::NAME;` in a function means, perhaps without those around it."""
    ending = [scopes for scopes in placed if using and scopes[-len(using) :] == using]
    return ending[0] if len(ending) == 1 else None


def _using(text: bytes) -> Iterator[tuple[int, str, Scopes]]:
    """The names that `using a::b::NAME;` brings: where, the name, and the scope that it is of."""
    for match in _USING.finditer(text) if b"using" in text else ():
        yield match.start(), match[2].decode(), tuple(match[1].decode().replace(" ", "").split("::")[:-1])


def _innermost(parsed: ParsedFile, name: str, around: Scopes) -> Scopes | None:
    """The scope that a name means inside of others, which may have it from a base class or by `using`."""
    placed = parsed.placed_constants[name]
    brought = {
        scopes_around(node, parsed.text): scopes
        for at, brings, scopes in _using(parsed.source.data)
        if brings == name and (node := _at_file_level(parsed, at)) is not None
    }
    for depth in range(len(around), -1, -1):
        scope = around[:depth]
        if scope in placed:
            return scope
        scopes = _named(placed, brought.get(scope)) or _of_base(parsed, placed, scope)
        if scopes is not None:
            return scopes
    named = [scopes for scopes in parsed.used_namespaces if scopes in placed]
    return named[0] if len(named) == 1 else None


def _at_file_level(parsed: ParsedFile, at: int) -> Node | None:
    """The node at an offset outside of functions."""
    node = parsed.parses[0].tree.root_node.descendant_for_byte_range(at, at)
    inside = node is None or any(outer.type == "compound_statement" for outer in ancestors(node))
    return None if inside else node


def _of_base(parsed: ParsedFile, placed: dict[Scopes, list[Node | int]], here: Scopes, depth: int = 0) -> Scopes | None:
    """The base class that a class has a name from."""
    record = parsed.records.get(here[-1]) if here and depth < _MOST_BASES else None
    for base in base_names(parsed, record.node) if record is not None else ():
        scopes = (*here[:-1], class_name(base))
        if scopes in placed:
            return scopes
        if (above := _of_base(parsed, placed, scopes, depth + 1)) is not None:
            return above
    return None


# Which of several definitions of one name counts: those in `#if` branches that are not compiled do not.


def macro_constant(scope: Scope, name: str) -> Number | None:
    """Value of an object-like macro; None if it is not a number or if definitions that may count disagree."""
    values: list[tuple[Macro, Number]] = []
    others: list[Macro] = []
    for macro in scope.parsed.macros.all(name):
        value = scope.value_of_text(macro.body) if macro.params is None and macro.body else None
        if value is not None:
            values.append((macro, value))
        elif macro.body:
            others.append(macro)
    if values and others and _stands_for_another(scope, values, others):
        return None
    distinct = {value for _, value in values}
    if len(distinct) > 1:  # what the source defines under no condition takes the place of what the build gives
        distinct = {value for macro, value in values if macro.arm is None and _is_in_source(scope, macro)} or distinct
    if len(distinct) > 1:
        distinct = {value for macro, value in values if _macro_taken(scope, macro, as_defined=True) is not False}
    if not distinct:  # `#ifndef NAME` around every one of them
        distinct = {value for macro, value in values if _macro_taken(scope, macro, as_defined=False) is not False}
    return next(iter(distinct)) if len(distinct) == 1 else None


def _is_in_source(scope: Scope, macro: Macro) -> bool:
    return macro.path == scope.parsed.source.path or macro.path in scope.project.closure(scope.parsed)


def _stands_for_another(scope: Scope, values: list[tuple[Macro, Number]], others: list[Macro]) -> bool:
    """True if a definition that is no number is compiled for certain, and none of the numbers is:
    `#define TID (blockDim.x * blockIdx.x + threadIdx.x)` beside the `#define TID 0` for an editor's parser.
    """
    if any(_macro_taken(scope, macro, as_defined=True) for macro, _ in values):
        return False
    return any(_macro_taken(scope, macro, as_defined=True) for macro in others)


def _macro_taken(scope: Scope, macro: Macro, *, as_defined: bool) -> bool | None:
    """Is the branch of a `#define` compiled, with the macro itself already defined (`as_defined`) or not?"""
    parsed: ParsedFile | None = scope.parsed
    if macro.path != scope.parsed.source.path:
        parsed = scope.project.parsed(macro.path) if macro.path in scope.project.closure(scope.parsed) else None
    if parsed is None:
        return True  # given by a build file
    node = parsed.parses[0].tree.root_node.descendant_for_byte_range(macro.offset, macro.offset)
    if node is None:
        return None

    def defined(name: str, position: int) -> str | None:
        if name != macro.name or as_defined:
            return scope.defined_before(name, position, macro.path)
        earlier = (definition for definition in scope.parsed.macros.all(name) if definition.path == macro.path)
        return next((definition.body for definition in earlier if definition.offset < position), None)

    return arm_taken(node, -1, parsed.text, defined)


def looseness(scope: Scope, name: str) -> int:
    """0: the macro's body is one unit; 1: a product; 2: a quotient or remainder; 3: a sum or weaker (`16 + 2`).

    Of `N * 2` with `#define N 16 + 2` the compiler multiplies only the last part.
    """
    macro = scope.function_macro(name)
    body = scope.macro(name) if macro is None else macro.body
    expr = scope.expression_of_text(body) if body is not None else None
    if body is None or expr is None:
        return 0
    written = len(body.encode("utf-8", "replace").strip())
    first = len(PREFIX) + len(body) - len(body.lstrip())
    if expr.span.start > first or expr.span.end - expr.span.start < written:
        return 0  # in parentheses
    return looseness_of(expr)


def looseness_of(expr: Expr) -> int:
    """The same of an expression without parentheses around it."""
    if not isinstance(expr, (Binary, Conditional)):
        return 0
    if isinstance(expr, Conditional) or expr.op not in ("*", "/", "%"):
        return 3
    inner: Expr = expr
    while isinstance(inner, Binary) and inner.op == "*":
        inner = inner.left
    return 2 if isinstance(inner, Binary) and inner.op in ("/", "%") else 1


def compiled_alias(scope: Scope, parsed: ParsedFile, name: str) -> Node | None:
    """The type that a `typedef` or `using` of a file names: the first of several whose `#if` is not known to be
    skipped.

    Where the build alone says whether it is float or double, it counts as double: who takes it for the narrower one
    speaks of conversions that are not there.
    """
    nodes = _possible(scope, parsed, parsed.all_aliases.get(name, []))
    if len(nodes) > 1:
        nodes = [node for node in nodes if not is_in_class(node)] or nodes
    return next(
        (node for node in nodes if len(nodes) > 1 and parsed.text(node) == "double"), nodes[0] if nodes else None
    )


def shaped_alias(scope: Scope, parsed: ParsedFile, name: str) -> Node | None:
    """The declarator of a `typedef` that names an array or a pointer, as `compiled_alias`."""
    nodes = _possible(scope, parsed, parsed.shaped_aliases.get(name, []))
    return nodes[0] if nodes else None


def _possible(scope: Scope, parsed: ParsedFile, nodes: list[Node]) -> list[Node]:
    """Definitions whose `#if` is not known to be skipped; all of them where the build has to say which."""
    return nodes if len(nodes) < 2 else [node for node in nodes if _may_be_taken(scope, parsed, node)] or nodes


def _may_be_taken(scope: Scope, parsed: ParsedFile, node: Node) -> bool:
    """Whether the `#if` around a definition is not known to be skipped."""

    def defined(macro: str, position: int) -> str | None:
        return scope.defined_before(macro, position, parsed.source.path)

    return arm_taken(node, -1, parsed.text, defined) is not False


def declared_constant(scope: Scope, parsed: ParsedFile, entries: list[Node | int]) -> Number | None:
    """Value of a constant with one or more definitions in `parsed`."""
    values = {_entry_value(scope, parsed, entry) for entry in entries}
    if len(values) > 1:
        taken = [entry for entry in entries if isinstance(entry, int) or _may_be_taken(scope, parsed, entry)]
        values = {_entry_value(scope, parsed, entry) for entry in taken}
    return next(iter(values)) if len(values) == 1 else None


def _entry_value(scope: Scope, parsed: ParsedFile, entry: Node | int) -> Number | None:
    if isinstance(entry, int):
        return entry
    bound = scoped_names(parsed, entry)
    ctx = scope.context_for_text(parsed, 0, bound)
    if entry.text is not None and b"sizeof" in entry.text:  # of a table
        for variable in file_variables(scope, parsed).values():
            ctx.declare(variable)
    value = evaluate(lower_expression(ctx, entry), scope.environment)
    owner = entry.parent
    if owner is not None and owner.type == "init_declarator":
        owner = owner.parent
    type_node = owner.child_by_field_name("type") if owner is not None else None
    scalar = builtin_type(parsed.text(type_node)) if type_node is not None else None
    return convert(scalar, value) if scalar is not None and not scalar.struct and scalar.lanes == 1 else value


# Variables at file level that a kernel may name: `__constant__`, `__device__`, `__managed__`, `work_group_static`.


_WORDS = (b"__constant__", b"__device__", b"__managed__", b"work_group_static", b"constexpr")


def file_variables(scope: Scope, parsed: ParsedFile) -> Mapping[str, Variable]:
    """Variables in device memory by name that a file of a view sees: its own, the view's, those of project headers.

    A constant with a value (`__device__ const int N = 4`) stays a mere name: it is looked up by that. So does a name
    whose definitions (branches of an `#if`) differ in type.
    """
    return scope.remember(("file variables", parsed.source.path), partial(_variables, scope, parsed))


def _variables(scope: Scope, parsed: ParsedFile) -> Mapping[str, Variable]:
    # What the file itself sees comes first, so that its kernels and a header's functions name the same object.
    result = {} if parsed.source.path == scope.parsed.source.path else dict(file_variables(scope, scope.parsed))
    for owner in _files(scope, parsed):
        result = {**_of_file(owner, scope.context_for_text(owner, 0)), **result}
    return result


def _files(scope: Scope, parsed: ParsedFile) -> Iterator[ParsedFile]:
    yield parsed
    for header, names in scope.headers.device_names():
        if header != parsed.source.path and not parsed.words.isdisjoint(names):
            included = scope.project.parsed(header)
            if included is not None:
                yield included


def _of_file(parsed: ParsedFile, ctx: Context) -> dict[str, Variable]:
    if not any(word in parsed.source.data for word in _WORDS):
        return {}
    defined: dict[str, list[Variable]] = {}
    declared: dict[str, list[Variable]] = {}
    for node, template in walk_kind(parsed.parses[0].tree.root_node, ("declaration",)):
        if template is not None:
            continue
        extern = any(child.type == "storage_class_specifier" and ctx.text(child) == "extern" for child in node.children)
        for variable in lower_file_variable(ctx, node):
            (declared if extern else defined).setdefault(variable.name, []).append(variable)
    defined = {**declared, **defined}
    for twin in (twin for several in defined.values() if len(several) > 1 for twin in several):
        twin.init = None  # which of them is compiled is not known
    return {
        name: several[0]
        for name, several in defined.items()
        if name not in parsed.constants and len({(variable.type, len(variable.dims)) for variable in several}) == 1
    }


def visible_in(
    variables: Mapping[str, Variable],
    parsed: ParsedFile,
    function: FunctionNode,
    template: tuple[TemplateParameter, ...],
) -> Mapping[str, Variable]:
    """Those that neither a template parameter nor a member of the class around a function hides."""
    if not variables:
        return variables
    hidden = {parameter.name for parameter in template}
    if (record := parsed.records.get(function.record)) is not None:
        for field, _ in walk_kind(record.node, ("field_declaration",)):
            for declarator in field.children_by_field_name("declarator"):
                hidden.update(WORD.findall(parsed.text(declarator)))
    return {name: variable for name, variable in variables.items() if name not in hidden} if hidden else variables
