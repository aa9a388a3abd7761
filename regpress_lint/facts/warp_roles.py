"""Blocks and their warps: a kernel that runs as one block, and registers that warp groups exchange."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.constants import evaluate, evaluate_int
from regpress_lint.cpp.environment import Environment
from regpress_lint.cpp.syntax_tree import (
    Assembly,
    Assign,
    Binary,
    Block,
    Call,
    Case,
    Conditional,
    Constant,
    Declare,
    If,
    Jump,
    LambdaExpr,
    Loop,
    Name,
    Return,
    Switch,
    Unary,
    Unknown,
    Update,
)
from regpress_lint.cpp.traversal import children, nodes_of, walk
from regpress_lint.targets.costs import call_size
from regpress_lint.targets.occupancy import architecture
from regpress_lint.targets.occupancy.quantities import align_up
from regpress_lint.targets.vocabulary import gpu

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.syntax_tree import Expr, Function, Stmt, Variable
    from regpress_lint.facts.kernel import KernelFacts


# Whether a kernel runs as one block: then a GPU has nothing to fill, and what waves cost each other counts little.


_ACROSS = ("block", "grid", "global", "group", "rank", "smid", "atomic")  # in names of what differs between blocks
_PLAIN = frozenset(
    ("min", "max", "fmin", "fmax", "fminf", "fmaxf", "abs", "fabs", "fabsf", "sqrt", "sqrtf", "floor", "floorf", "ceil")
)
_PLAIN_BEGINNINGS = ("__shfl", "__sync", "make_")


def runs_as_one_block(facts: KernelFacts) -> bool:
    """True for a kernel of one block: as it is launched, or because its threads read nothing that differs between
    blocks, so that more blocks would repeat the same work. An unknown call or macro may read it.
    """
    kernel, launches = facts.kernel, facts.kernel.launches
    if launches and all(launch.blocks == 1 for launch in launches):
        return True
    if kernel.has_work_items or kernel.layer or any((launch.blocks or 1) > 1 for launch in launches):
        return False
    names = (node.name for node in nodes_of(kernel.function) if isinstance(node, Name))
    return any(name == "threadIdx" for name in names) and all(
        not any(_may_differ(facts, node) for node in nodes_of(function)) for function in facts.source.functions
    )


def _may_differ(facts: KernelFacts, node: object) -> bool:
    if isinstance(node, Name):
        if node.variable is not None or node.name in ("threadIdx", "blockDim"):
            return False
        return _tells_apart(node.name) or (node.name.isupper() and facts.source.environment.names(node.name) is None)
    if isinstance(node, Call):
        if _tells_apart(node.name):
            return True
        plain = node.name in _PLAIN or node.name.startswith(_PLAIN_BEGINNINGS) or call_size(node.name)
        return not plain and facts.callee_of(node) is None
    return isinstance(node, Unknown)


def _tells_apart(name: str) -> bool:
    return any(part in name.lower() for part in _ACROSS)


# Warp roles: registers that the warp groups of a block exchange with `setmaxnreg` (sm_90a and later).
#
# PTX ISA 9.0, `setmaxnreg`: a pool of registers belongs to the block. It begins with the launch's registers for each
# thread; `.dec` returns some to it, and `.inc` waits until enough are there. nvcc 13.0.88 (C7508) ignores both unless
# it knows what a thread begins with: it wants a second argument of `__launch_bounds__` that is not 0, `__maxnreg__`,
# or `-maxrregcount` for a kernel without bounds. Bounds with one argument are enough where the accumulators of a single
# `wgmma`, with what stands beside them, are more than half of the registers that such a block leaves to a thread.
# Measured with 4 to 128 accumulators under bounds of 128 to 1,024 threads: this explains all 55 answers, three of them
# foretold. Several products side by side do not add up.


WARP_GROUP = 128  # threads
_MARKS = (b"setmaxnreg", b"warpgroup_reg_")
_ASSEMBLY = pattern(r"setmaxnreg\.(?:inc|dec)\.sync\.aligned\.u32\s+(%?\w+)")
_CALLED = frozenset(("warpgroup_reg_alloc", "warpgroup_reg_dealloc", "setmaxnreg_inc", "setmaxnreg_dec"))
_NUMBER = pattern(r"n32_t\s*<([^<>]+)>")  # of cuda::ptx: the argument's type carries it
_IDENTITY = frozenset({"__shfl_sync", "__builtin_nontemporal_load"})
_DEEPEST = 6
_CANONICAL = {
    "canonical_warp_group_idx": WARP_GROUP,
    "canonical_warp_idx": 32,
    "canonical_warp_idx_sync": 32,
    "canonical_warp_idx_relaxed": 32,
}


class Role(NamedTuple):
    """One `setmaxnreg`. groups: how many warp groups of a block run it, None where the source does not settle that.
    span: where the kernel's own body runs it, in the file of the kernel's function. or_fewer: further counts, smaller
    than `registers`, where a condition that the source does not settle chooses (`kThreads == 128 ? 248 : 224`).
    """

    registers: int
    groups: int | None
    span: Span
    or_fewer: tuple[int, ...] = ()


class WarpRoles(NamedTuple):
    """Roles of a kernel. block: threads of it, None where no launch and no bounds settle them. ignored: True where
    nvcc does not know how many registers a thread begins with, and drops every `setmaxnreg`; None where unknown calls
    decide that.
    """

    roles: tuple[Role, ...]
    block: int | None
    ignored: bool | None

    @property
    def most(self) -> int:
        """Registers of the thread that has most of them."""
        return max(role.registers for role in self.roles)

    def wanted(self, begin: int) -> int | None:
        """Registers that the block wants once each role has its own, from `begin` of a thread; None if not settled."""
        if self.block is None or self.block % WARP_GROUP:
            return None
        if any(role.groups is None or role.or_fewer for role in self.roles):
            return None
        others = self.block // WARP_GROUP - sum(role.groups or 0 for role in self.roles)
        if others < 0:
            return None  # one group runs several, one after the other
        return WARP_GROUP * (others * begin + sum((role.groups or 0) * role.registers for role in self.roles))


def warp_roles(facts: KernelFacts) -> WarpRoles | None:
    """The roles of a kernel, None for one without any."""
    if facts.kernel.language != "cuda" or not _mentioned(facts):
        return None
    block = None if facts.launch.block_size_from == "assumed" else facts.launch.block_size
    roles = tuple(_Walk(facts, block).roles())
    if not roles or any(role.groups is None for role in roles):
        executed = _executed_roles(facts, block or WARP_GROUP)
        is_settled = block is not None and all(role.groups is not None for role in executed)
        roles = executed if is_settled or not roles else roles
    run = tuple(role for role in roles if role.groups != 0)  # of one instantiation: others may have the rest
    return WarpRoles(run, block, is_ignored(facts)) if run else None


_BESIDE = 26  # registers that nvcc keeps beside the accumulators of a `wgmma`


def is_ignored(facts: KernelFacts) -> bool | None:
    """Whether nvcc does not know how many registers the threads of a kernel begin with; None: not settled."""
    kernel, options = facts.kernel, facts.settings.registers
    bounds, limits = kernel.launch_bounds, kernel.register_limits
    if limits is not None and "__maxnreg__" in limits.text:
        return False
    if bounds is None:
        return options.max_registers is None
    if len(bounds.texts) > 1 and bounds.min_blocks != 0:
        return False
    name = _nvidia_target(facts)
    if name is None:
        return True
    execution, arch = facts.execution(name), architecture(name)
    if execution.widest_product:
        if bounds.max_threads is None:
            return None
        registers = align_up(execution.widest_product + _BESIDE, 8)
        if 2 * registers * bounds.max_threads > arch.regs_per_simd[32] * arch.modes[0].simds:
            return False
    return True if execution.complete and not execution.unresolved else None


def _executed_roles(facts: KernelFacts, block: int) -> tuple[Role, ...]:
    """Roles by an execution for the first thread of each warp group: this follows members of class templates. A
    branch around one of them that the thread's number does not settle leaves the number of groups open.
    """
    compiler = facts.compiler(_nvidia_target(facts) or "sm_90")
    by_group = [facts.executions.handed_over(compiler, thread) for thread in range(0, block, WARP_GROUP)]
    certain = facts.launch.block_size_from != "assumed" and all(
        hand_over.certain for handed in by_group for hand_over in handed
    )
    groups = Counter(hand_over for handed in by_group for hand_over in handed if hand_over.registers)
    return tuple(
        Role(hand_over.registers, number if certain else None, hand_over.at) for hand_over, number in groups.items()
    )


def _nvidia_target(facts: KernelFacts) -> str | None:
    return next((target for target in facts.targets if gpu(target).is_nvidia), None)


def _mentioned(facts: KernelFacts) -> bool:
    """True if the file, or a function that the kernel reaches, contains `setmaxnreg`."""
    if any(map(facts.file.source.mentions, _MARKS)):
        return True
    return any("setmaxnreg" in word.asked.word for word in facts.asked_of_gpu)


class _Walk:
    """Goes through a kernel with the conditions under which each statement runs."""

    def __init__(self, facts: KernelFacts, block: int | None) -> None:
        self._facts = facts
        self._groups = range(0, block or 0, WARP_GROUP)
        self._settled = block is not None
        self._known: dict[Function, bool] = {}
        self._at = 0  # where the test stands that is evaluated
        self._threads = [self._environment(first) for first in self._groups]

    def roles(self) -> Iterator[Role]:
        """Every `setmaxnreg` that the kernel reaches, in the order of the source."""
        yield from self._block(self._facts.kernel.function.body, (), {}, None, 0)

    def _environment(self, thread: int) -> Environment:
        """Constants as the first thread of a warp group sees them."""
        constants = self._facts.source.environment

        def names(name: str) -> Number | None:
            return thread if name == "threadIdx.x" else constants.names(name)

        def called(call: Call, arguments: Sequence[Number]) -> Number | None:
            if call.name in _CANONICAL:
                return thread // _CANONICAL[call.name]
            if call.name in _IDENTITY and len(arguments) > 1:
                return arguments[1]
            return constants.called(call, tuple(arguments)) if constants.called is not None else None

        return Environment(names, self._initialiser, constants.types, constants.loose, constants.alias, called)

    def _initialiser(self, variable: Variable) -> Expr | None:
        """A variable's value at a test: its initialiser, also of one that only later statements change."""
        expr = self._facts.source.environment.variable(variable)
        if expr is not None or variable.storage != "local" or variable.dims or variable.type.pointers:
            return expr
        return variable.init if self._at < self._changes.get(variable, 0) else None

    @cached_property
    def _changes(self) -> dict[Variable, int]:
        """Where a variable of the kernel's own body may first change: where it is written, where something may get a
        reference to it, or where the loop around that begins.
        """
        nodes = nodes_of(self._facts.kernel.function)
        loops = [node.span for node in nodes if isinstance(node, Loop)]
        changes: dict[Variable, int] = {}
        for node in nodes:
            for variable in filter(None, (access.variable for access in _changed(node))):
                around = (loop.start for loop in loops if loop.contains(node.span))
                starts = (start for start in around if variable.span.start < start)
                at = min((node.span.start, *starts))
                changes[variable] = min(at, changes.get(variable, at))
        return changes

    def _block(self, node: Stmt | Expr, tests: _Tests, bound: _Bound, at: Span | None, depth: int) -> Iterator[Role]:
        if isinstance(node, If):
            yield from self._each(node.init, tests, bound, at, depth)
            yield from self._block(node.then, (*tests, (node.test, True)), bound, at, depth)
            if node.other is not None:
                yield from self._block(node.other, (*tests, (node.test, False)), bound, at, depth)
        elif isinstance(node, Switch):
            yield from self._switch(node, tests, bound, at, depth)
        elif isinstance(node, Block):
            yield from self._each(node.statements, tests, bound, at, depth)
        elif isinstance(node, Assembly):
            yield from self._assembly(node, tests, bound, at)
        elif isinstance(node, Call):
            yield from self._call(node, tests, bound, at, depth)
        else:
            yield from self._each(children(node), tests, bound, at, depth)

    def _switch(self, node: Switch, tests: _Tests, bound: _Bound, at: Span | None, depth: int) -> Iterator[Role]:
        """The values of a label: its own, and those of labels before it that fall through."""
        cases = [expr for expr in walk(node.body) if isinstance(expr, Case)]
        equal = {case: Binary(case.span, "==", node.subject, case.value) for case in cases if case.value is not None}
        others: Expr = Constant(node.span, 1, "int")
        for test in equal.values():
            others = Binary(node.span, "&&", others, Unary(node.span, "!", test))
        falling: Expr | None = None
        for case in cases:
            own: Expr = equal.get(case, others)
            if falling is not None:
                own = Binary(case.span, "||", falling, own)
            yield from self._each(case.statements, (*tests, (own, True)), bound, at, depth)
            falling = None if _ends(case.statements) else own

    def _each(
        self, nodes: Sequence[Stmt | Expr], tests: _Tests, bound: _Bound, at: Span | None, depth: int
    ) -> Iterator[Role]:
        """Each statement in turn: the code after `if (a) { ...; return; }` runs where `a` is false."""
        for node in nodes:
            yield from self._block(node, tests, bound, at, depth)
            if isinstance(node, If) and node.other is None and _leaves(node.then):
                tests = (*tests, (node.test, False))

    def _assembly(self, node: Assembly, tests: _Tests, bound: _Bound, at: Span | None) -> Iterator[Role]:
        match = _ASSEMBLY.search(node.text or "")
        if match is None:
            return
        written = match[1]
        if written.isdigit():
            registers = {int(written)}
        else:
            place = written.removeprefix("%")
            operands = (*node.outputs, *node.inputs)
            named = next((operand for operand in operands if operand.name and operand.name in place), None)
            if named is None and place.isdigit() and int(place) < len(operands):
                named = operands[int(place)]
            registers = self._values(named.value, bound) if named is not None else set()
        yield from self._role(registers, tests, at or node.span)

    def _call(self, node: Call, tests: _Tests, bound: _Bound, at: Span | None, depth: int) -> Iterator[Role]:
        yield from self._each(node.args, tests, bound, at, depth)
        place, target = at or node.span, self._facts.callee_of(node)
        last = node.name.rpartition("::")[2]
        if last in _CALLED and (target is None or not node.args):
            texts = [*node.template_args]
            for argument in node.args:
                typed = getattr(argument, "callee", None) or argument
                shown = typed.name if isinstance(typed, Name) else ""
                texts += [*getattr(typed, "template_args", ()), *(digits.strip() for digits in _NUMBER.findall(shown))]
            spelled = (self._spelled(text, bound, node.span) for text in texts)
            if registers := next(filter(None, spelled), set()):
                yield from self._role(registers, tests, place)
                return
        if target is not None and depth < _DEEPEST and self._hands_over(target, depth):
            names = (parameter.name for parameter in target.template)
            arguments = zip(names, node.template_args, strict=False)
            inner = {name: values for name, text in arguments if (values := self._spelled(text, bound, node.span))}
            yield from self._block(target.body, tests, inner, place, depth + 1)

    def _hands_over(self, function: Function, depth: int) -> bool:
        """True if a function or one of its callees contains `setmaxnreg`: only these are searched by path."""
        if function not in self._known:
            self._known[function] = False  # of one that calls itself
            self._known[function] = any(
                "setmaxnreg" in (node.text or "")
                if isinstance(node, Assembly)
                else isinstance(node, Call)
                and (
                    node.name.rpartition("::")[2] in _CALLED
                    or (
                        depth < _DEEPEST
                        and (target := self._facts.callee_of(node)) is not None
                        and self._hands_over(target, depth + 1)
                    )
                )
                for node in nodes_of(function)
            )
        return self._known[function]

    def _role(self, registers: set[int], tests: _Tests, at: Span) -> Iterator[Role]:
        *fewer, most = sorted(registers) or (0,)
        if most:
            yield Role(most, self._count(tests), at, tuple(fewer))

    def _spelled(self, text: str, bound: _Bound, at: Span) -> set[int]:
        """A template argument as written at a place: a number, a parameter, a constant of the function or file."""
        if text.isdigit():
            return {int(text)}
        if text in bound:
            return bound[text]
        declared = self._declared(text, at)
        return self._values(self._facts.file.expression(text) if declared is None else declared, bound)

    def _declared(self, name: str, at: Span) -> Expr | None:
        """The initialiser of the last local variable of a name before a place."""
        declared: Variable | None = None
        for function in self._facts.source.functions:
            if function.span.contains(at):
                for node in nodes_of(function):
                    for variable in node.variables if isinstance(node, Declare) else ():
                        if variable.name == name and variable.span.start < at.start and variable.init is not None:
                            declared = variable
        return declared.init if declared is not None else None

    def _values(self, expr: Expr | None, bound: _Bound) -> set[int]:
        """What an expression may be: one number, none where that is not settled, or those of both branches of a
        condition that is not (DeepGEMM's `kNumMathThreads == 128 ? 248 : 224`, by a template parameter).
        """
        if isinstance(expr, Name) and expr.name in bound:
            return bound[expr.name]
        if (value := evaluate_int(expr, self._facts.source.environment)) is not None:
            return {value}
        if isinstance(expr, Name) and expr.variable is not None:
            expr = self._facts.source.environment.variable(expr.variable)
        if not isinstance(expr, Conditional):
            return set()
        then, otherwise = self._values(expr.then, bound), self._values(expr.other, bound)
        return then | otherwise if then and otherwise else set()

    def _count(self, tests: _Tests) -> int | None:
        """Warp groups for which all tests hold."""
        if not self._settled:
            return None
        number = 0
        for thread in self._threads:
            values = [(self._outcome(test, thread), wanted) for test, wanted in tests]
            if any(value is not None and bool(value) is not wanted for value, wanted in values):
                continue
            if any(value is None for value, _ in values):
                return None
            number += 1
        return number

    def _outcome(self, test: Expr, thread: Environment) -> Number | None:
        self._at = test.span.start
        return evaluate(test, thread)


_Tests = tuple[tuple["Expr", bool], ...]
_Bound = dict[str, set[int]]  # what a template parameter of a function on the way may be


def _changed(node: Stmt | Expr) -> Iterator[Name]:
    """Names of variables that a node itself may write, or pass by reference."""
    if isinstance(node, Assign):
        below: Sequence[Stmt | Expr] = (node.target,)
    elif isinstance(node, Declare):
        below = [variable.init for variable in node.variables if variable.type.reference and variable.init is not None]
    elif isinstance(node, (Update, Call, LambdaExpr, Unknown)) or (isinstance(node, Unary) and node.op == "&"):
        below = children(node)
    else:
        below = ()
    yield from (expr for expr in below if isinstance(expr, Name))


def _ends(nodes: Sequence[Stmt]) -> bool:
    """True for statements of a label that do not go on with those of the next one."""
    if not nodes:
        return False
    last = nodes[-1]
    return _ends(last.statements) if isinstance(last, Block) else isinstance(last, (Jump, Return))


def _leaves(node: Stmt) -> bool:
    """True for a branch that ends the kernel."""
    if isinstance(node, Block):
        return bool(node.statements) and _leaves(node.statements[-1])
    return isinstance(node, Return)
