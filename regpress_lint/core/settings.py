"""Settings of a file: what the user chose, how the file is compiled (plain data, which `compilation` reads out of a
build folder), and words of a project's own by which its kernels are found.
"""

from __future__ import annotations

from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.named import Literal, NamedTuple, dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from regpress_lint.core.measured import Row


class DeviceWords(NamedTuple):
    """macros: the left side of a `#define` (`MY_KERNEL(name)`) and its replacement, where no known header
    defines it. launches: last or qualified names of functions that run what they are given on the device, with the
    threads of a block that it is compiled for, 0 for none. defined: macros as `-D` would define them, with their
    parameters if they have some; None for one that is not defined whatever the build says.
    """

    macros: Mapping[str, str] = {}
    launches: Mapping[str, int] = {}
    defined: Mapping[str, str | None] = {}

    @property
    def seen(self) -> tuple[bytes, ...]:
        """A word of each: files without them hold nothing of the kind."""
        macros = (name.partition("(")[0] for name in self.macros)
        return tuple(word.rpartition("::")[2].encode() for word in (*macros, *self.launches))

    def defines(self) -> bytes:
        """The macros as lines of a header."""
        return "".join(f"#define {name} {text}\n" for name, text in self.macros.items()).encode()


def unknown(value: Any) -> bool:
    """True for text that is not the name of a macro or a function."""
    return not isinstance(value, str) or not value.partition("(")[0].replace("::", "_").strip().isidentifier()


def as_defined(text: str) -> tuple[str, str]:
    """`NAME=VALUE` or `NAME`, which compilers take for `NAME=1`."""
    name, equals, value = text.partition("=")
    return name.strip(), value.strip() if equals else "1"


NO_WORDS = DeviceWords()


Kind = Literal["quote", "normal", "system", "after"]


# Options of clang for a folder of headers.
INCLUDE_OPTIONS = {"quote": "-iquote", "normal": "-I", "system": "-isystem", "after": "-idirafter"}


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

    def with_macros(self, defines: Iterable[tuple[str, str | None]]) -> CompileCommand:
        """The command with macros behind its own; a body of None ends one."""
        return self._replace(macros=(*self.macros, *defines))


Language = Literal["cuda", "hip", "sycl", "opencl"]
Profile = Literal["default", "strict"]
Semantic = Literal["auto", "off", "on"]

_NONE: Mapping[str, tuple[str, ...]] = {}
_NO_MACROS: Mapping[str, str] = {}
_NO_DEFINES: Mapping[str, str | None] = {}
_NO_LAUNCHES: Mapping[str, int] = {}
_AS_FOUND: Mapping[str, Severity] = {}
DEFAULT_TARGETS: Mapping[Language, tuple[str, ...]] = {
    "hip": ("gfx90a",),
    "cuda": ("sm_90",),
    "sycl": ("pvc",),
    "opencl": ("pvc", "gfx90a"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Everything that decides the reported findings of a file.

    architectures: canonical target names that hold for every file; empty means the default of the file's language.
    select: codes, prefixes or names that are on; empty means all rules. `extend_select` adds, `ignore` removes.
    per_file_ignores: glob -> selectors that are off for the files it matches.
    severities: selector -> severity of all findings of the rules that it means; the most exact selector counts.
    kernel_macros, launch_functions: the project's own macros that mark kernels, with their replacement, and functions
    that launch their argument, with the threads of a block that it is compiled for.
    defines: macros as a compiler's `-D` defines them, over what the build says; None for one that is not defined.
    budgets: pattern of kernel names -> what `targets.budgets.parse` reads.
    assumed_block_size: threads per block where neither a launch nor launch bounds say it.
    low_occupancy: fraction of the maximum at which, and below which, RP105 speaks.
    block_size_gain: fraction of waves, or of work per wave, that RP106 wants another block size to gain.
    named_dirs: those of `include_dirs` that the command line names: they are also read outside of the project.
    semantic: whether libclang answers questions that the source alone leaves open; `auto`: with compile commands.
    build_dir: absolute path of a build folder or of its `compile_commands.json`; None for no compile commands.
    baseline: absolute path of the file of findings that are known; None for none, or for one that is looked for.
    semantic_seconds: how long libclang may take for one file.
    one_binary: the architectures are those that a build serves with the same launches, not those that a developer tunes
    for: advice that holds for one of them only is worth nothing. Set by `compiled_for`.
    registers: what the options of the file's command say about registers. Set by `compiled_for`.
    measured: what compilers allocated, in the place of estimates.
    ignore_suppressions: comments in the source silence nothing, for an audit.
    timed: seconds per rule are counted, in `Report.extra["seconds"]`.
    """

    architectures: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = _NONE
    severities: Mapping[str, Severity] = _AS_FOUND
    kernel_macros: Mapping[str, str] = _NO_MACROS
    launch_functions: Mapping[str, int] = _NO_LAUNCHES
    defines: Mapping[str, str | None] = _NO_DEFINES
    budgets: Mapping[str, tuple[str, ...]] = _NONE
    profile: Profile = "default"
    min_severity: Severity | None = None
    fail_on: Severity = Severity.WARNING
    exclude: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    named_dirs: tuple[str, ...] = ()
    assumed_block_size: int = 256
    low_occupancy: float = 0.25
    block_size_gain: float = 0.25
    max_file_bytes: int = 4 * 1024 * 1024
    semantic: Semantic = "auto"
    build_dir: str | None = None
    baseline: str | None = None
    semantic_seconds: float = 10
    one_binary: bool = False
    registers: RegisterOptions = NO_REGISTER_OPTIONS
    measured: tuple[Row, ...] = ()
    ignore_suppressions: bool = False
    timed: bool = False

    def targets(self, language: Language) -> tuple[str, ...]:
        """Architecture names that count for a file of this language."""
        return self.architectures or DEFAULT_TARGETS[language]

    def compiled_for(self, command: CompileCommand | None) -> Settings:
        """These settings for a file that is compiled by a command: its GPUs count unless others are chosen, and what
        its options say about registers.
        """
        if command is None:
            return self
        settings = replace(self, registers=command.registers)
        if self.architectures or not command.targets:
            return settings
        return replace(settings, architectures=command.targets, one_binary=len(command.targets) > 1)

    def is_low(self, fraction: float) -> bool:
        """True for an occupancy that is low: `low_occupancy` itself is."""
        return fraction <= self.low_occupancy

    @property
    def words(self) -> DeviceWords:
        """The project's own words of kernels."""
        if not self.kernel_macros and not self.launch_functions and not self.defines:
            return NO_WORDS
        return DeviceWords(self.kernel_macros, self.launch_functions, self.defines)

    @property
    def threshold(self) -> Severity:
        """Lowest severity that is shown for rules that were not selected by their own code or name."""
        if self.min_severity is not None:
            return self.min_severity
        return Severity.HINT if self.profile == "strict" else Severity.INFO
