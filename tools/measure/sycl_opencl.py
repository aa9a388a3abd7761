"""SYCL kernels of a plain form as OpenCL C, which Intel's compiler takes: what is different is spelled, not written.

A kernel is a function that submits one lambda over a `range` or `nd_range` of one dimension and captures what the
function is given: pointers to global memory, and numbers. Its body may use the work-item's numbers, its sub-group's,
barriers of the work-group, `group_local_memory_for_overwrite`, functions of `sycl::` that OpenCL C has under the same
name, and the attributes below. Anything else is left as it is, and OpenCL's compiler refuses it.
"""

from __future__ import annotations

import re

_KERNEL = re.compile(
    r"void (?P<name>\w+)\(sycl::queue& \w+, (?P<parameters>[^()]*)\)\s*\{\s*\w+\.parallel_for\(\s*"
    r"sycl::(?:nd_)?range<1>\([^;]*?\),\s*\[=\]\(sycl::(?P<kind>nd_item|id)<1> (?P<item>\w+)\)(?P<attributes>[^{]*)"
    r"\{(?P<body>.*?)\n  \}\);\n\}",
    re.DOTALL,
)
_LANES = re.compile(r"\[\[\s*(?:sycl|intel)::reqd_sub_group_size\((\d+)\)\s*\]\]")
_BLOCK = re.compile(r"\[\[\s*sycl::reqd_work_group_size\((\d+)\)\s*\]\]")
_LARGE = re.compile(r"\bgrf_size<256>")
_SHARED = re.compile(
    r"auto& (\w+) = \*sycl::ext::oneapi::group_local_memory_for_overwrite<([\w :]+?)\s*((?:\[\w+\])+)>\([^;]*\);"
)
# What stands in a body, and what OpenCL C calls it; `item` is what the kernel calls its work-item.
_WORDS = (
    (r"\bitem\.get_global_id\(0\)", "get_global_id(0)"),
    (r"\bitem\.get_(?:local_linear_id\(\)|local_id\(0\))", "get_local_id(0)"),
    (r"\bitem\.get_sub_group\(\)\.get_local_id\(\)\[0\]", "get_sub_group_local_id()"),
    (r"\bsycl::group_broadcast\(item\.get_sub_group\(\), ", "sub_group_broadcast("),
    (r"\bsycl::group_barrier\(item\.get_group\(\)\)", "barrier(CLK_LOCAL_MEM_FENCE)"),
    (r"\bsycl::", ""),
    (r"\blong long\b", "long"),
)
_PRAGMAS = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"


def opencl(text: str, name: str = "") -> str:
    """The kernels of a SYCL source, or the one of a name; functions and constants around them are not taken along."""
    return _PRAGMAS + "".join(_kernel(match) for match in _KERNEL.finditer(text) if name in ("", match["name"]))


def wants_large_registers(text: str) -> bool:
    """True if a source requests 256 registers per hardware thread, which is an option of OpenCL's compiler."""
    return _LARGE.search(text) is not None


def _kernel(match: re.Match[str]) -> str:
    attributes = match["attributes"]
    alone = "restrict " if "kernel_args_restrict" in attributes else ""
    parameters = (_parameter(each.strip(), alone) for each in match["parameters"].split(","))
    asked = "".join(f"__attribute__((intel_reqd_sub_group_size({each[1]})))\n" for each in _LANES.finditer(attributes))
    for block in _BLOCK.finditer(attributes):
        asked += f"__attribute__((reqd_work_group_size({block[1]}, 1, 1)))\n"
    body = _SHARED.sub(r"__local \2 \1\3;", match["body"])
    if match["kind"] == "id":
        body = f"\n    int {match['item']} = get_global_id(0);{body}"
    for pattern, spelled in _WORDS:
        body = re.sub(pattern.replace("item", re.escape(match["item"])), spelled, body)
    return f"\n{asked}__kernel void {match['name']}({', '.join(parameters)}) {{{body}\n}}\n"


def _parameter(text: str, alone: str) -> str:
    """A parameter; a pointer is one to global memory."""
    text = text.replace("long long", "long").replace("sycl::", "")
    head, star, name = text.rpartition("*")
    return f"__global {head.strip()} *{alone}{name.strip()}" if star else text
