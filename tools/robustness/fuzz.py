"""Damaged inputs: each must lead to a report in bounded time and memory.

    python -m tools.robustness.fuzz --seconds N [--seed S] [--keep DIR] [--largest BYTES] [--tally FILE] [FOLDER ...]
    python -m tools.robustness.fuzz --seconds N --kind all

Files of `testdata` (and of the folders), and kernels cut out of those that are too large, are changed by what a grammar
knows: tokens, blocks, templates, macros, `#if`, launches and lambdas are dropped, doubled, swapped, nested and put
elsewhere; bytes are flipped, texts cut and joined.
Each result is linted with every rule, for one of three vendors. What must not be: an exception, RP009, more CPU seconds
than DEADLINE, or a process that grows by more than GROWTH. What does it is written to `--keep`, with the reason as its
first line, made smaller first. The same seed makes the same inputs. With `--kind` other readers than that of sources
get damaged inputs (`fuzz_kinds.py`): `all` of them, one after the other. What an input takes is mostly its length: with
`--largest 300` several times as many fit into an hour. `--tally` adds the inputs of each kind to a file of counts.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import random
import re
import resource
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.errors import UsageError
from regpress_lint.core.settings import Settings
from regpress_lint.lint.pipeline import lint_bytes
from tools.robustness.fuzz_kinds import Kind, kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Change = Callable[[random.Random, bytes, bytes], bytes]

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 2.0  # CPU seconds
GROWTH = 200 << 20  # bytes
LARGEST = 4_000  # bytes of an input: each is small, so that there are many
VENDORS = tuple(Settings(profile="strict", architectures=(name,)) for name in ("gfx90a", "sm_90", "pvc"))
_HEAD = re.compile(rb"^[^\n]*(?:__global__|parallel_for|nd_range|_LAMBDA|ParallelFor|forall)", re.MULTILINE)
_TOKEN = re.compile(rb"[A-Za-z_]\w*|\d[\w.]*|<<<|>>>|::|->|\s+|//[^\n]*|\"[^\"\n]*\"|[-+*/%&|^<>=!]=|.", re.DOTALL)
_PIECES = tuple(
    text.encode()
    for text in (
        "template <class T, int N = 4> ", "template <> ", "<float, 3>", "typename T::type ", "decltype(x) ", "auto ",
        "#if A\n", "#ifdef __CUDA_ARCH__\n", "#elif B > 1\n", "#else\n", "#endif\n", "#define A(x) B(x, x)\n",
        "#define B(x, ...) A(__VA_ARGS__)\n", "#define C {\n", "#pragma unroll\n", "#pragma unroll 1000000\n",
        "#include \"main.hip\"\n", "__global__ ", "__device__ ", "__shared__ ", "__launch_bounds__(1 << 40, -1) ",
        "<<<", ">>>", "k<<<1, 99999999999>>>(", "[=] __device__ (int i) ", "KOKKOS_LAMBDA(int i) ", "operator()(",
        "for (int i = 0; i < 1 << 30; i += i) ", "while (1) ", "do ", "switch (x) { case 1: ", "goto a; a: ", "if (",
        "else ", "return ", "asm volatile(\"\" : \"=r\"(x)); ", "struct S { S *next; S operator[](int); }; ",
        "union { ",
        "double t[N][1 << 20]; ", "int (*f)(int) = &f; ", "x[x[x[0]]] ", "1e999 ", "0x7fffffffffffffff ", "'\\0' ",
        "R\"(", ")\"", "/*", "*/", "//", "\\\n", "{", "}", "(", ")", "[", "]", ";", ",", "?", ":", "\0", "\xff",
        "namespace a { ", "using T = T; ", "constexpr int N = N + 1; ", "float4 ", "reinterpret_cast<double *>(", "&",
        "sizeof(", "alignas(64) ", "[[", "]]", "~", "co_await ", "requires C<T> ", "// regpress: budget vgpr<=0 x\n",
        "// regpress-lint: ignore[RP201]\n", "extern \"C\" ", "__attribute__((amdgpu_waves_per_eu(0, -1))) ",
    )
)  # fmt: skip


class Failure(NamedTuple):
    """What an input did that must not be."""

    reason: str
    data: bytes


class _TooLongError(BaseException):
    """Past all `except Exception` on its way out."""


# ---------------------------------------------------------------------------------------------------------- mutations


def _tokens(text: bytes) -> list[bytes]:
    return _TOKEN.findall(text)


def _block(chance: random.Random, text: bytes) -> tuple[int, int]:
    """A block in braces, brackets or parentheses, or any piece where there is none."""
    openings = [match.start() for match in re.finditer(rb"[{(\[]", text)]
    start = chance.choice(openings) if openings else 0
    depth = 0
    for match in re.finditer(rb"[{(\[\])}]", text[start:]):
        depth += 1 if match[0] in b"{([" else -1
        if depth <= 0:
            return start, start + match.end()
    return start, len(text)


def drop_tokens(chance: random.Random, text: bytes, _other: bytes) -> bytes:
    """Without a few tokens."""
    parts = _tokens(text)
    for _ in range(chance.randint(1, 4)):
        if parts:
            del parts[chance.randrange(len(parts))]
    return b"".join(parts)


def swap_tokens(chance: random.Random, text: bytes, other: bytes) -> bytes:
    """With tokens of another text in the place of some."""
    parts, theirs = _tokens(text), _tokens(other)
    for _ in range(chance.randint(1, 6)):
        if parts and theirs:
            parts[chance.randrange(len(parts))] = chance.choice(theirs)
    return b"".join(parts)


def insert_pieces(chance: random.Random, text: bytes, _other: bytes) -> bytes:
    """With pieces of the grammar put anywhere between tokens."""
    parts = _tokens(text)
    for _ in range(chance.randint(1, 4)):
        parts.insert(chance.randint(0, len(parts)), chance.choice(_PIECES) * chance.choice((1, 1, 1, 2, 50)))
    return b"".join(parts)


def double_block(chance: random.Random, text: bytes, _other: bytes) -> bytes:
    """With a block several times in its place."""
    start, end = _block(chance, text)
    return text[:start] + text[start:end] * chance.choice((2, 3, 10)) + text[end:]


def nest_block(chance: random.Random, text: bytes, _other: bytes) -> bytes:
    """With a block in itself, some levels deep."""
    start, end = _block(chance, text)
    inner = text[start:end]
    for _ in range(chance.choice((1, 2, 5))):
        middle = len(inner) // 2
        inner = inner[:middle] + text[start:end] + inner[middle:]
        if len(inner) > LARGEST:
            break
    return text[:start] + inner + text[end:]


def swap_blocks(chance: random.Random, text: bytes, other: bytes) -> bytes:
    """With a block of another text in the place of one."""
    start, end = _block(chance, text)
    first, last = _block(chance, other)
    return text[:start] + other[first:last] + text[end:]


def wrap(chance: random.Random, text: bytes, _other: bytes) -> bytes:
    """With something in brackets, conditionals or macros around a part, some levels deep."""
    start, end = _block(chance, text)
    opening, closing = chance.choice(
        (
            (b"(", b")"),
            (b"{", b"}"),
            (b"if (x) {", b"}"),
            (b"\n#if A\n", b"\n#endif\n"),
            (b"A(", b")"),
            (b"[&] {", b"}()"),
        )
    )
    times = chance.choice((1, 3, 30))
    return text[:start] + opening * times + text[start:end] + closing * times + text[end:]


def flip_bytes(chance: random.Random, text: bytes, _other: bytes) -> bytes:
    """With some bytes changed."""
    data = bytearray(text)
    for _ in range(chance.randint(1, 8)):
        if data:
            data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def cut(chance: random.Random, text: bytes, _other: bytes) -> bytes:
    """The text up to or from some byte."""
    at = chance.randint(0, len(text))
    return text[:at] if chance.random() < 0.7 else text[at:]


def join(chance: random.Random, text: bytes, other: bytes) -> bytes:
    """The beginning of one text and the end of another."""
    return text[: chance.randint(0, len(text))] + other[chance.randint(0, len(other)) :]


MUTATIONS: tuple[Change, ...] = (
    drop_tokens, swap_tokens, insert_pieces, insert_pieces, double_block, nest_block, swap_blocks, wrap, flip_bytes,
    cut, join,
)  # fmt: skip


def inputs(
    seed: int, texts: Sequence[bytes], changes: Sequence[Change] = MUTATIONS, largest: int = LARGEST
) -> Iterator[bytes]:
    """Inputs without end, the same for the same seed, texts and ways to change them."""
    chance = random.Random(seed)
    while True:
        data = chance.choice(texts)
        for _ in range(chance.choice((1, 1, 2, 3, 6))):
            data = chance.choice(changes)(chance, data, chance.choice(texts))[:largest]
        yield data


# -------------------------------------------------------------------------------------------------------------- checks


def lint(data: bytes) -> str | None:
    """RP009, if a source makes a rule fail. Which vendor it is for depends on the input."""
    report = lint_bytes(data, "main.hip", VENDORS[sum(data) % len(VENDORS)])
    internal = [diagnostic for diagnostic in report.diagnostics if diagnostic.code == "RP009"]
    return internal[0].message[:200] if internal else None


def failure(data: bytes, deadline: float = DEADLINE, ask: Callable[[bytes], str | None] = lint) -> str | None:
    """What an input does that must not be, to linting it or to another reader; None if it is fine."""

    def late(_number: int, _frame: object) -> None:
        raise _TooLongError

    previous = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, deadline)
    try:
        return ask(data)
    except UsageError:
        return None
    except _TooLongError:
        return "deadline"
    except Exception as error:  # what must not happen is what is looked for
        return f"{type(error).__name__}: {error}"[:200]
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


def smaller(data: bytes, reason: str, ask: Callable[[bytes], str | None] = lint, tries: int = 200) -> bytes:
    """An input that fails in the same way, with fewer lines and tokens."""
    kind = reason.partition(":")[0]
    for split in (lambda text: text.splitlines(keepends=True), _tokens):
        parts = split(data)
        step = max(len(parts) // 2, 1)
        while step and tries > 0:
            at = 0
            while at < len(parts) and tries > 0:
                tries -= 1
                rest = parts[:at] + parts[at + step :]
                found = failure(b"".join(rest), ask=ask)
                if found is not None and found.partition(":")[0] == kind:
                    parts = rest
                else:
                    at += step
            step //= 2
        data = b"".join(parts)
    return data


def seeds(folders: Sequence[str] = (), largest: int = LARGEST) -> list[bytes]:
    """The texts that are changed, in the order of their names: files, and the kernels of files that are too large."""
    roots = [ROOT / "testdata", *map(Path, folders)]
    suffixes = {".cu", ".hip", ".cpp", ".cuh", ".hpp", ".h", ".cc"}
    paths = sorted(path for root in roots for path in root.rglob("*") if path.suffix in suffixes and path.is_file())
    texts = (path.read_bytes() for path in paths)
    found = (each for data in texts for each in ((data,) if len(data) <= largest else _kernels(data)))
    return list(dict.fromkeys(each for each in found if 0 < len(each) <= largest))


def _kernels(data: bytes) -> Iterator[bytes]:
    """The pieces of a file that begin with the line of a kernel or a launch and end with their last brace."""
    for head in _HEAD.finditer(data):
        depth = 0
        for brace in re.finditer(rb"[{}]", data[head.start() : head.start() + LARGEST]):
            depth += 1 if brace[0] == b"{" else -1
            if depth <= 0:
                yield data[head.start() : head.start() + brace.end()]
                break


SOURCE = Kind(seeds, MUTATIONS, lint)


def counted(tally: Path | None, name: str, count: int) -> None:
    """Add inputs of a kind to the counts in a file."""
    if tally is not None:
        counts = json.loads(tally.read_text()) if tally.exists() else {}
        tally.write_text(json.dumps({**counts, name: counts.get(name, 0) + count}, indent=1) + "\n")


def search(
    seed: int, texts: Sequence[bytes], seconds: float, kind: Kind = SOURCE, largest: int = LARGEST
) -> tuple[int, list[Failure]]:
    """How many inputs there was time for, and those that failed, each reason once."""
    found: dict[str, Failure] = {}
    count, end = 0, time.process_time() + seconds
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    for data in inputs(seed, texts, kind.changes, largest):
        if time.process_time() > end:
            break
        count += 1
        reason = failure(data, ask=kind.ask)
        now = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        if reason is None and now > most + GROWTH:
            reason = f"memory: {now - most:,} bytes more"
        most = max(most, now)
        if reason is not None and reason not in found:
            found[reason] = Failure(reason, data)
            print(f"input {count}: {reason}", flush=True)
    return count, list(found.values())


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"))
    parser.add_argument("--largest", type=int, default=LARGEST, help="bytes of a source: small ones are fast")
    parser.add_argument("--tally", type=Path, help="add the number of inputs of each kind to this file")
    parser.add_argument("--kind", default="source", help="source, all (others), or the beginning of a name")
    given = parser.parse_args(arguments)
    sys.setrecursionlimit(20_000)
    gc.set_threshold(50_000, 10, 20)  # as a run has it
    found: dict[str, Kind] = {"source": SOURCE._replace(texts=lambda: seeds(given.folders, given.largest))}
    if given.kind != "source":
        every = kinds(MUTATIONS)
        found = {name: kind for name, kind in every.items() if given.kind == "all" or name.startswith(given.kind)}
        if not found:
            parser.error(f"--kind: one of source, all, {', '.join(every)}")
    return max(run(name, kind, given) for name, kind in found.items())


def run(name: str, kind: Kind, given: argparse.Namespace) -> int:
    """Look for failures of one kind, and keep them: 1 if there are any."""
    texts = kind.texts()
    for text in texts[:50]:  # what is imported and compiled with the first files
        failure(text, deadline=60, ask=kind.ask)
    largest = given.largest if name == "source" else max(map(len, texts)) * 2
    gc.freeze()
    count, failures = search(given.seed, texts, given.seconds, kind, largest)
    counted(given.tally, name, count)
    for each in failures:
        tries = (
            0 if each.reason.startswith("memory") else 20 if each.reason == "deadline" else 200
        )  # each takes as long
        data = smaller(each.data, each.reason, kind.ask, tries)
        given.keep.mkdir(parents=True, exist_ok=True)
        stem = hashlib.blake2b(data, digest_size=6).hexdigest()
        if name == "source":
            target = given.keep / f"{stem}.hip"
            data = f"// {each.reason.splitlines()[0]}\n".encode() + data
        else:
            target = given.keep / f"{name.replace(':', '-')}-{stem}"
        target.write_bytes(data)
        print(target)
    print(f"{name}: {count:,} inputs from {len(texts)} files, {len(failures)} reasons to fail", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
