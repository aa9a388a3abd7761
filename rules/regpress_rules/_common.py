"""What several rules share: where a finding may stand, how numbers are written, what a name costs on a vendor."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api import KernelFacts, Launch, Note, Severity, Span
from regpress_lint.occupancy import architecture, headroom
from regpress_lint.syntax import (
    Assign,
    Binary,
    Block,
    Call,
    Case,
    Cast,
    Conditional,
    Declare,
    Evaluate,
    Expr,
    If,
    Index,
    InitList,
    Label,
    LambdaExpr,
    Loop,
    Member,
    Name,
    Return,
    SizeOf,
    Stmt,
    Switch,
    Unary,
    Unknown,
    Update,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.occupancy import Architecture, Occupancy, Vendor
    from regpress_lint.target_facts import TargetFacts

_LIMITERS = {
    "waves": "the block size",
    "registers": "registers",
    "sgprs": "SGPRs",
    "lds": "LDS",
    "groups": "block slots",
    "barriers": "barriers",
}
# Units of a data-centre GPU: 104 CUs (MI250X), 132 SMs (H200), 128 Xe-cores (Max 1550).
_UNITS = 100


class Place(NamedTuple):
    """Where a finding is reported: its span in the linted file, and the notes that name a place in another file."""

    span: Span
    notes: tuple[Note, ...]
    here: bool


def place(facts: KernelFacts, span: Span, path: str, what: str) -> Place:
    """Position for something at `span` of `path`.

    A finding always stands in the file that is linted: for code of a header it stands at the kernel, or at the
    launch if the kernel is in a header too, and a note leads to the code.
    """
    file, kernel = facts.file, facts.kernel
    if path in ("", file.path):
        return Place(span, (), True)
    note = (Note(span, what, path),)
    if kernel.path == file.path:
        return Place(kernel.name_span, note, False)
    if kernel.entry is not None:
        return Place(Span(kernel.entry.start, kernel.entry.start + 1), note, False)
    launch = next((launch for launch in kernel.launches if launch.path == file.path), None)
    return Place(launch.span if launch is not None else Span(0, 0), note, False)


def vendor_of(target: str) -> Vendor:
    """Vendor of an architecture name."""
    return architecture(target).vendor


def targets_of(facts: KernelFacts, *vendors: Vendor) -> tuple[str, ...]:
    """The enabled targets of these vendors, in the user's order."""
    return tuple(target for target in facts.targets if vendor_of(target) in vendors)


def is_gfx9(target: str) -> bool:
    """GCN and CDNA: 64-bit constants need VGPRs there, and gfx90a's numbers are the nearest that were measured."""
    return target.startswith("gfx9")


def count(number: float, noun: str) -> str:
    """`1 byte`, `2 bytes`, `1,024 bytes`, `1.25 waves`."""
    shown = f"{int(number):,}" if number == int(number) else f"{number:g}"
    return f"{shown} {noun}" + ("" if number == 1 else "s")


