"""How one kernel is launched, its launch bounds against that, and the LDS that a work-group of it takes."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.constants import array_elements
from regpress_lint.cpp.syntax_tree import Member, Name
from regpress_lint.cpp.traversal import names_in, nodes_of
from regpress_lint.program.layers import layer
from regpress_lint.targets.builtins import AMD_DEFAULT_THREADS, AXES, THREAD
from regpress_lint.targets.compilers.traits import DEFAULT_THREADS, ESTIMATED_BLOCK
from regpress_lint.targets.occupancy import KernelUse, architecture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.model import Kernel, Launch
    from regpress_lint.source.kernel_source import KernelSource
    from regpress_lint.targets.compilers.traits import Compiler


# Launch bounds against launches, and those of a template's instantiations.


def bounds_declared(kernel: Kernel, block: int | None = None) -> str | None:
    """How launch bounds of that many threads are declared for a kernel, as code; None where its layer has no way."""
    if kernel.layer:
        its_layer = layer(kernel.layer)
        form = its_layer.bounds if its_layer is not None else None
        return form.format("T" if block is None else block) if form else None
    size = "" if block is None else f"({block})"
    if kernel.language == "opencl":
        return f"`__attribute__((reqd_work_group_size{f'({block}, 1, 1)' if block is not None else ''}))`"
    return f"`[[sycl::reqd_work_group_size{size}]]`" if kernel.language == "sycl" else f"`__launch_bounds__{size}`"


def settled_bounds(facts: KernelFacts, name: str) -> Iterator[KernelFacts]:
    """The facts whose bounds are known: the kernel's, or those of the instantiations that count on an architecture."""
    bounds = facts.kernel.launch_bounds
    if bounds is None:
        return
    if bounds.max_threads is not None and (bounds.min_blocks is not None or len(bounds.texts) < 2):
        yield facts
        return
    for part in facts.parts_on(name):
        theirs = part.kernel.launch_bounds
        if theirs is not None and theirs.max_threads and (theirs.min_blocks is not None or len(theirs.texts) < 2):
            yield part


def oversized_bounds(facts: KernelFacts) -> int | None:
    """The largest block that is launched, if all sizes are known and the bound is at least twice as large."""
    bounds = facts.kernel.launch_bounds
    if bounds is None or bounds.dims or not bounds.max_threads or not facts.kernel.launches:
        return None
    sizes = [launch.block_size for launch in facts.kernel.launches]
    settled = [size for size in sizes if size is not None and size > 1]
    largest = max(settled, default=0)
    return largest if len(settled) == len(sizes) and bounds.max_threads >= 2 * largest else None


# A thread's number in a block of one, two and three dimensions.
_NUMBERS = (
    "threadIdx.x",
    "threadIdx.y * blockDim.x + threadIdx.x",
    "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x",
)
_OPENCL_NUMBERS = (
    "get_local_id(0)",
    "get_local_id(1) * get_local_size(0) + get_local_id(0)",
    "(get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)",
)
_ITEM = pattern(r"\bnd_item\b")


BlockSizeSource = Literal["launch_bounds", "launch", "assumed"]


def _lds_a_thread(launch: Launch) -> tuple[bool, float, int]:
    block, dynamic = launch.block_size or 1, launch.dynamic_lds_bytes
    return dynamic is None, (dynamic or 0) / block, -block


