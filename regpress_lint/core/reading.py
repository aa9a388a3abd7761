"""Files that a repository brings and that its sources name: read without waiting, up to a size, as TOML."""

from __future__ import annotations

import os
import stat

from regpress_lint.core.errors import UsageError, os_reason
from regpress_lint.core.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

_PIECE = 1 << 20
_MOST_PARTS = 64
MAX_HEADER_BYTES = 2 * 1024 * 1024
_LONG_KEY = pattern(rf"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{_MOST_PARTS}}}""")


def relative(path: str, start: str = os.curdir) -> str:
    """A path from a folder, with forward slashes; absolute where there is none, on another drive of Windows."""
    try:
        spelled = os.path.relpath(path, start)
    except ValueError:
        spelled = os.path.abspath(path)
    return spelled.replace("\\", "/") if os.sep == "\\" else spelled


def is_inside(root: str, path: str) -> bool:
    """Whether a path in the spelling of a project's root is below it."""
    if root == ".":
        return not path.startswith(("../", "/")) and path != ".."
    return path == root or path.startswith(f"{root.rstrip('/')}/")


def regular(path: str, most: int) -> bytes | None:
    """Bytes of a file; None if it is no regular one or larger than `most`. A pipe is not waited for.

    Raises OSError and ValueError as `open` does.
    """
    read = regular_with_state(path, most)
    return read[0] if read is not None else None


def regular_with_state(path: str, most: int, *, follow_links: bool = True) -> tuple[bytes, os.stat_result] | None:
    """`regular`, and the state of the file."""
    with opened(path, follow_links=follow_links) as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > most:
            return None
        data = stream.read(status.st_size + 1)  # room is made for as much as is asked for
    return (data, status) if len(data) <= most else None


def opened(path: str, *, follow_links: bool = True) -> BinaryIO:
    """A file to read that may be a pipe or a terminal. Raises OSError for a link that is not to be followed."""
    return open(path, "rb", opener=without_waiting if follow_links else _without_following)


def at_most(stream: BinaryIO, most: int) -> bytes:
    """The content of a stream of unknown length, up to a size: `read` allocates as many bytes as it is passed."""
    pieces: list[bytes] = []
    while most > 0 and (piece := stream.read(min(most, _PIECE))):
        pieces.append(piece)
        most -= len(piece)
    return b"".join(pieces)


def without_waiting(path: str, flags: int) -> int:
    """How `open` opens what may be a pipe: it must not hang, nor become the program's terminal."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))


def _without_following(path: str, flags: int) -> int:
    return without_waiting(path, flags | getattr(os, "O_NOFOLLOW", 0))


def named(path: str, most: int, what: str) -> bytes:
    """Bytes of a file that has to be there, `what` to the user. Raises FileNotFoundError, and UsageError for a file
    that is not regular, has more bytes, or cannot be read.
    """
    try:
        data = regular(path, most)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        reason = os_reason(error) if isinstance(error, OSError) else "not a path"
        raise UsageError(f'cannot read {what} "{path}": {reason}') from None
    if data is None:
        raise UsageError(f'cannot read {what} "{path}": not a regular file of at most {most:,} bytes')
    return data


def toml_of(data: bytes | str, file: str) -> dict[str, Any]:
    """The table that TOML stands for. Raises UsageError naming the file."""
    import tomllib

    try:
        if not isinstance(data, str) and data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise UsageError(f"{file}: it is UTF-16 text; save it as UTF-8")
        text = data if isinstance(data, str) else data.decode("utf-8-sig")  # some editors begin a file with a mark
        if _LONG_KEY.search(text):  # Python's reader takes the square of their number
            raise UsageError(f"{file}: a key of more than {_MOST_PARTS} parts")
        return tomllib.loads(text)
    except ValueError as error:  # TOMLDecodeError, UnicodeDecodeError, and a number of thousands of digits
        raise UsageError(f"{file}: not valid TOML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise UsageError(f"{file}: nested too deeply") from None


def read_header(path: str) -> bytes | None:
    """Bytes of a regular file of at most MAX_HEADER_BYTES, else None: an unreadable file counts as missing."""
    try:
        return regular(path, MAX_HEADER_BYTES)
    except (OSError, ValueError):
        return None
