"""What the source says of one kernel: what its functions declare, call, read and write. Nothing is executed for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Severity
from regpress_lint.cpp.constants import Environment, const_initialiser
from regpress_lint.cpp.syntax_tree import Call, Expr, Function, LambdaExpr, Name, Variable
from regpress_lint.facts.served import Unserved, explicit_simd, unserved
from regpress_lint.ir.read_once import ReadOnce
from regpress_lint.source_level.live_variables import Liveness, liveness
from regpress_lint.source_level.reached_calls import CallSite, callee, reachable
from regpress_lint.source_level.walk import walk
from regpress_lint.targets.builtins import GROUP_TYPE, GROUPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.names.gpu_words import Word
    from regpress_lint.program.model import File, Kernel
    from regpress_lint.source_level.flow import Flow
    from regpress_lint.source_level.loop_facts import LoopFacts
    from regpress_lint.source_level.memory_accesses import FunctionMemory
    from regpress_lint.source_level.uniform import Uniform

_MOST_REACHED = 200  # functions that are asked what they need


def _takes_nothing(variable: Variable) -> bool:
    """True for a reference, for a lambda, and for a name of a group of threads: `auto warp = item.get_sub_group();`."""
    made = variable.init
    if variable.type.reference or isinstance(made, LambdaExpr) or GROUP_TYPE.fullmatch(variable.type.name):
        return True
    return isinstance(made, Call) and made.name in GROUPS


class SourceFacts(ABC):
    """The part of `KernelFacts` that the syntax trees answer. Each answer is worked out on first use, and once."""

    def __init__(self, file: File, kernel: Kernel, settings: Settings) -> None:
        self.file = file
        self.kernel = kernel
        self.settings = settings
        self._flows: dict[Function, Flow] = {}
        self._changed: set[Variable] = set()  # `modified` of all flows
        self._live: dict[Function, Liveness] = {}
        self._memory: dict[Function, FunctionMemory] = {}
        self._uniform: dict[tuple[Function, frozenset[Variable]], Uniform] = {}
        self._callees: dict[Call, Function | None] = {}

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
        return tuple(word for function in self._reached for word in self.file.asked_of_gpu(function))

    @cached_property
    def _reached(self) -> tuple[Function, ...]:
        """The kernel's function and those that are called from it, at whatever depth."""
        reached = dict.fromkeys((self.kernel.function,))
        for function in (pending := [*reached]):
            for record in self.flow_of(function).calls:
                target = self.callee_of(record.call) if len(reached) <= _MOST_REACHED else None
                if target is not None and target not in reached:
                    reached[target] = None
                    pending.append(target)
        return tuple(reached)

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

    def flow_of(self, function: Function) -> Flow:
        """Flow graph of the kernel's function or of a device function."""
        found = self._flows.get(function)
        if found is None:
            found = self._flows[function] = walk(function, self.file.type_of)
            self._changed |= found.modified
        return found

    def liveness_of(self, function: Function) -> Liveness:
        """Live variables of the kernel's function or of a device function."""
        found = self._live.get(function)
        if found is None:
            found = self._live[function] = liveness(self.flow_of(function))
        return found

    @abstractmethod
    def loops_of(self, function: Function) -> tuple[LoopFacts, ...]:
        """Loops of the kernel's function or of a device function, as the compiler for the first target sees them."""

    def memory_of(self, function: Function) -> FunctionMemory:
        """Reads and writes of memory in the kernel's function or in a device function."""
        found = self._memory.get(function)
        if found is None:
            from regpress_lint.source_level.memory_accesses import FunctionMemory

            found = self._memory[function] = FunctionMemory(self.flow_of(function), self.file.type_of)
        return found

    def uniform(self, held: frozenset[Variable] = frozenset(), function: Function | None = None) -> Uniform:
        """Which expressions of a function (the kernel's, if none is named) are the same for all threads of a wave, if
        the variables `held` are.
        """
        here = self.kernel.function if function is None else function
        found = self._uniform.get((here, held))
        if found is None:
            from regpress_lint.source_level.uniform import Uniform

            flow = self.flow_of(here)
            bits = sum(flow.bits.get(variable, 0) for variable in held)
            kernel = here is self.kernel.function
            found = self._uniform[here, held] = Uniform(flow, self._same_for_all, bits, kernel=kernel)
        return found

    def _same_for_all(self, name: str) -> bool:
        """True for a name that stands for a constant, also for one whose value is not in view."""
        template = self.kernel.function.template
        return self.environment.names(name) is not None or any(each.name == name for each in template)

    def callee_of(self, call: Call) -> Function | None:
        """Definition of a called device function if it is in view."""
        callees = self._callees
        if call not in callees:
            callees[call] = callee(call, self.file)
        return callees[call]

    @cached_property
    def calls(self) -> tuple[CallSite, ...]:
        """All calls reachable from the kernel."""
        return tuple(reachable(self.kernel.function, self.flow_of, self.loops_of, self.callee_of))

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """The kernel's function and the device functions that it reaches."""
        called = (self.callee_of(site.call) for site in self.calls)
        return tuple(dict.fromkeys((self.kernel.function, *(function for function in called if function is not None))))

    @cached_property
    def read_once(self) -> ReadOnce:
        """What executions of the kernel have read of its source."""
        return ReadOnce()

    @cached_property
    def environment(self) -> Environment:
        """Constants as the compiler sees them in this kernel: template arguments, and locals that never change."""
        bindings: Mapping[str, Number] = self.kernel.bindings
        constant = self.file.constant

        def names(name: str) -> Number | None:
            return bindings[name] if name in bindings else constant(name)

        file = self.file
        return Environment(names if bindings else constant, self._initialiser, file.type_of, called=file.called)

    def _initialiser(self, variable: Variable) -> Expr | None:
        if variable.storage == "local" and not variable.dims and variable.init is not None:
            if variable.type.pointers or self._is_modified(variable):
                return None
            return variable.init
        return const_initialiser(variable) if variable.storage != "parameter" else None

    def _is_modified(self, variable: Variable) -> bool:
        """`modified`, for variables of every function that is reached: all are walked before the first answer, which
        may not hang on what was asked before.
        """
        return bool(self._reached) and (variable in self._changed or variable in self.modified)

    @cached_property
    def modified(self) -> frozenset[Variable]:
        """Variables assigned after their declaration, or whose address or reference is taken."""
        flow = self.flow_of(self.kernel.function)
        return frozenset(flow.modified | self._by_reference(flow))

    def _by_reference(self, flow: Flow) -> set[Variable]:
        found: set[Variable] = set()
        for record in flow.calls:
            names = [argument for argument in record.call.args if isinstance(argument, Name) and argument.variable]
            if not names or (target := self.callee_of(record.call)) is None:
                continue
            for argument, parameter in zip(record.call.args, target.parameters, strict=False):
                type_ = parameter.type
                if type_.reference and not type_.const and isinstance(argument, Name) and argument.variable:
                    found.add(argument.variable)
        return found

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """All automatic variables declared in the body, in source order."""
        declared = self.flow_of(self.kernel.function).declared
        return tuple(variable for variable in declared if variable.storage in ("local", "constexpr"))

    @cached_property
    def named_at(self) -> dict[Variable, list[int]]:
        """Where each local variable of the kernel's body is named, in order."""
        found: dict[Variable, list[int]] = {}
        for name in self.flow_of(self.kernel.function).names:
            if name.variable is not None and name.variable.storage == "local":
                found.setdefault(name.variable, []).append(name.span.start)
        for places in found.values():
            places.sort()
        return found

    @cached_property
    def unknown_types(self) -> bool:
        """True if a value that may be live has a type whose size the source in view does not give."""
        return bool(self.untyped)

    @cached_property
    def untyped(self) -> tuple[Variable, ...]:
        """Variables of which a value may be live and whose type the source in view does not give."""
        unsized = (v for v in self.variables if v.type.size is None and not v.type.pointers)
        return tuple(v for v in unsized if not _takes_nothing(v))
