"""Fingerprints by which services recognise findings from run to run."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from regpress_lint.core.fingerprints import subject
from regpress_lint.formats import Options, repository_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.diagnostics import Diagnostic


def fingerprints(diagnostics: Sequence[Diagnostic], options: Options) -> Iterator[str]:
    """A hash for each diagnostic that stays when lines move or a number in its message changes; no two are the same.

    Made of code, path, kernel, subject, and the ordinal among those equal so far.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    for item in diagnostics:
        path = repository_path(item.location.path, options)
        key = (item.code, path, item.kernel or "", subject(item))
        seen[key] += 1
        text = "\0".join((*key, str(seen[key])))
        yield hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
