"""Macros of libraries that mean more than a qualifier: their expansions, for use where no known header defines them."""

from __future__ import annotations

from regpress_lint.cpp.preprocess.macros import layer_of, scan_macros

_TEXT = b"""
#define ROCPRIM_SHARED_MEMORY __shared__
#define ROCPRIM_IF_CONSTEXPR constexpr
#define AMREX_D_DECL(a, b, c) a, b, c
#define HEMI_KERNEL(name) __global__ void name
#define HEMI_KERNEL_NAME(name) name
"""


def _of_amrex() -> bytes:
    """AMReX 24.10, `AMReX_GpuLaunch.nolint.H`: loops over a box whose body, the last argument, is a kernel."""
    indices = {"1D": ("n", "i"), "3D": ("box", "i", "j", "k"), "4D": ("box, ncomp", "i", "j", "k", "n")}
    lines = []
    for prefix, suffix, flag in (("", "", ""), ("HOST_DEVICE_", "", ""), ("HOST_DEVICE_", "_FLAG", "where, ")):
        for name in ("FOR", "PARALLEL_FOR"):
            for dimension, (over, *places) in indices.items():
                lambda_ = f"[=] AMREX_GPU_DEVICE ({', '.join(f'int {place}' for place in places)}) noexcept block"
                head = f"AMREX_{prefix}{name}_{dimension}{suffix}({flag}{over}, {', '.join(places)}, block)"
                lines.append(f"#define {head} ParallelFor({over}, {lambda_})")
        head = f"AMREX_LAUNCH_{prefix or 'DEVICE_'}LAMBDA{suffix}({flag}box, part, block)"
        lines.append(f"#define {head} launch(box, [=] AMREX_GPU_DEVICE (Box const& part) noexcept block)")
    return "\n".join((*lines, "")).encode()


KNOWN = layer_of(scan_macros(_TEXT + _of_amrex(), ""))
