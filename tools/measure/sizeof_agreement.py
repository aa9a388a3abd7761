"""Sizes of variables in kernels: what regpress-lint says against `sizeof` of a real compiler.

    python -m tools.measure.sizeof_agreement SRC [--target gfx90a|sm_90] [--semantic] [--unknown 20] [--csv FILE]
                                          [--only PART] [--jobs 2]

SRC is a suite of programs such as HeCBench's `src` (see `programs.py` for how a file of it is compiled). Asked about
are variables of kernels and of the device functions they reach, those of a block's declaration statements, but none of
templates. On a copy of the program every such statement is followed by

    static_assert(regpress_size<NUMBER, sizeof(NAME)>::v);

with a template that is declared and never defined, so that the compiler (clang 19 for HIP, nvcc for CUDA, front end
only) says each size in an error of its own. A file that has other errors counts as not compiled.

agree      the same number of bytes, that of an array over all extents
differ     another number: listed, one of the two is wrong
unknown    the linter gives none: with `--unknown N` the types that this happens for most often
unseen     the compiler never came by: another branch of `#if`, or a body that it does not instantiate

With `--semantic` the linter asks libclang as well, and the sizes that it has only then are counted once more apart.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.constants import array_elements
from regpress_lint.cpp.syntax_tree import Block, Case, Declare, LambdaExpr
from regpress_lint.cpp.traversal import walk
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.work import Scope
from regpress_lint.program import build_file, detect_language
from regpress_lint.source.walk import forget_flows
from tools.measure.programs import SOURCES, Programs, include_flags, language_of, mirrored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from regpress_lint.cpp.environment import Environment
    from regpress_lint.cpp.syntax_tree import Function, Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.projects import Projects

TEMPLATE = "template<unsigned long, unsigned long> struct regpress_size;\n"
_SAID = re.compile(r"regpress_size<(\d+)U?L?, (\d+)U?L?>")
_ERROR = re.compile(r"^(?:\S.*[:)] )?(?:fatal |catastrophic )?error(?: #\S+)?:(.*)")
_LIMIT_S = 180
_POINTER = 8
VERDICTS = ("agree", "differ", "unknown", "unseen")


class Asked(NamedTuple):
    """A variable. offset: behind its declaration statement; size: what the linter says, None if it does not know."""

    path: str
    offset: int
    name: str
    size: int | None
    kernel: str
    line: int
    text: str
    type: str

    @property
    def place(self) -> tuple[str, str, int]:
        """What tells two variables apart."""
        return self.path, self.name, self.offset


class Answered(NamedTuple):
    """The compiler's answer: sizes by number of the question, and its first other error."""

    sizes: dict[int, int]
    error: str = ""


def asked_of(facts: KernelFacts, texts: Texts) -> Iterator[Asked]:
    """Questions about the variables of a kernel and of its callees."""
    for function in facts.source.functions:
        if not function.template:
            data = texts.of(function.path)
            for variable, end in declarations(function):
                if (
                    data[variable.span.start : variable.span.end] != variable.name.encode()
                    or data[end - 1 : end] != b";"
                ):
                    continue  # a macro's text
                line = data.count(b"\n", 0, variable.span.start) + 1
                text = data[variable.declaration.start : end].decode("utf-8", "replace")
                yield Asked(
                    function.path,
                    end,
                    variable.name,
                    size_of(variable, facts.source.environment),
                    facts.kernel.name,
                    line,
                    " ".join(text.split())[:100],
                    variable.type.name,
                )


def declarations(function: Function) -> Iterator[tuple[Variable, int]]:
    """Variables of the declaration statements of a function's blocks, with the end of the statement.

    What an `if` or a `for` declares has no place behind it, and a lambda's type has no name.
    """
    for node in walk(function.body):
        if isinstance(node, (Block, Case)):
            for statement in node.statements:
                if isinstance(statement, Declare):
                    for variable in statement.variables:
                        if not isinstance(variable.init, LambdaExpr) and not variable.unsized_shared:
                            yield variable, statement.span.end


def size_of(variable: Variable, environment: Environment) -> int | None:
    """Bytes of a variable, over all extents."""
    size = _POINTER if variable.type.pointers else variable.type.size
    elements = array_elements(variable, environment) if variable.dims else 1
    return None if size is None or elements is None else size * elements


