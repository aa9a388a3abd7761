"""Values of host expressions at a launch: what a reader finds by looking up the names in the enclosing function.

A name is settled by its declaration if nothing assigns to it before the launch, else by the last assignment in
straight-line code before the launch. Anything else - a loop over sizes, `if (n < 1024) block = 64`, an address passed
to an occupancy query - stays unknown.
"""

from __future__ import annotations

from operator import add, mul, sub
from typing import TYPE_CHECKING, Any

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.conditions import arm_taken
from regpress_lint.cpp.constants import convert, evaluate
from regpress_lint.cpp.lexical import bare_name
from regpress_lint.cpp.lower.lowering_context import span_of
from regpress_lint.cpp.name_uses import AXES, CHANGES, Use, comes_back, encloses, innermost, straight, template_names
from regpress_lint.cpp.names.definitions import scoped_names
from regpress_lint.cpp.names.host_text import HostText
from regpress_lint.cpp.parse import children_of, nearest
from regpress_lint.cpp.syntax_tree import Binary, Call, Expr, InitList, Name, Unknown
from regpress_lint.cpp.types import builtin_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope


_MAX_DEPTH = 12
_ON_RANGES: Mapping[str, Callable[[Number, Number], Number]] = {"+": add, "-": sub, "*": mul}
_DIMENSIONS = frozenset(("dim3", "uint3", "range", "id", "Dim3", "make_uint3"))
# Types whose braces list the dimensions in order.
_TUPLES = _DIMENSIONS | {"auto", "int2", "int3", "uint2"}
_WRITES = frozenset(("swap", "exchange", "getline", "tie", "minmax"))  # of the standard library, by reference


def _makes_range(expr: Expr) -> bool:
    """True where a range is written out: of numbers alone, a macro without parentheses makes another product."""
    if isinstance(expr, Binary):
        return _makes_range(expr.left) or _makes_range(expr.right)
    return isinstance(expr, Call) and expr.name in _DIMENSIONS


class Value(NamedTuple):
    """A resolved value: dimensions in the order written, and how it was settled."""

    dims: tuple[Number, ...]
    certainty: str


# Declarations of a scope with their declarators, by the names that they give, in the order of the text.
Declared = dict[str, list[tuple["Node", "Node"]]]


