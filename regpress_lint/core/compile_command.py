"""How one file is compiled, as plain data: what `compilation` reads out of a build folder and everybody else uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.core.settings import Language

Kind = Literal["quote", "normal", "system", "after"]


class IncludeDir(NamedTuple):
    """A folder that headers are looked for in."""

    path: str
    kind: Kind


class RegisterOptions(NamedTuple):
    """The register options of a command, for all its kernels; None for an option that is not given.

    max_registers: of a thread (`-maxrregcount`), for kernels without launch bounds. max_threads: of the block that
    clang takes for granted without launch bounds (`--gpu-max-threads-per-block`). grf: the mode of Intel's registers,
    0 for the one that IGC chooses. wave: lanes of a wave of AMD's GPUs that have both (`-mwavefrontsize64`).
    """

    max_registers: int | None = None
    max_threads: int | None = None
    grf: int | None = None
    wave: int | None = None


NO_REGISTER_OPTIONS = RegisterOptions()


class CompileCommand(NamedTuple):
    """How one file is compiled, as far as we use it.

    path, directory: absolute and normalised.
    macros: in order; a body of None stands for `-U`.
    includes: forced includes, absolute if they exist from `directory`, else as written.
    targets: canonical names of the GPUs that we know, in order, each once, and for others the nearest of the family.
    unknown_targets: those others, with the GPUs that replace them.
    codegen: options that decide which code is generated for a GPU, for anyone who compiles the file.
    """

    path: str
    directory: str
    language: Language | None = None
    standard: str | None = None
    include_dirs: tuple[IncludeDir, ...] = ()
    macros: tuple[tuple[str, str | None], ...] = ()
    includes: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    registers: RegisterOptions = NO_REGISTER_OPTIONS
    codegen: tuple[str, ...] = ()
    unknown_targets: tuple[tuple[str, str], ...] = ()
