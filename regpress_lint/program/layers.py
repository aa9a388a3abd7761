"""Portability layers: which calls launch a lambda or a functor as a kernel, and what launch bounds it then has.

The compilation of each layer's kernels was read in its own source, at these versions:

    AMReX 24.10 (`Src/Base/AMReX_GpuLaunch.H`, `Tools/CMake/AMReXOptions.cmake`): `__launch_bounds__(MT)`, MT the
        function's template argument, else AMREX_GPU_MAX_THREADS, which is 256; for SYCL `reqd_work_group_size` of it
    Kokkos 4.6 (`core/src/{Cuda,HIP}/Kokkos_*_KernelLaunch.hpp`): none, unless the policy has `LaunchBounds<T, B>`
    RAJA 2025.09 (`include/RAJA/policy/{cuda,hip}`): `__launch_bounds__(BLOCK_SIZE, 1)` of the execution policy
    Thrust and CUB of CUDA 13.0 (`cub/device/dispatch/tuning/tuning_{for,transform}.cuh`): 256; where the device copies
        in bulk `transform` has its own, near it
    alpaka, PMacc (which is written with it), hemi: none
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.language import LAYER_MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Layer(NamedTuple):
    """One layer.

    marks: words that make a lambda or an `operator()` device code. launches: last names of the functions that launch
    what they are given; `namespaces`: how such a call is qualified, () for any way. threads: launch bound that the
    layer compiles for, None for none; `constant`: the macro that says it. bounds: how a user declares launch bounds,
    `{}` for the threads; "" if there is no way.
    any_call: a lambda with one of these words is a kernel whichever function receives it. functors: words that make
    each `void operator()` a kernel, of a class with `owners` in its name. elements: what is called is given elements of
    ranges and gives others back.
    """

    name: str
    marks: frozenset[str] = frozenset(("__device__",))
    launches: frozenset[str] = frozenset()
    namespaces: tuple[str, ...] = ()
    threads: int | None = None
    constant: str = ""
    bounds: str = ""
    any_call: frozenset[str] = frozenset()
    functors: frozenset[str] = frozenset()
    owners: str = ""
    elements: bool = False


_KOKKOS = ("KOKKOS_FUNCTION", "KOKKOS_INLINE_FUNCTION", "KOKKOS_FORCEINLINE_FUNCTION")
_KOKKOS_LAMBDAS = frozenset(("KOKKOS_LAMBDA", "KOKKOS_CLASS_LAMBDA"))
_AMREX = frozenset(("AMREX_GPU_DEVICE", "AMREX_GPU_LAMBDA"))

KOKKOS = Layer(
    "Kokkos",
    _KOKKOS_LAMBDAS.union(_KOKKOS),
    frozenset(("parallel_for", "parallel_reduce", "parallel_scan")),
    bounds="`Kokkos::LaunchBounds<{}>` in the policy",
    any_call=_KOKKOS_LAMBDAS,
    functors=frozenset(_KOKKOS),
)
AMREX = Layer(
    "AMReX",
    _AMREX | {"AMREX_GPU_HOST_DEVICE"},
    frozenset(
        (
            *("ParallelFor", "ParallelForRNG", "For", "HostDeviceParallelFor", "HostDeviceFor", "launch"),
            *("single_task", "eval", "ParReduce", "ReduceSum", "ReduceMin", "ReduceMax", "ReduceMinMax"),
            *("ReduceLogicalAnd", "ReduceLogicalOr", "AnyOf", "fill"),
        )
    ),
    threads=256,
    constant="AMREX_GPU_MAX_THREADS",
    bounds="`amrex::ParallelFor<{}>`",
    any_call=_AMREX,
)
RAJA = Layer(
    "RAJA",
    frozenset(("RAJA_DEVICE", "RAJA_HOST_DEVICE", "RAJA_LAMBDA", "__device__")),
    frozenset(("forall", "dynamic_forall", "kernel", "kernel_param", "kernel_resource", "launch")),
    ("RAJA::", "RAJA::expt::"),
    bounds="the block size in the execution policy, as in `RAJA::cuda_exec<{}>`",
)
ALPAKA = Layer("alpaka", frozenset(("ALPAKA_FN_ACC",)), functors=frozenset(("ALPAKA_FN_ACC",)))
PMACC = Layer(
    "PMacc",
    frozenset(("DINLINE", "HDINLINE")),
    frozenset(("PMACC_KERNEL", "PMACC_LOCKSTEP_KERNEL")),
    functors=frozenset(("DINLINE",)),
    owners="Kernel",
)
HEMI = Layer(
    "hemi",
    frozenset(("HEMI_LAMBDA", "HEMI_DEV_CALLABLE", "HEMI_DEV_CALLABLE_MEMBER", "__device__")),
    frozenset(("parallel_for", "launch", "cudaLaunch")),
    ("hemi::",),
)
THRUST = Layer(
    "thrust",
    launches=frozenset(("for_each", "for_each_n", "transform", "transform_if", "generate", "generate_n", "tabulate")),
    namespaces=("thrust::",),
    threads=256,
    elements=True,
)
CUB = Layer(
    "CUB",
    launches=frozenset(
        (
            *("Bulk", "ForEach", "ForEachN", "ForEachCopy", "ForEachCopyN", "ForEachInExtents"),
            *("Transform", "TransformIf", "TransformStableArgumentAddresses"),
        )
    ),
    namespaces=("cub::DeviceFor::", "cub::DeviceTransform::", "hipcub::DeviceFor::"),
    threads=256,
    elements=True,
)
_BY_MARK: tuple[tuple[bytes, Layer], ...] = tuple(
    zip(LAYER_MARKS, (KOKKOS, AMREX, RAJA, ALPAKA, PMACC, HEMI, THRUST, CUB), strict=True)
)

# A call that runs its lambda on the host, or hands it to threads of a kernel that runs already.
ELSEWHERE = pattern(
    rb"\b(?:Serial|OpenMP|Kokkos::(?:Experimental::)?(?:Threads|HPX)|DefaultHostExecutionSpace|HostSpace::execution_space"
    rb"|(?:seq|simd|loop)_(?:exec|launch_t|region|work)|omp_\w+|thrust::(?:host|seq|omp::par|tbb::par|cpp::par)|host_vector"
    rb"|Team(?:Thread|Vector)(?:MD)?Range|ThreadVector(?:MD)?Range|single\s+(?:Kokkos::)?Per(?:Team|Thread))\b"
)


def layers_in(data: bytes, launches: Mapping[str, int]) -> Iterator[Layer]:
    """The layers whose words a file has; `launches` are the functions of the configuration, with their threads."""
    yield from (layer for mark, layer in _BY_MARK if mark in data)
    by_threads: dict[int, set[str]] = {}
    for name, threads in launches.items():
        if name.rpartition("::")[2].encode() in data:
            by_threads.setdefault(threads, set()).add(name.rpartition("::")[2])
    marks = frozenset(("__device__", *(mark for _, layer in _BY_MARK for mark in layer.marks)))
    for threads, names in by_threads.items():
        yield Layer("", marks, frozenset(names), threads=threads or None)


def layer(name: str) -> Layer | None:
    return next((layer for _, layer in _BY_MARK if layer.name == name), None)
