"""How much of real code parses with the shim headers alone: no toolkit, no system headers.

    python -m tools.measure.shim_coverage SRC [--only=-cuda] [--spans FILE] [--messages 30] [--list TEXT]

SRC is a folder with HIP, CUDA and SYCL sources. Every file with kernels is parsed by libclang as the semantic tier
does it without compile commands; its folder, the one above, `include/` and what its Makefile names are searched.
Printed per language: kernels whose body, and whose body with the device functions that it reaches, has no error
inside; the commonest errors inside kernels and in total; missing headers; parse times; crashes. Files are parsed in a
child process, so a crash of libclang is counted and the rest goes on. `--spans` keeps where kernels stand between runs,
`--list` prints the kernels' errors that contain a text.

A header, or a source that another file includes, is parsed through the source that includes it, where there is one:
many need what is before their include. `--alone` parses them by themselves. "only meant as incomplete" counts the
kernels whose errors the shims cause on purpose: a type whose size is unknown (cub's TempStorage) is incomplete, so
that no wrong size is answered.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from regpress_lint.core.source import Source
from regpress_lint.cpp.syntax_tree import Call, Function
from regpress_lint.cpp.traversal import walk
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.projects import Projects
from regpress_lint.program import build_file, detect_language
from tools.measure.programs import SOURCES, include_flags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.program.file import File
    from regpress_lint.program.model import Kernel

SHIMS = Path(__file__).resolve().parents[2] / "regpress_lint/semantics/shims"
_DEVICE = {
    "hip": ("-x", "hip", "--cuda-device-only", "--offload-arch=gfx90a", "-nogpuinc", "-nogpulib"),
    "cuda": (
        *("-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nogpuinc", "-nogpulib"),
        *("-nocudainc", "-nocudalib"),
    ),
    "sycl": ("-x", "c++"),
}
# What clang makes errors and the vendors' compilers let pass: `-w` alone leaves them.
_NO_ERRORS = ("-Wno-register", "-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal")
_FIRST = {"hip": ("-include", "hip/hip_runtime.h"), "cuda": ("-include", "cuda_runtime.h"), "sycl": ()}
_KEEP_GOING = 0x200
_ERROR = 3
_MISSING = re.compile(r"'([^']+)' file not found")
_QUOTED = re.compile(r"'([^']*)'")
_UNKNOWN_SIZE = re.compile(r"(?:incomplete type|undefined (?:member|template)) '[^']*(?:TempStorage|fragment<|State)")
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.M)
_KINDS = (" in sources", " through an includer", " in headers alone")
_CHUNK = 40
_SLOWEST_S = 60


class Kept(NamedTuple):
    """A kernel of a file: its own span and those of the device functions that it reaches, with their paths."""

    name: str
    span: tuple[int, int]
    reached: tuple[tuple[str, int, int], ...]


class Unit(NamedTuple):
    """A file with kernels."""

    path: str
    language: str
    kernels: tuple[Kept, ...]
    through: str = ""

    @property
    def parsed(self) -> str:
        """The file that libclang reads."""
        return self.through or self.path

    @property
    def kind(self) -> str:
        """Where its kernels are counted."""
        if self.through:
            return " through an includer"
        return " in sources" if Path(self.path).suffix in SOURCES else " in headers alone"


class Parsed(NamedTuple):
    """What libclang said of one file: seconds of the processor, and every error; None if it died.

    An error is its message, path, offset and line.
    """

    seconds: float
    errors: tuple[tuple[str, str, int, int], ...] | None


def language_flags(language: str) -> list[str]:
    """The flags of the semantic tier that every file of a language gets, before its own."""
    return [*_DEVICE[language], "-nostdinc", "-nostdinc++", "-std=gnu++17", "-ferror-limit=0", "-w", *_NO_ERRORS]


def shim_flags(language: str) -> list[str]:
    """Those that come behind the file's own include folders."""
    return ["-isystem", str(SHIMS), *_FIRST[language]]


def flags_for(language: str, path: str) -> list[str]:
    """The flags of the semantic tier for a file without compile commands."""
    return [*language_flags(language), *include_flags(Path(path)), *shim_flags(language)]


# ------------------------------------------------------------------------------------------------------ kernels