class Texts:
    """Contents of files, read once."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def of(self, path: str) -> bytes:
        """Content of a file; nothing of one that cannot be read."""
        if path not in self._kept:
            file = Path(path)
            self._kept[path] = file.read_bytes() if file.is_file() else b""
        return self._kept[path]


def with_questions(data: bytes, asked: Iterable[tuple[int, Asked]]) -> bytes:
    """A file with the questions written into it; line numbers stay."""
    for number, one in sorted(asked, key=lambda pair: -pair[1].offset):
        text = f" static_assert(regpress_size<{number}, sizeof({one.name})>::v);".encode()
        data = data[: one.offset] + text + data[one.offset :]
    return data


def read_answers(words: str) -> Answered:
    """Sizes in a compiler's messages; a question with several sizes (in a template) has no answer."""
    sizes: dict[int, set[int]] = defaultdict(set)
    error = ""
    for line in words.splitlines():
        if (found := _SAID.search(line)) is not None:
            sizes[int(found[1])].add(int(found[2]))
        elif not error and (match := _ERROR.search(line)) is not None and "static assertion" not in line:
            error = match[1].strip()
    return Answered({number: each.pop() for number, each in sizes.items() if len(each) == 1}, error)


def command_for(programs: Programs, target: str, source: Path, folder: Path) -> list[str]:
    """The front end of a target's compiler, which says all errors."""
    header = folder / "regpress_size.h"
    header.write_text(TEMPLATE)
    flags = [*include_flags(source), "-include", str(header), "-std=c++17", "-w", str(source)]
    chain = programs.chain
    if target.startswith("gfx"):
        return [
            str(chain.clang), "-x", "hip", f"--offload-arch={target}", "--cuda-device-only", "-nogpulib",
            f"--rocm-path={chain.hip_root}", "-fsyntax-only", "-ferror-limit=0",
            "-include", "hip/hip_runtime.h", *flags,
        ]  # fmt: skip
    return [
        str(chain.nvcc), "-x", "cu", f"-arch={target}", "-ptx", "-Xcudafe", "--error_limit=100000", "-o", "/dev/null",
        "--expt-relaxed-constexpr", "--extended-lambda", *flags,
    ]  # fmt: skip


def compile_with(
    programs: Programs, target: str, unit: Path, numbered: Sequence[tuple[int, Asked]], texts: Texts
) -> Answered:
    """Compile a translation unit with its questions."""
    by_path: dict[str, list[tuple[int, Asked]]] = defaultdict(list)
    for number, one in numbered:
        by_path[one.path].append((number, one))
    with tempfile.TemporaryDirectory(prefix="regpress-sizeof-") as name:
        folder = Path(name).resolve()
        copy = mirrored(programs.root, unit, texts.of(str(unit)), folder / "tree")
        for path, questions in by_path.items():
            changed = folder / "tree" / Path(path).relative_to(programs.root)
            # Another program is a link into the suite, to which nothing is written: what it has stays unseen.
            if changed.parent.resolve().is_relative_to(folder):
                changed.unlink(missing_ok=True)
                changed.write_bytes(with_questions(texts.of(path), questions))
        command = command_for(programs, target, copy, folder)
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=_LIMIT_S, check=False, cwd=folder
            )
        except subprocess.TimeoutExpired:
            return Answered({}, f"still running after {_LIMIT_S} s")
    return read_answers(done.stdout + done.stderr)


def unit_of(known: Projects, path: Path) -> Path | None:
    """The source that is compiled for a file: who includes it, however indirectly, or the file itself."""
    seen, current = {str(path)}, str(path)
    while (above := next((one for one in known.of(current).includers(current) if one not in seen), None)) is not None:
        seen.add(above)
        current = above
    return Path(current) if Path(current).suffix in SOURCES else None


def questions_by_unit(programs: Programs, target: str, known: Projects, only: str) -> dict[Path, list[Asked]]:
    """All questions of a suite, each place once, under the translation unit that is compiled for it."""
    settings, texts = Settings(), Texts()
    seen: set[tuple[str, str, int]] = set()
    units: dict[Path, list[Asked]] = defaultdict(list)
    for path in programs.files_for(target):
        unit = unit_of(known, path) if only in str(path) else None
        if unit is None:
            continue
        data = path.read_bytes()
        language = detect_language(str(path), data)
        assert language is not None
        file = build_file(Source(str(path), data), language, known.of(str(path)))
        for kernel in file.kernels:
            facts = kernel_facts(file, kernel, settings)
            for one in asked_of(facts, texts):
                if one.place not in seen and Path(one.path).is_relative_to(programs.root):
                    seen.add(one.place)
                    units[unit].append(one)
            facts.forget()
        forget_flows()
    return units


