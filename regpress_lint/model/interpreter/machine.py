"""State of one symbolic execution: variables, memory, its place in the program, and its notes."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.running import checkpoint
from regpress_lint.core.source import Span
from regpress_lint.core.uncertainty import Unknown
from regpress_lint.cpp.constants import evaluate_int
from regpress_lint.cpp.names.name_index import CONVERSIONS
from regpress_lint.cpp.syntax_tree import BOUND, Binary, Call, Index, Member, Name, Unary
from regpress_lint.cpp.types import dereference
from regpress_lint.cpp.typing_rules import expression_type
from regpress_lint.model.graph.objects import Dynamic, ElementNote, Gone, Join, is_dynamic
from regpress_lint.model.graph.ops import LEFT, Kind as Operation
from regpress_lint.model.graph.values import (
    BOOL,
    FLOAT,
    POINTER,
    SIGNED,
    UNSIGNED,
    Form,
    Graph,
    Region,
    Site,
    TooManyValuesError,
    made_form,
)
from regpress_lint.model.interpreter import journal
from regpress_lint.model.interpreter.array_pointers import Pointed
from regpress_lint.model.interpreter.journal import Frame, Jumps, Known, Left, MemoryState, Tally, WrittenLaterError
from regpress_lint.model.interpreter.member_calls import called_operator, has_operator, own, subscript_of
from regpress_lint.targets.loop_plan import may_give_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.core.uncertainty import Kind, Opens
    from regpress_lint.cpp.constants import Environment
    from regpress_lint.cpp.syntax_tree import Expr, Function, LambdaExpr, Loop, Stmt, Type, Variable
    from regpress_lint.model.graph.objects import Indexed, Path, Placement, ReadOnce, Value
    from regpress_lint.model.graph.ops import Op
    from regpress_lint.model.interpreter.journal import Mark, Variables
    from regpress_lint.program.model import File
    from regpress_lint.source.arrays import PrivateArray
    from regpress_lint.targets.compilers.traits import Compiler


# Expressions, statements and macros: half a second for one compiler. The largest kernels that are executed whole have
# 36,000, copies of loops included; a statement may be as long as its author likes.
MAX_WORK = 45_000
# A kernel of CuTe meets something that is not known two thousand times on its way to `MAX_WORK`; its estimate is open
# long before. Of 392 executions for HeCBench the most is 140.
_FEW_UNKNOWNS = 256
_STEPS_OF_AN_UNKNOWN = 64
MAX_INLINED = 16  # functions within each other
_MOST_REPEATED = 44  # with those that are within themselves
_STEPS_OF_A_CALL = 8
_STEPS_AT_A_TIME = 64  # some ten milliseconds
_HALF_BYTES = 2
SPACES = ("global", "shared")  # what other threads see
# Operations that give a constant if all operands are constants.
_COMPUTED = frozenset((Operation.ARITHMETIC, Operation.CONVERSION, Operation.SELECT, Operation.BITS, Operation.ADDRESS))


class MisplacedError(Exception):
    """Arrays or objects that were begun in registers are indexed so that they are certainly in memory."""

    def __init__(self, variables: frozenset[Variable], work: int) -> None:
        super().__init__(", ".join(sorted(variable.name for variable in variables)))
        self.variables = variables
        self.work = work


class Watch(NamedTuple):
    """Arrays in registers that one run-time index takes to memory, whatever else the kernel does. until: `work`
    after which it no longer pays to begin again. object: whether such an access also takes an object there.
    """

    arrays: frozenset[Variable] = frozenset()
    until: int = 0
    object: Callable[[Indexed], bool] | None = None


_element_note = partial(tuple.__new__, ElementNote)  # a third of the time, for thousands of accesses


class Inputs(NamedTuple):
    """An execution's input from the kernel.

    file: where macros, types, methods and templates are looked up. environment: constants as the compiler sees them.
    bound_threads: that a block has at most by the kernel's launch bounds. read_once: what executions of the kernel have
    read of its source. callee_of: the definition of a called device function. array_of: a private array as the source
    shows it. thread: `threadIdx.x`, for an execution that follows one thread.
    """

    file: File
    environment: Environment
    bound_threads: int | None
    read_once: ReadOnce
    callee_of: Callable[[Call], Function | None]
    array_of: Callable[[Variable], PrivateArray | None]
    thread: int | None = None


# What an iteration adds to an index: a counter and what it is multiplied by, by their numbers.
Stride: TypeAlias = "tuple[int, ...]"


def _has_conversions(inputs: Inputs) -> bool:
    """Whether any class in view converts its objects."""
    known = inputs.read_once.operators
    if CONVERSIONS not in known:
        known[CONVERSIONS] = inputs.file.has_operator(CONVERSIONS)
    return known[CONVERSIONS]


class Machine:
    """One execution. `evaluate`, `execute` and `called`, the type of a call of a known function, are given by `trace`,
    which knows all parts of the syntax.
    """

    def __init__(
        self,
        inputs: Inputs,
        compiler: Compiler,
        evaluate: Callable[[Machine, Expr], Value],
        execute: Callable[[Machine, Stmt], None],
        called: Callable[[Machine, Call | Binary], Type | None],
        arrays: Placement,
        watch: Watch,
    ) -> None:
        self.in_memory, self.filled_by_loops = arrays
        self._watch = watch
        self.uniform: frozenset[Variable] = frozenset()  # arrays in registers once for all threads of a wave
        # Arrays in registers that were written at a run-time index before each element had a value.
        self.begun_in_part: set[Variable] = set()
        # Writes to elements of private arrays: how many there were, and the last one to each array.
        self.element_writes = 0
        self.last_write: dict[Variable, int] = {}
        self.inputs = inputs
        self.file = inputs.file
        self.read_once = inputs.read_once
        self.converts = _has_conversions(inputs)
        self.compiler = compiler
        self.vendor = compiler.vendor
        self._evaluate = evaluate
        self._execute = execute
        self._called = called
        self.graph = Graph()
        self.undefined = self.graph.source("undefined", made_form(0, SIGNED))
        self.top = self.region = Region()
        # private objects
        self.variables: dict[Variable, Value] = {}
        self.owner: object = object()
        self.names: dict[str, Variable] = {}
        # Keys into `COSTS` of calls and divisions, with their block, or their loop where they branch.
        self.routines: dict[int, tuple[str, int | Region]] = {}
        self.constants: dict[str, int | float] = {}
        self.filled: list[tuple[dict[Path, Value], Path]] = []  # parts that were read from where their whole is from
        self.references: set[Variable] = set()
        self.carry: int | None = None  # what the last instruction of PTX left over
        self.handed_on: set[Variable] = set()  # of which more may be read and written than `tally.elements` says
        self.pointed = Pointed()
        self.this: Expr | None = None
        self.packs: dict[Variable, tuple[Variable, ...]] = {}  # parameters of executed templates with their elements
        self.deduced: dict[Variable, Type] = {}  # what `auto` is of a lambda's parameters
        self.number_packs: dict[str, tuple[int, ...]] = {}  # and template parameters: `I` of `index_sequence<I...>`
        # For `conservation`: expression statements that were executed, and expressions that wrote private objects, each
        # with the function that it stands in.
        self.reached: dict[tuple[Stmt, Site | None], None] = {}
        self.private_writes: dict[tuple[Expr | Stmt, Site | None], None] = {}
        self.home = inputs.file.path  # the file of the kernel's function, and where that begins
        self.start = Span(0, 0)
        self.league: Expr | None = None  # the team of Kokkos that the block works on
        self.end: int | None = None  # byte offset of the kernel's end if the file itself defines it
        # control flow
        self.block = self._blocks = 0
        self.block_of: dict[int, int] = {}
        self.joins: dict[int, Join] = {}  # values that begin where the sides of a branch meet
        self.begun: dict[tuple[str, tuple[int, ...], Region], int] = {}  # first parts of routines
        self.again: list[Region] = []  # loops that ptxas may copy again: with a counter of 32 bits, a constant step
        self.around_gone: dict[Loop, int] = {}  # copies of loops that stay, around others that are gone
        # loops: values that move on by a constant, and addresses that are made of such
        self.counters: set[int] = set()
        self.copied: set[int] = set()  # what loops carry that a compiler copies, and this execution does not
        self.inductions: dict[tuple[Region, tuple[int | None, ...]], int] = {}
        # The index that the others of a loop with the same start and stride are made of: see `addresses`.
        self.strides: dict[tuple[Region, int, Stride], tuple[int | None, int]] = {}
        self.left_at: dict[int, Left] = {}  # paths that are left, by the `id` of their state
        self.frame = Frame()
        self.jumps: list[Jumps] = []
        self.copying: list[Loop] = []  # loops around that copies of their bodies replace
        self.active: list[Function | LambdaExpr] = []
        self.expanding = 0
        self.in_lanes = False  # in a loop of vectors, behind its first lane
        self.guards = 0  # branches that decide whether what comes now is executed at all
        self.under: tuple[int, ...] = ()  # their conditions, and those of the loops around that stay
        self.declared_under: dict[Variable, tuple[int, ...]] = {}  # of arrays
        # Spans: False inside of a macro's body, which has none in a file; where each lambda stands.
        self.placed = True
        self.site_of: dict[LambdaExpr, Site | None] = {}
        self.last_condition: int | None = None
        self._element: object = None  # of a private array, that was read or written last
        self.at: Span | None = None  # the subscript that was evaluated last
        self._steps = self.evaluated = 0
        self._most_steps = MAX_WORK
        self._in_vain: set[Variable] = set()  # arrays and objects with registers here, and none by the compiler
        self.spent = 0  # `work` of this execution and of those before it that found out where arrays are
        # Reads in front of loops, with the outermost of these and the one that makes them.
        self.hoisted: dict[int, tuple[Region, Region]] = {}
        self.memory = MemoryState()
        self.tally = Tally()
        self.known = Known()

    # ------------------------------------------------------------------------------------------------ execution

    def evaluate(self, expr: Expr) -> Value:
        """Value of an expression, its effects included."""
        return self._evaluate(self, expr)

    def execute(self, statement: Stmt) -> None:
        """Execute a statement, unless control cannot reach it. Raises TooManyOperationsError in a trial."""
        if not self.frame.dead:
            self.tally.check()
            self.step()
            self._execute(self, statement)

    def check_ahead(self) -> None:
        """Raises WrittenLaterError where the innermost loop that stays has written what was read in front of it. In a
        trial of copies in it nothing is raised: what that has read in front goes again with it.
        """
        region, state = self.region, self.memory
        if state.epoch > region.checked and len(self.copying) == region.trials:
            since, region.checked = region.checked, state.epoch
            if state.wrote(since, region.ahead):
                raise WrittenLaterError

    @property
    def work(self) -> int:
        """Expressions and statements that were executed, trials included: some 20 us each."""
        return self.evaluated + self._steps

    def step(self) -> None:
        """Count what is executed: calls that double on every level make no end. Raises TooManyValuesError."""
        self._spend(1)
        if self._steps % _STEPS_AT_A_TIME == 0:
            checkpoint()

    def _spend(self, steps: int) -> None:
        self._steps += steps
        if self._steps > self._most_steps or self._steps + self.evaluated > MAX_WORK:
            raise MisplacedError(frozenset(self._in_vain), self.work) if self._in_vain else TooManyValuesError

    def enter(self) -> None:
        """Count the call of a known function as the statements that it takes as long as."""
        self._steps += _STEPS_OF_A_CALL

    def touch(self, variable: Variable, path: Path, *, noted: bool = True) -> None:
        """An access to an element of a private array: an instruction, and one for the address if it is new. noted:
        whether it needs the array.
        """
        size = (1 if (variable, path) == self._element else 2) + self.compiler.unrolling.element
        self.tally.size += size
        if variable not in self.in_memory:
            self.tally.touched += size
        self._element = (variable, path)
        if self.at is not None and noted:
            moving = is_dynamic(path)
            self.tally.elements.append(_element_note((variable, self.at, moving, path, False, self.region)))
            if moving:
                if variable in self._watch.arrays and self.work < self._watch.until:
                    self._misplaced(variable, self._steps // 8)
                self.pointed.touched(self.graph, variable, path, self.at.start)

    def note_indexed(self, access: Indexed) -> None:
        """Remember an access at a run-time index to a private object that is no array."""
        self.tally.indexed.append(access)
        takes, variable = self._watch.object, access.variable
        if takes is None or variable in self.in_memory or self.work >= self._watch.until:
            return
        if not may_give_up(len(self.graph)) and takes(access):  # else it may be a constant in copies that are not made
            self._misplaced(variable, self._steps)

    def _misplaced(self, variable: Variable, further: int) -> None:
        """An array is in memory after all. The next ones are seen soon, as a rule, and one new beginning does for all:
        so many steps the execution goes on.
        """
        self._most_steps = min(self._most_steps, self._steps + _STEPS_OF_A_CALL + further)
        self._in_vain.add(variable)

    def settle_elements(self, since: int) -> None:
        """Of the accesses noted since then, those at indices that are constants in every copy of the loops that a
        compiler copies and this execution does not (`copied`) are no longer dynamic.
        """
        notes, answers = self.tally.elements, dict.fromkeys(self.copied, True)
        for number in range(since, len(notes)):
            note = notes[number]
            moving = [key.value for key in note.path if isinstance(key, Dynamic)]
            if note.dynamic and all(self._is_settled(value, answers) for value in moving):
                notes[number] = note._replace(dynamic=False)

    def _is_settled(self, value: int, answers: dict[int, bool]) -> bool:
        """Whether a value consists of constants and of values that `answers` knows to be settled."""
        graph, pending = self.graph, [value]
        while pending:
            last = pending[-1]
            if last in answers:
                pending.pop()
                continue
            operands = graph.args[last]
            if graph.constants[last] is not None or graph.ops[last].kind not in _COMPUTED:
                answers[last] = graph.constants[last] is not None
                continue
            unknown = [operand for operand in operands if operand not in answers]
            pending += unknown
            if not unknown:
                answers[last] = all(answers[operand] for operand in operands)
        return answers[value]

    def known_int(self, expr: Expr | None) -> int | None:
        """A whole number that is settled before the kernel runs: by the file, or by the template arguments of the
        function that is executed.
        """
        if expr is None:
            return None
        numbers = self.read_once.numbers
        if expr not in numbers:
            numbers[expr] = evaluate_int(expr, self.inputs.environment)
        known = numbers[expr]
        if known is None:
            value = self.evaluate(expr)
            constant = self.graph.constants[value] if isinstance(value, int) else None
            known = constant if isinstance(constant, int) else None
        return known

    def effect(
        self, op: Op, args: tuple[int, ...] = (), form: Form = BOOL, *, divergent: bool = False, extra: int = 0
    ) -> int:
        """A value that must stay in place: a store, a barrier, a read."""
        number = self.graph.add(op, args, form, self.loop_region(), divergent=divergent, extra=extra)
        self.block_of[number] = self.block
        self.region.items.append(number)
        return number

    def effect_in(self, region: Region, op: Op, args: tuple[int, ...], form: Form, *, divergent: bool) -> int:
        """The same in a region around, in front of the loops that are executed now."""
        if region is self.region:
            return self.effect(op, args, form, divergent=divergent)
        home = region if region.parent is not None else None
        number = self.graph.add(op, args, form, home, divergent=divergent)
        before = region.items[-1] if region.items else None
        self.block_of[number] = self.block_of[before] if isinstance(before, int) else self.block_apart()
        region.items.append(number)
        return number

    def unknown(
        self, kind: Kind, name: str, span: Span | None, text: str, opens: Opens = "up", at_most: int | None = None
    ) -> None:
        """Note what cannot be modelled, see `Unknown`. Code in a macro's body is noted at its use."""
        site, at = self.graph.site, self.graph.at
        if span is None or not self.placed:
            span = at.span if at is not None else self.start
        self.tally.unknowns.append(Unknown(kind, name, site.path if site else self.home, span, text, opens, at_most))
        if len(self.tally.unknowns) > _FEW_UNKNOWNS:
            self._spend(_STEPS_OF_AN_UNKNOWN)

    def new_block(self) -> None:
        """A branch, a label or a barrier: reads do not move across."""
        self._blocks += 1
        self.block = self._blocks

    def block_apart(self) -> int:
        """A block of its own for code in front of a loop, though it is executed in it."""
        self._blocks += 1
        return self._blocks

    @property
    def is_deep(self) -> bool:
        """Whether so many functions are executed within each other that no further one is. `run<I + 1, N>` within
        `run<I, N>` is one of them, however often: compilers write such a chain as a loop.
        """
        active = self.active
        if len(active) < MAX_INLINED:
            return False
        bodies = {(getattr(node, "path", ""), node.body.span.start) for node in active}
        return len(active) >= _MOST_REPEATED or len(bodies) >= MAX_INLINED

    def loop_region(self) -> Region | None:
        """The innermost loop; None outside of all."""
        return self.region if self.region.parent is not None else None

    def free_of(self, home: Region | None) -> Region | None:
        """The outermost loop that something executed now cannot leave: `home`, in which its operands change, or an
        inner one in which a branch decides about it.

        No compiler reads in front of a loop what the loop may never read: the address may be invalid.
        """
        region, guards = self.loop_region(), self.guards
        while region is not None and region is not home and region.guards == guards:
            guards, above = region.guards, region.parent
            region = above if above is not None and above.parent is not None else None
        return home if region is None else region

    def own(self) -> None:
        """Copy state that is shared with another branch before it is changed."""
        self.owner = object()

    def fork(self) -> dict[Variable, Value]:
        """The variables as they are; later changes do not show in it."""
        self.own()
        return dict(self.variables)

    def leave(self) -> Variables:
        """The variables where a path is left, which `arithmetic.left_behind` makes stand here if others meet it."""
        state = self.fork()
        self.left_at[id(state)] = Left(state, self.effect(LEFT), self.tally.loops_kept)
        return state

    def gone(self, state: Variables | None, *, second: bool) -> Gone | None:
        """What is known of a path that was left in a state; None if what it leaves has registers of its own."""
        found = self.left_at.get(id(state))
        if self.compiler.exits_apart and (found is None or found.loops != self.tally.loops_kept):
            return None
        return Gone(second, found.at if found is not None else None)

    def note_routine(self, number: int, key: str, *, of_loop: bool = False) -> None:
        """Remember of which routine a new value is, and in which block it is called first; of one that branches, and so
        ends its block, in which loop.
        """
        if self.graph.extra[number]:
            where: int | Region = self.region if of_loop else self.block
            self.routines.setdefault(number, (key, where))

    def mark(self) -> Mark:
        """The state now, for `rewind`."""
        return journal.mark(self)

    def rewind(self, mark: Mark) -> None:
        """As if nothing had been executed since the mark."""
        journal.rewind(self, mark)

    def close(self) -> None:
        """The execution has ended: only the graph and the state that queries need stay in memory."""
        self.graph.close()
        self.memory.close()
        self.known = Known()
        self.names, self.inductions, self.strides = {}, {}, {}
        self.filled.clear()

    # ----------------------------------------------------------------------------------------------------- types

    def type_of(self, expr: Expr) -> Type | None:
        """Type of an expression, worked out once."""
        types = self.read_once.types
        try:
            type_ = types[expr]
        except KeyError:
            type_ = types[expr] = expression_type(expr, self.file.type_of)
        if type_ is None and self.this is not None:
            whole = own(self, expr)
            if whole is not expr:
                return self.type_of(whole)
        if type_ is None and expr.__class__ is Call:
            return self._called_type(expr)
        if expr.__class__ is Binary and (type_ is None or type_.struct or type_.lanes > 1 or self._has_object(expr)):
            return self._called_type(expr) or type_  # of an operator that a program defines
        if type_ is None and expr.__class__ is Index:
            return self._element_type(expr)
        if type_ is None and expr.__class__ is Member:
            return self._member_type(expr)
        if type_ is None and expr.__class__ is Name:
            return self._inferred(expr.variable) if expr.variable is not None else self._of_object(expr.name)
        if type_ is None and expr.__class__ is Unary and expr.op == "*":
            called = called_operator(self, expr.operand, "operator*")
            return self.type_of(called) if called is not None else None
        return type_

    def _of_object(self, name: str) -> Type | None:
        made = self.file.constant_object(name)
        return self.file.type_of(made.type_name) if made is not None else None

    def _inferred(self, variable: Variable | None) -> Type | None:
        """The type of `auto row = m[i]`, where a known `operator[]` returns an object, of `auto row = f(i)`, and of an
        argument that a lambda takes as `auto`.
        """
        if variable is not None and variable in self.deduced:
            return self.deduced[variable]
        init = variable.init if variable is not None else None
        if init.__class__ is Name and init.variable is None:
            return self._of_object(init.name)
        if init.__class__ is Call:
            this, self.this = self.this, None if _is_part_of(self.this, variable) else self.this
            type_ = self.type_of(init)
            self.this = this
            return type_ if type_ is not None and (type_.struct or init.name == BOUND) else None
        if not isinstance(init, Index) or subscript_of(self, init) is None:
            return None
        return self.type_of(init)

    def _element_type(self, expr: Index) -> Type | None:
        """The type of an element, by an operator or of an array in an object whose type only this execution knows."""
        called = subscript_of(self, expr)
        if called is not None:
            return self.type_of(called)
        base = self.type_of(expr.base) if expr.base.__class__ in (Index, Member) else None
        return dereference(base) if base is not None and base.pointers else None

    def _member_type(self, expr: Member) -> Type | None:
        """The type of a member of an object whose own type only this execution knows."""
        base = self.type_of(expr.base) if expr.base.__class__ in (Call, Index, Member, Name, Unary) else None
        if base is None or not base.struct or base.pointers:
            return None
        if expr.arrow and (called := called_operator(self, expr.base, "operator->")) is not None:
            base = self.type_of(called) or base
        type_ = self.file.type_of(f"{base.name}::{expr.field}")
        if type_ is not None and not expr.arrow and self._is_declared(expr.base, base):
            self.read_once.types[expr] = type_
        return type_

    def _is_declared(self, base: Expr, type_: Type) -> bool:
        """Whether an object's declaration says its type, so that it is the same in every call."""
        return base.__class__ is Name and base.variable is not None and self.read_once.types.get(base) is type_

    def _has_object(self, expr: Binary) -> bool:
        """Whether a call in a chain of operations gives an object of a class, which the source alone does not tell:
        `2 * m.column(i)` is no number.
        """
        if not has_operator(self, f"operator{expr.op}"):
            return False
        operands: list[Expr] = []
        node: Expr = expr
        while isinstance(node, Binary):
            operands.append(node.right)
            node = node.left
        types = (self.type_of(each) for each in (*operands, node) if each.__class__ is Call)
        return any(type_ is not None and type_.struct and not type_.pointers for type_ in types)

    def _called_type(self, expr: Call | Binary) -> Type | None:
        """The result type of a known function or operator, of a template with the types of this call."""
        key = (expr, self.this, tuple(self.constants.items()))
        if key not in self.known.called_types:
            self.known.called_types[key] = None  # of a call that needs its own type to be resolved
            self.known.called_types[key] = self._called(self, expr)
        return self.known.called_types[key]

    def branch_condition(self) -> int:
        """The condition that decides which state holds where several paths meet."""
        if self.last_condition is not None:
            return self.last_condition
        return self.graph.source("path", BOOL)