def find_units(root: Path, only: str) -> Iterator[Unit]:
    """Files with kernels below a folder."""
    files = [candidate.path for candidate in discover([str(root)]).files]
    projects = Projects(files, [str(root)])
    for path in files:
        if only and only not in path:
            continue
        data = Path(path).read_bytes()
        language = detect_language(path, data)
        if language is None:
            continue
        file = build_file(Source(path, data), language, projects.of(path))
        if file.kernels:
            yield Unit(path, file.language, tuple(_kept(file, kernel) for kernel in file.kernels))


def _kept(file: File, kernel: Kernel) -> Kept:
    reached: dict[tuple[str, int, int], None] = {}
    waiting: list[Function] = [kernel.function]
    while waiting:
        function = waiting.pop()
        for node in walk(function.body):
            if not isinstance(node, Call):
                continue
            found = file.find_function(node.name, len(node.args))
            if found is not None and (key := (os.path.abspath(found.path), *found.span)) not in reached:
                reached[key] = None
                waiting.append(found)
    return Kept(kernel.name, kernel.entry or kernel.function.span, tuple(reached))


def load_units(root: Path, only: str, kept: Path | None) -> list[Unit]:
    """Files with kernels, from the file that keeps them if it is there."""
    if kept is not None and kept.is_file():
        rows = json.loads(kept.read_text())
        return [
            Unit(path, language, tuple(Kept(name, tuple(span), tuple(map(tuple, far))) for name, span, far in kernels))
            for path, language, kernels in rows
            if not only or only in path
        ]
    units = list(find_units(root, only))
    if kept is not None and not only:
        kept.write_text(json.dumps(units))
    return units


def with_includers(units: list[Unit], root: Path) -> list[Unit]:
    """Units with the source that each is parsed through: the first that includes the file, over other files too."""
    texts = {path: Path(path).read_bytes() for path in (candidate.path for candidate in discover([str(root)]).files)}
    includers: dict[str, list[str]] = {}
    for path in sorted(texts):
        for name in _INCLUDE.findall(texts[path]):
            for folder in dict.fromkeys(flag[2:] for flag in include_flags(Path(path)) if flag.startswith("-I")):
                found = os.path.normpath(os.path.join(folder, name.decode(errors="replace")))
                if found in texts and found != path:
                    includers.setdefault(found, []).append(path)
                    break
    return [unit._replace(through=_top(unit.path, includers)) for unit in units]


def _top(path: str, includers: dict[str, list[str]]) -> str:
    """A source that nothing includes and that includes `path`; empty if nothing does."""
    seen, waiting = {path}, [path]
    while waiting:
        for above in includers.get(waiting.pop(0), ()):
            if above in seen:
                continue
            if above not in includers and Path(above).suffix in SOURCES:
                return above
            seen.add(above)
            waiting.append(above)
    return ""


# ------------------------------------------------------------------------------------------------------ parsing


def child() -> int:
    """Parse the files that standard input lists as JSON; one line of JSON for each."""
    import clang.cindex as cindex

    index = cindex.Index.create()
    for path, flags in json.load(sys.stdin):
        start = time.process_time()
        try:
            unit = index.parse(path, args=flags, options=_KEEP_GOING)
        except cindex.TranslationUnitLoadError:
            print("null", flush=True)
            continue
        seconds = time.process_time() - start
        errors = [
            (one.spelling, os.path.abspath(str(one.location.file)), one.location.offset, one.location.line)
            for one in unit.diagnostics
            if one.severity >= _ERROR and one.location.file
        ]
        print(json.dumps([seconds, errors]), flush=True)
    return 0


def parse(units: list[Unit]) -> list[Parsed]:
    """Parse all units in child processes; after a crash the next child goes on behind the file that crashed."""
    results: list[Parsed] = []
    while len(results) < len(units):
        chunk = units[len(results) : len(results) + _CHUNK]
        work = json.dumps([(unit.parsed, flags_for(unit.language, unit.parsed)) for unit in chunk])
        try:
            done = subprocess.run(
                [sys.executable, "-m", "tools.measure.shim_coverage", "--child"],
                input=work,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                timeout=_SLOWEST_S + 2 * len(chunk),
                check=False,
            ).stdout
        except subprocess.TimeoutExpired as error:
            done = (error.stdout or b"").decode()
        rows: list[Any] = [json.loads(line) for line in done.splitlines() if line.endswith(("]", "null"))]
        results += [Parsed(row[0], tuple(map(tuple, row[1]))) if row else Parsed(0.0, None) for row in rows]
        if len(rows) < len(chunk):
            results.append(Parsed(0.0, None))
    return results