class Outcome(NamedTuple):
    """A question with its verdict, and the bytes that the compiler gave."""

    asked: Asked
    verdict: str
    actual: int | None


def judged(numbered: Iterable[tuple[int, Asked]], sizes: Mapping[int, int]) -> Iterator[Outcome]:
    """Verdicts of the questions of a unit that compiled."""
    for number, one in numbered:
        actual = sizes.get(number)
        if actual is None:
            yield Outcome(one, "unseen", None)
        elif one.size is None:
            yield Outcome(one, "unknown", actual)
        else:
            yield Outcome(one, "agree" if one.size == actual else "differ", actual)


def show(outcomes: Sequence[Outcome], failed: Mapping[Path, str], units: int, unknown: int, root: Path) -> None:
    """Print the counts, every difference, and the most frequent unknowns."""
    count = Counter(one.verdict for one in outcomes)
    print(f"{units} translation units with questions, {units - len(failed)} compiled")
    print("variables: " + ", ".join(f"{count[verdict]} {verdict}" for verdict in VERDICTS))
    arrays = Counter(one.verdict for one in outcomes if "[" in one.asked.text.partition("=")[0])
    print("of them arrays: " + ", ".join(f"{arrays[verdict]} {verdict}" for verdict in VERDICTS))
    for one in outcomes:
        if one.verdict == "differ":
            place = f"{Path(one.asked.path).relative_to(root)}:{one.asked.line}"
            print(f"  {place} {one.asked.name}: {one.asked.size} here, {one.actual} there: {one.asked.text}")
    if unknown:
        types = Counter((one.asked.type, one.actual) for one in outcomes if one.verdict == "unknown")
        for (name, size), number in types.most_common(unknown):
            print(f"  unknown {number:5d}  {name[:60]:60s} {size}")
        for error, number in Counter(failed.values()).most_common(unknown):
            print(f"  not compiled {number:4d}  {error[:120]}")


def main() -> int:
    """Ask, compile, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("src", type=Path)
    parser.add_argument("--target", default="gfx90a")
    parser.add_argument("--semantic", action="store_true", help="with libclang")
    parser.add_argument("--seconds", type=float, default=10.0, help="what libclang may take for one file")
    parser.add_argument("--only", default="", help="only files whose path holds this text")
    parser.add_argument("--unknown", type=int, default=0, help="how many unknown types and compiler errors to list")
    parser.add_argument("--csv", type=Path, help="write every question with its verdict")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    sys.setrecursionlimit(20_000)
    root = args.src.absolute()
    programs, target, texts = Programs(root), args.target, Texts()
    paths = [candidate.path for candidate in discover([str(root)]).files]
    off = Settings(semantic="off")
    units = questions_by_unit(programs, target, Scope(off, tuple(paths), (str(root),)).projects(), args.only)
    open_before: set[tuple[str, str, int]] = set()
    if args.semantic:
        open_before = {one.place for asked in units.values() for one in asked if one.size is None}
        on = replace(off, semantic="on", semantic_seconds=args.seconds)
        units = questions_by_unit(programs, target, Scope(on, tuple(paths), (str(root),)).projects(), args.only)
    print(f"{language_of(target)} for {target}: {sum(map(len, units.values()))} variables")
    numbered = {unit: list(enumerate(asked)) for unit, asked in units.items()}
    failed: dict[Path, str] = {}
    outcomes: list[Outcome] = []
    with ThreadPoolExecutor(args.jobs) as pool:
        answers = pool.map(lambda unit: compile_with(programs, target, unit, numbered[unit], texts), numbered)
        for unit, answer in zip(numbered, answers, strict=True):
            if answer.error:
                failed[unit] = answer.error
            else:
                outcomes.extend(judged(numbered[unit], answer.sizes))
    show(outcomes, failed, len(units), args.unknown, root)
    if args.semantic:
        count = Counter(one.verdict for one in outcomes if one.asked.place in open_before)
        print("open without libclang: " + ", ".join(f"{count[verdict]} {verdict}" for verdict in VERDICTS))
    if args.csv is not None:
        with args.csv.open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow((*Asked._fields, "verdict", "actual"))
            writer.writerows((*one.asked, one.verdict, one.actual) for one in outcomes)
            writer.writerows(
                ("", 0, "", "", "", 0, error, str(unit), "not compiled", "") for unit, error in failed.items()
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
