"""Headless Chromium over its own pipe (the DevTools protocol), for tests of pages and for measuring them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
MISSING = "no Chromium on PATH (Debian: apt-get install --no-install-recommends chromium)"
_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage")
# Chromium reads commands from descriptor 3 and answers on 4.
_ON_3_AND_4 = """
import fcntl, os, sys
for number, given in enumerate([fcntl.fcntl(int(text), fcntl.F_DUPFD, 10) for text in sys.argv[1:3]], 3):
    os.dup2(given, number)
os.execv(sys.argv[3], sys.argv[3:])
"""
_WAIT = 60.0  # seconds for an answer


@cache
def missing() -> str | None:
    """Why no page can be opened here, or None: some distributions install a program that only says where to get it."""
    if PROGRAM is None:
        return MISSING
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [PROGRAM, *_FLAGS, f"--user-data-dir={profile}", "--dump-dom", "about:blank"]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_WAIT, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{PROGRAM} does not start: {error}"
    if done.returncode == 0:
        return None
    return f"{PROGRAM} does not start: {done.stderr.decode(errors='replace')[-300:]}"


class Chromium:
    """One browser with one page. errors: what the page wrote to its console as an error, or threw."""

    def __init__(self, width: int = 1400, height: int = 900) -> None:
        assert PROGRAM is not None, MISSING
        self.errors: list[str] = []
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, from_us = os.pipe()
        to_us, from_browser = os.pipe()
        command = [sys.executable, "-c", _ON_3_AND_4, str(to_browser), str(from_browser), PROGRAM, *_FLAGS]
        command += ["--remote-debugging-pipe", f"--user-data-dir={self._profile.name}"]
        command += [f"--window-size={width},{height}", "about:blank"]
        silent = subprocess.DEVNULL
        self._process = subprocess.Popen(
            command, pass_fds=(to_browser, from_browser), stdin=silent, stdout=silent, stderr=silent
        )
        os.close(to_browser)
        os.close(from_browser)
        self._out, self._in = os.fdopen(from_us, "wb", buffering=0), os.fdopen(to_us, "rb")
        self._number = 0
        self._session = ""
        target = next(each for each in self._ask("Target.getTargets")["targetInfos"] if each["type"] == "page")
        self._session = self._ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        self._out.close()
        self._in.close()
        self._profile.cleanup()

    def go(self, url: str) -> None:
        """Go to a page."""
        self.errors.clear()
        self._ask("Page.navigate", url="about:blank")  # the same page at another place would not be loaded again
        self._ask("Page.navigate", url=url)

    def open(self, url: str) -> None:
        """Go to a page of ours and wait until it has drawn itself."""
        self.go(url)
        self.wait("document.getElementById('app') && document.getElementById('app').dataset.drawn")

    def wait(self, condition: str) -> Any:
        """The value of an expression once it is true."""
        end = time.monotonic() + _WAIT
        while not (found := self.value(condition)):
            assert time.monotonic() < end, f"never true: {condition}; {self.errors}"
            time.sleep(0.02)
        return found

    def value(self, expression: str) -> Any:
        """The value of an expression in the page."""
        answer = self._ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key where the focus is."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self._ask("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self._ask("Input.dispatchKeyEvent", type="keyUp", key=key)

    def look(self, width: int, height: int, *, dark: bool = False) -> None:
        """The size of the window, and whether the reader likes it dark."""
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[scheme])

    def _ask(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]
            self._take(answer)

    def _take(self, event: dict[str, Any]) -> None:
        method, found = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(str(found["exceptionDetails"].get("exception", {}).get("description")))
        elif method == "Log.entryAdded" and found["entry"]["level"] == "error":
            self.errors.append(found["entry"]["text"])
        elif method == "Network.requestWillBeSent" and not found["request"]["url"].startswith(("file:", "about:")):
            self.errors.append(f"asked for {found['request']['url']}")

    def _read(self) -> dict[str, Any]:
        data = bytearray()
        while (byte := self._in.read(1)) != b"\0":
            assert byte, "Chromium ended"
            data += byte
        found: dict[str, Any] = json.loads(data)
        return found
