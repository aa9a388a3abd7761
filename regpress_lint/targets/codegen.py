"""What compilers do differently from one another, as far as it decides what a kernel keeps in registers.

Sources: AMDGPUTargetTransformInfo.cpp and the ISA manuals for clang 19; experiments with nvcc 13.0 for sm_90
(`benchmarks/loop_limits.py`, `benchmarks/measure_promotion.py`, the pairs in `testdata/evidence`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.lds_promotion import DEFAULT_THREADS, GFX9_LOCAL, RDNA_LOCAL, LocalMemory, promoted_bytes
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.targets.occupancy import Architecture, Vendor

Indexing = Literal["vector", "select", "indirect"]
Assembly = Literal["ptx", "unread"]

# Threads a block that an estimate is for where the source does not say: clang for AMD is told of so many where the
# truth of the estimates is from (`--gpu-max-threads-per-block=256`), and NVIDIA's steps of registers are those of it.
ESTIMATED_BLOCK = 256
_NEVER = 1 << 62  # bytes: no limit


class Unrolling(NamedTuple):
    """How a compiler copies loops. Sizes are instructions of its middle end, before registers are an issue.

    What all copies that replace a loop may have together. plain: in general. private: where a private array is indexed
    that has at most largest_array bytes; local: where one array in LDS is. by_pragma: with a pragma. outer_trips:
    iterations beyond which a loop around one that stays is a plain one, whatever it indexes. head: counter, test and
    branch of an iteration, which count unless the loop is gone through iteration by iteration; that is done up to
    `simulated` iterations, of a body larger than simulated_size up to simulated_large. saved: head and branch, whose
    share of an iteration raises the limit then.

    What a loop that stays may have. counted: all copies of a loop that is too long; any_divisor: as many as a divisor
    of its trip count, else as a power of two. odd_copies: at most, with a remainder behind the loop, of one whose trip
    count no such number divides. runtime_copies: of a loop whose trip count is known at run time only;
    lds_copies: of one that indexes LDS, as far as lds_size allows.

    Of a loop with a bound like `min(n, 8)`, of which only the most iterations are known. bounded: it is copied as one
    of so many where a private array is indexed; with a pragma up to bounded_by_pragma. few: up to so many it stays one
    without copies. folds_first, folds_last: `if (i >= n) break;` at the start or the end of a counted body makes it
    such a loop.

    exits_late: a loop with two exits (`j >= 0 && v[j] > x`) whose number of iterations hangs on the counter of a copied
    loop around it is copied as well.

    nounroll: it knows `#pragma nounroll`. one_copy: it keeps a loop with `#pragma unroll 1`. copies: False where no
    loop is copied at all, as `regpress-lint ir --without unrolling` asks.

    What counts how much. fused: a product that goes into a sum is free. product: of integers. rotation: two shifts of
    one value. address: of an access to global memory. extension: of its index of 32 bits that may be negative; of
    another it is free. element: of an access to a private array, besides what all of them count.
    """

    plain: int
    private: int
    largest_array: int
    local: int
    by_pragma: int
    outer_trips: int
    head: int
    simulated: int
    simulated_size: int
    simulated_large: int
    saved: int
    counted: int
    any_divisor: bool
    odd_copies: int
    runtime_copies: int
    lds_copies: int
    lds_size: int
    bounded: bool
    bounded_by_pragma: int
    folds_first: bool
    folds_last: bool
    few: int
    exits_late: bool
    nounroll: bool
    one_copy: bool
    fused: bool
    product: int
    rotation: int
    address: int
    extension: int
    element: int
    copies: bool = True


# LLVM 19 for AMDGPU: 300 in general, 1,000 for LDS, 2,700 for an alloca of up to 960 bytes, 16,384 for a pragma, 150
# for what stays a loop, less the 5 of the branch that is left (LoopUnrollPass.cpp, AMDGPUTargetTransformInfo.cpp).
# `benchmarks/loop_limits.py` compiles the loops at these limits.
LLVM = Unrolling(
    plain=294,
    private=2694,
    largest_array=960,
    local=994,
    by_pragma=16384,
    outer_trips=1 << 30,
    head=2,
    simulated=32,
    simulated_size=20,
    simulated_large=10,
    saved=7,
    counted=145,
    any_divisor=True,
    odd_copies=8,
    runtime_copies=1,
    lds_copies=8,
    lds_size=145,
    bounded=False,
    bounded_by_pragma=8,
    folds_first=True,
    folds_last=True,
    few=0,
    exits_late=True,
    nounroll=True,
    one_copy=True,
    fused=True,
    product=2,
    rotation=4,
    address=1,
    extension=1,
    element=0,
)
# nvcc 13.0 for sm_90, from the same benchmark.
NVVM = Unrolling(
    plain=405,
    private=2450,
    largest_array=1 << 30,
    local=405,
    by_pragma=32768,
    outer_trips=10,
    head=2,
    simulated=64,
    simulated_size=1 << 30,
    simulated_large=64,
    saved=0,
    counted=200,
    any_divisor=False,
    odd_copies=4,
    runtime_copies=4,
    lds_copies=4,
    lds_size=200,
    bounded=True,
    bounded_by_pragma=1 << 30,
    folds_first=False,
    folds_last=False,
    few=16,
    exits_late=False,  # an insertion sort of 16 numbers keeps its 64 bytes of local memory, in four wordings
    nounroll=False,
    one_copy=True,
    fused=False,
    product=1,
    rotation=3,
    address=1,
    extension=0,
    element=0,
)
# IGC 1.0.12504 for pvc, from the same benchmark. It makes up to four copies of a loop that is too long, and four more
# of what is left; `#pragma unroll 1` does not stop it.
IGC_LOOPS = NVVM._replace(
    plain=1297,
    private=1297,
    local=1297,
    by_pragma=16384,
    outer_trips=1 << 30,
    head=1,
    simulated=0,
    simulated_large=0,
    counted=1297,
    odd_copies=1,
    runtime_copies=1,
    lds_copies=1,
    bounded=False,
    bounded_by_pragma=8,
    folds_first=True,
    folds_last=False,
    few=0,
    exits_late=True,
    nounroll=True,
    one_copy=False,
    element=1,
)
_BY_PRAGMA_ALONE = IGC_LOOPS._replace(plain=0, private=0, local=0, counted=0)


class Compiler(NamedTuple):
    """One compiler for one family of targets: what it does, each habit with what it was measured with.

    vendor: key of tables by vendor. wave: threads that run together (`warpSize`).

    What has a register. scalar_registers: arguments and what is the same for all threads live in registers of their
    own; otherwise arguments and sizes are operands from a constant bank. one_scalar_operand: a vector instruction reads
    one scalar register (gfx9), so that 64-bit constants and upper halves of bases are copied to vector registers, in
    front of a loop and for all of it.

    Addresses. steps_addresses: index, scaled index and address are values of their own, and in loops strength reduction
    makes them move on; otherwise one instruction makes an address wherever it is used. far, far_shared: bytes that an
    access to global memory or LDS may add to its address by itself, to each side: 13 bits with a sign of gfx9's
    global_load, 16 of ds_read, 24 of NVIDIA's LDG and LDS. splits_products: of `(x + 1) * 8` with 32 bits and a sign
    the 8 goes there as well, whatever it is added to. adds_offsets: accesses to global memory do so at all; else
    each place has an address of its own, which a loop that does not change it holds. narrows_reads: of integers of
    64 bits whose upper half nobody asks for it reads the lower ones (`tests/test_narrow_integers.py`).
    remakes_sums: `p[t + k * n]` behind a loop adds again what it added in front of it, so that the loop holds no
    sum for each k (ptxas takes 56 registers for forty floats filled and stored like that, clang for gfx90a 136:
    `tests/test_remade_sums.py`).

    Loops. unrolling: how many copies it makes of them. copies_barriers: also if its threads do something together.
    copies_again: the assembler copies small loops once more. batch_blocks: blocks of a loop whose copies' reads can be
    on their way together. moves_reads: the scheduler moves reads up in any case, so that they are on their way early.
    works_ahead: it works on side by side what can be, while registers are to spare. predicated_reads: up to so many
    behind `?:` are executed under a predicate, and move as others do; with more it branches. sinks: arithmetic moves
    over branches to where its result is used (LLVM's sinking pass, which the AMDGPU target runs once more), so that all
    of `sum += c ? a[i] : 0` wait for the last of them (`testdata/golden/conditions.cu`).

    Math. promotes_exponents: `pow` of a float with an int exponent is that of doubles; HIP and SYCL have an overload of
    their own (nvcc 13.0.88 takes 29 registers where clang 19.1.7 takes 26; `tests/test_mixed_power.py`).

    Divisions. short_divisions: 64 bits of which the upper half is known to be 0 are divided as 32 bits.

    Private arrays at run-time indices. indexing: what takes a small one out of memory. "vector": a vector register, or
    LDS (`passes/vectors.py`, `lds_promotion.py`); "select": a chain of selects, for the whole frame or not at all
    (`passes/nvidia_arrays.py`, `benchmarks/measure_promotion.py`); "indirect": registers that an index picks
    (`passes/intel_arrays.py`, `benchmarks/intel_arrays.py`). copies_tables: a table of constants is filled anew by each
    thread, and no part of the program that all of them read (`testdata/evidence/RP404`).

    Private memory. gives_up_beyond: bytes beyond which an array is in memory whatever its indices are; without such a
    limit what has no room is spilled (`testdata/RP407/too_large.hip`). frames_handed: an array whose address goes to a
    function that is not inlined has its place in memory, or in LDS; IGC 1.0.12504 does the same in
    `testdata/golden/calls.cu` (local_to_callee), and the estimate does not follow it. handed_in_registers: bytes of a
    struct that goes to such a function, or comes from it, in registers; a larger one is in the caller's frame
    (`tests/test_frames.py`). drops_volatile: a `volatile` variable is in memory only for what else keeps it there
    (`testdata/evidence/RP401`). frame_head: bytes at the start of a frame that hold nothing; printed_bytes: of each
    argument of a print that is handed over in memory (both `tests/test_frames.py`).

    Registers. aims_at_full_unit: it trades what it holds for a unit full of threads, unless the source says how many
    blocks have to fit (`testdata/golden/min_blocks.cu`). assumes_full_blocks: without launch bounds it plans for the
    largest block, and gives a thread no more registers than that leaves (`targets/occupancy/amd.py`). packs_arrays:
    elements of less than 32 bits lie side by side in a register, and an array that is changed at run-time indices is
    there twice (`benchmarks/calibrate_registers.py --intel`). tries_again: it compiles once more before it spills; see
    `again`. writes_at_once: the addresses of a block's writes are held side by side, as those of its reads are (ptxas
    has 16 addresses in 32 registers for 16 writes that are far apart). bounds_threads: it is told the largest block
    (`ESTIMATED_BLOCK`), and so knows which sums of a `threadIdx` have no carry.

    Inline assembly. assembly: the language of its text, "ptx" or one that is not read (`testdata/golden/assembly.cu`).
    empty_hides: an empty text hides from it that two values are equal.

    What a kernel asks for, on Intel. lanes, grfs: the sub-group size, None for none, and the registers of a hardware
    thread. promotes: private arrays at run-time indices can live in registers; see `again`.

    AMD. local: the LDS of which small arrays get a part.
    """

    vendor: Vendor
    wave: int
    scalar_registers: bool
    one_scalar_operand: bool
    steps_addresses: bool
    far: int
    far_shared: int
    splits_products: bool
    unrolling: Unrolling
    copies_barriers: bool
    copies_again: bool
    batch_blocks: int
    predicated_reads: int
    sinks: bool
    moves_reads: bool
    works_ahead: bool
    short_divisions: bool
    indexing: Indexing
    copies_tables: bool
    gives_up_beyond: int
    frames_handed: bool
    handed_in_registers: int
    drops_volatile: bool
    promotes_exponents: bool
    frame_head: int
    printed_bytes: int
    aims_at_full_unit: bool
    assumes_full_blocks: bool
    packs_arrays: bool
    tries_again: bool
    writes_at_once: bool
    bounds_threads: bool
    assembly: Assembly
    empty_hides: bool
    lanes: int | None = None
    grfs: int = 128
    promotes: bool = True
    adds_offsets: bool = True
    narrows_reads: bool = False
    remakes_sums: bool = False
    local: LocalMemory | None = None

    @property
    def again(self) -> Compiler | None:
        """What this compiler is when it tries once more because its first try spilled: IGC then copies no loop
        without a pragma and leaves in memory what is indexed at run time. None for compilers that try once.
        """
        return self._replace(unrolling=_BY_PRAGMA_ALONE, promotes=False) if self.tries_again else None

    def promoted_bytes(self, lds_bytes: int = 0, threads: int = DEFAULT_THREADS, *, dynamic: bool = False) -> int:
        """Bytes per thread of arrays that get LDS beside so many bytes of the kernel's own; none but on AMD."""
        return 0 if self.local is None else promoted_bytes(self.local, lds_bytes, threads, dynamic=dynamic)

    @property
    def pointer_registers(self) -> int:
        """Registers of an argument that is a pointer, and of the address of a global variable."""
        return 2 if self.scalar_registers else 0


