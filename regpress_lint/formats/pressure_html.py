"""`pressure` as one self-contained page: the same view, and what is live on the line under the pointer."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any

from regpress_lint.formats.pressure_data import (
    CAVEAT,
    SCALARS,
    Scale,
    Section,
    count,
    extras,
    facts_of,
    insides,
    number,
    remark,
    scale,
)
from regpress_lint.formats.pressure_json import kernel
from regpress_lint.formats.pressure_page import SCRIPT, STYLE
from regpress_lint.formats.terminal import visible, well_formed
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


# Nothing may be fetched, whatever the source holds.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_LEGEND = (
    '<p class="caveat legend"><span class=bar><i></i></span> values <span class=bar><b></b></span> beyond them: '
    "what a library call takes, reads started early <span class=rule></span> a register step of the GPU, with the "
    "waves per SIMD between the steps</p>"
)
_HIGH, _MID = 0.9, 0.6  # shares of the peak, as in the terminal
_TOKEN = re.compile(
    r"(?P<c>//.*|/\*.*?(?:\*/|$))|(?P<s>\"(?:\\.|[^\"\\])*\"?|'(?:\\.|[^'\\])*'?)|(?P<k>^\s*\#\s*\w+|\b(?:"
    r"if|else|for|while|do|switch|case|default|break|continue|return|goto|const|constexpr|static|inline|template|"
    r"typename|struct|class|auto|void|bool|char|short|int|long|float|double|unsigned|signed|size_t|volatile|"
    r"__\w+__|__restrict|true|false|nullptr|using|namespace|typedef|sizeof)\b)"
)


def page(path: str, sections: Sequence[Section]) -> str:
    """The page, with a newline at its end; it can be encoded as UTF-8 whatever the source holds."""
    title = f"{shown(path)}: register pressure"
    links = "".join(
        f'<a href="#k{i}">{shown(section.heading)} <span>{shown(section.target)}</span></a>'
        for i, section in enumerate(sections)
    )
    parts = [
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{STYLE}</style></head>\n<body><div class=page>",
        f"<header class=top><h1>{shown(path)} <span>live registers, line by line</span></h1>",
        f"<p class=caveat>{escape(CAVEAT)}</p>{in_words_of(vendor_of(each.target for each in sections), _LEGEND)}",
        f"<nav>{links}</nav>" if len(sections) > 1 else "",
        "</header>\n<main>",
        *(piece for i, section in enumerate(sections) for piece in _section(i, section)),
        "</main>\n<aside><div id=panel aria-live=polite><p>Point at a line to see what is live there.</p></div>",
        "<p>A click pins a line, <kbd>Esc</kbd> lets it go; <kbd>&uarr;</kbd> <kbd>&darr;</kbd> move. Point at a ",
        "value to mark the lines that make and read it.</p></aside></div>",
        f'\n<script type="application/json" id="data">{_embedded(sections)}</script>',
        f"\n<script>{SCRIPT}</script></body></html>\n",
    ]
    return "".join(parts)


def shown(text: str) -> str:
    """Text for the page: markup escaped, hidden and reordering characters written out, as in the terminal."""
    return escape(well_formed("\t".join(visible(part) for part in text.split("\t"))))


def _marked(sentence: str) -> str:
    """A sentence whose names in backticks are set as code."""
    parts = shown(sentence).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


def _embedded(sections: Iterable[Section]) -> str:
    """JSON that can stand in a script element: no character of it can end the element or begin another."""
    import json

    found = [_kernel(section) for section in sections]
    text = json.dumps({"kernels": found}, separators=(",", ":"))  # ASCII, so that U+2028 is an escape too
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _kernel(section: Section) -> dict[str, Any]:
    found = kernel(section)
    for line, entry in zip(section.pressure.lines, found["lines"], strict=True):
        entry["beyond"] = list(extras(line))
        entry["insides"] = [text.replace("`", "") for text in insides(line)]
        said = {one.value: remark(section.pressure.values[one.value], one, line.line) for one in line.values}
        entry["remarks"] = {str(index): text for index, text in said.items() if text}
    for value in found["values"]:
        value["name"], value["type"] = visible(value["name"]), visible(value["type"])
    return {
        "name": visible(section.heading),
        "home": SCALARS[0],
        "lines": found["lines"],
        "values": found["values"],
    }


# ------------------------------------------------------------------------------------------------------- sections


def _section(index: int, section: Section) -> Iterator[str]:
    bars = scale(section)
    ticks = ",".join(_tick(100 * most / bars.top) for most, _ in bars.steps) or "none"
    plain = section.vendor != "amd"
    where = f"{section.path}:{section.line}, {section.target} ({section.title})"
    yield f'<section id="k{index}"><h2>{shown(section.heading)} <span>{shown(where)}</span></h2><dl>'
    for label, sentence in facts_of(section):
        yield f"<dt>{label}</dt><dd>{_marked(sentence)}</dd>"
    yield f'</dl><div class="rows{" plain" if plain else ""}" style="--ticks:{ticks}">'
    yield _ruler(section, bars, plain=plain)
    commented = False
    for position, text in enumerate(section.text):
        code, commented = _code(text, commented)
        aside = _aside(section, position)
        yield _row(index, section, position, bars, f"{code}{aside}", plain=plain)
    yield "</div></section>\n"


def _tick(percent: float) -> str:
    place = f"{percent:.3f}%"
    return (
        f"linear-gradient(90deg,transparent calc({place} - 1px),var(--tick) calc({place} - 1px),"
        f"var(--tick) {place},transparent {place})"
    )


def _ruler(section: Section, bars: Scale, *, plain: bool) -> str:
    marks, left = [], 0
    room = max(bars.top // 24, 1)  # registers that a number needs at the usual width
    for most, waves in bars.steps:
        if most - left >= room:
            marks.append(f'<b style="left:{100 * most / bars.top:.3f}%">{most}</b>')
            marks.append(f'<i style="left:{50 * (most + left) / bars.top:.3f}%">{number(waves)}</i>')
        left = most
    scalars = "" if plain else f"<span>{SCALARS[1]}</span>"
    above = in_words_of(vendor_of((section.target,)), "waves per SIMD")
    return (
        f'<div class=ruler><span>line</span><span>live</span>{scalars}<span class=scale title="{above} above, '
        f'registers below">{"".join(marks)}</span><span></span></div>'
    )


def _row(index: int, section: Section, position: int, bars: Scale, code: str, *, plain: bool) -> str:
    peak, line = section.peak, section.pressure.lines[position]
    share = line.total / peak.total if peak is not None else 0.0
    names = ["row"]
    names += ["high"] if share >= _HIGH else ["mid"] if share >= _MID else []
    names += [] if line.code else ["still"]
    names += ["peak"] if line is peak else []
    first = peak.line if peak is not None else section.pressure.lines[0].line
    amount = str(line.total) if line.code and line.total else ""
    scalars = "" if plain else f"<span>{line.scalar if line.code and line.scalar else ''}</span>"
    label = f"line {line.line}: {count(line.total, 'register')}"
    return (
        f'<div class="{" ".join(names)}" id="k{index}-L{line.line}" tabindex={0 if line.line == first else -1} '
        f'aria-label="{label}"><span class=no>{line.line}</span><span class=amount>{amount}</span>{scalars}'
        f"<div class=bar>{_part('i', line.live, bars)}{_part('b', line.extra, bars)}</div>"
        f"<code>{code}</code></div>\n"
    )


def _aside(section: Section, position: int) -> str:
    line = section.pressure.lines[position]
    if line.routine is not None:
        return f"<em>+{line.routine.registers} in {shown(line.routine.name)}</em>"
    return f"<em>in {shown(line.inlined[0].name)}</em>" if line.inlined else ""


def _part(tag: str, registers: int, bars: Scale) -> str:
    return f'<{tag} style="width:{100 * registers / bars.top:.3f}%"></{tag}>' if registers else ""


def _code(text: str, commented: bool) -> tuple[str, bool]:
    """A line with comments, words and strings marked, and whether a block comment goes on behind it."""
    text = text.rstrip()
    if commented:
        end = text.find("*/")
        if end < 0:
            return f"<span class=c>{shown(text)}</span>", True
        rest, goes_on = _code(text[end + 2 :], commented=False)
        return f"<span class=c>{shown(text[: end + 2])}</span>{rest}", goes_on
    pieces, last, goes_on = [], 0, False
    for match in _TOKEN.finditer(text):
        pieces.append(shown(text[last : match.start()]))
        pieces.append(f"<span class={match.lastgroup}>{shown(match[0])}</span>")
        last = match.end()
        goes_on = match[0].startswith("/*") and not match[0].endswith("*/")
    return "".join(pieces) + shown(text[last:]), goes_on