class LaunchFacts:
    """Facts of a kernel from launches, launch bounds and shared arrays. assumed_block_size: where nothing says it."""

    def __init__(self, source: KernelSource, assumed_block_size: int) -> None:
        self._source = source
        self._kernel = source.kernel
        self._assumed_block_size = assumed_block_size

    @cached_property
    def chosen(self) -> Launch | None:
        """The launch that the occupancy is worked out for: of those with a constant block size the one that fills a
        unit best, with the least dynamic LDS a thread and then the largest block. Block and LDS are its own, both.
        """
        sized = [launch for launch in self._kernel.launches if launch.block_size]
        return min(sized, key=_lds_a_thread, default=None)

    @property
    def launches_differ(self) -> bool:
        """Whether the known launches do not agree on block size and dynamic LDS."""
        return len({(launch.block_size, launch.dynamic_lds_bytes) for launch in self._kernel.launches}) > 1

    @cached_property
    def _block(self) -> tuple[int, BlockSizeSource]:
        if self.chosen is not None and self.chosen.block_size:
            return self.chosen.block_size, "launch"
        if (bounds := self._kernel.launch_bounds) is not None and bounds.max_threads:
            return bounds.max_threads, "launch_bounds"
        return self._assumed_block_size, "assumed"

    @property
    def block_size(self) -> int:
        """Threads a block: of the launch that fills a unit best, else the launch bound, else assumed."""
        return self._block[0]

    @property
    def block_size_from(self) -> BlockSizeSource:
        return self._block[1]

    @cached_property
    def _static_lds(self) -> tuple[int, bool, bool]:
        """Bytes of sized LDS, whether that is all of it, and whether there is also an `extern` array."""
        total, complete, unsized = self._kernel.local_accessors_bytes or 0, True, False
        if self._kernel.local_accessors_bytes is None:
            complete = False
        handed = {variable for function in self._source.functions for variable in function.parameters}  # of the launch
        declared = (v for function in self._source.functions for v in self._source.flow_of(function).declared)
        shared = [v for v in (*declared, *self._of_the_file) if v.storage == "shared" and v not in handed]
        for variable in shared:
            if variable.unsized_shared:
                unsized = True
                continue
            elements = array_elements(variable, self._source.environment) if variable.dims else 1
            if elements is None or variable.type.size is None:
                complete = False
            else:
                total += elements * variable.type.size
        return total, complete, unsized

    @property
    def _of_the_file(self) -> tuple[Variable, ...]:
        """Variables at file level that the kernel names; only SYCL has local memory there (`work_group_static`)."""
        if self._kernel.language != "sycl" or b"work_group_static" not in self._source.file.source.data:
            return ()
        named = (name.variable for function in self._source.functions for name in names_in(function.body))
        own = {variable for function in self._source.functions for variable in self._source.flow_of(function).declared}
        captured = set(self._kernel.function.captures)  # local accessors: of the launch
        return tuple(dict.fromkeys(v for v in named if v is not None and v not in own and v not in captured))

    def most_static_lds(self, name: str) -> int:
        """Bytes of LDS that a block may have on an architecture without a launch that requests it; in SYCL and OpenCL C
        all."""
        arch = architecture(name)
        most = arch.lds_static_max if not self._kernel.has_work_items else None
        return min(most or arch.lds_max_per_group, arch.lds_max_per_group)

    def lds_of(self, launch: Launch | None) -> tuple[int, bool]:
        """LDS of a work-group of that launch in bytes, at least, and True if that is all of it.

        None stands for a kernel without a known launch.
        """
        total, complete, unsized = self._static_lds
        if launch is None:
            return total, complete and not unsized
        if launch.dynamic_lds_bytes is None:
            return total + launch.dynamic_lds_at_least, False
        return total + launch.dynamic_lds_bytes, complete

    @cached_property
    def lds_bytes(self) -> int | None:
        """Static and dynamic LDS of a work-group in bytes; None if the source does not settle it."""
        launches = self._kernel.launches if self.chosen is None else (self.chosen,)
        sizes = [self.lds_of(launch) for launch in launches or (None,)]
        return max(total for total, _ in sizes) if all(exact for _, exact in sizes) else None

    @property
    def group(self) -> KernelUse:
        """A work-group as a compiler knows it: with the LDS that no launch adds, and as many threads as launch bounds
        say, else those of the estimate.
        """
        return KernelUse(block_size=self.bound_threads or ESTIMATED_BLOCK, lds_bytes=self._static_lds[0])

    def lds_room(self, compiler: Compiler) -> int:
        """Bytes per thread that clang for AMD may give to private arrays in LDS."""
        total, _, unsized = self._static_lds
        return compiler.promoted_bytes(total, self.most_threads, dynamic=unsized)

    @property
    def most_threads(self) -> int:
        """Threads of a block for which clang for AMD sets LDS aside: the launch bounds', or what it assumes without."""
        return self.bound_threads or (AMD_DEFAULT_THREADS if self._kernel.language == "opencl" else DEFAULT_THREADS)

    @property
    def bound_threads(self) -> int | None:
        """Threads that a block has at most by the kernel's launch bounds."""
        bounds = self._kernel.launch_bounds
        return bounds.max_threads if bounds is not None else None

    @cached_property
    def item(self) -> str | None:
        """The name of the `nd_item` that a SYCL kernel gets, if it gets one."""
        parameters = self._kernel.function.parameters
        return next((parameter.name for parameter in parameters if _ITEM.search(parameter.type.name)), None)

    @cached_property
    def thread_number(self) -> str:
        """A thread's number in its block, as the kernel's language writes it: no two threads of a block share it."""
        if self._kernel.language == "sycl":
            return f"{self.item or 'item'}.get_local_linear_id()"
        return (_OPENCL_NUMBERS if self._kernel.language == "opencl" else _NUMBERS)[self._dimensions - 1]

    @cached_property
    def _dimensions(self) -> int:
        """Dimensions of a block: by its known sizes, and by the threads that the kernel's code tells apart."""
        bounds = self._kernel.launch_bounds
        sizes = [launch.block_dims or () for launch in self._kernel.launches]
        sizes += [bounds.dims] if bounds is not None else []
        axes = {axis for dims in sizes for axis, length in enumerate(dims) if length > 1}
        axes |= {
            AXES.index(node.field)
            for function in self._source.functions
            for node in nodes_of(function)
            if isinstance(node, Member) and isinstance(node.base, Name) and node.base.name == THREAD
            if node.field in AXES
        }
        return max(axes, default=0) + 1

    @property
    def lds_at_least(self) -> int:
        """`lds_bytes`, or the part of it that is certain: what a work-group takes in any case."""
        if self.lds_bytes is not None:
            return self.lds_bytes
        return self.lds_of(self.chosen)[0]

    @property
    def lds_known(self) -> bool:
        """False if `lds_bytes` is None."""
        return self.lds_bytes is not None
