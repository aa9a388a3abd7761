"""Settings of a run: plain frozen data, made by `regpress_lint.config` or by a caller of the Python interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.core.compile_command import NO_REGISTER_OPTIONS
from regpress_lint.core.device_words import NO_WORDS, DeviceWords
from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.core.compile_command import CompileCommand, RegisterOptions
    from regpress_lint.core.measured import Row

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


class Settings(NamedTuple):
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
        own = self._replace(registers=command.registers)
        if self.architectures or not command.targets:
            return own
        return own._replace(architectures=command.targets, one_binary=len(command.targets) > 1)

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
