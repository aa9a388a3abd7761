"""Definitions of macros in our own tree, for analyses that look through a macro's invocation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Source, Span
from regpress_lint.cpp.lexical import closing, split_arguments
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.lower.lowering_context import NO_ANCHORS, Context
from regpress_lint.cpp.lower.statements import lower_block
from regpress_lint.cpp.mask.masking import Level
from regpress_lint.cpp.names.definitions import SCOPED_PREFIX
from regpress_lint.cpp.names.function_trees import bound_types
from regpress_lint.cpp.names.parsed_file import ParsedFile
from regpress_lint.cpp.parse import parse_level, parse_plain
from regpress_lint.cpp.preprocess.macros import MAX_EXPANSION, expand
from regpress_lint.cpp.syntax_tree import (
    AssemblyOperand,
    Block,
    Call,
    Case,
    Declare,
    Evaluate,
    Expr,
    If,
    LambdaExpr,
    Loop,
    Name,
    Stmt,
    Type,
    Unknown,
    Unroll,
    Variable,
)
from regpress_lint.cpp.traversal import is_node, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.names.scope import Branches, Scope
    from regpress_lint.cpp.preprocess.macros import Macro, MacroTable


_MOST_COPIED = 100_000  # nodes of arguments and bodies that arguments are put into, in one file
MAX_BODY = 4000  # longer macros are generated tables
_LITERAL_OR_WORD = pattern(r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\d[\w.]*+|[^\W\d]\w*+")
_STATEMENT = pattern(r"\{|(?:do|if|for|while|switch|return|break|continue|goto|asm|static_assert)\b", re.ASCII)
_CHECK = pattern(
    r"(?:static_assert|_Static_assert)\s*(?:\(.*\)\s*;?\s*)?|using\s+(?:namespace\s+)?[\w:]+\s*;?\s*",
    re.ASCII | re.DOTALL,
)
_NOTHING = "static_assert(true)"
_OTHERS = "variadic_"  # the begin of the names of what `...` stands for
_TYPEOF = pattern(r"\b_*typeof_*\s*+(?=\()", re.ASCII)
_ALONE = pattern(r"\(\s*([^\W\d]\w*)\s*\)")
# A parameter that is a member's name, or among template arguments: an argument's value cannot take its place.
_NO_VALUE = r"(?:\.(?!\.)|->|::)\s*(?:{0})\b|\b\w+\s*<[^<>;()&|]*\b(?:{0})\b[^<>;()&|]*>\s*[({{]"
_OPERATORS = "+-*/%&|^~!<>=?:,([{;"
_HEADS = frozenset(("for_statement", "for_range_loop", "while_statement", "if_statement", "else_clause"))
_NOWHERE = Span(0, 0)

# A macro's name, how many arguments it gets, the place that it is used before, words of arguments.
Question: TypeAlias = "tuple[str, int | None, int | None, tuple[str | None, ...]]"


class Expansion(NamedTuple):
    """A macro's definition in our own tree: its parameters, and what an invocation stands for.

    Spans are offsets in the definition's text, not in a file. Names in `body` that are parameters have one of
    `parameters` as their `variable`; a macro inside the body stays a `Name` or `Call`. `declares` are the names that
    the body declares, which an argument can mean; `hands_on`: the body gives parameters to another macro.
    """

    parameters: tuple[Variable, ...]
    body: Expr | Block
    declares: frozenset[str] = frozenset()
    hands_on: bool = False


class Visible(NamedTuple):
    """Meanings of the words of a macro's body where it is used: variables, texts as of `Function.meanings`, macros."""

    names: Mapping[str, Variable]
    bound: Mapping[str, str]
    macros: MacroTable

    def known(self) -> dict[str, str]:
        """The texts that are known; the others are parameters of templates that are open."""
        return {name: text for name, text in self.bound.items() if text}

    def declare_in(self, ctx: Context) -> None:
        """Make them visible to the lowered text."""
        ctx.parameters = frozenset(name for name, text in self.bound.items() if not text)
        for variable in self.names.values():
            ctx.declare(variable)


