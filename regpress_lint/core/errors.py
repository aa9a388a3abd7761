"""The one exception for wrong use, and its "did you mean"."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


_ALIKE = 0.6
_ALIKE_FLAG = 0.65  # short flags are alike by chance: `--nope` and `--ignore`


class UsageError(Exception):
    """Wrong command line, configuration or path: its text is one line for stderr, the exit status is 2."""


def suggestion(word: str, choices: Iterable[str]) -> str:
    """`, did you mean "x"?` for the choice that is closest to a mistyped word, else nothing.

    Case is ignored, so that `rp201` and `GFX90A` lead to the intended name. The dashes of flags are no likeness, nor
    is the ending of a file; of a code (`RP999`) all digits but one have to be right.
    """
    from difflib import get_close_matches

    stem, ending = os.path.splitext(word.casefold().lstrip("-"))
    by_stem: dict[str, str] = {}
    for choice in choices:
        folded, suffix = os.path.splitext(choice.casefold().lstrip("-"))
        by_stem[folded if suffix == ending else folded + suffix] = choice
    close = get_close_matches(stem, by_stem, n=3, cutoff=_ALIKE_FLAG if word.startswith("--") else _ALIKE)
    if stem.startswith("rp") and stem[2:].isdigit():
        close = [candidate for candidate in close if _digits_apart(stem, candidate) <= 1]
    return f', did you mean "{by_stem[close[0]]}"?' if close else ""


def _digits_apart(code: str, other: str) -> int:
    """In how many places two codes differ; a name is as far from a code as can be."""
    return sum(a != b for a, b in zip(code, other, strict=True)) if len(code) == len(other) else len(code)


def one_line(error: BaseException) -> str:
    """Type and text of an exception on one line, for a message that must not break a log."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def os_reason(error: OSError) -> str:
    """The operating system's message, in lower case and without the path, which the caller adds."""
    return (error.strerror or type(error).__name__).lower()
