"""A file compiled for one GPU as its build does it, to read what the compiler says; nothing is linked or kept.

The command is our own: of the build's words only those of the allow list in `compilation` come back. The compiler runs
in a private folder with limits (`processes`).

Results of earlier compilations: rows by the content of a file, the command and the compiler, while headers are
unchanged.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, Protocol

from regpress_lint.core.digests import digest_of
from regpress_lint.core.measured import Row
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.settings import INCLUDE_OPTIONS
from regpress_lint.cpp.language import is_opencl_name
from regpress_lint.measured import processes, toolchains
from regpress_lint.measured.inputs import read
from regpress_lint.measured.processes import header_folders
from regpress_lint.measured.rows import Reading, merged
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from regpress_lint.core.settings import CompileCommand
    from regpress_lint.measured.toolchains import Toolchain
    from regpress_lint.targets.occupancy import Vendor


# What must not be handed to the other vendor's compiler.
_CLANG_ONLY = ("-m", "-ffast", "-fno", "-ffp", "-fgpu", "-fcuda", "-funroll", "-ffinite", "-fslp", "-fvectorize")
_NOT_NVCC = ("-Oz", "-Og", "-dc")
# GPUs with instructions that only code for them alone may have (`sm_90a`).
_WITH_OWN_INSTRUCTIONS = ("sm_90", "sm_100", "sm_120")
_LONGEST = 300


class Unit(NamedTuple):
    """A file and how it is compiled. read_as: the path of the copy that is compiled in its place. moved: a folder,
    and the copy of all of it that include folders lead to instead.
    """

    command: CompileCommand
    read_as: str | None = None
    moved: tuple[str, str] | None = None

    @property
    def source(self) -> str:
        """The file that the compiler reads."""
        return self.read_as or self.command.path

    def there(self, path: str) -> str:
        """Where a file or folder is in the copy."""
        return path if self.moved is None else _exchanged(path, *self.moved)

    def original(self, path: str) -> str:
        """Of a path in the copy the one that the user knows."""
        if path == self.read_as:
            return self.command.path
        return path if self.moved is None else _exchanged(path, *reversed(self.moved))


def _exchanged(path: str, old: str, new: str) -> str:
    return new + path[len(old) :] if path == old or path.startswith(old.rstrip(os.sep) + os.sep) else path


class Compiled(NamedTuple):
    """The rows of a compilation, and the files that the compiler read for it."""

    reading: Reading
    dependencies: tuple[str, ...] = ()


def measured(unit: Unit, target: str, tools: Toolchain, seconds: float) -> Reading:
    """Rows of a file's kernels on a target, or a problem that says why there are none."""
    return compiled(unit, target, tools, seconds).reading


def compiled(unit: Unit, target: str, tools: Toolchain, seconds: float) -> Compiled:
    """The same, with the files that it depends on."""
    from tempfile import TemporaryDirectory

    vendor, name = architecture(target).vendor, shown(unit.command.path)
    compiler = tools.of(vendor)
    if compiler is None:
        wanted = {"amd": "hipcc or clang++", "nvidia": "nvcc"}.get(vendor, "ocloc")
        return Compiled(Reading((), (f"no compiler for {target} on PATH ({wanted})",)))
    with TemporaryDirectory(prefix="regpress-measure-") as folder:
        out = os.path.join(folder, "out")
        try:
            ended = _ended(unit, target, compiler, out, folder, tools, seconds)
        except OSError as error:
            return Compiled(Reading((), (f"{name}: {compiler} cannot be run: {error.strerror}",)))
        if ended.status != 0:
            why = f"not done after {seconds:g} s" if ended.status is None else cause(ended.words)
            return Compiled(Reading((), (f"{name}: does not compile for {target}: {why}",)))
        parts = [read(ended.words.encode(), name, (target,)).rows]
        if os.path.exists(out):
            with open(out, "rb") as stream:
                parts.append(read(stream.read(), name, (target,)).rows)
        dependencies = _dependencies(f"{out}.d", folder)
    rows = [row._replace(unit=name, target=target) for part in parts for row in part]
    return Compiled(Reading(tuple(row._replace(path=_own(row.path, unit)) for row in merged(rows))), dependencies)


