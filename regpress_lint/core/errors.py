"""The one exception for wrong use, and the "did you mean" that goes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class UsageError(Exception):
    """Wrong command line, configuration or path: its text is one line for stderr, the exit status is 2."""


def suggestion(word: str, choices: Iterable[str]) -> str:
    """`, did you mean "x"?` for the choice that is closest to a mistyped word, else nothing.

    Case is ignored, so that `rp201` and `GFX90A` lead to what was meant. The dashes of flags are no likeness.
    """
    from difflib import get_close_matches

    by_folded = {choice.casefold().lstrip("-"): choice for choice in choices}
    close = get_close_matches(word.casefold().lstrip("-"), by_folded, n=1, cutoff=0.6)
    return f', did you mean "{by_folded[close[0]]}"?' if close else ""


def one_line(error: BaseException) -> str:
    """Type and text of an exception on one line, for a message that must not break a log."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def os_reason(error: OSError) -> str:
    """What the operating system said, in lower case and without the path, which the caller names itself."""
    return (error.strerror or type(error).__name__).lower()
