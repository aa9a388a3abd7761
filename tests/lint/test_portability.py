"""What differs on Windows and macOS, by simulation: no fork, names without case, folders for the cache."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from cli_helpers import HIP, ROOT

from regpress_lint.lint import cache, git, runner

PACKAGES = (ROOT / "regpress_lint", ROOT / "rules" / "regpress_rules")
# Names of modules and functions that Windows or macOS lack, and the files that ask first whether they are there.
ABSENT = {"fcntl", "grp", "pwd", "resource", "termios"}
UNIX = ("/dev/", "/tmp", "/proc/")  # how names of files begin that Windows lacks
LINUX_ONLY = {"/proc/self/statm"}  # read where it is there
GUARDED = {"regpress_lint/semantics/confine.py"}


def sources() -> list[Path]:
    return [path for package in PACKAGES for path in sorted(package.rglob("*.py"))]


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All of a file's syntax tree."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@pytest.mark.slow
def test_a_run_works_where_processes_are_spawned(tmp_path: Path) -> None:
    """As on Windows and macOS: workers start from nothing, and find their task by its name."""
    for number in range(6):
        (tmp_path / f"k{number}.hip").write_text(HIP)
    program = (
        "import sys\n"
        "from regpress_lint.lint import runner\n"
        "runner._FORKS = False\n"
        "from regpress_lint.__main__ import main\n"
        "if __name__ == '__main__':\n"
        "    sys.exit(main(['check', '--isolated', '--no-cache', '-j', '2', '--statistics', '.']))\n"
    )
    script = tmp_path / "run.py"
    script.write_text(program)
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stderr == ""
    assert done.stdout == "6  RP201  pow-small-exponent\n"
    assert hasattr(runner, "_FORKS")


def test_no_two_files_differ_in_case_alone() -> None:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("not in a work tree of git")
    names = Counter(name.lower() for name in done.stdout.split("\0") if name)
    assert [name for name, count in names.items() if count > 1] == []


def test_no_file_has_a_name_that_windows_refuses() -> None:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("not in a work tree of git")
    devices = {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))}
    for name in filter(None, done.stdout.split("\0")):
        assert not set(name) & set('<>:"|?*\\'), name
        for part in name.split("/"):
            assert part.partition(".")[0].lower() not in devices, name
            assert part == part.rstrip(". "), name


def test_modules_of_unix_are_imported_only_where_their_absence_is_expected() -> None:
    found = set()
    for path in sources():
        if not any(name in path.read_text(encoding="utf-8") for name in ABSENT):
            continue
        for node in nodes(path):
            named = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            named += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if ABSENT & set(named):
                found.add(path.relative_to(ROOT).as_posix())
    assert found <= GUARDED


def test_no_path_of_unix_is_opened() -> None:
    """git's own options name /dev/null, which Git for Windows knows; Python opens os.devnull."""
    for path in sources():
        text = path.read_text(encoding="utf-8")
        if path.name == "git.py" or not any(name in text for name in UNIX):
            continue
        for node in nodes(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in LINUX_ONLY:
                assert not node.value.startswith(UNIX), f"{path}:{node.lineno}"
    assert any("/dev/null" in word for word in git._SAFE)


@pytest.mark.parametrize(
    ("platform", "variable", "expected"), [("win32", "LOCALAPPDATA", "local"), ("darwin", "HOME", "Library")]
)
def test_the_cache_is_where_the_system_keeps_caches(
    platform: str, variable: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(variable, str(tmp_path / "local"))
    assert expected in Path(cache.default_folder()).parts or expected in cache.default_folder()
