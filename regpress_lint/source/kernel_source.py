"""The known source of one kernel: declarations, calls, loops, reads and writes of its functions. It is not executed for
them, and they are the same for every compiler.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from regpress_lint.cpp.environment import Environment, local_initialiser, with_values
from regpress_lint.cpp.syntax_tree import Call, Function, LambdaExpr, Name, Variable
from regpress_lint.cpp.typing_rules import expression_type, types_within
from regpress_lint.source.array_search import private_arrays
from regpress_lint.source.arrays import Lookups
from regpress_lint.source.loop_facts import LoopFacts, loop_facts
from regpress_lint.source.reached_calls import callee, member_callee, reachable, template_types
from regpress_lint.source.walk import walk
from regpress_lint.targets.builtins import GROUP_TYPE, GROUPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.cpp.environment import Number
    from regpress_lint.program.file import File
    from regpress_lint.program.model import Kernel
    from regpress_lint.source.arrays import PrivateArray
    from regpress_lint.source.cfg import Flow
    from regpress_lint.source.memory_accesses import FunctionMemory


_MOST_REACHED = 200  # functions that are asked what they need


def _takes_nothing(variable: Variable) -> bool:
    """True for a reference (an `atomic_ref` is one), for a lambda, and for a name of a group of threads:
    `auto warp = item.get_sub_group();`.
    """
    value = variable.init
    if variable.type.reference or isinstance(value, LambdaExpr) or GROUP_TYPE.fullmatch(variable.type.name):
        return True
    if "atomic_ref<" in variable.type.name:
        return True
    return isinstance(value, Call) and value.name in GROUPS


class KernelSource:
    """The source of one kernel. Each answer is worked out on first use, and once. It knows of no GPU, no settings and
    no launch.
    """

    def __init__(self, file: File, kernel: Kernel) -> None:
        self.file = file
        self.kernel = kernel
        self._flows: dict[Function, Flow] = {}
        self._changed: set[Variable] = set()  # `modified` of all flows
        self._memory: dict[Function, FunctionMemory] = {}
        self._callees: dict[Call, Function | None] = {}
        self._members: dict[Call, Function | None] = {}
        self._loops: dict[Function, tuple[LoopFacts, ...]] = {}

    # ------------------------------------------------------------------------------------------------- functions

    def flow_of(self, function: Function) -> Flow:
        """Flow graph of the kernel's function or of a device function."""
        flow = self._flows.get(function)
        if flow is None:
            flow = self._flows[function] = walk(function, self.file.type_of)
            self._changed |= flow.modified
        return flow

    def memory_of(self, function: Function) -> FunctionMemory:
        """Reads and writes of memory in the kernel's function or in a device function."""
        memory = self._memory.get(function)
        if memory is None:
            from regpress_lint.source.memory_accesses import FunctionMemory

            memory = self._memory[function] = FunctionMemory(self.flow_of(function), self.file.type_of)
        return memory

    # ----------------------------------------------------------------------------------------------------- calls

    def callee_of(self, call: Call) -> Function | None:
        """Definition of a called device function if it is known."""
        callees = self._callees
        if call not in callees:
            callees[call] = callee(call, self.file)
        return callees[call]

    def any_callee_of(self, call: Call) -> Function | None:
        """Definition of a device function, or of a member function: arrays in either are arrays of the kernel."""
        callees = self._members
        if call not in callees:
            callees[call] = self.callee_of(call) or member_callee(call, self.file)
        return callees[call]

    @cached_property
    def reached(self) -> tuple[Function, ...]:
        """The kernel's function and those that are called from it, at whatever depth."""
        reached = dict.fromkeys((self.kernel.function,))
        for function in (pending := [*reached]):
            for record in self.flow_of(function).calls:
                target = self.callee_of(record.call) if len(reached) <= _MOST_REACHED else None
                if target is not None and target not in reached:
                    reached[target] = None
                    pending.append(target)
        return tuple(reached)

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """The kernel's function and the device functions that `reachable` enters: no deeper than inlining goes."""
        sites = reachable(self.kernel.function, self.flow_of, lambda _: (), self.callee_of)
        called = (self.callee_of(site.call) for site in sites)
        return tuple(dict.fromkeys((self.kernel.function, *(function for function in called if function is not None))))

    @property
    def calls_functions(self) -> bool:
        """Whether a function that is not inlined is called."""
        return any("noinline" in function.qualifiers for function in self.functions[1:])

    @cached_property
    def forms(self) -> Mapping[Function, tuple[Function, ...]]:
        """The functions that the kernel reaches, each as its calls mean it: a template's with the types that they give,
        as far as the text says them.
        """
        kernel, file = self.kernel.function, self.file
        known_forms: dict[Function, dict[Function, None]] = {kernel: {kernel: None}}
        pending = [kernel]
        for form in pending:
            type_of = partial(expression_type, types=types_within(form, file.type_of))
            for record in self.flow_of(form).calls:
                target = self.callee_of(record.call)
                if target is None or len(pending) > _MOST_REACHED:
                    continue
                bound = template_types(target, record.call, type_of, lambda _: False) if target.template else {}
                meant, forms = file.specialised(target, bound) if bound else target, known_forms.setdefault(target, {})
                if meant not in forms:
                    forms[meant] = None
                    pending.append(meant)
        return {function: tuple(forms) for function, forms in known_forms.items()}

    # ------------------------------------------------------------------------------------------------- variables

    @cached_property
    def environment(self) -> Environment:
        """Constants as the compiler sees them in this kernel: template arguments, and locals that never change.

        Every function that is reached is walked before the first answer, which must not depend on earlier queries.
        """
        bindings: Mapping[str, Number] = self.kernel.bindings
        file, constant = self.file, self.file.constant

        def names(name: str) -> Number | None:
            return bindings[name] if name in bindings else constant(with_values(name, bindings))

        if self.reached:
            self._changed |= self.modified
        initialiser = partial(local_initialiser, self._changed)
        return Environment(
            names if bindings else constant, initialiser, file.type_of, alias=file.macro, called=file.called
        )

    @cached_property
    def modified(self) -> frozenset[Variable]:
        """Variables assigned after their declaration, or whose address or reference is taken."""
        flow = self.flow_of(self.kernel.function)
        return frozenset(flow.modified | self._by_reference(flow))

    def _by_reference(self, flow: Flow) -> set[Variable]:
        variables: set[Variable] = set()
        for record in flow.calls:
            names = [argument for argument in record.call.args if isinstance(argument, Name) and argument.variable]
            if not names or (target := self.callee_of(record.call)) is None:
                continue
            for argument, parameter in zip(record.call.args, target.parameters, strict=False):
                type_ = parameter.type
                if type_.reference and not type_.const and isinstance(argument, Name) and argument.variable:
                    variables.add(argument.variable)
        return variables

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """All automatic variables declared in the body, in source order."""
        declared = self.flow_of(self.kernel.function).declared
        return tuple(variable for variable in declared if variable.storage in ("local", "constexpr"))

    @cached_property
    def named_at(self) -> dict[Variable, list[int]]:
        """Where each local variable of the kernel's body is named, in order."""
        offsets: dict[Variable, list[int]] = {}
        for name in self.flow_of(self.kernel.function).names:
            if name.variable is not None and name.variable.storage == "local":
                offsets.setdefault(name.variable, []).append(name.span.start)
        for places in offsets.values():
            places.sort()
        return offsets

    @property
    def untyped(self) -> tuple[Variable, ...]:
        """Variables of which a value may be live and whose type the known source does not give; the execution gives
        one to `auto v` of a loop over an object.
        """
        return tuple(v for v in self._unsized if v.type.size is None)

    @cached_property
    def _unsized(self) -> tuple[Variable, ...]:
        unsized = (v for v in self.variables if v.type.size is None and not v.type.pointers)
        return tuple(v for v in unsized if not _takes_nothing(v))

    # ------------------------------------------------------------------------------------------ loops and arrays

    def loops_of(self, function: Function) -> tuple[LoopFacts, ...]:
        """Loops of a function as the syntax tree shows them, before anything is executed."""
        loops = self._loops.get(function)
        if loops is None:
            loops = self._loops[function] = loop_facts(self.flow_of(function), self.environment)
        return loops

    @property
    def loops(self) -> tuple[LoopFacts, ...]:
        """Loops of the kernel's body as the source shows them, without an execution."""
        return self.loops_of(self.kernel.function)

    @cached_property
    def arrays(self) -> tuple[PrivateArray, ...]:
        """Automatic arrays as the syntax tree shows them: which indices are constants only an execution knows."""
        lookups = Lookups(self.flow_of, self.loops_of, self.any_callee_of, self.environment, self.file.is_linked)
        return private_arrays(self.kernel.function, lookups)
