"""Kernels, launches and their attributes, as data; `file.py` answers what the names in a file mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from regpress_lint.core.settings import Language
    from regpress_lint.core.source import Span
    from regpress_lint.core.uncertainty import Unknown
    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.syntax_tree import Function


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


class RegisterLimits(NamedTuple):
    """Attributes of a kernel that limit its registers, other than launch bounds; None for one that is not there or
    whose value the source does not settle.

    span, text: the attribute that is written first. max_registers: CUDA's `__maxnreg__`. vgprs: clang's
    `amdgpu_num_vgpr`. waves: the least waves per SIMD of `amdgpu_waves_per_eu`. max_threads: the largest block of
    `amdgpu_flat_work_group_size`.
    """

    span: Span
    text: str
    max_registers: int | None = None
    vgprs: int | None = None
    waves: int | None = None
    max_threads: int | None = None


class Launch(NamedTuple):
    """One launch of a kernel: `<<<>>>`, `hipLaunchKernelGGL`, `cudaLaunchKernel*`, `parallel_for`, ...

    block_size: threads per block (product over dimensions), None if the source does not settle it.
    block_dims: the dimensions in CUDA's order x, y, z (SYCL's last range dimension is x), None likewise.
    dynamic_lds_bytes: 0 if none is requested, None if it is not a constant.
    dynamic_lds_at_least: where it is None, the part of it that the source settles: some of several local accessors.
    certainty: how the size was settled: "constant", "single-assignment", "header", "last-assignment", or "unknown".
    template_values: the value of each template argument as seen at the launch, None for a type or an unknown one.
    blocks: blocks of the grid, None if they are not settled, or a usual block size and a grid that is no literal.
    block_span: where the block size is written, None for a form that has it in a structure.
    cluster: blocks of the cluster that an attribute of the launch sets, None without one or if it is not settled.
    given: arguments that are handed to the kernel, None where a form or a pack does not tell.
    uneven: of SYCL, the first dimension's work-items and work-group of which the second does not divide the first.
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
    template_values: tuple[Number | None, ...] = ()
    blocks: int | None = None
    block_span: Span | None = None
    uneven: tuple[int, int] | None = None
    dynamic_lds_at_least: int = 0
    cluster: int | None = None
    given: int | None = None


class Instance:
    """One instantiation of a kernel's template that the known sources name, and the first place that does.

    arguments: as the template lists them, `?` where the source does not settle one. weight: grows with the sizes of the
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
    `explicit_simd` is true for Intel's ESIMD, where a kernel is one hardware thread whose vectors the author lays out.
    `entry` is the lambda's span when `function` is the callee of a thin lambda.
    `bindings` are values of template parameters and constants that all visible launches agree on. `instances` are the
    distinct known instantiations of a template; the arguments that they agree on are bound in `function` and
    `bindings`. `layer` is the portability layer that launches it, "" for a kernel of the language itself.
    `unknowns` are what the front end does not know of it: macros that are not defined, arguments of its template; what
    holds for all of a file is in `File.unknowns`. `cluster` are the blocks of CUDA's `__cluster_dims__`, None for a
    kernel without or with sizes that the source does not settle.
    """

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
        register_limits: RegisterLimits | None = None,
        explicit_simd: bool = False,
        layer: str = "",
        unknowns: tuple[Unknown, ...] = (),
        cluster: int | None = None,
    ) -> None:
        self.name = name
        self.language = language
        self.cluster = cluster
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
        self.register_limits = register_limits
        self.explicit_simd = explicit_simd
        self.layer = layer
        self.unknowns = unknowns
        self.instances: tuple[Instance, ...] = ()

    @property
    def has_work_items(self) -> bool:
        """True for SYCL and OpenCL C: work-groups of a required size instead of launch bounds, and math functions that
        follow their arguments' type.
        """
        return self.language in ("sycl", "opencl")

    @property
    def complete(self) -> bool:
        """False if a part of the body was not understood, and for explicit SIMD, which is not estimated."""
        return not self.function.unparsed and not self.explicit_simd
