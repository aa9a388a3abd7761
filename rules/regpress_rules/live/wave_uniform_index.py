"""RP305 wave-uniform-index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Edit, Finding, Fix, KernelFacts, Launch, NamedTuple, Note, Rule
from regpress_lint.api.facts import WORD, bytes_of, clobbers, writes
from regpress_lint.api.rewrite import writable
from regpress_lint.api.syntax import Binary, Cast, Declare, Expr, Member, Name, Variable, evaluate_int, nodes_of
from regpress_lint.api.targets import amd_targets, architecture, nvidia_targets
from regpress_lint.api.text import count, listing, one_line
from regpress_rules._scalar import saved_registers, scalar_severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.api.facts import MemoryAccess

_WORTH = 32  # bytes, as in RP604: what fewer bytes cost is lost in the noise
_THREAD = ("threadIdx", "x")
_LARGEST_WAVE = 64


class _WaveId(NamedTuple):
    """`threadIdx.x / c`. variable: what it is the whole initialiser of. whole_block: `blockIdx.x * blockDim.x` is in
    the dividend, so that the block must be a multiple of the wave.
    """

    expr: Binary
    divisor: int
    variable: Variable | None
    whole_block: bool


class WaveUniformIndex(Rule):
    """A number of the wave made from `threadIdx.x`, which the compiler takes for different in each thread."""

    code = "RP305"
    name = "wave-uniform-index"
    vendors = ("amd",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding for each number of the wave."""
        targets = amd_targets(facts)
        ids = list(_wave_ids(facts))
        if not ids or not _one_dimension(facts):
            return
        for wave_id in ids:
            holding = [target for target in targets if _holds(facts, wave_id, target)]
            loads = _scalar_loads(facts, wave_id, holding) if holding else []
            size = bytes_of(facts, loads)
            if size >= _WORTH:
                yield _finding(facts, wave_id, holding, loads, size)


# ------------------------------------------------------------------------------------------------------- detection


def _wave_ids(facts: KernelFacts) -> Iterator[_WaveId]:
    """Quotients of the thread's index by a constant; those in one that is divided again do not count."""
    whole: dict[Expr, Variable] = {}
    function = facts.kernel.function
    if function.path not in ("", facts.file.path):
        return
    for node in nodes_of(function):
        if isinstance(node, Declare):
            whole.update((variable.init, variable) for variable in node.variables if variable.init is not None)
        elif isinstance(node, Binary) and node.op in ("/", ">>"):
            divisor = _divisor(facts, node)
            block = _dividend(facts, node.left, 0) if divisor is not None else None
            if divisor is not None and block is not None:
                yield _WaveId(node, divisor, whole.get(node), block)


def _divisor(facts: KernelFacts, node: Binary) -> int | None:
    right: Expr = node.right
    while isinstance(right, Cast):
        right = right.operand
    if isinstance(right, Name) and right.variable is None and right.name == "warpSize":
        return 0  # whatever the target's is
    value = evaluate_int(right, facts.source.environment)
    if value is None or value <= 0:
        return None
    return value if node.op == "/" else 1 << value if value < 16 else None


def _dividend(facts: KernelFacts, expr: Expr, depth: int) -> bool | None:
    """None for something else than the index of the thread; True if it is that in the grid, False in the block."""
    while isinstance(expr, Cast):
        expr = expr.operand
    if _is_member(expr, *_THREAD):
        return False
    if isinstance(expr, Name) and expr.variable is not None and depth < 3:
        variable = expr.variable
        if variable.storage != "local" or variable.init is None or variable in facts.source.modified:
            return None
        return _dividend(facts, variable.init, depth + 1)
    if isinstance(expr, Binary) and expr.op == "+":
        for block, thread in ((expr.left, expr.right), (expr.right, expr.left)):
            if _is_block_start(block) and _dividend(facts, thread, depth + 1) is False:
                return True
    return None


def _is_block_start(expr: Expr) -> bool:
    if not isinstance(expr, Binary) or expr.op != "*":
        return False
    left, right = expr.left, expr.right
    return any(
        _is_member(a, "blockIdx", "x") and _is_member(b, "blockDim", "x") for a, b in ((left, right), (right, left))
    )


def _is_member(expr: Expr, base: str, field: str) -> bool:
    while isinstance(expr, Cast):
        expr = expr.operand
    return isinstance(expr, Member) and expr.field == field and isinstance(expr.base, Name) and expr.base.name == base


def _one_dimension(facts: KernelFacts) -> bool:
    """False if the kernel is seen to work, or to be launched, with blocks of more dimensions."""
    for node in nodes_of(facts.kernel.function):
        if (
            isinstance(node, Member)
            and isinstance(node.base, Name)
            and node.base.name == "threadIdx"
            and node.field != "x"
        ):
            return False
    return all(launch.block_dims is None or _is_row(launch) for launch in facts.kernel.launches)


