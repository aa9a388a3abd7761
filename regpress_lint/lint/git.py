"""What git knows of a repository, asked so that nothing in it is executed.

The repository is not trusted: what its configuration could make git execute is switched off, variables that a
surrounding git hook has set for another repository are dropped, and only commands are used that read objects and the
index, never files of the work tree, which could pass through filters.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SAFE = (
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false"),
    *("-c", "core.attributesFile=/dev/null", "-c", "protocol.allow=never", "--no-replace-objects"),
)
_SECONDS = 120
_GITLINK = "160000"
_SHORTEST_HEAD = len("100644 ") + 40 + len(" 0")


class Blob(NamedTuple):
    """A file of a tree: its path in the repository and the name of its content."""

    path: str
    name: str


def ask(folder: str, *arguments: str, data: bytes | None = None) -> bytes | None:
    """What a git command prints; None if git is absent, refuses or takes too long."""
    import subprocess

    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    try:
        result = subprocess.run(
            ("git", *_SAFE, *arguments),
            cwd=folder,
            env=environment,
            input=data or b"",
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return result.stdout if result.returncode == 0 else None


def files(folder: str) -> list[str] | None:
    """Tracked and untracked files below a folder, without ignored ones; None if git cannot say.

    Of a submodule, or another repository inside this one, the folder alone, with a slash at its end.
    """
    found = ask(folder, "ls-files", "--stage", "--others", "--exclude-standard", "-z", "--", ".")
    return None if found is None else sorted({_listed(row) for row in os.fsdecode(found).split("\0") if row})


def top(folder: str) -> str | None:
    """The work tree that a folder belongs to, forward slashes; None for none."""
    found = ask(folder, "rev-parse", "--show-toplevel")
    return None if not found else os.fsdecode(found).rstrip("\n")


def commit(folder: str, revision: str) -> str | None:
    """Name of the commit that a revision means; None if it means none."""
    found = ask(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    return None if not found else found.decode().strip()


def merge_base(folder: str, revision: str) -> str | None:
    """The commit where the work tree's branch left the one of a commit; the commit itself if they share none."""
    found = ask(folder, "merge-base", revision, "HEAD")
    return found.decode().strip() if found else revision


def last_change(folder: str, path: str) -> str | None:
    """The commit that changed a file last; None for a file that was never committed."""
    found = ask(folder, "rev-list", "-1", "HEAD", "--", path)
    return None if not found else found.decode().strip()


def renames(folder: str, since: str) -> dict[str, str]:
    """Files that have another name in the index than in a commit: old paths with new ones, both in the repository."""
    found = ask(folder, "diff-index", "--cached", "-M", "--name-status", "--diff-filter=R", "-z", since) or b""
    parts = [os.fsdecode(part) for part in found.split(b"\0")]
    return {parts[i + 1]: parts[i + 2] for i in range(0, len(parts) - 2, 3)}


def tree(folder: str, revision: str) -> list[Blob]:
    """The files of a commit; no links and no repositories inside it."""
    found = ask(folder, "ls-tree", "-r", "-z", "--full-tree", revision) or b""
    rows = (row.partition(b"\t") for row in found.split(b"\0") if row)
    heads = ((head.split(), os.fsdecode(path)) for head, _, path in rows)
    return [Blob(path, head[2].decode()) for head, path in heads if head[1] == b"blob" and head[0] != b"120000"]


def contents(folder: str, blobs: Iterable[Blob]) -> Iterator[tuple[Blob, bytes]]:
    """The bytes of blobs, in their order; those that the repository lacks are left out."""
    wanted = list(blobs)
    names = "".join(f"{blob.name}\n" for blob in wanted).encode()
    found = ask(folder, "cat-file", "--batch", data=names) or b""
    offset = 0
    for blob in wanted:
        end = found.find(b"\n", offset)
        if end < 0:
            return
        head = found[offset:end].split()
        offset = end + 1
        if len(head) == 3:
            size = int(head[2])
            yield blob, found[offset : offset + size]
            offset += size + 1


def blob_name(data: bytes) -> str:
    """What git calls this content in a repository of SHA-1."""
    import hashlib

    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _listed(row: str) -> str:
    """A name of `ls-files --stage`: `mode object stage`, a tab and a path for what is tracked, else a path."""
    head, tab, path = row.partition("\t")
    if not tab or head.count(" ") != 2 or len(head) < _SHORTEST_HEAD:
        return row
    return f"{path}/" if head.startswith(_GITLINK) else path
