"""Additions to MkDocs' site: pages outside of docs/, links to them, and all of the navigation.

A file of the repository has one place on the site: without `docs/` in front, and the README is the home page. Links
are written for the repository, so that they work there as well, and are changed here to where they lead on
the site.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
# Pages outside of docs/, and the schemas, whose addresses are part of the contract of the machine formats.
OUTSIDE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "schemas/*.json")
OUTSIDE_PAGES = ("examples/plugin/README.md",)
_LINK = re.compile(r"(?P<before>\]\(|src(?:set)?=\")(?P<path>(?!\w+:|#)[^)\"#\s]+)")
_NAMED = re.compile(r"\[(?P<text>[^\[\]]*)\]\((?P<path>(?!\w+:|#)[^)\"#\s]+)\)")
_CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^(```+)(\w+)(?: (?!title=)(\S+))?(.*)$", re.MULTILINE)
_RULE = re.compile(r"^\| (RP\d{3}) \| \[([\w-]+)\]\(([\w-]+\.md)\)", re.MULTILINE)
_LEXERS = {"hip": "cpp", "cuda": "cpp", "sycl": "cpp"}  # what highlighters know


def site_path(path: str) -> str:
    """The place of a repository's file in the site's sources."""
    return "index.md" if path == "README.md" else path.removeprefix("docs/")


def repository_path(path: str) -> str:
    """The file of the repository that a file of the site's sources is."""
    if path == "index.md":
        return "README.md"
    return path if (ROOT / path).exists() and not (ROOT / "docs" / path).exists() else f"docs/{path}"


def with_links(text: str, page: str) -> str:
    """A page's text with its links as they hold on the site; code is left as it is."""
    folder = posixpath.dirname(repository_path(page))

    def named(found: re.Match[str]) -> str:
        """A folder has no page: its link is text on the site."""
        return found["text"] if (ROOT / folder / found["path"]).is_dir() else found[0]

    def moved(found: re.Match[str]) -> str:
        target = site_path(posixpath.normpath(posixpath.join(folder, found["path"])))
        return found["before"] + posixpath.relpath(target, posixpath.dirname(page) or ".")

    pieces = _CODE.split(text)
    return "".join(piece if piece.startswith("```") else _LINK.sub(moved, _NAMED.sub(named, piece)) for piece in pieces)


def with_titles(text: str) -> str:
    """A page's text with fences that MkDocs understands: ```cuda divergent.cu has a title."""

    def fence(found: re.Match[str]) -> str:
        title = f' title="{found[3]}"' if found[3] else ""
        return f"{found[1]}{_LEXERS.get(found[2], found[2])}{title}{found[4]}"

    return _FENCE.sub(fence, text)


def rules(index: str) -> list[dict[str, list[dict[str, str]]]]:
    """Entries of the navigation for all rules: a group per heading of the list docs/rules/index.md, in its order."""
    return [
        {part.partition("\n")[0]: entries}
        for part in index.split("\n## ")[1:]
        if (entries := [{f"{code} {name}": f"rules/{file}"} for code, name, file in _RULE.findall(part)])
    ]


def pages_of(navigation: list[Any]) -> list[str]:
    """Pages of a navigation, in order."""
    found: list[str] = []
    for entry in navigation:
        for value in entry.values() if isinstance(entry, dict) else (entry,):
            found += [value] if isinstance(value, str) else pages_of(value)
    return found


def with_rules(navigation: list[Any]) -> list[Any]:
    """A navigation with the rules' pages behind their list, and with a last section for pages that it does not name."""
    groups = rules((ROOT / "docs" / "rules" / "index.md").read_text(encoding="utf-8"))
    sections = _extended(navigation, groups)
    named = {*pages_of(sections)}
    others = sorted(path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").glob("**/*.md"))
    rest = [page for page in others if page not in named]
    return [*sections, {"More": rest}] if rest else sections


def _extended(navigation: list[Any], groups: list[Any]) -> list[Any]:
    """A navigation whose section `Rules`, at any depth, ends with these groups."""
    return [
        {
            title: [*_extended(inner, groups), *(groups if title == "Rules" else ())]
            if isinstance(inner, list)
            else inner
            for title, inner in entry.items()
        }
        if isinstance(entry, dict)
        else entry
        for entry in navigation
    ]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The navigation is complete."""
    config.nav = with_rules(config.nav or [])
    return config


def linked() -> set[str]:
    """Files of the repository outside of docs/ that pages link to, other than those that are named above."""
    found: set[str] = set()
    outside = (*(name for name in OUTSIDE if name.endswith(".md")), *OUTSIDE_PAGES)
    for page in (*outside, *(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md"))):
        text = _CODE.sub("", (ROOT / page).read_text(encoding="utf-8"))
        for link in _LINK.finditer(text):
            found.add(posixpath.normpath(posixpath.join(posixpath.dirname(page), link["path"])))
    return {path for path in found if not path.startswith("docs/") and (ROOT / path).is_file()}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Files outside docs/ belong to the site as well."""
    from mkdocs.structure.files import File, InclusionLevel

    named = [path for pattern in (*OUTSIDE, *OUTSIDE_PAGES) for path in sorted(ROOT.glob(pattern))]
    others = sorted({ROOT / path for path in linked()}.difference(named))
    for path in (*named, *others):
        shown = InclusionLevel.UNDEFINED if path in named else InclusionLevel.NOT_IN_NAV
        source = site_path(path.relative_to(ROOT).as_posix())
        files.append(File.generated(config, source, abs_src_path=str(path), inclusion=shown))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Links and fences as the site needs them."""
    return with_titles(with_links(markdown, page.file.src_uri))
