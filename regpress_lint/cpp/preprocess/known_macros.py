"""Macros of libraries that mean more than a qualifier: what they stand for where no header in view says it."""

from __future__ import annotations

from regpress_lint.cpp.preprocess.macros import layer_of, scan_macros

_TEXT = b"""
#define ROCPRIM_SHARED_MEMORY __shared__
#define ROCPRIM_IF_CONSTEXPR constexpr
#define AMREX_D_DECL(a, b, c) a, b, c
#define HEMI_KERNEL(name) __global__ void name
#define HEMI_KERNEL_NAME(name) name
"""
KNOWN = layer_of(scan_macros(_TEXT, ""))
