"""The pictures of the documentation are what the program prints today, and harmless as images."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from tools.generators import pictures


def test_committed_pictures_are_current() -> None:
    for name, text in pictures.pictures().items():
        assert (pictures.IMAGES / name).read_text(encoding="utf-8") == text, "run: python -m tools.generators.pictures"


def test_picture_depends_only_on_its_own_file() -> None:
    for name, text in pictures.pictures().items():
        root = ElementTree.fromstring(text)
        assert not [each for each in root.iter() if each.tag.rpartition("}")[2] in ("script", "image", "use")], name
        assert "@import" not in text
        assert "url(" not in text


def test_a_picture_has_colours_for_light_and_dark() -> None:
    for text in pictures.pictures().values():
        light, dark = text.split("@media (prefers-color-scheme:dark)")
        used = {name for each in re.findall(r' class="([^"]*)"', text) for name in each.split()} - {"c1", "c2", "back"}
        assert used
        assert all(f".{name}{{" in light and f".{name}{{" in dark for name in used)


def test_picture_shows_the_programs_output() -> None:
    words = "".join(ElementTree.fromstring(pictures.pictures()["finding.svg"]).itertext())
    assert "RP301 long-live-range" in words
    assert "help: load after the loop" in words