def listing(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    items = list(words)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def waves(occupancy: Occupancy) -> str:
    """Waves per SIMD as people write them: `1 wave`, `2.5 waves`."""
    return count(occupancy.waves / occupancy.simds, "wave")  # not `waves_per_simd`: fractions take 2 ms to import


def sub_group(facts: KernelFacts, arch: Architecture) -> str:
    """The sub-group size that decides on Intel, and whether the kernel asks for it; nothing for the other vendors."""
    if arch.vendor != "intel":
        return ""
    wanted = facts.kernel.sub_group_size
    if wanted in arch.wave_sizes:
        return f" at sub-group size {wanted}"
    return f" at sub-group size {arch.default_wave_size} (assumed)"


def wave_sizes(facts: KernelFacts, arch: Architecture) -> tuple[int, ...]:
    """Wave sizes that may hold: IGC picks one unless the kernel asks for it, clang and nvcc have a fixed one."""
    wanted = facts.kernel.sub_group_size
    if wanted in arch.wave_sizes:
        return (wanted,)
    return arch.wave_sizes if arch.vendor == "intel" else (arch.default_wave_size,)


def unit_name(vendor: Vendor) -> str:
    """What a work-group stays on, with its article."""
    return {"amd": "a CU", "nvidia": "an SM", "intel": "an Xe-core"}[vendor]


def limiter_names(occupancy: Occupancy, *, without: str = "") -> list[str]:
    """What holds the waves down, in words, `without` one limiter."""
    return [_LIMITERS[name] for name in occupancy.limiters if name != without]


# ------------------------------------------------------------------------------------- launches and their block sizes


def small_grid(launch: Launch | None, resident: int = 1) -> bool:
    """True for a launch of so few blocks that no unit of a large GPU gets more than `resident` of them."""
    return launch is not None and launch.blocks is not None and launch.blocks <= _UNITS * resident


class Spare(NamedTuple):
    """Registers a thread may take without losing a wave, because something else holds the waves down."""

    registers: int
    limiter: str

    def note(self, target: TargetFacts, budget: int | None = None) -> str:
        """What to tell about a target; beyond the budget (under launch bounds to come, if given) it would spill."""
        free = min(self.registers, budget or target.budget)
        return f"registers up to {free} are free on {target.architecture.name}: {self.limiter} limits"


def spare_registers(facts: KernelFacts, name: str) -> Spare | None:
    """Registers that are free on a target because LDS or the block size limits; None where neither does, or where
    the launches in view do not settle it (none, or several that differ). Intel has no register steps at all.

    LDS that is not in view can only make more of them free.
    """
    target = facts.target(name)
    bare = target.without_registers
    if target.architecture.vendor == "intel" or facts.block_size_from == "assumed" or facts.launches_differ:
        return None
    if bare.groups == 0 or bare.waves == bare.max_waves:
        return None
    lds = "lds" in bare.limiters
    # A bound is the most threads that a block may have: smaller blocks need not divide the slots as badly.
    if facts.block_size_from == "launch_bounds" and not lds:
        return None
    free = 1 + headroom(target.architecture, target.use(1), "registers")
    return Spare(free, "LDS" if lds else "the block size")


def unless_spare(facts: KernelFacts, name: str, registers: float, severity: Severity) -> Severity:
    """The severity of a finding that costs registers and nothing else: a hint while `registers`, with what the finding
    adds, stay below the step that would bind and within the budget.
    """
    spare = spare_registers(facts, name)
    free = spare is not None and registers <= min(spare.registers, facts.target(name).budget)
    return Severity.HINT if free else severity


def with_spare(facts: KernelFacts, names: Iterable[str], text: str) -> str:
    """A help text, and on which of the targets registers are free up to which number."""
    spares = ((name, spare_registers(facts, name)) for name in names)
    return "; ".join((text, *(spare.note(facts.target(name)) for name, spare in spares if spare is not None)))


def children(node: Expr | Stmt) -> Iterator[Expr | Stmt]:
    """Direct sub-expressions and sub-statements, in source order."""
    if isinstance(node, Binary):
        yield from (node.left, node.right)
    elif isinstance(node, (Unary, Update, Cast)):
        yield node.operand
    elif isinstance(node, Assign):
        yield from (node.target, node.value)
    elif isinstance(node, Call):
        yield from (node.callee, *node.args)
    elif isinstance(node, Index):
        yield from (node.base, node.index)
    elif isinstance(node, Member):
        yield node.base
    elif isinstance(node, Conditional):
        yield from (node.test, node.then, node.other)
    elif isinstance(node, InitList):
        yield from node.items
    elif isinstance(node, SizeOf):
        return
    elif isinstance(node, LambdaExpr):
        yield node.body
    elif isinstance(node, Unknown):
        yield from node.children
    else:
        yield from _statement_children(node)


def _statement_children(node: Expr | Stmt) -> Iterator[Expr | Stmt]:
    parts: Iterable[Expr | Stmt | None] = ()
    if isinstance(node, (Block, Case)):
        parts = node.statements
    elif isinstance(node, Declare):
        parts = (variable.init for variable in node.variables)
    elif isinstance(node, Evaluate):
        parts = (node.expression,)
    elif isinstance(node, If):
        parts = (*node.init, node.test, node.then, node.other)
    elif isinstance(node, Loop):
        parts = (*node.init, node.test, node.step, node.body)
    elif isinstance(node, Switch):
        parts = (node.subject, node.body)
    elif isinstance(node, Return):
        parts = (node.value,)
    elif isinstance(node, Label):
        parts = (node.statement,)
    yield from (part for part in parts if part is not None)


def walk(node: Expr | Stmt | None) -> Iterator[Expr | Stmt]:
    """A node and everything below it, in source order and without recursion."""
    stack: list[Expr | Stmt] = [node] if node is not None else []
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(list(children(current))))


def names_in(expr: Expr | Stmt | None) -> Iterator[Name]:
    """The names that an expression or statement mentions."""
    return (node for node in walk(expr) if isinstance(node, Name))


def depends_on(expr: Expr, variable: Variable, depth: int = 0) -> bool:
    """True if an expression mentions a variable, directly or through the initialisers of the names that it mentions."""
    for name in names_in(expr):
        if name.variable is variable:
            return True
        init = name.variable.init if name.variable is not None else None
        if init is not None and depth < 6 and depends_on(init, variable, depth + 1):
            return True
    return False
