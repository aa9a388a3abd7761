"""The editor's end of standard input, in which a message may have no more than a bounded length."""

from __future__ import annotations

import re
from typing import BinaryIO

MOST = 64 << 20
"""Bytes of a message: a hundred times what the largest text that is linted takes."""
_LONGEST_HEADER = 1 << 16
_HEADER = re.compile(rb"Content-Length: *(\d+)\r?\n", re.IGNORECASE)


class Messages:
    """The input of pygls, which trusts every length and would stop at a false one.

    A header with a length that no message has is left out, and the bytes up to the next header are skipped.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lost = False

    def readline(self) -> bytes:
        """A line of a header; of one that is not to be believed an empty one, as between headers."""
        line = self._stream.readline(_LONGEST_HEADER)
        found = _HEADER.search(line) if self._lost else _HEADER.match(line)
        if found is None:
            return b"\r\n" if self._lost and line else line
        # Leading zeros aside, a number of ten digits is above the bound.
        digits = found[1].lstrip(b"0")
        self._lost = len(digits) >= 10 or int(digits or b"0") > MOST
        return b"\r\n" if self._lost else b"Content-Length: %b\r\n" % (digits or b"0")

    def read(self, count: int) -> bytes:
        """A message."""
        return self._stream.read(count)
