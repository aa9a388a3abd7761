"""Built-in functions of OpenCL C 3.0 (section 6.15) that CUDA, HIP and SYCL do not have under the same name.

Each compiles to a few instructions everywhere and works lane by lane, unless it is named below as one that does not.
"""

from __future__ import annotations

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
