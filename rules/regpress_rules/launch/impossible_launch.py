"""RP108 impossible-launch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Launch, NamedTuple, Note, Rule, Severity
from regpress_lint.api.preprocessor import defined_twice
from regpress_lint.api.report import place
from regpress_lint.api.syntax import ITEM_TYPE
from regpress_lint.api.targets import gpu, habits, occupancy
from regpress_lint.api.text import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api.facts import TargetFacts
    from regpress_lint.api.syntax import Variable

_OPT_IN = b"MaxDynamicSharedMemorySize"  # of cudaFuncSetAttribute, hipFuncSetAttribute and the driver's forms
_DIMENSIONS, _MOST_ALONG_Z = 3, 64
# Bytes of arguments: ocloc, "Total size of kernel arguments exceeds limit!"; ptxas 13.0, "too much parameter space";
# NVIDIA's notes on CUDA 12.1. clang for AMD was seen to take 2 MB.
_INTEL, _CUDA, _CUDA_BEFORE_12_1 = 2048, 32764, 4096
_VOLTA = 70
_PORTABLE_CLUSTER, _LARGE_CLUSTERS = 8, b"NonPortableClusterSizeAllowed"


class _Fault(NamedTuple):
    """A violation of a target's limits: its place, the request, the limit, and the remedy."""

    severity: Severity
    text: str
    help: str