def _dependencies(path: str, folder: str) -> tuple[str, ...]:
    """Files of a rule of make, as compilers write it, without those of the private folder."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:
            text = stream.read()
    except OSError:
        return ()
    words = text.partition(": ")[2].replace("\\\n", " ").replace("\\ ", "\0").split()
    paths = (word.replace("\0", " ") for word in words)
    return tuple(dict.fromkeys(word for word in paths if os.path.isabs(word) and not word.startswith(folder + os.sep)))


def _ended(
    unit: Unit, target: str, compiler: str, out: str, folder: str, tools: Toolchain, seconds: float
) -> processes.Ended:
    make = command_of(target)
    if make is cuda_command and tools.assembler is not None:
        return _assembled(unit, target, compiler, tools.assembler, out, folder, tools, seconds)
    words = make(compiler, unit, target, out)
    if make is hip_command:
        words = hip_command(compiler, unit, target, out, _device_libraries(compiler, target, folder, tools))
    ended = processes.run(words, folder, tools.path, seconds, tools.without)
    if ended.status and target in _WITH_OWN_INSTRUCTIONS:
        ended = processes.run(
            cuda_command(compiler, unit, f"{target}a", out), folder, tools.path, seconds, tools.without
        )
    return ended


_READS = pattern(r"current version is '(\d+\.\d+)'")
_VERSION = pattern(r"^\.version [\d.]+$", re.MULTILINE)


def _assembled(
    unit: Unit, target: str, compiler: str, assembler: str, out: str, folder: str, tools: Toolchain, seconds: float
) -> processes.Ended:
    """PTX by nvcc, assembled by another ptxas. One that is older than nvcc refuses the version of the PTX and names its
    own: with that it assembles the PTX, unless it lacks an instruction.
    """
    ptx = os.path.join(folder, "unit.ptx")
    words = cuda_command(compiler, unit, target, ptx)
    words[words.index("-cubin")] = "-ptx"
    ended = processes.run(words, folder, tools.path, seconds, tools.without)
    if ended.status and target in _WITH_OWN_INSTRUCTIONS:
        target = f"{target}a"
        words[words.index(f"-arch={target[:-1]}")] = f"-arch={target}"
        ended = processes.run(words, folder, tools.path, seconds, tools.without)
    if ended.status != 0:
        return ended
    most = unit.command.registers.max_registers
    second = [assembler, f"-arch={target}", "-v", *((f"-maxrregcount={most}",) if most else ()), ptx, "-o", out]
    if {"-dc", "-rdc=true"} & {*unit.command.codegen}:
        second.insert(1, "-c")
    ended = processes.run(second, folder, tools.path, seconds, tools.without)
    read_ = _READS.search(ended.words) if ended.status else None
    if read_ is None:
        return ended
    with open(ptx, encoding="utf-8", errors="surrogateescape") as stream:
        text = stream.read()
    with open(ptx, "w", encoding="utf-8", errors="surrogateescape") as stream:
        stream.write(_VERSION.sub(f".version {read_[1]}", text, count=1))
    return processes.run(second, folder, tools.path, seconds, tools.without)


def _own(path: str | None, unit: Unit) -> str | None:
    """The path that the user knows, of a kernel in a copy."""
    return None if path is None else shown(unit.original(path))


def shown(path: str) -> str:
    """A path as the user may have written it: relative to the working folder if it is inside."""
    folder = os.getcwd()
    plain = os.path.relpath(path, folder) if path.startswith(folder.rstrip(os.sep) + os.sep) else path
    return plain.replace("\\", "/")


_OPENCL = ("-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa")


def hip_command(compiler: str, unit: Unit, target: str, out: str, libraries: Sequence[str] = ()) -> list[str]:
    """clang or hipcc, to assembly, with remarks on what every kernel takes; also of OpenCL C."""
    command = unit.command
    language: tuple[str, ...] = ("-x", "hip", f"--offload-arch={target}", "--cuda-device-only")
    if is_opencl_name(unit.source):
        language = ("-x", "cl", *_OPENCL, f"-mcpu={target}")
    return [
        *(compiler, *language, "-S", "-o", out, "-w"),
        *("-MD", "-MF", f"{out}.d"),
        *(() if any(word.startswith("-O") for word in command.codegen) else ("-O3",)),
        *libraries,
        *_shared(unit, INCLUDE_OPTIONS),
        *(word for word in command.codegen if word.startswith(("-O", "-f", "-m", "-g"))),
        *((f"--gpu-max-threads-per-block={command.registers.max_threads}",) if command.registers.max_threads else ()),
        "-Rpass-analysis=kernel-resource-usage",
        # hipcc puts libraries behind what it is given.
        *(() if os.path.basename(compiler).startswith("hipcc") else ("--",)),
        unit.source,
    ]


def cuda_command(compiler: str, unit: Unit, target: str, out: str) -> list[str]:
    """nvcc, to a cubin, with what ptxas says of every kernel."""
    command = unit.command
    folders = {"quote": "-I", "normal": "-I", "system": "-isystem", "after": "-isystem"}
    codegen = [word for word in command.codegen if not word.startswith(_CLANG_ONLY) and word not in _NOT_NVCC]
    return [
        *(compiler, "-x", "cu", f"-arch={target}", "-cubin", "-o", out, "-w", "-Xptxas", "-v"),
        *("-MD", "-MF", f"{out}.d"),
        *_shared(unit, folders),
        *codegen,
        *(("-rdc=true",) if "-dc" in command.codegen else ()),
        *((f"-maxrregcount={command.registers.max_registers}",) if command.registers.max_registers else ()),
        unit.source,
    ]


def intel_command(compiler: str, unit: Unit, target: str, out: str) -> list[str]:
    """ocloc, to a device binary; it takes OpenCL C."""
    command = unit.command
    words = [f"-D{name}={body}" for name, body in command.macros if body is not None]
    words += [f"-I{folder.path}" for folder in command.include_dirs]
    options = ["-options", " ".join(words)] if words else []
    device = {"dg2": "acm-g10", "xe2": "bmg", "xe3": "ptl"}.get(target, target)
    file = [compiler, "compile", "-file", unit.source, "-device", device, "--format", "zebin"]
    return [*file, "-output_no_suffix", "-output", out, *options]


_COMMANDS: Mapping[Vendor, Callable[[str, Unit, str, str], list[str]]] = {
    "amd": hip_command,
    "nvidia": cuda_command,
    "intel": intel_command,
}


def command_of(target: str) -> Callable[[str, Unit, str, str], list[str]]:
    """Build the command for a target from a compiler, a file, the target and the output's path."""
    return _COMMANDS[architecture(target).vendor]


