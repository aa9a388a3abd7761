"""The GPUs that a compiler's options name, as canonical architecture names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern

if TYPE_CHECKING:
    from regpress_lint.targets.occupancy import Vendor

# Nothing but a name is looked up, and not very many.
_NAME = pattern(r"[A-Za-z]\w{1,40}(?:\.\w{1,8}){0,2}", re.ASCII)
_MAX_NAMES = 64
_NVIDIA = pattern(r"(?:sm|compute|lto)_\d{2,3}[af]?")
# Meant as a processor, whether there is one or not.
_STRANGE = pattern(r"(?:gfx|(?:sm|compute|lto|intel_gpu)_)\w{1,20}", re.ASCII)
_OFFLOAD = pattern(r"--?(?:offload-arch|cuda-gpu-arch|amdgpu-target)=([\w,:+-]{1,2000})")
_DEVICE = pattern(r"-devices?[ =]+\"?([\w,.-]{1,2000})")
_ACPP = pattern(r"(?:hip|cuda|omp|generic)(?:\.[\w-]+)?:([\w,.:+-]+)")
# `gfx90a` is generation 9, version 0.a; `gfx1153` 11, 5.3; `sm_101a` 10.1 with features of its own; what is built for
# `gfx9-4-generic` runs on all of 9.4, `gfx11-generic` on all of generation 11.
_PROCESSOR = pattern(r"gfx(\d{1,2})([0-9a-f]{2})|(?:sm|compute)_(\d{1,2})(\d)[a-z]?")
_GENERIC = pattern(r"gfx(\d{1,2})(?:-(\d))?-generic")
_FARTHEST = 3  # generations from one that we know
_BRACKETS = str.maketrans("", "", "[]'\"")


class Gpus:
    """Names in the order given. A virtual architecture (`compute_90`) counts only where no real one is named."""

    def __init__(self) -> None:
        self._real: dict[str, None] = {}
        self._virtual: dict[str, None] = {}

    def option(self, name: str, value: str) -> None:
        """`--offload-arch=`, `-gencode`, `-fsycl-targets=` and the like with their value."""
        if name in ("-gencode", "--generate-code"):
            # arch=compute_90,code=[sm_90,compute_90]
            _, _, code = value.partition("code=")
            for processor in (code or value.removeprefix("arch=")).translate(_BRACKETS).split(","):
                self._nvidia(processor)
        elif name in ("-arch", "--gpu-architecture", "-code", "--gpu-code"):
            for processor in value.translate(_BRACKETS).split(","):
                self._nvidia(processor)
        elif name in ("--acpp-targets", "--hipsycl-targets"):
            for match in _ACPP.finditer(value.translate(_BRACKETS)):
                self._add(match[1].split(","))
        elif name.startswith("--no-"):
            gone = {word.partition(":")[0] for word in value.split(",")}
            self._real = {real: None for real in self._real if real not in gone and "all" not in gone}
        else:
            # Of `-fsycl-targets` too: `intel_gpu_pvc` is a name, a triple (`nvptx64-nvidia-cuda`, `spir64`) is none.
            self._add(value.split(","))

    def backend(self, value: str) -> None:
        """The options that DPC++ passes to a device's own compiler: `--offload-arch=gfx90a`, `-device pvc`."""
        for form in (_OFFLOAD, _DEVICE):
            for match in form.finditer(value[:4096]):
                self._add(match[1].split(","))

    def _nvidia(self, name: str) -> None:
        name = name.strip()
        if _NVIDIA.fullmatch(name) is not None or (_STRANGE.fullmatch(name) is not None and not name.startswith("gfx")):
            into = self._virtual if name.startswith("compute") else self._real
            into[name.replace("lto_", "sm_")] = None

    def _add(self, names: list[str]) -> None:
        for name in names:
            plain = name.strip().partition(":")[0].removeprefix("amd_gpu_").removeprefix("nvidia_gpu_")
            fits = _NAME.fullmatch(plain) or _GENERIC.fullmatch(plain)
            if fits is not None and len(self._real) < _MAX_NAMES:
                self._real[plain] = None

    def targets(self) -> tuple[str, ...]:
        """Canonical names of those that we know, each once; of another processor the nearest of its family."""
        return tuple(dict.fromkeys(name for name in map(_known, self._names) if name is not None))

    def unknown(self) -> tuple[tuple[str, str], ...]:
        """Processors that we do not know, and which one is answered for in their place; "" if none is like them."""
        from regpress_lint.targets.occupancy import is_known

        meant = (
            name
            for name in self._names
            if not is_known(name) and (_STRANGE.fullmatch(name) or _GENERIC.fullmatch(name))
        )
        return tuple((name, _known(name) or "") for name in meant)

    @property
    def _names(self) -> list[str]:
        return list(self._real or self._virtual)[:_MAX_NAMES]


def _known(name: str) -> str | None:
    """The canonical name of a GPU or of the one most like it; None for a word that is not a processor's name."""
    from regpress_lint.targets.occupancy import architecture, is_known

    return architecture(name).name if is_known(name) else nearest(name)


def nearest(name: str) -> str | None:
    """The processor of our tables that is most like one that they do not have: of the same generation, if there is one;
    of two that are equally far the older one, whose limits a newer one rarely falls short of.
    """
    parsed = _numbers(name)
    if parsed is None:
        return None
    from regpress_lint.targets.occupancy import architectures

    vendor, generation, number = parsed
    processors = [(architecture.name, _numbers(architecture.name)) for architecture in architectures(vendor)]
    apart: list[tuple[int, int, tuple[int, int], str]] = []
    for processor, numbers in processors:
        if numbers is not None:
            before = numbers[1] - generation  # of another generation, its end that is nearer
            place = abs(numbers[2] - number) if not before else numbers[2] if before > 0 else -numbers[2]
            apart.append((abs(before), place, numbers[1:], processor))
    best = min(apart, default=None)
    return best[-1] if best is not None and best[0] <= _FARTHEST else None


def _numbers(name: str) -> tuple[Vendor, int, int] | None:
    """Vendor, generation and place in it of a processor: of `gfx90a` 9 and 10, of `sm_89` 8 and 9."""
    match = _GENERIC.fullmatch(name)
    if match is not None:
        return "amd", int(match[1]), int(match[2] or "0") << 4
    match = _PROCESSOR.fullmatch(name)
    if match is None:
        return None
    if match[1] is not None:
        return "amd", int(match[1]), int(match[2], 16)
    return "nvidia", int(match[3]), int(match[4])
