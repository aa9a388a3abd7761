"""tree-sitter statement nodes -> our statements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.conditions import CONDITIONALS, Branch, choose_branch
from regpress_lint.cpp.lower.declarations import (
    lower_array_pointer,
    lower_declaration,
    lower_enumerators,
    lower_range_variable,
    read_again,
)
from regpress_lint.cpp.lower.declared_types import BY_ATTRIBUTE, MARK
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.lower.literals import parse_number
from regpress_lint.cpp.lower.loop_forms import normal, structured
from regpress_lint.cpp.lower.lowering_context import MAX_DEPTH, NO_ANCHORS, Context, operands, span_of, unknown
from regpress_lint.cpp.lower.sycl_calls import for_work_items
from regpress_lint.cpp.lower.unnamed_unions import lower_unnamed_union
from regpress_lint.cpp.parse import error_nodes, parse_plain
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Call,
    Case,
    Constant,
    Declare,
    Evaluate,
    Expr,
    If,
    InitList,
    Jump,
    Label,
    Loop,
    Name,
    Return,
    Stmt,
    Switch,
    Unroll,
    Variable,
)
from regpress_lint.cpp.traversal import walk
from regpress_lint.targets.builtins import is_vendors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

_UNROLL = pattern(
    r"^(?:clang\s++loop\s++|GCC\s++)?(no)?unroll(?:_count)?\b\s*+"
    r"(?:\(\s*+(.+?)(?<!\s)\s*+\)|(.+?)(?<!\s))?\s*+(?://.*)?$"
)
_PRAGMA = pattern(rb"\b(_Pragma|__pragma)\s*\(\s*\"?([^\"()]*+(?:\([^\"()]*+\))?[^\"()]*+)\"?\s*\)\s*")
_ALWAYS = Constant(Span(0, 0), 1, "bool")


def lower_block(ctx: Context, node: Node) -> Block:
    """Lower a compound statement in a scope of its own."""
    ctx.enter()
    try:
        return Block(span_of(node), _statements(ctx, node.children))
    finally:
        ctx.leave()


def _statements(ctx: Context, nodes: list[Node]) -> tuple[Stmt, ...]:
    lowered: list[Stmt] = []
    for node in _spliced(ctx, nodes):
        asked, ctx.unroll = ctx.unroll, None
        statement = lower_statement(ctx, node)
        if asked is not None and isinstance(statement, Loop) and statement.unroll is None:
            statement.unroll = _unroll(ctx, asked)
        if ctx.held:  # before the lambda that has it
            lowered += ctx.held
            ctx.held = []
        if statement is not None:
            lowered.append(statement)
    return tuple(structured(lowered) if any(isinstance(statement, Label) for statement in lowered) else lowered)


def _spliced(ctx: Context, nodes: list[Node]) -> Iterator[Node]:
    """Statement nodes with the branch of each `#if` that the compiler would take in place of the directive."""
    waiting = [iter(nodes)]  # conditionals may be nested deeper than functions can call each other
    while waiting:
        node = next(waiting[-1], None)
        if node is None:
            waiting.pop()
            continue
        kind = node.type
        if kind in CONDITIONALS:
            branch: Branch
            branch, end = choose_branch(node, ctx.text, ctx.defined)
            waiting.append(iter(branch))
            ctx.unroll = ctx.unrolls.get(end)  # `#ifdef X`, `#pragma unroll`, `#endif` in front of a loop
        elif kind == "preproc_include":
            yield from _included(ctx, node)
        elif node.is_named and kind != "comment":
            yield node


def _included(ctx: Context, node: Node) -> Iterator[Node]:
    """The text that an `#include` among statements inserts; if the file is not found, the directive is not
    understood."""
    block = ctx.annexes.get(node.start_byte)
    if block is None:
        path = node.child_by_field_name("path")
        if path is None or not is_vendors(ctx.text(path)[1:-1]):
            ctx.unparsed.append(span_of(node))
        return
    asked, ctx.asked = ctx.asked, None  # libclang knows no places behind a file's end
    if block.has_error:
        ctx.unparsed += map(span_of, error_nodes(block))
    yield from _spliced(ctx, block.children)
    ctx.asked = asked


def _alias(ctx: Context, node: Node) -> None:
    """`using T = ...;` or `typedef ... T;` in a function: the name is known from here on."""
    name = node.child_by_field_name("name" if node.type == "alias_declaration" else "declarator")
    target = node.child_by_field_name("type")
    pointers = extents = ""
    while name is not None and name.type in ("pointer_declarator", "array_declarator"):  # `typedef float row[8], *p;`
        if name.type == "pointer_declarator":
            pointers += "*"
        elif (size := name.child_by_field_name("size")) is not None:
            extents = f"[{ctx.text(size)}]{extents}"
        name = name.child_by_field_name("declarator")
    if name is not None and target is not None and name.type == "type_identifier":
        text = " ".join(ctx.text(target).split()).removeprefix("typename ") + pointers + extents
        places = ctx.anchors.between(node.start_byte, node.end_byte)
        text += "".join(f"{BY_ATTRIBUTE}{word}" for at in places for word in ctx.anchors.at(at) if MARK in word)
        if "{" not in text and ctx.text(name) != text:
            ctx.alias(ctx.text(name), text)


def lower_statement(ctx: Context, node: Node) -> Stmt | None:
    """Lower one statement; None for one without an effect (`;`, using-declarations, ...)."""
    if (handler := _HANDLERS.get(node.type)) is not None:
        if ctx.depth >= MAX_DEPTH:
            ctx.unparsed.append(span_of(node))
            return None
        ctx.depth += 1
        try:
            return handler(ctx, node)
        finally:
            ctx.depth -= 1
    if node.type in _IGNORED:
        if node.type in ("alias_declaration", "type_definition"):
            _alias(ctx, node)
        return None
    if node.type == "ERROR" or node.is_missing:
        ctx.unparsed.append(span_of(node))
    return Evaluate(span_of(node), lower_expression(ctx, node))


def _body(ctx: Context, node: Node | None) -> Stmt:
    if node is None:
        return Block(Span(0, 0), ())
    return lower_statement(ctx, node) or Block(span_of(node), ())


def _expression_statement(ctx: Context, node: Node) -> Stmt | None:
    inner = operands(node)
    if not inner:
        return None
    if inner[0].start_byte in ctx.calls and (call := _macro_call(ctx, inner[0])) is not None:
        return Evaluate(span_of(node), call)
    if (declared := lower_array_pointer(ctx, node, inner[0])) is not None:
        return declared
    expr = lower_expression(ctx, inner[0])
    return for_work_items(expr) or Evaluate(span_of(node), expr)


def _macro_call(ctx: Context, node: Node) -> Call | None:
    """`NAME,a,b;`, which is how the masked text has an invocation `NAME(a, b)` without a `;`."""
    callee, *args = _parts(node)
    if callee.type != "identifier":
        return None
    name, span = ctx.text(callee), Span(callee.start_byte, node.end_byte + 1)
    return Call(span, Name(span_of(callee), name), name, name, tuple(lower_expression(ctx, arg) for arg in args))


def _parts(node: Node) -> list[Node]:
    """Expressions between the commas of a comma expression."""
    if node.type != "comma_expression":
        return [node]
    return [part for child in operands(node) for part in _parts(child)]


def _condition(ctx: Context, node: Node | None) -> tuple[tuple[Stmt, ...], Expr]:
    if node is None:
        return (), _ALWAYS
    init: list[Stmt] = []
    value: Expr | None = None
    for child in operands(node) if node.type in ("condition_clause", "parenthesized_expression") else [node]:
        if child.type == "init_statement":
            init.extend(filter(None, (lower_statement(ctx, inner) for inner in operands(child))))
        elif child.type == "declaration":
            declared = lower_declaration(ctx, child)
            init.append(declared)
            if declared.variables:
                last = declared.variables[-1]
                value = Name(last.span, last.name, last)
        else:
            value = lower_expression(ctx, child)
    return tuple(init), value if value is not None else unknown(node)


def _macro_loop(ctx: Context, node: Node, body: str) -> Stmt | None:
    """`EACH_INDEX(i, n) { ... }`: the loop or the condition that the macro stands for around the body; None if it is
    neither.

    The macro's code is placed at its invocation. The caller has a scope open for the head's declarations.
    """
    head = ctx.heads[node.start_byte]
    if not head.certain:
        ctx.unparsed.append(Span(node.start_byte, _end_of_head(node)))
    if not head.text:
        return None
    data, unrolls = _without_pragmas(b"void f() { %b ; }" % head.text.encode("utf-8", "replace"))
    root = parse_plain(data).root_node
    inside = root.named_children[0].child_by_field_name("body") if root.named_child_count == 1 else None
    if inside is None or root.has_error:
        return None
    outer = ctx.data, ctx.anchors, ctx.unrolls, ctx.heads, ctx.type_words, ctx.calls, ctx.asked
    ctx.data, ctx.anchors, ctx.unrolls, ctx.heads = data, NO_ANCHORS, unrolls, {}
    ctx.type_words, ctx.calls, ctx.asked = {}, frozenset(), None
    statements = _statements(ctx, inside.children)
    ctx.data, ctx.anchors, ctx.unrolls, ctx.heads, ctx.type_words, ctx.calls, ctx.asked = outer
    last = statements[-1] if statements else None
    while isinstance(inner := _body_of(last), (Loop, If)):
        last = inner
    if not isinstance(last, (Loop, If)):
        return None
    place = Span(node.start_byte, _end_of_head(node))
    for copied in (expr for statement in statements for expr in walk(statement)):
        copied.span = place
        for variable in copied.variables if isinstance(copied, Declare) else ():
            variable.span = variable.declaration = place
    whole = _body(ctx, node.child_by_field_name(body))
    last.span = span_of(node)
    if isinstance(last, If):
        last.then = whole
    else:
        counted = isinstance(inner, Block) and isinstance(inner.statements[0] if inner.statements else None, Declare)
        last.body = Block(whole.span, (*inner.statements[:1], whole)) if isinstance(inner, Block) and counted else whole
        last.unroll = _unroll_of(ctx, node) or last.unroll
    return statements[0] if len(statements) == 1 else Block(span_of(node), statements)


def _body_of(statement: Stmt | None) -> Stmt | None:
    """The statement behind the head of a loop or of a condition."""
    return statement.body if isinstance(statement, Loop) else statement.then if isinstance(statement, If) else None


def _without_pragmas(data: bytes) -> tuple[bytes, dict[int, tuple[Span, str]]]:
    """The head of a loop with blanks for its `_Pragma`s, and their words by the place of the loop."""
    words: dict[int, tuple[Span, str]] = {}
    for match in _PRAGMA.finditer(data):
        text = match[2].decode("latin-1")
        words.setdefault(match.end(), (Span(match.start(), match.end()), text))
    return _PRAGMA.sub(lambda match: b" " * len(match[0]), data), words


def _end_of_head(node: Node) -> int:
    condition = node.child_by_field_name("condition")
    return condition.end_byte if condition is not None else node.start_byte


def _if(ctx: Context, node: Node) -> Stmt:
    ctx.enter()
    try:
        if node.start_byte in ctx.heads and (loop := _macro_loop(ctx, node, "consequence")) is not None:
            return loop
        init, test = _condition(ctx, node.child_by_field_name("condition"))
        then = _body(ctx, node.child_by_field_name("consequence"))
        alternative = node.child_by_field_name("alternative")
        otherwise: Stmt | None = None
        if alternative is not None:
            inner = operands(alternative)
            otherwise = _body(ctx, inner[0] if inner else None)
        constexpr = any(child.type == "constexpr" for child in node.children[:3])
        return If(span_of(node), test, then, otherwise, init, constexpr)
    finally:
        ctx.leave()


def _for(ctx: Context, node: Node) -> Stmt:
    ctx.enter()
    try:
        init: tuple[Stmt, ...] = ()
        if (first := node.child_by_field_name("initializer")) is not None:
            if first.type == "declaration":
                init = (lower_declaration(ctx, first),)
            else:
                init = (Evaluate(span_of(first), lower_expression(ctx, first)),)
        condition, update = node.child_by_field_name("condition"), node.child_by_field_name("update")
        test = lower_expression(ctx, condition) if condition is not None else None
        step = lower_expression(ctx, update) if update is not None else None
        body = _body(ctx, node.child_by_field_name("body"))
        return normal(Loop(span_of(node), "for", init, test, step, body, _unroll_of(ctx, node)))
    finally:
        ctx.leave()


def _range_for(ctx: Context, node: Node) -> Stmt:
    from regpress_lint.cpp.traversal import over_array

    ctx.enter()
    try:
        right, first = node.child_by_field_name("right"), node.child_by_field_name("initializer")
        before = _statements(ctx, list(first.named_children)) if first is not None else ()
        test = lower_expression(ctx, right) if right is not None else None
        variable = lower_range_variable(ctx, node)
        if isinstance(test, InitList) and (listed := _listed(ctx, test, variable)) is not None:
            before, test = (*before, Declare(test.span, (listed,))), Name(test.span, listed.name, listed)
        body = _body(ctx, node.child_by_field_name("body"))
        array, span, unroll = test.variable if isinstance(test, Name) else None, span_of(node), _unroll_of(ctx, node)
        counted = over_array(span, variable, test, array, body, unroll)
        loop = counted or Loop(span, "range", (variable,), test, None, body, unroll)
        return Block(span, (*before, loop)) if before else loop
    finally:
        ctx.leave()


def _listed(ctx: Context, items: InitList, declared: Declare) -> Variable | None:
    """The array that `{1, 2, n}` is behind a `for (int x :`; None where the type of its elements is not known."""
    from regpress_lint.cpp.typing_rules import expression_type

    if not items.items or len(declared.variables) != 1:
        return None
    wanted = declared.variables[0].type
    type_ = expression_type(items.items[0], ctx.types) if wanted.name == "auto" else wanted._replace(reference=False)
    extent = Constant(items.span, len(items.items), "int")
    return Variable("", type_, items.span, items.span, "local", (extent,), items) if type_ is not None else None


def _while(ctx: Context, node: Node) -> Stmt:
    ctx.enter()
    try:
        if node.start_byte in ctx.heads and (loop := _macro_loop(ctx, node, "body")) is not None:
            return loop
        init, test = _condition(ctx, node.child_by_field_name("condition"))
        if init and isinstance(test, Name) and test.variable is not None and test.variable.init is not None:
            initial, test.variable.init = test.variable.init, None  # `while (int k = next())` asks each time
            test = Assign(initial.span, "=", test, initial)
        kind: Literal["while", "do"] = "do" if node.type == "do_statement" else "while"
        body = _body(ctx, node.child_by_field_name("body"))
        return normal(Loop(span_of(node), kind, init, test, None, body, _unroll_of(ctx, node)))
    finally:
        ctx.leave()


def _switch(ctx: Context, node: Node) -> Stmt:
    ctx.enter()
    try:
        _, subject = _condition(ctx, node.child_by_field_name("condition"))
        return Switch(span_of(node), subject, _body(ctx, node.child_by_field_name("body")))
    finally:
        ctx.leave()


def _case(ctx: Context, node: Node) -> Stmt:
    value = node.child_by_field_name("value")
    skip = value.end_byte if value is not None else node.start_byte
    statements = _statements(ctx, [child for child in node.children if child.start_byte >= skip and child != value])
    label = lower_expression(ctx, value) if value is not None else None
    if isinstance(label, Binary) and label.op == "<=>":  # `case 1 ... 3:`, see `mask`
        return Case(span_of(node), label.left, statements, label.right)
    return Case(span_of(node), label, statements)


def _return(ctx: Context, node: Node) -> Stmt:
    inner = operands(node)
    return Return(span_of(node), lower_expression(ctx, inner[0]) if inner else None)


def _jump(ctx: Context, node: Node) -> Stmt:
    label = node.child_by_field_name("label")
    kind: Literal["break", "continue", "goto"] = "goto"
    if node.type != "goto_statement":
        kind = "break" if node.type == "break_statement" else "continue"
    return Jump(span_of(node), kind, ctx.text(label) if label is not None else None)


def _label(ctx: Context, node: Node) -> Stmt:
    label = node.child_by_field_name("label")
    inner = [child for child in operands(node) if child != label]
    return Label(
        span_of(node), ctx.text(label) if label is not None else "", lower_statement(ctx, inner[-1]) if inner else None
    )


def _attributed(ctx: Context, node: Node) -> Stmt | None:
    inner = [child for child in operands(node) if child.type != "attribute_declaration"]
    return lower_statement(ctx, inner[-1]) if inner else None


def _nested_function(ctx: Context, node: Node) -> Stmt | None:
    """`each_lane(i) { ... }`: C++ has no function inside a function, so this invokes an undefined macro.

    `view(i, j) = 0;` is not one: the grammar takes its end for that of a pure virtual function.
    """
    if node.children[-1].type == "pure_virtual_clause":
        end = ctx.data.rfind(b";", node.start_byte, node.end_byte)
        assigned = read_again(ctx, Span(node.start_byte, end)) if end > 0 else None
        return Evaluate(span_of(node), assigned if assigned is not None else unknown(node))
    head, body = node.child_by_field_name("declarator"), node.child_by_field_name("body")
    ctx.unparsed.append(span_of(head if head is not None else node))
    return If(span_of(node), unknown(node), _body(ctx, body), None) if body is not None else None


def _try(ctx: Context, node: Node) -> Stmt | None:
    body = node.child_by_field_name("body")
    return lower_statement(ctx, body) if body is not None else None


def parse_unroll(text: str, span: Span) -> Unroll | None:
    """Unroll request from the words of a pragma (`unroll`, `unroll 4`, `unroll(N)`, `nounroll`), or None."""
    match = _UNROLL.match(text.strip())
    if match is None:
        return None
    if match[1]:
        return Unroll(span, Constant(span, 1, "int"), text)
    factor = match[2] or match[3]
    if not factor or factor in ("full", "enable"):
        return Unroll(span, None, text)
    literal = parse_number(factor)
    return Unroll(span, literal if literal is not None else Name(span, factor), text)


def _unroll_of(ctx: Context, loop: Node) -> Unroll | None:
    """The unroll request directly before a loop."""
    return _unroll(ctx, ctx.unrolls.get(loop.start_byte))


def _unroll(ctx: Context, pragma: tuple[Span, str] | None) -> Unroll | None:
    unroll = parse_unroll(pragma[1], pragma[0]) if pragma is not None else None
    if unroll is not None and isinstance(unroll.factor, Name):
        unroll.factor.variable = ctx.find(unroll.factor.name)
    return unroll


def _declaration(ctx: Context, node: Node) -> Stmt:
    """A declaration; `v * w;` of two variables, the value of a statement in an expression, is read as one."""
    type_, product = node.child_by_field_name("type"), node.child_by_field_name("declarator")
    if type_ is not None and product is not None and product.type == "pointer_declarator":
        left, right = ctx.find(ctx.text(type_)), product.child_by_field_name("declarator")
        if left is not None and right is not None and right.type == "identifier":
            sides = Name(span_of(type_), left.name, left), lower_expression(ctx, right)
            return Evaluate(span_of(node), Binary(span_of(node), "*", *sides))
    return lower_declaration(ctx, node)


_HANDLERS: dict[str, Callable[[Context, Node], Stmt | None]] = {
    "compound_statement": lower_block,
    "declaration": _declaration,
    "enum_specifier": lower_enumerators,
    "expression_statement": _expression_statement,
    "if_statement": _if,
    "for_statement": _for,
    "for_range_loop": _range_for,
    "while_statement": _while,
    "do_statement": _while,
    "switch_statement": _switch,
    "case_statement": _case,
    "return_statement": _return,
    "co_return_statement": _return,
    "break_statement": _jump,
    "continue_statement": _jump,
    "goto_statement": _jump,
    "labeled_statement": _label,
    "attributed_statement": _attributed,
    "function_definition": _nested_function,
    "try_statement": _try,
    "union_specifier": lower_unnamed_union,
}
_IGNORED = frozenset(
    """
    ; using_declaration alias_declaration type_definition static_assert_declaration struct_specifier class_specifier
    template_declaration friend_declaration empty_statement preproc_def
    preproc_function_def preproc_include preproc_directive attribute_declaration namespace_alias_definition
    """.split()
)
