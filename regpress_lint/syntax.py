"""Our own syntax tree of device code: what analyses and rules see instead of tree-sitter's nodes.

Nodes are written once by `frontend.lower` and never changed afterwards. They are not `frozen=True` dataclasses only
because a frozen one costs four times as long to create and a run creates millions; they compare and hash by identity,
so that a node can be a dictionary key. Every span is a byte range of the file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from regpress_lint.source import Span


@dataclass(frozen=True, slots=True)
class Type:
    """Type of a variable or expression as far as the source shows it.

    `size` is the bytes of ONE element (arrays keep their extents in `Variable.dims`); a pointer or reference to
    memory has `pointers >= 1` and `size` 8, `pointee_size` then holds the size of what it points to. None = unknown.
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

    @property
    def is_pointer(self) -> bool:
        """True for `T *` and for `T []` parameters."""
        return self.pointers > 0

    @property
    def double(self) -> bool:
        """True for a 64-bit floating scalar."""
        return self.floating and self.size == 8 and self.lanes == 1 and not self.pointers

    @property
    def registers(self) -> int | None:
        """32-bit registers per thread that one value takes; 8- and 16-bit values take a whole one."""
        return None if self.size is None else max(1, (self.size + 3) // 4)


Storage = Literal["local", "parameter", "shared", "static", "constant", "global", "capture", "member", "constexpr"]


@dataclass(slots=True, eq=False)
class Variable:
    """A declared name. `dims` are the array extents as written (None: `[]`), evaluated by `constants`."""

    name: str
    type: Type
    span: Span  # the name
    declaration: Span  # the whole declaration statement or parameter
    storage: Storage = "local"
    dims: tuple[Expr | None, ...] = ()
    init: Expr | None = None
    volatile_span: Span | None = None  # the `volatile` that makes the object itself volatile
    unsized_shared: bool = False  # `extern __shared__ T s[]`

    @property
    def is_array(self) -> bool:
        """True if declared with at least one extent."""
        return bool(self.dims)


# --------------------------------------------------------------------------------------------------- expressions


@dataclass(slots=True, eq=False)
class Literal_:
    """Number, character, boolean or string; `value` is None for a string, `kind` is the C type ("double", "int")."""

    span: Span
    value: int | float | None
    kind: str


@dataclass(slots=True, eq=False)
class Name:
    """A name; qualified names are kept whole (`std::pow`). `variable` is its declaration if that is in view."""

    span: Span
    name: str
    variable: Variable | None = None
    template_args: tuple[str, ...] = ()

    @property
    def last(self) -> str:
        """Last component of a qualified name."""
        return self.name.rsplit("::", 1)[-1]


@dataclass(slots=True, eq=False)
class Member:
    """`base.field` or `base->field`."""

    span: Span
    base: Expr
    field: str
    arrow: bool
    template_args: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Index:
    """`base[index]`; `a[i][j]` nests."""

    span: Span
    base: Expr
    index: Expr


@dataclass(slots=True, eq=False)
class Unary:
    """Prefix operator without side effect: `- + ! ~ * &`."""

    span: Span
    op: str
    operand: Expr


@dataclass(slots=True, eq=False)
class Update:
    """`++x`, `x--`."""

    span: Span
    op: str
    operand: Expr
    prefix: bool


@dataclass(slots=True, eq=False)
class Binary:
    """Binary operator without side effect, the comma operator and `&&`, `||` included."""

    span: Span
    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Assign:
    """`target op value` with op `=`, `+=`, ..."""

    span: Span
    op: str
    target: Expr
    value: Expr


@dataclass(slots=True, eq=False)
class Conditional:
    """`test ? then : other`."""

    span: Span
    test: Expr
    then: Expr
    other: Expr


@dataclass(slots=True, eq=False)
class Call:
    """Function call, constructor call `T(x)` / `T{x}` of a non-arithmetic type, or macro that looks like one.

    `name` is the last component of the callee without template arguments ("pow"), `qualified` as written ("std::pow").
    """

    span: Span
    callee: Expr
    name: str
    qualified: str
    args: tuple[Expr, ...]
    template_args: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Cast:
    """`(T)x`, `static_cast<T>(x)`, `T(x)` of an arithmetic type."""

    span: Span
    type: Type
    operand: Expr
    reinterpret: bool = False


@dataclass(slots=True, eq=False)
class SizeOf:
    """`sizeof(T)` or `sizeof expr`."""

    span: Span
    type: Type | None
    operand: Expr | None


@dataclass(slots=True, eq=False)
class InitList:
    """`{a, b, c}`."""

    span: Span
    items: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class LambdaExpr:
    """A lambda inside a kernel; its body counts as part of the kernel where it is called."""

    span: Span
    parameters: tuple[Variable, ...]
    body: Block
    by_reference: bool


@dataclass(slots=True, eq=False)
class Unknown:
    """Anything that has no class of its own (`new`, `asm`, folds, error nodes): its operands are still seen."""

    span: Span
    kind: str
    children: tuple[Expr, ...] = ()


Expr: TypeAlias = (
    Literal_
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


@dataclass(slots=True, eq=False)
class Declare:
    """One declaration statement."""

    span: Span
    variables: tuple[Variable, ...]


@dataclass(slots=True, eq=False)
class Evaluate:
    """Expression statement."""

    span: Span
    expression: Expr


@dataclass(slots=True, eq=False)
class Block:
    """`{ ... }`."""

    span: Span
    statements: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class If:
    """`if`; `init` holds `if (T x = ...)` declarations."""

    span: Span
    test: Expr
    then: Stmt
    other: Stmt | None
    init: tuple[Stmt, ...] = ()
    is_constexpr: bool = False


@dataclass(slots=True, eq=False)
class Unroll:
    """`#pragma unroll [factor]` (or a macro that stands for it) in front of a loop.

    factor None: no factor written (unroll fully). `#pragma nounroll` has `factor` a literal 1.
    """

    span: Span
    factor: Expr | None
    text: str


@dataclass(slots=True, eq=False)
class Loop:
    """`for`, `while`, `do`, range `for` and loop macros. `test` is None for `for (;;)`."""

    span: Span
    kind: Literal["for", "while", "do", "range"]
    init: tuple[Stmt, ...]
    test: Expr | None
    step: Expr | None
    body: Stmt
    unroll: Unroll | None = None


@dataclass(slots=True, eq=False)
class Switch:
    """`switch`; cases are `Case` statements inside the body, which may fall through."""

    span: Span
    subject: Expr
    body: Stmt


@dataclass(slots=True, eq=False)
class Case:
    """`case value:` / `default:` (value None) with the statements up to the next label."""

    span: Span
    value: Expr | None
    statements: tuple[Stmt, ...]


@dataclass(slots=True, eq=False)
class Return:
    """`return`."""

    span: Span
    value: Expr | None


@dataclass(slots=True, eq=False)
class Jump:
    """`break`, `continue`, `goto label`."""

    span: Span
    kind: Literal["break", "continue", "goto"]
    label: str | None = None


@dataclass(slots=True, eq=False)
class Label:
    """`name: statement`."""

    span: Span
    name: str
    statement: Stmt | None


Stmt: TypeAlias = Declare | Evaluate | Block | If | Loop | Switch | Case | Return | Jump | Label


# ----------------------------------------------------------------------------------------------------- functions


@dataclass(frozen=True, slots=True)
class TemplateParameter:
    """`default` is the source text of the default argument."""

    name: str
    is_type: bool
    default: str | None = None


@dataclass(slots=True, eq=False)
class Function:
    """A function definition (or a lambda / functor that is a kernel's body) in our own tree."""

    name: str  # last component, "" for a lambda
    qualified: str
    span: Span  # from the return type (or `[`) to the closing brace
    name_span: Span
    parameters: tuple[Variable, ...]
    body: Block
    return_type: Type | None = None
    template: tuple[TemplateParameter, ...] = ()
    template_args: tuple[str, ...] = ()  # of an explicit specialisation
    qualifiers: frozenset[str] = frozenset()  # global, device, host, noinline, forceinline, inline, virtual
    attributes: tuple[str, ...] = ()  # texts of [[...]] and __attribute__
    path: str = ""  # the file that defines it
    captures: tuple[Variable, ...] = ()
    unparsed: tuple[Span, ...] = field(default=())  # ERROR or MISSING nodes inside the body