class ImpossibleLaunch(Rule):
    """A block, its LDS or its registers are more than the GPU has: the launch fails, or nothing is compiled."""

    code = "RP108"
    name = "impossible-launch"
    severity = Severity.ERROR

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding for the kernel itself, and one for each of its launches."""
        if _another_is_meant(facts):
            return
        if of_kernel := _faults(facts, None):
            yield _finding(facts, None, of_kernel)
        for launch in facts.kernel.launches:
            if faults := _faults(facts, launch):
                yield _finding(facts, launch, faults)


def _another_is_meant(facts: KernelFacts) -> bool:
    """A launch may not say which overload or branch of an `#if` it means: the first one is checked."""
    kernel, first = facts.kernel, facts.file.first_kernel(facts.kernel.name)
    if kernel.has_work_items or first in (None, kernel):
        return False  # a launch is given its kernel
    launches = {(launch.path, launch.span) for launch in kernel.launches}
    shared = first is not None and any((launch.path, launch.span) in launches for launch in first.launches)
    return not launches or shared


def _faults(facts: KernelFacts, launch: Launch | None) -> dict[str, _Fault]:
    """By target, what is wrong with a launch, or (None) with the kernel however it is launched."""
    faults = {}
    for name in facts.targets:
        fault = _static(facts, facts.target(name))
        if launch is not None:
            compiles = fault is None or fault.severity < Severity.ERROR
            fault = _launched(facts, facts.target(name), launch) if compiles else None
        if fault is not None:
            faults[name] = fault
    return faults


def _static(facts: KernelFacts, target: TargetFacts) -> _Fault | None:
    """More static LDS or arguments than the compiler takes, or clusters of blocks that a GPU does not have."""
    return _static_lds(facts, target) or _arguments(facts, target) or _clustered(facts, target, facts.kernel.cluster)


def _clustered(facts: KernelFacts, target: TargetFacts, size: int | None) -> _Fault | None:
    arch = target.architecture
    if size is None or not gpu(arch.name).is_nvidia:
        return None
    if not arch.has_clusters and size == facts.kernel.cluster:
        return _Fault(
            Severity.ERROR,
            f"`{facts.kernel.name}` requests clusters of {count(size, 'block')}, and {arch.name} has none: it does not "
            "compile",
            "compile it for sm_90 and later only",
        )
    if size > _PORTABLE_CLUSTER and _LARGE_CLUSTERS not in facts.file.source.data:
        return _Fault(
            Severity.INFO,
            f"`{facts.kernel.name}` requests clusters of {count(size, 'block')}, and {arch.name} takes more than "
            f"{_PORTABLE_CLUSTER} only on request: no `cudaFuncAttributeNonPortableClusterSizeAllowed` is visible",
            f"set the attribute for the kernel before the launch, or use clusters of {_PORTABLE_CLUSTER} or fewer",
        )
    return None


def _ragged(facts: KernelFacts, target: TargetFacts, launch: Launch) -> _Fault | None:
    """A grid whose blocks do not make whole clusters: `cudaErrorInvalidClusterSize` (CUDA 13.0 on an H200)."""
    size, blocks = launch.cluster or facts.kernel.cluster, launch.blocks
    if launch.cluster is not None and (large := _clustered(facts, target, launch.cluster)) is not None:
        return large
    if not size or not blocks or blocks % size == 0 or not target.architecture.has_clusters:
        return None
    return _Fault(
        _certain(facts, launch),
        f"`{facts.kernel.name}` is launched with {count(blocks, 'block')}, which are no whole clusters of {size}: the "
        f"launch fails on {target.architecture.name}",
        f"round the grid up to a multiple of {size}, and let the blocks beyond the data return",
    )


def _arguments(facts: KernelFacts, target: TargetFacts) -> _Fault | None:
    """More bytes of arguments than a toolchain takes; those of unknown types count as none."""
    function = facts.kernel.function
    handed = (parameter for parameter in function.parameters if ITEM_TYPE.search(parameter.type.name) is None)
    arguments = (*handed, *function.captures)
    total = sum(map(_bytes, arguments))
    limit = _argument_limit(target.architecture.name, total)
    if limit is None:
        return None
    whose, most, severity = limit
    large = max(arguments, key=_bytes)
    constant = "" if gpu(target.architecture.name).is_intel else ", or put it into `__constant__` memory"
    return _Fault(
        severity,
        f"`{facts.kernel.name}` has {count(total, 'byte')} of arguments, {_bytes(large):,} of them `{large.name}`, and "
        f"{whose} takes {most:,} on {target.architecture.name}: it does not compile",
        f"copy `{large.name}` to memory of the device and pass a pointer to `const {large.type.name}`{constant}",
    )


def _bytes(variable: Variable) -> int:
    return 8 if variable.type.pointers or variable.dims else variable.type.size or 0


def _argument_limit(name: str, total: int) -> tuple[str, int, Severity] | None:
    """Whose limit is exceeded, the limit in bytes, and how bad that is."""
    on = gpu(name)
    if on.is_intel:
        return ("Intel's compiler", _INTEL, Severity.ERROR) if total > _INTEL else None
    if on.is_amd or total <= _CUDA_BEFORE_12_1:
        return None
    if total > _CUDA:
        return "CUDA", _CUDA, Severity.ERROR
    if int("".join(filter(str.isdigit, name)) or 0) < _VOLTA:
        return "CUDA", _CUDA_BEFORE_12_1, Severity.ERROR
    return "CUDA before 12.1", _CUDA_BEFORE_12_1, Severity.INFO


def _static_lds(facts: KernelFacts, target: TargetFacts) -> _Fault | None:
    arch, bytes_ = target.architecture, facts.launch.lds_of(None)[0]
    if bytes_ > arch.lds_max_per_group:
        return _Fault(
            Severity.ERROR,
            f"`{facts.kernel.name}` has {count(bytes_, 'byte')} of LDS per block, and {arch.name} gives at most "
            f"{arch.lds_max_per_group:,}: it does not compile",
            "use smaller tiles, a narrower element type, or stage the data in several passes",
        )
    most = facts.launch.most_static_lds(arch.name)
    if bytes_ <= most:
        return None
    return _Fault(
        Severity.ERROR,
        f"`{facts.kernel.name}` has {count(bytes_, 'byte')} of static LDS a block, and {arch.name} gives at most "
        f"{most:,}: it does not compile",
        f"up to {arch.lds_max_per_group:,} bytes are there as dynamic LDS: declare it `extern __shared__`, give the "
        "bytes at the launch, and set `cudaFuncAttributeMaxDynamicSharedMemorySize` before",
    )


def _launched(facts: KernelFacts, target: TargetFacts, launch: Launch) -> _Fault | None:
    """The fault of a launch that its numbers settle first: the device's limits, the kernel's bounds, then memory."""
    arch, block = target.architecture, launch.block_size
    if block is not None and block > arch.max_threads_per_group:
        return _Fault(
            _certain(facts, launch),
            f"`{facts.kernel.name}` is launched with {count(block, 'thread')} per block, and {arch.name} takes at most "
            f"{arch.max_threads_per_group:,}: the launch fails",
            f"launch blocks of {arch.max_threads_per_group:,} threads or fewer, and more of them",
        )
    deep = _too_deep(facts, target, launch) or _ragged(facts, target, launch)
    if deep is not None:
        return deep
    if block is not None and (compiled := _compiled_for(facts, target)) is not None and block > compiled[0]:
        return _Fault(
            _certain(facts, launch),
            f"`{facts.kernel.name}` is launched with {count(block, 'thread')} per block, and `{compiled[1]}` compiles "
            f"it for at most {compiled[0]:,}: the launch fails on {arch.name}",
            f"declare `__launch_bounds__({block})`",
        )
    if launch.uneven is not None:
        items, group = launch.uneven
        return _Fault(
            _certain(facts, launch),
            f"`{facts.kernel.name}` is launched for {count(items, 'work-item')} in work-groups of {group:,}, which "
            f"does not divide {items:,}: the launch fails",
            f"round the global range up to {-(-items // group) * group:,}, and let the work-items beyond {items:,} do "
            "nothing",
        )
    bytes_ = facts.launch.lds_of(launch)[0]
    if bytes_ > arch.lds_max_per_group:
        return _Fault(
            Severity.ERROR,
            f"`{facts.kernel.name}` is launched with {count(bytes_, 'byte')} of LDS per block, and {arch.name} gives "
            f"at most {arch.lds_max_per_group:,}: the launch fails",
            "use smaller tiles, a narrower element type, or stage the data in several passes",
        )
    return _registers(facts, target, launch) or _not_asked_for(facts, target, launch, bytes_)


def _too_deep(facts: KernelFacts, target: TargetFacts, launch: Launch) -> _Fault | None:
    """More threads along z than CUDA takes (the table of compute capabilities)."""
    arch, dims = target.architecture, launch.block_dims
    z = dims[2] if dims is not None and len(dims) == _DIMENSIONS else 1
    if not gpu(arch.name).is_nvidia or facts.kernel.has_work_items or z <= _MOST_ALONG_Z:
        return None
    return _Fault(
        _certain(facts, launch),
        f"`{facts.kernel.name}` is launched with {count(z, 'thread')} along z, and {arch.name} takes at most "
        f"{_MOST_ALONG_Z}: the launch fails",
        "turn the block: x and y take 1,024 each",
    )


def _compiled_for(facts: KernelFacts, target: TargetFacts) -> tuple[int, str] | None:
    """The largest block that clang compiles a kernel for without launch bounds (those are RP102's), and who says so."""
    if facts.kernel.launch_bounds is not None or not habits(target.architecture.name).assumes_full_blocks:
        return None
    limits, option = facts.kernel.register_limits, facts.settings.registers.max_threads
    if limits is not None and limits.max_threads:
        return limits.max_threads, limits.text
    return (option, f"--gpu-max-threads-per-block={option}") if option else None


def _certain(facts: KernelFacts, launch: Launch) -> Severity:
    """A size that several assignments or definitions may give is no more than information."""
    unsure = launch.certainty == "last-assignment" or defined_twice(facts.file.source, launch.block_text)
    return Severity.INFO if unsure else Severity.ERROR


def _registers(facts: KernelFacts, target: TargetFacts, launch: Launch) -> _Fault | None:
    """More registers than a block of that size can have. Launch bounds of that size keep the compiler from it."""
    arch, block, bounds = target.architecture, launch.block_size, facts.kernel.launch_bounds
    if block is None or arch.regs_per_group is None or target.budget * block <= arch.regs_per_group:
        return None
    if bounds is not None and (bounds.max_threads is None or bounds.max_threads < block):
        return None  # not settled, or RP102 says it
    if not target.crowded and block <= arch.max_threads_per_group // 2:
        return None
    registers = target.registers
    for severity, value in ((Severity.ERROR, registers.low), (Severity.INFO, registers.estimate)):
        use = target.use(value)._replace(block_size=block, lds_bytes=0)
        if occupancy(arch, use).groups == 0:
            most = arch.regs_per_group // block // 8 * 8
            rest = f" and spills what is beyond {most} registers" if registers.low > most else ""
            return _Fault(
                min(severity, _certain(facts, launch)),
                f"`{facts.kernel.name}` is launched with {count(block, 'thread')} per block, which leaves "
                f"{most} of the {arch.regs_per_group:,} registers of {gpu(arch.name).unit} to each on {arch.name}, and "
                f"the estimate is {registers.estimate} ({registers.low} to {registers.high}): the launch "
                f"{'fails' if severity == Severity.ERROR else 'may fail'}",
                f"launch smaller blocks, or declare `__launch_bounds__({block})`: the compiler then stays below{rest}",
            )
    return None


def _not_asked_for(facts: KernelFacts, target: TargetFacts, launch: Launch, bytes_: int) -> _Fault | None:
    """NVIDIA gives more than 48 KB of LDS only to a kernel that was allowed it before the launch."""
    arch = target.architecture
    most, in_file = arch.lds_static_max, launch.path == facts.file.path
    if most is None or most >= arch.lds_max_per_group or bytes_ <= most or not launch.dynamic_lds_bytes:
        return None
    if facts.kernel.has_work_items or not in_file or _OPT_IN in facts.file.source.data:
        return None
    return _Fault(
        Severity.INFO,
        f"`{facts.kernel.name}` is launched with {count(bytes_, 'byte')} of LDS per block, and {arch.name} gives more "
        f"than {most:,} only on request: no `cudaFuncSetAttribute` for it is visible",
        "set `cudaFuncAttributeMaxDynamicSharedMemorySize` for the kernel before the launch",
    )


def _finding(facts: KernelFacts, launch: Launch | None, faults: dict[str, _Fault]) -> Finding:
    kernel = facts.kernel
    severities = {name: fault.severity for name, fault in faults.items()}
    fault = faults[max(severities, key=lambda name: severities[name])]
    notes: tuple[Note, ...] = ()
    if launch is None:
        where = place(facts, kernel.name_span, kernel.path, "the kernel")
    else:
        where = place(facts, launch.block_span or launch.span, launch.path, "the launch")
        if where.here and kernel.path == facts.file.path and kernel.entry is None:
            notes = (Note(kernel.name_span, "the kernel"),)
    return Finding(where.span, fault.text, severities, fault.help, (*where.notes, *notes), None, kernel.name)