class Expansions:
    """Macro expansions of one file; equal questions get the same object."""

    __slots__ = ("_around", "_found", "_left", "_macros", "_put_in", "_redefined", "_scope")

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._macros: dict[Question, tuple[Macro, tuple[str, ...]] | None] = {}
        self._redefined: dict[str, bool] = {}
        self._found: dict[tuple[object, ...], Expansion | None] = {}
        self._put_in: dict[tuple[Expansion, tuple[Expr, ...]], Expansion | None] = {}
        self._left = _MOST_COPIED
        self._around: MacroTable | None = None

    def expansion(
        self,
        name: str,
        arity: int | None,
        names: Mapping[str, Variable],
        types: tuple[Type | None, ...],
        before: int | None = None,
        spelled: tuple[str | None, ...] = (),
        meanings: Mapping[str, str] | None = None,
    ) -> Expansion | None:
        """See `File.expansion`; None if there is no definition or it is no whole expression or statement."""
        question = (name, arity, before if self._is_redefined(name) else None, spelled)
        try:
            definition = self._macros[question]
        except KeyError:
            definition = self._macros[question] = self._macro(*question)
        if definition is None:
            return None
        macro, words = definition
        visible = tuple([names[word] for word in words if word in names])
        bound = {word: meanings[word] for word in words if word in meanings} if words and meanings else {}
        if bound:
            bound = {word: text for word, text in bound.items() if not text.startswith(SCOPED_PREFIX)}  # as it is here
        key = (name, arity, macro.path, macro.offset, spelled, types, visible, *bound.items())
        try:
            return self._found[key]
        except KeyError:
            inner = {word: names[word] for word in words if word in names}
            expansion = self._found[key] = _lowered(self._scope, macro, Visible(inner, bound, self._table(name)), types)
            return expansion

    def _table(self, name: str) -> MacroTable:
        """The macros that the body of one may name: of one that only includers define, theirs as well."""
        table = self._scope.parsed.macros
        if name in table:
            return table
        if self._around is None:
            self._around = table.merged(*(includer.parsed.macros for includer in self._scope.branches.includers()))
        return self._around

    def put_in(self, expansion: Expansion, args: tuple[Expr, ...]) -> Expansion | None:
        """The expansion with the arguments in place of its parameters, which have no name then: a name in an argument
        that the body declares is the body's. None where macros in macros have made too much of the file already.
        """
        key = expansion, args
        if key not in self._put_in:
            arguments = {
                parameter: arg for parameter, arg in zip(expansion.parameters, args, strict=False) if parameter.name
            }
            body, copied = with_arguments(expansion.body, arguments, self._left)
            self._left -= copied
            parameters = tuple([Variable("", parameter.type, _NOWHERE, _NOWHERE) for parameter in expansion.parameters])
            self._put_in[key] = Expansion(parameters, body) if body is not None else None
        return self._put_in[key]

    def _is_redefined(self, name: str) -> bool:
        redefined = self._redefined.get(name)
        if redefined is None:
            path = self._scope.parsed.source.path
            redefined = sum(macro.path == path for macro in self._scope.parsed.macros.all(name)) > 1
            self._redefined[name] = redefined
        return redefined

    def _macro(
        self, name: str, arity: int | None, before: int | None, spelled: tuple[str | None, ...]
    ) -> tuple[Macro, tuple[str, ...]] | None:
        """The definition with that many parameters, pasted and ready to be parsed, and the free words of its body."""
        macro = _definition(self._scope.branches, name, arity, before)
        if macro is not None and len(macro.body) > MAX_BODY:  # perhaps of blanks in front of the `\\` of each line
            macro = macro._replace(body=" ".join(macro.body.split()))
        if macro is None or not macro.body or len(macro.body) > MAX_BODY:
            return None
        if spelled:
            macro = _spelled(macro, spelled)
        body = _without_operators(macro)
        if body is not None and "typeof" in body:
            body = _TYPEOF.sub("decltype", body)
        parameters = tuple(filter(None, macro.params or ()))
        if body is None or (parameters and _needs_words(body, parameters)):
            return None
        return macro._replace(body=body), tuple(dict.fromkeys(w for w in _words(body) if w not in parameters))


def _needs_words(body: str, parameters: tuple[str, ...]) -> bool:
    """Whether a parameter stands where no value can; in `asm("mul.lo.u32 %0, %1, %2;" : "=r"(lo) ...)` none does."""
    code = _LITERAL_OR_WORD.sub(lambda match: '""' if match[0][0] == '"' else match[0], body)
    return re.search(_NO_VALUE.format("|".join(map(re.escape, parameters))), code) is not None


