"""Types, expressions, and the variables that they name."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Literal, TypeAlias

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree.statement_nodes import Block


# The type of a variable or expression, as far as the source shows it.


UNNAMED = "unnamed_"


def unnamed(span: Span) -> str:
    """The name that a class has here which is written without one, `union { float f; unsigned u; } x;`: its place."""
    return f"{UNNAMED}{span.start}_{span.end}"


class Type(NamedTuple):
    """Type of a variable or expression as far as the source shows it.

    `size` is the bytes of ONE element (arrays keep their extents in `Variable.dims`); a pointer or reference to
    memory has `pointers >= 1` and `size` 8, `pointee_size` is then the size of the object it points to. None = unknown.
    `decayed` marks an array member of a struct: its name is an address, and no pointer is read for it.
    `lanes` is 2..16 for vector types (float4, sycl::vec<float, 4>), else 1. `pointee_const` and
    `pointee_volatile` qualify what a pointer points to. `extents` are those of a name for an array
    (`typedef float row[8]`): what is declared with it has them in its `Variable.dims`; a pointer to it, `row *p` in a
    struct, has them itself.
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
    extents: tuple[int, ...] = ()

    @property
    def shown(self) -> str:
        """The name for a reader: `struct` for a class that has none."""
        return "struct" if self.name.startswith(UNNAMED) else self.name

    @property
    def bytes(self) -> int | None:
        """The result of `sizeof`."""
        return self.size if self.pointers or self.size is None else self.size * prod(self.extents)

    @property
    def double(self) -> bool:
        """True for a 64-bit floating scalar."""
        return self.floating and self.size == 8 and self.lanes == 1 and not self.pointers

    @property
    def registers(self) -> int | None:
        """32-bit registers per thread that one value takes; 8- and 16-bit values take a whole one."""
        size = self.size
        return None if size is None else (size + 3) // 4 or 1


# Expressions, and the variables that they name.


Storage = Literal["local", "parameter", "shared", "static", "constant", "global", "capture", "member", "constexpr"]


class Variable:
    """A declared name. `dims` are the array extents as written (None: `[]`), evaluated by `constants`."""

    __slots__ = (
        "bounds",
        "declaration",
        "dims",
        "grid_constant",
        "init",
        "is_pack",
        "name",
        "span",
        "storage",
        "type",
        "unsized_shared",
        "volatile_span",
    )

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
        grid_constant: bool = False,
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
        self.grid_constant = grid_constant  # a parameter that nvcc reads where it is: `__grid_constant__`
        self.bounds: tuple[Expr | None, ...] = ()  # of a parameter that refers to an array: `T (&v)[N]`
        self.is_pack = False  # a parameter that stands for any number of arguments: `T... t`

    @property
    def is_array(self) -> bool:
        """True if declared with at least one extent."""
        return bool(self.dims)


class Constant:
    """Number, character, boolean or string; `value` is None for a string, `kind` is the C type ("double", "int")."""

    __slots__ = ("kind", "span", "value")

    def __init__(self, span: Span, value: int | float | None, kind: str) -> None:
        self.span = span
        self.value = value
        self.kind = kind


class Name:
    """A name; qualified names are kept whole (`std::pow`). `variable` is its declaration if that is visible."""

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

    @property
    def written(self) -> str:
        """The name with its template arguments: `size<8>`."""
        return f"{self.name}<{', '.join(self.template_args)}>" if self.template_args else self.name


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


# The callee of the initialiser of `y` in `auto [x, y] = f();`: the object without a name is its only argument, the
# position of the member its template argument.
BOUND = "[]"
# The callee that stands for `a.*m` and `p->*m`: its arguments are the object, or a pointer to it, and `m`.
POINTED = ".*"


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
    """A lambda inside a kernel; its body counts as part of the kernel where it is called. `returns_reference`: a call
    of it names an object.
    """

    __slots__ = ("body", "parameters", "returns_reference", "span")

    def __init__(
        self, span: Span, parameters: tuple[Variable, ...], body: Block, returns_reference: bool = False
    ) -> None:
        self.span = span
        self.parameters = parameters
        self.body = body
        self.returns_reference = returns_reference


class Unknown:
    """Anything that has no class of its own (`new`, `asm`, folds, error nodes): its operands are still seen."""

    __slots__ = ("children", "kind", "span")

    def __init__(self, span: Span, kind: str, children: tuple[Expr, ...] = ()) -> None:
        self.span = span
        self.kind = kind
        self.children = children


# Kind of the `Unknown` that `.name = value` in braces is, in front of the name.
DESIGNATED = "."


class AssemblyOperand(NamedTuple):
    """`[name] "=r"(value)`: an operand of inline assembly."""

    constraint: str
    value: Expr
    name: str = ""


class Assembly(Unknown):
    """Inline assembly. text: its strings as one, None where a macro spells a part of it. `children` are as in any other
    Unknown: for callers that only need its contents.
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


def coordinate(span: Span, name: str, axis: str) -> Expr:
    """`threadIdx.x`."""
    return Member(span, Name(span, name), axis, arrow=False)
