"""Differences between compilers that decide which values a kernel keeps in registers: one field for each, with its
meaning and the test or measurement that shows it. `amdgpu.py`, `nvcc.py` and `igc.py` have the values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.targets.occupancy import Vendor

Indexing = Literal["vector", "select", "indirect"]
Assembly = Literal["ptx", "unread"]

# Threads a block that an estimate is for where the source does not say: clang for AMD is told of so many where the
# truth of the estimates is from (`--gpu-max-threads-per-block=256`), and NVIDIA's steps of registers are those of it.
ESTIMATED_BLOCK = 256
NEVER = 1 << 62  # bytes: no limit
DEFAULT_THREADS = 1024  # that clang for AMD assumes without launch bounds


class Unrolling(NamedTuple):
    """How a compiler copies loops. Sizes are instructions of its middle end, before registers are an issue. The modules
    of the compilers have where the numbers are from.
    """

    # What all copies that replace a loop may have together.
    plain: int  # in general
    private: int  # where a private array is indexed that has at most so many bytes:
    largest_array: int
    own_counter: bool  # by a value that this loop changes itself; else one inside may
    local: int  # where one array in LDS is
    by_pragma: int  # with a pragma
    outer_trips: int  # iterations beyond which a loop around one that stays is a plain one, whatever it indexes
    head: int  # counter, test and branch of an iteration: they count unless the loop is gone through one by one,
    simulated: int  # which is done up to so many iterations,
    simulated_size: int  # of a body larger than this
    simulated_large: int  # up to so many
    saved: int  # head and branch, whose share of an iteration raises the limit then
    # Of a branch that the counter decides, where a private array is indexed, when both sides count. 0: not measured.
    branch: int

    # What a loop that stays may have.
    counted: int  # all copies of a loop that is too long, or whose trip count is known at run time only
    any_divisor: bool  # as many as a divisor of its trip count, else as a power of two
    odd_copies: int  # at most, with a remainder behind the loop, where no such number divides the trip count
    runtime_copies: int  # of a loop whose trip count is known at run time only
    lds_copies: int  # of one that indexes LDS
    # Instructions of a loop inside that this one bounds (`for (j = k; j < n; ++j)`): it is no copies yet when it is
    # decided about this one. 0: it counts as one iteration of its body.
    loop_inside: int
    begins_inside: int  # in addition where this one also decides where it begins,
    row_inside: int  # and for each access to an element of an array in an array
    around_gone: bool  # a loop is copied like others where those inside it are gone
    beside_gone: int  # what it counts then beside their arithmetic

    # A loop with a bound like `min(n, 8)`, of which only the most iterations are known.
    bounded: int  # up to so many it is copied as one of so many where a private array is indexed
    bounded_by_pragma: int  # with a pragma up to so many
    # What a pragma with a number makes of it: it "stays" whatever the number if its iterations can be counted, goes
    # where the number is "enough" for all of them (`test_bounded_loops.py`), or is "unasked": not measured, and copied
    # as without one.
    bounded_by_number: Literal["stays", "enough", "unasked"]
    folds_first: bool  # `if (i >= n) break;` at the start of a counted body makes it such a loop,
    folds_last: bool  # or at its end
    few: int  # up to so many it stays one without copies
    # A loop with two exits (`j >= 0 && v[j] > x`) whose number of iterations hangs on the counter of a copied loop
    # around it is copied as well.
    exits_late: bool

    # `for (p = v; p < v + 8; ++p)` over a private array and `for (i = 0, j = 7; i < j; ++i, --j)` are counted as those
    # with `!=` are (`test_pointer_loops.py`).
    orders_moving: bool

    # Pragmas.
    works_side_by_side: bool  # calls in the copies of a body are begun before those of earlier copies have ended
    nounroll: bool  # it knows `#pragma nounroll`
    one_copy: bool  # it keeps a loop with `#pragma unroll 1`

    # What counts how much.
    fused: bool  # a product that goes into a sum is free
    product: int  # of integers
    division: int  # of integers, and a remainder, by what is no power of two
    rotation: int  # two shifts of one value
    extension: int  # of an index of 32 bits that may be negative; of another it is free
    element: int  # of an access to a private array, besides what all of them count

    # Numbers of 32 bits in a vector: loops whose iterations can be done side by side are done so; 1 for compilers that
    # do not.
    lanes: int = 1
    # It counts `i += 4` of an unsigned `i`, which misses its end only where it runs for ever, and `i += n` of an `i`
    # with 64 bits and an unsigned `n` with 32.
    counts_powers: bool = False
    # It counts a loop or not by the types of the counter, the bound and the step (`test_types_of_counters.py`).
    counts_by_types: bool = False
    # It makes copies of a loop without a pragma only where a subtraction says how many iterations there are.
    counts_cheaply: bool = False
    copies: bool = True  # False where no loop is copied at all, as `regpress-lint ir --without unrolling` asks


_SIMDS = 4  # of a CU and of an RDNA WGP, on every GPU of AMD that is known


class LocalMemory(NamedTuple):
    """The resources that the work-groups of a unit of four SIMDs share, as LLVM counts them: bytes, waves of a SIMD,
    threads of a wave, and the groups of more than one wave that it has barriers for.
    """

    lds_bytes: int
    waves: int
    wave: int
    groups: int


def promoted_bytes(unit: LocalMemory, lds_bytes: int, threads: int, *, dynamic: bool) -> int:
    """Bytes per thread for arrays beside `lds_bytes` of the kernel's own; none beside LDS that the launch sizes."""
    waves = -(-threads // unit.wave)
    slots = _SIMDS * unit.waves
    groups = min(slots // waves, unit.groups) if waves > 1 else slots
    if dynamic or not groups:
        return 0
    # LLVM asks how many waves the LDS leaves, and not whether so many groups have room.
    held = unit.lds_bytes // max(lds_bytes, 1) or 1
    full = min(-(-held * waves // _SIMDS), unit.waves)
    return max(0, unit.lds_bytes * unit.waves // groups // full - lds_bytes) // threads


class Compiler(NamedTuple):
    """One compiler for one family of targets: its habits, each with its measurement."""

    vendor: Vendor  # key of tables by vendor
    wave: int  # threads that run together (`warpSize`)
    matrix_wave: int  # threads whose registers hold a matrix together, see `cpp.types.sharing`; 0: not known

    # What has a register. Arguments and what is the same for all threads live in registers of their own; otherwise
    # arguments and sizes are operands from a constant bank.
    scalar_registers: bool
    # Floats that are equal for all threads need no register of each thread; else only integers share one
    # (`test_live_values.py`: `test_uniform_integers_are_scalar_and_uniform_floats_are_not_on_amd`).
    shares_floats: bool
    # A vector instruction reads one scalar register (gfx9), so that 64-bit constants and upper halves of bases are
    # copied to vector registers, in front of a loop and for all of it (`test_divisions.py`, `test_addresses.py`).
    one_scalar_operand: bool

    # Addresses. Index, scaled index and address are values of their own, and in loops strength reduction makes them
    # move on; otherwise one instruction makes an address wherever it is used (`test_addresses.py`).
    steps_addresses: bool
    # Bytes that an access to global memory or LDS may add to its address by itself, to each side: 13 bits with a sign
    # of gfx9's global_load, 16 of ds_read, 24 of NVIDIA's LDG and LDS.
    far: int
    far_shared: int
    # Of `(x + 1) * 8` with 32 bits and a sign the 8 goes there too, whatever it is added to (`test_addresses.py`).
    splits_products: bool
    # Accesses to global memory do so at all; else each place has an address of its own, which a loop that does not
    # change it holds.
    adds_offsets: bool
    # Of integers of 64 bits whose upper half nobody asks for it reads the lower ones (`test_narrow_integers.py`).
    narrows_reads: bool
    # A write through a pointer to another type changes no read, as C++ has it. NVVM asks for `__restrict__` instead: a
    # loop that writes an `int` reads its doubles again.
    tells_types_apart: bool
    # `p[t + k * n]` behind a loop adds again what it added in front of it, so that the loop holds no sum for each k
    # (ptxas takes 56 registers for forty floats filled and stored like that, clang for gfx90a 136:
    # `test_remade_sums.py`).
    remakes_sums: bool

    # Loops.
    unrolling: Unrolling  # how many copies it makes of them
    # What one side of a branch gives takes no register while the other side runs (`passes/joins.py`): six sides of 16
    # values each take 26 of nvcc. clang for AMD and IGC were not found to do so everywhere.
    shares_by_sides: bool
    # Also if its threads do something together: a loop of `n` iterations with two `__syncthreads()` has ten in nvcc's
    # PTX, for four copies and one of the rest, and two in clang's assembly for gfx90a.
    copies_barriers: bool
    copies_again: bool  # the assembler copies small loops once more (`model/passes/copied_again.py`)
    # Blocks of a loop whose copies' reads can be on their way together: fitted, see `amdgpu.py`.
    batch_blocks: int
    # Up to so many behind `?:` are executed under a predicate, and move as others do; more are branches
    # (`testdata/golden/conditions.cu`, `test_conditions_in_expressions.py`).
    predicated_reads: int
    predicated_ifs: int  # reads and writes under an `if`, likewise
    # Of equal operands the one behind the longest chain is worked out first (`test_message_schedules.py`).
    longest_first: bool
    # What is written at a run-time index into an array that was filled before is found by a read at the same index
    # (`test_uniform_arrays.py`: IGC keeps such an array in memory).
    reads_back: bool
    # Arithmetic moves over branches to where its result is used (LLVM's sinking pass, which the AMDGPU target runs once
    # more), so that all of `sum += c ? a[i] : 0` wait for the last of them (`testdata/golden/conditions.cu`).
    sinks: bool
    # Arithmetic stays in its basic block, and slow paths of divisions and functions end one
    # (`model/passes/basic_blocks.py`).
    keeps_blocks: bool
    # Each `break` of a loop that stays one, and each `case`, has registers of its own for what it leaves while other
    # threads go on, as has a path that is left in front of a loop that stays (`test_paths_that_are_left.py`).
    exits_apart: bool
    # A read that every iteration makes, of a place that none writes, is made once in front of the loop
    # (`test_reads_in_front.py`).
    hoists_reads: bool
    # The scheduler moves reads up in any case, so that they are on their way early (`test_live_values.py`:
    # `test_routine_among_reads_costs_half_on_amd`).
    moves_reads: bool
    # It orders one block at a time, and leaves one as written where its own order would lose waves
    # (`test_reads_beside_scratch.py`).
    block_by_block: bool
    # It works on side by side what can be, while registers are to spare (`test_live_values.py`:
    # `test_scheduler_with_free_registers_starts_independent_work_first`).
    works_ahead: bool

    # Of `x = a * x + b * y` in a loop the sum begins in the register of `b * y`, before `x` has been read for the last
    # time, and a product of 64-bit integers never takes the registers of a factor: old and new values of an array are
    # there at once (`test_sums_of_products.py`).
    adds_to_products: bool
    # Registers up to which a unit holds as many waves, where it is known what becomes of `s[q] += d[q]` in a loop
    # behind all `d[q]` (`test_updates_in_order.py`).
    waves_of_updates: tuple[int, ...]
    # `a * b + c` of 32-bit integers is one instruction with a result of 64 bits (AMD's v_mad_u64_u32), which takes a
    # pair of registers for as long as a loop changes it (`test_sums_in_pairs.py`).
    adds_in_pairs: bool
    # When the unused words of a vector of four that is read as a whole have a register as long as the others live:
    # never ("none"), beside "three" used ones, or where one is "before" a used one (`test_dead_lanes.py`).
    dead_lanes: Literal["none", "three", "before"]

    # Math.
    # 64 bits of which the upper half is known to be 0 are divided as 32 bits (`test_divisions.py`).
    short_divisions: bool
    # `pow` of a float with an int exponent is that of doubles; HIP and SYCL have an overload of their own (nvcc 13.0.88
    # takes 29 registers where clang 19.1.7 takes 26; `test_mixed_power.py`).
    promotes_exponents: bool
    # `__fdividef` and `__powf` are faster than what they are short for (`test_rounded_intrinsics.py`).
    fast_intrinsics: bool

    # Private arrays at run-time indices. What takes a small one out of memory. "vector": a vector register, or LDS
    # (`model/passes/scalar_replacement.py`, `amdgpu.py`); "select": a chain of selects, for the whole frame or
    # not at all (`model/passes/nvidia_arrays.py`, `tools/measure/measure_promotion.py`); "indirect": registers that an
    # index picks (`model/passes/scalar_replacement.py`, `tools/measure/intel_arrays.py`).
    indexing: Indexing
    # An array to which all threads of a wave write the same, and together, has one register where others have so many
    # (IGC's AnnotateUniformAllocas.cpp; `test_uniform_arrays.py`).
    uniform_share: int
    # A table of constants is filled anew by each thread, and no part of the program that all of them read
    # (`testdata/evidence/RP404`).
    copies_tables: bool
    # Of an array in memory, a read at a constant index takes the value that was written there last, or is made once in
    # front of loops that do not write to the array (`test_forwarded_elements.py`).
    forwards_elements: bool
    # A number that ends a loop is none with which it begins again, whichever branch it comes from: LLVM 19 leaves
    # nothing of a stack that holds one element at a time, nvcc and IGC index it (`test_stacks.py`).
    threads_jumps: bool
    # A fence may write to what a thread has in memory: a counter in a struct with an array that it indexes is no
    # constant behind one (`test_counters_behind_barriers.py`).
    fences_private: bool
    local: LocalMemory | None  # on AMD, the LDS of which small arrays get a part

    # Private memory. Bytes beyond which an array is in memory whatever its indices are; without such a limit what has
    # no room is spilled (`testdata/rules/RP407/too_large.hip`).
    gives_up_beyond: int
    # Bytes beyond which the library's `memset` and `memcpy` are loops that stay, and a private object is in memory for
    # them (`test_copied_bytes.py`).
    fills_by_loop: int
    copies_by_loop: int
    # Registers that hold, for each read of a tile's loop in a loop around, what its copies leave over; 0: nothing is
    # worked out in front of that one (`test_tiles.py`).
    remainder: int
    # `memcpy` from or to what a pointer leads to moves single bytes: nothing says how they are aligned.
    moves_bytes: bool
    # Bytes of a struct that goes to such a function, or comes from it, in registers; a larger one is in the caller's
    # frame (`test_frames.py`).
    handed_in_registers: int
    drops_volatile: bool  # `volatile` is in memory only for what else keeps it there (`testdata/evidence/RP401`)
    # Of a frame: bytes for a register that has to make way, the least unit of its size, and the most to which a part of
    # it is aligned (`test_frames.py`).
    frame_slot: int
    frame_unit: int
    most_aligned: int
    shares_assertions: bool  # registers of an `assert` hold what is alive across it (`passes/liveness.py` measured it)
    prints_from_memory: bool  # whether the arguments of a print are handed over there (`test_frames.py`)

    # Registers. It trades what it holds for a unit full of threads, unless the source says how many blocks have to fit
    # (`testdata/golden/min_blocks.cu`).
    aims_at_full_unit: bool
    # Of reads that follow each other none takes the register of an address (`model/passes/read_clusters.py`).
    keeps_addresses: bool
    reads_first: bool  # a loop's factors of products are all read in front of them (`model/passes/loop_reads.py`)
    # Without launch bounds it plans for the largest block, and gives a thread no more registers than that leaves
    # (`targets/occupancy/amd.py`).
    assumes_full_blocks: bool
    # Elements of less than 32 bits lie side by side in a register, and an array that is changed at run-time indices is
    # there twice (`tools/measure/calibrate_registers.py --intel`).
    packs_arrays: bool
    second_try: Unrolling | None  # before it spills it compiles once more, and copies loops so; see `again`
    # The addresses of a block's writes are held side by side, as those of its reads are (ptxas has 16 addresses in 32
    # registers for 16 writes that are far apart).
    writes_at_once: bool
    # Told the largest block (`ESTIMATED_BLOCK`), it knows which sums of a `threadIdx` have no carry
    # (`test_addresses.py`: `test_launch_bound_limits_the_thread_index`).
    bounds_threads: bool

    # Inline assembly.
    assembly: Assembly  # the language of its text, "ptx" or one that is not read (`testdata/golden/assembly.cu`)
    # An empty text hides from it that two values are equal (`model/interpreter/inline_assembly.py`).
    empty_hides: bool

    # What a kernel asks for, on Intel.
    lanes: int | None = None  # the sub-group size, None for none
    grfs: int = 128  # registers of a hardware thread
    promotes: bool = True  # private arrays at run-time indices can live in registers; see `again`

    @property
    def tries_again(self) -> bool:
        """True if it compiles once more before it spills; see `again`."""
        return self.second_try is not None

    @property
    def again(self) -> Compiler | None:
        """This compiler in its second try, after its first one spilled: arrays with run-time indices are then in
        memory. None for compilers that try once.
        """
        return self._replace(unrolling=self.second_try, promotes=False) if self.second_try is not None else None

    def promoted_bytes(self, lds_bytes: int = 0, threads: int = DEFAULT_THREADS, *, dynamic: bool = False) -> int:
        """Bytes per thread of arrays that get LDS beside so many bytes of the kernel's own; none but on AMD."""
        return 0 if self.local is None else promoted_bytes(self.local, lds_bytes, threads, dynamic=dynamic)

    @property
    def pointer_registers(self) -> int:
        """Registers of an argument that is a pointer, and of the address of a global variable."""
        return 2 if self.scalar_registers else 0