class HostValues(HostText):
    """Look-ups in one file; remembers what it has found."""

    def __init__(self, scope: Scope, parsed: ParsedFile, parse_index: int = 0) -> None:
        super().__init__(parsed, parse_index)
        self.scope = scope
        self.parsed = parsed
        self.parse_index = parse_index
        self._bound: Mapping[str, Number] = {}
        self.remembered: dict[tuple[str, int, int], Any] = {}  # what others found out here, by question and place
        # What `declaration_of` knows of scopes, and of the scopes around a node, by the ids of the nodes.
        self.declared: dict[int, Declared] = {}
        self.around: dict[int, list[tuple[Declared, int | None]]] = {}

    def lower(self, node: Node) -> Expr:
        """Our own tree of a host expression."""
        return self.scope.lower_expression(node, self.parsed, self.parse_index)

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
        if number is None and isinstance(expr, Binary) and expr.op in _ON_RANGES and _makes_range(expr):
            return self._of_ranges(expr, offset, depth)
        return Value((number,), "constant") if number is not None else None

    def _of_ranges(self, expr: Binary, offset: int, depth: int) -> Value | None:
        """`range<2>(8, 8) * 2` and the like: each dimension by itself, a number with all of them."""
        left, right = self.dims(expr.left, offset, depth + 1), self.dims(expr.right, offset, depth + 1)
        if left is None or right is None:
            return None
        count = max(len(left.dims), len(right.dims))
        sides = [side.dims * count if len(side.dims) == 1 else side.dims for side in (left, right)]
        if len(sides[0]) != len(sides[1]):
            return None
        return Value(tuple(_ON_RANGES[expr.op](a, b) for a, b in zip(*sides, strict=True)), "constant")

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
            if axis and axis not in AXES and not axis.isdigit():
                return None  # a member of a structure of the user's own
            name_dims = self._name_dims(base, offset, depth + 1, component=bool(axis))
            if name_dims is None or (not axis and len(name_dims.dims) != 1):
                return None
            if axis.isdigit():  # of an array, or of a SYCL range
                return name_dims.dims[int(axis)] if int(axis) < len(name_dims.dims) else None
            index = AXES.get(axis, 0)
            return name_dims.dims[index] if index < len(name_dims.dims) else 1

        return evaluate(expr, self.scope.environment_of(names))

    def number_in(self, expr: Expr, offset: int, bound: Mapping[str, Number]) -> Number | None:
        """`number` in one instantiation of the host template around `offset`, whose parameters are `bound`."""
        before, self._bound = self._bound, bound
        try:
            return self.number(expr, offset)
        finally:
            self._bound = before

    def _name_dims(self, name: str, offset: int, depth: int, *, component: bool = False) -> Value | None:
        if depth > _MAX_DEPTH:
            return None
        function = self.function_at(offset)
        local = self._resolve(name, offset, function, depth) if function is not None else None
        if local is not None:
            return local if local.dims else None
        if name.encode() in template_names(function):
            number = self._bound.get(name)
            return Value((number,), "constant") if number is not None else None
        constant = None if component else self.scope.constant(self._scoped(name, offset))
        if constant is not None:
            return Value((constant,), "constant" if self._is_own(name) else "header")
        if bodies := {macro.body for macro in self.parsed.macros.all(name) if macro.params is None}:
            # Several definitions: `constant` has looked which one counts, and found no answer.
            expr = self.scope.expression_of_text(bodies.pop()) if len(bodies) == 1 else None
            return self.dims(expr, offset, depth + 1) if expr is not None else None
        value = self._resolve(name, len(self.text), self.root, depth, whole_file=True)
        return value if value is not None and value.dims else None

    def _scoped(self, name: str, offset: int) -> str:
        """The one definition that a name means at a place if several scopes of the file define it."""
        if name not in self.parsed.placed_constants and name not in self.parsed.redefined_macros:
            return name
        node = self.root.descendant_for_byte_range(offset, offset) or self.root
        return scoped_names(self.parsed, node, names=(name,)).get(name, name)

    def initial_of(self, name: str, offset: int) -> Expr | None:
        """Initialiser of a local that nothing assigns to before `offset`, as an expression."""
        function = self.function_at(offset)
        uses = self.uses_of(name, function, whole_file=False) if function is not None else []
        before = [
            use
            for use in uses
            if use.offset <= offset
            and use.kind not in ("read", "argument")
            and encloses(use.node, offset)
            and self._taken(use, offset) is not False
        ]
        if not before or before[-1].kind not in ("declare", "assign"):
            return None
        last = before[-1]
        if last.kind == "assign" and not straight(last.node, offset):
            return None
        value = last.value
        if value is None:
            return None
        if value.type in ("argument_list", "initializer_list"):
            items = tuple(map(self.lower, children_of(value)))
            type_name = _declared(value)
            return Call(span_of(value), Name(span_of(value), type_name), type_name, type_name, items)
        return self._initial(value)

    # ------------------------------------------------------------------------------------------------- names

    def _resolve(self, name: str, offset: int, scope: Node, depth: int, *, whole_file: bool = False) -> Value | None:
        """Value of a name in a scope; an empty `dims` means "declared here and not a constant", None "not here"."""
        uses = self.uses_of(name, scope, whole_file=whole_file)
        if whole_file or self._has_conditionals(scope):
            uses = [use for use in uses if self._taken(use, offset) is not False]
        declaration = innermost(uses, offset)
        if declaration is None:
            return None
        unsettled = Value((), "unknown")
        if declaration.kind == "opaque" or self._taken(declaration, offset) is None:
            return unsettled
        if declaration.kind == "parameter":
            return self._parameter_value(name, scope, depth, uses) or unsettled
        changes = [use for use in uses if use.kind in CHANGES or (use.kind == "argument" and self._may_write(use))]
        if not whole_file:
            changes = [use for use in changes if innermost(uses, use.offset) is declaration]
        later = [use for use in changes if whole_file or use.offset <= offset]
        if any(use.kind not in ("assign", "assign-axis") or self._taken(use, offset) is None for use in later):
            return unsettled
        if not whole_file and comes_back(changes, _settled_at(later, declaration, offset), offset, self.text):
            return unsettled
        if not later:
            return self._declared(declaration, declaration, depth) or unsettled
        return self._assigned(declaration, later, offset, depth) or unsettled

    def _has_conditionals(self, scope: Node) -> bool:
        """True if the preprocessor may cut a part out of a function."""
        return self.text.find(b"#", scope.start_byte, scope.end_byte) >= 0

    def _taken(self, use: Use, offset: int) -> bool | None:
        """Whether the `#if` branch of a use is compiled; None if unknown."""
        return arm_taken(use.node, offset, self.slice, self.scope.defined_before)

    def _may_write(self, use: Use, depth: int = 0) -> bool:
        """Whether an argument binds to a non-const reference that the function may change."""
        call = use.node.parent
        function = call.child_by_field_name("function") if call is not None else None
        if function is None:
            return False
        name = bare_name(self.slice(function))
        if name in _WRITES:
            return True
        arguments = children_of(use.node)
        definition = self.scope.find_node(name, len(arguments))
        if definition is None:
            return False
        parsed, target = definition
        children = children_of(target.declarator, "parameters")
        position = next((i for i, node in enumerate(arguments) if node.end_byte >= use.offset), 0)
        if position >= len(children):
            return False
        declarator = children[position].child_by_field_name("declarator")
        reference = declarator is not None and "reference" in declarator.type
        if not reference or "const" in parsed.text(children[position], target.parse_index).split():
            return False
        assert declarator is not None
        if depth > _MAX_DEPTH:
            return True
        parameter = parsed.text(declarator, target.parse_index).lstrip("& ")
        callee = self if parsed is self.parsed else HostValues(self.scope, parsed, target.parse_index)
        uses = callee.uses_of(parameter, target.node, whole_file=False)
        return any(
            inner_use.kind in CHANGES or (inner_use.kind == "argument" and callee._may_write(inner_use, depth + 1))
            for inner_use in uses
        )

    def _declared(self, use: Use, declaration: Use, depth: int) -> Value | None:
        """Value that a declaration or assignment gives, converted to the declared type."""
        if use.value is None:
            return None
        value = self.dims(self._initial(use.value), use.offset, depth + 1)
        if value is None:
            return None
        owner = declaration.node if declaration.node.type == "declaration" else declaration.node.parent
        type_node = owner.child_by_field_name("type") if owner is not None else None
        type_name = self.slice(type_node) if type_node is not None else "auto"
        scalar = builtin_type(type_name)
        dims = value.dims
        if scalar is not None and not scalar.struct and scalar.lanes == 1:
            converted = [convert(scalar, dim) for dim in dims]
            dims = tuple(dim for dim in converted if dim is not None)
        elif len(dims) > 1 and bare_name(type_name) not in _TUPLES:
            return None  # `Config c{256, 2}`: nobody says which member comes first
        if len(dims) != len(value.dims):
            return None
        return Value(dims, "single-assignment" if value.certainty == "constant" else value.certainty)

    def _initial(self, node: Node) -> Expr:
        if node.type == "argument_list":
            items = children_of(node)
            if len(items) == 1:
                return self.lower(items[0])
            lowered = tuple(self.lower(child) for child in items)
            return Call(
                lowered[0].span if lowered else span_of(node), Name(span_of(node), "dim3"), "dim3", "dim3", lowered
            )
        if node.type == "parameter_list":  # `dim3 block(bx, by);` read as a function
            # ... and `dim3 block(WARPS * SIZE);` as one that takes a pointer: what is written is what counts.
            texts = (self.slice(child) for child in node.named_children)
            written = (self.scope.expression_of_text(text) for text in texts)
            return InitList(span_of(node), tuple(expr or Unknown(span_of(node), "") for expr in written))
        return self.lower(node)

    def _assigned(self, declaration: Use, later: list[Use], offset: int, depth: int) -> Value | None:
        """Last straight-line assignment; component assignments on top of it."""
        whole = [use for use in later if use.kind == "assign"]
        axes = [use for use in later if use.kind == "assign-axis"]
        if any(not straight(use.node, offset) for use in later):
            return None
        start = whole[-1] if whole else declaration
        base = self._declared(start, declaration, depth) if start.value is not None else Value((), "constant")
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

    def _parameter_value(self, name: str, function: Node, depth: int, uses: list[Use]) -> Value | None:
        """Value of a parameter that has the same constant at every call in the file and is never assigned."""
        if any(use.kind in CHANGES or (use.kind == "argument" and self._may_write(use)) for use in uses):
            return None
        declarator = nearest(function, ("function_declarator",), "declarator")
        if declarator is None or depth > 4:
            return None
        name_node = declarator.child_by_field_name("declarator")
        position = self._parameter_index(declarator, name)
        if position is None or name_node is None:
            return None
        values: set[tuple[Number, ...]] = set()
        for caller, calls in self._callers(self.slice(name_node).rsplit("::", 1)[-1]):
            passed = [caller._argument_value(call, position, depth) for call in calls or ()]
            if calls is None or None in passed:
                return None
            values |= {value.dims for value in passed if value is not None}
        return Value(values.pop(), "last-assignment") if len(values) == 1 else None

    def _parameter_index(self, declarator: Node, name: str) -> int | None:
        names = [child.child_by_field_name("declarator") for child in children_of(declarator, "parameters")]
        return next((index for index, node in enumerate(names) if self.slice(node).lstrip("&* ") == name), None)

    def _callers(self, name: str) -> Iterator[tuple[HostValues, list[Node] | None]]:
        """Calls of a function in this file and, of a header's, in those that include it."""
        yield self, self.calls_of(name)
        for view in self.scope.includer_scopes() if self.parsed is self.scope.parsed else ():
            if name in view.parsed.words:
                includer = HostValues(view, view.parsed)
                yield includer, includer.calls_of(name)

    def _argument_value(self, call: Node, position: int, depth: int) -> Value | None:
        """Value of an argument where the function is called."""
        nodes = children_of(call, "arguments")
        if position >= len(nodes):
            return None
        before, self._bound = self._bound, {}  # another function, with template parameters of its own
        value = self.dims(self.lower(nodes[position]), call.start_byte, depth + 4)
        self._bound = before
        return value

    def _is_own(self, name: str) -> bool:
        """True if the file itself defines a constant, not one of its headers."""
        macro = self.parsed.macros.get(name)
        return macro.path == self.parsed.source.path if macro is not None else name in self.parsed.constants


def _settled_at(changes: list[Use], declaration: Use, offset: int) -> Use:
    """The first of the straight-line statements in front of a launch that together overwrite the whole value."""
    straight_ones = [use for use in changes if straight(use.node, offset)]
    whole = [use for use in straight_ones if use.kind == "assign"]
    last = {use.axis: use for use in straight_ones if use.kind == "assign-axis"}
    if len(last) == 3:
        first = min(last.values(), key=lambda use: use.offset)
        return max(first, whole[-1], key=lambda use: use.offset) if whole else first
    return whole[-1] if whole else declaration


def _declared(value: Node) -> str:
    """`range` for the arguments of a `sycl::range` that is declared; others are taken for an `nd_range`'s."""
    declaration = value.parent.parent if value.parent is not None else None
    type_ = declaration.child_by_field_name("type") if declaration is not None else None
    words = (type_.text or b"").partition(b"<")[0].rpartition(b"::")[2] if type_ is not None else b""
    return "range" if words.strip() == b"range" else "nd_range"
