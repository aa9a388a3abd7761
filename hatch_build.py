"""The README as PyPI shows it: pictures and links lead to the documentation's site, because PyPI has no other files.

A file of the repository that is no page of the site is named and not linked.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

SITE = "https://regpress-lint.readthedocs.io/"
_CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\[\]]*)\]\((?P<path>(?!\w+:|#)[^)#\s]+)(?P<anchor>#[^)\s]+)?\)")
_PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE")


class CustomMetadataHook(MetadataHookInterface):
    """Makes `readme`, which pyproject.toml declares as dynamic."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling with the table [project]."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": with_absolute_links(text)}


def with_absolute_links(text: str) -> str:
    """A README whose links hold anywhere; code is left as it is."""
    pieces = _CODE.split(text)
    return "".join(piece if piece.startswith("```") else _LINK.sub(_absolute, piece) for piece in pieces)


def _absolute(found: re.Match[str]) -> str:
    address = address_of(found["path"])
    if address is None:
        return found["text"]
    return f"{found['picture']}[{found['text']}]({address}{found['anchor'] or ''})"


def address_of(path: str) -> str | None:
    """Where a file of the repository is on the site, None for one that it does not have."""
    path = posixpath.normpath(path)
    if path not in _PAGES and not path.startswith("docs/"):
        return None
    path = path.removeprefix("docs/")
    if path == "README.md":
        return SITE
    folder, ending = posixpath.splitext(path)
    if ending != ".md":
        return SITE + path
    return f"{SITE}{folder.removesuffix('index')}".rstrip("/") + "/"
