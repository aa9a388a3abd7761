"""How long the language server takes from a keystroke to the diagnostics of the text that it makes.

    python -m tools.measure.server_latency SRC [--edits 500] [--whole] [--json FILE]

SRC is a folder with many GPU sources (HeCBench's `src`). Of its files with kernels, and with 50 assignments and more,
the five nearest to 1,000 lines are taken, one of each program. Each is opened in a server of its own process, over
pipes as editors do it, and statements are typed into it, character by character, behind assignments drawn at random, in
kernels and on the host. A keystroke is sent when the first answer to the one before has come; between two statements
there is a pause of a second, as there is while a person thinks. Where a kernel takes long the first answer holds what
was found about it before, at its new lines, and a second one follows (docs/editors.md); `--whole` measures without
first answers: how long it takes until everything is known. Printed per file and for all:
percentiles of wall-clock time and of the server's processor time, which a busy machine leaves as it is; how many
keystrokes are answered within the bar of 100 ms; and what the first look took.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types
from pygls.lsp.client import LanguageClient

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BAR = 0.1
_LINES, _NEAR = 1000, 100
_PLACES = 50  # at which something can be typed
_PAUSE = 1.0  # seconds between two statements
_STATEMENT = "float added = 0.5f * 3.0f;\n"
_PLACE = re.compile(rb"^[ \t]+[\w\]\[.>*+-]+ *[+-]?= *[^;{}#]*;[ \t]*\r?$", re.MULTILINE)  # behind an assignment


class Answer(NamedTuple):
    """One keystroke: seconds by the wall clock and of the processor until its diagnostics."""

    wall: float
    cpu: float


def chosen(src: Path, number: int) -> list[Path]:
    """The files nearest to 1,000 lines that hold kernels, one of each program."""
    from regpress_lint.cpp.language import may_hold_kernels
    from regpress_lint.lint.discovery import is_source
    from regpress_lint.program import detect_language

    found: list[tuple[int, str, Path]] = []
    for path in sorted(src.rglob("*")):
        if not is_source(path.name) or not path.is_file():
            continue
        data = path.read_bytes()
        lines = data.count(b"\n")
        if abs(lines - _LINES) >= _NEAR or len(_PLACE.findall(data)) < _PLACES or not may_hold_kernels(data):
            continue
        if detect_language(path.as_posix(), data) is not None:
            program = re.sub(r"-(cuda|hip|sycl|omp)$", "", path.relative_to(src).parts[0])
            found.append((abs(lines - _LINES), program, path))
    by_program: dict[str, Path] = {}
    for _, program, path in sorted(found):
        if program not in by_program and len(by_program) < number and kernels_of(path):
            by_program[program] = path
    return list(by_program.values())


def kernels_of(path: Path) -> int:
    """How many kernels a file holds."""
    from regpress_lint.core.settings import Settings
    from regpress_lint.lint.pipeline import lint_bytes

    return lint_bytes(path.read_bytes(), path.as_posix(), Settings()).kernels


def keystrokes(text: str, number: int, seed: str) -> Iterator[tuple[int, int, str]]:
    """Line, column and character: whole statements, each at a place of its own."""
    draw = random.Random(seed)
    data = text.encode()
    places = sorted({data.count(b"\n", 0, match.end()) for match in _PLACE.finditer(data)})
    typed = 0
    while typed < number:
        line = draw.choice(places) + 1
        yield line, 0, "\n"
        for column, char in enumerate(_STATEMENT.rstrip("\n")):
            yield line, column, char
        typed += len(_STATEMENT)


def cpu_of(pid: int) -> float:
    """Seconds of processor time that a process has taken."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except OSError:  # it has ended
            continue
    return total / 1e9


class Session:
    """A server in its own process with one text."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.uri = path.as_uri()
        self.version = 1
        self.client = LanguageClient("benchmark", "1")
        self.answers: asyncio.Queue[int | None] = asyncio.Queue()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.answers.put_nowait(params.version)

    async def _answered(self) -> None:
        while await self.answers.get() != self.version:
            pass

    async def run(self, number: int, *, whole: bool) -> tuple[float, list[Answer]]:
        """Seconds of the first look, and the answers to keystrokes."""
        client = self.client
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        await client.start_io(sys.executable, "-m", "regpress_lint", "server", "--isolated", env=environment)
        options = {"firstAnswers": not whole}
        able = types.ClientCapabilities()
        await client.initialize_async(types.InitializeParams(capabilities=able, initialization_options=options))
        client.initialized(types.InitializedParams())
        text = self.path.read_text("utf-8", "replace")
        start = time.perf_counter()
        item = types.TextDocumentItem(self.uri, "cpp", 1, text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await self._answered()
        first = time.perf_counter() - start
        answers = [
            await self._typed(*stroke)
            for stroke, _ in zip(keystrokes(text, number, self.path.name), range(number), strict=False)
        ]
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()  # type: ignore[no-untyped-call]
        return first, answers

    async def _typed(self, line: int, column: int, char: str) -> Answer:
        assert self.client._server is not None
        if char == "\n":
            await asyncio.sleep(_PAUSE)
        pid = self.client._server.pid
        self.version += 1
        place = types.Position(line, column)
        change = types.TextDocumentContentChangePartial(types.Range(place, place), char)
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        wall, cpu = time.perf_counter(), cpu_of(pid)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        await self._answered()
        return Answer(time.perf_counter() - wall, cpu_of(pid) - cpu)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of all is not above."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def row(name: str, answers: Sequence[Answer]) -> str:
    """One line of the table."""
    cells = []
    for values in ([answer.wall for answer in answers], [answer.cpu for answer in answers]):
        cells += [f"{percentile(values, share) * 1000:6.0f}" for share in (0.5, 0.9, 0.95, 0.99)]
        cells.append(f"{sum(value <= BAR for value in values) / len(values):5.0%}")
    return f"{name:46} {' '.join(cells)}"


async def measured(paths: Sequence[Path], edits: int, *, whole: bool) -> dict[str, tuple[float, list[Answer]]]:
    """Each file, one after the other."""
    return {path.as_posix(): await Session(path).run(edits // len(paths), whole=whole) for path in paths}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("src", type=Path)
    parser.add_argument("--edits", type=int, default=500)
    parser.add_argument("--files", type=int, default=5)
    parser.add_argument("--whole", action="store_true", help="until everything is known, without first answers")
    parser.add_argument("--json", type=Path, help="write every answer to a file")
    args = parser.parse_args()
    paths = chosen(args.src.resolve(), args.files)
    found = asyncio.run(measured(paths, args.edits, whole=args.whole))
    head = f"{'p50':>6} {'p90':>6} {'p95':>6} {'p99':>6} {'<=bar':>5}"
    print(f"{'milliseconds: wall clock, processor (kernels)':46} {head} {head}")
    for path, (first, answers) in found.items():
        lines, kernels = Path(path).read_bytes().count(b"\n"), kernels_of(Path(path))
        name = f"{Path(path).relative_to(args.src.resolve())} ({lines} lines, {kernels})"
        print(row(name, answers), f"first {first * 1000:.0f}")
    every = [answer for _, answers in found.values() for answer in answers]
    print(row(f"all {len(every)} keystrokes", every))
    if args.json is not None:
        shown: dict[str, Any] = {path: [first, answers] for path, (first, answers) in found.items()}
        args.json.write_text(json.dumps(shown))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
