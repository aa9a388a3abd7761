"""The options that decide the register limit of a kernel, from a compiler's words."""

from __future__ import annotations

from regpress_lint.core.compile_command import RegisterOptions
from regpress_lint.core.patterns import pattern

_COUNT = pattern(r"-{1,2}maxrregcount[= ]?\"?(\d{1,4})\b")
_THREADS = pattern(r"--gpu-max-threads-per-block=(\d{1,5})")
_ALLOCATION = pattern(r"-ftarget-register-alloc-mode=([\w:,.-]{1,200})")
# `-ze-` is Level Zero's spelling, `-cl-intel-` OpenCL's; the number is IGC's own.
_LARGE = pattern(r"-(?:cl|ze)-(?:opt|intel)-(?:large-register-file\b|256-GRF-per-thread\b|reqd-eu-thread-count[= ]4\b)")
_SMALL = pattern(r"-(?:cl|ze)-(?:opt|intel)-(?:128-GRF-per-thread\b|reqd-eu-thread-count[= ]8\b)")
_AUTOMATIC = pattern(r"-(?:cl|ze)(?:-opt)?(?:-intel)?-enable-auto-large-GRF-mode\b")
_MODES = {"large": 256, "small": 128, "default": 128, "auto": 0}
_WAVES = {"-mwavefrontsize64": 64, "-mno-wavefrontsize64": 32}
MOST_REGISTERS = 255


class Registers:
    """The options so far; of several for the same thing the last one counts."""

    def __init__(self) -> None:
        self._found = RegisterOptions()

    def word(self, word: str) -> None:
        """One word of a command, or one that is passed to a device's own compiler."""
        if "maxrregcount" in word and (match := _COUNT.fullmatch(word)) is not None:
            self.count(match[1])
        elif (match := _THREADS.fullmatch(word)) is not None:
            self._found = self._found._replace(max_threads=int(match[1]) or None)
        elif word in _WAVES:
            self._found = self._found._replace(wave=_WAVES[word])
        elif (match := _ALLOCATION.fullmatch(word)) is not None:
            self._modes(match[1])
        elif "GRF" in word or "large-register-file" in word or "eu-thread-count" in word:
            self._backend(word)

    def count(self, value: str) -> None:
        """`-maxrregcount VALUE`; ptxas ignores a value above 255."""
        if value.isascii() and value.isdigit() and 0 < int(value[:6]) <= MOST_REGISTERS:
            self._found = self._found._replace(max_registers=int(value))

    def backend(self, value: str) -> None:
        """Options that are passed to ptxas or to IGC, several in one word."""
        for match in _COUNT.finditer(value[:4096]):
            self.count(match[1])
        self._backend(value[:4096])

    def _backend(self, value: str) -> None:
        modes = ((_LARGE, 256), (_SMALL, 128), (_AUTOMATIC, 0))
        for form, grf in modes:
            if form.search(value) is not None:
                self._found = self._found._replace(grf=grf)

    def _modes(self, value: str) -> None:
        """`pvc:large,bmg:auto`; without a device it holds for all."""
        for part in value.split(","):
            device, _, mode = part.rpartition(":")
            if device in ("", "pvc") and mode in _MODES:
                self._found = self._found._replace(grf=_MODES[mode])

    def options(self) -> RegisterOptions:
        """The result of all of them."""
        return self._found
