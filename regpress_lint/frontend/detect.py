"""Is this a GPU file, and in which language? Decided on the bytes, before anything is parsed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.settings import Language

_MARKERS = re.compile(
    rb"__global__|__device__|<<<|<<\s+<|\bsycl\b|hipLaunchKernel|cudaLaunch|_KERNEL\b|\bKERNEL\b|CUTLASS_GLOBAL|\bAMREX_GPU_GLOBAL\b"
)
_SYCL = re.compile(rb"\bsycl\s*::|\bsycl/|SYCL/|\bnd_item\b|SYCL_EXTERNAL|namespace\s+sycl")
_HIP = re.compile(rb"\bhip[A-Z_/]|\bhip/|__HIP|hipLaunchKernel|\brocprim\b|\bhipcub\b")
_CUDA = re.compile(rb"\bcuda[A-Z_/]|__CUDA|\bcuda_|\bcub::|\bcurand")
_EXTENSIONS: dict[str, Language] = {"hip": "hip", "cu": "cuda", "cuh": "cuda"}


def detect_language(path: str, data: bytes) -> Language | None:
    """Language of a file, or None if it holds nothing for a GPU."""
    if _MARKERS.search(data) is None:
        return None
    device = b"__global__" in data or b"__device__" in data or b"<<<" in data
    extension = path.rsplit(".", 1)[-1].lower() if "." in path else ""
    sycl = len(_SYCL.findall(data))
    # A ported file often keeps the old `k<<<...>>>` or `__global__` in a comment.
    if sycl and (not device or sycl > data.count(b"__global__") + data.count(b"<<<")):
        return "sycl"
    hip, cuda = len(_HIP.findall(data)), len(_CUDA.findall(data))
    if extension in _EXTENSIONS:
        # HIP projects often keep the CUDA extension.
        return "hip" if hip and hip > cuda else _EXTENSIONS[extension]
    if hip and hip >= cuda:
        return "hip"
    if not device:
        return "cuda" if cuda else None
    return "hip" if "-hip/" in path or "/hip/" in path else "cuda"