def _shared(unit: Unit, folders: dict[str, str]) -> Iterator[str]:
    command = unit.command
    if command.standard:
        yield f"-std={command.standard}"
    # The file may have been copied: what stands beside it is found from where it was.
    yield from (folders["quote"], unit.there(os.path.dirname(command.path)))
    for folder in command.include_dirs:
        yield from (folders[folder.kind], unit.there(folder.path))
    for name, body in command.macros:
        yield f"-U{name}" if body is None else f"-D{name}={body}"
    for file in command.includes:
        yield from ("-include", unit.there(file))


def _device_libraries(compiler: str, target: str, folder: str, tools: Toolchain) -> tuple[str, ...]:
    """Options that a plain clang needs; hipcc and amdclang set them by default."""
    if not os.path.basename(compiler).startswith("clang"):
        return ()
    root, libraries = toolchains.hip_root(), toolchains.device_libs()
    if root is None or libraries is None:
        return ()
    name, text = toolchains.isa_module(target)
    if not os.path.isfile(os.path.join(libraries, name)):
        libraries = _completed(compiler, libraries, name, text, folder, tools)
    return (f"--rocm-path={root}", f"--rocm-device-lib-path={libraries}")


def _completed(compiler: str, libraries: str, name: str, text: str, folder: str, tools: Toolchain) -> str:
    """A folder with the device libraries and the module that they lack."""
    copy = os.path.join(folder, "libraries")
    os.mkdir(copy)
    for entry in os.listdir(libraries):
        if entry.endswith(".bc"):
            os.symlink(os.path.join(libraries, entry), os.path.join(copy, entry))
    source = os.path.join(folder, "isa.ll")
    with open(source, "w", encoding="ascii") as stream:
        stream.write(text)
    words = ("-x", "ir", "-c", "-emit-llvm", "-target", "amdgcn-amd-amdhsa", "-nogpulib", source)
    processes.run([compiler, *words, "-o", os.path.join(copy, name)], folder, tools.path, 60, tools.without)
    return copy


def cause(words: str) -> str:
    """The first error in a compiler's output, in one line."""
    lines = [line for line in words.splitlines() if "error" in line.lower()] or words.splitlines()[-1:]
    return " ".join(lines[0].split())[:_LONGEST] if lines else "no words"


_UNDECODABLE = (ValueError, TypeError, KeyError, RecursionError)
_FORM = (1, *Row._fields)  # of what is kept: another version of this program reads it otherwise


class Store(Protocol):
    """Where bytes are kept by a digest."""

    def recall(self, key: str) -> bytes | None:
        """The kept rows; None if there are none."""

    def keep(self, key: str, data: bytes) -> None:
        """Keep it, if that can be."""


class Kept:
    """Results in a store, None for none."""

    def __init__(self, store: Store | None) -> None:
        self._store = store

    def key(self, data: bytes, words: Iterable[str], compiler: str) -> str:
        """Name of a compilation."""
        try:
            status = os.stat(compiler)
            state = (compiler, status.st_size, status.st_mtime_ns)
        except OSError:
            state = (compiler, 0, 0)
        parts = (_FORM, tuple(words), state, tuple(header_folders().items()))
        return digest_of(repr(parts).encode("utf-8", "surrogatepass"), b"\0", data)

    def get(self, key: str) -> Reading | None:
        """The rows read then, unless a file that the compiler read has changed since."""
        data = None if self._store is None else self._store.recall(key)
        if data is None:
            return None
        try:
            entry = json.loads(data)
            if any(_state(path) != state for path, *state in entry["dependencies"]):
                return None
            return Reading(tuple(map(_row, entry["rows"])), tuple(entry["problems"]))
        except _UNDECODABLE:
            return None

    def put(self, key: str, done: Compiled) -> None:
        """Keep a result, unless it says too little about what it came from."""
        if self._store is None or not done.dependencies:
            return
        states = [[path, *_state(path)] for path in done.dependencies]
        content = {"rows": list(done.reading.rows), "problems": done.reading.problems, "dependencies": states}
        self._store.keep(key, json.dumps(content).encode("utf-8", "surrogatepass"))


def _state(path: str) -> list[int]:
    try:
        status = os.stat(path)
    except OSError:
        return [0, 0]
    return [status.st_size, status.st_mtime_ns]


def _row(values: list[Any]) -> Row:
    row = Row(*values)
    return row._replace(inputs=tuple(row.inputs))
