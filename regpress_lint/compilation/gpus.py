"""The GPUs that a compiler's options name, as canonical architecture names."""

from __future__ import annotations

import re

# Nothing but a name is looked up, and not very many: an unknown one is slow, because it is compared with all others.
_NAME = re.compile(r"[A-Za-z]\w{1,40}(?:\.\w{1,8}){0,2}", re.ASCII)
_MAX_NAMES = 64
_PLACEHOLDERS = frozenset(("native", "all", "all-major", "generic"))
_NVIDIA = re.compile(r"(?:sm|compute|lto)_\d{2,3}[af]?")
_OFFLOAD = re.compile(r"--?(?:offload-arch|cuda-gpu-arch|amdgpu-target)=([\w,:+-]{1,2000})")
_DEVICE = re.compile(r"-devices?[ =]+\"?([\w,.-]{1,2000})")
_ACPP = re.compile(r"(?:hip|cuda|omp|generic)(?:\.[\w-]+)?:([\w,.:+-]+)")
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
            for one in (code or value.removeprefix("arch=")).translate(_BRACKETS).split(","):
                self._nvidia(one)
        elif name in ("-arch", "--gpu-architecture", "-code", "--gpu-code"):
            for one in value.translate(_BRACKETS).split(","):
                self._nvidia(one)
        elif name in ("--acpp-targets", "--hipsycl-targets"):
            for match in _ACPP.finditer(value.translate(_BRACKETS)):
                self._add(match[1].split(","))
        elif name.startswith("--no-"):
            gone = {one.partition(":")[0] for one in value.split(",")}
            self._real = {one: None for one in self._real if one not in gone and "all" not in gone}
        elif name == "-fsycl-targets":
            # Triples (`nvptx64-nvidia-cuda`, `spir64`) name no GPU; `intel_gpu_pvc` does.
            self._add([one for one in value.split(",") if "_gpu_" in one])
        else:
            self._add(value.split(","))

    def backend(self, value: str) -> None:
        """What DPC++ hands to a device's own compiler: `--offload-arch=gfx90a`, `-device pvc`."""
        for pattern in (_OFFLOAD, _DEVICE):
            for match in pattern.finditer(value[:4096]):
                self._add(match[1].split(","))

    def _nvidia(self, name: str) -> None:
        name = name.strip()
        if _NVIDIA.fullmatch(name) is not None:
            into = self._virtual if name.startswith("compute") else self._real
            into[name.replace("lto_", "sm_")] = None

    def _add(self, names: list[str]) -> None:
        for name in names:
            plain = name.strip().partition(":")[0]
            if plain not in _PLACEHOLDERS and _NAME.fullmatch(plain) is not None and len(self._real) < _MAX_NAMES:
                self._real[plain] = None

    def targets(self) -> tuple[str, ...]:
        """Canonical names of those that we know, each once."""
        from regpress_lint.occupancy import UnknownArchitectureError, architecture

        found: dict[str, None] = {}
        for name in list(self._real or self._virtual)[:_MAX_NAMES]:
            try:
                found[architecture(name).name] = None
            except UnknownArchitectureError:
                continue
        return tuple(found)
