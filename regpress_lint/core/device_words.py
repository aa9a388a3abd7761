"""Words of a project's own by which its kernels are found: macros that mark them, functions that launch them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class DeviceWords(NamedTuple):
    """macros: the left side of a `#define` (`MY_KERNEL(name)`) and its replacement, where no known header
    defines it. launches: last or qualified names of functions that run what they are given on the device, with the
    threads of a block that it is compiled for, 0 for none. defined: macros as `-D` would define them, with their
    parameters if they have some; None for one that is not defined whatever the build says.
    """

    macros: Mapping[str, str] = {}
    launches: Mapping[str, int] = {}
    defined: Mapping[str, str | None] = {}

    @property
    def seen(self) -> tuple[bytes, ...]:
        """A word of each: files without them hold nothing of the kind."""
        macros = (name.partition("(")[0] for name in self.macros)
        return tuple(word.rpartition("::")[2].encode() for word in (*macros, *self.launches))

    def defines(self) -> bytes:
        """The macros as lines of a header."""
        return "".join(f"#define {name} {text}\n" for name, text in self.macros.items()).encode()


def unknown(value: Any) -> bool:
    """True for text that is not the name of a macro or a function."""
    return not isinstance(value, str) or not value.partition("(")[0].replace("::", "_").strip().isidentifier()


def as_defined(text: str) -> tuple[str, str]:
    """`NAME=VALUE` or `NAME`, which compilers take for `NAME=1`."""
    name, equals, value = text.partition("=")
    return name.strip(), value.strip() if equals else "1"


NO_WORDS = DeviceWords()
