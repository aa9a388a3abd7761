"""Kernel sites of a source file by a plain token scan: an oracle that shares nothing with the front end it checks.

Comments, strings and preprocessor directives are blanked; then `__global__ ... (...) {` is a definition, and a
`parallel_for` or `single_task` whose arguments hold a lambda is a SYCL launch. A lambda with a word of a portability
layer that is behind one of the layer's functions is a kernel as well, unless it is in another one or the call names
a policy of the host or of a team, itself or through a `using`. It does not see kernels that macros generate, so it
finds fewer than the front end, and never more than there are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.program.model import Kernel

_NOISE = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"(?P<d>[^()\\\s]{0,16})\(.*?\)(?P=d)\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'"
    r"|^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*",
    re.DOTALL | re.MULTILINE,
)
_SYCL = re.compile(
    r"(\w+\s*::\s*)?(?:\.|->)\s*(?:template\s+)?(parallel_for|single_task|parallel_for_work_group)\s*(?=[<(])"
)


_LAYER = re.compile(r"\bKOKKOS_(?:CLASS_)?LAMBDA\s*\(|\[[=&]?\]\s*(?:AMREX_GPU_DEVICE|RAJA_DEVICE|HEMI_LAMBDA)\b")
_LAYER_CALL = re.compile(
    r"\bKokkos\s*::\s*parallel_\w+|\bParallelFor\w*|\bRAJA\s*::\s*(?:forall|kernel)\w*|\bhemi\s*::"
)
_NO_KERNEL = re.compile(r"Serial|OpenMP|HPX|Threads|Host|Team\w*Range|VectorRange|PerT|seq_|omp_|simd_|loop_")


class Site(NamedTuple):
    """`line` of the kernel word, `end_line` of its body's closing brace (0 for a SYCL call)."""

    line: int
    end_line: int
    form: str


def blank(match: re.Match[str]) -> str:
    """Spaces with the newlines kept."""
    return re.sub(r"[^\n]", " ", match[0])


def scan(data: bytes) -> list[Site]:
    """All sites of a file."""
    text = _NOISE.sub(blank, data.decode("latin-1"))
    sites = [
        Site(text.count("\n", 0, match.start()) + 1, text.count("\n", 0, end) + 1, "__global__")
        for match in re.finditer(r"\b__global__\b", text)
        if (end := _definition_end(text, match.end())) is not None
    ]
    calls = (match for match in _SYCL.finditer(text) if "sycl" in text.lower() and _holds_lambda(text, match.end()))
    sites.extend(Site(text.count("\n", 0, match.start(2)) + 1, 0, match[2]) for match in calls)
    sites.extend(_layered(text))
    return sites


def site_found(site: Site, kernels: Sequence[Kernel]) -> bool:
    """Whether a kernel was found there: by the brace that closes it, by the launch, or by where its lambda begins."""
    if site.form == "__global__":
        ends = any(kernel.end_line == site.end_line and abs(kernel.line - site.line) <= 12 for kernel in kernels)
        near = any(0 <= kernel.line - site.line <= 3 for kernel in kernels)  # braces under an `#if` mislead the scan
        return ends or near
    if site.form == "lambda":
        return any(kernel.line == site.line for kernel in kernels)
    return any(launch.line == site.line for kernel in kernels for launch in kernel.launches)


def _layered(text: str) -> list[Site]:
    """Lambdas that a portability layer launches."""
    found: list[Site] = []
    done = 0
    for match in _LAYER.finditer(text):
        if match.start() < done:
            continue
        opening = text.find("{", match.end())
        done = (_closing(text, opening) or match.end()) if opening >= 0 else match.end()
        before = max(text.rfind(mark, 0, match.start()) for mark in ";{}")
        said = text[before + 1 : match.start()]
        if _LAYER_CALL.search(said) and not _NO_KERNEL.search(_with_aliases(text, said, match.start())):
            found.append(Site(text.count("\n", 0, match.start()) + 1, 0, "lambda"))
    return found


def _with_aliases(text: str, said: str, before: int) -> str:
    """A call's text with the last `using` of each of its words, as in `using Space = Kokkos::Serial;`."""
    words = dict.fromkeys(re.findall(r"\w+", said), "")
    for match in re.finditer(r"\busing\s+(\w+)\s*=([^;]*);", text[:before]):
        if match[1] in words:
            words[match[1]] = match[2]
    return " ".join((said, *words.values()))


def _definition_end(text: str, start: int) -> int | None:
    depth = 0
    for match in re.compile(r"[(){};]").finditer(text, start):
        char = match[0]
        if char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        elif depth == 0 and char in ";}":
            return None
        elif depth == 0 and char == "{":
            return _closing(text, match.start())
    return None


def _closing(text: str, start: int) -> int | None:
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return None


def _holds_lambda(text: str, start: int) -> bool:
    opening = text.find("(", start, start + 400)
    if opening < 0:
        return False
    depth = 0
    for match in re.compile(r"[()]").finditer(text, opening):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return re.search(r"\[\s*[=&]", text[opening : match.start()]) is not None
    return False
