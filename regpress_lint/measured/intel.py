"""Warnings of Intel's graphics compiler (in logs of icpx and ocloc): kernels that spill, and no others.

It counts operations on registers that are spilled, not their size, which is in the binary (`zebin`).

Intel's device binaries (zebin, an ELF file): `.ze_info`, a small part of YAML, and the notes that name the GPU.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Any

from regpress_lint.core.measured import Row
from regpress_lint.measured.elf import Elf, ElfError
from regpress_lint.measured.rows import Reading, reading
from regpress_lint.targets.occupancy import architecture, is_known

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


MARK = "spilled around"
_LINE = re.compile(
    r"kernel (?P<symbol>[^\s'\"]+)\s+compiled SIMD(?P<lanes>\d{1,4}) allocated (?P<grf>\d{1,9}) regs"
    r"(?: and)? spilled around (?P<spilled>\d{1,9})"
)
_DEVICE = re.compile(r"(?:-device[ =]|-fsycl-targets=)[\"']?([\w.,-]{2,200})")


def read_log(text: str, name: str, targets: Sequence[str] = ()) -> Reading:
    """Rows of a log; of Intel's targets the only one that a command line in the log names, else the user."""
    named = tuple(dict.fromkeys(_intel(text))) or targets
    target = named[0] if len(named) == 1 else None
    rows = [
        Row(
            match["symbol"],
            target,
            spill_operations=int(match["spilled"]),
            wave_size=int(match["lanes"]),
            grf=int(match["grf"]),
            compiler="IGC",
            origin="IGC",
            inputs=(name,),
        )
        for match in _LINE.finditer(text)
    ]
    broken = text.count(MARK) - len(rows)
    problems = [f"{name}: {broken} of IGC's warnings of spills cannot be read"] if broken > 0 else []
    if rows and target is None:
        problems.append(f"{name}: IGC's warnings do not name the GPU: name it with --arch")
    return reading(rows, problems)


def _intel(text: str) -> list[str]:
    names = [name for match in _DEVICE.finditer(text) for name in match[1].split(",") if is_known(name)]
    return [arch.name for name in names if (arch := architecture(name)).vendor == "intel"]


_OWNER, _PRODUCT_FAMILY = b"IntelGT", 1
# Numbers of product families as Intel's drivers have them, of the GPUs that we know.
_PRODUCTS = {1271: "pvc", 1270: "dg2", 1272: "dg2", 1273: "dg2", 1274: "xe2", 1275: "xe2"}
_ZEBIN_LINE = re.compile(r"^( *)(- +)?([A-Za-z_]\w{0,60}):(?: +(.*?))? *$")
_MOST_DIGITS = 12
_TEXT = ".text."


def read_zebin(elf: Elf, name: str, target: str | None = None) -> Reading:
    """Rows of one binary. target: the GPU where its notes name none that we know."""
    section = elf.section(".ze_info")
    if section is None:
        return Reading((), (f"{name}: a device binary without .ze_info",))
    problems: list[str] = []
    try:
        product = _product(elf)
    except ElfError as error:
        product = None
        problems.append(f"{name}: {error}")
    named = _PRODUCTS.get(product or 0, target)
    sizes = {part.name.removeprefix(_TEXT): part.size for part in elf.sections if part.name.startswith(_TEXT)}
    rows = []
    for kernel in _kernels(elf.content(section).decode("utf-8", "replace")):
        symbol = kernel.get("name")
        if not isinstance(symbol, str):
            problems.append(f"{name}: an entry of .ze_info without a name")
            continue
        row = _row(symbol, kernel)
        rows.append(row._replace(target=named, code_bytes=sizes.get(symbol), inputs=(name,)))
    if rows and named is None:
        problems.append(f"{name}: this binary is for a GPU that is not known here (product family {product})")
    return reading(rows, problems)


def _product(elf: Elf) -> int | None:
    section = elf.section(".note.intelgt.compat")
    for owner, kind, content in elf.notes(section) if section is not None else ():
        if owner == _OWNER and kind == _PRODUCT_FAMILY and len(content) == 4:
            (number,) = struct.unpack("<I", content)
            return int(number)
    return None


def _row(symbol: str, kernel: Mapping[str, Any]) -> Row:
    lanes, buffers = _number(kernel, "simd_size"), kernel["buffers"]
    scratch, spilled = _number(kernel, "private_size"), _number(kernel, "spill_size")
    whole = 0
    for buffer in buffers:
        size = _number(buffer, "size") or 0
        whole += size
        if buffer.get("usage") == "spill_fill_space":
            spilled = (spilled or 0) + size
    if not buffers:  # a kernel without memory of its own neither spills nor has arrays there
        scratch, spilled = scratch or 0, spilled or 0
    total = whole if buffers else (scratch or 0) + (spilled or 0)
    return Row(
        symbol,
        spills=_per_lane(spilled, lanes, 4),
        scratch_bytes=_per_lane(total, lanes),
        unspilled_scratch_bytes=_per_lane(total - spilled, lanes) if spilled is not None and spilled <= total else None,
        lds_bytes=_number(kernel, "slm_size") or 0,
        wave_size=lanes,
        grf=_number(kernel, "grf_count"),
        barriers=_number(kernel, "barrier_count") or 0,
        compiler="IGC",
        origin="zebin",
    )


def _per_lane(size: int | None, lanes: int | None, unit: int = 1) -> int | None:
    """Memory of a hardware thread as that of one of its lanes."""
    return None if size is None or not lanes else -(-size // (lanes * unit))


def _number(values: Mapping[str, Any], key: str) -> int | None:
    text = values.get(key)
    plain = isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if plain and isinstance(text, str) else None


def _kernels(text: str) -> Iterator[dict[str, Any]]:
    """Entries of `kernels:`: keys of the kernel and of `execution_env`, and `buffers`, its memory of its own."""
    kernel: dict[str, Any] | None = None
    inside, group = False, ""
    for line in text.splitlines():
        match = _ZEBIN_LINE.match(line)
        if match is None:
            continue
        depth, dash, key, value = len(match[1]), match[2], match[3], (match[4] or "").strip("'\"")
        if depth == 0 and dash is None:
            inside = key == "kernels"
            if kernel is not None:
                yield kernel
            kernel = None
        elif inside and depth == 2 and dash:
            if kernel is not None:
                yield kernel
            kernel, group = {"buffers": []}, ""
            kernel[key] = value
        elif kernel is not None and depth == 4:
            group = key
            kernel.setdefault(key, value)
        if kernel is not None and depth == 6:
            if group == "execution_env":
                kernel.setdefault(key, value)
            elif group == "per_thread_memory_buffers" and dash:
                kernel["buffers"].append({key: value})
        elif kernel is not None and depth == 8 and group == "per_thread_memory_buffers" and kernel["buffers"]:
            kernel["buffers"][-1].setdefault(key, value)
    if kernel is not None:
        yield kernel
