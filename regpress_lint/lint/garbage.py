"""When the garbage collector looks for circles: between two files, and not while one is worked out.

Trees, graphs and facts are large and die by reference count when their file is done. A collection in between goes
through all that is alive and finds next to nothing: at Python's own pace that is a fifth of a run.
"""

from __future__ import annotations

import gc

_WITHIN = 500_000  # objects that one file may leave before circles are looked for all the same
_GROWN = 100_000  # objects that files have left behind since the last collection


def only_between_files() -> None:
    """Let collections wait for `between_files`, for as long as this process lives."""
    gc.set_threshold(_WITHIN, 10, 20)


def between_files() -> None:
    """A file is done: collect what is left of it and of those before, if that is worth the time."""
    if gc.get_count()[0] > _GROWN:
        gc.collect()
