"""Readers other than of sources that `fuzz.py` gives damaged inputs: builds, configurations, an editor's messages.

A kind has valid texts, ways to damage them, and a function that reads them. The function returns None if the program
keeps its promise for bad input: an answer, a line that names the omitted part, or a UsageError.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import re
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from regpress_lint.core.measured import NUMBERS
from regpress_lint.measured import inputs as measured_inputs
from regpress_lint.measured.demangle import demangled
from regpress_lint.measured.elf import Elf, ElfError
from regpress_lint.measured.ratchet import compared, taken

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Sequence

    Change = Callable[[random.Random, bytes, bytes], bytes]

SAMPLES = Path(__file__).resolve().parents[2] / "testdata" / "measured"
_BAD = re.compile(r'Traceback|"ruleId":\s*"RP009"|\bRP009 ')
KERNEL = (
    b"#include <cuda_runtime.h>\n__global__ void __launch_bounds__(256) square(double *x) {\n"
    b"  x[threadIdx.x] = pow(x[threadIdx.x], 2.0);\n}\n"
)
_ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1 << 31, 1 << 70, 1.5, float("inf"), "", "x", "\0", "\ud800", "../../..", "a" * 5_000, [], {},
    [[]], {"": None}, "file:///nowhere", "-o", "@", "1e9",
)  # fmt: skip


class Kind(NamedTuple):
    """texts: what is damaged. changes: how. ask: None, or what must not be; it may raise UsageError."""

    texts: Callable[[], Sequence[bytes]]
    changes: Sequence[Change]
    ask: Callable[[bytes], str | None]


# ------------------------------------------------------------------------------------------------------------- changes


def damage(chance: random.Random, data: bytes, _other: bytes) -> bytes:
    """With a byte or a number changed, a part dropped, doubled or moved, or the end cut off."""
    changed = bytearray(data)
    if len(changed) < 64:
        return data
    at, kind = chance.randrange(len(changed)), chance.randrange(5)
    if kind == 0:
        changed[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
    elif kind == 1:
        width = chance.choice((2, 4, 8))
        changed[at : at + width] = chance.choice((b"\xff" * width, b"\0" * width, chance.randbytes(width)))
    elif kind == 2:
        del changed[at : at + chance.randrange(1, 64)]
    elif kind == 3:
        changed[at:at] = changed[chance.randrange(len(changed)) :][: chance.randrange(1, 64)]
    else:
        del changed[max(64, at) :]
    return bytes(changed)


def damage_debug(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """With bytes or numbers of an object's debug information changed, where other damage seldom gets to."""
    try:
        sections = Elf(data).sections
    except ElfError:  # of an earlier change
        return damage(chance, data, other)
    spans = [(section.offset, section.size) for section in sections if section.name.startswith((".debug", ".rel"))]
    spans = [span for span in spans if span[1] and sum(span) <= len(data)]
    if not spans:
        return damage(chance, data, other)
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        offset, size = chance.choice(spans)
        at, width = offset + chance.randrange(size), chance.choice((1, 1, 1, 2, 4, 8))
        changed[at : at + width] = chance.choice((b"\xff" * width, b"\0" * width, chance.randbytes(width)))
    return bytes(changed) if chance.random() < 0.8 else damage(chance, bytes(changed), other)


def odd_value(chance: random.Random, data: bytes, other: bytes) -> bytes:
    """JSON with a value replaced, dropped, doubled, nested, or taken from another text."""
    try:
        content, theirs = json.loads(data), json.loads(other)
    except (ValueError, RecursionError):
        return damage(chance, data, other)
    places = list(_places(content))
    if not places:
        return json.dumps(chance.choice(_ODD)).encode()
    holder, key = chance.choice(places)
    kind = chance.randrange(6)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder[key:key] = [holder[key]] * chance.choice((1, 5))
    elif kind == 2:
        holder[key] = {"x": holder[key]} if chance.random() < 0.5 else [holder[key]]
    elif kind == 3 and (others := list(_places(theirs))):
        there, name = chance.choice(others)
        holder[key] = there[name]
    elif kind == 4 and isinstance(holder[key], str):
        holder[key] = damage(chance, holder[key].encode().ljust(64), b"").decode("utf-8", "replace")
    else:
        holder[key] = chance.choice(_ODD)
    return json.dumps(content).encode()


