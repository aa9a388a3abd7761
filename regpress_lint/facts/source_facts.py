"""What the source says of one kernel (`KernelSource`), and for which targets it counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Severity
from regpress_lint.facts.served import Unserved, explicit_simd, unserved
from regpress_lint.source_level.kernel_source import KernelSource
from regpress_lint.source_level.reached_calls import CallSite, reachable

if TYPE_CHECKING:
    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.constants import Environment
    from regpress_lint.cpp.names.gpu_words import Word
    from regpress_lint.cpp.syntax_tree import Function, Variable
    from regpress_lint.program.model import File, Kernel
    from regpress_lint.source_level.loop_facts import LoopFacts


class SourceFacts(ABC):
    """The part of `KernelFacts` that the syntax trees answer. Each answer is worked out on first use, and once."""

    def __init__(self, file: File, kernel: Kernel, settings: Settings) -> None:
        self.file = file
        self.kernel = kernel
        self.settings = settings
        self.source = source = KernelSource(file, kernel)
        self.flow_of = source.flow_of
        self.liveness_of = source.liveness_of
        self.memory_of = source.memory_of
        self.uniform = source.uniform
        self.callee_of = source.callee_of

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """Names of the architectures that count for this kernel: of those for its language the ones that its source can
        be compiled for.
        """
        return tuple(name for name in self.chosen_targets if self.unserved(name) is None)

    @property
    def chosen_targets(self) -> tuple[str, ...]:
        """Names of the architectures that the run is for, also of those that the source cannot be compiled for."""
        return self.settings.targets(self.kernel.language)

    def unserved(self, name: str) -> Unserved | None:
        """Why the source cannot be compiled for an architecture, or nothing can be said of it there; None where it can,
        as far as it says.
        """
        if self.kernel.explicit_simd:
            return explicit_simd(self.kernel, name)
        return unserved(self.asked_of_gpu, name)

    @cached_property
    def asked_of_gpu(self) -> tuple[Word, ...]:
        """What the source asks of a GPU, in the kernel and in the functions that it reaches."""
        return tuple(word for function in self.source.reached for word in self.file.asked_of_gpu(function))

    @property
    def wants_hints(self) -> bool:
        """True if hints may be shown, so that it is worth to work out what can be no more than one."""
        chosen = self.settings.select or self.settings.extend_select
        return bool(chosen) or self.settings.threshold is Severity.HINT

    @property
    def hints_count(self) -> bool:
        """True if hints may be shown, made more severe, or what a suppression is for: else nobody will hear of one."""
        data = self.file.source.data
        ordered = any(word in data for word in (b"regpress:", b"regpress-lint:", b"NOLINT"))
        return self.wants_hints or bool(self.settings.severities) or ordered

    @abstractmethod
    def loops_of(self, function: Function) -> tuple[LoopFacts, ...]:
        """Loops of the kernel's function or of a device function, as the compiler for the first target sees them."""

    @cached_property
    def calls(self) -> tuple[CallSite, ...]:
        """All calls reachable from the kernel."""
        return tuple(reachable(self.kernel.function, self.flow_of, self.loops_of, self.callee_of))

    @property
    def functions(self) -> tuple[Function, ...]:
        """The kernel's function and the device functions that it reaches."""
        return self.source.functions

    @cached_property
    def environment(self) -> Environment:
        """Constants as the compiler sees them in this kernel: template arguments, and locals that never change."""
        return self.source.environment

    @property
    def modified(self) -> frozenset[Variable]:
        """Variables assigned after their declaration, or whose address or reference is taken."""
        return self.source.modified

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All automatic variables declared in the body, in source order."""
        return self.source.variables

    @property
    def named_at(self) -> dict[Variable, list[int]]:
        """Where each local variable of the kernel's body is named, in order."""
        return self.source.named_at

    @property
    def unknown_types(self) -> bool:
        """True if a value that may be live has a type whose size the source in view does not give."""
        return bool(self.untyped)

    @property
    def untyped(self) -> tuple[Variable, ...]:
        """Variables of which a value may be live and whose type the source in view does not give."""
        return self.source.untyped
