"""nvcc 13.0 for sm_90: how NVVM copies loops, and what ptxas keeps in registers.

Sources: `tools/measure/loop_limits.py`, `tools/measure/measure_promotion.py`, and the pairs in `testdata/evidence`.
"""

from __future__ import annotations

from regpress_lint.targets.compilers.traits import NEVER, Compiler, Unrolling

# From `tools/measure/loop_limits.py`.
NVVM = Unrolling(
    plain=405,
    private=2450,
    largest_array=1 << 30,
    own_counter=False,
    local=405,
    by_pragma=32768,
    outer_trips=10,
    head=2,
    simulated=64,
    simulated_size=1 << 30,
    simulated_large=64,
    saved=0,
    branch=3,  # `test_branches_in_copies.py`
    counted=200,
    any_divisor=False,
    odd_copies=4,
    runtime_copies=4,
    lds_copies=4,
    # The largest N for which nvcc 13.0.88 copies `for (k < N) for (j = k; j < N)`: of `m[j] += 1.5f` 19, of
    # `m[j] -= m[k] * a[j]` 16, of three such statements 12; with `j = 0; j < k` 21; an elimination, 3 loops deep, 6.
    loop_inside=9,
    begins_inside=5,
    row_inside=6,
    around_gone=True,
    # The largest N for which `for (i < N) for (j < N)` has no frame for `r`: with `r[j] = r[i]` 59 and more, with
    # `r[j] += r[i]` 47, `s += r[i] * r[j]` 33, `d = r[i] - q[j]; s += d * d` 27, `if (r[i] < r[j]) s += r[j]` 24.
    beside_gone=5,
    bounded=1 << 30,
    bounded_by_pragma=1 << 30,
    bounded_by_number="stays",
    folds_first=False,
    folds_last=False,
    few=16,
    exits_late=False,  # an insertion sort of 16 numbers keeps its 64 bytes of local memory, in four wordings
    orders_moving=False,
    works_side_by_side=False,
    nounroll=False,
    one_copy=True,
    fused=False,
    product=1,
    division=4,  # `r = (r * r + q) % 7` is copied whole up to 58 times, 150 times without the remainder
    rotation=3,
    extension=0,
    element=0,
    counts_by_types=True,
)

NVCC = Compiler(
    vendor="nvidia",
    wave=32,
    matrix_wave=32,
    scalar_registers=False,
    shares_floats=False,  # the uniform unit of sm_90 has integers alone
    one_scalar_operand=False,
    steps_addresses=False,
    far=1 << 23,
    far_shared=1 << 23,
    splits_products=True,
    unrolling=NVVM,
    shares_by_sides=True,
    copies_barriers=True,
    copies_again=True,
    batch_blocks=3,  # head, body and step
    predicated_reads=2,
    predicated_ifs=2,
    longest_first=True,
    reads_back=True,
    sinks=False,
    keeps_blocks=True,
    exits_apart=False,
    hoists_reads=True,
    moves_reads=False,
    block_by_block=False,
    works_ahead=True,
    adds_to_products=False,
    waves_of_updates=(),
    adds_in_pairs=False,
    dead_lanes="three",
    short_divisions=False,
    indexing="select",
    uniform_share=1,
    copies_tables=True,
    forwards_elements=True,
    threads_jumps=False,
    fences_private=False,
    gives_up_beyond=NEVER,
    fills_by_loop=NEVER,
    copies_by_loop=NEVER,
    remainder=8,
    moves_bytes=True,  # `test_copied_bytes.py`
    handed_in_registers=NEVER,
    drops_volatile=True,
    promotes_exponents=True,
    fast_intrinsics=True,
    frame_slot=0,
    frame_unit=8,
    most_aligned=1,
    shares_assertions=False,
    prints_from_memory=True,
    aims_at_full_unit=True,
    keeps_addresses=False,
    reads_first=True,
    narrows_reads=True,
    tells_types_apart=False,
    remakes_sums=True,
    assumes_full_blocks=False,
    packs_arrays=False,
    second_try=None,
    writes_at_once=True,
    bounds_threads=False,
    assembly="ptx",
    empty_hides=False,
    adds_offsets=True,
    local=None,
)
