"""clang 19 for AMDGPU: how it copies loops, and what it keeps in registers.

Private arrays that are indexed at run time become vector registers if they are small, and others get LDS, as far as no
wave is lost by it for the largest work-group. Measured by kernels with 0 to 60,000 bytes of LDS and work-groups of 32
to 1,024 threads on gfx90a and gfx1100, by those with 0 to 40,000 bytes on gfx900, gfx1030, gfx942 and gfx1201. Other
sources: AMDGPUTargetTransformInfo.cpp, the ISA manuals, and the pairs in `testdata/evidence`.
"""

from __future__ import annotations

from regpress_lint.targets.compilers.traits import NEVER, Compiler, LocalMemory, Unrolling

AMD_VECTOR_ELEMENTS = 16  # arrays up to here become vector registers
MOST_VGPRS = 256  # that an instruction can name
AMD_LDS_BYTES = 32  # other arrays up to here are moved to LDS on gfx9 where nothing says more

# LLVM 19 for AMDGPU: 300 in general, 1,000 for LDS, 2,700 for an alloca of up to 960 bytes, 16,384 for a pragma, 150
# for what stays a loop, less the 5 of the branch that is left (LoopUnrollPass.cpp, AMDGPUTargetTransformInfo.cpp).
# `tools/measure/loop_limits.py` compiles the loops at these limits.
LLVM = Unrolling(
    plain=294,
    private=2694,
    largest_array=960,
    own_counter=True,  # `getUnrollingPreferences` leaves out what a loop inside defines
    local=994,
    by_pragma=16384,
    outer_trips=1 << 30,
    head=2,
    simulated=32,
    simulated_size=20,
    simulated_large=10,
    saved=7,
    branch=0,
    counted=145,
    any_divisor=True,
    odd_copies=8,
    runtime_copies=1,
    lds_copies=8,
    loop_inside=0,
    begins_inside=0,
    row_inside=0,
    around_gone=False,
    beside_gone=0,
    bounded=0,
    bounded_by_pragma=8,
    bounded_by_number="enough",
    folds_first=True,
    folds_last=True,
    few=7,  # `UnrollMaxUpperBound` less one
    exits_late=True,
    orders_moving=True,
    works_side_by_side=True,
    nounroll=True,
    one_copy=True,
    counts_powers=True,
    counts_cheaply=True,
    fused=True,
    product=2,
    division=4,  # `r = (r * r + q) % 7` is copied whole up to 32 times, 58 times without the remainder
    rotation=4,
    extension=1,
    element=0,
)

GFX9_LOCAL = LocalMemory(65536, 8, 64, 16)
RDNA_LOCAL = LocalMemory(131072, 16, 32, 32)  # two CUs, wave32

GFX9 = Compiler(
    vendor="amd",
    wave=64,
    matrix_wave=64,  # of MFMA; WMMA of RDNA has the factors twice in a wave of 32
    scalar_registers=True,
    shares_floats=False,  # on gfx9: no scalar unit for them
    one_scalar_operand=True,
    steps_addresses=True,
    far=4096,
    far_shared=1 << 16,
    splits_products=False,
    unrolling=LLVM,
    shares_by_sides=False,
    copies_barriers=False,
    copies_again=False,
    batch_blocks=1 << 30,  # counting the copies of all loops measured better than those of loops without branches
    predicated_reads=0,
    predicated_ifs=0,
    longest_first=False,
    reads_back=True,
    sinks=True,
    keeps_blocks=False,
    exits_apart=True,
    hoists_reads=True,
    moves_reads=True,
    block_by_block=True,
    works_ahead=True,
    adds_to_products=True,
    waves_of_updates=(),
    adds_in_pairs=True,
    dead_lanes="before",
    short_divisions=True,
    indexing="vector",
    uniform_share=1,
    copies_tables=False,
    forwards_elements=True,
    threads_jumps=True,
    fences_private=True,
    gives_up_beyond=NEVER,
    fills_by_loop=160,  # HIP's headers write bytes, four a turn
    copies_by_loop=128,
    remainder=0,
    moves_bytes=False,
    handed_in_registers=64,  # 16 registers
    drops_volatile=False,
    promotes_exponents=False,
    fast_intrinsics=False,
    frame_slot=4,
    frame_unit=4,
    most_aligned=16,
    shares_assertions=True,
    prints_from_memory=False,
    aims_at_full_unit=False,
    keeps_addresses=True,
    reads_first=True,
    assumes_full_blocks=True,
    packs_arrays=False,
    second_try=None,
    writes_at_once=False,
    bounds_threads=True,
    assembly="unread",
    empty_hides=True,
    adds_offsets=True,
    narrows_reads=False,
    tells_types_apart=True,
    remakes_sums=False,
    local=GFX9_LOCAL,
)
CDNA2 = GFX9._replace(
    unrolling=LLVM._replace(lanes=2),  # GCNTTIImpl::getRegisterBitWidth: where `v_pk_add_f32` is
    waves_of_updates=(64, 72, 80, 96, 128, 168, 256),
)
RDNA = GFX9._replace(
    wave=32, matrix_wave=0, one_scalar_operand=False, keeps_addresses=False, block_by_block=False, local=RDNA_LOCAL
)