def _definition(branches: Branches, name: str, arity: int | None, before: int | None = None) -> Macro | None:
    """The `#define` that applies among those with `arity` parameters, of this file or, if they agree, its includers.

    If this file compiles several, the last one before the byte offset `before`.
    """
    macros = tuple(filter(None, (_with_arity(macro, arity) for macro in branches.parsed.macros.all(name))))
    if macros and before is not None:
        place = branches.parsed.source.shown(Span(before, before)).start
        earlier = [macro for macro in macros if macro.path == branches.parsed.source.path and macro.offset < place]
        if taken := [macro for macro in earlier if branches.taken(macro) is True]:
            return max(taken, key=lambda macro: macro.offset)
    if macros:
        return branches.choose(macros)
    others = [_definition(includer, name, arity) for includer in branches.includers()]
    distinct = {(macro.params, macro.body): macro for macro in others if macro is not None}
    return next(iter(distinct.values())) if len(distinct) == 1 else None


def _with_arity(macro: Macro, arity: int | None) -> Macro | None:
    if macro.params is None and macro.body.startswith("()"):  # `#define SYNC() __syncthreads()`
        macro = macro._replace(params=(), body=macro.body[2:].strip())
    empty = macro.params is not None and not macro.body.strip()  # `#define TRACE(x)`
    if arity is not None and (empty or _CHECK.fullmatch(macro.body)):  # nothing is executed, whatever it is given
        return macro._replace(params=("",) * arity, body=_NOTHING)
    if macro.params is None or arity is None:
        return macro if macro.params is None and arity is None else None
    if not macro.params or not macro.params[-1].endswith("..."):
        return macro if len(macro.params) == arity else None
    named = macro.params[:-1]
    variadic = macro.params[-1].removesuffix("...") or "__VA_ARGS__"
    count = arity - len(named)
    if count < 0 or "__VA_OPT__" in macro.body:
        return None
    if not re.search(rf"\b{variadic}\b", macro.body):
        return macro._replace(params=(*named, *("",) * count))  # the rest is named nowhere
    others = tuple(f"{_OTHERS}{number}" for number in range(count))
    body = re.sub(rf",\s*##\s*{variadic}\b", f", {variadic}" if count else "", macro.body)
    return macro._replace(params=(*named, *others), body=re.sub(rf"(?<!#)\b{variadic}\b", ", ".join(others), body))


def _spelled(macro: Macro, words: tuple[str | None, ...]) -> Macro:
    """The definition with the words of arguments in the place of parameters, whose names are empty then."""
    put = {name: word for name, word in zip(macro.params or (), words, strict=False) if word}
    text = re.sub(rf"(?<!#)#\s*({'|'.join(map(re.escape, put))})\b", lambda match: f'"{put[match[1]]}"', macro.body)
    body = _LITERAL_OR_WORD.sub(lambda match: put.get(match[0], match[0]), text)
    return macro._replace(params=tuple("" if name in put else name for name in macro.params or ()), body=body)


def _words(body: str) -> list[str]:
    return [word for word in _LITERAL_OR_WORD.findall(body) if word[0] == "_" or word[0].isalpha()]


def _without_operators(macro: Macro) -> str | None:
    """The body with `#parameter` as a string and `##` pasted; None where a parameter would be pasted."""
    body = macro.body
    if "#" not in body:
        return body
    parameters = "|".join(map(re.escape, filter(None, macro.params or ())))
    if "##" in body:
        if parameters and re.search(rf"\b(?:{parameters})\s*##|##\s*(?:{parameters})\b", body):
            return None
        body = re.sub(r"\s*##\s*", "", body)
    if parameters:
        body = re.sub(rf"#\s*(?:{parameters})\b", '""', body)
    return None if "#" in re.sub(r'"(?:[^"\\]|\\.)*+"', "", body) else body


