"""What one walk over a function leaves behind: a control-flow graph of small integer sets, and lists in source order.

Everything here depends on the function's tree alone, so that one walk serves all targets and, for a device function,
all kernels of the file that call it. Sets of variables are Python integers, one bit a variable.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.source import Span
    from regpress_lint.syntax import Assign, Call, Expr, Function, Index, Loop, Name, Variable


@dataclass(slots=True, eq=False)
class Op:
    """One full expression: what it reads, what it overwrites, and what its evaluation holds besides variables.

    uses, defs, kills: variable sets; `kills` are the defs that surely replace the whole value, `steps` those made by
    `++` and `--`, which depend on nothing else in the expression. control: variables that decide whether it runs.
    temps: 32-bit registers of temporaries at the widest point of its evaluation, addresses included. loads: registers
    filled from memory. seed: the value differs between the threads of a wave by itself; guarded: a condition around it
    does. cost: operations, a rough count of instructions. free: names that are no variable of the function (macros,
    constants, template parameters). library: keys of `library.COSTS`, what its math calls and divisions cost.
    """

    span: Span
    uses: int = 0
    defs: int = 0
    kills: int = 0
    steps: int = 0
    control: int = 0
    temps: int = 0
    loads: int = 0
    cost: int = 0
    seed: bool = False
    guarded: bool = False
    free: tuple[str, ...] = ()
    calls: tuple[CallRecord, ...] = ()
    library: tuple[str, ...] = ()
    variable: Variable | None = None
    value: Expr | None = None


@dataclass(slots=True, eq=False)
class Block:
    """Straight-line ops and the blocks that may follow; `loop` indexes `Flow.loops` (-1: none)."""

    loop: int
    ops: list[Op] = field(default_factory=list)
    following: list[Block] = field(default_factory=list)
    index: int = -1


@dataclass(slots=True, eq=False)
class LoopRecord:
    """A loop and the half-open range of blocks that it covers, its header first; `end` is the block behind it."""

    loop: Loop
    parent: int
    depth: int
    first: int
    end: Block
    last: int = 0
    has_break: bool = False


@dataclass(slots=True, eq=False)
class CallRecord:
    """A call, the loop it stands in (-1: none) and, per argument, the set of variables that it names."""

    call: Call
    loop: int
    arguments: tuple[int, ...] = ()


@dataclass(slots=True, eq=False)
class AccessRecord:
    """A subscript chain on an automatic array (or on a pointer parameter), or the array's bare name (no indices)."""

    variable: Variable
    span: Span
    indices: tuple[Expr, ...]
    kind: str
    loop: int


@dataclass(slots=True, eq=False)
class Flow:
    """Result of the walk; `bits` gives each variable's bit as a set of one, in order of first sight."""

    function: Function
    bits: dict[Variable, int] = field(default_factory=dict)
    declared: list[Variable] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    loops: list[LoopRecord] = field(default_factory=list)
    calls: list[CallRecord] = field(default_factory=list)
    accesses: list[AccessRecord] = field(default_factory=list)
    assigns: list[Assign] = field(default_factory=list)
    names: list[Name] = field(default_factory=list)
    modified: set[Variable] = field(default_factory=set)
    stores: list[Index] = field(default_factory=list)
    scopes: dict[int, tuple[int, bool]] = field(default_factory=dict)  # (control, guarded) where a variable begins
    partial: int = 0  # variables that are written piece by piece

    def inside(self, loop: int, other: int) -> bool:
        """True if `loop` is `other` or nested in it."""
        while loop >= 0:
            if loop == other:
                return True
            loop = self.loops[loop].parent
        return False
