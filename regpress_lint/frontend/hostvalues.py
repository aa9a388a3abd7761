"""Values of host expressions at a launch: what a reader finds by looking up the names in the enclosing function.

A name is settled by its declaration if nothing assigns to it before the launch, else by the last assignment that stands
in straight line with the launch. Anything else - a loop over sizes, `if (n < 1024) block = 64`, an address passed to an
occupancy query - stays unknown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.constants import Environment, evaluate
from regpress_lint.source import Span
from regpress_lint.syntax import Call, Expr, InitList, Member, Name

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.frontend.unit import Unit
    from regpress_lint.frontend.view import View
    from regpress_lint.model import Number

_MAX_DEPTH = 12
_DIMENSIONS = frozenset(("dim3", "uint3", "range", "id", "Dim3", "make_uint3"))
_AXES = {"x": 0, "y": 1, "z": 2, "0": 0, "1": 1, "2": 2}
_FUNCTIONS = ("function_definition",)
_DECLARATOR_LAYERS = ("pointer_declarator", "reference_declarator", "parenthesized_declarator", "array_declarator")
_BLOCKS = ("compound_statement", "translation_unit", "declaration_list", "case_statement")


class Value(NamedTuple):
    """A resolved value: dimensions in the order written, and how it was settled."""

    dims: tuple[Number, ...]
    certainty: str


class _Use(NamedTuple):
    kind: str  # "declare", "assign", "assign-axis", "modify", "escape", "parameter", "read"
    node: Node  # the statement or declarator
    value: Node | None
    axis: int
    offset: int


class HostValues:
    """Look-ups in one file; remembers what it has found."""

    def __init__(self, view: View, unit: Unit, parse_index: int = 0) -> None:
        self.view = view
        self.unit = unit
        self.parse_index = parse_index
        self.root = unit.parses[parse_index].tree.root_node
        self.text = unit.parses[parse_index].masked.text
        self._uses: dict[tuple[str, int, int], list[_Use]] = {}
        self._calls: dict[str, list[Node]] = {}

    def lower(self, node: Node) -> Expr:
        """Our own tree of a host expression."""
        return self.view.lower_expression(node, self.unit, self.parse_index)

    # ------------------------------------------------------------------------------------------------- values

    def dims(self, expr: Expr, offset: int, depth: int = 0) -> Value | None:
        """Dimensions of an expression of type dim3, range or integer, as seen at `offset`."""
        if depth > _MAX_DEPTH:
            return None
        if isinstance(expr, Call) and expr.name in _DIMENSIONS:
            if len(expr.args) == 1:
                return self.dims(expr.args[0], offset, depth + 1)
            return self._tuple(expr.args, offset, depth)
        if isinstance(expr, InitList):
            return self._tuple(expr.items, offset, depth)
        if isinstance(expr, Name) and expr.variable is None:
            return self._name_dims(expr.name, offset, depth)
        number = self.number(expr, offset, depth)
        return Value((number,), "constant") if number is not None else None

    def _tuple(self, parts: tuple[Expr, ...], offset: int, depth: int) -> Value | None:
        values = [self.number(part, offset, depth + 1) for part in parts]
        if not values or any(value is None for value in values):
            return None
        return Value(tuple(value for value in values if value is not None), "constant")

    def number(self, expr: Expr, offset: int, depth: int = 0) -> Number | None:
        """Value of an arithmetic expression as seen at `offset`."""
        if depth > _MAX_DEPTH:
            return None

        def names(name: str) -> Number | None:
            base, _, axis = name.partition(".")
            found = self._name_dims(base, offset, depth + 1)
            if found is None:
                return None
            index = _AXES.get(axis, 0)
            if not axis and len(found.dims) != 1:
                return None
            return found.dims[index] if index < len(found.dims) else 1

        return evaluate(expr, Environment(names=names, types=self.view.type_of))

    def _name_dims(self, name: str, offset: int, depth: int) -> Value | None:
        if depth > _MAX_DEPTH:
            return None
        function = self._function_at(offset)
        local = self._resolve(name, offset, function, depth) if function is not None else None
        if local is not None:
            return local if local.dims else None
        constant = self.view.constant(name)
        if constant is not None:
            certainty = "constant" if name.encode() in self.unit.source.data else "header"
            return Value((constant,), certainty)
        body = self.view.macro(name)
        if body is not None:
            expr = self.view.expression_of_text(body)
            return self.dims(expr, offset, depth + 1) if expr is not None else None
        found = self._resolve(name, len(self.text), self.root, depth, whole_file=True)
        return found if found is not None and found.dims else None

    def initial_of(self, name: str, offset: int) -> Expr | None:
        """Initialiser of a local that nothing assigns to before `offset`, as an expression."""
        function = self._function_at(offset)
        uses = self._uses_of(name, function, whole_file=False) if function is not None else []
        before = [
            use for use in uses if use.offset <= offset and use.kind != "read" and self._encloses(use.node, offset)
        ]
        if not before or before[-1].kind not in ("declare", "assign"):
            return None
        last = before[-1]
        if last.kind == "assign" and not self._straight(last.node, offset):
            return None
        value = last.value
        if value is None:
            return None
        if value.type == "argument_list":
            items = tuple(self.lower(child) for child in value.named_children if child.type != "comment")
            return Call(_span(value), Name(_span(value), "nd_range"), "nd_range", "nd_range", items)
        return self._initial(value)

    # ------------------------------------------------------------------------------------------------- names

    def _function_at(self, offset: int) -> Node | None:
        node = self.root.descendant_for_byte_range(offset, offset)
        found: Node | None = None
        while node is not None:
            if node.type in _FUNCTIONS:
                found = node
            node = node.parent
        return found

    def _resolve(self, name: str, offset: int, scope: Node, depth: int, *, whole_file: bool = False) -> Value | None:
        """Value of a name in a scope; an empty `dims` means "declared here and not a constant", None "not here"."""
        uses = self._uses_of(name, scope, whole_file=whole_file)
        unsettled = Value((), "unknown")
        declarations = [
            use
            for use in uses
            if use.kind in ("declare", "parameter") and use.offset <= offset and self._encloses(use.node, offset)
        ]
        if not declarations:
            return None
        declaration = declarations[-1]
        if declaration.kind == "parameter":
            return self._parameter_value(name, scope, offset, depth, uses) or unsettled
        later = [
            use for use in uses if declaration.offset < use.offset <= offset and use.kind not in ("read", "declare")
        ]
        if whole_file:
            later = [use for use in uses if use.kind not in ("read", "declare")]
        if any(use.kind in ("modify", "escape") for use in later):
            return unsettled
        later = [use for use in later if self._encloses(declaration.node, use.offset)]
        if not later:
            # A loop around the launch may come back to an assignment that stands after it.
            if self._assigned_in_common_loop(uses, declaration, offset):
                return unsettled
            return self._declared(declaration, depth) or unsettled
        return self._assigned(declaration, later, offset, depth) or unsettled

    def _declared(self, declaration: _Use, depth: int) -> Value | None:
        if declaration.value is None:
            return None
        value = self.dims(self._initial(declaration.value), declaration.offset, depth + 1)
        return (
            Value(value.dims, "single-assignment" if value.certainty == "constant" else value.certainty)
            if value
            else None
        )

    def _initial(self, node: Node) -> Expr:
        if node.type == "argument_list":
            items = [child for child in node.named_children if child.type != "comment"]
            if len(items) == 1:
                return self.lower(items[0])
            lowered = tuple(self.lower(child) for child in items)
            return Call(lowered[0].span if lowered else _span(node), Name(_span(node), "dim3"), "dim3", "dim3", lowered)
        if node.type == "parameter_list":  # `dim3 block(bx, by);` read as a function
            names = [child.child_by_field_name("type") for child in node.named_children]
            return InitList(_span(node), tuple(self.lower(child) for child in names if child is not None))
        return self.lower(node)

    def _assigned(self, declaration: _Use, later: list[_Use], offset: int, depth: int) -> Value | None:
        """Last straight-line assignment; component assignments on top of it."""
        whole = [use for use in later if use.kind == "assign"]
        axes = [use for use in later if use.kind == "assign-axis"]
        if any(not self._straight(use.node, offset) for use in later):
            return None
        start = whole[-1] if whole else declaration
        base = self._declared(start, depth) if start.value is not None else Value((), "constant")
        if base is None:
            return None
        if not axes:
            return Value(base.dims, "last-assignment") if base.dims else None
        dims: list[Number] = [*base.dims, *([1] * (3 - len(base.dims)))]
        for use in axes:
            if use.offset < start.offset or use.value is None:
                continue
            number = self.number(self.lower(use.value), use.offset, depth + 1)
            if number is None or not 0 <= use.axis < 3:
                return None
            dims[use.axis] = number
        return Value(tuple(dims), "last-assignment")

    def _straight(self, node: Node, offset: int) -> bool:
        """True if the statement's block also holds the launch, and the statement comes before it."""
        block = node.parent
        while block is not None and block.type not in _BLOCKS:
            if block.type in ("if_statement", "for_statement", "while_statement", "else_clause", "do_statement"):
                return False
            block = block.parent
        return block is not None and block.start_byte <= offset < max(block.end_byte, block.start_byte + 1)

    def _assigned_in_common_loop(self, uses: list[_Use], declaration: _Use, offset: int) -> bool:
        for use in uses:
            if use.kind not in ("assign", "assign-axis", "modify", "escape") or use.offset <= offset:
                continue
            node: Node | None = use.node
            while node is not None and node.start_byte > declaration.offset:
                if node.type in ("for_statement", "while_statement", "do_statement", "for_range_loop") and (
                    node.start_byte <= offset < node.end_byte
                ):
                    return True
                node = node.parent
        return False

    def _encloses(self, node: Node, offset: int) -> bool:
        block: Node | None = node
        while block is not None and block.type not in (
            *_BLOCKS,
            "for_statement",
            "function_definition",
            "lambda_expression",
            "if_statement",
        ):
            block = block.parent
        return block is not None and block.start_byte <= offset <= block.end_byte

    def _parameter_value(self, name: str, function: Node, offset: int, depth: int, uses: list[_Use]) -> Value | None:
        """Value of a parameter that has the same constant at every call in the file and is never assigned."""
        if any(use.kind in ("assign", "assign-axis", "modify", "escape") and use.offset <= offset for use in uses):
            return None
        declarator = function.child_by_field_name("declarator")
        while declarator is not None and declarator.type != "function_declarator":
            declarator = declarator.child_by_field_name("declarator")
        if declarator is None:
            return None
        name_node, parameters = (
            declarator.child_by_field_name("declarator"),
            declarator.child_by_field_name("parameters"),
        )
        if name_node is None or parameters is None or depth > 4:
            return None
        position = _parameter_index(self.text, parameters, name)
        if position is None:
            return None
        function_name = self._slice(name_node).rsplit("::", 1)[-1]
        values = set()
        for call in self._calls_of(function_name):
            arguments = call.child_by_field_name("arguments")
            nodes = (
                [child for child in arguments.named_children if child.type != "comment"]
                if arguments is not None
                else []
            )
            if position >= len(nodes):
                return None
            value = self.dims(self.lower(nodes[position]), call.start_byte, depth + 4)
            if value is None:
                return None
            values.add(value.dims)
        return Value(values.pop(), "last-assignment") if len(values) == 1 else None

    def _calls_of(self, name: str) -> list[Node]:
        if name not in self._calls:
            found = []
            for match in re.finditer(rb"\b" + re.escape(name.encode()) + rb"\b", self.text):
                node = self.root.descendant_for_byte_range(match.start(), match.end())
                parent = node.parent if node is not None else None
                if parent is not None and parent.type == "template_function":
                    parent = parent.parent
                if parent is not None and parent.type == "call_expression":
                    found.append(parent)
            self._calls[name] = found
        return self._calls[name]

    def _slice(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    # -------------------------------------------------------------------------------------------------- uses

    def _uses_of(self, name: str, scope: Node, *, whole_file: bool) -> list[_Use]:
        key = (name, scope.start_byte, scope.end_byte)
        if key not in self._uses:
            found: list[_Use] = []
            if re.fullmatch(r"[A-Za-z_]\w*", name):
                for match in re.finditer(rb"\b" + name.encode() + rb"\b", self.text[scope.start_byte : scope.end_byte]):
                    start = match.start() + scope.start_byte
                    node = self.root.descendant_for_byte_range(start, start + len(name))
                    if node is not None and node.type in ("identifier", "type_identifier"):
                        use = _classify(node)
                        if not whole_file or use.kind != "declare" or _at_file_level(use.node):
                            found.append(use)
            self._uses[key] = found
        return self._uses[key]


def _span(node: Node) -> Span:

    return Span(node.start_byte, node.end_byte)


def _at_file_level(node: Node) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.type in ("compound_statement", "parameter_list", "field_declaration_list"):
            return False
        parent = parent.parent
    return True


def _parameter_index(text: bytes, parameters: Node, name: str) -> int | None:
    children = [child for child in parameters.named_children if child.type != "comment"]
    for index, child in enumerate(children):
        declarator = child.child_by_field_name("declarator")
        if (
            declarator is not None
            and text[declarator.start_byte : declarator.end_byte].decode("utf-8", "replace").lstrip("&* ") == name
        ):
            return index
    return None


def _classify(node: Node) -> _Use:
    """What an occurrence of a name does to it."""
    offset, parent, child = node.start_byte, node.parent, node
    while parent is not None and parent.type in _DECLARATOR_LAYERS:
        child, parent = parent, parent.parent
    if parent is None:
        return _Use("read", node, None, -1, offset)
    kind = parent.type
    if kind == "init_declarator" and parent.child_by_field_name("declarator") == child:
        return _Use("declare", parent, parent.child_by_field_name("value"), -1, offset)
    if kind == "declaration" and child in parent.children_by_field_name("declarator"):
        return _Use("declare", parent, None, -1, offset)
    if (
        kind == "function_declarator"
        and parent.child_by_field_name("declarator") == child
        and parent.parent is not None
    ):
        if parent.parent.type == "declaration":
            return _Use("declare", parent.parent, parent.child_by_field_name("parameters"), -1, offset)
    if (
        kind in ("parameter_declaration", "optional_parameter_declaration")
        and parent.child_by_field_name("declarator") == child
    ):
        if _in_function_head(parent):
            return _Use("parameter", parent, None, -1, offset)
        return _Use("read", node, None, -1, offset)
    if kind == "assignment_expression" and parent.child_by_field_name("left") == child:
        operator = parent.child_by_field_name("operator")
        plain = operator is not None and operator.type == "="
        return _Use("assign" if plain else "modify", parent, parent.child_by_field_name("right"), -1, offset)
    if kind == "update_expression":
        return _Use("modify", parent, None, -1, offset)
    if kind == "pointer_expression" and parent.children[0].type == "&":
        return _Use("escape", parent, None, -1, offset)
    if kind in ("field_expression", "subscript_expression") and parent.child_by_field_name("argument") == child:
        return _classify_component(node, parent, offset)
    return _Use("read", node, None, -1, offset)


def _in_function_head(parameter: Node) -> bool:
    node = parameter.parent
    while node is not None:
        if node.type == "lambda_expression":
            return False
        if node.type == "function_definition":
            return True
        if node.type in ("compound_statement", "declaration"):
            return False
        node = node.parent
    return False


def _classify_component(node: Node, parent: Node, offset: int) -> _Use:
    outer = parent.parent
    if outer is None:
        return _Use("read", node, None, -1, offset)
    field = parent.child_by_field_name("field") or parent.child_by_field_name("indices")
    word = field.text.decode("utf-8", "replace").strip("[] ") if field is not None and field.text is not None else ""
    if outer.type == "assignment_expression" and outer.child_by_field_name("left") == parent:
        operator = outer.child_by_field_name("operator")
        if operator is not None and operator.type == "=" and word in _AXES:
            return _Use("assign-axis", outer, outer.child_by_field_name("right"), _AXES[word], offset)
        return _Use("modify", outer, None, -1, offset)
    if outer.type == "update_expression" or (outer.type == "pointer_expression" and outer.children[0].type == "&"):
        return _Use("modify", outer, None, -1, offset)
    return _Use("read", node, None, -1, offset)


def component(expr: Expr) -> tuple[str, str] | None:
    """(`block`, `x`) of `block.x`."""
    return (expr.base.name, expr.field) if isinstance(expr, Member) and isinstance(expr.base, Name) else None
