"""Random kernels from seeds, as CUDA, HIP and OpenCL C: arrays, structs, vectors, loops, calls and math.

python -m tools.measure.random_kernels show SEED
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# ------------------------------------------------------------------------------------------------------ a kernel


class Block(NamedTuple):
    """A loop, a condition or braces, in the lines `head` and `tail`, around its statements."""

    head: str
    body: tuple[Node, ...]
    tail: str = "}"


Node = str | Block


class Kernel(NamedTuple):
    """Declarations in front of a kernel, each whole, and its statements. `real`: the type of most of its values.

    Names are unique: a name declared in a statement has no other meaning elsewhere.
    """

    name: str
    real: str
    outside: tuple[str, ...]
    body: tuple[Node, ...]

    def text(self) -> str:
        """The kernel for CUDA and HIP."""
        pointers = f"{self.real}* out, const {self.real}* in, const int* ix"
        head = f"__global__ void {self.name}({pointers}, int n, int m) {{"
        return "\n".join(
            (*self.outside, head, "int t = blockIdx.x * blockDim.x + threadIdx.x;", *lines(self.body), "}\n")
        )

    def opencl(self) -> str:
        """The kernel as OpenCL C."""
        text = self.text()
        for pattern, replacement in _OPENCL:
            text = re.sub(pattern, replacement, text)
        return text


_OPENCL = (
    (r"__global__ void", "kernel void"),
    (r"(?<=[(,] )?\b((?:const )?(?:float|double|int)\*) (out|in|ix)\b", r"global \1 \2"),
    (r"blockIdx\.x \* blockDim\.x \+ threadIdx\.x", "get_global_id(0)"),
    (r"threadIdx\.x", "get_local_id(0)"),
    (r"__syncthreads\(\)", "barrier(CLK_LOCAL_MEM_FENCE)"),
    (r"__shared__", "local"),
    (r"__device__ (?=__attribute__)", ""),
    (r"__device__ ", ""),
    (r"\b(sqrt|exp|sin|fabs|pow|fmax)f\(", r"\1("),
    (r"make_(\w+4)\(", r"(\1)("),
)


def lines(nodes: Sequence[Node], depth: int = 0) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, str):
            yield "  " * depth + node
        else:
            yield "  " * depth + node.head.replace("\n", "\n" + "  " * depth)
            yield from lines(node.body, depth + 1)
            yield "  " * depth + node.tail


class Array(NamedTuple):
    """A private array; `kind`: the type of its elements; `part`: what follows an element to make it a number."""

    name: str
    dims: tuple[int, ...]
    kind: str
    part: str = ""


class Counted(NamedTuple):
    """A counter of a loop around; `end`: it is below, None if that is known at run time."""

    name: str
    end: int | None


# --------------------------------------------------------------------------------------------------- the generator

SIZES = (2, 3, 4, 4, 5, 6, 8, 8, 8, 9, 10, 12, 16, 16, 20, 24, 32, 40, 64)
PRAGMAS = ("", "", "", "", "#pragma unroll\n", "#pragma unroll\n", "#pragma unroll 1\n", "#pragma unroll 4\n")
DEEPEST = 3


@dataclass(slots=True)
class Generator:
    """Writes one kernel. chance: where everything comes from; dynamic: share of indices known at run time only."""

    chance: random.Random
    name: str
    real: str = "float"
    dynamic: float = 0.0
    outside: list[str] = field(default_factory=list)
    scalars: list[str] = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    vectors: list[str] = field(default_factory=list)
    counters: list[Counted] = field(default_factory=list)
    shared: str | None = None
    number: int = 0

    def kernel(self) -> Kernel:
        """A kernel: declarations, some statements, and what becomes of their results."""
        pick = self.chance
        self.real = pick.choices(("float", "double", "int"), (6, 2, 1.5))[0]
        self.dynamic = pick.choice((0.0, 0.0, 0.1, 0.3, 0.6))
        count = pick.choice((1, 2, 3))
        body: list[Node] = [f"{self.real} {self.fresh('s', self.scalars)} = {self.load()};" for _ in range(count)]
        body += [line for _ in range(pick.choice((0, 1, 1, 1, 2, 2, 3))) for line in self.declared()]
        if pick.random() < 0.15:
            body += self.vector()
        if pick.random() < 0.2:
            body += self.tile()
        for _ in range(pick.choice((1, 2, 2, 3, 4, 6))):
            body += self.statement(0)
        for number, array in enumerate(self.arrays):  # what nobody reads is no array
            if pick.random() < 0.5:
                body.append(self.over(array, partial(_read_back, 100 * (number + 1))))
            elif pick.random() < 0.6:
                body += self.summed(array)
            else:
                place = "".join(f"[{self.index(one)}]" for one in array.dims)
                body.append(f"{pick.choice(self.scalars)} += {array.name}{place}{array.part};")
        body.append(f"out[t] = {' + '.join(self.scalars)};")
        for number, name in enumerate(self.vectors):
            body.append(f"out[t + {number + 1} * n] = {name}.x + {name}.y + {name}.z + {name}.w;")
        return Kernel(self.name, self.real, tuple(self.outside), tuple(body))

    def fresh(self, letter: str, names: list[str] | None = None) -> str:
        """A new name."""
        self.number += 1
        name = f"{letter}{self.number}"
        if names is not None:
            names.append(name)
        return name

    # ---- declarations

    def declared(self) -> list[Node]:
        """An array, and what fills it, or not."""
        pick = self.chance
        size = pick.choice(SIZES)
        dims = (size,) if pick.random() < 0.75 else (pick.choice((2, 3, 4, 8)), pick.choice((2, 3, 4, 8)))
        name = self.fresh("a")
        kinds = (self.real, "int", "unsigned char", "short", "struct", f"{self.real}4")
        kind = pick.choices(kinds, (10, 1, 0.7, 0.4, 1.5, 0 if self.real == "double" else 1))[0]
        part = ""
        if kind == "struct":
            kind = self.record()
            part = pick.choice((".x", ".y"))
        elif kind.endswith("4"):
            part = pick.choice((".x", ".w"))
        array = Array(name, dims, kind, part)
        lines: list[Node] = [f"{kind} {name}{''.join(f'[{one}]' for one in dims)};"]
        how = pick.choices(("load", "zero", "constant", "init"), (5, 4, 1, 1.5))[0]
        if how == "init" and len(dims) == 1 and dims[0] <= 16 and not part:
            values = ", ".join(self.constant() for _ in range(dims[0]))
            lines = [f"{kind} {name}[{dims[0]}] = {{{values}}};"]
        elif how == "zero" and not part and pick.random() < 0.4:
            lines = [f"{kind} {name}{''.join(f'[{one}]' for one in dims)} = {{0}};"]
        else:
            fills = {"load": "in[t + {0} * n]", "constant": "{0} * 3 + 1"}
            fill = fills.get(how, "0")
            lines.append(self.over(array, lambda at, one: f"{one} = {fill.format(at)};", whole=True))
        self.arrays.append(array)
        return lines

    def record(self) -> str:
        """A struct of two numbers, and perhaps more."""
        name = f"struct {self.name}_{self.fresh('r')}"
        more = self.chance.choice(("", "", " int z;", f" {self.real} w[3];"))
        self.outside.append(f"{name} {{ {self.real} x; {self.real} y;{more} }};")
        return name

    def vector(self) -> list[Node]:
        """A vector of four, and something that is done with it."""
        if self.real == "double":
            return []
        name = self.fresh("v", self.vectors)
        loads = ", ".join(self.load() for _ in range(4))
        return [f"{self.real}4 {name} = make_{self.real}4({loads});"]

    def tile(self) -> list[Node]:
        """An array in LDS that each thread writes a part of."""
        self.shared = self.fresh("tile")
        return [
            f"__shared__ {self.real} {self.shared}[256];",
            f"{self.shared}[threadIdx.x] = {self.load()};",
            "__syncthreads();",
        ]

    # ---- expressions

    def constant(self) -> str:
        """A number."""
        if self.real == "int":
            return str(self.chance.randint(0, 9))
        return f"{self.chance.choice((0.5, 1.25, 2.0, 3.5))}{'f' if self.real == 'float' else ''}"

    def load(self) -> str:
        """A number out of memory."""
        offset = self.chance.choice(
            ("", " + n", f" + {self.chance.randint(1, 40)} * n", f" + {self.chance.randint(1, 99)}")
        )
        if self.counters and self.chance.random() < 0.6:
            offset = f" + {self.chance.choice(self.counters).name} * {self.chance.choice(('n', 'm', '32'))}"
        return f"in[t{offset}]"

    def index(self, size: int) -> str:
        """An index below a size."""
        pick = self.chance
        if pick.random() < self.dynamic:
            mask = f"& {size - 1}" if size & (size - 1) == 0 else f"% {size}u"
            at = [f"ix[t + {pick.randint(0, 9)}]", f"ix[t + {pick.randint(0, 9)} * n]", "t", "n"]
            at += [f"ix[{one.name} + t]" for one in self.counters]
            chosen = pick.choice(at)
            return f"{'(unsigned)' if '%' in mask else ''}{chosen} {mask}"
        fits = [one for one in self.counters if one.end is not None and one.end <= size]
        if fits and pick.random() < 0.85:
            one = pick.choice(fits)
            assert one.end is not None
            ways = [one.name, one.name, one.name]
            ways += [f"{one.name} + {size - one.end}"] if one.end < size else [f"{size - 1} - {one.name}"]
            return pick.choice(ways)
        if self.counters and pick.random() < 0.5:
            mask = f"& {size - 1}" if size & (size - 1) == 0 else f"% {size}"
            return f"{pick.choice(self.counters).name} {mask}"
        return str(pick.randrange(size))

    def element(self) -> str | None:
        """An element of an array."""
        if not self.arrays:
            return None
        array = self.chance.choice(self.arrays)
        return array.name + "".join(f"[{self.index(one)}]" for one in array.dims) + array.part

    def value(self, depth: int = 0) -> str:
        """A number, computed."""
        pick = self.chance
        if depth < 2 and pick.random() < 0.6:
            one, two = self.value(depth + 1), self.value(depth + 1)
            if pick.random() < 0.07 and self.real != "int":
                f = "f" if self.real == "float" else ""
                return pick.choice(
                    (f"sqrt{f}({one})", f"exp{f}({one})", f"sin{f}({one})", f"fabs{f}({one})", f"({one}) / ({two})")
                )
            if pick.random() < 0.07:
                return f"({one} > {two} ? {self.value(2)} : {self.value(2)})"
            return f"({one} {pick.choice('+-*')} {two})"
        if (found := self.element()) is not None and pick.random() < 0.5:
            return found
        if self.shared is not None and pick.random() < 0.3:
            return f"{self.shared}[(threadIdx.x + {pick.randint(1, 9)}) & 255]"
        if self.vectors and pick.random() < 0.4:
            return f"{pick.choice(self.vectors)}.{pick.choice('xyzw')}"
        return pick.choice((pick.choice(self.scalars), pick.choice(self.scalars), self.load(), self.constant()))

    # ---- statements

    def statement(self, depth: int) -> list[Node]:
        """A statement of any kind; in loops and conditions simple ones."""
        pick = self.chance
        ways: list[tuple[Callable[[int], list[Node]], float]] = [
            (self.added, 3), (self.written, 3 if self.arrays else 0), (self.swapped, 0.6 if self.arrays else 0),
            (self.moved, 0.6 if self.arrays else 0), (self.gone_through, 1.5 if self.arrays else 0),

            (self.called, 0.8), (self.stored, 0.8), (self.pointed, 0.4 if self.arrays else 0),
            (self.updated, 1 if self.vectors else 0),
        ]  # fmt: skip
        if depth < DEEPEST:
            ways += [(self.loop, 4 if depth < 2 else 1.5), (self.condition, 1.5)]
        if self.counters:
            ways.append((self.left, 0.5))
        return pick.choices([way for way, _ in ways], [weight for _, weight in ways])[0](depth)

    def added(self, _: int) -> list[Node]:
        """`s += value`."""
        return [f"{self.chance.choice(self.scalars)} += {self.value()};"]

    def written(self, _: int) -> list[Node]:
        """An element of an array gets a value."""
        return [f"{self.element()} {self.chance.choice(('=', '=', '+='))} {self.value()};"]

    def swapped(self, _: int) -> list[Node]:
        """Two elements change places."""
        array = self.chance.choice(self.arrays)
        one, two = (array.name + "".join(f"[{self.index(size)}]" for size in array.dims) for _ in "12")
        name = self.fresh("x")
        return [Block("{", (f"{array.kind} {name} = {one};", f"{one} = {two};", f"{two} = {name};"))]

    def moved(self, _: int) -> list[Node]:
        """All elements move by one place."""
        array = self.chance.choice(self.arrays)
        if len(array.dims) > 1:
            return self.added(0)
        name, at = array.name, self.fresh("j")
        head = f"{self.chance.choice(PRAGMAS)}for (int {at} = 0; {at} < {array.dims[0] - 1}; ++{at}) {{"
        return [
            Block(head, (f"{name}[{at}] = {name}[{at} + 1];",)),
            f"{name}[{array.dims[0] - 1}]{array.part} = {self.value()};",
        ]

    def gone_through(self, _: int) -> list[Node]:
        """All elements of an array are added up."""
        return self.summed(self.chance.choice(self.arrays))

    def summed(self, array: Array) -> list[Node]:
        """All elements are added up."""
        into = self.chance.choice(self.scalars)
        way = self.chance.choice(("{0}", "{0}", "{0} * {0}", "{0} * in[t + {1} * m]"))
        return [self.over(array, lambda at, one: f"{into} += {way.format(one, at)};")]

    def over(self, array: Array, line: Callable[[str, str], str], *, whole: bool = False) -> Node:
        """A loop over all elements, or two; `line` makes the statement of a place and an element."""
        pick, names = self.chance, [self.fresh("j") for _ in array.dims]
        pragma = pick.choice(PRAGMAS)
        element = array.name + "".join(f"[{name}]" for name in names)
        at = names[0] if len(names) == 1 else f"({names[0]} * {array.dims[1]} + {names[1]})"
        parts = [array.part]
        if whole and array.part.startswith("."):
            parts = [".x", ".y"] if array.kind.startswith("struct") else [".x", ".y", ".z", ".w"]
        node: tuple[Node, ...] = tuple(line(at, element + part) for part in parts)
        for name, size in zip(reversed(names), reversed(array.dims), strict=True):
            node = (Block(f"{pragma}for (int {name} = 0; {name} < {size}; ++{name}) {{", node),)
        return node[0]

    def loop(self, depth: int) -> list[Node]:
        """A loop of one of several kinds around statements."""
        pick, name = self.chance, self.fresh("i")
        sizes = [one for array in self.arrays for one in array.dims]
        known = pick.choice(sizes) if sizes and pick.random() < 0.6 else pick.choice((2, 3, 4, 6, 8, 10, 16, 30, 50))
        pragma = pick.choice(PRAGMAS)
        kind = pick.choices(
            ("known", "run time", "outer", "until", "while"), (5, 3, 1 if self.counters else 0, 0.7, 0.5)
        )[0]
        end: int | None = known
        if kind == "known":
            head = f"{pragma}for (int {name} = 0; {name} < {known}; ++{name}) {{"
        elif kind == "outer":
            outer = pick.choice(self.counters)
            head, end = f"{pragma}for (int {name} = 0; {name} < {outer.name}; ++{name}) {{", outer.end
        elif kind == "until":
            head = f"{pragma}for (int {name} = 0; {name} < {known} && {name} < n; ++{name}) {{"
        elif kind == "run time":
            head, end = f"{pragma}for (int {name} = 0; {name} < {pick.choice(('n', 'm'))}; ++{name}) {{", None
        else:
            head, end = f"for (int {name} = {pick.choice(('t', 'n'))}; {name} > 0; {name} >>= 1) {{", None
        self.counters.append(Counted(name, end))
        body = [one for _ in range(pick.choice((1, 1, 2, 2, 3))) for one in self.statement(depth + 1)]
        self.counters.pop()
        return [Block(head, tuple(body))]

    def condition(self, depth: int) -> list[Node]:
        """Statements behind a condition, others where it is false."""
        pick = self.chance
        tests = [f"{pick.choice(self.scalars)} > {self.constant()}", f"ix[t] == {pick.randint(0, 5)}", "t < n", "n > 5"]
        body = [one for _ in range(pick.choice((1, 1, 2))) for one in self.statement(depth + 1)]
        found: list[Node] = [Block(f"if ({pick.choice(tests)}) {{", tuple(body))]
        if pick.random() < 0.35:
            found.append(Block("else {", tuple(self.statement(depth + 1))))
        return found

    def left(self, _: int) -> list[Node]:
        """A loop is left, or an iteration."""
        return [
            f"if ({self.chance.choice(self.scalars)} > {self.constant()}) {self.chance.choice(('break', 'continue'))};"
        ]

    def stored(self, _: int) -> list[Node]:
        """A value is stored in memory that others see."""
        at = (
            f" + {self.chance.choice(self.counters).name} * m"
            if self.counters
            else f" + {self.chance.randint(1, 9)} * m"
        )
        return [f"out[t{at}] = {self.value()};"]

    def updated(self, _: int) -> list[Node]:
        """A component of a vector changes."""
        return [f"{self.chance.choice(self.vectors)}.{self.chance.choice('xyzw')} += {self.value()};"]

    def pointed(self, _: int) -> list[Node]:
        """A pointer into an array is read and written."""
        flat = [one for one in self.arrays if len(one.dims) == 1 and not one.part]
        if not flat:
            return self.added(0)
        array, name = self.chance.choice(flat), self.fresh("p")
        start = self.chance.randrange(array.dims[0])
        at = self.index(array.dims[0] - start)
        return [Block("{", (f"{array.kind}* {name} = {array.name} + {start};", f"{name}[{at}] += {self.value()};"))]

    def called(self, _: int) -> list[Node]:
        """A function of its own gets an array, or numbers."""
        pick, name = self.chance, f"{self.name}_{self.fresh('f')}"
        apart = "__attribute__((noinline)) " if pick.random() < 0.12 else ""
        flat = [one for one in self.arrays if len(one.dims) == 1 and not one.part]
        into = pick.choice(self.scalars)
        if flat and pick.random() < 0.6:
            array = pick.choice(flat)
            size = array.dims[0]
            body = pick.choice((
                "return a[k] * x;",
                f"a[k] = x; return a[{pick.randrange(size)}];",
                f"{pick.choice(PRAGMAS)}for (int q = 0; q < {size}; ++q) x += a[q] * a[k]; return x;",
                f"{pick.choice(PRAGMAS)}for (int q = 1; q < {size}; ++q) a[q] = a[q - 1] + x; return a[k];",
            )).replace("\n", "\n  ")  # fmt: skip
            body = body.replace("#pragma", "\n  #pragma", 1) if body.startswith("#") else body
            head = f"__device__ {apart}{self.real} {name}({array.kind}* a, int k, {self.real} x) {{"
            self.outside.append(f"{head} {body} }}")
            return [f"{into} += {name}({array.name}, {self.index(size)}, {self.value(1)});"]
        body = pick.choice(
            ("return x * y + x;", "return x > y ? x - y : y;", "for (int q = 0; q < 5; ++q) x = x * y + q; return x;")
        )
        self.outside.append(f"__device__ {apart}{self.real} {name}({self.real} x, {self.real} y) {{ {body} }}")
        return [f"{into} += {name}({self.value(1)}, {self.value(1)});"]


def _read_back(first: int, at: str, element: str) -> str:
    return f"out[t + ({at} + {first}) * n] = {element};"


@cache
def kernel_of(seed: int) -> Kernel:
    """The kernel of a seed."""
    return Generator(random.Random(seed), f"k{seed}").kernel()
