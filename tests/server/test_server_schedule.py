"""When the server looks at a text, and in which order its one thread works: no test waits for a clock."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

from cli_helpers import CLEAN, HIP
from server_helpers import PULLED, Editor, at

from regpress_lint.server.worker import ASKED, BESIDE, LEAST, MOST, SHOWN, Schedule, Superseded, Worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path


class _Clock:
    """Takes what shall happen later, and lets it happen when a test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple[float, Callable[[], object]]] = []

    def later(self, seconds: float, action: Callable[[], object]) -> _Clock._Call:
        self.waiting.append((seconds, action))
        return self._Call(self, self.waiting[-1])

    def ring(self) -> None:
        waiting, self.waiting = self.waiting, []
        for _, action in waiting:
            action()

    class _Call:
        def __init__(self, clock: _Clock, call: tuple[float, Callable[[], object]]) -> None:
            self._clock, self._call = clock, call

        def cancel(self) -> None:
            if self._call in self._clock.waiting:
                self._clock.waiting.remove(self._call)


def test_many_changes_are_one_look() -> None:
    clock, begun = _Clock(), list[str]()
    schedule = Schedule(begun.append, clock.later)
    for _ in range(5):
        schedule.changed("a")
    schedule.changed("b")
    assert len(clock.waiting) == 2
    clock.ring()
    assert begun == ["a", "b"]
    schedule.changed("a")
    schedule.drop("a")
    clock.ring()
    assert begun == ["a", "b"]


@pytest.mark.parametrize(("took", "waits"), [(0.0, LEAST), (0.2, 0.02), (5.0, MOST)])
def test_delay_grows_with_the_time_of_an_analysis(took: float, waits: float) -> None:
    clock = _Clock()
    schedule = Schedule(lambda _uri: None, clock.later)
    schedule.took("a", took)
    schedule.changed("a")
    assert clock.waiting[0][0] == pytest.approx(waits)
    schedule.now("a")
    assert [seconds for seconds, _ in clock.waiting] == [0]


def test_worker_serves_waiting_requests_first() -> None:
    worker, begun, go, order = Worker(), Event(), Event(), list[str]()

    def first() -> None:
        begun.set()
        go.wait(60)

    def job(name: str) -> str:
        order.append(name)
        return name

    blocking = worker.submit(first, ASKED)
    begun.wait(60)
    beside = worker.submit(lambda: job("beside"), BESIDE)
    dropped = worker.submit(lambda: job("dropped"), SHOWN)
    shown = worker.submit(lambda: job("shown"), SHOWN)
    asked = worker.submit(lambda: job("asked"), ASKED)
    assert dropped.cancel()
    go.set()
    assert [each.result(60) for each in (asked, shown, beside)] == ["asked", "shown", "beside"]
    assert order == ["asked", "shown", "beside"]
    assert blocking.done()
    failed: Future[None] = worker.submit(_give_up, ASKED)
    assert isinstance(failed.exception(60), Superseded)
    assert worker.submit(lambda: job("after"), ASKED).result(60) == "after"
    worker.stop()


def _give_up() -> None:
    raise Superseded


def test_a_question_about_a_text_that_moves_on_is_called_off(tmp_path: Path) -> None:
    """The last rule to run finds a newer version of the text."""
    from regpress_rules.math.pow_small_exponent import PowSmallExponent

    client = Editor()
    client.initialize(PULLED)
    uri = client.open(tmp_path / "k.hip", HIP)
    known = PowSmallExponent.check_kernel

    def typed(self: PowSmallExponent, facts: object) -> object:
        session = client.server.session
        session.documents.open(uri, 7, CLEAN)
        return known(self, facts)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PowSmallExponent, "check_kernel", typed)
        answer = client.send("textDocument/diagnostic", textDocument={"uri": uri})
    assert (answer["error"]["code"], answer["error"]["data"]) == (-32802, {"retriggerRequest": True})
    assert client.ask("textDocument/diagnostic", textDocument={"uri": uri})["items"] == []
    assert client.ask("textDocument/hover", textDocument={"uri": uri}, position=at(0, 0)) is None
