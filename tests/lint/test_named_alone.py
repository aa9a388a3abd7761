"""A file that is named alone, as a hook names it, is read as in a run over all of its work tree."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from server_helpers import editor

from regpress_lint.__main__ import main
from regpress_lint.core.settings import Settings
from regpress_lint.lint.discovery import holds_at_most, in_work_tree, near, surroundings
from regpress_lint.lint.projects import MAX_SIBLINGS, Projects
from regpress_lint.lint.work import Scope

if TYPE_CHECKING:
    from pathlib import Path

_FILES = {
    "include/deep/helpers.cuh": "#define OUR_LOOP(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)\n"
    "constexpr int LANES = 20;\n",
    "ops/cuda/sum.cuh": '#include "helpers.cuh"\n'
    "__global__ void sum(const float *a, float *o, int n) {\n"
    "  float s[LANES];\n  OUR_LOOP(i, n) s[a[i] > 0 ? i % LANES : 0] = a[i];\n  o[threadIdx.x] = s[n % LANES];\n}\n",
    "ops/main.cu": '#include "cuda/sum.cuh"\nvoid run(float *a, float *o) { sum<<<4, 192>>>(a, o, 100); }\n',
    "left/out/helpers.cuh": "#define OUR_LOOP(i, n) for (int i = 0; i < 2; i++)\nconstexpr int LANES = 2;\n",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in _FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "regpress.toml").write_text('exclude = ["left"]\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _version(tree: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tree)], check=True)


def _answers(capsys: pytest.CaptureFixture[str], command: str, *paths: str) -> list[dict[str, Any]]:
    main([command, "--no-cache", "--arch", "gfx90a,sm_90", "--output-format", "json", *paths])
    document = json.loads(capsys.readouterr().out)
    return [each for each in document["kernels" if command == "kernels" else "diagnostics"] if "sum" in each["path"]]


@pytest.mark.parametrize("command", ["kernels", "check"])
@pytest.mark.parametrize("named", ["ops/cuda/sum.cuh", "ops/cuda"])
def test_it_is_read_as_in_a_run_over_the_work_tree(
    tree: Path, capsys: pytest.CaptureFixture[str], command: str, named: str
) -> None:
    _version(tree)
    whole = _answers(capsys, command, ".")
    assert whole
    assert _answers(capsys, command, named) == whole


def test_file_is_read_the_same_from_a_subfolder(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _version(tree)
    (whole,) = _answers(capsys, "kernels", ".")
    monkeypatch.chdir(tree / "ops")
    (alone,) = _answers(capsys, "kernels", str(tree / "ops/cuda/sum.cuh"))
    assert alone["targets"] == whole["targets"]
    assert alone["block_size"] == whole["block_size"] == 192


@pytest.mark.parametrize("command", ["kernels", "check"])
def test_outside_of_a_work_tree_it_is_read_as_in_a_run_over_the_working_folder(
    tree: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """A download without `.git`: headers in a sibling of the file's folder are found by name."""
    assert not in_work_tree(str(tree))
    whole = _answers(capsys, command, ".")
    assert whole
    assert _answers(capsys, command, "ops/cuda/sum.cuh") == whole


@pytest.mark.parametrize(("entries", "fits"), [(11, True), (10, False)])
def test_a_folder_is_counted_with_what_is_below_it(tree: Path, entries: int, fits: bool) -> None:
    assert holds_at_most(".", entries) is fits  # four sources, a configuration, six folders


def test_link_targets_are_not_counted(tree: Path) -> None:
    (tree / "ops" / "up").symlink_to(tree)
    assert holds_at_most(".", 12)


def test_a_large_working_folder_is_not_listed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regpress_lint.lint.discovery._MOST_ENTRIES", 3)
    (tree / "ops/cuda/other.cu").write_text("")
    assert list(surroundings(["ops/cuda/sum.cuh"], (), ())) == ["ops/cuda/other.cu"]
    assert list(surroundings(["ops/cuda/sum.cuh", "ops/cuda/other.cu"], ("ops",), ())) == []