def _lowered(
    scope: Scope, macro: Macro, seen: Visible, types: tuple[Type | None, ...], *, again: bool = False
) -> Expansion | None:
    types_given = (*types, *(None for _ in macro.params or ()))
    parameters = tuple(
        Variable(name, type_ or Type("auto"), _NOWHERE, _NOWHERE)
        for name, type_ in zip(macro.params or (), types_given, strict=False)
    )
    names = {parameter.name: parameter for parameter in parameters if parameter.name}
    visible = Visible({**seen.names, **names}, seen.bound, seen.macros)
    body = macro.body.strip()
    tree: Expr | Block | None = None
    # `#define XOR(a, b) (a ^ b);` is an expression as well, and in `x = XOR(y, z);` nothing else.
    value = body.rstrip("; \t")
    if value and not _STATEMENT.match(body):
        bare = _bare(value, visible.names)
        tree = _expression(scope, bare, visible)
        if tree is None and bare != value:
            tree = _expression(scope, value, visible)
        if tree is None and (apart := _apart(bare)) != bare:
            tree = _expression(scope, apart, visible)
    if tree is None and body == _NOTHING:
        tree = Block(_NOWHERE, ())
    elif tree is None:
        tree = _block(scope, body, visible)
        if tree is not None and body.startswith("({") and len(tree.statements) == 1:  # with a pragma among its own
            only = tree.statements[0]
            tree = only.expression if isinstance(only, Evaluate) else tree
        if isinstance(tree, Block) and _declares(tree, parameters):
            return None
        if tree is None and value.startswith("{") and value.endswith("}"):  # `#define MIN(a, b) { (a < b) ? a : b }`
            tree = _expression(scope, value[1:-1], visible)
    if tree is None:  # a macro in it may end with its own `;`: `a += ROTL(b, 7) d ^= a;`
        whole = expand(body, seen.macros)
        single = all(len(seen.macros.all(word)) < 2 for word in _words(body))
        expanded = single and whole != body and len(whole) < MAX_EXPANSION
        return _lowered(scope, macro._replace(body=whole), seen, types, again=True) if expanded and not again else None
    return Expansion(parameters, tree, frozenset(_declared(tree)), _hands_on(seen.macros, tree, parameters))


def _declared(tree: Expr | Block) -> Iterator[str]:
    """The names that the body of a macro declares."""
    for node in walk(tree):
        if isinstance(node, Declare):
            yield from (variable.name for variable in node.variables)
        elif isinstance(node, LambdaExpr):
            yield from (variable.name for variable in node.parameters)


def _hands_on(macros: MacroTable, tree: Expr | Block, parameters: tuple[Variable, ...]) -> bool:
    """Whether another macro in the body has a parameter as one of its arguments."""
    calls = (node for node in walk(tree) if isinstance(node, Call) and node.name in macros)
    return any(isinstance(arg, Name) and arg.variable in parameters for call in calls for arg in call.args)


def _declares(block: Block, parameters: tuple[Variable, ...]) -> bool:
    """True for `#define READ(v) float v = *p;`: what is declared is not named `v`, but by the argument."""
    names = {parameter.name for parameter in parameters}
    declared = (statement for statement in block.statements if isinstance(statement, Declare))
    return any(variable.name in names for declaration in declared for variable in declaration.variables)


def _bare(body: str, visible: Mapping[str, Variable]) -> str:
    """`(a) - (b)` without the parentheses around a variable alone, which read like a cast: `(a)(-b)`."""

    def replaced(match: re.Match[str]) -> str:
        before = body[: match.start()].rstrip()
        if match[1] not in visible or (before and before[-1] not in _OPERATORS):
            return match.group()
        return f" {match[1]} "

    return _ALONE.sub(replaced, body)


def _apart(body: str) -> str:
    """`(a = b, c)` as `((a = b),(c))`: the grammar reads the first as the beginning of a fold expression."""
    last = len(body) - 1
    parts = split_arguments(body, 1, last) if body.startswith("(") and closing(body, 0) == last else ()
    return f"({','.join(f'({body[start:end]})' for start, end in parts)})" if len(parts) > 1 else body


def _expression(scope: Scope, body: str, visible: Visible) -> Expr | None:
    data = f"auto x = ({body});".encode("utf-8", "replace")
    root = parse_plain(data).root_node
    declarations = root.named_children
    if root.has_error or len(declarations) != 1 or declarations[0].type != "declaration":
        return None
    declarators = declarations[0].children_by_field_name("declarator")
    value = declarators[0].child_by_field_name("value") if len(declarators) == 1 else None
    if value is None or value.type != "parenthesized_expression":
        return None
    ctx = _context(scope, data, visible)
    result = lower_expression(ctx, value)
    return None if ctx.unparsed or isinstance(result, Unknown) or _names_a_type(ctx, visible.names) else result


def _names_a_type(ctx: Context, visible: Mapping[str, Variable]) -> bool:
    """True if a type is spelled with a parameter: `#define ZERO(T) static_cast<T>(0)` has no tree of its own."""
    return any(word in visible for text in ctx.spelled for word in _words(text))


def _context(scope: Scope, data: bytes, visible: Visible) -> Context:
    bound = visible.known()
    types = bound_types(scope, (), bound) if bound else scope.type_of
    ctx = Context(data, types, NO_ANCHORS, {}, scope.defined, bound=bound)
    ctx.lower_block = lower_block
    visible.declare_in(ctx)
    return ctx


