"""RP904 subgroup-size-register-budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Launch, Rule, Severity
from regpress_lint.api.report import place
from regpress_lint.api.targets import occupancy, vendor_of, wave_sizes
from regpress_lint.api.text import count, listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import Kernel
    from regpress_lint.api.facts import TargetFacts


# Words of SYCL sources that are compiled for a vendor's GPUs: backends, triples, macros of its device compiler.
_SHOWS = {
    "amd": (
        b"ext_oneapi_hip",
        b"EXT_ONEAPI_BACKEND_HIP",
        b"amdgcn",
        b"__AMDGCN",
        b"__AMDGPU",
        b"__HIP_",
        b"hip_runtime",
    ),
    "nvidia": (b"ext_oneapi_cuda", b"EXT_ONEAPI_BACKEND_CUDA", b"nvptx", b"__NVPTX", b"__CUDA_ARCH__", b"cuda_runtime"),
}


class SubgroupSizeRegisterBudget(Rule):
    """A sub-group size, a register mode and a work-group size that a GPU does not have together."""

    code = "RP904"
    name = "subgroup-size-register-budget"
    severity = Severity.ERROR
    languages = ("sycl", "opencl")
    needs = ("kernel.sub_group_size", "kernel.grf_mode", "settings.registers.grf")

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding for the kernel's request, and for GPUs that support it one for each launch that cannot
        work with it.
        """
        wrong = {name: text for name in facts.targets if (text := _missing(facts, facts.target(name))) is not None}
        if wrong and _alike(facts)[0].name_span == facts.kernel.name_span:
            yield _finding(facts, None, wrong)
        supporting = tuple(name for name in facts.targets if name not in wrong)
        for launch in facts.kernel.launches or (None,):
            full = {name: text for name in supporting if (text := _full(facts, facts.target(name), launch)) is not None}
            if full:
                yield _finding(facts, launch, full)


def _alike(facts: KernelFacts) -> list[Kernel]:
    """Kernels of the file with the same request: one decision, reported at its first kernel."""
    mine = facts.kernel
    alike = [
        kernel
        for kernel in facts.file.kernels
        if (kernel.path, kernel.sub_group_size, kernel.grf_mode) == (mine.path, mine.sub_group_size, mine.grf_mode)
    ]
    return alike or [mine]


def _others(facts: KernelFacts) -> str:
    names = {kernel.name_span for kernel in _alike(facts)} - {facts.kernel.name_span}
    return f" ({count(len(names), 'other kernel')} of the file too)" if names else ""


def _missing(facts: KernelFacts, target: TargetFacts) -> tuple[str, str] | None:
    """A sub-group size or a register mode that an architecture does not have, and what to do."""
    arch, kernel = target.architecture, facts.kernel
    if kernel.language == "opencl" and not arch.grf_modes:  # the attribute is Intel's, and others ignore it
        return None
    size, grf = kernel.sub_group_size, kernel.grf_mode
    if size is not None and size not in arch.wave_sizes:
        sizes = listing(map(str, arch.wave_sizes))
        return (
            f"`{kernel.name}`{_others(facts)} requires sub-groups of {size}, and {arch.name} has {sizes}: the launch "
            "fails",
            f"require {sizes.replace(' and ', ' or ')}, or leave the size to the compiler",
        )
    if grf and arch.grf_modes and all(mode.registers != grf for mode in arch.grf_modes):
        modes = listing(str(mode.registers) for mode in arch.grf_modes)
        return (
            f"`{kernel.name}`{_others(facts)} asks for {grf} registers, and {arch.name} has modes of {modes}",
            f"ask for {modes.replace(' and ', ' or ')}",
        )
    return None


def _full(facts: KernelFacts, target: TargetFacts, launch: Launch | None) -> tuple[str, str] | None:
    """A work-group whose hardware threads an Xe-core does not have in the mode that the kernel requests."""
    arch, bounds = target.architecture, facts.kernel.launch_bounds
    required = bounds.max_threads if bounds is not None and bounds.required else None
    block = launch.block_size if launch is not None else required
    if not block or not arch.grf_modes or block > arch.max_threads_per_group:
        return None
    use = target.use(1)._replace(block_size=block, lds_bytes=0)
    if not (facts.kernel.grf_mode if facts.kernel.grf_mode is not None else facts.settings.registers.grf):
        use = use._replace(grf=min(mode.registers for mode in arch.grf_modes))  # IGC's own choice is no demand
    sizes = wave_sizes(facts, arch)
    if any(occupancy(arch, use._replace(wave_size=size)).groups for size in sizes):
        return None
    widest = max(sizes)
    fits = [
        mode for mode in arch.grf_modes if occupancy(arch, use._replace(wave_size=widest, grf=mode.registers)).groups
    ]
    mode = next(mode for mode in arch.grf_modes if mode.registers == use.grf)
    threads = mode.waves_per_simd * arch.modes[0].simds
    message = (
        f"`{facts.kernel.name}` is launched with {count(block, 'work-item')} a group: at sub-group size {widest} these "
        f"are {count(-(-block // widest), 'hardware thread')}, and an Xe-core of {arch.name} has {threads} with "
        f"{use.grf} registers each: the launch fails"
    )
    ways = [f"work-groups of {threads * widest:,} or fewer"]
    wider = (size for size in arch.wave_sizes if size > widest and -(-block // size) <= threads)
    ways += [f"sub-groups of {size}" for size in wider][:1]
    ways += [f"{fits[0].registers} registers"] if fits else []
    return message, "use " + (" or ".join(ways))


def _is_meant(facts: KernelFacts, target: str) -> bool:
    """True for Intel's GPUs, and for those of a vendor for whom the build or the source has the file compiled:
    a size that another vendor's GPUs lack says for whom a kernel was written, and no launch there will fail.
    """
    words = _SHOWS.get(vendor_of(target))
    return words is None or facts.settings.one_binary or any(map(facts.file.source.mentions, words))


def _finding(facts: KernelFacts, launch: Launch | None, texts: dict[str, tuple[str, str]]) -> Finding:
    kernel = facts.kernel
    if launch is not None:
        where = place(facts, launch.block_span or launch.span, launch.path, "the launch")
    else:
        where = place(facts, kernel.name_span, kernel.path, "the kernel")
    text, help_ = ("; ".join(dict.fromkeys(clauses)) for clauses in zip(*texts.values(), strict=True))
    severities = {name: Severity.ERROR if _is_meant(facts, name) else Severity.INFO for name in texts}
    return Finding(where.span, text, severities, help_, where.notes, None, kernel.name)
