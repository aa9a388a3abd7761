"""Instantiations that string literals name: `name_expressions` of CuPy's RawModule, nvrtcAddNameExpression, hipRTC's.

A literal that is `name<arguments>` and nothing else, of a template of a kernel in a literal of the same file.
"""

from __future__ import annotations

import re

from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import lex
from regpress_lint.cpp.preprocess.kernel_strings import FIELD, Literal, filled_in, python_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


MAX_NAMES = 64
_NAME = pattern(rb"\s*+&?\s*+((?:\w++\s*+::\s*+)*+(\w++)\s*+<[^;\"'\\]{1,256}>)\s*+")
_QUOTED = pattern(rb'(?<![\\\w])"(\s*+&?\s*+[\w:\s]{1,256}+<[^;"\'\\\n]{1,256}>\s*+)"')
_TEMPLATE_HEAD = rb"__global__[^;{}]{0,512}?\b%s\s*+\("


def names_in_literals(path: str, data: bytes, kernels: Sequence[Literal]) -> list[Literal]:
    """The literals that name instantiations of these kernels, in the order of the file. A name with a field of an
    f-string counts only beside one without: what it stands for is open, and alone it tells nothing.
    """
    if not any(b"template" in kernel.text for kernel in kernels):
        return []
    written = _of_python(data, kernels) if path.endswith(".py") else _of_cpp(data, kernels)
    known: dict[bytes, bool] = {}
    found: list[tuple[bytes, bool, Literal]] = []
    for text, at, is_open in written:
        match = _NAME.fullmatch(text)
        if match is None or len(found) == MAX_NAMES:
            continue
        name = match[2]
        if name not in known:
            head = re.compile(_TEMPLATE_HEAD % name)
            known[name] = any(head.search(kernel.text) for kernel in kernels)
        if known[name]:
            start, end = at + match.start(1), at + match.end(1)
            found.append((name, is_open, Literal(Span(start, end), start, match[1])))
    settled = {name for name, is_open, _ in found if not is_open}
    return [literal for name, _, literal in found if name in settled]


def _of_python(data: bytes, kernels: Sequence[Literal]) -> Iterator[tuple[bytes, int, bool]]:
    inside = {kernel.at for kernel in kernels}
    for one in python_texts(data):
        if b"<" in one.text and one.at not in inside:
            is_open = one.filled and b"{" in one.text
            yield (FIELD.sub(filled_in, one.text) if is_open else one.text), one.at, is_open


def _of_cpp(data: bytes, kernels: Sequence[Literal]) -> Iterator[tuple[bytes, int, bool]]:
    bare = lex(data).bare if _QUOTED.search(data) is not None else ""
    for match in _QUOTED.finditer(data):
        commented = bare[match.start()] != '"'
        if not commented and not any(kernel.span.start < match.start() < kernel.span.end for kernel in kernels):
            yield match[1], match.start(1), False
