"""Registers of library calls and divisions in addition to live values: the numbers of `targets/costs.py`.

    python -m tools.measure.library_costs [--target gfx90a] [--target sm_90] [--target pvc] [--only sqrt]
    python -m tools.measure.library_costs --only sqrt --write   these rows of testdata/library_costs.csv

A new function's name stands in FUNCTIONS (or BINARY) first; its lines of `targets/costs.py` are printed at the end.

For each operation, real compilers (clang++-19 with rocm-device-libs, nvcc, ocloc) compile kernels with and without
it: free, as `o[i] = f(o[i])`, two and four of these in one block, and with operands and result pinned by empty `asm`
statements: alone, with eight values live across it, and in a loop of unknown trip count. Printed: the registers beyond
result and values that stay alive, and bytes of private memory. For Intel, where nothing pins a value, only the free
ones: OpenCL C, a module each, registers alive at the peak in 32-bit words of a work-item; what OpenCL C lacks is in
NOT_OPENCL and left out.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.targets.costs import Cost
from regpress_lint.targets.library import FAMILIES
from tools.measure.golden_intel import compile_opencl

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LIVE = 8
TABLE = Path(__file__).resolve().parents[2] / "testdata" / "library_costs.csv"
COLUMNS = ("free", "two", "four", "alone", "live", "loop", "bytes")
DEVICE_LIBRARIES = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"


class Operation(NamedTuple):
    """An expression over x (and y of the same type, or u, the same for all threads)."""

    name: str
    type: str
    text: str

    @property
    def width(self) -> int:
        """Registers of its result."""
        return 2 if self.type in ("double", "long long", "unsigned long long") else 1

    @property
    def binary(self) -> bool:
        """True if it has two operands that differ between threads."""
        return "y" in self.text.replace("copy", "")


FUNCTIONS = (
    "sqrt rsqrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan sinpi cospi tanh sinh cosh asinh acosh atanh "
    "atan asin acos erf erfc cbrt tgamma lgamma j0 cyl_bessel_i0 cyl_bessel_i1 normcdfinv floor rint round trunc"
)
BINARY = ("pow", "fmod", "atan2", "hypot", "remainder", "copysign", "fmax")
CONSTANT = ("pow", "fmod", "atan2", "hypot")  # also measured with one operand constant
INTEGERS = ("int", "unsigned", "long long", "unsigned long long")


def operations() -> list[Operation]:
    """All operations that are measured."""
    found = [
        Operation(f"{name}:{kind}", type_, f"{name}{suffix}(x)")
        for name in FUNCTIONS.split()
        for kind, type_, suffix in FLOATS
    ]
    found += [
        Operation(f"{name}:{kind}", type_, f"{name}{suffix}(x, y)") for name in BINARY for kind, type_, suffix in FLOATS
    ]
    for kind, type_, suffix in FLOATS:
        found += [
            *(Operation(f"{name}(x,7):{kind}", type_, f"{name}{suffix}(x, ({type_})7.25)") for name in CONSTANT),
            *(Operation(f"{name}(7,x):{kind}", type_, f"{name}{suffix}(({type_})7.25, x)") for name in CONSTANT),
            Operation(f"x/y:{kind}", type_, "x / y"),
            Operation(f"x/u:{kind}", type_, "x / u"),
            Operation(f"1/x:{kind}", type_, "1 / x"),
        ]
    for type_ in INTEGERS:
        short = "".join(word[0] for word in type_.split())
        for op in "/%":
            found += [Operation(f"x{op}{b}:{short}", type_, f"x {op} {b}") for b in ("y", "u", "7")]
        found.append(Operation(f"u/v:{short}", type_, "x + u / v"))
    found += [
        *(Operation(f"sincos:{kind}", type_, "both(x)") for kind, type_, _ in FLOATS),
        Operation("__expf", "float", "__expf(x)"),
        Operation("__fdividef", "float", "__fdividef(x, y)"),
        Operation("shfl_xor", "int", "SHFL_XOR(x, 16)"),
        Operation("shfl_down", "int", "SHFL_DOWN(x, 16)"),
        Operation("shfl", "int", "SHFL(x, 3)"),
        Operation("popc", "int", "__popc(x)"),
        Operation("float(double)", "double", "(double)(float)x"),
        Operation("int(double)", "double", "(double)(long long)x"),
        Operation("umulhi64", "unsigned long long", "__umul64hi(x, y)"),
        Operation("mul64", "unsigned long long", "x * y"),
    ]
    return found


FLOATS = (("f", "float", "f"), ("d", "double", ""))
_PIN = {
    "amd": {"float": "v", "double": "v", "int": "v", "unsigned": "v", "long long": "v", "unsigned long long": "v"},
    "nvidia": {"float": "f", "double": "d", "int": "r", "unsigned": "r", "long long": "l", "unsigned long long": "l"},
}
_SHUFFLES = {
    "amd": (
        "#define SHFL_XOR(x, k) __shfl_xor(x, k)\n#define SHFL_DOWN(x, k) __shfl_down(x, k)\n"
        "#define SHFL(x, k) __shfl(x, k)\n"
    ),
    "nvidia": (
        "#define SHFL_XOR(x, k) __shfl_xor_sync(~0u, x, k)\n#define SHFL_DOWN(x, k) __shfl_down_sync(~0u, x, k)\n"
        "#define SHFL(x, k) __shfl_sync(~0u, x, k)\n"
    ),
}
_BOTH = """static __device__ float both(float x) { float s, c; sincosf(x, &s, &c); return s - c; }
static __device__ double both(double x) { double s, c; sincos(x, &s, &c); return s - c; }
"""


def kernel(name: str, operation: Operation, text: str, live: int, vendor: str, *, loop: bool) -> str:
    """One kernel: what it reads is pinned, then the operation, then all is used."""
    type_, pin = operation.type, _PIN[vendor][operation.type]
    held = _PIN[vendor]["float"]
    lines = [f'extern "C" __global__ void {name}({type_}* o, float* h, {type_} u, {type_} v, int n) {{']
    lines += [f"  {type_} x = o[threadIdx.x], y = o[threadIdx.x + 2000];"]
    lines += [f"  float h{k} = h[threadIdx.x + {k * 2048}];" for k in range(live)]
    lines += [f'  asm volatile("" : "+{held}"(h{k}));' for k in range(live)]
    if loop:
        lines.append('  _Pragma("nounroll") for (int k = 0; k < n; k++) {')
    lines += [f'  asm volatile("" : "+{pin}"(x), "+{pin}"(y));', f"  {type_} r = {text};"]
    lines += [f'  asm volatile("" : "+{pin}"(r));', "  x = r;"]
    if loop:
        lines.append("  }")
    lines += [f'  asm volatile("" : "+{held}"(h{k}));' for k in range(live)]
    lines += ["  o[threadIdx.x] = x;"]
    lines += [f"  h[threadIdx.x + {k * 2048}] = h{k};" for k in range(live)]
    return "\n".join([*lines, "}"])


VARIANTS = (("alone", 0, False), ("live", LIVE, False), ("loop", 0, True))


FREE = (("free", 1), ("two", 2), ("four", 4))


def free_kernel(name: str, operation: Operation, text: str, calls: int = 1) -> str:
    """A kernel in which nothing is pinned, with so many calls that have operands of their own."""
    type_, lines = operation.type, []
    for call in range(calls):
        lines.append(f"  {type_} x{call} = o[threadIdx.x + {call * 1024}];")
        if operation.binary:
            lines.append(f"  {type_} y{call} = o[threadIdx.x + {call * 1024 + 512}];")
    for call in range(calls):
        own = re.sub(r"\b([xy])\b", rf"\g<1>{call}", text)
        lines.append(f"  o[threadIdx.x + {call * 1024}] = {own};")
    return "\n".join([f'extern "C" __global__ void {name}({type_}* o, {type_} u, {type_} v) {{', *lines, "}"])


def source(found: list[Operation], vendor: str) -> str:
    """One file with every operation in every variant, and the same with nothing in its place."""
    head = "#include <hip/hip_runtime.h>\n" if vendor == "amd" else ""
    parts = [head + _SHUFFLES[vendor] + _BOTH]
    for number, operation in enumerate(found):
        for variant, live, loop in VARIANTS:
            parts.append(kernel(f"k{number}_{variant}", operation, operation.text, live, vendor, loop=loop))
        for variant, calls in FREE:
            parts.append(free_kernel(f"k{number}_{variant}", operation, operation.text, calls))
            parts.append(free_kernel(f"b{number}_{variant}", operation, "x + y" if operation.binary else "-x", calls))
    for number, type_ in enumerate(dict.fromkeys(operation.type for operation in found)):
        for variant, live, loop in VARIANTS:
            parts.append(kernel(f"t{number}_{variant}", Operation("", type_, ""), "x", live, vendor, loop=loop))
    return "\n".join(parts)


def compiled(text: str, target: str) -> dict[str, tuple[int, int]]:
    """Registers and bytes of private memory of every kernel."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "operations.cu")
        path.write_text(text)
        if target.startswith("gfx"):
            command = ["clang++-19", "-x", "hip", f"--offload-arch={target}", "--cuda-device-only", "--rocm-path=/usr"]
            command += [f"--rocm-device-lib-path={DEVICE_LIBRARIES}", "-O3", "-S", "-w", "-o", "/dev/null", str(path)]
            command += ["-Rpass-analysis=kernel-resource-usage", "--gpu-max-threads-per-block=256"]
            output = subprocess.run(command, capture_output=True, text=True, check=True).stderr
            pattern = r"Function Name: (\w+).*?VGPRs: (\d+).*?AGPRs: (\d+).*?ScratchSize \[bytes/lane\]: (\d+)"
            return {m[1]: (int(m[2]) + int(m[3]), int(m[4])) for m in re.finditer(pattern, output, re.DOTALL)}
        command = ["nvcc", f"-arch={target}", "-cubin", "-O3", "-w", "-Xptxas", "-v", "-o", f"{folder}/o", str(path)]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        pattern = r"Compiling entry function '(\w+)'.*?(\d+) bytes stack.*?Used (\d+) registers"
        return {m[1]: (int(m[3]), int(m[2])) for m in re.finditer(pattern, output, re.DOTALL)}


