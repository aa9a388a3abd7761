"""Symbolic execution of whole programs: random ones against Python's arithmetic, damaged ones against the clock."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import pytest
from analysis_helpers import BOTH
from corpus import TESTDATA, examples, walked
from hypothesis import given, strategies as st
from ssa_helpers import consistent, constants, run

from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.model.passes.placement import executed
from regpress_lint.program import build_file, detect_language
from regpress_lint.targets.compilers.amdgpu import GFX9
from regpress_lint.targets.compilers.nvcc import NVCC

if TYPE_CHECKING:
    from pathlib import Path


# ------------------------------------------------------------------------------------ programs that Python runs, too


class Kind(NamedTuple):
    """An integer type of C++."""

    name: str
    bits: int
    signed: bool

    def wrap(self, value: int) -> int:
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.signed and value >> (self.bits - 1) else value


INT, UNSIGNED = Kind("int", 32, True), Kind("unsigned", 32, False)
LONG, ULONG = Kind("long long", 64, True), Kind("unsigned long long", 64, False)
BYTE, SHORT = Kind("unsigned char", 8, False), Kind("short", 16, True)
VARIABLES = {"i0": INT, "i1": INT, "u0": UNSIGNED, "l0": LONG, "m0": ULONG, "c0": BYTE, "s0": SHORT}
ARRAYS = {"x": (INT, 3), "y": (UNSIGNED, 2)}


class Typed(NamedTuple):
    """An expression: its text, its value, its type."""

    text: str
    value: int
    kind: Kind


def promoted(kind: Kind) -> Kind:
    return INT if kind.bits < 32 else kind


def common(a: Kind, b: Kind) -> Kind:
    a, b = promoted(a), promoted(b)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if not a.signed else b


def operation(op: str, a: Typed, b: Typed) -> Typed | None:
    """`a op b` as C++ defines it; None where it does not (or where a signed result does not fit)."""
    kind = promoted(a.kind) if op in ("<<", ">>") else common(a.kind, b.kind)
    left, right = kind.wrap(a.value), b.value if op in ("<<", ">>") else kind.wrap(b.value)
    if op in ("<", ">", "<=", ">=", "==", "!="):
        results = {"<": left < right, ">": left > right, "==": left == right}
        results |= {"<=": left <= right, ">=": left >= right, "!=": left != right}
        return Typed(f"({a.text} {op} {b.text})", int(results[op]), INT)
    if op in "/%":
        if not right:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        exact = quotient if op == "/" else left - quotient * right
    elif op in ("<<", ">>"):
        if not 0 <= right < kind.bits or (op == "<<" and left < 0):
            return None
        exact = left << right if op == "<<" else left >> right
    else:
        exact = {"+": left + right, "-": left - right, "*": left * right}.get(op, 0)
        exact = {"&": left & right, "|": left | right, "^": left ^ right}.get(op, exact)
    if kind.signed and kind.wrap(exact) != exact:
        return None
    return Typed(f"({a.text} {op} {b.text})", kind.wrap(exact), kind)


class Program:
    """Writes a program and runs it while it is written."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.values = {name: kind.wrap(draw(st.integers(-9, 300))) for name, kind in VARIABLES.items()}
        self.cells = {name: [draw(st.integers(0, 9)) for _ in range(size)] for name, (_, size) in ARRAYS.items()}
        lines = [f"{kind.name} {name} = {self.values[name]};" for name, kind in VARIABLES.items()]
        for name, (kind, size) in ARRAYS.items():
            lines.append(f"{kind.name} {name}[{size}] = {{{', '.join(map(str, self.cells[name]))}}};")
        self.text = " ".join(lines) + "\n"

    def place(self) -> tuple[str, int, Kind]:
        """Something that can be written: text, value and type."""
        name = self.draw(st.sampled_from((*VARIABLES, *ARRAYS)))
        if name in VARIABLES:
            return name, self.values[name], VARIABLES[name]
        kind, size = ARRAYS[name]
        index = self.draw(st.integers(0, size - 1))
        return f"{name}[{index}]", self.cells[name][index], kind

    def write(self, place: str, value: int) -> None:
        if place in VARIABLES:
            self.values[place] = VARIABLES[place].wrap(value)
            return
        name, index = place[0], int(place[2:-1])
        self.cells[name][index] = ARRAYS[name][0].wrap(value)

    def leaf(self) -> Typed:
        if self.draw(st.booleans()):
            return Typed(*self.place())
        kind, suffix = self.draw(st.sampled_from(((INT, ""), (UNSIGNED, "u"), (LONG, "ll"))))
        value = self.draw(st.integers(0, 40))
        return Typed(f"{value}{suffix}", value, kind)

    def expression(self, depth: int = 2) -> Typed:
        if depth == 0:
            return self.leaf()
        form = self.draw(st.sampled_from(("binary", "binary", "binary", "unary", "cast", "ternary", "logical")))
        a = self.expression(depth - 1)
        if form == "unary":
            op = self.draw(st.sampled_from("-~!"))
            kind = INT if op == "!" else promoted(a.kind)
            exact = {"-": -a.value, "~": ~a.value, "!": int(not a.value)}[op]
            return a if kind.signed and kind.wrap(exact) != exact else Typed(f"({op}{a.text})", kind.wrap(exact), kind)
        if form == "cast":
            kind = self.draw(st.sampled_from((INT, UNSIGNED, LONG, ULONG, BYTE, SHORT)))
            return Typed(f"(({kind.name}){a.text})", kind.wrap(a.value), kind)
        b = self.expression(depth - 1)
        if form == "ternary":
            kind, test = common(a.kind, b.kind), self.leaf()
            return Typed(f"({test.text} ? {a.text} : {b.text})", kind.wrap(a.value if test.value else b.value), kind)
        if form == "logical":
            op = self.draw(st.sampled_from(("&&", "||")))
            known = bool(a.value) and bool(b.value) if op == "&&" else bool(a.value) or bool(b.value)
            return Typed(f"({a.text} {op} {b.text})", int(known), INT)
        op = self.draw(st.sampled_from(("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=")))
        return operation(op, a, b) or a

    def assignment(self) -> str:
        place, value, kind = self.place()
        op = self.draw(st.sampled_from(("", "", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "++", "--")))
        if op in ("++", "--"):
            changed = value + (1 if op == "++" else -1)
            if kind.bits >= 32 and kind.signed and kind.wrap(changed) != changed:
                return ";"
            self.write(place, changed)
            return f"{place}{op};"
        right = self.expression()
        if op:
            result = operation(op, Typed(place, value, kind), right)
            if result is None:
                return ";"
            self.write(place, result.value)
            return f"{place} {op}= {right.text};"
        self.write(place, right.value)
        return f"{place} = {right.text};"

    def dead(self) -> str:
        """Statements that are written but not run."""
        values, cells = dict(self.values), {name: list(cell) for name, cell in self.cells.items()}
        text = self.block(1)
        self.values, self.cells = values, cells
        return text

    def block(self, depth: int) -> str:
        return "{ " + " ".join(self.statement(depth) for _ in range(self.draw(st.integers(1, 3)))) + " }"

    def statement(self, depth: int) -> str:
        form = self.draw(st.sampled_from(("assign", "assign", "if", "for", "switch"))) if depth else "assign"
        if form == "if":
            test = self.expression(1)
            then = self.block(depth - 1) if test.value else self.dead()
            return f"if ({test.text}) {then} else {self.dead() if test.value else self.block(depth - 1)}"
        if form == "switch":
            subject = Typed(*self.place())
            wanted = self.draw(st.booleans()) and subject.kind.bits <= 32
            taken = self.block(depth - 1) if wanted else self.dead()
            default = self.dead() if wanted else self.block(depth - 1)
            label = subject.value if wanted else self.draw(st.integers(400, 500))
            label += not wanted and label == subject.value
            return f"switch ({subject.text}) {{ case {label}: {taken} break; default: {default} }}"
        if form == "for":
            return self.loop()
        return self.assignment()

    def loop(self) -> str:
        """A counted loop that adds the same thing in every iteration, without those in which it continues."""
        trips, skip = self.draw(st.integers(0, 5)), self.draw(st.integers(0, 5))
        last = self.draw(st.integers(0, 5))
        place, value, kind = self.place()
        if kind.bits >= 32 and kind.signed and abs(value) > 1 << (kind.bits - 2):
            return ";"
        for k in range(trips):
            if k == last:
                break
            if k != skip:
                value = kind.wrap(value + k * 3)
        self.write(place, value)
        body = f"if (k == {skip}) continue; if (k == {last}) break; {place} += k * 3;"
        if last <= skip:
            body = f"if (k == {last}) break; if (k == {skip}) continue; {place} += k * 3;"
        return f"for (int k = 0; k < {trips}; k++) {{ {body} }}"


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, list[int]]:
    """A program that stores all its variables, and the stored values."""
    program = Program(draw)
    text = program.text + "\n".join(program.statement(2) for _ in range(draw(st.integers(1, 6))))
    stores = [f"q[{k}] = {name};" for k, name in enumerate(VARIABLES)]
    results = list(program.values.values())
    for name, cells in program.cells.items():
        stores += [f"q[{len(results) + k}] = {name}[{k}];" for k in range(len(cells))]
        results += cells
    return f"{text}\n{' '.join(stores)}", [LONG.wrap(result) for result in results]


