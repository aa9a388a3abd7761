"""Non-prose content of the documentation's pages: fences with their language and title, and the commands in them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PAGES = (
    *("README.md", "CONTRIBUTING.md", "examples/plugin/README.md"),
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("**/*.md")),
)
PROGRAM = "regpress-lint"
_SHELLS = ("", "sh", "console", "bash")
_FENCE = re.compile(r"^( *)```(\w*)([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_WHAT_IT_DOES = re.compile(r" {3,}")  # stands between a command and what is said about it
_TITLE = re.compile(r'title="([^"]*)"')


class Fence(NamedTuple):
    """A block of code. title: the file that it stands for, or nothing."""

    page: str
    line: int
    language: str
    title: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def fences(*languages: str) -> list[Fence]:
    """All blocks of code in one of these languages."""
    return [fence for page in PAGES for fence in fences_of(page) if fence.language in languages]


def fences_of(page: str) -> Iterator[Fence]:
    """Blocks of code of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        title = _TITLE.search(found[3])
        line = text.count("\n", 0, found.start()) + 1
        yield Fence(page, line, found[2], title[1] if title else found[3].strip(), found[4])


def commands(text: str) -> Iterator[list[str]]:
    """Words of every call of the linter in lines of a shell; prompts, comments and other programs are left out."""
    for line in re.sub(r"\\\n *", " ", text).splitlines():
        text = _WHAT_IT_DOES.split(line.strip().removeprefix("- run: ").removeprefix("$ "))[0]
        if f"{PROGRAM} " not in text:
            continue
        reader = shlex.shlex(text, posix=True, punctuation_chars=";|&>")
        reader.whitespace_split = True
        for part in _parts(list(reader)):
            at = next((index for index, word in enumerate(part) if word.rpartition("/")[2] == PROGRAM), None)
            if at is not None and _starts_a_program(part[:at]):
                yield part[at + 1 :]


def _parts(words: list[str]) -> Iterator[list[str]]:
    """A line's words between `|`, `&&` and `;`."""
    part: list[str] = []
    for word in words:
        if set(word) <= set(";|&>"):
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _starts_a_program(before: list[str]) -> bool:
    """Whether the words before the linter's name run it: none, or `uvx --from WHERE`."""
    return not before or before[0] == "uvx"


def shell_commands() -> list[tuple[Fence, list[str]]]:
    """Every call of the linter in the pages' blocks for a shell, with the block."""
    return [(fence, words) for fence in fences(*_SHELLS) for words in commands(fence.text)]
