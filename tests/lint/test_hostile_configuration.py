"""Untrusted configurations give a clear error or an answer, within limits of memory and CPU time."""

from __future__ import annotations

import random
import re
import time
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, run
from limits import limited

from regpress_lint.core.patterns import PatternError, anchor, check, matches

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.hip").write_text(HIP)


# ------------------------------------------------------------------------------------------------------------- globs


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("*a" * 500 + "*b", "a" * 250),
        ("*a*a*a*a*a*a*a*ab", "a" * 250),
        ("**a" * 300 + "b", "a" * 250),
        ("**/" * 300 + "x", "a/" * 1500),
        ("/**/a" * 200 + "/x", "a/" * 1500),
        ("?" * 1000 + "*b", "a" * 250),
        ("[ab]*" * 200 + "c", "ab" * 120),
    ],
)
def test_a_pattern_takes_linear_time(pattern: str, name: str) -> None:
    begin = time.process_time()
    assert not matches(f"/{name}", [pattern])
    assert time.process_time() - begin < 1


@pytest.mark.parametrize("form", ["third{}", "*_{}.cu", "**/a{}*b*c*/**/x", "src/**/gen{}/**/*.cu"])
def test_many_patterns_and_long_paths_take_little_time(form: str) -> None:
    patterns = [anchor(form.format(number), "/r") for number in range(200)]
    paths = ["/r/" + "/".join(f"d{number * at % 50}" + "x" * 28 for at in range(10)) for number in range(60)]
    matches(paths[0], patterns)  # compiled once
    begin = time.process_time()
    assert not any(matches(path, patterns) for path in paths)
    assert time.process_time() - begin < 0.05  # 0.1 s without a look at the words first


def slow(pattern: str, path: str) -> bool:
    """The same question, answered by trying everything."""
    tokens, previous = [], "/"
    for token in re.findall(r"\*\*/?|\[!?[^]]+\]|.", pattern):
        tokens += ["**", "/"] if token == "**/" and not previous.endswith("/") else [token]
        previous = token
    named = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    classes = {token: f"(?!/)[{token[1:-1].replace('!', '^')}]" for token in tokens if token[0] == "[" and token[1:]}
    body = "".join(named.get(token) or classes.get(token) or re.escape(token) for token in tokens)
    return re.search(f"{'^' if pattern.startswith('/') else '(?:^|/)'}{body}(?:/|$)", path) is not None


def test_pattern_matches_like_exhaustive_search() -> None:
    draw = random.Random(39)
    hits = 0
    for _ in range(500):
        pattern = "".join(draw.choice(("a", "b", "/", "*", "**", "/**/", "?", "[ab]", "[!a]")) for _ in range(6))
        path = "/" + "/".join("".join(draw.choice("ab") for _ in range(draw.randint(1, 3))) for _ in range(4))
        assert matches(path, [pattern]) == slow(pattern, path), (pattern, path)
        hits += slow(pattern, path)
    assert hits > 60


def test_ranges_of_a_pattern() -> None:
    assert matches("/x/k3.cu", ["k[0-9].cu"])
    assert not matches("/x/k3.cu", ["k[!0-9].cu"])
    assert not matches("/x/k/y", [anchor("k[!a]y", "/x")])  # a class never means the slash
    assert matches("/x/k-.cu", ["k[a-].cu"])
    assert matches("/x/[!].cu", ["[!].cu"])  # no class: nothing is in it
    with pytest.raises(PatternError, match="goes backwards"):
        check("k[z-a].cu")
    with pytest.raises(PatternError, match="at most 1,024"):
        check("a" * 1025)


# ------------------------------------------------------------------------------------------------------------ errors


NO_CONFIGURATION = [
    ('exclude = ["k[z-a].cu"]', 'exclude: "k[z-a].cu": the range z-a in "[z-a]" goes backwards'),
    ('per-file-ignores = { "[z-a]" = "RP2" }', "goes backwards"),
    ("exclude = ['" + "*a" * 5000 + "']", "a pattern of 10,000 characters; at most 1,024"),
    ("select = [" + '"RP201",' * 100_000 + "]", "select: 100,000 entries; at most 2,000 can be used"),
    ("select = '" + "RP201," * 100_000 + "'", "select: 100,000 entries; at most 2,000 can be used"),
    (f"{'a.' * 100_000}a = 1", "a key of more than 64 parts"),
    (f"[{'a . ' * 100_000}a]", "a key of more than 64 parts"),
    ('"a".' * 50_000 + "b = 1", "a key of more than 64 parts"),
    ("required-version = '>=" + "1" * 100_000 + "'", "required-version: 100,002 characters are not a version"),
    ("required-version = '==" + "1" * 150 + "'", "is not a version clause"),
    (f"block-size = {'1' * 5_000}", "regpress.toml: "),
    (f"{'x' * 900_000} = 1", "unknown key"),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [pytest.param(*each, marks=pytest.mark.slow if number % 3 else ()) for number, each in enumerate(NO_CONFIGURATION)],
)
def test_unknown_key_is_a_one_line_error(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "regpress.toml").write_text(text)
    status, out, err = limited("check", "--no-cache", "a.hip", cwd=tmp_path)
    assert (status, out) == (2, "")
    assert expected in err
    assert err.count("\n") == 1
    assert len(err) < 2100


@pytest.mark.slow
def test_a_chain_of_configurations_has_an_end(tmp_path: Path) -> None:
    for number in range(1000):
        (tmp_path / f"{number}.toml").write_text(f'extend = "{number + 1}.toml"\n')
    (tmp_path / "1000.toml").write_text("")
    (tmp_path / "regpress.toml").write_text('extend = "0.toml"\n')
    status, _, err = limited("check", "--no-cache", "a.hip", cwd=tmp_path)
    assert status == 2
    assert "extend: more than 20 files extend each other" in err
    assert len(err) < 300
    (tmp_path / "regpress.toml").write_text('extend = "990.toml"\n')
    assert limited("check", "--no-cache", "a.hip", cwd=tmp_path)[0] == 1


@pytest.mark.parametrize(
    "text",
    [
        '"\\u001b[31mselect" = 1',
        '"\\u202eselect" = 1',
        'extend = "\\u001b[31m.toml"',
        'select = "\\u001b[31mRP201"',
        'arch = "\\u202egfx"',
        'required-version = "\\u001b[31m"',
        'build-dir = "\\u001b[31m"',
        '[per-file-ignores]\n"\\u001b[31m" = "\\u202e"',
        '[severity]\n"\\u001b[31m" = "error"',
        '[budgets]\n"k" = "\\u001b[31m\\u202e"',
        'cache-dir = "\\u001b[31m"',
    ],
)
def test_keys_and_values_do_not_command_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "regpress.toml").write_text(text)
    for command in (("check", "a.hip"), ("check", "--show-settings"), ("cache", "dir")):
        found = run(capsys, *command)
        assert not {"\x1b", "\u202e"} & {*found.out, *found.err}, command
