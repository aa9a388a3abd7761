"""IGC 1.0.12504 for pvc: how it copies loops, and what it keeps in registers.

Where nothing was measured of it, it has the value of nvcc, and the line says so. Sources:
`tools/measure/loop_limits.py` and `tools/measure/intel_arrays.py`.
"""

from __future__ import annotations

from regpress_lint.targets.compilers.traits import NEVER, Compiler, Unrolling

# It makes up to four copies of a loop that is too long, and four more of the rest; `#pragma unroll 1` does not stop it.
IGC_LOOPS = Unrolling(
    plain=1297,
    private=1297,
    largest_array=1 << 30,  # as nvcc
    own_counter=False,  # as nvcc
    local=1297,
    by_pragma=16384,
    outer_trips=1 << 30,
    head=1,
    simulated=0,
    simulated_size=1 << 30,  # as nvcc
    simulated_large=0,
    saved=0,  # as nvcc
    branch=0,
    counted=1297,
    any_divisor=False,  # as nvcc
    odd_copies=1,
    runtime_copies=1,
    lds_copies=1,
    loop_inside=0,
    begins_inside=0,
    row_inside=0,
    around_gone=False,
    beside_gone=0,
    bounded=8,  # where it reads the array: GenTTI.cpp, and LLVM's `UnrollMaxUpperBound`
    bounded_by_pragma=8,
    bounded_by_number="unasked",
    folds_first=True,
    folds_last=False,
    few=0,
    exits_late=True,
    orders_moving=False,  # as nvcc
    works_side_by_side=False,  # as nvcc
    nounroll=True,
    one_copy=False,
    fused=False,  # as nvcc
    product=1,  # as nvcc
    division=1,  # a loop of `s[k] = s[k] * x + s[(k + 1) % 88]` is copied whole, 88 times
    rotation=3,  # as nvcc
    extension=0,  # as nvcc
    element=1,
)
# After its first try has spilled, no loop without a pragma is copied.
_BY_PRAGMA_ALONE = IGC_LOOPS._replace(plain=0, private=0, local=0, counted=0)

IGC = Compiler(
    vendor="intel",
    wave=32,  # as nvcc
    matrix_wave=16,  # of the systolic arrays of pvc
    scalar_registers=False,  # as nvcc
    shares_floats=True,
    one_scalar_operand=False,  # as nvcc
    steps_addresses=False,  # as nvcc
    far=1 << 23,  # as nvcc
    far_shared=32,  # what is near enough in SLM is read together
    splits_products=True,  # as nvcc
    adds_offsets=False,  # its messages to global memory have none (`test_intel_addresses.py`)
    narrows_reads=False,
    tells_types_apart=True,
    remakes_sums=False,
    unrolling=IGC_LOOPS,
    shares_by_sides=False,
    copies_barriers=True,  # as nvcc
    copies_again=False,
    batch_blocks=3,  # as nvcc
    predicated_reads=2,  # as nvcc
    predicated_ifs=0,
    longest_first=False,
    reads_back=False,
    sinks=False,  # as nvcc
    keeps_blocks=False,
    exits_apart=False,  # as nvcc
    hoists_reads=False,
    moves_reads=False,  # as nvcc
    block_by_block=False,  # as nvcc
    works_ahead=False,
    adds_to_products=False,
    waves_of_updates=(),
    adds_in_pairs=False,
    dead_lanes="none",
    short_divisions=False,  # as nvcc
    promotes_exponents=False,
    fast_intrinsics=True,
    indexing="indirect",
    uniform_share=8,
    copies_tables=False,
    forwards_elements=False,
    threads_jumps=False,
    local=None,  # as nvcc
    fences_private=False,
    gives_up_beyond=1023,  # a 16 x 16 tile of floats
    fills_by_loop=NEVER,
    copies_by_loop=NEVER,
    remainder=0,
    moves_bytes=False,
    handed_in_registers=NEVER,  # as nvcc
    drops_volatile=False,
    frame_slot=0,  # as nvcc
    frame_unit=8,
    most_aligned=1,
    shares_assertions=False,
    prints_from_memory=False,
    aims_at_full_unit=False,
    keeps_addresses=False,
    reads_first=False,
    assumes_full_blocks=False,  # as nvcc
    packs_arrays=True,
    second_try=_BY_PRAGMA_ALONE,
    writes_at_once=False,
    bounds_threads=False,  # as nvcc
    assembly="unread",
    empty_hides=False,  # as nvcc
)