GFX9 = Compiler(
    vendor="amd",
    wave=64,
    scalar_registers=True,
    one_scalar_operand=True,
    steps_addresses=True,
    far=4096,
    far_shared=1 << 16,
    splits_products=False,
    unrolling=LLVM,
    copies_barriers=False,
    copies_again=False,
    batch_blocks=1 << 30,  # counting the copies of all loops measured better than those of loops without branches
    predicated_reads=0,
    sinks=True,
    moves_reads=True,
    works_ahead=True,
    short_divisions=True,
    indexing="vector",
    copies_tables=False,
    gives_up_beyond=_NEVER,
    frames_handed=True,
    handed_in_registers=64,  # 16 registers
    drops_volatile=False,
    promotes_exponents=False,
    frame_head=4,
    printed_bytes=0,
    aims_at_full_unit=False,
    assumes_full_blocks=True,
    packs_arrays=False,
    tries_again=False,
    writes_at_once=False,
    bounds_threads=True,
    assembly="unread",
    empty_hides=True,
    local=GFX9_LOCAL,
)
RDNA = GFX9._replace(wave=32, one_scalar_operand=False, local=RDNA_LOCAL)
NVCC = Compiler(
    vendor="nvidia",
    wave=32,
    scalar_registers=False,
    one_scalar_operand=False,
    steps_addresses=False,
    far=1 << 23,
    far_shared=1 << 23,
    splits_products=True,
    unrolling=NVVM,
    copies_barriers=True,
    copies_again=True,
    batch_blocks=3,  # head, body and step
    predicated_reads=2,
    sinks=False,
    moves_reads=False,
    works_ahead=True,
    short_divisions=False,
    indexing="select",
    copies_tables=True,
    gives_up_beyond=_NEVER,
    frames_handed=True,
    handed_in_registers=_NEVER,
    drops_volatile=True,
    promotes_exponents=True,
    frame_head=0,
    printed_bytes=8,
    aims_at_full_unit=True,
    narrows_reads=True,
    remakes_sums=True,
    assumes_full_blocks=False,
    packs_arrays=False,
    tries_again=False,
    writes_at_once=True,
    bounds_threads=False,
    assembly="ptx",
    empty_hides=False,
)
# Where nothing was measured of Intel's compiler it takes NVIDIA's place, without what ptxas does.
# Its messages to global memory have no offset (`tests/test_intel_addresses.py` has what that costs). In SLM what is
# near enough is read together.
IGC = NVCC._replace(
    vendor="intel",
    unrolling=IGC_LOOPS,
    copies_again=False,
    works_ahead=False,
    far_shared=32,
    adds_offsets=False,
    narrows_reads=False,
    indexing="indirect",
    copies_tables=False,
    gives_up_beyond=1023,  # a 16 x 16 tile of floats
    frames_handed=False,
    drops_volatile=False,
    promotes_exponents=False,
    printed_bytes=0,
    aims_at_full_unit=False,
    remakes_sums=False,
    packs_arrays=True,
    tries_again=True,
    writes_at_once=False,
    assembly="unread",
)

# By vendor, the compilers with how the names of their architectures begin; the first is asked where none is named.
_COMPILERS: Mapping[str, tuple[tuple[str, Compiler], ...]] = {
    "amd": (("gfx9", GFX9), ("gfx", RDNA)),
    "nvidia": (("", NVCC),),
    "intel": (("", IGC),),
}


@cache
def compiler_of(arch: Architecture) -> Compiler:
    """The compiler for an architecture."""
    return next(compiler for start, compiler in _COMPILERS[arch.vendor] if arch.name.startswith(start))


def habits(target: str) -> Compiler:
    """The same by the architecture's name: what its compiler does, whatever a kernel asks of it."""
    return compiler_of(architecture(target))


def compiler_for(arch: Architecture, lanes: int | None, grfs: int | None) -> Compiler:
    """The compiler for a kernel that asks for a sub-group size and a size of the register file; None asks for none."""
    found = compiler_of(arch)
    return found._replace(lanes=lanes, grfs=grfs or found.grfs) if arch.grf_modes else found


def compiler_by_vendor(vendor: str) -> Compiler:
    """The compiler of a vendor where no architecture is named."""
    return _COMPILERS[vendor][0][1]