_OPENCL = """#pragma OPENCL EXTENSION cl_khr_fp64 : enable
float __attribute__((overloadable)) both(float x) { float c, s = sincos(x, &c); return s - c; }
double __attribute__((overloadable)) both(double x) { double c, s = sincos(x, &c); return s - c; }
"""


NOT_OPENCL = frozenset(  # or has by another name
    "j0 cyl_bessel_i0 cyl_bessel_i1 normcdfinv shfl shfl_down shfl_xor popc umulhi64".split()
)


def opencl(text: str, operation: Operation) -> str:
    """The same expression, or kernel, in OpenCL C, where a function of a type has no name of its own."""
    if operation.type == "float":
        text = re.sub(r"\b([a-z]\w*)f\(", r"\1(", text)
    text = text.replace('extern "C" __global__ void', "__kernel void").replace("threadIdx.x", "get_global_id(0)")
    text = re.sub(rf"\b{operation.type}\* o", f"__global {operation.type}* o", text)
    text = re.sub(r"__expf\(", "native_exp(", re.sub(r"__fdividef\(", "native_divide(", text))
    return text.replace("unsigned long long", "ulong").replace("long long", "long").replace("unsigned", "uint")


def intel_row(operation: Operation, target: str) -> tuple[int | None, ...]:
    """The cells of COLUMNS for an operation. Raises RuntimeError if it does not compile."""
    cells: list[int | None] = []
    for _, calls in FREE:
        bare = "x + y" if operation.binary else "-x"
        registers, scratch = _intel(opencl(free_kernel("k", operation, operation.text, calls), operation), target)
        without, _ = _intel(opencl(free_kernel("k", operation, bare, calls), operation), target)
        cells.append(registers - without + operation.width * operation.binary * calls)
    return (*cells, *(None for _ in VARIANTS), scratch)


