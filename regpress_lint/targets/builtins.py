"""Names under which the languages give a thread its place: variables, HIP's old macros, functions of the compilers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

AXES = ("x", "y", "z")
THREAD = "threadIdx"
LAUNCH = frozenset(("blockIdx", "blockDim", "gridDim"))  # the same for all threads of a block
COORDINATES = LAUNCH | {THREAD}
# SYCL's and cooperative groups' functions that give a thread its own number.
THREAD_NUMBERS = frozenset(("get_global_id", "get_local_id", "get_global_linear_id", "get_local_linear_id", "get_id"))

# What stands for `threadIdx.x`: HIP's headers define it so, and it reads like a name of its own.
SPELLED: Mapping[str, tuple[str, str]] = {
    f"hip{name[0].upper()}{name[1:]}_{axis}": (name, axis) for name in COORDINATES for axis in AXES
}

# Functions without arguments that matter, whose result differs from thread to thread: bits of the largest one.
THREAD_CALLS: Mapping[str, int] = {
    **{f"__builtin_amdgcn_workitem_id_{axis}": 10 for axis in AXES},
    **dict.fromkeys(("__builtin_amdgcn_mbcnt_lo", "__builtin_amdgcn_mbcnt_hi", "__mbcnt_lo", "__mbcnt_hi"), 7),
    **dict.fromkeys(("__lane_id", "__ockl_lane_u32", "__laneid", "__nvvm_read_ptx_sreg_laneid"), 6),
    **{f"__nvvm_read_ptx_sreg_tid_{axis}": 10 for axis in AXES},
    "__ockl_get_local_id": 10,
    "__ockl_get_global_id": 32,
}

# What gives a group of threads, and the types of those: names for some of the threads, which take no registers.
COOPERATIVE_GROUPS = frozenset(
    ("this_thread_block", "tiled_partition", "this_grid", "coalesced_threads", "this_multi_device")
)
# They give one of what they are given.
SMALLER = frozenset(("min", "umin"))
CHOOSERS = SMALLER | {"max", "umax"}
# Functions of `nvcuda::wmma` that write the fragment that they are given first.
MATRIX_WRITERS = frozenset(("fill_fragment", "load_matrix_sync", "mma_sync", "bmma_sync"))
GROUPS = COOPERATIVE_GROUPS | frozenset(
    ("get_group", "get_nd_item", "get_sub_group", "get_work_group", "this_group", "this_nd_item", "this_sub_group")
)
GROUP_TYPE = pattern(
    r"(?:\w+::)*(?:thread_block(?:_tile)?|coalesced_group|(?:multi_)?grid_group|nd_item|h_item|group|sub_group)"
    r"(?:\s*<.*>)?"
)
