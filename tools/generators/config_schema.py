"""Write `schemas/config.v1.schema.json` and `docs/configuration.md` from the options.

`python -m tools.generators.config_schema` writes them.

`--check` writes nothing and exits 1 if one of them is not what it would write.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from regpress_lint.config.schema import document, page
from tools.generators import checks_only

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[2]
TEXT = Path(__file__).with_suffix(".md")


def texts() -> dict[Path, str]:
    """The files with their content."""
    schema = json.dumps(document(), indent=2) + "\n"
    pages = TEXT.read_text() + "\n".join(page())
    return {ROOT / "schemas" / "config.v1.schema.json": schema, ROOT / "docs" / "configuration.md": pages}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 1 if `--check` finds a difference."""
    check = checks_only(__doc__, arguments)
    stale = [path for path, text in texts().items() if not path.exists() or path.read_text() != text]
    for path in stale:
        print(path.relative_to(ROOT))
        if not check:
            path.write_text(texts()[path])
    return int(bool(stale) and check)


if __name__ == "__main__":
    sys.exit(main())
