"""Properties of a terminal: colour or not, width of characters in cells, and text without control sequences."""

from __future__ import annotations

import os
import unicodedata

from regpress_lint.core.named import Literal, NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO


DEFAULT_WIDTH = 100
DEFAULT_HEIGHT = 40
MINIMUM_WIDTH = 40
TAB_STOP = 4

Style = Literal["error", "warning", "info", "hint", "bold", "gutter", "help"]

# Bright blue instead of blue for the gutter: plain blue is unreadable on the black of many terminals.
_CODES: Mapping[Style, str] = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "hint": "1;35",
    "bold": "1",
    "gutter": "1;94",
    "help": "1;32",
}
# Zero-width joiners hold emoji and Indic and Arabic letters together; all other format characters hide or reorder text.
_JOINERS = "\u200c\u200d"
_ESCAPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Palette(NamedTuple):
    """Paints text, or leaves it alone; `links` turns on OSC 8 hyperlinks."""

    color: bool = False
    links: bool = False

    def paint(self, text: str, style: Style) -> str:
        """`text` in a style; the text must be safe already (see `visible`)."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.color and text else text

    def link(self, text: str, url: str) -> str:
        """`text` as an OSC 8 hyperlink; a URL that holds anything but printable ASCII is not linked."""
        if not self.links or not url or not (url.isascii() and url.isprintable()):
            return text
        return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"


_choice = ["auto"]  # what --color says, for this run


def choose_color(choice: str) -> None:
    """Take `--color`: `always` and `never` beat the environment, `auto` asks it."""
    _choice[0] = choice


def use_color(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether to colour `stream`: --color, NO_COLOR, FORCE_COLOR or CLICOLOR_FORCE, then TERM, CLICOLOR, the stream.

    NO_COLOR wins over the forcing variables, as in CPython and pytest (https://no-color.org, https://force-color.org).
    """
    if _choice[0] != "auto":
        return _choice[0] == "always"
    if environ.get("NO_COLOR"):
        return False
    if any(environ.get(name, "0") not in ("", "0", "false") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    if environ.get("TERM") == "dumb" or environ.get("CLICOLOR") == "0":
        return False
    try:
        return stream.isatty()
    except ValueError:  # a closed stream
        return False


def count(number: int, noun: str) -> str:
    """`1 VGPR`, `2 VGPRs`, `2 copies`, `2 fixes`."""
    several = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}{'es' if noun.endswith('x') else 's'}"
    return f"{number} {noun if number == 1 else several}"


def line_width(stream: TextIO, environ: Mapping[str, str]) -> int:
    """Cells of a line, `MINIMUM_WIDTH` at least: COLUMNS, else the terminal's, else `DEFAULT_WIDTH`."""
    columns = _number(environ.get("COLUMNS", ""))
    try:
        return max(columns or os.get_terminal_size(stream.fileno()).columns, MINIMUM_WIDTH)
    except (OSError, ValueError):
        return DEFAULT_WIDTH


def screen_height(stream: TextIO, environ: Mapping[str, str]) -> int:
    """Lines of a screen: LINES, else the terminal's, else `DEFAULT_HEIGHT`."""
    lines = _number(environ.get("LINES", ""))
    try:
        return lines or os.get_terminal_size(stream.fileno()).lines or DEFAULT_HEIGHT
    except (OSError, ValueError):
        return DEFAULT_HEIGHT


def _number(text: str) -> int:
    """A number from the environment; 0, the default, means the terminal's own. Nine digits are enough."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _escape(char: str) -> str:
    code = ord(char)
    if char in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[char]
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was not UTF-8, kept by "surrogateescape"
        return f"\\x{code - 0xDC00:02x}"
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in _ESCAPED_CATEGORIES and char not in _JOINERS


def visible(text: str) -> str:
    """`text` on one line with control, format and surrogate characters written as escapes.

    Names, messages and code come from linted files: without this, an escape sequence in a file would reach the
    terminal, and a bidirectional override would show other code than the compiler reads.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(char) if _is_hidden(char) else char for char in text)


def well_formed(text: str) -> str:
    r"""`text` without surrogates, which no UTF-8 and no strict JSON parser accepts: a byte 0xff becomes `\xff`."""
    if text.isascii():
        return text
    return "".join(_escape(char) if 0xD800 <= ord(char) <= 0xDFFF else char for char in text)


def char_cells(char: str) -> int:
    """Terminal cells of one visible character: 0 (combining), 1, or 2 (East Asian wide, most emoji)."""
    if char.isascii():
        return 1
    if char in _JOINERS or unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def cells(text: str) -> int:
    """Terminal cells of a visible text."""
    return len(text) if text.isascii() else sum(map(char_cells, text))


class Cell(NamedTuple):
    """One character of the source as it is shown: its text and width in cells."""

    text: str
    width: int


def layout(line: str) -> list[Cell]:
    """Each character of a source line as shown: tabs expanded to stops of four cells, hidden characters escaped."""
    column, result = 0, []
    for char in line:
        shown = " " * (TAB_STOP - column % TAB_STOP) if char == "\t" else visible(char)
        width = cells(shown)
        column += width
        result.append(Cell(shown, width))
    return result


def wrap(text: str, width: int, *, first: int = 0, indent: str = "") -> list[str]:
    """Lines of at most `width` cells, broken at spaces; words longer than a line stay whole.

    `first` is the number of cells that the caller has used up on the first line, which stays empty if the first word
    fits only below it; later lines start with `indent`.
    A line break in `text` is kept; everything else that could command a terminal is escaped.
    """
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        current, used = (indent, len(indent)) if lines else ("", first)
        empty = True
        for word in visible(paragraph).split(" "):
            size = cells(word)
            if used + (not empty) + size > width and (not empty or used > len(indent)):
                lines.append(current.rstrip())
                current, used, empty = indent, len(indent), True
            if not empty:
                current, used = current + " ", used + 1
            current, used, empty = current + word, used + size, False
        lines.append(current.rstrip())
    return lines