@cache
def _intel(text: str, target: str) -> tuple[int, int]:
    """Registers alive at the peak and bytes of private memory of one kernel that is a module by itself."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "operation.cl")
        path.write_text(_OPENCL + text)
        (row,) = compile_opencl(path, target, Path(folder))
        return row.demand, row.demand_scratch_bytes


def intel_table(found: list[Operation], target: str) -> list[tuple[Operation, tuple[int | None, ...]]]:
    """The operations that OpenCL C has, with their cells; what does not compile is said, and left out."""

    def cells(operation: Operation) -> tuple[int | None, ...]:
        try:
            return intel_row(operation, target)
        except RuntimeError as error:
            reason = next((line for line in str(error).splitlines() if "error" in line), str(error))
            print(f"{operation.name}: not measured for {target}: {reason.strip()}", file=sys.stderr)
            print(
                "if OpenCL C does not have it, add it to NOT_OPENCL of tools/measure/library_costs.py", file=sys.stderr
            )
            return ()

    known = [operation for operation in found if operation.name.partition(":")[0] not in NOT_OPENCL]
    with ThreadPoolExecutor() as pool:
        return [row for row in zip(known, pool.map(cells, known), strict=True) if row[1]]


def table(found: list[Operation], target: str) -> list[tuple[Operation, tuple[int | None, ...]]]:
    """The operations that were measured, with their cells of COLUMNS."""
    if target == "pvc":
        return intel_table(found, target)
    vendor = "amd" if target.startswith("gfx") else "nvidia"
    measured = compiled(source(found, vendor), target)
    types = list(dict.fromkeys(operation.type for operation in found))
    rows: list[tuple[Operation, tuple[int | None, ...]]] = []
    for number, operation in enumerate(found):
        width, cells = operation.width, []
        for name, calls in FREE:
            # Without the operation its operands live where result and second operand are in it.
            without = measured[f"b{number}_{name}"][0] - width * operation.binary * calls
            cells.append(measured[f"k{number}_{name}"][0] - without)
        for name, _, _ in VARIANTS:
            bare = measured[f"t{types.index(operation.type)}_{name}"][0]
            cells.append(measured[f"k{number}_{name}"][0] - bare + width)
        rows.append((operation, (*cells, measured[f"k{number}_free"][1])))
    return rows


# ------------------------------------------------------------------------------------ the table, and prices made of it

MEASURED = {"amd": "gfx90a", "nvidia": "sm_90", "intel": "pvc"}
# What one operation of the table stands for that is not a call by name.
_OTHERS = {
    "/:f": ("x/y:f", "x/u:f"),
    "/:d": ("x/y:d", "x/u:d"),
    "/:i": ("x/y:i", "x%y:i", "x/y:u", "x%y:u"),
    "/:l": ("x/y:ll", "x%y:ll", "x/y:ull", "x%y:ull"),
    "/constant:i": ("x/7:i", "x%7:i", "x/7:u", "x%7:u"),
    "/constant:l": ("x/7:ll", "x%7:ll", "x/7:ull", "x%7:ull"),
    "/uniform:i": ("u/v:i", "u/v:u"),
    "/uniform:l": ("u/v:ll", "u/v:ull"),
    "shuffle": ("shfl_xor", "shfl_down", "shfl"),
    "sincos:f": ("sincos:f",),
    "sincos:d": ("sincos:d",),
    **{f"constant/pow:{kind}": (f"pow(7,x):{kind}",) for kind in "fd"},
    **{f"fmod/constant:{kind}": (f"fmod(x,7):{kind}",) for kind in "fd"},
}
_PINNED = ("fmod:d", "fmod/constant:d")  # the kernel with a loop pins both operands

Table = dict[str, dict[str, tuple[str, ...]]]  # cells of COLUMNS by target and operation


def stored() -> Table:
    """The table as it is committed."""
    found: Table = defaultdict(dict)
    with TABLE.open(newline="", encoding="utf-8") as lines:
        for target, operation, *cells in list(csv.reader(lines))[1:]:
            found[target][operation] = tuple(cells)
    return found


def merged(old: Table, new: Table) -> Table:
    """The table with the rows that were measured in place of the old ones, in the order of the operations."""
    order = {operation.name: number for number, operation in enumerate(operations())}
    rows = {target: {**old.get(target, {}), **new.get(target, {})} for target in {**old, **new}}
    return {
        target: {name: cells[name] for name in sorted(order.keys() & cells, key=order.__getitem__)}
        for target, cells in rows.items()
    }


def write(found: Table) -> None:
    """Write the table."""
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("target", "operation", *COLUMNS))
        writer.writerows((target, name, *cells) for target, rows in found.items() for name, cells in rows.items())


def rows_of(found: Table, vendor: str, key: str) -> list[Mapping[str, int]]:
    """Measurements of the operations that have a single price, by COLUMNS."""
    family, _, kind = key.partition(":")
    names = _OTHERS.get(key) or [f"{name}:{kind}" for name, of in FAMILIES.items() if of == family]
    measured = found.get(MEASURED[vendor], {})
    present = (measured[name] for name in names if name in measured)
    return [{name: int(cell) for name, cell in zip(COLUMNS, cells, strict=True) if cell} for cells in present]


def registers(vendor: str, found: Sequence[Mapping[str, int]]) -> float:
    """Mean of some operations. Alone a kernel for NVIDIA has registers to spare."""
    return mean((row["free"] + row["live"]) / 2 if vendor == "nvidia" else row["free"] for row in found)


def price(vendor: str, key: str, found: Sequence[Mapping[str, int]]) -> Cost:
    """The `once`, `hoisted` and `scratch` of a routine; constants are held in registers by clang for AMD alone."""
    once = round(registers(vendor, found))
    held = round(mean(row["loop"] for row in found)) if vendor == "amd" and key not in _PINNED else once
    return Cost(once, None if held == once else held, scratch=max(row["bytes"] for row in found))


def price_lines(found: Table, operations_: Sequence[Operation]) -> Iterator[str]:
    """The lines of `targets/costs.py` for calls that were measured, ready to paste."""
    calls = [operation.name.partition(":") for operation in operations_]
    keys = dict.fromkeys(f"{FAMILIES[name]}:{kind}" for name, _, kind in calls if name in FAMILIES)
    for vendor in MEASURED:
        for key in keys:
            if rows := rows_of(found, vendor, key):
                cost = price(vendor, key, rows)
                more = "" if cost.hoisted is None else f", {cost.hoisted}"
                more += f", scratch={cost.scratch}" if cost.scratch else ""
                yield f'_{vendor.upper()}:  "{key}": Cost({cost.once}{more}),'


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is measured, or write it into the table; then the prices."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", action="append", help="gfx90a, sm_90 and pvc by default")
    parser.add_argument("--only", default="", help="operations whose name contains this")
    parser.add_argument("--write", action="store_true", help="replace the measured rows of the table, and no others")
    args = parser.parse_args(arguments)
    chosen = [operation for operation in operations() if args.only in operation.name]
    if not chosen:
        parser.error(f'no operation "{args.only}": add it to FUNCTIONS of tools/measure/library_costs.py')
    known = stored()
    for target in args.target or MEASURED.values():
        measured = table(chosen, target)
        rows = {operation.name: tuple("" if cell is None else str(cell) for cell in row) for operation, row in measured}
        known = merged(known, {target: rows})
        if args.write:
            write(known)  # after each target: what follows may take minutes
            continue
        print(f"{target:16s} " + " ".join(f"{name:>6s}" for name in COLUMNS))
        for name, cells in rows.items():
            print(f"{name:16s} " + " ".join(f"{cell:>6}" for cell in cells))
    print("\n".join(price_lines(known, chosen)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
