"""Headers that no project has: those of compilers, of the standard library, of vendors' toolkits."""

from __future__ import annotations

from regpress_lint.core.patterns import pattern

_SYSTEM = pattern(
    r"[a-z_]+|(?:std\w+|math|string|time|assert|float|limits|errno|ctype|signal|unistd|getopt|omp|mpi|malloc|memory"
    r"|cuda\w*|device_launch_parameters|cooperative_groups|cu\w+_v2|cublas\w*|cufft\w*|curand\w*|mma|nvToolsExt)\.h"
    r"|(?:sys|hip|sycl|CL|cuda|nv|hipcub|rocprim|thrust|cub|oneapi|rocblas|hipblas|hipblaslt|rocrand|hiprand|immintrin)/.*"
)


def is_vendors(name: str) -> bool:
    """True for the name in an `#include <...>` that only a toolkit or compiler answers: looking for it in the project
    would only cost failed opens.
    """
    return _SYSTEM.fullmatch(name) is not None
