"""What an editor, or a text in it, can do to the server: one document disturbs no other."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from corpus import drawn

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

from cli_helpers import CLEAN, HIP
from pygls.exceptions import JsonRpcException
from server_helpers import PULLED, Editor, Inline, at, editor

from regpress_lint.server import session
from regpress_lint.server.open_texts import path_of
from regpress_lint.server.worker import SHOWN, SLOW, Worker

T = TypeVar("T")

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path


INVALID = ["file://[::1/a.cu", "file://[/", "file:///a%00b.cu", "untitled:%00", "://", "", "http://[v1.x]/a.cu"]


def test_invalid_uri_does_not_stop_the_server(tmp_path: Path) -> None:
    with editor() as client:
        good = client.open(tmp_path / "k.hip", HIP)
        for uri in INVALID:
            document = {"uri": uri, "languageId": "cpp", "version": 1, "text": HIP}
            client.notify("textDocument/didOpen", textDocument=document)
            client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": uri, "type": 2}])
            client.ask("textDocument/hover", textDocument={"uri": uri}, position=at(0, 0))
            client.change(good, {"text": CLEAN})
            assert client.codes(good) == [], uri
            client.change(good, {"text": HIP})
            assert client.codes(good) == ["RP201"], uri


@pytest.mark.parametrize("uri", INVALID)
def test_an_invalid_uri_gives_no_path_with_a_nul(uri: str) -> None:
    assert "\0" not in path_of(uri)


@pytest.mark.parametrize(
    "params",
    [[1, 2], "text", 3, None, {}, {"textDocument": 5, "position": at(0, 0)}, {"command": [], "textDocument": []}],
)
def test_a_request_with_wrong_parameters_has_an_answer(tmp_path: Path, params: Any) -> None:
    with editor() as client:
        good = client.open(tmp_path / "k.hip", HIP)
        for number, method in enumerate(("textDocument/hover", "textDocument/codeLens", "workspace/executeCommand")):
            asked = {"jsonrpc": "2.0", "id": f"wrong{number}", "method": method, "params": params}
            with contextlib.suppress(JsonRpcException):  # pygls catches it, too
                client.post(asked)
            (answer,) = [each for each in client.sent if each.get("id") == asked["id"]]
            assert isinstance(answer["error"]["code"], int), answer
        assert client.codes(good) == ["RP201"]


LENGTHS = ("99999999999999", "9" * 5000, "67108865", "000099999999999")


@pytest.mark.slow
@pytest.mark.parametrize("length", drawn(LENGTHS, 4))
def test_a_length_that_no_message_has_ends_nothing(length: str) -> None:
    """As pygls reads them, each of these would be the end of the server; the next message has its answer."""

    def message(content: str) -> bytes:
        data = content.encode()
        return b"Content-Length: %d\r\n\r\n%b" % (len(data), data)

    first = f"Content-Length: {length}\r\n\r\n".encode() + b'{"jsonrpc": "2.0", "method": "initialized"}'
    asked: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
    after = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked})
    last = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "shutdown"})
    done = subprocess.run(
        [sys.executable, "-P", "-m", "regpress_lint", "server"],
        input=first + message(after) + message(last) + message('{"jsonrpc": "2.0", "method": "exit"}'),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0
    assert b'"capabilities"' in done.stdout
    assert b'"id": 2' in done.stdout or b'"id":2' in done.stdout


class Busy(Inline):
    """Reports waiting jobs for the first few calls, and records the urgency of each job."""

    def __init__(self) -> None:
        self.waiting = 0
        self.urgencies: list[int] = []

    def submit(self, job: Callable[[], T], urgency: int) -> Future[T]:
        self.urgencies.append(urgency)
        return super().submit(job, urgency)

    def has_before(self, urgency: int) -> bool:
        assert urgency == SLOW
        self.waiting -= 1
        return self.waiting >= 0


def test_a_text_that_takes_long_lets_others_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_LONG", -1.0)
    runs = Busy()
    client = Editor(runs=runs)
    client.initialize()
    runs.urgencies.clear()
    runs.waiting = 2
    uri = client.open(tmp_path / "k.hip", HIP)
    assert runs.urgencies == [SHOWN, SLOW, SLOW]
    assert client.codes(uri) == ["RP201"]
    runs.urgencies.clear()
    client.change(uri, {"text": CLEAN})
    assert runs.urgencies == [SLOW]  # it is known for that
    other = client.open(tmp_path / "other.hip", HIP)
    assert runs.urgencies == [SLOW, SHOWN]
    assert client.codes(other) == ["RP201"]


def test_a_question_about_such_a_text_is_answered_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_LONG", -1.0)
    runs = Busy()
    client = Editor(runs=runs)
    client.initialize(PULLED)
    uri = client.open(tmp_path / "k.hip", HIP)
    runs.waiting = 3
    found = client.ask("textDocument/diagnostic", textDocument={"uri": uri})
    assert [each["code"] for each in found["items"]] == ["RP201"]
    assert runs.waiting < 0


def test_worker_reports_waiting_jobs() -> None:
    from threading import Event

    worker, begun, go = Worker(), Event(), Event()
    assert not worker.has_before(SLOW)

    def first() -> bool:
        begun.set()
        go.wait(60)
        return worker.has_before(SLOW)

    blocking = worker.submit(first, SLOW)
    begun.wait(60)
    worker.submit(lambda: None, SLOW)
    assert not worker.has_before(SLOW)
    worker.submit(lambda: None, SHOWN)
    go.set()
    assert blocking.result(60)
    worker.stop()
