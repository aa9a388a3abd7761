"""The result of one walk over a function: a control-flow graph of small integer sets, and lists in source order.

Everything here depends on the function's tree alone, so that one walk serves all targets and, for a device function,
all kernels of the file that call it. Sets of variables are Python integers, one bit a variable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Assign, Call, Expr, Function, Index, Loop, Name, Type, Variable


class Op:
    """One full expression: the variables that it reads and overwrites.

    uses, defs, kills: variable sets; `kills` are the defs that surely replace the whole value, `steps` those made by
    `++` and `--`, which depend on nothing else in the expression. control: variables that decide whether it runs.
    loads: registers filled from memory; apart: of these behind a condition within the expression. seed: the value
    differs between the threads of a wave by itself; guarded: a condition around it does. cost: operations, a rough
    count of instructions. free: names that are no variable of the function (macros, constants, template parameters).
    library: keys of `costs.COSTS`, what its math calls and divisions cost.
    """

    __slots__ = (
        "apart",
        "calls",
        "control",
        "cost",
        "defs",
        "free",
        "guarded",
        "kills",
        "library",
        "loads",
        "seed",
        "span",
        "steps",
        "uses",
        "value",
        "variable",
    )

    def __init__(
        self,
        span: Span,
        uses: int = 0,
        defs: int = 0,
        kills: int = 0,
        steps: int = 0,
        control: int = 0,
        loads: int = 0,
        apart: int = 0,
        cost: int = 0,
        seed: bool = False,
        guarded: bool = False,
        free: tuple[str, ...] = (),
        calls: tuple[CallRecord, ...] = (),
        library: tuple[str, ...] = (),
        variable: Variable | None = None,
        value: Expr | None = None,
    ) -> None:
        self.span = span
        self.uses = uses
        self.defs = defs
        self.kills = kills
        self.steps = steps
        self.control = control
        self.loads = loads
        self.apart = apart
        self.cost = cost
        self.seed = seed
        self.guarded = guarded
        self.free = free
        self.calls = calls
        self.library = library
        self.variable = variable
        self.value = value


class Block:
    """Straight-line ops and the blocks that may follow; `loop` indexes `Flow.loops` (-1: none)."""

    __slots__ = ("following", "index", "loop", "ops")

    def __init__(self, loop: int, index: int = -1) -> None:
        self.loop = loop
        self.ops: list[Op] = []
        self.following: list[Block] = []
        self.index = index


class LoopRecord:
    """A loop and the half-open range of blocks that it covers, its header first; `end` is the block behind it."""

    __slots__ = ("depth", "end", "first", "has_break", "last", "loop", "parent")

    def __init__(
        self, loop: Loop, parent: int, depth: int, first: int, end: Block, last: int = 0, has_break: bool = False
    ) -> None:
        self.loop = loop
        self.parent = parent
        self.depth = depth
        self.first = first
        self.end = end
        self.last = last
        self.has_break = has_break


class CallRecord:
    """A call, the loop around it (-1: none) and, per argument, the set of variables that it names."""

    __slots__ = ("arguments", "call", "loop")

    def __init__(self, call: Call, loop: int, arguments: tuple[int, ...] = ()) -> None:
        self.call = call
        self.loop = loop
        self.arguments = arguments


class AccessRecord:
    """A subscript chain on an automatic array (or on a pointer parameter), or the array's bare name (no indices).

    type: what the chain names, as far as it is known.
    """

    __slots__ = ("indices", "kind", "loop", "span", "type", "variable")

    def __init__(
        self,
        variable: Variable,
        span: Span,
        indices: tuple[Expr, ...],
        kind: str,
        loop: int,
        type: Type | None = None,
    ) -> None:
        self.type = type
        self.variable = variable
        self.span = span
        self.indices = indices
        self.kind = kind
        self.loop = loop


class Flow:
    """Result of the walk; `bits` gives each variable's bit as a set of one, in order of first sight."""

    __slots__ = (
        "accesses",
        "assigns",
        "bits",
        "blocks",
        "calls",
        "declared",
        "function",
        "loops",
        "modified",
        "names",
        "partial",
        "scopes",
        "stores",
    )

    def __init__(self, function: Function, partial: int = 0) -> None:
        self.function = function
        self.bits: dict[Variable, int] = {}
        self.declared: list[Variable] = []
        self.blocks: list[Block] = []
        self.loops: list[LoopRecord] = []
        self.calls: list[CallRecord] = []
        self.accesses: list[AccessRecord] = []
        self.assigns: list[Assign] = []
        self.names: list[Name] = []
        self.modified: set[Variable] = set()
        self.stores: list[Index] = []
        self.scopes: dict[int, tuple[int, bool]] = {}  # (control, guarded) where a variable begins
        self.partial = partial  # variables that are written piece by piece

    def inside(self, loop: int, other: int) -> bool:
        """True if `loop` is `other` or nested in it."""
        while loop >= 0:
            if loop == other:
                return True
            loop = self.loops[loop].parent
        return False
