"""Everything published agrees with pyproject.toml: wheel, Spack package, conda recipe, citation, VS Code extension."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from snippets import ROOT

import hatch_build
from build_backend import build_sdist, build_wheel
from tools.generators import mkdocs_hooks

if TYPE_CHECKING:
    from email.message import Message

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = {re.split(r"[<>=]", each)[0] for each in PROJECT["dependencies"]}
EXTENSION = ROOT / "editors" / "vscode"
RELATIVE = re.compile(r"\]\((?!https://|#)([^)]+)\)")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A wheel and a source archive."""
    folder = tmp_path_factory.mktemp("dist")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return folder / build_wheel(str(folder)), folder / build_sdist(str(folder))


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as opened:
        (name,) = (each for each in opened.namelist() if each.endswith(".dist-info/METADATA"))
        return Parser().parsestr(opened.read(name).decode())


@pytest.mark.slow
def test_the_page_on_pypi_has_no_link_into_a_repository(built: tuple[Path, Path]) -> None:
    said = metadata(built[0])
    text = said.get_payload()
    assert isinstance(text, str)
    assert said["Description-Content-Type"] == "text/markdown"
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert RELATIVE.findall(prose) == []
    assert f"]({hatch_build.SITE}images/finding.svg)" in prose
    assert f"]({hatch_build.SITE}first-steps/)" in prose
    assert f"]({hatch_build.SITE}rules/)" in prose


def test_every_link_of_the_page_on_pypi_is_a_page_of_the_site() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in RELATIVE.findall(re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)):
        if hatch_build.address_of(path.partition("#")[0]) is not None:
            on_site = mkdocs_hooks.site_path(path.partition("#")[0])
            assert (ROOT / mkdocs_hooks.repository_path(on_site)).is_file(), path


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("docs/rules/index.md", "rules/"),
        ("docs/ci.md", "ci/"),
        ("CHANGELOG.md", "CHANGELOG/"),
        ("docs/images/a.svg", "images/a.svg"),
        ("README.md", ""),
        ("testdata/kernels/README.md", None),
        ("examples/strain/strain.hip", None),
    ],
)
def test_addresses_match_the_site(path: str, address: str | None) -> None:
    assert hatch_build.address_of(path) == (None if address is None else hatch_build.SITE + address)


@pytest.mark.slow
def test_metadata_names_the_supported_pythons_and_where_things_are(built: tuple[Path, Path]) -> None:
    said = metadata(built[0])
    pythons = {line.rpartition(":: ")[2] for line in said.get_all("Classifier", []) if re.search(r":: 3\.\d+$", line)}
    workflow = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))
    matrix = workflow["jobs"]["unit"]["strategy"]["matrix"]
    assert pythons == set(matrix["python"]) == {"3.11", "3.12", "3.13", "3.14"}
    assert {os.partition("-")[0] for os in matrix["os"]} == {"ubuntu", "macos", "windows"}
    labels = {line.partition(",")[0] for line in said.get_all("Project-URL", [])}
    assert labels == {"Documentation", "Changelog", "Source", "Issues"}


@pytest.mark.slow
def test_the_source_archive_builds_and_has_its_hooks(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[1]) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {"pyproject.toml", "build_backend.py", "hatch_build.py", "README.md", "LICENSE"} <= names


@pytest.mark.slow
def test_tools_that_check_packages_find_nothing(built: tuple[Path, Path]) -> None:
    checks = (
        ("twine", ["twine", "check", "--strict", *map(str, built)]),
        ("check_wheel_contents", ["check_wheel_contents", str(built[0])]),
        ("validate_pyproject", ["validate_pyproject", "pyproject.toml"]),
    )
    missing = [name for name, _ in checks if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)} (pip install -e '.[dev]')")
    for _, command in checks:
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 0, done.stdout + done.stderr


