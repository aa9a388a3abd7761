"""Queries to git about a repository that execute nothing in it.

The repository is not trusted: what its configuration could make git execute is switched off, variables that a
surrounding git hook has set for another repository are dropped, only commands are used that read objects and the
index, never files of the work tree, which could pass through filters, and git itself is never a file of the repository.
"""

from __future__ import annotations

import os
from itertools import groupby

from regpress_lint.core import programs
from regpress_lint.core.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable, Iterator, Sequence

_SAFE = (
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false"),
    *("-c", "core.attributesFile=/dev/null", "-c", "protocol.allow=never", "--no-replace-objects"),
)
_FILES = ("--literal-pathspecs", "ls-files", "--stage", "--others", "--exclude-standard", "-z", "--")
_SECONDS = 120
_SHORTEST_HEAD = len("100644 ") + 40 + len(" 0")
_LINK = b"160000 "  # the mode of a submodule
_MOST_DEEP = 16  # folders around a submodule: one may be in another


class Blob(NamedTuple):
    """A file of a tree: its path in the repository and the name of its content. submodule: the path of the one that has
    it, "" for the repository itself.
    """

    path: str
    name: str
    submodule: str = ""


_begun: dict[tuple[int, str], subprocess.Popen[bytes]] = {}
"""Lists that git is making, by process and folder: a fork has those of who forked it, and may not read them."""


def ask(folder: str, *arguments: str, data: bytes | None = None) -> bytes | None:
    """The output of a git command; None if git is absent, refuses or takes too long."""
    return _answer(_asked(folder, arguments), data or b"")


def _asked(folder: str, arguments: tuple[str, ...]) -> subprocess.Popen[bytes] | None:
    import subprocess

    # A relative folder in PATH would make it a program of the work tree; so would Windows, which looks there first.
    git = programs.find("git", (programs.repository(folder), folder))
    if git is None:
        return None
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            (git, *_SAFE, *arguments), cwd=folder, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
        )
    except OSError:
        return None


