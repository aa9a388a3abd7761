"""Where a run has its cache: a configuration may name any folder but one of the repository that it belongs to."""

from __future__ import annotations

import os

from regpress_lint.core.programs import lies_in, repository
from regpress_lint.lint.cache import default_folder


def chosen(folder: str | None, origin: str | None) -> tuple[str, str | None]:
    """The folder of the cache ("" for none), and why another one that was named is not used.

    folder: the one that the command line or a configuration names. origin: the configuration file that does, None for
    the command line.
    Answers in a repository are only as trustworthy as its author: they could say that it is clean.
    """
    if not folder:
        return default_folder(), None
    if origin is None:
        return folder, None
    home = os.path.dirname(os.path.abspath(origin))
    if not lies_in(folder, (repository(home), home)):
        return folder, None
    return default_folder(), f"{origin}: cache-dir is in the repository and is not used (--cache-dir can name it)"
