"""The options that decide what code a compiler makes for a GPU, out of its words: an allow list of whole words.

They change registers and nothing that is looked up or run. Who only reads sources has no use for them.
"""

from __future__ import annotations

from regpress_lint.core.patterns import pattern

_MOST = 64
_WORD = pattern(
    r"-O(?:[0-3szg]|fast)?|-f(?:no-)?fast-math|-f(?:no-)?gpu-rdc|-ffp-contract=(?:on|off|fast|fast-honor-pragmas)|"
    r"-m(?:no-)?(?:cumode|wavefrontsize64|unsafe-fp-atomics|tgsplit)|-f(?:no-)?unroll-loops|-f(?:no-)?finite-math-only|"
    r"-f(?:no-)?(?:gpu|cuda)-flush-denormals-to-zero|-f(?:no-)?(?:slp-)?vectorize|-f(?:no-)?exceptions|-g\d?|-lineinfo|"
    r"--?use_fast_math|--?(?:ftz|prec-div|prec-sqrt|fmad)=(?:true|false)|--expt-relaxed-constexpr|--?expt-extended-lambda|"
    r"--?extended-lambda|-G|--device-debug|--generate-line-info|-rdc=(?:true|false)|-dc|"
    r"--relocatable-device-code=(?:true|false)|-f(?:no-)?signed-char"
)


class Codegen:
    """The options so far, in order: of several for the same thing compilers take the last."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def word(self, word: str) -> None:
        """One word of a command."""
        if len(self._found) < _MOST and _WORD.fullmatch(word) is not None:
            self._found.append(word)

    def options(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(self._found)