def _answer(process: subprocess.Popen[bytes] | None, data: bytes) -> bytes | None:
    import subprocess

    if process is None:
        return None
    with process:
        try:
            output, _ = process.communicate(data, _SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            process.kill()
            return None
    return output if process.returncode == 0 else None


def begin_files(folder: str) -> None:
    """Let git list a folder while something else is done: what `files` says of it next."""
    key = os.getpid(), os.path.abspath(folder)
    if key not in _begun and (process := _asked(folder, (*_FILES, "."))) is not None:
        _begun[key] = process


def files(folder: str, endings: frozenset[str], of: Sequence[str] = (".",)) -> list[str] | None:
    """Tracked and untracked files below a folder whose names end in one of `endings` (lower case, without the dot),
    ignored ones left out; sorted; None if git cannot say. of: limits the list to these files and folders in it.

    A submodule, or another repository inside this one, is only its folder, with a slash at its end.
    """
    begun = _begun.pop((os.getpid(), os.path.abspath(folder)), None) if "." in of else None
    data = ask(folder, *_FILES, *of) if begun is None else _answer(begun, b"")
    if data is None:
        return None
    wanted = tuple(f".{ending}".encode() for ending in endings)
    # All at once, since a work tree may have tens of thousands of files and a hook waits for this.
    lower = zip(data.split(b"\0"), data.lower().split(b"\0"), strict=True)
    rows = [row for row, low in lower if low.endswith(wanted) or row[-1:] == b"/" or row.startswith(_LINK)]
    names = set()
    for row in os.fsdecode(b"\0".join(rows)).split("\0") if rows else ():
        head, tab, path = row.partition("\t")  # of what is tracked: mode, object and stage
        tracked = tab and len(head) >= _SHORTEST_HEAD and head.count(" ") == 2
        names.add((f"{path}/" if head.startswith(_LINK.decode()) else path) if tracked else row)
    return sorted(names)


def top(folder: str) -> str | None:
    """The work tree that a folder belongs to, forward slashes; None for none."""
    data = ask(folder, "rev-parse", "--show-toplevel")
    return None if not data else os.fsdecode(data).rstrip("\n")


def bare(folder: str) -> str | None:
    """The git directory of a bare repository that a folder is, or is in; None for anything else."""
    data = ask(folder, "rev-parse", "--is-bare-repository", "--absolute-git-dir")
    if not data or not data.startswith(b"true\n"):
        return None
    return os.fsdecode(data.split(b"\n", 1)[1]).rstrip("\n")


def commit(folder: str, revision: str) -> str | None:
    """Name of the commit that a revision means; None if it means none."""
    data = ask(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    return None if not data else data.decode().strip()


def merge_base(folder: str, revision: str) -> str | None:
    """The commit where the work tree's branch left the one of a commit; the commit itself if they share none."""
    data = ask(folder, "merge-base", revision, "HEAD")
    return data.decode().strip() if data else revision


def last_change(folder: str, path: str) -> str | None:
    """The commit that changed a file last; None for a file that was never committed."""
    data = ask(folder, "rev-list", "-1", "HEAD", "--", path)
    return None if not data else data.decode().strip()


def renames(folder: str, since: str) -> dict[str, str]:
    """Files that have another name in the index than in a commit: old paths with new ones, both in the repository."""
    data = ask(folder, "diff-index", "--cached", "-M", "--name-status", "--diff-filter=R", "-z", since) or b""
    parts = [os.fsdecode(part) for part in data.split(b"\0")]
    return {parts[i + 1]: parts[i + 2] for i in range(0, len(parts) - 2, 3)}


def tree(folder: str, revision: str) -> list[Blob]:
    """The files of a commit, those of submodules that are checked out and have their commit included; no links."""
    return _tree(folder, revision, "")


def _tree(top: str, revision: str, prefix: str) -> list[Blob]:
    data = ask(os.path.join(top, prefix), "ls-tree", "-r", "-z", "--full-tree", revision) or b""
    blobs: list[Blob] = []
    for row in data.split(b"\0"):
        head, tab, name = row.partition(b"\t")
        if not tab:
            continue
        mode, kind, content = head.split()
        path = prefix + os.fsdecode(name)
        if kind == b"blob" and mode != b"120000":
            blobs.append(Blob(path, content.decode(), prefix))
        elif kind == b"commit" and prefix.count("/") < _MOST_DEEP and _is_checked_out(top, path):
            blobs += _tree(top, content.decode(), f"{path}/")
    return blobs


def _is_checked_out(top: str, path: str) -> bool:
    """Whether a submodule is there, in the repository itself: git would ask the one around an empty folder."""
    folder = os.path.join(top, path)
    inside = os.path.realpath(folder).startswith(os.path.realpath(top) + os.sep)
    return inside and not os.path.islink(folder) and os.path.lexists(os.path.join(folder, ".git"))


def contents(folder: str, blobs: Iterable[Blob]) -> Iterator[tuple[Blob, bytes]]:
    """The bytes of blobs, in their order; those that the repository lacks are left out."""
    for submodule, wanted in groupby(blobs, lambda blob: blob.submodule):
        yield from _contents(os.path.join(folder, submodule), list(wanted))


def _contents(folder: str, wanted: Sequence[Blob]) -> Iterator[tuple[Blob, bytes]]:
    names = "".join(f"{blob.name}\n" for blob in wanted).encode()
    data = ask(folder, "cat-file", "--batch", data=names) or b""
    offset = 0
    for blob in wanted:
        end = data.find(b"\n", offset)
        if end < 0:
            return
        head = data[offset:end].split()
        offset = end + 1
        if len(head) == 3:
            size = int(head[2])
            yield blob, data[offset : offset + size]
            offset += size + 1


def blob_name(data: bytes) -> str:
    """Git's name for this content in a SHA-1 repository."""
    import hashlib

    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