def _places(content: Any) -> Iterator[tuple[Any, Any]]:
    keys: Any = content if isinstance(content, dict) else range(len(content)) if isinstance(content, list) else ()
    for key in keys:
        yield content, key
        yield from _places(content[key])


# ------------------------------------------------------------------------------------------------- readers of `measure`


def _sample(name: str) -> Callable[[], list[bytes]]:
    return lambda: [(SAMPLES / name).read_bytes()]


def ask_reader(data: bytes) -> str | None:
    """A log or an object: rows or problems, no number below 0, and rows that a comparison takes."""
    found = measured_inputs.read(data, "input", ("gfx90a",))
    if not found.rows and not found.problems:
        return "neither rows nor problems"
    if wrong := [name for row in found.rows for name in NUMBERS if (getattr(row, name) or 0) < 0]:
        return f"{wrong[0]} is negative"
    kernels = taken(found.rows, 256, lambda _row: "")
    moved = [move for move in compared(kernels, kernels) if move.moved]
    return "a kernel differs from itself" if moved else None


def symbols() -> list[bytes]:
    """Mangled names of the samples."""
    rows = [row for path in sorted(SAMPLES.iterdir()) for row in measured_inputs.read(path.read_bytes(), "x").rows]
    return [
        *sorted({row.symbol.encode() for row in rows}),
        b"_ZN2ns1kIfLi4EXadL_Z1fvEEJiS_T_EEEvPKT_DpT0_NSt6vectorIS4_SaIS4_EEE",
        b"_ZZZ4mainENKUlRT_E_clIN4sycl3_V17handlerEEEDaS0_ENKUlvE_clEv",
        b"_Z1tIXsr3std7is_sameIT_iEE5valueEEvDTcl1fIT_EEE",
    ]


def ask_demangler(data: bytes) -> str | None:
    """A symbol: some text."""
    return None if demangled(data.decode("utf-8", "replace")).whole or not data else "no name"


# ------------------------------------------------------------------------------------------- files for the command line


@cache
def _folder() -> Path:
    """A folder of this process with a kernel, which is the working folder from then on."""
    folder = Path(tempfile.mkdtemp(prefix="regpress-fuzz-"))
    (folder / "a.cu").write_bytes(KERNEL)
    os.environ["XDG_CONFIG_HOME"] = str(folder / "config")
    return folder


@dataclass(frozen=True)
class Command:
    """A run of the command line in a folder where `file` holds the input."""

    file: str
    words: tuple[str, ...]

    def run(self, data: bytes) -> tuple[int, str]:
        """Exit status, and all that was said."""
        from regpress_lint.__main__ import main

        folder = _folder()
        here, told = os.getcwd(), io.StringIO()
        os.chdir(folder)
        try:
            (folder / self.file).write_bytes(data)
            with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
                status = main(self.words)
        except SystemExit as end:
            status = int(str(end.code or 0))
        finally:
            for path in folder.iterdir():
                if path.is_file() and path.name != "a.cu":
                    path.unlink()
            os.chdir(here)
        return status, told.getvalue()

    def __call__(self, data: bytes) -> str | None:
        """What must not be."""
        status, text = self.run(data)
        bad = _BAD.search(text)
        return f"{text[bad.start() :][:160]}" if bad else None if status in (0, 1, 2) else f"status {status}"


def _configurations() -> list[bytes]:
    """The examples of the page, each by itself and all together; those that name other files need these."""
    page = (SAMPLES.parent.parent / "docs" / "configuration.md").read_text(encoding="utf-8")
    found = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    own = [each for each in found if not re.match(r"extend =|build-dir|baseline", each)]
    return [each.encode() for each in (*own, "".join(each for each in own if not each.startswith("[")))]


def _baselines() -> list[bytes]:
    head = b"version = 1\nfindings = [\n"
    one = b'  { path = "a.cu", kernel = "square", rule = "RP201", subject = "pow", severity = "info" },\n'
    two = b'  { path = "b.cu", kernel = "t<4>", rule = "RP403", severity = "info", count = 3 },\n'
    return [head + one + b"]\n", head + one + two + b"]\n"]


