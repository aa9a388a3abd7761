"""`CUDA_KERNEL_LOOP(i, n) { ... }`: a block behind a macro whose definition no file that was found has.

Left as it is, the grammar reads a function inside a function, or a call without a `;`, and the block is lost. The
macros of some libraries are known. Any other is taken for a loop over the threads of a grid where its name and
arguments say so, and otherwise for a loop of which nothing is known; both are noted as `assumed`, and the kernel counts
as not read whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import skip_space

if TYPE_CHECKING:
    from regpress_lint.cpp.mask.draft import Draft

# Name -> arguments: c10/cuda and ATen/native/cuda; OneFlow (core/device/cuda_util.h), mmcv and TensorFlow.
_KNOWN = {"CUDA_KERNEL_LOOP": 2, "CUDA_KERNEL_LOOP_TYPE": 3, "CUDA_1D_KERNEL_LOOP": 2, "GPU_1D_KERNEL_LOOP": 2}
_LOOP_NAME = pattern(r"[A-Z\d_]*(?:LOOP|STRIDE|FOR(?!M|CE|WARD)|EACH)[A-Z\d_]*")
_COUNTER = pattern(r"(?:((?:unsigned\s+|const\s+|long\s+)*[A-Za-z_][\w:]*)\s+)?([A-Za-z_]\w*)")


def begins_unknown_block(draft: Draft, start: int, end: int) -> bool:
    """Whether a block follows the invocation of an undefined macro at start:end, a statement in a function."""
    after = skip_space(draft.code, end)
    return draft.code[after : after + 1] == "{" and draft.brackets.in_a_body(start)


def mask_unknown_block(
    draft: Draft, name: str, start: int, end: int, arguments: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Write the head of a loop for `NAME(...)` at start:end; the arguments that are still in the text."""
    texts = [draft.source[a:b].strip() for a, b in arguments]
    head = _grid_stride(name, texts)
    draft.note(start, end, "loop" if head and _KNOWN.get(name) == len(texts) else "assumed", head)
    draft.patch(start, start + len(name), "while" if len(name) >= len("while") else "if")
    if not head:
        return arguments
    draft.patch(arguments[0][0], end - 1, "1")  # `int i, n` is no condition
    return []


def _grid_stride(name: str, arguments: list[str]) -> str:
    """A head for a counter, its end and, if there is a third argument, its type; empty where that is not likely."""
    counter = _COUNTER.fullmatch(arguments[0])
    if not 2 <= len(arguments) <= 3 or counter is None or _LOOP_NAME.fullmatch(name) is None:
        return ""
    type_ = counter[1] or "int"
    if len(arguments) == 3:
        if _COUNTER.fullmatch(arguments[2]) is None:
            return ""
        type_ = arguments[2]
    first, step = "blockIdx.x * blockDim.x + threadIdx.x", "blockDim.x * gridDim.x"
    return f"for ({type_} {counter[2]} = {first}; {counter[2]} < ({arguments[1]}); {counter[2]} += {step})"
