"""Launch bounds against launches, and those of a template's instantiations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.program.layers import layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.model import Kernel


def bounds_declared(kernel: Kernel, block: int | None = None) -> str | None:
    """How launch bounds of that many threads are declared for a kernel, as code; None where its layer has no way."""
    if kernel.layer:
        known = layer(kernel.layer)
        return known.bounds.format("T" if block is None else block) if known is not None and known.bounds else None
    size = "" if block is None else f"({block})"
    if kernel.language == "opencl":
        return f"`__attribute__((reqd_work_group_size{f'({block}, 1, 1)' if block is not None else ''}))`"
    return f"`[[sycl::reqd_work_group_size{size}]]`" if kernel.language == "sycl" else f"`__launch_bounds__{size}`"


def settled_bounds(facts: KernelFacts) -> Iterator[tuple[KernelFacts, str]]:
    """The facts whose bounds are known: the kernel's, or those of its instantiations with their arguments."""
    bounds = facts.kernel.launch_bounds
    if bounds is None:
        return
    if bounds.max_threads is not None and (bounds.min_blocks is not None or len(bounds.texts) < 2):
        yield facts, ""
        return
    for instance, own in facts.instances.items():
        theirs = own.kernel.launch_bounds
        if theirs is not None and theirs.max_threads and (theirs.min_blocks is not None or len(theirs.texts) < 2):
            yield own, instance.arguments


def oversized_bounds(facts: KernelFacts) -> int | None:
    """The largest block that is launched, if all sizes are known and the bound is at least twice as large."""
    bounds = facts.kernel.launch_bounds
    if bounds is None or bounds.dims or not bounds.max_threads or not facts.kernel.launches:
        return None
    sizes = [launch.block_size for launch in facts.kernel.launches]
    known = [size for size in sizes if size is not None and size > 1]
    largest = max(known, default=0)
    return largest if len(known) == len(sizes) and bounds.max_threads >= 2 * largest else None