def _commands() -> list[bytes]:
    words = [
        "nvcc",
        "-arch=sm_90",
        "-DN=4",
        "-Iinc",
        "-isystem",
        "sys",
        "--maxrregcount",
        "32",
        "-std=c++17",
        "-c",
        "a.cu",
    ]
    hip = "clang++ -x hip --offload-arch=gfx90a -D'S=\"a b\"' @flags.rsp -mllvm -amdgpu-x=1 -include pre.h -c a.cu"
    return [
        json.dumps([{"directory": ".", "file": "a.cu", "arguments": words}]).encode(),
        json.dumps([{"directory": "/nowhere", "file": "a.cu", "command": hip, "output": "a.o"}]).encode(),
        json.dumps(
            [
                {"directory": "sub", "file": "../a.cu", "command": "ccache nvcc -Xcompiler -fPIC,-O2 -gencode a.cu"},
                {"directory": ".", "file": "b.cu", "arguments": ["icpx", "-fsycl", "--cuda-gpu-arch=sm_80", "b.cu"]},
            ]
        ).encode(),
    ]


def _documents() -> list[bytes]:
    numbers = dict.fromkeys(NUMBERS, 4)
    row = {"symbol": "_Z6squarePd", "target": "sm_90", "path": "a.cu", "line": 2, **numbers}
    row |= {"compiler": "nvcc", "version": "13.0", "unit": "a.cu", "origin": ["log"], "inputs": ["x.log"]}
    kernels = [{"name": "square", "instances": [row, {**row, "target": "gfx90a", "registers": None}]}]
    return [json.dumps({"version": 1, "tool": {"name": "regpress-lint"}, "kernels": kernels}).encode()]


def _proofs() -> list[bytes]:
    numbers = {"registers": 20, "scratch_bytes": 0, "spills": 0, "waves": 8, "code_bytes": 100}
    change = {"verdict": "improved", "before": numbers, "after": {**numbers, "registers": 12}, "error": None}
    finding = {"code": "RP201", "path": "a.cu", "kernel": "square", "line": 3, "verdict": "confirmed"}
    return [json.dumps({"version": 1, "findings": [{**finding, "targets": {"sm_90": change}}]}).encode()]


# ------------------------------------------------------------------------------------------------- an editor's messages


