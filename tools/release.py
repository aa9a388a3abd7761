"""Places that a tag changes: every version, address and digest that a release replaces, with file and line.

    python tools/release.py --dry-run v0.1.0                  list the places, change nothing
    python tools/release.py --check v0.1.0                    exit 1 if a version differs or a placeholder is left
    python tools/release.py --apply v0.1.0 --repository O/R   write versions and addresses

Digests of the source archive (Spack, conda) are known when PyPI has it: `--sha256` writes them after that.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent
TAG = re.compile(r"v(\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?)")
_NUMBER = r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?"
# Where a version is, and the words around it.
VERSIONS = {
    "pyproject.toml": r'^version = "(N)"$',
    "regpress_lint/__init__.py": r'^__version__ = "(N)"$',
    "CITATION.cff": r"^version: (N)$",
    "editors/vscode/package.json": r'^  "version": "(N)",$',
    "editors/vscode/package-lock.json": (
        r'\A\{\n  "name": "regpress-lint",\n  "version": "(N)"'
        r'|^    "": \{\n      "name": "regpress-lint",\n      "version": "(N)"'
    ),
    "packages/spack/package.py": r'(?:^    version\("|regpress_lint-)(N)',
    "packages/conda/recipe.yaml": r'^  version: "(N)"$',
    "packages/pre-commit-mirror/README.md": r'"regpress-lint==(N)"',
    "README.md": r"^ +rev: v(N)\b",
    "docs/adoption.md": r"^ +rev: v(N)\b",
    "CHANGELOG.md": r"^## (N) \(unreleased\)$",
}
ADDRESS = re.compile(
    r"(?:https://github\.com/)?OWNER/REPOSITORY\b|\bgit\+URL\b|\brepo: URL\b|recipe-maintainers:\n +- OWNER\b"
)
COMMIT = "0123456789abcdef0123456789abcdef01234567"
DIGEST = "0" * 64
# Files that tell of placeholders, and must keep them.
_ABOUT = re.compile(
    r"^(?:tests/project/test_release\.py|tests/project/test_packaging\.py|tools/release\.py|packages/README\.md)$"
)


class Place(NamedTuple):
    """A text that a release replaces. kind: `version`, `address`, `commit` or `digest`."""

    path: str
    line: int
    kind: str
    text: str


def files() -> list[str]:
    """Files of the repository that git knows."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def places(names: Iterable[str] | None = None) -> Iterator[Place]:
    """Every place, in the order of files and lines; of some files only, if there are names."""
    for name in files() if names is None else names:
        try:
            text = (ROOT / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found = [Place(name, _line(text, at), "version", what) for at, what in _versions(name, text)]
        if not _ABOUT.match(name):
            found += [Place(name, _line(text, hit.start()), "address", hit[0]) for hit in ADDRESS.finditer(text)]
            for kind, word in (("commit", COMMIT), ("digest", DIGEST)):
                found += [Place(name, _line(text, hit.start()), kind, word) for hit in re.finditer(word, text)]
        yield from sorted(found, key=lambda place: place.line)


def _versions(name: str, text: str) -> Iterator[tuple[int, str]]:
    if (pattern := VERSIONS.get(name)) is not None:
        for hit in re.finditer(pattern.replace("N", _NUMBER), text, re.MULTILINE):
            yield hit.start(hit.lastindex or 0), hit[hit.lastindex or 0]


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def wrong(version: str) -> list[str]:
    """Places that differ from those of a release of this version."""
    found = list(places())
    differs = [place for place in found if place.kind == "version" and place.text != version]
    left = [place for place in found if place.kind == "address"]
    unreleased = [place for place in found if place.path == "CHANGELOG.md"]
    lines = [f"{place.path}:{place.line}: version {place.text}, not {version}" for place in differs]
    lines += [f"{place.path}:{place.line}: still {' '.join(place.text.split())}" for place in left]
    if f"\n## {version} (" not in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"):
        lines.append(f"CHANGELOG.md: nothing about {version}")
    return lines + [f"{place.path}:{place.line}: still (unreleased)" for place in unreleased]


def changed(name: str, text: str, version: str, repository: str | None, date: str | None, digest: str | None) -> str:
    """A file's text with the known values inserted."""
    if (pattern := VERSIONS.get(name)) is not None:
        whole = re.compile(pattern.replace("N", _NUMBER), re.MULTILINE)
        text = whole.sub(lambda hit: hit[0].replace(hit[hit.lastindex or 0], version), text)
    if name == "CHANGELOG.md" and date is not None:
        text = text.replace(f"## {version} (unreleased)", f"## {version} ({date})")
    if _ABOUT.match(name):
        return text
    if repository is not None:
        owner = repository.partition("/")[0]
        text = text.replace("OWNER/REPOSITORY", repository).replace("git+URL", f"git+https://github.com/{repository}")
        text = text.replace("repo: URL", f"repo: https://github.com/{repository}")
        text = re.sub(r"(recipe-maintainers:\n +- )OWNER\b", rf"\g<1>{owner}", text)
    return text if digest is None else text.replace(DIGEST, digest)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    action = parser.add_mutually_exclusive_group(required=True)
    for name in ("dry-run", "check", "apply"):
        action.add_argument(f"--{name}", metavar="TAG")
    parser.add_argument("--repository", metavar="OWNER/NAME", help="on github.com")
    parser.add_argument("--date", metavar="YYYY-MM-DD", help="of the release, for the changelog")
    parser.add_argument("--sha256", metavar="DIGEST", help="of the source archive on PyPI")
    options = parser.parse_args(arguments)
    tag = options.dry_run or options.check or options.apply
    match = TAG.fullmatch(tag)
    if match is None:
        parser.error(f'"{tag}" is no tag of a release, such as v0.1.0')
    version = match[1]
    if options.check:
        lines = wrong(version)
        print("\n".join(lines) if lines else f"{tag}: ready")
        return int(bool(lines))
    if options.dry_run:
        meant = {"version": version, "address": "the repository's address", "commit": f"the commit of {tag}"}
        for place in places():
            to = meant.get(place.kind, "sha256 of the source archive")
            print(f"{place.path}:{place.line}: {place.kind}: {' '.join(place.text.split())} -> {to}")
        return 0
    for name in files():
        path = ROOT / name
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        new = changed(name, text, version, options.repository, options.date, options.sha256)
        if new != text:
            path.write_text(new, encoding="utf-8")
            print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
