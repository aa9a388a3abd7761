"""Names under which the languages give a thread its place: variables, HIP's old macros, functions of the compilers.

Macros of <cmath> and <climits>: the toolchain's headers are not read, and no project defines these for itself.

Built-in functions of OpenCL C 3.0 (section 6.15) that CUDA, HIP and SYCL do not have under the same name.

Each compiles to a few instructions everywhere and works lane by lane, unless it is named below as one that does not.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Mapping


STANDARD_CONSTANTS: Mapping[str, int | float] = {
    "M_E": math.e,
    "M_LOG2E": 1 / math.log(2),
    "M_LOG10E": 1 / math.log(10),
    "M_LN2": math.log(2),
    "M_LN10": math.log(10),
    "M_PI": math.pi,
    "M_PI_2": math.pi / 2,
    "M_PI_4": math.pi / 4,
    "M_1_PI": 1 / math.pi,
    "M_2_PI": 2 / math.pi,
    "M_2_SQRTPI": 2 / math.sqrt(math.pi),
    "M_SQRT2": math.sqrt(2),
    "M_SQRT1_2": math.sqrt(0.5),
    "CHAR_BIT": 8,
    "SHRT_MAX": (1 << 15) - 1,
    "INT_MAX": (1 << 31) - 1,
    "INT_MIN": -(1 << 31),
}


# Under this prefix a function is known to be the language's, whatever a program calls its own.
PREFIX = "__cl_"
# The result has the type of the first argument.
OF_FIRST = frozenset(
    (
        *("abs_diff", "add_sat", "bitselect", "clz", "ctz", "degrees", "exp10", "fract", "hadd", "logb", "mad_hi"),
        *("mad_sat", "maxmag", "minmag", "modf", "mul_hi", "nan", "nextafter", "popcount", "radians", "remquo"),
        *("rhadd", "rootn", "rotate", "select", "shuffle", "shuffle2", "sign", "smoothstep", "sub_sat", "upsample"),
    )
)
# Truth values and exponents: a whole number for each lane.
WHOLE = frozenset(
    (
        *("ilogb", "isequal", "isfinite", "isgreater", "isgreaterequal", "isinf", "isless", "islessequal"),
        *("islessgreater", "isnan", "isnormal", "isnotequal", "isordered", "isunordered", "signbit"),
    )
)
# One number made of all lanes.
ACROSS = frozenset(("all", "any", "distance", "dot", "fast_distance", "fast_length", "length"))
# A vector, and every lane of it takes all lanes of the arguments.
MIXING = frozenset(("cross", "fast_normalize", "normalize", "shuffle", "shuffle2"))
KNOWN = OF_FIRST | WHOLE | ACROSS | MIXING
# `native_sin` and `half_sin` are the same few instructions as CUDA's `__sinf`.
FAST = {
    "cos": "__cosf",
    "divide": "__fdividef",
    "exp": "__expf",
    "exp10": "__exp10f",
    "exp2": "__exp2f",
    "log": "__logf",
    "log10": "__log10f",
    "log2": "__log2f",
    "powr": "__powf",
    "recip": "__frcp_rn",
    "rsqrt": "__frsqrt_rn",
    "sin": "__sinf",
    "sqrt": "__fsqrt_rn",
    "tan": "__tanf",
}
# Objects that a kernel is handed and passes on; they are descriptors, the same for all work-items.
OPAQUE = frozenset(
    (
        *("clk_event_t", "event_t", "ndrange_t", "queue_t", "reserve_id_t", "sampler_t"),
        *("image1d_t", "image1d_array_t", "image1d_buffer_t", "image2d_t", "image2d_array_t", "image2d_depth_t"),
        *("image2d_array_depth_t", "image2d_msaa_t", "image3d_t"),
    )
)
ATOMIC_TYPES = {
    "atomic_int": "int",
    "atomic_uint": "uint",
    "atomic_long": "long",
    "atomic_ulong": "ulong",
    "atomic_float": "float",
    "atomic_double": "double",
    "atomic_size_t": "size_t",
    "atomic_intptr_t": "intptr_t",
    "atomic_uintptr_t": "uintptr_t",
    "atomic_ptrdiff_t": "ptrdiff_t",
    "atomic_flag": "int",
    "cl_mem_fence_flags": "uint",
    "memory_order": "int",
    "memory_scope": "int",
}
# Work-items of a work-group that AMD's compiler takes a kernel to have without `reqd_work_group_size`: clang's
# `amdgpu-flat-work-group-size` is "1,256" for OpenCL C and "1,1024" for HIP (seen with clang 19.1.7).
AMD_DEFAULT_THREADS = 256


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

# What these give is the same for all threads of a wave, whatever they are given.
ONE_FOR_ALL = frozenset(("__builtin_amdgcn_readfirstlane", "__builtin_amdgcn_readlane"))

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
# Namespaces whose functions our substitute for the standard library has.
STANDARD = frozenset(("std", "cuda::std", "::cuda::std", "thrust"))
# Functions of `nvcuda::wmma` that write the fragment that they are given first.
MATRIX_WRITERS = frozenset(("fill_fragment", "load_matrix_sync", "mma_sync", "bmma_sync"))
GROUPS = COOPERATIVE_GROUPS | frozenset(
    ("get_group", "get_nd_item", "get_sub_group", "get_work_group", "this_group", "this_nd_item", "this_sub_group")
)
# Of the objects by which a SYCL kernel knows its place; they are no arguments of the host.
ITEM_TYPE = pattern(r"(?:^|::|\s)(?:nd_item|h_item|item|kernel_handler|id|group)(?:\s*<.*>)?\s*(?:const)?\s*&?$")
GROUP_TYPE = pattern(
    r"(?:\w+::)*(?:thread_block(?:_tile)?|coalesced_group|(?:multi_)?grid_group|nd_item|h_item|group|sub_group)"
    r"(?:\s*<.*>)?"
)

# Matrix instructions of AMD, which add up in registers of their own: `..._mfma_...` of CDNA and `..._wmma_...` of RDNA.
MATRIX_BUILTIN = pattern(r"__builtin_amdgcn_s?(?:mfmac?|wmmac?)_")


# Headers that no project has: those of compilers, of the standard library, of vendors' toolkits.


_SYSTEM = pattern(
    r"[a-z_]+|(?:std\w+|math|string|time|assert|float|limits|errno|ctype|signal|unistd|getopt|omp|mpi|malloc|memory"
    r"|cuda(?:GL|EGL|VDPAU|Profiler|D3D\w*|rt_platform|libxt|Typedefs|_(?:runtime|device_runtime|profiler)(?:_api)?)?"
    r"|cuda\w*(?:Typedefs|_interop)|cuda_(?:fp4|fp6|fp8|fp16|bf16|awbarrier\w*|pipeline\w*|occupancy|stdint)"
    r"|device_launch_parameters|cooperative_groups|cu\w+_v2|cublas\w*|cufft\w*|curand\w*|mma|nvToolsExt)\.h"
    r"|(?:sys|hip|sycl|CL|cuda|nv|hipcub|rocprim|thrust|cub|oneapi|rocblas|hipblas|hipblaslt|rocrand|hiprand|immintrin)/.*"
)


def is_vendors(name: str) -> bool:
    """True for the name in an `#include <...>` that only a toolkit or compiler answers: looking for it in the project
    would only cost failed opens.
    """
    return _SYSTEM.fullmatch(name) is not None