# ------------------------------------------------------------------------------------------------------ the report


class Tally:
    """Numbers of one language."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.inside: Counter[str] = Counter()
        self.total: Counter[str] = Counter()
        self.headers: Counter[str] = Counter()
        self.times: list[float] = []

    def add(self, unit: Unit, parsed: Parsed, root: Path, wanted: str) -> None:
        """One file."""
        self.count["files"] += 1
        if parsed.errors is None:
            self.count["crashes"] += 1
            self.count["kernels"] += len(unit.kernels)
            print(f"   crash: {unit.path}")
            return
        self.times.append(parsed.seconds)
        own = os.path.abspath(unit.path)
        for message, *_ in parsed.errors:
            self.total[_general(message)] += 1
            self.headers.update(_MISSING.findall(message)[:1])
        for kernel in unit.kernels:
            inside = [one for one in parsed.errors if one[1] == own and kernel.span[0] <= one[2] < kernel.span[1]]
            spans = ((own, *kernel.span), *kernel.reached)
            reached = any(one[1] == path and low <= one[2] < high for one in parsed.errors for path, low, high in spans)
            self.inside.update({_general(one[0]) for one in inside})
            meant = bool(inside) and all(_UNKNOWN_SIZE.search(one[0]) for one in inside)
            for name in ("", unit.kind):
                self.count[f"kernels{name}"] += 1
                self.count[f"clean{name}"] += not inside
            self.count["clean with what they reach"] += not reached
            self.count["only meant as incomplete"] += meant
            for one in inside if wanted else ():
                if wanted in one[0]:
                    print(f"   {os.path.relpath(unit.path, root)}:{one[3]} {one[0]}")

    def report(self, language: str, shown: int) -> None:
        """Print."""
        count = self.count
        print(f"== {language}: {count['files']} files, {count['kernels']} kernels, {count['crashes']} crashes")
        for name in ("", *_KINDS, " with what they reach"):
            whole = count["kernels"] if name == " with what they reach" else count["kernels" + name]
            if whole:
                clean = count["clean" + name]
                print(f"   {'clean' + name:28s}{clean:6d} of {whole:5d} = {100 * clean / whole:.2f} %")
        print(f"   {'only meant as incomplete':28s}{count['only meant as incomplete']:6d}")
        if len(self.times) > 1:
            tenth = statistics.quantiles(self.times, n=10)[-1]
            median = statistics.median(self.times)
            print(f"   processor time to parse: median {1000 * median:.0f} ms, 90 % below {1000 * tenth:.0f} ms")
        for title, counted in (
            ("kernels with the error", self.inside),
            ("errors in all", self.total),
            ("headers missing", self.headers),
        ):
            print(f"   {title}:")
            for message, number in counted.most_common(shown):
                print(f"   {number:6d}  {message}")


def _general(message: str) -> str:
    """A message without most of its names: the first is kept."""
    parts = _QUOTED.split(message)
    return "".join(part if at % 2 == 0 or at == 1 else "_" for at, part in enumerate(parts))[:160]


def main() -> int:
    """Parse everything below a folder and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("src", type=Path)
    parser.add_argument("--only", default="", help="only paths with this text")
    parser.add_argument("--language", default="", help="only one language")
    parser.add_argument("--spans", type=Path, help="where to keep the kernels' places between runs")
    parser.add_argument("--alone", action="store_true", help="parse headers and included sources by themselves")
    parser.add_argument("--messages", type=int, default=25)
    parser.add_argument("--list", default="", help="print the errors inside kernels that contain this text")
    args = parser.parse_args()
    sys.setrecursionlimit(20_000)
    units = [unit for unit in load_units(args.src, args.only, args.spans) if args.language in ("", unit.language)]
    if not args.alone:
        units = with_includers(units, args.src)
    tallies: dict[str, Tally] = {}
    for unit, parsed in zip(units, parse(units), strict=True):
        tallies.setdefault(unit.language, Tally()).add(unit, parsed, args.src, args.list)
    for language, tally in sorted(tallies.items()):
        tally.report(language, args.messages)
    return 0


if __name__ == "__main__":
    raise SystemExit(child() if sys.argv[1:] == ["--child"] else main())
