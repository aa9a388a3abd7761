"""Digests of bytes, and the stable parts of a finding when lines move and numbers change: its rule, file, kernel and
subject.
"""

from __future__ import annotations

from regpress_lint.core.patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from regpress_lint.core.diagnostics import Diagnostic


try:  # hashlib loads OpenSSL, for hashes that nobody asks for here: 5 ms of every start
    from _blake2 import blake2b as blake2b
except ImportError:
    from hashlib import blake2b as blake2b


DIGEST_BYTES = 16


def digest_of(*parts: bytes) -> str:
    """A digest of bytes: equal for equal bytes, different for others."""
    digest = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


_LONGEST = 120
_QUOTED = pattern(r"`([^`]*)`")


def subject(diagnostic: Diagnostic) -> str:
    """The subject of a finding: the first name that its message quotes, else the text of its line, blanks made one.

    A kernel's own name adds no information.
    """
    quoted = [" ".join(text.split()) for text in _QUOTED.findall(diagnostic.message)]
    named = next((text for text in quoted if text and text != diagnostic.kernel), "")
    if not named and not quoted:
        named = " ".join(diagnostic.location.line_text.split())
    return named if len(named) <= _LONGEST else f"{named[: _LONGEST - 3]}..."
