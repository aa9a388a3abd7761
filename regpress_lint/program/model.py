"""The model of a file: kernels, launches, device functions. Data only; analyses are functions over it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from regpress_lint.core.settings import Language
    from regpress_lint.core.source import Source, Span
    from regpress_lint.cpp.answers import Settled
    from regpress_lint.cpp.constants import CallValue, Number
    from regpress_lint.cpp.names.expansions import Expansion
    from regpress_lint.cpp.syntax import Expr, Function, Type, Variable


class LaunchBounds(NamedTuple):
    """`__launch_bounds__(max_threads, min_blocks)`, or SYCL's `reqd_work_group_size` (then `required` is true) and
    `max_work_group_size`; `dims` are SYCL's sizes in CUDA's order x, y, z.

    The second argument means blocks per SM in CUDA and waves per SIMD in HIP. A value is None where the source does
    not settle it (a template parameter, say); `texts` keeps what is written.
    """

    span: Span
    texts: tuple[str, ...]
    max_threads: int | None
    min_blocks: int | None
    required: bool = False
    dims: tuple[int, ...] = ()


class Launch(NamedTuple):
    """One launch of a kernel: `<<<>>>`, `hipLaunchKernelGGL`, `cudaLaunchKernel*`, `parallel_for`, ...

    block_size: threads a block (product over dimensions), None if the source does not settle it.
    block_dims: the dimensions in CUDA's order x, y, z (SYCL's last range dimension is x), None likewise.
    dynamic_lds_bytes: 0 if none is asked for, None if it is not a constant.
    certainty: how the size was settled: "constant", "single-assignment", "header", "last-assignment", or "unknown".
    template_values: the value of each template argument as seen at the launch, None for a type or an unknown one.
    blocks: blocks of the grid, None if they are not settled, or a usual block size and a grid that is no literal.
    block_span: where the block size is written, None for a form that has it in a structure.
    """

    path: str
    span: Span
    line: int
    kernel_name: str
    template_args: tuple[str, ...]
    form: str
    block_size: int | None
    block_dims: tuple[int, ...] | None
    dynamic_lds_bytes: int | None
    block_text: str = ""
    certainty: str = "unknown"
    kernel_span: Span | None = None  # the lambda's or functor's span for SYCL
    template_values: tuple[Number | None, ...] = ()
    blocks: int | None = None
    block_span: Span | None = None


class Instance:
    """One instantiation of a kernel's template that the sources in view name, and the first place that does.

    arguments: as the template lists them, `?` for what the source does not settle. weight: grows with the sizes of the
    types and the values among them. `kernel` has them bound; it is made on first use.
    """

    __slots__ = ("_kernel", "_make", "arguments", "line", "path", "weight")

    def __init__(self, arguments: str, path: str, line: int, weight: float, make: Callable[[], Kernel]) -> None:
        self.arguments = arguments
        self.path = path
        self.line = line
        self.weight = weight
        self._make = make
        self._kernel: Kernel | None = None

    @property
    def kernel(self) -> Kernel:
        """The kernel with these arguments."""
        if self._kernel is None:
            self._kernel = self._make()
        return self._kernel


class Kernel:
    """A kernel of one language: its function (or the callee of a thin SYCL lambda), bounds and launches.

    `line` is the line of the kernel's name; for a SYCL lambda or functor the line where it begins.
    `entry` is the lambda's span when `function` is the callee of a thin lambda.
    `bindings` are values of template parameters and constants that all visible launches agree on. `instances` are the
    distinct instantiations in view of a template; what they agree on is bound in `function` and `bindings`.
    """

    __slots__ = (
        "bindings",
        "end_line",
        "entry",
        "form",
        "function",
        "grf_mode",
        "instances",
        "language",
        "launch_bounds",
        "launches",
        "line",
        "local_accessors_bytes",
        "name",
        "name_span",
        "path",
        "sub_group_size",
    )

    def __init__(
        self,
        name: str,
        language: Language,
        function: Function,
        path: str,
        line: int,
        end_line: int,
        name_span: Span,
        form: str,
        launch_bounds: LaunchBounds | None = None,
        sub_group_size: int | None = None,
        launches: tuple[Launch, ...] = (),
        bindings: Mapping[str, Number] | None = None,
        entry: Span | None = None,
        local_accessors_bytes: int | None = 0,
        grf_mode: int | None = None,
    ) -> None:
        self.name = name
        self.language = language
        self.function = function
        self.path = path
        self.line = line
        self.end_line = end_line
        self.name_span = name_span
        self.form = form
        self.launch_bounds = launch_bounds
        self.sub_group_size = sub_group_size
        self.launches = launches
        self.bindings: Mapping[str, Number] = bindings if bindings is not None else {}
        self.entry = entry
        self.local_accessors_bytes = local_accessors_bytes
        self.grf_mode = grf_mode
        self.instances: tuple[Instance, ...] = ()

    @property
    def complete(self) -> bool:
        """False if a part of the body was not understood."""
        return not self.function.unparsed


FunctionLookup = Callable[[str, int], "Function | None"]
ExpansionLookup = Callable[
    [str, "int | None", "Mapping[str, Variable]", "tuple[Type | None, ...]", "int | None"], "Expansion | None"
]
Specialiser = Callable[["Function", Mapping[str, str]], "Function"]
ExpressionLookup = Callable[[str], "Expr | None"]
MethodLookup = Callable[[str, str, int], "Function | None"]


def _no_expansion(
    _name: str,
    _arity: int | None,
    _names: Mapping[str, Variable],
    _types: tuple[Type | None, ...],
    _before: int | None,
) -> Expansion | None:
    return None


def _as_it_is(function: Function, _bound: Mapping[str, str]) -> Function:
    return function


def _no_expression(_text: str) -> Expr | None:
    return None


def _not_virtual(_type_name: str, _name: str) -> bool:
    return False


def _no_method(_type_name: str, _name: str, _arity: int) -> Function | None:
    return None


class File:
    """One analysed file.

    `constant(name)` gives the value of a macro, constant or enumerator that is in view and unambiguous, else None.
    `find_function(name, argument_count)` gives a device function of the file or of its project headers.
    `type_of(name)` gives a type by name (struct, typedef, alias or built-in) or None. `lost` are the `__global__` words
    of definitions that could not be read at all.

    `expansion(name, arity, names, types, before)` gives a macro's definition: object-like for arity None, else
    function-like with that many arguments, of several in this file the last one before that byte offset; `names` are
    the variables in scope at the use, `types` those of the arguments.
    `specialised(function, bound)` gives a function with its template's type parameters bound to type texts, the same
    object if there is nothing to bind. `method(type_name, name, arity)` gives a member function of a class in view,
    `is_virtual(type_name, name)` says whether calls of it through a pointer are bound at run time.
    `expression(text)` gives the tree of an expression that is known as text, a template argument.
    `called(call, values)` gives the value of a call with constant arguments that the compiler works out; None if nobody
    is there to ask.
    `settled()` are the questions so far that only libclang had an answer to.
    All remember their answers: equal questions get the same object.
    """

    __slots__ = (
        "called",
        "constant",
        "expansion",
        "expression",
        "find_function",
        "is_virtual",
        "kernels",
        "language",
        "launches",
        "lost",
        "macro",
        "method",
        "settled",
        "source",
        "specialised",
        "type_of",
    )

    def __init__(
        self,
        source: Source,
        language: Language,
        kernels: tuple[Kernel, ...],
        launches: tuple[Launch, ...],
        constant: Callable[[str], Number | None],
        find_function: FunctionLookup,
        type_of: Callable[[str], Type | None],
        macro: Callable[[str], str | None],
        lost: tuple[Span, ...] = (),
        expansion: ExpansionLookup = _no_expansion,
        specialised: Specialiser = _as_it_is,
        method: MethodLookup = _no_method,
        expression: ExpressionLookup = _no_expression,
        is_virtual: Callable[[str, str], bool] = _not_virtual,
        called: CallValue | None = None,
        settled: Callable[[], Sequence[Settled]] = tuple,
    ) -> None:
        self.source = source
        self.language = language
        self.kernels = kernels
        self.launches = launches
        self.constant = constant
        self.find_function = find_function
        self.type_of = type_of
        self.macro = macro
        self.lost = lost
        self.expansion = expansion
        self.specialised = specialised
        self.method = method
        self.expression = expression
        self.is_virtual = is_virtual
        self.called = called
        self.settled = settled

    @property
    def certain(self) -> bool:
        """False if libclang gave an answer without having found all headers."""
        return all(one.answer.certain for one in self.settled())

    @property
    def path(self) -> str:
        """Path as given by the user."""
        return self.source.path
