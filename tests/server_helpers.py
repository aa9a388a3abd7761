"""An editor inside this process: it speaks the protocol's JSON, and no clock and no thread has a part in it."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from regpress_lint.server.command import services
from regpress_lint.server.open_texts import uri_of
from regpress_lint.server.protocol import Server
from regpress_lint.server.worker import Worker, do

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator
    from pathlib import Path

# What editors of today say of themselves, as far as it matters here.
PUSHED: dict[str, Any] = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}
PULLED: dict[str, Any] = {
    "textDocument": {"diagnostic": {}},
    "workspace": {
        "diagnostics": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "window": {"showDocument": {"support": True}},
}


T = TypeVar("T")


class Inline(Worker):
    """Does each job at once, where it is submitted."""

    def __init__(self) -> None:
        """Start no thread."""

    def submit(self, job: Callable[[], T], urgency: int) -> Future[T]:
        future: Future[T] = Future()
        do(job, future)
        return future

    def has_before(self, urgency: int) -> bool:
        return False

    def stop(self) -> None:
        """Nothing runs."""


class _Nothing:
    def cancel(self) -> None:
        """There is nothing to call off."""


def at_once(_seconds: float, action: Callable[[], object]) -> _Nothing:
    """A clock that does not wait."""
    action()
    return _Nothing()


class Editor:
    """Open texts and all that the server has sent."""

    def __init__(self, arguments: tuple[str, ...] = (), later: Any = at_once, runs: Any = None) -> None:
        from regpress_lint.cli.parser import parse

        given: argparse.Namespace = parse(["server", *arguments])
        self.loop = asyncio.new_event_loop()
        self.server = Server(services(given), runs or Inline(), later)
        self.server.protocol.set_writer(self)
        self.server.session.bench.patience = 60.0  # what is answered first shall not depend on the machine
        self.sent: list[dict[str, Any]] = []
        self._numbers = 0
        self._versions: dict[str, int] = {}

    # --------------------------------------------------------------------------------------------- what pygls writes to

    def write(self, data: bytes) -> None:
        """Take a message of the server; its own requests are answered with nothing."""
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        self.sent.append(message)
        if "method" in message and "id" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": None}
            self.loop.call_soon(self._receive, answer)

    def close(self) -> None:
        """The server closes its end."""

    # --------------------------------------------------------------------------------------------------------- messages

    def _receive(self, message: dict[str, Any]) -> None:
        protocol = self.server.protocol
        protocol.handle_message(json.loads(json.dumps(message), object_hook=protocol.structure_message))

    def post(self, message: dict[str, Any]) -> None:
        """Send a message and let the server work until nothing is left to do."""

        async def work() -> None:
            self._receive(message)
            for _ in range(20):
                await asyncio.sleep(0)

        self.loop.run_until_complete(work())

    def notify(self, method: str, **params: Any) -> None:
        """Tell the server something."""
        self.post({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask, and take the whole answer, an error included."""
        self._numbers += 1
        number = self._numbers
        self.post({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return next(each for each in self.sent if each.get("id") == number and "method" not in each)

    def ask(self, method: str, **params: Any) -> Any:
        """Ask, and take the result."""
        answer = self.send(method, **params)
        assert "error" not in answer, answer
        return answer["result"]

    def initialize(
        self, capabilities: dict[str, Any] | None = None, folder: str | None = None, **options: Any
    ) -> dict[str, Any]:
        """The first two messages; returns what the server says of itself. folder: the one that the editor has open."""
        found: dict[str, Any] = self.ask(
            "initialize",
            processId=None,
            rootUri=None if folder is None else uri_of(folder),
            capabilities=PUSHED if capabilities is None else capabilities,
            initializationOptions=options,
        )
        self.notify("initialized")
        return found

    # ------------------------------------------------------------------------------------------------------------ texts

    def open(self, path: Path | str, text: str | None = None) -> str:
        """Open a file, as it is on the disk unless a text is given; returns its URI."""
        uri = uri_of(str(path)) if "://" not in str(path) and not str(path).startswith("untitled:") else str(path)
        if text is None:
            from pathlib import Path as Folder

            text = Folder(path).read_text()
        self._versions[uri] = 1
        document = {"uri": uri, "languageId": "cpp", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)
        return uri

    def change(self, uri: str, *changes: dict[str, Any]) -> None:
        """Change a text; a change without a range is the whole text."""
        self._versions[uri] += 1
        self.notify(
            "textDocument/didChange",
            textDocument={"uri": uri, "version": self._versions[uri]},
            contentChanges=list(changes),
        )

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """The diagnostics that the server published last for a text."""
        found = [each["params"] for each in self.published(uri)]
        assert found, "nothing was published"
        last: list[dict[str, Any]] = found[-1]["diagnostics"]
        return last

    def published(self, uri: str) -> list[dict[str, Any]]:
        """All messages with diagnostics of a text."""
        wanted = "textDocument/publishDiagnostics"
        return [each for each in self.sent if each.get("method") == wanted and each["params"]["uri"] == uri]

    def codes(self, uri: str) -> list[str]:
        """Codes of the diagnostics published last."""
        return [found["code"] for found in self.diagnostics(uri)]

    def said(self, method: str = "window/showMessage") -> list[str]:
        """Messages for a person."""
        return [each["params"]["message"] for each in self.sent if each.get("method") == method]


@contextmanager
def editor(
    *arguments: str, capabilities: dict[str, Any] | None = None, folder: str | None = None, **options: Any
) -> Iterator[Editor]:
    """An editor with a server that is ready."""
    found = Editor(arguments)
    try:
        found.initialize(capabilities, folder, **options)
        yield found
    finally:
        found.send("shutdown")
        found.loop.close()


def at(line: int, character: int) -> dict[str, int]:
    """A place, both counted from 0."""
    return {"line": line, "character": character}


def span(start: tuple[int, int], end: tuple[int, int]) -> dict[str, Any]:
    """A range."""
    return {"start": at(*start), "end": at(*end)}


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """A text after edits that a client got; columns are UTF-16 units."""
    lines = text.split("\n")

    def offset(place: dict[str, int]) -> int:
        before = sum(len(line.encode("utf-16-le")) + 2 for line in lines[: place["line"]])
        return before + 2 * place["character"]

    raw = text.encode("utf-16-le")
    for edit in sorted(edits, key=lambda each: offset(each["range"]["start"]), reverse=True):
        start, end = (offset(edit["range"][side]) for side in ("start", "end"))
        raw = raw[:start] + edit["newText"].encode("utf-16-le") + raw[end:]
    return raw.decode("utf-16-le")
