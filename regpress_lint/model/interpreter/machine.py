"""State of one symbolic execution: variables, memory, its place in the program, and its notes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.core.running import checkpoint
from regpress_lint.core.uncertainty import Unknown
from regpress_lint.cpp.constants import evaluate_int
from regpress_lint.cpp.environment import with_values, within_class
from regpress_lint.cpp.names.name_index import CONVERSIONS
from regpress_lint.cpp.syntax_tree import Function
from regpress_lint.model.graph.objects import Dynamic, ElementNote, Gone, Join, is_dynamic
from regpress_lint.model.graph.ops import LEFT, Kind as Operation
from regpress_lint.model.graph.values import BOOL, SIGNED, Form, Graph, Region, Site, TooManyValuesError, made_form
from regpress_lint.model.interpreter import expression_types, journal
from regpress_lint.model.interpreter.array_pointers import Point
from regpress_lint.model.interpreter.state import (
    ArrayUse,
    Bindings,
    Frame,
    Home,
    Inputs,
    Known,
    Left,
    LoopState,
    MemoryState,
    Tally,
    Watch,
    WrittenLaterError,
)
from regpress_lint.targets.loop_plan import may_give_up

if TYPE_CHECKING:
    from regpress_lint.core.source import Span
    from regpress_lint.core.uncertainty import Kind, Opens
    from regpress_lint.cpp.environment import Environment
    from regpress_lint.cpp.syntax_tree import Binary, Call, Expr, LambdaExpr, Stmt, Type, Variable
    from regpress_lint.model.graph.objects import Indexed, Path, Placement, Value
    from regpress_lint.model.graph.ops import Op
    from regpress_lint.model.interpreter.journal import Mark
    from regpress_lint.model.interpreter.state import Variables
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
SPACES = ("global", "shared")  # what other threads see
# Operations that give a constant if all operands are constants.
_COMPUTED = frozenset((Operation.ARITHMETIC, Operation.CONVERSION, Operation.SELECT, Operation.BITS, Operation.ADDRESS))


class MisplacedError(Exception):
    """Arrays or objects that were begun in registers are indexed so that they are certainly in memory."""

    def __init__(self, variables: frozenset[Variable], work: int) -> None:
        super().__init__(", ".join(sorted(variable.name for variable in variables)))
        self.variables = variables
        self.work = work


_element_note = partial(tuple.__new__, ElementNote)  # a third of the time, for thousands of accesses


def _has_conversions(inputs: Inputs) -> bool:
    """Whether any class in view converts its objects."""
    operators = inputs.read_once.operators
    if CONVERSIONS not in operators:
        operators[CONVERSIONS] = inputs.file.has_operator(CONVERSIONS)
    return operators[CONVERSIONS]


class Machine:
    """One execution of a kernel by the rules of one compiler. What knows all parts of the syntax is in a subclass: a
    call more for each expression would be felt.
    """

    def __init__(self, inputs: Inputs, home: Home, compiler: Compiler, arrays: Placement, watch: Watch) -> None:
        self.arrays = ArrayUse(arrays, watch)
        self.loops = LoopState()
        self.bindings = Bindings()
        self.memory = MemoryState()
        self.tally = Tally()
        self.known = Known()
        self.frame = Frame()
        self.inputs = inputs
        self.file, self.read_once, self.converts = inputs.file, inputs.read_once, _has_conversions(inputs)
        self.compiler, self.vendor = compiler, compiler.vendor
        self.home = home
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
        self.this: Expr | None = None
        self._environments: dict[str, Environment] = {}  # of classes whose member functions were executed
        self.league: Expr | None = None  # the team of Kokkos that the block works on
        # control flow
        self.block = self._blocks = 0
        self.block_of: dict[int, int] = {}
        self.above: dict[int, int] = {}  # the block through which every way to a block leads
        self.first: dict[int, int] = {0: 0}  # what was made first in a block
        self.loop_starts: set[int] = set()  # the first blocks of loops that stay
        self.straight: set[int] = set()  # blocks that follow the one above without a branch
        self.forks: list[range] = []  # the blocks of the sides of each branch whose sides meet, in the next one
        self.sides: dict[int, Join] = {}  # values that begin where the sides of a branch meet
        self.joins: dict[int, Join] = {}  # those that share a register with what goes into them
        self.begun: dict[tuple[str, tuple[int, ...], Region], int] = {}  # first parts of routines
        self.left_at: dict[int, Left] = {}  # paths that are left, by the `id` of their state
        self.active: list[Function | LambdaExpr] = []
        self.expanding = 0
        self.in_lanes = (
            0  # behind the first lane of a loop of vectors that are not beside each other, how many there are
        )
        self.guards = 0  # branches that decide whether what comes now is executed at all
        self.under: tuple[int, ...] = ()  # their conditions, and those of the loops around that stay
        # Spans: False inside of a macro's body, which has none in a file; where each lambda stands.
        self.placed = True
        self.site_of: dict[LambdaExpr, Site | None] = {}
        self.last_condition: int | None = None
        self._steps = self.evaluated = 0
        self._most_steps = self._most_work = MAX_WORK
        self.spent = 0  # `work` of this execution and of those before it that found out where arrays are

    # ------------------------------------------------------------------------------------------------ execution

    def evaluate(self, expr: Expr) -> Value:
        """Value of an expression, its effects included."""
        raise NotImplementedError

    def execute_reached(self, statement: Stmt) -> None:
        """Execute a statement that control reaches."""
        raise NotImplementedError

    def called(self, expr: Call | Binary) -> Type | None:
        """Type of a call of a known function."""
        raise NotImplementedError

    def execute(self, statement: Stmt) -> None:
        """Execute a statement, unless control cannot reach it. Raises TooManyOperationsError in a trial."""
        if not self.frame.dead:
            self.tally.check()
            self.step()
            self.execute_reached(statement)

    def check_ahead(self) -> None:
        """Raises WrittenLaterError where the innermost loop that stays has written what was read in front of it. In a
        trial of copies in it nothing is raised: what that has read in front goes again with it.
        """
        region, state = self.region, self.memory
        if state.epoch > region.checked and len(self.loops.copying) == region.trials:
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
        if self._steps > self._most_steps or self.is_spent:
            raise (
                MisplacedError(frozenset(self.arrays.in_vain), self.work) if self.arrays.in_vain else TooManyValuesError
            )

    @property
    def is_spent(self) -> bool:
        """Whether no statement is executed any more."""
        return self._steps + self.evaluated > self._most_work

    def end_after(self, work: int) -> None:
        """End this execution sooner than others: it repeats one that was cut off."""
        self._most_work = min(self._most_work, work)

    def enter(self) -> None:
        """Count the call of a known function as the statements that it takes as long as."""
        self._steps += _STEPS_OF_A_CALL

    def touch(self, variable: Variable, path: Path, *, noted: bool = True) -> None:
        """An access to an element of a private array: an instruction, and one for the address if it is new. noted:
        whether it needs the array.
        """
        size = (1 if (variable, path) == self.arrays.element else 2) + self.compiler.unrolling.element
        self.tally.size += size
        if variable not in self.arrays.in_memory or not self.compiler.unrolling.own_counter:
            self.tally.touched += size
        self.arrays.element = (variable, path)
        if self.compiler.indexing == "vector":
            here = Point(self.block, self.memory.epoch, len(self.tally.plans))
            self.arrays.pointed.reached(variable, path, here)
        if self.arrays.at is not None and noted:
            moving = is_dynamic(path)
            note = variable, self.arrays.at, moving, path, False, self.region, self.basic(self.block)
            self.tally.elements.append(_element_note(note))
            if moving:
                if self._is_watched(variable) and self.work < self.arrays.watch.until and not self._may_settle(path):
                    self._misplaced(variable, self._steps // 8)
                self.arrays.pointed.touched(self.graph, variable, path, self.arrays.at.start)

    def _may_settle(self, path: Path) -> bool:
        """Whether indices may be constants in copies that are not made, of loops around that a large graph keeps."""
        if not may_give_up(len(self.graph)):
            return False
        answers = dict.fromkeys(self.loops.counters, True)
        return all(self._is_settled(key.value, answers) for key in path if isinstance(key, Dynamic))

    def _is_watched(self, variable: Variable) -> bool:
        """Whether a run-time index takes an array to memory that has registers here."""
        watch = self.arrays.watch
        if variable in watch.arrays or variable not in watch.unsized:
            return variable in watch.arrays
        extent = self.tally.extents.get((variable.name, variable.span.start), 0)
        return extent > watch.unsized[variable] and variable not in self.arrays.in_memory

    def note_indexed(self, access: Indexed, path: Path = ()) -> None:
        """Remember an access at a run-time index to a private object that is no array. path: with the indices."""
        self.tally.indexed.append(access)
        takes, variable = self.arrays.watch.object, access.variable
        if takes is None or variable in self.arrays.in_memory or self.work >= self.arrays.watch.until:
            return
        if takes(access) and not self._may_settle(path):
            self._misplaced(variable, self._steps)

    def _misplaced(self, variable: Variable, further: int) -> None:
        """An array is in memory after all. The next ones are seen soon, as a rule, and one new beginning does for all:
        so many steps the execution goes on.
        """
        self._most_steps = min(self._most_steps, self._steps + _STEPS_OF_A_CALL + further)
        self.arrays.in_vain.add(variable)

    def settle_elements(self, since: int) -> None:
        """Of the accesses noted since then, those at indices that are constants in every copy of the loops that a
        compiler copies and this execution does not (`copied`) are no longer dynamic.
        """
        notes, answers = self.tally.elements, dict.fromkeys(self.loops.copied, True)
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

    @property
    def environment(self) -> Environment:
        """Constants by their names where the execution is: in a member function its class hides those of the file."""
        owner = getattr(self.active[-1], "owner", "") if self.active else ""  # not the class that inherits it
        if self.this is not None and "<" not in owner:
            type_ = self.type_of(self.this)
            if type_ is not None and type_.struct and (not owner or type_.name.startswith(f"{owner}<")):
                owner = type_.name
        if not owner:
            return self.inputs.environment
        owner = with_values(owner, self.constants)
        environment = self._environments.get(owner)
        if environment is None:
            fields = frozenset(part.name for part in self.file.parts_of(owner) or ())
            environment = self._environments[owner] = within_class(owner, self.inputs.environment, fields)
        return environment

    def known_int(self, expr: Expr | None) -> int | None:
        """A whole number that is settled before the kernel runs: by the file, or by the template arguments of the
        function that is executed.
        """
        if expr is None:
            return None
        numbers = self.read_once.numbers
        if expr not in numbers:
            numbers[expr] = evaluate_int(expr, self.environment)
        number = numbers[expr]
        if number is None:
            value = self.evaluate(expr)
            constant = self.graph.constants[value] if isinstance(value, int) else None
            number = constant if isinstance(constant, int) else None
        return number

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
            span = at.span if at is not None else self.home.span
        self.tally.unknowns.append(
            Unknown(kind, name, site.path if site else self.home.path, span, text, opens, at_most)
        )
        if len(self.tally.unknowns) > _FEW_UNKNOWNS:
            self._spend(_STEPS_OF_AN_UNKNOWN)

    def new_block(self, *, straight: bool = False) -> None:
        """A branch, a label or a barrier: reads do not move across. straight: it is no branch."""
        self._blocks += 1
        self.above[self._blocks], self.first[self._blocks] = self.block, len(self.graph)
        if straight:
            self.straight.add(self._blocks)
        self.block = self._blocks

    @property
    def blocks(self) -> int:
        """How many blocks were begun."""
        return self._blocks

    def join_blocks(self, before: int) -> None:
        """The blocks begun since there were so many are no branches, but a part of the one in front of them."""
        self.straight.update(block for block in range(before + 1, self._blocks + 1) if block in self.above)

    @property
    def forked(self) -> bool:
        """Whether there are several basic blocks."""
        return len(self.above) > len(self.straight)

    def basic(self, block: int) -> int:
        """The first of the blocks that are one basic block with it."""
        while block in self.straight:
            block = self.above[block]
        return block

    def block_apart(self) -> int:
        """A block of its own for code in front of a loop, though it is executed in it."""
        self._blocks += 1
        self.first[self._blocks] = len(self.graph)
        return self._blocks

    @property
    def function(self) -> Function | None:
        """The function that is executed, or the one that contains the executed lambda."""
        for node in reversed(self.active):
            if isinstance(node, Function):
                return node
        return None

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
        path = self.left_at.get(id(state))
        if self.compiler.exits_apart and (path is None or path.loops != self.tally.loops_kept):
            return None
        return Gone(second, path.at if path is not None else None)

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
        self.names, self.loops.inductions, self.loops.strides = {}, {}, {}
        self.filled.clear()

    type_of = expression_types.type_of

    def branch_condition(self) -> int:
        """The condition that decides which state holds where several paths meet."""
        if self.last_condition is not None:
            return self.last_condition
        return self.graph.source("path", BOOL)