def calls(path: Path, name: str) -> list[tuple[list[Any], dict[str, Any]]]:
    """Literal arguments of the calls of a function in a Python file."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            words = {each.arg: ast.literal_eval(each.value) for each in node.keywords if each.arg is not None}
            found.append(([ast.literal_eval(each) for each in node.args], words))
    return found


def test_the_spack_package_has_our_dependencies_and_a_variant_without_libclang() -> None:
    path = ROOT / "packages" / "spack" / "package.py"
    needed = {re.split("@", arguments[0])[0].removeprefix("py-") for arguments, _ in calls(path, "depends_on")}
    assert needed == {*NEEDED, "python", "hatchling", "pygls"}
    assert {arguments[0]: words["default"] for arguments, words in calls(path, "variant")} == {
        "libclang": True,
        "lsp": False,
    }
    assert [arguments[0] for arguments, _ in calls(path, "license")] == [PROJECT["license"]]


def test_the_conda_recipe_takes_the_binding_and_passes_pip_check() -> None:
    recipe = yaml.safe_load((ROOT / "packages" / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    run = {each.split()[0] for each in recipe["requirements"]["run"]}
    assert run == {*NEEDED, "python", "python-clang"}
    assert recipe["tests"][0]["python"]["pip_check"]
    (edit,) = (line for line in recipe["build"]["script"] if line.startswith("sed "))
    pattern = re.search(r"'/(.+)/d'", edit)
    assert pattern is not None
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if re.search(pattern[1], line)] == ['    "libclang>=16",']
    (entry,) = recipe["build"]["python"]["entry_points"]
    assert entry.split(" = ") == ["regpress-lint", PROJECT["scripts"]["regpress-lint"]]


def test_container_checks_the_tool_and_its_compiler() -> None:
    text = (ROOT / "packages" / "container" / "Containerfile").read_text(encoding="utf-8")
    assert "regpress-lint measure --arch gfx90a examples/strain/strain.hip" in text
    assert (ROOT / "examples" / "strain" / "strain.hip").is_file()
    assert "USER lint" in text


def test_the_mirror_installs_this_version() -> None:
    text = (ROOT / "packages" / "pre-commit-mirror" / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```toml[^\n]*\n(.*?)```", text, re.DOTALL)
    assert found is not None
    mirror = tomllib.loads(found[1])["project"]
    assert mirror["dependencies"] == [f"regpress-lint=={PROJECT['version']}"]
    assert mirror["requires-python"] == PROJECT["requires-python"]


def test_the_citation_and_the_forms_can_be_read() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["license"] == PROJECT["license"]
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert len(forms) > 3
    for form in forms:
        read = yaml.safe_load(form.read_text(encoding="utf-8"))
        if form.name != "config.yml":
            assert {"name", "description", "body"} <= set(read)
            ids = [each["id"] for each in read["body"]]
            assert len(ids) == len(set(ids))


def test_extension_meets_the_marketplace_requirements() -> None:
    said = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert said["repository"]["directory"] == "editors/vscode"
    icon = (EXTENSION / said["icon"]).read_bytes()
    width, height = struct.unpack(">II", icon[16:24])
    assert width == height >= 128
    assert lock["packages"][""]["dependencies"] == said["dependencies"]
    assert lock["version"] == said["version"] == PROJECT["version"]
    assert all(
        each["resolved"].startswith("https://registry.npmjs.org/")
        for each in lock["packages"].values()
        if "resolved" in each
    )
    assert shutil.which("node") is None or (EXTENSION / said["main"]).is_file()


INSTALLS = re.compile(
    r"(?:pip3?|pipx|uv|uvx|poetry|conda)\b[^\n`]*?\b(?:install|run|add|from)\b[^\n`]*?regpress-lint[^\n`]*"
)


def test_no_command_installs_an_unregistered_name() -> None:
    """Whoever registered it would own our users: what is installed is an address, or a folder."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    left_out = ("tests/", "testdata/", "CHANGELOG.md", "docs/rules/")
    texts = {name: (ROOT / name).read_bytes() for name in names if name and not name.startswith(left_out)}
    lines = [
        f"{name}: {line}"
        for name, data in texts.items()
        if b"regpress-lint" in data
        for line in INSTALLS.findall(data.decode("utf-8", "replace"))
    ]
    assert len(lines) > 5
    assert [line for line in lines if not re.search(r"git\+|\.whl|[./]regpress-lint|install -e '?\.", line)] == []


def test_the_root_holds_no_kernel() -> None:
    """A session's scratch file was committed beside the README once; kernels have their folders."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    endings = {Path(name).suffix for name in names if name and "/" not in name}
    assert endings <= {"", ".cff", ".md", ".py", ".toml", ".yaml", ".yml"}
