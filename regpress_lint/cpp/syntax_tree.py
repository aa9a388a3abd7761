"""Our own syntax tree of device code: what analyses and rules see instead of tree-sitter's nodes.

Lowering (`cpp/lower`, `cpp/names/lowering.py`) makes the nodes. Who asked for a kernel's function may finish it before
anyone else sees it (`program/kernel_bodies.py`, `program/thread_indices.py`); from then on no node changes, but that a
function's body is made when it is asked for first.

They are plain classes and not frozen dataclasses for two measured reasons: a dataclass costs 0.4 ms of every start (it
compiles its methods when it is imported), and a frozen one takes four times as long to create, of which a run does
millions. They compare and hash by identity, so that a node can be a dictionary key. Every span is a byte range of the
file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.core.source import Span


class Type(NamedTuple):
    """Type of a variable or expression as far as the source shows it.

    `size` is the bytes of ONE element (arrays keep their extents in `Variable.dims`); a pointer or reference to
    memory has `pointers >= 1` and `size` 8, `pointee_size` then holds the size of what it points to. None = unknown.
    `decayed` marks an array member of a struct: its name is an address, and no pointer is read for it.
    `lanes` is 2..16 for vector types (float4, sycl::vec<float, 4>), else 1. `pointee_const` and
    `pointee_volatile` qualify what a pointer points to.
    """

    name: str
    size: int | None = None
    pointers: int = 0
    pointee_size: int | None = None
    reference: bool = False
    const: bool = False
    volatile: bool = False
    pointee_volatile: bool = False
    pointee_const: bool = False
    restrict: bool = False
    lanes: int = 1
    struct: bool = False
    floating: bool = False
    signed: bool = True
    decayed: bool = False

    @property
    def double(self) -> bool:
        """True for a 64-bit floating scalar."""
        return self.floating and self.size == 8 and self.lanes == 1 and not self.pointers

    @property
    def registers(self) -> int | None:
        """32-bit registers per thread that one value takes; 8- and 16-bit values take a whole one."""
        size = self.size
        return None if size is None else (size + 3) // 4 or 1


Storage = Literal["local", "parameter", "shared", "static", "constant", "global", "capture", "member", "constexpr"]


class Variable:
    """A declared name. `dims` are the array extents as written (None: `[]`), evaluated by `constants`."""

    __slots__ = ("declaration", "dims", "init", "name", "span", "storage", "type", "unsized_shared", "volatile_span")

    def __init__(
        self,
        name: str,
        type: Type,
        span: Span,
        declaration: Span,
        storage: Storage = "local",
        dims: tuple[Expr | None, ...] = (),
        init: Expr | None = None,
        volatile_span: Span | None = None,
        unsized_shared: bool = False,
    ) -> None:
        self.name = name
        self.type = type
        self.span = span  # the name
        self.declaration = declaration  # the whole declaration statement or parameter
        self.storage = storage
        self.dims = dims
        self.init = init
        self.volatile_span = volatile_span  # the `volatile` that makes the object itself volatile
        self.unsized_shared = unsized_shared  # `extern __shared__ T s[]`

    @property
    def is_array(self) -> bool:
        """True if declared with at least one extent."""
        return bool(self.dims)


# --------------------------------------------------------------------------------------------------- expressions


class Constant:
    """Number, character, boolean or string; `value` is None for a string, `kind` is the C type ("double", "int")."""

    __slots__ = ("kind", "span", "value")

    def __init__(self, span: Span, value: int | float | None, kind: str) -> None:
        self.span = span
        self.value = value
        self.kind = kind


class Name:
    """A name; qualified names are kept whole (`std::pow`). `variable` is its declaration if that is in view."""

    __slots__ = ("name", "span", "template_args", "variable")

    def __init__(
        self, span: Span, name: str, variable: Variable | None = None, template_args: tuple[str, ...] = ()
    ) -> None:
        self.span = span
        self.name = name
        self.variable = variable
        self.template_args = template_args

    @property
    def last(self) -> str:
        """Last component of a qualified name."""
        return self.name.rsplit("::", 1)[-1]


class Member:
    """`base.field` or `base->field`."""

    __slots__ = ("arrow", "base", "field", "span", "template_args")

    def __init__(self, span: Span, base: Expr, field: str, arrow: bool, template_args: tuple[str, ...] = ()) -> None:
        self.span = span
        self.base = base
        self.field = field
        self.arrow = arrow
        self.template_args = template_args


class Index:
    """`base[index]`; `a[i][j]` nests."""

    __slots__ = ("base", "index", "span")

    def __init__(self, span: Span, base: Expr, index: Expr) -> None:
        self.span = span
        self.base = base
        self.index = index


class Unary:
    """Prefix operator without side effect: `- + ! ~ * &`."""

    __slots__ = ("op", "operand", "span")

    def __init__(self, span: Span, op: str, operand: Expr) -> None:
        self.span = span
        self.op = op
        self.operand = operand


class Update:
    """`++x`, `x--`."""

    __slots__ = ("op", "operand", "prefix", "span")

    def __init__(self, span: Span, op: str, operand: Expr, prefix: bool) -> None:
        self.span = span
        self.op = op
        self.operand = operand
        self.prefix = prefix


class Binary:
    """Binary operator without side effect, the comma operator and `&&`, `||` included."""

    __slots__ = ("left", "op", "right", "span")

    def __init__(self, span: Span, op: str, left: Expr, right: Expr) -> None:
        self.span = span
        self.op = op
        self.left = left
        self.right = right


class Assign:
    """`target op value` with op `=`, `+=`, ..."""

    __slots__ = ("op", "span", "target", "value")

    def __init__(self, span: Span, op: str, target: Expr, value: Expr) -> None:
        self.span = span
        self.op = op
        self.target = target
        self.value = value


class Conditional:
    """`test ? then : other`."""

    __slots__ = ("other", "span", "test", "then")

    def __init__(self, span: Span, test: Expr, then: Expr, other: Expr) -> None:
        self.span = span
        self.test = test
        self.then = then
        self.other = other


class Call:
    """Function call, constructor call `T(x)` / `T{x}` of a non-arithmetic type, or macro that looks like one.

    `name` is the last component of the callee without template arguments ("pow"), `qualified` as written ("std::pow").
    """

    __slots__ = ("args", "callee", "name", "qualified", "span", "template_args")

    def __init__(
        self,
        span: Span,
        callee: Expr,
        name: str,
        qualified: str,
        args: tuple[Expr, ...],
        template_args: tuple[str, ...] = (),
    ) -> None:
        self.span = span
        self.callee = callee
        self.name = name
        self.qualified = qualified
        self.args = args
        self.template_args = template_args


class Cast:
    """`(T)x`, `static_cast<T>(x)`, `T(x)` of an arithmetic type."""

    __slots__ = ("operand", "reinterpret", "span", "type")

    def __init__(self, span: Span, type: Type, operand: Expr, reinterpret: bool = False) -> None:
        self.span = span
        self.type = type
        self.operand = operand
        self.reinterpret = reinterpret


class SizeOf:
    """`sizeof(T)` or `sizeof expr`."""

    __slots__ = ("operand", "span", "type")

    def __init__(self, span: Span, type: Type | None, operand: Expr | None) -> None:
        self.span = span
        self.type = type
        self.operand = operand


class InitList:
    """`{a, b, c}`."""

    __slots__ = ("items", "span")

    def __init__(self, span: Span, items: tuple[Expr, ...]) -> None:
        self.span = span
        self.items = items


class LambdaExpr:
    """A lambda inside a kernel; its body counts as part of the kernel where it is called."""

    __slots__ = ("body", "by_reference", "parameters", "span")

    def __init__(self, span: Span, parameters: tuple[Variable, ...], body: Block, by_reference: bool) -> None:
        self.span = span
        self.parameters = parameters
        self.body = body
        self.by_reference = by_reference


class Unknown:
    """Anything that has no class of its own (`new`, `asm`, folds, error nodes): its operands are still seen."""

    __slots__ = ("children", "kind", "span")

    def __init__(self, span: Span, kind: str, children: tuple[Expr, ...] = ()) -> None:
        self.span = span
        self.kind = kind
        self.children = children


class AssemblyOperand(NamedTuple):
    """`[name] "=r"(value)`: an operand of inline assembly."""

    constraint: str
    value: Expr
    name: str = ""


class Assembly(Unknown):
    """Inline assembly. text: its strings as one, None where a macro spells a part of it. `children` are as in any other
    Unknown: for those who only ask what is in it.
    """

    __slots__ = ("clobbers_memory", "inputs", "outputs", "text")

    def __init__(
        self,
        span: Span,
        children: tuple[Expr, ...],
        text: str | None,
        outputs: tuple[AssemblyOperand, ...] = (),
        inputs: tuple[AssemblyOperand, ...] = (),
        clobbers_memory: bool = False,
    ) -> None:
        super().__init__(span, "gnu_asm_expression", children)
        self.text = text
        self.outputs = outputs
        self.inputs = inputs
        self.clobbers_memory = clobbers_memory


Expr: TypeAlias = (
    Constant
    | Name
    | Member
    | Index
    | Unary
    | Update
    | Binary
    | Assign
    | Conditional
    | Call
    | Cast
    | SizeOf
    | InitList
    | LambdaExpr
    | Unknown
)

# ---------------------------------------------------------------------------------------------------- statements


class Declare:
    """One declaration statement."""

    __slots__ = ("span", "variables")

    def __init__(self, span: Span, variables: tuple[Variable, ...]) -> None:
        self.span = span
        self.variables = variables


class Evaluate:
    """Expression statement."""

    __slots__ = ("expression", "span")

    def __init__(self, span: Span, expression: Expr) -> None:
        self.span = span
        self.expression = expression


class Block:
    """`{ ... }`."""

    __slots__ = ("span", "statements")

    def __init__(self, span: Span, statements: tuple[Stmt, ...]) -> None:
        self.span = span
        self.statements = statements


class If:
    """`if`; `init` holds `if (T x = ...)` declarations."""

    __slots__ = ("init", "is_constexpr", "other", "span", "test", "then")

    def __init__(
        self,
        span: Span,
        test: Expr,
        then: Stmt,
        other: Stmt | None,
        init: tuple[Stmt, ...] = (),
        is_constexpr: bool = False,
    ) -> None:
        self.span = span
        self.test = test
        self.then = then
        self.other = other
        self.init = init
        self.is_constexpr = is_constexpr


class Unroll:
    """`#pragma unroll [factor]` (or a macro that stands for it) in front of a loop.

    factor None: no factor written (unroll fully). `#pragma nounroll` has `factor` a literal 1.
    """

    __slots__ = ("factor", "span", "text")

    def __init__(self, span: Span, factor: Expr | None, text: str) -> None:
        self.span = span
        self.factor = factor
        self.text = text


class Loop:
    """`for`, `while`, `do`, range `for` and loop macros. `test` is None for `for (;;)`."""

    __slots__ = ("body", "init", "kind", "span", "step", "test", "unroll")

    def __init__(
        self,
        span: Span,
        kind: Literal["for", "while", "do", "range"],
        init: tuple[Stmt, ...],
        test: Expr | None,
        step: Expr | None,
        body: Stmt,
        unroll: Unroll | None = None,
    ) -> None:
        self.span = span
        self.kind = kind
        self.init = init
        self.test = test
        self.step = step
        self.body = body
        self.unroll = unroll


class Switch:
    """`switch`; cases are `Case` statements inside the body, which may fall through."""

    __slots__ = ("body", "span", "subject")

    def __init__(self, span: Span, subject: Expr, body: Stmt) -> None:
        self.span = span
        self.subject = subject
        self.body = body


class Case:
    """`case value:` / `default:` (value None) with the statements up to the next label."""

    __slots__ = ("span", "statements", "value")

    def __init__(self, span: Span, value: Expr | None, statements: tuple[Stmt, ...]) -> None:
        self.span = span
        self.value = value
        self.statements = statements


class Return:
    """`return`."""

    __slots__ = ("span", "value")

    def __init__(self, span: Span, value: Expr | None) -> None:
        self.span = span
        self.value = value


class Jump:
    """`break`, `continue`, `goto label`."""

    __slots__ = ("kind", "label", "span")

    def __init__(self, span: Span, kind: Literal["break", "continue", "goto"], label: str | None = None) -> None:
        self.span = span
        self.kind = kind
        self.label = label


class Label:
    """`name: statement`."""

    __slots__ = ("name", "span", "statement")

    def __init__(self, span: Span, name: str, statement: Stmt | None) -> None:
        self.span = span
        self.name = name
        self.statement = statement


Stmt: TypeAlias = Declare | Evaluate | Block | If | Loop | Switch | Case | Return | Jump | Label


# ----------------------------------------------------------------------------------------------------- functions


class TemplateParameter:
    """`default` is the source text of the default argument."""

    __slots__ = ("default", "is_type", "name")

    def __init__(self, name: str, is_type: bool, default: str | None = None) -> None:
        self.name = name
        self.is_type = is_type
        self.default = default


class Unread(NamedTuple):
    """A body that nobody has asked for yet: where it stands; `read` gives its tree, and what was not understood."""

    span: Span
    read: Callable[[], tuple[Block, tuple[Span, ...]]]


class Function:
    """A function definition (or a lambda / functor that is a kernel's body) in our own tree. The body is made when it
    is asked for first: of most functions nobody wants to know more than the head.
    """

    __slots__ = (
        "_body",
        "_unparsed",
        "attributes",
        "captures",
        "name",
        "name_span",
        "parameters",
        "path",
        "qualified",
        "qualifiers",
        "return_type",
        "span",
        "template",
        "template_args",
        "walked",
    )

    def __init__(
        self,
        name: str,
        qualified: str,
        span: Span,
        name_span: Span,
        parameters: tuple[Variable, ...],
        body: Block | Unread,
        return_type: Type | None = None,
        template: tuple[TemplateParameter, ...] = (),
        template_args: tuple[str, ...] = (),
        qualifiers: frozenset[str] = frozenset(),
        attributes: tuple[str, ...] = (),
        path: str = "",
        captures: tuple[Variable, ...] = (),
    ) -> None:
        self.name = name  # last component, "" for a lambda
        self.qualified = qualified
        self.span = span  # from the return type (or `[`) to the closing brace
        self.name_span = name_span
        self.parameters = parameters
        self._body = body
        self._unparsed: tuple[Span, ...] = ()
        self.walked: tuple[Expr | Stmt, ...] | None = None  # see `traversal.nodes_of`
        self.return_type = return_type
        self.template = template
        self.template_args = template_args  # of an explicit specialisation
        self.qualifiers = qualifiers  # global, device, host, noinline, forceinline, inline, virtual
        self.attributes = attributes  # texts of [[...]] and __attribute__
        self.path = path  # the file that defines it
        self.captures = captures

    @property
    def body(self) -> Block:
        """Its statements."""
        found = self._body
        if isinstance(found, Unread):
            found, self._unparsed = found.read()
            self._body = found
        return found

    @body.setter
    def body(self, body: Block) -> None:  # for who finishes it
        self._body, self.walked = body, None

    @property
    def body_span(self) -> Span:
        """Where the body stands, its braces included."""
        return self._body.span

    @property
    def unparsed(self) -> tuple[Span, ...]:
        """ERROR or MISSING nodes inside the body."""
        _ = self.body
        return self._unparsed