def _is_row(launch: Launch) -> bool:
    return launch.block_dims is not None and all(size == 1 for size in launch.block_dims[1:])


def _holds(facts: KernelFacts, wave_id: _WaveId, target: str) -> bool:
    """True if all threads of a wave have the same quotient on a target."""
    wave = architecture(target).default_wave_size
    if wave_id.divisor % wave:
        return False
    if not wave_id.whole_block:
        return True
    sizes = [launch.block_size for launch in facts.kernel.launches]
    return bool(sizes) and all(size is not None and size % wave == 0 for size in sizes)


def _scalar_loads(facts: KernelFacts, wave_id: _WaveId, targets: Sequence[str]) -> list[MemoryAccess]:
    """Loads that are the same for all threads of a wave only because the quotient is, and that nothing clobbers."""
    loads = [
        access
        for access in facts.memory_of(facts.kernel.function).accesses
        if access.kind == "read"
        and (access.origin is None or access.origin.storage != "shared")
        and access.type is not None
        and (access.type.size or 0) >= WORD
    ]
    if bytes_of(facts, loads) < _WORTH:
        return []
    loads = [load for load in loads if all(_hangs_on(facts, load, wave_id, target) for target in targets)]
    stores = list(writes(facts)) if bytes_of(facts, loads) >= _WORTH else []
    return [load for load in loads if not any(clobbers(facts, store, load) for store in stores)]


def _hangs_on(facts: KernelFacts, load: MemoryAccess, wave_id: _WaveId, target: str) -> bool:
    """True for a load that differs between the threads of a wave only because the quotient is taken to."""
    return bool(facts.differs(load.expr, target)) and facts.differs(load.expr, target, wave_id.expr) is False


# -------------------------------------------------------------------------------------------------------- report


def _finding(
    facts: KernelFacts, wave_id: _WaveId, targets: Sequence[str], loads: Sequence[MemoryAccess], size: int
) -> Finding:
    source = facts.file.source
    saved = saved_registers(size)
    severities = {target: scalar_severity(facts, target, size) for target in targets}
    text = one_line(source, wave_id.expr.span)
    first = one_line(source, loads[0].expr.span)
    waves = listing(dict.fromkeys(str(architecture(target).default_wave_size) for target in targets))
    message = (
        f"`{text}` is the same for the {waves} threads of a wave, which the compiler does not know: "
        f"{count(size, 'byte')} read at addresses made from it, `{first}` first, go to VGPRs and not to SGPRs, about "
        f"{round(saved)} VGPRs on {listing(targets)}"
    )
    help_ = f"`__builtin_amdgcn_readfirstlane({text})`, if blocks are launched with y and z sizes of 1"
    if facts.kernel.language == "sycl":
        help_ = (
            f"`__builtin_amdgcn_readfirstlane({text})` under `#ifdef __AMDGCN__`, if work-groups extend along the last "
            "dimension alone"
        )
    if facts.kernel.language == "opencl":
        help_ = (
            f"`sub_group_broadcast({text}, 0)` where sub-groups are there, or on AMD `__builtin_amdgcn_readfirstlane`, "
            "if work-groups extend along the first dimension alone"
        )
    notes = (Note(loads[0].expr.span, "a load that would be scalar"), *_launches(facts))
    fix = _fix(facts, wave_id)
    return Finding(wave_id.expr.span, message, severities, help_, notes, fix)


def _launches(facts: KernelFacts) -> Iterator[Note]:
    for launch in facts.kernel.launches[:1]:
        if launch.path == facts.file.path and launch.block_dims is not None:
            yield Note(launch.span, f"launched with {launch.block_dims[0]} threads per block, in one dimension")


def _fix(facts: KernelFacts, wave_id: _WaveId) -> Fix | None:
    """The builtin around the quotient; clang has it for AMD only, and it takes and gives an `int`."""
    expr, source = wave_id.expr, facts.file.source
    everywhere = all(_holds(facts, wave_id, target) for target in amd_targets(facts))
    if facts.kernel.language != "hip" or not everywhere or writable(facts.file, expr) is None:
        return None
    launches = facts.kernel.launches
    type_ = wave_id.variable.type if wave_id.variable is not None else None
    # Behind an `int` or `unsigned` variable it does not show that the quotient became signed.
    sure = type_ is not None and type_.size == WORD and not type_.floating and not type_.struct
    sure = sure and wave_id.divisor % _LARGEST_WAVE == 0 and not nvidia_targets(facts)
    sure = sure and bool(launches) and all(_is_row(launch) for launch in launches)
    edit = Edit(expr.span, f"__builtin_amdgcn_readfirstlane({source.text(expr.span)})")
    return Fix("tell the compiler that it is the same for the wave", "safe" if sure else "unsafe", (edit,))