@examples(0.2)
@given(programs())
def test_program_over_known_numbers_matches_python(program: tuple[str, list[int]]) -> None:
    text, results = program
    assert constants(run(text, "long long *q")) == results, text


# ----------------------------------------------------------------------------------------------- anything at all

SOURCES = sorted(path for path in TESTDATA.rglob("*") if path.suffix in (".hip", ".cu", ".cpp"))  # whole: `test_ir`
OTHERS = sorted(path for path in TESTDATA.rglob("*") if path.suffix in (".hpp", ".h", ".cuh", ".sycl"))


def check(path: Path, data: bytes) -> int:
    """Execute all kernels of a text for two vendors; how many there are."""
    language = detect_language(str(path), data)
    if language is None:
        return 0
    file = build_file(Source(str(path), data), language, Project())
    all_facts = [kernel_facts(file, kernel, BOTH) for kernel in file.kernels]
    for facts in all_facts:
        for compiler in (GFX9, NVCC):
            machine = executed(facts.input_for(compiler))
            consistent(machine)
    return len(all_facts)


@pytest.mark.parametrize("path", walked(OTHERS, every=3))
def test_every_header_is_executed(path: Path) -> None:
    check(path, path.read_bytes())


@pytest.mark.parametrize(
    "mutants", [pytest.param(100, marks=pytest.mark.slow), pytest.param(1_000, marks=pytest.mark.long)]
)
def test_damaged_fixtures_are_executed(mutants: int) -> None:
    small = [path for path in SOURCES if path.stat().st_size < 1200]  # the most mutants a second
    assert damaged(small, mutants, seed=4) > mutants // 2


def test_a_counter_without_a_first_value_is_executed() -> None:
    loop = b"size_t k = w; float s = 0; for (int j =; j < m; ++j) { s += a[k % 5]; k /= 5; } b[threadIdx.x] = s;"
    text = b"__global__ void k(const float* a, float* b, size_t w, int m) { " + loop + b" }"
    assert check(TESTDATA / "counter.cu", text) == 1


def damaged(paths: list[Path], mutants: int, seed: int) -> int:
    """Execute texts with bytes that are missing or doubled; how many kernels there were."""
    generator = random.Random(seed)
    kernels = 0
    for _ in range(mutants):
        path = generator.choice(paths)
        data = bytearray(path.read_bytes())
        for _ in range(generator.randint(1, 4)):
            begin = generator.randrange(len(data))
            length = generator.choice((1, 1, 2, 8, 40))
            if generator.random() < 0.5:
                del data[begin : begin + length]
            else:
                data[begin:begin] = data[begin : begin + length]
        kernels += check(path, bytes(data))
    return kernels