def test_nothing_is_listed_for_who_names_the_whole_tree(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _version(tree)
    monkeypatch.setattr("regpress_lint.lint.discovery.sources_below", lambda _: pytest.fail("listed"))
    assert list(surroundings(["ops/main.cu"], (".",), ())) == []
    assert list(surroundings([str(tree / "ops/main.cu")], (str(tree),), ())) == []


def test_excluded_files_are_unknown(tree: Path) -> None:
    _version(tree)
    found = list(surroundings(["ops/main.cu"], (), ("left",)))
    assert found == ["include/deep/helpers.cuh", "ops/cuda/sum.cuh"]


_NEAR = (
    *("main.cu", "src/main.cu", "src/kernels/a.cuh", "src/kernels/deep/b.cu", "src/kernels/deep/er/c.cu"),
    *("src/ignored.cu", "src/out/d.cu", "src/.hidden/e.cu", "src/node_modules/f.cu", "left/g.cu", "include/h.cuh"),
    *(f"many/{number}/a.cu" for number in range(50)),
    *(f"ignored/{number}/{name}.cu" for number in range(50) for name in ("out", *("b",) * (number > 45))),
    *(f"files/{number}.cu" for number in range(70)),
    *(f"excluded/{number}/a.cu" for number in range(42)),
    *("files/in/a.cu", "files/beside/b.cu"),
)


@pytest.mark.parametrize("absolute", [False, True])
def test_files_near_a_folder_match_a_list_of_the_work_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, absolute: bool
) -> None:
    for name in _NEAR:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (tmp_path / ".gitignore").write_text("out\nout.cu\nignored.cu\n")
    (tmp_path / "link").symlink_to(tmp_path / "src")
    _version(tmp_path)
    subprocess.run(["git", "add", "src/kernels"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    start = f"{tmp_path}/" if absolute else ""
    settings = Settings(exclude=("left", "excluded/1*"))
    several = tuple(f"{start}{name}" for name in ("many/3/a.cu", "many/4/a.cu", "src/kernels/a.cuh"))
    for paths in (*((start + name,) for name in _NEAR), several):
        scope = Scope(settings, paths)
        whole, few = Projects(paths, around=scope._surroundings), scope.projects()
        for other in (*paths, f"{start}src/kernels/deep/b.cu", f"{start}files/0.cu"):
            assert few.peers_of(other) == whole.peers_of(other)
    listed = near((f"{start}src/kernels",), (f"{start}src/kernels/a.cuh",), (), ("left",))
    assert {each.removeprefix(start) for each in listed or ()} == {
        *("main.cu", "src/main.cu", "src/kernels/a.cuh", "src/kernels/deep/b.cu", "include/h.cuh"),
        *(f"files/{number}.cu" for number in range(70)),
    }


@pytest.mark.parametrize("why", ["all is known", "a repository beside", "ignored folders", "no work tree"])
def test_whole_work_tree_is_listed_if_needed(tree: Path, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if why != "no work tree":
        _version(tree)
        assert near(("ops",), ("ops/main.cu",), (), ()) == ["ops/cuda/sum.cuh", "ops/main.cu"]
    if why == "a repository beside":
        _version(tree / "ops" / "cuda")
    if why == "ignored folders":
        monkeypatch.setattr("regpress_lint.lint.discovery._FEW_IGNORED", -MAX_SIBLINGS)
        (tree / ".gitignore").write_text("cuda\n")
    assert near(("ops",), ("ops/main.cu",), ("other", ".") if why == "all is known" else (), ()) is None


def test_outside_of_a_work_tree_an_editor_s_folder_is_the_project(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As on the command line in that folder."""
    whole = _answers(capsys, "check", ".")
    with editor("--arch", "gfx90a,sm_90", folder=str(tree)) as client:
        shown = client.diagnostics(client.open(tree / "ops/cuda/sum.cuh"))
    assert [each["code"] for each in shown] == [each["code"] for each in whole if "sum.cuh" in each["path"]] != []
