"""Where a finding stands, and the targets that it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import KernelFacts, Note, Span
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from regpress_lint.targets.occupancy import Architecture, Vendor


class Place(NamedTuple):
    """Where a finding is reported: its span in the linted file, and the notes that name a place in another file."""

    span: Span
    notes: tuple[Note, ...]
    here: bool


def place(facts: KernelFacts, span: Span, path: str, what: str) -> Place:
    """Position for something at `span` of `path`.

    A finding always stands in the file that is linted: for code of a header it stands at the kernel, or at the
    launch if the kernel is in a header too, and a note leads to the code.
    """
    file, kernel = facts.file, facts.kernel
    if path in ("", file.path):
        return Place(span, (), True)
    note = (Note(span, what, path),)
    if kernel.path == file.path:
        return Place(kernel.name_span, note, False)
    if kernel.entry is not None:
        return Place(Span(kernel.entry.start, kernel.entry.start + 1), note, False)
    launch = next((launch for launch in kernel.launches if launch.path == file.path), None)
    return Place(launch.span if launch is not None else Span(0, 0), note, False)


def vendor_of(target: str) -> Vendor:
    """Vendor of an architecture name."""
    return architecture(target).vendor


def targets_of(facts: KernelFacts, *vendors: Vendor) -> tuple[str, ...]:
    """The enabled targets of these vendors, in the user's order."""
    return tuple(target for target in facts.targets if vendor_of(target) in vendors)


def is_gfx9(target: str) -> bool:
    """GCN and CDNA: 64-bit constants need VGPRs there, and gfx90a's numbers are the nearest that were measured."""
    return target.startswith("gfx9")


def wave_sizes(facts: KernelFacts, arch: Architecture) -> tuple[int, ...]:
    """Wave sizes that may hold: IGC picks one unless the kernel asks for it, clang and nvcc have a fixed one."""
    wanted = facts.kernel.sub_group_size
    if wanted in arch.wave_sizes:
        return (wanted,)
    return arch.wave_sizes if arch.vendor == "intel" else (arch.default_wave_size,)