def _is_part_of(this: Expr | None, variable: Variable | None) -> bool:
    """Whether the object of a member function is a variable, or a part of it: what made it was called outside."""
    while isinstance(this, (Member, Index)):
        this = this.base
    return isinstance(this, Name) and this.variable is variable


@lru_cache(maxsize=1024)  # a run has few types, and asks for each assignment
def form_of(type_: Type | None) -> Form:
    """Registers and kind of a value of a type; of one component of a vector. An unknown type counts as a float."""
    if type_ is None:
        return made_form(1, FLOAT)
    if type_.pointers or (type_.reference and not type_.size):
        return made_form(2, POINTER)
    if type_.name == "bool":
        return BOOL
    size = type_.size
    if size is None:
        return made_form(2 if type_.struct else 1, FLOAT)
    if type_.lanes > 1:
        size //= type_.lanes
    # Small integers become `int` wherever something is done with them.
    kind = FLOAT if type_.floating else SIGNED if type_.signed or size < 4 else UNSIGNED
    return made_form((size + 3) // 4 or 1, kind)


def lane_forms(type_: Type) -> tuple[Form, ...]:
    """Registers and kind of each component of a vector. Of 16-bit floats two share a register: `half2` is one value to
    every instruction that works on it (`test_packed_halves.py`).
    """
    form, lanes = form_of(type_), type_.lanes
    if not type_.floating or type_.size != _HALF_BYTES * lanes:
        return (form,) * lanes
    return tuple(form if lane % 2 == 0 else made_form(0, FLOAT) for lane in range(lanes))


def is_object(type_: Type) -> bool:
    """Whether it has parts: structs and vectors, no pointers to them."""
    return (type_.struct or type_.lanes > 1) and not type_.pointers
