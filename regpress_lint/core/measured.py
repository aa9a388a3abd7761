"""One row per kernel and target, as a compiler reported it; a number that the input does not hold is None, never 0."""

from __future__ import annotations

from regpress_lint.core.named import NamedTuple


class Row(NamedTuple):
    """A kernel on one target.

    symbol: the name in the binary. target: canonical where we know the GPU; None where the input does not name it.
    registers: all vector registers of a thread, AMD's accumulation registers included. vgprs: without those.
    spills: dwords per lane that spill stores write (AMD, NVIDIA), or that spilled values take (Intel).
    spill_operations: IGC's own count, without their size. scratch_bytes: a lane's private memory with
    the slots of spilled registers, unspilled_scratch_bytes: without them. code_bytes: of the kernel without callees.
    max_threads: the largest block that it was compiled for. grf: Intel's registers of a hardware thread.
    path, line: where the source defines it. unit: the file that was compiled, where we compiled it. origin: the kind of
    input, `inputs`: the files that were read.
    """

    symbol: str
    target: str | None = None
    registers: int | None = None
    vgprs: int | None = None
    agprs: int | None = None
    sgprs: int | None = None
    spills: int | None = None
    sgpr_spills: int | None = None
    spill_operations: int | None = None
    scratch_bytes: int | None = None
    unspilled_scratch_bytes: int | None = None
    lds_bytes: int | None = None
    code_bytes: int | None = None
    wave_size: int | None = None
    max_threads: int | None = None
    grf: int | None = None
    barriers: int | None = None
    compiler: str | None = None
    version: str | None = None
    path: str | None = None
    line: int | None = None
    unit: str | None = None
    origin: str = ""
    inputs: tuple[str, ...] = ()


NUMBERS = Row._fields[2:17]
"""Fields that are numbers of the kernel."""