def _block(scope: Scope, body: str, visible: Visible) -> Block | None:
    head = b"void f() { "
    data = head + body.encode("utf-8", "replace") + b" ;}"
    parse = parse_level(data, visible.macros, Level.M2)
    root = parse.tree.root_node
    function = root.named_children[0] if root.named_child_count == 1 else None
    node = function.child_by_field_name("body") if function is not None else None
    if parse.has_error or node is None or _is_head(root, len(data) - 2):
        return None
    ctx = scope.context_for_text(ParsedFile(Source("", data), visible.macros, (parse,)), 0, visible.known())
    visible.declare_in(ctx)
    block = lower_block(ctx, node)
    statements = block.statements
    if ctx.unparsed or _names_a_type(ctx, visible.names) or not all(_whole(statement) for statement in statements):
        return None
    return block if statements else None


def _is_head(root: Node, position: int) -> bool:
    """True if the semicolon that was added became the body of a loop: `#define EACH(i) for (int i = 0; i < 4; i++)`."""
    node = root.descendant_for_byte_range(position, position + 1)
    while node is not None and node.type in (";", "expression_statement", "empty_statement"):
        if node.start_byte < position:
            return False
        node = node.parent
    return node is not None and node.type in _HEADS


def _whole(statement: Stmt) -> bool:
    """Whether the text is more than just a type."""
    if isinstance(statement, Declare):
        return bool(statement.variables)
    return not (isinstance(statement, Evaluate) and statement.expression.__class__ is Unknown)


_SCOPES = (Block, Case, If, LambdaExpr, Loop)
_FIRST = ("init", "parameters")  # declarations whose names the rest of a node sees


Body = TypeVar("Body", bound="Expr | Block")


def with_arguments(body: Body, arguments: Mapping[Variable, Expr], most: int) -> tuple[Body | None, int]:
    """The body of a macro as the preprocessor makes it: an argument's names mean what the body declares there. And how
    many nodes were copied; no body if that is more than `most`.
    """
    copy = _Copy(arguments, most)
    copied: Body = copy.node(body, {}, inside=False)
    return copied if copy.left >= 0 else None, most - copy.left


class _Copy:
    """One copy of a body; its own variables are copied, too, because their initialisers and extents may change."""

    def __init__(self, arguments: Mapping[Variable, Expr], left: int) -> None:
        self._given = arguments
        self.left = left
        self._own: dict[Variable, Variable] = {}

    def node(self, node: Any, visible: dict[str, Variable], *, inside: bool) -> Any:
        """A node, in an argument (`inside`) or in the body; `visible` are the body's variables by name."""
        self.left -= 1
        if self.left < 0:
            return node
        if isinstance(node, Name):
            variable = node.variable
            if not inside and variable is not None and variable in self._given:
                return self.node(self._given[variable], visible, inside=True)
            meant = visible.get(node.name) if inside else self._own.get(variable) if variable is not None else None
            return Name(node.span, node.name, meant, node.template_args) if meant is not None else node
        if isinstance(node, _SCOPES):
            visible = dict(visible)
        slots = [slot for owner in node.__class__.__mro__ for slot in getattr(owner, "__slots__", ())]
        copy = node.__class__.__new__(node.__class__)
        for slot in sorted(slots, key=lambda slot: slot not in _FIRST):
            setattr(copy, slot, self._part(getattr(node, slot), visible, inside))
        return copy

    def _part(self, part: Any, visible: dict[str, Variable], inside: bool) -> Any:
        if is_node(part):
            return self.node(part, visible, inside=inside)
        if part.__class__ is tuple:
            return tuple([self._part(item, visible, inside) for item in part])
        if part.__class__ is Variable:
            return part if inside else self._variable(part, visible)
        if part.__class__ is AssemblyOperand:
            return part._replace(value=self.node(part.value, visible, inside=inside))
        if part.__class__ is Unroll:
            return Unroll(part.span, self._part(part.factor, visible, inside), part.text)
        return part

    def _variable(self, variable: Variable, visible: dict[str, Variable]) -> Variable:
        """The body's own variable. Its name is not yet visible in its extents, and arguments do not mean it in its
        initialiser: `float x = (x);` would be nothing.
        """
        dims, init = (self._part(part, visible, False) for part in (variable.dims, variable.init))
        copy = self._own[variable] = Variable(
            variable.name,
            variable.type,
            variable.span,
            variable.declaration,
            variable.storage,
            dims,
            init,
            variable.volatile_span,
            variable.unsized_shared,
            variable.grid_constant,
        )
        copy.bounds = variable.bounds
        visible[copy.name] = copy
        return copy
