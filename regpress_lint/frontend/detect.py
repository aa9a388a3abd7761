"""Is this a GPU file, and in which language? Decided on the bytes, before anything is parsed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.settings import Language

_MARKERS = re.compile(
    rb"__global__|__device__|<<<|<<\s+<|\bsycl\b|hipLaunchKernel|cudaLaunch|_KERNEL\b|\bKERNEL\b|CUTLASS_GLOBAL|\bAMREX_GPU_GLOBAL\b|\bthreadIdx\b"
)
_KERNELS = re.compile(
    rb"__global__|_KERNEL\b|\bKERNEL|_GLOBAL\b|\b(?:parallel_for|single_task|nd_launch|launch_grouped|sycl_kernel_submit)"
    rb"|\bnd_item\b|\bh_item\b|\b(?:sycl\s*::\s*)(?:item|id|group)\s*<|nd_range_kernel|\bkernel_handler\b"
)
_SYCL_WORDS = (b"sycl::", b"sycl/", b"SYCL/", b"nd_item", b"SYCL_EXTERNAL", b"namespace sycl")
_EXTENSIONS: dict[str, Language] = {"hip": "hip", "cu": "cuda", "cuh": "cuda"}


def detect_language(path: str, data: bytes) -> Language | None:
    """Language of a file, or None if it holds nothing for a GPU."""
    if _MARKERS.search(data) is None:
        return None
    device = data.count(b"__global__") + data.count(b"__device__") + data.count(b"<<<")
    sycl = sum(data.count(word) for word in _SYCL_WORDS)
    # A ported file often keeps the old `k<<<...>>>` or `__global__` in a comment.
    if sycl > device:
        return "sycl"
    hip, cuda = data.count(b"hip"), data.count(b"cuda")
    extension = path.rsplit(".", 1)[-1].lower() if "." in path else ""
    if extension in _EXTENSIONS:
        # HIP projects often keep the CUDA extension.
        return "hip" if hip > cuda else _EXTENSIONS[extension]
    if hip > cuda or (hip and hip == cuda):
        return "hip"
    if not device and not cuda and b"Launch" not in data:
        return None
    return "hip" if "-hip/" in path or "/hip/" in path else "cuda"


def may_hold_kernels(data: bytes) -> bool:
    """False for a file that spells no kernel (it only launches some, or holds device helpers); macros are not looked at."""
    return _KERNELS.search(data) is not None
