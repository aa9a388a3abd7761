"""Files written whole or not at all, and text that goes to standard output as it is."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress

from regpress_lint.core.programs import lies_in, repository


def read(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def replace_own(path: str, data: bytes) -> None:
    """Write a file of a repository as `replace_file` does, and no file outside: a link that leads there came with the
    repository, and is refused. Raises OSError.
    """
    if os.path.islink(path) and not lies_in(os.path.realpath(path), (repository(os.path.dirname(path) or "."),)):
        raise PermissionError(13, "it is a link that leads out of the repository", path)
    replace_file(path, data)


def replace_file(path: str, data: bytes) -> None:
    """Write a file whole or not at all; permissions and owner stay, and a link keeps pointing at what was written.

    A file of several names (hard links) is written in place: they stay one file. A device or a pipe is written to: as
    root, another file in the place of `/dev/null` would be the end of much else. Raises OSError; the temporary file is
    removed then.
    """
    import tempfile

    if (existing := _known(path)) is not None and not stat.S_ISREG(existing.st_mode):
        with open(path, "wb") as stream:
            stream.write(data)
        return
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise PermissionError(13, os.strerror(13), path)  # os.replace would get around a read-only file
    before = _known(target)
    handle, temporary = tempfile.mkstemp(prefix=".regpress-", dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        if before is not None and (before.st_nlink > 1 or not _owned_alike(temporary, before)):
            _write_in_place(target, data)
            os.unlink(temporary)
            return
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _known(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _owned_alike(path: str, before: os.stat_result) -> bool:
    """Gives a new file the owner and group of an old one; False where that is not allowed."""
    after = os.stat(path)
    if (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid):
        return True
    try:
        os.chown(path, before.st_uid, before.st_gid)
    except (OSError, AttributeError):  # somebody else's file that we may write; Windows knows no owner
        return not hasattr(os, "chown")
    return True


def _write_in_place(path: str, data: bytes) -> None:
    """The new content is already on the disk beside the file, so there is room for it."""
    with open(path, "r+b") as stream:
        stream.write(data)
        stream.truncate()


def _mode(path: str) -> int:
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def write_text(text: str) -> None:
    """Text that may hold bytes of a file as surrogates, byte for byte to standard output."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
