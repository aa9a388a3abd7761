"""The flags that libclang gets for a file: made by us from plain data, never handed through."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.settings import INCLUDE_OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from regpress_lint.core.settings import CompileCommand, Language
    from regpress_lint.cpp.answers import Sources

SHIMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shims")
_DEFAULT_STANDARD = "gnu++17"
_DEFAULT_TARGETS = {"hip": "gfx90a", "cuda": "sm_90"}
# What libclang 18, the newest wheel, has a name for; for another GPU the default's macros do.
_KNOWN_TARGETS = pattern(r"gfx(?:90[0-9a-c]|94[0-2]|10[13]\d|11[05]\d|1200|1201)$|sm_(?:[5-8]\d|90a?)$")
_LANGUAGE_FLAGS: dict[str, tuple[str, ...]] = {
    "hip": ("-x", "hip", "--cuda-device-only", "-nogpuinc", "-nogpulib"),
    "cuda": ("-x", "cuda", "--cuda-device-only", "-nogpuinc", "-nogpulib", "-nocudainc", "-nocudalib"),
    "sycl": ("-x", "c++"),
}
_MACROS = {
    "hip": ("__HIPCC__=1", "__HIP_PLATFORM_AMD__=1"),
    "cuda": ("__NVCC__=1", "__CUDACC_VER_MAJOR__=13", "__CUDACC_VER_MINOR__=0"),
    "sycl": ("SYCL_LANGUAGE_VERSION=202012L", "__SYCL_DEVICE_ONLY__=1"),
}
# hipcc and nvcc include their run-time API by themselves.
# A SYCL file that is included may leave its header to who includes it.
_PRELUDES = {"hip": "hip/hip_runtime.h", "cuda": "cuda_runtime.h", "sycl": "sycl/sycl.hpp"}
# Errors by default in clang that other compilers let pass; without them `-w` is enough.
_LET_PASS = ("-Wno-register", "-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal")
_MACRO = pattern(r"[A-Za-z_]\w*(?:\([\w, .]*\))?$")


def arguments(
    language: Language, command: CompileCommand | None, sources: Sources, own: Iterable[str] = ()
) -> tuple[str, ...]:
    """Flags for a file of a language, without the overlay of the file system.

    The shims come before the folders of a command that are not below one of the project's `own`: the real headers of a
    toolkit need those of its compiler, which no command names.
    """
    target = next((name for name in command.targets if _suits(name, language)), None) if command is not None else None
    standard = command.standard if command is not None and command.standard is not None else _DEFAULT_STANDARD
    result = [
        *_LANGUAGE_FLAGS[language],
        f"-std={standard}",
        "-nostdinc",
        "-nostdinc++",
        "-ferror-limit=0",
        "-w",
        *_LET_PASS,
    ]
    if language == "hip":
        result.append(f"--offload-arch={target or _DEFAULT_TARGETS['hip']}")
    elif language == "cuda":
        result.append(f"--cuda-gpu-arch={target or _DEFAULT_TARGETS['cuda']}")
    result += [f"-D{macro}" for macro in _MACROS[language]]
    far: list[str] = []
    if command is not None:
        result += _macro_flags(command.macros)
        near = [os.path.realpath(folder) for folder in own]
        for folder in command.include_dirs:
            if any(_below(os.path.realpath(folder.path), inside) for inside in near):
                result += [INCLUDE_OPTIONS[folder.kind], folder.path]
            else:
                far += ["-isystem", folder.path]
    result += [f"-D{macro}" for macro in sources.macros if _MACRO.match(macro.partition("=")[0])]
    for folder_path in sources.folders:
        result += ["-idirafter" if command is not None else "-I", os.path.abspath(folder_path)]
    result += ["-isystem", SHIMS, *far]
    if (prelude := _PRELUDES.get(language)) is not None:
        result += ["-include", prelude]
    for path in command.includes if command is not None else ():
        result += ["-include", path]
    return tuple(result)


def roots(folders: Iterable[str]) -> tuple[str, ...]:
    """Real folders that may be read, the shims among them, none below another. The whole disk is none of them."""
    real = {os.path.realpath(folder) for folder in (*folders, SHIMS)}
    roots = sorted(folder for folder in real if folder != os.path.dirname(folder))
    result: list[str] = []
    for folder in roots:
        if not any(_below(folder, root) for root in result):
            result.append(folder)
    return tuple(result)


def _below(folder: str, root: str) -> bool:
    return folder == root or folder.startswith(root.rstrip(os.sep) + os.sep)


def _suits(target: str, language: Language) -> bool:
    return target.startswith(_DEFAULT_TARGETS.get(language, "-")[:3]) and _KNOWN_TARGETS.match(target) is not None


def _macro_flags(macros: Sequence[tuple[str, str | None]]) -> list[str]:
    return [
        f"-U{name}" if body is None else f"-D{name}={body}" for name, body in macros if _MACRO.match(name) is not None
    ]