def _session() -> list[bytes]:
    """Messages of an editor, one after the other, the first two (`initialize`, `initialized`) left out."""
    from server_helpers import at, span

    uri = "file:///nowhere/a.cu"
    document = {"uri": uri, "languageId": "cuda", "version": 1, "text": KERNEL.decode()}
    here = {"textDocument": {"uri": uri}}
    change = {"range": span((2, 23), (2, 26)), "text": "sin"}
    told = [
        ("textDocument/didOpen", {"textDocument": document}),
        ("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]}),
        ("textDocument/didSave", here),
        ("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]}),
        ("workspace/didChangeConfiguration", {"settings": {"regpress-lint": {"inlayHints": True}}}),
    ]
    place = {**here, "position": at(1, 45)}
    whole = {**here, "range": span((0, 0), (4, 0))}
    asked = [
        ("textDocument/diagnostic", here),
        ("textDocument/hover", place),
        ("textDocument/codeAction", {**whole, "context": {"diagnostics": [], "only": ["quickfix"]}}),
        ("textDocument/codeLens", here),
        ("textDocument/inlayHint", whole),
        ("textDocument/documentSymbol", here),
        ("workspace/executeCommand", {"command": "regpress-lint.explain", "arguments": ["RP201"]}),
    ]
    messages = [{"jsonrpc": "2.0", "method": method, "params": params} for method, params in told]
    messages += [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for number, (method, params) in enumerate(asked, 100)
    ]
    closed = {"jsonrpc": "2.0", "method": "textDocument/didClose", "params": here}
    return [json.dumps([*messages[start::step], closed]).encode() for start, step in ((0, 1), (0, 2), (0, 3))]


def ask_server(data: bytes) -> str | None:
    """A session: no exception of ours, and an answer to a question at its end."""
    import logging

    from server_helpers import Editor

    logging.disable(logging.CRITICAL)
    try:
        messages = json.loads(data)
    except (ValueError, RecursionError):
        return None
    editor = Editor(("--isolated",))
    found: list[str] = []

    def report(error: BaseException, _source: object) -> None:
        if _is_ours(error):
            found.append(f"{type(error).__name__}: {error}"[:200])

    editor.server._report_server_error = report  # type: ignore[method-assign,assignment]
    editor.loop.set_exception_handler(lambda _loop, context: report(context.get("exception") or OSError(), None))
    try:
        editor.initialize()
        for message in messages if isinstance(messages, list) else [messages]:
            with contextlib.suppress(*_refusals()):
                editor.post(message)
        editor.open("file:///nowhere/last.cu", KERNEL.decode())
        ids = [each.get("id") for each in editor.sent]
        number = max([each for each in ids if isinstance(each, int)], default=0) + 1_000
        editor.post({"jsonrpc": "2.0", "id": number, "method": "textDocument/documentSymbol",
                     "params": {"textDocument": {"uri": "file:///nowhere/last.cu"}}})  # fmt: skip
        answers = [each.get("result") for each in editor.sent if each.get("id") == number]
        shut = any(isinstance(each, dict) and each.get("method") in ("shutdown", "exit") for each in messages)
        if not any(answers) and not shut:
            found.append("no answer after all that")
    finally:
        editor.loop.run_until_complete(asyncio.sleep(0))
        editor.loop.close()
    return found[0] if found else None


def _is_ours(error: BaseException) -> bool:
    """Whether code of this program raised it, or called what did; what pygls refuses by itself is the protocol's."""
    from pygls.exceptions import JsonRpcException

    trace = error.__traceback__
    names = []
    while trace is not None:
        names.append(trace.tb_frame.f_globals.get("__name__", ""))
        trace = trace.tb_next
    return not isinstance(error, JsonRpcException) and any(name.startswith("regpress_lint") for name in names)


@cache
def _refusals() -> tuple[type[BaseException], ...]:
    """Errors that pygls raises for an invalid message before our code sees it; it continues with the next one."""
    from pygls.exceptions import JsonRpcException

    return (JsonRpcException, AttributeError, TypeError)


# ------------------------------------------------------------------------------------------------------------ the kinds


def kinds(changes: Sequence[Change]) -> dict[str, Kind]:
    """All kinds by name; changes: those that a text of any language can suffer."""
    structured = (odd_value, odd_value, odd_value, *changes[-3:])
    objects = sorted(path.name for path in SAMPLES.iterdir() if path.suffix not in (".cl", ".hip", ".h"))
    found = {
        f"measure:{name}": Kind(
            _sample(name),
            (damage_debug if name.startswith("places") and not name.endswith(".s") else damage,),
            ask_reader,
        )
        for name in objects
    }
    found["demangle"] = Kind(symbols, (damage, *changes[-3:]), ask_demangler)
    check = ("check", "a.cu", "--no-cache", "--isolated")
    texts: dict[str, tuple[Callable[[], list[bytes]], str, tuple[str, ...]]] = {
        "configuration": (_configurations, "regpress.toml", ("check", "a.cu", "--no-cache")),
        "baseline": (_baselines, "b.toml", (*check, "--baseline", "b.toml")),
    }
    documents: dict[str, tuple[Callable[[], list[bytes]], str, tuple[str, ...]]] = {
        "commands": (_commands, "compile_commands.json", (*check, "--semantic", "off", "-p", ".")),
        "measured": (_documents, "m.json", ("kernels", "a.cu", "--no-cache", "--isolated", "--measured", "m.json")),
        "confirmed": (_proofs, "v.json", (*check, "--confirmed", "v.json", "--output-format", "sarif")),
    }
    found |= {name: Kind(right, changes, Command(file, words)) for name, (right, file, words) in texts.items()}
    found |= {name: Kind(right, structured, Command(file, words)) for name, (right, file, words) in documents.items()}
    found["server"] = Kind(_session, structured, ask_server)
    return found
