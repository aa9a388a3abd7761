"""Where a document is: URIs and the paths of the pipeline, absolute and with forward slashes."""

from __future__ import annotations

import os
from contextlib import suppress

from pygls.uris import from_fs_path, to_fs_path


def path_of(uri: str) -> str:
    """The path of a document; of one that is no file what its URI says, below a folder that does not exist."""
    path = None
    with suppress(ValueError):  # `file://[::1/a.cu`: no address
        path = to_fs_path(uri)
    if path is None or "\0" in path:
        return "/untitled/" + uri.partition(":")[2].lstrip("/").replace("\0", "")
    return os.path.normpath(path).replace(os.sep, "/")


def uri_of(path: str) -> str:
    """The URI of a file."""
    return from_fs_path(os.path.abspath(path)) or ""


def is_file(uri: str) -> bool:
    """Whether a document lies on a disk."""
    return uri.startswith("file:")
