"""The GPUs that a compiler's options name, as canonical architecture names."""

from __future__ import annotations

import re

from regpress_lint.core.patterns import pattern

# Nothing but a name is looked up, and not very many.
_NAME = pattern(r"[A-Za-z]\w{1,40}(?:\.\w{1,8}){0,2}", re.ASCII)
_MAX_NAMES = 64
_NVIDIA = pattern(r"(?:sm|compute|lto)_\d{2,3}[af]?")
_OFFLOAD = pattern(r"--?(?:offload-arch|cuda-gpu-arch|amdgpu-target)=([\w,:+-]{1,2000})")
_DEVICE = pattern(r"-devices?[ =]+\"?([\w,.-]{1,2000})")
_ACPP = pattern(r"(?:hip|cuda|omp|generic)(?:\.[\w-]+)?:([\w,.:+-]+)")
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
        else:
            # Of `-fsycl-targets` too: `intel_gpu_pvc` is a name, a triple (`nvptx64-nvidia-cuda`, `spir64`) is none.
            self._add(value.split(","))

    def backend(self, value: str) -> None:
        """What DPC++ hands to a device's own compiler: `--offload-arch=gfx90a`, `-device pvc`."""
        for form in (_OFFLOAD, _DEVICE):
            for match in form.finditer(value[:4096]):
                self._add(match[1].split(","))

    def _nvidia(self, name: str) -> None:
        name = name.strip()
        if _NVIDIA.fullmatch(name) is not None:
            into = self._virtual if name.startswith("compute") else self._real
            into[name.replace("lto_", "sm_")] = None

    def _add(self, names: list[str]) -> None:
        for name in names:
            plain = name.strip().partition(":")[0]
            if _NAME.fullmatch(plain) is not None and len(self._real) < _MAX_NAMES:
                self._real[plain] = None

    def targets(self) -> tuple[str, ...]:
        """Canonical names of those that we know, each once."""
        names = list(self._real or self._virtual)[:_MAX_NAMES]
        if not names:
            return ()
        from regpress_lint.targets.occupancy import architecture, is_known

        return tuple(dict.fromkeys(architecture(name).name for name in names if is_known(name)))
