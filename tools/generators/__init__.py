"""Each writes generated files of the repository; `python tools/generate.py` runs them all."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def checks_only(documentation: str | None, arguments: Sequence[str] | None = None) -> bool:
    """True for `--check`, the only option of most generators. Anything else is an error, `--help` shows the text."""
    parser = argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if a file is stale")
    return bool(parser.parse_args(arguments).check)
